//! Why there is no verified connection: one sentence for each reason, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rustls::{AlertDescription, CertificateError, OtherError};

use crate::io::Class;

/// Why there is no verified connection.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The name has no address, or DNS did not answer.
    #[error("the address of {host} cannot be found\nhelp: check the spelling of `host` and this computer's network")]
    Unresolved {
        /// As configured.
        host: String,
    },
    /// Every address of the host refused the connection or could not be reached.
    #[error("{host}:{port} cannot be reached ({why})\nhelp: check `host` and `port`, and whether the server is up")]
    Refused {
        /// As configured.
        host: String,
        /// As configured.
        port: u16,
        /// The system's reason.
        why: io::ErrorKind,
    },
    /// The server did not answer in time.
    #[error("{host} did not answer within {seconds} s while {step}")]
    Timeout {
        /// As configured.
        host: String,
        /// What was being done.
        step: &'static str,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// The connection broke off during the TLS handshake.
    #[error("{host} broke the connection off during the TLS handshake ({why})")]
    Cut {
        /// As configured.
        host: String,
        /// The system's reason.
        why: io::ErrorKind,
    },
    /// The two sides found no common way to encrypt.
    #[error("no TLS connection with {host}: {why}")]
    Handshake {
        /// As configured.
        host: String,
        /// What rustls says; it quotes nothing the server sent.
        why: rustls::Error,
    },
    /// The server offers nothing that is known here.
    #[error(
        "{host} and this program know no common way to encrypt\n\
         help: TLS 1.2 or 1.3 is needed; for a server of your own, a certificate with an RSA key of 2048 bits or more, or a P-256 key"
    )]
    NothingInCommon {
        /// As configured.
        host: String,
    },
    /// The server answered in something that is not TLS.
    #[error(
        "{host} does not speak TLS on this port\n\
         help: use the port for TLS from the first byte (usually 993 for IMAP, 465 for SMTP), not the one for STARTTLS"
    )]
    NotTls {
        /// As configured.
        host: String,
    },
    /// The configured host can stand in no certificate.
    #[error(
        "{host:?} is not a host name\nhelp: write a DNS name (an international one in its xn-- form) or an IP address as `host`"
    )]
    BadHost {
        /// As configured.
        host: String,
    },
    /// The file of further certificate authorities is of no use.
    #[error(
        "no certificate authority can be read from {path}: {why}\nhelp: `ca_file` is a PEM file with BEGIN CERTIFICATE blocks"
    )]
    CaFile {
        /// As configured.
        path: PathBuf,
        /// One clause.
        why: String,
    },
    /// The system's certificate authorities cannot be loaded.
    #[error(
        "this computer has no certificate authorities\nhelp: install the package `ca-certificates`, or set `ca_file` or `pin_sha256`"
    )]
    NoRoots,
    /// The server's certificate is not to be trusted.
    #[error("the certificate of {host} is not accepted: {mistrust}")]
    Certificate {
        /// As configured.
        host: String,
        /// What is wrong with it.
        mistrust: Mistrust,
    },
}

impl TlsError {
    /// What the loop does about it: network trouble passes by itself, a certificate waits for the player.
    ///
    /// A certificate that is not valid *yet* is retried: nearly always it is this computer's clock, before its first
    /// contact with a time server.
    pub fn class(&self) -> Class {
        match self {
            Self::Unresolved { .. }
            | Self::Refused { .. }
            | Self::Timeout { .. }
            | Self::Cut { .. }
            | Self::Handshake { .. } => Class::Retry,
            Self::Certificate { mistrust, .. } => match mistrust.why {
                Flaw::NotYetValid => Class::Retry,
                Flaw::Expired
                | Flaw::WrongName(_)
                | Flaw::UnknownIssuer
                | Flaw::OtherThanPinned(_)
                | Flaw::Unusable
                | Flaw::Rare => Class::Stop,
            },
            Self::NothingInCommon { .. }
            | Self::NotTls { .. }
            | Self::BadHost { .. }
            | Self::CaFile { .. }
            | Self::NoRoots => Class::Stop,
        }
    }
}

/// A certificate that was refused, with the fingerprint the player can compare and pin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}\nSHA-256 of the certificate shown: {}\n{}", hex::encode(.presented), .why.help())]
pub struct Mistrust {
    /// What is wrong with it.
    pub why: Flaw,
    /// SHA-256 of the certificate (DER) that the server showed.
    pub presented: [u8; 32],
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// Its last day has passed.
    Expired,
    /// Its first day has not come.
    NotYetValid,
    /// It belongs to other hosts: these.
    WrongName(Vec<String>),
    /// No trusted authority has signed it.
    UnknownIssuer,
    /// It is not the one that was pinned: this.
    OtherThanPinned([u8; 32]),
    /// It is not made for a server, as many a self-made one, or it is damaged or revoked.
    Unusable,
    /// Its form, its key or its signature is of a kind that is not known here, so that not even a pin helps.
    Rare,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("it has expired"),
            Self::NotYetValid => f.write_str("it is not valid yet"),
            Self::WrongName(names) if names.is_empty() => f.write_str("it names no host at all"),
            Self::WrongName(names) => write!(f, "it belongs to {}", names.join(", ")),
            Self::UnknownIssuer => f.write_str("no authority this computer trusts has signed it"),
            Self::OtherThanPinned(pin) => {
                write!(f, "it is not the pinned one\nSHA-256 of the pinned certificate: {}", hex::encode(pin))
            }
            Self::Unusable => {
                f.write_str("it is not one for a server (a self-made one, perhaps), or it is damaged or revoked")
            }
            Self::Rare => f.write_str("its form or its key is of a kind that is not known here"),
        }
    }
}

impl Flaw {
    fn help(&self) -> &'static str {
        match self {
            Self::NotYetValid => "help: check this computer's clock",
            Self::Expired => "help: check this computer's clock; otherwise the server's operator must renew it",
            Self::WrongName(_) => {
                "help: set `host` to a name it belongs to; for a server of your own, compare the SHA-256 there and set `pin_sha256`"
            }
            Self::UnknownIssuer => {
                "help: for a server of your own, set `ca_file` to its authority, or compare the SHA-256 there and set `pin_sha256`"
            }
            Self::Unusable => "help: for a server of your own, compare the SHA-256 there and set `pin_sha256`",
            Self::Rare => {
                "help: for a server of your own, make a certificate of version 3 with an RSA key of 2048 bits or more, or a P-256 key"
            }
            Self::OtherThanPinned(_) => {
                "help: if the server has a new certificate, compare the SHA-256 there and change `pin_sha256`; if not, someone else is answering"
            }
        }
    }
}

/// The reason for a failed handshake, by type.
pub(super) fn why_no_handshake(host: String, error: &io::Error) -> TlsError {
    let Some(why) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return TlsError::Cut { host, why: error.kind() };
    };
    match why {
        rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(inner))) => {
            match inner.downcast_ref::<Mistrust>() {
                Some(mistrust) => TlsError::Certificate { host, mistrust: mistrust.clone() },
                None => TlsError::Handshake { host, why: why.clone() },
            }
        }
        rustls::Error::InvalidMessage(_) => TlsError::NotTls { host },
        // what the server means by it is said in its log at best; mostly it knows no common way
        rustls::Error::AlertReceived(AlertDescription::HandshakeFailure) | rustls::Error::PeerIncompatible(_) => {
            TlsError::NothingInCommon { host }
        }
        _ => TlsError::Handshake { host, why: why.clone() },
    }
}
