//! What comes: the marks of all games by date, the letters that wait to be sent, and whether everything works.

use chrono::{Days, NaiveDate};
use serde::Deserialize;
use serde_json::{Value, json};

use super::calendar::{Day, months};
use super::game::reply;
use super::games::Status;
use super::{Record, Refused};
use crate::mail::uri::percent;

/// Days that are looked ahead.
const DAYS: u64 = 60;
/// Letters that are shown with their links.
const LETTERS: usize = 50;

/// Marks of a day that are shown where all days are.
const MARKS: usize = 20;

/// What of the marks is wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Wanted {
    /// Those of this day alone, all of them.
    #[serde(default)]
    day: Option<NaiveDate>,
}

/// What the page shows, with at most so many marks of each day; all of them where one day alone is wanted.
///
/// # Errors
/// [`Refused`]
pub(super) async fn facts(record: &Record, wanted: Wanted, most: Option<usize>) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let agenda = record.document(&["agenda", "--json", &format!("--days={DAYS}")]).await?;
    let health = record.document(&["health", "--json"]).await?;
    let status = Status::load(record).await?;
    let mut letters = Vec::new();
    for id in status.drafted().take(LETTERS) {
        let letter = reply(record, id.as_str()).await?;
        letters.push(json!({"game_id": id, "to": letter.to, "subject": letter.subject, "link": letter.link}));
    }
    let mut days: Vec<Day> = Vec::new();
    for mark in agenda.get("marks").and_then(Value::as_array).into_iter().flatten() {
        let Some(date) = mark.get("date").and_then(Value::as_str).and_then(|date| date.parse().ok()) else { continue };
        match days.last_mut().filter(|(last, _)| *last == date) {
            Some((_, marks)) => marks.push(mark.clone()),
            None => days.push((date, vec![mark.clone()])),
        }
    }
    let today = me.moment(status.now).day;
    let months = months(today, today.checked_add_days(Days::new(DAYS)).unwrap_or(today), &days);
    let most = most.or(wanted.day.map(|_| usize::MAX)).unwrap_or(MARKS);
    let named = |(day, mut marks): Day| {
        let more = marks.len().saturating_sub(most);
        marks.truncate(most);
        json!({"date": day, "marks": marks, "more": more})
    };
    let days: Vec<Value> =
        days.into_iter().filter(|(day, _)| wanted.day.is_none_or(|wanted| wanted == *day)).map(named).collect();
    let all_events: Vec<Value> =
        status.events(true).into_iter().map(|name| json!({"name": name, "query": percent(name)})).collect();
    Ok(json!({
        "head": status.head(&me), "events": status.events(false), "all_events": all_events, "months": months, "days": days, "one": wanted.day, "health": health, "letters": letters,
        "drafts": status.drafts, "outbox": status.outbox, "released": status.released, "not_read": status.not_read,
        "has_mailbox": record.0.config()?.mail.is_some(),
    }))
}
