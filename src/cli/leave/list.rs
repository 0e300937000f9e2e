//! `amici leave list`: all leave on record, and the days of each year.

use serde_json::json;

use super::super::narrow::folded;
use super::super::{Failure, Report, Setup};
use crate::domain::clock::doubt::is_late;
use crate::domain::clock::still::StandingStill;
use crate::domain::game::{Game, GameId, Leave, Side};
use crate::io::store::StoredGame;

pub(super) async fn run(setup: &Setup, as_json: bool) -> Result<Report, Failure> {
    let games = match setup.store_if_any().await? {
        Some(mut store) => store.outlines().await?,
        None => Vec::new(),
    };
    let whose = |game: &Game, side: Side| if side == game.me { "me" } else { "opponent" };
    if as_json {
        let entry = |game: &Game, leave: &Leave| {
            json!({
                "game_id": game.id, "side": leave.side, "of": whose(game, leave.side), "from": leave.from, "to": leave.to,
                "days": (leave.to - leave.from).num_days() + 1, "announced": leave.announced, "late": is_announced_late(game, leave),
            })
        };
        let leaves: Vec<_> =
            games.iter().flat_map(|t| Leave::standing(&t.game.leaves).map(|leave| entry(&t.game, leave))).collect();
        let years: Vec<_> = games
            .iter()
            .flat_map(|t| years_of(&t.game))
            .map(|y| json!({"game_id": y.game, "side": y.side, "year": y.year, "days": y.days, "limit": y.limit}))
            .collect();
        return Ok(format!("{:#}\n", json!({"schema": 1, "leaves": leaves, "years": years})).into());
    }
    let mut text = String::new();
    for StoredGame { game, .. } in &games {
        for leave in Leave::standing(&game.leaves) {
            let name = if leave.side == game.me { "you" } else { game.opponent().name.as_str() };
            let announced = match leave.announced {
                Some(day) if is_announced_late(game, leave) => {
                    format!(", announced {day}, after it began: late by the rules")
                }
                Some(day) => format!(", announced {day}"),
                None if leave.side == game.me => {
                    format!("; sent the letters?  amici leave sent {}..{}", leave.from, leave.to)
                }
                None => String::new(),
            };
            text.push_str(&format!("{}  {} .. {}  {name}{announced}\n", game.id, leave.from, leave.to));
        }
        for y in years_of(game) {
            let name = if y.side == game.me { "you" } else { game.opponent().name.as_str() };
            let limit = y.limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
            let days = if y.limit.unwrap_or(y.days) == 1 { "day" } else { "days" };
            text.push_str(&format!("{}  {}: {}{limit} {days}  {name}\n", game.id, y.year, y.days));
        }
    }
    if text.is_empty() {
        text.push_str("No leave is on record.\n");
    }
    Ok(folded(text).into())
}

fn is_announced_late(game: &Game, leave: &Leave) -> bool {
    leave.announced.is_some() && game.ruleset().is_ok_and(|rules| is_late(&rules, leave))
}

/// The days of leave of one side in one year.
struct Year<'a> {
    game: &'a GameId,
    side: Side,
    year: i32,
    days: u32,
    limit: Option<u32>,
}

fn years_of(game: &Game) -> Vec<Year<'_>> {
    let limit = game.ruleset().ok().and_then(|rules| rules.leave.days_per_year);
    let of_side = |side| {
        let still = StandingStill::of(&game.leaves, side);
        let years: Vec<i32> = still.years().collect();
        years.into_iter().map(move |year| Year { game: &game.id, side, year, days: still.in_year(year), limit })
    };
    of_side(game.me).chain(of_side(game.me.other())).collect()
}
