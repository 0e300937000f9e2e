//! `amici repeat`: the player's last move once more, as it was first sent, for an opponent who does not answer.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::{Wanted, carry_out};
use super::{Failure, Report, Setup, find};
use crate::deeds::repeat::{propose, reminded, sent, undo};
use crate::domain::game::GameId;

/// Draft your last move once more, for an opponent who is silent
///
/// It keeps its original dates.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// A copy to the director, also before the rules want one
    #[arg(long)]
    cc_director: bool,
    /// You sent the letter: only enter that, where your Sent folder is not read; days may count double from it on
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    sent: bool,
    /// He reminded you, in a mail that does not repeat his move: only enter that
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    his: bool,
    /// It did not go out, or was no reminder: take the one entered last out again, yours or his
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    undo: bool,
    /// The day on which it was sent, or came [default: today; of an undo: the last]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "entered")]
    on: Option<NaiveDate>,
    /// Do it although it is too early, or was done before
    #[arg(long)]
    yes: bool,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let around = setup.around(&config);
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    if args.undo {
        return Ok(undo(around, &mut store, &thread.game, args.on).await?.into());
    }
    let proposal = if args.his {
        reminded(around, &mut store, &thread.game, args.on).await?
    } else if args.sent {
        sent(around, &mut store, &thread, args.on).await?
    } else {
        propose(around, &mut store, &thread, args.cc_director).await?
    };
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: args.yes }, proposal).await
}
