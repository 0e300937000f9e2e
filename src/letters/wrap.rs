//! Sentences in lines of 72 columns. No line breaks within a command, a move or a date: half of one is another one, or none.
//!
//! What will surprise you: a word is never divided at its hyphens, since names of games have them.

use std::borrow::Cow;
use std::sync::LazyLock;

use textwrap::{Options, WordSeparator, WordSplitter};

use crate::domain::pattern::Pattern;
use crate::domain::transmission::compose::COLUMNS;

/// A blank at which no line is broken.
const GLUE: &str = "\u{a0}";
/// What is longer than this is broken rather than put on a line of its own.
const LONGEST: usize = 60;

/// The letters of the words of our own letters: Latin, Greek and Cyrillic. All letters that there are would be a pattern that takes longer to
/// make than a letter to write.
const LETTERS: &str = "A-Za-zÀ-ɏͰ-ԯ";

/// What days of the week begin with.
const CAPITALS: &str = "A-ZÀ-ÞĀ-ɏΑ-ΩЀ-Я";

static WHOLE: LazyLock<Pattern> = LazyLock::new(|| {
    let parts = [
        // `amici clock EM-17`
        r"`[^`\n]+`".to_owned(),
        // amici clock agree EM-17 12b --mine
        format!(
            r"\bamici [a-z-]+(?: (?:add|agree|import|set|show))?(?: (?:--?[a-z][a-z-]*|[A-Z][A-Z0-9][{LETTERS}0-9_./-]*|[1-9][0-9]*b?\b))*"
        ),
        // yes 3735
        r"\byes +[0-9a-z]+".to_owned(),
        // 7... 2836 (Nc6)
        format!(
            r"\b[0-9]{{1,3}}\.(?:\.\.)? (?:[1-8]{{4,5}}|[a-hKQRBNO][{LETTERS}0-9_+#=-]*)(?: \([{LETTERS}0-9_+#=-]{{2,9}}\))?"
        ),
        // 2836 (Nc6)
        format!(r"\b[1-8]{{4,5}} \([{LETTERS}0-9_+#=-]{{2,9}}\)"),
        // Sat 14 Nov 2026 18:22, 3 May 2004, 3. Mai 2004, 3 de mayo de 2004, sam. 30 oct. 2004
        format!(
            r"(?:\b(?:[{CAPITALS}][{LETTERS}]{{1,2}},?|[{LETTERS}]{{2,4}}\.) )?\b[0-9]{{1,2}}\.? (?:de )?[{LETTERS}]{{3,}}\.? (?:de )?[0-9]{{4}}\b(?: [0-9]{{2}}:[0-9]{{2}}\b)?"
        ),
        // « oui », vraiment ?
        r" [:;?!»]|« ".to_owned(),
    ];
    Pattern::new(&parts.join("|"))
});

/// The text in lines that begin with `first`, and with `next` from the second on; no line end after the last.
pub(super) fn fill(text: &str, first: &str, next: &str) -> String {
    lines(&glued(text, LONGEST), options(first, next, COLUMNS))
}

/// The same in so many columns; a command, a move, a date or a word that is longer is not broken either, but too long.
pub fn fold_in(text: &str, first: &str, next: &str, columns: usize) -> String {
    lines(&glued(text, usize::MAX), options(first, next, columns).break_words(false))
}

/// The text without blanks in what is not broken, unless that is longer.
fn glued(text: &str, longest: usize) -> Cow<'_, str> {
    WHOLE.replace_all(text, |found| {
        let whole = found.whole().as_str();
        if whole.chars().count() > longest { whole.to_owned() } else { whole.replace(' ', GLUE) }
    })
}

fn options<'a>(first: &'a str, next: &'a str, columns: usize) -> Options<'a> {
    Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(next)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
}

fn lines(glued: &str, options: Options<'_>) -> String {
    textwrap::fill(glued, options).replace(GLUE, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_a_move_and_a_date_are_never_broken() {
        for whole in [
            "`amici result EM-18`",
            "amici result EM-18",
            "amici clock agree EM-17 12b --mine",
            "amici announce EM-17 --until 2026-04-02",
            "amici review",
            "yes 3735",
            "7... 2836 (Nc6)",
            "13. 4261",
            "7... O-O-O",
            "5254 (e4)",
            "Sat 14 Nov 2026 18:22",
            "30 October 2004",
            "3. März 2004",
            "3 de mayo de 2004",
            "3 мая 2004",
            "sam. 30 oct. 2004 18:22",
            "« oui »",
            "vraiment ?",
            "2026-04-02",
        ] {
            for before in 1..70 {
                let text = format!("{} {whole}, and so on", "x".repeat(before));
                let filled = fill(&text, "", "");
                assert!(filled.lines().any(|line| line.contains(whole)), "{filled}");
                assert!(
                    filled.lines().all(|line| line.chars().count() <= COLUMNS && line.trim_end() == line),
                    "{filled}"
                );
                assert_eq!(filled.replace('\n', " "), text);
            }
        }
    }

    #[test]
    fn what_fits_no_line_is_broken_somewhere() {
        let filled = fill(&format!("`{}`", "word ".repeat(40)), "  - ", "    ");
        assert!(filled.lines().all(|line| line.chars().count() <= COLUMNS), "{filled}");
        let filled = fill(&"x".repeat(200), "", "");
        assert!(filled.lines().all(|line| line.chars().count() <= COLUMNS), "{filled}");
    }
}
