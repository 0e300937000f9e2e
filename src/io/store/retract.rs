//! The way back: a game as it stood before something was put on record by mistake.
//!
//! What is taken back stays in the acts and in the journal; the mails that gave a move taken back wait for the player again.

use chrono::{DateTime, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::changes::{Step, commit};
use super::error::StoreError;
use super::moves::{ByMail, drop_plan, keep_plan, put_conditionals};
use super::record::{EventRow, put_event};
use super::releases::refuse_released;
use super::rows::{integer, key_of};
use super::{Store, open};
use crate::domain::game::{Game, GameResult, Side};

impl Store {
    /// This game, as it is stored, without the ply `from`, counted from 0, and all after it or, for `None`, without what went on record last;
    /// `None` where that came with a file, or was taken back already.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn without(&mut self, game: &Game, from: Option<usize>) -> Result<Option<Game>, StoreError> {
        let history = self.history(&game.id).await?;
        let step = match from {
            Some(index) => history.giving(index)?,
            None => history.newest_on_record()?,
        };
        let Some(Step { act, before: Some(before), .. }) = step else { return Ok(None) };
        let act = self.act(act).await?.filter(Act::is_retractable);
        Ok(act.map(|_| game.back_to(&before)))
    }

    /// Puts a game back to `back`, which is [`Game::back_to`] of what the caller saw, with the journal's line about what and why. The mails
    /// that gave a move beyond it are held again, drafts and letters to the director that wait to go out are cancelled.
    ///
    /// # Errors
    /// [`StoreError::Moved`] where the game has not `expected_plies`, [`StoreError::Released`] while a mail with the chosen move is on its way, [`StoreError::NoSuchGame`].
    pub async fn retract(
        &mut self,
        back: &Game,
        expected_plies: usize,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        put_back(&mut tx, back, expected_plies, event, None, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

/// Puts a game back with its act.
pub(super) async fn put_back(
    db: &mut SqliteConnection,
    back: &Game,
    expected_plies: usize,
    event: &EventRow,
    by: Option<ByMail<'_>>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let key = key_of(db, &back.id).await?;
    refuse_released(db, key, &back.id).await?;
    let found: i64 =
        sqlx::query_scalar("SELECT count(*) FROM moves WHERE game = ?").bind(key).fetch_one(&mut *db).await?;
    if found != integer(expected_plies) {
        let found = usize::try_from(found).unwrap_or(usize::MAX);
        return Err(StoreError::Moved { game: back.id.clone(), expected: expected_plies, found });
    }
    take_back(db, key, back, &event.text, now).await?;
    put_event(db, event, by.map(|by| by.mail), now).await?;
    let (back, event, by) = (Box::new(back.clone()), event.clone(), by.map(|by| by.sha256.to_owned()));
    acts::put(db, &Act::Retract { back, expected_plies, event, by }, now).await
}

async fn take_back(
    db: &mut SqliteConnection,
    key: i64,
    back: &Game,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let plies = integer(back.moves.len());
    sqlx::query(
        "UPDATE verdicts SET open = 1, outcome = iif(outcome = 'move', 'needs_human', outcome),
                             reason = iif(outcome = 'move', ?3, reason)
         WHERE game = ?1 AND outcome <> 'own' AND mail IN (SELECT mail FROM moves WHERE game = ?1 AND ply > ?2)",
    )
    .bind(key)
    .bind(plies)
    .bind(why)
    .execute(&mut *db)
    .await?;
    for sql in [
        "DELETE FROM moves WHERE game = ? AND ply > ?",
        "DELETE FROM sent WHERE game = ? AND ply > ?",
        "UPDATE bounces SET open = 0 WHERE game = ? AND ply > ?",
        "DELETE FROM clock_notes WHERE game = ? AND ply > ? + 1",
        "DELETE FROM illegal_moves WHERE game = ? AND ply > ? + 1",
        "DELETE FROM conditionals WHERE game = ?",
    ] {
        sqlx::query(sql).bind(key).bind(plies).execute(&mut *db).await?;
    }
    for (ply, record) in (1_i64..).zip(&back.moves) {
        let agreed = record.agreed;
        sqlx::query(
            "UPDATE moves SET agreed_received = ?1, agreed_sent = ?2, agreed_days = ?3, agreed_total = ?4, agreed_penalty = ?5
             WHERE game = ?6 AND ply = ?7
                 AND (agreed_received, agreed_sent, agreed_days, agreed_total, agreed_penalty) IS NOT (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(agreed.received)
        .bind(agreed.sent)
        .bind(agreed.days)
        .bind(agreed.total)
        .bind(agreed.penalty)
        .bind(key)
        .bind(ply)
        .execute(&mut *db)
        .await?;
    }
    put_conditionals(db, key, &back.conditionals).await?;
    drop_plan(db, key).await?;
    if let Some(plan) = &back.plan {
        keep_plan(db, key, back.moves.len() + 1, plan, now).await?;
    }
    if back.result.is_none() {
        // the report of a result that is taken back; it is the last letter of a game
        sqlx::query(
            "UPDATE outbox SET state = 'cancelled' WHERE state = 'queued' AND game = ?1 AND message_id = (
                 SELECT body ->> '$.report.message_id' FROM acts
                 WHERE kind = 'close' AND body ->> '$.game' IN (SELECT name FROM names WHERE game = ?1) ORDER BY id DESC LIMIT 1)",
        )
        .bind(key)
        .execute(&mut *db)
        .await?;
    }
    sqlx::query("UPDATE games SET draw_offer = ?, result = ?, last_message_id = ? WHERE id = ?")
        .bind(back.draw_offer.map(Side::word))
        .bind(back.result.map(GameResult::word))
        .bind(&back.last_message_id)
        .bind(key)
        .execute(db)
        .await?;
    Ok(())
}
