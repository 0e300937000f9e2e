//! What a game is known by, corrected by the player.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::changes::commit;
use super::error::StoreError;
use super::games::{Depth, load_all};
use super::hints::put_hints;
use super::import::{put_addresses, put_players};
use super::reconsider::reconsider;
use super::record::{EventRow, put_event};
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::game::{Card, GameId, Side};

impl Store {
    /// Puts `after` in the place of what a game was known by, with the journal's line about it. Mails that went to no game and may be about this
    /// one are undecided then. False, and nothing is written, where something else stands there than `before`.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`]; [`StoreError::NameTaken`] where the new id is or was that of another game.
    pub async fn edit(
        &mut self,
        game: &GameId,
        (before, after): (&Card, &Card),
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let stands = load_all(&mut tx, &[key], Depth::WithoutMoves).await?.pop();
        let stands = stands.map(|stands| stands.stored.game).filter(|game| game.card() == *before);
        let is_as_seen = stands.is_some();
        if let Some(stands) = stands {
            sqlx::query("UPDATE games SET event = ?, site = ?, start_date = ?, notations = ? WHERE id = ?")
                .bind(&after.event)
                .bind(&after.site)
                .bind(after.start_date)
                .bind(json!(after.notations).to_string())
                .bind(key)
                .execute(&mut *tx)
                .await?;
            for sql in ["DELETE FROM addresses WHERE game = ?", "DELETE FROM players WHERE game = ?"] {
                sqlx::query(sql).bind(key).execute(&mut *tx).await?;
            }
            put_players(&mut tx, &[(key, &after.white, &after.black)]).await?;
            if before.id != after.id {
                rename(&mut tx, key, &before.id, &after.id).await?;
            }
            let opponent = match stands.me {
                Side::White => &after.black,
                Side::Black => &after.white,
            };
            put_hints(&mut tx, std::iter::once((key, &after.id, after.event.as_str(), opponent))).await?;
            // no mail is about it more or less for another id alone
            if (Card { id: after.id.clone(), ..before.clone() }) != *after {
                reconsider(&mut tx, &[key]).await?;
            }
            put_event(&mut tx, event, None, now).await?;
            let (before, after) = (Box::new(before.clone()), Box::new(after.clone()));
            acts::put(&mut tx, &Act::Edit { game: game.clone(), before, after, event: event.clone() }, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(is_as_seen)
    }
}

/// Gives a game another id. The one before still leads to it, and what the player was told of it stays told.
async fn rename(db: &mut SqliteConnection, key: i64, before: &GameId, after: &GameId) -> Result<(), StoreError> {
    let other: Option<String> = sqlx::query_scalar(
        "SELECT games.name FROM names JOIN games ON games.id = game WHERE names.name = ? COLLATE NOCASE AND game <> ?",
    )
    .bind(after.as_str())
    .bind(key)
    .fetch_optional(&mut *db)
    .await?;
    if let Some(by) = other {
        return Err(StoreError::NameTaken { id: after.clone(), by: word("games.name", by)? });
    }
    sqlx::query("DELETE FROM former_names WHERE name = ?").bind(after.as_str()).execute(&mut *db).await?;
    sqlx::query("UPDATE games SET name = ? WHERE id = ?").bind(after.as_str()).bind(key).execute(&mut *db).await?;
    sqlx::query("INSERT INTO former_names (name, game) VALUES (?, ?)")
        .bind(before.as_str())
        .bind(key)
        .execute(&mut *db)
        .await?;
    // an id is a whole part of a cause, between slashes
    sqlx::query(
        "UPDATE told SET cause = trim(replace('/' || cause || '/', '/' || ?1 || '/', '/' || ?2 || '/'), '/')
         WHERE instr('/' || cause || '/', '/' || ?1 || '/') > 0",
    )
    .bind(before.as_str())
    .bind(after.as_str())
    .execute(db)
    .await?;
    Ok(())
}

/// Puts an address of the opponent's before his others: letters go to the first.
pub(super) async fn prefer_address(
    db: &mut SqliteConnection,
    key: i64,
    address: Option<&str>,
) -> Result<(), StoreError> {
    let Some(address) = address else { return Ok(()) };
    let Some(mut game) = load_all(db, &[key], Depth::WithoutMoves).await?.pop().map(|game| game.stored.game) else {
        return Ok(());
    };
    if game.opponent_mut().prefer(address) {
        sqlx::query("DELETE FROM addresses WHERE game = ?").bind(key).execute(&mut *db).await?;
        put_addresses(db, &[(key, &game.white, &game.black)]).await?;
    }
    Ok(())
}
