//! Whether a line stands apart, so that digits alone on it are no part of an address or a sentence.
//!
//! A gap in the line numbers, where quoted lines or a signature stood, is an edge like a blank line.

use super::document::{Document, Scanned};
use super::lex::{Placed, Token};
use super::vocabulary;
use crate::domain::transmission::lexicon::Key;

/// Whether a word may stand beside a move that is otherwise alone: "OK, 1213 (check)", "my move 1213, received 9.4."
pub(super) fn leaves_alone(placed: &Placed) -> bool {
    let harmless =
        [Key::Mark, Key::Move, Key::Announce, Key::Play, Key::I, Key::Greeting, Key::Closing, Key::Thanks, Key::Common];
    !placed.keys.counts() && (vocabulary::is_label(placed) || placed.keys.has_any(&harmless))
}

/// Whether the line is its own paragraph, or what touches it greets, takes leave, dates the move or is a sentence of its own.
pub(super) fn is_alone(document: &Document<'_>, at: usize) -> bool {
    let (above, rest) = document.lines.split_at(at.min(document.lines.len()));
    let Some((line, below)) = rest.split_first() else { return false };
    let above_ok = match above.last() {
        Some(touching) if touches(touching, line) => is_own_sentence(touching) && ends(touching),
        _ => above.iter().rev().find(|l| !is_blank(l)).is_none_or(|l| (is_own_sentence(l) && !counts(l)) || !heads(l)),
    };
    above_ok && below.first().is_none_or(|next| !touches(line, next) || is_own_sentence(next))
}

/// "Hi Nora,", "Best, Jan", "Received 9.4., sent 11.4.", "It rains here": no line of an address, no head of digits.
fn is_own_sentence(line: &Scanned<'_>) -> bool {
    let words = || line.tokens.iter().filter(|p| matches!(p.token, Token::Word(_)));
    let speaks = [Key::Greeting, Key::Closing, Key::Thanks, Key::Common, Key::Move, Key::Announce, Key::Play];
    words().any(|p| p.keys.has_any(&speaks) || vocabulary::is_label(p))
        && (ends(line) || !words().any(|p| p.keys.counts()))
}

fn ends(line: &Scanned<'_>) -> bool {
    line.text.trim_end().ends_with(['.', '!', ',', ':', ')', ';'])
}

/// "My PIN:", "Code": a line that may say what the digits below it are.
fn heads(line: &Scanned<'_>) -> bool {
    !line.text.trim_end().ends_with(['.', '!', ',', ')', ';'])
}

/// "My phone PIN:": it says what digits are.
fn counts(line: &Scanned<'_>) -> bool {
    line.tokens.iter().any(|p| p.keys.counts())
}

fn is_blank(line: &Scanned<'_>) -> bool {
    line.text.trim().is_empty()
}

fn touches(upper: &Scanned<'_>, lower: &Scanned<'_>) -> bool {
    upper.number + 1 == lower.number && !is_blank(upper) && !is_blank(lower)
}
