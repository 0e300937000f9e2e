//! Choices that the player wanted to sleep on: drafted when their time has come, with the dates of that day.
//!
//! The time is an argument here. What will surprise you: a plan that was dropped or changed between reading and writing is left alone,
//! and by a clock that cannot be right nothing is drafted.

use chrono::{DateTime, Utc};

use super::{Daemon, one_line};
use crate::choice::draft::wakened;
use crate::config::Me;
use crate::domain::game::Game;
use crate::intake::table::his_table;
use crate::io::store::{Store, StoreError};
use crate::letters::{AnswerKey, LetterError};

/// Why a held choice was not drafted.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The draft could not be made.
    #[error(transparent)]
    Letter(#[from] LetterError),
}

impl Daemon {
    /// Trouble with it stops nothing else: it is tried again in the next round.
    pub(super) async fn draft_held(&mut self) {
        match draft_held(&mut self.store, &self.config.me, Utc::now()).await {
            Ok(0) => {}
            Ok(moves) => tracing::info!(moves, "held moves are drafted"),
            Err(error) => tracing::error!("a held move was not drafted: {}", one_line(&error.to_string())),
        }
    }
}

/// Drafts every held choice whose time has come by `now`; gives how many.
///
/// # Errors
/// [`ChoiceError`] of the first that could not be drafted, once all others are; it is tried again the next time.
pub async fn draft_held(store: &mut Store, me: &Me, now: DateTime<Utc>) -> Result<usize, ChoiceError> {
    if store.clock_doubt(now).await?.is_some() {
        return Ok(0);
    }
    let key = AnswerKey::new(store.answer_key().await?);
    let mut drafted = 0;
    let mut trouble = None;
    let is_due = |game: &Game| game.plan.as_ref().and_then(|plan| plan.held_until).is_some_and(|until| until <= now);
    for thread in store.games_with_held(now).await? {
        let Some(held) = thread.game.plan.as_ref().filter(|_| thread.game.is_my_turn() && is_due(&thread.game)) else {
            continue;
        };
        let table = his_table(store, &thread).await?;
        let made = match wakened(&thread, held, &table, &key, me, now) {
            Ok(made) => made,
            Err(error) => {
                trouble.get_or_insert(error);
                continue;
            }
        };
        let Some(letter) = &made.letter else { continue };
        let (id, plies) = (&thread.game.id, made.expected_plies);
        match store.waken(id, plies, &held.message_id, &made.plan, letter, now).await {
            Ok(done) => drafted += usize::from(done),
            // the game went on meanwhile
            Err(StoreError::Moved { .. } | StoreError::Finished { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    trouble.map_or(Ok(drafted), |error| Err(error.into()))
}
