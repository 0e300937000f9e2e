//! The finished drafts in the mailbox's folder for drafts: put there once, kept current, taken out when they are stale.
//!
//! Each step is in the database before the server is asked for it, and what is to be put there is looked for first: a crash, a cut
//! connection or a second daemon makes no second draft. One that the player changed, moved or took away is his, for ever.
//! Costs nothing where nothing is planned and nothing lies there; else one look for each round.
//! What will surprise you: the draft of the old day goes only after the new one lies there; that of a dropped choice goes at once.

mod desk;

use chrono::{DateTime, Utc};
use tokio::time::Instant;

pub use self::desk::DraftsError;
use self::desk::{Desk, is_due, is_outside};
use super::pause::{backoff, jittered};
use super::{Daemon, RoundReport, Trouble, one_line, overdue};
use crate::config::{Config, Mail};
use crate::io::imap::{DraftsFolder, Folder, Mailbox};
use crate::io::store::{DraftFate, Store};

impl Daemon {
    /// Tends the drafts, where that is switched on and the mailbox is open. Trouble with the mailbox stops nothing else.
    ///
    /// # Errors
    /// [`Trouble`] from the database.
    pub(super) async fn tend_drafts(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        let now = Utc::now();
        if self.drafts.pause_until.is_some_and(|until| Instant::now() < until) {
            return Ok(());
        }
        let Some(mut mailbox) = self.mailbox.take() else {
            return Ok(());
        };
        let tending = tend(&mut self.store, &mut mailbox, &self.config, &mut self.drafts.folder, now);
        let done = tokio::select! {
            done = tending => done,
            // what was begun stays noted, and is looked for after the next start
            () = overdue(&self.shutdown) => return Ok(()),
        };
        if mailbox.is_open() {
            self.mailbox = Some(mailbox);
        }
        match done {
            Ok(said) => {
                said.iter().for_each(|line| tracing::info!("{line}"));
                report.drafts = said;
                (self.drafts.pause_until, self.drafts.failures) = (None, 0);
                Ok(())
            }
            Err(DraftsError::Store(error)) => Err(error.into()),
            Err(error) => {
                tracing::warn!("the drafts were not looked after: {}", one_line(&error.to_string()));
                self.drafts.failures = self.drafts.failures.saturating_add(1);
                self.drafts.pause_until = Some(Instant::now() + jittered(backoff(self.drafts.failures)));
                report.drafts.push(error.to_string());
                Ok(())
            }
        }
    }
}

/// What the daemon remembers of the drafts from round to round.
#[derive(Debug, Default)]
pub(super) struct Memory {
    folder: Option<DraftsFolder>,
    failures: u32,
    pause_until: Option<Instant>,
}

/// Puts drafts into the folder, restates them for a new day, and takes stale ones out; gives what was done, a line each. `known` is
/// the folder, once it was found.
///
/// # Errors
/// [`DraftsError`]; all that was done before it is kept.
pub async fn tend(
    store: &mut Store,
    mailbox: &mut Mailbox,
    config: &Config,
    known: &mut Option<DraftsFolder>,
    now: DateTime<Utc>,
) -> Result<Vec<String>, DraftsError> {
    if !config.drafts.are_placed() {
        return Ok(Vec::new());
    }
    let rows = store.drafts_at_work().await?;
    if rows.iter().all(|row| is_outside(row) && !is_due(row, now)) {
        return Ok(Vec::new());
    }
    match open_drafts(mailbox, config, known).await {
        Ok((drafts, folder)) => {
            let mut desk = Desk { store, mailbox, config, drafts, folder, now, said: Vec::new() };
            let done = desk.tend(rows).await;
            if done.as_ref().is_ok_and(|to_be_found| *to_be_found) {
                *known = None;
            }
            done.map(|_| desk.said)
        }
        Err(error) => {
            *known = None;
            for row in rows.iter().filter(|row| is_outside(row)) {
                store.settle_draft(row.id, &DraftFate::Later { error: error.to_string(), at: now }).await?;
            }
            Err(error)
        }
    }
}

/// Finds the folder for drafts and opens it for reading; `known` is the folder, once it was found.
///
/// # Errors
/// [`DraftsError`].
pub async fn open_drafts(
    mailbox: &mut Mailbox,
    config: &Config,
    known: &mut Option<DraftsFolder>,
) -> Result<(DraftsFolder, Folder), DraftsError> {
    let drafts = match known {
        Some(known) => known.clone(),
        None => known.insert(mailbox.drafts_folder(config.drafts.folder.as_deref()).await?).clone(),
    };
    if let Some(Mail::Servers { imap, .. }) = &config.mail
        && imap.folders.iter().any(|name| name == drafts.name())
    {
        return Err(DraftsError::IsRead { folder: drafts.name().to_owned() });
    }
    let folder = mailbox.look_at_drafts(&drafts).await?;
    Ok((drafts, folder))
}
