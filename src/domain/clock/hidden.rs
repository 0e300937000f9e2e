//! An overstep of the opponent's last move that only doubtful days hide: by what his mail and our server show he was late.
//!
//! Surfaced before the player answers, since the claim may be lost by answering (T70). Nothing is corrected by it: what he states counts
//! until the player settles the day. What will surprise you: doubtful days of his earlier moves are tried too, but after those of the last.

use std::fmt;

use chrono::{Days, NaiveDate};

use super::doubt::{Doubt, DoubtKind};
use super::late;
use super::ledger::{Ledger, Overstepped};
use crate::domain::game::{Game, MoveNumber};
use crate::languages::Language;
use crate::say;

/// What he exceeded, if other days count than those on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// The limit.
    pub over: Overstepped,
    /// The days with which he exceeded it, at least one.
    pub days: Vec<OtherDay>,
}

/// A day that the evidence gives for a move in place of the one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherDay {
    /// The move.
    pub number: MoveNumber,
    /// Of which of its two days.
    pub what: What,
    /// The day.
    pub day: NaiveDate,
}

/// One of the two days of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The receipt of the move before it.
    Received,
    /// Its own sending.
    Sent,
}

impl Hidden {
    /// That of the opponent's last move, where the player is to answer it and it is not late by the days that count.
    pub fn of(game: &Game, ledger: &Ledger) -> Option<Hidden> {
        let last = ledger.plies().last().filter(|_| ledger.goes_on() && game.is_my_turn())?;
        if ledger.is_last_overstepped() {
            return None;
        }
        let of_his = ledger.doubts().iter().filter(|doubt| doubt.number.is_some_and(|n| n.side != game.me));
        let all: Vec<OtherDay> = of_his.filter_map(|doubt| other_day(ledger, doubt)).collect();
        let of_last: Vec<OtherDay> = all.iter().filter(|other| other.number == last.number).copied().collect();
        let tries = of_last.chunks(1).chain([of_last.as_slice(), all.as_slice()]).filter(|days| !days.is_empty());
        tries.filter_map(|days| Some(Hidden { over: late_with(game, last.number, days)?, days: days.to_vec() })).next()
    }

    /// The first of the days.
    pub fn day(&self) -> Option<NaiveDate> {
        self.days.first().map(|other| other.day)
    }

    /// The commands that settle it, by what the evidence shows and as he states it, a line each.
    pub fn settling(&self, game: &Game) -> String {
        let id = &game.id;
        let lines = self.days.iter().map(|OtherDay { number, what, day }| {
            let option = match what {
                What::Received => "received",
                What::Sent => "sent",
            };
            format!(
                "  amici clock set {id} {number} --{option} {day} --why TEXT   or, as he states it,  amici clock agree {id} {number} --his\n"
            )
        });
        lines.collect()
    }
}

impl Hidden {
    /// `3. exceeds the time control by 2, if 27 Feb 2027 counts as the day on which 3. was sent`
    pub fn in_words(&self, language: Language) -> String {
        let days = self.days.iter().map(|OtherDay { number, what, day }| match what {
            What::Received => say!(
                language,
                "{day} counts as the day on which the move before {number} was received",
                day = language.dated(*day),
                number
            ),
            What::Sent => {
                say!(language, "{day} counts as the day on which {number} was sent", day = language.dated(*day), number)
            }
        });
        let days = days.collect::<Vec<_>>().join(&format!(" {} ", say!(language, "and")));
        say!(language, "{fact}, if {days}", fact = late::fact(&self.over, language), days)
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

/// The day that the evidence gives where this is doubtful, if it charges him more.
fn other_day(ledger: &Ledger, doubt: &Doubt) -> Option<OtherDay> {
    let (what, day) = match doubt.kind {
        DoubtKind::Transit { propose, .. } => (What::Received, propose),
        DoubtKind::SentDiffers { stated, stamped } if stated < stamped => (What::Sent, stamped),
        // the rules let it be under way for so long
        DoubtKind::LateArrival { arrived, .. } => {
            let most = Days::new(ledger.rules().max_transit_days?.into());
            (What::Sent, arrived.checked_sub_days(most)?)
        }
        _ => return None,
    };
    Some(OtherDay { number: doubt.number?, what, day })
}

/// The limit that a move exceeded, were these days settled.
fn late_with(game: &Game, number: MoveNumber, days: &[OtherDay]) -> Option<Overstepped> {
    let mut settled = game.clone();
    for other in days {
        let index = game.first_number().plies_to(other.number)?;
        let agreed = &mut settled.moves.get_mut(index)?.agreed;
        let day = match other.what {
            What::Received => &mut agreed.received,
            What::Sent => &mut agreed.sent,
        };
        *day = day.or(Some(other.day));
    }
    Ledger::of(&settled).ok()?.claimable_overstep(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Side;

    fn day(text: &str) -> Option<NaiveDate> {
        Some(text.parse().unwrap())
    }

    /// Black is to answer the move that White states as received and sent on these days of October, of which his mail says this; White used
    /// 8 days before it and has this many for seven moves.
    fn hidden((received, sent): (&str, &str), (dated, arrived): (&str, &str), allowed: u32) -> Option<String> {
        let mut game = sample_game();
        game.rules = serde_json::from_str(&format!(
            r#"{{"base": "iccf-email-2000", "control": {{"kind": "cumulative", "moves": 7, "days": {allowed}}}}}"#
        ))
        .unwrap();
        assert_eq!(game.me, Side::Black);
        let last = game.moves.last_mut().unwrap();
        (last.claimed.received, last.claimed.sent) = (day(received), day(sent));
        (last.observed.sent, last.observed.arrived) = (day(dated), day(arrived));
        Hidden::of(&game, &Ledger::of(&game).unwrap()).map(|hidden| hidden.to_string())
    }

    #[test]
    fn a_day_that_the_mail_contradicts_hides_no_overstep_in_silence() {
        let stated = ("2004-10-26", "2004-10-30");
        let dated = ("2004-11-01", "2004-11-01");
        let words = "7. exceeds the time control by 2, if 01 Nov 2004 counts as the day on which 7. was sent";
        assert_eq!(hidden(stated, dated, 12).as_deref(), Some(words));
        assert_eq!(hidden(stated, dated, 14), None, "he has the days for both");
        assert_eq!(hidden(stated, dated, 11), None, "he is late by what he states");
        assert_eq!(hidden(stated, ("2004-10-29", "2004-10-30"), 12), None, "his Date is the better day for him");
    }

    #[test]
    fn a_receipt_behind_the_rules_and_a_mail_that_was_under_way_for_too_long_hide_none_either() {
        let late = ("2004-10-28", "2004-10-30");
        let words = "7. exceeds the time control by 1, if 27 Oct 2004 counts as the day on which the move before 7. was received";
        assert_eq!(hidden(late, ("2004-10-30", "2004-10-30"), 10).as_deref(), Some(words));
        assert_eq!(hidden(late, ("2004-10-30", "2004-10-30"), 11), None);
        let words = "7. exceeds the time control by 2, if 01 Nov 2004 counts as the day on which 7. was sent";
        let stated = ("2004-10-26", "2004-10-30");
        assert_eq!(hidden(stated, ("2004-10-30", "2004-11-02"), 12).as_deref(), Some(words));
        let both = hidden(late, ("2004-10-31", "2004-10-31"), 11);
        assert!(both.is_some_and(|said| said.contains("if 27 Oct 2004") && said.contains("and 31 Oct 2004")));
    }

    #[test]
    fn a_settled_day_and_a_move_of_mine_on_the_clock_hide_nothing() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(
            r#"{"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 7, "days": 12}}"#,
        )
        .unwrap();
        game.moves.last_mut().unwrap().observed.sent = day("2004-11-01");
        assert!(Hidden::of(&game, &Ledger::of(&game).unwrap()).is_some());
        let mut settled = game.clone();
        settled.moves.last_mut().unwrap().agreed.sent = day("2004-10-30");
        assert_eq!(Hidden::of(&settled, &Ledger::of(&settled).unwrap()), None);
        game.me = Side::White;
        assert_eq!(Hidden::of(&game, &Ledger::of(&game).unwrap()), None);
    }
}
