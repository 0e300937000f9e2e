//! A game as PGN (export format, sections 3.1 and 8), with the tags that correspondence players and directors expect.
//!
//! The same game always gives the same text. No line of the moves is longer than 78 columns; lines end at blanks only, so that a tag
//! is one line however long. Dates and days are those that count, as the rules of the game make them: what a mail states otherwise is left
//! out. What will surprise you: under `strict7` a game that starts elsewhere still has SetUp and FEN, without which its moves mean nothing.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use shakmaty::Chess;
use shakmaty::san::SanPlus;

use super::note::{Note, dotted};
use super::{MODE, OF_THE_WHOLE, ROSTER, RULESET};
use crate::domain::clock::ledger::{DateSource, Ledger, PlyTime};
use crate::domain::clock::rules::{PgnDate, Ruleset, RulesetChoice, TimeControl};
use crate::domain::game::{Game, GameResult, MoveRecord, Player, PrivateNote, Side, Stated};
use crate::domain::openings;
use crate::domain::replay::{Replay, ReplayError};

/// Columns of a line of moves (4.3: less than 80).
const COLUMNS: usize = 78;
/// Seconds of a day, the unit of TimeControl (9.6.1).
const DAY: u64 = 86_400;

/// What goes into a PGN.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The seven tags of the roster and no other.
    pub strict7: bool,
    /// Which day stands in Date; before the end of a game that of its end is not known.
    pub date: PgnDate,
    /// The dates and days that count after each move, and the instant at which its mail was sent where one was seen.
    pub dates: bool,
    /// The players' mail addresses.
    pub addresses: bool,
    /// The opening's code and name.
    pub opening: bool,
}

impl Options {
    /// What the director of an event with these rules expects of a report.
    pub fn for_director(rules: &Ruleset) -> Options {
        Options { strict7: rules.pgn_strict7, date: rules.pgn_date, ..Options::default() }
    }
}

/// The game as PGN, ending in a line end.
///
/// # Errors
/// [`ReplayError`] when the record does not play out.
pub fn write(game: &Game, options: &Options) -> Result<String, ReplayError> {
    write_annotated(game, options, &[])
}

/// The same with the player's private notes as comments: for his own eyes.
///
/// # Errors
/// Those of [`write()`].
pub fn write_annotated(game: &Game, options: &Options, notes: &[PrivateNote]) -> Result<String, ReplayError> {
    let replay = game.replay()?;
    let ledger = Ledger::of(game).ok();
    let times = ledger.as_ref().map_or(&[][..], Ledger::plies);
    let mut text = String::new();
    for (name, value) in tags(game, &replay, times, options) {
        text.push_str(&format!("[{name} \"{}\"]\n", escaped(&value)));
    }
    text.push('\n');
    let mut column = 0;
    for word in movetext(game, &replay, times, options, notes) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += length;
    }
    text.push('\n');
    Ok(text)
}

fn tags<'a>(game: &'a Game, replay: &Replay, times: &[PlyTime], options: &Options) -> Vec<(&'a str, String)> {
    let or_unknown = |text: &str| if text.trim().is_empty() { "?".to_owned() } else { text.to_owned() };
    let day = |day: Option<NaiveDate>| day.map_or("????.??.??".to_owned(), dotted);
    let date = match options.date {
        PgnDate::Start => game.start_date,
        PgnDate::End => times.iter().rev().filter(|_| game.result.is_some()).find_map(|time| time.sent).map(|d| d.day),
    };
    let result = game.result.map_or("*", GameResult::word);
    let is_over = game.result.is_some();
    let stands = |(name, _): &(&String, &String)| is_over || !OF_THE_WHOLE.contains(&name.as_str());
    let kept: BTreeMap<&str, &str> =
        game.tags.iter().filter(stands).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let round = kept.get("Round").copied().unwrap_or("-");
    let values = [&game.event, &game.site, &day(date), round, &game.white.name, &game.black.name, result];
    let mut tags: Vec<(&str, String)> = ROSTER.into_iter().zip(values.map(or_unknown)).collect();
    if !options.strict7 {
        let is_free = |name: &str| !kept.contains_key(name);
        let mut add =
            |name, value: Option<String>| tags.extend(value.filter(|_| is_free(name)).map(|value| (name, value)));
        let address = |player: &Player| player.emails.first().filter(|_| options.addresses).cloned();
        add("EventDate", game.start_date.map(dotted));
        add("Mode", Some(MODE.to_owned()));
        add("TimeControl", game.ruleset().ok().map(|rules| time_control(rules.control)));
        add(
            RULESET,
            match &game.rules {
                RulesetChoice::Name(name) => Some(name.clone()),
                RulesetChoice::Custom(values) => serde_json::to_string(values).ok(),
            },
        );
        add("WhiteNA", address(&game.white));
        add("BlackNA", address(&game.black));
        add("PlyCount", Some(game.moves.len().to_string()));
        let names_opening = options.opening && is_free("ECO") && is_free("Opening");
        if let Some(opening) = names_opening.then(|| openings::opening(replay)).flatten() {
            add("ECO", Some(opening.eco.to_owned()));
            add("Opening", Some(opening.name.to_owned()));
        }
        // 9.8.1; how a game ended that the board does not end, the record does not say
        let ended = replay.standing().result(game.to_move());
        add(
            "Termination",
            match game.result {
                None => Some("unterminated".to_owned()),
                Some(result) => (ended == Some(result)).then(|| "normal".to_owned()),
            },
        );
        add("CmailGameName", Some(game.id.to_string()));
        // ASCII order (8.1.1); an address is told only where the player says so
        let others = kept.iter().filter(|(name, text)| **name != "Round" && (options.addresses || !text.contains('@')));
        tags.extend(others.map(|(name, text)| (*name, (*text).to_owned())));
    }
    if let Some(fen) = game.start_fen.as_ref().filter(|_| *replay.before(0) != Chess::default()) {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone())]);
    }
    tags
}

/// `10/5184000`: moves and seconds of a period; `2592000+259200`: seconds and those added for each move; `-`: no limit;
/// `?`: one that the standard has no form for (9.6.1).
pub(super) fn time_control(control: TimeControl) -> String {
    let seconds = |days: u32| u64::from(days) * DAY;
    match control {
        TimeControl::Cumulative { moves, days, .. } => format!("{moves}/{}", seconds(days)),
        TimeControl::Fischer { base, inc, .. } => format!("{}+{}", seconds(base), seconds(inc)),
        TimeControl::Rolling { .. } => "?".to_owned(),
        TimeControl::None {} => "-".to_owned(),
    }
}

/// The moves with their numbers and comments, and the result; each word is to stay on one line.
fn movetext(game: &Game, replay: &Replay, times: &[PlyTime], options: &Options, notes: &[PrivateNote]) -> Vec<String> {
    let mut words = Vec::with_capacity(game.moves.len() * 2);
    let comments = |plies: usize| {
        let of_ply = notes.iter().filter(move |note| usize::try_from(note.ply) == Ok(plies));
        of_ply.flat_map(|note| comment(&note.text)).collect::<Vec<_>>()
    };
    words.extend(comments(0));
    // 8.2.2: a move of Black's has its number where it does not follow White's at once
    let mut needs_number = true;
    for (index, ((before, played), record)) in replay.plies().zip(&game.moves).enumerate() {
        let number = game.number_of(index);
        if needs_number || number.side == Side::White {
            words.push(number.to_string());
        }
        words.push(SanPlus::from_move(before.clone(), *played).to_string());
        let time = times.get(index).filter(|_| options.dates);
        let comment = time.and_then(|time| note(record, time).written());
        let noted = comments(index + 1);
        needs_number = comment.is_some() || !noted.is_empty();
        words.extend(comment.into_iter().flatten());
        words.extend(noted);
    }
    words.push(game.result.map_or("*", GameResult::word).to_owned());
    words
}

/// A comment, with its braces (section 5). A brace in it would end it, and a line of it that begins with `%` would be none (section 6):
/// the one becomes a bracket, the other holds the blank before it, where no line may end.
fn comment(text: &str) -> Vec<String> {
    let text = Note::of_words(&text.replace('{', "(").replace('}', ")"));
    let mut words: Vec<String> = Vec::new();
    for word in format!("{{{text}}}").split(' ') {
        match words.last_mut().filter(|_| word.starts_with('%')) {
            Some(before) => *before = format!("{before} {word}"),
            None => words.push(word.to_owned()),
        }
    }
    words
}

/// The dates and days of a move that count.
fn note(record: &MoveRecord, time: &PlyTime) -> Note {
    // an event's start is no receipt, and a ply of a conditional line is read back by having nothing but no days
    let received = time.received.filter(|received| received.source != DateSource::Start).map(|d| d.day);
    let sent = time.sent.map(|d| d.day);
    let total = time.days.map(|_| time.total).filter(|_| !record.is_timeless()).or(record.claimed.total);
    let sent_at = record.observed.sent_at.filter(|at| sent == Some(at.date_naive())).map(|at| at.naive_utc());
    Note { stated: Stated { received, sent, days: time.days, total }, sent_at, words: String::new() }
}

/// A value as it stands between quotes (section 7): quote and backslash escaped, control characters left out.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
