//! The held mails as the commands choose among them. `review`, `accept`, `ignore` and `ask` load them here and act through
//! [`super::settle`]; what each means and allows says [`crate::intake::held`].

use super::{Exit, Failure, meant};
use crate::config::Me;
use crate::domain::game::GameId;
pub(super) use crate::intake::held::{Candidate, Entry, OWN, announced, as_reminder, entry};
use crate::io::store::{Held, Store};

pub(super) fn failed(why: impl Into<String>) -> Failure {
    Failure::new(Exit::Failed, why)
}

/// All that is held, oldest first.
pub(super) async fn entries(store: &mut Store, me: &Me) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    for held in store.held().await? {
        entries.push(entry(store, me, held).await?);
    }
    Ok(entries)
}

/// What is held of this mail, in one game or in all. Never empty.
pub(super) async fn of_mail(store: &mut Store, mail: i64, game: Option<&GameId>) -> Result<Vec<Held>, Failure> {
    let held: Vec<Held> = store.held().await?.into_iter().filter(|h| h.mail == mail).collect();
    if held.is_empty() {
        return Err(failed(match store.mail(mail).await? {
            Some(_) => format!(
                "mail {mail} is not held (any more)\nhelp: `amici review` lists those that are; a move in one that was put away is recorded with `amici accept GAME MOVE --mail {mail}`"
            ),
            None => format!("there is no mail {mail}; it is not held\nhelp: `amici review` lists those that are"),
        }));
    }
    let Some(game) = game else { return Ok(held) };
    let game = &meant(store, game).await?;
    let of_game: Vec<Held> = held.into_iter().filter(|h| h.game.as_ref() == Some(game)).collect();
    if of_game.is_empty() { Err(failed(format!("mail {mail} is not held for game {game}"))) } else { Ok(of_game) }
}

/// The one entry that is meant; several want a choice.
pub(super) fn only(held: Vec<Held>) -> Result<Held, Failure> {
    <[Held; 1]>::try_from(held).map(|[one]| one).map_err(|several| {
        let games: Vec<String> = several.iter().filter_map(|h| h.game.as_ref().map(ToString::to_string)).collect();
        let message = format!("it is held for several games; say which with --game: {}", games.join(", "));
        Failure::new(Exit::NeedsConfirmation, message)
    })
}
