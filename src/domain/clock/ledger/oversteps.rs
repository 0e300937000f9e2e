//! The limits that moves on record exceeded, and which of them can be claimed.
//!
//! What will surprise you: a late player may be saved by answering soon (EmailChessPoint: within 24 hours), by the instants of both mails.

use chrono::TimeDelta;

use super::{Consequence, Ledger, Overstepped};
use crate::domain::game::{MoveNumber, MoveRecord};

impl Ledger {
    /// The limits that moves on record exceeded, oldest first.
    pub fn oversteps(&self) -> &[Overstepped] {
        &self.oversteps
    }

    /// The limit that a move exceeded, unless that was settled by a fresh count (T71) or the rules save the late
    /// player: then nobody can claim it.
    pub fn claimable_overstep(&self, number: MoveNumber) -> Option<Overstepped> {
        let open = |over: &&Overstepped| over.number == number && over.consequence != Consequence::Awarded;
        if self.is_saved(number) {
            return None;
        }
        self.oversteps.iter().rev().find(open).copied()
    }

    /// Whether the last move on record exceeded one that can be claimed.
    pub fn is_last_overstepped(&self) -> bool {
        self.plies.last().is_some_and(|last| self.claimable_overstep(last.number).is_some())
    }

    /// Whether a late move was sent so soon after the one that it answers that the rules save its player.
    pub fn is_saved(&self, number: MoveNumber) -> bool {
        self.saved.contains(&number)
    }

    /// Whether this answer to the last move came within the hours that save a late player, by the instants of both mails.
    pub(super) fn saves(&self, answer: &MoveRecord) -> bool {
        let took =
            self.waiting.and_then(|waiting| waiting.at).zip(answer.observed.sent_at).map(|(before, at)| at - before);
        let hours = self.rules.claim.saved_hours.map(|hours| TimeDelta::hours(hours.into()));
        took.zip(hours).is_some_and(|(took, hours)| took < hours)
    }
}
