//! The clock that runs: by hours where the rules count them, by the calendar of its owner, and the same in every list.

use amici::domain::clock::days::Moment;
use amici::domain::clock::doubt::DoubtKind;
use amici::domain::clock::ledger::{Booking, DateSource, Hours, Ledger};
use amici::domain::clock::over::{Awaited, Over, over};
use amici::domain::clock::rules::names;
use amici::domain::game::{Game, Observed, Side, Stated};
use amici::domain::judge::{Evidence, Verdict, frame, judge, known_dates};
use amici::domain::summary::Summary;
use amici::domain::transmission::read::{Line, read};
use amici::letters::overstep;
use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::{dated, day, game, leave, push};

const HOME: Tz = chrono_tz::Europe::Berlin;

fn instant(text: &str) -> DateTime<FixedOffset> {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no instant"))
}

fn at_home(game: &Game) -> Ledger {
    Ledger::of(game).unwrap().at_home(HOME)
}

fn moment(at: DateTime<Utc>) -> Moment {
    Moment::of(at.with_timezone(&HOME).fixed_offset())
}

fn at(text: &str) -> Moment {
    moment(instant(text).to_utc())
}

/// A move that was mailed at this instant of its sender's place, and taken by the player's server a minute later.
fn mailed(game: &mut Game, received: &str, sent: &str) {
    let sent_at = instant(sent);
    let arrived_at = (sent_at + TimeDelta::minutes(1)).with_timezone(&HOME).fixed_offset();
    push(game, dated(received, &sent_at.date_naive().to_string())).observed = Observed {
        sent: Some(sent_at.date_naive()),
        arrived: Some(arrived_at.date_naive()),
        sent_at: Some(sent_at),
        relayed_at: None,
        arrived_at: Some(arrived_at),
    };
}

/// White, the player, has sent his second move at an instant of his place; the opponent, whose place is `his`, thinks.
fn he_thinks(rules: Value, his: &str) -> Game {
    let mut game = game(rules);
    mailed(&mut game, "2026-05-01", "2026-05-01T10:00:00+02:00");
    mailed(&mut game, "2026-05-01", &format!("2026-05-01T12:00:00{his}"));
    mailed(&mut game, "2026-05-01", "2026-05-01T22:30:00+02:00");
    game
}

#[test]
fn t06_where_the_rules_count_hours_a_running_clock_is_overstepped_to_the_hour() {
    let fifty = json!({"base": "iccf-server", "control": {"kind": "cumulative", "moves": 10, "days": 30}});
    let game = he_thinks(fifty, "+02:00");
    let ledger = at_home(&game);
    let left = |text: &str| ledger.clock(Side::Black, Some(Side::Black), at(text)).days_left.unwrap();
    let over = |text: &str| overstep(&game, &ledger, Side::Black, at(text)).map(|over| over.by);
    // 25 spans are charged as 30, the next as two more
    assert_eq!((left("2026-05-27T22:29:00+02:00"), over("2026-05-27T22:29:00+02:00")), (0, None));
    assert_eq!((left("2026-05-27T22:30:00+02:00"), over("2026-05-27T22:30:00+02:00")), (-2, Some(2)));
    assert_eq!(ledger.last_safe_day(Side::Black), Some(day("2026-05-27")), "he may send on that evening");
}

#[test]
fn the_player_is_told_the_last_day_on_which_he_is_safe_until_midnight() {
    let mut game = he_thinks(json!({"base": "bca"}), "+02:00");
    mailed(&mut game, "2026-05-01", "2026-05-02T12:00:00+02:00");
    let ledger = at_home(&game);
    let safe = ledger.last_safe_day(Side::White).unwrap();
    let evening = |day: chrono::NaiveDate| moment(day.and_hms_opt(21, 59, 0).unwrap().and_utc());
    let left = |day| ledger.clock(Side::White, Some(Side::White), evening(day)).days_left.unwrap();
    assert!(left(safe) >= 0 && left(safe.succ_opt().unwrap()) < 0);
}

#[test]
fn each_clock_runs_by_the_calendar_of_its_owner() {
    let plain = json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 10}});
    let game = he_thinks(plain.clone(), "-05:00");
    let ledger = at_home(&game);
    let days = |text: &str| ledger.clock(Side::Black, Some(Side::Black), at(text)).days_this_move;
    assert_eq!(days("2026-05-12T00:30:00+02:00"), 10, "11 May at his place");
    assert_eq!(days("2026-05-12T06:59:00+02:00"), 10);
    assert_eq!(days("2026-05-12T07:00:00+02:00"), 11, "12 May begins there");
    let east = at_home(&he_thinks(plain, "+12:00"));
    let left = |text: &str| east.clock(Side::Black, Some(Side::Black), at(text)).days_left;
    assert_eq!(
        left("2026-05-12T13:59:00+02:00"),
        Some(0),
        "my mail of 1 May came on the 2nd there, and it is the 12th"
    );
    assert_eq!(left("2026-05-12T14:00:00+02:00"), Some(-1), "there it is the 13th already");
}

#[test]
fn an_opponent_east_of_me_thinks_since_the_day_of_his_place_on_which_my_mail_went_out() {
    let ten = json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 10}});
    let mut game = game(ten);
    mailed(&mut game, "2026-04-29", "2026-04-29T06:00:00-07:00");
    mailed(&mut game, "2026-04-30", "2026-04-30T06:00:00+12:00");
    mailed(&mut game, "2026-04-29", "2026-04-29T17:00:00-07:00"); // 12:00 of the 30th there
    let los_angeles = |game: &Game| Ledger::of(game).unwrap().at_home(chrono_tz::America::Los_Angeles);
    let ledger = los_angeles(&game);
    let since = ledger.waiting_since().unwrap();
    assert_eq!((since.day, since.source), (day("2026-04-30"), DateSource::LaterThere));
    let used = |text: &str| ledger.clock(Side::Black, Some(Side::Black), at(text)).days_this_move;
    assert_eq!(["2026-04-30T00:01:00Z", "2026-05-10T11:59:00Z", "2026-05-10T12:01:00Z"].map(used), [0, 10, 11]);
    assert_eq!(ledger.last_safe_day(Side::Black), Some(day("2026-05-10")));
    assert_eq!(overstep(&game, &ledger, Side::Black, at("2026-05-10T11:59:00Z")), None);
    agree(&game);

    // his answer without dates is recorded so too, also where it is the first that tells his place
    mailed(&mut game, "2026-04-30", "2026-05-10T23:00:00+12:00");
    game.moves[3].claimed = Stated::default();
    let answered = |game: &Game| {
        let ply = los_angeles(game).plies()[3];
        (ply.received.map(|d| (d.day, d.source)), ply.days)
    };
    let there = (Some((day("2026-04-30"), DateSource::LaterThere)), Some(10));
    assert_eq!(answered(&game), there);
    game.moves[1].observed = Observed::default();
    assert_eq!(answered(&game), there);
    game.moves[2].observed.sent_at = None;
    assert_eq!(answered(&game), (Some((day("2026-04-29"), DateSource::Assumed)), Some(11)), "no instant of my mail");
}

#[test]
fn t50_an_opponent_west_of_me_thinks_since_the_day_of_his_place_on_which_my_mail_went_out() {
    let mut game = game(json!("iccf-email-2000"));
    mailed(&mut game, "2026-05-01", "2026-05-01T10:00:00+02:00");
    mailed(&mut game, "2026-05-01", "2026-05-01T12:00:00-11:00");
    mailed(&mut game, "2026-05-02", "2026-05-04T09:30:00+02:00"); // 20:30 of the 3rd there
    let since = at_home(&game).waiting_since().unwrap();
    assert_eq!((since.day, since.source), (day("2026-05-03"), DateSource::EarlierThere));
    let used = |text: &str| at_home(&game).clock(Side::Black, Some(Side::Black), at(text)).days_this_move;
    assert_eq!(["2026-05-04T10:59:00Z", "2026-05-04T11:01:00Z"].map(used), [0, 1], "midnight there");
    agree(&game);
    mailed(&mut game, "2026-05-04", "2026-05-04T21:00:00-11:00");
    let answered = |game: &Game| {
        let ply = at_home(game).plies()[3];
        (ply.received.map(|d| (d.day, d.source)), ply.days)
    };
    let stated = (Some((day("2026-05-04"), DateSource::Stated)), Some(0));
    assert_eq!(answered(&game), stated, "what he states stands");
    assert_eq!(at_home(&game).doubts(), [], "and may be the day of my mail");
    game.moves[3].claimed = Stated::default();
    assert_eq!(answered(&game), (Some((day("2026-05-03"), DateSource::EarlierThere)), Some(1)));
    game.moves[2].observed.sent_at = None;
    assert_eq!(answered(&game), (Some((day("2026-05-04"), DateSource::Assumed)), Some(0)), "no instant of my mail");
}

#[test]
fn where_24_hours_are_free_leave_is_none_of_them() {
    let mut game = he_thinks(json!({"base": "iccf-server", "day_count": "grace24h_then_calendar"}), "+02:00");
    let free = |game: &Game| at_home(game).hours();
    let until = |text: &str| Some(Hours::FreeUntil(instant(text).to_utc()));
    assert_eq!(free(&game), until("2026-05-02T22:30:00+02:00"));
    for (from, to, expected) in [
        ("2026-05-02", "2026-05-03", "2026-05-04T22:30:00+02:00"),
        ("2026-05-01", "2026-05-03", "2026-05-05T00:00:00+02:00"),
        ("2026-05-03", "2026-05-09", "2026-05-02T22:30:00+02:00"),
        ("2026-04-01", "2026-04-09", "2026-05-02T22:30:00+02:00"),
    ] {
        game.leaves = vec![leave(Side::Black, from, to)];
        assert_eq!(free(&game), until(expected), "{from} to {to}");
        agree(&game);
    }
}

#[test]
fn the_next_day_is_no_late_booking_where_it_is_the_next_day_of_his_place() {
    let mut game = game(json!("iccf-email-2000"));
    mailed(&mut game, "2026-04-29", "2026-04-29T17:00:00-07:00");
    mailed(&mut game, "2026-05-01", "2026-05-04T06:00:00+12:00");
    assert_eq!(at_home(&game).doubts(), []);
    mailed(&mut game, "2026-05-03", "2026-05-03T17:00:00-07:00");
    mailed(&mut game, "2026-05-06", "2026-05-06T06:00:00+12:00");
    let doubts: Vec<_> = at_home(&game).doubts().iter().map(|doubt| doubt.kind).collect();
    assert!(
        matches!(doubts[..], [DoubtKind::Transit { propose, .. }] if propose == day("2026-05-05")),
        "received on the 4th there: {doubts:?}"
    );
}

#[test]
fn a_booking_of_a_late_hour_is_none_either_in_the_mail_that_first_tells_his_place() {
    for (rules, sent) in
        [("iccf-email-2005", "2026-04-29T23:30:00-07:00"), ("iccf-email-2000", "2026-04-29T17:00:00-07:00")]
    {
        let mut game = game(json!(rules));
        mailed(&mut game, "2026-04-29", sent); // 20:30 or 14:00 of the 30th there
        let disputed = |received: &str| {
            let text = format!("1... 7866 received {received} sent 05.05.2026");
            let (header_sent, place) = (Some(day("2026-05-05")), FixedOffset::east_opt(14 * 3600));
            let known = known_dates(&Ledger::of(&game).unwrap());
            let reading =
                read(&[Line { number: 1, text: &text }], &frame(&game, &known, header_sent, day("2026-05-05")));
            let evidence = Evidence { views: vec![reading], header_sent, place, ..Evidence::default() };
            let Verdict::Accepted(accepted) = judge(&game, &evidence) else { panic!("{text}") };
            accepted.differs()
        };
        assert!(disputed("30.04.2026").is_empty() && disputed("01.05.2026").is_empty(), "{rules}");
        let late = disputed("02.05.2026");
        assert!(matches!(&late[..], [one] if one.contains("by the rules 2026-05-01 is the latest")), "{late:?}");
        let early = disputed("29.04.2026");
        assert!(matches!(&early[..], [one] if one.contains("but your move was sent 2026-04-29")), "{early:?}");

        // and on record the same
        mailed(&mut game, "2026-05-01", "2026-05-05T20:00:00+14:00");
        assert_eq!(at_home(&game).doubts(), []);
    }
}

#[test]
fn what_must_not_be_said_too_early_is_asked_at_the_last_place_on_earth_where_no_mail_tells_his() {
    let mut game = he_thinks(json!("iccf-email-2000"), "-05:00");
    let there = |game: &Game| at_home(game).at_the_latest(instant("2026-05-12T04:30:00Z").to_utc()).day;
    assert_eq!(there(&game), day("2026-05-11"));
    let before_six = |text: &str| at_home(&game).at_the_latest(instant(text).to_utc()).day;
    assert_eq!(before_six("2026-05-12T05:59:00Z"), day("2026-05-11"), "his clocks may have been set back since");
    assert_eq!(before_six("2026-05-12T06:00:00Z"), day("2026-05-12"));
    game.moves[1].observed = Observed::default();
    assert_eq!(there(&game), day("2026-05-11"));
    let noon = |game: &Game| at_home(game).at_the_latest(instant("2026-05-12T12:00:00Z").to_utc()).day;
    assert_eq!(noon(&game), day("2026-05-12"));
    game.rules = serde_json::from_value(json!("iccf-server")).unwrap();
    assert_eq!(noon(&game), day("2026-05-12"), "the hour of receipt is known");
    game.moves[2].observed = Observed::default();
    assert_eq!(noon(&game), day("2026-05-11"), "it may have been the last of its day");
}

/// At every few hours for two months the kept summary says what the whole game says, also once it was written and read.
fn agree(game: &Game) {
    let ledger = at_home(game);
    let side = game.to_move();
    let made = Summary::of(game, &ledger, None, day("2026-05-03")).unwrap();
    let line = made.encode();
    let kept = Summary::decode(&line).unwrap();
    assert_eq!(kept, made);
    let first = instant("2026-05-03T05:00:00Z").to_utc();
    for hours in (0..60 * 24).step_by(5) {
        let now = moment(first + TimeDelta::hours(hours));
        let (whole, figures) = (ledger.clock(side, Some(side), now), kept.figures(now));
        assert_eq!(
            (figures.days_this_move, figures.days_left),
            (whole.days_this_move, whole.days_left),
            "{} {now:?}",
            ledger.rules().id
        );
    }
}

#[test]
fn the_lists_say_what_the_game_says_under_every_rule_set_at_every_hour() {
    let grace = json!({"base": "iccf-email-2000", "day_count": "grace24h_then_calendar"});
    let named = names().map(|name| json!(name));
    for rules in named.chain([grace]) {
        for his in ["-05:00", "+02:00", "+12:00"] {
            let mut game = he_thinks(rules.clone(), his);
            agree(&game);
            game.leaves =
                vec![leave(Side::Black, "2026-05-01", "2026-05-03"), leave(Side::Black, "2026-05-20", "2026-05-22")];
            agree(&game);
            mailed(&mut game, "2026-05-02", &format!("2026-05-02T23:30:00{his}"));
            agree(&game);
            game.leaves = vec![leave(Side::White, "2026-05-08", "2026-05-12")];
            game.start_date = Some(day("2026-05-06"));
            agree(&game);
        }
    }
}

#[test]
fn my_own_time_is_not_certainly_over_while_the_rules_let_me_book_his_mail_on_the_next_day() {
    let judged = |receipt: Value, now: &str, booking: Booking| {
        let ten = json!({"base": "iccf-email-2000", "receipt": receipt, "control": {"kind": "cumulative", "moves": 10, "days": 10}});
        let mut game = he_thinks(ten, "+02:00");
        mailed(&mut game, "2026-05-01", "2026-05-02T12:00:00+02:00");
        let ledger = at_home(&game).booked(booking, &HOME);
        let summary = Summary::of(&game, &ledger, None, day("2026-05-13")).unwrap();
        let found = over(&game, &ledger, at(now), Awaited::HELD);
        assert_eq!(summary.over(at(now), || Awaited::HELD), found, "the same in every list");
        assert_eq!(Summary::decode(&summary.encode()), Some(summary));
        found
    };
    let (next_day, eight) = (json!({"mode": "next_day_optional"}), json!({"mode": "after_hour_optional", "hour": 20}));
    let (eleventh, twelfth) = ("2026-05-13T12:00:00+02:00", "2026-05-14T00:00:00+02:00");
    let open = Some(Over::Bookable(instant(twelfth)));
    assert_eq!(judged(next_day.clone(), eleventh, Booking::SameDay), open);
    assert_eq!(judged(next_day.clone(), twelfth, Booking::SameDay), Some(Over::Certainly));
    assert_eq!(judged(next_day.clone(), eleventh, Booking::NextDay), None);
    assert_eq!(judged(next_day, twelfth, Booking::NextDay), Some(Over::Certainly));
    assert_eq!(judged(eight, eleventh, Booking::SameDay), Some(Over::Certainly), "it came at noon");
    assert_eq!(judged(json!({"mode": "exact"}), eleventh, Booking::SameDay), Some(Over::Certainly));
}
