//! One command, one process, from its start to its last line: `read`, `play -n`, `explain`, `clock`, beside the program doing nothing, and
//! beside a Python script that reads the same mail and replays the same game. `cargo bench --bench command`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::time::Duration;

use support::{Awaited, Contender, Home, finish, race, rival, timed};

mod support;

const TURNS: usize = 40;
const PLIES: usize = 23;

fn main() {
    let games = [Awaited::new(1, PLIES), Awaited::new(2, PLIES)];
    let home = Home::new(&games);
    let [awaited, other] = &games;
    let (name, other) = (awaited.game.id.as_str(), other.game.id.as_str());
    let file = home.path("mail.eml");
    std::fs::write(&file, &awaited.mail).unwrap();
    let file = file.to_str().unwrap();
    // the move is taken, and the player is on the move
    finish(&mut home.amici(&["take", file]));
    let by_amici = |args: &[&str]| -> Box<dyn FnMut() -> Duration> {
        let mut command = home.amici(args);
        Box::new(move || timed(|| drop(finish(&mut command))))
    };
    let mut contenders: Vec<Contender> = vec![
        ("amici --version, the floor", by_amici(&["--version"])),
        ("amici read FILE", by_amici(&["read", file])),
        ("amici play GAME MOVE -n", by_amici(&["play", name, &awaited.answer, "-n"])),
        ("amici explain GAME last", by_amici(&["explain", name, "last"])),
        ("amici clock GAME", by_amici(&["clock", name])),
        ("amici clock GAME, whose moves came by no mail", by_amici(&["clock", other])),
    ];
    if rival("mails.py", &["read", file]).output().is_ok_and(|done| done.status.success()) {
        let mut script = rival("mails.py", &["read", file]);
        contenders.push(("Python: email, chess, the same mail", Box::new(move || timed(|| drop(finish(&mut script))))));
    } else {
        println!("no Python with `chess`: the rival is not measured");
    }
    race("one command, one process", TURNS, 1, contenders);
}
