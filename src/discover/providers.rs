//! The providers that the program knows: the table `providers.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Place, Places, Source};
use crate::io::smtp::Security;
use crate::mail::address::{Address, is_within};

/// The table; a test reads all of it.
const TABLE: &str = include_str!("providers.toml");

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
    let table: Table = toml::from_str(TABLE).unwrap_or_default();
    table.provider
});

#[derive(Debug, Default, Deserialize)]
struct Table {
    provider: Vec<Provider>,
}

/// A provider of mail; the keys are explained in the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    name: String,
    #[serde(default)]
    domains: Vec<String>,
    #[serde(default)]
    mx: Vec<String>,
    imap: String,
    smtp: String,
    #[serde(default)]
    starttls: bool,
    #[serde(default)]
    user: User,
    smtp_user: Option<User>,
    #[serde(default)]
    password: Kind,
    login: Option<String>,
    r#where: Option<String>,
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum User {
    #[default]
    Address,
    Name,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Own,
    App,
    Separate,
    Token,
}

/// Which password servers want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Password {
    /// Nothing is known of it.
    Unknown,
    /// One that is known: whether it is a token of OAuth2 instead of a password, where one can log in for it, and what to tell the player, in
    /// sentences.
    Known {
        /// No password is taken at all.
        token: bool,
        /// The provider to log in at for a token, as `token.provider` names it.
        login: Option<String>,
        /// Which it is, where it is made, and what else has to be done.
        advice: String,
    },
}

impl Password {
    /// Whether only a token of OAuth2 is taken.
    pub fn is_token(&self) -> bool {
        matches!(self, Self::Known { token: true, .. })
    }

    /// The provider to log in at for a token, as `token.provider` names it.
    pub fn login(&self) -> Option<&str> {
        match self {
            Self::Known { login, .. } => login.as_deref(),
            Self::Unknown => None,
        }
    }
}

/// The provider with addresses at this domain.
pub(super) fn of_domain(domain: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.domains.iter().any(|own| own == domain))
}

/// The provider to whom this mail exchanger belongs. The longest ending decides: a part of a large provider may have servers of its own.
pub(super) fn of_exchanger(host: &str) -> Option<&'static Provider> {
    let fitting = PROVIDERS.iter().flat_map(|provider| {
        let ends = provider.mx.iter().filter(|end| is_within(host, end));
        ends.map(move |end| (end.len(), provider))
    });
    fitting.max_by_key(|(length, _)| *length).map(|(_, provider)| provider)
}

impl Provider {
    /// The servers of one of its addresses.
    pub(super) fn places(&self, address: &Address, source: Source) -> Places {
        let user = |user: User| match user {
            User::Address => address.to_string(),
            User::Name => address.local().to_owned(),
        };
        let place = |text: &str, security: Security, name: User| {
            let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
            Place { host: host.to_owned(), port: port.parse().unwrap_or_default(), security, user: user(name) }
        };
        let security = if self.starttls { Security::StartTls } else { Security::Implicit };
        Places {
            imap: vec![place(&self.imap, Security::Implicit, self.user)],
            smtp: vec![place(&self.smtp, security, self.smtp_user.unwrap_or(self.user))],
            source,
            password: Password::Known {
                token: self.password == Kind::Token,
                login: self.login.clone(),
                advice: self.advice(),
            },
            provider: Some(self.name.clone()),
        }
    }

    fn advice(&self) -> String {
        let name = &self.name;
        let kind = match self.password {
            Kind::Own => format!("{name} takes the password of your account."),
            Kind::App => {
                format!("{name} wants an app password, made for this program, and not the one of your account.")
            }
            Kind::Separate => {
                format!("{name} wants a password of its own for mail programs, not the one of your account.")
            }
            Kind::Token => {
                format!("{name} takes no password from a mail program: it wants a token of OAuth2.")
            }
        };
        let made = self.r#where.iter().map(|place| format!(" Make it here: {place}"));
        let note = self.note.iter().map(|note| format!("\nNote: {note}."));
        made.chain(note).fold(kind, |text, more| text + &more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_no_domain_stands_in_it_twice() {
        let table: Table = toml::from_str(TABLE).unwrap();
        assert_eq!(table.provider.len(), PROVIDERS.len());
        assert!(PROVIDERS.len() >= 30, "{}", PROVIDERS.len());
        for ends in [|p: &Provider| p.domains.clone(), |p: &Provider| p.mx.clone()] {
            let mut all: Vec<String> = PROVIDERS.iter().flat_map(ends).collect();
            all.sort();
            let twice: Vec<&String> = all.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
            assert!(twice.is_empty(), "{twice:?}");
            assert!(all.iter().all(|name| *name == name.to_lowercase() && !name.ends_with('.')), "{all:?}");
        }
        let address: Address = "a@example.org".parse().unwrap();
        for provider in PROVIDERS.iter() {
            let places = provider.places(&address, Source::BuiltIn);
            assert_eq!(places.imap[0].port, 993, "{}", provider.name);
            let port = if provider.starttls { 587 } else { 465 };
            assert_eq!(places.smtp[0].port, port, "{}", provider.name);
            assert!(!provider.domains.is_empty() || !provider.mx.is_empty(), "{}", provider.name);
        }
    }

    #[test]
    fn a_provider_is_known_by_its_domains_and_by_its_mail_exchangers() {
        let name = |provider: Option<&Provider>| provider.map(|provider| provider.name.clone());
        assert_eq!(name(of_domain("hotmail.co.uk")).as_deref(), Some("Outlook.com"));
        assert_eq!(of_domain("example.org"), None);
        assert_eq!(name(of_exchanger("aspmx.l.google.com")).as_deref(), Some("Gmail"));
        let of_microsoft = ["example-org.mail.protection.outlook.com", "hotmail-com.olc.protection.outlook.com"];
        assert_eq!(of_microsoft.map(|host| name(of_exchanger(host)).unwrap()), ["Microsoft 365", "Outlook.com"]);
        assert_eq!(of_exchanger("mx.notgoogle.com"), None);
    }

    #[test]
    fn the_login_and_the_advice_are_those_of_the_provider() {
        let address: Address = "tobin@icloud.com".parse().unwrap();
        let places = of_domain("icloud.com").unwrap().places(&address, Source::BuiltIn);
        assert_eq!((places.imap[0].user.as_str(), places.smtp[0].user.as_str()), ("tobin", "tobin@icloud.com"));
        let Password::Known { token: false, advice, .. } = places.password else { panic!("{:?}", places.password) };
        assert_eq!(
            advice,
            "iCloud wants an app password, made for this program, and not the one of your account. Make it here: https://account.apple.com"
        );
        let of_microsoft = of_domain("live.de").unwrap().places(&address, Source::BuiltIn).password;
        assert!(of_microsoft.is_token() && of_microsoft.login() == Some("microsoft"));
    }
}
