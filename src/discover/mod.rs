//! Where the mail of an address is read and handed over, found out from the address alone.
//!
//! Asked in this order, and the first that knows it is believed: the built-in table `providers.toml`, the domain's own autoconfig, the public
//! database of autoconfig, SRV records (RFC 6186, RFC 8314), the mail exchangers (whose host may be a provider's), and last a guess at the
//! usual names. May ask web servers and the DNS; logs in nowhere, and sends a password to nobody.
//! What will surprise you: the DNS is not proven, so that servers it names outside the address's own domain are not
//! [`Places::are_vouched_for`]: RFC 6186 section 6 wants the player's word for them. Nobody is told the whole address but its own domain.

mod autoconfig;
mod providers;

use std::fmt;
use std::net::IpAddr;

use crate::io::dns::{Dns, Service};
use crate::io::http;
use crate::io::smtp::Security;
use crate::mail::address::{Address, is_within};
use crate::mail::uri::percent;

pub use autoconfig::{Autoconfig, AutoconfigError};
pub use providers::{Password, Provider};

/// One server, as it may be configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// When the encryption begins; for IMAP always with the first byte.
    pub security: Security,
    /// The login name there.
    pub user: String,
}

/// How the servers became known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The player named them.
    Named,
    /// The built-in table.
    BuiltIn,
    /// An autoconfig file, from this address.
    Autoconfig(String),
    /// SRV records.
    Services,
    /// The provider whose mail exchanger this is.
    Exchanger(String),
    /// The usual names.
    Guess,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("as you named them"),
            Self::BuiltIn => f.write_str("known to the program"),
            Self::Autoconfig(url) => write!(f, "from {url}"),
            Self::Services => f.write_str("from the SRV records of the domain"),
            Self::Exchanger(host) => write!(f, "by the domain's mail exchanger {host}"),
            Self::Guess => f.write_str("guessed by their usual names"),
        }
    }
}

/// The servers of an address. Of each kind the first that can be reached is the one; there is one at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Where mail is read.
    pub imap: Vec<Place>,
    /// Where mail is handed over.
    pub smtp: Vec<Place>,
    /// How they became known.
    pub source: Source,
    /// What is known of the password they want.
    pub password: Password,
    /// The provider's name, where it is known.
    pub provider: Option<String>,
}

impl Places {
    /// Whether a password may go to `place` without the player's word: somebody who cannot be impersonated named it, or it lies in the
    /// domain of his own address.
    pub fn are_vouched_for(&self, place: &Place, address: &Address) -> bool {
        match &self.source {
            Source::Named | Source::BuiltIn => true,
            Source::Autoconfig(url) if is_proven(url) => true,
            Source::Autoconfig(_) => is_within(&place.host, address.domain()),
            Source::Services | Source::Exchanger(_) | Source::Guess => is_within(&place.host, address.domain()),
        }
    }
}

/// Where autoconfig is asked.
#[derive(Debug, Clone)]
pub enum Autoconfigs {
    /// At the domain's own places and then in the public database.
    Usual,
    /// At this address alone, for everything.
    At(String),
}

/// Finds the servers of an address. A guess is the last resort, so that there are always some.
///
/// # Errors
/// Only where autoconfig is asked at an address that the player named: it does not answer, or its answer is of no use.
pub async fn find(address: &Address, autoconfigs: &Autoconfigs, dns: &Dns) -> Result<Places, AutoconfigError> {
    let domain = address.domain();
    let own = match autoconfigs {
        Autoconfigs::At(url) => return ask(url.clone(), address).await,
        Autoconfigs::Usual => own_places(address),
    };
    if let Some(provider) = providers::of_domain(domain) {
        return Ok(provider.places(address, Source::BuiltIn));
    }
    let [first, second] = own;
    let (first, second, listed, services, exchangers) = tokio::join!(
        ask(first, address),
        ask(second, address),
        ask(in_database(domain), address),
        by_services(address, dns),
        dns.exchangers(domain),
    );
    if let Some(found) = [first, second, listed].into_iter().find_map(Result::ok).or(services) {
        return Ok(found);
    }
    let exchanger = exchangers.first();
    let hosted = exchanger.and_then(|host| Some((host, providers::of_exchanger(host)?)));
    if let Some((host, provider)) = hosted {
        return Ok(provider.places(address, Source::Exchanger(host.clone())));
    }
    // the database knows hosts of other people's domains by the domain of their exchangers
    for hoster in exchanger.into_iter().flat_map(|host| domains_above(host)) {
        if let Ok(found) = ask(in_database(&hoster), address).await {
            return Ok(Places { source: Source::Exchanger(exchanger.cloned().unwrap_or_default()), ..found });
        }
    }
    Ok(guess(address, exchanger))
}

/// Asks one autoconfig file.
async fn ask(url: String, address: &Address) -> Result<Places, AutoconfigError> {
    let text = http::get(url.clone()).await.map_err(|why| AutoconfigError::NoAnswer { url: url.clone(), why })?;
    let Autoconfig { imap, smtp, password, provider } = Autoconfig::read(&text, address)?;
    Ok(Places { imap, smtp, source: Source::Autoconfig(url), password, provider })
}

/// The two places at the domain itself, as Thunderbird asks them.
fn own_places(address: &Address) -> [String; 2] {
    let (domain, whole) = (address.domain(), percent(&address.to_string()));
    [
        format!("https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={whole}"),
        format!("https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"),
    ]
}

fn in_database(domain: &str) -> String {
    format!("https://autoconfig.thunderbird.net/v1.1/{domain}")
}

/// By SRV records: `_imaps`, and `_submissions` (RFC 8314 section 5.1) before `_submission` (RFC 6186 section 3.1).
async fn by_services(address: &Address, dns: &Dns) -> Option<Places> {
    let domain = address.domain();
    let (imap, implicit, starttls) = tokio::join!(
        dns.services("_imaps._tcp", domain),
        dns.services("_submissions._tcp", domain),
        dns.services("_submission._tcp", domain),
    );
    let place = |security: Security| {
        let user = address.to_string();
        move |Service { host, port }: Service| Place { host, port, security, user: user.clone() }
    };
    let imap: Vec<Place> = imap.into_iter().map(place(Security::Implicit)).collect();
    let implicit = implicit.into_iter().map(place(Security::Implicit));
    let smtp: Vec<Place> = implicit.chain(starttls.into_iter().map(place(Security::StartTls))).collect();
    if imap.is_empty() {
        return None;
    }
    let smtp = if smtp.is_empty() { guess(address, None).smtp } else { smtp };
    Some(Places { imap, smtp, source: Source::Services, password: Password::Unknown, provider: None })
}

/// The usual names at the domain, and the mail exchanger itself, which is often the only server of a small provider.
pub fn guess(address: &Address, exchanger: Option<&String>) -> Places {
    let domain = address.domain();
    let hosts = |first: &str| {
        let usual = [format!("{first}.{domain}"), format!("mail.{domain}"), domain.to_owned()];
        usual.into_iter().chain(exchanger.cloned())
    };
    let at = |host: String, port: u16, security: Security| Place { host, port, security, user: address.to_string() };
    let imap = hosts("imap").map(|host| at(host, 993, Security::Implicit)).collect();
    let smtp =
        hosts("smtp").flat_map(|host| [at(host.clone(), 465, Security::Implicit), at(host, 587, Security::StartTls)]);
    Places { imap, smtp: smtp.collect(), source: Source::Guess, password: Password::Unknown, provider: None }
}

/// Whether nobody on the way can have changed what came from there: it was encrypted, or did not leave this machine.
fn is_proven(url: &str) -> bool {
    let host = url.strip_prefix("http://").map(|rest| rest.split(['/', '?']).next().unwrap_or_default());
    match host {
        None => url.starts_with("https://"),
        Some(host) => {
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// `example.net` and `mx.example.net` of `a.mx.example.net`: the shorter ones first, none of one label.
fn domains_above(host: &str) -> Vec<String> {
    let labels: Vec<&str> = host.split('.').collect();
    let above = (2..labels.len()).filter_map(|count| labels.get(labels.len() - count..));
    above.take(2).map(|labels| labels.join(".")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::dns::tests::serving;

    fn nora() -> Address {
        "Nora+chess@example.org".parse().unwrap()
    }

    fn shown(places: &[Place]) -> Vec<String> {
        let sign = |place: &Place| if place.security == Security::StartTls { " starttls" } else { "" };
        places.iter().map(|place| format!("{}:{}{}", place.host, place.port, sign(place))).collect()
    }

    #[tokio::test]
    async fn srv_records_name_the_servers_those_with_tls_from_the_first_byte_first() {
        let dns = serving(&[
            "_imaps._tcp.example.org. SRV 0 1 993 mail.example.org.",
            "_submission._tcp.example.org. SRV 0 1 587 out.example.net.",
            "_submissions._tcp.example.org. SRV 5 1 465 mail.example.org.",
        ])
        .await;
        let found = by_services(&nora(), &dns).await.unwrap();
        assert_eq!(shown(&found.imap), ["mail.example.org:993"]);
        assert_eq!(shown(&found.smtp), ["mail.example.org:465", "out.example.net:587 starttls"]);
        let vouched: Vec<bool> = found.smtp.iter().map(|place| found.are_vouched_for(place, &nora())).collect();
        assert_eq!(vouched, [true, false], "the DNS may name a stranger's server, and anybody may write the DNS");
        assert!(by_services(&nora(), &serving(&[]).await).await.is_none());
    }

    #[test]
    fn a_guess_tries_the_usual_names_and_the_mail_exchanger() {
        let found = guess(&nora(), Some(&"mx.example.net".to_owned()));
        assert_eq!(shown(&found.imap)[0], "imap.example.org:993");
        assert_eq!(shown(&found.imap)[3], "mx.example.net:993");
        assert_eq!(shown(&found.smtp)[..2], ["smtp.example.org:465", "smtp.example.org:587 starttls"]);
        assert!(!found.are_vouched_for(&found.imap[3], &nora()));
    }

    #[test]
    fn the_whole_address_goes_to_its_own_domain_alone() {
        let [own, well_known] = own_places(&nora());
        assert_eq!(own, "https://autoconfig.example.org/mail/config-v1.1.xml?emailaddress=Nora%2Bchess%40example.org");
        assert_eq!(well_known, "https://example.org/.well-known/autoconfig/mail/config-v1.1.xml");
        assert_eq!(in_database("example.org"), "https://autoconfig.thunderbird.net/v1.1/example.org");
    }

    #[test]
    fn what_came_in_the_clear_is_believed_from_this_machine_only() {
        for url in ["https://example.net/x", "http://127.0.0.1:8080/x", "http://localhost", "http://[::1]:80/x"] {
            assert!(is_proven(url), "{url}");
        }
        for url in [
            "http://example.net/x",
            "http://127.0.0.1.example.net/",
            "http://localhost@example.net/",
            "ftp://localhost/",
        ] {
            assert!(!is_proven(url), "{url}");
        }
    }

    #[test]
    fn the_domains_above_a_host_have_two_labels_at_least() {
        assert_eq!(domains_above("a.mx.example.co.uk"), ["co.uk", "example.co.uk"]);
        assert!(domains_above("localhost").is_empty());
    }
}
