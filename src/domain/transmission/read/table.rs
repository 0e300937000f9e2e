//! Rows of a score sheet: which cells belong to which half move, and what each cell means.
//!
//! Columns are inferred, never assumed: the cells before or after a move are split evenly between White and Black, of two
//! dates the earlier is the day of receipt, of two numbers the second is the running total. A cell that fits no role stays blank.

use super::Written;
use super::labels::Labels;
use super::lex::Token;
use crate::domain::transmission::dates::WrittenDate;

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
}

/// One half move of a segment with the cells beside it.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    pub(super) received: Option<WrittenDate>,
    pub(super) sent: Option<WrittenDate>,
    /// The only date: of sending, if the mail was sent on it.
    pub(super) lone: Option<WrittenDate>,
    pub(super) days: Option<u32>,
    pub(super) total: Option<u32>,
    /// `a/b` that may be a date or days and total: the running total decides.
    pub(super) open_pair: Option<(u32, u32)>,
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
            [(at, only)] => {
                let (before, after) = (self.cells(0, *at), self.cells(at + 1, self.tokens.len()));
                let left_out = matches!(before.as_slice(), [Token::Filler(_)])
                    || matches!(before.first(), Some(Token::Filler(true)));
                let black = self.black || left_out;
                let before = if left_out { before.get(1..).unwrap_or_default().to_vec() } else { before };
                let beside = self.beside(only, 0, self.tokens.len());
                let behind = self.beside(only, at + 1, self.tokens.len());
                let cells = roles(&[before, after].concat());
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
                        cells: roles(&of_white),
                    }),
                    black: Some(HalfMove {
                        written: black.clone(),
                        maybe: false,
                        beside: self.beside(black, border, end),
                        cells: roles(&of_black),
                    }),
                }
            }
            several => Row::Muddled(several.iter().map(|(_, m)| m.clone()).collect()),
        }
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

/// What the cells of one half move mean.
fn roles(cells: &[Token]) -> Cells {
    if let Some(out) = in_order(cells) {
        return out;
    }
    let mut out = Cells::default();
    let slashes: Vec<(u32, u32)> =
        cells.iter().filter_map(|t| if let Token::Slash(a, b) = t { Some((*a, *b)) } else { None }).collect();
    let written = cells.iter().filter(|t| matches!(t, Token::Date(_) | Token::Filler(_))).count();
    let pairs = match (slashes.as_slice(), written) {
        ([pair], 1 | 2) | ([_, pair], 1) | ([_, _, pair], 0) => Some(*pair),
        ([first, second], 0) if !could_be_date(*second) && could_be_date(*first) => Some(*second),
        ([pair], 0) => {
            if could_be_date(*pair) {
                out.open_pair = Some(*pair);
                return out;
            }
            Some(*pair)
        }
        _ => None,
    };
    (out.days, out.total) = match pairs {
        Some((days, total)) => (Some(days), Some(total)),
        None => numbers(cells),
    };
    let dates: Vec<Option<WrittenDate>> = cells
        .iter()
        .filter_map(|t| match t {
            Token::Date(date) => Some(Some(*date)),
            Token::Slash(a, b) if Some((*a, *b)) != pairs => {
                Some(Some(WrittenDate::Open { first: *a, second: *b, year: None, dotted: false }))
            }
            Token::Filler(_) => Some(None),
            _ => None,
        })
        .collect();
    (out.received, out.sent) = match dates.as_slice() {
        [lone @ Some(_)] => {
            out.lone = *lone;
            (None, None)
        }
        [received, sent, rest @ ..] if rest.iter().all(Option::is_none) => (*received, *sent),
        _ => (None, None),
    };
    out
}

/// Received, sent, days, total: the full set, in which empty cells keep their places.
fn in_order(cells: &[Token]) -> Option<Cells> {
    let [received, sent, days, total] = cells else {
        return None;
    };
    let date = |t: &Token| match t {
        Token::Date(date) => Some(Some(*date)),
        Token::Filler(_) => Some(None),
        _ => None,
    };
    let number = |t: &Token| match t {
        Token::Int(n) => Some(Some(*n)),
        Token::Filler(_) => Some(None),
        _ => None,
    };
    Some(Cells {
        received: date(received)?,
        sent: date(sent)?,
        days: number(days)?,
        total: number(total)?,
        ..Cells::default()
    })
}

fn could_be_date((a, b): (u32, u32)) -> bool {
    let day = |n| (1..=31).contains(&n);
    let month = |n| (1..=12).contains(&n);
    (day(a) && month(b)) || (month(a) && day(b))
}

/// Days and running total, when exactly these two stand there.
fn numbers(cells: &[Token]) -> (Option<u32>, Option<u32>) {
    let ints: Vec<u32> = cells.iter().filter_map(|t| if let Token::Int(n) = t { Some(*n) } else { None }).collect();
    match ints.as_slice() {
        [days, total] => (Some(*days), Some(*total)),
        _ => (None, None),
    }
}
