//! The days of both players over the moves, as bars: those of the player upwards, those of the opponent downwards.

use std::fmt::Write;

/// Width of a move, height of either half, in the units of the drawing.
const STEP: usize = 10;
const HALF: u32 = 60;
/// Moves that there is room for at least.
const LEAST: usize = 30;

/// The drawing; each move is a pair of days, the player's and the opponent's, `None` where they are unknown. `None` where there is nothing
/// to draw.
pub(super) fn plot(moves: &[(Option<u32>, Option<u32>)]) -> Option<String> {
    let most = moves.iter().flat_map(|(mine, his)| [*mine, *his]).flatten().max().filter(|most| *most > 0)?;
    let height = |days: u32| (days * HALF / most).max(u32::from(days > 0));
    let (width, side) = (moves.len().max(LEAST) * STEP, 2 * HALF);
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {side}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Days of each move: \
         yours upwards, the opponent's downwards, at most {most}\"><path class=\"axis\" d=\"M0 {HALF}h{width}\"/>"
    );
    for (index, (mine, his)) in moves.iter().enumerate() {
        let x = index * STEP + 1;
        // a text takes whatever is written
        if let Some(days) = mine {
            let high = height(*days);
            let _ = write!(
                svg,
                "<rect class=\"mine\" x=\"{x}\" y=\"{}\" width=\"8\" height=\"{high}\"><title>{days} d</title></rect>",
                HALF - high
            );
        }
        if let Some(days) = his {
            let high = height(*days);
            let _ = write!(
                svg,
                "<rect class=\"his\" x=\"{x}\" y=\"{HALF}\" width=\"8\" height=\"{high}\"><title>{days} d</title></rect>"
            );
        }
    }
    svg.push_str("</svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_move_fills_its_half() {
        let svg = plot(&[(Some(2), Some(30)), (None, Some(0))]).unwrap();
        assert!(svg.contains("viewBox=\"0 0 300 120\""), "{svg}");
        assert!(svg.contains("class=\"his\" x=\"1\" y=\"60\" width=\"8\" height=\"60\"><title>30 d"), "{svg}");
        assert!(svg.contains("class=\"mine\" x=\"1\" y=\"56\" width=\"8\" height=\"4\"><title>2 d"), "{svg}");
        assert_eq!(plot(&[(Some(0), None)]), None);
        assert_eq!(plot(&[]), None);
    }
}
