//! A clause of a sentence: what its words say of the moves in it, and of a move elsewhere.

use super::about::About;
use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::hedge::{Aside, Hedge, HedgeKind, Reach, Stance};
use super::vocabulary;
use crate::domain::transmission::lexicon::{Key, Keys};

/// The words of a short utterance.
pub(super) const FEW: usize = 4;

/// Hedges, the stronger ones first.
const HEDGES: [(Key, HedgeKind); 10] = [
    (Key::Recall, HedgeKind::TakenBack),
    (Key::Undecided, HedgeKind::Weighed),
    (Key::TakeBack, HedgeKind::TakenBack),
    (Key::Deny, HedgeKind::Denied),
    (Key::Other, HedgeKind::Another),
    (Key::Weigh, HedgeKind::Weighed),
    (Key::Advice, HedgeKind::Asked),
    (Key::Condition, HedgeKind::Conditional),
    (Key::Later, HedgeKind::Weighed),
    (Key::Old, HedgeKind::Old),
];

/// A clause with what its words say.
pub(super) struct Said<'d> {
    pub(super) clause: &'d Clause,
    pub(super) pieces: &'d [Piece],
    pub(super) keys: Keys,
    /// Places of its moves among the pieces.
    pub(super) moves: Vec<usize>,
    /// How many of its words no lexicon has.
    pub(super) unknown: usize,
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
        self.hedges(document).next()
    }

    /// The hedges in it, the stronger ones first.
    fn hedges(&self, document: &Document<'_>) -> impl Iterator<Item = (Key, Hedge)> {
        let is_letter = |piece: &Piece| document.written(piece).chars().count() == 1;
        // "No. 10" counts
        let is_counter = |at: usize| {
            let short = self.pieces.get(at).is_some_and(|piece| document.written(piece).chars().count() <= 2);
            let next = self.pieces.get(at + 1).is_some_and(|next| !matches!(next.kind, Kind::Word | Kind::Move));
            short && next
        };
        HEDGES.into_iter().filter_map(move |(key, kind)| {
            let says = |(at, piece): &(usize, &Piece)| {
                let means_else = match key {
                    Key::Deny => is_counter(*at),
                    Key::Other => piece.keys.has(Key::Announce),
                    _ => false,
                };
                piece.keys.has(key) && !piece.keys.has(Key::Harmless) && !is_letter(piece) && !means_else
            };
            let (_, piece) = self.pieces.iter().enumerate().find(says)?;
            Some((key, hedge_at(document, piece, kind)?))
        })
    }

    /// What takes the certainty from a move in this clause.
    pub(super) fn hedge(&self, document: &Document<'_>) -> Option<Hedge> {
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
        if yours || of_reader {
            return Stance::Yours;
        }
        // "Your move: 5254"
        if announced.is_some_and(Said::is_of_reader) {
            return Stance::Yours;
        }
        let announced = announced.is_some_and(Said::announces_own);
        // "5254 is my move"
        let named_behind = among(behind, &[Key::I]) && among(behind, &[Key::Move]);
        if !announces_own(ahead) && !announced && !named_behind {
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
        if between.iter().any(is_unknown) { Stance::Loosely } else { Stance::Mine }
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
        is_bare: bool,
    ) -> Option<Aside> {
        if self.is_head() || speaks_of_result(document, sentence) {
            return None;
        }
        let about = About::of(self, document, sentence, last_move, is_bare);
        let question = || about.is_question.then_some((Key::Ask, HedgeKind::Asked, self.pieces.first()));
        let person = || Some((Key::He, HedgeKind::Another, about.another));
        let above = || Some((Key::Above, HedgeKind::Another, self.with(Key::Above)));
        let derived = [question(), person(), above()].into_iter().flatten().filter_map(|(key, kind, piece)| {
            let hedge = hedge_at(document, piece?, kind)?;
            let word = if key == Key::Ask { "?".to_owned() } else { hedge.word };
            Some((key, Hedge { word, ..hedge }))
        });
        let (key, hedge) = self.hedges(document).chain(derived).find(|(key, _)| self.binds(document, *key, &about))?;
        let is_total = matches!(key, Key::Recall | Key::Undecided) || (key == Key::TakeBack && about.of_sending);
        let reach = match () {
            () if is_total && !about.holds_move => Reach::All,
            () if self.clause.announces || self.has(Key::Below) && !self.has(Key::Above) => Reach::Forward,
            () => Reach::Either,
        };
        Some(Aside { hedge, reach })
    }

    /// Whether a word of this key says something of a move elsewhere.
    fn binds(&self, document: &Document<'_>, key: Key, about: &About<'_>) -> bool {
        let About { of_move, of_mail, of_sending, pointed, announces, of_reader, plain, alone, .. } = *about;
        let excused = about.excused;
        let this = self.has(Key::This) && (plain || self.keys.meets(CHESS));
        const TELLING: [Key; 6] = [Key::TakeBack, Key::Deny, Key::Weigh, Key::Advice, Key::Other, Key::Old];
        // what stands right behind a move on its line is about it
        let points = self.keys.has_any(&[Key::You, Key::This, Key::Mail, Key::Game]);
        if about.is_remark && points && TELLING.contains(&key) && !excused && !self.has(Key::Harmless) {
            return true;
        }
        match key {
            Key::Recall | Key::Undecided => true,
            // "must he stand by it?", "this is no joke"
            Key::TakeBack if self.another().is_some() && !(of_move || pointed || announces) => false,
            Key::TakeBack if self.has(Key::Deny) && !of_move => false,
            Key::TakeBack => {
                of_move
                    || of_mail
                    || of_sending
                    || this
                    || pointed
                    || (plain
                        && !of_reader
                        && (alone || (about.is_behind && (points || self.has(Key::I) || self.pieces.len() <= 2))))
                    || about.takes_this
            }
            // "no typo: 5254"
            Key::Deny if self.has(Key::TakeBack) && !of_move => false,
            Key::Deny => {
                let moves = self.has(Key::Play) && !of_reader;
                // "I have not moved yet"
                let of_mine = moves && self.has(Key::I) && self.pieces.len() <= FEW + 1 && self.unknown <= 1;
                let nothing_else = !self.has(Key::You) && self.is_bare_denial() && alone;
                !excused && (of_move || this || announces || of_mine || (plain && (pointed || moves || nothing_else)))
            }
            Key::Weigh => !excused && (of_move || this || announces || (plain && !self.has(Key::You) && alone)),
            Key::Later => (of_move || announces || (plain && self.has(Key::I) && self.has(Key::Play))) && !excused,
            Key::Advice => announces || about.is_question || self.has(Key::I),
            Key::Other => {
                of_move || (self.has(Key::This) && plain) || about.this_first || pointed || about.points || announces
            }
            Key::Old => {
                (of_move && (self.has(Key::This) || (!excused && self.has(Key::I))))
                    || (self.has(Key::This) && plain && !self.has(Key::Mail))
                    || (about.this_first && !self.has(Key::Mail))
                    || (about.any_stands && self.has(Key::Mail) && !self.has(Key::You))
                    || announces
                    || (about.leads && !about.announces_own)
            }
            Key::Condition => of_move && self.has(Key::I),
            Key::Ask => {
                of_move
                    || (self.has(Key::Legal) && !of_reader)
                    || (self.keys.has_any(&[Key::This, Key::Ask]) && plain && !self.has(Key::You))
                    || about.asks_of_mine
            }
            Key::He => {
                (self.announces_move(document) && !about.announces_own) || about.other_game || about.is_for_another
            }
            // whoever speaks of "the move above" says more of it than that he plays it
            Key::Above => of_move,
            _ => false,
        }
    }

    /// The first word with a key.
    fn with(&self, key: Key) -> Option<&'d Piece> {
        self.pieces.iter().find(|piece| piece.keys.has(key))
    }

    /// "Here is my move", "I play".
    pub(super) fn announces_own(&self) -> bool {
        announces_own(self.pieces) && !self.is_of_reader()
    }

    /// A colon ends it, and what may be a move follows.
    pub(super) fn announces_move(&self, document: &Document<'_>) -> bool {
        let behind = document.pieces.get(self.clause.pieces.end..).unwrap_or_default();
        let next = behind.iter().find(|piece| matches!(piece.kind, Kind::Word | Kind::Move));
        self.clause.announces && next.is_some_and(|next| next.kind == Kind::Move)
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

    /// Where "that" stands for a thing by itself: nothing follows that it could belong to.
    pub(super) fn this_alone(&self) -> Option<usize> {
        let of_thing = |next: &Piece| is_unknown(next) || next.keys.has_any(&[Key::Position, Key::Game]);
        let alone = |at: &usize| !self.pieces.get(at + 1).is_some_and(of_thing);
        let these = self.pieces.iter().enumerate().filter(|(_, piece)| piece.keys.has(Key::This));
        these.map(|(at, _)| at).find(alone)
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

pub(super) fn hedge_at(document: &Document<'_>, piece: &Piece, kind: HedgeKind) -> Option<Hedge> {
    let (line, _) = document.token(piece)?;
    Some(Hedge { line: line.number, word: document.written(piece).to_owned(), kind })
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

/// Words of the board: what is said beside them is said of the game.
pub(super) const CHESS: Keys = Keys::all(&[Key::Position, Key::Move]);

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

pub(super) fn names_another(piece: &Piece) -> bool {
    piece.keys.has(Key::He) && !piece.keys.has_any(&[Key::Common, Key::I])
}

pub(super) fn is_unknown(piece: &Piece) -> bool {
    piece.kind == Kind::Word && piece.keys.is_empty()
}
