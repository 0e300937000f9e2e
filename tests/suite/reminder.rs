//! The opponent repeats his move while the player thinks: he is told, the clock knows it, and the director sees the answer.

use amici::mail::message::IncomingMessage;
use serde_json::json;

use super::care::{DIRECTOR, flat};
use super::cli::{Player, document};
use super::intake::{ME, mail};

const BODY: &str = "7. 5171\n\nI have had no answer; here is my move again.\n";

impl Player {
    /// On the move since 30 October 2004 under these rules.
    fn thinking(rules: &str) -> Player {
        let player = Player::new();
        player.import(&document(|game| game["rules"] = json!(rules)));
        player.configure(&format!("{ME}{DIRECTOR}"));
        player
    }

    /// Her move once more, in a mail of a day of November that came on it: what became of it.
    fn reminded(&self, id: &str, day: &str) -> String {
        let (date, came) = (format!("{day} Nov 2004 10:00:00 +0100"), format!("{day} Nov 2004 09:00:05 +0000"));
        let raw = String::from_utf8(mail(id, "EM/ZZ/042", BODY)).unwrap();
        let raw =
            raw.replace("Sat, 30 Oct 2004 20:21:00 +0200", &date).replace("Sat, 30 Oct 2004 18:22:05 +0000", &came);
        let file = self.file("mail.eml", raw);
        self.run(&["take", &file]).result()
    }

    fn thought(&self, at: &str) -> i64 {
        let shown = self.run(&["show", "SAMPLE-1", "--json", "--at", at]).json();
        shown["clocks"]["black"]["days_this_move"].as_i64().unwrap()
    }

    async fn notices(&self) -> Vec<IncomingMessage> {
        let rows = self.store().await.unsent().await.unwrap();
        rows.iter().map(|row| amici::mail::message::parse(&row.outgoing.bytes).unwrap()).collect()
    }
}

#[tokio::test]
async fn his_reminder_doubles_the_days_and_is_told_once() {
    let player = Player::thinking("desc");
    assert_eq!(player.thought("2004-11-14T12:00:00Z"), 15);
    let taken = player.reminded("r1", "10");
    assert!(taken.contains("duplicate: repeats 7. 5171, which is on record; he reminds you on 2004-11-10"), "{taken}");
    assert_eq!(player.thought("2004-11-14T12:00:00Z"), 19, "T33: eleven days, and four twice");
    let told = player.notices().await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].subject, "[amici SAMPLE-1] Ostrander, Mila reminds you: 7... is yours");
    let words = flat(told[0].plain.as_deref().unwrap());
    for part in [
        "Ostrander, Mila reminded you on 10 November 2004 and waits for your answer.",
        "your days beyond 10 count double from 10 November 2004 on. It is assumed",
        "amici announce SAMPLE-1 --until DATE --sent --on DATE",
        "amici clock set SAMPLE-1 7... --days DAYS --why WHY",
    ] {
        assert!(words.contains(part), "{part} in {words}");
        for command in [&["show", "SAMPLE-1"][..], &["clock", "SAMPLE-1"]] {
            assert!(flat(&player.run(command).result()).contains(part), "{part} in {command:?}");
        }
    }
    player.reminded("r1", "12");
    assert!(!player.run(&["status"]).result().contains("resend?"), "it is the player who is to move");
    assert_eq!(player.notices().await.len(), 1, "the same mail by another way");
    assert_eq!(player.game()["clock_notes"].as_array().unwrap().len(), 1);
    player.run(&["announce", "SAMPLE-1", "--until", "2004-11-20", "--sent", "--on", "2004-11-05"]).result();
    assert_eq!(player.thought("2004-11-14T12:00:00Z"), 15, "he had told him before");
    player.run(&["verify", "--all"]).result();
    player.run(&["verify", "--rebuild"]).result();
}

#[test]
fn that_no_answer_came_denies_no_move_that_stands_below_it() {
    for (body, is_repeat) in [
        ("I have had no answer. Here it is once more:\n7. 5171\n", true),
        ("I have had no answer. I take it back:\n7. 5171\n", false),
        ("I have had no answer. No, not\n7. 5171\n", false),
    ] {
        let player = Player::thinking("desc");
        let raw = String::from_utf8(mail("r1", "EM/ZZ/042", body)).unwrap();
        let raw = raw.replace("Sat, 30 Oct 2004 20:21:00 +0200", "10 Nov 2004 10:00:00 +0100");
        let raw = raw.replace("Sat, 30 Oct 2004 18:22:05 +0000", "10 Nov 2004 09:00:05 +0000");
        let said = player.run(&["take", &player.file("mail.eml", raw)]).result();
        assert_eq!(said.contains("duplicate: repeats 7. 5171"), is_repeat, "{body}: {said}");
        assert_eq!(said.contains("he reminds you on 2004-11-10"), is_repeat, "{body}: {said}");
    }
}

#[tokio::test]
async fn a_repeat_before_the_rules_know_one_is_no_reminder() {
    let player = Player::thinking("desc");
    let taken = player.reminded("r1", "08");
    assert!(!taken.contains("reminds"), "{taken}");
    assert_eq!((player.notices().await.len(), player.thought("2004-11-14T12:00:00Z")), (0, 15));
    assert!(!player.run(&["show", "SAMPLE-1"]).result().contains("reminded you"));
}

#[tokio::test]
async fn a_reminder_in_his_own_words_is_told_with_the_command_that_enters_it() {
    let player = Player::thinking("desc");
    let came = |day: &str| {
        let raw =
            String::from_utf8(mail(day, "EM/ZZ/042", "Did you get my last move? I have had no answer.\n")).unwrap();
        let raw = raw.replace("Sat, 30 Oct 2004 20:21:00 +0200", &format!("{day} Nov 2004 10:00:00 +0100"));
        let file = player.file(
            "mail.eml",
            raw.replace("Sat, 30 Oct 2004 18:22:05 +0000", &format!("{day} Nov 2004 09:00:05 +0000")),
        );
        player.run(&["take", &file]).result()
    };
    let enters = "If he reminds you of that in it, enter it: amici repeat SAMPLE-1 --his --on 2004-11-";
    for (day, is_one) in [("08", false), ("10", true)] {
        assert!(came(day).contains("needs_human"), "it waits for the player, and is told");
        let told = player.notices().await.last().unwrap().plain.clone().unwrap();
        assert_eq!(flat(&told).contains(&format!("{enters}{day}")), is_one, "{told}");
        let command = format!("amici repeat SAMPLE-1 --his --on 2004-11-{day}");
        let held =
            player.run(&["review", "--json"]).json()["held"].as_array().unwrap().last().unwrap()["mail"].to_string();
        for args in [&["review"][..], &["show", "SAMPLE-1"], &["ignore", &held]] {
            let said = player.run(args).result();
            assert_eq!(said.contains(&command), is_one, "{args:?}: {said}");
        }
        let entered = player.run(&["repeat", "SAMPLE-1", "--his", "--on", &format!("2004-11-{day}")]);
        if is_one {
            entered.result();
        } else {
            let why = "by the rules of this game a mail of 2004-11-08 is no reminder: one counts from 2004-11-09 on, after 10 days of silence";
            assert!(entered.failure(1).contains(why));
        }
    }
    assert_eq!(player.thought("2004-11-14T12:00:00Z"), 19, "T33");
    assert!(
        player
            .run(&["repeat", "SAMPLE-1", "--his", "--on", "2004-11-10"])
            .failure(1)
            .contains("a reminder of 2004-11-10 is on record already")
    );
    player.run(&["repeat", "SAMPLE-1", "--undo"]).result();
    assert_eq!(player.thought("2004-11-14T12:00:00Z"), 15);
    player.run(&["verify", "--rebuild"]).result();
}

#[tokio::test]
async fn the_answer_to_his_repeat_has_a_copy_to_the_director() {
    let player = Player::thinking("iccf-email-2000");
    let copied = async || {
        player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
        player.letter(".ready").await.1.cc.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(copied().await.is_empty());
    player.run(&["undo", "SAMPLE-1"]).result();
    player.reminded("r1", "13");
    let told = player.notices().await.last().unwrap().plain.clone().unwrap();
    assert!(flat(&told).contains("your draft has a copy to td@example.net"), "{told}");
    assert_eq!(copied().await, ["td@example.net"]);
    let unknown = Player::thinking("iccf-email-2000");
    unknown.configure(ME);
    unknown.reminded("r1", "13");
    let said = unknown.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    assert!(said.contains("Note: you answer a repeat: no director of EM/ZZ/042 is known here"), "{said}");
}

#[tokio::test]
async fn a_reminder_while_a_draft_waits_asks_whether_it_was_sent() {
    let player = Player::thinking("iccf-email-2000");
    player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    player.reminded("r1", "14");
    let told = player.notices().await.last().unwrap().plain.clone().unwrap();
    assert!(flat(&told).contains("Your draft with 7... 2836 was not seen to be sent"), "{told}");
}
