//! Which game the player means by what he types.

use super::{Exit, Failure};
use crate::domain::game::GameId;
use crate::io::store::{Store, StoreError, StoredGame, WatchedGame};

/// The game that is meant.
pub(super) async fn find(store: &mut Store, id: &GameId) -> Result<StoredGame, Failure> {
    let id = meant(store, id).await?;
    store.game(&id).await?.ok_or_else(|| Failure::from(StoreError::NoSuchGame { id }))
}

/// The game that is meant with what its marks need.
pub(super) async fn watched(store: &mut Store, id: &GameId) -> Result<WatchedGame, Failure> {
    let id = meant(store, id).await?;
    let found = store.watched(std::slice::from_ref(&id)).await?.pop();
    found.ok_or_else(|| Failure::from(StoreError::NoSuchGame { id }))
}

/// The game that the player means: by an id that it has or had, written in whatever case, or by a part of its id that no other game's has.
pub(super) async fn meant(store: &mut Store, id: &GameId) -> Result<GameId, Failure> {
    if let Some(now) = store.id_now(id).await? {
        return Ok(now);
    }
    let known = store.game_names().await?;
    let with_it: Vec<&GameId> = known.iter().filter(|known| known.folded().contains(&id.folded())).collect();
    let words = |ids: &[&GameId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let list = match (with_it.as_slice(), known.as_slice()) {
        ([only], _) => return Ok((*only).clone()),
        ([], []) => "there is none yet".to_owned(),
        ([], _) => format!("known: {}", words(&known.iter().collect::<Vec<_>>())),
        (several, _) => format!("it may be one of {}", words(several)),
    };
    Err(Failure::new(Exit::NoSuchGame, format!("there is no game {id}; {list}")))
}
