//! Rows of a score sheet: which cells belong to which half move.
//!
//! The cells before or after a move are split evenly between White and Black.

use super::Written;
use super::cells::{Cells, Columns, roles};
use super::labels::Labels;
use super::lex::Token;
use crate::domain::notation::NumericMove;

/// A numbered piece of score: `6. 6152 22.10 23.10 1 8 5755 24.10 26.10 2 30`.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) number: u32,
    pub(super) black: bool,
    pub(super) line: usize,
    pub(super) tokens: Vec<Token>,
    /// What the words on the line say of its last half move.
    pub(super) words: Labels,
    /// The head of its table.
    pub(super) columns: Columns,
}

/// What a segment says.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a row lives only until its claims are made")]
pub(super) enum Row {
    /// White's and Black's move, either of which may be missing.
    Halves { white: Option<(Written, Cells)>, black: Option<(Written, Cells)> },
    /// A digit group stands where a move belongs and is none.
    Bad { text: String, why: String },
    /// More moves than one number has.
    Muddled(Vec<NumericMove>),
    /// No move at all.
    Empty,
}

impl Segment {
    /// The moves of the segment with their cells.
    pub(super) fn row(&self) -> Row {
        let mut moves: Vec<(usize, NumericMove)> = self.places(|t| match t {
            Token::Move(m) => Some(*m),
            _ => None,
        });
        if moves.is_empty() {
            let cut = self.tokens.first().and_then(cut_move);
            if let Some((text, why)) = cut.or_else(|| self.tokens.iter().find_map(bad)) {
                return Row::Bad { text, why };
            }
            moves = self.places(|t| match t {
                Token::Spaced(m) => Some(*m),
                _ => None,
            });
        }
        match moves.as_slice() {
            [] => Row::Empty,
            [(at, only)] => {
                let (before, after) = (self.cells(0, *at), self.cells(at + 1, self.tokens.len()));
                let left_out = matches!(before.as_slice(), [Token::Filler(_)])
                    || matches!(before.first(), Some(Token::Filler(true)));
                let black = self.black || left_out;
                let before = if left_out { before.get(1..).unwrap_or_default().to_vec() } else { before };
                let half = Some((Written::Numeric(*only), roles(&[before, after].concat(), &self.columns)));
                if black { Row::Halves { white: None, black: half } } else { Row::Halves { white: half, black: None } }
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
                Row::Halves {
                    white: Some((Written::Numeric(*white), roles(&of_white, &self.columns))),
                    black: Some((Written::Numeric(*black), roles(&of_black, &self.columns))),
                }
            }
            several => Row::Muddled(several.iter().map(|(_, m)| *m).collect()),
        }
    }

    fn places(&self, pick: impl Fn(&Token) -> Option<NumericMove>) -> Vec<(usize, NumericMove)> {
        self.tokens.iter().enumerate().filter_map(|(at, t)| pick(t).map(|m| (at, m))).collect()
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
