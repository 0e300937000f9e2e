//! A command that is about each of several accounts: carried out for one after the other, and told together.
//!
//! What goes wrong for one account keeps nothing from the others. In JSON the lists are one list, each of whose entries has its `account`;
//! what is of an account as a whole stands under `accounts`.

use serde_json::{Map, Value, json};

use super::setup::Whose;
use super::{Exit, Failure, Report, Setup, finish};
use crate::config::AccountName;

/// The form in which a command tells what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// For the player.
    Text,
    /// A line for each, with tabs between the columns.
    Plain,
    /// One document.
    Json,
}

impl Form {
    /// By the options of a command.
    pub(super) fn of(json: bool, plain: bool) -> Form {
        match (json, plain) {
            (true, _) => Form::Json,
            (false, true) => Form::Plain,
            (false, false) => Form::Text,
        }
    }
}

/// What came of a command for one account.
type Part = (AccountName, Result<String, String>);

/// Carries a command out for the account that is meant, or for each.
///
/// # Errors
/// Those of the command, where it is about one account. Of several, the exit code tells that one failed.
pub(super) async fn by_account(
    setup: &Setup,
    form: Form,
    run: impl AsyncFn(&Setup) -> Result<Report, Failure>,
) -> Result<Report, Failure> {
    let Whose::Any(names) = &setup.whose else { return run(setup).await };
    let (mut parts, mut told, mut failed) = (Vec::<Part>::new(), Exit::Ok, Exit::Ok);
    for name in names {
        let account = setup.of_account(name);
        let part = match run(&account).await {
            Ok(report) => {
                finish(&account).await;
                told = if told == Exit::Ok { report.exit } else { told };
                Ok(report.text)
            }
            Err(failure) => {
                failed = if failed == Exit::Ok { failure.exit } else { failed };
                Err(failure.message)
            }
        };
        parts.push((name.clone(), part));
    }
    let text = match form {
        Form::Text => parts.iter().map(section).collect::<Vec<_>>().join("\n"),
        Form::Plain => parts.iter().map(lines).collect(),
        Form::Json => format!("{:#}\n", joined(&parts)),
    };
    Ok(Report { text, exit: if failed == Exit::Ok { told } else { failed } })
}

fn section((name, part): &Part) -> String {
    let line = "=".repeat(name.as_str().len());
    match part {
        Ok(text) => format!("{name}\n{line}\n{text}"),
        Err(message) => format!("{name}\n{line}\nerror: {message}\n"),
    }
}

/// The account is the last column.
fn lines((name, part): &Part) -> String {
    match part {
        Ok(text) => text.lines().map(|line| format!("{line}\t{name}\n")).collect(),
        // what is not in the table is told by the exit code
        Err(message) => {
            super::warn(&[format!("account {name}: {message}")]);
            String::new()
        }
    }
}

/// One document of several.
fn joined(parts: &[Part]) -> Value {
    let mut read: Vec<(&AccountName, Value)> = Vec::new();
    let mut accounts = Vec::new();
    for (name, part) in parts {
        let mut own = Map::new();
        own.insert("account".to_owned(), json!(name));
        match part.as_ref().map(|text| serde_json::from_str::<Value>(text)) {
            Ok(Ok(document)) => {
                let of_account = document.as_object().into_iter().flatten();
                // a list of mere numbers or texts does not say whose they are
                let is_told = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_object));
                let is_own = |key: &str, value: &Value| !is_told(value) && !matches!(key, "schema" | "now");
                own.extend(of_account.filter(|(key, value)| is_own(key, value)).map(|(k, v)| (k.clone(), v.clone())));
                read.push((name, document));
            }
            Ok(Err(error)) => drop(own.insert("error".to_owned(), json!(error.to_string()))),
            Err(message) => drop(own.insert("error".to_owned(), json!(message))),
        }
        accounts.push(Value::Object(own));
    }
    let mut document = merged(&read.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>());
    if read.len() < parts.len() && document.contains_key("ok") {
        document.insert("ok".to_owned(), json!(false));
    }
    document.entry("schema").or_insert(json!(1));
    document.insert("accounts".to_owned(), Value::Array(accounts));
    Value::Object(document)
}

/// The objects of several accounts as one, key by key.
fn merged(objects: &[(&AccountName, &Value)]) -> Map<String, Value> {
    let mut whole = Map::new();
    for key in objects.iter().filter_map(|(_, value)| value.as_object()).flat_map(Map::keys) {
        if whole.contains_key(key) {
            continue;
        }
        let values: Vec<(&AccountName, &Value)> =
            objects.iter().map(|(name, object)| (*name, object.get(key).unwrap_or(&Value::Null))).collect();
        whole.insert(key.clone(), together(key, &values));
    }
    whole
}

/// What the accounts have under one key.
fn together(key: &str, values: &[(&AccountName, &Value)]) -> Value {
    if values.iter().any(|(_, value)| value.is_array()) {
        return Value::Array(list(key, values));
    }
    let there: Vec<(&AccountName, &Value)> = values.iter().filter(|(_, value)| !value.is_null()).copied().collect();
    let texts = || there.iter().filter_map(|(_, value)| value.as_str());
    match there.as_slice() {
        [] => Value::Null,
        // a mailbox that was never looked at is the oldest of all
        _ if key == "last_check" && there.len() < values.len() => Value::Null,
        [(_, first), ..] if there.len() == values.len() && there.iter().all(|(_, value)| value == first) => {
            (*first).clone()
        }
        [(_, Value::Bool(_)), ..] => json!(there.iter().all(|(_, value)| value.as_bool() == Some(true))),
        [(_, Value::Number(_)), ..] => json!(there.iter().filter_map(|(_, value)| value.as_i64()).sum::<i64>()),
        [(_, Value::Object(_)), ..] => Value::Object(merged(&there)),
        _ if matches!(key, "last_check" | "since") => json!(texts().min()),
        _ => {
            let said = there.iter().filter_map(|(name, value)| Some(format!("{name}: {}", value.as_str()?)));
            json!(said.collect::<Vec<_>>().join("; "))
        }
    }
}

/// The entries of all, each with its account; what comes next, by its date.
fn list(key: &str, values: &[(&AccountName, &Value)]) -> Vec<Value> {
    let mut all = Vec::new();
    for (name, value) in values {
        for entry in value.as_array().into_iter().flatten() {
            let mut entry = entry.clone();
            if let Some(object) = entry.as_object_mut() {
                object.insert("account".to_owned(), json!(name));
            }
            all.push(entry);
        }
    }
    if key == "marks" {
        all.sort_by_key(|mark| mark.get("date").and_then(Value::as_str).map(str::to_owned));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, text: Result<Value, &str>) -> Part {
        (name.parse().unwrap(), text.map(|value| value.to_string()).map_err(str::to_owned))
    }

    #[test]
    fn documents_become_one_that_says_whose_each_entry_is_and_hides_no_trouble() {
        let whole = joined(&[
            part(
                "ada",
                Ok(
                    json!({"schema": 1, "now": "n", "ok": true, "last_check": "2026-01-02T00:00:00Z", "last_error": null,
                "waiting": {"mails": 2, "since": "2026-01-01T00:00:00Z", "why": "refused"}, "games": [{"id": "A"}], "days": 30}),
                ),
            ),
            part(
                "ben",
                Ok(
                    json!({"schema": 1, "now": "n", "ok": false, "last_check": "2026-01-01T00:00:00Z", "last_error": "down",
                "waiting": null, "games": [{"id": "A"}, {"id": "B"}], "days": 30}),
                ),
            ),
        ]);
        assert_eq!(
            whole["games"],
            json!([{"id": "A", "account": "ada"}, {"id": "A", "account": "ben"}, {"id": "B", "account": "ben"}])
        );
        assert_eq!(
            (&whole["schema"], &whole["now"], &whole["days"], &whole["ok"]),
            (&json!(1), &json!("n"), &json!(30), &json!(false))
        );
        assert_eq!((&whole["last_check"], &whole["last_error"]), (&json!("2026-01-01T00:00:00Z"), &json!("ben: down")));
        assert_eq!(whole["waiting"]["mails"], json!(2));
        assert_eq!(
            whole["accounts"][1],
            json!({"account": "ben", "ok": false, "last_check": "2026-01-01T00:00:00Z",
            "last_error": "down", "waiting": null, "days": 30})
        );
    }

    #[test]
    fn an_account_that_failed_is_not_left_out() {
        let whole = joined(&[
            part("ada", Ok(json!({"schema": 1, "ok": true, "last_check": null, "steps": []}))),
            part("ben", Err("no database")),
        ]);
        assert_eq!((&whole["ok"], &whole["accounts"][1]["error"]), (&json!(false), &json!("no database")));
        assert_eq!(
            joined(&[part("ben", Err("no"))]),
            json!({"schema": 1, "accounts": [{"account": "ben", "error": "no"}]})
        );
        let never = joined(&[
            part("ada", Ok(json!({"last_check": "2026-01-02T00:00:00Z"}))),
            part("ben", Ok(json!({"last_check": null}))),
        ]);
        assert_eq!(never["last_check"], Value::Null, "one mailbox was never looked at");
    }
}
