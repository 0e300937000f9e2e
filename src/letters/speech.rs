//! The sentences of letters beside the move, in the language of whom they go to; they stand in the files of `languages`.
//!
//! What will surprise you: no sentence is put together of halves, since languages order and bend words in ways of their own.

use std::fmt::Display;

use chrono::NaiveDate;

use crate::config::{Language, Me, Style};
use crate::domain::game::Stated;
use crate::domain::transmission::compose::{COLUMNS, clip};
use crate::languages::filled;

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
        let with: Vec<(&str, &dyn Display)> = with.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
        filled(self.text(name), &with)
    }

    /// `30 October 2004`
    pub(super) fn day(self, day: NaiveDate) -> String {
        self.language.day(day)
    }

    /// `3 days`
    pub(super) fn days(self, days: u32) -> String {
        self.language.days(days)
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
        format!("{}\n\n", style.greeting.as_deref().unwrap_or(self.text("hello")))
    }

    /// What it ends with, after an empty line.
    pub(super) fn farewell(self, style: &Style, me: &Me) -> String {
        match &style.signature {
            Some(signature) => format!("\n{signature}\n"),
            None => format!("\n{}\n{}\n", self.text("regards"), clip(&me.name, COLUMNS)),
        }
    }

    /// A paragraph of the program's before the text of a letter, after the greeting that the text may have already.
    pub(super) fn before(self, style: &Style, paragraph: &str, text: &str) -> String {
        let hello = self.hello(style);
        format!("{hello}{paragraph}\n{}", text.strip_prefix(&hello).unwrap_or(text))
    }

    fn text(self, name: &str) -> &'static str {
        self.language.of_letter(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "1 maart 2004",
            "1 марта 2004",
        ];
        assert_eq!(written, expected);
        assert_eq!(Speech::of(Language::German).days(1u32), "1 Tag");
        assert_eq!(Speech::of(Language::French).days(2u32), "2 jours");
    }
}
