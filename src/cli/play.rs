//! `amici play` and `undo`: the player's own move, chosen and taken back.

use clap::Args as ClapArgs;

use super::care::consent;
use super::{Exit, Failure, Report, Setup, find};
use crate::choice::{Hold, Wish};
use crate::deeds::play::{Kept, propose, undo as taken_back};
use crate::domain::game::GameId;

/// Choose your move: checks it and makes the finished draft
#[derive(Debug, ClapArgs)]
pub(super) struct PlayArgs {
    /// The game
    game: GameId,
    /// Numeric (3735), SAN (c5, Nf6, O-O) or coordinates (c7c5); "6. 3233 5878 7. 6152" takes a line that he offered
    #[arg(value_name = "MOVE")]
    text: String,
    /// Offer a line with it: his move, your reply, and so on; several times for several lines
    #[arg(long = "if", value_name = "\"2142 6846\"")]
    lines: Vec<String>,
    /// Offer a draw with it
    #[arg(long)]
    draw: bool,
    /// A few words with it; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Make the draft only after so long, to look at the move again: 10m, 2h, 1d
    #[arg(long, value_name = "TIME")]
    hold: Option<Hold>,
    /// Do it in spite of what speaks against it
    #[arg(long)]
    yes: bool,
    /// Show the draft only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl PlayArgs {
    /// A plain move in a game.
    pub(super) fn of(game: &str, text: &str) -> Result<PlayArgs, Failure> {
        let game =
            game.parse().map_err(|e: crate::domain::game::BadGameId| Failure::new(Exit::Failed, e.to_string()))?;
        let (lines, text) = (Vec::new(), text.to_owned());
        Ok(PlayArgs { game, text, lines, draw: false, message: None, hold: None, yes: false, dry_run: false })
    }
}

/// Drop a chosen move and its draft
#[derive(Debug, ClapArgs)]
pub(super) struct UndoArgs {
    /// The game
    game: GameId,
}

pub(super) async fn play(setup: &Setup, args: PlayArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let around = setup.around(&config);
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let wish = Wish { text: &args.text, lines: &args.lines, draw: args.draw, comment: args.message.as_deref() };
    let chosen = propose(around, &mut store, &thread, &wish, args.hold).await?;
    if args.dry_run {
        let notes: String = chosen.doubts.iter().map(|line| format!("Note: {line}\n")).collect();
        let letter = chosen.letter(around, game)?;
        return Ok(format!("{}{notes}Nothing was kept. The draft would be:\n\n{letter}", chosen.said).into());
    }
    consent(setup, args.yes, &chosen.doubts, "Answer all the same?")?;
    let Kept { said, recipient } = chosen.keep(around, &mut store, game).await?;
    drop(store);
    let mut text = chosen.said + &said;
    if let Some(recipient) = recipient {
        text.push_str(&super::daemon::deliver(setup, &config, &recipient).await?);
        if config.drafts.are_placed() {
            text.push_str(
                "With the next look into the mailbox it lies in your folder for drafts too; `amici status` shows it.\n",
            );
        }
        text.push_str(&format!(
            "Nothing has been sent to {}: open the draft, read it, send it. Your clock runs until you do.\n",
            game.opponent().name
        ));
    }
    text.push_str(&format!("Undo: amici undo {}\n", game.id));
    Ok(text.into())
}

pub(super) async fn undo(setup: &Setup, args: UndoArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    Ok(taken_back(setup.around(&config), &mut store, &game).await?.into())
}
