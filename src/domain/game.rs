//! A game: who plays, what was sent, and the position that follows from it.
//!
//! Positions are never stored: [`Game::replay`] rebuilds them from the moves ([`super::replay`]).
//! A [`Plan`] is kept apart from the record, because a move counts only when it was really sent.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::clock::rules::{Ruleset, RulesetChoice};
use super::notation::NumericMove;
use super::replay::first_number;
use crate::languages::Language;
use crate::sentence;

pub use super::card::Card;
pub use super::plan::Plan;
pub use super::record::{
    Agreed, ClockNote, ClockNoteKind, IllegalMail, Leave, MoveRecord, Observed, PrivateNote, SentIllegal, Stated,
};

/// The short name of a game that the player sees and types: `[A-Za-z0-9._-]{1,40}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(String);

/// A text that cannot be a [`GameId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no game id: 1 to 40 letters, digits, `.`, `_` or `-`, as in EM-1037-PET")]
pub struct BadGameId(pub String);

impl GameId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same for all ids that differ in upper and lower case alone: of those only one can be a game, since nobody hears the
    /// difference.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl FromStr for GameId {
    type Err = BadGameId;

    fn from_str(text: &str) -> Result<Self, BadGameId> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if (1..=40).contains(&text.len()) && text.chars().all(fits) {
            Ok(GameId(text.to_owned()))
        } else {
            Err(BadGameId(text.to_owned()))
        }
    }
}

impl TryFrom<String> for GameId {
    type Error = BadGameId;

    fn try_from(text: String) -> Result<Self, BadGameId> {
        text.parse()
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// White or Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first from the initial position.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// The opponent's side.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// `white` or `black`, as in the data.
    pub fn word(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// `White` or `Black`, as in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => sentence!("White"),
            Side::Black => sentence!("Black"),
        }
    }

    /// The same in this language.
    pub fn name_in(self, language: Language) -> &'static str {
        language.sentence(self.name())
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// A player of a game and the addresses he may write from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// As the tournament director writes it.
    pub name: String,
    /// Registered addresses, the preferred one first.
    pub emails: Vec<String>,
}

/// How a ply is written on the score sheet: `6.` for White, `6...` for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The full-move number.
    pub number: u32,
    /// Whose half of it.
    pub side: Side,
}

impl MoveNumber {
    /// The number `plies` half-moves later.
    pub fn plus(self, plies: usize) -> MoveNumber {
        let start = match self.side {
            Side::White => 0,
            Side::Black => 1,
        };
        let steps = start + u32::try_from(plies).unwrap_or(u32::MAX / 2);
        MoveNumber { number: self.number + steps / 2, side: if steps % 2 == 0 { Side::White } else { Side::Black } }
    }

    /// Plies in a row with their numbers, the first of which has this one: `6. 3233 6... 5878`.
    pub fn row<'m>(self, plies: impl IntoIterator<Item = &'m NumericMove>) -> String {
        let plies = plies.into_iter().enumerate();
        plies.map(|(index, numeric)| format!("{} {numeric}", self.plus(index))).collect::<Vec<_>>().join(" ")
    }

    /// How many plies `later` stands after this one; `None` when it stands before it.
    pub fn plies_to(self, later: MoveNumber) -> Option<usize> {
        let half = |n: MoveNumber| u64::from(n.number) * 2 + u64::from(n.side == Side::Black);
        half(later).checked_sub(half(self)).and_then(|n| usize::try_from(n).ok())
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.side {
            Side::White => ".",
            Side::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
}

/// Whether two names are of one event: case and blanks around them do not matter.
pub fn is_same_event(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// `1 ply`, `13 plies`
pub fn plies_in_words(plies: usize) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub fn word(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

/// A game by mail between the player and one opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// The short name.
    pub id: GameId,
    /// The event's code or name.
    pub event: String,
    /// The organiser, for PGN.
    pub site: String,
    /// The tags of the PGN that it came from which the record does not give by itself: round, ratings, titles, teams.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// Who has White.
    pub white: Player,
    /// Who has Black.
    pub black: Player,
    /// The player's own side.
    pub me: Side,
    /// The event's start: nothing is charged before it.
    pub start_date: Option<NaiveDate>,
    /// The start position, if not the initial one.
    pub start_fen: Option<String>,
    /// The rule set as it was given.
    pub rules: RulesetChoice,
    /// Agreed notations: `iccf` always; `san`, `san-de`, `coordinate` and so on.
    pub notations: Vec<String>,
    /// What was sent, oldest first.
    pub moves: Vec<MoveRecord>,
    /// The player's chosen move, if there is one that nobody saw sent.
    pub plan: Option<Plan>,
    /// Whose draw offer still stands.
    pub draw_offer: Option<Side>,
    /// Lines the player has offered: opponent's ply, promised reply, opponent's ply, ...
    pub conditionals: Vec<Vec<NumericMove>>,
    /// Leave of both sides, in the order in which it was entered.
    pub leaves: Vec<Leave>,
    /// Announcements and repeats, oldest first.
    pub clock_notes: Vec<ClockNote>,
    /// Illegal moves that the player had counted, at most one for a ply.
    pub illegal: Vec<SentIllegal>,
    /// Mails with an illegal move, of either side, counted or not. The store knows them by its mails.
    #[serde(skip)]
    pub illegal_mails: Vec<IllegalMail>,
    /// The result, when the game is over.
    pub result: Option<GameResult>,
    /// Message-ID of the newest mail of this game, with its angle brackets.
    pub last_message_id: Option<String>,
    /// Message-IDs of this game that were already taken in.
    pub seen_message_ids: Vec<String>,
}

impl Game {
    /// A game that has not begun: the initial position, numeric notation alone, and nothing known of it yet.
    pub fn between(
        id: GameId,
        event: String,
        me: Side,
        myself: Player,
        opponent: Player,
        rules: RulesetChoice,
    ) -> Game {
        let (white, black) = match me {
            Side::White => (myself, opponent),
            Side::Black => (opponent, myself),
        };
        Game {
            id,
            event,
            site: String::new(),
            tags: BTreeMap::new(),
            white,
            black,
            me,
            start_date: None,
            start_fen: None,
            rules,
            notations: vec!["iccf".to_owned()],
            moves: Vec::new(),
            plan: None,
            draw_offer: None,
            conditionals: Vec::new(),
            leaves: Vec::new(),
            clock_notes: Vec::new(),
            illegal: Vec::new(),
            illegal_mails: Vec::new(),
            result: None,
            last_message_id: None,
            seen_message_ids: Vec::new(),
        }
    }

    /// The number of the first ply: `1.` unless a start position says otherwise.
    pub fn first_number(&self) -> MoveNumber {
        self.start().map_or(MoveNumber { number: 1, side: Side::White }, |p| first_number(&p))
    }

    /// The score-sheet number of a ply, `index` counted from 0.
    pub fn number_of(&self, index: usize) -> MoveNumber {
        self.first_number().plus(index)
    }

    /// The number of the ply that the record waits for.
    pub fn due(&self) -> MoveNumber {
        self.number_of(self.moves.len())
    }

    /// The ply that the record waits for, counted from 1.
    pub fn due_ply(&self) -> u32 {
        u32::try_from(self.moves.len() + 1).unwrap_or(u32::MAX)
    }

    /// Who is on the move by the record.
    pub fn to_move(&self) -> Side {
        self.due().side
    }

    /// True when the player is on the move and the game is not over.
    pub fn is_my_turn(&self) -> bool {
        self.result.is_none() && self.to_move() == self.me
    }

    /// The other player.
    pub fn opponent(&self) -> &Player {
        self.player(self.me.other())
    }

    /// The player himself, as this game names him.
    pub fn myself(&self) -> &Player {
        self.player(self.me)
    }

    /// Who has `side`.
    pub fn player(&self, side: Side) -> &Player {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    /// The illegal move that is counted before the ply `index`, counted from 0.
    pub fn illegal_before(&self, index: usize) -> Option<&SentIllegal> {
        self.illegal.iter().find(|illegal| usize::try_from(illegal.ply) == Ok(index + 1))
    }

    /// The plies, counted from 1, that an illegal move was sent before, as far as the player or a mail says.
    pub fn illegal_plies(&self) -> impl Iterator<Item = usize> {
        let counted = self.illegal.iter().map(|illegal| illegal.ply);
        counted.chain(self.illegal_mails.iter().map(|mail| mail.ply)).filter_map(|ply| usize::try_from(ply).ok())
    }

    /// The values of the game's rule set.
    ///
    /// # Errors
    /// Those of [`RulesetChoice::resolve`].
    pub fn ruleset(&self) -> Result<Cow<'static, Ruleset>, super::clock::rules::RulesetError> {
        self.rules.resolve()
    }
}
