//! How long a file of 10,000 games of 80 plies takes: in `amici import`, from the program's start to its end; beside it what bounds it,
//! shakmaty playing the same moves and SQLite taking the same rows; the same file in pgn-extract and python-chess, where they are
//! installed (`AMICI_PYTHON` names the Python that has `chess`); and parts of it. `cargo bench --bench pgn`; the share of shakmaty and
//! SQLite in the CPU time of the import stands at its end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    missing_docs
)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};

use amici::domain::clock::rules::Wanted;
use amici::domain::document::Document;
use amici::domain::game::{Game, GameResult, MoveRecord, Stated};
use amici::domain::pgn::{Ids, Options, Request, games, owned, write};
use amici::io::store::Store;
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use nix::sys::resource::{UsageWho, getrusage};
use shakmaty::san::San;
use shakmaty::{Chess, Position};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use support::{moves, python};
use tempfile::TempDir;
use tokio::runtime::Runtime;

mod support;

const SAMPLE: &str = include_str!("../tests/corpus/games/sample.json");
const GAMES: usize = 10_000;
const PLIES: usize = 80;
const NOW: &str = "2004-10-30T18:30:00Z";
const CONFIG: &str =
    "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Vienna\"\n";

/// The least CPU time of each measured work, in seconds.
static CPU: Mutex<BTreeMap<&str, f64>> = Mutex::new(BTreeMap::new());

/// CPU seconds of this process and of those that it started and waited for.
fn cpu() -> f64 {
    let seconds = |who| {
        let used = getrusage(who).unwrap();
        [used.user_time(), used.system_time()].iter().map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6).sum::<f64>()
    };
    seconds(UsageWho::RUSAGE_SELF) + seconds(UsageWho::RUSAGE_CHILDREN)
}

/// Does a work and notes its CPU time.
fn noted<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let before = cpu();
    let done = work();
    let used = cpu() - before;
    CPU.lock().unwrap().entry(name).and_modify(|least| *least = least.min(used)).or_insert(used);
    done
}

/// The games, and their file.
static GIVEN: LazyLock<(Vec<Game>, String)> = LazyLock::new(|| {
    let like = Document::read(SAMPLE).unwrap().remove(0);
    let mut seed = 1_u64;
    let given: Vec<Game> = (0..GAMES)
        .map(|number| Game {
            id: format!("G-{number}").parse().unwrap(),
            moves: moves(&mut seed, PLIES)
                .into_iter()
                .map(|played| MoveRecord::claimed(played, Stated::default()))
                .collect(),
            result: Some(GameResult::Draw),
            ..like.clone()
        })
        .collect();
    let texts: Vec<String> = given.iter().map(|game| write(game, &Options::default()).unwrap()).collect();
    (given, texts.join("\n"))
});

fn taken(file: &str) -> Vec<Game> {
    let emails = ["tobin.q@example.net".to_owned()];
    let request = Request {
        name: "Tobin Quillfeather",
        emails: &emails,
        me: None,
        opponent_email: None,
        rules: &Wanted::default(),
        today: chrono::NaiveDate::MAX,
    };
    let mut ids = Ids::default();
    games(file.as_bytes()).map(|game| owned(&game.unwrap(), &request, &mut ids).unwrap().game).collect()
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_and_play(bencher: Bencher) {
    let file = &GIVEN.1;
    bencher
        .counter(ItemsCount::new(GAMES))
        .counter(BytesCount::of_str(file))
        .bench(|| assert_eq!(games(black_box(file.as_bytes())).filter(Result::is_ok).count(), GAMES));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_and_check_as_own_games(bencher: Bencher) {
    let file = &GIVEN.1;
    bencher.counter(ItemsCount::new(GAMES)).bench(|| assert_eq!(taken(black_box(file)).len(), GAMES));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn amici_import(bencher: Bencher) {
    let dir = TempDir::new().unwrap();
    let (file, config) = (dir.path().join("games.pgn"), dir.path().join("config.toml"));
    std::fs::write(&file, &GIVEN.1).unwrap();
    std::fs::write(&config, CONFIG).unwrap();
    bencher.counter(ItemsCount::new(GAMES)).with_inputs(|| TempDir::new().unwrap()).bench_values(|data| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(&config).arg("--data").arg(data.path()).arg("import").arg(&file);
        let done = noted("amici import", || command.output().unwrap());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        data
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn import_into_the_database(bencher: Bencher) {
    let runtime = Runtime::new().unwrap();
    let now = NOW.parse().unwrap();
    LazyLock::force(&GIVEN);
    bencher.counter(ItemsCount::new(GAMES)).with_inputs(|| TempDir::new().unwrap()).bench_values(|dir| {
        let entries = entries();
        runtime.block_on(async {
            Store::open(dir.path()).await.unwrap().import(&entries, false, now).await.unwrap();
        });
        dir
    });
}

/// The games of the file as they are stored.
fn entries() -> Vec<(Game, String)> {
    taken(&GIVEN.1).into_iter().zip(0..).map(|(game, n)| (game, format!("<{n}@example.net>"))).collect()
}

/// The least that reading the file can take: every move read from SAN and played by shakmaty.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn shakmaty_alone_plays_the_same_moves(bencher: Bencher) {
    let texts: Vec<Vec<String>> = GIVEN.0.iter().map(san_of).collect();
    let play = || {
        for game in &texts {
            let mut position = Chess::default();
            for text in game {
                let played = black_box(text).parse::<San>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(played);
            }
            black_box(position);
        }
    };
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| noted("shakmaty alone", play));
}

fn san_of(game: &Game) -> Vec<String> {
    let mut position = Chess::default();
    let mut text = |record: &MoveRecord| {
        let played = record.numeric.to_move(&position).unwrap().played;
        let san = San::from_move(&position, played).to_string();
        position.play_unchecked(played);
        san
    };
    game.moves.iter().map(&mut text).collect()
}

/// The least that storing them can take: SQLite copying the rows of an import into another database with the same indices and triggers,
/// but the one that an import does without, too.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn sqlite_alone_takes_the_same_rows(bencher: Bencher) {
    const COPY: &str = "BEGIN IMMEDIATE;
        DROP TRIGGER moves_version_insert;
        INSERT INTO games SELECT * FROM given.games;
        INSERT INTO players SELECT * FROM given.players;
        INSERT INTO addresses SELECT * FROM given.addresses;
        INSERT INTO moves SELECT * FROM given.moves;
        INSERT INTO acts (at, kind, body) SELECT at, kind, body FROM given.acts;
        COMMIT";
    let runtime = Runtime::new().unwrap();
    let given = TempDir::new().unwrap();
    let entries = entries();
    runtime.block_on(async {
        Store::open(given.path()).await.unwrap().import(&entries, false, NOW.parse().unwrap()).await.unwrap();
    });
    let attach = format!("ATTACH '{}' AS given", given.path().join("amici.db").display());
    let empty = || {
        let dir = TempDir::new().unwrap();
        let db = runtime.block_on(async {
            Store::open(dir.path()).await.unwrap();
            let mut db = SqliteConnectOptions::new().filename(dir.path().join("amici.db")).connect().await.unwrap();
            db.execute(sqlx::AssertSqlSafe(attach.clone())).await.unwrap();
            db
        });
        (dir, db)
    };
    bencher.counter(ItemsCount::new(GAMES)).with_inputs(empty).bench_local_values(|(dir, mut db)| {
        noted("SQLite alone", || runtime.block_on(db.execute(COPY)).unwrap());
        (dir, db)
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn write_all(bencher: Bencher) {
    let given = &GIVEN.0;
    let options = Options { opening: true, ..Options::default() };
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench(|| given.iter().map(|game| write(black_box(game), &options).unwrap().len()).sum::<usize>());
}

/// Another program on the same file, if it is there.
fn other(bencher: Bencher, name: &'static str, program: &str, arguments: &[&str]) {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("games.pgn");
    std::fs::write(&file, &GIVEN.1).unwrap();
    let run = || {
        let mut command = Command::new(program);
        command.args(arguments).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !run() {
        eprintln!("{program} is not installed, and not measured");
        return;
    }
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| assert!(noted(name, run)));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn pgn_extract_reads_and_plays(bencher: Bencher) {
    let usual = PathBuf::from("/usr/games/pgn-extract");
    let program = if usual.exists() { usual.to_str().unwrap() } else { "pgn-extract" };
    other(bencher, "pgn-extract", program, &["-s", "-r"]);
}

#[divan::bench(sample_count = 1, sample_size = 1)]
fn python_chess_reads_and_plays(bencher: Bencher) {
    let script = "import sys, chess.pgn\nfile = open(sys.argv[1])\nwhile chess.pgn.read_game(file): pass";
    other(bencher, "python-chess", python().to_str().unwrap(), &["-c", script]);
}

/// What was measured, in CPU time, and how much of the import is not ours.
fn share() {
    let least = CPU.lock().unwrap();
    for (name, seconds) in least.iter() {
        eprintln!("{name:>16}  {seconds:6.2} s of CPU");
    }
    if let (Some(all), Some(chess), Some(rows)) =
        (least.get("amici import"), least.get("shakmaty alone"), least.get("SQLite alone"))
    {
        eprintln!(
            "shakmaty and SQLite alone are {:.0} % of the CPU time of amici import",
            100.0 * (chess + rows) / all
        );
    }
}

fn main() {
    divan::main();
    share();
}
