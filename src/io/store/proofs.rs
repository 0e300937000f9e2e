//! What the proofs read: which mail gave each ply, every mail of a game with what was decided, and whether the file is sound.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow};

use super::error::StoreError;
use super::rows::{integer, json, key_of, word};
use super::{Store, open};
use crate::domain::game::{GameId, Stated};
use crate::domain::notation::NumericMove;

/// Where a ply on record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Origin {
    /// The mail that gave or proved it; `None` for an imported move and for the player's word.
    pub mail: Option<i64>,
    /// When it went on record.
    pub recorded_at: DateTime<Utc>,
}

/// How a move came on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The mail that gave or proved it; `None` for an imported move and for the player's word.
    pub mail: Option<i64>,
    /// When it went on record.
    pub recorded_at: DateTime<Utc>,
    /// What the judge found to differ in that mail.
    pub discrepancies: Vec<String>,
    /// The newest draft of this ply.
    pub draft: Option<DraftOf>,
}

/// A draft of a ply.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DraftOf {
    /// The Message-ID of the mail that brought it to the player.
    pub message_id: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// A mail of a game, with what was decided about it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailOfGame {
    /// Its key.
    pub mail: i64,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Its Message-ID, with angle brackets.
    pub message_id: Option<String>,
    /// Who it says it is from.
    pub from_address: Option<String>,
    /// Its subject, cleaned for showing.
    pub subject: String,
    /// When our server took it, else when it was read.
    pub at: DateTime<Utc>,
    /// A word of the contract, or `own`.
    pub outcome: String,
    /// Why, in words.
    pub reason: String,
    /// The moves.
    pub plies: Vec<NumericMove>,
    /// What the sender states of the last.
    pub stated: Stated,
    /// Where its statements and the record differed.
    pub discrepancies: Vec<String>,
    /// It waits for the player.
    pub open: bool,
    /// When it was decided.
    pub decided_at: DateTime<Utc>,
    /// It is about another game of his too.
    pub elsewhere: bool,
}

/// A letter of the program's in a game: to the player, or the draft of his own.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct LetterOfGame {
    /// Its key in the outbox.
    pub id: i64,
    /// It is the draft of a move.
    pub is_draft: bool,
    /// The ply of that move, counted from 1.
    pub ply: Option<u32>,
    /// The mail that caused it.
    pub mail: Option<i64>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Its bytes are kept.
    pub is_kept: bool,
}

#[derive(FromRow)]
struct MailRow {
    mail: i64,
    sha256: Vec<u8>,
    message_id: Option<String>,
    from_address: Option<String>,
    subject: String,
    at: DateTime<Utc>,
    outcome: String,
    reason: String,
    plies: String,
    stated: String,
    discrepancies: String,
    open: bool,
    decided_at: DateTime<Utc>,
    elsewhere: bool,
}

impl Store {
    /// How the ply `ply`, counted from 1, came on record; `None` when it is not.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn provenance(&mut self, game: &GameId, ply: usize) -> Result<Option<Provenance>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let row: Option<(Option<i64>, DateTime<Utc>, Option<String>)> = sqlx::query_as(
            "SELECT mail, recorded_at,
                    (SELECT discrepancies FROM verdicts WHERE verdicts.mail = moves.mail AND verdicts.game = moves.game
                     ORDER BY id DESC LIMIT 1)
             FROM moves WHERE game = ? AND ply = ?",
        )
        .bind(key)
        .bind(integer(ply))
        .fetch_optional(&mut *tx)
        .await?;
        let draft = sqlx::query_as(
            "SELECT message_id, created_at FROM outbox WHERE game = ? AND ply = ? AND kind = 'draft' ORDER BY id DESC LIMIT 1",
        )
        .bind(key)
        .bind(integer(ply))
        .fetch_optional(&mut *tx)
        .await?;
        tx.commit().await?;
        self.checkin(db);
        let Some((mail, recorded_at, discrepancies)) = row else {
            return Ok(None);
        };
        let discrepancies = discrepancies.map(|text| json("verdicts.discrepancies", &text)).transpose()?;
        Ok(Some(Provenance { mail, recorded_at, discrepancies: discrepancies.unwrap_or_default(), draft }))
    }

    /// Where each ply of a game comes from, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn origins(&mut self, game: &GameId) -> Result<Vec<Origin>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let origins = sqlx::query_as("SELECT mail, recorded_at FROM moves WHERE game = ? ORDER BY ply")
            .bind(key)
            .fetch_all(&mut *tx)
            .await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(origins)
    }

    /// The move that was planned for the ply after `plies` others, by what was done until an instant; `None` where none was, or
    /// where it was dropped.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn planned(
        &mut self,
        game: &GameId,
        plies: usize,
        until: DateTime<Utc>,
    ) -> Result<Option<NumericMove>, StoreError> {
        let mut db = self.checkout().await?;
        let last: Option<Option<String>> = sqlx::query_scalar(
            "SELECT coalesce(body ->> '$.plan.before[0]', body ->> '$.plan.numeric') FROM acts
             WHERE body ->> '$.game' IN (SELECT name FROM names WHERE game = (SELECT game FROM names WHERE name = ?1)) AND at <= ?3
               AND (kind = 'undo' OR (kind IN ('plan', 'restate', 'release') AND body ->> '$.expected_plies' = ?2))
             ORDER BY id DESC LIMIT 1",
        )
        .bind(game.as_str())
        .bind(integer(plies))
        .bind(until)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        last.flatten().map(|text| word("acts.body", text)).transpose()
    }

    /// Every mail of a game, in the order in which our server took them.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn mails_of(&mut self, game: &GameId) -> Result<Vec<MailOfGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let rows: Vec<MailRow> = sqlx::query_as(
            "SELECT mails.id AS mail, sha256, message_id, from_address, subject, ifnull(server_date, taken_at) AS at, outcome,
                    reason, plies, stated, discrepancies, open, decided_at,
                    EXISTS (SELECT 1 FROM verdicts AS others
                            WHERE others.mail = mails.id AND others.game <> verdicts.game) AS elsewhere
             FROM verdicts JOIN mails ON mails.id = verdicts.mail WHERE verdicts.game = ? ORDER BY at, mails.id",
        )
        .bind(key)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        self.checkin(db);
        let mail = |row: MailRow| {
            Ok(MailOfGame {
                mail: row.mail,
                sha256: hex::encode(row.sha256),
                message_id: row.message_id,
                from_address: row.from_address,
                subject: row.subject,
                at: row.at,
                outcome: row.outcome,
                reason: row.reason,
                plies: json("verdicts.plies", &row.plies)?,
                stated: json("verdicts.stated", &row.stated)?,
                discrepancies: json("verdicts.discrepancies", &row.discrepancies)?,
                open: row.open,
                decided_at: row.decided_at,
                elsewhere: row.elsewhere,
            })
        };
        rows.into_iter().map(mail).collect()
    }

    /// Every letter of a game that was not cancelled, and the last draft of each move, in the order in which they were made.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn letters_of(&mut self, game: &GameId) -> Result<Vec<LetterOfGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let letters = sqlx::query_as(
            "SELECT id, kind = 'draft' AS is_draft, ply, mail, created_at, bytes <> x'' AS is_kept
             FROM outbox WHERE game = ?1
                 AND (state <> 'cancelled' OR id IN (SELECT max(id) FROM outbox WHERE game = ?1 AND kind = 'draft' GROUP BY ply))
             ORDER BY id",
        )
        .bind(key)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(letters)
    }

    /// Every mail whose bytes are kept, with the SHA-256 that they had when it came, in hexadecimal digits.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn kept_mails(&mut self) -> Result<Vec<(i64, String)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows = sqlx::query_as("SELECT id, lower(hex(sha256)) FROM mails WHERE raw IS NOT NULL ORDER BY id")
            .fetch_all(&mut db)
            .await?;
        self.checkin(db);
        Ok(rows)
    }

    /// What SQLite finds wrong with the file: its structure, then rows that refer to nothing. Empty when it is sound.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn defects(&mut self) -> Result<Vec<String>, StoreError> {
        let mut db = self.checkout().await?;
        let said: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut db).await?;
        let loose: Vec<(String, Option<i64>, String)> =
            sqlx::query_as("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check").fetch_all(&mut db).await?;
        self.checkin(db);
        let loose = loose.into_iter().map(|(table, row, parent)| {
            format!("row {} of {table} refers to a row of {parent} that is not there", row.unwrap_or_default())
        });
        Ok(said.into_iter().filter(|line| line != "ok").chain(loose).collect())
    }
}
