//! Leave: T60 to T64.

use amici::domain::clock::doubt::DoubtKind;
use amici::domain::clock::ledger::Basis;
use amici::domain::clock::still::StandingStill;
use amici::domain::game::{Game, Leave, Side};
use chrono::Datelike;
use serde_json::json;

use super::{dated, day, game, last, leave, ledger, push};

fn still(game: &Game, side: Side) -> StandingStill {
    StandingStill::of(&game.leaves, side)
}

/// White's only move, with leave of both sides.
fn with_leave(received: &str, sent: &str, leaves: &[Leave]) -> Game {
    let mut game = game(json!("iccf-email-2000"));
    game.leaves = leaves.to_vec();
    push(&mut game, dated(received, sent));
    game
}

#[test]
fn t60_days_of_leave_are_not_charged() {
    let away = [leave(Side::White, "2004-03-12", "2004-03-18")];
    let game = with_leave("2004-03-10", "2004-03-20", &away);
    let Basis::Counted(charge) = last(&game).basis else { panic!() };
    assert_eq!((charge.raw, charge.leave, last(&game).days), (10, 7, Some(3)));
    let his = [leave(Side::Black, "2004-03-12", "2004-03-18")];
    assert_eq!(last(&with_leave("2004-03-10", "2004-03-20", &his)).days, Some(10), "the other side's leave");
}

#[test]
fn where_the_rules_say_so_leave_of_one_side_stops_both_clocks_and_is_booked_to_its_own() {
    let of = |rules: serde_json::Value| {
        let mut game = with_leave("2004-03-10", "2004-03-20", &[leave(Side::Black, "2004-03-12", "2004-03-18")]);
        game.rules = serde_json::from_value(rules).unwrap();
        game
    };
    let days = |rules: serde_json::Value| last(&of(rules)).days;
    assert_eq!(days(json!("iecc")), Some(3));
    assert_eq!(days(json!({"base": "iecc", "leave": {"stops_both": false}})), Some(10));
    let quota = json!({"days_per_year": 3, "advance_notice_required": false, "stops_both": true});
    let game = of(json!({"base": "iecc", "leave": quota}));
    let doubts: Vec<_> = ledger(&game).doubts().iter().map(|doubt| doubt.kind).collect();
    assert!(matches!(doubts[..], [DoubtKind::LeaveBeyondQuota { side: Side::Black, days: 7, .. }]), "{doubts:?}");
}

#[test]
fn t61_a_mail_that_comes_in_leave_counts_from_its_end() {
    let away = [leave(Side::White, "2004-03-12", "2004-03-18")];
    assert_eq!(last(&with_leave("2004-03-13", "2004-03-20", &away)).days, Some(1));
    assert_eq!(last(&with_leave("2004-03-13", "2004-03-19", &away)).days, Some(0));
}

#[test]
fn t62_overlapping_leaves_are_one() {
    let away = [leave(Side::White, "2004-03-16", "2004-03-20"), leave(Side::White, "2004-03-12", "2004-03-18")];
    let game = with_leave("2004-03-10", "2004-03-25", &away);
    assert_eq!((last(&game).days, still(&game, Side::White).in_year(2004)), (Some(6), 9));
    assert_eq!(still(&game, Side::White).spans(), [(day("2004-03-12"), day("2004-03-20"))]);
    let adjoining = [leave(Side::White, "2004-03-12", "2004-03-13"), leave(Side::White, "2004-03-14", "2004-03-15")];
    let game = with_leave("2004-03-10", "2004-03-25", &adjoining);
    assert_eq!(still(&game, Side::White).spans().len(), 1);
}

#[test]
fn t63_each_calendar_year_has_its_own_quota() {
    let away = [leave(Side::White, "2004-12-28", "2005-01-03")];
    let ledger_of = |leaves: &[Leave]| ledger(&with_leave("2004-12-01", "2004-12-02", leaves));
    let across = ledger_of(&away);
    let days = |side, year| StandingStill::of(&away, side).in_year(year);
    assert_eq!((days(Side::White, 2004), days(Side::White, 2005)), (4, 3));
    assert_eq!((days(Side::White, 2003), days(Side::Black, 2004)), (0, 0));
    assert!(across.doubts().is_empty());

    let beyond = ledger_of(&[away[0], leave(Side::White, "2004-06-01", "2004-06-27")]);
    let [doubt] = beyond.doubts() else { panic!("{:?}", beyond.doubts()) };
    let expected = DoubtKind::LeaveBeyondQuota { side: Side::White, year: 2004, days: 31, allowed: 30 };
    assert_eq!((doubt.number, doubt.kind), (None, expected));
    assert_eq!(day("2004-12-28").year(), 2004);
}

#[test]
fn t64_a_leave_announced_late_is_doubted_and_one_in_time_is_not() {
    let announced =
        |on: Option<&str>| Leave { announced: on.map(day), ..leave(Side::Black, "2004-03-12", "2004-03-18") };
    let doubts = |leave: Leave| ledger(&with_leave("2004-03-01", "2004-03-02", &[leave])).doubts().to_vec();
    assert_eq!(doubts(announced(Some("2004-03-11"))), []);
    assert_eq!(doubts(announced(Some("2004-03-12"))), []);
    for late in [announced(Some("2004-03-13")), announced(None)] {
        let [doubt] = doubts(late)[..] else { panic!() };
        assert_eq!(doubt.kind, DoubtKind::LateLeave(late));
    }
    let mut friendly = with_leave("2004-03-01", "2004-03-02", &[announced(None)]);
    friendly.rules = serde_json::from_value(json!("friendly")).unwrap();
    assert!(ledger(&friendly).doubts().is_empty(), "nobody asks for notice");
}

#[test]
fn leave_moves_the_last_safe_day() {
    let mut game = game(json!("iccf-email-2000"));
    game.start_date = Some(day("2004-03-01"));
    game.leaves = vec![leave(Side::White, "2004-04-01", "2004-04-30")];
    assert_eq!(ledger(&game).last_safe_day(Side::White), Some(day("2004-05-30")));
    game.leaves.clear();
    assert_eq!(ledger(&game).last_safe_day(Side::White), Some(day("2004-04-30")));
}

#[test]
fn where_hours_count_the_hours_of_leave_days_do_not() {
    let mut game = game(json!("iccf-server"));
    game.leaves = vec![leave(Side::Black, "2004-03-12", "2004-03-13")];
    push(&mut game, dated("2004-03-10", "2004-03-10"));
    game.moves[0].observed.sent = Some(day("2004-03-10"));
    game.moves[0].observed.sent_at = Some("2004-03-10T12:00:00Z".parse().unwrap());
    push(&mut game, Default::default());
    game.moves[1].observed.sent = Some(day("2004-03-15"));
    game.moves[1].observed.sent_at = Some("2004-03-15T11:00:00Z".parse().unwrap());
    let Basis::Counted(charge) = last(&game).basis else { panic!() };
    assert_eq!((charge.raw, charge.leave, charge.days()), (4, 2, 2), "119 hours, 48 of them in leave");
}
