//! The game as a table with both clocks, and below it, in sentences, every day that is not counted as its sender states it, and why.

use chrono_tz::Tz;

use super::names::named;
use super::{filled, result};
use crate::domain::clock::days::in_words;
use crate::domain::clock::doubt::is_late;
use crate::domain::clock::late;
use crate::domain::clock::ledger::{DateSource, Dated, Ledger, PlyTime};
use crate::domain::game::{Game, Leave, MoveRecord, Side};
use crate::domain::transmission::compose::score;
use crate::io::store::Settlement;
use crate::languages::Language;
use crate::letters::{reasons, running_reason, transmission};

/// The whole game as a message of it would show it, with what is not as its sender states it.
pub(super) fn table(game: &Game, settled: &[Settlement], zone: Tz) -> Result<String, String> {
    let mut record = game.clone();
    record.plan = None;
    let mut text = score(&transmission(&record).map_err(|e| e.to_string())?);
    let ledger = Ledger::of(game).map_err(|e| e.to_string())?;
    text.push_str(&format!(
        "\nDays used: White {}{}, Black {}{}.   Result: {}\n",
        least(&ledger, Side::White),
        ledger.total(Side::White),
        least(&ledger, Side::Black),
        ledger.total(Side::Black),
        result(game)
    ));
    let mut stated = Vec::new();
    for (time, record) in ledger.plies().iter().zip(&game.moves) {
        let name = format!("{} {}", time.number, record.numeric);
        stated.extend(otherwise(time, record).into_iter().map(|what| format!("{name}{what}")));
    }
    let mut days = reasons(game, &ledger, (settled, "the player who keeps this record"), zone, |day| day.to_string());
    days.extend(ledger.oversteps().iter().map(|over| late::fact(over, Language::English)));
    let leave = Leave::standing(&game.leaves).map(|leave| {
        let announced = match leave.announced {
            Some(day) => format!("announced on {day}"),
            None => "no day of announcement is on record".to_owned(),
        };
        let late = if is_late(ledger.rules(), leave) { "; by the rules it is announced before it begins" } else { "" };
        format!("{}: {} to {}, both days included; {announced}{late}", leave.side.name(), leave.from, leave.to)
    });
    for (head, lines) in [
        ("The clock that runs:", running(game, &ledger).into_iter().collect()),
        ("What is not in the table as the sender of the move states it:", stated),
        ("Days that are not simply those between the two dates, and why:", days),
        ("Leave on record; no day of it is charged:", leave.collect()),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{head}\n"));
            text.extend(lines.iter().map(|line| filled(&named(line, game), "  ", "    ") + "\n"));
        }
    }
    Ok(text)
}

/// Stands before the days of a side, of which not all are on record.
fn least(ledger: &Ledger, side: Side) -> &'static str {
    if ledger.is_partial(side) { "at least " } else { "" }
}

/// Since when the side on the move thinks, and its last day within the limits; no day is named as today.
fn running(game: &Game, ledger: &Ledger) -> Option<String> {
    let since = ledger.waiting_since().filter(|_| ledger.goes_on())?;
    let side = game.to_move();
    let used = format!("{}{}", least(ledger, side), in_words(ledger.total(side)));
    let last = ledger.last_safe_day(side).map(|day| {
        if !ledger.is_safe(side, day) {
            return "; no day is within the limits".to_owned();
        }
        let why = running_reason(game, ledger, ledger.judged(day), |day| day.to_string(), Language::English);
        let why = why.map(|why| format!(", by then {why}")).unwrap_or_default();
        format!("; the last day within the limits is {day}{why}")
    });
    Some(format!(
        "{} thinks about {} since {} ({}), with {used} used before{}",
        side.name(),
        game.due(),
        since.day,
        since.source.words(),
        last.unwrap_or_default()
    ))
}

/// The dates that its sender does not state, and the days that he counts otherwise.
fn otherwise(time: &PlyTime, record: &MoveRecord) -> Vec<String> {
    let mut out = Vec::new();
    for (what, date) in [("received", time.received), ("sent", time.sent)] {
        if let Some(Dated { day, source }) = date.filter(|date| date.source != DateSource::Stated) {
            // nothing proves that the other player agreed
            let words = match source {
                DateSource::Agreed => "as entered by the player who keeps this record",
                other => other.words(),
            };
            out.push(format!(" {what} {day}: {words}"));
        }
    }
    let stated = [("days", record.claimed.days, time.days), ("total", record.claimed.total, Some(time.total))];
    for (what, claimed, computed) in stated {
        if let (Some(claimed), Some(computed)) = (claimed, computed.filter(|c| claimed != Some(*c))) {
            out.push(format!(": its sender counts {what} {claimed}, the rules give {computed}"));
        }
    }
    out
}
