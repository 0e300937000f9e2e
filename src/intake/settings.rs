//! What a mail is judged by beside the games: kept with the acts, so that it can be judged again as it was.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::{Me, Senders};

/// The player and whom he believes, at the time of a mail. No password, no server of his is among it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settings {
    /// The version of the program that judged.
    pub amici: String,
    /// Who he is, and where.
    pub me: Me,
    /// How far the senders of mails are believed.
    pub senders: Senders,
}

impl Settings {
    /// Those of this program.
    pub fn of(me: &Me, senders: &Senders) -> Settings {
        Settings { amici: env!("CARGO_PKG_VERSION").to_owned(), me: me.clone(), senders: senders.clone() }
    }

    /// As it is kept; `None` never happens with what [`Settings::of`] gives.
    pub(crate) fn as_value(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }

    /// As it was kept; `None` where another program wrote it.
    pub fn read(value: &Value) -> Option<Settings> {
        serde_json::from_value(value.clone()).ok()
    }
}
