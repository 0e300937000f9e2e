//! The daemon's own state: its sign of life, and sources stopped until the player acts.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow};

use super::changes::commit;
use super::error::StoreError;
use super::{Store, open};

/// The daemon's sign of life.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Heartbeat {
    /// Its process.
    pub pid: u32,
    /// Its machine.
    pub host: String,
    /// Since when it runs.
    pub started_at: DateTime<Utc>,
    /// The last check of the mailbox that succeeded.
    pub last_check_at: Option<DateTime<Utc>>,
    /// The last check that was tried.
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// What is wrong at present.
    pub last_error: Option<String>,
    /// When the next check is due; later than that it is stale.
    pub next_check_at: Option<DateTime<Utc>>,
    /// How far a long look has come, in words; `None` when none is under way.
    pub progress: Option<String>,
    /// What it is doing, in a word.
    pub state: String,
}

/// A source that is not asked any more until the player acts.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AuthStop {
    /// Since when.
    pub since: DateTime<Utc>,
    /// Why, in words.
    pub reason: String,
}

impl Store {
    /// Keeps the daemon's sign of life in place of the one before.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn beat(&mut self, beat: &Heartbeat) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "INSERT OR REPLACE INTO heartbeat (id, pid, host, started_at, last_check_at, last_attempt_at, last_error,
                                               next_check_at, progress, state)
             VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(beat.pid)
        .bind(&beat.host)
        .bind(beat.started_at)
        .bind(beat.last_check_at)
        .bind(beat.last_attempt_at)
        .bind(&beat.last_error)
        .bind(beat.next_check_at)
        .bind(&beat.progress)
        .bind(&beat.state)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The daemon's last sign of life; `None` if none ever ran here.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn heartbeat(&mut self) -> Result<Option<Heartbeat>, StoreError> {
        let mut db = self.checkout().await?;
        let beat = sqlx::query_as(
            "SELECT pid, host, started_at, last_check_at, last_attempt_at, last_error, next_check_at, progress,
                    state
             FROM heartbeat",
        )
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(beat)
    }

    /// How often the password was refused since it was last accepted, or since the player acted.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn refused_in_row(&mut self, source: &str) -> Result<u32, StoreError> {
        let mut db = self.checkout().await?;
        let count = sqlx::query_scalar(
            "SELECT count(*) FROM logins WHERE source = ?1 AND outcome = 'refused' AND id >
                 (SELECT ifnull(max(id), 0) FROM logins WHERE source = ?1 AND outcome IN ('ok', 'cleared'))",
        )
        .bind(source)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(count)
    }

    /// Stops a source until the player acts.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn stop_source(&mut self, source: &str, stop: &AuthStop) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("INSERT OR REPLACE INTO auth_stop (source, since, reason) VALUES (?, ?, ?)")
            .bind(source)
            .bind(stop.since)
            .bind(&stop.reason)
            .execute(&mut *tx)
            .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Why a source is stopped, if it is.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn stopped(&mut self, source: &str) -> Result<Option<AuthStop>, StoreError> {
        let mut db = self.checkout().await?;
        let stop = sqlx::query_as("SELECT since, reason FROM auth_stop WHERE source = ?")
            .bind(source)
            .fetch_optional(&mut db)
            .await?;
        self.checkin(db);
        Ok(stop)
    }

    /// Lets a source go on: the player has acted, and refusals are counted anew.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn clear_stop(&mut self, source: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("DELETE FROM auth_stop WHERE source = ?").bind(source).execute(&mut *tx).await?;
        sqlx::query("DELETE FROM outages WHERE source = ?").bind(source).execute(&mut *tx).await?;
        sqlx::query("INSERT INTO logins (source, at, outcome) VALUES (?, ?, 'cleared')")
            .bind(source)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}
