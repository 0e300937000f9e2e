//! Whether the clock of this machine can be right. Without a trusted clock no deadline is judged.
//!
//! A small computer without a battery starts in 1970 and stays there until it has asked the network. Recorded figures do not depend on
//! it. A clock that ran ahead once looks like one that is behind now: only the player knows which of the two is wrong
//! (`amici check --clock-is-right WHY`).
//! Not covered: a clock that runs ahead now.

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};

use crate::languages::Language;
use crate::say;

/// The day before which this program did not exist.
pub const RELEASED: NaiveDate = match NaiveDate::from_ymd_opt(2026, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};
/// How far a clock may have been set back, as by the player himself, and how far those of two machines may be apart.
const TOLERANCE: Duration = Duration::days(1);

/// How far the clock may be from the time that has passed by the machine's own count.
const JUMP: Duration = Duration::minutes(10);
/// How old the newest mail of a server may be that says what time it is.
const JUST_NOW: Duration = Duration::hours(1);

/// The year before which nobody sends the mails of a game.
const FIRST_YEAR: i32 = 1990;

/// A clock that cannot be right, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distrust {
    /// It is earlier than the program.
    BeforeRelease(NaiveDate),
    /// It is earlier than what is on record.
    BeforeNewest {
        /// What it says.
        now: NaiveDate,
        /// The day of the newest.
        newest: NaiveDate,
    },
    /// It was set, by more than minutes, since a look that believed it.
    Jumped {
        /// What it says.
        now: DateTime<Utc>,
        /// What it would say.
        elapsed: DateTime<Utc>,
    },
}

/// What speaks for or against the clock of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Witnesses {
    /// The newest instant on record that a clock gave which can have been right.
    pub newest: Option<DateTime<Utc>>,
    /// An instant at which the clock was believed, and the time that has passed since; `None` where the machine started anew since, or
    /// does not count it.
    pub elapsed: Option<DateTime<Utc>>,
}

fn utc(at: &DateTime<Utc>) -> impl std::fmt::Display {
    at.format("%Y-%m-%d %H:%M UTC")
}

impl Distrust {
    /// In words of this language.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Distrust::BeforeRelease(now) => {
                say!(language, "the clock of this machine says {now}, before this program was made", now)
            }
            Distrust::BeforeNewest { now, newest } => say!(
                language,
                "the clock of this machine says {now}, but the newest mail or command on record is of {newest}",
                now,
                newest
            ),
            Distrust::Jumped { now, elapsed } => say!(
                language,
                "the clock of this machine jumped: it says {now}, and by the time that has passed since the daemon last believed it, it is {elapsed}",
                now = utc(now),
                elapsed = utc(elapsed)
            ),
        }
    }

    /// What the player does about it, as the end of a sentence that names the doubt.
    pub fn help(self) -> String {
        self.help_in(Language::English)
    }

    /// The same in this language.
    pub fn help_in(self, language: Language) -> String {
        match self {
            Distrust::BeforeRelease(_) => say!(language, "set the clock"),
            Distrust::BeforeNewest { .. } => say!(
                language,
                "set the clock; if it is right now and ran ahead then, say  amici check --clock-is-right WHY"
            ),
            Distrust::Jumped { .. } => say!(
                language,
                "set the clock if it is wrong; if it is right now, say  amici check --clock-is-right WHY"
            ),
        }
    }
}

impl std::error::Error for Distrust {}

impl std::fmt::Display for Distrust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

/// Why `now` is not believed, if it is not.
pub fn distrust(now: DateTime<Utc>, witnesses: Witnesses) -> Option<Distrust> {
    let today = now.date_naive();
    if today < RELEASED {
        return Some(Distrust::BeforeRelease(today));
    }
    if let Some(elapsed) = witnesses.elapsed.filter(|elapsed| (*elapsed - now).abs() > JUMP) {
        return Some(Distrust::Jumped { now, elapsed });
    }
    let newest = witnesses.newest.filter(|newest| *newest > now + TOLERANCE)?.date_naive();
    Some(Distrust::BeforeNewest { now: today, newest })
}

/// What a look at the clock comes to that has more to go by than the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The clock is believed.
    Believed,
    /// The clock is believed, and what the record has of a later day was dated by a clock that ran ahead up to then.
    RanAhead(DateTime<Utc>),
    /// It is not.
    Doubted(Distrust),
}

/// Looks at the clock: after a jump the newest mail that a server of the player's took confirms it (`arrival`), and where it says what the
/// time that has passed says, it is the later instants on record that are wrong, unless a server took a mail so late.
pub fn look(now: DateTime<Utc>, witnesses: Witnesses, arrival: Option<DateTime<Utc>>) -> Look {
    match distrust(now, witnesses) {
        None => Look::Believed,
        Some(Distrust::Jumped { .. }) if arrival.is_some_and(|at| (at - now).abs() <= JUST_NOW) => Look::Believed,
        Some(Distrust::BeforeNewest { .. })
            if witnesses.elapsed.is_some() && arrival.is_none_or(|at| at <= now + TOLERANCE) =>
        {
            witnesses.newest.map_or(Look::Believed, Look::RanAhead)
        }
        Some(why) => Look::Doubted(why),
    }
}

/// Whether a machine that started so long ago will have asked the network for the time, where it has to.
pub fn is_settled(since_start: Duration) -> bool {
    since_start >= JUMP
}

/// Whether a server can have taken a mail at `at`. What lies in the future by the clock of this machine is believed where that clock
/// cannot be right, or where all `witnesses` say the same within a day: the provider's Received field and the sender's Date.
pub fn is_arrival(
    at: DateTime<Utc>,
    now: DateTime<Utc>,
    witnesses: impl FnOnce() -> [Option<DateTime<Utc>>; 2],
) -> bool {
    let agrees = |witness: Option<DateTime<Utc>>| witness.is_some_and(|witness| (witness - at).abs() <= TOLERANCE);
    let is_proved = || distrust(now, Witnesses::default()).is_some() || witnesses().into_iter().all(agrees);
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
        let why = distrust(at("1970-01-01T00:00:12Z"), Witnesses::default()).unwrap().to_string();
        assert!(why.starts_with("the clock of this machine says 1970-01-01, before"), "{why}");
    }

    #[test]
    fn a_clock_before_the_newest_instant_is_not_believed_and_one_hours_behind_is() {
        let newest = Witnesses { newest: Some(at("2026-11-20T10:00:00Z")), elapsed: None };
        assert_eq!(distrust(at("2026-11-20T08:00:00Z"), newest), None);
        assert_eq!(distrust(at("2026-12-24T08:00:00Z"), newest), None);
        assert!(distrust(at("2026-11-18T08:00:00Z"), newest).is_some());
        assert_eq!(distrust(at("2026-11-18T08:00:00Z"), Witnesses::default()), None);
    }

    #[test]
    fn a_clock_that_was_set_by_more_than_minutes_is_not_believed_until_a_server_says_the_same() {
        let elapsed = Some(at("2027-03-05T12:10:00Z"));
        let known = Witnesses { newest: Some(at("2027-03-05T12:00:00Z")), elapsed };
        for now in ["2031-01-01T00:00:00Z", "2027-03-05T12:20:01Z", "2027-03-05T11:59:59Z"] {
            let why = distrust(at(now), known).unwrap();
            assert_eq!(why, Distrust::Jumped { now: at(now), elapsed: at("2027-03-05T12:10:00Z") });
            assert!(why.to_string().ends_with("it is 2027-03-05 12:10 UTC"), "{why}");
            assert_eq!(look(at(now), known, None), Look::Doubted(why));
            assert_eq!(look(at(now), known, Some(at(now) - Duration::hours(2))), Look::Doubted(why));
            assert_eq!(look(at(now), known, Some(at(now) - Duration::minutes(50))), Look::Believed);
        }
        assert_eq!(look(at("2027-03-05T12:19:00Z"), known, None), Look::Believed);
    }

    #[test]
    fn what_is_dated_by_a_jump_is_no_reason_to_doubt_the_clock_that_agrees_with_the_time_that_passed() {
        let (now, later) = (at("2027-03-05T12:20:00Z"), at("2031-01-01T00:00:00Z"));
        let known = Witnesses { newest: Some(later), elapsed: Some(at("2027-03-05T12:20:03Z")) };
        assert_eq!(look(now, known, None), Look::RanAhead(later));
        assert_eq!(look(now, known, Some(at("2027-03-01T00:00:00Z"))), Look::RanAhead(later));
        for (known, arrival) in [(known, Some(later)), (Witnesses { elapsed: None, ..known }, None)] {
            assert!(matches!(look(now, known, arrival), Look::Doubted(Distrust::BeforeNewest { .. })), "{known:?}");
        }
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
