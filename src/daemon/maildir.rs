//! One look at a mailbox that is a Maildir on this machine.

use std::path::Path;

use chrono::Utc;

use super::fetch::is_possible;
use super::look::{blocking, in_order};
use super::{Daemon, RoundReport, Trouble};
use crate::intake::arrival_time;
use crate::io::Class;
use crate::io::maildir::{Maildir, MaildirError};
use crate::io::store::{Arrival, ArrivalState, Cursor, NotRead};

impl Daemon {
    pub(super) async fn look_maildir(
        &mut self,
        path: &Path,
        folders: &[String],
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let trouble = |e: MaildirError| Trouble::new(e.class(), e.to_string());
        let root = Maildir::inbox(path).map_err(trouble)?;
        let source = format!("maildir:{}", path.display());
        let sent = self.find_sent_in(&root, &source).await?;
        let beside = folders.iter().filter(|name| Some(*name) != sent.as_ref()).cloned();
        let names = sent.iter().cloned().chain(["INBOX".to_owned()]).chain(beside);
        let mut waiting = Vec::new();
        for name in names {
            let now = Utc::now();
            let maildir = root.folder(&name).map_err(trouble)?;
            let listing = maildir.clone();
            let entries = blocking(move || listing.list()).await?.map_err(trouble)?;
            let key = |uid: &str| format!("{name}/{uid}");
            let fresh = entries.into_iter().filter(|entry| !self.listed.contains(&key(&entry.name)));
            let arrivals: Vec<Arrival> = fresh
                .map(|entry| Arrival {
                    source: source.clone(),
                    folder: name.clone(),
                    epoch: 0,
                    uid: entry.name,
                    size: u32::try_from(entry.size).ok(),
                    server_date: Some(entry.modified),
                })
                .collect();
            let fresh: Vec<String> = arrivals.iter().map(|arrival| key(&arrival.uid)).collect();
            let is_new = self.store.cursor(&source, &name).await?.is_none();
            self.note_new((&source, &name), arrivals, is_new, report).await?;
            self.store.advance(&source, &name, Cursor { epoch: 0, last_uid: 0 }, now).await?;
            self.listed.extend(fresh);
            waiting.extend(self.store.pending(&source, &name, 0).await?);
        }
        self.store.without_sync().await?;
        let read = self.read_files(&root, waiting, report).await;
        self.store.sync().await?;
        read
    }

    /// Reads the mails that wait, oldest first.
    async fn read_files(
        &mut self,
        root: &Maildir,
        waiting: Vec<NotRead>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let trouble = |e: MaildirError| Trouble::new(e.class(), e.to_string());
        let all = waiting.len();
        for (read, open) in in_order(waiting).into_iter().enumerate() {
            self.progress(read, all).await;
            let arrival = open.arrival;
            if self.is_too_large(&arrival) {
                self.list_too_large(&arrival, None, report).await?;
                continue;
            }
            let maildir = root.folder(&arrival.folder).map_err(trouble)?;
            let (uid, cap) = (arrival.uid.clone(), u64::from(self.config.limits.largest_mail));
            match blocking(move || maildir.read(&uid, cap)).await? {
                Ok(Some(bytes)) => {
                    let at = arrival_time(&bytes).or(arrival.server_date).filter(|at| is_possible(*at, &bytes));
                    self.take(arrival, &bytes, at.unwrap_or_else(Utc::now), report).await?;
                }
                Ok(None) => {
                    let why = "it was deleted before it was read";
                    self.store.settle(&arrival, ArrivalState::Gone, why, Utc::now()).await?;
                }
                Err(error) if error.class() == Class::SetAside => {
                    self.set_aside(&arrival, &error.to_string(), report).await?;
                }
                Err(error) => return Err(trouble(error)),
            }
        }
        Ok(())
    }
}
