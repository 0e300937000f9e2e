//! The proof of a finished letter: what our own reader, sitting at the opponent's, takes from it.
//!
//! A value that the form has no place for may be missing; one that is read differently makes the letter unusable.

use chrono::NaiveDate;

use crate::domain::game::{Game, Plan};
use crate::domain::judge::{Accepted, Verdict};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Line, Written};
use crate::letters::screen::{in_own_words, read_by_opponent};
use crate::mail::quote::{Kind, split};

/// In what the letter is read differently from what it should say; `None` when it is read right.
pub(in crate::letters) fn difference(game: &Game, plan: &Plan, text: &str) -> Option<String> {
    let last = game.moves.iter().rev().find_map(|record| record.claimed.sent);
    let day = plan.stated.sent.or(last).or(game.start_date)?;
    let lines = split(text).lines;
    let own = lines.iter().filter(|line| line.kind == Kind::Own);
    let own: Vec<Line<'_>> = own.map(|line| Line { number: line.number, text: line.text }).collect();
    let (reading, verdict) = read_by_opponent(game, &own, day);
    match verdict {
        Verdict::Accepted(read) => {
            let open = reading.dates_left_open.then(|| "a date in it cannot be read with certainty".to_owned());
            // "I nearly played 7. 5253 instead": other programs may take it
            let other = || {
                let is_known = |numeric: &NumericMove| {
                    *numeric == plan.numeric || game.moves.iter().any(|record| record.numeric == *numeric)
                };
                let is_other = |written: &Written| !matches!(written, Written::Numeric(numeric) if is_known(numeric));
                let is_digits = |written: &Written| matches!(written, Written::Numeric(_));
                let is_talk = |claim: &&Claim| {
                    let stands_there = claim.number == Some(read.number) && is_digits(&claim.written);
                    is_other(&claim.written) && (claim.hedge.is_some() || stands_there)
                };
                let claims = reading.claims.iter().filter(is_talk).map(|claim| (&claim.written, claim.line));
                let weighed = reading.weighed.iter().filter(|(written, _)| is_other(written));
                let weighed = weighed.map(|(written, hedge)| (written, hedge.line));
                let (move_, line) = weighed.chain(claims).next()?;
                Some(format!("line {line} speaks of another move, {move_}"))
            };
            differs(plan, &read)
                .or_else(other)
                .or_else(|| reading.date_faults.first().map(ToString::to_string))
                .or(open)
        }
        other => Some(format!("the move cannot be told from it for certain: {}", in_own_words(&other, &reading, &own))),
    }
}

/// The first value that is read otherwise.
fn differs(plan: &Plan, read: &Accepted) -> Option<String> {
    let (meant, found) = (plan.stated, read.stated);
    let day = |day: NaiveDate| day.to_string();
    let days = |days: u32| days.to_string();
    let lines = |lines: Vec<String>| if lines.is_empty() { "none".to_owned() } else { lines.join(", ") };
    let offer = |offer: bool| if offer { "offered" } else { "not offered" }.to_owned();
    let offered = |line: &Vec<NumericMove>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    // what a form has no place for is not read at all
    let compared = [
        ("move", Some(read.plies_in_words()), Some(format!("{} {}", read.number, plan.numeric))),
        ("day of receipt", found.received.map(day), meant.received.map(day)),
        ("day of sending", found.sent.map(day), meant.sent.map(day)),
        ("days", found.days.map(days), meant.days.map(days)),
        ("total", found.total.map(days), meant.total.map(days)),
        ("draw", Some(offer(read.draw_offer)), Some(offer(plan.draw_offer))),
        (
            "conditional moves",
            Some(lines(read.conditionals.iter().map(|line| line.join(" ")).collect())),
            Some(lines(plan.conditionals.iter().map(offered).collect())),
        ),
    ];
    let wrong = compared.into_iter().find(|(_, found, meant)| found.is_some() && found != meant);
    wrong.map(|(what, found, meant)| {
        let (found, meant) = (found.unwrap_or_default(), meant.unwrap_or_else(|| "unknown".to_owned()));
        format!("the {what} would be read as {found}, but it is {meant}")
    })
}
