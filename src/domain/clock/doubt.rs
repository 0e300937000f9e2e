//! What a person should look at in the dates and the leave of a game. Nothing is corrected by it, and settling a value silences it.
//!
//! Not covered: what a mail states of days and totals (the judge compares that as the mail comes in).

use std::fmt;

use chrono::NaiveDate;

use super::days::SentBeforeReceived;
use super::rules::Ruleset;
use super::still::StandingStill;
use crate::domain::game::{Leave, MoveNumber, MoveRecord, Side};
use crate::languages::Language;
use crate::say;

/// Something in the record that may be wrong or can be disputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubt {
    /// The move; `None` where it is about leave.
    pub number: Option<MoveNumber>,
    /// What it is.
    pub kind: DoubtKind,
}

/// What is doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubtKind {
    /// The mail before was booked as received later than the rules let a mail be under way (T12).
    Transit {
        /// The day the move before was sent.
        sent: NaiveDate,
        /// The day on which it is booked as received.
        received: NaiveDate,
        /// The latest day that the rules know.
        propose: NaiveDate,
    },
    /// The player's mail took longer to reach him than the rules know; his clock runs from the proposed day (T10).
    LateArrival {
        /// The stamp of the sender's server.
        sent: NaiveDate,
        /// The day our server took it.
        arrived: NaiveDate,
        /// The day from which the clock runs.
        propose: NaiveDate,
    },
    /// The mail before is booked as received before it was sent, by more than zones explain.
    ReceivedBeforeSent {
        /// The day the move before was sent.
        sent: NaiveDate,
        /// The day on which it is booked as received.
        received: NaiveDate,
    },
    /// The stated day of sending is not that of the mail's stamp (T51).
    SentDiffers {
        /// What the sender states; it counts.
        stated: NaiveDate,
        /// What the mail's Date says.
        stamped: NaiveDate,
    },
    /// The mail's Date cannot be true, and no day of sending is stated.
    DateNotBelieved {
        /// What it says.
        stamped: NaiveDate,
    },
    /// The answer is dated before the move it answers; no days are counted (T11).
    Reversed(SentBeforeReceived),
    /// Dates are missing, and no days are stated.
    NoDays,
    /// A leave that was not announced before it began, where the rules ask for that. It is counted, because the player entered it (T64).
    LateLeave(Leave),
    /// More leave in a calendar year than the rules give.
    LeaveBeyondQuota {
        /// Whose.
        side: Side,
        /// The year.
        year: i32,
        /// Days of leave in it.
        days: u32,
        /// Days that the rules give.
        allowed: u32,
    },
}

impl DoubtKind {
    /// In words of this language.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            DoubtKind::Transit { sent, received, propose } => say!(
                language,
                "the move sent {sent} is booked as received {received}; by the rules {propose} at the latest",
                sent,
                received,
                propose
            ),
            DoubtKind::LateArrival { sent, arrived, propose } => say!(
                language,
                "the mail is dated {sent} and arrived {arrived}; the rules count it as received {propose}",
                sent,
                arrived,
                propose
            ),
            DoubtKind::ReceivedBeforeSent { sent, received } => {
                say!(language, "booked as received {received}, but the move before was sent {sent}", received, sent)
            }
            DoubtKind::SentDiffers { stated, stamped } => {
                say!(
                    language,
                    "stated as sent {stated}, the mail is dated {stamped}; what is stated counts",
                    stated,
                    stamped
                )
            }
            DoubtKind::DateNotBelieved { stamped } => {
                say!(language, "the mail's Date, {stamped}, cannot be true; the day our server took it counts", stamped)
            }
            DoubtKind::Reversed(SentBeforeReceived { sent, received }) => {
                say!(language, "sent {sent} lies before received {received}; no days are counted", sent, received)
            }
            DoubtKind::NoDays => say!(language, "a date is missing, and no days are stated; no days are counted"),
            DoubtKind::LateLeave(Leave { side, from, to, announced: Some(day) }) => say!(
                language,
                "{name}'s leave from {from} to {to} was announced on {day}, after it began, and the rules want it announced before",
                name = side.name_in(language),
                from,
                to,
                day
            ),
            DoubtKind::LateLeave(Leave { side, from, to, announced: None }) => say!(
                language,
                "{name}'s leave from {from} to {to} was announced on no day that is on record, and the rules want it announced before",
                name = side.name_in(language),
                from,
                to
            ),
            DoubtKind::LeaveBeyondQuota { side, year, days, allowed } => say!(
                language,
                "{name} has {days} of leave in {year}; the rules give {allowed}",
                name = side.name_in(language),
                days = language.days(*days),
                year,
                allowed
            ),
        }
    }
}

impl fmt::Display for DoubtKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

/// What is doubtful about the two dates that a move states; `before` is the day the move before was sent, and the day that it was then
/// at the mover's place.
pub(super) fn of_dates(
    rules: &Ruleset,
    record: &MoveRecord,
    before: (Option<NaiveDate>, Option<NaiveDate>),
    is_mine: bool,
) -> Vec<DoubtKind> {
    let mut found = Vec::new();
    if let (Some(received), (Some(sent), Some(there)), None) = (record.claimed.received, before, record.agreed.received)
    {
        if let Some(propose) = rules.latest_receipt(there).filter(|latest| received > *latest) {
            found.push(DoubtKind::Transit { sent, received, propose });
        }
        if (sent - received).num_days() > 1 {
            found.push(DoubtKind::ReceivedBeforeSent { sent, received });
        }
    }
    if record.agreed.sent.is_none() && !is_mine {
        let stamp = record.observed.sent;
        let written = record.observed.sent_at.map(|at| at.date_naive());
        match (record.claimed.sent, stamp, written) {
            (Some(stated), Some(stamped), _) if stated != stamped => {
                found.push(DoubtKind::SentDiffers { stated, stamped });
            }
            (None, None, Some(stamped)) => found.push(DoubtKind::DateNotBelieved { stamped }),
            _ => {}
        }
    }
    found
}

/// Whether a leave was not announced before it began, where the rules ask for that.
pub fn is_late(rules: &Ruleset, leave: &Leave) -> bool {
    rules.leave.advance_notice_required && leave.announced.is_none_or(|announced| announced > leave.from)
}

/// What is doubtful about leave: announced late, or too much of it.
pub(super) fn of_leaves(rules: &Ruleset, leaves: &[Leave], still: &[(Side, StandingStill)]) -> Vec<DoubtKind> {
    let mut found: Vec<_> =
        Leave::standing(leaves).filter(|leave| is_late(rules, leave)).copied().map(DoubtKind::LateLeave).collect();
    for (side, still) in still {
        let Some(allowed) = rules.leave.days_per_year else { continue };
        let years = still.years().map(|year| (year, still.in_year(year))).filter(|(_, days)| *days > allowed);
        found.extend(years.map(|(year, days)| DoubtKind::LeaveBeyondQuota { side: *side, year, days, allowed }));
    }
    found
}
