//! What a mail costs that brings the whole game as a table: among few games and many, after a short game and a long one, and in a
//! backlog, beside a Python script that reads, checks and stores the same mails. `cargo bench --bench mails`; `AMICI_MAILS=10000` makes the
//! backlog as long as that, and `AMICI_GAMES=100000` adds a record of so many games.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::time::Duration;

use amici::config::Senders;
use amici::intake::{RawMessage, take_in};
use support::{Awaited, Contender, Home, finish, me, now, race, rival, timed};
use tempfile::TempDir;

mod support;

/// Mails of one turn.
const MAILS: usize = 100;
const TURNS: usize = 5;

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}

fn main() {
    let mut games = vec![MAILS, 1_000, 10_000];
    games.extend(Some(number("AMICI_GAMES", 0)).filter(|more| *more > 10_000));
    by_games(&games);
    by_plies(&[3, 61, 161, 299]);
    backlog(number("AMICI_MAILS", 300));
}

/// Takes mails in as the daemon does with those that wait: each is a transaction, and the last waits for the disk.
fn taken(home: &Home, mails: &[Awaited]) -> Duration {
    home.runtime.block_on(async {
        let (mut store, me, senders) = (home.store().await, me(), Senders::default());
        store.without_sync().await.unwrap();
        let start = std::time::Instant::now();
        for one in mails {
            let mail = RawMessage { bytes: &one.mail, at: now(), arrival: None, verified: None };
            let taking = take_in(&mut store, &me, &senders, &mail, now()).await.unwrap();
            assert_eq!(taking.results[0].outcome, "move", "{:?}", taking.results);
        }
        store.sync().await.unwrap();
        start.elapsed()
    })
}

/// Each turn takes in the mails of other games.
fn by_games(sizes: &[usize]) {
    let homes: Vec<(String, Home, Vec<Vec<Awaited>>)> = sizes
        .iter()
        .map(|size| {
            let size = (*size).max(MAILS * TURNS);
            let games: Vec<Awaited> = (0..size).map(|number| Awaited::new(number, 23)).collect();
            let home = Home::new(&games);
            let mut mails: Vec<Vec<Awaited>> = Vec::new();
            for one in games.into_iter().take(MAILS * TURNS) {
                match mails.last_mut().filter(|turn| turn.len() < MAILS) {
                    Some(turn) => turn.push(one),
                    None => mails.push(vec![one]),
                }
            }
            (format!("among {size} games"), home, mails)
        })
        .collect();
    let contenders = homes.iter().map(|(name, home, mails)| {
        let mut turns = mails.iter();
        let turn = move || taken(home, turns.next().unwrap());
        (name.as_str(), Box::new(turn) as Box<dyn FnMut() -> Duration>)
    });
    race("one mail of 23 plies, judged, durable, its notice queued", TURNS, MAILS, contenders.collect());
}

fn by_plies(plies: &[usize]) {
    let given: Vec<(String, Vec<Awaited>)> = plies
        .iter()
        .map(|plies| (format!("after {plies} plies"), (0..MAILS).map(|number| Awaited::new(number, *plies)).collect()))
        .collect();
    let contenders = given.iter().map(|(name, mails)| {
        let turn = || taken(&Home::new(mails), mails);
        (name.as_str(), Box::new(turn) as Box<dyn FnMut() -> Duration>)
    });
    race("one mail among 100 games, judged, durable, its notice queued", TURNS, MAILS, contenders.collect());
}

/// One mail for each of so many games.
fn backlog(count: usize) {
    let mails: Vec<Awaited> = (0..count).map(|number| Awaited::new(number, 23)).collect();
    let in_process = || taken(&Home::new(&mails), &mails);
    let polled = || {
        let home = Home::new(&mails);
        home.deliver(&mails);
        let took = timed(|| drop(finish(&mut home.amici(&["poll"]))));
        let put = std::fs::read_dir(home.path("Maildir/new")).unwrap().count();
        assert_eq!(put, 2 * count, "each mail has its notice beside it");
        took
    };
    let mut contenders: Vec<Contender> = vec![
        ("amici: judged, durable, its notice queued", Box::new(in_process)),
        ("amici poll: the same, and the notice with its picture delivered", Box::new(polled)),
    ];
    let by_rival = || {
        let dir = TempDir::new().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let line = |one: &Awaited| {
            let moves: Vec<String> = one.game.moves.iter().map(|record| record.numeric.to_string()).collect();
            format!("{}\t{}\n", one.game.black.emails[0], moves.join(" "))
        };
        std::fs::write(path("games"), mails.iter().map(line).collect::<String>()).unwrap();
        std::fs::create_dir(path("mails")).unwrap();
        for (number, one) in mails.iter().enumerate() {
            std::fs::write(path(&format!("mails/{number:06}")), &one.mail).unwrap();
        }
        finish(&mut rival("mails.py", &["prepare", &path("database"), &path("games")]));
        let said = finish(&mut rival("mails.py", &["take", &path("database"), &path("mails")])).stdout;
        Duration::from_secs_f64(String::from_utf8(said).unwrap().trim().parse().unwrap())
    };
    if rival("mails.py", &["read", "/dev/null"])
        .output()
        .is_ok_and(|done| !String::from_utf8_lossy(&done.stderr).contains("No module"))
    {
        contenders.push(("Python: email, chess, sqlite3: read, checked, durable", Box::new(by_rival)));
    } else {
        println!("no Python with `chess`: the rival is not measured");
    }
    race(&format!("one mail of a backlog of {count}"), TURNS.min(3), count, contenders);
    stored(&mails);
}

/// What the record keeps of them.
fn stored(mails: &[Awaited]) {
    let size = |home: &Home| std::fs::metadata(home.path("data/amici.db")).unwrap().len() as f64;
    let packed = |home: &Home| {
        let path = home.path("data/amici.db");
        home.runtime.block_on(async {
            use sqlx::{ConnectOptions, Executor};
            let mut db = sqlx::sqlite::SqliteConnectOptions::new().filename(path).connect().await.unwrap();
            db.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
        });
        size(home)
    };
    let home = Home::new(mails);
    let before = packed(&home);
    home.deliver(mails);
    finish(&mut home.amici(&["poll"]));
    let after = packed(&home);
    home.runtime.block_on(async {
        home.store().await.drop_delivered(now() + chrono::TimeDelta::days(1)).await.unwrap();
    });
    let dropped = packed(&home);
    let (count, came) = (mails.len() as f64, mails.iter().map(|one| one.mail.len()).sum::<usize>() as f64);
    println!("\nbytes for one mail of {:.0} bytes", came / count);
    println!("{:<58} {:>11.0}", "in the database when its notice was delivered", (after - before) / count);
    println!("{:<58} {:>11.0}", "after thirty days, when the notice is dropped", (dropped - before) / count);
}
