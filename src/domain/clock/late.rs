//! What follows of a limit that a move on record exceeded, for the player: who may claim it, up to when, or why nobody can any more.
//!
//! The one place for these words. What will surprise you: no record tells whether a claim was sent, so one that is lost by now is lost
//! unless it was made in time.

use super::control::{Consequence, Limit, Overstepped};
use super::ledger::Ledger;
use crate::domain::game::Game;

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
    format!("{}; {}{enter}", fact(over), follows(game, ledger, over))
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
