//! What the daemon needs while it has nothing to do: memory before and after the first mail, and how often it wakes in a minute.
//! `cargo bench --bench idle`; it takes two minutes, and Linux.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use support::{Awaited, Home, finish};

mod support;

/// Games on record.
const GAMES: usize = 100;
/// Mails that come together.
const MORE: usize = 90;

fn main() {
    let awaited: Vec<Awaited> = (0..GAMES).map(|number| Awaited::new(number, 23)).collect();
    let home = Home::new(&awaited);
    let mut daemon = home.amici(&["run"]).stderr(Stdio::null()).spawn().unwrap();
    // it is rung at by its socket, and would find the place taken by a `poll` that is earlier
    while !home.path("data/amici.sock").exists() {
        assert!(daemon.try_wait().unwrap().is_none(), "the daemon ended");
        sleep(Duration::from_millis(20));
    }
    finish(&mut home.amici(&["poll"]));
    println!("{:<34} {:>12} {:>12} {:>12} {:>8}", "MiB", "resident", "own", "of files", "threads");
    told("before the first mail", &daemon);
    home.deliver(&awaited[..1]);
    finish(&mut home.amici(&["poll"]));
    told("after the first mail", &daemon);
    sleep(Duration::from_secs(60));
    told("a minute later", &daemon);
    home.deliver(&awaited[1..=MORE]);
    finish(&mut home.amici(&["poll"]));
    told(&format!("after {MORE} mails at once"), &daemon);
    sleep(Duration::from_secs(15));
    let before = wakes(&daemon);
    sleep(Duration::from_secs(60));
    told("at rest", &daemon);
    println!("\nwake-ups of all threads in a minute at rest: {}", wakes(&daemon) - before);
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

/// What Linux says of the process, a line for each value.
fn status(of: &str) -> impl Fn(&str) -> u64 + use<> {
    let text = std::fs::read_to_string(format!("/proc/{of}/status")).unwrap();
    move |key| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
    }
}

fn told(when: &str, daemon: &Child) {
    let value = status(&daemon.id().to_string());
    let mib = |key| value(key) as f64 / 1024.0;
    println!(
        "{when:<34} {:>12.1} {:>12.1} {:>12.1} {:>8}",
        mib("VmRSS"),
        mib("RssAnon"),
        mib("RssFile"),
        value("Threads")
    );
}

/// How often its threads gave the processor away to wait, since they began.
fn wakes(daemon: &Child) -> u64 {
    let id = daemon.id();
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
    threads
        .filter_map(Result::ok)
        .map(|thread| status(&format!("{id}/task/{}", thread.file_name().display()))("voluntary_ctxt_switches"))
        .sum()
}
