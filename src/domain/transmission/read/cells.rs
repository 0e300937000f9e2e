//! What the cells beside a move mean: received, sent, days, total.
//!
//! The head row of the table tells, where it has one name for each cell. Without one the meaning is inferred: of two dates the
//! earlier is the day of receipt, of two numbers the second is the running total. A cell that fits no role stays blank.

use super::labels::could_be_date;
use super::lex::{Placed, Token};
use super::vocabulary::{Label, Person, person, short_label};
use crate::domain::transmission::dates::WrittenDate;

/// The columns of one side, as the head row of a table names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Columns {
    names: Vec<Label>,
    /// Whether the day of sending stands before the day of receipt.
    pub(super) sent_first: Option<bool>,
    /// Whether the running total stands before the days.
    pub(super) total_first: Option<bool>,
}

impl Columns {
    /// The columns on a line of at least three column heads; `None` on every other line.
    pub(super) fn of(tokens: &[Placed]) -> Option<Columns> {
        let heads: Vec<Label> = tokens
            .iter()
            .filter_map(|p| match &p.token {
                Token::Word(word) => short_label(word, p.keys),
                _ => None,
            })
            .collect();
        let other = |p: &Placed| !matches!(p.token, Token::Word(_) | Token::Bar | Token::Filler(_));
        let words = tokens.iter().filter(|p| matches!(p.token, Token::Word(_))).count();
        let speaks =
            |p: &Placed| matches!(&p.token, Token::Word(w) if matches!(person(w), Some(Person::I | Person::You)));
        if heads.len() < 3 || words > 3 * heads.len() || tokens.iter().any(|p| other(p) || speaks(p)) {
            return None;
        }
        let (left, right) = heads.split_at(heads.len() / 2);
        let names = if left == right { left.to_vec() } else { heads };
        let at = |label| names.iter().position(|h| *h == label);
        let before = |first, second| Some(at(first)? < at(second)?);
        let sent_first = before(Label::Sent, Label::Received).or_else(|| before(Label::SentOrTotal, Label::Received));
        let total_first = before(Label::Total, Label::Days);
        Some(Columns { names, sent_first, total_first })
    }

    /// The cells under their names, if there is one name for each and each fits.
    fn cells(&self, cells: &[Token]) -> Option<Cells> {
        if cells.len() != self.names.len() {
            return None;
        }
        let mut out = Cells { named: true, ..Cells::default() };
        // "Sent Rec Replied": the first column is the other side's
        let three = self.names.contains(&Label::Replied);
        for (cell, name) in cells.iter().zip(&self.names) {
            let date = match cell {
                Token::Date(date) => Some(*date),
                Token::Slash(a, b) => Some(WrittenDate::Open { first: *a, second: *b, year: None, dotted: false }),
                _ => None,
            };
            match (name, cell) {
                (_, Token::Filler(_)) => {}
                (Label::Days, Token::Slash(days, total)) => {
                    set(&mut out.days, *days).and_then(|()| set(&mut out.total, *total))?
                }
                (Label::Received, _) => set(&mut out.received, date?)?,
                (Label::Sent, _) if three => {
                    date?;
                }
                (Label::Sent | Label::Replied, _) => set(&mut out.sent, date?)?,
                (Label::Days, Token::Int(n)) => set(&mut out.days, *n)?,
                (Label::Total | Label::SentOrTotal, Token::Int(n)) => set(&mut out.total, *n)?,
                (Label::SentOrTotal, _) => set(&mut out.sent, date?)?,
                (Label::Days | Label::Total, _) => return None,
            }
        }
        Some(out)
    }
}

/// Fills an empty place.
fn set<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

/// One half move of a segment with the cells beside it.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    /// The head of the table tells what they are.
    pub(super) named: bool,
    pub(super) received: Option<WrittenDate>,
    pub(super) sent: Option<WrittenDate>,
    /// The only date: of sending, if the mail was sent on it.
    pub(super) lone: Option<WrittenDate>,
    pub(super) days: Option<u32>,
    pub(super) total: Option<u32>,
    /// The only number: days or total, by arithmetic.
    pub(super) lone_number: Option<u32>,
    /// `a/b` that may be a date or days and total: the running total decides.
    pub(super) open_pair: Option<(u32, u32)>,
}

impl Cells {
    /// The numbers that stand in the cells, whatever they mean; `None` where there is none.
    pub(super) fn written_numbers(&self) -> Option<String> {
        let numbers = [self.days, self.total, self.lone_number].into_iter().flatten().map(|n| n.to_string());
        let pair = self.open_pair.map(|(a, b)| format!("{a}/{b}"));
        let written: Vec<String> = numbers.chain(pair).collect();
        (!written.is_empty()).then(|| written.join(" "))
    }

    /// Days and total as far as they may have been written `a/b`.
    pub(super) fn pair(&self) -> (Option<u32>, Option<u32>) {
        self.open_pair.map_or((self.days, self.total), |(days, total)| (Some(days), Some(total)))
    }
}

/// What the cells of one half move mean.
pub(super) fn roles(cells: &[Token], columns: &Columns) -> Cells {
    if let Some(out) = columns.cells(cells).or_else(|| in_order(cells)) {
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
    let mut ints = cells.iter().filter_map(|t| if let Token::Int(n) = t { Some(*n) } else { None });
    if let (None, Some(only), None) = (pairs, ints.next(), ints.next()) {
        out.lone_number = Some(only);
    }
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

/// Days and running total, when exactly these two stand there.
fn numbers(cells: &[Token]) -> (Option<u32>, Option<u32>) {
    let ints: Vec<u32> = cells.iter().filter_map(|t| if let Token::Int(n) = t { Some(*n) } else { None }).collect();
    match ints.as_slice() {
        [days, total] => (Some(*days), Some(*total)),
        _ => (None, None),
    }
}
