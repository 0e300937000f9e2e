//! Private notes: from the comments of a PGN or written by hand, shown to the player and to nobody else.

use std::io::{Cursor, Read};

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};

use super::cli::Player;

/// A word that stands in no other text.
const SECRET: &str = "Zugzwang-canary";

const PGN: &str = "[Event \"EM/ZZ/7\"]\n[Site \"ICCF\"]\n[Date \"2004.09.15\"]\n[Round \"-\"]\n[White \"Ostrander, Mila\"]\n\
    [Black \"Quillfeather, Tobin\"]\n[Result \"*\"]\n[TimeControl \"10/5184000\"]\n[WhiteNA \"mila.ostrander@example.org\"]\n[CmailGameName \"ZZ-7\"]\n\n\
    {my Zugzwang-canary plan} 1. d4 {S 2004.09.15} Nf6 {he likes   this} 2. c4 {%quiet and odd} *\n";

fn with_comments() -> Player {
    let player = Player::new();
    let file = player.file("games.pgn", PGN);
    let said = player.run(&["import", &file]).result();
    assert!(said.contains("Comments kept as private notes, which no letter shows: 3"), "{said}");
    player
}

#[test]
fn the_comments_of_a_pgn_become_notes_that_show_and_its_document_have() {
    let player = with_comments();
    let shown = player.run(&["show", "ZZ-7"]).result();
    assert!(shown.contains("Your notes, which no letter shows:\n   1  at the start: my Zugzwang-canary plan\n   2  at 1... 7866: he likes this\n   3  at 2. 3234: %quiet and odd\n") , "{shown}");
    let document = player.run(&["show", "ZZ-7", "--json"]).json();
    assert_eq!(document["notes"][0], json!({"ply": 0, "text": "my Zugzwang-canary plan"}));
    assert_eq!(document["notes"][1], json!({"ply": 2, "text": "he likes this"}));
    assert_eq!(document["moves"][0]["sent"], "2004-09-15", "a date is no note");
}

#[tokio::test]
async fn games_whose_notes_cannot_be_kept_are_not_imported_either() {
    let player = Player::with_sample();
    let file = player.file("games.pgn", PGN);
    let mut db = SqliteConnectOptions::new().filename(player.path("data/amici.db")).connect().await.unwrap();
    db.execute(
        "CREATE TRIGGER broken BEFORE INSERT ON notes WHEN new.ply = 2 BEGIN SELECT RAISE(ABORT, 'broken'); END",
    )
    .await
    .unwrap();
    player.run(&["import", &file]).failure(1);
    assert!(!player.run(&["status"]).result().contains("ZZ-7"), "a game without its notes");
    db.execute("DROP TRIGGER broken").await.unwrap();
    let said = player.run(&["import", &file]).result();
    assert!(said.contains("Comments kept as private notes, which no letter shows: 3"), "{said}");
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
}

#[test]
fn notes_are_exported_on_request_alone_and_come_back_as_they_were() {
    let player = with_comments();
    for args in [&["export", "--format", "pgn", "--dates", "--emails"][..], &["export", "--format", "json"]] {
        assert!(!player.run(args).result().contains(SECRET), "{args:?}");
    }
    assert!(player.run(&["export", "--notes"]).failure(1).contains("are for --format pgn"));
    let pgn = player.run(&["export", "--format", "pgn", "--emails", "--notes"]).result();
    assert!(pgn.contains("{my Zugzwang-canary plan} 1. d4 Nf6 {he likes this} 2. c4"), "{pgn}");
    let other = Player::new();
    let file = other.file("games.pgn", &pgn);
    other.run(&["import", &file]).result();
    assert_eq!(other.run(&["export", "--format", "pgn", "--emails", "--notes"]).result(), pgn);
    player.run(&["note", "ZZ-7", "1...", "a } in it"]).result();
    let pgn = player.run(&["export", "--format", "pgn", "--notes"]).result();
    assert!(pgn.contains("{a ) in it}"), "a brace would end the comment: {pgn}");
    player.run(&["note", "ZZ-7", "--remove", "3"]).result();
    let again = player.run(&["import", "--replace", &player.file("games.pgn", PGN)]).result();
    assert!(!again.contains("private notes"), "nothing is kept twice: {again}");
    assert_eq!(player.run(&["show", "ZZ-7", "--json"]).json()["notes"].as_array().unwrap().len(), 3);
}

#[test]
fn a_note_that_reads_like_dates_comes_back_as_a_note() {
    let player = with_comments();
    let words = ["2/30", "R 2026.01.01", "S 2004.02.30", "[%ccsnt 2004.01.01,10:00] so it came"];
    for text in words {
        player.run(&["note", "ZZ-7", "last", text]).result();
    }
    let pgn = player.run(&["export", "--format", "pgn", "--emails", "--notes"]).result();
    assert!(pgn.contains("{[%note] 2/30}") && pgn.contains("{he likes this}"), "{pgn}");
    let other = Player::new();
    other.run(&["import", &other.file("games.pgn", &pgn)]).result();
    let notes = other.run(&["show", "ZZ-7", "--json"]).json()["notes"].to_string();
    assert!(words.iter().all(|text| notes.contains(&format!("\"{text}\""))), "{notes}");
    assert!(other.export()["games"][0]["moves"][2]["days"].is_null());
    assert_eq!(other.run(&["export", "--format", "pgn", "--emails", "--notes"]).result(), pgn);
}

#[tokio::test]
async fn no_letter_draft_or_evidence_has_a_note() {
    let player = with_comments();
    player.run(&["note", "ZZ-7", "last", &format!("{SECRET} again")]).result();
    player.run(&["play", "ZZ-7", "e6", "--yes"]).result();
    player.run(&["message", "ZZ-7", "-m", "Happy Easter!"]).result();
    let letters = player.store().await.unsent().await.unwrap();
    assert!(letters.len() >= 2, "a draft and a message");
    for letter in letters {
        assert!(!String::from_utf8_lossy(&letter.outgoing.bytes).contains(SECRET), "{:?}", letter.outgoing.kind);
    }
    let archive = player.path("evidence.zip");
    player.run(&["evidence", "ZZ-7", "-o", archive.to_str().unwrap()]).result();
    let mut zip = zip::ZipArchive::new(Cursor::new(std::fs::read(archive).unwrap())).unwrap();
    for index in 0..zip.len() {
        let mut text = String::new();
        let mut file = zip.by_index(index).unwrap();
        file.read_to_string(&mut text).unwrap();
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[test]
fn a_note_is_written_listed_and_removed_and_made_again_by_replay() {
    let player = Player::with_sample();
    assert!(player.run(&["note", "SAMPLE-1"]).result().contains("There are no notes"));
    let said = player.run(&["note", "SAMPLE-1", "6...", "she hesitated\n here"]).result();
    assert_eq!(said, "Noted, for you alone, at 6... 5755.\n");
    let said = player.run(&["note", "SAMPLE-1", "look at f5"]).result();
    assert_eq!(said, "Noted, for you alone, at 7. 5171.\n");
    assert!(player.run(&["note", "SAMPLE-1", "look at f5"]).result().starts_with("This is noted already"));
    let list = player.run(&["note", "SAMPLE-1"]).result();
    assert_eq!(
        list,
        "Your notes, which no letter shows:\n   1  at 6... 5755: she hesitated here\n   2  at 7. 5171: look at f5\n"
    );
    let data = player.run(&["note", "SAMPLE-1", "--json"]).json();
    let second = json!({"number": 2, "ply": 13, "at": "at 7. 5171", "text": "look at f5"});
    assert_eq!((&data["schema"], &data["game_id"], &data["notes"][1]), (&json!(1), &json!("SAMPLE-1"), &second));
    assert_eq!(player.run(&["note", "SAMPLE-1", "a word", "--json"]).code, 2, "to write is no reading");
    let removed = player.run(&["note", "SAMPLE-1", "--remove", "1"]).result();
    assert_eq!(removed, "Removed, at 6... 5755: she hesitated here\n");
    assert!(player.run(&["note", "SAMPLE-1", "--remove", "2"]).failure(1).contains("has no note 2"));
    assert!(
        player.run(&["note", "SAMPLE-1", "9.", "x"]).failure(1).contains("not on record in game SAMPLE-1; 7... is due")
    );
    assert!(player.run(&["note", "SAMPLE-1", "f5", "x"]).failure(1).contains("f5 names no move"));
    assert!(player.run(&["note", "SAMPLE-1", " "]).failure(1).contains("has no words"));
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
}
