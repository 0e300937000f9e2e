//! The languages that people are written to in, and what is said in them.
//!
//! All words of a language stand in one file beside this one. What the player is told stands in the code, in English, where it is said
//! ([`say!`](crate::say)); the other languages have it under its English words. What will surprise you: a sentence that a file lacks is
//! said in English, and `tests/suite/languages.rs` names each that is lacking or that nobody says any more.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::LazyLock;

use chrono::{Locale, NaiveDate, NaiveDateTime, Weekday};
use serde::Deserialize;
use serde::de::DeserializeOwned;

mod phrase;

pub use phrase::{Days, Phrase, Value};

/// A sentence in a language: `say!(language, "{number} is due in {days} days", number, days = left)`. Its English words stand in the code and name
/// it in the files of the other languages; each `{name}` takes the value of that name.
#[macro_export]
macro_rules! say {
    ($language:expr, $english:literal $(,)?) => { $language.fill($english, &[]) };
    ($language:expr, $english:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $language.fill($english, &[$((stringify!($name), $crate::say!(@value $name $(= $value)?))),+])
    };
    (@value $name:ident = $value:expr) => { &$value as &dyn ::std::fmt::Display };
    (@value $name:ident) => { &$name as &dyn ::std::fmt::Display };
}

/// A sentence that is said in a language later: its English words, which name it in the files of the other languages.
#[macro_export]
macro_rules! sentence {
    ($english:literal) => {
        $english
    };
}

/// A language that letters and notices can be written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Language {
    #[default]
    English,
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Russian,
}

/// A code that is none of [`Language`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not known here; choose one of en, de, fr, es, it, pt, nl, ru")]
pub struct UnknownLanguage(pub String);

impl Language {
    /// All of them, with their codes (ISO 639-1).
    pub const ALL: [(Language, &'static str); 8] = [
        (Language::English, "en"),
        (Language::German, "de"),
        (Language::French, "fr"),
        (Language::Spanish, "es"),
        (Language::Italian, "it"),
        (Language::Portuguese, "pt"),
        (Language::Dutch, "nl"),
        (Language::Russian, "ru"),
    ];
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        let found = Language::ALL.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(code));
        found.map(|(language, _)| language).ok_or_else(|| UnknownLanguage(code.to_owned()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = Language::ALL.iter().find(|(language, _)| language == self).map_or("en", |(_, code)| code);
        f.pad(code)
    }
}

/// Sentences by their names.
type Sentences = BTreeMap<String, String>;

/// The file of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The words of the forms.
    form: toml::Table,
    /// The sentences of letters to an opponent.
    letter: Sentences,
    /// What the player is told, under its English words; nothing in the file of English.
    #[serde(default)]
    said: Sentences,
}

#[allow(clippy::expect_used, reason = "files of the program; failing loudly beats letters without words")]
static FILES: [(Language, LazyLock<File>); Language::ALL.len()] = {
    macro_rules! file {
        ($language:ident, $code:literal) => {
            (
                Language::$language,
                LazyLock::new(|| {
                    toml::from_str(include_str!(concat!($code, ".toml"))).expect("the sentences are in order")
                }),
            )
        };
    }
    [
        file!(English, "en"),
        file!(German, "de"),
        file!(French, "fr"),
        file!(Spanish, "es"),
        file!(Italian, "it"),
        file!(Portuguese, "pt"),
        file!(Dutch, "nl"),
        file!(Russian, "ru"),
    ]
};

/// A sentence with each `{name}` filled in. What is filled in is never looked at for braces.
pub fn filled(sentence: &str, with: &[(&str, &dyn fmt::Display)]) -> String {
    let mut text = String::with_capacity(2 * sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        if let Some((_, value)) = with.iter().find(|(known, _)| *known == name) {
            // a text takes whatever is written
            let _ = write!(text, "{value}");
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

impl Language {
    fn file(self) -> Option<&'static File> {
        FILES.iter().find(|(language, _)| *language == self).map(|(_, file)| &**file)
    }

    /// The words of the forms.
    #[allow(clippy::expect_used, reason = "a file of the program; failing loudly beats letters without words")]
    pub fn of_forms<T: DeserializeOwned>(self) -> T {
        let words = self.file().map(|file| file.form.clone()).unwrap_or_default();
        words.try_into().expect("the words are in order")
    }

    /// The sentence of this name in letters to an opponent, with its braces still open; empty where there is none.
    pub fn of_letter(self, name: &str) -> &'static str {
        self.file().and_then(|file| file.letter.get(name)).map_or("", String::as_str)
    }

    /// What the player is told in this language, with its braces still open; the English words where its file lacks them.
    pub fn sentence(self, english: &str) -> &str {
        // who is told in English needs no file
        let file = Some(self).filter(|language| *language != Language::English).and_then(Language::file);
        file.and_then(|file| file.said.get(english)).map_or(english, String::as_str)
    }

    /// The same, each `{name}` filled in.
    pub fn fill(self, english: &str, with: &[(&str, &dyn fmt::Display)]) -> String {
        filled(self.sentence(english), with)
    }

    /// Its place, for the names of days and months.
    fn locale(self) -> Locale {
        match self {
            Language::English => Locale::POSIX,
            Language::German => Locale::de_DE,
            Language::French => Locale::fr_FR,
            Language::Spanish => Locale::es_ES,
            Language::Italian => Locale::it_IT,
            Language::Portuguese => Locale::pt_PT,
            Language::Dutch => Locale::nl_NL,
            Language::Russian => Locale::ru_RU,
        }
    }

    /// A day as a pattern of strftime has it.
    pub fn write(self, day: NaiveDate, pattern: &str) -> String {
        day.format_localized(pattern, self.locale()).to_string()
    }

    /// A day with its day of the week: `Sat 30 Oct 2004`
    pub fn weekday(self, day: NaiveDate) -> String {
        self.write(day, self.sentence("%a %d %b %Y"))
    }

    /// A day of the week by its short name: `Sat`
    pub fn weekday_named(self, weekday: Weekday) -> String {
        NaiveDate::from_isoywd_opt(2001, 1, weekday).map_or_else(|| weekday.to_string(), |day| self.write(day, "%a"))
    }

    /// An instant at the player's place: `Sat 30 Oct 2004 20:22`
    pub fn instant(self, at: NaiveDateTime) -> String {
        format!("{} {}", self.weekday(at.date()), at.format("%H:%M"))
    }

    /// A near day: `Sat 30 Oct`
    pub fn near(self, day: NaiveDate) -> String {
        self.write(day, self.sentence("%a %d %b"))
    }

    /// A day without its year: `30 Oct`
    pub fn short(self, day: NaiveDate) -> String {
        self.write(day, self.sentence("%d %b"))
    }

    /// A day in few letters: `30 Oct 2004`
    pub fn dated(self, day: NaiveDate) -> String {
        self.write(day, self.sentence("%d %b %Y"))
    }

    /// A day in full: `30 October 2004`
    pub fn day(self, day: NaiveDate) -> String {
        self.write(day, self.sentence("%-d %B %Y"))
    }

    /// So many days in words: `1 day`, `2 days`
    pub fn days(self, days: u32) -> String {
        match days {
            1 => say!(self, "1 day"),
            days => say!(self, "{days} days", days),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_for_braces() {
        let (name, at) = ("{at} {name}", 3);
        assert_eq!(say!(Language::English, "{name} at {at}, {at}", name, at), "{at} {name} at 3, 3");
    }

    #[test]
    fn every_language_is_known_by_its_code() {
        for (language, code) in Language::ALL {
            assert_eq!(code.parse::<Language>().unwrap(), language);
            assert_eq!(code.to_uppercase().parse::<Language>().unwrap(), language);
            assert_eq!(language.to_string(), code);
            assert!(language.file().is_some(), "{code} has no file");
        }
        let refused = "eo".parse::<Language>().unwrap_err().to_string();
        assert!(Language::ALL.iter().all(|(_, code)| refused.contains(code)), "{refused}");
    }

    #[test]
    fn days_are_written_as_the_language_writes_them() {
        let day = NaiveDate::from_ymd_opt(2004, 10, 30).unwrap();
        let written = Language::ALL.map(|(language, _)| (language.weekday(day), language.day(day), language.days(2)));
        insta::assert_debug_snapshot!(written);
    }
}
