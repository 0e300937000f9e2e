//! The opponent's reminder: a repeat of his last move that comes while the player thinks.
//!
//! Pure. Which repeat is one, the rules say by the days of silence after which a move may be repeated (desc: T33); an earlier one only
//! brings the move once more. A reminder is a note on the ply that is due; the day on which it came decides.
//! Not covered: the player's own, which `crate::sent` and `amici repeat` enter.

use chrono::NaiveDate;

use super::ledger::Ledger;
use super::rules::{DoubleFrom, Ruleset};
use super::silence::Silence;
use crate::domain::game::{ClockNote, ClockNoteKind, Game};

/// The note of his repeat that was written on one day, as far as that is known, and came on another; `None` where it is no reminder (a
/// second copy of the mail of the move neither), or stands on record.
pub fn reminder(game: &Game, ledger: &Ledger, written: Option<NaiveDate>, came: NaiveDate) -> Option<ClockNote> {
    let silence = Silence::of(game, ledger).filter(|_| game.is_my_turn())?;
    let is_later = written.is_none_or(|written| written > silence.since());
    let note = ClockNote::reminder(game.due_ply(), came);
    (silence.is_reminder(came) && is_later && !game.clock_notes.contains(&note)).then_some(note)
}

/// The days on which he reminded the player of the move that is due, oldest first; none where he is to move himself.
pub fn reminders(game: &Game) -> impl Iterator<Item = NaiveDate> {
    let due = Some(game.due_ply()).filter(|_| game.is_my_turn() && game.decided().is_none());
    let of_due = game.clock_notes.iter().filter(move |note| Some(note.ply) == due);
    of_due.filter_map(ClockNote::reminded)
}

/// What is assumed where the mover of the ply at `index`, counted from 0, announced that he needs longer on the day of the reminder from
/// which his days would count double (T33): the order of a day is not on record.
pub fn on_one_day(game: &Game, rules: &Ruleset, index: usize) -> Option<String> {
    let notes = || game.clock_notes.iter().filter(move |note| usize::try_from(note.ply) == Ok(index + 1));
    let announced = notes().filter(|note| note.kind == ClockNoteKind::Announced).map(|note| note.on).min()?;
    let reminded =
        notes().filter_map(ClockNote::reminded).min().filter(|_| rules.double_from == DoubleFrom::Reminder)?;
    let whose = if game.number_of(index).side == game.me { "your" } else { "his" };
    (announced == reminded).then(|| {
        format!(
            "{announced} is the day of the reminder too, and the order of a day is not on record: {whose} announcement counts as the earlier, so {whose} days do not double; if the reminder came first, they do"
        )
    })
}

/// Whether the answer goes to the director too: it answers a repeat of which he has a copy by the rules (ICCF: the answer to a repeat also
/// goes to the director).
pub fn answer_goes_to_director(game: &Game, ledger: &Ledger) -> bool {
    let Some(silence) = Silence::of(game, ledger) else { return false };
    reminders(game).any(|day| silence.is_copied(silence.days(day)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Leave, Side};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// Black, who has it, thinks about a move that was sent to him on 1 June.
    fn thinking(rules: &str) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(rules).unwrap();
        game.start_date = None;
        for record in &mut game.moves {
            record.claimed = Default::default();
        }
        game.moves.last_mut().unwrap().claimed.sent = Some(day("2026-06-01"));
        game.moves.last_mut().unwrap().observed.arrived = Some(day("2026-06-01"));
        game.me = Side::Black;
        game
    }

    fn came(game: &Game, written: Option<&str>, came: &str) -> Option<ClockNote> {
        reminder(game, &Ledger::of(game).unwrap(), written.map(day), day(came))
    }

    #[test]
    fn t33_his_reminder_doubles_the_players_days_unless_he_announced_in_time() {
        let mut game = thinking(r#""desc""#);
        let days = |game: &Game| Ledger::of(game).unwrap().answer_on(day("2026-06-16")).days;
        assert_eq!(days(&game), Some(15));
        game.clock_notes = came(&game, Some("2026-06-12"), "2026-06-12").into_iter().collect();
        assert_eq!(days(&game), Some(19));
        assert_eq!(reminders(&game).collect::<Vec<_>>(), [day("2026-06-12")]);
        assert_eq!(came(&game, None, "2026-06-12"), None, "one of a day is enough");
        let told = ClockNote {
            ply: 14,
            kind: ClockNoteKind::Announced,
            on: day("2026-06-02"),
            until: Some(day("2026-06-20")),
        };
        let assumed = |game: &Game| on_one_day(game, Ledger::of(game).unwrap().rules(), 13);
        game.clock_notes.push(told);
        assert_eq!((days(&game), assumed(&game)), (Some(15), None));
        game.clock_notes[1].on = day("2026-06-12");
        assert_eq!(days(&game), Some(15));
        assert!(assumed(&game).unwrap().contains("your announcement counts as the earlier"));
        game.clock_notes[1].on = day("2026-06-13");
        assert_eq!((days(&game), assumed(&game)), (Some(19), None));
    }

    #[test]
    fn a_repeat_before_its_day_or_a_copy_of_the_move_is_no_reminder_and_none_comes_on_leave() {
        let mut game = thinking(r#""desc""#);
        let is_one = |game: &Game, written, on| came(game, written, on).is_some();
        assert!(!is_one(&game, None, "2026-06-10"), "nine days");
        assert!(is_one(&game, None, "2026-06-11"));
        assert!(!is_one(&game, Some("2026-06-01"), "2026-06-12"), "a second copy of the move, which was late");
        assert!(is_one(&game, Some("2026-06-05"), "2026-06-12"), "the day on which it comes decides");
        game.leaves =
            vec![Leave { side: Side::Black, from: day("2026-06-05"), to: day("2026-06-06"), announced: None }];
        assert!(!is_one(&game, None, "2026-06-12"), "nine days without leave");
        game.me = Side::White;
        assert!(!is_one(&game, None, "2026-06-30"), "he is to move himself");
        assert!(!is_one(&thinking(r#""iccf-server""#), None, "2026-06-30"), "the rules know no repeat");
    }

    #[test]
    fn an_early_reminder_doubles_no_days_of_either_side() {
        let days = |me: Side, on: &str| {
            let mut game = thinking(r#""desc""#);
            game.me = me;
            game.clock_notes = vec![ClockNote::reminder(game.due_ply(), day(on))];
            Ledger::of(&game).unwrap().answer_on(day("2026-06-16")).days
        };
        for me in [Side::Black, Side::White] {
            assert_eq!([days(me, "2026-06-06"), days(me, "2026-06-10")], [Some(15); 2]);
            assert_eq!([days(me, "2026-06-11"), days(me, "2026-06-12")], [Some(20), Some(19)]);
        }
    }

    #[test]
    fn the_answer_to_a_repeat_goes_to_the_director_where_the_repeat_did() {
        let copied = |rules: &str, on: &str| {
            let mut game = thinking(rules);
            game.clock_notes = came(&game, None, on).into_iter().collect();
            answer_goes_to_director(&game, &Ledger::of(&game).unwrap())
        };
        assert!(copied(r#""iccf-email-2005""#, "2026-06-15"));
        assert!(!copied(r#""iccf-email-2005""#, "2026-06-14"));
        assert!(!copied(r#""semi""#, "2026-06-06"), "a friendly one");
        assert!(copied(r#""semi""#, "2026-06-11"));
        assert!(!copied(r#""desc""#, "2026-06-12"));
    }
}
