//! Mails that go out: kept as bytes before anything is sent, and marked before and after every try.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::changes::commit;
use super::error::StoreError;
use super::rows::{key_of_any, packed, unpacked, word};
use super::{Store, open};
use crate::domain::game::GameId;

/// What a mail is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, Serialize, Deserialize)]
#[sqlx(rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum OutgoingKind {
    /// Tells the player of an incoming mail, or brings him the question that he has about one.
    Notice,
    /// The finished reply to a chosen move.
    Draft,
}

/// A mail to go out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// What for.
    pub kind: OutgoingKind,
    /// Of which game.
    pub game: Option<GameId>,
    /// The ply of the drafted move, counted from 1.
    pub ply: Option<u32>,
    /// Its own Message-ID, with its angle brackets.
    pub message_id: String,
    /// To whom.
    pub recipient: String,
    /// The whole message; every try sends the same bytes.
    pub bytes: Vec<u8>,
}

/// A mail that went out, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRef {
    /// What for.
    pub kind: OutgoingKind,
    /// Of which game.
    pub game: Option<GameId>,
    /// The ply of the drafted move, counted from 1.
    pub ply: Option<u32>,
    /// Its own Message-ID, with its angle brackets.
    pub message_id: String,
    /// To whom.
    pub recipient: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl LetterRef {
    /// The letter without its bytes.
    pub fn of(outgoing: &Outgoing) -> LetterRef {
        LetterRef {
            kind: outgoing.kind,
            game: outgoing.game.clone(),
            ply: outgoing.ply,
            message_id: outgoing.message_id.clone(),
            recipient: outgoing.recipient.clone(),
            sha256: hex::encode(Sha256::digest(&outgoing.bytes)),
        }
    }

    /// The letter with these bytes, if they are its own.
    pub fn with(&self, bytes: Vec<u8>) -> Option<Outgoing> {
        let outgoing = Outgoing {
            kind: self.kind,
            game: self.game.clone(),
            ply: self.ply,
            message_id: self.message_id.clone(),
            recipient: self.recipient.clone(),
            bytes,
        };
        (LetterRef::of(&outgoing) == *self).then_some(outgoing)
    }
}

/// How far an outgoing mail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum OutboxState {
    /// Waits for its time.
    Queued,
    /// A try is under way.
    Sending,
    /// The server has taken it.
    Sent,
    /// Refused for good.
    Failed,
    /// A try was cut off after which it may or may not have arrived.
    Unknown,
    /// Not wanted any more.
    Cancelled,
}

/// A row of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// Its key.
    pub id: i64,
    /// The mail.
    pub outgoing: Outgoing,
    /// The incoming mail that caused it.
    pub mail: Option<i64>,
    /// How far it is.
    pub state: OutboxState,
    /// Tries begun.
    pub attempts: u32,
    /// When the last try began.
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// Not before this; `None` means at once.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// What the server said when it took the mail.
    pub said: Option<String>,
    /// When it was put here.
    pub created_at: DateTime<Utc>,
}

/// How a try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The server has taken the mail.
    Sent {
        /// Its answer.
        said: String,
    },
    /// It will never be taken.
    Failed {
        /// Why.
        error: String,
    },
    /// Try again.
    RetryAt {
        /// Not before this.
        at: DateTime<Utc>,
        /// What went wrong.
        error: String,
    },
    /// It may have been taken: look before trying again.
    Unknown {
        /// What went wrong.
        error: String,
    },
}

impl Outcome {
    /// As it is kept: the state, not before when, the error, and what the server said.
    #[allow(clippy::type_complexity, reason = "four columns of a row, in their order")]
    pub(super) fn columns(&self) -> (OutboxState, Option<DateTime<Utc>>, Option<&str>, Option<&str>) {
        match self {
            Outcome::Sent { said } => (OutboxState::Sent, None, None, Some(said)),
            Outcome::Failed { error } => (OutboxState::Failed, None, Some(error), None),
            Outcome::RetryAt { at, error } => (OutboxState::Queued, Some(*at), Some(error), None),
            Outcome::Unknown { error } => (OutboxState::Unknown, None, Some(error), None),
        }
    }
}

#[derive(FromRow)]
struct Row {
    id: i64,
    kind: OutgoingKind,
    game: Option<String>,
    ply: Option<u32>,
    mail: Option<i64>,
    message_id: String,
    recipient: String,
    bytes: Vec<u8>,
    state: OutboxState,
    attempts: u32,
    last_attempt_at: Option<DateTime<Utc>>,
    next_attempt_at: Option<DateTime<Utc>>,
    last_error: Option<String>,
    said: Option<String>,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for OutboxRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<OutboxRow, StoreError> {
        Ok(OutboxRow {
            id: row.id,
            outgoing: Outgoing {
                kind: row.kind,
                game: row.game.map(|name| word("games.name", name)).transpose()?,
                ply: row.ply,
                message_id: row.message_id,
                recipient: row.recipient,
                // those of a notice that was delivered long ago are dropped
                bytes: if row.bytes.is_empty() { Vec::new() } else { unpacked("outbox.bytes", &row.bytes)? },
            },
            mail: row.mail,
            state: row.state,
            attempts: row.attempts,
            last_attempt_at: row.last_attempt_at,
            next_attempt_at: row.next_attempt_at,
            last_error: row.last_error,
            said: row.said,
            created_at: row.created_at,
        })
    }
}

impl Store {
    /// The outgoing mail with this key, whatever became of it.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn outgoing(&mut self, id: i64) -> Result<Option<OutboxRow>, StoreError> {
        let mut db = self.checkout().await?;
        let row: Option<Row> = sqlx::query_as(
            "SELECT outbox.id, kind, games.name AS game, ply, mail, message_id, recipient, bytes, state, attempts,
                    last_attempt_at, next_attempt_at, last_error, said, outbox.created_at
             FROM outbox LEFT JOIN games ON games.id = outbox.game WHERE outbox.id = ?",
        )
        .bind(id)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        row.map(OutboxRow::try_from).transpose()
    }

    /// The mails that are neither sent nor cancelled, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn unsent(&mut self) -> Result<Vec<OutboxRow>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT outbox.id, kind, games.name AS game, ply, mail, message_id, recipient, bytes, state, attempts,
                    last_attempt_at, next_attempt_at, last_error, said, outbox.created_at
             FROM outbox LEFT JOIN games ON games.id = outbox.game
             WHERE state IN ('queued', 'sending', 'failed', 'unknown') ORDER BY outbox.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(OutboxRow::try_from).collect()
    }

    /// The outgoing mail with this Message-ID, whatever became of it.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn outgoing_by_message_id(&mut self, message_id: &str) -> Result<Option<OutboxRow>, StoreError> {
        let mut db = self.checkout().await?;
        let row: Option<Row> = sqlx::query_as(
            "SELECT outbox.id, kind, games.name AS game, ply, mail, message_id, recipient, bytes, state, attempts,
                    last_attempt_at, next_attempt_at, last_error, said, outbox.created_at
             FROM outbox LEFT JOIN games ON games.id = outbox.game WHERE message_id = ?",
        )
        .bind(message_id)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        row.map(OutboxRow::try_from).transpose()
    }

    /// Drops the bytes of notices that were delivered before an instant: the player has them, and what they told stands in the record. What
    /// went to others, and drafts, are kept whole. Gives how many.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn drop_delivered(&mut self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut db = self.checkout().await?;
        let dropped = sqlx::query(
            "UPDATE outbox SET bytes = x'' WHERE kind = 'notice' AND state = 'sent' AND bytes <> x'' AND last_attempt_at < ?",
        )
        .bind(before)
        .execute(&mut db)
        .await?;
        self.checkin(db);
        Ok(dropped.rows_affected())
    }

    /// Marks a mail as being sent and counts the try; false when it does not wait to be sent (any more).
    ///
    /// # Errors
    /// Those of writing the database; the mail must then not be sent.
    pub async fn begin_attempt(&mut self, id: i64, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = sqlx::query(
            "UPDATE outbox SET state = 'sending', attempts = attempts + 1, last_attempt_at = ?
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

    /// Keeps how a try ended. A draft whose plan was changed or dropped meanwhile is cancelled instead of tried again.
    ///
    /// # Errors
    /// Those of writing the database; the row then stays `sending`.
    pub async fn finish(&mut self, id: i64, outcome: &Outcome) -> Result<(), StoreError> {
        let (state, next, error, said) = outcome.columns();
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "UPDATE outbox SET next_attempt_at = ?2, last_error = ?3, said = ?4,
                 state = iif(?1 = 'queued' AND kind = 'draft' AND (
                         NOT EXISTS (SELECT 1 FROM plans WHERE plans.game = outbox.game AND plans.ply = outbox.ply)
                         OR EXISTS (SELECT 1 FROM outbox AS newer WHERE newer.kind = 'draft'
                                    AND newer.game = outbox.game AND newer.ply = outbox.ply AND newer.id > outbox.id)),
                     'cancelled', ?1)
             WHERE id = ?5 AND state IN ('sending', 'unknown')",
        )
        .bind(state)
        .bind(next)
        .bind(error)
        .bind(said)
        .bind(id)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Turns what a crash left as being sent into `unknown`, and gives those rows. To be called before the first try.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn interrupted(&mut self) -> Result<Vec<i64>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let ids = sqlx::query_scalar(
            "UPDATE outbox SET state = 'unknown', last_error = 'interrupted while it was being sent'
             WHERE state = 'sending' RETURNING id",
        )
        .fetch_all(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(ids)
    }
}

/// Puts a mail into the outbox, due at once. A second notice for the same mail and game is left out.
pub(super) async fn enqueue(
    db: &mut SqliteConnection,
    outgoing: &Outgoing,
    mail: Option<i64>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let game = key_of_any(db, outgoing.game.as_ref()).await?;
    sqlx::query(
        "INSERT INTO outbox (kind, game, ply, mail, message_id, recipient, bytes, state, attempts, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', 0, ?)
         ON CONFLICT (mail, ifnull(game, 0)) WHERE kind = 'notice' AND mail IS NOT NULL DO NOTHING",
    )
    .bind(outgoing.kind)
    .bind(game)
    .bind(outgoing.ply)
    .bind(mail)
    .bind(&outgoing.message_id)
    .bind(&outgoing.recipient)
    .bind(packed(&outgoing.bytes)?)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Cancels the drafts of a game that wait to go out.
pub(super) async fn cancel_queued_drafts(db: &mut SqliteConnection, game: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE outbox SET state = 'cancelled' WHERE game = ? AND kind = 'draft' AND state = 'queued'")
        .bind(game)
        .execute(db)
        .await?;
    Ok(())
}
