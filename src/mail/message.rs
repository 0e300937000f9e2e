//! A mail's bytes to what the rest of the program may know of it: sender, dates, ids, and the views of its text.
//!
//! May use the other readers of this folder; never the clock. The size is the caller's to bound before it calls.
//! Every text is normalised (see `text`). The plain and the HTML view are kept apart, because where they disagree the
//! mail is doubtful. Addresses of an incoming mail are for showing and for comparing, never for answering.
//! What will surprise you: an attached message gives no text, a doubled Date or Message-ID counts as missing, a text part
//! with a file name is an attachment, and a view that only says "no HTML here" is none beside a real one. A text larger
//! than anyone writes is an error, a file so large has no text. mail-parser may panic: that is one more error.

use chrono::{DateTime, FixedOffset};
use mail_parser::HeaderName;

use super::address::Address;
use super::automatic::{self, Automatic};
use super::headers::Headers;
use super::ids::MessageId;
pub use super::mime::MessageError;
use super::mime::{self, Part};
use super::sender::{self, FromTrouble, Sender};
use super::{decode, html, notices, text};

/// Characters kept of a subject.
const MAX_SUBJECT: usize = 1000;
/// Characters kept of a file name.
const MAX_FILE_NAME: usize = 255;
/// Bytes, still encoded, of the plain text of a letter.
const MAX_PLAIN: usize = 1024 * 1024;
/// Bytes, still encoded, of its HTML: some programs put small pictures into it.
const MAX_HTML: usize = 4 * 1024 * 1024;
/// Bytes, still encoded, of all files of a mail that are read as texts.
const MAX_FILES: usize = 2 * 1024 * 1024;

/// A file that came with the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its file name in one line, for showing; never a path to write to.
    pub name: Option<String>,
    /// `application/pdf` and the like, in lower case.
    pub content_type: String,
    /// Its text, normalised, where the bytes are text and not too many, and for every chess game; not for an attached
    /// message, a PDF file, a visiting card or a signature.
    pub text: Option<String>,
}

impl Attachment {
    /// Whether it is a chess game in PGN, by its type or the ending of its name, whatever it holds: mailers send such
    /// files under any type, and no type was ever registered.
    pub fn is_pgn(&self) -> bool {
        is_pgn(&self.content_type, self.name.as_deref())
    }
}

fn is_pgn(content_type: &str, name: Option<&str>) -> bool {
    let has_type = content_type.split_once('/').is_some_and(|(kind, subtype)| {
        matches!(kind, "application" | "text")
            && matches!(subtype, "x-chess" | "x-chess-pgn" | "vnd.chess-pgn" | "chess" | "pgn" | "x-pgn")
    });
    has_type || name.is_some_and(|name| name.trim_end().to_ascii_lowercase().ends_with(".pgn"))
}

/// A mail, read.
#[derive(Debug, Clone)]
pub struct IncomingMessage {
    /// The fields as written.
    pub headers: Headers,
    /// The one author, or why there is none.
    pub from: Result<Sender, FromTrouble>,
    /// Addresses of To that are addresses.
    pub to: Vec<Address>,
    /// Addresses of Cc that are addresses.
    pub cc: Vec<Address>,
    /// Addresses of Reply-To that are addresses; for showing only.
    pub reply_to: Vec<Address>,
    /// Addresses of Sender, who handed the mail in for its author (RFC 5322, 3.6.2); for showing only.
    pub sender: Vec<Address>,
    /// Decoded, normalised, one line; empty where there is none.
    pub subject: String,
    /// The Date field, where there is exactly one and it is a date; a claim of the sender's clock.
    pub date: Option<DateTime<FixedOffset>>,
    /// Whether that field tells the sender's place too: `-0000` says that it does not (RFC 5322, 3.3).
    pub date_tells_place: bool,
    /// The date of the topmost Received field: when the player's own server took the mail.
    pub received: Option<DateTime<FixedOffset>>,
    /// The mail's own id, where there is exactly one and it is sound.
    pub message_id: Option<MessageId>,
    /// Sound ids of In-Reply-To.
    pub in_reply_to: Vec<MessageId>,
    /// Sound ids of References, root first.
    pub references: Vec<MessageId>,
    /// Why the mail counts as a program's, if it does.
    pub automatic: Option<Automatic>,
    /// The text/plain parts of the letter, joined; nothing where they only say that the letter is in HTML.
    pub plain: Option<String>,
    /// The text/html parts of the letter as text, joined; nothing where they show no text, or only such a notice.
    pub html: Option<String>,
    /// The files, in their order.
    pub attachments: Vec<Attachment>,
    /// Something invisible stands in or beside a number, somewhere in the subject, a view or a file. Some mailers put such
    /// characters into the date of an attribution; [`text::has_hidden_characters`] of the own words says whether they matter.
    pub has_hidden_characters: bool,
}

/// The mail that these bytes are.
///
/// # Errors
/// [`MessageError`]: not a mail, or none that can be read safely and in one way.
pub fn parse(raw: &[u8]) -> Result<IncomingMessage, MessageError> {
    std::panic::catch_unwind(|| read(raw)).unwrap_or(Err(MessageError::ParserPanic))
}

fn read(raw: &[u8]) -> Result<IncomingMessage, MessageError> {
    let entity = mime::take_apart(raw)?;
    let headers = entity.headers;
    if ["from", "date", "message-id", "subject"].iter().all(|name| headers.count(name) == 0) {
        return Err(MessageError::NotAMail);
    }
    let views = Views::of(&entity.parts)?;
    let subject = mime::read_field(HeaderName::Subject, headers.first("subject").unwrap_or_default());
    let subject = text::one_line(subject.as_text().unwrap_or_default(), MAX_SUBJECT);
    let files = views.attachments.iter().map(|file| file.text.as_ref());
    let has_hidden_characters = [Some(&subject), views.plain.as_ref(), views.html.as_ref()]
        .into_iter()
        .chain(files)
        .flatten()
        .any(|view| text::has_hidden_characters(view));
    let from = sender::from_headers(&headers);
    Ok(IncomingMessage {
        automatic: automatic::of(&headers, &entity.root_type.content_type, from.as_ref().ok(), &subject),
        from,
        to: addresses(&headers, "to", &HeaderName::To),
        cc: addresses(&headers, "cc", &HeaderName::Cc),
        reply_to: addresses(&headers, "reply-to", &HeaderName::ReplyTo),
        sender: addresses(&headers, "sender", &HeaderName::Sender),
        date: headers.only("date").and_then(date),
        date_tells_place: headers
            .only("date")
            .is_some_and(|value| !value.split_whitespace().any(|word| word == "-0000")),
        received: headers.first("received").and_then(|value| date(value.rsplit_once(';')?.1)),
        message_id: headers.only("message-id").and_then(|value| value.parse().ok()),
        in_reply_to: headers.first("in-reply-to").map(MessageId::parse_list).unwrap_or_default(),
        references: headers.first("references").map(MessageId::parse_list).unwrap_or_default(),
        headers,
        subject,
        plain: views.plain,
        html: views.html,
        attachments: views.attachments,
        has_hidden_characters,
    })
}

/// An RFC 5322 date; the name of the weekday is not compared, mailers get it wrong and nothing hangs on it.
fn date(value: &str) -> Option<DateTime<FixedOffset>> {
    let is_weekday = |name: &str| name.trim().bytes().all(|byte| byte.is_ascii_alphabetic());
    let date = value.split_once(',').filter(|(name, _)| is_weekday(name)).map_or(value, |(_, rest)| rest);
    DateTime::parse_from_rfc2822(date.trim()).ok()
}

fn addresses(headers: &Headers, field: &str, name: &HeaderName<'static>) -> Vec<Address> {
    let fields = headers.all(field).map(|value| mime::read_field(name.clone(), value));
    let mut addresses = Vec::new();
    for field in fields {
        let list = field.as_address().into_iter().flat_map(mail_parser::Address::iter);
        addresses.extend(list.filter_map(|entry| entry.address.as_deref()?.parse().ok()));
    }
    addresses
}

#[derive(Default)]
struct Views {
    plain: Option<String>,
    html: Option<String>,
    attachments: Vec<Attachment>,
}

impl Views {
    fn of(parts: &[Part<'_>]) -> Result<Self, MessageError> {
        let mut views = Self::default();
        let (mut plain, mut html, mut files) = (0, 0, 0);
        for part in parts {
            let is_letter = !part.part_type.is_attachment && part.part_type.name.is_none();
            match part.part_type.content_type.as_str() {
                "text/plain" if is_letter => {
                    if !fits(&mut plain, part, MAX_PLAIN) {
                        return Err(MessageError::TooMuchText);
                    }
                    join(&mut views.plain, &plain_text(part));
                }
                "text/html" if is_letter => {
                    let text = fits(&mut html, part, MAX_HTML).then(|| html::to_text(&characters(part))).flatten();
                    join(&mut views.html, &text.ok_or(MessageError::TooMuchText)?);
                }
                _ => views.attachments.push(attachment(part, &mut files)),
            }
        }
        views.drop_notices();
        Ok(views)
    }

    /// Leaves out the view that says nothing, or only that the letter is in the other one.
    fn drop_notices(&mut self) {
        let says_nothing = |view: &String| view.trim().is_empty() || notices::is_notice(view);
        let says_something = |view: &Option<String>| view.as_ref().is_some_and(|view| !says_nothing(view));
        let (plain, html) = (says_something(&self.plain), says_something(&self.html));
        if html && !plain {
            self.plain = None;
        }
        if !html && (plain || self.html.as_ref().is_some_and(|view| view.trim().is_empty())) {
            self.html = None;
        }
    }
}

/// Whether this part, with those of its kind before it, is within the limit.
fn fits(taken: &mut usize, part: &Part<'_>, limit: usize) -> bool {
    let sum = taken.saturating_add(part.body.len());
    let fits = sum <= limit;
    if fits {
        *taken = sum;
    }
    fits
}

fn join(view: &mut Option<String>, text: &str) {
    match view {
        Some(view) => {
            if !view.ends_with('\n') {
                view.push('\n');
            }
            view.push_str(text);
        }
        None => *view = Some(text.to_owned()),
    }
}

fn characters(part: &Part<'_>) -> String {
    decode::characters(
        &decode::transfer(&part.part_type.transfer_encoding, part.body),
        part.part_type.charset.as_deref(),
    )
}

fn plain_text(part: &Part<'_>) -> String {
    let characters = characters(part);
    text::normalise(&match part.part_type.flowed {
        Some(delsp) => decode::unflow(&characters, delsp),
        None => characters,
    })
}

fn attachment(part: &Part<'_>, taken: &mut usize) -> Attachment {
    let content_type = part.part_type.content_type.clone();
    let name = part.part_type.name.as_deref();
    let may_have_text = match content_type.split_once('/') {
        Some(("message", _)) => false,
        // another form of the letter, which a mail client may show in its place or leave out
        _ if part.is_alternative && name.is_none() => false,
        _ if is_pgn(&content_type, name) => true,
        Some(("image" | "audio" | "video", _)) => false,
        Some((_, "pdf" | "pgp-signature" | "pgp-keys" | "vcard" | "x-vcard" | "directory")) => false,
        _ => true,
    };
    let is_text = || {
        content_type.starts_with("text/")
            || is_pgn(&content_type, name)
            || is_text(&decode::transfer(&part.part_type.transfer_encoding, part.body))
    };
    let text = if !(may_have_text && fits(taken, part, MAX_FILES) && is_text()) {
        None
    } else if content_type == "text/html" {
        html::to_text(&characters(part))
    } else {
        Some(plain_text(part))
    };
    Attachment { name: name.map(|name| text::one_line(name, MAX_FILE_NAME)), content_type, text }
}

/// Whether bytes of an undeclared kind are a text: not empty and free of control characters other than those of layout.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty()
        && !bytes.starts_with(b"%PDF")
        && bytes.iter().all(|&byte| byte >= b' ' && byte != 0x7F || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1A))
}
