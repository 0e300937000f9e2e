//! `amici accept`: the player read a held mail and says which move it gives.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::{Failure, Report, Setup, find};
use crate::deeds::held::{Acceptance, accept, giving};
use crate::domain::game::GameId;
use crate::intake::held::entry;

/// Record by hand the move of a mail that was held
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The move you read in it
    #[arg(value_name = "MOVE")]
    text: String,
    /// The mail, if several are held, or one that you put away by mistake
    #[arg(long, value_name = "NUMBER")]
    mail: Option<i64>,
    /// The day he received your move [default: what the mail states]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    received: Option<NaiveDate>,
    /// The day he sent his [default: what the mail states, else its date]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    sent: Option<NaiveDate>,
    /// He offers a draw with it
    #[arg(long)]
    draw: bool,
    /// You are sure that he wrote it, though the mail does not show it
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game.id;
    let held = giving(&mut store, &game, args.mail).await?;
    let entry = entry(&mut store, &config.me, held).await?;
    let Args { text, received, sent, draw, yes, .. } = args;
    let with = Acceptance { text, received, sent, draw, yes };
    Ok(accept(setup.around(&config), &mut store, &entry, &with).await?.into())
}
