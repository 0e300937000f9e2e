//! `amici result`: closes a game. What the director gets, the player writes.

use clap::{Args as ClapArgs, ValueEnum};

use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::{GameId, GameResult};
use crate::io::store::EventRow;

/// Close a game with its result
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// How it ended
    #[arg(value_enum)]
    result: Score,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Score {
    /// White won
    #[value(name = "1-0")]
    WhiteWins,
    /// Black won
    #[value(name = "0-1")]
    BlackWins,
    /// Drawn
    #[value(name = "1/2-1/2", alias = "1/2")]
    Draw,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    if let Some(result) = game.result {
        return Err(Failure::new(Exit::Failed, format!("game {} is over already: {}", game.id, result.word())));
    }
    let result = match args.result {
        Score::WhiteWins => GameResult::WhiteWins,
        Score::BlackWins => GameResult::BlackWins,
        Score::Draw => GameResult::Draw,
    };
    store.close_game(&game.id, result, setup.now).await?;
    let text = format!("you closed the game: {}", result.word());
    store.note(&EventRow { game: Some(game.id.clone()), kind: "result".to_owned(), text }, setup.now).await?;
    Ok(format!(
        "{}: {} - {}  {}\nIts clocks stand, and mails about it are held. Report the result to the director with the score:\n  amici show {}\n",
        game.id,
        game.white.name,
        game.black.name,
        result.word(),
        game.id
    )
    .into())
}
