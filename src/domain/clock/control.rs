//! One side's allowance, move by move: what is left to the next control, and where it was exceeded.
//!
//! Pure counting of days already charged. What will surprise you: where the rules give a fresh count after the first overstep,
//! it begins only once that was admitted or awarded, which is settled as a total of 0 (T71); until then the old count goes on.

use std::collections::VecDeque;

use super::rules::{Overstep, TimeControl};
use crate::domain::game::MoveNumber;

/// Which limit a move exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The days up to the control, savings included.
    Control,
    /// The days of the last moves.
    Window,
    /// The days of one move.
    OneMove,
}

/// What an overstep means under the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The game may be claimed, at the latest with the answer to the late move.
    Forfeit,
    /// The first one: a warning, and once it is admitted or awarded the count begins at zero with the next move.
    FreshCount,
    /// The first one, admitted or awarded: the count has begun at zero, and there is nothing left to claim.
    Awarded,
    /// A matter for the director or the players.
    Report,
}

/// A limit that a move on record exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overstepped {
    /// The late move.
    pub number: MoveNumber,
    /// Which limit.
    pub limit: Limit,
    /// By how many days.
    pub by: u32,
    /// What follows under the rules.
    pub consequence: Consequence,
}

/// Days left, and the own move that completes the control, counted from 1 over the whole game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) days: i64,
    pub(super) until: u32,
    pub(super) limit: Limit,
}

impl Left {
    /// What is left after a move of so many days. A move that takes none exceeds no window, though the moves before it fill more than one.
    pub(super) fn behind(&self, days: u32) -> i64 {
        match (self.limit, days) {
            (Limit::Window, 0) => self.days.max(0),
            _ => self.days - i64::from(days),
        }
    }
}

/// The count of one side.
#[derive(Debug, Clone)]
pub(super) struct Count {
    control: TimeControl,
    policy: Overstep,
    /// Own moves before this count began.
    before: u32,
    /// Own moves of this count.
    made: u32,
    /// Days charged in this count.
    used: u32,
    /// Days that fell away at controls, because the bank is limited.
    lost: u32,
    /// The newest moves, for a window.
    recent: VecDeque<u32>,
    /// The control whose overstep is known.
    known: Option<u32>,
    had_first: bool,
}

impl Count {
    pub(super) fn new(control: TimeControl, policy: Overstep) -> Count {
        let recent = VecDeque::new();
        Count { control, policy, before: 0, made: 0, used: 0, lost: 0, recent, known: None, had_first: false }
    }

    /// Days charged in this count.
    pub(super) fn used(&self) -> u32 {
        self.used
    }

    /// What is left for the next own move and those up to the control; `None` without a limit.
    pub(super) fn left(&self) -> Option<Left> {
        let number = self.made.saturating_add(1);
        let (allowed, until, used, limit) = match self.control {
            TimeControl::None {} => return None,
            TimeControl::Rolling { days, .. } => (days, number, self.recent.iter().sum(), Limit::Window),
            TimeControl::Cumulative { .. } | TimeControl::Fischer { .. } => {
                let (allowed, until) = self.control.allowance(number)?;
                (allowed.saturating_sub(self.lost), until, self.used, Limit::Control)
            }
        };
        Some(Left { days: i64::from(allowed) - i64::from(used), until: until.saturating_add(self.before), limit })
    }

    /// The same, with the limit for the one move that is due.
    pub(super) fn left_for_next(&self) -> Option<Left> {
        let number = self.before.saturating_add(self.made).saturating_add(1);
        let cap =
            self.control.per_move_cap().map(|cap| Left { days: i64::from(cap), until: number, limit: Limit::OneMove });
        match (self.left(), cap) {
            (Some(left), Some(cap)) if cap.days < left.days => Some(cap),
            (left, cap) => left.or(cap),
        }
    }

    /// Takes a move that was no thought of its own: it counts as a move, and takes no time (T90).
    pub(super) fn push_timeless(&mut self) {
        self.complete_move();
    }

    /// Takes a move of so many days, after which so many are used; says by how much a limit is exceeded, once for each control. With
    /// `is_settled` the players agreed that a first overstep begins a fresh count, or the director awarded it.
    pub(super) fn push(&mut self, days: u32, used: u32, is_settled: bool) -> Option<(Limit, u32, Consequence)> {
        let left = self.left();
        let (limit, spent) = match self.control {
            TimeControl::Rolling { window, .. } => {
                self.recent.push_back(days);
                // the next move belongs to the window, too
                while self.recent.len() >= usize::try_from(window).unwrap_or(usize::MAX).max(1) {
                    self.recent.pop_front();
                }
                (Limit::Window, i64::from(days))
            }
            TimeControl::Cumulative { .. } | TimeControl::Fischer { .. } | TimeControl::None {} => {
                (Limit::Control, i64::from(used) - i64::from(self.used))
            }
        };
        self.used = used;
        let over = left
            .map(|left| (left.until, spent - left.days))
            .filter(|(until, by)| *by > 0 && days > 0 && self.known != Some(*until));
        let beyond_cap = self.control.per_move_cap().map(|cap| i64::from(days) - i64::from(cap)).filter(|by| *by > 0);
        self.complete_move();
        if is_settled {
            self.used = 0;
        }
        let (limit, by) = match (over, beyond_cap) {
            (Some((until, by)), _) => {
                self.known = Some(until);
                (limit, by)
            }
            (None, Some(by)) => (Limit::OneMove, by),
            (None, None) => return None,
        };
        let consequence = match self.policy {
            Overstep::ReportOnly => Consequence::Report,
            Overstep::ResetThenForfeit if self.had_first => Consequence::Forfeit,
            Overstep::ResetThenForfeit if is_settled => {
                *self = Count {
                    before: self.before.saturating_add(self.made),
                    had_first: true,
                    ..Count::new(self.control, self.policy)
                };
                Consequence::Awarded
            }
            Overstep::ResetThenForfeit => Consequence::FreshCount,
            Overstep::Forfeit => Consequence::Forfeit,
        };
        Some((limit, u32::try_from(by).unwrap_or(u32::MAX), consequence))
    }

    /// At a control, what is saved beyond the bank is lost (T24).
    fn complete_move(&mut self) {
        let left = self.left().map_or(0, |left| left.days);
        self.made = self.made.saturating_add(1);
        if let TimeControl::Cumulative { moves, days, max_bank: Some(most), .. } = self.control
            && self.made.checked_rem(moves) == Some(0)
        {
            let next = u32::try_from(left).unwrap_or(0).saturating_add(days);
            self.lost = self.lost.saturating_add(next.saturating_sub(most));
        }
    }
}
