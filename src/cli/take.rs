//! `amici take`: takes mails in that the daemon does not read by itself, saved ones and old ones.

use std::path::PathBuf;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::Args as ClapArgs;

use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::intake::{IntakeError, RawMessage, Taking, arrival_time, is_from_opponent, take_in, take_undecided};
use crate::io::dkim;
use crate::io::file::{self, MAIL};
use crate::io::store::{ArrivalState, Store};
use crate::letters::plural;

/// Take saved mails in, or old ones that were passed over
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Saved mails
    #[arg(required_unless_present = "since", value_name = "FILE.eml")]
    files: Vec<PathBuf>,
    /// Have those mails of the mailbox read too that were passed over as old and came on this day or later
    #[arg(long, value_name = "DAY", value_parser = super::day)]
    since: Option<NaiveDate>,
    /// When the server took the mail [default: its topmost Received, else now]
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

/// Takes in one mail that came at this instant.
pub(super) async fn taken(
    store: &mut Store,
    config: &Config,
    bytes: &[u8],
    at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Taking, IntakeError> {
    let checks = config.senders.verify_dkim && is_from_opponent(bytes, store).await?;
    let verified = if checks { Some(dkim::verify(bytes).await) } else { None };
    let mail = RawMessage { bytes, at, arrival: None, verified };
    take_in(store, &config.me, &config.senders, &mail, now).await
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let mut report = Report::default();
    let mut troubles = Vec::new();
    if let Some(since) = args.since {
        let begins = since.and_time(NaiveTime::MIN).and_local_timezone(config.me.timezone).earliest();
        let taken =
            store.take_passed(begins.map_or(since.and_time(NaiveTime::MIN).and_utc(), |at| at.to_utc())).await?;
        report.text.push_str(&match taken {
            0 => format!("no mail was passed over that came on {since} or later\n"),
            taken => format!(
                "{} that had been passed over: read with the next look (`amici poll`)\n",
                plural(usize::try_from(taken).unwrap_or(usize::MAX), "mail")
            ),
        });
    }
    for file in &args.files {
        let name = file.display();
        let bytes = match file::read(file, MAIL) {
            Ok(bytes) => bytes,
            Err(error) => {
                troubles.push(format!("{name}: cannot be read: {error}"));
                continue;
            }
        };
        let at = match args.at.or_else(|| arrival_time(&bytes)) {
            Some(at) => at,
            None => match store.clock_doubt(setup.now).await? {
                None => setup.now,
                Some(why) => {
                    troubles.push(format!(
                        "{name}: no Received field says when it came, and {why}; nothing was done: say --at INSTANT, or {}",
                        why.help()
                    ));
                    continue;
                }
            },
        };
        match taken(&mut store, &config, &bytes, at, setup.now).await {
            Ok(taking) if taking.results.is_empty() => {
                report.text.push_str(&format!("{name}: taken in before, nothing changes\n"))
            }
            Ok(taking) => {
                for effect in taking.results {
                    let game = effect.game.map_or("-".to_owned(), |g| g.to_string());
                    report.text.push_str(&format!("{name}: {game}: {}: {}\n", effect.outcome, effect.reason));
                }
            }
            Err(error) => troubles.push(format!("{name}: {error}")),
        }
    }
    if !troubles.is_empty() {
        super::warn(&troubles);
        report.exit = Exit::Failed;
    }
    Ok(report)
}

/// Reads the mails again that may be about games which have just become known, and says what came of it.
pub(super) async fn read_again(setup: &Setup, store: &mut Store) -> Result<String, Failure> {
    let config = setup.config()?;
    let taken = take_undecided(store, &config.me, &config.senders, setup.now).await;
    let taken = taken.map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    let mut said = String::new();
    for effect in taken.into_iter().flat_map(|taking| taking.results) {
        let game = effect.game.map_or("-".to_owned(), |game| game.to_string());
        said.push_str(&format!(
            "A mail that came before was read again: {game}: {}: {}\n",
            effect.outcome, effect.reason
        ));
    }
    let waiting = store.arrivals_not_read().await?;
    match waiting.iter().filter(|mail| mail.state == ArrivalState::Open).count() {
        0 => {}
        count => {
            said.push_str(&format!("Mails in the mailbox that are read with the next look (`amici poll`): {count}\n"))
        }
    }
    Ok(said)
}
