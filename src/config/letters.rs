//! How the player writes to his opponents: the section `[letters]`, and the keys of it in `[[opponent]]`.
//!
//! May read a template of his own, named there by its file. What a form makes of a move is the business of `letters`; here
//! only the words that stand in every letter are looked at: a greeting that reads as a move would make every mail doubtful.

use std::path::Path;

use super::event::Event;
use super::reason;
use super::section::Section;
use crate::domain::game::Player;
use crate::domain::transmission::read::{Frame, Line, read};
use crate::io::file::read_text;
use crate::languages::{Language, UnknownLanguage};
use crate::mail::address::Address;

/// The form of a reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Form {
    /// The two-sided table of the ICCF e-mail rules.
    #[default]
    Iccf,
    /// PGN with the clock lines of IECG.
    Iecg,
    /// PGN with the sentences of the IECC team matches.
    Iecc,
    /// PGN with the seven tags and the thinking time of DESC.
    Desc,
    /// PGN with the labelled dates of SEMI.
    Semi,
    /// PGN with the dates of CXV.
    Cxv,
    /// PGN and nothing else.
    Pgn,
    /// His move and the answer on one line.
    Line,
    /// A template of the player's.
    Own(OwnForm),
}

/// A template of the player's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnForm {
    /// The file as the configuration names it.
    pub file: String,
    /// Its text.
    pub source: String,
}

impl OwnForm {
    /// Bytes of a template: twenty times the longest that comes with the program.
    pub const LARGEST: u64 = 16 << 10;
}

impl Form {
    /// The forms that come with the program, with what each is.
    pub const BUILT_IN: [(Form, &'static str, &'static str); 8] = [
        (Form::Iccf, "iccf", "the table of the ICCF e-mail rules: every move with its dates and days"),
        (Form::Iecg, "iecg", "PGN, the day of receipt and of reply, both players' time"),
        (Form::Iecc, "iecc", "PGN, the three dates and both players' days in sentences"),
        (Form::Desc, "desc", "PGN with seven tags, the three dates, both players' thinking time"),
        (Form::Semi, "semi", "PGN, the dates posted, received and answered, both players' time"),
        (Form::Cxv, "cxv", "PGN, the dates sent, received and replied; no days"),
        (Form::Pgn, "pgn", "PGN alone: no dates, no days"),
        (Form::Line, "line", "his move and your answer on one line, with your dates; no days"),
    ];

    /// The form of this name.
    pub fn named(name: &str) -> Option<Form> {
        Form::BUILT_IN.into_iter().find(|(_, known, _)| *known == name).map(|(form, ..)| form)
    }

    /// Its name, or the file of an own one.
    pub fn name(&self) -> &str {
        match self {
            Form::Own(own) => &own.file,
            built_in => Form::BUILT_IN.iter().find(|(form, ..)| form == built_in).map_or("iccf", |(_, name, _)| name),
        }
    }
}

/// How a letter to one opponent is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Its form.
    pub form: Form,
    /// The language of its words.
    pub language: Language,
    /// What it begins with.
    pub greeting: Option<String>,
    /// What it ends with.
    pub signature: Option<String>,
}

/// What the section of one opponent says about his letters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Changes {
    form: Option<Form>,
    language: Option<Language>,
    greeting: Option<String>,
}

impl Changes {
    /// The style with these changes.
    fn of(&self, style: &Style) -> Style {
        let Changes { form, language, greeting } = self.clone();
        Style {
            form: form.unwrap_or_else(|| style.form.clone()),
            language: language.unwrap_or(style.language),
            greeting: greeting.or_else(|| style.greeting.clone()),
            signature: style.signature.clone(),
        }
    }
}

/// How letters are written: in general, and to whom differently.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styles {
    general: Style,
    opponents: Vec<(Address, Changes)>,
    /// The events that the player names.
    events: Vec<Event>,
    /// Finished drafts are put into the mailbox's folder for drafts too.
    drafts_placed: bool,
}

impl Styles {
    /// One style for everybody.
    pub fn general(style: Style) -> Styles {
        Styles { general: style, ..Styles::default() }
    }

    /// The same where finished drafts are put into the folder for drafts or not, and these events have settings of their own.
    pub(super) fn with(self, drafts_placed: bool, events: &[Event]) -> Styles {
        Styles { events: events.to_vec(), drafts_placed, ..self }
    }

    /// The director who gets a copy of each move in this event.
    pub fn copy_to(&self, event: &str) -> Option<&Address> {
        self.event(event).filter(|event| event.cc_director).and_then(|event| event.director.as_ref())
    }

    /// The director of this event.
    pub fn director_of(&self, event: &str) -> Option<&Address> {
        self.event(event).and_then(|event| event.director.as_ref())
    }

    fn event(&self, event: &str) -> Option<&Event> {
        self.events.iter().find(|other| other.is(event))
    }

    /// Whether finished drafts are put into the mailbox's folder for drafts too.
    pub fn are_drafts_placed(&self) -> bool {
        self.drafts_placed
    }

    pub(super) fn differ(&mut self, address: Address, changes: Changes) {
        self.opponents.push((address, changes));
    }

    /// How letters to this player are written.
    pub fn of(&self, player: &Player) -> Style {
        let addresses: Vec<Address> = player.emails.iter().filter_map(|email| email.parse().ok()).collect();
        let is_his = |(other, _): &&(Address, Changes)| addresses.iter().any(|address| address.is_same_mailbox(other));
        let his = self.opponents.iter().find(is_his);
        his.map_or_else(|| self.general.clone(), |(_, changes)| changes.of(&self.general))
    }

    /// The style of everybody who has none of his own.
    pub fn for_others(&self) -> &Style {
        &self.general
    }

    /// Every style that is in use, each once.
    pub fn all(&self) -> Vec<Style> {
        let mut all = vec![self.general.clone()];
        for (_, changes) in &self.opponents {
            let style = changes.of(&self.general);
            if !all.contains(&style) {
                all.push(style);
            }
        }
        all
    }
}

/// Reads the section of the file; `folder` is where the file lies.
pub(super) fn letters(s: &mut Section<'_>, folder: &Path) -> Styles {
    let Changes { form, language, greeting } = changes(s, folder);
    let signature = words(s, "signature");
    s.finish();
    let general = Style { form: form.unwrap_or_default(), language: language.unwrap_or_default(), greeting, signature };
    Styles::general(general)
}

/// Whether one of these keys stands in the section, whatever its value is worth.
pub(super) fn has_changes(s: &Section<'_>) -> bool {
    ["form", "language", "greeting"].into_iter().any(|key| s.has(key))
}

/// The keys that an opponent can have of his own.
pub(super) fn changes(s: &mut Section<'_>, folder: &Path) -> Changes {
    Changes { form: form(s, folder), language: language(s), greeting: words(s, "greeting") }
}

fn form(s: &mut Section<'_>, folder: &Path) -> Option<Form> {
    let text = s.opt_text("form")?;
    if let Some(form) = Form::named(&text) {
        return Some(form);
    }
    let known: Vec<&str> = Form::BUILT_IN.iter().map(|(_, name, _)| *name).collect();
    if !text.ends_with(".j2") {
        s.problem("form", &format!("`{text}` is not known"), &format!("{}, or a file NAME.j2", known.join(", ")));
        return None;
    }
    match read_text(&folder.join(&text), OwnForm::LARGEST) {
        Ok(source) => Some(Form::Own(OwnForm { file: text, source })),
        Err(error) => {
            let help = "the path is taken from the folder of the configuration file";
            s.problem("form", &format!("the file `{text}` cannot be read: {}", reason(&error)), help);
            None
        }
    }
}

pub(super) fn language(s: &mut Section<'_>) -> Option<Language> {
    let code = s.opt_text("language")?;
    let language = code.parse();
    if let Err(unknown) = &language {
        let unknown: &UnknownLanguage = unknown;
        s.problem("language", &unknown.to_string(), "language = \"de\"");
    }
    language.ok()
}

/// Words that go out with every letter: they must not be able to pass for a move, an offer or a resignation.
fn words(s: &mut Section<'_>, key: &'static str) -> Option<String> {
    let text = s.opt_text(key)?;
    let trimmed = text.trim();
    let wide = trimmed.lines().find(|line| line.chars().count() > 72);
    if let Some(line) = wide {
        s.problem(
            key,
            &format!("the line `{line}` is longer than 72 columns"),
            "break it with \\n, or in \"\"\"...\"\"\"",
        );
    }
    if let Some(line) = disturbing(trimmed) {
        s.problem(
            key,
            &format!("`{line}` can be read as a move, an offer or a resignation"),
            "every letter would be doubtful with it: leave out what looks like a move",
        );
    }
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// The first line that our own reader takes for more than words.
fn disturbing(text: &str) -> Option<&str> {
    text.lines().find(|line| {
        let reading = read(&[Line { number: 1, text: line }], &Frame::default());
        let gives_moves = !reading.claims.is_empty() || !reading.bad.is_empty() || !reading.offered.is_empty();
        let may_be_moves = !reading.loose.is_empty() || !reading.weighed.is_empty() || !reading.of_reader.is_empty();
        let ends = reading.events.iter().any(|spoken| spoken.event.decides());
        gives_moves || may_be_moves || ends || !reading.unclear.is_empty()
    })
}
