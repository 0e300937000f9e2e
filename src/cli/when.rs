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
    let day = text.trim().parse().map_err(|_| "write it as 2026-07-01".to_owned())?;
    meant(day, Utc::now().date_naive()).map_err(|e| e.to_string())
}
