//! What bites next, as the player sees it: `status`, `agenda` and `show`, on given days and without a clock.

use amici::mail::message::parse;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};

use super::care::flat;
use super::cli::{Player, document};
use super::intake::mail;
use super::leave::ahead;

const AT: &str = "2004-11-02T10:00:00Z";

#[test]
fn a_drafted_move_that_he_sent_on_another_day_than_the_draft_is_of_wants_its_day() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    sql(&player, "UPDATE plans SET sent = '2004-11-02'");
    let asked = player.run(&["sent", "SAMPLE-1"]).failure(6);
    assert!(asked.contains("your draft of 7... is of 2004-11-02, and today is "), "{asked}");
    assert!(asked.contains("amici sent SAMPLE-1 --on 2004-11-02 "), "{asked}");
    assert_eq!(player.game()["moves"].as_array().unwrap().len(), 13, "nothing was recorded");
    let said = player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
    assert!(said.starts_with("7... 2836 is on record as sent 2004-11-02: 3 days."), "{said}");
}

/// The flags of the only game on a day.
fn flags(player: &Player, at: &str) -> Vec<String> {
    let status = player.run(&["status", "--json", "--at", at]).json();
    let flags = status["games"][0]["flags"].as_array().unwrap();
    flags.iter().map(|flag| flag.as_str().unwrap().to_owned()).collect()
}

pub(super) fn sql(player: &Player, statement: &'static str) {
    let path = player.path("data").join("amici.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        SqliteConnectOptions::new().filename(path).connect().await.unwrap().execute(statement).await.unwrap();
    });
}

#[test]
fn the_agenda_lists_the_marks_of_both_sides_by_date_with_their_rules() {
    let player = Player::with_sample();
    insta::assert_snapshot!(player.run(&["agenda", "--at", AT]).result());
    let plain = player.run(&["agenda", "--plain", "--days", "11", "--at", AT]).result();
    assert_eq!(
        plain,
        "2004-11-13\tSAMPLE-1\tblack\tannounce\tinfo\ttell him if you need longer\tannounce_after\t14 days\n\
         2004-11-13\tSAMPLE-1\twhite\trepeat\tinfo\the may repeat, copy to the director\trepeat\t14 days, copy to the director\n"
    );
    assert_eq!(player.run(&["agenda", "--days", "10", "--at", AT]).result(), "Nothing comes within 10 days.\n");
}

#[test]
fn the_agenda_as_json_says_why_each_mark_stands_there() {
    let player = Player::with_sample();
    let agenda = player.run(&["agenda", "--json", "--at", "2004-11-27T10:00:00Z"]).json();
    assert_eq!((&agenda["schema"], &agenda["days"], &agenda["clock_doubt"]), (&json!(1), &json!(30), &Value::Null));
    assert_eq!(
        agenda["marks"][0],
        json!({
            "date": "2004-11-29", "at": null, "game_id": "SAMPLE-1", "opponent": "Ostrander, Mila", "side": "black", "mine": true,
            "kind": "time_control", "words": "time control 10", "mark": "time control 10", "severity": "urgent", "over": null,
            "why": {"key": "control", "value": "10 moves / 60 days"},
        })
    );
}

#[test]
fn the_last_day_of_an_opponent_in_another_zone_stands_where_it_ends_for_the_player() {
    let player = Player::waiting();
    let his = String::from_utf8(mail("m7", "EM/ZZ/042", "7. 5171\n")).unwrap();
    assert_eq!(player.takes(his.replace("20:21:00 +0200", "13:21:00 -0500").as_bytes()), "move");
    player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-10-31"]).result();
    let lists = |at: &str| {
        let list = |args: &[&str]| player.run(&[args, &["--at", at]].concat()).result();
        (list(&["agenda", "--plain", "--days", "60"]), list(&["show", "SAMPLE-1"]), list(&["status"]), list(&["ical"]))
    };
    // 48 days from 31 October end five hours behind UTC
    let until = "his time control 10, until 06:00";
    let (agenda, _, _, calendar) = lists("2004-12-01T10:00:00Z");
    assert!(agenda.contains(&format!("2004-12-19\tSAMPLE-1\twhite\ttime_control\tinfo\t{until}\t")), "{agenda}");
    assert!(calendar.contains("DTSTART;VALUE=DATE:20041219") && calendar.contains("until 06:00"), "{calendar}");
    let (_, show, status, _) = lists("2004-12-19T04:59:59Z");
    assert!(!show.contains("passed on") && !status.contains("passed"), "{show}{status}");
    // he may book the mail a day later, and his clocks may have been set back by an hour
    let perhaps = "his time control 10, until 06:00; certain from Mon 20 Dec 2004 07:00";
    for at in ["2004-12-19T05:00:00Z", "2004-12-20T05:59:59Z"] {
        let (agenda, show, status, _) = lists(at);
        assert!(show.contains(&format!("Next: perhaps passed on Sun 19 Dec 2004  {perhaps}")), "{show}");
        assert!(status.contains("perhaps") && !status.contains("passed"), "{status}");
        assert!(agenda.contains("until 06:00, perhaps over: certain from Mon 20 Dec 2004 07:00"), "{agenda}");
    }
    let (_, show, status, _) = lists("2004-12-20T06:00:00Z");
    assert!(show.contains("Next: passed on Sun 19 Dec 2004") && status.contains("passed"), "{show}{status}");
}

#[tokio::test]
async fn a_date_that_costs_the_player_days_is_told_everywhere_with_what_settles_it() {
    for settled in ["2004-10-30", "2004-10-27"] {
        let player = Player::waiting();
        let backdated = String::from_utf8(mail("m7", "EM/ZZ/042", "7. 5171\n")).unwrap();
        let backdated = backdated.replace("Date: Sat, 30 Oct", "Date: Wed, 27 Oct");
        assert_eq!(player.takes(backdated.as_bytes()), "move");
        let command = "amici clock set SAMPLE-1 7. --sent 2004-10-30 --why";
        let told = || {
            let list = |args: &[&str]| flat(&player.run(args).result());
            let says = [list(&["explain", "SAMPLE-1", "last"]), list(&["clock", "SAMPLE-1"])];
            (says.map(|said| said.contains(command)), flags(&player, "2004-11-01T10:00:00Z"))
        };
        assert_eq!(told(), ([true, true], vec!["clock?".to_owned()]));
        let notices = player.store().await.unsent().await.unwrap();
        let notice = flat(&parse(&notices.last().unwrap().outgoing.bytes).unwrap().plain.unwrap());
        assert!(notice.contains(command) && notice.contains("you think since 28 October 2004"), "{notice}");
        player.run(&["clock", "set", "SAMPLE-1", "7.", "--sent", settled, "--why", "his server"]).result();
        assert_eq!(told(), ([false, false], vec![]), "{settled}");
    }
}

#[test]
fn without_a_game_the_lists_are_empty_and_say_what_to_do() {
    let player = Player::new();
    assert_eq!(player.run(&["agenda", "--json"]).json()["marks"], json!([]));
    assert!(player.run(&["show"]).result().contains("amici import FILE"));
    let first = player.run(&["show", "--json"]).json();
    assert_eq!((&first["schema"], &first["game"], &first["waiting"]), (&json!(1), &Value::Null, &json!(0)));
}

#[test]
fn show_without_a_name_shows_the_game_that_needs_the_player_most_with_its_reason() {
    let player = Player::with_sample();
    player.import(&document(|game| {
        game["id"] = json!("LATE-2");
        game["last_message_id"] = Value::Null;
        game["rules"] = json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 40}});
    }));
    let shown = player.run(&["show", "--at", "2004-11-08T10:00:00Z"]).result();
    assert!(
        shown.starts_with("LATE-2 needs you most: it is urgent; Tue 09 Nov 2004: time control 10\n\nLATE-2   you"),
        "{shown}"
    );
    assert!(shown.ends_with("Next: amici play LATE-2 MOVE   (numeric, SAN or c7c5)\n"), "{shown}");
    let data = player.run(&["show", "--at", "2004-11-08T10:00:00Z", "--json"]).json();
    let listed = player.run(&["status", "--at", "2004-11-08T10:00:00Z", "--json"]).json();
    assert_eq!(
        (&data["game"], data["game"]["id"].as_str()),
        (&listed["games"][0], Some("LATE-2")),
        "as `status` has it"
    );
    assert_eq!(data["why"], "LATE-2 needs you most: it is urgent; Tue 09 Nov 2004: time control 10");
    let calm = player.run(&["show", "--at", AT]).result();
    assert!(calm.starts_with("LATE-2 needs you most: it is your move; "), "{calm}");
    for game in ["SAMPLE-1", "LATE-2"] {
        player.run(&["play", game, "Nc6"]).result();
    }
    let drafted = player.run(&["show", "--at", AT]).result();
    assert!(
        drafted.contains("Next: send the draft of LATE-2, then  amici sent LATE-2 --on 2")
            && drafted.ends_with("   if his answer is slow\n"),
        "{drafted}"
    );
    assert_eq!(
        Player::waiting().run(&["show", "--at", AT]).result(),
        "No game needs you; 1 game waits for your opponent.\n"
    );
}

#[test]
fn a_silent_opponent_is_flagged_and_the_permission_is_open_today() {
    let player = Player::waiting();
    assert_eq!(flags(&player, "2004-11-08T10:00:00Z"), Vec::<String>::new());
    assert_eq!(flags(&player, "2004-11-09T10:00:00Z"), ["silent"]);
    let status = player.run(&["status", "--at", "2004-11-20T10:00:00Z"]).result();
    assert!(status.contains("today       you may repeat, copy to the director"), "{status}");
    let json = player.run(&["status", "--json", "--at", "2004-11-20T10:00:00Z"]).json();
    let words = "you may repeat, copy to the director";
    assert_eq!(
        json["games"][0]["next_event"],
        json!({"date": "2004-11-09", "kind": "repeat", "words": words, "over": null})
    );
}

#[test]
fn leave_and_an_overstepped_clock_are_flagged() {
    let player = Player::with_sample();
    sql(
        &player,
        "INSERT INTO leaves (game, position, side, from_day, to_day) VALUES (1, 0, 'white', '2004-11-01', '2004-11-03')",
    );
    assert_eq!(flags(&player, AT), ["leave"]);
    assert_eq!(flags(&player, "2004-11-04T10:00:00Z"), Vec::<String>::new());
    assert_eq!(flags(&player, "2005-06-01T10:00:00Z"), ["overstep"]);
}

#[test]
fn status_is_sorted_by_what_bites_next_and_hides_finished_games_from_the_eye_alone() {
    let player = Player::with_sample();
    let rules =
        |days: u32| json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": days}});
    for (id, days, result) in [("B-60", 50, Value::Null), ("A-33", 36, Value::Null), ("DONE", 60, json!("1-0"))] {
        player.import(&document(|game| {
            game["id"] = json!(id);
            game["rules"] = rules(days);
            game["result"] = result;
            game["last_message_id"] = Value::Null;
        }));
    }
    let order = |args: &[&str]| -> Vec<String> {
        let shown = player.run(args).result();
        shown.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(order(&["status", "--plain", "--at", AT]), ["A-33", "B-60", "SAMPLE-1"]);
    assert_eq!(order(&["status", "--plain", "--all", "--at", AT]), ["A-33", "B-60", "SAMPLE-1", "DONE"]);
    let text = player.run(&["status", "--at", AT]).result();
    assert!(text.contains(" !!  A-33") && text.contains("\n1 game is finished (status --all)\n"), "{text}");
    let listed = player.run(&["status", "--json", "--at", AT]).json()["games"].as_array().unwrap().len();
    assert_eq!(listed, 4);
}

/// Something was done by a clock that ran ahead.
pub(super) const AHEAD: &str =
    "INSERT INTO acts (at, kind, body) SELECT '2999-01-01T00:00:00+00:00', kind, body FROM acts ORDER BY id LIMIT 1";
/// What every doubt of it names.
const WAY_BACK: &str = "set the clock; if it is right now and ran ahead then, say  amici check --clock-is-right WHY";

#[test]
fn a_clock_behind_what_was_done_or_came_is_not_believed_and_a_mail_put_in_by_hand_is_no_witness() {
    let mail = "INSERT INTO mails (sha256, size, subject, taken_at, server_date)
        VALUES (zeroblob(32), 1, '', '2026-03-01T00:00:00+00:00', '2999-01-01T00:00:00+00:00')";
    let came = "INSERT INTO arrivals (source, folder, epoch, uid, mail, attempts, state, noted_at)
        VALUES ('imap', 'INBOX', 1, '1', 1, 1, 'done', '2026-03-01T00:00:00+00:00')";
    let unread = "UPDATE mails SET taken_at = '1970-01-01T00:05:00+00:00'";
    for (statements, is_doubted) in
        [(&[mail][..], false), (&[mail, came], true), (&[mail, came, unread], false), (&[AHEAD], true)]
    {
        let player = Player::with_sample();
        statements.iter().for_each(|statement| sql(&player, statement));
        let doubt = player.run(&["status", "--json"]).json()["clock_doubt"].take();
        assert_eq!(doubt.is_string(), is_doubted, "{statements:?}: {doubt}");
        let first = player.run(&["show"]).result();
        assert_eq!(first.contains("NO DEADLINE IS JUDGED"), is_doubted, "{first}");
    }
}

#[test]
fn without_a_clock_that_can_be_right_no_deadline_is_judged_and_the_record_stands() {
    let player = Player::with_sample();
    sql(&player, AHEAD);
    let status = player.run(&["status", "--json"]).json();
    let game = &status["games"][0];
    assert_eq!([&game["days_this_move"], &game["days_left"], &game["next_event"]], [&Value::Null; 3]);
    assert_eq!((&game["days_used"], &game["flags"]), (&json!(30), &json!([])));
    assert!(
        status["clock_doubt"].as_str().unwrap().contains("the newest mail or command on record is of 2999-01-01"),
        "{status}"
    );
    for command in [&["show", "SAMPLE-1"][..], &["show"], &["clock", "SAMPLE-1"]] {
        let text = player.run(command).result();
        assert!(text.contains("\nBlack: 30 days used + unknown for this move\n"), "{command:?}: {text}");
        assert!(text.contains("\nWhite: 12 days used, 48 left to move 10\n"), "{command:?}: {text}");
    }
    let explained = player.run(&["explain", "SAMPLE-1", "7b"]).result();
    assert!(
        explained.contains("  days      unknown, since the clock of this machine is not believed\n"),
        "{explained}"
    );
    let clock = player.run(&["clock", "SAMPLE-1", "--json"]).json();
    let explained = player.run(&["explain", "SAMPLE-1", "7b", "--json"]).json();
    let black = &clock["clocks"]["black"];
    assert_eq!([&black["days_this_move"], &black["days_left"], &explained["counts"]["days"]], [&Value::Null; 3]);
    let calendar = player.run(&["ical"]);
    assert!(calendar.err.starts_with("NO DEADLINE IS JUDGED: "), "{}", calendar.err);
    let calendar: Value = serde_json::from_str(&player.run(&["ical", "--json"]).out).unwrap();
    assert!(calendar["clock_doubt"].is_string());
    for command in [&["status"][..], &["agenda"], &["show", "SAMPLE-1"], &["show"]] {
        let text = player.run(command).result();
        assert!(text.contains("NO DEADLINE IS JUDGED: the clock of this machine says "), "{command:?}: {text}");
        assert!(text.contains("SAMPLE-1") && !text.contains("time control 10"), "{command:?}: {text}");
        assert!(
            text.contains(&format!("\nhelp: {WAY_BACK}\nto look at a day in spite of it, say --at INSTANT\n")),
            "{text}"
        );
    }
    let shown = player.run(&["show", "SAMPLE-1", "--json"]).json();
    assert_eq!((&shown["clock_trusted"], &status["clock_trusted"]), (&json!(false), &json!(false)));
    assert!(shown["clock_doubt"].as_str().unwrap().contains("2999-01-01"), "{shown}");
    assert_eq!(
        (&shown["clocks"]["black"]["days_left"], &shown["clocks"]["white"]["days_left"]),
        (&Value::Null, &json!(48))
    );
    for command in [
        &["play", "SAMPLE-1", "Nc6"][..],
        &["announce", "SAMPLE-1", "--until", &ahead("2090-02-01")],
        &["leave", "add", &ahead("2090-02-01..2090-02-03")],
        &["claim", "SAMPLE-1", "--silence"],
        &["clock", "set", "SAMPLE-1", "6b", "--days", "3", "--why", "agreed"],
    ] {
        let refused = player.run(command);
        assert_eq!(refused.code, 1, "{command:?}: {}", refused.err);
        assert!(refused.err.contains(&format!("it would get a wrong day; {WAY_BACK}")), "{}", refused.err);
    }
    let file = player.dir.path().join("saved.eml").display().to_string();
    std::fs::write(&file, "From: mila.ostrander@example.org\r\nSubject: SAMPLE-1\r\n\r\n7... 2836\r\n").unwrap();
    let refused = player.run(&["take", &file]).failure(1);
    assert!(refused.contains(&format!("nothing was done: say --at INSTANT, or {WAY_BACK}")), "{refused}");
    assert!(player.run(&["take", &file, "--at", AT]).result().contains("SAMPLE-1"));
    assert_eq!(player.run(&["status", "--exit-code"]).code, 9);
    assert_eq!(player.run(&["agenda", "--json"]).json()["marks"], json!([]));
    let named = player.run(&["status", "--json", "--at", AT]).json();
    assert_eq!(
        (&named["games"][0]["days_left"], &named["clock_doubt"]),
        (&json!(27), &Value::Null),
        "a day that he names counts"
    );
}

#[test]
fn a_running_game_without_dates_has_unknown_days_and_every_list_names_what_enters_them() {
    let player = Player::new();
    player.import(&document(|game| {
        let moves = game["moves"].as_array_mut().unwrap();
        moves.truncate(3);
        for ply in moves {
            for key in ["received", "sent", "days", "total"] {
                ply[key] = Value::Null;
            }
        }
    }));
    let row = player.run(&["status", "--at", AT]).result();
    let game = row.lines().find(|line| line.contains("SAMPLE-1  ")).unwrap();
    assert!(game.ends_with("dates?") && game.matches(" - ").count() >= 4 && !game.contains(" d "), "{row}");
    assert!(row.contains("how to enter them:  amici show SAMPLE-1"), "{row}");
    let json = player.run(&["status", "--json", "--at", AT]).json();
    assert_eq!((&json["games"][0]["days_this_move"], &json["games"][0]["days_left"]), (&Value::Null, &Value::Null));
    assert!(player.run(&["agenda", "--at", AT]).result().contains("no limit can be told; games: 1"));
    let shown = player.run(&["show", "SAMPLE-1", "--at", AT]).result();
    let enter = "amici clock set SAMPLE-1 2. --sent DATE --why TEXT";
    assert!(shown.contains("Black: 0 days used by the dates on record + unknown for this move\n"), "{shown}");
    assert!(shown.contains(enter) && !shown.contains("60 left"), "{shown}");
    assert!(player.run(&["clock", "SAMPLE-1"]).result().contains(enter));

    // the days of the moves before it are as unknown as they were
    player.run(&["clock", "set", "SAMPLE-1", "2.", "--sent", "2004-10-30", "--why", "his card"]).result();
    assert_eq!(flags(&player, AT), ["dates?"]);
    let json = player.run(&["status", "--json", "--at", AT]).json();
    assert_eq!((&json["games"][0]["days_this_move"], &json["games"][0]["days_left"]), (&json!(3), &Value::Null));
    let shown = player.run(&["show", "SAMPLE-1", "--at", AT]).result();
    assert!(shown.contains("Black: at least 0 days used + 3 for this move, at most 57 left to move 10\n"), "{shown}");
    let totals = "amici clock set SAMPLE-1 --white DAYS --black DAYS --why TEXT";
    assert!(shown.contains(totals), "{shown}");
    assert!(!player.run(&["agenda", "--days", "365", "--at", AT]).result().contains("time control"));
    let draft = player.run(&["play", "SAMPLE-1", "7776", "-n"]).result();
    assert!(draft.contains(", total unknown. ") && draft.contains("\nDays: "), "{draft}");
    let none = "Days of my earlier moves are not on record here: I state no total.";
    let draft = draft.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        draft.contains(none) && !draft.replace(", total unknown", "").replace(none, "").contains("total"),
        "{draft}"
    );

    player.run(&["clock", "set", "SAMPLE-1", "--white", "4", "--black", "0", "--why", "both tables"]).result();
    assert_eq!(flags(&player, AT), Vec::<String>::new());
    let shown = player.run(&["show", "SAMPLE-1", "--at", AT]).result();
    assert!(shown.contains("Black: 0 days used + 3 for this move, 57 left to move 10\n"), "{shown}");
}

#[test]
fn an_import_of_running_games_without_dates_says_so_once() {
    let player = Player::new();
    let file = player.path("undated.pgn");
    let game = |event: &str| {
        format!(
            "[Event \"EM/{event}\"]\n[Site \"ICCF\"]\n[Date \"2004.09.15\"]\n[Round \"-\"]\n[White \"Ostrander, Mila\"]\n\
             [Black \"Quillfeather, Tobin\"]\n[Result \"*\"]\n[TimeControl \"10/5184000\"]\n[WhiteNA \"m@example.org\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n"
        )
    };
    std::fs::write(&file, game("1") + &game("2")).unwrap();
    let said = player.run(&["import", file.to_str().unwrap()]).result();
    let told =
        "2 running games have moves without a date: their days are unknown. How to enter it:  amici show EM-1-OST\n";
    assert!(said.contains(told), "{said}");
    let nothing = player.run(&["claim", "EM-1-OST", "-n"]).failure(1);
    assert_eq!(nothing.matches("only the player on the move").count(), 1, "{nothing}");
}

#[test]
fn the_days_at_an_instant_before_the_receipt_are_none_and_no_date_is_missing() {
    let player = Player::with_sample();
    let days = |at: &str| player.run(&["explain", "SAMPLE-1", "7b", "--at", at]).result();
    let before = days("2004-10-01T10:00:00Z");
    assert!(before.contains("  days      none: on 2004-10-01 the move before was not received yet\n"), "{before}");
    assert!(days("2004-11-01T10:00:00Z").contains("  days      2 calendar days; up to 2004-11-01\n"));
}

#[test]
fn where_the_position_ends_the_game_the_result_is_advised_and_no_move() {
    let player = Player::new();
    player.import(&document(|game| {
        game["me"] = json!("white");
        let black = game["black"].take();
        game["black"] = game["white"].take();
        game["white"] = black;
        game["moves"] = json!(["6263", "5755", "7274", "4884"].map(|m| json!({"numeric": m, "sent": "2004-10-01"})));
    }));
    for command in [&["show", "SAMPLE-1"][..], &["status"], &["show"]] {
        let text = player.run(command).result();
        assert!(text.contains("\nNext: amici result SAMPLE-1 0-1 ") && !text.contains("amici play"), "{text}");
    }
    player.run(&["result", "SAMPLE-1", "0-1"]).result();
}

#[test]
fn a_reply_that_a_conditional_of_mine_promised_is_shown_until_it_is_chosen() {
    let player = Player::new();
    player.import(&document(|game| game["conditionals"] = json!([["5171", "2836"]])));
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    let bound = "YOU ARE BOUND: your conditional promised 7... 2836 to this move.\n";
    assert!(shown.contains(bound) && shown.contains("amici play SAMPLE-1 2836\n"), "{shown}");
    assert!(flags(&player, AT).contains(&"bound".to_owned()), "{:?}", flags(&player, AT));
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["promised"], "2836");
    player.run(&["play", "SAMPLE-1", "2836"]).result();
    assert!(!player.run(&["show", "SAMPLE-1"]).result().contains("YOU ARE BOUND"));
}
