//! The letters that end a game, or decline to: a draw accepted or declined, a resignation. They close nothing by themselves.

use super::{Around, OneLetter, Proposal, Refusal, running};
use crate::domain::game::{GameResult, Side};
use crate::io::store::StoredGame;
use crate::letters::{Ending, Errand, Whom};

/// The letter to the opponent, with what the player has to be sure of.
///
/// # Errors
/// The game is over, or no letter can be made.
pub fn propose(around: Around<'_>, thread: &StoredGame, ending: Ending) -> Result<Proposal, Refusal> {
    let game = &thread.game;
    running(game)?;
    let (name, what) = (&game.opponent().name, ending.what());
    let mut doubts = Vec::new();
    if ending != Ending::Resigns && game.draw_offer != Some(game.me.other()) {
        doubts.push(format!("no offer of a draw by {name} is on record"));
    }
    let result = match ending {
        Ending::DeclinesDraw => None,
        Ending::AcceptsDraw => {
            doubts.push(format!("a draw accepted ends game {} against {name}", game.id));
            Some(GameResult::Draw)
        }
        Ending::Resigns => {
            doubts.push(format!("a resignation ends game {}", game.id));
            Some(match game.me {
                Side::White => GameResult::BlackWins,
                Side::Black => GameResult::WhiteWins,
            })
        }
    };
    let text = ending.text(game, around.me());
    let close = |result: GameResult| {
        format!("once you have sent it, close the game with `amici result {} {}`.", game.id, result.word())
    };
    let hints: Vec<String> = result.map(close).into_iter().collect();
    let errand = Errand { label: ending.label(), what, body: &text, to: Whom::Opponent { copy: None }, hints: &hints };
    let said = format!("A letter to {name} in game {}: {what}.\n", game.id);
    let journal = (ending.label(), format!("a letter to the opponent was drafted: {what}"));
    OneLetter { thread, errand, said, doubts, note: None, journal }.proposed(around)
}
