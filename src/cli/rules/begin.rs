//! The options by which a game begins with other rules than its event's or the usual ones.

use clap::Args as ClapArgs;
use serde_json::{Map, Value};

use super::super::{Exit, Failure};
use crate::config::Config;
use crate::domain::clock::rules::{RulesetChoice, RulesetError, Wanted, names};
use crate::domain::game::Game;

/// The rules of games that begin.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct BeginArgs {
    /// The rule set [default: that of the event in your configuration, else that of the event's time; friendly without an event, and with
    /// `new`]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// A single value of its own, such as double_after=20 or control.days=50 (`amici rules show NAME` has the keys); may be given again
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = value)]
    values: Vec<Map<String, Value>>,
}

impl BeginArgs {
    /// Whether nothing is said.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.rules.is_none() && self.values.is_empty()
    }

    /// What is said of the rules, with what the configuration says of events.
    pub(in crate::cli) fn wanted(&self, config: &Config) -> Result<Wanted, Failure> {
        let values = together(&self.values);
        let on = |base: &str| RulesetChoice::Name(base.to_owned()).with(&values);
        // where no set can have them, it is no game's fault
        if !values.is_empty() && !names().any(|base| on(base).resolve().is_ok()) {
            checked(&on("friendly"))?;
        }
        Ok(config.wanted(self.rules.as_deref(), values)?)
    }

    /// Refuses single values that the rules of a game cannot have.
    pub(in crate::cli) fn check(&self, game: &Game) -> Result<(), Failure> {
        if self.values.is_empty() { Ok(()) } else { checked(&game.rules) }
    }
}

/// Every fault of a choice at once.
pub(super) fn checked(rules: &RulesetChoice) -> Result<(), Failure> {
    let Err(faults) = rules.check() else { return Ok(()) };
    let lines: Vec<String> = faults.iter().map(RulesetError::to_string).collect();
    let help = "nothing was kept; `amici rules show NAME --json` has every key with a value";
    Err(Failure::new(Exit::Failed, format!("{}\nhelp: {help}", lines.join("\n"))))
}

/// A value for a key, as the table of a rule set has it: `control.days=50` is a table with one key. JSON, or a word.
pub(super) fn value(text: &str) -> Result<Map<String, Value>, String> {
    let (key, value) = text.split_once('=').ok_or("write it as double_after=20 or control.days=50")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    let table = |value, key: &str| Value::Object(Map::from_iter([(key.to_owned(), value)]));
    match key.rsplit('.').fold(value, table) {
        Value::Object(values) => Ok(values),
        _ => Err("a key is missing before the =".to_owned()),
    }
}

/// All values as one table; those for keys of one table stand in it together.
pub(super) fn together(values: &[Map<String, Value>]) -> Map<String, Value> {
    let mut all = Map::new();
    for (key, value) in values.iter().flatten() {
        match (all.get_mut(key), value) {
            (Some(Value::Object(table)), Value::Object(more)) => table.extend(more.clone()),
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_json_or_words_and_dots_lead_into_tables() {
        let all: Vec<_> =
            ["control.base=30", "control.kind=fischer", "control.inc=3", "overstep=report_only", "reminders=[14, 28]"]
                .map(|text| value(text).unwrap())
                .into();
        let expected = json!({"control": {"base": 30, "kind": "fischer", "inc": 3}, "overstep": "report_only", "reminders": [14, 28]});
        assert_eq!(Value::Object(together(&all)), expected);
        assert!(value("double_after").is_err());
    }
}
