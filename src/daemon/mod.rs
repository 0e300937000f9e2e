//! The loop: look into the mailbox, take mails in, deliver what waits, wait. Backoff, shutdown, sign of life. Reads the clock.
//!
//! Shutdown may cut the fetch, the wait, and after a grace the hand-over; never the taking in of a mail. A wait ends when the server
//! says that mail came, when the poll is due, or when there is something to deliver; the poll is the guarantee, the server's word
//! only a hint.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, Mail};
use crate::delivery::{Fate, deliver_due, resend_unclear};
use crate::io::Class;
use crate::io::imap::Mailbox;
use crate::io::store::{Heartbeat, Store};
use crate::overview::Read;

mod choices;
mod clock;
mod drafts;
mod listing;
mod login;
mod look;
mod maildir;
mod pause;
mod releases;
mod remind;
mod report;
mod sent;
mod turns;
mod verify;
mod wait;

pub use choices::{ChoiceError, draft_held};
pub use clock::confirm;
pub use drafts::{DraftsError, open_drafts, tend};
pub use login::{account, imap_source, look_into, outlet, relay, smtp_source};
pub use look::MailReport;
use pause::{backoff, full_jitter};
pub use remind::{RemindError, Reminded, remind};
pub use report::{RoundReport, Trouble};
pub use sent::{sent_in, sent_on};

/// The daemon, or one round of it.
#[derive(Debug)]
pub struct Daemon {
    config: Config,
    mail: Mail,
    store: Store,
    host: String,
    shutdown: CancellationToken,
    mailbox: Option<Mailbox>,
    started_at: DateTime<Utc>,
    last_beat: Instant,
    last_check_at: Option<DateTime<Utc>>,
    last_error: Option<String>,
    failures: u32,
    /// There is no password, or no Maildir, to deliver with: not asked again before this; and why.
    no_outlet: Option<(Instant, String)>,
    /// Mails to the player that may have arrived and that the server would not look for.
    unsearched: HashSet<i64>,
    /// The folder of the player's sent mails, once it was found.
    sent_folder: Option<String>,
    /// When each folder was last listed whole, on this connection.
    swept: HashMap<String, Instant>,
    /// Names in a Maildir that are in the ledger already.
    listed: HashSet<String>,
    drafts: drafts::Memory,
}

/// How long the end waits for a server's answer.
const GRACE: Duration = Duration::from_secs(2);

/// How long the bytes of a delivered notice are kept.
const KEPT: Days = Days::new(30);

/// The daemon was told to stop.
const STOPPING: &str = "stopping";

impl Daemon {
    /// A daemon that has not looked yet. Mails whose delivery a crash cut off become `unknown`.
    ///
    /// # Errors
    /// [`Trouble`] from the database.
    pub async fn new(
        config: Config,
        mail: Mail,
        mut store: Store,
        host: String,
        shutdown: CancellationToken,
    ) -> Result<Daemon, Trouble> {
        if store.interrupted_releases().await? > 0 {
            tracing::warn!("the sending of a released move was cut off; looking for it before anything else");
        }
        for id in store.interrupted().await? {
            tracing::warn!(outbox = id, "a delivery was cut off; looking for its mail before sending it again");
        }
        let last_check_at = store.heartbeat().await?.and_then(|h| h.last_check_at);
        Ok(Daemon {
            config,
            mail,
            store,
            host,
            shutdown,
            mailbox: None,
            started_at: Utc::now(),
            last_beat: Instant::now(),
            last_check_at,
            last_error: None,
            failures: 0,
            no_outlet: None,
            unsearched: HashSet::new(),
            sent_folder: None,
            swept: HashMap::new(),
            listed: HashSet::new(),
            drafts: drafts::Memory::default(),
        })
    }

    /// One look at the mailbox, and one delivery of what waits.
    ///
    /// # Errors
    /// [`Trouble`] when the mailbox could not be looked at to the end; what was done before it stays done.
    pub async fn round(&mut self) -> Result<RoundReport, Trouble> {
        self.store.look_at_place().await?;
        let mut report = RoundReport::default();
        let began = Utc::now();
        let looked = match self.mail.clone() {
            Mail::Servers { imap, .. } => self.look_imap(&imap, &mut report).await,
            Mail::Maildir { path, folders, .. } => self.look_maildir(&path, &folders, &mut report).await,
        };
        if looked.is_ok() {
            self.last_check_at = Some(Utc::now());
            let resent =
                resend_unclear(&mut self.store, self.config.limits.resend_after, began, &self.unsearched).await?;
            if resent > 0 {
                tracing::warn!(mails = resent, "deliveries that stayed unclear are repeated with the same bytes");
            }
        } else {
            (self.mailbox, self.sent_folder) = (None, None);
        }
        if !self.shutdown.is_cancelled() {
            self.confirm().await;
            self.read_again().await;
            self.draft_held().await;
            self.remind().await;
            self.tend_drafts(&mut report).await?;
            self.deliver_all(&mut report).await?;
        }
        looked.map(|()| report)
    }

    /// Tells the player what bites next. Trouble with it stops nothing else: it is tried again in the next round.
    async fn remind(&mut self) {
        let now = Utc::now();
        let read = Read::checked(self.last_check_at, now);
        match remind(&mut self.store, &self.config.me, &self.config.notify, read, now).await {
            Ok(Reminded::Told(0)) => {}
            Ok(Reminded::Told(mails)) => {
                tracing::info!(mails, "reminders are in the outbox");
                if let Err(error) = self.store.drop_delivered(now - KEPT).await {
                    tracing::error!("no old notice was dropped: {}", one_line(&error.to_string()));
                }
            }
            Ok(Reminded::Distrusted(why)) => tracing::warn!("no deadline is judged: {why}; {}", why.help()),
            Err(error) => tracing::error!("no reminders: {}", one_line(&error.to_string())),
        }
    }

    /// One round by itself, with its sign of life.
    ///
    /// # Errors
    /// As [`Daemon::round`].
    pub async fn round_once(&mut self) -> Result<RoundReport, Trouble> {
        let result = self.round().await;
        if let Some(mailbox) = self.mailbox.take() {
            mailbox.close().await;
        }
        self.last_error = match &result {
            Ok(report) => report.delivery_trouble.clone(),
            Err(trouble) => Some(trouble.message.clone()),
        };
        self.beat("polled", Duration::ZERO).await;
        result
    }

    /// Delivers what waits, without looking into the mailbox.
    ///
    /// # Errors
    /// [`Trouble`] from the database.
    pub async fn deliver_now(&mut self) -> Result<RoundReport, Trouble> {
        let mut report = RoundReport::default();
        self.deliver_all(&mut report).await?;
        Ok(report)
    }

    /// What waits for the player, then what he released.
    async fn deliver_all(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        self.deliver(report).await?;
        self.send_released(report).await
    }

    /// Delivers what is due. After trouble with the database there is a pause: each try would be another login.
    async fn deliver(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        let done = self.deliver_due(report).await;
        if let Err(trouble) = &done {
            self.no_outlet = Some((Instant::now() + Duration::from_secs(60), trouble.message.clone()));
        }
        done
    }

    /// A server that cannot be reached is trouble for the report, not for the round.
    async fn deliver_due(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        let now = Utc::now();
        if self.store.due(now).await?.is_empty() {
            return Ok(());
        }
        if let Some((until, why)) = &self.no_outlet
            && Instant::now() < *until
        {
            report.delivery_trouble = Some(why.clone());
            return Ok(());
        }
        let outlet = match outlet(&mut self.store, &self.mail).await {
            Ok(outlet) => outlet,
            Err(trouble) => {
                // asked again only after a pause: a password may come from a program that asks a person
                let until = Instant::now() + self.poll().max(Duration::from_secs(60));
                tracing::warn!("nothing can be delivered: {}", one_line(&trouble.message));
                self.no_outlet = Some((until, trouble.message.clone()));
                report.delivery_trouble = Some(trouble.message);
                return Ok(());
            }
        };
        self.no_outlet = None;
        let retry_at = |tries: u32| Utc::now() + full_jitter(backoff(tries));
        let delivering = deliver_due(&mut self.store, &outlet, Utc::now(), retry_at);
        let round = tokio::select! {
            round = delivering => round?,
            // the row stays as being sent: the next start looks for its mail before it is sent again
            () = overdue(&self.shutdown) => return Ok(()),
        };
        for one in round.delivered {
            match &one.fate {
                Fate::Sent => tracing::info!(message_id = one.message_id, "delivered to you"),
                Fate::Later(why) | Fate::Failed(why) | Fate::Unknown(why) => {
                    tracing::warn!(message_id = one.message_id, "not delivered: {}", one_line(why));
                    report.delivery_trouble = Some(why.clone());
                }
            }
            report.delivered.push((one.message_id, one.fate));
        }
        login::note_smtp(
            &mut self.store,
            &self.mail,
            round.login_refused,
            report.delivered.iter().any(|(_, fate)| *fate == Fate::Sent),
        )
        .await?;
        Ok(())
    }

    /// Looks, delivers and waits until it is told to stop. All trouble is waited out, and shown by the sign of life.
    pub async fn run(mut self) {
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
        while !self.shutdown.is_cancelled() {
            let pause = match self.round().await {
                Ok(report) => {
                    self.failures = 0;
                    self.last_error = report.delivery_trouble.clone();
                    self.poll()
                }
                Err(trouble) if trouble.message == STOPPING => break,
                Err(trouble) => {
                    tracing::error!("the mailbox was not checked: {}", one_line(&trouble.message));
                    self.last_error = Some(trouble.message);
                    self.failures = self.failures.saturating_add(1);
                    match trouble.class {
                        Class::Stop => self.poll().max(Duration::from_secs(60)),
                        Class::Retry | Class::SetAside => full_jitter(backoff(self.failures)),
                    }
                }
            };
            self.beat("running", pause).await;
            self.wait(pause).await;
        }
        if let Some(mailbox) = self.mailbox.take() {
            mailbox.close().await;
        }
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
        self.beat("ended", Duration::ZERO).await;
        tracing::info!("stopped");
    }

    /// Tells monitors in the middle of a long round that it goes on.
    async fn alive(&mut self) {
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
        if self.last_beat.elapsed() > Duration::from_secs(30) {
            self.beat("running", self.poll()).await;
        }
    }

    fn poll(&self) -> Duration {
        match &self.mail {
            Mail::Servers { imap, .. } => imap.poll,
            Mail::Maildir { poll, .. } => *poll,
        }
    }

    /// The sign of life that `status` and `health` read.
    async fn beat(&mut self, state: &str, pause: Duration) {
        let now = Utc::now();
        self.last_beat = Instant::now();
        let next = chrono::Duration::from_std(pause).ok().and_then(|p| now.checked_add_signed(p));
        let beat = Heartbeat {
            pid: std::process::id(),
            host: self.host.clone(),
            started_at: self.started_at,
            last_check_at: self.last_check_at,
            last_attempt_at: Some(now),
            last_error: self.last_error.clone(),
            next_check_at: next,
            state: state.to_owned(),
        };
        if let Err(error) = self.store.beat(&beat).await {
            tracing::error!("{}", one_line(&error.to_string()));
        }
        let status = match (&self.last_error, self.last_check_at) {
            (Some(error), _) => one_line(error),
            (None, Some(at)) => format!("mail checked {}", at.format("%H:%M:%S UTC")),
            (None, None) => state.to_owned(),
        };
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Status(&status)]);
    }
}

/// The shutdown, and the time a server has to finish what it is about.
async fn overdue(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    tokio::time::sleep(GRACE).await;
}

/// A message on one line, for the log.
fn one_line(text: &str) -> String {
    crate::mail::text::one_line(text, 400)
}

/// The name of this machine, for whoever finds the lock taken.
pub fn host_name() -> String {
    std::fs::read_to_string(Path::new("/etc/hostname")).map(|h| h.trim().to_owned()).unwrap_or_default()
}
