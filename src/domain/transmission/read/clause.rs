//! A clause of a sentence: what its words say of the moves in it, and of a move elsewhere.

use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::hedge::{Aside, Hedge, HedgeKind, Reach, Stance};
use super::vocabulary;
use crate::domain::transmission::lexicon::{Key, Keys};

/// The words of a short utterance.
const FEW: usize = 4;

/// Hedges, the stronger ones first.
const HEDGES: [(Key, HedgeKind); 9] = [
    (Key::Recall, HedgeKind::TakenBack),
    (Key::Undecided, HedgeKind::Weighed),
    (Key::TakeBack, HedgeKind::TakenBack),
    (Key::Deny, HedgeKind::Denied),
    (Key::Other, HedgeKind::Another),
    (Key::Weigh, HedgeKind::Weighed),
    (Key::Condition, HedgeKind::Conditional),
    (Key::Later, HedgeKind::Weighed),
    (Key::Old, HedgeKind::Old),
];

/// A clause with what its words say.
pub(super) struct Said<'d> {
    pub(super) clause: &'d Clause,
    pub(super) pieces: &'d [Piece],
    keys: Keys,
    /// Places of its moves among the pieces.
    pub(super) moves: Vec<usize>,
    /// How many of its words no lexicon has.
    unknown: usize,
}

impl<'d> Said<'d> {
    pub(super) fn of(document: &'d Document<'_>, clause: &'d Clause) -> Said<'d> {
        let pieces = document.pieces_of(clause);
        let keys = pieces.iter().fold(Keys::default(), |all, piece| all | piece.keys);
        let moves = pieces.iter().enumerate().filter(|(_, piece)| piece.kind == Kind::Move).map(|(at, _)| at).collect();
        let unknown = pieces.iter().filter(|piece| is_unknown(piece)).count();
        Said { clause, pieces, keys, moves, unknown }
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.keys.has(key)
    }

    /// Its subject is the reader.
    pub(super) fn is_of_reader(&self) -> bool {
        self.has(Key::You) && !self.has(Key::I)
    }

    /// The reader does something in it, and not only a thing of his: "your move reached me on Monday".
    pub(super) fn has_reader_act(&self) -> bool {
        /// Words within which "your" and its noun stand.
        const NEAR: usize = 2;
        let acts = |(at, piece): (usize, &Piece)| {
            let mut noun = self.pieces.iter().skip(at + 1).take(NEAR);
            piece.keys.has(Key::You)
                && !piece.keys.has(Key::Play)
                && !noun.any(|piece| piece.keys.has_any(&[Key::Move, Key::Mail, Key::Game, Key::Position]))
        };
        !self.clause.aside && !self.has(Key::I) && self.pieces.iter().enumerate().any(acts)
    }

    /// The strongest hedge in it.
    pub(super) fn strongest(&self, document: &Document<'_>) -> Option<(Key, Hedge)> {
        HEDGES.into_iter().find_map(|(key, kind)| {
            let is_letter = |piece: &Piece| document.written(piece).chars().count() == 1;
            // "No. 10" counts
            let is_counter = |at: usize| {
                let short = self.pieces.get(at).is_some_and(|piece| document.written(piece).chars().count() <= 2);
                let next = self.pieces.get(at + 1).is_some_and(|next| !matches!(next.kind, Kind::Word | Kind::Move));
                short && next
            };
            let says = |(at, piece): &(usize, &Piece)| {
                piece.keys.has(key)
                    && !piece.keys.has(Key::Harmless)
                    && !is_letter(piece)
                    && (key != Key::Deny || !is_counter(*at))
            };
            let (_, piece) = self.pieces.iter().enumerate().find(says)?;
            let (line, _) = document.token(piece)?;
            Some((key, Hedge { line: line.number, word: document.written(piece).to_owned(), kind }))
        })
    }

    /// What takes the certainty from a move in this clause.
    pub(super) fn hedge(&self, document: &Document<'_>, _place: usize) -> Option<Hedge> {
        self.strongest(document)
            .filter(|(key, _)| !(self.has(Key::Excuse) && *key == Key::Deny))
            .map(|(_, hedge)| hedge)
    }

    /// How a move in it is meant, where nothing takes the certainty from it.
    pub(super) fn stance(&self, place: usize, announced: Option<&Said<'_>>, of_reader: bool, decides: bool) -> Stance {
        // "I have received your move 8. 4243 and answer 8... 5878": each move has the words behind the one before it
        let all_ahead = self.pieces.get(..place).unwrap_or_default();
        let last = all_ahead.iter().rposition(|piece| piece.kind == Kind::Move).map_or(0, |last| last + 1);
        let ahead = all_ahead.get(last..).unwrap_or_default();
        let behind = self.pieces.get(place + 1..).unwrap_or_default();
        let among = |pieces: &[Piece], keys: &[Key]| pieces.iter().any(|piece| piece.keys.has_any(keys));
        let yours = among(ahead, &[Key::You]) && !among(ahead, &[Key::I]);
        let names = |pieces: &[Piece]| announces_own(pieces);
        if (yours || of_reader) && (among(ahead, &[Key::Play, Key::Move]) || of_reader || among(ahead, &[Key::You])) {
            return Stance::Yours;
        }
        // "Your move: 5254"
        if announced.is_some_and(Said::is_of_reader) {
            return Stance::Yours;
        }
        let announced = announced.is_some_and(Said::announces_own);
        if !announced && announced_yours(self, ahead) {
            return Stance::Yours;
        }
        // "5254 is my move"
        let named_behind = among(behind, &[Key::I]) && among(behind, &[Key::Move]);
        if !names(ahead) && !announced && !named_behind {
            return Stance::Bare;
        }
        // "my rating is now 5847", "j'habite maintenant au 4635 rue Victor Hugo"
        let is_plain = !ahead.iter().any(is_unknown);
        let plays = among(ahead, &[Key::Play]) || (among(ahead, &[Key::I]) && among(ahead, &[Key::Move]));
        if self.has(Key::Counts) || !(plays || is_plain || announced || named_behind) {
            return Stance::Bare;
        }
        if decides {
            return Stance::Decided;
        }
        let cue = ahead.iter().rposition(|piece| piece.keys.has_any(&[Key::Play, Key::Announce, Key::Move]));
        let between = cue.and_then(|cue| ahead.get(cue + 1..)).unwrap_or_default();
        if between.iter().filter(|piece| is_unknown(piece)).count() > 0 { Stance::Loosely } else { Stance::Mine }
    }

    /// The first word that makes a move beside it open: unknown, or another person.
    pub(super) fn strange(&self, document: &Document<'_>) -> Option<String> {
        let is_greeted = self.keys.has_any(&[Key::Greeting, Key::Closing, Key::Thanks]);
        let is_single = |piece: &Piece| document.written(piece).chars().count() == 1;
        let strange = |piece: &&Piece| {
            (is_unknown(piece) && !is_greeted && !is_single(piece) && !is_label(document, piece))
                || names_another(piece)
                || piece.keys.has(Key::Counts)
        };
        self.pieces.iter().find(strange).map(|piece| document.written(piece).to_owned())
    }

    /// What this clause without a move says of a move elsewhere.
    pub(super) fn aside(
        &self,
        document: &Document<'_>,
        sentence: &Sentence,
        last_move: Option<usize>,
    ) -> Option<Aside> {
        if self.is_head() || speaks_of_result(document, sentence) {
            return None;
        }
        let asks = asks(document, sentence);
        let found = self.strongest(document);
        let of_reader = self.is_of_reader();
        let plain = self.is_plain();
        // "perhaps it will rain": the rest of the sentence tells what it is about
        let line = self.pieces.first().and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
        let all_plain = || {
            // right behind a move, on its line
            if line.is_some() && line == last_move {
                return true;
            }
            let mut clauses = sentence.clauses.iter().map(|clause| Said::of(document, clause));
            clauses.all(|said| said.is_plain() || said.keys.meets(CHESS))
        };
        let few_unknown = || {
            let clauses = sentence.clauses.iter().map(|clause| Said::of(document, clause));
            let counts: Vec<(usize, usize)> = clauses.map(|said| (said.unknown, said.pieces.len())).collect();
            let (unknown, all) = counts.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
            unknown <= 1 && all <= FEW && !self.keys.has_any(&[Key::Harmless, Key::Excuse])
        };
        let of_move = self.names_own_move();
        let pointed = self.keys.has_any(&[Key::Above, Key::Below]);
        let of_mail = self.has(Key::Mail) && !of_reader && (pointed || plain || self.has(Key::This));
        // "by mistake I have sent you two different moves"
        let of_sending = self.has(Key::I) && self.keys.has_any(&[Key::Sent, Key::Play]) && self.has(Key::Move);
        let this = self.has(Key::This) && (plain || self.keys.meets(CHESS));
        // whoever speaks of "the move above" says more of it than that he plays it
        let speaks_of_it = self.has(Key::Above) && of_move;
        let announces = self.clause.announces && !of_reader;
        let pieces = || sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
        let another = pieces().find(|piece| names_another(piece));
        // "what stands above is but an example"
        let points = pieces().any(|piece| piece.keys.has(Key::Above));
        let (key, hedge) = match found {
            Some(found) => found,
            None if asks
                && (of_move
                    || (self.has(Key::Legal) && !of_reader)
                    || (self.keys.has_any(&[Key::This, Key::Ask]) && plain && !self.has(Key::You))) =>
            {
                let piece = self.pieces.first()?;
                let (line, _) = document.token(piece)?;
                let hedge = Hedge { line: line.number, word: "?".to_owned(), kind: HedgeKind::Asked };
                (Key::Ask, hedge)
            }
            None if speaks_of_it || (announces && another.is_some()) => {
                let piece = self.pieces.iter().find(|piece| piece.keys.has(Key::Above)).or(another)?;
                let (line, _) = document.token(piece)?;
                let hedge =
                    Hedge { line: line.number, word: document.written(piece).to_owned(), kind: HedgeKind::Another };
                (Key::Other, hedge)
            }
            None => return None,
        };
        let excused = self.keys.has_any(&[Key::Excuse, Key::AsksRepeat]);
        let binds = match key {
            Key::Recall | Key::Undecided => true,
            // "must he stand by it?"
            Key::TakeBack if self.another().is_some() && !(of_move || pointed || announces) => false,
            // "this is no joke"
            Key::TakeBack if self.has(Key::Deny) && !of_move => false,
            Key::TakeBack => {
                of_move
                    || of_mail
                    || of_sending
                    || this
                    || pointed
                    || (plain && !of_reader && (all_plain() || few_unknown()))
            }
            Key::Deny => {
                !excused
                    && (of_move
                        || this
                        || (plain
                            && (pointed
                                || self.has(Key::Play) && !of_reader
                                || !self.has(Key::You) && self.is_bare_denial() && all_plain())))
            }
            Key::Weigh => !excused && (of_move || this || announces || (plain && !self.has(Key::You) && all_plain())),
            Key::Later => (of_move || announces) && !excused,
            Key::Other => of_move || this || pointed || points || announces,
            Key::Old => {
                (of_move && (self.has(Key::This) || (!excused && self.has(Key::I))))
                    || (this && !self.has(Key::Mail))
                    || (self.clause.announces && plain)
            }
            Key::Condition => of_move && self.has(Key::I),
            _ => true,
        };
        let is_total = matches!(key, Key::Recall | Key::Undecided) || (key == Key::TakeBack && of_sending);
        let reach = match () {
            () if is_total
                && sentence
                    .clauses
                    .iter()
                    .all(|clause| document.pieces_of(clause).iter().all(|p| p.kind != Kind::Move)) =>
            {
                Reach::All
            }
            () if self.clause.announces || self.has(Key::Below) && !self.has(Key::Above) => Reach::Forward,
            () => Reach::Either,
        };
        binds.then_some(Aside { hedge, reach })
    }

    /// "Here is my move", "I play".
    pub(super) fn announces_own(&self) -> bool {
        announces_own(self.pieces) && !self.is_of_reader()
    }

    /// It ends the line above the one on which another begins.
    pub(super) fn stands_right_above(&self, document: &Document<'_>, other: &Said<'_>) -> bool {
        let number = |piece: Option<&Piece>| piece.and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
        matches!((number(self.pieces.last()), number(other.pieces.first())), (Some(above), Some(below)) if below - above <= 2)
    }

    /// A word that names somebody else.
    fn another(&self) -> Option<&'d Piece> {
        self.pieces.iter().find(|piece| names_another(piece))
    }

    /// It speaks of a move, and not of the reader's.
    pub(super) fn names_own_move(&self) -> bool {
        let near = |at: usize| {
            let from = at.saturating_sub(3);
            let beside = self.pieces.get(from..at + 2).or_else(|| self.pieces.get(from..)).unwrap_or_default();
            beside.iter().any(|piece| piece.keys.has(Key::You) && !piece.keys.has(Key::I))
        };
        self.pieces.iter().enumerate().any(|(at, piece)| piece.keys.has(Key::Move) && !near(at))
    }

    /// It speaks of nothing that the lexicon does not know.
    pub(super) fn is_plain(&self) -> bool {
        self.unknown == 0 && !self.keys.has_any(&[Key::Harmless, Key::Excuse])
    }

    /// The head of a table: "No. Move Rec. Sent Days Total".
    pub(super) fn is_head(&self) -> bool {
        const COLUMNS: [&[Key]; 4] = [
            &[Key::Received, Key::ReceivedShort],
            &[Key::Sent, Key::SentShort],
            &[Key::Days, Key::DaysShort],
            &[Key::Total, Key::TotalShort],
        ];
        let columns = COLUMNS.into_iter().filter(|names| self.keys.has_any(names)).count();
        columns >= 3 || (columns == 2 && self.pieces.len() <= 5)
    }

    /// "No!", "not yet": a denial with hardly anything beside it.
    pub(super) fn is_bare_denial(&self) -> bool {
        self.pieces.len() <= FEW
    }
}

/// Whether a sentence asks: by its sign, or by the last letter of a Japanese one.
pub(super) fn asks(document: &Document<'_>, sentence: &Sentence) -> bool {
    let last = sentence.clauses.last().and_then(|clause| document.pieces_of(clause).last());
    let first = sentence.clauses.first().and_then(|clause| document.pieces_of(clause).first());
    let is_word = |piece: &Piece| document.written(piece).chars().count() > 1;
    let begins = first
        .is_some_and(|piece| piece.keys.has(Key::Ask) && !piece.keys.has_any(&[Key::I, Key::Play]) && is_word(piece));
    sentence.end == End::Question
        || (begins && sentence.end == End::Open)
        || last.is_some_and(|piece| document.written(piece).ends_with('か'))
}

/// "Your move: 5254" where the words stand right before the move in its own clause.
fn announced_yours(said: &Said<'_>, ahead: &[Piece]) -> bool {
    !said.has(Key::I) && ahead.iter().any(|piece| piece.keys.has(Key::You))
}

/// Words of the board: what is said beside them is said of the game.
const CHESS: Keys = Keys::all(&Key::PIECES).and(Keys::all(&[Key::Position, Key::Move]));

/// Whether a sentence is about a draw or the end of the game; what it denies and weighs is that.
fn speaks_of_result(document: &Document<'_>, sentence: &Sentence) -> bool {
    const RESULT: [Key; 8] = [
        Key::Draw,
        Key::DrawOffer,
        Key::DrawAccept,
        Key::DrawDecline,
        Key::Resign,
        Key::ResignWord,
        Key::NotDraw,
        Key::NotResign,
    ];
    let mut pieces = sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
    pieces.any(|piece| piece.keys.has_any(&RESULT))
        && !sentence.clauses.iter().any(|clause| {
            let of_move = [Key::Move, Key::Play, Key::Recall, Key::Undecided];
            document.pieces_of(clause).iter().any(|piece| piece.keys.has_any(&of_move))
        })
}

fn announces_own(pieces: &[Piece]) -> bool {
    let among = |keys: &[Key]| pieces.iter().any(|piece| piece.keys.has_any(keys));
    // "I kick the bishop: 10. 6263"
    let does = || among(&[Key::Move]) || among(&Key::PIECES);
    among(&[Key::Play, Key::Announce]) || (among(&[Key::I]) && does())
}

fn is_label(document: &Document<'_>, piece: &Piece) -> bool {
    document.token(piece).is_some_and(|(_, placed)| vocabulary::is_label(placed))
}

fn names_another(piece: &Piece) -> bool {
    piece.keys.has(Key::He) && !piece.keys.has_any(&[Key::Common, Key::I])
}

fn is_unknown(piece: &Piece) -> bool {
    piece.kind == Kind::Word && piece.keys.is_empty()
}
