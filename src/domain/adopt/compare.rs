//! Other mails of a game beside the score that it was taken from: the same moves, and the same dates, days and totals beside them.

use super::rejoin::rejoined;
use super::{Dates, Score, is_in, positions, read_dated, sort, start_position};
use crate::domain::game::{MoveNumber, Stated};
use crate::domain::transmission::read::{Frame, Line, read};

/// Where the moves that stand in these lines differ from a score, each in a sentence; a part of the score is enough.
pub fn differences(score: &Score, lines: &[Line<'_>]) -> Vec<String> {
    differing(score, lines, |_| true)
}

/// As [`differences`], but for moves after the end of the score, which go on with it.
pub fn contradictions(score: &Score, lines: &[Line<'_>]) -> Vec<String> {
    let is_within = |number: MoveNumber| score.first.plies_to(number).is_none_or(|index| index < score.plies.len());
    differing(score, lines, is_within)
}

/// Whether a move stands in these lines that a score has at the same number.
pub fn repeats(score: &Score, lines: &[Line<'_>]) -> bool {
    let joined = rejoined(lines);
    let lines: Vec<Line<'_>> = joined.iter().map(|(number, text)| Line { number: *number, text }).collect();
    let reading = read(&lines, &Frame { first: score.first, ..Frame::default() });
    let Ok(start) = start_position(score.head.fen.as_deref()) else { return false };
    let known = positions(&start, &score.plies);
    sort(&reading).0.iter().any(|claim| is_in(&known, score.first, claim))
}

fn differing(score: &Score, lines: &[Line<'_>], counts: impl Fn(MoveNumber) -> bool) -> Vec<String> {
    let joined = rejoined(lines);
    let lines: Vec<Line<'_>> = joined.iter().map(|(number, text)| Line { number: *number, text }).collect();
    let reading = read(&lines, &Frame { first: score.first, ..Frame::default() });
    let (claims, _) = sort(&reading);
    let Ok(start) = start_position(score.head.fen.as_deref()) else { return Vec::new() };
    let known = positions(&start, &score.plies);
    let differing =
        claims.iter().filter(|claim| claim.number.is_none_or(&counts) && !is_in(&known, score.first, claim));
    differing
        .map(|claim| {
            let number = claim.number.map(|n| n.to_string()).unwrap_or_default();
            let ply = claim.number.and_then(|n| score.first.plies_to(n)).and_then(|index| score.plies.get(index));
            let ours = ply.map_or("nothing".to_owned(), |ply| ply.numeric.to_string());
            format!("line {}: it has {number} {}, the newest score has {ours} there", claim.line, claim.written)
        })
        .collect()
}

/// Where dates, days and totals that stand in these lines differ from what a score states of the same move: the move, what they have and
/// what it has, as far as that differs. What only one of them states is no difference.
pub fn otherwise(score: &Score, lines: &[Line<'_>], dates: Dates) -> Vec<(MoveNumber, Stated, Stated)> {
    let joined = rejoined(lines);
    let lines: Vec<Line<'_>> = joined.iter().map(|(number, text)| Line { number: *number, text }).collect();
    let Ok(start) = start_position(score.head.fen.as_deref()) else { return Vec::new() };
    let reading = read_dated(&lines, score.first, dates.start.or(score.head.start), dates.latest);
    let known = positions(&start, &score.plies);
    let (claims, _) = sort(&reading);
    let differing = claims.iter().filter(|claim| is_in(&known, score.first, claim)).filter_map(|claim| {
        let number = claim.number?;
        let ply = score.plies.get(score.first.plies_to(number)?)?;
        let (theirs, ours) = (apart(claim.stated, ply.stated), apart(ply.stated, claim.stated));
        (theirs != Stated::default()).then_some((number, theirs, ours))
    });
    differing.collect()
}

/// What one statement says otherwise than the other.
fn apart(one: Stated, other: Stated) -> Stated {
    Stated {
        received: one.received.filter(|day| other.received.is_some_and(|other| other != *day)),
        sent: one.sent.filter(|day| other.sent.is_some_and(|other| other != *day)),
        days: one.days.filter(|days| other.days.is_some_and(|other| other != *days)),
        total: one.total.filter(|total| other.total.is_some_and(|other| other != *total)),
    }
}
