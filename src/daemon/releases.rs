//! Released moves: each goes to its opponent once, and what a cut connection left open is looked for.

use chrono::Utc;

use super::courier::{Courier, retry_at};
use super::{Daemon, RoundReport, Trouble, one_line};
use crate::config::Imap;
use crate::delivery::{Fate, Outlet};
use crate::io::imap::Mailbox;
use crate::io::store::{OutboxState, ReleaseRow};
use crate::release::{DOUBTED, obstacle, proved, redate, send, waits_for_clock};

impl Courier {
    /// The released moves that may go out now.
    pub(super) async fn ready_releases(&mut self, report: &mut RoundReport) -> Result<Vec<ReleaseRow>, Trouble> {
        let now = Utc::now();
        let due = |row: &ReleaseRow| {
            row.state == OutboxState::Queued
                && row.release.not_before <= now
                && row.next_attempt_at.is_none_or(|at| at <= now)
        };
        let mut rows = Vec::new();
        for row in self.store.released().await?.into_iter().filter(due) {
            if let Some(row) = self.made_ready(row, report).await? {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// A release as it may go out at this moment; `None` where something speaks against it, which is kept and told.
    async fn made_ready(&mut self, row: ReleaseRow, report: &mut RoundReport) -> Result<Option<ReleaseRow>, Trouble> {
        let now = Utc::now();
        if waits_for_clock(&mut self.store, &row, now).await? {
            report.delivery_trouble = Some(DOUBTED.to_owned());
            return Ok(None);
        }
        let row = match redate(&mut self.store, &self.config, &row, now).await {
            Ok(row) => row,
            Err(error) => {
                let why = one_line(&error.to_string());
                tracing::error!(game = %row.game, "a released move was not sent: {why}");
                report.delivery_trouble = Some(why);
                return Ok(None);
            }
        };
        if let Some(outcome) = obstacle(&mut self.store, &row, &self.config.direct, now).await? {
            self.store.finish_release(row.id, &outcome, now).await?;
            told(report, row, outcome.into());
            return Ok(None);
        }
        Ok(Some(row))
    }

    /// Sends these; the mails before them took their time, so each is looked at once more.
    pub(super) async fn send_released(
        &mut self,
        outlet: &mut Outlet,
        rows: Vec<ReleaseRow>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        for row in rows {
            let Some(row) = self.made_ready(row, report).await? else { continue };
            let Outlet::Smtp(line) = outlet else { return Ok(()) };
            self.signs.delivers(true);
            let sent = send(&mut self.store, &self.config.me, line, &row, Utc::now, retry_at).await?;
            // nothing: the server is in trouble, and takes no other either
            let Some(fate) = sent else { return Ok(()) };
            told(report, row, fate);
        }
        Ok(())
    }
}

fn told(report: &mut RoundReport, row: ReleaseRow, fate: Fate) {
    match &fate {
        Fate::Sent => tracing::info!(game = %row.game, "the released move was sent to the opponent"),
        Fate::Later(why) | Fate::Failed(why) | Fate::Unknown(why) => {
            tracing::warn!(game = %row.game, "a released move was not sent: {}", one_line(why));
            report.delivery_trouble = Some(why.clone());
        }
    }
    report.delivered.push((row.release.message_id, fate));
}

impl Daemon {
    /// Looks for released mails whose sending stayed unclear: a copy in the mailbox proves that the server took it.
    pub(super) async fn look_for_released(&mut self, mailbox: &mut Mailbox, imap: &Imap) -> Result<(), Trouble> {
        let rows = self.store.released().await?;
        for row in rows.iter().filter(|row| row.state == OutboxState::Unknown) {
            if let Some(name) = self.search_for(mailbox, &imap.folders, &row.release.message_id).await?.found {
                let said = format!("a copy of it is in {name}");
                proved(&mut self.store, &self.config.me, row, &said, Utc::now()).await?;
                tracing::info!(game = %row.game, "the released move was sent: {said}");
            }
        }
        Ok(())
    }
}
