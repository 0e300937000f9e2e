//! Which mails are told of one by one: of strangers' and unclear ones only the first of a day, so that sixty of them are no sixty notices.

use chrono::{DateTime, Utc};

use super::decide::Judgement;
use crate::config::Me;
use crate::domain::judge::Verdict;
use crate::io::store::{Store, StoreError};

/// The notices of one kind on a day; of more such mails the digest tells.
const ONE_BY_ONE: i64 = 5;

/// How the player hears of a mail that waits for him.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// By a notice.
    ByItself,
    /// By a notice, which says that it is the last of its kind on this day.
    AsLast,
    /// By the digest.
    Gathered,
}

/// How he hears of this judgement: of mails of strangers all together, of unclear ones by their game, as many as wait for him since the day
/// began in his place.
///
/// # Errors
/// Those of reading the database.
pub(super) async fn told(
    store: &mut Store,
    me: &Me,
    judgement: &Judgement<'_>,
    now: DateTime<Utc>,
) -> Result<Told, StoreError> {
    let game = match &judgement.verdict {
        Verdict::WrongSender(_) => None,
        Verdict::Held { .. } | Verdict::Illegal(_) => judgement.thread.map(|thread| &thread.game.id),
        _ => return Ok(Told::ByItself),
    };
    let waiting = store.held_since(judgement.verdict.outcome(), game, me.midnight(now)).await?;
    Ok(match waiting + 1 {
        place if place < ONE_BY_ONE => Told::ByItself,
        ONE_BY_ONE => Told::AsLast,
        _ => Told::Gathered,
    })
}
