//! Counting the days of one move.
//!
//! A day is charged for each midnight of the mover's own place between the day he received the move and the day he
//! answered (ICCF e-mail rules); some rules count spans of 24 hours instead. Nothing is charged before the start or in
//! leave; leave is taken off before days are doubled (T32).
//! What will surprise you: where rules count hours and an instant is missing, the dates count, and the charge says so.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, TimeDelta};

use super::rules::{Accounting, DayCount, DoubleFrom, Ruleset};
use super::still::StandingStill;
use crate::languages::Language;

/// When something happened: the day that counts, and the instant where one is known that fits the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The day, local to the mover.
    pub day: NaiveDate,
    /// The instant.
    pub at: Option<DateTime<FixedOffset>>,
}

impl Moment {
    /// An instant at the mover's own place.
    pub fn of(at: DateTime<FixedOffset>) -> Moment {
        Moment { day: at.date_naive(), at: Some(at) }
    }
}

impl From<NaiveDate> for Moment {
    fn from(day: NaiveDate) -> Moment {
        Moment { day, at: None }
    }
}

/// How the days of a move were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// One day for each midnight of the mover's own place.
    Calendar,
    /// Whole spans of 24 hours.
    Hours,
    /// Less than 24 hours, which the rules leave free.
    WithinGrace,
    /// As [`Method::Calendar`], because the rules count hours and an instant is missing.
    CalendarForHours,
}

/// The reflection time of one move and how it came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// How `raw` was counted.
    pub method: Method,
    /// Calendar days before the start, which are not counted.
    pub before_start: u32,
    /// Days from receipt to answer, those before the start taken off.
    pub raw: u32,
    /// Days of leave among them.
    pub leave: u32,
    /// Days added because some count double.
    pub doubled: u32,
    /// The day of the reminder since which they do, where the rules have it so.
    pub reminded: Option<NaiveDate>,
    /// Days added as a penalty.
    pub penalty: u32,
    /// What of it is counted until an illegal move, where that is counted apart from what is since the notice of it.
    pub until_illegal: Option<Span>,
}

/// One of the spans that a charge is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Calendar days before the start, which are not counted.
    pub before_start: u32,
    /// Days, those before the start taken off.
    pub raw: u32,
    /// Days of leave among them.
    pub leave: u32,
    /// Days added because some of it count double.
    pub doubled: u32,
}

impl Charge {
    /// The days charged: those counted, less leave, with what is doubled and the penalty.
    pub fn days(&self) -> u32 {
        self.raw.saturating_sub(self.leave).saturating_add(self.doubled).saturating_add(self.penalty)
    }

    /// What it is counted from: one span, or where it is counted apart, the one until an illegal move and the one since the notice of it.
    pub fn spans(&self) -> (Span, Option<Span>) {
        let Charge { before_start, raw, leave, doubled, .. } = *self;
        let Some(first) = self.until_illegal else { return (Span { before_start, raw, leave, doubled }, None) };
        let since = Span {
            before_start: before_start.saturating_sub(first.before_start),
            raw: raw.saturating_sub(first.raw),
            leave: leave.saturating_sub(first.leave),
            doubled: doubled.saturating_sub(first.doubled),
        };
        (first, Some(since))
    }
}

/// `1 day`, `2 days`
pub fn in_words(days: u32) -> String {
    Language::English.days(days)
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

/// All that the time of one move depends on, besides its dates.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The event's start.
    pub start: Option<NaiveDate>,
    /// The mover's leave.
    pub still: &'a StandingStill,
    /// The day on which a reminder came to a mover who had not announced that he needs longer.
    pub reminded: Option<NaiveDate>,
}

impl Counting<'_> {
    /// The time charged for a move received at one moment and answered at another, both local to the mover.
    ///
    /// # Errors
    /// [`SentBeforeReceived`] when the dates are the wrong way round and not both before the start.
    pub fn charge(&self, received: Moment, sent: Moment) -> Result<Charge, SentBeforeReceived> {
        if sent.day < received.day && self.start.is_none_or(|start| received.day > start) {
            return Err(SentBeforeReceived { received: received.day, sent: sent.day });
        }
        let (first, end) = (self.not_before_start(received.day), self.not_before_start(sent.day));
        let calendar = days(first, end);
        let at_leave = self.still.days_between(first, end);
        let hours = self.time_between(received, sent);
        let (method, raw, leave) = match (self.rules.day_count, hours) {
            (DayCount::Calendar, _) => (Method::Calendar, calendar, at_leave),
            (DayCount::Floor24h | DayCount::Grace24h, None) => (Method::CalendarForHours, calendar, at_leave),
            (DayCount::Floor24h, Some(time)) => {
                let counted = whole_days(time.running);
                (Method::Hours, whole_days(time.all), whole_days(time.all).saturating_sub(counted))
            }
            (DayCount::Grace24h, Some(time)) if time.running < TimeDelta::days(1) => (Method::WithinGrace, 0, 0),
            (DayCount::Grace24h, Some(_)) => (Method::Calendar, calendar, at_leave),
        };
        let before_start = days(received.day, sent.day).saturating_sub(calendar);
        let doubled = self.doubled(first, end, raw.saturating_sub(leave));
        let is_reminded = doubled > 0 && self.rules.double_from == DoubleFrom::Reminder;
        let reminded = self.reminded.filter(|_| is_reminded);
        Ok(Charge { method, before_start, raw, leave, doubled, reminded, penalty: 0, until_illegal: None })
    }

    /// The time charged where an illegal move was sent first: `notice` is the day its sender learned of it, `legal` the day he sent a
    /// legal one (T80).
    ///
    /// Not doubled over the two spans together: each is a thought of its own. Where the legal move was sent before the notice came, its
    /// sender saw it himself, and the second span is nothing.
    ///
    /// # Errors
    /// As [`Counting::charge`], for either span.
    pub fn charge_with_illegal(
        &self,
        received: Moment,
        illegal: Moment,
        notice: Moment,
        legal: Moment,
    ) -> Result<Charge, SentBeforeReceived> {
        let penalty = self.rules.illegal.penalty_days;
        if legal.day < illegal.day {
            return Err(SentBeforeReceived { received: illegal.day, sent: legal.day });
        }
        let notice = if legal.day < notice.day { legal } else { notice };
        let charge = match self.rules.illegal.accounting {
            Accounting::Continuous => self.charge(received, legal)?,
            Accounting::Separate => {
                let (first, second) = (self.charge(received, illegal)?, self.charge(notice, legal)?);
                let Charge { method, before_start, raw, leave, doubled, .. } = first;
                Charge {
                    method,
                    until_illegal: Some(Span { before_start, raw, leave, doubled }),
                    before_start: before_start.saturating_add(second.before_start),
                    raw: raw.saturating_add(second.raw),
                    leave: leave.saturating_add(second.leave),
                    doubled: doubled.saturating_add(second.doubled),
                    reminded: first.reminded.or(second.reminded),
                    penalty: 0,
                }
            }
        };
        Ok(Charge { penalty, ..charge })
    }

    fn not_before_start(&self, day: NaiveDate) -> NaiveDate {
        self.start.map_or(day, |start| day.max(start))
    }

    /// Days that count once more: beyond `double_after`, or from a reminder on, but never more than lie beyond it.
    fn doubled(&self, first: NaiveDate, end: NaiveDate, counted: u32) -> u32 {
        let Some(limit) = self.rules.double_after else { return 0 };
        let beyond = counted.saturating_sub(limit);
        match (self.rules.double_from, self.reminded) {
            (DoubleFrom::Day, _) => beyond,
            (DoubleFrom::Reminder, None) => 0,
            (DoubleFrom::Reminder, Some(reminded)) => {
                let from = reminded.max(first);
                days(from, end).saturating_sub(self.still.days_between(from, end)).min(beyond)
            }
        }
    }

    /// The time from instant to instant, where both are known and in order; the start is the midnight it begins with, at the mover's
    /// place (its hour stands in no text).
    fn time_between(&self, received: Moment, sent: Moment) -> Option<Time> {
        let (from, to) = received.at.zip(sent.at)?;
        let zone = *to.offset();
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_local_timezone(zone).single();
        let start = self.start.and_then(midnight);
        let from = start.map_or(from, |start| start.max(from));
        let to = start.map_or(to, |start| start.max(to));
        let all = (to >= from).then(|| to - from)?;
        let at_leave = |(first, last): &(NaiveDate, NaiveDate)| {
            let (begins, ends) = (midnight(*first)?, midnight(last.succ_opt()?)?);
            Some((ends.min(to) - begins.max(from)).max(TimeDelta::zero()))
        };
        let leave: TimeDelta = self.still.spans().iter().filter_map(at_leave).sum();
        Some(Time { all, running: all - leave })
    }
}

/// A time from instant to instant.
struct Time {
    all: TimeDelta,
    /// Without leave.
    running: TimeDelta,
}

fn whole_days(time: TimeDelta) -> u32 {
    u32::try_from(time.num_days()).unwrap_or(0)
}

/// Midnights between two days, 0 where they are the wrong way round.
fn days(from: NaiveDate, to: NaiveDate) -> u32 {
    u32::try_from((to - from).num_days()).unwrap_or(0)
}
