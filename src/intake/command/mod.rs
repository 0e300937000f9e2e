//! ONE mail of the player to himself that commands something: read, decide, and what it writes.
//!
//! Taken only from his own address, to his own addresses alone, not automatic, none of our own, and with what only he can know: the
//! id of a notice, or the code that stands in it; where something can prove senders, with its pass for his own. It makes or drops a draft and nothing else; exactly one mail answers it, to him.
//! What will surprise you: the ids of letters without a move and of reminders are no proof, since others can work them out; an answer
//! to one needs the code. A mail that looks like a command and proves nothing is answered too: silence would be taken for a draft.

use chrono::{DateTime, Days, Utc};

use super::RawMessage;
use crate::config::{Me, Senders};
use crate::io::store::{Commanded, EventRow, Outgoing, Store, Taken, VerdictRow};
use crate::letters::AnswerKey;
use crate::mail::address::Address;
use crate::mail::authentication::Authentication;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::split;

mod act;
mod held;
mod lines;
mod tie;
mod words;

use tie::Tied;

/// After this time nobody waits for the answer to a mail that proves nothing: a mailbox that is read for the first time may be full
/// of commands to an earlier installation.
const OLD: Days = Days::new(7);

/// What a mail of the player's does.
#[derive(Debug)]
pub(super) struct Heard {
    verdict: VerdictRow,
    event: EventRow,
    commanded: Option<Commanded>,
    outgoing: Vec<Outgoing>,
}

impl Heard {
    /// Puts it among the effects of the mail, whose bytes are kept.
    pub(super) fn put(self, taken: &mut Taken<'_>) {
        taken.verdicts.push(self.verdict);
        taken.events.push(self.event);
        taken.commanded = self.commanded;
        taken.outgoing.extend(self.outgoing);
        taken.private = false;
    }
}

/// What is known beside the mail itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) me: &'a Me,
    pub(super) senders: &'a Senders,
    pub(super) key: &'a AnswerKey,
    pub(super) sha256: &'a [u8; 32],
    pub(super) now: DateTime<Utc>,
}

/// What the mail commands; `None` where it is none of the player's commands.
///
/// # Errors
/// [`super::IntakeError`]; then nothing is to be written.
pub(super) async fn heard(
    store: &mut Store,
    mail: &RawMessage<'_>,
    message: &IncomingMessage,
    around: Around<'_>,
) -> Result<Option<Heard>, super::IntakeError> {
    if !is_to_himself(message, around.me) {
        return Ok(None);
    }
    let tied = tie::tied(store, message, around.key).await?;
    let is_old = mail.at.checked_add_days(OLD).is_some_and(|old| old < around.now);
    if matches!(tied, Tied::Loose) && (is_old || !tie::looks_like_an_answer(message)) {
        return Ok(None);
    }
    // another copy, as of a mail to two of his addresses: it was answered
    if let Some(id) = &message.message_id
        && store.was_commanded(&id.to_string()).await?
    {
        return Ok(None);
    }
    let proof = Authentication::of(&message.headers, &around.senders.own_server, mail.verified.as_deref());
    let is_doubted =
        |from: &&Address| proof.refuses(from) || (around.senders.can_prove() && proof.vouching(from).is_none());
    if let Some(from) = super::sender(message).filter(is_doubted) {
        return act::forged(around, &tied, from, &proof.to_string()).map(Some);
    }
    act::carry_out(store, around, &tied, spoken(message)).await.map(Some)
}

/// Whether a mail in the Sent folder may be a command whose copy the server did not deliver; without an id two copies could not be
/// told from two commands.
pub(super) fn is_command_sent(message: &IncomingMessage, me: &Me) -> bool {
    is_to_himself(message, me) && message.message_id.is_some()
}

/// From one of his own addresses and to nobody else, written by a person.
fn is_to_himself(message: &IncomingMessage, me: &Me) -> bool {
    let mut others = message.to.iter().chain(&message.cc).chain(&message.sender);
    message.automatic.is_none()
        && super::sender(message).is_some_and(|from| me.is_mine(from))
        && !message.to.is_empty()
        && others.all(|other| me.is_mine(other))
}

/// The command in his own words; an error where the two forms of the mail say two things.
fn spoken(message: &IncomingMessage) -> Result<words::Said, String> {
    let read = |view: &Option<String>| view.as_deref().and_then(|text| words::read(&split(text.trim_end()).own_text()));
    match (read(&message.plain), read(&message.html)) {
        (Some(plain), Some(html)) if plain.command != html.command => {
            Err(format!("the mail says `{}` as plain text and `{}` as a page", plain.line, html.line))
        }
        (Some(plain), Some(html)) => Ok(words::Said { doubt: plain.doubt.or(html.doubt), ..plain }),
        (Some(said), None) | (None, Some(said)) => Ok(said),
        (None, None) => Err("there is no word of yours in it".to_owned()),
    }
}
