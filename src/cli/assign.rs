//! `amici assign`: a held mail that belongs to another game than the one it was taken for, or to one at all.

use clap::Args as ClapArgs;

use super::queue::of_mail;
use super::{Failure, Report, Setup, find};
use crate::deeds::held::{assign, only};
use crate::domain::game::GameId;

/// Say to which game a held mail belongs
///
/// It is held for that game then, and nothing is recorded. One that belongs to no game is put away with `amici ignore`.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The mail's number, as `amici review` shows it
    mail: i64,
    /// The game to which it belongs
    #[arg(value_name = "GAME")]
    to: GameId,
    /// The game that it is held for, if it is held for several
    #[arg(long)]
    game: Option<GameId>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let held = only(of_mail(&mut store, args.mail, args.game.as_ref()).await?)?;
    let to = find(&mut store, &args.to).await?;
    Ok(assign(setup.around(&config), &mut store, &held, &to).await?.into())
}
