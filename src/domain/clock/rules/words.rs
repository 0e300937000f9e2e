//! A rule set in plain words, value by value, with where each is said.
//!
//! For reading only: nothing is decided by these words.

use super::set::{
    Accounting, ConditionalShape, DayCount, DoubleFrom, OnConflict, Overstep, PgnDate, Primary, Receipt, Ruleset,
    SilenceEffect, TimeControl,
};
use crate::domain::clock::days::in_words;

/// One value of a rule set in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saying {
    /// The key in TOML and JSON.
    pub key: &'static str,
    /// What it says.
    pub words: String,
    /// Where that stands.
    pub origin: Origin,
}

/// A value in which two rule sets differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its key.
    pub key: &'static str,
    /// What the one says.
    pub before: String,
    /// What the other says.
    pub after: String,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} (before: {})", self.key, self.after, self.before)
    }
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The player's configuration or the game itself sets it.
    Own,
    /// A published text, or a default of this program, in words.
    Source(String),
    /// In no text that was found: common knowledge or a guess.
    Uncertain,
}

/// Where a value stands that no built-in set has.
const OWN: &str = "set by the game or your configuration";

impl Origin {
    /// The origin in words.
    pub fn words(&self) -> &str {
        match self {
            Origin::Own => OWN,
            Origin::Source(source) => source,
            Origin::Uncertain => "uncertain: no text was found that says so",
        }
    }
}

impl Ruleset {
    /// Where the value of a top-level key stands.
    pub fn origin(&self, key: &str) -> Origin {
        let (is_own, is_doubted) = (self.own.contains(key), self.uncertain.iter().any(|uncertain| uncertain == key));
        match self.sources.get(key) {
            Some(source) if is_own => Origin::Source(format!("{OWN}: {source}")),
            _ if is_own && !is_doubted => Origin::Own,
            Some(source) if !is_doubted => Origin::Source(source.clone()),
            _ => Origin::Uncertain,
        }
    }

    /// What the value of a key says, in words; empty where there is nothing to say of it.
    pub fn saying(&self, key: &str) -> String {
        self.in_words().into_iter().find(|saying| saying.key == key).map(|saying| saying.words).unwrap_or_default()
    }

    /// The same with where it stands: `an illegal move costs 5 days more; ... [uncertain: ...]`.
    pub fn clause(&self, key: &str) -> String {
        format!("{} [{}]", self.saying(key), self.origin(key).words())
    }

    /// The parts of a key's table that stand in no text, as `advance_notice_required` of `leave`.
    pub fn uncertain_parts<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let parts = self.uncertain.iter().filter_map(move |uncertain| uncertain.strip_prefix(key)?.strip_prefix('.'));
        parts.filter(|_| !self.own.contains(key))
    }

    /// Every value that decides something, in reading order.
    pub fn in_words(&self) -> Vec<Saying> {
        let mut out = Vec::new();
        let mut say = |key: &'static str, words: String| out.push(Saying { key, words, origin: self.origin(key) });
        match (self.valid_from, self.valid_to) {
            (Some(from), Some(to)) => {
                say("valid_from", format!("for events begun from {from} on"));
                say("valid_to", format!("until {to}"));
            }
            (Some(from), None) => say("valid_from", format!("for events begun from {from} on")),
            (None, Some(to)) => say("valid_to", format!("for events begun until {to}")),
            (None, None) => {}
        }
        say("control", self.control.in_words());
        say("day_count", self.day_count.words().to_owned());
        say("receipt", self.receipt.words());
        say(
            "max_transit_days",
            match self.max_transit_days {
                Some(days) => format!("a mail counts as under way for {} at most", in_words(days)),
                None => "how long a mail may be under way is not limited".to_owned(),
            },
        );
        say(
            "double_after",
            match (self.double_after, self.double_from) {
                (None, _) => "no day counts double".to_owned(),
                (Some(days), DoubleFrom::Day) => format!("days beyond {days} for one move count double"),
                (Some(days), DoubleFrom::Reminder) => {
                    format!(
                        "beyond {0} for one move, days count double from the day of the opponent's reminder on, unless announced; \
                         one that comes before a move may be repeated is none",
                        in_words(days)
                    )
                }
            },
        );
        say("leave", self.leave_words());
        say("overstep", self.overstep.words().to_owned());
        say("claim", self.claim.words());
        say("silence", self.silence_words());
        say(
            "reminders",
            match self.reminders.as_slice() {
                [] => "nobody but the opponent reminds".to_owned(),
                days => format!("the silent player is reminded after {}", list(days)),
            },
        );
        say("repeat", self.repeat_words());
        say(
            "announce_after",
            match self.announce_after {
                Some(days) => format!("a thought of more than {} is to be announced", in_words(days)),
                None => "longer thoughts need not be announced".to_owned(),
            },
        );
        say("illegal", self.illegal_words());
        say("conditional", self.conditional_words());
        say("notation", self.notation_words());
        say(
            "dates_required",
            match self.dates_required {
                true => "each mail has to give its dates".to_owned(),
                false => "mails need not give their dates".to_owned(),
            },
        );
        say(
            "pgn_date",
            match self.pgn_date {
                PgnDate::Start => "the Date of a PGN is the start of the event".to_owned(),
                PgnDate::End => "the Date of a PGN is the end of the game".to_owned(),
            },
        );
        say(
            "pgn_strict7",
            match self.pgn_strict7 {
                true => "a PGN for the director has the seven tags of the roster alone".to_owned(),
                false => "a PGN for the director may have more tags than the seven of the roster".to_owned(),
            },
        );
        out
    }

    /// Its name, its time control and the keys of its own: `iccf-email-2000, 10 moves / 60 days, its own double_after`.
    pub fn in_brief(&self) -> String {
        let own: Vec<&str> = self.own.iter().map(String::as_str).filter(|key| *key != "control").collect();
        let own = if own.is_empty() { String::new() } else { format!(", its own {}", own.join(", ")) };
        format!("{}, {}{own}", self.id, self.control.words())
    }

    /// The values that another set has otherwise, in reading order; the days of the events that it was made for are none of them.
    pub fn changes(&self, other: &Ruleset) -> Vec<Change> {
        let (before, after) = (self.in_words(), other.in_words());
        let change = |old: &Saying| {
            let new = after.iter().find(|new| new.key == old.key && new.words != old.words)?;
            Some(Change { key: old.key, before: old.words.clone(), after: new.words.clone() })
        };
        before.iter().filter(|old| !old.key.starts_with("valid_")).filter_map(change).collect()
    }

    fn leave_words(&self) -> String {
        let days = match self.leave.days_per_year {
            Some(days) => format!("{} in a calendar year", in_words(days)),
            None => "not limited".to_owned(),
        };
        let notice =
            if self.leave.advance_notice_required { "to be announced before it begins" } else { "no notice needed" };
        let whom = if self.leave.stops_both { " to either side" } else { "" };
        format!("leave: {days}, {notice}; no day of it is charged{whom}")
    }

    fn silence_words(&self) -> String {
        let Some(days) = self.silence.days else { return "no rule about silence".to_owned() };
        let effect = match self.silence.effect {
            SilenceEffect::Warn => "nothing happens by itself",
            SilenceEffect::TdMayForfeit => "the director may score the game as lost",
            SilenceEffect::AutoForfeit => "the game is lost",
        };
        let leave = if self.silence.counts_leave { "leave counts" } else { "leave does not count" };
        let notice = if self.silence.extend_by_notice { "; an announcement in time prolongs it" } else { "" };
        format!("after {} of silence {effect}; {leave}{notice}", in_words(days))
    }

    fn repeat_words(&self) -> String {
        let Some(after) = self.repeat.after else { return "no rule about repeating a move".to_owned() };
        let again = match self.repeat.again.as_slice() {
            [] => String::new(),
            days => format!(", again after {}", list(days)),
        };
        let copy = match self.repeat.cc_td_from {
            Some(day) => format!(", with a copy to the director from day {day} on"),
            None => String::new(),
        };
        let unless = if self.repeat.suppress_if_announced { ", unless a longer thought was announced" } else { "" };
        let transit = if self.repeat.plus_transit { ", each time with the days that a mail is under way" } else { "" };
        format!("a move may be repeated after {}{again}{transit}{copy}{unless}", in_words(after))
    }

    fn illegal_words(&self) -> String {
        let penalty = match self.illegal.penalty_days {
            0 => "costs no extra day".to_owned(),
            days => format!("costs {} more", in_words(days)),
        };
        let time = match self.illegal.accounting {
            Accounting::Separate => "the days before it and those after the notice of it count",
            Accounting::Continuous => "all days until the legal move count",
        };
        format!("an illegal move {penalty}; {time}")
    }

    fn conditional_words(&self) -> String {
        let shape = match self.conditional.shape {
            ConditionalShape::None => return "conditional moves are not allowed".to_owned(),
            ConditionalShape::Linear => "one line, no branches",
            ConditionalShape::Tree => "lines and branches",
        };
        let time =
            if self.conditional.zero_days { "accepted moves take no time" } else { "accepted moves take their time" };
        let repeat = if self.conditional.must_repeat { ", and are repeated in the answer" } else { "" };
        let ignored = match self.conditional.ignored_penalty_days {
            0 => String::new(),
            days => format!("; answering as if nothing had been offered costs {}", in_words(days)),
        };
        format!("conditional moves: {shape}; {time}{repeat}{ignored}")
    }

    fn notation_words(&self) -> String {
        let primary = match self.notation.primary {
            Primary::Numeric => "ICCF numeric",
            Primary::San => "English algebraic",
            Primary::Any => "as the players agree",
        };
        let second = if self.notation.secondary_allowed { "another may stand beside it" } else { "none beside it" };
        let conflict = match self.notation.on_conflict {
            OnConflict::Ask => "where two differ the sender is asked",
            OnConflict::PrimaryWins => "where two differ the first one counts",
            OnConflict::Void => "where two differ the move is void",
        };
        format!("notation: {primary}, {second}; {conflict}")
    }
}

impl TimeControl {
    /// Its limits in words: `30 days over the last 10 moves, 10 days for one move at most`.
    pub fn limits(self) -> String {
        let bank = match self {
            TimeControl::Cumulative { max_bank: Some(most), .. } => {
                format!(", at each control no more than {} in all with what is saved", in_words(most))
            }
            _ => String::new(),
        };
        self.words() + &bank + &self.cap_words()
    }

    fn cap_words(self) -> String {
        self.per_move_cap().map(|cap| format!(", {} for one move at most", in_words(cap))).unwrap_or_default()
    }

    fn in_words(self) -> String {
        let mut text = self.words();
        if let TimeControl::Cumulative { max_bank, .. } = self {
            text.push_str(
                match max_bank {
                    None => ", savings carried forward".to_owned(),
                    Some(most) => format!(", savings carried forward up to {} in all", in_words(most)),
                }
                .as_str(),
            );
        }
        text + &self.cap_words()
    }
}

impl DayCount {
    fn words(self) -> &'static str {
        match self {
            DayCount::Calendar => "a day is charged for each midnight of the mover's own place",
            DayCount::Floor24h => "whole spans of 24 hours are charged",
            DayCount::Grace24h => "less than 24 hours without leave are free; then a day is charged for each midnight",
        }
    }
}

impl Receipt {
    fn words(self) -> String {
        match self {
            Receipt::Exact => "a mail is received on the day it came".to_owned(),
            Receipt::NextDayOptional => "a mail may always be booked as received on the next day".to_owned(),
            Receipt::AfterHourOptional { hour, inclusive } => {
                let sharp = if inclusive { "at or after" } else { "after" };
                format!("a mail that came {sharp} {hour:02}:00 may be booked as received on the next day")
            }
        }
    }
}

impl Overstep {
    fn words(self) -> &'static str {
        match self {
            Overstep::Forfeit => "an overstepped control loses, on the opponent's claim",
            Overstep::ResetThenForfeit => {
                "the first overstep is a warning, with a fresh count once it is admitted or awarded; the second loses"
            }
            Overstep::ReportOnly => "an overstepped control is a matter for the director or the players",
        }
    }
}

/// `1 day`, `14, 28 and 35 days`
fn list(days: &[u32]) -> String {
    match days {
        [all @ .., last] if !all.is_empty() => {
            let all: Vec<String> = all.iter().map(u32::to_string).collect();
            format!("{} and {}", all.join(", "), in_words(*last))
        }
        _ => days.iter().map(|days| in_words(*days)).collect(),
    }
}
