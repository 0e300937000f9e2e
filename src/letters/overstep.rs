//! An overstepped time control: of the last move of a side, or of the one it is thinking about.
//!
//! Told before a reply is drafted, since the claim is lost by answering. Nothing is claimed here.

use chrono::NaiveDate;

use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::ledger::{Ledger, Limit};
use crate::domain::clock::rules::TimeControl;
use crate::domain::game::{Game, MoveNumber, Side};

/// By how much a side's time is overstepped, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overstep {
    /// The move at which it happened; the one thought about where the clock runs.
    pub number: MoveNumber,
    /// It has been sent; else the clock still runs.
    pub was_sent: bool,
    /// Which limit was exceeded.
    pub limit: Limit,
    /// Days beyond the allowance.
    pub by: u32,
    /// Days used of what that limit allows, that move included.
    pub used: u32,
    /// The move that completes the time control.
    pub until_move: u32,
    /// Days of his moves are not on record: `by` and `used` are the least that they can be.
    pub is_partial: bool,
}

impl Overstep {
    /// `overstepped by 2 at move 10 (62 days used, 60 allowed up to move 10)`
    pub fn words(&self) -> String {
        format!("overstepped by {} at move {} ({})", self.by, self.number.number, self.figures())
    }

    /// `62 days used, 60 allowed up to move 10`, or `11 days on one move, 10 allowed`
    pub fn figures(&self) -> String {
        let (used, allowed) = (in_words(self.used), self.used.saturating_sub(self.by));
        match self.limit {
            Limit::Control if self.is_partial => {
                format!("at least {used} used, {allowed} allowed up to move {}", self.until_move)
            }
            Limit::Control => format!("{used} used, {allowed} allowed up to move {}", self.until_move),
            Limit::Window => format!("{used} for the last moves together, {allowed} allowed"),
            Limit::OneMove => format!("{used} on one move, {allowed} allowed"),
        }
    }
}

/// The overstep of a side at the ply that it is thinking about at a moment, or else at its last one.
pub fn overstep(game: &Game, ledger: &Ledger, side: Side, now: impl Into<Moment>) -> Option<Overstep> {
    let control = ledger.rules().control;
    if game.result.is_none() && game.to_move() == side {
        let clock = ledger.clock(side, Some(side), now);
        let (limit, until_move) = (clock.limit?, clock.until_move?);
        let by = u32::try_from(-clock.days_left?).ok().filter(|by| *by > 0)?;
        let used = match limit {
            Limit::Control => clock.days_used.saturating_add(clock.days_this_move),
            Limit::Window => window(control)?.saturating_add(by),
            Limit::OneMove => clock.days_this_move,
        };
        return Some(Overstep {
            number: game.due(),
            was_sent: false,
            limit,
            by,
            used,
            until_move,
            is_partial: clock.is_partial,
        });
    }
    let last = ledger.plies().iter().rev().find(|p| p.number.side == side)?;
    let found = ledger.claimable_overstep(last.number)?;
    let until_move = match found.limit {
        Limit::Control => until_control(game, side, last.number)?,
        Limit::Window | Limit::OneMove => last.number.number,
    };
    let used = match found.limit {
        Limit::Control => last.total,
        Limit::Window => window(control)?.saturating_add(found.by),
        Limit::OneMove => last.days?,
    };
    let (limit, by, is_partial) = (found.limit, found.by, last.is_partial);
    Some(Overstep { number: found.number, was_sent: true, limit, by, used, until_move, is_partial })
}

/// That the opponent's time is overstepped, with the command that drafts the claim, behind an empty line; empty where it is not.
pub fn his_overstep(game: &Game, ledger: &Ledger, now: impl Into<Moment>) -> String {
    overstep(game, ledger, game.me.other(), now).map_or_else(String::new, |over| {
        format!(
            "\nHIS TIME IS {}.\nThe claim is lost by answering. To draft it:  amici claim {}\n",
            over.words(),
            game.id
        )
    })
}

/// The move that completes the control to which a move belongs.
fn until_control(game: &Game, side: Side, number: MoveNumber) -> Option<u32> {
    let mut before = game.clone();
    before.moves.truncate(game.first_number().plies_to(number)?);
    Ledger::of(&before).ok()?.clock(side, Some(side), NaiveDate::MIN).until_move
}

/// The days that the last moves may take together.
fn window(control: TimeControl) -> Option<u32> {
    match control {
        TimeControl::Rolling { days, .. } => Some(days),
        TimeControl::Cumulative { .. } | TimeControl::Fischer { .. } | TimeControl::None {} => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{MoveRecord, Stated};

    fn with_days(days: u32) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(&format!(
            r#"{{"base": "iccf-email-2000", "control": {{"kind": "cumulative", "moves": 10, "days": {days}}}}}"#
        ))
        .unwrap();
        game
    }

    fn overstepped(game: &Game, side: Side, today: NaiveDate) -> Option<Overstep> {
        overstep(game, &Ledger::of(game).unwrap(), side, today)
    }

    #[test]
    fn the_last_move_of_the_opponent_oversteps_by_the_days_beyond_the_allowance() {
        let today = "2004-10-31".parse().unwrap();
        assert_eq!(overstepped(&with_days(12), Side::White, today), None);
        let over = overstepped(&with_days(10), Side::White, today).unwrap();
        assert_eq!(over.words(), "overstepped by 2 at move 7 (12 days used, 10 allowed up to move 10)");
        assert!(over.was_sent);
    }

    #[test]
    fn t25_the_breach_is_named_by_the_limit_that_was_exceeded() {
        let mut game = sample_game();
        game.rules = serde_json::from_str("\"iecc\"").unwrap();
        game.start_date = None;
        game.moves.clear();
        let mut push = |days: u32| {
            let numeric = ["7163", "7866", "6371", "6678"][game.moves.len() % 4].parse().unwrap();
            let claimed = Stated { days: Some(days), total: Some(days), ..Stated::default() };
            game.moves.push(MoveRecord::claimed(numeric, claimed));
            game.clone()
        };
        push(2);
        push(0);
        push(1);
        let white =
            |game: &Game| overstepped(game, Side::White, "2004-11-01".parse().unwrap()).map(|over| over.figures());
        push(0);
        assert_eq!(white(&push(11)).unwrap(), "11 days on one move, 10 allowed");
        for days in [9, 9] {
            push(0);
            push(days);
        }
        push(0);
        assert_eq!(white(&push(5)).unwrap(), "37 days for the last moves together, 30 allowed");
    }

    #[test]
    fn the_clock_that_runs_oversteps_day_by_day() {
        let game = with_days(32);
        assert_eq!(overstepped(&game, Side::Black, "2004-11-01".parse().unwrap()), None);
        let over = overstepped(&game, Side::Black, "2004-11-02".parse().unwrap()).unwrap();
        assert_eq!((over.by, over.was_sent, over.number.to_string().as_str()), (1, false, "7..."));
    }
}
