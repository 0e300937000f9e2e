//! To whom the program may send a released move itself: the section `[direct]`. Without it nothing ever goes to an opponent.

use std::time::Duration;

use super::section::Section;
use super::{Config, Mail};
use crate::mail::address::Address;

/// How released moves are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Direct {
    /// The opponents that may be written to; empty: nobody.
    pub opponents: Vec<Address>,
    /// How long a released move can be recalled.
    pub hold: Duration,
    /// So many mails to opponents within 24 hours, and no more.
    pub daily: u32,
    /// The player gets a blind copy: it proves what a cut connection left open.
    pub bcc_self: bool,
}

impl Default for Direct {
    fn default() -> Self {
        Direct { opponents: Vec::new(), hold: Duration::from_secs(600), daily: 20, bcc_self: true }
    }
}

impl Direct {
    /// Whether a move may be sent to this address.
    pub fn allows(&self, address: &Address) -> bool {
        self.opponents.iter().any(|opponent| opponent.is_same_mailbox(address))
    }
}

impl Config {
    /// Whether the program may send a move to this address: it is named, and there is a server to send it by.
    pub fn sends_to(&self, address: &str) -> bool {
        let is_named = address.parse().is_ok_and(|address| self.direct.allows(&address));
        is_named && matches!(self.mail, Some(Mail::Servers { .. }))
    }
}

/// Reads the section; `own` are the player's addresses.
pub(super) fn direct(s: &mut Section<'_>, own: &[Address]) -> Direct {
    let default = Direct::default();
    let mut opponents = Vec::new();
    for text in s.opt_texts("opponents").unwrap_or_default() {
        match text.parse::<Address>() {
            Ok(address) if own.iter().any(|own| own.is_same_mailbox(&address)) => {
                let why = format!("`{text}` is your own address");
                s.problem("opponents", &why, "name the addresses of opponents: your moves go out to these");
            }
            Ok(address) => opponents.push(address),
            Err(_) => s.problem("opponents", &format!("`{text}` is no address"), "write it like name@example.org"),
        }
    }
    let hold = s.pause("hold", default.hold, Duration::ZERO);
    let daily = s.number("daily", i64::from(default.daily), 1..=1000);
    let bcc_self = s.flag("bcc_self", default.bcc_self);
    s.finish();
    Direct { opponents, hold, daily: u32::try_from(daily).unwrap_or(default.daily), bcc_self }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    #[test]
    fn the_player_himself_is_no_opponent_to_be_written_to() {
        let me = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\", \"n@example.net\"]\ntimezone = \"Europe/Stockholm\"\n";
        let direct = "[direct]\nopponents = [\"mila@example.org\", \"Nora@Example.ORG\", \"n@example.net\"]\n";
        let problems = Config::parse(&format!("{me}{direct}")).unwrap_err();
        let found: Vec<String> = problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
        let wrong = |address: &str| format!("direct.opponents: `{address}` is your own address");
        assert_eq!(found, [wrong("Nora@Example.ORG"), wrong("n@example.net")]);
    }
}
