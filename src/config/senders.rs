//! Who is believed: the sections `[senders]`, `[[opponent]]` and `[[director]]`. What a section of an opponent says about the
//! letters to him is read by `letters`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::letters::{self, Styles};
use super::section::Section;
use crate::mail::address::{Address, domain_in_ascii};
use crate::mail::authentication::{OwnServer, Policy};

/// How far the senders of mails are believed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Senders {
    /// For every opponent that the file does not name.
    pub default: Policy,
    /// Whose Authentication-Results count.
    pub own_server: OwnServer,
    /// Whether this machine checks DKIM signatures itself, which asks the DNS.
    pub verify_dkim: bool,
    /// Opponents with a policy of their own.
    pub opponents: Vec<(Address, Policy)>,
    /// Tournament directors: their letters are about games and never moves.
    pub directors: Vec<Address>,
    /// Copies of the player's own mails, which he sent to himself too, tell what he sent.
    pub own_copies: bool,
}

impl Senders {
    /// How far a mail from this address is believed.
    pub fn policy_of(&self, address: &Address) -> Policy {
        let own = self.opponents.iter().find(|(opponent, _)| opponent.is_same_mailbox(address));
        own.map_or(self.default, |(_, policy)| *policy)
    }

    /// Whether anything can prove who wrote a mail: the player's own server, or a check of signatures on this machine.
    pub fn can_prove(&self) -> bool {
        self.verify_dkim || !self.own_server.ids.is_empty()
    }

    /// Whether a tournament director writes from here.
    pub fn is_director(&self, address: &Address) -> bool {
        self.directors.iter().any(|director| director.is_same_mailbox(address))
    }
}

/// Reads the three sections of the file; how letters to an opponent differ goes into `styles`.
pub(super) fn senders(root: &mut Section<'_>, styles: &mut Styles, folder: &Path) -> Senders {
    let mut senders = root.section("senders").map_or_else(Senders::default, |mut s| own_section(&mut s));
    let can_prove = senders.can_prove();
    if needs_proof(senders.default) && !can_prove {
        root.problem("senders.default", NOTHING_PROVES.0, NOTHING_PROVES.1);
    }
    root.each("opponent", |s| {
        let must_have_policy = !letters::has_changes(s);
        let changes = letters::changes(s, folder);
        let policy = policy(s, "policy", must_have_policy);
        if policy.is_some_and(needs_proof) && !can_prove {
            s.problem("policy", NOTHING_PROVES.0, NOTHING_PROVES.1);
        }
        for address in addresses(s) {
            if senders.opponents.iter().any(|(other, _)| other.is_same_mailbox(&address)) {
                s.problem("addresses", &format!("`{address}` has a policy already"), "name each address once");
            }
            styles.differ(address.clone(), changes.clone());
            senders.opponents.push((address, policy.unwrap_or(senders.default)));
        }
    });
    root.each("director", |s| senders.directors.extend(addresses(s)));
    senders
}

/// Copies of his own mails that anybody could have written.
pub(super) fn check_copies(root: &mut Section<'_>, senders: &Senders) {
    if senders.own_copies && !senders.can_prove() {
        let why =
            "would take every mail that bears your address for one that you sent, and nothing can prove whose it is";
        root.problem("sent.bcc_self", why, NOTHING_PROVES.1);
    }
}

const NOTHING_PROVES: (&str, &str) = (
    "needs a proof of the sender, and nothing can give one",
    "set senders.authserv_id to the name your mail server puts into Authentication-Results, or senders.verify_dkim = true",
);

fn needs_proof(policy: Policy) -> bool {
    match policy {
        Policy::Strict | Policy::Pinned => true,
        Policy::From | Policy::Confirm => false,
    }
}

fn own_section(s: &mut Section<'_>) -> Senders {
    let default = policy(s, "default", false);
    let own_server = OwnServer { ids: hosts(s, "authserv_id"), received_by: hosts(s, "received_by") };
    if own_server.ids.is_empty() && !own_server.received_by.is_empty() {
        s.problem("received_by", "stands without authserv_id", "it says where the field of that server is looked for");
    }
    let verify_dkim = s.flag("verify_dkim", false);
    s.finish();
    let mut senders = Senders { own_server, verify_dkim, ..Senders::default() };
    // where something can be proven, who was proven once is believed no more without it
    senders.default = default.unwrap_or(if senders.can_prove() { Policy::Pinned } else { Policy::From });
    senders
}

fn policy(s: &mut Section<'_>, key: &'static str, must_be: bool) -> Option<Policy> {
    const WORDS: &str = "\"from\", \"strict\", \"pinned\" or \"confirm\"";
    let word = if must_be { s.text(key, WORDS) } else { s.opt_text(key) };
    match word?.as_str() {
        "from" => Some(Policy::From),
        "strict" => Some(Policy::Strict),
        "pinned" => Some(Policy::Pinned),
        "confirm" => Some(Policy::Confirm),
        other => {
            s.problem(key, &format!("`{other}` is not known"), WORDS);
            None
        }
    }
}

/// One host or a list of them, as they are compared.
fn hosts(s: &mut Section<'_>, key: &'static str) -> Vec<String> {
    let mut hosts = Vec::new();
    for text in s.one_or_more(key) {
        match domain_in_ascii(&text) {
            Some(host) => hosts.push(host),
            None => s.problem(key, &format!("`{text}` is no host name"), "write it as it stands in your mails' header"),
        }
    }
    hosts
}

/// `address = "..."` or `addresses = ["...", "..."]`.
fn addresses(s: &mut Section<'_>) -> Vec<Address> {
    let one = s.opt_text("address");
    let several = s.opt_texts("addresses");
    if one.is_none() && several.is_none() && s.had("address") && s.had("addresses") {
        s.problem("addresses", "is missing", "addresses = [\"name@example.org\"]");
    }
    let mut addresses = Vec::new();
    for text in one.into_iter().chain(several.unwrap_or_default()) {
        match text.parse::<Address>() {
            Ok(address) => addresses.push(address),
            Err(_) => s.problem("addresses", &format!("`{text}` is no mail address"), "write it as name@domain"),
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    fn senders(text: &str) -> Senders {
        Config::parse(&format!("{ME}{text}")).unwrap().senders
    }

    #[test]
    fn each_opponent_has_his_policy_and_the_others_the_default() {
        let senders = senders(
            "[senders]\ndefault = \"confirm\"\nauthserv_id = \"MX.example.org\"\n\
             [[opponent]]\naddress = \"mila@example.org\"\npolicy = \"strict\"\n\
             [[opponent]]\naddresses = [\"ben@example.com\", \"ben@exämple.org\"]\npolicy = \"pinned\"\n\
             [[director]]\naddresses = [\"td@example.net\"]\n",
        );
        let policy = |address: &str| senders.policy_of(&address.parse().unwrap());
        assert_eq!(policy("Mila@Example.org"), Policy::Strict);
        assert_eq!(policy("ben@xn--exmple-cua.org"), Policy::Pinned);
        assert_eq!(policy("somebody@example.org"), Policy::Confirm);
        assert!(senders.is_director(&"TD@example.net".parse().unwrap()));
        assert_eq!(senders.own_server.ids, ["mx.example.org"]);
    }

    #[test]
    fn without_the_sections_the_from_line_is_believed() {
        assert_eq!(senders(""), Senders::default());
        assert_eq!(Senders::default().policy_of(&"x@example.org".parse().unwrap()), Policy::From);
    }

    #[test]
    fn every_problem_of_the_senders_is_reported_at_once() {
        let text = "[senders]\ndefault = \"strict\"\nreceived_by = [\"a host\"]\nverify = true\n\
                    [[opponent]]\naddress = \"mila\"\npolicy = \"strickt\"\n\
                    [[opponent]]\npolicy = \"pinned\"\n\
                    [[opponent]]\naddresses = [\"a@example.org\", \"A@example.org\"]\n\
                    [[director]]\nmail = \"td@example.org\"\n";
        let problems = Config::parse(&format!("{ME}{text}")).unwrap_err();
        let found: Vec<String> = problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
        let expected = [
            "senders.received_by: `a host` is no host name",
            "senders.verify: is not known",
            "senders.default: needs a proof of the sender, and nothing can give one",
            "opponent.1.policy: `strickt` is not known",
            "opponent.1.addresses: `mila` is no mail address",
            "opponent.2.policy: needs a proof of the sender, and nothing can give one",
            "opponent.2.addresses: is missing",
            "opponent.3.policy: is missing",
            "opponent.3.addresses: `A@example.org` has a policy already",
            "director.1.addresses: is missing",
            "director.1.mail: is not known",
        ];
        for line in expected {
            assert!(found.iter().any(|f| f == line), "{line} in {found:#?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        let lone = Config::parse(&format!("{ME}[senders]\nreceived_by = [\"mx.example.org\"]\n[opponent]\n"));
        let keys: Vec<String> = lone.unwrap_err().into_iter().map(|p| p.key).collect();
        assert_eq!(keys, ["senders.received_by", "opponent"]);
    }
}
