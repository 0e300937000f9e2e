//! What the benches share: a player's folders full of games, the mails that answer them, and contenders that are measured by turns.
#![allow(clippy::print_stdout, dead_code, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use amici::config::{Config, Me};
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveRecord, Side, Stated};
use amici::domain::notation::NumericMove;
use amici::io::store::Store;
use amici::letters;
use amici::overview::refresh;
use chrono::{DateTime, Days, NaiveDate, Utc};
use shakmaty::{Chess, Position};
use tempfile::TempDir;
use tokio::runtime::Runtime;

const SAMPLE: &str = include_str!("../../tests/corpus/games/sample.json");
const ME: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Vienna\"\n";

/// A game that waits for the opponent's move, and the mail that brings it.
pub(crate) struct Awaited {
    pub(crate) game: Game,
    pub(crate) mail: Vec<u8>,
    /// A move that the player may choose then.
    pub(crate) answer: String,
}

impl Awaited {
    /// Game of this number after so many plies, of random legal moves: an odd number, for the player has White and just moved. A day went by
    /// for each ply, up to today.
    pub(crate) fn new(number: usize, plies: usize) -> Awaited {
        let moves = moves(&mut (number as u64 + 1), plies + 2);
        let start = Utc::now().date_naive() - Days::new(plies as u64 + 1);
        let mut game = Document::read(SAMPLE).unwrap().remove(0);
        game.id = format!("EM-{number}").parse().unwrap();
        game.event = format!("EM/AA/{number}");
        game.me = Side::White;
        std::mem::swap(&mut game.white, &mut game.black);
        game.black.name = format!("Opponent, Number{number}");
        game.black.emails = vec![format!("o{number}@example.org")];
        game.start_date = Some(start);
        let records = (0_u64..).zip(&moves).map(|(ply, numeric)| record(*numeric, start, ply));
        game.moves = records.take(plies + 1).collect();
        let his = Game { me: Side::Black, ..game.clone() };
        let text = letters::compose(&letters::transmission(&his).unwrap()).unwrap();
        game.moves.truncate(plies);
        let (day, id) = (start + Days::new(plies as u64 + 1), &game.id);
        let mail = format!(
            "Received: from mx.example.org by mail.example.net; {date} 08:22:05 +0000\nFrom: \"{name}\" <o{number}@example.org>\nTo: tobin.q@example.net\n\
             Subject: {event}\nDate: {date} 08:21:00 +0000\nMessage-ID: <{id}.{plies}@example.org>\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\n{text}\n",
            date = day.format("%a, %d %b %Y"),
            name = game.black.name,
            event = game.event,
        );
        let mail = mail.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes();
        Awaited { game, mail, answer: moves.last().unwrap().to_string() }
    }
}

fn record(numeric: NumericMove, start: NaiveDate, ply: u64) -> MoveRecord {
    let received = (ply > 0).then(|| start + Days::new(ply));
    MoveRecord::claimed(numeric, Stated { received, sent: Some(start + Days::new(ply + 1)), ..Stated::default() })
}

/// Random legal moves; a game that ends too early is begun anew.
pub(crate) fn moves(seed: &mut u64, plies: usize) -> Vec<NumericMove> {
    loop {
        let mut position = Chess::default();
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let played = legal[usize::try_from(*seed >> 33).unwrap() % legal.len()];
            moves.push(NumericMove::of(&played));
            position.play_unchecked(played);
        }
        // neither side may be mated, or nothing but taken by a claim
        if moves.len() == plies && !position.is_game_over() {
            return moves;
        }
    }
}

/// A player's folders.
pub(crate) struct Home {
    pub(crate) dir: TempDir,
    pub(crate) runtime: Runtime,
}

impl Home {
    /// With these games, and a Maildir.
    pub(crate) fn new(awaited: &[Awaited]) -> Home {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let home = Home { dir: TempDir::new().unwrap(), runtime };
        for part in ["cur", "new", "tmp"] {
            std::fs::create_dir_all(home.path("Maildir").join(part)).unwrap();
        }
        let config = format!("{ME}[maildir]\npath = \"{}\"\npoll = \"15m\"\n", home.path("Maildir").display());
        std::fs::write(home.path("config.toml"), config).unwrap();
        let games = awaited.iter().map(|one| (one.game.clone(), format!("<{}.root@example.net>", one.game.id)));
        home.runtime.block_on(async {
            let mut store = home.store().await;
            store.import(&games.collect::<Vec<_>>(), false, now()).await.unwrap();
            refresh(&mut store, &me(), now()).await.unwrap();
        });
        home
    }

    pub(crate) async fn store(&self) -> Store {
        Store::open(&self.path("data")).await.unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Puts mails into the Maildir.
    pub(crate) fn deliver<'a>(&self, mails: impl IntoIterator<Item = &'a Awaited>) {
        for one in mails {
            std::fs::write(
                self.path("Maildir/new").join(format!("{}.{}", one.game.id, one.game.moves.len())),
                &one.mail,
            )
            .unwrap();
        }
    }

    /// The program with these arguments, not yet started.
    pub(crate) fn amici(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(self.path("config.toml")).arg("--data").arg(self.path("data")).args(args);
        command
    }
}

pub(crate) fn me() -> Me {
    Config::parse(ME).unwrap().me
}

pub(crate) fn now() -> DateTime<Utc> {
    Utc::now()
}

/// The Python of the rivals, which needs `chess`: that of `AMICI_PYTHON`, of tests/run.sh, or of the PATH.
pub(crate) fn python() -> PathBuf {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python-chess/bin/python");
    match std::env::var_os("AMICI_PYTHON") {
        Some(named) => named.into(),
        None if ours.exists() => ours,
        None => "python3".into(),
    }
}

/// A rival's script.
pub(crate) fn rival(name: &str, args: &[&str]) -> Command {
    let mut command = Command::new(python());
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rivals").join(name)).args(args);
    command
}

/// Runs a program to its end, which must be a good one.
pub(crate) fn finish(command: &mut Command) -> Output {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    done
}

/// How long a work took.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// What is measured beside others: its name, and one turn of it, which says how long it took.
pub(crate) type Contender<'a> = (&'a str, Box<dyn FnMut() -> Duration + 'a>);

/// Lets all of them take turns, so that whatever the machine does meanwhile falls on each alike, and prints the median and the least of each,
/// for one of `items`, and how often the first one's median goes into it.
pub(crate) fn race(title: &str, turns: usize, items: usize, contenders: Vec<Contender<'_>>) {
    let mut contenders = contenders;
    let mut took = vec![Vec::new(); contenders.len()];
    for _ in 0..turns {
        for (times, (_, turn)) in took.iter_mut().zip(&mut contenders) {
            times.push(turn().as_secs_f64() * 1000.0 / items as f64);
        }
    }
    println!("\n{title}");
    println!("{:<58} {:>11} {:>11} {:>8}", "", "median ms", "least ms", "ratio");
    let mut first = None;
    for (mut times, (name, _)) in took.into_iter().zip(contenders) {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        let ratio = median / *first.get_or_insert(median);
        println!("{name:<58} {median:>11.3} {:>11.3} {ratio:>8.2}", times[0]);
    }
}
