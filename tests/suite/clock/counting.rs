//! Days of one move: T01 to T11, T30 to T33, T42, T80.

use amici::domain::clock::days::{Charge, Counting, Method, Moment, SentBeforeReceived};
use amici::domain::clock::ledger::{Basis, Booking, DateSource, Ledger};
use amici::domain::clock::rules::{Receipt, Ruleset};
use amici::domain::clock::still::StandingStill;
use amici::domain::game::{ClockNote, ClockNoteKind, Leave, SentIllegal, Side};
use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::json;

use super::{dated, day, game, last, leave, ledger, push, rules, spent};

/// A named set.
fn named(name: &str) -> Ruleset {
    rules(json!(name))
}

fn hours(kind: &str) -> Ruleset {
    rules(json!({"base": "iccf-server", "day_count": kind}))
}

fn count(
    rules: &Ruleset,
    start: &str,
    leaves: &[Leave],
    received: Moment,
    sent: Moment,
) -> Result<Charge, SentBeforeReceived> {
    let still = StandingStill::of(leaves, Side::White);
    Counting { rules, start: start.parse().ok(), still: &still, reminded: None }.charge(received, sent)
}

/// Days between two dates under rules.
fn between(rules: &Ruleset, start: &str, received: &str, sent: &str) -> u32 {
    count(rules, start, &[], day(received).into(), day(sent).into()).unwrap().days()
}

/// A moment as `2004-03-01 23:59`, in UTC.
fn moment(text: &str) -> Moment {
    let at: DateTime<Utc> = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap().and_utc();
    Moment { day: at.date_naive(), at: Some(at.fixed_offset()) }
}

fn timed(rules: &Ruleset, start: &str, received: &str, sent: &str) -> u32 {
    count(rules, start, &[], moment(received), moment(sent)).unwrap().days()
}

#[test]
fn t01_an_answer_on_the_same_day_costs_nothing() {
    assert_eq!(between(&named("iccf-email-2000"), "", "2004-09-16", "2004-09-16"), 0);
}

#[test]
fn t02_an_answer_on_the_next_day_costs_one() {
    assert_eq!(between(&named("iccf-email-2000"), "", "2004-09-16", "2004-09-17"), 1);
}

#[test]
fn t03_the_leap_day_is_a_day() {
    assert_eq!(between(&named("iccf-email-2000"), "", "2004-02-27", "2004-03-02"), 4);
    assert_eq!(between(&named("iccf-email-2000"), "", "2005-02-27", "2005-03-02"), 3);
}

#[test]
fn t04_the_year_may_end_between() {
    assert_eq!(between(&named("iccf-email-2000"), "", "2004-12-29", "2005-01-03"), 5);
}

#[test]
fn t05_one_minute_before_and_one_after_midnight_are_a_day_apart() {
    let midnight = |name: &str| {
        let rules = named(name);
        let available = "2004-09-16T23:59:00".parse().unwrap();
        let booked = rules.receipt.latest(available);
        (between(&rules, "", "2004-09-16", "2004-09-17"), between(&rules, "", &booked.to_string(), "2004-09-17"))
    };
    assert_eq!(midnight("iecc"), (1, 1), "no choice");
    assert_eq!(midnight("iccf-email-2000"), (1, 0), "booked on the next day");
    assert_eq!(midnight("jcca"), (1, 0), "after 20:00");
}

#[test]
fn t06_whole_spans_of_24_hours() {
    let rules = hours("floor24h");
    assert_eq!(timed(&rules, "", "2004-03-01 10:00", "2004-03-02 09:59"), 0);
    assert_eq!(timed(&rules, "", "2004-03-01 10:00", "2004-03-02 10:00"), 1);
}

#[test]
fn t06_time_zones_play_no_part_where_hours_count() {
    let at = |text: &str| {
        let at = DateTime::parse_from_rfc3339(text).unwrap();
        Moment { day: at.date_naive(), at: Some(at) }
    };
    let (received, sent) = (at("2004-03-01T10:00:00+14:00"), at("2004-03-02T10:00:00-12:00"));
    assert_eq!(count(&hours("floor24h"), "", &[], received, sent).unwrap().raw, 2, "50 hours");
}

#[test]
fn t06_without_an_instant_the_dates_count_and_the_charge_says_so() {
    let counted = count(&hours("floor24h"), "", &[], moment("2004-03-01 23:59"), day("2004-03-02").into()).unwrap();
    assert_eq!((counted.method, counted.days()), (Method::CalendarForHours, 1));
    let backwards = count(&hours("floor24h"), "", &[], moment("2004-03-01 23:59"), moment("2004-03-01 23:00")).unwrap();
    assert_eq!(
        (backwards.method, backwards.days()),
        (Method::CalendarForHours, 0),
        "instants that contradict each other"
    );
}

#[test]
fn t07_less_than_24_hours_are_free_then_midnights_count() {
    let rules = hours("grace24h_then_calendar");
    assert_eq!(timed(&rules, "", "2004-03-01 23:59", "2004-03-02 23:58"), 0);
    assert_eq!(timed(&rules, "", "2004-03-01 23:59", "2004-03-02 23:59"), 1);
    assert_eq!(timed(&rules, "", "2004-03-01 23:59", "2004-03-03 00:00"), 2);
}

#[test]
fn t08_nothing_counts_before_the_start() {
    let rules = named("iccf-email-2000");
    let from_start = |received, sent| between(&rules, "2004-09-15", received, sent);
    assert_eq!(from_start("2004-09-14", "2004-09-16"), 1);
    assert_eq!(from_start("2004-09-13", "2004-09-14"), 0);
    assert_eq!(from_start("2004-09-15", "2004-09-18"), 3, "White's first move counts from the start");
    let early = count(&rules, "2004-09-15", &[], day("2004-09-10").into(), day("2004-09-16").into()).unwrap();
    assert_eq!((early.before_start, early.raw), (5, 1));
}

#[test]
fn t07_leave_is_none_of_the_24_hours_that_are_free() {
    let grace = hours("grace24h_then_calendar");
    let away = [leave(Side::White, "2004-03-02", "2004-03-03")];
    let charged = |sent: &str| {
        let charge = count(&grace, "", &away, moment("2004-03-01 12:00"), moment(sent)).unwrap();
        (charge.method, charge.days())
    };
    assert_eq!(charged("2004-03-04 11:59"), (Method::WithinGrace, 0), "12 hours before it and 11:59 behind it");
    assert_eq!(charged("2004-03-04 12:00"), (Method::Calendar, 1));
}

#[test]
fn t08_on_a_server_the_first_24_hours_from_the_start_are_free() {
    let rules = named("iccf-server");
    assert_eq!(timed(&rules, "2004-09-15", "2004-09-15 00:00", "2004-09-15 23:59"), 0);
    assert_eq!(timed(&rules, "2004-09-15", "2004-09-15 00:00", "2004-09-16 00:00"), 1);
    assert_eq!(timed(&rules, "2004-09-15", "2004-09-13 12:00", "2004-09-16 00:00"), 1);
}

#[test]
fn t09_after_eight_in_the_evening_the_next_day_may_be_booked() {
    let inclusive = named("jcca").receipt;
    let Receipt::AfterHourOptional { hour, .. } = inclusive else { panic!() };
    let exclusive = Receipt::AfterHourOptional { hour, inclusive: false };
    let booked = |receipt: Receipt, time: &str| receipt.latest(format!("2004-05-05T{time}").parse().unwrap());
    for (time, at_or_after, after) in [
        ("19:59:59", "2004-05-05", "2004-05-05"),
        ("20:00:00", "2004-05-06", "2004-05-05"),
        ("20:00:01", "2004-05-06", "2004-05-06"),
        ("20:01:00", "2004-05-06", "2004-05-06"),
        ("00:00:00", "2004-05-05", "2004-05-05"),
    ] {
        assert_eq!(booked(inclusive, time), day(at_or_after), "{time}");
        assert_eq!(booked(exclusive, time), day(after), "{time}");
    }
    assert_eq!(booked(Receipt::Exact, "23:59:59"), day("2004-05-05"));
    assert_eq!(booked(Receipt::NextDayOptional, "00:00:00"), day("2004-05-06"));
}

#[test]
fn t09_the_player_books_by_the_clock_of_his_own_place() {
    let mut game = game(json!("jcca"));
    push(&mut game, dated("2004-05-01", "2004-05-01"));
    let record = push(&mut game, dated("2004-05-01", "2004-05-05"));
    record.observed.arrived = Some(day("2004-05-05"));
    record.observed.arrived_at = Some("2004-05-05T18:30:00Z".parse().unwrap());
    let booked = |booking, zone: chrono_tz::Tz| ledger(&game).booked(booking, &zone).waiting_since().unwrap();
    let (helsinki, london) = (chrono_tz::Europe::Helsinki, chrono_tz::Europe::London);
    assert_eq!(booked(Booking::NextDay, helsinki).day, day("2004-05-06"), "21:30 there");
    assert_eq!(booked(Booking::NextDay, helsinki).source, DateSource::NextDay);
    assert_eq!(booked(Booking::NextDay, london).day, day("2004-05-05"), "19:30 there");
    assert_eq!(booked(Booking::SameDay, helsinki).day, day("2004-05-05"));

    let next = ledger(&game).booked(Booking::NextDay, &helsinki);
    assert_eq!(next.answer_on(day("2004-05-05")).days, Some(0), "an answer on the day it came");
    assert_eq!(next.answer_on(day("2004-05-05")).received.unwrap().day, day("2004-05-05"));
    assert_eq!(next.answer_on(day("2004-05-08")).days, Some(2));
    assert_eq!(next.plies(), ledger(&game).plies(), "the record is the same");
}

#[test]
fn t11_an_answer_before_its_question_is_never_a_number() {
    let wrong = count(&named("iccf-email-2000"), "2004-09-15", &[], day("2004-10-02").into(), day("2004-10-01").into());
    assert_eq!(wrong, Err(SentBeforeReceived { received: day("2004-10-02"), sent: day("2004-10-01") }));
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, spent(3));
    push(&mut game, dated("2004-10-02", "2004-10-01"));
    assert_eq!((last(&game).days, last(&game).total), (None, 0));
    assert!(matches!(last(&game).basis, Basis::Reversed(_)));
    assert!(ledger(&game).doubts().iter().any(|doubt| doubt.kind.to_string().contains("no days are counted")));
}

#[test]
fn t30_days_beyond_twenty_count_double() {
    let doubled = named("iccf-email-2005");
    let from_first_of_march = |sent: &str| between(&doubled, "2006-01-01", "2006-03-01", sent);
    assert_eq!(from_first_of_march("2006-03-21"), 20);
    assert_eq!(from_first_of_march("2006-03-22"), 22);
    assert_eq!(from_first_of_march("2006-04-10"), 60);
    for (raw, charged) in
        [(0, 0), (19, 19), (20, 20), (21, 22), (22, 24), (23, 26), (25, 30), (30, 40), (35, 50), (40, 60)]
    {
        let sent = day("2006-03-01") + chrono::Days::new(raw);
        assert_eq!(from_first_of_march(&sent.to_string()), charged, "{raw} days");
    }
}

#[test]
fn t31_the_twenty_two_days_of_the_sample_game() {
    assert_eq!(between(&named("iccf-email-2000"), "2004-09-15", "2004-09-30", "2004-10-22"), 22);
    let doubled = rules(json!({"base": "iccf-email-2000", "double_after": 20}));
    assert_eq!(between(&doubled, "2004-09-15", "2004-09-30", "2004-10-22"), 24);
}

#[test]
fn t32_leave_is_taken_off_before_days_are_doubled() {
    let ten = [leave(Side::White, "2006-03-05", "2006-03-14")];
    let doubled = named("iccf-email-2005");
    let charge = count(&doubled, "", &ten, day("2006-03-01").into(), day("2006-04-05").into()).unwrap();
    assert_eq!((charge.raw, charge.leave, charge.doubled, charge.days()), (35, 10, 5, 30));
}

#[test]
fn t33_desc_doubles_from_the_reminder_unless_the_longer_thought_was_announced() {
    let mut game = game(json!("desc"));
    push(&mut game, dated("2004-06-01", "2004-06-01"));
    push(&mut game, dated("2004-06-01", "2004-06-16"));
    let note = |kind, on| ClockNote { ply: 2, kind, on: day(on), until: None };
    let with = |notes: &[ClockNote]| {
        let mut game = game.clone();
        game.clock_notes = notes.to_vec();
        last(&game).days
    };
    let sent = |on| ClockNote::reminder(2, day(on));
    let reminder = sent("2004-06-12");
    assert_eq!(with(&[note(ClockNoteKind::Repeated, "2004-06-11")]), Some(15), "a draft reminds nobody");
    assert_eq!(with(&[]), Some(15), "nobody reminded him");
    assert_eq!(with(&[reminder]), Some(19), "eleven days once and four twice");
    assert_eq!(with(&[reminder, sent("2004-06-14")]), Some(19), "the first reminder counts");
    assert_eq!(with(&[note(ClockNoteKind::Announced, "2004-06-05"), reminder]), Some(15), "announced in time");
    assert_eq!(with(&[reminder, note(ClockNoteKind::Announced, "2004-06-13")]), Some(19), "announced too late");
    assert_eq!(with(&[sent("2004-06-03")]), Some(15), "too early: the move could not be repeated yet");
    assert_eq!(with(&[sent("2004-06-03"), reminder]), Some(19), "the first that was none does not count");
    assert_eq!(with(&[sent("2004-06-11")]), Some(20), "never more than the days beyond ten");
    assert_eq!(with(&[ClockNote { ply: 1, ..reminder }]), Some(15), "the note of another move");
}

#[test]
fn t42_doubling_makes_no_silence_longer() {
    let charge = count(&named("iccf-email-2005"), "", &[], day("2006-03-01").into(), day("2006-04-10").into()).unwrap();
    assert_eq!((charge.raw, charge.days()), (40, 60));
}

#[test]
fn t80_an_illegal_move_costs_its_days_and_its_penalty() {
    let still = StandingStill::default();
    let cost = |rules: &Ruleset| {
        let counting = Counting { rules, start: None, still: &still, reminded: None };
        let [received, illegal, notice, legal] = ["2004-06-01", "2004-06-04", "2004-06-06", "2004-06-07"].map(day);
        counting.charge_with_illegal(received.into(), illegal.into(), notice.into(), legal.into()).unwrap()
    };
    let iccf = cost(&named("iccf-email-2000"));
    assert_eq!((iccf.raw, iccf.penalty, iccf.days()), (4, 5, 9));
    assert_eq!(cost(&named("iecc")).days(), 5);
    let continuous =
        |penalty| json!({"base": "iccf-email-2000", "illegal": {"penalty_days": penalty, "accounting": "continuous"}});
    assert_eq!(cost(&rules(continuous(0))).days(), 6);
    assert_eq!(cost(&rules(continuous(5))).days(), 11);
}

#[test]
fn t80_a_penalty_that_was_settled_is_added_to_the_days() {
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, dated("2004-06-01", "2004-06-04")).agreed.penalty = Some(5);
    assert_eq!((last(&game).days, last(&game).total), (Some(8), 8));
    let Basis::Counted(charge) = last(&game).basis else { panic!() };
    assert_eq!((charge.raw, charge.penalty), (3, 5));
    game.moves[0].agreed.days = Some(4);
    assert_eq!((last(&game).days, last(&game).basis), (Some(9), Basis::Agreed { penalty: 5 }));
    game.moves[0].agreed.total = Some(7);
    assert_eq!((last(&game).days, last(&game).total), (Some(9), 7), "a settled total goes before everything else");
}

#[test]
fn t80_an_illegal_move_before_the_one_that_is_due_runs_with_the_clock() {
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, dated("2004-06-01", "2004-06-01"));
    game.illegal = vec![SentIllegal { ply: 2, sent: day("2004-06-04"), noticed: day("2004-06-06") }];
    let cost = |ledger: &Ledger, on: &str| ledger.answer_on(day(on)).days;
    let now = ledger(&game);
    assert_eq!(
        ["2004-06-03", "2004-06-04", "2004-06-06", "2004-06-07"].map(|on| cost(&now, on)),
        [None, Some(8), Some(8), Some(9)]
    );
    // sixty days: three until it, five of penalty, the rest from the notice on
    let safe = now.last_safe_day(Side::Black).unwrap();
    assert_eq!((safe, cost(&now, "2004-07-28"), cost(&now, "2004-07-29")), (day("2004-07-28"), Some(60), Some(61)));
    push(&mut game, dated("2004-06-06", "2004-06-07"));
    let last = last(&game);
    assert_eq!(
        (last.received.map(|date| date.day), last.days),
        (Some(day("2004-06-01")), Some(9)),
        "he states the day of the notice"
    );
    game.moves[1].agreed.penalty = Some(0);
    assert_eq!(self::last(&game).days, Some(4), "what was settled goes before the rules");
    game.illegal.clear();
    assert_eq!(self::last(&game).days, Some(1), "nothing is charged by itself");
}
