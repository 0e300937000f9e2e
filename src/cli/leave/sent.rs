//! `amici leave sent`: the player's word that the letters of his leave went out.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::super::care::{Span, event, hand_over, today};
use super::super::queue::failed;
use super::super::{Failure, Report, Setup};
use super::{Which, Whose};
use crate::domain::game::{Game, GameId, Leave};
use crate::io::store::{Care, StoredGame};

#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// The day on which you sent them, also in place of the one on record [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::super::day)]
    on: Option<NaiveDate>,
}

/// The player's word that his letters went out.
pub(super) async fn run(setup: &Setup, Args { which, on }: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let today = today(setup, &config, &mut store).await?;
    let Span { from, to } = which.span;
    // a day that he names corrects the one on record
    let corrects = on.is_some();
    let on = on.unwrap_or(today);
    if on > today {
        return Err(failed(format!("{on} has not come yet; today is {today}")));
    }
    if which.of == Whose::Opponent {
        return Err(failed(
            "these are your own letters\nhelp: his leave is entered with `amici leave add --of opponent --announced DATE`",
        ));
    }
    let waits = |game: &Game| {
        Leave::standing(&game.leaves).any(|leave| {
            *leave == which.leave(game, leave.announced)
                && leave.announced.is_none_or(|announced| corrects && announced != on)
        })
    };
    let games: Vec<StoredGame> = which.games(&mut store).await?.into_iter().filter(|t| waits(&t.game)).collect();
    if games.is_empty() {
        return Err(failed(format!(
            "no leave of yours from {from} to {to} waits for its letters to be sent\nhelp: `amici leave list` shows the leave that is; another day than the one on record is entered with --on DATE"
        )));
    }
    let text = format!("you say that you told of your leave from {from} to {to} on {on}");
    let leaves: Vec<(GameId, Leave)> =
        games.iter().map(|thread| (thread.game.id.clone(), which.leave(&thread.game, Some(on)))).collect();
    let events = leaves.iter().map(|(id, _)| event(id, "leave", text.clone())).collect();
    let mut said = format!("You told of your leave from {from} to {to} on {on}.\n");
    if on > from {
        said.push_str("It had begun by then: the director says whether all of it counts.\n");
    }
    hand_over(setup, &config, store, &Care { leaves, events, ..Care::default() }, said).await
}
