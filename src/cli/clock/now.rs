//! `amici clock now`: the player's word that the clock of this machine is right, after it ran ahead or was set; and what it left on record.
//!
//! By itself a clock that is behind the record may be behind the true time as well, and a mail that a server took earlier does not tell
//! which: without the time that passed since it was believed, only the player knows. No date and no figure is changed; the player settles
//! each by the command that is printed.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::super::care::consent;
use super::super::line::Day;
use super::super::queue::failed;
use super::super::{Failure, Report, Setup};
use crate::config::Me;
use crate::domain::clock::ahead::{Ahead, ahead};
use crate::domain::clock::trust::{Distrust, Witnesses, distrust};
use crate::domain::game::{ClockNoteKind, Game};
use crate::io::store::{Count, EventRow, Store};

/// Say that the clock of this machine is right now, after it ran ahead
///
/// A clock that is behind the newest mail or command on record is not believed, and no deadline is judged by it. Nor is one that was set by
/// more than minutes since the daemon's last look. If it is right now, your word is needed. Nothing on record is changed by it; what is
/// dated later than today is listed with the commands that settle it.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Why; the journal keeps it
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// It is right, whatever is on record
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let (now, zone, why) = (setup.now, config.me.timezone, args.why.trim());
    if why.is_empty() {
        return Err(failed("say why with --why TEXT: the journal keeps it"));
    }
    let day = Day::of(&mut store, zone, now, None).await?;
    let mut said = match day.distrust {
        Some(doubt @ Distrust::BeforeRelease(_)) => {
            return Err(failed(format!("{doubt}\nhelp: nothing was done; {}", doubt.help())));
        }
        Some(doubt @ (Distrust::BeforeNewest { .. } | Distrust::Jumped { .. })) => {
            let newest = store.newest_instant().await?.filter(|newest| *newest > now);
            consent(
                args.yes,
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
                0 => String::new(),
                _ => "Mails that waited for an instant of the wrong clock are tried again at once.\n".to_owned(),
            };
            format!(
                "The clock is believed again, and deadlines are judged: it is {}.\nNo date and no figure on record was changed.\n{waited}",
                written(now, zone)
            )
        }
        None => {
            format!("The clock of this machine is believed already: it is {}. Nothing was done.\n", written(now, zone))
        }
    };
    let left = left(&mut store, &config.me, day.date()).await?;
    if !left.is_empty() {
        said.push_str("Dated later than today on record, with the command that settles it:\n");
        said.extend(left.iter().map(|line| format!("  {line}\n")));
    }
    Ok(said.into())
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
pub(in crate::cli) async fn left(store: &mut Store, me: &Me, today: NaiveDate) -> Result<Vec<String>, Failure> {
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
