//! Mails that are judged again, since a game or an address came after them that they may be about.

use chrono::{DateTime, Utc};

use super::{IntakeError, RawMessage, Taking, take_in};
use crate::config::{Me, Senders};
use crate::io::store::Store;

/// Takes in the stored mails about which nothing is decided, oldest first. Those of which only the hash is kept come anew from the mailbox.
///
/// # Errors
/// [`IntakeError`]; the mails before the one that failed are taken in.
pub async fn take_undecided(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    now: DateTime<Utc>,
) -> Result<Vec<Taking>, IntakeError> {
    let mut taken = Vec::new();
    for mail in store.undecided().await? {
        let (at, verified) = (mail.server_date.unwrap_or(now), mail.verified);
        let raw = RawMessage { bytes: &mail.raw, at, arrival: None, verified };
        taken.push(take_in(store, me, senders, &raw, now).await?);
    }
    Ok(taken)
}
