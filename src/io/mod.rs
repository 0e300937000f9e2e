//! The outside world: mailboxes, servers, the database. Knows no chess rule and takes no decision.

pub mod access;
pub mod alarm;
pub mod bearer;
pub mod bell;
pub mod dkim;
pub mod dns;
pub mod file;
pub mod http;
pub mod imap;
pub mod keeper;
pub mod maildir;
pub mod oauth;
pub mod role;
pub mod secret;
pub mod smtp;
pub mod store;
pub mod tls;

/// What the loop does about a trouble with the outside world; decided where the error is born.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Nothing is wrong with us: try again later (network, server busy, timeout).
    Retry,
    /// Only the player can mend it (refused password, bad certificate, wrong folder): stop trying until he acts.
    Stop,
    /// Only this one message is concerned: set it aside with its reason and go on with the next.
    SetAside,
}
