//! The player's own mails as proofs: what each gives when it is read again, and the dates that it gave to a ply of another proof.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::came;
use crate::config::{Me, Senders};
use crate::domain::game::{GameId, Observed};
use crate::io::store::{MailOfGame, NewMove, Store, StoreError, StoredGame};
use crate::mail::message::{IncomingMessage, parse};
use crate::sent::decide::{What, decide};
use crate::sent::{given, offers, seen};

/// The move that a mail of the player's gives in the game as it stood; `None` where it gives none any more. With the zones he has
/// lived in, and what the servers saw by the record.
pub(super) async fn gave(
    store: &mut Store,
    raw: &[u8],
    me: &Me,
    threads: &[StoredGame],
    (game, mail): (&GameId, &MailOfGame),
    (zones, recorded): (&[Tz], Option<Observed>),
) -> Result<Option<NewMove>, StoreError> {
    let Ok(message) = parse(raw) else { return Ok(None) };
    let ids = message.message_id.iter().chain(&message.references).chain(&message.in_reply_to);
    let ids: Vec<String> = ids.map(ToString::to_string).collect();
    let ours = store.own_ids(&ids).await?;
    let offers = offers(store, threads).await?;
    let findings = decide(&message, (me, &Senders::default()), threads, &ours, &offers, mail.at);
    let observed = || seen_in(&message, mail.at, zones, recorded);
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
        let recorded = stored.game.moves.get(index).map(|record| record.observed);
        supplied.insert(index, seen_in(&message, mail.at, zones, recorded));
    }
    Ok(supplied)
}

/// What the servers saw, in the zone of the player's in which the record has it.
fn seen_in(message: &IncomingMessage, at: DateTime<Utc>, zones: &[Tz], recorded: Option<Observed>) -> Observed {
    let days = |seen: &Observed| (seen.sent, seen.sent_at.map(|at| at.naive_local()), seen.arrived);
    let in_each = || zones.iter().map(|zone| seen(message, at, *zone));
    let exact = in_each().find(|seen| recorded.is_some_and(|recorded| days(seen) == days(&recorded)));
    let same_day = || in_each().find(|seen| recorded.is_some_and(|recorded| seen.arrived == recorded.arrived));
    exact.or_else(same_day).or_else(|| in_each().next()).unwrap_or_default()
}
