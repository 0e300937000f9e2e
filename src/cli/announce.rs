//! `amici announce`: the player tells his opponent that he needs longer.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::{Wanted, carry_out};
use super::{Failure, Report, Setup, find};
use crate::deeds::announce::{enter, propose, undo};
use crate::domain::game::GameId;

/// Draft a letter that you need longer for your move
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The day by which you expect to answer
    #[arg(long, value_name = "DATE", value_parser = super::day, required_unless_present = "undo")]
    until: Option<NaiveDate>,
    /// A few words with it; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Do it although your time would be overstepped by then, the day is more than a year ahead, or it was done before
    #[arg(long)]
    yes: bool,
    /// Enter what the opponent announced; no letter is drafted
    #[arg(long, group = "entered", conflicts_with = "message")]
    his: bool,
    /// You told him already: only enter that
    #[arg(long, group = "entered", conflicts_with = "message")]
    sent: bool,
    /// It was not announced: take what was entered last out again, yours or his
    #[arg(long, group = "entered", conflicts_with_all = ["message", "until", "dry_run", "yes"])]
    undo: bool,
    /// The day on which it was announced [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "entered")]
    on: Option<NaiveDate>,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let around = setup.around(&config);
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let Some(until) = args.until else {
        return Ok(undo(around, &mut store, &thread.game, args.on).await?.into());
    };
    let proposal = if args.his || args.sent {
        enter(around, &mut store, &thread.game, args.his, until, args.on).await?
    } else {
        propose(around, &mut store, &thread, until, args.message.as_deref()).await?
    };
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: args.yes }, proposal).await
}
