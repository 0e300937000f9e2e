//! What follows of a limit that a move on record exceeded, for the player: who may claim it, up to when, or why nobody can any more.
//!
//! The one place for these words. What will surprise you: whether a claim was sent is not known here, so one that is lost by now is lost
//! unless it was made in time.

use chrono::NaiveDate;

use super::control::{Consequence, Limit, Overstepped};
use super::ledger::Ledger;
use crate::domain::game::{Game, MoveNumber};

/// `10... exceeds the time control by 2; you may claim it, at the latest with your answer to this move`, with the command that enters a
/// fresh count where the rules know one.
pub fn in_words(game: &Game, ledger: &Ledger, over: &Overstepped) -> String {
    let enter = match over.consequence {
        Consequence::FreshCount => format!(
            "; to enter that:  amici clock set {} {} --{} 0 --why TEXT",
            game.id,
            over.number,
            over.number.side.word()
        ),
        Consequence::Forfeit | Consequence::Awarded | Consequence::Report => String::new(),
    };
    let perhaps = bookable(game, ledger, over.number).map(|booked| format!("; but {}", reserve(booked)));
    format!("{}; {}{enter}{}", fact(over), follows(game, ledger, over), perhaps.unwrap_or_default())
}

/// The day on which the rules let the opponent book the player's mail before his late move, where no mail states that day and the move
/// counted from it is within its limits (ICCF guideline 2g). `None` where it is late however he booked.
pub fn bookable(game: &Game, ledger: &Ledger, number: MoveNumber) -> Option<NaiveDate> {
    let index = game.first_number().plies_to(number).filter(|_| number.side != game.me)?;
    let ply = ledger.plies().get(index)?;
    let is_assumed = ply.received.is_some_and(|received| received.source.is_assumed());
    let booked = booking(game, ledger, index)?;
    let mut after = game.clone();
    after.moves.get_mut(index)?.agreed.received = Some(booked);
    let is_late = Ledger::of(&after).ok()?.claimable_overstep(number).is_some();
    (is_assumed && !is_late && ply.sent?.day >= booked).then_some(booked)
}

/// The last day on which the rules let the opponent book the player's mail before the ply `index`, where that is not the day it was sent.
fn booking(game: &Game, ledger: &Ledger, index: usize) -> Option<NaiveDate> {
    let mut before = game.clone();
    before.moves.truncate(index);
    before.result = None;
    Some(Ledger::of(&before).ok()?.there(ledger.his_offset()).booked_by_him()?.1)
}

/// By how many days his moves on record may have taken less in all than the record counts: of those for which no mail of his states when he
/// received the player's, each may be booked as late as the rules allow (ICCF guideline 2g).
pub fn may_be_less(game: &Game, ledger: &Ledger) -> u32 {
    let his = game.me.other();
    let mut booked = game.clone();
    for (index, ply) in ledger.plies().iter().enumerate().filter(|(_, ply)| ply.number.side == his) {
        let day =
            ply.received.filter(|received| received.source.is_assumed()).and_then(|_| booking(game, ledger, index));
        let day = day.filter(|day| ply.sent.is_some_and(|sent| sent.day >= *day));
        if let (Some(day), Some(record)) = (day, booked.moves.get_mut(index)) {
            record.agreed.received = Some(day);
        }
    }
    Ledger::of(&booked).map_or(0, |least| ledger.total(his).saturating_sub(least.total(his)))
}

/// Why a claim may be none where it rests on several days that nobody states.
pub const SEVERAL: &str = "no mail of his states when he received several of yours, and by the rules of this game he may book each of them later: \
    counted so his time is not overstepped";

/// Why a late move may be none: `no mail states when he received yours, and by the rules he may have booked it on Tue 02 Mar 2027: ...`
pub fn reserve(booked: NaiveDate) -> String {
    format!(
        "no mail of his states when he received yours, and by the rules of this game he may book it on {}: counted from then his time is not overstepped",
        booked.format("%a %d %b %Y")
    )
}

/// `10... exceeds the time control by 2`
pub fn fact(over: &Overstepped) -> String {
    let limit = match over.limit {
        Limit::Control => "the time control",
        Limit::Window => "the days of the last moves",
        Limit::OneMove => "the days for one move",
    };
    format!("{} exceeds {limit} by {}", over.number, over.by)
}

/// What follows: `you may claim it, at the latest with your answer to this move`
pub fn follows(game: &Game, ledger: &Ledger, over: &Overstepped) -> String {
    let is_mine = over.number.side == game.me;
    let (claimant, whose) = if is_mine { ("he", "his") } else { ("you", "your") };
    let may_claim = || match (game.result, answer(ledger, over), ledger.rules().claim.is_lost_by_answer()) {
        (Some(_), ..) => "the game is over".to_owned(),
        (None, None, true) => format!("{claimant} may claim it, at the latest with {whose} answer to this move"),
        (None, Some(answer), true) => {
            format!("{claimant} answered it with {answer}: unless {whose} claim was made by then, it is lost")
        }
        (None, _, false) => format!("{claimant} may claim it"),
    };
    let admits = if is_mine { ("you admit", "you admitted") } else { ("he admits", "he admitted") };
    if ledger.is_saved(over.number) {
        let hours = ledger.rules().claim.saved_hours.unwrap_or_default();
        return format!(
            "it came within {hours} hours of the move before, and by the rules of this game that saves a late player"
        );
    }
    match over.consequence {
        Consequence::Forfeit => may_claim(),
        Consequence::FreshCount => format!(
            "the first time: a warning, and once {} it or the director awards it, the count begins anew",
            admits.0
        ),
        Consequence::Awarded => {
            format!("the first time: {} it or the director awarded it, and the count has begun anew", admits.1)
        }
        Consequence::Report => "a matter for the director or the players".to_owned(),
    }
}

/// The move on record that answered it.
fn answer(ledger: &Ledger, over: &Overstepped) -> Option<String> {
    let answer = over.number.plus(1);
    ledger.plies().last().filter(|last| last.number != over.number).map(|_| answer.to_string())
}
