//! Both clocks of a game: the days of every ply, with the dates that count and where each comes from.
//!
//! The ledger is recomputed from the record each time; nothing of it is stored. What the sender claims and
//! what comes out here are compared by the judge, never merged.

use chrono::NaiveDate;

use super::days::reflection_time;
use super::rules::{Ruleset, RulesetError};
use crate::domain::game::{Game, MoveNumber, MoveRecord, Side};

/// Where a date that counts comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateSource {
    /// Settled between the players.
    Agreed,
    /// Stated by the mover.
    Stated,
    /// The Date header of the mail, in the sender's own offset (ICCF guideline 2j).
    Header,
    /// The day our server took the mail.
    Arrival,
    /// The event's start.
    Start,
    /// Nobody says: taken as the day the move before was sent (ICCF guideline 2i).
    Assumed,
}

impl DateSource {
    /// The source in words.
    pub fn words(self) -> &'static str {
        match self {
            DateSource::Agreed => "agreed",
            DateSource::Stated => "stated",
            DateSource::Header => "from the mail's Date",
            DateSource::Arrival => "when our server took the mail",
            DateSource::Start => "the start of the event",
            DateSource::Assumed => "assumed: the day it was sent",
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

/// One ply of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlyTime {
    /// Its place on the score sheet.
    pub number: MoveNumber,
    /// When its mover received the move before.
    pub received: Option<Dated>,
    /// When its mover sent it.
    pub sent: Option<Dated>,
    /// Days charged; `None` when the dates do not allow a number.
    pub days: Option<u32>,
    /// Days of this side so far. Where `days` is missing, the total its sender states; else the total before.
    pub total: u32,
}

/// Both clocks, move by move.
#[derive(Debug, Clone)]
pub struct Ledger {
    rules: Ruleset,
    start: Option<NaiveDate>,
    first: MoveNumber,
    plies: Vec<PlyTime>,
    /// The day the player on the move received the last move.
    waiting_since: Option<Dated>,
}

/// One side's clock at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Charged for the moves made.
    pub days_used: u32,
    /// Charged so far for the move being thought about; 0 for the side that waits.
    pub days_this_move: u32,
    /// Allowance up to the next control minus both; negative once overstepped; `None` without a limit.
    pub days_left: Option<i64>,
    /// The number of the move that completes that control; `None` without a limit.
    pub until_move: Option<u32>,
}

impl Ledger {
    /// The ledger of the moves on record.
    ///
    /// # Errors
    /// [`RulesetError`] when the game's rules are not usable.
    pub fn of(game: &Game) -> Result<Ledger, RulesetError> {
        let mut ledger = Ledger {
            rules: game.ruleset()?,
            start: game.start_date,
            first: game.first_number(),
            plies: Vec::with_capacity(game.moves.len()),
            waiting_since: game.start_date.map(|day| Dated { day, source: DateSource::Start }),
        };
        for record in &game.moves {
            ledger.push(record, game.me);
        }
        Ok(ledger)
    }

    fn push(&mut self, record: &MoveRecord, me: Side) {
        let number = self.first.plus(self.plies.len());
        if record.is_timeless() {
            // a conditional ply: whoever waits has waited since the move before it
            let total = self.total(number.side);
            self.plies.push(PlyTime { number, received: None, sent: None, days: Some(0), total });
            return;
        }
        let pick = |agreed: Option<NaiveDate>, stated: Option<NaiveDate>| {
            agreed
                .map(|day| Dated { day, source: DateSource::Agreed })
                .or(stated.map(|day| Dated { day, source: DateSource::Stated }))
        };
        let received = pick(record.agreed.received, record.claimed.received).or(self.waiting_since);
        let header = record.observed.sent.map(|day| Dated { day, source: DateSource::Header });
        let sent = pick(record.agreed.sent, record.claimed.sent).or(header);
        let days = match (received, sent) {
            (Some(r), Some(s)) => reflection_time(&self.rules, self.start, r.day, s.day).ok().map(|t| t.charged),
            _ => record.claimed.days,
        };
        let before = self.total(number.side);
        let total = match days {
            Some(days) => before.saturating_add(days),
            None => record.claimed.total.unwrap_or(before),
        };
        self.plies.push(PlyTime { number, received, sent, days, total });
        let arrival = record.observed.arrived.filter(|_| number.side != me);
        self.waiting_since = arrival
            .map(|day| Dated { day, source: DateSource::Arrival })
            .or(sent.map(|s| Dated { day: s.day, source: DateSource::Assumed }));
    }

    /// Every ply in order.
    pub fn plies(&self) -> &[PlyTime] {
        &self.plies
    }

    /// The day the side on the move received the last move, as far as it is known.
    pub fn waiting_since(&self) -> Option<Dated> {
        self.waiting_since
    }

    /// The days charged to `side` for its moves on record.
    pub fn total(&self, side: Side) -> u32 {
        self.plies.iter().rev().find(|p| p.number.side == side).map_or(0, |p| p.total)
    }

    /// What answering on `day` would cost the side on the move: its received day, days and total.
    pub fn answer_on(&self, day: NaiveDate) -> Answer {
        let days = self.waiting_since.and_then(|since| reflection_time(&self.rules, self.start, since.day, day).ok());
        let days = days.map(|t| t.charged);
        let side = self.first.plus(self.plies.len()).side;
        Answer { received: self.waiting_since, days, total: days.map(|d| self.total(side).saturating_add(d)) }
    }

    /// The clock of `side` at the local day `today`; `to_move` is the side whose clock runs, `None` in a finished game.
    pub fn clock(&self, side: Side, to_move: Option<Side>, today: NaiveDate) -> Clock {
        let made = u32::try_from(self.plies.iter().filter(|p| p.number.side == side).count()).unwrap_or(u32::MAX);
        let control = self.rules.control.allowance(made.saturating_add(1));
        let days_used = self.total(side);
        let thinking = to_move == Some(side);
        let days_this_move = if thinking { self.answer_on(today).days.unwrap_or(0) } else { 0 };
        let skipped = match (self.first.side, side) {
            (Side::Black, Side::White) => self.first.number,
            _ => self.first.number.saturating_sub(1),
        };
        Clock {
            days_used,
            days_this_move,
            days_left: control.map(|(days, _)| i64::from(days) - i64::from(days_used) - i64::from(days_this_move)),
            until_move: control.map(|(_, block_end)| block_end.saturating_add(skipped)),
        }
    }

    /// The rules that were applied.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }
}

/// What an answer on a given day is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The day the move before was received.
    pub received: Option<Dated>,
    /// Days for the move; `None` when the day of receipt is unknown or later.
    pub days: Option<u32>,
    /// Days of the side including this move.
    pub total: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Stated;

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
        let today = "2004-11-05".parse().unwrap();
        let black = ledger.clock(Side::Black, Some(Side::Black), today);
        assert_eq!(black, Clock { days_used: 30, days_this_move: 6, days_left: Some(24), until_move: Some(10) });
        let white = ledger.clock(Side::White, Some(Side::Black), today);
        assert_eq!(white, Clock { days_used: 12, days_this_move: 0, days_left: Some(48), until_move: Some(10) });
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
        assert_eq!(ledger.answer_on("2004-11-05".parse().unwrap()).days, None);
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
}
