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
    /// A choice as a game keeps it: a built-in set by its name, one of the player's own with all that it changes.
    ///
    /// # Errors
    /// [`RulesetError`] where there is no such set, or none is named.
    pub fn expanded(&self, choice: RulesetChoice) -> Result<RulesetChoice, RulesetError> {
        let base = match &choice {
            RulesetChoice::Name(name) => name,
            RulesetChoice::Custom(values) => values.get("base").and_then(Value::as_str).ok_or(RulesetError::NoBase)?,
        };
        if named(base).is_some() {
            return Ok(choice);
        }
        let own = self.0.iter().find(|(own, _)| own == base);
        let (_, own) = own.ok_or_else(|| RulesetError::unknown(base, self.names()))?;
        let mut values = match &choice {
            RulesetChoice::Name(_) => Map::new(),
            RulesetChoice::Custom(values) => values.clone(),
        };
        values.shift_remove("base");
        Ok(RulesetChoice::Custom(own.clone()).with(&values))
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
pub(super) fn in_words(fault: &RulesetError) -> (String, String, String) {
    match fault {
        RulesetError::Unknown { name, known } => {
            ("base".to_owned(), format!("`{name}` is not known"), format!("known are {known}"))
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
pub(super) fn as_json(value: toml::Value) -> Value {
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
