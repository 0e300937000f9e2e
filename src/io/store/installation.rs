//! What belongs to this installation and to no game: its secret.

use sqlx::Connection;

use super::changes::commit;
use super::error::StoreError;
use super::{Store, open};

impl Store {
    /// The secret that makes codes and the ids of notices ones that nobody else can guess.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn answer_key(&mut self) -> Result<[u8; 32], StoreError> {
        let mut db = self.checkout().await?;
        let key: Vec<u8> = sqlx::query_scalar("SELECT answer_key FROM installation").fetch_one(&mut db).await?;
        self.checkin(db);
        key.try_into().map_err(|_| StoreError::unreadable("installation.answer_key"))
    }

    /// Takes over the secret of the installation whose acts are done once more here: with another one every notice would have
    /// another id.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn take_over(&mut self, answer_key: [u8; 32]) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        sqlx::query("UPDATE installation SET answer_key = ?").bind(answer_key.as_slice()).execute(&mut *tx).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}
