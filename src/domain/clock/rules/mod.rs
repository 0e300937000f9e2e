//! Named rule sets: how an event counts reflection time, and how a game chooses one ([`Wanted`]: when it begins).
//!
//! The sets are data ([`sets.toml`](../rules/sets.toml)); any value can be overridden per game by its key (see [`RulesetChoice`]).
//! What will surprise you: a table given for a key changes only the keys that stand in it, unless its `kind` or `mode` is another one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::{Datelike, Days, NaiveDate};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod claim;
mod fault;
mod set;
mod wanted;
mod words;

pub use claim::ClaimTerms;
pub use set::{
    Accounting, Conditional, ConditionalShape, DayCount, DoubleFrom, Illegal, LeaveRules, NotationRules, OnConflict,
    Overstep, PgnDate, Primary, Receipt, Repeat, Ruleset, Silence, SilenceEffect, TimeControl,
};
pub use wanted::Wanted;
pub use words::{Change, Origin, Saying};

/// A rule set as a game states it: a name, or a `base` with the keys that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`rules` is the name of a rule set, or a table with `base` and the keys that differ")]
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
    #[error("rules `{name}` are not known; known are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names that would do.
        known: String,
    },
    /// A custom set without a base.
    #[error("rules: the key `base` is missing; it names the rule set that the other keys change")]
    NoBase,
    /// A key that no rule set has.
    #[error("rules: unknown key `{key}`; known are {known}")]
    UnknownKey {
        /// The key, with the tables around it.
        key: String,
        /// The keys that could stand there.
        known: String,
    },
    /// A value of the wrong kind.
    #[error("rules: `{key}` cannot be {value}; expected {expected}")]
    BadValue {
        /// The key, with the tables around it.
        key: String,
        /// The value as JSON.
        value: String,
        /// What would do.
        expected: String,
    },
}

impl RulesetError {
    /// No such name, neither among the built-in sets nor among the `own` ones.
    pub fn unknown<'a>(name: &str, own: impl Iterator<Item = &'a str>) -> RulesetError {
        let known: Vec<&str> = names().map(|name| -> &str { name }).chain(own).collect();
        RulesetError::Unknown { name: name.to_owned(), known: known.join(", ") }
    }
}

impl Ruleset {
    /// That these rules are not for an event begun in this year any more, in words.
    pub fn is_past(&self, begun: i32) -> Option<String> {
        let last = self.valid_to.filter(|last| last.year() < begun)?;
        Some(format!("{} is for events begun until {last}", self.id))
    }

    /// The last day on which a mail that went out on a day may be booked as received (T12); `None` where the rules do not limit how long one
    /// may be under way.
    pub fn latest_receipt(&self, sent: NaiveDate) -> Option<NaiveDate> {
        sent.checked_add_days(Days::new(u64::from(self.max_transit_days?)))
    }
}

impl RulesetChoice {
    /// This choice, with its time control changed where another one was stated.
    #[must_use]
    pub fn with_control(self, control: Option<TimeControl>) -> RulesetChoice {
        let differs = control.filter(|control| self.resolve().is_ok_and(|set| set.control != *control));
        let Some(control) = differs.and_then(|control| serde_json::to_value(control).ok()) else { return self };
        self.with(&Map::from_iter([("control".to_owned(), control)]))
    }

    /// This choice, with other values for some keys; a table changes only the keys that stand in it, as everywhere.
    #[must_use]
    pub fn with(self, values: &Map<String, Value>) -> RulesetChoice {
        if values.is_empty() {
            return self;
        }
        let mut map = match self {
            RulesetChoice::Name(base) => Map::from_iter([("base".to_owned(), Value::from(base))]),
            RulesetChoice::Custom(map) => map,
        };
        for (key, value) in values {
            let value = map.get(key).map_or_else(|| value.clone(), |old| merged(old, value.clone(), key));
            map.insert(key.clone(), value);
        }
        RulesetChoice::Custom(map)
    }

    /// Whether it says this key itself, beside the set that it names.
    pub fn says(&self, key: &str) -> bool {
        matches!(self, RulesetChoice::Custom(map) if map.contains_key(key))
    }

    /// The set that an event that starts in this year is proposed to have: the e-mail rules of its time, or none but the days.
    pub fn usual(has_event: bool, start: Option<i32>) -> &'static str {
        match start {
            _ if !has_event => "friendly",
            Some(year) if year >= 2005 => "iccf-email-2005",
            _ => "iccf-email-2000",
        }
    }

    /// The values that this choice stands for.
    ///
    /// # Errors
    /// [`RulesetError`] names the key and the value that do not do.
    pub fn resolve(&self) -> Result<Cow<'static, Ruleset>, RulesetError> {
        self.resolved().map_err(first)
    }

    /// As [`RulesetChoice::resolve`], with all that is wrong, and with values that have no effect among it; the list is never empty.
    ///
    /// # Errors
    /// Every [`RulesetError`].
    pub fn check(&self) -> Result<Cow<'static, Ruleset>, Vec<RulesetError>> {
        let set = self.resolved()?;
        let faults = fault::without_effect(&set);
        if faults.is_empty() { Ok(set) } else { Err(faults) }
    }

    fn resolved(&self) -> Result<Cow<'static, Ruleset>, Vec<RulesetError>> {
        match self {
            RulesetChoice::Name(id) => match named(id) {
                Some(set) => Ok(Cow::Borrowed(set)),
                None => Err(vec![RulesetError::unknown(id, std::iter::empty())]),
            },
            RulesetChoice::Custom(map) => {
                let base = map.get("base").and_then(Value::as_str).ok_or_else(|| vec![RulesetError::NoBase])?;
                let base = named(base).ok_or_else(|| vec![RulesetError::unknown(base, std::iter::empty())])?;
                own(base, map).map(Cow::Owned)
            }
        }
    }
}

fn first(faults: Vec<RulesetError>) -> RulesetError {
    faults.into_iter().next().unwrap_or(RulesetError::NoBase)
}

/// The names of the built-in sets, in the order of the data.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|set| set.id.as_str())
}

/// The built-in set of that name.
pub fn named(id: &str) -> Option<&'static Ruleset> {
    BUILT_IN.iter().find(|set| set.id == id)
}

/// A test reads every set, so a mistake in the data cannot be shipped; a set that could not be read would be missing.
static BUILT_IN: LazyLock<Vec<Ruleset>> = LazyLock::new(|| built_in(include_str!("sets.toml")).unwrap_or_default());

fn built_in(text: &str) -> Result<Vec<Ruleset>, RulesetError> {
    let shape = |why: String| RulesetError::BadValue { key: "sets".to_owned(), value: String::new(), expected: why };
    let tables: Map<String, Value> = toml::from_str(text).map_err(|e| shape(e.to_string()))?;
    let mut sets: Vec<Ruleset> = Vec::with_capacity(tables.len());
    for (id, table) in tables {
        let Value::Object(map) = table else { return Err(shape(format!("{id} is no table"))) };
        let mut set = match map.get("base").and_then(Value::as_str) {
            Some(base) => {
                let base = sets.iter().find(|set| set.id == base);
                let base = base.ok_or_else(|| shape(format!("{id}: its base stands below it")))?;
                changed(base, &map).map_err(|faults| shape(format!("{id}: {}", first(faults))))?
            }
            None => serde_json::from_value(Value::Object(map)).map_err(|e| shape(format!("{id}: {e}")))?,
        };
        set.id = id;
        sets.push(set);
    }
    Ok(sets)
}

/// A set with other values for some keys; else every fault, of which there is at least one.
fn changed(base: &Ruleset, map: &Map<String, Value>) -> Result<Ruleset, Vec<RulesetError>> {
    let Ok(Value::Object(whole)) = serde_json::to_value(base) else { return Err(vec![RulesetError::NoBase]) };
    let with = |changes: &[(&String, Value)]| {
        let mut next = whole.clone();
        next.extend(changes.iter().map(|(key, value)| ((*key).clone(), value.clone())));
        let set = serde_json::from_value::<Ruleset>(Value::Object(next)).ok().filter(Ruleset::is_sound);
        set.map(|set| Ruleset { id: base.id.clone(), ..set })
    };
    let (mut changes, mut faults) = (Vec::new(), Vec::new());
    for (key, value) in map.iter().filter(|(key, _)| *key != "base") {
        match whole.get(key) {
            Some(old) => changes.push((key, merged(old, none_as_null(value.clone()), key))),
            None => faults.push(RulesetError::UnknownKey { key: key.clone(), known: keys_of(&whole) }),
        }
    }
    if let (Some(set), true) = (with(&changes), faults.is_empty()) {
        return Ok(set);
    }
    let is_wrong = |change: &&(&String, Value)| with(std::slice::from_ref(change)).is_none();
    faults.extend(changes.iter().filter(is_wrong).flat_map(|(key, _)| {
        let old = whole.get(*key).unwrap_or(&Value::Null);
        fault::faults(key, map.get(*key).unwrap_or(old), old, |value| with(&[(*key, value)]).is_some())
    }));
    Err(faults)
}

/// A set of the player's own or of one game: what it changes is its own, whatever the base says of it.
fn own(base: &Ruleset, map: &Map<String, Value>) -> Result<Ruleset, Vec<RulesetError>> {
    let mut values = map.clone();
    let [name, sources, uncertain] = ["name", "sources", "uncertain"].map(|key| values.shift_remove(key));
    let (set, mut faults) = match changed(base, &values) {
        Ok(set) => (Some(set), Vec::new()),
        Err(faults) => (None, faults),
    };
    let mut wrong = |key: &str, value: &Value, expected: &str| {
        let (key, value, expected) = (key.to_owned(), value.to_string(), expected.to_owned());
        faults.push(RulesetError::BadValue { key, value, expected });
    };
    let name = match name {
        None => base.id.clone(),
        Some(Value::String(name)) => name,
        Some(other) => {
            wrong("name", &other, "a text");
            String::new()
        }
    };
    let known = serde_json::to_value(base).unwrap_or_default();
    let is_key = |name: &str| known.pointer(&format!("/{}", name.replace('.', "/"))).is_some();
    let mut added = BTreeMap::new();
    for (key, source) in sources.iter().filter_map(Value::as_object).flatten() {
        match source {
            Value::String(source) if is_key(key) => drop(added.insert(key.clone(), source.clone())),
            other => wrong(&format!("sources.{key}"), other, "a text after a key of the rules"),
        }
    }
    if let Some(other) = sources.filter(|sources| !sources.is_object()) {
        wrong("sources", &other, "a table of texts");
    }
    let mut doubted = Vec::new();
    for key in uncertain.iter().filter_map(Value::as_array).flatten() {
        match key.as_str().filter(|key| is_key(key)) {
            Some(key) => doubted.push(key.to_owned()),
            None => wrong("uncertain", key, "keys of the rules"),
        }
    }
    if let Some(other) = uncertain.filter(|uncertain| !uncertain.is_array()) {
        wrong("uncertain", &other, "a list of keys");
    }
    let Some(mut set) = set.filter(|_| faults.is_empty()) else { return Err(faults) };
    set.own = values.keys().filter(|key| *key != "base").cloned().collect();
    set.sources.retain(|key, _| !set.own.contains(key));
    set.uncertain.retain(|key| key.split('.').next().is_none_or(|top| !set.own.contains(top)));
    set.sources.extend(added);
    set.uncertain.extend(doubted);
    if name != set.id && !set.own.contains("title") {
        set.title = format!("as {}, with values of its own", set.id);
    }
    set.id = name;
    Ok(set)
}

/// The keys of `new` in place of those of `old`; whole where one of them is no table, or of another kind.
fn merged(old: &Value, new: Value, key: &str) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, &new) else { return new };
    let other_kind = |tag: &str| new.get(tag).is_some_and(|kind| old.get(tag) != Some(kind));
    if other_kind("kind") || other_kind("mode") || key == "sources" {
        return Value::Object(new.clone());
    }
    let mut both = old.clone();
    both.extend(new.clone());
    Value::Object(both)
}

/// TOML has no null: the word `none` stands for it, where it is not one of the kinds to choose from.
fn none_as_null(value: Value) -> Value {
    match value {
        Value::String(word) if word == "none" => Value::Null,
        Value::Object(map) => map
            .into_iter()
            .map(
                |(key, value)| {
                    if matches!(key.as_str(), "kind" | "shape") { (key, value) } else { (key, none_as_null(value)) }
                },
            )
            .collect(),
        other => other,
    }
}

fn keys_of(set: &Map<String, Value>) -> String {
    let keys: Vec<&str> = set.keys().map(String::as_str).collect();
    format!("base, {}", keys.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(json: &str) -> RulesetChoice {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_listed_name_is_a_rule_set() {
        let sets = built_in(include_str!("sets.toml")).unwrap();
        assert_eq!(sets.len(), 16);
        for set in &sets {
            assert_eq!(RulesetChoice::Name(set.id.clone()).resolve().unwrap().as_ref(), set);
        }
    }

    #[test]
    fn every_value_of_every_set_has_its_source_or_is_listed_as_uncertain() {
        for set in built_in(include_str!("sets.toml")).unwrap() {
            let whole = serde_json::to_value(&set).unwrap();
            let empty = [("valid_from", set.valid_from.is_none()), ("valid_to", set.valid_to.is_none())];
            let needs_none = |key: &str| {
                matches!(key, "title" | "uncertain" | "sources")
                    || empty.contains(&(key, true))
                    // without doubling there is no day from which days are doubled
                    || (key == "double_from" && set.double_after.is_none())
            };
            for key in whole.as_object().unwrap().keys().filter(|key| !needs_none(key)) {
                let (sourced, uncertain) = (set.sources.contains_key(key), set.uncertain.contains(key));
                assert!(
                    sourced != uncertain,
                    "{}: {key} is said in a text ({sourced}) or uncertain ({uncertain})",
                    set.id
                );
            }
            for (key, source) in &set.sources {
                assert!(whole.get(key).is_some(), "{}: {key} is no key", set.id);
                assert!(source.len() > 4 && !source.contains("[S:"), "{}: {key}", set.id);
            }
            for name in &set.uncertain {
                let pointer = format!("/{}", name.replace('.', "/"));
                assert!(whole.pointer(&pointer).is_some(), "{}: {name} is no value", set.id);
            }
        }
    }

    #[test]
    fn a_set_of_ones_own_may_say_where_its_values_stand_and_keeps_the_sources_of_the_others() {
        let base = named("iccf-email-2000").unwrap();
        let own = choice(
            r#"{"base": "iccf-email-2000", "control": {"moves": 10, "days": 50}, "sources": {"control": "announcement of the event"},
                "uncertain": ["overstep"]}"#,
        );
        let set = own.check().unwrap();
        assert_eq!(set.origin("control").words(), "set by the game or your configuration: announcement of the event");
        assert_eq!(set.origin("receipt"), base.origin("receipt"));
        assert!(matches!(set.origin("receipt"), Origin::Source(_)));
        assert_eq!(set.origin("overstep"), Origin::Uncertain);
        for (wrong, said) in [
            (r#"{"base": "friendly", "sources": {"foo": "x"}}"#, "rules: `sources.foo` cannot be"),
            (r#"{"base": "friendly", "sources": {"control": 5}}"#, "rules: `sources.control` cannot be 5"),
            (r#"{"base": "friendly", "sources": 5}"#, "rules: `sources` cannot be 5; expected a table of texts"),
            (
                r#"{"base": "friendly", "uncertain": ["foo"]}"#,
                "rules: `uncertain` cannot be \"foo\"; expected keys of the rules",
            ),
            (
                r#"{"base": "friendly", "uncertain": "foo"}"#,
                "rules: `uncertain` cannot be \"foo\"; expected a list of keys",
            ),
        ] {
            let faults = choice(wrong).check().unwrap_err();
            assert!(faults[0].to_string().starts_with(said), "{faults:?}");
        }
    }

    #[test]
    fn every_value_is_said_in_words_with_its_origin() {
        for set in built_in(include_str!("sets.toml")).unwrap() {
            let sayings = set.in_words();
            let keys: Vec<&str> = sayings.iter().map(|saying| saying.key).collect();
            for key in serde_json::to_value(&set).unwrap().as_object().unwrap().keys() {
                let unsaid = matches!(key.as_str(), "title" | "uncertain" | "sources" | "double_from");
                let empty = key.starts_with("valid_") && !keys.contains(&key.as_str());
                assert!(unsaid || empty || keys.contains(&key.as_str()), "{}: {key}", set.id);
            }
            assert!(sayings.iter().all(|saying| !saying.words.is_empty() && saying.origin != Origin::Own));
        }
    }

    #[test]
    fn one_day_is_a_day_in_the_words_of_every_value() {
        let controls = [
            (r#"{"kind": "cumulative", "moves": 1, "days": 1, "max_bank": 1, "per_move_cap": 1}"#, "1 move / 1 day"),
            (r#"{"kind": "rolling", "window": 1, "days": 1}"#, "1 day over the last move"),
            (r#"{"kind": "fischer", "base": 1, "inc": 1}"#, "1 day + 1 a move"),
        ];
        for (control, words) in controls {
            let custom = format!(
                r#"{{"base": "iccf-email-2000", "control": {control}, "double_after": 1, "double_from": "reminder",
                    "max_transit_days": 1, "reminders": [1], "announce_after": 1,
                    "repeat": {{"after": 1, "again": [1], "cc_td_from": 1, "suppress_if_announced": true}},
                    "illegal": {{"penalty_days": 1, "accounting": "separate"}},
                    "claim": {{"saved_hours": 1}},
                    "leave": {{"days_per_year": 1, "advance_notice_required": true}},
                    "silence": {{"days": 1, "effect": "warn", "counts_leave": true, "extend_by_notice": true}}}}"#
            );
            let set = choice(&custom).resolve().unwrap();
            assert_eq!(set.control.words(), words);
            for saying in set.in_words() {
                assert!(
                    !saying.words.contains("1 days")
                        && !saying.words.contains("1 moves")
                        && !saying.words.contains("1 hours"),
                    "{}",
                    saying.words
                );
            }
        }
    }

    #[test]
    fn what_a_game_changes_is_its_own_and_no_text_speaks_for_it() {
        let custom = r#"{"base": "iccf-email-2000", "name": "my-club", "overstep": "report_only", "leave": {"days_per_year": 45}}"#;
        let set = choice(custom).resolve().unwrap();
        assert_eq!((set.id.as_str(), set.title.as_str()), ("my-club", "as iccf-email-2000, with values of its own"));
        assert_eq!((set.origin("overstep"), set.origin("leave")), (Origin::Own, Origin::Own));
        assert_eq!(set.uncertain_parts("leave").count(), 0);
        assert_eq!(named("iccf-email-2000").unwrap().uncertain_parts("leave").count(), 1);
        assert_eq!(set.origin("illegal"), Origin::Uncertain);
        assert!(matches!(set.origin("control"), Origin::Source(_)));
    }

    #[test]
    fn all_that_is_wrong_with_a_set_is_told_at_once() {
        let faults = choice(
            r#"{"base": "friendly", "doubel": 20, "overstep": "shrug", "receipt": {"mode": "after_hour_optional", "hour": 24}, "name": 7}"#,
        );
        let faults: Vec<String> = faults.check().unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 4, "{faults:#?}");
        assert!(faults[0].contains("`doubel`") && faults[1].contains("`overstep` cannot be \"shrug\""), "{faults:#?}");
        assert!(
            faults[2].contains("`receipt.hour` cannot be 24") && faults[3].contains("`name` cannot be 7"),
            "{faults:#?}"
        );
    }

    #[test]
    fn a_stated_control_is_kept_only_where_it_differs() {
        let name = |name: &str| RulesetChoice::Name(name.into());
        assert_eq!(name("iccf-email-2000").with_control(None), name("iccf-email-2000"));
        assert_eq!(
            name("iccf-email-2000").with_control(Some(TimeControl::cumulative(10, 60))),
            name("iccf-email-2000")
        );
        let changed = name("iccf-email-2000").with_control(Some(TimeControl::cumulative(10, 50)));
        assert_eq!(changed.resolve().unwrap().control, TimeControl::cumulative(10, 50));
        assert_eq!(changed.resolve().unwrap().id, "iccf-email-2000");
    }

    #[test]
    fn the_proposed_rules_are_those_of_the_time() {
        assert_eq!(RulesetChoice::usual(true, Some(2004)), "iccf-email-2000");
        assert_eq!(RulesetChoice::usual(true, Some(2005)), "iccf-email-2005");
        assert_eq!(RulesetChoice::usual(true, None), "iccf-email-2000");
        assert_eq!(RulesetChoice::usual(false, Some(2006)), "friendly");
    }

    #[test]
    fn a_custom_set_changes_only_the_named_keys() {
        let set = choice(r#"{"base": "iccf-email-2000", "double_after": 20}"#).resolve().unwrap();
        assert_eq!(set.double_after, Some(20));
        assert_eq!(set.control, TimeControl::cumulative(10, 60));
        let set = choice(
            r#"{"base": "iccf-email-2005", "double_after": null, "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#,
        );
        assert_eq!(set.resolve().unwrap().control, TimeControl::cumulative(10, 50));
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
                .contains("`control.moves` cannot be 0; expected a number of moves, at least 1")
        );
    }
}
