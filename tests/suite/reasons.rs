//! Every number can be explained: days that are not those between two dates have their reason wherever they are told.

use serde_json::{Value, json};

use super::care::flat;
use super::cli::{Player, document};
use super::intake::mail;

/// The player, Black, waits for White's seventh move since 26 October 2004 in a game by these rules.
fn waiting(rules: &Value, more: impl Fn(&mut Value)) -> Player {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = rules.clone();
        game["moves"].as_array_mut().unwrap().pop();
        more(game);
    }));
    player.directed()
}

/// White's eight days and those of the seventh move, of which there are this many for ten moves.
fn control(base: &str, days: u32) -> Value {
    json!({"base": base, "control": {"kind": "cumulative", "moves": 10, "days": days}})
}

/// His seventh move, sent on a day of November.
fn seventh(day: &str, days: &str) -> Vec<u8> {
    let body = format!("7. 5171   received 26.10. sent {day}.11.  {days}\n");
    let raw = String::from_utf8(mail("m7", "EM/ZZ/042", &body)).unwrap();
    let raw = raw.replace("Sat, 30 Oct 2004 20:21:00", &format!("{day} Nov 2004 20:21:00"));
    raw.replace("Sat, 30 Oct 2004 18:22:05", &format!("{day} Nov 2004 18:22:05")).into_bytes()
}

fn leave(from: &str, to: &str) -> Value {
    json!([{"side": "white", "from": from, "to": to, "announced": "2004-10-20"}])
}

#[test]
fn a_claim_gives_the_reasons_of_every_row_that_is_not_the_difference_of_its_dates_with_their_rules() {
    let player = waiting(&control("iccf-email-2005", 30), |game| game["leaves"] = leave("2004-10-27", "2004-10-28"));
    let slip =
        ["clock", "illegal", "SAMPLE-1", "7.", "--sent", "2004-10-30", "--noticed", "2004-11-02", "--why", "slip"];
    player.run(&slip).result();
    assert_eq!(player.takes(&seventh("25", "30/38")), "move");
    player.run(&["clock", "set", "SAMPLE-1", "6.", "--penalty", "1", "--why", "conditional ignored"]).result();
    let said = player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result();
    assert!(said.contains("about overstep, double_after and illegal rests on no text"), "{said}");
    let body = flat(&said);
    for part in [
        "Days that are not simply those between the two dates, and why: 1... 7866: 1 calendar day, 1 before the start not counted",
        "6. 6152: 2: 1 calendar day, 1 of penalty added 6. 6152: entered by me on ",
        "; why: conditional ignored",
        "7. 5171: 33: until the illegal move of 30 October 2004 4 calendar days, less 2 of leave (27 October 2004 to 28 October 2004); \
         since the notice of it on 2 November 2004 23 calendar days, 3 beyond 20 twice; 5 of penalty added",
        "why: slip",
        "The rules for days that are not simply those between two dates: days beyond 20 for one move count double leave: ",
        "an illegal move costs 5 days more; the days before it and those after the notice of it count",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    let plain = waiting(&control("iccf-email-2005", 10), |_| ());
    assert_eq!(plain.takes(&seventh("04", "9/17")), "move");
    // a penalty that a director gave does not follow from the rule of illegal moves
    plain.run(&["clock", "set", "SAMPLE-1", "6.", "--penalty", "1", "--why", "the director"]).result();
    let said = plain.run(&["claim", "SAMPLE-1", "--time", "-n"]).result();
    assert!(said.contains("about overstep rests on no text") && !said.contains("7. 5171: "), "{said}");
}

#[test]
fn the_day_of_the_reminder_stands_wherever_the_days_do_that_it_doubles() {
    let player = waiting(&json!("desc"), |_| ());
    player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-06"]).result();
    let at = ["--at", "2004-11-10T12:00:00Z"];
    let shown = player.run(&[&["show", "SAMPLE-1"], &at[..]].concat()).result();
    let why = "+ 19 for this move, 3 left to move 10 19: 15 calendar days, 4 beyond 10 twice since the reminder of 6 November 2004 Black:";
    assert!(flat(&shown).contains(why), "{shown}");
    let told = player.run(&[&["explain", "SAMPLE-1", "7w"], &at[..]].concat()).result();
    for part in [
        "7.   not on record: Ostrander, Mila thinks about it.",
        "received  2004-10-26: nobody says: the day the move before was sent counts",
        "days      19: 15 calendar days, 4 beyond 10 twice since the reminder of 2004-11-06; up to 2004-11-10",
        "by rule   beyond 10 days for one move, days count double from the day of the opponent's reminder on",
        "reminded  2004-11-06: you repeated the move before",
        "last day  2004-11-11: the last within the limits",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let json = player.run(&[&["explain", "SAMPLE-1", "7w", "--json"], &at[..]].concat()).json();
    assert_eq!((&json["counts"]["days"], &json["numeric"]), (&json!(19), &Value::Null));
    assert_eq!(json["notes"], json!([{"kind": "repeated", "on": "2004-11-06", "until": "2004-11-06"}]));
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(flat(&clock).contains(" beyond 10 twice since the reminder of 6 November 2004"), "{clock}");
    let archive = player.file("out.zip", "");
    player.run(&["evidence", "SAMPLE-1", "--force", "-o", &archive]).result();
    let table = flat(&super::evidence::text(&super::evidence::unpacked(archive.as_ref()), "table.txt"));
    let last = "within the limits is 2004-11-11, by then 21: 16 calendar days, 5 beyond 10 twice since the reminder of 2004-11-06";
    assert!(table.contains(last), "{table}");
    let body = flat(&player.run(&["claim", "SAMPLE-1", "--time", "-n"]).result());
    assert!(body.contains("beyond 10 twice since the reminder of 6 November 2004 Black:"), "{body}");
    assert!(body.contains("The rules for days that are not simply those between two dates: beyond 10 days for one move, days count double"), "{body}");
}

#[test]
fn a_reply_that_counts_other_days_than_he_does_says_why() {
    for (rules, more, note, why) in [
        ("iccf-email-2005", json!([]), false, "Days beyond 20 for one move count twice (+3)."),
        (
            "iccf-email-2000",
            leave("2004-11-01", "2004-11-05"),
            false,
            "Leave is not counted: 1 November 2004 - 5 November 2004 (-5).",
        ),
        (
            "desc",
            json!([]),
            true,
            "Since the reminder of 6 November 2004, days beyond 10 for one move count twice (+12).",
        ),
    ] {
        let player = waiting(&json!(rules), |game| game["leaves"] = more.clone());
        if note {
            player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-06"]).result();
        }
        assert_eq!(player.takes(&seventh("18", "23/31")), "move");
        let draft = flat(&player.run(&["play", "SAMPLE-1", "2836", "-n"]).result());
        let said = format!("sent 18 November 2004. {why} Please tell me if you see it otherwise.");
        assert!(draft.contains("You show 23 days (total 31) for your move 7") && draft.contains(&said), "{draft}");
    }
}

#[test]
fn a_reply_says_why_the_days_of_its_own_move_are_not_those_between_its_dates() {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!("iccf-email-2000");
        game["leaves"] =
            json!([{"side": "black", "from": "2004-11-01", "to": "2004-11-03", "announced": "2004-10-20"}]);
    }));
    let draft = flat(&player.run(&["play", "SAMPLE-1", "2836", "-n"]).result());
    assert!(draft.contains("For my move 7 I count received 30 October 2004, sent "), "{draft}");
    assert!(draft.contains(". Leave is not counted: 1 November 2004 - 3 November 2004 (-3)."), "{draft}");
    assert!(draft.contains(" calendar days, less 3 of leave (2004-11-01 to 2004-11-03)"), "{draft}");
    let plain = Player::with_sample().run(&["play", "SAMPLE-1", "2836", "-n"]).result();
    assert!(!plain.contains("For my move"), "{plain}");
}
