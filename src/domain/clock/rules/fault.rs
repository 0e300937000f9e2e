//! Which value of a rule set is wrong, down to the key inside a table, and what would do in its place.
//!
//! A table is tried key by key in an example of its kind that is known to be good.

use serde_json::{Map, Value, json};

use super::{Ruleset, RulesetError};

/// The tables that can be given whole, each with every key that it knows.
fn examples() -> [(&'static str, Value); 7] {
    [
        ("control", json!({"kind": "cumulative", "moves": 10, "days": 60, "max_bank": null, "per_move_cap": null})),
        ("control", json!({"kind": "rolling", "window": 10, "days": 30, "per_move_cap": null})),
        ("control", json!({"kind": "fischer", "base": 30, "inc": 3, "per_move_cap": null})),
        ("control", json!({"kind": "none"})),
        ("receipt", json!({"mode": "exact"})),
        ("receipt", json!({"mode": "next_day_optional"})),
        ("receipt", json!({"mode": "after_hour_optional", "hour": 20, "inclusive": true})),
    ]
}

/// What is wrong with the value `given` of `key`, of which `old` is the base's; `is_good` tells whether one would do. At least one fault.
pub(super) fn faults(key: &str, given: &Value, old: &Value, is_good: impl Fn(Value) -> bool) -> Vec<RulesetError> {
    let whole = || vec![bad(key.to_owned(), given, expected(key, old))];
    let Value::Object(given) = given else { return whole() };
    let Some(tag) = tag(key) else {
        return match old {
            Value::Object(old) => inner(key, given, old, is_good).unwrap_or_else(whole),
            _ => whole(),
        };
    };
    let kind = given.get(tag).or_else(|| old.get(tag));
    let tables: Vec<Value> = examples().into_iter().filter(|(of, _)| *of == key).map(|(_, table)| table).collect();
    let table = tables.iter().find(|table| table.get(tag) == kind).and_then(Value::as_object);
    let Some(table) = table else {
        let kinds: Vec<&str> = tables.iter().filter_map(|table| table.get(tag)?.as_str()).collect();
        return vec![bad(format!("{key}.{tag}"), kind.unwrap_or(&Value::Null), one_of(&kinds))];
    };
    if let Some(found) = inner(key, given, table, is_good) {
        return found;
    }
    let optional = ["max_bank", "per_move_cap", "hour", "inclusive"];
    let missing = table.keys().filter(|name| !given.contains_key(*name) && !optional.contains(&name.as_str()));
    let missing: Vec<RulesetError> = missing
        .map(|name| RulesetError::BadValue {
            key: format!("{key}.{name}"),
            value: "missing".to_owned(),
            expected: within(name, table),
        })
        .collect();
    if missing.is_empty() { whole() } else { missing }
}

/// The key that tells the kind of a table.
fn tag(key: &str) -> Option<&'static str> {
    match key {
        "control" => Some("kind"),
        "receipt" => Some("mode"),
        _ => None,
    }
}

/// The faults inside a table, beside an example of all its keys; `None` where each value alone would do.
fn inner(
    key: &str,
    given: &Map<String, Value>,
    example: &Map<String, Value>,
    is_good: impl Fn(Value) -> bool,
) -> Option<Vec<RulesetError>> {
    let known: Vec<&str> = example.keys().map(String::as_str).collect();
    let mut found = Vec::new();
    for (name, value) in given {
        let path = format!("{key}.{name}");
        if !example.contains_key(name) {
            found.push(RulesetError::UnknownKey { key: path, known: known.join(", ") });
            continue;
        }
        let mut tried = example.clone();
        tried.insert(name.clone(), super::none_as_null(value.clone()));
        if !is_good(Value::Object(tried)) {
            found.push(bad(path, value, within(name, example)));
        }
    }
    (!found.is_empty()).then_some(found)
}

fn bad(key: String, value: &Value, expected: String) -> RulesetError {
    RulesetError::BadValue { key, value: value.to_string(), expected }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// What a key inside a table can be.
fn within(name: &str, example: &Map<String, Value>) -> String {
    match name {
        "moves" | "window" => "a number of moves, at least 1",
        "base" => "a number of days, at least 1",
        "days" if example.contains_key("kind") => "a number of days, at least 1",
        "inc" | "penalty_days" | "ignored_penalty_days" => "a number of days",
        "max_bank" | "per_move_cap" => "a number of days, at least 1, or none",
        "hour" => "an hour from 0 to 23",
        "saved_hours" => "a number of hours, or none",
        "effect" => "warn, td_may_forfeit or auto_forfeit",
        "accounting" => "separate or continuous",
        "shape" => "none, linear or tree",
        "primary" => "numeric, san or any",
        "on_conflict" => "ask, primary_wins or void",
        "again" => "a list of days",
        _ => match example.get(name) {
            Some(Value::Bool(_)) => "true or false",
            _ => "a number of days, or none",
        },
    }
    .to_owned()
}

/// A value that does nothing, or asks for what no rules know: refused where a set is written down, and kept where a game has it.
pub(super) fn without_effect(set: &Ruleset) -> Vec<RulesetError> {
    let mut found = Vec::new();
    let days = |key: &str, days: Option<u32>, most: u32| {
        let value = days.filter(|days| *days > most)?;
        let expected = format!("a number of days up to {most}, or none");
        Some(RulesetError::BadValue { key: key.to_owned(), value: value.to_string(), expected })
    };
    found.extend(days("double_after", set.double_after, 366));
    found.extend(days("leave.days_per_year", set.leave.days_per_year, 366));
    if set.own.contains("double_from") && set.double_after.is_none() {
        found.push(RulesetError::BadValue {
            key: "double_from".to_owned(),
            value: "given without double_after: nothing is doubled then".to_owned(),
            expected: "add double_after = DAYS, or leave double_from out".to_owned(),
        });
    }
    found
}

/// What a key can be, in words.
fn expected(key: &str, old: &Value) -> String {
    match key {
        "day_count" => "calendar, floor24h or grace24h_then_calendar",
        "receipt" => r#"{"mode": "exact"}, {"mode": "next_day_optional"} or {"mode": "after_hour_optional", "hour": 20}"#,
        "control" => {
            r#"{"kind": "cumulative", "moves": 10, "days": 60}, {"kind": "rolling", "window": 10, "days": 30}, {"kind": "fischer", "base": 30, "inc": 3} or {"kind": "none"}, with at least one move and one day; also max_bank (cumulative: the most days of a block, savings included) and per_move_cap (the most for one move)"#
        }
        "double_from" => "day or reminder",
        "overstep" => "forfeit, reset_then_forfeit or report_only",
        "claim" => "a table with on_move, time_stated, saved_hours and before_answer",
        "pgn_date" => "start or end",
        "silence" => "a table with days, effect (warn, td_may_forfeit or auto_forfeit), counts_leave and extend_by_notice",
        "repeat" => "a table with after, again, cc_td_from, suppress_if_announced and plus_transit (the time a mail is under way comes before each)",
        "leave" => "a table with days_per_year, advance_notice_required and stops_both",
        "illegal" => "a table with penalty_days and accounting (separate or continuous)",
        "conditional" => {
            "a table with shape (none, linear or tree), zero_days, must_repeat and ignored_penalty_days"
        }
        "notation" => {
            "a table with primary (numeric, san or any), secondary_allowed and on_conflict (ask, primary_wins or void)"
        }
        "valid_from" | "valid_to" => "a day such as 2000-11-01, or none",
        "double_after" | "max_transit_days" | "announce_after" => "a number of days, or none",
        "reminders" => "a list of days",
        _ => match old {
            Value::Bool(_) => "true or false",
            Value::Array(_) => "a list of keys",
            _ => "a text",
        },
    }
    .to_owned()
}
