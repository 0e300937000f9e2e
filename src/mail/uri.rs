//! Text as it may stand in an address of the web or of mail (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All that is not unreserved (2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text with all but its unreserved characters as `%XX`.
pub fn percent(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn only_the_unreserved_characters_stay() {
        assert_eq!(percent("a\"<b>\r\n=?é"), "a%22%3Cb%3E%0D%0A%3D%3F%C3%A9");
        assert_eq!(percent("Az09-._~ +"), "Az09-._~%20%2B");
    }
}
