//! The proof of a finished letter: what our own reader, sitting at the opponent's, takes from it.
//!
//! A value that the form has no place for may be missing; one that is read differently makes the letter unusable.

use chrono::NaiveDate;

use crate::domain::game::{Game, Plan};
use crate::domain::judge::{Accepted, Verdict};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Hedge, Line, Reading, Written};
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
            differs(game, plan, &read)
                .or_else(|| another_move(game, plan, &read, &reading))
                .or_else(|| reading.date_faults.first().map(ToString::to_string))
                .or(open)
        }
        other => Some(format!("the move cannot be told from it for certain: {}", in_own_words(&other, &reading, &own))),
    }
}

/// The first move but the player's that it speaks of and the record has not: "I nearly played 7. 5253 instead". Other programs may take it.
fn another_move(game: &Game, plan: &Plan, read: &Accepted, reading: &Reading) -> Option<String> {
    // "Your last message: 6... 5755" repeats the record
    let ply = |claim: &Claim| claim.number.and_then(|number| game.first_number().plies_to(number));
    let recorded = |claim: &Claim| game.moves.get(ply(claim)?).map(|record| Written::Numeric(record.numeric));
    let repeats = |claim: &&Claim| recorded(claim).as_ref() == Some(&claim.written);
    let is_plan = |claim: &Claim| claim.written == Written::Numeric(plan.numeric);
    let is_digits = |claim: &Claim| matches!(claim.written, Written::Numeric(_));
    let is_another = |claim: &Claim| claim.number == Some(read.number) && is_digits(claim) && !is_plan(claim);
    let is_talk = |claim: &&Claim| !repeats(claim) && (claim.hedge.is_some() || is_another(claim));
    let claims = reading.claims.iter().filter(is_talk).map(|claim| (&claim.written, claim.line));
    let is_repeat = |written: &Written, hedge: &Hedge| {
        let mut repeated = reading.claims.iter().filter(repeats);
        repeated.any(|claim| claim.written == *written && claim.hedge.as_ref() == Some(hedge))
    };
    let weighed = reading.weighed.iter().filter(|(written, hedge)| !is_repeat(written, hedge));
    let weighed = weighed.map(|(written, hedge)| (written, hedge.line));
    let (move_, line) = weighed.chain(claims).next()?;
    Some(format!("line {line} speaks of another move, {move_}"))
}

/// The first value that is read otherwise.
fn differs(game: &Game, plan: &Plan, read: &Accepted) -> Option<String> {
    let (meant, found) = (plan.stated, read.stated);
    let day = |day: NaiveDate| day.to_string();
    let days = |days: u32| days.to_string();
    let lines = |lines: Vec<String>| if lines.is_empty() { "none".to_owned() } else { lines.join(", ") };
    let offer = |offer: bool| if offer { "offered" } else { "not offered" }.to_owned();
    let offered = |line: &Vec<NumericMove>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    // what a form has no place for is not read at all
    let compared = [
        ("move", Some(read.plies_in_words()), Some(plan.in_words(game.due()))),
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
