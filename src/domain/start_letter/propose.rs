//! The player's games of an event, made of its start letter and his answers to what the letter leaves open.

use chrono::{Datelike, NaiveDate};

use super::facts::Stated;
use super::{Entry, Letter};
use crate::domain::adopt::game_id;
use crate::domain::clock::rules::{RulesetChoice, TimeControl, Wanted};
use crate::domain::game::{Game, GameId, Player, Side};

/// What the player says himself; it goes before the letter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// His number.
    pub me: Option<u32>,
    /// The event.
    pub event: Option<String>,
    /// The start.
    pub start: Option<NaiveDate>,
    /// The rules.
    pub rules: Wanted,
    /// The time control.
    pub control: Option<TimeControl>,
    /// The numbers of those against whom he has White.
    pub white: Vec<u32>,
    /// And Black.
    pub black: Vec<u32>,
    /// The numbers of those with whom he has no game.
    pub without: Vec<u32>,
    /// Addresses by number.
    pub emails: Vec<(u32, String)>,
}

/// Something the letter does not say, with the option that does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Missing {
    #[error("no list of two or more players with addresses was found in it")]
    Players,
    #[error("none of your addresses is among the players: say --me NUMBER\n{0}")]
    Me(String),
    #[error("no player has the number {0}\n{1}")]
    NoSuchNumber(u32, String),
    #[error("{0} players have the number {1}")]
    SameNumber(usize, u32),
    #[error("the start date is not stated: say --start YYYY-MM-DD")]
    Start,
    #[error("line {0}: the start date {1} is a day that does not exist: say --start YYYY-MM-DD")]
    NoSuchStart(usize, String),
    #[error("the start date may be {0} or {1}: say --start YYYY-MM-DD")]
    TwoStarts(NaiveDate, NaiveDate),
    #[error("the time control is not stated: say --control MOVES/DAYS, or --rules NAME")]
    Control,
    #[error("the event has no name: say --event NAME")]
    Event,
    #[error(
        "your colour against {number} {name} is not stated: say --white {number} or --black {number} (or --without {number})"
    )]
    Colour { number: u32, name: String },
    #[error("{number} {name} has no usable address: say --email {number}=ADDRESS")]
    Address { number: u32, name: String },
    #[error("{0}; say all your colours with --white and --black")]
    Trouble(String),
}

/// The games of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventProposal {
    /// One for each opponent and colour.
    pub games: Vec<Game>,
    /// Players with whom the letter states no game of his: number and name.
    pub no_game: Vec<String>,
}

/// The player's games; `is_address` tells usable addresses.
///
/// # Errors
/// Everything that is missing, at once.
pub fn propose_event(
    letter: &Letter,
    me: &Player,
    answers: &Answers,
    taken: &[GameId],
    is_address: fn(&str) -> bool,
) -> Result<EventProposal, Vec<Missing>> {
    if letter.players.len() < 2 {
        return Err(vec![Missing::Players]);
    }
    let own = own_place(letter, me, answers).map_err(|why| vec![why])?;
    let mut missing: Vec<Missing> = numbers(letter, answers);
    let is_said = |n: &u32| [&answers.white, &answers.black, &answers.without].iter().any(|said| said.contains(n));
    let says_all = letter.players.iter().enumerate().all(|(place, player)| place == own || is_said(&player.number));
    if !says_all {
        missing.extend(letter.troubles.iter().cloned().map(Missing::Trouble));
    }
    let start = start(letter, answers).map_err(|why| missing.push(why)).ok();
    let event = answers.event.clone().or_else(|| letter.event.clone());
    if event.is_none() {
        missing.push(Missing::Event);
    }
    let said = answers.rules.said(event.as_deref().unwrap_or_default());
    // a control of his own stands against that of the letter
    let is_own = said.as_ref().is_some_and(|rules| rules.says("control"));
    let control = answers.control.or(letter.control.filter(|_| !is_own));
    if control.is_none() && said.is_none() && !answers.rules.values.contains_key("control") {
        missing.push(Missing::Control);
    }
    // as in a match of teams: everybody has as many games, so none of the player's is left out
    let games_of = |place: usize| letter.pairings.iter().filter(|p| p.white == place || p.black == place).count();
    let is_regular = games_of(own) > 0 && (0..letter.players.len()).all(|place| games_of(place) == games_of(own));
    let (mut sides, mut no_game) = (Vec::new(), Vec::new());
    for (place, player) in letter.players.iter().enumerate().filter(|(place, _)| *place != own) {
        let found = match sides_against(letter, own, place, player, answers) {
            Ok(found) => found,
            Err(trouble) => {
                missing.push(trouble);
                continue;
            }
        };
        if found.is_empty() && !answers.without.contains(&player.number) {
            if is_regular {
                no_game.push(format!("{} {}", player.number, player.name));
            } else {
                missing.push(Missing::Colour { number: player.number, name: player.name.clone() });
            }
        }
        for side in found {
            match address_of(player, answers).filter(|address| is_address(address)) {
                Some(address) => sides.push((player, side, address)),
                None => {
                    let lacks = Missing::Address { number: player.number, name: player.name.clone() };
                    if !missing.contains(&lacks) {
                        missing.push(lacks);
                    }
                }
            }
        }
    }
    let (Some(start), Some(event), true) = (start, event, missing.is_empty()) else {
        return Err(missing);
    };
    let usual = || RulesetChoice::Name(RulesetChoice::usual(true, Some(start.year())).to_owned());
    let rules = said.unwrap_or_else(usual).with_control(control).with(&answers.rules.values);
    let mut taken = taken.to_vec();
    let mut games = Vec::with_capacity(sides.len());
    for (player, side, address) in sides {
        let opponent = Player { name: player.name.clone(), emails: vec![address] };
        let id = game_id(&event, &player.name, &taken);
        taken.push(id.clone());
        let game = Game::between(id, event.clone(), side, me.clone(), opponent, rules.clone());
        games.push(Game { start_date: Some(start), ..game });
    }
    Ok(EventProposal { games, no_game })
}

fn list(letter: &Letter) -> String {
    let lines = letter.players.iter().map(|p| format!("  {} {}", p.number, p.name));
    lines.collect::<Vec<_>>().join("\n")
}

/// The player's place: as he says, else by his addresses. Two places are as good as none.
fn own_place(letter: &Letter, me: &Player, answers: &Answers) -> Result<usize, Missing> {
    if let Some(number) = answers.me {
        let found = letter.players.iter().position(|p| p.number == number);
        return found.ok_or_else(|| Missing::NoSuchNumber(number, list(letter)));
    }
    let is_mine = |p: &Entry| {
        p.address.as_ref().is_some_and(|address| me.emails.iter().any(|own| own.eq_ignore_ascii_case(address)))
    };
    let mut own = letter.players.iter().enumerate().filter(|(_, p)| is_mine(p));
    match (own.next(), own.next()) {
        (Some((place, _)), None) => Ok(place),
        _ => Err(Missing::Me(list(letter))),
    }
}

/// Numbers that are not clear: given to two players, or asked for and given to none.
fn numbers(letter: &Letter, answers: &Answers) -> Vec<Missing> {
    let count = |number: u32| letter.players.iter().filter(|p| p.number == number).count();
    let mut out = Vec::new();
    for player in &letter.players {
        let twice = Missing::SameNumber(count(player.number), player.number);
        if count(player.number) > 1 && !out.contains(&twice) {
            out.push(twice);
        }
    }
    let emails = answers.emails.iter().map(|(number, _)| number);
    let said = answers.white.iter().chain(&answers.black).chain(&answers.without).chain(emails);
    out.extend(said.filter(|n| count(**n) == 0).map(|n| Missing::NoSuchNumber(*n, list(letter))));
    out
}

fn start(letter: &Letter, answers: &Answers) -> Result<NaiveDate, Missing> {
    match (answers.start, letter.start) {
        (Some(day), _) | (None, Stated::Once(day)) => Ok(day),
        (None, Stated::Nowhere) => Err(match &letter.no_such_start {
            Some((line, written)) => Missing::NoSuchStart(*line, written.clone()),
            None => Missing::Start,
        }),
        (None, Stated::Twice(first, second)) => Err(Missing::TwoStarts(first, second)),
    }
}

/// The player's sides in his games against one opponent; what he says himself replaces what the letter says.
fn sides_against(
    letter: &Letter,
    own: usize,
    place: usize,
    player: &Entry,
    answers: &Answers,
) -> Result<Vec<Side>, Missing> {
    let mut said = Vec::new();
    if answers.white.contains(&player.number) {
        said.push(Side::White);
    }
    if answers.black.contains(&player.number) {
        said.push(Side::Black);
    }
    if !said.is_empty() || answers.without.contains(&player.number) {
        return Ok(said);
    }
    let stated = letter.pairings.iter().filter_map(|p| match (p.white, p.black) {
        (white, black) if white == own && black == place => Some(Side::White),
        (white, black) if white == place && black == own => Some(Side::Black),
        _ => None,
    });
    let yours = letter.yours.iter().filter(|(_, other)| *other == place);
    let yours = yours.map(|(white, _)| if *white { Side::White } else { Side::Black });
    let (stated, yours) = (each_once(stated), each_once(yours));
    if !stated.is_empty() && !yours.is_empty() && stated != yours {
        return Err(Missing::Trouble(format!("your colour against {} is stated in two ways", player.name)));
    }
    Ok(if stated.is_empty() { yours } else { stated })
}

/// White before Black, each once.
fn each_once(sides: impl Iterator<Item = Side>) -> Vec<Side> {
    let sides: Vec<Side> = sides.collect();
    [Side::White, Side::Black].into_iter().filter(|side| sides.contains(side)).collect()
}

fn address_of(player: &Entry, answers: &Answers) -> Option<String> {
    let said = answers.emails.iter().find(|(number, _)| *number == player.number).map(|(_, address)| address.clone());
    said.or_else(|| player.address.clone())
}
