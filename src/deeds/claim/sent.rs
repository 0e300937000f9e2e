//! The player's word that a claim went out, or that it did not.

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::super::announce::after_the_move;
use super::super::{Around, Proposal, Refusal, event, has_come, not_entered, running};
use super::{Wish, chosen};
use crate::domain::game::Game;
use crate::io::store::{Care, ClaimLine, Store};
use crate::letters::{ClaimKind, ClaimNews, Claimed};

/// Enters that a claim went out: the one that was drafted since the last move, or that can be made.
///
/// # Errors
/// The day cannot be right, or it is on record already.
pub async fn enter(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    wish: Wish<'_>,
    on: Option<NaiveDate>,
) -> Result<Proposal, Refusal> {
    running(game)?;
    let now = around.moment(store).await?;
    let ledger = around.ledger(game)?;
    let zone = around.me().timezone;
    let lines = store.claims().await?;
    let drafted = |kind: &ClaimKind| Claimed::of(*kind, &game.id, &lines, zone).is_some();
    let kind = match only(wish.kind, drafted)? {
        Some(kind) => kind,
        None => chosen(game, &ledger, wish, now)?.kind(),
    };
    let is_named = on.is_some();
    let on = on.unwrap_or(now.day);
    has_come(on, now.day)?;
    after_the_move(&ledger, on)?;
    match Claimed::of(kind, &game.id, &lines, zone) {
        Some(Claimed::Sent(day)) if day == on => return not_entered("this is on record already"),
        Some(Claimed::Sent(day)) if !is_named => {
            return not_entered(format!(
                "it is on record already that it was sent on {day}; say another day with --on"
            ));
        }
        _ => {}
    }
    let said = format!("Your claim ({}) was sent on {on}.\n", kind.words());
    let doubts = before_the_draft(game, kind, &lines, on, zone).into_iter().collect();
    Ok(Proposal::entry(said, doubts, told(game, ClaimNews::Sent(kind, on))))
}

/// Takes out that a claim went out.
///
/// # Errors
/// No claim of this kind is on record as sent.
pub async fn undo(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    kind: Option<ClaimKind>,
) -> Result<Proposal, Refusal> {
    running(game)?;
    let zone = around.me().timezone;
    let lines = store.claims().await?;
    let sent = |kind: &ClaimKind| matches!(Claimed::of(*kind, &game.id, &lines, zone), Some(Claimed::Sent(_)));
    let Some(kind) = only(kind, sent)? else {
        return Err(Refusal::NotDone(format!(
            "no claim of game {} is on record as sent\nhelp: nothing was changed",
            game.id
        )));
    };
    let said = format!("Your claim ({}) counts as not sent.\n", kind.words());
    Ok(Proposal::entry(said, Vec::new(), told(game, ClaimNews::NotSent(kind))))
}

/// The kind that the player named, or the only one of which something holds; of what he named it has to hold too.
fn only(named: Option<ClaimKind>, holds: impl Fn(&ClaimKind) -> bool) -> Result<Option<ClaimKind>, Refusal> {
    let found: Vec<ClaimKind> = ClaimKind::ALL.into_iter().filter(holds).collect();
    match (named, found.as_slice()) {
        (Some(named), found) => Ok(found.iter().copied().find(|kind| *kind == named)),
        (None, [] | [_]) => Ok(found.first().copied()),
        (None, several) => {
            let options: Vec<String> = several.iter().map(|kind| format!("--{}", kind.word())).collect();
            let why = format!("more than one claim is meant; say which: {}", options.join(", "));
            Err(Refusal::SecondWord(why))
        }
    }
}

/// That the day lies before the first draft.
fn before_the_draft(game: &Game, kind: ClaimKind, lines: &[ClaimLine], on: NaiveDate, zone: Tz) -> Option<String> {
    let drafts = (1..=lines.len()).filter_map(|count| match Claimed::of(kind, &game.id, lines.get(..count)?, zone) {
        Some(Claimed::Drafted(day)) => Some(day),
        _ => None,
    });
    let first = drafts.min().filter(|first| on < *first)?;
    Some(format!("{on} lies before {first}, the day on which it was drafted"))
}

fn told(game: &Game, news: ClaimNews) -> Care {
    Care { events: vec![event(&game.id, &news.to_string(), news.sentence())], ..Care::default() }
}
