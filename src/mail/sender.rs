//! Who a mail says it is from: exactly one From field with exactly one address, or the trouble that stands in the way.
//!
//! Reads the raw field and not mail-parser's result, which takes the last of several and glues odd forms into one
//! address. Strict on purpose: a form that two readers could read differently is no sender (RFC 5322, 3.4 and 3.6.2).
//! What will surprise you: groups, routes, quoted local parts, UTF-8 local parts, and a bare `@` in the display name other
//! than the address itself are refused. Whether the claim is true is the question of `authentication`.

use std::fmt;

use mail_parser::HeaderName;

use super::address::Address;
use super::headers::Headers;
use super::{mime, text};

/// Characters kept of a display name.
const MAX_NAME: usize = 200;

/// The author as the mail states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// The one address.
    pub address: Address,
    /// The display name, for showing only: one line, never evidence, never put into a header.
    pub name: Option<String>,
}

/// Why no single sender can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FromTrouble {
    /// There is no From field, or an empty one.
    None,
    /// Several From fields, or several addresses in it.
    Several,
    /// A form that cannot be read in one way only.
    Unparsable,
}

impl fmt::Display for FromTrouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "the mail has no From",
            Self::Several => "the mail has more than one From address",
            Self::Unparsable => "the From of the mail cannot be read with certainty",
        })
    }
}

/// The sender of a mail with this header.
///
/// # Errors
/// The [`FromTrouble`].
pub fn from_headers(headers: &Headers) -> Result<Sender, FromTrouble> {
    let value = match (headers.count("from"), headers.first("from")) {
        (0, _) | (_, None | Some("")) => return Err(FromTrouble::None),
        (1, Some(value)) => value,
        _ => return Err(FromTrouble::Several),
    };
    let address = one_address(value)?;
    let parsed = mime::read_field(HeaderName::From, value);
    let name = parsed.as_address().and_then(|list| list.first()).and_then(|first| first.name.as_deref());
    let name = name.map(|name| text::one_line(name, MAX_NAME)).filter(|name| !name.is_empty());
    Ok(Sender { address, name })
}

/// What a character of the field stands in.
enum Inside {
    Nothing,
    Quotes,
    Comment(usize),
    Angle,
}

/// The one address of a mailbox field: `addr-spec`, or `phrase <addr-spec>`, each with comments.
fn one_address(value: &str) -> Result<Address, FromTrouble> {
    let (mut bare, mut angle) = (String::new(), None);
    let mut inside = Inside::Nothing;
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        if character.is_control() && character != '\t' {
            return Err(FromTrouble::Unparsable);
        }
        inside = match (inside, character) {
            (Inside::Quotes | Inside::Comment(_), '\\') if characters.as_str().is_empty() => {
                return Err(FromTrouble::Unparsable);
            }
            (state @ (Inside::Quotes | Inside::Comment(_)), '\\') => {
                characters.next();
                state
            }
            (Inside::Quotes, '"') => Inside::Nothing,
            (Inside::Quotes, _) => Inside::Quotes,
            (Inside::Comment(depth), '(') => Inside::Comment(depth + 1),
            (Inside::Comment(1), ')') => Inside::Nothing,
            (Inside::Comment(depth), ')') => Inside::Comment(depth - 1),
            (Inside::Comment(depth), _) => Inside::Comment(depth),
            (Inside::Angle, '>') => Inside::Nothing,
            (Inside::Angle, _) => {
                angle.get_or_insert_with(String::new).push(character);
                Inside::Angle
            }
            (Inside::Nothing, '"') if angle.is_none() => {
                // A quoted string can only be a name; if no angle bracket follows, this blank spoils the address.
                bare.push_str("\" ");
                Inside::Quotes
            }
            (Inside::Nothing, '(') => {
                // a comment within an address cuts it in two
                bare.push(' ');
                Inside::Comment(1)
            }
            (Inside::Nothing, '<') if angle.is_none() => {
                angle = Some(String::new());
                Inside::Angle
            }
            (Inside::Nothing, ',') => return Err(FromTrouble::Several),
            (Inside::Nothing, '<' | '>' | ':' | ';' | '\\') => return Err(FromTrouble::Unparsable),
            (Inside::Nothing, _) if angle.is_none() || character.is_whitespace() => {
                bare.push(character);
                Inside::Nothing
            }
            (Inside::Nothing, _) => return Err(FromTrouble::Unparsable),
        };
    }
    if !matches!(inside, Inside::Nothing) {
        return Err(FromTrouble::Unparsable);
    }
    let bare = bare.trim();
    let spec = angle.as_deref().unwrap_or(bare).trim();
    if angle.is_some() && bare.contains('@') && !bare.eq_ignore_ascii_case(spec) {
        return Err(FromTrouble::Unparsable);
    }
    spec.parse().map_err(|_| FromTrouble::Unparsable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(header: &str) -> Result<Sender, FromTrouble> {
        from_headers(&Headers::read(header.as_bytes()))
    }

    #[test]
    fn the_ordinary_forms_give_address_and_name() {
        for (field, address, name) in [
            ("opp@Example.org", "opp@example.org", None),
            ("<opp@example.org>", "opp@example.org", None),
            ("Harriet Pembury <opp@example.org>", "opp@example.org", Some("Harriet Pembury")),
            ("\"Pembury, Harriet\" <opp@example.org>", "opp@example.org", Some("Pembury, Harriet")),
            ("opp@example.org (Harriet (the) Pembury)", "opp@example.org", Some("Harriet (the) Pembury")),
            ("=?iso-8859-1?q?=C5ke_Lindstr=F6mer?= <opp@example.org>", "opp@example.org", Some("Åke Lindströmer")),
            ("\"other@example.net\" <opp@example.org>", "opp@example.org", Some("other@example.net")),
            ("opp@example.org <opp@example.org>", "opp@example.org", Some("opp@example.org")),
            ("opp@exämple.org", "opp@xn--exmple-cua.org", None),
            ("\"a \\\" <x@y> b\" <opp@example.org>", "opp@example.org", Some("a \" <x@y> b")),
        ] {
            let sender = sender(&format!("From: {field}\r\n")).unwrap();
            assert_eq!((sender.address.as_str(), sender.name.as_deref()), (address, name), "{field}");
        }
    }

    #[test]
    fn two_authors_are_no_sender() {
        assert_eq!(sender("From: a@example.org\nFrom: b@example.org"), Err(FromTrouble::Several));
        assert_eq!(sender("From: b@example.org\nFROM : a@example.org"), Err(FromTrouble::Several));
        assert_eq!(sender("From: a@example.org, b@example.org"), Err(FromTrouble::Several));
        assert_eq!(sender("From: A <a@example.org>, B <b@example.org>"), Err(FromTrouble::Several));
        assert_eq!(sender("To: a@example.org"), Err(FromTrouble::None));
        assert_eq!(sender("From:"), Err(FromTrouble::None));
    }

    #[test]
    fn forms_that_two_readers_read_differently_are_no_sender() {
        for field in [
            "<opp@example.org> <evil@example.net>",
            "opp@example.org <evil@example.net>",
            "<opp@example.org> evil@example.net",
            "<>",
            "opp@example.org <>",
            "<opp@example.org",
            "opp@example.org>",
            "<<opp@example.org>>",
            "team: opp@example.org;",
            "<@relay.example.net:opp@example.org>",
            "\"opp\"@example.org",
            "opp@example.org\rFrom: evil@example.net",
            "opp@example.org\0",
            "\"unclosed <opp@example.org>",
            "(unclosed opp@example.org",
            "øpp@example.org",
            "=?utf-8?q?opp=40example.org?=",
            "\"x\\",
            "opp @example.org",
            "nobody",
        ] {
            assert_eq!(sender(&format!("From: {field}\n")), Err(FromTrouble::Unparsable), "{field}");
        }
    }

    #[test]
    fn a_line_end_in_an_encoded_name_stays_out_of_the_name() {
        let sender = sender("From: =?utf-8?q?A=0D=0AB?= <opp@example.org>").unwrap();
        assert_eq!(sender.name.as_deref(), Some("A B"));
    }
}
