//! The places of mail in `amici check`: both servers or the Maildir, the folders that are read, those for sent mail and for drafts.

use chrono::Utc;

use crate::config::{Config, Mail, SentFolder};
use crate::daemon::{DraftsError, look_into, open_drafts, relay, sent_in, sent_on};
use crate::io::imap::{Folder, ImapError, Mailbox};
use crate::io::maildir::Maildir;
use crate::io::smtp;
use crate::letters::plural;
use crate::mail::headers::{Headers, header_of};

use super::senders;

/// One step: what was tried, and what there is to say of it.
pub(in crate::cli) type Step = (&'static str, Result<String, String>);

/// What was seen in the mailbox on the way.
#[derive(Debug, Default)]
pub(in crate::cli) struct Seen {
    /// The headers of the newest mails.
    pub(in crate::cli) newest: Vec<Headers>,
    /// The folder with the player's sent mails; `None` where none was found, or none shall be read.
    pub(in crate::cli) sent: Option<String>,
    /// The names of all folders on the server, where no folder was found for sent mails.
    pub(in crate::cli) folders: Vec<String>,
}

/// Tries the places of mail.
pub(in crate::cli) async fn tried(config: &Config, seen: &mut Seen) -> Vec<Step> {
    match &config.mail {
        None => vec![("mail", Ok("no server is configured; only local commands work".to_owned()))],
        Some(Mail::Maildir { path, folders, .. }) => {
            let root = match Maildir::inbox(path) {
                Ok(root) => root,
                Err(error) => return vec![("maildir", Err(error.to_string()))],
            };
            let open = || {
                folders.iter().try_for_each(|name| root.folder(name).map(drop).map_err(|e| e.to_string()))?;
                let list = root.list().map_err(|e| e.to_string())?;
                Ok((format!("{}, {}", path.display(), plural(list.len(), "mail")), list))
            };
            let opened = open().map(|(said, list)| {
                let latest = list.iter().rev().take(senders::NEWEST);
                let whole =
                    latest.filter_map(|entry| root.read(&entry.name, config.limits.largest_mail.into()).ok()?);
                seen.newest.extend(whole.map(|mail| Headers::read(header_of(&mail))));
                said
            });
            let sent = sent_in(&root, &config.sent.folder);
            let sent = sent.map(|found| sent_folder(found, config)).map_err(|e| named_sent(&e.to_string()));
            vec![("maildir", opened), ("sent", sent)]
        }
        Some(Mail::Servers { imap, smtp }) => {
            let mut steps = vec![("smtp", check_smtp(smtp).await)];
            match look_into(imap, config.limits.largest_mail).await {
                Ok(mut mailbox) => {
                    let idle = if mailbox.supports_idle() { "calls when mail comes" } else { "is polled only" };
                    steps.push(("imap", Ok(format!("{} as {}; {idle}", imap.host, imap.user))));
                    for (place, name) in imap.folders.iter().enumerate() {
                        let examined = mailbox.examine(name).await;
                        if let (0, Ok(folder)) = (place, &examined) {
                            match tops(&mut mailbox, folder).await {
                                Ok(tops) => seen.newest.extend(tops),
                                Err(error) => steps.push(("senders", Err(error.to_string()))),
                            }
                        }
                        steps.push((
                            "folder",
                            examined
                                .map(|f| {
                                    format!(
                                        "{name}, {}",
                                        plural(usize::try_from(f.exists).unwrap_or(usize::MAX), "mail")
                                    )
                                })
                                .map_err(|e| e.to_string()),
                        ));
                    }
                    let sent = match sent_on(&mut mailbox, &config.sent.folder).await {
                        Ok(found) => {
                            seen.sent.clone_from(&found);
                            Ok(sent_folder(found, config))
                        }
                        // whoever named none may well have none
                        Err(ImapError::NoFolderFor { .. }) => {
                            seen.folders = mailbox.folders().await.unwrap_or_default();
                            Ok(sent_folder(None, config))
                        }
                        Err(error) => Err(named_sent(&error.to_string())),
                    };
                    steps.push(("sent", sent));
                    if config.drafts.are_placed() {
                        steps.push(("drafts", drafts_folder(&mut mailbox, config).await.map_err(|e| e.to_string())));
                    }
                    mailbox.close().await;
                }
                Err(error) => steps.push(("imap", Err(error))),
            }
            steps
        }
    }
}

/// The tops of the newest mails' headers.
async fn tops(mailbox: &mut Mailbox, folder: &Folder) -> Result<Vec<Headers>, ImapError> {
    /// UIDs from the newest backwards, of which some may be gone.
    const REACH: u32 = 500;
    let announced = mailbox.announced(folder, folder.uid_next.saturating_sub(REACH)).await?.mails;
    let mut tops = Vec::new();
    for mail in announced.iter().rev().take(senders::NEWEST) {
        let top = mailbox.fetch_header(mail.uid, senders::TOP).await?;
        tops.extend(top.map(|top| Headers::read(header_of(&top))));
    }
    Ok(tops)
}

/// What is read of the player's own mails.
fn sent_folder(found: Option<String>, config: &Config) -> String {
    match (found, &config.sent.folder) {
        (Some(name), _) => format!("{name}, read for what you really sent"),
        (None, SentFolder::Off) => {
            "not read ([sent] folder = \"off\"): say `amici sent GAME` after each move that you sent".to_owned()
        }
        (None, SentFolder::Auto | SentFolder::Named(_)) => {
            "no folder for sent mails was found: name it in [sent] folder, or say `amici sent GAME` after each move that you sent"
                .to_owned()
        }
    }
}

/// The Sent folder cannot be read, with what to do.
fn named_sent(why: &str) -> String {
    format!(
        "{}\nhelp: set folder in [sent] to the name of the folder that your mail programs keep sent mails in, to \"auto\", or to \"off\"",
        why.lines().next().unwrap_or_default()
    )
}

/// The folder for drafts, looked at as the daemon does.
async fn drafts_folder(mailbox: &mut Mailbox, config: &Config) -> Result<String, DraftsError> {
    let (drafts, folder) = open_drafts(mailbox, config, &mut None).await?;
    let removal = if mailbox.can_remove() {
        "stale ones are taken out"
    } else {
        "the server cannot take out a single mail (UIDPLUS): they are neither kept current nor taken out"
    };
    let mails = plural(usize::try_from(folder.exists).unwrap_or(usize::MAX), "mail");
    Ok(format!("{}, {mails}; {removal}", drafts.name()))
}

async fn check_smtp(smtp: &crate::config::Smtp) -> Result<String, String> {
    let password = smtp.password.read(Utc::now()).await.map_err(|e| e.to_string())?;
    smtp::check(&relay(smtp), Some(&password)).await.map_err(|e| e.to_string())?;
    Ok(format!("{} as {}", smtp.host, smtp.user))
}
