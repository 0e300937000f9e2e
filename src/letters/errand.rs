//! A letter that is no reply with a move: to the opponent or to the director, drafted for the player, who sends it himself.

use chrono::{DateTime, Utc};

use super::page::Told;
use super::ready::{bring, how};
use super::{Envelope, Letter, LetterError, message_id};
use crate::config::Me;
use crate::domain::game::Game;
use crate::domain::transmission::compose::clip;
use crate::mail::address::Address;
use crate::mail::draft::{DraftMessage, Mailbox};

/// To whom a letter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom<'a> {
    /// The opponent, with a copy to the director where one is wanted and known.
    Opponent {
        /// The director's address.
        copy: Option<&'a Address>,
    },
    /// The director.
    Director {
        /// Where he gets it; where nobody knows, the player fills it in.
        address: Option<&'a Address>,
        /// The opponent gets a copy.
        copy_to_opponent: bool,
    },
}

/// What is written, and to whom.
#[derive(Debug, Clone, Copy)]
pub struct Errand<'a> {
    /// One word for it, part of its Message-ID.
    pub label: &'static str,
    /// What it is, for the player: `a claim`.
    pub what: &'a str,
    /// Its text.
    pub body: &'a str,
    /// To whom.
    pub to: Whom<'a>,
    /// What the player should know before he sends it; never part of the letter.
    pub hints: &'a [String],
}

/// The letter in a mail to the player, with the letter itself attached.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn errand(
    game: &Game,
    root: &str,
    errand: &Errand<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let instant = now.to_rfc3339();
    let id = |label: &str| {
        message_id(
            &[root.as_bytes(), errand.body.as_bytes(), instant.as_bytes(), label.as_bytes()],
            &format!("{}.{label}", game.id),
            me,
        )
        .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let letter = envelope.to_opponent(id(errand.label)?, true, errand.body.to_owned())?;
    let director = |address: &Address| Mailbox { name: None, address: address.clone() };
    let (letter, name) = match errand.to {
        Whom::Opponent { copy } => {
            let cc = copy.map(director).into_iter().collect();
            (DraftMessage { cc, ..letter }, clip(&game.opponent().name, 40))
        }
        Whom::Director { address, copy_to_opponent } => {
            let cc = if copy_to_opponent { letter.to } else { Vec::new() };
            let subject = letter.subject.trim_start_matches("Re: ").to_owned();
            (
                DraftMessage { to: address.map(director).into_iter().collect(), cc, subject, ..letter },
                "the director".to_owned(),
            )
        }
    };
    let subject = format!("ready to send to {name}: {}", errand.what);
    let mut told = Told::default();
    for hint in errand.hints {
        told.paragraph(format!("For you: {hint}"));
    }
    if !errand.hints.is_empty() {
        told.gap();
    }
    how(&mut told, &letter, &name, false);
    bring(&envelope, subject, told, id(&format!("{}-draft", errand.label))?, &letter)
}
