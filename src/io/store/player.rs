//! What waits for the player, and what he decides about it.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow};

use super::error::StoreError;
use super::moves::{NewMove, append};
use super::outbox::{Outgoing, enqueue};
use super::record::{EventRow, note_message_id, put_event};
use super::rows::{json, key_of, word};
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
    /// A word of the contract.
    pub outcome: String,
    /// Why it waits, in words.
    pub reason: String,
    /// The legal readings.
    pub candidates: Vec<NumericMove>,
    /// Who the mail says it is from.
    pub from_address: Option<String>,
    /// The mail's subject.
    pub subject: String,
    /// When our server took the mail.
    pub server_date: Option<DateTime<Utc>>,
    /// When it was decided.
    pub decided_at: DateTime<Utc>,
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
    from_address: Option<String>,
    subject: String,
    server_date: Option<DateTime<Utc>>,
    decided_at: DateTime<Utc>,
}

impl TryFrom<HeldRow> for Held {
    type Error = StoreError;

    fn try_from(row: HeldRow) -> Result<Held, StoreError> {
        Ok(Held {
            verdict: row.verdict,
            mail: row.mail,
            game: row.game.map(|name| word("games.name", name)).transpose()?,
            outcome: row.outcome,
            reason: row.reason,
            candidates: json("verdicts.candidates", &row.candidates)?,
            from_address: row.from_address,
            subject: row.subject,
            server_date: row.server_date,
            decided_at: row.decided_at,
        })
    }
}

impl Store {
    /// What waits for the player, oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn held(&mut self) -> Result<Vec<Held>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<HeldRow> = sqlx::query_as(
            "SELECT verdicts.id AS verdict, mails.id AS mail, games.name AS game, outcome, reason, candidates, from_address,
                    subject, server_date, decided_at
             FROM verdicts JOIN mails ON mails.id = verdicts.mail LEFT JOIN games ON games.id = verdicts.game
             WHERE open = 1 ORDER BY verdicts.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(Held::try_from).collect()
    }

    /// Settles what waited for the player, with the move he read in the mail and what goes out for it, if any.
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
        let mail: Option<(i64, Option<String>)> = sqlx::query_as(
            "UPDATE verdicts SET open = 0 WHERE id = ? AND open = 1
             RETURNING mail, (SELECT message_id FROM mails WHERE mails.id = verdicts.mail)",
        )
        .bind(verdict)
        .fetch_optional(&mut *tx)
        .await?;
        let waited = mail.is_some();
        if let Some((mail, message_id)) = mail {
            if let Some(read) = read {
                let game = append(&mut tx, read, Some(mail), now).await?;
                if let Some(message_id) = message_id {
                    note_message_id(&mut tx, game, &message_id).await?;
                }
            }
            for outgoing in outgoing {
                enqueue(&mut tx, outgoing, None, now).await?;
            }
            put_event(&mut tx, event, Some(mail), now).await?;
        }
        tx.commit().await?;
        self.checkin(db);
        Ok(waited)
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
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }
}
