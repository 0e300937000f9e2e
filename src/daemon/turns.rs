//! Tells the player that a move is his where no mail does: a game that he entered before its event began is his to begin. The notice is one
//! that he can answer, so that a telephone is enough.
//!
//! What will surprise you: of a game that had begun when he entered it he knows; and of many games only some are told on a day.

use chrono::{DateTime, NaiveDate, Utc};

use crate::config::Me;
use crate::domain::game::GameId;
use crate::domain::summary::Summary;
use crate::io::store::{Store, StoreError};
use crate::letters::{AnswerKey, LetterError, turn};

/// Why the player was not told.
#[derive(Debug, thiserror::Error)]
pub enum RemindError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A letter could not be made.
    #[error(transparent)]
    Letter(#[from] LetterError),
}

/// Heads the causes.
const TURN: &str = "turn/";
/// Notices on one day.
const A_DAY: usize = 10;

/// Puts into the outbox what he has to be told of these running games; how many mails.
///
/// # Errors
/// [`RemindError`].
pub(super) async fn tell_turns(
    store: &mut Store,
    me: &Me,
    games: &[Summary<'_>],
    today: NaiveDate,
    now: DateTime<Utc>,
) -> Result<usize, RemindError> {
    let his = |id: &GameId, plies: u32| {
        games.iter().find(|game| game.id == id.as_str() && game.plies == plies && game.is_my_turn())
    };
    let silent = store.silent_turns(TURN, today).await?.into_iter();
    let due: Vec<_> = silent.filter_map(|(id, plies)| Some((his(&id, plies)?, id, plies))).collect();
    if due.is_empty() {
        return Ok(0);
    }
    let left = A_DAY.saturating_sub(store.told_since(TURN, me.midnight(now)).await?);
    let key = AnswerKey::new(store.answer_key().await?);
    let mut told = 0;
    for (game, id, plies) in due {
        let cause = format!("{TURN}{id}/{plies}");
        if game.drafted || game.forced().is_some() {
            store.tell(&cause, None, now).await?;
            continue;
        }
        if told >= left {
            break;
        }
        let Some(stored) = store.game(&id).await? else { continue };
        let letter = turn(&stored.game, &stored.root_message_id, &key, me, now)?;
        told += usize::from(store.tell(&cause, Some(&letter.into_notice(Some(id))), now).await?);
    }
    Ok(told)
}
