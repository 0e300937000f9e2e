//! A message of our own to bytes: the same input always gives the same bytes, since Date and Message-ID are arguments.
//!
//! Uses lettre's header encoders and MIME parts, not its `MessageBuilder`, which reads the clock. Text is
//! `text/plain; charset=utf-8`, never format=flowed, no line ends in a blank: mail programs re-flow such lines. Beside it the
//! same may stand in HTML with its pictures, in the mail itself and never fetched.
//! Names and subjects are cleaned, since lettre panics on a line end in a display name; ids and addresses come as types
//! that cannot hold one. The finished bytes are read back and compared before anybody gets them.
//! What will surprise you: the attached reply is an octet-stream on purpose. As `message/rfc822` Thunderbird shows it as
//! a received mail; saved or opened as a file, its `X-Unsent: 1` opens the composer. Not covered: Bcc.

use std::fmt;

use chrono::{DateTime, Datelike, FixedOffset};
use lettre::message::header::{self, HeaderName, HeaderValue, Headers};
use lettre::message::{MultiPart, SinglePart};

use super::address::Address;
use super::ids::MessageId;

mod check;
mod parts;
mod pictures;

pub use pictures::with_pictures;

/// Characters kept of a display name.
const MAX_NAME: usize = 100;
/// Characters kept of a subject.
const MAX_SUBJECT: usize = 250;
/// Characters of a boundary (RFC 2046, 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// A name and an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Shown beside the address; cleaned when written.
    pub name: Option<String>,
    /// Where the mail goes.
    pub address: Address,
}

/// A finished mail that goes along as a file, to be opened, completed and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedReply {
    /// `reply.eml`; ASCII letters, digits, `.`, `-` and `_` only.
    pub file_name: String,
    /// A whole mail, made with `unsent`.
    pub bytes: Vec<u8>,
}

/// The text once more in HTML (RFC 2046, 5.1.4), with the pictures that it shows (RFC 2387, RFC 2392).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// A whole document that fetches nothing; what it shows of pictures are those below.
    pub html: String,
    /// In any order.
    pub pictures: Vec<InlinePicture>,
}

/// A picture in the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlinePicture {
    /// By which the page names it.
    pub content_id: ContentId,
    /// For programs that show it as a file; characters as in [`AttachedReply::file_name`].
    pub file_name: String,
    /// PNG, or what it is drawn from where the letter goes out.
    pub png: Vec<u8>,
}

/// The name of a picture, unlike that of any other in any mail; shown without angle brackets, as in `cid:`, where it needs no
/// escape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentId(String);

impl ContentId {
    /// That of the picture of this name in this mail.
    pub fn of(mail: &MessageId, picture: &str) -> ContentId {
        let plain = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
        };
        let (left, domain) = mail.as_str().split_once('@').unwrap_or((mail.as_str(), "localhost"));
        ContentId(format!("{}.{}@{}", plain(picture), plain(left), plain(domain)))
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything that becomes a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMessage {
    /// The one author.
    pub from: Mailbox,
    /// At least one, but in a mail with `unsent`, which may leave it to whoever sends it.
    pub to: Vec<Mailbox>,
    /// Director or captain, where the event wants it.
    pub cc: Vec<Mailbox>,
    /// Cleaned when written: no line ends, at most 250 characters.
    pub subject: String,
    /// The time in the Date field, with the author's offset from UTC.
    pub date: DateTime<FixedOffset>,
    /// The mail's own id.
    pub message_id: MessageId,
    /// The mail that this one answers.
    pub in_reply_to: Option<MessageId>,
    /// The thread, root first, the answered mail last.
    pub references: Vec<MessageId>,
    /// Written by the program without a click: marked so that no program answers (RFC 3834, 5).
    pub auto_submitted: bool,
    /// Adds `X-Unsent: 1`; for a mail that is saved or attached as a file, never for one that is sent.
    pub unsent: bool,
    /// The text, lines ended by `\n`.
    pub body: String,
    /// The same as a page.
    pub page: Option<Page>,
    /// The reply that goes along.
    pub attached_reply: Option<AttachedReply>,
}

/// Why no bytes were made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// `to` is empty.
    #[error("the draft has no recipient; enter an address for the opponent of this game")]
    NoRecipient,
    /// A year that no Date field can hold.
    #[error("the draft's date {0} cannot be written in a mail; check the clock")]
    Date(i32),
    /// lettre refuses an address.
    #[error("the address {0} cannot be written in a mail; correct it in the game")]
    Address(Address),
    /// A file name with other characters than plain ones.
    #[error("the file name {0:?} of an attached file is not plain ASCII; use one like reply.eml")]
    FileName(String),
    /// The finished bytes do not say what they should.
    #[error(
        "the draft was not made: reading it back gave a different {0}; please report this with the names and subject used"
    )]
    SelfCheck(&'static str),
}

/// What a reader's program shows of a mail.
enum Shown {
    Text(SinglePart),
    Both(MultiPart),
}

impl DraftMessage {
    /// The mail, ready to be stored, delivered or appended: ASCII, CRLF line ends, no line longer than 998 bytes.
    ///
    /// # Errors
    /// [`DraftError`]; then there are no bytes at all.
    pub fn to_bytes(&self) -> Result<Vec<u8>, DraftError> {
        let headers = self.headers()?;
        let body = clean_body(&self.body);
        let mut bytes = headers.to_string().into_bytes();
        bytes.extend(match (self.shown(&body)?, &self.attached_reply) {
            (Shown::Text(text), None) => text.formatted(),
            (Shown::Both(both), None) => both.formatted(),
            (shown, Some(reply)) => {
                let mixed = MultiPart::mixed().boundary(self.boundary("_"));
                let mixed = match shown {
                    Shown::Text(text) => mixed.singlepart(text),
                    Shown::Both(both) => mixed.multipart(both),
                };
                mixed.singlepart(parts::file(reply)?).formatted()
            }
        });
        check::read_back(self, &bytes, &body)?;
        Ok(bytes)
    }

    /// What is shown: the text, or the text and the page, from which the reader's program chooses the one that it shows best.
    fn shown(&self, body: &str) -> Result<Shown, DraftError> {
        let text = parts::text(body)?;
        let Some(page) = &self.page else { return Ok(Shown::Text(text)) };
        let mut related = MultiPart::related().boundary(self.boundary("r_")).singlepart(parts::html(&page.html)?);
        for picture in &page.pictures {
            related = related.singlepart(parts::picture(picture)?);
        }
        Ok(Shown::Both(MultiPart::alternative().boundary(self.boundary("a_")).singlepart(text).multipart(related)))
    }

    fn headers(&self) -> Result<Headers, DraftError> {
        if self.to.is_empty() && !self.unsent {
            return Err(DraftError::NoRecipient);
        }
        if !(1900..=9999).contains(&self.date.year()) {
            return Err(DraftError::Date(self.date.year()));
        }
        let mut headers = Headers::new();
        let lists = [("From", std::slice::from_ref(&self.from)), ("To", &self.to), ("Cc", &self.cc)];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            headers.insert_raw(addresses(name, list)?);
        }
        headers.set(header::Subject::from(header_text(&self.subject, MAX_SUBJECT)));
        let mut field =
            |name, value: String| headers.insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
        // Not `DateTime::to_rfc2822`: it leaves out the leading zero of the day.
        field("Date", self.date.format("%a, %d %b %Y %H:%M:%S %z").to_string());
        field("Message-ID", self.message_id.to_string());
        if let Some(id) = &self.in_reply_to {
            field("In-Reply-To", id.to_string());
        }
        if !self.references.is_empty() {
            field("References", self.references.iter().map(MessageId::to_string).collect::<Vec<_>>().join(" "));
        }
        if self.auto_submitted {
            field("Auto-Submitted", "auto-generated".to_owned());
            field("X-Auto-Response-Suppress", "All".to_owned());
        }
        if self.unsent {
            field("X-Unsent", "1".to_owned());
        }
        headers.set(header::MIME_VERSION_1_0);
        Ok(headers)
    }

    /// The same for the same Message-ID; `=_` cannot stand in quoted-printable text, nor can `=r_`, and the read-back sees the rest.
    fn boundary(&self, kind: &str) -> String {
        let id = self.message_id.as_str().chars().filter(char::is_ascii_alphanumeric);
        "=".chars().chain(kind.chars()).chain(id).take(MAX_BOUNDARY).collect()
    }
}

/// The field with these addresses. A name in ASCII stays readable: lettre would encode one with a comma.
fn addresses(field: &'static str, list: &[Mailbox]) -> Result<HeaderValue, DraftError> {
    let mut mailboxes = lettre::message::Mailboxes::new();
    let mut plain = Vec::new();
    for mailbox in list {
        let address = &mailbox.address;
        let email = lettre::Address::new(address.local(), address.domain())
            .map_err(|_| DraftError::Address(address.clone()))?;
        let name = mailbox.name.as_deref().map(|name| header_text(name, MAX_NAME)).filter(|name| !name.is_empty());
        plain.push(match &name {
            Some(name) => format!("{} <{email}>", phrase(name)),
            None => email.to_string(),
        });
        mailboxes.push(lettre::message::Mailbox::new(name, email));
    }
    let plain = plain.join(", ");
    let name = HeaderName::new_from_ascii_str(field);
    Ok(if plain.is_ascii() {
        HeaderValue::new(name, plain)
    } else {
        let mut headers = Headers::new();
        headers.set(header::To::from(mailboxes));
        let encoded = headers.to_string();
        HeaderValue::new(name, encoded.trim_start_matches("To: ").replace("\r\n", ""))
    })
}

/// A name as one word of a field, or as a quoted string (RFC 5322, 3.2.3 and 3.2.4).
fn phrase(name: &str) -> String {
    let is_atom = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_atom { name.to_owned() } else { format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// One line without encoded words, control, zero-width and bidirectional characters, single blanks, at most `max` characters.
fn header_text(value: &str, max: usize) -> String {
    let is_visible = |character: &char| {
        !character.is_control()
            && !matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    let line: String = value.chars().map(|character| if is_visible(&character) { character } else { ' ' }).collect();
    // What looks like an encoded word would be decoded by the reader (RFC 2047, 7).
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ").replace("=?", "= ?");
    line.chars().take(max).collect::<String>().trim_end().to_owned()
}

/// `\n` line ends, no control characters but tabs, no blanks at the end of a line, one line end at the end.
fn clean_body(body: &str) -> String {
    let body = body.replace("\r\n", "\n").replace('\r', "\n");
    let mut clean = String::with_capacity(body.len() + 1);
    for line in body.trim_end().split('\n') {
        let line: String = line.chars().filter(|character| !character.is_control() || *character == '\t').collect();
        clean.push_str(line.trim_end());
        clean.push('\n');
    }
    clean
}
