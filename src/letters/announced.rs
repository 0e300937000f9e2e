//! What the opponent announces about his own time, as the command that enters it; nobody else counts it.

use chrono::NaiveDate;

use crate::config::Language;
use crate::domain::game::Game;
use crate::domain::transmission::dates::WrittenDate;
use crate::domain::transmission::read::Event;
use crate::say;

/// What the command does that enters an announcement, as the line above it.
pub(super) fn to_enter_it(event: &Event, language: Language) -> String {
    match event {
        Event::Leave { .. } => say!(language, "To enter his leave, if it is one:"),
        _ => say!(language, "To enter that he needs longer:"),
    }
}

/// The command that enters what he announced on the day `told`, and what it does. What he did not write, or not for certain, stands in
/// it as a word in capitals. `None` where it does not concern his time, or not the move that is due.
pub fn to_enter(game: &Game, event: &Event, told: NaiveDate) -> Option<(String, &'static str)> {
    let id = &game.id;
    let day = |date: &Option<WrittenDate>, or: &str| match date {
        Some(date @ WrittenDate::Clear { year: Some(_), .. }) => date.to_string(),
        _ => or.to_owned(),
    };
    match event {
        Event::Leave { from, until } => {
            let (from, until) = (day(from, "FROM"), day(until, "TO"));
            let command = format!("amici leave add {from}..{until} --of opponent --game {id} --announced {told}");
            Some((command, "enter his leave, if it is one"))
        }
        Event::LongThought if !game.with_plan_recorded().is_my_turn() => {
            Some((format!("amici announce {id} --his --until DATE --on {told}"), "enter that he needs longer"))
        }
        _ => None,
    }
}
