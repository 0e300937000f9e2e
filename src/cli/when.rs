//! Days and instants as the player writes them on the command line.

use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::clock::settle::meant;

/// An instant on the command line.
pub(super) fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|at| at.to_utc())
        .map_err(|_| "write it as 2026-03-18T20:15:00Z, or with an offset as in 2026-03-18T21:15:00+01:00".to_owned())
}

/// A day as the player writes it, in a year that he can mean.
pub(super) fn day(text: &str) -> Result<NaiveDate, String> {
    meant(written(text, "2026-07-01")?, Utc::now().date_naive()).map_err(|e| e.to_string())
}

/// A day of the calendar in a text that is written like `example`.
pub(super) fn written(text: &str, example: &str) -> Result<NaiveDate, String> {
    let none = || none_such(text).unwrap_or_else(|| format!("write it as {example}"));
    text.trim().parse().map_err(|_| none())
}

/// `there is no 31 June 2026`, where a day is written as it should be and no calendar has it.
fn none_such(text: &str) -> Option<String> {
    let (year, rest) = text.trim().split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (year, month, day): (i32, u32, u32) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let month = NaiveDate::from_ymd_opt(year, month, 1)?.format("%B %Y");
    Some(format!("there is no {day} {month}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_no_calendar_has_is_told_apart_from_one_that_is_written_otherwise() {
        assert_eq!(written("2028-02-29", "2026-07-01"), Ok(NaiveDate::from_ymd_opt(2028, 2, 29).unwrap()));
        for (text, told) in [
            ("2026-06-31", "there is no 31 June 2026"),
            ("2026-02-29", "there is no 29 February 2026"),
            ("2026-13-01", "write it as 2026-07-01"),
            ("31.06.2026", "write it as 2026-07-01"),
        ] {
            assert_eq!(day(text), Err(told.to_owned()));
        }
    }
}
