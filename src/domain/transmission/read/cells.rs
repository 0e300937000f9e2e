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

    /// Received, sent, days, total: the full set, in which empty cells keep their places.
    fn full() -> Columns {
        Columns { names: vec![Label::Received, Label::Sent, Label::Days, Label::Total], ..Columns::default() }
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
            match (name, cell, date(cell)) {
                (_, Token::Filler(_), _) => {}
                (Label::Days, Token::Slash(days, total), _) => {
                    set(&mut out.days, *days).and_then(|()| set(&mut out.total, *total))?
                }
                (Label::Days, Token::Int(n), _) => set(&mut out.days, *n)?,
                (Label::Total | Label::SentOrTotal, Token::Int(n), _) => set(&mut out.total, *n)?,
                (Label::Received, _, Some(date)) => set(&mut out.received, date)?,
                (Label::Sent, _, Some(_)) if three => {}
                (Label::Sent | Label::Replied | Label::SentOrTotal, _, Some(date)) => set(&mut out.sent, date)?,
                _ => return None,
            }
        }
        Some(out)
    }
}

/// The day in a cell.
fn date(cell: &Token) -> Option<WrittenDate> {
    match cell {
        Token::Date(date) => Some(*date),
        Token::Slash(a, b) => Some(WrittenDate::slashed(*a, *b)),
        _ => None,
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
    let in_order = || Some(Cells { named: false, ..Columns::full().cells(cells)? });
    if let Some(out) = columns.cells(cells).or_else(in_order) {
        return out;
    }
    let mut out = Cells::default();
    let slash = |cell: &Token| if let Token::Slash(a, b) = cell { Some((*a, *b)) } else { None };
    let slashes: Vec<(u32, u32)> = cells.iter().filter_map(slash).collect();
    let written = cells.iter().filter(|t| matches!(t, Token::Date(_) | Token::Filler(_))).count();
    let pair = match (slashes.as_slice(), written) {
        ([pair], 0) if could_be_date(*pair) => return Cells { open_pair: Some(*pair), ..out },
        ([pair], 0..=2) | ([_, pair], 1) | ([_, _, pair], 0) => Some(*pair),
        ([first, second], 0) if !could_be_date(*second) && could_be_date(*first) => Some(*second),
        _ => None,
    };
    let ints: Vec<u32> = cells.iter().filter_map(|t| if let Token::Int(n) = t { Some(*n) } else { None }).collect();
    match (pair, ints.as_slice()) {
        (Some((days, total)), _) | (None, &[days, total]) => (out.days, out.total) = (Some(days), Some(total)),
        (None, &[only]) => out.lone_number = Some(only),
        _ => {}
    }
    let is_day = |cell: &&Token| !matches!(cell, Token::Int(_)) && (slash(cell).is_none() || slash(cell) != pair);
    let days: Vec<Option<WrittenDate>> = cells.iter().filter(is_day).map(date).collect();
    match days.as_slice() {
        [lone @ Some(_)] => out.lone = *lone,
        [received, sent, rest @ ..] if rest.iter().all(Option::is_none) => {
            (out.received, out.sent) = (*received, *sent);
        }
        _ => {}
    }
    out
}
