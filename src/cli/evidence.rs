//! `amici evidence`: one game with all its mails, packed for a tournament director.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::desk::Program;
use super::{Exit, Failure, Report, Setup, find, output};
use crate::desk::report::game_alone;
use crate::domain::game::GameId;
use crate::proof::evidence::evidence;

/// Pack one game, its mails and a timeline for the director
///
/// The archive can be read without amici: README.txt says what is in it and how it can be checked. It holds the mails of this game
/// only, and nothing of your configuration. A mail in which your opponent writes about another game of yours too is in it whole;
/// README.txt names it, and --no-mails leaves all raw mails out.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The archive to write
    #[arg(short, long, value_name = "FILE.zip")]
    output: PathBuf,
    /// Leave the raw mails out
    #[arg(long)]
    no_mails: bool,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store_to_read().await?;
    let game = find(&mut store, &args.game).await?;
    let page = game_alone(Arc::new(Program::of(setup)), &game.game.id).await?;
    let page = page.into_iter().map(|file| (file.name, file.text)).collect();
    let bytes = evidence(&mut store, &config.me, &config.senders, &game, !args.no_mails, page)
        .await
        .map_err(|e| Failure::new(Exit::Failed, format!("game {}: {e}", game.game.id)))?;
    let file = args.output.display();
    output::write(&args.output, &bytes, args.force)?;
    let mut text = format!(
        "{file}: the evidence of game {}, {} bytes.
",
        game.game.id,
        bytes.len()
    );
    let several = store.mails_of(&game.game.id).await?.iter().filter(|mail| mail.elsewhere).count();
    if several > 0 && !args.no_mails {
        text.push_str(&format!(
            "{several} of its mails are about another game of yours too: look at them before you send it, or say --no-mails.\n"
        ));
    }
    let private =
        if args.no_mails { "addresses, and what the mails say of the game" } else { "private mails and addresses" };
    text.push_str(&format!("It holds {private}; nothing was sent.\n"));
    Ok(text.into())
}
