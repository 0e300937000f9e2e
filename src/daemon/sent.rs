//! Where the player's own mails lie, and which reader a mail gets.
//!
//! The Sent folder goes the way of the inbox, all mails in the order in which they came: his move before the player's answer to it.
//! What will surprise you: a mailbox without such a folder is told of once, and is no trouble; nor is a folder that vanished.

use chrono::Utc;

use super::{Daemon, STOPPING, Trouble, imap_source, one_line};
use crate::config::{Imap, SentFolder};
use crate::intake::{IntakeError, RawMessage, Taking, command_sent, is_from_opponent, take_in, take_undecided};
use crate::io::Class;
use crate::io::imap::{ImapError, Mailbox};
use crate::io::maildir::{Maildir, MaildirError};
use crate::io::role::Role;
use crate::io::store::Arrival;
use crate::letters::no_sent_folder;
use crate::sent;

/// The Sent folder of the mailbox on this connection; `None` where it shall not be read.
///
/// # Errors
/// Those of [`Mailbox::special_folder`].
pub async fn sent_on(mailbox: &mut Mailbox, folder: &SentFolder) -> Result<Option<String>, ImapError> {
    let configured = match folder {
        SentFolder::Off => return Ok(None),
        SentFolder::Auto => None,
        SentFolder::Named(name) => Some(name.as_str()),
    };
    mailbox.special_folder(Role::Sent, configured).await.map(Some)
}

/// The folder of a Maildir that holds sent mails; `None` where there is none, or it shall not be read.
///
/// # Errors
/// [`MaildirError`] where the one that is named is not there.
pub fn sent_in(root: &Maildir, folder: &SentFolder) -> Result<Option<String>, MaildirError> {
    match folder {
        SentFolder::Off => Ok(None),
        SentFolder::Auto => Ok(root.folder_for(Role::Sent)),
        SentFolder::Named(name) => root.folder(name).map(|_| Some(name.clone())),
    }
}

impl Daemon {
    /// Looks for the Sent folder on this connection, unless it is known already; `None` where there is none to read.
    pub(super) async fn find_sent(&mut self, mailbox: &mut Mailbox, imap: &Imap) -> Result<Option<String>, Trouble> {
        if self.sent_folder.is_none() {
            let found = tokio::select! {
                found = sent_on(mailbox, &self.config.sent.folder) => found,
                () = self.shutdown.cancelled() => return Err(Trouble::new(Class::Retry, STOPPING)),
            };
            match found {
                Ok(found) => self.sent_folder = found,
                // whoever named none may well have none
                Err(error @ ImapError::NoFolderFor { .. }) => {
                    self.tell_no_sent_folder(&imap_source(imap), &error.to_string(), false).await?;
                }
                Err(error @ (ImapError::NoSuchFolder { .. } | ImapError::SeveralFoldersFor { .. })) => {
                    self.tell_no_sent_folder(&imap_source(imap), &error.to_string(), true).await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.sent_folder.clone())
    }

    /// The sub-folder of a Maildir that holds sent mails.
    pub(super) async fn find_sent_in(&mut self, root: &Maildir, source: &str) -> Result<Option<String>, Trouble> {
        // to look for it reads all folders
        if self.sent_folder.as_ref().is_some_and(|known| root.folder(known).is_ok()) {
            return Ok(self.sent_folder.clone());
        }
        self.sent_folder = match sent_in(root, &self.config.sent.folder) {
            Ok(found) => found,
            Err(error) => {
                self.tell_no_sent_folder(source, &error.to_string(), true).await?;
                None
            }
        };
        Ok(self.sent_folder.clone())
    }

    /// Tells once that his sent mails are not read: in the log, and by mail where he should do something about it.
    async fn tell_no_sent_folder(&mut self, source: &str, why: &str, by_mail: bool) -> Result<(), Trouble> {
        let cause = format!("no-sent-folder/{source}");
        if self.store.is_told(&cause).await? {
            return Ok(());
        }
        tracing::warn!("sent mails are not read: {}", one_line(why));
        let now = Utc::now();
        let letter = match by_mail {
            true => {
                let letter = no_sent_folder(why, &cause, &self.config.me, now)
                    .map_err(|error| Trouble::new(Class::SetAside, error.to_string()))?;
                Some(letter.into_notice(None))
            }
            false => None,
        };
        self.store.tell(&cause, letter.as_ref(), now).await?;
        Ok(())
    }

    /// Reads those mails again that a game or an address came after, and those of the player's that answer a move which is on record only
    /// now. Trouble with it stops nothing else: it is tried again in the next round.
    pub(super) async fn read_again(&mut self) {
        let (me, senders) = (&self.config.me, &self.config.senders);
        match take_undecided(&mut self.store, me, senders, Utc::now()).await {
            Ok(read) if read.is_empty() => {}
            Ok(read) => tracing::info!(mails = read.len(), "mails were read again"),
            Err(error) => tracing::error!("a mail was not read again: {}", one_line(&error.to_string())),
        }
        match sent::read_again(&mut self.store, me, senders, Utc::now()).await {
            Ok(read) if read.is_empty() => {}
            Ok(read) => tracing::info!(mails = read.len(), "sent mails were read again"),
            Err(error) => tracing::error!("a sent mail was not read again: {}", one_line(&error.to_string())),
        }
    }

    pub(super) fn lies_in_sent(&self, arrival: &Arrival) -> bool {
        self.sent_folder.as_ref() == Some(&arrival.folder)
    }

    /// Takes a mail in: one of the Sent folder as the player's own, unless an opponent wrote it, all others as incoming. So is a
    /// command of his, of which some servers keep no other copy: it is done once, by its Message-ID.
    pub(super) async fn take_in(&mut self, mail: &RawMessage<'_>) -> Result<Taking, IntakeError> {
        let (me, senders) = (&self.config.me, &self.config.senders);
        let lies_in_sent = mail.arrival.as_ref().is_some_and(|arrival| self.lies_in_sent(arrival));
        let is_sent = lies_in_sent && command_sent(mail.bytes, me).is_none();
        if is_sent && !is_from_opponent(mail.bytes, &mut self.store).await? {
            sent::take_in(&mut self.store, me, senders, mail, Utc::now()).await
        } else {
            take_in(&mut self.store, me, senders, mail, Utc::now()).await
        }
    }
}
