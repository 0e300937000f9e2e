//! `amici resign`: the letter by which the player resigns. It closes nothing; he sends it, and then says how the game ended.

use clap::Args as ClapArgs;

use super::care::{Wanted, carry_out};
use super::{Exit, Failure, Report, Setup, find};
use crate::deeds::ending::propose;
use crate::domain::game::{Game, GameId};
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
    let mut proposal = propose(setup.around(&config), &thread, Ending::Resigns)?;
    if !args.yes && !args.dry_run {
        sure(setup, &thread.game)?;
    }
    proposal.doubts.clear();
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: true }, proposal).await
}

/// The player types the name of the game.
fn sure(setup: &Setup, game: &Game) -> Result<(), Failure> {
    let question = format!("You resign game {0} against {1}. To be sure, type {0}", game.id, game.opponent().name);
    match setup.asked.for_text(&question) {
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
