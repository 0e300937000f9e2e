//! The days on which a clock stands still.
//!
//! Overlapping and adjoining leaves are one (T62), so that no day is counted twice, neither for the clock nor for the
//! yearly quota. Who may take leave, and when it has to be announced, is not looked at here.

use chrono::{Datelike, NaiveDate};

use super::rules::LeaveRules;
use crate::domain::game::{Leave, Side};

/// One side's days of leave, merged: spans of first and last day, apart from each other, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandingStill {
    spans: Vec<(NaiveDate, NaiveDate)>,
}

impl StandingStill {
    /// The leave of `side`; a leave that ends before it begins is none.
    pub fn of(leaves: &[Leave], side: Side) -> StandingStill {
        StandingStill::merged(leaves.iter().filter(|leave| leave.side == side))
    }

    /// The days on which the clock of `side` stands still by these rules: its own leave, and that of both where that stops both clocks.
    pub fn under(rules: &LeaveRules, leaves: &[Leave], side: Side) -> StandingStill {
        StandingStill::merged(leaves.iter().filter(|leave| rules.stops_both || leave.side == side))
    }

    fn merged<'a>(leaves: impl Iterator<Item = &'a Leave>) -> StandingStill {
        let mut spans: Vec<_> = leaves.filter(|l| l.from <= l.to).map(|l| (l.from, l.to)).collect();
        spans.sort_unstable();
        let mut merged: Vec<(NaiveDate, NaiveDate)> = Vec::with_capacity(spans.len());
        for (from, to) in spans {
            match merged.last_mut() {
                Some((_, end)) if end.succ_opt().is_none_or(|next| from <= next) => *end = to.max(*end),
                _ => merged.push((from, to)),
            }
        }
        StandingStill { spans: merged }
    }

    /// The merged spans, each with its first and its last day.
    pub fn spans(&self) -> &[(NaiveDate, NaiveDate)] {
        &self.spans
    }

    /// Whether a day is one of them.
    pub fn contains(&self, day: NaiveDate) -> bool {
        self.spans.iter().any(|(from, to)| (*from..=*to).contains(&day))
    }

    /// Days of leave from `first` on and before `end`.
    pub fn days_between(&self, first: NaiveDate, end: NaiveDate) -> u32 {
        let overlap = |(from, to): &(NaiveDate, NaiveDate)| {
            let after = to.succ_opt().unwrap_or(*to);
            (after.min(end) - first.max(*from)).num_days().max(0)
        };
        u32::try_from(self.spans.iter().map(overlap).sum::<i64>()).unwrap_or(u32::MAX)
    }

    /// Days of leave in a calendar year (T63).
    pub fn in_year(&self, year: i32) -> u32 {
        let first = |year| NaiveDate::from_ymd_opt(year, 1, 1);
        match (first(year), first(year.saturating_add(1))) {
            (Some(from), Some(end)) => self.days_between(from, end),
            _ => 0,
        }
    }

    /// The calendar years that have days of leave, in order.
    pub fn years(&self) -> impl Iterator<Item = i32> {
        let mut next = i32::MIN;
        self.spans.iter().flat_map(move |(from, to)| {
            let years = from.year().max(next)..=to.year();
            next = to.year().saturating_add(1);
            years
        })
    }
}
