//! The directors whom start letters name: written into the configuration, since that is where amici looks for them.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::super::{Exit, Failure, Setup, output};
use super::game::Found;
use super::letters::StartLetter;
use crate::config::Config;
use crate::domain::game::is_same_event;
use crate::io::file;
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
    let path = setup.config_file()?;
    let path = path.canonicalize().unwrap_or(path);
    let broken = |why: String| Failure::new(Exit::Config, format!("{}: {why}", path.display()));
    let text = file::read_text(&path, file::SETTINGS).map_err(|error| broken(error.to_string()))?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| broken(error.to_string()))?;
    for one in directors {
        name(&mut document, one).map_err(|why| broken(why.to_owned()))?;
    }
    output::write(&path, document.to_string().as_bytes(), true)
}

fn name(document: &mut DocumentMut, one: &Directed) -> Result<(), &'static str> {
    let events = document.entry("event").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let events = events.as_array_of_tables_mut().ok_or("event is no list of sections [[event]]")?;
    let named = |table: &Table| table.get("name").and_then(Item::as_str).map(str::to_owned);
    let is_it = |table: &Table| named(table).is_some_and(|name| is_same_event(&name, &one.event));
    if !events.iter().any(is_it) {
        let mut table = Table::new();
        table.insert("name", value(one.event.clone()));
        events.push(table);
    }
    if let Some(table) = events.iter_mut().find(|table| is_it(table)) {
        table.insert("director", value(one.director.to_string()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_director_goes_into_the_section_of_his_event_or_a_new_one() {
        let mut document: DocumentMut =
            "# mine\n[me]\nname = \"X\"\n\n[[event]]\nname = \"EM/1\" # the first\nassistance = \"none\"\n"
                .parse()
                .unwrap();
        for event in ["em/1", "EM/2"] {
            let one = Directed { event: event.to_owned(), director: "td@example.org".parse().unwrap() };
            name(&mut document, &one).unwrap();
        }
        let text = document.to_string();
        assert!(text.starts_with("# mine\n[me]\n") && text.contains("name = \"EM/1\" # the first"), "{text}");
        assert!(text.contains("assistance = \"none\"\ndirector = \"td@example.org\"\n"), "{text}");
        assert!(text.contains("[[event]]\nname = \"EM/2\"\ndirector = \"td@example.org\"\n"), "{text}");
        assert_eq!(text.matches("[[event]]").count(), 2);
    }
}
