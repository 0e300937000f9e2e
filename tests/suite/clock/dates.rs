//! Which date counts, and what is doubted: T10, T12, T50 to T53, T81, T82.

use amici::config::{Config, Me};
use amici::domain::clock::doubt::DoubtKind;
use amici::domain::clock::ledger::{Booking, DateSource};
use amici::domain::document::Document;
use amici::domain::game::{Game, Side, Stated};
use amici::domain::judge::Verdict;
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use chrono::DateTime;
use serde_json::json;

use super::{dated, day, game, last, ledger, push, spent};

const SAMPLE: &str = include_str!("../../corpus/games/sample.json");

/// What is doubtful about the last move.
fn kinds(game: &Game) -> Vec<DoubtKind> {
    let number = Some(last(game).number);
    ledger(game).doubts().iter().filter(|doubt| doubt.number == number).map(|doubt| doubt.kind).collect()
}

fn sent_only(sent: &str) -> Stated {
    Stated { sent: Some(day(sent)), ..Stated::default() }
}

/// The opponent's second move is seen by the servers at these instants; what it states is empty.
fn observed(rules: &str, written: &str, taken: &str) -> Game {
    let mut game = game(json!(rules));
    push(&mut game, sent_only("2005-02-04"));
    let record = push(&mut game, Stated::default());
    let written: DateTime<chrono::FixedOffset> = written.parse().unwrap();
    let taken: DateTime<chrono::FixedOffset> = taken.parse().unwrap();
    record.observed.sent = Some(written.date_naive());
    record.observed.sent_at = Some(written);
    record.observed.arrived = Some(taken.date_naive());
    record.observed.arrived_at = Some(taken);
    game
}

#[test]
fn t10_a_mail_counts_as_received_a_day_after_its_stamp_at_the_latest() {
    let game = observed("iccf-email-2000", "2005-02-05T12:00:00Z", "2005-02-08T12:00:00Z");
    let since = ledger(&game).waiting_since().unwrap();
    assert_eq!((since.day, since.source), (day("2005-02-06"), DateSource::Transit));
    assert_eq!(ledger(&game).answer_on(day("2005-02-09")).days, Some(3), "not 1");
    let (sent, arrived, propose) = (day("2005-02-05"), day("2005-02-08"), day("2005-02-06"));
    assert_eq!(kinds(&game), [DoubtKind::LateArrival { sent, arrived, propose }]);
    let club = observed("iecc", "2005-02-05T12:00:00Z", "2005-02-08T12:00:00Z");
    assert_eq!(ledger(&club).waiting_since().unwrap().day, day("2005-02-08"), "rules without such a limit");
}

#[test]
fn t10_a_day_between_two_calendars_is_no_day_under_way() {
    let game = observed("iccf-email-2000", "2005-02-05T23:30:00-11:00", "2005-02-06T22:00:00Z");
    let mut east = game;
    east.moves[1].observed.arrived = Some(day("2005-02-07")); // at +14:00 it is noon of the 7th
    let since = ledger(&east).waiting_since().unwrap();
    assert_eq!((since.day, since.source), (day("2005-02-07"), DateSource::Arrival));
    assert_eq!(kinds(&east), []);
}

#[test]
fn t10_the_next_day_is_booked_only_within_the_days_that_a_mail_may_be_under_way() {
    let stockholm = chrono_tz::Europe::Stockholm;
    for (rules, written, taken, expected) in [
        ("iccf-email-2000", "2005-02-05T22:50:00+01:00", "2005-02-05T23:10:00+01:00", "2005-02-06"),
        ("iccf-email-2000", "2005-02-05T23:50:00+01:00", "2005-02-06T00:10:00+01:00", "2005-02-06"),
        // by the calendar of the player it was sent on the 6th
        ("iccf-email-2000", "2005-02-05T23:30:00-11:00", "2005-02-06T11:31:00+01:00", "2005-02-07"),
        ("jcca", "2005-02-05T23:50:00+01:00", "2005-02-06T21:00:00+01:00", "2005-02-06"),
        ("bdf-email", "2005-02-05T23:50:00+01:00", "2005-02-06T21:00:00+01:00", "2005-02-07"),
    ] {
        let mut game = observed(rules, written, taken);
        let booked = ledger(&game).booked(Booking::NextDay, &stockholm).waiting_since().unwrap().day;
        let may = ledger(&game).at_home(stockholm).booked_by_me().map(|(_, day)| day);
        let came = game.moves[1].observed.arrived.unwrap();
        assert_eq!((booked, may), (day(expected), (booked > came).then_some(booked)), "{rules}, {written}");
        push(&mut game, dated(expected, "2005-02-09"));
        assert_eq!(kinds(&game), [], "{rules}, {written}");
    }
}

#[test]
fn t12_a_receipt_booked_two_days_after_the_sending_is_doubted() {
    let booked = |received: &str| {
        let mut game = game(json!("iccf-email-2000"));
        push(&mut game, sent_only("2005-02-05"));
        push(&mut game, dated(received, "2005-02-09"));
        game
    };
    let late = booked("2005-02-07");
    let (sent, received, propose) = (day("2005-02-05"), day("2005-02-07"), day("2005-02-06"));
    assert_eq!(kinds(&late), [DoubtKind::Transit { sent, received, propose }]);
    assert_eq!(last(&late).days, Some(2), "what he states stands");
    assert_eq!(kinds(&booked("2005-02-06")), []);
    assert_eq!(kinds(&booked("2005-02-04")), [], "it may have been that day at his place");
    let early = (day("2005-02-05"), day("2005-02-03"));
    assert_eq!(kinds(&booked("2005-02-03")), [DoubtKind::ReceivedBeforeSent { sent: early.0, received: early.1 }]);

    let mut settled = late;
    settled.moves[1].agreed.received = Some(day("2005-02-06"));
    assert_eq!((kinds(&settled), last(&settled).days), (vec![], Some(3)));
}

#[test]
fn t50_a_reply_without_dates_is_received_when_mine_was_sent_and_sent_by_its_date_header() {
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, sent_only("2004-03-10"));
    let record = push(&mut game, Stated::default());
    let written: DateTime<chrono::FixedOffset> = "2004-03-13T23:40:00+01:00".parse().unwrap();
    record.observed.sent = Some(written.date_naive());
    record.observed.sent_at = Some(written);
    record.observed.arrived = Some(day("2004-03-14"));
    let time = last(&game);
    let (received, sent) = (time.received.unwrap(), time.sent.unwrap());
    assert_eq!((received.day, received.source), (day("2004-03-10"), DateSource::Assumed));
    assert_eq!((sent.day, sent.source), (day("2004-03-13"), DateSource::Header), "already the 14th further east");
    assert_eq!(time.days, Some(3));
}

#[test]
fn t50_where_my_day_had_not_begun_at_his_place_nobody_is_charged() {
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, sent_only("2004-03-10"));
    push(&mut game, sent_only("2004-03-09"));
    let time = last(&game);
    assert_eq!((time.days, time.received.unwrap().source), (Some(0), DateSource::EarlierThere));
    game.moves[1].claimed.sent = Some(day("2004-03-08"));
    assert_eq!(last(&game).days, None, "two days are no matter of zones");
    game.moves[1].claimed = dated("2004-03-10", "2004-03-09");
    assert_eq!(last(&game).days, None, "what he states himself is not mended");
}

#[test]
fn t50_a_date_of_the_day_before_is_believed_where_it_was_the_day_of_my_move_at_my_place() {
    // sent on the 4th of February, nobody knows when; the mail came on a morning of the player's
    let source = |written: &str, taken: &str| {
        let game = observed("iccf-email-2000", written, taken);
        let is_doubted = matches!(kinds(&game)[..], [DoubtKind::DateNotBelieved { .. }]);
        let time = last(&game);
        assert_eq!(is_doubted, time.sent.unwrap().source == DateSource::Arrival, "{written}");
        (time.sent.unwrap().source, time.days)
    };
    for written in ["2005-02-03T20:00:00+02:00", "2005-02-03T23:59:59+02:00", "2005-02-03T10:00:00-07:00"] {
        assert_eq!(source(written, "2005-02-05T08:00:00+02:00"), (DateSource::Arrival, Some(1)), "{written}");
    }
    let west = source("2005-02-03T20:00:00-07:00", "2005-02-05T08:00:00+02:00");
    assert_eq!(west, (DateSource::Header, Some(0)), "it was five in the morning of the 4th");
    let east = source("2005-02-03T20:00:00+02:00", "2005-02-05T08:00:00+14:00");
    assert_eq!(east, (DateSource::Header, Some(0)), "the player lives in the far east");
}

#[test]
fn t50_a_date_before_the_instant_of_my_mail_is_not_believed_by_the_day_of_his_place_either() {
    let mut game = observed("iccf-email-2000", "2005-02-04T23:00:00+12:00", "2005-02-08T12:00:00Z");
    let mine = "2005-02-04T17:00:00-08:00".parse::<DateTime<chrono::FixedOffset>>().unwrap(); // the 5th there
    (game.moves[0].observed.sent, game.moves[0].observed.sent_at) = (Some(mine.date_naive()), Some(mine));
    assert_eq!(last(&game).sent.unwrap().source, DateSource::Arrival);
    // as he states it, the day is not mended: it was no later one there for him
    game.moves[1].claimed = sent_only("2005-02-04");
    assert_eq!((last(&game).days, last(&game).received.unwrap().source), (Some(0), DateSource::Assumed));
}

#[test]
fn t50_a_date_header_that_cannot_be_true_leaves_the_day_our_server_took_the_mail() {
    let mut game = observed("iccf-email-2000", "1970-01-01T00:00:00Z", "2005-02-08T12:00:00Z");
    game.moves[1].observed.sent = None; // as the intake leaves it
    let sent = last(&game).sent.unwrap();
    assert_eq!((sent.day, sent.source), (day("2005-02-08"), DateSource::Arrival));
    assert_eq!(kinds(&game), [DoubtKind::DateNotBelieved { stamped: day("1970-01-01") }]);
}

#[test]
fn t50_a_date_before_my_move_was_sent_is_believed_only_where_a_zone_makes_it_possible() {
    let of = |written: &str| {
        let mut game = observed("iccf-email-2000", written, "2005-02-08T12:00:00Z");
        let arrived = (last(&game).sent.unwrap(), ledger(&game).waiting_since().unwrap(), kinds(&game));
        // the instant of my own mail tells it to the minute
        let mine = "2005-02-04T09:00:00+01:00".parse::<DateTime<chrono::FixedOffset>>().unwrap();
        game.moves[0].observed.sent = Some(mine.date_naive());
        game.moves[0].observed.sent_at = Some(mine);
        (arrived, last(&game).sent.unwrap().source)
    };
    for written in ["2005-02-03T08:00:00+02:00", "2005-02-02T23:40:00+02:00"] {
        let ((sent, since, doubted), _) = of(written);
        assert_eq!((sent.day, sent.source), (day("2005-02-08"), DateSource::Arrival), "{written}");
        assert_eq!((since.day, since.source), (day("2005-02-08"), DateSource::Arrival), "{written}");
        assert!(matches!(doubted[..], [DoubtKind::DateNotBelieved { .. }]), "{doubted:?}");
    }
    let ((behind, ..), exactly) = of("2005-02-03T23:30:00-11:00");
    assert_eq!((behind.day, behind.source, exactly), (day("2005-02-03"), DateSource::Header, DateSource::Header));
    let ((perhaps, ..), exactly) = of("2005-02-03T20:00:00-07:00");
    assert_eq!((perhaps.source, exactly), (DateSource::Header, DateSource::Arrival), "before my mail itself");
}

#[test]
fn t10_a_settled_day_of_sending_is_the_one_from_which_the_rules_count_the_way() {
    let mut game = observed("iccf-email-2000", "2005-02-05T12:00:00Z", "2005-02-08T12:00:00Z");
    game.moves[1].agreed.sent = Some(day("2005-02-08"));
    let since = ledger(&game).waiting_since().unwrap();
    assert_eq!((since.day, since.source), (day("2005-02-08"), DateSource::Arrival));
    assert_eq!(kinds(&game), []);
}

#[test]
fn t51_a_stated_day_that_is_not_the_stamps_stands_and_is_doubted_until_it_is_settled() {
    let mut game = observed("iccf-email-2000", "2005-02-13T12:00:00Z", "2005-02-13T12:01:00Z");
    game.moves[1].claimed = dated("2005-02-10", "2005-02-12");
    game.moves[0].claimed.sent = Some(day("2005-02-10"));
    assert_eq!((last(&game).days, last(&game).total), (Some(2), 2));
    let (stated, stamped) = (day("2005-02-12"), day("2005-02-13"));
    assert_eq!(kinds(&game), [DoubtKind::SentDiffers { stated, stamped }]);
    game.moves[1].agreed.sent = Some(stamped);
    assert_eq!((last(&game).days, last(&game).total, kinds(&game)), (Some(3), 3, vec![]));
}

#[test]
fn t52_one_corrected_day_touches_the_clocks_of_both_games_of_a_mail() {
    let first = |mine: &str| {
        let mut game = game(json!("iccf-post-by-email"));
        push(&mut game, sent_only(mine));
        game
    };
    // the same two mails, White in the one game and Black in the other
    let mut a = first("2004-04-15");
    push(&mut a, dated("2004-04-17", "2004-04-18"));
    push(&mut a, dated("2004-04-21", "2004-04-22"));
    push(&mut a, dated("2004-04-25", "2004-04-27"));
    let mut b = first("2004-04-18");
    push(&mut b, dated("2004-04-21", "2004-04-22"));
    push(&mut b, dated("2004-04-25", "2004-04-27"));
    let totals = |game: &Game| ledger(game).plies().iter().map(|ply| ply.total).collect::<Vec<_>>();
    assert_eq!((totals(&a), totals(&b)), (vec![0, 1, 1, 3], vec![0, 1, 2]));
    for (game, ply) in [(&mut a, 2), (&mut b, 1)] {
        game.moves[ply].agreed.sent = Some(day("2004-04-23"));
    }
    assert_eq!((totals(&a), totals(&b)), (vec![0, 1, 2, 3], vec![0, 2, 2]));
}

fn me() -> Me {
    let text = "[me]\nname = \"Ostrander, Mila\"\nemails = [\"mila.ostrander@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";
    Config::parse(text).unwrap().me
}

/// What a mail of the opponent means in the sample game, in which his seventh move is due.
fn judged(body: &str) -> Verdict {
    let mut game = Document::read(SAMPLE).unwrap().remove(0);
    game.me = Side::White;
    let mail = format!(
        "From: tobin.q@example.net\nTo: mila.ostrander@example.org\nSubject: SAMPLE-1\n\
         Date: Wed, 3 Nov 2004 20:00:00 +0100\nMessage-ID: <t@example.net>\n\n{body}\n"
    );
    let threads = [Thread { game, root_message_id: "<sample.root@example.org>".to_owned() }];
    let at = "2004-11-03T19:01:00Z".parse().unwrap();
    let mail = mail.replace('\n', "\r\n");
    decide(mail.as_bytes(), &me(), &Trust::default(), &threads, at).unwrap().judgements.remove(0).verdict
}

#[test]
fn t53_a_total_that_differs_is_told_and_nobodys_is_overwritten() {
    let Verdict::Accepted(accepted) =
        judged("7. 5171 5544\nReceived: 31.10.2004\nSent: 03.11.2004\nMy time: 3/33\nYour time: 4/13\n")
    else {
        panic!()
    };
    let told = accepted.differs().join("\n");
    assert!(told.contains("he shows total 13; the record has total 12"), "{told}");
    assert_eq!(Document::read(SAMPLE).unwrap().remove(0).moves.len(), 13);
}

#[test]
fn t53_a_pair_without_a_name_is_days_and_total_where_only_the_total_is_another() {
    let told = |dates: &str, pair: &str| {
        let Verdict::Accepted(accepted) = judged(&format!("7. 5171 5544\n{dates} {pair}\n")) else { panic!("{pair}") };
        (accepted.stated.days, accepted.stated.total, accepted.differs().join("\n"))
    };
    let dates = "received 31.10. sent 03.11.";
    assert_eq!(told(dates, "3/33"), (Some(3), Some(33), String::new()));
    for (pair, total) in [("3/34", 34), ("(3/34)", 34), ("3/99", 99)] {
        let (days, counted, said) = told(dates, pair);
        assert_eq!((days, counted), (Some(3), Some(total)), "{pair}");
        assert!(said.contains(&format!("he counts {total} days in all, the record 33")), "{said}");
    }
    // it may be a day and a month, has other days than his dates, or he states no dates to prove it
    for (dates, pair) in
        ["3/11", "3/30", "5/36", "34/3"].map(|pair| (dates, pair)).into_iter().chain([("sent 03.11.", "3/34")])
    {
        let said =
            format!("7...: the numbers {pair} beside his dates were not read as days; compare them with the mail");
        assert_eq!(told(dates, pair), (None, None, said), "it never agrees: {pair}");
    }
    assert_eq!(told(dates, "3 34").1, Some(34), "the same without the stroke");
    let control = "received 24.10. sent 03.11.";
    assert_eq!(told(control, "10/60").1, None, "the control of the event");
}

#[test]
fn t81_a_slip_that_is_illegal_is_asked_about_and_one_that_is_legal_binds() {
    assert!(matches!(judged("7... 2735"), Verdict::Illegal(_)), "for 2725");
    let Verdict::Accepted(bound) = judged("7... 2726") else { panic!() };
    assert_eq!(bound.numeric.to_string(), "2726", "for 2725");
}

#[test]
fn t82_two_notations_that_agree_are_taken_and_two_that_differ_are_asked_about() {
    assert!(matches!(judged("7... 5544 (exd4)"), Verdict::Accepted(_)));
    assert!(matches!(judged("7... 5544 (c5)"), Verdict::Held { .. }));
}

#[test]
fn a_move_without_any_date_keeps_the_days_its_sender_states() {
    let mut game = game(json!("iccf-email-2000"));
    push(&mut game, spent(4));
    push(&mut game, Stated { total: Some(9), ..Stated::default() });
    assert_eq!((ledger(&game).plies()[0].days, ledger(&game).plies()[0].total), (Some(4), 4));
    assert_eq!((last(&game).days, last(&game).total), (None, 9));
    assert_eq!(kinds(&game), [DoubtKind::NoDays]);
}
