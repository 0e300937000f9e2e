//! Mails that wait to go out though somebody tried, or must not try: since when, and why. `health`, `status` and the sign of life say it.

use std::fmt;

use chrono::{DateTime, Utc};

use super::login::smtp_source;
use crate::config::Mail;
use crate::io::store::{Store, StoreError};
use crate::letters::plural;

/// Failures in a row after which a server counts as out of order; one alone is nothing.
const FAILURES: u32 = 2;

/// Mails that wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delay {
    /// How many.
    pub mails: u32,
    /// Since when the oldest waits.
    pub since: DateTime<Utc>,
    /// Why.
    pub why: String,
    /// The server takes nothing: it is tried no more, or failed more than once.
    pub is_outage: bool,
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mails = plural(usize::try_from(self.mails).unwrap_or(usize::MAX), "mail");
        let verb = if self.mails == 1 { "waits" } else { "wait" };
        write!(f, "{mails} {verb} to go out since {}: {}", self.since.format("%Y-%m-%d %H:%M UTC"), self.why)
    }
}

/// The name in the ledger of where mails go.
pub(super) fn outlet_source(mail: &Mail) -> String {
    match mail {
        Mail::Servers { smtp, .. } => smtp_source(smtp),
        Mail::Maildir { path, .. } => format!("into maildir:{}", path.display()),
    }
}

/// The mails that wait, where there is a reason for it. One that was put out a moment ago just waits for its turn.
///
/// # Errors
/// Those of reading the database.
pub async fn delay(store: &mut Store, mail: &Mail, now: DateTime<Utc>) -> Result<Option<Delay>, StoreError> {
    let Some(waiting) = store.waiting(now).await? else { return Ok(None) };
    let source = outlet_source(mail);
    let (why, is_outage) = if let Some(stop) = store.stopped(&source).await? {
        let help = "help: it is not tried any more; correct the password, then run `amici check`";
        (Some(format!("{}\n{help}", stop.reason)), true)
    } else if let Some(trouble) = store.outage(&source, now).await? {
        (Some(trouble.reason), trouble.failures >= FAILURES)
    } else {
        (waiting.reason, false)
    };
    Ok(why.map(|why| Delay { mails: waiting.mails, since: waiting.since, why, is_outage }))
}
