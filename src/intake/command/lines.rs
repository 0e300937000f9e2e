//! Whether a later line of a command mail looks like a command: then silence about it would be taken for consent.
//!
//! Pure. A signature, a greeting and a telephone number are none; what is doubtful is asked back, which costs a mail.

use crate::domain::transmission::read::takes_back;
use crate::mail::text::one_line;

/// The most words of a line that begins like a command and is none of its known forms.
const FEW: usize = 3;

/// The line begins with a word of the grammar and has little behind it, or consists of moves.
pub(super) fn is_command_like(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let Some((first, rest)) = words.split_first() else { return false };
    match first.to_lowercase().as_str() {
        "undo" | "resend" | "wrong" | "ask" | "ignore" | "accept" | "resign" | "announce" | "draw" => {
            words.len() <= FEW
        }
        "hold" => words.len() <= FEW && rest.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())),
        "if" => rest.iter().any(|word| is_move(word) || word.eq_ignore_ascii_case("any")),
        "yes" => rest.is_empty() || is_command_like(&rest.join(" ")),
        _ => are_moves(&words),
    }
}

/// Words below the command that may take it back, as he wrote them: `please do not play this`.
pub(super) fn taken_back(below: &[String]) -> Option<String> {
    let prose = below.split(|line| line.is_empty());
    let paragraphs = prose.map(|lines| lines.iter().map(String::as_str).collect::<Vec<&str>>());
    let words = paragraphs.into_iter().find(|paragraph| takes_back(paragraph))?.join(" ");
    Some(one_line(&words, 100))
}

/// `8. 4445 3657`, `37 36`, `Nf6 if c4 d5`: nothing but moves, their numbers, and what is offered behind them.
fn are_moves(words: &[&str]) -> bool {
    let is_part =
        |word: &&str| ["if", "then", "draw"].iter().any(|key| word.eq_ignore_ascii_case(key)) || is_number(word);
    let two_squares =
        matches!(words, [from, to] if from.len() == 2 && to.len() == 2 && is_move(&format!("{from}{to}")));
    two_squares || (words.iter().any(|word| is_move(word)) && words.iter().all(|word| is_move(word) || is_part(word)))
}

/// `8.` and `8...`
fn is_number(word: &str) -> bool {
    word.split_once('.').is_some_and(|(number, dots)| {
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && dots.bytes().all(|b| b == b'.')
    })
}

/// Four digits from 1 to 8, perhaps with a piece behind them, two squares by letters, or algebraic notation of any language.
fn is_move(word: &str) -> bool {
    let bare = word.trim_end_matches(['+', '#', '!', '?', '.', ',', ';']);
    let bare = bare
        .rsplit_once('.')
        .filter(|(number, _)| number.starts_with(|c: char| c.is_ascii_digit()))
        .map_or(bare, |(_, m)| m);
    let text: String = bare.chars().filter(|c| !matches!(c, '-' | 'x' | ':' | '=')).collect::<String>().to_lowercase();
    if matches!(text.as_str(), "oo" | "ooo" | "00" | "000") {
        return bare.contains('-');
    }
    let is_digit = |c: char| ('1'..='8').contains(&c);
    if text.chars().all(|c| c.is_ascii_digit()) {
        return matches!(text.len(), 4 | 5) && text.chars().take(4).all(is_digit);
    }
    let letters: Vec<char> = text.chars().collect();
    let is_square = |pair: &[char]| matches!(pair, [file, rank] if ('a'..='h').contains(file) && is_digit(*rank));
    let ends_on_square = |text: &[char]| {
        let Some(at) = text.len().checked_sub(2) else { return false };
        let (before, square) = text.split_at_checked(at).unwrap_or((text, &[]));
        let (piece, from) = before.split_at_checked(1).unwrap_or((&[], &[]));
        let in_place = |c: &char| is_digit(*c) || ('a'..='h').contains(c);
        is_square(square) && from.len() <= 2 && from.iter().all(in_place) && piece.iter().all(|c| c.is_alphanumeric())
    };
    let promoted = letters.split_last().is_some_and(|(piece, rest)| piece.is_alphabetic() && ends_on_square(rest));
    ends_on_square(&letters) || promoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_words_of_the_grammar_look_like_commands() {
        for line in [
            "3736",
            "37-36",
            "37 36",
            "47315",
            "8. 4445",
            "8...Nf6",
            "Nf6",
            "Sf6",
            "e5",
            "C5",
            "c7c5",
            "exd5",
            "Nbd2",
            "R1e2",
            "e8=Q",
            "O-O",
            "0-0-0",
            "undo",
            "Resend",
            "accept draw",
            "resign G-1",
            "draw",
            "hold 1d",
            "if 2142 6846",
            "if any 3735",
            "announce 20",
            "yes",
            "yes 3736",
            "3736 draw",
        ] {
            assert!(is_command_like(line), "{line}");
        }
    }

    #[test]
    fn signatures_greetings_and_numbers_do_not() {
        for line in [
            "Sent from my phone",
            "Tobin Quillfeather",
            "Tel. 4445",
            "+41 44 321 45 67",
            "8001 Zürich",
            "1234 Wien",
            "2026",
            "Best regards",
            "If you like",
            "Hold on, I like this game",
            "Draw your own conclusions from it",
            "Yes please",
            "--",
            "http://example.org/a1",
            "00",
            "TQ",
            "12",
            "Von meinem iPhone gesendet",
            "Get Outlook for iOS",
        ] {
            assert!(!is_command_like(line), "{line}");
        }
    }
}
