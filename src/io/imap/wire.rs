//! One encrypted IMAP connection, strictly: every command ends in its own tagged OK, or in an error.
//!
//! async-imap frames and parses what comes in. What goes out is written here, beside its command methods: those take a
//! NO, a BAD and a closed connection for an empty answer, know no deadlines, and log the LOGIN line at level trace.
//! After any error but `No` the connection is in doubt and must be dropped; the caller sees to that, and to panics of the
//! parser.
//! Surprise: deadlines are about progress. Bytes that arrive keep a slow answer alive, up to a total.

use std::time::Duration;

use async_imap::Client;
use async_imap::imap_proto::{Capability, MailboxDatum, Outcome, Response, ResponseCode, Status};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::drafts::Change;
use super::error::{ImapError, Said};
use super::meter::{Excess, Metered};
use super::syntax::{Arguments, joined};
use super::{IdleEnd, Limits};
use crate::io::tls::TlsStream;

/// All that is ever asked of a server, LOGOUT apart. None of it can change a mailbox but a `Change`, which only `drafts` can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Capability,
    Login,
    Authenticate,
    List,
    Examine,
    Search,
    Fetch,
    Idle,
    Change(Change),
}

impl Verb {
    /// Whether it opens a folder.
    fn opens(self) -> bool {
        match self {
            Self::Examine => true,
            Self::Change(change) => change.opens(),
            Self::Capability
            | Self::Login
            | Self::Authenticate
            | Self::List
            | Self::Search
            | Self::Fetch
            | Self::Idle => false,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Capability => "CAPABILITY",
            Self::Login => "LOGIN",
            Self::Authenticate => "AUTHENTICATE",
            Self::List => "LIST",
            Self::Examine => "EXAMINE",
            Self::Search => "UID SEARCH",
            Self::Fetch => "UID FETCH",
            Self::Idle => "IDLE",
            Self::Change(change) => change.text(),
        }
    }
}

/// Takes in the answers to a command, its own tagged one last.
pub(super) type Heard<'a> = &'a mut (dyn FnMut(&Response<'_>) + Send);

/// What one response means for the command that runs.
pub(super) enum Step {
    /// It was untagged, and has been heard.
    Heard,
    /// A `+`: go on.
    Agreed,
    /// The command's own tagged answer.
    Ended(Result<(), ImapError>),
}

/// When to give up, and after how long that is.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    end: Instant,
    limit: Duration,
}

impl Patience {
    pub(super) fn of(limit: Duration) -> Self {
        Self { end: Instant::now() + limit, limit }
    }
}

/// A connection. It can be made of no stream but an encrypted one, so no password can go out in the clear.
pub(super) struct Wire {
    client: Client<Metered<TlsStream<TcpStream>>>,
    pub(super) limits: Limits,
    tags: u32,
    /// The server told of new mail since the folder was examined, perhaps while it answered something else.
    stirred: bool,
}

impl Wire {
    pub(super) fn new(stream: TlsStream<TcpStream>, limits: Limits) -> Self {
        let client = Client::new(Metered::new(stream, limits.literal_bytes));
        Self { client, limits, tags: 0, stirred: false }
    }

    /// Sends a command and hears its answers until its own tagged OK.
    pub(super) async fn command(
        &mut self,
        verb: Verb,
        arguments: Arguments,
        heard: Heard<'_>,
    ) -> Result<(), ImapError> {
        self.ask(verb, arguments, heard, Patience::of(self.limits.total)).await?;
        if verb.opens() {
            // The EXISTS of an EXAMINE is its answer, and whatever was news before is in it.
            self.stirred = false;
        }
        Ok(())
    }

    pub(super) async fn ask(
        &mut self,
        verb: Verb,
        arguments: Arguments,
        heard: Heard<'_>,
        patience: Patience,
    ) -> Result<(), ImapError> {
        let tag = self.send(verb, arguments, patience).await?;
        self.answer(verb, &tag, heard, patience).await
    }

    /// Waits for new mail: at most until `at_most` has passed, whatever keep-alives arrive (RFC 2177), or until `called` ends.
    pub(super) async fn idle(
        &mut self,
        at_most: Duration,
        called: impl Future<Output = ()>,
    ) -> Result<IdleEnd, ImapError> {
        let mut called = std::pin::pin!(called);
        let command = Verb::Idle.text();
        let end = Instant::now() + at_most;
        let agreement = Patience::of(self.limits.silence);
        let tag = self.send(Verb::Idle, Arguments::none(), agreement).await?;
        self.agreed(Verb::Idle, &tag, agreement).await?;
        while !self.stirred {
            let mut heard = |_: &Response<'_>| {};
            let read = tokio::select! {
                read = self.read(command, &tag, &mut heard, end) => read?,
                () = &mut called => None,
            };
            match read {
                None => break,
                Some(Step::Heard) => {}
                Some(Step::Agreed) => return Err(ImapError::Garbled { command }),
                // The server ended it by itself; there is nothing left to end with DONE.
                Some(Step::Ended(outcome)) => return outcome.map(|()| IdleEnd::Changed),
            }
        }
        self.write(command, b"DONE\r\n").await?;
        self.answer(Verb::Idle, &tag, &mut |_| {}, Patience::of(self.limits.idle_done)).await?;
        if std::mem::take(&mut self.stirred) { Ok(IdleEnd::Changed) } else { Ok(IdleEnd::TimedOut) }
    }

    /// Says good-bye and hears the server out, as far as it takes no time.
    pub(super) async fn log_out(mut self) {
        let patience = Patience::of(self.limits.idle_done);
        if self.write("LOGOUT", b"Z LOGOUT\r\n").await.is_ok() {
            while self.next("LOGOUT", "Z", &mut |_| {}, patience).await.is_ok() {}
        }
    }

    /// Logs in by a mechanism of SASL (RFC 3501 section 6.2.2). A challenge after the first answer is the account of a refusal, and gets the
    /// answer for it.
    pub(super) async fn authenticate(
        &mut self,
        arguments: Arguments,
        last: &str,
        patience: Patience,
    ) -> Result<(), ImapError> {
        let command = Verb::Authenticate.text();
        let tag = self.send(Verb::Authenticate, arguments, patience).await?;
        let mut is_refused = false;
        loop {
            match self.next(command, &tag, &mut |_| {}, patience).await? {
                Step::Heard => {}
                Step::Agreed if !is_refused => {
                    is_refused = true;
                    self.write(command, &joined(&[last.as_bytes(), b"\r\n"])).await?;
                }
                Step::Agreed => return Err(ImapError::Garbled { command }),
                Step::Ended(outcome) => return outcome,
            }
        }
    }

    async fn send(&mut self, verb: Verb, arguments: Arguments, patience: Patience) -> Result<String, ImapError> {
        self.tags += 1;
        let tag = format!("A{}", self.tags);
        self.client.get_mut().count_anew();
        for (position, piece) in arguments.pieces().into_iter().enumerate() {
            if position == 0 {
                self.write(verb.text(), &joined(&[tag.as_bytes(), b" ", verb.text().as_bytes(), &piece])).await?;
            } else {
                self.agreed(verb, &tag, patience).await?;
                self.write(verb.text(), &piece).await?;
            }
        }
        Ok(tag)
    }

    async fn write(&mut self, command: &'static str, bytes: &[u8]) -> Result<(), ImapError> {
        let stream = self.client.get_mut();
        let written = timeout(self.limits.silence, async {
            stream.write_all(bytes).await?;
            stream.flush().await
        });
        match written.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(ImapError::Lost { command }),
            Err(_) => Err(ImapError::Deadline { command, seconds: self.limits.silence.as_secs() }),
        }
    }

    /// Waits for the `+` that lets us go on.
    async fn agreed(&mut self, verb: Verb, tag: &str, patience: Patience) -> Result<(), ImapError> {
        let command = verb.text();
        loop {
            match self.next(command, tag, &mut |_| {}, patience).await? {
                Step::Heard => {}
                Step::Agreed => return Ok(()),
                Step::Ended(outcome) => return outcome.and(Err(ImapError::Garbled { command })),
            }
        }
    }

    async fn answer(&mut self, verb: Verb, tag: &str, heard: Heard<'_>, patience: Patience) -> Result<(), ImapError> {
        let command = verb.text();
        loop {
            match self.next(command, tag, heard, patience).await? {
                Step::Heard => {}
                Step::Agreed => return Err(ImapError::Garbled { command }),
                Step::Ended(outcome) => return outcome,
            }
        }
    }

    /// The next response, for which the server may be silent for a while, but not for ever.
    pub(super) async fn next(
        &mut self,
        command: &'static str,
        tag: &str,
        heard: Heard<'_>,
        patience: Patience,
    ) -> Result<Step, ImapError> {
        loop {
            let before = self.client.get_ref().received();
            let silence = Instant::now() + self.limits.silence;
            if let Some(step) = self.read(command, tag, heard, silence.min(patience.end)).await? {
                return Ok(step);
            }
            let late = |limit: Duration| Err(ImapError::Deadline { command, seconds: limit.as_secs() });
            if Instant::now() >= patience.end {
                return late(patience.limit);
            }
            if self.client.get_ref().received() == before {
                return late(self.limits.silence);
            }
        }
    }

    /// The next response, or `None` at `until`: also when the server never stops talking.
    async fn read(
        &mut self,
        command: &'static str,
        tag: &str,
        heard: Heard<'_>,
        until: Instant,
    ) -> Result<Option<Step>, ImapError> {
        if Instant::now() >= until {
            return Ok(None);
        }
        let Ok(read) = timeout_at(until, self.client.read_response()).await else {
            return Ok(None);
        };
        let response = match read {
            Ok(Some(response)) => response,
            Ok(None) => return Err(ImapError::Lost { command }),
            Err(error) => return Err(self.explain_break(command, &error)),
        };
        match response.parsed() {
            Response::Data { status: Status::Bye, outcome } => Err(ImapError::Bye { command, said: said(outcome) }),
            Response::Continue(_) => Ok(Some(Step::Agreed)),
            done @ Response::Done { tag: own, status, outcome } if own.as_bytes() == tag.as_bytes() => {
                heard(done);
                Ok(Some(Step::Ended(tagged(command, status, outcome))))
            }
            Response::Done { .. } => Err(ImapError::Garbled { command }),
            untagged => {
                self.stirred |= matches!(untagged, Response::MailboxData(MailboxDatum::Exists(_)));
                heard(untagged);
                Ok(Some(Step::Heard))
            }
        }
    }

    /// By kind, for the text of the library's error holds what the server sent. It reports what it cannot parse as
    /// `Other`; the network never does.
    fn explain_break(&self, command: &'static str, error: &std::io::Error) -> ImapError {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Excess>()) {
            Some(Excess::Literal) => ImapError::TooLarge { limit: self.limits.literal_bytes },
            Some(Excess::Command) => ImapError::TooMuch { command },
            Some(Excess::Line | Excess::Brackets | Excess::Nonsense) => ImapError::Garbled { command },
            None if error.kind() == std::io::ErrorKind::Other => ImapError::Garbled { command },
            None => ImapError::Lost { command },
        }
    }
}

/// Whether a capability is the named one; names are case-insensitive.
pub(super) fn names(capability: &Capability<'_>, name: &str) -> bool {
    matches!(capability, Capability::Atom(atom) if atom.eq_ignore_ascii_case(name))
}

fn tagged(command: &'static str, status: &Status, outcome: &Outcome<'_>) -> Result<(), ImapError> {
    match status {
        Status::Ok => Ok(()),
        Status::No => Err(ImapError::No { command, said: said(outcome) }),
        Status::Bad => Err(ImapError::Bad { command, said: said(outcome) }),
        Status::PreAuth | Status::Bye => Err(ImapError::Garbled { command }),
    }
}

/// The parser takes the codes it knows out of the text; those that matter here it leaves in, but for one.
fn said(outcome: &Outcome<'_>) -> Said {
    let said = Said::new(outcome.information.as_deref().unwrap_or_default());
    match outcome.code {
        Some(ResponseCode::TryCreate) => Said { code: Some("TRYCREATE".to_owned()), ..said },
        _ => said,
    }
}
