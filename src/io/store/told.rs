//! What the player was told: each cause once, in the transaction that puts the mail into the outbox.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::Connection;

use super::changes::commit;
use super::error::StoreError;
use super::outbox::{Outgoing, enqueue};
use super::rows::word;
use super::{Store, open};
use crate::domain::game::GameId;

impl Store {
    /// Notes that the player is told of a cause and puts the mail that tells it into the outbox; without a mail, that there was nothing
    /// to tell. False when he was told before: then nothing is written.
    ///
    /// # Errors
    /// Those of writing the database; then he was not told.
    pub async fn tell(
        &mut self,
        cause: &str,
        letter: Option<&Outgoing>,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.tell_with(cause, &[], letter, now).await
    }

    /// The same, with further causes that the mail tells of, or that need none.
    ///
    /// # Errors
    /// Those of writing the database; then he was told of none.
    pub async fn tell_with(
        &mut self,
        cause: &str,
        others: &[String],
        letter: Option<&Outgoing>,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let told: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM told WHERE cause = ?)")
            .bind(cause)
            .fetch_one(&mut *tx)
            .await?;
        if !told {
            if let Some(letter) = letter {
                enqueue(&mut tx, letter, None, now).await?;
            }
            sqlx::query(
                "INSERT INTO told (cause, outbox, at) VALUES (?, (SELECT id FROM outbox WHERE message_id = ?), ?)",
            )
            .bind(cause)
            .bind(letter.map(|letter| &letter.message_id))
            .bind(now)
            .execute(&mut *tx)
            .await?;
            for other in others {
                let sql = "INSERT INTO told (cause, at) VALUES (?, ?) ON CONFLICT DO NOTHING";
                sqlx::query(sql).bind(other).bind(now).execute(&mut *tx).await?;
            }
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(!told)
    }

    /// Notes that the causes that begin so are over, so that the player can be told of them again. What he was told stays known under another
    /// name.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn untell(&mut self, beginning: &str) -> Result<(), StoreError> {
        if self.last_told(beginning).await?.is_some() {
            let mut db = self.checkout().await?;
            let sql = "UPDATE told SET cause = 'over/' || at || '/' || cause WHERE substr(cause, 1, length(?1)) = ?1";
            sqlx::query(sql).bind(beginning).execute(&mut db).await?;
            self.checkin(db);
        }
        Ok(())
    }

    /// The running games that have begun by `today` and after they were entered, and whose last move came with no mail, or that have none
    /// yet, each with the number of its plies; without those of which the player was told by a cause of `beginning`, the game and that number.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn silent_turns(&mut self, beginning: &str, today: NaiveDate) -> Result<Vec<(GameId, u32)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, u32)> = sqlx::query_as(
            "SELECT games.name, ifnull(last.ply, 0) FROM games
                 LEFT JOIN moves AS last ON last.game = games.id
                     AND last.ply = (SELECT max(ply) FROM moves WHERE game = games.id)
             WHERE games.result IS NULL AND last.mail IS NULL AND games.start_date <= ?2
                 AND games.start_date > substr(games.created_at, 1, 10)
                 AND NOT EXISTS (SELECT 1 FROM told WHERE cause = ?1 || games.name || '/' || ifnull(last.ply, 0))
             ORDER BY games.id",
        )
        .bind(beginning)
        .bind(today)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(name, plies)| Ok((word("games.name", name)?, plies))).collect()
    }

    /// How many mails told of a cause that begins so, since an instant.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn told_since(&mut self, beginning: &str, since: DateTime<Utc>) -> Result<usize, StoreError> {
        let mut db = self.checkout().await?;
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM told WHERE substr(cause, 1, length(?1)) = ?1 AND outbox IS NOT NULL AND at >= ?2",
        )
        .bind(beginning)
        .bind(since)
        .fetch_one(&mut db)
        .await?;
        self.checkin(db);
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Whether the player was told of a cause.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn is_told(&mut self, cause: &str) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let told = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM told WHERE cause = ?)")
            .bind(cause)
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(told)
    }

    /// When he was last told of a cause that begins so.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn last_told(&mut self, beginning: &str) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut db = self.checkout().await?;
        let at = sqlx::query_scalar("SELECT max(at) FROM told WHERE substr(cause, 1, length(?1)) = ?1")
            .bind(beginning)
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(at)
    }

    /// The games with moves put on record after an instant and up to `now`, with their number. What a clock that ran ahead put there is no
    /// news for years.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn moves_since(
        &mut self,
        since: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<Vec<(GameId, u32)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, u32)> = sqlx::query_as(
            "SELECT games.name, count(*) FROM moves JOIN games ON games.id = moves.game
             WHERE recorded_at > ? AND recorded_at <= ? GROUP BY games.id ORDER BY games.id",
        )
        .bind(since)
        .bind(now)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(name, moves)| Ok((word("games.name", name)?, moves))).collect()
    }
}
