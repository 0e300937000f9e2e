//! `amici result`: closes a game, settles the held mail that announced it, and drafts the report to the director.

use clap::{Args as ClapArgs, ValueEnum};

use super::{Exit, Failure, Report, Setup, find};
use crate::config::Assistance;
use crate::domain::game::{Game, GameId, GameResult};
use crate::intake::held::{announced, entry};
use crate::io::store::{EventRow, StoredGame};
use crate::letters;

/// Close a game with its result
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// How it ended
    #[arg(value_enum)]
    result: Score,
    /// Close it although a held mail of his speaks of another end
    #[arg(long)]
    yes: bool,
    /// Draft no report to the director
    #[arg(long)]
    no_report: bool,
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
    let StoredGame { game, root_message_id } = find(&mut store, &args.game).await?;
    if let Some(result) = game.result {
        return Err(Failure::new(
            Exit::Failed,
            format!(
                "game {0} is over already: {1}\nhelp: if that was a mistake:  amici retract {0} --why TEXT",
                game.id,
                result.word()
            ),
        ));
    }
    let result = match args.result {
        Score::WhiteWins => GameResult::WhiteWins,
        Score::BlackWins => GameResult::BlackWins,
        Score::Draw => GameResult::Draw,
    };
    let failed = |why: String| Failure::new(Exit::Failed, format!("game {}: {why}", game.id));
    let standing = game.replay().map_err(|e| failed(e.to_string()))?.standing();
    if let Some(forced) = standing.result(game.to_move()).filter(|_| standing.refutes(game.to_move(), result)) {
        return Err(failed(format!(
            "the last position is {}, and the result is {}\nhelp: the board says:  amici result {} {}",
            standing.words(),
            result.word(),
            game.id,
            forced.word()
        )));
    }
    let mut held = store.held().await?;
    held.retain(|h| h.game.as_ref() == Some(&game.id));
    let announces = |outcome: &str| announced(&game).iter().find(|(o, _)| *o == outcome).map(|(_, result)| *result);
    let config = setup.config()?;
    for held in held.iter().filter(|_| !args.yes) {
        let entry = entry(&mut store, &config.me, held.clone()).await?;
        if let Some(what) = entry.speaks_against(result) {
            return Err(Failure::new(
                Exit::NeedsConfirmation,
                format!("mail {} {what}\nhelp: `amici review` shows it; add --yes if you are sure", held.mail),
            ));
        }
    }
    let closed = Game { result: Some(result), plan: None, draw_offer: None, ..game.clone() };
    let config = Some(config).filter(|_| !args.no_report);
    let director = config.as_ref().and_then(|config| config.me.styles.director_of(&game.event));
    let report = match &config {
        None => None,
        Some(config) => {
            let opening = config.assistance(&game.event) == Assistance::All;
            let letter =
                letters::report(&closed, &root_message_id, director, opening, &config.me, setup.now).map_err(|e| {
                    Failure::new(Exit::Failed, format!("{e}\nhelp: --no-report closes the game without a report"))
                })?;
            Some(letter.into_notice(Some(game.id.clone())))
        }
    };
    store.close_game(&game.id, result, report.as_ref(), setup.now).await?;
    let text = format!("you closed the game: {}", result.word());
    store.note(&EventRow { game: Some(game.id.clone()), kind: "result".to_owned(), text }, setup.now).await?;
    let mut said = format!(
        "{}: {} - {}  {}\nIts clocks stand, and mails about it are held.\n",
        game.id,
        game.white.name,
        game.black.name,
        result.word()
    );
    for held in &held {
        if announces(&held.outcome) == Some(result) {
            let text = format!("mail {} announced it", held.mail);
            let event = EventRow { game: Some(game.id.clone()), kind: "settled".to_owned(), text };
            store.settle_verdict(held.verdict, None, &[], &event, setup.now).await?;
            said.push_str(&format!("Mail {}, which announced it, is settled.\n", held.mail));
        } else if held.outcome == "own" {
            let text = format!("mail {} of yours has nothing left to say", held.mail);
            let event = EventRow { game: Some(game.id.clone()), kind: "settled".to_owned(), text };
            store.settle_verdict(held.verdict, None, &[], &event, setup.now).await?;
            said.push_str(&format!("Your mail {} is settled.\n", held.mail));
        } else {
            said.push_str(&format!("Mail {} is still held for it:  amici ignore {}\n", held.mail, held.mail));
        }
    }
    drop(store);
    match (&config, &report) {
        (Some(config), Some(report)) => {
            match director {
                Some(director) => said.push_str(&format!("The report to {director} is drafted")),
                None => said.push_str(
                    "The report to the director is drafted, without his address: it is not in the configuration ([[event]], director)",
                ),
            }
            said.push_str(".\nNothing has been sent to him: open the draft, read it, send it.\n");
            said.push_str(&super::daemon::deliver(setup, config, &report.recipient).await?);
        }
        _ => said.push_str(&format!("Report the result with the score:  amici export --format pgn {}\n", game.id)),
    }
    Ok(said.into())
}
