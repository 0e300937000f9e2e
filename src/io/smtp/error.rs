//! What can go wrong over SMTP: each trouble with its sentence and its class.
//!
//! No variant holds a password or a part of the mail; the server's words come in cleaned and cut.

use std::fmt::{self, Display};
use std::io::ErrorKind;

use super::super::Class;
use super::super::bearer::HELP;
use super::super::tls::TlsError;
use crate::mail::text::is_unseen;

/// How much of the server's own words is quoted, in characters.
const QUOTED: usize = 200;

/// The part of the dialogue that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The connection, answered by the greeting.
    Greeting,
    /// EHLO, before or inside TLS.
    Ehlo,
    /// STARTTLS.
    StartTls,
    /// AUTH.
    Login,
    /// AUTH with a token of OAuth2.
    Token,
    /// MAIL FROM.
    Sender,
    /// RCPT TO.
    Recipient,
    /// DATA.
    Data,
    /// The mail itself up to the final dot.
    Body,
    /// RSET, after a mail that was refused.
    Reset,
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Greeting => "the connection",
            Self::Ehlo => "EHLO",
            Self::StartTls => "STARTTLS",
            Self::Login => "the login",
            Self::Token => "the token",
            Self::Sender => "the sender (MAIL FROM)",
            Self::Recipient => "the recipient (RCPT TO)",
            Self::Data => "DATA",
            Self::Body => "the mail",
            Self::Reset => "RSET",
        })
    }
}

/// Why a mail was not, or perhaps not, sent. Never holds a password or a part of the mail.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    /// Not an address we can put into the envelope. Nothing was sent.
    #[error("{given:?} is not a plain mail address\nhelp: write it as name@example.org, without a name or brackets")]
    BadAddress {
        /// As given, cleaned and cut.
        given: String,
    },
    /// Not a name for EHLO. Nothing was sent.
    #[error("{given:?} is not a name for EHLO\nhelp: use a domain as example.org, or an IP address")]
    BadHello {
        /// As configured, cleaned and cut.
        given: String,
    },
    /// The mail breaks the rules for lines, and servers disagree on such mails. Nothing was sent.
    #[error("line {line} of the mail {flaw}; it was not sent")]
    BadMail {
        /// Counted from 1.
        line: usize,
        /// What is wrong, one clause.
        flaw: &'static str,
    },
    /// A login name without a usable password. Nothing was sent.
    #[error(
        "there is no usable password for the login {user:?}\nhelp: configure one, without NUL characters, or leave `user` out"
    )]
    NoPassword {
        /// As configured.
        user: String,
    },
    /// No verified encrypted connection.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The server offers no encryption here, or someone has removed the offer. Nothing secret was sent.
    #[error(
        "{server} does not offer STARTTLS on this port, and nothing is sent unencrypted\nhelp: use port 465 with TLS from the first byte"
    )]
    NoStartTls {
        /// The configured host.
        server: String,
    },
    /// TLS from the first byte was asked for, and the server does not begin so here. Nothing secret was sent.
    #[error(
        "{server} does not speak TLS from the first byte on port {port}\nhelp: set security = \"starttls\" in [smtp] for this port, or use the other one, mostly 465"
    )]
    StartsPlain {
        /// The configured host.
        server: String,
        /// The configured port.
        port: u16,
    },
    /// STARTTLS was asked for, and nobody spoke first. Nothing secret was sent.
    #[error(
        "{server} says nothing on port {port}, as a server does that wants TLS from the first byte\nhelp: leave out security = \"starttls\" in [smtp] for this port, or use the other one, mostly 587"
    )]
    StartsEncrypted {
        /// The configured host.
        server: String,
        /// The configured port.
        port: u16,
    },
    /// Plaintext followed the agreement to encrypt: a server at fault, or someone on the way. Nothing secret was sent.
    #[error(
        "unencrypted data followed the answer of {server} to STARTTLS; someone on the way may have inserted it, so the connection was given up before the login\nhelp: use port 465 with TLS from the first byte"
    )]
    Injected {
        /// The configured host.
        server: String,
    },
    /// None of the ways to log in that we know.
    #[error(
        "{server} offers no login by password (AUTH PLAIN or LOGIN)\nhelp: check `port`; some providers want an app password or forbid passwords"
    )]
    NoLogin {
        /// The configured host.
        server: String,
    },
    /// No way to log in by a token.
    #[error(
        "{server} takes no token of OAuth2 (AUTH XOAUTH2 or OAUTHBEARER)\nhelp: configure a password instead of a token"
    )]
    NoTokens {
        /// The configured host.
        server: String,
    },
    /// The mail has 8-bit text, the server takes 7-bit only.
    #[error("{server} takes no mail with 8-bit text (8BITMIME)")]
    NoEightBit {
        /// The configured host.
        server: String,
    },
    /// The server said no (4xx or 5xx).
    #[error("{server} refused {step}: {code} {said}{}", help(*step, *code))]
    Refused {
        /// The configured host.
        server: String,
        /// What was refused.
        step: Step,
        /// 400 to 599.
        code: u16,
        /// Its words, cleaned and cut.
        said: String,
    },
    /// The server hung up.
    #[error("{server} closed the connection instead of answering {step}")]
    Closed {
        /// The configured host.
        server: String,
        /// What had been sent.
        step: Step,
    },
    /// The server took too long.
    #[error("{server} did not answer {step} within {seconds} s")]
    Silent {
        /// The configured host.
        server: String,
        /// What had been sent.
        step: Step,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// The network failed.
    #[error("the connection with {server} broke at {step} ({why})")]
    Cut {
        /// The configured host.
        server: String,
        /// What was being sent or answered.
        step: Step,
        /// The system's reason.
        why: ErrorKind,
    },
    /// The answer is not one of SMTP, or not one to this command.
    #[error("{server} gave an answer to {step} that makes no sense in SMTP")]
    Garbled {
        /// The configured host.
        server: String,
        /// What had been sent.
        step: Step,
    },
    /// An answer came before the question.
    #[error("{server} spoke unasked before {step}")]
    OutOfTurn {
        /// The configured host.
        server: String,
        /// What was about to be sent.
        step: Step,
    },
}

impl SmtpError {
    /// What the loop does about it: by the kind of trouble, the step, and the first digit of the server's code.
    pub fn class(&self) -> Class {
        match self {
            Self::BadAddress { .. } | Self::BadMail { .. } | Self::NoEightBit { .. } => Class::SetAside,
            Self::BadHello { .. }
            | Self::NoPassword { .. }
            | Self::NoStartTls { .. }
            | Self::StartsPlain { .. }
            | Self::Injected { .. }
            | Self::NoLogin { .. }
            | Self::NoTokens { .. } => Class::Stop,
            Self::Tls(error) => error.class(),
            Self::Refused { code: ..500, .. } => Class::Retry,
            // RFC 4954 section 6: no login, wrong login, login too weak; whatever the step, it is not this mail's fault.
            Self::Refused { code: 530 | 534 | 535 | 538, .. } => Class::Stop,
            // a full mailbox is emptied one day
            Self::Refused { .. } if self.is_full() => Class::Retry,
            Self::Refused { step, .. } => match step {
                Step::Sender | Step::Recipient | Step::Data | Step::Body => Class::SetAside,
                Step::Greeting | Step::Ehlo | Step::StartTls | Step::Login | Step::Token | Step::Reset => Class::Stop,
            },
            // the port may be the right one, and the server in trouble
            Self::StartsEncrypted { .. }
            | Self::Closed { .. }
            | Self::Silent { .. }
            | Self::Cut { .. }
            | Self::Garbled { .. }
            | Self::OutOfTurn { .. } => Class::Retry,
        }
    }
}

impl SmtpError {
    /// Whether it concerns this mail alone. All other trouble is the server's, and would meet the next mail as well.
    pub fn is_of_the_mail(&self) -> bool {
        match self {
            Self::BadAddress { .. } | Self::BadMail { .. } | Self::NoEightBit { .. } => true,
            // RFC 5321 section 3.8: 421 may answer any command, and closes the connection; the others want a login
            Self::Refused { code: 421 | 530 | 534 | 535 | 538, .. } => false,
            Self::Refused { step: Step::Recipient | Step::Data | Step::Body, .. } => true,
            // a server that is busy or full says so here; for good it refuses only this sender
            Self::Refused { step: Step::Sender, code, .. } => *code >= 500,
            _ => false,
        }
    }

    /// Whether the server was shown the password, so that this try counts as a login.
    pub fn reached_login(&self) -> bool {
        matches!(
            self,
            Self::Refused { step: Step::Login | Step::Token, .. }
                | Self::Closed { step: Step::Login | Step::Token, .. }
                | Self::Silent { step: Step::Login | Step::Token, .. }
                | Self::Cut { step: Step::Login | Step::Token, .. }
                | Self::Garbled { step: Step::Login | Step::Token, .. }
        )
    }

    /// Whether the mail was refused since the recipient's mailbox is full: 552 (RFC 5321 section 4.2.2), X.2.2 (RFC 3463 section 3.3), or
    /// its words, where a server has neither.
    pub fn is_full(&self) -> bool {
        let Self::Refused { step: Step::Recipient | Step::Data | Step::Body, code: code @ 500.., said, .. } = self
        else {
            return false;
        };
        let said = said.to_ascii_lowercase();
        let enhanced = said.split_ascii_whitespace().next().filter(|word| word.matches('.').count() == 2);
        match enhanced {
            // 5.3.4 is a mail that is too large, which is no smaller tomorrow
            Some(status) => status == "5.2.2" || (*code != 552 && FULL.iter().any(|words| said.contains(words))),
            None => *code == 552 && !said.contains("size") || FULL.iter().any(|words| said.contains(words)),
        }
    }
}

/// Words for a mailbox that is full, of servers that have no number for it.
const FULL: [&str; 5] =
    ["quota", "mailbox full", "mailbox is full", "mailfolder is full", "insufficient mailbox storage"];

/// What to do about a refusal, where it is known; elsewhere the server's own words must do.
fn help(step: Step, code: u16) -> String {
    let help = match (step, code) {
        (Step::Token, 500..) => return format!("\n{HELP}"),
        (Step::Login, 500..) => "\nhelp: check `user` and the password; many providers want an app password here",
        (_, 530) => "\nhelp: the server wants a login: configure `user` and a password",
        _ => "",
    };
    help.to_owned()
}

/// Foreign words on one line, harmless in a log: no control characters, not too long.
pub(super) fn clean(words: &str) -> String {
    let printable = |c: char| if is_unseen(c) { ' ' } else { c };
    words.chars().map(printable).take(QUOTED).collect()
}
