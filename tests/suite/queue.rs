//! The held mails: what is shown of them, what the player can do about each, and that none is lost.

use amici::config::Config;
use amici::intake::{RawMessage, take_in};
use amici::io::store::{OutboxState, Store};
use amici::mail::message::{IncomingMessage, parse};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tempfile::TempDir;

use super::cli::{Player, document, second};
use super::intake::{ME, MILA, ROOT, mail, mail_with, number, sample};
use super::leave::ahead;

const TWO: &str = "Hello Tobin,\n\n7. 5171   received 27.10. sent 30.10.   4/12\n7. 4445\nWhat a nice position!\n";

impl Player {
    /// Takes a mail in and gives its outcome.
    pub(crate) fn takes(&self, raw: &[u8]) -> String {
        let file = self.file("mail.eml", raw);
        let said = self.run(&["take", &file]).result();
        let line = said.lines().next().unwrap();
        line.split(": ").nth(2).unwrap().to_owned()
    }

    /// The sample game before the opponent's seventh move, with this mail of hers.
    fn holding(body: &str) -> Player {
        let player = Player::waiting();
        player.takes(&mail("m7", "EM/ZZ/042", body));
        assert_eq!(player.held().len(), 1, "{body}");
        player
    }

    /// After 7. O-O he drafted 7... Nc6, and nobody saw it sent.
    fn planned() -> Player {
        let player = Player::with_sample();
        player.run(&["play", "SAMPLE-1", "Nc6"]).result();
        player
    }

    pub(crate) fn held(&self) -> Vec<Value> {
        self.run(&["review", "--json"]).json()["held"].as_array().unwrap().clone()
    }

    fn plies(&self, game: usize) -> Vec<String> {
        let games = self.export()["games"].clone();
        let moves = games[game]["moves"].as_array().unwrap().clone();
        moves.iter().skip(12).map(|m| m["numeric"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn store(&self) -> Store {
        Store::open(&self.path("data")).await.unwrap()
    }

    async fn sql(&self, sql: &str) {
        let options = SqliteConnectOptions::new().filename(self.path("data/amici.db"));
        options.connect().await.unwrap().execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
    }

    /// The last question in the outbox: the mail to the player, and the mail to the opponent that it brings.
    async fn question(&self) -> (IncomingMessage, IncomingMessage, Vec<u8>) {
        let rows = self.store().await.unsent().await.unwrap();
        let asks = |m: &str| m.contains(".question-draft.");
        let row = rows.into_iter().rfind(|row| asks(&row.outgoing.message_id)).unwrap();
        assert_eq!(row.state, OutboxState::Queued);
        let bytes = row.outgoing.bytes;
        let letter = parse(&bytes).unwrap();
        let reply = parse(&attached(&bytes)).unwrap();
        (letter, reply, bytes)
    }
}

/// The mail that goes along as a file.
pub(crate) fn attached(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let (_, part) = text.rsplit_once("Content-Transfer-Encoding: base64\r\n\r\n").unwrap();
    let (encoded, _) = part.split_once("\r\n--").unwrap();
    let mut bits = 0u32;
    let mut out = Vec::new();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = encoded.chars().filter_map(|c| alphabet.find(c));
    for (index, digit) in (1..).zip(digits) {
        bits = bits << 6 | u32::try_from(digit).unwrap();
        if index % 4 != 1 {
            out.push((bits >> (6 - 2 * ((index - 1) % 4))) as u8);
        }
    }
    out
}

#[test]
fn a_mail_of_another_game_is_held_for_that_one_on_the_players_word() {
    let player = Player::holding(TWO);
    player.import(&second("OTHER-2", |game| {
        game["moves"].as_array_mut().unwrap().pop();
        game["white"]["emails"] = json!(["other@example.org"]);
    }));
    assert!(player.run(&["assign", "1", "SAMPLE-1"]).failure(1).contains("was read for game SAMPLE-1 already"));
    assert_eq!(player.run(&["assign", "1", "NONE"]).code, 4);
    let said = player.run(&["assign", "1", "OTHER-2"]).result();
    assert!(said.starts_with("Mail 1 is held for game OTHER-2 now; nothing is recorded.\n"), "{said}");
    let held = player.held();
    assert_eq!((held.len(), &held[0]["game_id"], &held[0]["outcome"]), (1, &json!("OTHER-2"), &json!("wrong_sender")));
    assert!(player.run(&["accept", "OTHER-2", "5171"]).failure(6).contains("say --yes"), "somebody else wrote it");
    let from = held[0]["from"].as_str().unwrap();
    player.run(&["edit", "OTHER-2", "--add-address", from]).result();
    assert_eq!(player.held()[0]["game_id"], "OTHER-2", "his word stands, whoever else the mail may be from");
    player.run(&["accept", "OTHER-2", "5171", "--yes"]).result();
    assert!(player.run(&["assign", "1", "SAMPLE-1"]).failure(1).contains("is not held"));
    player.run(&["verify", "--rebuild"]).result();
}

#[test]
fn a_question_is_shown_first_and_asked_in_the_players_own_words() {
    let player = Player::holding(TWO);
    let ours = player.run(&["ask", "1", "-n", "--language", "de"]).result();
    assert!(ours.contains("5171 = O-O"), "{ours}");
    assert_eq!(player.held()[0]["asked"], json!(null), "it was shown only");
    let refused = player.run(&["ask", "1", "--text", "7... 2836"]).failure(5);
    assert!(refused.contains("can be read as a move"), "{refused}");
    let own = format!("Liebe Mila,\nes ist spät.\n{ours}");
    player.run(&["ask", "1", "--text", &own]).result();
    assert!(player.held()[0]["asked"].is_string());
    player.run(&["verify", "--rebuild"]).result();
}

#[test]
fn a_held_mail_that_came_behind_his_move_asks_before_an_answer_is_drafted() {
    let dates = "amici clock set SAMPLE-1 7. --received DATE --sent DATE --why TEXT";
    for (body, has_dates) in [
        ("Sorry, I made a mistake in my last mail, my move is 7. 4445\n", false),
        ("Sorry, my dates were wrong: I sent it on 29.10.\n", true),
    ] {
        let player = Player::with_sample();
        player.takes(&mail("m8", "EM/ZZ/042", body));
        let id = player.held()[0]["mail"].to_string();
        let asked = player.run(&["play", "SAMPLE-1", "Nc6"]).failure(6);
        assert!(
            asked.contains(&format!("mail {id} of ")) && asked.contains("came after the move that you answer"),
            "{asked}"
        );
        assert!(asked.contains(&format!("amici review --mail {id}")), "{asked}");
        let shown = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
        assert!(shown.contains(&format!("Note: mail {id} of ")), "{shown}");
        assert_eq!(player.run(&["review"]).result().contains(dates), has_dates, "{body}");
        player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
        player.run(&["undo", "SAMPLE-1"]).result();
        player.run(&["ignore", &id]).result();
        player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    }
}

#[test]
fn a_held_mail_that_answers_a_move_which_the_record_lacks_does_not_ask() {
    let player = Player::with_sample();
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n"));
    assert_eq!(player.held().len(), 1);
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
}

/// Shown texts without the day on which the test runs.
fn undated(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.split_once("held since ") {
            Some((before, _)) => format!("{before}held since [DAY]"),
            None => line.to_owned(),
        };
        let line = match (line.split_once("recorded  "), line.split_once("draft     ")) {
            (Some((before, _)), _) => format!("{before}recorded  [NOW]"),
            (_, Some((before, _))) => format!("{before}draft     [DRAFT]"),
            _ => line,
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

// What is shown ------------------------------------------------------------------------------------------------------

#[test]
fn review_shows_why_each_mail_is_held_with_its_lines_and_what_can_be_done() {
    let player = Player::holding(TWO);
    player.takes(&mail("m7b", "EM/ZZ/042", "7. 1118\n"));
    player.takes(&mail_with("m7c", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", "", "7. 5171\n"));
    player.takes(&mail("m7d", "EM/ZZ/042: I resign", "Dear Tobin,\n\nit was a pleasure.\n"));
    insta::assert_snapshot!(undated(&player.run(&["review"]).result()));
}

#[test]
fn review_without_held_mails_says_so_and_exits_with_0() {
    let player = Player::new();
    assert_eq!(player.run(&["review"]).result(), "Nothing is held.\n", "before there is any data");
    assert_eq!(player.run(&["review", "--json"]).json(), json!({"schema": 1, "held": []}));
    assert_eq!(Player::with_sample().run(&["review"]).result(), "Nothing is held.\n");
}

#[test]
fn review_as_json_has_the_promised_keys() {
    let player = Player::holding("7. 5171   received 27.10. sent 30.10.   4/12\nI thought of 4445 too.\n");
    let held = &player.held()[0];
    let promised = [
        "mail",
        "game_id",
        "due",
        "from",
        "subject",
        "date",
        "outcome",
        "reason",
        "reason_now",
        "quoted",
        "candidates",
        "received",
        "sent",
        "days",
        "total",
        "discrepancies",
        "plan",
        "asked",
        "next",
    ];
    let keys: Vec<&str> = held.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, promised);
    assert_eq!(
        (&held["mail"], &held["game_id"], &held["due"], &held["outcome"], &held["asked"]),
        (&json!(1), &json!("SAMPLE-1"), &json!("7."), &json!("needs_human"), &Value::Null)
    );
    assert_eq!(held["date"], "2004-10-30T18:22:05Z");
    let first = &held["candidates"][0];
    assert_eq!(
        (&first["numeric"], &first["san"], &first["words"], &first["received"], &first["sent"], &first["days"]),
        (
            &json!("5171"),
            &json!("O-O"),
            &json!("castles kingside"),
            &json!("2004-10-27"),
            &json!("2004-10-30"),
            &json!(4)
        )
    );
    assert_eq!(
        first["counts"],
        json!({"received": {"day": "2004-10-27", "source": "stated"}, "sent": {"day": "2004-10-30", "source": "stated"},
               "days": 3, "total": 11})
    );
    assert!(first["discrepancies"][0].as_str().unwrap().contains("he counts 4 days, the record 3"), "{first}");
}

#[test]
fn the_lines_shown_are_those_of_the_form_that_caused_the_doubt() {
    let player = Player::waiting();
    let parts = "--b\nContent-Type: text/plain\n\nThis mail\nneeds a program\nthat shows HTML.\n\n--b\nContent-Type: text/html\n\n\
                 <p>Hello,</p><p>7. 5171</p><p>7. 4445</p>\n--b--\n";
    let header = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n";
    assert_eq!(player.takes(&mail_with("m7", MILA, "EM/ZZ/042", header, parts)), "needs_human");
    let held = &player.held()[0];
    let causes: Vec<&str> = held["quoted"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["cause"] == true)
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(causes, ["7. 5171", "7. 4445"], "{held}");
}

#[test]
fn of_a_mail_whose_forms_disagree_the_lines_and_the_move_of_each_are_shown() {
    let player = Player::waiting();
    let parts = "--b\nContent-Type: text/plain\n\n7. 5171\n\n--b\nContent-Type: text/html\n\n<p>7. 4445</p>\n--b--\n";
    let header = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n";
    player.takes(&mail_with("m7", MILA, "EM/ZZ/042", header, parts));
    let shown = player.run(&["review"]).out;
    for line in ["        1 > 7. 5171\n", "   HTML 1 > 7. 4445\n", "  reading 1  5171 ", "  reading 2  4445 "] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
}

#[test]
fn a_mail_whose_lines_say_nothing_shows_its_beginning_without_control_characters() {
    let long = "x".repeat(500);
    let player = Player::holding(&format!("Hi\u{1b}[31m Tobin,\n\n{long}\n{}", "more\n".repeat(30)));
    let shown = player.run(&["review"]).out;
    assert!(shown.contains("  Hi[31m Tobin,\n") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.contains(&format!("{}...\n", "x".repeat(69))), "{shown}");
    assert_eq!(shown.matches("more").count(), 6, "{shown}");
}

#[test]
fn status_and_show_lead_to_the_review() {
    let player = Player::holding(TWO);
    assert!(
        player.run(&["status"]).result().ends_with("Next: amici review   shows what is held, why, and what to do\n")
    );
    assert!(player.run(&["show", "SAMPLE-1"]).result().contains("\n  amici review --mail 1\n"));
    player.run(&["ask", "1"]).result();
    assert!(player.run(&["status"]).result().contains("\n      question drafted "));
    let status = player.run(&["status", "--json"]).json();
    assert_eq!(status["held"][0]["asked"], player.held()[0]["asked"]);
    assert!(status["held"][0]["asked"].is_string());
}

// What the player decides --------------------------------------------------------------------------------------------

#[test]
fn flags_settle_one_mail_without_a_terminal() {
    let accepted = Player::holding(TWO);
    let dates = ["--received", "2004-10-28", "--sent", "2004-10-29"];
    let said = accepted.run(&[&["review", "--mail", "1", "--accept", "d5"], &dates[..]].concat()).result();
    assert!(
        said.starts_with("7. 4445   d5   pawn d4-d5\nrecorded on your word, received 2004-10-28, sent 2004-10-29.\n")
    );
    let last = accepted.export()["games"][0]["moves"][12].clone();
    assert_eq!((&last["received"], &last["sent"]), (&json!("2004-10-28"), &json!("2004-10-29")));
    let ignored = Player::holding(TWO);
    assert!(ignored.run(&["review", "--mail", "1", "--ignore"]).result().contains("nothing was recorded"));
    let asked = Player::holding(TWO);
    assert!(
        asked.run(&["review", "--mail", "1", "--ask", "--language", "de"]).result().contains("Nothing has been sent")
    );
    assert_eq!((accepted.held().len(), ignored.held().len(), asked.held().len()), (0, 0, 1));
    for args in [
        &["review", "--accept", "d5"][..],
        &["review", "--mail", "1", "--accept", "d5", "--ignore"],
        &["review", "--mail", "1", "--ask", "--ignore"],
        &["review", "--mail", "1", "--sent", "2004-10-29"],
        &["review", "--mail", "1", "--ask", "--language", "eo"],
        &["review", "--json", "--mail", "1", "--ignore"],
    ] {
        asked.run(args).failure(2);
    }
}

#[test]
fn accepting_a_reading_keeps_what_the_mail_states_beside_it() {
    let player = Player::holding(TWO);
    let said = player.run(&["accept", "SAMPLE-1", "O-O"]).result();
    assert!(said.contains("received 2004-10-27, sent 2004-10-30."), "{said}");
    let last = player.export()["games"][0]["moves"][12].clone();
    assert_eq!((&last["received"], &last["days"], &last["total"]), (&json!("2004-10-27"), &json!(4), &json!(12)));
    let other = Player::holding(TWO);
    other.run(&["accept", "SAMPLE-1", "6355"]).result();
    let last = other.export()["games"][0]["moves"][12].clone();
    assert_eq!(
        (&last["received"], &last["sent"], &last["days"]),
        (&Value::Null, &json!("2004-10-30"), &Value::Null),
        "the dates of another move are not his"
    );
}

#[test]
fn the_correction_of_an_illegal_move_is_accepted() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5152\n")), "illegal");
    player.run(&["accept", "SAMPLE-1", "5152"]).failure(5);
    player.run(&["accept", "SAMPLE-1", "5171"]).result();
    assert_eq!((player.plies(0), player.held().len()), (vec!["5171".to_owned()], 0));
}

#[test]
fn a_wrong_sender_is_accepted_only_on_the_players_own_word() {
    let player = Player::waiting();
    let raw = mail_with("m7", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", "", "7. 5171\n");
    assert_eq!(player.takes(&raw), "wrong_sender");
    for args in [&["accept", "SAMPLE-1", "5171"][..], &["review", "--mail", "1", "--accept", "5171"]] {
        let message = player.run(args).failure(6);
        assert!(message.contains("is not an address of Ostrander, Mila") && message.contains("say --yes"), "{message}");
    }
    assert!(player.plies(0).is_empty());
    player.run(&["accept", "SAMPLE-1", "5171", "--yes"]).result();
    assert_eq!(player.plies(0), ["5171"]);
    assert!(player.run(&["explain", "SAMPLE-1", "last"]).result().contains("for which you vouched"));
}

#[test]
fn accepting_an_answer_takes_the_draft_as_sent_and_says_so() {
    let player = Player::planned();
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n"));
    let shown = player.run(&["review"]).out;
    assert!(
        shown.contains("  draft    your 7... 2836 was not seen to be sent; accepting a move records it as sent\n"),
        "{shown}"
    );
    assert_eq!(player.held()[0]["plan"]["numeric"], "2836");
    let said = player.run(&["accept", "SAMPLE-1", "4445"]).result();
    assert!(said.contains("Your draft 7... 2836 is recorded before it, as sent.\n"), "{said}");
    assert_eq!(player.plies(0), ["5171", "2836", "4445"]);
    let shown = player.run(&["explain", "SAMPLE-1", "7b"]).result();
    assert!(shown.contains("  source    you accepted his answer to it, so it was sent\n"), "{shown}");
}

#[test]
fn a_draft_that_he_read_as_another_move_is_not_taken_as_sent_without_a_second_word() {
    let player = Player::planned();
    player.takes(&mail("m8", "EM/ZZ/042", "7. 5171 2847\n8. 4445\n"));
    let message = player.run(&["accept", "SAMPLE-1", "4445"]).failure(6);
    assert!(message.contains("7... 2847") && message.contains("amici undo SAMPLE-1"), "{message}");
    assert_eq!(player.plies(0), ["5171"]);
    player.run(&["undo", "SAMPLE-1"]).result();
    player.run(&["play", "SAMPLE-1", "2847"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-10-30"]).result();
    assert_eq!(player.held()[0]["reason_now"], "8. 4445 fits the record and is legal");
    player.run(&["accept", "SAMPLE-1", "4445"]).result();
    assert_eq!(player.plies(0), ["5171", "2847", "4445"]);
}

#[test]
fn a_mail_held_for_two_games_is_settled_game_by_game() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
    }));
    player.import(&second("OTHER-2", |game| {
        game["event"] = json!("FRIEND-88");
        game["moves"].as_array_mut().unwrap().pop();
    }));
    player.takes(&mail("m7", "my move", "7. 5171\n"));
    assert_eq!(player.held().len(), 2);
    for args in [&["review", "--mail", "1", "--accept", "5171"][..], &["ask", "1"]] {
        let message = player.run(args).failure(6);
        assert!(
            message.contains("it is held for several games; say which with --game: SAMPLE-1, OTHER-2"),
            "{message}"
        );
    }
    player.run(&["review", "--mail", "1", "--game", "NONE", "--ignore"]).failure(4);
    let said = player.run(&["review", "--mail", "1", "--game", "OTHER-2", "--accept", "5171"]).result();
    assert!(said.contains("It is still held for SAMPLE-1:  amici ignore 1 --game SAMPLE-1\n"), "{said}");
    assert_eq!((player.plies(0).len(), player.plies(1).len(), player.held().len()), (0, 1, 1));
    player.run(&["ignore", "1", "--game", "SAMPLE-1"]).result();
    assert!(player.held().is_empty());
}

#[tokio::test]
async fn the_result_settles_the_mail_that_announced_it_and_names_the_others() {
    for (outcome, result, settled) in [
        ("resignation", "0-1", true),
        ("resignation", "1-0", false),
        ("resignation", "1/2", false),
        ("draw_accept", "1/2", true),
        ("draw_accept", "0-1", false),
        ("needs_human", "0-1", false),
    ] {
        let player = Player::holding(TWO);
        player.sql(&format!("UPDATE verdicts SET outcome = '{outcome}'")).await;
        if outcome != "needs_human" {
            let message = player.run(&["accept", "SAMPLE-1", "5171"]).failure(1);
            assert!(message.contains("amici result SAMPLE-1 "), "{message}");
            assert!(player.held()[0]["next"][0].as_str().unwrap().starts_with("amici result SAMPLE-1 "));
        }
        let said = if outcome != "needs_human" && !settled {
            let refusal = player.run(&["result", "SAMPLE-1", result]).failure(6);
            assert!(refusal.contains("mail 1 announces") && refusal.contains("--yes"), "{refusal}");
            player.run(&["result", "SAMPLE-1", result, "--yes"]).result()
        } else {
            player.run(&["result", "SAMPLE-1", result]).result()
        };
        assert_eq!(said.contains("Mail 1, which announced it, is settled.\n"), settled, "{outcome} {result}: {said}");
        assert_eq!(
            said.contains("Mail 1 is still held for it:  amici ignore 1\n"),
            !settled,
            "{outcome} {result}: {said}"
        );
        assert_eq!(player.held().is_empty(), settled, "{outcome} {result}");
    }
}

#[test]
fn a_held_mail_that_speaks_of_another_end_is_asked_about_before_the_game_is_closed() {
    for (body, result, asks) in [
        ("1/2-1/2\n", "0-1", true),
        ("1/2-1/2\n", "1/2-1/2", false),
        ("I resign.\n\n7. 5171\n", "0-1", true),
        (TWO, "0-1", false),
    ] {
        let player = Player::holding(body);
        let ran = player.run(&["result", "SAMPLE-1", result]);
        if asks {
            let refusal = ran.failure(6);
            assert!(refusal.contains("mail 1 is held since ") && refusal.contains("--yes"), "{body}: {refusal}");
            assert_eq!(player.export()["games"][0]["result"], Value::Null);
            player.run(&["result", "SAMPLE-1", result, "--yes"]).result();
        } else {
            ran.result();
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_what_can_be_done_and_changes_nothing() {
    let player = Player::holding(TWO);
    let before = player.held();
    for (args, code, words) in [
        (&["review", "--mail", "9"][..], 1, "there is no mail 9"),
        (&["review", "--mail", "9", "--ignore"], 1, "`amici review` lists those that are"),
        (&["ask", "9"], 1, "there is no mail 9"),
        (&["ignore", "9"], 1, "there is no mail 9"),
        (&["accept", "NONE", "5171"], 4, "there is no game NONE"),
        (&["review", "--mail", "1", "--accept", "1118"], 5, "11 = a1 cannot reach"),
        (&["review", "--mail", "1", "--accept", "Nd"], 5, "is not a move"),
        (&["review", "--mail", "1", "--accept", "N2d2"], 5, ""),
        (&["accept", "SAMPLE-1", "5171", "--sent", "2004-10-26"], 1, "lies before received 2004-10-27"),
        (&["accept", "SAMPLE-1", "5171", "--sent", &ahead("2090-12-31")], 1, "12-31 has not come yet"),
        (&["accept", "SAMPLE-1", "5171", "--received", &ahead("2090-12-31")], 1, "12-31 has not come yet"),
        (
            &["accept", "SAMPLE-1", "5171", "--received", "1970-01-01", "--sent", "1970-01-01"],
            1,
            "received 1970-01-01 lies before 2004-10-26, the day on which the move before was sent",
        ),
        (&["accept", "SAMPLE-1", "5171", "--mail", "9"], 1, "is not held for game SAMPLE-1"),
    ] {
        let message = player.run(args).failure(code);
        assert!(message.contains(words), "{args:?}: {message}");
    }
    assert_eq!(player.held(), before);
    player.run(&["accept", "SAMPLE-1", "5171"]).result();
    for args in [&["ask", "1"][..], &["ignore", "1"], &["review", "--mail", "1", "--accept", "5171"]] {
        assert!(player.run(args).failure(1).contains("mail 1 is not held (any more)"), "{args:?}");
    }
    let two = Player::holding("7. 5171\n7. 4445\n");
    two.takes(&mail("m7b", "EM/ZZ/042", "Which one?\n"));
    assert!(two.run(&["accept", "SAMPLE-1", "5171"]).failure(6).contains("say which with --mail: 1, 2"));
}

#[test]
fn where_his_move_is_not_due_none_is_accepted_and_the_way_out_is_named() {
    let player = Player::with_sample();
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n"));
    assert_eq!(player.held()[0]["next"][0], "amici play SAMPLE-1 MOVE");
    let message = player.run(&["accept", "SAMPLE-1", "4445"]).failure(1);
    assert!(message.contains("the record waits for your 7...") && message.contains("amici sent SAMPLE-1"), "{message}");
    let over = Player::holding(TWO);
    over.run(&["result", "SAMPLE-1", "1/2"]).result();
    assert!(over.run(&["accept", "SAMPLE-1", "5171"]).failure(1).contains("game SAMPLE-1 is over: 1/2-1/2"));
    assert!(over.run(&["ask", "1"]).failure(1).contains("game SAMPLE-1 is over"));
    assert_eq!(over.held()[0]["next"], json!(["amici ignore 1"]));
}

#[test]
fn a_result_entered_by_mistake_is_taken_back_and_the_game_goes_on_as_it_stood() {
    let player = Player::new();
    player.import(&document(|game| game["draw_offer"] = json!("white")));
    let before = player.export();
    let nothing = player.run(&["retract", "SAMPLE-1", "--why", "a slip"]).failure(1);
    assert!(nothing.contains("nothing that went on record by itself can be taken back in game SAMPLE-1"), "{nothing}");
    player.run(&["result", "SAMPLE-1"]).failure(2);
    player.run(&["result", "SAMPLE-1", "1-0"]).result();
    let again = player.run(&["result", "SAMPLE-1", "0-1"]).failure(1);
    assert!(
        again.contains("is over already: 1-0\nhelp: ") && again.contains("amici retract SAMPLE-1 --why TEXT"),
        "{again}"
    );
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n"));
    let shown = player.run(&["retract", "SAMPLE-1", "--why", "a slip", "-n"]).result();
    assert!(shown.contains("  the result 1-0\nNothing was changed.\n"), "{shown}");
    let said = player.run(&["retract", "SAMPLE-1", "--why", "a slip"]).result();
    assert!(said.starts_with("Taken back in SAMPLE-1:\n  the result 1-0\n"), "{said}");
    assert!(said.contains("Mail 1 waits for you:\n  amici play SAMPLE-1 MOVE "), "{said}");
    assert_eq!(player.export(), before, "his offer of a draw stands again");
    assert_eq!(player.held()[0]["next"][0], "amici play SAMPLE-1 MOVE");
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert!(player.run(&["verify"]).result().contains("0 differences"));
    player.run(&["result", "SAMPLE-1", "1/2"]).result();
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));

    let filed = Player::new();
    filed.import(&document(|game| game["result"] = json!("1-0")));
    assert!(filed.run(&["retract", "SAMPLE-1", "--why", "x"]).failure(1).contains("amici import FILE --replace"));
}

// The question -------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_question_is_a_finished_draft_to_the_player_that_answers_the_mail() {
    let player = Player::holding(TWO);
    let said = player.run(&["ask", "1"]).result();
    insta::assert_snapshot!("a_question_is_drafted", said);
    let (letter, reply, bytes) = player.question().await;
    let to = |message: &IncomingMessage| message.to.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        (to(&letter), to(&reply)),
        (vec!["tobin.q@example.net".into()], vec!["mila.ostrander@example.org".into()])
    );
    assert!(letter.reply_to.is_empty(), "an answer to it comes back to the player");
    assert_eq!(letter.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: a question");
    assert_eq!(reply.subject, "Re: EM/ZZ/042 Ostrander - Quillfeather");
    for message in [&letter, &reply] {
        assert_eq!(message.in_reply_to[0].to_string(), "<m7@example.org>");
        assert_eq!(message.references.last().unwrap().to_string(), "<m7@example.org>");
    }
    assert_eq!((letter.headers.count("x-unsent"), reply.headers.count("x-unsent")), (0, 1));
    let (text, sent) = (letter.plain.unwrap(), reply.plain.unwrap());
    assert!(text.trim_end().ends_with(&format!("=\n\n{}", sent.trim_end())), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 72 || line.contains("<mailto:")), "{text}");
    insta::assert_snapshot!("a_question", text);
    assert!(!String::from_utf8(bytes).unwrap().contains("Bcc"));
    assert_eq!(player.held().len(), 1, "it stays held");
    assert!(player.plies(0).is_empty());
}

#[tokio::test]
async fn each_language_asks_in_its_own_words() {
    let player = Player::holding(TWO);
    let mut asked = String::new();
    for code in ["en", "de", "fr", "es", "it", "pt", "RU"] {
        player.run(&["ask", "1", "--language", code, "--again"]).result();
        let text = player.question().await.0.plain.unwrap();
        let (words, _) = text.split_once("Event:").unwrap();
        let (_, words) = words.split_once("=\n\n").unwrap();
        assert!(words.contains("  4| 7. 4445\n") && words.contains("   4445 = d4-d5 (d5)\n"), "{words}");
        assert!(words.contains("2004-10-30") && words.lines().all(|line| line.chars().count() <= 72), "{words}");
        asked.push_str(words);
    }
    insta::assert_snapshot!(asked);
    assert_eq!(
        number(
            &player.path("data"),
            "SELECT count(*) FROM outbox WHERE state = 'queued' AND message_id LIKE '%question%'"
        )
        .await,
        1
    );
}

#[tokio::test]
async fn what_is_asked_fits_what_is_in_doubt() {
    for (body, words) in [
        ("7. 5171\n7. 4445\n", "in more than one way"),
        ("If you play 5755 then 7. 5171\n", "Did you mean that?     5171 = O-O"),
        ("If you play 5756 then 7. 5171\n", "I could not tell from it with certainty"),
        ("7. 1118\n", "is not possible in the position"),
        ("Greetings from the sea.\n", "I could not tell from it with certainty"),
    ] {
        let player = Player::holding(body);
        player.run(&["ask", "1"]).result();
        let text = player.question().await.0.plain.unwrap().replace('\n', " ");
        assert!(text.contains(words), "{body}: {text}");
    }
    let player = Player::with_sample();
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n"));
    player.run(&["ask", "1"]).result();
    let text = player.question().await.0.plain.unwrap().replace('\n', " ");
    assert!(text.contains("Which move of mine are you answering?"), "{text}");
}

#[test]
fn one_question_is_drafted_for_a_mail_unless_he_asks_again() {
    let player = Player::holding(TWO);
    player.run(&["ask", "1"]).result();
    for args in [&["ask", "1"][..], &["review", "--mail", "1", "--ask"]] {
        assert!(player.run(args).failure(6).contains("say --again"), "{args:?}");
    }
    player.run(&["ask", "1", "--again"]).result();
    assert!(player.run(&["review"]).out.contains(", question drafted "));
}

#[tokio::test]
async fn a_question_that_has_not_gone_out_is_cancelled_when_its_mail_is_settled() {
    for args in [&["accept", "SAMPLE-1", "5171"][..], &["ignore", "1"]] {
        let player = Player::holding(TWO);
        player.run(&["ask", "1"]).result();
        player.run(args).result();
        let cancelled = "SELECT count(*) FROM outbox WHERE state = 'cancelled' AND message_id LIKE '%question%'";
        assert_eq!(number(&player.path("data"), cancelled).await, 1, "{args:?}");
    }
}

#[test]
fn nobody_is_asked_about_a_mail_that_is_not_his() {
    let player = Player::waiting();
    player.takes(&mail_with("m7", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", "", "7. 5171\n"));
    let message = player.run(&["ask", "1"]).failure(1);
    assert!(message.contains("ask him by another way"), "{message}");
    assert!(!player.held()[0]["next"].to_string().contains("amici ask"));
}

#[tokio::test]
async fn nothing_of_his_mail_gets_into_a_header_and_little_into_the_text() {
    let player = Player::waiting();
    let lines: String = (0..40).map(|n| format!("7. {} {}\n", 5171 - 726 * (n % 2), "blah ".repeat(30))).collect();
    let raw = mail_with(
        "x",
        "=?utf-8?q?Evil=0D=0ABcc=3A_x?= <mila.ostrander@example.org>",
        "=?utf-8?q?PLANTED=0D=0AX-Planted:_1?=",
        "Reply-To: evil@example.com\nReferences: <planted@example.com>\n",
        &format!("\u{1b}[2J\u{202e}hello\n{lines}"),
    );
    assert_eq!(player.takes(&raw), "needs_human");
    player.run(&["ask", "1"]).result();
    let (letter, reply, bytes) = player.question().await;
    for (message, bytes) in [(letter, bytes.clone()), (reply, attached(&bytes))] {
        let text = String::from_utf8(bytes).unwrap();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        for planted in ["PLANTED", "X-Planted", "Bcc", "Evil", "evil@", "planted@", "blah", "hello"] {
            assert!(!head.contains(planted), "{planted} in {head}");
        }
        let plain = message.plain.unwrap();
        assert!(plain.lines().filter(|line| line.contains("blah")).count() <= 10, "{plain}");
        let fits = |line: &str| line.chars().count() <= 72 || line.contains("<mailto:");
        assert!(plain.lines().all(|line| fits(line) && !line.contains('\u{1b}')), "{plain}");
    }
}

#[tokio::test]
async fn his_answer_under_which_the_question_stands_quoted_is_taken_without_doubt() {
    for (answer, outcome) in [
        ("7. 5171\n", "move"),
        ("Sent 1.11., received 27.10.:\n\n7. 5171\n\nMila\n", "move"),
        ("My move:\n\n5171\n", "move"),
        ("The first one.\n", "needs_human"),
        ("7. 5171\n7. 4445\n", "needs_human"),
    ] {
        let player = Player::holding(TWO);
        player.run(&["ask", "1"]).result();
        let (_, reply, _) = player.question().await;
        let id = reply.message_id.unwrap();
        let quoted: String = reply.plain.unwrap().lines().map(|line| format!("> {line}\n")).collect();
        let header = format!("In-Reply-To: {id}\nReferences: <m7@example.org> {id}\n");
        let body = format!("{answer}\nOn 31 Oct 2004 Tobin wrote:\n{quoted}");
        let raw = mail_with("m8", MILA, "Re: EM/ZZ/042 Ostrander - Quillfeather", &header, &body);
        assert_eq!(player.takes(&raw), outcome, "{body}");
        let stranger = Player::holding(TWO);
        let unasked = mail_with("m8", MILA, "Re: EM/ZZ/042", "", &body);
        assert_eq!(stranger.takes(&unasked), "needs_human", "quoted lines of an unknown mail are compared: {body}");
    }
}

// Why a move stands on record ----------------------------------------------------------------------------------------

#[test]
fn explain_shows_the_words_of_the_mail_and_the_dates_that_count() {
    let player = Player::waiting();
    let body = "Hello Tobin,\n\n7. 5171   received 27.10. sent 30.10.   4/12\n\nMila\n";
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", body)), "move");
    insta::assert_snapshot!(undated(&player.run(&["explain", "SAMPLE-1", "last"]).result()));
    for ply in ["7.", "7w", "7W"] {
        assert!(
            player.run(&["explain", "SAMPLE-1", ply]).result().starts_with("7. 5171   O-O   castles kingside\n"),
            "{ply}"
        );
    }
    let told = player.run(&["explain", "SAMPLE-1", "7.", "--json"]).json();
    assert_eq!((&told["schema"], &told["by"], &told["source"]), (&json!(1), &json!("opponent"), &json!("mail")));
    assert_eq!((&told["mail"]["mail"], &told["mail"]["message_id"]), (&json!(1), &json!("<m7@example.org>")));
    assert_eq!(
        told["lines"][1],
        json!({"line": 3, "html": false, "text": "7. 5171   received 27.10. sent 30.10.   4/12", "cause": true})
    );
    assert_eq!((&told["counts"]["days"], &told["stated"]["days"]), (&json!(3), &json!(4)));
    assert_eq!(told["counts"]["sent"]["source"], "stated");
    assert_eq!(
        told["observed"],
        json!({
            "sent": "2004-10-30", "arrived": "2004-10-30", "sent_at": "2004-10-30T20:21:00+02:00",
            "relayed_at": "2004-10-30T18:22:05Z", "arrived_at": "2004-10-30T20:22:05+02:00",
        })
    );
}

#[test]
fn explain_says_where_no_mail_gave_the_move() {
    let player = Player::with_sample();
    let shown = player.run(&["explain", "SAMPLE-1", "5b"]).result();
    insta::assert_snapshot!(undated(&shown));
    assert_eq!(player.run(&["explain", "SAMPLE-1", "5...", "--json"]).json()["source"], "import");
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("  source    you sent 7... 2836 on 2004-11-02: your word, no mail\n"), "{told}");
    let told = player.run(&["explain", "SAMPLE-1", "last", "--json"]).json();
    assert_eq!((&told["source"], &told["by"]), (&json!("player"), &json!("me")));
    assert!(told["draft"]["message_id"].as_str().unwrap().starts_with("<SAMPLE-1.ready."), "{told}");
}

#[test]
fn explain_tells_how_our_own_move_was_seen_to_be_sent() {
    let quoted = "8. 4445\n\nOn 30 Oct 2004 Tobin wrote:\n> 7... 2836\n";
    for (body, source) in
        [("7. 5171 2836\n8. 4445\n", "he repeats it, so it was sent"), (quoted, "he quotes it, so it was sent")]
    {
        let player = Player::planned();
        assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", body)), "move", "{body}");
        let told = player.run(&["explain", "SAMPLE-1", "7b"]).result();
        assert!(told.contains(&format!("  source    {source}\n")) && told.contains("2836"), "{told}");
        assert!(told.contains("  draft     <SAMPLE-1.ready."), "{told}");
        let his = player.run(&["explain", "SAMPLE-1", "8."]).result();
        assert!(his.contains("  source    these lines of his text\n"), "{his}");
    }
    let player = Player::planned();
    let shown = player.run(&["show", "SAMPLE-1", "--json"]).json();
    let id = shown["plan"]["message_id"].as_str().unwrap().to_owned();
    let header = format!("In-Reply-To: {id}\n");
    assert_eq!(player.takes(&mail_with("m8", MILA, "EM/ZZ/042", &header, "8. 4445\n")), "move");
    let told = player.run(&["explain", "SAMPLE-1", "7..."]).result();
    assert!(told.contains("  source    he answers it, so it was sent\n"), "{told}");
}

#[test]
fn a_ply_that_is_not_on_record_or_not_named_is_refused() {
    let player = Player::with_sample();
    for ply in ["8.", "0.", "99b"] {
        let message = player.run(&["explain", "SAMPLE-1", ply]).failure(1);
        assert!(message.contains("7... is due") && message.contains("amici show SAMPLE-1"), "{message}");
    }
    for ply in ["7", "", ".", "b", "7x", "seven", "7..", "-1.", "99999999999."] {
        let message = player.run(&["explain", "SAMPLE-1", ply]).failure(2);
        assert!(message.contains("12. or 12w") || ply.starts_with('-'), "{ply}: {message}");
    }
    let fresh = Player::new();
    fresh.import(&document(|game| game["moves"] = json!([])));
    assert!(fresh.run(&["explain", "SAMPLE-1", "last"]).failure(1).contains("has no move on record"));
    player.run(&["result", "SAMPLE-1", "1-0", "--no-report"]).result();
    assert!(
        player.run(&["explain", "SAMPLE-1", "7..."]).failure(1).contains("no 7..."),
        "a game that is over has no due move"
    );
}

// Nothing is lost ----------------------------------------------------------------------------------------------------

/// Mails of the opponent of every kind.
fn every_kind() -> Vec<(&'static str, Vec<u8>)> {
    let html = "MIME-Version: 1.0\nContent-Type: text/html\n";
    let mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    let pgn = "--b\nContent-Type: text/plain\n\nsee the file\n\n--b\nContent-Type: application/x-chess-pgn; name=g.pgn\n\n\
               1. e4 e5\n--b--\n";
    let deep: String =
        (0..2_000).map(|n| format!("--b{n}\nContent-Type: multipart/mixed; boundary=\"b{}\"\n\n", n + 1)).collect();
    let plain = |id, body: &str| mail(id, "EM/ZZ/042", body);
    vec![
        ("move", plain("a", "7. 5171\n")),
        ("repeat", plain("b", "7. 5171\n\nagain\n")),
        ("two moves", plain("c", "7. 5171\n7. 4445\n")),
        ("illegal", plain("d", "7. 1118\n")),
        ("no move", plain("e", "Greetings from the sea.\n")),
        ("empty", plain("f", "")),
        ("sentence", plain("g", "I thought of 5171 for long\n")),
        ("condition", plain("h", "If 7. 5171 then I may lose\n")),
        ("resignation", plain("i", "I resign.\n")),
        ("draw", plain("j", "I accept the draw.\n")),
        ("offer", plain("k", "I offer a draw.\n")),
        ("leave", plain("l", "I am on leave until 1 December.\n")),
        ("ahead", plain("m", "9. 5171\n")),
        ("behind", plain("n", "6. 1234\n")),
        ("bad digits", plain("o", "7. 9999\n")),
        ("html", mail_with("p", MILA, "EM/ZZ/042", html, "<p>7. 5171</p>")),
        ("file", mail_with("q", MILA, "EM/ZZ/042", mixed, pgn)),
        (
            "too deep",
            mail_with(
                "r",
                MILA,
                "EM/ZZ/042",
                "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b0\"\n",
                &deep,
            ),
        ),
        ("too long", plain("s", &"words and words\n".repeat(8_000))),
        ("hidden", plain("t", "7. 51\u{200b}71\n")),
        ("other subject", mail("u", "Hello", "How are you?\n")),
        ("another game", mail("v", "EM/ZZ/999", "31. 5171\n")),
        (
            "no id",
            String::from_utf8(plain("w", "7. 4445\n"))
                .unwrap()
                .replace("Message-ID: <w@example.org>\r\n", "")
                .into_bytes(),
        ),
    ]
}

#[tokio::test]
async fn every_mail_of_an_opponent_ends_on_record_as_a_repeat_or_in_the_queue() {
    let me = Config::parse(ME).unwrap().me;
    let now = "2004-10-30T18:30:00Z".parse().unwrap();
    for plies in [12, 13] {
        for (kind, raw) in every_kind() {
            let dir = TempDir::new().unwrap();
            let mut store = Store::open(dir.path()).await.unwrap();
            store.import(&[(sample(plies), ROOT.to_owned())], false, now).await.unwrap();
            let mail = RawMessage { bytes: &raw, at: now, arrival: None, verified: None };
            take_in(&mut store, &me, &amici::config::Senders::default(), &mail, now).await.unwrap();
            let ends = "SELECT count(*) FROM verdicts WHERE outcome IN ('move', 'duplicate') OR open = 1";
            for (sql, count) in [
                (ends, 1),
                ("SELECT count(*) FROM verdicts", 1),
                ("SELECT count(*) FROM mails WHERE raw IS NOT NULL", 1),
                ("SELECT min(1, count(*)) FROM events WHERE mail = 1", 1),
            ] {
                assert_eq!(number(dir.path(), sql).await, count, "{kind}: {sql}");
            }
            let held = store.held().await.unwrap();
            assert_eq!(number(dir.path(), "SELECT count(*) FROM verdicts WHERE open = 1").await, held.len() as i64);
        }
    }
}

#[test]
fn each_mail_in_the_queue_is_shown_with_what_can_be_done_and_leaves_it_only_by_the_player() {
    let player = Player::waiting();
    let mut taken = 0;
    for (_, raw) in every_kind().into_iter().filter(|(kind, _)| !matches!(*kind, "move" | "repeat" | "html")) {
        player.takes(&raw);
        taken += 1;
    }
    let held = player.held();
    assert_eq!((held.len() + player.plies(0).len(), player.run(&["review"]).code), (taken, 0));
    for entry in &held {
        assert!(
            !entry["next"].as_array().unwrap().is_empty() && !entry["reason"].as_str().unwrap().is_empty(),
            "{entry}"
        );
    }
    for entry in &held {
        assert!(player.run(&["ignore", &entry["mail"].to_string()]).result().contains("is put away"), "{entry}");
    }
    assert!(player.held().is_empty());
}

#[tokio::test]
async fn automatic_mail_of_an_opponent_leaves_its_line_in_the_journal() {
    let player = Player::waiting();
    let raw = mail_with("v", MILA, "EM/ZZ/042", "Auto-Submitted: auto-replied\n", "I am away.\n");
    assert_eq!(player.takes(&raw), "not_game_mail");
    let told = "SELECT count(*) FROM events WHERE mail = 1 AND text LIKE '%automatic mail%'";
    assert_eq!(number(&player.path("data"), told).await, 1);
}

#[test]
fn a_word_of_doubt_on_a_line_of_its_own_holds_the_move() {
    for word in
        ["Perhaps", "not yet", "draft", "cancelled", "Entwurf", "peut-être", "borrador", "forse", "ehkä", "черновик"]
    {
        let body = format!("{word}\n7. 5171\n");
        assert_eq!(Player::waiting().takes(&mail("m7", "EM/ZZ/042", &body)), "needs_human", "{body}");
    }
    assert_eq!(Player::waiting().takes(&mail("m7", "EM/ZZ/042", "Sunshine\n7. 5171\n")), "move");
}
