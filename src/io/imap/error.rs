//! What can go wrong with a mailbox, and what the loop does about each.
//!
//! A server's own words are quoted cleaned and shortened; a library's never, since they may hold mails or passwords.

use std::fmt;

use super::super::role::Role;
use super::Class;
use crate::io::bearer::HELP;
use crate::io::tls::TlsError;
use crate::mail::text::is_unseen;

/// Characters of a server's own words that are shown.
const WORDS_SHOWN: usize = 200;

/// A server's answer in words, fit to be shown, with its response code (RFC 3501 section 7.1, RFC 5530).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The response code in capitals, such as `AUTHENTICATIONFAILED`; the one part a decision may rest on.
    pub code: Option<String>,
    /// At most 200 characters, none of them a control or a direction mark.
    pub words: String,
}

impl Said {
    /// The server's text of a NO, BAD or BYE, as the parser hands it out: a code that it does not know stands in front.
    pub(super) fn new(text: &str) -> Self {
        let code = text
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
            .and_then(|(inner, _)| inner.split(' ').next())
            .filter(|code| !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
            .map(str::to_ascii_uppercase);
        let words = text.chars().filter(|c| !is_unseen(*c)).take(WORDS_SHOWN).collect();
        Self { code, words }
    }

    fn has_code(&self, codes: &[&str]) -> bool {
        self.code.as_deref().is_some_and(|code| codes.contains(&code))
    }

    /// Whether the server says that it is its own trouble, which will pass.
    pub(super) fn will_pass(&self) -> bool {
        self.has_code(&["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "THROTTLED"])
    }

    /// Whether the server says that only the account's owner can mend it.
    fn needs_the_owner(&self) -> bool {
        self.has_code(&[
            "AUTHENTICATIONFAILED",
            "AUTHORIZATIONFAILED",
            "EXPIRED",
            "PRIVACYREQUIRED",
            "CONTACTADMIN",
            "NOPERM",
        ])
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.words.is_empty() { f.write_str("(no reason given)") } else { f.write_str(&self.words) }
    }
}

/// Why a mailbox could not be read, or a draft not be put into it or taken out.
#[derive(Debug, thiserror::Error)]
pub enum ImapError {
    /// No verified connection; no password was sent.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The server began without asking who we are; no password was sent.
    #[error(
        "{host} lets anybody in without a password (PREAUTH)\nhelp: check `host` and `port`; this is not a usual mail server"
    )]
    PreAuth {
        /// As configured.
        host: String,
    },
    /// The server takes no passwords at all; none was sent.
    #[error(
        "{host} takes no login by password (LOGINDISABLED)\nhelp: check `host` and `port`; a provider that wants OAuth2 takes a token: token.provider or token.command instead of the password"
    )]
    LoginDisabled {
        /// As configured.
        host: String,
    },
    /// The server refused the user or the password.
    #[error(
        "{host} refused the login of {user}: {said}\n\
         help: check `user` and the password; many providers want an app password for this"
    )]
    BadLogin {
        /// As configured.
        user: String,
        /// As configured.
        host: String,
        /// Its reason.
        said: Said,
    },
    /// The server offers no login by a token.
    #[error("{host} takes no token of OAuth2 (XOAUTH2 or OAUTHBEARER)\nhelp: configure a password instead of a token")]
    NoTokens {
        /// As configured.
        host: String,
    },
    /// The server refused the user or the token.
    #[error("{host} refused the token of {user}: {said}\n{HELP}")]
    BadToken {
        /// As configured.
        user: String,
        /// As configured.
        host: String,
        /// Its reason.
        said: Said,
    },
    /// There is no such folder.
    #[error("there is no folder {folder:?} in the mailbox\nhelp: name it as the server has it, one of {folders}")]
    NoSuchFolder {
        /// As asked for.
        folder: String,
        /// Those that are there, quoted; of many the first.
        folders: String,
    },
    /// No folder is known to be the one for this.
    #[error(
        "no folder is marked or named as the one for {role}; there are {folders}\nhelp: name it in the configuration"
    )]
    NoFolderFor {
        /// What for.
        role: Role,
        /// All folders, quoted.
        folders: String,
    },
    /// More than one folder could be the one for this.
    #[error("more than one folder could be the one for {role}: {folders}\nhelp: name it in the configuration")]
    SeveralFoldersFor {
        /// What for.
        role: Role,
        /// Which, quoted.
        folders: String,
    },
    /// The server does not number its mails, so that none could be told from another.
    #[error(
        "the server gives no {missing} for folder {folder:?}, so its mails cannot be told apart\nhelp: choose another folder, or another server"
    )]
    Unnumbered {
        /// As asked for.
        folder: String,
        /// The missing number, as RFC 3501 names it.
        missing: &'static str,
    },
    /// A folder was asked about that is not the one open now: a mistake of this program.
    #[error("folder {folder:?} is not the one that is open\nhelp: this is a mistake of the program, please report it")]
    NotOpen {
        /// The folder asked about.
        folder: String,
    },
    /// The server refused a command; the connection goes on.
    #[error("the server refused {command}: {said}")]
    No {
        /// The command, without what was asked.
        command: &'static str,
        /// Its reason.
        said: Said,
    },
    /// The server did not understand a command.
    #[error("the server did not understand {command}: {said}")]
    Bad {
        /// The command, without what was asked.
        command: &'static str,
        /// Its reason.
        said: Said,
    },
    /// The server said good-bye.
    #[error("the server ended the connection during {command}: {said}")]
    Bye {
        /// The command, without what was asked.
        command: &'static str,
        /// Its reason.
        said: Said,
    },
    /// The connection broke, or the answer broke the parser.
    #[error("the connection was lost during {command}")]
    Lost {
        /// The command, without what was asked.
        command: &'static str,
    },
    /// The server went silent, or never came to an end.
    #[error("the server did not finish {command} within {seconds} s")]
    Deadline {
        /// The command, without what was asked.
        command: &'static str,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// The answer is not IMAP, or contradicts itself.
    #[error("the server's answer to {command} makes no sense")]
    Garbled {
        /// The command, without what was asked.
        command: &'static str,
    },
    /// The answers to one command are more than is held.
    #[error(
        "the server's answer to {command} is longer than what is read of one answer (8 MiB, 100,000 lines)\n\
         help: choose a folder with fewer mails, or an account with fewer folders; if it has few, the server is at fault"
    )]
    TooMuch {
        /// The command, without what was asked.
        command: &'static str,
    },
    /// A search left out a mail that is certainly there, so its silence proves nothing.
    #[error("the server's answer to {command} is incomplete: it leaves out a mail that is there")]
    Incomplete {
        /// The command, without what was asked.
        command: &'static str,
    },
    /// Nothing can be taken out: single mails cannot be expunged here, or the folder is read-only.
    #[error("the server cannot take out a single mail (UIDPLUS), so it stays\nhelp: delete it in your mail program")]
    CannotRemove,
    /// The server says that it took a mail out, and has it still.
    #[error("the server did not take the mail out, though it said so\nhelp: delete it in your mail program")]
    NotRemoved,
    /// The mail is larger than what is read.
    #[error("the mail is larger than the {limit} bytes that are read\nhelp: read it in your mail program")]
    TooLarge {
        /// The limit, in bytes.
        limit: u32,
    },
    /// The server lists the mail but does not hand it out.
    #[error("the server has mail {uid} but does not hand it out\nhelp: try to read it in your mail program")]
    Withheld {
        /// The UID of the mail.
        uid: u32,
    },
    /// An earlier failure left the connection in doubt: it must be opened again.
    #[error("the connection is closed after an earlier failure")]
    Dead,
}

impl ImapError {
    /// What the loop does about it.
    pub fn class(&self) -> Class {
        match self {
            Self::Tls(error) => error.class(),
            Self::PreAuth { .. }
            | Self::LoginDisabled { .. }
            | Self::BadLogin { .. }
            | Self::NoTokens { .. }
            | Self::BadToken { .. }
            | Self::NoSuchFolder { .. }
            | Self::NoFolderFor { .. }
            | Self::SeveralFoldersFor { .. }
            | Self::Unnumbered { .. }
            | Self::NotOpen { .. } => Class::Stop,
            Self::No { said, .. } if said.needs_the_owner() => Class::Stop,
            Self::No { .. }
            | Self::Bad { .. }
            | Self::Bye { .. }
            | Self::Lost { .. }
            | Self::Deadline { .. }
            | Self::Garbled { .. }
            | Self::TooMuch { .. }
            | Self::Incomplete { .. }
            | Self::NotRemoved
            | Self::Dead => Class::Retry,
            Self::TooLarge { .. } | Self::Withheld { .. } | Self::CannotRemove => Class::SetAside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_a_code_and_only_in_front() {
        assert_eq!(Said::new("[unavailable] later").code.as_deref(), Some("UNAVAILABLE"));
        assert_eq!(Said::new("[WEBALERT https://example.org] log in").code.as_deref(), Some("WEBALERT"));
        assert_eq!(Said::new("no [UNAVAILABLE] here").code, None);
        assert_eq!(Said::new("[] x").code, None);
    }

    #[test]
    fn words_of_a_server_are_shortened_and_cannot_steer_a_terminal() {
        let said = Said::new(&format!("\u{1b}[31mred\r\n\u{202e}{}", "x".repeat(5000)));
        assert_eq!(said.words.chars().count(), WORDS_SHOWN);
        assert!(said.words.starts_with("[31mredx"), "{said}");
    }
}
