//! The evidence of one game as a tournament director gets it: whole, checkable, and of this game alone.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::{Command, Output};

use amici::config::{Config, Senders};
use amici::domain::game::{Leave, Side};
use amici::intake::{RawMessage, take_in};
use amici::io::store::Store;
use chrono::{DateTime, Utc};
use tempfile::TempDir;
use zip::ZipArchive;

use crate::club::Club;
use crate::intake::{ME, ROOT, mail, sample};
use crate::verify::Copy;

/// Every file of an archive with its bytes, in its order.
pub(super) fn unpacked(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(fs::read(archive).unwrap())).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut file = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

pub(super) fn text(files: &[(String, Vec<u8>)], name: &str) -> String {
    String::from_utf8(files.iter().find(|(file, _)| file == name).unwrap().1.clone()).unwrap()
}

fn packed(copy: &Copy, args: &[&str]) -> (Output, std::path::PathBuf) {
    let archive = copy.folder().join("evidence.zip");
    let out = copy.amici(&[&["evidence", "-o", archive.to_str().unwrap()], args].concat());
    (out, archive)
}

#[tokio::test]
async fn a_director_can_read_and_check_the_evidence_without_the_program() {
    let copy = Copy::of(&Club::of(3, 4).await);
    let (output, archive) = packed(&copy, &["CLUB-002"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let files = unpacked(&archive);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let (texts, mails): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| !name.starts_with("mails/"));
    assert_eq!(
        texts,
        [
            "README.txt",
            "game.pgn",
            "table.txt",
            "timeline.csv",
            "timeline.txt",
            "game.html",
            "game.css",
            "game.js",
            "SHA256SUMS"
        ]
    );
    assert!(mails.len() >= 4 && mails[0].starts_with("mails/0001-2004-"), "{mails:?}");

    let desk = TempDir::new().unwrap();
    fs::create_dir(desk.path().join("mails")).unwrap();
    for (name, bytes) in &files {
        fs::write(desk.path().join(name), bytes).unwrap();
    }
    let checked = |desk: &Path| {
        Command::new("sha256sum").args(["--quiet", "-c", "SHA256SUMS"]).current_dir(desk).output().unwrap()
    };
    assert!(checked(desk.path()).status.success());
    assert_eq!(text(&files, "SHA256SUMS").lines().count(), files.len() - 1);
    fs::write(desk.path().join(mails[0]), "another mail").unwrap();
    assert!(!checked(desk.path()).status.success());

    let listing = names.iter().map(|name| format!("{name}\n")).collect::<String>();
    let shown = ["README.txt", "game.pgn", "table.txt", "timeline.txt"]
        .map(|name| format!("== {name}\n{}", text(&files, name)));
    insta::assert_snapshot!(listing + "\n" + &shown.join("\n"));
}

#[tokio::test]
async fn the_evidence_of_a_game_is_the_same_every_time_and_of_no_other_game() {
    let copy = Copy::of(&Club::of(3, 4).await);
    let (_, archive) = packed(&copy, &["CLUB-001"]);
    let first = fs::read(&archive).unwrap();
    for (name, bytes) in unpacked(&archive) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("CLUB-000") && !text.contains("CLUB-002"), "{name}:\n{text}");
        assert!(
            name.starts_with("mails/")
                || name == "SHA256SUMS"
                || name == "timeline.csv"
                || name == "game.css"
                || name == "game.js"
                || text.contains("CLUB-001"),
            "{name}"
        );
    }
    let (again, archive) = packed(&copy, &["CLUB-001"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"), "{again:?}");
    let (forced, archive) = (packed(&copy, &["CLUB-001", "--force"]).0, archive);
    assert_eq!((forced.status.code(), fs::read(&archive).unwrap()), (Some(0), first));
    packed(&copy, &["CLUB-001", "--force", "--no-mails"]);
    let without = unpacked(&archive);
    assert!(without.iter().all(|(name, _)| !name.starts_with("mails/")));
    assert!(text(&without, "README.txt").contains("The raw mails are left out"));
    let (nothing, _) = packed(&copy, &["CLUB-777", "--force"]);
    assert_eq!(nothing.status.code(), Some(4));
}

#[tokio::test]
async fn a_mail_about_another_game_too_is_named() {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let at: DateTime<Utc> = "2004-10-30T18:22:05Z".parse().unwrap();
    let mut twin = sample(12);
    twin.id = "SAMPLE-2".parse().unwrap();
    let games = [(sample(12), ROOT.to_owned()), (twin, "<SAMPLE-2.x@example.net>".to_owned())];
    store.import(&games, false, at).await.unwrap();
    let me = Config::parse(ME).unwrap().me;
    for (id, body) in [("both", "SAMPLE-1 and SAMPLE-2: I think about both."), ("one", "SAMPLE-1: I think.")] {
        let bytes = mail(id, "our games", body);
        let raw = RawMessage { bytes: &bytes, at, arrival: None, verified: None };
        take_in(&mut store, &me, &Senders::default(), &raw, at).await.unwrap();
    }
    drop(store);
    fs::write(dir.path().join("config.toml"), ME).unwrap();
    let archive = dir.path().join("out.zip");
    let output = Command::new(env!("CARGO_BIN_EXE_amici"))
        .args(["--config", dir.path().join("config.toml").to_str().unwrap(), "--data", dir.path().to_str().unwrap()])
        .args(["evidence", "SAMPLE-1", "-o", archive.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 of its mails are about another game"), "{output:?}");
    let files = unpacked(&archive);
    let readme = text(&files, "README.txt");
    assert_eq!(
        readme.lines().filter(|line| line.contains("about another game of the player too")).count(),
        1,
        "{readme}"
    );
    let texts = files.iter().filter(|(name, _)| !name.starts_with("mails/"));
    for (name, bytes) in texts {
        assert!(!String::from_utf8_lossy(bytes).contains("SAMPLE-2"), "{name} names the other game");
    }
}

fn amici(dir: &Path, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_amici"))
        .args(["--config", dir.join("config.toml").to_str().unwrap(), "--data", dir.to_str().unwrap()])
        .args(args)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    output
}

/// Leave, an illegal move, a settled penalty, a move taken back and the end, as the player entered them.
#[tokio::test]
async fn what_was_not_counted_is_explained_and_the_end_is_told_once() {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let mut game = sample(13);
    let leave = |from: &str, to: &str| Leave {
        side: Side::Black,
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
        announced: Some("2004-10-07".parse().unwrap()),
    };
    game.leaves = vec![leave("2004-10-05", "2004-10-08")];
    store.import(&[(game, ROOT.to_owned())], false, "2004-11-01T10:00:00Z".parse().unwrap()).await.unwrap();
    drop(store);
    fs::write(dir.path().join("config.toml"), ME).unwrap();
    let slip = ["--sent", "2004-10-28", "--noticed", "2004-10-29", "--why", "her slip"];
    amici(dir.path(), &[&["clock", "illegal", "SAMPLE-1", "7."][..], &slip].concat());
    amici(dir.path(), &["clock", "set", "SAMPLE-1", "6.", "--penalty", "1", "--why", "the director"]);
    amici(dir.path(), &["clock", "set", "SAMPLE-1", "3b", "--received", "2004-09-21", "--why", "by telephone"]);
    amici(dir.path(), &["play", "SAMPLE-1", "2836", "--yes"]);
    amici(dir.path(), &["undo", "SAMPLE-1"]);
    amici(dir.path(), &["result", "SAMPLE-1", "1/2-1/2", "--no-report"]);
    let archive = dir.path().join("out.zip");
    amici(dir.path(), &["evidence", "SAMPLE-1", "-o", archive.to_str().unwrap()]);
    let files = unpacked(&archive);
    let told = crate::care::flat(&text(&files, "timeline.txt"));
    assert_eq!(told.matches("closed the game").count(), 1, "{told}");
    assert!(told.contains("took 7... 2836 back: it was chosen and not sent, and counts for nothing"), "{told}");
    assert!(told.contains("an illegal move was sent 2004-10-28 and noticed 2004-10-29"), "{told}");
    let table = text(&files, "table.txt");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let (_, below) = table.split_once("Days used: ").unwrap();
    let today = regex::Regex::new(r"on \d{4}-\d\d-\d\d:").unwrap();
    insta::assert_snapshot!(today.replace_all(below, "on [TODAY]:"), @r"
    White 17, Black 25.   Result: 1/2-1/2

    What is not in the table as the sender of the move states it:
      1. 4244 received 2004-09-15: the start of the event
      3... 6877 received 2004-09-21: as entered by the player who keeps this
        record
      3... 6877: its sender counts days 5, the rules give 4
      3... 6877: its sender counts total 6, the rules give 5
      4... 4746: its sender counts total 6, the rules give 5
      5... 5878: its sender counts days 22, the rules give 18
      5... 5878: its sender counts total 28, the rules give 23
      6. 6152: its sender counts days 1, the rules give 2
      6. 6152: its sender counts total 8, the rules give 9
      6... 5755: its sender counts total 30, the rules give 25
      7. 5171: its sender counts days 4, the rules give 8
      7. 5171: its sender counts total 12, the rules give 17

    Days that are not simply those between the two dates, and why:
      1... 7866: 1 calendar day, 1 before the start not counted
      3... 6877: 4 calendar days; received 2004-09-21 as entered
      3... 6877: entered by the player who keeps this record on [TODAY]: 3...
        is settled: received 2004-09-21 (before: nothing; it counted received
        2004-09-20, sent 2004-09-25, 5 days, total 6); why: by telephone
      5... 5878: 18: 22 calendar days, less 4 of leave (2004-10-05 to 2004-10-08)
      6. 6152: 2: 1 calendar day, 1 of penalty added
      6. 6152: entered by the player who keeps this record on [TODAY]: 6. is
        settled: penalty 1 (before: nothing; it counted received 2004-10-22, sent
        2004-10-23, 1 day, total 8); why: the director
      7. 5171: 8: until the illegal move of 2004-10-28 2 calendar days; since the
        notice of it on 2004-10-29 1 calendar day; 5 of penalty added
      7. 5171: entered by the player who keeps this record on [TODAY]: 7.: an
        illegal move was sent 2004-10-28 and noticed 2004-10-29, the days from
        2004-10-28 to 2004-10-29 are not counted; 5 days of penalty (before:
        nothing); why: her slip

    Leave on record; no day of it is charged:
      Black: 2004-10-05 to 2004-10-08, both days included; announced on
        2004-10-07; by the rules it is announced before it begins
    ");
    let readme = crate::care::flat(&text(&files, "README.txt"));
    assert!(
        readme.contains("An illegal move costs 5 days more;") && readme.contains("Leave: 30 days in a calendar year"),
        "{readme}"
    );
}

/// What the program says of the player and his opponent has their names, and no value in the form in which it is kept.
#[tokio::test]
async fn a_director_reads_names_and_words_and_neither_you_nor_a_form_of_data() {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let mut game = sample(12);
    let rules =
        r#"{"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 50}, "double_after": 9}"#;
    game.rules = serde_json::from_str(rules).unwrap();
    let at: DateTime<Utc> = "2004-10-30T19:00:00Z".parse().unwrap();
    store.import(&[(game, ROOT.to_owned())], false, "2004-10-27T10:00:00Z".parse().unwrap()).await.unwrap();
    let me = Config::parse(ME).unwrap().me;
    for (id, body) in [
        ("m7", "7. 5171   received 29.10. sent 30.10.  1/9\n\nI count your total as 31.\n"),
        ("m8", "8. 4445\n8. 4455\n"),
        ("m9", "I think about 3. 2133 in your other game.\n"),
    ] {
        let bytes = mail(id, "EM/ZZ/042", body);
        let raw = RawMessage { bytes: &bytes, at, arrival: None, verified: None };
        take_in(&mut store, &me, &Senders::default(), &raw, at).await.unwrap();
    }
    drop(store);
    fs::write(dir.path().join("config.toml"), ME).unwrap();
    for args in [
        &["sent", "SAMPLE-1", "2836", "--on", "2004-11-01"][..],
        &["clock", "agree", "SAMPLE-1", "7w", "--mine"],
        &["rules", "set", "SAMPLE-1", "control.days=55", "--why", "as announced", "--yes"],
        &["edit", "SAMPLE-1", "--site", "BdF"],
        &["repeat", "SAMPLE-1", "--yes"],
        &["leave", "add", "2004-12-01..2004-12-03", "--game", "SAMPLE-1", "--of", "opponent", "--yes"],
    ] {
        amici(dir.path(), args);
    }
    let archive = dir.path().join("out.zip");
    amici(dir.path(), &["evidence", "SAMPLE-1", "-o", archive.to_str().unwrap()]);
    let files = unpacked(&archive);
    let quoted = regex::Regex::new(r#""[^"]*""#).unwrap();
    let person = regex::Regex::new(r"\b([Yy]ou(rs?)?|[Hh]e|[Hh]is|[Hh]im|[Oo]ur)\b").unwrap();
    for name in ["table.txt", "timeline.txt"] {
        let text = crate::care::flat(&text(&files, name));
        let said = quoted.replace_all(&text, "");
        let found: Vec<&str> = person.find_iter(&said).map(|found| found.as_str()).collect();
        assert!(found.is_empty(), "{name}: {found:?} in {said}");
    }
    for name in ["README.txt", "table.txt", "timeline.txt", "timeline.csv"] {
        assert!(!text(&files, name).contains(['{', '}']), "{name}: {}", text(&files, name));
    }
    let readme = crate::care::flat(&text(&files, "README.txt"));
    assert!(readme.contains("with values of its own: ") && readme.contains("55 days"), "{readme}");
}
