//! The words that leave a move beside them what it is, and those that make it conditional.
//!
//! Words come in lower case and without accents.

use super::vocabulary::{is_second_person, label};

/// Words that may stand beside a move without making the line a sentence.
pub(super) fn is_harmless(word: &str) -> bool {
    label(word).is_some()
        || crate::domain::transmission::calendar::month_named(word).is_some()
        || is_second_person(word)
        || super::cues::names_move(word)
        || matches!(
            word,
            "my" | "mein"
                | "mon"
                | "mi"
                | "mia"
                | "meu"
                | "mijn"
                | "mitt"
                | "i"
                | "play"
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
                | "です"
        )
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
