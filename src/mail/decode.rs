//! From the bytes of a part to its characters: transfer encoding, charset, `format=flowed`.
//!
//! Lenient where a mailer slipped, because one bad escape must not leave a whole table encoded: a broken
//! quoted-printable escape stays as it stands, base64 skips foreign bytes (RFC 2045, 6.7 and 6.8).
//! Bytes above 127 without a usable charset are UTF-8 if they are valid UTF-8, else windows-1252.
//! What will surprise you: "us-ascii" with 8-bit bytes counts as undeclared. Not covered: `uuencode`, yEnc.

use std::borrow::Cow;

use mail_parser::decoders::charsets::map::charset_decoder;

/// The bytes after undoing the Content-Transfer-Encoding (given in lower case).
pub fn transfer<'a>(encoding: &str, body: &'a [u8]) -> Cow<'a, [u8]> {
    match encoding {
        "quoted-printable" => Cow::Owned(quoted_printable(body)),
        "base64" => Cow::Owned(base64(body)),
        _ => Cow::Borrowed(body),
    }
}

fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii_end();
        let soft = content.strip_suffix(b"=").filter(|_| content.len() < line.len() || line.ends_with(b"="));
        escapes(soft.unwrap_or(content), &mut out);
        // White space at the end of an encoded line was added on the way (RFC 2045, 6.7, rule 3).
        if soft.is_none() && line.ends_with(b"\n") {
            out.push(b'\n');
        }
    }
    out
}

fn escapes(line: &[u8], out: &mut Vec<u8>) {
    let mut rest = line;
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = match (byte, tail) {
            (b'=', [high, low, after @ ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| (high * 16 + low, after)),
            _ => None,
        };
        let (byte, tail) = escaped.unwrap_or((byte, tail));
        out.push(byte);
        rest = tail;
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn base64(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &byte in body.iter().take_while(|&&byte| byte != b'=') {
        let sextet = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = (bits << 6 | u32::from(sextet)) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.extend_from_slice(&[(bits >> count).to_le_bytes()[0]]);
        }
    }
    out
}

/// The characters, without a byte order mark, every line end `\n`.
pub fn characters(bytes: &[u8], charset: Option<&str>) -> String {
    let name = charset.map(|name| name.trim().to_ascii_lowercase());
    let decoder = match name.as_deref() {
        None | Some("us-ascii" | "ascii" | "ansi_x3.4-1968" | "unknown-8bit" | "utf-8" | "utf8") => None,
        Some(other) => charset_decoder(other.as_bytes()),
    };
    let text = match decoder {
        Some(decode) => decode(bytes),
        None => utf8_or_windows_1252(bytes),
    };
    text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n").replace('\r', "\n")
}

/// UTF-8; where the bytes are not, and no single sequence of theirs is, windows-1252; else UTF-8 with U+FFFD in the gaps.
fn utf8_or_windows_1252(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii()) => charset_decoder(b"windows-1252")
            .map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), |decode| decode(bytes)),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Undoes `format=flowed` (RFC 3676, 4.1 to 4.5): lines that end in a blank are joined with the next line of the same
/// quote depth; with `delsp` that blank goes; space-stuffing goes; `-- ` never joins.
pub fn unflow(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The depth at which the line being written may go on.
    let mut flowing: Option<usize> = None;
    for (number, line) in text.split('\n').enumerate() {
        let unquoted = line.trim_start_matches('>');
        let depth = line.len() - unquoted.len();
        let content = unquoted.strip_prefix(' ').unwrap_or(unquoted);
        let is_signature_mark = content == "-- ";
        if flowing != Some(depth) || is_signature_mark {
            if number > 0 {
                out.push('\n');
            }
            if depth > 0 {
                out.extend(std::iter::repeat_n('>', depth));
                out.push(' ');
            }
        }
        let flows = content.ends_with(' ') && !is_signature_mark;
        out.push_str(if flows && delsp { content.strip_suffix(' ').unwrap_or(content) } else { content });
        flowing = flows.then_some(depth);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_break_inside_a_number_leaves_the_number_whole() {
        assert_eq!(quoted_printable(b"10. 58=\r\n78 =3D\r\n"), b"10. 5878 =\n");
        assert_eq!(quoted_printable(b"58=  \n78"), b"5878");
        assert_eq!(quoted_printable(b"58="), b"58");
    }

    #[test]
    fn a_broken_escape_spoils_only_itself() {
        assert_eq!(quoted_printable(b"a=ZZ b=E9=\nc \t\n=4"), b"a=ZZ b\xe9c\n=4");
    }

    #[test]
    fn base64_skips_foreign_bytes_and_stops_at_the_padding() {
        assert_eq!(base64(b"NTI1\r\nNA==\r\nfooter"), b"5254");
        assert_eq!(base64(b"N*T I1 NA"), b"5254");
        assert_eq!(base64(b"AAECA/8="), b"\x00\x01\x02\x03\xff");
    }

    #[test]
    fn every_declared_charset_gives_its_characters() {
        for (charset, bytes, expected) in [
            ("iso-8859-1", b"re\xe7u".as_slice(), "reçu"),
            ("koi8-r", b"\xe8\xcf\xc4 5254", "Ход 5254"),
            ("windows-1251", b"\xd5\xee\xe4 5254", "Ход 5254"),
            ("iso-2022-jp", b"\x1b$B#5#2#5#4\x1b(B", "５２５４"),
            ("UTF-8", b"\xef\xbb\xbf5254", "5254"),
            ("us-ascii", b"re\xe7u", "reçu"),
            ("us-ascii", b"re\xc3\xa7u", "reçu"),
            ("utf-8", b"re\xe7u", "reçu"),
            ("utf-8", b"\xc3\xa7 \xe7", "ç \u{FFFD}"),
            ("no-such-charset", b"re\xe7u", "reçu"),
            ("utf-16", b"\xff\xfe5\x002\x00", "52"),
        ] {
            assert_eq!(characters(bytes, Some(charset)), expected, "{charset}");
        }
        assert_eq!(characters(b"re\xe7u", None), "reçu");
        assert_eq!(characters(b"a\r\nb\rc\n", None), "a\nb\nc\n");
    }

    #[test]
    fn flowed_lines_are_joined_within_one_quote_depth_only() {
        assert_eq!(unflow("11. 3443 \n1/14\nend", false), "11. 3443 1/14\nend");
        assert_eq!(unflow("> 10. 5254 \n> 5755\n>> deeper \nmine", false), "> 10. 5254 5755\n>> deeper \nmine");
        assert_eq!(unflow(" > typed, not quoted\n  two blanks", false), "> typed, not quoted\n two blanks");
        assert_eq!(unflow("word \n-- \nname", false), "word \n-- \nname");
        assert_eq!(unflow("将 \n棋", true), "将棋");
    }
}
