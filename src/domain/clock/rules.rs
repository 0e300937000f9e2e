//! Named rule sets: how an event counts reflection time.
//!
//! Values marked uncertain in a title rest on common knowledge and no text of the rules; any value can be
//! overridden per game (see [`RulesetChoice`]). Covered: calendar days, one cumulative control, doubling.

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Unused days are carried on: `days` for each block of `moves` moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum TimeControl {
    /// ICCF: so many moves in so many days, savings carried forward.
    Cumulative {
        /// Moves of one block.
        moves: u32,
        /// Days for one block.
        days: u32,
    },
}

impl TimeControl {
    /// The allowance in days up to the control that own move `number` (from 1) belongs to, and the own move that completes it.
    pub fn allowance(self, number: u32) -> (u32, u32) {
        match self {
            TimeControl::Cumulative { moves, days } => {
                let block = number.max(1).div_ceil(moves.max(1));
                (block.saturating_mul(days), block.saturating_mul(moves))
            }
        }
    }

    /// As in the head of a transmission: `10 moves / 60 days`.
    pub fn words(self) -> String {
        match self {
            TimeControl::Cumulative { moves, days } => format!("{moves} moves / {days} days"),
        }
    }
}

/// How one event counts reflection time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruleset {
    /// The name it is chosen by.
    pub id: String,
    /// What it is, in words.
    pub title: &'static str,
    /// The time control.
    pub control: TimeControl,
    /// Days of one move beyond this count double (ICCF since 2005); `None` where nothing is doubled.
    pub double_after: Option<u32>,
}

const fn ten_moves_in(days: u32) -> TimeControl {
    TimeControl::Cumulative { moves: 10, days }
}

/// The built-in sets.
fn named(id: &str) -> Option<Ruleset> {
    let (title, control, double_after) = match id {
        "iccf-email-2000" => ("ICCF e-mail rules, 1.11.2000 to 31.12.2004", ten_moves_in(60), None),
        "iccf-email-2005" => (
            "ICCF e-mail rules, 2005 to 2008 (days per control and doubling uncertain: set them per event)",
            ten_moves_in(60),
            Some(20),
        ),
        "friendly" => ("a friendly game without an event", ten_moves_in(40), None),
        _ => return None,
    };
    Some(Ruleset { id: id.to_owned(), title, control, double_after })
}

/// The names that [`RulesetChoice`] knows.
pub const NAMES: [&str; 3] = ["iccf-email-2000", "iccf-email-2005", "friendly"];

/// A rule set as a game states it: a name, or a `base` with the keys that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RulesetChoice {
    /// `"iccf-email-2000"`
    Name(String),
    /// `{"base": "iccf-email-2000", "double_after": 20}`
    Custom(Map<String, Value>),
}

/// A rule set that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesetError {
    /// No such name.
    #[error("rules `{0}` are not known; known are {known}", known = NAMES.join(", "))]
    Unknown(String),
    /// A custom set without a base.
    #[error("rules: the key `base` is missing; it names the rule set that the other keys change")]
    NoBase,
    /// A key that no rule set has.
    #[error("rules: unknown key `{0}`; known are base, control, double_after")]
    UnknownKey(String),
    /// A value of the wrong kind.
    #[error("rules: `{key}` cannot be {value}; expected {expected}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value as JSON.
        value: String,
        /// What would do.
        expected: &'static str,
    },
}

impl RulesetChoice {
    /// A named set, with its time control changed where another one was stated.
    pub fn with_control(base: &str, control: Option<TimeControl>) -> RulesetChoice {
        let differs = control.filter(|control| named(base).is_some_and(|set| set.control != *control));
        match differs.and_then(|control| serde_json::to_value(control).ok()) {
            Some(control) => RulesetChoice::Custom(Map::from_iter([
                ("base".to_owned(), Value::from(base)),
                ("control".to_owned(), control),
            ])),
            None => RulesetChoice::Name(base.to_owned()),
        }
    }

    /// The set that an event of this start date is proposed to have: the e-mail rules of its time, or none but the days.
    pub fn usual(has_event: bool, start: Option<NaiveDate>) -> &'static str {
        match start {
            _ if !has_event => "friendly",
            Some(day) if day.year() >= 2005 => "iccf-email-2005",
            _ => "iccf-email-2000",
        }
    }

    /// The values that this choice stands for.
    ///
    /// # Errors
    /// [`RulesetError`] names the key and the value that do not do.
    pub fn resolve(&self) -> Result<Ruleset, RulesetError> {
        match self {
            RulesetChoice::Name(id) => named(id).ok_or_else(|| RulesetError::Unknown(id.clone())),
            RulesetChoice::Custom(map) => custom(map),
        }
    }
}

fn custom(map: &Map<String, Value>) -> Result<Ruleset, RulesetError> {
    let base = map.get("base").and_then(Value::as_str).ok_or(RulesetError::NoBase)?;
    let mut set = named(base).ok_or_else(|| RulesetError::Unknown(base.to_owned()))?;
    let bad = |key, value: &Value, expected| RulesetError::BadValue { key, value: value.to_string(), expected };
    for (key, value) in map {
        match key.as_str() {
            "base" => {}
            "control" => {
                let expected = r#"{"kind": "cumulative", "moves": 10, "days": 60} with at least one move and one day"#;
                set.control = serde_json::from_value(value.clone()).map_err(|_| bad("control", value, expected))?;
                let TimeControl::Cumulative { moves, days } = set.control;
                if moves == 0 || days == 0 {
                    return Err(bad("control", value, expected));
                }
            }
            "double_after" if value.is_null() => set.double_after = None,
            "double_after" => {
                let days = value.as_u64().and_then(|n| u32::try_from(n).ok());
                set.double_after = Some(days.ok_or_else(|| bad("double_after", value, "a number of days, or null"))?);
            }
            _ => return Err(RulesetError::UnknownKey(key.clone())),
        }
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(json: &str) -> RulesetChoice {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_listed_name_is_a_rule_set() {
        for name in NAMES {
            assert_eq!(RulesetChoice::Name(name.into()).resolve().unwrap().id, name);
        }
    }

    #[test]
    fn a_stated_control_is_kept_only_where_it_differs() {
        let name = |name: &str| RulesetChoice::Name(name.into());
        assert_eq!(RulesetChoice::with_control("iccf-email-2000", None), name("iccf-email-2000"));
        assert_eq!(RulesetChoice::with_control("iccf-email-2000", Some(ten_moves_in(60))), name("iccf-email-2000"));
        let changed = RulesetChoice::with_control("iccf-email-2000", Some(ten_moves_in(50)));
        assert_eq!(changed.resolve().unwrap().control, ten_moves_in(50));
        assert_eq!(changed.resolve().unwrap().id, "iccf-email-2000");
    }

    #[test]
    fn the_proposed_rules_are_those_of_the_time() {
        let day = |text: &str| Some(text.parse().unwrap());
        assert_eq!(RulesetChoice::usual(true, day("2004-12-31")), "iccf-email-2000");
        assert_eq!(RulesetChoice::usual(true, day("2005-01-01")), "iccf-email-2005");
        assert_eq!(RulesetChoice::usual(true, None), "iccf-email-2000");
        assert_eq!(RulesetChoice::usual(false, day("2006-01-01")), "friendly");
    }

    #[test]
    fn a_custom_set_changes_only_the_named_keys() {
        let set = choice(r#"{"base": "iccf-email-2000", "double_after": 20}"#).resolve().unwrap();
        assert_eq!(set.double_after, Some(20));
        assert_eq!(set.control, ten_moves_in(60));
        let set = choice(
            r#"{"base": "iccf-email-2005", "double_after": null, "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#,
        );
        assert_eq!(set.resolve().unwrap().control, ten_moves_in(50));
    }

    #[test]
    fn a_bad_rule_set_names_key_and_value() {
        let message = |json: &str| choice(json).resolve().unwrap_err().to_string();
        assert!(message(r#""blitz""#).contains("`blitz`"));
        assert!(message(r#"{"double_after": 20}"#).contains("`base`"));
        assert!(message(r#"{"base": "friendly", "doubel": 20}"#).contains("`doubel`"));
        assert!(
            message(r#"{"base": "friendly", "double_after": "soon"}"#).contains(r#"`double_after` cannot be "soon""#)
        );
        assert!(
            message(r#"{"base": "friendly", "control": {"kind": "cumulative", "moves": 0, "days": 4}}"#)
                .contains("at least one move")
        );
    }

    #[test]
    fn t20_and_t21_the_allowance_grows_by_whole_blocks() {
        let control = ten_moves_in(60);
        assert_eq!(control.allowance(10), (60, 10));
        assert_eq!(control.allowance(11), (120, 20), "T20: total 35 after move 10 leaves 85 for moves 11-20");
        assert_eq!(control.allowance(31), (240, 40), "T21: total 60 after 30 moves leaves 180 through move 40");
    }
}
