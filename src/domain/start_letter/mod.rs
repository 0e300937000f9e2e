//! The director's start letter: players, addresses, colours, start and time control of an event, and the player's games in it.
//!
//! Letters are written by hand in many forms; what is not stated plainly is asked for, never inferred. Labels in English, German,
//! Spanish and French. Not covered: several events in one letter. What will surprise you: rows of moves are samples, not games.

use chrono::NaiveDate;

use super::clock::rules::TimeControl;
use super::transmission::read::Line;

mod facts;
mod pairings;
mod players;
mod propose;

pub use facts::{Stated, control_in, event_code, start_in, unread_start};
pub use pairings::Pairing;
pub use players::Entry;
pub use propose::{Answers, EventProposal, Missing, propose_event};

/// What a start letter says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The event's code or name.
    pub event: Option<String>,
    /// Its start.
    pub start: Stated<NaiveDate>,
    /// What it gives as its start and no calendar has, with its line.
    pub no_such_start: Option<(usize, String)>,
    /// Its time control.
    pub control: Option<TimeControl>,
    /// The players by their numbers.
    pub players: Vec<Entry>,
    /// Games with both players named.
    pub pairings: Vec<Pairing>,
    /// Games of the reader whom the letter calls "you": whether he has White, and his opponent's place in the list.
    pub yours: Vec<(bool, usize)>,
    /// What of the colours cannot be true.
    pub troubles: Vec<String>,
}

/// Reads a start letter.
pub fn read_letter(subject: &str, lines: &[Line<'_>]) -> Letter {
    let players = players::players(lines);
    let colours = pairings::Colours::of(lines, &players);
    let text: Vec<&str> = lines.iter().map(|line| line.text).collect();
    Letter {
        event: facts::event(subject, lines),
        start: facts::start(lines),
        no_such_start: facts::no_such_start(lines),
        control: control_in(&text.join("\n")),
        players,
        pairings: colours.pairings,
        yours: colours.yours,
        troubles: colours.troubles,
    }
}
