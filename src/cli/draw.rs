//! `amici draw`: the letter by which the player accepts or declines the draw that was offered to him. It closes nothing.

use clap::{ArgGroup, Args as ClapArgs};

use super::care::{Wanted, carry_out};
use super::failure::failed;
use super::{Failure, Report, Setup, find};
use crate::deeds::ending::propose;
use crate::domain::game::GameId;
use crate::letters::Ending;

/// Draft the answer to an offer of a draw
#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new("what").required(true)))]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// Accept it
    #[arg(long, group = "what")]
    accept: bool,
    /// Decline it and play on
    #[arg(long, group = "what")]
    decline: bool,
    /// Says how a draw is offered: with a move
    #[arg(long, group = "what")]
    offer: bool,
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
    if args.offer {
        return Err(failed(format!(
            "a draw is offered with a move\nhelp: `amici play {} MOVE --draw` drafts both",
            thread.game.id
        )));
    }
    let ending = if args.accept { Ending::AcceptsDraw } else { Ending::DeclinesDraw };
    let proposal = propose(setup.around(&config), &thread, ending)?;
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: args.yes }, proposal).await
}
