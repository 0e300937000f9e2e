//! Movetext as it stood before a mailer broke its lines: a move number at the end of a line goes to its move on the next.
//!
//! Only lines of nothing but numbers and moves are touched, so that no word and no date changes its place. Numbers of lines stay.

use crate::domain::transmission::read::Line;

/// The lines with a move number at the end of one carried over to the next, where its move stands (Standard: PGN, 8.2.1 lets
/// lines break there).
pub(super) fn rejoined(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::with_capacity(lines.len());
    let mut carried = String::new();
    for line in lines {
        let mut text = line.text.to_owned();
        if !carried.is_empty() && !text.trim().is_empty() {
            text = format!("{} {}", std::mem::take(&mut carried), text.trim_start());
        }
        let last = text.split_whitespace().next_back().unwrap_or_default();
        let digits = last.trim_end_matches('.');
        let is_number =
            last.ends_with('.') && (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        // a date such as `sent 12. 5.` and an ordinary sentence have no move before
        if is_number && text.split_whitespace().count() > 2 && is_movetext(&text) {
            carried = last.to_owned();
            text.truncate(text.trim_end().len() - last.len());
        }
        out.push((line.number, text));
    }
    if let (false, Some((_, text))) = (carried.is_empty(), out.last_mut()) {
        text.push_str(&carried);
    }
    out
}

/// Whether a line consists of move numbers and moves alone.
fn is_movetext(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        let bare = word.trim_end_matches(['.', ',', ';', '+', '#', '!', '?']);
        let short = !bare.is_empty() && bare.len() <= 12;
        let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
        short && (bare.chars().any(|c| c.is_ascii_digit()) || bare.contains("O-O")) && letters <= 5
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        rejoined(&lines).into_iter().map(|(_, text)| text.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_number_at_the_end_of_movetext_goes_to_its_move() {
        assert_eq!(joined("1. d4 d5 2.\nBf4 Nf6 3.\n\ne3 c5"), "1. d4 d5\n2. Bf4 Nf6\n\n3. e3 c5");
        assert_eq!(joined("1. 5254 5755 2. 7163 2836 3.\n6125"), "1. 5254 5755 2. 7163 2836\n3. 6125");
        assert_eq!(joined("1. d4 d5 2."), "1. d4 d5 2.");
    }

    #[test]
    fn sentences_and_dates_stay_as_they_are() {
        for text in
            ["I received it on the 2.\nand sent", "rec 1. 5254 sent 12.\n5755", "4711 2.\nx", "No answer 7.\n5254"]
        {
            assert_eq!(joined(text), text);
        }
    }
}
