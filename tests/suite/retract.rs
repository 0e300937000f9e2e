//! The way back from what went on record by mistake.

use amici::domain::notation::NumericMove;
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use crate::cli::Player;
use crate::club::Dice;
use crate::intake::{ME, mail};

impl Player {
    fn retracts(&self, args: &[&str]) -> String {
        let said = self.run(&[&["retract", "SAMPLE-1", "--why", "a slip"], args].concat()).result();
        for proof in [&["verify"][..], &["verify", "--rebuild"]] {
            let proof = self.run(proof).result();
            assert!(proof.contains("0 differences"), "{proof}");
        }
        said
    }

    /// The game without the mails of its thread, which are known for good.
    fn stands(&self) -> Value {
        let mut game = self.export();
        game["games"][0].as_object_mut().unwrap().remove("seen_message_ids");
        game
    }

    fn moves(&self) -> Vec<String> {
        let game: Value = serde_json::from_str(&self.run(&["show", "SAMPLE-1", "--json"]).result()).unwrap();
        game["moves"].as_array().unwrap().iter().map(|row| row["numeric"].as_str().unwrap().to_owned()).collect()
    }
}

fn sends(player: &Player, text: &str) {
    player.run(&["play", "SAMPLE-1", text]).result();
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
}

#[test]
fn whatever_went_on_record_last_goes_back_to_how_it_stood() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    player.run(&["play", "SAMPLE-1", "2836", "--if", "4445 3657"]).result();
    let chosen = player.stands();
    // my word that it was sent
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-01"]).result();
    let sent = player.stands();
    assert_ne!(sent, chosen);
    let said = player.retracts(&[]);
    assert!(said.starts_with("Taken back in SAMPLE-1:\n  7... 2836, recorded on your word\n"), "{said}");
    assert!(said.contains("7... 2836 is chosen and not sent, as it was:  amici sent SAMPLE-1 "), "{said}");
    assert_eq!(player.stands(), chosen);
    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-01"]).result();
    assert_eq!(player.stands(), sent);
    // a mail of his
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n")), "move");
    let said = player.retracts(&[]);
    assert!(
        said.starts_with("Taken back in SAMPLE-1:\n  8. 4445, recorded by mail 1\nThe record waits for 8. of "),
        "{said}"
    );
    assert!(said.contains("Mail 1 waits for you:\n  amici accept SAMPLE-1 MOVE --mail 1 "), "{said}");
    assert_eq!(player.moves().len(), 14);
    // what I read in it
    player.run(&["accept", "SAMPLE-1", "4445", "--mail", "1"]).result();
    assert_eq!(player.moves().last().unwrap(), "4445");
    player.retracts(&[]);
    assert_eq!((player.moves().len(), player.held().len()), (14, 1));
    // a settlement
    player.run(&["clock", "set", "SAMPLE-1", "7...", "--penalty", "3", "--why", "the director"]).result();
    let said = player.retracts(&[]);
    assert!(said.starts_with("Taken back in SAMPLE-1:\n  what was settled of 7... 2836\n"), "{said}");
    assert_eq!(player.run(&["retract", "SAMPLE-1", "--why", "x"]).failure(1).lines().count(), 2, "taken back already");
}

#[test]
fn a_ply_goes_back_with_all_that_came_after_it_on_a_second_word() {
    let player = Player::with_sample();
    sends(&player, "2836");
    let sent = player.stands();
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n")), "move");
    sends(&player, "3657");
    player.run(&["note", "SAMPLE-1", "he played fast"]).result();
    let asked = player.run(&["retract", "SAMPLE-1", "8.", "--why", "forged"]).failure(6);
    assert!(asked.contains("  8. 4445, recorded by mail 1\n  8... 3657, recorded on your word\nhelp: "), "{asked}");
    player.retracts(&["8.", "--yes"]);
    assert_eq!(player.stands(), sent);
    assert!(player.run(&["note", "SAMPLE-1"]).out.contains("he played fast"), "a note is not taken back");
    player.run(&["retract", "SAMPLE-1", "9.", "--why", "x"]).failure(1);
    player.run(&["retract", "NONE", "--why", "x"]).failure(4);
    player.run(&["retract", "SAMPLE-1"]).failure(2);
    // a ply of the file that he put in
    assert!(player.run(&["retract", "SAMPLE-1", "3.", "--why", "x"]).failure(1).contains("came with a file"));
}

#[test]
fn after_a_forged_move_the_genuine_one_is_recorded() {
    let player = Player::with_sample();
    sends(&player, "2836");
    assert_eq!(player.takes(&mail("forged", "EM/ZZ/042", "8. 1213\n")), "move");
    assert_ne!(player.takes(&mail("genuine", "EM/ZZ/042", "8. 4445\n")), "move");
    let said = player.retracts(&[]);
    assert!(said.contains("Mail 2 waits for you:\n  amici accept SAMPLE-1 MOVE --mail 2 "), "{said}");
    player.run(&["accept", "SAMPLE-1", "4445", "--mail", "2"]).result();
    player.run(&["ignore", "1"]).result();
    assert_eq!((player.moves().last().unwrap().as_str(), player.held().len()), ("4445", 0));
    let proof = player.run(&["verify"]).result();
    assert!(proof.contains("0 differences"), "{proof}");
}

/// A legal move of the position that stands, as numeric notation, with its number.
fn random_move(player: &Player, dice: &mut Dice) -> Option<(String, bool)> {
    let game: Value = serde_json::from_str(&player.run(&["show", "SAMPLE-1", "--json"]).result()).unwrap();
    let fen: Fen = game["fen"].as_str().unwrap().parse().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let legal = position.legal_moves();
    let chosen = legal.get(dice.roll(legal.len().max(1)))?;
    let numeric = NumericMove::of(chosen).to_string();
    Some((format!("{}. {numeric}", position.fullmoves()), game["to_move"] == game["me"]))
}

#[test]
fn in_random_games_every_act_goes_back_to_how_it_stood() {
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let player = Player::with_sample();
        for step in 0..8 {
            let before = player.stands();
            let Some((given, mine)) = random_move(&player, &mut dice) else { break };
            let numeric = given.split(' ').next_back().unwrap();
            let done = match (mine, dice.roll(4)) {
                (_, 0) => {
                    let last = if mine { "7." } else { "6..." };
                    player.run(&["clock", "set", "SAMPLE-1", last, "--penalty", "2", "--why", "agreed"]).code == 0
                }
                (true, _) => {
                    player.run(&["play", "SAMPLE-1", numeric, "--yes"]).result();
                    let chosen = player.stands();
                    player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
                    if dice.rarely(2) {
                        player.retracts(&[]);
                        assert_eq!(player.stands(), chosen, "seed {seed}, step {step}: {given}");
                        player.run(&["undo", "SAMPLE-1"]).result();
                        assert_eq!(player.stands(), before, "seed {seed}, step {step}: {given}");
                    }
                    continue;
                }
                (false, _) => {
                    player.takes(&mail(&format!("m{seed}-{step}"), "EM/ZZ/042", &format!("{given}\n"))) == "move"
                }
            };
            // what changes nothing is no act to take back
            if done && player.stands() != before && dice.rarely(2) {
                player.retracts(&[]);
                let (now, before) = (player.stands(), before);
                let differs = json_patch::diff(&before, &now).to_string();
                assert_eq!(differs, "[]", "seed {seed}, step {step}: {given}");
            }
        }
    }
}

#[test]
fn a_deleted_game_leaves_a_file_and_nothing_that_points_at_it() {
    let player = Player::with_sample();
    sends(&player, "2836");
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n")), "move");
    player.run(&["note", "SAMPLE-1", "he played fast"]).result();
    player.run(&["play", "SAMPLE-1", "3657"]).result();
    let refused = player.run(&["delete", "SAMPLE-1", "--why", "x", "--yes"]).failure(1);
    assert!(refused.contains("help: amici undo SAMPLE-1"), "{refused}");
    player.run(&["undo", "SAMPLE-1"]).result();
    let stands = player.stands();
    assert!(
        player
            .run(&["delete", "SAMPLE-1", "--why", "x", "-n"])
            .result()
            .contains("This would be deleted: game SAMPLE-1")
    );
    player.run(&["delete", "SAMPLE-1", "--why", "x"]).failure(6);
    assert_eq!(player.stands(), stands);
    let said = player.run(&["delete", "sample", "--why", "entered twice", "--yes"]).result();
    player.run(&["show", "SAMPLE-1"]).failure(4);
    player.run(&["status"]).result();
    for proof in [&["verify"][..], &["verify", "--rebuild"]] {
        let proof = player.run(proof).result();
        assert!(proof.contains("0 differences"), "{proof}");
    }
    let file = said.split_once("amici import ").unwrap().1.trim().to_owned();
    let notes = file.replace(".json", ".notes.txt");
    assert!(std::fs::read_to_string(notes).unwrap().contains("he played fast"));
    player.run(&["import", &file]).result();
    assert_eq!(player.stands()["games"][0]["moves"], stands["games"][0]["moves"]);
    let proof = player.run(&["verify", "--rebuild"]).result();
    assert!(proof.contains("0 differences"), "{proof}");
}
