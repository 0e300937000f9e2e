//! Email addresses that compare: the local part exactly, the domain in lower case.
//!
//! Only the plain form of RFC 5321, 4.1.2 (dot-string `@` domain, ASCII): quoted local parts, address literals and
//! UTF-8 local parts (RFC 6531) are refused, so that no two spellings of one address exist and none can carry a line end.
//! What will surprise you: an internationalised domain becomes its `xn--` form, so a look-alike of another script is
//! another domain; [`Address::is_same_mailbox`] asks who wrote, `==` whether the spelling is the same.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An addr-spec.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address {
    text: String,
    at: usize,
}

/// Not an address in the plain form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an email address of the form name@domain (the name in plain ASCII)")]
pub struct BadAddress(String);

impl Address {
    /// The part before the `@`, exactly as written.
    pub fn local(&self) -> &str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// The part after the `@`, in lower case.
    pub fn domain(&self) -> &str {
        self.text.get(self.at + 1..).unwrap_or_default()
    }

    /// Whether mail to both reaches one person: the local part is compared without regard to ASCII case.
    ///
    /// RFC 5321, 2.4 leaves its case to the receiving host and discourages relying on it; no provider gives `Nora@` and
    /// `nora@` to two people, while phones capitalise what is typed into them.
    pub fn is_same_mailbox(&self, other: &Address) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(value: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress(super::text::one_line(value, 80));
        let (local, domain) = value.rsplit_once('@').ok_or_else(bad)?;
        let domain = domain_in_ascii(domain).filter(|_| is_local(local)).ok_or_else(bad)?;
        Ok(Self { text: format!("{local}@{domain}"), at: local.len() })
    }
}

/// Whether a host is a domain or lies below it, by whole labels.
pub fn is_within(host: &str, domain: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The one spelling of a domain: lower case, an international one as RFC 5891 has it in the DNS; `None` if it is none.
pub fn domain_in_ascii(domain: &str) -> Option<String> {
    // what is ASCII stays as written: mail is sent to domains that UTS 46 would not register
    let ascii = match domain.is_ascii() {
        true => domain.to_ascii_lowercase(),
        false => as_it_shows(domain)?,
    };
    is_domain(&ascii).then_some(ascii)
}

/// The `xn--` form of an international domain that is written as it is shown: UTS 46 would drop a soft hyphen or a blank without width
/// and turn letters of other forms into plain ones, so that many spellings became one.
fn as_it_shows(domain: &str) -> Option<String> {
    let ascii = idna::domain_to_ascii(domain).ok()?;
    let (shown, is_sound) = idna::domain_to_unicode(&ascii);
    (is_sound.is_ok() && shown == domain.to_lowercase()).then_some(ascii)
}

/// RFC 5321, 4.1.2 Dot-string and 4.5.3.1.1.
fn is_local(local: &str) -> bool {
    let is_atext = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    local.len() <= 64 && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atext))
}

/// RFC 5321, 4.1.2 Domain and 4.5.3.1.2; labels as in RFC 1035, 2.3.4.
fn is_domain(domain: &str) -> bool {
    domain.len() <= 253
        && domain.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

impl TryFrom<String> for Address {
    type Error = BadAddress;

    fn try_from(value: String) -> Result<Self, BadAddress> {
        value.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.text
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_within_a_domain_by_whole_labels() {
        assert!(is_within("Mail.example.org", "example.org") && is_within("example.org", "example.org"));
        assert!(
            !is_within("mail.badexample.org", "example.org") && !is_within("example.org.example.net", "example.org")
        );
    }

    #[test]
    fn domains_compare_in_any_case_and_local_parts_exactly() {
        let address = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(address("Nora@Example.ORG"), address("Nora@example.org"));
        assert_ne!(address("Nora@example.org"), address("nora@example.org"));
        assert_eq!(
            (address("a.b+c@X.org").local().to_owned(), address("a@X.org").domain().to_owned()),
            ("a.b+c".into(), "x.org".into())
        );
    }

    #[test]
    fn odd_addresses_are_refused() {
        for text in [
            "",
            "@",
            "a@",
            "@b",
            "a",
            "a b@c",
            "a@b c",
            "a@b\r\nX: y",
            "a\0@b",
            "\"a\"@b",
            "a@[192.0.2.1]",
            "é@b.org",
            "a@\u{202E}é.org",
            "a..b@c",
            ".a@b",
            "a.@b",
            "a@b@c",
            "a@-b.org",
            "a@b-.org",
            "a@b..c",
            "a@b.",
            "<a@b>",
            "a@b_c.org",
            " a@b.org",
            "a@b\u{ad}c.org",
            "a@ｂ.org",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text:?}");
        }
        assert!(format!("{}@example.org", "a".repeat(65)).parse::<Address>().is_err());
    }

    #[test]
    fn an_international_domain_has_one_spelling_and_a_look_alike_is_another() {
        let address = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(address("opp@exämple.org"), address("opp@XN--exmple-cua.org"));
        assert_eq!(address("opp@EXÄMPLE.org").domain(), "xn--exmple-cua.org");
        assert_ne!(address("opp@ex\u{430}mple.org"), address("opp@example.org"), "a Cyrillic letter");
    }

    #[test]
    fn one_mailbox_is_one_person_in_any_case() {
        let same = |a: &str, b: &str| a.parse::<Address>().unwrap().is_same_mailbox(&b.parse().unwrap());
        assert!(same("Mila.Ostrander@Example.org", "mila.ostrander@example.org"));
        assert!(!same("mila.ostrander@example.org", "milaostrander@example.org"));
        assert!(!same("mila@example.org", "mila@example.net"));
    }

    #[test]
    fn an_address_survives_json() {
        let address: Address = "Nora@Example.org".parse().unwrap();
        let json = serde_json::to_string(&address).unwrap();
        assert_eq!(json, "\"Nora@example.org\"");
        assert_eq!(serde_json::from_str::<Address>(&json).unwrap(), address);
    }
}
