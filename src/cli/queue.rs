//! The held mail that a command names.

use super::{Failure, meant};
use crate::deeds::held;
use crate::domain::game::GameId;
use crate::io::store::{Held, Store};

/// What is held of this mail, in the game that is meant or in all. Never empty.
pub(super) async fn of_mail(store: &mut Store, mail: i64, game: Option<&GameId>) -> Result<Vec<Held>, Failure> {
    let game = match game {
        Some(game) => Some(meant(store, game).await?),
        None => None,
    };
    Ok(held::of_mail(store, mail, game.as_ref()).await?)
}
