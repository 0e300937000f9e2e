//! What the record says about the clock of this machine: the newest instants, and the player's word that it is right after it ran ahead.
//!
//! What will surprise you: the word changes no instant that is on record. It only says which of them are asked, those that came on record
//! after it, and takes back what would wait for an instant of the wrong clock.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::acts::{Act, put};
use super::changes::commit;
use super::error::StoreError;
use super::record::{EventRow, put_event};
use super::{Store, open};
use crate::domain::clock::trust::{Distrust, RELEASED, Witnesses, distrust};

/// The newest instant. An index gives each part of it; every mail that was read is an act too.
const NEWEST: &str =
    "WITH word AS (SELECT id, body ->> '$.last_mail' AS mail FROM acts WHERE kind = 'clock-right' ORDER BY id DESC LIMIT 1)
    SELECT max(at) FROM (
        SELECT at FROM (SELECT at FROM acts WHERE +id >= ifnull((SELECT id FROM word), 0) ORDER BY at DESC LIMIT 1)
        UNION ALL SELECT server_date FROM (
            SELECT server_date FROM mails WHERE server_date > taken_at AND taken_at >= ?
                AND +id > ifnull((SELECT mails.id FROM mails JOIN word ON sha256 = unhex(word.mail)), 0)
                AND EXISTS (SELECT 1 FROM arrivals WHERE arrivals.mail = mails.id)
            ORDER BY server_date DESC LIMIT 1))";

/// No mail and no draft waits longer for its next try.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// The commands and mails whose instants are later than an instant, of those that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Later {
    /// How many.
    pub count: u32,
    /// The first of them.
    pub first: Option<DateTime<Utc>>,
    /// The last.
    pub last: Option<DateTime<Utc>>,
}

/// How long this machine has run since it started, sleep included: nobody can set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// Which start it was.
    pub start: String,
    /// How long ago.
    pub passed: TimeDelta,
}

impl Count {
    /// What Linux says; `None` elsewhere, where what is at hand stands still while the machine sleeps.
    pub fn read() -> Option<Count> {
        let start = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        let passed = std::fs::read_to_string("/proc/uptime").ok()?;
        let seconds: i64 = passed.split('.').next()?.parse().ok()?;
        Some(Count { start, passed: TimeDelta::seconds(seconds) })
    }
}

impl Store {
    /// What speaks for or against the clock of this machine.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn witnesses(&mut self) -> Result<Witnesses, StoreError> {
        let newest = self.newest_instant().await?;
        let Some(count) = Count::read() else { return Ok(Witnesses { newest, elapsed: None }) };
        let mut db = self.checkout().await?;
        // a container may count its own time under the machine's name: what begins anew is no witness
        let kept: Option<(DateTime<Utc>, i64)> =
            sqlx::query_as("SELECT at, seconds FROM machine WHERE start = ? AND seconds <= ?")
                .bind(&count.start)
                .bind(count.passed.num_seconds())
                .fetch_optional(&mut db)
                .await?;
        self.checkin(db);
        Ok(Witnesses { newest, elapsed: kept.map(|(at, seconds)| at + count.passed - TimeDelta::seconds(seconds)) })
    }

    /// Why the clock of this machine is not believed at `now`, if it is not: nothing is dated for good by it then.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn clock_doubt(&mut self, now: DateTime<Utc>) -> Result<Option<Distrust>, StoreError> {
        Ok(distrust(now, self.witnesses().await?))
    }

    /// Keeps that the clock is believed at `now`, in place of the instant before; `count` is that of the same moment. What waits for an
    /// instant of a clock that was doubted meanwhile waits no longer.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn believe(&mut self, now: DateTime<Utc>, count: &Count) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("INSERT OR REPLACE INTO machine (id, start, seconds, at) VALUES (1, ?, ?, ?)")
            .bind(&count.start)
            .bind(count.passed.num_seconds())
            .bind(now)
            .execute(&mut *tx)
            .await?;
        free_waiting(&mut tx, now + LONGEST_PAUSE).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// The newest instant on record: when a mail was read or something was done by the clock of that time, or when a server of the player's
    /// took a mail of his mailbox; since his last word on the clock, if there is one. Anybody can send a mail that claims to be of next
    /// year: what a server says is only asked of mails that were read by a clock that can have been right, since then it was doubted
    /// unless provider and sender agree with it ([`is_arrival`](crate::domain::clock::trust::is_arrival)).
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn newest_instant(&mut self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let newest = sqlx::query_scalar(NEWEST).bind(RELEASED).fetch_one(&mut db).await?;
        self.checkin(db);
        Ok(newest)
    }

    /// What was done and read later than an instant, by the clock of that time, since the player's last word on the clock.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn later_than(&mut self, now: DateTime<Utc>) -> Result<Later, StoreError> {
        let mut db = self.checkout().await?;
        let later = sqlx::query_as(
            "SELECT count(*) AS count, min(at) AS first, max(at) AS last FROM acts
             WHERE at > ? AND kind <> 'settings' AND +id > ifnull((SELECT max(id) FROM acts WHERE kind = 'clock-right'), 0)",
        )
        .bind(now)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(later)
    }

    /// The newest instant at which a server took a mail of the player's mailbox.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn newest_arrival(&mut self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let newest = sqlx::query_scalar("SELECT max(server_date) FROM arrivals").fetch_one(&mut db).await?;
        self.checkin(db);
        Ok(newest)
    }

    /// The same of a mail server alone: the files of a Maildir are dated by the clock of this machine.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn newest_served(&mut self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let newest = sqlx::query_scalar("SELECT max(server_date) FROM arrivals WHERE source NOT LIKE 'maildir:%'")
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(newest)
    }

    /// Keeps the player's word that the clock is right at `now`, and that `newest`, like all that lies between, was given by a clock that
    /// ran ahead. What waits for an instant of that clock waits no longer, and what was told by it can be told again; gives how many
    /// mails waited.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn clock_right(
        &mut self,
        newest: DateTime<Utc>,
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let last_mail = sqlx::query_scalar("SELECT lower(hex(sha256)) FROM mails ORDER BY id DESC LIMIT 1")
            .fetch_optional(&mut *tx)
            .await?;
        put_event(&mut tx, event, None, now).await?;
        put(&mut tx, &Act::ClockRight { newest, last_mail, event: event.clone() }, now).await?;
        let waited = forget_waiting(&mut tx, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(waited)
    }

    /// The line of the journal with the player's last word on the clock.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn clock_word(&mut self) -> Result<Option<String>, StoreError> {
        let mut db = self.checkout().await?;
        let text = sqlx::query_scalar(
            "SELECT body ->> '$.event.text' FROM acts WHERE kind = 'clock-right' ORDER BY id DESC LIMIT 1",
        )
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(text)
    }
}

/// Mails and drafts whose next try is later than `at` are tried at once; gives how many.
async fn free_waiting(db: &mut SqliteConnection, at: DateTime<Utc>) -> Result<u64, StoreError> {
    let mut waited = 0;
    for sql in [
        "UPDATE outbox SET next_attempt_at = NULL WHERE state = 'queued' AND next_attempt_at > ?",
        "UPDATE releases SET next_attempt_at = NULL WHERE state = 'queued' AND next_attempt_at > ?",
        "UPDATE drafts SET next_attempt_at = NULL
         WHERE next_attempt_at > ? AND (state IN ('unplaced', 'placing', 'placed', 'removing')
                                        OR message_id IN (SELECT message_id FROM plans))",
    ] {
        waited += sqlx::query(sql).bind(at).execute(&mut *db).await?.rows_affected();
    }
    Ok(waited)
}

/// What was to be tried again by the wrong clock is tried at once, and what it told the player is kept under another cause: it was told of
/// days that had not come.
async fn forget_waiting(db: &mut SqliteConnection, now: DateTime<Utc>) -> Result<u64, StoreError> {
    let waited = free_waiting(db, now).await?;
    sqlx::query("UPDATE told SET cause = 'ahead/' || at || '/' || cause WHERE at > ?").bind(now).execute(db).await?;
    Ok(waited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newest_instant_is_found_by_indexes_alone() {
        let dir = tempfile::TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let mut db = store.checkout().await.unwrap();
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {NEWEST}")))
                .fetch_all(&mut db)
                .await
                .unwrap();
        let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
        for table in ["acts", "mails", "arrivals"] {
            let of_table = |step: &&&str| step.split(' ').nth(1) == Some(table);
            let steps: Vec<_> = steps.iter().filter(of_table).collect();
            assert!(!steps.is_empty() && steps.iter().all(|step| step.contains(" INDEX ")), "{table}: {steps:?}");
        }
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
    }
}
