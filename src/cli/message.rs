//! `amici message`: a friendly note to the opponent, without a move. What could be read as one is refused.

use clap::Args as ClapArgs;

use super::care::{OneLetter, Wanted, draft, screened, today};
use super::{Failure, Report, Setup, find};
use crate::domain::game::GameId;
use crate::letters::{self, Errand, Whom};

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
    let game = &thread.game;
    let objections = screened(game, &args.message, today(setup, &config, &mut store).await?)?;
    let text = letters::message_text(&thread.game, &args.message, &config.me);
    let said = format!("A note to {} in game {}.\n", game.opponent().name, game.id);
    let errand = Errand { label: "note", what: "a note", body: &text, to: Whom::Opponent { copy: None }, hints: &[] };
    let journal = ("message", "a note to the opponent was drafted".to_owned());
    let wanted = Wanted { dry_run: args.dry_run, yes: args.yes };
    let one = OneLetter { thread: &thread, errand, said, objections, note: None, journal };
    draft(setup, &config, store, wanted, one).await
}
