//! The mail with a released move: from the player to the opponent, as the program sends it.

use chrono::{DateTime, Utc};

use super::{Envelope, LetterError};
use crate::config::Me;
use crate::domain::game::Game;
use crate::domain::judge::Row;
use crate::io::store::Release;
use crate::mail::address::Address;
use crate::mail::draft::{DraftMessage, Mailbox};

/// The whole mail with the move that `game` has planned, to be sent at `not_before`; the opponent and `copy`, the director, are
/// named in it, and with `bcc_self` the player gets a blind copy.
///
/// # Errors
/// [`LetterError`]; then there is no mail.
pub fn released(
    game: &Game,
    root: &str,
    table: &[Row],
    copy: Option<&Address>,
    bcc_self: bool,
    me: &Me,
    not_before: DateTime<Utc>,
) -> Result<Release, LetterError> {
    let missing = || LetterError::Game { game: game.id.clone(), why: "no move is chosen".to_owned() };
    let plan = game.plan.as_ref().ok_or_else(missing)?;
    let envelope = Envelope { game, root, me, now: not_before };
    let director = copy.map(|address| Mailbox { name: None, address: address.clone() });
    let reply = envelope.reply(envelope.id(&plan.message_id)?, table)?;
    let mail = DraftMessage { unsent: false, cc: director.into_iter().collect(), ..reply };
    let named = mail.to.iter().chain(&mail.cc).map(|mailbox| mailbox.address.to_string());
    let myself = me.address().filter(|_| bcc_self).map(ToString::to_string);
    Ok(Release {
        message_id: plan.message_id.clone(),
        recipients: named.chain(myself).collect(),
        bytes: mail.to_bytes()?,
        not_before,
    })
}
