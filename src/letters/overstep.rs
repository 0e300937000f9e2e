//! An overstepped time control: of the last move of a side, or of the one it is thinking about.
//!
//! Told before a reply is drafted, since the claim is lost by answering. Nothing is claimed here.

use chrono::{NaiveDate, TimeDelta};

use super::claimed::Claimed;
use super::reasons::running_reason;
use super::remarks::settles_day;
use super::wrapped;
use crate::config::Language;
use crate::domain::clock::days::Moment;
use crate::domain::clock::hidden::Hidden;
use crate::domain::clock::late::{self, follows};
use crate::domain::clock::ledger::{Consequence, Ledger, Limit};
use crate::domain::clock::over::at_least;
use crate::domain::clock::rules::{ClaimTerms, Ruleset, TimeControl};
use crate::domain::game::{Game, GameId, MoveNumber, Side};
use crate::say;

/// By how much a side's time is overstepped, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overstep {
    /// The move at which it happened; the one thought about where the clock runs.
    pub number: MoveNumber,
    /// It has been sent; else the clock still runs.
    pub was_sent: bool,
    /// Which limit was exceeded.
    pub limit: Limit,
    /// Days beyond the allowance.
    pub by: u32,
    /// Where that is not sure: by how many it is certain ([`at_least`]).
    pub certain: Option<u32>,
    /// Days used of what that limit allows, that move included.
    pub used: u32,
    /// The move that completes the time control.
    pub until_move: u32,
    /// Days of his moves are not on record: `by` and `used` are the least that they can be.
    pub is_partial: bool,
    /// The days of that move and those allowed for one, where it exceeds that limit, too.
    pub one_move: Option<(u32, u32)>,
    /// The move of an earlier overstep since which the time counts anew, and by how many days it was: this one is the second.
    pub first: Option<(MoveNumber, u32)>,
    /// The day on which the opponent may have booked the mail before it: counted from then it is none.
    pub booked: Option<NaiveDate>,
}

impl Overstep {
    /// `overstepped by 2 at move 10 (62 days used, 60 allowed up to move 10)`
    pub fn words(&self) -> String {
        self.words_in(Language::English)
    }

    /// The same in this language.
    pub fn words_in(&self, language: Language) -> String {
        let by = format!("{}{}", self.by, least(self.certain, language));
        let (number, figures) = (self.number.number, self.figures_in(language));
        say!(language, "overstepped by {by} at move {number} ({figures})", by, number, figures)
    }

    /// Days beyond the allowance that are certain.
    pub fn least(&self) -> u32 {
        self.certain.unwrap_or(self.by)
    }

    /// `62 days used, 60 allowed up to move 10`, or `11 days on one move, 10 allowed`
    pub fn figures(&self) -> String {
        self.figures_in(Language::English)
    }

    /// The same in this language.
    pub fn figures_in(&self, language: Language) -> String {
        let allowed = self.used.saturating_sub(self.by);
        let certain = self.certain.filter(|certain| *certain > 0).map(|certain| allowed.saturating_add(certain));
        let (days, until) = (language.days(self.used), self.until_move);
        let used = match self.limit {
            Limit::Control => used(self.used, self.is_partial, language),
            Limit::Window => say!(language, "{days} for the last moves together", days),
            Limit::OneMove => say!(language, "{days} on one move", days),
        };
        let allowed = match self.limit {
            Limit::Control => say!(language, "{allowed} allowed up to move {until}", allowed, until),
            Limit::Window | Limit::OneMove => say!(language, "{allowed} allowed", allowed),
        };
        let least = if self.limit == Limit::Control && self.is_partial { None } else { certain };
        let too = self.one_move.map(|(days, most)| {
            let days = language.days(days);
            format!("; {}", say!(language, "and {days} on one move, {most} allowed", days, most))
        });
        format!("{used}{}, {allowed}{}", self::least(least, language), too.unwrap_or_default())
    }
}

/// ` (at least 2)`, where a figure is not sure but so much of it is; else nothing.
pub(super) fn least(certain: Option<u32>, language: Language) -> String {
    let certain = certain.filter(|certain| *certain > 0);
    certain.map(|certain| format!(" ({})", say!(language, "at least {certain}", certain))).unwrap_or_default()
}

/// `3 days used`; the least, where days are not on record.
pub(super) fn used(days: u32, is_partial: bool, language: Language) -> String {
    let days = language.days(days);
    match is_partial {
        true => say!(language, "at least {days} used", days),
        false => say!(language, "{days} used", days),
    }
}

/// The overstep of a side at the ply that it is thinking about at a moment, or else at its last one.
pub fn overstep(game: &Game, ledger: &Ledger, side: Side, now: impl Into<Moment>) -> Option<Overstep> {
    let (control, now) = (ledger.rules().control, now.into());
    let awarded =
        ledger.oversteps().iter().find(|over| over.number.side == side && over.consequence == Consequence::Awarded);
    let first = awarded.map(|over| (over.number, over.by));
    let beyond_cap = |days: u32| control.per_move_cap().filter(|most| days > *most).map(|most| (days, most));
    if ledger.goes_on() && game.to_move() == side {
        let clock = ledger.clock(side, Some(side), now);
        let (limit, until_move) = (clock.limit?, clock.until_move?);
        let by = u32::try_from(-clock.days_left?).ok().filter(|by| *by > 0)?;
        let used = match limit {
            Limit::Control => clock.days_used.saturating_add(clock.days_this_move),
            Limit::Window => window(control)?.saturating_add(by),
            Limit::OneMove => clock.days_this_move,
        };
        let certain = less(game, ledger, (side, limit, by), at_least(game, ledger, now));
        let unsure = certain.map_or(0, |certain| by.saturating_sub(certain));
        return Some(Overstep {
            number: game.due(),
            was_sent: false,
            limit,
            by,
            certain,
            used,
            until_move,
            is_partial: clock.is_partial,
            one_move: beyond_cap(clock.days_this_move.saturating_sub(unsure)).filter(|_| limit != Limit::OneMove),
            first,
            booked: None,
        });
    }
    let last = ledger.plies().iter().rev().find(|p| p.number.side == side)?;
    let found = ledger.claimable_overstep(last.number)?;
    let until_move = match found.limit {
        Limit::Control => until_control(game, side, last.number)?,
        Limit::Window | Limit::OneMove => last.number.number,
    };
    let used = match found.limit {
        Limit::Control => last.total,
        Limit::Window => window(control)?.saturating_add(found.by),
        Limit::OneMove => last.days?,
    };
    let (limit, by, is_partial) = (found.limit, found.by, last.is_partial);
    let one_move = last.days.filter(|_| limit != Limit::OneMove).and_then(beyond_cap);
    let certain = less(game, ledger, (side, limit, by), None);
    let (number, booked) = (found.number, late::bookable(game, ledger, found.number));
    Some(Overstep { number, was_sent: true, limit, by, certain, used, until_move, is_partial, one_move, first, booked })
}

/// By how many days it is certain, where his moves on record may have taken fewer days than are counted: that is carried into the total.
fn less(game: &Game, ledger: &Ledger, (side, limit, by): (Side, Limit, u32), certain: Option<u32>) -> Option<u32> {
    let of_moves = side != game.me && limit != Limit::OneMove;
    let less = if of_moves { late::may_be_less(game, ledger) } else { 0 };
    if less == 0 { certain } else { Some(certain.unwrap_or(by).saturating_sub(less)) }
}

/// The overstep with the last move on record of a running game, which the side on the move may claim; whatever day it is.
fn last_overstep(game: &Game, ledger: &Ledger) -> Option<Overstep> {
    let late = game.to_move().other();
    // the side that waits has no clock that runs
    overstep(game, ledger, late, NaiveDate::MIN).filter(|_| ledger.goes_on())
}

/// How it comes about that the side on the move oversteps: `27 days used, 25 allowed up to move 10; 19: 15 calendar days, 4 beyond 10 twice`;
/// `None` where it does not.
pub fn overstep_sum(game: &Game, ledger: &Ledger, now: Moment, language: Language) -> Option<String> {
    let over = overstep(game, ledger, game.to_move(), now).filter(|over| !over.was_sent)?;
    let why = running_reason(game, ledger, now, |on| language.day(on), language);
    Some(over.figures_in(language) + &why.map(|why| format!("; {why}")).unwrap_or_default())
}

/// That the last move on record exceeded a limit, after an empty line: of the opponent's with the command that drafts the claim, or how far
/// it got, of the player's with what the opponent may do; empty where it did not.
pub fn late_move(game: &Game, ledger: &Ledger, claimed: Option<Claimed>, language: Language) -> String {
    let Some(over) = last_overstep(game, ledger) else { return perhaps_late(game, ledger, language) };
    let overstepped = over.words_in(language);
    if !game.is_my_turn() {
        let follows = ledger.claimable_overstep(over.number).map(|over| follows(game, ledger, &over, language));
        let follows = follows.unwrap_or_default();
        let line =
            say!(language, "YOUR TIME IS {overstepped}, and the move went out: {follows}.", overstepped, follows);
        return format!("\n{}", wrapped(&line));
    }
    let terms = claim_terms(ledger.rules(), language).map(|terms| wrapped(&terms)).unwrap_or_default();
    let (answering, next) = (answering(ledger.rules(), language), claim_step(&game.id, claimed, language));
    let doubt = day_in_doubt(game, ledger, &over, language).map(|doubt| wrapped(&doubt)).unwrap_or_default();
    let perhaps = over
        .booked
        .map(|booked| wrapped(&say!(language, "Perhaps not: {reserve}.", reserve = late::reserve(booked, language))));
    let perhaps = perhaps.unwrap_or_default();
    let line = say!(language, "HIS TIME IS {overstepped}.", overstepped);
    format!("\n{line}\n{perhaps}{doubt}{terms}{answering} {next}\n")
}

/// That the day on which a late move was sent is in doubt, and with it the figure.
fn day_in_doubt(game: &Game, ledger: &Ledger, over: &Overstep, language: Language) -> Option<String> {
    let kind = ledger.day_in_doubt(game, over.number).filter(|_| over.was_sent)?;
    Some(say!(
        language,
        "The day of {number} is doubtful, and with it by how much: {doubt}. If it was sent on another day:  {command}",
        number = over.number,
        doubt = kind.in_words(language),
        command = settles_day(game, over.number, kind)
    ))
}

/// The same of a move of the opponent's that was late if other days count than those that he states, with the commands that settle them.
fn perhaps_late(game: &Game, ledger: &Ledger, language: Language) -> String {
    let Some(hidden) = Hidden::of(game, ledger) else { return String::new() };
    let line = say!(
        language,
        "HIS TIME IS PERHAPS OVERSTEPPED: {hidden}. Settle it before you answer. {answering}",
        hidden = hidden.in_words(language),
        answering = answering(ledger.rules(), language)
    );
    format!("\n{}{}", wrapped(&line), hidden.settling(game))
}

/// What answering a late move does to the claim.
fn answering(rules: &Ruleset, language: Language) -> String {
    match rules.claim.is_lost_by_answer() {
        true => say!(language, "The claim is lost by answering."),
        false => say!(language, "No rule of this game says that answering loses the claim; claim first all the same."),
    }
}

/// The command that drafts a claim, or how far it got.
fn claim_step(game: &GameId, claimed: Option<Claimed>, language: Language) -> String {
    match claimed {
        None => say!(language, "To draft it:  amici claim {game}", game),
        Some(Claimed::Drafted(on)) => say!(language, "It was drafted {day}: send it.", day = language.weekday(on)),
        Some(Claimed::Sent(on)) => say!(language, "It was sent {day}.", day = language.weekday(on)),
    }
}

/// What the rules ask of a claim on time beside the overstep and its time, in a sentence; `None` where they ask for nothing.
pub fn claim_terms(rules: &Ruleset, language: Language) -> Option<String> {
    let beside = ClaimTerms { before_answer: false, ..rules.claim };
    (!beside.is_empty())
        .then(|| say!(language, "By the rules of this game {terms}.", terms = beside.words_in(language)))
}

/// What these terms have against claiming an overstep of the opponent's now, and what to do first.
pub fn claim_lacks(game: &Game, ledger: &Ledger, over: &Overstep) -> Vec<String> {
    let terms = ledger.rules().claim;
    let waits = (terms.on_move && !over.was_sent).then(|| {
        "by the rules of this game a claim on time is valid only while you are to move: wait for his move, and claim before you answer it"
            .to_owned()
    });
    let unsaid = terms.time_stated.then(|| {
        format!(
            "by the rules of this game the time used has to be stated before the claim: if no mail of yours has told him, write it first,  amici message {} -m \"Your clock by my record: {}.\"",
            game.id,
            over.figures()
        )
    });
    let saved = terms.saved_hours.filter(|_| over.was_sent).and_then(|hours| saved(game, ledger, over.number, hours));
    [waits, unsaid, saved, day_in_doubt(game, ledger, over, Language::English)].into_iter().flatten().collect()
}

/// That the late move may have come within so many hours of the one before it, by the days of both mails where an instant is missing.
fn saved(game: &Game, ledger: &Ledger, number: MoveNumber, hours: u32) -> Option<String> {
    let index = game.first_number().plies_to(number)?;
    let before = index.checked_sub(1)?;
    let observed = |index: usize| game.moves.get(index).and_then(|record| record.observed.sent_at);
    let sent = |index: usize| ledger.plies().get(index)?.sent.map(|sent| sent.day);
    let limit = TimeDelta::hours(hours.into());
    // by the instants of both mails the ledger knows it
    let is_open = observed(before).zip(observed(index)).is_none();
    // the calendars of two places lie up to a day apart
    let may_be = is_open && sent(index)? - sent(before)? <= limit + TimeDelta::days(1);
    may_be.then(|| {
        format!(
            "by the rules of this game a late player is saved who moves within {hours} hours of your move, and by the days on record he may have"
        )
    })
}

/// The move that completes the control to which a move belongs.
fn until_control(game: &Game, side: Side, number: MoveNumber) -> Option<u32> {
    let mut before = game.clone();
    before.moves.truncate(game.first_number().plies_to(number)?);
    Ledger::of(&before).ok()?.clock(side, Some(side), NaiveDate::MIN).until_move
}

/// The days that the last moves may take together.
fn window(control: TimeControl) -> Option<u32> {
    match control {
        TimeControl::Rolling { days, .. } => Some(days),
        TimeControl::Cumulative { .. } | TimeControl::Fischer { .. } | TimeControl::None {} => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{MoveRecord, Stated};

    fn with_days(days: u32) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(&format!(
            r#"{{"base": "iccf-email-2000", "control": {{"kind": "cumulative", "moves": 10, "days": {days}}}}}"#
        ))
        .unwrap();
        game
    }

    fn overstepped(game: &Game, side: Side, today: NaiveDate) -> Option<Overstep> {
        overstep(game, &Ledger::of(game).unwrap(), side, today)
    }

    #[test]
    fn the_last_move_of_the_opponent_oversteps_by_the_days_beyond_the_allowance() {
        let today = "2004-10-31".parse().unwrap();
        assert_eq!(overstepped(&with_days(12), Side::White, today), None);
        let over = overstepped(&with_days(10), Side::White, today).unwrap();
        assert_eq!(over.words(), "overstepped by 2 at move 7 (12 days used, 10 allowed up to move 10)");
        assert!(over.was_sent);
    }

    #[test]
    fn t25_the_breach_is_named_by_the_limit_that_was_exceeded() {
        let mut game = sample_game();
        game.rules = serde_json::from_str("\"iecc\"").unwrap();
        game.start_date = None;
        game.moves.clear();
        let mut push = |days: u32| {
            let numeric = ["7163", "7866", "6371", "6678"][game.moves.len() % 4].parse().unwrap();
            let claimed = Stated { days: Some(days), total: Some(days), ..Stated::default() };
            game.moves.push(MoveRecord::claimed(numeric, claimed));
            game.clone()
        };
        push(2);
        push(0);
        push(1);
        let white =
            |game: &Game| overstepped(game, Side::White, "2004-11-01".parse().unwrap()).map(|over| over.figures());
        push(0);
        assert_eq!(white(&push(11)).unwrap(), "11 days on one move, 10 allowed");
        for days in [9, 9] {
            push(0);
            push(days);
        }
        push(0);
        assert_eq!(white(&push(5)).unwrap(), "37 days for the last moves together, 30 allowed");
        push(0);
        let both = "48 days for the last moves together, 30 allowed; and 11 days on one move, 10 allowed";
        assert_eq!(white(&push(11)).unwrap(), both);
    }

    #[test]
    fn the_clock_that_runs_oversteps_day_by_day() {
        let game = with_days(32);
        assert_eq!(overstepped(&game, Side::Black, "2004-11-01".parse().unwrap()), None);
        let over = overstepped(&game, Side::Black, "2004-11-02".parse().unwrap()).unwrap();
        assert_eq!((over.by, over.was_sent, over.number.to_string().as_str()), (1, false, "7..."));
    }

    #[test]
    fn a_late_move_is_saved_within_the_hours_that_the_rules_name_by_the_dates_of_both_mails() {
        let mut game = sample_game();
        game.rules =
            serde_json::from_str(r#"{"base": "ecp", "control": {"kind": "cumulative", "moves": 10, "days": 10}}"#)
                .unwrap();
        let mut saved = |his: &str| {
            game.moves[11].observed.sent_at = Some("2004-10-26T12:00:00+02:00".parse().unwrap());
            game.moves[12].observed.sent_at = Some(his.parse().unwrap());
            let ledger = Ledger::of(&game).unwrap();
            let over = overstep(&game, &ledger, Side::White, "2004-11-01".parse::<NaiveDate>().unwrap());
            assert_eq!(ledger.is_saved(game.number_of(12)), over.is_none());
            assert!(over.is_none_or(|over| !claim_lacks(&game, &ledger, &over).join(" ").contains("24 hours")));
            over.is_none() && late_move(&game, &ledger, None, Language::English).is_empty()
        };
        assert!(saved("2004-10-27T09:59:59+00:00"));
        assert!(!saved("2004-10-27T10:00:00+00:00"));
    }
}
