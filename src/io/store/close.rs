//! The end of a game, and the way back where it was entered by mistake.
//!
//! What will surprise you: a chosen move does not come back with the game; its draft was cancelled.

use chrono::{DateTime, Utc};
use sqlx::Connection;

use super::acts::{self, Act};
use super::error::StoreError;
use super::outbox::{LetterRef, Outgoing, cancel_queued_drafts, enqueue};
use super::record::{EventRow, put_event};
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::game::{GameId, GameResult, Side};

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
        let offer: Option<String> =
            sqlx::query_scalar("SELECT draw_offer FROM games WHERE id = ?").bind(key).fetch_one(&mut *tx).await?;
        let draw_offer = offer.map(|side| word("games.draw_offer", side)).transpose()?;
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
        acts::put(&mut tx, &Act::Close { game: id.clone(), result, report, draw_offer }, now).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }

    /// Takes the result back that the player gave a game: it goes on, with the offer of a draw that stood then. The report is cancelled
    /// while it waits. False, and nothing is written, where it has no result or its result came otherwise.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn reopen_game(&mut self, id: &GameId, event: &EventRow, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, id).await?;
        let newest: Option<acts::Row> = sqlx::query_as(
            "SELECT id, at, kind, body FROM acts WHERE kind IN ('close', 'reopen') AND body ->> 'game' = ?
             ORDER BY id DESC LIMIT 1",
        )
        .bind(id.as_str())
        .fetch_optional(&mut *tx)
        .await?;
        let closed = match newest.map(acts::performed).transpose()?.map(|done| done.act) {
            Some(Act::Close { result, report, draw_offer, .. }) => {
                let reopened =
                    sqlx::query("UPDATE games SET result = NULL, draw_offer = ? WHERE id = ? AND result = ?")
                        .bind(draw_offer.map(Side::word))
                        .bind(key)
                        .bind(result.word())
                        .execute(&mut *tx)
                        .await?;
                Some(report).filter(|_| reopened.rows_affected() == 1)
            }
            _ => None,
        };
        if let Some(report) = &closed {
            sqlx::query("UPDATE outbox SET state = 'cancelled' WHERE message_id = ? AND state = 'queued'")
                .bind(report.as_ref().map(|report| &report.message_id))
                .execute(&mut *tx)
                .await?;
            put_event(&mut tx, event, None, now).await?;
            acts::put(&mut tx, &Act::Reopen { game: id.clone(), event: event.clone() }, now).await?;
        }
        tx.commit().await?;
        self.checkin(db);
        Ok(closed.is_some())
    }
}
