//! What can be objected to in the dates and days that the opponent states for a move of his: the same list for the player's eyes and
//! for the reply. Settling the value in question silences it.
//!
//! Not covered: rows of his table that differ from the record ([`super::discrepancy`]).

use std::fmt;

use chrono::{DateTime, FixedOffset, NaiveDate};

use super::discrepancy::{recorded, told};
use crate::domain::clock::again::Lost;
use crate::domain::clock::days::SentBeforeReceived;
use crate::domain::clock::ledger::{Basis, Ledger};
use crate::domain::game::{Agreed, Game, Stated};
use crate::domain::transmission::read::{DateFault, Unread};
use crate::languages::{Phrase, Value};
use crate::phrase;

/// One objection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objection {
    /// A date of his cannot be meant; the second are the days that count where it left one open.
    WrongDay(DateFault, Stated),
    /// His dates have more than one meaning; these days count where that left one open.
    Unclear(Stated),
    /// He states another day of sending than his mail's own Date (T51).
    Stamp {
        /// What he states.
        stated: NaiveDate,
        /// What the Date says.
        dated: NaiveDate,
    },
    /// He books the player's mail before it was sent.
    Early {
        /// The day it was sent.
        mine: NaiveDate,
        /// The day on which he books it.
        his: NaiveDate,
    },
    /// He books it later than the rules allow, or than a mail usually is under way (T12).
    Transit {
        /// The day it was sent.
        mine: NaiveDate,
        /// The day on which he books it.
        his: NaiveDate,
        /// The last day that the rules know; `None` where they do not limit how long a mail may be under way.
        latest: Option<NaiveDate>,
        /// It may not have reached him, and went out again.
        lost: Option<Lost>,
    },
    /// He states a day of sending before that of the receipt (T11).
    Reversed(SentBeforeReceived),
    /// Numbers beside his dates were not read; this is counted.
    Numbers(String, Stated),
}

impl Objection {
    /// As it is told to the reader.
    pub fn phrase(&self) -> Phrase {
        let counts = |counts: &Stated| match counts.is_empty() {
            true => Value::Parts(Vec::new()),
            false => phrase!("; the record has {counted}", counted = told(counts)).into(),
        };
        match self {
            Objection::WrongDay(fault, counted) => {
                phrase!("his mail, {fault}{counts}", fault = fault.phrase(), counts = counts(counted))
            }
            Objection::Unclear(counted) => {
                phrase!("his dates could not be read for certain{counts}", counts = counts(counted))
            }
            Objection::Stamp { stated, dated } => {
                phrase!("he states that he sent it on {stated}; the Date of his mail is {dated}", stated, dated)
            }
            Objection::Early { mine, his } => {
                phrase!("he states that he received your move on {his}; you sent it on {mine}", his, mine)
            }
            Objection::Transit { mine, his, latest, lost } => {
                let limit = match latest {
                    Some(latest) => phrase!("; by the rules {latest} is the latest day", latest),
                    None => phrase!(
                        ", more than a day after you sent it; the rules do not limit how long a mail may be under way"
                    ),
                };
                let lost = lost
                    .map_or(Value::Parts(Vec::new()), |lost| Value::Parts(vec![" (".into(), lost.told(), ")".into()]));
                phrase!("he books your move of {mine} as received on {his}{limit}{lost}", mine, his, limit, lost)
            }
            Objection::Reversed(SentBeforeReceived { sent, received }) => {
                phrase!("he states sent {sent}, before received {received}; no days are counted", sent, received)
            }
            Objection::Numbers(written, counted) => phrase!(
                "the numbers {written} beside his dates were not read as days{counts}",
                written,
                counts = counts(counted)
            ),
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.phrase().in_english())
    }
}

/// The objections to what he states for the ply `index`, counted from 0, of whose mail this was left unread. None to a move of the
/// player's own.
pub fn objections(game: &Game, ledger: &Ledger, index: usize, unread: &Unread) -> Vec<Objection> {
    let (Some(record), Some(time)) = (game.moves.get(index), ledger.plies().get(index)) else { return Vec::new() };
    if time.number.side == game.me || record.is_timeless() {
        return Vec::new();
    }
    let (claimed, agreed) = (record.claimed, record.agreed);
    let counted = recorded(time);
    let left_open = Stated {
        received: counted.received.filter(|_| claimed.received.is_none()),
        sent: counted.sent.filter(|_| claimed.sent.is_none()),
        ..Stated::default()
    };
    let is_open = agreed == Agreed::default();
    let mut found = Vec::new();
    match (unread.fault, unread.is_open) {
        (Some(fault), _) if is_open => found.push(Objection::WrongDay(fault, left_open)),
        (None, true) if is_open => found.push(Objection::Unclear(left_open)),
        _ => {}
    }
    if let (Some(stated), Some(dated), None) = (claimed.sent, record.observed.sent, agreed.sent)
        && stated != dated
    {
        found.push(Objection::Stamp { stated, dated });
    }
    let before =
        index.checked_sub(1).and_then(|before| Some((game.moves.get(before)?, ledger.plies().get(before)?.sent?.day)));
    // the days between his illegal mail and his legal one are no transit
    let had_illegal = game.illegal_plies().any(|ply| ply == index + 1);
    if let (Some(his), Some((mine, day)), None, false) = (claimed.received, before, agreed.received, had_illegal) {
        let place = record.observed.sent_at.filter(|_| record.observed.is_of_mail()).map(|at| *at.offset());
        found.extend(booked(ledger, his, (day, mine.observed.sent_at), place, Lost::of(game, index)));
    }
    if let Basis::Reversed(wrong) = time.basis {
        found.push(Objection::Reversed(wrong));
    }
    let says_the_same = |written: &String| {
        let numbers: Vec<Option<u32>> = written.split_whitespace().map(|number| number.parse().ok()).collect();
        let counted = [counted.days, counted.total];
        numbers.iter().all(Option::is_some) && counted.get(..numbers.len()) == Some(numbers.as_slice())
    };
    if let Some(written) = unread.numbers.clone().filter(|written| is_open && !says_the_same(written)) {
        found.push(Objection::Numbers(written, Stated { received: None, sent: None, ..counted }));
    }
    found
}

/// What is wrong with the day on which somebody at this place books a mail as received, by the day and the instant when it was sent.
pub(super) fn booked(
    ledger: &Ledger,
    his: NaiveDate,
    (mine, at): (NaiveDate, Option<DateTime<FixedOffset>>),
    place: Option<FixedOffset>,
    lost: Option<Lost>,
) -> Option<Objection> {
    let there = day_there(mine, at, place);
    if his < there {
        return Some(Objection::Early { mine, his });
    }
    let from = Lost::under_way_from(lost, mine.max(there));
    // a day of transit where the rules say nothing (T12)
    let limit = ledger.rules().latest_receipt(from).or_else(|| from.succ_opt())?;
    let latest = Some(limit).filter(|_| ledger.rules().max_transit_days.is_some());
    (his > limit).then_some(Objection::Transit { mine, his, latest, lost })
}

/// The day at the other's place when a mail went out, on the day `mine` of its sender; that day where the instant or the place is not
/// known.
fn day_there(mine: NaiveDate, at: Option<DateTime<FixedOffset>>, place: Option<FixedOffset>) -> NaiveDate {
    let at = at.filter(|at| at.date_naive() == mine);
    at.zip(place).map_or(mine, |(at, place)| at.with_timezone(&place).date_naive())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    fn day(day: &str) -> NaiveDate {
        day.parse().unwrap()
    }

    fn at(at: &str) -> Option<DateTime<FixedOffset>> {
        Some(DateTime::parse_from_rfc3339(at).unwrap())
    }

    #[test]
    fn the_day_there_is_told_by_the_instant_and_the_place() {
        let mine = day("2026-06-01");
        let west = FixedOffset::west_opt(5 * 3600);
        assert_eq!(day_there(mine, None, west), mine);
        assert_eq!(day_there(mine, at("2026-06-01T05:30:00+02:00"), None), mine);
        assert_eq!(day_there(mine, at("2026-06-01T05:30:00+02:00"), west), day("2026-05-31"), "22:30 there");
        assert_eq!(day_there(mine, at("2026-06-01T07:30:00+02:00"), west), mine, "0:30 there");
        assert_eq!(day_there(mine, at("2026-06-02T05:30:00+02:00"), west), mine, "another mail");
    }

    #[test]
    fn t12_the_latest_day_is_counted_from_the_day_at_his_place() {
        let mut game = sample_game();
        let (mine, his) = (game.moves.len() - 2, game.moves.len() - 1);
        game.moves[mine].claimed = Stated { sent: Some(day("2026-04-29")), ..Stated::default() };
        game.moves[mine].observed.sent_at = at("2026-04-29T17:00:00-07:00");
        game.moves[his].claimed = Stated { sent: Some(day("2026-05-05")), ..Stated::default() };
        let mut found = |received: &str, place: &str| {
            game.moves[his].claimed.received = Some(day(received));
            game.moves[his].observed.sent = Some(day("2026-05-05"));
            game.moves[his].observed.sent_at = at(&format!("2026-05-05T20:00:00{place}"));
            objections(&game, &Ledger::of(&game).unwrap(), his, &Unread::default())
        };
        let transit = |his: &str, latest: &str| {
            vec![Objection::Transit { mine: day("2026-04-29"), his: day(his), latest: Some(day(latest)), lost: None }]
        };
        assert_eq!(found("2026-05-01", "+12:00"), [], "noon of 30 April there, and the day after it");
        assert_eq!(found("2026-05-02", "+12:00"), transit("2026-05-02", "2026-05-01"));
        assert_eq!(
            found("2026-04-29", "+12:00"),
            [Objection::Early { mine: day("2026-04-29"), his: day("2026-04-29") }]
        );
        assert_eq!(found("2026-05-01", "-07:00"), transit("2026-05-01", "2026-04-30"));
    }

    #[test]
    fn where_the_rules_do_not_limit_transit_none_is_named_against_a_late_receipt() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(r#""iecc""#).unwrap();
        let last = game.moves.len() - 1;
        let mut said = |received: &str| {
            game.moves[last].claimed.received = Some(day(received));
            let found = objections(&game, &Ledger::of(&game).unwrap(), last, &Unread::default());
            found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let words = "he books your move of 2004-10-26 as received on 2004-10-28, more than a day after you sent it; \
            the rules do not limit how long a mail may be under way";
        assert_eq!((said("2004-10-28").as_str(), said("2004-10-27").as_str()), (words, ""));
    }
}
