//! One ply of the record with its dates, and what was said about the clock between two plies.
//!
//! What the sender claims, what the servers saw and what was settled stand apart; [`super::clock`] makes days of them.

use chrono::{DateTime, FixedOffset, NaiveDate};
use serde::{Deserialize, Serialize};

use super::game::Side;
use super::notation::NumericMove;

/// What a sender says of one of his moves; every part may be missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stated {
    /// The day he received the move he answers.
    pub received: Option<NaiveDate>,
    /// The day he sent the answer.
    pub sent: Option<NaiveDate>,
    /// Reflection time of this move, in days.
    pub days: Option<u32>,
    /// Reflection time of all his moves so far, in days.
    pub total: Option<u32>,
}

impl Stated {
    /// True when nothing at all is stated.
    pub fn is_empty(&self) -> bool {
        *self == Stated::default()
    }

    /// What is stated here and not the same there.
    pub fn beyond(self, there: &Stated) -> Stated {
        Stated {
            received: self.received.filter(|_| self.received != there.received),
            sent: self.sent.filter(|_| self.sent != there.sent),
            days: self.days.filter(|_| self.days != there.days),
            total: self.total.filter(|_| self.total != there.total),
        }
    }
}

/// What the mail servers saw of a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observed {
    /// The day of the mail's Date header, in the sender's own offset (ICCF guideline 2j); of the player's own mails in his time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<NaiveDate>,
    /// The day our server took the mail, in the player's time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived: Option<NaiveDate>,
    /// The mail's Date header itself; alone, of a move that the player says he has sent: when he said so, or of one of a file: the instant
    /// that stands there, in an offset that tells no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<DateTime<FixedOffset>>,
    /// When the player's provider took it over, by its topmost Received line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relayed_at: Option<DateTime<FixedOffset>>,
    /// When our server took it (INTERNALDATE), by the clock of the player's place on that day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived_at: Option<DateTime<FixedOffset>>,
}

impl Observed {
    /// True when a server saw a mail with it: an instant alone is the player's word, or that of a file.
    pub fn is_of_mail(&self) -> bool {
        *self != Observed { sent_at: self.sent_at, ..Observed::default() }
    }

    /// True when nothing at all was seen.
    pub fn is_empty(&self) -> bool {
        *self == Observed::default()
    }
}

/// What the player settled later, alone or with his opponent; it goes before everything else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Agreed {
    /// The day of receipt.
    pub received: Option<NaiveDate>,
    /// The day of sending.
    pub sent: Option<NaiveDate>,
    /// The reflection time of this move, in days.
    pub days: Option<u32>,
    /// The reflection time of all moves of this side up to this one, in days.
    pub total: Option<u32>,
    /// Days added to it as a penalty.
    pub penalty: Option<u32>,
}

impl Agreed {
    /// True when nothing at all was settled.
    pub fn is_empty(&self) -> bool {
        *self == Agreed::default()
    }
}

/// Days on which a side's clock stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leave {
    /// Whose.
    pub side: Side,
    /// The first day.
    pub from: NaiveDate,
    /// The last day.
    pub to: NaiveDate,
    /// The day it was announced to the other side; `None` where nobody knows that it was.
    #[serde(default)]
    pub announced: Option<NaiveDate>,
}

impl Leave {
    /// The leaves that stand: one that was told goes before the same leave as it was drafted, and before what was entered of it earlier.
    pub fn standing(leaves: &[Leave]) -> impl Iterator<Item = &Leave> {
        let is_replaced = |place: usize, leave: &Leave| {
            leaves.iter().enumerate().any(|(later, told)| {
                (leave.announced.is_none() || place < later)
                    && told.announced.is_some()
                    && (leave.side, leave.from, leave.to) == (told.side, told.from, told.to)
            })
        };
        let stand = leaves.iter().enumerate().filter(move |(place, leave)| !is_replaced(*place, leave));
        stand.map(|(_, leave)| leave)
    }
}

/// What was said about the clock while a side was thinking about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockNote {
    /// The ply being thought about, counted from 1.
    pub ply: u32,
    /// What was said.
    pub kind: ClockNoteKind,
    /// On which day it was sent; of a repeat, on which it was drafted or sent.
    pub on: NaiveDate,
    /// Until when the thinking side said it would need, if it did. Of a repeat, the day on which it really went out: a draft has none. Of
    /// a move that went out again, the day that showed why.
    #[serde(default)]
    pub until: Option<NaiveDate>,
}

impl ClockNote {
    /// A repeat that went out on a day: it was seen in the Sent folder, or the player says so.
    pub fn reminder(ply: u32, sent: NaiveDate) -> ClockNote {
        ClockNote { ply, kind: ClockNoteKind::Repeated, on: sent, until: Some(sent) }
    }

    /// The day on which a reminder really went out.
    pub fn reminded(&self) -> Option<NaiveDate> {
        self.until.filter(|_| self.kind == ClockNoteKind::Repeated)
    }

    /// The day on which the waiting side's move really went out once more, for whatever reason.
    pub fn went_out(&self) -> Option<NaiveDate> {
        match self.kind {
            ClockNoteKind::Announced => None,
            ClockNoteKind::Repeated => self.until,
            ClockNoteKind::Returned | ClockNoteKind::Missed => Some(self.on),
        }
    }
}

/// Who said what about the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockNoteKind {
    /// The thinking side announced that it needs longer.
    Announced,
    /// The waiting side repeated its move, which reminds the other.
    Repeated,
    /// Its mail with the move came back, and the move went out again.
    Returned,
    /// The thinking side repeated its own last move, as if it had no answer, and the waiting side's went out again.
    Missed,
}

impl ClockNoteKind {
    /// `announced`, `repeated`, `returned` or `missed`, as in the data.
    pub fn word(self) -> &'static str {
        match self {
            ClockNoteKind::Announced => "announced",
            ClockNoteKind::Repeated => "repeated",
            ClockNoteKind::Returned => "returned",
            ClockNoteKind::Missed => "missed",
        }
    }
}

/// An illegal move that was sent before the legal one of a ply, with the days by which its time is counted (T80).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentIllegal {
    /// The ply that it was meant for, counted from 1.
    pub ply: u32,
    /// On which day it was sent.
    pub sent: NaiveDate,
    /// On which day its sender learned that it is illegal.
    pub noticed: NaiveDate,
}

impl SentIllegal {
    /// Whether a day of receipt that stands beside the legal move is that of the notice: the move before was received before it was
    /// answered, if only by an illegal one.
    pub fn is_of_notice(&self, received: NaiveDate) -> bool {
        received > self.sent
    }
}

/// A mail whose move was found to be illegal. By itself it charges nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMail {
    /// The ply that the move was meant for, counted from 1.
    pub ply: u32,
    /// The key of the mail.
    pub mail: i64,
}

/// A private note of the player's on a game. It is no part of a game, so that no letter can have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateNote {
    /// The last ply that was played then, counted from 1; 0 where none was.
    pub ply: u32,
    /// His words, on one line.
    pub text: String,
}

impl PrivateNote {
    /// His words with single blanks and without control characters; `None` where nothing is left of them.
    pub fn new(ply: usize, text: &str) -> Option<PrivateNote> {
        let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let text = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| PrivateNote { ply: u32::try_from(ply).unwrap_or(u32::MAX), text })
    }
}

/// One ply that was really sent. Claimed, observed and agreed dates stand apart; none overwrites another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    pub numeric: NumericMove,
    /// What its sender states.
    #[serde(default, skip_serializing_if = "Stated::is_empty")]
    pub claimed: Stated,
    /// What the servers saw.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
    /// What was settled.
    #[serde(default, skip_serializing_if = "Agreed::is_empty")]
    pub agreed: Agreed,
}

impl MoveRecord {
    /// A move known only by what its sender states.
    pub fn claimed(numeric: NumericMove, claimed: Stated) -> MoveRecord {
        MoveRecord { numeric, claimed, observed: Observed::default(), agreed: Agreed::default() }
    }

    /// A ply of an accepted conditional line: it takes no time and has no dates of its own.
    pub fn conditional(numeric: NumericMove) -> MoveRecord {
        MoveRecord::claimed(numeric, Stated { days: Some(0), ..Stated::default() })
    }

    /// Whether the ply took no time and has no date, as one of an accepted conditional line.
    pub fn is_timeless(&self) -> bool {
        *self == MoveRecord::conditional(self.numeric)
    }
}
