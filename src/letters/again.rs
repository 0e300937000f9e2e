//! That a move of the player's may not have reached the opponent, and went out again: in the letters to either of them and to the director.

use super::day;
use super::speech::Speech;
use crate::domain::clock::again::{Lost, Sign};

/// To the opponent, in sentences of their own.
pub(super) fn to_opponent(speech: Speech, lost: Lost) -> String {
    let shown = match lost.sign {
        Sign::CameBack => "first_came_back",
        Sign::Missed => "repeated_own",
    };
    let shown = speech.say(shown, &[("day", &speech.day(lost.shown))]);
    match lost.again {
        Some(again) => format!("{shown} {}", speech.say("sent_again", &[("day", &speech.day(again))])),
        None => shown,
    }
}

/// To the director, in English.
pub(super) fn to_director(lost: Lost) -> String {
    let shown = day(lost.shown);
    let shown = match lost.sign {
        Sign::CameBack => format!("My mail with my last move came back on {shown}"),
        Sign::Missed => format!("He repeated his own last move on {shown}, as if he had no answer to it"),
    };
    match lost.again {
        Some(again) => format!("{shown}; I sent mine again on {}.", day(again)),
        None => format!("{shown}; I have not sent mine again since."),
    }
}
