//! The sentences of a mail as the tokens by which their sense is found, and where they stand beside a move.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::hedge::{Hedge, HedgeKind};
use super::sense::{self, Chances, Features, Place, Sense, Text, Token};
use super::wording::is_data;
use crate::domain::transmission::lexicon::{Key, words_of};

/// A sentence with those right beside it that have no move of their own: what is said there may be said of its move.
pub(super) fn around<'d>(document: &'d Document<'_>, at: usize) -> &'d [Sentence] {
    let line = |piece: Option<&Piece>| piece.and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
    let first = |s: &Sentence| line(s.clauses.first().and_then(|c| document.pieces_of(c).first()));
    let last = |s: &Sentence| line(s.clauses.last().and_then(|c| document.pieces_of(c).last()));
    let touches = |upper: usize, lower: usize| {
        let (upper, lower) =
            (document.sentences.get(upper).and_then(last), document.sentences.get(lower).and_then(first));
        upper.zip(lower).is_some_and(|(upper, lower)| lower.saturating_sub(upper) <= 1)
    };
    let has_move = |at: usize| {
        document
            .sentences
            .get(at)
            .is_some_and(|sentence| sentence.clauses.iter().any(|clause| document.has_move(clause)))
    };
    let from = at.checked_sub(1).filter(|above| touches(*above, at) && !has_move(*above)).unwrap_or(at);
    let to = if touches(at, at + 1) && !has_move(at + 1) { at + 2 } else { at + 1 };
    document.sentences.get(from..to).unwrap_or_default()
}

/// Where a sentence without a move stands, by the lines with moves.
pub(super) fn place(document: &Document<'_>, sentence: &Sentence, moves: &[usize]) -> Place {
    /// Lines between a text and the move right above or below it.
    const NEAR: usize = 3;
    let line = |piece: Option<&Piece>| piece.and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
    let first =
        line(sentence.clauses.first().and_then(|clause| document.pieces_of(clause).first())).unwrap_or_default();
    let last = line(sentence.clauses.last().and_then(|clause| document.pieces_of(clause).last())).unwrap_or(first);
    let above = moves.iter().rev().find(|line| **line <= first).map(|line| first - line);
    let below = moves.iter().find(|line| **line >= last).map(|line| line - last);
    match (above, below) {
        (Some(0), _) => Place::Beside,
        (above, Some(below)) if below < NEAR && above.is_none_or(|above| below <= above) => Place::Above,
        (Some(above), _) if above <= NEAR => Place::Below,
        (Some(_), _) => Place::End,
        (None, _) => Place::Top,
    }
}

/// A text without the dates and numbers that it begins with: "i alt 17. scratch that".
pub(super) fn behind_row<'s>(document: &Document<'_>, sentences: &'s [Sentence]) -> Cow<'s, [Sentence]> {
    let Some((first, rest)) = sentences.split_first() else { return sentences.into() };
    let places = || first.clauses.iter().flat_map(|clause| clause.pieces.clone());
    let pieces = || places().filter_map(|at| Some((at, document.pieces.get(at)?)));
    let row = pieces().take_while(|(_, piece)| piece.kind != Kind::Word || is_data(document, piece));
    let Some((value, _)) = row.filter(|(_, piece)| matches!(piece.kind, Kind::Number | Kind::Other)).last() else {
        return sentences.into();
    };
    // "12-an de aprilo"
    let behind = || pieces().skip_while(|(at, _)| *at <= value);
    let month = behind().take(3).filter(|(_, piece)| piece.keys.has_any(&Key::MONTHS)).last();
    let from = month.map_or(value, |(at, _)| at);
    match pieces().next_back() {
        Some((last, _)) if from < last => {
            std::iter::once(cut(first, from + 1..last + 1)).chain(rest.iter().cloned()).collect()
        }
        _ => sentences.into(),
    }
}

/// The part of a sentence that these pieces are.
pub(super) fn cut(sentence: &Sentence, pieces: Range<usize>) -> Sentence {
    let from = sentence.clauses.partition_point(|clause| clause.pieces.end <= pieces.start);
    let to = sentence.clauses.partition_point(|clause| clause.pieces.start < pieces.end);
    let within = |clause: &Clause| {
        let of = clause.pieces.start.max(pieces.start)..clause.pieces.end.min(pieces.end);
        let announces = clause.announces && of.end == clause.pieces.end;
        Clause { pieces: of, announces, aside: clause.aside }
    };
    let clauses = sentence.clauses.get(from..to).unwrap_or_default();
    Sentence { clauses: clauses.iter().map(within).collect(), end: sentence.end }
}

/// The part of some sentences that is near a piece: what stands farther away says nothing of it, and a sentence can be as long as a mail.
pub(super) fn near<'s>(sentences: &'s [Sentence], place: usize) -> Cow<'s, [Sentence]> {
    /// Pieces on either side; the sentences that people write are shorter.
    const NEAR: usize = 60;
    let pieces = place.saturating_sub(NEAR)..place + NEAR + 1;
    let start = |sentence: &Sentence| sentence.clauses.first().map_or(0, |clause| clause.pieces.start);
    let end = |sentence: &Sentence| sentence.clauses.last().map_or(0, |clause| clause.pieces.end);
    if sentences.iter().all(|sentence| pieces.start <= start(sentence) && end(sentence) <= pieces.end) {
        return sentences.into();
    }
    let parts = sentences.iter().map(|sentence| cut(sentence, pieces.clone()));
    parts.filter(|part| !part.clauses.is_empty()).collect()
}

/// A text in the tokens that its sense is found by, each with its piece.
#[derive(Default)]
struct Tokens {
    tokens: Vec<Token>,
    pieces: Vec<Option<usize>>,
}

impl Tokens {
    /// Of some sentences, with the place of the move that is asked about among the pieces of the document.
    fn of(document: &Document<'_>, sentences: &[Sentence], here: Option<usize>) -> Tokens {
        let mut out = Tokens::default();
        for sentence in sentences {
            for (at, clause) in sentence.clauses.iter().enumerate() {
                for place in clause.pieces.clone() {
                    let Some(piece) = document.pieces.get(place) else { continue };
                    of_piece(document, piece, Some(place) == here).for_each(|token| out.push(token, Some(place)));
                }
                match (clause.announces, at + 1 == sentence.clauses.len()) {
                    (true, _) => out.push(Token::Colon, None),
                    (false, false) => out.push(Token::Bar, None),
                    (false, true) => {}
                }
            }
            let end = if sentence.end == End::Question { Token::Question } else { Token::Stop };
            out.push(end, None);
        }
        out
    }

    fn push(&mut self, token: Token, piece: Option<usize>) {
        self.tokens.push(token);
        self.pieces.push(piece);
    }
}

/// A text with the features of what it says where it stands.
pub(super) struct Scan {
    of: Tokens,
    features: Features,
}

impl Scan {
    /// Of some sentences that stand so, with the place of the move that is asked about among the pieces of the document.
    pub(super) fn of(document: &Document<'_>, sentences: &[Sentence], here: Option<usize>, place: Place) -> Scan {
        let of = Tokens::of(document, sentences, here);
        let features = Features::of(&Text { tokens: &of.tokens, place });
        Scan { of, features }
    }

    /// How it is meant.
    pub(super) fn chances(&self) -> Chances<Sense> {
        sense::chances(&self.features)
    }

    /// The word that speaks most for one of these senses, and its line.
    pub(super) fn word(&self, document: &Document<'_>, senses: impl Fn(Sense) -> bool) -> Option<(usize, String)> {
        let token = sense::telling(&self.of.tokens, &self.features, senses)?;
        let of_word = self.of.pieces.get(token).copied().flatten().and_then(|at| document.pieces.get(at));
        let piece = of_word.or_else(|| document.pieces.get(self.of.pieces.iter().flatten().copied().next()?))?;
        let (line, _) = document.token(piece)?;
        Some((line.number, document.written(piece).to_owned()))
    }

    pub(super) fn hedge(&self, document: &Document<'_>, chances: &Chances<Sense>) -> Option<Hedge> {
        let sense = chances.likeliest(Sense::doubts);
        let kind = match sense {
            Sense::TakesBack => HedgeKind::TakenBack,
            Sense::Denies => HedgeKind::Denied,
            Sense::Asks => HedgeKind::Asked,
            Sense::Other => HedgeKind::Another,
            Sense::Old => HedgeKind::Old,
            Sense::Condition => HedgeKind::Conditional,
            Sense::Weighs => HedgeKind::Weighed,
            Sense::Talk | Sense::Aside | Sense::Plays | Sense::Yours => HedgeKind::TalkedOf,
        };
        let (line, word) = self.word(document, Sense::doubts)?;
        Some(Hedge { line, word, kind })
    }
}

/// The tokens that a piece is; `is_here` where it is the move that is asked about.
fn of_piece(document: &Document<'_>, piece: &Piece, is_here: bool) -> impl Iterator<Item = Token> {
    let keys = piece.keys;
    let (words, sign) = match piece.kind {
        Kind::Word => (words_of(document.written(piece)), None),
        Kind::Move if is_here => (Vec::new(), Some(Token::Here)),
        Kind::Move => (Vec::new(), Some(Token::Move)),
        Kind::Number | Kind::Other => (Vec::new(), Some(Token::Number)),
    };
    words.into_iter().map(move |word| Token::Word(word, keys)).chain(sign)
}

/// Some pieces as a sentence of their own, in the tokens by which is found what they announce.
pub(super) fn announcing_alone(document: &Document<'_>, pieces: &[Piece]) -> Vec<Token> {
    let tokens = pieces.iter().flat_map(|piece| of_piece(document, piece, false));
    tokens.chain([Token::Here, Token::Stop]).collect()
}

/// A sentence and the one after it, in the tokens by which is found what the first announces: its own end stands where a move would.
pub(super) fn announcing(document: &Document<'_>, own: &Sentence, next: Option<&Sentence>) -> Vec<Token> {
    let own = Tokens::of(document, slice::from_ref(own), None).tokens;
    let next = next.map_or(Vec::new(), |next| Tokens::of(document, slice::from_ref(next), None).tokens);
    let mut tokens = own;
    tokens.insert(tokens.len().saturating_sub(1), Token::Here);
    tokens.extend(next);
    tokens
}

/// The tokens of some sentences, by which their sense is found; `here` is the piece that is the move asked about.
#[cfg(test)]
pub(super) fn tokens(document: &Document<'_>, sentences: &[Sentence], here: Option<usize>) -> Vec<Token> {
    Tokens::of(document, sentences, here).tokens
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;

    #[test]
    fn of_a_sentence_as_long_as_a_mail_only_what_is_near_is_asked() {
        let text = "rain, 5254 and ".repeat(2_000);
        let lines = [Line { number: 1, text: &text }];
        let document = Document::of(&lines);
        let pieces = |sentences: &[Sentence]| -> Vec<usize> {
            sentences.iter().flat_map(|sentence| &sentence.clauses).flat_map(|clause| clause.pieces.clone()).collect()
        };
        assert!(pieces(&document.sentences).len() > 5_000);
        for place in [0, 3_000, pieces(&document.sentences).len() - 1] {
            let near = pieces(&near(&document.sentences, place));
            assert!(near.contains(&place) && (60..=121).contains(&near.len()), "{place}: {near:?}");
        }
        let short = [Line { number: 1, text: "I play 5254, and it rains." }];
        let document = Document::of(&short);
        assert!(matches!(near(&document.sentences, 2), Cow::Borrowed(_)));
    }
}
