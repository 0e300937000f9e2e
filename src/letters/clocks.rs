//! Both clocks in words, as the screen and the letters have them: what is used, what is left, and what is not on record.
//!
//! The figures are the ledger's; of an overstep of the opponent's they say how sure it is. What will surprise you: where days are not on
//! record they are called the least and the most.

use chrono::NaiveDate;

use super::day;
use super::overstep::{least, used};
use super::reasons::running_reason;
use super::wrap::fill;
use crate::config::Language;
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::{Clock, Ledger};
use crate::domain::clock::over::{Awaited, Over, at_least, over};
use crate::domain::game::{Game, Side};
use crate::say;

/// Both clocks at a moment or on a day, a line each, with how the days of the running move come about below it where they are not simply
/// those between two dates; without a moment that is believed the running one has no figures.
pub fn clock_lines(
    game: &Game,
    ledger: &Ledger,
    moment: Option<Moment>,
    awaited: Awaited,
    language: Language,
) -> String {
    let reserve = moment.and_then(|moment| over(game, ledger, moment, awaited));
    let reserve = reserve.and_then(|over| over.reserve_in(language));
    let certain = moment.and_then(|moment| at_least(game, ledger, moment));
    let to_move = ledger.goes_on().then(|| game.to_move());
    let is_undated = ledger.is_undated();
    let line = |side: Side| {
        let runs = to_move == Some(side);
        // of the side that waits no figure depends on the day
        let Some(moment) = moment.or_else(|| (!runs).then(|| NaiveDate::MIN.into())).filter(|_| !is_undated) else {
            let clock = ledger.clock(side, None, NaiveDate::MIN);
            let used = match is_undated {
                true => {
                    say!(language, "{days} used by the dates on record", days = language.days(clock.days_used))
                }
                false => used(clock.days_used, clock.is_partial, language),
            };
            let thinking = if runs { format!(" + {}", say!(language, "unknown for this move")) } else { String::new() };
            return format!("{}: {used}{thinking}\n", side.name_in(language));
        };
        let clock = ledger.clock(side, to_move, moment);
        let days = clock.days_this_move;
        let thinking =
            if runs { format!(" + {}", say!(language, "{days} for this move", days)) } else { String::new() };
        let used = used(clock.days_used, clock.is_partial, language);
        let left = |_| format!(", {}", left_with(&clock, reserve.as_deref().filter(|_| runs), None, language));
        let left = to_move.map(left).unwrap_or_default();
        let why = running_reason(game, ledger, moment, |on| language.day(on), language).filter(|_| runs);
        let why = why.map(|why| fill(&why, "  ", "    ") + "\n").unwrap_or_default();
        let sure = certain.filter(|certain| runs && *certain > 0 && reserve.is_none()).map(|certain| {
            let sure = match side == game.me {
                true => say!(language, "at least by {certain}, however late the mail before is booked", certain),
                false => say!(
                    language,
                    "at least by {certain}, wherever he lives and however late the mail before is booked",
                    certain
                ),
            };
            fill(&sure, "  ", "    ") + "\n"
        });
        let sure = sure.unwrap_or_default();
        format!("{}: {used}{thinking}{left}\n{sure}{why}", side.name_in(language))
    };
    line(Side::White) + &line(Side::Black)
}

/// That nobody knows since when the side on the move has the last move, or what a side has used in all, and the commands that enter it;
/// empty where it is known.
pub fn undated_help(game: &Game, ledger: &Ledger) -> String {
    let partial = [Side::White, Side::Black].into_iter().filter(|side| ledger.goes_on() && ledger.is_partial(*side));
    let totals: String = partial.map(|side| format!(" --{} DAYS", side.word())).collect();
    let enter_totals = match totals.is_empty() {
        true => String::new(),
        false => format!(
            "Days of moves are not on record, so nobody knows what is left. How many were used in all, by both your tables?\n    amici clock set {}{totals} --why TEXT\n",
            game.id
        ),
    };
    if !ledger.is_undated() {
        return enter_totals;
    }
    let since = match game.moves.len().checked_sub(1) {
        Some(last) => format!(
            "Thinking since: unknown, {0} has no date on record. When was it sent?\n    amici clock set {1} {0} --sent DATE --why TEXT\n",
            game.number_of(last),
            game.id
        ),
        None => "Thinking since: unknown, the start of the event is not on record.\n".to_owned(),
    };
    since + &enter_totals
}

/// What stands below the clocks: by whose calendar the days of an opponent who is on the move are counted; of the player, how he may book
/// the opponent's mail where his time is over otherwise.
pub fn below_clocks(game: &Game, ledger: &Ledger, moment: Option<Moment>) -> String {
    let Some(moment) = moment.filter(|_| ledger.goes_on()) else { return String::new() };
    if game.is_my_turn() {
        return booking_help(game, ledger, moment);
    }
    let day = ledger.local(game.to_move(), moment).day.format("%a %d %b %Y");
    match ledger.his_offset() {
        Some(place) => format!("His days are those of his place, UTC{place} by his last mail: {day} there.\n"),
        None => "His place is not known by any mail: his days are counted as yours.\n".to_owned(),
    }
}

fn booking_help(game: &Game, ledger: &Ledger, moment: Moment) -> String {
    let is_open = matches!(over(game, ledger, moment, Awaited::NOTHING), Some(Over::Bookable(_)));
    let Some((_, booked)) = ledger.booked_by_me().filter(|_| is_open) else { return String::new() };
    let text = format!(
        "The rules let you book his mail as received on {}, and then your time is not over yet: state that day in your answer. \
         `received = \"next-day\"` under [me] in the configuration books every mail so; once your answer went out:",
        day(booked)
    );
    let command = format!("amici clock set {} {} --received {booked} --why TEXT", game.id, game.due());
    format!("{}\n    {command}\n", fill(&text, "", ""))
}

/// The same as [`days_left`], with what keeps an overstep from being certain, or by how many days it is `certain` where that is less.
pub fn left_with(clock: &Clock, reserve: Option<&str>, certain: Option<u32>, language: Language) -> String {
    let over = clock.days_left.filter(|left| *left < 0).zip(clock.until_move);
    match (reserve, over) {
        (None, Some((left, until))) => {
            let by = format!("{}{}", left.unsigned_abs(), least(certain, language));
            say!(language, "OVERSTEPPED by {by} at move {until}", by, until)
        }
        (Some(reserve), Some((left, until))) => {
            let by = left.unsigned_abs();
            say!(language, "perhaps over by {by} at move {until} ({reserve})", by, until, reserve)
        }
        (None, None) => within(clock, language),
        (Some(reserve), None) => format!("{} ({reserve})", within(clock, language)),
    }
}

/// `27 left to move 10`, by how much the time is overstepped, or that there is no limit.
pub fn days_left(clock: &Clock, language: Language) -> String {
    left_with(clock, None, None, language)
}

/// What is left of a time that is not overstepped.
fn within(clock: &Clock, language: Language) -> String {
    match (clock.days_left, clock.until_move) {
        (Some(left), Some(until)) if clock.is_partial => {
            say!(language, "at most {left} left to move {until}", left, until)
        }
        (Some(left), Some(until)) => say!(language, "{left} left to move {until}", left, until),
        _ => say!(language, "no limit"),
    }
}
