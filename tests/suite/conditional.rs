//! Conditional moves from the mail to the record: what he takes of the player's lines, and what he offers.

use amici::config::{Config, Language, Me};
use amici::domain::clock::ledger::Ledger;
use amici::domain::clock::rules::RulesetChoice;
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, Side};
use amici::domain::judge::{Accepted, Verdict};
use amici::domain::notation::{NumericMove, san};
use amici::domain::transmission::read::conditional::{Step, offered};
use amici::domain::transmission::read::{Line, Written};
use amici::intake::decide::decide;
use amici::intake::table::his_table;
use amici::intake::which::Thread;
use amici::intake::{RawMessage, take_in};
use amici::io::store::Store;
use amici::letters;
use amici::mail::message::parse;
use chrono::{DateTime, NaiveDate, Utc};
use proptest::prelude::*;
use shakmaty::{Chess, Position};
use tempfile::TempDir;

use super::cli::Player;

const HER: &str = "\"Lindqvist, Nora\" <nora@example.org>";

fn me() -> Me {
    let text = "[me]\nname = \"Pembury, Harriet\"\nemails = [\"harriet@example.net\"]\ntimezone = \"Europe/London\"\n";
    Config::parse(text).unwrap().me
}

fn at() -> DateTime<Utc> {
    "2003-05-05T19:00:00Z".parse().unwrap()
}

fn day(text: &str) -> Option<NaiveDate> {
    Some(text.parse().unwrap())
}

/// The player has White and sent 9. 6152 on 2 May, with these lines.
fn game(conditionals: &[&[&str]]) -> Game {
    let moves = "4244 7866 3234 7776 2133 8786 5254 1716 7163 2726 8283 3827 1213 6687 2223 8766 6152";
    let moves: Vec<_> = moves
        .split(' ')
        .map(|m| serde_json::json!({"numeric": m, "received": "2003-05-02", "sent": "2003-05-02", "days": 0}))
        .collect();
    let document = serde_json::json!({"schema": 1, "games": [{
        "id": "EM-1", "event": "EM/03/101", "site": "ICCF",
        "white": {"name": "Pembury, Harriet", "emails": ["harriet@example.net"]},
        "black": {"name": "Lindqvist, Nora", "emails": ["nora@example.org"]},
        "me": "white", "start_date": "2003-05-02", "start_fen": null, "rules": "iccf-email-2000", "notations": ["iccf"],
        "moves": moves, "draw_offer": null, "conditionals": conditionals, "result": null,
        "last_message_id": null, "seen_message_ids": []
    }]});
    Document::read(&document.to_string()).unwrap().remove(0)
}

fn mail(body: &str) -> Vec<u8> {
    let text = format!(
        "From: {HER}\nTo: harriet@example.net\nSubject: EM-1\nDate: Mon, 5 May 2003 20:00:00 +0200\nMessage-ID: <m9@example.org>\n\n{body}\n"
    );
    text.replace('\n', "\r\n").into_bytes()
}

fn verdict(game: &Game, body: &str) -> Verdict {
    let threads = [Thread { game: game.clone(), root_message_id: "<EM-1.root@example.net>".to_owned() }];
    decide(&mail(body), &me(), &amici::intake::decide::Trust::default(), &threads, at())
        .unwrap()
        .judgements
        .remove(0)
        .verdict
}

fn accepted(game: &Game, body: &str) -> Accepted {
    match verdict(game, body) {
        Verdict::Accepted(accepted) => *accepted,
        other => panic!("{body}: {other:?}"),
    }
}

fn held(game: &Game, body: &str) -> String {
    match verdict(game, body) {
        Verdict::Held { reason, .. } => reason.to_string(),
        other => panic!("{body}: {other:?}"),
    }
}

fn moves(text: &str) -> Vec<NumericMove> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

/// Takes the mail in; gives the game after it and the text of the notice.
async fn taken(game: &Game, body: &str) -> (Game, String) {
    let (_dir, mut store) = taken_in(game, body).await;
    let after = store.game(&game.id).await.unwrap().unwrap().game;
    let notice = store.due(at()).await.unwrap().remove(0).outgoing.bytes;
    (after, parse(&notice).unwrap().plain.unwrap())
}

/// The database behind the mail.
async fn taken_in(game: &Game, body: &str) -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    store.import(&[(game.clone(), "<EM-1.root@example.net>".to_owned())], false, at()).await.unwrap();
    let raw = mail(body);
    take_in(
        &mut store,
        &me(),
        &amici::config::Senders::default(),
        &RawMessage { bytes: &raw, at: at(), arrival: None, verified: None },
        at(),
    )
    .await
    .unwrap();
    (dir, store)
}

// He takes the player's line -------------------------------------------------------------------------------------------

#[tokio::test]
async fn t90_three_plies_of_one_mail_and_the_days_go_to_the_last() {
    let game = game(&[&["6877", "5171"]]);
    let body = "9. 6152 6877 10. 5171 4746  R 3.5. S 5.5.";
    let accepted = accepted(&game, "9. 6152 6877\n10. 5171 4746\n\nReceived 3.5., sent 5.5.");
    assert_eq!(accepted.plies(), moves("6877 5171 4746"));
    assert_eq!(accepted.number, MoveNumber { number: 10, side: Side::Black });
    assert_eq!((accepted.stated.received, accepted.stated.sent), (day("2003-05-03"), day("2003-05-05")));
    assert_eq!(verdict(&game, body).outcome(), "move", "{:?}", verdict(&game, body));

    let (after, notice) = taken(&game, "9. 6152 6877\n10. 5171 4746\n\nReceived 3.5., sent 5.5.").await;
    assert_eq!(after.moves.len(), game.moves.len() + 3);
    assert!(after.conditionals.is_empty() && after.is_my_turn());
    let ledger = Ledger::of(&after).unwrap();
    let [.., his, mine, last] = ledger.plies() else { panic!() };
    assert_eq!((his.days, his.received, his.sent), (Some(0), None, None));
    assert_eq!((mine.days, mine.received, mine.sent), (Some(0), None, None));
    assert_eq!((last.days, last.total), (Some(2), 2));
    assert_eq!(ledger.total(Side::White), 0);
    assert!(notice.contains("He took your conditional: 9... 6877 10. 5171, and plays 10... 4746."), "{notice}");
    assert_eq!(verdict(&after, "9. 6152 6877\n10. 5171 4746\n\nI hope you have it.").outcome(), "duplicate");
}

#[tokio::test]
async fn dates_behind_an_accepted_line_are_read_for_certain_later_too() {
    let game = game(&[&["6877", "5171"]]);
    let (_dir, mut store) = taken_in(&game, "9. 6152 6877\n10. 5171 4746\n\nReceived 3.5., sent 5.5.").await;
    let thread = store.game(&game.id).await.unwrap().unwrap();
    let table = his_table(&mut store, &thread).await.unwrap();
    let row = table.iter().find(|row| row.number == MoveNumber { number: 10, side: Side::Black }).unwrap();
    assert!(!row.unread.is_open, "{row:?}");
    assert_eq!((row.stated.received, row.stated.sent), (day("2003-05-03"), day("2003-05-05")));
}

#[tokio::test]
async fn without_dates_of_his_the_last_move_counts_from_the_day_before_the_line() {
    let (after, _) = taken(&game(&[&["6877", "5171"]]), "9. 6152 6877\n10. 5171 4746").await;
    let last = *Ledger::of(&after).unwrap().plies().last().unwrap();
    assert_eq!((last.received.map(|d| d.day), last.sent.map(|d| d.day)), (day("2003-05-02"), day("2003-05-05")));
    assert_eq!(last.days, Some(3));
}

#[test]
fn the_dates_belong_to_the_last_move_and_conditional_moves_take_no_time() {
    let game = game(&[&["6877", "5171"]]);
    let on_the_first_row = accepted(&game, "9. 6152 ----- ----- 6877 03.05 05.05 2 2\n10. 5171 4746");
    assert_eq!(on_the_first_row.stated.received, day("2003-05-03"));
    assert_eq!(on_the_first_row.stated.sent, day("2003-05-05"));
    let differs = on_the_first_row.differs().join("\n");
    assert!(differs.contains("9... is conditional and takes no time, he states 2 days"), "{differs}");
}

#[test]
fn two_accepted_pairs_and_a_move_are_five_plies() {
    let game = game(&[&["6877", "5171", "4746", "8384"], &["5756", "5171"]]);
    let accepted = accepted(&game, "9. 6152 6877\n10. 5171 4746\n11. 8384 5878");
    assert_eq!(accepted.plies(), moves("6877 5171 4746 8384 5878"));
    assert_eq!(accepted.promised, None);
}

#[test]
fn a_part_of_the_line_may_be_taken_and_what_follows_binds_or_lapses() {
    let game = game(&[&["6877", "5171", "4746", "8384"]]);
    let met = accepted(&game, "9. 6152 6877\n10. 5171 4746");
    assert_eq!(met.promised.unwrap().1, moves("8384")[0]);
    let left = accepted(&game, "9. 6152 6877\n10. 5171 5756");
    assert_eq!((left.plies(), left.promised), (moves("6877 5171 5756"), None));
}

#[test]
fn a_remark_on_the_move_that_is_not_taken_is_no_doubt() {
    let game = game(&[&["6877", "5171", "4746", "8384"]]);
    for (body, plies) in [
        ("9... 6877 can wait, now I play\n\n9... 4746", "4746"),
        ("9... 4746 (not your 6877)", "4746"),
        ("9. 6152 6877\n10. 5171 (as offered)\n10... 5756 <- not your 4746", "6877 5171 5756"),
    ] {
        assert_eq!(accepted(&game, body).plies(), moves(plies), "{body}");
    }
    for (body, why) in [
        ("9... 4746 (not your 4746)", "\"not\" denies the move"),
        ("9... 6877 can wait.\n\nHave a nice summer", "\"wait\""),
    ] {
        let reason = held(&game, body);
        assert!(reason.contains(why), "{body}: {reason}");
    }
}

#[tokio::test]
async fn t91_the_condition_alone_is_one_move_and_binds_the_player() {
    let game = game(&[&["6877", "5171"]]);
    let accepted = accepted(&game, "9. 6152 6877");
    assert_eq!(accepted.plies(), moves("6877"));
    let promised = accepted.promised.unwrap();
    assert_eq!(format!("{} {}", promised.0, promised.1), "10. 5171");
    assert!(Verdict::Accepted(Box::new(accepted)).reason().contains("you are bound to 10. 5171"));
    let (after, notice) = taken(&game, "9. 6152 6877").await;
    assert_eq!(after.moves.len(), game.moves.len() + 1, "the reply is not played by itself");
    assert!(notice.contains("YOU ARE BOUND: your conditional promised 10. 5171 to this move."), "{notice}");
    assert!(notice.contains("amici play EM-1 5171"), "{notice}");
    assert!(!notice.contains("penalty"), "the rules of this event give none: {notice}");
    let jcca = Game { rules: RulesetChoice::Name("jcca".to_owned()), ..game.clone() };
    let (after, notice) = taken(&jcca, "9. 6152 6877").await;
    let flag = "amici clock set EM-1 9... --penalty 5 --why \"conditional ignored\"";
    assert!(notice.contains("may cost him 5 days of") && notice.contains(flag), "{notice}");
    assert!(letters::ignored_help(&after, Language::English).unwrap().contains(flag));
    let mut settled = after.clone();
    settled.moves.last_mut().unwrap().agreed.penalty = Some(5);
    assert_eq!(letters::ignored_help(&settled, Language::English), None);
}

#[tokio::test]
async fn t92_another_move_voids_the_condition() {
    let game = game(&[&["6877", "5171"]]);
    let accepted = accepted(&game, "9. 6152 4746");
    assert_eq!((accepted.plies(), accepted.promised), (moves("4746"), None));
    let (after, notice) = taken(&game, "9. 6152 4746").await;
    assert_eq!((after.moves.len(), after.conditionals.len()), (game.moves.len() + 1, 0));
    assert!(!notice.contains("conditional"), "{notice}");
}

#[test]
fn what_does_not_agree_with_a_line_that_stands_is_held_with_its_reason() {
    let lines = game(&[&["6877", "5171"]]);
    for (body, why) in [
        ("9. 6152 6877\n10. 6371 4746", "writes 10. 6371 where you promised 5171; he may have overlooked it"),
        ("9. 6152 6877\n10. 5171", "he repeats your promised 10. 5171 and adds no move of his own"),
        ("9. 6152 4746\n10. 5171 6877", "he goes on to 10. 5171, and no conditional line of yours leads there"),
        ("9. 6152 6877\n10... 4746", "he goes on to 10... 4746, and no conditional line of yours leads there"),
        ("9. 6152 6877\n10. 5171 4746\n11. 8384 5878", "he goes on to 11. 8384"),
        ("9. 6152 6877\n10. 5171 4748", "10... 4748 cannot be played behind your conditional line"),
        ("9. 6152 6877\n10. 5171 4746\n10... 5756", "two moves are given for 10..."),
        ("10. 5171 4746", "but 9... is due"),
    ] {
        let reason = held(&lines, body);
        assert!(reason.contains(why), "{body}: {reason}");
    }
    let none = held(&game(&[]), "9. 6152 6877\n10. 5171 4746");
    assert!(none.contains("he writes 10. 5171, but 9... is due"), "{none}");
}

// He offers lines ------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn t93_his_offers_are_kept_as_lines_and_never_played() {
    let game = game(&[]);
    let body = "9... 4746 if 10. 5171 6877; if 10. 8384 8685";
    let accepted = accepted(&game, body);
    assert_eq!(accepted.plies(), moves("4746"));
    assert_eq!(accepted.conditionals, [["5171", "6877"], ["8384", "8685"]]);
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    store.import(&[(game.clone(), "<EM-1.root@example.net>".to_owned())], false, at()).await.unwrap();
    let raw = mail(body);
    take_in(
        &mut store,
        &me(),
        &amici::config::Senders::default(),
        &RawMessage { bytes: &raw, at: at(), arrival: None, verified: None },
        at(),
    )
    .await
    .unwrap();
    let after = store.game(&game.id).await.unwrap().unwrap().game;
    assert_eq!((after.moves.len(), after.conditionals.len()), (game.moves.len() + 1, 0));
    let kept = "SELECT count(*) FROM verdicts WHERE json_extract(stated, '$.conditionals') = '[[\"5171\",\"6877\"],[\"8384\",\"8685\"]]'";
    assert_eq!(super::intake::number(dir.path(), kept).await, 1);
    let notice = parse(&store.due(at()).await.unwrap().remove(0).outgoing.bytes).unwrap().plain.unwrap();
    assert!(notice.contains("HE OFFERS CONDITIONAL MOVES"), "{notice}");
    assert!(notice.contains("  if 10. 5171 then 10... 6877\n  if 10. 8384 then 10... 8685\n"), "{notice}");
}

/// The player of the sample, whose opponent offers lines with 7. 5171.
fn offered_to_player() -> Player {
    let player = Player::waiting();
    let body =
        "7. 5171   received 26.10. sent 30.10.  4/12\n\nif 7... 2836 8. 4445 3624 9. 1213; if 7... 5544 8. 6344\n";
    assert_eq!(player.takes(&super::intake::mail("offers", "EM/ZZ/042", body)), "move");
    player
}

#[test]
fn his_offers_stand_in_show_status_and_their_json_until_the_player_has_moved() {
    let player = offered_to_player();
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    let told = "HE OFFERS CONDITIONAL MOVES (none is played for you):\n  \
        if 7... 2836 then 8. 4445, if 8... 3624 then 9. 1213\n  if 7... 5544 then 8. 6344\n";
    assert!(shown.contains(told), "{shown}");
    let json = player.run(&["show", "SAMPLE-1", "--json"]).json();
    assert_eq!(json["offers"], serde_json::json!([["2836", "4445", "3624", "1213"], ["5544", "6344"]]));
    let flags = || player.run(&["status", "--json"]).json().to_string().contains("\"offers\"");
    assert!(flags());
    assert!(player.run(&["status"]).result().contains("offers"));
    let said = player.run(&["play", "SAMPLE-1", "2836", "-n"]).result();
    let help = "He promised 8. 4445 to it. To take his line, add your next move:  amici play SAMPLE-1 \"7... 2836 8. 4445 8... MOVE\"\n";
    assert!(said.contains(help), "{said}");
    assert!(!player.run(&["play", "SAMPLE-1", "3735", "-n"]).result().contains("He promised"));
    player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-11-01"]).result();
    assert!(!flags() && !player.run(&["show", "SAMPLE-1"]).result().contains("HE OFFERS"));
}

#[tokio::test]
async fn the_player_takes_a_line_with_his_own_next_move_and_the_days_go_to_that() {
    for (row, plies, number) in [
        ("7... 2836 8. 4445 8... 3615", vec!["2836", "4445", "3615"], "8..."),
        ("7...Nc6 8.d5 Na5", vec!["2836", "4445", "3615"], "8..."),
        ("2836 4445 3624 1213 2416", vec!["2836", "4445", "3624", "1213", "2416"], "9..."),
    ] {
        let player = offered_to_player();
        let said = player.run(&["play", "SAMPLE-1", row, "--yes"]).result();
        let (own, line) = plies.split_last().unwrap();
        assert!(said.starts_with(&format!("{number} {own}")), "{said}");
        assert!(said.contains("You take his line, which costs no day: 7... 2836 8. 4445"), "{said}");
        let (told, letter) = player.letter(".ready").await;
        let text = letter.plain.unwrap();
        assert!(plies.iter().all(|ply| text.contains(ply)), "{text}");
        assert!(told.subject.contains(&format!(": {number} {own} (")), "{}", told.subject);
        let json = || player.run(&["show", "SAMPLE-1", "--json"]).json();
        assert_eq!(json()["plan"]["before"], serde_json::json!(line));
        player.run(&["sent", "SAMPLE-1", "--on", "2004-11-03"]).result();
        let moves = json()["moves"].as_array().unwrap()[13..].to_vec();
        let given: Vec<&str> = moves.iter().map(|ply| ply["numeric"].as_str().unwrap()).collect();
        assert_eq!(given, plies);
        let days: Vec<i64> = moves.iter().map(|ply| ply["days"].as_i64().unwrap()).collect();
        let (of_own, of_line) = days.split_last().unwrap();
        assert!(*of_own > 0 && of_line.iter().all(|days| *days == 0), "{days:?}");
        player.run(&["verify"]).result();
    }
}

#[test]
fn a_row_that_takes_no_line_of_his_is_refused_with_what_he_promised() {
    let player = offered_to_player();
    for (row, why) in [
        ("7... 2836 8. 4455 4655", "he promised 8. 4445 to 7... 2836, and not 4455"),
        ("7... 2836 8. 4445", "7... 2836 8. 4445 ends with his reply"),
        ("7... 3735 8. 4435 4635", "he promised no reply to 7... 3735"),
    ] {
        let said = player.run(&["play", "SAMPLE-1", row]);
        assert!(said.code == 5 && said.err.contains(why), "{row}: {} {}", said.code, said.err);
    }
}

#[tokio::test]
async fn a_line_that_was_taken_is_on_record_by_the_mail_that_went_out_and_by_his_answer() {
    let answer = "7. 5171 2836\n8. 4445 3615\n9. 3325\n\nreceived 4.11., sent 5.11.\n";
    let plies = |player: &Player| player.game()["moves"].as_array().unwrap().len();
    for by_sent in [true, false] {
        let player = offered_to_player();
        player.run(&["play", "SAMPLE-1", "7... 2836 8. 4445 3615", "--yes"]).result();
        if by_sent {
            let rows = player.store().await.unsent().await.unwrap();
            let row = rows.iter().find(|row| row.outgoing.message_id.contains(".ready")).unwrap();
            let own = super::queue::attached(&row.outgoing.bytes);
            let mail = RawMessage { bytes: &own, at: Utc::now(), arrival: None, verified: None };
            let config = Config::parse(super::intake::ME).unwrap();
            let mut store = player.store().await;
            amici::sent::take_in(&mut store, &config.me, &Default::default(), &mail, Utc::now()).await.unwrap();
            drop(store);
            assert_eq!(plies(&player), 16);
            assert!(player.run(&["show", "SAMPLE-1", "--json"]).json()["plan"].is_null());
        } else {
            assert_eq!(player.takes(&super::intake::mail("answer", "EM/ZZ/042", answer)), "move");
            assert_eq!(plies(&player), 17);
        }
        player.run(&["verify"]).result();
        player.run(&["verify", "--rebuild"]).result();
    }
}

#[test]
fn branches_are_told_apart_however_they_are_listed() {
    let two: &[&[&str]] = &[&["5171", "6877"], &["8384", "8685"]];
    let chain: &[&[&str]] = &[&["5171", "6877", "8384", "5878"]];
    for (body, lines) in [
        ("9... 4746\n\nif 10. 5171 then 6877, if 10. 8384 then 8685", two),
        ("9... 4746\n\n  if 10. 5171 6877\n  or 10. 8384 8685", two),
        ("9... 4746\n\na) Falls 10. 5171, dann 6877\nb) Falls 10. 8384, dann 8685", two),
        ("9... 4746\n\nConditionals:\na) 10. 5171 6877\nb) 10. 8384 8685", two),
        ("9... 4746\n\n- if 10. 5171 then 6877\n- if 10. 8384 then 8685", two),
        ("9... 4746\n\nConditional: 10. 5171? 6877!", &two[..1]),
        ("9... 4746\n\n10. 5171 -> 6877", &two[..1]),
        ("9... 4746\n\nif 10. 5171 then 6877; if further 11. 8384 then 5878", chain),
        ("9... 4746\n\nЕсли 10. 5171, то 10. ... 6877; если далее 11. 8384, то 11. ... 5878.", chain),
    ] {
        assert_eq!(accepted(&game(&[]), body).conditionals, lines, "{body}");
    }
    for body in [
        "9... 4746\n\nif 5171 then 6877; if further 8384 then 5878",
        "9... 4746\n\nif 10. 5171 then 6877?",
        "9... 4746\n\nif 10. 5171 then 6877\nor 5756",
    ] {
        held(&game(&[]), body);
    }
}

#[tokio::test]
async fn an_offer_against_any_move_is_marked() {
    let body = "9... 4746, if any 10... 6877";
    assert_eq!(accepted(&game(&[]), body).conditionals, [["*", "6877"]]);
    let (_, notice) = taken(&game(&[]), body).await;
    assert!(notice.contains("if 10. any move then 10... 6877"), "{notice}");
    assert!(notice.contains("An offer against ANY move"), "{notice}");
}

#[test]
fn offers_in_algebraic_notation_are_given_in_digits() {
    for (body, line) in [
        ("9... 4746\n\nif 10. O-O Bg7", ["5171", "6877"]),
        ("9... 4746\n\nFalls 10. 0-0, dann Lg7", ["5171", "6877"]),
        ("9... 4746\n\nif 10. e1g1 then f8g7", ["5171", "6877"]),
        ("9... 4746\n\nif 10. 5181 then 6877", ["5171", "6877"]),
        ("9... 4746\n\nif any 10... Bg7", ["*", "6877"]),
    ] {
        assert_eq!(accepted(&game(&[]), body).conditionals, [line], "{body}");
    }
}

#[test]
fn an_offer_that_does_not_play_out_is_held_and_quoted() {
    for (body, why) in [
        ("9... 4746 if 10. 5171 6866", "\"if 10. 5171 6866\" do not play out: 10... 6866"),
        ("9... 4746 if 10. 5171", "the last condition has no reply"),
        ("9... 4746 if 11. 5171 6877", "11. 5171 stands where 10. is due"),
        ("9... 4746 if 10. 5171 6877; if 10. 5171 8685", "5171 is answered in two ways"),
        ("9... 4746 if 10. Nc6 Bg7", "it names no legal move"),
        ("9... 4746 if 10. Bd3 6877", "\"if 10. Bd3 6877\" is not understood"),
        ("9... 4746 if 10. 5171 then maybe 6877", "the condition \"if 10. 5171 then maybe 6877\" is not understood"),
    ] {
        let reason = held(&game(&[]), body);
        assert!(reason.contains(why), "{body}: {reason}");
    }
}

#[test]
fn a_condition_that_offers_nothing_leaves_the_move() {
    for body in [
        "9... 4746\n\nLet me know if you get this.",
        "9... 4746\n\nIf time allows I shall write more.",
        "Wenn Sie wollen, machen wir bald eine Pause.\n\n9... 4746",
    ] {
        let accepted = accepted(&game(&[]), body);
        assert_eq!((accepted.plies(), accepted.conditionals.len()), (moves("4746"), 0), "{body}");
    }
}

// Properties -----------------------------------------------------------------------------------------------------------

/// A legal line from the first position: its numbers, digits and SAN.
fn line() -> impl Strategy<Value = Vec<(MoveNumber, String, String)>> {
    (proptest::collection::vec(any::<prop::sample::Index>(), 10..40), 1usize..4, any::<bool>()).prop_map(
        |(choices, pairs, black)| {
            let mut position = Chess::default();
            let mut plies = Vec::new();
            for choice in choices {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let played = *choice.get(&legal);
                let side = if position.turn().is_white() { Side::White } else { Side::Black };
                let number = MoveNumber { number: position.fullmoves().get(), side };
                plies.push((number, NumericMove::of(&played).to_string(), san(&position, &played)));
                position.play_unchecked(played);
            }
            let skip = usize::from(black) + 2;
            plies.into_iter().skip(skip).take(pairs * 2).collect()
        },
    )
}

type Form = fn(&[(MoveNumber, String, String)]) -> String;

/// Ways to write one line.
const FORMS: [Form; 8] = [
    |l| format!("if {}", numbered(l)),
    |l| format!("Conditional: {}", numbered(l)),
    |l| format!("Eventualzug: {}", numbered(l)),
    |l| {
        let pairs = l.chunks(2).map(|p| format!("if {} {}, then {} {}", p[0].0, p[0].1, p[1].0, p[1].1));
        pairs.collect::<Vec<_>>().join(", and ")
    },
    |l| {
        let pairs = l.chunks(2).map(|p| format!("Falls {} {} dann {}", p[0].0, p[0].1, p[1].1));
        pairs.collect::<Vec<_>>().join("\n")
    },
    |l| format!("(si {})", numbered(l)),
    |l| {
        l.chunks(2).map(|p| format!("{} {} -> {} {}", p[0].0, p[0].1, p[1].0, p[1].1)).collect::<Vec<_>>().join("\n   ")
    },
    |l| format!("if {}", l.iter().map(|p| format!("{} {}", p.0, p.2)).collect::<Vec<_>>().join(" ")),
];

fn numbered(line: &[(MoveNumber, String, String)]) -> String {
    line.iter().map(|(number, digits, _)| format!("{number} {digits}")).collect::<Vec<_>>().join(" ")
}

fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect()
}

proptest! {
    #[test]
    fn any_legal_line_written_in_any_form_reads_back(line in line(), form in 0..FORMS.len()) {
        prop_assume!(!line.is_empty() && line.len() % 2 == 0);
        let text = FORMS[form](&line);
        let offers = offered(&lines(&text));
        prop_assert_eq!(offers.lines.len(), 1, "{}\n{:?}", text, offers);
        let read: Vec<String> = offers.lines[0].steps.iter().map(|step| match step {
            Step::Any => "*".to_owned(),
            Step::Move { written: Written::Numeric(numeric), .. } => numeric.to_string(),
            Step::Move { written: Written::Algebraic(text), .. } => text.clone(),
        }).collect();
        let plain = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
        let expected: Vec<String> = line.iter().map(|p| if form == 7 { plain(&p.2) } else { p.1.clone() }).collect();
        prop_assert_eq!(read, expected, "{}", text);
    }

    #[test]
    fn no_text_breaks_the_reading(
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "if", "falls", "si", "Ha", "on", "any", "a.l.", "7.", "7...", "12.", "4445", "3847", "52-54", "Nf3", "O-O", "then", "or",
                "and", ";", ",", ".", "?", "(", ")", "->", "\n", "\n\n", "   ", "もし", "なら", "とします", "é", "\u{1f600}", "20040", "3.5.",
                "2/30", "conditional:", "your", "had", "like", "would", "|", "\t", "1)", "…",
            ]),
            0..60,
        ),
        glue in prop::sample::select(vec!["", " "]),
    ) {
        let text = words.join(glue);
        let lines = lines(&text);
        let offers = offered(&lines);
        prop_assert!(offers.lines.iter().all(|o| !o.steps.is_empty()));
    }

    #[test]
    fn no_characters_at_all_break_the_reading(text in "\\PC{0,80}") {
        let _ = offered(&lines(&text));
    }
}
