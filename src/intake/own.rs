//! The readers of incoming mail, lent to [`crate::sent`]: the player's own mails are read as an opponent would read them.
//!
//! Pure. Whoever asks gives a game in which the sides are exchanged, so that the player is the one who writes.

use chrono::{DateTime, NaiveDate, Utc};

use super::evidence::{evidence, too_long};
use super::which::{Thread, words};
use crate::domain::game::MoveNumber;
use crate::domain::judge::{Evidence, Reason, Verdict, judge};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Reading, Written};
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{Kind, split};

pub(crate) use super::which::{answers, names_event, names_id};

/// All that may stand above a quoted draft.
const GREETINGS: [&str; 13] = [
    "amici",
    "best",
    "cheers",
    "dear",
    "greetings",
    "hello",
    "hi",
    "kind",
    "regards",
    "sincerely",
    "sumus",
    "wishes",
    "yours",
];

/// What the words of a mail mean for one game.
pub(crate) fn judged(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Verdict {
    match too_long(message) {
        Some(reason) => Verdict::held(reason),
        None => judge(&thread.game, &evidence(message, thread, at, None)),
    }
}

/// Why the text of a mail is not read, if it is not.
pub(crate) fn unreadable(message: &IncomingMessage) -> Option<Reason> {
    too_long(message)
}

/// The last place on the score sheet for which the mail gives a move of the writer's own, outside conditions and remarks.
pub(crate) fn last_number(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<MoveNumber> {
    let Evidence { views, quoted, .. } = evidence(message, thread, at, None);
    let own = views.iter().filter_map(|view| last_of(view, thread)).max_by_key(|number| number.number);
    own.or_else(|| last_of(&quoted, thread))
}

fn last_of(reading: &Reading, thread: &Thread) -> Option<MoveNumber> {
    let claims = reading.claims.iter().filter(|claim| !claim.conditional && !claim.weighed);
    let numbers = claims.filter_map(|claim| claim.number).chain(reading.bad.iter().map(|bad| bad.number));
    numbers.filter(|number| number.side != thread.game.me).max_by_key(|number| number.number)
}

/// A legal move in digits that the mail's own words state, and do not merely think about.
pub(crate) fn stated_move(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<NumericMove> {
    let replay = thread.game.replay().ok()?;
    let views = evidence(message, thread, at, None).views;
    let claims = views.iter().flat_map(|view| &view.claims).filter(|claim| !claim.weighed && !claim.conditional);
    let mut numbers = claims.filter_map(|claim| match claim.written {
        Written::Numeric(numeric) => Some(numeric),
        Written::Algebraic(_) => None,
    });
    numbers.find(|numeric| numeric.to_move(replay.position()).is_ok())
}

/// The mail names the game or its event.
pub(crate) fn names(message: &IncomingMessage, thread: &Thread) -> bool {
    names_id(message, thread) || names_event(message, thread)
}

/// The days of sending that the mail states of a move, each once, in its text and its labels, be they possible or not.
pub(crate) fn days_of_sending(
    message: &IncomingMessage,
    thread: &Thread,
    number: MoveNumber,
    at: DateTime<Utc>,
) -> Vec<NaiveDate> {
    let views = evidence(message, thread, at, None).views;
    let of_view = |view: &Reading| {
        let claims = view.claims.iter().filter(|claim| claim.number == Some(number) && !claim.conditional);
        let stated = claims.map(|claim| claim.stated.sent).chain([view.labelled.sent]);
        stated.chain([view.sent_out_of_place]).flatten().collect::<Vec<NaiveDate>>()
    };
    let mut days: Vec<NaiveDate> = views.iter().flat_map(of_view).collect();
    days.sort_unstable();
    days.dedup();
    days
}

/// The words of the writer's own, in lower case and without accents.
pub(crate) fn own_words(message: &IncomingMessage) -> Vec<String> {
    let texts = [&message.plain, &message.html].into_iter().flatten();
    texts.flat_map(|text| words(&split(text.trim_end()).own_text())).collect()
}

/// The mail with nothing but the paragraphs of its score table and of its numbered moves: prose around these is no source of a
/// move. `None` where it has no such table.
pub(crate) fn table_only(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<IncomingMessage> {
    let table = |plain: Option<&String>, html: Option<&String>| -> Option<String> {
        let text = plain.or(html)?.trim_end();
        let alone = IncomingMessage { plain: plain.cloned(), html: html.cloned(), ..message.clone() };
        let reading = evidence(&alone, thread, at, None).views.into_iter().next()?;
        let numbered: Vec<usize> = reading.claims.iter().filter(|c| is_of_table(c)).map(|c| c.line).collect();
        let rows = thread.game.moves.len().min(2) + 1;
        (numbered.len() >= rows).then(|| paragraphs_with(text, &numbered))
    };
    let plain = table(message.plain.as_ref(), None);
    let html = table(None, message.html.as_ref());
    let whole = plain.is_some() == message.plain.is_some() && html.is_some() == message.html.is_some();
    (whole && (plain.is_some() || html.is_some())).then(|| IncomingMessage { plain, html, ..message.clone() })
}

/// Whether the words of a mail that are not in its table (see [`table_only`]) name this move, by its digits or by where it goes.
pub(crate) fn speaks_of(message: &IncomingMessage, table: &IncomingMessage, numeric: NumericMove) -> bool {
    let (digits, square) = (numeric.to_string(), numeric.to_square().to_string());
    let names = |text: &Option<String>| {
        let own = text.as_deref().map(|text| words(&split(text.trim_end()).own_text())).unwrap_or_default();
        own.iter().filter(|word| **word == digits || word.ends_with(square.as_str())).count()
    };
    names(&message.plain) > names(&table.plain) || names(&message.html) > names(&table.html)
}

fn is_of_table(claim: &Claim) -> bool {
    claim.number.is_some() && claim.in_sentence.is_none() && !claim.weighed
}

/// The paragraphs in which one of these lines stands; the others become empty lines, so that each keeps its number.
fn paragraphs_with(text: &str, wanted: &[usize]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = String::with_capacity(text.len());
    let mut first = 1;
    for paragraph in lines.split_inclusive(|line| line.trim().is_empty()) {
        let behind = first + paragraph.len();
        let keeps = wanted.iter().any(|line| (first..behind).contains(line));
        for line in paragraph {
            if keeps {
                kept.push_str(line);
            }
            kept.push('\n');
        }
        first = behind;
    }
    kept
}

/// The mail with the lines that it quotes as its own words: the answer to a draft that the program itself wrote. `None` where
/// the player has put more of his own to it than a greeting: it may well be meant for the program.
pub(crate) fn unquoted(message: &IncomingMessage, thread: &Thread) -> Option<IncomingMessage> {
    let text = message.plain.as_ref().or(message.html.as_ref())?;
    let cut = split(text.trim_end());
    let names = words(&format!("{} {}", thread.game.white.name, thread.game.black.name));
    let greets = |word: &String| GREETINGS.contains(&word.as_str()) || names.contains(word);
    if cut.lines.iter().any(|line| line.kind == Kind::Own && !words(line.text).iter().all(greets)) {
        return None;
    }
    let own = cut.lines.iter().filter(|line| matches!(line.kind, Kind::Quoted { depth: 1 }));
    let plain = own.map(|line| format!("{}\n", line.text)).collect();
    Some(IncomingMessage { plain: Some(plain), html: None, ..message.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_without_a_wanted_line_become_empty_lines() {
        assert_eq!(paragraphs_with("a\nb\n\nc\nd\n\ne", &[2, 7]), "a\nb\n\n\n\n\ne\n");
        assert_eq!(paragraphs_with("a\n\nb", &[]), "\n\n\n");
    }
}
