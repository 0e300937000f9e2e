//! What comes: the marks of all games by date, the letters that wait to be sent, and whether everything works.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::game::reply;
use super::games::Status;
use super::{Record, Refused};

/// Days that are looked ahead.
const DAYS: &str = "--days=60";
/// Letters that are shown with their links.
const LETTERS: usize = 50;

/// What the page shows.
///
/// # Errors
/// [`Refused`]
pub(super) async fn facts(record: &Record) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let agenda = record.document(&["agenda", "--json", DAYS]).await?;
    let health = record.document(&["health", "--json"]).await?;
    let status = Status::load(record).await?;
    let mut letters = Vec::new();
    for id in status.drafted().take(LETTERS) {
        let letter = reply(record, id.as_str()).await?;
        letters.push(json!({"game_id": id, "to": letter.to, "subject": letter.subject, "link": letter.link}));
    }
    let mut days: Vec<(String, Vec<Value>)> = Vec::new();
    for mark in agenda.get("marks").and_then(Value::as_array).into_iter().flatten() {
        let date = mark.get("date").and_then(Value::as_str).unwrap_or_default();
        let day =
            date.parse::<NaiveDate>().map_or_else(|_| date.to_owned(), |day| day.format("%A %d %B %Y").to_string());
        match days.last_mut().filter(|(last, _)| *last == day) {
            Some((_, marks)) => marks.push(mark.clone()),
            None => days.push((day, vec![mark.clone()])),
        }
    }
    Ok(json!({
        "head": status.head(&me), "events": status.events(), "days": days, "health": health, "letters": letters,
        "drafts": status.drafts, "outbox": status.outbox, "released": status.released, "not_read": status.not_read,
        "has_mailbox": record.0.config()?.mail.is_some(),
    }))
}
