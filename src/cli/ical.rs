//! `amici ical`: the coming marks as a calendar (iCalendar, RFC 5545), for programs that subscribe to a file or import it.
//!
//! One all-day event for each mark. Its UID tells the game, the ply and the mark and not the day: a mark that moves updates its event, and
//! SEQUENCE grows with every change of the game. That of a leave tells its day and no ply, for no move moves it. A finished game's events
//! vanish. No moves stand in it: calendars are shared.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use chrono::{DateTime, Duration, Utc};
use clap::Args as ClapArgs;
use icalendar::{Alarm, Calendar, Class, Component, Event, EventLike, Property};
use serde_json::json;

use super::{Exit, Failure, Report, Setup, output, stdio};
use crate::deeds::today::Day;
use crate::domain::clock::events::Mark;
use crate::domain::summary::Summary;
use crate::domain::transmission::compose::clip;
use crate::io::store::Asked;
use crate::languages::Language;
use crate::overview::{Answers, Overview, Read};

/// Write the coming marks of all games as a calendar file
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Write to this file, readable by you alone, instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// The same events as one JSON document
    #[arg(long)]
    json: bool,
    /// Write it as of another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let me = setup.config()?.me;
    let mut day = Day { now: args.at.unwrap_or(setup.now), zone: me.timezone, distrust: None };
    let (mut overview, mut versions, mut answers) = (Overview::default(), HashMap::new(), Answers::default());
    if let Some(mut store) = setup.store_if_any().await? {
        day = Day::of(&mut store, me.timezone, setup.now, args.at).await?;
        overview = Overview::load(&mut store, &me, day.date(), Asked::Running).await?;
        versions = store.versions().await?;
        answers = Answers::load(&mut store, Read::ByHim).await?;
    }
    if let Some(broken) = overview.seen.broken.first() {
        // without its marks the calendar would tell of less than there is
        return Err(Failure::new(Exit::Failed, broken.to_string()));
    }
    let mut games = overview.summaries()?;
    games.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    let now = day.now;
    // stdout may be the calendar itself
    let _ = write!(stdio::stderr(), "{}", day.doubt());
    let mut calendar = Calendar::empty();
    for (key, value) in [
        ("VERSION", "2.0"),
        ("PRODID", "-//amici//correspondence chess//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("X-WR-CALNAME", "Correspondence chess"),
    ] {
        calendar.append_property(Property::new(key, value));
    }
    for summary in games {
        let version = versions.get(summary.id.as_ref()).copied().unwrap_or_default();
        let sequence = u32::try_from(version).unwrap_or(u32::MAX);
        let summary = answers.heard(summary);
        calendar.extend(named(&summary).into_iter().map(|(uid, mark)| event(&summary, mark, &uid, (sequence, now))));
    }
    let text = if args.json { as_json(&calendar, &day) } else { calendar.to_string() };
    match args.output {
        None => Ok(text.into()),
        Some(file) => {
            output::write(&file, text.as_bytes(), args.force)?;
            Ok(format!("{} has {} events\n", file.display(), calendar.components.len()).into())
        }
    }
}

/// The events with the properties that a reader of calendars shows.
fn as_json(calendar: &Calendar, day: &Day) -> String {
    let events = calendar.components.iter().filter_map(|component| component.as_event()).map(|event| {
        let date = event.get_start().map(|start| start.date_naive());
        json!({
            "uid": event.get_uid(), "sequence": event.get_sequence(), "date": date,
            "summary": event.get_summary(), "description": event.get_description(),
        })
    });
    format!(
        "{:#}\n",
        json!({"schema": 1, "now": day.now, "clock_doubt": day.distrust.map(|why| why.to_string()), "events": events.collect::<Vec<_>>()})
    )
}

/// The marks of a game, each once and by a UID of its own (RFC 5545, 3.8.4.7): of several leaves that begin or end on one day those
/// after the first bear a number.
fn named<'s>(game: &'s Summary<'_>) -> Vec<(String, &'s Mark)> {
    let mut named: Vec<(String, &Mark)> = Vec::new();
    for mark in game.marks() {
        if named.iter().any(|(_, other)| *other == mark) {
            continue;
        }
        let name = mark.name();
        let which = match named.iter().filter(|(_, other)| other.name() == name).count() {
            0 => String::new(),
            before => format!("-{}", before + 1),
        };
        let ply = if mark.is_of_leave() { String::new() } else { format!("{}.", game.plies + 1) };
        named.push((format!("{}.{ply}{name}{which}@amici", game.id), mark));
    }
    named
}

/// One mark of a game.
fn event(game: &Summary<'_>, mark: &Mark, uid: &str, (sequence, now): (u32, DateTime<Utc>)) -> Event {
    let title = format!("{} {}: {}", game.id, clip(&game.opponent, 40), mark.words(game.me));
    let (key, value) = mark.why(&game.control, Language::English);
    // without its own, the crate would make up an id and read the clock
    let mut alarm = Alarm::display(&title, -Duration::days(1));
    alarm.uid(&format!("alarm.{uid}")).timestamp(now).add_property("TRIGGER", "-P1D");
    let mut event = Event::new();
    event
        .uid(uid)
        .sequence(sequence)
        .timestamp(now)
        .last_modified(now)
        .starts(mark.date)
        .summary(&title)
        .description(&format!("By the rules of the event, {key}: {value}"))
        .class(Class::Private)
        // a day with a mark is not a busy day (RFC 5545, 3.8.2.7)
        .add_property("TRANSP", "TRANSPARENT")
        .alarm(alarm);
    event.done()
}
