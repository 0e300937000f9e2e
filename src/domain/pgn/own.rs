//! A game of the player's out of a PGN game: who he is in it, the opponent's address, an id, the rules.
//!
//! Nothing is guessed that a mail would be judged by: where the file does not say which side is his, or how a running game's opponent
//! writes, the game is refused with what would help. Games that are over need no address. What will surprise you: a file without
//! ids gets the same ids whenever it is read, so that a second import finds the games of the first.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime};

use super::write::time_control;
use super::{PgnError, PgnGame, RULESET, Trouble, day, is_beside_the_record};
use crate::domain::adopt::{game_id, name_words};
use crate::domain::clock::rules::{PgnDate, RulesetChoice, TimeControl, Wanted};
use crate::domain::document::{check_days, check_played};
use crate::domain::game::{Game, GameId, MoveRecord, Observed, Player, Side, Stated};
use crate::domain::notation::NumericMove;

/// What the file may leave open.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The player's name.
    pub name: &'a str,
    /// His addresses.
    pub emails: &'a [String],
    /// His side in games whose names and addresses do not tell it.
    pub me: Option<Side>,
    /// The address of the opponent in running games that have none.
    pub opponent_email: Option<&'a str>,
    /// The rules, as far as he says them.
    pub rules: &'a Wanted,
    /// Today at his place: no move was sent later.
    pub today: NaiveDate,
}

/// The ids of games: those that exist already, and those given so far.
#[derive(Debug, Default)]
pub struct Ids {
    /// By their folded names.
    stored: HashMap<String, (GameId, Identity)>,
    /// The same.
    given: HashSet<String>,
    /// The running games given so far without an id of their own, by what they are known by.
    running: HashMap<String, Vec<(GameId, Vec<NumericMove>)>>,
    next: HashMap<GameId, usize>,
}

/// What makes a game the same as another where no id says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The event.
    pub event: String,
    /// Its start.
    pub start: Option<NaiveDate>,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
}

impl Identity {
    /// Event, start and players of a game from this position, as far as they tell games apart: case and blanks do not.
    fn known_by(&self, start_fen: Option<&str>) -> String {
        let start = self.start.map(|day| day.to_string()).unwrap_or_default();
        let words = [&self.event, &self.white, &self.black].map(|words| words.trim().to_lowercase());
        format!("{}\n{start}\n{}", words.join("\n"), start_fen.unwrap_or_default())
    }
}

impl Ids {
    /// The ids, with those of the games that exist already.
    pub fn new(stored: impl IntoIterator<Item = (GameId, Identity)>) -> Ids {
        let stored = stored.into_iter().map(|(id, identity)| (id.folded(), (id, identity)));
        Ids { stored: stored.collect(), ..Ids::default() }
    }

    /// The running game given before that this one is again: the same, or one of them is as far as the other.
    fn twin(&self, known_by: &str, moves: &[NumericMove]) -> Option<&GameId> {
        let same = |other: &[NumericMove]| other.starts_with(moves) || moves.starts_with(other);
        self.running.get(known_by)?.iter().find(|(_, other)| same(other)).map(|(id, _)| id)
    }

    /// An id made from event and opponent, with a number after it unless it is free, or that of the same game.
    fn made(&mut self, identity: &Identity, opponent: &str) -> GameId {
        let base = game_id(&identity.event, opponent, &[]);
        let count = self.next.entry(base.clone()).or_default();
        loop {
            *count += 1;
            let id = if *count == 1 { Ok(base.clone()) } else { format!("{base}-{count}").parse() };
            let Ok(id) = id else { continue };
            match self.stored.get(&id.folded()) {
                _ if self.given.contains(&id.folded()) => {}
                None => return id,
                Some((stored, same)) if same == identity => return stored.clone(),
                Some(_) => {}
            }
        }
    }
}

/// A game of the player's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owned {
    /// The game.
    pub game: Game,
    /// What speaks against its rules where a clock runs by rules that nobody named.
    pub doubts: Vec<String>,
    /// Its names or addresses say that he has the other side than he said; what they say is taken.
    pub other_side: bool,
}

/// The player's game that a PGN game is.
///
/// Its id is that of the tag CmailGameName or GameId, if it can be one, else made from event and opponent.
///
/// # Errors
/// [`PgnError`] when the file and the request leave something open, or the game is no usable record.
pub fn owned(pgn: &PgnGame, request: &Request<'_>, ids: &mut Ids) -> Result<Owned, PgnError> {
    take(pgn, request, ids).map_err(|trouble| pgn.error(None, trouble))
}

fn take(pgn: &PgnGame, request: &Request<'_>, ids: &mut Ids) -> Result<Owned, Trouble> {
    let me = match (side_of(pgn, request), request.me) {
        (Ok(side), _) | (Err(_), Some(side)) => side,
        (Err(trouble), None) => return Err(trouble),
    };
    let player = |side: Side| {
        let name_tag = side.name();
        let name = pgn.tag(name_tag).ok_or(Trouble::NoPlayer(name_tag))?.to_owned();
        let address = address_of(pgn, side);
        let emails = match address {
            Some(address) => vec![address.to_owned()],
            None if side == me => request.emails.to_vec(),
            None if pgn.result.is_some() => Vec::new(),
            None => match request.opponent_email {
                Some(address) => vec![address.to_owned()],
                None => return Err(Trouble::NoAddress(name, address_tag(side))),
            },
        };
        Ok(Player { name, emails })
    };
    let event = pgn.tag("Event").unwrap_or_default().to_owned();
    let start = start_of(pgn, PgnDate::Start)?;
    let (rules, doubts) = rules_of(pgn, request, &event, start)?;
    let start_date = match rules.resolve() {
        Ok(set) if set.pgn_date == PgnDate::End => start_of(pgn, PgnDate::End)?,
        _ => start,
    };
    let (white, black) = (player(Side::White)?, player(Side::Black)?);
    let stated = ["CmailGameName", "GameId"].into_iter().find_map(|tag| pgn.tag(tag)?.parse::<GameId>().ok());
    let opponent = if me == Side::White { &black.name } else { &white.name };
    let names = (white.name.clone(), black.name.clone());
    let identity = Identity { event: event.clone(), start: start_date, white: names.0, black: names.1 };
    let moves: Vec<NumericMove> = pgn.plies.iter().map(|ply| ply.numeric).collect();
    let known_by = identity.known_by(pgn.start_fen.as_deref());
    let is_unnamed = stated.is_none() && pgn.result.is_none();
    if let Some(twin) = ids.twin(&known_by, &moves).filter(|_| is_unnamed) {
        return Err(Trouble::Twin(twin.clone()));
    }
    let id = stated.unwrap_or_else(|| ids.made(&identity, opponent));
    let record = |ply: &super::PgnPly| {
        let sent = ply.stated.sent.or_else(|| Some(day_of(ply.sent_at?, ply.stated.received)));
        MoveRecord {
            observed: Observed {
                sent_at: ply.sent_at.zip(sent).and_then(|(at, day)| of_day(at, day)),
                ..Observed::default()
            },
            ..MoveRecord::claimed(ply.numeric, Stated { sent, ..ply.stated })
        }
    };
    let (myself, opponent) = match me {
        Side::White => (white, black),
        Side::Black => (black, white),
    };
    let game = Game {
        site: pgn.tag("Site").unwrap_or_default().to_owned(),
        tags: kept(pgn, &rules, request.rules.named.is_some()),
        start_date,
        start_fen: pgn.start_fen.clone(),
        moves: pgn.plies.iter().map(record).collect(),
        result: pgn.result,
        ..Game::between(id, event, me, myself, opponent, rules)
    };
    check_played(&game)?;
    check_days(&game, request.today)?;
    let is_mine = |address: &&String| request.emails.iter().any(|own| own.eq_ignore_ascii_case(address));
    if let Some(address) = game.opponent().emails.iter().find(is_mine) {
        return Err(Trouble::OwnAddress(game.opponent().name.clone(), address.clone()));
    }
    if !ids.given.insert(game.id.folded()) {
        return Err(Trouble::Twice(game.id));
    }
    if is_unnamed {
        ids.running.entry(known_by).or_default().push((game.id.clone(), moves));
    }
    Ok(Owned { game, doubts, other_side: request.me.is_some_and(|said| said != me) })
}

/// The tags that the record does not give by itself.
fn kept(pgn: &PgnGame, rules: &RulesetChoice, has_rules: bool) -> BTreeMap<String, String> {
    let is_over = pgn.result.is_some();
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = pgn.tags.iter().filter_map(|(name, _)| Some((name.to_owned(), line(pgn.tag(name)?))));
    let mut kept: BTreeMap<_, _> = said.filter(|(name, text)| is_beside_the_record(name, text, is_over)).collect();
    // of a game that is over nobody has to know the rules: the usual ones are none that its file may state
    let unknown = (!has_rules).then_some("?");
    let in_file = pgn.tags.iter().find(|(name, _)| name == "TimeControl").map(|(_, text)| text.as_str());
    let control = in_file.filter(|text| !matches!(*text, "" | "?")).or(in_file.and(unknown));
    let control = control.or(unknown.filter(|_| pgn.tag(RULESET).is_none()));
    let by_rules = rules.resolve().ok().map(|set| time_control(set.control));
    let control = control.filter(|text| is_over && by_rules.as_deref() != Some(*text));
    kept.extend(control.map(|text| ("TimeControl".to_owned(), line(text))));
    kept
}

/// The rules: those named for the import, else those that the file names, those of the event, the usual ones of its time with the
/// control of the tag TimeControl. With what speaks against the usual ones.
fn rules_of(
    pgn: &PgnGame,
    request: &Request<'_>,
    event: &str,
    start: Option<NaiveDate>,
) -> Result<(RulesetChoice, Vec<String>), Trouble> {
    let wanted = request.rules;
    let in_file = || {
        let text = pgn.tag(RULESET)?;
        let choice = serde_json::from_str(text).unwrap_or_else(|_| RulesetChoice::Name(text.to_owned()));
        choice.resolve().is_ok().then_some(choice)
    };
    if let Some(rules) = wanted.named.clone().or_else(in_file).or_else(|| wanted.said(event)) {
        return Ok((rules.with(&wanted.values), Vec::new()));
    }
    let year = start.map(|day| day.year()).or_else(|| year_of(pgn));
    let control = control_of(pgn)?;
    let rules = RulesetChoice::Name(RulesetChoice::usual(!event.is_empty(), year).to_owned()).with_control(control);
    let rules = rules.with(&wanted.values);
    let mut doubts = Vec::new();
    if let (None, Ok(set)) = (pgn.result, rules.resolve()) {
        doubts
            .extend(pgn.tag(RULESET).map(|name| format!("its tag {RULESET} names no rule set that is known: {name}")));
        let begun = year.unwrap_or_else(|| request.today.year());
        doubts.extend(set.is_past(begun));
        if set.control == (TimeControl::None {}) {
            doubts.push(format!(
                "its tag TimeControl \"-\" says that there is none: {} with {} is taken",
                set.id,
                set.control.words()
            ));
        }
        if control.is_none() && !rules.says("control") {
            doubts.push(format!("no tag TimeControl says its control: {} is that of {}", set.control.words(), set.id));
        }
    }
    Ok((rules, doubts))
}

/// His side by an address of his, else by all words of his name in any order: `Last, First (SWE)` is `First Last`.
fn side_of(pgn: &PgnGame, request: &Request<'_>) -> Result<Side, Trouble> {
    let own = name_words(request.name);
    let is_mine = |address: &str| request.emails.iter().any(|own| own.eq_ignore_ascii_case(address));
    let by_address = |side: Side| address_of(pgn, side).is_some_and(is_mine);
    let by_name = |side: Side| {
        let name = pgn.tag(side.name()).unwrap_or_default();
        // country, year of birth, or rating; its bracket is not always closed
        let name = name.split(['(', '[']).next().unwrap_or_default();
        !own.is_empty() && name_words(name) == own
    };
    let both = [Side::White, Side::Black];
    for is_me in [&by_address as &dyn Fn(Side) -> bool, &by_name] {
        match both.map(is_me) {
            [true, true] => return Err(Trouble::BothMe),
            [true, false] => return Ok(Side::White),
            [false, true] => return Ok(Side::Black),
            [false, false] => {}
        }
    }
    Err(Trouble::NotMe)
}

fn address_tag(side: Side) -> &'static str {
    match side {
        Side::White => "WhiteNA",
        Side::Black => "BlackNA",
    }
}

fn address_of(pgn: &PgnGame, side: Side) -> Option<&str> {
    pgn.tag(address_tag(side)).filter(|address| address.contains('@'))
}

/// The instant, of which the file tells no place, in an offset in which it is of this day: in UTC where it can be, else in the nearest.
fn of_day(at: NaiveDateTime, day: NaiveDate) -> Option<DateTime<FixedOffset>> {
    let there = |hours: i32| Some(at.and_utc().with_timezone(&FixedOffset::east_opt(hours * 3600)?));
    let nearest = (0..=14).flat_map(|hours| [hours, -hours]);
    nearest.filter_map(there).find(|there| there.date_naive() == day)
}

/// The day of an instant of which the file tells no place: in UTC, or where that lies before the receipt, the day of the receipt if it was
/// that day somewhere.
fn day_of(at: NaiveDateTime, received: Option<NaiveDate>) -> NaiveDate {
    let there = received.filter(|received| *received > at.date() && of_day(at, *received).is_some());
    there.unwrap_or(at.date())
}

/// The event's start: EventDate, else Date unless it is the day on which the game ended, as the rules have it or where it lies after a move.
fn start_of(pgn: &PgnGame, means: PgnDate) -> Result<Option<NaiveDate>, Trouble> {
    let read = |tag: &'static str| match pgn.tag(tag) {
        Some(value) if !value.contains('?') => {
            day(value).map(Some).ok_or_else(|| Trouble::DateTag { tag, value: value.to_owned() })
        }
        _ => Ok(None),
    };
    let (event, date) = (read("EventDate")?, read("Date")?);
    let first_sent = pgn.plies.iter().find_map(|ply| ply.stated.sent.or(ply.sent_at.map(|at| at.date())));
    let date = date.filter(|_| means == PgnDate::Start);
    Ok(event.or(date.filter(|date| first_sent.is_none_or(|sent| *date <= sent))))
}

/// The year of the event where nothing more is known: `2007.??.??`.
fn year_of(pgn: &PgnGame) -> Option<i32> {
    ["EventDate", "Date"].into_iter().find_map(|tag| pgn.tag(tag)?.get(..4)?.parse().ok())
}

/// The control of a game; one that cannot be read is an error where a clock still runs.
fn control_of(pgn: &PgnGame) -> Result<Option<TimeControl>, Trouble> {
    match pgn.written("TimeControl") {
        None => Ok(None),
        Some(value) => match control(value) {
            None if pgn.result.is_none() => Err(Trouble::TimeControl(value.to_owned())),
            control => Ok(control),
        },
    }
}

/// `10/5184000`, whole days for so many moves; `2592000+259200`, days and those for each move; `-`, no time control (9.6.1). Other controls
/// are none of correspondence chess.
fn control(value: &str) -> Option<TimeControl> {
    let days = |seconds: &str| seconds.parse::<u32>().ok().filter(|n| n % 86_400 == 0).map(|n| n / 86_400);
    let control = if value == "-" {
        TimeControl::None {}
    } else if let Some((moves, seconds)) = value.split_once('/') {
        TimeControl::cumulative(moves.parse().ok()?, days(seconds)?)
    } else {
        let (base, inc) = value.split_once('+')?;
        TimeControl::Fischer { base: days(base)?, inc: days(inc)?, per_move_cap: None }
    };
    Some(control).filter(|control| control.is_sound())
}
