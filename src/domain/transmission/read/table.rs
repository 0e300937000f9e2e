//! Rows of a score sheet: which cells belong to which half move.
//!
//! The cells before or after a move are split evenly between White and Black.

use super::Written;
use super::cells::{Cells, Columns, roles};
use super::labels::Labels;
use super::lex::Token;

/// A numbered piece of score: `6. 6152 22.10 23.10 1 8 5755 24.10 26.10 2 30`.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) number: u32,
    pub(super) black: bool,
    pub(super) line: usize,
    /// Where its number stands on the line, in bytes.
    pub(super) at: usize,
    pub(super) tokens: Vec<Token>,
    /// What the words on the line say of its last half move.
    pub(super) words: Labels,
    /// The head of its table.
    pub(super) columns: Columns,
}

/// One half move of a segment.
#[derive(Debug, Clone)]
pub(super) struct HalfMove {
    pub(super) written: Written,
    /// Letters behind White's digits: his move once more, or Black's.
    pub(super) maybe: bool,
    /// The same move in algebraic notation, beside its digits.
    pub(super) beside: Vec<String>,
    pub(super) cells: Cells,
}

/// What a segment says.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one at a time, and gone at once")]
pub(super) enum Row {
    /// White's and Black's move, either of which may be missing.
    Halves { white: Option<HalfMove>, black: Option<HalfMove> },
    /// A digit group stands where a move belongs and is none.
    Bad { text: String, why: String },
    /// More moves than one number has.
    Muddled(Vec<Written>),
    /// No move at all.
    Empty,
}

impl Segment {
    /// The moves of the segment with their cells.
    pub(super) fn row(&self) -> Row {
        let mut moves = self.places(|t| matches!(t, Token::Move(_)));
        if moves.is_empty() {
            let bad =
                |t: &Token| if let Token::BadMove(text, why) = t { Some((text.clone(), why.clone())) } else { None };
            let cut = self.tokens.first().and_then(cut_move);
            if let Some((text, why)) = cut.or_else(|| self.tokens.iter().find_map(bad)) {
                return Row::Bad { text, why };
            }
            moves = self.places(|t| matches!(t, Token::Spaced(_)));
        }
        if moves.is_empty() {
            moves = self.places(|t| matches!(t, Token::Algebraic(_)));
        }
        // `12... O-O (kurze Rochade)`: Black's move in two notations
        if self.black {
            moves.dedup_by(|(_, next), (_, first)| next == first);
        }
        let end = self.tokens.len();
        match moves.as_slice() {
            [] => Row::Empty,
            // `10. Sxe5 Sxe5 (3655)`: the digits give the second move once more
            [(at, only @ Written::Numeric(_))] if !self.black && self.letters(0, *at).len() == 2 => {
                let mut half = self.half(only, (0, *at), &self.cells(at + 1, end));
                half.beside.remove(0);
                Row::Halves { white: None, black: Some(half) }
            }
            [(at, only)] => {
                let mut cells = self.cells(0, *at);
                let left_out = matches!(cells.as_slice(), [Token::Filler(_)])
                    || matches!(cells.first(), Some(Token::Filler(true)));
                if left_out {
                    cells.remove(0);
                }
                cells.append(&mut self.cells(at + 1, end));
                let half = Some(self.half(only, (0, end), &cells));
                if self.black || left_out {
                    return Row::Halves { white: None, black: half };
                }
                let behind = self.letters(at + 1, end).into_iter().next().filter(|_| is_numeric(only));
                let other =
                    behind.map(|text| HalfMove { maybe: true, ..self.half(&Written::Algebraic(text), (0, 0), &[]) });
                Row::Halves { white: half, black: other }
            }
            [(first, white), (second, black)] if !self.black => {
                let (before, between) = (self.cells(0, *first), self.cells(first + 1, *second));
                let after = self.cells(second + 1, end);
                let (mut of_white, mut of_black) = (Vec::new(), Vec::new());
                if let Some(split) = between.len().checked_sub(before.len()) {
                    let (left, right) = between.split_at(split);
                    of_white = [before.as_slice(), left].concat();
                    of_black = [right, after.as_slice()].concat();
                }
                // `Be2 6152 e5 5755` or `6152 Be2 5755 e5`
                let leads = !self.letters(0, *first).is_empty();
                let (border, end) = if leads { (first + 1, *second) } else { (*second, end) };
                Row::Halves {
                    white: Some(self.half(white, (0, border), &of_white)),
                    black: Some(self.half(black, (border, end), &of_black)),
                }
            }
            several => Row::Muddled(several.iter().map(|(_, m)| m.clone()).collect()),
        }
    }

    /// A move with its cells and the letters in a range, if it is one in digits.
    fn half(&self, of: &Written, (from, to): (usize, usize), cells: &[Token]) -> HalfMove {
        let beside = if is_numeric(of) { self.letters(from, to) } else { Vec::new() };
        HalfMove { written: of.clone(), maybe: false, beside, cells: roles(cells, &self.columns) }
    }

    /// The moves of one kind with their places.
    fn places(&self, is_one: impl Fn(&Token) -> bool) -> Vec<(usize, Written)> {
        let written = |t: &Token| match t {
            Token::Move(m) | Token::Spaced(m) => Some(Written::Numeric(*m)),
            Token::Algebraic(text) => Some(Written::Algebraic(text.clone())),
            _ => None,
        };
        let found = self.tokens.iter().enumerate().filter(|(_, t)| is_one(t));
        found.filter_map(|(at, t)| Some((at, written(t)?))).collect()
    }

    /// The moves in letters in a range.
    fn letters(&self, from: usize, to: usize) -> Vec<String> {
        let text = |t: &Token| if let Token::Algebraic(text) = t { Some(text.clone()) } else { None };
        self.tokens.iter().take(to).skip(from).filter_map(text).collect()
    }

    fn cells(&self, from: usize, to: usize) -> Vec<Token> {
        let cell = |t: &&Token| matches!(t, Token::Date(_) | Token::Slash(..) | Token::Int(_) | Token::Filler(_));
        self.tokens.iter().take(to).skip(from).filter(cell).cloned().collect()
    }
}

/// Three digits of squares, with what is wrong with them.
pub(super) fn cut_move(token: &Token) -> Option<(String, String)> {
    let Token::Int(n) = token else { return None };
    let text = n.to_string();
    let squares = text.len() == 3 && text.chars().all(|c| ('1'..='8').contains(&c));
    squares.then(|| (text, "a move has four digits, five on promotion".to_owned()))
}

fn is_numeric(written: &Written) -> bool {
    matches!(written, Written::Numeric(_))
}
