//! Whether the clock of this machine can be right. Without a trusted clock no deadline is judged.
//!
//! A small computer without a battery starts in 1970 and stays there until it has asked the network. Recorded figures do not depend on
//! it. A clock that ran ahead once looks like one that is behind now: only the player knows which of the two is wrong (`amici clock now`).
//! Not covered: a clock that runs ahead now.

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};

/// The day before which this program did not exist.
pub const RELEASED: NaiveDate = match NaiveDate::from_ymd_opt(2026, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};
/// How far a clock may have been set back, as by the player himself, and how far those of two machines may be apart.
const TOLERANCE: Duration = Duration::days(1);

/// The year before which nobody sends the mails of a game.
const FIRST_YEAR: i32 = 1990;

/// A clock that cannot be right, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// It is earlier than the program.
    #[error("the clock of this machine says {0}, before this program was made")]
    BeforeRelease(NaiveDate),
    /// It is earlier than what is on record.
    #[error("the clock of this machine says {now}, but the newest mail or command on record is of {newest}")]
    BeforeNewest {
        /// What it says.
        now: NaiveDate,
        /// The day of the newest.
        newest: NaiveDate,
    },
}

impl Distrust {
    /// What the player does about it, as the end of a sentence that names the doubt.
    pub fn help(self) -> &'static str {
        match self {
            Distrust::BeforeRelease(_) => "set the clock",
            Distrust::BeforeNewest { .. } => {
                "set the clock; if it is right now and ran ahead then, say  amici clock now --why TEXT"
            }
        }
    }
}

/// Why `now` is not believed, if it is not; `newest` is the newest instant on record that a clock gave which can have been right.
pub fn distrust(now: DateTime<Utc>, newest: Option<DateTime<Utc>>) -> Option<Distrust> {
    let today = now.date_naive();
    if today < RELEASED {
        return Some(Distrust::BeforeRelease(today));
    }
    let newest = newest.filter(|newest| *newest > now + TOLERANCE)?.date_naive();
    Some(Distrust::BeforeNewest { now: today, newest })
}

/// Whether a server can have taken a mail at `at`. What lies in the future by the clock of this machine is believed where that clock
/// cannot be right, or where all `witnesses` say the same within a day: the provider's Received field and the sender's Date.
pub fn is_arrival(
    at: DateTime<Utc>,
    now: DateTime<Utc>,
    witnesses: impl FnOnce() -> [Option<DateTime<Utc>>; 2],
) -> bool {
    let agrees = |witness: Option<DateTime<Utc>>| witness.is_some_and(|witness| (witness - at).abs() <= TOLERANCE);
    let is_proved = || distrust(now, None).is_some() || witnesses().into_iter().all(agrees);
    at.year() >= FIRST_YEAR && (at <= now + TOLERANCE || is_proved())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_machine_that_boots_in_1970_is_not_believed() {
        let why = distrust(at("1970-01-01T00:00:12Z"), None).unwrap().to_string();
        assert!(why.starts_with("the clock of this machine says 1970-01-01, before"), "{why}");
    }

    #[test]
    fn a_clock_before_the_newest_instant_is_not_believed_and_one_hours_behind_is() {
        let newest = Some(at("2026-11-20T10:00:00Z"));
        assert_eq!(distrust(at("2026-11-20T08:00:00Z"), newest), None);
        assert_eq!(distrust(at("2026-12-24T08:00:00Z"), newest), None);
        assert!(distrust(at("2026-11-18T08:00:00Z"), newest).is_some());
        assert_eq!(distrust(at("2026-11-18T08:00:00Z"), None), None);
    }

    #[test]
    fn a_server_is_believed_against_the_clock_of_this_machine_where_provider_and_sender_say_the_same() {
        let (may, june) = (at("2026-05-01T10:00:00Z"), at("2026-06-04T08:00:00Z"));
        let far = Some(at("2026-06-06T08:00:01Z"));
        assert!(is_arrival(may, june, || unreachable!("the past needs no witness")));
        assert!(is_arrival(june, may, || [Some(june), Some(at("2026-06-03T08:00:00Z"))]));
        for witnesses in [[None, None], [Some(june), None], [None, Some(june)], [Some(june), far], [far, Some(june)]] {
            assert!(!is_arrival(june, may, || witnesses), "{witnesses:?}");
        }
        assert!(is_arrival(june, at("1970-01-01T00:05:00Z"), || [None, None]), "a clock that cannot be right");
        assert!(!is_arrival(at("1970-01-01T00:05:00Z"), june, || [None, None]));
    }
}
