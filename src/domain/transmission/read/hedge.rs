//! What the sentences of a mail say of its moves: who plays them, and what takes them back, denies, weighs or asks about them.
//!
//! A word that does so (a hedge) is bound to the moves in its own clause. A clause without a move is bound to the move it speaks of
//! ("this", "above", "my move"), or, where it holds nothing else, to the move beside it; a clause about anything else ("our cat does
//! not like the snow") is bound to none. Complete utterances ("forget it", "kidding") reach the whole mail. There is no other judge of
//! doubt. What will surprise you: a word that no lexicon has makes a clause speak of something else.

use super::document::{Clause, Document, Kind, Sentence};
use std::ops::Range;

use super::Line;
use super::about::opening;
use super::clause::{Said, asks};
use crate::domain::transmission::lexicon::Key;

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
    /// It stands in brackets.
    pub(super) is_remark: bool,
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
    /// Words before a colon that may give what follows to anybody.
    openings: Vec<Hedge>,
    /// The last line with what may be a move.
    last_move: Option<usize>,
    /// Hardly a word stands in the sentence of that move.
    is_bare: bool,
}

/// Words beside a move that stands by itself.
const BARE: usize = 2;
/// Lines above a hedge within which a move is the one that it speaks of.
const NEAR: usize = 3;

impl Voices {
    pub(super) fn of(document: &Document<'_>) -> Voices {
        Voices::behind(document, None)
    }

    /// The same for a text below the line with the last move.
    fn behind(document: &Document<'_>, last_move: Option<usize>) -> Voices {
        let mut out = Voices { last_move, ..Voices::default() };
        let mut before = None;
        for sentence in &document.sentences {
            out.sentence(document, before, sentence);
            before = sentence.clauses.last();
        }
        out.settle_reach();
        out.any_decided = out.voices.iter().any(|voice| voice.stance == Stance::Decided);
        out
    }

    /// Words with a move closer below them than the one above may be of either.
    fn settle_reach(&mut self) {
        for hedge in std::mem::take(&mut self.openings) {
            let next = self.voices.iter().find(|voice| voice.line > hedge.line);
            if next.is_some_and(|next| next.line - hedge.line < NEAR) {
                self.asides.push(Aside { hedge, reach: Reach::Forward });
            }
        }
        for aside in self.asides.iter_mut().filter(|aside| aside.reach == Reach::Back) {
            let here = aside.hedge.line;
            let from = self.voices.partition_point(|voice| voice.line <= here);
            let above = from.checked_sub(1).and_then(|above| self.voices.get(above));
            if let (Some(above), Some(below)) = (above, self.voices.get(from))
                && below.line - here <= here - above.line
            {
                aside.reach = Reach::All;
            }
        }
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
        let words = sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
        let is_bare = words.filter(|piece| piece.kind == Kind::Word).count() <= BARE;
        // "in the other game (not with you) I played 12. 5254"
        let mut elsewhere: Option<Hedge> = None;
        let first = self.voices.len();
        let clauses: Vec<Said<'_>> = sentence.clauses.iter().map(|clause| Said::of(document, clause)).collect();
        let before =
            before.filter(|before| clauses.first().is_some_and(|first| before.stands_right_above(document, first)));
        for (at, said) in clauses.iter().enumerate() {
            turned |= said.has(Key::Turn);
            let above = at.checked_sub(1).and_then(|above| clauses.get(above));
            // "(1838 loses a piece, I think)": what stands in brackets is of the move in them
            let is_of_remark =
                said.clause.aside && above.is_some_and(|above| above.clause.aside && !above.moves.is_empty());
            if said.moves.is_empty() && is_of_remark {
                continue;
            }
            if said.moves.is_empty() {
                if let Some((Key::Other, hedge)) = said.strongest(document).filter(|_| !said.clause.aside) {
                    elsewhere.get_or_insert(hedge);
                }
                if let Some(mut aside) = said.aside(document, sentence, self.last_move, self.is_bare) {
                    let is_near = |line: &usize| aside.hedge.line.abs_diff(*line) <= NEAR;
                    if aside.reach == Reach::Either && self.last_move.as_ref().is_some_and(is_near) {
                        aside.reach = Reach::Back;
                    }
                    weighed |= aside.hedge.kind != HedgeKind::TakenBack;
                    // "I do not take your line (7... 5878) but play 7... 8786": the words between belong to what stands before them
                    let goes_on = clauses.get(at + 1..).unwrap_or_default().iter().any(|later| !later.moves.is_empty());
                    match self
                        .voices
                        .get_mut(first..)
                        .filter(|of| !of.is_empty() && goes_on && aside.reach == Reach::Back)
                    {
                        Some(voices) => voices.iter_mut().for_each(|voice| {
                            voice.stance = Stance::Bare;
                            voice.hedge.get_or_insert_with(|| aside.hedge.clone());
                        }),
                        None => self.asides.push(aside),
                    }
                }
                of_reader = said.has_reader_act() || (of_reader && !said.has(Key::I));
                continue;
            }
            // "this is not mine: 5254"
            let announced = above
                .filter(|above| above.clause.announces)
                .or(before.as_ref())
                .filter(|above| above.clause.announces && above.moves.is_empty());
            for place in &said.moves {
                let hedge = said.hedge(document).or_else(|| elsewhere.clone());
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
                (self.last_move, self.is_bare) = (Some(line.number), is_bare);
                let is_remark = said.clause.aside;
                self.voices.push(Voice { stance, hedge, strange, is_remark, line: line.number, at: placed.at });
            }
            of_reader = said.has_reader_act() || (of_reader && !said.has(Key::I));
        }
        self.openings.extend(opening(document, sentence));
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

/// What these lines, which give no move themselves, say of moves elsewhere in their mail: those below a signature mark, for one.
pub fn asides(lines: &[Line<'_>]) -> Vec<Aside> {
    Voices::behind(&Document::of(lines), Some(0)).asides
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
    paragraph.iter().any(only_asks) || (is_short && denies()) || !Voices::of(&document).asides.is_empty()
}
