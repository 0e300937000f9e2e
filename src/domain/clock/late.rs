//! What follows of a limit that a move on record exceeded, for the player: who may claim it, up to when, or why nobody can any more.
//!
//! The one place for these words. What will surprise you: whether a claim was sent is not known here, so one that is lost by now is lost
//! unless it was made in time.

use chrono::NaiveDate;

use super::control::{Consequence, Limit, Overstepped};
use super::ledger::Ledger;
use crate::domain::game::{Game, MoveNumber};
use crate::languages::Language;
use crate::say;

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
    let perhaps =
        bookable(game, ledger, over.number).map(|booked| format!("; but {}", reserve(booked, Language::English)));
    let follows = follows(game, ledger, over, Language::English);
    format!("{}; {follows}{enter}{}", fact(over, Language::English), perhaps.unwrap_or_default())
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
pub fn reserve(booked: NaiveDate, language: Language) -> String {
    say!(
        language,
        "no mail of his states when he received yours, and by the rules of this game he may book it on {day}: counted from then his time is not overstepped",
        day = language.weekday(booked)
    )
}

/// `10... exceeds the time control by 2`
pub fn fact(over: &Overstepped, language: Language) -> String {
    let Overstepped { number, by, .. } = over;
    match over.limit {
        Limit::Control => say!(language, "{number} exceeds the time control by {by}", number, by),
        Limit::Window => say!(language, "{number} exceeds the days of the last moves by {by}", number, by),
        Limit::OneMove => say!(language, "{number} exceeds the days for one move by {by}", number, by),
    }
}

/// What follows: `you may claim it, at the latest with your answer to this move`
pub fn follows(game: &Game, ledger: &Ledger, over: &Overstepped, language: Language) -> String {
    let is_mine = over.number.side == game.me;
    if ledger.is_saved(over.number) {
        return say!(
            language,
            "it came within {hours} hours of the move before, and by the rules of this game that saves a late player",
            hours = ledger.rules().claim.saved_hours.unwrap_or_default()
        );
    }
    match (over.consequence, is_mine) {
        (Consequence::Forfeit, _) => may_claim(game, ledger, over, language),
        (Consequence::FreshCount, true) => say!(
            language,
            "the first time: a warning, and once you admit it or the director awards it, the count begins anew"
        ),
        (Consequence::FreshCount, false) => say!(
            language,
            "the first time: a warning, and once he admits it or the director awards it, the count begins anew"
        ),
        (Consequence::Awarded, true) => {
            say!(language, "the first time: you admitted it or the director awarded it, and the count has begun anew")
        }
        (Consequence::Awarded, false) => {
            say!(language, "the first time: he admitted it or the director awarded it, and the count has begun anew")
        }
        (Consequence::Report, _) => say!(language, "a matter for the director or the players"),
    }
}

/// Who may claim it, and up to when.
fn may_claim(game: &Game, ledger: &Ledger, over: &Overstepped, language: Language) -> String {
    let is_mine = over.number.side == game.me;
    match (game.result, answer(ledger, over), ledger.rules().claim.is_lost_by_answer()) {
        (Some(_), ..) => say!(language, "the game is over"),
        (None, None, true) if is_mine => {
            say!(language, "he may claim it, at the latest with his answer to this move")
        }
        (None, None, true) => say!(language, "you may claim it, at the latest with your answer to this move"),
        (None, Some(answer), true) if is_mine => {
            say!(language, "he answered it with {answer}: unless his claim was made by then, it is lost", answer)
        }
        (None, Some(answer), true) => {
            say!(language, "you answered it with {answer}: unless your claim was made by then, it is lost", answer)
        }
        (None, _, false) if is_mine => say!(language, "he may claim it"),
        (None, _, false) => say!(language, "you may claim it"),
    }
}

/// The move on record that answered it.
fn answer(ledger: &Ledger, over: &Overstepped) -> Option<String> {
    let answer = over.number.plus(1);
    ledger.plies().last().filter(|last| last.number != over.number).map(|_| answer.to_string())
}
