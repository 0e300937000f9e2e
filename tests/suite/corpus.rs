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
