//! What was settled about the clocks: agreed dates and days, and values of a game's rules.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Connection;

use super::acts::{self, Act, Performed, put};
use super::changes::commit;
use super::error::StoreError;
use super::record::{EventRow, put_event};
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::clock::rules::RulesetChoice;
use crate::domain::game::{Agreed, GameId};

/// What was settled about one ply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Counted from 1.
    pub ply: u32,
    /// What stood there, as the caller saw it.
    pub before: Agreed,
    /// What stands there from now on.
    pub agreed: Agreed,
}

/// What the player settled of a game at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// When.
    pub at: DateTime<Utc>,
    /// Of which plies, counted from 1; of none where he changed the rules.
    pub plies: Vec<u32>,
    /// What, what stood there before, and why, as the journal has it.
    pub text: String,
}

impl Settlement {
    /// Whether it changed the rules of the game.
    pub fn is_of_rules(&self) -> bool {
        self.plies.is_empty()
    }
}

impl Store {
    /// Settles the dates and days of plies on the player's word, with the journal's line about what stood there before and why.
    /// Nothing else ever writes what was agreed.
    ///
    /// # Errors
    /// [`StoreError::Settled`] when something else stands there than the caller saw; then nothing is written.
    pub async fn settle_clock(
        &mut self,
        game: &GameId,
        settled: &[Settled],
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        for Settled { ply, before, agreed } in settled {
            let done = sqlx::query(
                "UPDATE moves SET agreed_received = ?, agreed_sent = ?, agreed_days = ?, agreed_total = ?, agreed_penalty = ?
                 WHERE game = ? AND ply = ? AND agreed_received IS ? AND agreed_sent IS ? AND agreed_days IS ?
                     AND agreed_total IS ? AND agreed_penalty IS ?",
            )
            .bind(agreed.received)
            .bind(agreed.sent)
            .bind(agreed.days)
            .bind(agreed.total)
            .bind(agreed.penalty)
            .bind(key)
            .bind(ply)
            .bind(before.received)
            .bind(before.sent)
            .bind(before.days)
            .bind(before.total)
            .bind(before.penalty)
            .execute(&mut *tx)
            .await?;
            if done.rows_affected() == 0 {
                tx.rollback().await?;
                self.checkin(db);
                return Err(StoreError::Settled { game: game.clone(), ply: *ply });
            }
        }
        put_event(&mut tx, event, None, now).await?;
        let act = Act::SettleClock { game: game.clone(), settled: settled.to_vec(), event: event.clone() };
        put(&mut tx, &act, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Changes the rules of a game from what the caller saw, on the player's word, with the journal's line about why.
    ///
    /// # Errors
    /// [`StoreError::RulesChanged`] when they were others; then nothing is written.
    pub async fn set_rules(
        &mut self,
        game: &GameId,
        (before, rules): (&RulesetChoice, &RulesetChoice),
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let done = sqlx::query("UPDATE games SET rules = ? WHERE id = ? AND rules = ?")
            .bind(json!(rules).to_string())
            .bind(key)
            .bind(json!(before).to_string())
            .execute(&mut *tx)
            .await?;
        if done.rows_affected() == 0 {
            tx.rollback().await?;
            self.checkin(db);
            return Err(StoreError::RulesChanged { game: game.clone() });
        }
        put_event(&mut tx, event, None, now).await?;
        let act =
            Act::SetRules { game: game.clone(), before: before.clone(), rules: rules.clone(), event: event.clone() };
        put(&mut tx, &act, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The plies of other games that the mail of this ply gave too, each counted from 1.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn given_beside(&mut self, game: &GameId, ply: u32) -> Result<Vec<(GameId, u32)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, u32)> = sqlx::query_as(
            "SELECT others.name, beside.ply FROM games
             JOIN moves ON moves.game = games.id AND moves.ply = ?2
             JOIN moves AS beside ON beside.mail = moves.mail AND beside.game <> moves.game
             JOIN games AS others ON others.id = beside.game
             WHERE games.name = ?1 ORDER BY others.id, beside.ply",
        )
        .bind(game.as_str())
        .bind(ply)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(name, ply)| Ok((word("games.name", name)?, ply))).collect()
    }

    /// What the player settled of a game, oldest first: dates and days, illegal moves, and values of its rules.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn settlements(&mut self, game: &GameId) -> Result<Vec<Settlement>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<acts::Row> = sqlx::query_as(
            "SELECT id, at, kind, body FROM acts
             WHERE kind IN ('settle-clock', 'illegal', 'set-rules', 'remove-clock-note')
               AND body ->> '$.game' IN (SELECT name FROM names WHERE game = (SELECT game FROM names WHERE name = ?)) ORDER BY id",
        )
        .bind(game.as_str())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let acts: Result<Vec<Performed>, StoreError> = rows.into_iter().map(acts::performed).collect();
        Ok(acts?.into_iter().filter_map(settlement).collect())
    }
}

fn settlement(Performed { at, act, .. }: Performed) -> Option<Settlement> {
    let (plies, event) = match act {
        Act::SettleClock { settled, event, .. } => (settled.iter().map(|settled| settled.ply).collect(), event),
        Act::Illegal { ply, event, .. } => (vec![ply], event),
        Act::SetRules { event, .. } => (Vec::new(), event),
        Act::RemoveClockNote { note, event, .. } => (vec![note.ply], event),
        _ => return None,
    };
    Some(Settlement { at, plies, text: event.text })
}
