//! Before a mail is taken in: its signatures are checked, if the player wants that and an opponent seems to have written it.
//!
//! What will surprise you: names are looked up for opponents' mails only, and a shutdown cuts the lookups and leaves the mail
//! for the next start; without an answer in time the mail goes on as one that nobody vouches for.

use super::{Daemon, Trouble};
use crate::intake::is_from_opponent;
use crate::io::dkim;
use crate::mail::authentication::Finding;

impl Daemon {
    /// What a check of the signatures of an opponent's mail finds, where the player asks for one.
    pub(super) async fn verified(&mut self, bytes: &[u8]) -> Result<Option<Vec<Finding>>, Trouble> {
        if !self.config.senders.verify_dkim || !is_from_opponent(bytes, &self.store.games().await?) {
            return Ok(None);
        }
        let checked = async { Ok::<_, Trouble>(dkim::verify(bytes).await) };
        self.until_stopped(checked).await.map(Some)
    }
}
