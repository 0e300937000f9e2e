//! The rules that the running games of a PGN took: which they are, and what speaks against those that nobody named.
//!
//! Games that are over have no clock, and are not looked at.

use std::collections::BTreeMap;

use crate::domain::game::{Game, GameId};

/// Games of a line that are named.
const NAMED: usize = 8;

/// What is to be asked before games begin to be judged by rules that nobody named; empty where nothing speaks against them.
pub(super) fn objections<'a>(doubts: impl Iterator<Item = &'a (GameId, String)>) -> Vec<String> {
    let doubts = together(doubts.map(|(id, what)| (what.clone(), id)));
    let mut lines: Vec<String> =
        doubts.iter().map(|(what, ids)| format!("nobody named the rules of {ids}: {what}")).collect();
    if !lines.is_empty() {
        lines.push(
            "name them with --rules NAME (`amici rules` lists them), or as `rules` of their [[event]]".to_owned(),
        );
    }
    lines
}

/// What is to be asked where the names or addresses of games give him another side than --me.
pub(super) fn other_side<'a>(games: impl Iterator<Item = &'a (GameId, String)>) -> Vec<String> {
    let sides = together(games.map(|(id, side)| (side.clone(), id)));
    let line = |(side, ids): (&String, &String)| {
        format!(
            "by the names or addresses you are {side} in {ids}, and so it is taken: --me is for games where they do not tell"
        )
    };
    sides.iter().map(line).collect()
}

/// The rules of the running games, a line for each set.
pub(super) fn of_running<'a>(games: impl Iterator<Item = &'a Game>) -> String {
    let running = games.filter(|game| game.result.is_none());
    let rules = together(running.filter_map(|game| Some((game.ruleset().ok()?.in_brief(), &game.id))));
    rules.iter().map(|(brief, ids)| format!("Rules of {ids}: {brief}\n")).collect()
}

/// The games of which the same is to be said, as words.
fn together<'a>(said: impl Iterator<Item = (String, &'a GameId)>) -> BTreeMap<String, String> {
    let mut together: BTreeMap<String, Vec<&GameId>> = BTreeMap::new();
    for (what, id) in said {
        together.entry(what).or_default().push(id);
    }
    let words = |ids: Vec<&GameId>| {
        let named: Vec<&str> = ids.iter().take(NAMED).map(|id| id.as_str()).collect();
        match ids.len().checked_sub(NAMED).filter(|more| *more > 0) {
            Some(more) => format!("{} and {more} more", named.join(", ")),
            None => named.join(", "),
        }
    };
    together.into_iter().map(|(what, ids)| (what, words(ids))).collect()
}
