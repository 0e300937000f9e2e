//! The words that the reader of a mail wrote himself, found again in it: a quotation without marks, under any head or none.
//!
//! Lines are compared one by one, so that what its writer put between them stays his. What will surprise you: one line alone that
//! both wrote is his; and in the paragraph of a table that has a row of his own the other rows stay.

use std::collections::HashSet;
use std::ops::Range;

use super::quote::{Kind, Line, Split, split};

/// Lines that the reader of a mail wrote himself: what its writer may have left below his own words without any mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    lines: HashSet<String>,
}

impl Known {
    /// Adds the lines of a letter.
    pub fn add(&mut self, letter: &str) {
        self.lines.extend(letter.lines().map(folded).filter(|line| !line.is_empty()));
    }

    /// The lines of a text; those that are known are quoted, as far as they stand together. In the paragraph of a score table that has a
    /// row of his own the table stays as it is: it says what his row is.
    pub fn split<'a>(&self, text: &'a str) -> Split<'a> {
        let mut split = split(text);
        let ours = self.places(&split);
        if ours.iter().any(|is_ours| *is_ours) {
            quote(&mut split, &ours);
        }
        split
    }

    /// For each line, whether it is one of these, and not by chance: in a run of three, or of two with a number among them.
    fn places(&self, split: &Split<'_>) -> Vec<bool> {
        let mut ours = vec![false; split.lines.len()];
        if self.lines.is_empty() {
            return ours;
        }
        let mut run: Vec<usize> = Vec::new();
        let mut settle = |run: &mut Vec<usize>| {
            let has_number = |at: &usize| split.lines.get(*at).is_some_and(|line| has_digit(line.text));
            if run.len() > 2 || (run.len() == 2 && run.iter().any(has_number)) {
                run.iter().for_each(|at| ours.iter_mut().skip(*at).take(1).for_each(|is_ours| *is_ours = true));
            }
            run.clear();
        };
        for (at, line) in split.lines.iter().enumerate() {
            let is_open = matches!(line.kind, Kind::Own | Kind::Signature | Kind::Footer);
            if is_open && self.lines.contains(&folded(line.text)) {
                run.push(at);
            } else if !line.text.trim().is_empty() {
                settle(&mut run);
            }
        }
        settle(&mut run);
        ours
    }
}

/// A line as it is compared: blanks and the bars of a table's cells do not count.
fn folded(line: &str) -> String {
    let words = line.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty());
    words.fold(String::new(), |mut all, word| {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(word);
        all
    })
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a line begins as a row of a score does: a number and a dot.
fn is_row(line: &str) -> bool {
    let text = line.trim_start_matches(['|', ' ', '\t']);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits) && text.get(digits..).is_some_and(|rest| rest.starts_with(['.', ' ', '|', '\t']))
}

/// Makes quotations of these lines, and of the head that stands above the first of them.
fn quote(split: &mut Split<'_>, ours: &[bool]) {
    let mut at = 0;
    let mut head: Option<Range<usize>> = None;
    while at < split.lines.len() {
        let is_blank = |line: &Line<'_>| line.text.trim().is_empty();
        let length = split.lines.iter().skip(at).take_while(|line| !is_blank(line)).count().max(1);
        let paragraph = at..at + length;
        let is_ours = |place: usize| ours.get(place).copied().unwrap_or_default();
        let count = paragraph.clone().filter(|place| is_ours(*place)).count();
        let is_whole = count == length;
        let row = split.lines.iter().enumerate().skip(at).take(length).find(|(_, line)| is_row(line.text));
        let first_row = row.map(|(place, _)| place).filter(|_| !is_whole);
        if is_whole && let Some(head) = head.take() {
            let lines = split.lines.iter_mut().skip(head.start).take(head.len());
            lines.filter(|line| line.kind == Kind::Own).for_each(|line| line.kind = Kind::Attribution);
        }
        for (place, line) in split.lines.iter_mut().enumerate().skip(at).take(length) {
            let is_of_table = first_row.is_some_and(|first| place <= first || has_digit(line.text));
            if is_ours(place) && !is_of_table {
                line.kind = Kind::Quoted { depth: 1 };
            }
        }
        if split.lines.get(at).is_some_and(|line| !is_blank(line)) {
            head = heads(split.lines.get(paragraph.clone()).unwrap_or_default()).then_some(paragraph.clone());
        }
        at = paragraph.end;
    }
}

/// Whether a paragraph is the head of a quotation in whatever language: a rule, a line that ends with a colon, or fields of which one has
/// an address.
fn heads(paragraph: &[Line<'_>]) -> bool {
    let field =
        |line: &Line<'_>| line.text.split_once(':').is_some_and(|(name, _)| name.split_whitespace().count() <= 3);
    match paragraph {
        [only] => only.text.trim_end().ends_with(':') || !only.text.contains(char::is_alphanumeric),
        [rule, fields @ ..] if !rule.text.contains(char::is_alphanumeric) => fields.iter().all(field),
        fields => fields.iter().all(field) && fields.iter().any(|line| line.text.contains('@')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "Dear Mila,\n\n 11. 5254  14/5\n 12. 7163  15/5   6866  16/5\n\n\
                          Last move: 12. 7163\nMy move: 12... 6866, sent 16/5\n\nI offer a draw.\n\nAmici sumus,\nTobin\n";

    fn own_beside(text: &str) -> String {
        let mut known = Known::default();
        known.add(LETTER);
        known.split(text).own_text()
    }

    #[test]
    fn a_known_letter_is_quoted_whatever_stands_above_it() {
        for head in [
            "",
            "-----",
            "Your mail:",
            "Feladó: Tobin <tobin@example.net>\nElküldve: 2004. október 24.\nTárgy: EM",
            "Lähettäjä: Tobin <tobin@example.net>\nLähetetty: 24.10.2004\nAihe: EM",
        ] {
            let text = format!("13. 5152\n\nMila\n\n{head}\n\n{LETTER}");
            assert_eq!(own_beside(&text), "13. 5152\n\nMila", "{head}");
        }
        let html = LETTER.replace("  ", " | ");
        assert_eq!(own_beside(&format!("13. 5152\n\n{html}")), "13. 5152");
    }

    #[test]
    fn what_he_writes_into_or_below_a_known_letter_is_his() {
        let filled = LETTER.replace("6866  16/5\n", "6866  16/5\n 13. 5152  20/5\n");
        let rows = " 11. 5254  14/5\n 12. 7163  15/5   6866  16/5\n 13. 5152  20/5";
        assert_eq!(own_beside(&filled), rows, "the table tells what his row is");
        let below = format!("{LETTER}\n13. 5152 received 16/5\n\nMila");
        assert_eq!(own_beside(&below), "13. 5152 received 16/5\n\nMila");
        let between = LETTER.replace("I offer a draw.", "I offer a draw.\nNo, thanks.");
        assert_eq!(own_beside(&between), "No, thanks.\n\nAmici sumus,\nTobin");
    }

    #[test]
    fn a_line_that_both_wrote_by_chance_is_his() {
        for text in ["13. 5152\n\nI offer a draw.\n\nMila", "13. 5152\nI offer a draw.\n\nAmici sumus,\nMila"] {
            assert_eq!(own_beside(text), text);
        }
    }
}
