//! The report of a finished game to the tournament director: the result in a line, and the game as PGN for the archive.
//!
//! A finished draft like that of a move: it goes to the player, who sends it himself, or not: the winner reports, after a draw White.
//! What will surprise you: where no director is known the mail to be sent has no recipient, which the player's program then asks for.
//! Dates and days stay out of it, as directors put reports into archives unread.

use chrono::{DateTime, Utc};

use super::page::Told;
use super::ready::{bring, how};
use super::{Envelope, Letter, LetterError, message_id, pairing};
use crate::config::Me;
use crate::domain::game::{Game, GameResult};
use crate::domain::pgn::{self, Options};
use crate::mail::address::Address;
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::say;

/// The finished draft of the report: its exact text in a mail to the player, with the mail to the director attached.
///
/// An answer to it goes to the director. `opening`: whether the event allows the opening to be named.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn report(
    game: &Game,
    root: &str,
    director: Option<&Address>,
    opening: bool,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let rules = game.ruleset().map_err(|e| broken(e.to_string()))?;
    let options = Options { opening, ..Options::for_director(&rules) };
    let score = pgn::write(game, &options).map_err(|e| broken(e.to_string()))?;
    let result = game.result.map_or("*", GameResult::word);
    let subject = format!("{} {result}", pairing(game));
    let event = if game.event.is_empty() { String::new() } else { format!("{}: ", game.event) };
    let body = format!("{event}{} - {}  {result}\n\n{score}", game.white.name, game.black.name);
    let envelope = Envelope { game, root, me, now };
    let instant = now.to_rfc3339();
    let id = |label: &str| {
        message_id(&[root.as_bytes(), instant.as_bytes(), label.as_bytes()], &format!("{}.{label}", game.id), me)
            .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let to = director.map(|address| Mailbox { name: None, address: address.clone() });
    let reply = DraftMessage {
        from: envelope.myself()?,
        to: to.into_iter().collect(),
        cc: Vec::new(),
        subject: subject.clone(),
        date: envelope.local_time(),
        message_id: id("report")?,
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: false,
        unsent: true,
        body,
        page: None,
        attached_reply: None,
    };
    let mut told = Told::default();
    if director.is_none() {
        told.paragraph(say!(
            me.language,
            "For you: the mail has no recipient. Put in the director's address before you send it, and his section [[event]] into the configuration for the next time."
        ));
        told.gap();
    }
    how(&mut told, &reply, &say!(me.language, "the director"), false, me.language);
    let subject = match director.is_some() {
        true => say!(me.language, "ready to send to the director: {subject}", subject),
        false => {
            say!(me.language, "ready to send to the director, whose address is not known: {subject}", subject)
        }
    };
    bring(&envelope, subject, told, id("report-draft")?, &reply)
}
