//! `amici draw`: the letter by which the player accepts or declines the draw that was offered to him. It closes nothing.

use clap::{ArgGroup, Args as ClapArgs};

use super::care::{OneLetter, Wanted, draft, running};
use super::queue::failed;
use super::{Failure, Report, Setup, find};
use crate::config::Config;
use crate::domain::game::{GameId, GameResult};
use crate::io::store::{Store, StoredGame};
use crate::letters::{Ending, Errand, Whom};

/// Draft the answer to an offer of a draw
#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new("what").required(true)))]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// Accept it
    #[arg(long, group = "what")]
    accept: bool,
    /// Decline it and play on
    #[arg(long, group = "what")]
    decline: bool,
    /// Says how a draw is offered: with a move
    #[arg(long, group = "what")]
    offer: bool,
    /// You are sure
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
    running(game)?;
    if args.offer {
        return Err(failed(format!(
            "a draw is offered with a move\nhelp: `amici play {} MOVE --draw` drafts both",
            game.id
        )));
    }
    let ending = if args.accept { Ending::AcceptsDraw } else { Ending::DeclinesDraw };
    let mut objections = Vec::new();
    if game.draw_offer != Some(game.me.other()) {
        objections.push(format!("no offer of a draw by {} is on record", game.opponent().name));
    }
    if args.accept {
        objections.push(format!("a draw accepted ends game {} against {}", game.id, game.opponent().name));
    }
    let wanted = Wanted { dry_run: args.dry_run, yes: args.yes };
    let result = args.accept.then_some(GameResult::Draw);
    ends(setup, &config, store, &thread, Told { ending, result, objections, wanted }).await
}

/// What is drafted, and how far.
pub(super) struct Told {
    pub(super) ending: Ending,
    /// How the game ends by it, if it does.
    pub(super) result: Option<GameResult>,
    pub(super) objections: Vec<String>,
    pub(super) wanted: Wanted,
}

/// Drafts a letter about the end of a game.
pub(super) async fn ends(
    setup: &Setup,
    config: &Config,
    store: Store,
    thread: &StoredGame,
    told: Told,
) -> Result<Report, Failure> {
    let Told { ending, result, objections, wanted } = told;
    let (game, what) = (&thread.game, ending.what());
    let text = ending.text(game, &config.me);
    let hints: Vec<String> = result
        .map(|result| {
            format!("once you have sent it, close the game with `amici result {} {}`.", game.id, result.word())
        })
        .into_iter()
        .collect();
    let errand = Errand { label: ending.label(), what, body: &text, to: Whom::Opponent { copy: None }, hints: &hints };
    let said = format!("A letter to {} in game {}: {what}.\n", game.opponent().name, game.id);
    let journal = (ending.label(), format!("a letter to the opponent was drafted: {what}"));
    draft(setup, config, store, wanted, OneLetter { thread, errand, said, objections, note: None, journal }).await
}
