//! `amici verify --rebuild`: the database made again from the raw mails and the player's acts, and compared.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::super::{Exit, Failure, Report, Setup, token};
use crate::domain::game::Game;
use crate::io::store::{LEFT_OUT, Store};
use crate::letters::plural;
use crate::proof::replay::{Replayed, Stopped, replay};
use crate::proof::rows::{Otherwise, in_words};

/// How many differences are told by words.
const MOST_TOLD: usize = 50;

/// The differences; the database made again stays where `keep` says, if anywhere.
pub(super) async fn run(setup: &Setup, keep: Option<&Path>, in_json: bool) -> Result<Report, Failure> {
    let mut source = setup.store_to_read().await?;
    let done = match keep {
        Some(folder) if folder.exists() => {
            let why = format!("{} exists already\nhelp: name a folder that does not", folder.display());
            return Err(Failure::new(Exit::Failed, why));
        }
        Some(folder) => replay(&mut source, &mut Store::open(folder).await?).await?,
        None => {
            let folder = std::env::temp_dir().join(format!("amici-rebuild-{}", token()?));
            let done = in_folder(&mut source, &folder).await;
            std::fs::remove_dir_all(&folder)
                .map_err(|e| Failure::new(Exit::Failed, format!("{}: cannot be removed: {e}", folder.display())))?;
            done?
        }
    };
    let exit = if done.diff.is_empty() && done.stopped.is_none() { Exit::Ok } else { Exit::Failed };
    let otherwise = in_words(&done.diff);
    let mut games = BTreeMap::new();
    for id in otherwise.iter().filter_map(|one| one.game.as_deref()) {
        if let (false, Ok(game)) = (games.contains_key(id), id.parse()) {
            games.insert(id, source.game(&game).await?.map(|thread| thread.game));
        }
    }
    let places: Vec<Option<String>> = otherwise.iter().map(|one| number(one, &games)).collect();
    let told: Vec<(&Otherwise, Option<&str>)> = otherwise.iter().zip(places.iter().map(Option::as_deref)).collect();
    Ok(Report { text: if in_json { as_json(&done, &told) } else { as_text(&done, &told) }, exit })
}

async fn in_folder(source: &mut Store, folder: &Path) -> Result<Replayed, Failure> {
    Ok(replay(source, &mut Store::open(folder).await?).await?)
}

/// The number of the move that it is about.
fn number(one: &Otherwise, games: &BTreeMap<&str, Option<Game>>) -> Option<String> {
    let ply = one.ply?;
    let game = one.game.as_deref().and_then(|id| games.get(id)?.as_ref());
    Some(game.map_or(format!("ply {ply}"), |game| game.number_of(ply.saturating_sub(1)).to_string()))
}

fn changed(diff: &str, sign: char) -> usize {
    diff.lines().filter(|line| line.starts_with(sign)).count()
}

fn as_text(done: &Replayed, told: &[(&Otherwise, Option<&str>)]) -> String {
    let day = |at: chrono::DateTime<chrono::Utc>| at.format("%Y-%m-%d %H:%M UTC").to_string();
    let mut text = match done.span {
        Some((first, last)) => format!(
            "{} acts from {} to {}: {} mails read again, {} known by their hash alone.\n",
            done.acts,
            day(first),
            day(last),
            done.mails,
            done.hashes
        ),
        None => "No act is on record.\n".to_owned(),
    };
    let other: Vec<&str> =
        done.versions.iter().map(String::as_str).filter(|v| *v != env!("CARGO_PKG_VERSION")).collect();
    if !other.is_empty() {
        text.push_str(&format!("Some mails were judged by amici {}, and are now by another.\n", other.join(", ")));
    }
    if let Some(Stopped { act, at, why }) = &done.stopped {
        text.push_str(&format!("Stopped at act {act} of {}: {why}\n", day(*at)));
        return text;
    }
    text.push_str(&format!(
        "Compared: {} rows. Not compared, since the outside world made it: {}.\n",
        done.rows,
        LEFT_OUT.join(", ")
    ));
    if done.diff.is_empty() {
        text.push_str("The rebuilt record is the same: 0 differences.\n");
    } else {
        text.push_str(&format!("It differs in {}:\n", plural(told.len(), "value")));
        for (one, number) in told.iter().take(MOST_TOLD) {
            let place = [one.game.as_deref(), *number].into_iter().flatten().map(|word| format!("{word} "));
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            text.push_str(&format!(
                "    {}{}: on record {}; the mails and acts give {}\n",
                place.collect::<String>(),
                one.what,
                value(&one.record),
                value(&one.rebuilt)
            ));
        }
        if let Some(more) = told.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
            text.push_str(&format!("    and {more} more\n"));
        }
        text.push_str(
            "help: the mails and acts are the proof; `amici verify --rebuild --keep DIR` keeps the record that they give, --json has the whole rows\n",
        );
    }
    text
}

fn as_json(done: &Replayed, told: &[(&Otherwise, Option<&str>)]) -> String {
    let stopped = done.stopped.as_ref().map(|s| json!({"act": s.act, "at": s.at, "why": s.why}));
    let difference = |(one, number): &(&Otherwise, Option<&str>)| json!({"game_id": one.game, "ply": one.ply, "number": number, "what": one.what, "record": one.record, "rebuilt": one.rebuilt});
    let differences: Vec<Value> = told.iter().map(difference).collect();
    let document = json!({
        "schema": 1, "acts": done.acts, "mails": done.mails, "known_by_hash": done.hashes,
        "from": done.span.map(|(first, _)| first), "to": done.span.map(|(_, last)| last),
        "judged_by": done.versions, "rows": done.rows, "not_compared": LEFT_OUT, "stopped": stopped,
        "on_record": changed(&done.diff, '-'), "rebuilt": changed(&done.diff, '+'),
        "differences": differences, "diff": done.diff.lines().collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}
