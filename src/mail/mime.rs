//! The leaves of a mail's MIME tree, found in one pass over the lines, without recursion.
//!
//! Exists because mail-parser 0.11 nests attached messages without a limit and drops them recursively: a few hundred
//! KB of `message/rfc822` abort the process. Here an attached message is one opaque part, boundaries count only at the
//! start of a line (RFC 2046, 5.1.1), and depth and number are bounded. mail-parser reads single fields only.
//! Broken mails still give their text: an unterminated part ends with the mail, a multipart without a single boundary
//! line is one text part. What will surprise you: two different Content-Type lines in one part are an error, because
//! readers differ about which one counts.

use mail_parser::{HeaderName, HeaderValue, MessageParser, MimeHeaders};

use super::headers::Headers;

/// Why a mail's bytes give no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// None of From, Date, Message-ID, Subject is there.
    #[error("this is no mail: it has no From, Date, Message-ID or Subject; save the whole message with its header")]
    NotAMail,
    /// Multiparts stand in one another beyond any sense.
    #[error("the mail's parts are nested too deeply to be read safely; look at it in your mail program")]
    TooDeep,
    /// More parts than any letter has.
    #[error("the mail has too many parts to be read safely; look at it in your mail program")]
    TooManyParts,
    /// A header longer than any program writes.
    #[error("the mail's header is too long to be read safely; look at it in your mail program")]
    TooMuchHeader,
    /// A text longer than anyone writes, or a page built to exhaust its reader.
    #[error("the mail's text is too large to be read safely; look at it in your mail program")]
    TooMuchText,
    /// Two programs would show two different texts.
    #[error("the mail can be read in two ways ({0}); look at it in your mail program")]
    Ambiguous(&'static str),
    /// The parser failed on it.
    #[error("the mail could not be taken apart: the parser failed on it; look at it in your mail program")]
    ParserPanic,
}

/// Multiparts inside one another; real mails need about six.
const MAX_DEPTH: usize = 32;
/// Parts in one mail.
const MAX_PARTS: usize = 500;
/// Bytes of one header field handed to the parser; the longest real ones are lists of recipients.
const MAX_FIELD: usize = 64 * 1024;
/// Bytes of a field that says what a part is; the parser appends each piece of a parameter to a copy of those before it.
const MAX_TYPE_FIELD: usize = 8 * 1024;
/// Bytes of one header; the longest real ones, of lists and of many signatures, have some 100 KB.
const MAX_HEADER: usize = 1024 * 1024;

/// What a part says about itself, with RFC 2045's defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartType {
    /// `text/plain` and the like, in lower case.
    pub content_type: String,
    /// The `charset` parameter.
    pub charset: Option<String>,
    /// RFC 3676 `format=flowed`; the value is that of `delsp=yes`.
    pub flowed: Option<bool>,
    /// The `boundary` of a multipart.
    pub boundary: Option<String>,
    /// File name, decoded (RFC 2231, RFC 2047).
    pub name: Option<String>,
    /// Content-Disposition says `attachment`.
    pub is_attachment: bool,
    /// The Content-Transfer-Encoding in lower case.
    pub transfer_encoding: String,
}

/// One leaf: what it says about itself, and its bytes as they were sent.
#[derive(Debug)]
pub struct Part<'a> {
    /// Type, charset, name.
    pub part_type: PartType,
    /// Still encoded.
    pub body: &'a [u8],
    /// It stands beside other forms of the same content (RFC 2046, 5.1.4).
    pub is_alternative: bool,
}

/// A mail taken apart.
#[derive(Debug)]
pub struct Entity<'a> {
    /// The mail's own header.
    pub headers: Headers,
    /// The type of the mail as a whole.
    pub root_type: PartType,
    /// The leaves in their order.
    pub parts: Vec<Part<'a>>,
}

/// An open multipart.
struct Open {
    delimiter: Vec<u8>,
    /// Its content type.
    kind: String,
    /// Where the preamble began, until the first boundary line: the text of a multipart that has no parts.
    preamble: Option<usize>,
}

enum State {
    Header {
        start: usize,
    },
    Body {
        start: usize,
        part_type: PartType,
    },
    /// Preamble and epilogue.
    Between,
}

/// The mail's header and leaves.
///
/// # Errors
/// [`MessageError::TooDeep`], [`MessageError::TooManyParts`], [`MessageError::TooMuchHeader`], and
/// [`MessageError::Ambiguous`] where readers differ.
pub fn take_apart(raw: &[u8]) -> Result<Entity<'_>, MessageError> {
    let mut walk = Walk {
        raw,
        headers: None,
        root_type: None,
        parts: Vec::new(),
        open: Vec::new(),
        state: State::Header { start: 0 },
    };
    let mut position = 0;
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        walk.line(position, line)?;
        position += line.len();
    }
    walk.finish()
}

struct Walk<'a> {
    raw: &'a [u8],
    headers: Option<Headers>,
    root_type: Option<PartType>,
    parts: Vec<Part<'a>>,
    open: Vec<Open>,
    state: State,
}

impl<'a> Walk<'a> {
    fn line(&mut self, position: usize, line: &[u8]) -> Result<(), MessageError> {
        let content = line.trim_ascii_end();
        if content.starts_with(b"--")
            && let Some((level, is_last)) = self.boundary(content)
        {
            self.close_part(position)?;
            // A boundary of an outer multipart ends every inner one (RFC 2046, 5.1.2).
            while self.open.len() > level + 1 {
                self.close_multipart(position)?;
            }
            if let Some(open) = self.open.last_mut() {
                open.preamble = None;
            }
            self.state = if is_last {
                self.open.pop();
                State::Between
            } else {
                State::Header { start: position + line.len() }
            };
            return Ok(());
        }
        if let State::Header { start } = self.state
            && matches!(line, b"\n" | b"\r\n")
        {
            self.end_of_header(start, position, position + line.len())?;
        }
        Ok(())
    }

    /// Which open multipart this line delimits, and whether it closes it.
    fn boundary(&self, line: &[u8]) -> Option<(usize, bool)> {
        self.open.iter().enumerate().rev().find_map(|(level, open)| {
            match line.strip_prefix(open.delimiter.as_slice())? {
                b"" => Some((level, false)),
                b"--" => Some((level, true)),
                _ => None,
            }
        })
    }

    fn end_of_header(&mut self, start: usize, end: usize, body: usize) -> Result<(), MessageError> {
        let block = self.raw.get(start..end).unwrap_or_default();
        if block.len() > MAX_HEADER {
            return Err(MessageError::TooMuchHeader);
        }
        let headers = Headers::read(block);
        let in_digest = self.open.last().is_some_and(|open| open.kind == "multipart/digest");
        let part_type = part_type(&headers, in_digest)?;
        if self.headers.is_none() {
            self.headers = Some(headers);
            self.root_type = Some(part_type.clone());
        }
        self.state = match &part_type.boundary {
            Some(boundary) if part_type.content_type.starts_with("multipart/") => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(MessageError::TooDeep);
                }
                self.open.push(Open {
                    delimiter: [b"--", boundary.as_bytes()].concat(),
                    kind: part_type.content_type.clone(),
                    preamble: Some(body),
                });
                State::Between
            }
            // A multipart that names no boundary can only be read as text.
            _ if part_type.content_type.starts_with("multipart/") => {
                State::Body { start: body, part_type: PartType::plain_text() }
            }
            _ => State::Body { start: body, part_type },
        };
        Ok(())
    }

    fn close_part(&mut self, end: usize) -> Result<(), MessageError> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Header { start } => self.end_of_header(start, end, end)?,
            State::Body { start, part_type } => return self.push(part_type, start, end),
            State::Between => return Ok(()),
        }
        // The header had no body: the part is empty.
        if let State::Body { part_type, .. } = std::mem::replace(&mut self.state, State::Between) {
            self.push(part_type, end, end)?;
        }
        Ok(())
    }

    fn close_multipart(&mut self, end: usize) -> Result<(), MessageError> {
        match self.open.pop().and_then(|open| open.preamble) {
            Some(start) => self.push(PartType::plain_text(), start, end),
            None => Ok(()),
        }
    }

    fn push(&mut self, part_type: PartType, start: usize, end: usize) -> Result<(), MessageError> {
        if self.parts.len() >= MAX_PARTS {
            return Err(MessageError::TooManyParts);
        }
        let body = self.raw.get(start..end).unwrap_or_default();
        // The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1).
        let body = if end < self.raw.len() {
            body.strip_suffix(b"\n").map_or(body, |b| b.strip_suffix(b"\r").unwrap_or(b))
        } else {
            body
        };
        let is_alternative = self.open.last().is_some_and(|open| open.kind == "multipart/alternative");
        self.parts.push(Part { part_type, body, is_alternative });
        Ok(())
    }

    fn finish(mut self) -> Result<Entity<'a>, MessageError> {
        let end = self.raw.len();
        self.close_part(end)?;
        while !self.open.is_empty() {
            self.close_multipart(end)?;
        }
        Ok(Entity {
            headers: self.headers.unwrap_or_default(),
            root_type: self.root_type.unwrap_or_else(PartType::plain_text),
            parts: self.parts,
        })
    }
}

impl PartType {
    fn plain_text() -> Self {
        Self {
            content_type: "text/plain".to_owned(),
            charset: None,
            flowed: None,
            boundary: None,
            name: None,
            is_attachment: false,
            transfer_encoding: "7bit".to_owned(),
        }
    }
}

fn part_type(headers: &Headers, in_digest: bool) -> Result<PartType, MessageError> {
    for name in ["content-type", "content-transfer-encoding"] {
        let mut values = headers.all(name);
        let first = values.next();
        if values.any(|value| Some(value) != first) {
            return Err(MessageError::Ambiguous(
                "two different Content-Type or Content-Transfer-Encoding lines in one part",
            ));
        }
    }
    let mut block = Vec::new();
    for name in ["content-type", "content-disposition", "content-transfer-encoding"] {
        if let Some(value) = headers.first(name) {
            if value.len() > MAX_TYPE_FIELD {
                return Err(MessageError::Ambiguous(
                    "a line about the kind of a part is longer than any program writes",
                ));
            }
            push_field(&mut block, name, value);
        }
    }
    block.push(b'\n');
    let mut result = PartType::plain_text();
    if in_digest {
        "message/rfc822".clone_into(&mut result.content_type);
    }
    let Some(parsed) = MessageParser::default().parse_headers(&block) else {
        return Ok(result);
    };
    if let Some(encoding) = parsed.content_transfer_encoding() {
        let word = encoding.split([';', '(', ' ', '\t']).find(|word| !word.is_empty()).unwrap_or_default();
        result.transfer_encoding = word.to_ascii_lowercase();
    }
    if let Some(declared) = parsed.content_type() {
        // RFC 2045, 5.2: what cannot be read counts as text/plain.
        if let Some(subtype) = declared.subtype() {
            result.content_type = format!("{}/{}", declared.ctype(), subtype).to_ascii_lowercase();
        }
        result.charset = declared.attribute("charset").map(str::to_owned);
        result.boundary =
            declared.attribute("boundary").filter(|boundary| !boundary.is_empty()).map(|b| b.trim_end().to_owned());
        if declared.attribute("format").is_some_and(|format| format.eq_ignore_ascii_case("flowed")) {
            result.flowed = Some(declared.attribute("delsp").is_some_and(|delsp| delsp.eq_ignore_ascii_case("yes")));
        }
    }
    result.is_attachment = parsed.content_disposition().is_some_and(mail_parser::ContentType::is_attachment);
    result.name = parsed.attachment_name().map(str::to_owned);
    Ok(result)
}

/// One unfolded field in the form the parser takes; never longer than [`MAX_FIELD`].
fn push_field(block: &mut Vec<u8>, name: &str, value: &str) {
    block.extend_from_slice(name.as_bytes());
    block.extend_from_slice(b": ");
    block.extend(value.bytes().take(MAX_FIELD).filter(|byte| !matches!(byte, b'\r' | b'\n')));
    block.push(b'\n');
}

/// One field read by mail-parser: encoded words, address lists.
pub(super) fn read_field(name: HeaderName<'static>, value: &str) -> HeaderValue<'static> {
    let mut block = Vec::new();
    push_field(&mut block, name.as_str(), value);
    block.push(b'\n');
    let parsed = MessageParser::default().parse_headers(&block);
    parsed.and_then(|message| message.header(name).cloned()).map_or(HeaderValue::Empty, HeaderValue::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(raw: &str) -> Vec<(String, String)> {
        let entity = take_apart(raw.as_bytes()).unwrap();
        entity
            .parts
            .iter()
            .map(|part| (part.part_type.content_type.clone(), String::from_utf8_lossy(part.body).into_owned()))
            .collect()
    }

    fn pair(content_type: &str, body: &str) -> (String, String) {
        (content_type.to_owned(), body.to_owned())
    }

    #[test]
    fn the_leaves_of_nested_multiparts_come_in_their_order() {
        let raw = "Content-Type: multipart/mixed; boundary=a\n\npreamble\n--a\nContent-Type: multipart/alternative; boundary=\"a b\"\n\n\
                   --a b\n\none\n--a b\nContent-Type: text/html\n\ntwo\n--a b--\nepilogue\n--a  \n\nthree\n\n--a--\nend\n";
        assert_eq!(bodies(raw), [pair("text/plain", "one"), pair("text/html", "two"), pair("text/plain", "three\n")]);
    }

    #[test]
    fn an_outer_boundary_ends_an_unterminated_inner_multipart() {
        let raw = "Content-Type: multipart/mixed; boundary=out\n\n--out\nContent-Type: multipart/alternative; boundary=in\n\n--in\n\none\n--out\n\ntwo\n";
        assert_eq!(bodies(raw), [pair("text/plain", "one"), pair("text/plain", "two\n")]);
    }

    #[test]
    fn a_multipart_without_any_boundary_line_is_one_text() {
        assert_eq!(
            bodies("Content-Type: multipart/mixed; boundary=zz\n\nhello 5254\n"),
            [pair("text/plain", "hello 5254\n")]
        );
        assert_eq!(bodies("Content-Type: multipart/mixed\n\nhello 5254\n"), [pair("text/plain", "hello 5254\n")]);
    }

    #[test]
    fn a_boundary_in_the_middle_of_a_line_does_not_end_the_part() {
        let raw = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee --b and\n --b\n--bc\n> --b\n--b--\n";
        assert_eq!(bodies(raw), [pair("text/plain", "see --b and\n --b\n--bc\n> --b")]);
    }

    #[test]
    fn an_attached_message_is_one_opaque_part_also_in_a_digest() {
        let raw = "Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: x\n\ninner\n--d--\n";
        assert_eq!(bodies(raw), [pair("message/rfc822", "Subject: x\n\ninner")]);
    }

    #[test]
    fn a_mail_that_is_all_header_has_one_empty_part() {
        assert_eq!(bodies("Subject: x"), [pair("text/plain", "")]);
    }

    #[test]
    fn two_different_content_types_are_ambiguous() {
        let raw = b"Content-Type: text/plain\nContent-Type: text/html\n\nx";
        assert!(matches!(take_apart(raw), Err(MessageError::Ambiguous(_))));
        assert!(take_apart(b"Content-Type: text/plain\nContent-Type: text/plain\n\nx").is_ok());
    }
}
