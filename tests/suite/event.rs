//! `amici event import`: the games that are proposed for start letters, what is asked for, and what is refused.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::cli::{Player, Ran};
use super::intake::mail_with;

/// A letter of the corpus with what must come of it.
struct Case {
    name: String,
    subject: String,
    options: Vec<String>,
    letter: String,
    expected: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/letters");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let is_letter = |path: &std::path::PathBuf| path.file_name().unwrap() != "README.txt";
    files.iter().filter(|path| is_letter(path)).map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let text = fs::read_to_string(path).unwrap();
    let parts: Vec<&str> = text.split("---\n").collect();
    let [head, letter, expected] = parts.as_slice() else { panic!("{path:?} has {} parts", parts.len()) };
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    Case {
        name: path.file_name().unwrap().to_str().unwrap().to_owned(),
        subject: field("subject:"),
        options: field("options:").split_whitespace().map(str::to_owned).collect(),
        letter: (*letter).to_owned(),
        expected: expected.lines().map(str::to_owned).collect(),
    }
}

fn named(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).unwrap()
}

impl Case {
    fn mail(&self) -> Vec<u8> {
        let more = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n";
        mail_with("letter", "Director <director@example.org>", &self.subject, more, &self.letter)
    }

    fn run(&self, player: &Player, more: &[&str]) -> Ran {
        let file = player.file("letter.eml", self.mail());
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        player.run(&[&["event", "import", &file][..], &options, more].concat())
    }
}

/// A proposed game in one line.
fn line(game: &Value) -> String {
    let other = if game["me"] == "white" { "black" } else { "white" };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (rules, control) = match &game["rules"] {
        Value::String(name) if name == "friendly" => (name.clone(), "10/40".to_owned()),
        Value::String(name) => (name.clone(), "10/60".to_owned()),
        custom => (text(&custom["base"]), format!("{}/{}", custom["control"]["moves"], custom["control"]["days"])),
    };
    let player = &game[other];
    assert_eq!(game["moves"], json!([]));
    format!(
        "{} {} {} <{}> {} {rules} {control}",
        text(&game["id"]),
        text(&game["me"]),
        text(&player["name"]),
        text(&player["emails"][0]),
        text(&game["start_date"])
    )
}

#[test]
fn every_letter_of_the_corpus_gives_its_games_or_its_questions() {
    let cases = cases();
    assert!(cases.len() >= 8, "only {} letters were found", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let player = Player::new();
        let ran = case.run(&player, &["--json"]);
        let found: Vec<String> = if ran.code == 0 {
            let document: Value = serde_json::from_str(&ran.out).unwrap();
            document["games"].as_array().unwrap().iter().map(line).collect()
        } else {
            assert_eq!((ran.code, ran.out.as_str()), (6, ""), "{}: {}", case.name, ran.err);
            let asked = ran
                .err
                .lines()
                .filter(|l| l.starts_with("  ") && l.contains("say "))
                .map(|l| format!("! {}", l.trim()));
            asked.collect()
        };
        if found != case.expected {
            wrong.push(format!("{}:\n  {}\n{}", case.name, found.join("\n  "), ran.err));
        }
        assert!(!player.path("data/amici.db").exists(), "{}: a proposal creates nothing", case.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_letter_is_shown_and_creates_nothing_unasked() {
    let player = Player::new();
    let shown = named("en_iccf_cross_table.txt").run(&player, &[]);
    assert_eq!(shown.code, 6);
    assert!(shown.err.contains("--yes"), "{}", shown.err);
    assert!(!player.path("data/amici.db").exists());
    insta::assert_snapshot!(shown.out);
}

#[test]
fn yes_creates_all_games_once() {
    let player = Player::new();
    let case = named("de_pairs_and_sample.txt");
    let created = case.run(&player, &["--yes"]).result();
    assert!(created.contains("Created: FV-207-OBE  Quillfeather, Tobin - Detlef Obermüller"), "{created}");
    let games = player.export();
    assert_eq!(games["games"].as_array().unwrap().len(), 3);
    let again = case.run(&player, &["--yes"]).failure(1);
    assert!(again.contains("the game against Sieglinde Kornrumpf is FV-207-KOR, which you have already"), "{again}");
    assert_eq!(player.export(), games);
}

#[test]
fn what_is_proposed_can_be_imported_as_it_is() {
    let player = Player::new();
    let document = named("es_rondas.txt").run(&player, &["--json"]).result();
    player.import(&document);
    assert_eq!(player.export(), serde_json::from_str::<Value>(&document).unwrap());
}

#[test]
fn a_letter_in_plain_text_will_do() {
    let player = Player::new();
    let case = named("de_sie_haben_weiss.txt");
    let file = player.file("letter.txt", &case.letter);
    let games = player.run(&["event", "import", &file, "--json"]).json();
    let lines: Vec<String> = games["games"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, case.expected);
}

#[test]
fn the_players_word_goes_before_the_letters() {
    let player = Player::new();
    let case = named("en_iccf_cross_table.txt");
    let options =
        ["--json", "--start", "2004-12-01", "--rules", "iccf-email-2005", "--control", "10/50", "--event", "X-1"];
    let games = case.run(&player, &[&options[..], &["--white", "1", "--without", "3,4"]].concat()).json();
    let lines: Vec<String> = games["games"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, ["X-1-OST white Ostrander, Mila <mila.ostrander@example.org> 2004-12-01 iccf-email-2005 10/50"]);
}

#[test]
fn a_player_whose_address_is_not_in_the_list_gives_his_number() {
    let player = Player::new();
    let case = named("en_not_among_the_players.txt");
    let games = case.run(&player, &["--json", "--me", "2"]).json();
    assert_eq!(
        line(&games["games"][0]),
        "EM-56-LIN black Ada Lindqvist <ada@example.org> 2004-02-01 iccf-email-2000 10/60"
    );
    let asked = case.run(&player, &["--json", "--me", "7"]).failure(6);
    assert!(asked.contains("no player has the number 7") && asked.contains("1 Ada Lindqvist"), "{asked}");
}

#[test]
fn letters_without_players_doubled_numbers_and_pairs_are_refused() {
    let player = Player::new();
    let run = |text: &str| {
        let file = player.file("letter.txt", text);
        player.run(&["event", "import", &file, "--yes"])
    };
    let none = run("Dear Tobin,\n\nhere is your game of chess. Start: 2004-01-01\n").failure(6);
    assert!(none.contains("no list of two or more players"), "{none}");
    let quoted = run("From: Ada Lang <ada@example.org>\nTo: Tobin Q <tobin.q@example.net>\nStart: 2004-01-01, 10/60\n")
        .failure(6);
    assert!(quoted.contains("no list of two or more players"), "{quoted}");
    let list: String = (0..200).map(|n| format!("Ada Lang{n} <ada{n}@example.org>\n")).collect();
    assert!(run(&list).failure(6).contains("no list of two or more players"));
    assert!(run(&"x\n".repeat(40_000)).failure(1).contains("longer than 64 KiB"));
    let head = "Event: EM-1\nStart: 2004-01-01\nTime: 10/60\n\n1. Tobin Q tobin.q@example.net\n";
    let twice = run(&format!("{head}2. Ada Lang ada@example.org\n2. Bo Ek bo@example.com\n\nWhite: 1-2\n")).failure(6);
    assert!(twice.contains("2 players have the number 2"), "{twice}");
    for day in ["31 September 2026", "31.09.2026", "2026-02-30"] {
        let text = head.replace("2004-01-01", day) + "2. Ada Lang ada@example.org\n\nWhite: 1-2\n";
        let asked = run(&text).failure(6);
        let why = format!("line 2: the start date {day} is a day that does not exist: say --start YYYY-MM-DD");
        assert!(asked.contains(&why) && !asked.contains("is not stated"), "{asked}");
    }
    let unknown = head.replace("2004-01-01", "12 moves 2026") + "2. Ada Lang ada@example.org\n\nWhite: 1-2\n";
    assert!(run(&unknown).failure(6).contains("the start date is not stated"));
    let pair = run(&format!("{head}2. Ada Lang ada@example.org\n\nWhite: 1-2\nWhite: 1-2\n")).failure(6);
    assert!(pair.contains("is stated twice"), "{pair}");
    let myself = run(&format!("{head}2. Ada Lang ada@example.org\n\nWhite: 1-1 1-2\n")).failure(6);
    assert!(myself.contains("paired with himself"), "{myself}");
    let others = "2. Ada Lang ada@example.org\n\nWhite: 1-2\n";
    for other in ["Ada Lang - Tobin Q\n", "You have Black against 2.\n", "1 x b\n2 w x\n"] {
        let differs = run(&format!("{head}{others}\n{other}")).failure(6);
        assert!(differs.contains("stated in two ways"), "{other}: {differs}");
    }
    let case = named("en_bye_and_prose.txt");
    assert!(case.run(&player, &["--yes", "--white", "1"]).failure(6).contains("say all your colours"));
    let address = run(&format!("{head}2. Ada Lang .ada.@example.org\n\nWhite: 1-2\n")).failure(6);
    assert!(address.contains("2 Ada Lang has no usable address"), "{address}");
    assert!(!player.path("data/amici.db").exists());
}

#[test]
fn two_forms_that_agree_make_each_game_once() {
    let player = Player::new();
    let text = "Event: EM-1\nStart: 2004-01-01\nTime: 10/60\n\n1. Tobin Q tobin.q@example.net\n2. Ada Lang ada@example.org\n\n\
                White: 1-2\n\nTobin Q - Ada Lang\n\n1 x w\n2 b x\n\nYou have White against 2.\n";
    let file = player.file("letter.txt", text);
    let games = player.run(&["event", "import", &file, "--json"]).json();
    let lines: Vec<String> = games["games"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, ["EM-1-LAN white Ada Lang <ada@example.org> 2004-01-01 iccf-email-2000 10/60"]);
}

#[test]
fn options_of_the_wrong_form_exit_with_2() {
    let player = Player::new();
    let file = player.file("letter.txt", "x");
    for options in [
        ["--control", "10"],
        ["--control", "0/60"],
        ["--email", "ada@example.org"],
        ["--email", "1=ada"],
        ["--white", "Ada"],
    ] {
        player.run(&[&["event", "import", &file][..], &options].concat()).failure(2);
    }
    player.run(&["event"]).failure(2);
    player.run(&["event", "import", &file, "--yes", "--json"]).failure(2);
    let missing = player.path("none.txt");
    assert!(player.run(&["event", "import", missing.to_str().unwrap()]).failure(1).contains("cannot be read"));
    let unknown = named("es_rondas.txt").run(&player, &["--yes", "--rules", "blitz"]).failure(1);
    assert!(unknown.contains("`blitz`"), "{unknown}");
}
