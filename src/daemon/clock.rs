//! The look at the clock, before anything is told by it: whether it agrees with the time that has passed by the machine's own count.

use chrono::{DateTime, Utc};

use super::{Daemon, one_line};
use crate::domain::clock::trust::{Look, distrust, is_settled, look};
use crate::io::store::{Count, EventRow, Store, StoreError};

impl Daemon {
    /// Trouble with it stops nothing else: it is tried again in the next round.
    pub(super) async fn confirm(&mut self) {
        let Some(count) = Count::read().filter(|count| is_settled(count.passed)) else { return };
        if let Err(error) = confirm(&mut self.store, &count, Utc::now()).await {
            tracing::error!("the clock was not looked at: {}", one_line(&error.to_string()));
        }
    }
}

/// Keeps that the clock is right at `now`, where nothing speaks against it; `count` is that of this moment. What a clock that ran ahead has
/// dated since it was last believed counts no more against it.
///
/// # Errors
/// Those of the database.
pub async fn confirm(store: &mut Store, count: &Count, now: DateTime<Utc>) -> Result<(), StoreError> {
    let witnesses = store.witnesses().await?;
    let arrival = match distrust(now, witnesses) {
        Some(_) => store.newest_served().await?,
        None => None,
    };
    match look(now, witnesses, arrival) {
        Look::Doubted(_) => return Ok(()),
        Look::Believed => {}
        Look::RanAhead(newest) => {
            let text = format!(
                "the clock of this machine is right at {now}: it says what the time that has passed says; what was done and read up to {newest} was dated by a clock that ran ahead"
            );
            tracing::warn!("{text}");
            store.clock_right(newest, &EventRow { game: None, kind: "clock".to_owned(), text }, now).await?;
        }
    }
    store.believe(now, count).await
}
