//! Both clocks of a game: the days of every ply, with the dates that count, where each comes from and how the days came about.
//!
//! The ledger is recomputed from the record each time; nothing of it is stored, and no wall clock enters it. What the sender
//! claims and what comes out here are compared by the judge, never merged. Leave on record counts: it is there because the player
//! entered or confirmed it.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, NaiveDate, TimeZone, Utc};
use chrono_tz::Tz;

use super::control::Count;
pub use super::control::{Consequence, Limit, Overstepped};
pub use super::dated::{Booking, DateSource, Dated};
use super::dated::{Timed, assumed, availability, believed, received, sent, under_way_from};
use super::days::{Charge, Counting, Method, Moment, SentBeforeReceived};
use super::doubt::{Doubt, DoubtKind, of_dates, of_leaves};
pub use super::ply_time::{Basis, PlyTime};
use super::rules::{Overstep, Ruleset, RulesetError};
use super::still::StandingStill;
use crate::domain::game::{ClockNote, Game, MoveNumber, MoveRecord, SentIllegal, Side};

mod oversteps;
mod running;

pub use running::{Answer, Clock, Hours};

/// Both clocks, move by move.
#[derive(Debug, Clone)]
pub struct Ledger {
    rules: Cow<'static, Ruleset>,
    start: Option<NaiveDate>,
    first: MoveNumber,
    me: Side,
    plies: Vec<PlyTime>,
    /// When the player on the move received the last move.
    waiting: Option<Timed>,
    /// When our server took the last move, if it is the opponent's.
    available: Option<DateTime<Utc>>,
    /// The day of the player's from which its transit counts.
    under_way_from: Option<NaiveDate>,
    /// As the player books it.
    booked: Option<Dated>,
    /// The player's own place, where it was given.
    home: Option<Tz>,
    /// The offset of the opponent's last mail: his place.
    his_offset: Option<FixedOffset>,
    pub(super) notes: Vec<ClockNote>,
    illegal: Vec<SentIllegal>,
    /// The plies, counted from 1, that an illegal move was sent before.
    illegal_plies: Vec<usize>,
    white: Half,
    black: Half,
    oversteps: Vec<Overstepped>,
    /// The late moves of which the rules say that they came soon enough to be saved.
    saved: Vec<MoveNumber>,
    doubts: Vec<Doubt>,
    goes_on: bool,
}

/// One side of the ledger.
#[derive(Debug, Clone)]
struct Half {
    count: Count,
    /// As [`PlyTime::is_partial`], of its last ply.
    is_partial: bool,
    still: StandingStill,
}

impl Ledger {
    /// The ledger of the moves on record.
    ///
    /// # Errors
    /// [`RulesetError`] when the game's rules are not usable.
    pub fn of(game: &Game) -> Result<Ledger, RulesetError> {
        let rules = game.ruleset()?;
        let half = |side| Half {
            count: Count::new(rules.control, rules.overstep),
            is_partial: false,
            still: StandingStill::under(&rules.leave, &game.leaves, side),
        };
        let (white, black) = (half(Side::White), half(Side::Black));
        let own = |side| (side, StandingStill::of(&game.leaves, side));
        let doubts = of_leaves(&rules, &game.leaves, &[own(Side::White), own(Side::Black)]);
        let mut ledger = Ledger {
            start: game.start_date,
            first: game.first_number(),
            me: game.me,
            plies: Vec::with_capacity(game.moves.len()),
            waiting: game.start_date.map(|day| Timed::new(day, DateSource::Start)),
            available: None,
            under_way_from: None,
            booked: None,
            home: None,
            his_offset: None,
            notes: game.clock_notes.clone(),
            illegal: game.illegal.clone(),
            illegal_plies: game.illegal_plies().collect(),
            oversteps: Vec::new(),
            saved: Vec::new(),
            doubts: doubts.into_iter().map(|kind| Doubt { number: None, kind }).collect(),
            goes_on: game.decided().is_none(),
            rules,
            white,
            black,
        };
        for record in &game.moves {
            ledger.push(record);
        }
        Ok(ledger)
    }

    /// The same, with a mail that waits for the player's answer booked as he chose, where the rules leave it to him; `zone` is his own.
    ///
    /// Moves on record do not change: once he answers, the day of receipt is stated in his answer. An answer on the day the mail came is
    /// received on that day.
    pub fn booked<Z: TimeZone>(mut self, booking: Booking, zone: &Z) -> Ledger {
        let since = self.waiting.filter(|w| w.date.source == DateSource::Arrival && self.due().side == self.me);
        if let (Booking::NextDay, Some(since), Some(available)) = (booking, since, self.available) {
            let local = available.with_timezone(zone).naive_local();
            let latest = self.within_transit(self.rules.receipt.latest(local));
            if latest > since.date.day {
                self.booked = Some(Dated { day: latest, source: DateSource::NextDay });
            }
        }
        self
    }

    /// The same, told where the opponent is, if a mail of his that is not on record tells it.
    pub fn there(self, place: Option<FixedOffset>) -> Ledger {
        Ledger { his_offset: place.or(self.his_offset), ..self }
    }

    /// The same, told where the player lives: by it the midnights of his clock are known.
    pub fn at_home(mut self, home: Tz) -> Ledger {
        self.home = Some(home);
        self
    }

    fn push(&mut self, record: &MoveRecord) {
        let number = self.due();
        if record.is_timeless() {
            // whoever waits has waited since the move before the conditional line
            let total = self.total(number.side);
            let (days, basis) = (Some(0), Basis::Conditional);
            let is_partial = self.half(number.side).is_partial;
            self.plies.push(PlyTime { number, received: None, sent: None, days, total, is_partial, basis });
            self.half_mut(number.side).count.push_timeless();
            return;
        }
        let is_mine = number.side == self.me;
        let believed = if is_mine { *record } else { believed(record, self.waiting) };
        let record = &believed;
        // a Date that cannot be true tells no place either
        let dated = record.observed.sent_at.filter(|_| !is_mine && record.observed.sent.is_some());
        self.his_offset = dated.map(|at| *at.offset()).or(self.his_offset);
        let sent = sent(record, is_mine);
        let his = self.his_offset.filter(|_| !is_mine);
        let waiting = self.waiting_for(sent.map(|sent| sent.date.day));
        let received = received(record, waiting, sent, self.illegal_before_due(), his);
        let (days, basis) = self.days_of(record, received, sent, is_mine);
        let before = self.total(number.side);
        let total = match (record.agreed.total, days) {
            (Some(total), _) => total,
            (None, Some(days)) => before.saturating_add(days),
            (None, None) => record.claimed.total.unwrap_or(before),
        };
        let previous = self.plies.last().and_then(|p| p.sent).map(|d| d.day);
        let is_later = |date: &Dated| matches!(date.source, DateSource::LaterThere | DateSource::Again);
        let there = waiting.map(|waiting| waiting.there(his).date).filter(is_later);
        let available = there.map(|date| date.day).or(self.under_way_from).or(previous);
        let mut doubts = of_dates(&self.rules, record, (previous, available), is_mine);
        // he may state the day on which he received the notice of an illegal move of his
        doubts.retain(|kind| !self.had_illegal() || !matches!(kind, DoubtKind::Transit { .. }));
        doubts.extend(match basis {
            Basis::Reversed(wrong) => Some(DoubtKind::Reversed(wrong)),
            Basis::Unknown => Some(DoubtKind::NoDays),
            Basis::Counted(_) | Basis::Agreed { .. } | Basis::Stated | Basis::Conditional => None,
        });
        let dated = |timed: Option<Timed>| timed.map(|t| t.date);
        // nothing was received before the first move, and without a start of the event nothing is counted for it
        let is_lacking = basis == Basis::Unknown && !(self.plies.is_empty() && self.start.is_none());
        let has_total = record.agreed.total.is_some() || (days.is_none() && record.claimed.total.is_some());
        let is_partial = !has_total && (is_lacking || self.half(number.side).is_partial);
        self.half_mut(number.side).is_partial = is_partial;
        let saves = self.saves(record);
        self.plies.push(PlyTime {
            number,
            received: dated(received),
            sent: dated(sent),
            days,
            total,
            is_partial,
            basis,
        });
        self.waiting = availability(&self.rules, record, sent, is_mine);
        self.available = record.observed.arrived_at.filter(|_| !is_mine).map(|at| at.to_utc());
        self.under_way_from = if is_mine { None } else { under_way_from(record, sent) };
        if let Some(Dated { day: propose, source: DateSource::Transit }) = self.waiting_since()
            && let (Some(sent), Some(arrived)) = (record.observed.sent, record.observed.arrived)
        {
            doubts.push(DoubtKind::LateArrival { sent, arrived, propose });
        }
        self.doubts.extend(doubts.into_iter().map(|kind| Doubt { number: Some(number), kind }));
        // a total of 0 after days of thought is a fresh count, and the move itself is counted in the old one (T71)
        let is_fresh = record.agreed.total == Some(0) && self.rules.overstep == Overstep::ResetThenForfeit;
        let used = if is_fresh { before.saturating_add(days.unwrap_or(0)) } else { total };
        let over = self.half_mut(number.side).count.push(days.unwrap_or(0), used, is_fresh);
        self.saved.extend(over.is_some().then_some(number).filter(|_| saves));
        self.oversteps.extend(over.map(|(limit, by, consequence)| Overstepped { number, limit, by, consequence }));
    }

    fn days_of(
        &self,
        record: &MoveRecord,
        received: Option<Timed>,
        sent: Option<Timed>,
        is_mine: bool,
    ) -> (Option<u32>, Basis) {
        let penalty = record.agreed.penalty.unwrap_or(0);
        if let Some(days) = record.agreed.days {
            return (Some(days.saturating_add(penalty)), Basis::Agreed { penalty });
        }
        match (received, sent) {
            (Some(received), Some(sent)) => match self.charge(received.moment(), sent.moment()) {
                Ok(charge) => {
                    // what was settled goes before the penalty that the rules give for an illegal move
                    let charge = Charge { penalty: record.agreed.penalty.unwrap_or(charge.penalty), ..charge };
                    // the player's own draft was counted by the hour; no record says when exactly he sent it
                    let is_by_draft =
                        is_mine && charge.method == Method::CalendarForHours && self.illegal_before_due().is_none();
                    let by_hours = record.claimed.days.filter(|_| is_by_draft);
                    match by_hours.map(|days| days.saturating_add(penalty)).filter(|days| *days < charge.days()) {
                        Some(days) => (Some(days), Basis::Stated),
                        None => (Some(charge.days()), Basis::Counted(charge)),
                    }
                }
                Err(wrong) => (None, Basis::Reversed(wrong)),
            },
            _ => match record.claimed.days {
                Some(days) => (Some(days.saturating_add(penalty)), Basis::Stated),
                None => (None, Basis::Unknown),
            },
        }
    }

    /// What the ply that is due is charged, were it received and sent at these moments.
    ///
    /// # Errors
    /// [`SentBeforeReceived`] when the dates are the wrong way round.
    pub fn charge(&self, received: Moment, sent: Moment) -> Result<Charge, SentBeforeReceived> {
        let side = self.due().side;
        let reminded = self.reminded();
        let counting = Counting { rules: &self.rules, start: self.start, still: &self.half(side).still, reminded };
        match self.illegal_before_due() {
            Some(illegal) => counting.charge_with_illegal(received, illegal.sent.into(), illegal.noticed.into(), sent),
            None => counting.charge(received, sent),
        }
    }

    /// Whether an illegal move was sent before the ply that is due: what its sender states as received may be the notice of it.
    pub fn had_illegal(&self) -> bool {
        self.illegal_plies.contains(&(self.plies.len() + 1))
    }

    /// The illegal move that is counted before the ply that is due.
    pub fn illegal_before_due(&self) -> Option<&SentIllegal> {
        self.illegal.iter().find(|illegal| usize::try_from(illegal.ply) == Ok(self.plies.len() + 1))
    }

    /// The number of the ply that is due.
    fn due(&self) -> MoveNumber {
        self.first.plus(self.plies.len())
    }

    /// Whether the opponent's clock is the one that runs.
    pub fn is_his_turn(&self) -> bool {
        self.due().side != self.me
    }

    fn half(&self, side: Side) -> &Half {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    fn half_mut(&mut self, side: Side) -> &mut Half {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// The start of the event.
    pub(super) fn start(&self) -> Option<NaiveDate> {
        self.start
    }

    /// The days on which the clock of the side on the move stands still.
    pub(super) fn still_of_due(&self) -> &StandingStill {
        &self.half(self.due().side).still
    }

    /// Every ply in order.
    pub fn plies(&self) -> &[PlyTime] {
        &self.plies
    }

    /// The day the side on the move received the last move, as far as it is known.
    pub fn waiting_since(&self) -> Option<Dated> {
        self.receipt(None).map(|receipt| receipt.date)
    }

    /// The same, for an answer on `day` that states no receipt of its own.
    pub fn received_before(&self, day: NaiveDate) -> Option<Dated> {
        self.receipt(Some(day)).map(|receipt| receipt.date)
    }

    /// Whether the game is not decided ([`Game::decided`]): only then does a clock run.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Whether a game runs and nobody knows since when the side on the move has the last move: then its days are unknown.
    pub fn is_undated(&self) -> bool {
        self.goes_on && self.waiting_since().is_none()
    }

    /// Whether a game runs and dates are missing: those of its last move, or days of either side.
    pub fn lacks_dates(&self) -> bool {
        self.goes_on && (self.is_undated() || self.is_partial(Side::White) || self.is_partial(Side::Black))
    }

    /// The receipt of the last move by the side on the move, for an answer on a day if one is meant.
    fn receipt(&self, day: Option<NaiveDate>) -> Option<Timed> {
        let booked = self.booked.filter(|booked| day.is_none_or(|day| booked.day <= day));
        let is_his = self.is_his_turn();
        let waiting =
            || Some(assumed(self.waiting_for(day)?, day.filter(|_| is_his), self.his_offset.filter(|_| is_his)));
        booked.map(|date| Timed { date, at: None }).or_else(waiting)
    }

    /// The days charged to `side` in its running count: all of its moves on record, unless an overstep began a fresh one.
    pub fn total(&self, side: Side) -> u32 {
        self.half(side).count.used()
    }

    /// Whether days of a side are not on record, so that [`Ledger::total`] is the least that it can have used.
    pub fn is_partial(&self, side: Side) -> bool {
        self.half(side).is_partial
    }

    /// What a person should look at: leave first, then move by move.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// What makes the day of sending of an opponent's move doubtful by what our server saw, until the player settles that day (T10).
    pub fn day_in_doubt(&self, game: &Game, number: MoveNumber) -> Option<DoubtKind> {
        let record = self.first.plies_to(number).and_then(|index| game.moves.get(index))?;
        let of_day = |doubt: &&Doubt| {
            let is_of_day = matches!(doubt.kind, DoubtKind::LateArrival { .. } | DoubtKind::DateNotBelieved { .. });
            is_of_day && doubt.number == Some(number)
        };
        let found = self.doubts.iter().find(of_day).map(|doubt| doubt.kind);
        found.filter(|_| number.side != self.me && record.agreed.sent.is_none())
    }

    /// The rules that were applied.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Observed, Stated};

    #[test]
    fn the_sample_game_of_the_transmission_format_adds_up() {
        let game = sample_game();
        let ledger = Ledger::of(&game).unwrap();
        let days: Vec<_> = ledger.plies().iter().map(|p| p.days.unwrap()).collect();
        assert_eq!(days, [0, 1, 1, 0, 2, 5, 1, 0, 3, 22, 1, 2, 4]);
        let totals: Vec<_> = ledger.plies().iter().map(|p| p.total).collect();
        assert_eq!(totals, [0, 1, 1, 1, 3, 6, 4, 6, 7, 28, 8, 30, 12]);
    }

    #[test]
    fn t31_the_same_game_doubled_after_twenty_days() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(r#"{"base": "iccf-email-2000", "double_after": 20}"#).unwrap();
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.plies()[9].days, Some(24));
        assert_eq!(ledger.total(Side::Black), 32);
    }

    #[test]
    fn the_clock_of_the_side_on_the_move_runs_and_the_other_stands() {
        let game = sample_game();
        let ledger = Ledger::of(&game).unwrap();
        let today: NaiveDate = "2004-11-05".parse().unwrap();
        let black = ledger.clock(Side::Black, Some(Side::Black), today);
        assert_eq!(
            black,
            Clock {
                days_used: 30,
                days_this_move: 6,
                days_left: Some(24),
                until_move: Some(10),
                limit: Some(Limit::Control),
                is_partial: false,
            }
        );
        let white = ledger.clock(Side::White, Some(Side::Black), today);
        assert_eq!(
            white,
            Clock {
                days_used: 12,
                days_this_move: 0,
                days_left: Some(48),
                until_move: Some(10),
                limit: Some(Limit::Control),
                is_partial: false,
            }
        );
    }

    #[test]
    fn missing_dates_are_assumed_from_the_move_before_and_say_so() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated { sent: game.moves[12].claimed.sent, ..Stated::default() };
        let ledger = Ledger::of(&game).unwrap();
        let last = ledger.plies()[12];
        assert_eq!(last.received.unwrap().source, DateSource::Assumed);
        assert_eq!(last.days, Some(4));
    }

    #[test]
    fn a_ply_without_any_date_keeps_the_days_its_sender_states() {
        let mut game = sample_game();
        for record in &mut game.moves {
            record.claimed = Stated { received: None, sent: None, ..record.claimed };
        }
        game.start_date = None;
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.total(Side::Black), 30);
        assert_eq!(ledger.answer_on("2004-11-05".parse::<NaiveDate>().unwrap()).days, None);
    }

    #[test]
    fn t50_a_reply_without_dates_is_received_when_mine_was_sent_and_sent_by_its_date_header() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated::default();
        game.moves[12].observed.sent = Some("2004-10-30".parse().unwrap());
        let last = Ledger::of(&game).unwrap().plies()[12];
        assert_eq!(
            (last.received.unwrap().source, last.sent.unwrap().source),
            (DateSource::Assumed, DateSource::Header)
        );
        assert_eq!(last.days, Some(4));
    }

    #[test]
    fn where_the_rules_count_hours_an_answer_at_an_instant_is_counted_by_them() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(r#""iccf-server""#).unwrap();
        let day = |text: &str| Some(text.parse().unwrap());
        let arrived_at = Some("2004-10-30T20:00:00Z".parse().unwrap());
        game.moves[12].observed = Observed { arrived: day("2004-10-30"), arrived_at, ..Observed::default() };
        let ledger = Ledger::of(&game).unwrap();
        let at = |text: &str| Moment::of(DateTime::parse_from_rfc3339(text).unwrap());
        let days =
            ["2004-10-31T20:59:00+01:00", "2004-10-31T21:00:00+01:00"].map(|text| ledger.answer_on(at(text)).days);
        assert_eq!((days, ledger.answer_on(day("2004-10-31").unwrap()).days), ([Some(0), Some(1)], Some(1)));
        let clock = ledger.clock(Side::Black, Some(Side::Black), at("2004-10-31T20:59:00+01:00"));
        assert_eq!(clock.days_this_move, 0);
        let stated = Stated { received: day("2004-10-30"), sent: day("2004-10-31"), days: Some(0), total: None };
        game.moves.push(MoveRecord::claimed("4746".parse().unwrap(), stated));
        let mine = Ledger::of(&game).unwrap().plies()[13];
        assert_eq!((mine.days, mine.basis), (Some(0), Basis::Stated), "the record does not count it otherwise");
        game.me = Side::White;
        assert_eq!(Ledger::of(&game).unwrap().plies()[13].days, Some(1), "what he states is compared, not believed");
    }
}
