//! A friendly note to the opponent, without a move. What could be read as one is refused.

use super::{Around, OneLetter, Proposal, Refusal, screened};
use crate::io::store::{Store, StoredGame};
use crate::letters::{self, Errand, Whom};

/// The note with the player's words.
///
/// # Errors
/// The words say nothing, or can be read as a move or as the end of the game.
pub async fn propose(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    words: &str,
) -> Result<Proposal, Refusal> {
    let game = &thread.game;
    let doubts = screened(game, words, around.today(store).await?)?;
    let text = letters::message_text(game, words, around.me());
    let said = format!("A note to {} in game {}.\n", game.opponent().name, game.id);
    let errand = Errand {
        label: "note",
        what: crate::sentence!("a note"),
        body: &text,
        to: Whom::Opponent { copy: None },
        hints: &[],
    };
    let journal = ("message", "a note to the opponent was drafted".to_owned());
    OneLetter { thread, errand, said, doubts, note: None, journal }.proposed(around)
}
