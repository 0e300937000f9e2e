//! Asking servers politely: logins are counted across restarts, a server in trouble is left alone for longer and longer, and after three
//! refusals in a row until the player acts.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;

use super::Trouble;
use super::pause::{backoff, jittered};
use crate::config::{self, Imap, Smtp};
use crate::io::Class;
use crate::io::access::{Access, AccessError};
use crate::io::imap::{self, Account, ImapError, Mailbox};
use crate::io::smtp::{self, Relay};
use crate::io::store::{AuthStop, LoginOutcome, Store, StoreError};

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
        way: imap.way,
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
        way: smtp.way,
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
    let password = imap.password.read(Utc::now()).await.map_err(|e| e.to_string())?;
    Mailbox::open(&account(imap, largest_mail), &password).await.map_err(|e| e.to_string())
}

/// Why a server must not be asked now: it refused the login too often, it is in trouble, or there were too many logins. A look that the
/// player himself asked for does not wait for the end of a back-off.
pub(super) async fn closed(
    store: &mut Store,
    source: &str,
    limit: Limit,
    asked: bool,
    now: DateTime<Utc>,
) -> Result<Option<Trouble>, StoreError> {
    if let Some(AuthStop { reason, .. }) = store.stopped(source).await? {
        let message = format!("{reason}\nhelp: it is not tried any more; correct the password, then run `amici check`");
        return Ok(Some(Trouble::new(Class::Stop, message)));
    }
    if let Some(trouble) = store.outage(source, now).await?.filter(|trouble| !asked && trouble.until > now) {
        return Ok(Some(Trouble { until: Some(trouble.until), ..Trouble::new(Class::Retry, trouble.reason) }));
    }
    let hour = TimeDelta::hours(1);
    let logins = store.logins(source, limit.all, now - hour, now).await?;
    let most = usize::try_from(limit.per_hour).unwrap_or(usize::MAX);
    if logins.len() < most {
        return Ok(None);
    }
    let what = if limit.all { "logins" } else { "logins of which nothing came" };
    let mut message = format!(
        "{source}: {} {what} in the last hour, so the next one waits\n\
         help: `logins_per_hour` in [limits] is the limit",
        limit.per_hour
    );
    if let Some(trouble) = store.outage(source, now).await? {
        message = format!("{}\n{message}", trouble.reason);
    }
    let until = logins.get(logins.len() - most).map(|at| *at + hour);
    Ok(Some(Trouble { until, ..Trouble::new(Class::Retry, message) }))
}

/// How often a server may be logged in to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// So often in an hour.
    pub(super) per_hour: u32,
    /// Every login counts, or only those of which nothing came: each mail that goes out by itself is a login.
    pub(super) all: bool,
}

/// Keeps that a server is in trouble, and leaves it alone for a while; `at_least` for so long. Gives until when.
pub(super) async fn note_outage(
    store: &mut Store,
    source: &str,
    reason: &str,
    at_least: Duration,
) -> Result<DateTime<Utc>, StoreError> {
    let now = Utc::now();
    let failures = store.outage(source, now).await?.map_or(0, |trouble| trouble.failures);
    let pause = jittered(backoff(failures.saturating_add(1))).max(at_least);
    let until = now + TimeDelta::from_std(pause).unwrap_or_default();
    store.note_outage(source, reason, now, until).await?;
    Ok(until)
}

/// Opens the mailbox, unless its server must not be asked now.
pub(super) async fn open(
    store: &mut Store,
    imap: &Imap,
    limits: config::Limits,
    asked: bool,
) -> Result<Mailbox, Trouble> {
    let source = imap_source(imap);
    let limit = Limit { per_hour: limits.logins_per_hour, all: true };
    if let Some(trouble) = closed(store, &source, limit, asked, Utc::now()).await? {
        return Err(trouble);
    }
    match tried(store, imap, limits, &source).await? {
        Ok(mailbox) => Ok(mailbox),
        // after the last try the player is told at once what it takes
        Err(trouble) => match store.stopped(&source).await? {
            Some(_) => Err(closed(store, &source, limit, asked, Utc::now()).await?.unwrap_or(trouble)),
            None => Err(trouble),
        },
    }
}

/// Logs in, and keeps how it went.
async fn tried(
    store: &mut Store,
    imap: &Imap,
    limits: config::Limits,
    source: &str,
) -> Result<Result<Mailbox, Trouble>, StoreError> {
    loop {
        let password = match secret(store, source, &imap.password).await? {
            Ok(password) => password,
            Err(error) => return Ok(Err(Trouble::new(error.class(), error.to_string()))),
        };
        let login = store.begin_login(source, Utc::now()).await?;
        let error = match Mailbox::open(&account(imap, limits.largest_mail), &password).await {
            Ok(mailbox) => {
                store.end_login(login, LoginOutcome::Ok).await?;
                return Ok(Ok(mailbox));
            }
            Err(error) => error,
        };
        match &error {
            // it ended before its time; the next one is new
            ImapError::BadToken { .. } if imap.password.forget().await => continue,
            ImapError::BadLogin { .. } | ImapError::BadToken { .. } => {
                note_refusal(store, source, login, &error.to_string()).await?;
            }
            ImapError::Tls(_)
            | ImapError::PreAuth { .. }
            | ImapError::LoginDisabled { .. }
            | ImapError::NoTokens { .. } => {
                store.end_login(login, LoginOutcome::Unreached).await?;
            }
            _ => {}
        }
        return Ok(Err(Trouble::new(error.class(), error.to_string())));
    }
}

/// What a server lets us in with. A provider that gives no token any more is asked no oftener than a server that refuses a password.
pub(super) async fn secret(
    store: &mut Store,
    source: &str,
    from: &Access,
) -> Result<Result<SecretString, AccessError>, StoreError> {
    let now = Utc::now();
    let read = from.read(now).await;
    if let Err(error) = &read
        && error.is_refusal()
    {
        let login = store.begin_login(source, now).await?;
        note_refusal(store, source, login, &error.to_string()).await?;
    }
    Ok(read)
}

/// Keeps that a login was refused; after the last try none is made any more.
pub(super) async fn note_refusal(store: &mut Store, source: &str, login: i64, reason: &str) -> Result<(), StoreError> {
    store.end_login(login, LoginOutcome::Refused).await?;
    if store.refused_in_row(source).await? >= REFUSALS {
        store.stop_source(source, &AuthStop { since: Utc::now(), reason: reason.to_owned() }).await?;
    }
    Ok(())
}
