//! What waits for the player, and what he decides about it.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::acts::{self, About, Act};
use super::changes::commit;
use super::error::StoreError;
use super::moves::{NewMove, append};
use super::outbox::{LetterRef, Outgoing, enqueue};
use super::record::{EventRow, note_message_id, put_event};
use super::rows::{json, key_of, word};
use super::unheard::{PUT_AWAY, SETTLED};
use super::{Store, open};
use crate::domain::game::GameId;
use crate::domain::notation::NumericMove;

/// A verdict that waits for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The verdict's key.
    pub verdict: i64,
    /// The mail's key.
    pub mail: i64,
    /// Of which game, if that is known.
    pub game: Option<GameId>,
    /// The games in which it may be the opponent's answer: that one, or else all running games with its sender; none of the player's own.
    pub may_answer: Vec<GameId>,
    /// A word of the contract.
    pub outcome: String,
    /// Why it waits, in words.
    pub reason: String,
    /// The legal readings.
    pub candidates: Vec<NumericMove>,
    /// The player's last move as the mail repeats it, where another one is on record.
    pub read_as: Option<String>,
    /// Who the mail says it is from.
    pub from_address: Option<String>,
    /// The mail's subject.
    pub subject: String,
    /// The mail's Message-ID.
    pub message_id: Option<String>,
    /// When our server took the mail.
    pub server_date: Option<DateTime<Utc>>,
    /// When it was decided.
    pub decided_at: DateTime<Utc>,
    /// When a question about it was last drafted.
    pub asked_at: Option<DateTime<Utc>>,
}

impl Held {
    /// The instant from which the mail counts as received: when our server took it, else when it was read.
    pub fn arrived(&self) -> DateTime<Utc> {
        self.server_date.unwrap_or(self.decided_at)
    }

    /// The line of the journal that puts it away.
    pub fn put_away(&self) -> EventRow {
        let text = format!("you put mail {} away", self.mail);
        EventRow { game: self.game.clone(), kind: "ignored".to_owned(), text }
    }
}

/// What became of a question about a held mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// It waits to go out to the player.
    Drafted,
    /// One was drafted before; nothing was written.
    AskedBefore(DateTime<Utc>),
    /// The mail is not held any more; nothing was written.
    Settled,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Event {
    /// When.
    pub at: DateTime<Utc>,
    /// In one word.
    pub kind: String,
    /// In a sentence.
    pub text: String,
    /// The mail that it is about.
    pub mail: Option<i64>,
}

#[derive(FromRow)]
struct HeldRow {
    verdict: i64,
    mail: i64,
    game: Option<String>,
    outcome: String,
    reason: String,
    candidates: String,
    read_as: Option<String>,
    from_address: Option<String>,
    subject: String,
    message_id: Option<String>,
    server_date: Option<DateTime<Utc>>,
    decided_at: DateTime<Utc>,
    asked_at: Option<DateTime<Utc>>,
}

impl HeldRow {
    fn held(self, may_answer: Vec<GameId>) -> Result<Held, StoreError> {
        let row = self;
        Ok(Held {
            verdict: row.verdict,
            mail: row.mail,
            game: row.game.map(|name| word("games.name", name)).transpose()?,
            may_answer,
            outcome: row.outcome,
            reason: row.reason,
            candidates: json("verdicts.candidates", &row.candidates)?,
            read_as: row.read_as,
            from_address: row.from_address,
            subject: row.subject,
            message_id: row.message_id,
            server_date: row.server_date,
            decided_at: row.decided_at,
            asked_at: row.asked_at,
        })
    }
}

impl Store {
    /// How many mails of this outcome were decided since an instant and wait for the player; of one game, where it is named.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn held_since(
        &mut self,
        outcome: &str,
        game: Option<&GameId>,
        since: DateTime<Utc>,
    ) -> Result<i64, StoreError> {
        let mut db = self.checkout().await?;
        let count = sqlx::query_scalar(
            "SELECT count(DISTINCT mail) FROM verdicts WHERE open = 1 AND outcome = ? AND decided_at >= ?
                 AND (?3 IS NULL OR game = (SELECT id FROM games WHERE name = ?3))",
        )
        .bind(outcome)
        .bind(since)
        .bind(game.map(GameId::as_str))
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(count)
    }

    /// What waits for the player, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn held(&mut self) -> Result<Vec<Held>, StoreError> {
        self.held_where("open = 1").await
    }

    /// The verdicts of which a condition holds, oldest first.
    pub(super) async fn held_where(&mut self, condition: &str) -> Result<Vec<Held>, StoreError> {
        let mut db = self.checkout().await?;
        let sql = format!(
            "SELECT verdicts.id AS verdict, mails.id AS mail, games.name AS game, outcome, reason, candidates, read_as, from_address,
                    subject, message_id, server_date, decided_at,
                    (SELECT asked_at FROM questions WHERE questions.verdict = verdicts.id ORDER BY id DESC LIMIT 1) AS asked_at
             FROM verdicts JOIN mails ON mails.id = verdicts.mail LEFT JOIN games ON games.id = verdicts.game
             WHERE {condition} ORDER BY verdicts.id"
        );
        let rows: Vec<HeldRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut db).await?;
        let mut held = Vec::with_capacity(rows.len());
        for row in rows {
            let may_answer = may_answer(&mut db, &row).await?;
            held.push(row.held(may_answer)?);
        }
        self.checkin(db);
        Ok(held)
    }

    /// Settles what waited for the player, with the move he read in the mail and what goes out for it, if any.
    /// A question about it that has not gone out is cancelled. A move may also be read in a mail that he put away.
    /// False when it waits no more: then nothing is written.
    ///
    /// # Errors
    /// [`StoreError::Moved`], [`StoreError::NoPlan`] or [`StoreError::Finished`] when the game has changed meanwhile.
    pub async fn settle_verdict(
        &mut self,
        verdict: i64,
        read: Option<&NewMove>,
        outgoing: &[Outgoing],
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let waited = settle(&mut tx, verdict, (read, outgoing), event, None, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(waited)
    }

    /// Puts a question about what waits into the outbox, once unless `again`, and in place of one that has not gone out. What it asks about
    /// goes on waiting.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn ask(
        &mut self,
        verdict: i64,
        again: bool,
        letter: &Outgoing,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<Asking, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let asking = put_question(&mut tx, verdict, again, letter, event, None, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(asking)
    }

    /// The journal of a game, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn events(&mut self, game: &GameId) -> Result<Vec<Event>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let events = sqlx::query_as("SELECT at, kind, text, mail FROM events WHERE game = ? ORDER BY id")
            .bind(key)
            .fetch_all(&mut *tx)
            .await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(events)
    }

    /// Adds a line to the journal that no mail caused.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn note(&mut self, event: &EventRow, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        put_event(&mut tx, event, None, now).await?;
        acts::put(&mut tx, &Act::Note { event: event.clone() }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

async fn may_answer(db: &mut SqliteConnection, row: &HeldRow) -> Result<Vec<GameId>, StoreError> {
    let names = match (row.outcome.as_str(), &row.game, &row.from_address) {
        ("own", ..) | (_, None, None) => Vec::new(),
        (_, Some(game), _) => vec![game.clone()],
        (_, None, Some(from)) => {
            sqlx::query_scalar(
                "SELECT DISTINCT games.name FROM addresses JOIN games ON games.id = addresses.game
                 WHERE address = ? COLLATE NOCASE AND side <> me AND result IS NULL ORDER BY games.name",
            )
            .bind(from)
            .fetch_all(db)
            .await?
        }
    };
    names.into_iter().map(|name| word("games.name", name)).collect()
}

/// Settles what waited, with its act; `by` is the hash of the mail that commanded it.
pub(super) async fn settle(
    tx: &mut SqliteConnection,
    verdict: i64,
    (read, outgoing): (Option<&NewMove>, &[Outgoing]),
    event: &EventRow,
    by: Option<&str>,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let sql = format!(
        "UPDATE verdicts SET open = 0 WHERE id = ? AND (open = 1 OR (? AND {SETTLED} AND {PUT_AWAY}))
         RETURNING mail, (SELECT message_id FROM mails WHERE mails.id = verdicts.mail)"
    );
    let mail: Option<(i64, Option<String>)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(verdict).bind(read.is_some()).fetch_optional(&mut *tx).await?;
    let waited = mail.is_some();
    if let Some((mail, message_id)) = mail {
        if let Some(read) = read {
            let game = append(&mut *tx, read, Some(mail), now).await?;
            if let Some(message_id) = message_id {
                note_message_id(&mut *tx, game, &message_id).await?;
            }
        }
        close_sent(&mut *tx, verdict).await?;
        cancel_queued_questions(&mut *tx, verdict).await?;
        for outgoing in outgoing {
            enqueue(&mut *tx, outgoing, None, now).await?;
        }
        put_event(&mut *tx, event, Some(mail), now).await?;
        let act = Act::Settle {
            about: About::of(&mut *tx, verdict).await?,
            read: read.cloned(),
            letters: outgoing.iter().map(LetterRef::of).collect(),
            event: event.clone(),
            by: by.map(str::to_owned),
        };
        acts::put(&mut *tx, &act, now).await?;
    }
    Ok(waited)
}

/// Puts a question into the outbox, with its act; `by` is the hash of the mail that commanded it.
pub(super) async fn put_question(
    tx: &mut SqliteConnection,
    verdict: i64,
    again: bool,
    letter: &Outgoing,
    event: &EventRow,
    by: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Asking, StoreError> {
    let waits: Option<(i64, Option<DateTime<Utc>>)> = sqlx::query_as(
        "SELECT mail, (SELECT asked_at FROM questions WHERE questions.verdict = verdicts.id ORDER BY id DESC LIMIT 1)
         FROM verdicts WHERE id = ? AND open = 1",
    )
    .bind(verdict)
    .fetch_optional(&mut *tx)
    .await?;
    let asking = match waits {
        None => Asking::Settled,
        Some((_, Some(before))) if !again => Asking::AskedBefore(before),
        Some((mail, _)) => {
            cancel_queued_questions(&mut *tx, verdict).await?;
            enqueue(&mut *tx, letter, None, now).await?;
            sqlx::query(
                "INSERT INTO questions (verdict, outbox, asked_at) SELECT ?, id, ? FROM outbox WHERE message_id = ?",
            )
            .bind(verdict)
            .bind(now)
            .bind(&letter.message_id)
            .execute(&mut *tx)
            .await?;
            put_event(&mut *tx, event, Some(mail), now).await?;
            let (about, letter) = (About::of(&mut *tx, verdict).await?, LetterRef::of(letter));
            acts::put(
                &mut *tx,
                &Act::Ask { about, again, letter, event: event.clone(), by: by.map(str::to_owned) },
                now,
            )
            .await?;
            Asking::Drafted
        }
    };
    Ok(asking)
}

/// What the player has looked at is not flagged any more.
async fn close_sent(db: &mut SqliteConnection, verdict: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE sent SET open = 0 WHERE (mail, game) IN (SELECT mail, game FROM verdicts WHERE id = ?)")
        .bind(verdict)
        .execute(db)
        .await?;
    Ok(())
}

/// A question that has not gone out to the player is not wanted any more.
pub(super) async fn cancel_queued_questions(db: &mut SqliteConnection, verdict: i64) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE outbox SET state = 'cancelled'
         WHERE state = 'queued' AND id IN (SELECT outbox FROM questions WHERE verdict = ?)",
    )
    .bind(verdict)
    .execute(db)
    .await?;
    Ok(())
}
