//! The configuration: a TOML file becomes checked values, or a list of everything that is wrong with it.
//!
//! May read the file and nothing else. Passwords are never in it: only where they come from. Every problem names its
//! key, the value and what would do; unknown keys are problems too.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono_tz::Tz;
use toml::{Table, Value};

use crate::io::secret::SecretSource;
use crate::io::smtp::Security;
use crate::io::tls::Trust;
use crate::mail::address::Address;

/// Everything the player configures.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who he is.
    pub me: Me,
    /// Where his mail is read and where notices go; `None` when only local commands are used.
    pub mail: Option<Mail>,
    /// Limits and pauses.
    pub limits: Limits,
}

/// The player.
#[derive(Debug, Clone)]
pub struct Me {
    /// As the tournament director knows him.
    pub name: String,
    /// His addresses; the first one is used to send.
    pub emails: Vec<Address>,
    /// His own place: dates in mails are its days.
    pub timezone: Tz,
}

impl Me {
    /// The address that notices and drafts go to and come from.
    pub fn address(&self) -> Option<&Address> {
        self.emails.first()
    }
}

/// How mail comes and goes.
#[derive(Debug, Clone)]
pub enum Mail {
    /// Two servers.
    Servers {
        /// Where mail is read.
        imap: Box<Imap>,
        /// Where notices and drafts are handed over.
        smtp: Box<Smtp>,
    },
    /// A folder on this machine: read from, and delivered into.
    Maildir {
        /// The folder with `cur`, `new` and `tmp`.
        path: PathBuf,
        /// Maildir++ sub-folders to read beside the inbox.
        folders: Vec<String>,
        /// How often it is looked at.
        poll: Duration,
    },
}

/// The mailbox.
#[derive(Debug, Clone)]
#[allow(
    missing_docs,
    reason = "the keys of the configuration file, explained there"
)]
pub struct Imap {
    pub host: String,
    pub port: u16,
    pub user: String,
    pub password: SecretSource,
    pub folders: Vec<String>,
    pub poll: Duration,
    pub idle: bool,
    pub trust: Trust,
}

/// The relay.
#[derive(Debug, Clone)]
#[allow(
    missing_docs,
    reason = "the keys of the configuration file, explained there"
)]
pub struct Smtp {
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub user: String,
    pub password: SecretSource,
    pub hello: String,
    pub trust: Trust,
}

/// Limits and pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Larger mails are listed, not fetched. In bytes.
    pub largest_mail: u32,
    /// How long an unclear delivery is looked for in the mailbox before the same bytes are handed over once more.
    pub resend_after: Duration,
    /// Logins to the mailbox within an hour, whatever goes wrong.
    pub logins_per_hour: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            largest_mail: 10 << 20,
            resend_after: Duration::from_secs(600),
            logins_per_hour: 12,
        }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The key, with its section: `imap.port`.
    pub key: String,
    /// What is wrong with it.
    pub why: String,
    /// What to do.
    pub help: String,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// All of it.
    pub problems: Vec<Problem>,
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        write!(f, "{}: {count} {noun}", self.file.display())?;
        for problem in &self.problems {
            let key = if problem.key.is_empty() {
                String::new()
            } else {
                format!("{}: ", problem.key)
            };
            write!(f, "\n  {key}{}\n    help: {}", problem.why, problem.help)?;
        }
        Ok(())
    }
}

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// [`ConfigError`] lists every problem.
    pub fn load(file: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(file).map_err(|e| ConfigError {
            file: file.to_owned(),
            problems: vec![Problem {
                key: String::new(),
                why: format!("the file cannot be read: {}", e.kind()),
                help: "copy config.example.toml there and fill it in, or name another file with --config".to_owned(),
            }],
        })?;
        Config::parse(&text).map_err(|problems| ConfigError {
            file: file.to_owned(),
            problems,
        })
    }

    /// Checks a text.
    ///
    /// # Errors
    /// Every problem.
    pub fn parse(text: &str) -> Result<Config, Vec<Problem>> {
        let table: Table = text.parse().map_err(|e: toml::de::Error| {
            let line = e.span().and_then(|s| text.get(..s.start)).map_or(1, |before| before.matches('\n').count() + 1);
            vec![Problem {
                key: format!("line {line}"),
                why: e.message().to_owned(),
                help: "the file is TOML: sections in [brackets], then key = value, texts in \"quotes\"".to_owned(),
            }]
        })?;
        let mut problems = Vec::new();
        let mut root = Section::new(String::new(), table, &mut problems);
        let me = root.section("me").map(|mut s| me(&mut s));
        if me.is_none() {
            root.problem(
                "me",
                "the section is missing",
                "add [me] with name, emails and timezone",
            );
        }
        let mail = mail(&mut root);
        let limits = root
            .section("limits")
            .map_or_else(Limits::default, |mut s| limits(&mut s));
        root.finish();
        drop(root);
        match (me.flatten(), problems.is_empty()) {
            (Some(me), true) => Ok(Config { me, mail, limits }),
            _ => Err(problems),
        }
    }
}

fn me(s: &mut Section<'_>) -> Option<Me> {
    let name = s.text("name", "your name as the tournament director writes it");
    let listed = s
        .texts("emails", "emails = [\"you@example.org\"]")
        .unwrap_or_default();
    let mut emails = Vec::new();
    for text in &listed {
        match text.parse::<Address>() {
            Ok(address) => emails.push(address),
            Err(_) => s.problem(
                "emails",
                &format!("`{text}` is no mail address"),
                "write it as name@domain",
            ),
        }
    }
    if listed.is_empty() && s.had("emails") {
        s.problem(
            "emails",
            "the list is empty",
            "the first address is the one that sends and receives",
        );
    }
    let zone = s.text(
        "timezone",
        "a zone of the tz database, such as Europe/Berlin",
    );
    let timezone = zone.as_deref().and_then(|zone| {
        let found = zone.parse::<Tz>().ok();
        if found.is_none() {
            s.problem(
                "timezone",
                &format!("`{zone}` is no time zone"),
                "use a name of the tz database, such as Europe/Berlin or UTC",
            );
        }
        found
    });
    s.finish();
    Some(Me {
        name: name?,
        emails: (!emails.is_empty()).then_some(emails)?,
        timezone: timezone?,
    })
}

fn mail(root: &mut Section<'_>) -> Option<Mail> {
    let imap = root.section("imap").map(|mut s| imap(&mut s));
    let smtp = root.section("smtp").map(|mut s| smtp(&mut s));
    let maildir = root.section("maildir").map(|mut s| maildir(&mut s));
    match (imap, smtp, maildir) {
        (None, None, None) => None,
        (None, None, Some(maildir)) => maildir,
        (Some(imap), Some(smtp), None) => Some(Mail::Servers {
            imap: Box::new(imap?),
            smtp: Box::new(smtp?),
        }),
        (Some(_), None, None) => {
            root.problem(
                "smtp",
                "the section is missing",
                "notices and drafts reach you by SMTP: add [smtp]",
            );
            None
        }
        (None, Some(_), None) => {
            root.problem(
                "imap",
                "the section is missing",
                "the opponents' mails are read by IMAP: add [imap]",
            );
            None
        }
        (_, _, Some(_)) => {
            root.problem(
                "maildir",
                "stands beside [imap] or [smtp]",
                "use either the two servers or a Maildir",
            );
            None
        }
    }
}

fn imap(s: &mut Section<'_>) -> Option<Imap> {
    let host = s.text("host", "the name of your provider's IMAP server");
    let port = s.port("port", 993);
    let user = s.text("user", "the login name, mostly your address");
    let password = s.password();
    let folders = s
        .opt_texts("folders")
        .unwrap_or_else(|| vec!["INBOX".to_owned()]);
    if folders.is_empty() {
        s.problem("folders", "the list is empty", "folders = [\"INBOX\"]");
    }
    let poll = s.pause("poll", Duration::from_secs(300), Duration::from_secs(1));
    let idle = s.flag("idle", true);
    let trust = s.trust();
    s.finish();
    Some(Imap {
        host: host?,
        port,
        user: user?,
        password: password?,
        folders,
        poll,
        idle,
        trust,
    })
}

fn smtp(s: &mut Section<'_>) -> Option<Smtp> {
    let host = s.text("host", "the name of your provider's SMTP server");
    let security = match s.opt_text("security").as_deref() {
        None | Some("implicit") => Security::Implicit,
        Some("starttls") => Security::StartTls,
        Some(other) => {
            s.problem("security", &format!("`{other}` is not known"), "\"implicit\" (port 465) or \"starttls\" (port 587); mail is never sent in the clear");
            Security::Implicit
        }
    };
    let port = s.port(
        "port",
        if security == Security::Implicit {
            465
        } else {
            587
        },
    );
    let user = s.text("user", "the login name, mostly your address");
    let password = s.password();
    let hello = s
        .opt_text("hello")
        .unwrap_or_else(|| "localhost".to_owned());
    let trust = s.trust();
    s.finish();
    Some(Smtp {
        host: host?,
        port,
        security,
        user: user?,
        password: password?,
        hello,
        trust,
    })
}

fn maildir(s: &mut Section<'_>) -> Option<Mail> {
    let path = s.text("path", "the folder that has cur, new and tmp");
    let folders = s.opt_texts("folders").unwrap_or_default();
    let poll = s.pause("poll", Duration::from_secs(60), Duration::from_secs(1));
    s.finish();
    Some(Mail::Maildir {
        path: PathBuf::from(path?),
        folders,
        poll,
    })
}

fn limits(s: &mut Section<'_>) -> Limits {
    let default = Limits::default();
    let mebibytes = s.number(
        "largest_mail_mib",
        i64::from(default.largest_mail >> 20),
        1..=25,
    );
    let logins = s.number(
        "logins_per_hour",
        i64::from(default.logins_per_hour),
        1..=100_000,
    );
    let resend_after = s.pause("resend_after", default.resend_after, Duration::from_secs(1));
    s.finish();
    Limits {
        largest_mail: u32::try_from(mebibytes << 20).unwrap_or(default.largest_mail),
        resend_after,
        logins_per_hour: u32::try_from(logins).unwrap_or(default.logins_per_hour),
    }
}

/// A section that is emptied key by key; what is left at the end was not known.
struct Section<'p> {
    path: String,
    table: Table,
    known: Vec<&'static str>,
    problems: &'p mut Vec<Problem>,
}

impl<'p> Section<'p> {
    fn new(path: String, table: Table, problems: &'p mut Vec<Problem>) -> Self {
        Section {
            path,
            table,
            known: Vec::new(),
            problems,
        }
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn problem(&mut self, key: &str, why: &str, help: &str) {
        self.problems.push(Problem {
            key: self.key(key),
            why: why.to_owned(),
            help: help.to_owned(),
        });
    }

    fn had(&self, key: &str) -> bool {
        !self.problems.iter().any(|p| p.key == self.key(key))
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.table.remove(key)
    }

    fn section(&mut self, key: &'static str) -> Option<Section<'_>> {
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

    fn text(&mut self, key: &'static str, what: &str) -> Option<String> {
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

    fn opt_text(&mut self, key: &'static str) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            other => {
                self.problem(
                    key,
                    &format!("is {}, not a text", kind(&other)),
                    &format!("{key} = \"...\""),
                );
                None
            }
        }
    }

    fn texts(&mut self, key: &'static str, example: &str) -> Option<Vec<String>> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            self.problem(key, "is missing", example);
            return None;
        }
        self.opt_texts(key)
    }

    fn opt_texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let value = self.take(key)?;
        let list = match &value {
            Value::Array(items) => items
                .iter()
                .map(|v| v.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>(),
            _ => None,
        };
        if list.is_none() {
            self.problem(
                key,
                &format!("is {value}, not a list of texts"),
                &format!("{key} = [\"...\"]"),
            );
        }
        list
    }

    fn number(
        &mut self,
        key: &'static str,
        default: i64,
        range: std::ops::RangeInclusive<i64>,
    ) -> i64 {
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

    fn port(&mut self, key: &'static str, default: u16) -> u16 {
        u16::try_from(self.number(key, i64::from(default), 1..=65535)).unwrap_or(default)
    }

    fn flag(&mut self, key: &'static str, default: bool) -> bool {
        match self.take(key) {
            None => default,
            Some(Value::Boolean(flag)) => flag,
            Some(other) => {
                self.problem(key, &format!("cannot be {other}"), "true or false");
                default
            }
        }
    }

    fn pause(&mut self, key: &'static str, default: Duration, least: Duration) -> Duration {
        let Some(text) = self.opt_text(key) else {
            return default;
        };
        match humantime::parse_duration(&text) {
            Ok(pause) if pause >= least && pause <= Duration::from_secs(86_400) => pause,
            _ => {
                let help = format!(
                    "a time such as \"5m\", from {} to 1 day",
                    humantime::format_duration(least)
                );
                self.problem(key, &format!("cannot be \"{text}\""), &help);
                default
            }
        }
    }

    fn password(&mut self) -> Option<SecretSource> {
        const HELP: &str = "password.command = [\"pass\", \"show\", \"mail\"], password.file = \"/path\" (mode 0600) or password.credential = \"name\"";
        if let Some(Value::String(_)) = self.table.get("password") {
            self.table.remove("password");
            self.known.push("password");
            self.problem(
                "password",
                "stands in the file itself",
                &format!("say where it comes from instead: {HELP}"),
            );
            return None;
        }
        let Some(mut source) = self.section("password") else {
            self.problem("password", "is missing", HELP);
            return None;
        };
        let command = source.opt_texts("command");
        let file = source.opt_text("file");
        let credential = source.opt_text("credential");
        source.finish();
        match (command, file, credential) {
            (Some(command), None, None) if !command.is_empty() => {
                Some(SecretSource::Command(command))
            }
            (None, Some(file), None) => Some(SecretSource::File(PathBuf::from(file))),
            (None, None, Some(name)) => Some(SecretSource::Credential(name)),
            _ => {
                self.problem("password", "needs exactly one source", HELP);
                None
            }
        }
    }

    fn trust(&mut self) -> Trust {
        let extra_ca = self.opt_text("ca_file").map(PathBuf::from);
        let pin = self.opt_text("pin_sha256");
        let pin_sha256 = pin.as_deref().and_then(|text| {
            let pin = fingerprint(text);
            if pin.is_none() {
                self.problem("pin_sha256", &format!("`{text}` is no SHA-256 fingerprint"), "64 hexadecimal digits, with or without colons; `amici check` prints the server's");
            }
            pin
        });
        Trust {
            extra_ca,
            pin_sha256,
        }
    }

    fn finish(&mut self) {
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
    let back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let short = a.len().min(b.len());
    let differing = a
        .len()
        .max(b.len())
        .saturating_sub((front + back).min(short));
    let mut sorted = (a.to_vec(), b.to_vec());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    differing <= 1 || (differing <= 2 && sorted.0 == sorted.1)
}

fn fingerprint(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|c| *c != ':' && *c != ' ')
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()?;
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

    const ME: &str =
        "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    fn problems(text: &str) -> Vec<String> {
        Config::parse(text)
            .unwrap_err()
            .into_iter()
            .map(|p| format!("{}: {}", p.key, p.why))
            .collect()
    }

    #[test]
    fn me_alone_is_enough_for_local_commands() {
        let config = Config::parse(ME).unwrap();
        assert!(config.mail.is_none());
        assert_eq!(config.me.timezone, chrono_tz::Europe::Stockholm);
    }

    #[test]
    fn the_example_file_is_complete_and_right() {
        let text = include_str!("../config.example.toml");
        assert!(matches!(
            Config::parse(text).unwrap().mail,
            Some(Mail::Servers { .. })
        ));
        let commented: String = text
            .lines()
            .map(|l| l.strip_prefix("#: ").unwrap_or(l))
            .collect::<Vec<_>>()
            .join("\n");
        for key in [
            "ca_file",
            "pin_sha256",
            "folders",
            "poll",
            "idle",
            "security",
            "hello",
            "largest_mail_mib",
            "resend_after",
            "logins_per_hour",
            "[maildir]",
        ] {
            assert!(commented.contains(key), "{key} is explained in the example");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let text = "[me]\nname = \"\"\nemails = [\"nora\"]\ntimezone = \"Stockholm\"\ncolour = 1\n\
                    [imap]\nhost = 3\nport = 70000\nuser = \"u\"\npassword = \"secret\"\nfolder = [\"INBOX\"]\npoll = \"soon\"\n\
                    [limits]\nlargest_mail_mib = 900\n";
        let found = problems(text);
        let expected = [
            "me.emails: `nora` is no mail address",
            "me.name: is empty",
            "me.timezone: `Stockholm` is no time zone",
            "me.colour: is not known",
            "imap.host: is 3, not a text",
            "imap.port: cannot be 70000",
            "imap.password: stands in the file itself",
            "imap.poll: cannot be \"soon\"",
            "imap.folder: is not known",
            "smtp: the section is missing",
            "limits.largest_mail_mib: cannot be 900",
        ];
        for line in expected {
            assert!(found.iter().any(|f| f == line), "{line} in {found:#?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:#?}");
    }

    #[test]
    fn a_password_never_shows_in_a_problem() {
        let error = Config::parse(&format!(
            "{ME}[imap]\nhost = \"h\"\nuser = \"u\"\npassword = \"S3cret\"\n"
        ))
        .unwrap_err();
        assert!(!format!("{error:?}").contains("S3cret"));
    }

    #[test]
    fn a_slip_of_the_pen_gets_a_suggestion() {
        let error = Config::parse(&format!("{ME}[maildir]\npaht = \"/mail\"\n")).unwrap_err();
        assert!(
            error
                .iter()
                .any(|p| p.key == "maildir.paht" && p.help.contains("`path`")),
            "{error:?}"
        );
    }

    #[test]
    fn broken_toml_is_shown_by_line() {
        let error = Config::parse("[me]\nname = \n").unwrap_err();
        assert_eq!(error[0].key, "line 2");
    }

    #[test]
    fn a_fingerprint_is_read_with_and_without_colons() {
        let plain = "00".repeat(31) + "ff";
        let colons = vec!["00"; 31].join(":") + ":FF";
        assert_eq!(fingerprint(&plain), fingerprint(&colons));
        assert!(fingerprint(&plain).is_some());
        assert!(fingerprint("abc").is_none());
    }
}
