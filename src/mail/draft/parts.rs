//! The parts of a mail of our own: text, page, pictures and the reply, each with its encoding.
//!
//! The file names are given by us and still checked: what stands in a header is plain.

use lettre::message::header::{ContentDisposition, ContentId, ContentTransferEncoding, ContentType};
use lettre::message::{Body, SinglePart};

use super::check::MAX_LINE;
use super::{AttachedReply, DraftError, InlinePicture};
use crate::mail::decode;

/// 7bit up to the longest line that may be sent, since the player reads and edits it; else as lettre chooses. lettre's own
/// choice is quoted-printable from the 77th character on. What looks encoded (`subject=EA`) says that it is.
pub(super) fn text(body: &str) -> Result<SinglePart, DraftError> {
    Ok(SinglePart::builder().header(ContentType::TEXT_PLAIN).body(encoded(body)?))
}

/// The page, encoded likewise.
pub(super) fn html(page: &str) -> Result<SinglePart, DraftError> {
    Ok(SinglePart::builder().header(ContentType::TEXT_HTML).body(encoded(page)?))
}

fn encoded(body: &str) -> Result<Body, DraftError> {
    let fits = body.is_ascii() && body.lines().all(|line| line.len() <= MAX_LINE);
    // given as a text: line ends of bytes would be encoded as =0A, which are no line ends (RFC 2045, 6.7, rule 4)
    let text = body.to_owned();
    if !fits {
        return Ok(Body::new(text));
    }
    if decode::is_left_encoded(body.as_bytes()) {
        let encoded = Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable);
        return encoded.map_err(|_| DraftError::SelfCheck("encoding"));
    }
    let lines = body.replace('\n', "\r\n").into_bytes();
    Ok(Body::dangerous_pre_encoded(lines, ContentTransferEncoding::SevenBit))
}

/// The reply as a file.
pub(super) fn file(reply: &AttachedReply) -> Result<SinglePart, DraftError> {
    let disposition = ContentDisposition::attachment(plain(&reply.file_name)?);
    // Always base64: a mail inside a mail must not be changed on the way.
    Ok(SinglePart::builder()
        .header(disposition)
        .header(content_type("application/octet-stream")?)
        .header(ContentTransferEncoding::Base64)
        .body(reply.bytes.clone()))
}

/// A picture of the page.
pub(super) fn picture(picture: &InlinePicture) -> Result<SinglePart, DraftError> {
    let disposition = ContentDisposition::inline_with_name(plain(&picture.file_name)?);
    Ok(SinglePart::builder()
        .header(ContentId::from(format!("<{}>", picture.content_id)))
        .header(disposition)
        .header(content_type("image/png")?)
        .header(ContentTransferEncoding::Base64)
        .body(picture.png.clone()))
}

fn content_type(name: &str) -> Result<ContentType, DraftError> {
    ContentType::parse(name).map_err(|_| DraftError::SelfCheck("content type"))
}

fn plain(file_name: &str) -> Result<&str, DraftError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let fits = !file_name.is_empty() && file_name.len() <= 60 && file_name.bytes().all(is_plain);
    if fits { Ok(file_name) } else { Err(DraftError::FileName(crate::mail::text::one_line(file_name, 60))) }
}
