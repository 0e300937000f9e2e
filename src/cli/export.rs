//! `amici export`: games as the JSON document that `import` reads.

use clap::{Args as ClapArgs, ValueEnum};

use super::{Exit, Failure, Report, Setup, find};
use crate::domain::document::Document;
use crate::domain::game::{Game, GameId};

/// Write games as a document that `amici import` reads
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The games; all of them if none is named
    games: Vec<GameId>,
    /// The form of the document
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Everything, with dates and days
    Json,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let mut store = setup.store_to_read().await?;
    let mut games: Vec<Game> = Vec::new();
    if args.games.is_empty() {
        games.extend(store.games().await?.into_iter().map(|g| g.game));
    }
    for id in &args.games {
        games.push(find(&mut store, id).await?.game);
    }
    match args.format {
        Format::Json => {
            let mut text = serde_json::to_string_pretty(&Document::of(&games))
                .map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
            text.push('\n');
            Ok(text.into())
        }
    }
}
