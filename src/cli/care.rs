//! What the commands of care have in common: the player's consent, a deed shown or done, a letter handed over.

use std::str::FromStr;

use chrono::NaiveDate;

use super::confirm::Consent;
use super::when::written;
use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::deeds::Proposal;
use crate::io::store::Store;

/// The player's consent to what the rules or the record speak against; without a terminal only `--yes` is one.
pub(super) fn consent(setup: &Setup, yes: bool, objections: &[String], question: &str) -> Result<(), Failure> {
    if yes || objections.is_empty() {
        return Ok(());
    }
    let text = objections.join("\n");
    match setup.asked.to(&text, question) {
        Consent::Yes => Ok(()),
        Consent::No => Err(Failure::new(Exit::NeedsConfirmation, "nothing was done")),
        Consent::NotAsked => {
            let help = "help: nothing was done; say the same with --yes if you want it all the same";
            Err(Failure::new(Exit::NeedsConfirmation, setup.asked.with_help(text, help)))
        }
    }
}

/// How far the player wants to go with a deed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Only see it.
    pub(super) dry_run: bool,
    /// Have it in spite of every objection.
    pub(super) yes: bool,
}

/// Shows what a deed would do, or does it once the player consents.
pub(super) async fn carry_out(
    setup: &Setup,
    config: &Config,
    store: Store,
    wanted: Wanted,
    proposal: Proposal,
) -> Result<Report, Failure> {
    if wanted.dry_run {
        let notes: String = proposal.doubts.iter().map(|line| format!("Note: {line}\n")).collect();
        let said = proposal.said + &notes + &proposal.next;
        return Ok(match proposal.letters.as_slice() {
            [] => format!("{said}Nothing was kept.\n"),
            letters => format!("{said}Nothing was kept. The letter would be:\n\n{}", letters.join("\n")),
        }
        .into());
    }
    let question = if proposal.letters.is_empty() { "Enter it all the same?" } else { "Draft it all the same?" };
    consent(setup, wanted.yes, &proposal.doubts, question)?;
    keep(setup, config, store, proposal).await
}

/// Keeps it, and hands the letters over to the player.
async fn keep(setup: &Setup, config: &Config, mut store: Store, proposal: Proposal) -> Result<Report, Failure> {
    proposal.keep(&mut store, setup.now).await?;
    drop(store);
    let recipient = proposal.recipient().map(str::to_owned);
    let mut said = proposal.said + &proposal.next;
    if let Some(recipient) = recipient {
        said.push_str(&super::daemon::deliver(setup, config, &recipient).await?);
        said.push_str("Nothing has been sent to anybody else: open the draft, read it, send it yourself.\n");
    }
    Ok(said.into())
}

/// Two days with `..` between them, or one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: NaiveDate,
    pub(super) to: NaiveDate,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let day = |text| written(text, "2026-07-01..2026-07-14");
        let (from, to) = (day(from)?, day(to)?);
        if to < from {
            return Err(format!("{to} lies before {from}"));
        }
        if (to - from).num_days() >= 3660 {
            return Err("that is longer than ten years".to_owned());
        }
        Ok(Span { from, to })
    }
}
