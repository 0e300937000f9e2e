//! `amici adopt`: what is built from a mail with the whole score, what is shown, and what is refused.

use amici::domain::adopt::{Dates, score};
use amici::domain::game::MoveRecord;
use amici::domain::start_letter::read_letter;
use amici::domain::transmission::read::Line;
use amici::io::store::Store;
use serde_json::{Value, json};

use super::cli::{Player, Ran};
use super::intake::{MILA, mail, mail_with};

/// Thirteen plies in columns; White's are the opponent's.
const TABLE: &str = "Event : EM/ZZ/042                    Start: 15.09.2004     Time: 10 moves / 60 days
White : Ostrander, Mila      <mila.ostrander@example.org>
Black : Quillfeather, Tobin  <tobin.q@example.net>

 No.  Move   Rec.   Sent  Days  Total   |  Move   Rec.   Sent  Days  Total
  1.  4244   -----  14.09    0      0    |  7866   14.09  16.09    1      1
  2.  3234   16.09  17.09    1      1    |  7776   17.09  17.09    0      1
  3.  2133   18.09  20.09    2      3    |  6877   20.09  25.09    5      6
  4.  5254   25.09  26.09    1      4    |  4746   27.09  27.09    0      6
  5.  7163   27.09  30.09    3      7    |  5878   30.09  22.10   22     28
  6.  6152   22.10  23.10    1      8    |  5755   24.10  26.10    2     30
  7.  5171   26.10  30.10    4     12    |
";
const PLIES: [&str; 13] =
    ["4244", "7866", "3234", "7776", "2133", "6877", "5254", "4746", "7163", "5878", "6152", "5755", "5171"];
const PGN: &str = "[Event \"EM/ZZ/042\"]\n[Site \"ICCF\"]\n[Date \"2004.09.15\"]\n[White \"Ostrander, Mila\"]\n\
                   [Black \"Quillfeather, Tobin\"]\n[Result \"*\"]\n\n";

impl Player {
    fn adopt(&self, raw: &[u8], options: &[&str]) -> Ran {
        let file = self.file("mail.eml", raw);
        self.run(&[&["adopt", &file][..], options].concat())
    }

    /// The one game that the document proposes.
    fn proposed(&self, raw: &[u8], options: &[&str]) -> Value {
        let document = self.adopt(raw, &[options, &["--json"]].concat()).json();
        assert_eq!((&document["schema"], document["games"].as_array().unwrap().len()), (&json!(1), 1));
        document["games"][0].clone()
    }

    fn is_empty(&self) -> bool {
        !self.path("data/amici.db").exists() || self.export()["games"].as_array().unwrap().is_empty()
    }
}

fn plies(game: &Value) -> Vec<&str> {
    game["moves"].as_array().unwrap().iter().map(|m| m["numeric"].as_str().unwrap()).collect()
}

fn body(text: &str) -> Vec<u8> {
    mail("m7", "EM/ZZ/042 move 7", text)
}

fn with_file(text: &str, name: &str, file: &str) -> Vec<u8> {
    let more = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n";
    let parts = format!(
        "--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: application/x-chess-pgn; name=\"{name}\"\n\n{file}\n--b--\n"
    );
    mail_with("m7", MILA, "EM/ZZ/042", more, &parts)
}

// What is built ------------------------------------------------------------------------------------------------------

#[test]
fn a_table_becomes_the_game_with_its_dates_days_players_and_event() {
    let player = Player::new();
    let game = player.proposed(&body(TABLE), &[]);
    assert_eq!(plies(&game), PLIES);
    assert_eq!(
        (&game["id"], &game["event"], &game["me"], &game["start_date"]),
        (&json!("EM-ZZ-042-OST"), &json!("EM/ZZ/042"), &json!("black"), &json!("2004-09-15"))
    );
    assert_eq!(game["white"], json!({"name": "Mila Ostrander", "emails": ["mila.ostrander@example.org"]}));
    assert_eq!(game["black"]["emails"], json!(["tobin.q@example.net", "tobin@example.com"]));
    assert_eq!(
        game["moves"][9],
        json!({"numeric": "5878", "received": "2004-09-30", "sent": "2004-10-22", "days": 22, "total": 28})
    );
    assert_eq!((&game["rules"], &game["notations"]), (&json!("iccf-email-2000"), &json!(["iccf"])));
    assert_eq!(
        (&game["last_message_id"], &game["seen_message_ids"]),
        (&json!("<m7@example.org>"), &json!(["<m7@example.org>"]))
    );
    assert!(player.is_empty(), "a proposal creates nothing");
}

#[test]
fn what_is_proposed_can_be_imported_as_it_is() {
    let player = Player::new();
    let document = player.adopt(&body(TABLE), &["--json"]).result();
    player.import(&document);
    assert_eq!(player.export(), serde_json::from_str::<Value>(&document).unwrap());
}

#[test]
fn years_are_counted_backwards_from_the_mail() {
    let rows: String = TABLE.lines().skip(4).map(|line| format!("{line}\n")).collect();
    let game = Player::new().proposed(&body(&rows), &[]);
    assert_eq!(plies(&game), PLIES);
    assert_eq!(
        (&game["moves"][1]["received"], &game["moves"][12]["sent"]),
        (&json!("2004-09-14"), &json!("2004-10-30"))
    );
    assert_eq!((&game["start_date"], &game["me"]), (&Value::Null, &json!("black")));
}

#[test]
fn pgn_in_the_body_or_in_a_file_becomes_the_game() {
    let score = "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5.\nNf3 O-O 6. Be2 e5 7. O-O *\n";
    for raw in [body(&format!("{PGN}{score}")), with_file("Hello!", "game.pgn", &format!("{PGN}{score}"))] {
        let game = Player::new().proposed(&raw, &[]);
        assert_eq!(plies(&game), PLIES);
        assert_eq!((&game["notations"], &game["site"]), (&json!(["iccf", "san"]), &json!("ICCF")));
    }
}

#[test]
fn german_letters_play_out_and_are_noted() {
    let score = "1. d4 Sf6 2. c4 g6 3. Sc3 Lg7 4. e4 d6 5. Sf3 0-0 6. Le2 e5 7. 0-0";
    let game = Player::new().proposed(&body(&format!("{PGN}{score}")), &[]);
    assert_eq!((plies(&game), &game["notations"]), (PLIES.to_vec(), &json!(["iccf", "san-de"])));
}

#[test]
fn a_score_from_another_position_starts_there() {
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n";
    let game = Player::new().proposed(&body(&format!("{fen}{PGN}30. 5254 5857 31. 5455")), &[]);
    assert_eq!(
        (plies(&game), &game["start_fen"]),
        (vec!["5254", "5857", "5455"], &json!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30"))
    );
}

#[test]
fn a_score_that_is_only_quoted_is_taken_and_said_to_be() {
    let quoted: String = TABLE.lines().take(11).map(|line| format!("> {line}\n")).collect();
    let raw = body(&format!("7. 5171\n\nOn 26 Oct 2004 Tobin wrote:\n{quoted}"));
    let player = Player::new();
    assert_eq!(plies(&player.proposed(&raw, &[])), PLIES);
    let shown = player.adopt(&raw, &[]);
    assert!(shown.out.contains("only together with the lines that the mail quotes"), "{}", shown.out);
}

#[test]
fn ones_own_sent_mail_will_do() {
    let twelve: String = TABLE.lines().take(11).map(|line| format!("{line}\n")).collect();
    let raw = String::from_utf8(mail_with("own", "Tobin <tobin.q@example.net>", "EM/ZZ/042", "", &twelve)).unwrap();
    let raw = raw.replace("To: tobin.q@example.net", "To: mila.ostrander@example.org");
    let game = Player::new().proposed(raw.as_bytes(), &[]);
    assert_eq!((plies(&game), &game["me"]), (PLIES[..12].to_vec(), &json!("black")));
    assert_eq!(game["white"], json!({"name": "Ostrander, Mila", "emails": ["mila.ostrander@example.org"]}));
    assert_eq!(game["last_message_id"], "<own@example.org>", "his answer refers to it");
}

#[test]
fn the_player_may_say_everything_himself() {
    let game = Player::new().proposed(
        &body(TABLE),
        &["--id", "MINE-1", "--event", "Cup", "--rules", "friendly", "--notation", "san", "--opponent-name", "M. O."],
    );
    assert_eq!((&game["id"], &game["event"], &game["rules"]), (&json!("MINE-1"), &json!("Cup"), &json!("friendly")));
    assert_eq!((&game["notations"], &game["white"]["name"]), (&json!(["iccf", "san"]), &json!("M. O.")));
    let rows = TABLE.lines().skip(4).map(|line| format!("{line}\n")).collect::<String>();
    let game = Player::new().proposed(&body(&rows), &["--start", "2004-09-15", "--me", "black"]);
    assert_eq!((&game["start_date"], &game["me"]), (&json!("2004-09-15"), &json!("black")));
}

// Shown, confirmed, created ------------------------------------------------------------------------------------------

#[test]
fn a_proposal_shows_everything_and_creates_nothing_unasked() {
    let player = Player::new();
    let table = TABLE.replace("4     12    |", "3     12    |").replace("26.10    2     30", "26.10    2     31");
    let shown = player.adopt(&body(&table), &[]);
    assert_eq!(shown.code, 6);
    assert!(shown.err.contains("--yes"), "{}", shown.err);
    assert!(player.is_empty());
    insta::assert_snapshot!(player.masked(&shown.out));
}

#[tokio::test]
async fn yes_creates_the_game_and_keeps_its_mail_as_evidence_and_taking_that_in_again_changes_nothing() {
    let player = Player::new();
    let raw = body(TABLE);
    let shown = player.adopt(&raw, &["--yes"]).result();
    assert!(shown.contains("Created: EM-ZZ-042-OST  Mila Ostrander - Quillfeather, Tobin"), "{shown}");
    let before = player.export();
    let file = player.file("mail.eml", &raw);
    let taken = player.run(&["take", &file]).result();
    assert!(taken.contains("taken in before, nothing changes"), "{taken}");
    assert_eq!(player.export(), before);
    let mut store = Store::open_existing_read_only(&player.path("data")).await.unwrap();
    let kept = store.mails_from("mila.ostrander@example.org").await.unwrap();
    assert_eq!(kept.iter().map(|mail| &mail.raw).collect::<Vec<_>>(), [&raw]);
    let held = player.run(&["review", "--json"]).json();
    assert_eq!(held["held"], json!([]), "nothing of it is asked");
    let status = player.run(&["status", "--json", "--at", "2004-11-02T10:00:00Z"]).json();
    assert_eq!((&status["games"][0]["ply"], &status["games"][0]["days_this_move"]), (&json!(13), &json!(3)));
}

#[test]
fn a_game_is_not_adopted_twice() {
    let player = Player::new();
    player.adopt(&body(TABLE), &["--yes"]).result();
    let before = player.export();
    let again = player.adopt(&body(TABLE), &["--yes"]).failure(1);
    assert!(again.contains("this is game EM-ZZ-042-OST, which you have already"), "{again}");
    assert!(player.adopt(&body(TABLE), &["--yes", "--id", "OTHER"]).failure(1).contains("EM-ZZ-042-OST"));
    assert_eq!(player.export(), before);
}

#[test]
fn the_name_of_a_game_that_is_over_is_not_given_again() {
    let player = Player::new();
    player.adopt(&body(TABLE), &["--yes"]).result();
    player.run(&["result", "EM-ZZ-042-OST", "1/2-1/2"]).result();
    let again = player.adopt(&body(TABLE), &["--yes"]).result();
    assert!(again.contains("Created: EM-ZZ-042-OST-2 "), "{again}");
}

#[test]
fn a_newest_move_that_is_in_doubt_is_left_for_the_judge() {
    let player = Player::new();
    let raw = body(&format!("{TABLE}\nIf I may, I would rather play 7. 4445, please ignore the last row.\n"));
    let shown = player.adopt(&raw, &["--yes"]).result();
    assert!(shown.contains("Not taken:") && shown.contains("`amici take`"), "{shown}");
    let game = player.export()["games"][0].clone();
    assert_eq!((plies(&game), &game["seen_message_ids"]), (PLIES[..12].to_vec(), &json!([])));
    let file = player.file("mail.eml", &raw);
    assert!(player.run(&["take", &file]).result().contains("needs_human"));
}

#[test]
fn rules_that_nobody_named_and_that_are_over_are_told() {
    let of_2026 = |text: &str| text.replace("15.09.2004", "15.09.2026");
    let raw = String::from_utf8(body(&of_2026(TABLE))).unwrap().replace("30 Oct 2004", "30 Oct 2026");
    let raw = raw.replace("Sat, 30", "Fri, 30").into_bytes();
    let player = Player::new();
    let why = "the rules: iccf-email-2005 is for events begun until ";
    let shown = player.adopt(&raw, &[]);
    assert!(shown.out.contains(why) && shown.out.contains("name them with --rules NAME"), "{}", shown.out);
    let document = player.adopt(&raw, &["--json"]);
    assert!(document.err.starts_with("nobody named the rules of EM-ZZ-042-OST: iccf-email-2005"), "{}", document.err);
    assert!(!player.adopt(&raw, &["--rules", "iccf-email-2005"]).out.contains("the rules:"));
    assert!(!player.adopt(&body(TABLE), &[]).out.contains("the rules:"));
    // without a start the day of the first move tells
    let undated = String::from_utf8(raw).unwrap().replace("Start: 15.09.2026", "                 ");
    let shown = player.adopt(undated.as_bytes(), &[]);
    assert!(shown.out.contains("the rules: iccf-email-2000 is for events begun until "), "{}", shown.out);
}

#[test]
fn a_date_that_cannot_be_is_named_with_its_line() {
    let table = TABLE.replace("Start: 15.09.2004", "Start: 31.09.2004");
    let table = table.replacen("16.09  17.09    1      1    |", "16.09  31.09    1      1    |", 1);
    let shown = Player::new().adopt(&body(&table), &[]).out;
    assert!(shown.contains("line 7: there is no day 31.09"), "{shown}");
    assert!(shown.contains("line 1: the start 31.09.2004 is no day of the calendar"), "{shown}");
    assert!(!shown.contains("a date in the mail got no meaning"), "{shown}");
}

#[test]
fn a_total_that_is_right_again_is_no_misfit() {
    let table = TABLE.replace("16.09    1      1\n", "16.09    5      5\n");
    let shown = Player::new().adopt(&body(&table), &[]).out;
    assert!(shown.contains("1... 7866: a total of 5 is stated, the dates make 1"), "{shown}");
    assert!(!shown.contains("2... 7776: a total"), "{shown}");
}

// Several mails ------------------------------------------------------------------------------------------------------

fn earlier(rows: usize, from: &str, to: &str) -> Vec<u8> {
    let text: String = TABLE.replacen(from, to, 1).lines().take(5 + rows).map(|line| format!("{line}\n")).collect();
    let raw = String::from_utf8(mail("m3", "EM/ZZ/042", &text)).unwrap();
    raw.replace("Sat, 30 Oct 2004", "Mon, 20 Sep 2004").into_bytes()
}

#[test]
fn of_several_mails_the_newest_counts_and_the_older_must_agree() {
    let player = Player::new();
    let old = player.file("old.eml", earlier(3, "", ""));
    let new = player.file("new.eml", body(TABLE));
    let shown = player.run(&["adopt", &old, &new, "--yes"]).result();
    assert!(shown.contains("old.eml: agrees"), "{shown}");
    let game = player.export()["games"][0].clone();
    assert_eq!(plies(&game), PLIES);
    assert_eq!(game["seen_message_ids"], json!(["<m7@example.org>", "<m3@example.org>"]));

    let player = Player::new();
    let old = player.file("old.eml", earlier(3, "14.09  16.09    1      1", "14.09  15.09    5      5"));
    let new = player.file("new.eml", body(TABLE));
    let shown = player.run(&["adopt", &old, &new]).out;
    let apart = "1... sent 2004-09-15, 5 days, total 5 in ";
    assert!(shown.contains("old.eml: agrees in its moves") && shown.contains("Does not fit:\n"), "{shown}");
    assert!(shown.contains(apart) && shown.contains("old.eml, sent 2004-09-16, 1 day, total 1 in "), "{shown}");

    let player = Player::new();
    let old = player.file("old.eml", earlier(3, "7776", "5756"));
    let new = player.file("new.eml", body(TABLE));
    let refused = player.run(&["adopt", &new, &old, "--yes"]).failure(1);
    assert!(refused.contains("old.eml, does not agree") && refused.contains("2... 5756"), "{refused}");
    assert!(player.is_empty());
}

#[test]
fn a_newer_mail_with_one_move_continues_the_score_or_is_left_for_the_judge() {
    let player = Player::new();
    let twelve: String = TABLE.lines().take(11).map(|line| format!("{line}\n")).collect();
    let first = String::from_utf8(mail_with("own", "Tobin <tobin.q@example.net>", "EM/ZZ/042", "", &twelve)).unwrap();
    let first = first.replace("To: tobin.q@example.net", "To: mila.ostrander@example.org").replace("30 Oct", "26 Oct");
    let first = player.file("own.eml", first.replace("Sat,", "Tue,"));
    let newer = player.file("newer.eml", body("7. 5171\n"));
    let game = player.run(&["adopt", &first, &newer, "--json"]).json()["games"][0].clone();
    assert_eq!(plies(&game), PLIES);
    let ahead = player.file("ahead.eml", body("9. 5171\n"));
    let told = player.run(&["adopt", &first, &ahead, "--json"]);
    assert!(told.err.contains("a newer mail, ") && told.err.contains("ahead.eml: "), "{told:?}");
    let game = serde_json::from_str::<Value>(&told.out).unwrap()["games"][0].clone();
    assert_eq!((plies(&game), &game["seen_message_ids"]), (PLIES[..12].to_vec(), &json!(["<own@example.org>"])));
}

#[test]
fn mails_of_two_opponents_make_two_games_or_none() {
    let player = Player::new();
    let one = player.file("one.eml", body(TABLE));
    let other = TABLE.replace("mila.ostrander@example.org", "jo@example.com").replace("Ostrander, Mila", "Jo Petersen");
    let other = mail_with("x1", "Jo Petersen <jo@example.com>", "EM/ZZ/042", "", &other);
    let other = player.file("other.eml", other);
    let games = player.run(&["adopt", &one, &other, "--json"]).json();
    assert_eq!(
        (&games["games"][0]["id"], &games["games"][1]["id"]),
        (&json!("EM-ZZ-042-OST"), &json!("EM-ZZ-042-PET"))
    );
    let second = mail_with("x3", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", "", TABLE);
    let second = player.file("second.eml", second);
    let refused = player.run(&["adopt", &one, &second, "--me", "black", "--json"]).failure(1);
    assert!(refused.contains("2 opponents"), "{refused}");
    let refused = player.run(&["adopt", &one, &second, "--json"]).failure(1);
    assert!(refused.contains("second.eml: this is game EM-ZZ-042-OST, which you have already"), "{refused}");
    let bad = player.file("bad.eml", mail_with("x2", "Jo <jo@example.com>", "Hi", "", "No moves."));
    let refused = player.run(&["adopt", &one, &bad, "--yes"]).failure(1);
    assert!(refused.contains("bad.eml: no numbered moves") && player.is_empty(), "{refused}");
    let refused = player.run(&["adopt", &one, &other, "--id", "X", "--yes"]).failure(1);
    assert!(refused.contains("2 opponents") && player.is_empty(), "{refused}");
}

// Refusals -----------------------------------------------------------------------------------------------------------

#[test]
fn a_score_that_does_not_hold_is_refused_with_line_and_ply() {
    for (from, to, said) in [
        ("2.  3234 ", "2.  3235 ", "line 7: ply 3 (2. 3235) is not legal"),
        ("  1.  4244", "     4244", "begins with 2."),
        (
            "  3.  2133   18.09  20.09    2      3    |  6877   20.09  25.09    5      6\n",
            "",
            "3. is missing before 4.",
        ),
        ("  7.  5171", "  6.  7374", "two moves are given for 6."),
        ("  5.  7163   27.09", "  5.  7193   27.09", "5... is missing before 6."),
        ("  2.  3234   16.09", "  2.  3234 c3  16.09", "are different moves"),
    ] {
        let player = Player::new();
        assert!(TABLE.contains(from), "{from}");
        for options in [&["--yes"][..], &["--json"]] {
            let refused = player.adopt(&body(&TABLE.replacen(from, to, 1)), options).failure(1);
            assert!(refused.contains(said) && refused.contains("nothing was created"), "{said}: {refused}");
        }
        assert!(player.is_empty(), "{said}");
    }
}

#[test]
fn finished_games_bad_positions_and_empty_mails_are_refused() {
    let score = "1. d4 Nf6 2. c4 g6 3. Nc3";
    for (text, said) in [
        (format!("{}{score}", PGN.replace("\"*\"", "\"1-0\"")), "the game is over"),
        (format!("[FEN \"8/8/8\"]\n{PGN}{score}"), "start position"),
        ("Dear Tobin, I am still thinking.".to_owned(), "no numbered moves"),
        (
            format!("{PGN}1. d4 Nf6 2. Nd2 Nc6 3. Nf3 d6 4. Ne4 e6 5. Nd2 a6 6. Nb3 b6 7. Nd2"),
            "more than one legal move",
        ),
    ] {
        let player = Player::new();
        let refused = player.adopt(&body(&text), &["--yes"]).failure(1);
        assert!(refused.contains(said) && player.is_empty(), "{said}: {refused}");
    }
}

#[test]
fn a_side_that_cannot_be_told_is_asked_for_and_exits_with_6() {
    let player = Player::new();
    let strangers = TABLE
        .replace("Ostrander, Mila      <mila.ostrander@example.org>", "Ada <ada@example.com>")
        .replace("Quillfeather, Tobin  <tobin.q@example.net>", "Bo <bo@example.com>");
    let contradicting = TABLE.replace("mila.ostrander@example.org", "tobin@example.com");
    for text in [&strangers, &contradicting] {
        for options in [&["--yes"][..], &["--json"], &[]] {
            let asked = player.adopt(&body(text), options).failure(6);
            assert!(asked.contains("--me white or --me black"), "{asked}");
        }
    }
    assert!(player.is_empty());
    assert_eq!(player.proposed(&body(&strangers), &["--me", "black"])["me"], "black");
}

#[test]
fn more_than_one_move_beyond_a_quoted_score_is_refused() {
    let quoted: String = TABLE.lines().take(10).map(|line| format!("> {line}\n")).collect();
    let raw =
        body(&format!("6. 6152 5755\n7. 5171\n\nOn 22 Oct 2004 Tobin wrote:\n{quoted}> if 6. 6152 then 6... 2836\n"));
    let player = Player::new();
    let refused = player.adopt(&raw, &["--yes"]).failure(1);
    assert!(refused.contains("more than one move after the score that he quotes"), "{refused}");
    assert!(player.is_empty());
}

#[test]
fn invisible_characters_among_the_digits_are_refused() {
    let player = Player::new();
    let more = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n";
    let raw = mail_with("m7", MILA, "EM/ZZ/042", more, &TABLE.replace("7163", "71\u{200b}63"));
    let refused = player.adopt(&raw, &["--yes"]).failure(1);
    assert!(refused.contains("invisible characters stand among its digits") && player.is_empty(), "{refused}");
}

#[test]
fn a_table_without_names_that_only_repeats_the_players_move_does_not_tell_the_side() {
    let rows: String = TABLE.lines().skip(4).take(7).map(|line| format!("{line}\n")).collect();
    let player = Player::new();
    let asked = player.adopt(&body(&rows), &["--yes"]).failure(6);
    assert!(asked.contains("the score names nobody") && player.is_empty(), "{asked}");
    assert_eq!(plies(&player.proposed(&body(&rows), &["--me", "black"])), PLIES[..12]);
}

#[test]
fn what_is_no_mail_is_refused() {
    let player = Player::new();
    assert!(player.adopt(b"1. 5254 5755", &["--yes"]).failure(1).contains("this is no mail"));
    let missing = player.path("missing.eml");
    assert!(player.run(&["adopt", missing.to_str().unwrap()]).failure(1).contains("cannot be read"));
    player.run(&["adopt"]).failure(2);
    player.adopt(&body(TABLE), &["--yes", "--json"]).failure(2);
    assert!(player.adopt(&body(TABLE), &["--rules", "blitz", "--yes"]).failure(1).contains("`blitz`"));
    assert!(player.adopt(&body(TABLE), &["--notation", "morse", "--yes"]).failure(1).contains("morse"));
    assert!(player.is_empty());
}

#[test]
fn kept_mails_of_a_sender_are_used_and_where_none_are_kept_that_is_said() {
    let player = Player::new();
    let none = player.run(&["adopt", "--from", "mila.ostrander@example.org"]).failure(1);
    assert!(
        none.contains("keeps only mails that are about a game it knows") && none.contains("amici adopt FILE.eml"),
        "{none}"
    );
    // a mail about a known game was kept, and carries the score of another one
    player.adopt(&body(TABLE), &["--yes"]).result();
    let second = TABLE.replace("EM/ZZ/042", "EM/ZZ/777").replace("  7.  5171   26.10  30.10    4     12    |\n", "");
    let second = second.replace(
        "White : Ostrander, Mila      <mila.ostrander@example.org>",
        "White : Quillfeather, Tobin <tobin.q@example.net>",
    );
    let second = second.replace(
        "Black : Quillfeather, Tobin  <tobin.q@example.net>",
        "Black : Ostrander, Mila <mila.ostrander@example.org>",
    );
    let file = player.file("second.eml", mail("m9", "EM/ZZ/777", &second.replace("6152", "6143")));
    player.run(&["take", &file]).result();
    let shown = player.run(&["adopt", "--from", "mila.ostrander@example.org"]);
    assert!(shown.out.contains("EM-ZZ-777-OST") && shown.out.contains("mail 2"), "{shown:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_breaks_the_readers_of_scores_and_letters(text in "([0-9]{1,2}[.) -]|[1-8]{4}|White: |Black: |e4|O-O|a@b\\.c|Ada Lang|[<>|\\[\\]\"{}()ß–½]|2004\\.0[1-9]\\.0[1-9]|[ \\n]){0,60}") {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        let latest = "2004-10-30".parse().ok();
        if let Ok(found) = score(&lines, Dates { start: None, latest }, &[]) {
            let mut game = super::intake::sample(0);
            game.start_fen = found.head.fen.clone();
            game.moves = found.plies.iter().map(|ply| MoveRecord::claimed(ply.numeric, ply.stated)).collect();
            proptest::prop_assert!(game.replay().is_ok(), "{text}");
        }
        let letter = read_letter(&text, &lines);
        let places = 0..letter.players.len();
        proptest::prop_assert!(letter.pairings.iter().all(|p| places.contains(&p.white) && places.contains(&p.black)));
    }
}
