//! What came back: reports that a mail with a move of the player's did not arrive.
//!
//! A report changes no move. It is open until the opponent answers that ply, or another mail with it went out.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::error::StoreError;
use super::rows::{integer, key_of};
use super::{Store, open};
use crate::domain::game::{ClockNote, ClockNoteKind, GameId};

/// A report, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BounceRow {
    /// Which game.
    pub game: GameId,
    /// The own ply that came back, counted from 1.
    pub ply: usize,
    /// The mail of ours that it names, with angle brackets.
    pub message_id: String,
    /// To whom it could not be delivered.
    pub recipient: Option<String>,
    /// The enhanced status code (RFC 3463).
    pub status: Option<String>,
    /// It is still tried.
    pub delayed: bool,
}

/// A report, as it is on record.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Returned {
    /// The own ply that came back, counted from 1.
    pub ply: u32,
    /// The mail of ours that it names, with angle brackets.
    pub message_id: String,
    /// To whom it could not be delivered.
    pub recipient: Option<String>,
    /// The enhanced status code (RFC 3463).
    pub status: Option<String>,
    /// It is still tried.
    pub delayed: bool,
    /// Nothing has shown yet that it arrived.
    pub open: bool,
    /// When the report was read.
    pub at: DateTime<Utc>,
}

impl Store {
    /// The reports about the player's mails in a game, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn returned(&mut self, game: &GameId) -> Result<Vec<Returned>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let returned = sqlx::query_as(
            "SELECT ply, bounces.message_id, recipient, status, delayed, open, taken_at AS at FROM bounces JOIN mails ON mails.id = mail
             WHERE game = ? ORDER BY bounces.id",
        )
        .bind(key)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(returned)
    }
}

/// Writes a report. One about a ply that was answered, or about a mail that another one has followed, is history.
pub(super) async fn put_bounce(db: &mut SqliteConnection, row: &BounceRow, mail: i64) -> Result<(), StoreError> {
    let key = key_of(db, &row.game).await?;
    sqlx::query(
        "INSERT INTO bounces (mail, game, ply, message_id, recipient, status, delayed, open)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7,
                NOT ?7 AND NOT EXISTS (SELECT 1 FROM moves WHERE game = ?2 AND ply > ?3)
                AND NOT EXISTS (SELECT 1 FROM sent AS named JOIN mails AS first ON first.id = named.mail
                                JOIN sent AS later ON later.game = named.game AND later.ply = named.ply AND later.id > named.id
                                WHERE named.game = ?2 AND named.ply = ?3 AND first.message_id = ?4
                                      AND later.outcome IN ('recorded', 'repeated', 'differs'))",
    )
    .bind(mail)
    .bind(key)
    .bind(integer(row.ply))
    .bind(&row.message_id)
    .bind(&row.recipient)
    .bind(&row.status)
    .bind(row.delayed)
    .execute(db)
    .await?;
    Ok(())
}

/// Another mail with this ply went out than the one that came back.
pub(super) async fn sent_anew(
    db: &mut SqliteConnection,
    game: i64,
    ply: usize,
    message_id: Option<&str>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE bounces SET open = 0 WHERE game = ? AND ply = ? AND open = 1 AND message_id IS NOT ?")
        .bind(game)
        .bind(integer(ply))
        .bind(message_id)
        .execute(db)
        .await?;
    Ok(())
}

/// The same, where a note says so.
pub(super) async fn noted_anew(db: &mut SqliteConnection, game: i64, note: &ClockNote) -> Result<(), StoreError> {
    let before = usize::try_from(note.ply.saturating_sub(1)).unwrap_or(usize::MAX);
    match note.kind {
        ClockNoteKind::Returned => sent_anew(db, game, before, None).await,
        ClockNoteKind::Announced | ClockNoteKind::Repeated | ClockNoteKind::Missed => Ok(()),
    }
}
