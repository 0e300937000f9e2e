//! What mails of every kind are taken for. Nothing may be recorded wrongly; what is held although it is clear is counted.

mod catalogue;
mod lines;
mod mails;
mod proof;
mod results;

use std::env;
use std::fs;
use std::path::PathBuf;

use amici::config::Me;
use amici::domain::clock::ledger::Booking;
use amici::domain::game::Game;
use amici::intake::which::Thread;
use amici::mail::message::parse;
use chrono::{DateTime, NaiveDate, Utc};

/// The game as it stands in the store.
fn thread(game: Game) -> Thread {
    let root_message_id = format!("<{}@root.example.org>", game.id.as_str().to_lowercase());
    Thread { game, root_message_id }
}

/// The player whose game it is.
fn player(game: &Game) -> Me {
    let myself = game.myself();
    Me {
        name: myself.name.clone(),
        emails: myself.emails.iter().map(|e| e.parse().unwrap()).collect(),
        timezone: chrono_tz::Europe::Stockholm,
        received: Booking::SameDay,
        styles: Default::default(),
        language: Default::default(),
        picture: true,
    }
}

/// Two minutes after a header's date.
fn soon_after(date: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc2822(date).unwrap().to_utc() + chrono::TimeDelta::minutes(2)
}

fn day(text: &str) -> Option<NaiveDate> {
    (text != "-").then(|| text.parse().unwrap())
}

/// Blank is never wrong.
fn right_or_blank<T: PartialEq>(expected: Option<T>, found: Option<T>) -> bool {
    found.is_none() || found == expected
}

/// `AMICI_SEEDS=$PWD/fuzz/corpus cargo test --test suite corpus::seeds -- --ignored`
#[test]
#[ignore = "writes files: the seeds of the fuzz targets, for `decide` with one byte for the situation before each mail"]
fn seeds_for_the_fuzzers() {
    let folder = PathBuf::from(env::var_os("AMICI_SEEDS").expect("AMICI_SEEDS names a folder"));
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::create_dir_all(folder.join(target)).unwrap();
        fs::write(folder.join(target).join(name), bytes).unwrap();
    };
    let catalogue = catalogue::seeds();
    let single = u8::try_from(catalogue.len()).unwrap();
    let collected = mails::seeds().into_iter().map(|(name, game, mail)| (name, single + game, mail));
    for (name, which, mail) in catalogue.into_iter().chain(collected) {
        write("decide", &name, &[&[which], mail.as_slice()].concat());
        write("text", &name, &mail);
        if let Some(text) = parse(&mail).unwrap().plain {
            write("read", &name, text.as_bytes());
        }
    }
}
