//! The loop: look into the mailbox, take mails in, deliver what waits, wait. Backoff, shutdown, sign of life. Reads the clock.
//!
//! Shutdown may cut the fetch, the wait, and after a grace the hand-over; never the taking in of a mail. A wait ends when the server
//! says that mail came, when the poll is due, or when there is something to deliver; the poll is the guarantee, the server's word
//! only a hint.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{Days, TimeDelta, Utc};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::config::{Config, Mail};
use crate::delivery::resend_unclear;
use crate::io::Class;
use crate::io::bell::Bell;
use crate::io::imap::Mailbox;
use crate::io::store::{Store, StoreError};
use crate::overview::Read;

mod browse;
mod choices;
mod clock;
mod courier;
mod delay;
mod door;
mod drafts;
mod fetch;
mod listing;
mod login;
mod look;
mod maildir;
mod pause;
mod releases;
mod remind;
mod report;
mod sent;
mod signs;
mod turns;
mod verify;
mod wait;
mod watched;

pub use browse::{Looked, Met, Scope, browse};
pub use choices::{ChoiceError, draft_held};
pub use clock::confirm;
use courier::{Courier, Order};
pub use delay::{Delay, delay};
pub use door::{Answer, LOOK, TAKE_OUT};
use door::{Call, answer, pulse, serve};
pub use drafts::{DraftsError, open_drafts, tend};
pub use login::{account, imap_source, look_into, relay, smtp_source};
pub use look::MailReport;
pub use remind::{Reminded, remind};
pub use report::{RoundReport, Trouble};
pub use sent::{sent_in, sent_on};
use signs::Signs;
pub use turns::RemindError;
pub use watched::Watched;

/// The daemon, or one round of it.
#[derive(Debug)]
pub struct Daemon {
    config: Config,
    mail: Mail,
    store: Store,
    shutdown: CancellationToken,
    mailbox: Option<Mailbox>,
    signs: Arc<Signs>,
    /// Those of all daemons of this program.
    watched: Arc<Watched>,
    last_beat: Instant,
    courier: Courier,
    /// Tells the task that delivers that there may be something.
    orders: Option<mpsc::Sender<Order>>,
    /// Where other commands ring.
    bell: Option<Bell>,
    /// Mails that were fetched together cost the connection: each is fetched by itself for once.
    one_by_one: bool,
    /// Mails to the player that may have arrived, and that this look proved not to be in the mailbox.
    missing: HashSet<i64>,
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
        let signs = Arc::new(Signs::new(host, Utc::now(), last_check_at));
        let courier = Courier::new(config.clone(), mail.clone(), store.beside(), shutdown.clone(), Arc::clone(&signs));
        Ok(Daemon {
            config,
            mail,
            store,
            shutdown,
            mailbox: None,
            watched: Watched::alone(&signs),
            signs,
            last_beat: Instant::now(),
            courier,
            orders: None,
            bell: None,
            one_by_one: false,
            missing: HashSet::new(),
            sent_folder: None,
            swept: HashMap::new(),
            listed: HashSet::new(),
            drafts: drafts::Memory::default(),
        })
    }

    /// The same, and other commands may ring.
    #[must_use]
    pub fn answering(self, bell: Option<Bell>) -> Daemon {
        Daemon { bell, ..self }
    }

    /// The same, and what keeps the desk from being served is told with its sign of life.
    #[must_use]
    pub fn without_desk(self, why: &str) -> Daemon {
        self.signs.set_desk(one_line(why));
        self
    }

    /// One look at the mailbox; what waits is delivered meanwhile, and at its end.
    ///
    /// # Errors
    /// [`Trouble`] when the mailbox could not be looked at to the end; what was done before it stays done.
    pub async fn round(&mut self) -> Result<RoundReport, Trouble> {
        let (orders, taken) = mpsc::channel(1);
        self.orders = Some(orders);
        let fresh = self.courier.beside();
        let mut courier = std::mem::replace(&mut self.courier, fresh);
        let look = async {
            let looked = self.look(true).await;
            // the last pass begins
            self.orders = None;
            looked
        };
        let (looked, delivered) = tokio::join!(look, courier.work(taken, true));
        self.courier = courier;
        let (mut report, delivered) = (looked?, delivered?);
        report.delivered = delivered.delivered;
        report.delivery_trouble = delivered.delivery_trouble;
        Ok(report)
    }

    /// One look at the mailbox. One that the player `asked` for does not wait for the end of a back-off.
    async fn look(&mut self, asked: bool) -> Result<RoundReport, Trouble> {
        let mut report = RoundReport::default();
        let began = Utc::now();
        self.signs.reads(Duration::ZERO);
        let source = self.source();
        let looked = match self.mail.clone() {
            Mail::Servers { imap, .. } => self.look_imap(&imap, asked, &mut report).await,
            Mail::Maildir { path, folders, .. } => self.look_maildir(&path, &folders, &mut report).await,
        };
        self.signs.set_progress(None);
        let looked = match looked {
            Ok(()) => {
                self.signs.checked(Utc::now());
                self.store.end_outage(&source).await?;
                let missing = matches!(self.mail, Mail::Servers { .. }).then_some(&self.missing);
                let resent = resend_unclear(&mut self.store, self.config.limits.resend_after, began, missing).await?;
                if resent > 0 {
                    tracing::warn!(mails = resent, "deliveries that stayed unclear are repeated with the same bytes");
                }
                Ok(())
            }
            Err(trouble) => {
                (self.mailbox, self.sent_folder) = (None, None);
                Err(self.noted(&source, trouble).await)
            }
        };
        self.order();
        if !self.shutdown.is_cancelled() {
            self.confirm().await;
            self.read_again().await;
            self.draft_held().await;
            self.remind().await;
            self.tend_drafts(&mut report).await?;
            self.order();
        }
        looked.map(|()| report)
    }

    /// Trouble with the mailbox, kept: its server is left alone for a while.
    async fn noted(&mut self, source: &str, trouble: Trouble) -> Trouble {
        if trouble.in_database || trouble.until.is_some() || trouble.message == STOPPING {
            return trouble;
        }
        let at_least = match trouble.class {
            Class::Stop => self.poll().max(Duration::from_secs(60)),
            Class::Retry | Class::SetAside => Duration::ZERO,
        };
        match login::note_outage(&mut self.store, source, &trouble.message, at_least).await {
            Ok(until) => Trouble { until: Some(until), ..trouble },
            Err(error) => error.into(),
        }
    }

    /// The name of the mailbox in the ledger.
    fn source(&self) -> String {
        match &self.mail {
            Mail::Servers { imap, .. } => imap_source(imap),
            Mail::Maildir { path, .. } => format!("maildir:{}", path.display()),
        }
    }

    /// Something may wait to be delivered.
    fn order(&self) {
        if let Some(orders) = &self.orders {
            // where one order waits already, another changes nothing
            let _ = orders.try_send(None);
        }
    }

    /// Tells the player what bites next. Trouble with it stops nothing else: it is tried again in the next round.
    async fn remind(&mut self) {
        let now = Utc::now();
        let read = Read::checked(self.signs.last_check_at(), now);
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
        // why mails wait has been told by whoever delivers
        self.signs.set_reading(result.as_ref().err().map(|trouble| trouble.message.clone()));
        self.beat("polled", Duration::ZERO).await;
        result
    }

    /// Delivers what waits, without looking into the mailbox. What the player `asked` for does not wait for the end of a back-off.
    ///
    /// # Errors
    /// [`Trouble`] from the database.
    pub async fn deliver_now(&mut self, asked: bool) -> Result<RoundReport, Trouble> {
        let mut report = RoundReport::default();
        self.courier.pass(asked, &mut report).await?;
        self.courier.close().await?;
        Ok(report)
    }

    /// Looks and waits until it is told to stop, and delivers beside it. All trouble is waited out, and shown by the sign of life, but for one.
    ///
    /// # Errors
    /// [`Trouble`]: another database lies in the place of the one that it works on.
    pub async fn run(mut self) -> Result<(), Trouble> {
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
        let (orders, taken) = mpsc::channel(8);
        let (call, mut calls) = mpsc::channel(8);
        let fresh = self.courier.beside();
        let mut courier = std::mem::replace(&mut self.courier, fresh);
        let delivering = tokio::spawn(async move { courier.work(taken, false).await }.in_current_span());
        self.orders = Some(orders.clone());
        let woken = Arc::new(Notify::new());
        let mut beside = vec![tokio::spawn(pulse(Arc::clone(&self.watched), Arc::clone(&woken), orders.clone()))];
        if let Some(bell) = self.bell.take() {
            let shared = (Arc::clone(&self.signs), Arc::clone(&woken));
            beside.push(tokio::spawn(serve(bell, shared, call, orders.clone()).in_current_span()));
        }
        let mut asking: Vec<Call> = Vec::new();
        let mut ended = Ok(());
        while !self.shutdown.is_cancelled() {
            if let Err(error @ StoreError::Displaced { .. }) = self.store.look_at_place().await {
                ended = Err(error.into());
                break;
            }
            let looked = self.look(!asking.is_empty()).await;
            let now = Utc::now();
            let pause = match &looked {
                Ok(_) => {
                    self.signs.set_reading(None);
                    self.poll()
                }
                Err(trouble) if trouble.message == STOPPING => break,
                Err(trouble) => {
                    tracing::error!("the mailbox was not checked: {}", one_line(&trouble.message));
                    self.signs.set_reading(Some(trouble.message.clone()));
                    let until = trouble.until.map(|until| (until - now).to_std().unwrap_or_default());
                    until.unwrap_or(Duration::from_secs(60)).max(Duration::from_secs(1))
                }
            };
            self.beat("running", pause).await;
            tokio::spawn(answer(std::mem::take(&mut asking), looked, orders.clone()));
            asking.extend(self.wait(pause, &woken, &mut calls).await);
            while let Ok(call) = calls.try_recv() {
                asking.push(call);
            }
        }
        self.shutdown.cancel();
        beside.iter().for_each(|task| task.abort());
        if let Some(mailbox) = self.mailbox.take() {
            mailbox.close().await;
        }
        let _ = delivering.await;
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
        if ended.is_ok() {
            self.beat("ended", Duration::ZERO).await;
        }
        tracing::info!("stopped");
        ended
    }

    /// Tells monitors in the middle of a long look that it goes on.
    async fn alive(&mut self) {
        self.signs.reads(Duration::ZERO);
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

    /// The sign of life; the next one is due after `pause`.
    async fn beat(&mut self, state: &str, pause: Duration) {
        let now = Utc::now();
        self.last_beat = Instant::now();
        self.signs.reads(pause);
        self.signs.expect(TimeDelta::from_std(pause).ok().and_then(|pause| now.checked_add_signed(pause)));
        if let Err(error) = self.store.beat(&self.signs.heartbeat(state, now)).await {
            tracing::error!("{}", one_line(&error.to_string()));
        }
        self.watched.status(state);
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
