//! The drafts of replies in the mailbox's folder for drafts: each state is kept before the server is asked for what leads to it.
//!
//! A row is made with the plan that it is of, whether such drafts are switched on or not: every Message-ID that a reply was ever
//! given stays known. A draft is live while the plan still names its Message-ID and is not held back; else it is stale, whatever ended it.
//! What will surprise you: of the states that the folder gives, `touched`, `vanished` and `removed` are final.

use chrono::{DateTime, NaiveDate, Utc};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, FromRow, SqliteConnection};

use super::acts::{self, Act};
use super::changes::commit;
use super::error::StoreError;
use super::moves::check_unchanged;
use super::moves::load_plan;
use super::releases::refuse_released;
use super::rows::{integer, key_of, word};
use super::{Store, open};
use crate::domain::game::{GameId, Plan};

/// Where a draft is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum DraftState {
    /// In no folder, and never tried.
    Wanted,
    /// A try was begun: look for it before the next one.
    Placing,
    /// It lies there as it was made.
    Placed,
    /// The server refused it; it is tried again.
    Unplaced,
    /// The player has made it his own: it is left alone for ever.
    Touched,
    /// It is gone, sent or deleted by the player: it is not made again.
    Vanished,
    /// It is stale and to be taken out.
    Removing,
    /// It was taken out, or never came in.
    Removed,
}

impl DraftState {
    /// `wanted`, `placing` and so on.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wanted => "wanted",
            Self::Placing => "placing",
            Self::Placed => "placed",
            Self::Unplaced => "unplaced",
            Self::Touched => "touched",
            Self::Vanished => "vanished",
            Self::Removing => "removing",
            Self::Removed => "removed",
        }
    }
}

/// A draft of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRow {
    /// Its key.
    pub id: i64,
    /// Of which game.
    pub game: GameId,
    /// Of which ply, counted from 1.
    pub ply: u32,
    /// Counted from 1 for each ply.
    pub revision: u32,
    /// The older draft of the same move that it takes the place of.
    pub refreshes: Option<i64>,
    /// The Message-ID of the reply, with its angle brackets.
    pub message_id: String,
    /// The sent date that it states.
    pub for_day: Option<NaiveDate>,
    /// When it was decided.
    pub made_at: DateTime<Utc>,
    /// Where it is.
    pub state: DraftState,
    /// The plan is still this one.
    pub live: bool,
    /// The whole mail, once it was to be put into a folder.
    pub bytes: Option<Vec<u8>>,
    /// The folder, once it was to be put there.
    pub folder: Option<String>,
    /// UIDVALIDITY and UID, where they are known.
    pub place: Option<(u32, u32)>,
    /// Tries begun.
    pub attempts: u32,
    /// Not tried again before this.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Why it is not yet where it should be.
    pub last_error: Option<String>,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    game: String,
    ply: u32,
    revision: u32,
    refreshes: Option<i64>,
    message_id: String,
    for_day: Option<NaiveDate>,
    made_at: DateTime<Utc>,
    state: DraftState,
    live: bool,
    bytes: Option<Vec<u8>>,
    folder: Option<String>,
    uidvalidity: Option<u32>,
    uid: Option<u32>,
    attempts: u32,
    next_attempt_at: Option<DateTime<Utc>>,
    last_error: Option<String>,
}

impl TryFrom<Row> for DraftRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<DraftRow, StoreError> {
        Ok(DraftRow {
            id: row.id,
            game: word("games.name", row.game)?,
            ply: row.ply,
            revision: row.revision,
            refreshes: row.refreshes,
            message_id: row.message_id,
            for_day: row.for_day,
            made_at: row.made_at,
            state: row.state,
            live: row.live,
            bytes: row.bytes,
            folder: row.folder,
            place: row.uidvalidity.zip(row.uid),
            attempts: row.attempts,
            next_attempt_at: row.next_attempt_at,
            last_error: row.last_error,
        })
    }
}

/// What became of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftFate {
    /// It lies there as it was made; `None` where the server did not tell its number.
    Placed(Option<(u32, u32)>),
    /// Not placed, or not taken out: why, and when it is tried again.
    Later {
        /// Why.
        error: String,
        /// Not before this.
        at: DateTime<Utc>,
    },
    /// The server refused it for certain: why, and when it is tried again.
    Refused {
        /// Why.
        error: String,
        /// Not before this.
        at: DateTime<Utc>,
    },
    /// The player has made it his own.
    Touched,
    /// It is gone.
    Vanished,
    /// It is to be taken out.
    Removing,
    /// It is out, or never came in.
    Removed,
}

impl Store {
    /// Every Message-ID that a reply for this ply, counted from 1, was ever given, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn ids_of_own(&mut self, game: &GameId, ply: u32) -> Result<Vec<String>, StoreError> {
        let mut db = self.checkout().await?;
        let key = key_of(&mut db, game).await?;
        let ids = sqlx::query_scalar("SELECT message_id FROM drafts WHERE game = ? AND ply = ? ORDER BY revision")
            .bind(key)
            .bind(ply)
            .fetch_all(&mut db)
            .await?;
        self.checkin(db);
        Ok(ids)
    }

    /// The draft whose reply has this Message-ID, whatever became of it.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn draft_by_message_id(&mut self, message_id: &str) -> Result<Option<DraftRow>, StoreError> {
        let mut db = self.checkout().await?;
        let row: Option<Row> = sqlx::query_as(AssertSqlSafe(select("drafts.message_id = ?")))
            .bind(message_id)
            .fetch_optional(&mut db)
            .await?;
        self.checkin(db);
        row.map(DraftRow::try_from).transpose()
    }

    /// All drafts that were ever to be in a folder or still are, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn drafts(&mut self) -> Result<Vec<DraftRow>, StoreError> {
        self.drafts_where("drafts.state <> 'wanted' OR plans.game IS NOT NULL").await
    }

    /// The drafts about which something may have to be done, oldest first: those of a plan that are not settled, and those that lie
    /// in the folder by our doing.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn drafts_at_work(&mut self) -> Result<Vec<DraftRow>, StoreError> {
        self.drafts_where(
            "drafts.state IN ('placing', 'placed', 'removing')
             OR (drafts.state IN ('wanted', 'unplaced') AND plans.game IS NOT NULL)",
        )
        .await
    }

    /// The drafts that matter to the player, oldest first: the newest of each plan, and those that lie in the folder by our doing.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn drafts_at_hand(&mut self) -> Result<Vec<DraftRow>, StoreError> {
        self.drafts_where("plans.game IS NOT NULL OR drafts.state IN ('placing', 'placed', 'removing')").await
    }

    async fn drafts_where(&mut self, condition: &'static str) -> Result<Vec<DraftRow>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<Row> = sqlx::query_as(AssertSqlSafe(select(condition))).fetch_all(&mut db).await?;
        self.checkin(db);
        rows.into_iter().map(DraftRow::try_from).collect()
    }

    /// Notes that a draft is about to be put into a folder, with the bytes that it will have; a later try has the same ones. False
    /// when it is not the plan's any more, or was settled: then it must not be put there.
    ///
    /// # Errors
    /// Those of writing the database; then it must not be put there either.
    pub async fn begin_placing(
        &mut self,
        id: i64,
        bytes: &[u8],
        folder: &str,
        retry_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = sqlx::query(
            "UPDATE drafts SET state = 'placing', bytes = ifnull(bytes, ?1), sha256 = ifnull(sha256, ?2), folder = ?3,
                 uidvalidity = NULL, uid = NULL, attempts = attempts + 1, next_attempt_at = ?4
             WHERE id = ?5 AND state IN ('wanted', 'unplaced', 'placing')
                 AND EXISTS (SELECT 1 FROM plans WHERE plans.message_id = drafts.message_id AND plans.held_until IS NULL)",
        )
        .bind(bytes)
        .bind(Sha256::digest(bytes).as_slice())
        .bind(folder)
        .bind(retry_at)
        .bind(id)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(done.rows_affected() == 1)
    }

    /// Keeps what became of a draft. What is settled for good stays as it is.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn settle_draft(&mut self, id: i64, fate: &DraftFate) -> Result<(), StoreError> {
        let (state, error, at) = match fate {
            DraftFate::Placed(_) => (Some(DraftState::Placed), None, None),
            DraftFate::Later { error, at } => (None, Some(error), Some(*at)),
            DraftFate::Refused { error, at } => (Some(DraftState::Unplaced), Some(error), Some(*at)),
            DraftFate::Touched => (Some(DraftState::Touched), None, None),
            DraftFate::Vanished => (Some(DraftState::Vanished), None, None),
            DraftFate::Removing => (Some(DraftState::Removing), None, None),
            DraftFate::Removed => (Some(DraftState::Removed), None, None),
        };
        let place = if let DraftFate::Placed(place) = fate { *place } else { None };
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "UPDATE drafts SET state = ifnull(?1, state), last_error = ?2, next_attempt_at = ?3,
                 uidvalidity = iif(?1 = 'placed', ?4, uidvalidity), uid = iif(?1 = 'placed', ?5, uid)
             WHERE id = ?6 AND state NOT IN ('touched', 'vanished', 'removed')",
        )
        .bind(state)
        .bind(error)
        .bind(at)
        .bind(place.map(|(uidvalidity, _)| uidvalidity))
        .bind(place.map(|(_, uid)| uid))
        .bind(id)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// States the planned move anew, with another date and Message-ID: its draft is to take the place of the older one. Whether the
    /// older one lies in the folder or never came in, it is stale from now on.
    ///
    /// # Errors
    /// [`StoreError::Moved`] when the record has not `expected_plies`, [`StoreError::NoPlan`] when the plan is not `replaced` any
    /// more.
    pub async fn restate(
        &mut self,
        game: &GameId,
        expected_plies: usize,
        replaced: &str,
        plan: &Plan,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        check_unchanged(&mut tx, key, game, expected_plies).await?;
        refuse_released(&mut tx, key, game).await?;
        if load_plan(&mut tx, key).await?.is_none_or(|known| known.message_id != replaced) {
            return Err(StoreError::NoPlan { game: game.clone() });
        }
        sqlx::query(
            "UPDATE plans SET received = ?, sent = ?, days = ?, total = ?, message_id = ? WHERE game = ? AND message_id = ?",
        )
        .bind(plan.stated.received)
        .bind(plan.stated.sent)
        .bind(plan.stated.days)
        .bind(plan.stated.total)
        .bind(&plan.message_id)
        .bind(key)
        .bind(replaced)
        .execute(&mut *tx)
        .await?;
        put_draft(&mut tx, key, expected_plies, plan, Some(replaced), now).await?;
        let act = Act::Restate {
            game: game.clone(),
            expected_plies,
            replaced: replaced.to_owned(),
            plan: Box::new(plan.clone()),
        };
        acts::put(&mut tx, &act, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

/// A whole draft, where this holds of `drafts` and of the plan that names it.
fn select(condition: &'static str) -> String {
    format!(
        "SELECT drafts.id, games.name AS game, drafts.ply, revision, refreshes, drafts.message_id, for_day, made_at, state,
                plans.game IS NOT NULL AS live, bytes, folder, uidvalidity, uid, attempts, next_attempt_at, last_error
         FROM drafts JOIN games ON games.id = drafts.game LEFT JOIN plans ON plans.message_id = drafts.message_id AND plans.held_until IS NULL
         WHERE {condition} ORDER BY drafts.id"
    )
}

/// Keeps the Message-ID of a planned reply, for the ply that follows `plies`, if it is a new one.
pub(super) async fn put_draft(
    db: &mut SqliteConnection,
    game: i64,
    plies: usize,
    plan: &Plan,
    refreshes: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO drafts (game, ply, revision, refreshes, message_id, for_day, made_at)
         SELECT ?1, ?2, ifnull(max(revision), 0) + 1, (SELECT id FROM drafts WHERE message_id = ?3), ?4, ?5, ?6
         FROM drafts WHERE game = ?1 AND ply = ?2
         ON CONFLICT (message_id) DO NOTHING",
    )
    .bind(game)
    .bind(integer(plies + 1))
    .bind(refreshes)
    .bind(&plan.message_id)
    .bind(plan.stated.sent)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}
