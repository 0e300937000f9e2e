//! Tells the player that a move is his where no mail does: a game that he entered before its event began is his to begin. The notice is one
//! that he can answer, so that a telephone is enough.
//!
//! What will surprise you: of a game that had begun when he entered it he knows; and of many games only some are told on a day.

use chrono::{DateTime, NaiveDate, Utc};

use super::remind::RemindError;
use crate::config::Me;
use crate::domain::summary::Summary;
use crate::io::store::Store;
use crate::letters::{AnswerKey, turn};

/// Heads the causes.
const TURN: &str = "turn/";
/// Notices on one day.
const A_DAY: u32 = 10;

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
    let silent = store.silent_turns(TURN, today).await?;
    let mut told = 0;
    let mut key = None;
    for (id, plies) in silent {
        let is_his = |game: &&Summary<'_>| game.id == id.as_str() && game.plies == plies && game.is_my_turn();
        let Some(game) = games.iter().find(is_his) else { continue };
        let cause = format!("{TURN}{id}/{plies}");
        if game.drafted || game.forced().is_some() {
            store.tell(&cause, None, now).await?;
            continue;
        }
        let Some(stored) = store.game(&id).await? else { continue };
        if store.told_since(TURN, me.midnight(now)).await? >= A_DAY {
            break;
        }
        let key = match &key {
            Some(key) => key,
            None => key.insert(AnswerKey::new(store.answer_key().await?)),
        };
        let letter = turn(&stored.game, &stored.root_message_id, key, me, now)?;
        told += usize::from(store.tell(&cause, Some(&letter.into_notice(Some(id))), now).await?);
    }
    Ok(told)
}
