//! Remarks on dates and days, for the eyes of the opponent: a paragraph of its own behind the move, with a fixed first line.
//!
//! They name days and numbers of earlier moves, which a reader of moves would take for the new one's. So the paragraph is
//! known again by its first line, also where a mail program has re-wrapped it, and `without` leaves it out.

use std::borrow::Cow;

use super::read::Line;

/// Begins the paragraph, by the code of its language (ISO 639-1).
const HEADINGS: [(&str, &str); 8] = [
    ("en", "Remarks on dates and days (no move):"),
    ("de", "Zu Daten und Tagen (kein Zug):"),
    ("fr", "Dates et jours (aucun coup) :"),
    ("es", "Sobre fechas y días (ninguna jugada):"),
    ("it", "Su date e giorni (nessuna mossa):"),
    ("pt", "Sobre datas e dias (nenhum lance):"),
    ("nl", "Over data en dagen (geen zet):"),
    ("ru", "О датах и днях (не ход):"),
];

/// The first line of the paragraph in this language; the English one where there is none.
pub fn heading(language: &str) -> &'static str {
    let [(_, english), ..] = HEADINGS;
    HEADINGS.into_iter().find(|(code, _)| *code == language).map_or(english, |(_, heading)| heading)
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
    let line = bare(line);
    HEADINGS.iter().any(|(_, heading)| line.starts_with(heading))
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
    fn the_paragraph_is_left_out_in_every_language_and_what_stands_around_it_is_not() {
        assert_eq!(left("7. 5171\n- sent 3 May\n"), ["7. 5171", "- sent 3 May"]);
        for (code, first) in HEADINGS {
            assert_eq!(heading(code), first);
            assert!(first.chars().count() <= 40, "a phone does not break it: {first}");
            let said = format!("\n{first}\n- You show 12 days for move 9,\n  my record shows 13.\n- and 7. 5254\n");
            let lines = left(&format!("7. 5171\n{said}\n8. 2133\n"));
            assert_eq!(lines.iter().filter(|line| !line.is_empty()).collect::<Vec<_>>(), ["7. 5171", "8. 2133"]);
            assert_eq!(lines.len(), 2 + said.lines().count() + 1, "every line keeps its number");
        }
        assert_eq!(heading("eo"), heading("en"));
    }

    #[test]
    fn a_paragraph_that_was_quoted_or_wrapped_anew_is_known_again() {
        let text = "> Remarks on dates and days (no move): - You show sent 3 May,\n> 12 days\n>\n> 7. 5171";
        assert_eq!(left(text), ["", "", ">", "> 7. 5171"]);
        let joined = "Remarks on dates and days (no move): - You show 12 days - move 9\nsent 3 May\n\n8. 5171";
        assert_eq!(left(joined), ["", "", "", "8. 5171"]);
    }
}
