//! Makes the lines of a message plain before they are read: the wrapping of PGN is taken off, and words and digits of scripts
//! without blanks are set apart.
//!
//! Tag pairs and positions give no moves. Of a comment in braces only dates and `days/total` are kept, as cells of the move before
//! it; a variation in brackets is left out where the text is PGN (Standard: PGN, 8.2.5). Everything else stays as it was.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Line;
use crate::domain::pattern::{Captures, Pattern};

/// `[Event "EM/03/101"]`
static TAG: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r#"^\s*\[\w+\s+".*"\]\s*$"#));
/// `Final FEN: r2q1rk1/pp2pp1p/... b - - 0 15` (Standard: PGN, 16.1)
pub(super) static POSITION: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){7}[1-8pnbrqkPNBRQK]{1,8}(?: [wb] \S+ \S+(?: \d+ \d+)?)?")
});
/// What is of use in a comment: a date, or days and total.
static IN_COMMENT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\b\d{4}[.-]\d{1,2}[.-]\d{1,2}\b|\b\d{1,2}\.\d{1,2}\.(?:\d{2,4}\b)?|\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{1,2}/\d{1,3}\b",
    )
});
/// `w7 7163`, but not the `f4 2005-09-03` of a score with dates.
static SIDE_AND_NUMBER: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"^\s*(?<side>\p{L})(?<number>\d{1,3})[.:]?\s+(?<move>[1-8]{4}[1-4]?(?:\s|$))"));
/// Addresses of the web and of mail, and PGN's `$1` for praise and blame: their digits mean nothing.
static ADDRESS: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"(?:\bhttps?://|\bwww\.)\S+|\S+@\S+\.\S+|\$\d+"));
/// Japanese words for the move of either side.
static JAPANESE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?<your>あなたの|貴方の|貴殿の|貴兄の|そちらの|お手)|(?<my>私の|当方の|こちらの)|(?<move>(?:指し手|次の手|着手|手)(?:は|：)|指し手|次の手|着手)",
    )
});
/// "5254 to play is what I do", where nothing goes on behind it.
static JAPANESE_PLAYS: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?<move>[1-8]{4}[1-4]?) ?[とを] ?指し(?:ます|ました)(?<end>[。！\s]|$)"));

/// Japanese signs beside digits; dates keep theirs: 10月24日, 平成16年.
static KANA_AND_DIGIT: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?<left>[\u{3040}-\u{30ff}\u{4e00}-\u{9fff}--[月年成和]])(?<right>[0-9])"));
static DIGIT_AND_KANA: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?<left>[0-9])(?<right>[\u{3040}-\u{30ff}\u{4e00}-\u{9fff}--[月日年]])"));

/// A word with the date behind it, and a number with the one letter of its unit.
static GLUED_DATE: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"\b(?<word>\p{L}{2,})(?<date>\d{1,2}[./]\d{1,2}\b)"));
static GLUED_DAYS: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\b(?<number>\d{1,3})(?<unit>[dtjDTJ])\b"));

static COLUMN_MARK: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"(?<before>^|\s)!"));

/// Castling that a mailer broke at its hyphen: the end of one line and the beginning of the next.
static BROKEN_CASTLING: LazyLock<(Pattern, Pattern)> = LazyLock::new(|| {
    (Pattern::new(r"(?:^|[\s.])(?:[O0]-){1,2}$"), Pattern::new(r"^\s*(?<rest>[O0](?:-[O0])?[+#!?]*)(?:\s|$)"))
});

/// The lines with every castling whole, on the line where it begins.
fn whole_castlings(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let (end, start) = &*BROKEN_CASTLING;
    let mut out: Vec<(usize, String)> = lines.iter().map(|line| (line.number, line.text.to_owned())).collect();
    for at in 1..out.len() {
        let Some([(above, upper), (below, lower)]) = out.get_mut(at - 1..=at) else { continue };
        if *above + 1 == *below
            && end.is_match(upper.trim_end())
            && let Some(rest) = start.captures(lower).and_then(|found| found.name("rest"))
        {
            *upper = format!("{}{}", upper.trim_end(), rest.as_str());
            *lower = lower.get(rest.end()..).unwrap_or_default().to_owned();
        }
    }
    out
}

/// The lines with everything that is no text of the message taken off, and with the same numbers.
pub(super) fn prepare(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let is_pgn = lines.iter().any(|line| TAG.is_match(line.text));
    let mut brackets = Brackets { is_pgn, ..Brackets::default() };
    let mut out: Vec<(usize, String)> = whole_castlings(lines)
        .iter()
        .map(|(number, text)| {
            if TAG.is_match(text) {
                return (*number, String::new());
            }
            let text = brackets.open(text);
            let text = POSITION.replace_all(&text, |_| " ".to_owned());
            let text = ADDRESS.replace_all(&text, |_| " ".to_owned());
            let text = SIDE_AND_NUMBER.replace_all(&text, |found| {
                format!("{} {}. {}", found.text("side"), found.text("number"), found.text("move"))
            });
            (*number, set_apart(&text))
        })
        .collect();
    if let Some((_, last)) = out.last_mut() {
        keep(&brackets.begun, last);
    }
    out
}

/// Comments and variations, which may run over lines.
#[derive(Default)]
struct Brackets {
    is_pgn: bool,
    comment: bool,
    /// What stands in a comment on the lines above: a mailer may have broken a date at its hyphen.
    begun: String,
    variations: usize,
}

impl Brackets {
    fn open(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut comment = std::mem::take(&mut self.begun);
        for c in text.chars() {
            match c {
                '{' if !self.comment => self.comment = true,
                '}' if self.comment => {
                    self.comment = false;
                    keep(&comment, &mut out);
                    comment.clear();
                }
                _ if self.comment => comment.push(c),
                '(' if self.is_pgn => self.variations += 1,
                ')' if self.is_pgn && self.variations > 0 => self.variations -= 1,
                _ if self.variations > 0 => {}
                _ => out.push(c),
            }
        }
        if text.trim().is_empty() {
            // a bracket that is never closed ends with its paragraph
            self.comment = false;
            self.variations = 0;
        }
        if !self.comment {
            keep(&comment, &mut out);
        } else if !comment.is_empty() {
            self.begun = comment.trim_end().to_owned() + if comment.trim_end().ends_with('-') { "" } else { " " };
        }
        out
    }
}

fn keep(comment: &str, out: &mut String) {
    for found in IN_COMMENT.find_iter(comment) {
        out.push(' ');
        out.push_str(found.as_str());
    }
    out.push(' ');
}

/// A line of several cells with `!` for their borders, which ends no sentence; one alone is the sign of a French one.
fn with_bars(text: &str) -> Cow<'_, str> {
    let borders = text.split_whitespace().filter(|word| *word == "!").count();
    if borders < 3 { text.into() } else { COLUMN_MARK.replace_all(text, |found| format!("{}|", found.text("before"))) }
}

/// Sets words and digits apart that stand together: `rec5/6`, `2d/18d`, and in Japanese, which writes no blanks.
fn set_apart(text: &str) -> String {
    let text = &*with_bars(text);
    let text = &*GLUED_DATE.replace_all(text, |found| format!("{} {}", found.text("word"), found.text("date")));
    let text = &*GLUED_DAYS.replace_all(text, |found| format!("{} {}", found.text("number"), found.text("unit")));
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    if !text.contains(is_kana) {
        return text.to_owned();
    }
    let text =
        JAPANESE_PLAYS.replace_all(text, |found| format!("{} is my move {}", found.text("move"), found.text("end")));
    let words = JAPANESE.replace_all(&text, |found| {
        let word = ["your", "my"].into_iter().find(|name| found.name(name).is_some());
        format!(" {} ", word.unwrap_or("move"))
    });
    let apart = |found: &Captures<'_, '_>| format!("{} {}", found.text("left"), found.text("right"));
    let words = KANA_AND_DIGIT.replace_all(&words, apart);
    DIGIT_AND_KANA.replace_all(&words, apart).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> Vec<String> {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        prepare(&lines).into_iter().map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_square_before_a_date_is_no_number_of_a_side() {
        assert_eq!(prepared("f4 {2005-09-09-2005-09-12 3/5}"), ["f4 2005-09-09 2005-09-12 3/5"]);
        assert_eq!(prepared("w7 7163"), ["w 7. 7163"]);
    }

    #[test]
    fn pgn_keeps_its_moves_and_the_days_of_its_comments() {
        let game = "[White \"Ostrander, Mila\"]\n1. d4 {1/8} Nf6 {[%ccsnt 2004.10.23,18:02]} (1... d5 2. c4)\n2. c4 {a long\nthought 7163} e6";
        assert_eq!(prepared(game), ["", "1. d4 1/8 Nf6 2004.10.23", "2. c4", "e6"]);
        assert_eq!(prepared("6.Be2 {18:02:11-23.10.2004=1/8}"), ["6.Be2 23.10.2004 1/8"]);
        assert_eq!(prepared("8... b5 {2006-02-23-2006-03-027/67}"), ["8... b5 2006-02-23"]);
        let broken = prepared("7. Qe3+ {2001-04-10-2001-\n04-11 1/60} *\n8. e4 {2001-04-12");
        assert_eq!(broken, ["7. Qe3+", "2001-04-10 2001-04-11 1/60 *", "8. e4 2001-04-12"]);
    }

    #[test]
    fn a_castling_broken_at_its_hyphen_is_whole_again() {
        assert_eq!(prepared("19. Qe2 b5 20. O-O-\nO Nf6 21. O-\nO-O"), ["19. Qe2 b5 20. O-O-O", "Nf6 21. O-O-O", ""]);
        assert_eq!(prepared("20. O-O -\nO well"), ["20. O-O -", "O well"]);
        assert_eq!(prepared("20. O-O\nO-O"), ["20. O-O", "O-O"]);
    }

    #[test]
    fn brackets_of_a_letter_stay() {
        assert_eq!(prepared("6. 6152 (22/10-23/10 1/8) 5755"), ["6. 6152 (22/10-23/10 1/8) 5755"]);
    }

    #[test]
    fn a_position_gives_no_moves() {
        let line = "Final FEN: r2q1rk1/pp2pp1p/4b1p1/n2P4/4P3/3BBP2/P3N1PP/Q4RK1 b - - 0 15";
        assert_eq!(prepared(line), ["Final FEN:"]);
    }

    #[test]
    fn japanese_words_and_digits_are_set_apart() {
        assert_eq!(prepared("私の指し手は6. 6143です。"), ["my move 6. 6143 です。"]);
        assert_eq!(prepared("3536 と指します。"), ["3536 is my move 。"]);
        assert_eq!(prepared("3536 と指しますか。"), ["3536 と指しますか。"]);
        assert_eq!(prepared("10月24日受信"), ["10月24日受信"]);
    }
}
