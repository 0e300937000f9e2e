//! `amici drafts`: the finished drafts in the mailbox's folder for drafts, and what became of each.

use chrono_tz::Tz;
use clap::Args as ClapArgs;
use serde_json::json;

use super::table::{Rows, align};
use super::{Failure, Report, Setup};
use crate::config::Config;
use crate::domain::game::GameId;
use crate::io::store::{DraftRow, DraftState, Store};
use crate::mail::text::one_line;

/// Show the drafts in your mailbox's folder for drafts
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// One JSON document, with those that are settled
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let drafts = match setup.store_if_any().await? {
        Some(mut store) => store.drafts().await?,
        None => Vec::new(),
    };
    if args.json {
        let drafts: Vec<_> = drafts.iter().map(|draft| as_json(draft, &config)).collect();
        return Ok(format!("{:#}\n", json!({"schema": 1, "drafts": drafts})).into());
    }
    Ok(as_text(&drafts, &config).into())
}

/// What is said of the draft in the folder when its plan is dropped, with its line end.
pub(super) async fn farewell(store: &mut Store, game: &GameId) -> Result<&'static str, Failure> {
    let lies =
        |draft: &DraftRow| draft.game == *game && matches!(draft.state, DraftState::Placing | DraftState::Placed);
    Ok(if store.drafts_at_work().await?.iter().any(lies) {
        "The one in your folder for drafts is taken out with the next look into the mailbox, unless you changed it.\n"
    } else {
        ""
    })
}

/// Where a draft is, with what the configuration makes of it.
fn word(draft: &DraftRow, config: &Config) -> &'static str {
    if draft.state == DraftState::Wanted && !config.drafts.are_placed() { "off" } else { draft.state.word() }
}

fn as_json(draft: &DraftRow, config: &Config) -> serde_json::Value {
    json!({
        "game_id": draft.game, "ply": draft.ply, "revision": draft.revision, "message_id": draft.message_id,
        "state": word(draft, config), "current": draft.live, "for_day": draft.for_day, "made_at": draft.made_at,
        "folder": draft.folder, "uid": draft.place.map(|(_, uid)| uid), "attempts": draft.attempts,
        "next_attempt_at": draft.next_attempt_at, "last_error": draft.last_error,
    })
}

/// Those that matter still: the newest of each plan, and what lies in the folder by our doing.
fn as_text(drafts: &[DraftRow], config: &Config) -> String {
    let lies =
        |draft: &&DraftRow| matches!(draft.state, DraftState::Placing | DraftState::Placed | DraftState::Removing);
    let mut rows = Rows::new();
    let mut help = String::new();
    for draft in drafts.iter().filter(|draft| draft.live || lies(draft)) {
        rows.row([
            draft.game.as_str(),
            &draft.for_day.map(|day| format!("sent {}", day.format("%d %b %Y"))).unwrap_or_default(),
            draft.folder.as_deref().unwrap_or("-"),
            in_words(draft, config),
            &draft.last_error.as_deref().map(|error| one_line(error, 300)).unwrap_or_default(),
        ]);
        if draft.last_error.is_some() && help.is_empty() {
            help = next_try(draft, config.me.timezone);
        }
    }
    if rows.iter().next().is_none() {
        return "no move is drafted\n".to_owned();
    }
    let mut text = String::new();
    align(&mut text, &rows.iter().collect::<Vec<_>>(), &[]);
    text + &help
}

fn in_words(draft: &DraftRow, config: &Config) -> &'static str {
    match draft.state {
        DraftState::Wanted if !config.drafts.are_placed() => "sent to you only ([drafts] is off)",
        DraftState::Wanted => "not there yet",
        DraftState::Placing => "being put there",
        DraftState::Placed if draft.live => "ready to be sent",
        DraftState::Placed | DraftState::Removing => "stale: do not send it",
        DraftState::Unplaced => "not placed",
        DraftState::Touched => "changed by you, and yours",
        DraftState::Vanished => "gone: sent or deleted by you",
        DraftState::Removed => "taken out",
    }
}

fn next_try(draft: &DraftRow, zone: Tz) -> String {
    let at = draft.next_attempt_at.map(|at| at.with_timezone(&zone).format("%H:%M").to_string());
    at.map(|at| format!("next try at {at}, with the next look into the mailbox\n")).unwrap_or_default()
}
