//! Mails over SMTP, one after the other on one connection, step by step, so that sent, not sent and unknown are told apart.
//!
//! May talk to the configured server. Must not choose a recipient, build text, retry, or log.
//! lettre supplies the commands. The dialogue is our own, since lettre's has no time limits, adds an empty line to the mail,
//! and takes what a server says unasked, or a stranger before TLS begins, for the answer to the next command.
//! Not covered: SMTPUTF8 addresses, pipelining. A mail goes to all its recipients or to none.
//! Surprise: a server that quotes our mail in its refusal is quoted with it; only the password is kept out.

mod dialogue;
mod error;
mod wire;

use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::commands::{Ehlo, Rset, Starttls};
use secrecy::SecretString;
use tokio::net::TcpStream;

use super::bearer::Way;
use super::tls::{self, TlsError, TlsStream, Trust};
use dialogue::{Answer, Dialogue};
pub use error::{SmtpError, Step};
use wire::{address, client_id, credentials, on_the_wire};

/// A submission server and how to use it.
#[derive(Debug, Clone)]
pub struct Relay {
    /// DNS name or IP address; its certificate must carry it.
    pub host: String,
    /// Usually 465 (`Implicit`) or 587 (`StartTls`).
    pub port: u16,
    /// When the encryption begins.
    pub security: Security,
    /// The login name; None for a server that asks for none.
    pub user: Option<String>,
    /// What the secret is.
    pub way: Way,
    /// What we call ourselves in EHLO: a domain or an IP address.
    pub hello: String,
    /// Whose certificates are believed.
    pub trust: Trust,
    /// How long each step may take.
    pub limits: Limits,
}

/// When the encryption begins. There is no way without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// With the first byte (RFC 8314 section 3.3), the better choice.
    Implicit,
    /// After a plaintext EHLO and STARTTLS (RFC 3207), for the providers that offer nothing else.
    StartTls,
}

/// How long each step may take before the connection is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connecting, and again the TLS handshake.
    pub connect: Duration,
    /// A command with its answer, and the greeting.
    pub command: Duration,
    /// Writing the mail.
    pub body: Duration,
    /// The answer to the final dot. The longest, since a mail given up here may still arrive.
    pub verdict: Duration,
}

impl Default for Limits {
    /// The minimum times of RFC 5321 section 4.5.3.2.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(30),
            command: Duration::from_secs(5 * 60),
            body: Duration::from_secs(3 * 60),
            verdict: Duration::from_secs(10 * 60),
        }
    }
}

/// What became of a mail whose body was begun.
#[derive(Debug)]
#[must_use]
pub enum Delivery {
    /// The server has answered the final dot with 2xx: the mail is its responsibility.
    Sent {
        /// Its words, often with its queue number; cleaned and cut.
        said: String,
    },
    /// The server has refused the mail, or none of it was sent: sending it again doubles nothing.
    NotSent(SmtpError),
    /// The connection failed after the first byte of the body: the mail may have arrived (RFC 1047).
    Unknown(SmtpError),
}

/// A mail that may go over the wire, with its envelope: checked before there is a connection.
#[derive(Debug, Clone)]
pub struct Parcel {
    from: Address,
    to: Vec<Address>,
    wire: Vec<u8>,
    ascii: bool,
}

impl Parcel {
    /// Packs a mail.
    ///
    /// # Errors
    /// `BadAddress` and `BadMail`.
    pub fn new(from: &str, to: &[&str], bytes: &[u8]) -> Result<Parcel, SmtpError> {
        let to = to.iter().map(|to| address(to)).collect::<Result<Vec<_>, _>>()?;
        Ok(Parcel { from: address(from)?, to, wire: on_the_wire(bytes)?, ascii: bytes.is_ascii() })
    }
}

/// A connection that is logged in and between two mails. It is passed along: whatever does not come to a clean end keeps it, and it is
/// closed with it.
#[must_use]
pub struct Session {
    talk: Dialogue<TlsStream<TcpStream>>,
    offers: Answer,
}

/// A server that has said `354` and waits for the body. Dropped, it gets none, and nothing is sent.
#[must_use]
pub struct Ready {
    session: Session,
    wire: Vec<u8>,
}

/// Why a server would not have a mail; none of it was sent.
#[derive(Debug)]
pub struct Refusal {
    /// The trouble.
    pub error: SmtpError,
    /// The connection, where the trouble is the mail's alone.
    pub session: Option<Session>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("server", &self.talk.server).finish_non_exhaustive()
    }
}

impl Session {
    /// Connects, checks who the server is, and logs in.
    ///
    /// # Errors
    /// `SmtpError`.
    pub async fn open(relay: &Relay, password: Option<&SecretString>) -> Result<Session, SmtpError> {
        let (talk, offers) = log_in(relay, password).await?;
        Ok(Session { talk, offers })
    }

    /// Everything up to the server's `354`; after this the caller notes durably that the body is about to go out, and then
    /// calls [`Ready::send`].
    ///
    /// # Errors
    /// [`Refusal`]; the mail was not sent.
    pub async fn offer(mut self, parcel: Parcel) -> Result<Ready, Refusal> {
        let Parcel { from, to, wire, ascii } = parcel;
        match self.talk.envelope(from, to, ascii, &self.offers).await {
            Ok(()) => Ok(Ready { session: self, wire }),
            Err(error) => Err(self.refused(error).await),
        }
    }

    /// After a refusal that concerns the mail alone the server forgets its envelope (RFC 5321 section 4.1.1.5), and takes the next.
    async fn refused(mut self, error: SmtpError) -> Refusal {
        if !error.is_of_the_mail() {
            return Refusal { error: self.talk.give_up(error).await, session: None };
        }
        let forgotten = self.talk.command(Step::Reset, Rset, 2).await;
        Refusal { error, session: forgotten.is_ok().then_some(self) }
    }

    /// Takes leave.
    pub async fn close(mut self) {
        self.talk.goodbye().await;
    }
}

impl Ready {
    /// Sends the body, and says what became of it; with the connection, where it takes another mail. Dropping the future leaves
    /// unknown whether the mail was sent.
    pub async fn send(mut self) -> (Delivery, Option<Session>) {
        let talk = &mut self.session.talk;
        // The caller may have taken its time: a server that hung up meanwhile, or answers before it is asked, gets nothing.
        if let Err(error) = talk.quiet(Step::Body).await {
            return (Delivery::NotSent(error), None);
        }
        let limits = talk.limits;
        match talk.exchange(Step::Body, &self.wire, 2, limits.body, limits.verdict).await {
            Ok(answer) => {
                let said = talk.quoted(&answer);
                (Delivery::Sent { said }, Some(self.session))
            }
            // whatever it says to the final dot, the mail is over
            Err(error @ SmtpError::Refused { .. }) if error.is_of_the_mail() => {
                (Delivery::NotSent(error), Some(self.session))
            }
            Err(error @ SmtpError::Refused { .. }) => (Delivery::NotSent(self.session.talk.give_up(error).await), None),
            Err(error) => (Delivery::Unknown(error), None),
        }
    }
}

/// The server can be reached, proves who it is, and takes the password. Sends no mail.
///
/// # Errors
/// `SmtpError`.
pub async fn check(relay: &Relay, password: Option<&SecretString>) -> Result<(), SmtpError> {
    let (mut talk, _) = log_in(relay, password).await?;
    talk.goodbye().await;
    Ok(())
}

async fn log_in(
    relay: &Relay,
    password: Option<&SecretString>,
) -> Result<(Dialogue<TlsStream<TcpStream>>, Answer), SmtpError> {
    let hello = Ehlo::new(client_id(&relay.hello)?);
    let login = credentials(relay.user.as_deref(), password)?;
    let limit = relay.limits.connect;
    let config = tls::client_config(&relay.trust)?;
    let tcp = tls::dial(&relay.host, relay.port, limit).await?;
    let mut talk = match relay.security {
        Security::Implicit => {
            let stream = tls::handshake(config, &relay.host, tcp, limit).await.map_err(|error| match error {
                TlsError::NotTls { host } => SmtpError::StartsPlain { server: host, port: relay.port },
                other => other.into(),
            })?;
            let mut talk = Dialogue::new(stream, relay);
            talk.greeting().await?;
            talk
        }
        Security::StartTls => {
            let mut plain = Dialogue::new(tcp, relay);
            plain.greeting().await.map_err(|error| match error {
                SmtpError::Silent { server, .. } => SmtpError::StartsEncrypted { server, port: relay.port },
                other => other,
            })?;
            if !plain.command(Step::Ehlo, &hello, 2).await?.offers("STARTTLS") {
                let server = plain.server;
                return Err(SmtpError::NoStartTls { server });
            }
            plain.command(Step::StartTls, Starttls, 2).await?;
            let tcp = plain.into_silent_stream()?;
            // What was offered in plaintext is forgotten here (RFC 3207 section 4.2); there is no second greeting.
            Dialogue::new(tls::handshake(config, &relay.host, tcp, limit).await?, relay)
        }
    };
    let offers = talk.command(Step::Ehlo, &hello, 2).await?;
    if let Some(login) = login {
        talk.hidden.extend(password.cloned());
        let logged_in = match relay.way {
            Way::Password => talk.login(&login, &offers).await,
            Way::Token => talk.login_by_token(&login, relay.port, &offers).await,
        };
        if let Err(error) = logged_in {
            return Err(talk.give_up(error).await);
        }
    }
    Ok((talk, offers))
}
