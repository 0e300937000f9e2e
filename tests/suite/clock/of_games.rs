//! Rules of one event and of one game: from the configuration, at the desk, and changed while the game runs.

use serde_json::{Value, json};

use super::commands::{CLUB, ME};
use crate::cli::{Player, Ran, document, second};
use crate::intake::mail;

const LETTER: &str = "Dear players,\n\nthe tournament EM/9 starts on 1 May 2024.\n\n\
    1. Ostrander, Mila <mila.ostrander@example.org>\n2. Quillfeather, Tobin <tobin.q@example.net>\n\nGames: 1-2\n\nTime control: 10 moves in 60 days\n";

fn with_event(rules: &str) -> Player {
    let player = Player::new();
    player.configure(&format!("{ME}{CLUB}[[event]]\nname = \"EM/9\"\nrules = {rules}\n"));
    player
}

fn new_game(player: &Player, id: &str, more: &[&str]) -> Ran {
    let game =
        ["new", id, "--opponent", "Mila", "--email", "mila@example.org", "--color", "white", "--start", "2024-05-01"];
    player.run(&[&game[..], more].concat())
}

fn rules(player: &Player, game: usize) -> Value {
    player.export()["games"][game]["rules"].clone()
}

#[test]
fn a_game_that_begins_takes_the_rules_of_its_event_unless_others_are_named() {
    let player = with_event("{ base = \"iccf-email-2000\", double_after = 20 }");
    let of_event = json!({"base": "iccf-email-2000", "double_after": 20});
    let said = new_game(&player, "G-1", &["--event", " em/9"]).result();
    assert!(said.contains("Rules: iccf-email-2000, 10 moves / 60 days, its own double_after\n"), "{said}");
    new_game(&player, "G-2", &["--event", "EM/9", "--rules", "my-club"]).result();
    new_game(&player, "G-3", &["--event", "EM/8"]).result();
    assert_eq!(rules(&player, 0), of_event);
    assert_eq!((&rules(&player, 1)["name"], rules(&player, 2)), (&json!("my-club"), json!("friendly")));

    let pgn = "[Event \"EM/9\"]\n[Site \"ICCF\"]\n[Date \"2024.05.01\"]\n[White \"Ostrander, Mila\"]\n[Black \"Quillfeather, Tobin\"]\n\
               [Result \"*\"]\n[TimeControl \"10/4320000\"]\n\n1. d4 *\n";
    let file = player.file("game.pgn", pgn);
    player.run(&["import", &file, "--opponent-email", "mila@example.org"]).result();
    assert_eq!(rules(&player, 3), of_event, "as if they were named: the tag does not count");

    let score = "EM/9\n1. 5254 5755\n2. 7163\n";
    let file = player.file("mail.eml", mail("m2", "EM/9 move 2", score));
    let proposed = player.run(&["adopt", &file, "--event", "EM/9", "--me", "black", "--json"]).json();
    assert_eq!(proposed["games"][0]["rules"], of_event);
}

#[test]
fn a_start_letter_is_read_with_the_rules_of_its_event_and_their_own_control_stands_against_the_letter() {
    let letter = |player: &Player, more: &[&str]| {
        let file = player.file("letter.txt", LETTER);
        player.run(
            &[&["event", "import", &file, "--event", "EM/9", "--start", "2024-05-01", "--black", "1"], more].concat(),
        )
    };
    let named = with_event("\"iccf-email-2005\"");
    assert_eq!(letter(&named, &["--json"]).json()["games"][0]["rules"], "iccf-email-2005");
    let club = with_event("\"my-club\"");
    let shown = letter(&club, &[]);
    assert_eq!(
        (shown.code, shown.out.contains("rules     my-club, 8 moves / 24 days, its own double_after, valid_from\n")),
        (6, true),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("The letter states 10 moves / 60 days; you say 8 moves / 24 days, which counts.\n"),
        "{}",
        shown.out
    );
    assert_eq!(letter(&club, &["--json", "--control", "10/50"]).json()["games"][0]["rules"]["control"]["days"], 50);
    let values = letter(&club, &["--json", "--rule", "control.days=30", "--rule", "overstep=report_only"]).json();
    let rules = &values["games"][0]["rules"];
    assert_eq!(
        (&rules["control"]["days"], &rules["control"]["moves"], &rules["overstep"]),
        (&json!(30), &json!(8), &json!("report_only"))
    );
}

#[test]
fn an_event_may_change_values_of_a_set_of_his_own() {
    let player = with_event("{ base = \"my-club\", double_after = 12, control = { days = 30 } }");
    new_game(&player, "G-1", &["--event", "EM/9"]).result();
    let kept = json!({
        "base": "iccf-email-2000", "name": "my-club", "double_after": 12,
        "control": {"kind": "cumulative", "moves": 8, "days": 30}, "valid_from": "2020-01-01",
    });
    assert_eq!(rules(&player, 0), kept);
}

#[test]
fn wrong_rules_of_an_event_are_named_by_key_value_and_what_would_do() {
    for (rules, told, help) in [
        ("\"blitz\"", "event.1.rules: `blitz` is not known", "my-club"),
        ("7", "event.1.rules: cannot be 7", "the name of a rule set"),
        ("{ double_after = 20 }", "event.1.rules.base: is missing", "the rule set that the other keys change"),
        ("{ base = \"blitz\" }", "event.1.rules.base: `blitz` is not known", "my-club"),
        ("{ base = \"iecc\", doubel = 20 }", "event.1.rules.doubel: is not known", "double_after"),
        ("{ base = \"my-club\", overstep = \"shrug\" }", "event.1.rules.overstep: cannot be \"shrug\"", "report_only"),
        ("{ base = \"iecg\", control = { moves = 0 } }", "event.1.rules.control.moves: cannot be 0", "at least 1"),
        ("{ base = \"iecg\", double_after = 999 }", "event.1.rules.double_after: cannot be 999", "up to 366"),
    ] {
        let said = with_event(rules).run(&["rules"]).failure(3);
        assert!(said.contains(told) && said.contains(help) && said.contains(": 1 problem"), "{rules}: {said}");
    }
}

#[test]
fn single_values_of_a_game_that_begins_are_said_at_the_desk() {
    let player = with_event("\"my-club\"");
    let values = [
        "--rule",
        "double_after=none",
        "--rule",
        "control.kind=rolling",
        "--rule",
        "control.window=10",
        "--rule",
        "control.days=30",
    ];
    new_game(&player, "G-1", &[&["--event", "EM/9"][..], &values].concat()).result();
    let set = player.run(&["rules", "show", "--game", "G-1", "--json"]).json();
    assert_eq!((&set["name"], &set["values"]["double_after"]), (&json!("my-club"), &Value::Null));
    assert_eq!(set["values"]["control"], json!({"kind": "rolling", "window": 10, "days": 30}));
    let said = new_game(
        &player,
        "G-2",
        &["--rule", "doubel=3", "--rule", "overstep=shrug", "--rule", "leave.days_per_year=999"],
    )
    .failure(1);
    for told in
        ["unknown key `doubel`; known are base, title", "`overstep` cannot be \"shrug\"; expected forfeit, reset"]
    {
        assert!(said.contains(told), "{told} in\n{said}");
    }
    assert!(new_game(&player, "G-2", &["--rule", "double_after=999"]).failure(1).contains("up to 366"));
    assert_eq!(new_game(&player, "G-2", &["--rule", "double_after"]).code, 2);
    assert_eq!(player.export()["games"].as_array().unwrap().len(), 1);
}

#[test]
fn a_value_of_a_running_game_is_changed_on_his_word_and_what_is_recorded_otherwise_is_shown_before() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171  received 26.10. sent 30.10.\n")), "move");
    let before = player.export();
    let set = |more: &[&str]| player.run(&[&["rules", "set", "SAMPLE-1"], more].concat());
    let days = |ply: usize| {
        let moves = player.run(&["show", "SAMPLE-1", "--json"]).json()["moves"].clone();
        (moves[ply]["days"].clone(), moves[ply]["total"].clone())
    };

    let asked = set(&["double_after=20", "--why", "the announcement"]).failure(6);
    for line in [
        "double_after: days beyond 20 for one move count double (before: no day counts double)",
        "5... counts received 2004-09-30, sent 2004-10-22, 24 days, total 30 (before: received 2004-09-30, sent 2004-10-22, 22 days, total 28)",
        "6... counts received 2004-10-24, sent 2004-10-26, 2 days, total 32 (before: ",
        "say the same with --yes",
    ] {
        assert!(asked.contains(line), "{line} in\n{asked}");
    }
    assert_eq!(player.export(), before, "nothing was done");

    let said = set(&["double_after=20", "--why", "the announcement", "--yes"]).result();
    assert!(said.contains("5... counts") && said.contains("Black: 32 days used"), "{said}");
    assert_eq!((days(9), days(11)), ((json!(24), json!(30)), (json!(2), json!(32))));
    assert_eq!(rules(&player, 0), json!({"base": "iccf-email-2000", "double_after": 20}));
    // nothing on record counts otherwise: nobody is asked
    let said = set(&["control.days=50", "overstep=report_only", "--why", "his letter"]).result();
    assert!(
        said.starts_with("control: 10 moves / 50 days, savings carried forward (before: 10 moves / 60 days"),
        "{said}"
    );
    assert!(set(&["control.days=50", "--why", "again"]).result().contains("its rules already"));

    for (value, told) in [
        ("doubel=20", "unknown key `doubel`"),
        ("control.days=0", "`control.days` cannot be 0; expected a number of days, at least 1"),
        ("double_after=999", "up to 366"),
        ("base=blitz", "rules `blitz` are not known"),
    ] {
        let said = set(&[value, "--why", "w"]).failure(1);
        assert!(said.contains(told), "{value}: {said}");
    }
    assert!(set(&["double_after=9", "--why", " "]).failure(1).contains("say why"));
    assert_eq!((set(&["double_after=9"]).code, set(&["--why", "w"]).code), (2, 2));
    assert_eq!(player.run(&["rules", "set", "NONE", "double_after=9", "--why", "w"]).code, 4);

    let shown = player.run(&["rules", "show", "--game", "SAMPLE-1"]).result();
    let history = shown.split("What you changed in this game, oldest first:\n").nth(1).unwrap();
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(lines[0].ends_with("(before: no day counts double); why: the announcement"), "{shown}");
    assert!(lines[1].contains("control: 10 moves / 50 days") && lines[1].ends_with("; why: his letter"), "{shown}");
    let data = player.run(&["rules", "show", "--game", "SAMPLE-1", "--json"]).json();
    assert_eq!((data["changes"].as_array().unwrap().len(), &data["game_id"]), (2, &json!("SAMPLE-1")));
    assert!(player.run(&["clock", "SAMPLE-1"]).result().contains("; why: the announcement"));

    // the mail came under the rules of its day; the record is made again with what was changed since
    assert!(player.run(&["verify"]).result().contains("0 differences"));
    assert!(player.run(&["verify", "--rebuild"]).result().contains("0 differences"));
}

#[test]
fn a_draft_that_states_days_by_the_old_value_is_told() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    let quiet = player.run(&["rules", "set", "SAMPLE-1", "overstep=report_only", "--why", "w"]).result();
    assert!(!quiet.contains("Your draft"), "{quiet}");
    let said = player.run(&["rules", "set", "SAMPLE-1", "double_after=20", "--why", "w", "--yes"]).result();
    assert!(
        said.contains("Your draft of 7... 2836 states its days by the old values")
            && said.contains("amici play SAMPLE-1 2836"),
        "{said}"
    );
}

#[test]
fn rules_of_an_event_that_change_are_told_and_no_running_game_takes_them() {
    let player = Player::with_sample();
    player.import(&second("OTHER-2", |game| game["event"] = json!("EM/8")));
    let with = |rules: &str| player.configure(&format!("{ME}[[event]]\nname = \"EM/ZZ/042\"\nrules = {rules}\n"));
    let told = || (player.run(&["check"]).result(), player.run(&["rules", "show", "--game", "SAMPLE-1"]).result());
    with("\"iccf-email-2000\"");
    let (check, shown) = told();
    assert!(!check.contains("rules ") && !shown.contains("says otherwise"), "{check}{shown}");

    with("{ base = \"iccf-email-2000\", double_after = 20 }");
    let (check, shown) = told();
    assert!(
        check.contains("EM/ZZ/042: running games keep the rules they began with, and new ones get others: SAMPLE-1\n"),
        "{check}"
    );
    assert!(shown.contains("For new games of EM/ZZ/042 your configuration says otherwise:\n  double_after: days beyond 20 for one move count double\n"), "{shown}");
    let data = player.run(&["rules", "show", "--game", "SAMPLE-1", "--json"]).json();
    assert_eq!(data["event_differs"][0]["key"], "double_after");
    let steps = player.run(&["check", "--json"]).json();
    assert!(
        steps["ok"] == true && steps["steps"].as_array().unwrap().iter().any(|step| step["what"] == "rules"),
        "{steps}"
    );
    assert_eq!(rules(&player, 0), "iccf-email-2000", "nothing is applied");

    // a value that the game says for itself is meant, where the event only names a set
    player.run(&["rules", "set", "SAMPLE-1", "double_after=30", "--why", "w"]).result();
    with("\"iccf-email-2000\"");
    assert!(!told().1.contains("says otherwise"), "{}", told().1);
}

#[test]
fn a_document_may_change_values_of_a_set_of_his_own() {
    let player = with_event("\"my-club\"");
    player.import(&document(|game| game["rules"] = json!({"base": "my-club", "double_after": 9})));
    let kept = rules(&player, 0);
    assert_eq!(
        (&kept["base"], &kept["name"], &kept["double_after"]),
        (&json!("iccf-email-2000"), &json!("my-club"), &json!(9))
    );
}
