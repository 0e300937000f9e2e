//! Released moves: each goes to its opponent once, and what a cut connection left open is looked for.

use std::time::Duration;

use chrono::Utc;
use tokio::time::Instant;

use super::pause::{backoff, full_jitter};
use super::{Daemon, RoundReport, Trouble, login, one_line, outlet, overdue};
use crate::config::Imap;
use crate::delivery::{Fate, Outlet};
use crate::io::imap::Mailbox;
use crate::io::store::{OutboxState, ReleaseRow};
use crate::release::{DOUBTED, obstacle, proved, redate, send, waits_for_clock};

impl Daemon {
    /// Sends what is released and due.
    pub(super) async fn send_released(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        let now = Utc::now();
        let due = |row: &ReleaseRow| {
            row.state == OutboxState::Queued
                && row.release.not_before <= now
                && row.next_attempt_at.is_none_or(|at| at <= now)
        };
        let mut rows = Vec::new();
        for row in self.store.released().await?.into_iter().filter(due) {
            match waits_for_clock(&mut self.store, &row, now).await? {
                true => report.delivery_trouble = Some(DOUBTED.to_owned()),
                false => rows.push(row),
            }
        }
        if rows.is_empty() || self.no_outlet.as_ref().is_some_and(|(until, _)| Instant::now() < *until) {
            return Ok(());
        }
        let outlet = match outlet(&mut self.store, &self.mail).await {
            Ok(outlet) => outlet,
            Err(trouble) => {
                self.no_outlet = Some((Instant::now() + Duration::from_secs(60), trouble.message.clone()));
                report.delivery_trouble = Some(trouble.message);
                return Ok(());
            }
        };
        let Outlet::Smtp { relay, password } = outlet else {
            return Ok(());
        };
        for row in rows {
            // the mails before it took their time
            let now = Utc::now();
            if waits_for_clock(&mut self.store, &row, now).await? {
                report.delivery_trouble = Some(DOUBTED.to_owned());
                continue;
            }
            let row = match redate(&mut self.store, &self.config, &row, now).await {
                Ok(row) => row,
                Err(error) => {
                    let why = one_line(&error.to_string());
                    tracing::error!(game = %row.game, "a released move was not sent: {why}");
                    report.delivery_trouble = Some(why);
                    continue;
                }
            };
            let fate = if let Some(outcome) = obstacle(&mut self.store, &row, &self.config.direct, now).await? {
                self.store.finish_release(row.id, &outcome, now).await?;
                outcome.into()
            } else {
                let retry_at = |tries: u32| Utc::now() + full_jitter(backoff(tries));
                let sending = send(&mut self.store, &self.config.me, (&relay, &password), &row, Utc::now, retry_at);
                tokio::select! {
                    fate = sending => fate?,
                    // the row stays as being sent: the next start looks for its mail
                    () = overdue(&self.shutdown) => return Ok(()),
                }
            };
            match &fate {
                Fate::Sent => tracing::info!(game = %row.game, "the released move was sent to the opponent"),
                Fate::Later(why) | Fate::Failed(why) | Fate::Unknown(why) => {
                    tracing::warn!(game = %row.game, "a released move was not sent: {}", one_line(why));
                    report.delivery_trouble = Some(why.clone());
                }
            }
            let sent = fate == Fate::Sent;
            report.delivered.push((row.release.message_id, fate));
            login::note_smtp(&mut self.store, &self.mail, None, sent).await?;
        }
        Ok(())
    }

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
