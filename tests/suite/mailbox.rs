//! `amici adopt --mailbox`: the running games of a Maildir, told apart, checked, shown and created; and what several sources have in common.

use std::fs;

use serde_json::{Value, json};

use super::cli::Player;

const MILA: &str = "Mila Ostrander <mila.ostrander@example.org>";
const JO: &str = "Jo Petersen <jo@example.com>";
const TOBIN: &str = "Tobin <tobin.q@example.net>";
/// Mila has White.
const SPANISH: [&str; 9] = ["5254", "5755", "7163", "2836", "6125", "1716", "2514", "7866", "5171"];
/// Whoever writes it has Black.
const QUEENS: [&str; 6] = ["4244", "4745", "3234", "5756", "2133", "7866"];

/// A mailbox with a folder of sent mails.
struct Mailbox {
    player: Player,
}

impl Mailbox {
    fn new() -> Mailbox {
        let player = Player::new().with_maildir();
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(player.path("Maildir/.Sent").join(part)).unwrap();
        }
        Mailbox { player }
    }

    fn put(&self, folder: &str, id: &str, raw: &[u8]) {
        self.player.file(&format!("Maildir/{folder}cur/{id}:2,S"), raw);
    }

    /// A mail that came on that day of October 2004.
    fn came(&self, id: &str, from: &str, day: u32, subject: &str, text: &str) {
        self.put("", id, &mail(id, (from, TOBIN), day, subject, text));
    }

    /// A mail of the player's own.
    fn sent(&self, id: &str, to: &str, day: u32, subject: &str, text: &str) {
        self.put(".Sent/", id, &mail(id, (TOBIN, to), day, subject, text));
    }

    fn adopted(&self) -> (String, Vec<Value>) {
        let said = self.player.run(&["adopt", "--mailbox", "--yes"]).result();
        (said, self.games())
    }

    fn games(&self) -> Vec<Value> {
        self.player.export()["games"].as_array().unwrap().clone()
    }

    /// What waits for the player after the daemon has looked.
    fn held(&self) -> Value {
        self.player.run(&["poll"]).result();
        self.player.run(&["review", "--json"]).json()["held"].clone()
    }
}

fn mail(id: &str, (from, to): (&str, &str), day: u32, subject: &str, text: &str) -> Vec<u8> {
    let text = format!(
        "Received: from mx.example.org by mail.example.net; {day} Oct 2004 18:22:05 +0000\nFrom: {from}\nTo: {to}\nSubject: {subject}\n\
         Date: {day} Oct 2004 18:20:00 +0000\nMessage-ID: <{id}@example.org>\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n"
    );
    text.replace('\n', "\r\n").into_bytes()
}

/// The score in pairs.
fn score(plies: &[&str]) -> String {
    plies.chunks(2).zip(1..).map(|(pair, number)| format!("{number}. {}\n", pair.join(" "))).collect()
}

fn head(event: &str, white: &str, black: &str) -> String {
    format!("Event: {event}\nWhite: {white}\nBlack: {black}\n\n")
}

fn of_mila(plies: usize) -> String {
    head("EM/ZZ/042", MILA, "Tobin Quillfeather <tobin.q@example.net>") + &score(&SPANISH[..plies])
}

fn of_jo(plies: usize) -> String {
    head("EM/ZZ/042", JO, "Tobin Quillfeather <tobin.q@example.net>") + &score(&QUEENS[..plies])
}

fn plies(game: &Value) -> Vec<&str> {
    game["moves"].as_array().unwrap().iter().map(|m| m["numeric"].as_str().unwrap()).collect()
}

fn ids(games: &[Value]) -> Vec<&str> {
    games.iter().map(|game| game["id"].as_str().unwrap()).collect()
}

#[test]
fn the_games_of_a_mailbox_are_shown_a_line_each_and_created_on_a_yes() {
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.sent("t1", MILA, 11, "EM/ZZ/042", &of_mila(8));
    mailbox.came("m2", MILA, 14, "EM/ZZ/042", &of_mila(9));
    mailbox.came("j1", JO, 12, "EM/ZZ/042", &of_jo(3));
    mailbox.came("m0", MILA, 5, "Re: our game", "Dear Tobin,\nthank you for your kind words. We had snow.\n");
    mailbox.came("s1", "Shop <shop@example.com>", 13, "Invoice 2143", "Call us: 1234 5678. Yours, the shop");
    mailbox.came("a1", "Ada <ada@example.com>", 13, "our game", "17. 5254 received 12.10.");
    let shown = mailbox.player.run(&["adopt", "--mailbox"]);
    assert_eq!(shown.code, 6, "{shown:?}");
    assert!(!mailbox.player.path("data/amici.db").exists(), "a proposal creates nothing");
    insta::assert_snapshot!(mailbox.player.masked(&shown.out));

    let (said, games) = mailbox.adopted();
    assert!(said.contains("Created: EM-ZZ-042-OST  Mila Ostrander - Quillfeather, Tobin"), "{said}");
    assert_eq!(ids(&games), ["EM-ZZ-042-OST", "EM-ZZ-042-PET"]);
    assert_eq!((plies(&games[0]), plies(&games[1])), (SPANISH.to_vec(), QUEENS[..3].to_vec()));
    assert_eq!(mailbox.held(), json!([]), "what the games were made of is not asked about");
    assert_eq!(mailbox.games(), games);
    let again = mailbox.player.run(&["adopt", "--mailbox", "--yes"]).result();
    assert!(
        again.contains("2 games of the mailbox you have already") && again.contains("Nothing was created"),
        "{again}"
    );
    assert_eq!(mailbox.games(), games);
    mailbox.player.run(&["result", "EM-ZZ-042-PET", "1-0"]).result();
    let third = mailbox.player.run(&["adopt", "--mailbox", "--yes"]).result();
    assert!(third.contains("2 games of the mailbox you have already"), "one that ended since is no new one: {third}");
}

#[test]
fn two_games_with_one_opponent_are_told_apart() {
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(7));
    let back = head("EM/ZZ/042", "Tobin Quillfeather <tobin.q@example.net>", MILA) + &score(&SPANISH[..2]);
    mailbox.came("m2", MILA, 10, "EM/ZZ/042", &back);
    let another = head("EM/ZZ/777", MILA, "Tobin Quillfeather <tobin.q@example.net>") + &score(&SPANISH[..3]);
    mailbox.came("m3", MILA, 11, "EM/ZZ/777", &another);
    let (_, games) = mailbox.adopted();
    let made: Vec<_> = games.iter().map(|game| (game["event"].as_str().unwrap(), plies(game).len())).collect();
    assert_eq!(made, [("EM/ZZ/042", 2), ("EM/ZZ/042", 7), ("EM/ZZ/777", 3)]);
    assert_eq!((&games[0]["me"], &games[1]["me"]), (&json!("white"), &json!("black")));
    assert_eq!(mailbox.held(), json!([]));
}

#[test]
fn short_mails_behind_the_last_whole_score_go_on_with_it_the_players_own_too() {
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.sent("t1", MILA, 11, "EM/ZZ/042", "3... 1716\n");
    mailbox.came("m2", MILA, 14, "Re: EM/ZZ/042", "4. 2514\n");
    mailbox.sent("t2", MILA, 16, "EM/ZZ/042", "4... 7866\n");
    let (_, games) = mailbox.adopted();
    assert_eq!(plies(&games[0]), SPANISH[..8]);
    assert_eq!(games[0]["last_message_id"], "<t2@example.org>");
    assert_eq!(mailbox.held(), json!([]));
    assert_eq!(mailbox.games(), games);
}

#[test]
fn what_a_newer_mail_leaves_in_doubt_is_told_and_keeps_no_game_back() {
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.sent("t1", MILA, 11, "EM/ZZ/042", &of_mila(6));
    mailbox.came("m2", MILA, 14, "EM/ZZ/042", "6. 2514\n");
    mailbox.came("j1", JO, 12, "EM/ZZ/042", &of_jo(3));
    let (said, games) = mailbox.adopted();
    assert!(said.contains("a newer mail, INBOX m2: "), "{said}");
    assert_eq!((plies(&games[0]).len(), plies(&games[1]).len()), (6, 3));
    let held = mailbox.held();
    assert_eq!((held.as_array().unwrap().len(), &held[0]["game_id"]), (1, &json!("EM-ZZ-042-OST")), "{held:#}");
}

#[test]
fn a_slip_in_an_old_mail_counts_only_until_both_have_written_otherwise() {
    let slipped = of_mila(5).replace("6125", "6134");
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &slipped);
    mailbox.came("m2", MILA, 14, "EM/ZZ/042", &of_mila(7));
    let refused = mailbox.player.run(&["adopt", "--mailbox", "--yes"]);
    assert!(refused.out.contains("does not agree: ") && refused.out.contains("Nothing was created."), "{refused:?}");
    assert_eq!(refused.code, 1);
    mailbox.sent("t1", MILA, 11, "EM/ZZ/042", &of_mila(6));
    let (said, games) = mailbox.adopted();
    assert!(said.contains("later mails of both of you agree"), "{said}");
    assert_eq!(plies(&games[0]), SPANISH[..7]);
}

/// Three opponents; Ben has written nothing yet.
const LETTER: &str = "Dear players,\n\nthe event EM/ZZ/042 starts on 1 October 2004. Time control: 10 moves in 50 days.\n\n\
    1. Quillfeather, Tobin   tobin.q@example.net\n2. Ostrander, Mila   mila.ostrander@example.org\n3. Petersen, Jo   jo@example.com\n\
    4. Okafor, Ben   ben@example.com\n\nRound 1: 2-1\nRound 2: 3-1\nRound 3: 1-4\n";
const DIRECTOR: &str = "Vera Lund <td@example.org>";

#[test]
fn a_start_letter_gives_its_event_one_start_one_control_the_director_and_the_games_nobody_has_written_in() {
    let mailbox = Mailbox::new();
    mailbox.came("d1", DIRECTOR, 1, "Start of EM/ZZ/042", LETTER);
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.came("j1", JO, 12, "EM/ZZ/042", &of_jo(3).replace("\n\n", "\nTime: 10 moves / 60 days\n\n"));
    let (said, games) = mailbox.adopted();
    assert!(said.contains("EM-ZZ-042-PET: 10 moves / 60 days is stated"), "another control is told: {said}");
    assert_eq!(ids(&games), ["EM-ZZ-042-OST", "EM-ZZ-042-PET"], "an event of years ago is over: {said}");
    assert!(said.contains("no mail was found of Okafor, Ben"), "{said}");
    for game in &games {
        assert_eq!(
            (&game["start_date"], &game["rules"]["control"]["days"]),
            (&json!("2004-10-01"), &json!(50)),
            "{game}"
        );
    }
    let config = fs::read_to_string(mailbox.player.path("config.toml")).unwrap();
    assert!(config.contains("[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.org\"\n"), "{config}");
    assert_eq!(mailbox.held(), json!([]), "his letters are no moves");
}

#[test]
fn a_fresh_start_letter_among_files_begins_the_games_that_have_no_mail() {
    let player = Player::new();
    let year = chrono::Utc::now().format("%Y").to_string();
    let today = chrono::Utc::now().format("%-d %B %Y").to_string();
    let letter = LETTER.replace("1 October 2004", &today);
    let raw = String::from_utf8(mail("d1", (DIRECTOR, TOBIN), 1, "Start of EM/ZZ/042", &letter)).unwrap();
    let raw = raw.replace("Oct 2004", &format!("Jan {year}"));
    let file = player.file("letter.eml", raw);
    let said = player.run(&["adopt", &file, "--yes"]).result();
    assert!(said.contains("Director of EM/ZZ/042: td@example.org"), "{said}");
    let games = player.export()["games"].as_array().unwrap().clone();
    assert_eq!(ids(&games), ["EM-ZZ-042-OKA", "EM-ZZ-042-OST", "EM-ZZ-042-PET"]);
    assert_eq!((&games[0]["me"], plies(&games[0]).len()), (&json!("white"), 0));
}

#[test]
fn of_files_the_whole_ones_are_taken_where_bad_ones_are_skipped() {
    let player = Player::new();
    let good = player.file("good.eml", mail("m1", (MILA, TOBIN), 9, "EM/ZZ/042", &of_mila(5)));
    let part = player.file("part.eml", mail("j1", (JO, TOBIN), 9, "EM/ZZ/042", "5. 7163 7866\n"));
    let none = player.file("none.eml", "no mail");
    let files = [good.as_str(), &part, &none];
    let refused = player.run(&[&["adopt", "--yes"], &files[..]].concat()).failure(1);
    assert!(refused.contains("part.eml: ") && refused.contains("none.eml: "), "{refused}");
    let said = player.run(&[&["adopt", "--yes", "--skip-bad"], &files[..]].concat()).result();
    assert!(said.contains("Created: EM-ZZ-042-OST") && said.contains("Not taken:"), "{said}");
    assert!(said.contains("jo@example.com: ") && said.contains("begins with 5., so the moves from 1. on"), "{said}");
    assert!(said.contains("none.eml: this is no mail"), "{said}");
    assert_eq!(ids(player.export()["games"].as_array().unwrap()), ["EM-ZZ-042-OST"]);
}

#[test]
fn games_that_are_over_or_sleep_and_scores_of_other_people_are_not_adopted() {
    let mailbox = Mailbox::new();
    // he resigns; she has sent the result; the third has written nothing for months; the fourth sends a game of masters
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.sent("t1", MILA, 11, "EM/ZZ/042", &of_mila(6));
    mailbox.came("m2", MILA, 14, "EM/ZZ/042", "I resign. Thank you for the game!\n");
    mailbox.came("j1", JO, 12, "EM/ZZ/042", &of_jo(3));
    mailbox.came("j2", JO, 13, "EM/ZZ/042", &(of_jo(5) + "0-1\n"));
    let old = of_mila(5).replace("Mila Ostrander", "Ada Lang").replace("mila.ostrander", "ada");
    let old = String::from_utf8(mail("a1", ("Ada Lang <ada@example.org>", TOBIN), 9, "EM/ZZ/7", &old)).unwrap();
    mailbox.put("", "a1", old.replace("Oct 2004", "Mar 2004").as_bytes());
    mailbox.came("b1", "Ben <ben@example.com>", 13, "have you seen this", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6");
    let looked = mailbox.player.run(&["adopt", "--mailbox", "--yes"]);
    assert!(looked.code == 1 && looked.out.contains("0 new games in 7 mails"), "{looked:?}");
    for said in [
        "mila.ostrander@example.org: Sent t1: the game is over, and only running games are adopted: INBOX m2: ",
        "jo@example.com: INBOX j1: the game is over, and only running games are adopted: INBOX j2 has its result",
        "ada@example.org: INBOX a1: no mail of this game since 2004-03-09: it may be over",
        "ben@example.com: scores that name neither of you and have no mail that goes on with them",
    ] {
        assert!(looked.out.replace("\n", " ").replace("      ", " ").contains(said), "{said}: {}", looked.out);
    }
    assert!(!mailbox.player.path("data/amici.db").exists());
}

#[test]
fn several_games_are_shown_in_full_where_that_is_asked_for() {
    let mailbox = Mailbox::new();
    mailbox.came("m1", MILA, 9, "EM/ZZ/042", &of_mila(5));
    mailbox.came("j1", JO, 12, "EM/ZZ/042", &of_jo(3));
    let full = mailbox.player.run(&["adopt", "--mailbox", "--details"]).out;
    assert_eq!(full.matches("\nFEN ").count(), 2, "{full}");
    assert!(!mailbox.player.run(&["adopt", "--mailbox"]).out.contains("FEN "));
    let document = mailbox.player.run(&["adopt", "--mailbox", "--json"]).json();
    assert_eq!(document["games"].as_array().unwrap().len(), 2);
}

#[test]
fn only_named_folders_and_days_are_looked_at() {
    let mailbox = Mailbox::new();
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(mailbox.player.path("Maildir/.Chess").join(part)).unwrap();
    }
    mailbox.put(".Chess/", "m1", &mail("m1", (MILA, TOBIN), 9, "EM/ZZ/042", &of_mila(5)));
    let none = mailbox.player.run(&["adopt", "--mailbox", "--yes"]);
    assert!(none.code == 1 && none.out.contains("0 new games in 0 mails (Sent 0, INBOX 0)"), "{none:?}");
    let missing = mailbox.player.run(&["adopt", "--mailbox", "--folder", "Bridge"]).failure(7);
    assert!(missing.contains("Bridge"), "{missing}");
    let said = mailbox.player.run(&["adopt", "--mailbox", "--folder", "Chess", "--yes"]).result();
    assert!(said.contains("1 new game in 1 mail (Sent 0, INBOX 0, Chess 1)"), "{said}");
    mailbox.player.run(&["adopt", "--folder", "Chess", "x.eml"]).failure(2);
    Player::new().run(&["adopt", "--mailbox"]).failure(7);
}
