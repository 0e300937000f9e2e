//! The forms of a reply: the table of the ICCF rules and those of the clubs, in the words of several languages.
//!
//! A form is a template (minijinja), here or in a file of the player's; its words are in the files of `languages`. A template writes the
//! message itself, from the event to the move and what is offered with it. Greeting, comment, remarks and signature stand around
//! it as paragraphs of their own, whatever the template. What will surprise you: algebraic notation is written only where
//! the game agreed on it; the forms of the clubs give the same moves in digits elsewhere.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Deserialize;

use crate::config::{Form, Language, Style};
use crate::domain::transmission::Transmission;
use crate::domain::transmission::compose::Labels;

mod context;
mod filters;
mod matter;
mod own;
pub(super) mod proof;
mod sample;

pub(super) use matter::Matter;
use own::Page;
pub use sample::{sample_reply, try_style};

/// The templates of the forms that come with the program.
const TEMPLATES: [(&str, &str); 8] = [
    ("iccf", include_str!("iccf.j2")),
    ("iecg", include_str!("iecg.j2")),
    ("iecc", include_str!("iecc.j2")),
    ("desc", include_str!("desc.j2")),
    ("semi", include_str!("semi.j2")),
    ("cxv", include_str!("cxv.j2")),
    ("pgn", include_str!("pgn.j2")),
    ("line", include_str!("line.j2")),
];

/// Steps of one template, which ends it where its loops do not; the longest game takes a tenth of them.
const MOST_STEPS: u64 = 100_000;

/// A form that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError {
    /// Its name or file.
    pub form: String,
    /// The line of the template.
    pub line: Option<usize>,
    /// What is wrong there.
    pub why: String,
}

impl std::error::Error for FormError {}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the form {}", self.form)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.why)
    }
}

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Days, months and years in digits, for strftime.
    date: String,
    /// The same with the name of the month.
    long: String,
    months: Vec<String>,
    /// The words of a time control: English, and this language.
    control: Vec<(String, String)>,
    sheet: Labels,
    text: BTreeMap<String, String>,
}

impl Words {
    fn of(language: Language) -> Option<&'static Words> {
        WORDS.iter().find(|(of, _)| *of == language).map(|(_, words)| &**words)
    }

    fn text(&self, key: &str) -> &str {
        self.text.get(key).map_or("", String::as_str)
    }

    fn control(&self, words: &str) -> String {
        self.control.iter().fold(words.to_owned(), |text, (english, here)| text.replace(english, here))
    }
}

static WORDS: [(Language, LazyLock<Words>); Language::ALL.len()] = {
    macro_rules! words {
        ($($language:ident),+) => {
            [$((Language::$language, LazyLock::new(|| Language::$language.of_forms()))),+]
        };
    }
    words!(English, German, French, Spanish, Italian, Portuguese, Dutch, Russian)
};

/// How a template is written.
#[allow(clippy::expect_used, reason = "a constant; failing loudly beats letters without a move")]
static SYNTAX: LazyLock<SyntaxConfig> = LazyLock::new(|| {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    syntax.expect("the syntax is that of Jinja")
});

#[allow(clippy::expect_used, reason = "files of the program; failing loudly beats letters without a move")]
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SYNTAX.clone());
    environment.set_fuel(Some(MOST_STEPS));
    own::equip(&mut environment);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source).expect("the templates are in order");
    }
    environment
});

/// The message in a form: complete, but without what the player adds to it.
pub(super) fn render(form: &Form, language: Language, matter: &Matter<'_>) -> Result<String, FormError> {
    let failed = |error: minijinja::Error| FormError {
        form: form.name().to_owned(),
        line: error.line(),
        why: match (error.kind(), error.detail()) {
            (minijinja::ErrorKind::OutOfFuel, _) => "it does not come to an end: look at its loops".to_owned(),
            (kind, Some(detail)) => format!("{kind}: {detail}"),
            (kind, None) => kind.to_string(),
        },
    };
    let words = Words::of(language).ok_or_else(|| FormError {
        form: form.name().to_owned(),
        line: None,
        why: format!("there are no words for the language {language}"),
    })?;
    let (template, matter) = match form {
        Form::Own(own) => {
            if let Some((line, why)) = own::objection(&own.source, &SYNTAX) {
                return Err(FormError { form: own.file.clone(), line, why });
            }
            (ENVIRONMENT.template_from_named_str(&own.file, &own.source), Cow::Borrowed(matter))
        }
        // the official notation, whatever else was agreed
        Form::Iccf => (ENVIRONMENT.get_template(form.name()), Cow::Owned(matter.in_digits())),
        Form::Iecg | Form::Iecc | Form::Desc | Form::Semi | Form::Cxv | Form::Pgn | Form::Line => {
            (ENVIRONMENT.get_template(form.name()), Cow::Borrowed(matter))
        }
    };
    let mut page = Page::default();
    match template.and_then(|template| template.render_captured_to(matter.context(language, words), &mut page)) {
        Ok(_) if page.is_full => Err(FormError { form: form.name().to_owned(), line: None, why: Page::too_long() }),
        Ok(_) => Ok(tidy(&page.text())),
        Err(error) => Err(failed(error)),
    }
}

/// The message in the style of a letter, with what the player adds to it.
pub(super) fn letter(
    style: &Style,
    matter: &Matter<'_>,
    comment: Option<&str>,
    remarks: &str,
) -> Result<String, FormError> {
    let body = render(&style.form, style.language, matter)?;
    let comment = comment.map(super::message_body);
    let own = |words: &Option<String>| words.as_deref().map(tidy);
    let paragraphs = [own(&style.greeting), Some(body), comment, Some(tidy(remarks)), own(&style.signature)];
    let paragraphs: Vec<String> = paragraphs.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    Ok(paragraphs.join("\n"))
}

/// A transmission in the ICCF form, in English: the whole message, with its last ply as the new move.
///
/// # Errors
/// [`FormError`] when the template does not fit, which a test rules out.
pub fn compose(said: &Transmission) -> Result<String, FormError> {
    iccf(said, Language::English)
}

/// The same in a language.
pub(super) fn iccf(said: &Transmission, language: Language) -> Result<String, FormError> {
    render(&Form::Iccf, language, &Matter::of(said))
}

/// No blanks at the ends of lines, no empty lines around the text nor two in a row; a line end after the last word.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
