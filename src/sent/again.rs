//! A mail of the player's once more: it was read before the move that it answers was on record, since that mail was held.
//!
//! Reads, decides and writes as [`super::take_in`] does, from the stored bytes. What will surprise you: what tells nothing now
//! either is left as it was, and looked at again in the next round, until the game goes on.

use chrono::{DateTime, Utc};

use super::{fill, taking};
use crate::config::{Me, Senders};
use crate::domain::game::GameId;
use crate::intake::{IntakeError, RawMessage, Taking};
use crate::io::store::{Store, Taken};
use crate::mail::message::parse;

/// Reads every mail of the player's again that may answer a move which went on record after it; gives what came of them.
///
/// # Errors
/// [`IntakeError`]; what was read before it is stored.
pub async fn read_again(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    now: DateTime<Utc>,
) -> Result<Vec<Taking>, IntakeError> {
    let mut read = Vec::new();
    for (mail, game) in store.may_answer().await? {
        read.extend(one_again(store, me, senders, (mail, &game), now).await?);
    }
    Ok(read)
}

/// Reads one of them again for one game; `None` where it says nothing new.
///
/// # Errors
/// [`IntakeError`]; then nothing was written.
pub(crate) async fn one_again(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    (mail, game): (i64, &GameId),
    now: DateTime<Utc>,
) -> Result<Option<Taking>, IntakeError> {
    let (Some(stored), Some(bytes)) = (store.mail(mail).await?, store.mail_raw(mail).await?) else { return Ok(None) };
    let Ok(message) = parse(&bytes) else { return Ok(None) };
    let at = stored.server_date.unwrap_or(stored.taken_at);
    let raw = RawMessage { bytes: &bytes, at, arrival: None, verified: None };
    let mut taken = Taken { raw: &bytes, server_date: Some(at), ..Taken::default() };
    fill(store, (me, senders), &message, &raw, Some(game), now, &mut taken).await?;
    if taken.sent.is_empty() {
        return Ok(None);
    }
    let done = store.record_again(mail, game, &taken, now).await?;
    Ok(done.then(|| taking(&taken)))
}
