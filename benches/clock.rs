//! How long both clocks of a game take: a hundred moves of each side with all their dates, leave and reminders, and the last safe day.
//! `cargo bench --bench clock`.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fmt;

use amici::domain::clock::ledger::Ledger;
use amici::domain::document::Document;
use amici::domain::game::{Game, Leave, MoveRecord, Observed, Side, Stated};
use chrono::{Days, NaiveDate, TimeDelta};
use divan::Bencher;
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug)]
enum Rules {
    /// A named set that counts midnights.
    Calendar,
    /// A named set that counts hours.
    Hours,
    /// A set of the game's own, with two values changed.
    Own,
}

const RULES: &[Rules] = &[Rules::Calendar, Rules::Hours, Rules::Own];

impl fmt::Display for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl Rules {
    fn value(self) -> Value {
        match self {
            Rules::Calendar => json!("iccf-email-2005"),
            Rules::Hours => json!("iccf-server"),
            Rules::Own => json!({"base": "iccf-email-2000", "double_after": 20, "control": {"days": 50}}),
        }
    }
}

fn main() {
    divan::main();
}

/// A hundred moves of each side, three days for each, and four leaves.
fn game(rules: Rules) -> Game {
    let document = json!({"schema": 1, "games": [{
        "id": "EM-1", "white": {"name": "Ostrander, Mila", "emails": ["mila.ostrander@example.org"]},
        "black": {"name": "Quillfeather, Tobin", "emails": ["tobin.q@example.net"]}, "me": "white", "rules": rules.value(),
    }]});
    let mut game = Document::read(&document.to_string()).unwrap().remove(0);
    let start = NaiveDate::from_ymd_opt(2004, 1, 1).unwrap();
    game.start_date = Some(start);
    for (number, numeric) in ["7163", "7866", "6371", "6678"].into_iter().cycle().take(200).enumerate() {
        let sent = (start + Days::new(number as u64 * 3 + 3)).and_hms_opt(12, 0, 0).unwrap().and_utc();
        let claimed = Stated { received: Some(sent.date_naive() - TimeDelta::days(3)), ..Stated::default() };
        let observed = Observed {
            sent: Some(sent.date_naive()),
            arrived: Some(sent.date_naive()),
            sent_at: Some(sent.fixed_offset()),
            relayed_at: None,
            arrived_at: Some(sent.fixed_offset()),
        };
        game.moves.push(MoveRecord { observed, ..MoveRecord::claimed(numeric.parse().unwrap(), claimed) });
    }
    for (number, side) in [Side::White, Side::Black, Side::White, Side::Black].into_iter().enumerate() {
        let from = start + Days::new(number as u64 * 140 + 20);
        game.leaves.push(Leave { side, from, to: from + Days::new(13), announced: Some(from) });
    }
    game
}

#[divan::bench(args = RULES)]
fn both_clocks(bencher: Bencher<'_, '_>, rules: Rules) {
    let game = game(rules);
    bencher.bench_local(|| Ledger::of(divan::black_box(&game)).unwrap());
}

#[divan::bench(args = RULES)]
fn last_safe_day(bencher: Bencher<'_, '_>, rules: Rules) {
    let game = game(rules);
    let ledger = Ledger::of(&game).unwrap();
    bencher.bench_local(|| divan::black_box(&ledger).last_safe_day(game.to_move()));
}
