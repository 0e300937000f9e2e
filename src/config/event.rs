//! Events with settings of their own: the sections `[[event]]`.

use serde_json::Value;

use super::rules::{OwnRules, as_json, in_words};
use super::section::Section;
use crate::domain::clock::rules::RulesetChoice;
use crate::domain::game::is_same_event;
use crate::mail::address::Address;

/// Settings of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its code or name, as its games have it.
    pub name: String,
    /// Where reports go.
    pub director: Option<Address>,
    /// The director gets a copy of each move: he stands in the Cc of the finished draft.
    pub cc_director: bool,
    /// What help the rules of the event allow.
    pub assistance: Assistance,
    /// The rules that a new game of the event begins with, unless others are named for it.
    pub rules: Option<RulesetChoice>,
}

/// What help an event allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Assistance {
    /// Nothing is kept from the player.
    #[default]
    All,
    /// No knowledge of chess is offered, not even the name of an opening.
    None,
}

impl Event {
    /// Whether the games of this event carry its name.
    pub fn is(&self, event: &str) -> bool {
        is_same_event(&self.name, event)
    }
}

/// Reads the sections of the file; `own` are the player's addresses, `sets` his own rule sets.
pub(super) fn events(root: &mut Section<'_>, own: &[Address], sets: &OwnRules) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    root.each("event", |s| {
        let name = s.text("name", "the code or name of the event, as `amici show` gives it");
        let director = s.opt_text("director").and_then(|text| {
            let address = text.parse::<Address>().ok();
            if address.is_none() {
                s.problem("director", &format!("`{text}` is no mail address"), "write it as name@domain");
            }
            if address.as_ref().is_some_and(|address| own.contains(address)) {
                s.problem(
                    "director",
                    &format!("`{text}` is your own address"),
                    "name the director's, or leave the key out",
                );
            }
            address
        });
        let cc_director = s.flag("cc_director", false);
        if cc_director && director.is_none() && s.had("director") {
            s.problem("cc_director", "is set, and no director is named", "add director = \"td@example.net\"");
        }
        let assistance = match s.opt_text("assistance").as_deref() {
            None | Some("all") => Assistance::All,
            Some("none") => Assistance::None,
            Some(other) => {
                s.problem("assistance", &format!("`{other}` is not known"), "\"all\" or \"none\"");
                Assistance::None
            }
        };
        let rules = rules(s, sets);
        if let Some(name) = name {
            if events.iter().any(|other| other.is(&name)) {
                s.problem("name", &format!("`{name}` has a section already"), "name each event once");
            }
            events.push(Event { name, director, cc_director, assistance, rules });
        }
    });
    events
}

/// The rules of an event: a name, or a table with a base and the values that differ.
fn rules(s: &mut Section<'_>, sets: &OwnRules) -> Option<RulesetChoice> {
    let choice = match as_json(s.take("rules")?) {
        Value::String(name) => RulesetChoice::Name(name),
        Value::Object(values) => RulesetChoice::Custom(values),
        other => {
            let help = "the name of a rule set, or { base = \"iccf-email-2000\", double_after = 20 } with the values that differ";
            s.problem("rules", &format!("cannot be {other}"), help);
            return None;
        }
    };
    let named = matches!(choice, RulesetChoice::Name(_));
    match sets.expanded(choice).map_err(|fault| vec![fault]).and_then(|choice| choice.check().map(|_| choice)) {
        Ok(choice) => Some(choice),
        Err(faults) => {
            for (key, why, help) in faults.iter().map(in_words) {
                s.problem(&if named { "rules".to_owned() } else { format!("rules.{key}") }, &why, &help);
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    #[test]
    fn an_event_has_its_director_and_says_what_help_it_allows() {
        let text = "[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.net\"\nassistance = \"none\"\n[[event]]\nname = \"EM/2\"\n";
        let config = Config::parse(&format!("{ME}{text}")).unwrap();
        let event = config.event(" em/zz/042").unwrap();
        assert_eq!(event.director.as_ref().unwrap().to_string(), "td@example.net");
        assert_eq!(config.assistance("EM/ZZ/042"), Assistance::None);
        assert_eq!((config.assistance("EM/2"), config.assistance("EM/3")), (Assistance::All, Assistance::All));
        assert!(config.senders.is_director(&"td@example.net".parse().unwrap()), "his letters are no moves");
    }

    #[test]
    fn a_copy_of_each_move_needs_a_director() {
        let text = "[[event]]\nname = \"EM/1\"\ndirector = \"td@example.net\"\ncc_director = true\n";
        assert!(Config::parse(&format!("{ME}{text}")).unwrap().event("EM/1").unwrap().cc_director);
        let text = "[[event]]\nname = \"EM/1\"\ncc_director = true\n";
        let problems = Config::parse(&format!("{ME}{text}")).unwrap_err();
        assert_eq!(problems[0].key, "event.1.cc_director");
    }

    #[test]
    fn every_problem_of_the_events_is_reported_at_once() {
        let text = "[[event]]\ndirector = \"td\"\nassistance = \"engine\"\n\
                    [[event]]\nname = \"EM/2\"\n[[event]]\nname = \"em/2\"\nrules = \"blitz\"\n";
        let problems = Config::parse(&format!("{ME}{text}")).unwrap_err();
        let found: Vec<String> = problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
        let expected = [
            "event.1.name: is missing",
            "event.1.director: `td` is no mail address",
            "event.1.assistance: `engine` is not known",
            "event.3.rules: `blitz` is not known",
            "event.3.name: `em/2` has a section already",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_player_is_not_his_own_director() {
        let text = "[[event]]\nname = \"EM/2\"\ndirector = \"nora@Example.org\"\n";
        let problems = Config::parse(&format!("{ME}{text}")).unwrap_err();
        let found: Vec<String> = problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
        assert_eq!(found, ["event.1.director: `nora@Example.org` is your own address"]);
    }
}
