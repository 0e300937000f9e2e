//! The sentences of letters beside the move, in the language of whom they go to; they stand in `speech.toml`.
//!
//! What will surprise you: no sentence is put together of halves, since languages order and bend words in ways of their own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate};

use super::forms::month;
use crate::config::{Language, Me, Style};
use crate::domain::game::Stated;
use crate::domain::transmission::compose::{COLUMNS, clip};

type Sentences = BTreeMap<String, String>;

#[allow(clippy::expect_used, reason = "a file of the program; failing loudly beats letters without words")]
static SENTENCES: LazyLock<BTreeMap<String, Sentences>> =
    LazyLock::new(|| toml::from_str(include_str!("speech.toml")).expect("the sentences are in order"));

/// A language to write letters in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speech {
    language: Language,
}

impl Speech {
    /// Speaks this language.
    pub(super) fn of(language: Language) -> Speech {
        Speech { language }
    }

    /// The sentence of this name, with what belongs between its braces.
    pub(super) fn say(self, name: &str, with: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.sentence(name);
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let (key, after) = behind.split_once('}').unwrap_or((behind, ""));
            text.push_str(with.iter().find(|(known, _)| *known == key).map_or("", |(_, value)| *value));
            rest = after;
        }
        text + rest
    }

    /// `30 October 2004`
    pub(super) fn day(self, day: NaiveDate) -> String {
        let format = self.sentence("date").replace("%B", month(self.language, day.month0()));
        day.format(&format).to_string()
    }

    /// `3 days`
    pub(super) fn days(self, days: impl Into<i64>) -> String {
        let days: i64 = days.into();
        self.say(if days == 1 { "day" } else { "days" }, &[("n", &days.to_string())])
    }

    /// `total 12`
    pub(super) fn total(self, total: u32) -> String {
        self.say("total", &[("n", &total.to_string())])
    }

    /// `received 3 May 2004, sent 12 May 2004, 3 days, total 28`, as far as it is there.
    pub(super) fn stated(self, stated: &Stated) -> String {
        let dated = |name: &str, day: NaiveDate| self.say(name, &[("day", &self.day(day))]);
        let parts = [
            stated.received.map(|day| dated("received", day)),
            stated.sent.map(|day| dated("sent", day)),
            stated.days.map(|days| self.days(days)),
            stated.total.map(|total| self.total(total)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { self.say("nothing", &[]) } else { parts.join(", ") }
    }

    /// What a letter in this language begins with, and an empty line.
    pub(super) fn hello(self, style: &Style) -> String {
        format!("{}\n\n", style.greeting.as_deref().unwrap_or(self.sentence("hello")))
    }

    /// What it ends with, after an empty line.
    pub(super) fn farewell(self, style: &Style, me: &Me) -> String {
        match &style.signature {
            Some(signature) => format!("\n{signature}\n"),
            None => format!("\n{}\n{}\n", self.sentence("regards"), clip(&me.name, COLUMNS)),
        }
    }

    /// A paragraph of the program's before the text of a letter, after the greeting that the text may have already.
    pub(super) fn before(self, style: &Style, paragraph: &str, text: &str) -> String {
        let hello = self.hello(style);
        format!("{hello}{paragraph}\n{}", text.strip_prefix(&hello).unwrap_or(text))
    }

    fn sentence(self, name: &str) -> &'static str {
        let of = |language: Language| SENTENCES.get(&language.to_string()).and_then(|all| all.get(name));
        of(self.language).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanks(sentence: &str) -> Vec<&str> {
        let mut blanks: Vec<&str> = sentence.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        blanks.sort_unstable();
        blanks
    }

    #[test]
    fn every_language_has_every_sentence_with_the_same_blanks() {
        let english = &SENTENCES["en"];
        assert_eq!(SENTENCES.len(), Language::ALL.len());
        for (_, code) in Language::ALL {
            let own = &SENTENCES[code];
            assert!(own.keys().eq(english.keys()), "{code}: {:?}", own.keys().collect::<Vec<_>>());
            for (name, sentence) in own {
                assert!(!sentence.is_empty() && sentence.trim() == sentence, "{code} {name}");
                assert_eq!(blanks(sentence), blanks(&english[name]), "{code} {name}");
                let may_agree = ["date", "total", "resigns", "day", "days"].contains(&name.as_str());
                assert!(code == "en" || may_agree || *sentence != english[name], "{code} {name} is in English");
            }
        }
    }

    #[test]
    fn what_stands_in_a_blank_is_no_blank_itself() {
        let speech = Speech::of(Language::English);
        let said = speech.say("leave_used", &[("event", "{days} {year}"), ("days", "3 days"), ("year", "2026")]);
        assert_eq!(said, "{days} {year}: leave taken in 2026, with this: 3 days.");
    }

    #[test]
    fn days_are_written_as_each_language_writes_them() {
        let day: NaiveDate = "2004-03-01".parse().unwrap();
        let written = Language::ALL.map(|(language, _)| Speech::of(language).day(day));
        let expected = [
            "1 March 2004",
            "1. März 2004",
            "1 mars 2004",
            "1 de marzo de 2004",
            "1 marzo 2004",
            "1 de março de 2004",
            "1 марта 2004",
        ];
        assert_eq!(written, expected);
        assert_eq!(Speech::of(Language::German).days(1u32), "1 Tag");
        assert_eq!(Speech::of(Language::French).days(2u32), "2 jours");
    }
}
