//! Damages to what is said of the game.

use amici::domain::game::{MoveRecord, Plan};
use amici::domain::notation::NumericMove;
use shakmaty::Position;

use super::text::with_lines;
use super::{Case, Damage, Meant};
use crate::game::{Ply, records};

pub(super) const ALL: &[Damage] = &[
    Damage { name: "another digit", change: another_digit },
    Damage { name: "digits swapped", change: digits_swapped },
    Damage { name: "illegal move", change: illegal },
    Damage { name: "mirrored board", change: mirrored },
    Damage { name: "last digit lost", change: |c| digits(c, |d, _| d[..d.len() - 1].to_owned()) },
    Damage { name: "a digit too many", change: |c| digits(c, |d, n| format!("{d}{}", n % 8 + 1)) },
    Damage {
        name: "letters for digits",
        change: |c| digits(c, |d, _| d.replace('1', "l").replace('5', "S").replace('8', "B")),
    },
    Damage { name: "promotion piece missing", change: promotion_missing },
    Damage { name: "earlier move altered", change: earlier_altered },
    Damage { name: "our last move altered", change: our_last_altered },
    Damage { name: "two rows swapped", change: rows_swapped },
    Damage { name: "row doubled", change: row_doubled },
    Damage { name: "row dropped", change: row_dropped },
    Damage { name: "numbers slipped", change: |c| slipped(c, 0) },
    Damage { name: "last numbers slipped", change: |c| slipped(c, c.situation.plies.len().saturating_sub(2)) },
    Damage { name: "last number slipped", change: |c| slipped(c, c.situation.plies.len() - 1) },
    Damage { name: "older state", change: older_state },
    Damage { name: "reminder", change: reminder },
    Damage { name: "reminder with a change", change: reminder_changed },
    Damage { name: "two moves more", change: ahead },
    Damage { name: "two candidates", change: two_candidates },
    Damage { name: "correction", change: correction },
    Damage { name: "own move planned", change: planned },
    Damage { name: "another own move planned", change: planned_otherwise },
    Damage { name: "other dates elsewhere", change: other_dates },
    Damage { name: "dates exchanged", change: dates_exchanged },
];

/// The legal move that these digits are, castling in its other spellings included.
fn legal(case: &Case<'_>, digits: &str) -> Option<NumericMove> {
    let legal = digits.parse::<NumericMove>().ok()?.to_move(&case.situation.before).ok()?;
    Some(NumericMove::of(&legal.played))
}

/// Puts `digits` in the place of the new move, and says what the mail then means.
fn replaced(case: &mut Case<'_>, digits: &str) -> Option<Meant> {
    // where the move stands in letters, the same digits are a rating
    if case.letter.needs.is_some() {
        return None;
    }
    let new = case.new_digits();
    let text = case.letter.text.as_deref()?;
    let alone = text.match_indices(&new).all(|(at, _)| {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        !is_digit(text[..at].chars().next_back()) && !is_digit(text[at + new.len()..].chars().next())
    });
    let places = text.matches(&new).count();
    let single = places == 1 || (places > 1 && case.layout.name == "composed" && case.situation.plies.len() > 8);
    if !alone || !single {
        return None;
    }
    // his other words still give the move that he meant
    let elsewhere = case.letter.subject.contains(&new)
        || case.letter.html.as_ref().is_some_and(|html| html.contains(&new))
        || case.layout.name == "both notations";
    case.edit(|text| {
        let last = text.rfind(&new)?;
        Some(format!("{}{digits}{}", &text[..last], &text[last + new.len()..]))
    })?;
    let composed_twice = case.letter.text.as_deref()?.contains(&new);
    match legal(case, digits) {
        Some(same) if same == case.new_ply().numeric => Some(Meant::Unsure),
        Some(other) if !elsewhere && !composed_twice => Some(Meant::Other(other)),
        _ => Some(Meant::Nothing),
    }
}

fn digits(case: &mut Case<'_>, change: fn(&str, usize) -> String) -> Option<Meant> {
    let new = case.new_digits();
    let changed = change(&new, case.dice.roll(8));
    if changed == new {
        return None;
    }
    replaced(case, &changed)?;
    // a table or a subject that still has it makes up for the line
    let stands = case.letter.text.as_deref()?.contains(&new) || case.letter.subject.contains(&new);
    Some(if stands { Meant::Unsure } else { Meant::Nothing })
}

fn another_digit(case: &mut Case<'_>) -> Option<Meant> {
    let mut digits: Vec<char> = case.new_digits().chars().collect();
    let at = case.dice.roll(4);
    digits[at] = char::from(b'1' + u8::try_from(case.dice.roll(8)).unwrap());
    let changed: String = digits.into_iter().collect();
    (changed != case.new_digits()).then(|| replaced(case, &changed)).flatten()
}

fn digits_swapped(case: &mut Case<'_>) -> Option<Meant> {
    let mut digits: Vec<char> = case.new_digits().chars().collect();
    let at = case.dice.roll(3);
    digits.swap(at, at + 1);
    let changed: String = digits.into_iter().collect();
    (changed != case.new_digits()).then(|| replaced(case, &changed)).flatten()
}

fn illegal(case: &mut Case<'_>) -> Option<Meant> {
    let mut digit = || char::from(b'1' + u8::try_from(case.dice.roll(8)).unwrap());
    let changed: String = [digit(), digit(), digit(), digit()].iter().collect();
    legal(case, &changed).is_none().then(|| replaced(case, &changed)).flatten()
}

/// Squares as they look from the other side.
fn mirrored(case: &mut Case<'_>) -> Option<Meant> {
    let turn = |(at, c): (usize, char)| if at < 4 { char::from(b'9' - (c as u8 - b'0')) } else { c };
    let changed: String = case.new_digits().chars().enumerate().map(turn).collect();
    replaced(case, &changed)
}

fn promotion_missing(case: &mut Case<'_>) -> Option<Meant> {
    let new = case.new_digits();
    (new.len() == 5).then(|| replaced(case, &new[..4])).flatten().map(|_| Meant::Nothing)
}

/// The mail about plies of which one is another.
fn with_altered(case: &mut Case<'_>, at: usize) -> Option<()> {
    let mut plies = case.situation.plies.clone();
    let from = case.dice.roll(plies.len());
    let instead = if case.dice.one_in(2) { *case.dice.pick(&case.situation.legal) } else { plies[from].numeric };
    if instead == plies[at].numeric || plies[from].san == plies[at].san {
        return None;
    }
    plies[at].san = plies[from].san.clone();
    plies[at].numeric = instead;
    let letter = case.write(&plies)?;
    let same = letter.text == case.letter.text && letter.html == case.letter.html;
    case.letter = letter;
    (!same).then_some(())
}

fn earlier_altered(case: &mut Case<'_>) -> Option<Meant> {
    let at = case.dice.roll(case.situation.plies.len().checked_sub(1).filter(|n| *n > 0)?);
    case.layout.whole.then(|| with_altered(case, at)).flatten()?;
    Some(Meant::Nothing)
}

fn our_last_altered(case: &mut Case<'_>) -> Option<Meant> {
    with_altered(case, case.situation.plies.len().checked_sub(2)?)?;
    let quoted = ["quoted below", "quoted above", "interleaved", "outlook block", "phone"];
    Some(if quoted.contains(&case.layout.name) { Meant::Unsure } else { Meant::Nothing })
}

fn rows_swapped(case: &mut Case<'_>) -> Option<Meant> {
    let mut plies = case.situation.plies.clone();
    let at = case.dice.roll(plies.len());
    let other = at.checked_sub(2)?;
    if plies[at].numeric == plies[other].numeric || !case.layout.whole {
        return None;
    }
    let numbers = (plies[at].number, plies[other].number);
    plies.swap(at, other);
    (plies[other].number, plies[at].number) = (numbers.1, numbers.0);
    case.letter = case.write(&plies)?;
    Some(Meant::Nothing)
}

fn row_doubled(case: &mut Case<'_>) -> Option<Meant> {
    let lines = case.letter.text.as_deref()?.lines().count();
    let at = case.dice.roll(lines);
    case.edit(|text| Some(with_lines(text, |lines| lines.insert(at, lines[at].clone()))))?;
    Some(Meant::New)
}

fn row_dropped(case: &mut Case<'_>) -> Option<Meant> {
    let lines = case.letter.text.as_deref()?.lines().count();
    let at = case.dice.roll(lines);
    let new = case.new_digits();
    case.edit(|text| {
        let line = text.lines().nth(at)?;
        (!line.contains(&new)).then(|| with_lines(text, |lines| drop(lines.remove(at))))
    })?;
    // the head of a table or the line with the date may be gone
    case.dates = false;
    Some(Meant::Unsure)
}

/// Move numbers from some ply on are one too high.
fn slipped(case: &mut Case<'_>, from: usize) -> Option<Meant> {
    let mut plies = case.situation.plies.clone();
    for ply in &mut plies[from..] {
        ply.number.number += 1;
    }
    let letter = case.write(&plies)?;
    let same = letter.text == case.letter.text && letter.html == case.letter.html;
    case.letter = letter;
    // a person may see what is meant
    (!same).then_some(Meant::Unsure)
}

fn older_state(case: &mut Case<'_>) -> Option<Meant> {
    let plies = &case.situation.plies;
    let upto = 1 + case.dice.roll(plies.len() - 1);
    case.letter = case.layout.whole.then(|| case.write(&plies[..upto])).flatten()?;
    Some(Meant::Nothing)
}

/// The new move is on record already.
fn reminder(case: &mut Case<'_>) -> Option<Meant> {
    case.game.moves = records(&case.situation.plies);
    Some(Meant::Nothing)
}

fn reminder_changed(case: &mut Case<'_>) -> Option<Meant> {
    let other = case.another()?;
    case.game.moves = records(&case.situation.plies);
    case.game.moves.last_mut()?.numeric = other;
    Some(Meant::Nothing)
}

/// He goes on where the record is two plies after.
fn ahead(case: &mut Case<'_>) -> Option<Meant> {
    case.game.moves.truncate(case.situation.plies.len().checked_sub(3)?);
    // without a number, and by chance legal there, nobody can tell
    case.layout.whole.then_some(Meant::Nothing)
}

fn two_candidates(case: &mut Case<'_>) -> Option<Meant> {
    let (other, number) = (case.another()?, case.new_ply().number);
    case.add(&format!("{number} {other}"))?;
    Some(Meant::Nothing)
}

fn correction(case: &mut Case<'_>) -> Option<Meant> {
    let (other, number) = (case.another()?, case.new_ply().number);
    let line = *case.dice.pick(&[
        "Correction: {} is wrong, I play {} instead.",
        "Sorry, not {} but {}!",
        "Ich korrigiere: statt {} ziehe ich {}.",
        "Please forget {}. My move is {}.",
    ]);
    let new = case.new_digits();
    let line = crate::words::fill(line, &[&format!("{number} {new}"), &format!("{number} {other}")]);
    case.add_below(&line)?;
    Some(Meant::Nothing)
}

fn plan_of(record: MoveRecord) -> Plan {
    Plan {
        before: Vec::new(),
        numeric: record.numeric,
        stated: record.claimed,
        draw_offer: false,
        message_id: "<plan@example.net>".to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    }
}

fn planned(case: &mut Case<'_>) -> Option<Meant> {
    let last = case.game.moves.pop()?;
    case.game.plan = Some(plan_of(last));
    Some(Meant::New)
}

fn planned_otherwise(case: &mut Case<'_>) -> Option<Meant> {
    let last = case.game.moves.pop()?;
    let replay = case.game.replay().ok()?;
    let moves: Vec<NumericMove> = replay.position().legal_moves().iter().map(NumericMove::of).collect();
    let other = *case.dice.pick(&moves);
    case.game.plan = Some(plan_of(MoveRecord { numeric: other, ..last }));
    (other != last.numeric).then_some(Meant::Nothing)
}

/// A second statement of the dates, a month apart.
fn other_dates(case: &mut Case<'_>) -> Option<Meant> {
    let stated = case.new_ply().stated;
    let later = |date: Option<chrono::NaiveDate>| {
        date.and_then(|d| d.checked_sub_months(chrono::Months::new(1))).map(|d| d.format("%d.%m.%Y").to_string())
    };
    let words = case.style.words;
    let line = format!("{} {}, {} {}", words.received, later(stated.received)?, words.sent, later(stated.sent)?);
    case.add_below(&line)?;
    // where the mail states no others, these are what it states
    case.dates = false;
    Some(Meant::Unsure)
}

/// Received after sent.
fn dates_exchanged(case: &mut Case<'_>) -> Option<Meant> {
    let exchanged = |ply: &Ply| {
        let mut ply = ply.clone();
        std::mem::swap(&mut ply.stated.received, &mut ply.stated.sent);
        ply
    };
    let plies: Vec<Ply> = case.situation.plies.iter().map(exchanged).collect();
    case.letter = case.write(&plies)?;
    case.dates = false;
    Some(Meant::Unsure)
}
