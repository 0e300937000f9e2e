//! A login in the browser of this machine, which comes back to a port of it (RFC 8252 section 7.3), with proof that who began it ends it
//! (PKCE, RFC 7636).
//!
//! What comes to the port may come from any page or program: only what repeats the state of this login is believed, all else is
//! answered and forgotten.

use std::borrow::Cow;
use std::net::Ipv4Addr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use oauth2::url::Url;
use oauth2::{AuthUrl, AuthorizationCode, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::client::{Client, Tokens, tokens};
use super::error::OAuthError;
use crate::io::http;

/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a connection may take to say what it wants.
const REQUEST: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
const LONGEST: usize = 16 << 10;

/// What nobody can guess, for one login.
#[derive(Debug)]
pub struct Random {
    /// What the browser brings back, of any characters that may stand in an address.
    pub state: String,
    /// What proves to the provider that the login is ours: 43 to 128 letters, digits, `-`, `.`, `_` or `~` (RFC 7636 section 4.1).
    pub verifier: SecretString,
}

/// A login that has begun, and the port that the browser comes back to.
#[derive(Debug)]
pub struct Browser {
    listener: TcpListener,
    link: Url,
    redirect: RedirectUrl,
    random: Random,
}

impl Browser {
    /// The page to open.
    pub fn link(&self) -> &str {
        self.link.as_str()
    }

    /// The port that the browser comes back to.
    pub fn port(&self) -> u16 {
        self.listener.local_addr().map(|address| address.port()).unwrap_or_default()
    }
}

/// What the browser brought back.
#[derive(Debug, PartialEq, Eq)]
enum Brought {
    /// What tokens are given for.
    Code(String),
    /// Why there is none: the code of the trouble, and words.
    Trouble(String, String),
}

impl Client {
    /// Begins a login in the browser; `port` 0 is any free one. The provider is told whose login it shall be, which it may propose.
    ///
    /// # Errors
    /// [`OAuthError`] where the provider has no page for it, or the port cannot be had.
    pub async fn browser(&self, account: &str, port: u16, random: Random) -> Result<Browser, OAuthError> {
        let Some(page) = &self.authorization else {
            let (provider, way) = (self.provider.clone(), "the browser");
            let help = "log in by a code: `amici login --device`";
            return Err(OAuthError::NoSuchWay { provider, way, help });
        };
        let taken = |why| OAuthError::Listen { port, why };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(taken)?;
        let free = listener.local_addr().map_err(taken)?.port();
        // without a path: Microsoft compares it, but for the port, with what is registered
        let redirect = RedirectUrl::new(format!("http://{}:{free}", self.here)).map_err(|_| self.garbled())?;
        let basic = self.basic().await?.set_auth_uri(AuthUrl::from_url(page.0.clone()));
        let verifier = PkceCodeVerifier::new(random.verifier.expose_secret().to_owned());
        let mut request = basic
            .authorize_url(|| CsrfToken::new(random.state.clone()))
            .add_scopes(self.scopes())
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .set_redirect_uri(Cow::Borrowed(&redirect))
            .add_extra_param("login_hint", account);
        for (name, value) in &self.more {
            request = request.add_extra_param(name.as_str(), value.as_str());
        }
        let (link, _) = request.url();
        Ok(Browser { listener, link, redirect, random })
    }

    /// Waits until the browser comes back, ten minutes at most, and gets the tokens.
    ///
    /// # Errors
    /// [`OAuthError::TooLate`], [`OAuthError::Denied`], or what the provider says to the code.
    pub async fn came_back(&self, browser: Browser, now: DateTime<Utc>) -> Result<Tokens, OAuthError> {
        let Browser { listener, redirect, random, .. } = browser;
        let brought = timeout(PATIENCE, brought(listener, &random.state)).await;
        let too_late = |_| OAuthError::TooLate { provider: self.provider.clone() };
        let code = match brought.map_err(too_late)? {
            Some(Brought::Code(code)) => code,
            Some(Brought::Trouble(code, words)) => {
                return Err(OAuthError::told(self.provider.clone(), &code, &words, &[]));
            }
            None => return Err(self.garbled()),
        };
        let basic = self.basic().await?;
        let secrets = [&random.verifier, &SecretString::from(code.as_str())];
        let answer = basic
            .exchange_code(AuthorizationCode::new(code.clone()))
            .set_redirect_uri(Cow::Borrowed(&redirect))
            .set_pkce_verifier(PkceCodeVerifier::new(random.verifier.expose_secret().to_owned()))
            .request_async(&http::send)
            .await;
        answer.map(|answer| tokens(&answer, now)).map_err(|error| self.failure(error, &secrets))
    }

    fn garbled(&self) -> OAuthError {
        OAuthError::Garbled { provider: self.provider.clone() }
    }
}

/// The first that comes back with this state. Each connection has a task of its own: a browser opens some that it leaves idle.
async fn brought(listener: TcpListener, state: &str) -> Option<Brought> {
    let (sender, mut first) = mpsc::channel(1);
    loop {
        tokio::select! {
            found = first.recv() => return found,
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let (sender, state) = (sender.clone(), state.to_owned());
                tokio::spawn(async move {
                    if let Ok(Some(found)) = timeout(REQUEST, answered(stream, &state)).await {
                        let _ = sender.send(found).await;
                    }
                });
            }
        }
    }
}

/// Reads one request and answers it; gives what it brought, if it belongs to this login.
async fn answered(mut stream: TcpStream, state: &str) -> Option<Brought> {
    let mut head = Vec::new();
    let mut part = [0; 2048];
    while !head.windows(4).any(|four| four == b"\r\n\r\n") && head.len() < LONGEST {
        match stream.read(&mut part).await {
            Ok(length @ 1..) => head.extend_from_slice(part.get(..length)?),
            _ => return None,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let target = head.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let (status, words, found) = match read(target, state) {
        Ok(Some(Brought::Code(code))) => (
            "200 OK",
            "You can close this page: amici says in its own window whether the login succeeded.",
            Some(Brought::Code(code)),
        ),
        Ok(Some(trouble)) => {
            ("200 OK", "There was no login: amici says why in its own window. You can close this page.", Some(trouble))
        }
        Ok(None) => ("404 Not Found", "There is nothing here.", None),
        Err(Foreign) => (
            "400 Bad Request",
            "This belongs to no login that amici waits for. Begin anew with the link that amici shows now.",
            None,
        ),
    };
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>amici</title><p>{words}</p>\n");
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Referrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    // who does not read it has brought it all the same
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
    found
}

/// What comes with the state of another login, or with none.
#[derive(Debug, PartialEq, Eq)]
struct Foreign;

/// What a request's target brings (RFC 6749 section 4.1.2); nothing where it is not about a login.
fn read(target: &str, state: &str) -> Result<Option<Brought>, Foreign> {
    let Some(url) = target.starts_with('/').then(|| Url::parse(&format!("http://localhost{target}")).ok()).flatten()
    else {
        return Ok(None);
    };
    let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let found = match (value("code"), value("error")) {
        (_, Some(error)) => Brought::Trouble(error, value("error_description").unwrap_or_default()),
        (Some(code), None) => Brought::Code(code),
        (None, None) => return Ok(None),
    };
    if value("state").as_deref() == Some(state) { Ok(Some(found)) } else { Err(Foreign) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_repeats_the_state_is_believed() {
        let code = || Ok(Some(Brought::Code("a/b c".to_owned())));
        assert_eq!(read("/?code=a%2Fb+c&state=s1", "s1"), code());
        assert_eq!(read("/?state=s1&code=a%2Fb%20c&session_state=x", "s1"), code());
        assert_eq!(read("/?code=x&state=s2", "s1"), Err(Foreign));
        assert_eq!(read("/?code=x", "s1"), Err(Foreign));
        assert_eq!(read("/?error=access_denied&state=s2", "s1"), Err(Foreign));
        let denied = Brought::Trouble("access_denied".to_owned(), "no".to_owned());
        assert_eq!(read("/?error=access_denied&error_description=no&state=s1", "s1"), Ok(Some(denied)));
        for other in ["/favicon.ico", "/", "", "*", "http://example.org/?code=x&state=s1"] {
            assert_eq!(read(other, "s1"), Ok(None), "{other}");
        }
    }
}
