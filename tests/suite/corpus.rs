//! What mails of every kind are taken for. Nothing may be recorded wrongly; what is held although it is clear is counted.

mod catalogue;
mod mails;

use amici::config::Me;
use amici::domain::game::Game;
use amici::intake::which::Thread;
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

/// `AMICI_SEEDS=fuzz/corpus/decide cargo test --test suite corpus::seeds -- --ignored`
#[test]
#[ignore = "writes files: the seeds of the fuzz target `decide`, one byte for the situation before each mail"]
fn seeds_for_the_fuzzer() {
    let folder = std::path::PathBuf::from(std::env::var_os("AMICI_SEEDS").expect("AMICI_SEEDS names a folder"));
    std::fs::create_dir_all(&folder).unwrap();
    let catalogue = catalogue::seeds();
    let single = u8::try_from(catalogue.len()).unwrap();
    let collected = mails::seeds().into_iter().map(|(name, game, mail)| (name, single + game, mail));
    for (name, which, mail) in catalogue.into_iter().chain(collected) {
        std::fs::write(folder.join(name), [&[which], mail.as_slice()].concat()).unwrap();
    }
}
