//! `amici run` and `amici poll`: the daemon, and one round of it.

use std::sync::Arc;
use std::time::Duration;

use clap::Args as ClapArgs;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use super::each::{Form, by_account};
use super::{Exit, Failure, Report, Setup, accounts, desk, finish};
use crate::config::{Config, Mail};
use crate::daemon::{Answer, Daemon, LOOK, RoundReport, TAKE_OUT, Trouble, Watched, host_name};
use crate::delivery::Fate;
use crate::io::bell::{Bell, ring};
use crate::io::oauth::Grant;
use crate::io::store::{Lock, Store, StoreError};
use crate::letters::{AnswerKey, plural};

/// Run the daemon in the foreground
#[derive(Debug, ClapArgs)]
pub(super) struct RunArgs {}

/// Look into the mailbox once and say what happened
#[derive(Debug, ClapArgs)]
pub(super) struct PollArgs {
    /// Send mails to you that were given up once more
    #[arg(long)]
    again: bool,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        let exit = if trouble.in_database { Exit::Failed } else { Exit::MailServer };
        Failure::new(exit, trouble.message)
    }
}

fn mail(setup: &Setup, config: &Config) -> Result<Mail, Failure> {
    config.mail.clone().ok_or_else(|| {
        let file = setup.config_file().map(|f| f.display().to_string()).unwrap_or_default();
        Failure::new(Exit::Config, format!("{file}: there is no mailbox\nhelp: add [imap] and [smtp], or [maildir]"))
    })
}

async fn start(setup: &Setup, what: &str, shutdown: CancellationToken) -> Result<(Lock, Daemon, Vec<Grant>), Failure> {
    let config = setup.config()?;
    let mail = mail(setup, &config)?;
    let logins = mail.logins().into_iter().cloned().collect();
    let host = host_name();
    let lock = Store::lock(&setup.data, what, &host, setup.now)?;
    let daemon = Daemon::new(config, mail, setup.store().await?, host, shutdown).await?;
    Ok((lock, daemon, logins))
}

/// A refresh that has begun is let come to its end: what it brings may be the only token that is good from then on.
async fn settle(logins: &[Grant]) {
    for grant in logins {
        grant.settle().await;
    }
}

/// A daemon that is ready to run, with what it holds.
struct Ready {
    lock: Lock,
    daemon: Daemon,
    logins: Vec<Grant>,
    /// What its lines of the log are told apart by, where there are several.
    span: Span,
}

/// Makes everything ready for an account: the lock, the socket, the desk.
async fn ready(setup: &Setup, shutdown: &CancellationToken, watched: &Arc<Watched>) -> Result<Ready, Failure> {
    let (lock, daemon, logins) = start(setup, "run", shutdown.clone()).await?;
    let bell = Bell::hang(&setup.data);
    if let Err(error) = &bell {
        tracing::warn!("other commands cannot wake this daemon: no socket in {}: {error}", setup.data.display());
    }
    let mut daemon = daemon.answering(bell.ok());
    if let Some(address) = setup.config()?.desk.listen {
        let key = AnswerKey::new(setup.store().await?.answer_key().await?);
        // the mails are read whether somebody sits on its port or not
        match desk::listen(address).await {
            Ok(listener) => drop(tokio::spawn(desk::served(setup, listener, key, shutdown.clone()))),
            Err(failure) => {
                tracing::error!("{}", failure.message);
                daemon = daemon.without_desk(failure.message.lines().next().unwrap_or_default());
            }
        }
    }
    Ok(match setup.account() {
        Some(name) => {
            let span = tracing::info_span!("account", %name);
            Ready { lock, daemon: daemon.among(name.as_str(), watched), logins, span }
        }
        None => Ready { lock, daemon, logins, span: Span::none() },
    })
}

pub(super) async fn run(setup: &Setup, _args: RunArgs) -> Result<Report, Failure> {
    let (shutdown, watched) = (CancellationToken::new(), Arc::new(Watched::default()));
    let (mut all, mut held, mut running) = (Vec::new(), Vec::new(), JoinSet::new());
    let everybody = setup.each();
    for account in &everybody {
        let name = account.account().cloned();
        let ready = ready(account, &shutdown, &watched).await;
        let ready = ready.map_err(|failure| accounts::of(name.as_ref(), failure))?;
        all.push((name, ready));
    }
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .map_err(|e| Failure::new(Exit::Failed, format!("signals cannot be received: {e}")))?;
    let ends = shutdown.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        ends.cancel();
    });
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "running");
    // none runs before all can
    for (name, Ready { lock, daemon, logins, span }) in all {
        held.push((lock, logins));
        running.spawn(async move { (name, daemon.run().await) }.instrument(span));
    }
    let mut ended = Ok(());
    while let Some(done) = running.join_next().await {
        // what ends one daemon ends all of them: whoever watches this program starts all of them anew
        shutdown.cancel();
        let done = match done {
            Ok((name, ran)) => ran.map_err(|trouble| accounts::of(name.as_ref(), trouble.into())),
            Err(_) => Err(Failure::new(Exit::Failed, "the daemon broke off")),
        };
        ended = ended.and(done);
    }
    for (_, logins) in &held {
        settle(logins).await;
    }
    drop(held);
    ended?;
    for account in &everybody {
        finish(account).await;
    }
    Ok(Report::default())
}

pub(super) async fn poll(setup: &Setup, args: PollArgs) -> Result<Report, Failure> {
    by_account(setup, Form::Text, async |account| poll_one(account, &args).await).await
}

async fn poll_one(setup: &Setup, args: &PollArgs) -> Result<Report, Failure> {
    mail(setup, &setup.config()?)?;
    if args.again {
        setup.store().await?.deliver_again().await?;
    }
    let report = match looked_by_the_daemon(setup).await? {
        Some(report) => report,
        None => {
            let (_lock, mut daemon, logins) = start(setup, "poll", CancellationToken::new()).await?;
            let looked = daemon.round_once().await;
            settle(&logins).await;
            looked?
        }
    };
    let exit = if report.delivery_trouble.is_some() { Exit::MailServer } else { Exit::Ok };
    Ok(Report { text: in_words(&report), exit })
}

/// So often a daemon is rung at that does not listen yet ...
const TRIES: u32 = 50;
/// ... and so long after each.
const TRY: Duration = Duration::from_millis(100);

/// The look of the running daemon, where one runs: it is woken, and says what came of it.
async fn looked_by_the_daemon(setup: &Setup) -> Result<Option<RoundReport>, Failure> {
    let is_running = || Ok::<_, Failure>(Store::holder(&setup.data)?.is_some_and(|holder| holder.what == "run"));
    let mut answer = None;
    for _ in 0..TRIES {
        if !is_running()? {
            return Ok(None);
        }
        answer = ring(&setup.data, LOOK).await.ok();
        if answer.is_some() {
            break;
        }
        // it may have begun a moment ago
        tokio::time::sleep(TRY).await;
    }
    let Some(answer) = answer else { return Ok(None) };
    match serde_json::from_str(&answer) {
        Ok(Answer::Done(report)) => Ok(Some(report)),
        Ok(Answer::Trouble(message, in_database)) => {
            Err(Failure::new(if in_database { Exit::Failed } else { Exit::MailServer }, message))
        }
        Err(_) => Err(Failure::new(Exit::Failed, "the running daemon ended before its look did\nhelp: amici poll")),
    }
}

/// Tells the running daemon, if one runs, that something may wait to go out.
pub(super) async fn wake(setup: &Setup) {
    // where none runs nobody is there, and whatever waits goes out with the next start
    let _ = ring(&setup.data, TAKE_OUT).await;
}

/// So many mails that are no business of any game are listed one by one.
const LISTED: usize = 10;

/// A round, in words.
pub(super) fn in_words(report: &RoundReport) -> String {
    let mut text = String::new();
    if report.passed_over > 0 {
        text.push_str(&format!(
            "passed over as old: {} (read all the same by `amici take --since DAY`)\n",
            plural(report.passed_over, "mail")
        ));
    }
    let others = report.mails.iter().filter(|mail| mail.is_private).count();
    if others > LISTED {
        text.push_str(&format!("read: {} with nothing new for any game\n", plural(others, "mail")));
    }
    for mail in report.mails.iter().filter(|mail| !mail.is_private || others <= LISTED) {
        text.push_str(&format!("{}\n", mail.place));
        for line in &mail.lines {
            text.push_str(&format!("  {line}\n"));
        }
    }
    for line in &report.drafts {
        text.push_str(&format!("{line}\n"));
    }
    for (id, fate) in &report.delivered {
        let what = match fate {
            Fate::Sent => "delivered to you".to_owned(),
            Fate::Later(why) => format!("not delivered yet: {why}"),
            Fate::Failed(why) => format!("refused: {why}"),
            Fate::Unknown(why) => format!("may have arrived: {why}"),
        };
        text.push_str(&format!("{id}  {what}\n"));
    }
    let told = |trouble: &String| {
        report.delivered.iter().any(|(_, fate)| match fate {
            Fate::Sent => false,
            Fate::Later(why) | Fate::Failed(why) | Fate::Unknown(why) => why == trouble,
        })
    };
    if let Some(trouble) = report.delivery_trouble.as_ref().filter(|trouble| !told(trouble)) {
        let what = if report.delivered.is_empty() { "nothing could be delivered" } else { "the rest waits" };
        text.push_str(&format!("{what}: {trouble}\n"));
    }
    if text.is_empty() {
        text.push_str("nothing new\n");
    }
    text
}

/// Delivers a fresh draft: at once, or by the daemon if one is running.
pub(super) async fn deliver(setup: &Setup, config: &Config, recipient: &str) -> Result<String, Failure> {
    handed_over(setup, config, recipient, false).await
}

/// The same where sending is what the player asked for: a back-off is not waited for.
pub(super) async fn deliver_asked(setup: &Setup, config: &Config, recipient: &str) -> Result<String, Failure> {
    handed_over(setup, config, recipient, true).await
}

async fn handed_over(setup: &Setup, config: &Config, recipient: &str, asked: bool) -> Result<String, Failure> {
    let Some(mail) = config.mail.clone() else {
        return Ok("The draft is kept; it is delivered once the configuration has a mail server.\n".to_owned());
    };
    let host = host_name();
    let _lock = match Store::lock(&setup.data, "play", &host, setup.now) {
        Ok(lock) => lock,
        Err(StoreError::Locked { holder }) if holder.what == "run" => {
            return Ok(format!("The running daemon delivers the draft to {recipient}.\n"));
        }
        Err(StoreError::Locked { holder }) => {
            return Ok(format!(
                "The draft is kept; `amici {}` is at work, and the next round delivers it to {recipient}.\n",
                holder.what
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let mut daemon = Daemon::new(config.clone(), mail, setup.store().await?, host, CancellationToken::new()).await?;
    let report = daemon.deliver_now(asked).await?;
    Ok(match report.delivery_trouble {
        None => format!("The draft is delivered to {recipient}.\n"),
        Some(why) => format!("The draft is kept, but could not be delivered yet: {why}\n"),
    })
}
