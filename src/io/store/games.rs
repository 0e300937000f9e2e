//! Games as they stand. Positions and clocks are not stored; the domain computes them.

use std::collections::HashMap;

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use sqlx::sqlite::SqliteArguments;
use sqlx::{Connection, FromRow, Sqlite, SqliteConnection};

use super::care::{clock_notes, leaves};
use super::error::StoreError;
use super::hints::Hints;
use super::illegal::{illegal_mails, illegal_moves, placed};
use super::moves::plans;
use super::rows::{json, word};
use super::{Store, open};
use crate::domain::game::{
    Agreed, ClockNote, Game, GameId, IllegalMail, Leave, MoveRecord, Observed, Plan, Player, SentIllegal, Side, Stated,
};
use crate::domain::notation::NumericMove;

/// A game with what only its mails need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The game, its plan included.
    pub game: Game,
    /// The head of the game's mail thread, with its angle brackets; it never changes.
    pub root_message_id: String,
}

/// A stored game with what its marks on the calendar need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedGame {
    /// The game.
    pub stored: StoredGame,
    /// When its planned move was chosen.
    pub chosen_at: Option<DateTime<Utc>>,
    /// The player's last move came back, and nothing has shown since that it arrived.
    pub came_back: bool,
    /// The player's last move is the last one of the game, was seen to be sent, and did not come back.
    pub seen_sent: bool,
    /// Raised by every change of the game.
    pub version: i64,
}

#[derive(FromRow)]
struct GameRow {
    id: i64,
    name: String,
    event: String,
    site: String,
    tags: String,
    me: String,
    start_date: Option<NaiveDate>,
    start_fen: Option<String>,
    rules: String,
    notations: String,
    draw_offer: Option<String>,
    result: Option<String>,
    last_message_id: Option<String>,
    root_message_id: String,
    version: i64,
    came_back: bool,
    seen_sent: bool,
}

#[derive(FromRow)]
struct MoveRow {
    game: i64,
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
    observed_arrived_at: Option<DateTime<FixedOffset>>,
    agreed_days: Option<u32>,
    agreed_total: Option<u32>,
    agreed_penalty: Option<u32>,
}

/// A query for the keys of games.
type Keys<'q> = sqlx::query::QueryScalar<'q, Sqlite, i64, SqliteArguments>;
const ALL: &str = "SELECT id FROM games ORDER BY id";

impl Store {
    /// All games, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games(&mut self) -> Result<Vec<StoredGame>, StoreError> {
        Ok(stored(self.watched_games().await?))
    }

    /// All games with what their marks need, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn watched_games(&mut self) -> Result<Vec<WatchedGame>, StoreError> {
        self.load(sqlx::query_scalar(ALL), Depth::Whole).await
    }

    /// The games to which hints lead and that are wanted, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games_hinted(
        &mut self,
        hints: &Hints,
        wanted: impl Fn(&StoredGame) -> bool,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys = hints.keys(&mut tx).await?;
        let mut games = load_all(&mut tx, &keys, Depth::Whole).await?;
        tx.commit().await?;
        self.checkin(db);
        games.retain(|game| wanted(&game.stored));
        Ok(stored(games))
    }

    /// The games that are wanted by what stands in their outlines, whole, in the order they were imported: one read, so that a game is as it
    /// was when it was wanted.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games_where(&mut self, wanted: impl Fn(&StoredGame) -> bool) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> = sqlx::query_scalar(ALL).fetch_all(&mut *tx).await?;
        let outlines = load_all(&mut tx, &keys, Depth::WithoutMoves).await?;
        let among = keys.into_iter().zip(&outlines).filter(|(_, outline)| wanted(&outline.stored));
        let keys: Vec<i64> = among.map(|(key, _)| key).collect();
        let games = load_all(&mut tx, &keys, Depth::Whole).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(stored(games))
    }

    /// All games without their moves, in the order they were imported: what tells which of them a mail is about.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn outlines(&mut self) -> Result<Vec<StoredGame>, StoreError> {
        Ok(stored(self.load(sqlx::query_scalar(ALL), Depth::WithoutMoves).await?))
    }

    /// The games of these names that exist, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn watched(&mut self, ids: &[GameId]) -> Result<Vec<WatchedGame>, StoreError> {
        let keys = "SELECT id FROM games WHERE name IN (SELECT value FROM json_each(?)) ORDER BY id";
        self.load(sqlx::query_scalar(keys).bind(serde_json::json!(ids).to_string()), Depth::Whole).await
    }

    /// The games whose planned move was to be held until an instant that is over by `now`.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games_with_held(&mut self, now: DateTime<Utc>) -> Result<Vec<StoredGame>, StoreError> {
        let keys = sqlx::query_scalar("SELECT game FROM plans WHERE held_until <= ? ORDER BY game").bind(now);
        Ok(stored(self.load(keys, Depth::Whole).await?))
    }

    /// One game, if it exists.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn game(&mut self, id: &GameId) -> Result<Option<StoredGame>, StoreError> {
        Ok(stored(self.watched(std::slice::from_ref(id)).await?).into_iter().next())
    }
}

impl Store {
    /// The games of the keys that a query gives, in its order.
    async fn load(&mut self, keys: Keys<'_>, depth: Depth) -> Result<Vec<WatchedGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> = keys.fetch_all(&mut *tx).await?;
        let games = load_all(&mut tx, &keys, depth).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(games)
    }
}

pub(super) fn stored(games: Vec<WatchedGame>) -> Vec<StoredGame> {
    games.into_iter().map(|game| game.stored).collect()
}

/// How much of a game is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Whole,
    WithoutMoves,
}

/// The games of these keys, in their order: one query for each table, however many games.
pub(super) async fn load_all(
    db: &mut SqliteConnection,
    keys: &[i64],
    depth: Depth,
) -> Result<Vec<WatchedGame>, StoreError> {
    let keys = serde_json::json!(keys).to_string();
    let rows: Vec<GameRow> = sqlx::query_as(
        "SELECT id, name, event, site, tags, me, start_date, start_fen, rules, notations, draw_offer, result, last_message_id,
                root_message_id, version,
                EXISTS (SELECT 1 FROM bounces WHERE bounces.game = games.id AND bounces.open = 1) AS came_back,
                EXISTS (SELECT 1 FROM sent WHERE sent.game = games.id AND outcome IN ('recorded', 'repeated', 'differs')
                        AND ply = (SELECT max(ply) FROM moves WHERE moves.game = games.id)) AS seen_sent
         FROM games WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
    )
    .bind(&keys)
    .fetch_all(&mut *db)
    .await?;
    let mut parts = Parts::load(db, &keys, depth).await?;
    rows.into_iter().map(|row| parts.game(row)).collect()
}

/// What belongs to games, by their keys.
struct Parts {
    moves: HashMap<i64, Vec<MoveRecord>>,
    players: HashMap<(i64, Side), Player>,
    plans: HashMap<i64, (Plan, DateTime<Utc>)>,
    conditionals: HashMap<i64, Vec<Vec<NumericMove>>>,
    leaves: HashMap<i64, Vec<Leave>>,
    clock_notes: HashMap<i64, Vec<ClockNote>>,
    illegal: HashMap<i64, Vec<SentIllegal>>,
    illegal_mails: HashMap<i64, Vec<(IllegalMail, bool)>>,
    seen_message_ids: HashMap<i64, Vec<String>>,
}

impl Parts {
    async fn load(db: &mut SqliteConnection, keys: &str, depth: Depth) -> Result<Parts, StoreError> {
        let moves: Vec<MoveRow> = sqlx::query_as(
            "SELECT game, numeric, claimed_received, claimed_sent, claimed_days, claimed_total, observed_sent, observed_arrived,
                    agreed_received, agreed_sent, observed_sent_at, observed_relayed_at, observed_arrived_at,
                    agreed_days, agreed_total, agreed_penalty
             FROM moves WHERE game IN (SELECT value FROM json_each(?)) ORDER BY game, ply",
        )
        .bind(if depth == Depth::Whole { keys } else { "[]" })
        .fetch_all(&mut *db)
        .await?;
        let lines: Vec<(i64, String)> = sqlx::query_as(
            "SELECT game, line FROM conditionals WHERE game IN (SELECT value FROM json_each(?)) ORDER BY game, position",
        )
        .bind(keys)
        .fetch_all(&mut *db)
        .await?;
        let seen: Vec<(i64, String)> = sqlx::query_as(
            "SELECT game, message_id FROM seen_message_ids WHERE game IN (SELECT value FROM json_each(?))
             ORDER BY game, position",
        )
        .bind(keys)
        .fetch_all(&mut *db)
        .await?;
        Ok(Parts {
            moves: grouped(moves.into_iter().map(|row| Ok((row.game, record(row)?))))?,
            players: players(db, keys).await?,
            plans: plans(db, keys).await?,
            conditionals: grouped(lines.iter().map(|(game, line)| Ok((*game, json("conditionals.line", line)?))))?,
            leaves: leaves(db, keys).await?,
            clock_notes: clock_notes(db, keys).await?,
            illegal: illegal_moves(db, keys).await?,
            illegal_mails: illegal_mails(db, keys).await?,
            seen_message_ids: grouped(seen.into_iter().map(Ok))?,
        })
    }

    fn game(&mut self, row: GameRow) -> Result<WatchedGame, StoreError> {
        let key = row.id;
        let mut player = |side| self.players.remove(&(key, side)).ok_or_else(|| StoreError::unreadable("players.name"));
        let (plan, chosen_at) = self.plans.remove(&key).unzip();
        let mut game = Game {
            id: word("games.name", row.name)?,
            event: row.event,
            site: row.site,
            tags: json("games.tags", &row.tags)?,
            white: player(Side::White)?,
            black: player(Side::Black)?,
            me: word("games.me", row.me)?,
            start_date: row.start_date,
            start_fen: row.start_fen,
            rules: json("games.rules", &row.rules)?,
            notations: json("games.notations", &row.notations)?,
            moves: self.moves.remove(&key).unwrap_or_default(),
            plan,
            draw_offer: row.draw_offer.map(|side| word("games.draw_offer", side)).transpose()?,
            conditionals: self.conditionals.remove(&key).unwrap_or_default(),
            leaves: self.leaves.remove(&key).unwrap_or_default(),
            clock_notes: self.clock_notes.remove(&key).unwrap_or_default(),
            illegal: self.illegal.remove(&key).unwrap_or_default(),
            illegal_mails: Vec::new(),
            result: row.result.map(|result| word("games.result", result)).transpose()?,
            last_message_id: row.last_message_id,
            seen_message_ids: self.seen_message_ids.remove(&key).unwrap_or_default(),
        };
        game.illegal_mails = placed(&game, self.illegal_mails.remove(&key).unwrap_or_default());
        let stored = StoredGame { game, root_message_id: row.root_message_id };
        let GameRow { came_back, version, .. } = row;
        let seen_sent = row.seen_sent && !came_back;
        Ok(WatchedGame { stored, chosen_at, came_back, seen_sent, version })
    }
}

/// The parts of each game in their order.
pub(super) fn grouped<T>(
    parts: impl Iterator<Item = Result<(i64, T), StoreError>>,
) -> Result<HashMap<i64, Vec<T>>, StoreError> {
    let mut groups: HashMap<i64, Vec<T>> = HashMap::new();
    for part in parts {
        let (game, part) = part?;
        groups.entry(game).or_default().push(part);
    }
    Ok(groups)
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

async fn players(db: &mut SqliteConnection, keys: &str) -> Result<HashMap<(i64, Side), Player>, StoreError> {
    let names: Vec<(i64, String, String)> =
        sqlx::query_as("SELECT game, side, name FROM players WHERE game IN (SELECT value FROM json_each(?))")
            .bind(keys)
            .fetch_all(&mut *db)
            .await?;
    let addresses: Vec<(i64, String, String)> = sqlx::query_as(
        "SELECT game, side, address FROM addresses WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, side, position",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let mut players = HashMap::with_capacity(names.len());
    for (game, side, name) in names {
        players.insert((game, word("players.side", side)?), Player { name, emails: Vec::new() });
    }
    for (game, side, address) in addresses {
        if let Some(player) = players.get_mut(&(game, word("addresses.side", side)?)) {
            player.emails.push(address);
        }
    }
    Ok(players)
}
