//! The player's private notes. They are asked for by game and are no part of it: nothing that writes letters reads them.

use chrono::{DateTime, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{Act, put};
use super::error::StoreError;
use super::rows::key_of;
use super::{Store, open};
use crate::domain::game::{GameId, PrivateNote};

impl Store {
    /// Keeps notes, all of them or none, and tells how many are new. One that a game has already is not kept twice.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn annotate(&mut self, notes: &[(GameId, PrivateNote)], now: DateTime<Utc>) -> Result<usize, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let mut new = Vec::new();
        for (game, note) in notes {
            if put_note(&mut tx, game, note).await? {
                new.push((game.clone(), note.clone()));
            }
        }
        let count = new.len();
        if new.is_empty() {
            tx.rollback().await?;
        } else {
            put(&mut tx, &Act::Annotate { notes: new }, now).await?;
            tx.commit().await?;
        }
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
            tx.commit().await?;
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

async fn put_note(db: &mut SqliteConnection, game: &GameId, note: &PrivateNote) -> Result<bool, StoreError> {
    let key = key_of(db, game).await?;
    let done =
        sqlx::query("INSERT INTO notes (game, ply, text) VALUES (?, ?, ?) ON CONFLICT (game, ply, text) DO NOTHING")
            .bind(key)
            .bind(note.ply)
            .bind(&note.text)
            .execute(db)
            .await?;
    Ok(done.rows_affected() > 0)
}
