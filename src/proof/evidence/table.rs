//! The game as a table with both clocks, and below it, in sentences, every day that is not counted as its sender states it, and why.

use chrono::NaiveDate;

use super::{filled, result};
use crate::domain::clock::days::in_words;
use crate::domain::clock::illegal::counted;
use crate::domain::clock::ledger::{Basis, DateSource, Dated, Ledger, PlyTime};
use crate::domain::clock::rules::{DoubleFrom, Ruleset};
use crate::domain::clock::still::StandingStill;
use crate::domain::game::{Agreed, Game, MoveRecord, Side};
use crate::domain::transmission::compose::score;
use crate::letters::transmission;

/// The whole game as a message of it would show it, with what is not as its sender states it.
pub(super) fn table(game: &Game) -> Result<String, String> {
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
    let (mut stated, mut days) = (Vec::new(), Vec::new());
    for (index, (time, record)) in ledger.plies().iter().zip(&game.moves).enumerate() {
        let name = format!("{} {}", time.number, record.numeric);
        stated.extend(otherwise(time, record).into_iter().map(|what| format!("{name}{what}")));
        let why = counted(game, &ledger, index)
            .into_iter()
            .chain(not_plain(game, &ledger, index, time))
            .chain(settled(record));
        days.extend(why.map(|why| format!("{name}: {why}")));
    }
    days.extend(ledger.oversteps().iter().map(|over| format!("{}: {over}", over.number)));
    let leave = [Side::White, Side::Black].into_iter().flat_map(|side| {
        let still = StandingStill::of(&game.leaves, side);
        let spans: Vec<_> = still.spans().to_vec();
        spans.into_iter().map(move |(from, to)| format!("{}: {from} to {to}, both days included", side.name()))
    });
    for (head, lines) in [
        ("The clock that runs:", running(game, &ledger).into_iter().collect()),
        ("What is not in the table as the sender of the move states it:", stated),
        ("Days that are not simply those between the two dates, and why:", days),
        ("Leave on record; no day of it is charged:", leave.collect()),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{head}\n"));
            text.extend(lines.iter().map(|line| filled(line, "  ", "    ") + "\n"));
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
    let since = ledger.waiting_since().filter(|_| game.result.is_none())?;
    let side = game.to_move();
    let used = format!("{}{}", least(ledger, side), in_words(ledger.total(side)));
    let last = ledger.last_safe_day(side).map(|day| format!("; the last day within the limits is {day}"));
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
            out.push(format!(" {what} {day}: {}", source.words()));
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

/// Days before the start, of leave, counted twice, of penalty, or of a conditional move.
fn not_plain(game: &Game, ledger: &Ledger, index: usize, time: &PlyTime) -> Vec<String> {
    let charge = match time.basis {
        Basis::Counted(charge) => charge,
        Basis::Conditional => return vec!["a move of an accepted conditional line takes no time".to_owned()],
        Basis::Reversed(wrong) => return vec![format!("no days are counted: {wrong}")],
        Basis::Unknown => return vec!["no days are counted: a date is missing, and no days are stated".to_owned()],
        Basis::Stated => {
            return vec!["the days are those that its sender states, since a date or an instant is missing".to_owned()];
        }
        Basis::Agreed { penalty: 0 } => return Vec::new(),
        Basis::Agreed { penalty } => return vec![format!("{} of penalty added", in_words(penalty))],
    };
    let mut out = Vec::new();
    if charge.before_start > 0 {
        out.push(format!("{} before the start of the event not counted", in_words(charge.before_start)));
    }
    if charge.leave > 0 {
        let spans = leave_within(game, ledger.rules(), time);
        out.push(format!("{} not counted: {}'s leave{spans}", in_words(charge.leave), time.number.side.name()));
    }
    if charge.doubled > 0 {
        let limit = ledger.rules().double_after.unwrap_or_default();
        let from = match ledger.rules().double_from {
            DoubleFrom::Day => String::new(),
            DoubleFrom::Reminder => " since the reminder".to_owned(),
        };
        out.push(format!("{} more: days of one move beyond {limit}{from} count twice", in_words(charge.doubled)));
    }
    // an illegal move tells of its own penalty
    if charge.penalty > 0 && game.illegal_before(index).is_none() {
        out.push(format!("{} of penalty added", in_words(charge.penalty)));
    }
    out
}

/// ` of 2004-09-18 to 2004-09-20`, for the leave of the mover that lies between the two dates of his move.
fn leave_within(game: &Game, rules: &Ruleset, time: &PlyTime) -> String {
    let still = StandingStill::under(&rules.leave, &game.leaves, time.number.side);
    let day = |date: Option<Dated>, or: NaiveDate| date.map_or(or, |date| date.day);
    let (first, last) = (day(time.received, NaiveDate::MIN), day(time.sent, NaiveDate::MAX));
    let spans = still.spans().iter().filter(|(from, to)| *from <= last && *to >= first);
    let spans: Vec<String> = spans.map(|(from, to)| format!("{from} to {to}")).collect();
    if spans.is_empty() { String::new() } else { format!(" of {}", spans.join(", ")) }
}

/// What the player settled; it goes before what is stated.
fn settled(record: &MoveRecord) -> Option<String> {
    let Agreed { received, sent, days, total, penalty } = record.agreed;
    let parts = [
        received.map(|day| format!("received {day}")),
        sent.map(|day| format!("sent {day}")),
        days.map(|days| format!("days {days}")),
        total.map(|total| format!("total {total}")),
        penalty.map(|penalty| format!("penalty {penalty}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let by = "settled by the player who keeps this record; timeline.txt says when and why";
    (!parts.is_empty()).then(|| format!("{}: {by}", parts.join(", ")))
}
