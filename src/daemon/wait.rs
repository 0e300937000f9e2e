//! The wait between two rounds: for the poll, for the server's word, or for something to deliver.

use std::time::Duration;

use super::{Daemon, RoundReport, imap_source, one_line};
use crate::config::Mail;
use crate::io::imap::{IdleEnd, ImapError, Mailbox};

impl Daemon {
    /// Waits for the end of `pause`, for the server's word, or for the end; delivers meanwhile what other commands put out.
    pub(super) async fn wait(&mut self, pause: Duration) {
        let until = tokio::time::Instant::now() + pause;
        let mut idle = self.start_idle(pause).await;
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            let told = async {
                match idle.as_mut() {
                    Some(task) => task.await.ok(),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.shutdown.cancelled() => break,
                () = tokio::time::sleep_until(until) => break,
                ended = told => {
                    idle = None;
                    match ended {
                        Some((mailbox, Ok(IdleEnd::Changed | IdleEnd::TimedOut))) => {
                            self.mailbox = Some(mailbox);
                            break;
                        }
                        // the connection is gone: the poll, or its backoff, opens a new one
                        Some((_, Err(error))) => tracing::debug!("the server ended the wait: {}", one_line(&error.to_string())),
                        None => {}
                    }
                }
                _ = tick.tick() => {
                    let mut report = RoundReport::default();
                    if let Err(trouble) = self.deliver_all(&mut report).await {
                        tracing::error!("{}", one_line(&trouble.message));
                    }
                    let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
                }
            }
        }
        if let Some(mut task) = idle {
            let ended = tokio::time::timeout(Duration::from_millis(1), &mut task).await;
            if let Ok(Ok((mailbox, Ok(_)))) = ended {
                self.mailbox = Some(mailbox);
            } else {
                // a connection in the middle of IDLE is closed; the next round opens another
                task.abort();
            }
        }
    }

    /// Lets the server call: a task that owns the connection while it waits.
    async fn start_idle(
        &mut self,
        pause: Duration,
    ) -> Option<tokio::task::JoinHandle<(Mailbox, Result<IdleEnd, ImapError>)>> {
        let Mail::Servers { imap, .. } = &self.mail else {
            return None;
        };
        let mut mailbox = self.mailbox.take()?;
        let inbox = imap.folders.first()?.clone();
        if !imap.idle || !mailbox.supports_idle() {
            self.mailbox = Some(mailbox);
            return None;
        }
        let known = self.store.cursor(&imap_source(imap), &inbox).await.ok().flatten().map_or(0, |c| c.last_uid);
        let at_most =
            pause.saturating_sub(Duration::from_secs(2)).clamp(Duration::from_millis(500), Duration::from_secs(300));
        Some(tokio::spawn(async move {
            let ended = match mailbox.examine(&inbox).await {
                Ok(folder) if folder.uid_next > known.saturating_add(1) => Ok(IdleEnd::Changed),
                Ok(_) => mailbox.idle(at_most).await,
                Err(error) => Err(error),
            };
            (mailbox, ended)
        }))
    }
}
