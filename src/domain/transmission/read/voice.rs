//! What the sentences of a mail say of its moves: who plays them, and what takes the certainty from them.
//!
//! A sentence with a move in it is asked about that move, with the sentences beside it; a sentence without one about the move that it
//! stands above, beside or below. A row of score has no words to be asked. There is no other judge of doubt.

use std::ops::Range;

use super::Line;
use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::hedge::{Aside, Hedge, HedgeKind, Reach};
use super::lex;
use super::scan::{Scan, around, place};
use super::sense::{self, Place, Sense, Text};
use super::vocabulary;
use crate::domain::transmission::lexicon::{Key, Keys};

/// From here on a sentence takes the certainty from a move.
const DOUBT: f32 = 0.45;
/// From here on a sentence plays the move in it.
const PLAYS: f32 = 0.6;
/// The same for a move that has a number.
const PLAYS_NUMBERED: f32 = 0.4;

/// What a sentence says of a move in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// Nothing.
    Bare,
    /// The sender plays it.
    Mine,
    /// The same, not as clearly: enough for a numbered move only ("I play in group 7776").
    Loosely,
    /// The reader played it.
    Yours,
}

/// What the mail says of one move.
#[derive(Debug, Clone)]
pub(super) struct Voice {
    pub(super) stance: Stance,
    pub(super) hedge: Option<Hedge>,
    /// The word of its sentence that speaks most against his playing it.
    pub(super) strange: Option<String>,
    /// It stands in brackets, or behind an arrow that points back.
    pub(super) is_remark: bool,
    line: usize,
    at: usize,
}

/// What a text says of its moves.
#[derive(Debug, Default)]
pub(super) struct Voices {
    /// In the order of the text.
    voices: Vec<Voice>,
    /// Hedges in sentences without a move.
    pub(super) asides: Vec<Aside>,
    /// Whether any sentence decides for a move.
    pub(super) any_decided: bool,
}

/// What stands above a move and ends in a colon.
struct Announcement {
    line: usize,
    stance: Stance,
}

impl Voices {
    pub(super) fn of(document: &Document<'_>) -> Voices {
        let number = |piece: &Piece| document.token(piece).map(|(line, _)| line.number);
        let moves = document.pieces.iter().filter(|piece| piece.kind == Kind::Move);
        Voices::among(document, &moves.filter_map(number).collect::<Vec<_>>())
    }

    /// The same where moves stand on these lines.
    fn among(document: &Document<'_>, moves: &[usize]) -> Voices {
        let mut out = Voices::default();
        let mut announced = None;
        for at in 0..document.sentences.len() {
            announced = out.sentence(document, at, moves, announced);
        }
        out.any_decided = out.voices.iter().any(|voice| voice.stance == Stance::Mine);
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

    fn sentence(
        &mut self,
        document: &Document<'_>,
        at: usize,
        moves: &[usize],
        announced: Option<Announcement>,
    ) -> Option<Announcement> {
        let sentence = document.sentences.get(at)?;
        let with_move = |range: &Range<usize>| {
            document.pieces.get(range.clone()).unwrap_or_default().iter().any(|piece| piece.kind == Kind::Move)
        };
        if !sentence.clauses.iter().any(|clause| with_move(&clause.pieces)) {
            return self.aside(document, std::slice::from_ref(sentence), place(document, sentence, moves), moves);
        }
        let is_bare = |range: &Range<usize>| {
            let pieces = document.pieces.get(range.clone()).unwrap_or_default();
            pieces.iter().all(|piece| piece.kind != Kind::Word || is_of_row(document, piece))
        };
        let is_prose = |clause: &&Clause| with_move(&clause.pieces) && !is_bare(&clause.pieces);
        if !sentence.clauses.iter().any(|clause| is_prose(&clause)) {
            return self.row(document, sentence, moves, announced);
        }
        // "9... 4746 (not your 6877)": what brackets say of a move in them they do not say of the row before them
        let (brackets, row): (Vec<Clause>, Vec<Clause>) =
            sentence.clauses.iter().cloned().partition(|clause| clause.aside && is_prose(&clause));
        if row.iter().any(|clause| with_move(&clause.pieces)) && !row.iter().any(|clause| is_prose(&clause)) {
            let from = self.voices.len();
            let leads = self.row(document, &Sentence { clauses: row, end: sentence.end }, moves, announced);
            for clause in brackets {
                let own = Sentence { clauses: vec![clause], end: End::Statement };
                self.prose(document, &own, std::slice::from_ref(&own));
            }
            self.voices.get_mut(from..).unwrap_or_default().sort_by_key(|voice| (voice.line, voice.at));
            return leads;
        }
        let leads = self.prose(document, sentence, around(document, at));
        if let Some(remark) = remark(document, sentence) {
            self.aside(document, &[remark], Place::Beside, moves);
        }
        leads
    }

    /// Moves without words of their own, and the words before, between and after them.
    fn row(
        &mut self,
        document: &Document<'_>,
        sentence: &Sentence,
        moves: &[usize],
        announced: Option<Announcement>,
    ) -> Option<Announcement> {
        let of_moves = || {
            let with_move = |clause: &&Clause| document.pieces_of(clause).iter().any(|piece| piece.kind == Kind::Move);
            sentence.clauses.iter().enumerate().filter(move |(_, clause)| with_move(clause))
        };
        // "Your move: 4243 // My answer: 5878 - at last": the words before each move, and those after the last one
        let part = |range: Range<usize>, end| Sentence {
            clauses: sentence.clauses.get(range).unwrap_or_default().to_vec(),
            end,
        };
        let (mut before, mut start) = (announced, 0);
        for (at, clause) in of_moves() {
            if start < at {
                before = self.aside(document, &[part(start..at, End::Open)], Place::Above, moves);
            }
            start = at + 1;
            for piece in document.pieces_of(clause).iter().filter(|piece| piece.kind == Kind::Move) {
                let Some((line, placed)) = document.token(piece) else { continue };
                let near = before.as_ref().filter(|before| line.number.saturating_sub(before.line) <= 2);
                let stance = near.map_or(Stance::Bare, |before| before.stance);
                let is_remark = clause.aside;
                let (line, at) = (line.number, placed.at);
                self.voices.push(Voice { stance, hedge: None, strange: None, is_remark, line, at });
            }
        }
        let rest = part(start..sentence.clauses.len(), sentence.end);
        if !rest.clauses.is_empty() {
            self.aside(document, &[rest], Place::Beside, moves);
        } else if asks(document, sentence) {
            self.ask(of_moves().count());
        }
        None
    }

    /// A row that ends in a question mark asks.
    fn ask(&mut self, count: usize) {
        let from = self.voices.len().saturating_sub(count);
        for voice in self.voices.iter_mut().skip(from) {
            let line = voice.line;
            voice.hedge.get_or_insert(Hedge { line, word: "?".to_owned(), kind: HedgeKind::Asked });
            voice.stance = Stance::Bare;
        }
    }

    /// A text without a move: what it says of the one beside it.
    fn aside(
        &mut self,
        document: &Document<'_>,
        sentences: &[Sentence],
        place: Place,
        moves: &[usize],
    ) -> Option<Announcement> {
        let pieces = || sentences.iter().flat_map(|s| &s.clauses).flat_map(|clause| document.pieces_of(clause));
        let line = pieces().last().and_then(|piece| document.token(piece)).map(|(line, _)| line.number)?;
        let keys = pieces().fold(Keys::default(), |all, piece| all | piece.keys);
        let says = pieces().any(|piece| piece.kind == Kind::Word && !is_of_row(document, piece));
        let announces = sentences.last().and_then(|s| s.clauses.last()).is_some_and(|clause| clause.announces);
        if (!says && !announces) || is_head(pieces()) || speaks_of_result(keys) {
            return None;
        }
        let scan = Scan::of(document, sentences, None);
        let chances = sense::chances(&Text { tokens: &scan.tokens, place });
        let is_total = keys.has_any(&[Key::Recall, Key::Undecided]);
        if says && (chances.doubt() >= DOUBT || is_total) {
            let hedge = scan.hedge(document, place, &chances)?;
            let reach = match place {
                _ if is_total => Reach::All,
                Place::Above if announces => Reach::Forward,
                Place::Top | Place::Above => Reach::Either,
                _ if moves.is_empty() => Reach::Either,
                _ => Reach::Back,
            };
            self.asides.push(Aside { hedge, reach });
            return None;
        }
        let is_of_reader = keys.has(Key::You) && !keys.has(Key::I);
        let announces_own = keys.has_any(&[Key::Play, Key::Announce]) || keys.has_any(&[Key::I]) && keys.has(Key::Move);
        let stance = match () {
            () if is_of_reader => Stance::Yours,
            () if announces_own || (says && chances.of(Sense::Plays) >= PLAYS) => Stance::Mine,
            () => Stance::Bare,
        };
        announces.then_some(Announcement { line, stance })
    }

    /// A sentence with moves in it; it may end in words that announce the next one: "9... 6877 can wait, now I play".
    fn prose(&mut self, document: &Document<'_>, sentence: &Sentence, around: &[Sentence]) -> Option<Announcement> {
        for clause in &sentence.clauses {
            for place in clause.pieces.clone() {
                let Some(piece) = document.pieces.get(place).filter(|piece| piece.kind == Kind::Move) else { continue };
                let Some((line, placed)) = document.token(piece) else { continue };
                let scan = Scan::of(document, around, Some(place));
                let chances = sense::chances(&Text { tokens: &scan.tokens, place: Place::Prose });
                let plays = chances.of(Sense::Plays);
                let is_of_reader = chances.likeliest(|_| true) == Sense::Yours;
                let question = || Hedge { line: line.number, word: "?".to_owned(), kind: HedgeKind::Asked };
                let hedge = match () {
                    () if is_of_reader => None,
                    () if chances.doubt() >= DOUBT => scan.hedge(document, Place::Prose, &chances),
                    // a question decides for no move in it
                    () => asks(document, sentence).then(question),
                };
                let attached = attached(document, clause, place);
                let stance = match () {
                    () if is_of_reader => Stance::Yours,
                    () if hedge.is_some() || attached.is_some() => Stance::Bare,
                    () if plays >= PLAYS && may_announce(document, sentence, &placed.token) => Stance::Mine,
                    () if plays >= PLAYS_NUMBERED => Stance::Loosely,
                    () => Stance::Bare,
                };
                let against = chances.likeliest(|sense| sense != Sense::Plays);
                let word = || scan.word(document, Place::Prose, against).map(|(_, word)| word);
                let strange = attached.or_else(word).filter(|_| stance == Stance::Bare);
                let is_remark = clause.aside;
                self.voices.push(Voice { stance, hedge, strange, is_remark, line: line.number, at: placed.at });
            }
        }
        let last = document.pieces_of(sentence.clauses.last().filter(|_| sentence.end == End::Open)?);
        let plays = last.iter().any(|piece| piece.keys.meets(Keys::all(&[Key::Play, Key::Announce])));
        let is_open = plays && last.iter().all(|piece| piece.kind != Kind::Move);
        let (line, _) = document.token(last.last()?)?;
        is_open.then_some(Announcement { line: line.number, stance: Stance::Mine })
    }
}

/// The words after a row, where only a row stands before them: "12. 5254 9.4. 11.4. 2 20 scratch that".
fn remark(document: &Document<'_>, sentence: &Sentence) -> Option<Sentence> {
    let pieces = sentence.clauses.first()?.pieces.start..sentence.clauses.last()?.pieces.end;
    let is_of = |at: usize| document.pieces.get(at).is_some_and(|p| p.kind != Kind::Word || is_of_row(document, p));
    let from = pieces.clone().find(|at| !is_of(*at))?;
    let is_move = |at: usize| document.pieces.get(at).is_some_and(|piece| piece.kind == Kind::Move);
    if !(pieces.start..from).any(is_move) || (from..pieces.end).any(is_move) {
        return None;
    }
    let behind = sentence.clauses.iter().filter(|clause| clause.pieces.end > from);
    let cut = |clause: &Clause| Clause { pieces: clause.pieces.start.max(from)..clause.pieces.end, ..clause.clone() };
    Some(Sentence { clauses: behind.map(cut).collect(), end: sentence.end })
}

/// The word of its clause that says what the digits of a move count, "6... 1715 is my rating", or the one between its number and it that
/// no lexicon has.
fn attached(document: &Document<'_>, clause: &Clause, place: usize) -> Option<String> {
    let pieces = document.pieces_of(clause);
    let ahead = pieces.get(..place.saturating_sub(clause.pieces.start)).unwrap_or_default();
    let between = match ahead {
        [.., number, word] if number.kind != Kind::Word && word.kind == Kind::Word && word.keys.is_empty() => {
            Some(word)
        }
        _ => None,
    };
    let counts = || pieces.iter().find(|piece| piece.keys.has(Key::Counts));
    between.or_else(counts).map(|piece| document.written(piece).to_owned())
}

/// Whether a sentence has the words that announce a move without a number. Two digits, a sign and two digits need more of them: "I am
/// on leave 28-36 June".
fn may_announce(document: &Document<'_>, sentence: &Sentence, token: &lex::Token) -> bool {
    const PLAYS: Keys = Keys::all(&[Key::Play, Key::Announce, Key::Move]);
    let needed = if matches!(token, lex::Token::Spaced(_)) { PLAYS } else { PLAYS.and(Keys::of(Key::I)) };
    let mut pieces = sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
    pieces.any(|piece| piece.keys.meets(needed))
}

/// Whether a sentence asks: by its sign, or by the last letter of a Japanese one.
fn asks(document: &Document<'_>, sentence: &Sentence) -> bool {
    let last = sentence.clauses.last().and_then(|clause| document.pieces_of(clause).last());
    sentence.end == End::Question || last.is_some_and(|piece| document.written(piece).ends_with('か'))
}

/// Whether a word may stand in a row of score: a label, a mark, a side, a piece, the name of a day or a month.
fn is_of_row(document: &Document<'_>, piece: &Piece) -> bool {
    const OF_ROW: Keys = Keys::all(&[Key::Mark, Key::White, Key::Black, Key::Number, Key::Days, Key::Total])
        .and(Keys::all(&Key::PIECES))
        .and(Keys::all(&Key::MONTHS))
        .and(Keys::all(&Key::WEEKDAYS));
    piece.keys.meets(OF_ROW) || document.token(piece).is_some_and(|(_, placed)| vocabulary::is_label(placed))
}

/// The head of a table: "No. Move Rec. Sent Days Total".
fn is_head<'d>(pieces: impl Iterator<Item = &'d Piece>) -> bool {
    const COLUMNS: [&[Key]; 4] = [
        &[Key::Received, Key::ReceivedShort],
        &[Key::Sent, Key::SentShort],
        &[Key::Days, Key::DaysShort],
        &[Key::Total, Key::TotalShort],
    ];
    let (mut keys, mut count) = (Keys::default(), 0);
    for piece in pieces {
        (keys, count) = (keys | piece.keys, count + 1);
    }
    let columns = COLUMNS.into_iter().filter(|names| keys.has_any(names)).count();
    columns >= 3 || (columns == 2 && count <= 5)
}

/// Whether it is about a draw or the end of the game, or asks for a move once more: what it denies and weighs is that.
fn speaks_of_result(keys: Keys) -> bool {
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
    keys.has(Key::AsksRepeat)
        || keys.has_any(&RESULT) && !keys.has_any(&[Key::Move, Key::Play, Key::Recall, Key::Undecided])
}

/// What these lines, which give no move themselves, say of moves above them in their mail: those below a signature mark, for one.
pub fn asides(lines: &[Line<'_>]) -> Vec<Aside> {
    Voices::among(&Document::of(lines), &[0]).asides
}

/// Whether words that stand behind a move take it back, deny it, leave it open, or are nothing but question marks.
pub fn takes_back(paragraph: &[&str]) -> bool {
    /// Words in which a denial is about what stands above.
    const SHORT: usize = 8;
    let lines: Vec<Line<'_>> = (1..).zip(paragraph).map(|(number, text)| Line { number, text }).collect();
    let only_asks = |line: &&str| !line.trim().is_empty() && line.trim().chars().all(|c| c == '?');
    let document = Document::of(&lines);
    let denies = || document.pieces.iter().any(|piece| piece.keys.has(Key::Deny) && !piece.keys.has(Key::Harmless));
    let is_short = document.pieces.len() <= SHORT;
    paragraph.iter().any(only_asks) || (is_short && denies()) || !Voices::among(&document, &[0]).asides.is_empty()
}
