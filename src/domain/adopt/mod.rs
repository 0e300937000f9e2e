//! A running game from the whole score that one of its mails carries: every ply from the first, legal, with its dates.
//!
//! [`score`] reads one text and plays it out; [`propose()`] makes a game of it and says what was not stated and what does not fit.
//! Strict where the judge is: a gap, two moves at one number, an illegal ply end it, with line and ply. Nothing is created here.
//! What will surprise you: algebraic notation is tried in every language, and counts only if all that play out agree.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::game::{MoveNumber, Stated};
use super::notation::{
    Agreement, IllegalMove, Language, NumericMove, is_coordinates, language, named_moves, names, tokens_agree,
};
use super::replay::first_number;
use super::transmission::Correspondent;
use super::transmission::read::{Claim, DateFault, Frame, Line, Reading, Written, fill, read};

mod compare;
mod event;
mod glance;
mod group;
mod place;
mod propose;
mod rejoin;
mod tags;

pub use compare::{contradictions, differences, otherwise, repeats};
pub use event::{EventFacts, unify};
pub use glance::may_have_moves;
pub use group::{Sheet, event_of, games, longest};
pub use place::without_towns;
pub(super) use propose::name_words;
pub use propose::{Missing, Proposal, Request, Why, Writer, game_id, misfits, not_stated, propose, side_by_names};
pub use tags::{Head, Named};

use rejoin::rejoined;

/// So many numbered plies on one line are a score, whatever words stand beside them.
const SCORE_LINE: usize = 4;
/// The steps back in time, of half a year each, in which the first date of a score without years is looked for.
const HALF_YEARS: u64 = 12;

/// Why a text gives no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it; line numbers count from 1 in the text")]
pub enum ScoreError {
    #[error("no numbered moves stand there")]
    NoMoves,
    #[error("line {line}: the score begins with {first}, so the moves from {wanted} on are missing")]
    NotFromStart { line: usize, first: MoveNumber, wanted: MoveNumber },
    #[error("line {line}: {missing} is missing before {next}")]
    Gap { line: usize, missing: MoveNumber, next: MoveNumber },
    #[error("line {line}: {number} lies before the start position")]
    BeforeStart { line: usize, number: MoveNumber },
    #[error("two moves are given for {number}: {first} (line {first_line}) and {second} (line {second_line})")]
    TwoMoves { number: MoveNumber, first: Written, first_line: usize, second: Written, second_line: usize },
    #[error("line {line}: {number} {text} is no move: {why}")]
    BadToken { line: usize, number: MoveNumber, text: String, why: String },
    #[error("line {line}: ply {ply} ({number} {numeric}) is not legal: {why}")]
    Illegal { line: usize, ply: usize, number: MoveNumber, numeric: NumericMove, why: Box<IllegalMove> },
    #[error("line {line}: ply {ply} ({number} {text}) names no legal move in any language")]
    NoSuchMove { line: usize, ply: usize, number: MoveNumber, text: String },
    #[error("line {line}: ply {ply} ({number} {text}) fits more than one legal move")]
    Ambiguous { line: usize, ply: usize, number: MoveNumber, text: String },
    #[error("line {line}: \"{beside}\" and {number} {written} are different moves")]
    Notations { line: usize, number: MoveNumber, beside: String, written: Written },
    #[error(
        "the score plays out in two languages with different moves ({first} and {second}); say which with --notation"
    )]
    Languages { first: String, second: String },
    #[error("the start position `{0}` is not usable")]
    BadStart(String),
    #[error("the score ends with {0}: the game is over, and only running games are adopted")]
    Over(String),
}

impl ScoreError {
    /// Whether the text simply lacks the whole score, so that it may stand elsewhere in the mail.
    pub fn is_elsewhere(&self) -> bool {
        match self {
            ScoreError::NoMoves | ScoreError::NotFromStart { .. } | ScoreError::Gap { .. } => true,
            ScoreError::BeforeStart { .. }
            | ScoreError::TwoMoves { .. }
            | ScoreError::BadToken { .. }
            | ScoreError::Illegal { .. }
            | ScoreError::NoSuchMove { .. }
            | ScoreError::Ambiguous { .. }
            | ScoreError::Notations { .. }
            | ScoreError::Languages { .. }
            | ScoreError::BadStart(_)
            | ScoreError::Over(_) => false,
        }
    }
}

/// One ply of a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move, in the standard form.
    pub numeric: NumericMove,
    /// What stands beside it.
    pub stated: Stated,
    /// Where it stands first.
    pub line: usize,
}

/// A whole score, played out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// What stands around it.
    pub head: Head,
    /// The number of its first ply.
    pub first: MoveNumber,
    /// The plies, without a gap.
    pub plies: Vec<Ply>,
    /// The notation it needs beside the numeric one: `san`, `san-de`, `coordinate`.
    pub notation: Option<String>,
    /// Moves in sentences and under conditions, which were left out: line and words.
    pub left_out: Vec<(usize, String)>,
    /// Dates and days in words that belong to the writer's own last move.
    pub labelled: Stated,
    /// A date got no meaning.
    pub dates_left_open: bool,
    /// Dates that cannot be meant as they stand.
    pub date_faults: Vec<DateFault>,
}

/// Where a text is read from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dates {
    /// The event's start, if the player says so.
    pub start: Option<NaiveDate>,
    /// The day of the mail.
    pub latest: Option<NaiveDate>,
}

/// The whole score that stands in these lines, in the languages given or, if none is, in whichever plays out.
///
/// # Errors
/// [`ScoreError`] with line and ply.
pub fn score(lines: &[Line<'_>], dates: Dates, languages: &[Language]) -> Result<Score, ScoreError> {
    let joined = rejoined(lines);
    let lines: Vec<Line<'_>> = joined.iter().map(|(number, text)| Line { number: *number, text }).collect();
    let lines = lines.as_slice();
    let plain = read(lines, &Frame::default());
    let head = Head::of(lines, &plain.head);
    if let Some(result) = &head.result {
        return Err(ScoreError::Over(result.clone()));
    }
    let start = start_position(head.fen.as_deref())?;
    let first = first_number(&start);
    let reading = read_dated(lines, first, dates.start.or(head.start), dates.latest);
    let (claims, left_out) = sort(&reading);
    let plies = in_order(&claims, first)?;
    let last_line = plies.iter().flatten().map(|claim| claim.line).max().unwrap_or_default();
    if let Some(result) = tags::result_behind(lines, last_line).filter(|_| plies.len() > SCORE_LINE) {
        return Err(ScoreError::Over(result));
    }
    for bad in &reading.bad {
        let is_given = first.plies_to(bad.number).is_some_and(|ply| ply < plies.len());
        if !is_given {
            let (number, text, why) = (bad.number, bad.text.clone(), bad.why.clone());
            return Err(ScoreError::BadToken { line: bad.line, number, text, why });
        }
    }
    let (moves, language) = play_in_any(&start, &plies, languages)?;
    let is_lettered = |claims: &&Vec<&Claim>| !claims.iter().any(|c| matches!(c.written, Written::Numeric(_)));
    let coordinates = |c: &&Claim| matches!(&c.written, Written::Algebraic(text) if is_coordinates(text));
    let mut lettered = plies.iter().filter(is_lettered).peekable();
    let notation = lettered.peek().is_some().then(|| {
        if lettered.all(|claims| claims.iter().all(coordinates)) { "coordinate".to_owned() } else { named(language) }
    });
    let plies: Vec<Ply> = plies.iter().zip(moves).map(|(claims, numeric)| ply(claims, numeric)).collect();
    let known = positions(&start, &plies);
    let left_out = left_out.iter().filter(|claim| !is_in(&known, first, claim));
    Ok(Score {
        head,
        first,
        plies,
        notation,
        left_out: left_out.map(|claim| (claim.line, claim.written.to_string())).collect(),
        labelled: reading.labelled,
        dates_left_open: reading.dates_left_open,
        date_faults: reading.date_faults,
    })
}

/// Each ply of a score with the position it is played in.
fn positions(start: &Chess, plies: &[Ply]) -> Vec<(Chess, Move)> {
    let mut position = start.clone();
    let mut out = Vec::with_capacity(plies.len());
    for ply in plies {
        let Ok(legal) = ply.numeric.to_move(&position) else { break };
        out.push((position.clone(), legal.played));
        position.play_unchecked(legal.played);
    }
    out
}

/// Whether a claim repeats a ply of the score.
fn is_in(known: &[(Chess, Move)], first: MoveNumber, claim: &Claim) -> bool {
    let ply = claim.number.and_then(|number| first.plies_to(number)).and_then(|index| known.get(index));
    ply.is_some_and(|(position, played)| means(&claim.written, position, played, &language::ALL))
}

fn start_position(fen: Option<&str>) -> Result<Chess, ScoreError> {
    let Some(fen) = fen else { return Ok(Chess::default()) };
    let parsed: Option<Fen> = fen.parse().ok();
    let position = parsed.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
    position.ok_or_else(|| ScoreError::BadStart(fen.to_owned()))
}

/// The message read so that no date lies after the mail: where years are missing, the first one is looked for backwards.
fn read_dated(lines: &[Line<'_>], first: MoveNumber, start: Option<NaiveDate>, latest: Option<NaiveDate>) -> Reading {
    let attempt = |start| read(lines, &Frame { first, start, latest, ..Frame::default() });
    let Some(latest) = latest.filter(|_| start.is_none()) else { return attempt(start) };
    let days = |reading: &Reading| {
        let claims = reading.claims.iter().flat_map(|c| [c.stated.received, c.stated.sent]);
        claims.flatten().max()
    };
    let tomorrow = latest.checked_add_days(Days::new(1));
    let fits = |reading: &Reading| days(reading).is_none_or(|last| Some(last) <= tomorrow);
    let anchors = (0..=HALF_YEARS).filter_map(|n| latest.checked_sub_days(Days::new(n * 182)));
    anchors.map(|day| attempt(Some(day))).find(fits).unwrap_or_else(|| attempt(None))
}

/// The numbered moves that count, and those in sentences and under conditions.
fn sort(reading: &Reading) -> (Vec<&Claim>, Vec<&Claim>) {
    let mut on_line: BTreeMap<usize, usize> = BTreeMap::new();
    let numbered: Vec<&Claim> = reading.claims.iter().filter(|claim| claim.number.is_some()).collect();
    for claim in &numbered {
        *on_line.entry(claim.line).or_default() += 1;
    }
    let is_score = |claim: &&Claim| on_line.get(&claim.line).is_some_and(|count| *count >= SCORE_LINE);
    let is_doubted = |line: usize| reading.asides.iter().any(|aside| aside.hedge.line == line);
    let counts = |claim: &&Claim| {
        !claim.conditional && claim.hedge.is_none() && claim.in_sentence.is_none() && !is_doubted(claim.line)
    };
    numbered.into_iter().partition(|claim| counts(claim) || (is_score(claim) && !claim.conditional))
}

/// The claims by ply, from the first on without a gap.
fn in_order<'a>(claims: &[&'a Claim], first: MoveNumber) -> Result<Vec<Vec<&'a Claim>>, ScoreError> {
    let mut by_ply: BTreeMap<usize, (MoveNumber, Vec<&Claim>)> = BTreeMap::new();
    for claim in claims {
        let Some(number) = claim.number else { continue };
        let ply = first.plies_to(number).ok_or(ScoreError::BeforeStart { line: claim.line, number })?;
        by_ply.entry(ply).or_insert_with(|| (number, Vec::new())).1.push(claim);
    }
    let mut plies = Vec::with_capacity(by_ply.len());
    for (index, (ply, (number, claims))) in by_ply.into_iter().enumerate() {
        if ply != index {
            let line = claims.first().map_or(0, |claim| claim.line);
            return Err(match index {
                0 => ScoreError::NotFromStart { line, first: number, wanted: first },
                _ => ScoreError::Gap { line, missing: first.plus(index), next: number },
            });
        }
        plies.push(claims);
    }
    if plies.is_empty() { Err(ScoreError::NoMoves) } else { Ok(plies) }
}

/// The moves in the languages in which the whole score is legal; English goes first, and all must agree.
fn play_in_any(
    start: &Chess,
    plies: &[Vec<&Claim>],
    languages: &[Language],
) -> Result<(Vec<NumericMove>, Language), ScoreError> {
    let languages = if languages.is_empty() { &language::ALL } else { languages };
    let mut found: Option<(Vec<NumericMove>, Language)> = None;
    let mut furthest: Option<(usize, ScoreError)> = None;
    for language in languages {
        match (play(start, plies, *language), &found) {
            (Ok(moves), None) => found = Some((moves, *language)),
            (Ok(moves), Some((others, other))) if moves != *others => {
                return Err(ScoreError::Languages { first: named(*other), second: named(*language) });
            }
            (Ok(_), Some(_)) => {}
            (Err((ply, why)), _) => {
                if furthest.as_ref().is_none_or(|(best, _)| ply > *best) {
                    furthest = Some((ply, why));
                }
            }
        }
    }
    found.ok_or_else(|| furthest.map_or(ScoreError::NoMoves, |(_, why)| why))
}

/// `san` for English, `san-de` for German.
fn named(language: Language) -> String {
    if language == Language::ENGLISH { "san".to_owned() } else { format!("san-{}", language.code()) }
}

/// The moves in one language, or how far they go and why no further.
fn play(start: &Chess, plies: &[Vec<&Claim>], language: Language) -> Result<Vec<NumericMove>, (usize, ScoreError)> {
    let mut position = start.clone();
    let first = first_number(start);
    let mut moves = Vec::with_capacity(plies.len());
    for (index, claims) in plies.iter().enumerate() {
        let played = one_move(&position, claims, language, index, first.plus(index)).map_err(|why| (index, why))?;
        moves.push(NumericMove::of(&played));
        position.play_unchecked(played);
    }
    Ok(moves)
}

/// The one legal move that all claims of a ply mean.
fn one_move(
    position: &Chess,
    claims: &[&Claim],
    language: Language,
    index: usize,
    number: MoveNumber,
) -> Result<Move, ScoreError> {
    let is_numeric = |claim: &&&Claim| matches!(claim.written, Written::Numeric(_));
    let leading = claims.iter().find(is_numeric).or(claims.first()).ok_or(ScoreError::NoMoves)?;
    let (line, ply) = (leading.line, index + 1);
    let played = match &leading.written {
        Written::Numeric(numeric) => {
            let legal = numeric.to_move(position);
            legal
                .map_err(|why| ScoreError::Illegal { line, ply, number, numeric: *numeric, why: Box::new(why) })?
                .played
        }
        Written::Algebraic(text) => {
            let moves = named_moves(text, position, &[language]).unwrap_or_default();
            match moves.as_slice() {
                [played] => *played,
                [] => return Err(ScoreError::NoSuchMove { line, ply, number, text: text.clone() }),
                _ => return Err(ScoreError::Ambiguous { line, ply, number, text: text.clone() }),
            }
        }
    };
    if let Some(other) = claims.iter().find(|claim| !means(&claim.written, position, &played, &[language])) {
        let (first, second) = (leading.written.clone(), other.written.clone());
        return Err(ScoreError::TwoMoves { number, first, first_line: line, second, second_line: other.line });
    }
    let beside = claims.iter().flat_map(|claim| claim.beside.iter().map(|text| (claim.line, text)));
    let differs = |text: &str| tokens_agree(text, position, &played) == Agreement::Different;
    match beside.into_iter().find(|(_, text)| differs(text)) {
        Some((line, beside)) => {
            let written = leading.written.clone();
            Err(ScoreError::Notations { line, number, beside: beside.clone(), written })
        }
        None => Ok(played),
    }
}

/// Whether a written move means this one, in these languages or in one where it names no other.
fn means(written: &Written, position: &Chess, played: &Move, languages: &[Language]) -> bool {
    match written {
        Written::Numeric(numeric) => numeric.to_move(position).is_ok_and(|legal| legal.played == *played),
        Written::Algebraic(text) => names(text, position, played, languages),
    }
}

/// One ply with all that is stated of it, the first statement first; dates that two places state differently stay blank.
fn ply(claims: &[&Claim], numeric: NumericMove) -> Ply {
    let mut stated = Stated::default();
    for claim in claims {
        fill(&mut stated, claim.stated);
    }
    let differ = |pick: fn(&Stated) -> Option<NaiveDate>| {
        claims.iter().filter_map(|claim| pick(&claim.stated)).any(|day| Some(day) != pick(&stated))
    };
    if differ(|s| s.received) || differ(|s| s.sent) {
        (stated.received, stated.sent) = (None, None);
    }
    Ply { numeric, stated, line: claims.first().map_or(0, |claim| claim.line) }
}

#[cfg(test)]
mod tests;
