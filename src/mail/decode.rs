//! From the bytes of a part to its characters: transfer encoding, charset, `format=flowed`.
//!
//! Lenient where a mailer slipped, because one bad escape must not leave a whole table encoded: a broken
//! quoted-printable escape stays as it stands, base64 skips foreign bytes (RFC 2045, 6.7 and 6.8), and a text that was
//! encoded without saying so is decoded where every `=` in it belongs to an escape.
//! Bytes above 127 without a usable charset are UTF-8 if they are valid UTF-8, else windows-1252, which unlike Latin-9 has
//! the dashes and fractions that people type. What will surprise you: "us-ascii" with 8-bit bytes counts as undeclared,
//! and "iso-8859-1" over valid UTF-8 as UTF-8. Not covered: `uuencode`, yEnc.

use std::borrow::Cow;

use mail_parser::decoders::charsets::map::charset_decoder;

/// The bytes after undoing the Content-Transfer-Encoding (given in lower case).
pub fn transfer<'a>(encoding: &str, body: &'a [u8]) -> Cow<'a, [u8]> {
    match encoding {
        "quoted-printable" => Cow::Owned(quoted_printable(body)),
        "base64" => Cow::Owned(base64(body)),
        _ if is_left_encoded(body) => Cow::Owned(quoted_printable(body)),
        _ => Cow::Borrowed(body),
    }
}

/// Whether bytes that claim no encoding are quoted-printable nevertheless: each `=` stands at the end of a line or before
/// two digits that an encoder writes, and one of them does what nobody types.
pub(super) fn is_left_encoded(body: &[u8]) -> bool {
    let mut is_certain = false;
    let mut pieces = body.split(|&byte| byte == b'=');
    let mut before = pieces.next().unwrap_or_default();
    for rest in pieces {
        let is_next = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        match rest {
            // A number goes on after the soft break.
            [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => {
                is_certain |= is_next(after.first()) && is_next(before.last());
            }
            [high @ (b'0'..=b'9' | b'A'..=b'F'), low @ (b'0'..=b'9' | b'A'..=b'F'), after @ ..] => {
                let at_line_end = matches!(after.first(), None | Some(b'\r' | b'\n'));
                is_certain |= match (high, low) {
                    (b'3', b'D') | (b'8'..=b'9' | b'A'..=b'F', _) => true,
                    (b'2', b'0') | (b'0', b'9' | b'D') => at_line_end,
                    _ => false,
                };
            }
            [] => {}
            _ => return false,
        }
        before = rest;
    }
    is_certain
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
    let name = charset.map(charset_name).unwrap_or_default();
    let name = match bytes {
        [0xFF, 0xFE, ..] => "utf-16le",
        [0xFE, 0xFF, ..] => "utf-16be",
        // JIS text is 7-bit, and its escapes stand for nothing else (RFC 1468).
        _ if is_undeclared(&name) && bytes.windows(3).any(|escape| escape == b"\x1b$B") => "iso-2022-jp",
        _ if is_western(&name) && std::str::from_utf8(bytes).is_ok() => "utf-8",
        _ => &name,
    };
    let decoder = if is_undeclared(name) { None } else { charset_decoder(name.as_bytes()) };
    let text = match decoder {
        Some(decode) => decode(bytes),
        None => utf8_or_windows_1252(bytes),
    };
    text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n").replace('\r', "\n")
}

/// In lower case, and by the name that the parser knows.
fn charset_name(declared: &str) -> String {
    let name = declared.trim_matches([' ', '\t', '"', '\'']).to_ascii_lowercase();
    match name.as_str() {
        "cp932" | "cp943" => "shift_jis".to_owned(),
        "latin9" | "latin-9" => "iso-8859-15".to_owned(),
        _ => match name.trim_start_matches("windows").trim_start_matches("win").trim_start_matches(['-', '_']) {
            page if page.len() == 4 && page.starts_with("125") => format!("windows-{page}"),
            _ => name,
        },
    }
}

fn is_undeclared(name: &str) -> bool {
    matches!(name, "" | "us-ascii" | "ascii" | "ansi_x3.4-1968" | "unknown-8bit" | "utf-8" | "utf8")
}

/// Under these names mailers also send UTF-8.
fn is_western(name: &str) -> bool {
    matches!(name, "iso-8859-1" | "iso8859-1" | "latin1" | "iso-8859-15" | "windows-1252")
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
    fn a_text_left_encoded_is_decoded_and_one_with_equals_signs_is_not() {
        for (body, expected) in [
            (b"10. 58=\r\n78".as_slice(), b"10. 5878".as_slice()),
            (b"re=C3=A7u =35=32", b"re\xc3\xa7u 52"),
            (b"a =3D b=20\n", b"a = b \n"),
        ] {
            assert_eq!(&*transfer("7bit", body), expected);
        }
        for body in [
            b"5755 =\n7. 5171".as_slice(),
            b"days=35 total=12\n",
            b"e8=Q 10. 58=\n78",
            b"re=C3=A7u a=b",
            b"=====\n",
            b"-> 5254 =\n",
        ] {
            assert_eq!(&*transfer("8bit", body), body);
        }
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
            ("iso-8859-1", b"re\xc3\xa7u 24\xe2\x80\x9325", "reçu 24–25"),
            ("us-ascii", b"24\x9625 \xbd", "24–25 ½"),
            ("iso-8859-15", b"\xa4", "€"),
            ("'WIN-1251'", b"\xd5\xee\xe4", "Ход"),
            ("us-ascii", b"\x1b$B#5#2\x1b(B", "５２"),
            ("utf-8", b"\xff\xfe5\x002\x00", "52"),
            ("iso-8859-5", b"\xc5\xde\xd4", "Ход"),
            ("iso-8859-2", b"napsal p\xf8\xedtel", "napsal přítel"),
            ("iso-8859-4", b"\xfe", "ū"),
            ("iso-8859-7", b"\xdd\xe3\xf1\xe1\xf8\xe5", "έγραψε"),
            ("iso-8859-9", b"\xfeunu yazd\xfd", "şunu yazdı"),
            ("iso-8859-10", b"\xbf", "ŋ"),
            ("iso-8859-13", b"ra\xf0\xeb", "rašė"),
            ("iso-8859-16", b"\xba", "ș"),
            ("windows-1250", b"napsal\x85", "napsal…"),
            ("windows-1253", b"\xdd", "έ"),
            ("windows-1254", b"\xfd", "ı"),
            ("windows-1257", b"\xeb", "ė"),
            ("koi8-u", b"\xa4", "є"),
            ("euc-jp", b"\xa3\xb5\xa3\xb2", "５２"),
            ("shift_jis", b"\x82\x54\x82\x51", "５２"),
            ("cp932", b"\x82\x54\x82\x51", "５２"),
            ("gb2312", b"\xd0\xb4\xb5\xc0", "写道"),
            ("euc-kr", b"\xc0\xdb\xbc\xba", "작성"),
            ("big5", b"\xbc\x67\xb9\x44", "寫道"),
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
