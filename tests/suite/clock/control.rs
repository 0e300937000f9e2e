//! Time controls and oversteps: T20 to T27, T70, T71.

use amici::domain::clock::ledger::{Consequence, Limit, Overstepped};
use amici::domain::game::{Game, Side};
use serde_json::json;

use super::{arrived, dated, day, game, last, ledger, push, spent, white_spends};

/// What White has left for the moves up to the next control, and the move that completes it.
fn left(game: &Game) -> (Option<i64>, Option<u32>) {
    let clock = ledger(game).clock(Side::White, None, day("2004-05-01"));
    (clock.days_left, clock.until_move)
}

fn cumulative(moves: u32, days: u32) -> serde_json::Value {
    json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": moves, "days": days}})
}

#[test]
fn t20_savings_are_carried_forward() {
    let mut game = game(json!("iccf-email-2000"));
    white_spends(&mut game, &[35, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(left(&game), (Some(25), Some(10)));
    white_spends(&mut game, &[0]);
    assert_eq!(left(&game), (Some(85), Some(20)));
}

#[test]
fn t21_thirty_quick_moves_leave_much_for_the_next_ten() {
    let mut game = game(json!("iccf-email-2000"));
    white_spends(&mut game, &[2; 30]);
    assert_eq!(left(&game), (Some(180), Some(40)));
}

/// Nine moves of so many days in all; the opponent's ninth came on 1 May 2006.
fn nine_moves(rules: serde_json::Value, days: u32) -> Game {
    let mut game = game(rules);
    white_spends(&mut game, &[days, 0, 0, 0, 0, 0, 0, 0, 0]);
    arrived(&mut game, "2006-05-01");
    game
}

#[test]
fn t22_the_last_safe_day_spends_the_allowance_to_the_day() {
    let mut game = nine_moves(json!("iccf-email-2000"), 52);
    assert_eq!(ledger(&game).last_safe_day(Side::White), Some(day("2006-05-09")));
    assert_eq!(ledger(&game).last_safe_day(Side::Black), None, "he waits");
    let mut late = game.clone();
    push(&mut game, dated("2006-05-01", "2006-05-09"));
    assert_eq!((last(&game).total, ledger(&game).oversteps().len()), (60, 0));
    push(&mut late, dated("2006-05-01", "2006-05-10"));
    assert_eq!((last(&late).total, ledger(&late).oversteps().len()), (61, 1));
}

#[test]
fn t23_doubling_brings_the_last_safe_day_forward() {
    let fifty = |base: &str| json!({"base": base, "control": {"kind": "cumulative", "moves": 10, "days": 50}});
    let safe = |base| ledger(&nine_moves(fifty(base), 20)).last_safe_day(Side::White);
    assert_eq!(safe("iccf-email-2005"), Some(day("2006-05-26")));
    assert_eq!(safe("iccf-email-2000"), Some(day("2006-05-31")));
}

#[test]
fn the_last_safe_day_is_the_day_before_the_first_that_oversteps() {
    let leaves =
        [super::leave(Side::White, "2006-05-04", "2006-05-10"), super::leave(Side::White, "2006-06-01", "2006-06-30")];
    for rules in ["iccf-email-2000", "iccf-email-2005", "desc", "iecc", "semi", "wc-fischer", "iccf-server", "bca"] {
        for (used, start) in [(0, None), (3, Some("2006-05-03")), (9, Some("2006-04-01"))] {
            let mut game = nine_moves(json!(rules), used);
            game.leaves = leaves.to_vec();
            game.start_date = start.map(day);
            let safe = ledger(&game).last_safe_day(Side::White).unwrap();
            let after = safe.succ_opt().unwrap();
            let costs = |day| ledger(&game).answer_on(day).days.unwrap();
            let clock = |day| ledger(&game).clock(Side::White, Some(Side::White), day).days_left.unwrap();
            assert!(clock(safe) >= 0 && clock(after) < 0, "{rules} {used} {safe}: {} {}", costs(safe), costs(after));
        }
    }
}

#[test]
fn an_allowance_that_is_gone_leaves_the_day_of_receipt() {
    let game = nine_moves(json!("iccf-email-2000"), 63);
    assert_eq!(ledger(&game).last_safe_day(Side::White), Some(day("2006-05-01")));
    let endless = nine_moves(json!({"base": "friendly", "control": {"kind": "none"}}), 63);
    assert_eq!(ledger(&endless).last_safe_day(Side::White), None);
}

#[test]
fn t24_what_is_saved_beyond_the_bank_is_lost() {
    let mut game = game(json!({"base": "iccf-email-2000", "control": {"max_bank": 60}}));
    white_spends(&mut game, &[35, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(left(&game), (Some(25), Some(10)));
    white_spends(&mut game, &[0]);
    assert_eq!(left(&game), (Some(60), Some(20)), "not 85");
    white_spends(&mut game, &[10; 10]);
    assert_eq!(left(&game), (Some(20), Some(30)));
    assert_eq!(ledger(&game).oversteps()[0].by, 10, "told with the seventh ten");
}

#[test]
fn t25_a_window_of_ten_moves_and_a_limit_for_each() {
    let after = |next: u32| {
        let mut game = game(json!("iecc"));
        white_spends(&mut game, &[2, 0, 4, 1, 3, 5, 2, 6, 0, 4]);
        assert_eq!(left(&game), (Some(5), Some(11)), "25 in the last nine moves");
        push(&mut game, spent(next));
        ledger(&game).oversteps().to_vec()
    };
    let by = |over: &[Overstepped]| over.iter().map(|over| (over.limit, over.by)).collect::<Vec<_>>();
    assert_eq!(by(&after(5)), []);
    assert_eq!(by(&after(6)), [(Limit::Window, 1)]);
    let mut fresh = game(json!("iecc"));
    push(&mut fresh, spent(11));
    assert_eq!(by(ledger(&fresh).oversteps()), [(Limit::OneMove, 1)], "whatever the sum");
}

#[test]
fn t25_while_he_thinks_the_nearer_limit_counts() {
    let mut game = game(json!("iecc"));
    white_spends(&mut game, &[0]);
    arrived(&mut game, "2006-05-01");
    let clock = ledger(&game).clock(Side::White, Some(Side::White), day("2006-05-04"));
    assert_eq!((clock.days_left, clock.until_move), (Some(7), Some(2)), "ten days for one move, not thirty");
    assert_eq!(ledger(&game).last_safe_day(Side::White), Some(day("2006-05-11")));
}

#[test]
fn t26_fischer_time_grows_with_every_move() {
    let mut game = game(json!("wc-fischer"));
    let mut allowances = Vec::new();
    for _ in 0..4 {
        white_spends(&mut game, &[0; 10]);
        allowances.push(left(&game).0.unwrap());
    }
    assert_eq!(allowances, [60, 90, 120, 150]);
}

#[test]
fn t27_ten_days_for_twenty_moves() {
    let mut game = game(json!("bca"));
    white_spends(&mut game, &[7]);
    white_spends(&mut game, &[0; 19]);
    assert_eq!(left(&game), (Some(13), Some(40)));
}

#[test]
fn t70_an_overstep_is_told_with_its_days_and_may_be_claimed() {
    let mut game = nine_moves(json!("iccf-email-2000"), 52);
    push(&mut game, dated("2006-05-01", "2006-05-11"));
    let ledger = ledger(&game);
    let [over] = ledger.oversteps() else { panic!("{:?}", ledger.oversteps()) };
    assert_eq!((over.number.to_string().as_str(), over.by), ("10.", 2));
    assert_eq!((over.limit, over.consequence), (Limit::Control, Consequence::Forfeit));
}

#[test]
fn t70_one_overstep_is_told_once_for_each_control() {
    let mut game = game(cumulative(3, 10));
    white_spends(&mut game, &[11, 1, 1, 6, 5, 0]);
    let over: Vec<_> = ledger(&game).oversteps().iter().map(|o| (o.number.number, o.by)).collect();
    assert_eq!(over, [(1, 1), (5, 4)]);
}

#[test]
fn t71_a_first_overstep_that_is_admitted_begins_a_fresh_count() {
    let rules = json!({"base": "iccf-email-2000", "overstep": "reset_then_forfeit"});
    let mut game = game(rules);
    white_spends(&mut game, &[62]);
    assert_eq!(ledger(&game).oversteps()[0].consequence, Consequence::FreshCount);
    assert_eq!((ledger(&game).total(Side::White), left(&game)), (62, (Some(-2), Some(10))), "nobody claimed it yet");
    game.moves[0].agreed.total = Some(0);
    let settled = ledger(&game).oversteps()[0];
    assert_eq!((settled.by, settled.consequence), (2, Consequence::Awarded), "it stays on record");
    assert!(!ledger(&game).is_last_overstepped(), "and nothing is left to claim");
    assert_eq!((ledger(&game).total(Side::White), left(&game)), (0, (Some(60), Some(11))));
    white_spends(&mut game, &[3]);
    assert_eq!((ledger(&game).plies()[2].total, left(&game)), (3, (Some(57), Some(11))));
    white_spends(&mut game, &[60]);
    let second = ledger(&game).oversteps()[1];
    assert_eq!((second.by, second.consequence), (3, Consequence::Forfeit));
    assert_eq!(ledger(&game).total(Side::White), 63, "the second one begins nothing");
}

#[test]
fn t71_a_first_overstep_that_nobody_claimed_is_carried_on() {
    let rules = json!({"base": "iccf-email-2000", "overstep": "reset_then_forfeit", "control": {"kind": "cumulative", "moves": 2, "days": 30}});
    let mut game = game(rules);
    white_spends(&mut game, &[10, 25]);
    assert_eq!((ledger(&game).oversteps()[0].by, left(&game)), (5, (Some(25), Some(4))));
    white_spends(&mut game, &[20, 20]);
    let again = ledger(&game).oversteps()[1];
    assert_eq!((again.by, again.consequence), (15, Consequence::FreshCount), "the first one was waived");
    game.moves[2].agreed.total = Some(0);
    let second = ledger(&game).oversteps()[1];
    assert_eq!((second.by, second.consequence), (10, Consequence::Forfeit));
    game.moves[2].agreed.total = None;
    game.moves[0].agreed.total = Some(0);
    assert_eq!(ledger(&game).total(Side::White), 65, "settled at 0 without an overstep, it is a total like any other");
}

#[test]
fn t71_friends_only_hear_of_it() {
    let mut game = game(json!("friendly"));
    white_spends(&mut game, &[41]);
    assert_eq!(ledger(&game).oversteps()[0].consequence, Consequence::Report);
}
