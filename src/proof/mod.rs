//! What can be proven: that the record is what the mails say, and that mails and acts alone make it again.
//!
//! [`replay`](replay::replay()) does every act once more in an empty database and compares, [`verify`](verify::verify()) reads the
//! mails again against single rows, [`evidence`](evidence::evidence()) packs one game for a tournament director. Reads the database
//! that it proves and never writes it. No clock, no printing, no files: the command line does that.

use sha2::{Digest, Sha256};

use crate::io::store::{Store, StoreError};

mod bytes;
pub mod diff;
pub mod evidence;
mod otherwise;
mod own;
mod record;
pub mod replay;
pub mod rows;
pub mod verify;

/// The bytes of a stored mail; `None` where they are not kept, or are not those that came.
async fn came(store: &mut Store, mail: i64, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let raw = match store.mail_raw(mail).await {
        Err(StoreError::Unreadable { .. }) => None,
        raw => raw?,
    };
    Ok(raw.filter(|raw| digest(sha256) == Some(Sha256::digest(raw).into())))
}

/// A SHA-256 from its hexadecimal digits.
fn digest(hex: &str) -> Option<[u8; 32]> {
    hex::FromHex::from_hex(hex).ok()
}
