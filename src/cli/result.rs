//! `amici result`: closes a game, and settles the held mail that announced it. What the director gets, the player writes.

use clap::{Args as ClapArgs, ValueEnum};

use super::queue::announced;
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
    /// Close it although his mail announces another result
    #[arg(long)]
    yes: bool,
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
    let mut held = store.held().await?;
    held.retain(|h| h.game.as_ref() == Some(&game.id));
    let announces = |outcome: &str| announced(&game).iter().find(|(o, _)| *o == outcome).map(|(_, result)| *result);
    let other = held.iter().find_map(|h| {
        announces(&h.outcome).filter(|announced| *announced != result).map(|announced| (h.mail, announced))
    });
    if let Some((mail, announced)) = other.filter(|_| !args.yes) {
        return Err(Failure::new(
            Exit::NeedsConfirmation,
            format!(
                "mail {mail} announces {}, not {}\nhelp: `amici review` shows it; add --yes if you are sure",
                announced.word(),
                result.word()
            ),
        ));
    }
    store.close_game(&game.id, result, setup.now).await?;
    let text = format!("you closed the game: {}", result.word());
    store.note(&EventRow { game: Some(game.id.clone()), kind: "result".to_owned(), text }, setup.now).await?;
    let mut said = format!(
        "{}: {} - {}  {}\nIts clocks stand, and mails about it are held. Report the result to the director with the score:\n  amici show {}\n",
        game.id,
        game.white.name,
        game.black.name,
        result.word(),
        game.id
    );
    for held in &held {
        if announces(&held.outcome) == Some(result) {
            let text = format!("mail {} announced it", held.mail);
            let event = EventRow { game: Some(game.id.clone()), kind: "settled".to_owned(), text };
            store.settle_verdict(held.verdict, None, &[], &event, setup.now).await?;
            said.push_str(&format!("Mail {}, which announced it, is settled.\n", held.mail));
        } else {
            said.push_str(&format!("Mail {} is still held for it:  amici ignore {}\n", held.mail, held.mail));
        }
    }
    Ok(said.into())
}
