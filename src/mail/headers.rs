//! The header block of a mail or a part, as it was written: names, and values unfolded but not interpreted.
//!
//! Exists because mail-parser keeps the last of several `From` lines and glues odd forms together, while the question
//! "exactly one From with exactly one address?" needs every line as it came (RFC 5322, 3.6).
//! Values with bytes that are not UTF-8 are read as Latin-1, so that nothing is lost.
//! What will surprise you: a line without a proper field name is dropped, also the `From ` line of an mbox file.

/// The header fields of one block, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers {
    fields: Vec<(String, String)>,
}

impl Headers {
    /// The fields of a header block; the blank line that ends it may be there or not.
    pub fn read(block: &[u8]) -> Self {
        let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
        let mut last_was_field = false;
        for line in block.split(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
                if let (true, Some((_, value))) = (last_was_field, fields.last_mut()) {
                    value.extend_from_slice(line);
                }
                continue;
            }
            let field = split_field(line);
            last_was_field = field.is_some();
            fields.extend(field);
        }
        let fields = fields.into_iter().map(|(name, value)| (name, text_of(value).trim().to_owned())).collect();
        Self { fields }
    }

    /// The values of every field of this name (given in lower case), topmost first.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The fields of these names (given in lower case) with their values, topmost first.
    pub fn of_names<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, _)| names.contains(name))
    }

    /// The topmost value of this name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field that stands there exactly once; a doubled field is as good as none.
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(field, _)| field == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// How many fields of this name there are.
    pub fn count(&self, name: &str) -> usize {
        self.fields.iter().filter(|(field, _)| field == name).count()
    }

    /// Whether any field's name begins so.
    pub fn any_name_starts_with(&self, prefix: &str) -> bool {
        self.fields.iter().any(|(field, _)| field.starts_with(prefix))
    }
}

/// The header block of a mail.
pub fn header_of(raw: &[u8]) -> &[u8] {
    let length: usize = raw
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| !matches!(*line, b"\n" | b"\r\n"))
        .map(<[u8]>::len)
        .sum();
    raw.get(..length).unwrap_or(raw)
}

/// Name in lower case and raw value, or nothing where no field begins (RFC 5322, 2.2; a blank before the colon is 4.5's).
fn split_field(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let (name, rest) = line.split_at_checked(colon)?;
    let name = name.trim_ascii_end();
    if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let name = name.iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    Some((name, rest.get(1..)?.to_vec()))
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_are_joined_and_names_compare_in_any_case() {
        let headers = Headers::read(b"SUBJECT: one\r\n\ttwo\r\nX-A: b\r\n");
        assert_eq!(headers.first("subject"), Some("one\ttwo"));
        assert_eq!(headers.first("x-a"), Some("b"));
    }

    #[test]
    fn a_doubled_field_is_seen_also_with_a_blank_before_the_colon() {
        let headers = Headers::read(b"From: a@example.org\nFrom : b@example.org\n");
        assert_eq!(headers.all("from").collect::<Vec<_>>(), ["a@example.org", "b@example.org"]);
        assert_eq!(headers.only("from"), None);
    }

    #[test]
    fn an_mbox_line_and_stray_text_are_no_fields_and_do_not_swallow_the_next() {
        let headers =
            Headers::read(b"From nora@example.org Mon Jan  1 00:00:00 2001\n folded\nnonsense\nTo: c@example.org\n");
        assert_eq!(headers.first("to"), Some("c@example.org"));
        assert_eq!(headers.count("from"), 0);
    }

    #[test]
    fn undeclared_latin_1_in_a_header_is_kept() {
        assert_eq!(Headers::read(b"Subject: \xc9tienne").first("subject"), Some("\u{c9}tienne"));
    }
}
