//! What bites next: the marks on the calendar of a game, for both sides, each from a key of its rule set.
//!
//! Pure; the day is an argument, and only the choice of the next mark and its severity depend on it. Silence is counted in calendar
//! days from the day the last move was sent, less the silent side's leave (rules of silence, ICCF e-mail guidelines 3a); reflection
//! time, and so the time control and doubling, by the [`Ledger`] alone.
//! What will surprise you: a permission (to repeat, to claim) whose day has passed stays the next mark until it is used or he moves.
//! Not covered: what only the director decides.

use std::collections::BTreeSet;

use chrono::{DateTime, FixedOffset, NaiveDate, TimeDelta};

use super::days::Moment;
use super::hidden::Hidden;
use super::ledger::Ledger;
use super::rules::Ruleset;
use super::silence::Silence;
use super::still::StandingStill;
use crate::domain::game::{ClockNote, Game, Leave, Plan, Side};

mod mark;
mod pace;

pub use mark::{Mark, MarkKind, Severity};
pub use pace::{ByHours, Pace};

/// Every mark of a running game, by date; none of one that is finished, or decided on the board. `drafted` is the day on which the player chose the planned move.
pub fn marks(game: &Game, ledger: &Ledger, pace: Option<&Pace>, drafted: Option<NaiveDate>) -> Vec<Mark> {
    if !ledger.goes_on() {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some((pace, silence)) = pace.zip(Silence::of(game, ledger)) {
        reflection(&mut found, game, ledger, pace);
        Silent::of(game, ledger, silence).marks(&mut found);
    }
    if let Some(last) = ledger.plies().last().filter(|_| ledger.is_last_overstepped())
        && let Some(date) = ledger.waiting_since().or(last.sent)
    {
        let lost_by_answer = ledger.rules().claim.is_lost_by_answer();
        found.push(Mark::on(date.day, game.to_move(), MarkKind::LateMove { lost_by_answer }));
    }
    if let Some((counts, since)) = Hidden::of(game, ledger).and_then(|hidden| hidden.day()).zip(ledger.waiting_since())
    {
        found.push(Mark::on(since.day, game.to_move(), MarkKind::PerhapsLate { counts }));
    }
    let is_ahead = |to: NaiveDate| pace.is_none_or(|pace| to >= pace.from());
    for side in [Side::White, Side::Black] {
        let still = StandingStill::of(&game.leaves, side);
        for (from, to) in still.spans().iter().copied().filter(|(_, to)| is_ahead(*to)) {
            let days = u32::try_from((to - from).num_days() + 1).unwrap_or(0);
            found.push(Mark::on(from, side, MarkKind::LeaveBegins { days }));
            found.push(Mark::on(to, side, MarkKind::LeaveEnds { days }));
        }
    }
    if ledger.rules().leave.advance_notice_required {
        let is_untold = |leave: &&Leave| leave.side == game.me && leave.announced.is_none() && is_ahead(leave.to);
        let days = Leave::standing(&game.leaves).filter(is_untold).filter_map(|leave| leave.from.pred_opt());
        let days: BTreeSet<NaiveDate> = days.collect();
        found.extend(days.into_iter().map(|date| Mark::on(date, game.me, MarkKind::Untold)));
    }
    if let Some(date) =
        drafted.filter(|_| game.plan.as_ref().is_some_and(Plan::is_drafted)).and_then(|day| day.succ_opt())
    {
        found.push(Mark::on(date, game.me, MarkKind::Unsent));
    }
    found.sort_by_key(|mark| (mark.date, mark.kind.rank()));
    found
}

/// The mark that the player looks at first: a limit that was overstepped, else what he may do already, else the nearest to come.
/// What only his opponent may or ought to do is not among them.
pub fn next(marks: &[Mark], me: Side, now: impl Into<Moment>) -> Option<Mark> {
    let now = now.into();
    let today = now.day;
    let of_interest = || marks.iter().filter(|mark| mark.concerns(me));
    let overstepped = of_interest().find(|mark| mark.is_passed(now));
    let open = of_interest().rfind(|mark| mark.date <= today && mark.is_permission());
    let ahead = of_interest().find(|mark| mark.date >= today);
    overstepped.or(open).or(ahead).copied()
}

/// The marks of the clock that runs: the last days within the allowance and within the most for one move, and the first that counts
/// double (T22, T23). Those of the opponent's clock end and begin by his own midnights; where hours are counted, either's at an instant.
fn reflection(found: &mut Vec<Mark>, game: &Game, ledger: &Ledger, pace: &Pace) {
    let side = game.to_move();
    let has_instant = side != game.me || pace.by_hours.is_some();
    let at_home = |at: Option<DateTime<FixedOffset>>| at.filter(|_| has_instant).map(|at| ledger.at_home_of_player(at));
    let mut limit = |last: Option<NaiveDate>, allowed: i64, kind| {
        let Some(last) = last else { return };
        let over = at_home(over(ledger, pace, last, allowed));
        found.push(over.map_or(Mark::on(last, side, kind), |over| Mark::until(over, side, kind)));
    };
    let clock = ledger.clock(side, None, pace.from());
    let within_reach = |day: &NaiveDate| *day <= pace.until();
    if let (Some(until_move), Some(allowed)) = (clock.until_move, clock.days_left) {
        // the last safe day is that of the cap where one move may take less than is left
        let is_capped = ledger.rules().control.per_move_cap().is_some_and(|cap| i64::from(cap) < allowed);
        let last = match is_capped {
            true => pace.last_day_within(allowed).filter(|_| !clock.is_partial),
            false => ledger.last_safe_day(side).filter(within_reach),
        };
        limit(last, allowed, MarkKind::TimeControl { until_move });
    }
    if let Some(days) = ledger.rules().control.per_move_cap() {
        limit(pace.last_day_within(i64::from(days)), i64::from(days), MarkKind::MoveCap { days });
    }
    if let (Some(after), Some(first)) = (ledger.rules().double_after, pace.first_doubled()) {
        let begins = pace.first_doubled_span().map(|at| at.fixed_offset()).or_else(|| ledger.begins(first));
        let kind = MarkKind::DoubleDays { after };
        found.push(at_home(begins).map_or(Mark::on(first, side, kind), |begins| Mark::from(begins, side, kind)));
    }
}

/// The instant from which an answer is charged more than `allowed`; `last` is the last day that is not, by the calendar of the side on
/// the move. `None` where nobody knows its midnights.
fn over(ledger: &Ledger, pace: &Pace, last: NaiveDate, allowed: i64) -> Option<DateTime<FixedOffset>> {
    let midnight_behind = |day: NaiveDate| ledger.begins(day.succ_opt()?);
    match &pace.by_hours {
        None => midnight_behind(last),
        Some(ByHours::Spans(since, runs)) => {
            let spans = pace::days_within(runs, allowed)?;
            Some((*since + TimeDelta::days(spans + 1)).fixed_offset())
        }
        Some(ByHours::FreeUntil(free)) => {
            Some(midnight_behind(pace.last_day_within(allowed)?)?.max(free.fixed_offset()))
        }
    }
}

/// A side that has not answered, and what was said about it.
struct Silent<'a> {
    game: &'a Game,
    rules: &'a Ruleset,
    silence: Silence<'a>,
    /// The last day on which a repeat of the waiting side's move went out; one that was only drafted is none.
    repeated: Option<NaiveDate>,
}

impl<'a> Silent<'a> {
    fn of(game: &'a Game, ledger: &'a Ledger, silence: Silence<'a>) -> Silent<'a> {
        let of_due = |note: &&ClockNote| note.ply == game.due_ply();
        Silent {
            game,
            rules: ledger.rules(),
            silence,
            repeated: game.clock_notes.iter().filter(of_due).filter_map(ClockNote::reminded).max(),
        }
    }

    fn marks(&self, found: &mut Vec<Mark>) {
        let (silent, waiting) = (self.game.to_move(), self.game.to_move().other());
        let mut add = |date: Option<NaiveDate>, side, kind| found.extend(date.map(|date| Mark::on(date, side, kind)));
        if let Some(after) = self.rules.announce_after.filter(|_| self.silence.announced().is_none()) {
            add(self.silence.after(after), silent, MarkKind::Announce { after });
        }
        // before the first move nothing was sent that could be repeated
        let mut before = None;
        for after in self.silence.repeats().filter(|_| !self.game.moves.is_empty()) {
            let Some(due) = self.repeat_due(after).filter(|due| before.replace(*due) != Some(*due)) else { continue };
            let copy = self.silence.is_copied(self.silence.days(due));
            add(Some(due), waiting, MarkKind::Repeat { after, copy });
        }
        for after in self.rules.reminders.iter().copied() {
            add(self.silence.after(after), silent, MarkKind::Reminder { after });
        }
        if let Some(days) = self.rules.silence.days {
            let effect = self.rules.silence.effect;
            add(self.silence.last_allowed(), silent, MarkKind::Silence { days, effect });
            add(self.silence.too_long_from(), waiting, MarkKind::Claim { days, effect });
        }
    }

    /// The first day of a repeat after so many days of silence; `None` where it was made already, or is not wanted because he announced a
    /// longer thought (T41): once the day that he named has passed, and the leave that runs on it, it is.
    fn repeat_due(&self, after: u32) -> Option<NaiveDate> {
        let day = self.silence.after(after).filter(|day| self.repeated.is_none_or(|on| on < *day))?;
        match self.silence.announced().filter(|_| self.rules.repeat.suppress_if_announced) {
            None => Some(day),
            Some(note) => Some(self.silence.behind(note.until?)?.max(day)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{ClockNoteKind, Leave, Plan, Stated};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// The sample game with Black, who has it, to move: his total after nine moves' worth of days, waiting since 1 May.
    fn waiting(rules: &str, total: u32) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(rules).unwrap();
        game.start_date = None;
        for record in &mut game.moves {
            record.claimed = Default::default();
        }
        let last_of_black = game.moves.len() - 2;
        game.moves[last_of_black].claimed.total = Some(total);
        let last = game.moves.len() - 1;
        game.moves[last].observed.arrived = Some(day("2006-05-01"));
        game.me = Side::Black;
        game
    }

    /// The player has White and sent his move on 1 March 2006; Black is silent since.
    fn unanswered(rules: &str) -> Game {
        let mut game = waiting(rules, 10);
        let last = game.moves.last_mut().unwrap();
        last.observed.arrived = None;
        last.claimed.sent = Some(day("2006-03-01"));
        game.me = Side::White;
        game
    }

    const REMINDED: &str = r#"{"base": "iccf-email-2005", "reminders": [28, 35]}"#;

    fn all(game: &Game) -> Vec<Mark> {
        let ledger = Ledger::of(game).unwrap();
        marks(game, &ledger, Pace::of(&ledger, day("2006-05-01")).as_ref(), None)
    }

    /// The dates of the marks with this word.
    fn dates(game: &Game, word: &str) -> Vec<String> {
        all(game).iter().filter(|mark| mark.kind.word() == word).map(|mark| mark.date.to_string()).collect()
    }

    #[test]
    fn t22_the_last_safe_day_spends_the_allowance_to_the_day() {
        assert_eq!(dates(&waiting(r#""iccf-email-2000""#, 52), "time_control"), ["2006-05-09"]);
    }

    #[test]
    fn t23_doubling_brings_the_last_safe_day_forward() {
        let fifty = r#"{"base": "iccf-email-2005", "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#;
        assert_eq!(dates(&waiting(fifty, 20), "time_control"), ["2006-05-26"]);
        let plain = r#"{"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 50}}"#;
        assert_eq!(dates(&waiting(plain, 20), "time_control"), ["2006-05-31"]);
    }

    #[test]
    fn t40_repeat_reminders_and_forty_days_are_counted_from_the_day_of_sending_and_shifted_by_leave() {
        let mut game = unanswered(REMINDED);
        let found = |game: &Game| ["repeat", "reminder", "silence", "claim"].map(|word| dates(game, word).join(" "));
        assert_eq!(found(&game), ["2006-03-15", "2006-03-29 2006-04-05", "2006-04-10", "2006-04-11"]);
        let leave = |side| Leave { side, from: day("2006-03-06"), to: day("2006-03-15"), announced: None };
        game.leaves = vec![leave(Side::White)];
        assert_eq!(dates(&game, "silence"), ["2006-04-10"], "the leave of the side that waits changes nothing");
        game.leaves = vec![leave(Side::Black)];
        assert_eq!(found(&game), ["2006-03-25", "2006-04-08 2006-04-15", "2006-04-20", "2006-04-21"]);
        let counted = r#"{"base": "iccf-email-2005", "reminders": [28, 35], "silence": {"counts_leave": true}}"#;
        game.rules = serde_json::from_str(counted).unwrap();
        assert_eq!(dates(&game, "silence"), ["2006-04-10"]);
    }

    /// The same, where he lives by this offset and the player in Vienna; of his last days each mark in words, with its day.
    fn of_his_clock(rules: &str, offset: &str) -> (Vec<String>, Vec<Mark>) {
        let mut game = unanswered(rules);
        let his_last = game.moves.len() - 2;
        let at = |text: String| Some(text.parse().unwrap());
        game.moves[his_last].observed.sent = Some(day("2006-02-20"));
        game.moves[his_last].observed.sent_at = at(format!("2006-02-20T10:00:00{offset}"));
        let mine = game.moves.last_mut().unwrap();
        mine.observed.sent = Some(day("2006-03-01"));
        mine.observed.sent_at = at("2006-03-01T14:35:00+01:00".to_owned());
        let ledger = Ledger::of(&game).unwrap().at_home(chrono_tz::Europe::Vienna);
        let marks = marks(&game, &ledger, Pace::of(&ledger, day("2006-03-02")).as_ref(), None);
        let of_clock = marks.iter().filter(|mark| !mark.is_of_silence());
        (of_clock.map(|mark| format!("{} {}", mark.date, mark.words(Side::White))).collect(), marks)
    }

    #[test]
    fn his_last_day_stands_on_the_day_of_the_player_on_which_it_ends() {
        let capped = r#"{"base": "iccf-email-2005", "control": {"kind": "cumulative", "moves": 10, "days": 60, "per_move_cap": 30}}"#;
        let found = |offset| of_his_clock(capped, offset).0;
        let doubled = "his days count double";
        let (control, cap) = ("his time control 10", "his 30 days for one move");
        let at_home = [format!("2006-03-22 {doubled}"), format!("2006-03-26 {cap}"), format!("2006-04-05 {control}")];
        // the player has summer time from 26 March on
        assert_eq!(found("+02:00")[1..], at_home[1..]);
        assert_eq!(found("+01:00")[..1], at_home[..1]);
        let west = [
            format!("2006-03-22 {doubled}, from 06:00"),
            format!("2006-03-27 {cap}, until 07:00"),
            format!("2006-04-06 {control}, until 07:00"),
        ];
        assert_eq!(found("-05:00"), west);
        // the mail went out on 2 March at his place, so that his clock starts a day later
        let east = [
            format!("2006-03-22 {doubled}, from 12:00"),
            format!("2006-03-27 {cap}, until 13:00"),
            format!("2006-04-06 {control}, until 13:00"),
        ];
        assert_eq!(found("+13:00"), east);
    }

    #[test]
    fn where_hours_count_his_limit_ends_at_its_hour_and_is_passed_then() {
        let spans = ["2006-03-22 his days count double, from 14:35", "2006-04-01 his time control 10, until 15:35"];
        let (found, marks) = of_his_clock(r#""iccf-server""#, "-05:00");
        assert_eq!(found, spans);
        let limit = |now: &str| {
            let now = chrono::DateTime::parse_from_rfc3339(now).unwrap();
            next(&marks, Side::White, Moment::of(now))
                .is_some_and(|mark| mark.is_limit() && mark.is_passed(Moment::of(now)))
        };
        assert!(!limit("2006-04-01T15:34:59+02:00") && limit("2006-04-01T15:35:00+02:00"));
        let grace = r#"{"base": "iccf-server", "day_count": "grace24h_then_calendar", "double_after": null}"#;
        assert_eq!(of_his_clock(grace, "-05:00").0, ["2006-04-11 his time control 10, until 07:00"]);
    }

    #[test]
    fn where_hours_count_my_limit_too_ends_at_its_hour_and_is_not_passed_before() {
        let mut game = waiting(r#""iccf-server""#, 10);
        let his = game.moves.last_mut().unwrap();
        his.observed.arrived_at = Some("2006-05-01T13:00:00Z".parse().unwrap());
        let ledger = Ledger::of(&game).unwrap().at_home(chrono_tz::Europe::Vienna);
        let marks = marks(&game, &ledger, Pace::of(&ledger, day("2006-05-02")).as_ref(), None);
        let limit = marks.iter().find(|mark| mark.is_limit()).unwrap();
        let left = |now: &str| {
            let now = Moment::of(chrono::DateTime::parse_from_rfc3339(now).unwrap());
            (ledger.clock(Side::Black, Some(Side::Black), now).days_left.unwrap(), limit.is_passed(now))
        };
        let over = limit.at.unwrap();
        assert_eq!(over.format("%H:%M").to_string(), "15:00");
        assert_eq!(limit.words(Side::Black), "time control 10, until 15:00");
        let (before, then) = (over - TimeDelta::seconds(1), over);
        assert_eq!(
            (left(&before.to_rfc3339()), left(&then.to_rfc3339())),
            ((0, false), (-2, true)),
            "the day counts double"
        );
    }

    #[test]
    fn before_the_first_move_there_is_nothing_to_repeat() {
        let mut game = unanswered(r#""iccf-email-2000""#);
        assert!(!dates(&game, "repeat").is_empty());
        game.moves.clear();
        game.start_date = Some(day("2006-03-01"));
        assert_eq!((dates(&game, "repeat").len(), dates(&game, "silence").len()), (0, 1));
    }

    #[test]
    fn t41_an_announcement_suppresses_the_repeat_and_keeps_the_warnings_of_35_and_40_days() {
        let mut game = unanswered(REMINDED);
        let note = ClockNote { ply: 14, kind: ClockNoteKind::Announced, on: day("2006-03-10"), until: None };
        game.clock_notes = vec![note];
        assert_eq!((dates(&game, "repeat").len(), dates(&game, "announce").len()), (0, 0));
        assert_eq!(dates(&game, "reminder"), ["2006-03-29", "2006-04-05"]);
        assert_eq!(dates(&game, "silence"), ["2006-04-10"]);
        game.clock_notes = vec![ClockNote { ply: 12, ..note }];
        assert_eq!(dates(&game, "repeat"), ["2006-03-15"], "it was about another move");
        game.rules = serde_json::from_str(
            r#"{"base": "iccf-email-2005", "repeat": {"suppress_if_announced": false}, "silence": {"extend_by_notice": false}}"#,
        )
        .unwrap();
        game.clock_notes = vec![ClockNote { until: Some(day("2006-05-20")), ..note }];
        assert_eq!(
            (dates(&game, "repeat"), dates(&game, "silence")),
            (vec!["2006-03-15".into()], vec!["2006-04-10".into()])
        );
    }

    #[test]
    fn an_announced_day_prolongs_the_silence_and_allows_the_repeats_after_it() {
        let mut game = unanswered(r#"{"base": "iccf-email-2005", "repeat": {"again": [28, 56]}}"#);
        game.clock_notes = vec![ClockNote {
            ply: 14,
            kind: ClockNoteKind::Announced,
            on: day("2006-03-10"),
            until: Some(day("2006-04-15")),
        }];
        assert_eq!(dates(&game, "repeat"), ["2006-04-16", "2006-04-26"]);
        assert_eq!(
            (dates(&game, "silence"), dates(&game, "claim")),
            (vec!["2006-04-15".into()], vec!["2006-04-16".into()])
        );
    }

    #[test]
    fn t42_doubling_does_not_shorten_the_silence() {
        let game = unanswered(REMINDED);
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.answer_on(day("2006-04-10")).days, Some(60), "forty days, charged as sixty");
        assert_eq!(
            (dates(&game, "double_days"), dates(&game, "silence")),
            (vec!["2006-03-22".into()], vec!["2006-04-10".into()])
        );
    }

    #[test]
    fn a_repeat_that_was_made_is_not_due_and_the_later_ones_go_to_the_director_too() {
        let mut game =
            unanswered(r#"{"base": "iccf-email-2000", "repeat": {"after": 5, "again": [8, 10], "cc_td_from": 10}}"#);
        let copies = |game: &Game| -> Vec<(u32, bool)> {
            let repeats = all(game).into_iter().filter_map(|mark| match mark.kind {
                MarkKind::Repeat { after, copy } => Some((after, copy)),
                _ => None,
            });
            repeats.collect()
        };
        assert_eq!(copies(&game), [(5, false), (8, false), (10, true)]);
        let drafted = ClockNote { ply: 14, kind: ClockNoteKind::Repeated, on: day("2006-03-09"), until: None };
        game.clock_notes = vec![drafted];
        assert_eq!(copies(&game), [(5, false), (8, false), (10, true)], "a draft reminds nobody");
        game.clock_notes = vec![drafted, ClockNote::reminder(14, day("2006-03-09"))];
        assert_eq!(copies(&game), [(10, true)]);
    }

    #[test]
    fn the_most_for_one_move_has_its_own_last_day() {
        let capped =
            r#"{"base": "friendly", "control": {"kind": "cumulative", "moves": 10, "days": 30, "per_move_cap": 10}}"#;
        assert_eq!(dates(&waiting(capped, 0), "move_cap"), ["2006-05-11"]);
        assert_eq!(dates(&waiting(capped, 0), "time_control"), ["2006-05-31"], "the control has its own, too");
        assert_eq!(dates(&waiting(capped, 27), "time_control"), ["2006-05-04"], "where it is nearer");
        assert_eq!(dates(&waiting(capped, 27), "move_cap"), ["2006-05-11"]);
        let mut partial = waiting(capped, 0);
        let last_of_black = partial.moves.len() - 2;
        partial.moves[last_of_black].claimed = Stated::default();
        assert_eq!(dates(&partial, "time_control"), Vec::<String>::new(), "nobody knows what is left of it");
    }

    #[test]
    fn t40_an_announced_day_is_carried_past_the_leave_that_runs_on_it() {
        let mut game = unanswered(r#""iccf-email-2005""#);
        let (from, to) = (day("2006-04-15"), day("2006-04-24"));
        game.leaves = vec![Leave { side: Side::Black, from, to, announced: Some(day("2006-03-15")) }];
        let (on, until) = (day("2006-03-12"), Some(day("2006-04-20")));
        game.clock_notes = vec![ClockNote { ply: 14, kind: ClockNoteKind::Announced, on, until }];
        let found = ["repeat", "silence", "claim"].map(|word| dates(&game, word).join(" "));
        assert_eq!(found, ["2006-04-25", "2006-04-24", "2006-04-25"]);
    }

    #[test]
    fn t62_leaves_that_overlap_or_adjoin_begin_and_end_once() {
        let mut game = waiting(r#""iccf-email-2000""#, 10);
        let leave = |from: &str, to: &str| Leave { side: Side::Black, from: day(from), to: day(to), announced: None };
        game.leaves = vec![
            leave("2006-05-14", "2006-05-20"),
            leave("2006-05-10", "2006-05-15"),
            leave("2006-05-14", "2006-05-16"),
            leave("2006-05-21", "2006-05-22"),
        ];
        let marks = all(&game);
        let of_leave = |mark: &&Mark| matches!(mark.kind, MarkKind::LeaveBegins { .. } | MarkKind::LeaveEnds { .. });
        let found: Vec<_> = marks.iter().filter(of_leave).map(|mark| (mark.date, mark.kind)).collect();
        let days = 13;
        let (begins, ends) = (MarkKind::LeaveBegins { days }, MarkKind::LeaveEnds { days });
        assert_eq!(found, [(day("2006-05-10"), begins), (day("2006-05-22"), ends)]);
        assert_eq!(dates(&game, "untold_leave"), ["2006-05-09", "2006-05-13", "2006-05-20"], "each is to be told");
    }

    #[test]
    fn leave_begins_and_ends_on_both_calendars_and_an_old_one_on_none() {
        let mut game = waiting(r#""iccf-email-2000""#, 10);
        let leave = |side, from: &str, to: &str| Leave { side, from: day(from), to: day(to), announced: None };
        game.leaves =
            vec![leave(Side::Black, "2006-05-10", "2006-05-12"), leave(Side::White, "2006-01-01", "2006-01-09")];
        assert_eq!(
            (dates(&game, "leave_begins"), dates(&game, "leave_ends")),
            (vec!["2006-05-10".into()], vec!["2006-05-12".into()])
        );
    }

    #[test]
    fn a_draft_of_which_no_sent_copy_was_seen_is_a_mark_a_day_later() {
        let mut game = waiting(r#""iccf-email-2000""#, 10);
        let ledger = Ledger::of(&game).unwrap();
        let chosen = Some(day("2006-05-03"));
        let unsent = |game: &Game| marks(game, &ledger, None, chosen).first().map(|mark| mark.date);
        assert_eq!(unsent(&game), None, "there is no draft");
        game.plan = Some(Plan::bare("4746".parse().unwrap()));
        assert_eq!(unsent(&game), Some(day("2006-05-04")));
        game.result = Some(crate::domain::game::GameResult::Draw);
        let over = marks(&game, &Ledger::of(&game).unwrap(), None, chosen);
        assert!(over.is_empty(), "the game is over");
    }

    #[test]
    fn the_next_mark_is_the_nearest_that_is_not_past() {
        let game = waiting(r#""iccf-email-2005""#, 10);
        let found = all(&game);
        let next = |text: &str| next(&found, Side::Black, day(text)).unwrap();
        assert_eq!((next("2006-05-02").date, next("2006-05-02").kind.word()), (day("2006-05-15"), "announce"));
        assert_eq!(next("2006-05-16").kind.word(), "double_days");
        assert_eq!(next("2006-05-23").kind.word(), "time_control");
        assert_eq!(next("2006-06-08").kind.word(), "time_control", "overstepped goes before the silence of 10 June");
        assert_eq!(next("2007-01-01").kind.word(), "time_control");
    }

    #[test]
    fn a_permission_stays_open_until_it_is_used() {
        let game = unanswered(r#""iccf-email-2000""#);
        let found = all(&game);
        let next = |text: &str| next(&found, Side::White, day(text)).unwrap().kind.word();
        let words = ["2006-03-14", "2006-03-15", "2006-03-30", "2006-04-12"].map(next);
        assert_eq!(words, ["repeat", "repeat", "repeat", "claim"]);
    }
}
