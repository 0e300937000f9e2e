//! What a folder lists, held against the ledger: what is new in it, what is passed over, and from where on it is listed again.

use chrono::{DateTime, Utc};
use sqlx::Connection;

use super::changes::commit;
use super::error::StoreError;
use super::inbox::{Arrival, insert};
use super::{Store, open};

impl Store {
    /// Notes messages that are passed over, with the reason; those that are known already stay as they are.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn pass_over(&mut self, arrivals: &[Arrival], why: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for arrival in arrivals {
            insert(&mut tx, arrival, Some(why), now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }

    /// Takes back that messages were passed over which the server took on this instant or later: they wait to be read. Gives how many.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn take_passed(&mut self, since: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut db = self.checkout().await?;
        let taken = sqlx::query(
            "UPDATE arrivals SET state = 'open', reason = NULL WHERE state = 'passed' AND server_date >= ? AND EXISTS
                 (SELECT 1 FROM cursors WHERE (cursors.source, cursors.folder, cursors.epoch)
                                            = (arrivals.source, arrivals.folder, arrivals.epoch))",
        )
        .bind(since)
        .execute(&mut db)
        .await?;
        self.checkin(db);
        Ok(taken.rows_affected())
    }

    /// Has messages asked for again that were set aside because the server did not give them, the last time before an instant.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn ask_again(
        &mut self,
        (source, folder, epoch): (&str, &str, u32),
        before: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        sqlx::query(
            "UPDATE arrivals SET state = 'open', reason = NULL, refused = refused - 1
             WHERE state = 'set-aside' AND refused > 0 AND refused_at < ? AND source = ? AND folder = ? AND epoch = ?",
        )
        .bind(before)
        .bind(source)
        .bind(folder)
        .bind(epoch)
        .execute(&mut db)
        .await?;
        self.checkin(db);
        Ok(())
    }

    /// Those of these UIDs that have no row yet.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn without_row(
        &mut self,
        (source, folder, epoch): (&str, &str, u32),
        uids: &[u32],
    ) -> Result<Vec<u32>, StoreError> {
        let mut db = self.checkout().await?;
        let unknown = sqlx::query_scalar(
            "SELECT value FROM json_each(?) WHERE NOT EXISTS
                 (SELECT 1 FROM arrivals WHERE source = ? AND folder = ? AND epoch = ? AND uid = CAST(value AS TEXT)) ORDER BY key",
        )
        .bind(serde_json::json!(uids).to_string())
        .bind(source)
        .bind(folder)
        .bind(epoch)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(unknown)
    }

    /// When the server took the newest message of a folder that has a row, whatever its number was.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn newest_in(&mut self, source: &str, folder: &str) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let newest = sqlx::query_scalar("SELECT max(server_date) FROM arrivals WHERE source = ? AND folder = ?")
            .bind(source)
            .bind(folder)
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(newest)
    }

    /// The lowest UID of the messages of a folder that the server took on this instant or later.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn lowest_uid(
        &mut self,
        (source, folder, epoch): (&str, &str, u32),
        since: DateTime<Utc>,
    ) -> Result<Option<u32>, StoreError> {
        let mut db = self.checkout().await?;
        let lowest = sqlx::query_scalar(
            "SELECT min(CAST(uid AS INTEGER)) FROM arrivals
             WHERE source = ? AND folder = ? AND epoch = ? AND server_date >= ?",
        )
        .bind(source)
        .bind(folder)
        .bind(epoch)
        .bind(since)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(lowest)
    }
}
