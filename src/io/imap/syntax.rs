//! How things are written in IMAP: command lines, sets of UIDs, dates, folder names in modified UTF-7. Pure text.

use chrono::{DateTime, FixedOffset};
use zeroize::Zeroizing;

/// What follows a verb on a command line, cut where the server must agree before a literal follows (RFC 3501 section 4.3).
///
/// It has no `Debug`: it may hold a password, and so it wipes what it held, also what it grew out of.
pub(super) struct Arguments(Vec<Zeroizing<Vec<u8>>>);

impl Arguments {
    /// No arguments, so far.
    pub(super) fn none() -> Self {
        Self(vec![Zeroizing::default()])
    }

    /// Adds a space and `text` as it is: for words and numbers of our own.
    pub(super) fn plain(mut self, text: &str) -> Self {
        if let Some(last) = self.0.last_mut() {
            *last = joined(&[last.as_slice(), b" ", text.as_bytes()]);
        }
        self
    }

    /// Adds a space and `text` as a string: quoted if it is printable ASCII, else as a literal, so that no byte of it can
    /// end the line.
    pub(super) fn string(self, text: &str) -> Self {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            let mut quoted = Zeroizing::new(String::with_capacity(2 * text.len() + 2));
            quoted.push('"');
            for c in text.chars() {
                if matches!(c, '"' | '\\') {
                    quoted.push('\\');
                }
                quoted.push(c);
            }
            quoted.push('"');
            self.plain(&quoted)
        } else {
            self.literal(text.as_bytes())
        }
    }

    /// Adds a space and any bytes, as a literal.
    pub(super) fn literal(self, bytes: &[u8]) -> Self {
        let mut cut = self.plain(&format!("{{{}}}", bytes.len()));
        cut.0.push(joined(&[bytes]));
        cut
    }

    /// Adds what answers the server's next `+`.
    pub(super) fn answer(mut self, bytes: &[u8]) -> Self {
        self.0.push(joined(&[bytes]));
        self
    }

    /// The pieces to send, each with the line end that follows it; before each but the first the server must agree.
    pub(super) fn pieces(self) -> Vec<Zeroizing<Vec<u8>>> {
        self.0.iter().map(|piece| joined(&[piece.as_slice(), b"\r\n"])).collect()
    }
}

/// The parts in one buffer that was large enough from the start: one that grows leaves its content behind.
pub(super) fn joined(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(parts.concat())
}

/// The shortest sequence-set for ascending `uids`: `3:5,9` (RFC 3501 section 9).
pub(super) fn uid_set(uids: &[u32]) -> String {
    let runs = uids.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let written = runs.filter_map(|run| match run {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}:{last}")),
    });
    written.collect::<Vec<_>>().join(",")
}

/// The moment of an INTERNALDATE, `17-Jul-1996 02:44:25 -0700`, the day perhaps after a space.
///
/// The epoch is none: Dovecot 2.3 gives it for a mail that has just been expunged.
pub(super) fn internal_date(text: &str) -> Option<DateTime<FixedOffset>> {
    let date = DateTime::parse_from_str(text.trim_start(), "%d-%b-%Y %H:%M:%S %z").ok()?;
    (date.timestamp() > 0).then_some(date)
}

/// A quoted string's text: the parser leaves the backslashes of RFC 3501 section 9 (`quoted`) in.
pub(super) fn unescape(quoted: &str) -> String {
    let mut text = String::new();
    let mut rest = quoted.chars();
    while let Some(c) = rest.next() {
        text.push(if c == '\\' { rest.next().unwrap_or(c) } else { c });
    }
    text
}

/// The modified base64 of RFC 3501 section 5.1.3: a comma in the slash's place, no padding.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/// A folder's name as it goes over the wire: `Entwürfe` is `Entw&APw-rfe` (RFC 3501 section 5.1.3).
pub(super) fn encode_folder(name: &str) -> String {
    let mut wire = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let plain = is_plain(first);
        let end = rest.find(|c| is_plain(c) != plain).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if plain {
            wire.push_str(&run.replace('&', "&-"));
        } else {
            wire.push('&');
            wire.push_str(&encode_run(run));
            wire.push('-');
        }
        rest = after;
    }
    wire
}

fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~')
}

fn encode_run(run: &str) -> String {
    let bits = run.encode_utf16().flat_map(|unit| (0..16).rev().map(move |bit| usize::from(unit >> bit & 1)));
    let bits: Vec<usize> = bits.collect();
    bits.chunks(6)
        .map(|six| six.iter().fold(0, |sum, bit| sum * 2 + bit) << (6 - six.len()))
        .filter_map(|value| BASE64.get(value).copied().map(char::from))
        .collect()
}

/// A folder's name for people. A name that breaks the rule is handed out as it came, for some servers send plain UTF-8.
pub(in crate::io) fn decode_folder(wire: &str) -> String {
    decode_strictly(wire).unwrap_or_else(|| wire.to_owned())
}

fn decode_strictly(wire: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = wire;
    while let Some((plain, shifted)) = rest.split_once('&') {
        let (run, after) = shifted.split_once('-')?;
        name.push_str(plain);
        if run.is_empty() {
            name.push('&')
        } else {
            name.push_str(&decode_run(run)?)
        }
        rest = after;
    }
    name.push_str(rest);
    // Two wires for one name would be two names for one folder.
    (encode_folder(&name) == wire).then_some(name)
}

fn decode_run(run: &str) -> Option<String> {
    let mut units = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in run.bytes() {
        let value = BASE64.iter().position(|known| *known == byte)?;
        bits = bits << 6 & 0x3f_ffff | u32::try_from(value).ok()?;
        held += 6;
        if held >= 16 {
            held -= 16;
            units.push(u16::try_from(bits >> held & 0xffff).ok()?);
        }
    }
    String::from_utf16(&units).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folder_names_follow_the_examples_of_the_rfc() {
        for (name, wire) in [
            ("INBOX", "INBOX"),
            ("Entwürfe", "Entw&APw-rfe"),
            ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
            ("Tom & Jerry", "Tom &- Jerry"),
            ("Schach ♟ \"Öl\\\"", "Schach &Jl8- \"&ANY-l\\\""),
            ("😀", "&2D3eAA-"),
        ] {
            assert_eq!(encode_folder(name), wire);
            assert_eq!(decode_folder(wire), name);
        }
    }

    #[test]
    fn a_name_that_breaks_the_rule_is_left_as_it_came() {
        for wire in ["Entwürfe", "a&b", "&APw", "&AP!-", "&AGE-", "&2D0-"] {
            assert_eq!(decode_folder(wire), wire);
        }
    }

    #[test]
    fn uid_sets_are_ranges_where_they_can_be() {
        assert_eq!(uid_set(&[1]), "1");
        assert_eq!(uid_set(&[1, 2]), "1:2");
        assert_eq!(uid_set(&[1, 3, 4, 5, 9, u32::MAX]), "1,3:5,9,4294967295");
    }

    #[test]
    fn a_string_with_a_line_end_cannot_end_the_line() {
        let pieces = Arguments::none().plain("UID").string("x\r\nB DELETE y").string("q\"\\").pieces();
        let sent: Vec<_> = pieces.iter().map(|piece| String::from_utf8_lossy(piece)).collect();
        assert_eq!(sent, [" UID {13}\r\n", "x\r\nB DELETE y \"q\\\"\\\\\"\r\n"]);
    }

    #[test]
    fn what_a_string_escapes_is_read_back() {
        for name in ["plain", "q\"x", "back\\s", "\\\"\\"] {
            let pieces = Arguments::none().string(name).pieces();
            let sent = String::from_utf8_lossy(&pieces[0]).into_owned();
            assert_eq!(unescape(sent.trim_end().strip_prefix(" \"").unwrap().strip_suffix('"').unwrap()), name);
        }
    }

    #[test]
    fn dates_are_read_with_one_or_two_digit_days() {
        let read = |text| internal_date(text).map(|date| date.to_rfc3339());
        assert_eq!(read("17-Jul-1996 02:44:25 -0700").as_deref(), Some("1996-07-17T02:44:25-07:00"));
        assert_eq!(read(" 7-Jul-1996 02:44:25 +0000").as_deref(), Some("1996-07-07T02:44:25+00:00"));
        assert_eq!(read("31-Feb-1996 02:44:25 +0000"), None);
        assert_eq!(read("01-Jan-1970 01:00:00 +0100"), None);
    }

    proptest! {
        #[test]
        fn every_name_survives_the_wire_as_plain_ascii(name in any::<String>()) {
            let wire = encode_folder(&name);
            prop_assert!(wire.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            prop_assert_eq!(decode_folder(&wire), name);
        }
    }
}
