//! Putting in whole games: all games of a file, or none.

use std::collections::HashMap;
use std::fmt::Display;

use chrono::{DateTime, NaiveDate, SecondsFormat, TimeZone, Utc};
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::clock::{put_clock_note, put_leave};
use super::error::StoreError;
use super::illegal::put_illegal;
use super::moves::put_conditionals;
use super::outbox::cancel_queued_drafts;
use super::rows::{folded, integer, word};
use super::{Store, open};
use crate::domain::game::{Agreed, Game, GameId, GameResult, MoveRecord, Observed, Side, Stated};
use crate::domain::pgn::Identity;

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
        let (mut known, mut versions) = (known(&mut tx).await?, Vec::new());
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
            let version = sqlx::query_scalar("SELECT version FROM games WHERE id = ?").bind(key);
            versions.push(version.fetch_one(&mut *tx).await?);
            acts::put(&mut tx, &Act::Import { games: vec![entry.clone()], replace }, now).await?;
        }
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
    for side in [Side::White, Side::Black] {
        let player = game.player(side);
        sqlx::query("INSERT INTO players (game, side, name) VALUES (?, ?, ?)")
            .bind(key)
            .bind(side.word())
            .bind(&player.name)
            .execute(&mut *db)
            .await?;
        for (position, address) in player.emails.iter().enumerate() {
            sqlx::query("INSERT INTO addresses (game, side, position, address, folded) VALUES (?, ?, ?, ?, ?)")
                .bind(key)
                .bind(side.word())
                .bind(integer(position))
                .bind(address)
                .bind(folded(address))
                .execute(&mut *db)
                .await?;
        }
    }
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

/// All moves of a game in one statement: a statement each would be most of the time of a large import. What only mails and the
/// player's word give is left to a second statement, which few games need: every column costs a look into the JSON.
async fn put_moves(
    db: &mut SqliteConnection,
    key: i64,
    moves: &[MoveRecord],
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let (claimed, seen): (Vec<Value>, Vec<Value>) = moves.iter().map(columns).unzip();
    sqlx::query(
        "INSERT INTO moves (game, ply, numeric, claimed_received, claimed_sent, claimed_days, claimed_total, recorded_at)
         SELECT ?1, key + 1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?3 FROM json_each(?2)",
    )
    .bind(key)
    .bind(Value::from(claimed).to_string())
    .bind(now)
    .execute(&mut *db)
    .await?;
    if moves.iter().all(|record| record.observed.is_empty() && record.agreed.is_empty()) {
        return Ok(());
    }
    sqlx::query(
        "UPDATE moves SET observed_sent = value ->> 0, observed_arrived = value ->> 1, observed_sent_at = value ->> 2,
                observed_relayed_at = value ->> 3, observed_arrived_at = value ->> 4, agreed_received = value ->> 5,
                agreed_sent = value ->> 6, agreed_days = value ->> 7, agreed_total = value ->> 8, agreed_penalty = value ->> 9
         FROM json_each(?2) WHERE moves.game = ?1 AND moves.ply = json_each.key + 1",
    )
    .bind(key)
    .bind(Value::from(seen).to_string())
    .execute(db)
    .await?;
    Ok(())
}

/// The columns of a move: what its mover states, and what was seen and settled. Every field is named, so that a new one cannot be
/// forgotten here.
fn columns(record: &MoveRecord) -> (Value, Value) {
    let MoveRecord { numeric, claimed, observed, agreed } = *record;
    let Stated { received, sent, days, total } = claimed;
    let Observed { sent: seen, arrived, sent_at, relayed_at, arrived_at } = observed;
    let Agreed { received: settled, sent: settled_sent, days: settled_days, total: settled_total, penalty } = agreed;
    let instants = (sent_at.map(instant), relayed_at.map(instant), arrived_at.map(instant));
    (
        json!([numeric, received, sent, days, total]),
        json!([
            seen,
            arrived,
            instants.0,
            instants.1,
            instants.2,
            settled,
            settled_sent,
            settled_days,
            settled_total,
            penalty
        ]),
    )
}

/// An instant in the form that the database has it in.
fn instant<Z: TimeZone<Offset: Display>>(at: DateTime<Z>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}
