//! `amici import`: games from a JSON document, all or nothing.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{Exit, Failure, Report, Setup};
use crate::domain::document::Document;
use crate::io::store::StoreError;
use crate::letters::root_message_id;
use crate::mail::address::Address;

/// Take games in from a JSON file; a file with one bad game changes nothing
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The document, as `amici export --format json` writes it
    file: PathBuf,
    /// Replace games that exist already
    #[arg(long)]
    replace: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let file = args.file.display();
    let fail = |why: String| {
        Failure::new(
            Exit::Failed,
            format!("{file}: {why}\nhelp: nothing was imported; correct the file and import it again"),
        )
    };
    let text = std::fs::read_to_string(&args.file).map_err(|e| fail(format!("cannot be read: {e}")))?;
    if text.trim_start().starts_with("[Event ") {
        return Err(fail("this is a PGN file; only the JSON document of `amici export` can be imported".to_owned()));
    }
    let games = Document::read(&text).map_err(|e| fail(e.to_string()))?;
    let mut entries = Vec::with_capacity(games.len());
    for game in games {
        for address in game.white.emails.iter().chain(&game.black.emails) {
            address.parse::<Address>().map_err(|e| fail(format!("game {}: {e}", game.id)))?;
        }
        let me = game.myself().emails.first().and_then(|a| a.parse::<Address>().ok());
        let me = me.ok_or_else(|| fail(format!("game {}: you have no address in it", game.id)))?;
        let root = root_message_id(&game.id, &super::token()?, &me);
        entries.push((game, root));
    }
    let mut store = setup.store().await?;
    store.import(&entries, args.replace, setup.now).await.map_err(|error| match error {
        StoreError::GameExists { .. } => Failure::new(Exit::Failed, format!("{file}: {error}")),
        other => other.into(),
    })?;
    let noun = if entries.len() == 1 { "game" } else { "games" };
    let mut text = format!("{} {noun} imported:\n", entries.len());
    for (game, _) in &entries {
        text.push_str(&format!(
            "  {}  {} - {}, {} plies\n",
            game.id,
            game.white.name,
            game.black.name,
            game.moves.len()
        ));
    }
    text.push_str("Next: amici status\n");
    Ok(text.into())
}
