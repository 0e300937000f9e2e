//! Servers in trouble, their logins, and the mails that wait for them.
//!
//! What will surprise you: a login counts from before it is tried, so that a crash in the middle of it is no way round the limit.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Connection, FromRow};

use super::changes::commit;
use super::error::StoreError;
use super::outbox::{OutboxRow, OutboxState};
use super::{Store, open};

/// No server and no mail is left alone for longer than this; a time that lies farther ahead is of a clock that was wrong.
const LONGEST: TimeDelta = TimeDelta::hours(1);

/// How a login ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum LoginOutcome {
    /// Let in.
    Ok,
    /// The password was refused.
    Refused,
    /// It came to no answer, or nothing came of it.
    Failed,
    /// The server was not shown the password: this is no login.
    Unreached,
}

/// Trouble of a server that is not over.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Trouble {
    /// The first failure.
    pub since: DateTime<Utc>,
    /// How many there were in a row.
    pub failures: u32,
    /// It is not asked again before this.
    pub until: DateTime<Utc>,
    /// Of the last failure, in words.
    pub reason: String,
}

/// Mails that wait to go out though they are due, or were tried.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Waiting {
    /// How many.
    pub mails: u32,
    /// Since when the oldest of them waits.
    pub since: DateTime<Utc>,
    /// Why, where a try of it failed.
    pub reason: Option<String>,
}

impl Store {
    /// Notes a login before it is tried, as one of which nothing came; gives its number.
    ///
    /// # Errors
    /// Those of writing the database; it must then not be tried.
    pub async fn begin_login(&mut self, source: &str, at: DateTime<Utc>) -> Result<i64, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let number = sqlx::query("INSERT INTO logins (source, at, outcome) VALUES (?, ?, ?)")
            .bind(source)
            .bind(at)
            .bind(LoginOutcome::Failed)
            .execute(&mut *tx)
            .await?
            .last_insert_rowid();
        commit(tx).await?;
        self.checkin(db);
        Ok(number)
    }

    /// Keeps how a login ended.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn end_login(&mut self, number: i64, outcome: LoginOutcome) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("UPDATE logins SET outcome = ? WHERE id = ?").bind(outcome).bind(number).execute(&mut *tx).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The logins at a source since an instant and up to `now`, oldest first: all, or those of which nothing came. A later one is of a clock
    /// that ran ahead, and keeps nobody out.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn logins(
        &mut self,
        source: &str,
        all: bool,
        since: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let times = sqlx::query_scalar(
            "SELECT at FROM logins WHERE source = ? AND at BETWEEN ? AND ?
                 AND (outcome IN ('refused', 'failed') OR (? AND outcome = 'ok')) ORDER BY at",
        )
        .bind(source)
        .bind(since)
        .bind(now)
        .bind(all)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(times)
    }

    /// Trouble of a server, if it has any. What a wrong clock put off for long is due at `now`.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn outage(&mut self, source: &str, now: DateTime<Utc>) -> Result<Option<Trouble>, StoreError> {
        let mut db = self.checkout().await?;
        let trouble: Option<Trouble> =
            sqlx::query_as("SELECT since, failures, until, reason FROM outages WHERE source = ?")
                .bind(source)
                .fetch_optional(&mut db)
                .await?;
        self.checkin(db);
        Ok(trouble.map(|trouble| match trouble.until - now > LONGEST {
            true => Trouble { until: now, ..trouble },
            false => trouble,
        }))
    }

    /// Keeps that a server failed once more, and until when it is left alone.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn note_outage(
        &mut self,
        source: &str,
        reason: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query(
            "INSERT INTO outages (source, since, failures, until, reason) VALUES (?1, ?2, 1, ?3, ?4)
             ON CONFLICT (source) DO UPDATE SET failures = failures + 1, until = ?3, reason = ?4",
        )
        .bind(source)
        .bind(now)
        .bind(until)
        .bind(reason)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Keeps with each mail that is due why it waits: the server is in trouble. It is no try of the mail.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn note_reason(&mut self, reason: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for sql in [
            "UPDATE outbox SET last_error = ?1
             WHERE state = 'queued' AND ifnull(next_attempt_at, ?2) <= ?2 AND last_error IS NOT ?1",
            "UPDATE releases SET last_error = ?1
             WHERE state = 'queued' AND max(not_before, ifnull(next_attempt_at, not_before)) <= ?2 AND last_error IS NOT ?1",
        ] {
            sqlx::query(sql).bind(reason).bind(now).execute(&mut *tx).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The trouble of a server is over, if it had any.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn end_outage(&mut self, source: &str) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let is_noted: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM outages WHERE source = ?)")
            .bind(source)
            .fetch_one(&mut db)
            .await?;
        if is_noted {
            let mut tx = db.begin_with(open::WRITE).await?;
            sqlx::query("DELETE FROM outages WHERE source = ?").bind(source).execute(&mut *tx).await?;
            commit(tx).await?;
        }
        self.checkin(db);
        Ok(())
    }

    /// The mails that wait to be handed over since before `now`, with the newest reason that one of them was given; `None` where none does.
    /// A release waits from the moment on at which it cannot be recalled any more.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn waiting(&mut self, now: DateTime<Utc>) -> Result<Option<Waiting>, StoreError> {
        let mut db = self.checkout().await?;
        let waiting: Option<Waiting> = sqlx::query_as(
            "WITH mails AS (
                 SELECT created_at AS since, last_error AS reason FROM outbox WHERE state = 'queued'
                 UNION ALL SELECT not_before, last_error FROM releases WHERE state = 'queued' AND not_before <= ?1)
             SELECT count(*) AS mails, min(since) AS since,
                    (SELECT reason FROM mails WHERE reason IS NOT NULL ORDER BY since LIMIT 1) AS reason
             FROM mails HAVING count(*) > 0",
        )
        .bind(now)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(waiting)
    }

    /// The mails whose time to be sent has come, oldest first; of a game none that is younger than one that still waits.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn due(&mut self, now: DateTime<Utc>) -> Result<Vec<OutboxRow>, StoreError> {
        let mut rows = Vec::new();
        for (id, _) in self.due_keys(now).await? {
            rows.extend(self.outgoing(id).await?);
        }
        Ok(rows)
    }

    /// The keys of the same, each with that of its game.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn due_keys(&mut self, now: DateTime<Utc>) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
        #[derive(FromRow)]
        struct Open {
            id: i64,
            game: Option<i64>,
            state: OutboxState,
            last_attempt_at: Option<DateTime<Utc>>,
            next_attempt_at: Option<DateTime<Utc>>,
        }
        let mut db = self.checkout().await?;
        let open: Vec<Open> = sqlx::query_as(
            "SELECT id, game, state, last_attempt_at, next_attempt_at FROM outbox
             WHERE state IN ('queued', 'sending', 'unknown') ORDER BY id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let (mut due, mut waiting) = (Vec::new(), HashSet::new());
        for mail in open {
            let follows = mail.game.is_some_and(|game| waiting.contains(&game));
            let is_due = mail.next_attempt_at.is_none_or(|at| at <= now || at - now > LONGEST);
            match mail.state {
                OutboxState::Queued if is_due && !follows => due.push((mail.id, mail.game)),
                // nobody may ever find out what became of it: the next one waits for an hour at most
                OutboxState::Unknown if mail.last_attempt_at.is_none_or(|at| (now - at).abs() > LONGEST) => {}
                _ => waiting.extend(mail.game),
            }
        }
        Ok(due)
    }

    /// The next instant at which something waits to be handed over: that of a mail without a time is `now`.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn next_due(&mut self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let next: Option<DateTime<Utc>> = sqlx::query_scalar(
            "SELECT min(at) FROM (
                 SELECT ifnull(next_attempt_at, ?1) AS at FROM outbox WHERE state = 'queued'
                 UNION ALL SELECT max(not_before, ifnull(next_attempt_at, not_before)) FROM releases WHERE state = 'queued')",
        )
        .bind(now)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(next)
    }

    /// The mails to the player that were given up wait to be sent again, with the same bytes; gives how many.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn deliver_again(&mut self) -> Result<u64, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = sqlx::query(
            "UPDATE outbox SET state = 'queued', attempts = 0, next_attempt_at = NULL WHERE state = 'failed'",
        )
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(done.rows_affected())
    }
}
