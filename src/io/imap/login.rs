//! The greeting and the login: who gets the password, and what a refusal means.

use async_imap::imap_proto::{Capability, Outcome, Response, ResponseCode, Status};
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpStream;

use super::Account;
use super::error::ImapError;
use super::syntax::Arguments;
use super::wire::{Patience, Verb, Wire, names};
use crate::io::bearer::{Mechanism, Way};
use crate::io::tls::TlsStream;

/// What the server does before a password is sent.
const GREETING: &str = "the greeting";

impl Wire {
    /// Reads the greeting and logs in.
    pub(super) async fn log_in(
        stream: TlsStream<TcpStream>,
        account: &Account,
        password: &SecretString,
    ) -> Result<Self, ImapError> {
        let mut wire = Self::new(stream, account.limits);
        wire.greet(account).await?;
        let outcome = match account.way {
            Way::Password => {
                let arguments = Arguments::none().string(&account.user).string(password.expose_secret());
                wire.ask(Verb::Login, arguments, &mut |_| {}, Patience::of(account.limits.login)).await
            }
            Way::Token => wire.log_in_by_token(account, password).await,
        };
        match outcome {
            Ok(()) => Ok(wire),
            Err(error) => Err(explain_login(error, account, password)),
        }
    }

    /// By the mechanism for tokens that the server offers.
    async fn log_in_by_token(&mut self, account: &Account, token: &SecretString) -> Result<(), ImapError> {
        let patience = Patience::of(account.limits.login);
        let mut offered = Vec::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::Capabilities(list) = response {
                offered.extend(list.iter().filter_map(|one| match one {
                    Capability::Auth(name) => Some(name.to_ascii_uppercase()),
                    _ => None,
                }));
            }
        };
        self.ask(Verb::Capability, Arguments::none(), &mut heard, patience).await?;
        let Some(mechanism) = Mechanism::of(|name| offered.iter().any(|one| one == name)) else {
            return Err(ImapError::NoTokens { host: account.host.clone() });
        };
        let first = mechanism.first(&account.user, (&account.host, account.port), token);
        let arguments = Arguments::none().plain(mechanism.name()).answer(first.expose_secret().as_bytes());
        self.authenticate(arguments, mechanism.last(), patience).await
    }

    /// The greeting must be an OK: a PREAUTH would mean that somebody else is logged in, or a machine in the middle.
    async fn greet(&mut self, account: &Account) -> Result<(), ImapError> {
        let host = || account.host.clone();
        let mut verdict = Err(ImapError::Garbled { command: GREETING });
        let mut heard = |response: &Response<'_>| {
            verdict = match response {
                Response::Data { status: Status::Ok, outcome }
                    if account.way == Way::Password && disables_login(outcome) =>
                {
                    Err(ImapError::LoginDisabled { host: host() })
                }
                Response::Data { status: Status::Ok, .. } => Ok(()),
                Response::Data { status: Status::PreAuth, .. } => Err(ImapError::PreAuth { host: host() }),
                _ => Err(ImapError::Garbled { command: GREETING }),
            };
        };
        self.next(GREETING, "", &mut heard, Patience::of(self.limits.login)).await?;
        verdict
    }
}

/// RFC 3501 section 6.2.3: who is told LOGINDISABLED must not send a password.
fn disables_login(greeting: &Outcome<'_>) -> bool {
    match &greeting.code {
        Some(ResponseCode::Capabilities(list)) => list.iter().any(|one| names(one, "LOGINDISABLED")),
        _ => false,
    }
}

/// A refusal is the player's matter unless the server says by its code that it will pass. Some servers repeat the command
/// in their complaint, so words that hold the password are dropped.
fn explain_login(mut error: ImapError, account: &Account, password: &SecretString) -> ImapError {
    if let ImapError::No { said, .. } | ImapError::Bad { said, .. } | ImapError::Bye { said, .. } = &mut error
        && said.words.contains(password.expose_secret())
    {
        said.words.clear();
    }
    match error {
        ImapError::No { said, .. } if !said.will_pass() && account.way == Way::Token => {
            ImapError::BadToken { user: account.user.clone(), host: account.host.clone(), said }
        }
        ImapError::No { said, .. } if !said.will_pass() => {
            ImapError::BadLogin { user: account.user.clone(), host: account.host.clone(), said }
        }
        other => other,
    }
}
