//! How acts are kept: a row each, in the order in which they were done.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::{About, Act, Performed};
use crate::io::store::Store;
use crate::io::store::error::StoreError;
use crate::io::store::rows::{json as json_of, key_of_any};

/// Puts an act on record. Called by the method that does it, before its commit.
pub(in crate::io::store) async fn put(
    db: &mut SqliteConnection,
    act: &Act,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let unwritable = || StoreError::unreadable("acts.body");
    // `{"kind":"import","body":{..}}`: taken apart as text, since an import of thousands of games is a large one
    let whole = serde_json::to_string(act).map_err(|_| unwritable())?;
    let parts = whole
        .strip_prefix(r#"{"kind":""#)
        .and_then(|rest| rest.strip_suffix('}'))
        .and_then(|rest| rest.split_once('"'));
    let (kind, body) = parts.ok_or_else(unwritable)?;
    let body = body.strip_prefix(r#","body":"#).ok_or_else(unwritable)?;
    sqlx::query("INSERT INTO acts (at, kind, body) VALUES (?, ?, ?)")
        .bind(now)
        .bind(kind)
        .bind(body)
        .execute(db)
        .await?;
    Ok(())
}

/// Notes what mails are judged by from now on, unless it is what the last one was judged by.
pub(in crate::io::store) async fn put_settings(
    db: &mut SqliteConnection,
    settings: &Value,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let last: Option<String> =
        sqlx::query_scalar("SELECT body FROM acts WHERE kind = 'settings' ORDER BY id DESC LIMIT 1")
            .fetch_optional(&mut *db)
            .await?;
    let text = settings.to_string();
    if last.as_deref() == Some(text.as_str()) {
        return Ok(());
    }
    put(db, &Act::Settings(settings.clone()), now).await
}

pub(in crate::io::store) async fn load(db: &mut SqliteConnection) -> Result<Vec<Performed>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as("SELECT id, at, kind, body FROM acts ORDER BY id").fetch_all(db).await?;
    rows.into_iter().map(performed).collect()
}

pub(in crate::io::store) type Row = (i64, DateTime<Utc>, String, String);

pub(in crate::io::store) fn performed((id, at, kind, body): Row) -> Result<Performed, StoreError> {
    let body: Value = json_of("acts.body", &body)?;
    let act = serde_json::from_value(json!({"kind": kind, "body": body}));
    Ok(Performed { id, at, act: act.map_err(|_| StoreError::unreadable("acts.body"))? })
}

impl Store {
    /// Every act, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn acts(&mut self) -> Result<Vec<Performed>, StoreError> {
        let mut db = self.checkout().await?;
        let acts = load(&mut db).await?;
        self.checkin(db);
        Ok(acts)
    }

    /// An act by its key.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn act(&mut self, key: i64) -> Result<Option<Act>, StoreError> {
        let mut db = self.checkout().await?;
        let row: Option<Row> = sqlx::query_as("SELECT id, at, kind, body FROM acts WHERE id = ?")
            .bind(key)
            .fetch_optional(&mut db)
            .await?;
        self.checkin(db);
        Ok(row.map(performed).transpose()?.map(|done| done.act))
    }

    /// The verdict that an act is about.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn verdict_about(&mut self, about: &About) -> Result<Option<i64>, StoreError> {
        let mut db = self.checkout().await?;
        let game = key_of_any(&mut db, about.game.as_ref()).await?;
        let verdict = sqlx::query_scalar(
            "SELECT verdicts.id FROM verdicts JOIN mails ON mails.id = verdicts.mail
             WHERE sha256 = unhex(?) AND game IS ? ORDER BY verdicts.id LIMIT 1",
        )
        .bind(&about.mail)
        .bind(game)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(verdict)
    }
}
