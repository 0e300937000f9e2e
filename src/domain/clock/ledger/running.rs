//! The clock that runs: what an answer would be charged, what is left, and by whose midnights.
//!
//! An instant becomes a day by the calendar of the side whose clock runs: the player's own place, or the offset of the opponent's last
//! mail (ICCF guideline 2j; each clock uses its owner's local date). Here alone the figures of a running clock are made.
//! What will surprise you: where nobody knows the opponent's place, the day of the caller counts; whoever claims asks
//! [`Ledger::at_the_latest`] too.

use chrono::{DateTime, Days, FixedOffset, NaiveDate, NaiveTime, TimeDelta, Utc};

use super::{DateSource, Dated, Ledger, Limit, Timed};
use crate::domain::clock::again::Lost;
use crate::domain::clock::days::{Charge, Moment};
use crate::domain::clock::rules::{Accounting, DayCount, Receipt};
use crate::domain::game::{Side, Stated};

/// The last place on earth where a day ends: twelve hours after UTC.
const LAST_PLACE: i32 = -12 * 3600;
/// How far clocks are set back at the end of summer time.
const SUMMER_TIME: TimeDelta = TimeDelta::hours(1);

/// How a running clock goes where the rules count hours and the instant of receipt is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hours {
    /// A day is a span of 24 hours since this instant.
    Spans(DateTime<Utc>),
    /// Nothing is charged before this instant, then the calendar counts.
    FreeUntil(DateTime<Utc>),
}

/// One side's clock at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Charged for the moves made.
    pub days_used: u32,
    /// Charged so far for the move being thought about; 0 for the side that waits.
    pub days_this_move: u32,
    /// What is left up to the next limit: of the control, or of the move being thought about where that is less. Negative once
    /// overstepped; `None` without a limit.
    pub days_left: Option<i64>,
    /// The number of the move that completes that control, or of the one being thought about; `None` without a limit.
    pub until_move: Option<u32>,
    /// Which limit that is.
    pub limit: Option<Limit>,
    /// Days of moves are not on record: it has used at least so many, and has at most so many left.
    pub is_partial: bool,
}

impl Clock {
    /// What is left, where that is known: all days are on record, or those that are have overstepped the limit.
    pub fn known_left(&self) -> Option<i64> {
        self.days_left.filter(|left| !self.is_partial || *left < 0)
    }
}

impl Ledger {
    /// When the side on the move can have the last move, for an answer on a day if one is meant: not before it went out again, where the
    /// first mail came back and nobody answered that.
    pub(super) fn waiting_for(&self, answered: Option<NaiveDate>) -> Option<Timed> {
        let first = self.waiting?;
        let again = self
            .lost()
            .and_then(Lost::counted_from)
            .filter(|again| *again >= first.date.day && answered.is_none_or(|day| *again <= day));
        Some(again.map_or(first, |again| Timed::new(again, DateSource::Again)))
    }

    /// What answering at a moment would cost the side on the move: its received day, days and total.
    ///
    /// A day alone is counted by dates, also where the rules count hours: that is never less.
    pub fn answer_on(&self, moment: impl Into<Moment>) -> Answer {
        let moment = moment.into();
        let days = self.cost_of(moment);
        let side = self.due().side;
        let received = self.received_before(moment.day);
        let total = days.filter(|_| !self.is_partial(side)).map(|days| self.total(side).saturating_add(days));
        Answer { sent: moment.day, received, days, total }
    }

    fn cost_of(&self, moment: Moment) -> Option<u32> {
        self.running_charge(moment).map(|charge| charge.days())
    }

    /// How the move that is thought about is charged at a moment of its side's own place.
    pub fn running_charge(&self, moment: Moment) -> Option<Charge> {
        self.charge(self.receipt(Some(moment.day))?.moment(), moment).ok()
    }

    /// The same clocks with the player's last mail booked by the opponent as late as the rules leave it to him (ICCF guidelines 2g and 2l),
    /// and that day; `None` where they do not. Where the hour at his place is not known, it may have been a late one. A move that he may
    /// have missed he may have since it went out again only.
    pub fn booked_by_him(&self) -> Option<(Ledger, NaiveDate)> {
        let receipt =
            self.receipt(None).filter(|receipt| self.is_his_turn() && receipt.date.source != DateSource::Start)?;
        let again = self.lost().and_then(|lost| lost.again).filter(|again| *again > receipt.date.day);
        let latest = match (self.rules.receipt, receipt.at.zip(self.his_offset)) {
            (Receipt::Exact, _) => again,
            (rule, Some((at, his))) if again.is_none() => Some(rule.latest(at.with_timezone(&his).naive_local())),
            (_, _) => again.unwrap_or(receipt.date.day).succ_opt(),
        };
        let day = latest.filter(|day| *day > receipt.date.day)?;
        let booked = Some(Dated { day, source: DateSource::NextDay });
        Some((Ledger { booked, ..self.clone() }, day))
    }

    /// A day on which the player would book the last mail, or the last one on which the rules let him.
    pub(super) fn within_transit(&self, day: NaiveDate) -> NaiveDate {
        let latest = self.under_way_from.and_then(|sent| self.rules.latest_receipt(sent));
        latest.map_or(day, |latest| day.min(latest))
    }

    /// The same clocks with the opponent's last mail, which the player has before him, booked by the player on the day after he could read
    /// it, as the rules leave it to him, and that day; `None` where they do not, or he books it so already.
    pub fn booked_by_me(&self) -> Option<(Ledger, NaiveDate)> {
        let receipt = self.receipt(None).filter(|_| !self.is_his_turn() && self.booked.is_none())?.date;
        let latest = match (receipt.source, self.available.zip(self.home)) {
            (DateSource::Arrival, Some((at, home))) => {
                self.within_transit(self.rules.receipt.latest(at.with_timezone(&home).naive_local()))
            }
            (DateSource::Arrival | DateSource::Assumed, _) if self.rules.receipt == Receipt::NextDayOptional => {
                receipt.day.succ_opt()?
            }
            _ => return None,
        };
        let booked = Some(Dated { day: latest, source: DateSource::NextDay });
        (latest > receipt.day).then(|| (Ledger { booked, ..self.clone() }, latest))
    }

    /// The clock of `side` at a moment, or on a day of its own place; `to_move` is the side whose clock runs, `None` in a finished game.
    pub fn clock(&self, side: Side, to_move: Option<Side>, moment: impl Into<Moment>) -> Clock {
        let thinking = to_move == Some(side);
        let moment = self.local(side, moment.into());
        let days_this_move = if thinking { self.answer_on(moment).days.unwrap_or(0) } else { 0 };
        let count = &self.half(side).count;
        let left = if to_move.is_some() { count.left_for_next() } else { count.left() };
        let skipped = match (self.first.side, side) {
            (Side::Black, Side::White) => self.first.number,
            _ => self.first.number.saturating_sub(1),
        };
        Clock {
            days_used: count.used(),
            days_this_move,
            days_left: left.map(|left| left.behind(days_this_move)),
            until_move: left.map(|left| left.until.saturating_add(skipped)),
            limit: left.map(|left| left.limit),
            is_partial: self.is_partial(side),
        }
    }

    /// What the next limit leaves a side for a move that it is to think about, before it has taken a day; negative where the moves before
    /// exceed it, and whether it is one of the last moves together. `None` without a limit.
    pub fn allowed(&self, side: Side) -> Option<(i64, bool)> {
        let left = self.half(side).count.left_for_next()?;
        Some((left.days, left.limit == Limit::Window))
    }

    /// The offset from UTC of the opponent's place, as his last mail with a Date has it.
    pub fn his_offset(&self) -> Option<FixedOffset> {
        self.his_offset
    }

    /// The same moment by the calendar of a side's own place, as far as that is known.
    pub fn local(&self, side: Side, moment: Moment) -> Moment {
        match (moment.at, self.his_offset) {
            (Some(at), Some(offset)) if side != self.me => Moment::of(at.with_timezone(&offset)),
            _ => moment,
        }
    }

    /// The earliest that it can be for the opponent, for what must not be said too early: by his own calendar, or where his place is
    /// not known by that of the last place on earth. Where hours are counted and the instant of receipt is not known, he may have
    /// received the move as late as the end of that day. His clocks may have been set back by an hour since his last mail.
    pub fn at_the_latest(&self, now: DateTime<Utc>) -> Moment {
        let now = if self.is_by_dates() && self.his_offset.is_some() { now - SUMMER_TIME } else { now };
        let place = self.his_offset.or_else(|| FixedOffset::east_opt(LAST_PLACE));
        let there = place.map_or(now.fixed_offset(), |place| now.with_timezone(&place));
        match there.date_naive().pred_opt().filter(|_| !self.is_by_dates() && self.received_at().is_none()) {
            Some(day) => day.into(),
            None => Moment::of(there),
        }
    }

    /// The first minute, at the player's place, in which it is certain by the clock that the side on the move has overstepped with the move
    /// that it thinks about: wherever the opponent lives ([`Ledger::at_the_latest`]), and however late the rules let the mail before be
    /// booked ([`Ledger::booked_by_him`], [`Ledger::booked_by_me`]). `None` without a limit, where nobody knows since when it thinks, and of
    /// the player where the rules leave him nothing to book: then it is certain at once.
    pub fn certainly_over_from(&self) -> Option<DateTime<FixedOffset>> {
        let side = self.due().side;
        let latest = self.booked_latest()?;
        let is_over = |now| latest.over_by(now).is_some();
        // nowhere, and by none of these reserves, is a day over later than four days after it began
        let midnight = latest.last_safe_day(side)?.and_time(NaiveTime::MIN).and_utc();
        let mut before = midnight.checked_sub_signed(TimeDelta::days(2))?;
        let mut over = midnight.checked_add_signed(TimeDelta::days(4))?;
        while over - before > TimeDelta::minutes(1) {
            let middle = before + TimeDelta::minutes((over - before).num_minutes() / 2);
            if is_over(middle) { over = middle } else { before = middle }
        }
        Some(self.at_home_of_player(over.fixed_offset()))
    }

    /// By how many days it is certain at an instant that the side on the move has overstepped, by the same reserves; `None` where it is not.
    pub fn certainly_over_by(&self, now: DateTime<Utc>) -> Option<u32> {
        match self.booked_latest() {
            Some(latest) => latest.over_by(now),
            None => self.over_by(now),
        }
    }

    /// The same clocks with the mail before booked as late as the rules let it be; `None` of the player where they leave him nothing to book.
    fn booked_latest(&self) -> Option<Ledger> {
        match self.is_his_turn() {
            true => Some(self.booked_by_him().map_or_else(|| self.clone(), |(latest, _)| latest)),
            false => Some(self.booked_by_me()?.0),
        }
    }

    /// By how many days the side on the move has overstepped at an instant, which is as early a day for it as it can be.
    fn over_by(&self, now: DateTime<Utc>) -> Option<u32> {
        let side = self.due().side;
        let there = match self.is_his_turn() {
            true => self.at_the_latest(now),
            false => Moment::of(self.at_place(now.fixed_offset())),
        };
        let left = self.clock(side, Some(side), there).days_left.filter(|left| *left < 0)?;
        u32::try_from(left.unsigned_abs()).ok()
    }

    /// Whether `side`, which is on the move, may send on a day without exceeding a limit.
    pub fn is_safe(&self, side: Side, day: NaiveDate) -> bool {
        self.clock(side, Some(side), self.judged(day)).days_left.is_none_or(|left| left >= 0)
    }

    /// Whether the player's last move, which the opponent has before him, went out again, and why.
    pub fn lost(&self) -> Option<Lost> {
        Lost::among(&self.notes, self.plies.len()).filter(|_| self.is_his_turn())
    }

    /// Whether the rules count dates, and no hours.
    pub fn is_by_dates(&self) -> bool {
        self.rules.day_count == DayCount::Calendar
    }

    /// The instant at which the side on the move received the last one, where it counts.
    fn received_at(&self) -> Option<DateTime<FixedOffset>> {
        self.receipt(None).and_then(|receipt| receipt.at)
    }

    /// How the hours of the running clock are counted; `None` where only dates count.
    pub fn hours(&self) -> Option<Hours> {
        let is_split = self.illegal_before_due().is_some() && self.rules.illegal.accounting == Accounting::Separate;
        let at = self.received_at().filter(|_| !is_split)?;
        let start = self.start.and_then(|start| self.begins(start)).map_or(at, |start| start.max(at));
        match self.rules.day_count {
            DayCount::Calendar => None,
            DayCount::Grace24h => Some(Hours::FreeUntil(self.running_for(start, TimeDelta::days(1))?.to_utc())),
            DayCount::Floor24h => {
                let day = self.at_place(start).date_naive();
                let spans = self.half(self.due().side).still.spans();
                let at_leave = spans.iter().find(|(from, to)| (*from..=*to).contains(&day));
                let back = at_leave.and_then(|(_, to)| self.begins(to.succ_opt()?)).unwrap_or(start);
                Some(Hours::Spans(back.to_utc()))
            }
        }
    }

    /// The instant by which the running clock has run so long from another one on: it stands still in leave.
    fn running_for(&self, mut from: DateTime<FixedOffset>, mut left: TimeDelta) -> Option<DateTime<FixedOffset>> {
        for (first, last) in self.half(self.due().side).still.spans() {
            let (begins, ends) = (self.begins(*first)?, self.begins(last.succ_opt()?)?);
            if ends <= from {
                continue;
            }
            let until = (begins - from).max(TimeDelta::zero());
            if until >= left {
                break;
            }
            (from, left) = (ends, left - until);
        }
        Some(from + left)
    }

    /// An instant at the place of the side on the move, as far as that is known.
    pub fn at_place(&self, at: DateTime<FixedOffset>) -> DateTime<FixedOffset> {
        match (self.due().side == self.me, self.home, self.his_offset) {
            (true, Some(home), _) | (false, Some(home), None) => at.with_timezone(&home).fixed_offset(),
            (false, _, Some(offset)) => at.with_timezone(&offset),
            (_, None, _) => at,
        }
    }

    /// An instant by the player's own clock, as far as his place is known.
    pub fn at_home_of_player(&self, at: DateTime<FixedOffset>) -> DateTime<FixedOffset> {
        self.home.map_or_else(|| self.at_place(at), |home| at.with_timezone(&home).fixed_offset())
    }

    /// The midnight with which a day begins at the place of the side on the move.
    pub fn begins(&self, day: NaiveDate) -> Option<DateTime<FixedOffset>> {
        let midnight = day.and_time(NaiveTime::MIN);
        match (self.due().side == self.me, self.home, self.his_offset) {
            (true, Some(home), _) | (false, Some(home), None) => {
                midnight.and_local_timezone(home).earliest().map(|at| at.fixed_offset())
            }
            (false, _, Some(offset)) => midnight.and_local_timezone(offset).single(),
            (_, None, _) => midnight.and_local_timezone(*self.received_at()?.offset()).single(),
        }
    }

    /// A day as it is judged whether a side may still send on it. Under rules that count hours the player is safe until its end, and
    /// his opponent oversteps no earlier than at its beginning.
    pub fn judged(&self, day: NaiveDate) -> Moment {
        let begins = self.begins(day).filter(|_| self.due().side != self.me && self.hours().is_some());
        begins.map_or(day.into(), Moment::of)
    }

    /// The last day on which `side` may send without exceeding a limit (T22, T23); the day of receipt where none is left. `None` for the
    /// side that waits, without a limit, or where nobody knows since when it thinks or what it has used.
    pub fn last_safe_day(&self, side: Side) -> Option<NaiveDate> {
        if self.is_partial(side) {
            return None;
        }
        let left = self.half(side).count.left_for_next().filter(|_| self.due().side == side)?;
        let since = self.waiting_since()?.day;
        let first = self.start.map_or(since, |start| start.max(since));
        // no legal move was sent before the illegal one, and the days until it was noticed may cost nothing
        let illegal = self.illegal_before_due();
        let first = illegal.map_or(first, |illegal| first.max(illegal.sent));
        let until_noticed = illegal.map_or(0, |illegal| (illegal.noticed - illegal.sent).num_days());
        let until_noticed = u64::try_from(until_noticed).unwrap_or(0);
        // each day costs at least one, unless it is one of leave
        let still = &self.half(side).still;
        let at_leave = still.days_between(first, NaiveDate::MAX);
        let most = u64::try_from(left.days).unwrap_or(0).saturating_add(u64::from(at_leave)).saturating_add(1);
        // where hours are counted, the first of them may be free
        let most = most.saturating_add(until_noticed).saturating_add(u64::from(self.hours().is_some()));
        let is_safe = |days: u64| {
            let day = first.checked_add_days(Days::new(days));
            day.and_then(|day| self.cost_of(self.judged(day))).is_some_and(|cost| left.behind(cost) >= 0)
        };
        // the cost never falls from one day to the next
        let (mut safe, mut late) = (0, most);
        if !is_safe(safe) {
            return Some(since);
        }
        while late - safe > 1 {
            let middle = safe + (late - safe) / 2;
            if is_safe(middle) { safe = middle } else { late = middle }
        }
        first.checked_add_days(Days::new(safe))
    }
}

/// What an answer at a moment is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Its day.
    pub sent: NaiveDate,
    /// The day the move before was received.
    pub received: Option<Dated>,
    /// Days for the move; `None` when the day of receipt is unknown or later.
    pub days: Option<u32>,
    /// Days of the side including this move; `None` where not all of them are on record.
    pub total: Option<u32>,
}

impl Answer {
    /// The same as it is stated in the answer itself.
    pub fn stated(&self) -> Stated {
        Stated { received: self.stated_receipt(), sent: Some(self.sent), days: self.days, total: self.total }
    }

    /// The day of receipt as the answer states it; nothing where there was no move to receive and the clock began with the event.
    pub fn stated_receipt(&self) -> Option<NaiveDate> {
        self.received.filter(|received| received.source != DateSource::Start).map(|received| received.day)
    }
}
