//! A game that the board has decided: its clocks stand and nobody owes anything, and what is left to do is to close it.

use serde_json::{Value, json};

use super::care::flat;
use super::cli::{Player, document};
use super::intake::mail;

/// So few days, and so little patience, that every mark of them is long past.
const STRICT: &str = r#"{"base": "iccf-email-2005", "reminders": [28, 35],
    "control": {"kind": "cumulative", "moves": 10, "days": 1}, "leave": {"advance_notice_required": true}}"#;
const FOOLS_MATE: [&str; 4] = ["6263", "5755", "7274", "4884"];

/// What decides it: the start, the moves, the result, and its word.
const ENDS: [(Option<&str>, &[&str], &str, &str); 3] = [
    (None, &FOOLS_MATE, "0-1", "checkmate on the board, 0-1"),
    (Some("7k/8/8/5QK1/8/8/8/8 w - - 0 1"), &["6567"], "1/2-1/2", "stalemate on the board, 1/2-1/2"),
    (Some("8/8/8/8/5k2/6b1/7P/6K1 b - - 0 1"), &["7382"], "1/2-1/2", "neither side can mate on the board, 1/2-1/2"),
];

fn game(fen: Option<&str>, moves: &[&str], me: &str) -> String {
    document(|game| {
        game["rules"] = serde_json::from_str(STRICT).unwrap();
        game["start_fen"] = json!(fen);
        game["moves"] = moves
            .iter()
            .enumerate()
            .map(|(index, m)| {
                let sent = format!("2004-10-{:02}", 2 * index + 1);
                json!({"numeric": m, "sent": sent, "days": 2, "total": 9})
            })
            .collect();
        game["leaves"] = json!([{"side": me, "from": "2004-12-01", "to": "2030-12-31"}]);
        if game["me"] != json!(me) {
            let white = game["white"].take();
            game["white"] = game["black"].take();
            game["black"] = white;
            game["me"] = json!(me);
        }
    })
}

/// Each end as each of the two players sees it, with its result and its word.
fn ends() -> impl Iterator<Item = (Player, &'static str, &'static str)> {
    let sides = ENDS.into_iter().flat_map(|end| ["white", "black"].map(|me| (end, me)));
    sides.map(|((fen, moves, result, word), me)| {
        let player = Player::new();
        player.import(&game(fen, moves, me));
        (player, result, word)
    })
}

#[test]
fn a_game_decided_on_the_board_has_no_marks_and_the_lists_ask_for_its_result() {
    for (player, result, word) in ends() {
        let next = format!("amici result SAMPLE-1 {result}");
        assert!(!player.run(&["ical"]).result().contains("VEVENT"), "{word}");
        assert!(!player.run(&["agenda"]).result().contains("SAMPLE-1"), "{word}");
        let list = player.run(&["status"]).result();
        assert!(list.contains(&format!("Next: {next}   closes the game")), "{list}");
        let row = player.run(&["status", "--json"]).json()["games"][0].clone();
        assert_eq!((&row["next_event"], &row["to_move"]), (&Value::Null, &Value::Null), "{word}");
        let flags = row["flags"].as_array().unwrap();
        assert_eq!(flags, &[json!(word.split(" on the").next().unwrap())], "{word}");
        let shown = player.run(&["show", "SAMPLE-1"]).result();
        assert!(shown.contains(&format!("The game is over: {word}\n")), "{shown}");
        assert!(shown.ends_with(&format!("Next: {next}   closes the game\n")), "{shown}");
        for absent in
            ["Thinking", "OVERSTEPPED", "To move", "for this move", "amici claim", "amici play", "amici leave"]
        {
            assert!(!shown.contains(absent), "{absent} in {shown}");
        }
        let first = player.run(&["show"]).result();
        assert!(
            first.contains("it is decided on the board, and is to be closed")
                && first.ends_with(&format!("{next}   closes the game\n"))
        );
        player.run(&["result", "SAMPLE-1", result]).result();
    }
}

#[test]
fn nothing_is_claimed_announced_repeated_resigned_or_played_in_it() {
    let commands: [&[&str]; 9] = [
        &["claim", "SAMPLE-1"],
        &["claim", "SAMPLE-1", "--time", "--yes"],
        &["claim", "SAMPLE-1", "--silence", "--yes"],
        &["announce", "SAMPLE-1", "--until", "2030-01-01", "--yes"],
        &["repeat", "SAMPLE-1", "--yes"],
        &["resign", "SAMPLE-1", "--yes"],
        &["draw", "SAMPLE-1", "--accept", "--yes"],
        &["play", "SAMPLE-1", "Kg2"],
        &["leave", "add", "2031-07-01..2031-07-14", "--game", "SAMPLE-1"],
    ];
    for (player, result, word) in ends() {
        for command in commands {
            let why = player.run(command).failure(1);
            let said = format!("game SAMPLE-1 is over: {word}\nhelp: close it:  amici result SAMPLE-1 {result}");
            assert!(why.contains(&said), "{command:?}: {why}");
        }
        player.run(&["leave", "add", "2031-07-01..2031-07-14"]).failure(4);
        let none = player.run(&["explain", "SAMPLE-1", "9."]).failure(1);
        assert!(none.contains(&format!("it is over: {result}")), "{none}");
    }
}

#[tokio::test]
async fn the_mail_that_mates_is_told_with_the_result_and_without_a_reply_or_a_deadline() {
    let player = Player::new();
    player.import(&game(None, &FOOLS_MATE[..3], "white"));
    assert_eq!(player.takes(&mail("m2", "EM/ZZ/042", "2... 4884   received 06.10. sent 08.10.  2/11\n")), "move");
    let row = player.store().await.unsent().await.unwrap().pop().unwrap();
    let raw = String::from_utf8_lossy(&row.outgoing.bytes).into_owned();
    assert!(!raw.contains("reply.eml"), "{raw}");
    let notice = amici::mail::message::parse(&row.outgoing.bytes).unwrap();
    let told = flat(&notice.plain.unwrap());
    assert!(told.contains("The game is over: checkmate on the board, 0-1."), "{told}");
    assert!(told.contains("amici result SAMPLE-1 0-1"), "{told}");
    for absent in ["OVERSTEPPED", "need longer", "Answer in one", "left to the", "amici claim"] {
        assert!(!told.contains(absent), "{absent} in {told}");
    }
}

#[test]
fn the_move_that_mates_is_drafted_with_what_comes_after_it() {
    let player = Player::new();
    player.import(&game(None, &FOOLS_MATE[..3], "black"));
    let said = player.run(&["play", "SAMPLE-1", "Qh4", "--yes"]).result();
    assert!(said.contains("checkmate on the board. Once it is sent:  amici result SAMPLE-1 0-1"), "{said}");
    // it is not sent yet, and his own clock runs
    assert!(player.run(&["ical"]).result().contains("SUMMARY:SAMPLE-1"));
}
