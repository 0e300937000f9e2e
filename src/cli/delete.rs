//! `amici delete`: a game goes out of the database, into a file that is kept for 90 days.

use std::fs::{read_dir, remove_file};
use std::path::Path;
use std::time::Duration;

use chrono::Utc;
use clap::Args as ClapArgs;

use super::care::consent;
use super::failure::failed;
use super::note::listed;
use super::{Failure, Report, Setup, find, output};
use crate::domain::document::Document;
use crate::domain::game::GameId;
use crate::io::store::EventRow;

/// So long a deleted game is kept.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Delete a game; a file of it is kept for 90 days
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// Why, for the journal
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Delete it without being asked
    #[arg(long)]
    yes: bool,
    /// Say what would be deleted; nothing is changed
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let game = find(&mut store, &args.game).await?.game;
    let id = &game.id;
    if let Some(plan) = game.plan.as_ref().filter(|_| !args.dry_run) {
        let chosen = plan.in_words(game.due());
        return Err(failed(format!(
            "in game {id} {chosen} is chosen, and its draft may lie in your mailbox\nhelp: amici undo {id}"
        )));
    }
    let plies = game.moves.len();
    let what = format!("game {id} against {}, {plies} plies on record", game.opponent().name);
    if args.dry_run {
        return Ok(format!("This would be deleted: {what}.\nNothing was changed.\n").into());
    }
    consent(setup, args.yes, &[format!("{what}, would be deleted")], "Delete it?")?;
    let bin = setup.data.join("deleted");
    std::fs::create_dir_all(&bin).map_err(|error| Failure::unwritten(&bin, &error))?;
    let name = format!("{id}-{}", Utc::now().format("%Y%m%d-%H%M%S"));
    let file = bin.join(format!("{name}.json"));
    let document = serde_json::to_string_pretty(&Document::of(std::slice::from_ref(&game)));
    output::write(&file, document.map_err(|e| failed(e.to_string()))?.as_bytes(), false)?;
    if let Some(notes) = listed(&game, &store.notes(id).await?) {
        output::write(&bin.join(format!("{name}.notes.txt")), notes.as_bytes(), false)?;
    }
    let event = EventRow { game: None, kind: "deleted".to_owned(), text: format!("you deleted {what}: {}", args.why) };
    store.delete(id, &event, setup.now).await?;
    empty(&bin);
    Ok(format!(
        "Deleted: {what}. Its mails stay in your mailbox, and the letters that went out stay on record.\n\
         Its moves, dates and days are kept for 90 days:  amici import {}\n",
        file.display()
    )
    .into())
}

/// Takes out what has been kept long enough; what cannot be looked at stays.
fn empty(bin: &Path) {
    for entry in read_dir(bin).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            // it is tried again with the next game
            let _ = remove_file(entry.path());
        }
    }
}
