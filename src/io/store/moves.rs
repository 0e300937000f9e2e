//! Moves and plans: what was sent, and what the player has chosen to send.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::acts::{self, Act};
use super::changes::commit;
use super::drafts::put_draft;
use super::edit::prefer_address;
use super::error::StoreError;
use super::outbox::{LetterRef, Outgoing, cancel_queued_drafts, enqueue};
use super::record::{EventRow, put_event};
use super::releases::{refuse_released, settle_releases};
use super::rows::{integer, json, key_of, word};
use super::sent::settle_before;
use super::{Store, open};
use crate::domain::game::{GameId, MoveRecord, Plan, Side, Stated};
use crate::domain::notation::NumericMove;

/// A move that goes on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMove {
    /// In which game.
    pub game: GameId,
    /// How many plies the record had when this was judged, the plan not counted.
    pub expected_plies: usize,
    /// The planned move with this Message-ID was sent: it goes on record first, `record` after it.
    pub confirm_plan: Option<String>,
    /// The plies of a conditional line of the player's that go on record before `record`.
    pub before: Vec<MoveRecord>,
    /// The move.
    pub record: MoveRecord,
    /// Whose draw offer stands after it.
    pub draw_offer: Option<Side>,
    /// The lines that stand after it: offered by the player with a move of his own.
    pub conditionals: Vec<Vec<NumericMove>>,
    /// The address of the opponent's to which the answer goes: that of the mail that gave it.
    #[serde(default)]
    pub answer_to: Option<String>,
}

impl Store {
    /// The ply, counted from 1, for which the record of a game waited at an instant.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn due_at(&mut self, game: &GameId, at: DateTime<Utc>) -> Result<usize, StoreError> {
        let mut db = self.checkout().await?;
        let key = key_of(&mut db, game).await?;
        let moves: i64 = sqlx::query_scalar("SELECT count(*) FROM moves WHERE game = ? AND recorded_at <= ?")
            .bind(key)
            .bind(at)
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(usize::try_from(moves).unwrap_or(usize::MAX).saturating_add(1))
    }

    /// Keeps the player's chosen move and puts its draft, if it is made already, into the outbox.
    ///
    /// An older plan is replaced, and its draft cancelled if it still waits.
    ///
    /// # Errors
    /// [`StoreError::Moved`] when the record has not `expected_plies`, [`StoreError::Finished`] when the game has a result.
    pub async fn plan(
        &mut self,
        game: &GameId,
        expected_plies: usize,
        plan: &Plan,
        draft: impl Into<Option<&Outgoing>>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        put_plan(&mut tx, game, expected_plies, plan, draft.into(), None, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Puts a plan with its draft in the place of the held one with the Message-ID `held`; false where it was dropped or changed
    /// meanwhile: then nothing is written.
    ///
    /// # Errors
    /// Those of [`Store::plan`].
    pub async fn waken(
        &mut self,
        game: &GameId,
        expected_plies: usize,
        held: &str,
        plan: &Plan,
        draft: &Outgoing,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let waits = load_plan(&mut tx, key).await?.is_some_and(|plan| !plan.is_drafted() && plan.message_id == held);
        if waits {
            put_plan(&mut tx, game, expected_plies, plan, Some(draft), None, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(waits)
    }

    /// Takes the plan back and cancels its draft if it still waits; gives the plan that was there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn undo(&mut self, game: &GameId, now: DateTime<Utc>) -> Result<Option<Plan>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let plan = take_back(&mut tx, game, None, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(plan)
    }

    /// Records a move on the player's word that he sent it. A plan for this ply is settled by it, whatever it said.
    ///
    /// # Errors
    /// [`StoreError::Moved`] when the record has not `expected_plies`, [`StoreError::Finished`] when the game has a result.
    pub async fn confirm_sent(
        &mut self,
        sent: &NewMove,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        append(&mut tx, sent, None, now).await?;
        put_event(&mut tx, event, None, now).await?;
        acts::put(&mut tx, &Act::Sent { sent: sent.clone(), event: event.clone() }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

/// A mail of the player's that commands something.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByMail<'a> {
    /// Its key.
    pub(super) mail: i64,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub(super) sha256: &'a str,
}

/// Keeps a plan with its act, in place of an older one.
pub(super) async fn put_plan(
    db: &mut SqliteConnection,
    game: &GameId,
    expected_plies: usize,
    plan: &Plan,
    draft: Option<&Outgoing>,
    by: Option<ByMail<'_>>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let key = key_of(db, game).await?;
    check_unchanged(db, key, game, expected_plies).await?;
    refuse_released(db, key, game).await?;
    cancel_queued_drafts(db, key).await?;
    keep_plan(db, key, expected_plies + 1, plan, now).await?;
    if let Some(draft) = draft {
        put_draft(db, key, expected_plies, plan, None, now).await?;
        enqueue(db, draft, by.map(|by| by.mail), now).await?;
    }
    let (game, plan, draft) = (game.clone(), plan.clone(), draft.map(LetterRef::of));
    let by = by.map(|by| by.sha256.to_owned());
    acts::put(db, &Act::Plan { game, expected_plies, plan, draft, by }, now).await
}

/// Drops a plan with its act; gives the plan that was there.
pub(super) async fn take_back(
    db: &mut SqliteConnection,
    game: &GameId,
    by: Option<ByMail<'_>>,
    now: DateTime<Utc>,
) -> Result<Option<Plan>, StoreError> {
    let key = key_of(db, game).await?;
    refuse_released(db, key, game).await?;
    let plan = load_plan(db, key).await?;
    drop_plan(db, key).await?;
    if plan.is_some() {
        let by = by.map(|by| by.sha256.to_owned());
        acts::put(db, &Act::Undo { game: game.clone(), by }, now).await?;
    }
    Ok(plan)
}

/// Puts a move on record, after the plan where it confirms one, and gives the game's key.
pub(super) async fn append(
    db: &mut SqliteConnection,
    new: &NewMove,
    mail: Option<i64>,
    now: DateTime<Utc>,
) -> Result<i64, StoreError> {
    let key = key_of(db, &new.game).await?;
    check_unchanged(db, key, &new.game, new.expected_plies).await?;
    let mut ply = new.expected_plies + 1;
    if let Some(judged) = &new.confirm_plan {
        let Some(plan) = load_plan(db, key).await?.filter(|plan| plan.message_id == *judged) else {
            return Err(StoreError::NoPlan { game: new.game.clone() });
        };
        for record in plan.records() {
            insert_move(db, key, ply, &record, mail, now).await?;
            ply += 1;
        }
    }
    for record in new.before.iter().chain([&new.record]) {
        insert_move(db, key, ply, record, mail, now).await?;
        ply += 1;
    }
    settle_before(db, key, ply - 1).await?;
    drop_plan(db, key).await?;
    settle_releases(db, key).await?;
    // taken up, or void: an offered line that is not taken up lapses
    sqlx::query("DELETE FROM conditionals WHERE game = ?").bind(key).execute(&mut *db).await?;
    put_conditionals(db, key, &new.conditionals).await?;
    prefer_address(db, key, new.answer_to.as_deref()).await?;
    sqlx::query("UPDATE games SET draw_offer = ? WHERE id = ?")
        .bind(new.draw_offer.map(Side::word))
        .bind(key)
        .execute(db)
        .await?;
    Ok(key)
}

/// Keeps the chosen move of a game, in the place of an earlier one.
pub(super) async fn keep_plan(
    db: &mut SqliteConnection,
    game: i64,
    ply: usize,
    plan: &Plan,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT OR REPLACE INTO plans (game, ply, taken, numeric, received, sent, days, total, draw_offer, message_id,
                                       conditionals, comment, held_until, chosen_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(game)
    .bind(integer(ply))
    .bind(serde_json::json!(plan.before).to_string())
    .bind(plan.numeric.to_string())
    .bind(plan.stated.received)
    .bind(plan.stated.sent)
    .bind(plan.stated.days)
    .bind(plan.stated.total)
    .bind(plan.draw_offer)
    .bind(&plan.message_id)
    .bind(serde_json::json!(plan.conditionals).to_string())
    .bind(&plan.comment)
    .bind(plan.held_until)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Inserts one ply, counted from 1.
pub(super) async fn insert_move(
    db: &mut SqliteConnection,
    game: i64,
    ply: usize,
    record: &MoveRecord,
    mail: Option<i64>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO moves (game, ply, numeric, claimed_received, claimed_sent, claimed_days, claimed_total, observed_sent,
                            observed_arrived, agreed_received, agreed_sent, observed_sent_at, observed_relayed_at,
                            observed_arrived_at, agreed_days, agreed_total, agreed_penalty, mail, recorded_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(game)
    .bind(integer(ply))
    .bind(record.numeric.to_string())
    .bind(record.claimed.received)
    .bind(record.claimed.sent)
    .bind(record.claimed.days)
    .bind(record.claimed.total)
    .bind(record.observed.sent)
    .bind(record.observed.arrived)
    .bind(record.agreed.received)
    .bind(record.agreed.sent)
    .bind(record.observed.sent_at)
    .bind(record.observed.relayed_at)
    .bind(record.observed.arrived_at)
    .bind(record.agreed.days)
    .bind(record.agreed.total)
    .bind(record.agreed.penalty)
    .bind(mail)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Puts in the lines that the player offers.
pub(super) async fn put_conditionals(
    db: &mut SqliteConnection,
    key: i64,
    lines: &[Vec<NumericMove>],
) -> Result<(), StoreError> {
    for (position, line) in lines.iter().enumerate() {
        sqlx::query("INSERT INTO conditionals (game, position, line) VALUES (?, ?, ?)")
            .bind(key)
            .bind(integer(position))
            .bind(serde_json::json!(line).to_string())
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

/// The game goes on, and has as many plies as the caller saw.
pub(super) async fn check_unchanged(
    db: &mut SqliteConnection,
    key: i64,
    game: &GameId,
    expected: usize,
) -> Result<(), StoreError> {
    let (found, finished): (i64, bool) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM moves WHERE game = games.id), result IS NOT NULL FROM games WHERE id = ?",
    )
    .bind(key)
    .fetch_one(db)
    .await?;
    if finished {
        return Err(StoreError::Finished { game: game.clone() });
    }
    if found == integer(expected) {
        return Ok(());
    }
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    Err(StoreError::Moved { game: game.clone(), expected, found })
}

pub(super) async fn drop_plan(db: &mut SqliteConnection, key: i64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM plans WHERE game = ?").bind(key).execute(&mut *db).await?;
    cancel_queued_drafts(db, key).await
}

#[derive(FromRow)]
struct PlanRow {
    game: i64,
    taken: String,
    numeric: String,
    received: Option<NaiveDate>,
    sent: Option<NaiveDate>,
    days: Option<u32>,
    total: Option<u32>,
    draw_offer: bool,
    message_id: String,
    conditionals: String,
    comment: Option<String>,
    held_until: Option<DateTime<Utc>>,
    chosen_at: DateTime<Utc>,
}

/// The chosen moves of these games, with when each was chosen.
pub(super) async fn plans(
    db: &mut SqliteConnection,
    keys: &str,
) -> Result<HashMap<i64, (Plan, DateTime<Utc>)>, StoreError> {
    let rows: Vec<PlanRow> = sqlx::query_as(
        "SELECT game, taken, numeric, received, sent, days, total, draw_offer, message_id, conditionals, comment, held_until,
                chosen_at
         FROM plans WHERE game IN (SELECT value FROM json_each(?))",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let plan = |row: PlanRow| {
        let plan = Plan {
            before: json("plans.taken", &row.taken)?,
            numeric: word("plans.numeric", row.numeric)?,
            stated: Stated { received: row.received, sent: row.sent, days: row.days, total: row.total },
            draw_offer: row.draw_offer,
            message_id: row.message_id,
            conditionals: json("plans.conditionals", &row.conditionals)?,
            comment: row.comment,
            held_until: row.held_until,
        };
        Ok((row.game, (plan, row.chosen_at)))
    };
    rows.into_iter().map(plan).collect()
}

/// The plan of a game, if there is one.
pub(super) async fn load_plan(db: &mut SqliteConnection, key: i64) -> Result<Option<Plan>, StoreError> {
    Ok(plans(db, &serde_json::json!([key]).to_string()).await?.remove(&key).map(|(plan, _)| plan))
}
