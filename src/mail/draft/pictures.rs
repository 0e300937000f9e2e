//! The pictures of a mail that was built before they were drawn.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{MessageParser, MimeHeaders};

/// Characters of a line of base64 (RFC 2045, 6.8).
const LINE: usize = 76;

/// The mail with other contents in its parts of type `image/png`, where `draw` gives some for those they have; all else stays to the byte.
pub fn with_pictures(mail: &[u8], draw: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let Some(parsed) = MessageParser::default().parse(mail) else { return mail.to_vec() };
    let mut whole = Vec::with_capacity(mail.len());
    let mut from = 0;
    for part in &parsed.parts {
        let is_png = part.content_type().is_some_and(|kind| kind.ctype() == "image" && kind.subtype() == Some("png"));
        let [begins, ends] =
            [part.raw_body_offset(), part.raw_end_offset()].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        let drawn = is_png.then(|| draw(part.contents())).flatten();
        if let Some((png, before)) = drawn.zip(mail.get(from..begins)) {
            let encoded = STANDARD.encode(png);
            let lines: Vec<&[u8]> = encoded.as_bytes().chunks(LINE).collect();
            whole.extend_from_slice(before);
            whole.extend_from_slice(&lines.join(&b"\r\n"[..]));
            // where the last line end is the boundary's, the part has none of its own
            whole.extend_from_slice(if mail.get(..ends).is_some_and(|to| to.ends_with(b"\n")) { b"\r\n" } else { b"" });
            from = ends;
        }
    }
    whole.extend_from_slice(mail.get(from..).unwrap_or_default());
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_put_in_and_nothing_else_of_the_mail_changes() {
        let png: Vec<u8> = (0..=255).collect();
        for end in ["", "\r\n"] {
            let head = "From: a@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n\
                        Content-Type: image/png\r\nxxxx\r\n--b\r\nContent-Type: image/png\r\n\
                        Content-Transfer-Encoding: base64\r\n\r\n";
            let tail = format!(
                "{end}\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\neXl5eQ==\r\n--b--\r\n"
            );
            let mail = format!("{head}eHh4eA=={tail}");
            let draw = |contents: &[u8]| (contents == b"xxxx").then(|| png.clone());
            let whole = with_pictures(mail.as_bytes(), draw);
            assert!(whole.starts_with(head.as_bytes()) && whole.ends_with(tail.as_bytes()), "{end:?}");
            let parsed = MessageParser::default().parse(&whole).unwrap();
            assert_eq!(parsed.parts.get(2).unwrap().contents(), png);
            assert_eq!(parsed.parts.get(3).unwrap().contents(), b"yyyy");
            assert_eq!(with_pictures(&whole, draw), whole, "what is drawn stays so");
        }
    }
}
