//! Several accounts in one service, as a club's secretary has them: two players with a mailbox each, who play each other under one name of
//! the game, and what is told and refused.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::cli::{Player, until};
use super::intake::ME;

const ABOVE: &str = "[me]\ntimezone = \"Europe/Vienna\"\n";

/// Ada has White and Ben Black in CLUB-1; each has another game that has a name of its own.
pub(crate) struct Club(pub(crate) Player);

impl Club {
    pub(crate) fn new() -> Club {
        let club = Club::empty();
        club.begins("ada", "CLUB-1", "ben", "white");
        club.begins("ben", "CLUB-1", "ada", "black");
        club.begins("ada", "CLUB-2-MILA", "mila", "black");
        club
    }

    fn empty() -> Club {
        let club = Club(Player::new());
        for name in ["ada", "ben"] {
            for part in ["cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Sent/tmp"] {
                fs::create_dir_all(club.0.path(name).join(part)).unwrap();
            }
        }
        club.configure(&[club.account("ada"), club.account("ben")]);
        club
    }

    pub(crate) fn account(&self, name: &str) -> String {
        format!(
            "[[account]]\nname = \"{name}\"\n[account.me]\nname = \"{name}\"\nemails = [\"{name}@example.org\"]\n\
             [account.maildir]\npath = \"{}\"\npoll = \"1s\"\n",
            self.0.path(name).display()
        )
    }

    pub(crate) fn configure(&self, accounts: &[String]) {
        self.0.configure(&format!("{ABOVE}{}", accounts.concat()));
    }

    fn begins(&self, account: &str, id: &str, opponent: &str, color: &str) {
        let email = format!("{opponent}@example.org");
        let game = ["new", id, "--opponent", opponent, "--email", &email, "--color", color];
        let more = ["--event", "CLUB", "--start", "2004-10-25", "--account", account];
        self.0.run(&[&game[..], &more[..]].concat()).result();
    }

    /// The same mail may come to several mailboxes.
    fn arrives(&self, account: &str, mail: &str) {
        let name = format!("{}.a.b", fs::read_dir(self.0.path(account).join("new")).unwrap().count());
        fs::write(self.0.path(account).join("new").join(name), mail).unwrap();
    }

    fn plies(&self, account: &str, id: &str) -> usize {
        let shown = self.0.run(&["show", id, "--json", "--account", account]).json();
        shown["moves"].as_array().unwrap().len()
    }
}

fn mail(from: &str, to: &str, id: &str, body: &str) -> String {
    format!(
        "Received: from mx.example.org by mail.example.org; Sat, 30 Oct 2004 18:22:05 +0000\r\nFrom: {from} <{from}@example.org>\r\n\
         To: {to}@example.org\r\nSubject: CLUB-1\r\nDate: Sat, 30 Oct 2004 20:21:00 +0200\r\nMessage-ID: <{id}@example.org>\r\n\r\n{body}\r\n"
    )
}

#[test]
fn a_mail_of_one_player_to_another_is_a_move_in_the_mailbox_of_the_other_alone() {
    let club = Club::new();
    let first = mail("ada", "ben", "m1", "1. 5254");
    // she sends herself a copy; and by mistake he has his answer to her in his own mailbox too
    club.arrives("ben", &first);
    club.arrives("ada", &first);
    club.0.run(&["poll"]).result();
    assert_eq!((club.plies("ada", "CLUB-1"), club.plies("ben", "CLUB-1")), (0, 1));
    club.0.run(&["play", "CLUB-1", "e5", "--account", "ben"]).result();
    let answer = mail("ben", "ada", "m2", "1. 5254 5755");
    club.arrives("ben", &answer);
    club.arrives("ada", &answer);
    club.0.run(&["poll"]).result();
    assert_eq!(
        club.plies("ben", "CLUB-1"),
        1,
        "his own words are no move of his opponent's, nor are they seen to be sent"
    );
    let held = club.0.run(&["status", "--json"]).json()["held"].clone();
    assert!(held.as_array().unwrap().iter().all(|held| held["account"] == "ada"), "{held:#}");
    // each notice is in the mailbox of its player
    let notices = |account: &str| {
        let mails = ["new", "cur"].map(|part| fs::read_dir(club.0.path(account).join(part)).unwrap());
        let texts = mails.into_iter().flatten().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        texts.filter(|text| text.contains("[amici CLUB-1")).collect::<Vec<_>>()
    };
    for account in ["ada", "ben"] {
        let notices = notices(account);
        assert!(!notices.is_empty(), "{account}");
        let to = format!("To: {account} <{account}@example.org>");
        assert!(
            notices.iter().all(|notice| notice.contains(&to) || notice.contains(&format!("To: {account}@"))),
            "{notices:#?}"
        );
    }
}

#[test]
fn a_move_that_one_sent_is_hers_and_received_by_the_other() {
    let club = Club::new();
    club.0.run(&["play", "CLUB-1", "e4", "--account", "ada"]).result();
    let sent = mail("ada", "ben", "m1", "1. 5254");
    fs::write(club.0.path("ada").join(".Sent/cur/1.a.b:2,S"), &sent).unwrap();
    club.arrives("ben", &sent);
    club.0.run(&["poll"]).result();
    assert_eq!((club.plies("ada", "CLUB-1"), club.plies("ben", "CLUB-1")), (1, 1));
    club.0.run(&["play", "CLUB-1", "e5", "--account", "ben"]).result();
    club.arrives("ada", &mail("ben", "ada", "m2", "1. 5254 5755"));
    club.0.run(&["poll"]).result();
    assert_eq!((club.plies("ada", "CLUB-1"), club.plies("ben", "CLUB-1")), (2, 1), "what he sent is not seen yet");
}

#[test]
fn a_game_tells_whose_command_it_is_and_where_it_does_not_that_is_asked() {
    let club = Club::new();
    let both = club.0.run(&["show", "CLUB-1"]).failure(2);
    assert_eq!(both, "error: CLUB-1 may be CLUB-1 of ada or CLUB-1 of ben\nhelp: say whose with --account NAME\n");
    assert!(club.0.run(&["show", "club-2"]).result().contains("mila"), "a part of the name, which only one has");
    assert!(club.0.run(&["note", "CLUB-2-MILA", "1.", "mine"]).code != 2);
    let none = club.0.run(&["show", "CLUB-9"]).failure(4);
    assert_eq!(none, "error: there is no game CLUB-9 of ada, ben\nhelp: `amici status` lists all games\n");
    let none = club.0.run(&["show", "CLUB-2-MILA", "--account", "ben"]).failure(4);
    assert!(none.contains("there is no game CLUB-2-MILA"), "{none}");
    // nothing tells whose a new game, a mail or a leave is
    let which = "error: which account? There are ada, ben\nhelp: say it with --account NAME\n";
    let game = ["new", "CLUB-2-MILA", "--opponent", "x", "--email", "x@example.net", "--color", "white"];
    for line in
        [&game[..], &["ignore", "1"], &["leave", "add", "2026-01-01..2026-01-02"], &["export"], &["adopt", "--mailbox"]]
    {
        assert_eq!(club.0.run(line).failure(2), which, "{line:?}");
    }
    let mixed = club.0.run(&["leave", "add", "2026-01-01..2026-01-02", "--game", "CLUB-2-MILA", "--game", "CLUB-1"]);
    assert!(mixed.failure(2).contains("CLUB-1 may be"));
    let unknown = club.0.run(&["status", "--account", "eve"]).failure(2);
    assert_eq!(unknown, "error: there is no account eve\nhelp: there are ada, ben\n");
    let alone = Player::new().run(&["status", "--account", "eve"]).failure(2);
    assert_eq!(alone, "error: the configuration has one account, and that has no name\nhelp: leave out --account\n");
}

#[test]
fn status_and_agenda_show_all_accounts_or_one() {
    let club = Club::new();
    let text = club.0.run(&["status"]).result();
    let heads: Vec<&str> = text.lines().filter(|line| ["ada", "ben"].contains(line)).collect();
    assert_eq!(heads, ["ada", "ben"], "{text}");
    assert!(text.starts_with("ada\n===\n2 games: 1 yours, 1 theirs"), "{text}");
    let one = club.0.run(&["status", "--account", "BEN"]).result();
    assert!(one.starts_with("1 game: 0 yours, 1 theirs") && !one.contains("ada\n==="), "{one}");
    let document = club.0.run(&["status", "--json"]).json();
    let games: Vec<(&Value, &Value)> =
        document["games"].as_array().unwrap().iter().map(|game| (&game["account"], &game["id"])).collect();
    assert_eq!(games.len(), 3);
    for game in [("ada", "CLUB-1"), ("ada", "CLUB-2-MILA"), ("ben", "CLUB-1")] {
        assert!(games.contains(&(&json!(game.0), &json!(game.1))), "{games:?}");
    }
    assert_eq!((&document["schema"], &document["accounts"][1]["account"]), (&json!(1), &json!("ben")));
    let plain = club.0.run(&["status", "--plain"]).result();
    let ends: Vec<&str> = plain.lines().map(|line| line.rsplit('\t').next().unwrap()).collect();
    assert_eq!(ends, ["ada", "ada", "ben"], "{plain}");
    let agenda = club.0.run(&["agenda", "--json", "--days", "60"]).json();
    assert!(agenda["marks"].as_array().unwrap().iter().all(|mark| mark["account"].is_string()), "{agenda:#}");
    for line in [&["review"][..], &["leave", "list"], &["verify"]] {
        let text = club.0.run(line).result();
        assert!(text.starts_with("ada\n===\n") && text.contains("\nben\n===\n"), "{line:?}: {text}");
    }
    // of one account all is as if there were no other
    let document = club.0.run(&["status", "--json", "--account", "ben"]).json();
    assert!(document["games"][0].get("account").is_none() && document.get("accounts").is_none(), "{document:#}");
}

#[test]
fn games_of_an_account_that_is_gone_are_never_dropped_in_silence() {
    let club = Club::new();
    club.configure(&[club.account("ada")]);
    for command in ["status", "run", "poll", "check", "health"] {
        let lost = club.0.run(&[command]).failure(3);
        let lost = club.0.masked(&lost);
        assert!(
            lost.starts_with(
                "error: 1 game lies in [DIR]/data/accounts/ben, and [DIR]/config.toml has no account ben: nobody reads their mails\n\
                 help: give ben its [[account]] again, or rename the folder"
            ),
            "{command}: {lost}"
        );
    }
    assert_eq!(club.0.run(&["show", "CLUB-1"]).code, 0, "what is about one game goes on");
    club.0.run(&["status", "--account", "ada"]).result();
    // the help helps
    fs::rename(club.0.path("data/accounts/ben"), club.0.path("ben-is-gone")).unwrap();
    assert!(club.0.run(&["status"]).result().starts_with("2 games"), "there is only one account");
    // from several back to the one without a name
    club.0.configure(ME);
    let lost = club.0.run(&["status"]).failure(3);
    assert!(lost.contains("2 games lie in") && lost.contains("has no account ada"), "{lost}");
}

#[test]
fn games_of_the_one_player_become_those_of_an_account_by_the_commands_that_are_told() {
    let club = Club::empty();
    club.0.configure(&format!("{ME}[maildir]\npath = \"{}\"\n", club.0.path("ada").display()));
    let game = ["new", "OLD-1", "--opponent", "x", "--email", "x@example.net", "--color", "white"];
    club.0.run(&game).result();
    club.configure(&[club.account("ada"), club.account("ben")]);
    let lost = club.0.run(&["status"]).failure(3);
    assert!(club.0.masked(&lost).starts_with("error: 1 game lies in [DIR]/data without an account"), "{lost}");
    let told = lost.split_once("while amici does not run: ").unwrap().1.replace("NAME", "ada");
    assert!(std::process::Command::new("sh").args(["-c", told.trim()]).status().unwrap().success());
    assert_eq!(club.0.run(&["status", "--json"]).json()["games"][0]["account"], "ada");
    assert_eq!(club.0.run(&["show", "OLD-1"]).code, 0);
}

/// A port at which nobody answers.
fn dead() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Ben's servers are down.
fn with_ben_down(club: &Club) {
    let server = |section: &str| {
        format!(
            "[account.{section}]\nhost = \"127.0.0.1\"\nport = {}\nuser = \"ben\"\npassword.command = [\"echo\", \"x\"]\n",
            dead()
        )
    };
    let ben = "[[account]]\nname = \"ben\"\n[account.me]\nname = \"ben\"\nemails = [\"ben@example.org\"]\n";
    club.configure(&[format!("{ben}{}{}", server("imap"), server("smtp")), club.account("ada")]);
}

#[test]
fn one_account_whose_server_is_down_keeps_no_poll_and_no_check_from_the_others() {
    let club = Club::new();
    with_ben_down(&club);
    club.arrives("ada", &mail("mila", "ada", "m1", "1. 5254").replace("CLUB-1", "CLUB-2-MILA"));
    let polled = club.0.run(&["poll"]);
    assert_eq!(polled.code, 7, "{polled:?}");
    assert!(polled.out.starts_with("ben\n===\nerror: "), "{polled:?}");
    assert_eq!(club.plies("ada", "CLUB-2-MILA"), 1);
    let checked = club.0.run(&["check", "--json"]);
    let document: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!((checked.code, &document["ok"]), (7, &json!(false)));
    let wrong = document["steps"].as_array().unwrap().iter().filter(|step| step["ok"] == false);
    assert!(wrong.map(|step| step["account"].as_str().unwrap()).all(|account| account == "ben"), "{document:#}");
}

/// The service, ended with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn one_service_reads_for_all_and_an_outage_of_one_server_stops_no_other() {
    let club = Club::new();
    with_ben_down(&club);
    let log = fs::File::create(club.0.path("log")).unwrap();
    let mut service = Service(club.0.command().arg("run").stdout(Stdio::null()).stderr(log).spawn().unwrap());
    let health = || club.0.run(&["health", "--json"]);
    let of = |account: &str| {
        let document: Value = serde_json::from_str(&health().out).unwrap();
        let all = document["accounts"].as_array().unwrap().clone();
        all.into_iter().find(|own| own["account"] == account).unwrap()
    };
    until("a look for ada", || of("ada")["last_check"].is_string());
    until("the trouble of ben", || of("ben")["last_error"].is_string());
    // ben's server has been down before ada's mail comes
    club.arrives("ada", &mail("mila", "ada", "m1", "1. 5254").replace("CLUB-1", "CLUB-2-MILA"));
    until("the move", || club.plies("ada", "CLUB-2-MILA") == 1);
    let told = club.0.run(&["health"]).failure(8);
    assert!(
        told.contains("ada: alive; mail checked") && told.contains("ben: alive, but the mailbox was never checked"),
        "{told}"
    );
    assert_eq!(serde_json::from_str::<Value>(&health().out).unwrap()["ok"], json!(false));
    club.0.run(&["health", "--account", "ada"]).result();
    // a command wakes the daemon of its account, and no second service starts
    let polled = club.0.run(&["poll", "--account", "ada"]).result();
    assert_eq!(polled, "nothing new\n");
    let second = club.0.run(&["run"]).failure(1);
    assert!(second.starts_with("error: account ben: ") && second.contains(&service.0.id().to_string()), "{second}");
    kill(Pid::from_raw(service.0.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
    assert_eq!(service.0.wait().unwrap().code(), Some(0));
    let ended = club.0.run(&["health"]).failure(8);
    assert_eq!(ended, "error: ben: the daemon was stopped\nada: the daemon was stopped\nhelp: amici run\n");
    let log = fs::read_to_string(club.0.path("log")).unwrap();
    assert!(
        log.lines().any(|line| line.contains("account{name=ben}") && line.contains("the mailbox was not checked")),
        "{log}"
    );
    assert!(!log.lines().any(|line| line.contains("account{name=ada}") && line.contains("ERROR")), "{log}");
}

#[test]
fn what_is_wrong_with_two_accounts_is_told_by_each_command() {
    let club = Club::empty();
    club.configure(&[club.account("ada"), club.account("ada")]);
    let wrong = club.0.run(&["status"]).failure(3);
    assert_eq!(
        club.0.masked(&wrong),
        "error: [DIR]/config.toml: 1 problem\n  account.2.name: `ada` is the name of an account above\n    help: give each a name of its own\n"
    );
    club.configure(&[club.account("ada"), club.account("ben").replace("ben@", "ada@")]);
    let wrong = club.0.run(&["show", "X"]).failure(3);
    assert!(wrong.contains("account.ben.me.emails: `ada@example.org` is an address of account ada too"), "{wrong}");
}
