//! Mails that were read before the game was there that they are about, or before an address of its opponent was known: they are judged
//! again, as if they had only come now.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::SqliteConnection;

use super::Store;
use super::error::StoreError;
use super::rows::{json, unpacked};
use crate::mail::authentication::Finding;

/// The opponents' mails of no game since the day before the last move of a game (since it began, where it has none), and those that wait since
/// their sender was not known as its opponent; not those of which the player said to which game they belong: `?1` are the keys of the games, as a JSON array.
const OF_NO_GAME: &str = "
    SELECT mails.id FROM json_each(?1) AS wanted JOIN games ON games.id = wanted.value
    JOIN addresses ON addresses.game = games.id AND addresses.side <> games.me
    JOIN mails ON lower(mails.from_address) = lower(addresses.address)
    WHERE games.result IS NULL
      AND ifnull(server_date, taken_at) >= ifnull(date(
          (SELECT ifnull(claimed_sent, ifnull(observed_sent, observed_arrived)) FROM moves WHERE moves.game = games.id ORDER BY ply DESC LIMIT 1),
          '-1 day'), ifnull(start_date, ''))
      AND NOT EXISTS (SELECT 1 FROM verdicts WHERE verdicts.mail = mails.id
                      AND (outcome = 'own' OR NOT (verdicts.game IS NULL
                                            OR (verdicts.game = games.id AND outcome = 'wrong_sender' AND open = 1))))
      AND NOT EXISTS (SELECT 1 FROM events WHERE events.mail = mails.id AND kind = 'assigned')";

/// Takes back what was decided about the mails that may be about these games and went to none. Their messages are asked for again.
pub(super) async fn reconsider(db: &mut SqliteConnection, games: &[i64]) -> Result<(), StoreError> {
    let mails: Vec<i64> =
        sqlx::query_scalar(OF_NO_GAME).bind(Value::from(games).to_string()).fetch_all(&mut *db).await?;
    let mails = Value::from(mails).to_string();
    for sql in [
        "UPDATE mails SET undecided = 1 WHERE id IN (SELECT value FROM json_each(?))",
        "DELETE FROM verdicts WHERE mail IN (SELECT value FROM json_each(?))",
        "UPDATE arrivals SET state = 'open', mail = NULL, attempts = 0
         WHERE state = 'done' AND mail IN (SELECT mails.id FROM json_each(?) JOIN mails ON mails.id = value AND raw IS NULL)",
    ] {
        sqlx::query(sql).bind(&mails).execute(&mut *db).await?;
    }
    Ok(())
}

type UndecidedRow = (Vec<u8>, Option<DateTime<Utc>>, Option<String>);

/// A stored mail that is to be judged again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// Its bytes, as they came.
    pub raw: Vec<u8>,
    /// When our server took it.
    pub server_date: Option<DateTime<Utc>>,
    /// What a check of its signatures found when it came; `None` where none was made.
    pub verified: Option<Vec<Finding>>,
}

impl Store {
    /// What a check of a mail's signatures found when it came; `None` where none was made.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn verified(&mut self, mail: i64) -> Result<Option<Vec<Finding>>, StoreError> {
        let mut db = self.checkout().await?;
        let text: Option<Option<String>> = sqlx::query_scalar(
            "SELECT body ->> '$.verified' FROM acts JOIN mails ON body ->> '$.sha256' = lower(hex(mails.sha256))
             WHERE kind IN ('mail', 'sent-mail') AND mails.id = ? ORDER BY acts.id DESC LIMIT 1",
        )
        .bind(mail)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        text.flatten().map(|text| json("acts.body", &text)).transpose()
    }

    /// The stored mails that are to be judged again, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn undecided(&mut self) -> Result<Vec<Undecided>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<UndecidedRow> = sqlx::query_as(
            "SELECT raw, server_date,
                    (SELECT body ->> '$.verified' FROM acts
                     WHERE kind = 'mail' AND body ->> '$.sha256' = lower(hex(mails.sha256)) ORDER BY id DESC LIMIT 1)
             FROM mails WHERE undecided = 1 AND raw IS NOT NULL
             ORDER BY ifnull(server_date, taken_at), id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let undecided = |(raw, server_date, verified): UndecidedRow| {
            let verified = verified.map(|text| json("acts.body", &text)).transpose()?;
            Ok(Undecided { raw: unpacked("mails.raw", &raw)?, server_date, verified })
        };
        rows.into_iter().map(undecided).collect()
    }
}
