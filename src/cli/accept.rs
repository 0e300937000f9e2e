//! `amici accept`: the player read a held mail and says which move it gives.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::queue::{OWN, entry};
use super::settle::{Acceptance, accept};
use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::GameId;

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
    let me = setup.config()?.me;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game.id;
    let mut held = store.held().await?;
    if args.mail.is_some() {
        // also one that was put away by mistake
        held.extend(store.passed_over().await?);
    }
    held.retain(|h| h.game.as_ref() == Some(&game));
    // one of the player's own waits for another command
    if args.mail.is_none() && held.iter().any(|h| h.outcome != OWN) {
        held.retain(|h| h.outcome != OWN);
    }
    if held.is_empty() {
        return Err(Failure::new(
            Exit::Failed,
            format!(
                "game {game} has no held mail\nhelp: `amici take FILE.eml` takes in a mail that reached you another way"
            ),
        ));
    }
    if args.mail.is_none() && held.len() > 1 {
        let numbers: Vec<String> = held.iter().map(|h| h.mail.to_string()).collect();
        return Err(Failure::new(
            Exit::NeedsConfirmation,
            format!("several mails are held; say which with --mail: {}", numbers.join(", ")),
        ));
    }
    let Some(chosen) = held.into_iter().find(|h| args.mail.is_none_or(|mail| h.mail == mail)) else {
        let mail = args.mail.unwrap_or_default();
        return Err(Failure::new(Exit::Failed, format!("mail {mail} is not held for game {game}")));
    };
    let entry = entry(&mut store, &me, chosen).await?;
    let Args { text, received, sent, draw, yes, .. } = args;
    Ok(accept(setup, &mut store, &entry, &Acceptance { text, received, sent, draw, yes }).await?.into())
}
