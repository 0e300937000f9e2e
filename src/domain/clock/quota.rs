//! The days of leave that a side takes in each calendar year, overlapping leave counted once (T62, T63).

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, NaiveDate};

use crate::domain::game::{Leave, Side};

/// Longer leave than this many days is cut: no event lasts so long.
const MOST: usize = 3660;

/// The days of leave of a side, each once, oldest first.
fn days_of(leaves: &[Leave], side: Side) -> BTreeSet<NaiveDate> {
    let of_side = leaves.iter().filter(|leave| leave.side == side);
    of_side.flat_map(|leave| leave.from.iter_days().take_while(|day| *day <= leave.to).take(MOST)).collect()
}

/// The days of leave of a side by calendar year.
pub fn by_year(leaves: &[Leave], side: Side) -> BTreeMap<i32, u32> {
    let mut years = BTreeMap::new();
    for day in days_of(leaves, side) {
        *years.entry(day.year()).or_insert(0) += 1;
    }
    years
}

/// The days of leave of a side from one day up to another, both included.
pub fn within(leaves: &[Leave], side: Side, from: NaiveDate, to: NaiveDate) -> u32 {
    let days = days_of(leaves, side).into_iter().filter(|day| (from..=to).contains(day));
    u32::try_from(days.count()).unwrap_or(u32::MAX)
}

/// Whether a side is on leave already on all days of another leave of it.
pub fn covers(leaves: &[Leave], leave: &Leave) -> bool {
    let days = days_of(leaves, leave.side);
    days_of(std::slice::from_ref(leave), leave.side).iter().all(|day| days.contains(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leave(from: &str, to: &str) -> Leave {
        Leave { side: Side::White, from: from.parse().unwrap(), to: to.parse().unwrap(), announced: None }
    }

    #[test]
    fn t62_overlapping_leave_counts_once() {
        let leaves = [leave("2006-03-12", "2006-03-18"), leave("2006-03-16", "2006-03-20")];
        assert_eq!(by_year(&leaves, Side::White), BTreeMap::from([(2006, 9)]));
        assert!(by_year(&leaves, Side::Black).is_empty());
        assert_eq!(within(&leaves, Side::White, "2006-03-18".parse().unwrap(), "2006-04-01".parse().unwrap()), 3);
    }

    #[test]
    fn t63_leave_across_new_year_counts_for_each_year() {
        let leaves = [leave("2005-12-28", "2006-01-03")];
        assert_eq!(by_year(&leaves, Side::White), BTreeMap::from([(2005, 4), (2006, 3)]));
    }

    #[test]
    fn leave_inside_other_leave_is_no_new_one() {
        let leaves = [leave("2006-03-12", "2006-03-14"), leave("2006-03-15", "2006-03-20")];
        assert!(covers(&leaves, &leave("2006-03-13", "2006-03-16")));
        assert!(!covers(&leaves, &leave("2006-03-13", "2006-03-21")));
    }
}
