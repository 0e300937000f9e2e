//! What is wrong with the shape of a document: in which game, at which ply, and under which key.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{DocumentError, GameDocument, MoveDocument};
use crate::domain::transmission::dates::no_such_day;

/// The key of an object whose value is wrong, that value, and what is wrong with it: without it the object is, or it is wrong otherwise.
fn at_key<T: DeserializeOwned>(object: &Value) -> Option<String> {
    let read = |object: Value| serde_json::from_value::<T>(object).err().map(|error| error.to_string());
    let why = read(object.clone()).filter(|why| !why.starts_with("missing field"))?;
    let hint = if why.contains("input") { "; a date is written like 2004-09-15" } else { "" };
    object.as_object()?.iter().find_map(|(key, value)| {
        let mut without = object.clone();
        without.as_object_mut()?.remove(key);
        let none = value.as_str().and_then(no_such_day);
        let value = if value.is_string() || value.is_number() { format!(" {value}") } else { String::new() };
        let named = if why.starts_with(&format!("`{key}` ")) { String::new() } else { format!("{key}{value}: ") };
        let said = none.unwrap_or_else(|| format!("{why}{hint}"));
        (read(without).as_ref() != Some(&why)).then(|| format!("{named}{said}"))
    })
}

/// What is wrong with the shape of a document, with the game that it is wrong in, if there is one.
pub(super) fn wrong(text: &str, error: &serde_json::Error) -> DocumentError {
    let line = error.line();
    let whole: Option<Value> = serde_json::from_str(text).ok();
    let games = whole.as_ref().and_then(|whole| whole.get("games")).and_then(Value::as_array);
    let wrong = games.into_iter().flatten().find_map(|game| {
        let why = GameDocument::deserialize(game).err()?;
        let moves = game.get("moves").and_then(Value::as_array);
        let of_move = moves
            .into_iter()
            .flatten()
            .enumerate()
            .find_map(|(index, entry)| Some(format!("ply {}, {}", index + 1, at_key::<MoveDocument>(entry)?)));
        let why = of_move.or_else(|| at_key::<GameDocument>(game)).unwrap_or_else(|| why.to_string());
        Some((game.get("id")?.as_str()?.to_owned(), why))
    });
    match wrong {
        Some((game, why)) => DocumentError::GameShape { line, game, why },
        None => DocumentError::Shape { line, why: error.to_string() },
    }
}
