//! Leave: in every game concerned, within the days of each year, told to everybody concerned, once.

use chrono::Datelike;
use serde_json::{Value, json};

use super::care::{flat, text};
use super::cli::{Player, document, second};
use super::intake::ME;
use super::queue::attached;

/// This text of the years 2090 and 2091, of the next two years.
pub(crate) fn ahead(text: &str) -> String {
    text.replace("2090", &year(0).to_string()).replace("2091", &year(1).to_string())
}

fn year(later: i32) -> i32 {
    chrono::Utc::now().year() + 1 + later
}

impl Player {
    /// The sample game, and a second one with the same opponent in the same event.
    fn in_two_games() -> Player {
        let player = Player::with_sample().directed();
        player.import(&second("SAMPLE-2", |game| game["seen_message_ids"] = json!([])));
        player
    }

    fn leaves(&self) -> Vec<Value> {
        self.run(&["leave", "list", "--json"]).json()["leaves"].as_array().unwrap().clone()
    }
}

/// What the player's own server writes above a mail of his.
pub(crate) const PROVEN: &str = "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
    Received: from home.example.net by mx.example.net\r\n";

#[tokio::test]
async fn own_leave_counts_in_every_running_game_and_each_person_gets_one_letter() {
    let player = Player::in_two_games();
    let said = player.run(&["leave", "add", &ahead("2090-07-01..2090-07-14")]).result();
    assert!(said.contains("counts in SAMPLE-1, SAMPLE-2.\n2 drafted: 1 to opponents, 1 to directors."), "{said}");
    let letters = player.errands(".leave").await;
    let (to_opponent, to_director) = (text(&letters[0].1), text(&letters[1].1));
    assert!(
        flat(&to_opponent).contains(&ahead("on leave from 1 July 2090 to 14 July 2090 (14 days), both days included"))
    );
    assert_eq!(to_opponent.matches("  EM/ZZ/042: Ostrander, Mila - Quillfeather, Tobin\n").count(), 2, "{to_opponent}");
    assert!(
        to_director.contains(&ahead("EM/ZZ/042: leave taken in 2090, with this: 14 days of 30.\n")),
        "{to_director}"
    );
    let listed = player.leaves();
    assert_eq!(listed.len(), 2);
    assert_eq!((&listed[0]["of"], &listed[0]["days"]), (&json!("me"), &json!(14)));
    assert_eq!(player.game()["leaves"][0]["from"], ahead("2090-07-01"));
    let again = player.run(&["leave", "add", &ahead("2090-07-01..2090-07-14")]).result();
    assert!(again.contains("on record already; nothing was done"), "{again}");
    assert_eq!((player.errands(".leave").await.len(), player.leaves().len()), (2, 2));
}

#[test]
fn leave_for_an_event_counts_in_its_running_games_alone() {
    let player = Player::in_two_games();
    player.import(&second("OTHER-3", |game| game["event"] = json!("EM/ZZ/077")));
    player.import(&second("OVER-4", |game| game["result"] = json!("1-0")));
    let said = player.run(&["leave", "add", &ahead("2090-07-01..2090-07-14"), "--event", "em/zz/042"]).result();
    assert!(said.contains("counts in SAMPLE-1, SAMPLE-2.\n"), "{said}");
    let said = player.run(&["leave", "add", &ahead("2090-08-01..2090-08-03")]).result();
    assert!(said.contains("counts in SAMPLE-1, SAMPLE-2, OTHER-3.\n"), "{said}");
}

#[tokio::test]
async fn leave_across_new_year_counts_for_each_year_and_too_much_of_it_is_refused() {
    let player = Player::with_sample().directed();
    player.run(&["leave", "add", &ahead("2090-12-28..2091-01-03")]).result();
    let years = player.run(&["leave", "list", "--json"]).json()["years"].clone();
    assert_eq!(
        years,
        json!([
            {"game_id": "SAMPLE-1", "side": "black", "year": year(0), "days": 4, "limit": 30},
            {"game_id": "SAMPLE-1", "side": "black", "year": year(1), "days": 3, "limit": 30},
        ])
    );
    let refused = player.run(&["leave", "add", &ahead("2091-01-02..2091-01-31")]).failure(1);
    assert!(refused.contains(&ahead("game SAMPLE-1: 31 days of leave in 2091, and its rules allow 30")), "{refused}");
    assert_eq!(player.leaves().len(), 1, "nothing was entered");
    player.run(&["leave", "add", &ahead("2091-01-02..2091-01-30")]).result();
    let listed = player.run(&["leave", "list"]).result();
    assert!(listed.contains(&ahead("SAMPLE-1  2091: 30 of 30 days  you\n")), "overlapping days count once: {listed}");
}

#[tokio::test]
async fn leave_that_began_before_it_is_announced_is_asked_about() {
    let player = Player::with_sample();
    let asked = player.run(&["leave", "add", "2020-01-01..2020-01-05"]).failure(6);
    assert!(
        asked.contains("its rules want leave to be announced before it begins; this began on 2020-01-01"),
        "{asked}"
    );
    assert!(player.leaves().is_empty());
    player.run(&["leave", "add", "2020-01-01..2020-01-05", "--yes"]).result();
    assert_eq!(player.leaves().len(), 1);
    let friendly = Player::new();
    friendly.import(&document(|game| game["rules"] = json!("friendly")));
    friendly.run(&["leave", "add", "2020-01-01..2020-01-05"]).result();
}

#[test]
fn leave_that_was_announced_late_says_so_wherever_it_counts() {
    let player = Player::with_sample();
    let add = ["leave", "add", "2004-10-27..2004-10-28", "--game", "SAMPLE-1", "--of", "opponent", "--announced"];
    player.run(&[&add[..], &["2004-10-28", "--yes"]].concat()).result();
    let late = "White's leave from 2004-10-27 to 2004-10-28 was announced on 2004-10-28, after it began, and the rules want it";
    assert!(flat(&player.run(&["explain", "SAMPLE-1", "7."]).result()).contains(late));
    assert!(!player.run(&["explain", "SAMPLE-1", "6."]).result().contains("leave"));
    let listed = || player.run(&["leave", "list"]).result();
    assert!(listed().contains("announced 2004-10-28, after it began: late by the rules"), "{}", listed());
    assert_eq!(player.leaves()[0]["late"], true);
    player.run(&["leave", "remove", "2004-10-27..2004-10-28", "--game", "SAMPLE-1", "--of", "opponent"]).result();
    player.run(&[&add[..], &["2004-10-26"]].concat()).result();
    assert!(listed().contains("announced 2004-10-26\n"), "{}", listed());
    assert_eq!(player.leaves()[0]["late"], false);
    assert!(!player.run(&["explain", "SAMPLE-1", "7."]).result().contains("doubtful"));
}

#[tokio::test]
async fn the_opponents_leave_belongs_to_one_game_and_needs_the_day_of_its_announcement() {
    let player = Player::in_two_games();
    let which = player.run(&["leave", "add", "2004-11-05..2004-11-10", "--of", "opponent"]).failure(1);
    assert!(which.contains("say which with --game ID"), "{which}");
    let mut args = vec!["leave", "add", "2004-11-05..2004-11-10", "--of", "opponent", "--game", "SAMPLE-2"];
    let when = player.run(&args).failure(6);
    assert!(when.contains("say it with --announced DATE"), "{when}");
    args.extend(["--announced", "2004-11-07"]);
    let late = player.run(&args).failure(6);
    assert!(late.contains("this began on 2004-11-05 and is announced on 2004-11-07"), "{late}");
    args.pop();
    args.push("2004-11-01");
    let said = player.run(&args).result();
    assert!(
        said.starts_with("The leave of Ostrander, Mila from 2004-11-05 to 2004-11-10 counts in SAMPLE-2."),
        "{said}"
    );
    assert!(player.errands(".leave").await.is_empty(), "nobody is told of his own leave");
    assert_eq!((player.leaves()[0]["of"].clone(), player.leaves().len()), (json!("opponent"), 1));
}

#[test]
fn leave_is_taken_out_where_it_stands_and_nowhere_else() {
    let player = Player::in_two_games();
    player.run(&["leave", "add", &ahead("2090-07-01..2090-07-14")]).result();
    let missing = player.run(&["leave", "remove", &ahead("2090-07-01..2090-07-13")]).failure(1);
    assert!(missing.contains(&ahead("no leave from 2090-07-01 to 2090-07-13 is on record there")), "{missing}");
    player.run(&["leave", "remove", &ahead("2090-07-01..2090-07-14"), "--game", "SAMPLE-1"]).result();
    assert_eq!(player.leaves()[0]["game_id"], "SAMPLE-2");
    let said = player.run(&["leave", "remove", &ahead("2090-07-01..2090-07-14")]).result();
    assert!(said.starts_with(&ahead("The leave from 2090-07-01 to 2090-07-14 counts no more in SAMPLE-2.")), "{said}");
    assert_eq!(player.run(&["leave", "list"]).result(), "No leave is on record.\n");
}

#[tokio::test]
async fn an_event_or_a_span_that_is_none_is_refused() {
    let player = Player::in_two_games();
    let event = player.run(&["leave", "add", &ahead("2090-07-01..2090-07-14"), "--event", "EM/X"]).failure(4);
    assert!(event.contains("no running game belongs to the event `EM/X`"), "{event}");
    for span in ["2020-07-14..2020-07-01", "july", "1971-07-01..2020-07-01"] {
        assert_eq!(player.run(&["leave", "add", span]).code, 2, "{span}");
    }
    let shown = player.run(&["leave", "add", &ahead("2090-07-01"), "--event", "em/zz/042", "-n"]).result();
    assert!(
        shown.contains(&ahead("on leave on 1 July 2090 (1 day)")) && shown.contains("Nothing was kept."),
        "{shown}"
    );
    assert!(player.leaves().is_empty() && player.errands(".leave").await.is_empty());
}

#[tokio::test]
async fn a_day_that_nobody_can_mean_is_refused_wherever_one_is_written() {
    let player = Player::with_sample();
    let until = format!("{}", year(4));
    let why =
        format!("cannot be meant: days of a game by e-mail lie in the years 1970 to {until}; write the year anew");
    for span in ["0000-01-01..0000-01-05", "9999-01-01", "0026-12-24", "2206-12-24..2206-12-31"] {
        let refused = player.run(&["leave", "add", span]).failure(1);
        assert!(refused.contains(&why) && refused.contains("nothing was entered"), "{refused}");
    }
    let new = ["new", "G", "--opponent", "A", "--email", "a@example.org", "--color", "white", "--start"];
    for day in ["0000-01-01", "9999-12-31", "1969-12-31", "0026-11-22"] {
        for args in [
            &[&new[..], &[day]].concat()[..],
            &["announce", "SAMPLE-1", "--until", day],
            &["announce", "SAMPLE-1", "--his", "--until", day],
            &["sent", "SAMPLE-1", "2836", "--on", day],
            &["clock", "set", "SAMPLE-1", "7.", "--sent", day, "--why", "w"],
            &["accept", "SAMPLE-1", "5171", "--received", day],
            &["leave", "add", "2020-01-01", "--of", "opponent", "--game", "SAMPLE-1", "--announced", day],
        ] {
            let refused = player.run(args).failure(2);
            assert!(refused.contains(&why), "{args:?}: {refused}");
        }
    }
    assert!(player.leaves().is_empty());
    player.run(&[&new[..], &[&ahead("2090-01-15")]].concat()).result();
    // one that came on record before is taken out as it stands
    player.import(&super::cli::second("OLD", |game| {
        game["leaves"] = json!([{"side": "black", "from": "9999-01-01", "to": "9999-01-05"}]);
    }));
    player.run(&["leave", "remove", "9999-01-01..9999-01-05"]).result();
}

#[tokio::test]
async fn a_letter_of_leave_is_asked_after_until_the_player_says_that_it_went_out() {
    let player = Player::in_two_games();
    let (span, before) = (ahead("2090-07-01..2090-07-14"), ahead("2090-06-29T10:00:00Z"));
    let said = player.run(&["leave", "add", &span]).result();
    for part in [
        "It counts as if the letters had gone out",
        &format!("amici leave sent {span}"),
        &format!("amici leave remove {span}"),
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let marks = |player: &Player| {
        let agenda = player.run(&["agenda", "--days", "30", "--at", &before]).result();
        agenda.matches("your letter of leave: did you send it?").count()
    };
    let asks = |player: &Player| {
        player.run(&["leave", "list"]).result().matches("sent the letters?  amici leave sent").count()
    };
    assert_eq!((marks(&player), asks(&player)), (2, 2));
    let refused = player.run(&["leave", "sent", &span, "--on", &ahead("2090-06-30")]).failure(1);
    assert!(refused.contains("has not come yet"), "{refused}");
    player.run(&["leave", "sent", &span, "--on", "2020-06-30"]).result();
    assert_eq!((marks(&player), asks(&player)), (0, 0));
    let listed = player.leaves();
    assert_eq!(listed.iter().map(|leave| &leave["announced"]).collect::<Vec<_>>(), ["2020-06-30", "2020-06-30"]);
    let again = player.run(&["leave", "sent", &span]).failure(1);
    assert!(again.contains("waits for its letters to be sent"), "{again}");
    player.run(&["verify", "--rebuild"]).result();
    player.run(&["leave", "remove", &span]).result();
    assert!(player.leaves().is_empty());
}

#[tokio::test]
async fn the_letter_of_leave_as_it_was_drafted_is_known_in_the_sent_folder_and_ends_the_question() {
    let player = Player::in_two_games();
    let config = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{config}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let span = ahead("2090-07-01..2090-07-14");
    player.run(&["leave", "add", &span]).result();
    let status = || player.run(&["status"]).result().matches("leave?").count();
    let went_out = |name: &str, letter: &str| {
        let file = player.file(name, format!("{PROVEN}{letter}"));
        player.run(&["take", &file, "--at", "2020-06-30T10:00:00Z"]).result()
    };
    let dated = |bytes: &[u8]| {
        let letter = String::from_utf8(attached(bytes)).unwrap();
        let (before, rest) = letter.split_once("\r\nDate: ").unwrap();
        let (_, rest) = rest.split_once("\r\n").unwrap();
        format!("{before}\r\nDate: Tue, 30 Jun 2020 12:00:00 +0200\r\n{rest}")
    };
    let rows = player.store().await.unsent().await.unwrap();
    let letters: Vec<String> = rows.iter().map(|row| dated(&row.outgoing.bytes)).collect();
    let [to_opponent, to_director] = letters.as_slice() else { panic!("{letters:?}") };
    went_out("director.eml", to_director);
    assert_eq!((status(), player.leaves()[0]["announced"].clone()), (2, Value::Null), "he is not told by it");
    let taken = went_out("letter.eml", to_opponent);
    assert!(taken.contains("went out on 2020-06-30"), "{taken}");
    let announced = |days: [&str; 2]| {
        assert_eq!(player.leaves().iter().map(|leave| leave["announced"].clone()).collect::<Vec<_>>(), days);
    };
    announced(["2020-06-30"; 2]);
    assert_eq!(status(), 0);
    let said = player.run(&["leave", "sent", &span, "--on", "2020-06-28", "--game", "SAMPLE-1"]).result();
    assert!(said.contains("on 2020-06-28"), "{said}");
    announced(["2020-06-28", "2020-06-30"]);
    player.run(&["leave", "sent", &span, "--on", "2020-06-28", "--game", "SAMPLE-1"]).failure(1);
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));
}

#[tokio::test]
async fn the_letter_of_a_long_thought_as_it_was_drafted_counts_from_the_day_on_which_it_went_out() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let until = ahead("2090-07-01");
    player.run(&["announce", "SAMPLE-1", "--until", &until, "--yes"]).result();
    assert!(player.game()["clock_notes"].as_array().is_none_or(Vec::is_empty), "a draft was not sent");
    let row = player.store().await.unsent().await.unwrap().remove(0);
    let letter = String::from_utf8(attached(&row.outgoing.bytes)).unwrap();
    let letter = format!("{PROVEN}{letter}");
    let other = player.file("other.eml", letter.replace("1 July", "11 July"));
    player.run(&["take", &other]).result();
    assert!(player.game()["clock_notes"].as_array().is_none_or(Vec::is_empty), "he wrote another day");
    let file = player.file("letter.eml", letter);
    let taken = player.run(&["take", &file]).result();
    assert!(taken.contains(&format!("your letter that you need until {until} went out on ")), "{taken}");
    assert_eq!(player.game()["clock_notes"][0]["until"], until);
    assert_eq!(player.game()["clock_notes"].as_array().unwrap().len(), 1);
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    let before = ["announce", "SAMPLE-1", "--until", "2004-12-01", "--sent", "--on", "2004-10-25", "--yes"];
    assert!(player.run(&before).failure(1).contains("2004-10-25 lies before 2004-10-30, since when the move is"));
}

#[test]
fn leave_that_stops_both_clocks_says_so_and_what_is_refused_stands_in_a_dry_run_before_what_it_would_do() {
    let player = Player::with_sample();
    player.import(&second("CLUB", |game| {
        (game["rules"], game["seen_message_ids"]) = (json!("iecc"), json!([]));
    }));
    let shown = player.run(&["leave", "add", &ahead("2090-07-01..2090-07-05"), "-n"]).result();
    assert!(shown.contains("2 drafted: 2 to opponents"), "{shown}");
    for said in ["My clock stands still on these days.", "Both clocks stand still on these days."] {
        assert_eq!(flat(&shown).matches(said).count(), 1, "{shown}");
    }
    let past = player.run(&["leave", "add", "2020-05-01..2020-05-03", "-n"]).result();
    let (note, counts) = (past.find("Note: game ").unwrap(), past.find("It counts as if").unwrap());
    assert!(note < counts && past.contains("want leave to be announced before it begins"), "{past}");
    assert!(player.leaves().is_empty());
}
