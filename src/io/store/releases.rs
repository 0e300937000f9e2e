//! Released moves: the only mails that the program sends to an opponent, each once.
//!
//! A release holds the whole mail from the moment on at which the player releases it. What will surprise you: once its body may have
//! left, nothing here lets it go out again by itself; [`Store::send_again`] is the player's word that it did not arrive.

use chrono::{DateTime, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::changes::commit;
use super::drafts::put_draft;
use super::error::StoreError;
use super::moves::load_plan;
use super::moves::{NewMove, append, check_unchanged, keep_plan};
use super::outbox::Outcome;
use super::record::{EventRow, put_event};
use super::released::{Release, ReleaseRef};
use super::rows::{integer, key_of, word};
use super::{Store, open};
use crate::domain::game::{GameId, Plan};

impl Store {
    /// Releases the chosen move `chosen` (its plan's Message-ID): `plan` with the dates and the Message-ID of the mail takes its
    /// place, and the mail waits for its time, in the stead of one that waited.
    ///
    /// # Errors
    /// [`StoreError::NoPlan`] when another move is chosen by now, [`StoreError::Released`] when one is on its way already,
    /// [`StoreError::Moved`] and [`StoreError::Finished`] as for every move.
    pub async fn release(
        &mut self,
        game: &GameId,
        expected_plies: usize,
        chosen: &str,
        plan: &Plan,
        release: &Release,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        check_unchanged(&mut tx, key, game, expected_plies).await?;
        sqlx::query("UPDATE releases SET state = 'recalled' WHERE game = ? AND state = 'queued'")
            .bind(key)
            .execute(&mut *tx)
            .await?;
        refuse_released(&mut tx, key, game).await?;
        if load_plan(&mut tx, key).await?.is_none_or(|plan| plan.message_id != chosen) {
            return Err(StoreError::NoPlan { game: game.clone() });
        }
        keep_plan(&mut tx, key, expected_plies + 1, plan, now).await?;
        // its Message-ID is one of ours, and it lies in no folder for drafts
        put_draft(&mut tx, key, expected_plies, plan, None, now).await?;
        lay_draft(&mut tx, &plan.message_id, "removed").await?;
        let recipients = serde_json::to_string(&release.recipients);
        sqlx::query(
            "INSERT INTO releases (game, ply, message_id, recipients, bytes, not_before, state, attempts, released_at)
             VALUES (?, ?, ?, ?, ?, ?, 'queued', 0, ?)",
        )
        .bind(key)
        .bind(integer(expected_plies + 1))
        .bind(&release.message_id)
        .bind(recipients.map_err(|_| StoreError::unreadable("releases.recipients"))?)
        .bind(&release.bytes)
        .bind(release.not_before)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        let act = Act::Release {
            game: game.clone(),
            expected_plies,
            chosen: chosen.to_owned(),
            plan: plan.clone(),
            mail: ReleaseRef::of(release),
        };
        acts::put(&mut tx, &act, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Recalls a released move that still waits; the move stays chosen. False when none waits.
    ///
    /// # Errors
    /// [`StoreError::Released`] when it is on its way.
    pub async fn recall(&mut self, game: &GameId, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let recalled: Option<String> = sqlx::query_scalar(
            "UPDATE releases SET state = 'recalled' WHERE game = ? AND state = 'queued' RETURNING message_id",
        )
        .bind(key)
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(message_id) = &recalled {
            lay_draft(&mut tx, message_id, "wanted").await?;
            acts::put(&mut tx, &Act::Recall { game: game.clone() }, now).await?;
        } else {
            refuse_released(&mut tx, key, game).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(recalled.is_some())
    }

    /// The player says that an unclear mail did not arrive: the same bytes go out once more. False when none is unclear.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn send_again(&mut self, game: &GameId) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let done = sqlx::query(
            "UPDATE releases SET state = 'queued', next_attempt_at = NULL WHERE game = ? AND state = 'unknown'",
        )
        .bind(key)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(done.rows_affected() > 0)
    }

    /// Notes durably that the body is about to go out; false when it does not wait any more, and then it must not.
    ///
    /// # Errors
    /// Those of writing the database; the mail must then not be sent.
    pub async fn begin_release(&mut self, id: i64, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = sqlx::query(
            "UPDATE releases SET state = 'sending', attempts = attempts + 1, last_attempt_at = ?
             WHERE id = ? AND state = 'queued'",
        )
        .bind(now)
        .bind(id)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(done.rows_affected() == 1)
    }

    /// Keeps how a try ended that did not prove the mail sent.
    ///
    /// # Errors
    /// Those of writing the database; the row then stays `sending`.
    pub async fn finish_release(&mut self, id: i64, outcome: &Outcome, now: DateTime<Utc>) -> Result<(), StoreError> {
        let (state, next, error, proof) = outcome.columns();
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "UPDATE releases SET state = ?, next_attempt_at = ?, last_error = ?, said = ifnull(?, said)
             WHERE id = ? AND state IN ('queued', 'sending', 'unknown')",
        )
        .bind(state)
        .bind(next)
        .bind(error)
        .bind(proof)
        .bind(id)
        .execute(&mut *tx)
        .await?;
        if let Outcome::Failed { .. } = outcome {
            let game: String =
                sqlx::query_scalar("SELECT name FROM releases JOIN games ON games.id = game WHERE releases.id = ?")
                    .bind(id)
                    .fetch_one(&mut *tx)
                    .await?;
            acts::put(&mut tx, &Act::Recall { game: word("games.name", game)? }, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Records a released move as sent, on the proof `said`.
    ///
    /// # Errors
    /// [`StoreError::Moved`] and [`StoreError::Finished`] as for every move.
    pub async fn release_sent(
        &mut self,
        id: i64,
        said: &str,
        sent: &NewMove,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("UPDATE releases SET state = 'sent', said = ?, last_error = NULL WHERE id = ?")
            .bind(said)
            .bind(id)
            .execute(&mut *tx)
            .await?;
        append(&mut tx, sent, None, now).await?;
        put_event(&mut tx, event, None, now).await?;
        acts::put(&mut tx, &Act::Sent { sent: sent.clone(), event: event.clone() }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Turns what a crash left as being sent into `unknown`. To be called before the first try.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn interrupted_releases(&mut self) -> Result<u64, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = sqlx::query(
            "UPDATE releases SET state = 'unknown', last_error = 'interrupted while it was being sent' WHERE state = 'sending'",
        )
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(done.rows_affected())
    }
}

/// Whether the draft of this reply is to lie in the folder for drafts.
async fn lay_draft(db: &mut SqliteConnection, message_id: &str, state: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE drafts SET state = ? WHERE message_id = ?").bind(state).bind(message_id).execute(db).await?;
    Ok(())
}

/// The chosen move of a game may be changed only while no mail with it may go out.
pub(super) async fn refuse_released(db: &mut SqliteConnection, key: i64, game: &GameId) -> Result<(), StoreError> {
    let state: Option<String> = sqlx::query_scalar(
        "SELECT state FROM releases WHERE game = ? AND state IN ('queued', 'sending', 'unknown') ORDER BY id DESC LIMIT 1",
    )
    .bind(key)
    .fetch_optional(db)
    .await?;
    match state {
        None => Ok(()),
        Some(state) => Err(StoreError::Released { game: game.clone(), waits: state == "queued" }),
    }
}

/// The move is on record by other means: what waits is not sent, what was unclear is proved.
pub(super) async fn settle_releases(db: &mut SqliteConnection, key: i64) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE releases SET said = iif(state = 'unknown', 'the move is on record', said),
             state = iif(state = 'queued', 'recalled', 'sent')
         WHERE game = ? AND state IN ('queued', 'unknown')",
    )
    .bind(key)
    .execute(db)
    .await?;
    Ok(())
}
