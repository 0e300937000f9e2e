//! Mails of the opponent's that wait for the player and came after the move that he is about to answer: they may take it back, correct
//! its dates or end the game.

use chrono_tz::Tz;

use super::again::Again;
use super::evidence::Letters;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Verdict};
use crate::io::store::{Held, Store, StoreError, StoredGame};
use crate::mail::address::Address;

/// What speaks against an answer before they are settled: a thought for each, with its command. One that answers a move which the record
/// lacks yet is none of them.
///
/// # Errors
/// [`StoreError`].
pub async fn unsettled(store: &mut Store, thread: &StoredGame, zone: Tz) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for held in store.held().await?.into_iter().filter(|held| is_behind(&thread.game, held, zone)) {
        let raw = store.mail_raw(held.mail).await?;
        if let Some(raw) = raw {
            let letters = Letters::beside(store, &raw, std::slice::from_ref(thread)).await?;
            if Again::of(&raw, thread, held.arrived(), &letters).is_some_and(|again| is_ahead(&again)) {
                continue;
            }
        }
        let day = held.arrived().with_timezone(&zone).format("%a %d %b %Y");
        found.push(format!(
            "mail {0} of {day} came after the move that you answer and is held ({1}): it may change that\n\
             help: settle it first,  amici review --mail {0}",
            held.mail, held.reason
        ));
    }
    Ok(found)
}

/// The mail may be the opponent's in this game, and came later than the last move on record.
fn is_behind(game: &Game, held: &Held, zone: Tz) -> bool {
    // what a stranger writes, under whatever name, keeps nobody from his move
    let is_from_him = held.from_address.as_deref().and_then(|from| from.parse::<Address>().ok()).is_none_or(|from| {
        let his = game.opponent().emails.iter();
        his.filter_map(|email| email.parse::<Address>().ok()).any(|email| email.is_same_mailbox(&from))
    });
    let is_his = held.may_answer.contains(&game.id) && is_from_him;
    let is_later = match game.moves.last() {
        None => true,
        Some(last) => match (last.observed.arrived_at, last.claimed.sent.or(last.observed.sent)) {
            (Some(arrived), _) => held.arrived() > arrived,
            (None, sent) => sent.is_none_or(|sent| held.arrived().with_timezone(&zone).date_naive() >= sent),
        },
    };
    is_his && is_later
}

fn is_ahead(again: &Again) -> bool {
    matches!(&again.verdict, Verdict::Held { reason: Reason::NotHisTurn(_) | Reason::NumberAhead { .. }, .. })
}
