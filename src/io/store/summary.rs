//! Summaries of games, kept so that a list of thousands need not replay them.
//!
//! Text to the store: what stands in it, `domain::summary` knows. A kept summary counts only if the game has not changed since, if the
//! same program made it, and if it tells of the day that is asked for; every other game is named as stale, in the same read.

use chrono::NaiveDate;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row};

use super::error::StoreError;
use super::rows::json;
use super::{Store, open};
use crate::domain::game::GameId;
use crate::domain::summary::Summary;

/// Which games are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Those that are not over.
    Running,
    /// All.
    All,
}

/// What is kept of the games asked for.
#[derive(Debug)]
pub struct Kept {
    /// The summaries that count.
    pub lines: Lines,
    /// The games without one.
    pub stale: Vec<GameId>,
    /// The finished games that were not asked for.
    pub left_out: u32,
}

/// Summaries as they came from the database: a text of megabytes that is not copied once more.
#[derive(Debug)]
pub struct Lines(SqliteRow);

impl Lines {
    /// The summaries with [`Summary::LINE`] between them, in the order in which the games were imported.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where it is no text.
    pub fn text(&self) -> Result<&str, StoreError> {
        Ok(self.0.try_get::<Option<&str>, _>("lines")?.unwrap_or_default())
    }
}

/// A summary to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSummary {
    /// Of which game.
    pub game: GameId,
    /// The game's version that it was made from.
    pub version: i64,
    /// The last day that it tells of.
    pub until: NaiveDate,
    /// Its line.
    pub body: String,
}

impl Store {
    /// The summaries of the games asked for that were made by `made_by` and tell of `day`.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn summaries(&mut self, made_by: &str, day: NaiveDate, asked: Asked) -> Result<Kept, StoreError> {
        let mut db = self.checkout().await?;
        // the key of a game not asked for is NULL, so its summary is not even sought
        let row = sqlx::query(
            "SELECT group_concat(body, ?1) AS lines,
                    json_group_array(name) FILTER (WHERE key IS NOT NULL AND body IS NULL) AS stale,
                    count(*) FILTER (WHERE key IS NULL) AS left_out
             FROM (SELECT asked.name, asked.key, summaries.body
                   FROM (SELECT id, name, version, CASE WHEN ?4 OR result IS NULL THEN id END AS key FROM games) AS asked
                        LEFT JOIN summaries ON summaries.game = asked.key AND summaries.version = asked.version
                        AND summaries.made_by = ?2 AND summaries.until_day >= ?3
                   ORDER BY asked.id)",
        )
        .bind(Summary::LINE.to_string())
        .bind(made_by)
        .bind(day)
        .bind(asked == Asked::All)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        let (stale, left_out) = (json("games.name", row.try_get("stale")?)?, row.try_get("left_out")?);
        Ok(Kept { lines: Lines(row), stale, left_out })
    }

    /// Keeps summaries in place of older ones.
    ///
    /// # Errors
    /// Those of writing the database; then none of them is kept.
    pub async fn keep_summaries(&mut self, made_by: &str, summaries: &[NewSummary]) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for summary in summaries {
            sqlx::query(
                "INSERT OR REPLACE INTO summaries (game, version, made_by, until_day, body)
                 SELECT id, ?, ?, ?, ? FROM games WHERE name = ?",
            )
            .bind(summary.version)
            .bind(made_by)
            .bind(summary.until)
            .bind(&summary.body)
            .bind(summary.game.as_str())
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }

    /// The games whose last move came with statements that differ from the record.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn disputed(&mut self) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.checkout().await?;
        // CROSS JOIN keeps SQLite from asking every game for its last mail where few verdicts differ
        let names: String = sqlx::query_scalar(
            "SELECT json_group_array(DISTINCT games.name)
             FROM verdicts CROSS JOIN games ON games.id = verdicts.game
             WHERE verdicts.discrepancies <> '[]' AND games.result IS NULL
               AND verdicts.mail = (SELECT mail FROM moves WHERE game = games.id ORDER BY ply DESC LIMIT 1)",
        )
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        json("games.name", &names)
    }
}
