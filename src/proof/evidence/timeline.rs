//! Every mail and every act of a game in order, as text and as a table for a spreadsheet.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::names::{name, named};
use super::{Case, MailFile, filled};
use crate::domain::game::plies_in_words;
use crate::domain::game::{MoveNumber, Stated};
use crate::intake::settings::Settings;
use crate::io::store::{Act, Performed};
use crate::mail::authentication::Authentication;
use crate::mail::message::parse;
use crate::mail::text::one_line;

/// One line of the story.
pub(super) struct Entry {
    at: DateTime<Utc>,
    /// `mail` or `act`.
    kind: &'static str,
    /// Label and value, in the order of the table.
    fields: [(&'static str, String); 7],
}

pub(super) fn entries(case: &Case<'_>, with_mails: bool) -> Vec<Entry> {
    let mails = case.mails.iter().map(|mail| of_mail(case, mail, with_mails));
    let acts = case.acts.iter().filter(|done| !is_told_already(case, done));
    let acts = acts.filter_map(|done| Some(act(case, done.at, &of_act(case, done)?)));
    let mut entries: Vec<Entry> = mails.chain(acts).collect();
    entries.sort_by_key(|entry| entry.at);
    entries
}

/// The journal tells of the closing of a game beside the act that closed it.
fn is_told_already(case: &Case<'_>, done: &Performed) -> bool {
    let Act::Note { event } = &done.act else { return false };
    let closes = |other: &Performed| {
        other.at == done.at && matches!(&other.act, Act::Close { game, .. } if *game == case.game.id)
    };
    event.kind == "result" && event.game.as_ref() == Some(&case.game.id) && case.acts.iter().any(closes)
}

fn act(case: &Case<'_>, at: DateTime<Utc>, what: &str) -> Entry {
    let none = String::new;
    let from = format!("{}, who keeps this record", name(case.game.myself()));
    let fields = [
        ("mail", none()),
        ("from", from),
        ("subject", none()),
        ("said", named(what, case.game)),
        ("decided", none()),
        ("differs", none()),
        ("checks", none()),
    ];
    Entry { at, kind: "act", fields }
}

fn of_mail(case: &Case<'_>, file: &MailFile, with_mails: bool) -> Entry {
    let mail = &file.mail;
    let place = match (&file.raw, with_mails) {
        (Some(_), true) => file.name.clone(),
        _ => format!("SHA-256 {}", mail.sha256),
    };
    let also = if mail.elsewhere { "; it is about another game of the player too" } else { "" };
    // what he writes about another game is no business of this one's director
    let foreign = mail.elsewhere && !with_mails;
    let plies: Vec<String> = mail.plies.iter().map(ToString::to_string).collect();
    let said = match plies.as_slice() {
        [] if mail.elsewhere => String::new(),
        [] => words(file),
        plies => format!("{}, {}", plies.join(" "), in_words(&mail.stated)),
    };
    let waits = if mail.open { "; it waits for the player" } else { "" };
    let fields = [
        ("mail", format!("{} {place}{also}", mail.mail)),
        ("from", mail.from_address.clone().unwrap_or_else(|| "no sender that can be read".to_owned())),
        ("subject", if foreign { "not shown".to_owned() } else { one_line(&mail.subject, 200) }),
        ("said", said),
        ("decided", format!("{}: {}{waits}", outcome(&mail.outcome), named(&mail.reason, case.game))),
        ("differs", named(&mail.discrepancies.join("; "), case.game)),
        ("checks", checks(case, file)),
    ];
    Entry { at: mail.at, kind: "mail", fields }
}

/// The beginning of its text.
fn words(file: &MailFile) -> String {
    let message = file.raw.as_ref().and_then(|raw| parse(raw).ok());
    let text = message.and_then(|message| message.plain.or(message.html)).unwrap_or_default();
    if text.trim().is_empty() { String::new() } else { format!("\"{}\"", one_line(&text, 300)) }
}

fn outcome(word: &str) -> &str {
    match word {
        "move" => "recorded",
        "duplicate" => "a repeat, nothing new",
        "needs_human" => "held for the player",
        "wrong_sender" => "refused, another sender",
        "draw_accept" => "an acceptance of a draw, for the player to confirm",
        "resignation" => "a resignation, for the player to confirm",
        "not_game_mail" => "no move",
        "own" => "a mail of the player's own",
        other => other,
    }
}

fn in_words(stated: &Stated) -> String {
    let values = [
        stated.received.map(|day| format!("received {day}")),
        stated.sent.map(|day| format!("sent {day}")),
        stated.days.map(|days| format!("days {days}")),
        stated.total.map(|total| format!("total {total}")),
    ];
    let values: Vec<String> = values.into_iter().flatten().collect();
    if values.is_empty() { "no dates stated".to_owned() } else { values.join(", ") }
}

/// What vouches for the sender: the results in the mail's header, and those of the check when it was taken in.
fn checks(case: &Case<'_>, file: &MailFile) -> String {
    let Some(message) = file.raw.as_ref().and_then(|raw| parse(raw).ok()) else {
        return "its header cannot be read".to_owned();
    };
    let mut settings = None;
    let mut verified = None;
    for Performed { act, .. } in &case.acts {
        match act {
            Act::Settings(value) => settings = Settings::read(value),
            Act::Mail(mail) if mail.sha256 == file.mail.sha256 => {
                verified.clone_from(&mail.verified);
                break;
            }
            _ => {}
        }
    }
    let own = settings.as_ref().map_or(&case.senders.own_server, |settings| &settings.senders.own_server);
    let from = match &message.from {
        Ok(sender) => format!("one From line, {}", sender.address),
        Err(trouble) => trouble.to_string(),
    };
    let found = Authentication::of(&message.headers, own, verified.as_deref());
    let vouching = message.from.as_ref().ok().and_then(|sender| found.vouching_domain(&sender.address));
    let vouching = vouching.map_or("no domain vouches for it".to_owned(), |domain| format!("{domain} vouches for it"));
    let found = found
        .to_string()
        .replace("your server", "the player's server")
        .replace("your own server", "the player's server");
    format!("{from}; {found}; {vouching}")
}

/// What the player did in this game, if the act is about it.
fn of_act(case: &Case<'_>, done: &Performed) -> Option<String> {
    let game = case.game;
    let number = |plies: usize| -> MoveNumber { game.number_of(plies) };
    Some(match &done.act {
        Act::Import { games, replace } => {
            let (imported, _) = games.iter().find(|(imported, _)| imported.id == game.id)?;
            let how = if *replace { "entered anew, in place of what stood there" } else { "entered" };
            format!("the game was {how}, with {}", plies_in_words(imported.moves.len()))
        }
        Act::Plan { game: of, expected_plies, plan, .. } if *of == game.id && !plan.is_drafted() => {
            format!("chose {} {} and kept it, to look at it again", number(*expected_plies), plan.numeric)
        }
        Act::Plan { game: of, expected_plies, plan, .. } if *of == game.id => {
            let offer = if plan.draw_offer { ", with an offer of a draw" } else { "" };
            let stated = in_words(&plan.stated);
            format!("chose {} {} and had it drafted: {stated}{offer}", number(*expected_plies), plan.numeric)
        }
        Act::Restate { game: of, expected_plies, plan, .. } if *of == game.id => {
            let (number, stated) = (number(*expected_plies), in_words(&plan.stated));
            format!("{number} {} was not sent yet and is drafted anew: {stated}", plan.numeric)
        }
        Act::Undo { game: of, .. } if *of == game.id => match taken_back(case, done) {
            Some(chosen) => format!("took {chosen} back: it was chosen and not sent, and counts for nothing"),
            None => "took the chosen move back".to_owned(),
        },
        Act::Release { game: of, expected_plies, plan, .. } if *of == game.id => {
            let stated = in_words(&plan.stated);
            format!("released {} {} to be sent by the program: {stated}", number(*expected_plies), plan.numeric)
        }
        Act::Recall { game: of } if *of == game.id => "the released move was not sent".to_owned(),
        Act::Sent { sent, event } if sent.game == game.id => {
            format!("{}: {}", event.text, in_words(&sent.record.claimed))
        }
        Act::Settle { about, event, .. } | Act::Ask { about, event, .. } if about.game.as_ref() == Some(&game.id) => {
            event.text.clone()
        }
        Act::Assign { events, .. } => {
            events.iter().find(|event| event.game.as_ref() == Some(&game.id))?.text.clone()
        }
        Act::Close { game: of, result, .. } if *of == game.id => format!("closed the game: {}", result.word()),
        Act::Note { event } if event.game.as_ref() == Some(&game.id) => event.text.clone(),
        Act::Care { events, .. } | Act::RemoveLeave { events, .. } => {
            events.iter().find(|event| event.game.as_ref() == Some(&game.id))?.text.clone()
        }
        Act::SettleClock { game: of, event, .. }
        | Act::SetRules { game: of, event, .. }
        | Act::Edit { game: of, event, .. }
        | Act::RemoveClockNote { game: of, event, .. }
        | Act::Illegal { game: of, event, .. }
            if *of == game.id =>
        {
            event.text.clone()
        }
        Act::Retract { back, event, .. } if back.id == game.id => event.text.clone(),
        // it explains the instants of whatever was done before
        Act::ClockRight { event, .. } => event.text.clone(),
        Act::Plan { .. }
        | Act::Restate { .. }
        | Act::Release { .. }
        | Act::Recall { .. }
        | Act::Undo { .. }
        | Act::Sent { .. }
        | Act::Settle { .. }
        | Act::Ask { .. }
        | Act::Close { .. }
        | Act::Delete { .. }
        | Act::Retract { .. }
        | Act::SettleClock { .. }
        | Act::SetRules { .. }
        | Act::Edit { .. }
        | Act::RemoveClockNote { .. }
        | Act::Illegal { .. }
        // private
        | Act::Annotate { .. }
        | Act::RemoveNote { .. }
        | Act::Note { .. }
        | Act::Settings(_)
        | Act::Mail(_)
        | Act::SentMail(_)
        | Act::ReadAgain { .. }
        | Act::Private(_) => return None,
    })
}

/// The move that an undo took back, as in `3... 6766`: the newest that was chosen before it.
fn taken_back(case: &Case<'_>, undo: &Performed) -> Option<String> {
    let before = case.acts.iter().take_while(|done| done.id < undo.id);
    let chosen = before.filter_map(|done| match &done.act {
        Act::Plan { game, expected_plies, plan, .. } if *game == case.game.id => {
            Some(format!("{} {}", case.game.number_of(*expected_plies), plan.numeric))
        }
        _ => None,
    });
    chosen.last()
}

/// A block for each entry, with its instant in UTC and where the player lives.
pub(super) fn text(entries: &[Entry], zone: Tz) -> String {
    let mut text = format!(
        "Every mail of the game and every act of the player, oldest first. Instants are in UTC,\nand in {zone}, where the player lives.\n"
    );
    for Entry { at, kind, fields } in entries {
        let here = at.with_timezone(&zone).format("%a %d %b %Y %H:%M:%S %Z");
        text.push_str(&format!("\n{}  ({here})  {kind}\n", at.format("%Y-%m-%d %H:%M:%S UTC")));
        for (label, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            let first = format!("  {label:<8} ");
            text.push_str(&filled(value, &first, "           "));
            text.push('\n');
        }
    }
    text
}

/// The same as comma-separated values (RFC 4180).
pub(super) fn csv(entries: &[Entry], zone: Tz) -> String {
    let mut rows = String::from("utc,local,kind,mail,from,subject,said,decided,differs,checks\r\n");
    for Entry { at, kind, fields } in entries {
        let times =
            [at.format("%Y-%m-%dT%H:%M:%SZ").to_string(), at.with_timezone(&zone).to_rfc3339(), (*kind).to_owned()];
        let cells: Vec<String> = times.iter().chain(fields.iter().map(|(_, value)| value)).map(|v| cell(v)).collect();
        rows.push_str(&cells.join(","));
        rows.push_str("\r\n");
    }
    rows
}

/// A value in quotes; one that a spreadsheet would compute begins with an apostrophe, since a sender can write anything.
fn cell(value: &str) -> String {
    let computed = value.starts_with(['=', '+', '-', '@', '\t', '\r']);
    format!("\"{}{}\"", if computed { "'" } else { "" }, value.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_subject_cannot_become_a_formula_or_another_column() {
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("Re: 7. 5171, sent"), "\"Re: 7. 5171, sent\"");
    }
}
