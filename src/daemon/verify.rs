//! Before a mail is taken in: its signatures are checked, if the player wants that and an opponent seems to have written it, or he
//! himself, where copies of his own mails are to be believed.
//!
//! What will surprise you: names are looked up for these mails only, and a shutdown cuts the lookups and leaves the mail
//! for the next start; without an answer in time the mail goes on as one that nobody vouches for.

use super::{Daemon, Trouble};
use crate::intake::{is_from_opponent, is_from_player};
use crate::io::dkim;
use crate::mail::authentication::Finding;

impl Daemon {
    /// What a check of the signatures of such a mail finds, where the player asks for one.
    pub(super) async fn verified(&mut self, bytes: &[u8]) -> Result<Option<Vec<Finding>>, Trouble> {
        let senders = &self.config.senders;
        let is_own = senders.own_copies && is_from_player(bytes, &self.config.me);
        if !senders.verify_dkim || !(is_own || is_from_opponent(bytes, &self.store.outlines().await?)) {
            return Ok(None);
        }
        let checked = async { Ok::<_, Trouble>(dkim::verify(bytes).await) };
        self.until_stopped(checked).await.map(Some)
    }
}
