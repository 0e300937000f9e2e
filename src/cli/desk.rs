//! `amici desk`: the local web page of the player, and the program around it: each deed there is a command here.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use clap::{Args as ClapArgs, Parser};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Cli, Exit, Failure, Report, Setup, accounts, confirm::Asked, stdio};
use crate::config::{AccountName, Config};
use crate::desk::{House, Refusal, Refused, Running, link, serve};
use crate::io::store::Store;
use crate::letters::AnswerKey;

/// Open the desk: your games as boards in a local web page
///
/// Where `amici run` serves it (`[desk] listen`), its link is opened; else the desk is served until you stop it with Ctrl-C.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Only say the link, which is good once and for five minutes, and open no browser
    #[arg(long)]
    link: bool,
}

/// This program, for the desk.
#[derive(Debug, Clone)]
pub(super) struct Program {
    config: Option<PathBuf>,
    /// The folder of all data.
    root: PathBuf,
    /// The folder of the database.
    data: PathBuf,
    /// Where there are several, whose desk it is.
    account: Option<AccountName>,
}

impl Program {
    pub(super) fn of(setup: &Setup) -> Program {
        let (config, account) = (setup.config.clone(), setup.account().cloned());
        Program { config, root: setup.root.clone(), data: setup.data.clone(), account }
    }

    fn setup(&self) -> Result<Setup, Failure> {
        // whoever sits at the terminal of a server is not the one at the desk
        let setup = Setup::of(self.config.clone(), Some(self.root.clone()))?;
        let setup = Setup { asked: Asked::Nobody, ..setup };
        Ok(match &self.account {
            Some(name) => setup.of_account(name),
            None => setup,
        })
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        let kind = match failure.exit {
            Exit::NeedsConfirmation => Refusal::Asks,
            Exit::NoSuchGame => Refusal::Missing,
            _ => Refusal::Failed,
        };
        Refused { kind, message: failure.message }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        let exit = match refused.kind {
            Refusal::Asks => Exit::NeedsConfirmation,
            Refusal::Missing => Exit::NoSuchGame,
            Refusal::Failed => Exit::Failed,
        };
        Failure::new(exit, refused.message)
    }
}

/// What is wrong with a line, without what helps at a terminal alone.
fn wrong(told: &str) -> String {
    let what = told.split("\n\n").next().unwrap_or(told);
    what.strip_prefix("error: ").unwrap_or(what).trim_end().to_owned()
}

impl House for Program {
    fn run(&self, line: Vec<String>) -> Running<'_> {
        let program = self.clone();
        Box::pin(async move {
            // a command need not be able to change its thread
            let handle = tokio::runtime::Handle::current();
            let run = move || {
                let words = std::iter::once("amici".to_owned()).chain(line);
                let refused = |error: clap::Error| Failure::new(Exit::Failed, wrong(&error.to_string()));
                let cli = Cli::try_parse_from(words).map_err(refused)?;
                let setup = program.setup()?;
                handle.block_on(cli.command.carried_out(&setup))
            };
            let done = tokio::task::spawn_blocking(run).await;
            let broken = |_| Refused { kind: Refusal::Failed, message: "the command broke off".to_owned() };
            Ok(done.map_err(broken)??.text)
        })
    }

    fn config(&self) -> Result<Config, Refused> {
        Ok(self.setup()?.config()?)
    }

    fn data(&self) -> &Path {
        &self.data
    }

    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn secret(&self) -> Option<String> {
        let halves = [getrandom::u64().ok()?, getrandom::u64().ok()?];
        Some(halves.map(|half| format!("{half:016x}")).concat())
    }
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let shutdown = CancellationToken::new();
    let (mut links, mut desks) = (String::new(), Vec::new());
    for account in setup.each() {
        let desk = open(&account, &shutdown).await;
        let (link, desk) = desk.map_err(|failure| accounts::of(account.account(), failure))?;
        if let Some(name) = account.account().filter(|_| setup.account().is_none()) {
            links.push_str(&format!("{name}: "));
        }
        links.push_str(&opened(&link, args.link));
        desks.extend(desk);
    }
    if desks.is_empty() {
        return Ok(links.into());
    }
    say(&links);
    say("The desk is open until you stop it with Ctrl-C.\n");
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .map_err(|e| Failure::new(Exit::Failed, format!("signals cannot be received: {e}")))?;
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    shutdown.cancel();
    for desk in desks {
        let _ = desk.await;
    }
    Ok(Report::default())
}

/// The link of a desk, and the desk, where it is not served already.
async fn open(setup: &Setup, shutdown: &CancellationToken) -> Result<(String, Option<JoinHandle<()>>), Failure> {
    let config = setup.config()?;
    let key = AnswerKey::new(setup.store().await?.answer_key().await?);
    let is_served = Store::holder(&setup.data)?.is_some_and(|holder| holder.what == "run");
    if let Some(address) = config.desk.listen.filter(|_| is_served) {
        return Ok((new_link(&key, address)?, None));
    }
    let wanted = config.desk.listen.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    let listener = listen(wanted).await?;
    let address = listener.local_addr().map_err(|e| cannot(wanted, &e))?;
    let desk = tokio::spawn(served(setup, listener, key.clone(), shutdown.clone()));
    Ok((new_link(&key, address)?, Some(desk)))
}

/// Serves the desk until the end is called; what ends it before is told in the log.
pub(super) fn served(
    setup: &Setup,
    listener: TcpListener,
    key: AnswerKey,
    ends: CancellationToken,
) -> impl Future<Output = ()> + use<> {
    let house = Arc::new(Program::of(setup));
    // before any link is made for it, however late it begins
    let since = house.now();
    async move {
        if let Err(error) = serve(listener, house, key, since, ends).await {
            tracing::error!("the desk is served no more: {error}");
        }
    }
}

/// The door of the desk.
pub(super) async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| cannot(address, &error))
}

fn cannot(address: SocketAddr, error: &std::io::Error) -> Failure {
    Failure::new(
        Exit::Failed,
        format!("the desk cannot be served on {address}: {error}\nhelp: name another port with `listen` in [desk]"),
    )
}

fn new_link(key: &AnswerKey, address: SocketAddr) -> Result<String, Failure> {
    Ok(link(key, address, Utc::now(), &super::token()?))
}

/// Opens a link in the browser, and says what was done; without a screen, or where no browser can be called, it is the link.
fn opened(link: &str, only_said: bool) -> String {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let null = std::process::Stdio::null;
    let mut browser = std::process::Command::new("xdg-open");
    let browser = browser.arg(link).stdin(null()).stdout(null()).stderr(null());
    if !only_said && has_screen && browser.status().is_ok_and(|status| status.success()) {
        return "The desk is opened in your browser.\n".to_owned();
    }
    format!("Open this link within five minutes; it is good once:\n{link}\n")
}

fn say(text: &str) {
    use std::io::Write;
    // it may be closed; the desk is served all the same
    let _ = write!(stdio::stdout(), "{text}").and_then(|()| stdio::stdout().flush());
}
