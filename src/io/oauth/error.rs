//! What can go wrong with a login at a provider, or with a token of it, and what the loop does about each.
//!
//! A provider's own words are quoted cleaned and shortened, and not at all where they hold a secret.

use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};

use crate::io::Class;
use crate::io::secret::SecretError;
use crate::mail::text::is_unseen;

/// Characters of a provider's own words that are shown.
const WORDS_SHOWN: usize = 200;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum OAuthError {
    /// Nobody has logged in yet, or what came of it is not where it was put.
    #[error("there is no login of {account} at {provider}: {why}\nhelp: `amici login` makes one")]
    NoLogin {
        /// As configured.
        account: String,
        /// The provider's name.
        provider: String,
        /// Why there is none.
        why: String,
    },
    /// The provider takes the refresh token no more: it has expired, was taken back, or belongs to another client (`invalid_grant`).
    #[error(
        "{provider} takes the login of before no more: {said}\nhelp: log in anew: `amici login`, then `amici check`"
    )]
    Refused {
        /// The provider's name.
        provider: String,
        /// Its code, and its words.
        said: String,
    },
    /// The person, or the provider, said no to the login (`access_denied`).
    #[error(
        "the login at {provider} was refused: {said}\nhelp: say yes on its page, as the owner of the account, after `amici login`"
    )]
    Denied {
        /// The provider's name.
        provider: String,
        /// Its code, and its words.
        said: String,
    },
    /// Nobody logged in in time (`expired_token`).
    #[error("nobody logged in at {provider} in time\nhelp: begin anew: `amici login`")]
    TooLate {
        /// The provider's name.
        provider: String,
    },
    /// The provider does not know the client, or does not let it do what it asks (`invalid_client`, `invalid_scope` and the like).
    #[error(
        "{provider} does not let this program ask: {said}\n\
         help: compare token.client_id, token.client_secret and token.scopes with the registration of the program at {provider}"
    )]
    Client {
        /// The provider's name.
        provider: String,
        /// Its code, and its words.
        said: String,
    },
    /// This way to log in is not there at the provider.
    #[error("{provider} has no address for a login by {way}\nhelp: {help}")]
    NoSuchWay {
        /// The provider's name.
        provider: String,
        /// Which.
        way: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The login gave no refresh token, so that it would end within the hour.
    #[error(
        "{provider} gave a token for now, and none to get others with (refresh_token)\n\
         help: some want `offline_access` among token.scopes for that, others that you take the program's access back on their page first"
    )]
    NoRefreshToken {
        /// The provider's name.
        provider: String,
    },
    /// Nobody answers, or the provider is in trouble.
    #[error("{provider} cannot be asked for a token: {why}")]
    Unreached {
        /// The provider's name.
        provider: String,
        /// In one clause.
        why: String,
    },
    /// The answer is not one of OAuth2.
    #[error("{provider} gave an answer that makes no sense in OAuth2")]
    Garbled {
        /// The provider's name.
        provider: String,
    },
    /// A new refresh token is there and could not be kept. It is held in memory, and tried again.
    #[error(
        "the new token of {account} cannot be kept: {why}\nhelp: it is tried again as long as the program runs; if it ends before, `amici login`"
    )]
    Unkept {
        /// As configured.
        account: String,
        /// In one clause.
        why: String,
    },
    /// What is kept, or the secret of the client, cannot be read.
    #[error(transparent)]
    Kept(#[from] SecretError),
    /// The lock that keeps two processes apart cannot be had.
    #[error("{path} cannot be locked: {why}\nhelp: the folder must be yours, on a file system that has locks")]
    Lock {
        /// The lock.
        path: PathBuf,
        /// The system's reason.
        why: std::io::Error,
    },
    /// The browser cannot come back to this machine.
    #[error("the browser cannot be waited for on port {port}: {why}\nhelp: name another with --port, or leave it out")]
    Listen {
        /// As named; 0 for any.
        port: u16,
        /// The system's reason.
        why: std::io::Error,
    },
}

impl OAuthError {
    /// By the code that a provider gave.
    pub(super) fn told(provider: String, code: &str, words: &str, secrets: &[&SecretString]) -> OAuthError {
        let words = if secrets.iter().any(|secret| words.contains(secret.expose_secret())) { "" } else { words };
        let said = if words.is_empty() { code.to_owned() } else { format!("{words} ({code})") };
        let said = said.chars().map(|c| if is_unseen(c) { ' ' } else { c }).take(WORDS_SHOWN).collect();
        match code {
            // the last three are those of OpenID Connect Core, section 3.1.2.6
            "invalid_grant" | "interaction_required" | "login_required" | "consent_required" => {
                OAuthError::Refused { provider, said }
            }
            "access_denied" => OAuthError::Denied { provider, said },
            "expired_token" => OAuthError::TooLate { provider },
            // RFC 6749 section 4.1.2.1, RFC 8628 section 3.5
            "temporarily_unavailable" | "server_error" | "slow_down" | "authorization_pending" => {
                OAuthError::Unreached { provider, why: said }
            }
            _ => OAuthError::Client { provider, said },
        }
    }

    /// What the loop does about it.
    pub fn class(&self) -> Class {
        match self {
            Self::Unreached { .. } | Self::Garbled { .. } => Class::Retry,
            Self::Kept(error) => error.class(),
            Self::NoLogin { .. }
            | Self::Refused { .. }
            | Self::Denied { .. }
            | Self::TooLate { .. }
            | Self::Client { .. }
            | Self::NoSuchWay { .. }
            | Self::NoRefreshToken { .. }
            | Self::Unkept { .. }
            | Self::Lock { .. }
            | Self::Listen { .. } => Class::Stop,
        }
    }

    /// Whether the provider was asked and said no, which counts as a refused login.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Denied { .. } | Self::Client { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_says_whose_matter_it_is() {
        let told = |code: &str| OAuthError::told("Example".to_owned(), code, "", &[]);
        assert!(matches!(told("invalid_grant"), OAuthError::Refused { .. }));
        assert!(matches!(told("access_denied"), OAuthError::Denied { .. }));
        assert!(matches!(told("expired_token"), OAuthError::TooLate { .. }));
        assert!(matches!(told("invalid_client"), OAuthError::Client { .. }));
        assert!(matches!(told("an_extension"), OAuthError::Client { .. }));
        assert_eq!(told("temporarily_unavailable").class(), Class::Retry);
        assert_eq!(told("invalid_grant").class(), Class::Stop);
        assert!(told("invalid_grant").is_refusal() && !told("server_error").is_refusal());
    }

    #[test]
    fn words_of_a_provider_are_shown_clean_and_without_a_secret() {
        let secret = SecretString::from("canary-token");
        let told = |words: &str| OAuthError::told("Example".to_owned(), "invalid_grant", words, &[&secret]).to_string();
        assert!(told("Token\u{1b}[31m revoked").starts_with(
            "Example takes the login of before no more: Token [31m revoked (invalid_grant)\nhelp: log in anew: `amici login`"
        ));
        assert!(!told("canary-token is not known").contains("canary"));
        assert!(told(&"x".repeat(5000)).len() < 400);
    }
}
