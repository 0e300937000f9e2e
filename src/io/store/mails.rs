//! The mails that were taken in, as evidence: by their content, their Message-ID, their number, their sender.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::error::StoreError;
use super::rows::{key_of, unpacked};
use super::{Store, open};
use crate::domain::game::GameId;

/// A mail whose bytes were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptMail {
    /// Its key.
    pub mail: i64,
    /// Its bytes, as they came.
    pub raw: Vec<u8>,
    /// When our server took it.
    pub server_date: Option<DateTime<Utc>>,
}

/// A stored mail, apart from its bytes.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct StoredMail {
    /// Its key.
    pub mail: i64,
    /// Its Message-ID, with angle brackets.
    pub message_id: Option<String>,
    /// Who it says it is from.
    pub from_address: Option<String>,
    /// Its subject, cleaned for showing.
    pub subject: String,
    /// When our server took it.
    pub server_date: Option<DateTime<Utc>>,
    /// When it was read.
    pub taken_at: DateTime<Utc>,
}

impl StoredMail {
    /// The instant from which it counts as received: when our server took it, else when it was read.
    pub fn arrived(&self) -> DateTime<Utc> {
        self.server_date.unwrap_or(self.taken_at)
    }
}

impl Store {
    /// Whether a mail with this content is stored and decided about.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn is_settled(&mut self, sha256: [u8; 32]) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let settled = match mail_by_content(&mut db, &sha256).await? {
            Some(mail) => is_decided(&mut db, mail).await?,
            None => false,
        };
        self.checkin(db);
        Ok(settled)
    }

    /// The stored mail with this content.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn mail_known(&mut self, sha256: [u8; 32]) -> Result<Option<i64>, StoreError> {
        let mut db = self.checkout().await?;
        let mail = mail_by_content(&mut db, &sha256).await?;
        self.checkin(db);
        Ok(mail)
    }

    /// The stored mails with this Message-ID: a hint only, since anybody can write any id.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn message_id_known(&mut self, message_id: &str) -> Result<Vec<i64>, StoreError> {
        let mut db = self.checkout().await?;
        let mails = sqlx::query_scalar("SELECT id FROM mails WHERE message_id = ? ORDER BY id")
            .bind(message_id)
            .fetch_all(&mut db)
            .await?;
        self.checkin(db);
        Ok(mails)
    }

    /// Whether a mail with this Message-ID, perhaps with other bytes, was taken for a command of the player's. One that was not proven to be
    /// his was not: another copy may be.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn was_commanded(&mut self, message_id: &str) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let was = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM events JOIN mails ON mails.id = events.mail WHERE message_id = ? AND kind = 'command'
                 AND NOT EXISTS (SELECT 1 FROM verdicts WHERE verdicts.mail = mails.id AND outcome = 'wrong_sender'))",
        )
        .bind(message_id)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(was)
    }

    /// A stored mail, apart from its bytes.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn mail(&mut self, mail: i64) -> Result<Option<StoredMail>, StoreError> {
        let mut db = self.checkout().await?;
        let found = sqlx::query_as(
            "SELECT id AS mail, message_id, from_address, subject, server_date, taken_at FROM mails WHERE id = ?",
        )
        .bind(mail)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(found)
    }

    /// The bytes of a stored mail, as they came; `None` when they were not kept.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn mail_raw(&mut self, mail: i64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut db = self.checkout().await?;
        let kept: Option<Option<Vec<u8>>> =
            sqlx::query_scalar("SELECT raw FROM mails WHERE id = ?").bind(mail).fetch_optional(&mut db).await?;
        self.checkin(db);
        kept.flatten().map(|kept| unpacked("mails.raw", &kept)).transpose()
    }

    /// The player's last letters in a game, as bytes: what he was seen to send, and the drafts that were made for him, up to this ply;
    /// the newest few.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn own_letters(&mut self, game: &GameId, plies: u32) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let sent: Vec<Vec<u8>> = sqlx::query_scalar(
            "SELECT raw FROM sent JOIN mails ON mails.id = sent.mail WHERE sent.game = ? AND ply <= ?
             AND raw IS NOT NULL ORDER BY sent.id DESC LIMIT 3",
        )
        .bind(key)
        .bind(plies)
        .fetch_all(&mut *tx)
        .await?;
        let drafted: Vec<Vec<u8>> = sqlx::query_scalar(
            "SELECT bytes FROM outbox WHERE kind = 'draft' AND game = ? AND ply <= ? ORDER BY id DESC LIMIT 3",
        )
        .bind(key)
        .bind(plies)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        self.checkin(db);
        let drafted = drafted.iter().map(|kept| unpacked("outbox.bytes", kept));
        drafted.chain(sent.iter().map(|kept| unpacked("mails.raw", kept))).collect()
    }

    /// The kept mails that say they come from this address, oldest first: key, bytes, when our server took each.
    /// Mails that are no game's business are not among them: their bytes were never kept.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn mails_from(&mut self, address: &str) -> Result<Vec<KeptMail>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(i64, Vec<u8>, Option<DateTime<Utc>>)> = sqlx::query_as(
            "SELECT id, raw, server_date FROM mails WHERE from_address = ? AND raw IS NOT NULL ORDER BY id",
        )
        .bind(address)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let mail = |(mail, raw, server_date): (i64, Vec<u8>, _)| {
            Ok(KeptMail { mail, raw: unpacked("mails.raw", &raw)?, server_date })
        };
        rows.into_iter().map(mail).collect()
    }
}

pub(super) async fn mail_by_content(db: &mut SqliteConnection, sha256: &[u8; 32]) -> Result<Option<i64>, StoreError> {
    let mail =
        sqlx::query_scalar("SELECT id FROM mails WHERE sha256 = ?").bind(sha256.as_slice()).fetch_optional(db).await?;
    Ok(mail)
}

/// Whether a stored mail is decided about.
pub(super) async fn is_decided(db: &mut SqliteConnection, mail: i64) -> Result<bool, StoreError> {
    let decided = sqlx::query_scalar("SELECT undecided = 0 FROM mails WHERE id = ?").bind(mail);
    Ok(decided.fetch_one(db).await?)
}
