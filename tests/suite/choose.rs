//! The player's choice on the command line: lines, words, a pause, and what is asked before it is done.

use amici::config::{Config, Me};
use amici::daemon::draft_held;
use amici::io::store::Store;
use amici::letters::AnswerKey;
use amici::proof::replay::replay;
use chrono::{Days, TimeDelta, Utc};
use serde_json::json;
use tempfile::TempDir;

use super::care::{flat, text};
use super::cli::{Player, document};
use super::intake::ME;

fn me() -> Me {
    Config::parse(ME).unwrap().me
}

fn plan(player: &Player) -> serde_json::Value {
    player.run(&["show", "SAMPLE-1", "--json"]).json()["plan"].take()
}

async fn proven(player: &Player) {
    let dir = TempDir::new().unwrap();
    let mut fresh = Store::open(dir.path()).await.unwrap();
    let done = replay(&mut player.store().await, &mut fresh).await.unwrap();
    assert_eq!((done.diff.as_str(), &done.stopped), ("", &None));
}

#[tokio::test]
async fn lines_and_words_are_kept_with_the_plan_and_stand_once_the_move_is_sent() {
    let player = Player::with_sample();
    let said = player
        .run(&[
            "play",
            "SAMPLE-1",
            "Nc6",
            "--if",
            "4445 3657",
            "--if",
            "d5 Ne7 6151 6658",
            "-m",
            "Happy Easter!",
            "--draw",
        ])
        .result();
    assert!(said.contains("if 8. 4445 then 8... 3657, if 9. 6151 then 9... 6658"), "{said}");
    let kept = plan(&player);
    assert_eq!(kept["conditionals"], json!([["4445", "3657"], ["4445", "3657", "6151", "6658"]]));
    assert_eq!((&kept["comment"], &kept["held_until"]), (&json!("Happy Easter!"), &json!(null)));
    player.run(&["sent", "SAMPLE-1"]).result();
    let game = player.run(&["show", "SAMPLE-1", "--json"]).json();
    assert_eq!(game["conditionals"], kept["conditionals"]);
    proven(&player).await;
}

#[test]
fn what_may_have_been_meant_is_said() {
    let player = Player::with_sample();
    player.import(&document(|game| game["id"] = json!("OTHER-1")));
    for (args, parts) in [
        (&["5755"][..], &["you played this already: 6... 5755 (e5)"][..]),
        (&["5171"], &["this is his move: 7. 5171 (O-O)"]),
        (&["2838"], &["2838 is not legal for Black in game SAMPLE-1", "did you mean"]),
        (&["8. Nc6"], &["you wrote move 8", "7... is due"]),
        (&["Nc6", "--if", "if any, 3657"], &["2. Bh6 Bg7 3. Bxg7", "2. Ba6 Bb7 3. Bxb7"]),
        (&["Nc6", "--if", "4446 3657"], &["in the line `4446 3657`"]),
        (&["Nc6", "-m", "I resign."], &["can be read as a move or as the end of the game"]),
    ] {
        let args = [&["play", "SAMPLE-1"], args].concat();
        let said = player.run(&args).failure(5);
        for part in parts {
            assert!(said.contains(part), "{args:?}: {said}");
        }
    }
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    player.run(&["sent", "SAMPLE-1"]).result();
    let said = player.run(&["play", "SAMPLE-1", "Nc6"]).failure(1);
    assert!(said.contains("you played this already: 7... 2836 (Nc6)"), "{said}");
}

#[tokio::test]
async fn a_promise_is_kept_or_broken_on_a_second_word() {
    let player = Player::new();
    player.import(&document(|game| game["conditionals"] = json!([["5171", "2836", "4445", "3657"]])));
    let asked = player.run(&["play", "SAMPLE-1", "2847"]).failure(6);
    assert!(asked.contains("you are bound: your conditional promised 7... 2836"), "{asked}");
    player.run(&["play", "SAMPLE-1", "2847", "--yes"]).result();
    let said = player.run(&["play", "SAMPLE-1", "2836"]).result();
    assert!(said.contains("The rest of the line that you offered before goes with it."), "{said}");
    assert_eq!(plan(&player)["conditionals"], json!([["4445", "3657"]]));
}

#[test]
fn a_question_mark_behind_a_move_takes_a_second_word() {
    let player = Player::with_sample();
    for args in [&["2836?"][..], &["Nc6", "--if", "4445 3657?"]] {
        let asked = player.run(&[&["play", "SAMPLE-1"], args].concat()).failure(6);
        assert!(asked.contains("a question mark stands in"), "{asked}");
        assert_eq!(plan(&player), json!(null));
    }
    player.run(&["play", "SAMPLE-1", "2836?", "--yes"]).result();
    assert_eq!(plan(&player)["numeric"], "2836");
}

#[tokio::test]
async fn a_held_move_is_drafted_once_when_its_time_has_come_with_the_dates_of_that_day() {
    let player = Player::with_sample();
    let said = player.run(&["play", "SAMPLE-1", "Nc6", "--hold", "1d"]).result();
    assert!(said.contains("It is kept and not drafted before"), "{said}");
    assert!(player.run(&["show", "SAMPLE-1"]).result().contains("Chosen, and not drafted yet: 7... 2836"));
    let mut store = player.store().await;
    assert!(store.unsent().await.unwrap().is_empty(), "no draft yet");
    let now = Utc::now();
    assert_eq!(draft_held(&mut store, &me(), now).await.unwrap(), 0);
    let later = now + TimeDelta::days(1) + TimeDelta::minutes(1);
    assert_eq!(draft_held(&mut store, &me(), later).await.unwrap(), 1);
    assert_eq!(draft_held(&mut store, &me(), later).await.unwrap(), 0, "once");
    drop(store);
    let (to_me, letter) = player.letter(".ready").await;
    assert_eq!(to_me.subject, "[amici SAMPLE-1] still Nc6? ready to send to Ostrander, Mila: 7... 2836 (Nc6)");
    let day = later.with_timezone(&me().timezone).date_naive();
    assert_eq!((&plan(&player)["sent"], &plan(&player)["held_until"]), (&json!(day), &json!(null)));
    let (today, tomorrow) = (day.format("%d.%m.%Y").to_string(), (day + Days::new(1)).format("%d.%m.%Y").to_string());
    let body = flat(&text(&letter));
    assert!(body.contains(&today) && !body.contains(&tomorrow), "{body}");
    proven(&player).await;
}

#[tokio::test]
async fn a_held_move_that_is_dropped_or_changed_is_never_drafted() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6", "--hold", "10m"]).result();
    let held = player.store().await.games().await.unwrap().remove(0).game.plan.unwrap();
    let undone = player.run(&["undo", "SAMPLE-1"]).result();
    assert!(!undone.contains("mailbox"), "no draft was delivered: {undone}");
    let later = Utc::now() + TimeDelta::hours(1);
    let mut store = player.store().await;
    assert_eq!(draft_held(&mut store, &me(), later).await.unwrap(), 0);
    drop(store);
    player.run(&["play", "SAMPLE-1", "Nd7", "--hold", "10m"]).failure(5);
    player.run(&["play", "SAMPLE-1", "Nbd7", "--hold", "10m"]).result();
    // what was read before the change is not written behind it
    let mut store = player.store().await;
    let thread = store.games().await.unwrap().remove(0);
    let made = amici::choice::draft::wakened(&thread, &held, &[], &AnswerKey::new([7; 32]), &me(), later).unwrap();
    let letter = made.letter.unwrap();
    let done = store.waken(&thread.game.id, made.expected_plies, &held.message_id, &made.plan, &letter, later).await;
    assert!(!done.unwrap());
    assert!(store.unsent().await.unwrap().is_empty());
    drop(store);
    assert_eq!(plan(&player)["numeric"], "2847");
    proven(&player).await;
}

#[tokio::test]
async fn to_resign_or_to_end_in_a_draw_takes_a_second_word_and_drafts_a_letter() {
    let player = Player::with_sample();
    let asked = player.run(&["resign", "SAMPLE-1"]).failure(6);
    assert!(asked.contains("say the same with --yes"), "{asked}");
    player.run(&["resign", "SAMPLE-1", "--yes"]).result();
    let (to_me, letter) = player.letter(".resignation").await;
    assert_eq!(to_me.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: your resignation");
    assert!(text(&letter).contains("I resign."), "{}", text(&letter));
    assert!(flat(&text(&to_me)).contains("amici result SAMPLE-1 1-0"), "{}", text(&to_me));
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["result"], json!(null));

    let offered = player.run(&["draw", "SAMPLE-1", "--offer"]).failure(1);
    assert!(offered.contains("amici play SAMPLE-1 MOVE --draw"), "{offered}");
    let none = player.run(&["draw", "SAMPLE-1", "--decline"]).failure(6);
    assert!(none.contains("no offer of a draw by Ostrander, Mila is on record"), "{none}");
    player.run(&["draw", "SAMPLE-1"]).failure(2);

    let player = Player::new();
    player.import(&document(|game| game["draw_offer"] = json!("white")));
    for args in [&["show", "SAMPLE-1"][..], &["show"]] {
        let shown = player.run(args).result();
        assert!(
            shown.contains("He offers a draw:  amici draw SAMPLE-1 --accept   (it lapses with your move)"),
            "{shown}"
        );
    }
    for args in [&["play", "SAMPLE-1", "Nc6", "-n"][..], &["play", "SAMPLE-1", "Nc6"], &["undo", "SAMPLE-1"]] {
        let said = player.run(args).result();
        let lapses = said.contains("Note: he offers a draw, which lapses when your move goes out.");
        assert_eq!(lapses, args[0] == "play", "{said}");
    }
    assert!(!Player::with_sample().run(&["show", "SAMPLE-1"]).result().contains("offers a draw"));
    player.run(&["draw", "SAMPLE-1", "--accept"]).failure(6);
    player.run(&["draw", "SAMPLE-1", "--accept", "--yes"]).result();
    let (to_me, letter) = player.letter(".draw-accepted").await;
    assert!(text(&letter).contains("I accept the draw."), "{}", text(&letter));
    assert!(flat(&text(&to_me)).contains("amici result SAMPLE-1 1/2-1/2"), "{}", text(&to_me));
    player.run(&["draw", "SAMPLE-1", "--decline"]).result();
    let (_, letter) = player.letter(".draw-declined").await;
    assert!(text(&letter).contains("I decline the draw."), "{}", text(&letter));
    proven(&player).await;
}

#[tokio::test]
async fn another_move_than_planned_is_explained_with_both() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    let raw = "From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: Re: EM/ZZ/042\r\nMessage-ID: <phone@example.net>\r\n\
               Date: Mon, 01 Nov 2004 10:30:00 +0100\r\n\r\n7... 5544\r\n";
    let at = "2004-11-01T09:30:00Z".parse().unwrap();
    let mail = amici::intake::RawMessage { bytes: raw.as_bytes(), at, arrival: None, verified: None };
    let mut store = player.store().await;
    amici::sent::take_in(&mut store, &me(), &Default::default(), &mail, Utc::now()).await.unwrap();
    let said = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(
        said.contains(
            "  planned   7... 2836 (Nc6)\n  sent      7... 5544 (exd4), which binds you\n  draft     2836, <"
        ),
        "{said}"
    );
    assert!(said.contains("<phone@example.net>"), "{said}");
    assert_eq!(player.run(&["explain", "SAMPLE-1", "last", "--json"]).json()["planned"], json!("2836"));
    let earlier = player.run(&["explain", "SAMPLE-1", "6b"]).result();
    assert!(!earlier.contains("planned"), "{earlier}");
    proven(&player).await;
}

#[test]
fn each_refusal_says_what_was_understood_why_not_and_how_to_write_it() {
    let player = Player::with_sample();
    for (words, parts) in [
        (
            &["Nc6", "--if", "9. 4445 3657"][..],
            &["in the line `9. 4445 3657`", "9. stands where 8. is due", "begins with his 8."][..],
        ),
        (&["Nc6", "--if", "4445"], &["4445 has no reply of yours after it", "write it as `2142 6846`"]),
        (&["9. Nc6"], &["you wrote move 9", "7... is due", "without its number, or as `7... MOVE`"]),
        (&["Hello"], &["\"Hello\" is not a move", "write it as"]),
    ] {
        let args: Vec<&str> = ["play", "SAMPLE-1"].iter().chain(words).copied().collect();
        let message = player.run(&args).failure(5);
        for part in parts {
            assert!(message.contains(part), "{words:?}: {part}: {message}");
        }
    }
}

#[tokio::test]
async fn a_mail_of_ones_own_that_waits_does_not_stand_in_the_way_of_accepting_his() {
    let player = Player::with_sample();
    player.run(&["sent", "SAMPLE-1", "2836", "--on", "2004-10-31"]).result();
    let mut store = player.store().await;
    let at = "2004-11-05T10:00:00Z".parse().unwrap();
    let mail =
        |raw: &'static str| amici::intake::RawMessage { bytes: raw.as_bytes(), at, arrival: None, verified: None };
    let own = "From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: Re: EM/ZZ/042\r\n\
               Message-ID: <end@example.net>\r\n\r\nI resign. Thank you for the game!\r\n";
    amici::sent::take_in(&mut store, &me(), &Default::default(), &mail(own), at).await.unwrap();
    let hers = "From: mila.ostrander@example.org\r\nTo: tobin.q@example.net\r\nSubject: EM/ZZ/042\r\n\
                Message-ID: <two@example.org>\r\n\r\n8. 4445\r\n8. 4455\r\n";
    amici::intake::take_in(&mut store, &me(), &Default::default(), &mail(hers), at).await.unwrap();
    assert_eq!(store.held().await.unwrap().len(), 2);
    let said = player.run(&["accept", "SAMPLE-1", "4445", "--sent", "2004-11-05"]).result();
    assert!(said.contains("8. 4445"), "{said}");
    assert_eq!(store.held().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_resignation_that_was_sent_is_closed_by_the_command_that_its_notice_names() {
    let player = Player::with_sample();
    let raw = "From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: Re: EM/ZZ/042\r\nMessage-ID: <end@example.net>\r\n\
               \r\nI resign. Thank you for the game!\r\n";
    let mail = amici::intake::RawMessage { bytes: raw.as_bytes(), at: Utc::now(), arrival: None, verified: None };
    let mut store = player.store().await;
    amici::sent::take_in(&mut store, &me(), &Default::default(), &mail, Utc::now()).await.unwrap();
    let review = player.run(&["review"]).result();
    assert!(review.contains("amici result SAMPLE-1 1-0"), "{review}");
    let closed = player.run(&["result", "SAMPLE-1", "1-0", "--no-report"]).result();
    assert!(closed.contains("Your mail 1 is settled"), "{closed}");
    assert!(store.held().await.unwrap().is_empty());
    proven(&player).await;
}

/// Rules that count hours, and her last move of 30 hours ago.
fn by_the_hour() -> Player {
    let player = Player::new();
    player.import(&document(|game| {
        game["rules"] = json!("iccf-server");
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let came = (Utc::now() - TimeDelta::hours(30)).to_rfc2822();
    let raw = format!(
        "Received: from mx.example.org by mail.example.net; {came}\r\nFrom: mila.ostrander@example.org\r\nTo: tobin.q@example.net\r\n\
         Subject: EM/ZZ/042\r\nDate: {came}\r\nMessage-ID: <m7@example.org>\r\n\r\n7. 5171\r\n"
    );
    assert_eq!(player.takes(raw.as_bytes()), "move");
    player
}

#[tokio::test]
async fn a_move_that_he_says_he_sent_now_has_its_hour_and_one_of_a_day_has_none() {
    let player = by_the_hour();
    player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    let said = player.run(&["sent", "SAMPLE-1"]).result();
    let (hour, days) =
        said.split_once(": ").map(|(before, after)| (before.rsplit(' ').next().unwrap(), after)).unwrap();
    assert!(hour.len() == 5 && hour.contains(':') && days.starts_with("1 day."), "{said}");
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("days      1 whole span of 24 hours; 31 in all"), "{told}");
    assert!(told.contains("by your word, then") && !told.contains("by its own Date"), "{told}");
    proven(&player).await;
    assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));

    let player = by_the_hour();
    let today = Utc::now().with_timezone(&chrono_tz::Europe::Vienna).date_naive().to_string();
    player.run(&["sent", "SAMPLE-1", "2836", "--on", &today]).result();
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("because an instant is missing") && !told.contains("by your word, then"), "{told}");
}

#[tokio::test]
async fn a_copy_that_waits_for_his_word_tells_when_the_move_was_sent_if_it_went_to_the_opponent() {
    let sent = (Utc::now() - TimeDelta::hours(3)).with_timezone(&chrono_tz::Europe::Vienna);
    for (to, is_known) in [("mila.ostrander@example.org", true), ("somebody@example.com", false)] {
        let player = by_the_hour();
        let mut store = player.store().await;
        let tie = if is_known { "" } else { "In-Reply-To: <m7@example.org>\r\n" };
        let raw = format!(
            "From: tobin.q@example.net\r\nTo: {to}\r\nSubject: Hello\r\nDate: {}\r\nMessage-ID: <own@example.net>\r\n{tie}\r\n7... 2836\r\n",
            sent.to_rfc2822()
        );
        let at = sent.to_utc();
        let mail = amici::intake::RawMessage { bytes: raw.as_bytes(), at, arrival: None, verified: None };
        amici::sent::take_in(&mut store, &me(), &Default::default(), &mail, at).await.unwrap();
        let said = player.run(&["sent", "SAMPLE-1", "Nc6"]).result();
        let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
        let dated = format!("dated     {} by its own Date", sent.format("%Y-%m-%d %H:%M:%S %z"));
        assert_eq!(told.contains(&dated), is_known, "{to}: {said}{told}");
        assert_eq!(told.contains("by your word, then"), !is_known, "{to}: {told}");
        proven(&player).await;
    }
}
