//! One scan of the sender's lines: tokens with their places, what their words mean, and the sentences and clauses they form.
//!
//! Nothing here knows a game. A sentence ends with its full stop, with its paragraph, and with a line that no mailer broke; a clause
//! ends with a comma, a bracket, a dash, a colon, and before a word at which a sentence turns ("but"). Linear in the length of the
//! text.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Line;
use super::cells::Columns;
use super::cutter::Cutter;
use super::lex::{self, Placed, Token};
use crate::domain::transmission::lexicon::{Count, Key, Keys, Languages, words_of};

/// Characters from which on a line may have been broken by a mailer.
const WRAPPED: usize = 56;
/// What phrases say that go on behind a comma.
const OVER_COMMAS: [Key; 6] =
    [Key::DrawOffer, Key::DrawAccept, Key::DrawDecline, Key::Resign, Key::NotDraw, Key::NotResign];

/// A text that was scanned.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) lines: Vec<Scanned<'a>>,
    /// Every token that is part of a sentence, in the order of the text.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) sentences: Vec<Sentence>,
}

/// A line in tokens.
#[derive(Debug)]
pub(crate) struct Scanned<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Placed>,
}

/// A token of a sentence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    /// Its line and its place among the tokens of that line, both counted from 0.
    pub(crate) line: usize,
    pub(crate) token: usize,
    /// What its words mean; nothing where they are unknown, or it is no word.
    pub(crate) keys: Keys,
    pub(crate) kind: Kind,
}

/// What a piece of a sentence is, as far as sentences care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// What may be a move.
    Move,
    /// The number of a move.
    Number,
    /// A date, a number, a sign.
    Other,
}

/// How a sentence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// A full stop, an exclamation mark.
    Statement,
    Question,
    /// No sign: its line or its paragraph ends.
    Open,
}

/// Clauses up to a full stop.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) end: End,
}

/// Some pieces of a sentence, with no border between them.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) pieces: Range<usize>,
    /// A colon, or an arrow, ends it.
    pub(crate) announces: bool,
    /// It stands in brackets, or behind an arrow that points back.
    pub(crate) aside: bool,
}

impl<'a> Document<'a> {
    /// Scans the lines.
    pub(crate) fn of(lines: &[Line<'a>]) -> Document<'a> {
        let mut scanned: Vec<Scanned<'a>> = Vec::with_capacity(lines.len());
        let mut counts: Vec<Count> = Vec::with_capacity(lines.len());
        let mut words: Vec<Vec<Vec<String>>> = Vec::with_capacity(lines.len());
        for line in lines {
            let tokens = lex::tokens(line.text);
            let of_line: Vec<Vec<String>> = tokens
                .iter()
                .map(|placed| match &placed.token {
                    Token::Word(_) => words_of(line.text.get(placed.at..placed.end).unwrap_or_default()),
                    _ => Vec::new(),
                })
                .collect();
            let mut count = Count::default();
            count.add(of_line.iter().flatten().map(String::as_str));
            counts.push(count);
            words.push(of_line);
            scanned.push(Scanned { number: line.number, text: line.text, tokens });
        }
        let mut document = Document { lines: scanned, pieces: Vec::new(), sentences: Vec::new() };
        document.cut(&words);
        document.understand(&words, Languages::of_mail(&counts));
        document.count();
        document.turn();
        document
    }

    /// Cuts the text into sentences and clauses.
    fn cut(&mut self, words: &[Vec<Vec<String>>]) {
        let mut cutter = Cutter::default();
        for at in 0..self.lines.len() {
            if !at.checked_sub(1).is_some_and(|above| self.goes_on(above, at)) {
                cutter.end(End::Open);
            }
            let Some(line) = self.lines.get(at) else { continue };
            let mut from = 0;
            // "No. Move Rec. Sent Days Total" is the head of a table, and no sentence
            if Columns::of(&line.tokens).is_some() {
                cutter.end(End::Open);
                continue;
            }
            // question marks alone on a line ask about what stands above
            if !line.text.trim().is_empty() && line.text.trim().chars().all(|c| c == '?') {
                cutter.end(End::Question);
                continue;
            }
            for (token, placed) in line.tokens.iter().enumerate() {
                let gap = line.text.get(from..placed.at).unwrap_or_default();
                // "No. 10" and "Nr. 5" go on
                let counts =
                    !matches!(placed.token, Token::Word(_)) && gap.trim() == "." && cutter.ends_in_short_word(line);
                if !counts {
                    cutter.gap(gap, false);
                }
                from = placed.end;
                if matches!(placed.token, Token::Bar) {
                    cutter.border(false);
                    continue;
                }
                let kind = match &placed.token {
                    Token::Word(_) if words.get(at).and_then(|w| w.get(token)).is_some_and(|w| !w.is_empty()) => {
                        Kind::Word
                    }
                    Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_) | Token::BadMove(..) => Kind::Move,
                    Token::Number(..) => Kind::Number,
                    _ => Kind::Other,
                };
                cutter.pieces.push(Piece { line: at, token, keys: Keys::default(), kind });
            }
            cutter.gap(line.text.get(from..).unwrap_or_default(), true);
        }
        cutter.end(End::Open);
        self.pieces = cutter.pieces;
        self.sentences = cutter.sentences;
    }

    /// Whether the sentence of the upper line goes on in the lower one: a mailer broke it.
    fn goes_on(&self, upper: usize, lower: usize) -> bool {
        let (Some(upper), Some(lower)) = (self.lines.get(upper), self.lines.get(lower)) else { return false };
        let (above, below) = (upper.text.trim(), lower.text.trim());
        let Some(first) = below.split_whitespace().next() else { return false };
        if upper.number + 1 != lower.number || above.is_empty() {
            return false;
        }
        let ends_in_words = upper.tokens.last().is_some_and(|p| matches!(p.token, Token::Word(_)));
        let fits_not = above.chars().count() + 1 + first.chars().count() > WRAPPED && ends_in_words;
        // a script without capitals does not tell a broken sentence from a new one
        let has_case = |c: char| c.is_lowercase() || c.is_uppercase() || !c.is_alphabetic();
        let is_small = first.starts_with(char::is_lowercase)
            && below.chars().all(has_case)
            && upper.tokens.iter().any(|p| matches!(p.token, Token::Word(_)));
        let ends_open = !above.ends_with(['.', '!', '?', ':', ';']) && (is_small || !above.ends_with([')', ']']));
        let begins_row =
            matches!(lower.tokens.first().map(|p| &p.token), Some(Token::Number(..) | Token::Move(_) | Token::Bar));
        ends_open && !begins_row && (fits_not || is_small)
    }

    /// Gives the words of each sentence their meaning, in its language.
    fn understand(&mut self, words: &[Vec<Vec<String>>], of_mail: Languages) {
        for sentence in &self.sentences {
            let (Some(first), Some(last)) = (sentence.clauses.first(), sentence.clauses.last()) else { continue };
            let Some(pieces) = self.pieces.get_mut(first.pieces.start..last.pieces.end) else { continue };
            let of_piece = |piece: &Piece| words.get(piece.line).and_then(|line| line.get(piece.token));
            let start = first.pieces.start;
            let begins: BTreeSet<usize> = sentence.clauses.iter().map(|clause| clause.pieces.start - start).collect();
            let mut done = 0;
            // a move, a date, a number parts two phrases
            for run in pieces.chunk_by_mut(|a, b| a.kind == Kind::Word && b.kind == Kind::Word) {
                let flat: Vec<(usize, &str)> = run
                    .iter()
                    .enumerate()
                    .filter(|(_, piece)| piece.kind == Kind::Word)
                    .flat_map(|(at, piece)| of_piece(piece).into_iter().flatten().map(move |word| (at, word.as_str())))
                    .collect();
                let plain: Vec<&str> = flat.iter().map(|(_, word)| *word).collect();
                let languages = of_mail.of_sentence(plain.iter().copied());
                let mut whole = languages.keys(&plain).into_iter();
                // so does the end of a clause, but for what ends a game: "agreed, draw"
                for of_clause in flat.chunk_by(|(a, _), (b, _)| a == b || !begins.contains(&(done + b))) {
                    let plain: Vec<&str> = of_clause.iter().map(|(_, word)| *word).collect();
                    for (((at, _), keys), over) in of_clause.iter().zip(languages.keys(&plain)).zip(&mut whole) {
                        let keys = if over.has_any(&OVER_COMMAS) { over } else { keys };
                        let Some(piece) = run.get_mut(*at) else { continue };
                        piece.keys = piece.keys | keys;
                        let token = self.lines.get_mut(piece.line).and_then(|line| line.tokens.get_mut(piece.token));
                        if let Some(placed) = token {
                            placed.keys = piece.keys;
                        }
                    }
                }
                done += run.len();
            }
        }
    }

    /// Digits without a number before a word that says what they count are no move: "received on 14.11. 1817 hours".
    fn count(&mut self) {
        for at in 1..self.pieces.len() {
            let &[digits, word] = self.pieces.get(at - 1..=at).unwrap_or_default() else { continue };
            let is_numbered = at > 1 && self.pieces.get(at - 2).is_some_and(|piece| piece.kind == Kind::Number);
            let counts = word.kind == Kind::Word && word.keys.counts();
            if is_numbered || !counts || (digits.line, digits.token + 1) != (word.line, word.token) {
                continue;
            }
            let token = self.lines.get_mut(digits.line).and_then(|line| line.tokens.get_mut(digits.token));
            let piece = self.pieces.get_mut(at - 1);
            if let (Some(Placed { token: token @ Token::Move(_), .. }), Some(piece)) = (token, piece) {
                (*token, piece.kind) = (Token::Time, Kind::Other);
            }
        }
    }

    /// Parts the clauses before a word at which their sentence turns.
    fn turn(&mut self) {
        for sentence in &mut self.sentences {
            let mut out = Vec::with_capacity(sentence.clauses.len());
            for clause in sentence.clauses.drain(..) {
                let mut start = clause.pieces.start;
                for at in clause.pieces.clone() {
                    let turns = self.pieces.get(at).is_some_and(|piece| piece.keys.has(Key::Turn));
                    if turns && at > start {
                        out.push(Clause { pieces: start..at, announces: false, aside: clause.aside });
                        start = at;
                    }
                }
                out.push(Clause { pieces: start..clause.pieces.end, ..clause });
            }
            sentence.clauses = out;
        }
    }

    /// The pieces of a clause.
    pub(crate) fn pieces_of(&self, clause: &Clause) -> &[Piece] {
        self.pieces.get(clause.pieces.clone()).unwrap_or_default()
    }

    /// Whether a move stands in a clause.
    pub(crate) fn has_move(&self, clause: &Clause) -> bool {
        self.pieces_of(clause).iter().any(|piece| piece.kind == Kind::Move)
    }

    /// The token of a piece.
    pub(crate) fn token(&self, piece: &Piece) -> Option<(&Scanned<'a>, &Placed)> {
        let line = self.lines.get(piece.line)?;
        Some((line, line.tokens.get(piece.token)?))
    }

    /// A piece as it is written.
    pub(crate) fn written(&self, piece: &Piece) -> &str {
        self.token(piece).and_then(|(line, placed)| line.text.get(placed.at..placed.end)).unwrap_or_default()
    }

    /// The text without the pieces that are used up.
    pub(crate) fn without(mut self, used: &BTreeSet<usize>) -> Document<'a> {
        if used.is_empty() {
            return self;
        }
        let is_used = |at: usize| used.contains(&at);
        let gone: BTreeSet<(usize, usize)> =
            used.iter().filter_map(|at| self.pieces.get(*at)).map(|piece| (piece.line, piece.token)).collect();
        for (at, line) in self.lines.iter_mut().enumerate() {
            let mut token = 0..;
            line.tokens.retain(|_| token.next().is_some_and(|token| !gone.contains(&(at, token))));
        }
        // how many pieces are left before each, and how many tokens of its line are gone
        let mut left = Vec::with_capacity(self.pieces.len());
        let mut pieces = Vec::with_capacity(self.pieces.len());
        let (mut line, mut lost) = (0, 0);
        for (at, piece) in self.pieces.iter().enumerate() {
            if piece.line != line {
                (line, lost) = (piece.line, 0);
            }
            left.push(pieces.len());
            if is_used(at) {
                lost += 1;
            } else {
                pieces.push(Piece { token: piece.token - lost, ..*piece });
            }
        }
        let place = |at: usize| left.get(at).copied().unwrap_or(pieces.len());
        for sentence in &mut self.sentences {
            for clause in &mut sentence.clauses {
                clause.pieces = place(clause.pieces.start)..place(clause.pieces.end);
            }
            sentence.clauses.retain(|clause| !clause.pieces.is_empty());
        }
        self.sentences.retain(|sentence| !sentence.clauses.is_empty());
        self.pieces = pieces;
        self
    }
}
