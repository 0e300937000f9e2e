//! What rules a game that begins gets: those named for it, else those of its event, else what is usual; single values go before all.

use serde_json::{Map, Value};

use super::RulesetChoice;
use crate::domain::game::is_same_event;

/// What the player says of the rules of games that begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The rule set that he names for them.
    pub named: Option<RulesetChoice>,
    /// Those of his events, with the events' names.
    pub events: Vec<(String, RulesetChoice)>,
    /// Single values, whatever the rest says.
    pub values: Map<String, Value>,
}

impl Wanted {
    /// The rules that he says for a game of this event, without the single values; `None` where he says none.
    pub fn said(&self, event: &str) -> Option<RulesetChoice> {
        let of_event = || self.events.iter().find(|(name, _)| is_same_event(name, event)).map(|(_, rules)| rules);
        self.named.as_ref().or_else(of_event).cloned()
    }
}
