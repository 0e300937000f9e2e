//! How long the side on the move has been silent: calendar days since the other side sent its last move.
//!
//! The one count for repeats, reminders, marks and claims. Nothing counts before the start, leave of the silent side is no silence unless
//! the rules say so (T40), who answered with an illegal move that is counted thinks again since he was told of it (T80), and a move that may
//! not have arrived counts from the day on which it went out again.
//! Doubling plays no part (T42). What was announced about the move is read here too, and the newest announcement counts.
//! Not covered: what follows from a silence; [`super::events`] knows the days.

use chrono::NaiveDate;

use super::ledger::Ledger;
use super::rules::{DoubleFrom, Ruleset};
use super::still::StandingStill;
use crate::domain::game::{ClockNote, ClockNoteKind, Game};

/// Silences longer than this are not counted out, in days.
const LONGEST: u32 = 20_000;

/// The silence of the side on the move.
#[derive(Debug, Clone)]
pub struct Silence<'a> {
    rules: &'a Ruleset,
    still: StandingStill,
    since: NaiveDate,
    told: Option<NaiveDate>,
    /// Days that the opponent's last mail was under way, where the rules add them before a repeat.
    under_way: u32,
    announced: Vec<ClockNote>,
}

impl<'a> Silence<'a> {
    /// That of a game; before the first move it counts from the start of the event (T08). `None` where the day is not known on which the
    /// other side sent its last move, and where the game is decided: then nobody owes an answer.
    pub fn of(game: &Game, ledger: &'a Ledger) -> Option<Silence<'a>> {
        let last = ledger.plies().last().and_then(|ply| ply.sent).or_else(|| ledger.waiting_since());
        let sent = last.filter(|_| ledger.goes_on())?.day;
        let under_way = if ledger.rules().repeat.plus_transit { under_way(game, ledger) } else { 0 };
        Some(Silence { under_way, announced: announcements(game), ..Silence::counted(ledger, sent) })
    }

    /// Its days alone, since the other side sent its move on this day or, where that is later, sent it again or the event began.
    pub(super) fn counted(ledger: &'a Ledger, sent: NaiveDate) -> Silence<'a> {
        let rules = ledger.rules();
        let again = ledger.lost().and_then(|lost| lost.again);
        let sent = ledger.start().into_iter().chain(again).fold(sent, NaiveDate::max);
        let told = ledger.illegal_before_due().map(|illegal| illegal.noticed).filter(|noticed| sent < *noticed);
        let still = match rules.silence.counts_leave {
            true => StandingStill::default(),
            false => ledger.still_of_due().clone(),
        };
        Silence { rules, still, since: told.unwrap_or(sent), told, under_way: 0, announced: Vec::new() }
    }

    /// The day from which it is counted.
    pub fn since(&self) -> NaiveDate {
        self.since
    }

    /// The day on which the silent side was told of an illegal move of its own, where it is counted from then.
    pub fn told(&self) -> Option<NaiveDate> {
        self.told
    }

    /// Days of leave up to a day, which are none of silence.
    pub fn leave(&self, day: NaiveDate) -> u32 {
        self.still.days_between(self.since, day)
    }

    /// Days of silence up to a day.
    pub fn days(&self, day: NaiveDate) -> i64 {
        (day - self.since).num_days() - i64::from(self.leave(day))
    }

    /// The first day that is no leave after so many days of silence.
    pub fn after(&self, days: u32) -> Option<NaiveDate> {
        let (mut day, mut left) = (self.since, days.min(LONGEST));
        for _ in 0..LONGEST {
            match (self.still.contains(day), left) {
                (false, 0) => return Some(day),
                (false, _) => left -= 1,
                (true, _) => {}
            }
            day = day.succ_opt()?;
        }
        None
    }

    /// The days of silence before each repeat of the side that waits, the first one first.
    pub fn repeats(&self) -> impl Iterator<Item = u32> {
        let repeat = &self.rules.repeat;
        repeat.after.into_iter().chain(repeat.again.iter().copied()).map(|after| after.saturating_add(self.under_way))
    }

    /// Whether a repeat that comes on a day reminds the silent side: not before as many days of silence as the rules want before the first
    /// one. DESC doubles only where a player needs more than 10 days, "and then from the day he gets a reminder mail" (T33): an earlier one
    /// only brings the move once more.
    pub fn is_reminder(&self, day: NaiveDate) -> bool {
        self.repeats().next().is_some_and(|after| self.days(day) >= i64::from(after))
    }

    /// Whether the director gets a copy of a repeat after so many days of silence.
    pub fn is_copied(&self, days: i64) -> bool {
        let from = self.rules.repeat.cc_td_from.map(|from| from.saturating_add(self.under_way));
        from.is_some_and(|from| days >= i64::from(from))
    }

    /// The first day on which the silence is longer than the rules allow; `None` where they allow any.
    pub fn too_long_from(&self) -> Option<NaiveDate> {
        let counted = self.counted_out()?;
        Some(self.prolonged().and_then(|until| self.behind(until)).map_or(counted, |next| next.max(counted)))
    }

    /// The last day of the silence that the rules allow: as many days as they give, or the last before it is too long where it is prolonged
    /// further; `None` where they allow any.
    pub fn last_allowed(&self) -> Option<NaiveDate> {
        let counted = self.after(self.rules.silence.days?)?;
        let is_prolonged = self.prolonged().is_some_and(|until| until > counted);
        let last = self.too_long_from().filter(|_| is_prolonged).and_then(|from| from.pred_opt());
        Some(last.unwrap_or(counted))
    }

    /// Whether a day is one of leave, which is none of silence.
    pub fn is_leave(&self, day: NaiveDate) -> bool {
        self.still.contains(day)
    }

    /// The first day behind one that is no leave.
    pub fn behind(&self, day: NaiveDate) -> Option<NaiveDate> {
        day.iter_days().skip(1).find(|day| !self.still.contains(*day))
    }

    /// The same, as if nothing had been announced.
    fn counted_out(&self) -> Option<NaiveDate> {
        self.after(self.rules.silence.days?.saturating_add(1))
    }

    /// The day to which an announcement prolongs the silence that the rules allow: one that came before it was too long
    /// (rules of silence: "declared in advance", "unless the director was told"). The newest such day counts, also where it is nearer.
    pub fn prolonged(&self) -> Option<NaiveDate> {
        let counted = self.counted_out().filter(|_| self.rules.silence.extend_by_notice)?;
        self.announced.iter().fold(None, |until, note| {
            let is_in_time = |until| self.behind(until).is_some_and(|from| note.on < from);
            let is_late = note.on >= counted && !until.is_some_and(is_in_time);
            if is_late { until } else { note.until.or(until) }
        })
    }

    /// The announcements about the move that is due, oldest first; of one day the one entered last, which corrects those before.
    pub fn announcements(&self) -> Vec<ClockNote> {
        let mut found: Vec<ClockNote> = self.announced.iter().rev().copied().collect();
        found.dedup_by_key(|note| note.on);
        found.reverse();
        found
    }

    /// The one of them which counts.
    pub fn announced(&self) -> Option<&ClockNote> {
        self.announced.last()
    }

    /// The last announcement, where the silence was too long already when it came: it prolongs nothing.
    pub fn announced_too_late(&self) -> Option<&ClockNote> {
        let from = self.too_long_from().filter(|_| self.rules.silence.extend_by_notice)?;
        self.announced.last().filter(|note| note.on >= from)
    }
}

/// The announcement about the move that is due which counts: the newest, of one day the one entered last, so that a wrong one can be
/// corrected.
pub fn announced(game: &Game) -> Option<ClockNote> {
    announcements(game).pop()
}

/// All of them, in that order.
fn announcements(game: &Game) -> Vec<ClockNote> {
    let is_of_due = |note: &&ClockNote| note.ply == game.due_ply() && note.kind == ClockNoteKind::Announced;
    let mut found: Vec<ClockNote> = game.clock_notes.iter().filter(is_of_due).copied().collect();
    found.sort_by_key(|note| note.on);
    found
}

/// Days from the sending of the opponent's last mail to the day on which it came; none where that is not known.
fn under_way(game: &Game, ledger: &Ledger) -> u32 {
    let his = ledger.plies().iter().zip(&game.moves).rfind(|(time, _)| time.number.side != game.me);
    let days = his.and_then(|(time, record)| Some((record.observed.arrived? - time.sent?.day).num_days()));
    days.and_then(|days| u32::try_from(days).ok()).unwrap_or(0)
}

impl Ledger {
    /// The day of the first reminder to a mover who had not announced before it that he needs longer, where days count double from
    /// it on (T33). One that came too early is none, for either side ([`Silence::is_reminder`]).
    pub fn reminded(&self) -> Option<NaiveDate> {
        if self.rules().double_from != DoubleFrom::Reminder {
            return None;
        }
        let ply = u32::try_from(self.plies().len()).unwrap_or(u32::MAX).saturating_add(1);
        let notes = || self.notes.iter().filter(|n| n.ply == ply);
        let announced = notes().filter(|n| n.kind == ClockNoteKind::Announced).map(|n| n.on).min();
        let silence = self.plies().last().and_then(|ply| ply.sent).map(|sent| Silence::counted(self, sent.day));
        let is_one = |day: &NaiveDate| silence.as_ref().is_none_or(|silence| silence.is_reminder(*day));
        let reminder = notes().filter_map(ClockNote::reminded).filter(is_one).min();
        reminder.filter(|reminder| announced.is_none_or(|announced| announced > *reminder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Leave, SentIllegal, Side};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// Black, the player, has sent his move on 1 June; White's mail before it was under way for two days.
    fn waiting(rules: &str) -> Game {
        let mut game = sample_game();
        (game.rules, game.start_date) = (serde_json::from_str(rules).unwrap(), None);
        game.moves.pop();
        for record in &mut game.moves {
            record.claimed = Default::default();
        }
        let last = game.moves.len() - 1;
        game.moves[last].claimed.sent = Some(day("2026-06-01"));
        game.moves[last - 1].claimed.sent = Some(day("2026-05-20"));
        game.moves[last - 1].observed.arrived = Some(day("2026-05-22"));
        assert_eq!(game.to_move(), Side::White);
        game
    }

    fn of(game: &Game, read: impl Fn(&Silence<'_>) -> String) -> String {
        let ledger = Ledger::of(game).unwrap();
        read(&Silence::of(game, &ledger).unwrap())
    }

    #[test]
    fn a_postal_event_played_by_mail_adds_the_time_under_way_before_a_repeat() {
        let repeats = |rules: &str| {
            of(&waiting(rules), |silence| {
                format!(
                    "{:?} {} {}",
                    silence.repeats().collect::<Vec<_>>(),
                    silence.is_copied(15),
                    silence.is_copied(16)
                )
            })
        };
        assert_eq!(repeats(r#""iccf-post-by-email""#), "[16] false true");
        assert_eq!(repeats(r#""iccf-email-2005""#), "[14] true true");
    }

    #[test]
    fn t80_who_answered_illegally_is_silent_since_he_was_told_of_it() {
        let mut game = waiting(r#""iccf-email-2005""#);
        let days = |game: &Game| {
            of(game, |s| format!("{} since {} until {:?}", s.days(day("2026-06-20")), s.since(), s.too_long_from()))
        };
        assert_eq!(days(&game), "19 since 2026-06-01 until Some(2026-07-12)");
        game.illegal = vec![SentIllegal { ply: 13, sent: day("2026-06-04"), noticed: day("2026-06-06") }];
        assert_eq!(days(&game), "14 since 2026-06-06 until Some(2026-07-17)");
    }

    #[test]
    fn the_newest_announcement_that_came_in_time_prolongs_the_silence_and_one_behind_its_end_does_not() {
        let too_long_from = |announced: &[(&str, &str)]| {
            let mut game = waiting(r#""iccf-email-2005""#);
            let note = |(on, until): &(&str, &str)| ClockNote {
                ply: 13,
                kind: ClockNoteKind::Announced,
                on: day(on),
                until: Some(day(until)),
            };
            game.clock_notes = announced.iter().map(note).collect();
            of(&game, |silence| {
                let late = silence.announced_too_late().map_or("", |_| ", too late");
                format!("{}{late}", silence.too_long_from().unwrap())
            })
        };
        assert_eq!(too_long_from(&[]), "2026-07-12");
        assert_eq!(too_long_from(&[("2026-07-11", "2026-08-01")]), "2026-08-02");
        assert_eq!(too_long_from(&[("2026-07-12", "2026-08-01")]), "2026-07-12, too late", "day 41");
        let slip = ("2026-06-10", "2027-08-01");
        assert_eq!(too_long_from(&[slip, ("2026-06-10", "2026-08-01")]), "2026-08-02", "the slip is corrected");
        assert_eq!(too_long_from(&[slip, ("2026-06-10", "2026-07-01")]), "2026-07-12", "and prolongs nothing");
        let twice = [("2026-06-10", "2026-08-01"), ("2026-08-01", "2026-08-20")];
        assert_eq!(too_long_from(&twice), "2026-08-21", "the second came within the first");
        assert_eq!(too_long_from(&[twice[0], ("2026-08-02", "2026-08-20")]), "2026-08-02, too late");
        assert_eq!(too_long_from(&[twice[1], twice[0]]), "2026-08-21", "by their days, however they were entered");
    }

    #[test]
    fn t40_an_announced_day_within_leave_prolongs_the_silence_to_its_end() {
        let found = |announced: &[(&str, &str)], counts_leave: bool| {
            let rules = r#"{"base": "iccf-email-2005", "silence": {"counts_leave": LEAVE}}"#;
            let mut game = waiting(&rules.replace("LEAVE", &counts_leave.to_string()));
            let (from, to) = (day("2026-07-25"), day("2026-08-05"));
            game.leaves = vec![Leave { side: Side::White, from, to, announced: None }];
            let (ply, kind) = (13, ClockNoteKind::Announced);
            let note = |(on, until): &(&str, &str)| ClockNote { ply, kind, on: day(on), until: Some(day(until)) };
            game.clock_notes = announced.iter().map(note).collect();
            of(&game, |silence| {
                let late = silence.announced_too_late().map_or("", |_| ", too late");
                let days = (silence.last_allowed().unwrap(), silence.too_long_from().unwrap());
                format!("{} {}{late}", days.0, days.1)
            })
        };
        let until = |until| ("2026-07-01", until);
        assert_eq!(found(&[until("2026-07-30")], false), "2026-08-05 2026-08-06");
        assert_eq!(found(&[until("2026-07-30")], true), "2026-07-30 2026-07-31", "the rules say that leave is silence");
        assert_eq!(found(&[until("2026-07-24")], false), "2026-08-05 2026-08-06", "the leave follows at once");
        assert_eq!(found(&[until("2026-07-20")], false), "2026-07-20 2026-07-21", "or later");
        let again = |on| [until("2026-07-30"), (on, "2026-08-20")];
        assert_eq!(found(&again("2026-08-05"), false), "2026-08-20 2026-08-21", "it was not too long yet");
        assert_eq!(found(&again("2026-08-06"), false), "2026-08-05 2026-08-06, too late");
    }
}
