//! Dates and numbers that words give a meaning: "received 24.10., sent 26.10., 2 days, total 30".

use super::lex::{Placed, Token};
use super::words::{self, Label};
use crate::domain::transmission::dates::WrittenDate;

/// The order of columns, as the head row of a table gives it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Columns {
    /// Whether the day of sending stands before the day of receipt.
    pub(super) sent_first: Option<bool>,
    /// Whether the running total stands before the days.
    pub(super) total_first: Option<bool>,
}
impl Columns {
    /// The order on a line of at least three column heads; `None` on every other line.
    pub(super) fn of(tokens: &[Placed]) -> Option<Columns> {
        let heads: Vec<Label> = tokens
            .iter()
            .filter_map(|p| match &p.token {
                Token::Word(word) => words::label(word),
                _ => None,
            })
            .collect();
        let other = |p: &Placed| !matches!(p.token, Token::Word(_) | Token::Bar | Token::Filler(_));
        if heads.len() < 3 || tokens.iter().any(other) {
            return None;
        }
        let at = |label| heads.iter().position(|h| *h == label);
        let before = |first, second| Some(at(first)? < at(second)?);
        Some(Columns {
            sent_first: before(Label::Sent, Label::Received),
            total_first: before(Label::Total, Label::Days),
        })
    }
}

/// Dates and numbers that words give a meaning, as written.
#[derive(Debug, Clone, Default)]
pub(super) struct Labels {
    pub(super) received: Vec<WrittenDate>,
    pub(super) sent: Vec<WrittenDate>,
    pub(super) days: Vec<u32>,
    pub(super) total: Vec<u32>,
    pub(super) open: usize,
    /// The lines that gave a date or a number.
    pub(super) lines: Vec<usize>,
}

impl Labels {
    /// Collects "received 24.10., sent 26.10., 2 days, total 30" from a line; what speaks of the reader is left.
    pub(super) fn take(&mut self, tokens: &[Placed], line: usize) {
        let has_label = tokens.iter().any(|p| matches!(&p.token, Token::Word(w) if words::label(w).is_some()));
        if !has_label {
            let row = tokens.iter().any(|p| matches!(p.token, Token::Move(_) | Token::Number(..)));
            let dates = tokens.iter().filter(|p| matches!(p.token, Token::Date(_))).count();
            self.open += if row { 0 } else { dates };
            return;
        }
        self.lines.push(line);
        if names_follow(tokens) {
            self.open += 1;
            return;
        }
        let mut waiting: Option<Label> = None;
        let mut of_reader = false;
        let mut used = vec![false; tokens.len()];
        let int = |at: Option<usize>, used: &[bool]| {
            let at = at.filter(|at| !used.get(*at).copied().unwrap_or(true))?;
            match tokens.get(at).map(|p| &p.token) {
                Some(Token::Int(n) | Token::Number(n, _)) => Some((at, *n)),
                _ => None,
            }
        };
        for (at, placed) in tokens.iter().enumerate() {
            let date = match &placed.token {
                Token::Word(word) if words::is_second_person(word) => {
                    of_reader = true;
                    None
                }
                Token::Word(word) if word == "i" || word == "my" => {
                    of_reader = false;
                    None
                }
                Token::Word(word) => {
                    match words::label(word) {
                        Some(label @ (Label::Received | Label::Sent)) => waiting = Some(label),
                        Some(label @ (Label::Days | Label::Total)) => {
                            let found = int(at.checked_sub(1), &used).or_else(|| int(Some(at + 1), &used));
                            if let Some((at, n)) = found {
                                if let Some(slot) = used.get_mut(at) {
                                    *slot = true;
                                }
                                if label == Label::Days { self.days.push(n) } else { self.total.push(n) }
                            }
                        }
                        None => {}
                    }
                    None
                }
                Token::Date(date) => Some(*date),
                Token::Slash(a, b) if waiting.is_some() => {
                    Some(WrittenDate::Open { first: *a, second: *b, year: None, dotted: false })
                }
                _ => None,
            };
            let Some(date) = date else { continue };
            match waiting.take() {
                Some(Label::Received) if !of_reader => self.received.push(date),
                Some(Label::Sent) if !of_reader => self.sent.push(date),
                Some(_) => {}
                None => self.open += 1,
            }
        }
    }
}

/// "24.10. received, 26.10. sent": each name stands behind its date, which is told apart from the usual order by both ends only.
pub(super) fn names_follow(tokens: &[Placed]) -> bool {
    let is_date = |p: &Placed| matches!(p.token, Token::Date(_));
    let is_name = |p: &Placed| matches!(&p.token, Token::Word(w) if matches!(words::label(w), Some(Label::Received | Label::Sent)));
    let ends = || tokens.iter().filter(|p| is_date(p) || is_name(p));
    ends().next().is_some_and(is_date) && ends().next_back().is_some_and(is_name)
}
