//! The finished bytes read back as a stranger's program would, before anybody gets them.
//!
//! What the rest of the program reads of a mail is read with its own readers; the page and its pictures with mail-parser alone,
//! since of those our readers want nothing.

use chrono::{DateTime, FixedOffset};
use mail_parser::{MessageParser, MimeHeaders, PartType};

use super::{DraftError, DraftMessage, MAX_SUBJECT, Mailbox, Page, header_text};
use crate::mail::{message, text};

/// Bytes of a line without its CRLF (RFC 5322, 2.1.1).
pub(super) const MAX_LINE: usize = 998;

/// Reads the bytes back as a stranger's program would.
pub(super) fn read_back(draft: &DraftMessage, bytes: &[u8], body: &str) -> Result<(), DraftError> {
    let fail = |part| Err(DraftError::SelfCheck(part));
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let is_sound = |line: &[u8]| {
        let content = line.strip_suffix(b"\r\n");
        content.is_some_and(|content| {
            content.len() <= MAX_LINE && content.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
        })
    };
    if !lines.all(is_sound) {
        return fail("line structure");
    }
    let Ok(read) = message::parse(bytes) else {
        return fail("structure");
    };
    let addresses = |list: &[Mailbox]| list.iter().map(|mailbox| mailbox.address.clone()).collect::<Vec<_>>();
    let recipients = [(&read.to, &draft.to), (&read.cc, &draft.cc)];
    let others = ["bcc", "reply-to"].iter().any(|name| read.headers.count(name) > 0);
    if recipients.into_iter().any(|(found, wanted)| *found != addresses(wanted)) || others {
        return fail("list of recipients");
    }
    if read.from.map(|sender| sender.address) != Ok(draft.from.address.clone()) {
        return fail("sender");
    }
    if read.subject != text::one_line(&header_text(&draft.subject, MAX_SUBJECT), usize::MAX) {
        return fail("subject");
    }
    let whole_seconds = |date: DateTime<FixedOffset>| (date.timestamp(), date.offset().local_minus_utc() / 60);
    if read.date.map(whole_seconds) != Some(whole_seconds(draft.date)) {
        return fail("date");
    }
    if read.message_id.as_ref() != Some(&draft.message_id)
        || read.in_reply_to != draft.in_reply_to.iter().cloned().collect::<Vec<_>>()
        || read.references != draft.references
    {
        return fail("thread");
    }
    if read.plain.as_deref().map(str::trim_end) != Some(text::normalise(body).trim_end())
        || read.html.is_some() != draft.page.is_some()
    {
        return fail("text");
    }
    let pictures = draft.page.iter().flat_map(|page| &page.pictures).count();
    if read.attachments.len() != pictures + usize::from(draft.attached_reply.is_some()) {
        return fail("number of files");
    }
    page(draft, bytes)
}

/// The page and its pictures are there as they were given, and no other.
fn page(draft: &DraftMessage, bytes: &[u8]) -> Result<(), DraftError> {
    let fail = |part| Err(DraftError::SelfCheck(part));
    let Some(read) = MessageParser::default().parse(bytes) else {
        return fail("structure");
    };
    let pages: Vec<String> = read
        .parts
        .iter()
        .filter_map(|part| match &part.body {
            PartType::Html(html) => Some(html.replace("\r\n", "\n").trim_end().to_owned()),
            _ => None,
        })
        .collect();
    let wanted = |page: &Page| page.html.replace("\r\n", "\n").trim_end().to_owned();
    if pages != draft.page.iter().map(wanted).collect::<Vec<_>>() {
        return fail("page");
    }
    let named = read.parts.iter().filter_map(|part| Some((part.content_id()?.to_owned(), part.contents().to_vec())));
    let pictures = draft.page.iter().flat_map(|page| &page.pictures);
    if !named.eq(pictures.map(|picture| (picture.content_id.to_string(), picture.png.clone()))) {
        return fail("picture");
    }
    Ok(())
}
