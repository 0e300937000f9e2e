//! Start letters among the mails: what they say of an event's games, and who directs it.

use chrono::{DateTime, Utc};

use super::super::event::letter_of;
use crate::config::Me;
use crate::domain::adopt::EventFacts;
use crate::domain::start_letter::Letter;
use crate::mail::address::Address;
use crate::mail::message::{IncomingMessage, parse};

/// Fewer players with addresses are the two heads of a game.
const PLAYERS: usize = 3;

/// A start letter with the player in its list.
pub(super) struct StartLetter {
    /// Where it lies.
    pub(super) name: String,
    /// When it came.
    pub(super) at: DateTime<Utc>,
    /// Who wrote it, if he is none of its players.
    pub(super) director: Option<Address>,
    pub(super) letter: Letter,
}

impl StartLetter {
    /// The letter that a mail is, if it lists several players and the player among them.
    pub(super) fn read(
        name: &str,
        raw: &[u8],
        at: Option<DateTime<Utc>>,
        me: &Me,
        now: DateTime<Utc>,
    ) -> Option<StartLetter> {
        let message = parse(raw).ok()?;
        let text = message.plain.as_ref().or(message.html.as_ref())?;
        // a quick look before the long one
        let lists = |text: &str| text.matches('@').count() >= PLAYERS;
        if !lists(text) || message.from.as_ref().is_ok_and(|from| me.is_mine(&from.address)) {
            return None;
        }
        let letter = letter_of(&message.subject, text)?;
        let mut addresses = letter.players.iter().filter_map(|player| player.address.as_ref()?.parse::<Address>().ok());
        if addresses.clone().count() < PLAYERS || !addresses.any(|address| me.is_mine(&address)) {
            return None;
        }
        let at = at.or(message.received.or(message.date).map(|at| at.to_utc())).unwrap_or(now);
        Some(StartLetter { name: name.to_owned(), at, director: director(&message, &letter), letter })
    }

    /// What it says of all games of its event.
    pub(super) fn facts(&self) -> Option<EventFacts> {
        EventFacts::of(&self.letter)
    }
}

/// Whoever wrote a start letter and is none of its players.
pub(in crate::cli) fn director(message: &IncomingMessage, letter: &Letter) -> Option<Address> {
    let sender = &message.from.as_ref().ok()?.address;
    let mut players = letter.players.iter().filter_map(|player| player.address.as_ref()?.parse::<Address>().ok());
    (!players.any(|player| player.is_same_mailbox(sender))).then(|| sender.clone())
}
