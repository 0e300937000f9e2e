//! Reflection time: the rule sets, counting days, and the clocks of both players.
//!
//! Days are civil dates of the mover's own place, never spans of 24 hours; the wall clock is an argument
//! and only ever answers "how long so far".

pub mod days;
pub mod events;
pub mod ledger;
pub mod quota;
pub mod rules;
pub mod settle;
