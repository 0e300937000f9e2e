//! Logging in politely: counted across restarts, and stopped after three refusals until the player acts.

use std::time::Duration;

use chrono::Utc;

use super::Trouble;
use crate::config::{Imap, Mail, Smtp};
use crate::delivery::Outlet;
use crate::io::Class;
use crate::io::imap::{self, Account, ImapError, Mailbox};
use crate::io::maildir::Maildir;
use crate::io::smtp::{self, Relay};
use crate::io::store::{AuthStop, LoginOutcome, Store};

/// Refusals in a row after which nothing is tried any more.
const REFUSALS: u32 = 3;

/// The name of a mailbox in the ledger.
pub fn imap_source(imap: &Imap) -> String {
    format!("imap:{}@{}:{}", imap.user, imap.host, imap.port)
}

/// The name of a relay in the ledger.
pub fn smtp_source(smtp: &Smtp) -> String {
    format!("smtp:{}@{}:{}", smtp.user, smtp.host, smtp.port)
}

/// What `io::imap` needs to log in.
pub fn account(imap: &Imap, largest_mail: u32) -> Account {
    Account {
        host: imap.host.clone(),
        port: imap.port,
        user: imap.user.clone(),
        trust: imap.trust.clone(),
        limits: imap::Limits { literal_bytes: largest_mail, ..imap::Limits::default() },
    }
}

/// What `io::smtp` needs to log in.
pub fn relay(smtp: &Smtp) -> Relay {
    let second = Duration::from_secs(1);
    Relay {
        host: smtp.host.clone(),
        port: smtp.port,
        security: smtp.security,
        user: Some(smtp.user.clone()),
        hello: smtp.hello.clone(),
        trust: smtp.trust.clone(),
        limits: smtp::Limits { connect: 30 * second, command: 60 * second, body: 60 * second, verdict: 600 * second },
    }
}

/// Opens the mailbox for a command, whatever logins there were.
///
/// # Errors
/// In words: the password cannot be had, or the server is not reached or refuses.
pub async fn look_into(imap: &Imap, largest_mail: u32) -> Result<Mailbox, String> {
    let password = imap.password.read().await.map_err(|e| e.to_string())?;
    Mailbox::open(&account(imap, largest_mail), &password).await.map_err(|e| e.to_string())
}

/// Opens the mailbox, unless it was refused too often or there were too many logins in the last hour.
pub(super) async fn open(
    store: &mut Store,
    imap: &Imap,
    largest_mail: u32,
    logins_per_hour: u32,
) -> Result<Mailbox, Trouble> {
    let source = imap_source(imap);
    may_log_in(store, &source).await?;
    let now = Utc::now();
    if store.logins_since(&source, now - chrono::Duration::hours(1), now).await? >= logins_per_hour {
        let message = format!(
            "{source}: {logins_per_hour} logins in the last hour, so the next one waits\n\
             help: the connection breaks too often; `logins_per_hour` in [limits] is the limit"
        );
        return Err(Trouble::new(Class::Retry, message));
    }
    let password = imap.password.read().await.map_err(|e| Trouble::new(e.class(), e.to_string()))?;
    match Mailbox::open(&account(imap, largest_mail), &password).await {
        Ok(mailbox) => {
            store.note_login(&source, LoginOutcome::Ok, Utc::now()).await?;
            Ok(mailbox)
        }
        Err(error) => {
            if let ImapError::BadLogin { .. } = error {
                note_refusal(store, &source, &error.to_string()).await?;
                // after the last try the player is told at once what it takes
                may_log_in(store, &source).await?;
            }
            Err(Trouble::new(error.class(), error.to_string()))
        }
    }
}

async fn may_log_in(store: &mut Store, source: &str) -> Result<(), Trouble> {
    match store.stopped(source).await? {
        Some(AuthStop { reason, .. }) => {
            let message =
                format!("{reason}\nhelp: it is not tried any more; correct the password, then run `amici check`");
            Err(Trouble::new(Class::Stop, message))
        }
        None => Ok(()),
    }
}

async fn note_refusal(store: &mut Store, source: &str, reason: &str) -> Result<(), Trouble> {
    let now = Utc::now();
    store.note_login(source, LoginOutcome::Refused, now).await?;
    if store.refused_in_row(source).await? >= REFUSALS {
        store.stop_source(source, &AuthStop { since: now, reason: reason.to_owned() }).await?;
    }
    Ok(())
}

/// Where mails to the player go, with the password read anew.
pub async fn outlet(store: &mut Store, mail: &Mail) -> Result<Outlet, Trouble> {
    match mail {
        Mail::Maildir { path, .. } => {
            let maildir = Maildir::open(path).map_err(|e| Trouble::new(e.class(), e.to_string()))?;
            Ok(Outlet::Maildir(maildir))
        }
        Mail::Servers { smtp, .. } => {
            may_log_in(store, &smtp_source(smtp)).await?;
            let password = smtp.password.read().await.map_err(|e| Trouble::new(e.class(), e.to_string()))?;
            Ok(Outlet::Smtp { relay: relay(smtp), password })
        }
    }
}

/// Keeps how the relay's login went.
pub(super) async fn note_smtp(
    store: &mut Store,
    mail: &Mail,
    refused: Option<String>,
    tried: bool,
) -> Result<(), Trouble> {
    let Mail::Servers { smtp, .. } = mail else {
        return Ok(());
    };
    let source = smtp_source(smtp);
    match refused {
        Some(reason) => note_refusal(store, &source, &reason).await,
        None if tried => Ok(store.note_login(&source, LoginOutcome::Ok, Utc::now()).await?),
        None => Ok(()),
    }
}
