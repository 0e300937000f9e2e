//! The ledger of the mailbox: every announced message has one row until it is read or listed as unread with a reason.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::changes::commit;
use super::error::StoreError;
use super::{Store, open};

/// A message that a mailbox has announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Which account or mail folder on disk.
    pub source: String,
    /// The folder in it.
    pub folder: String,
    /// UIDVALIDITY (RFC 9051, 2.3.1.1); 0 for Maildir.
    pub epoch: u32,
    /// The UID, or the unique part of the Maildir name.
    pub uid: String,
    /// Bytes, as announced.
    pub size: Option<u32>,
    /// When the server took it.
    pub server_date: Option<DateTime<Utc>>,
}

/// What became of an announced message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "kebab-case")]
pub enum ArrivalState {
    /// Not read yet.
    Open,
    /// Read; its mail is stored.
    Done,
    /// It failed again and again; not tried any more.
    SetAside,
    /// Larger than what is fetched.
    TooLarge,
    /// Gone from the server before it was read.
    Gone,
    /// Too old to be about a running game; never looked at.
    Passed,
}

/// How often a message was tried before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Never.
    First,
    /// So many times, each of which ended without a word: a crash, or an error.
    Again(u32),
    /// It needs no try: read, or given up.
    Settled,
}

/// A message that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRead {
    /// Which.
    pub arrival: Arrival,
    /// Tried so often.
    pub attempts: u32,
    /// Open, or why given up.
    pub state: ArrivalState,
    /// Why, in words; `None` while it is open.
    pub reason: Option<String>,
    /// Since when.
    pub noted_at: DateTime<Utc>,
}

impl NotRead {
    /// Whether it still lies in the mailbox, as far as is known.
    pub fn is_there(&self) -> bool {
        self.state != ArrivalState::Gone
    }

    /// Whether the player should hear of it: what is gone needs nobody, what was announced a moment ago is being read, and what was listed
    /// for two weeks was seen.
    pub fn is_worth_a_word(&self, now: DateTime<Utc>) -> bool {
        match self.state {
            ArrivalState::Done | ArrivalState::Gone | ArrivalState::Passed => false,
            ArrivalState::Open => now - self.noted_at > TimeDelta::minutes(10),
            ArrivalState::SetAside | ArrivalState::TooLarge => now - self.noted_at < TimeDelta::days(14),
        }
    }
}

/// Where asking a folder goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Cursor {
    /// The UIDVALIDITY that `last_uid` belongs to.
    pub epoch: u32,
    /// The highest UID that was announced.
    pub last_uid: u32,
}

#[derive(FromRow)]
struct ArrivalRow {
    source: String,
    folder: String,
    epoch: u32,
    uid: String,
    size: Option<u32>,
    server_date: Option<DateTime<Utc>>,
    attempts: u32,
    state: ArrivalState,
    reason: Option<String>,
    noted_at: DateTime<Utc>,
}

impl From<ArrivalRow> for NotRead {
    fn from(row: ArrivalRow) -> NotRead {
        NotRead {
            arrival: Arrival {
                source: row.source,
                folder: row.folder,
                epoch: row.epoch,
                uid: row.uid,
                size: row.size,
                server_date: row.server_date,
            },
            attempts: row.attempts,
            state: row.state,
            reason: row.reason,
            noted_at: row.noted_at,
        }
    }
}

impl Store {
    /// Notes announced messages, so that none is forgotten; those that are known already stay as they are.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn announce(&mut self, arrivals: &[Arrival], now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for arrival in arrivals {
            insert(&mut tx, arrival, None, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The announced messages of a folder that still wait to be read, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn pending(&mut self, source: &str, folder: &str, epoch: u32) -> Result<Vec<NotRead>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<ArrivalRow> = sqlx::query_as(
            "SELECT source, folder, epoch, uid, size, server_date, attempts, state, reason, noted_at
             FROM arrivals WHERE source = ? AND folder = ? AND epoch = ? AND state = 'open' ORDER BY id",
        )
        .bind(source)
        .bind(folder)
        .bind(epoch)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(rows.into_iter().map(NotRead::from).collect())
    }

    /// Counts an attempt to read a message, before it is tried: what kills the program is found out by it.
    ///
    /// # Errors
    /// Those of writing the database; the message must then not be tried.
    pub async fn note_attempt(&mut self, arrival: &Arrival, now: DateTime<Utc>) -> Result<Attempt, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        insert(&mut tx, arrival, None, now).await?;
        let attempts: Option<u32> = sqlx::query_scalar(
            "UPDATE arrivals SET attempts = attempts + 1, refused = 0
             WHERE source = ? AND folder = ? AND epoch = ? AND uid = ? AND state = 'open' RETURNING attempts",
        )
        .bind(&arrival.source)
        .bind(&arrival.folder)
        .bind(arrival.epoch)
        .bind(&arrival.uid)
        .fetch_optional(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(match attempts {
            None => Attempt::Settled,
            Some(0 | 1) => Attempt::First,
            Some(attempts) => Attempt::Again(attempts - 1),
        })
    }

    /// Takes an attempt back that ended in an error which is not the message's: a full disk, a name server that does not answer.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn excuse(&mut self, arrival: &Arrival) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        sqlx::query(
            "UPDATE arrivals SET attempts = max(attempts - 1, 0) WHERE source = ? AND folder = ? AND epoch = ? AND uid = ?",
        )
        .bind(&arrival.source)
        .bind(&arrival.folder)
        .bind(arrival.epoch)
        .bind(&arrival.uid)
        .execute(&mut db)
        .await?;
        self.checkin(db);
        Ok(())
    }

    /// Counts a fetch in which the server did not give a message; gives how many of them there were in a row.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn note_refusal(&mut self, arrival: &Arrival, now: DateTime<Utc>) -> Result<u32, StoreError> {
        let mut db = self.checkout().await?;
        let refused: Option<u32> = sqlx::query_scalar(
            "UPDATE arrivals SET refused = refused + 1, refused_at = ?
             WHERE source = ? AND folder = ? AND epoch = ? AND uid = ? RETURNING refused",
        )
        .bind(now)
        .bind(&arrival.source)
        .bind(&arrival.folder)
        .bind(arrival.epoch)
        .bind(&arrival.uid)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(refused.unwrap_or_default())
    }

    /// Gives a message up, with the reason; one that was read stays read.
    ///
    /// # Errors
    /// [`StoreError::Refused`] for `Done`, which only [`Store::record`] makes.
    pub async fn settle(
        &mut self,
        arrival: &Arrival,
        state: ArrivalState,
        reason: &str,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        insert(&mut tx, arrival, None, now).await?;
        sqlx::query(
            "UPDATE arrivals SET state = ?, reason = ?
             WHERE source = ? AND folder = ? AND epoch = ? AND uid = ? AND state <> 'done'",
        )
        .bind(state)
        .bind(reason)
        .bind(&arrival.source)
        .bind(&arrival.folder)
        .bind(arrival.epoch)
        .bind(&arrival.uid)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Every message that was announced and not read, oldest first: those waiting and those given up.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn arrivals_not_read(&mut self) -> Result<Vec<NotRead>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<ArrivalRow> = sqlx::query_as(
            "SELECT source, folder, epoch, uid, size, server_date, attempts, state, reason, noted_at
             FROM arrivals WHERE state IN ('open', 'set-aside', 'too-large', 'gone') ORDER BY id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(rows.into_iter().map(NotRead::from).collect())
    }

    /// Where asking a folder goes on.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn cursor(&mut self, source: &str, folder: &str) -> Result<Option<Cursor>, StoreError> {
        let mut db = self.checkout().await?;
        let cursor = sqlx::query_as("SELECT epoch, last_uid FROM cursors WHERE source = ? AND folder = ?")
            .bind(source)
            .bind(folder)
            .fetch_optional(&mut db)
            .await?;
        self.checkin(db);
        Ok(cursor)
    }

    /// Moves the cursor of a folder to the highest UID announced. Within one epoch it never goes back.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn advance(
        &mut self,
        source: &str,
        folder: &str,
        cursor: Cursor,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "INSERT INTO cursors (source, folder, epoch, last_uid, seen_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (source, folder) DO UPDATE SET
                 last_uid = iif(epoch = excluded.epoch, max(last_uid, excluded.last_uid), excluded.last_uid),
                 epoch = excluded.epoch, seen_at = excluded.seen_at",
        )
        .bind(source)
        .bind(folder)
        .bind(cursor.epoch)
        .bind(cursor.last_uid)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

/// Gives a message its row, unless it has one: it waits to be read, or is passed over for a reason.
pub(super) async fn insert(
    db: &mut SqliteConnection,
    arrival: &Arrival,
    passed: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO arrivals (source, folder, epoch, uid, attempts, state, reason, size, server_date, noted_at)
         VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?) ON CONFLICT (source, folder, epoch, uid) DO NOTHING",
    )
    .bind(&arrival.source)
    .bind(&arrival.folder)
    .bind(arrival.epoch)
    .bind(&arrival.uid)
    .bind(if passed.is_some() { ArrivalState::Passed } else { ArrivalState::Open })
    .bind(passed)
    .bind(arrival.size)
    .bind(arrival.server_date)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Ticks a message off: its mail is stored.
pub(super) async fn tick_off(
    db: &mut SqliteConnection,
    arrival: &Arrival,
    mail: i64,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    insert(db, arrival, None, now).await?;
    sqlx::query(
        "UPDATE arrivals SET state = 'done', reason = NULL, mail = ?
         WHERE source = ? AND folder = ? AND epoch = ? AND uid = ?",
    )
    .bind(mail)
    .bind(&arrival.source)
    .bind(&arrival.folder)
    .bind(arrival.epoch)
    .bind(&arrival.uid)
    .execute(db)
    .await?;
    Ok(())
}
