//! A game corrected by its player, and the mails that came before it was known.

use serde_json::Value;

use crate::cli::{Player, second};
use crate::intake::{mail, mail_with};
use crate::queue::attached;

impl Player {
    fn edits(&self, args: &[&str]) -> String {
        let said = self.run(&[&["edit", "SAMPLE-1"], args].concat()).result();
        for proof in [&["verify"][..], &["verify", "--rebuild"]] {
            let proof = self.run(proof).result();
            assert!(proof.contains("0 differences"), "{proof}");
        }
        said
    }
}

#[test]
fn what_a_game_is_known_by_is_corrected_and_nothing_else() {
    let player = Player::with_sample();
    let before = player.game();
    let shown = player.run(&["edit", "sam", "--event", "EM/ZZ/043", "-n"]).result();
    assert_eq!(shown, "event: EM/ZZ/043 (before: EM/ZZ/042)\nNothing was changed.\n");
    assert_eq!(player.game(), before);
    let said = player.edits(&[
        "--name",
        "Ostrander-Ruhl, Mila",
        "--add-address",
        "mila@example.com",
        "--notations",
        "iccf,san",
    ]);
    assert!(
        said.contains("addresses: mila.ostrander@example.org, mila@example.com (before: mila.ostrander@example.org)"),
        "{said}"
    );
    player.edits(&["--prefer-address", "mila@example.com"]);
    player.edits(&["--remove-address", "mila.ostrander@example.org"]);
    let mut after = before;
    after["white"] = serde_json::json!({"name": "Ostrander-Ruhl, Mila", "emails": ["mila@example.com"]});
    after["notations"] = serde_json::json!(["iccf", "san"]);
    assert_eq!(player.game(), after);
    assert_eq!(player.run(&["edit", "SAMPLE-1"]).result(), "Nothing is changed by that.\n");
    let alone = player.run(&["edit", "SAMPLE-1", "--remove-address", "mila@example.com"]).failure(1);
    assert!(alone.contains("SAMPLE-1"), "{alone}");
    let other = player.run(&["edit", "SAMPLE-1", "--remove-address", "x@example.com"]).failure(1);
    assert!(
        other.contains("x@example.com is none of the addresses of Ostrander-Ruhl, Mila: mila@example.com"),
        "{other}"
    );
    // days on record that count otherwise are his to confirm
    let asked = player.run(&["edit", "SAMPLE-1", "--start", "2004-09-20"]).failure(6);
    assert!(asked.contains("counts"), "{asked}");
    player.edits(&["--start", "2004-09-20", "--yes"]);
}

#[test]
fn a_game_gets_another_id_and_the_one_before_still_leads_to_it() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "2836"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-10-30"]).result();
    player.run(&["clock", "set", "SAMPLE-1", "6.", "--days", "2", "--why", "he told me"]).result();
    let kept = player.file("kept.json", player.export().to_string());
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n")), "move");
    let mut before = player.game();
    assert_eq!(player.edits(&["--id", "Mila"]), "Game Mila:\nid: Mila (before: SAMPLE-1)\n");
    before["id"] = "Mila".into();
    assert_eq!(player.game(), before);
    assert!(player.run(&["status"]).result().contains("Mila"));
    // by either id, in any case, and by a part of the new one
    for id in ["Mila", "mil", "sample-1", "SAMPLE-1"] {
        assert!(player.run(&["show", id]).result().starts_with("Mila"), "{id}");
    }
    // what was settled under the former one stands, and what went on record under it is taken back under the new one
    assert!(player.run(&["explain", "Mila", "6."]).result().contains("he told me"));
    let back = player.run(&["retract", "Mila", "--why", "a slip"]).result();
    assert!(back.starts_with("Taken back in Mila:\n  8. 4445"), "{back}");
    player.run(&["accept", "Mila", "4445"]).result();
    player.run(&["play", "SAMPLE-1", "3657"]).result();
    // nothing else is called so
    let refused = player.run(&["import", kept.as_str(), "--replace"]).failure(1);
    assert!(refused.contains("SAMPLE-1 is taken: it is, or was, the id of game Mila"), "{refused}");
    player.import(&second("CLUB-2", |game| game["event"] = "club".into()));
    for id in ["sample-1", "MILA"] {
        let refused = player.run(&["edit", "CLUB-2", "--id", id]).failure(1);
        assert!(refused.contains("is taken: it is, or was, the id of game Mila"), "{refused}");
    }
    let said = player.edits(&["--id", "SAMPLE-1"]);
    assert!(said.starts_with("Game SAMPLE-1:\nid: SAMPLE-1 (before: Mila)\n"), "{said}");
    player.run(&["undo", "Mila"]).result();
    player.run(&["delete", "Mila", "--yes", "--why", "entered twice"]).result();
    player.run(&["edit", "CLUB-2", "--id", "mila"]).result();
    let proof = player.run(&["verify", "--rebuild"]).result();
    assert!(proof.contains("0 differences"), "{proof}");
}

#[test]
fn a_new_game_is_not_proposed_under_an_id_that_another_had() {
    let player = Player::with_sample();
    let pgn = "[Event \"EM/24/9\"]\n[Site \"ICCF\"]\n[Date \"2024.10.01\"]\n[White \"Olsson, Lars\"]\n[Black \"Quillfeather, Tobin\"]\n[WhiteNA \"lars@example.com\"]\n[Ruleset \"iccf-email-2005\"]\n[Result \"*\"]\n\n1. e4 *\n";
    let first = player.run(&["import", &player.file("one.pgn", pgn), "--yes"]).result();
    assert!(first.contains("EM-24-9-OLS"), "{first}");
    player.run(&["edit", "EM-24-9-OLS", "--id", "Lars", "--event", "EM/24/8"]).result();
    let other = pgn.replace("1. e4", "1. d4").replace("2024.10.01", "2024.11.01");
    let second = player.run(&["import", &player.file("two.pgn", other), "--yes"]).result();
    assert!(second.contains("EM-24-9-OLS-2"), "{second}");
}

#[test]
fn a_mail_from_an_address_that_is_added_is_judged_again() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "2836"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-10-30"]).result();
    let other = mail_with("m8", "mila@example.com", "EM/ZZ/042 SAMPLE-1", "", "8. 4445\n");
    assert_eq!(player.takes(&other), "wrong_sender");
    let said = player.edits(&["--add-address", "mila@example.com"]);
    assert!(said.contains("A mail that came before was read again: SAMPLE-1: move: "), "{said}");
    assert_eq!(player.game()["moves"].as_array().unwrap().len(), 15);
    assert_eq!(player.held().len(), 0);
}

#[test]
fn what_the_player_put_away_is_not_judged_again() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "2836"]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-10-30"]).result();
    assert_eq!(
        player.takes(&mail_with("m8", "mila@example.com", "EM/ZZ/042 SAMPLE-1", "", "8. 4445\n")),
        "wrong_sender"
    );
    player.run(&["ignore", "1"]).result();
    let said = player.edits(&["--add-address", "mila@example.com"]);
    assert!(!said.contains("read again"), "{said}");
    assert_eq!(player.game()["moves"].as_array().unwrap().len(), 14);
}

#[test]
fn a_mail_that_came_before_its_game_was_entered_is_judged_again() {
    let player = Player::with_sample();
    let stranger = |id: &str, body: &str| mail_with(id, "olga@example.net", "our game", "", body);
    assert_eq!(player.takes(&stranger("s1", "1. 5254\n")), "not_game_mail");
    let game = second("OLGA-1", |game| {
        game["event"] = "club".into();
        game["white"] = serde_json::json!({"name": "Olga", "emails": ["olga@example.net"]});
        game["moves"] = serde_json::json!([]);
        game["start_date"] = "2004-10-01".into();
    });
    player.import(&game);
    // only its hash was kept: it comes anew
    let shown = |player: &Player| -> Value {
        serde_json::from_str(&player.run(&["show", "OLGA-1", "--json"]).result()).unwrap()
    };
    assert_eq!(shown(&player)["moves"], serde_json::json!([]));
    assert_eq!(player.takes(&stranger("s1", "1. 5254\n")), "move");
    assert_eq!(shown(&player)["moves"][0]["numeric"], "5254");
    let again = player.run(&["take", &player.file("again.eml", stranger("s1", "1. 5254\n"))]).result();
    assert!(again.contains("taken in before"), "{again}");
    // one of an opponent's that went to his other game stays there
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171\n")), "duplicate");
    let proof = player.run(&["verify", "--rebuild"]).result();
    assert!(proof.contains("0 differences"), "{proof}");
}

#[test]
fn a_mail_from_a_new_address_waits_for_the_game_that_it_tells_and_keeps_nobody_from_playing() {
    let player = Player::with_sample();
    player.import(&second("CLUB-2", |game| game["event"] = "club".into()));
    let other = mail_with("m8", "Mila Ostrander <mila@example.com>", "club", "", "8. 4445\n");
    assert_eq!(player.takes(&other), "wrong_sender");
    let held = player.held();
    assert_eq!((held.len(), &held[0]["game_id"]), (1, &"CLUB-2".into()), "{held:#?}");
    let next: Vec<&str> = held[0]["next"].as_array().unwrap().iter().map(|next| next.as_str().unwrap()).collect();
    assert!(next.contains(&"amici edit CLUB-2 --add-address mila@example.com"), "{next:?}");
    for game in ["SAMPLE-1", "CLUB-2"] {
        player.run(&["play", game, "2836"]).result();
    }
}

#[tokio::test]
async fn the_answer_goes_to_the_address_that_he_wrote_from_or_asks_for() {
    for (more, from, to) in [
        ("", "mila@example.com", "mila@example.com"),
        ("Reply-To: Mila <MILA@example.com>\n", "mila.ostrander@example.org", "mila@example.com"),
        ("Reply-To: somebody@example.com\n", "mila.ostrander@example.org", "mila.ostrander@example.org"),
    ] {
        let player = Player::with_sample();
        player.run(&["edit", "SAMPLE-1", "--add-address", "mila@example.com"]).result();
        player.run(&["play", "SAMPLE-1", "2836"]).result();
        player.run(&["sent", "SAMPLE-1", "--on", "2004-10-30"]).result();
        assert_eq!(player.takes(&mail_with("m8", from, "EM/ZZ/042", more, "8. 4445\n")), "move");
        assert_eq!(player.game()["white"]["emails"][0], to);
        player.run(&["play", "SAMPLE-1", "3657"]).result();
        let row = player.store().await.unsent().await.unwrap().pop().unwrap();
        let reply = amici::mail::message::parse(&attached(&row.outgoing.bytes)).unwrap();
        assert_eq!(reply.to.iter().map(ToString::to_string).collect::<Vec<_>>(), [to]);
        for proof in [&["verify"][..], &["verify", "--rebuild"]] {
            let proof = player.run(proof).result();
            assert!(proof.contains("0 differences"), "{proof}");
        }
    }
}
