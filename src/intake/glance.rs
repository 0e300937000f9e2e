//! What a mail tells at a glance, before it is judged: when it came, and who says that he wrote it.

use chrono::{DateTime, Utc};

use super::command::is_command_sent;
use super::sender;
use crate::config::Me;
use crate::io::store::{Store, StoreError};
use crate::mail::address::Address;
use crate::mail::message::{IncomingMessage, parse};

/// When a server says it took this mail: the date of its topmost `Received`.
pub fn arrival_time(bytes: &[u8]) -> Option<DateTime<Utc>> {
    let [received, _] = witnesses(bytes);
    received
}

/// Two clocks that wrote on a mail: that of the server that took it, in its topmost Received field, and the sender's, in its Date.
pub fn witnesses(bytes: &[u8]) -> [Option<DateTime<Utc>>; 2] {
    let written = |message: IncomingMessage| [message.received, message.date].map(|at| at.map(|at| at.to_utc()));
    parse(bytes).map(written).unwrap_or_default()
}

/// Whether a mail says it is from the player himself.
pub fn is_from_player(bytes: &[u8], me: &Me) -> bool {
    parse(bytes).is_ok_and(|message| sender(&message).is_some_and(|from| me.is_mine(from)))
}

/// The player's address in a mail of the Sent folder that may be a command of his: some servers keep one copy of what he sends to himself.
pub fn command_sent(bytes: &[u8], me: &Me) -> Option<Address> {
    let message = parse(bytes).ok()?;
    is_command_sent(&message, me).then(|| sender(&message).cloned()).flatten()
}

/// Whether a mail says it is from an opponent.
///
/// # Errors
/// Those of reading the database.
pub async fn is_from_opponent(bytes: &[u8], store: &mut Store) -> Result<bool, StoreError> {
    let message = parse(bytes).ok();
    let from = message.as_ref().and_then(sender);
    if let Some(from) = from { store.has_opponent(from).await } else { Ok(false) }
}
