//! What a game has on record that is dated later than today: a clock that ran ahead left it there, and the player settles it.
//!
//! Changes nothing. Not covered: days of a wrong clock that have come since. What will surprise you: tomorrow is no such day, since it has
//! begun at other places.

use chrono::NaiveDate;

use super::ledger::Ledger;
use crate::domain::game::{ClockNote, Game, Leave, MoveNumber, SentIllegal};

/// One thing that is dated later than today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// A move was received.
    Received(MoveNumber, NaiveDate),
    /// A move was sent.
    Sent(MoveNumber, NaiveDate),
    /// The move that the player has to answer came.
    Arrived(MoveNumber, NaiveDate),
    /// A planned move states it.
    Planned(MoveNumber, NaiveDate),
    /// An illegal move was noticed.
    Illegal(SentIllegal),
    /// Something was said about the clock.
    Note(ClockNote),
    /// Leave was announced.
    Leave(Leave),
}

/// All that is dated later than `today`, a day of the player's place, move by move.
pub fn ahead(game: &Game, ledger: &Ledger, today: NaiveDate) -> Vec<Ahead> {
    let tomorrow = today.succ_opt().unwrap_or(today);
    let is_ahead = |day: &NaiveDate| *day > tomorrow;
    let mut found = Vec::new();
    for time in ledger.plies() {
        let day = |dated: Option<super::ledger::Dated>| dated.map(|dated| dated.day).filter(is_ahead);
        found.extend(day(time.received).map(|day| Ahead::Received(time.number, day)));
        found.extend(day(time.sent).map(|day| Ahead::Sent(time.number, day)));
    }
    if let Some(last) = game.moves.len().checked_sub(1).filter(|_| game.is_my_turn()) {
        let came = ledger.waiting_since().map(|since| since.day).filter(is_ahead);
        found.extend(came.map(|day| Ahead::Arrived(game.number_of(last), day)));
    }
    let planned = game.plan.as_ref().and_then(|plan| plan.stated.sent).filter(is_ahead);
    found.extend(planned.map(|day| Ahead::Planned(game.due(), day)));
    found.extend(
        game.illegal.iter().filter(|illegal| is_ahead(&illegal.noticed)).map(|illegal| Ahead::Illegal(*illegal)),
    );
    found.extend(game.clock_notes.iter().filter(|note| is_ahead(&note.on)).map(|note| Ahead::Note(*note)));
    let told = game.leaves.iter().filter(|leave| leave.announced.as_ref().is_some_and(is_ahead));
    found.extend(told.map(|leave| Ahead::Leave(*leave)));
    found
}
