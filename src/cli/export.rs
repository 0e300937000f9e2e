//! `amici export`: games as the JSON document that `import` reads, or as PGN for directors, archives and chess programs.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::{Exit, Failure, Report, Setup, find, output};
use crate::config::Assistance;
use crate::domain::clock::rules::PgnDate;
use crate::domain::document::Document;
use crate::domain::game::{Game, GameId};
use crate::domain::pgn;

/// Write games as a document that `amici import` reads
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The games; all of them if none is named
    games: Vec<GameId>,
    /// The form of the document
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// Write into a new file, readable by you alone, instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Only games that are over
    #[arg(long)]
    finished: bool,
    /// PGN: the seven tags of the roster and no other
    #[arg(long)]
    strict: bool,
    /// PGN: the dates and days of each move that count as comments, and when its mail was sent (%ccsnt, in UTC; R and S are days at the
    /// mover's place)
    #[arg(long)]
    dates: bool,
    /// PGN: the players' mail addresses
    #[arg(long, conflicts_with = "strict")]
    emails: bool,
    /// PGN: your private notes as comments; never give this to an opponent
    #[arg(long)]
    notes: bool,
    /// PGN: which day stands in the tag Date [default: as the rules of the game have it]
    #[arg(long, value_enum)]
    date: Option<Day>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// All that `amici import` needs to go on with a game: no mails, no private notes, not when and why something was settled
    Json,
    /// Portable Game Notation
    Pgn,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Day {
    /// Of the event's start
    Start,
    /// Of the last move of a game that is over
    End,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    if args.format == Format::Json && (args.strict || args.dates || args.emails || args.notes || args.date.is_some()) {
        return Err(Failure::new(Exit::Failed, "--strict, --dates, --emails, --notes and --date are for --format pgn"));
    }
    let mut store = setup.store_to_read().await?;
    let mut games: Vec<Game> = Vec::new();
    if args.games.is_empty() {
        let wanted = store.games_where(|outline| outline.game.result.is_some() || !args.finished).await?;
        games.extend(wanted.into_iter().map(|g| g.game));
    }
    for id in &args.games {
        games.push(find(&mut store, id).await?.game);
    }
    games.retain(|game| game.result.is_some() || !args.finished);
    let text = match args.format {
        Format::Json => {
            serde_json::to_string_pretty(&Document::of(&games))
                .map_err(|e| Failure::new(Exit::Failed, e.to_string()))?
                + "\n"
        }
        Format::Pgn => {
            let config = setup.config()?;
            let mut written = Vec::with_capacity(games.len());
            for game in &games {
                let notes = if args.notes { store.notes(&game.id).await? } else { Vec::new() };
                let options = pgn::Options {
                    strict7: args.strict,
                    date: match args.date {
                        Some(Day::Start) => PgnDate::Start,
                        Some(Day::End) => PgnDate::End,
                        None => game.ruleset().map(|rules| rules.pgn_date).unwrap_or_default(),
                    },
                    dates: args.dates,
                    addresses: args.emails,
                    opening: config.assistance(&game.event) == Assistance::All,
                };
                let text = pgn::write_annotated(game, &options, &notes);
                written.push(text.map_err(|e| Failure::new(Exit::Failed, format!("game {}: {e}", game.id)))?);
            }
            written.join("\n")
        }
    };
    let Some(file) = args.output else {
        return Ok(text.into());
    };
    output::write(&file, text.as_bytes(), args.force)?;
    let noun = if games.len() == 1 { "game" } else { "games" };
    Ok(format!("{} {noun} written to {}\n", games.len(), file.display()).into())
}
