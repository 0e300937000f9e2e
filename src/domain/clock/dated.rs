//! Which date of a move counts: settled, stated, seen by a server, or assumed, in this order.
//!
//! A stated date of the opponent's is never corrected here, only doubted ([`super::doubt`]); of the player's own mails the stamp goes
//! before what their text states, unless it is older: then a clock was wrong. Each date belongs to the calendar of its mover:
//! the opponent's is as he states it or as his mail's own offset has it (ICCF guideline 2j), the player's that of his time zone.

use std::cmp::Ordering;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, TimeDelta, Timelike};
use serde::{Deserialize, Serialize};

use super::days::Moment;
use super::rules::{Receipt, Ruleset};
use crate::domain::game::{MoveRecord, SentIllegal};

/// The first place on earth where a day begins: fourteen hours ahead of UTC.
const EASTERNMOST: i32 = 14 * 3600;

/// Where a date that counts comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateSource {
    /// Settled by the player, alone or with his opponent.
    Agreed,
    /// Stated by the mover.
    Stated,
    /// The Date header of the mail, in the sender's own offset (ICCF guideline 2j).
    Header,
    /// The day our server took the mail.
    Arrival,
    /// The day after that, as the rules allow the recipient (ICCF guideline 2g).
    NextDay,
    /// As late as the rules let a mail be under way; it took longer (T10).
    Transit,
    /// The event's start.
    Start,
    /// Nobody says: taken as the day the move before was sent (ICCF guideline 2i).
    Assumed,
    /// The same, where it was still a day earlier at the mover's place: nobody is charged for the day between two zones.
    EarlierThere,
    /// The same, where the instant of it is known, and it was a later day at the opponent's place.
    LaterThere,
    /// The day it was sent again: the first mail came back.
    Again,
}

impl DateSource {
    /// The source in words.
    pub fn words(self) -> &'static str {
        match self {
            DateSource::Agreed => "as entered",
            DateSource::Stated => "stated",
            DateSource::Header => "from the mail's Date",
            DateSource::Arrival => "when our server took the mail",
            DateSource::NextDay => "the day after our server took the mail",
            DateSource::Transit => "a mail may be under way no longer",
            DateSource::Start => "the start of the event",
            DateSource::Assumed => "assumed: the day it was sent",
            DateSource::EarlierThere => "assumed: the day it was sent, a day earlier at his place",
            DateSource::LaterThere => "assumed: the day of his place on which it was sent",
            DateSource::Again => "assumed: the day it was sent again, since the first mail came back",
        }
    }

    /// Whether nobody states it and no server saw it.
    pub fn is_assumed(self) -> bool {
        matches!(self, DateSource::Assumed | DateSource::EarlierThere | DateSource::LaterThere | DateSource::Again)
    }

    /// By which rule it counts.
    pub fn rule(self) -> &'static str {
        match self {
            DateSource::Agreed => "it was entered by hand, which goes before everything else",
            DateSource::Stated => "what the mover states counts unless another day was entered by hand",
            DateSource::Header => {
                "the day of the mail's Date counts, in his mail's own offset where it tells one, in your time zone of yours: none is stated, or it is your own mail as it was sent (ICCF guideline 2j)"
            }
            DateSource::Arrival => {
                "none is stated: the day our server took the mail counts (ICCF guideline 2g: from when it is available)"
            }
            DateSource::NextDay => {
                "you book a mail on the day after it came, as the rules of the event leave it to you"
            }
            DateSource::Transit => {
                "the mail took longer than the rules let one be under way: it counts from their last day"
            }
            DateSource::Start => "nothing is charged before the start of the event",
            DateSource::Assumed => "nobody says: the day the move before was sent counts (ICCF guideline 2i)",
            DateSource::EarlierThere => {
                "nobody says: the move before was sent on a day that had not begun at his place, and the day that it was there counts (each clock uses its owner's calendar)"
            }
            DateSource::LaterThere => {
                "nobody says: the day of his place on which the move before was sent counts (ICCF guideline 2i; each clock uses its owner's calendar)"
            }
            DateSource::Again => {
                "nobody says: the first mail came back, and a mail counts from when it is available, so from the day on which it was sent again (ICCF guideline 2g)"
            }
        }
    }
}

/// A date that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dated {
    /// The day, local to the mover.
    pub day: NaiveDate,
    /// Why this day.
    pub source: DateSource,
}

/// How the player books a mail that he answers, where the rules leave it to him.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Booking {
    /// On the day it came.
    #[default]
    SameDay,
    /// On the next one.
    NextDay,
}

/// A date that counts, with the instant that fits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timed {
    pub(super) date: Dated,
    pub(super) at: Option<DateTime<FixedOffset>>,
}

impl Timed {
    pub(super) fn new(day: NaiveDate, source: DateSource) -> Timed {
        Timed { date: Dated { day, source }, at: None }
    }

    pub(super) fn moment(self) -> Moment {
        Moment { day: self.date.day, at: self.at }
    }

    /// The same for an opponent at this offset: where the instant is known, the day that it was at his place.
    pub(super) fn there(self, his: Option<FixedOffset>) -> Timed {
        let day = self.at.zip(his).map(|(at, his)| at.with_timezone(&his).date_naive());
        let Some(day) = day.filter(|_| self.date.source == DateSource::Assumed) else { return self };
        let source = match day.cmp(&self.date.day) {
            Ordering::Less => DateSource::EarlierThere,
            Ordering::Equal => return self,
            Ordering::Greater => DateSource::LaterThere,
        };
        Timed { date: Dated { day, source }, ..self }
    }
}

/// The record of the opponent's move without the day of a Date that cannot be true: the move that it answers, of which `waiting` is known,
/// was not sent by then. Where the instant of that move is not known, no answer is of a day before it in the player's own calendar, which is
/// that of the arrival. Then the next source counts.
pub(super) fn believed(record: &MoveRecord, waiting: Option<Timed>) -> MoveRecord {
    let mut believed = *record;
    let Some(mine) = waiting.filter(|waiting| waiting.date.source == DateSource::Assumed) else { return believed };
    let observed = &mut believed.observed;
    let there = mine.there(observed.sent_at.map(|at| *at.offset()));
    if let Some(stamp) = observed.sent.filter(|stamp| *stamp < there.date.day) {
        let home = observed.arrived_at.map(|at| *at.offset()).or_else(|| FixedOffset::east_opt(EASTERNMOST));
        let can_be = match (observed.sent_at, mine.at) {
            (Some(at), Some(mine)) => at >= mine,
            (Some(at), None) => home.is_none_or(|home| at.with_timezone(&home).date_naive() >= mine.date.day),
            (None, _) => stamp.succ_opt() == Some(mine.date.day),
        };
        observed.sent = observed.sent.filter(|_| can_be);
    }
    believed
}

/// When the mover sent it. What only our own server saw stands in for an opponent's date, since mail is under way for no day.
pub(super) fn sent(record: &MoveRecord, is_mine: bool) -> Option<Timed> {
    let observed = &record.observed;
    let is_alone = !observed.is_of_mail();
    let stamp = observed.sent_at.filter(|at| is_alone || observed.sent == Some(at.date_naive()));
    let at = |day: NaiveDate| stamp.filter(|at| at.date_naive() == day);
    let settled = record.agreed.sent.map(|day| Timed::new(day, DateSource::Agreed));
    let stated = record.claimed.sent.map(|day| Timed { at: at(day), ..Timed::new(day, DateSource::Stated) });
    let header = observed.sent.map(|day| Timed { at: at(day), ..Timed::new(day, DateSource::Header) });
    let arrived = || {
        let day = observed.arrived.filter(|_| record.claimed.days.is_none())?;
        Some(Timed { at: observed.arrived_at, ..Timed::new(day, DateSource::Arrival) })
    };
    // of his own mail the player has the copy: what its draft stated is no more than a plan, which no mail goes out before
    let planned = record.claimed.sent.max(record.claimed.received);
    let later = header.filter(|stamp| planned.is_none_or(|day| stamp.date.day >= day));
    let sent = if is_mine { later.or(stated) } else { stated.or(header) };
    settled.or(sent).or_else(arrived)
}

/// When the mover received the move before, of which `waiting` is known; `his` is the opponent's place where he is the mover. A day
/// that he states after that of his `illegal` move is the day of the notice of it, not this one.
pub(super) fn received(
    record: &MoveRecord,
    waiting: Option<Timed>,
    sent: Option<Timed>,
    illegal: Option<&SentIllegal>,
    his: Option<FixedOffset>,
) -> Option<Timed> {
    let settled = record.agreed.received.map(|day| Timed::new(day, DateSource::Agreed));
    let stated = record.claimed.received.filter(|day| !illegal.is_some_and(|illegal| illegal.is_of_notice(*day)));
    let stated = stated.map(|day| Timed::new(day, DateSource::Stated));
    let there = waiting.map(|waiting| waiting.there(his));
    // he may write the day that it was at his place, or that of the mail
    let of_day = |day: NaiveDate| [there, waiting].into_iter().flatten().find(|waiting| waiting.date.day == day);
    let fits = |timed: Timed| Timed { at: of_day(timed.date.day).and_then(|waiting| waiting.at), ..timed };
    let assumed = waiting.map(|waiting| assumed(waiting, sent.map(|sent| sent.date.day), his));
    settled.or(stated).map(fits).or(assumed)
}

/// The receipt that stands in where none is stated, for an answer sent on `sent`: the day that it was at `his` place where the move
/// before was sent, unless the answer is of an earlier one; where no instant tells it, and the answer is of the day before, that day.
pub(super) fn assumed(waiting: Timed, sent: Option<NaiveDate>, his: Option<FixedOffset>) -> Timed {
    let there = waiting.there(his);
    if sent.is_none_or(|sent| sent >= there.date.day) {
        return there;
    }
    let day_between = sent.filter(|sent| sent.succ_opt() == Some(waiting.date.day));
    match day_between.filter(|_| waiting.date.source == DateSource::Assumed) {
        Some(sent) => Timed::new(sent, DateSource::EarlierThere),
        None => waiting,
    }
}

/// When the other side can have received this move: the player by what his server saw, the opponent by the day it was sent.
pub(super) fn availability(rules: &Ruleset, record: &MoveRecord, sent: Option<Timed>, is_mine: bool) -> Option<Timed> {
    let assumed = sent.map(|sent| Timed { date: Dated { source: DateSource::Assumed, ..sent.date }, ..sent });
    let Some(arrived) = record.observed.arrived.filter(|_| !is_mine) else { return assumed };
    let at = record.observed.arrived_at;
    let latest = latest_receipt(rules, record);
    Some(match latest {
        Some(latest) if latest < arrived => Timed::new(latest, DateSource::Transit),
        _ => Timed { at, ..Timed::new(arrived, DateSource::Arrival) },
    })
}

/// The last day on which the rules let this mail be received: counted from the day that was settled for it, else from its stamp where it took
/// longer than that, and not where only the calendars of two places lie apart.
fn latest_receipt(rules: &Ruleset, record: &MoveRecord) -> Option<NaiveDate> {
    let most = rules.max_transit_days?;
    let observed = &record.observed;
    let took = observed.arrived_at.zip(observed.sent_at).map(|(arrived, sent)| arrived - sent);
    let is_within = took.is_some_and(|took| took <= TimeDelta::days(i64::from(most)));
    rules.latest_receipt(record.agreed.sent.or(observed.sent.filter(|_| !is_within))?)
}

/// The day from which the transit of this mail of the opponent's counts: that of sending which counts, or an earlier one of its stamp, in
/// the player's own calendar where the instant is known (T10).
pub(super) fn under_way_from(record: &MoveRecord, sent: Option<Timed>) -> Option<NaiveDate> {
    let observed = &record.observed;
    let here = |day: NaiveDate| {
        let at = observed.sent_at.filter(|at| at.date_naive() == day).zip(observed.arrived_at);
        at.map_or(day, |(at, arrived)| at.with_timezone(arrived.offset()).date_naive())
    };
    let stamp = observed.sent.filter(|_| record.agreed.sent.is_none());
    sent.map(|sent| sent.date.day).into_iter().chain(stamp).map(here).min()
}

impl Receipt {
    /// The latest day on which the recipient may book a mail that was available at this time of his own place.
    pub fn latest(self, available: NaiveDateTime) -> NaiveDate {
        let day = available.date();
        let may_wait = match self {
            Receipt::Exact => false,
            Receipt::NextDayOptional => true,
            Receipt::AfterHourOptional { hour, inclusive } => {
                let sharp = available.hour() == hour && available.minute() == 0 && available.second() == 0;
                available.hour() >= hour && (inclusive || !sharp)
            }
        };
        if may_wait { day.succ_opt().unwrap_or(day) } else { day }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::game::{Observed, Stated};

    #[test]
    fn the_stamp_of_his_own_mail_counts_unless_it_is_older_than_what_the_mail_states() {
        let day = |day: &str| Some(format!("2026-11-{day}").parse::<NaiveDate>().unwrap());
        let counted = |received, stated, stamp| {
            let claimed = Stated { received, sent: stated, ..Stated::default() };
            let observed = Observed { sent: stamp, ..Observed::default() };
            let record = MoveRecord { observed, ..MoveRecord::claimed("5755".parse().unwrap(), claimed) };
            sent(&record, true).map(|timed| (timed.date.day, timed.date.source))
        };
        let (stated, header) = (DateSource::Stated, DateSource::Header);
        assert_eq!(counted(day("20"), day("22"), day("24")), day("24").map(|day| (day, header)));
        assert_eq!(counted(day("20"), day("22"), day("22")), day("22").map(|day| (day, header)));
        assert_eq!(counted(day("20"), day("22"), day("02")), day("22").map(|day| (day, stated)));
        assert_eq!(counted(day("20"), None, day("02")), None);
        assert_eq!(counted(None, None, day("02")), day("02").map(|day| (day, header)));
    }
}
