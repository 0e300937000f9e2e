//! What the notice of a mail tells of it, beside its verdict.

use chrono::{DateTime, Utc};

use crate::domain::judge::Cause;
use crate::mail::address::Address;
use crate::mail::authentication::Finding;

/// What is told about a mail.
#[derive(Debug, Clone, Copy)]
pub struct Incoming<'a> {
    /// SHA-256 of the mail: makes the notice's id.
    pub sha256: &'a [u8; 32],
    /// The sender's address as it stood there, checked.
    pub from: Option<&'a Address>,
    /// What vouches for this sender.
    pub vouching: Option<&'a Finding>,
    /// When our server took it.
    pub at: DateTime<Utc>,
    /// His own words that no program understood: line and text.
    pub unread: &'a [(usize, String)],
    /// What of it a reason stands on.
    pub cause: Option<&'a Cause>,
    /// Of more mails of its kind the digest tells on this day.
    pub is_last: bool,
}
