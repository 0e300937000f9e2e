//! `amici message`: a friendly note to the opponent, without a move.

use clap::Args as ClapArgs;

use super::care::{Wanted, carry_out};
use super::{Failure, Report, Setup, find};
use crate::deeds::message::propose;
use crate::domain::game::GameId;

/// Draft a note to the opponent, without a move
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// What you write; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: String,
    /// Do it although a part of it could be read as more than words
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
    let proposal = propose(setup.around(&config), &mut store, &thread, &args.message).await?;
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: args.yes }, proposal).await
}
