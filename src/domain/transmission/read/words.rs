//! The words after which a person must look, and those that leave a move what it is.
//!
//! Words come in lower case and without accents. Covered: the plain labels of the big languages.

use super::vocabulary::{is_second_person, label};

/// Words that may stand beside a move without making the line a sentence.
pub(super) fn is_harmless(word: &str) -> bool {
    label(word).is_some()
        || crate::domain::transmission::calendar::month_named(word).is_some()
        || is_second_person(word)
        || is_move_label(word)
        || matches!(
            word,
            "i" | "play"
                | "reply"
                | "answer"
                | "last"
                | "message"
                | "mail"
                | "is"
                | "and"
                | "on"
                | "in"
                | "white"
                | "black"
                | "weiss"
                | "schwarz"
                | "w"
                | "b"
                | "r"
                | "s"
                | "t"
                | "tt"
                | "d"
                | "no"
                | "nr"
                | "check"
                | "ep"
                | "e"
                | "p"
                | "new"
                | "our"
                | "the"
                | "time"
        )
}

/// Words that announce the sender's own move.
pub(super) fn is_move_label(word: &str) -> bool {
    super::cues::names_move(word) || matches!(word, "my" | "mein" | "mon" | "mi" | "mia" | "meu" | "mijn" | "mitt")
}

/// Why a word in the sender's own text needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    /// A move is denied, asked or only thought of.
    Doubt,
}

impl Concern {
    /// What the mail seems to speak of.
    pub fn words(self) -> &'static str {
        match self {
            Concern::Doubt => "a move that he denies, asks about or only thinks of",
        }
    }
}

/// Words that make the moves beside them conditional.
pub(super) fn is_condition(word: &str) -> bool {
    matches!(
        word,
        "if" | "hvis"
            | "indien"
            | "sofern"
            | "caso"
            | "mikali"
            | "jezeli"
            | "gdyby"
            | "kdyby"
            | "kdyz"
            | "provided"
            | "unless"
            | "any"
            | "then"
            | "wenn"
            | "falls"
            | "dann"
            | "si"
            | "alors"
            | "entonces"
            | "se"
            | "allora"
            | "entao"
            | "als"
            | "dan"
            | "om"
            | "jos"
            | "jesli"
            | "pokud"
            | "ha"
            | "esli"
    )
}
