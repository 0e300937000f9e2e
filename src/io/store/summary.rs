//! Summaries of games, kept so that a list of thousands need not replay them.
//!
//! Text to the store: what stands in it, `domain::summary` knows. A kept summary counts only if the game has not changed since, if the
//! same program made it, and if it tells of the day that is asked for; every other game is named as stale, in the same read.

use chrono::NaiveDate;
use serde_json::json;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row};

use super::error::StoreError;
use super::rows::{json, word};
use super::{Store, open};
use crate::domain::game::GameId;
use crate::domain::summary::Summary;
use crate::parts::in_parts;

/// Games whose summaries are read in one row.
const GAMES_A_ROW: usize = 256;
/// Rows that are worth a thread.
const ROWS_A_THREAD: usize = 4;
/// Stands before the name of a game that has no summary to be believed; no summary begins so.
const STALE: char = '\u{1d}';

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
    /// How many games there are, those that were not asked for among them.
    pub games: usize,
}

/// Summaries as they came from the database: megabytes of text that are not copied once more.
#[derive(Debug, Default)]
pub struct Lines {
    rows: Vec<SqliteRow>,
}

impl Lines {
    /// What is made of the summaries, in no order; of a long list by several threads, each with a part.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where it is no text, and those of `make`.
    pub fn parts<'a, T: Send>(
        &'a self,
        make: impl Fn(&mut dyn Iterator<Item = Result<&'a str, StoreError>>) -> Result<T, StoreError> + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let made = in_parts(&self.rows, ROWS_A_THREAD, |rows| {
            let lines = rows.iter().flat_map(|row| {
                let (text, error) = text(row).map_or_else(|error| ("", Some(Err(error))), |text| (text, None));
                let summaries = text.split(Summary::LINE).filter(|line| !line.is_empty() && !line.starts_with(STALE));
                summaries.map(Ok).chain(error)
            });
            make(&mut { lines })
        });
        made.into_iter().collect()
    }
}

/// The lines of a row: summaries, or the names of games without one behind [`STALE`].
fn text(row: &SqliteRow) -> Result<&str, StoreError> {
    Ok(row.try_get::<Option<&str>, _>("lines")?.unwrap_or_default())
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
        // so many games a row that a text is short enough for its memory to be used again, and the rows few enough to cost nothing
        let rows = sqlx::query(
            "WITH RECURSIVE part (first) AS (
                 SELECT 1 UNION ALL SELECT first + ?5 FROM part WHERE first + ?5 <= (SELECT max(id) FROM games)
             )
             SELECT (SELECT group_concat(ifnull(body, ?6 || name), ?1)
                     FROM games LEFT JOIN summaries ON summaries.game = games.id AND summaries.version = games.version
                          AND summaries.made_by = ?2 AND summaries.until_day >= ?3
                     WHERE games.id >= first AND games.id < first + ?5 AND (?4 OR result IS NULL)) AS lines,
                    (SELECT count(*) FROM games) AS games
             FROM part",
        )
        .bind(Summary::LINE.to_string())
        .bind(made_by)
        .bind(day)
        .bind(asked == Asked::All)
        .bind(i64::try_from(GAMES_A_ROW).unwrap_or(i64::MAX))
        .bind(STALE.to_string())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let mut stale = Vec::new();
        for row in &rows {
            let text = text(row)?;
            // most rows have none, and are not cut here
            if text.contains(STALE) {
                for name in text.split(Summary::LINE).filter_map(|line| line.strip_prefix(STALE)) {
                    stale.push(word("games.name", name.to_owned())?);
                }
            }
        }
        let games: i64 = rows.first().map_or(Ok(0), |row| row.try_get("games"))?;
        Ok(Kept { lines: Lines { rows }, stale, games: usize::try_from(games).unwrap_or_default() })
    }

    /// Keeps summaries in place of older ones.
    ///
    /// # Errors
    /// Those of writing the database; then none of them is kept.
    pub async fn keep_summaries(&mut self, made_by: &str, summaries: &[NewSummary]) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let rows: Vec<_> = summaries.iter().map(|new| (new.game.as_str(), new.version, new.until, &new.body)).collect();
        sqlx::query(
            "INSERT OR REPLACE INTO summaries (game, version, made_by, until_day, body)
             SELECT games.id, value ->> 1, ?2, value ->> 2, value ->> 3 FROM json_each(?1) CROSS JOIN games
             ON games.name = value ->> 0",
        )
        .bind(json!(rows).to_string())
        .bind(made_by)
        .execute(&mut *tx)
        .await?;
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
