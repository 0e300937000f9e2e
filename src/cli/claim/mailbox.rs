//! Looks through the mailbox for mails of the opponent that are not on record, before it is claimed that none came: in all its folders, since a
//! filter may have put his answer anywhere.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::NaiveDate;

use super::super::Failure;
use crate::config::{Config, Imap, Mail};
use crate::daemon::look_into;
use crate::io::imap::ImapError;
use crate::io::maildir::Maildir;
use crate::io::store::Store;
use crate::mail::address::Address;
use crate::mail::headers::{Headers, header_of};
use crate::mail::sender::from_headers;
use crate::mail::text::one_line;

/// So long it is looked for.
const LIMIT: Duration = Duration::from_secs(120);
/// Bytes of a header that are read.
const TOP: u32 = 65_536;

/// A mail of his, and where it lies.
struct Found {
    folder: String,
    headers: Headers,
}

/// What speaks against a claim that no mail of his came since a day: mails of his that are not on record, or that nobody could look.
pub(super) async fn unseen(
    store: &mut Store,
    config: &Config,
    his: &[String],
    since: NaiveDate,
) -> Result<Vec<String>, Failure> {
    let his: Vec<Address> = his.iter().filter_map(|email| email.parse().ok()).collect();
    let looked = match &config.mail {
        None => return Ok(Vec::new()),
        Some(Mail::Maildir { path, folders, .. }) => {
            let largest = u64::from(config.limits.largest_mail);
            Maildir::inbox(path).and_then(|root| in_maildir(&root, folders, largest, since)).map_err(|e| e.to_string())
        }
        Some(Mail::Servers { imap, .. }) => {
            match tokio::time::timeout(LIMIT, on_server(config, imap, &his, since)).await {
                Ok(looked) => looked,
                Err(_) => Err(format!("{} did not answer in time", imap.host)),
            }
        }
    };
    let found = match looked {
        Ok(found) => found,
        Err(why) => {
            let why = one_line(&why, 200);
            return Ok(vec![format!("your mailbox could not be searched for a mail of his: {why}")]);
        }
    };
    let mut unseen = Vec::new();
    // one mail may lie in several folders
    let mut ids = BTreeSet::new();
    for Found { folder, headers } in found {
        let is_his = from_headers(&headers).is_ok_and(|from| his.iter().any(|his| his.is_same_mailbox(&from.address)));
        let id = headers.only("message-id").unwrap_or_default();
        if !is_his || !ids.insert(id.to_owned()) || !store.message_id_known(id).await?.is_empty() {
            continue;
        }
        let (date, subject) =
            (headers.first("date").unwrap_or("no date"), headers.first("subject").unwrap_or_default());
        unseen.push(format!(
            "a mail of his lies in your folder {} that was not read: \"{}\" of {}\nhelp: save it, and  amici take FILE.eml",
            one_line(&folder, 60),
            one_line(subject, 60),
            one_line(date, 40)
        ));
    }
    Ok(unseen)
}

fn in_maildir(
    root: &Maildir,
    folders: &[String],
    largest: u64,
    since: NaiveDate,
) -> Result<Vec<Found>, crate::io::maildir::MaildirError> {
    let mut places = vec![("INBOX".to_owned(), None)];
    places.extend(folders.iter().map(|name| (name.clone(), Some(name))));
    let mut found = Vec::new();
    for (folder, name) in places {
        let opened = name.map(|name| root.folder(name)).transpose()?;
        let place = opened.as_ref().unwrap_or(root);
        for entry in place.list()? {
            if entry.modified.date_naive() < since {
                continue;
            }
            if let Some(mail) = place.read(&entry.name, largest)? {
                found.push(Found { folder: folder.clone(), headers: Headers::read(header_of(&mail)) });
            }
        }
    }
    Ok(found)
}

async fn on_server(config: &Config, imap: &Imap, his: &[Address], since: NaiveDate) -> Result<Vec<Found>, String> {
    let mut mailbox = look_into(imap, config.limits.largest_mail).await?;
    let look = async {
        let mut found = Vec::new();
        for name in mailbox.folders().await? {
            let folder = match mailbox.examine(&name).await {
                Ok(folder) => folder,
                // one that only holds others
                Err(ImapError::NoSuchFolder { .. }) => continue,
                Err(error) => return Err(error),
            };
            for address in his {
                for uid in mailbox.find_from(&folder, address.as_str(), since).await? {
                    let top = mailbox.fetch_header(uid, TOP).await?;
                    found
                        .extend(top.map(|top| Found { folder: name.clone(), headers: Headers::read(header_of(&top)) }));
                }
            }
        }
        mailbox.close().await;
        Ok::<_, ImapError>(found)
    };
    look.await.map_err(|error| error.to_string())
}
