//! The wait between two looks: for the poll, for the server's word, or for somebody who rings.

use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::door::Call;
use super::{Daemon, imap_source, one_line};
use crate::config::Mail;
use crate::io::imap::{IdleEnd, ImapError, Mailbox};

impl Daemon {
    /// Waits for the end of `pause`, for the server's word, for somebody who wants a look (given back), or for the end.
    pub(super) async fn wait(
        &mut self,
        pause: Duration,
        woken: &Notify,
        calls: &mut mpsc::Receiver<Call>,
    ) -> Option<Call> {
        let until = tokio::time::Instant::now() + pause;
        let mut idle = self.start_idle(pause).await;
        let told = async {
            match idle.as_mut() {
                Some(idle) => (&mut idle.task).await.ok(),
                None => std::future::pending().await,
            }
        };
        let mut call = None;
        tokio::select! {
            () = self.shutdown.cancelled() => {}
            () = tokio::time::sleep_until(until) => {}
            () = woken.notified() => {
                // a connection does not outlive a sleep of the machine, and may not say so
                drop(idle);
                self.mailbox = None;
                return None;
            }
            Some(ring) = calls.recv() => call = Some(ring),
            ended = told => {
                match ended {
                    Some((mailbox, Ok(IdleEnd::Changed | IdleEnd::TimedOut))) => {
                        self.mailbox = Some(mailbox);
                        return None;
                    }
                    // the connection is gone: the poll, or its backoff, opens a new one
                    Some((_, Err(error))) => {
                        tracing::debug!("the server ended the wait: {}", one_line(&error.to_string()));
                    }
                    None => {}
                }
                tokio::select! {
                    () = self.shutdown.cancelled() => {}
                    () = tokio::time::sleep_until(until) => {}
                    () = woken.notified() => {}
                    Some(ring) = calls.recv() => call = Some(ring),
                }
                return call;
            }
        }
        if let Some(mut idle) = idle
            && !self.shutdown.is_cancelled()
        {
            drop(idle.call.take());
            // it ends within the time for it, or is gone
            if let Ok((mailbox, Ok(_))) = (&mut idle.task).await {
                self.mailbox = Some(mailbox);
            }
        }
        call
    }

    /// Lets the server call: a task that owns the connection while it waits.
    async fn start_idle(&mut self, pause: Duration) -> Option<Idle> {
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
        let (call, called) = oneshot::channel::<()>();
        let called = async {
            let _ = called.await;
        };
        let task = tokio::spawn(async move {
            let ended = match mailbox.examine(&inbox).await {
                Ok(folder) if folder.uid_next > known.saturating_add(1) => Ok(IdleEnd::Changed),
                Ok(_) => mailbox.idle_until(at_most, called).await,
                Err(error) => Err(error),
            };
            (mailbox, ended)
        });
        Some(Idle { task, call: Some(call) })
    }
}

/// A connection that waits for the server's word. Dropped, it is closed.
struct Idle {
    task: JoinHandle<(Mailbox, Result<IdleEnd, ImapError>)>,
    /// Dropped, it ends the wait.
    call: Option<oneshot::Sender<()>>,
}

impl Drop for Idle {
    fn drop(&mut self) {
        self.task.abort();
    }
}
