//! The task that delivers: one connection for all that waits, and none while the server is in trouble. It goes on while the mailbox is
//! read, however long that takes.
//!
//! What will surprise you: the connection is kept for some seconds, for what is read meanwhile; and trouble of one mail holds back the
//! younger ones of its game, so that none overtakes it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::delay::{delay, outlet_source};
use super::login::{Limit, closed, note_outage, note_refusal, relay, secret};
use super::pause::{backoff, jittered};
use super::signs::Signs;
use super::{RoundReport, Trouble, one_line, overdue};
use crate::config::{Config, Mail, Smtp};
use crate::delivery::{Fate, Line, Outage, Outlet, deliver};
use crate::io::Class;
use crate::io::access::AccessError;
use crate::io::maildir::Maildir;
use crate::io::smtp::Session;
use crate::io::store::{LoginOutcome, Store};

/// A server lets us in within this, or is in trouble: each step of it has a limit of its own, and all together this.
const OPENING: Duration = Duration::from_secs(120);
/// So long a connection is kept for the next mail.
const LINGER: Duration = Duration::from_secs(5);
/// So long nothing is tried after trouble with the database, or of a mail that stays due whatever was tried.
const PAUSE: Duration = Duration::from_secs(60);

/// A wish that what waits goes out, with whom to tell what became of it.
pub(super) type Order = Option<oneshot::Sender<RoundReport>>;

/// Nothing lets us in.
fn without(error: &AccessError) -> Outage {
    let class = match error {
        AccessError::Login(error) => error.class(),
        // it may come from a program that asks a person
        AccessError::Kept(_) => Class::Stop,
    };
    Outage { reason: error.to_string(), class, refuses_login: error.is_refusal() }
}

/// The task that delivers.
#[derive(Debug)]
pub(super) struct Courier {
    pub(super) config: Config,
    pub(super) mail: Mail,
    pub(super) store: Store,
    pub(super) shutdown: CancellationToken,
    pub(super) signs: Arc<Signs>,
    open: Option<Open>,
    /// Nothing is tried before this.
    pause_until: Option<Instant>,
}

/// A way out that is open.
#[derive(Debug)]
struct Open {
    outlet: Outlet,
    login: Option<i64>,
    handed_over: usize,
}

impl Courier {
    pub(super) fn new(
        config: Config,
        mail: Mail,
        store: Store,
        shutdown: CancellationToken,
        signs: Arc<Signs>,
    ) -> Courier {
        Courier { config, mail, store, shutdown, signs, open: None, pause_until: None }
    }

    /// Another one for the same mailbox.
    pub(super) fn beside(&self) -> Courier {
        let (config, mail) = (self.config.clone(), self.mail.clone());
        Courier::new(config, mail, self.store.beside(), self.shutdown.clone(), Arc::clone(&self.signs))
    }

    /// Delivers what is due and what is ordered, until nobody can order any more, or it is told to stop. `asked`: the player wants it now, and
    /// a back-off is not waited for. Gives all that was done.
    ///
    /// # Errors
    /// [`Trouble`] from the database in the last pass.
    pub(super) async fn work(
        &mut self,
        mut orders: mpsc::Receiver<Order>,
        asked: bool,
    ) -> Result<RoundReport, Trouble> {
        let (mut all, mut asked) = (RoundReport::default(), asked);
        loop {
            let next = self.next_pass().await;
            let (mut waiting, mut is_last, mut is_idle) = (Vec::new(), false, false);
            tokio::select! {
                () = self.shutdown.cancelled() => is_last = true,
                order = orders.recv() => match order {
                    Some(order) => waiting.extend(order),
                    None => is_last = true,
                },
                () = at(next) => is_idle = true,
            }
            if self.shutdown.is_cancelled() {
                self.close().await?;
                return Ok(all);
            }
            while let Ok(order) = orders.try_recv() {
                waiting.extend(order);
            }
            let mut report = RoundReport::default();
            let done = self.pass(asked || !waiting.is_empty(), &mut report).await;
            if let Err(trouble) = &done {
                tracing::error!("{}", one_line(&trouble.message));
                report.delivery_trouble = Some(trouble.message.clone());
            }
            // it was tried once as he wanted it
            asked &= report.delivery_trouble.is_none();
            all.delivered.extend(report.delivered.iter().cloned());
            all.delivery_trouble.clone_from(&report.delivery_trouble);
            for asker in waiting {
                // whoever asked may be gone
                let _ = asker.send(report.clone());
            }
            if is_last || (is_idle && report.delivered.is_empty()) {
                self.close().await?;
            }
            if is_last {
                return done.map(|()| all);
            }
        }
    }

    /// When something is to be done without an order.
    async fn next_pass(&mut self) -> Option<Instant> {
        if self.open.is_some() {
            return Some(Instant::now() + LINGER);
        }
        let now = Utc::now();
        let next = match self.store.next_due(now).await {
            Ok(next) => next?,
            Err(error) => {
                tracing::error!("{}", one_line(&error.to_string()));
                return Some(Instant::now() + PAUSE);
            }
        };
        let from = self.pause_until.unwrap_or_else(Instant::now);
        Some(from.max(Instant::now() + (next - now).to_std().unwrap_or_default()))
    }

    /// One pass over all that is due. After it nothing is tried for a while, unless it is ordered.
    pub(super) async fn pass(&mut self, asked: bool, report: &mut RoundReport) -> Result<(), Trouble> {
        self.signs.delivers(true);
        let shutdown = self.shutdown.clone();
        self.pause_until = Some(Instant::now() + PAUSE);
        let done = tokio::select! {
            done = self.deliver_due(asked, report) => done,
            // a row stays as being sent: the next start looks for its mail before it is sent again
            () = overdue(&shutdown) => Ok(()),
        };
        self.signs.delivers(false);
        done?;
        self.tell(report).await
    }

    async fn deliver_due(&mut self, asked: bool, report: &mut RoundReport) -> Result<(), Trouble> {
        let releases = self.ready_releases(report).await?;
        if self.store.due_keys(Utc::now()).await?.is_empty() && releases.is_empty() {
            self.pause_until = None;
            return Ok(());
        }
        let open = match self.open.take() {
            Some(open) => Ok(open),
            None => self.open(asked).await?,
        };
        let mut open = match open {
            Ok(open) => open,
            Err(trouble) => {
                if let Some(until) = trouble.until {
                    self.pause_until = Some(Instant::now() + (until - Utc::now()).to_std().unwrap_or_default());
                }
                report.delivery_trouble = Some(trouble.message);
                return Ok(());
            }
        };
        self.deliver_letters(&mut open, report).await?;
        self.send_released(&mut open.outlet, releases, report).await?;
        open.handed_over += report.delivered.iter().filter(|(_, fate)| *fate == Fate::Sent).count();
        let is_open = open.outlet.is_open();
        self.open = Some(open);
        if is_open { Ok(()) } else { self.close().await }
    }

    async fn deliver_letters(&mut self, open: &mut Open, report: &mut RoundReport) -> Result<(), Trouble> {
        let (mut tried, mut held_up) = (HashSet::new(), HashSet::new());
        loop {
            let due = self.store.due_keys(Utc::now()).await?;
            let fresh: Vec<_> = due.into_iter().filter(|(id, _)| tried.insert(*id)).collect();
            if fresh.is_empty() {
                return Ok(());
            }
            for (id, game) in fresh {
                if !open.outlet.is_open() || self.shutdown.is_cancelled() {
                    return Ok(());
                }
                if game.is_some_and(|game| held_up.contains(&game)) {
                    continue;
                }
                self.signs.delivers(true);
                let delivered = deliver(&mut self.store, &mut open.outlet, id, Utc::now, retry_at).await?;
                let Some((message_id, fate)) = delivered else { continue };
                match &fate {
                    Fate::Sent => tracing::info!(message_id, "delivered to you"),
                    Fate::Later(why) | Fate::Failed(why) | Fate::Unknown(why) => {
                        tracing::warn!(message_id, "not delivered: {}", one_line(why));
                        report.delivery_trouble = Some(why.clone());
                    }
                }
                if matches!(fate, Fate::Later(_) | Fate::Unknown(_)) {
                    held_up.extend(game);
                }
                report.delivered.push((message_id, fate));
            }
        }
    }

    /// Opens the way out, unless its server must not be asked now; with why it is closed.
    async fn open(&mut self, asked: bool) -> Result<Result<Open, Trouble>, Trouble> {
        let source = outlet_source(&self.mail);
        let limit = Limit { per_hour: self.config.limits.logins_per_hour, all: false };
        if let Some(trouble) = closed(&mut self.store, &source, limit, asked, Utc::now()).await? {
            return Ok(Err(trouble));
        }
        let opened = match self.mail.clone() {
            Mail::Maildir { path, .. } => match Maildir::inbox(&path) {
                Ok(maildir) => Ok((Outlet::Maildir(maildir, None), None)),
                Err(error) => Err(Outage { reason: error.to_string(), class: error.class(), refuses_login: false }),
            },
            Mail::Servers { smtp, .. } => self.log_in(&smtp, &source).await?,
        };
        match opened {
            Ok((outlet, login)) => Ok(Ok(Open { outlet, login, handed_over: 0 })),
            Err(outage) => self.note(&source, outage).await.map(Err),
        }
    }

    async fn log_in(&mut self, smtp: &Smtp, source: &str) -> Result<Result<(Outlet, Option<i64>), Outage>, Trouble> {
        loop {
            let password = match secret(&mut self.store, source, &smtp.password).await? {
                Ok(password) => password,
                Err(error) => return Ok(Err(without(&error))),
            };
            let login = self.store.begin_login(source, Utc::now()).await?;
            let relay = relay(smtp);
            let opened = match tokio::time::timeout(OPENING, Session::open(&relay, Some(&password))).await {
                Ok(opened) => opened,
                Err(_) => {
                    let reason = format!("{} did not let us in within {} s", smtp.host, OPENING.as_secs());
                    return Ok(Err(Outage { reason, class: Class::Retry, refuses_login: false }));
                }
            };
            let error = match opened {
                Ok(session) => return Ok(Ok((Outlet::Smtp(Line::new(session)), Some(login)))),
                Err(error) => error,
            };
            let outage = Outage::of(&error);
            // a token may have ended before its time; the next one is new
            if outage.refuses_login && smtp.password.forget().await {
                continue;
            }
            if outage.refuses_login {
                note_refusal(&mut self.store, source, login, &outage.reason).await?;
            } else if !error.reached_login() {
                self.store.end_login(login, LoginOutcome::Unreached).await?;
            }
            return Ok(Err(outage));
        }
    }

    /// Keeps that the server is in trouble, and says so.
    async fn note(&mut self, source: &str, outage: Outage) -> Result<Trouble, Trouble> {
        let at_least = match outage.class {
            Class::Stop if !outage.refuses_login => PAUSE,
            _ => Duration::ZERO,
        };
        tracing::warn!("nothing can be delivered: {}", one_line(&outage.reason));
        let until = note_outage(&mut self.store, source, &outage.reason, at_least).await?;
        self.store.note_reason(&outage.reason, Utc::now()).await?;
        Ok(Trouble { until: Some(until), ..Trouble::new(outage.class, outage.reason) })
    }

    /// Closes the way out, and keeps how the login went.
    pub(super) async fn close(&mut self) -> Result<(), Trouble> {
        let Some(Open { outlet, login, handed_over }) = self.open.take() else { return Ok(()) };
        let source = outlet_source(&self.mail);
        let outage = outlet.close().await;
        if let Some(login) = login {
            match &outage {
                Some(outage) if outage.refuses_login => {
                    note_refusal(&mut self.store, &source, login, &outage.reason).await?;
                }
                None if handed_over > 0 => self.store.end_login(login, LoginOutcome::Ok).await?,
                // it counts as one of which nothing came
                _ => {}
            }
        }
        match outage {
            Some(outage) => {
                let trouble = self.note(&source, outage).await?;
                if let Some(until) = trouble.until {
                    self.pause_until = Some(Instant::now() + (until - Utc::now()).to_std().unwrap_or_default());
                }
            }
            None => self.store.end_outage(&source).await?,
        }
        Ok(())
    }

    /// Tells by the sign of life whether mails wait, and why.
    async fn tell(&mut self, report: &mut RoundReport) -> Result<(), Trouble> {
        let delay = delay(&mut self.store, &self.mail, Utc::now()).await?;
        if let Some(delay) = &delay {
            report.delivery_trouble.get_or_insert_with(|| delay.why.clone());
        }
        if self.signs.set_delivering(delay.map(|delay| delay.to_string())) {
            self.store.beat(&self.signs.heartbeat("running", Utc::now())).await?;
        }
        Ok(())
    }
}

/// When a mail is tried again after so many tries.
pub(super) fn retry_at(tries: u32) -> DateTime<Utc> {
    Utc::now() + TimeDelta::from_std(jittered(backoff(tries))).unwrap_or_default()
}

async fn at(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
