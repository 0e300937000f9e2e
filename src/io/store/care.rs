//! What the player does for his clocks: leave, announcements, repeats, and the letters that tell of them.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{Act, put};
use super::bounces::noted_anew;
use super::changes::commit;
use super::error::StoreError;
use super::games::grouped;
use super::moves::check_unchanged;
use super::outbox::{LetterRef, Outgoing, enqueue};
use super::record::{EventRow, put_event};
use super::rows::{integer, key_of, word};
use super::{Store, open};
use crate::domain::game::{ClockNote, GameId, Leave};

/// Stores a leave at its place in the game's list.
pub(super) async fn put_leave(
    db: &mut SqliteConnection,
    game: i64,
    position: usize,
    leave: &Leave,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO leaves (game, position, side, from_day, to_day, announced) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(game)
        .bind(integer(position))
        .bind(leave.side.word())
        .bind(leave.from)
        .bind(leave.to)
        .bind(leave.announced)
        .execute(db)
        .await?;
    Ok(())
}

/// Stores an announcement or a repeat at its place in the game's list.
pub(super) async fn put_clock_note(
    db: &mut SqliteConnection,
    game: i64,
    position: usize,
    note: &ClockNote,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO clock_notes (game, position, ply, kind, on_day, until_day) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(game)
        .bind(integer(position))
        .bind(note.ply)
        .bind(note.kind.word())
        .bind(note.on)
        .bind(note.until)
        .execute(db)
        .await?;
    Ok(())
}

/// Adds a note about the ply that is due.
async fn add_clock_note(db: &mut SqliteConnection, game: &GameId, note: &ClockNote) -> Result<(), StoreError> {
    let key = key_of(db, game).await?;
    let plies = usize::try_from(note.ply.saturating_sub(1)).unwrap_or(usize::MAX);
    check_unchanged(db, key, game, plies).await?;
    let position =
        next_position(db, "SELECT ifnull(max(position) + 1, 0) FROM clock_notes WHERE game = ?", key).await?;
    put_clock_note(db, key, position, note).await?;
    noted_anew(db, key, note).await
}

/// Enters leave and notes.
async fn enter(
    db: &mut SqliteConnection,
    leaves: &[(GameId, Leave)],
    notes: &[(GameId, ClockNote)],
) -> Result<(), StoreError> {
    for (game, leave) in leaves {
        let key = key_of(db, game).await?;
        let position = next_position(db, "SELECT ifnull(max(position) + 1, 0) FROM leaves WHERE game = ?", key).await?;
        put_leave(db, key, position, leave).await?;
    }
    for (game, note) in notes {
        add_clock_note(db, game, note).await?;
    }
    Ok(())
}

/// The same by a mail, of the player's or of the opponent's, whose SHA-256 is given; the journal is that mail's.
pub(super) async fn enter_by_mail(
    db: &mut SqliteConnection,
    leaves: &[(GameId, Leave)],
    notes: &[(GameId, ClockNote)],
    sha256: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    if leaves.is_empty() && notes.is_empty() {
        return Ok(());
    }
    enter(db, leaves, notes).await?;
    let (leaves, notes, by) = (leaves.to_vec(), notes.to_vec(), Some(sha256.to_owned()));
    put(db, &Act::Care { leaves, notes, letters: Vec::new(), events: Vec::new(), by }, now).await
}

/// What the player does for his clocks, in one step: leave, notes, letters, and what the journal tells of it.
#[derive(Debug, Clone, Default)]
pub struct Care {
    /// Leave that is entered.
    pub leaves: Vec<(GameId, Leave)>,
    /// An announcement or a repeat about the ply that is due.
    pub notes: Vec<(GameId, ClockNote)>,
    /// Letters to the player.
    pub outgoing: Vec<Outgoing>,
    /// What the journal tells.
    pub events: Vec<EventRow>,
}

impl Store {
    /// Keeps what the player does for his clocks, all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError::Moved`] or [`StoreError::Finished`] when a note is about a ply that is not due any more.
    pub async fn take_care(&mut self, care: &Care, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        enter(&mut tx, &care.leaves, &care.notes).await?;
        for outgoing in &care.outgoing {
            enqueue(&mut tx, outgoing, None, now).await?;
        }
        for event in &care.events {
            put_event(&mut tx, event, None, now).await?;
        }
        let Care { leaves, notes, events, .. } = care.clone();
        let letters = care.outgoing.iter().map(LetterRef::of).collect();
        put(&mut tx, &Act::Care { leaves, notes, letters, events, by: None }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Takes leave out of games, wherever exactly this one was entered; false where it was not. The journal keeps that it stood there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn remove_leave(
        &mut self,
        leaves: &[(GameId, Leave)],
        events: &[EventRow],
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let mut removed = true;
        for (game, leave) in leaves {
            let key = key_of(&mut tx, game).await?;
            let gone = sqlx::query("DELETE FROM leaves WHERE game = ? AND side = ? AND from_day = ? AND to_day = ?")
                .bind(key)
                .bind(leave.side.word())
                .bind(leave.from)
                .bind(leave.to)
                .execute(&mut *tx)
                .await?;
            removed &= gone.rows_affected() > 0;
        }
        if removed {
            for event in events {
                put_event(&mut tx, event, None, now).await?;
            }
            put(&mut tx, &Act::RemoveLeave { leaves: leaves.to_vec(), events: events.to_vec() }, now).await?;
            commit(tx).await?;
        } else {
            tx.rollback().await?;
        }
        self.checkin(db);
        Ok(removed)
    }

    /// Takes a note on a clock out of a game; false where it is not on record. The journal keeps that it stood there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn remove_clock_note(
        &mut self,
        game: &GameId,
        note: &ClockNote,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let gone = sqlx::query(
            "DELETE FROM clock_notes WHERE game = ? AND ply = ? AND kind = ? AND on_day = ? AND until_day IS ?",
        )
        .bind(key)
        .bind(note.ply)
        .bind(note.kind.word())
        .bind(note.on)
        .bind(note.until)
        .execute(&mut *tx)
        .await?;
        let is_removed = gone.rows_affected() > 0;
        if is_removed {
            put_event(&mut tx, event, None, now).await?;
            put(&mut tx, &Act::RemoveClockNote { game: game.clone(), note: *note, event: event.clone() }, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(is_removed)
    }
}

/// The first free place after the list of a game.
async fn next_position(db: &mut SqliteConnection, sql: &'static str, game: i64) -> Result<usize, StoreError> {
    let position: i64 = sqlx::query_scalar(sql).bind(game).fetch_one(db).await?;
    Ok(usize::try_from(position).unwrap_or_default())
}

/// The leaves of these games, by their keys.
pub(super) async fn leaves(db: &mut SqliteConnection, keys: &str) -> Result<HashMap<i64, Vec<Leave>>, StoreError> {
    let rows: Vec<(i64, String, NaiveDate, NaiveDate, Option<NaiveDate>)> = sqlx::query_as(
        "SELECT game, side, from_day, to_day, announced FROM leaves WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, position",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let leave =
        |(game, side, from, to, announced)| Ok((game, Leave { side: word("leaves.side", side)?, from, to, announced }));
    grouped(rows.into_iter().map(leave))
}

/// Their announcements and repeats.
pub(super) async fn clock_notes(
    db: &mut SqliteConnection,
    keys: &str,
) -> Result<HashMap<i64, Vec<ClockNote>>, StoreError> {
    let rows: Vec<(i64, u32, String, NaiveDate, Option<NaiveDate>)> = sqlx::query_as(
        "SELECT game, ply, kind, on_day, until_day FROM clock_notes WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, position",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let note =
        |(game, ply, kind, on, until)| Ok((game, ClockNote { ply, kind: word("clock_notes.kind", kind)?, on, until }));
    grouped(rows.into_iter().map(note))
}
