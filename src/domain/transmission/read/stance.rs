//! What the words around one move say of it: who plays it, and what takes the certainty from it.

use std::slice;

use super::document::{Document, Kind, Piece, Sentence};
use super::hedge::{Hedge, HedgeKind};
use super::lex;
use super::scan::{Scan, near};
use super::sense::{Place, Sense};
use super::wording::{against, asks, attached, may_announce};
use crate::domain::transmission::lexicon::Key;

/// From here on a sentence takes the certainty from a move.
pub(super) const DOUBT: f32 = 0.33;
/// The same where a word of its clause denies the move or takes it back: "No juego 4333".
const DOUBT_DENIED: f32 = 0.25;
/// From here on a sentence plays the move in it.
pub(super) const PLAYS: f32 = 0.6;
/// The same for a move that has a number.
const PLAYS_NUMBERED: f32 = 0.5;

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
    /// The word of its sentence that speaks most against the sender's playing it.
    pub(super) strange: Option<String>,
    /// It stands in brackets, or behind an arrow that points back.
    pub(super) is_remark: bool,
    /// Its line.
    pub(super) line: usize,
    /// Its place on the line.
    pub(super) at: usize,
}

impl Voice {
    /// That of a move which is a piece of a sentence; `around` is the sentence with those beside it. `None` where the piece is no move.
    pub(super) fn in_prose(
        document: &Document<'_>,
        sentence: &Sentence,
        around: &[Sentence],
        place: usize,
    ) -> Option<Voice> {
        let piece = document.pieces.get(place).filter(|piece| piece.kind == Kind::Move)?;
        let (line, placed) = document.token(piece)?;
        let (around, own) = (near(around, place), near(slice::from_ref(sentence), place));
        let sentence = own.first()?;
        let clause = sentence.clauses.iter().find(|clause| clause.pieces.contains(&place))?;
        let scan = Scan::of(document, &around, Some(place), Place::Prose);
        let chances = scan.chances();
        // what stands beside a sentence may doubt its move, and plays none
        let alone = (around.len() > own.len()).then(|| Scan::of(document, &own, Some(place), Place::Prose).chances());
        let plays = chances.of(Sense::Plays).min(alone.unwrap_or(chances).of(Sense::Plays));
        let likeliest = chances.likeliest(|_| true);
        let is_of_reader = likeliest == Sense::Yours;
        // digits without a number, in a sentence that talks of them rather than plays them
        let is_numbered = place > clause.pieces.start
            && document.pieces.get(place - 1).is_some_and(|piece| piece.kind == Kind::Number);
        let is_talk = likeliest == Sense::Talk && !is_numbered;
        let is_span = !is_numbered && matches!(placed.token, lex::Token::Spaced(_));
        let question = || Hedge { line: line.number, word: "?".to_owned(), kind: HedgeKind::Asked };
        let against_it = against(document, sentence, clause);
        let denies = |piece: &Piece| piece.keys.has_any(&[Key::Deny, Key::Recall]) && !piece.keys.has(Key::Harmless);
        let is_denied = against_it.is_some() && document.pieces_of(clause).iter().any(denies);
        let least = if is_denied { DOUBT_DENIED } else { DOUBT };
        let hedge = match () {
            () if is_of_reader => None,
            () if is_talk || chances.doubt() >= least => scan.hedge(document, &chances),
            // a question decides for no move in it
            () => asks(document, sentence).then(question),
        };
        let attached = attached(document, clause, place).or(against_it);
        let stance = match () {
            () if is_of_reader => Stance::Yours,
            () if hedge.is_some() || attached.is_some() => Stance::Bare,
            () if plays >= PLAYS && may_announce(document, sentence, &placed.token) => Stance::Mine,
            // "away 12.-14. and again 21-23": a span of days behind a number is no move without words that announce one
            () if is_span && !may_announce(document, sentence, &placed.token) => Stance::Bare,
            () if plays >= PLAYS_NUMBERED => Stance::Loosely,
            () => Stance::Bare,
        };
        let unlike = chances.likeliest(|sense| sense != Sense::Plays);
        let word = || scan.word(document, |sense| sense == unlike).map(|(_, word)| word);
        let strange = attached.or_else(word).filter(|_| stance == Stance::Bare);
        Some(Voice { stance, hedge, strange, is_remark: clause.aside, line: line.number, at: placed.at })
    }
}
