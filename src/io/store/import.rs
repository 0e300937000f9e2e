//! Putting in whole games: all games of a file, or none.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::clock::{put_clock_note, put_leave};
use super::error::StoreError;
use super::moves::insert_move;
use super::outbox::cancel_queued_drafts;
use super::rows::{folded, integer, key_of};
use super::{Store, open};
use crate::domain::game::{Game, GameResult, Side};

impl Store {
    /// Stores games, each with the root of its mail thread: all of them or none.
    ///
    /// With `replace` a stored game takes on the file's state. It keeps its root and its history; its plan is dropped
    /// and drafts that wait to go out are cancelled.
    ///
    /// # Errors
    /// [`StoreError::GameExists`] without `replace`.
    pub async fn import(
        &mut self,
        games: &[(Game, String)],
        replace: bool,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for (game, root_message_id) in games {
            match key_of(&mut tx, &game.id).await {
                Ok(_) if !replace => {
                    return Err(StoreError::GameExists { id: game.id.clone() });
                }
                Ok(key) => clear(&mut tx, key).await?,
                Err(StoreError::NoSuchGame { .. }) => {}
                Err(other) => return Err(other),
            }
            let key = put_game(&mut tx, game, root_message_id, now).await?;
            put_parts(&mut tx, key, game, now).await?;
        }
        acts::put(&mut tx, &Act::Import { games: games.to_vec(), replace }, now).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }
}

/// Takes away what an import puts in anew.
async fn clear(db: &mut SqliteConnection, key: i64) -> Result<(), StoreError> {
    cancel_queued_drafts(db, key).await?;
    for sql in [
        "DELETE FROM addresses WHERE game = ?",
        "DELETE FROM players WHERE game = ?",
        "DELETE FROM moves WHERE game = ?",
        "DELETE FROM conditionals WHERE game = ?",
        "DELETE FROM leaves WHERE game = ?",
        "DELETE FROM clock_notes WHERE game = ?",
        "DELETE FROM seen_message_ids WHERE game = ?",
        "DELETE FROM plans WHERE game = ?",
    ] {
        sqlx::query(sql).bind(key).execute(&mut *db).await?;
    }
    Ok(())
}

async fn put_game(db: &mut SqliteConnection, game: &Game, root: &str, now: DateTime<Utc>) -> Result<i64, StoreError> {
    let key = sqlx::query_scalar(
        "INSERT INTO games (name, event, site, me, start_date, start_fen, rules, notations, draw_offer, result,
                            last_message_id, root_message_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET event = excluded.event, site = excluded.site, me = excluded.me,
             start_date = excluded.start_date, start_fen = excluded.start_fen, rules = excluded.rules,
             notations = excluded.notations, draw_offer = excluded.draw_offer, result = excluded.result,
             last_message_id = excluded.last_message_id
         RETURNING id",
    )
    .bind(game.id.as_str())
    .bind(&game.event)
    .bind(&game.site)
    .bind(game.me.word())
    .bind(game.start_date)
    .bind(&game.start_fen)
    .bind(json!(game.rules).to_string())
    .bind(json!(game.notations).to_string())
    .bind(game.draw_offer.map(Side::word))
    .bind(game.result.map(GameResult::word))
    .bind(&game.last_message_id)
    .bind(root)
    .bind(now)
    .fetch_one(db)
    .await?;
    Ok(key)
}

async fn put_parts(db: &mut SqliteConnection, key: i64, game: &Game, now: DateTime<Utc>) -> Result<(), StoreError> {
    for side in [Side::White, Side::Black] {
        let player = game.player(side);
        sqlx::query("INSERT INTO players (game, side, name) VALUES (?, ?, ?)")
            .bind(key)
            .bind(side.word())
            .bind(&player.name)
            .execute(&mut *db)
            .await?;
        for (position, address) in player.emails.iter().enumerate() {
            sqlx::query("INSERT INTO addresses (game, side, position, address, folded) VALUES (?, ?, ?, ?, ?)")
                .bind(key)
                .bind(side.word())
                .bind(integer(position))
                .bind(address)
                .bind(folded(address))
                .execute(&mut *db)
                .await?;
        }
    }
    for (index, record) in game.moves.iter().enumerate() {
        insert_move(db, key, index + 1, record, None, now).await?;
    }
    for (position, line) in game.conditionals.iter().enumerate() {
        sqlx::query("INSERT INTO conditionals (game, position, line) VALUES (?, ?, ?)")
            .bind(key)
            .bind(integer(position))
            .bind(json!(line).to_string())
            .execute(&mut *db)
            .await?;
    }
    for (position, leave) in game.leaves.iter().enumerate() {
        put_leave(db, key, position, leave).await?;
    }
    for (position, note) in game.clock_notes.iter().enumerate() {
        put_clock_note(db, key, position, note).await?;
    }
    for (position, message_id) in game.seen_message_ids.iter().enumerate() {
        sqlx::query("INSERT INTO seen_message_ids (game, position, message_id) VALUES (?, ?, ?)")
            .bind(key)
            .bind(integer(position))
            .bind(message_id)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}
