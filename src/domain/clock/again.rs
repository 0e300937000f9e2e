//! The player's last move once more, because the first mail with it may not have reached the opponent.
//!
//! Pure. A mail that came back was never available to him: his clock and his silence count from the one that did not (R is the day on
//! which a mail is available on the recipient's server). Where he repeated his own last move, he may have had no answer: his clock counts
//! as the rules have it, his silence from the resend, and that he has overstepped is certain only when it is counted from then too.
//! What will surprise you: an answer that he sent before the resend proves that he had the first mail.

use std::fmt;

use chrono::NaiveDate;

use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::languages::{Language, Value};
use crate::phrase;

/// What shows that he may not have the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A mail server reported that the mail did not arrive.
    CameBack,
    /// He repeated his own last move.
    Missed,
}

/// A move of the player's that may not have reached the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// What shows it.
    pub sign: Sign,
    /// On which day that came.
    pub shown: NaiveDate,
    /// The day on which the move went out again; `None` while it has not.
    pub again: Option<NaiveDate>,
}

impl Lost {
    /// The day from which transit counts for him, where a mail went out on `sent`: one that came back was never under way.
    pub fn under_way_from(lost: Option<Lost>, sent: NaiveDate) -> NaiveDate {
        lost.and_then(Lost::counted_from).map_or(sent, |again| sent.max(again))
    }

    /// The day from which his clock counts in place of that of the first mail: only one that came back was never available to him.
    pub(super) fn counted_from(self) -> Option<NaiveDate> {
        self.again.filter(|_| self.sign == Sign::CameBack)
    }

    /// That of the move before the ply at `index`, counted from 0, which went out again; of several times the last.
    pub fn of(game: &Game, index: usize) -> Option<Lost> {
        let is_his = game.number_of(index).side != game.me;
        Lost::among(&game.clock_notes, index).filter(|_| is_his)
    }

    pub(super) fn among(notes: &[ClockNote], index: usize) -> Option<Lost> {
        let of_ply = notes.iter().filter(|note| usize::try_from(note.ply) == Ok(index + 1));
        of_ply.filter_map(Lost::noted).max_by_key(|lost| lost.again)
    }

    fn noted(note: &ClockNote) -> Option<Lost> {
        let sign = match note.kind {
            ClockNoteKind::Returned => Sign::CameBack,
            ClockNoteKind::Missed => Sign::Missed,
            ClockNoteKind::Announced | ClockNoteKind::Repeated => return None,
        };
        Some(Lost { sign, shown: note.until.unwrap_or(note.on), again: Some(note.on) })
    }

    /// Whether a mail with the move that goes out on a day does so because of this. Where one went out already, no other
    /// does: nothing speaks against his having that one.
    pub fn is_answered_on(self, day: NaiveDate) -> bool {
        match self.again {
            None => self.shown <= day,
            Some(again) => day == again,
        }
    }

    /// The note that the move went out again on a day, while he thinks about this ply, counted from 1.
    pub fn sent_again(self, ply: u32, on: NaiveDate) -> ClockNote {
        let kind = match self.sign {
            Sign::CameBack => ClockNoteKind::Returned,
            Sign::Missed => ClockNoteKind::Missed,
        };
        ClockNote { ply, kind, on, until: Some(self.shown) }
    }
}

impl Lost {
    /// To the player: `he repeated his own last move on 2026-06-20; yours went out again on 2026-06-21`
    pub fn told(self) -> Value {
        let day = self.shown;
        let shown = match self.sign {
            Sign::CameBack => phrase!("your mail with it came back on {day}", day),
            Sign::Missed => phrase!("he repeated his own last move on {day}", day),
        };
        let again = self.again.map(|day| phrase!("yours went out again on {day}", day).into());
        Value::joined([shown.into()].into_iter().chain(again), "; ")
    }

    /// The same in a language.
    pub fn in_words(self, language: Language) -> String {
        self.told().in_words(language)
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::days::Moment;
    use crate::domain::clock::ledger::{DateSource, Ledger};
    use crate::domain::clock::silence::Silence;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{MoveRecord, Observed, Side, Stated};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// White, the player, sent his first move on 1 June; it was shown on 2 June that it may be lost, and it went out again on this day.
    fn again(sign: Sign, on: &str) -> Game {
        let mut game = sample_game();
        (game.me, game.start_date) = (Side::White, None);
        game.moves.truncate(1);
        game.moves[0].claimed = Stated { sent: Some(day("2026-06-01")), ..Stated::default() };
        let lost = Lost { sign, shown: day("2026-06-02"), again: None };
        game.clock_notes = vec![lost.sent_again(game.due_ply(), day(on))];
        game
    }

    fn since(game: &Game) -> (NaiveDate, DateSource, NaiveDate) {
        let ledger = Ledger::of(game).unwrap();
        let dated = ledger.waiting_since().unwrap();
        (dated.day, dated.source, Silence::of(game, &ledger).unwrap().since())
    }

    #[test]
    fn his_clock_counts_from_the_mail_that_did_not_come_back_and_costs_the_player_no_day() {
        let game = again(Sign::CameBack, "2026-07-13");
        assert_eq!(since(&game), (day("2026-07-13"), DateSource::Again, day("2026-07-13")));
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.answer_on(day("2026-07-15")).days, Some(2));
        let mut as_before = game.clone();
        as_before.clock_notes.clear();
        assert_eq!(ledger.total(Side::White), Ledger::of(&as_before).unwrap().total(Side::White));
        let mut later = game;
        later.clock_notes.extend(again(Sign::CameBack, "2026-07-20").clock_notes);
        assert_eq!(since(&later).0, day("2026-07-20"), "the second came back too");
    }

    #[test]
    fn an_answer_of_before_the_resend_shows_that_he_had_the_first_mail() {
        let mut game = again(Sign::CameBack, "2026-06-09");
        let mut days = |sent: &str| {
            game.moves.truncate(1);
            let observed = Observed { sent: Some(day(sent)), ..Observed::default() };
            game.moves.push(MoveRecord { observed, ..MoveRecord::claimed("7866".parse().unwrap(), Stated::default()) });
            Ledger::of(&game).unwrap().plies()[1].days
        };
        assert_eq!([days("2026-06-08"), days("2026-06-11")], [Some(7), Some(2)]);
    }

    #[test]
    fn where_he_may_have_missed_it_his_silence_counts_from_the_resend_and_an_overstep_is_certain_from_there_only() {
        let mut game = again(Sign::Missed, "2026-06-20");
        game.rules = serde_json::from_str(r#""iecc""#).unwrap();
        assert_eq!(since(&game), (day("2026-06-01"), DateSource::Assumed, day("2026-06-20")));
        let certain = |game: &Game| Ledger::of(game).unwrap().certainly_over_from().map(|at| at.date_naive());
        let (with, _) = (certain(&game).unwrap(), game.clock_notes.clear());
        assert_eq!((with - certain(&game).unwrap()).num_days(), 19);
    }

    #[test]
    fn what_goes_out_behind_a_resend_does_not_go_out_because_of_the_first_mail() {
        let answered = |again: Option<&str>| {
            let lost = Lost { sign: Sign::CameBack, shown: day("2026-06-10"), again: again.map(day) };
            ["2026-06-08", "2026-06-10", "2026-06-12", "2026-06-14"].map(|on| lost.is_answered_on(day(on)))
        };
        assert_eq!(answered(None), [false, true, true, true]);
        assert_eq!(answered(Some("2026-06-12")), [false, false, true, false]);
        assert_eq!(answered(Some("2026-06-08")), [true, false, false, false], "it came back for days");
    }

    #[test]
    fn of_the_players_own_clock_it_says_nothing() {
        let mut game = again(Sign::CameBack, "2026-07-13");
        game.me = Side::Black;
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.waiting_since().unwrap().day, day("2026-06-01"));
        assert_eq!(ledger.answer_on(Moment::from(day("2026-06-03"))).days, Some(2));
    }
}
