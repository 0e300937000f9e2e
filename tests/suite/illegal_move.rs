//! An illegal move before a legal one (T80): held, found again, and counted only on the player's word, by the rules of the game.

use serde_json::json;

use super::care::flat;
use super::cli::Player;
use super::intake::mail;
use super::leave::ahead;
use amici::mail::message::parse;

const LEGAL: &str = "7. 5171   received 29.10. sent 30.10.\n";

/// Her illegal mail of 28 October, in answer to a move of the 26th, and her legal one of the 30th.
fn slipped() -> Player {
    let player = Player::waiting();
    let illegal = String::from_utf8(mail("m6", "EM/ZZ/042", "7. 5152\n")).unwrap();
    let illegal =
        illegal.replace("Sat, 30 Oct 2004 20:21", "Thu, 28 Oct 2004 20:21").replace("Sat, 30 Oct", "Thu, 28 Oct");
    assert_eq!(player.takes(illegal.as_bytes()), "illegal");
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", LEGAL)), "move");
    player
}

fn counts(player: &Player, noticed: &str) -> String {
    player.run(&["clock", "illegal", "SAMPLE-1", "7.", "--noticed", noticed, "--why", "her slip"]).result()
}

#[tokio::test]
async fn t80_an_illegal_mail_is_offered_for_counting_and_nothing_is_charged_by_itself() {
    let player = slipped();
    let notices = player.store().await.unsent().await.unwrap();
    let notice = flat(&parse(&notices.last().unwrap().outgoing.bytes).unwrap().plain.unwrap());
    let offer =
        "He sent an illegal move before 7.; nothing is counted for it. The rules of this game give 5 days of penalty.";
    assert!(notice.contains(offer), "{notice}");
    assert!(notice.contains("amici clock illegal SAMPLE-1 7. --noticed DATE"), "{notice}");
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(flat(&clock).contains(offer), "{clock}");
    assert_eq!(
        player.run(&["clock", "SAMPLE-1", "--json"]).json()["illegal_mails"],
        json!([{"ply": 13, "number": "7.", "mail": 1}])
    );
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("illegal   an illegal move was sent before it and is not counted"), "{told}");
    assert!(told.contains("days      1 calendar day; 9 in all"), "{told}");
}

#[test]
fn an_illegal_mail_is_of_its_own_ply_whenever_it_is_read_and_of_none_in_a_game_put_in_anew() {
    let player = Player::waiting();
    let files = [
        player.file("6.eml", mail("m6", "EM/ZZ/042", "7. 5152\n")),
        player.file("7.eml", mail("m7", "EM/ZZ/042", LEGAL)),
    ];
    player.run(&["take", &files[0], &files[1]]).result();
    let plies = || player.run(&["clock", "SAMPLE-1", "--json"]).json()["illegal_mails"].clone();
    assert_eq!(plies(), json!([{"ply": 13, "number": "7.", "mail": 1}]), "both at one instant");
    player.run(&["import", "--replace", "--yes", &player.file("games.json", super::cli::document(|_| {}))]).result();
    assert_eq!(plies(), json!([]), "nobody knows any more which of its moves was meant");
}

#[test]
fn the_days_between_an_illegal_mail_and_the_legal_one_are_no_transit() {
    let player = slipped();
    let draft = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
    assert!(!draft.contains("You book my mail"), "she states when my notice reached her: {draft}");
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(!clock.contains("--received 2004-10-27"), "{clock}");
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(!told.contains("by the rules 2004-10-27"), "{told}");
}

#[tokio::test]
async fn t80_a_counted_illegal_move_costs_its_days_and_the_penalty_of_the_rules() {
    let player = slipped();
    let said = counts(&player, "2004-10-29");
    // two days until the illegal move, one from the notice on, five of penalty
    let counted = "7.: an illegal move was sent 2004-10-28 and noticed 2004-10-29, the days from 2004-10-28 to 2004-10-29 are not counted; 5 days of penalty";
    assert!(said.starts_with(counted), "{said}");
    assert!(said.contains("By the rules: an illegal move costs 5 days more; the days before it and those after the notice of it count [uncertain:"), "{said}");
    let row = player.run(&["clock", "SAMPLE-1", "--json"]).json()["rows"][12]["ours"].clone();
    assert_eq!(row, json!({"received": "2004-10-26", "sent": "2004-10-30", "days": 8, "total": 16}));
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("days      8: until the illegal move of 2004-10-28 2 calendar days; since the notice of it on 2004-10-29 1 calendar day; 5 of penalty added; 16 in all"), "{told}");
    assert!(told.contains("illegal   an illegal move was sent 2004-10-28"), "{told}");
    assert!(told.contains("by rule   an illegal move costs 5 days more"), "{told}");
    let draft = flat(&player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result());
    assert!(draft.contains("Before your move 7 you sent an illegal move on 28 October 2004 and knew of it on 29 October 2004: I count 8 days, 5 of them as the penalty, your total is 16. Please tell me if you see it otherwise."), "{draft}");
    assert!(!draft.contains("For your move 7 you show"), "said once: {draft}");
    assert!(counts(&player, "2004-10-29").contains("counted so already"));
    // a director who waives the penalty
    player.run(&["clock", "set", "SAMPLE-1", "7.", "--penalty", "0", "--why", "the director"]).result();
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(
        told.contains(
            "days      3: until the illegal move of 2004-10-28 2 calendar days; since the notice of it on 2004-10-29 1 calendar day; 11 in all"
        ) && told.contains("no day of penalty"),
        "{told}"
    );
    let journal = player.journal("clock").await;
    assert!(journal[0].ends_with("(before: nothing); why: her slip"), "{journal:?}");
}

#[tokio::test]
async fn the_day_of_the_notice_that_he_states_beside_the_legal_move_is_no_difference() {
    let player = Player::waiting();
    let illegal = String::from_utf8(mail("m6", "EM/ZZ/042", "7. 5152\n")).unwrap().replace("Sat, 30", "Thu, 28");
    assert_eq!(player.takes(illegal.as_bytes()), "illegal");
    counts(&player, "2004-10-29");
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", LEGAL)), "move");
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(!told.contains("differs") && !told.contains("lies before"), "{told}");
    let why = "received  the day stated is that of the notice of the illegal move; of the move before, nobody says: the day the move before was sent counts";
    assert!(told.contains(why), "{told}");
    let clock = player.run(&["clock", "SAMPLE-1"]).result();
    assert!(!clock.contains("he shows received 2004-10-29") && !clock.contains("clock agree"), "{clock}");
    let draft = flat(&player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result());
    assert!(!draft.contains("did not say when you received"), "{draft}");
    assert!(draft.contains("I count 8 days, 5 of them as the penalty"), "{draft}");
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    assert!(player.run(&["verify", "--all"]).result().contains("0 differences"));
}

#[test]
fn t80_the_rules_of_the_game_decide_what_an_illegal_move_costs() {
    for (rules, days) in [
        (json!({"base": "iccf-email-2000", "illegal": {"penalty_days": 0, "accounting": "continuous"}}), 4),
        (json!({"base": "iccf-email-2000", "illegal": {"penalty_days": 5, "accounting": "continuous"}}), 9),
        (json!("iecc"), 4),
    ] {
        let player = Player::new();
        player.import(&super::cli::document(|game| game["rules"] = rules.clone()));
        player
            .run(&[
                "clock",
                "illegal",
                "SAMPLE-1",
                "7.",
                "--sent",
                "2004-10-28",
                "--noticed",
                "2004-10-29",
                "--why",
                "w",
            ])
            .result();
        let row = player.run(&["clock", "SAMPLE-1", "--json"]).json()["rows"][12]["ours"].clone();
        assert_eq!(row["days"], days, "{rules}");
    }
}

#[tokio::test]
async fn a_counted_illegal_move_is_taken_back_exported_verified_and_made_again_by_replay() {
    let player = slipped();
    counts(&player, "2004-10-29");
    assert_eq!(player.game()["illegal"], json!([{"ply": 13, "sent": "2004-10-28", "noticed": "2004-10-29"}]));
    let verified = player.run(&["verify", "--all"]).result();
    assert!(verified.contains("0 differences"), "{verified}");
    let replayed = player.run(&["verify", "--rebuild"]).result();
    assert!(replayed.contains("0 differences"), "{replayed}");
    player.run(&["clock", "illegal", "SAMPLE-1", "7.", "--remove", "--why", "a mistake of mine"]).result();
    assert_eq!(player.game()["illegal"], json!(null));
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
    let journal = player.journal("clock").await;
    assert!(
        journal[1].contains("no illegal move is counted any more (before: sent 2004-10-28, noticed 2004-10-29)"),
        "{journal:?}"
    );
}

#[test]
fn impossible_days_of_an_illegal_move_are_refused_and_nothing_is_kept() {
    let player = slipped();
    for (args, why) in [
        (["--sent", "2004-10-25", "--noticed", "2004-10-29"], "sent 2004-10-25 lies before received 2004-10-26"),
        (["--sent", "2004-10-28", "--noticed", "2004-10-27"], "noticed 2004-10-27 lies before 2004-10-28"),
        (["--sent", "2004-10-28", "--noticed", "2004-10-31"], "2004-10-31 lies after 2004-10-30"),
        (["--sent", "2004-10-28", "--noticed", &ahead("2090-01-01")], "-01-01 has not come yet"),
    ] {
        let refused =
            player.run(&[&["clock", "illegal", "SAMPLE-1", "7.", "--why", "w"][..], &args].concat()).failure(1);
        assert!(refused.contains(why) && refused.contains("nothing was kept"), "{why} in {refused}");
    }
    let nowhere =
        player.run(&["clock", "illegal", "SAMPLE-1", "6.", "--noticed", "2004-10-23", "--why", "w"]).failure(1);
    assert!(nowhere.contains("no illegal mail was found before 6.") && nowhere.contains("--sent DATE"), "{nowhere}");
    let far = player.run(&["clock", "illegal", "SAMPLE-1", "9.", "--noticed", "2004-10-23", "--why", "w"]).failure(1);
    assert!(far.contains("neither on record in game SAMPLE-1 nor due; 7... is due"), "{far}");
    assert_eq!(player.game()["illegal"], json!(null));
}

#[test]
fn an_illegal_move_of_ones_own_goes_into_the_days_of_the_next_draft() {
    let player = Player::with_sample();
    let args =
        ["clock", "illegal", "SAMPLE-1", "7...", "--sent", "2004-10-31", "--noticed", "2004-11-02", "--why", "my slip"];
    player.run(&args).result();
    let draft = player.run(&["play", "SAMPLE-1", "Nc6", "-n"]).result();
    assert!(flat(&draft).contains("Before this move I sent an illegal one on 31 October 2004 and knew of it on 2 November 2004; my days for this move count it, with a penalty of 5 days."), "{draft}");
}
