//! The program as the player has it: a configuration, a data folder, games, and the real binary as a child process.
//!
//! What the program says is read here from its output; what lies in a mailbox is read past it, by `support`.
//! A daemon ends with its test, also when the test program is killed.

use crate::support::{PLAYER, Servers, guarded, poll, poll_for};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Executor};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const AMICI: &str = env!("CARGO_BIN_EXE_amici");

/// What the tests vary in the configuration.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) host: String,
    pub(crate) imap_port: u16,
    pub(crate) smtp_port: u16,
    pub(crate) poll: String,
    pub(crate) folders: Vec<String>,
    /// Lines of both server sections that say whose certificates are good.
    pub(crate) trust: String,
    pub(crate) resend_after: String,
    /// `implicit` or `starttls`.
    pub(crate) security: String,
    /// Who he is on the servers.
    pub(crate) address: &'static str,
    /// Where the player lives.
    pub(crate) zone: String,
    /// More sections.
    pub(crate) more: String,
}

/// One player with his own files.
pub(crate) struct Player {
    folder: TempDir,
    settings: Settings,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// No test runs into a midnight, or into the hour of the digest.
fn zone_where_it_is_noon() -> String {
    let hour = i64::from(chrono::Timelike::hour(&chrono::Utc::now()));
    // the names count westwards: Etc/GMT-3 is three hours ahead
    match hour - 12 {
        0 => "Etc/UTC".to_owned(),
        behind => format!("Etc/GMT{behind:+}"),
    }
}

impl Player {
    /// A player with an account on both servers, and the right password.
    pub(crate) fn of(servers: &Servers) -> Self {
        Self::with(servers, |_| {})
    }

    /// The same with other settings.
    pub(crate) fn with(servers: &Servers, change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::Builder::new().prefix("amici-player-").tempdir().expect("a folder");
        let mut settings = Settings {
            host: servers.host(),
            imap_port: servers.imaps_port(),
            smtp_port: servers.smtps_port(),
            poll: "1s".to_owned(),
            folders: vec!["INBOX".to_owned()],
            trust: format!("ca_file = \"{}\"", servers.ca_file().display()),
            resend_after: "5s".to_owned(),
            security: "implicit".to_owned(),
            address: PLAYER,
            zone: zone_where_it_is_noon(),
            more: String::new(),
        };
        change(&mut settings);
        let mut player = Self { folder, settings };
        player.password(servers.password(player.settings.address));
        player.change(|_| {});
        player
    }

    /// Writes the configuration anew.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        let Settings { host, imap_port, smtp_port, poll, folders, trust, resend_after, security, address, zone, more } =
            &self.settings;
        let account = format!(
            "host = \"{host}\"\nuser = \"{address}\"\npassword.file = \"{}\"\n{trust}\n",
            self.file("password").display()
        );
        let text = format!(
            "[me]\nname = \"Quillfeather, Ann\"\nemails = [\"{address}\"]\ntimezone = \"{zone}\"\n\
             [imap]\nport = {imap_port}\npoll = \"{poll}\"\nfolders = {folders:?}\n{account}\
             [smtp]\nport = {smtp_port}\nsecurity = \"{security}\"\n{account}\
             [limits]\nlargest_mail_mib = 1\nresend_after = \"{resend_after}\"\nlogins_per_hour = 100000\n{more}"
        );
        fs::write(self.file("config.toml"), text).expect("own folder is writable");
    }

    /// Writes the file with the password.
    pub(crate) fn password(&self, password: &str) {
        let file = self.file("password");
        fs::write(&file, password).expect("own folder is writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("own file");
    }

    /// Changes the player's database behind the program's back.
    pub(crate) fn sql(&self, sql: &'static str) {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(self.file("data").join("amici.db"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut db = options.connect().await.expect("the database");
            db.execute(sql).await.expect("a statement");
        });
    }

    /// A file of the player.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, args: &[&str]) -> Vec<String> {
        let mut all = vec![
            "--config".to_owned(),
            self.file("config.toml").display().to_string(),
            "--data".to_owned(),
            self.file("data").display().to_string(),
        ];
        all.extend(args.iter().map(|arg| (*arg).to_owned()));
        all
    }

    /// A player before he has set anything up: no configuration, no data.
    pub(crate) fn new_to_it(servers: &Servers) -> Self {
        let player = Self::of(servers);
        for name in ["config.toml", "password"] {
            fs::remove_file(player.file(name)).expect("own file");
        }
        player
    }

    /// Runs a command to its end.
    pub(crate) fn amici(&self, args: &[&str]) -> Ended {
        self.amici_with(args, "", &[])
    }

    /// Runs a command that reads `input`, with more variables.
    pub(crate) fn amici_with(&self, args: &[&str], input: &str, variables: &[(&str, String)]) -> Ended {
        let mut command = Command::new(AMICI);
        command.args(self.arguments(args)).env_remove("RUST_LOG").envs(variables.iter().map(|(k, v)| (k, v)));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program can be started");
        // one that reads nothing may be gone already
        let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        Ended {
            code: output.status.code().expect("an exit code, not a signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Runs a command that must succeed; gives what it prints.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ended = self.amici(args);
        assert_eq!(ended.code, 0, "amici {args:?}: {} {}", ended.out, ended.err);
        ended.out
    }

    /// Runs a command that must succeed and prints one JSON document.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).expect("JSON")
    }

    /// Takes games in.
    pub(crate) fn import(&self, games: &[Value]) {
        let file = self.file("games.json");
        let document = json!({"schema": 1, "games": games});
        fs::write(&file, document.to_string()).expect("own folder is writable");
        self.ok(&["import", file.to_str().expect("UTF-8")]);
    }

    /// The moves on record, in numeric notation.
    pub(crate) fn moves(&self, game: &str) -> Vec<String> {
        numerics(&self.json(&["show", game, "--json"]))
    }

    /// The moves on record of all games, by their ids.
    pub(crate) fn all_moves(&self) -> std::collections::BTreeMap<String, Vec<String>> {
        let document = self.json(&["export", "--format", "json"]);
        let games = document["games"].as_array().expect("a list of games");
        let id = |game: &Value| game["id"].as_str().expect("an id").to_owned();
        games.iter().map(|game| (id(game), numerics(game))).collect()
    }

    /// `amici status --json`.
    pub(crate) fn status(&self) -> Value {
        self.json(&["status", "--json"])
    }

    /// Starts the daemon.
    pub(crate) fn run(&self) -> Daemon {
        self.run_with("info")
    }

    /// Starts the daemon with another `RUST_LOG`.
    pub(crate) fn run_with(&self, level: &str) -> Daemon {
        let log = self.file("log");
        let output = File::options().create(true).append(true).open(&log).expect("log file");
        let mut command = Command::new(AMICI);
        command.args(self.arguments(&["run"])).env("RUST_LOG", level).env("NO_COLOR", "1");
        let child = guarded(&command)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(output)
            .spawn()
            .expect("the program can be started");
        Daemon { child, log }
    }

    /// Waits until `seen` holds for `amici status --json`; panics with the last one when it never does.
    pub(crate) fn await_status(&self, what: &str, mut seen: impl FnMut(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        poll(|| {
            last = self.status();
            seen(&last).then_some(())
        })
        .unwrap_or_else(|| panic!("status never shows {what}: {last:#}\n{}", self.log()));
        last
    }

    /// What the daemon has logged so far, over all its runs.
    pub(crate) fn log(&self) -> String {
        fs::read(self.file("log")).map_or_else(|_| String::new(), |log| String::from_utf8_lossy(&log).into_owned())
    }
}

fn numerics(game: &Value) -> Vec<String> {
    let moves = game["moves"].as_array().expect("a list of moves");
    let numeric = |m: &Value| m["numeric"].as_str().expect("numeric").to_owned();
    moves.iter().map(numeric).collect()
}

/// A running `amici run`; dropping it kills it.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    /// Its process.
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("a process id fits")
    }

    /// Whether it still runs.
    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().expect("own child").is_none()
    }

    /// SIGKILL, as by a crash of the machine.
    pub(crate) fn kill(mut self) {
        kill(Pid::from_raw(self.pid()), Signal::SIGKILL).expect("it still runs");
        self.child.wait().expect("own child");
    }

    /// SIGTERM; gives how it ended. A service manager gives it 90 s at most; here it has 20, on a machine under load.
    pub(crate) fn terminate(mut self) -> ExitStatus {
        kill(Pid::from_raw(self.pid()), Signal::SIGTERM).expect("it still runs");
        let ended = poll_for(Duration::from_secs(20), || self.child.try_wait().expect("own child"));
        ended.unwrap_or_else(|| {
            panic!("SIGTERM does not end it:\n{}", fs::read_to_string(&self.log).unwrap_or_default())
        })
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // fails only when the whole group has ended already
        let _ = killpg(Pid::from_raw(self.pid()), Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

/// A game document in which nothing is disputed; `me` is `white` or `black`.
pub(crate) fn game(id: &str, opponent: &str, me: &str, moves: &[&str]) -> Value {
    let mine = json!({"name": "Quillfeather, Ann", "emails": [PLAYER]});
    let his = json!({"name": format!("{}, Opponent", surname(opponent)), "emails": [opponent]});
    let (white, black) = if me == "white" { (mine, his) } else { (his, mine) };
    let start = chrono::Utc::now().date_naive() - chrono::Days::new(10);
    let moves: Vec<_> = moves.iter().map(|m| json!({"numeric": m})).collect();
    json!({
        "id": id, "event": "EM/ZZ/042", "site": "ICCF", "white": white, "black": black, "me": me,
        "start_date": start, "rules": "iccf-email-2000", "notations": ["iccf"], "moves": moves,
    })
}

fn surname(address: &str) -> &str {
    address.split('@').next().expect("an address")
}

/// A mail of an opponent, sent now.
pub(crate) fn mail(from: &str, id: &str, subject: &str, text: &str) -> Vec<u8> {
    let date = chrono::Utc::now().to_rfc2822();
    format!(
        "From: {} <{from}>\r\nTo: {PLAYER}\r\nSubject: {subject}\r\nDate: {date}\r\nMessage-ID: <{id}@example.com>\r\n\r\n{}\r\n",
        surname(from),
        text.replace('\n', "\r\n")
    )
    .into_bytes()
}

/// The value of a mail's header, unfolded; panics unless it stands there exactly once.
pub(crate) fn header(mail: &[u8], name: &str) -> String {
    let mut found = headers(mail, name);
    assert_eq!(found.len(), 1, "{name} in {}", String::from_utf8_lossy(mail));
    found.remove(0)
}

/// All values of a mail's header, unfolded.
pub(crate) fn headers(mail: &[u8], name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(mail);
    let head = text.split("\r\n\r\n").next().expect("a head").replace("\r\n ", " ").replace("\r\n\t", " ");
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim().to_owned())
        .collect()
}

/// The mails in the player's INBOX that the program has made, by their subjects' start.
pub(crate) fn letters(servers: &Servers) -> Vec<Vec<u8>> {
    let mut mails = servers.mails(PLAYER, "INBOX");
    mails.retain(|mail| header(mail, "Subject").starts_with("[amici"));
    mails
}

/// Waits until so many mails of the program lie in the player's INBOX; panics with its log when they do not come.
pub(crate) fn await_letters(servers: &Servers, player: &Player, count: usize) -> Vec<Vec<u8>> {
    poll(|| Some(letters(servers)).filter(|letters| letters.len() >= count))
        .unwrap_or_else(|| panic!("{count} letters do not come, only {}:\n{}", letters(servers).len(), player.log()))
}
