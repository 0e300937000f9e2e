//! The greeting and the login: who gets the password, and what a refusal means.

use async_imap::imap_proto::{Outcome, Response, ResponseCode, Status};
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpStream;

use super::Account;
use super::error::ImapError;
use super::syntax::Arguments;
use super::wire::{Patience, Verb, Wire, names};
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
        wire.greet(&account.host).await?;
        let arguments = Arguments::none().string(&account.user).string(password.expose_secret());
        let patience = Patience::of(account.limits.login);
        match wire.ask(Verb::Login, arguments, &mut |_| {}, patience).await {
            Ok(()) => Ok(wire),
            Err(error) => Err(explain_login(error, account, password)),
        }
    }

    /// The greeting must be an OK: a PREAUTH would mean that somebody else is logged in, or a machine in the middle.
    async fn greet(&mut self, host: &str) -> Result<(), ImapError> {
        let host = || host.to_owned();
        let mut verdict = Err(ImapError::Garbled { command: GREETING });
        let mut heard = |response: &Response<'_>| {
            verdict = match response {
                Response::Data { status: Status::Ok, outcome } if disables_login(outcome) => {
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
        ImapError::No { said, .. } if !said.will_pass() => {
            ImapError::BadLogin { user: account.user.clone(), host: account.host.clone(), said }
        }
        other => other,
    }
}
