//! Which domains have vouched for the mails of an opponent's address, as the policy `pinned` needs to know.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqliteConnection};

use super::Store;
use super::error::StoreError;
use crate::mail::address::Address;

/// A domain whose servers vouched for mails of an address.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SenderDomain {
    /// The address, in lower case.
    pub address: String,
    /// The domain.
    pub domain: String,
    /// When our server took the first such mail.
    pub first_at: DateTime<Utc>,
    /// When it took the last.
    pub last_at: DateTime<Utc>,
    /// How many there were.
    pub mails: u32,
}

impl SenderDomain {
    /// Whether it is about this address.
    pub fn is_of(&self, address: &Address) -> bool {
        self.address.eq_ignore_ascii_case(address.as_str())
    }
}

/// A mail that came with a proof of its sender.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vouched {
    /// Whose it is.
    pub address: Address,
    /// The domain that vouched for it.
    pub domain: String,
    /// When our server took it.
    pub at: DateTime<Utc>,
}

impl Store {
    /// The domains that vouched for mails of this address so far, by age; none for nobody.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn sender_domains(&mut self, of: Option<&Address>) -> Result<Vec<SenderDomain>, StoreError> {
        let Some(of) = of else { return Ok(Vec::new()) };
        let mut db = self.checkout().await?;
        let rows = sqlx::query_as(
            "SELECT address, domain, first_at, last_at, mails FROM sender_domains WHERE address = ? ORDER BY first_at, domain",
        )
        .bind(of.as_str().to_ascii_lowercase())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(rows)
    }
}

/// Counts a mail that its sender's domain vouched for; mails may be taken in out of their order.
pub(super) async fn note_vouched(db: &mut SqliteConnection, vouched: &Vouched) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO sender_domains (address, domain, first_at, last_at, mails) VALUES (?1, ?2, ?3, ?3, 1)
         ON CONFLICT (address, domain) DO UPDATE SET
             first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at), mails = mails + 1",
    )
    .bind(vouched.address.as_str().to_ascii_lowercase())
    .bind(&vouched.domain)
    .bind(vouched.at)
    .execute(db)
    .await?;
    Ok(())
}
