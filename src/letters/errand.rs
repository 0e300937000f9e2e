//! A letter that is no reply with a move: to the opponent or to the director, drafted for the player, who sends it himself.

use chrono::{DateTime, Utc};

use super::{Envelope, Letter, LetterError, finish, message_id};
use crate::config::Me;
use crate::domain::game::{Game, GameId};
use crate::domain::transmission::compose::clip;
use crate::mail::address::Address;
use crate::mail::draft::{AttachedReply, DraftMessage, Mailbox};

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
    let subject = format!("[amici {}] ready to send to {name}: {}", game.id, errand.what);
    let mut body = String::new();
    if !errand.hints.is_empty() {
        for hint in errand.hints {
            body.push_str(&textwrap::fill(&format!("For you: {hint}"), super::COLUMNS));
            body.push('\n');
        }
        body.push_str("\nThe letter, attached as reply.eml too:\n\n");
    }
    body.push_str(errand.body);
    let mut mail = envelope.to_player(subject, body, id(&format!("{}-draft", errand.label))?)?;
    mail.reply_to = letter.to.first().cloned();
    mail.attached_reply = Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: letter.to_bytes()? });
    finish(mail, me)
}

/// The Message-ID under which a move of the player's was drafted, where the mail that brought the draft proves it: its own id
/// is made from that of the reply.
pub fn sent_as(
    game: &Game,
    root: &str,
    index: usize,
    me: &Me,
    draft: &str,
    drafted_at: DateTime<Utc>,
) -> Option<String> {
    let mut before = game.clone();
    before.moves.truncate(index);
    let numeric = game.moves.get(index)?.numeric;
    let reply = super::reply_message_id(&before, root, numeric, me, drafted_at).ok()?;
    (draft_message_id(&game.id, &reply, me).as_deref() == Some(draft)).then_some(reply)
}

/// The id of the mail that brings the draft of this reply to the player.
pub(super) fn draft_message_id(game: &GameId, reply: &str, me: &Me) -> Option<String> {
    message_id(&[reply.as_bytes()], &format!("{game}.draft"), me).ok().map(|id| id.to_string())
}
