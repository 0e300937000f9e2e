//! The days of both players over the moves, as bars: those of the player upwards, those of the opponent downwards. What is said of a bar
//! is how its days come about; where leave or doubling had a part in them, the bar shows it.

use std::fmt::Write;

use crate::domain::clock::reasons::{Reason, Reckoning};
use crate::domain::clock::rules::Ruleset;

/// Width of a move, height of either half, in the units of the drawing.
const STEP: usize = 10;
const HALF: u32 = 60;
/// Moves that there is room for at least.
const LEAST: usize = 30;

/// The days of one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    days: u32,
    /// How they come about.
    words: String,
    /// What made them more or less than those between the two dates: words for the style sheet.
    marks: &'static str,
}

impl Bar {
    /// That of a move whose days are known so.
    pub(super) fn of(reckoning: &Reckoning, rules: &Ruleset) -> Bar {
        let reasons = reckoning.reasons();
        let any = |is: fn(&Reason) -> bool| reasons.iter().any(is);
        let marks = match (any(Reason::adds), any(|reason| matches!(reason, Reason::Leave { .. }))) {
            (true, true) => " more leave",
            (true, false) => " more",
            (false, true) => " leave",
            (false, false) => "",
        };
        Bar { days: reckoning.days(), words: reckoning.words(rules, |day| day.to_string()), marks }
    }
}

/// A move of both, with the bars of the player and the opponent where their days are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) bars: [Option<Bar>; 2],
    /// A time control ends with it.
    pub(super) ends_control: bool,
}

/// The drawing; `None` where there is nothing to draw.
pub(super) fn plot(moves: &[Pair]) -> Option<String> {
    let bars = || moves.iter().flat_map(|pair| &pair.bars).flatten();
    let most = bars().map(|bar| bar.days).max().filter(|most| *most > 0)?;
    let height = |days: u32| (days * HALF / most).max(u32::from(days > 0));
    let (width, side) = (moves.len().max(LEAST) * STEP, 2 * HALF);
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {side}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Days of each move: \
         yours upwards, the opponent's downwards, at most {most}\"><path class=\"axis\" d=\"M0 {HALF}h{width}\"/>"
    );
    // a text takes whatever is written
    for (index, pair) in moves.iter().enumerate() {
        for (bar, whose) in pair.bars.iter().zip(["mine", "his"]) {
            let Some(Bar { days, words, marks }) = bar else { continue };
            let (x, high) = (index * STEP + 1, height(*days));
            let y = if whose == "mine" { HALF - high } else { HALF };
            let _ = write!(
                svg,
                "<rect class=\"{whose}{marks}\" x=\"{x}\" y=\"{y}\" width=\"8\" height=\"{high}\"><title>{words}</title></rect>"
            );
        }
        if pair.ends_control {
            let _ = write!(svg, "<path class=\"control\" d=\"M{} 0v{side}\"/>", (index + 1) * STEP);
        }
    }
    svg.push_str("</svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(days: u32) -> Option<Bar> {
        Some(Bar { days, words: format!("{days} days"), marks: if days > 20 { " more" } else { "" } })
    }

    #[test]
    fn the_longest_move_fills_its_half_and_a_control_ends_behind_its_move() {
        let pair = |mine, his, ends_control| Pair { bars: [mine, his], ends_control };
        let svg = plot(&[pair(bar(2), bar(30), true), pair(None, bar(0), false)]).unwrap();
        assert!(svg.contains("viewBox=\"0 0 300 120\""), "{svg}");
        assert!(svg.contains("class=\"his more\" x=\"1\" y=\"60\" width=\"8\" height=\"60\"><title>30 days"), "{svg}");
        assert!(svg.contains("class=\"mine\" x=\"1\" y=\"56\" width=\"8\" height=\"4\"><title>2 days"), "{svg}");
        assert_eq!(svg.matches("<path class=\"control\" d=\"M10 0v120\"/>").count(), 1, "{svg}");
        assert_eq!(plot(&[pair(bar(0), None, false)]), None);
        assert_eq!(plot(&[]), None);
    }
}
