//! What the lexicon's words say of dates and numbers: their meaning, and whose they are.
//!
//! A word counts as it does in any language, or else as in that of its sentence. Single letters and words with other meanings count
//! only in the head of a table or right before a value.

use super::lex::{Placed, Token};
use crate::domain::game::Side;
use crate::domain::transmission::lexicon::{Key, Keys, anywhere};

/// What a label says of the number or date beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Received,
    /// Sent, by whom the place tells: a form may repeat when its reader sent.
    Sent,
    /// Answered: by the writer.
    Replied,
    Days,
    Total,
    /// The German "ges.": sent beside a date, in all beside a number.
    SentOrTotal,
}

impl Label {
    /// Whether it names a date.
    pub(super) fn is_of_date(self) -> bool {
        matches!(self, Label::Received | Label::Sent | Label::Replied | Label::SentOrTotal)
    }

    /// Whether it names a number of days.
    pub(super) fn is_of_number(self) -> bool {
        matches!(self, Label::Days | Label::Total | Label::SentOrTotal)
    }
}

/// Whose date or number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    /// The writer.
    I,
    /// The reader, as subject of the sentence.
    You,
    /// Something of the reader.
    Your,
    /// The reader, in a form that calls him the partner.
    Partner,
}

/// Words of a date or a number.
const LABELS: [(Key, Label); 6] = [
    (Key::SentOrTotal, Label::SentOrTotal),
    (Key::Received, Label::Received),
    (Key::Replied, Label::Replied),
    (Key::Sent, Label::Sent),
    (Key::Days, Label::Days),
    (Key::Total, Label::Total),
];
/// Single letters, and words with other meanings.
const SHORT_LABELS: [(Key, Label); 4] = [
    (Key::ReceivedShort, Label::Received),
    (Key::SentShort, Label::Sent),
    (Key::DaysShort, Label::Days),
    (Key::TotalShort, Label::Total),
];
const PERSONS: [(Key, Person); 4] =
    [(Key::I, Person::I), (Key::You, Person::You), (Key::Your, Person::Your), (Key::Partner, Person::Partner)];

/// What the first of the keys says.
fn first<T: Copy>(keys: Keys, of: &[(Key, T)]) -> Option<T> {
    of.iter().find(|(key, _)| keys.has(*key)).map(|(_, meaning)| *meaning)
}

/// What a word says of the date or number beside it, in any language.
pub(super) fn label(word: &str) -> Option<Label> {
    first(anywhere(word), &LABELS)
}

/// The same, for words that are no labels everywhere, as their own sentence has it.
pub(super) fn label_of(word: &str, keys: Keys) -> Option<Label> {
    label(word).or_else(|| first(keys, &LABELS).filter(|_| !keys.has(Key::Common)))
}

/// Whether a word gives the date or number beside it a meaning.
pub(super) fn is_label(placed: &Placed) -> bool {
    matches!(&placed.token, Token::Word(word) if label_of(word, placed.keys).is_some())
}

/// What a single letter or a word with other meanings says in the head of a table, or right before a value.
pub(super) fn short_label(word: &str, keys: Keys) -> Option<Label> {
    let keyed = || first(keys, &SHORT_LABELS).filter(|_| !keys.has(Key::Common));
    first(anywhere(word), &SHORT_LABELS).or_else(|| label_of(word, keys)).or_else(keyed)
}

/// Whom a word names.
pub(super) fn person(word: &str) -> Option<Person> {
    first(anywhere(word), &PERSONS)
}

/// The same, for words that name nobody everywhere: in their own sentence "you" may be anything of the reader.
pub(super) fn person_of(word: &str, keys: Keys) -> Option<Person> {
    let keyed = || first(keys, &[(Key::I, Person::I), (Key::You, Person::Your)]).filter(|_| !keys.has(Key::Play));
    person(word).or_else(keyed)
}

/// The side that a word names.
pub(super) fn side_named(word: &str) -> Option<Side> {
    first(anywhere(word), &[(Key::White, Side::White), (Key::Black, Side::Black)])
}

/// Words that stand in a statement about dates without changing its meaning.
pub(super) fn is_filler(word: &str) -> bool {
    word.chars().count() <= 3 || anywhere(word).has(Key::AmongDates)
}

/// Words that may stand in a statement of days without making it one about something else, such as leave or the time left.
pub(super) fn is_of_figures(word: &str) -> bool {
    short_label(word, Keys::default()).is_some()
        || person(word).is_some()
        || side_named(word).is_some()
        || anywhere(word).has(Key::AmongDays)
}
