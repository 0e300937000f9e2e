//! The time of one ply as the ledger has it: the dates that count, the days, and how they came about.
//!
//! Only what comes out; the counting is in [`super::ledger`] and [`super::days`].

use super::dated::Dated;
use super::days::{Charge, SentBeforeReceived};
use crate::domain::game::MoveNumber;

/// Where the days of a ply come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The two dates, counted by the rules.
    Counted(Charge),
    /// What the players settled, with the days of penalty that are added to it.
    Agreed {
        /// Days added.
        penalty: u32,
    },
    /// What the mover states, since a date is missing, or the instant where the rules count hours.
    Stated,
    /// A ply of an accepted conditional line takes no time.
    Conditional,
    /// No number: the dates are the wrong way round.
    Reversed(SentBeforeReceived),
    /// No number: a date is missing.
    Unknown,
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
    /// Days of this side are not on record, and no total was stated or settled since: `total` is no more than a part of them.
    pub is_partial: bool,
    /// Where `days` comes from.
    pub basis: Basis,
}

impl PlyTime {
    /// Days of this side so far, where all of them are on record.
    pub fn known_total(&self) -> Option<u32> {
        Some(self.total).filter(|_| !self.is_partial)
    }

    /// `7 in all`, or `at least 7 in all`.
    pub fn total_in_words(&self) -> String {
        format!("{}{} in all", if self.is_partial { "at least " } else { "" }, self.total)
    }
}
