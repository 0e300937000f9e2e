//! The crosstable of an event, as far as the record has it: the player's own games.

use serde::Deserialize;
use serde_json::{Value, json};

use super::games::{Listed, Status};
use super::{Record, Refused};

/// Which event is wanted.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    name: String,
}

impl Wanted {
    pub(super) fn of(name: &str) -> Wanted {
        Wanted { name: name.to_owned() }
    }
}

/// Half points.
fn half_points(game: &Listed) -> Option<u32> {
    let white = match game.result.as_deref()? {
        "1-0" => 2,
        "0-1" => 0,
        _ => 1,
    };
    Some(if game.me == "white" { white } else { 2 - white })
}

/// `1`, `½`, `0`, `2½`
fn points(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// What the page shows.
///
/// # Errors
/// [`Refused`] where no game of this event is on record.
pub(super) async fn facts(record: &Record, wanted: &Wanted, finished: bool) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let status = Status::load(record).await?;
    let games: Vec<&Listed> = status.games.iter().filter(|game| game.event == wanted.name).collect();
    if games.is_empty() {
        return Err(Refused::missing(format!("there is no game of the event {}", wanted.name)));
    }
    let mut opponents: Vec<&str> = games.iter().map(|game| game.opponent.as_str()).collect();
    opponents.sort_unstable();
    opponents.dedup();
    let player = |name: &str, of: &dyn Fn(u32) -> u32, games: &[&Listed]| {
        let known: Vec<u32> = games.iter().filter_map(|game| half_points(game)).map(of).collect();
        (
            known.iter().sum::<u32>(),
            json!({"name": name, "points": points(known.iter().sum()), "of": known.len(), "games": games.len()}),
        )
    };
    let mut rows = vec![(player(&me.name, &|halves| halves, &games), None)];
    for opponent in &opponents {
        let against: Vec<&Listed> = games.iter().copied().filter(|game| game.opponent == *opponent).collect();
        rows.push((player(opponent, &|halves| 2 - halves, &against), Some(*opponent)));
    }
    rows.sort_by(|((one, _), name), ((other, _), other_name)| other.cmp(one).then_with(|| name.cmp(other_name)));
    let order: Vec<Option<&str>> = rows.iter().map(|(_, opponent)| *opponent).collect();
    let cell = |row: Option<&str>, column: Option<&str>| {
        let (against, is_mine) = match (row, column) {
            (None, Some(opponent)) => (opponent, true),
            (Some(opponent), None) => (opponent, false),
            _ => return json!({"is_own": row == column}),
        };
        let between = games.iter().filter(|game| game.opponent == against);
        let shown: Vec<Value> = between
            .map(|game| {
                let halves = half_points(game).map(|halves| if is_mine { halves } else { 2 - halves });
                json!({"id": game.id, "shown": halves.map(points), "white": (game.me == "white") == is_mine, "ply": game.ply})
            })
            .collect();
        json!({"games": shown})
    };
    let table: Vec<Value> = rows
        .iter()
        .map(|((_, player), name)| {
            let cells: Vec<Value> = order.iter().map(|column| cell(*name, *column)).collect();
            json!({"player": player, "is_me": name.is_none(), "cells": cells})
        })
        .collect();
    Ok(
        json!({"event": wanted.name, "rows": table, "linked": finished, "running": games.iter().filter(|game| game.result.is_none()).count()}),
    )
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn points_are_written_as_players_write_them() {
        assert_eq!([0, 1, 2, 3, 20].map(points), ["0", "½", "1", "1½", "10"]);
    }
}
