//! A sentence that is made where nobody knows in which language it will be said.

use std::fmt;

use chrono::Weekday;
use serde::{Serialize, Serializer};

use super::{Language, filled};

/// A sentence with its values: [`phrase!`](crate::phrase) makes it, and [`Phrase::in_words`] says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    english: &'static str,
    values: Vec<(&'static str, Value)>,
}

/// What stands in a brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The same in every language.
    Text(String),
    /// So many days.
    Days(u32),
    /// A day of the week.
    Weekday(Weekday),
    /// Said in the language of the sentence.
    Phrase(Phrase),
    /// One behind the other.
    Parts(Vec<Value>),
}

/// So many days, said in the language of the sentence.
#[derive(Debug, Clone, Copy)]
pub struct Days(pub u32);

/// `phrase!("{number} is conditional and takes no time, he states {days}", number, days = Days(2))`. What can be displayed is the same in every
/// language; [`Days`] and a [`Phrase`] are said in that of the sentence.
#[macro_export]
macro_rules! phrase {
    ($english:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::languages::Phrase::new($english, vec![$((stringify!($name), $crate::phrase!(@value $name $(= $value)?))),*])
    };
    (@value $name:ident = $value:expr) => { $crate::languages::Value::from($value) };
    (@value $name:ident) => { $crate::languages::Value::from($name) };
}

impl Phrase {
    /// A sentence by its English words, which name it in the files of the other languages.
    pub fn new(english: &'static str, values: Vec<(&'static str, Value)>) -> Phrase {
        Phrase { english, values }
    }

    /// The sentence in a language.
    pub fn in_words(&self, language: Language) -> String {
        let said: Vec<(&str, String)> =
            self.values.iter().map(|(name, value)| (*name, value.in_words(language))).collect();
        let with: Vec<(&str, &dyn fmt::Display)> =
            said.iter().map(|(name, value)| (*name, value as &dyn fmt::Display)).collect();
        filled(language.sentence(self.english), &with)
    }

    /// The same in English: what stands in the database, and what programs read.
    pub fn in_english(&self) -> String {
        self.in_words(Language::English)
    }
}

/// In English.
impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_english())
    }
}

impl Value {
    /// Values one behind the other, with this between them; nothing where there is none.
    pub fn joined(values: impl IntoIterator<Item = Value>, between: &str) -> Value {
        let mut parts: Vec<Value> = Vec::new();
        for value in values {
            if !parts.is_empty() {
                parts.push(between.into());
            }
            parts.push(value);
        }
        Value::Parts(parts)
    }

    /// The value in a language.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Days(days) => language.days(*days),
            Value::Weekday(weekday) => language.weekday_named(*weekday),
            Value::Phrase(phrase) => phrase.in_words(language),
            Value::Parts(parts) => parts.iter().map(|part| part.in_words(language)).collect(),
        }
    }
}

impl<T: fmt::Display> From<T> for Value {
    fn from(value: T) -> Value {
        Value::Text(value.to_string())
    }
}

impl From<Days> for Value {
    fn from(Days(days): Days) -> Value {
        Value::Days(days)
    }
}

impl From<Phrase> for Value {
    fn from(phrase: Phrase) -> Value {
        Value::Phrase(phrase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_said_in_each_language_with_all_that_stands_in_it() {
        let inner = phrase!("{days} used by the dates on record", days = Days(2));
        let whole = phrase!("{a}{b}{c}", a = "5254 ", b = inner, c = Value::Parts(Vec::new()));
        assert_eq!(whole.in_english(), "5254 2 days used by the dates on record");
        let german = whole.in_words(Language::German);
        assert!(german.starts_with("5254 2 Tage ") && !german.contains("used"), "{german}");
    }
}
