//! Summaries of games, kept so that a list of thousands need not replay them.
//!
//! Text to the store: what stands in it, `domain::summary` knows. A kept summary goes when its game changes, and counts only if the
//! same program made it and if it tells of the day that is asked for; every other game is named as stale, in the same read.

use std::iter;

use chrono::{DateTime, NaiveDate, Utc};
use futures_util::TryStreamExt;
use memchr::memchr;
use serde_json::json;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row};

use super::changes::commit;
use super::error::StoreError;
use super::rows::word;
use super::{Store, open};
use crate::domain::game::GameId;
use crate::domain::summary::Summary;

/// Stands before the name of a game that has no summary to be believed; no summary begins so.
const STALE: u8 = 0x1d;

/// Which games are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Those that are not over.
    Running,
    /// All.
    All,
}

/// What is known of the games asked for beside their summaries.
#[derive(Debug, Default)]
pub struct Kept {
    /// The games without a summary that counts.
    pub stale: Vec<GameId>,
    /// How many games there are, those that were not asked for among them.
    pub games: usize,
}

/// Summaries of some games as they came from the database: text that is not copied once more.
#[derive(Debug)]
pub struct Lines(SqliteRow);

impl Lines {
    /// Each summary that counts.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where it is no text.
    pub fn summaries(&self) -> Result<impl Iterator<Item = &str>, StoreError> {
        Ok(lines(self.text()?).filter(|line| !line.is_empty() && !line.starts_with(char::from(STALE))))
    }

    /// The games without one.
    fn stale(&self) -> Result<impl Iterator<Item = &str>, StoreError> {
        // most texts have none, and are not looked at closely for it
        let text = if memchr(STALE, self.bytes()?).is_some() { self.text()? } else { "" };
        Ok(lines(text).filter_map(|line| line.strip_prefix(char::from(STALE))))
    }

    fn text(&self) -> Result<&str, StoreError> {
        str::from_utf8(self.bytes()?).map_err(|_| StoreError::Unreadable { column: "pages.body".to_owned() })
    }

    /// Summaries, or the names of games without one after [`STALE`]. SQLite would end a text by a zero, and copy it for that.
    fn bytes(&self) -> Result<&[u8], StoreError> {
        Ok(self.0.try_get::<Option<&[u8]>, _>("lines")?.unwrap_or_default())
    }
}

/// The lines of a text, as `split` gives them but quicker: there are megabytes of them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let end = memchr(Summary::LINE, text.as_bytes());
        rest = end.and_then(|end| text.get(end + 1..));
        text.get(..end.unwrap_or(text.len()))
    })
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

/// A line of the journal about a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimLine {
    /// In which game.
    pub game: GameId,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// What it says, as the kind of its line has it.
    pub news: String,
}

impl Store {
    /// The summaries of the games asked for that were made by `made_by` and tell of `day`, handed over as soon as they are read: reading
    /// goes on while something is done with them.
    ///
    /// # Errors
    /// Those of reading the database, and of `take`.
    pub async fn summaries(
        &mut self,
        made_by: &str,
        day: NaiveDate,
        asked: Asked,
        mut take: impl FnMut(Lines) -> Result<(), StoreError>,
    ) -> Result<Kept, StoreError> {
        let mut db = self.checkout().await?;
        let mut kept = Kept::default();
        // so many games a row that a text is short enough for its memory to be used again, and the rows few enough to cost nothing
        let mut rows = sqlx::query(
            "WITH RECURSIVE part (page) AS (
                 SELECT 0 UNION ALL SELECT page + 1 FROM part WHERE page < (SELECT max(id) FROM games) / 256
             )
             SELECT CAST(coalesce(
                        (SELECT body FROM pages WHERE number = page AND until_day >= ?3 AND NOT ?4
                         AND (SELECT summed_up_by = ?2 FROM installation)),
                        (SELECT group_concat(CASE WHEN until_day >= ?3 AND (SELECT summed_up_by = ?2 FROM installation) THEN body
                                                  ELSE ?5 || (SELECT name FROM games WHERE id = game) END, ?1)
                         FROM summaries WHERE over IN (0, ?4) AND game >= page * 256 AND game < (page + 1) * 256)) AS BLOB) AS lines,
                    (SELECT count(*) FROM games) AS games
             FROM part",
        )
        .bind(char::from(Summary::LINE).to_string())
        .bind(made_by)
        .bind(day)
        .bind(asked == Asked::All)
        .bind(char::from(STALE).to_string())
        .fetch(&mut db);
        while let Some(row) = rows.try_next().await? {
            let games: i64 = row.try_get("games")?;
            kept.games = usize::try_from(games).unwrap_or_default();
            let lines = Lines(row);
            for name in lines.stale()? {
                kept.stale.push(word("games.name", name.to_owned())?);
            }
            take(lines)?;
        }
        drop(rows);
        self.checkin(db);
        Ok(kept)
    }

    /// Keeps summaries in place of older ones, but none of a game that has changed since. All that others made count no more.
    ///
    /// # Errors
    /// Those of writing the database; then none of them is kept.
    pub async fn keep_summaries(&mut self, made_by: &str, summaries: &[NewSummary]) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let taken_over = sqlx::query("UPDATE installation SET summed_up_by = ?1 WHERE summed_up_by <> ?1");
        if taken_over.bind(made_by).execute(&mut *tx).await?.rows_affected() > 0 {
            sqlx::query("UPDATE summaries SET until_day = NULL, body = NULL").execute(&mut *tx).await?;
        }
        let rows: Vec<_> = summaries.iter().map(|new| (new.game.as_str(), new.version, new.until, &new.body)).collect();
        let rows = json!(rows).to_string();
        sqlx::query(
            "INSERT OR REPLACE INTO summaries (over, game, until_day, body)
             SELECT games.result IS NOT NULL, games.id, value ->> 2, value ->> 3 FROM json_each(?) CROSS JOIN games
             ON games.name = value ->> 0 AND games.version = value ->> 1",
        )
        .bind(&rows)
        .execute(&mut *tx)
        .await?;
        // of games that are not all summed up there is no page
        sqlx::query(
            "INSERT INTO pages (number, until_day, body)
             SELECT page, min(until_day), group_concat(body, ?2)
             FROM (SELECT DISTINCT games.id / 256 AS page FROM json_each(?1) CROSS JOIN games ON games.name = value ->> 0)
             CROSS JOIN summaries ON over = 0 AND game >= page * 256 AND game < (page + 1) * 256
             WHERE page NOT IN (SELECT number FROM pages) GROUP BY page HAVING count(*) = count(body)",
        )
        .bind(&rows)
        .bind(char::from(Summary::LINE).to_string())
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// What the journals of the running games say of claims since their last moves were put on record, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn claims(&mut self) -> Result<Vec<ClaimLine>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, DateTime<Utc>, String)> = sqlx::query_as(
            "SELECT games.name, events.at, events.kind FROM events CROSS JOIN games ON games.id = events.game
             WHERE events.kind LIKE 'claim %' AND games.result IS NULL
               AND substr(events.at, 1, 19) >= ifnull((SELECT substr(recorded_at, 1, 19) FROM moves WHERE game = games.id ORDER BY ply DESC LIMIT 1), '')
             ORDER BY events.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(name, at, news)| Ok(ClaimLine { game: word("games.name", name)?, at, news })).collect()
    }

    /// The moves of these games, each by its place in the record counted from 0, whose mails stated something else than the record had.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn differing(&mut self, games: &[GameId]) -> Result<Vec<(GameId, usize)>, StoreError> {
        let mut db = self.checkout().await?;
        // CROSS JOIN keeps SQLite from asking every game where few verdicts differ
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT games.name, max(moves.ply) FROM verdicts CROSS JOIN games ON games.id = verdicts.game
             CROSS JOIN moves ON moves.game = verdicts.game AND moves.mail = verdicts.mail
             WHERE verdicts.discrepancies <> '[]' AND games.name IN (SELECT value FROM json_each(?))
             GROUP BY verdicts.id ORDER BY games.id, moves.ply",
        )
        .bind(json!(games).to_string())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let place = |ply: i64| usize::try_from(ply - 1).unwrap_or_default();
        rows.into_iter().map(|(name, ply)| Ok((word("games.name", name)?, place(ply)))).collect()
    }
}
