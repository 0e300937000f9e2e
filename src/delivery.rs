//! ONE outgoing mail: take it from the outbox, hand it over, mark what became of it.
//!
//! Every mail goes to the player himself; the bytes were stored when it was decided and are never changed here. The try is noted
//! durably before the first byte of the body leaves, so a crash leaves `unknown` and never a silent second copy.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use secrecy::SecretString;

use crate::io::Class;
use crate::io::maildir::Maildir;
use crate::io::smtp::{self, Delivery, Relay, SmtpError};
use crate::io::store::{OutboxRow, Outcome, Store, StoreError};
use crate::letters::drawn;

/// Where mails to the player go.
#[derive(Debug)]
pub enum Outlet {
    /// A submission server, with its password.
    Smtp {
        /// The server.
        relay: Relay,
        /// Read anew for each round.
        password: SecretString,
    },
    /// A Maildir on this machine.
    Maildir(Maildir),
}

/// How one mail fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Its Message-ID.
    pub message_id: String,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Handed over.
    Sent,
    /// It will be tried again; with the reason.
    Later(String),
    /// Refused for good; with the reason.
    Failed(String),
    /// It may have arrived; with the reason.
    Unknown(String),
}

impl From<Outcome> for Fate {
    fn from(outcome: Outcome) -> Fate {
        match outcome {
            Outcome::Sent { .. } => Fate::Sent,
            Outcome::Failed { error } => Fate::Failed(error),
            Outcome::RetryAt { error, .. } => Fate::Later(error),
            Outcome::Unknown { error } => Fate::Unknown(error),
        }
    }
}

/// Whether a failure is about our login, so that trying on would lock the account.
fn is_login(error: &SmtpError) -> bool {
    matches!(error, SmtpError::Refused { code: 530 | 534 | 535 | 538, .. })
}

/// What a round of deliveries came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Each mail that was tried.
    pub delivered: Vec<Delivered>,
    /// The server refused the login: the rest was not tried.
    pub login_refused: Option<String>,
}

/// Hands over every mail that is due. `retry_at` gives the next try of a mail by the number of its tries.
///
/// # Errors
/// [`StoreError`]; a mail whose try could not be noted was not sent.
pub async fn deliver_due(
    store: &mut Store,
    outlet: &Outlet,
    now: DateTime<Utc>,
    mut retry_at: impl FnMut(u32) -> DateTime<Utc>,
) -> Result<Round, StoreError> {
    let mut round = Round::default();
    for row in store.due(now).await? {
        let (fate, login) = one(store, outlet, &row, now, &mut retry_at).await?;
        round.delivered.push(Delivered { message_id: row.outgoing.message_id, fate });
        if login.is_some() {
            round.login_refused = login;
            break;
        }
    }
    Ok(round)
}

async fn one(
    store: &mut Store,
    outlet: &Outlet,
    row: &OutboxRow,
    now: DateTime<Utc>,
    retry_at: &mut impl FnMut(u32) -> DateTime<Utc>,
) -> Result<(Fate, Option<String>), StoreError> {
    let mail = &row.outgoing;
    let (outcome, login) = match outlet {
        Outlet::Maildir(maildir) => {
            if !store.begin_attempt(row.id, now).await? {
                return Ok((Fate::Later("it is not waiting any more".to_owned()), None));
            }
            let (maildir, id, bytes) = (maildir.clone(), mail.message_id.clone(), drawn(&mail.bytes));
            let done = tokio::task::spawn_blocking(move || maildir.deliver(&id, &bytes)).await;
            let outcome = match done {
                Ok(Ok(())) => Outcome::Sent { said: "put into the Maildir".to_owned() },
                // the name in the Maildir comes from the Message-ID: doing it again does nothing twice
                Ok(Err(error)) => Outcome::RetryAt { at: retry_at(row.attempts), error: error.to_string() },
                Err(_) => {
                    Outcome::RetryAt { at: retry_at(row.attempts), error: "the delivery was interrupted".to_owned() }
                }
            };
            (outcome, None)
        }
        Outlet::Smtp { relay, password } => {
            let ready =
                smtp::offer(relay, Some(password), &mail.recipient, &[&mail.recipient], &drawn(&mail.bytes)).await;
            if !store.begin_attempt(row.id, now).await? {
                return Ok((Fate::Later("it is not waiting any more".to_owned()), None));
            }
            let result = match ready {
                Ok(ready) => ready.send().await,
                Err(error) => Delivery::NotSent(error),
            };
            match result {
                Delivery::Sent { said } => (Outcome::Sent { said }, None),
                Delivery::Unknown(error) => (Outcome::Unknown { error: error.to_string() }, None),
                Delivery::NotSent(error) => {
                    let login = is_login(&error).then(|| error.to_string());
                    let outcome = match error.class() {
                        Class::SetAside => Outcome::Failed { error: error.to_string() },
                        Class::Retry | Class::Stop => {
                            Outcome::RetryAt { at: retry_at(row.attempts), error: error.to_string() }
                        }
                    };
                    (outcome, login)
                }
            }
        }
    };
    store.finish(row.id, &outcome).await?;
    Ok((outcome.into(), login))
}

/// Mails whose delivery stayed unclear, and which a check of the mailbox that began after `resend_after` did not find: they are
/// handed over once more, with the same bytes and Message-ID. Those in `unsearched` were not looked for and wait. Gives how many.
///
/// # Errors
/// [`StoreError`].
pub async fn resend_unclear(
    store: &mut Store,
    resend_after: std::time::Duration,
    check_began: DateTime<Utc>,
    unsearched: &HashSet<i64>,
) -> Result<usize, StoreError> {
    use crate::io::store::OutboxState;
    let mut count = 0;
    for row in store.unsent().await? {
        let patience = chrono::Duration::from_std(resend_after).unwrap_or(chrono::Duration::MAX);
        let old = row.last_attempt_at.and_then(|at| at.checked_add_signed(patience)).is_none_or(|at| at <= check_began);
        if row.state == OutboxState::Unknown && old && !unsearched.contains(&row.id) {
            let error = "its delivery was cut off and it is not in the mailbox: handed over once more".to_owned();
            store.finish(row.id, &Outcome::RetryAt { at: check_began, error }).await?;
            count += 1;
        }
    }
    Ok(count)
}
