//! Claims: only where the record bears them out, with everything the director needs, and never by themselves.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use super::care::{flat, text};
use super::cli::{Player, document, second};
use super::intake::{ME, mail};
use super::queue::attached;

/// Few days, so that White's twelve are too many.
const TEN_DAYS: &str = r#"{"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 10}}"#;
const SHUFFLE: [&str; 8] = ["7163", "7866", "6371", "6678", "7163", "7866", "6371", "6678"];

fn overstepped() -> Player {
    let player = Player::new();
    player.import(&document(|game| game["rules"] = serde_json::from_str(TEN_DAYS).unwrap()));
    player
}

/// The player has White.
fn with_white(game: &mut Value) {
    let white = game["white"].take();
    game["white"] = game["black"].take();
    game["black"] = white;
    game["me"] = json!("white");
}

/// The player has White in a game of these moves.
fn white(fen: Option<&str>, moves: &[&str]) -> Player {
    let player = Player::new();
    let moves: Vec<Value> = moves.iter().map(|m| json!({"numeric": m, "sent": "2004-10-01"})).collect();
    player.import(&document(|game| {
        with_white(game);
        game["start_fen"] = json!(fen);
        game["moves"] = json!(moves);
    }));
    player.directed()
}

#[tokio::test]
async fn t70_a_claim_on_time_has_the_whole_game_with_dates_both_clocks_and_the_rule() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let player = player.directed();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 30.10.  4/12\n")), "move");
    let said = player.run(&["claim", "SAMPLE-1"]).result();
    assert!(
        said.contains("exceeded his time by 2 days with his move 7: 12 days used, 10 allowed up to move 10."),
        "{said}"
    );
    assert!(said.contains("Nothing has been sent to anybody else"), "{said}");
    let (to_me, letter) = player.letter(".claim").await;
    assert_eq!(to_me.subject, "[amici SAMPLE-1] ready to send to the director: a claim");
    assert_eq!(letter.subject, "EM/ZZ/042 Ostrander - Quillfeather");
    let body = text(&letter);
    insta::with_settings!({filters => vec![
        (r"The clocks on .*:", "The clocks on [TODAY]:"),
        (r"Black: \d+ days.*", "Black: [RUNNING]"),
        (r"at least by \d+", "at least by [RUNNING]"),
    ]}, { insta::assert_snapshot!(body) });
    let row = player.store().await.unsent().await.unwrap().pop().unwrap();
    let raw = String::from_utf8(attached(&row.outgoing.bytes)).unwrap();
    assert!(raw.contains("\r\nTo: td@example.net\r\nCc: ") && raw.contains("<mila.ostrander@example.org>"), "{raw}");
    let again = player.run(&["claim", "SAMPLE-1", "--time"]).failure(6);
    assert!(again.contains("the same claim was drafted on"), "{again}");
    assert!(player.game()["result"].is_null(), "a claim decides nothing");
}

#[tokio::test]
async fn of_a_move_of_mine_the_mail_that_was_seen_is_named_and_no_draft_of_it() {
    let own = "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\n\
        Date: Mon, 1 Nov 2004 18:00:00 +0100\r\nMessage-ID: <own1@example.net>\r\n\r\n7... 2836\r\n";
    for (is_seen, said) in
        [(true, "7... my own\n    <own1@example.net>\n"), (false, "7... my own\n    its Message-ID is not on record\n")]
    {
        let player = Player::with_sample();
        player.configure(&format!(
            "{}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n",
            super::intake::ME
        ));
        player.run(&["play", "SAMPLE-1", "2836"]).result();
        if is_seen {
            let file = player.file("own.eml", own);
            player.run(&["take", &file, "--at", "2004-11-01T17:00:10Z"]).result();
        } else {
            player.run(&["sent", "SAMPLE-1", "--on", "2004-11-01"]).result();
        }
        player.run(&["claim", "SAMPLE-1", "--silence"]).result();
        let (_, letter) = player.letter(".claim").await;
        assert!(text(&letter).contains(said), "{}", text(&letter));
    }
}

#[tokio::test]
async fn without_a_known_director_the_claim_says_so_and_leaves_his_address_to_the_player() {
    let player = overstepped();
    let said = player.run(&["claim", "SAMPLE-1"]).result();
    assert!(said.contains("no director of EM/ZZ/042 is known here"), "{said}");
    let (to_me, _) = player.letter(".claim").await;
    assert!(flat(&text(&to_me)).contains("For you: no director of EM/ZZ/042 is known here"));
    let row = player.store().await.unsent().await.unwrap().remove(0);
    let raw = String::from_utf8(attached(&row.outgoing.bytes)).unwrap();
    assert!(raw.contains("\r\nCc: ") && !raw.contains("\nTo:"), "{raw}");
}

#[tokio::test]
async fn where_nothing_can_be_claimed_the_figures_say_why() {
    let player = Player::with_sample();
    let refused = player.run(&["claim", "SAMPLE-1"]).failure(1);
    for figure in [
        "his time is not overstepped (White: 12 days used, 48 left to move 10)",
        "he is not silent, the next move is yours",
        "the position stands for the first time",
        "moves without a capture or a move of a pawn, and 50 are needed",
    ] {
        assert!(refused.contains(figure), "{figure} in {refused}");
    }
    let tablebase = player.run(&["claim", "SAMPLE-1", "--tablebase", "win", "--yes"]).failure(1);
    assert!(tablebase.contains("32 men are on the board, and the tablebases know 7"), "{tablebase}");
    assert_eq!(player.run(&["claim", "SAMPLE-1", "--time", "--silence"]).code, 2);
    assert!(player.errands(".claim").await.is_empty());
}

#[tokio::test]
async fn silence_beyond_the_days_of_the_rules_is_claimed_and_an_announcement_holds_it_off() {
    let player = Player::waiting().directed();
    player.run(&["claim", "SAMPLE-1", "--silence"]).result();
    let (_, letter) = player.letter(".claim").await;
    let body = flat(&text(&letter));
    assert!(body.contains("my last move was sent on 26 October 2004, and the rules allow 40"), "{body}");
    assert!(body.contains("the director may then score the game as lost"), "{body}");
    let row = "7. ____ 26.10 __.__ The move 7. is not sent yet: received 26 October 2004 (assumed: the day on which I sent mine, \
        since no mail of his says when he received it).";
    assert!(body.contains(row), "{body}");
    let announced = Player::new();
    announced.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        game["clock_notes"] = json!([{"ply": 13, "kind": "announced", "on": "2004-10-28", "until": "2090-01-01"}]);
    }));
    let refused = announced.run(&["claim", "SAMPLE-1", "--silence"]).failure(1);
    assert!(refused.contains("announced that he needs until 2090-01-01"), "{refused}");
}

#[test]
fn before_a_claim_of_silence_the_mailbox_is_searched_for_a_mail_of_his() {
    let player = Player::waiting().with_maildir();
    let mail = |name: &str, from: &str| {
        let text = format!("From: <{from}>\nSubject: my move\nMessage-ID: <{name}@example.org>\n\nHello\n");
        std::fs::write(player.path("Maildir").join("cur").join(format!("{name}.a.b")), text).unwrap();
    };
    mail("other", "somebody@example.org");
    let said = player.run(&["claim", "SAMPLE-1", "--silence", "-n"]).result();
    assert!(!said.contains("that was not read"), "{said}");
    mail("hers", "Mila.Ostrander@example.org");
    let asked = player.run(&["claim", "SAMPLE-1", "--silence"]).failure(6);
    assert!(asked.contains("a mail of his lies in your folder INBOX that was not read: \"my move\""), "{asked}");
    std::fs::remove_dir_all(player.path("Maildir").join("new")).unwrap();
    let asked = player.run(&["claim", "SAMPLE-1", "--silence"]).failure(6);
    assert!(asked.contains("your mailbox could not be searched for a mail of his"), "{asked}");
}

#[test]
fn a_claim_of_silence_while_his_leave_runs_asks() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        let announced = "2005-01-10";
        game["leaves"] = json!([{"side": "white", "from": "2005-02-01", "to": "2090-01-01", "announced": announced}]);
    }));
    let asked = player.run(&["claim", "SAMPLE-1", "--silence"]).failure(6);
    assert!(asked.contains("he is on leave by the record, from 2005-02-01 to 2090-01-01"), "{asked}");
}

#[test]
fn while_leave_runs_on_the_day_on_which_the_silence_would_be_too_long_nothing_is_claimed() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        let announced = "2004-10-28";
        game["leaves"] = json!([{"side": "white", "from": "2005-02-01", "to": "2090-01-01", "announced": announced}]);
        game["clock_notes"] = json!([{"ply": 13, "kind": "announced", "on": announced, "until": "2005-02-20"}]);
    }));
    let refused = player.run(&["claim", "SAMPLE-1", "--silence"]).failure(1);
    let why = "but announced that he needs until 2005-02-20; his leave runs, and it is too long from 2090-01-02 on";
    assert!(refused.contains(why), "{refused}");
    let asked = player.run(&["repeat", "SAMPLE-1"]).failure(6);
    let why = "he announced on 2004-10-28 that he needs longer until 2005-02-20, and his leave runs on it; no repeat is needed";
    assert!(asked.contains(why), "{asked}");
}

#[tokio::test]
async fn the_leave_that_a_claim_leaves_out_is_named() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        game["leaves"] =
            json!([{"side": "white", "from": "2004-11-01", "to": "2004-11-10", "announced": "2004-10-20"}]);
    }));
    player.run(&["claim", "SAMPLE-1", "--silence"]).result();
    let (_, letter) = player.letter(".claim").await;
    let body = flat(&text(&letter));
    assert!(
        body.contains("sent on 26 October 2004, 10 days of his leave are not counted, and the rules allow"),
        "{body}"
    );
    assert!(body.contains(" calendar days, less 10 of leave (1 November 2004 to 10 November 2004) Black:"), "{body}");
    assert!(body.contains("The rules for days that are not simply those between two dates: leave: 30 days in a calendar year, to be announced"), "{body}");
}

#[test]
fn leave_of_the_players_own_is_no_silence_and_no_time_of_his_where_it_stops_both_clocks() {
    let claims = |rules: &str| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] = json!({"base": rules, "silence": {"days": 40, "effect": "warn", "counts_leave": false, "extend_by_notice": true}});
            game["moves"].as_array_mut().unwrap().pop();
            game["leaves"] = json!([{"side": "black", "from": "2004-10-27", "to": "2090-01-01", "announced": "2004-10-20"}]);
        }));
        ["--time", "--silence"].map(|what| player.run(&["claim", "SAMPLE-1", what]).code)
    };
    assert_eq!((claims("iecc"), claims("semi")), ([1, 1], [0, 0]));
}

#[tokio::test]
async fn a_held_mail_of_his_stands_before_every_claim_and_repeat_that_says_he_has_not_answered() {
    for (body, outcome, reason) in
        [("8. 5171\n", "needs_human", "he writes 8. 5171"), ("7. 5152\n", "illegal", "7. 5152 is not legal")]
    {
        let player = Player::waiting().directed();
        assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", body)), outcome);
        for what in [&["claim", "SAMPLE-1", "--silence"][..], &["claim", "SAMPLE-1", "--time"], &["repeat", "SAMPLE-1"]]
        {
            let asked = player.run(what).failure(6);
            assert!(asked.contains("mail 1 of Sat 30 Oct 2004 is held and may be his answer (line 1: "), "{asked}");
            assert!(asked.contains(reason) && asked.contains("settle it first,  amici review --mail 1"), "{asked}");
            assert_eq!(asked.contains("his days stand still until he is told of it"), outcome == "illegal", "{asked}");
        }
        assert!(player.errands(".claim").await.is_empty() && player.errands(".repeat").await.is_empty());
        let shown = player.run(&["show", "SAMPLE-1"]).result();
        assert!(
            shown.contains("A mail of his is held (below): if it is his answer, his clock has stopped."),
            "{shown}"
        );
        player.run(&["claim", "SAMPLE-1", "--silence", "--yes"]).result();
    }
}

#[test]
fn an_illegal_move_of_his_is_no_silence_and_stands_before_a_claim_until_it_is_counted() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5152\n")), "illegal");
    player.run(&["ignore", "1"]).result();
    let asked = player.run(&["claim", "SAMPLE-1", "--time"]).failure(6);
    assert!(!asked.contains("is held"), "{asked}");
    let help = "amici clock illegal SAMPLE-1 7. --noticed DATE --why TEXT";
    assert!(asked.contains("mail 1 gives an illegal move") && asked.contains(help), "{asked}");
    player.run(&["clock", "illegal", "SAMPLE-1", "7.", "--noticed", "2004-11-03", "--why", "told him"]).result();
    player.run(&["claim", "SAMPLE-1", "--time"]).result();
    let said = player.run(&["claim", "SAMPLE-1", "--silence"]).result();
    let since =
        "my last move was sent on 26 October 2004, he was told on 3 November 2004 that his answer was illegal, and";
    assert!(said.contains(since), "{said}");
}

/// Whether the list has the flag of a draw that may be claimed, and its hint.
fn listed(player: &Player) -> (bool, String) {
    let games = player.run(&["status", "--json"]).json();
    let is_flagged = games["games"][0]["flags"].as_array().unwrap().contains(&json!("draw-claim"));
    let said = player.run(&["status"]).result();
    let hint = flat(said.rsplit("\n\n").next().unwrap()).trim().to_owned();
    (is_flagged, hint.split(" drafts").next().unwrap().to_owned())
}

#[tokio::test]
async fn a_third_repetition_is_claimed_with_the_moves_after_which_the_position_stood() {
    let player = white(None, &SHUFFLE);
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    assert!(flat(&shown).contains("a draw before you move: amici claim SAMPLE-1 --repetition"), "{shown}");
    assert_eq!(listed(&player), (true, "Next: amici claim SAMPLE-1 --repetition".to_owned()));
    assert!(flat(&player.run(&["show"]).result()).contains("; you may claim a draw"));
    player.run(&["claim", "SAMPLE-1", "--repetition"]).result();
    let (_, letter) = player.letter(".claim").await;
    let body = flat(&text(&letter));
    assert!(body.contains("It stood at the start, after 2..., after 4...."), "{body}");
    assert!(body.contains("FIDE Laws of Chess, 9.2"), "{body}");
    let second = white(None, &SHUFFLE[..4]).run(&["claim", "SAMPLE-1", "--repetition"]).failure(1);
    assert!(second.contains("stands for the second time, and the third is needed"), "{second}");
    for plies in [4, 7] {
        assert!(!listed(&white(None, &SHUFFLE[..plies])).0, "{plies}");
    }
    let his = white(None, &SHUFFLE[..7]).run(&["claim", "SAMPLE-1", "--repetition"]).failure(1);
    assert!(his.contains("only the player on the move"), "{his}");
}

#[tokio::test]
async fn the_drafted_move_counts_for_a_claim_that_it_brings_about() {
    let player = white(None, &["7163", "7866", "6371", "6678", "7163", "7866", "6371", "6678", "7183", "7866"]);
    assert!(!listed(&player).0);
    player.run(&["play", "SAMPLE-1", "8371", "--yes"]).result();
    assert_eq!(
        listed(&player),
        (true, "Next: amici show SAMPLE-1 you may claim a draw before you send its draft".to_owned())
    );
    let shown = flat(&player.run(&["show", "SAMPLE-1"]).result());
    let with = "You may claim a draw with 6. 8371, which is not sent then: amici claim SAMPLE-1 --repetition";
    assert!(shown.contains(with), "{shown}");
    player.run(&["claim", "SAMPLE-1", "--repetition"]).result();
    let (_, letter) = player.letter(".claim").await;
    assert!(flat(&text(&letter)).contains("with my move 6. 8371, which I have not sent yet,"));
}

#[test]
fn a_draw_that_the_chosen_move_gives_away_is_claimed_before_it() {
    let player = white(None, &SHUFFLE);
    player.run(&["play", "SAMPLE-1", "5254", "--yes"]).result();
    let shown = flat(&player.run(&["show", "SAMPLE-1"]).result());
    let back = "You may claim a draw before you move; take 5. 5254 back first: amici undo SAMPLE-1 then amici claim SAMPLE-1 --repetition";
    assert!(shown.contains(back) && listed(&player).0, "{shown}");
    player.run(&["claim", "SAMPLE-1", "--repetition"]).failure(1);
    player.run(&["undo", "SAMPLE-1"]).result();
    player.run(&["claim", "SAMPLE-1", "--repetition"]).result();
}

#[tokio::test]
async fn fifty_moves_and_tablebases_are_claimed_from_the_position() {
    let player = white(Some("4k3/8/8/8/8/8/8/4K2R w - - 98 80"), &["8171", "5848"]);
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    assert!(flat(&shown).contains("a draw before you move: amici claim SAMPLE-1 --fifty-moves"), "{shown}");
    assert_eq!(listed(&player), (true, "Next: amici claim SAMPLE-1 --fifty-moves".to_owned()));
    player.run(&["claim", "SAMPLE-1", "--fifty-moves"]).result();
    let asked = player.run(&["claim", "SAMPLE-1", "--tablebase", "win"]).failure(6);
    assert!(asked.contains("the tablebases were not looked at here"), "{asked}");
    player.run(&["claim", "SAMPLE-1", "--tablebase", "win", "--yes"]).result();
    let letters = player.errands(".claim").await;
    assert!(flat(&text(&letters[0].1)).contains("50 moves of both sides have been made without a capture"));
    assert!(flat(&text(&letters[1].1)).contains("I claim the win by the endgame tablebases: 3 men are left"));
}

// Before a reply -----------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_overstepped_time_is_told_in_the_notice_before_anything_is_answered() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        game["moves"].as_array_mut().unwrap().pop();
    }));
    player.takes(&mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 30.10.  4/12\n"));
    let rows = player.store().await.unsent().await.unwrap();
    let notice = amici::mail::message::parse(&rows[0].outgoing.bytes).unwrap().plain.unwrap();
    let (his, mine) =
        (notice.find("HIS TIME IS overstepped by 2 at move 7 ("), notice.find("YOUR TIME IS overstepped"));
    assert!(his.is_some() && mine.is_some(), "{notice}");
    assert!(his < notice.find("Answer in one of three ways"), "{notice}");
}

#[test]
fn a_claim_is_in_english_whatever_the_language_of_the_other_letters_and_the_help_says_so() {
    let player = overstepped();
    player.configure(&format!("{ME}[letters]\nlanguage = \"de\"\n"));
    let shown = player.run(&["claim", "SAMPLE-1", "-n"]).result();
    assert!(shown.contains("Kind regards") && !shown.contains("Mit freundlichen"), "{shown}");
    let help = player.run(&["claim", "--help"]).result();
    assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains("A claim is written in English"), "{help}");
}

#[test]
fn status_flags_a_time_that_can_be_claimed_and_puts_the_game_before_those_that_only_wait_for_a_move() {
    let player = overstepped();
    player.import(&second("A-FIRST", |game| game["event"] = json!("EM/1")));
    let shown = player.run(&["status", "--at", "2004-11-01T10:00:00Z"]).result();
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains("Ostrander")).collect();
    assert!(lines[0].contains("SAMPLE-1") && lines[0].ends_with("claim overstep"), "{shown}");
    assert!(lines[1].starts_with("  >  A-FIRST") && !lines[1].contains("claim"), "{shown}");
    player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-01"]).result();
    let answered = player.run(&["status", "--at", "2004-11-01T10:00:00Z"]).result();
    assert!(!answered.contains("claim"), "answered, so lost: {answered}");
}

/// White, the opponent, thinks since 26 October in a game of ten days, which he has had by the 29th.
fn running_out(rules: &str) -> Player {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(rules).unwrap();
        game["moves"].as_array_mut().unwrap().pop();
    }));
    player
}

#[test]
fn no_list_calls_certain_what_a_claim_would_be_asked_about() {
    let player = running_out(TEN_DAYS);
    // by the player's calendar his last day is the 28th; he may book the mail on the 27th, and live twelve hours behind UTC
    let (day_before, certain) = ("2004-10-30T11:59:00Z", "2004-10-30T12:00:00Z");
    let commands = [&["show", "SAMPLE-1"][..], &["status"], &["agenda"], &["show"]];
    let [show, status, agenda, first] = commands.map(|what| {
        let at = |at: &str| player.run(&[what, &["--at", at]].concat()).result();
        (at("2004-10-29T00:00:00Z"), at(day_before), at(certain))
    });
    let reserve = "certain from Sat 30 Oct 2004 14:00";
    for (what, (early, perhaps, over)) in [("show", &show), ("status", &status), ("agenda", &agenda), ("first", &first)]
    {
        assert!(early.contains(reserve) && perhaps.contains(reserve), "{what}: {early}{perhaps}");
        assert!(!over.contains("certain") && !over.contains("perhaps"), "{what}: {over}");
    }
    assert!(
        show.1.contains("perhaps over by 2 at move 10 (certain from")
            && show.2.contains("OVERSTEPPED by 2 at move 10\n  at least by 1, wherever he lives and"),
        "{show:?}"
    );
    let flags = |text: &str| {
        text.lines().find(|line| line.contains("Ostrander")).unwrap().split("  ").last().unwrap().to_owned()
    };
    assert_eq!((flags(&status.1).as_str(), flags(&status.2).as_str()), ("overstep?", "overstep"));
    let json = |at: &str| player.run(&["status", "--json", "--at", at]).json()["games"][0]["next_event"]["over"].take();
    assert_eq!(json(day_before), json!({"certain": false, "reserve": reserve}));
    assert_eq!(json(certain), json!({"certain": true, "reserve": null}));
    assert_eq!(json("2004-10-27T10:00:00Z"), Value::Null);
}

#[test]
fn a_held_mail_and_an_illegal_move_that_is_not_counted_keep_an_overstep_from_being_certain() {
    let player = running_out(TEN_DAYS);
    let shown = |player: &Player| {
        ["status", "show SAMPLE-1"].map(|what| player.run(&what.split(' ').collect::<Vec<_>>()).result())
    };
    assert!(shown(&player).iter().all(|text| !text.contains("perhaps")));
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5152\n")), "illegal");
    assert!(shown(&player).iter().all(|text| text.contains("perhaps") && text.contains("a mail of his is held")));
    player.run(&["ignore", "1"]).result();
    let said = shown(&player);
    assert!(said.iter().all(|text| text.contains("perhaps") && text.contains("he sent an illegal move")), "{said:?}");
    player.run(&["clock", "illegal", "SAMPLE-1", "7.", "--noticed", "2004-11-03", "--why", "told him"]).result();
    assert!(shown(&player).iter().all(|text| !text.contains("perhaps")));
}

#[test]
fn a_claim_and_a_repeat_ask_while_the_mailbox_was_not_read_since_the_day_that_counts() {
    let player = Player::waiting().with_maildir();
    let commands = [&["claim", "SAMPLE-1", "--time"][..], &["claim", "SAMPLE-1", "--silence"], &["repeat", "SAMPLE-1"]];
    for what in commands {
        let asked = player.run(what).failure(6);
        assert!(asked.contains("your mailbox was never read by this program, and his answer may have come"), "{asked}");
        assert!(asked.contains("read it first,  amici poll") && asked.contains("--yes"), "{asked}");
    }
    let status = player.run(&["status"]).result();
    assert!(status.contains("perhaps") && status.contains("your mailbox was not read since"), "{status}");
    player.run(&["poll"]).result();
    assert!(!player.run(&["status"]).result().contains("perhaps"));
    for what in commands {
        player.run(&[what, &["-n"]].concat()).result();
        player.run(what).result();
    }
    super::agenda::sql(&player, "UPDATE heartbeat SET last_check_at = '2004-11-05T10:00:00+00:00'");
    let asked = player.run(&["claim", "SAMPLE-1", "--time"]).failure(6);
    assert!(asked.contains("your mailbox was last read on Fri 05 Nov 2004 11:00, and his answer"), "{asked}");
}

/// All that says of him that he has not answered.
const SAYS_SO: [&[&str]; 3] =
    [&["claim", "SAMPLE-1", "--time"], &["claim", "SAMPLE-1", "--silence"], &["repeat", "SAMPLE-1"]];

/// Each asks this, and the lists have the reserve.
fn asks(player: &Player, question: &str, reserve: &str) {
    these_ask(&SAYS_SO, player, question, reserve);
}

fn these_ask(commands: &[&[&str]], player: &Player, question: &str, reserve: &str) {
    for what in commands {
        let asked = player.run(what).failure(6);
        assert!(asked.contains(question) && asked.contains("--yes"), "{what:?}: {asked}");
    }
    for what in [&["status"][..], &["show", "SAMPLE-1"]] {
        let shown = player.run(what).result();
        assert!(shown.contains("perhaps") && shown.contains(reserve), "{shown}");
    }
}

#[test]
fn a_mail_of_mine_that_came_back_stands_before_every_claim_until_his_days_count_from_the_one_that_went_out_again() {
    let player = Player::waiting();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let own = |id: &str, date: &str| {
        format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\nDate: {date}\r\n\
             Message-ID: <{id}@example.net>\r\n\r\n6... 5755\r\n"
        )
    };
    let take = |name: &str, bytes: &[u8], at: &str| {
        let file = player.file(name, bytes);
        player.run(&["take", &file, "--at", at]).result()
    };
    take("own.eml", own("own1", "Tue, 26 Oct 2004 18:00:00 +0200").as_bytes(), "2004-10-26T16:00:10Z");
    take("report.eml", &super::sent::report("<own1@example.net>", "failed", "5.1.1"), "2004-11-01T09:31:00Z");
    let reported = "a mail server reported on Mon 01 Nov 2004 that your 6... did not reach him: ";
    asks(&player, &format!("{reported}he may not have it"), "your mail to him came back");
    let letter = flat(&player.run(&["claim", "SAMPLE-1", "--silence", "-n"]).result());
    let came_back = "My mail with my last move came back on 1 November 2004; I";
    assert!(letter.contains(&format!("{came_back} have not sent mine again since.")), "{letter}");
    let letter = flat(&player.run(&["repeat", "SAMPLE-1", "-n"]).result());
    assert!(letter.contains("26 October 2004. My first mail with this move came back on 1 November 2004."), "{letter}");

    take("again.eml", own("own2", "Tue, 02 Nov 2004 18:00:00 +0100").as_bytes(), "2004-11-02T17:00:10Z");
    let counted = || {
        let show = player.run(&["show", "SAMPLE-1", "--at", "2004-11-04T12:00:00Z"]).result();
        let counted = ["White: 8 days used + 2 for this move", "Black: 30 days used,"];
        assert!(counted.iter().all(|line| show.contains(line)), "{show}");
        assert!(
            show.contains("your mail with it came back on 2004-11-01; yours went out again on 2004-11-02"),
            "{show}"
        );
        let time = player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result();
        assert!(!time.contains("a mail server reported"), "{time}");
        let letter = player.run(&["claim", "SAMPLE-1", "--silence", "-n"]).result();
        for part in [
            "my last move was sent on 26 October 2004, and again on 2 November 2004,",
            &format!("{came_back} sent mine again on 2 November 2004."),
            "received 2 November 2004 (assumed: the day on which I sent mine again, since the first mail came back)",
        ] {
            assert!(flat(&letter).contains(part), "{part} in {letter}");
        }
    };
    counted();
    let undone = player.run(&["repeat", "SAMPLE-1", "--undo"]).result();
    assert_eq!(undone, "For 7. the repeat of 2004-11-02 counts no more.\n");
    let settle = "amici repeat SAMPLE-1 --sent --on 2004-11-02";
    let since =
        "it went out again on Tue 02 Nov 2004, but his days are counted from the first mail; to count from then:";
    asks(&player, &format!("{reported}{since}  {settle}"), "your mail to him came back");
    player.run(&settle.split(' ').skip(1).collect::<Vec<_>>()).result();
    counted();
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert_eq!(
        player.game()["clock_notes"],
        json!([{"ply": 13, "kind": "returned", "on": "2004-11-02", "until": "2004-11-01"}])
    );
}

#[test]
fn what_came_before_my_resend_and_is_read_after_it_is_asked_about_with_the_command_that_counts_from_it() {
    let his = mail("m7", "EM/ZZ/042", "6. 6152\nI have had no answer to this move.\n");
    let report = super::sent::report("<own1@example.net>", "failed", "5.1.1");
    for (sign, bytes, reserve, kind) in [
        ("your mail with it came back", report, "your mail to him came back", "returned"),
        ("he repeated his own last move", his, "he may not have your move", "missed"),
    ] {
        for is_seen in [true, false] {
            let player = Player::waiting();
            player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
            for (id, date, at) in [
                ("own1", "Tue, 26 Oct 2004 18:00:00 +0200", "2004-10-26T16:00:10Z"),
                ("own2", "Tue, 02 Nov 2004 18:00:00 +0100", "2004-11-02T17:00:10Z"),
            ] {
                let own = format!(
                    "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\nDate: {date}\r\n\
                     Message-ID: <{id}@example.net>\r\n\r\n6... 5755\r\n"
                );
                if is_seen || id == "own1" {
                    player.run(&["take", &player.file("own.eml", own), "--at", at]).result();
                } else {
                    player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-02"]).result();
                }
            }
            player.run(&["take", &player.file("sign.eml", &bytes), "--at", "2004-10-30T18:21:10Z"]).result();
            let notes = || player.game()["clock_notes"].as_array().map_or(0, Vec::len);
            assert_eq!(notes(), usize::from(!is_seen), "{sign}: nothing is counted unasked");
            let settle = "amici repeat SAMPLE-1 --sent --on 2004-11-02";
            asks(&player, &format!("counted from the first mail; to count from then:  {settle}"), reserve);
            for what in [&["show", "SAMPLE-1"], &["clock", "SAMPLE-1"]] {
                let text = flat(&player.run(what).result());
                let from =
                    format!("{sign} on 2004-10-30; yours went out again on 2004-11-02. To count from then: {settle}");
                assert!(text.contains(&from) && !text.contains("HE MAY NOT HAVE"), "{text}");
            }
            assert!(!player.run(&["status"]).result().contains("resend?"));
            player.run(&settle.split(' ').skip(1).collect::<Vec<_>>()).result();
            let note = json!({"ply": 13, "kind": kind, "on": "2004-11-02", "until": "2004-10-30"});
            assert_eq!(player.game()["clock_notes"].as_array().unwrap().last(), Some(&note));
            for what in [&["claim", "SAMPLE-1", "--silence", "-n"][..], &["clock", "SAMPLE-1"], &["show", "SAMPLE-1"]] {
                let text = player.run(what).result();
                assert!(!text.contains("To count from then") && !text.contains("to count from then"), "{text}");
            }
            assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
            assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));
        }
    }
}

#[test]
fn a_report_that_comes_after_my_resend_is_settled_by_the_command_that_it_is_asked_with() {
    let player = Player::waiting();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let own = |id: &str, date: &str| {
        format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\nDate: {date}\r\n\
             Message-ID: <{id}@example.net>\r\n\r\n6... 5755\r\n"
        )
    };
    let take = |bytes: &[u8], at: &str| player.run(&["take", &player.file("one.eml", bytes), "--at", at]).result();
    take(own("own1", "Tue, 26 Oct 2004 18:00:00 +0200").as_bytes(), "2004-10-26T16:00:10Z");
    take(own("own2", "Mon, 01 Nov 2004 18:00:00 +0100").as_bytes(), "2004-11-01T17:00:10Z");
    take(&super::sent::report("<own1@example.net>", "failed", "5.1.1"), "2004-11-02T09:31:00Z");
    let settle = "amici repeat SAMPLE-1 --sent --on 2004-11-01";
    asks(&player, settle, "your mail to him came back");
    // a third mail says nothing of whether he had the second
    take(own("own3", "Fri, 05 Nov 2004 18:00:00 +0100").as_bytes(), "2004-11-05T17:00:10Z");
    assert!(player.game()["clock_notes"].is_null());
    asks(&player, settle, "your mail to him came back");
    player.run(&settle.split(' ').skip(1).collect::<Vec<_>>()).result();
    let note = json!({"ply": 13, "kind": "returned", "on": "2004-11-01", "until": "2004-11-02"});
    assert_eq!(player.game()["clock_notes"], json!([note]));
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
}

#[test]
fn under_a_rolling_window_a_late_move_is_claimed_once_and_the_next_only_when_it_takes_a_day() {
    let days = [
        ("2004-09-16", "2004-09-16"),
        ("2004-09-16", "2004-09-16"),
        ("2004-09-16", "2004-09-28"),
        ("2004-09-28", "2004-09-28"),
    ];
    let moves =
        SHUFFLE.iter().zip(days).map(|(m, (received, sent))| json!({"numeric": m, "received": received, "sent": sent}));
    let moves: Vec<Value> = moves.collect();
    let late = |plies: usize| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] = json!({"base": "iccf-email-2000", "control": {"kind": "rolling", "window": 4, "days": 10}});
            game["moves"] = json!(moves[..plies]);
        }));
        player
    };
    let shown = |player: &Player, at: &str| player.run(&["show", "SAMPLE-1", "--at", at]).result();
    let just = late(3);
    let text = shown(&just, "2004-09-28T10:00:00Z");
    assert!(text.contains("White: 12 days used, 0 left to move 3\n"), "{text}");
    assert!(
        flat(&text)
            .contains("HIS TIME IS overstepped by 2 at move 2 (12 days for the last moves together, 10 allowed)"),
        "{text}"
    );
    let answered = late(4);
    let text = shown(&answered, "2004-09-28T10:00:00Z");
    assert!(text.contains("White: 12 days used + 0 for this move, 0 left to move 3\n"), "{text}");
    let text = shown(&answered, "2004-10-02T10:00:00Z");
    assert!(text.contains("White: 12 days used + 4 for this move, OVERSTEPPED by 6 at move 3\n"), "{text}");
    let flags = |at: &str| answered.run(&["status", "--json", "--at", at]).json()["games"][0]["flags"].to_string();
    assert!(!flags("2004-09-28T10:00:00Z").contains("overstep") && flags("2004-10-02T10:00:00Z").contains("overstep"));
}

/// A game in which his 7. is late by ten days from the player's first mail, which went out again; what shows that he may not have had the
/// first is read only after his answer.
#[test]
fn what_shows_that_he_had_my_move_later_asks_before_a_claim_on_his_late_answer_though_it_is_read_behind_it() {
    let repeat = mail("m6b", "EM/ZZ/042", "6. 6152\nI have had no answer to this move.\n");
    let report = super::sent::report("<own1@example.net>", "failed", "5.1.1");
    for (sign, words) in [
        (report, "a mail server reported that your 6... did not reach him"),
        (
            repeat,
            "of Thu 28 Oct 2004 came between your 6... and his answer and is held: if it repeats his own move, he may not have",
        ),
    ] {
        for (table, asks) in [("7. 5171\n", true), ("7. 5171 received 26.10. sent 30.10.\n", false)] {
            let player = Player::new();
            player.import(&document(|game| {
                game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
                game["moves"].as_array_mut().unwrap().truncate(11);
            }));
            player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
            for (id, date, at) in [
                ("own1", "Tue, 26 Oct 2004 18:00:00 +0200", "2004-10-26T16:00:10Z"),
                ("own2", "Fri, 29 Oct 2004 18:00:00 +0200", "2004-10-29T16:00:10Z"),
            ] {
                let own = format!(
                    "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\nDate: {date}\r\n\
                     Message-ID: <{id}@example.net>\r\n\r\n6... 5755\r\n"
                );
                player.run(&["take", &player.file("own.eml", own), "--at", at]).result();
            }
            player.takes(&mail("m7", "EM/ZZ/042", table));
            let claim = ["claim", "SAMPLE-1", "--time"];
            player.run(&[&claim[..], &["-n"]].concat()).result();
            player.run(&["take", &player.file("sign.eml", &sign), "--at", "2004-10-28T10:00:00Z"]).result();
            if asks {
                let asked = flat(&player.run(&claim).failure(6));
                let settle = "amici clock set SAMPLE-1 7. --received DATE --why TEXT";
                assert!(asked.contains(words) && asked.contains(settle), "{asked}");
                assert!(asked.contains(", and it went out again on Fri 29 Oct 2004"), "{asked}");
                player
                    .run(&["clock", "set", "SAMPLE-1", "7.", "--received", "2004-10-26", "--why", "he says so"])
                    .result();
            }
            player.run(&claim).result();
        }
    }
}

#[test]
fn a_mail_that_was_put_away_while_he_thinks_is_asked_about_and_its_move_can_be_recorded_after_all() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "8. 5171\n")), "needs_human");
    let said = player.run(&["ignore", "1"]).result();
    let back = "amici accept SAMPLE-1 MOVE --mail 1";
    assert!(said.contains(back), "{said}");
    let question = format!(
        "mail 1 of Sat 30 Oct 2004 came after your move and was put away: was it no answer? If it was one,  {back}"
    );
    asks(&player, &question, "a mail of his was put away");
    assert!(player.run(&["review", "--mail", "1"]).failure(1).contains("amici accept GAME MOVE --mail 1"));
    assert!(player.run(&["accept", "SAMPLE-1", "5171"]).failure(1).contains("has no held mail"));
    player.run(&["accept", "SAMPLE-1", "5171", "--mail", "1", "--yes"]).result();
    assert_eq!(player.game()["moves"].as_array().unwrap().last().unwrap()["numeric"], "5171");
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));
    player.run(&["play", "SAMPLE-1", "2836", "--yes"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
    player.run(&["claim", "SAMPLE-1", "--silence"]).result();
    player.run(&["accept", "SAMPLE-1", "5254", "--mail", "1", "--yes"]).failure(1);
}

#[test]
fn a_mail_from_before_my_move_is_no_answer_to_it_when_it_is_put_away() {
    let player = Player::waiting();
    let old = String::from_utf8(mail("m7", "EM/ZZ/042", "8. 5171\n")).unwrap().replace("30 Oct", "23 Oct");
    assert_eq!(player.takes(old.as_bytes()), "needs_human");
    player.run(&["ignore", "1"]).result();
    player.run(&["claim", "SAMPLE-1", "--silence"]).result();
}

#[test]
fn his_repeat_of_the_move_before_mine_is_asked_about_until_my_move_went_out_again() {
    let player = Player::waiting();
    let lists = || ["status", "agenda", "show", "ical"].map(|list| player.run(&[list]).result());
    let permits = |text: &String| text.contains("silent") || text.contains("you may");
    assert!(lists().iter().filter(|text| permits(text)).count() == 3, "{:?}", lists());
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "6. 6152\nI have had no answer to this move.\n")), "duplicate");
    assert!(!lists().iter().any(permits), "he wrote: {:?}", lists());
    these_ask(
        &SAYS_SO[..2],
        &player,
        "mail 1 of Sat 30 Oct 2004 repeats his own last move, so he may not have yours",
        "he may not have your move",
    );
    let shown = |what: &[&str]| player.run(what).result();
    assert!(shown(&["status"]).contains("resend?"));
    for what in [&["show", "SAMPLE-1"][..], &["show"]] {
        let text = flat(&shown(what));
        assert!(text.contains("HE MAY NOT HAVE YOUR LAST MOVE: he repeated his own on 2004-10-30."), "{text}");
        assert!(text.contains("Send yours again: amici repeat SAMPLE-1"), "{text}");
    }
    // he asks for it: no question, however early
    let letter = flat(&shown(&["repeat", "SAMPLE-1"]));
    assert!(!letter.contains("too early"), "{letter}");
    shown(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-10-30"]);
    assert!(lists().iter().any(permits), "{:?}", lists());
    for what in [&["status"][..], &["show", "SAMPLE-1"]] {
        let text = shown(what);
        assert!(!text.contains("perhaps") && !text.contains("resend?") && !text.contains("MAY NOT HAVE"), "{text}");
    }
    let silence = flat(&shown(&["claim", "SAMPLE-1", "--silence", "-n"]));
    assert!(silence.contains("sent on 26 October 2004, and again on 30 October 2004,"), "{silence}");
    for kind in ["--silence", "--time"] {
        let letter = flat(&player.run(&["claim", "SAMPLE-1", kind, "-n", "--yes"]).result());
        let named = "He repeated his own last move on 30 October 2004, as if he had no answer to it; I sent mine again on 30 October 2004.";
        assert!(letter.contains(named), "{letter}");
    }
    let again = "You sent your own last move once more on 30 October 2004. I sent my move again on 30 October 2004.";
    assert!(flat(&shown(&["repeat", "SAMPLE-1", "-n"])).contains(again));
    // he books it honestly, and neither the reply nor the words for the director leave that out
    let answer = mail("m8", "EM/ZZ/042", "7. 5171   received 30.10. sent 01.11. 2/10\n");
    let file = player.file("m8.eml", String::from_utf8(answer).unwrap().replace("30 Oct", "01 Nov"));
    shown(&["take", &file, "--at", "2004-11-01T18:00:00Z"]);
    let clock = flat(&shown(&["clock", "SAMPLE-1"]));
    for part in [
        "by the rules 2004-10-27 is the latest day (he repeated his own last move on 2004-10-30; yours went out again on 2004-10-30)",
        "by the rules 27 October 2004 is the latest day. You sent your own last move once more on 30 October 2004.",
        "By the rules 27 October 2004 is the latest day. He repeated his own last move on 30 October 2004,",
    ] {
        assert!(clock.contains(part), "{part} in {clock}");
    }
    let why = flat(&shown(&["explain", "SAMPLE-1", "last"]));
    assert!(why.contains("he repeated his own last move on 2004-10-30; yours went out again on 2004-10-30"), "{why}");
    assert!(shown(&["verify", "--rebuild"]).contains("0 differences"));
    assert!(shown(&["verify", "--all"]).contains("0 differences"));
}

#[test]
fn a_mail_that_was_not_read_is_asked_about_where_it_came_after_my_move() {
    let player = Player::waiting().with_maildir();
    let config = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{config}[limits]\nlargest_mail_mib = 1\n"));
    player.run(&["poll"]).result();
    player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result();
    let large = mail("m7", "EM/ZZ/042", &"a photograph\n".repeat(100_000));
    std::fs::write(player.path("Maildir/new/1100000000.M1P1.large"), large).unwrap();
    player.run(&["poll"]);
    asks(&player, "was not read (", "a mail was not read");
}

#[tokio::test]
async fn play_asks_before_it_drafts_an_answer_that_loses_the_claim() {
    let player = overstepped();
    let asked = player.run(&["play", "SAMPLE-1", "Nc6"]).failure(6);
    assert!(asked.contains("his time is overstepped by 2") && asked.contains("amici claim SAMPLE-1"), "{asked}");
    assert!(player.errands(".ready").await.is_empty(), "nothing was drafted");
    let shown = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
    assert!(shown.contains("the claim is lost by answering"), "{shown}");
    player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    assert_eq!(player.errands(".ready").await.len(), 1);
}

#[test]
fn an_overstep_that_a_fresh_count_has_settled_is_claimed_no_more() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        game["rules"]["overstep"] = json!("reset_then_forfeit");
    }));
    let flagged = || player.run(&["status", "--at", "2004-11-01T10:00:00Z"]).result().contains(" claim");
    assert!(flagged());
    let explained = player.run(&["explain", "SAMPLE-1", "7w"]).result();
    assert!(explained.contains("to enter that:  amici clock set SAMPLE-1 7. --white 0 --why TEXT"), "{explained}");
    player
        .run(&["clock", "set", "SAMPLE-1", "7.", "--white", "0", "--why", "the director gave a fresh count"])
        .result();
    assert!(!flagged());
    let refused = player.run(&["claim", "SAMPLE-1", "--time"]).failure(1);
    assert!(refused.contains("his time is not overstepped (White: 0 days used, 10 left to move 17)"), "{refused}");
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    // the second time
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-01"]).result();
    let said = flat(&player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result());
    for part in [
        "), 10 allowed up to move 17. It is the second time: he exceeded it first by 2 days with his move 7, and his time counts anew since.",
        "7. 5171: 4 calendar days; total 0 as entered 7. 5171: entered by me on ",
        "why: the director gave a fresh count",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn a_claim_that_its_rules_call_invalid_asks_first_and_the_notice_tells_the_terms() {
    let terms = "a claim on time is valid only while the claimant is to move; the time used has to be stated before the claim; a \
        late player who moves within 24 hours of his opponent's move is saved";
    let ecp = |plies: usize| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] = json!({"base": "ecp", "control": {"kind": "cumulative", "moves": 10, "days": 10}});
            game["moves"].as_array_mut().unwrap().truncate(plies);
        }));
        player
    };
    let rules = flat(&ecp(13).run(&["rules", "show", "ecp"]).result());
    assert!(rules.contains(&format!("claim {terms} [EmailChessPoint conditions")), "{rules}");
    let thinking = flat(&ecp(12).run(&["claim", "SAMPLE-1", "--time"]).failure(6));
    assert!(thinking.contains("valid only while you are to move: wait for his move"), "{thinking}");
    let player = ecp(13);
    let asked = flat(&player.run(&["claim", "SAMPLE-1", "--time"]).failure(6));
    assert!(
        !asked.contains("while you are to move: wait") && !asked.contains("is saved who moves"),
        "four days: {asked}"
    );
    let (_, message) = asked.split_once("write it first, amici ").unwrap();
    let said = message.split_once("-m \"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!(said, "Your clock by my record: 12 days used, 10 allowed up to move 10.");
    player.run(&["message", "SAMPLE-1", "-m", said]).result();
    let shown = flat(&player.run(&["show", "SAMPLE-1"]).result());
    assert!(shown.contains(&format!("By the rules of this game {terms}. The claim is lost by answering.")), "{shown}");
    let letter = flat(&player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result());
    assert!(letter.contains(&format!("{terms}. Source of the ")), "{letter}");
    // his move of the next day may have come within 24 hours of mine
    player.run(&["clock", "set", "SAMPLE-1", "7.", "--sent", "2004-10-27", "--penalty", "5", "--why", "x"]).result();
    let saved = flat(&player.run(&["claim", "SAMPLE-1", "--time"]).failure(6));
    assert!(saved.contains("who moves within 24 hours of your move, and by the days on record he may have"), "{saved}");
}

#[test]
fn the_source_of_a_rule_does_not_contradict_what_a_claim_of_silence_says() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!("jcca");
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let said = flat(&player.run(&["claim", "SAMPLE-1", "--silence", "-n"]).result());
    let rule = "the director may then score the game as lost. Source of the silence: JCCA summary of the ICCF e-mail rules, 2001, which calls it lost \
        after 40 days; the ICCF guidelines say that it may be scored so";
    assert!(said.contains(rule), "{said}");
}

#[test]
fn no_day_before_the_start_of_the_event_is_silence() {
    let day = |away: i64| (Utc::now() + TimeDelta::days(away)).date_naive().to_string();
    let sent_before_it = |start: i64| {
        let player = Player::new();
        player.import(&document(|game| {
            with_white(game);
            game["start_date"] = json!(day(start));
            game["moves"] = json!([{"numeric": "5254", "sent": day(-60)}]);
        }));
        player.directed()
    };
    let refused = sent_before_it(-30).run(&["claim", "SAMPLE-1", "--silence"]).failure(1);
    assert!(refused.contains(&format!("since {}, and 40 are allowed", day(-30))), "{refused}");
    let said = sent_before_it(-50).run(&["claim", "SAMPLE-1", "--silence"]).result();
    assert!(said.contains("my last move was sent on ") && said.contains(", the event began on "), "{said}");
    let early = sent_before_it(11).run(&["repeat", "SAMPLE-1"]).failure(6);
    assert!(
        early.contains("it is too early") && early.contains(&format!("the event begins on {}", day(11))),
        "{early}"
    );
}

#[test]
fn white_who_never_plays_his_first_move_is_silent_from_the_start_of_the_event_on() {
    let player = Player::new();
    let start = (Utc::now() - TimeDelta::days(50)).date_naive().to_string();
    player.import(&document(|game| {
        game["start_date"] = json!(start);
        game["moves"] = json!([]);
    }));
    let said = player.directed().run(&["claim", "SAMPLE-1", "--silence"]).result();
    assert!(said.contains("has not sent his first move for ") && said.contains(": the event began on "), "{said}");
}

#[test]
fn a_date_without_a_place_leaves_the_place_of_the_opponent_unknown() {
    let shown = |offset: &str| {
        let player = Player::waiting();
        let his = String::from_utf8(mail("m7", "EM/ZZ/042", "7. 5171\n")).unwrap();
        assert_eq!(player.takes(his.replace("20:21:00 +0200", &format!("18:21:00 {offset}")).as_bytes()), "move");
        player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-10-31"]).result();
        player.run(&["show", "SAMPLE-1"]).result()
    };
    assert!(shown("+0000").contains("UTC+00:00 by his last mail"));
    let nowhere = shown("-0000");
    assert!(nowhere.contains("His place is not known by any mail"), "{nowhere}");
}

#[test]
fn a_late_move_of_his_is_told_wherever_the_game_is_shown_with_the_claim_before_the_answer() {
    let player = overstepped();
    let shown = |args: &[&str]| flat(&player.run(args).result());
    let words = "HIS TIME IS overstepped by 2 at move 7 (12 days used, 10 allowed up to move 10). The claim is lost by answering.";
    let at = "2004-10-31T10:00:00Z";
    let list = shown(&["show", "SAMPLE-1", "--at", at]);
    assert!(
        list.contains(words) && list.contains("Next: amici claim SAMPLE-1") && !list.contains("amici play"),
        "{list}"
    );
    assert!(shown(&["show", "--at", at]).contains(words));
    assert!(shown(&["clock", "SAMPLE-1"]).contains(words));
    let status = shown(&["status", "--at", at]);
    assert!(status.contains("Next: amici claim SAMPLE-1") && !status.contains("silent"), "{status}");
    let agenda = player.run(&["agenda", "--plain", "--at", at]).result();
    let mark =
        "2004-10-30\tSAMPLE-1\tblack\tlate_move\tsoon\this time was overstepped: claim before you answer\tclaim\t";
    assert!(agenda.contains(mark), "{agenda}");
    for command in ["show", "clock"] {
        let json = player.run(&[command, "SAMPLE-1", "--json"]).json();
        assert_eq!((&json["his_overstep"]["number"], &json["his_overstep"]["by"]), (&json!("7."), &json!(2)));
    }
}

#[tokio::test]
async fn a_late_move_that_is_none_if_he_booked_my_mail_on_the_next_day_asks_and_the_claim_tells_what_is_assumed() {
    let late = |days: u32, states: bool, receipt: &str| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] = json!({
                "base": "iccf-email-2000", "receipt": {"mode": receipt},
                "control": {"kind": "cumulative", "moves": 10, "days": days}
            });
            let last = game["moves"].as_array_mut().unwrap().last_mut().unwrap();
            let keys: &[&str] = if states { &[] } else { &["received", "days", "total"] };
            keys.iter().for_each(|key| drop(last.as_object_mut().unwrap().remove(*key)));
        }));
        player.directed()
    };
    let reserve = "no mail of his states when he received yours, and by the rules of this game he may book it on Wed 27 Oct 2004: \
                   counted from then his time is not overstepped";
    // later than that day helps him, he says which it was, or the rules let him book no other
    for (days, states, receipt) in
        [(10, false, "next_day_optional"), (11, true, "next_day_optional"), (11, false, "exact")]
    {
        let player = late(days, states, receipt);
        assert!(!flat(&player.run(&["show", "SAMPLE-1"]).result()).contains("he may book it"), "{days} {receipt}");
        player.run(&["claim", "SAMPLE-1"]).result();
        assert!(player.run(&["show", "SAMPLE-1", "--json"]).json()["his_overstep"]["not_if_booked_on"].is_null());
    }
    let player = late(11, false, "next_day_optional");
    for command in ["show", "clock"] {
        let shown = flat(&player.run(&[command, "SAMPLE-1"]).result());
        assert!(shown.contains(&format!("Perhaps not: {reserve}.")), "{shown}");
        let json = player.run(&[command, "SAMPLE-1", "--json"]).json();
        assert_eq!(json["his_overstep"]["not_if_booked_on"], "2004-10-27");
    }
    assert!(flat(&player.run(&["explain", "SAMPLE-1", "7w"]).result()).contains(reserve));
    for command in [&["play", "SAMPLE-1", "Nc6"][..], &["claim", "SAMPLE-1"]] {
        let asked = player.run(command).failure(6);
        assert!(flat(&asked).contains(reserve), "{asked}");
    }
    player.run(&["claim", "SAMPLE-1", "--yes"]).result();
    let body = flat(&text(&player.letter(".claim").await.1));
    let assumed = "Assumed, since no mail of his says when he received mine, are these days of receipt, those on which I sent it: ";
    assert!(body.contains(assumed) && body.contains("7. 26 October 2004."), "{body}");
}

#[test]
fn an_overstep_that_only_a_doubtful_day_hides_is_told_and_asked_about_before_the_answer() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let body = "7. 5171\n\nYour mail of 26.10.2004 received 26.10.2004, answered 28.10.2004\n";
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", body)), "move");
    let shown = |args: &[&str]| flat(&player.run(args).result());
    let words = "7. exceeds the time control by 2, if 30 Oct 2004 counts as the day on which 7. was sent";
    let settle = "amici clock set SAMPLE-1 7. --sent 2004-10-30 --why TEXT";
    let at = "2004-10-31T10:00:00Z";
    for args in [&["show", "SAMPLE-1", "--at", at][..], &["show", "--at", at], &["clock", "SAMPLE-1"]] {
        let said = shown(args);
        let told = said.contains("HIS TIME IS PERHAPS OVERSTEPPED") && said.contains(words) && said.contains(settle);
        assert!(told && said.contains("The claim is lost by answering."), "{args:?}: {said}");
        assert!(!said.contains("Next: amici play") && !said.contains("Next: amici claim"), "{args:?}: {said}");
    }
    let status = shown(&["status", "--at", at]);
    assert!(status.contains("settle it before you answer") && status.contains("overstep?"), "{status}");
    for command in ["show", "clock"] {
        let json = player.run(&[command, "SAMPLE-1", "--json"]).json();
        assert_eq!(json["perhaps_overstepped"], json!({"number": "7.", "by": 2, "days": ["2004-10-30"]}));
        assert_eq!(json["his_overstep"], Value::Null);
    }
    for args in [&["claim", "SAMPLE-1"][..], &["claim", "SAMPLE-1", "--time"], &["play", "SAMPLE-1", "2836"]] {
        let asked = player.run(args);
        assert_eq!(asked.code, 6, "{args:?}: {}", asked.err);
        assert!(flat(&asked.err).contains(words) && asked.err.contains(settle), "{}", asked.err);
    }
    player.run(&["clock", "set", "SAMPLE-1", "7.", "--sent", "2004-10-30", "--why", "his Date"]).result();
    let over = player.run(&["show", "SAMPLE-1", "--json"]).json();
    assert_eq!((&over["his_overstep"]["by"], &over["perhaps_overstepped"]), (&json!(2), &Value::Null));
    player.run(&["claim", "SAMPLE-1", "-n"]).result();
    player.run(&["clock", "agree", "SAMPLE-1", "7.", "--his"]).result();
    assert!(!shown(&["show", "SAMPLE-1", "--at", at]).contains("PERHAPS"));
    player.run(&["play", "SAMPLE-1", "2836"]).result();
}

#[test]
fn a_late_move_of_mine_that_went_out_is_told_wherever_the_game_is_shown_until_he_answers() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 33}});
    }));
    player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-11-06"]).result();
    let at = "2004-11-08T10:00:00Z";
    let shown = |args: &[&str]| flat(&player.run(args).result());
    let words = "YOUR TIME IS overstepped by 4 at move 7 (37 days used, 33 allowed up to move 10), and the move went out: he may claim it, \
        at the latest with his answer to this move.";
    for args in [&["show", "SAMPLE-1", "--at", at][..], &["clock", "SAMPLE-1"], &["show", "--at", at]] {
        assert!(shown(args).contains(words), "{args:?}: {}", shown(args));
    }
    let flags = || player.run(&["status", "--json", "--at", at]).json()["games"][0]["flags"].take();
    assert!(flags().as_array().unwrap().contains(&json!("sent-late")), "{}", flags());
    let agenda = player.run(&["agenda", "--plain", "--at", at]).result();
    assert!(
        agenda.contains("\tyour time was overstepped: he may claim it\tclaim\tit is lost by answering"),
        "{agenda}"
    );
    for command in ["show", "clock"] {
        let json = player.run(&[command, "SAMPLE-1", "--json"]).json();
        assert_eq!((&json["own_overstep"]["number"], &json["own_overstep"]["by"]), (&json!("7..."), &json!(4)));
    }
    assert!(shown(&["explain", "SAMPLE-1", "7b"]).contains("exceeds the time control by 4; he may claim it"));
    let answer = String::from_utf8(mail("m8", "EM/ZZ/042", "8. 4445\n")).unwrap().replace("30 Oct", "12 Nov");
    assert_eq!(player.takes(answer.as_bytes()), "move");
    assert!(!shown(&["show", "SAMPLE-1"]).contains("YOUR TIME IS") && !flags().to_string().contains("sent-late"));
    let explained = shown(&["explain", "SAMPLE-1", "7b"]);
    let lost = "exceeds the time control by 4; he answered it with 8.: unless his claim was made by then, it is lost";
    assert!(explained.contains(lost), "{explained}");
}

#[test]
fn a_claim_names_my_own_overstep_and_once_it_is_drafted_nothing_says_how_to_draft_it() {
    let player = overstepped();
    let at = "2004-11-01T10:00:00Z";
    let shown = |args: &[&str]| flat(&player.run(args).result());
    assert!(shown(&["show", "SAMPLE-1", "--at", at]).contains("To draft it: amici claim SAMPLE-1"));
    let said = shown(&["claim", "SAMPLE-1"]);
    let own = "your own time was overstepped too: 5... exceeds the time control by 18; he answered it with 6.: unless his claim was made by \
        then, it is lost";
    assert!(said.contains(own), "{said}");
    for args in [&["show", "SAMPLE-1", "--at", at][..], &["clock", "SAMPLE-1"], &["show", "--at", at]] {
        let text = shown(args);
        assert!(text.contains("It was drafted ") && !text.contains("amici claim"), "{args:?}: {text}");
    }
    let next = shown(&["show", "SAMPLE-1", "--at", at]);
    assert!(next.contains("Next: send the claim that was drafted") && !next.contains("amici play"), "{next}");
    let status = shown(&["status", "--at", at]);
    assert!(status.contains(" claim-drafted") && !status.contains("amici claim"), "{status}");
    assert!(shown(&["agenda", "--at", at]).contains("claim before you answer (drafted: send it)"));
    // his next late move would be another claim
    player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-11-01"]).result();
    super::agenda::sql(&player, "UPDATE moves SET recorded_at = '2999-01-01T00:00:00+00:00' WHERE ply = 14");
    assert!(player.run(&["show", "SAMPLE-1", "--json", "--at", at]).json()["claim_drafted"].is_null());
}

#[test]
fn a_claim_that_i_sent_is_told_as_sent_wherever_the_game_is_shown_until_i_take_that_back() {
    let player = overstepped();
    let at = "2004-11-01T10:00:00Z";
    let shown = |args: &[&str]| flat(&player.run(args).result());
    let refused = |code: i32, args: &[&str], why: &str| {
        let said = flat(&player.run(&[&["claim", "SAMPLE-1"][..], args].concat()).failure(code));
        assert!(said.contains(why), "{args:?}: {said}");
    };
    refused(1, &["--undo"], "no claim of game SAMPLE-1 is on record as sent");
    refused(2, &["--on", "2004-11-01"], "--sent");
    shown(&["claim", "SAMPLE-1"]);
    refused(1, &["--sent", "--on", "2030-01-01"], "2030-01-01 has not come yet");
    refused(
        1,
        &["--sent", "--on", "2004-10-01"],
        "2004-10-01 lies before 2004-10-30, since when the move is thought about",
    );
    refused(6, &["--sent", "--on", "2004-11-01"], "the day on which it was drafted");
    refused(1, &["--sent", "--silence"], "he is not silent, the next move is yours");
    assert!(shown(&["claim", "SAMPLE-1", "--sent", "-n"]).contains("Nothing was kept"));
    assert!(shown(&["status", "--at", at]).contains(" claim-drafted"));

    let said = shown(&["claim", "SAMPLE-1", "--sent", "--on", "2004-11-01", "--yes"]);
    assert_eq!(said, "Your claim (his time is overstepped) was sent on 2004-11-01.");
    for args in [&["show", "SAMPLE-1", "--at", at][..], &["clock", "SAMPLE-1"], &["show", "--at", at]] {
        let text = shown(args);
        assert!(text.contains("It was sent Mon 01 Nov 2004.") && !text.contains("drafted"), "{args:?}: {text}");
    }
    assert!(shown(&["show", "SAMPLE-1"]).contains("Next: wait for the director's word on your claim"));
    let status = shown(&["status", "--at", at]);
    assert!(status.contains(" claim-sent") && !status.contains("claim-drafted"), "{status}");
    assert!(shown(&["agenda", "--at", at]).contains("claim before you answer (claimed on 2004-11-01)"));
    let json = player.run(&["show", "SAMPLE-1", "--json", "--at", at]).json();
    assert_eq!((&json["claim_drafted"], &json["claim_sent"]), (&Value::Null, &json!("2004-11-01")));
    refused(1, &["--sent"], "it was sent on 2004-11-01; say another day with --on");
    refused(1, &["--sent", "--on", "2004-11-01"], "this is on record already");
    refused(6, &[], "such a claim was sent on 2004-11-01 already");
    shown(&["claim", "SAMPLE-1", "--sent", "--on", "2004-11-02", "--yes"]);
    assert!(shown(&["clock", "SAMPLE-1"]).contains("It was sent Tue 02 Nov 2004."));

    shown(&["claim", "SAMPLE-1", "--undo"]);
    assert!(shown(&["status", "--at", at]).contains(" claim-drafted"));
    refused(1, &["--undo"], "no claim of game SAMPLE-1 is on record as sent");
    assert!(shown(&["verify", "--rebuild"]).contains("0 differences"));
    assert!(shown(&["verify", "--all"]).contains("0 differences"));
}

#[test]
fn a_claim_that_was_drafted_nowhere_can_be_entered_as_sent_where_the_record_bears_it_out() {
    let nothing = Player::with_sample().run(&["claim", "SAMPLE-1", "--sent"]).failure(1);
    assert!(nothing.contains("there is nothing to claim in game SAMPLE-1"), "{nothing}");
    let player = overstepped();
    player.run(&["claim", "SAMPLE-1", "--sent", "--on", "2004-11-01"]).result();
    assert!(player.run(&["status"]).result().contains("claim-sent"));
    player.run(&["claim", "SAMPLE-1", "--undo", "--time"]).result();
    assert!(!player.run(&["status"]).result().contains("claim-"));
}

#[tokio::test]
async fn the_claim_as_it_was_drafted_is_known_in_the_sent_folder() {
    let player = overstepped().directed();
    let configuration = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{configuration}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    player.run(&["claim", "SAMPLE-1"]).result();
    let row = player.store().await.unsent().await.unwrap().remove(0);
    let letter = String::from_utf8(attached(&row.outgoing.bytes)).unwrap();
    let letter = format!("{}{letter}", super::leave::PROVEN);
    let takes = |name: &str, letter: &str| player.run(&["take", &player.file(name, letter)]).result();
    let flags = || player.run(&["status"]).result();
    let before = player.game();
    takes("asked.eml", &letter.replace("I claim that", "Is it true that"));
    takes("his.eml", &letter.replace("td@example.net", "tobin.q@example.net"));
    assert!(flags().contains("claim-drafted"), "no claim, or to no director: {}", flags());
    let taken = takes("claim.eml", &letter);
    assert!(taken.contains("a claim was sent on ") && taken.contains(": his time is overstepped"), "{taken}");
    assert!(flags().contains("claim-sent") && !flags().contains("claim-drafted"), "{}", flags());
    assert_eq!(player.game()["moves"], before["moves"]);
    assert!(!player.run(&["show", "SAMPLE-1"]).result().contains("Held:"));
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));
}

#[test]
fn an_answer_loses_the_claim_only_where_the_rules_say_so() {
    let rules = |name: &str| flat(&Player::new().run(&["rules", "show", name]).result());
    let value =
        "a claim on time is lost by answering the late move without it [uncertain: no text was found that says so]";
    assert!(rules("iccf-email-2000").contains(value), "{}", rules("iccf-email-2000"));
    assert!(!rules("iecc").contains("lost by answering"));
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!({"base": "iecc", "control": {"kind": "cumulative", "moves": 10, "days": 10}});
    }));
    let shown = flat(&player.run(&["show", "SAMPLE-1"]).result());
    assert!(
        shown.contains("10). No rule of this game says that answering loses the claim; claim first all the same."),
        "{shown}"
    );
    let chosen = player.run(&["play", "SAMPLE-1", "2836", "-n"]).result();
    assert!(
        chosen.contains("a claim ought to come before your answer") && !chosen.contains("lost by answering"),
        "{chosen}"
    );
    let agenda = player.run(&["agenda", "--plain", "--at", "2004-10-31T10:00:00Z"]).result();
    assert!(agenda.contains("\toverstep\ta limit was exceeded"), "{agenda}");
}

#[test]
fn where_no_day_is_within_the_limits_none_is_named_as_the_last() {
    let last = |player: &Player| {
        let explain = ["explain", "SAMPLE-1", "7b", "--at", "2004-11-01T10:00:00Z"];
        let text = flat(&player.run(&explain).result());
        (text, player.run(&[&explain[..], &["--json"]].concat()).json()["counts"]["last_day"].take())
    };
    let (text, day) = last(&overstepped());
    assert!(
        text.contains("last day none: no day is within the limits before 5... exceeds the time control by 18;"),
        "{text}"
    );
    assert_eq!(day, Value::Null);
    let (text, day) = last(&Player::with_sample());
    assert!(text.contains("last day 2004-11-29: the last within the limits"), "{text}");
    assert_eq!(day, "2004-11-29");
}

/// The player's opponent has ten days, and comes late with a move that his table has beside this row of the one before, and this total.
fn late_with(row: &str, total: u32) -> (Player, String) {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let player = player.directed();
    let table = format!(
        "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
         \x20 6. 6152  {row}   | 5755  24.10 26.10    2    30\n\x20 7. 5171  26.10 30.10    4    {total}   |\n"
    );
    let taken = player.takes(&mail("m7", "EM/ZZ/042", &table));
    (player, taken)
}

#[tokio::test]
async fn no_claim_rests_on_what_his_later_mail_contradicts_and_the_letter_gives_both_figures() {
    // one day less by his later table: one of two is left
    let (player, taken) = late_with("22.10 22.10    0     7", 11);
    assert_eq!(taken, "move");
    let said = player.run(&["claim", "SAMPLE-1"]).result();
    assert!(
        said.contains("exceeded his time by at least 1 day with his move 7: 12 days used (at least 11), 10 allowed"),
        "{said}"
    );
    let body = flat(&text(&player.letter(".claim").await.1));
    assert!(body.contains("Where my opponent's mails show other dates or days than the table:"), "{body}");
    assert!(body.contains("his mail with 6. says sent 23 October 2004, 1 day"), "{body}");
    assert!(body.contains("a later one sent 22 October 2004, 0 days"), "{body}");
    // nothing is left: it is settled first
    let (player, _) = late_with("23.10 23.10    0     7", 10);
    player.run(&["rules", "set", "SAMPLE-1", "control.days=11", "--why", "w", "--yes"]).result();
    let refused = player.run(&["claim", "SAMPLE-1", "--time"]).failure(6);
    assert!(
        refused.contains("by what his later mails say his time is not overstepped: his mail with 6. says"),
        "{refused}"
    );
    assert!(player.errands(".claim").await.is_empty());
    player.run(&["clock", "agree", "SAMPLE-1", "6w", "--mine"]).result();
    player.run(&["claim", "SAMPLE-1", "--time"]).result();
}

#[test]
fn a_repeat_that_states_other_days_is_his_word_as_well() {
    let (player, _) = late_with("22.10 23.10    1     8", 12);
    let claims = || player.run(&["claim", "SAMPLE-1", "-n"]).result();
    assert!(claims().contains("exceeded his time by 2 days with his move 7"), "{}", claims());
    assert_eq!(player.takes(&mail("again", "EM/ZZ/042", "7. 5171   received 27.10. sent 30.10.  3/11\n")), "duplicate");
    assert!(claims().contains("exceeded his time by at least 1 day with his move 7"), "{}", claims());
    let both = "his mail with 7. says received 26 October 2004, 4 days, total 12, a later one received 27 October 2004, 3 days, total 11";
    assert!(flat(&claims()).contains(both), "{}", claims());
}

#[tokio::test]
async fn what_a_later_table_of_his_says_of_a_receipt_is_his_word_and_no_more_assumed() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = serde_json::from_str(TEN_DAYS).unwrap();
        let moves = game["moves"].as_array_mut().unwrap();
        moves.pop();
        let sixth = moves[10].as_object_mut().unwrap();
        ["received", "days", "total"].iter().for_each(|key| drop(sixth.remove(*key)));
    }));
    let player = player.directed();
    let table = "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
        \x20 6. 6152  22.10 23.10    1     8   | 5755  24.10 26.10    2    30\n\x20 7. 5171  26.10 30.10    4    12   |\n";
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", table)), "move");
    player.run(&["claim", "SAMPLE-1"]).result();
    let body = flat(&text(&player.letter(".claim").await.1));
    assert!(body.contains("exceeded his time by 2 days with his move 7"), "{body}");
    assert!(!body.contains("no mail of his says when he received mine"), "{body}");
}

#[test]
fn days_that_he_may_book_later_are_carried_into_the_total_of_a_claim() {
    let late = |allowed: u32| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] =
                json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": allowed}});
            for ply in [4, 12] {
                let record = game["moves"][ply].as_object_mut().unwrap();
                ["received", "days", "total"].iter().for_each(|key| drop(record.remove(*key)));
            }
        }));
        player.run(&["claim", "SAMPLE-1", "-n"])
    };
    // two answers of his do not say when he had mine: each may be a day less
    let sure = late(10).result();
    assert!(sure.contains("exceeded his time by at least 1 day with his move 7: 13 days used (at least 11)"), "{sure}");
    let asked = late(11);
    assert!(
        asked.code == 6 || asked.out.contains("Note: no mail of his states when he received several of yours"),
        "{} {}",
        asked.out,
        asked.err
    );
}

#[tokio::test]
async fn where_the_rules_give_nothing_for_silence_the_director_is_informed_and_nothing_is_claimed() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!("cif");
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let player = player.directed();
    player.run(&["claim", "SAMPLE-1", "--silence"]).result();
    let body = flat(&text(&player.letter(".claim").await.1));
    assert!(
        body.contains("I inform you that my opponent has not answered for") && body.contains("the rules allow 28."),
        "{body}"
    );
    assert!(body.contains("the director is told, and what follows is for him to say"), "{body}");
    assert!(!body.contains("I claim") && !body.contains("score the game as lost"), "{body}");
    assert!(player.run(&["claim", "SAMPLE-1", "--silence"]).failure(6).contains("the same claim was drafted"));
}

#[test]
fn a_late_player_whom_the_rules_save_is_not_claimed_against_and_nothing_says_so() {
    let ecp = |hour: &str| {
        let player = Player::new();
        player.import(&document(|game| {
            game["rules"] = json!({"base": "ecp", "control": {"kind": "cumulative", "moves": 10, "days": 8}});
            game["moves"][11]["observed"] = json!({"sent_at": "2004-10-26T12:00:00+02:00"});
            let last = game["moves"][12].as_object_mut().unwrap();
            ["days", "total"].iter().for_each(|key| drop(last.remove(*key)));
            last.insert("sent".to_owned(), json!("2004-10-27"));
            last.insert(
                "observed".to_owned(),
                json!({"sent": "2004-10-27", "sent_at": format!("2004-10-27T{hour}:00+02:00")}),
            );
        }));
        player
    };
    let saved = ecp("11:59");
    let refused = flat(&saved.run(&["claim", "SAMPLE-1", "--time", "--yes"]).failure(1));
    assert!(
        refused.contains(
            "it came within 24 hours of the move before, and by the rules of this game that saves a late player"
        ),
        "{refused}"
    );
    let shown = saved.run(&["show", "SAMPLE-1"]).result();
    assert!(!shown.contains("HIS TIME IS") && !shown.contains("amici claim"), "{shown}");
    assert!(saved.run(&["show", "SAMPLE-1", "--json"]).json()["his_overstep"].is_null());
    let late = ecp("12:00");
    assert!(late.run(&["show", "SAMPLE-1"]).result().contains("HIS TIME IS"));
}

#[tokio::test]
async fn a_draw_is_claimed_with_the_move_that_the_player_states() {
    let player = white(None, &SHUFFLE[..4]);
    let refused = flat(&player.run(&["claim", "SAMPLE-1", "--repetition"]).failure(1));
    assert!(refused.contains("claim with it and do not send it: amici claim SAMPLE-1 --with MOVE"), "{refused}");
    player.run(&["claim", "SAMPLE-1", "--repetition", "--with", "Nf3"]).failure(1);
    player.run(&["claim", "SAMPLE-1", "--repetition", "--with", "Nf9"]).failure(5);
    let player = white(None, &["7163", "7866", "6371", "6678", "7163", "7866", "6371", "6678", "7183", "7866"]);
    player.run(&["claim", "SAMPLE-1", "--repetition"]).failure(1);
    let said = player.run(&["claim", "SAMPLE-1", "--repetition", "--with", "Ng1"]).result();
    assert!(said.contains("with my move 6. 8371, which I have not sent yet,"), "{said}");
    let player = white(Some("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), &[]);
    let said = player.run(&["claim", "SAMPLE-1", "--fifty-moves", "--with", "Ra2"]).result();
    assert!(said.contains("with my move 80. 1112, which I have not sent yet, 50 moves of both sides"), "{said}");
    assert!(player.run(&["show", "SAMPLE-1", "--json"]).json()["plan"].is_null(), "nothing is chosen by it");
    assert_eq!(player.run(&["claim", "SAMPLE-1", "--time", "--with", "Ra2"]).code, 2);
}
