//! The readers of incoming mail, lent to [`crate::sent`]: the player's own mails are read as an opponent would read them.
//!
//! Pure. Whoever asks gives a game in which the sides are exchanged, so that the player is the one who writes.

use chrono::{DateTime, NaiveDate, Utc};

pub(crate) use super::evidence::too_long as unreadable;
use super::evidence::{Asked, Mail, too_long};
use super::sections::Part;
use super::which::{Thread, words};
use crate::domain::game::MoveNumber;
use crate::domain::judge::{Asks, Evidence, Verdict, judge_asked};
use crate::domain::notation::{Language, NumericMove};
use crate::domain::transmission::read::{Claim, Reading, Written};
use crate::mail::known::Known;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{self, Kind, split};

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
    asked(message, thread, at, Asked::default(), &Asks::default())
}

/// The same, where the mail may be in this language of pieces too.
pub(crate) fn judged_in(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>, language: Language) -> Verdict {
    asked(message, thread, at, Asked::default(), &Asks { language: Some(language), ..Asks::default() })
}

/// The same of these lines alone.
pub(crate) fn judged_by(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>, lines: &Lines) -> Verdict {
    let lines = match lines {
        Lines::Table(part) => Asked::part(part),
        Lines::Quoted => Asked { quotation: true, ..Asked::default() },
    };
    asked(message, thread, at, lines, &Asks::default())
}

fn asked(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>, lines: Asked<'_>, asks: &Asks) -> Verdict {
    match too_long(message) {
        Some(reason) => Verdict::held(reason),
        None => judge_asked(&thread.game, &Mail::of(message, at).evidence(thread, lines), asks),
    }
}

/// Lines of a mail that may say more clearly what the whole of it means.
pub(crate) enum Lines {
    /// Those of its tables.
    Table(Part),
    /// What it quotes.
    Quoted,
}

/// The last place on the score sheet for which the mail gives a move of the writer's own, outside conditions and remarks.
pub(crate) fn last_number(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<MoveNumber> {
    let Evidence { views, quoted, .. } = Mail::of(message, at).evidence(thread, Asked::default());
    let own = views.iter().filter_map(|view| last_of(view, thread)).max_by_key(|number| number.number);
    own.or_else(|| last_of(&quoted, thread))
}

fn last_of(reading: &Reading, thread: &Thread) -> Option<MoveNumber> {
    let claims = reading.claims.iter().filter(|claim| !claim.conditional && claim.hedge.is_none());
    let numbers = claims.filter_map(|claim| claim.number).chain(reading.bad.iter().map(|bad| bad.number));
    numbers.filter(|number| number.side != thread.game.me).max_by_key(|number| number.number)
}

/// A legal move in digits that the mail's own words state, and do not merely think about.
pub(crate) fn stated_move(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<NumericMove> {
    let replay = thread.game.replay().ok()?;
    let views = Mail::of(message, at).evidence(thread, Asked::default()).views;
    let claims = views.iter().flat_map(|view| &view.claims).filter(|claim| claim.hedge.is_none() && !claim.conditional);
    let mut numbers = claims.filter_map(|claim| match claim.written {
        Written::Numeric(numeric) => Some(numeric),
        Written::Algebraic(_) => None,
    });
    numbers.find(|numeric| numeric.to_move(replay.position()).is_ok())
}

/// The days of sending that the mail states of a move, each once, in its text and its labels, be they possible or not.
pub(crate) fn days_of_sending(
    message: &IncomingMessage,
    thread: &Thread,
    number: MoveNumber,
    at: DateTime<Utc>,
) -> Vec<NaiveDate> {
    let views = Mail::of(message, at).evidence(thread, Asked::default()).views;
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

/// The paragraphs of the mail's score table and of its numbered moves: prose around these is no source of a move. `None` where one of
/// its forms has no such table.
pub(crate) fn table_only(message: &IncomingMessage, thread: &Thread, at: DateTime<Utc>) -> Option<Lines> {
    let mail = Mail::of(message, at);
    let rows = thread.game.moves.len().min(2) + 1;
    let mut part = Part::default();
    for (view, text) in mail.texts(&Known::default()) {
        let reading = mail.evidence(thread, Asked { view: Some(view), ..Asked::default() }).views.into_iter().next()?;
        let numbered: Vec<usize> = reading.claims.iter().filter(|c| is_of_table(c)).map(|c| c.line).collect();
        if numbered.len() < rows {
            return None;
        }
        for paragraph in text.lines.split_inclusive(|line| line.text.trim().is_empty()) {
            if paragraph.iter().any(|line| numbered.contains(&line.number)) {
                paragraph.iter().for_each(|line| part.add(view, line.number));
            }
        }
    }
    (!part.is_empty()).then_some(Lines::Table(part))
}

/// Whether the words of a mail that are not in its table (see [`table_only`]) name this move, by its digits or by where it goes.
pub(crate) fn speaks_of(message: &IncomingMessage, table: &Lines, numeric: NumericMove) -> bool {
    let (digits, square) = (numeric.to_string(), numeric.to_square().to_string());
    let texts = [&message.plain, &message.html].into_iter().enumerate();
    texts.filter_map(|(view, text)| Some((view, text.as_ref()?))).any(|(view, text)| {
        let split = split(text.trim_end());
        let beside = split.lines.iter().filter(|line| line.kind == Kind::Own);
        let is_of_table =
            |line: &quote::Line<'_>| matches!(table, Lines::Table(part) if part.words_of(view, line).is_some());
        let mut beside = beside.filter(|line| !is_of_table(line));
        beside.any(|line| words(line.text).iter().any(|word| *word == digits || word.ends_with(square.as_str())))
    })
}

fn is_of_table(claim: &Claim) -> bool {
    claim.number.is_some() && claim.in_sentence.is_none() && claim.hedge.is_none()
}

/// The lines that the mail quotes: the answer to a draft that the program itself wrote. `None` where the player has put more of his own
/// to it than a greeting: it may well be meant for the program.
pub(crate) fn unquoted(message: &IncomingMessage, thread: &Thread) -> Option<Lines> {
    let text = message.plain.as_ref().or(message.html.as_ref())?;
    let cut = split(text.trim_end());
    let names = words(&format!("{} {}", thread.game.white.name, thread.game.black.name));
    let greets = |word: &String| GREETINGS.contains(&word.as_str()) || names.contains(word);
    let is_greeting = |line: &quote::Line<'_>| words(line.text).iter().all(greets);
    let greets_only = cut.lines.iter().filter(|line| line.kind == Kind::Own).all(is_greeting);
    greets_only.then_some(Lines::Quoted)
}
