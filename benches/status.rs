//! How long the player waits for `amici status`, `agenda` and `ical` with ten thousand games and a million plies in the database: the
//! program from its start to its last line, beside the `sqlite3` shell reading the same rows. `cargo bench --bench status`; it needs the
//! shell in the PATH.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use amici::config::Me;
use amici::domain::clock::ledger::Booking;
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveRecord, Stated};
use amici::io::store::{Asked, Store};
use amici::overview::{Overview, refresh};
use chrono::{DateTime, NaiveDate, Utc};
use divan::Bencher;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tempfile::TempDir;
use tokio::runtime::Runtime;

const SAMPLE: &str = include_str!("../tests/corpus/games/sample.json");
const GAMES: usize = 10_000;
const PLIES: usize = 100;
const AT: &str = "2004-11-02T10:00:00Z";
const ME: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Vienna\"\n";

/// A player's folders: all games running, or all but a hundred finished, or every move come or gone by mail.
struct Home {
    dir: TempDir,
    runtime: Runtime,
}

static RUNNING: LazyLock<Home> = LazyLock::new(|| Home::new(""));
static FINISHED: LazyLock<Home> = LazyLock::new(|| Home::new("UPDATE games SET result = '1-0' WHERE id > 100;"));
static BY_MAIL: LazyLock<Home> = LazyLock::new(|| Home::new(MAILS));

/// What a mail leaves behind, for every move of either side.
const MAILS: &str = "
    CREATE TEMP TABLE m AS SELECT moves.rowid AS id, game, ply, claimed_sent AS day, (ply % 2 = 1) = (me = 'white') AS own
        FROM moves JOIN games ON games.id = game;
    INSERT INTO mails (id, sha256, raw, size, message_id, from_address, subject, server_date, taken_at)
        SELECT id, randomblob(32), randomblob(700), 1500, '<m' || id || '@example.org>', 'mila@example.org', 'EM-' || game,
               day || 'T10:00:00Z', day || 'T10:05:00+00:00' FROM m;
    INSERT INTO arrivals (source, folder, epoch, uid, mail, attempts, state, size, server_date, noted_at)
        SELECT 'imap.example.net', iif(own, 'Sent', 'INBOX'), 1, id, id, 1, 'done', 1500, day || 'T10:00:00Z', day || 'T10:05:00+00:00'
        FROM m;
    INSERT INTO verdicts (mail, game, outcome, reason, plies, stated, discrepancies, candidates, open, decided_at)
        SELECT id, game, iif(own, 'own', 'move'), 'fits the record and is legal', '[]', '{}', '[]', '[]', 0, day || 'T10:05:00+00:00'
        FROM m;
    INSERT INTO sent (mail, game, ply, outcome, supplied, open) SELECT id, game, ply, 'recorded', 0, 0 FROM m WHERE own;
    INSERT INTO acts (at, kind, body) SELECT day || 'T10:05:00+00:00', 'mail', '{\"sha256\": \"' || hex(randomblob(32)) || '\"}' FROM m;
    INSERT INTO events (at, kind, game, mail, text) SELECT day || 'T10:05:00+00:00', 'move', game, id, 'a move came' FROM m;
    UPDATE moves SET mail = rowid;";

fn main() {
    divan::main();
}

/// The first opening moves of both knights, there and back.
fn game() -> Game {
    let mut game = Document::read(SAMPLE).unwrap().remove(0);
    let moves = ["7163", "7866", "6371", "6678"].iter().cycle().take(PLIES);
    let dates = Stated { received: Some(day("2004-10-20")), sent: Some(day("2004-10-21")), ..Stated::default() };
    game.moves = moves.map(|numeric| MoveRecord::claimed(numeric.parse().unwrap(), dates)).collect();
    game
}

fn me() -> Me {
    let (name, timezone) = ("Quillfeather, Tobin".to_owned(), chrono_tz::Europe::Vienna);
    Me {
        name,
        emails: Vec::new(),
        timezone,
        received: Booking::SameDay,
        language: Default::default(),
        picture: true,
        styles: Default::default(),
    }
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

impl Home {
    fn new(more: &str) -> Home {
        let home = Home { dir: TempDir::new().unwrap(), runtime: Runtime::new().unwrap() };
        std::fs::write(home.path("config.toml"), ME).unwrap();
        let now: DateTime<Utc> = AT.parse().unwrap();
        home.runtime.block_on(async {
            let mut store = Store::open(&home.path("data")).await.unwrap();
            store.import(&[(game(), "<root@example.net>".to_owned())], false, now).await.unwrap();
            let mut db = SqliteConnectOptions::new().filename(home.database()).connect().await.unwrap();
            db.execute(sqlx::AssertSqlSafe(copies(more))).await.unwrap();
            assert_eq!(refresh(&mut store, &me(), now).await.unwrap(), GAMES);
            db.execute("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE").await.unwrap();
        });
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn database(&self) -> PathBuf {
        self.path("data").join("amici.db")
    }

    /// Runs the program to its end, its output thrown away.
    fn amici(&self, args: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(self.path("config.toml")).arg("--data").arg(self.path("data"));
        finish(command.args(args).args(["--at", AT]));
    }

    /// Lets the shell read the rows that `status` reads.
    fn shell(&self) {
        const SAME: &str = "SELECT body FROM summaries WHERE over = 0";
        finish(Command::new("sqlite3").arg("-readonly").arg(self.database()).arg(SAME));
    }
}

fn finish(command: &mut Command) {
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

/// The game of key 1, ten thousand times.
fn copies(more: &str) -> String {
    let last = GAMES;
    format!(
        "BEGIN;
         CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < {last}) SELECT i FROM c;
         INSERT INTO games (id, name, event, site, me, start_date, start_fen, rules, notations, root_message_id, created_at)
             SELECT i, 'EM-' || i, event, site, me, start_date, start_fen, rules, notations, '<' || i || '@example.net>', created_at
             FROM n, games WHERE id = 1;
         INSERT INTO players (game, side, name) SELECT i, side, name FROM n, players WHERE game = 1;
         INSERT INTO moves (game, ply, numeric, claimed_received, claimed_sent, recorded_at)
             SELECT i, ply, numeric, claimed_received, claimed_sent, recorded_at FROM n, moves WHERE game = 1;
         {more}
         COMMIT;"
    )
}

#[divan::bench(sample_count = 30)]
fn a_text_all_running(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| home.amici(&["status"]));
}

#[divan::bench(sample_count = 30)]
fn b_text_a_hundred_running(bencher: Bencher) {
    let home = &*FINISHED;
    bencher.bench(|| home.amici(&["status"]));
}

#[divan::bench(sample_count = 30)]
fn b_text_all_running_with_a_million_mails(bencher: Bencher) {
    let home = &*BY_MAIL;
    bencher.bench(|| home.amici(&["status"]));
}

#[divan::bench(sample_count = 30)]
fn c_json_all_running(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| home.amici(&["status", "--json"]));
}

#[divan::bench(sample_count = 30)]
fn c_agenda_all_running(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| home.amici(&["agenda"]));
}

#[divan::bench(sample_count = 10)]
fn c_ical_all_running(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| home.amici(&["ical"]));
}

#[divan::bench(sample_count = 30)]
fn d_sqlite3_shell_reading_the_same_rows(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| home.shell());
}

#[divan::bench(sample_count = 30)]
fn e_the_program_doing_nothing(bencher: Bencher) {
    bencher.bench(|| finish(Command::new(env!("CARGO_BIN_EXE_amici")).arg("--version")));
}

#[divan::bench(sample_count = 30)]
fn f_overview_alone(bencher: Bencher) {
    let home = &*RUNNING;
    bencher.bench(|| {
        home.runtime.block_on(async {
            let mut store = Store::open_existing_read_only(&home.path("data")).await.unwrap();
            let overview = Overview::load(&mut store, &me(), day("2004-11-02"), Asked::All).await.unwrap();
            assert_eq!(overview.summaries().unwrap().len(), GAMES);
        });
    });
}
