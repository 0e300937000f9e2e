//! Counting the days of one move.
//!
//! A day is charged for each midnight of the mover's own place between the day he received the move and the day he
//! answered (ICCF e-mail rules; "calendar difference"); nothing is charged before the start date.

use chrono::NaiveDate;

use super::rules::Ruleset;

/// The reflection time of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReflectionTime {
    /// Calendar days from receipt to answer, after the start clamp.
    pub raw: u32,
    /// Days charged by the rule set (doubling applied).
    pub charged: u32,
}

/// An answer sent before the move was received: never counted, always shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("sent {sent} lies before received {received}")]
pub struct SentBeforeReceived {
    /// The day of receipt.
    pub received: NaiveDate,
    /// The day of sending.
    pub sent: NaiveDate,
}

/// The time charged for a move received on one day and answered on another, both local to the mover.
///
/// # Errors
/// [`SentBeforeReceived`] when the dates are the wrong way round and not both before the start.
pub fn reflection_time(
    rules: &Ruleset,
    start: Option<NaiveDate>,
    received: NaiveDate,
    sent: NaiveDate,
) -> Result<ReflectionTime, SentBeforeReceived> {
    if sent < received && start.is_none_or(|start| received > start) {
        return Err(SentBeforeReceived { received, sent });
    }
    let clamp = |day: NaiveDate| start.map_or(day, |start| day.max(start));
    let raw = u32::try_from((clamp(sent) - clamp(received)).num_days()).unwrap_or(0);
    let doubled = rules.double_after.map_or(0, |limit| raw.saturating_sub(limit));
    Ok(ReflectionTime { raw, charged: raw.saturating_add(doubled) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::rules::RulesetChoice;

    fn days(rules: &str, start: &str, received: &str, sent: &str) -> Result<u32, SentBeforeReceived> {
        let rules = RulesetChoice::Name(rules.into()).resolve().unwrap();
        let day = |text: &str| text.parse().unwrap();
        reflection_time(&rules, Some(day(start)), day(received), day(sent)).map(|t| t.charged)
    }

    #[test]
    fn t01_to_t04_calendar_difference() {
        let plain = |received, sent| days("iccf-email-2000", "2000-01-01", received, sent).unwrap();
        assert_eq!(plain("2004-09-16", "2004-09-16"), 0, "T01");
        assert_eq!(plain("2004-09-16", "2004-09-17"), 1, "T02");
        assert_eq!(plain("2004-02-27", "2004-03-02"), 4, "T03, a leap year");
        assert_eq!(plain("2005-02-27", "2005-03-02"), 3, "T03, no leap year");
        assert_eq!(plain("2004-12-29", "2005-01-03"), 5, "T04");
    }

    #[test]
    fn t08_nothing_counts_before_the_start() {
        let from_start = |received, sent| days("iccf-email-2000", "2004-09-15", received, sent).unwrap();
        assert_eq!(from_start("2004-09-14", "2004-09-16"), 1);
        assert_eq!(from_start("2004-09-13", "2004-09-14"), 0);
        assert_eq!(from_start("2004-09-15", "2004-09-18"), 3, "White's first move counts from the start");
    }

    #[test]
    fn t11_an_answer_before_its_question_is_never_a_number() {
        assert!(days("iccf-email-2000", "2004-09-15", "2004-10-02", "2004-10-01").is_err());
    }

    #[test]
    fn t30_days_beyond_twenty_count_double_where_the_rules_say_so() {
        let from_first_of_march = |sent| days("iccf-email-2005", "2006-01-01", "2006-03-01", sent).unwrap();
        assert_eq!(from_first_of_march("2006-03-21"), 20);
        assert_eq!(from_first_of_march("2006-03-22"), 22);
        assert_eq!(from_first_of_march("2006-04-10"), 60);
        assert_eq!(
            days("iccf-email-2000", "2004-09-15", "2004-09-30", "2004-10-22").unwrap(),
            22,
            "T31, not doubled before 2005"
        );
        assert_eq!(days("iccf-email-2005", "2004-09-15", "2004-09-30", "2004-10-22").unwrap(), 24, "T31, doubled");
    }
}
