//! `amici rules set`: a value of one game's rules, on the player's word. What is on record is counted anew, and shown before.

use std::fmt::Write;

use clap::Args as ClapArgs;
use serde_json::{Map, Value};

use super::super::care::consent;
use super::super::failure::failed;
use super::super::narrow::folded;
use super::super::{Failure, Report, Setup, find};
use super::begin::{checked, together, value};
use crate::deeds::event;
use crate::deeds::unheard::awaited;
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::{Change, RulesetError};
use crate::domain::game::{Game, GameId, Stated};
use crate::domain::judge::discrepancy::{in_words, recorded};
use crate::languages::Language;
use crate::letters;

/// Change values of one game's rules; its days are counted anew
///
/// What changes is shown, and where a figure on record changes, nothing is done without --yes or a "yes" on the terminal.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// Such as double_after=20, control.days=50, overstep=report_only, or base=iccf-email-2005 for another set
    #[arg(required = true, value_name = "KEY=VALUE", value_parser = value)]
    values: Vec<Map<String, Value>>,
    /// Why; the journal keeps it
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Change figures on record without asking
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let now = setup.around(&config).moment(&mut store).await?;
    let game = find(&mut store, &args.game).await?.game;
    if args.why.trim().is_empty() {
        return Err(failed("say why with --why TEXT: the journal keeps it"));
    }
    let rules = config.rules.expanded(game.rules.clone().with(&together(&args.values)))?;
    checked(&rules)?;
    let after = Game { rules, ..game.clone() };
    let broken = |e: RulesetError| failed(format!("game {}: {e}", game.id));
    let (old, new) = (config.me.ledger(&game).map_err(broken)?, config.me.ledger(&after).map_err(broken)?);
    let changes: Vec<String> = old.rules().changes(new.rules()).iter().map(Change::to_string).collect();
    if changes.is_empty() {
        let why =
            if after.rules == game.rules { "These are its rules already" } else { "No day of it is counted by that" };
        return Ok(format!("{why}; nothing was done.\n").into());
    }
    let mut recounted = recounted(&old, &new);
    recounted.extend(overstepped(&game, &old, &new, now));
    if !recounted.is_empty() {
        let shown: Vec<String> = changes.iter().chain(&recounted).cloned().collect();
        consent(setup, args.yes, &shown, "Change it?")?;
    }
    let text = format!("{}; why: {}", changes.join("; "), args.why.trim());
    let rules = (&game.rules, &after.rules);
    store.set_rules(&game.id, rules, &event(&game.id, "rules", text), setup.now).await?;
    let mut said = String::new();
    for line in changes.iter().chain(&recounted) {
        let _ = writeln!(said, "{line}");
    }
    said.push_str(&letters::clock_lines(
        &after,
        &new,
        Some(now),
        awaited(&mut store, &config, &after, setup.now).await?,
        Language::English,
    ));
    let is_restated = old.answer_on(now).stated() != new.answer_on(now).stated();
    if let Some(plan) = after.plan.as_ref().filter(|plan| plan.is_drafted() && is_restated) {
        let _ = writeln!(
            said,
            "Your draft of {} {1} states its days by the old values: draft it anew with  amici play {2} {1}",
            after.due(),
            plan.numeric,
            after.id
        );
    }
    Ok(folded(said).into())
}

/// The clock that runs, where it is over its limit by the new rules and was not by the old ones.
fn overstepped(game: &Game, old: &Ledger, new: &Ledger, now: Moment) -> Option<String> {
    let side = game.to_move();
    let clock = |ledger: &Ledger| ledger.clock(side, Some(side), now);
    let is_over = |ledger: &Ledger| clock(ledger).days_left.is_some_and(|left| left < 0);
    let is_new = new.goes_on() && is_over(new) && !is_over(old);
    is_new.then(|| format!("{}: {}", side.name(), letters::days_left(&clock(new), Language::English)))
}

/// The moves on record that count otherwise, a line each.
pub(in crate::cli) fn recounted(old: &Ledger, new: &Ledger) -> Vec<String> {
    let both = old.plies().iter().zip(new.plies()).map(|(old, new)| (old.number, recorded(old), recorded(new)));
    let words = |stated: &Stated| in_words(stated, |day| day.to_string());
    both.filter(|(_, old, new)| old != new)
        .map(|(number, old, new)| format!("{number} counts {} (before: {})", words(&new), words(&old)))
        .collect()
}
