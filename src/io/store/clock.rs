//! What was settled and said about the clocks: leave, announcements, repeats, agreed dates and days, and values of a game's rules.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act, Performed, put};
use super::bounces::noted_anew;
use super::error::StoreError;
use super::games::grouped;
use super::moves::check_unchanged;
use super::outbox::{LetterRef, Outgoing, enqueue};
use super::record::{EventRow, put_event};
use super::rows::{integer, key_of, word};
use super::{Store, open};
use crate::domain::clock::rules::RulesetChoice;
use crate::domain::game::{Agreed, ClockNote, GameId, Leave};

/// Stores a leave at its place in the game's list.
pub(super) async fn put_leave(
    db: &mut SqliteConnection,
    game: i64,
    position: usize,
    leave: &Leave,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO leaves (game, position, side, from_day, to_day, announced) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(game)
        .bind(integer(position))
        .bind(leave.side.word())
        .bind(leave.from)
        .bind(leave.to)
        .bind(leave.announced)
        .execute(db)
        .await?;
    Ok(())
}

/// Stores an announcement or a repeat at its place in the game's list.
pub(super) async fn put_clock_note(
    db: &mut SqliteConnection,
    game: i64,
    position: usize,
    note: &ClockNote,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO clock_notes (game, position, ply, kind, on_day, until_day) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(game)
        .bind(integer(position))
        .bind(note.ply)
        .bind(note.kind.word())
        .bind(note.on)
        .bind(note.until)
        .execute(db)
        .await?;
    Ok(())
}

/// Adds a note about the ply that is due.
async fn add_clock_note(db: &mut SqliteConnection, game: &GameId, note: &ClockNote) -> Result<(), StoreError> {
    let key = key_of(db, game).await?;
    let plies = usize::try_from(note.ply.saturating_sub(1)).unwrap_or(usize::MAX);
    check_unchanged(db, key, game, plies).await?;
    let position =
        next_position(db, "SELECT ifnull(max(position) + 1, 0) FROM clock_notes WHERE game = ?", key).await?;
    put_clock_note(db, key, position, note).await?;
    noted_anew(db, key, note).await
}

/// A note that a mail makes, of the player's or of the opponent's, whose SHA-256 is given; the journal is that mail's.
pub(super) async fn note_by_mail(
    db: &mut SqliteConnection,
    game: &GameId,
    note: ClockNote,
    sha256: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    add_clock_note(db, game, &note).await?;
    let notes = vec![(game.clone(), note)];
    let by = Some(sha256.to_owned());
    put(db, &Act::Care { leaves: Vec::new(), notes, letters: Vec::new(), events: Vec::new(), by }, now).await
}

/// What the player does for his clocks, in one step: leave, notes, letters, and what the journal tells of it.
#[derive(Debug, Clone, Default)]
pub struct Care {
    /// Leave that is entered.
    pub leaves: Vec<(GameId, Leave)>,
    /// An announcement or a repeat about the ply that is due.
    pub notes: Vec<(GameId, ClockNote)>,
    /// Letters to the player.
    pub outgoing: Vec<Outgoing>,
    /// What the journal tells.
    pub events: Vec<EventRow>,
}

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
    /// Keeps what the player does for his clocks, all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError::Moved`] or [`StoreError::Finished`] when a note is about a ply that is not due any more.
    pub async fn take_care(&mut self, care: &Care, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for (game, leave) in &care.leaves {
            let key = key_of(&mut tx, game).await?;
            let position =
                next_position(&mut tx, "SELECT ifnull(max(position) + 1, 0) FROM leaves WHERE game = ?", key).await?;
            put_leave(&mut tx, key, position, leave).await?;
        }
        for (game, note) in &care.notes {
            add_clock_note(&mut tx, game, note).await?;
        }
        for outgoing in &care.outgoing {
            enqueue(&mut tx, outgoing, None, now).await?;
        }
        for event in &care.events {
            put_event(&mut tx, event, None, now).await?;
        }
        let Care { leaves, notes, events, .. } = care.clone();
        let letters = care.outgoing.iter().map(LetterRef::of).collect();
        put(&mut tx, &Act::Care { leaves, notes, letters, events, by: None }, now).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }

    /// Takes leave out of games, wherever exactly this one was entered; false where it was not. The journal keeps that it stood there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn remove_leave(
        &mut self,
        leaves: &[(GameId, Leave)],
        events: &[EventRow],
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let mut removed = true;
        for (game, leave) in leaves {
            let key = key_of(&mut tx, game).await?;
            let gone = sqlx::query("DELETE FROM leaves WHERE game = ? AND side = ? AND from_day = ? AND to_day = ?")
                .bind(key)
                .bind(leave.side.word())
                .bind(leave.from)
                .bind(leave.to)
                .execute(&mut *tx)
                .await?;
            removed &= gone.rows_affected() > 0;
        }
        if removed {
            for event in events {
                put_event(&mut tx, event, None, now).await?;
            }
            put(&mut tx, &Act::RemoveLeave { leaves: leaves.to_vec(), events: events.to_vec() }, now).await?;
            tx.commit().await?;
        } else {
            tx.rollback().await?;
        }
        self.checkin(db);
        Ok(removed)
    }

    /// Takes a note on a clock out of a game; false where it is not on record. The journal keeps that it stood there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn remove_clock_note(
        &mut self,
        game: &GameId,
        note: &ClockNote,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let gone = sqlx::query(
            "DELETE FROM clock_notes WHERE game = ? AND ply = ? AND kind = ? AND on_day = ? AND until_day IS ?",
        )
        .bind(key)
        .bind(note.ply)
        .bind(note.kind.word())
        .bind(note.on)
        .bind(note.until)
        .execute(&mut *tx)
        .await?;
        let is_removed = gone.rows_affected() > 0;
        if is_removed {
            put_event(&mut tx, event, None, now).await?;
            put(&mut tx, &Act::RemoveClockNote { game: game.clone(), note: *note, event: event.clone() }, now).await?;
        }
        tx.commit().await?;
        self.checkin(db);
        Ok(is_removed)
    }

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
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }
}

impl Store {
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
        tx.commit().await?;
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
             WHERE kind IN ('settle-clock', 'illegal', 'set-rules', 'remove-clock-note') AND body ->> '$.game' = ? ORDER BY id",
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

/// The first free place behind the list of a game.
async fn next_position(db: &mut SqliteConnection, sql: &'static str, game: i64) -> Result<usize, StoreError> {
    let position: i64 = sqlx::query_scalar(sql).bind(game).fetch_one(db).await?;
    Ok(usize::try_from(position).unwrap_or_default())
}

/// The leaves of these games, by their keys.
pub(super) async fn leaves(db: &mut SqliteConnection, keys: &str) -> Result<HashMap<i64, Vec<Leave>>, StoreError> {
    let rows: Vec<(i64, String, NaiveDate, NaiveDate, Option<NaiveDate>)> = sqlx::query_as(
        "SELECT game, side, from_day, to_day, announced FROM leaves WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, position",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let leave =
        |(game, side, from, to, announced)| Ok((game, Leave { side: word("leaves.side", side)?, from, to, announced }));
    grouped(rows.into_iter().map(leave))
}

/// Their announcements and repeats.
pub(super) async fn clock_notes(
    db: &mut SqliteConnection,
    keys: &str,
) -> Result<HashMap<i64, Vec<ClockNote>>, StoreError> {
    let rows: Vec<(i64, u32, String, NaiveDate, Option<NaiveDate>)> = sqlx::query_as(
        "SELECT game, ply, kind, on_day, until_day FROM clock_notes WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, position",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    let note =
        |(game, ply, kind, on, until)| Ok((game, ClockNote { ply, kind: word("clock_notes.kind", kind)?, on, until }));
    grouped(rows.into_iter().map(note))
}
