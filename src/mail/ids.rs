//! Message-IDs, in the one strict form that may pass from an incoming mail into the header of an outgoing one.
//!
//! Stricter than RFC 5322, 3.6.4: printable ASCII, one `@`, no blanks, brackets, quotes or comments, at most 250
//! characters. An id outside this form is treated as missing, never repaired: a repaired id would name another mail.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Characters of an id without its angle brackets; with them it still fits one header line (RFC 5322, 2.1.1).
const MAX_LENGTH: usize = 250;

/// A message id; shown and stored with its angle brackets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MessageId(String);

/// Not a message id in the strict form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a message id: it must look like <left@right>, printable ASCII, at most {MAX_LENGTH} characters")]
pub struct BadMessageId(String);

impl MessageId {
    /// The id without its angle brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The ids of a `References` or `In-Reply-To` field in their order; whatever is no id is skipped.
    pub fn parse_list(value: &str) -> Vec<Self> {
        // The piece before the first `<` belongs to no id.
        value.split('<').skip(1).filter_map(|piece| Self::checked(piece.split_once('>')?.0)).collect()
    }

    fn checked(inner: &str) -> Option<Self> {
        let (left, right) = inner.split_once('@')?;
        let is_sound = |side: &str| {
            !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>@()\",;\\".contains(&byte))
        };
        (inner.len() <= MAX_LENGTH && is_sound(left) && is_sound(right)).then(|| Self(inner.to_owned()))
    }
}

impl FromStr for MessageId {
    type Err = BadMessageId;

    fn from_str(value: &str) -> Result<Self, BadMessageId> {
        let inner = value.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        inner.and_then(Self::checked).ok_or_else(|| BadMessageId(super::text::one_line(value, 80)))
    }
}

impl TryFrom<String> for MessageId {
    type Error = BadMessageId;

    fn try_from(value: String) -> Result<Self, BadMessageId> {
        value.parse()
    }
}

impl From<MessageId> for String {
    fn from(id: MessageId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{}>", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_shown_as_it_was_read() {
        for id in [
            "<em-1037-pet.20@nora.example.org>",
            "<20030411.001.h.pembury@mail.example.org>",
            "<a$b/c=d+e%f:0@[192.0.2.1]>",
        ] {
            assert_eq!(id.parse::<MessageId>().unwrap().to_string(), id);
        }
    }

    #[test]
    fn odd_ids_are_refused() {
        let long = format!("<{}@example.org>", "x".repeat(250));
        for id in [
            "",
            "a@b",
            "<a@b",
            "<a b@c>",
            "<a@b@c>",
            "<@c>",
            "<a@>",
            "<a@b\r\nBcc: x@y>",
            "<é@b>",
            "<a@b>>",
            "<\"a\"@b>",
            "<a@b> <c@d>",
            &long,
        ] {
            assert!(id.parse::<MessageId>().is_err(), "{id}");
        }
    }

    #[test]
    fn a_list_skips_what_is_no_id() {
        let ids = MessageId::parse_list("<a@b> junk <c d@e>\t<f@g>(comment)<broken");
        assert_eq!(ids.iter().map(MessageId::to_string).collect::<Vec<_>>(), ["<a@b>", "<f@g>"]);
    }

    #[test]
    fn an_id_survives_json() {
        let id: MessageId = "<a@b>".parse().unwrap();
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(json, "\"<a@b>\"");
        assert_eq!(serde_json::from_str::<MessageId>(&json).unwrap(), id);
        assert!(serde_json::from_str::<MessageId>("\"a@b\"").is_err());
    }
}
