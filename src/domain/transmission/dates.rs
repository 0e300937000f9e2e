//! Dates as they stand in mails: day and month in either order, with a year, half a year, or none; or told from the mail's own day.
//!
//! A date without a year is the one nearest to the date before it in the game; writer and reader share that
//! rule, so that a table of days and months can be read back exactly.

use std::fmt;

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// A date as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenDate {
    /// Day and month are told apart by a month's name or by the ISO order.
    Clear {
        /// Day of the month.
        day: u32,
        /// Month, 1 to 12.
        month: u32,
        /// Year, if written.
        year: Option<i32>,
    },
    /// Two numbers of which either may be the day.
    Open {
        /// The first number.
        first: u32,
        /// The second number.
        second: u32,
        /// Year, if written.
        year: Option<i32>,
        /// Written with dots, as where the day comes first.
        dotted: bool,
    },
    /// So many days before the mail: today is 0, yesterday 1.
    Ago(u32),
    /// The last such day before the mail.
    Last(Weekday),
    /// The last day of that number up to the mail: "on the 7th".
    Day(u32),
}

impl fmt::Display for WrittenDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            WrittenDate::Clear { day, month, year: Some(year) } => write!(f, "{year}-{month:02}-{day:02}"),
            WrittenDate::Clear { day, month, year: None } => write!(f, "{day:02}.{month:02}."),
            WrittenDate::Open { first, second, year, dotted } => {
                let sign = if dotted { "." } else { "/" };
                let behind = if dotted || year.is_some() { sign } else { "" };
                let year = year.map(|year| format!("{year:02}")).unwrap_or_default();
                write!(f, "{first:02}{sign}{second:02}{behind}{year}")
            }
            WrittenDate::Ago(1) => f.write_str("1 day ago"),
            WrittenDate::Ago(days) => write!(f, "{days} days ago"),
            WrittenDate::Last(day) => write!(f, "{day}"),
            WrittenDate::Day(day) => write!(f, "{day:02}."),
        }
    }
}

/// Days in which each number up to 28 comes once.
const LONGEST_MONTH: usize = 31;

/// Which of two numbers is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayMonth {
    /// 24.10. is the 24th of October.
    DayFirst,
    /// 10/24 is the 24th of October.
    MonthFirst,
}

impl WrittenDate {
    /// `a/b`, or `a-b`.
    pub fn slashed(first: u32, second: u32) -> WrittenDate {
        WrittenDate::Open { first, second, year: None, dotted: false }
    }

    /// The calendar day, with a missing year chosen nearest to `near`; `None` if there is no such day, and for days that are told
    /// from the day of the mail.
    pub fn resolve(self, order: DayMonth, near: NaiveDate) -> Option<NaiveDate> {
        let (day, month, year) = match (self, order) {
            (WrittenDate::Clear { day, month, year }, _) => (day, month, year),
            (WrittenDate::Open { first, second, year, .. }, DayMonth::DayFirst) => (first, second, year),
            (WrittenDate::Open { first, second, year, .. }, DayMonth::MonthFirst) => (second, first, year),
            (WrittenDate::Ago(_) | WrittenDate::Last(_) | WrittenDate::Day(_), _) => return None,
        };
        match year {
            Some(year) => NaiveDate::from_ymd_opt(full_year(year, near), month, day),
            None => nearest(day, month, near),
        }
    }

    /// The calendar day of a mail sent on `mailed`. A weekday written on such a day is that day only if `after`, the day of the
    /// reader's own message, leaves no other.
    pub fn resolve_in_mail(
        self,
        order: DayMonth,
        near: NaiveDate,
        mailed: Option<NaiveDate>,
        after: Option<NaiveDate>,
    ) -> Option<NaiveDate> {
        match self {
            WrittenDate::Ago(days) => mailed?.checked_sub_days(Days::new(days.into())),
            WrittenDate::Last(weekday) => {
                let mailed = mailed?;
                let back = (mailed.weekday().days_since(weekday)).into();
                let last = mailed.checked_sub_days(Days::new(back))?;
                let week_before = last.checked_sub_days(Days::new(7))?;
                (back > 0 || after.is_some_and(|after| week_before < after)).then_some(last)
            }
            WrittenDate::Day(number) => {
                let back = mailed?.iter_days().rev();
                back.take(LONGEST_MONTH).find(|day| day.day() == number)
            }
            WrittenDate::Clear { .. } | WrittenDate::Open { .. } => self.resolve(order, near),
        }
    }

    /// Whether it is told from the day of the mail.
    pub fn is_of_mail(self) -> bool {
        matches!(self, WrittenDate::Ago(_) | WrittenDate::Last(_) | WrittenDate::Day(_))
    }

    /// Whether some year has such a day, in one order of day and month or the other.
    pub fn is_possible(self) -> bool {
        let any = |day, month, year: Option<i32>| {
            let year = year.map_or(2000, |year| if year >= 100 { year } else { 2000 + year });
            NaiveDate::from_ymd_opt(year, month, day).is_some()
        };
        match self {
            WrittenDate::Clear { day, month, year } => any(day, month, year),
            WrittenDate::Open { first, second, year, .. } => any(first, second, year) || any(second, first, year),
            WrittenDate::Day(day) => any(day, 1, None),
            WrittenDate::Ago(_) | WrittenDate::Last(_) => true,
        }
    }
}

/// The year of the century that lies nearest to `near`, for years written with two digits.
fn full_year(year: i32, near: NaiveDate) -> i32 {
    if year >= 100 {
        return year;
    }
    let century = near.year() - near.year().rem_euclid(100);
    [century - 100, century, century + 100]
        .into_iter()
        .map(|c| c + year)
        .min_by_key(|y| (y - near.year()).abs())
        .unwrap_or(year)
}

/// `there is no 31 June 2026`, where a day is written as 2026-06-31 and no calendar has it.
pub fn no_such_day(text: &str) -> Option<String> {
    let (year, rest) = text.trim().split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (year, month, day): (i32, u32, u32) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let is_none = NaiveDate::from_ymd_opt(year, month, day).is_none();
    is_none.then(|| format!("there is no {day} {}", first.format("%B %Y")))
}

/// The day of that name nearest to `near`.
pub fn nearest(day: u32, month: u32, near: NaiveDate) -> Option<NaiveDate> {
    (near.year() - 4..=near.year() + 4)
        .filter_map(|year| NaiveDate::from_ymd_opt(year, month, day))
        .min_by_key(|date| (*date - near).num_days().abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_missing_year_is_the_nearest_one() {
        let open = WrittenDate::Open { first: 3, second: 1, year: None, dotted: true };
        assert_eq!(open.resolve(DayMonth::DayFirst, day("2004-12-29")), Some(day("2005-01-03")));
        assert_eq!(open.resolve(DayMonth::MonthFirst, day("2004-12-29")), Some(day("2005-03-01")));
    }

    #[test]
    fn two_digits_of_a_year_belong_to_the_nearest_century() {
        let open = |year| WrittenDate::Open { first: 3, second: 9, year: Some(year), dotted: true };
        assert_eq!(open(99).resolve(DayMonth::DayFirst, day("1999-09-01")), Some(day("1999-09-03")));
        assert_eq!(open(1).resolve(DayMonth::DayFirst, day("1999-12-31")), Some(day("2001-09-03")));
    }

    #[test]
    fn impossible_days_are_no_dates() {
        let open = WrittenDate::Open { first: 31, second: 9, year: None, dotted: true };
        assert_eq!(open.resolve(DayMonth::DayFirst, day("2004-09-01")), None);
        assert_eq!(open.resolve(DayMonth::MonthFirst, day("2004-09-01")), None);
    }
}
