//! The transmission: what one message of a game says, written in one exact form and read in many.
//!
//! [`compose`](compose::sheet) writes the two-sided table of the ICCF e-mail rules; [`read`](read::read) takes it back, and
//! the tables of other hands. Reading is about words and numbers only: whether a move fits the game is the judge's business.
//! The letter around the table, and the forms of the clubs, are written in `letters`.

use chrono::NaiveDate;

use super::game::{MoveNumber, Stated};
use super::notation::NumericMove;

pub mod calendar;
pub mod compose;
pub mod dates;
pub(crate) mod lexicon;
pub mod read;
pub mod remarks;

/// A player as the head of a message names him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correspondent {
    /// Name, in ASCII.
    pub name: String,
    /// Mail address.
    pub address: String,
}

/// One ply with what its sender states of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Half {
    /// Where it stands on the score sheet.
    pub number: MoveNumber,
    /// The move.
    pub numeric: NumericMove,
    /// Dates and days.
    pub stated: Stated,
}

/// What one message says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transmission {
    /// The event's code.
    pub event: Option<String>,
    /// The event's start.
    pub start_date: Option<NaiveDate>,
    /// The time control, in words.
    pub control: Option<String>,
    /// Who has White.
    pub white: Option<Correspondent>,
    /// Who has Black.
    pub black: Option<Correspondent>,
    /// The score, oldest ply first.
    pub halves: Vec<Half>,
    /// Whether the last move offers a draw.
    pub draw_offer: bool,
    /// The lines offered with the last move: the reader's ply, the writer's reply, ...
    pub conditionals: Vec<Vec<NumericMove>>,
}
