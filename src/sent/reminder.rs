//! A repeat of the player's that really went out: a reminder, from which some rules count double.
//!
//! Pure. Only what he had drafted as a repeat is one: another copy of the mail that brought the move reminds nobody, and what he writes
//! without a draft he says himself (`amici repeat GAME --sent`).

use chrono::NaiveDate;

use crate::domain::game::{ClockNote, ClockNoteKind, Game};

/// The note of a mail of `sent` that repeats the move of this ply, if it is such a repeat.
pub(super) fn reminder(game: &Game, ply: usize, sent: Option<NaiveDate>) -> Option<ClockNote> {
    let due = u32::try_from(ply + 1).ok().filter(|_| ply == game.moves.len())?;
    let sent = sent?;
    let repeats = || game.clock_notes.iter().filter(|note| note.ply == due && note.kind == ClockNoteKind::Repeated);
    let is_drafted = repeats().any(|note| note.reminded().is_none() && note.on <= sent);
    let is_known = repeats().any(|note| note.reminded() == Some(sent));
    (is_drafted && !is_known).then(|| ClockNote::reminder(due, sent))
}
