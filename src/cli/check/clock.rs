//! The clock of this machine in `amici check`: whether it is believed, the player's word that it is right after it ran ahead or was set,
//! and what it left on record.
//!
//! By itself a clock that is behind the record may be behind the true time as well, and a mail that a server took earlier does not tell
//! which: without the time that passed since it was believed, only the player knows. No date and no figure is changed; the player settles
//! each by the command that is printed.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::super::care::consent;
use super::super::failure::failed;
use super::super::{Failure, Setup};
use super::tried::Tried;
use crate::config::Me;
use crate::deeds::today::Day;
use crate::domain::clock::ahead::{Ahead, ahead};
use crate::domain::clock::trust::{Distrust, Witnesses, distrust};
use crate::domain::game::{ClockNoteKind, Game};
use crate::io::store::{Count, EventRow, Store};

/// Whether it is believed, since which word of the player's, and what one that ran ahead left on record.
pub(super) async fn tried(store: &mut Store, me: &Me, now: DateTime<Utc>) -> Result<Tried, Failure> {
    let day = Day::of(store, me.timezone, now, None).await?;
    let mut lines = vec![match day.distrust {
        Some(why) => format!("{why}; no deadline is judged\n{}", why.help()),
        None => format!("{}, and nothing on record is newer", day.date()),
    }];
    lines.extend(store.clock_word().await?);
    if day.distrust.is_none() {
        let left = left(store, me, day.date()).await?;
        lines.extend(left.first().map(|_| "dated later on record, with the command that settles it:".to_owned()));
        lines.extend(left);
    }
    Ok((day.distrust.is_none(), "clock", lines.join("\n")))
}

/// Takes the player's word that it is right.
pub(super) async fn believe(setup: &Setup, me: &Me, why: &str, yes: bool) -> Result<Vec<Tried>, Failure> {
    let mut store = setup.store().await?;
    let (now, zone, why) = (setup.now, me.timezone, why.trim());
    if why.is_empty() {
        return Err(failed("say why with --clock-is-right WHY: the journal keeps it"));
    }
    let day = Day::of(&mut store, zone, now, None).await?;
    let said = match day.distrust {
        Some(doubt @ Distrust::BeforeRelease(_)) => {
            return Err(failed(format!("{doubt}\nhelp: nothing was done; {}", doubt.help())));
        }
        Some(doubt @ (Distrust::BeforeNewest { .. } | Distrust::Jumped { .. })) => {
            let newest = store.newest_instant().await?.filter(|newest| *newest > now);
            consent(
                setup,
                yes,
                &doubts(&mut store, (doubt, newest), now, zone).await?,
                "Is the clock of this machine right now?",
            )?;
            let ahead = newest.map(|newest| {
                format!(" what was done and read up to {} was dated by a clock that ran ahead;", written(newest, zone))
            });
            let text = format!(
                "the clock of this machine is right at {}:{} why: {why}",
                written(now, zone),
                ahead.unwrap_or_default()
            );
            let event = EventRow { game: None, kind: "clock".to_owned(), text };
            let waited = store.clock_right(newest.unwrap_or(now), &event, now).await?;
            if let Some(count) = Count::read() {
                store.believe(now, &count).await?;
            }
            let waited = match waited {
                0 => "",
                _ => "\nmails that waited for an instant of the wrong clock are tried again at once",
            };
            format!(
                "the clock is believed again, and deadlines are judged: it is {}\nno date and no figure on record was changed{waited}",
                written(now, zone)
            )
        }
        None => {
            format!("the clock of this machine is believed already: it is {}; nothing was done", written(now, zone))
        }
    };
    Ok(vec![(true, "your word", said), tried(&mut store, me, now).await?])
}

fn written(at: DateTime<Utc>, zone: Tz) -> String {
    format!("{} ({zone})", at.with_timezone(&zone).format("%a %d %b %Y %H:%M"))
}

/// What the player has to know before he says that the clock is right.
async fn doubts(
    store: &mut Store,
    (doubt, newest): (Distrust, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
    zone: Tz,
) -> Result<Vec<String>, Failure> {
    let mut doubts = vec![format!("the clock of this machine says {}", written(now, zone))];
    if let Distrust::Jumped { elapsed, .. } = doubt {
        doubts.push(format!(
            "by the time that has passed since the daemon last believed it, it is {}",
            written(elapsed, zone)
        ));
    }
    let later = store.later_than(now).await?;
    doubts.extend(newest.map(|newest| match (later.first, later.last) {
        (Some(first), Some(last)) => format!(
            "commands and mails on record that are later: {}, from {} to {}",
            later.count,
            written(first, zone),
            written(last, zone)
        ),
        _ => format!("on record that is later: a mail that your mail server took on {}", written(newest, zone)),
    }));
    if let Some(arrival) = store.newest_arrival().await? {
        let hint = match distrust(now, Witnesses { newest: Some(arrival), elapsed: None }) {
            Some(_) => "; if that server was right, your clock is behind: set it, and say nothing here",
            None => "",
        };
        doubts.push(format!("your mail server took the newest mail on {}{hint}", written(arrival, zone)));
    }
    doubts.push("if the clock is behind, every deadline would be judged by a wrong day".to_owned());
    Ok(doubts)
}

/// What is dated later than `today`, each with the command that settles it. A day is counted at most one later than it stands on record.
async fn left(store: &mut Store, me: &Me, today: NaiveDate) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for thread in store.games_dated_from(today).await? {
        let game = &thread.game;
        let ledger = me.ledger(game).map_err(|e| failed(format!("game {}: {e}", game.id)))?;
        lines.extend(ahead(game, &ledger, today).into_iter().map(|one| line(game, one)));
    }
    Ok(lines)
}

fn line(game: &Game, one: Ahead) -> String {
    let id = &game.id;
    match one {
        Ahead::Received(ply, day) => {
            format!(
                "{id}: the move before {ply} was received on {day}:  amici clock set {id} {ply} --received DATE --why TEXT"
            )
        }
        Ahead::Sent(ply, day) => {
            format!("{id}: {ply} was sent on {day}:  amici clock set {id} {ply} --sent DATE --why TEXT")
        }
        Ahead::Arrived(ply, day) => format!(
            "{id}: {ply} came on {day}; write the right day into your answer, and once it is on record:  amici clock set {id} {} --received DATE --why TEXT",
            game.due()
        ),
        Ahead::Planned(ply, day) => {
            format!(
                "{id}: the planned {ply} states {day}; do not send it, take it back and choose it again:  amici undo {id}"
            )
        }
        Ahead::Illegal(illegal) => {
            let number = game.number_of(usize::try_from(illegal.ply).unwrap_or(usize::MAX).saturating_sub(1));
            format!(
                "{id}: the illegal move before {number} was noticed on {}:  amici clock illegal {id} {number} --noticed DATE --why TEXT",
                illegal.noticed
            )
        }
        Ahead::Note(note) => {
            let (what, command) = match note.kind {
                ClockNoteKind::Announced => ("an announcement", "announce"),
                ClockNoteKind::Repeated | ClockNoteKind::Returned | ClockNoteKind::Missed => ("a repeat", "repeat"),
            };
            format!("{id}: {what} is of {}:  amici {command} {id} --undo", note.on)
        }
        Ahead::Leave(leave) => {
            let of = if leave.side == game.me { "me" } else { "opponent" };
            format!(
                "{id}: leave from {0} to {1} was announced on {2}:  amici leave remove {0}..{1} --game {id} --of {of}",
                leave.from,
                leave.to,
                leave.announced.unwrap_or(leave.from)
            )
        }
    }
}
