//! The finished drafts in `amici status`: where each lies in the mailbox, and what became of it.

use chrono_tz::Tz;
use serde_json::json;

use super::super::table::{Rows, align};
use crate::config::Config;
use crate::io::store::{DraftRow, DraftState};
use crate::mail::text::one_line;

/// The player gets it by mail alone, since `[drafts]` is off.
fn is_off(draft: &DraftRow, config: &Config) -> bool {
    draft.state == DraftState::Wanted && !config.drafts.are_placed()
}

/// A draft in the data.
pub(super) fn as_json(draft: &DraftRow, config: &Config) -> serde_json::Value {
    let state = if is_off(draft, config) { "off" } else { draft.state.word() };
    json!({
        "game_id": draft.game, "ply": draft.ply, "revision": draft.revision, "message_id": draft.message_id,
        "state": state, "current": draft.live, "for_day": draft.for_day, "made_at": draft.made_at,
        "folder": draft.folder, "uid": draft.place.map(|(_, uid)| uid), "attempts": draft.attempts,
        "next_attempt_at": draft.next_attempt_at, "last_error": draft.last_error,
    })
}

/// A line for each that is in the folder or is to be there; empty where none is.
pub(super) fn as_text(drafts: &[DraftRow], config: &Config) -> String {
    let mut rows = Rows::new();
    let mut help = String::new();
    for draft in drafts.iter().filter(|draft| !is_off(draft, config)) {
        rows.row([
            draft.game.as_str(),
            &draft.for_day.map(|day| format!("sent {}", day.format("%d %b %Y"))).unwrap_or_default(),
            draft.folder.as_deref().unwrap_or("-"),
            in_words(draft),
            &draft.last_error.as_deref().map(|error| one_line(error, 300)).unwrap_or_default(),
        ]);
        if draft.last_error.is_some() && help.is_empty() {
            help = next_try(draft, config.me.timezone);
        }
    }
    let rows: Vec<_> = rows.iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = "\nIn your folder for drafts:\n".to_owned();
    align(&mut text, &rows, &[]);
    text + &help
}

fn in_words(draft: &DraftRow) -> &'static str {
    match draft.state {
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
