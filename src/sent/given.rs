//! What a mail of the player's own puts on record: his move, and the lines that bind him behind it.
//!
//! Pure, and the same for the mail that comes and for the proof that reads it again.

use crate::domain::game::{Game, MoveRecord, Observed};
use crate::domain::judge::{ANY, Accepted};
use crate::domain::notation::NumericMove;
use crate::io::store::NewMove;

/// The move of a mail of his own, which the servers saw so.
pub(crate) fn given(game: &Game, accepted: &Accepted, observed: Observed) -> NewMove {
    let record = MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) };
    // what he promised behind this move before, and what he promises with it
    let mut conditionals = if accepted.before.is_empty() { game.lines_behind(accepted.numeric) } else { Vec::new() };
    for line in accepted.conditionals.iter().filter_map(|line| promised(line)) {
        if !conditionals.contains(&line) {
            conditionals.push(line);
        }
    }
    NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: None,
        before: accepted.before.iter().map(|(_, numeric)| MoveRecord::conditional(*numeric)).collect(),
        record,
        draw_offer: accepted.draw_offer.then_some(game.me),
        conditionals,
    }
}

/// A line that he offers, as far as it names the moves: what stands behind "any move" cannot be kept.
pub(super) fn promised(line: &[String]) -> Option<Vec<NumericMove>> {
    let named = line.iter().take_while(|text| *text != ANY);
    let moves: Vec<NumericMove> = named.map_while(|text| text.parse().ok()).collect();
    // a line ends with his reply
    let whole = moves.get(..moves.len() - moves.len() % 2)?;
    (!whole.is_empty()).then(|| whole.to_vec())
}
