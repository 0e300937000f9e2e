//! `amici ignore`: a held mail that needs nothing any more.

use clap::Args as ClapArgs;

use super::{Exit, Failure, Report, Setup};
use crate::io::store::EventRow;

/// Put a held mail away without recording anything
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The mail's number, as `amici status` shows it
    mail: i64,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let held: Vec<_> = store.held().await?.into_iter().filter(|h| h.mail == args.mail).collect();
    if held.is_empty() {
        return Err(Failure::new(
            Exit::Failed,
            format!("mail {} is not held; `amici status` lists those that are", args.mail),
        ));
    }
    for one in &held {
        let event = EventRow {
            game: one.game.clone(),
            kind: "ignored".to_owned(),
            text: format!("you put mail {} away", args.mail),
        };
        store.settle_verdict(one.verdict, None, &[], &event, setup.now).await?;
    }
    Ok(format!("Mail {} is put away; nothing was recorded. It stays in your mailbox.\n", args.mail).into())
}
