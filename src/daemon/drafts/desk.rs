//! One look into the folder for drafts: what lies there, what is to be put there, what is to go.

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use super::super::one_line;
use super::super::pause::backoff;
use crate::config::{Config, Placing};
use crate::intake::table::his_table;
use crate::io::imap::{DraftsFolder, Folder, ImapError, Mailbox, Said, Verified};
use crate::io::store::{DraftFate, DraftRow, DraftState, Store, StoreError, StoredGame};
use crate::letters;

/// How long a draft that could not be taken out waits for the next try.
const CLEAR_AGAIN: TimeDelta = TimeDelta::minutes(15);

/// Why the drafts could not be tended to the end.
#[derive(Debug, thiserror::Error)]
pub enum DraftsError {
    /// From the mailbox; what was begun is looked for in the next round.
    #[error(transparent)]
    Mailbox(#[from] ImapError),
    /// The folder is one whose mails are read: drafts would be taken for mails there.
    #[error(
        "the folder for drafts, {folder:?}, is read for mails too\nhelp: take it out of `folders` in [imap], or name another in [drafts]"
    )]
    IsRead {
        /// Which.
        folder: String,
    },
    /// From the database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// It is certain that it does not lie in the folder.
pub(super) fn is_outside(row: &DraftRow) -> bool {
    matches!(row.state, DraftState::Wanted | DraftState::Unplaced)
}

pub(super) fn is_due(row: &DraftRow, now: DateTime<Utc>) -> bool {
    row.next_attempt_at.is_none_or(|at| at <= now)
}

/// One look into the folder.
pub(super) struct Desk<'a> {
    pub(super) store: &'a mut Store,
    pub(super) mailbox: &'a mut Mailbox,
    pub(super) config: &'a Config,
    pub(super) drafts: DraftsFolder,
    pub(super) folder: Folder,
    pub(super) now: DateTime<Utc>,
    pub(super) said: Vec<String>,
}

impl Desk<'_> {
    /// True where the folder itself has to be found anew.
    pub(super) async fn tend(&mut self, rows: Vec<DraftRow>) -> Result<bool, DraftsError> {
        self.look(rows).await?;
        if self.store.clock_doubt(self.now).await?.is_none() {
            self.restate().await?;
        }
        let to_be_found = self.place().await?;
        self.clear().await?;
        Ok(to_be_found)
    }

    /// Notes what became of those that should lie there.
    async fn look(&mut self, rows: Vec<DraftRow>) -> Result<(), DraftsError> {
        let here = |row: &DraftRow| row.place.filter(|(validity, _)| *validity == self.folder.uid_validity);
        let expected: BTreeSet<u32> = rows.iter().filter_map(here).map(|(_, uid)| uid).collect();
        // what a UID stands for never changes (RFC 3501, 2.3.1.1): where it is, the draft is as it was
        let present = self.mailbox.uids_in(&self.folder, &expected).await?;
        let absent = |row: &&DraftRow| here(row).is_none_or(|(_, uid)| !present.contains(&uid));
        let missed: Vec<&DraftRow> = rows.iter().filter(|row| !is_outside(row)).filter(absent).collect();
        for row in missed {
            let fate = match (self.find(row).await?, row.state) {
                (Some(fate), _) => fate,
                (None, DraftState::Placing) if row.live => continue,
                (None, DraftState::Placed) if self.has_edited_copy(row).await? => DraftFate::Touched,
                (None, DraftState::Placed) => DraftFate::Vanished,
                (None, _) => DraftFate::Removed,
            };
            self.settle(row, &fate).await?;
        }
        Ok(())
    }

    /// What a search for the draft's Message-ID tells of it; `None` where there is no such mail.
    async fn find(&mut self, row: &DraftRow) -> Result<Option<DraftFate>, DraftsError> {
        let uids = self.mailbox.find_message_id(&self.folder, &row.message_id).await?;
        let mut fate = None;
        for uid in uids {
            let mail = self.mailbox.fetch(uid).await?;
            // under a new number in the same numbering it was saved by a mail program, be it unchanged
            let renumbered = row.place.is_none_or(|(validity, _)| validity != self.folder.uid_validity);
            if renumbered && mail.is_some() && mail == row.bytes {
                return Ok(Some(DraftFate::Placed(Some((self.folder.uid_validity, uid)))));
            }
            fate = Some(DraftFate::Touched);
        }
        Ok(fate)
    }

    /// Whether another draft answers the same mail of the opponent: mail programs save an edited draft under a Message-ID of their own.
    async fn has_edited_copy(&mut self, row: &DraftRow) -> Result<bool, DraftsError> {
        let Some(thread) = self.store.game(&row.game).await? else {
            return Ok(false);
        };
        let answered = thread.game.last_message_id.unwrap_or(thread.root_message_id);
        let rows = self.store.drafts().await?;
        let ours: HashSet<(u32, u32)> =
            rows.iter().filter(|own| own.id != row.id).filter_map(|own| own.place).collect();
        let place = row.place.filter(|(validity, _)| *validity == self.folder.uid_validity).map(|(_, uid)| uid);
        let found = self.mailbox.find_reference(&self.folder, &answered).await?;
        Ok(found.into_iter().any(|uid| Some(uid) != place && !ours.contains(&(self.folder.uid_validity, uid))))
    }

    /// States the plans anew whose draft is of an earlier day, and untouched.
    async fn restate(&mut self) -> Result<(), DraftsError> {
        for row in self.store.drafts_at_work().await?.iter().filter(|row| row.live) {
            let placed = row.state == DraftState::Placed;
            let may = match row.state {
                DraftState::Placed => self.config.drafts.placing == Placing::Refreshed && self.mailbox.can_remove(),
                DraftState::Wanted | DraftState::Unplaced => is_due(row, self.now),
                _ => false,
            };
            let Some(thread) = self.store.game(&row.game).await?.filter(|_| may) else {
                continue;
            };
            let (game, root) = (&thread.game, &thread.root_message_id);
            let plan = match letters::restated(game, root, &self.config.me, self.now) {
                Ok(Some(plan)) => plan,
                Ok(None) => continue,
                Err(error) => {
                    self.later(row, error.to_string()).await?;
                    continue;
                }
            };
            if placed && self.has_edited_copy(row).await? {
                self.settle(row, &DraftFate::Touched).await?;
                continue;
            }
            match self.store.restate(&row.game, game.moves.len(), &row.message_id, &plan, self.now).await {
                Ok(()) if placed => {}
                Ok(()) => self.store.settle_draft(row.id, &DraftFate::Removed).await?,
                // another command was faster
                Err(StoreError::Moved { .. } | StoreError::NoPlan { .. } | StoreError::Finished { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Puts what is wanted into the folder; true where the folder is not there any more.
    async fn place(&mut self) -> Result<bool, DraftsError> {
        for row in self.store.drafts_at_work().await? {
            let wanted = is_outside(&row) || row.state == DraftState::Placing;
            if !(wanted && row.live && is_due(&row, self.now)) {
                continue;
            }
            // one that is being placed was looked for just now
            if is_outside(&row)
                && let Some(fate) = self.find(&row).await?
            {
                self.settle(&row, &fate).await?;
                continue;
            }
            let bytes = match self.bytes(&row).await? {
                Ok(bytes) => bytes,
                Err(why) => {
                    self.later(&row, why).await?;
                    continue;
                }
            };
            let retry_at = self.now + backoff(row.attempts.saturating_add(1));
            if !self.store.begin_placing(row.id, &bytes, self.drafts.name(), retry_at).await? {
                continue;
            }
            let fate = match self.mailbox.append_draft(&self.drafts, &bytes).await {
                Ok(Some(place)) => DraftFate::Placed(Some(place)),
                Ok(None) => {
                    self.folder = self.mailbox.look_at_drafts(&self.drafts).await?;
                    let begun = DraftRow { bytes: Some(bytes), place: None, ..row.clone() };
                    // the server has taken it: whatever it shows, it is not given it a second time
                    self.find(&begun).await?.unwrap_or(DraftFate::Placed(None))
                }
                Err(ImapError::No { said, .. }) => {
                    let error = refusal(self.drafts.name(), &said);
                    self.settle(&row, &DraftFate::Refused { error, at: retry_at }).await?;
                    if said.code.as_deref() == Some("TRYCREATE") {
                        return Ok(true);
                    }
                    continue;
                }
                Err(error) => {
                    let why = DraftFate::Later { error: error.to_string(), at: retry_at };
                    self.store.settle_draft(row.id, &why).await?;
                    return Err(error.into());
                }
            };
            self.settle(&row, &fate).await?;
        }
        Ok(false)
    }

    /// The mail as it is kept, or made now; the inner error is about this draft alone.
    async fn bytes(&mut self, row: &DraftRow) -> Result<Result<Vec<u8>, String>, DraftsError> {
        if let Some(bytes) = &row.bytes {
            return Ok(Ok(bytes.clone()));
        }
        let thread = self.store.game(&row.game).await?;
        let Some((thread, plan)) = thread.and_then(|t| t.game.plan.clone().map(|plan| (t, plan))) else {
            return Ok(Err("its plan is gone".to_owned()));
        };
        let table = his_table(self.store, &thread).await?;
        let StoredGame { game, root_message_id, .. } = &thread;
        let mail = letters::finished(game, root_message_id, &plan, &table, &self.config.me, self.now);
        Ok(mail.map_err(|error| error.to_string()))
    }

    /// Takes out what is stale and still ours.
    async fn clear(&mut self) -> Result<(), DraftsError> {
        let rows = self.store.drafts_at_work().await?;
        let mut overtaken = HashSet::new();
        for row in &rows {
            let stale = row.state == DraftState::Removing || (row.state == DraftState::Placed && !row.live);
            let newer = rows.iter().find(|newer| newer.refreshes == Some(row.id) && newer.live);
            let waits = newer.is_some_and(|newer| is_outside(newer) || newer.state == DraftState::Placing);
            let (Some(place), Some(bytes)) = (row.place, &row.bytes) else {
                continue;
            };
            if !(stale || overtaken.contains(&row.id)) || waits || !is_due(row, self.now) {
                continue;
            }
            if !self.mailbox.can_remove() {
                self.later(row, ImapError::CannotRemove.to_string()).await?;
                continue;
            }
            self.store.settle_draft(row.id, &DraftFate::Removing).await?;
            let sha256: [u8; 32] = Sha256::digest(bytes).into();
            let verified = self.mailbox.verify_draft(&self.drafts, place, &sha256).await?;
            let fate = match verified {
                Verified::Own(own) => match self.mailbox.remove_draft(own).await {
                    Ok(()) => DraftFate::Removed,
                    Err(error @ (ImapError::No { .. } | ImapError::NotRemoved | ImapError::CannotRemove)) => {
                        self.later(row, error.to_string()).await?;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                },
                Verified::Changed => DraftFate::Touched,
                Verified::Gone => DraftFate::Vanished,
            };
            if let (DraftFate::Touched | DraftFate::Vanished, Some(newer)) = (&fate, newer) {
                // he took up the old one in this very moment: the new one would be a second
                self.store.settle_draft(newer.id, &DraftFate::Removing).await?;
                overtaken.insert(newer.id);
            }
            self.settle(row, &fate).await?;
        }
        Ok(())
    }

    async fn later(&mut self, row: &DraftRow, error: String) -> Result<(), DraftsError> {
        if row.last_error.as_ref() != Some(&error) {
            self.said.push(format!("{}: {}", row.game, one_line(&error)));
        }
        Ok(self.store.settle_draft(row.id, &DraftFate::Later { error, at: self.now + CLEAR_AGAIN }).await?)
    }

    async fn settle(&mut self, row: &DraftRow, fate: &DraftFate) -> Result<(), DraftsError> {
        self.store.settle_draft(row.id, fate).await?;
        let folder = self.drafts.name();
        let what = match fate {
            DraftFate::Placed(_) => format!("the draft lies in {folder}"),
            DraftFate::Touched => format!("the draft in {folder} is yours now: it was changed"),
            DraftFate::Vanished => format!("the draft is gone from {folder}: you sent or deleted it"),
            DraftFate::Removed => format!("a stale draft is out of {folder}"),
            DraftFate::Later { error, .. } | DraftFate::Refused { error, .. } => one_line(error),
            DraftFate::Removing => return Ok(()),
        };
        self.said.push(format!("{}: {what}", row.game));
        Ok(())
    }
}

/// What a refused APPEND means, and what to do (RFC 3501 section 6.3.11, RFC 5530, RFC 9208).
fn refusal(folder: &str, said: &Said) -> String {
    let help = match said.code.as_deref() {
        Some("TRYCREATE") => "make the folder in your mail program, or name another in [drafts]",
        Some("OVERQUOTA") => "the mailbox is full: make room in it",
        Some("LIMIT") => "the server takes no more for now",
        _ => "the draft that was sent to you is as good; `folder` in [drafts] names another folder",
    };
    format!("the draft is not in {folder}, the server refused it: {said}\nhelp: {help}")
}
