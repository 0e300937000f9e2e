//! A game that the player deletes: its rows go, what was received and sent stays.

use chrono::{DateTime, Utc};
use sqlx::Connection;

use super::acts::{self, Act};
use super::changes::commit;
use super::error::StoreError;
use super::record::{EventRow, put_event};
use super::releases::refuse_released;
use super::rows::key_of;
use super::{Store, open};
use crate::domain::game::GameId;

/// What goes with a game, in an order that leaves no row pointing at nothing. Mails, and letters to others, stay without it.
const STEPS: [&str; 22] = [
    "DELETE FROM questions WHERE verdict IN (SELECT id FROM verdicts WHERE game = ?1)
         OR outbox IN (SELECT id FROM outbox WHERE game = ?1)",
    "UPDATE told SET outbox = NULL WHERE outbox IN (SELECT id FROM outbox WHERE game = ?1)",
    "DELETE FROM drafts WHERE game = ?1",
    "UPDATE outbox SET kind = 'notice', game = NULL, mail = NULL, state = iif(state = 'queued', 'cancelled', state)
         WHERE game = ?1",
    "UPDATE verdicts SET game = NULL, open = 0, outcome = 'not_game_mail', reason = 'its game was deleted' WHERE game = ?1",
    "DELETE FROM sent WHERE game = ?1",
    "DELETE FROM bounces WHERE game = ?1",
    "DELETE FROM moves WHERE game = ?1",
    "DELETE FROM conditionals WHERE game = ?1",
    "DELETE FROM seen_message_ids WHERE game = ?1",
    "DELETE FROM plans WHERE game = ?1",
    "DELETE FROM leaves WHERE game = ?1",
    "DELETE FROM clock_notes WHERE game = ?1",
    "DELETE FROM illegal_moves WHERE game = ?1",
    "DELETE FROM notes WHERE game = ?1",
    "DELETE FROM addresses WHERE game = ?1",
    "DELETE FROM players WHERE game = ?1",
    "DELETE FROM hints WHERE game = ?1",
    "DELETE FROM changes WHERE game = ?1",
    "DELETE FROM former_names WHERE game = ?1",
    "DELETE FROM games WHERE id = ?1",
    "DELETE FROM touched WHERE game = ?1",
];

impl Store {
    /// Deletes a game, with the journal's line about it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`]; [`StoreError::Released`] while a move of it may be on its way.
    pub async fn delete(&mut self, game: &GameId, event: &EventRow, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        refuse_released(&mut tx, key, game).await?;
        for sql in STEPS {
            sqlx::query(sql).bind(key).execute(&mut *tx).await?;
        }
        put_event(&mut tx, event, None, now).await?;
        acts::put(&mut tx, &Act::Delete { game: game.clone(), event: event.clone() }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}
