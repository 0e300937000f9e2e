//! One look at the mailbox: everything it announces gets a row in the ledger, and every open row is read, oldest first.

use std::path::Path;

use chrono::{DateTime, Days, Utc};
use futures_util::FutureExt;

use super::{Daemon, RoundReport, STOPPING, Trouble, imap_source, login, one_line, overdue};
use crate::config::Imap;
use crate::domain::clock::trust::distrust;
use crate::domain::game::GameId;
use crate::domain::judge::Reason;
use crate::intake::{RawMessage, arrival_time};
use crate::io::Class;
use crate::io::imap::{Announced, ImapError, Mailbox};
use crate::io::maildir::Maildir;
use crate::io::store::{Arrival, ArrivalState, Attempt, Cursor, EventRow, OutboxState, Outcome};
use crate::mail::message::parse;

/// Mails older than this are passed over when a mailbox, or a new state of it, is seen for the first time.
const LOOK_BACK: Days = Days::new(60);
/// Fetches in a row after which a mail that the server cannot give is set aside.
const FETCHES: u32 = 5;
/// Tries after which a mail that stops the program is set aside. More than a machine that goes down twice in the same moment
/// needs, and fewer than the five starts in a row that systemd allows (`StartLimitBurst=`).
const TRIES: u32 = 4;
/// As much of the header of a mail that is too large as is looked at, in bytes.
const HEADER: u32 = 16 * 1024;

/// What became of one mail, for the log and for `poll`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailReport {
    /// Where it lies: folder and UID or name.
    pub place: String,
    /// One line for each game concerned.
    pub lines: Vec<String>,
}

/// A mail's place, as one text.
fn key_of(arrival: &Arrival) -> String {
    format!("{}/{}/{}", arrival.folder, arrival.epoch, arrival.uid)
}

impl Daemon {
    pub(super) async fn look_imap(&mut self, imap: &Imap, report: &mut RoundReport) -> Result<(), Trouble> {
        let mut mailbox = match self.mailbox.take() {
            Some(mailbox) => mailbox,
            None => {
                let limits = self.config.limits;
                let opening = login::open(&mut self.store, imap, limits.largest_mail, limits.logins_per_hour);
                // a password that was shown is also counted, if the server answers
                tokio::select! {
                    opened = opening => opened?,
                    () = overdue(&self.shutdown) => return Err(Trouble::new(Class::Retry, STOPPING)),
                }
            }
        };
        let sent = self.find_sent(&mut mailbox, imap).await?;
        let beside = imap.folders.iter().filter(|name| Some(*name) != sent.as_ref());
        for folder in sent.iter().chain(beside) {
            self.look_into(&mut mailbox, &imap_source(imap), folder, report).await?;
        }
        self.look_for_unclear(&mut mailbox, imap).await?;
        self.look_for_released(&mut mailbox, imap).await?;
        self.mailbox = Some(mailbox);
        Ok(())
    }

    /// Looks for our own mails whose delivery stayed unclear: one that lies in the mailbox was delivered. A search that the server
    /// refuses proves nothing, so that mail is not repeated either.
    async fn look_for_unclear(&mut self, mailbox: &mut Mailbox, imap: &Imap) -> Result<(), Trouble> {
        self.unsearched.clear();
        let unsent = self.store.unsent().await?;
        for row in unsent.iter().filter(|row| row.state == OutboxState::Unknown) {
            for name in &imap.folders {
                let folder = self.until_stopped(mailbox.examine(name)).await?;
                let search = mailbox.find_message_id(&folder, &row.outgoing.message_id);
                let found = tokio::select! {
                    found = search => found,
                    () = overdue(&self.shutdown) => return Err(Trouble::new(Class::Retry, STOPPING)),
                };
                match found {
                    Ok(uids) if uids.is_empty() => {}
                    Ok(_) => {
                        let said = format!("found in {name}");
                        self.store.finish(row.id, &Outcome::Sent { said }).await?;
                        tracing::info!(
                            message_id = row.outgoing.message_id,
                            "its delivery was unclear; it is in the mailbox"
                        );
                        break;
                    }
                    Err(ImapError::No { .. }) => {
                        self.unsearched.insert(row.id);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    async fn look_into(
        &mut self,
        mailbox: &mut Mailbox,
        source: &str,
        name: &str,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let now = Utc::now();
        let folder = self.until_stopped(mailbox.examine(name)).await?;
        let cursor = self.store.cursor(source, name).await?;
        let after = cursor.filter(|c| c.epoch == folder.uid_validity).map(|c| c.last_uid);
        let announcement = self.until_stopped(mailbox.announced(&folder, after.unwrap_or(0))).await?;
        let arrival = |uid: u32, size: Option<u32>, server_date: Option<DateTime<Utc>>| Arrival {
            source: source.to_owned(),
            folder: name.to_owned(),
            epoch: folder.uid_validity,
            uid: uid.to_string(),
            size,
            server_date,
        };
        let (fresh, old): (Vec<&Announced>, Vec<&Announced>) =
            announcement.mails.iter().partition(|m| after.is_some() || is_recent(m.internal_date.to_utc(), now));
        let mut arrivals: Vec<Arrival> =
            fresh.iter().map(|m| arrival(m.uid, Some(m.size), Some(m.internal_date.to_utc()))).collect();
        arrivals.extend(announcement.withheld.iter().map(|uid| arrival(*uid, None, None)));
        self.store.announce(&arrivals, now).await?;
        for uid in &announcement.gone {
            let gone = arrival(*uid, None, None);
            self.store.announce(std::slice::from_ref(&gone), now).await?;
            self.store
                .settle(&gone, ArrivalState::Gone, "it was deleted from the server before it was read", now)
                .await?;
        }
        if !old.is_empty() {
            report.passed_over += old.len();
            tracing::info!(folder = name, mails = old.len(), "mails of more than 60 days ago are passed over");
        }
        if let Some(old) = cursor.filter(|c| c.epoch != folder.uid_validity) {
            // RFC 3501, 2.3.1.1: the old numbers mean nothing now; what waited under them has just been announced anew
            let why = "the server has numbered the folder anew; it is read under its new number";
            for open in self.store.pending(source, name, old.epoch).await? {
                self.store.settle(&open.arrival, ArrivalState::Gone, why, now).await?;
            }
        }
        let cursor = Cursor { epoch: folder.uid_validity, last_uid: folder.uid_next.saturating_sub(1) };
        self.store.advance(source, name, cursor, now).await?;
        for open in self.store.pending(source, name, folder.uid_validity).await? {
            let Ok(uid) = open.arrival.uid.parse::<u32>() else {
                continue;
            };
            if self.is_too_large(&open.arrival) {
                let header = match mailbox.fetch_header(uid, HEADER).await {
                    Ok(header) => header,
                    // it is listed without its sender then
                    Err(ImapError::No { .. } | ImapError::Withheld { .. } | ImapError::TooLarge { .. }) => None,
                    Err(error) => return Err(error.into()),
                };
                self.list_too_large(&open.arrival, header.as_deref(), report).await?;
                continue;
            }
            let bytes = match self.until_stopped(mailbox.fetch(uid)).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => {
                    let why = "it was deleted from the server before it was read";
                    self.store.settle(&open.arrival, ArrivalState::Gone, why, now).await?;
                    continue;
                }
                Err(trouble) if trouble.class == Class::SetAside => {
                    self.set_aside(&open.arrival, &trouble.message, report).await?;
                    continue;
                }
                Err(trouble) => {
                    let failed = self.unfetched.entry(key_of(&open.arrival)).or_default();
                    *failed += 1;
                    if *failed >= FETCHES && trouble.message != STOPPING {
                        let why = format!("the server could not give it {FETCHES} times: {}", trouble.message);
                        self.set_aside(&open.arrival, &why, report).await?;
                    }
                    return Err(trouble);
                }
            };
            self.unfetched.remove(&key_of(&open.arrival));
            let at = open.arrival.server_date.filter(|at| is_possible(*at)).unwrap_or_else(Utc::now);
            self.take(open.arrival, &bytes, at, report).await?;
        }
        Ok(())
    }

    pub(super) async fn look_maildir(
        &mut self,
        path: &Path,
        folders: &[String],
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let trouble = |e: crate::io::maildir::MaildirError| Trouble::new(e.class(), e.to_string());
        let root = Maildir::open(path).map_err(trouble)?;
        let source = format!("maildir:{}", path.display());
        let sent = self.find_sent_in(&root, &source).await?;
        let beside = folders.iter().filter(|name| Some(*name) != sent.as_ref()).cloned();
        let names = sent.iter().cloned().chain(["INBOX".to_owned()]).chain(beside);
        for name in names {
            let now = Utc::now();
            let maildir = root.folder(&name).map_err(trouble)?;
            let listing = maildir.clone();
            let entries = blocking(move || listing.list()).await?.map_err(trouble)?;
            let first_look = self.store.cursor(&source, &name).await?.is_none();
            let mut arrivals = Vec::new();
            let mut fresh = Vec::new();
            for entry in entries {
                let key = format!("{name}/{}", entry.name);
                if self.listed.contains(&key) {
                    continue;
                }
                fresh.push(key);
                if first_look && !is_recent(entry.modified, now) {
                    report.passed_over += 1;
                    continue;
                }
                arrivals.push(Arrival {
                    source: source.clone(),
                    folder: name.clone(),
                    epoch: 0,
                    uid: entry.name,
                    size: u32::try_from(entry.size).ok(),
                    server_date: Some(entry.modified),
                });
            }
            self.store.announce(&arrivals, now).await?;
            self.store.advance(&source, &name, Cursor { epoch: 0, last_uid: 0 }, now).await?;
            self.listed.extend(fresh);
            for open in self.store.pending(&source, &name, 0).await? {
                if self.is_too_large(&open.arrival) {
                    self.list_too_large(&open.arrival, None, report).await?;
                    continue;
                }
                let (maildir, uid, cap) =
                    (maildir.clone(), open.arrival.uid.clone(), u64::from(self.config.limits.largest_mail));
                match blocking(move || maildir.read(&uid, cap)).await? {
                    Ok(Some(bytes)) => {
                        let at = arrival_time(&bytes)
                            .or(open.arrival.server_date)
                            .filter(|at| is_possible(*at))
                            .unwrap_or(now);
                        self.take(open.arrival, &bytes, at, report).await?;
                    }
                    Ok(None) => {
                        let why = "it was deleted before it was read";
                        self.store.settle(&open.arrival, ArrivalState::Gone, why, now).await?;
                    }
                    Err(error) if error.class() == Class::SetAside => {
                        self.set_aside(&open.arrival, &error.to_string(), report).await?;
                    }
                    Err(error) => return Err(trouble(error)),
                }
            }
        }
        Ok(())
    }

    /// Lets a network step be cut by the shutdown, and only by it.
    pub(super) async fn until_stopped<T, E: Into<Trouble>>(
        &self,
        step: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Trouble> {
        tokio::select! {
            done = step => done.map_err(Into::into),
            () = self.shutdown.cancelled() => Err(Trouble::new(Class::Retry, STOPPING)),
        }
    }

    fn is_too_large(&self, arrival: &Arrival) -> bool {
        arrival.size.is_some_and(|size| size > self.config.limits.largest_mail)
    }

    /// Lists a mail that is too large, with its sender where the server gave its header.
    async fn list_too_large(
        &mut self,
        arrival: &Arrival,
        header: Option<&[u8]>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let size = arrival.size.map_or(0, u64::from);
        let limit = u64::from(self.config.limits.largest_mail);
        let sender = header.and_then(|header| parse(header).ok()).and_then(|mail| mail.from.ok());
        let from = sender.map(|sender| format!("from {}: ", sender.address)).unwrap_or_default();
        let why = format!("{from}{}", Reason::TooLarge { size, limit });
        self.give_up(arrival, ArrivalState::TooLarge, &why, report).await
    }

    async fn set_aside(&mut self, arrival: &Arrival, why: &str, report: &mut RoundReport) -> Result<(), Trouble> {
        self.give_up(arrival, ArrivalState::SetAside, why, report).await
    }

    async fn give_up(
        &mut self,
        arrival: &Arrival,
        state: ArrivalState,
        why: &str,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let now = Utc::now();
        self.store.settle(arrival, state, why, now).await?;
        let place = format!("{} {}", arrival.folder, arrival.uid);
        let text = format!("the mail {place} was not read: {}", one_line(why));
        self.store.note(&EventRow { game: None, kind: "not-read".to_owned(), text: text.clone() }, now).await?;
        tracing::warn!(folder = arrival.folder, uid = arrival.uid, "not read; `amici status` tells why");
        report.mails.push(MailReport { place, lines: vec![text] });
        Ok(())
    }

    /// Takes one mail in. The try is noted first: a mail that stops the program each time is set aside, and
    /// the next one is read.
    async fn take(
        &mut self,
        arrival: Arrival,
        bytes: &[u8],
        at: DateTime<Utc>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        self.alive().await;
        let key = key_of(&arrival);
        let before = match self.store.note_attempt(&arrival, Utc::now()).await? {
            Attempt::Settled => return Ok(()),
            Attempt::First => 0,
            Attempt::Again(tries) => tries.saturating_sub(self.excused.get(&key).copied().unwrap_or(0)),
        };
        if before >= TRIES {
            return self.set_aside(&arrival, &Reason::Poison.to_string(), report).await;
        }
        let verified = match self.verified(bytes).await {
            Ok(verified) => verified,
            Err(trouble) => {
                *self.excused.entry(key).or_default() += 1;
                return Err(trouble);
            }
        };
        let mail = RawMessage { bytes, at, arrival: Some(arrival.clone()), verified };
        let taking = std::panic::AssertUnwindSafe(self.take_in(&mail));
        let taken = match taking.catch_unwind().await {
            Ok(Ok(taken)) => taken,
            Ok(Err(error)) if error.class() == Class::SetAside => {
                return self.set_aside(&arrival, &error.to_string(), report).await;
            }
            Ok(Err(error)) => {
                *self.excused.entry(key).or_default() += 1;
                return Err(Trouble::new(error.class(), error.to_string()));
            }
            Err(_) => {
                return self.set_aside(&arrival, &Reason::Poison.to_string(), report).await;
            }
        };
        let place = format!("{} {}", arrival.folder, arrival.uid);
        let mut lines = Vec::new();
        for effect in &taken.results {
            // the reason may quote the mail, and no text of a mail belongs into a log
            let game = effect.game.as_ref().map_or("-", GameId::as_str);
            tracing::info!(folder = arrival.folder, uid = arrival.uid, game, outcome = effect.outcome, "taken in");
            if effect.outcome != "own" || effect.game.is_some() {
                lines.push(format!("{game}: {}: {}", effect.outcome, effect.reason));
            }
        }
        if taken.results.is_empty() {
            tracing::info!(folder = arrival.folder, uid = arrival.uid, "the same content was taken in before");
            lines.push("the same content was taken in before".to_owned());
        }
        if !lines.is_empty() {
            report.mails.push(MailReport { place, lines });
        }
        Ok(())
    }
}

/// Runs file work off the async threads.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Trouble::new(Class::Retry, "reading the mail folder was interrupted"))
}

fn is_recent(at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now.checked_sub_days(LOOK_BACK).is_none_or(|oldest| at >= oldest)
}

/// A date that a server can have meant: after email began, and not tomorrow, if our own clock can tell what that is.
fn is_possible(at: DateTime<Utc>) -> bool {
    use chrono::Datelike;
    let now = Utc::now();
    at.year() >= 1990 && (at <= now + chrono::Duration::days(1) || distrust(now, None).is_some())
}
