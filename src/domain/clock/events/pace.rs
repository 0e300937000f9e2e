//! How the clock of the side on the move runs: what an answer on each day would be charged, as runs of equal days.
//!
//! Asked of the ledger day by day and kept short, so that a day's figures can be told later without the moves of the game; where the
//! rules count hours, span by span beside it. An instant is taken by the calendar of the side on the move.
//! What will surprise you: it ends; after [`Pace::until`] the ledger has to be asked again.

use chrono::{DateTime, Days, FixedOffset, NaiveDate, TimeDelta, Utc};

use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::{Hours, Ledger};

/// How far ahead of today the days are counted out.
const HORIZON: Days = Days::new(1000);

/// What an answer is charged, by the day it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    from: NaiveDate,
    /// How many days of this length follow, and what each of them is charged.
    runs: Vec<(u32, u32)>,
    /// The place of an opponent who is on the move, where it is known.
    pub(in crate::domain) place: Option<FixedOffset>,
    /// How its instants are counted, where the rules count hours.
    pub(in crate::domain) by_hours: Option<ByHours>,
}

/// What an answer is charged by its instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByHours {
    /// Nothing before this instant, then by its day.
    FreeUntil(DateTime<Utc>),
    /// So many spans of 24 hours from this instant on, and what each of them is charged when it is over.
    Spans(DateTime<Utc>, Vec<(u32, u32)>),
}

impl ByHours {
    fn of(ledger: &Ledger, until: NaiveDate) -> Option<ByHours> {
        let since = match ledger.hours()? {
            Hours::FreeUntil(free) => return Some(ByHours::FreeUntil(free)),
            Hours::Spans(since) => since,
        };
        let (mut runs, mut before, mut at) = (Vec::new(), 0, since);
        while at.date_naive() < until {
            at += TimeDelta::days(1);
            let moment = Moment::of(ledger.at_place(at.fixed_offset()));
            let charged = ledger.answer_on(moment).days.unwrap_or(before);
            push(&mut runs, 1, charged.saturating_sub(before));
            before = charged;
        }
        Some(ByHours::Spans(since, runs))
    }
}

impl Pace {
    /// The pace of the move being thought about, up to 1000 days from `today` on; `None` where nobody knows when he received
    /// the last one, and where the game is decided.
    pub fn of(ledger: &Ledger, today: NaiveDate) -> Option<Pace> {
        let from = ledger.waiting_since().filter(|_| ledger.goes_on())?.day;
        let until = from.max(today).checked_add_days(HORIZON)?;
        let (mut runs, mut before) = (Vec::new(), 0);
        let mut day = from;
        while day < until {
            day = day.succ_opt()?;
            let charged = ledger.answer_on(day).days.unwrap_or(before);
            push(&mut runs, 1, charged.saturating_sub(before));
            before = charged;
        }
        let place = ledger.his_offset().filter(|_| ledger.is_his_turn());
        Some(Pace { from, runs, place, by_hours: ByHours::of(ledger, until) })
    }

    /// A pace of these runs, by days alone.
    pub fn of_runs(from: NaiveDate, runs: Vec<(u32, u32)>) -> Pace {
        Pace { from, runs, place: None, by_hours: None }
    }

    /// The day he received the last move.
    pub fn from(&self) -> NaiveDate {
        self.from
    }

    /// How many days follow each other that are charged the same, and what each is charged.
    pub fn runs(&self) -> &[(u32, u32)] {
        &self.runs
    }

    /// The last day that it tells of.
    pub fn until(&self) -> NaiveDate {
        let days = self.runs.iter().map(|(days, _)| u64::from(*days)).sum();
        self.from.checked_add_days(Days::new(days)).unwrap_or(NaiveDate::MAX)
    }

    /// The day that it is for the side on the move.
    fn day_of(&self, moment: Moment) -> NaiveDate {
        moment.at.zip(self.place).map_or(moment.day, |(at, place)| at.with_timezone(&place).date_naive())
    }

    /// What an answer at this moment, or on this day of the mover's own place, is charged; nothing before the receipt.
    pub fn charged(&self, moment: impl Into<Moment>) -> u32 {
        let moment = moment.into();
        match (&self.by_hours, moment.at) {
            (Some(ByHours::Spans(since, runs)), Some(at)) => charged(runs, (at.to_utc() - *since).num_days()),
            (Some(ByHours::FreeUntil(free)), Some(at)) if at.to_utc() < *free => 0,
            _ => charged(&self.runs, (self.day_of(moment) - self.from).num_days()),
        }
    }

    /// The last day on which no more than `allowed` is charged: the day of receipt where even that is too much, `None` where no
    /// day within reach is.
    pub fn last_day_within(&self, allowed: i64) -> Option<NaiveDate> {
        self.from.checked_add_signed(TimeDelta::days(days_within(&self.runs, allowed)?))
    }

    /// The first day that counts double; `None` where none does.
    pub fn first_doubled(&self) -> Option<NaiveDate> {
        self.from.checked_add_signed(TimeDelta::days(single(&self.runs)? + 1))
    }

    /// The instant from which spans of 24 hours count double; `None` where none does, or days are counted.
    pub(super) fn first_doubled_span(&self) -> Option<DateTime<Utc>> {
        match self.by_hours.as_ref()? {
            ByHours::FreeUntil(_) => None,
            ByHours::Spans(since, runs) => Some(*since + TimeDelta::days(single(runs)? + 1)),
        }
    }
}

/// How many of these days are charged no more than `allowed` together: none where even nothing is too much, `None` where all of them
/// are.
pub(super) fn days_within(runs: &[(u32, u32)], allowed: i64) -> Option<i64> {
    let (mut within, mut left) = (0, allowed);
    for (days, charge) in runs {
        let fit = left.checked_div(i64::from(*charge)).map_or(i64::from(*days), |fit| fit.max(0));
        let taken = fit.min(i64::from(*days));
        within += taken;
        left -= taken * i64::from(*charge);
        if taken < i64::from(*days) {
            return Some(within);
        }
    }
    None
}

/// How many days go before the first that counts double.
fn single(runs: &[(u32, u32)]) -> Option<i64> {
    let single = runs.iter().position(|(_, charge)| *charge >= 2)?;
    Some(runs.iter().take(single).map(|(days, _)| i64::from(*days)).sum())
}

fn push(runs: &mut Vec<(u32, u32)>, days: u32, charge: u32) {
    match runs.last_mut() {
        Some((length, same)) if *same == charge => *length = length.saturating_add(days),
        _ => runs.push((days, charge)),
    }
}

/// What the first `days` of these runs are charged.
fn charged(runs: &[(u32, u32)], days: i64) -> u32 {
    let mut left = u32::try_from(days).unwrap_or(0);
    let mut charged: u32 = 0;
    for (days, charge) in runs {
        let taken = left.min(*days);
        charged = charged.saturating_add(taken.saturating_mul(*charge));
        left -= taken;
    }
    charged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    #[test]
    fn on_every_day_it_says_what_the_ledger_says() {
        for rules in [r#""iccf-email-2000""#, r#""iccf-email-2005""#] {
            let mut game = sample_game();
            game.rules = serde_json::from_str(rules).unwrap();
            let ledger = Ledger::of(&game).unwrap();
            let today = "2004-11-05".parse().unwrap();
            let pace = Pace::of(&ledger, today).unwrap();
            assert_eq!(pace.until(), today + HORIZON);
            for day in pace.from().iter_days().take_while(|day| *day <= pace.until()) {
                assert_eq!(Some(pace.charged(day)), ledger.answer_on(day).days, "{day}");
            }
            assert_eq!(pace.charged(pace.from() - Days::new(3)), 0);
            assert_eq!(Pace::of_runs(pace.from(), pace.runs().to_vec()), pace);
        }
    }

    #[test]
    fn days_without_charge_are_never_too_many() {
        let from: NaiveDate = "2006-03-01".parse().unwrap();
        let on_leave = Pace::of_runs(from, vec![(4, 1), (10, 0), (100, 1), (5, 2)]);
        let within = |allowed| on_leave.last_day_within(allowed).map(|day| (day - from).num_days());
        assert_eq!([within(-1), within(0), within(3), within(4), within(5)], [0, 0, 3, 14, 15].map(Some));
        assert_eq!([within(104), within(105), within(107), within(114)], [Some(114), Some(114), Some(115), None]);
        assert_eq!(on_leave.first_doubled(), Some(from + Days::new(115)));
    }
}
