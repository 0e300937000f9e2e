//! The games of start letters of which no mail tells yet.

use chrono::{DateTime, TimeDelta, Utc};

use super::game::{Desk, Found, Kind, Trouble};
use super::letters::StartLetter;
use super::mails::Place;
use super::{Exit, Failure, Ready, is_same};
use crate::domain::document::check;
use crate::domain::game::{Game, is_same_event};
use crate::domain::start_letter::{Answers, propose_event};
use crate::mail::address::Address;

/// An event that began before that and of which no mail of a player is found may be played elsewhere, or be over.
const FRESH: TimeDelta = TimeDelta::days(90);

/// Adds the games of the letters that no mail tells of; of several letters of one event the newest counts.
pub(super) fn add(desk: &Desk<'_>, now: DateTime<Utc>, found: &mut Found) {
    let mut letters: Vec<&StartLetter> = desk.letters.iter().collect();
    letters.sort_by_key(|letter| std::cmp::Reverse(letter.at));
    let mut events: Vec<String> = Vec::new();
    for letter in letters {
        let event = letter.letter.event.clone().unwrap_or_default();
        if !event.is_empty() && events.iter().any(|other| is_same_event(other, &event)) {
            continue;
        }
        events.push(event.clone());
        let Err(why) = games(letter, desk, now, found) else { continue };
        // games of it that stand make the letter's other gaps nobody's business
        let is_of_event = |game: &Game| !event.is_empty() && is_same_event(&game.event, &event);
        if !found.ready.iter().map(|ready| &ready.game).chain(&desk.running).any(is_of_event) {
            found.troubles.push(trouble(letter, &why, Kind::Open));
        }
    }
}

fn trouble(letter: &StartLetter, why: &str, kind: Kind) -> Trouble {
    let opponent = letter.director.as_ref().map_or("a start letter".to_owned(), ToString::to_string);
    Trouble { opponent, why: Failure::new(Exit::NeedsConfirmation, format!("{}: {why}", letter.name)), kind }
}

fn games(letter: &StartLetter, desk: &Desk<'_>, now: DateTime<Utc>, found: &mut Found) -> Result<(), String> {
    let mut taken = desk.names.clone();
    taken.extend(found.ready.iter().map(|ready| ready.game.id.clone()));
    let answers = Answers {
        start: desk.args.start,
        event: desk.args.event.clone(),
        rules: desk.rules.clone(),
        ..Answers::default()
    };
    let me = desk.config.me.player();
    let is_address = |text: &str| text.parse::<Address>().is_ok();
    let proposal = propose_event(&letter.letter, &me, &answers, &taken, is_address).map_err(|missing| {
        let lines: Vec<String> = missing.iter().map(ToString::to_string).collect();
        format!("the start letter leaves open: {}\nhelp: amici event import LETTER.eml", lines.join("; "))
    })?;
    let start = proposal.games.first().and_then(|game| game.start_date);
    let is_old = start.is_some_and(|start| start < (now - FRESH).date_naive());
    let mut silent: Vec<String> = Vec::new();
    for game in proposal.games {
        let has_mails = |trouble: &Trouble| trouble.kind != Kind::Known && is_his(&game, &trouble.opponent);
        let stands =
            desk.running.iter().chain(found.ready.iter().map(|ready| &ready.game)).any(|old| is_same(old, &game));
        if stands || found.troubles.iter().any(has_mails) {
            continue;
        }
        check(&game).map_err(|e| format!("game {}: {e}", game.id))?;
        if is_old {
            silent.push(game.opponent().name.clone());
            continue;
        }
        found.ready.push(Ready {
            game,
            from: letter.name.clone(),
            at: letter.at,
            place: Place::Letter,
            why: "as the letter says",
            others: Vec::new(),
            unused: Vec::new(),
            left: Vec::new(),
            doubts: Vec::new(),
            misfits: Vec::new(),
            evidence: Vec::new(),
            letters: Vec::new(),
        });
    }
    if !silent.is_empty() {
        let why = format!(
            "no mail was found of {}, though the event began more than 90 days ago\nhelp: amici event import LETTER.eml",
            silent.join(", ")
        );
        found.troubles.push(trouble(letter, &why, Kind::Open));
    }
    Ok(())
}

fn is_his(game: &Game, address: &str) -> bool {
    game.opponent().emails.iter().any(|email| email.eq_ignore_ascii_case(address))
}
