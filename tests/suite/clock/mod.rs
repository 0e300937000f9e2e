//! The clocks of every club: each worked example of the rules by its number, a table of dates at every edge, and what must hold always.
//!
//! The examples about conditional moves (T90 to T93) stand with the conditional moves.

use amici::domain::clock::ledger::{Ledger, PlyTime};
use amici::domain::clock::rules::{Ruleset, RulesetChoice};
use amici::domain::document::Document;
use amici::domain::game::{Game, Leave, MoveRecord, Side, Stated};
use amici::domain::notation::NumericMove;
use chrono::NaiveDate;
use serde_json::{Value, json};

mod cases;
mod commands;
mod control;
mod counting;
mod dates;
mod leave;
mod of_games;
mod properties;
mod running;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no day"))
}

fn rules(value: Value) -> Ruleset {
    serde_json::from_value::<RulesetChoice>(value).unwrap().resolve().unwrap().into_owned()
}

/// A game without moves and without a start; the player has White.
fn game(rules: Value) -> Game {
    let document = json!({"schema": 1, "games": [{
        "id": "EM-1", "event": "EM/ZZ/042", "site": "ICCF",
        "white": {"name": "Ostrander, Mila", "emails": ["mila.ostrander@example.org"]},
        "black": {"name": "Quillfeather, Tobin", "emails": ["tobin.q@example.net"]},
        "me": "white", "rules": rules,
    }]});
    Document::read(&document.to_string()).unwrap().remove(0)
}

/// The move of that place: the king's knights go out and home again.
fn knights(ply: usize) -> NumericMove {
    ["7163", "7866", "6371", "6678"][ply % 4].parse().unwrap()
}

fn push(game: &mut Game, claimed: Stated) -> &mut MoveRecord {
    game.moves.push(MoveRecord::claimed(knights(game.moves.len()), claimed));
    game.moves.last_mut().unwrap()
}

/// A move that states its two dates.
fn dated(received: &str, sent: &str) -> Stated {
    Stated { received: Some(day(received)), sent: Some(day(sent)), ..Stated::default() }
}

/// A move that states its days and no date; without the total, one of no days would be a conditional one.
fn spent(days: u32) -> Stated {
    Stated { days: Some(days), total: Some(days), ..Stated::default() }
}

/// Moves of White of so many days each, answered at once.
fn white_spends(game: &mut Game, days: &[u32]) {
    for days in days {
        push(game, spent(*days));
        push(game, spent(0));
    }
}

/// The opponent's last mail came on that day.
fn arrived(game: &mut Game, on: &str) {
    game.moves.last_mut().unwrap().observed.arrived = Some(day(on));
}

fn ledger(game: &Game) -> Ledger {
    Ledger::of(game).unwrap()
}

fn last(game: &Game) -> PlyTime {
    *ledger(game).plies().last().unwrap()
}

fn leave(side: Side, from: &str, to: &str) -> Leave {
    Leave { side, from: day(from), to: day(to), announced: Some(day(from)) }
}
