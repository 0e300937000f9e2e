//! The directors whom start letters name: written into the configuration, since that is where amici looks for them.

use super::super::settings::Settings;
use super::super::{Failure, Setup};
use super::game::Found;
use super::letters::StartLetter;
use crate::config::Config;
use crate::domain::game::is_same_event;
use crate::mail::address::Address;

/// An event whose director is not in the configuration yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Directed {
    pub(in crate::cli) event: String,
    pub(in crate::cli) director: Address,
}

impl Directed {
    /// The director of an event, unless the configuration names one or he is the player himself.
    pub(in crate::cli) fn new(event: &str, director: &Address, config: &Config) -> Option<Directed> {
        let is_known = config.event(event).is_some_and(|event| event.director.is_some());
        let is_new = !is_known && !config.me.is_mine(director);
        is_new.then(|| Directed { event: event.to_owned(), director: director.clone() })
    }
}

/// The directors of the events that get games.
pub(super) fn of(letters: &[StartLetter], found: &Found, config: &Config) -> Vec<Directed> {
    let mut all: Vec<Directed> = Vec::new();
    for letter in letters {
        let (Some(event), Some(director)) = (&letter.letter.event, &letter.director) else { continue };
        let has_games = found.ready.iter().any(|ready| is_same_event(&ready.game.event, event));
        if has_games && !all.iter().any(|one| is_same_event(&one.event, event)) {
            all.extend(Directed::new(event, director, config));
        }
    }
    all
}

/// What is going to be written.
pub(in crate::cli) fn told(directors: &[Directed]) -> String {
    let line = |one: &Directed| {
        format!("Director of {}: {}, by the start letter; goes into your configuration\n", one.event, one.director)
    };
    directors.iter().map(line).collect()
}

/// Names the directors in the configuration, and leaves all else in it as it stands.
///
/// # Errors
/// The file cannot be read or written; the games stand all the same.
pub(in crate::cli) fn write(setup: &Setup, directors: &[Directed]) -> Result<(), Failure> {
    if directors.is_empty() {
        return Ok(());
    }
    Settings::change(setup, |settings| directors.iter().try_for_each(|one| settings.direct(&one.event, &one.director)))
}
