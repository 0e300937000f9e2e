//! PGN, in and out (Portable Game Notation Specification, 1994-03-12; sections are cited beside the code).
//!
//! [`write()`] gives the export format with the tags of correspondence chess. [`games`] reads the import format: movetext in SAN, long
//! algebraic, coordinates or ICCF numeric, one game after the other, in linear time and with the line of everything that is wrong.
//! [`owned`] makes a game of the player's from what was read. What will surprise you: the reader is strict where other programs skip,
//! because a skipped token is a lost move: an unknown word, a wrong move number or a missing result refuses the game.
//! Not covered: Chess960, suspended games, comments as part of the record; they are handed to the caller, and he may hand them back.

use std::fmt;

use chrono::{NaiveDate, NaiveDateTime};

use super::document::GameError;
use super::game::{GameId, GameResult, MoveNumber, Stated};
use super::notation::{NumericMove, PlayerMoveError};
use super::replay::ReplayError;

mod lex;
mod note;
mod own;
mod read;
mod write;

pub use own::{Identity, Ids, Owned, Request, owned};
pub use read::{Games, games};
pub use write::{Options, write, write_annotated};

/// The seven tags that every game has, in their order (8.1.1).
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The tags that are written by the record, or that it is made of; what others say is kept beside it.
const RECORDED: [&str; 17] = [
    "Event",
    "Site",
    "Date",
    "White",
    "Black",
    "Result",
    "EventDate",
    "TimeControl",
    RULESET,
    "WhiteNA",
    "BlackNA",
    "PlyCount",
    "CmailGameName",
    "GameId",
    "SetUp",
    "FEN",
    "Variant",
];

/// The tag Mode of a game by electronic mail (9.6.3).
const MODE: &str = "EM";

/// Tags of the moves or the end of a game: of one that goes on they would become untrue.
const OF_THE_WHOLE: [&str; 6] = ["ECO", "Opening", "Variation", "SubVariation", "NIC", "Termination"];

/// Whether a tag says what the record of a game, which is over or goes on, does not give by itself.
pub fn is_beside_the_record(name: &str, text: &str, is_over: bool) -> bool {
    !RECORDED.contains(&name) && (is_over || !OF_THE_WHOLE.contains(&name)) && (name, text) != ("Mode", MODE)
}

/// The tag of a game's rules, which no other program has: the name of a rule set, or the JSON of one with values of its own.
const RULESET: &str = "Ruleset";

/// A game as a file has it, played through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    /// Where it stands.
    pub place: Place,
    /// Its tag pairs in the order of the file, values without escapes.
    pub tags: Vec<(String, String)>,
    /// The start position, if not the initial one.
    pub start_fen: Option<String>,
    /// The number of the first ply.
    pub first: MoveNumber,
    /// Its moves, each legal where it stands.
    pub plies: Vec<PgnPly>,
    /// The comments that are no dates, each with the number of plies before it. Those inside variations are left out.
    pub comments: Vec<(usize, String)>,
    /// Its variations, which are left out.
    pub variations: usize,
    /// Its signs of evaluation, such as `!` or `$14`, which are left out.
    pub glyphs: usize,
    /// Its result; `None` where it goes on.
    pub result: Option<GameResult>,
}

impl PgnGame {
    /// The value of a tag, unless it is empty or says that nobody knows: `?`, or `-` (8.1.1).
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.written(name).filter(|value| *value != "-")
    }

    /// The same for a tag whose `-` says something.
    fn written(&self, name: &str) -> Option<&str> {
        let value = self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.trim());
        value.filter(|value| !matches!(*value, "" | "?" | "???"))
    }

    /// What is wrong with the game as a whole, or with one of its plies, counted from 0.
    fn error(&self, ply: Option<usize>, trouble: Trouble) -> PgnError {
        let of_days = match &trouble {
            Trouble::Game(GameError::Day { ply, .. } | GameError::Dates { ply, .. }) => ply.checked_sub(1),
            _ => None,
        };
        PgnError {
            place: self.place.clone(),
            line: of_days.and_then(|index| self.plies.get(index)).map_or(self.place.line, |ply| ply.line),
            ply: ply.map(|index| (index + 1, self.first.plus(index))),
            trouble: Box::new(trouble),
        }
    }
}

/// One ply of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgnPly {
    /// The move.
    pub numeric: NumericMove,
    /// What a comment states of it: `{R 2004.10.24 S 2004.10.26 2/30}`.
    pub stated: Stated,
    /// The line of its move, from 1.
    pub line: usize,
    /// When it was sent, by a comment `{[%ccsnt 2004.10.26,07:45]}`: in one clock for both players, in the files of this program UTC.
    pub sent_at: Option<NaiveDateTime>,
}

/// Which game of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The game's number in the file, from 1.
    pub game: usize,
    /// The line where it begins, from 1.
    pub line: usize,
    /// Its players and event, as far as they were read.
    pub title: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        let title: String = self.title.chars().take(200).collect();
        if title.is_empty() { Ok(()) } else { write!(f, " ({title})") }
    }
}

/// A game of a file that cannot be taken, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnError {
    /// Which game.
    pub place: Place,
    /// The line of the trouble, from 1.
    pub line: usize,
    /// The ply, from 1, and its number on the score sheet.
    pub ply: Option<(usize, MoveNumber)>,
    /// What is wrong.
    pub trouble: Box<Trouble>,
}

impl std::error::Error for PgnError {}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.place, self.line)?;
        if let Some((ply, number)) = self.ply {
            write!(f, ", ply {ply} ({number})")?;
        }
        write!(f, ": {}", self.trouble)
    }
}

/// What is wrong with a game of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Trouble {
    #[error("the tag is not closed on its line; write it as [Name \"value\"]")]
    Tag,
    #[error("the tag {0} stands here twice; does the game before end without its result?")]
    TagTwice(String),
    #[error("[{tag} \"{value}\"] is no date; write it as 2004.10.26, with ?? for what is not known")]
    DateTag { tag: &'static str, value: String },
    #[error(
        "[TimeControl \"{0}\"] is no control in whole days; write 10/2592000 (moves/seconds), 2592000+86400 (with seconds for each move), - or ?, or say the rules with --rules"
    )]
    TimeControl(String),
    #[error("the comment that begins here is never closed with }}")]
    Comment,
    #[error("{text:?} in a comment has a day or an hour that is none")]
    Day { text: String },
    #[error("{{{0}}} gives dates or days to no move")]
    DatesBeforeMoves(String),
    #[error("the move has two sets of dates or days")]
    DatesTwice,
    #[error("the variation that begins here is never closed with )")]
    Variation,
    #[error("`{0}` has nothing to close or to mean here")]
    Stray(char),
    #[error("[Variant \"{0}\"]: only standard chess is played here")]
    Variant(String),
    #[error(
        "[SetUp \"1\"] says that the game begins from another position, and the tag FEN, which gives it, is missing"
    )]
    NoStart,
    #[error(transparent)]
    Start(ReplayError),
    #[error(transparent)]
    Move(PlayerMoveError),
    #[error("the file has number {found} where {due} is due; is a move missing?")]
    Number { found: String, due: MoveNumber },
    #[error("the game ends without its result; put 1-0, 0-1, 1/2-1/2 or * after the last move. Is the file cut off?")]
    NoResult,
    #[error("[Result \"{0}\"] is no result; write 1-0, 0-1, 1/2-1/2 or *")]
    ResultTag(String),
    #[error("the moves end with {token}, and the tag says [Result \"{tag}\"]")]
    Results { tag: String, token: String },
    #[error("the tag {0} is missing or empty")]
    NoPlayer(&'static str),
    #[error("neither player is you, by the name and the addresses of [me]; say which with --me white or --me black")]
    NotMe,
    #[error("both players are you, by the name and the addresses of [me]; say which with --me white or --me black")]
    BothMe,
    #[error(
        "the game is not over, and {0} has no address by which his mails could be recognised; put it into the tag {1}, or say it with --opponent-email"
    )]
    NoAddress(String, &'static str),
    #[error("{0} has {1}, which is an address of yours in [me]: your mails would be taken for his")]
    OwnAddress(String, String),
    #[error("game {0} stands in the file twice")]
    Twice(GameId),
    #[error(
        "it is {0} of this file once more, by event, start, players and moves, and it is not over; take one of them out, or give both a tag [GameId \"...\"] if they are two games"
    )]
    Twin(GameId),
    #[error(transparent)]
    Game(#[from] GameError),
}

/// A file in UTF-8, without its byte order mark: one in UTF-16 is known by that.
pub fn in_utf8(file: Vec<u8>) -> Vec<u8> {
    let unit: fn([u8; 2]) -> u16 = match file.as_slice() {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        [0xef, 0xbb, 0xbf, text @ ..] => return text.to_vec(),
        _ => return file,
    };
    let units = file.chunks(2).skip(1).map(|pair| match pair {
        [first, second] => unit([*first, *second]),
        _ => u16::from(b'?'),
    });
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

/// `2004.09.15`, also unpadded or with hyphens; `2004.??.??` is no day.
pub(in crate::domain) fn day(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split(['.', '-', '/']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = parts.next().is_none();
    let year = year.parse().ok().filter(|y| (1900..=9999).contains(y) && whole)?;
    NaiveDate::from_ymd_opt(year, month.parse().ok()?, day.parse().ok()?)
}
