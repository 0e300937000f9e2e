//! `amici check`: configuration, database, both servers, the folders and the clock, tried for real; changes nothing in them but what the
//! player says yes to.

use std::path::Path;

use clap::Args as ClapArgs;
use serde_json::{Value, json};

use self::servers::Seen;
use super::each::{Form, by_account};
use super::rules::begun_otherwise;
use super::{Exit, Failure, Report, Setup};
use crate::config::{Config, Event, Mail};
use crate::daemon::{imap_source, smtp_source};
use crate::io::file::exposed as exposed_mode;
use crate::io::store::{Store, StoreError};
use crate::letters::{self, plural};

mod clock;
mod post;
pub(super) mod senders;
pub(super) mod servers;

use tried::Tried;
mod tried;

/// Try everything: configuration, database, logins, folders, clock
///
/// A clock that is behind the newest mail or command on record is not believed, and no deadline is judged by it. Nor is one that was set by
/// more than minutes since the daemon's last look. If it is right now, your word is needed: `--clock-is-right WHY`. Nothing on record is
/// changed by it; what is dated later than today is listed with the commands that settle it.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Say that the clock of this machine is right now, after it ran ahead or was set, and why; nothing else is tried then
    #[arg(long, value_name = "WHY")]
    clock_is_right: Option<String>,
    /// Send a mail to yourself too, as notices go out, and wait until it arrives
    #[arg(long)]
    send: bool,
    /// Do what is proposed: believe the clock whatever is on record, or the server whose results stand in your mails
    #[arg(long)]
    yes: bool,
}

/// A step that warns and does not fail.
const MODES: &str = "modes";

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    by_account(setup, Form::of(args.json, false), async |account| of_account(account, &args).await).await
}

async fn of_account(setup: &Setup, args: &Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    if let Some(why) = &args.clock_is_right {
        let tried = clock::believe(setup, &config.me, why, args.yes).await?;
        return Ok(report(&tried, Exit::Ok, args.json));
    }
    let mut tried: Vec<Tried> = Vec::new();
    let mut say = |ok: bool, what: &'static str, detail: String| tried.push((ok, what, detail.trim_end().to_owned()));
    say(true, "config", setup.config_file()?.display().to_string());
    for line in exposed(&setup.config_file()?, &setup.data) {
        say(true, MODES, line);
    }
    let mut exit = Exit::Ok;
    for style in config.me.styles.all() {
        match letters::try_style(&style, &config.me) {
            Ok(()) => say(true, "letters", format!("form {}, language {}", style.form.name(), style.language)),
            Err(error) => {
                say(false, "letters", error.to_string());
                exit = Exit::Config;
            }
        }
    }
    let mut store = match setup.store_to_read().await {
        Ok(mut store) => {
            let count = store.game_names().await?.len();
            say(true, "database", format!("{}, {}", setup.data.display(), plural(count, "game")));
            for line in otherwise(&mut store, &config).await? {
                say(true, "rules", line);
            }
            Some(store)
        }
        Err(_) if !setup.data.join("amici.db").exists() => {
            say(true, "database", format!("{}: not there yet; it is made with the first game", setup.data.display()));
            None
        }
        Err(failure) => {
            say(false, "database", failure.message);
            exit = Exit::Failed;
            None
        }
    };
    let mut seen = Seen::default();
    for (what, result) in servers::tried(&config, &mut seen).await {
        match result {
            Ok(detail) => say(true, what, detail),
            Err(detail) => {
                say(false, what, detail);
                exit = Exit::MailServer;
            }
        }
    }
    if args.send && exit == Exit::Ok {
        let (ok, what, detail) = post::tried(&config, setup.now).await;
        say(ok, what, detail);
        exit = if ok { exit } else { Exit::MailServer };
    }
    if let Some((ok, what, detail)) = senders::tried(setup, &config, seen.newest, args.yes)? {
        say(ok, what, detail);
        exit = if ok { exit } else { Exit::Config };
    }
    if exit == Exit::Ok
        && let Some(store) = &mut store
    {
        for source in release(setup, store, &config).await? {
            say(true, "resumed", format!("{source} was stopped after refused passwords and is tried again"));
        }
    }
    if let Some(store) = &mut store {
        let (is_believed, what, detail) = clock::tried(store, &config.me, setup.now).await?;
        say(is_believed, what, detail);
        if !is_believed && exit == Exit::Ok {
            exit = Exit::Failed;
        }
    }
    Ok(report(&tried, exit, args.json))
}

fn report(tried: &[Tried], exit: Exit, in_json: bool) -> Report {
    let text = if in_json {
        let steps: Vec<Value> =
            tried.iter().map(|(ok, what, detail)| json!({"ok": ok, "what": what, "detail": detail})).collect();
        format!("{:#}\n", json!({"schema": 1, "ok": exit == Exit::Ok, "steps": steps}))
    } else {
        let line = |(ok, what, detail): &Tried| {
            let sign = match (ok, *what) {
                (false, _) => "FAILED",
                (true, MODES) => "warn  ",
                (true, _) => "ok    ",
            };
            format!("{sign}  {what:<11}  {}\n", detail.replace('\n', "\n                     "))
        };
        tried.iter().map(line).collect()
    };
    Report { text, exit }
}

/// What can be read by others than its owner, with the remedy. A folder that is closed closes what is in it.
fn exposed(config: &Path, data: &Path) -> Vec<String> {
    let database = data.join("amici.db");
    let mut places = vec![(config, "600"), (data, "700")];
    if exposed_mode(data).is_some() {
        places.push((&database, "600"));
    }
    let line = |(path, wanted): (&Path, &str)| {
        let mode = exposed_mode(path)?;
        let path = path.display();
        Some(format!("{path} can be read by others (mode {mode:04o})\nhelp: chmod {wanted} {path}"))
    };
    places.into_iter().filter_map(line).collect()
}

/// The running games, by their events, that keep other rules than the configuration says now of new ones.
async fn otherwise(store: &mut Store, config: &Config) -> Result<Vec<String>, StoreError> {
    if config.events.is_empty() {
        return Ok(Vec::new());
    }
    let games = store.outlines().await?;
    let of = |event: &Event| {
        let running = games.iter().map(|stored| &stored.game).filter(|game| game.result.is_none());
        let other = running.filter(|game| event.is(&game.event) && !begun_otherwise(config, game).is_empty());
        let ids: Vec<&str> = other.map(|game| game.id.as_str()).collect();
        let first = ids.first()?;
        Some(format!(
            "{}: running games keep the rules they began with, and new ones get others: {}\nhow they differ:  amici rules show --game {first}",
            event.name,
            ids.join(", ")
        ))
    };
    Ok(config.events.iter().filter_map(of).collect())
}

/// Lets the daemon try again what it had stopped, now that the logins work.
async fn release(setup: &Setup, reader: &mut Store, config: &Config) -> Result<Vec<String>, Failure> {
    let Some(Mail::Servers { imap, smtp }) = &config.mail else {
        return Ok(Vec::new());
    };
    let mut released = Vec::new();
    for source in [imap_source(imap), smtp_source(smtp)] {
        if reader.stopped(&source).await?.is_some() {
            let mut store = setup.store().await?;
            store.clear_stop(&source, setup.now).await.map_err(|e: StoreError| Failure::from(e))?;
            released.push(source);
        }
    }
    Ok(released)
}
