//! A held mail that belongs to another game by the player's word.

use chrono::{DateTime, Utc};
use sqlx::Connection;

use super::acts::{self, About, Act};
use super::changes::commit;
use super::error::StoreError;
use super::player::cancel_queued_questions;
use super::record::{EventRow, put_event};
use super::rows::key_of;
use super::{Store, open};
use crate::domain::game::GameId;

impl Store {
    /// What waits is held for another game from now on, with this outcome and reason; what was read of it for the game before is dropped. A
    /// question about it that has not gone out is cancelled, and none counts as asked.
    /// False when it waits no more: then nothing is written.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn assign(
        &mut self,
        verdict: i64,
        to: &GameId,
        (outcome, reason): (&str, &str),
        events: &[EventRow],
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let about = About::of(&mut tx, verdict).await?;
        let mail: Option<i64> = sqlx::query_scalar(
            "UPDATE verdicts SET game = ?, outcome = ?, reason = ?, candidates = '[]', plies = '[]', discrepancies = '[]',
                 stated = json_object('received', NULL, 'sent', NULL, 'days', NULL, 'total', NULL, 'conditionals', json_array()),
                 read_as = NULL
             WHERE id = ? AND open = 1 RETURNING mail",
        )
        .bind(key_of(&mut tx, to).await?)
        .bind(outcome)
        .bind(reason)
        .bind(verdict)
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(mail) = mail {
            cancel_queued_questions(&mut tx, verdict).await?;
            sqlx::query("DELETE FROM questions WHERE verdict = ?").bind(verdict).execute(&mut *tx).await?;
            for event in events {
                put_event(&mut tx, event, Some(mail), now).await?;
            }
            let (to, outcome, reason) = (to.clone(), outcome.to_owned(), reason.to_owned());
            acts::put(&mut tx, &Act::Assign { about, to, outcome, reason, events: events.to_vec() }, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(mail.is_some())
    }
}
