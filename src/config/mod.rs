//! The configuration: a TOML file becomes checked values, or a list of everything that is wrong with it. A file with several accounts
//! ([`Accounts`]) is one configuration for each.
//!
//! May read the file, and the templates of letters that it names, and nothing else. Passwords are never in it: only where they come from.
//! Every problem names its key, the value and what would do; unknown keys are problems too.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::Table;

use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::{Booking, Ledger};
use crate::domain::clock::rules::{RulesetChoice, RulesetError, Wanted};
use crate::domain::game::{Game, Player};
use crate::io::file;
pub use crate::languages::{Language, UnknownLanguage};
use crate::mail::address::Address;

mod accounts;
mod desk;
mod direct;
mod drafts;
mod event;
mod letters;
mod notify;
mod rules;
mod section;
mod senders;
mod sent;
mod servers;
mod token;

pub use accounts::{Account, AccountName, Accounts};
pub use desk::Desk;
pub use direct::Direct;
pub use drafts::{Drafts, Placing};
pub use event::{Assistance, Event};
pub use letters::{Form, OwnForm, Style, Styles};
pub use notify::Notify;
pub use rules::OwnRules;
use section::Section;
pub use senders::Senders;
pub use sent::{Sent, SentFolder};
pub use servers::{Imap, Mail, Smtp};

/// Everything the player configures.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who he is.
    pub me: Me,
    /// Where his mail is read and where notices go; `None` when only local commands are used.
    pub mail: Option<Mail>,
    /// How far the senders of mails are believed.
    pub senders: Senders,
    /// Events with settings of their own.
    pub events: Vec<Event>,
    /// Rule sets of his own.
    pub rules: OwnRules,
    /// Limits and pauses.
    pub limits: Limits,
    /// What he is told by mail beside notices of mails.
    pub notify: Notify,
    /// To whom released moves may be sent.
    pub direct: Direct,
    /// Whether finished drafts are also put into the mailbox's folder for drafts.
    pub drafts: Drafts,
    /// How it is known what he really sent.
    pub sent: Sent,
    /// The local web page.
    pub desk: Desk,
}

/// The player.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Me {
    /// As the tournament director knows him.
    pub name: String,
    /// His addresses; the first one is used to send.
    pub emails: Vec<Address>,
    /// His own place: dates in mails are its days.
    pub timezone: Tz,
    /// The day on which he books a mail, where the rules leave it to him.
    pub received: Booking,
    /// How he writes to whom. Nothing is judged by it, so it is not kept with the acts.
    #[serde(skip)]
    pub styles: Styles,
    /// The language in which he is written to. Nothing is judged by it, either.
    #[serde(skip)]
    pub language: Language,
    /// Notices show the board as a picture, beside the text.
    pub picture: bool,
}

impl Me {
    /// The address that notices and drafts go to and come from.
    pub fn address(&self) -> Option<&Address> {
        self.emails.first()
    }

    /// As he stands in a game that begins.
    pub fn player(&self) -> Player {
        Player { name: self.name.clone(), emails: self.emails.iter().map(ToString::to_string).collect() }
    }

    /// Whether it is one of his own addresses.
    pub fn is_mine(&self, address: &Address) -> bool {
        self.emails.iter().any(|mine| mine.is_same_mailbox(address))
    }

    /// An instant at the player's own place.
    pub fn moment(&self, at: DateTime<Utc>) -> Moment {
        Moment::of(at.with_timezone(&self.timezone).fixed_offset())
    }

    /// When the day of an instant began at his place.
    pub fn midnight(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        let midnight = at.with_timezone(&self.timezone).date_naive().and_time(NaiveTime::MIN);
        // a day on which the clock is put forward at midnight has none: its instant lies within the day all the same
        midnight.and_local_timezone(self.timezone).earliest().map_or(at, |midnight| midnight.to_utc())
    }

    /// The same as it is written for him: `Sat 30 Oct 2004 20:22`.
    pub fn local(&self, at: DateTime<Utc>) -> String {
        Language::English.instant(at.with_timezone(&self.timezone).naive_local())
    }

    /// The same in the language in which he is written to.
    pub fn local_words(&self, at: DateTime<Utc>) -> String {
        self.language.instant(at.with_timezone(&self.timezone).naive_local())
    }

    /// Both clocks of a game, with a mail that waits for his answer booked as he chose.
    ///
    /// # Errors
    /// [`RulesetError`] when the game's rules are not usable.
    pub fn ledger(&self, game: &Game) -> Result<Ledger, RulesetError> {
        Ok(Ledger::of(game)?.booked(self.received, &self.timezone).at_home(self.timezone))
    }
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
        Limits { largest_mail: 10 << 20, resend_after: Duration::from_secs(600), logins_per_hour: 12 }
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
            let key = if problem.key.is_empty() { String::new() } else { format!("{}: ", problem.key) };
            write!(f, "\n  {key}{}\n    help: {}", problem.why, problem.help)?;
        }
        Ok(())
    }
}

/// Why a file cannot be read, without the number that the system has for it.
fn reason(error: &std::io::Error) -> String {
    if error.raw_os_error().is_some() { error.kind().to_string() } else { error.to_string() }
}

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// [`ConfigError`] lists every problem.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let text = file::read_text(path, file::SETTINGS).map_err(|e| ConfigError {
            file: path.to_owned(),
            problems: vec![Problem {
                key: String::new(),
                why: match e.kind() {
                    ErrorKind::NotFound => "the file cannot be read: there is none".to_owned(),
                    _ => format!("the file cannot be read: {}", reason(&e)),
                },
                help: "`amici init` makes one, `amici config` prints an example to fill in; or name another file with --config".to_owned(),
            }],
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Config::parse_in(folder, &text).map_err(|problems| ConfigError { file: path.to_owned(), problems })
    }

    /// Checks a text that lies in no folder.
    ///
    /// # Errors
    /// Every problem.
    pub fn parse(text: &str) -> Result<Config, Vec<Problem>> {
        Config::parse_in(Path::new(""), text)
    }

    /// Checks a text; the files that it names without a full path lie in `folder`.
    ///
    /// # Errors
    /// Every problem.
    pub fn parse_in(folder: &Path, text: &str) -> Result<Config, Vec<Problem>> {
        Config::of_table(folder, table(text)?)
    }

    /// Checks what a text says, or what it says for one of its accounts.
    fn of_table(folder: &Path, table: Table) -> Result<Config, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut root = Section::new(String::new(), table, &mut problems);
        root.knows("account");
        let me = root.section("me").map(|mut s| me(&mut s));
        if me.is_none() {
            root.problem("me", "the section is missing", "add [me] with name, emails and timezone");
        }
        let mail = servers::mail(&mut root, folder);
        let own = me.iter().flatten().flat_map(|me| me.emails.clone()).collect::<Vec<Address>>();
        let rules = rules::rules(&mut root);
        let events = event::events(&mut root, &own, &rules);
        let mut styles = root.section("letters").map_or_else(Styles::default, |mut s| letters::letters(&mut s, folder));
        let mut senders = senders::senders(&mut root, &mut styles, folder);
        senders.directors.extend(events.iter().filter_map(|event| event.director.clone()));
        let limits = root.section("limits").map_or_else(Limits::default, |mut s| limits(&mut s));
        let direct = root.section("direct").map_or_else(Direct::default, |mut s| direct::direct(&mut s, &own));
        let notify = root.section("notify").map_or_else(Notify::default, |mut s| notify::notify(&mut s));
        let drafts = root.section("drafts").map_or_else(Drafts::default, |mut s| drafts::drafts(&mut s));
        check_drafts(&mut root, &drafts, mail.as_ref());
        let sent = root.section("sent").map_or_else(Sent::default, |mut s| sent::sent(&mut s));
        let desk = root.section("desk").map_or_else(Desk::default, |mut s| desk::desk(&mut s));
        senders.own_copies = sent.bcc_self;
        senders::check_copies(&mut root, &senders);
        root.finish();
        drop(root);
        match (me.flatten(), problems.is_empty()) {
            (Some(me), true) => Ok(Config {
                me: Me { styles: styles.with(drafts.are_placed(), &events), picture: notify.picture, ..me },
                mail,
                senders,
                events,
                rules,
                limits,
                notify,
                direct,
                drafts,
                sent,
                desk,
            }),
            _ => Err(problems),
        }
    }
}

impl Config {
    /// The settings of an event, by the name that its games carry.
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.is(name))
    }

    /// The rules of games that begin: those of the events, unless a set is named or values are given.
    ///
    /// # Errors
    /// [`RulesetError`] where there is no set of that name.
    pub fn wanted(&self, named: Option<&str>, values: Map<String, Value>) -> Result<Wanted, RulesetError> {
        let named = named.map(|name| self.rules.expanded(RulesetChoice::Name(name.to_owned()))).transpose()?;
        let events = self.events.iter().filter_map(|event| Some((event.name.clone(), event.rules.clone()?)));
        Ok(Wanted { named, events: events.collect(), values })
    }

    /// What help an event allows; all of it where nothing is said.
    pub fn assistance(&self, event: &str) -> Assistance {
        self.event(event).map(|event| event.assistance).unwrap_or_default()
    }
}

/// What a text says, unchecked.
fn table(text: &str) -> Result<Table, Vec<Problem>> {
    text.parse().map_err(|e: toml::de::Error| {
        let line = e.span().and_then(|s| text.get(..s.start)).map_or(1, |before| before.matches('\n').count() + 1);
        vec![Problem {
            key: format!("line {line}"),
            why: e.message().to_owned(),
            help: "the file is TOML: sections in [brackets], then key = value, texts in \"quotes\"".to_owned(),
        }]
    })
}

fn me(s: &mut Section<'_>) -> Option<Me> {
    let name = s.text("name", "your name as the tournament director writes it");
    let listed = s.texts("emails", "emails = [\"you@example.org\"]").unwrap_or_default();
    let mut emails = Vec::new();
    for text in &listed {
        match text.parse::<Address>() {
            Ok(address) => emails.push(address),
            Err(_) => s.problem("emails", &format!("`{text}` is no mail address"), "write it as name@domain"),
        }
    }
    if listed.is_empty() && s.had("emails") {
        s.problem("emails", "the list is empty", "the first address is the one that sends and receives");
    }
    let zone = s.text("timezone", "a zone of the tz database, such as Europe/Berlin");
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
    let received = match s.opt_text("received").as_deref() {
        None | Some("same-day") => Booking::SameDay,
        Some("next-day") => Booking::NextDay,
        Some(other) => {
            s.problem("received", &format!("cannot be `{other}`"), "\"same-day\" or \"next-day\"");
            Booking::SameDay
        }
    };
    let language = letters::language(s).unwrap_or_default();
    s.finish();
    Some(Me {
        name: name?,
        emails: (!emails.is_empty()).then_some(emails)?,
        timezone: timezone?,
        received,
        styles: Styles::default(),
        language,
        picture: true,
    })
}

/// Drafts need a folder on a server, and one that is not read: there they would be taken for mails.
fn check_drafts(root: &mut Section<'_>, drafts: &Drafts, mail: Option<&Mail>) {
    match (mail, &drafts.folder) {
        (Some(Mail::Servers { imap, .. }), Some(folder)) if imap.folders.contains(folder) => {
            root.problem(
                "drafts.folder",
                "is read for mails too",
                "take it out of `folders` in [imap], or name another",
            );
        }
        (Some(Mail::Servers { .. }), _) => {}
        _ if drafts.are_placed() => {
            root.problem("drafts.append", "needs an IMAP server", "add [imap] and [smtp], or leave it out");
        }
        _ => {}
    }
}

fn limits(s: &mut Section<'_>) -> Limits {
    let default = Limits::default();
    let mebibytes = s.number("largest_mail_mib", i64::from(default.largest_mail >> 20), 1..=25);
    let logins = s.number("logins_per_hour", i64::from(default.logins_per_hour), 1..=100_000);
    let resend_after = s.pause("resend_after", default.resend_after, Duration::from_secs(1));
    s.finish();
    Limits {
        largest_mail: u32::try_from(mebibytes << 20).unwrap_or(default.largest_mail),
        resend_after,
        logins_per_hour: u32::try_from(logins).unwrap_or(default.logins_per_hour),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    fn problems(text: &str) -> Vec<String> {
        Config::parse(text).unwrap_err().into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect()
    }

    #[test]
    fn me_alone_is_enough_for_local_commands() {
        let config = Config::parse(ME).unwrap();
        assert!(config.mail.is_none());
        assert_eq!(config.me.timezone, chrono_tz::Europe::Stockholm);
    }

    #[test]
    fn the_example_file_is_complete_and_right() {
        let text = include_str!("../../config.example.toml");
        assert!(matches!(Config::parse(text).unwrap().mail, Some(Mail::Servers { .. })));
        let (above, accounts) = text.split_once("#: [[account]]").unwrap();
        let several = format!("{above}[[account]]{}", accounts.replace("\n#: ", "\n"));
        assert_eq!(Accounts::parse_in(Path::new(""), &several).unwrap().unwrap().names().len(), 2);
        let commented: String = text.lines().map(|l| l.strip_prefix("#: ").unwrap_or(l)).collect::<Vec<_>>().join("\n");
        for key in [
            "listen",
            "received",
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
            "default",
            "authserv_id",
            "received_by",
            "verify_dkim",
            "token.command",
            "token = { provider",
            "[[opponent]]",
            "policy",
            "form",
            "language",
            "greeting",
            "signature",
            "[[director]]",
            "addresses",
            "[[event]]",
            "director",
            "assistance",
            "digest",
            "urgent_days",
            "append",
            "refresh",
            "cc_director",
            "[maildir]",
            "[[rules]]",
            "rules = { base",
            "[[account]]",
            "[account.me]",
        ] {
            assert!(commented.contains(key), "{key} is explained in the example");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let text = "[me]\nname = \"\"\nemails = [\"nora\"]\ntimezone = \"Stockholm\"\ncolour = 1\nreceived = \"later\"\n\
                    [imap]\nhost = 3\nport = 70000\nuser = \"u\"\npassword = \"secret\"\nfolder = [\"INBOX\"]\npoll = \"soon\"\n\
                    [limits]\nlargest_mail_mib = 900\n";
        let found = problems(text);
        let expected = [
            "me.emails: `nora` is no mail address",
            "me.name: is empty",
            "me.timezone: `Stockholm` is no time zone",
            "me.received: cannot be `later`",
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
        let error =
            Config::parse(&format!("{ME}[imap]\nhost = \"h\"\nuser = \"u\"\npassword = \"S3cret\"\n")).unwrap_err();
        assert!(!format!("{error:?}").contains("S3cret"));
    }

    #[test]
    fn a_slip_of_the_pen_gets_a_suggestion() {
        let error = Config::parse(&format!("{ME}[maildir]\npaht = \"/mail\"\n")).unwrap_err();
        assert!(error.iter().any(|p| p.key == "maildir.paht" && p.help.contains("`path`")), "{error:?}");
    }

    #[test]
    fn broken_toml_is_shown_by_line() {
        let error = Config::parse("[me]\nname = \n").unwrap_err();
        assert_eq!(error[0].key, "line 2");
    }
}
