//! The program as a player and his scripts meet it: exit codes, streams, documents, texts.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::intake::{ME, MILA, mail, mail_with};
use super::leave::ahead;

const AT: &str = "2004-11-02T10:00:00Z";
const SAMPLE: &str = include_str!("../corpus/games/sample.json");

/// A player with a configuration and a data folder of his own.
pub(crate) struct Player {
    pub(crate) dir: TempDir,
}

/// What one run of the program gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The result of a run that went well and said nothing else.
    pub(crate) fn result(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.result()).unwrap()
    }

    /// The message of a run that failed with this code and gave no result.
    pub(crate) fn failure(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert!(!self.err.is_empty());
        self.err
    }
}

impl Player {
    /// Nothing but the section that every configuration has.
    pub(crate) fn new() -> Player {
        let player = Player { dir: TempDir::new().unwrap() };
        player.configure(ME);
        player
    }

    /// With the sample game: thirteen plies, he has Black and is on the move.
    pub(crate) fn with_sample() -> Player {
        let player = Player::new();
        player.import(SAMPLE);
        player
    }

    /// With the sample game before the opponent's last move.
    pub(crate) fn waiting() -> Player {
        let player = Player::new();
        player.import(&document(|game| {
            game["moves"].as_array_mut().unwrap().pop();
        }));
        player
    }

    pub(crate) fn configure(&self, text: &str) {
        fs::write(self.path("config.toml"), text).unwrap();
    }

    pub(crate) fn with_maildir(self) -> Player {
        let root = self.path("Maildir");
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(root.join(part)).unwrap();
        }
        self.configure(&format!("{ME}[maildir]\npath = \"{}\"\npoll = \"1s\"\n", root.display()));
        self
    }

    /// Two servers that refuse every connection.
    pub(crate) fn with_dead_servers(self, password: &str) -> Player {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = format!(
            "host = \"127.0.0.1\"\nport = {port}\nuser = \"tobin\"\npassword.command = [\"echo\", \"{password}\"]\n"
        );
        self.configure(&format!("{ME}[imap]\n{server}[smtp]\n{server}"));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_amici"));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.dir.path());
        command.env("TMPDIR", self.dir.path());
        command.arg("--config").arg(self.path("config.toml")).arg("--data").arg(self.path("data"));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with(&self, args: &[&str], environment: &[(&str, &str)]) -> Ran {
        let mut command = self.command();
        command.args(args).envs(environment.iter().copied());
        let output = Command::from_std(command).output().unwrap();
        let ran = Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ran.out.contains('\x1b') && !ran.err.contains('\x1b'), "colours in a pipe: {ran:?}");
        ran
    }

    pub(crate) fn import(&self, text: &str) {
        let file = self.file("games.json", text);
        self.run(&["import", &file]).result();
    }

    pub(crate) fn export(&self) -> Value {
        self.run(&["export", "--format", "json"]).json()
    }

    /// The text without what differs from run to run.
    pub(crate) fn masked(&self, text: &str) -> String {
        text.replace(self.dir.path().to_str().unwrap(), "[DIR]")
    }
}

/// The sample document with changes to its game.
pub(crate) fn document(change: impl FnOnce(&mut Value)) -> String {
    let mut document: Value = serde_json::from_str(SAMPLE).unwrap();
    change(&mut document["games"][0]);
    document.to_string()
}

/// A game of his that is like the sample, under another name.
pub(crate) fn second(id: &str, change: impl FnOnce(&mut Value)) -> String {
    document(|game| {
        game["id"] = json!(id);
        change(game);
    })
}

/// In the order in which they stand.
fn keys(value: &Value) -> Vec<&str> {
    let keys = value.as_object().unwrap().keys();
    keys.map(String::as_str).collect()
}

// Exit codes and streams ---------------------------------------------------------------------------------------------

#[test]
fn check_warns_where_others_can_read_what_is_private() {
    let player = Player::with_sample();
    let mode = |name: &str, mode| fs::set_permissions(player.path(name), fs::Permissions::from_mode(mode)).unwrap();
    let warned = || {
        let said = player.run(&["check"]).result();
        let lines = said.lines().filter(|line| line.starts_with("warn    modes")).map(|line| player.masked(line));
        lines.map(|line| line.split_once("modes").unwrap().1.trim().to_owned()).collect::<Vec<_>>()
    };
    mode("config.toml", 0o600);
    assert!(warned().is_empty());
    mode("config.toml", 0o640);
    assert_eq!(warned(), ["[DIR]/config.toml can be read by others (mode 0640)"]);
    mode("config.toml", 0o600);
    mode("data", 0o755);
    assert_eq!(warned(), ["[DIR]/data can be read by others (mode 0755)"]);
    mode("data/amici.db", 0o644);
    mode("data", 0o700);
    assert!(warned().is_empty(), "a closed folder closes what is in it");
    let steps = player.run(&["check", "--json"]).json();
    assert!(steps["ok"].as_bool().unwrap(), "{steps}");
}

#[test]
fn check_finds_the_server_whose_results_can_be_believed_and_writes_it_on_a_yes() {
    const BY: &str =
        "Received: from a.example.org by mx.example.net with ESMTPS id 1; Sat, 30 Oct 2004 18:22:04 +0000\n";
    const OWN: &str = "Authentication-Results: mx.example.net; dkim=pass header.d=example.org\n";
    const FOREIGN: &str = "Authentication-Results: mx.example.com; dkim=pass header.d=example.org\n";
    let (above, below) = (format!("{OWN}{BY}"), format!("{BY}{OWN}"));
    let (foreign, none) = (format!("{BY}{FOREIGN}"), BY.to_owned());
    let checked = |tops: &[&str], args: &[&str]| {
        let player = Player::with_sample().with_maildir();
        for (number, top) in tops.iter().enumerate() {
            let mail =
                format!("{top}From: <mila.ostrander@example.org>\nMessage-ID: <{number}@example.org>\n\nHello\n");
            fs::write(player.path("Maildir").join("new").join(format!("{number}.a.b")), mail).unwrap();
        }
        let own = format!("{BY}From: <tobin.q@example.net>\nMessage-ID: <own@example.net>\n\n{OWN}\n");
        fs::write(player.path("Maildir").join("new").join("own.a.b"), own).unwrap();
        let steps = player.run(args).json();
        let step = steps["steps"].as_array().unwrap().iter().find(|step| step["what"] == "senders").cloned();
        (player, step.map(|step| step["detail"].as_str().unwrap().to_owned()))
    };
    let asks = ["check", "--json"];
    let below_it = " and received_by = [\"mx.example.net\"]";
    for (tops, place) in
        [([&above, &above, &above, &above, &none], ""), ([&below, &below, &below, &below, &foreign], below_it)]
    {
        let (player, said) = checked(&tops.map(String::as_str), &asks);
        let said = said.unwrap();
        assert!(said.starts_with("mx.example.net writes into 4 of the 5 newest mails"), "{said}");
        let help = format!(
            "help: `amici check --yes` writes authserv_id = \"mx.example.net\"{place} into your configuration, so that it is believed"
        );
        assert!(said.ends_with(&help), "{said}");
        assert!(!fs::read_to_string(player.path("config.toml")).unwrap().contains("authserv_id"), "nobody said yes");
    }
    for tops in [[&foreign; 5], [&above, &above, &none, &none, &above], [&none; 5]] {
        assert_eq!(checked(&tops.map(String::as_str), &asks).1, None, "{tops:?}");
    }
    assert_eq!(checked(&[&above, &above], &asks).1, None, "too few");
    let (player, said) = checked(&[below.as_str(); 5], &["check", "--json", "--yes"]);
    assert!(said.unwrap().contains("it is believed from now on"));
    let said = player.run(&["check"]).result();
    assert!(said.contains("results of mx.example.net in 5 of the 5 newest mails"), "{said}");

    let (player, said) = checked(&[above.as_str(); 5], &["check", "--json", "--yes"]);
    assert!(said.unwrap().contains("it is believed from now on"));
    let text = fs::read_to_string(player.path("config.toml")).unwrap();
    assert!(text.contains("[senders]\nauthserv_id = \"mx.example.net\"\n") && text.starts_with(ME), "{text}");
    let said = player.run(&["check"]).result();
    assert!(said.contains("results of mx.example.net in 5 of the 5 newest mails"), "{said}");
    player.configure(&text.replace("mx.example.net", "mx.example.com"));
    let said = player.run(&["check"]).out;
    assert!(
        said.contains("none of the 5 newest mails")
            && said.contains("help: set [senders] authserv_id = \"mx.example.net\""),
        "{said}"
    );
    player.configure(&text.replace("authserv_id", "# mine\nverify_dkim = true # too"));
    player.run(&["check", "--yes"]).result();
    let text = fs::read_to_string(player.path("config.toml")).unwrap();
    assert!(
        text.contains("# mine\nverify_dkim = true # too") && text.contains("authserv_id = \"mx.example.net\""),
        "{text}"
    );
}

#[test]
fn what_is_not_seen_is_written_out_wherever_it_comes_from() {
    let player = Player::new();
    player.import(&document(|game| game["white"]["name"] = json!("Mila \u{202e}renrat\u{2066}so")));
    let shown = |args: &[&str]| {
        let ran = player.run(args);
        let unseen =
            |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!ran.out.contains(unseen) && !ran.err.contains(unseen), "{args:?}: {ran:?}");
        ran
    };
    assert!(shown(&["export", "--format", "pgn"]).out.contains("Mila \\u202erenrat\\u2066so"));
    assert_eq!(shown(&["export"]).json()["games"][0]["white"]["name"], json!("Mila \u{202e}renrat\u{2066}so"));
    shown(&["show", "SAMPLE-1"]);
    shown(&["status"]);
    let file = "\u{1b}]0;title\u{7}\u{9b}31m.j2";
    let told = shown(&["forms", "show", file]).failure(1);
    assert!(told.contains("\\u001b]0;title\\u0007\\u009b31m.j2"), "{told}");
    let told = shown(&["take", file]).err;
    assert!(told.contains("\\u001b]0;title"), "{told}");
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    let player = Player::with_sample();
    for args in [
        &[][..],
        &["nonsense"],
        &["status", "--nonsense"],
        &["play", "SAMPLE-1"],
        &["show", "no such id!"],
        &["show", &"x".repeat(41)],
        &["status", "--at", "yesterday"],
        &["sent", "SAMPLE-1", "--on", "30.10.2004"],
        &["read"],
        &["export", "--format", "xml"],
    ] {
        player.run(args).failure(2);
    }
}

#[test]
fn an_instant_is_wanted_in_full_and_shown_how() {
    let player = Player::with_sample();
    for text in ["2004-11-02", "2004-11-02 10:00", "10:00", "now"] {
        let message = player.run(&["status", "--at", text]).failure(2);
        assert!(message.contains("write it as 2026-03-18T20:15:00Z"), "{message}");
    }
    let status = player.run(&["status", "--json", "--at", "2004-11-02T12:00:00+02:00"]).json();
    assert_eq!(status["now"], AT);
}

#[test]
fn a_configuration_with_problems_exits_with_3_and_lists_every_one() {
    let player = Player::with_sample();
    player.configure("[me]\nname = 7\nemails = [\"nobody\"]\ntimezone = \"Vienna\"\ncolour = 1\n[imap]\nport = 99999999\n[limits]\nlargest_mail_mib = 0\n");
    let message = player.run(&["status"]).failure(3);
    insta::assert_snapshot!(player.masked(&message));
}

#[test]
fn a_missing_configuration_and_a_missing_mailbox_exit_with_3() {
    let player = Player::with_sample();
    for command in ["run", "poll"] {
        assert!(player.run(&[command]).failure(3).contains("add [imap] and [smtp], or [maildir]"));
    }
    fs::remove_file(player.path("config.toml")).unwrap();
    let message = player.run(&["status"]).failure(3);
    assert!(message.contains("cannot be read") && message.contains("`amici config`"), "{message}");
}

#[test]
fn the_example_that_is_printed_is_a_configuration_and_needs_none_itself() {
    let player = Player::with_sample();
    fs::remove_file(player.path("config.toml")).unwrap();
    let example = player.run(&["config"]).result();
    assert_eq!(example, include_str!("../../config.example.toml"));
    fs::write(player.path("config.toml"), &example).unwrap();
    assert!(player.run(&["status"]).result().contains("1 game"));
}

#[test]
fn a_password_in_the_configuration_is_a_problem_that_does_not_show_it() {
    let player = Player::new();
    player.configure(&format!("{ME}[imap]\nhost = \"a\"\nuser = \"b\"\npassword = \"hunter2-canary\"\n"));
    let message = player.run(&["check"]).failure(3);
    assert!(message.contains("imap.password") && !message.contains("hunter2"), "{message}");
}

#[test]
fn an_unknown_game_exits_with_4_and_names_those_that_are_known() {
    let player = Player::with_sample();
    for args in [
        &["show", "NONE"][..],
        &["play", "NONE", "e4"],
        &["play", "-n", "NONE", "e4"],
        &["undo", "NONE"],
        &["sent", "NONE"],
        &["accept", "NONE", "e4"],
        &["export", "SAMPLE-1", "NONE"],
    ] {
        assert_eq!(player.run(args).failure(4), "error: there is no game NONE; known: SAMPLE-1\n", "{args:?}");
    }
}

#[test]
fn of_ids_that_differ_in_case_alone_only_one_can_be_a_game() {
    let player = Player::with_sample();
    let before = player.export();
    // nobody hears the difference, and a part is enough where no other id has it
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    for name in ["sample-1", "sam", "PLE"] {
        assert_eq!(player.run(&["show", name]).result(), shown, "{name}");
    }
    let other = player.file("other.json", second("Sample-1", |_| {}));
    for args in [&["import", &other][..], &["import", "--replace", &other]] {
        let refused = player.run(args).failure(1);
        assert!(refused.contains("game Sample-1 cannot exist beside SAMPLE-1"), "{refused}");
        assert!(refused.contains("nothing was imported; give it another id"), "{refused}");
    }
    let games: Vec<Value> =
        ["G1", "g1"].map(|id| serde_json::from_str::<Value>(&second(id, |_| {})).unwrap()["games"][0].clone()).to_vec();
    let both = json!({"schema": 1, "games": games});
    let both = player.file("both.json", both.to_string());
    assert!(player.run(&["import", &both]).failure(1).contains("g1"), "two in one file");
    let new = ["new", "sample-1", "--color", "white", "--opponent", "Mila", "--email", "mila.ostrander@example.org"];
    assert!(player.run(&new).failure(1).contains("cannot exist beside SAMPLE-1"), "a new game");
    assert_eq!(player.export(), before);
}

#[test]
fn an_illegal_or_ambiguous_move_exits_with_5() {
    let player = Player::with_sample();
    let before = player.export();
    for text in ["2837", "Nd7", "Zz9", "7163", "O-O-O", "5254Q", ""] {
        player.run(&["play", "SAMPLE-1", text]).failure(5);
    }
    assert_eq!(player.export(), before);
}

#[test]
fn several_held_mails_want_a_choice_and_exit_with_6() {
    let player = Player::waiting();
    for (name, body) in [("one", "7. 5171\n7. 4445\n"), ("two", "If 7. 5171 then I may lose\n")] {
        let file = player.file(name, mail(name, "EM/ZZ/042", body));
        assert!(player.run(&["take", &file]).result().contains("needs_human"));
    }
    let message = player.run(&["accept", "SAMPLE-1", "5171"]).failure(6);
    assert_eq!(message, "error: several mails are held; say which with --mail: 1, 2\n");
    player.run(&["accept", "SAMPLE-1", "5171", "--mail", "3"]).failure(1);
    assert!(player.run(&["accept", "SAMPLE-1", "5171", "--mail", "2"]).result().starts_with("7. 5171   O-O"));
    assert_eq!(player.run(&["status", "--json"]).json()["held"].as_array().unwrap().len(), 1);
}

#[test]
fn servers_that_cannot_be_reached_exit_with_7() {
    let player = Player::with_sample().with_dead_servers("s3cret-canary");
    player.run(&["poll"]).failure(7);
    let checked = player.run(&["check"]);
    assert_eq!((checked.code, checked.err.as_str()), (7, ""));
    assert!(checked.out.contains("ok      config") && checked.out.contains("ok      database"), "{}", checked.out);
    assert!(checked.out.contains("FAILED  imap") && checked.out.contains("FAILED  smtp"), "{}", checked.out);
    let broken = Player::with_sample().with_maildir();
    fs::remove_dir(broken.path("Maildir/cur")).unwrap();
    assert!(broken.run(&["poll"]).failure(7).contains("is not a Maildir"));
}

#[test]
fn health_exits_with_8_where_no_daemon_runs() {
    let player = Player::new().with_maildir();
    assert!(player.run(&["health"]).failure(8).contains("never ran"), "before there is any data");
    player.import(SAMPLE);
    assert!(player.run(&["health"]).failure(8).contains("never ran"));
    player.run(&["poll"]).result();
    assert!(player.run(&["health"]).failure(8).contains("the last look was `amici poll`"));
    let data = player.run(&["health", "--json"]);
    let document: Value = serde_json::from_str(&data.out).unwrap();
    assert_eq!(
        (data.code, &document["ok"], document["last_check"].is_string()),
        (8, &json!(false), true),
        "{document}"
    );
}

#[test]
fn status_exits_with_9_when_asked_and_something_needs_a_look() {
    let player = Player::waiting();
    assert_eq!(player.run(&["status", "--exit-code", "--at", AT]).code, 0);
    assert_eq!(player.run(&["status", "--exit-code"]).code, 9, "his time is long overstepped");
    let file = player.file("held.eml", mail("h", "EM/ZZ/042", "7. 5171\n7. 4445\n"));
    player.run(&["take", &file]).result();
    let status = player.run(&["status", "--exit-code", "--at", AT]);
    assert_eq!((status.code, status.err.as_str()), (9, ""));
    assert!(status.out.contains("held  SAMPLE-1"), "{}", status.out);
    assert_eq!(player.run(&["status"]).code, 0);
}

#[test]
fn a_database_that_is_not_there_is_said_with_what_to_do() {
    let player = Player::new();
    assert!(player.run(&["status"]).result().contains("amici import FILE"));
    assert_eq!(player.run(&["status", "--json"]).json()["games"], json!([]));
    for args in [&["show", "X"][..], &["export"]] {
        let message = player.run(args).failure(1);
        assert!(message.contains("amici import FILE"), "{message}");
    }
    assert!(!player.path("data/amici.db").exists(), "looking makes nothing");
}

// Documents ----------------------------------------------------------------------------------------------------------

/// A document that uses every key.
fn full_document() -> String {
    let second = second("EM-1037-PET", |game| {
        game["rules"] = json!({"base": "iccf-email-2000", "double_after": 30});
        game["notations"] = json!(["iccf", "san-de"]);
        game["draw_offer"] = json!("white");
        game["conditionals"] = json!([["4445", "2847"]]);
        game["last_message_id"] = json!("<his.20@example.org>");
        game["seen_message_ids"] = json!(["<b@example.org>", "<a@example.org>"]);
        game["moves"][0] = json!({"numeric": "4244"});
    });
    let third = second_from_fen();
    let game = |text: &str| serde_json::from_str::<Value>(text).unwrap()["games"][0].clone();
    json!({"schema": 1, "games": [game(SAMPLE), game(&second), game(&third)]}).to_string()
}

/// He has White; the event begins in the future.
fn before_the_start() -> Player {
    let player = Player::new();
    player.import(&second("EARLY", |game| {
        game["me"] = json!("white");
        game["white"] = json!({"name": "Quillfeather, Tobin", "emails": ["tobin.q@example.net"]});
        game["black"] = json!({"name": "Moreau, Lucie", "emails": ["lucie@example.org"]});
        game["start_date"] = json!("2999-12-01");
        game["moves"] = json!([]);
    }));
    player
}

#[test]
fn a_position_that_stood_before_is_told_with_the_time_it_stands() {
    let player = Player::new();
    for (id, times) in [("TWICE", 1), ("THRICE", 2)] {
        let moves = ["7163", "7866", "6371", "6678"].repeat(times);
        let moves: Vec<Value> = moves.iter().map(|numeric| json!({"numeric": numeric})).collect();
        player.import(&second(id, |game| game["moves"] = json!(moves)));
    }
    for (id, told) in [("TWICE", "for the second time.\n"), ("THRICE", "for the third time.\n")] {
        let said = player.run(&["show", id]).result();
        assert!(said.contains(&format!("The position stands {told}")), "{said}");
    }
}

#[test]
fn whites_first_move_before_the_start_has_no_receipt_and_costs_nothing() {
    let player = before_the_start();
    player.run(&["play", "EARLY", "5254"]).result();
    let said = player.run(&["sent", "EARLY"]).result();
    assert!(said.contains(": 0 days."), "{said}");
    let exported = player.run(&["export"]).result();
    let first = &serde_json::from_str::<Value>(&exported).unwrap()["games"][0]["moves"][0];
    assert_eq!((&first["received"], &first["days"]), (&Value::Null, &json!(0)));
    let again = Player::new();
    again.import(&exported);
    assert_eq!(again.run(&["export"]).result(), exported);
}

#[test]
fn a_replacement_that_drops_a_drafted_move_says_so() {
    let player = Player::with_sample();
    let exported = player.run(&["export"]).result();
    std::fs::write(player.dir.path().join("again.json"), &exported).unwrap();
    let file = player.dir.path().join("again.json").display().to_string();
    assert!(!player.run(&["import", "--replace", &file]).result().contains("dropped"));
    player.run(&["play", "SAMPLE-1", "2836"]).result();
    let said = player.run(&["import", "--replace", &file]).result();
    assert!(said.contains("SAMPLE-1: your drafted 7... 2836 was dropped."), "{said}");
}

#[test]
fn what_was_settled_survives_export_and_import() {
    let player = Player::with_sample();
    player.run(&["clock", "set", "SAMPLE-1", "6b", "--penalty", "5", "--why", "an illegal move"]).result();
    let exported = player.run(&["export"]).result();
    let again = Player::new();
    again.import(&exported);
    assert_eq!(again.run(&["export"]).result(), exported);
    let black =
        |player: &Player| player.run(&["show", "SAMPLE-1", "--json", "--at", AT]).json()["clocks"]["black"].clone();
    assert_eq!((black(&again), &black(&again)["days_used"]), (black(&player), &json!(35)));
}

fn second_from_fen() -> String {
    second("FEN.3", |game| {
        game["me"] = json!("white");
        game["white"] = json!({"name": "Quillfeather, Tobin", "emails": ["tobin.q@example.net"]});
        game["black"] = json!({"name": "Moreau, Lucie", "emails": ["lucie@example.org", "l@example.com"]});
        game["start_fen"] = json!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        game["moves"] = json!([{"numeric": "5254"}]);
        game["result"] = json!("1/2-1/2");
    })
}

#[test]
fn an_export_taken_in_elsewhere_gives_the_identical_document() {
    let player = Player::new();
    player.import(&full_document());
    let first = player.run(&["export"]).result();
    let elsewhere = Player::new();
    elsewhere.import(&first);
    assert_eq!(elsewhere.run(&["export", "--format", "json"]).result(), first);
    let games: Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&games["schema"], games["games"].as_array().unwrap().len()), (&json!(1), 3));
}

#[test]
fn an_export_gives_back_what_was_taken_in() {
    let player = Player::with_sample();
    assert_eq!(player.export(), serde_json::from_str::<Value>(SAMPLE).unwrap());
}

#[test]
fn an_export_of_named_games_has_these_alone_in_that_order() {
    let player = Player::new();
    player.import(&full_document());
    let document = player.run(&["export", "FEN.3", "SAMPLE-1"]).json();
    let ids: Vec<&Value> = document["games"].as_array().unwrap().iter().map(|g| &g["id"]).collect();
    assert_eq!(ids, [&json!("FEN.3"), &json!("SAMPLE-1")]);
}

#[test]
fn a_file_with_one_bad_game_changes_nothing_and_names_game_ply_and_reason() {
    let player = Player::with_sample();
    let before = player.export();
    let with = |bad: String| {
        let game = |text: &str| serde_json::from_str::<Value>(text).unwrap()["games"][0].clone();
        json!({"schema": 1, "games": [game(&second("GOOD", |_| {})), game(&bad)]}).to_string()
    };
    for (text, words) in [
        (with(second("BAD", |g| g["moves"][4]["numeric"] = json!("2134"))), vec!["BAD", "3.", "2134"]),
        (with(second("BAD", |g| g["moves"][5]["sent"] = json!("2004-09-01"))), vec!["BAD", "ply 6", "2004-09-01"]),
        (with(second("BAD", |g| g["colour"] = json!(1))), vec!["colour"]),
        (with(second("BAD", |g| g["rules"] = json!("chess960"))), vec!["BAD", "chess960"]),
        (with(second("GOOD", |_| {})), vec!["GOOD", "twice"]),
        (with(second("SAMPLE-1", |_| {})), vec!["SAMPLE-1", "exists already", "--replace"]),
        (json!({"schema": 2, "games": []}).to_string(), vec!["schema", "2"]),
        ("{no JSON".to_owned(), vec!["line 1"]),
        ("no JSON".to_owned(), vec!["neither PGN"]),
    ] {
        let file = player.file("bad.json", &text);
        let message = player.run(&["import", &file]).failure(1);
        for word in words {
            assert!(message.contains(word), "{word} in {message}");
        }
        assert_eq!(message.matches("help:").count(), 1, "{message}");
        assert_eq!(player.export(), before);
    }
}

#[test]
fn replace_puts_the_files_game_in_place_of_the_stored_one() {
    let player = Player::with_sample();
    let changed = document(|g| g["event"] = json!("EM/ZZ/043"));
    let file = player.file("changed.json", &changed);
    player.run(&["import", &file]).failure(1);
    player.run(&["import", "--replace", &file]).result();
    assert_eq!(player.export()["games"][0]["event"], "EM/ZZ/043");
    assert_eq!(player.export()["games"].as_array().unwrap().len(), 1);
}

#[test]
fn a_game_that_stands_on_mails_is_replaced_only_on_the_players_word() {
    let player = Player::waiting();
    let file = player.file("seven.eml", mail("seven", "EM/ZZ/042", "7. 5171\n"));
    assert!(player.run(&["take", &file]).result().contains(": move:"));
    let exported = player.run(&["export"]).result();
    let before = player.run(&["explain", "SAMPLE-1", "last"]).result();
    let again = player.file("again.json", &exported);
    let refused = player.run(&["import", "--replace", &again]).failure(6);
    for part in ["game SAMPLE-1 has 1 ply by mails", "say the same with --yes"] {
        assert!(refused.contains(part), "{part} in {refused}");
    }
    assert_eq!(player.run(&["explain", "SAMPLE-1", "last"]).result(), before);
    player.run(&["import", "--replace", "--yes", &again]).result();
    assert!(player.run(&["explain", "SAMPLE-1", "last"]).result().contains("it came with the game, from no mail"));
}

// Games and moves ----------------------------------------------------------------------------------------------------

#[test]
fn new_starts_a_game_once() {
    let player = Player::new();
    let args = [
        "new",
        "X-1",
        "--opponent",
        "Doe, Jane",
        "--email",
        "jane@example.org",
        "--color",
        "white",
        "--start",
        "2004-09-15",
    ];
    insta::assert_snapshot!(player.run(&args).result());
    let game = &player.export()["games"][0];
    assert_eq!(
        (&game["me"], &game["black"]["name"], &game["moves"]),
        (&json!("white"), &json!("Doe, Jane"), &json!([]))
    );
    assert_eq!(game["white"]["emails"], json!(["tobin.q@example.net", "tobin@example.com"]));
    let first = player.run(&["play", "X-1", "5254", "--yes", "-n"]).result();
    assert!(first.contains(" (the event began 2004-09-15, sent "), "{first}");
    let again = player.run(&args).failure(1);
    assert_eq!(again, "error: game X-1 exists already\nhelp: give the new game another name\n");
    let bad = ["new", "X-2", "--opponent", "Doe, Jane", "--email", "nonsense", "--color", "white"];
    assert!(player.run(&bad).failure(1).contains("`nonsense`"));
}

#[test]
fn play_drafts_the_move_in_any_notation_and_records_nothing() {
    for text in ["2836", "Nc6", "b8c6", "Nb8-c6"] {
        let player = Player::with_sample();
        let before = player.export();
        let said = player.run(&["play", "SAMPLE-1", text]).result();
        assert!(said.starts_with("7... 2836   Nc6   knight b8-c6\n"), "{said}");
        assert!(said.contains("Nothing has been sent to Ostrander, Mila"), "{said}");
        assert_eq!(player.export(), before, "a plan is no record");
        let shown = player.run(&["show", "SAMPLE-1", "--json"]).json();
        assert_eq!(shown["plan"]["numeric"], "2836");
    }
}

#[test]
fn an_illegal_move_is_explained() {
    let player = Player::with_sample();
    let told: Vec<String> =
        ["2837", "Nd7", "Zz9", "8281"].iter().map(|m| player.run(&["play", "SAMPLE-1", m]).failure(5)).collect();
    insta::assert_snapshot!(told.concat());
}

#[test]
fn a_move_that_fits_another_game_asks_for_the_wrong_game() {
    let player = Player::with_sample();
    player.import(&second("OTHER-2", |game| {
        game["moves"].as_array_mut().unwrap().truncate(1);
    }));
    player.import(&second("OVER-3", |game| game["result"] = json!("1/2-1/2")));
    for command in ["play", "sent"] {
        let message = player.run(&[command, "OTHER-2", "2847"]).failure(5);
        assert!(message.ends_with("  legal in SAMPLE-1: wrong game?\n"), "{command}: {message}");
    }
}

#[test]
fn a_dry_run_shows_the_draft_and_changes_no_byte() {
    let player = Player::with_sample();
    let before = fs::read(player.path("data/amici.db")).unwrap();
    let said = player.run(&["play", "-n", "SAMPLE-1", "Nc6"]).result();
    assert!(said.contains("Nothing was kept.") && said.contains("My move: 7... 2836, sent"), "{said}");
    assert_eq!(fs::read(player.path("data/amici.db")).unwrap(), before);
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["plan"], Value::Null);
}

#[test]
fn a_move_out_of_turn_is_refused() {
    let player = Player::waiting();
    let message = player.run(&["play", "SAMPLE-1", "Nc6"]).failure(1);
    assert!(
        message.contains("you have already moved") && message.contains("It is Ostrander, Mila's turn: 7. is due"),
        "{message}"
    );
    let over = Player::new();
    over.import(&document(|g| g["result"] = json!("1-0")));
    assert!(over.run(&["play", "SAMPLE-1", "Nc6"]).failure(1).contains("is over: 1-0"));
}

#[test]
fn a_second_choice_replaces_the_first_and_undo_drops_it() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    let said = player.run(&["play", "SAMPLE-1", "Nbd7"]).result();
    assert!(said.contains("It replaces your earlier choice 7... 2836.\n"), "{said}");
    let outbox = player.run(&["status", "--json"]).json()["outbox"].clone();
    assert_eq!(outbox.as_array().unwrap().len(), 1, "the first draft is not delivered any more: {outbox}");
    assert!(player.run(&["undo", "SAMPLE-1"]).result().starts_with("7... 2847 is dropped"));
    assert_eq!(player.run(&["undo", "SAMPLE-1"]).failure(1), "error: game SAMPLE-1 has no chosen move\n");
    assert_eq!(player.run(&["status", "--json"]).json()["outbox"], json!([]));
}

#[test]
fn sent_puts_the_drafted_move_on_record_with_its_day() {
    let player = Player::with_sample();
    assert!(player.run(&["sent", "SAMPLE-1"]).failure(1).contains("amici play SAMPLE-1 MOVE"));
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    assert!(player.run(&["sent", "SAMPLE-1", "--on", &ahead("2090-01-01")]).failure(1).contains("has not come yet"));
    assert_eq!(
        player.run(&["sent", "SAMPLE-1", "--on", "2004-10-29"]).failure(1),
        "error: 2004-10-29 lies before 2004-10-30, the day you received his move\n"
    );
    let said = player.run(&["sent", "SAMPLE-1", "--on", "2004-11-02"]).result();
    assert_eq!(said, "7... 2836 is on record as sent 2004-11-02: 3 days. Ostrander, Mila thinks now.\n");
    let last = player.export()["games"][0]["moves"][13].clone();
    assert_eq!(
        (&last["numeric"], &last["sent"], &last["days"], &last["total"]),
        (&json!("2836"), &json!("2004-11-02"), &json!(3), &json!(33))
    );
    player.run(&["sent", "SAMPLE-1"]).failure(1);
}

#[test]
fn accept_records_the_move_of_a_held_mail_on_the_players_word() {
    let player = Player::waiting();
    assert!(player.run(&["accept", "SAMPLE-1", "5171"]).failure(1).contains("has no held mail"));
    let file = player.file("held.eml", mail("h", "EM/ZZ/042", "7. 5171\n7. 4445\n"));
    player.run(&["take", &file]).result();
    player.run(&["accept", "SAMPLE-1", "1118"]).failure(5);
    let other = player.run(&["accept", "SAMPLE-1", "8. 5171"]).failure(5);
    assert!(other.contains("you wrote move 8, and in game SAMPLE-1 7. is due"), "{other}");
    player.run(&["accept", "SAMPLE-1", "5171", "--received", "2004-10-30", "--sent", "2004-10-29"]).failure(1);
    let said =
        player.run(&["accept", "SAMPLE-1", "7. O-O", "--received", "2004-10-27", "--sent", "2004-10-30"]).result();
    insta::assert_snapshot!(said);
    let last = player.export()["games"][0]["moves"][12].clone();
    assert_eq!(
        (&last["numeric"], &last["received"], &last["sent"]),
        (&json!("5171"), &json!("2004-10-27"), &json!("2004-10-30"))
    );
    assert!(player.run(&["accept", "SAMPLE-1", "5171"]).failure(1).contains("has no held mail"));
    assert_eq!(player.run(&["status", "--json"]).json()["held"], json!([]));
}

#[test]
fn accept_keeps_the_date_header_of_the_mail_and_his_offer_of_a_draw() {
    let accepted = |date: &str, more: &[&str]| {
        let player = Player::waiting();
        let held = mail("h", "EM/ZZ/042", "7. 5171\n7. 4445\n");
        let held = String::from_utf8(held).unwrap().replace("Sat, 30 Oct 2004 20:21:00 +0200", date);
        let file = player.file("held.eml", held.into_bytes());
        player.run(&["take", &file]).result();
        let said = player.run(&[&["accept", "SAMPLE-1", "5171"], more].concat()).result();
        let exported = player.export()["games"][0].clone();
        let sent = exported["moves"][12]["sent"].clone();
        (said, sent, exported["draw_offer"].clone())
    };
    let (said, sent, offer) = accepted("Thu, 28 Oct 2004 23:30:00 -0700", &["--draw"]);
    assert!(said.contains("sent 2004-10-28, with his offer of a draw."), "{said}");
    assert_eq!((sent, offer), (json!("2004-10-28"), json!("white")));
    let (said, sent, offer) = accepted("Mon, 01 Jan 1990 00:00:00 +0000", &[]);
    assert!(said.contains("the day he sent it is unknown."), "{said}");
    assert_eq!((sent, offer), (json!(null), json!(null)));
}

// Mails --------------------------------------------------------------------------------------------------------------

#[test]
fn take_is_idempotent() {
    let player = Player::waiting();
    let file = player.file("m7.eml", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    let first = player.run(&["take", &file]).result();
    assert!(first.ends_with("SAMPLE-1: move: 7. 5171 fits the record and is legal\n"), "{first}");
    let (games, outbox) = (player.export(), player.run(&["status", "--json"]).json()["outbox"].clone());
    let copy = player.file("copy.eml", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    let again = player.run(&["take", &file, &copy]).result();
    assert_eq!(again.matches("taken in before, nothing changes").count(), 2, "{again}");
    assert_eq!(player.export(), games);
    assert_eq!(player.run(&["status", "--json"]).json()["outbox"], outbox);
}

#[test]
fn the_same_mail_taken_by_several_processes_at_once_counts_once() {
    let player = Player::waiting();
    let file = player.file("m7.eml", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    let takers: Vec<Child> = (0..5)
        .map(|_| player.command().args(["take", &file]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let mut recorded = 0;
    for taker in takers {
        let output = taker.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        recorded += usize::from(said.contains(": move: "));
    }
    let status = player.run(&["status", "--json"]).json();
    assert_eq!(
        (recorded, status["games"][0]["ply"].as_u64(), status["outbox"].as_array().unwrap().len()),
        (1, Some(13), 1)
    );
}

#[test]
fn read_says_what_take_would_do_and_changes_no_byte() {
    let player = Player::waiting();
    let file = player.file("m7.eml", mail("m7", "EM/ZZ/042", "7. 5171   received 27.10. sent 30.10.   4/12\n"));
    let before = fs::read(player.path("data/amici.db")).unwrap();
    let said = player.run(&["read", &file]).result();
    insta::assert_snapshot!(player.masked(&said));
    assert_eq!(fs::read(player.path("data/amici.db")).unwrap(), before);
}

#[test]
fn read_gives_one_json_line_a_file_with_the_promised_keys() {
    let player = Player::waiting();
    let files = [
        player.file(
            "move.eml",
            mail("m7", "EM/ZZ/042", "7. 5171   received 27.10. sent 30.10.   3/11\n\nI offer a draw.\n"),
        ),
        player.file("held.eml", mail("h", "EM/ZZ/042", "7. 5171\n7. 4445\n")),
        player.file("illegal.eml", mail("i", "EM/ZZ/042", "7. 1118\n")),
        player.file("stranger.eml", mail_with("s", "a@example.com", "Offers", "", "Buy.\n")),
        player.file("wrong.eml", mail_with("w", "a@example.com", "EM/ZZ/042", "", "7. 5171\n")),
        player.file("doubt.eml", mail("d", "EM/ZZ/042", "Hi Tobin,\nperhaps 7. 5171\nIt rains here.\n")),
    ];
    let mut args = vec!["read", "--json"];
    args.extend(files.iter().map(String::as_str));
    let out = player.run(&args).result();
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let promised = [
        "conditionals",
        "days",
        "discrepancies",
        "doubt",
        "draw_offer",
        "game_id",
        "notes",
        "outcome",
        "plies",
        "reason",
        "received",
        "sent",
        "total",
        "unread",
    ];
    for line in &lines {
        assert_eq!(keys(line), ["schema", "file", "message_id", "from", "results"]);
        assert_eq!(line["schema"], 1);
        for key in promised {
            assert!(keys(&line["results"][0]).contains(&key), "{key} in {line}");
        }
    }
    let outcomes: Vec<&Value> = lines.iter().map(|l| &l["results"][0]["outcome"]).collect();
    assert_eq!(outcomes, ["move", "needs_human", "illegal", "not_game_mail", "wrong_sender", "needs_human"]);
    assert_eq!(lines[1]["results"][0]["candidates"], json!(["5171", "4445"]));
    let doubts: Vec<&Value> = lines.iter().map(|l| &l["results"][0]["doubt"]).collect();
    assert_eq!(doubts[1], &json!({"line": 1, "text": "7. 5171", "word": "5171", "code": "two-moves"}));
    assert_eq!(doubts[2], &json!({"line": 1, "text": "7. 1118", "word": "1118", "code": "not-legal"}));
    assert_eq!(doubts[5], &json!({"line": 2, "text": "perhaps 7. 5171", "word": "perhaps", "code": doubts[5]["code"]}));
    assert_eq!((doubts[3], doubts[4]), (&Value::Null, &Value::Null));
    assert_eq!(
        lines[5]["results"][0]["unread"],
        json!([{"line": 2, "text": "perhaps 7. 5171"}, {"line": 3, "text": "It rains here."}])
    );
    let said = player.run(&["read", &files[5]]).result();
    assert!(said.contains("reason    line 2, `perhaps 7. 5171`: \"perhaps\" "), "{said}");
    assert!(said.contains("he writes It rains here.   (line 3)\n"), "{said}");
    assert_eq!(
        lines[0],
        json!({"schema": 1, "file": "move.eml", "message_id": "<m7@example.org>", "from": "mila.ostrander@example.org", "results": [{
            "game_id": "SAMPLE-1", "outcome": "move", "plies": ["5171"], "received": "2004-10-27", "sent": "2004-10-30", "days": 3, "total": 11,
            "draw_offer": true, "conditionals": [], "reason": "7. 5171 fits the record and is legal", "discrepancies": [], "notes": [],
            "doubt": null, "unread": [{"line": 3, "text": "I offer a draw."}]
        }]})
    );
}

#[test]
fn a_file_that_is_no_mail_is_an_error_for_it_alone() {
    let player = Player::waiting();
    let good = player.file("m7.eml", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    let empty = player.file("empty.eml", "");
    let absent = player.path("absent.eml").display().to_string();
    let ran = player.run(&["read", "--json", &empty, &absent, &good]);
    assert_eq!((ran.code, ran.out.lines().count(), ran.err.lines().count()), (1, 1, 2), "{ran:?}");
    assert!(ran.err.contains("empty.eml: ") && ran.err.contains("absent.eml: cannot be read"), "{}", ran.err);
}

// What is shown ------------------------------------------------------------------------------------------------------

#[test]
fn status_shows_each_game_with_its_clock_on_a_given_day() {
    let player = Player::with_sample();
    player.import(&second_from_fen());
    player.import(&second("WAIT-2", |game| {
        game["white"]["name"] = json!("Okafor, Ben");
        game["moves"].as_array_mut().unwrap().pop();
    }));
    insta::assert_snapshot!(player.run(&["status", "--at", AT]).result());
}

#[test]
fn an_overstepped_clock_is_said_in_words() {
    let player = Player::with_sample();
    let shown = player.run(&["show", "SAMPLE-1", "--at", "2005-06-01T10:00:00Z"]).result();
    assert!(
        shown.contains(
            "for this move, OVERSTEPPED by 184 at move 10\n  at least by 183, however late the mail before is booked\n"
        ),
        "{shown}"
    );
    let last_day = player.run(&["show", "SAMPLE-1", "--at", "2004-11-28T10:00:00Z"]).result();
    assert!(last_day.contains(" left to move 10\nThinking"), "{last_day}");
}

#[test]
fn the_next_step_is_one_that_can_be_taken() {
    let player = Player::waiting();
    let next = || player.run(&["status"]).result().lines().last().unwrap().to_owned();
    let held = player.file("held.eml", mail_with("w", "a@example.com", "EM/ZZ/042", "", "7. 5171\n"));
    player.run(&["take", &held]).result();
    assert_eq!(next(), "Next: amici review   shows what is held, why, and what to do");
    let file = player.file("m7.eml", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    player.run(&["take", &file]).result();
    assert_eq!(next(), "Next: amici show SAMPLE-1   or   amici play SAMPLE-1 MOVE");
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    assert_eq!(next(), "Next: amici review   shows what is held, why, and what to do");
}

#[test]
fn status_as_json_has_the_promised_keys() {
    let player = Player::with_sample();
    let status = player.run(&["status", "--json", "--at", AT]).json();
    assert_eq!((&status["schema"], &status["now"], &status["last_check"]), (&json!(1), &json!(AT), &Value::Null));
    let mut game = status["games"][0].clone();
    assert_eq!(keys(&game["next_event"]), ["date", "kind", "words", "over"]);
    game["next_event"] = Value::Null;
    assert_eq!(
        game,
        json!({
            "id": "SAMPLE-1", "event": "EM/ZZ/042", "opponent": "Ostrander, Mila", "me": "black", "to_move": "black", "ply": 13,
            "last_move": {"numeric": "5171", "san": "O-O"}, "days_this_move": 3, "days_used": 30, "days_left": 27, "next_event": null,
            "flags": [], "need": "move", "result": null
        })
    );
}

#[test]
fn show_gives_board_score_and_clocks_of_a_given_day() {
    let player = Player::with_sample();
    insta::assert_snapshot!(player.run(&["show", "SAMPLE-1", "--at", AT]).result());
}

#[test]
fn show_as_json_is_the_document_and_what_the_rules_make_of_it() {
    let player = Player::new();
    player.import(&document(|game| {
        game["moves"][6]["days"] = json!(9);
        game["moves"][6]["total"] = json!(12);
    }));
    let shown = player.run(&["show", "SAMPLE-1", "--json", "--at", AT]).json();
    let exported = player.export()["games"][0].clone();
    for key in keys(&exported) {
        assert!(keys(&shown).contains(&key), "{key}");
        if key != "moves" {
            assert_eq!(shown[key], exported[key], "{key}");
        }
    }
    assert_eq!((&shown["schema"], &shown["plan"], &shown["held"]), (&json!(1), &Value::Null, &json!([])));
    assert_eq!(shown["fen"], "rnbq1rk1/ppp2pbp/3p1np1/4p3/2PPP3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 1 7");
    assert_eq!(
        shown["clocks"],
        json!({"white": {"days_used": 12, "days_this_move": 0, "days_left": 48, "until_move": 10, "partial": false},
               "black": {"days_used": 30, "days_this_move": 3, "days_left": 27, "until_move": 10, "partial": false}})
    );
    assert_eq!(
        shown["moves"][6],
        json!({"ply": 7, "numeric": "5254", "san": "e4", "received": "2004-09-25", "sent": "2004-09-26", "days": 1, "total": 4,
               "claimed_days": 9, "claimed_total": 12})
    );
    let own = ["ply", "numeric", "san", "received", "sent", "days", "total", "state"];
    assert_eq!(keys(&shown["moves"][7]), own);
}

// Everything else ----------------------------------------------------------------------------------------------------

#[test]
fn the_help_shows_every_command_in_its_group_on_every_screen() {
    let player = Player::new();
    let page = player.run(&["man"]).result();
    let commands: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("amici\\-")?.strip_suffix("(1)")).collect();
    for columns in ["60", "80", "200"] {
        let help = player.run_with(&["--help"], &[("COLUMNS", columns)]).result();
        let listed = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(' ')).map(|(name, _)| name);
        let listed: Vec<&str> = listed.filter(|name| !name.is_empty() && !name.starts_with('-')).collect();
        // the man page has the one that clap adds
        assert_eq!(listed, commands[..commands.len() - 1]);
        for group in ["Look", "Play", "Held mails", "Clock and care", "Games", "Service", "Options"] {
            assert_eq!(help.matches(&format!("\n\n{group}:\n  ")).count(), 1, "{group}: {help}");
        }
        let (groups, _) = help.split_once("\nOptions:").unwrap();
        assert!(groups.lines().all(|line| line.chars().count() <= columns.parse().unwrap_or(0).min(100)), "{groups}");
        for words in ["--data <DIR>", "--version", "did not release"] {
            assert!(help.contains(words), "{words}: {help}");
        }
    }
    assert_eq!(player.run(&["-h"]).result(), player.run(&["help"]).result());
    assert!(player.run(&["next"]).failure(2).contains("unrecognized subcommand"));
}

#[test]
fn completions_and_manual_pages_come_from_the_commands() {
    let player = Player::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(player.run(&["completions", shell]).result().contains("amici"), "{shell}");
    }
    assert!(player.run(&["completions", "tcsh"]).failure(1).contains("bash"));
    assert!(player.run(&["man"]).result().contains(".TH amici"));
    let play = player.run(&["man", "play"]).result();
    for told in [
        "dry",
        ".SH EXAMPLES",
        "amici play GAME MOVE \\-\\-draw",
        ".SH FILES",
        ".SH \"EXIT STATUS\"",
        "a confirmation is needed",
    ] {
        assert!(play.contains(told), "{told}: {play}");
    }
    assert!(player.run(&["man", "configuration"]).result().contains("authserv_id"));
    assert!(player.run(&["man", "nonsense"]).failure(1).contains("`nonsense`"));
}

/// What a shell is offered for the last word of a line.
fn offered(player: &Player, words: &[&str]) -> Vec<String> {
    let data = player.path("data").display().to_string();
    let mut line = vec!["--", "amici", "--data", data.as_str()];
    line.extend(words);
    let index = (line.len() - 2).to_string();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_amici"));
    command.args(&line).env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index).env("_CLAP_IFS", "\n");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_shell_completes_games_legal_moves_and_rule_sets() {
    let player = Player::waiting();
    assert_eq!(offered(&player, &["play", "sam"]), ["SAMPLE-1"]);
    assert!(offered(&player, &["play", "X"]).is_empty());
    let game = player.run(&["export", "SAMPLE-1"]).result();
    assert!(game.contains("SAMPLE-1"));
    let algebraic = offered(&player, &["play", "SAMPLE-1", "N"]);
    assert!(!algebraic.is_empty() && algebraic.iter().all(|san| san.starts_with('N')), "{algebraic:?}");
    let player = Player::with_sample();
    for numeric in offered(&player, &["play", "SAMPLE-1", "5"]) {
        player.run(&["play", "SAMPLE-1", &numeric, "-n", "--yes"]).result();
    }
    assert_eq!(offered(&player, &["new", "--rules", "iccf-email-2"]), ["iccf-email-2000", "iccf-email-2005"]);
    assert!(offered(&player, &["ignore", ""]).iter().all(|word| word.starts_with('-')), "no mail is held");
}

#[test]
fn nothing_is_coloured_in_a_pipe_whatever_the_terminal() {
    let player = Player::waiting();
    let terminal = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("RUST_LOG", "trace")];
    let mut plain = terminal.to_vec();
    plain.push(("NO_COLOR", "1"));
    // `run_with` looks for escapes in both streams
    for args in [&["status"][..], &["show", "SAMPLE-1"], &["play", "SAMPLE-1", "x"], &["--help"], &["nonsense"]] {
        let (with, without) = (player.run_with(args, &terminal), player.run_with(args, &plain));
        assert_eq!((with.code, with.out.is_empty()), (without.code, without.out.is_empty()), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let player = Player::with_sample();
    let mut command = player.command();
    let mut child = command.args(["show", "SAMPLE-1"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_demonstration_shows_four_outcomes_and_leaves_nothing_behind() {
    let player = Player::new();
    let said = player.run(&["demo"]).result();
    for line in [
        "DEMO-1: move: 7. 5171 fits the record and is legal",
        "DEMO-2: move: 2... 2836 fits the record and is legal",
        "DEMO-3: illegal: ",
        "DEMO-1: wrong_sender: mila@example.com is not an address of",
        "7... 2836   Nc6   knight b8-c6",
        "3 games: 2 yours, 1 theirs, 2 held",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    let mut left: Vec<_> = fs::read_dir(player.dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["config.toml"]);
}

/// A daemon in a process of its own, ended with the test.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Daemon {
    fn start(player: &Player, environment: &[(&str, &str)]) -> Daemon {
        let mut command = player.command();
        let log = fs::File::create(player.path("log")).unwrap();
        Daemon(command.arg("run").envs(environment.iter().copied()).stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }

    /// The same with a log that goes into a pipe; whoever holds its other end reads it or not.
    fn start_piped(player: &Player) -> (Daemon, std::process::ChildStderr) {
        let mut command = player.command();
        command.arg("run").env("RUST_LOG", "trace").stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let log = child.stderr.take().unwrap();
        (Daemon(child), log)
    }

    /// SIGTERM, as a service manager ends it.
    fn end(mut self) -> Option<i32> {
        kill(Pid::from_raw(self.0.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        self.0.wait().unwrap().code()
    }
}

#[test]
fn a_log_that_nobody_reads_or_that_is_closed_neither_ends_the_daemon_nor_holds_it_up() {
    for is_closed in [true, false] {
        let player = Player::waiting().with_maildir();
        let (daemon, log) = Daemon::start_piped(&player);
        let log = Some(log).filter(|_| !is_closed);
        let put = |name: &str, mail: &[u8]| fs::write(player.path("Maildir").join("new").join(name), mail).unwrap();
        for number in 0..500 {
            let mail = format!("From: <a@example.org>\nMessage-ID: <{number}@example.org>\n\nHello {number}\n");
            put(&format!("{number}.a.b"), mail.as_bytes());
        }
        until("a look", || player.run(&["health"]).code == 0);
        put("move.a.b", &super::intake::mail("m7", "EM/ZZ/042", "7. 5171\n"));
        until("the move", || player.game()["moves"].as_array().unwrap().len() == 13);
        assert_eq!(daemon.end(), Some(0), "closed: {is_closed}");
        drop(log);
    }
}

/// Asks until the answer is yes; a program that hangs fails the test.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "never came: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_daemon_that_was_killed_is_told_at_once() {
    let player = Player::waiting().with_maildir();
    let mut daemon = Daemon::start(&player, &[]);
    until("a healthy daemon", || player.run(&["health"]).code == 0);
    let process = format!("process {} on", daemon.0.id());
    daemon.0.kill().unwrap();
    daemon.0.wait().unwrap();
    let gone = player.run(&["health"]).failure(8);
    assert!(gone.contains(&process) && gone.contains("is gone") && gone.contains("help: amici run"), "{gone}");
    let _next = Daemon::start(&player, &[]);
    until("a healthy daemon", || player.run(&["health"]).code == 0);
}

#[test]
fn beside_a_running_daemon_everything_can_be_looked_at_and_no_second_one_starts() {
    let player = Player::waiting().with_maildir();
    let daemon = Daemon::start(&player, &[]);
    until("a healthy daemon", || player.run(&["health"]).code == 0);
    let refused = player.run(&["run"]).failure(1);
    assert!(refused.contains(&daemon.0.id().to_string()), "{refused}");
    player.run(&["poll"]).result();
    player.file("Maildir/new/m7", mail("m7", "EM/ZZ/042", "7. 5171\n"));
    until("the move", || player.run(&["status", "--json"]).json()["games"][0]["ply"] == 13);
    let played = player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    assert!(played.contains("The running daemon delivers the draft to tobin.q@example.net.\n"), "{played}");
    until("notice and draft", || player.run(&["status", "--json"]).json()["outbox"] == json!([]));
    assert_eq!(daemon.end(), Some(0));
    assert!(player.run(&["health"]).failure(8).contains("the daemon was stopped"));
    let log = fs::read_to_string(player.path("log")).unwrap();
    assert!(log.contains("stopped") && !log.contains('\x1b'), "{log}");
}

// What nobody may read in a log --------------------------------------------------------------------------------------

const CANARY: &str = "zwieback";
const PASSWORD: &str = "hunter2-canary";

/// Mails of every fate, each with the canary in its body.
fn canary_mails() -> Vec<(&'static str, Vec<u8>)> {
    let html = "MIME-Version: 1.0\nContent-Type: text/html\n";
    vec![
        ("a-held", mail("a", "EM/ZZ/042", &format!("7. 5171\n7. 4445\n\n{CANARY} and tea\n"))),
        ("b-sentence", mail("b", "EM/ZZ/042", &format!("I thought of 5171 {CANARY} but then\n"))),
        ("c-odd", mail("c", "EM/ZZ/042", &format!("7. {CANARY}\n7. 51{CANARY}\n"))),
        ("d-illegal", mail("d", "EM/ZZ/042", &format!("7. 1118\n{CANARY}\n"))),
        ("e-stranger", mail_with("e", "x@example.com", "Hi", "", &format!("{CANARY}\n"))),
        ("f-wrong", mail_with("f", "x@example.com", "EM/ZZ/042", "", &format!("7. 5171 {CANARY}\n"))),
        ("g-html", mail_with("g", MILA, "EM/ZZ/042", html, &format!("<p>{CANARY}</p>"))),
        ("h-automatic", mail_with("h", MILA, "EM/ZZ/042", "Auto-Submitted: auto-replied\n", &format!("{CANARY}\n"))),
        ("i-broken", format!("{CANARY}\r\n\r\n{CANARY}").into_bytes()),
        ("j-move", mail("j", "EM/ZZ/042", &format!("Dear Tobin, {CANARY} {CANARY}!\n\n7. 5171\n"))),
        ("k-repeat", mail("k", "EM/ZZ/042", &format!("7. 5171\n\nPS {CANARY}\n"))),
    ]
}

#[test]
fn no_output_and_no_log_at_its_most_talkative_holds_a_mails_words_or_a_password() {
    let trace = [("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")];
    let player = Player::waiting().with_maildir();
    let mut said = String::new();
    let mut note = |ran: Ran| said.push_str(&format!("{}{}", ran.out, ran.err));
    for (name, bytes) in canary_mails() {
        let file = player.file(name, &bytes);
        // what `read` answers is about the words of the mail
        for args in [&["read", &file][..], &["read", "--json", &file]] {
            note(Ran { out: String::new(), ..player.run_with(args, &trace) });
        }
        player.file(&format!("Maildir/new/{name}"), &bytes);
    }
    let daemon = Daemon::start(&player, &trace);
    until("every mail", || {
        let status = player.run(&["status", "--json"]).json();
        status["games"][0]["ply"] == 13 && status["outbox"] == json!([]) && status["not_read"] == json!([])
    });
    assert_eq!(daemon.end(), Some(0));
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["show", "SAMPLE-1"],
        &["show", "SAMPLE-1", "--json"],
        &["play", "SAMPLE-1", "Nc6"],
        &["poll"],
    ] {
        note(player.run_with(args, &trace));
    }
    let player = player.with_dead_servers(PASSWORD);
    for args in [&["check"][..], &["poll"], &["play", "SAMPLE-1", "Nbd7"]] {
        note(player.run_with(args, &trace));
    }
    let log = fs::read_to_string(player.path("log")).unwrap();
    for outcome in ["move", "needs_human", "illegal", "wrong_sender", "duplicate"] {
        assert!(log.contains(&format!("outcome=\"{outcome}\"")), "{outcome} in {log}");
    }
    said.push_str(&log);
    for line in said.to_lowercase().lines() {
        assert!(!line.contains(CANARY) && !line.contains(PASSWORD), "{line}");
    }
}

#[test]
fn a_notice_holds_the_words_of_an_opponents_mail_and_of_no_other() {
    let player = Player::waiting().with_maildir();
    for (name, bytes) in canary_mails() {
        player.file(&format!("Maildir/new/{name}"), &bytes);
    }
    player.run(&["poll"]).result();
    let mut notices = 0;
    for entry in fs::read_dir(player.path("Maildir/new")).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".amici") {
            notices += 1;
            let text = fs::read_to_string(path).unwrap().to_lowercase();
            assert_eq!(text.contains(CANARY), !text.contains("wrong sender"), "{text}");
        }
    }
    assert_eq!(notices, 7);
}

#[test]
fn a_held_mail_that_needs_nothing_is_put_away_once() {
    let player = Player::waiting();
    let file = player.file("held.eml", mail("h", "EM/ZZ/042", "7. 5171\n7. 4445\n"));
    player.run(&["take", &file]).result();
    let status = player.run(&["status", "--json"]).json();
    let number = status["held"][0]["mail"].to_string();
    assert_eq!(player.run(&["status", "--exit-code"]).code, 9);
    assert!(player.run(&["ignore", &number]).result().contains("nothing was recorded"));
    assert_eq!(player.run(&["status", "--json"]).json()["held"], json!([]));
    assert!(player.run(&["ignore", &number]).failure(1).contains("is not held"));
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["moves"].as_array().unwrap().len(), 12);
}

#[test]
fn a_game_is_closed_once_and_its_clocks_stand() {
    let player = Player::waiting();
    assert!(player.run(&["result", "SAMPLE-1", "1/2-1/2"]).result().contains("1/2-1/2"));
    let shown = player.run(&["show", "SAMPLE-1", "--json"]).json();
    assert_eq!((&shown["result"], &shown["to_move"]), (&json!("1/2-1/2"), &Value::Null));
    assert_eq!(shown["clocks"]["white"]["days_this_move"], 0);
    assert!(player.run(&["result", "SAMPLE-1", "1-0"]).failure(1).contains("is over already"));
    player.run(&["result", "SAMPLE-1", "2-0"]).failure(2);
    player.run(&["play", "SAMPLE-1", "5171"]).failure(1);
}

#[test]
fn of_a_finished_game_no_move_is_due_and_no_next_reply_is_told() {
    let player = Player::new();
    player.import(&document(|game| {
        let last = game["moves"].as_array_mut().unwrap().last_mut().unwrap();
        ["received", "days", "total"].iter().for_each(|key| drop(last.as_object_mut().unwrap().remove(*key)));
    }));
    let next = "Your next reply says";
    assert!(player.run(&["clock", "SAMPLE-1"]).result().contains(next));
    player.run(&["result", "SAMPLE-1", "1-0"]).result();
    assert!(!player.run(&["clock", "SAMPLE-1"]).result().contains(next));
    let said = player.run(&["explain", "SAMPLE-1", "7b"]).failure(1);
    assert!(said.contains("has no 7... on record; it is over: 1-0") && !said.contains("is due"), "{said}");
}
