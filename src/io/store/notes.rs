//! The player's private notes. They are asked for by game and are no part of it: nothing that writes letters reads them.

use chrono::{DateTime, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{Act, put};
use super::changes::commit;
use super::error::StoreError;
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::game::{GameId, PrivateNote};

/// Notes that one statement keeps.
const NOTES_AT_ONCE: usize = 1000;

impl Store {
    /// Keeps notes, all of them or none, and tells how many are new. One that a game has already is not kept twice.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn annotate(&mut self, notes: &[(GameId, PrivateNote)], now: DateTime<Utc>) -> Result<usize, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let count = put_notes(&mut tx, notes, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(count)
    }

    /// Takes a note away; false where the game has no such note.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn remove_note(
        &mut self,
        game: &GameId,
        note: &PrivateNote,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let gone = sqlx::query("DELETE FROM notes WHERE game = ? AND ply = ? AND text = ?")
            .bind(key)
            .bind(note.ply)
            .bind(&note.text)
            .execute(&mut *tx)
            .await?;
        let removed = gone.rows_affected() > 0;
        if removed {
            put(&mut tx, &Act::RemoveNote { game: game.clone(), note: note.clone() }, now).await?;
            commit(tx).await?;
        } else {
            tx.rollback().await?;
        }
        self.checkin(db);
        Ok(removed)
    }

    /// The notes of a game, by their plies, those of one ply in the order in which they were written.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn notes(&mut self, game: &GameId) -> Result<Vec<PrivateNote>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(u32, String)> = sqlx::query_as(
            "SELECT ply, text FROM notes JOIN games ON games.id = notes.game WHERE games.name = ? ORDER BY ply, notes.id",
        )
        .bind(game.as_str())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(rows.into_iter().map(|(ply, text)| PrivateNote { ply, text }).collect())
    }
}

/// Keeps notes with their acts, and tells how many are new.
pub(super) async fn put_notes(
    db: &mut SqliteConnection,
    notes: &[(GameId, PrivateNote)],
    now: DateTime<Utc>,
) -> Result<usize, StoreError> {
    let mut count = 0;
    for notes in notes.chunks(NOTES_AT_ONCE) {
        let rows: Vec<_> = notes.iter().map(|(game, note)| (game, note.ply, &note.text)).collect();
        let rows = serde_json::json!(rows).to_string();
        let unknown: Option<String> = sqlx::query_scalar(
            "SELECT value ->> 0 FROM json_each(?)
             WHERE NOT EXISTS (SELECT 1 FROM games WHERE name = value ->> 0) ORDER BY key LIMIT 1",
        )
        .bind(&rows)
        .fetch_optional(&mut *db)
        .await?;
        if let Some(name) = unknown {
            return Err(StoreError::NoSuchGame { id: word("games.name", name)? });
        }
        let done = sqlx::query(
            "INSERT INTO notes (game, ply, text)
             SELECT games.id, value ->> 1, value ->> 2 FROM json_each(?) CROSS JOIN games ON games.name = value ->> 0
             WHERE true ORDER BY key ON CONFLICT (game, ply, text) DO NOTHING",
        )
        .bind(&rows)
        .execute(&mut *db)
        .await?;
        let new = usize::try_from(done.rows_affected()).unwrap_or(usize::MAX);
        if new > 0 {
            put(db, &Act::Annotate { notes: notes.to_vec() }, now).await?;
        }
        count += new;
    }
    Ok(count)
}
