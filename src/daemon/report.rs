//! What a round of the daemon did, and what went wrong in it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::MailReport;
use crate::delivery::Fate;
use crate::io::Class;
use crate::io::imap::ImapError;
use crate::io::store::StoreError;

/// What went wrong in a round, in the player's words, and what the loop does about it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Trouble {
    /// One sentence, or more with help.
    pub message: String,
    /// Try again, or wait for the player.
    pub class: Class,
    /// The database is the cause, not the mailbox.
    pub in_database: bool,
    /// The server was not asked, since it must not be before this.
    pub until: Option<DateTime<Utc>>,
}

impl Trouble {
    pub(super) fn new(class: Class, message: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), class, in_database: false, until: None }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble { class: error.class(), message: error.to_string(), in_database: true, until: None }
    }
}

/// What a round did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RoundReport {
    /// Every mail that was looked at.
    pub mails: Vec<MailReport>,
    /// Old mails of a mailbox that was seen for the first time, not read.
    pub passed_over: usize,
    /// Mails to the player: id and fate.
    pub delivered: Vec<(String, Fate)>,
    /// What became of drafts in the folder for drafts, a line each.
    pub drafts: Vec<String>,
    /// Why the outbox could not be emptied.
    pub delivery_trouble: Option<String>,
}

impl From<ImapError> for Trouble {
    fn from(error: ImapError) -> Trouble {
        Trouble { class: error.class(), message: error.to_string(), in_database: false, until: None }
    }
}
