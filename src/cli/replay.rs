//! `amici replay`: the database made again from the raw mails and the player's acts, and compared.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use serde_json::json;

use super::{Exit, Failure, Report, Setup};
use crate::io::store::{LEFT_OUT, Store};
use crate::proof::replay::{Replayed, Stopped, replay};

/// Rebuild the whole record from the raw mails and your own acts, and compare
///
/// Everything is done once more in a fresh database, in the same order: mails are read and judged again, your moves, acceptances and
/// results are entered again. A row that comes out otherwise is shown as a difference, and the exit code is 1. Your database is only
/// read.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Keep the rebuilt database in this new folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let mut source = setup.store_to_read().await?;
    let done = match &args.keep {
        Some(folder) if folder.exists() => {
            let why = format!("{} exists already\nhelp: name a folder that does not", folder.display());
            return Err(Failure::new(Exit::Failed, why));
        }
        Some(folder) => replay(&mut source, &mut Store::open(folder).await?).await?,
        None => {
            let folder = std::env::temp_dir().join(format!("amici-replay-{}", super::token()?));
            let done = in_folder(&mut source, &folder).await;
            std::fs::remove_dir_all(&folder)
                .map_err(|e| Failure::new(Exit::Failed, format!("{}: cannot be removed: {e}", folder.display())))?;
            done?
        }
    };
    let exit = if done.diff.is_empty() && done.stopped.is_none() { Exit::Ok } else { Exit::Failed };
    Ok(Report { text: if args.json { as_json(&done) } else { as_text(&done) }, exit })
}

async fn in_folder(source: &mut Store, folder: &Path) -> Result<Replayed, Failure> {
    Ok(replay(source, &mut Store::open(folder).await?).await?)
}

fn changed(diff: &str, sign: char) -> usize {
    diff.lines().filter(|line| line.starts_with(sign)).count()
}

fn as_text(done: &Replayed) -> String {
    let day = |at: chrono::DateTime<chrono::Utc>| at.format("%Y-%m-%d %H:%M UTC").to_string();
    let mut text = match done.span {
        Some((first, last)) => format!(
            "{} acts from {} to {}: {} mails read again, {} known by their hash alone.\n",
            done.acts,
            day(first),
            day(last),
            done.mails,
            done.hashes
        ),
        None => "No act is on record.\n".to_owned(),
    };
    if let Some(at) = done.baseline {
        text.push_str(&format!(
            "The database is older than its acts: its state of {} is taken as given, all after it is proven.\n",
            day(at)
        ));
    }
    let other: Vec<&str> =
        done.versions.iter().map(String::as_str).filter(|v| *v != env!("CARGO_PKG_VERSION")).collect();
    if !other.is_empty() {
        text.push_str(&format!("Some mails were judged by amici {}, and are now by another.\n", other.join(", ")));
    }
    if let Some(Stopped { act, at, why }) = &done.stopped {
        text.push_str(&format!("Stopped at act {act} of {}: {why}\n", day(*at)));
        return text;
    }
    text.push_str(&format!(
        "Compared: {} rows. Not compared, since the outside world made it: {}.\n",
        done.rows,
        LEFT_OUT.join(", ")
    ));
    if done.diff.is_empty() {
        text.push_str("The rebuilt record is the same: 0 differences.\n");
    } else {
        text.push_str(&format!(
            "It differs: {} rows stand on record (-), {} come out of the mails and acts (+).\n\
             help: the mails and acts are the proof; `amici verify` says in words which moves, days, leave and rules are others\n\
             --- on record\n+++ rebuilt\n{}",
            changed(&done.diff, '-'),
            changed(&done.diff, '+'),
            done.diff
        ));
    }
    text
}

fn as_json(done: &Replayed) -> String {
    let stopped = done.stopped.as_ref().map(|s| json!({"act": s.act, "at": s.at, "why": s.why}));
    let document = json!({
        "schema": 1, "acts": done.acts, "mails": done.mails, "known_by_hash": done.hashes,
        "from": done.span.map(|(first, _)| first), "to": done.span.map(|(_, last)| last), "baseline": done.baseline,
        "judged_by": done.versions, "rows": done.rows, "not_compared": LEFT_OUT, "stopped": stopped,
        "on_record": changed(&done.diff, '-'), "rebuilt": changed(&done.diff, '+'),
        "diff": done.diff.lines().collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}
