//! What the opponent's newest mail on record shows of dates and days: the next reply says what is to be said of it.

use super::again::Again;
use crate::domain::judge::Row;
use crate::domain::notation::NumericMove;
use crate::io::store::{Store, StoreError, StoredGame};

/// Its table, row by row; empty where no mail gave his last move.
///
/// # Errors
/// Those of reading the database.
pub async fn his_table(store: &mut Store, thread: &StoredGame) -> Result<Vec<Row>, StoreError> {
    let game = &thread.game;
    let his = (0..game.moves.len()).rev().find(|index| game.number_of(*index).side != game.me);
    let Some((index, record)) = his.and_then(|index| Some((index, game.moves.get(index)?))) else {
        return Ok(Vec::new());
    };
    let Some(mail) = store.provenance(&game.id, index + 1).await?.and_then(|proof| proof.mail) else {
        return Ok(Vec::new());
    };
    let (Some(stored), Some(raw)) = (store.mail(mail).await?, store.mail_raw(mail).await?) else {
        return Ok(Vec::new());
    };
    let mut then = thread.clone();
    // where he took a line of the player's, its plies came with his mail
    let before = game.moves.get(..index).unwrap_or_default();
    let line: Vec<NumericMove> =
        before.iter().rev().take_while(|ply| ply.is_timeless()).map(|ply| ply.numeric).collect();
    then.game.moves.truncate(index.saturating_sub(line.len()));
    then.game.conditionals = vec![line.into_iter().rev().collect()];
    then.game.plan = None;
    then.game.result = None;
    then.game.seen_message_ids.clear();
    let at = stored.server_date.unwrap_or(stored.taken_at);
    Ok(Again::of(&raw, &then, at).map(|again| again.table(&then, record.numeric)).unwrap_or_default())
}
