//! Putting in whole games: all games of a file, or none.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, FixedOffset, NaiveDate, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use super::acts::{self, Act};
use super::care::{put_clock_note, put_leave};
use super::changes::commit;
use super::changes::note_imported;
use super::error::StoreError;
use super::hints::put_hints;
use super::illegal::put_illegal;
use super::moves::put_conditionals;
use super::notes::put_notes;
use super::outbox::cancel_queued_drafts;
use super::reconsider::reconsider;
use super::rows::{json, word};
use super::{Store, open};
use crate::domain::game::{Agreed, Game, GameId, GameResult, MoveRecord, Observed, Player, PrivateNote, Side, Stated};
use crate::domain::pgn::Identity;

/// Games that are put in at once, by one statement for each table: a statement for each game would be most of the time of a large import.
const GAMES_AT_ONCE: usize = 100;

/// What an import put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The versions of the games, in their order.
    pub versions: Vec<i64>,
    /// How many of the notes are new.
    pub notes: usize,
}

impl Store {
    /// Stores games, each with the root of its mail thread: all of them or none.
    ///
    /// With `replace` a stored game takes on the file's state. It keeps its root and its history; its plan is dropped
    /// and drafts that wait to go out are cancelled.
    ///
    /// # Errors
    /// [`StoreError::GameExists`] without `replace` or of a game given twice; [`StoreError::SimilarGame`] and [`StoreError::NameTaken`] in any
    /// case.
    pub async fn import<'g>(
        &mut self,
        games: impl IntoIterator<Item = &'g (Game, String)>,
        replace: bool,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.import_annotated(games, &[], replace, now).await.map(drop)
    }

    /// The same with private notes, on these games or on others: all of it or nothing.
    ///
    /// # Errors
    /// Those of [`Store::import`], and [`StoreError::NoSuchGame`] for a note.
    pub async fn import_annotated<'g>(
        &mut self,
        games: impl IntoIterator<Item = &'g (Game, String)>,
        notes: &[(GameId, PrivateNote)],
        replace: bool,
        now: DateTime<Utc>,
    ) -> Result<Imported, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let trigger = take_trigger(&mut tx).await?;
        let (mut known, mut keys) = (known(&mut tx).await?, Vec::new());
        let mut games = games.into_iter();
        loop {
            let chunk: Vec<(Game, String)> = games.by_ref().take(GAMES_AT_ONCE).cloned().collect();
            if chunk.is_empty() {
                break;
            }
            for (game, _) in &chunk {
                match known.insert(game.id.folded(), (game.id.clone(), None)) {
                    Some((by, _)) if by.folded() != game.id.folded() => {
                        return Err(StoreError::NameTaken { id: game.id.clone(), by });
                    }
                    Some((known, _)) if known != game.id => {
                        return Err(StoreError::SimilarGame { id: game.id.clone(), known });
                    }
                    Some((_, Some(key))) if replace => clear(&mut tx, key).await?,
                    Some(_) => return Err(StoreError::GameExists { id: game.id.clone() }),
                    None => {}
                }
            }
            let new = put_games(&mut tx, &chunk, now).await?;
            keys.extend(new.iter().map(|(key, _)| *key));
            put_parts(&mut tx, &new, now).await?;
            acts::put(&mut tx, &Act::Import { games: chunk, replace }, now).await?;
            note_imported(&mut tx).await?;
        }
        let notes = put_notes(&mut tx, notes, now).await?;
        sqlx::query(AssertSqlSafe(trigger)).execute(&mut *tx).await?;
        reconsider(&mut tx, &keys).await?;
        let versions = versions(&mut tx, keys).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(Imported { versions, notes })
    }

    /// Those of these games that have moves by mails, each with their number.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn moves_by_mail(&mut self, games: &[GameId]) -> Result<Vec<(GameId, i64)>, StoreError> {
        let names: Vec<&str> = games.iter().map(GameId::as_str).collect();
        let mut db = self.checkout().await?;
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT games.name, count(*) FROM json_each(?1) JOIN games ON games.name = value
             JOIN moves ON moves.game = games.id AND moves.mail IS NOT NULL GROUP BY games.id ORDER BY games.id",
        )
        .bind(json!(names).to_string())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(name, moves)| Ok((word("games.name", name)?, moves))).collect()
    }

    /// The ids that all games have or had, with what else tells one game from another.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn identities(&mut self) -> Result<Vec<(GameId, Identity)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, String, Option<NaiveDate>, String, String)> = sqlx::query_as(
            "SELECT names.name, event, start_date, white.name, black.name FROM names JOIN games ON games.id = names.game
             JOIN players AS white ON white.game = games.id AND white.side = 'white'
             JOIN players AS black ON black.game = games.id AND black.side = 'black' ORDER BY games.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let identity = |(name, event, start, white, black)| {
            Ok((word("names.name", name)?, Identity { event, start, white, black }))
        };
        rows.into_iter().map(identity).collect()
    }
}

/// The games that exist, with their keys, by the ids that they have or had, folded.
async fn known(db: &mut SqliteConnection) -> Result<HashMap<String, (GameId, Option<i64>)>, StoreError> {
    let rows: Vec<(String, String, i64)> =
        sqlx::query_as("SELECT names.name, games.name, games.id FROM names JOIN games ON games.id = game")
            .fetch_all(db)
            .await?;
    let game = |(name, now, key)| {
        let name: GameId = word("names.name", name)?;
        Ok((name.folded(), (word("games.name", now)?, Some(key))))
    };
    rows.into_iter().map(game).collect()
}

/// The versions of games, in the order of their keys.
async fn versions(db: &mut SqliteConnection, keys: Vec<i64>) -> Result<Vec<i64>, StoreError> {
    let versions: String = sqlx::query_scalar(
        "SELECT json_group_array(version)
         FROM (SELECT version FROM json_each(?) CROSS JOIN games ON games.id = value ORDER BY key)",
    )
    .bind(Value::from(keys).to_string())
    .fetch_one(db)
    .await?;
    json("games.version", &versions)
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
        "DELETE FROM illegal_moves WHERE game = ?",
        "DELETE FROM seen_message_ids WHERE game = ?",
        "DELETE FROM plans WHERE game = ?",
        "UPDATE sent SET open = 0 WHERE game = ?",
        "UPDATE bounces SET open = 0 WHERE game = ?",
    ] {
        sqlx::query(sql).bind(key).execute(&mut *db).await?;
    }
    Ok(())
}

/// Takes away the trigger by which every move raises the version of its game, and gives the statement that makes it again: an import
/// raises the version with the players, whom it always puts in, and once is enough.
async fn take_trigger(db: &mut SqliteConnection) -> Result<String, StoreError> {
    let statement = sqlx::query_scalar("SELECT sql FROM sqlite_master WHERE name = 'moves_version_insert'");
    let statement = statement.fetch_one(&mut *db).await?;
    sqlx::query("DROP TRIGGER moves_version_insert").execute(db).await?;
    Ok(statement)
}

/// Puts in rows, a JSON array or object that the statement reads from `json_each(?1)`; `?2` is now.
pub(super) async fn put_rows(
    db: &mut SqliteConnection,
    statement: &'static str,
    rows: &impl Serialize,
    now: impl Into<Option<DateTime<Utc>>>,
) -> Result<(), StoreError> {
    let rows = serde_json::to_string(rows).map_err(|error| StoreError::Unexpected { why: error.to_string() })?;
    sqlx::query(statement).bind(rows).bind(now.into()).execute(db).await?;
    Ok(())
}

/// Puts in games without their parts, and gives them with their keys.
async fn put_games<'g>(
    db: &mut SqliteConnection,
    games: &'g [(Game, String)],
    now: DateTime<Utc>,
) -> Result<Vec<(i64, &'g Game)>, StoreError> {
    let row = |(game, root): &'g (Game, String)| {
        let (rules, notations) = (json!(game.rules).to_string(), json!(game.notations).to_string());
        let (draw_offer, result) = (game.draw_offer.map(Side::word), game.result.map(GameResult::word));
        let (name, me, last) = (game.id.as_str(), game.me.word(), &game.last_message_id);
        (
            name,
            &game.event,
            &game.site,
            json!(game.tags).to_string(),
            me,
            game.start_date,
            &game.start_fen,
            rules,
            notations,
            draw_offer,
            result,
            last,
            root,
        )
    };
    put_rows(
        db,
        "INSERT INTO games (name, event, site, tags, me, start_date, start_fen, rules, notations, draw_offer, result,
                            last_message_id, root_message_id, created_at)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
                value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, ?2
         FROM json_each(?1) WHERE true ORDER BY key
         ON CONFLICT (name) DO UPDATE SET event = excluded.event, site = excluded.site, tags = excluded.tags, me = excluded.me,
             start_date = excluded.start_date, start_fen = excluded.start_fen, rules = excluded.rules,
             notations = excluded.notations, draw_offer = excluded.draw_offer, result = excluded.result,
             last_message_id = excluded.last_message_id",
        &games.iter().map(row).collect::<Vec<_>>(),
        now,
    )
    .await?;
    let names: Vec<&str> = games.iter().map(|(game, _)| game.id.as_str()).collect();
    let keys: String = sqlx::query_scalar(
        "SELECT json_group_array(id) FROM (SELECT games.id FROM json_each(?) CROSS JOIN games ON games.name = value ORDER BY key)",
    )
    .bind(json!(names).to_string())
    .fetch_one(db)
    .await?;
    let keys: Vec<i64> = json("games.id", &keys)?;
    Ok(keys.into_iter().zip(games.iter().map(|(game, _)| game)).collect())
}

/// Puts in the players of games with their addresses: of each game White, and Black.
pub(super) async fn put_players(
    db: &mut SqliteConnection,
    games: &[(i64, &Player, &Player)],
) -> Result<(), StoreError> {
    let named = games
        .iter()
        .flat_map(|(key, white, black)| of_sides(white, black).map(|(side, player)| (key, side, &player.name)));
    put_rows(
        db,
        "INSERT INTO players (game, side, name) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)",
        &named.collect::<Vec<_>>(),
        None,
    )
    .await?;
    put_addresses(db, games).await
}

/// Puts in their addresses alone.
pub(super) async fn put_addresses(
    db: &mut SqliteConnection,
    games: &[(i64, &Player, &Player)],
) -> Result<(), StoreError> {
    let mut addresses = Vec::new();
    for (key, white, black) in games {
        for (side, Player { emails, .. }) in of_sides(white, black) {
            let of_one = emails.iter().enumerate();
            addresses.extend(of_one.map(|(position, address)| (key, side, position, address)));
        }
    }
    put_rows(
        db,
        "INSERT INTO addresses (game, side, position, address)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1)",
        &addresses,
        None,
    )
    .await
}

fn of_sides<'p>(white: &'p Player, black: &'p Player) -> [(&'static str, &'p Player); 2] {
    [(Side::White.word(), white), (Side::Black.word(), black)]
}

async fn put_parts(db: &mut SqliteConnection, games: &[(i64, &Game)], now: DateTime<Utc>) -> Result<(), StoreError> {
    let players: Vec<_> = games.iter().map(|(key, game)| (*key, &game.white, &game.black)).collect();
    put_players(db, &players).await?;
    put_hints(db, games.iter().map(|(key, game)| (*key, &game.id, game.event.as_str(), game.opponent()))).await?;
    let mut seen = Vec::new();
    for (key, game) in games {
        seen.extend(game.seen_message_ids.iter().enumerate().map(|(position, id)| (key, position, id)));
    }
    put_rows(
        db,
        "INSERT INTO seen_message_ids (game, position, message_id)
         SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)",
        &seen,
        now,
    )
    .await?;
    put_moves(db, games, now).await?;
    for (key, game) in games {
        put_conditionals(db, *key, &game.conditionals).await?;
        for (position, leave) in game.leaves.iter().enumerate() {
            put_leave(db, *key, position, leave).await?;
        }
        for (position, note) in game.clock_notes.iter().enumerate() {
            put_clock_note(db, *key, position, note).await?;
        }
        for illegal in &game.illegal {
            put_illegal(db, *key, illegal).await?;
        }
    }
    Ok(())
}

/// Puts in the moves, those apart that are numbers and nothing else: they are most of a large file, and each column takes its time.
async fn put_moves(db: &mut SqliteConnection, games: &[(i64, &Game)], now: DateTime<Utc>) -> Result<(), StoreError> {
    let is_bare = |record: &MoveRecord| *record == MoveRecord::claimed(record.numeric, Stated::default());
    let (mut bare, mut dated) = (BTreeMap::new(), BTreeMap::new());
    for (key, game) in games {
        if game.moves.iter().all(is_bare) {
            bare.insert(key, game.moves.iter().map(|record| record.numeric).collect::<Vec<_>>());
        } else {
            dated.insert(key, game.moves.iter().map(columns).collect::<Vec<_>>());
        }
    }
    put_rows(
        db,
        "INSERT INTO moves (game, ply, recorded_at, numeric) SELECT games.key, moves.key + 1, ?2, moves.value
         FROM json_each(?1) AS games, json_each(games.value) AS moves",
        &bare,
        now,
    )
    .await?;
    put_rows(
        db,
        // MATERIALIZED: SQLite would write out the value anew for every column
        "WITH given AS MATERIALIZED (
             SELECT games.key AS game, moves.key + 1 AS ply, moves.value AS fields
             FROM json_each(?1) AS games, json_each(games.value) AS moves
         )
         INSERT INTO moves (game, ply, recorded_at, numeric, claimed_received, claimed_sent, claimed_days, claimed_total,
                            observed_sent, observed_arrived, observed_sent_at, observed_relayed_at, observed_arrived_at,
                            agreed_received, agreed_sent, agreed_days, agreed_total, agreed_penalty)
         SELECT game, ply, ?2, fields ->> 0, fields ->> 1, fields ->> 2, fields ->> 3, fields ->> 4, fields ->> 5, fields ->> 6,
                fields ->> 7, fields ->> 8, fields ->> 9, fields ->> 10, fields ->> 11, fields ->> 12, fields ->> 13,
                fields ->> 14
         FROM given",
        &dated,
        now,
    )
    .await
}

/// A move as a row. Every field is named, so that a new one cannot be forgotten here.
fn columns(record: &MoveRecord) -> impl Serialize + use<> {
    let MoveRecord {
        numeric,
        claimed: Stated { received, sent, days, total },
        observed: Observed { sent: seen_sent, arrived, sent_at, relayed_at, arrived_at },
        agreed: Agreed { received: agreed_received, sent: agreed_sent, days: agreed_days, total: agreed_total, penalty },
    } = *record;
    let text = |at: DateTime<FixedOffset>| at.to_rfc3339_opts(SecondsFormat::AutoSi, false);
    let (sent_at, relayed_at, arrived_at) = (sent_at.map(text), relayed_at.map(text), arrived_at.map(text));
    #[rustfmt::skip]
    let columns = (
        numeric, received, sent, days, total,
        seen_sent, arrived, sent_at, relayed_at, arrived_at,
        agreed_received, agreed_sent, agreed_days, agreed_total, penalty,
    );
    columns
}
