//! ONE outgoing mail: take it from the outbox, hand it over, mark what became of it.
//!
//! Every mail goes to the player himself; the bytes were stored when it was decided and are never changed here. The try is noted
//! durably before the first byte of the body leaves, so a crash leaves `unknown` and never a silent second copy.
//! What will surprise you: trouble of the server is not trouble of the mail. It leaves the mail as it was, and closes the way out.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::io::Class;
use crate::io::maildir::Maildir;
use crate::io::smtp::{Delivery, Parcel, Ready, Refusal, Session, SmtpError};
use crate::io::store::{OutboxState, Outcome, Store, StoreError};
use crate::letters::drawn;

/// So long a mail is offered again to a mailbox that is full (RFC 5321 section 4.5.4.1 wants four or five days).
const FULL_FOR: TimeDelta = TimeDelta::days(5);
/// So often at least, however long the program did not run, and where the player has it sent again.
const FULL_TRIES: u32 = 8;
/// The pause between two offers to a mailbox that is full.
const FULL_PAUSE: TimeDelta = TimeDelta::minutes(45);

/// Where mails to the player go.
#[derive(Debug)]
pub enum Outlet {
    /// A submission server.
    Smtp(Line),
    /// A Maildir on this machine; with what went wrong.
    Maildir(Maildir, Option<Outage>),
}

/// Trouble of the server, which would meet every mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// In words.
    pub reason: String,
    /// What the loop does about it.
    pub class: Class,
    /// It refused the login itself, so that trying on would lock the account.
    pub refuses_login: bool,
}

impl Outage {
    /// What this trouble of a server comes to.
    pub fn of(error: &SmtpError) -> Outage {
        let refuses_login = matches!(error, SmtpError::Refused { code: 530 | 534 | 535 | 538, .. });
        Outage { reason: error.to_string(), class: error.class(), refuses_login }
    }
}

/// The connection to a submission server, for all mails that wait. After trouble of the server it is closed, and takes none.
#[derive(Debug)]
pub struct Line {
    session: Option<Box<Session>>,
    outage: Option<Outage>,
}

impl Line {
    /// A line that takes mails.
    pub fn new(session: Session) -> Line {
        Line { session: Some(Box::new(session)), outage: None }
    }

    /// Everything up to the server's `354`. Trouble of the server closes the line, and gives nothing.
    pub(crate) async fn offer(&mut self, parcel: Parcel) -> Option<Result<Ready, SmtpError>> {
        match self.session.take()?.offer(parcel).await {
            Ok(ready) => Some(Ok(ready)),
            Err(Refusal { error, session }) => {
                self.session = session.map(Box::new);
                self.unless_of_the_server(error).map(Err)
            }
        }
    }

    /// Sends the body; nothing where the server would not have it, for a reason of its own.
    pub(crate) async fn send(&mut self, ready: Ready) -> Option<Delivery> {
        let (delivery, session) = ready.send().await;
        self.session = session.map(Box::new);
        match delivery {
            Delivery::NotSent(error) => self.unless_of_the_server(error).map(Delivery::NotSent),
            Delivery::Unknown(error) => {
                self.outage = Some(Outage::of(&error));
                Some(Delivery::Unknown(error))
            }
            sent @ Delivery::Sent { .. } => Some(sent),
        }
    }

    fn unless_of_the_server(&mut self, error: SmtpError) -> Option<SmtpError> {
        if error.is_of_the_mail() {
            return Some(error);
        }
        (self.session, self.outage) = (None, Some(Outage::of(&error)));
        None
    }
}

impl Outlet {
    /// Whether it takes another mail.
    pub fn is_open(&self) -> bool {
        match self {
            Outlet::Smtp(line) => line.session.is_some(),
            Outlet::Maildir(_, outage) => outage.is_none(),
        }
    }

    /// Takes leave; gives the trouble that it ended in.
    pub async fn close(self) -> Option<Outage> {
        match self {
            Outlet::Smtp(line) => {
                if let Some(session) = line.session {
                    session.close().await;
                }
                line.outage
            }
            Outlet::Maildir(_, outage) => outage,
        }
    }
}

/// What became of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// What trouble of one mail, which was offered so often since `since`, means for it.
pub(crate) fn refused(
    error: &SmtpError,
    (since, tries): (DateTime<Utc>, u32),
    now: DateTime<Utc>,
    retry_at: impl FnOnce() -> DateTime<Utc>,
) -> Outcome {
    let text = error.to_string();
    match error.class() {
        Class::SetAside => Outcome::Failed { error: text },
        _ if error.is_full() && tries >= FULL_TRIES && now - since >= FULL_FOR => Outcome::Failed { error: text },
        _ if error.is_full() => Outcome::RetryAt { at: now + FULL_PAUSE, error: text },
        Class::Retry | Class::Stop => Outcome::RetryAt { at: retry_at(), error: text },
    }
}

/// Hands over the mail with this key; gives its Message-ID and what became of it. `None`: it does not wait any more, or trouble of the server, which
/// [`Outlet::close`] tells, left it as it was. `clock` gives the instant when asked, `retry_at` the next try by the number of tries.
///
/// # Errors
/// [`StoreError`]; a mail whose try could not be noted was not sent.
pub async fn deliver(
    store: &mut Store,
    outlet: &mut Outlet,
    id: i64,
    clock: impl Fn() -> DateTime<Utc>,
    retry_at: impl Fn(u32) -> DateTime<Utc>,
) -> Result<Option<(String, Fate)>, StoreError> {
    let Some(row) = store.outgoing(id).await?.filter(|row| row.state == OutboxState::Queued) else {
        return Ok(None);
    };
    let mail = &row.outgoing;
    let refused =
        |error: &SmtpError| refused(error, (row.created_at, row.attempts), clock(), || retry_at(row.attempts));
    let outcome = match outlet {
        Outlet::Maildir(maildir, outage) => {
            if !store.begin_attempt(id, clock()).await? {
                return Ok(None);
            }
            let (maildir, name, bytes) = (maildir.clone(), mail.message_id.clone(), drawn(&mail.bytes));
            let done = tokio::task::spawn_blocking(move || maildir.deliver(&name, &bytes)).await;
            let trouble = match done {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some((error.to_string(), error.class())),
                Err(_) => Some(("the delivery was interrupted".to_owned(), Class::Retry)),
            };
            match trouble {
                None => Outcome::Sent { said: "put into the Maildir".to_owned() },
                // the name in the Maildir comes from the Message-ID: doing it again does nothing twice
                Some((reason, class)) => {
                    *outage = Some(Outage { reason: reason.clone(), class, refuses_login: false });
                    Outcome::RetryAt { at: clock(), error: reason }
                }
            }
        }
        Outlet::Smtp(line) => {
            let offered = match Parcel::new(&mail.recipient, &[&mail.recipient], &drawn(&mail.bytes)) {
                Ok(parcel) => line.offer(parcel).await,
                Err(error) => Some(Err(error)),
            };
            let Some(offered) = offered else { return Ok(None) };
            if !store.begin_attempt(id, clock()).await? {
                return Ok(None);
            }
            match offered {
                Err(error) => refused(&error),
                Ok(ready) => match line.send(ready).await {
                    Some(Delivery::Sent { said }) => Outcome::Sent { said },
                    Some(Delivery::Unknown(error)) => Outcome::Unknown { error: error.to_string() },
                    Some(Delivery::NotSent(error)) => refused(&error),
                    // it waits with all others for the server
                    None => Outcome::RetryAt { at: clock(), error: line.reason() },
                },
            }
        }
    };
    store.finish(id, &outcome).await?;
    Ok(Some((row.outgoing.message_id, outcome.into())))
}

impl Line {
    /// The trouble of the server, in words.
    pub(crate) fn reason(&self) -> String {
        self.outage.as_ref().map(|outage| outage.reason.clone()).unwrap_or_default()
    }
}

/// Mails whose delivery stayed unclear, and which a check of the mailbox that began after `resend_after` did not find: they are
/// handed over once more, with the same bytes and Message-ID. Of a mailbox that is searched, only those in `missing` are: it was looked
/// for each of them. Gives how many.
///
/// # Errors
/// [`StoreError`].
pub async fn resend_unclear(
    store: &mut Store,
    resend_after: std::time::Duration,
    check_began: DateTime<Utc>,
    missing: Option<&HashSet<i64>>,
) -> Result<usize, StoreError> {
    let mut count = 0;
    for row in store.unsent().await? {
        let patience = TimeDelta::from_std(resend_after).unwrap_or(TimeDelta::MAX);
        // a try that lies ahead was dated by a clock that was wrong, and is over however long ago it was
        let old = row.last_attempt_at.is_none_or(|at| (check_began - at).abs() >= patience);
        if row.state == OutboxState::Unknown && old && missing.is_none_or(|missing| missing.contains(&row.id)) {
            let error = "its delivery was cut off and it is not in the mailbox: handed over once more".to_owned();
            store.finish(row.id, &Outcome::RetryAt { at: check_began, error }).await?;
            count += 1;
        }
    }
    Ok(count)
}
