//! `amici ask`: a question to the opponent about a held mail, drafted for the player to send.

use clap::Args as ClapArgs;

use super::queue::of_mail;
use super::{Failure, Report, Setup};
use crate::config::Language;
use crate::deeds::held::{Wording, ask, only, question};
use crate::domain::game::GameId;
use crate::intake::held::entry;

/// Draft a question to the opponent about a held mail
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The mail's number, as `amici review` shows it
    mail: i64,
    /// The game, if it is held for several
    #[arg(long)]
    game: Option<GameId>,
    /// The language of the question: en, de, fr, es, it, pt or ru
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: Language,
    /// Your own text in place of the program's; -n shows that one
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Ask once more
    #[arg(long)]
    again: bool,
    /// Show the question only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let held = only(of_mail(&mut store, args.mail, args.game.as_ref()).await?)?;
    let entry = entry(&mut store, &config.me, held).await?;
    let (around, wording) = (setup.around(&config), Wording { language: args.language, text: args.text.as_deref() });
    if args.dry_run {
        return Ok(question(around, &mut store, &entry, wording).await?.into());
    }
    let (text, recipient) = ask(around, &mut store, &entry, wording, args.again).await?;
    drop(store);
    Ok((text + &super::daemon::deliver(setup, &config, &recipient).await?).into())
}
