//! One section of the file, emptied key by key: wrong values and keys that nobody asked for become problems.

use std::path::PathBuf;
use std::time::Duration;

use toml::{Table, Value};

use super::Problem;
use crate::io::secret::SecretSource;
use crate::io::tls::Trust;

/// A section that is emptied key by key; what is left at the end was not known.
pub(super) struct Section<'p> {
    path: String,
    table: Table,
    known: Vec<&'static str>,
    problems: &'p mut Vec<Problem>,
}

impl<'p> Section<'p> {
    pub(super) fn new(path: String, table: Table, problems: &'p mut Vec<Problem>) -> Self {
        Section { path, table, known: Vec::new(), problems }
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn problem(&mut self, key: &str, why: &str, help: &str) {
        self.problems.push(Problem { key: self.key(key), why: why.to_owned(), help: help.to_owned() });
    }

    pub(super) fn had(&self, key: &str) -> bool {
        !self.problems.iter().any(|p| p.key == self.key(key))
    }

    /// Whether the key stands there and was not asked for yet.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The key can stand there, whether it is asked for or not.
    pub(super) fn knows(&mut self, key: &'static str) {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
    }

    /// The value of a key, whatever it is.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.table.remove(key)
    }

    pub(super) fn section(&mut self, key: &'static str) -> Option<Section<'_>> {
        match self.take(key)? {
            Value::Table(table) => {
                let path = self.key(key);
                Some(Section::new(path, table, self.problems))
            }
            other => {
                self.problem(
                    key,
                    &format!("is {}, not a section", kind(&other)),
                    &format!("write [{key}] and its keys below it"),
                );
                None
            }
        }
    }

    /// Reads every section of a list, `[[key]]` in the file, and finishes it.
    pub(super) fn each(&mut self, key: &'static str, mut read: impl FnMut(&mut Section<'_>)) {
        let tables: Option<Vec<Table>> = match self.take(key) {
            None => return,
            Some(Value::Array(items)) => items.iter().map(|item| item.as_table().cloned()).collect(),
            Some(_) => None,
        };
        if tables.is_none() {
            self.problem(key, "is not a list of sections", &format!("write [[{key}]], once for each"));
        }
        for (number, table) in (1..).zip(tables.unwrap_or_default()) {
            let path = format!("{}.{number}", self.key(key));
            let mut section = Section::new(path, table, self.problems);
            read(&mut section);
            section.finish();
        }
    }

    /// All keys that were not asked for, with their values: now they are known.
    pub(super) fn rest(&mut self) -> Table {
        std::mem::take(&mut self.table)
    }

    /// A text, or a list of them.
    pub(super) fn one_or_more(&mut self, key: &'static str) -> Vec<String> {
        match self.table.get(key) {
            Some(Value::String(_)) => self.opt_text(key).into_iter().collect(),
            _ => self.opt_texts(key).unwrap_or_default(),
        }
    }

    pub(super) fn text(&mut self, key: &'static str, what: &str) -> Option<String> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            self.problem(key, "is missing", &format!("it is {what}"));
            return None;
        }
        let text = self.opt_text(key)?;
        if text.trim().is_empty() {
            self.problem(key, "is empty", &format!("it is {what}"));
            return None;
        }
        Some(text)
    }

    pub(super) fn opt_text(&mut self, key: &'static str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            other => {
                self.problem(key, &format!("is {}, not a text", kind(&other)), &format!("{key} = \"...\""));
                None
            }
        }
    }

    pub(super) fn texts(&mut self, key: &'static str, example: &str) -> Option<Vec<String>> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            self.problem(key, "is missing", example);
            return None;
        }
        self.opt_texts(key)
    }

    pub(super) fn opt_texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let value = self.take(key)?;
        let list = match &value {
            Value::Array(items) => items.iter().map(|v| v.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        if list.is_none() {
            self.problem(key, &format!("is {value}, not a list of texts"), &format!("{key} = [\"...\"]"));
        }
        list
    }

    pub(super) fn number(&mut self, key: &'static str, default: i64, range: std::ops::RangeInclusive<i64>) -> i64 {
        match self.take(key) {
            None => default,
            Some(Value::Integer(n)) if range.contains(&n) => n,
            Some(other) => {
                let help = format!("a whole number from {} to {}", range.start(), range.end());
                self.problem(key, &format!("cannot be {other}"), &help);
                default
            }
        }
    }

    pub(super) fn port(&mut self, key: &'static str, default: u16) -> u16 {
        u16::try_from(self.number(key, i64::from(default), 1..=65535)).unwrap_or(default)
    }

    /// A server's name with its port. The port may stand after the name, as providers write it.
    pub(super) fn server(&mut self, what: &str, default: u16) -> (Option<String>, u16) {
        let text = self.text("host", what);
        let has_port = self.has("port");
        let port = self.port("port", default);
        let Some(text) = text else { return (None, port) };
        let (host, behind) = match text.rsplit_once(':') {
            // an IPv6 address has colons of its own
            Some((host, digits)) if !host.contains(':') || host.starts_with('[') => (host, Some(digits)),
            _ => (text.as_str(), None),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).trim().to_owned();
        match behind.map(str::parse::<u16>) {
            None => (Some(host), port),
            Some(Ok(behind)) if behind > 0 && (!has_port || behind == port) => (Some(host), behind),
            Some(Ok(behind)) if behind > 0 => {
                self.problem("host", &format!("names port {behind}, and `port` is {port}"), "leave out one of the two");
                (None, port)
            }
            Some(_) => {
                self.problem("host", &format!("`{text}` is no server"), "the name alone, or name:port");
                (None, port)
            }
        }
    }

    pub(super) fn flag(&mut self, key: &'static str, default: bool) -> bool {
        match self.take(key) {
            None => default,
            Some(Value::Boolean(flag)) => flag,
            Some(other) => {
                self.problem(key, &format!("cannot be {other}"), "true or false");
                default
            }
        }
    }

    pub(super) fn pause(&mut self, key: &'static str, default: Duration, least: Duration) -> Duration {
        let Some(text) = self.opt_text(key) else {
            return default;
        };
        match humantime::parse_duration(&text) {
            Ok(pause) if pause >= least && pause <= Duration::from_secs(86_400) => pause,
            _ => {
                let help = format!("a time such as \"5m\", from {} to 1 day", humantime::format_duration(least));
                self.problem(key, &format!("cannot be \"{text}\""), &help);
                default
            }
        }
    }

    pub(super) fn password(&mut self) -> Option<SecretSource> {
        const HELP: &str = "password.command = [\"pass\", \"show\", \"mail\"], password.file = \"/path\" (mode 0600) or password.credential = \"name\"";
        self.kept_secret("password", HELP)
    }

    /// Where a secret comes from that must never stand in the file itself.
    pub(super) fn kept_secret(&mut self, key: &'static str, help: &str) -> Option<SecretSource> {
        if let Some(Value::String(_)) = self.table.get(key) {
            self.table.remove(key);
            self.known.push(key);
            self.problem(key, "stands in the file itself", &format!("say where it comes from instead: {help}"));
            return None;
        }
        let Some(mut source) = self.section(key) else {
            self.problem(key, "is missing", help);
            return None;
        };
        let command = source.opt_texts("command");
        let file = source.opt_text("file");
        let credential = source.opt_text("credential");
        source.finish();
        match (command, file, credential) {
            (Some(command), None, None) if !command.is_empty() => Some(SecretSource::Command(command)),
            (None, Some(file), None) => Some(SecretSource::File(PathBuf::from(file))),
            (None, None, Some(name)) => Some(SecretSource::Credential(name)),
            _ => {
                self.problem(key, "needs exactly one source", help);
                None
            }
        }
    }

    pub(super) fn trust(&mut self) -> Trust {
        let extra_ca = self.opt_text("ca_file").map(PathBuf::from);
        let pin = self.opt_text("pin_sha256");
        let pin_sha256 = pin.as_deref().and_then(|text| {
            let pin = fingerprint(text);
            if pin.is_none() {
                self.problem(
                    "pin_sha256",
                    &format!("`{text}` is no SHA-256 fingerprint"),
                    "64 hexadecimal digits, with or without colons; `amici check` prints the server's",
                );
            }
            pin
        });
        Trust { extra_ca, pin_sha256 }
    }

    pub(super) fn finish(&mut self) {
        let unknown: Vec<String> = self.table.keys().cloned().collect();
        for key in unknown {
            let near = self.known.iter().find(|known| is_near(known, &key));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", self.known.join(", ")),
            };
            self.problem(&key, "is not known", &help);
        }
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a section".to_owned(),
        other => other.to_string(),
    }
}

/// One letter changed, added, left out, or two swapped.
fn is_near(known: &str, typed: &str) -> bool {
    let (a, b) = (known.as_bytes(), typed.as_bytes());
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let short = a.len().min(b.len());
    let differing = a.len().max(b.len()).saturating_sub((front + back).min(short));
    let mut sorted = (a.to_vec(), b.to_vec());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    differing <= 1 || (differing <= 2 && sorted.0 == sorted.1)
}

fn fingerprint(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u32> =
        text.chars().filter(|c| *c != ':' && *c != ' ').map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect::<Option<_>>()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_with_and_without_colons() {
        let plain = "00".repeat(31) + "ff";
        let colons = vec!["00"; 31].join(":") + ":FF";
        assert_eq!(fingerprint(&plain), fingerprint(&colons));
        assert!(fingerprint(&plain).is_some());
        assert!(fingerprint("abc").is_none());
    }

    #[test]
    fn a_near_miss_is_one_letter_or_two_exchanged() {
        assert!(is_near("folders", "folder") && is_near("path", "paht") && is_near("poll", "pool"));
        assert!(!is_near("host", "port") && !is_near("user", "name"));
    }
}
