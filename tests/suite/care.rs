//! What the player says beside his moves: remarks on dates and days, repeats, announcements, notes. All of it drafts to himself.

use amici::config::Language;
use amici::domain::clock::ledger::Ledger;
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, Side, Stated};
use amici::domain::judge::{Row, frame, known_dates};
use amici::domain::transmission::compose::COLUMNS;
use amici::domain::transmission::read::{Line, Reading, read};
use amici::letters;
use amici::letters::compose;
use amici::mail::message::{IncomingMessage, parse};
use chrono::{Days, NaiveDate, Utc};
use serde_json::{Value, json};

use super::cli::{Player, document};
use super::intake::{ME, mail, sample};
use super::leave::ahead;
use super::queue::attached;

pub(crate) const DIRECTOR: &str = "[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.net\"\n";
const NO_LIMIT: &str = r#"{"base": "iccf-email-2000", "control": {"kind": "none"}}"#;

impl Player {
    /// His event has a director.
    pub(crate) fn directed(self) -> Player {
        self.configure(&format!("{ME}{DIRECTOR}"));
        self
    }

    /// The letters that wait to be delivered, oldest first: the mail to the player, and the one that it brings.
    pub(crate) async fn errands(&self, label: &str) -> Vec<(IncomingMessage, IncomingMessage)> {
        let rows = self.store().await.unsent().await.unwrap();
        let rows = rows.into_iter().filter(|row| row.outgoing.message_id.contains(label));
        let both = |bytes: Vec<u8>| (parse(&bytes).unwrap(), parse(&attached(&bytes)).unwrap());
        rows.map(|row| {
            assert_eq!(row.outgoing.recipient, "tobin.q@example.net", "a letter goes to the player alone");
            both(row.outgoing.bytes)
        })
        .collect()
    }

    pub(crate) async fn letter(&self, label: &str) -> (IncomingMessage, IncomingMessage) {
        let mut letters = self.errands(label).await;
        assert_eq!(letters.len(), 1, "one letter");
        letters.remove(0)
    }

    pub(crate) fn game(&self) -> Value {
        self.export()["games"][0].clone()
    }

    pub(crate) async fn journal(&self, kind: &str) -> Vec<String> {
        let events = self.store().await.events(&"SAMPLE-1".parse().unwrap()).await.unwrap();
        events.into_iter().filter(|event| event.kind == kind).map(|event| event.text).collect()
    }

    fn with_rules(rules: &str, plies: usize) -> Player {
        let player = Player::new();
        let rules: Value = serde_json::from_str(rules).unwrap();
        player.import(&document(|game| {
            game["rules"] = rules;
            game["moves"].as_array_mut().unwrap().truncate(plies);
        }));
        player.directed()
    }

    /// After her seventh move with these words, the text of the draft that answers it.
    fn answered(body: &str) -> (Player, String) {
        let player = Player::waiting();
        assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", body)), "move", "{body}");
        let draft = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
        (player, draft)
    }
}

pub(crate) fn text(message: &IncomingMessage) -> String {
    let text = message.plain.clone().unwrap();
    let wide = text.lines().filter(|line| line.chars().count() > COLUMNS && !line.contains('@'));
    assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new(), "wider than {COLUMNS} columns");
    assert!(text.lines().all(|line| line.trim_end() == line), "a line ends in a blank: {text}");
    text.trim_end().to_owned() + "\n"
}

/// The text on one line, so that its wrapping does not matter.
pub(crate) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn reading(text: &str) -> Reading {
    let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    game.moves.truncate(12);
    let known = known_dates(&Ledger::of(&game).unwrap());
    let day = "2004-10-30".parse().unwrap();
    let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
    read(&lines, &frame(&game, &known, Some(day), day))
}

fn day(text: &str) -> Option<NaiveDate> {
    Some(text.parse().unwrap())
}

fn row(number: u32, side: Side, stated: Stated) -> Row {
    Row::read(MoveNumber { number, side }, stated)
}

fn paragraph(remarks: &[String]) -> String {
    letters::paragraph(remarks, Language::English)
}

/// The sample game with a last mail that says hardly anything right, and its table.
pub(crate) fn at_odds() -> (Game, Vec<Row>) {
    let mut game = sample(13);
    game.moves[12].claimed = Stated { received: day("2004-10-28"), sent: day("2004-10-29"), ..Stated::default() };
    game.moves[12].observed.sent = day("2004-10-30");
    let table = vec![
        row(3, Side::White, Stated { days: Some(3), ..Stated::default() }),
        row(5, Side::Black, Stated { days: Some(12), total: Some(18), ..Stated::default() }),
        row(6, Side::Black, Stated { days: Some(2), total: Some(20), ..Stated::default() }),
        row(6, Side::White, Stated { sent: day("2004-10-24"), days: Some(2), total: Some(9), ..Stated::default() }),
    ];
    (game, table)
}

// Remarks ------------------------------------------------------------------------------------------------------------

#[test]
fn every_kind_of_difference_has_its_polite_sentence() {
    let (game, table) = at_odds();
    insta::assert_snapshot!(paragraph(&letters::remarks(&game, &table, Language::English)));
}

#[test]
fn what_was_assumed_for_want_of_a_date_is_said() {
    let mut game = sample(13);
    game.moves[12].observed.sent = day("2004-10-30");
    game.moves[12].observed.arrived = day("2004-10-30");
    let mut said = Vec::new();
    for claimed in [
        Stated::default(),
        Stated { sent: day("2004-10-30"), ..Stated::default() },
        Stated { received: day("2004-10-26"), ..Stated::default() },
    ] {
        game.moves[12].claimed = claimed;
        said.extend(letters::remarks(&game, &[], Language::English));
    }
    insta::assert_snapshot!(paragraph(&said));
}

#[test]
fn remarks_are_read_back_without_effect() {
    let (game, table) = at_odds();
    let draft = compose(&letters::transmission(&sample(13)).unwrap()).unwrap();
    let remarks = paragraph(&letters::remarks(&game, &table, Language::English));
    assert!(remarks.lines().count() > 6 && remarks.contains("You show 12 days (total 18) for my move 5"), "{remarks}");
    assert_eq!(reading(&(draft.clone() + &remarks)), reading(&draft));
    // a mail program wraps them anew
    let wrapped = textwrap::fill(&remarks, 40);
    assert_eq!(reading(&(draft.clone() + "\n" + &wrapped)), reading(&draft));
}

#[test]
fn a_total_that_stays_off_is_one_difference_and_not_one_for_every_row() {
    let game = sample(13);
    let ledger = Ledger::of(&game).unwrap();
    let table: Vec<Row> = ledger
        .plies()
        .iter()
        .filter(|p| p.number.side == Side::White)
        .map(|p| {
            let total = Some(p.total + u32::from(p.number.number >= 3));
            Row::read(p.number, Stated { total, ..Stated::default() })
        })
        .collect();
    let said = letters::remarks(&game, &table, Language::English);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("For your move 3 you show total 4; my record shows total 3."), "{said:?}");
}

// The cases of the rules ---------------------------------------------------------------------------------------------

#[test]
fn t50_dates_that_a_mail_does_not_give_are_assumed_and_the_draft_says_which() {
    let (player, draft) = Player::answered("7. 5171\n");
    let said =
        "Your mail gave no dates: I took it as sent 30 October 2004 (the day of its Date) and received 26 October 2004";
    assert!(flat(&draft).contains(said), "{draft}");
    let row = &player.run(&["clock", "SAMPLE-1", "--json"]).json()["rows"][12];
    assert_eq!(row["ours"], json!({"received": "2004-10-26", "sent": "2004-10-30", "days": 4, "total": 12}));
    assert_eq!(row["his"], json!({"received": null, "sent": null, "days": null, "total": null}));
}

#[test]
fn t51_a_day_of_sending_that_the_mails_date_contradicts_is_told_and_corrected_on_the_players_word() {
    let (player, draft) = Player::answered("7. 5171   received 26.10. sent 29.10.\n");
    let asks = "You state that you sent your mail on 29 October 2004, its Date is 30 October 2004.";
    assert!(flat(&draft).contains(asks), "{draft}");
    let days = |player: &Player| player.run(&["clock", "SAMPLE-1", "--json"]).json()["rows"][12]["ours"].clone();
    assert_eq!(days(&player), json!({"received": "2004-10-26", "sent": "2004-10-29", "days": 3, "total": 11}));
    player.run(&["clock", "agree", "SAMPLE-1", "last", "--mine"]).result();
    assert_eq!(days(&player), json!({"received": "2004-10-26", "sent": "2004-10-30", "days": 4, "total": 12}));
    let draft = flat(&player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result());
    assert!(!draft.contains(asks), "{draft}");
    let said = "For your move 7. 5171 I count received 26 October 2004, sent 30 October 2004, 4 days, total 12; your mail had received 26 October 2004, sent 29 October 2004.";
    assert!(draft.contains(said), "{draft}");
    assert_eq!(player.game()["moves"][12]["sent"], "2004-10-29", "what he stated stays");
}

#[tokio::test]
async fn t53_a_total_of_mine_that_he_shows_otherwise_is_told_and_nothing_is_overwritten() {
    let table = "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
                 \x20 6. 6152  22.10 23.10    1     8   | 5755  24.10 26.10    2    31\n\
                 \x20 7. 5171  26.10 30.10    4    12   |\n";
    let player = Player::waiting();
    let before = player.game();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", table)), "move");
    let notices = player.store().await.unsent().await.unwrap();
    let notice = parse(&notices[0].outgoing.bytes).unwrap().plain.unwrap();
    assert!(notice.contains("move 6...: he shows total 31; the record has total 30"), "{notice}");
    let draft = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
    assert!(flat(&draft).contains("For my move 6 you show total 31; my record shows total 30."), "{draft}");
    assert_eq!(player.game()["moves"][11], before["moves"][11]);
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(clock.contains("! 6...   5755") && clock.contains("31*"), "{clock}");
    assert!(clock.contains("settle it:  amici clock agree SAMPLE-1 6... --mine   or   --his"), "{clock}");
}

#[tokio::test]
async fn t10_days_on_which_a_mail_was_not_here_are_told_with_the_command_that_settles_them() {
    for (body, taken, why) in [
        ("7. 5171\n", "2004-11-05T21:41:00Z", "the mail is dated 2004-10-30 and arrived 2004-11-05"),
        (
            "7. 5171   received 26.10. sent 30.10.  4/12\n",
            "2004-11-05T21:41:00Z",
            "the rules count it as received 2004-10-31",
        ),
    ] {
        let player = Player::waiting();
        let file = player.file("m7.eml", mail("m7", "EM/ZZ/042", body));
        player.run(&["take", &file, "--at", taken]).result();
        let notices = player.store().await.unsent().await.unwrap();
        let notice = flat(&parse(&notices[0].outgoing.bytes).unwrap().plain.unwrap());
        assert!(!notice.contains("agrees with the record"), "{notice}");
        assert!(notice.contains("Its day is doubtful:") && notice.contains(why), "{notice}");
        assert!(
            notice.contains("His move counts as sent on 30 October 2004; you think since 31 October 2004."),
            "{notice}"
        );
        assert!(notice.contains("amici clock set SAMPLE-1 7. --sent 2004-11-05 --why"), "{notice}");
        let draft = flat(&player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result());
        let said = "Your mail is dated 30 October 2004, but it reached my server only on 5 November 2004: I took it as sent 30 October 2004 and received 31 October 2004, as the rules have it.";
        assert!(draft.contains(said), "{draft}");
        player.run(&["clock", "set", "SAMPLE-1", "7.", "--sent", "2004-11-05", "--why", "his server"]).result();
        let draft = flat(&player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result());
        assert!(!draft.contains("Your mail is dated") && draft.contains("received 05.11.2004"), "{draft}");
    }
}

#[tokio::test]
async fn t50_a_date_before_the_move_it_answers_is_told_with_the_day_that_counts() {
    let player = Player::waiting();
    let early = String::from_utf8(mail("m7", "EM/ZZ/042", "7. 5171\n")).unwrap();
    let early = early.replace("Date: Sat, 30 Oct 2004 20:21", "Date: Sun, 24 Oct 2004 23:40");
    let file = player.file("m7.eml", early);
    player.run(&["take", &file, "--at", "2004-10-30T18:22:05Z"]).result();
    let notices = player.store().await.unsent().await.unwrap();
    let notice = flat(&parse(&notices[0].outgoing.bytes).unwrap().plain.unwrap());
    let why = "Its day is doubtful: the mail's Date, 2004-10-24, cannot be true; the day our server took it counts.";
    assert!(notice.contains(why) && !notice.contains("agrees with") && !notice.contains("differs"), "{notice}");
    assert!(
        notice.contains("His move counts as sent on 30 October 2004; you think since 30 October 2004."),
        "{notice}"
    );
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("the mail's Date, 2004-10-24, cannot be true"), "{told}");
    let verified = player.run(&["verify", "--json"]).json();
    assert_eq!(verified["games"][0]["differences"], serde_json::json!([]));
}

#[test]
fn t12_a_receipt_booked_two_days_after_the_sending_is_told_with_the_latest_day() {
    let (player, draft) = Player::answered("7. 5171   received 28.10. sent 30.10.\n");
    let said = "You book my mail of 26 October 2004 as received on 28 October 2004; by the rules 27 October 2004 is the latest day.";
    assert!(flat(&draft).contains(said), "{draft}");
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("by the rules 2004-10-27 is the latest"), "{told}");
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(clock.contains("amici clock set SAMPLE-1 7. --received 2004-10-27 --why"), "{clock}");
    assert!(flat(&clock).contains("I ask you to decide which day counts."), "words for the director: {clock}");
    let (_, draft) = Player::answered("7. 5171   received 27.10. sent 30.10.\n");
    assert!(!draft.contains("You book"), "one day of transit is allowed: {draft}");
}

#[test]
fn a_mail_that_agrees_with_the_record_gets_no_remarks() {
    let (_, draft) = Player::answered("7. 5171   received 26.10. sent 30.10.  4/12\n");
    assert!(!draft.contains("Remarks"), "{draft}");
}

// Repeats ------------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_repeat_gives_the_last_move_with_its_first_dates_to_the_opponent_and_the_director() {
    let player = Player::waiting().directed();
    let said = player.run(&["repeat", "SAMPLE-1"]).result();
    assert!(
        said.starts_with("6... 5755 once more, with its original dates, with a copy to the director td@example.net."),
        "{said}"
    );
    let (to_me, letter) = player.letter(".repeat").await;
    assert_eq!(to_me.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: your last move once more");
    assert!(text(&to_me).contains("For you: the Message-ID of your first mail is not on record"));
    let body = text(&letter);
    assert!(body.contains("first sent on 26 October 2004.\n"), "{body}");
    assert!(body.contains("My move: 6... 5755, sent 26.10.2004\nDays: 2, total 30 (White 8, Black 30)\n"), "{body}");
    assert!(body.contains("  1. 4244 "), "the whole score: {body}");
    let row = player.store().await.unsent().await.unwrap().remove(0);
    let raw = String::from_utf8(attached(&row.outgoing.bytes)).unwrap();
    for header in ["<mila.ostrander@example.org>\r\nCc: td@example.net\r\n", "\r\nX-Unsent: 1\r\n"] {
        assert!(raw.contains(header), "{header} in {raw}");
    }
    assert_eq!(player.game()["clock_notes"][0]["kind"], "repeated");
    assert_eq!(player.game()["clock_notes"][0]["ply"], 13);
    let again = player.run(&["repeat", "SAMPLE-1"]).failure(6);
    assert!(again.contains("a repeat was drafted on") && again.contains("amici repeat SAMPLE-1 --sent"), "{again}");
    player.run(&["repeat", "SAMPLE-1", "--yes"]).result();
    assert_eq!(player.errands(".repeat").await.len(), 2);
}

#[test]
fn a_repeat_that_was_drafted_and_never_sent_changes_nothing_and_needs_no_taking_back() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        game["rules"] = json!("desc");
    }));
    let figures = || {
        let at = "2004-12-01T10:00:00Z";
        let mut found = [
            player.run(&["status", "--json", "--at", at]).json(),
            player.run(&["agenda", "--json", "--at", at]).json(),
            player.run(&["clock", "SAMPLE-1", "--json"]).json(),
        ];
        found[0]["outbox"].take();
        found
    };
    let before = figures();
    assert!(before[1]["marks"].to_string().contains("you may repeat"), "{}", before[1]);
    let nothing = player.run(&["undo", "SAMPLE-1"]).failure(1);
    assert!(!nothing.contains("repeat"), "{nothing}");
    player.run(&["repeat", "SAMPLE-1"]).result();
    assert_eq!(figures(), before);
    let nothing = player.run(&["undo", "SAMPLE-1"]).failure(1);
    assert!(
        nothing.contains("counts for nothing until it goes out") && nothing.contains("do not send it"),
        "{nothing}"
    );
    player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-12"]).result();
    assert_ne!(figures(), before);
    let again = player.run(&["repeat", "SAMPLE-1"]).failure(6);
    assert!(again.contains("a repeat was drafted on"), "{again}");
    player.run(&["repeat", "SAMPLE-1", "--sent"]).result();
    let stays = player.run(&["undo", "SAMPLE-1"]).failure(1);
    assert!(stays.contains("counts as sent; if it never went out: `amici repeat SAMPLE-1 --undo`"), "{stays}");
}

#[test]
fn the_player_says_on_which_day_his_repeat_went_out() {
    let player = Player::waiting();
    player.run(&["repeat", "SAMPLE-1"]).result();
    assert!(player.game()["clock_notes"][0]["until"].is_null(), "a draft was not sent");
    for (on, why) in [("2004-10-26", "does not lie after 2004-10-26"), (&*ahead("2090-12-31"), "has not come yet")] {
        let refused = player.run(&["repeat", "SAMPLE-1", "--sent", "--on", on]).failure(1);
        assert!(refused.contains(why), "{refused}");
    }
    let said = player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-12"]).result();
    assert_eq!(said, "You repeated 6... to Ostrander, Mila on 2004-11-12.\n");
    let note = &player.game()["clock_notes"][1];
    assert_eq!((&note["on"], &note["until"]), (&json!("2004-11-12"), &json!("2004-11-12")));
    let again = player.run(&["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-12"]).failure(1);
    assert!(again.contains("on record already"), "{again}");
}

#[tokio::test]
async fn a_repeat_that_comes_too_early_is_asked_about_and_quotes_the_first_message_id() {
    let player = Player::with_sample().directed();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    let refused = player.run(&["repeat", "SAMPLE-1"]).failure(1);
    assert!(refused.contains("amici sent SAMPLE-1"), "{refused}");
    let (_, reply) = player.letter(".ready").await;
    player.run(&["sent", "SAMPLE-1"]).result();
    let early = player.run(&["repeat", "SAMPLE-1"]).failure(6);
    assert!(
        early.contains("too early: by the rules of this game a repeat may be sent after 14 days of silence, from "),
        "{early}"
    );
    assert!(player.game()["clock_notes"].as_array().is_none_or(Vec::is_empty), "nothing was noted");
    player.run(&["repeat", "SAMPLE-1", "--yes", "--cc-director"]).result();
    let (_, letter) = player.letter(".repeat").await;
    let first = reply.message_id.unwrap().to_string();
    assert!(text(&letter).contains(&format!("Message-ID {first}\n")), "{first} in {letter:?}");
}

#[tokio::test]
async fn there_is_nothing_to_repeat_on_ones_own_turn_and_a_dry_run_keeps_nothing() {
    let mine = Player::with_sample().run(&["repeat", "SAMPLE-1"]).failure(1);
    assert!(mine.contains("the next move is yours"), "{mine}");
    let player = Player::waiting();
    let shown = player.run(&["repeat", "SAMPLE-1", "-n"]).result();
    assert!(shown.contains("Nothing was kept.") && shown.contains("My move: 6... 5755"), "{shown}");
    assert!(shown.contains("no director of EM/ZZ/042 is known here"), "{shown}");
    assert!(player.errands(".repeat").await.is_empty());
    player.run(&["result", "SAMPLE-1", "1-0"]).result();
    assert!(player.run(&["repeat", "SAMPLE-1"]).failure(1).contains("is over: 1-0"));
}

#[test]
fn a_reminder_and_an_announcement_that_were_none_are_taken_back_and_the_journal_keeps_them() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"].as_array_mut().unwrap().pop();
        game["rules"] = json!("desc");
    }));
    let thought =
        || player.run(&["show", "SAMPLE-1", "--json", "--at", "2004-12-01T10:00:00Z"]).json()["clocks"].take();
    let before = thought();
    for (what, name) in [
        (["repeat", "SAMPLE-1", "--sent", "--on", "2004-11-12"].to_vec(), "repeat"),
        (["announce", "SAMPLE-1", "--his", "--on", "2004-11-12", "--until", "2004-12-20"].to_vec(), "announcement"),
    ] {
        player.run(&what).result();
        let other = player.run(&[what[0], "SAMPLE-1", "--undo", "--on", "2004-11-13"]).failure(1);
        assert!(other.contains(&format!("no {name} of 2004-11-13 is on record for 7. of game SAMPLE-1")), "{other}");
        let undone = player.run(&[what[0], "SAMPLE-1", "--undo"]).result();
        assert_eq!(undone, format!("For 7. the {name} of 2004-11-12 counts no more.\n"));
        player.run(&[what[0], "SAMPLE-1", "--undo"]).failure(1);
        assert!(
            player.run(&["clock", "SAMPLE-1"]).result().contains(&format!("the {name} of 2004-11-12 was taken out"))
        );
        assert_eq!(thought(), before);
    }
    player.run(&["verify", "--rebuild"]).result();
    player.run(&["verify", "--all"]).result();
}

#[test]
fn a_reminder_in_words_of_ones_own_names_the_command_that_makes_it_count() {
    let own = |day: &str| {
        format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\n\
             Date: Fri, {day} Nov 2004 18:00:00 +0100\r\nMessage-ID: <own{day}@example.net>\r\n\r\n\
             Did you get my last move? I have had no answer.\r\n"
        )
    };
    let player = Player::waiting();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    for (day, is_late) in [("05", false), ("12", true)] {
        let file = player.file("own.eml", own(day));
        let taken = player.run(&["take", &file, "--at", &format!("2004-11-{day}T17:00:10Z")]).result();
        assert!(taken.contains("your mail to him gives no move"), "{taken}");
        assert_eq!(taken.contains("`amici repeat SAMPLE-1 --sent --on 2004-11-12`"), is_late, "{taken}");
    }
}

// Announcements ------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_announcement_goes_to_the_opponent_and_where_silence_costs_the_game_to_the_director() {
    let player = Player::with_rules(NO_LIMIT, 13);
    let day = Utc::now().date_naive() + Days::new(130);
    let until = day.to_string();
    let args = ["announce", "SAMPLE-1", "--until", &until, "-m", "I am moving house."];
    let said = player.run(&args).result();
    assert!(
        said.starts_with(&format!("You announce that you need until {day} for move 7, with a copy to the director")),
        "{said}"
    );
    let (_, letter) = player.letter(".announcement").await;
    let body = text(&letter);
    let by = day.format("I expect to answer by %-d %B %Y.").to_string();
    for part in [by.as_str(), "There is no need to repeat it.", "I am moving house."] {
        assert!(flat(&body).contains(part), "{part} in {body}");
    }
    let counts = format!(
        "it counts once your Sent folder shows it, or you say that you sent it:  amici announce SAMPLE-1 --until {until} --sent"
    );
    assert!(said.contains(&counts), "{said}");
    assert!(player.game()["clock_notes"].as_array().is_none_or(Vec::is_empty), "a draft was not sent");
    let sent = ["announce", "SAMPLE-1", "--until", &until, "--sent"];
    assert!(player.run(&sent).result().starts_with("You announced on "));
    assert_eq!(player.game()["clock_notes"][0]["until"], until);
    assert!(player.run(&sent).failure(1).contains("on record already"));
    let again = player.run(&args).failure(6);
    assert!(again.contains("you announced on"), "{again}");
    assert_eq!(player.errands(".announcement").await.len(), 1, "nothing new");
}

#[tokio::test]
async fn an_announcement_that_cannot_be_is_refused() {
    let player = Player::with_sample();
    let past = player.run(&["announce", "SAMPLE-1", "--until", "2004-12-01"]).failure(1);
    assert!(past.contains("2004-12-01 has come already"), "{past}");
    let over = player.run(&["announce", "SAMPLE-1", "--until", &ahead("2090-12-01")]).failure(6);
    assert!(over.contains(&ahead("your own time will be over by then: on 2090-12-01 it is OVERSTEPPED by")), "{over}");
    let r#move = player.run(&["announce", "SAMPLE-1", "--until", &ahead("2090-12-01"), "-m", "7... 2836"]).failure(5);
    assert!(r#move.contains("can be read as a move"), "{}", r#move);
    let his = Player::waiting().run(&["announce", "SAMPLE-1", "--until", &ahead("2090-12-01")]).failure(1);
    assert!(his.contains("it is Ostrander, Mila's turn"), "{his}");
    assert!(player.errands(".announcement").await.is_empty());
}

#[tokio::test]
async fn what_the_opponent_announces_is_entered_once_and_asks_for_no_letter() {
    let player = Player::waiting();
    let args = ["announce", "SAMPLE-1", "--his", "--on", "2004-11-02", "--until", "2004-12-10"];
    assert_eq!(player.run(&args).result(), "Ostrander, Mila announced on 2004-11-02 that he needs until 2004-12-10.\n");
    let note = json!({"ply": 13, "kind": "announced", "on": "2004-11-02", "until": "2004-12-10"});
    assert_eq!(player.game()["clock_notes"], json!([note]));
    let agenda = player.run(&["agenda", "--days", "30", "--at", "2004-11-03T12:00:00Z"]).result();
    assert!(!agenda.contains("you may repeat"), "{agenda}");
    assert!(player.run(&args).failure(1).contains("on record already"));
    let late = ["announce", "SAMPLE-1", "--his", "--on", "2004-11-02", "--until", "2004-11-02"];
    assert!(player.run(&late).failure(1).contains("does not lie after"));
    assert!(Player::with_sample().run(&args).failure(1).contains("it is your turn"));
    assert!(player.errands(".announcement").await.is_empty());
}

#[test]
fn the_newest_announcement_counts_and_none_that_came_when_the_silence_was_too_long() {
    let player = Player::waiting();
    let announced = |on: &str, until: &str, more: &[&str]| {
        player.run(&[&["announce", "SAMPLE-1", "--his", "--on", on, "--until", until], more].concat())
    };
    let claim = || player.run(&["claim", "SAMPLE-1", "--silence", "-n"]);
    let until = ahead("2090-12-20");
    let asked = announced("2004-11-10", &until, &[]).failure(6);
    assert!(asked.contains(&format!("{until} is more than a year ahead: is the year right?")), "{asked}");
    announced("2004-11-10", &until, &["--yes"]).result();
    assert!(claim().failure(1).contains(&format!("he needs until {until}")));
    announced("2004-11-10", "2004-12-20", &[]).result();
    let claimed = claim().result();
    let named = "he announced on 10 November 2004 that he needs until 20 December 2004, which has passed";
    assert!(claimed.contains(named) && !claimed.contains("prolong nothing"), "the slip is corrected: {claimed}");
    let agenda = player.run(&["agenda", "--days", "60", "--at", "2004-12-01T12:00:00Z"]).result();
    assert!(agenda.contains("Tue 21 Dec 2004"), "{agenda}");

    let older = announced("2004-11-09", "2004-12-25", &[]).failure(6);
    assert!(older.contains("amici announce SAMPLE-1 --undo --on 2004-11-10"), "{older}");
    let late = announced("2004-12-21", "2005-01-20", &[]).result();
    let why =
        "the silence is too long from 2004-12-21 on, and what is announced on 2004-12-21 does not prolong it any more";
    assert!(late.contains(why), "{late}");
    let claimed = claim().result();
    assert!(claimed.contains(why), "{claimed}");
}

// Notes --------------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_friendly_note_goes_out_as_it_is() {
    let player = Player::with_sample();
    player.run(&["message", "SAMPLE-1", "-m", "Happy Easter!\nMay the better one win."]).result();
    let (_, letter) = player.letter(".note").await;
    assert_eq!(text(&letter), "Happy Easter!\nMay the better one win.\n\nKind regards\nQuillfeather, Tobin\n");
}

#[tokio::test]
async fn a_note_that_reads_as_a_move_is_refused_and_a_doubtful_one_asked_about() {
    let player = Player::with_sample();
    for words in ["7... 2836", "I play Nc6.", "I resign.", "My answer is 7...Nc6, then 8. 4445"] {
        let refused = player.run(&["message", "SAMPLE-1", "-m", words, "--yes"]).failure(5);
        assert!(refused.contains("amici play SAMPLE-1 MOVE"), "{words}: {refused}");
    }
    assert!(player.run(&["message", "SAMPLE-1", "-m", " "]).failure(1).contains("the text is empty"));
    let asked = player.run(&["message", "SAMPLE-1", "-m", "I offer a draw."]).failure(6);
    assert!(asked.contains("could be read as more than words"), "{asked}");
    assert!(player.errands(".note").await.is_empty());
    player.run(&["message", "SAMPLE-1", "-m", "I offer a draw.", "--yes"]).result();
    assert_eq!(player.errands(".note").await.len(), 1);
}
