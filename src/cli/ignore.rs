//! `amici ignore`: a held mail that needs nothing any more.

use clap::Args as ClapArgs;

use super::queue::of_mail;
use super::{Failure, Report, Setup};
use crate::deeds::held::ignore;
use crate::domain::game::GameId;

/// Put a held mail away without recording anything
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The mail's number, as `amici review` shows it
    mail: i64,
    /// Only for this game, if it is held for several
    #[arg(long)]
    game: Option<GameId>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let zone = setup.config()?.me.timezone;
    let mut store = setup.store().await?;
    let held = of_mail(&mut store, args.mail, args.game.as_ref()).await?;
    Ok(ignore(&mut store, &held, zone, setup.now).await?.into())
}
