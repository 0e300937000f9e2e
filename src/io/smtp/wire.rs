//! What may go over the wire: addresses, names and mails are checked here, before there is a connection.

use std::net::IpAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::Address;
use lettre::transport::smtp::extension::ClientId;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use super::super::bearer::Mechanism;
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

/// A name and a password that can be said. lettre has a type for it, which leaves both behind in the memory.
pub(super) struct Credentials<'a> {
    user: &'a str,
    password: &'a SecretString,
}

impl Credentials<'_> {
    /// The line of AUTH PLAIN (RFC 4616), without its end, and the part of it that is secret.
    pub(super) fn plain(&self) -> (&'static str, SecretString) {
        ("AUTH PLAIN ", in_base64(&["\0", self.user, "\0", self.password.expose_secret()]))
    }

    /// What a mechanism for tokens says first, with the password for the token.
    pub(super) fn bearer(&self, mechanism: Mechanism, server: (&str, u16)) -> SecretString {
        mechanism.first(self.user, server, self.password)
    }

    /// The lines that answer the two prompts of AUTH LOGIN.
    pub(super) fn login(&self) -> [SecretString; 2] {
        [in_base64(&[self.user]), in_base64(&[self.password.expose_secret()])]
    }
}

fn in_base64(parts: &[&str]) -> SecretString {
    let plain = Zeroizing::new(parts.concat());
    let mut code = vec![0; plain.len().div_ceil(3) * 4];
    // it fills the room exactly, and base64 is ASCII
    let _ = STANDARD.encode_slice(plain.as_bytes(), &mut code);
    SecretString::from(String::from_utf8(code).unwrap_or_default())
}

pub(super) fn credentials<'a>(
    user: Option<&'a str>,
    password: Option<&'a SecretString>,
) -> Result<Option<Credentials<'a>>, SmtpError> {
    let Some(user) = user else { return Ok(None) };
    // NUL separates the parts of AUTH PLAIN (RFC 4616 section 2).
    let fits = |text: &str| !text.is_empty() && !text.contains('\0');
    match password {
        Some(password) if fits(password.expose_secret()) && !user.contains('\0') => {
            Ok(Some(Credentials { user, password }))
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
