//! The mails of the whole mailbox, for a command that looks through it: folder by folder, the newest first, each mail once.
//!
//! Nothing is written, neither in the mailbox nor in the ledger. One block of mails is held at a time, never a folder.
//! What will surprise you: a block that costs the connection is read mail by mail on a new one, so that the mail that does it is named.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, Days, NaiveDate, Utc};

use super::fetch::blocks;
use super::{look_into, sent_in, sent_on};
use crate::config::{Config, Imap, Mail};
use crate::intake::arrival_time;
use crate::io::imap::{Folder, ImapError, Mailbox};
use crate::io::maildir::Maildir;

/// So far before the newest mail of the mailbox, unless a day is named.
const REACH: Days = Days::new(366);
/// Connections that may be lost on the way.
const LOSSES: u32 = 5;

/// What is looked through.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Folders besides those that are watched and that of the sent mails, by their names.
    pub folders: Vec<String>,
    /// The first day; `None` for a year before the newest mail of all.
    pub since: Option<NaiveDate>,
}

/// What is met on the way.
#[derive(Debug)]
pub enum Met {
    /// So many mails are going to be read.
    Mails(usize),
    /// One of them.
    Mail {
        /// Its folder and its UID or file name, for people.
        place: String,
        /// When it reached the mailbox.
        at: DateTime<Utc>,
        /// All of it.
        bytes: Vec<u8>,
    },
}

/// What was looked through in the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looked {
    /// Each folder with the number of its mails that were read.
    pub folders: Vec<(String, usize)>,
    /// The first day.
    pub since: Option<NaiveDate>,
    /// Mails that came before it.
    pub passed_over: usize,
    /// Mails that are larger than the configuration lets mails be.
    pub too_large: usize,
    /// Mails that could not be read, each with its place and why.
    pub unread: Vec<String>,
    /// Whether the folder of the sent mails is among them.
    pub has_sent: bool,
}

/// A mail that a folder lists.
struct Listed<K> {
    key: K,
    size: u64,
    at: DateTime<Utc>,
}

/// Looks through the mailbox of the configuration and shows `see` each mail.
///
/// # Errors
/// In words: no mailbox is configured, it cannot be opened, a folder is not there, or the connection is lost again and again.
pub async fn browse(config: &Config, scope: &Scope, see: &mut dyn FnMut(Met)) -> Result<Looked, String> {
    match &config.mail {
        None => Err("no mailbox is configured\nhelp: set [imap] or [maildir]; `amici check` tries it".to_owned()),
        Some(Mail::Maildir { path, folders, .. }) => in_maildir(config, path, folders, scope, see),
        Some(Mail::Servers { imap, .. }) => on_server(config, imap, scope, see).await,
    }
}

/// The folders to look through, each once, that of the sent mails first.
fn names(sent: Option<&String>, watched: &[String], scope: &Scope) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in sent.into_iter().chain(watched).chain(&scope.folders) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The mails of each folder that are to be read, the newest first; what is too old or too large is counted.
fn chosen<F, K>(
    folders: Vec<(F, Vec<Listed<K>>)>,
    (scope, largest): (&Scope, u32),
    looked: &mut Looked,
) -> Vec<(F, Vec<Listed<K>>)> {
    let newest = folders.iter().flat_map(|(_, mails)| mails).map(|mail| mail.at).max();
    let reach = || newest?.checked_sub_days(REACH).map(|at| at.date_naive());
    looked.since = scope.since.or_else(reach);
    let choose = |(folder, mails): (F, Vec<Listed<K>>)| {
        let all = mails.len();
        let mut mails: Vec<_> =
            mails.into_iter().filter(|mail| looked.since.is_none_or(|since| mail.at.date_naive() >= since)).collect();
        looked.passed_over += all - mails.len();
        let young = mails.len();
        mails.retain(|mail| mail.size <= u64::from(largest));
        looked.too_large += young - mails.len();
        mails.sort_by_key(|mail| std::cmp::Reverse(mail.at));
        (folder, mails)
    };
    folders.into_iter().map(choose).collect()
}

fn count<F, K>(folders: &[(F, Vec<Listed<K>>)]) -> usize {
    folders.iter().map(|(_, mails)| mails.len()).sum()
}

fn in_maildir(
    config: &Config,
    path: &Path,
    watched: &[String],
    scope: &Scope,
    see: &mut dyn FnMut(Met),
) -> Result<Looked, String> {
    let words = |error: crate::io::maildir::MaildirError| error.to_string();
    let root = Maildir::inbox(path).map_err(words)?;
    let sent = sent_in(&root, &config.sent.folder).map_err(words)?;
    let mut looked = Looked { has_sent: sent.is_some(), ..Looked::default() };
    let mut folders = Vec::new();
    let watched: Vec<String> = ["INBOX".to_owned()].iter().chain(watched).cloned().collect();
    for name in names(sent.as_ref(), &watched, scope) {
        let folder = root.folder(&name).map_err(words)?;
        let listed = folder.list().map_err(words)?.into_iter();
        let mails = listed.map(|entry| Listed { key: entry.name, size: entry.size, at: entry.modified }).collect();
        folders.push(((name, folder), mails));
    }
    let largest = config.limits.largest_mail;
    let folders = chosen(folders, (scope, largest), &mut looked);
    see(Met::Mails(count(&folders)));
    for ((name, folder), mails) in folders {
        let mut read = 0;
        for Listed { key, at, .. } in mails {
            let place = format!("{name} {key}");
            match folder.read(&key, u64::from(largest)) {
                Ok(Some(bytes)) => {
                    read += 1;
                    see(Met::Mail { place, at: arrival_time(&bytes).unwrap_or(at), bytes });
                }
                // a program took it away meanwhile
                Ok(None) => {}
                Err(error) => looked.unread.push(error.to_string()),
            }
        }
        looked.folders.push((name, read));
    }
    Ok(looked)
}

async fn on_server(config: &Config, imap: &Imap, scope: &Scope, see: &mut dyn FnMut(Met)) -> Result<Looked, String> {
    let largest = config.limits.largest_mail;
    let mut line = Line { imap, largest, mailbox: look_into(imap, largest).await?, losses: 0 };
    let sent = match sent_on(&mut line.mailbox, &config.sent.folder).await {
        Ok(found) => found,
        // whoever named none may well have none
        Err(ImapError::NoFolderFor { .. }) => None,
        Err(error) => return Err(error.to_string()),
    };
    let mut looked = Looked { has_sent: sent.is_some(), ..Looked::default() };
    let mut folders = Vec::new();
    for name in names(sent.as_ref(), &imap.folders, scope) {
        let folder = line.mailbox.examine(&name).await.map_err(|e| e.to_string())?;
        let told = line.mailbox.announced(&folder, 0).await.map_err(|e| e.to_string())?;
        let withheld = told.withheld.iter().map(|uid| format!("{name} {uid}: the server does not describe it"));
        looked.unread.extend(withheld);
        let listed = told.mails.into_iter();
        let mails =
            listed.map(|mail| Listed { key: mail.uid, size: mail.size.into(), at: mail.internal_date.to_utc() });
        folders.push((folder, mails.collect()));
    }
    let folders = chosen(folders, (scope, largest), &mut looked);
    see(Met::Mails(count(&folders)));
    for (folder, mails) in folders {
        let mut read = 0;
        line.open(&folder).await?;
        for block in blocks(mails, |mail| Some(mail.size), |_, _| true) {
            let uids: Vec<u32> = block.iter().map(|mail| mail.key).collect();
            let mut fetched = line.block(&folder, &uids).await?;
            for Listed { key: uid, at, .. } in block {
                let place = format!("{} {uid}", folder.name);
                let bytes = match fetched.remove(&uid) {
                    Some(bytes) => Ok(Some(bytes)),
                    None => line.one(&folder, uid).await?,
                };
                match bytes {
                    Ok(Some(bytes)) => {
                        read += 1;
                        see(Met::Mail { place, at, bytes });
                    }
                    Ok(None) => {}
                    Err(why) => looked.unread.push(format!("{place}: {why}")),
                }
            }
        }
        looked.folders.push((folder.name, read));
    }
    line.mailbox.close().await;
    Ok(looked)
}

/// The connection to the server, opened anew where it is lost.
struct Line<'a> {
    imap: &'a Imap,
    largest: u32,
    mailbox: Mailbox,
    losses: u32,
}

impl Line<'_> {
    /// Opens a folder as it was listed.
    async fn open(&mut self, folder: &Folder) -> Result<(), String> {
        loop {
            match self.mailbox.examine(&folder.name).await {
                Ok(opened) if opened.uid_validity == folder.uid_validity => return Ok(()),
                Ok(Folder { name, .. }) => {
                    return Err(format!("the server numbered the folder {name} anew meanwhile\nhelp: say it again"));
                }
                Err(why) if self.mailbox.is_open() => return Err(why.to_string()),
                Err(why) => self.connect(&why).await?,
            }
        }
    }

    /// A new connection after the last one was lost.
    async fn connect(&mut self, why: &ImapError) -> Result<(), String> {
        self.losses += 1;
        if self.losses > LOSSES {
            return Err(format!("the connection was lost {} times; the last time: {why}", self.losses));
        }
        self.mailbox = look_into(self.imap, self.largest).await?;
        Ok(())
    }

    /// The folder on a new connection, where the last one is lost.
    async fn mended(&mut self, folder: &Folder, why: &ImapError) -> Result<(), String> {
        if self.mailbox.is_open() {
            return Ok(());
        }
        self.connect(why).await?;
        self.open(folder).await
    }

    /// Those of these mails that come in one answer.
    async fn block(&mut self, folder: &Folder, uids: &[u32]) -> Result<BTreeMap<u32, Vec<u8>>, String> {
        match self.mailbox.fetch_many(uids).await {
            Ok(fetched) => Ok(fetched),
            Err(why) => self.mended(folder, &why).await.map(|()| BTreeMap::new()),
        }
    }

    /// One mail, `None` where it is gone, or why it does not come.
    async fn one(&mut self, folder: &Folder, uid: u32) -> Result<Result<Option<Vec<u8>>, String>, String> {
        match self.mailbox.fetch(uid).await {
            Ok(bytes) => Ok(Ok(bytes)),
            Err(why) => self.mended(folder, &why).await.map(|()| Err(why.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(mails: &[(&str, u64)]) -> Vec<Listed<usize>> {
        let one = |(key, (day, size)): (usize, &(&str, u64))| {
            let at = format!("{day}T12:00:00Z").parse().unwrap();
            Listed { key, size: *size, at }
        };
        mails.iter().enumerate().map(one).collect()
    }

    fn keys(scope: &Scope, folders: Vec<(&str, Vec<Listed<usize>>)>) -> (Vec<Vec<usize>>, Looked) {
        let mut looked = Looked::default();
        let folders = chosen(folders, (scope, 100), &mut looked);
        (folders.into_iter().map(|(_, mails)| mails.into_iter().map(|m| m.key).collect()).collect(), looked)
    }

    #[test]
    fn a_year_before_the_newest_mail_of_all_folders_is_looked_through_the_newest_first() {
        let mails = || {
            let inbox = listed(&[("2004-10-01", 10), ("2005-09-30", 10), ("2004-09-01", 10), ("2005-01-01", 101)]);
            vec![("INBOX", inbox), ("Sent", listed(&[("2005-10-01", 100)]))]
        };
        let (read, looked) = keys(&Scope::default(), mails());
        assert_eq!(read, [vec![1, 0], vec![0]]);
        assert_eq!((looked.passed_over, looked.too_large), (1, 1));
        let scope = Scope { since: "2005-09-01".parse().ok(), ..Scope::default() };
        assert_eq!(keys(&scope, mails()).0, [vec![1], vec![0]]);
    }

    #[test]
    fn a_folder_is_looked_through_once() {
        let folders = ["INBOX".to_owned(), "Chess".to_owned()];
        let scope = Scope { folders: vec!["Old".to_owned(), "Sent".to_owned(), "INBOX".to_owned()], since: None };
        assert_eq!(names(Some(&"Sent".to_owned()), &folders, &scope), ["Sent", "INBOX", "Chess", "Old"]);
    }
}
