//! What bites next: the marks on the calendar of the side on the move.
//!
//! Covered: the time control, the day from which days count double, and the fourteen days after which a longer thought should have been
//! announced or a repeat may be sent (ICCF e-mail guidelines 3a). Not covered: leave, forty days of silence.

use chrono::{Days, NaiveDate};

use super::ledger::Ledger;
use crate::domain::game::Game;

/// What a mark means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The last day on which the move may be sent without overstepping.
    TimeControl,
    /// From this day on, days count double.
    DoubleDays,
    /// The player should have told the opponent that he needs longer.
    Announce,
    /// The player may repeat his move.
    Repeat,
}

impl EventKind {
    /// The word in the data.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::TimeControl => "time_control",
            EventKind::DoubleDays => "double_days",
            EventKind::Announce => "announce",
            EventKind::Repeat => "repeat",
        }
    }

    /// The words on the screen.
    pub fn words(self) -> &'static str {
        match self {
            EventKind::TimeControl => "time control",
            EventKind::DoubleDays => "days count double",
            EventKind::Announce => "tell him if you need longer",
            EventKind::Repeat => "you may repeat",
        }
    }
}

/// A mark on the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The day.
    pub date: NaiveDate,
    /// What it means.
    pub kind: EventKind,
}

/// Days after which silence may be broken.
const PATIENCE: Days = Days::new(14);

/// The next mark on or after `today`, or the time control once everything lies behind; `None` in a finished game or without a start.
pub fn next_event(game: &Game, ledger: &Ledger, today: NaiveDate) -> Option<Event> {
    let mut events = events(game, ledger);
    events.sort_by_key(|e| e.date);
    events
        .iter()
        .find(|e| e.date >= today)
        .or_else(|| events.iter().find(|e| e.kind == EventKind::TimeControl))
        .copied()
}

fn events(game: &Game, ledger: &Ledger) -> Vec<Event> {
    let Some(since) = ledger.waiting_since().filter(|_| game.result.is_none()).map(|d| d.day) else {
        return Vec::new();
    };
    let side = game.to_move();
    let mut found = Vec::new();
    let mut add = |date: Option<NaiveDate>, kind| found.extend(date.map(|date| Event { date, kind }));
    add(ledger.last_safe_day(side), EventKind::TimeControl);
    let doubled = ledger.rules().double_after.and_then(|n| since.checked_add_days(Days::new(u64::from(n) + 1)));
    add(doubled, EventKind::DoubleDays);
    let patience = since.checked_add_days(PATIENCE);
    add(patience, if side == game.me { EventKind::Announce } else { EventKind::Repeat });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    /// The sample game with Black to move, his total 52 after nine moves' worth of days, waiting since 1 May.
    fn waiting(rules: &str, total: u32) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(rules).unwrap();
        game.start_date = None;
        for record in &mut game.moves {
            record.claimed = Default::default();
        }
        let last_of_black = game.moves.len() - 2;
        game.moves[last_of_black].claimed.total = Some(total);
        let last = game.moves.len() - 1;
        game.moves[last].observed.arrived = Some("2006-05-01".parse().unwrap());
        game
    }

    fn control(game: &Game) -> NaiveDate {
        let ledger = Ledger::of(game).unwrap();
        events(game, &ledger).into_iter().find(|e| e.kind == EventKind::TimeControl).unwrap().date
    }

    #[test]
    fn t22_the_last_safe_day_spends_the_allowance_to_the_day() {
        assert_eq!(control(&waiting(r#""iccf-email-2000""#, 52)), "2006-05-09".parse().unwrap());
    }

    #[test]
    fn t23_doubling_brings_the_last_safe_day_forward() {
        let fifty = r#"{"base": "iccf-email-2005", "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#;
        assert_eq!(control(&waiting(fifty, 20)), "2006-05-26".parse().unwrap());
        let plain = r#"{"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#;
        assert_eq!(control(&waiting(plain, 20)), "2006-05-31".parse().unwrap());
    }

    #[test]
    fn the_next_mark_is_the_nearest_that_is_not_past() {
        let game = waiting(r#""iccf-email-2005""#, 10);
        let ledger = Ledger::of(&game).unwrap();
        let next = |day: &str| next_event(&game, &ledger, day.parse().unwrap()).unwrap();
        assert_eq!(next("2006-05-02"), Event { date: "2006-05-15".parse().unwrap(), kind: EventKind::Announce });
        assert_eq!(next("2006-05-16").kind, EventKind::DoubleDays);
        assert_eq!(next("2006-05-23").kind, EventKind::TimeControl);
        assert_eq!(next("2007-01-01").kind, EventKind::TimeControl);
    }
}
