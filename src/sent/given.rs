//! What a mail of the player's own puts on record: his move, and the lines that bind him after it.
//!
//! Pure, and the same for the mail that comes and for the proof that reads it again.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use crate::domain::game::{Game, MoveRecord, Observed};
use crate::domain::judge::{ANY, Accepted};
use crate::domain::notation::NumericMove;
use crate::intake::again::observed;
use crate::intake::which::header_day;
use crate::io::store::NewMove;
use crate::mail::message::IncomingMessage;

/// The move of a mail of his own, which the servers saw so.
pub(crate) fn given(game: &Game, accepted: &Accepted, observed: Observed) -> NewMove {
    let record = MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) };
    // what he promised after this move before, and what he promises with it
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
        answer_to: None,
    }
}

/// What the servers saw of a mail of his own, which nobody relayed to him. Its day is that of his own place, in whatever offset his
/// provider stamps a Date: each clock uses its owner's calendar.
pub(crate) fn seen(message: &IncomingMessage, at: DateTime<Utc>, zone: Tz) -> Observed {
    let sent_at = message.date.map(|date| date.with_timezone(&zone).fixed_offset());
    let sent = header_day(message, at).and(sent_at).map(|here| here.date_naive());
    Observed { sent, sent_at, relayed_at: None, ..observed(Some(message), at, zone) }
}

/// A line that he offers, as far as it names the moves: what stands after "any move" cannot be kept.
pub(super) fn promised(line: &[String]) -> Option<Vec<NumericMove>> {
    let named = line.iter().take_while(|text| *text != ANY);
    let moves: Vec<NumericMove> = named.map_while(|text| text.parse().ok()).collect();
    // a line ends with his reply
    let whole = moves.get(..moves.len() - moves.len() % 2)?;
    (!whole.is_empty()).then(|| whole.to_vec())
}
