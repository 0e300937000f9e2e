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
        let numeric = |t: &Token| match t {
            Token::Move(m) => Some(Written::Numeric(*m)),
            _ => None,
        };
        let spaced = |t: &Token| match t {
            Token::Spaced(m) => Some(Written::Numeric(*m)),
            _ => None,
        };
        let algebraic = |t: &Token| match t {
            Token::Algebraic(text) => Some(Written::Algebraic(text.clone())),
            _ => None,
        };
        let mut moves = self.places(numeric);
        if moves.is_empty() {
            let cut = self.tokens.first().and_then(cut_move);
            if let Some((text, why)) = cut.or_else(|| self.tokens.iter().find_map(bad)) {
                return Row::Bad { text, why };
            }
            moves = self.places(spaced);
        }
        if moves.is_empty() {
            moves = self.places(algebraic);
        }
        match moves.as_slice() {
            [] => Row::Empty,
            // `10. Sxe5 Sxe5 (3655)`: the digits give the second move once more
            [(at, only @ Written::Numeric(_))] if !self.black && self.letters_ahead(*at) == 2 => {
                let cells = roles(&self.cells(at + 1, self.tokens.len()), &self.columns);
                let beside = self.beside(only, 0, *at).into_iter().skip(1).collect();
                Row::Halves {
                    white: None,
                    black: Some(HalfMove { written: only.clone(), maybe: false, beside, cells }),
                }
            }
            [(at, only)] => {
                let (before, after) = (self.cells(0, *at), self.cells(at + 1, self.tokens.len()));
                let left_out = matches!(before.as_slice(), [Token::Filler(_)])
                    || matches!(before.first(), Some(Token::Filler(true)));
                let black = self.black || left_out;
                let before = if left_out { before.get(1..).unwrap_or_default().to_vec() } else { before };
                let beside = self.beside(only, 0, self.tokens.len());
                let behind = self.beside(only, at + 1, self.tokens.len());
                let cells = roles(&[before, after].concat(), &self.columns);
                let half = Some(HalfMove { written: only.clone(), maybe: false, beside, cells });
                if black {
                    return Row::Halves { white: None, black: half };
                }
                let other = behind.into_iter().next().map(|text| HalfMove {
                    written: Written::Algebraic(text),
                    maybe: true,
                    beside: Vec::new(),
                    cells: Cells::default(),
                });
                Row::Halves { white: half, black: other }
            }
            [(first, white), (second, black)] if !self.black => {
                let (before, between) = (self.cells(0, *first), self.cells(first + 1, *second));
                let after = self.cells(second + 1, self.tokens.len());
                let (mut of_white, mut of_black) = (Vec::new(), Vec::new());
                if let Some(split) = between.len().checked_sub(before.len()) {
                    let (left, right) = between.split_at(split);
                    of_white = [before.as_slice(), left].concat();
                    of_black = [right, after.as_slice()].concat();
                }
                // `Be2 6152 e5 5755` or `6152 Be2 5755 e5`
                let leads = self.tokens.iter().take(*first).any(|t| matches!(t, Token::Algebraic(_)));
                let border = if leads { first + 1 } else { *second };
                let end = if leads { *second } else { self.tokens.len() };
                Row::Halves {
                    white: Some(HalfMove {
                        written: white.clone(),
                        maybe: false,
                        beside: self.beside(white, 0, border),
                        cells: roles(&of_white, &self.columns),
                    }),
                    black: Some(HalfMove {
                        written: black.clone(),
                        maybe: false,
                        beside: self.beside(black, border, end),
                        cells: roles(&of_black, &self.columns),
                    }),
                }
            }
            several => Row::Muddled(several.iter().map(|(_, m)| m.clone()).collect()),
        }
    }

    /// How many moves in letters stand before a place.
    fn letters_ahead(&self, at: usize) -> usize {
        self.tokens.iter().take(at).filter(|t| matches!(t, Token::Algebraic(_))).count()
    }

    fn places(&self, pick: impl Fn(&Token) -> Option<Written>) -> Vec<(usize, Written)> {
        self.tokens.iter().enumerate().filter_map(|(at, t)| pick(t).map(|m| (at, m))).collect()
    }

    /// The algebraic tokens in a range that stand beside a numeric move.
    fn beside(&self, of: &Written, from: usize, to: usize) -> Vec<String> {
        let text = |t: &Token| if let Token::Algebraic(text) = t { Some(text.clone()) } else { None };
        match of {
            Written::Numeric(_) => self.tokens.iter().take(to).skip(from).filter_map(text).collect(),
            Written::Algebraic(_) => Vec::new(),
        }
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

fn bad(token: &Token) -> Option<(String, String)> {
    match token {
        Token::BadMove(text, why) => Some((text.clone(), why.clone())),
        _ => None,
    }
}
