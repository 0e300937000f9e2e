//! `amici note`: the player's private notes on a game. No letter, draft, report or evidence has them.

use clap::Args as ClapArgs;
use serde_json::{Value, json};

use super::failure::failed;
use super::ply::Ply;
use super::{Failure, Report, Setup, find};
use crate::domain::game::{Game, GameId, PrivateNote};

/// Write a private note on a game, which no letter ever shows
///
/// Without a text the notes are listed.
#[derive(Debug, ClapArgs)]
#[command(override_usage = "amici note GAME [PLY] TEXT\n       amici note GAME [--json | --remove NUMBER]")]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The move that it is about (12. or 12w, 12... or 12b, last) [default: the last one], and your words
    #[arg(value_name = "TEXT", num_args = 1..=2, conflicts_with_all = ["remove", "json"])]
    words: Vec<String>,
    /// Take the note with this number in the list away
    #[arg(long, value_name = "NUMBER")]
    remove: Option<usize>,
    /// The list as one JSON document
    #[arg(long, conflicts_with = "remove")]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    if let Some(number) = args.remove {
        return remove(setup, &args.game, number).await;
    }
    let (ply, text) = match args.words.as_slice() {
        [] => {
            let mut store = setup.store_to_read().await?;
            let game = find(&mut store, &args.game).await?.game;
            let notes = store.notes(&game.id).await?;
            if args.json {
                return Ok(as_json(&game, &notes).into());
            }
            return Ok(listed(&game, &notes).unwrap_or_else(|| "There are no notes on this game.\n".to_owned()).into());
        }
        [text] => (Ply::Last, text),
        [ply, text, ..] => (ply.parse::<Ply>().map_err(|e| failed(format!("{ply} names no move\nhelp: {e}")))?, text),
    };
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    let plies = match ply {
        Ply::Last => Some(game.moves.len()),
        Ply::Number(_) => ply.index_in(&game).map(|index| index + 1).filter(|plies| *plies <= game.moves.len()),
    };
    let Some(plies) = plies else {
        return Err(failed(format!(
            "that move is not on record in game {0}; {1} is due\nhelp: `amici show {0}` shows those that are",
            game.id,
            game.due()
        )));
    };
    let Some(note) = PrivateNote::new(plies, text) else {
        return Err(failed("the note has no words\nhelp: amici note GAME [PLY] TEXT"));
    };
    let kept = store.annotate(&[(game.id.clone(), note.clone())], setup.now).await?;
    let said = if kept == 0 { "This is noted already" } else { "Noted" };
    Ok(format!("{said}, for you alone, {}.\n", place(&game, &note)).into())
}

async fn remove(setup: &Setup, id: &GameId, number: usize) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let game = find(&mut store, id).await?.game;
    let notes = store.notes(&game.id).await?;
    let Some(note) = number.checked_sub(1).and_then(|index| notes.get(index)) else {
        return Err(failed(format!(
            "game {0} has no note {number}\nhelp: `amici note {0}` lists them with their numbers",
            game.id
        )));
    };
    store.remove_note(&game.id, note, setup.now).await?;
    Ok(format!("Removed, {}: {}\n", place(&game, note), note.text).into())
}

/// `at 7. 5171`, or where no move was made.
fn place(game: &Game, note: &PrivateNote) -> String {
    let index = usize::try_from(note.ply).ok().and_then(|ply| ply.checked_sub(1));
    match index.and_then(|index| Some((index, game.moves.get(index)?))) {
        Some((index, record)) => format!("at {} {}", game.number_of(index), record.numeric),
        None if note.ply == 0 => "at the start".to_owned(),
        None => format!("at ply {}", note.ply),
    }
}

fn as_json(game: &Game, notes: &[PrivateNote]) -> String {
    let note = |(number, note): (usize, &PrivateNote)| json!({"number": number, "ply": note.ply, "at": place(game, note), "text": note.text});
    let notes: Vec<Value> = (1..).zip(notes).map(note).collect();
    format!("{:#}\n", json!({"schema": 1, "game_id": game.id, "notes": notes}))
}

/// The notes with their numbers; `None` where there are none.
pub(super) fn listed(game: &Game, notes: &[PrivateNote]) -> Option<String> {
    let line = |(number, note): (usize, &PrivateNote)| format!("{number:>4}  {}: {}\n", place(game, note), note.text);
    let lines: String = (1..).zip(notes).map(line).collect();
    (!notes.is_empty()).then(|| format!("Your notes, which no letter shows:\n{lines}"))
}
