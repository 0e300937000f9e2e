//! `amici resign`: the letter by which the player resigns. It closes nothing; he sends it, and then says how the game ended.

use clap::Args as ClapArgs;

use super::care::{Wanted, running};
use super::draw::{Told, ends};
use super::{Exit, Failure, Report, Setup, confirm, find};
use crate::domain::game::{Game, GameId, GameResult, Side};
use crate::letters::Ending;

/// Draft your resignation
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// You are sure
    #[arg(long)]
    yes: bool,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    running(game)?;
    if !args.yes && !args.dry_run {
        sure(game)?;
    }
    let lost = match game.me {
        Side::White => GameResult::BlackWins,
        Side::Black => GameResult::WhiteWins,
    };
    let wanted = Wanted { dry_run: args.dry_run, yes: true };
    let told = Told { ending: Ending::Resigns, result: Some(lost), objections: Vec::new(), wanted };
    ends(setup, &config, store, &thread, told).await
}

/// The player types the name of the game.
fn sure(game: &Game) -> Result<(), Failure> {
    let question = format!("You resign game {0} against {1}. To be sure, type {0}", game.id, game.opponent().name);
    match confirm::question(&question) {
        Some(typed) if typed == game.id.as_str() => Ok(()),
        Some(_) => Err(Failure::new(Exit::NeedsConfirmation, "nothing was done")),
        None => Err(Failure::new(
            Exit::NeedsConfirmation,
            format!(
                "a resignation ends game {}\nhelp: nothing was done; say the same with --yes if you are sure",
                game.id
            ),
        )),
    }
}
