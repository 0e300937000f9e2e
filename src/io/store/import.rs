//! Putting in whole games: all games of a file, or none.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Value, json};
use sqlx::{Connection, QueryBuilder, SqliteConnection};

use super::acts::{self, Act};
use super::clock::{put_clock_note, put_leave};
use super::error::StoreError;
use super::illegal::put_illegal;
use super::moves::put_conditionals;
use super::outbox::cancel_queued_drafts;
use super::rows::{folded, integer, json, word};
use super::{Store, open};
use crate::domain::game::{Agreed, Game, GameId, GameResult, MoveRecord, Observed, Side, Stated};
use crate::domain::pgn::Identity;

/// Moves that one statement puts in. There are as many statements to be kept prepared.
const MOVES_AT_ONCE: usize = 40;

impl Store {
    /// Stores games, each with the root of its mail thread: all of them or none. Gives their versions, in their order.
    ///
    /// With `replace` a stored game takes on the file's state. It keeps its root and its history; its plan is dropped
    /// and drafts that wait to go out are cancelled.
    ///
    /// # Errors
    /// [`StoreError::GameExists`] without `replace`, [`StoreError::SimilarGame`] in any case.
    pub async fn import<'g>(
        &mut self,
        games: impl IntoIterator<Item = &'g (Game, String)>,
        replace: bool,
        now: DateTime<Utc>,
    ) -> Result<Vec<i64>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let (mut known, mut keys) = (known(&mut tx).await?, Vec::new());
        for entry in games {
            let (game, root_message_id) = entry;
            match known.get(&game.id.folded()) {
                Some((id, _)) if *id != game.id => {
                    return Err(StoreError::SimilarGame { id: game.id.clone(), known: id.clone() });
                }
                Some(_) if !replace => return Err(StoreError::GameExists { id: game.id.clone() }),
                Some((_, key)) => clear(&mut tx, *key).await?,
                None => {}
            }
            let key = put_game(&mut tx, game, root_message_id, now).await?;
            put_parts(&mut tx, key, game, now).await?;
            known.insert(game.id.folded(), (game.id.clone(), key));
            keys.push(key);
            acts::put(&mut tx, &Act::Import { games: vec![entry.clone()], replace }, now).await?;
        }
        let versions = versions(&mut tx, keys).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(versions)
    }

    /// The ids of all games, with what else tells one from another.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn identities(&mut self) -> Result<Vec<(GameId, Identity)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, String, Option<NaiveDate>, String, String)> = sqlx::query_as(
            "SELECT games.name, event, start_date, white.name, black.name FROM games
             JOIN players AS white ON white.game = games.id AND white.side = 'white'
             JOIN players AS black ON black.game = games.id AND black.side = 'black' ORDER BY games.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let identity = |(name, event, start, white, black)| {
            Ok((word("games.name", name)?, Identity { event, start, white, black }))
        };
        rows.into_iter().map(identity).collect()
    }
}

/// The games that exist, with their keys, by their folded names.
async fn known(db: &mut SqliteConnection) -> Result<HashMap<String, (GameId, i64)>, StoreError> {
    let rows: Vec<(String, i64)> = sqlx::query_as("SELECT name, id FROM games").fetch_all(db).await?;
    let game = |(name, key)| {
        let id: GameId = word("games.name", name)?;
        Ok((id.folded(), (id, key)))
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
    sqlx::query("INSERT INTO players (game, side, name) VALUES (?1, 'white', ?2), (?1, 'black', ?3)")
        .bind(key)
        .bind(&game.white.name)
        .bind(&game.black.name)
        .execute(&mut *db)
        .await?;
    put_addresses(db, key, game).await?;
    put_moves(db, key, &game.moves, now).await?;
    put_conditionals(db, key, &game.conditionals).await?;
    for (position, leave) in game.leaves.iter().enumerate() {
        put_leave(db, key, position, leave).await?;
    }
    for (position, note) in game.clock_notes.iter().enumerate() {
        put_clock_note(db, key, position, note).await?;
    }
    for illegal in &game.illegal {
        put_illegal(db, key, illegal).await?;
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

async fn put_addresses(db: &mut SqliteConnection, key: i64, game: &Game) -> Result<(), StoreError> {
    let of_side =
        |side| game.player(side).emails.iter().enumerate().map(move |(position, email)| (side, position, email));
    let mut addresses = of_side(Side::White).chain(of_side(Side::Black)).peekable();
    if addresses.peek().is_none() {
        return Ok(());
    }
    let mut insert = QueryBuilder::new("INSERT INTO addresses (game, side, position, address, folded) ");
    insert.push_values(addresses, |mut row, (side, position, address)| {
        row.push_bind(key).push_bind(side.word()).push_bind(integer(position));
        row.push_bind(address).push_bind(folded(address));
    });
    insert.build().execute(db).await?;
    Ok(())
}

/// Puts in the moves, many in one statement: a statement each would be most of the time of a large import. Every field is named, so that
/// a new one cannot be forgotten here.
async fn put_moves(
    db: &mut SqliteConnection,
    key: i64,
    moves: &[MoveRecord],
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    for (chunk, first) in moves.chunks(MOVES_AT_ONCE).zip((1..).step_by(MOVES_AT_ONCE)) {
        let mut insert = QueryBuilder::new(
            "INSERT INTO moves (game, ply, recorded_at, numeric, claimed_received, claimed_sent, claimed_days, claimed_total,
                                observed_sent, observed_arrived, observed_sent_at, observed_relayed_at, observed_arrived_at,
                                agreed_received, agreed_sent, agreed_days, agreed_total, agreed_penalty) ",
        );
        insert.push_values(chunk.iter().zip(first..), |mut row, (record, ply)| {
            let MoveRecord { numeric, claimed, observed, agreed } = *record;
            row.push_bind(key).push_bind(integer(ply)).push_bind(now).push_bind(numeric.to_string());
            let Stated { received, sent, days, total } = claimed;
            row.push_bind(received).push_bind(sent).push_bind(days).push_bind(total);
            let Observed { sent, arrived, sent_at, relayed_at, arrived_at } = observed;
            row.push_bind(sent).push_bind(arrived).push_bind(sent_at).push_bind(relayed_at).push_bind(arrived_at);
            let Agreed { received, sent, days, total, penalty } = agreed;
            row.push_bind(received).push_bind(sent).push_bind(days).push_bind(total).push_bind(penalty);
        });
        insert.build().execute(&mut *db).await?;
    }
    Ok(())
}
