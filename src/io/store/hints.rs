//! Which games a mail can be about, found by what it shows of them.
//!
//! A game has a row for each thing that a mail may show of it: an address or the name of its opponent, its id, its event. So the time for one
//! mail does not grow with the games that are kept. A look-up may find a game too many; it never misses one.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::Store;
use super::error::StoreError;
use super::import::put_rows;
use crate::domain::game::{GameId, Player};
use crate::mail::address::Address;
use crate::mail::text::words;

/// Words of an id or an event by which it is found: a longer one is looked for by its first.
const WORDS: usize = 3;

/// What a mail shows.
#[derive(Debug, Default)]
pub struct Hints {
    shown: BTreeSet<String>,
    message_ids: BTreeSet<String>,
    games: BTreeSet<GameId>,
}

impl Hints {
    /// An opponent's address.
    pub fn address(&mut self, address: &Address) {
        self.shown.insert(of_address(address));
    }

    /// The whole name of an opponent, in any order of its words, or his addresses in its place.
    pub fn name(&mut self, name: &str) {
        self.shown.insert(of_name(name));
        addresses_in(name).for_each(|address| self.address(&address));
    }

    /// A text in which the id of a game or its event may stand.
    pub fn text(&mut self, text: &str) {
        let said: Vec<&str> = split(text).collect();
        self.shown.insert(String::new());
        self.shown.extend((1..=WORDS).flat_map(|count| said.windows(count)).map(|words| words.join(" ")));
    }

    /// Words, in lower case and without accents, among which an opponent's surname may be.
    pub fn surnames<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.shown.extend(words.into_iter().map(of_surname));
    }

    /// Message-IDs of mails of the game, with their angle brackets.
    pub fn message_ids<'i>(&mut self, ids: impl IntoIterator<Item = &'i String>) {
        self.message_ids.extend(ids.into_iter().cloned());
    }

    /// These games.
    pub fn games<'i>(&mut self, games: impl IntoIterator<Item = &'i GameId>) {
        self.games.extend(games.into_iter().cloned());
    }

    /// The keys of the games, in the order they were imported.
    pub(super) async fn keys(&self, db: &mut SqliteConnection) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT game FROM hints WHERE hint IN (SELECT value FROM json_each(?1))
                   UNION SELECT game FROM seen_message_ids WHERE message_id IN (SELECT value FROM json_each(?2))
                   UNION SELECT game FROM plans WHERE message_id IN (SELECT value FROM json_each(?2))
                   UNION SELECT id FROM games WHERE root_message_id IN (SELECT value FROM json_each(?2))
                   UNION SELECT id FROM games WHERE last_message_id IN (SELECT value FROM json_each(?2))
                   UNION SELECT id FROM games WHERE name IN (SELECT value FROM json_each(?3))
                   ORDER BY 1";
        let query = sqlx::query_scalar(sql)
            .bind(json!(self.shown).to_string())
            .bind(json!(self.message_ids).to_string())
            .bind(json!(self.games).to_string());
        Ok(query.fetch_all(db).await?)
    }
}

impl Store {
    /// Whether it is the address of an opponent, in a game that runs or is over.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn has_opponent(&mut self, address: &Address) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM hints WHERE hint = ?)")
            .bind(of_address(address))
            .fetch_one(&mut db)
            .await?;
        self.checkin(db);
        Ok(found)
    }
}

/// The words of a player's name that are his surname: those before a comma, else the last. In lower case and without accents.
pub fn surname(name: &str) -> Vec<String> {
    match name.split_once(',') {
        Some((surname, _)) => words(surname),
        None => words(name).pop().into_iter().collect(),
    }
}

/// The addresses that stand in a text.
pub fn addresses_in(text: &str) -> impl Iterator<Item = Address> {
    let is_edge =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | ',' | ';' | ':');
    text.split(is_edge).filter_map(|word| word.parse().ok())
}

/// Puts in what may be shown of games in the place of what was: of each its key, its id, its event and its opponent.
pub(super) async fn put_hints(
    db: &mut SqliteConnection,
    games: impl Iterator<Item = (i64, &GameId, &str, &Player)>,
) -> Result<(), StoreError> {
    let mut rows: BTreeSet<(String, i64)> = BTreeSet::new();
    let mut keys = Vec::new();
    for (key, id, event, opponent) in games {
        keys.push(key);
        let Player { name, emails, .. } = opponent;
        let addresses = emails.iter().filter_map(|email| email.parse().ok()).map(|address| of_address(&address));
        let surname = surname(name).first().map(|word| of_surname(word));
        let shown = [of_text(id.as_str()), of_text(event), of_name(name)];
        rows.extend(shown.into_iter().chain(surname).chain(addresses).map(|hint| (hint, key)));
    }
    sqlx::query("DELETE FROM hints WHERE game IN (SELECT value FROM json_each(?))")
        .bind(Value::from(keys).to_string())
        .execute(&mut *db)
        .await?;
    put_rows(db, "INSERT INTO hints (hint, game) SELECT value ->> 0, value ->> 1 FROM json_each(?1)", &rows, None).await
}

fn of_address(address: &Address) -> String {
    address.as_str().to_ascii_lowercase()
}

fn of_name(name: &str) -> String {
    let mut words = words(name);
    words.sort();
    format!("name {}", words.join(" "))
}

fn of_surname(word: &str) -> String {
    format!("surname {word}")
}

fn of_text(text: &str) -> String {
    split(text).take(WORDS).collect::<Vec<_>>().join(" ")
}

/// What a text is made of between signs: an id that stands alone in it begins and ends where these do.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Hints, of_text};

    #[test]
    fn an_id_or_an_event_that_stands_in_a_text_is_looked_for() {
        for name in ["EM-17", "EM/03/101", "Herbstpokal 2024 der Freunde, Gruppe 3", "(x)", "17", "Ж-1", "--"] {
            for text in [name.to_owned(), format!("Re: {name}, 7. 5254"), format!("so ({name})"), format!("€{name}€")]
            {
                let mut hints = Hints::default();
                hints.text(&text);
                assert!(hints.shown.contains(&of_text(name)), "{name:?} in {text:?}");
            }
        }
    }
}
