//! Games as they stand: loading and closing. Positions and clocks are not stored; the domain computes them.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::acts::{self, Act, LetterRef};
use super::error::StoreError;
use super::outbox::{Outgoing, cancel_queued_drafts, enqueue};
use super::rows::{folded, json, key_of, word};
use super::{Store, open};
use crate::domain::game::{
    Agreed, ClockNote, Game, GameId, GameResult, Leave, MoveRecord, Observed, Plan, Player, Side, Stated,
};

/// A game with what only its mails need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The game, its plan included.
    pub game: Game,
    /// The head of the game's mail thread, with its angle brackets; it never changes.
    pub root_message_id: String,
}

#[derive(FromRow)]
struct GameRow {
    name: String,
    event: String,
    site: String,
    me: String,
    start_date: Option<NaiveDate>,
    start_fen: Option<String>,
    rules: String,
    notations: String,
    draw_offer: Option<String>,
    result: Option<String>,
    last_message_id: Option<String>,
    root_message_id: String,
}

#[derive(FromRow)]
struct MoveRow {
    numeric: String,
    claimed_received: Option<NaiveDate>,
    claimed_sent: Option<NaiveDate>,
    claimed_days: Option<u32>,
    claimed_total: Option<u32>,
    observed_sent: Option<NaiveDate>,
    observed_arrived: Option<NaiveDate>,
    agreed_received: Option<NaiveDate>,
    agreed_sent: Option<NaiveDate>,
    observed_sent_at: Option<DateTime<FixedOffset>>,
    observed_relayed_at: Option<DateTime<FixedOffset>>,
    observed_arrived_at: Option<DateTime<Utc>>,
    agreed_days: Option<u32>,
    agreed_total: Option<u32>,
    agreed_penalty: Option<u32>,
}

#[derive(FromRow)]
struct PlanRow {
    numeric: String,
    received: Option<NaiveDate>,
    sent: Option<NaiveDate>,
    days: Option<u32>,
    total: Option<u32>,
    draw_offer: bool,
    message_id: String,
}

impl Store {
    /// All games, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games(&mut self) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> = sqlx::query_scalar("SELECT id FROM games ORDER BY id").fetch_all(&mut *tx).await?;
        let games = load_all(&mut tx, keys).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(games)
    }

    /// One game, if it exists.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn game(&mut self, id: &GameId) -> Result<Option<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> =
            sqlx::query_scalar("SELECT id FROM games WHERE name = ?").bind(id.as_str()).fetch_all(&mut *tx).await?;
        let games = load_all(&mut tx, keys).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(games.into_iter().next())
    }

    /// The running games whose opponent has this address.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn running_with(&mut self, address: &str) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> = sqlx::query_scalar(
            "SELECT DISTINCT games.id FROM games JOIN addresses ON addresses.game = games.id
             WHERE addresses.folded = ? AND addresses.side <> games.me AND games.result IS NULL ORDER BY games.id",
        )
        .bind(folded(address))
        .fetch_all(&mut *tx)
        .await?;
        let games = load_all(&mut tx, keys).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(games)
    }

    /// Closes a game with its result; the player has confirmed it. A plan is dropped, drafts that wait are cancelled, and the
    /// mails in which the opponent resigned or accepted a draw are settled. The report to the director goes into the outbox.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn close_game(
        &mut self,
        id: &GameId,
        result: GameResult,
        report: Option<&Outgoing>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, id).await?;
        sqlx::query("UPDATE games SET result = ?, draw_offer = NULL WHERE id = ?")
            .bind(result.word())
            .bind(key)
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM plans WHERE game = ?").bind(key).execute(&mut *tx).await?;
        cancel_queued_drafts(&mut tx, key).await?;
        if let Some(report) = report {
            enqueue(&mut tx, report, None, now).await?;
        }
        sqlx::query("INSERT INTO events (game, at, kind, text) VALUES (?, ?, 'closed', ?)")
            .bind(key)
            .bind(now)
            .bind(result.word())
            .execute(&mut *tx)
            .await?;
        let report = report.map(LetterRef::of);
        acts::put(&mut tx, &Act::Close { game: id.clone(), result, report }, now).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }
}

async fn load_all(db: &mut SqliteConnection, keys: Vec<i64>) -> Result<Vec<StoredGame>, StoreError> {
    let mut games = Vec::with_capacity(keys.len());
    for key in keys {
        games.push(load(db, key).await?);
    }
    Ok(games)
}

async fn load(db: &mut SqliteConnection, key: i64) -> Result<StoredGame, StoreError> {
    let row: GameRow = sqlx::query_as(
        "SELECT name, event, site, me, start_date, start_fen, rules, notations, draw_offer, result, last_message_id,
                root_message_id
         FROM games WHERE id = ?",
    )
    .bind(key)
    .fetch_one(&mut *db)
    .await?;
    let moves: Vec<MoveRow> = sqlx::query_as(
        "SELECT numeric, claimed_received, claimed_sent, claimed_days, claimed_total, observed_sent, observed_arrived,
                agreed_received, agreed_sent, observed_sent_at, observed_relayed_at, observed_arrived_at,
                agreed_days, agreed_total, agreed_penalty
         FROM moves WHERE game = ? ORDER BY ply",
    )
    .bind(key)
    .fetch_all(&mut *db)
    .await?;
    let lines: Vec<String> = sqlx::query_scalar("SELECT line FROM conditionals WHERE game = ? ORDER BY position")
        .bind(key)
        .fetch_all(&mut *db)
        .await?;
    let seen_message_ids =
        sqlx::query_scalar("SELECT message_id FROM seen_message_ids WHERE game = ? ORDER BY position")
            .bind(key)
            .fetch_all(&mut *db)
            .await?;
    let game = Game {
        id: word("games.name", row.name)?,
        event: row.event,
        site: row.site,
        white: player(db, key, Side::White).await?,
        black: player(db, key, Side::Black).await?,
        me: word("games.me", row.me)?,
        start_date: row.start_date,
        start_fen: row.start_fen,
        rules: json("games.rules", &row.rules)?,
        notations: json("games.notations", &row.notations)?,
        moves: moves.into_iter().map(record).collect::<Result<_, _>>()?,
        plan: load_plan(db, key).await?,
        draw_offer: row.draw_offer.map(|side| word("games.draw_offer", side)).transpose()?,
        conditionals: lines.iter().map(|line| json("conditionals.line", line)).collect::<Result<_, _>>()?,
        leaves: load_leaves(db, key).await?,
        clock_notes: load_clock_notes(db, key).await?,
        result: row.result.map(|result| word("games.result", result)).transpose()?,
        last_message_id: row.last_message_id,
        seen_message_ids,
    };
    Ok(StoredGame { game, root_message_id: row.root_message_id })
}

fn record(row: MoveRow) -> Result<MoveRecord, StoreError> {
    Ok(MoveRecord {
        numeric: word("moves.numeric", row.numeric)?,
        claimed: Stated {
            received: row.claimed_received,
            sent: row.claimed_sent,
            days: row.claimed_days,
            total: row.claimed_total,
        },
        observed: Observed {
            sent: row.observed_sent,
            arrived: row.observed_arrived,
            sent_at: row.observed_sent_at,
            relayed_at: row.observed_relayed_at,
            arrived_at: row.observed_arrived_at,
        },
        agreed: Agreed {
            received: row.agreed_received,
            sent: row.agreed_sent,
            days: row.agreed_days,
            total: row.agreed_total,
            penalty: row.agreed_penalty,
        },
    })
}

async fn player(db: &mut SqliteConnection, key: i64, side: Side) -> Result<Player, StoreError> {
    let name = sqlx::query_scalar("SELECT name FROM players WHERE game = ? AND side = ?")
        .bind(key)
        .bind(side.word())
        .fetch_optional(&mut *db)
        .await?
        .ok_or_else(|| StoreError::unreadable("players.name"))?;
    let emails = sqlx::query_scalar("SELECT address FROM addresses WHERE game = ? AND side = ? ORDER BY position")
        .bind(key)
        .bind(side.word())
        .fetch_all(db)
        .await?;
    Ok(Player { name, emails })
}

async fn load_leaves(db: &mut SqliteConnection, key: i64) -> Result<Vec<Leave>, StoreError> {
    let rows: Vec<(String, NaiveDate, NaiveDate, Option<NaiveDate>)> =
        sqlx::query_as("SELECT side, from_day, to_day, announced FROM leaves WHERE game = ? ORDER BY position")
            .bind(key)
            .fetch_all(db)
            .await?;
    let leave = |(side, from, to, announced)| Ok(Leave { side: word("leaves.side", side)?, from, to, announced });
    rows.into_iter().map(leave).collect()
}

async fn load_clock_notes(db: &mut SqliteConnection, key: i64) -> Result<Vec<ClockNote>, StoreError> {
    let rows: Vec<(u32, String, NaiveDate, Option<NaiveDate>)> =
        sqlx::query_as("SELECT ply, kind, on_day, until_day FROM clock_notes WHERE game = ? ORDER BY position")
            .bind(key)
            .fetch_all(db)
            .await?;
    let note = |(ply, kind, on, until)| Ok(ClockNote { ply, kind: word("clock_notes.kind", kind)?, on, until });
    rows.into_iter().map(note).collect()
}

/// The plan of a game, if there is one.
pub(super) async fn load_plan(db: &mut SqliteConnection, key: i64) -> Result<Option<Plan>, StoreError> {
    let row: Option<PlanRow> =
        sqlx::query_as("SELECT numeric, received, sent, days, total, draw_offer, message_id FROM plans WHERE game = ?")
            .bind(key)
            .fetch_optional(db)
            .await?;
    let plan = |row: PlanRow| {
        Ok(Plan {
            numeric: word("plans.numeric", row.numeric)?,
            stated: Stated { received: row.received, sent: row.sent, days: row.days, total: row.total },
            draw_offer: row.draw_offer,
            message_id: row.message_id,
        })
    };
    row.map(plan).transpose()
}
