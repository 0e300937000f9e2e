//! What is known of a game before a message of it is read.

use chrono::NaiveDate;

use crate::domain::clock::ledger::{Ledger, PlyTime};
use crate::domain::game::Game;
use crate::domain::transmission::read::{Frame, Known};

/// The known dates of a game, as a frame for reading a message needs them.
pub fn known_dates(ledger: &Ledger) -> Vec<Known> {
    let known = |p: &PlyTime| Known {
        received: p.received.map(|d| d.day),
        sent: p.sent.map(|d| d.day),
        total: p.known_total(),
    };
    ledger.plies().iter().map(known).collect()
}

/// The frame in which a message of this game is read.
///
/// `mailed` is the day of the Date header, if it can be true; `arrived` bounds the dates where it cannot.
pub fn frame<'a>(game: &'a Game, known: &'a [Known], mailed: Option<NaiveDate>, arrived: NaiveDate) -> Frame<'a> {
    let (first, start, writer) = (game.first_number(), game.start_date, Some(game.me.other()));
    let names = [&game.white, &game.black].map(|player| player.name.as_str());
    let planned = game.plan.as_ref().map(|plan| (game.due().plus(plan.before.len()), plan.numeric));
    let recorded = || Some((game.number_of(game.moves.len().checked_sub(1)?), game.moves.last()?.numeric));
    let answers = planned.or_else(recorded).filter(|(number, _)| number.side == game.me);
    Frame { first, known, answers, start, latest: mailed.or(Some(arrived)), mailed, writer, names }
}
