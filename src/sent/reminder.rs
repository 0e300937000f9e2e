//! A repeat of the player's that really went out: a reminder, from which some rules count double, or the move once more to an opponent who
//! may not have it.
//!
//! Pure. Only what he had drafted as a repeat is a reminder: another copy of the mail that brought the move reminds nobody, and what he
//! writes without a draft he says himself (`amici repeat GAME --sent`). Whom the first mail may not have reached, it reminds of nothing.

use chrono::NaiveDate;

use crate::domain::clock::again::{Lost, Sign};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::DoubleFrom;
use crate::domain::clock::silence::Silence;
use crate::domain::game::{ClockNote, ClockNoteKind, Game, MoveNumber};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Event, Line, Meaning, spoken};
use crate::mail::message::IncomingMessage;

/// What to do about a mail of `sent` that gives no move and says that no answer came, where the rules know repeats by then; else nothing.
pub(super) fn in_words_only(game: &Game, message: &IncomingMessage, sent: Option<NaiveDate>) -> Option<String> {
    let ledger = Ledger::of(game).ok().filter(|_| !game.is_my_turn())?;
    let (silence, on) = (Silence::of(game, &ledger)?, sent?);
    let says_so = message.plain.iter().chain(&message.html).any(|text| says_no_answer_came(text));
    (silence.is_reminder(on) && says_so).then(|| {
        format!(
            "; by the rules a repeat gives the move with its dates: `amici repeat {0}` drafts one; if this was a reminder all the same, \
             enter it with `amici repeat {0} --sent --on {on}`",
            game.id
        )
    })
}

fn says_no_answer_came(text: &str) -> bool {
    let lines: Vec<Line<'_>> = (1..).zip(text.lines()).map(|(number, text)| Line { number, text }).collect();
    spoken(&lines).iter().any(|said| said.event == Event::AsksRepeat && said.meaning != Meaning::Talk)
}

/// What a mail of `sent` does that gives the move of this ply once more, and the note that it makes; `lost` is what shows that the first one
/// may not have arrived.
pub(super) fn repeated(
    game: &Game,
    (number, numeric): (MoveNumber, NumericMove),
    ply: usize,
    lost: Option<Lost>,
    sent: Option<NaiveDate>,
) -> (String, Option<ClockNote>) {
    let reason = repeats(game, (number, numeric), ply, sent);
    if let (Some(lost), Some(on)) = (lost.filter(|_| ply == game.moves.len()), sent) {
        let why = match lost.sign {
            Sign::CameBack => format!("the first mail came back, so his days count from {on}"),
            Sign::Missed => format!("he had repeated his own, so his silence counts from {on}"),
        };
        return (format!("repeats your {number} {numeric}: {why}"), Some(lost.sent_again(game.due_ply(), on)));
    }
    match reminder(game, ply, sent) {
        Some(note) => (format!("{reason}, and reminds him on {}", note.on), Some(note)),
        None => (reason, None),
    }
}

/// What it does where the first mail arrived. Where the rules know reminders and it is none that was drafted, with the command by which it
/// counts as one.
fn repeats(game: &Game, (number, numeric): (MoveNumber, NumericMove), ply: usize, sent: Option<NaiveDate>) -> String {
    let ledger = Ledger::of(game).ok().filter(|ledger| ledger.rules().double_from == DoubleFrom::Reminder);
    let silence = ledger.as_ref().filter(|_| ply == game.moves.len()).and_then(|ledger| Silence::of(game, ledger));
    let late = sent.zip(silence).filter(|(on, silence)| silence.is_reminder(*on)).map(|(on, _)| on);
    let is_known = game.clock_notes.iter().any(|note| note.reminded() == sent);
    let help = match late.filter(|_| !is_known && reminder(game, ply, sent).is_none()) {
        Some(on) => format!(
            "; it does not count as a reminder: if it was one, enter it with `amici repeat {} --sent --on {on}`",
            game.id
        ),
        None => String::new(),
    };
    format!("repeats your {number} {numeric}, which is on record{help}")
}

/// The note of a mail of `sent` that repeats the move of this ply, if it is such a repeat.
fn reminder(game: &Game, ply: usize, sent: Option<NaiveDate>) -> Option<ClockNote> {
    let due = u32::try_from(ply + 1).ok().filter(|_| ply == game.moves.len())?;
    let sent = sent?;
    let repeats = || game.clock_notes.iter().filter(|note| note.ply == due && note.kind == ClockNoteKind::Repeated);
    let is_drafted = repeats().any(|note| note.reminded().is_none() && note.on <= sent);
    let is_known = repeats().any(|note| note.reminded() == Some(sent));
    (is_drafted && !is_known).then(|| ClockNote::reminder(due, sent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Side;

    #[test]
    fn a_repeat_that_was_not_drafted_tells_how_it_counts_where_days_count_from_a_reminder() {
        let mut game = sample_game();
        game.me = Side::White;
        let numeric = game.moves[12].numeric;
        let on = |game: &Game, day: &str| repeats(game, (game.number_of(12), numeric), 13, day.parse().ok());
        let plain = "repeats your 7. 5171, which is on record";
        assert_eq!(on(&game, "2004-11-12"), plain, "these rules know no reminder");
        game.rules = serde_json::from_str("\"desc\"").unwrap();
        let help = "if it was one, enter it with `amici repeat SAMPLE-1 --sent --on 2004-11-12`";
        assert!(on(&game, "2004-11-12").ends_with(help), "{}", on(&game, "2004-11-12"));
        assert_eq!(on(&game, "2004-10-30"), plain, "the mail of the move itself");
        game.clock_notes.push(ClockNote::reminder(14, "2004-11-12".parse().unwrap()));
        assert_eq!(on(&game, "2004-11-12"), plain, "it counts already");
    }
}
