//! One look at the mailbox: everything it announces gets a row in the ledger, and every open row is read, oldest first.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use super::fetch::groups;
use super::{Daemon, RoundReport, STOPPING, Trouble, imap_source, login, one_line, overdue};
use crate::config::Imap;
use crate::domain::game::GameId;
use crate::domain::judge::Reason;
use crate::intake::{RawMessage, command_sent};
use crate::io::Class;
use crate::io::imap::{Folder, ImapError, Mailbox};
use crate::io::store::{Arrival, ArrivalState, Attempt, EventRow, NotRead, OutboxState, Outcome};
use crate::mail::message::parse;
use crate::sent;

/// Tries after which a mail that stops the program is set aside. More than a machine that goes down twice in the same moment
/// needs, and fewer than the five starts in a row that systemd allows (`StartLimitBurst=`).
const TRIES: u32 = 4;

/// What became of one mail, for the log and for `poll`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailReport {
    /// Where it lies: folder and UID or name.
    pub place: String,
    /// One line for each game concerned.
    pub lines: Vec<String>,
    /// It was read, and has nothing new for any game.
    pub is_private: bool,
}

/// What a search of the mailbox came to.
#[derive(Debug, Default)]
pub(super) struct Searched {
    /// The folder that has the mail.
    pub(super) found: Option<String>,
    /// The server would not search a folder: that proves nothing.
    pub(super) refused: bool,
}

impl Daemon {
    pub(super) async fn look_imap(
        &mut self,
        imap: &Imap,
        asked: bool,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let mut mailbox = match self.mailbox.take() {
            Some(mailbox) => mailbox,
            None => {
                self.swept.clear();
                let opening = login::open(&mut self.store, imap, self.config.limits, asked);
                // a password that was shown is also counted, if the server answers
                tokio::select! {
                    opened = opening => opened?,
                    () = overdue(&self.shutdown) => return Err(Trouble::new(Class::Retry, STOPPING)),
                }
            }
        };
        let sent = self.find_sent(&mut mailbox, imap).await?;
        let beside = imap.folders.iter().filter(|name| Some(*name) != sent.as_ref());
        let source = imap_source(imap);
        let mut waiting = Vec::new();
        let mut opened = None;
        for name in sent.iter().chain(beside) {
            let folder = self.look_into(&mut mailbox, &source, name, report).await?;
            waiting.extend(self.store.pending(&source, name, folder.uid_validity).await?);
            opened = Some(folder);
        }
        self.store.without_sync().await?;
        let read = self.read_groups(&mut mailbox, opened, waiting, report).await;
        self.store.sync().await?;
        read?;
        self.one_by_one = false;
        self.look_for_unclear(&mut mailbox, imap).await?;
        self.look_for_released(&mut mailbox, imap).await?;
        self.mailbox = Some(mailbox);
        Ok(())
    }

    /// Reads the mails that wait, oldest first; `opened` is the folder that is open.
    async fn read_groups(
        &mut self,
        mailbox: &mut Mailbox,
        mut opened: Option<Folder>,
        waiting: Vec<NotRead>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let (all, mut read) = (waiting.len(), 0);
        for group in groups(in_order(waiting), self.one_by_one, self.config.limits.largest_mail) {
            self.progress(read, all).await;
            read += group.len();
            let Some(first) = group.first() else { continue };
            if opened.as_ref().is_none_or(|folder| folder.name != first.folder) {
                opened = Some(self.until_stopped(mailbox.examine(&first.folder)).await?);
            }
            // a folder that was numbered anew meanwhile is announced anew in the next round
            if opened.as_ref().is_some_and(|folder| folder.uid_validity == first.epoch) {
                self.read_group(mailbox, group, report).await?;
            }
        }
        Ok(())
    }

    /// Looks for our own mails whose delivery stayed unclear: one that lies in the mailbox was delivered. A search that the server
    /// refuses proves nothing, so that mail is not repeated either.
    async fn look_for_unclear(&mut self, mailbox: &mut Mailbox, imap: &Imap) -> Result<(), Trouble> {
        self.missing.clear();
        let unsent = self.store.unsent().await?;
        for row in unsent.iter().filter(|row| row.state == OutboxState::Unknown) {
            let searched = self.search_for(mailbox, &imap.folders, &row.outgoing.message_id).await?;
            if searched.found.is_none() && !searched.refused {
                self.missing.insert(row.id);
            }
            if let Some(name) = searched.found {
                let said = format!("found in {name}");
                self.store.finish(row.id, &Outcome::Sent { said }).await?;
                tracing::info!(message_id = row.outgoing.message_id, "its delivery was unclear; it is in the mailbox");
            }
        }
        Ok(())
    }

    /// Looks for a mail of ours in these folders, up to the first that has it.
    pub(super) async fn search_for(
        &self,
        mailbox: &mut Mailbox,
        folders: &[String],
        message_id: &str,
    ) -> Result<Searched, Trouble> {
        let mut searched = Searched::default();
        for name in folders {
            let folder = self.until_stopped(mailbox.examine(name)).await?;
            let search = mailbox.find_message_id(&folder, message_id);
            let found = tokio::select! {
                found = search => found,
                () = overdue(&self.shutdown) => return Err(Trouble::new(Class::Retry, STOPPING)),
            };
            match found {
                Ok(uids) if uids.is_empty() => {}
                Ok(_) => {
                    searched.found = Some(name.clone());
                    break;
                }
                Err(ImapError::No { .. }) => searched.refused = true,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(searched)
    }

    /// Lets a network step be cut by the shutdown, and only by it.
    pub(super) async fn until_stopped<T, E: Into<Trouble>>(
        &self,
        step: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Trouble> {
        self.signs.reads(Duration::ZERO);
        tokio::select! {
            done = step => done.map_err(Into::into),
            () = self.shutdown.cancelled() => Err(Trouble::new(Class::Retry, STOPPING)),
        }
    }

    pub(super) fn is_too_large(&self, arrival: &Arrival) -> bool {
        arrival.size.is_some_and(|size| size > self.config.limits.largest_mail)
    }

    /// Lists a mail that is too large, with its sender where the server gave its header.
    pub(super) async fn list_too_large(
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

    pub(super) async fn set_aside(
        &mut self,
        arrival: &Arrival,
        why: &str,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
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
        report.mails.push(MailReport { place, lines: vec![text], is_private: false });
        Ok(())
    }

    /// Takes one mail in. The try is noted first: a mail that stops the program each time is set aside, and
    /// the next one is read.
    pub(super) async fn take(
        &mut self,
        arrival: Arrival,
        bytes: &[u8],
        at: DateTime<Utc>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        self.alive().await;
        let before = match self.store.note_attempt(&arrival, Utc::now()).await? {
            Attempt::Settled => return Ok(()),
            Attempt::First => 0,
            Attempt::Again(tries) => tries,
        };
        if before >= TRIES {
            return self.set_aside(&arrival, &Reason::Poison.to_string(), report).await;
        }
        let me = &self.config.me;
        if self.lies_in_sent(&arrival) && sent::is_to_himself(bytes, me) && command_sent(bytes, me).is_none() {
            // a letter of ours: only the copy that arrives shows that it did
            let why = "a letter to yourself is read where it arrives";
            return Ok(self.store.settle(&arrival, ArrivalState::Gone, why, Utc::now()).await?);
        }
        let verified = match self.verified(bytes, &arrival).await {
            Ok(verified) => verified,
            Err(trouble) => {
                self.store.excuse(&arrival).await?;
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
                self.store.excuse(&arrival).await?;
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
            let is_private =
                taken.results.iter().all(|effect| effect.game.is_none() && effect.outcome == "not_game_mail");
            report.mails.push(MailReport { place, lines, is_private });
            if !is_private {
                self.order();
            }
        }
        Ok(())
    }
}

/// Mails as they came, whatever folder they lie in: his move before the answer to it. Of two of one moment the first folder's.
pub(super) fn in_order(mut waiting: Vec<NotRead>) -> Vec<NotRead> {
    waiting.sort_by_key(|mail| mail.arrival.server_date);
    waiting
}

/// Runs file work off the async threads.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Trouble::new(Class::Retry, "reading the mail folder was interrupted"))
}
