//! The end of a game.

use chrono::{DateTime, Utc};
use sqlx::Connection;

use super::acts::{self, Act};
use super::changes::commit;
use super::error::StoreError;
use super::outbox::{LetterRef, Outgoing, cancel_queued_drafts, enqueue};
use super::record::{EventRow, put_event};
use super::rows::key_of;
use super::{Store, open};
use crate::domain::game::{GameId, GameResult};

impl Store {
    /// Closes a game with its result; the player has confirmed it. A plan is dropped, drafts that wait are cancelled, and the
    /// mails in which the opponent resigned or accepted a draw are settled. The report to the director goes into the outbox.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn close_game(
        &mut self,
        id: &GameId,
        result: GameResult,
        report: Option<&Outgoing>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, id).await?;
        sqlx::query("UPDATE games SET result = ?, draw_offer = NULL WHERE id = ?")
            .bind(result.word())
            .bind(key)
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM plans WHERE game = ?").bind(key).execute(&mut *tx).await?;
        cancel_queued_drafts(&mut tx, key).await?;
        if let Some(report) = report {
            enqueue(&mut tx, report, None, now).await?;
        }
        let event = EventRow { game: Some(id.clone()), kind: "closed".to_owned(), text: result.word().to_owned() };
        put_event(&mut tx, &event, None, now).await?;
        let report = report.map(LetterRef::of);
        acts::put(&mut tx, &Act::Close { game: id.clone(), result, report }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}
