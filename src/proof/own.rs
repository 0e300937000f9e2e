//! The player's own mails as proofs: what each gives when it is read again, and the dates that it gave to a ply of another proof.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::came;
use crate::config::{Me, Senders};
use crate::domain::game::{GameId, Observed};
use crate::io::store::{MailOfGame, NewMove, Store, StoreError, StoredGame};
use crate::mail::message::{IncomingMessage, parse};
use crate::sent::decide::{What, decide};
use crate::sent::{given, offers, seen};

/// The move that a mail of the player's gives in the game as it stood; `None` where it gives none any more. With the zones he has
/// lived in, and the day on which its copy arrived by the record.
pub(super) async fn gave(
    store: &mut Store,
    raw: &[u8],
    me: &Me,
    threads: &[StoredGame],
    (game, mail): (&GameId, &MailOfGame),
    (zones, arrived): (&[Tz], Option<NaiveDate>),
) -> Result<Option<NewMove>, StoreError> {
    let Ok(message) = parse(raw) else { return Ok(None) };
    let ids = message.message_id.iter().chain(&message.references).chain(&message.in_reply_to);
    let ids: Vec<String> = ids.map(ToString::to_string).collect();
    let ours = store.own_ids(&ids).await?;
    let offers = offers(store, threads).await?;
    let findings = decide(&message, (me, &Senders::default()), threads, &ours, &offers, mail.at);
    let observed = || seen_in(&message, mail, zones, arrived);
    Ok(findings.iter().find_map(|finding| match &finding.what {
        What::Move { accepted, .. } if finding.thread.game.id == *game => {
            Some(given(&finding.thread.game, accepted, observed()))
        }
        _ => None,
    }))
}

/// The dates that the player's mails gave to plies which were on record by other mails, by index.
pub(super) async fn supplied(
    store: &mut Store,
    stored: &StoredGame,
    mails: &BTreeMap<i64, &MailOfGame>,
    zones: &[Tz],
) -> Result<BTreeMap<usize, Observed>, StoreError> {
    let mut supplied = BTreeMap::new();
    for sent in store.sent_mails(&stored.game.id).await?.into_iter().filter(|sent| sent.supplied) {
        let Some(mail) = mails.get(&sent.mail) else { continue };
        let Some(raw) = came(store, sent.mail, &mail.sha256).await? else { continue };
        let (Ok(message), Some(index)) = (parse(&raw), sent.ply.checked_sub(1)) else { continue };
        let arrived = stored.game.moves.get(index).and_then(|record| record.observed.arrived);
        supplied.insert(index, seen_in(&message, mail, zones, arrived));
    }
    Ok(supplied)
}

/// What the servers saw, in the zone of the player's in which the record has it.
fn seen_in(message: &IncomingMessage, mail: &MailOfGame, zones: &[Tz], arrived: Option<NaiveDate>) -> Observed {
    let in_each = || zones.iter().map(|zone| seen(message, mail.at, *zone));
    let fits = in_each().find(|observed| observed.arrived == arrived);
    fits.or_else(|| in_each().next()).unwrap_or_default()
}
