//! Our own drafts in the folder for drafts: put there, known again, taken out. The only place that changes a mailbox.
//!
//! Types hold the promise, not care: a [`Change`] is made in this file alone, it is asked for with a [`DraftsFolder`], and what is
//! taken out is an [`OwnDraft`], which exists only after the mail was fetched and is byte for byte the one that was put there.
//! There is no plain EXPUNGE and no CLOSE: both would take out what the player has marked (RFC 4315 section 2.1).
//! What will surprise you: opening the folder to write clears `\Recent` in it, so that is done for a removal only.

use std::collections::BTreeSet;

use async_imap::imap_proto::rfc4315::UidSetMember;
use async_imap::imap_proto::{Response, ResponseCode};
use sha2::{Digest, Sha256};

use super::super::role::Role;
use super::error::ImapError;
use super::syntax::{Arguments, encode_folder, uid_set};
use super::wire::Verb;
use super::{Folder, Mailbox};

/// A command that changes the mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Append,
    Select,
    Delete,
    Expunge,
}

impl Change {
    pub(super) fn text(self) -> &'static str {
        match self.0 {
            Kind::Append => "APPEND",
            Kind::Select => "SELECT",
            Kind::Delete => "UID STORE",
            Kind::Expunge => "UID EXPUNGE",
        }
    }

    /// Whether it opens a folder.
    pub(super) fn opens(self) -> bool {
        self.0 == Kind::Select
    }
}

/// The folder for drafts: no other can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftsFolder {
    name: String,
}

impl DraftsFolder {
    /// Its name, for people.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A mail in the folder for drafts that is certainly as it was put there.
#[derive(Debug)]
pub struct OwnDraft {
    folder: Folder,
    uid: u32,
}

/// What a place in the folder turned out to hold.
#[derive(Debug)]
pub enum Verified {
    /// The draft as it was put there.
    Own(OwnDraft),
    /// Another mail, or the same one edited.
    Changed,
    /// Nothing.
    Gone,
}

impl Mailbox {
    /// The folder for drafts: the one `configured`, else as [`Mailbox::special_folder`] tells.
    ///
    /// # Errors
    /// Those of [`Mailbox::special_folder`].
    pub async fn drafts_folder(&mut self, configured: Option<&str>) -> Result<DraftsFolder, ImapError> {
        Ok(DraftsFolder { name: self.special_folder(Role::Drafts, configured).await? })
    }

    /// Whether a draft can be taken out again (UIDPLUS, RFC 4315).
    pub fn can_remove(&self) -> bool {
        self.extras.expunges_single_mails
    }

    /// Opens the folder for drafts for reading.
    ///
    /// # Errors
    /// Those of [`Mailbox::examine`].
    pub async fn look_at_drafts(&mut self, drafts: &DraftsFolder) -> Result<Folder, ImapError> {
        self.examine(&drafts.name).await
    }

    /// Which of these UIDs are in the folder.
    ///
    /// # Errors
    /// `Incomplete` if the list lacks a mail that is certainly there; else as every command.
    pub async fn uids_in(&mut self, folder: &Folder, uids: &BTreeSet<u32>) -> Result<BTreeSet<u32>, ImapError> {
        self.check_open(folder)?;
        if uids.is_empty() || folder.exists == 0 {
            return Ok(BTreeSet::new());
        }
        let set: Vec<u32> = uids.iter().copied().collect();
        Ok(self.present(&uid_set(&set)).await?.intersection(uids).copied().collect())
    }

    /// Puts a draft into the folder, marked as one in the same command; gives its UIDVALIDITY and UID where the server tells them
    /// (RFC 4315 section 3).
    ///
    /// After an error other than `No` it may lie there: look for it before trying again.
    ///
    /// # Errors
    /// `No` if it is certainly not there; else as every command.
    pub async fn append_draft(&mut self, drafts: &DraftsFolder, mail: &[u8]) -> Result<Option<(u32, u32)>, ImapError> {
        let mut place = None;
        let mut heard = |response: &Response<'_>| {
            if let Response::Done { outcome, .. } = response
                && let Some(ResponseCode::AppendUid(uid_validity, uids)) = &outcome.code
                && let [UidSetMember::Uid(uid)] = uids.as_slice()
            {
                place = Some((*uid_validity, *uid));
            }
        };
        let to = Arguments::none().string(&encode_folder(&drafts.name));
        let asked = to.plain("(\\Draft \\Seen)").literal(mail);
        self.command(Verb::Change(Change(Kind::Append)), asked, &mut heard).await?;
        // RFC 3501 section 9: neither number is ever 0
        Ok(place.filter(|(uid_validity, uid)| *uid_validity > 0 && *uid > 0))
    }

    /// What lies at this place, compared with the mail that was put there. Opens the folder for writing where it is not yet.
    ///
    /// # Errors
    /// As [`Mailbox::examine`] and [`Mailbox::fetch`].
    pub async fn verify_draft(
        &mut self,
        drafts: &DraftsFolder,
        place: (u32, u32),
        sha256: &[u8; 32],
    ) -> Result<Verified, ImapError> {
        let folder = match self.folder.as_ref().filter(|open| self.writes && open.name == drafts.name) {
            Some(open) => open.clone(),
            None => self.open_folder(Verb::Change(Change(Kind::Select)), &drafts.name).await?,
        };
        let (uid_validity, uid) = place;
        if folder.uid_validity != uid_validity || folder.exists == 0 {
            return Ok(Verified::Gone);
        }
        Ok(match self.fetch(uid).await? {
            None => Verified::Gone,
            Some(mail) if Sha256::digest(&mail).as_slice() == sha256 => Verified::Own(OwnDraft { folder, uid }),
            Some(_) => Verified::Changed,
        })
    }

    /// Takes the draft out, and nothing else.
    ///
    /// # Errors
    /// `CannotRemove`, before anything is done, where only all marked mails could be expunged; `NotRemoved` if the server says it did
    /// and did not; `NotOpen` if another folder was opened since; else as every command.
    pub async fn remove_draft(&mut self, own: OwnDraft) -> Result<(), ImapError> {
        self.check_open(&own.folder)?;
        if !self.can_remove() || !self.writes {
            return Err(ImapError::CannotRemove);
        }
        let uid = own.uid.to_string();
        let mark = Arguments::none().plain(&uid).plain("+FLAGS.SILENT (\\Deleted)");
        self.command(Verb::Change(Change(Kind::Delete)), mark, &mut |_| {}).await?;
        let expunge = Arguments::none().plain(&uid);
        self.command(Verb::Change(Change(Kind::Expunge)), expunge, &mut |_| {}).await?;
        // where it was the only mail, `*` names none and an empty answer proves nothing: so the folder is opened anew
        let after = self.examine(&own.folder.name).await?;
        if self.uids_in(&after, &BTreeSet::from([own.uid])).await?.is_empty() {
            Ok(())
        } else {
            Err(ImapError::NotRemoved)
        }
    }
}
