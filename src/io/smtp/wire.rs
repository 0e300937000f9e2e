//! What may go over the wire: addresses, names and mails are checked here, before there is a connection.

use std::net::IpAddr;

use lettre::Address;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use secrecy::{ExposeSecret, SecretString};

use super::SmtpError;
use super::error::clean;

/// The longest line of a mail, in bytes without its CR LF (RFC 5322 section 2.1.1).
const LONGEST_LINE: usize = 998;

/// A dot-atom at a domain, in ASCII, without quotes: nothing that could end the command it stands in.
pub(super) fn address(given: &str) -> Result<Address, SmtpError> {
    let plain = given.bytes().all(|b| b.is_ascii_graphic() && b != b'"');
    given.parse().ok().filter(|_| plain).ok_or_else(|| SmtpError::BadAddress { given: clean(given) })
}

pub(super) fn client_id(given: &str) -> Result<ClientId, SmtpError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
    match given.parse() {
        Ok(IpAddr::V4(address)) => Ok(ClientId::Ipv4(address)),
        Ok(IpAddr::V6(address)) => Ok(ClientId::Ipv6(address)),
        Err(_) if (1..=255).contains(&given.len()) && given.bytes().all(plain) => {
            Ok(ClientId::Domain(given.to_owned()))
        }
        Err(_) => Err(SmtpError::BadHello { given: clean(given) }),
    }
}

pub(super) fn credentials(
    user: Option<&str>,
    password: Option<&SecretString>,
) -> Result<Option<Credentials>, SmtpError> {
    let Some(user) = user else { return Ok(None) };
    // NUL separates the parts of AUTH PLAIN (RFC 4616 section 2).
    match password.map(ExposeSecret::expose_secret) {
        Some(password) if !password.is_empty() && !password.contains('\0') && !user.contains('\0') => {
            Ok(Some(Credentials::new(user.to_owned(), password.to_owned())))
        }
        _ => Err(SmtpError::NoPassword { user: clean(user) }),
    }
}

/// The mail as it goes out: a dot doubled at the head of a line, the final dot appended (RFC 5321 section 4.5.2).
///
/// Bare CR and LF are refused, not mended: servers that disagree on them can be made to see a second mail in this one.
pub(super) fn on_the_wire(bytes: &[u8]) -> Result<Vec<u8>, SmtpError> {
    let mut wire = Vec::with_capacity(bytes.len() + 64);
    for (index, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        let text = line.strip_suffix(b"\r\n").unwrap_or(line);
        let flaw = if text.contains(&b'\r') || text.contains(&b'\n') {
            Some("has a CR or LF that is not part of a CR LF")
        } else if text.contains(&0) {
            Some("has a NUL character")
        } else if text.len() > LONGEST_LINE {
            Some("is longer than 998 bytes")
        } else {
            None
        };
        if let Some(flaw) = flaw {
            let line = index + 1;
            return Err(SmtpError::BadMail { line, flaw });
        }
        if text.starts_with(b".") {
            wire.push(b'.');
        }
        wire.extend_from_slice(text);
        wire.extend_from_slice(b"\r\n");
    }
    wire.extend_from_slice(b".\r\n");
    Ok(wire)
}
