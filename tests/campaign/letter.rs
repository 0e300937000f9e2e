//! A mail before it is sent, and its bytes in the encodings that mailers use.

use std::fmt::Write;

use chrono::{Datelike, NaiveDate};

/// An attached file.
pub(crate) struct File {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// How the text of a mail is put into seven bits, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    EightBit,
    /// Quoted-printable with soft breaks after so many characters.
    QuotedPrintable(usize),
    Base64,
    /// RFC 3676.
    Flowed,
    /// Eight bits under a false name.
    CalledAscii,
    /// One byte a character; what it lacks becomes a question mark.
    Latin1,
    /// The same bytes under the name of UTF-8.
    Latin1CalledUtf8,
    /// No MIME at all.
    Bare,
}

/// A mail.
pub(crate) struct Letter {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) reply_to: Option<String>,
    pub(crate) subject: String,
    pub(crate) in_reply_to: Option<String>,
    pub(crate) date: NaiveDate,
    pub(crate) text: Option<String>,
    pub(crate) html: Option<String>,
    pub(crate) files: Vec<File>,
    pub(crate) encoding: Encoding,
    /// A notation that the game must have agreed on.
    pub(crate) needs: Option<String>,
}

impl Letter {
    /// A mail with this text, otherwise blank.
    pub(crate) fn text(text: impl Into<String>) -> Letter {
        Letter {
            from: "Mila Ostrander <mila.ostrander@example.org>".to_owned(),
            to: "tobin.q@example.net".to_owned(),
            reply_to: None,
            subject: "EM/ZZ/042".to_owned(),
            in_reply_to: None,
            date: NaiveDate::default(),
            text: Some(text.into()),
            html: None,
            files: Vec::new(),
            encoding: Encoding::EightBit,
            needs: None,
        }
    }

    pub(crate) fn needing(self, notation: &str) -> Letter {
        Letter { needs: Some(notation.to_owned()), ..self }
    }

    /// What the Date header says: six in the evening at Greenwich.
    pub(crate) fn date_header(&self) -> String {
        let date = self.date;
        format!("{}, {} {} {} 18:00:00 +0000", date.weekday(), date.day(), date.format("%b"), date.year())
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("From: {}\nTo: {}\n", self.from, self.to);
        let subject = match self.subject.is_ascii() {
            true => self.subject.clone(),
            false => format!("=?utf-8?B?{}?=", base64(self.subject.as_bytes(), usize::MAX)),
        };
        let _ = writeln!(head, "Subject: {subject}\nDate: {}\nMessage-ID: <case@mail.example.net>", self.date_header());
        for (name, value) in [("Reply-To", &self.reply_to), ("In-Reply-To", &self.in_reply_to)] {
            if let Some(value) = value {
                let _ = writeln!(head, "{name}: {value}");
            }
        }
        let mut out = head.replace('\n', "\r\n").into_bytes();
        if self.encoding == Encoding::Bare && self.html.is_none() && self.files.is_empty() {
            out.extend_from_slice(b"\r\n");
            out.extend(self.text.as_deref().unwrap_or_default().replace('\n', "\r\n").bytes());
            return out;
        }
        out.extend_from_slice(b"MIME-Version: 1.0\r\n");
        let forms: Vec<Vec<u8>> = [("plain", &self.text), ("html", &self.html)]
            .into_iter()
            .filter_map(|(kind, text)| text.as_ref().map(|text| part(kind, text, self.encoding)))
            .collect();
        let body = if forms.len() == 2 { many("alternative", "=_ALT", &forms) } else { forms.concat() };
        let files = self.files.iter().map(|file| {
            let head = format!(
                "Content-Type: {}; name=\"{}\"\r\nContent-Disposition: attachment; filename=\"{}\"\r\n\
                 Content-Transfer-Encoding: base64\r\n\r\n",
                file.kind, file.name, file.name
            );
            [head.into_bytes(), base64(file.text.replace('\n', "\r\n").as_bytes(), 76).into_bytes()].concat()
        });
        let parts: Vec<Vec<u8>> = std::iter::once(body).chain(files).collect();
        out.extend(if parts.len() > 1 { many("mixed", "=_MIX", &parts) } else { parts.concat() });
        out
    }
}

fn many(kind: &str, boundary: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n").into_bytes();
    for part in parts {
        out.extend(format!("--{boundary}\r\n").bytes());
        out.extend(part);
        out.extend_from_slice(b"\r\n");
    }
    out.extend(format!("--{boundary}--\r\n").bytes());
    out
}

fn part(kind: &str, text: &str, encoding: Encoding) -> Vec<u8> {
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    let crlf = |bytes: &[u8]| -> Vec<u8> {
        bytes.iter().flat_map(|b| if *b == b'\n' { vec![b'\r', b'\n'] } else { vec![*b] }).collect()
    };
    let text = text.as_bytes();
    let (charset, transfer, body) = match encoding {
        Encoding::EightBit | Encoding::Bare => ("utf-8", "8bit", crlf(text)),
        Encoding::QuotedPrintable(width) => ("utf-8", "quoted-printable", quoted_printable(text, width)),
        Encoding::Base64 => ("utf-8", "base64", base64(&crlf(text), 76).into_bytes()),
        Encoding::Flowed if kind == "plain" => ("utf-8; format=flowed", "8bit", crlf(&flowed(text))),
        Encoding::Flowed => ("utf-8", "8bit", crlf(text)),
        Encoding::CalledAscii => ("us-ascii", "7bit", crlf(text)),
        Encoding::Latin1 => ("iso-8859-1", "8bit", crlf(&latin)),
        Encoding::Latin1CalledUtf8 => ("utf-8", "8bit", crlf(&latin)),
    };
    let head = format!("Content-Type: text/{kind}; charset={charset}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n");
    [head.into_bytes(), body].concat()
}

fn quoted_printable(text: &[u8], width: usize) -> Vec<u8> {
    let mut out = String::new();
    for line in text.split(|b| *b == b'\n') {
        let mut column = 0;
        for (at, byte) in line.iter().enumerate() {
            let plain = matches!(byte, b' '..=b'~') && *byte != b'=' && (*byte != b' ' || at + 1 < line.len());
            let written = if plain { char::from(*byte).to_string() } else { format!("={byte:02X}") };
            if column + written.len() > width {
                out.push_str("=\r\n");
                column = 0;
            }
            column += written.len();
            out.push_str(&written);
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

fn base64(bytes: &[u8], width: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (at, chunk) in bytes.chunks(3).enumerate() {
        if at > 0 && (at * 4).is_multiple_of(width) {
            out.push_str("\r\n");
        }
        let bits = chunk.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let six = usize::try_from(bits >> (18 - 6 * digit) & 63).unwrap();
            out.push(if digit <= chunk.len() { char::from(DIGITS[six]) } else { '=' });
        }
    }
    out
}

/// Long lines end in a blank and go on in the next; lines that begin with a blank, `>` or `From ` are stuffed.
fn flowed(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let mut out = String::new();
    for line in text.lines() {
        let line = if line == "-- " { line } else { line.trim_end() };
        let mut column = 0;
        let stuffed = |line: &str| line.starts_with(' ') || line.starts_with("From ");
        if stuffed(line) {
            out.push(' ');
        }
        for (at, word) in line.split_inclusive(' ').enumerate() {
            if at > 0 && column > 0 && column + word.trim_end().len() > 66 && !line.starts_with('>') {
                out.push('\n');
                if stuffed(word) {
                    out.push(' ');
                }
                column = 0;
            }
            out.push_str(word);
            column += word.len();
        }
        out.push('\n');
    }
    out.into_bytes()
}
