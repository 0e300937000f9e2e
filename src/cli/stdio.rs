//! The door to the terminal and the log: all that the program says passes here, and what cannot be seen is written out.
//!
//! Names, subjects, folders and the words of servers are foreign. A control character in them could steer the terminal, a mark of
//! direction make text read otherwise than it is stored; each comes out as `\u001b`, which JSON reads as what it was.

use std::borrow::Cow;
use std::io::{IsTerminal, Result, Stderr, Stdout, Write};

use crate::mail::text::is_unseen;

/// Standard output or standard error.
#[derive(Debug)]
pub struct Visible<W>(W);

/// Standard output.
pub fn stdout() -> Visible<Stdout> {
    Visible(std::io::stdout())
}

/// Standard error.
pub fn stderr() -> Visible<Stderr> {
    Visible(std::io::stderr())
}

/// Lines for standard error beside a result.
pub(super) fn warn(lines: &[String]) {
    for line in lines {
        // it may be closed; then nobody wants to know
        let _ = writeln!(stderr(), "{line}");
    }
}

impl<W: IsTerminal> Visible<W> {
    /// Whether somebody looks at it.
    pub fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

/// The text with all that cannot be seen written out, but for line ends and tabulators.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_line = c == '\n' || (c == '\r' && rest.peek() == Some(&'\n'));
        if is_unseen(c) && !ends_line && c != '\t' {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out_and_the_rest_is_as_it_was() {
        for (text, seen) in [
            ("Müller\tÄnne\r\n台北 😀\n", "Müller\tÄnne\r\n台北 😀\n"),
            ("\u{1b}]0;x\u{7}", "\\u001b]0;x\\u0007"),
            ("a\rb\u{9b}31m\u{7f}", "a\\u000db\\u009b31m\\u007f"),
            ("\u{202e}fdp\u{2066}\u{61c}\u{2028}", "\\u202efdp\\u2066\\u061c\\u2028"),
        ] {
            assert_eq!(visible(text), seen);
        }
    }

    #[test]
    fn json_stays_what_it_was() {
        let name = "x\u{202e}\u{9b}y";
        let document = serde_json::to_string(name).unwrap();
        assert_eq!(serde_json::from_str::<String>(&visible(&document)).unwrap(), name);
    }
}
