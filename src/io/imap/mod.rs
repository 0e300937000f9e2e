//! Reads a mailbox over IMAP and changes nothing in it but drafts of our own: EXAMINE, UID SEARCH, UID FETCH with PEEK, IDLE; what
//! changes it stands in `drafts`, and can reach no other folder and no other mail.
//!
//! Decides nothing about what a mail means, and writes no row. Its own promise is that no mail is passed over in silence: a
//! refused, cut or partial answer is an error, and each UID the server lists is described, or named as gone or withheld.
//! Not covered: STARTTLS, and the ESEARCH, CONDSTORE and NAMESPACE extensions, whose answers the parser cannot read.
//! Surprise: a connection survives only commands that came to a clean end. After a failure, a panic of the parser or a
//! dropped future every call answers `Dead`, since the rest of the old answer would be taken for the next one.

mod drafts;
mod error;
mod login;
mod meter;
mod reading;
mod role;
mod syntax;
mod wire;

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_imap::imap_proto::{MailboxDatum, NameAttribute, Response, ResponseCode};
use futures_util::FutureExt;
use secrecy::SecretString;

pub use self::drafts::{DraftsFolder, OwnDraft, Verified};
pub use self::error::{ImapError, Said};
pub use self::reading::{Announced, Announcement};
use self::role::quoted;
pub(super) use self::syntax::decode_folder;
use self::syntax::{Arguments, encode_folder, unescape};
use self::wire::{Heard, Verb, Wire, names};
use super::Class;
use super::bearer::Way;
use super::tls::{self, Trust};

/// Where a mailbox is and how patient to be. The password is handed over apart.
#[derive(Clone, Debug)]
pub struct Account {
    /// The server's name, as its certificate has it.
    pub host: String,
    /// Its port for TLS from the first byte, usually 993.
    pub port: u16,
    /// The name to log in with.
    pub user: String,
    /// What the secret is.
    pub way: Way,
    /// Certificates trusted besides the system's.
    pub trust: Trust,
    /// Deadlines and sizes.
    pub limits: Limits,
}

/// Deadlines and sizes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// To reach the server.
    pub connect: Duration,
    /// To agree on encryption.
    pub tls: Duration,
    /// For the greeting, and again for the login.
    pub login: Duration,
    /// How long the server may send nothing while we wait for an answer; up to twice that if it stops half-way.
    pub silence: Duration,
    /// For one whole command, even if bytes keep arriving.
    pub total: Duration,
    /// For the end of an IDLE, and for the good-bye.
    pub idle_done: Duration,
    /// The largest mail that is read, in bytes; the connection is cut where a larger one begins.
    pub literal_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(30),
            tls: Duration::from_secs(30),
            login: Duration::from_secs(30),
            silence: Duration::from_secs(60),
            total: Duration::from_secs(600),
            idle_done: Duration::from_secs(15),
            literal_bytes: 1024 * 1024,
        }
    }
}

/// A folder as it was when it was examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its name, for people.
    pub name: String,
    /// UIDs hold only together with this number; when it changes, all of them are new (RFC 3501 section 2.3.1.1).
    pub uid_validity: u32,
    /// Above every UID given out so far.
    pub uid_next: u32,
    /// How many mails there are.
    pub exists: u32,
}

/// The extensions that are used where a server has them.
const EXTENSIONS: [&str; 4] = ["IDLE", "SPECIAL-USE", "LIST-EXTENDED", "UIDPLUS"];

/// Why an IDLE came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleEnd {
    /// Something happened: examine the folder.
    Changed,
    /// Nothing was told in that time, which proves nothing.
    TimedOut,
}

/// What a server can beyond RFC 3501, as far as it is used here.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    /// IDLE (RFC 2177).
    idles: bool,
    /// LIST tells what a folder is for when it is asked to (SPECIAL-USE with LIST-EXTENDED, RFC 6154 section 2).
    marks_on_request: bool,
    /// Single mails can be expunged (UIDPLUS, RFC 4315).
    expunges_single_mails: bool,
}

/// An open connection that is logged in.
pub struct Mailbox {
    /// Away while a command runs, and back only after a clean end.
    wire: Option<Wire>,
    extras: Extras,
    folder: Option<Folder>,
    /// The folder is open for writing.
    writes: bool,
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Mailbox {
    /// Connects, checks the certificate and the greeting, and logs in.
    ///
    /// # Errors
    /// `Tls`, `PreAuth`, `LoginDisabled`, `BadLogin`, `NoTokens`, `BadToken`; else as every command.
    pub async fn open(account: &Account, password: &SecretString) -> Result<Self, ImapError> {
        let (host, limits) = (&account.host, account.limits);
        let config = tls::client_config(&account.trust)?;
        let tcp = tls::dial(host, account.port, limits.connect).await?;
        let stream = tls::handshake(config, host, tcp, limits.tls).await?;
        let wire = unpanicked(Verb::Login.text(), Wire::log_in(stream, account, password)).await??;
        let mut mailbox = Self { wire: Some(wire), extras: Extras::default(), folder: None, writes: false };
        mailbox.extras = mailbox.ask_for_extras().await?;
        Ok(mailbox)
    }

    /// Whether the connection can be used further; after a failure other than a refusal it cannot.
    pub fn is_open(&self) -> bool {
        self.wire.is_some()
    }

    /// Whether `idle` may be used.
    pub fn supports_idle(&self) -> bool {
        self.extras.idles
    }

    /// The names of all folders that can be examined, sorted.
    ///
    /// # Errors
    /// `Incomplete` if there are none, since every mailbox has an INBOX; else as every command.
    pub async fn folders(&mut self) -> Result<Vec<String>, ImapError> {
        let mut found = BTreeSet::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::MailboxData(MailboxDatum::List(entry)) = response
                && !entry.name_attributes.contains(&NameAttribute::NoSelect)
            {
                found.insert(decode_folder(&unescape(&entry.name)));
            }
        };
        self.command(Verb::List, Arguments::none().string("").string("*"), &mut heard).await?;
        if found.is_empty() {
            return Err(ImapError::Incomplete { command: Verb::List.text() });
        }
        Ok(found.into_iter().collect())
    }

    /// Opens a folder for reading only, and tells where its numbering stands.
    ///
    /// # Errors
    /// `NoSuchFolder`; `Unnumbered` if the server leaves out a number we count by; else as every command.
    pub async fn examine(&mut self, folder: &str) -> Result<Folder, ImapError> {
        self.open_folder(Verb::Examine, folder).await
    }

    async fn open_folder(&mut self, verb: Verb, folder: &str) -> Result<Folder, ImapError> {
        let mut read_only = verb == Verb::Examine;
        let (mut exists, mut uid_validity, mut uid_next) = (None, None, None);
        let mut heard = |response: &Response<'_>| match response {
            Response::MailboxData(MailboxDatum::Exists(count)) => exists = Some(*count),
            Response::Data { outcome, .. } => match outcome.code {
                Some(ResponseCode::UidValidity(number)) => uid_validity = Some(number),
                Some(ResponseCode::UidNext(number)) => uid_next = Some(number),
                _ => {}
            },
            // RFC 3501 section 6.3.1: a server may open it for reading only, and says so in the end
            Response::Done { outcome, .. } => read_only |= outcome.code == Some(ResponseCode::ReadOnly),
            _ => {}
        };
        (self.folder, self.writes) = (None, false);
        let name = Arguments::none().string(&encode_folder(folder));
        match self.command(verb, name, &mut heard).await {
            // Dovecot 2.3 gives no code for a folder that is not there, so the list must tell.
            Err(ImapError::No { command, said }) if !said.will_pass() => {
                let folders = self.folders().await?;
                return Err(if folders.iter().any(|one| one == folder) {
                    ImapError::No { command, said }
                } else {
                    ImapError::NoSuchFolder { folder: folder.to_owned(), folders: quoted(&folders) }
                });
            }
            other => other?,
        }
        let unnumbered = |missing| ImapError::Unnumbered { folder: folder.to_owned(), missing };
        // Both are never 0 (nz-number, RFC 3501 section 9).
        let known = |number: Option<u32>, name| number.filter(|n| *n > 0).ok_or_else(|| unnumbered(name));
        let folder = Folder {
            name: folder.to_owned(),
            uid_validity: known(uid_validity, "UIDVALIDITY")?,
            uid_next: known(uid_next, "UIDNEXT")?,
            exists: exists.ok_or_else(|| unnumbered("EXISTS"))?,
        };
        self.writes = !read_only;
        Ok(self.folder.insert(folder).clone())
    }

    /// Waits until the server hints at new mail, at most `at_most`. Only a hint: whatever comes out, look.
    ///
    /// Keep it below 29 minutes (RFC 2177).
    ///
    /// # Errors
    /// As every command; a server that refuses or ends it is one.
    pub async fn idle(&mut self, at_most: Duration) -> Result<IdleEnd, ImapError> {
        self.idle_until(at_most, std::future::pending()).await
    }

    /// The same, and no longer than until `called` ends.
    ///
    /// # Errors
    /// As there.
    pub async fn idle_until(
        &mut self,
        at_most: Duration,
        called: impl Future<Output = ()>,
    ) -> Result<IdleEnd, ImapError> {
        let mut wire = self.wire.take().ok_or(ImapError::Dead)?;
        let work = async move {
            let end = wire.idle(at_most, called).await;
            (wire, end)
        };
        self.keep(Verb::Idle, work).await
    }

    /// Says good-bye politely, in no more than the time for it.
    pub async fn close(mut self) {
        if let Some(wire) = self.wire.take() {
            // Nothing is left to lose.
            let _ = unpanicked("LOGOUT", wire.log_out()).await;
        }
    }

    async fn ask_for_extras(&mut self) -> Result<Extras, ImapError> {
        let mut found = Vec::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::Capabilities(list) = response {
                for name in EXTENSIONS {
                    if list.iter().any(|one| names(one, name)) {
                        found.push(name);
                    }
                }
            }
        };
        self.command(Verb::Capability, Arguments::none(), &mut heard).await?;
        let has = |name| found.contains(&name);
        Ok(Extras {
            idles: has("IDLE"),
            marks_on_request: has("SPECIAL-USE") && has("LIST-EXTENDED"),
            expunges_single_mails: has("UIDPLUS"),
        })
    }

    fn check_open(&self, folder: &Folder) -> Result<(), ImapError> {
        if self.folder.as_ref() == Some(folder) {
            Ok(())
        } else {
            Err(ImapError::NotOpen { folder: folder.name.clone() })
        }
    }

    async fn command(&mut self, verb: Verb, arguments: Arguments, heard: Heard<'_>) -> Result<(), ImapError> {
        let mut wire = self.wire.take().ok_or(ImapError::Dead)?;
        let work = async move {
            let outcome = wire.command(verb, arguments, heard).await;
            (wire, outcome)
        };
        self.keep(verb, work).await
    }

    /// Takes the connection back if the work came to a clean end, a NO included. If this future is dropped, so is the
    /// connection.
    async fn keep<T>(
        &mut self,
        verb: Verb,
        work: impl Future<Output = (Wire, Result<T, ImapError>)>,
    ) -> Result<T, ImapError> {
        let (wire, outcome) = unpanicked(verb.text(), work).await?;
        if matches!(outcome, Ok(_) | Err(ImapError::No { .. })) {
            self.wire = Some(wire);
        }
        outcome
    }
}

/// The parser has places where a broken answer makes it panic; what it worked on is dropped with it.
async fn unpanicked<T>(command: &'static str, work: impl Future<Output = T>) -> Result<T, ImapError> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|_| ImapError::Lost { command })
}
