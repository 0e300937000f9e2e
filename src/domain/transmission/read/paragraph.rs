//! Whether a line stands apart, so that digits alone on it are no part of an address or a sentence.
//!
//! A gap in the line numbers, where quoted lines or a signature stood, is an edge like a blank line.

use super::lex::{self, Placed, Token};
use super::{Line, cues, vocabulary};

/// Whether nothing stands before a move but a word or a greeting: "So: 10. 5254", "Hi Nora, 10. 5254".
pub(super) fn leads_in(before: &[Placed]) -> bool {
    let words: Option<Vec<&str>> =
        before.iter().map(|p| if let Token::Word(word) = &p.token { Some(word.as_str()) } else { None }).collect();
    match words.as_deref() {
        Some([] | [_]) => true,
        Some([first, rest @ ..]) => greets(first) && rest.len() <= 2,
        None => false,
    }
}

/// Whether the line is its own paragraph, or only the usual greeting or closing touches it.
pub(super) fn is_alone(lines: &[Line<'_>], at: usize) -> bool {
    let (above, rest) = lines.split_at(at.min(lines.len()));
    let Some((line, below)) = rest.split_first() else { return false };
    let first_own = above.iter().all(is_blank);
    let above_ok = match above.last() {
        Some(touching) if touches(touching, line) => {
            (is_greeting(touching) && above.iter().filter(|l| !is_blank(l)).count() == 1) || states_dates(touching)
        }
        _ => above.iter().rev().find(|l| !is_blank(l)).is_none_or(|l| greets_only(l) || names_a_move(l)),
    };
    // a third line already is no closing
    let pairs = rest.iter().zip(below).take_while(|(upper, lower)| touches(upper, lower));
    let closing: Vec<_> = pairs.map(|(_, lower)| lower).take(3).collect();
    let below_ok = closing.is_empty() || (first_own && closing.len() <= 2 && closing.iter().all(|l| is_closing(l)));
    above_ok && below_ok
}

/// "Received 9.4., sent 11.4.": a line that only dates a move.
fn states_dates(line: &Line<'_>) -> bool {
    let tokens = lex::tokens(line.text);
    let is_date = |p: &Placed| matches!(p.token, Token::Date(_));
    let fits = |p: &Placed| match &p.token {
        Token::Word(word) => {
            vocabulary::label(word).is_some() || matches!(word.as_str(), "am" | "on" | "le" | "el" | "il")
        }
        Token::Date(_) | Token::Slash(..) | Token::Int(_) => true,
        _ => false,
    };
    tokens.iter().any(is_date) && tokens.iter().all(fits) && !tokens.iter().all(is_date)
}

fn is_blank(line: &Line<'_>) -> bool {
    line.text.trim().is_empty()
}

fn touches(upper: &Line<'_>, lower: &Line<'_>) -> bool {
    upper.number + 1 == lower.number && !is_blank(upper) && !is_blank(lower)
}

/// The words of a line that holds at most four of them and nothing else.
fn few_words(text: &str) -> Option<Vec<String>> {
    let words: Option<Vec<String>> = lex::tokens(text)
        .into_iter()
        .map(|p| if let Token::Word(word) = p.token { Some(word) } else { None })
        .collect();
    words.filter(|words| (1..=4).contains(&words.len()))
}

/// "Hi Nora,": only with its comma, as "Dear Jan" may begin a sentence.
fn is_greeting(line: &Line<'_>) -> bool {
    let first = few_words(line.text).and_then(|words| words.into_iter().next());
    line.text.trim_end().ends_with(',') && first.is_some_and(|word| greets(&word))
}

/// "Best, Jan": a few words, the first with a capital.
fn is_closing(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    text.chars().next().is_some_and(char::is_uppercase) && !text.ends_with('?') && few_words(text).is_some()
}

/// "Hi Nora!", with any ending.
fn greets_only(line: &Line<'_>) -> bool {
    few_words(line.text).and_then(|words| words.into_iter().next()).is_some_and(|word| greets(&word))
}

/// "Here is my answer:" announces a move; "My PIN" above a blank line announces other digits.
fn names_a_move(line: &Line<'_>) -> bool {
    let is_of_move = |word: &str| cues::names_move(word) || matches!(word, "play" | "answer" | "reply");
    lex::tokens(line.text).iter().any(|p| matches!(&p.token, Token::Word(w) if is_of_move(w)))
}

/// Words that begin a mail; what stands right below them is no part of an address.
fn greets(word: &str) -> bool {
    matches!(
        word,
        "hi" | "hello"
            | "dear"
            | "hallo"
            | "hey"
            | "hej"
            | "hei"
            | "hola"
            | "ciao"
            | "ola"
            | "salut"
            | "bonjour"
            | "liebe"
            | "lieber"
            | "cher"
            | "chere"
            | "caro"
            | "cara"
            | "beste"
            | "ahoj"
            | "czesc"
            | "moin"
            | "servus"
    )
}
