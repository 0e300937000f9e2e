//! Remarks on dates and days, for the eyes of the opponent: a paragraph of its own behind the move, with a fixed first line.
//!
//! They name days and numbers of earlier moves, which a reader of moves would take for the new one's. So the paragraph is
//! known again by its first line, also where a mail program has re-wrapped it, and `without` leaves it out.

use std::borrow::Cow;

use super::compose::COLUMNS;
use super::read::Line;

/// Begins the paragraph.
const HEADING: &str = "Remarks on dates and days (no move):";
/// So many remarks are made at most.
const MOST: usize = 8;

/// The paragraph, behind an empty line; empty without remarks.
pub fn paragraph(remarks: &[String]) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{HEADING}\n");
    let options = textwrap::Options::new(COLUMNS).initial_indent("- ").subsequent_indent("  ");
    let left = remarks.len().saturating_sub(MOST);
    let rest = (left > 0).then(|| format!("The same holds for {left} more."));
    for remark in remarks.iter().take(MOST).chain(&rest) {
        text.push_str(&textwrap::fill(remark, &options));
        text.push('\n');
    }
    text
}

/// The lines, with those of such a paragraph left empty.
pub(super) fn without<'a>(lines: &'a [Line<'a>]) -> Cow<'a, [Line<'a>]> {
    if !lines.iter().any(|line| is_heading(line.text)) {
        return Cow::Borrowed(lines);
    }
    let mut inside = false;
    let kept = lines.iter().map(|line| {
        inside = is_heading(line.text) || (inside && !bare(line.text).is_empty());
        Line { number: line.number, text: if inside { "" } else { line.text } }
    });
    Cow::Owned(kept.collect())
}

fn is_heading(line: &str) -> bool {
    bare(line).starts_with(HEADING)
}

/// Without the marks of a quotation.
fn bare(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<String> {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        without(&lines).iter().map(|line| line.text.to_owned()).collect()
    }

    #[test]
    fn no_remarks_are_no_paragraph() {
        assert_eq!(paragraph(&[]), "");
        assert_eq!(left("7. 5171\n- sent 3 May\n"), ["7. 5171", "- sent 3 May"]);
    }

    #[test]
    fn the_paragraph_is_left_out_and_what_stands_around_it_is_not() {
        let said = paragraph(&["You show 12 days for move 9, my record shows 13.".to_owned(), "word ".repeat(30)]);
        assert!(said.lines().all(|line| line.chars().count() <= COLUMNS && line.trim_end() == line), "{said}");
        let lines = left(&format!("7. 5171\n{said}\n8. 2133\n"));
        assert_eq!(lines.iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(), ["7. 5171", "8. 2133"]);
        assert_eq!(lines.len(), 2 + said.lines().count() + 1, "every line keeps its number");
    }

    #[test]
    fn a_paragraph_that_was_quoted_or_wrapped_anew_is_known_again() {
        let text = "> Remarks on dates and days (no move): - You show sent 3 May,\n> 12 days\n>\n> 7. 5171";
        assert_eq!(left(text), ["", "", ">", "> 7. 5171"]);
        let joined = "Remarks on dates and days (no move): - You show 12 days - move 9\nsent 3 May\n\n8. 5171";
        assert_eq!(left(joined), ["", "", "", "8. 5171"]);
    }

    #[test]
    fn many_remarks_are_cut_with_their_number() {
        let said = paragraph(&vec!["You show 12 days.".to_owned(); 11]);
        assert!(said.ends_with("- The same holds for 3 more.\n"), "{said}");
    }
}
