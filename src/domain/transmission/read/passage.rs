//! The moves, dates and numbers of a line as they stand there, whatever words are beside them: what a proof by arithmetic or by the
//! order of the moves goes by.
//!
//! A line of several numbered rows is one passage for each row. Nothing here has a meaning yet.

use chrono::{Days, NaiveDate};

use super::items::{Item, Said, items};
use super::lex::{Placed, Token};
use super::settle::{self, Span};
use super::table::{Row, Segment};
use super::{Frame, Line, Written, vocabulary, written};
use crate::domain::game::{MoveNumber, Side};
use crate::domain::transmission::dates::{DayMonth, WrittenDate};

/// What stands between two borders of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passage {
    /// The line.
    pub line: usize,
    /// The number of the last half move of its row, if it is one.
    pub number: Option<MoveNumber>,
    /// The moves, in order.
    pub moves: Vec<Written>,
    /// The words that name no date and no number, each with how many of the moves stand before it.
    pub words: Vec<(usize, String)>,
    /// The dates that can be days of the new move: as written with the day first, and with the month first; each with how many of the
    /// moves stand before it.
    pub days: Vec<(usize, [Option<NaiveDate>; 2])>,
    /// The numbers that are neither a move nor the number of one, each with how many of the moves stand before it.
    pub numbers: Vec<(usize, u32)>,
}

/// The passages of a line that these rows cut; `goes_on` is the number of the row above that its beginning belongs to.
pub(super) fn passages(
    tokens: &[Placed],
    line: &Line<'_>,
    rows: &[Segment],
    goes_on: Option<MoveNumber>,
    frame: &Frame<'_>,
) -> Vec<Passage> {
    // "1 day, 13." ends with no number of a row
    let rows: Vec<&Segment> = rows.iter().filter(|row| !row.tokens.is_empty()).collect();
    let borders: Vec<usize> = rows.iter().map(|row| row.at).chain([usize::MAX]).collect();
    let first = borders.first().copied().unwrap_or(usize::MAX);
    let ahead = tokens.iter().filter(|p| p.at < first);
    let mut out: Vec<Passage> = Passage::of(ahead, line, goes_on, frame).into_iter().collect();
    for (row, until) in rows.iter().zip(borders.iter().skip(1)) {
        let behind = tokens.iter().filter(|p| p.at > row.at && p.at < *until);
        out.extend(Passage::of(behind, line, Some(number_of(row)), frame));
    }
    out
}

/// The number of a row's last half move.
pub(super) fn number_of(row: &Segment) -> MoveNumber {
    let is_black = row.black || matches!(row.row(), Row::Halves { black: Some(half), .. } if !half.maybe);
    MoveNumber { number: row.number, side: if is_black { Side::Black } else { Side::White } }
}

impl Passage {
    /// The passage of these tokens, with the days that its dates can mean, if it has anything at all.
    fn of<'a>(
        tokens: impl Iterator<Item = &'a Placed>,
        line: &Line<'_>,
        number: Option<MoveNumber>,
        frame: &Frame<'_>,
    ) -> Option<Passage> {
        let tokens: Vec<Placed> = tokens.cloned().collect();
        let (mut moves, mut words): (Vec<Written>, Vec<(usize, String)>) = (Vec::new(), Vec::new());
        for placed in &tokens {
            match &placed.token {
                Token::Word(word) if !vocabulary::is_label(placed) => words.push((moves.len(), word.clone())),
                _ => moves.extend(written(placed)),
            }
        }
        let mut dates: Vec<(usize, Said)> = Vec::new();
        let mut numbers: Vec<(usize, u32)> = Vec::new();
        let (mut of, mut before) = (false, 0);
        for item in items(&tokens, line.text) {
            let is_of = std::mem::replace(&mut of, item == Item::Of);
            match item {
                // "le 11", "on 7"
                Item::Number(n) if is_of && WrittenDate::Day(n).is_possible() => {
                    dates.push((before, WrittenDate::Day(n).into()));
                    numbers.push((before, n));
                }
                Item::Date(said) => dates.push((before, said)),
                Item::Pair(first, second) => {
                    dates.push((before, WrittenDate::Open { first, second, year: None, dotted: false }.into()));
                    numbers.extend([(before, first), (before, second)]);
                }
                Item::Number(n) => numbers.push((before, n)),
                Item::Move => before = (before + 1).min(moves.len()),
                _ => {}
            }
        }
        let span = Span::of_due(frame);
        let span = Span { before: span.before.or(frame.start), near: span.near.or(frame.start), ..span };
        let last = frame.latest.and_then(|day| day.checked_add_days(Days::new(1)));
        let day = |said: &Said, order| {
            let day = settle::day(said.date, order, span)?;
            let is_so = settle::fault(*said, day, order, span).is_none();
            let is_within = span.before.is_none_or(|before| before <= day) && last.is_none_or(|last| day <= last);
            (is_so && is_within).then_some(day)
        };
        // "8. ... 5878" has a number, and no day
        let due = frame.first.plus(frame.known.len()).number;
        let is_number = |said: &Said| said.date == WrittenDate::Day(due);
        let days = dates.iter().filter(|(_, said)| !is_number(said));
        let days = days.map(|(moves, said)| (*moves, [day(said, DayMonth::DayFirst), day(said, DayMonth::MonthFirst)]));
        let days: Vec<_> = days.filter(|(_, orders)| orders.iter().any(Option::is_some)).collect();
        let is_empty = moves.is_empty() && words.is_empty() && days.is_empty() && numbers.is_empty();
        (!is_empty).then_some(Passage { line: line.number, number, moves, words, days, numbers })
    }
}
