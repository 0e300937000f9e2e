//! What each act made of each game: the games of any earlier moment are the sum of it.
//!
//! Every transaction that writes ends with [`commit`]. It compares the games that were written with the sum of their changes so far, and
//! keeps what is new as an RFC 6902 patch beside the newest act. So no act is interpreted twice: what it did is what it is on record for.
//! What will surprise you: a game that was put in stands in its act, and its change says no more than that; every sixteenth change
//! is the game as a whole, so that no sum is long. What another program wrote meanwhile shows as a version that no change led to: it is a
//! change by itself, so that no act answers for it.

use std::path::Path;

use json_patch::{Patch, diff, patch};
use serde_json::Value;
use sqlx::{Connection, FromRow, Sqlite, SqliteConnection, Transaction};

use super::error::StoreError;
use super::games::{Depth, load_all};
use super::rows::{json, key_of, word};
use super::{Store, open};
use crate::domain::game::{Game, GameId};

/// How many patches lie between a game as a whole and the next one.
const PATCHES: usize = 16;

/// Names the games that a connection writes, with the version that each had before: for the triggers of the connection alone. How a statement
/// treats a conflict goes for what its triggers do too, so that they may cause none.
pub(super) const WATCH: &str = "
    PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE touched (game INTEGER PRIMARY KEY, version INTEGER NOT NULL);
    CREATE TEMP TRIGGER touched_update AFTER UPDATE OF version ON main.games
    BEGIN INSERT INTO touched SELECT new.id, old.version WHERE new.id NOT IN (SELECT game FROM touched); END;
    CREATE TEMP TRIGGER touched_insert AFTER INSERT ON main.games
    BEGIN INSERT INTO touched SELECT new.id, new.version WHERE new.id NOT IN (SELECT game FROM touched); END;";

/// The changes of a game. Whatever it was called meanwhile, its states have the id of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    id: GameId,
    /// Oldest first.
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
struct Row {
    act: i64,
    version: i64,
    outside: bool,
    /// It was put in.
    entered: bool,
    whole: Option<String>,
    patch: Option<String>,
}

/// What one act made of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The act, by its key.
    pub act: i64,
    /// The game before it; `None` where it put it in.
    pub before: Option<Game>,
    /// The game after it.
    pub after: Game,
}

/// The sum of some changes.
struct Sum {
    game: Value,
    version: i64,
    patches: usize,
}

/// Ends a transaction that writes: what it made of each game goes on record.
pub(super) async fn commit(mut tx: Transaction<'_, Sqlite>) -> Result<(), StoreError> {
    note(&mut tx).await?;
    tx.commit().await?;
    Ok(())
}

/// Keeps that games were put in by the newest act, in which they stand.
pub(super) async fn note_imported(db: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO changes (act, game, version)
         SELECT (SELECT max(id) FROM acts), game, games.version FROM touched JOIN games ON games.id = game ORDER BY game",
    )
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM touched").execute(db).await?;
    Ok(())
}

async fn note(db: &mut SqliteConnection) -> Result<(), StoreError> {
    let touched: Vec<(i64, i64)> =
        sqlx::query_as("SELECT game, version FROM touched ORDER BY game").fetch_all(&mut *db).await?;
    if touched.is_empty() {
        return Ok(());
    }
    sqlx::query("DELETE FROM touched").execute(&mut *db).await?;
    let keys: Vec<i64> = touched.iter().map(|(key, _)| *key).collect();
    let games = load_all(db, &keys, Depth::Whole).await?;
    for ((key, version), game) in touched.into_iter().zip(games) {
        let now = value(&game.stored.game)?;
        let Some(mut sum) = rows(db, key, Since::LastWhole).await?.iter().try_fold(None, add)? else { continue };
        if sum.version != version {
            let committed = committed(db, key).await?;
            put(db, key, version, true, &sum, &committed).await?;
            sum.game = committed;
        }
        put(db, key, game.version, false, &sum, &now).await?;
        if cfg!(debug_assertions) {
            let again = rows(db, key, Since::LastWhole).await?.iter().try_fold(None, add)?;
            assert_eq!(again.map(|sum| sum.game), Some(now), "the changes give the game");
        }
    }
    Ok(())
}

/// Keeps how a game stands after one more change, which has the version `version`; nothing where it stands as before.
async fn put(
    db: &mut SqliteConnection,
    key: i64,
    version: i64,
    outside: bool,
    sum: &Sum,
    now: &Value,
) -> Result<(), StoreError> {
    let patch = diff(&sum.game, now);
    let is_whole = sum.patches >= PATCHES && !outside;
    let query = if patch.is_empty() {
        sqlx::query("UPDATE changes SET version = ?2 WHERE id = (SELECT max(id) FROM changes WHERE game = ?1)")
    } else {
        sqlx::query(
            "INSERT INTO changes (act, game, version, outside, whole, patch) SELECT max(id), ?1, ?2, ?3, ?4, ?5 FROM acts",
        )
    };
    query
        .bind(key)
        .bind(version)
        .bind(outside)
        .bind(is_whole.then(|| now.to_string()))
        .bind((!is_whole).then(|| serde_json::json!(patch).to_string()))
        .execute(db)
        .await?;
    Ok(())
}

/// A game as it stood before the transaction of this connection, for whoever reads meanwhile.
async fn committed(db: &mut SqliteConnection, key: i64) -> Result<Value, StoreError> {
    let path: String =
        sqlx::query_scalar("SELECT file FROM pragma_database_list WHERE name = 'main'").fetch_one(db).await?;
    let mut reader = open::connect_to_read(Path::new(&path)).await?;
    let game = load_all(&mut reader, &[key], Depth::Whole).await?.into_iter().next();
    reader.close().await?;
    value(&game.ok_or_else(unreadable)?.stored.game)
}

enum Since {
    Beginning,
    LastWhole,
}

/// The changes of a game. One that is neither whole nor a patch gets the game from the act that put it in.
async fn rows(db: &mut SqliteConnection, key: i64, since: Since) -> Result<Vec<Row>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT act, version, outside, patch, patch IS NULL AND whole IS NULL AS entered,
                iif(patch IS NULL AND whole IS NULL,
                    (SELECT put.value ->> 0 FROM acts, json_each(acts.body, '$.games') AS put
                     WHERE acts.id = act AND put.value ->> '$[0].id' IN (SELECT name FROM names WHERE names.game = changes.game)),
                    whole) AS whole
         FROM changes WHERE game = ?1 AND id >= iif(?2, 0,
             ifnull((SELECT max(id) FROM changes WHERE game = ?1 AND patch IS NULL), 0))
         ORDER BY id",
    )
    .bind(key)
    .bind(matches!(since, Since::Beginning))
    .fetch_all(db)
    .await?)
}

fn value(game: &Game) -> Result<Value, StoreError> {
    serde_json::to_value(game).map_err(|error| StoreError::Unexpected { why: error.to_string() })
}

fn unreadable() -> StoreError {
    StoreError::unreadable("changes.patch")
}

/// What stands after one more change.
fn add(sum: Option<Sum>, row: &Row) -> Result<Option<Sum>, StoreError> {
    Ok(Some(match (&row.whole, &row.patch, sum) {
        (Some(whole), ..) => Sum { game: json("changes.whole", whole)?, version: row.version, patches: 0 },
        (None, Some(text), Some(mut sum)) => {
            let new: Patch = json("changes.patch", text)?;
            patch(&mut sum.game, &new).map_err(|_| unreadable())?;
            Sum { version: row.version, patches: sum.patches + 1, ..sum }
        }
        _ => return Err(unreadable()),
    }))
}

impl Store {
    /// What changed a game since it was put in.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn history(&mut self, game: &GameId) -> Result<History, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let id: String =
            sqlx::query_scalar("SELECT name FROM games WHERE id = ?").bind(key).fetch_one(&mut *tx).await?;
        let rows = rows(&mut tx, key, Since::Beginning).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(History { id: word("games.name", id)?, rows })
    }
}

impl History {
    /// The game as it stood before an act, by its key; `None` where it was not there yet.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn before(&self, act: i64) -> Result<Option<Game>, StoreError> {
        self.after(self.rows.partition_point(|row| row.act < act))
    }

    /// The game as all changes leave it.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn now(&self) -> Result<Option<Game>, StoreError> {
        self.after(self.rows.len())
    }

    /// What each act made of the game, newest first.
    fn steps(&self) -> impl Iterator<Item = Result<Step, StoreError>> {
        self.rows.iter().enumerate().rev().map(|(index, row)| self.step(index, row))
    }

    fn step(&self, index: usize, row: &Row) -> Result<Step, StoreError> {
        let after = self.after(index + 1)?.ok_or_else(unreadable)?;
        Ok(Step { act: row.act, before: self.after(index)?, after })
    }

    /// The newest act that changed the moves, the result, a settlement or an offer of a draw.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn newest_on_record(&self) -> Result<Option<Step>, StoreError> {
        let on_record = |then: &Game| {
            let moves: Vec<_> = then.moves.iter().map(|row| (row.numeric, row.agreed)).collect();
            (moves, then.result, then.draw_offer)
        };
        let is_one =
            |step: &Step| step.before.as_ref().is_none_or(|before| on_record(before) != on_record(&step.after));
        self.steps().find(|step| step.as_ref().map_or(true, is_one)).transpose()
    }

    /// The act by which a ply, counted from 0, came on record last.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn giving(&self, index: usize) -> Result<Option<Step>, StoreError> {
        let act = self.acts_of_plies()?.get(index).copied();
        let row = self.rows.iter().enumerate().rfind(|(_, row)| Some(row.act) == act);
        row.map(|(index, row)| self.step(index, row)).transpose()
    }

    /// For each ply on record by the changes, the act by which it came there last.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn acts_of_plies(&self) -> Result<Vec<i64>, StoreError> {
        let (mut sum, mut acts) = (None, Vec::new());
        for row in &self.rows {
            sum = add(sum, row)?;
            let moves = sum.as_ref().and_then(|sum: &Sum| sum.game.get("moves")?.as_array());
            if row.entered {
                acts.clear();
            }
            acts.resize(moves.map_or(0, Vec::len), row.act);
        }
        Ok(acts)
    }

    /// What another program wrote meanwhile, as RFC 6902 patches.
    pub fn outside(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().filter(|row| row.outside).filter_map(|row| row.patch.as_deref())
    }

    /// The acts that changed the game, oldest first, by their keys.
    pub fn acts(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().map(|row| row.act)
    }

    /// The game after so many changes.
    fn after(&self, changes: usize) -> Result<Option<Game>, StoreError> {
        let rows = self.rows.get(..changes).unwrap_or(&self.rows);
        let whole = rows.iter().rposition(|row| row.whole.is_some()).unwrap_or(0);
        let Some(sum) = rows.iter().skip(whole).try_fold(None, add)? else { return Ok(None) };
        let then: Game = serde_json::from_value(sum.game).map_err(|_| unreadable())?;
        Ok(Some(Game { id: self.id.clone(), ..then }))
    }
}
