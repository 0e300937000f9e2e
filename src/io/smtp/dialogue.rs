//! Question and answer with an SMTP server, each with its time limit.
//!
//! Works over plain TCP (up to STARTTLS) and over TLS alike. Knows the commands, not what they are for.
//! Surprise: a server that says anything unasked ends the dialogue: an answer read ahead would be taken for the answer to
//! the next command, and one injected before TLS for an answer inside it.

use std::fmt::Display;
use std::io::ErrorKind;
use std::time::Duration;

use futures_util::FutureExt;
use lettre::Address;
use lettre::transport::smtp::commands::{Data, Mail, Quit, Rcpt};
use lettre::transport::smtp::extension::{MailBodyParameter, MailParameter};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::super::bearer::Mechanism;
use super::super::tls::Stream;
use super::error::clean;
use super::wire::Credentials;
use super::{Limits, Relay, SmtpError, Step};

/// The longest line of an answer, in bytes (RFC 5321 section 4.5.3.1.5 says 512; Postfix takes 1000).
const LONGEST_ANSWER_LINE: u64 = 1000;
/// The most lines of an answer; a long EHLO has twenty.
const MOST_ANSWER_LINES: usize = 100;

/// An answer of the server, of one line or more (RFC 5321 section 4.2).
pub(super) struct Answer {
    code: u16,
    lines: Vec<String>,
}

impl Answer {
    /// Whether this EHLO answer has the extension; keywords are case-insensitive (RFC 5321 section 2.4).
    pub(super) fn offers(&self, extension: &str) -> bool {
        self.parameters(extension).is_some()
    }

    fn parameters(&self, extension: &str) -> Option<impl Iterator<Item = &str>> {
        // The first line is the server's name and its welcome.
        self.lines.iter().skip(1).find_map(|line| {
            let mut words = line.split_ascii_whitespace();
            words.next()?.eq_ignore_ascii_case(extension).then_some(words)
        })
    }
}

/// Question and answer over one stream.
pub(super) struct Dialogue<S> {
    stream: BufReader<S>,
    pub(super) server: String,
    pub(super) limits: Limits,
    /// What must not be quoted, should the server repeat it.
    pub(super) hidden: Vec<SecretString>,
}

impl<S: Stream> Dialogue<S> {
    pub(super) fn new(stream: S, relay: &Relay) -> Self {
        Self { stream: BufReader::new(stream), server: relay.host.clone(), limits: relay.limits, hidden: Vec::new() }
    }

    pub(super) async fn greeting(&mut self) -> Result<(), SmtpError> {
        self.answer(Step::Greeting, &[2], self.limits.command).await.map(drop)
    }

    /// The stream for the TLS handshake, if the server's answer to STARTTLS was the last it said. What it says later meets
    /// the handshake, which takes no plaintext.
    pub(super) fn into_silent_stream(self) -> Result<S, SmtpError> {
        if self.stream.buffer().is_empty() {
            Ok(self.stream.into_inner())
        } else {
            Err(SmtpError::Injected { server: self.server })
        }
    }

    pub(super) async fn login(&mut self, login: &Credentials<'_>, offers: &Answer) -> Result<(), SmtpError> {
        let offered: Vec<&str> = offers.parameters("AUTH").map(Iterator::collect).unwrap_or_default();
        let can = |name: &str| offered.iter().any(|word| word.eq_ignore_ascii_case(name));
        if can("PLAIN") {
            let (command, secret) = login.plain();
            self.auth(command, secret, 2).await
        } else if can("LOGIN") {
            // Name, then password: the prompts differ between servers, their order does not.
            let [user, password] = login.login();
            self.command(Step::Login, "AUTH LOGIN\r\n", 3).await?;
            self.auth("", user, 3).await?;
            self.auth("", password, 2).await
        } else {
            Err(SmtpError::NoLogin { server: self.server.clone() })
        }
    }

    /// By the mechanism for tokens that the server offers. One that refuses may say why in a challenge first (RFC 7628 section 3.2.3).
    pub(super) async fn login_by_token(
        &mut self,
        login: &Credentials<'_>,
        port: u16,
        offers: &Answer,
    ) -> Result<(), SmtpError> {
        let offered: Vec<&str> = offers.parameters("AUTH").map(Iterator::collect).unwrap_or_default();
        let Some(mechanism) = Mechanism::of(|name| offered.iter().any(|word| word.eq_ignore_ascii_case(name))) else {
            return Err(SmtpError::NoTokens { server: self.server.clone() });
        };
        let secret = login.bearer(mechanism, (&self.server, port));
        let line = Zeroizing::new(["AUTH ", mechanism.name(), " ", secret.expose_secret(), "\r\n"].concat());
        self.hidden.push(secret);
        self.quiet(Step::Token).await?;
        let limit = self.limits.command;
        let answer = self.exchange_any(Step::Token, line.as_bytes(), &[2, 3], limit, limit).await?;
        if answer.code / 100 == 2 {
            return Ok(());
        }
        self.command(Step::Token, [mechanism.last(), "\r\n"].concat(), 2).await.map(drop)
    }

    async fn auth(&mut self, command: &str, secret: SecretString, wanted: u16) -> Result<(), SmtpError> {
        let line = Zeroizing::new([command, secret.expose_secret(), "\r\n"].concat());
        self.hidden.push(secret);
        self.quiet(Step::Login).await?;
        let limit = self.limits.command;
        self.exchange(Step::Login, line.as_bytes(), wanted, limit, limit).await.map(drop)
    }

    pub(super) async fn envelope(
        &mut self,
        from: Address,
        to: Vec<Address>,
        ascii: bool,
        offers: &Answer,
    ) -> Result<(), SmtpError> {
        let parameters = match (ascii, offers.offers("8BITMIME")) {
            (true, _) => Vec::new(),
            (false, true) => vec![MailParameter::Body(MailBodyParameter::EightBitMime)],
            (false, false) => {
                return Err(SmtpError::NoEightBit { server: self.server.clone() });
            }
        };
        self.command(Step::Sender, Mail::new(Some(from), parameters), 2).await?;
        for to in to {
            self.command(Step::Recipient, Rcpt::new(to, Vec::new()), 2).await?;
        }
        self.command(Step::Data, Data, 3).await.map(drop)
    }

    /// Takes leave without waiting for the answer: each moment until the caller has noted that the mail is sent is one in
    /// which a crash leaves doubt.
    pub(super) async fn goodbye(&mut self) {
        let leave = async {
            self.stream.write_all(Quit.to_string().as_bytes()).await?;
            self.stream.shutdown().await
        };
        // Whatever happens to it, the outcome of the mail stands already.
        let _ = timeout(Duration::from_secs(1), leave).await;
    }

    /// Gives `error` back, after a goodbye to a server that has said no. One that hung up or fell silent is left alone.
    pub(super) async fn give_up(mut self, error: SmtpError) -> SmtpError {
        if let SmtpError::Refused { .. } = error {
            self.goodbye().await;
        }
        error
    }

    pub(super) async fn command(
        &mut self,
        step: Step,
        command: impl Display,
        wanted: u16,
    ) -> Result<Answer, SmtpError> {
        self.quiet(step).await?;
        let limit = self.limits.command;
        self.exchange(step, command.to_string().as_bytes(), wanted, limit, limit).await
    }

    /// Errs when the server has said something, or hung up, though it is our turn: an answer read ahead would be taken for
    /// the answer to the next command.
    pub(super) async fn quiet(&mut self, step: Step) -> Result<(), SmtpError> {
        if self.stream.fill_buf().now_or_never().is_none() {
            return Ok(());
        }
        // "421 going down" is such a word, and worth quoting.
        self.answer(step, &[2], self.limits.command).await?;
        Err(SmtpError::OutOfTurn { server: self.server.clone(), step })
    }

    pub(super) async fn exchange(
        &mut self,
        step: Step,
        words: &[u8],
        wanted: u16,
        sending: Duration,
        answering: Duration,
    ) -> Result<Answer, SmtpError> {
        self.exchange_any(step, words, &[wanted], sending, answering).await
    }

    async fn exchange_any(
        &mut self,
        step: Step,
        words: &[u8],
        wanted: &[u16],
        sending: Duration,
        answering: Duration,
    ) -> Result<Answer, SmtpError> {
        let send = async {
            self.stream.write_all(words).await?;
            self.stream.flush().await
        };
        match timeout(sending, send).await {
            Ok(Ok(())) => self.answer(step, wanted, answering).await,
            Ok(Err(error)) => Err(self.cut(step, error.kind())),
            Err(_) => Err(self.silent(step, sending)),
        }
    }

    /// The server's answer, whose code must begin with a digit of `wanted` (RFC 5321 section 4.2.1: the first decides).
    async fn answer(&mut self, step: Step, wanted: &[u16], limit: Duration) -> Result<Answer, SmtpError> {
        let answer = match timeout(limit, self.read_answer(step)).await {
            Ok(answer) => answer?,
            Err(_) => return Err(self.silent(step, limit)),
        };
        match answer.code / 100 {
            first if wanted.contains(&first) => Ok(answer),
            4 | 5 => Err(SmtpError::Refused {
                server: self.server.clone(),
                step,
                code: answer.code,
                said: self.quoted(&answer),
            }),
            _ => Err(self.garbled(step)),
        }
    }

    async fn read_answer(&mut self, step: Step) -> Result<Answer, SmtpError> {
        let mut answer = Answer { code: 0, lines: Vec::new() };
        while answer.lines.len() < MOST_ANSWER_LINES {
            let mut line = Vec::new();
            let read = (&mut self.stream).take(LONGEST_ANSWER_LINE).read_until(b'\n', &mut line).await;
            match read {
                Err(error) => return Err(self.cut(step, error.kind())),
                Ok(read) if line.ends_with(b"\n") || read as u64 == LONGEST_ANSWER_LINE => {}
                Ok(_) => {
                    return Err(SmtpError::Closed { server: self.server.clone(), step });
                }
            }
            let Some((code, more, text)) = answer_line(&line) else {
                break;
            };
            if !answer.lines.is_empty() && answer.code != code {
                break;
            }
            answer.code = code;
            answer.lines.push(text);
            if !more {
                return Ok(answer);
            }
        }
        Err(self.garbled(step))
    }

    /// The server's words on one line, harmless in a log: no control characters, no secret of ours, not too long.
    pub(super) fn quoted(&self, answer: &Answer) -> String {
        let words = answer.lines.join(" ");
        let words = self.hidden.iter().fold(words, |words, secret| words.replace(secret.expose_secret(), "[removed]"));
        clean(&words)
    }

    fn cut(&self, step: Step, why: ErrorKind) -> SmtpError {
        let server = self.server.clone();
        SmtpError::Cut { server, step, why }
    }

    fn silent(&self, step: Step, limit: Duration) -> SmtpError {
        SmtpError::Silent { server: self.server.clone(), step, seconds: limit.as_secs() }
    }

    fn garbled(&self, step: Step) -> SmtpError {
        let server = self.server.clone();
        SmtpError::Garbled { server, step }
    }
}

/// Code, whether more lines follow, and text of a line: `250-text`, `250 text`, and also `250` alone (RFC 5321 section 4.2).
fn answer_line(line: &[u8]) -> Option<(u16, bool, String)> {
    let line = line.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (digits, rest) = line.split_at_checked(3)?;
    let code: u16 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let (more, text) = match rest {
        [] => (false, rest),
        [b' ', text @ ..] => (false, text),
        [b'-', text @ ..] => (true, text),
        _ => return None,
    };
    Some((code, more, String::from_utf8_lossy(text).into_owned()))
}
