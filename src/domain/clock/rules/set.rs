//! What a rule set says, key by key: the shape of the built-in data, of the player's own sets and of a game's own values.
//!
//! Every key has the same name in TOML and in JSON. A value that rests on common knowledge and no text is listed in
//! `uncertain`; where a text says it, `sources` names it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::ClaimTerms;
use crate::domain::clock::days::in_words;

/// How one event counts reflection time, and what it says about silence, leave, penalties and reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// The name it is chosen by.
    #[serde(skip)]
    pub id: String,
    /// What it is, in words.
    pub title: String,
    /// The first day of events that it was made for.
    pub valid_from: Option<NaiveDate>,
    /// The last such day.
    pub valid_to: Option<NaiveDate>,
    /// How the days of one move are counted.
    pub day_count: DayCount,
    /// When a mail counts as received.
    pub receipt: Receipt,
    /// The most days that may lie between sending and receipt; more is a matter for the director.
    pub max_transit_days: Option<u32>,
    /// The time control.
    pub control: TimeControl,
    /// Days of one move beyond this count double; `None` where nothing is doubled.
    pub double_after: Option<u32>,
    /// From when on they do.
    pub double_from: DoubleFrom,
    /// What happens to a player who does not answer.
    pub silence: Silence,
    /// Days of silence after which the silent player is reminded, by an organiser or a server.
    pub reminders: Vec<u32>,
    /// When the player who waits may repeat his move.
    pub repeat: Repeat,
    /// A thought of more days than this is to be announced to the opponent.
    pub announce_after: Option<u32>,
    /// Leave.
    pub leave: LeaveRules,
    /// What an overstepped time control costs.
    pub overstep: Overstep,
    /// What a claim of it needs.
    #[serde(default)]
    pub claim: ClaimTerms,
    /// What an illegal or ambiguous move costs.
    pub illegal: Illegal,
    /// Conditional moves.
    pub conditional: Conditional,
    /// Notations.
    pub notation: NotationRules,
    /// Whether each mail has to give its dates.
    pub dates_required: bool,
    /// Which day the Date tag of a PGN gives.
    pub pgn_date: PgnDate,
    /// Whether a PGN for the director has the seven tags of the roster alone.
    pub pgn_strict7: bool,
    /// Keys whose value rests on no text.
    #[serde(default)]
    pub uncertain: Vec<String>,
    /// Where a key's value is said.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// Keys that a game, or the player's configuration, sets for itself.
    #[serde(skip)]
    pub own: BTreeSet<String>,
}

/// How the days of one move are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DayCount {
    /// The difference of the two dates in the mover's own place: one day for each midnight.
    Calendar,
    /// Whole spans of 24 hours; time zones play no part.
    Floor24h,
    /// Less than 24 hours are no day; from then on the difference of the dates.
    #[serde(rename = "grace24h_then_calendar")]
    Grace24h,
}

/// When a mail counts as received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
pub enum Receipt {
    /// On the day it was available.
    Exact,
    /// The recipient may always book it on the next day.
    NextDayOptional,
    /// He may, if it came after this hour of his own time.
    AfterHourOptional {
        /// The hour, 0 to 23.
        #[serde(default = "twenty")]
        hour: u32,
        /// Whether the full hour itself counts as after it.
        #[serde(default = "yes")]
        inclusive: bool,
    },
}

/// The hour of the rules that know one.
fn twenty() -> u32 {
    20
}

fn yes() -> bool {
    true
}

/// How many days there are for how many moves. All numbers are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum TimeControl {
    /// ICCF: so many moves in so many days, savings carried forward.
    Cumulative {
        /// Moves of one block.
        moves: u32,
        /// Days for one block.
        days: u32,
        /// The most days that a block may have, savings included; what is beyond is lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_bank: Option<u32>,
        /// The most days for one move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per_move_cap: Option<u32>,
    },
    /// So many days over the last so many own moves, nothing saved.
    Rolling {
        /// Own moves of the window, the newest included.
        window: u32,
        /// Days for them.
        days: u32,
        /// The most days for one move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per_move_cap: Option<u32>,
    },
    /// Days at the start, and more after every move.
    Fischer {
        /// Days at the start.
        base: u32,
        /// Days added after each own move.
        inc: u32,
        /// The most days for one move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per_move_cap: Option<u32>,
    },
    /// No limit.
    None {},
}

/// From when on days count double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoubleFrom {
    /// From the day after `double_after` days on.
    Day,
    /// Only where the longer thought was not announced, and only from the day on which the opponent's reminder came.
    Reminder,
}

/// What happens to a player who does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Silence {
    /// Calendar days that may pass in silence; `None` where no rule says so.
    pub days: Option<u32>,
    /// What follows.
    pub effect: SilenceEffect,
    /// Whether days of leave count too.
    pub counts_leave: bool,
    /// Whether an announcement in time prolongs them.
    pub extend_by_notice: bool,
}

/// What follows a silence that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SilenceEffect {
    /// Nothing by itself.
    Warn,
    /// The director may score the game as lost.
    TdMayForfeit,
    /// The game is lost.
    AutoForfeit,
}

/// When the player who waits may repeat his move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Days of silence before the first repeat; `None` where no rule says so.
    pub after: Option<u32>,
    /// Days of silence before further ones.
    pub again: Vec<u32>,
    /// From which of these days on the director gets a copy; `None`: never.
    pub cc_td_from: Option<u32>,
    /// Whether an announcement of the opponent makes the repeat needless.
    pub suppress_if_announced: bool,
    /// Whether the time that a mail is under way comes before each of them.
    #[serde(default)]
    pub plus_transit: bool,
}

/// Leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaveRules {
    /// Days for each calendar year; `None` where no rule limits them.
    pub days_per_year: Option<u32>,
    /// Whether it has to be announced before it begins.
    pub advance_notice_required: bool,
    /// Whether the clock of the other side stands still too.
    #[serde(default)]
    pub stops_both: bool,
}

/// What an overstepped time control costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overstep {
    /// The game, on the opponent's claim.
    Forfeit,
    /// The first time a warning and a fresh count from there, the second time the game.
    ResetThenForfeit,
    /// What the director or the players make of it.
    ReportOnly,
}

/// What an illegal or ambiguous move costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Illegal {
    /// Days added to the sender's time.
    pub penalty_days: u32,
    /// How the time around it is counted.
    pub accounting: Accounting,
}

/// How the time around an illegal move is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accounting {
    /// The days until the illegal move and those from the notice of it until the legal one.
    Separate,
    /// All days until the legal move was sent.
    Continuous,
}

/// Conditional moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditional {
    /// What may be offered.
    pub shape: ConditionalShape,
    /// Whether accepted moves take no time.
    pub zero_days: bool,
    /// Whether the accepted moves have to be repeated.
    pub must_repeat: bool,
    /// Days for answering as if nothing had been offered.
    #[serde(default)]
    pub ignored_penalty_days: u32,
}

/// What conditional moves may be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConditionalShape {
    /// None.
    None,
    /// One line.
    Linear,
    /// Lines with branches.
    Tree,
}

/// Notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotationRules {
    /// The one that counts.
    pub primary: Primary,
    /// Whether another may stand beside it.
    pub secondary_allowed: bool,
    /// What a contradiction between the two means.
    pub on_conflict: OnConflict,
}

/// The notation that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Primary {
    /// ICCF numeric.
    Numeric,
    /// English algebraic.
    San,
    /// What the players agree on.
    Any,
}

/// What a contradiction between two notations of one move means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// The sender is asked.
    Ask,
    /// The primary notation counts.
    PrimaryWins,
    /// The move is as good as illegal.
    Void,
}

/// Which day the Date tag of a PGN gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PgnDate {
    /// The start of the event.
    #[default]
    Start,
    /// The end of the game.
    End,
}

impl Ruleset {
    /// Whether every number is one that time can be counted by.
    pub(super) fn is_sound(&self) -> bool {
        let is_hour = |receipt| match receipt {
            Receipt::AfterHourOptional { hour, .. } => hour < 24,
            Receipt::Exact | Receipt::NextDayOptional => true,
        };
        self.control.is_sound() && is_hour(self.receipt)
    }
}

impl TimeControl {
    /// So many moves in so many days, savings carried forward.
    pub const fn cumulative(moves: u32, days: u32) -> TimeControl {
        TimeControl::Cumulative { moves, days, max_bank: None, per_move_cap: None }
    }

    /// The allowance in days up to the control that own move `number` (from 1) belongs to, and the own move that completes it.
    pub fn allowance(self, number: u32) -> Option<(u32, u32)> {
        match self {
            TimeControl::Cumulative { moves, days, .. } => {
                let block = number.max(1).div_ceil(moves.max(1));
                Some((block.saturating_mul(days), block.saturating_mul(moves)))
            }
            TimeControl::Fischer { base, inc, .. } => {
                Some((base.saturating_add(inc.saturating_mul(number.saturating_sub(1))), number))
            }
            TimeControl::Rolling { .. } | TimeControl::None {} => None,
        }
    }

    /// The most days for one move.
    pub fn per_move_cap(self) -> Option<u32> {
        match self {
            TimeControl::Cumulative { per_move_cap, .. }
            | TimeControl::Rolling { per_move_cap, .. }
            | TimeControl::Fischer { per_move_cap, .. } => per_move_cap,
            TimeControl::None {} => None,
        }
    }

    /// As in the head of a transmission: `10 moves / 60 days`.
    pub fn words(self) -> String {
        match self {
            TimeControl::Cumulative { moves: 1, days, .. } => format!("1 move / {}", in_words(days)),
            TimeControl::Cumulative { moves, days, .. } => format!("{moves} moves / {}", in_words(days)),
            TimeControl::Rolling { window: 1, days, .. } => format!("{} over the last move", in_words(days)),
            TimeControl::Rolling { window, days, .. } => format!("{} over the last {window} moves", in_words(days)),
            TimeControl::Fischer { base, inc, .. } => format!("{} + {inc} a move", in_words(base)),
            TimeControl::None {} => "no limit".to_owned(),
        }
    }

    /// Whether every number is one that time can be counted by.
    pub fn is_sound(self) -> bool {
        let counts = match self {
            TimeControl::Cumulative { moves, days, max_bank, .. } => moves > 0 && days > 0 && max_bank != Some(0),
            TimeControl::Rolling { window, days, .. } => window > 0 && days > 0,
            TimeControl::Fischer { base, .. } => base > 0,
            TimeControl::None {} => true,
        };
        counts && self.per_move_cap() != Some(0)
    }
}
