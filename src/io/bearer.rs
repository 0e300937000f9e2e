//! A login by a token of OAuth2 instead of a password: the two ways that mail servers know, as they go over the wire.
//!
//! Pure text; the dialogue belongs to `io::imap` and `io::smtp`. Where a token comes from is `io::access`'s affair, which is
//! asked anew at each login: a token lives for about an hour.
//! What will surprise you: a server that refuses a token says why in a challenge, and refuses only after that was answered.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// How an account logs in; what its secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// A password.
    #[default]
    Password,
    /// An access token of OAuth2 (RFC 6749 section 1.4).
    Token,
}

/// What to do about a token that was refused.
pub(super) const HELP: &str = "help: run the token command by hand: it must print a token that is fresh (most live for an hour) and made for mail \
                               of this account; if it cannot get one any more, log in with that program anew. Where there is no such command, \
                               `amici login` logs in anew";

/// A mechanism of SASL (RFC 4422) for tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// RFC 7628.
    OauthBearer,
    /// Its forerunner, which Microsoft has alone.
    Xoauth2,
}

impl Mechanism {
    /// The one to use, of those that a server offers.
    pub(super) fn of(is_offered: impl Fn(&str) -> bool) -> Option<Mechanism> {
        [Self::OauthBearer, Self::Xoauth2].into_iter().find(|mechanism| is_offered(mechanism.name()))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OauthBearer => "OAUTHBEARER",
            Self::Xoauth2 => "XOAUTH2",
        }
    }

    /// What the client says first, in base64.
    pub(super) fn first(self, user: &str, (host, port): (&str, u16), token: &SecretString) -> SecretString {
        let token = token.expose_secret();
        let plain = Zeroizing::new(match self {
            // RFC 5801 section 4: what parts the name from what follows is written out
            Self::OauthBearer => format!(
                "n,a={},\u{1}host={host}\u{1}port={port}\u{1}auth=Bearer {token}\u{1}\u{1}",
                user.replace('=', "=3D").replace(',', "=2C")
            ),
            Self::Xoauth2 => format!("user={user}\u{1}auth=Bearer {token}\u{1}\u{1}"),
        });
        SecretString::from(STANDARD.encode(plain.as_bytes()))
    }

    /// What answers the challenge of a refusal, in base64 (RFC 7628 section 3.2.3).
    pub(super) fn last(self) -> &'static str {
        match self {
            Self::OauthBearer => "AQ==",
            Self::Xoauth2 => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_standard_and_of_its_forerunner() {
        let said = |mechanism: Mechanism, user: &str| {
            let first = mechanism.first(user, ("server.example.com", 143), &"vF9dft4qmT".into());
            String::from_utf8(STANDARD.decode(first.expose_secret()).unwrap()).unwrap()
        };
        // the example of RFC 7628 section 4.1, with its token cut short
        assert_eq!(
            said(Mechanism::OauthBearer, "user@example.com"),
            "n,a=user@example.com,\u{1}host=server.example.com\u{1}port=143\u{1}auth=Bearer vF9dft4qmT\u{1}\u{1}"
        );
        assert!(said(Mechanism::OauthBearer, "a=b,c").starts_with("n,a=a=3Db=2Cc,\u{1}"));
        assert_eq!(
            said(Mechanism::Xoauth2, "someuser@example.com"),
            "user=someuser@example.com\u{1}auth=Bearer vF9dft4qmT\u{1}\u{1}"
        );
    }

    #[test]
    fn the_standard_is_used_where_both_are_offered() {
        assert_eq!(Mechanism::of(|_| true), Some(Mechanism::OauthBearer));
        assert_eq!(Mechanism::of(|name| name == "XOAUTH2"), Some(Mechanism::Xoauth2));
        assert_eq!(Mechanism::of(|_| false), None);
    }
}
