//! A provider of tokens, who the program is there, and what goes wrong in asking it.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use oauth2::basic::{BasicClient, BasicTokenResponse};
use oauth2::url::{Host, Url};
use oauth2::{
    AuthType, ClientId, ClientSecret, EndpointNotSet, EndpointSet, ErrorResponseType, RefreshToken, RequestTokenError,
    Scope, StandardErrorResponse, TokenResponse, TokenUrl,
};
use secrecy::{ExposeSecret, SecretString};

use super::error::OAuthError;
use crate::io::http::{self, HttpError};
use crate::io::secret::SecretSource;

/// An address of a provider: https, or http on this machine alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint(pub(super) Url);

impl Endpoint {
    /// Reads an address; `None` for what is none, or would send secrets in the clear.
    pub fn parse(text: &str) -> Option<Endpoint> {
        let url = Url::parse(text).ok()?;
        let is_here = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        };
        (url.scheme() == "https" || (url.scheme() == "http" && is_here)).then_some(Endpoint(url))
    }

    /// Who answers there.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// A provider, and who the program is there.
#[derive(Debug, Clone)]
pub struct Client {
    /// The provider's name.
    pub provider: String,
    /// What the provider gave the program as its name.
    pub id: String,
    /// Where the secret comes from that goes with it; most providers want none from a program that people run themselves.
    pub secret: Option<Box<SecretSource>>,
    /// Where tokens are given out.
    pub token: Endpoint,
    /// Where a login by a code begins.
    pub device: Option<Endpoint>,
    /// The page of a login in the browser.
    pub authorization: Option<Endpoint>,
    /// What the tokens are good for, in the provider's words.
    pub scopes: Vec<String>,
    /// What the page of the provider wants to be told besides.
    pub more: Vec<(String, String)>,
    /// This machine, as the browser comes back to it: the name or the number that the provider accepts.
    pub here: String,
}

/// What a login, or a refresh, gives.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// What mail servers take.
    pub access: SecretString,
    /// Until when, as far as the provider says.
    pub until: Option<DateTime<Utc>>,
    /// What makes further access tokens; a refresh gives none where the one of before stays.
    pub refresh: Option<SecretString>,
}

pub(super) type Basic = BasicClient<EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

impl Client {
    /// The one who speaks to the provider.
    pub(super) async fn basic(&self) -> Result<Basic, OAuthError> {
        let basic = BasicClient::new(ClientId::new(self.id.clone()))
            // RFC 6749 section 2.3.1 has both ways; Microsoft and Google document this one
            .set_auth_type(AuthType::RequestBody)
            .set_token_uri(TokenUrl::from_url(self.token.0.clone()));
        Ok(match &self.secret {
            Some(source) => {
                let secret = source.read().await?;
                basic.set_client_secret(ClientSecret::new(secret.expose_secret().to_owned()))
            }
            None => basic,
        })
    }

    pub(super) fn scopes(&self) -> impl Iterator<Item = Scope> + '_ {
        self.scopes.iter().cloned().map(Scope::new)
    }

    /// New tokens for a refresh token (RFC 6749 section 6).
    pub(super) async fn refresh(&self, token: &SecretString, now: DateTime<Utc>) -> Result<Tokens, OAuthError> {
        let basic = self.basic().await?;
        let refresh = RefreshToken::new(token.expose_secret().to_owned());
        let answer = basic.exchange_refresh_token(&refresh).request_async(&http::send).await;
        answer.map(|answer| tokens(&answer, now)).map_err(|error| self.failure(error, &[token]))
    }

    /// What went wrong, by the provider's code for it (RFC 6749 section 5.2, RFC 8628 section 3.5). Its words are shown unless they hold a
    /// secret.
    pub(super) fn failure<T>(
        &self,
        error: RequestTokenError<HttpError, StandardErrorResponse<T>>,
        secrets: &[&SecretString],
    ) -> OAuthError
    where
        T: ErrorResponseType + AsRef<str> + fmt::Display + 'static,
    {
        let provider = self.provider.clone();
        match error {
            RequestTokenError::ServerResponse(answer) => {
                let words = answer.error_description().map(String::as_str).unwrap_or_default();
                OAuthError::told(provider, answer.error().as_ref(), words, secrets)
            }
            RequestTokenError::Request(error) => OAuthError::Unreached { provider, why: error.to_string() },
            // both may quote the answer
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => OAuthError::Garbled { provider },
        }
    }
}

/// The tokens of an answer that came after this instant.
pub(super) fn tokens(answer: &BasicTokenResponse, now: DateTime<Utc>) -> Tokens {
    let lifetime = answer.expires_in().and_then(|time| TimeDelta::from_std(time).ok());
    Tokens {
        access: answer.access_token().secret().as_str().into(),
        until: lifetime.and_then(|time| now.checked_add_signed(time)),
        refresh: answer.refresh_token().map(|token| token.secret().as_str().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go_over_https_or_stay_on_this_machine() {
        for good in
            ["https://login.example.org/token", "http://127.0.0.1:8080/t", "http://localhost/t", "http://[::1]/t"]
        {
            assert!(Endpoint::parse(good).is_some(), "{good}");
        }
        for bad in [
            "http://login.example.org/token",
            "ftp://127.0.0.1/",
            "login.example.org",
            "https://",
            "http://127.0.0.1.example.org/",
        ] {
            assert!(Endpoint::parse(bad).is_none(), "{bad}");
        }
    }
}
