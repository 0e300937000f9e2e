//! What the sentences of a mail say of its moves: who plays them, and what takes them back, denies, weighs or asks about them.
//!
//! A word that does so (a hedge) is bound to the moves in its own clause. A clause without a move is bound to the move it speaks of
//! ("this", "above", "my move"), or, where it holds nothing else, to the move beside it; a clause about anything else ("our cat does
//! not like the snow") is bound to none. Complete utterances ("forget it", "kidding") reach the whole mail. There is no other judge of
//! doubt. What will surprise you: a word that no lexicon has makes a clause speak of something else.

use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use std::ops::Range;

use super::{Line, vocabulary};
use crate::domain::transmission::lexicon::{Key, Keys};

/// How a word takes the certainty from a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HedgeKind {
    /// It is denied.
    Denied,
    /// It is taken back, or called wrong.
    TakenBack,
    /// It is considered, or put off.
    Weighed,
    /// It is asked about.
    Asked,
    /// It depends on something.
    Conditional,
    /// It is somebody else's, or of another game.
    Another,
    /// It is an old one.
    Old,
}

impl HedgeKind {
    /// The word for it in data.
    pub fn code(self) -> &'static str {
        match self {
            HedgeKind::Denied => "denied",
            HedgeKind::TakenBack => "taken-back",
            HedgeKind::Weighed => "weighed",
            HedgeKind::Asked => "asked",
            HedgeKind::Conditional => "conditional",
            HedgeKind::Another => "another",
            HedgeKind::Old => "old",
        }
    }
}

/// A word that takes the certainty from a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hedge {
    /// The line it stands on.
    pub line: usize,
    /// The word, as it is written.
    pub word: String,
    /// What it does.
    pub kind: HedgeKind,
}

/// Which moves a hedge reaches that stands in no clause with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those before it: some stand in the lines above.
    Back,
    /// Those before it; where there are none, the next one.
    Either,
    /// The next one.
    Forward,
    /// Every move of the mail.
    All,
}

/// A hedge that stands in no clause with a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// The hedge.
    pub hedge: Hedge,
    /// Which moves it reaches.
    pub reach: Reach,
}

/// What a sentence says of a move in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// Nothing.
    Bare,
    /// The sender plays it.
    Mine,
    /// The same, with unknown words between: enough for a numbered move only ("I play in group 7776").
    Loosely,
    /// The sender plays it, after he named others that he does not play.
    Decided,
    /// The reader played it.
    Yours,
}

/// What the mail says of one move.
#[derive(Debug, Clone)]
pub(super) struct Voice {
    pub(super) stance: Stance,
    pub(super) hedge: Option<Hedge>,
    /// The first word in its clause that no lexicon knows, or that names somebody else.
    pub(super) strange: Option<String>,
    line: usize,
    at: usize,
}

/// What a text says of its moves.
#[derive(Debug, Default)]
pub(super) struct Voices {
    /// In the order of the text.
    voices: Vec<Voice>,
    /// Hedges in clauses without a move.
    pub(super) asides: Vec<Aside>,
    /// Whether any sentence decides for a move.
    pub(super) any_decided: bool,
    /// The last line with what may be a move.
    last_move: Option<usize>,
}

/// Lines above a hedge within which a move is the one that it speaks of.
const NEAR: usize = 3;

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

impl Voices {
    pub(super) fn of(document: &Document<'_>) -> Voices {
        let mut out = Voices::default();
        let mut before = None;
        for sentence in &document.sentences {
            out.sentence(document, before, sentence);
            before = sentence.clauses.last();
        }
        out.any_decided = out.voices.iter().any(|voice| voice.stance == Stance::Decided);
        out
    }

    /// What is said of the moves between two places on a line.
    pub(super) fn between(&self, line: usize, places: Range<usize>) -> impl Iterator<Item = &Voice> {
        let from = self.voices.partition_point(|voice| (voice.line, voice.at) < (line, places.start));
        let behind = self.voices.get(from..).unwrap_or_default().iter();
        behind.take_while(move |voice| voice.line == line && voice.at < places.end)
    }

    /// What is said of the first move at or behind a place on a line.
    pub(super) fn at(&self, line: usize, at: usize) -> Option<&Voice> {
        let from = self.voices.partition_point(|voice| (voice.line, voice.at) < (line, at));
        self.voices.get(from).filter(|voice| voice.line == line)
    }

    /// How the first move at or behind a place on a line is meant.
    pub(super) fn stance(&self, line: usize, at: usize) -> Stance {
        self.at(line, at).map_or(Stance::Bare, |voice| voice.stance)
    }

    fn sentence(&mut self, document: &Document<'_>, before: Option<&Clause>, sentence: &Sentence) {
        let before = before.map(|clause| Said::of(document, clause));
        let (mut weighed, mut turned, mut of_reader) = (false, false, false);
        let first = self.voices.len();
        let clauses: Vec<Said<'_>> = sentence.clauses.iter().map(|clause| Said::of(document, clause)).collect();
        let before =
            before.filter(|before| clauses.first().is_some_and(|first| before.stands_right_above(document, first)));
        for (at, said) in clauses.iter().enumerate() {
            turned |= said.has(Key::Turn);
            let above = at.checked_sub(1).and_then(|above| clauses.get(above));
            if said.moves.is_empty() {
                if let Some(mut aside) = said.aside(document, sentence) {
                    let is_near = |line: &usize| aside.hedge.line - line <= NEAR;
                    if aside.reach == Reach::Either && self.last_move.as_ref().is_some_and(is_near) {
                        aside.reach = Reach::Back;
                    }
                    weighed |= aside.hedge.kind != HedgeKind::TakenBack;
                    self.asides.push(aside);
                }
                of_reader = said.is_of_reader() || (of_reader && !said.has(Key::I));
                continue;
            }
            // "this is not mine: 5254"
            let announced = above
                .filter(|above| above.clause.announces)
                .or(before.as_ref())
                .filter(|above| above.clause.announces && above.moves.is_empty());
            for place in &said.moves {
                let hedge = said.hedge(document, *place);
                let stance = match &hedge {
                    Some(_) => Stance::Bare,
                    None => said.stance(*place, announced, of_reader && !said.has(Key::I), weighed && turned),
                };
                weighed |= hedge.is_some();
                let strange = said.strange(document).or_else(|| {
                    announced.filter(|above| !above.announces_own()).and_then(|above| above.strange(document))
                });
                let Some((line, placed)) = said.pieces.get(*place).and_then(|piece| document.token(piece)) else {
                    continue;
                };
                self.last_move = Some(line.number);
                self.voices.push(Voice { stance, hedge, strange, line: line.number, at: placed.at });
            }
            of_reader = said.is_of_reader() || (of_reader && !said.has(Key::I));
        }
        if asks(document, sentence) {
            self.ask(document, sentence, first);
        }
    }

    /// A question decides for no move in it.
    fn ask(&mut self, document: &Document<'_>, sentence: &Sentence, first: usize) {
        let Some(last) = sentence.clauses.last().and_then(|clause| document.pieces_of(clause).last()) else { return };
        let number = document.token(last).map_or(0, |(line, _)| line.number);
        for voice in self.voices.iter_mut().skip(first).filter(|voice| voice.stance != Stance::Yours) {
            voice.stance = Stance::Bare;
            voice.hedge.get_or_insert(Hedge { line: number, word: "?".to_owned(), kind: HedgeKind::Asked });
        }
    }
}

/// A clause with what its words say.
struct Said<'d> {
    clause: &'d Clause,
    pieces: &'d [Piece],
    keys: Keys,
    /// Places of its moves among the pieces.
    moves: Vec<usize>,
    /// How many of its words no lexicon has.
    unknown: usize,
}

impl<'d> Said<'d> {
    fn of(document: &'d Document<'_>, clause: &'d Clause) -> Said<'d> {
        let pieces = document.pieces_of(clause);
        let keys = pieces.iter().fold(Keys::default(), |all, piece| all | piece.keys);
        let moves = pieces.iter().enumerate().filter(|(_, piece)| piece.kind == Kind::Move).map(|(at, _)| at).collect();
        let unknown = pieces.iter().filter(|piece| is_unknown(piece)).count();
        Said { clause, pieces, keys, moves, unknown }
    }

    fn has(&self, key: Key) -> bool {
        self.keys.has(key)
    }

    /// Its subject is the reader.
    fn is_of_reader(&self) -> bool {
        self.has(Key::You) && !self.has(Key::I)
    }

    /// The strongest hedge in it.
    fn strongest(&self, document: &Document<'_>) -> Option<(Key, Hedge)> {
        HEDGES.into_iter().find_map(|(key, kind)| {
            let is_letter = |piece: &Piece| document.written(piece).chars().count() == 1;
            // "No. 10" counts
            let is_counter = |at: usize| {
                self.pieces.get(at + 1).is_some_and(|next| next.kind != Kind::Word && next.kind != Kind::Move)
            };
            let says = |(at, piece): &(usize, &Piece)| {
                piece.keys.has(key)
                    && !piece.keys.has(Key::Harmless)
                    && !is_letter(piece)
                    && !(key == Key::Deny && is_counter(*at))
            };
            let (_, piece) = self.pieces.iter().enumerate().find(says)?;
            let (line, _) = document.token(piece)?;
            Some((key, Hedge { line: line.number, word: document.written(piece).to_owned(), kind }))
        })
    }

    /// What takes the certainty from a move in this clause.
    fn hedge(&self, document: &Document<'_>, _place: usize) -> Option<Hedge> {
        self.strongest(document)
            .filter(|(key, _)| !(self.has(Key::Excuse) && *key == Key::Deny))
            .map(|(_, hedge)| hedge)
    }

    /// How a move in it is meant, where nothing takes the certainty from it.
    fn stance(&self, place: usize, announced: Option<&Said<'_>>, of_reader: bool, decides: bool) -> Stance {
        let ahead = self.pieces.get(..place).unwrap_or_default();
        let behind = self.pieces.get(place + 1..).unwrap_or_default();
        let among = |pieces: &[Piece], keys: &[Key]| pieces.iter().any(|piece| piece.keys.has_any(keys));
        let yours = among(ahead, &[Key::You]) && !among(ahead, &[Key::I]);
        let names = |pieces: &[Piece]| announces_own(pieces);
        if (yours || of_reader) && (among(ahead, &[Key::Play, Key::Move]) || of_reader || among(ahead, &[Key::You])) {
            return Stance::Yours;
        }
        let announced = announced.is_some_and(Said::announces_own);
        if announced.then_some(true).is_none() && announced_yours(self, ahead) {
            return Stance::Yours;
        }
        // "5254 is my move"
        let named_behind = among(behind, &[Key::I]) && among(behind, &[Key::Move]);
        if !names(ahead) && !announced && !named_behind {
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
    fn strange(&self, document: &Document<'_>) -> Option<String> {
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
    fn aside(&self, document: &Document<'_>, sentence: &Sentence) -> Option<Aside> {
        if self.is_head() || speaks_of_result(document, sentence) {
            return None;
        }
        let asks = asks(document, sentence);
        let found = self.strongest(document);
        let of_reader = self.is_of_reader();
        let plain = self.is_plain();
        // "perhaps it will rain": the rest of the sentence tells what it is about
        let all_plain = || {
            let mut clauses = sentence.clauses.iter().map(|clause| Said::of(document, clause));
            clauses.all(|said| said.is_plain() || said.keys.has_any(&CHESS))
        };
        let few_unknown = || {
            let clauses = sentence.clauses.iter().map(|clause| Said::of(document, clause));
            clauses.map(|said| said.unknown).sum::<usize>() <= 1 && !self.keys.has_any(&[Key::Harmless, Key::Excuse])
        };
        let of_move = self.names_own_move();
        let pointed = self.keys.has_any(&[Key::Above, Key::Below]);
        let of_mail = self.has(Key::Mail) && !of_reader && (pointed || plain || self.has(Key::This));
        let this = self.has(Key::This) && (plain || self.keys.has_any(&CHESS));
        // whoever speaks of "the move above" says more of it than that he plays it
        let speaks_of_it = self.has(Key::Above) && of_move;
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
            None if speaks_of_it || (self.clause.announces && self.another().is_some()) => {
                let piece = self.pieces.iter().find(|piece| piece.keys.has(Key::Above)).or(self.another())?;
                let (line, _) = document.token(piece)?;
                let hedge =
                    Hedge { line: line.number, word: document.written(piece).to_owned(), kind: HedgeKind::Another };
                (Key::Other, hedge)
            }
            None => return None,
        };
        let excused = self.has(Key::Excuse);
        let binds = match key {
            Key::Recall | Key::Undecided => true,
            // "this is no joke"
            Key::TakeBack if self.has(Key::Deny) && !of_move => false,
            Key::TakeBack => {
                of_move || of_mail || this || pointed || (plain && !of_reader && (all_plain() || few_unknown()))
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
            Key::Weigh => !excused && (of_move || this || (plain && !self.has(Key::You) && all_plain())),
            Key::Later => of_move && !excused,
            Key::Other => of_move || this || pointed || self.clause.announces,
            Key::Old => {
                (of_move && (self.has(Key::This) || self.has(Key::I)))
                    || (this && !self.has(Key::Mail))
                    || (self.clause.announces && plain)
            }
            Key::Condition => of_move && self.has(Key::I),
            _ => true,
        };
        let is_total = matches!(key, Key::Recall | Key::Undecided);
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
    fn announces_own(&self) -> bool {
        announces_own(self.pieces) && !self.is_of_reader()
    }

    /// It ends the line above the one on which another begins.
    fn stands_right_above(&self, document: &Document<'_>, other: &Said<'_>) -> bool {
        let number = |piece: Option<&Piece>| piece.and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
        matches!((number(self.pieces.last()), number(other.pieces.first())), (Some(above), Some(below)) if below - above <= 2)
    }

    /// A word that names somebody else.
    fn another(&self) -> Option<&'d Piece> {
        self.pieces.iter().find(|piece| names_another(piece))
    }

    /// It speaks of a move, and not of the reader's.
    fn names_own_move(&self) -> bool {
        let near = |at: usize| {
            let from = at.saturating_sub(3);
            let beside = self.pieces.get(from..at + 2).or_else(|| self.pieces.get(from..)).unwrap_or_default();
            beside.iter().any(|piece| piece.keys.has(Key::You) && !piece.keys.has(Key::I))
        };
        self.pieces.iter().enumerate().any(|(at, piece)| piece.keys.has(Key::Move) && !near(at))
    }

    /// It speaks of nothing that the lexicon does not know.
    fn is_plain(&self) -> bool {
        self.unknown == 0 && !self.keys.has_any(&[Key::Harmless, Key::Excuse])
    }

    /// The head of a table: "No. Move Rec. Sent Days Total".
    fn is_head(&self) -> bool {
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
    fn is_bare_denial(&self) -> bool {
        const FEW: usize = 4;
        self.pieces.len() <= FEW
    }
}

/// Whether a sentence asks: by its sign, or by the last letter of a Japanese one.
fn asks(document: &Document<'_>, sentence: &Sentence) -> bool {
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
const CHESS: [Key; 8] =
    [Key::King, Key::Queen, Key::Rook, Key::Bishop, Key::Knight, Key::Pawn, Key::Position, Key::Move];

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
    among(&[Key::Play, Key::Announce]) || (among(&[Key::I]) && among(&[Key::Move]))
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

/// What these lines, which give no move themselves, say of moves elsewhere in their mail: those below a signature mark, for one.
pub fn asides(lines: &[Line<'_>]) -> Vec<Aside> {
    Voices::of(&Document::of(lines)).asides
}

/// Whether words that stand behind a move take it back, deny it or leave it open.
pub fn takes_back(paragraph: &[&str]) -> bool {
    let lines: Vec<Line<'_>> = (1..).zip(paragraph).map(|(number, text)| Line { number, text }).collect();
    !asides(&lines).is_empty()
}
