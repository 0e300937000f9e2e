//! Boxes to tick that a mailer tore from their labels, put together again.
//!
//! A box is read with its label, on one line. Where a line was broken inside the box, between it and its label, or inside the
//! label (it goes on in small letters), all of it moves to the lower line. Not covered: a label torn over three lines.

use std::sync::LazyLock;

use crate::domain::pattern::Pattern;
use crate::domain::transmission::read::Line;

static BOX: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\[ *[xX✓✔]? *\]|\((?: +|[xX✓✔])\)|[☐☑☒]"));
/// The beginning of a box at the end of a line.
static TORN: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\[ *[xX✓✔]? *$"));

/// The lines with every box on the line of its label.
pub(super) fn whole(lines: &[Line<'_>]) -> Vec<String> {
    let mut out: Vec<String> = lines.iter().map(|line| line.text.to_owned()).collect();
    for (at, pair) in lines.windows(2).enumerate() {
        let [upper, lower] = pair else { continue };
        let Some(text) = out.get(at).filter(|_| upper.number + 1 == lower.number) else { continue };
        let Some(cut) = torn_at(text, lower.text) else { continue };
        let head = text.get(..cut).unwrap_or_default().to_owned();
        let moved = format!("{} {}", text.get(cut..).unwrap_or_default().trim_end(), lower.text.trim_start());
        if let Some([upper, lower]) = out.get_mut(at..at + 2) {
            (*upper, *lower) = (head, moved);
        }
    }
    out
}

/// Where on the upper line a box begins whose end or label stands on the lower one.
fn torn_at(upper: &str, lower: &str) -> Option<usize> {
    let lower = lower.trim_start();
    if lower.starts_with(']') {
        return TORN.find(upper).map(|torn| torn.start());
    }
    let first = BOX.find(upper)?;
    let last = BOX.find_iter(upper).last()?;
    let leads = upper.get(..first.start()).is_some_and(|ahead| ahead.trim().is_empty());
    if !leads || !lower.starts_with(char::is_alphabetic) {
        return None;
    }
    let label = upper.get(last.end()..).unwrap_or_default().trim();
    if label.is_empty() {
        return Some(last.start());
    }
    // a label goes on in small letters
    let torn = lower.starts_with(char::is_lowercase) && !label.is_empty();
    torn.then(|| last.start())
}

/// Whether the boxes of a line stand behind their labels: "Draw offer [ ]".
pub(super) fn come_last(text: &str) -> bool {
    let first = BOX.find(text);
    let last = BOX.find_iter(text).last();
    let ahead = first.and_then(|first| text.get(..first.start())).unwrap_or_default();
    !ahead.trim().is_empty()
        && last.is_some_and(|last| text.get(last.end()..).is_some_and(|rest| rest.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole_of(text: &str) -> Vec<String> {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        whole(&lines).into_iter().map(|text| text.trim().to_owned()).collect()
    }

    #[test]
    fn a_box_torn_from_its_label_goes_to_the_lower_line() {
        for (text, expected) in [
            ("[\n] draw offered   [ ] repeat", ["", "[ ] draw offered   [ ] repeat"]),
            ("[x\n] draw offered", ["", "[x ] draw offered"]),
            ("[ ] repeat   [ ]\ndraw offered", ["[ ] repeat", "[ ] draw offered"]),
            ("[ ] repeat   [ ] I\nresign   [ ] draw", ["[ ] repeat", "[ ] I resign   [ ] draw"]),
            ("[x] draw\naccepted", ["", "[x] draw accepted"]),
        ] {
            assert_eq!(whole_of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_whole_box_stays_where_it_is() {
        for text in ["[ ] draw offered\n10. 5254", "Draw offer [ ]\nResign [x]", "[ ] I resign\nDraw?", "[\nI resign"] {
            assert_eq!(whole_of(text), text.lines().map(str::trim).collect::<Vec<_>>(), "{text}");
        }
    }
}
