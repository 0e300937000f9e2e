//! Released moves as they stand in the store: what they are, and how far.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::FromRow;

use super::Store;
use super::error::StoreError;
use super::outbox::OutboxState;
use super::rows::{json, word};
use crate::domain::game::GameId;

/// A mail to an opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Its Message-ID, with angle brackets: that of the plan.
    pub message_id: String,
    /// The opponent, then whoever gets a copy.
    pub recipients: Vec<String>,
    /// The whole mail.
    pub bytes: Vec<u8>,
    /// It can be recalled until then.
    pub not_before: DateTime<Utc>,
}

/// A release as an act has it: without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields mean what those of `Release` mean")]
pub struct ReleaseRef {
    pub message_id: String,
    pub recipients: Vec<String>,
    pub not_before: DateTime<Utc>,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl ReleaseRef {
    pub(super) fn of(release: &Release) -> ReleaseRef {
        ReleaseRef {
            message_id: release.message_id.clone(),
            recipients: release.recipients.clone(),
            not_before: release.not_before,
            sha256: hex::encode(Sha256::digest(&release.bytes)),
        }
    }

    /// The release with these bytes, if they are its own.
    pub fn with(&self, bytes: Vec<u8>) -> Option<Release> {
        let release = Release {
            message_id: self.message_id.clone(),
            recipients: self.recipients.clone(),
            bytes,
            not_before: self.not_before,
        };
        (ReleaseRef::of(&release) == *self).then_some(release)
    }
}

/// A release and how far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseRow {
    /// Its key.
    pub id: i64,
    /// Of which game.
    pub game: GameId,
    /// The ply of its move, counted from 1.
    pub ply: u32,
    /// The mail.
    pub release: Release,
    /// How far it is; `Cancelled`: it was recalled.
    pub state: OutboxState,
    /// Tries begun.
    pub attempts: u32,
    /// When the last try began.
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// Not before this; `None`: as soon as it may.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// What proves that it was sent.
    pub said: Option<String>,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    game: String,
    ply: u32,
    message_id: String,
    recipients: String,
    bytes: Vec<u8>,
    not_before: DateTime<Utc>,
    state: String,
    attempts: u32,
    last_attempt_at: Option<DateTime<Utc>>,
    next_attempt_at: Option<DateTime<Utc>>,
    last_error: Option<String>,
    said: Option<String>,
}

impl TryFrom<Row> for ReleaseRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<ReleaseRow, StoreError> {
        let state = match row.state.as_str() {
            "queued" => OutboxState::Queued,
            "sending" => OutboxState::Sending,
            "sent" => OutboxState::Sent,
            "failed" => OutboxState::Failed,
            "unknown" => OutboxState::Unknown,
            _ => OutboxState::Cancelled,
        };
        let release = Release {
            message_id: row.message_id,
            recipients: json("releases.recipients", &row.recipients)?,
            bytes: row.bytes,
            not_before: row.not_before,
        };
        Ok(ReleaseRow {
            id: row.id,
            game: word("games.name", row.game)?,
            ply: row.ply,
            release,
            state,
            attempts: row.attempts,
            last_attempt_at: row.last_attempt_at,
            next_attempt_at: row.next_attempt_at,
            last_error: row.last_error,
            said: row.said,
        })
    }
}

/// All columns of a release, with the name of its game.
macro_rules! releases {
    ($rest:literal) => {
        concat!(
            "SELECT releases.id, games.name AS game, ply, message_id, recipients, bytes, not_before, state, attempts,
                    last_attempt_at, next_attempt_at, last_error, said
             FROM releases JOIN games ON games.id = releases.game ",
            $rest
        )
    };
}

impl Store {
    /// The released moves that are neither sent nor recalled, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn released(&mut self) -> Result<Vec<ReleaseRow>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<Row> = sqlx::query_as(releases!(
            "WHERE state IN ('queued', 'sending', 'unknown')
                OR (state = 'failed' AND EXISTS (SELECT 1 FROM plans WHERE plans.game = releases.game
                                                 AND plans.message_id = releases.message_id))
             ORDER BY releases.id"
        ))
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(ReleaseRow::try_from).collect()
    }

    /// The release with this Message-ID, whatever became of it.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn release_by_message_id(&mut self, message_id: &str) -> Result<Option<ReleaseRow>, StoreError> {
        let mut db = self.checkout().await?;
        let row: Option<Row> =
            sqlx::query_as(releases!("WHERE message_id = ?")).bind(message_id).fetch_optional(&mut db).await?;
        self.checkin(db);
        row.map(ReleaseRow::try_from).transpose()
    }

    /// How many mails to opponents were begun since then.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn releases_begun_since(&mut self, since: DateTime<Utc>) -> Result<u32, StoreError> {
        let mut db = self.checkout().await?;
        let count = sqlx::query_scalar(
            "SELECT count(*) FROM releases WHERE state IN ('sending', 'sent', 'unknown') AND last_attempt_at >= ?",
        )
        .bind(since)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(count)
    }
}
