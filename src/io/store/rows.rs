//! Values of the domain as the text of a column, and back.

use std::io::Read;

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::de::DeserializeOwned;
use sqlx::SqliteConnection;

use super::error::StoreError;
use crate::domain::game::GameId;

/// A stored word, as a value that reads itself from one: a side, a move, a game's name.
pub(super) fn word<T: DeserializeOwned>(column: &str, text: String) -> Result<T, StoreError> {
    serde_json::from_value(serde_json::Value::String(text)).map_err(|_| StoreError::unreadable(column))
}

/// A stored JSON text.
pub(super) fn json<T: DeserializeOwned>(column: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::unreadable(column))
}

/// A count as a column holds it.
pub(super) fn integer(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Bytes as they are kept.
pub(super) fn packed(raw: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    ZlibEncoder::new(raw, Compression::default())
        .read_to_end(&mut out)
        .map_err(|_| StoreError::unreadable("mails.raw"))?;
    Ok(out)
}

/// Kept bytes as they came.
pub(super) fn unpacked(column: &str, kept: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    ZlibDecoder::new(kept).read_to_end(&mut out).map_err(|_| StoreError::unreadable(column))?;
    Ok(out)
}

/// The key of a game, by the id that it has or had.
pub(super) async fn key_of(db: &mut SqliteConnection, game: &GameId) -> Result<i64, StoreError> {
    sqlx::query_scalar("SELECT game FROM names WHERE name = ?")
        .bind(game.as_str())
        .fetch_optional(db)
        .await?
        .ok_or_else(|| StoreError::NoSuchGame { id: game.clone() })
}

/// The key of a game that a row may do without.
pub(super) async fn key_of_any(db: &mut SqliteConnection, game: Option<&GameId>) -> Result<Option<i64>, StoreError> {
    match game {
        Some(game) => key_of(db, game).await.map(Some),
        None => Ok(None),
    }
}
