//! What was settled and said about the clocks: leave, announcements and repeats.

use sqlx::SqliteConnection;

use super::error::StoreError;
use super::rows::integer;
use crate::domain::game::{ClockNote, Leave};

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
