//! Reading the folder that is open: each mail listed is described, fetched, or accounted for.
//!
//! A search proves that something is absent only if it lists the folder's last mail (`*`) as well, which is always there.

use std::collections::{BTreeMap, BTreeSet};

use async_imap::imap_proto::{AttributeValue, MailboxDatum, MessageSection, Response, SectionPath};
use chrono::{DateTime, FixedOffset, NaiveDate};

use super::error::ImapError;
use super::syntax::{Arguments, internal_date, uid_set};
use super::wire::Verb;
use super::{Folder, Mailbox};

/// Mails described by one FETCH: a few ten thousand bytes, so that a cut connection costs little.
const BATCH: usize = 200;

const HEADER: SectionPath = SectionPath::Full(MessageSection::Header);

/// What the server tells of a mail before it is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Its number, within the folder's UIDVALIDITY.
    pub uid: u32,
    /// In bytes.
    pub size: u32,
    /// When it reached the mailbox (INTERNALDATE), by the server's clock.
    pub internal_date: DateTime<FixedOffset>,
}

/// All mails of a range; each UID that the server listed is in exactly one of the three.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announcement {
    /// To be read, ascending by UID.
    pub mails: Vec<Announced>,
    /// Listed, but expunged before they could be described.
    pub gone: Vec<u32>,
    /// Listed, still there, but not described though asked for twice: the player must look himself.
    pub withheld: Vec<u32>,
}

impl Mailbox {
    /// The UIDs of the mails above `after_uid` and below the folder's `uid_next`, ascending.
    ///
    /// # Errors
    /// `Incomplete` if the list lacks a mail that is there; else as every command.
    pub async fn listed(&mut self, folder: &Folder, after_uid: u32) -> Result<Vec<u32>, ImapError> {
        self.check_open(folder)?;
        let range = after_uid.saturating_add(1)..folder.uid_next;
        if range.is_empty() || folder.exists == 0 {
            return Ok(Vec::new());
        }
        let listed = self.present(&format!("{}:{}", range.start, range.end - 1)).await?;
        Ok(listed.into_iter().filter(|uid| range.contains(uid)).collect())
    }

    /// Every mail with a UID above `after_uid`: [`Mailbox::listed`], [`Mailbox::described`].
    ///
    /// # Errors
    /// As these.
    pub async fn announced(&mut self, folder: &Folder, after_uid: u32) -> Result<Announcement, ImapError> {
        let listed = self.listed(folder, after_uid).await?;
        self.described(folder, &listed).await
    }

    /// These mails, which the server has listed; none is left out in silence.
    ///
    /// # Errors
    /// As every command.
    pub async fn described(&mut self, folder: &Folder, listed: &[u32]) -> Result<Announcement, ImapError> {
        self.check_open(folder)?;
        let mut told = Announcement::default();
        for batch in listed.chunks(BATCH) {
            let described = self.describe(batch, &mut told).await?;
            told.mails.extend(described.into_values());
        }
        Ok(told)
    }

    /// The whole mail, as the server has it; `None` only if it is proven to be expunged.
    ///
    /// # Errors
    /// `TooLarge`, which costs the connection; `Withheld`; else as every command.
    pub async fn fetch(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        self.part(uid, "BODY.PEEK[]", None).await
    }

    /// Those of these mails that the server gives in one answer, by their UIDs. One that is missing proves nothing: fetch it by itself. The
    /// answer is held as a whole: ask for no more than fits.
    ///
    /// # Errors
    /// As `fetch`; a refusal is none.
    pub async fn fetch_many(&mut self, uids: &[u32]) -> Result<BTreeMap<u32, Vec<u8>>, ImapError> {
        let mut found = BTreeMap::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::Fetch(_, items) = response
                && let Some(uid) = items.iter().find_map(|item| match item {
                    AttributeValue::Uid(uid) => Some(*uid),
                    _ => None,
                })
                && uids.contains(&uid)
                && let Some(bytes) = body(items, None)
            {
                found.insert(uid, bytes);
            }
        };
        let asked = Arguments::none().plain(&uid_set(uids)).plain("(UID BODY.PEEK[])");
        match self.command(Verb::Fetch, asked, &mut heard).await {
            Ok(()) | Err(ImapError::No { .. }) => Ok(found),
            Err(error) => Err(error),
        }
    }

    /// The first `cap` bytes of the mail's header; `None` only if the mail is proven to be expunged.
    ///
    /// # Errors
    /// As `fetch`.
    pub async fn fetch_header(&mut self, uid: u32, cap: u32) -> Result<Option<Vec<u8>>, ImapError> {
        self.part(uid, &format!("BODY.PEEK[HEADER]<0.{cap}>"), Some(HEADER)).await
    }

    /// The UIDs of the mails with this Message-ID, angle brackets included; ascending, and empty only if that is proven.
    ///
    /// The search is told to list the folder's last mail too, so that an empty answer gives itself away; then each mail
    /// listed is looked at. Examine the folder first: one that was empty then is not searched. What it cannot see is a
    /// server whose search index lags behind.
    ///
    /// # Errors
    /// `Incomplete` if the search leaves that mail out; else as `fetch`.
    pub async fn find_message_id(&mut self, folder: &Folder, message_id: &str) -> Result<Vec<u32>, ImapError> {
        self.find_in_field(folder, "Message-ID", message_id).await
    }

    /// The UIDs of the mails that name this Message-ID in their References, as [`Mailbox::find_message_id`] finds it.
    ///
    /// # Errors
    /// As there.
    pub async fn find_reference(&mut self, folder: &Folder, message_id: &str) -> Result<Vec<u32>, ImapError> {
        self.find_in_field(folder, "References", message_id).await
    }

    /// The UIDs of the mails from this address that came on a day or later (RFC 9051, 6.4.4), and of the folder's last mail, as
    /// [`Mailbox::find_message_id`] has it: look at each.
    ///
    /// # Errors
    /// As there.
    pub async fn find_from(
        &mut self,
        folder: &Folder,
        address: &str,
        since: NaiveDate,
    ) -> Result<BTreeSet<u32>, ImapError> {
        self.check_open(folder)?;
        if folder.exists == 0 {
            return Ok(BTreeSet::new());
        }
        let since = since.format("%-d-%b-%Y");
        // since that day and from him, without brackets, which our arguments do not write
        let criteria = Arguments::none().plain(&format!("OR UID * NOT OR BEFORE {since} NOT FROM")).string(address);
        self.search(criteria).await
    }

    async fn find_in_field(&mut self, folder: &Folder, name: &str, value: &str) -> Result<Vec<u32>, ImapError> {
        self.check_open(folder)?;
        if folder.exists == 0 {
            return Ok(Vec::new());
        }
        let criteria = Arguments::none().plain(&format!("OR UID * HEADER {name}")).string(value);
        let item = format!("BODY.PEEK[HEADER.FIELDS ({})]", name.to_ascii_uppercase());
        let mut found = Vec::new();
        for uid in self.search(criteria).await? {
            let field = self.part(uid, &item, Some(HEADER)).await?.unwrap_or_default();
            if field.windows(value.len().max(1)).any(|part| part == value.as_bytes()) {
                found.push(uid);
            }
        }
        Ok(found)
    }

    /// What the server tells of these mails. Those it passes over are asked for once more, each by itself, and what is then
    /// still missing is looked for, and noted as gone or withheld.
    async fn describe(
        &mut self,
        batch: &[u32],
        told: &mut Announcement,
    ) -> Result<BTreeMap<u32, Announced>, ImapError> {
        let mut found = BTreeMap::new();
        match self.describe_once(batch, &mut found).await {
            // RFC 2180 section 4.1: a NO may mean that only some of them could not be had. A lone mail that is refused must not
            // keep those after it from being seen.
            Err(ImapError::No { .. }) if !found.is_empty() || batch.len() == 1 => {}
            other => other?,
        }
        let missing = |found: &BTreeMap<_, _>| -> Vec<u32> {
            batch.iter().copied().filter(|uid| !found.contains_key(uid)).collect()
        };
        for uid in missing(&found) {
            match self.describe_once(&[uid], &mut found).await {
                Ok(()) | Err(ImapError::No { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let missing = missing(&found);
        if !missing.is_empty() {
            let there = self.present(&uid_set(&missing)).await?;
            let (withheld, gone): (Vec<u32>, Vec<u32>) = missing.into_iter().partition(|uid| there.contains(uid));
            told.withheld.extend(withheld);
            told.gone.extend(gone);
        }
        Ok(found)
    }

    async fn describe_once(&mut self, uids: &[u32], found: &mut BTreeMap<u32, Announced>) -> Result<(), ImapError> {
        let asked = Arguments::none().plain(&uid_set(uids)).plain("(UID RFC822.SIZE INTERNALDATE)");
        let mut heard = |response: &Response<'_>| {
            if let Response::Fetch(_, items) = response
                && let Some(mail) = description(items)
                && uids.contains(&mail.uid)
            {
                found.insert(mail.uid, mail);
            }
        };
        self.command(Verb::Fetch, asked, &mut heard).await
    }

    async fn part(&mut self, uid: u32, item: &str, section: Option<SectionPath>) -> Result<Option<Vec<u8>>, ImapError> {
        let mut refusal = ImapError::Withheld { uid };
        for _ in 0..2 {
            let mut found = None;
            let mut heard = |response: &Response<'_>| {
                if let Response::Fetch(_, items) = response
                    && items.contains(&AttributeValue::Uid(uid))
                {
                    found = body(items, section.as_ref()).or(found.take());
                }
            };
            let asked = Arguments::none().plain(&format!("{uid} (UID {item})"));
            match self.command(Verb::Fetch, asked, &mut heard).await {
                Ok(()) if found.is_some() => return Ok(found),
                Ok(()) => {}
                Err(refused @ ImapError::No { .. }) => refusal = refused,
                Err(error) => return Err(error),
            }
        }
        if self.present(&uid.to_string()).await?.contains(&uid) { Err(refusal) } else { Ok(None) }
    }

    /// Those UIDs of `set` that are in the folder, and its last one (`*`), without which the answer proves nothing.
    pub(super) async fn present(&mut self, set: &str) -> Result<BTreeSet<u32>, ImapError> {
        self.search(Arguments::none().plain(&format!("UID {set},*"))).await
    }

    /// The answer to a search that must list the folder's last mail, and so cannot be empty.
    async fn search(&mut self, criteria: Arguments) -> Result<BTreeSet<u32>, ImapError> {
        let mut found = BTreeSet::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::MailboxData(MailboxDatum::Search(uids)) = response {
                found.extend(uids.iter().copied());
            }
        };
        self.command(Verb::Search, criteria, &mut heard).await?;
        if found.is_empty() {
            return Err(ImapError::Incomplete { command: Verb::Search.text() });
        }
        Ok(found)
    }
}

/// What was asked for, if all of it is there; a server may send other FETCH answers at any time.
fn description(items: &[AttributeValue<'_>]) -> Option<Announced> {
    let (mut uid, mut size, mut internal_date_of) = (None, None, None);
    for item in items {
        match item {
            AttributeValue::Uid(number) => uid = Some(*number),
            AttributeValue::Rfc822Size(bytes) => size = Some(*bytes),
            AttributeValue::InternalDate(text) => internal_date_of = internal_date(text),
            _ => {}
        }
    }
    Some(Announced { uid: uid?, size: size?, internal_date: internal_date_of? })
}

/// The part asked for. A whole mail has at least a header, so an empty one is a server that has lost it.
fn body(items: &[AttributeValue<'_>], wanted: Option<&SectionPath>) -> Option<Vec<u8>> {
    items.iter().find_map(|item| match item {
        AttributeValue::BodySection { section, data: Some(data), .. }
            if section.as_ref() == wanted && !(wanted.is_none() && data.is_empty()) =>
        {
            Some(data.to_vec())
        }
        _ => None,
    })
}
