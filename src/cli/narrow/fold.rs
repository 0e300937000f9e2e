//! Lines that are wider than the screen, folded after their own indent. Without a screen, and where all fits, a text stays as it is.
//!
//! What is there to be copied is never divided: commands, and the line of a FEN. What of it is wider than the screen stays on a line
//! of its own. Parts that stand two blanks apart stay together where they fit. Tables that are too wide are written in another way
//! before they come here.

use super::screen;
use crate::letters::fold_in;

/// A label is not wider than this, with the blanks after it.
const LABEL: usize = 24;

/// The text in lines that fit the screen.
pub(in crate::cli) fn folded(text: String) -> String {
    match screen() {
        Some(width) => fold(&text, width),
        None => text,
    }
}

fn fold(text: &str, width: usize) -> String {
    let mut folded = String::with_capacity(text.len());
    for line in text.lines() {
        if line.chars().count() <= width || line.starts_with("FEN ") {
            folded.push_str(line);
        } else {
            fold_line(&mut folded, line, width);
        }
        folded.push('\n');
    }
    folded
}

/// One line on several; a part that does not fit after the one before begins a line of its own.
fn fold_line(folded: &mut String, line: &str, width: usize) {
    let (head, rest) = line.split_at(head(line));
    let hang = if head.trim().is_empty() { 2 } else { 0 };
    let next = " ".repeat(head.chars().count() + hang);
    let mut written = head.to_owned();
    for part in parts(rest) {
        let words = part.trim_start();
        let has_words = !written.trim().is_empty() && written != head;
        if has_words && written.chars().count() + part.chars().count() > width {
            folded.push_str(&written);
            folded.push('\n');
            written.clone_from(&next);
        } else if has_words {
            written.extend(part.chars().take_while(|c| *c == ' '));
        }
        let lines = if words.starts_with("amici ") { written + words } else { fold_in(words, &written, &next, width) };
        written = match lines.rsplit_once('\n') {
            Some((whole, last)) => {
                folded.push_str(whole);
                folded.push('\n');
                last.to_owned()
            }
            None => lines,
        };
    }
    folded.push_str(&written);
}

/// Where the text of a line begins that its next lines stand under: after a label of a word or two, after the place and the mark of
/// a line of a mail, else after the indent.
fn head(line: &str) -> usize {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let ends = [("  ", 0), (" > ", 2), (": amici ", 1)].map(|(end, mark)| text.find(end).map(|at| (at, mark)));
    let Some((at, mark)) = ends.into_iter().flatten().min() else { return indent };
    let (label, behind) = text.split_at(at);
    let behind = behind.get(mark..).unwrap_or_default();
    let head = line.len() - behind.trim_start().len();
    let is_label = label.split(' ').count() <= 2
        && !label.contains("amici")
        && line.get(..head).is_some_and(|head| head.chars().count() <= LABEL);
    if is_label { head } else { indent }
}

/// What stands two blanks apart, each part with the blanks before it.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let words = rest.len() - rest.trim_start().len();
        let end = rest.get(words..).and_then(|behind| behind.find("  ")).map_or(rest.len(), |at| words + at);
        let (part, behind) = rest.split_at(end);
        parts.push(part);
        rest = behind;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_hangs_under_its_label_or_its_indent() {
        for (line, folded) in [
            (
                "  silence   after 40 days of silence the director may score it",
                "  silence   after 40 days of silence the\n            director may score it\n",
            ),
            (
                "Black: 30 days used + 8058 for this move, OVERSTEPPED by 8028 at move 10",
                "Black: 30 days used + 8058 for this\n  move, OVERSTEPPED by 8028 at move 10\n",
            ),
            (
                "  - Your mail did not say when you received my move",
                "  - Your mail did not say when you\n    received my move\n",
            ),
            (
                "        3 > I had no time to think about the move",
                "        3 > I had no time to think about\n            the move\n",
            ),
            (
                "  agreed    2004-10-26   2004-10-30   days 4",
                "  agreed    2004-10-26   2004-10-30\n            days 4\n",
            ),
        ] {
            assert_eq!(fold(line, 40), folded);
            assert_eq!(fold(folded, 40), folded, "once is enough");
        }
    }

    #[test]
    fn a_command_is_never_divided() {
        for (line, folded) in [
            (
                "Next: amici play em-1037 MOVE   (numeric, SAN or c7c5)",
                "Next: amici play em-1037 MOVE\n      (numeric, SAN or c7c5)\n",
            ),
            (
                "  settle it:  amici clock agree em-17 5... --mine   or   --his",
                "  settle it:  amici clock agree em-17 5... --mine\n              or   --his\n",
            ),
            (
                "    amici clock set em-17 5... --received 2004-10-22 --why \"transit\"",
                "    amici clock set em-17 5... --received 2004-10-22 --why \"transit\"\n",
            ),
            (
                "To settle it now, `amici clock agree em-17 5b --mine` is what you want",
                "To settle it now,\n  `amici clock agree em-17 5b --mine` is\n  what you want\n",
            ),
            ("FEN rnbq1rk1/ppp2pbp/3p1np1/8/8/8/8/8 b - - 1 7", "FEN rnbq1rk1/ppp2pbp/3p1np1/8/8/8/8/8 b - - 1 7\n"),
        ] {
            assert_eq!(fold(line, 40), folded);
            assert_eq!(fold(folded, 40), folded, "once is enough");
        }
    }

    #[test]
    fn no_word_is_lost_and_no_line_too_long_on_any_screen() {
        let text = "SAMPLE-1   you have Black\n\n  mail      17 from mila.ostrander@example.org\n            subject: a subject of some words, here\n\
            Each in full: amici rules show NAME. A game's own: amici rules show --game GAME.\n  !! urgent   > your move   ? needs a look   * opponent\n";
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for width in 46..100 {
            let folded = fold(text, width);
            assert_eq!(words(&folded), words(text));
            assert!(folded.lines().all(|line| line.chars().count() <= width && line.trim_end() == line), "{folded}");
        }
        assert_eq!(fold(text, 100), text);
    }
}
