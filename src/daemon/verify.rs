//! Before a mail is taken in: what vouches for its sender beside its header. Its signatures are checked, if the player wants that and an
//! opponent seems to have written it, or the player himself.
//!
//! What will surprise you: names are looked up for these mails only, and a shutdown cuts the lookups and leaves the mail
//! for the next start; without an answer in time the mail goes on as one that nobody vouches for.

use super::{Daemon, Trouble};
use crate::config::Config;
use crate::intake::{command_sent, is_from_opponent, is_from_player};
use crate::io::dkim;
use crate::io::store::Arrival;
use crate::mail::authentication::Finding;

impl Daemon {
    /// What vouches for such a mail beside its own header: for a command that lies in the folder of sent mails that place, else what a check
    /// of its signatures finds, where the player asks for one.
    pub(super) async fn verified(&mut self, bytes: &[u8], arrival: &Arrival) -> Result<Option<Vec<Finding>>, Trouble> {
        let Config { me, senders, .. } = &self.config;
        if self.lies_in_sent(arrival)
            && let Some(from) = command_sent(bytes, me)
        {
            return Ok(Some(vec![Finding::filed(&from)]));
        }
        let is_looked_at =
            senders.verify_dkim && (is_from_player(bytes, me) || is_from_opponent(bytes, &mut self.store).await?);
        if !is_looked_at {
            return Ok(None);
        }
        let checked = async { Ok::<_, Trouble>(dkim::verify(bytes).await) };
        self.until_stopped(checked).await.map(Some)
    }
}
