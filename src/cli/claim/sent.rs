//! `amici claim --sent`: the player's word that a claim went out, and `--undo`, that it did not.

use chrono::NaiveDate;

use super::super::announce::after_the_move;
use super::super::care::{consent, event, hand_over, moment};
use super::super::queue::failed;
use super::super::{Exit, Failure, Report, Setup};
use super::{Args, chosen};
use crate::config::Config;
use crate::domain::game::Game;
use crate::io::store::{Care, ClaimLine, Store};
use crate::letters::{ClaimKind, ClaimNews, Claimed};

/// Enters that a claim went out: the one that was drafted since the last move, or that can be made.
pub(super) async fn enter(
    setup: &Setup,
    config: &Config,
    mut store: Store,
    game: &Game,
    args: &Args,
) -> Result<Report, Failure> {
    let now = moment(setup, config, &mut store).await?;
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    let lines = store.claims().await?;
    let drafted = |kind: &ClaimKind| Claimed::of(*kind, &game.id, &lines, config.me.timezone).is_some();
    let kind = match only(args.kind.named(), drafted)? {
        Some(kind) => kind,
        None => chosen(game, &ledger, &args.kind, now)?.kind(),
    };
    let on = args.on.unwrap_or(now.day);
    let refused = |why: String| Err(failed(format!("{why}\nhelp: nothing was entered")));
    if on > now.day {
        return refused(format!("{on} has not come yet; today is {}", now.day));
    }
    after_the_move(&ledger, on)?;
    match Claimed::of(kind, &game.id, &lines, config.me.timezone) {
        Some(Claimed::Sent(day)) if day == on => return refused("this is on record already".to_owned()),
        Some(Claimed::Sent(day)) if args.on.is_none() => {
            return refused(format!("it is on record already that it was sent on {day}; say another day with --on"));
        }
        _ => {}
    }
    let said = format!("Your claim ({}) was sent on {on}.\n", kind.words());
    let objections: Vec<String> = before_the_draft(config, game, kind, &lines, on).into_iter().collect();
    if args.dry_run {
        let objections: String = objections.iter().map(|line| format!("Note: {line}\n")).collect();
        return Ok(format!("{said}{objections}Nothing was kept.\n").into());
    }
    consent(args.yes, &objections, "Enter it all the same?")?;
    keep(setup, config, store, game, ClaimNews::Sent(kind, on), said).await
}

/// Takes out that a claim went out.
pub(super) async fn undo(
    setup: &Setup,
    config: &Config,
    mut store: Store,
    game: &Game,
    args: &Args,
) -> Result<Report, Failure> {
    let lines = store.claims().await?;
    let sent =
        |kind: &ClaimKind| matches!(Claimed::of(*kind, &game.id, &lines, config.me.timezone), Some(Claimed::Sent(_)));
    let Some(kind) = only(args.kind.named(), sent)? else {
        return Err(failed(format!("no claim of game {} is on record as sent\nhelp: nothing was changed", game.id)));
    };
    let said = format!("Your claim ({}) counts as not sent.\n", kind.words());
    keep(setup, config, store, game, ClaimNews::NotSent(kind), said).await
}

/// The kind that the player named, or the only one of which something holds; of what he named it has to hold too.
fn only(named: Option<ClaimKind>, holds: impl Fn(&ClaimKind) -> bool) -> Result<Option<ClaimKind>, Failure> {
    let found: Vec<ClaimKind> = ClaimKind::ALL.into_iter().filter(holds).collect();
    match (named, found.as_slice()) {
        (Some(named), found) => Ok(found.iter().copied().find(|kind| *kind == named)),
        (None, [] | [_]) => Ok(found.first().copied()),
        (None, several) => {
            let options: Vec<String> = several.iter().map(|kind| format!("--{}", kind.word())).collect();
            let why = format!("more than one claim is meant; say which: {}", options.join(", "));
            Err(Failure::new(Exit::NeedsConfirmation, why))
        }
    }
}

/// That the day lies before the first draft.
fn before_the_draft(
    config: &Config,
    game: &Game,
    kind: ClaimKind,
    lines: &[ClaimLine],
    on: NaiveDate,
) -> Option<String> {
    let drafts = (1..=lines.len()).filter_map(|count| {
        match Claimed::of(kind, &game.id, lines.get(..count)?, config.me.timezone) {
            Some(Claimed::Drafted(day)) => Some(day),
            _ => None,
        }
    });
    let first = drafts.min().filter(|first| on < *first)?;
    Some(format!("{on} lies before {first}, the day on which it was drafted"))
}

async fn keep(
    setup: &Setup,
    config: &Config,
    store: Store,
    game: &Game,
    news: ClaimNews,
    said: String,
) -> Result<Report, Failure> {
    let care = Care { events: vec![event(&game.id, &news.to_string(), news.sentence())], ..Care::default() };
    hand_over(setup, config, store, &care, said).await
}
