//! PURE: chess and the ICCF rules of playing it by mail. Does not know that email exists.
//!
//! Words used here: a *ply* is one half-move, counted from 1; a *record* is what both players have
//! really sent; a *plan* is the player's chosen move that nobody has been seen to send yet;
//! *received* is the day a player received the move he answers, *sent* the day he sent the answer;
//! *days* is the reflection time of one move and *total* that of all moves of one side so far.
//!
//! Covered: standard chess from any legal start position; rule sets that count calendar days or spans of 24 hours,
//! with a cumulative, rolling or Fischer control, or none. Not covered: Chess960.

pub mod adopt;
pub mod board;
mod card;
pub mod clock;
pub mod document;
pub mod game;
pub mod judge;
pub mod notation;
pub mod openings;
pub(crate) mod pattern;
pub mod pgn;
pub mod plan;
pub mod promise;
pub mod record;
pub(crate) mod remembered;
pub mod replay;
mod retract;
pub mod start_letter;
pub mod summary;
pub mod transmission;
