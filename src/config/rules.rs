//! Rule sets of the player's own: the sections `[[rules]]`.
//!
//! A name stands for its values only while a game is made: they are copied into the game, so that a later change of the file
//! changes no game that runs.

use serde_json::{Map, Value};

use super::section::Section;
use crate::domain::clock::rules::{Ruleset, RulesetChoice, RulesetError, named, names};

/// The player's own rule sets, each with its name, its base and the values that differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnRules(Vec<(String, Map<String, Value>)>);

impl OwnRules {
    /// The rule set of that name as a game keeps it: a built-in one by its name, one of the player's own with all that it changes.
    ///
    /// # Errors
    /// [`RulesetError::Unknown`] where there is none.
    pub fn choice(&self, name: &str) -> Result<RulesetChoice, RulesetError> {
        if named(name).is_some() {
            return Ok(RulesetChoice::Name(name.to_owned()));
        }
        let own = self.0.iter().find(|(own, _)| own == name);
        let own = own.ok_or_else(|| RulesetError::unknown(name, self.names()))?;
        Ok(RulesetChoice::Custom(own.1.clone()))
    }

    /// Their names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// What they say, in the order of the file.
    pub fn sets(&self) -> impl Iterator<Item = Ruleset> {
        let choice = |map: &Map<String, Value>| RulesetChoice::Custom(map.clone()).resolve();
        self.0.iter().filter_map(move |(_, map)| choice(map).ok()).map(|set| set.into_owned())
    }
}

/// Reads the sections of the file.
pub(super) fn rules(root: &mut Section<'_>) -> OwnRules {
    let mut own = OwnRules::default();
    root.each("rules", |s| {
        let name = s.text("name", "a short name of your own, such as \"my-club\"");
        let base = s.text("base", "the rule set whose values hold unless you give others; `amici rules` lists them");
        let values = s.rest();
        if let Some(name) = &name {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            if !name.chars().all(fits) || name.len() > 40 {
                s.problem("name", &format!("cannot be `{name}`"), "1 to 40 letters, digits, `.`, `_` or `-`");
            } else if names().any(|built_in| built_in == name) {
                s.problem("name", &format!("`{name}` is a built-in rule set"), "give yours another name");
            } else if own.names().any(|other| other == name) {
                s.problem("name", &format!("`{name}` stands in the file twice"), "give each set a name of its own");
            }
        }
        let (Some(name), Some(base)) = (name, base) else { return };
        let mut map = Map::new();
        map.insert("base".to_owned(), Value::from(base));
        map.insert("name".to_owned(), Value::from(name.as_str()));
        map.extend(values.into_iter().map(|(key, value)| (key, as_json(value))));
        for fault in RulesetChoice::Custom(map.clone()).check().err().unwrap_or_default() {
            let (key, why, help) = in_words(&fault);
            s.problem(&key, &why, &help);
        }
        own.0.push((name, map));
    });
    own
}

/// A fault as key, what is wrong, and what would do.
fn in_words(fault: &RulesetError) -> (String, String, String) {
    match fault {
        RulesetError::Unknown { name, known } => {
            ("base".to_owned(), format!("`{name}` is no built-in rule set"), format!("known are {known}"))
        }
        RulesetError::UnknownKey { key, known } => {
            (key.clone(), "is not known".to_owned(), format!("known here: {known}"))
        }
        RulesetError::BadValue { key, value, expected } => {
            (key.clone(), format!("cannot be {value}"), expected.clone())
        }
        RulesetError::NoBase => ("base".to_owned(), "is missing".to_owned(), fault.to_string()),
    }
}

/// The same value in JSON; a date is its text.
fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(flag) => Value::from(flag),
        toml::Value::Datetime(date) => Value::from(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, as_json(value))).collect())
        }
    }
}
