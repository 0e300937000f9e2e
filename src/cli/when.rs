//! Days and instants as the player writes them on the command line, and spans as he reads them.

use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::clock::settle::meant;
use crate::domain::transmission::dates::no_such_day;

/// An instant on the command line.
pub(super) fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text).map(|at| at.to_utc()).map_err(|_| {
        let how = "write it as 2026-03-18T20:15:00Z, or with an offset as in 2026-03-18T21:15:00+01:00";
        let day = text.split_once(['T', 't']).and_then(|(day, _)| no_such_day(day));
        day.unwrap_or_else(|| how.to_owned())
    })
}

/// A day as the player writes it, in a year that he can mean.
pub(super) fn day(text: &str) -> Result<NaiveDate, String> {
    meant(written(text, "2026-07-01")?, Utc::now().date_naive()).map_err(|e| e.to_string())
}

/// A day of the calendar in a text that is written like `example`.
pub(super) fn written(text: &str, example: &str) -> Result<NaiveDate, String> {
    let none = || no_such_day(text).unwrap_or_else(|| format!("write it as {example}"));
    text.trim().parse().map_err(|_| none())
}

/// `2 min`, `3 h`, `5 d`
pub(super) fn ago(span: chrono::Duration) -> String {
    match span.num_minutes() {
        ..1 => "less than a minute".to_owned(),
        minutes @ 1..120 => format!("{minutes} min"),
        minutes @ 120..2880 => format!("{} h", minutes / 60),
        minutes => format!("{} d", minutes / 1440),
    }
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
        assert_eq!(instant("2026-02-29T10:00:00Z"), Err("there is no 29 February 2026".to_owned()));
        assert!(instant("2026-02-28T25:00:00Z").is_err_and(|told| told.starts_with("write it as ")));
    }
}
