//! `amici clock`: both tables side by side, and what the player settles.

use amici::mail::message::parse;
use serde_json::{Value, json};

use super::care::flat;
use super::cli::{Player, document, second};
use super::intake::mail;
use super::leave::ahead;

const TABLE: &str = "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
    \x20 5. 7163  27.09 30.09    3     7   | 5878  30.09 21.10   21    27\n\
    \x20 6. 6152  22.10 23.10    1     8   | 5755  24.10 26.10    2    29\n\
    \x20 7. 5171  26.10 30.10    4    12   |\n";

impl Player {
    /// She shows other dates and days for 5... than the record has.
    fn at_odds() -> Player {
        let player = Player::waiting();
        assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", TABLE)), "move");
        player
    }

    fn row(&self, ply: usize) -> Value {
        self.run(&["clock", "SAMPLE-1", "--json"]).json()["rows"][ply - 1].clone()
    }

    fn agreed(&self, ply: usize) -> Value {
        self.row(ply)["agreed"].clone()
    }
}

#[test]
fn both_tables_stand_side_by_side_with_the_differences_marked() {
    let said = Player::at_odds().run(&["clock", "SAMPLE-1"]).result();
    insta::with_settings!({filters => vec![(r"Black: \d+ days.*", "Black: [RUNNING]"), (r"at least by \d+", "at least by [RUNNING]")]}, { insta::assert_snapshot!(said) });
}

#[test]
fn the_tables_as_json_have_a_row_for_each_ply() {
    let player = Player::at_odds();
    let clock = player.run(&["clock", "SAMPLE-1", "--json"]).json();
    assert_eq!((&clock["schema"], &clock["game_id"]), (&json!(1), &json!("SAMPLE-1")));
    assert_eq!(clock["rows"].as_array().unwrap().len(), 13);
    assert_eq!(
        clock["rows"][9],
        json!({
            "ply": 10, "number": "5...", "side": "black", "numeric": "5878", "agreed": null, "differs": true,
            "mail_dated": null, "objections": [],
            "his": {"received": "2004-09-30", "sent": "2004-10-21", "days": 21, "total": 27},
            "ours": {"received": "2004-09-30", "sent": "2004-10-22", "days": 22, "total": 28},
        })
    );
    assert_eq!(clock["rows"][11]["differs"], false, "the total is off by the same day");
    assert_eq!(clock["differences"].as_array().unwrap().len(), 1);
    assert_eq!(clock["clocks"]["white"]["days_used"], 12);
    assert_eq!(player.run(&["clock", "NONE", "--json"]).code, 4);
}

#[test]
fn t51_a_row_whose_day_is_not_that_of_its_mail_is_marked_until_it_is_settled() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 29.10.  3/11\n")), "move");
    let said = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(said.contains("\n! 7.     5171"), "{said}");
    assert!(
        said.contains("move 7.: he states that he sent it on 2004-10-29; the Date of his mail is 2004-10-30"),
        "{said}"
    );
    assert_eq!(player.row(13)["mail_dated"], "2004-10-30");
    player.run(&["clock", "agree", "SAMPLE-1", "7.", "--mine"]).result();
    let settled = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(settled.contains("\n= 7.     5171") && !settled.contains("the Date of his mail is"), "{settled}");
}

#[tokio::test]
async fn what_he_states_and_cannot_be_is_told_in_the_notice_in_the_table_and_in_the_reply_until_it_is_settled() {
    for (states, told, said, settled) in [
        (
            "received 25.10. sent 30.10. 5/13",
            "he states that he received your move on 2004-10-25; you sent it on 2004-10-26",
            "You book my mail of 26 October 2004 as received on 25 October 2004, before I sent it.",
            "--received 2004-10-26",
        ),
        (
            "received 31.06. sent 30.10.",
            "his mail, line 2: there is no day 31.06.; the record has received 2004-10-26",
            "The day 31.06. in line 2 of your mail cannot be right: for your move 7 I count received 26 October 2004.",
            "--received 2004-10-26",
        ),
        (
            "received 26.10. sent 25.10.",
            "he states sent 2004-10-25, before received 2004-10-26; no days are counted",
            "For your move 7 you state received 26 October 2004 and sent 25 October 2004, which lies before it: I count no days.",
            "--sent 2004-10-30",
        ),
        (
            "received 26.10. sent 30.10. 5 11",
            "the numbers 5 11 beside his dates were not read as days; the record has 4 days, total 12",
            "I did not read the numbers 5 11 beside your dates as days: for your move 7 I count 4 days, total 12.",
            "--days 5",
        ),
    ] {
        let player = Player::waiting();
        assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", &format!("7. 5171\n{states}\n"))), "move");
        let row = player.store().await.unsent().await.unwrap().remove(0);
        let notice = super::care::flat(&parse(&row.outgoing.bytes).unwrap().plain.unwrap());
        assert!(!notice.contains("agrees with the record") && notice.contains("amici clock SAMPLE-1"), "{notice}");
        assert!(notice.contains(said), "{notice}");
        let table = player.run(&["clock", "SAMPLE-1"]).result();
        assert!(table.contains("\n! 7.     5171") && table.contains(&format!("\nmove 7.: {told}\n")), "{table}");
        assert!(table.contains(said), "{table}");
        let draft = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
        assert!(super::care::flat(&draft).contains(said), "{draft}");
        let mut settle = vec!["clock", "set", "SAMPLE-1", "7.", "--why", "he wrote it"];
        settle.extend(settled.split(' '));
        player.run(&settle).result();
        let table = player.run(&["clock", "SAMPLE-1"]).result();
        assert!(table.contains("\n= 7.     5171") && !table.contains(told), "{table}");
    }
}

#[test]
fn a_receipt_before_the_move_was_sent_can_be_agreed_to_as_he_states_it() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171 received 25.10. sent 30.10. 5/13\n")), "move");
    let said = player.run(&["clock", "agree", "SAMPLE-1", "7.", "--his"]).result();
    assert!(said.starts_with("7. counts now: received 2004-10-25, sent 2004-10-30, 5 days, total 13."), "{said}");
    let table = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(table.contains("\n= 7.     5171"), "{table}");
}

#[test]
fn a_day_that_only_two_calendars_explain_is_settled_on_his_word_alone() {
    let player = Player::with_sample();
    let mut set = vec!["clock", "set", "SAMPLE-1", "7.", "--received", "2004-10-25", "--why", "his zone"];
    let asked = player.run(&set).failure(6);
    assert!(
        asked.contains("received 2004-10-25 is the day before 2004-10-26, on which the move before was sent"),
        "{asked}"
    );
    assert_eq!(player.agreed(13), Value::Null);
    set.push("--yes");
    assert!(player.run(&set).result().starts_with("7. counts now: received 2004-10-25"));
}

#[test]
fn a_settlement_is_called_agreed_only_where_the_opponent_has_it_so_too() {
    let player = Player::at_odds();
    let explained = |ply: &str| {
        let text = player.run(&["explain", "SAMPLE-1", ply]).result();
        let json = player.run(&["explain", "SAMPLE-1", ply, "--json"]).json();
        (text.contains("  you set  "), text.contains("  agreed   "), json["agreed"]["by_both"].clone())
    };
    assert_eq!(explained("5b"), (false, true, json!(false)), "nothing is settled");
    player.run(&["clock", "agree", "SAMPLE-1", "5b", "--mine"]).result();
    assert_eq!(explained("5b"), (true, false, json!(false)));
    player.run(&["clock", "agree", "SAMPLE-1", "5b", "--his"]).result();
    assert_eq!(explained("5b"), (false, true, json!(true)));
    player.run(&["clock", "set", "SAMPLE-1", "7w", "--penalty", "5", "--why", "w"]).result();
    assert_eq!(explained("7w"), (true, false, json!(false)));
}

#[test]
fn a_settled_total_that_swallows_what_is_settled_before_it_is_named() {
    let player = Player::with_sample();
    let set = |args: &[&str]| player.run(&[&["clock", "set", "SAMPLE-1"][..], args, &["--why", "w"]].concat()).result();
    assert!(!set(&["5b", "--penalty", "5"]).contains("stands"));
    assert!(!set(&["--black", "20"]).contains("stands"));
    let said = set(&["5b", "--penalty", "6"]);
    let told = "The total of 20 that was settled at 6... stands, so this does not change the clock of Black. Take it back where it \
        shall:  amici clock set SAMPLE-1 6... --undo --why TEXT\n";
    assert!(said.contains(told), "{said}");
    assert!(!set(&["5.", "--penalty", "6"]).contains("stands"), "the other side's clock");
    set(&["6...", "--undo"]);
    assert!(!set(&["5b", "--penalty", "7"]).contains("stands"));
}

#[tokio::test]
async fn a_repeat_with_other_dates_is_told_and_one_with_the_same_is_not() {
    for (body, told) in [
        ("7. 5171   received 26.10. sent 30.10.  4/12\n", 0),
        ("7. 5171   received 27.10. sent 30.10.  3/11\n", 1),
        ("7. 5171\n\nreceived 26.10., sent 30.10.\n", 0),
        ("7. 5171\n\nreceived 27.10., sent 30.10.\n", 1),
    ] {
        let player = Player::with_sample();
        assert_eq!(player.takes(&mail("again", "EM/ZZ/042", body)), "duplicate");
        let rows = player.store().await.unsent().await.unwrap();
        assert_eq!(rows.len(), told, "{body}");
        for row in rows {
            let notice = super::care::flat(&super::care::text(&parse(&row.outgoing.bytes).unwrap()));
            assert!(
                notice.contains("move 7.: he shows received 2004-10-27") && notice.contains("amici clock SAMPLE-1"),
                "{notice}"
            );
        }
    }
}

#[tokio::test]
async fn a_difference_is_settled_his_way_or_mine_and_the_journal_keeps_what_stood_there() {
    let player = Player::at_odds();
    player.run(&["clock", "agree", "SAMPLE-1", "5...", "--his", "--why", "he has the stamp"]).result();
    let his = json!({"received": "2004-09-30", "sent": "2004-10-21", "days": 21, "total": 27, "penalty": null});
    assert_eq!(player.agreed(10), his);
    assert_eq!(player.row(10)["differs"], false, "settled");
    let draft = || player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
    assert!(!draft().contains("5..."), "he shows it so himself: {}", draft());
    let again = player.run(&["clock", "agree", "SAMPLE-1", "5b", "--his"]).result();
    assert!(again.contains("settled so already"), "{again}");
    player.run(&["clock", "agree", "SAMPLE-1", "5b", "--mine", "--why", "he saw his mistake"]).result();
    let journal = player.journal("clock").await;
    assert_eq!(journal.len(), 2, "{journal:?}");
    assert!(
        journal[0].contains("(before: nothing; it counted received 2004-09-30, sent 2004-10-22, 22 days, total 28)"),
        "{journal:?}"
    );
    assert!(journal[0].ends_with("why: as he shows it: he has the stamp"), "{journal:?}");
    assert!(journal[1].contains("(before: received 2004-09-30, sent 2004-10-21, 21 days, total 27;"), "{journal:?}");
    assert_eq!(player.agreed(10)["sent"], "2004-10-22");
    let told = "For my move 5 you show sent 21 October 2004, 21 days, total 27";
    assert!(flat(&draft()).contains(told), "settled since his last letter, the opponent cannot know: {}", draft());
    assert_eq!(player.game()["moves"][9]["sent"], "2004-10-22", "what was stated stays");
}

#[test]
fn the_history_of_what_was_settled_stays_with_its_reasons_also_where_it_was_taken_back() {
    let player = Player::at_odds();
    player.run(&["clock", "agree", "SAMPLE-1", "5...", "--his", "--why", "he has the stamp; why: it shows"]).result();
    let explained = player.run(&["explain", "SAMPLE-1", "5b"]).result();
    assert!(
        explained.contains("5... is settled: received 2004-09-30, sent 2004-10-21, 21 days, total 27"),
        "{explained}"
    );
    player.run(&["clock", "set", "SAMPLE-1", "7.", "--days", "3", "--why", "a slip"]).result();
    player.run(&["clock", "set", "SAMPLE-1", "5b", "--undo", "--why", "the director"]).result();
    let table = player.run(&["clock", "SAMPLE-1"]).result();
    let (_, history) = table.split_once("\nWhat you settled, oldest first:\n").unwrap();
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines.len(), 3, "{history}");
    assert!(lines[0].ends_with("why: as he shows it: he has the stamp; why: it shows"), "{history}");
    assert!(lines[2].contains("5... is no longer settled (before: ") && lines[2].ends_with("why: the director"));
    let explained = player.run(&["explain", "SAMPLE-1", "5b"]).result();
    assert_eq!(explained.matches("\n  settled   2").count(), 2, "7. is another move: {explained}");
    let json = player.run(&["explain", "SAMPLE-1", "7w", "--json"]).json();
    assert_eq!(json["settlements"].as_array().unwrap().len(), 1);
    assert!(json["settlements"][0]["text"].as_str().unwrap().ends_with("why: a slip"), "{json}");
    let json = player.run(&["clock", "SAMPLE-1", "--json"]).json();
    assert_eq!(json["settlements"].as_array().unwrap().len(), 3);
    let timeline = player.run(&["explain", "SAMPLE-1", "1w"]).result();
    assert!(!timeline.contains("settled   "), "{timeline}");
}

#[test]
fn where_nothing_differs_nothing_can_be_agreed() {
    let player = Player::at_odds();
    let nothing = player.run(&["clock", "agree", "SAMPLE-1", "7w", "--his"]).failure(1);
    assert!(
        nothing
            .contains("nothing differs at 7.: the record has received 2004-10-26, sent 2004-10-30, 4 days, total 12"),
        "{nothing}"
    );
    let unknown = player.run(&["clock", "agree", "SAMPLE-1", "9w", "--mine"]).failure(1);
    assert!(unknown.contains("that move is not on record in game SAMPLE-1; 7... is due"), "{unknown}");
    assert_eq!(player.run(&["clock", "agree", "SAMPLE-1", "5b"]).code, 2);
    assert_eq!(player.run(&["clock", "agree", "SAMPLE-1", "5b", "--his", "--mine"]).code, 2);
}

#[tokio::test]
async fn dates_days_and_totals_are_set_with_a_reason_and_taken_back() {
    let player = Player::with_sample();
    let said = player.run(&["clock", "set", "SAMPLE-1", "7w", "--sent", "2004-10-31", "--why", "his stamp"]).result();
    assert!(said.starts_with("7. counts now: received 2004-10-26, sent 2004-10-31, 5 days, total 13.\n"), "{said}");
    player.run(&["clock", "set", "SAMPLE-1", "--white", "14", "--black", "33", "--why", "the director"]).result();
    assert_eq!(
        player.agreed(13),
        json!({"received": null, "sent": "2004-10-31", "days": null, "total": 14, "penalty": null})
    );
    assert_eq!(player.agreed(12)["total"], 33);
    player.run(&["clock", "set", "SAMPLE-1", "6b", "--penalty", "5", "--days", "2", "--why", "illegal move"]).result();
    assert_eq!(player.agreed(12), json!({"received": null, "sent": null, "days": 2, "total": 33, "penalty": 5}));
    player.run(&["clock", "set", "SAMPLE-1", "6b", "--undo", "--why", "a mistake of mine"]).result();
    assert_eq!(player.agreed(12), Value::Null);
    let journal = player.journal("clock").await;
    assert_eq!(journal.len(), 4);
    assert!(journal[3].contains("6... is no longer settled (before: 2 days, total 33, penalty 5;"), "{journal:?}");
    let same = player.run(&["clock", "set", "SAMPLE-1", "6b", "--undo", "--why", "once more"]).result();
    assert!(same.contains("settled so already"), "{same}");
    assert_eq!(player.journal("clock").await.len(), 4);
}

#[test]
fn t52_a_date_settled_in_one_game_names_the_other_in_which_the_same_mail_stands_with_it() {
    let player = Player::waiting();
    player.import(&second("OTHER-2", |game| {
        game["event"] = json!("EM/ZZ/043");
        game["moves"] = json!([]);
    }));
    let both = "EM/ZZ/042\n7. 5171\nreceived 26.10. sent 29.10. 3/11\n\nEM/ZZ/043\n1. 5254\nsent 29.10.\n";
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042 and EM/ZZ/043", both)), "move");
    let told = "The same mail gave 1. in game OTHER-2, with the same day. Settle it there too:  \
                amici clock set OTHER-2 1. --sent 2004-10-30 --why TEXT\n";
    let said = player.run(&["clock", "agree", "SAMPLE-1", "7.", "--mine"]).result();
    assert!(said.contains(told), "{said}");
    player.run(&["clock", "set", "OTHER-2", "1.", "--sent", "2004-10-30", "--why", "the Date"]).result();
    let done = player.run(&["clock", "set", "SAMPLE-1", "7.", "--penalty", "1", "--why", "w"]).result();
    assert!(!done.contains("same mail"), "the day is settled in both: {done}");
    let apart = player.run(&["clock", "set", "SAMPLE-1", "6.", "--sent", "2004-10-24", "--why", "w"]).result();
    assert!(!apart.contains("same mail"), "no mail gave it: {apart}");
}

#[tokio::test]
async fn impossible_dates_are_refused_and_nothing_is_kept() {
    let player = Player::with_sample();
    let set = |ply: &str, option: &str, value: &str| {
        player.run(&["clock", "set", "SAMPLE-1", ply, option, value, "--why", "w"]).failure(1)
    };
    for (ply, option, value, why) in [
        (
            "7w",
            "--sent",
            "2004-10-25",
            "7. cannot be settled like this: sent 2004-10-25 lies before received 2004-10-26",
        ),
        ("7w", "--sent", &ahead("2090-01-01"), "has not come yet"),
        (
            "7w",
            "--received",
            "2004-10-20",
            "received 2004-10-20 lies before 2004-10-26, the day on which the move before was sent",
        ),
        (
            "5b",
            "--sent",
            "2004-10-26",
            "sent 2004-10-26 lies after 2004-10-23, the day on which the next move was sent",
        ),
    ] {
        let refused = set(ply, option, value);
        assert!(refused.contains(why), "{why} in {refused}");
    }
    let empty = player.run(&["clock", "set", "SAMPLE-1", "--why", "w"]).failure(1);
    assert!(empty.contains("nothing is given to settle"), "{empty}");
    assert!(
        player.run(&["clock", "set", "SAMPLE-1", "7w", "--days", "3", "--why", " "]).failure(1).contains("say why")
    );
    assert_eq!(player.run(&["clock", "set", "SAMPLE-1", "7w", "--days", "3"]).code, 2, "without a reason");
    assert_eq!(
        player.run(&["clock", "set", "SAMPLE-1", "--sent", "2004-10-30", "--why", "w"]).code,
        2,
        "without a move"
    );
    assert!(player.journal("clock").await.is_empty());
    assert_eq!(player.agreed(13), Value::Null);
}

#[tokio::test]
async fn what_was_done_for_the_clocks_is_done_once_more_by_replay() {
    let player = Player::at_odds();
    for args in [
        &["clock", "agree", "SAMPLE-1", "5b", "--his", "--why", "w"][..],
        &["clock", "set", "SAMPLE-1", "--white", "14", "--why", "w"],
        &["leave", "add", &ahead("2090-07-01..2090-07-14")],
        &["leave", "add", &ahead("2090-08-01..2090-08-02")],
        &["leave", "remove", &ahead("2090-07-01..2090-07-14")],
        &["leave", "sent", &ahead("2090-08-01..2090-08-02")],
        &["announce", "SAMPLE-1", "--until", &ahead("2090-01-01"), "--sent"],
        &["message", "SAMPLE-1", "-m", "Happy Easter!"],
    ] {
        player.run(args).result();
    }
    let replayed = player.run(&["verify", "--rebuild"]).result();
    assert!(!replayed.contains("- ") && !replayed.contains("stopped"), "{replayed}");
    let kept = player.path("again");
    player.run(&["verify", "--rebuild", "--keep", kept.to_str().unwrap()]).result();
    let mut again = amici::io::store::Store::open(&kept).await.unwrap();
    let game = |store: amici::io::store::StoredGame| {
        (store.game.leaves.clone(), store.game.clock_notes.clone(), store.game.moves)
    };
    let ours = player.store().await.games().await.unwrap().remove(0);
    assert_eq!(game(again.games().await.unwrap().remove(0)), game(ours));
}

#[test]
fn what_is_settled_later_of_an_earlier_move_is_no_difference_between_a_mail_and_the_record() {
    let proven = |player: &Player| {
        let verified = player.run(&["verify", "--json"]).json();
        assert_eq!(verified["games"][0]["differences"], json!([]));
        assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    };
    let body = "7. 5171\nreceived 26.10. sent 30.10. ";
    for (earlier, later, pair) in [("0", "5", "4/12"), ("5", "0", "4/17")] {
        let player = Player::waiting();
        let penalty = |days: &str| {
            player.run(&["clock", "set", "SAMPLE-1", "6w", "--penalty", days, "--why", "it was illegal"]).result();
        };
        penalty(earlier);
        assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", &format!("{body}{pair}\n"))), "move");
        let days = player.row(13)["his"]["days"].clone();
        assert_eq!(days, 4, "{pair}");
        penalty(later);
        proven(&player);
        let leave = ["leave", "add", "2004-10-24..2004-10-25", "--of", "opponent", "--game", "SAMPLE-1", "--yes"];
        player.run(&leave).result();
        proven(&player);
    }
}

#[test]
fn a_total_that_was_settled_at_a_move_is_named_when_something_else_of_it_is_settled() {
    let player = Player::at_odds();
    let set =
        |what: &[&str]| player.run(&[&["clock", "set", "SAMPLE-1", "5b", "--why", "agreed"], what].concat()).result();
    let stands = "The total of 27 that was settled at 5... stands, so this does not change the clock of Black. Settle it anew where it \
        shall:  amici clock set SAMPLE-1 5... --black DAYS --why TEXT\n";
    assert!(!set(&["--black", "27"]).contains("stands"));
    assert!(set(&["--sent", "2004-10-20"]).contains(stands));
    assert!(!set(&["--days", "19", "--black", "25"]).contains("stands"));
}

#[test]
fn a_day_of_his_before_my_mail_is_told_as_such_and_as_my_own_slip_where_it_is_that_of_my_draft() {
    let player = Player::new();
    player.import(&document(|game| {
        game["start_date"] = json!("2020-05-01");
        game["moves"] =
            json!([{"numeric": "5254", "received": null, "sent": "2020-06-01", "days": null, "total": null}]);
    }));
    player.run(&["play", "SAMPLE-1", "5755", "--yes"]).result();
    super::agenda::sql(&player, "UPDATE outbox SET created_at = '2020-06-03T10:00:00+00:00'");
    super::agenda::sql(&player, "UPDATE plans SET sent = '2020-06-03'");
    let named = "amici sent SAMPLE-1 --on 2020-06-03";
    for what in [&["show", "SAMPLE-1"][..], &["show"], &["repeat", "SAMPLE-1"]] {
        let ran = player.run(what);
        assert!(format!("{}{}", ran.out, ran.err).contains(named), "{what:?}");
    }
    player.run(&["sent", "SAMPLE-1", "--on", "2020-06-05"]).result();
    let answer = String::from_utf8(mail("m8", "EM/ZZ/042", "2. 7163\nreceived 03.06. sent 06.06. 3/3\n")).unwrap();
    let answer = answer.replace("30 Oct 2004", "06 Jun 2020");
    let file = player.file("m8.eml", answer);
    assert!(player.run(&["take", &file, "--at", "2020-06-06T08:00:10Z"]).result().contains("move:"));
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(!clock.contains("could not be read for certain"), "{clock}");
    assert!(clock.contains("he states that he received your move on 2020-06-03; you sent it on 2020-06-05"), "{clock}");
    let settles = "amici clock set SAMPLE-1 1... --sent 2020-06-03 --why \"the day of the draft\"";
    assert!(clock.contains("is the day of your draft. If you sent it then:") && clock.contains(settles), "{clock}");
    player.run(&["clock", "set", "SAMPLE-1", "1...", "--sent", "2020-06-03", "--why", "the day of the draft"]).result();
    let settled = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(!settled.contains("is the day of your draft") && !settled.contains("you sent it on"), "{settled}");
}

#[test]
fn a_difference_stays_open_behind_his_next_mail_until_it_is_settled_or_he_states_my_figure() {
    let next = |body: &str| {
        let player = Player::at_odds();
        player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-10-31"]).result();
        let mail = String::from_utf8(mail("m8", "EM/ZZ/042", body)).unwrap().replace("30 Oct", "03 Nov");
        assert_eq!(player.takes(mail.as_bytes()), "move");
        player
    };
    let is_flagged = |player: &Player| player.run(&["status"]).result().contains("clock?");
    let player = next("8. 4445\n");
    let open =
        "move 5...: he shows sent 2004-10-21, 21 days, total 27; the record has sent 2004-10-22, 22 days, total 28";
    let said = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(said.contains("\n! 5...   5878") && said.contains(open), "{said}");
    assert!(is_flagged(&player));
    let explained = player.run(&["explain", "SAMPLE-1", "5b"]).result();
    assert!(explained.contains(&format!("  differs   {open}")), "{explained}");
    player.run(&["clock", "agree", "SAMPLE-1", "5b", "--his"]).result();
    assert_eq!(player.agreed(10)["days"], 21, "what he showed then is what is agreed to");
    assert!(!is_flagged(&player) && !player.run(&["clock", "SAMPLE-1"]).result().contains("he shows sent"));
    let mine = " No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
        \x20 5. 7163  27.09 30.09    3     7   | 5878  30.09 22.10   22    28\n\
        \x20 6. 6152  22.10 23.10    1     8   | 5755  24.10 26.10    2    30\n\
        \x20 7. 5171  26.10 30.10    4    12   | 2836  30.10 31.10    1    31\n\
        \x20 8. 4445  31.10 03.11    3    15   |\n";
    let player = next(mine);
    assert!(!is_flagged(&player) && !player.run(&["clock", "SAMPLE-1"]).result().contains("he shows sent"));
}
