//! How sure it is that the opponent has overstepped with the move that he thinks about.
//!
//! The one place for it: a claim asks where these lists say "perhaps". It is certain from an instant on ([`Ledger::certainly_over_from`]),
//! as long as nothing of his may lie between: a held mail, an illegal move whose days are not counted, a mailbox that was not read since.
//! Not covered: the last move of his on record, and the player's own clock, which he knows himself.

use chrono::{DateTime, FixedOffset, Utc};

use super::days::Moment;
use super::ledger::Ledger;
use super::rules::{Accounting, Ruleset};
use crate::domain::game::Game;

/// What is known of an answer of the opponent's that is not on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// A mail waits for the player that may be it.
    pub is_held: bool,
    /// His days may stand still since an illegal move (T80).
    pub is_illegal: bool,
    /// Up to when the mailbox was read.
    pub read_until: DateTime<Utc>,
}

impl Awaited {
    /// Nothing of his can have come unseen.
    pub const NOTHING: Awaited = Awaited { is_held: false, is_illegal: false, read_until: DateTime::<Utc>::MAX_UTC };
}

/// The days of the side on the move, would it send an illegal move, or has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalDays {
    /// They count until the legal one.
    Run,
    /// They stand still until its sender is told, and the player has not said when he told him (T80).
    StandStill,
    /// The player has said so.
    Counted,
}

impl IllegalDays {
    /// Those in a game.
    pub fn of(game: &Game, rules: &Ruleset) -> IllegalDays {
        match rules.illegal.accounting {
            _ if game.illegal_before(game.moves.len()).is_some() => IllegalDays::Counted,
            Accounting::Separate => IllegalDays::StandStill,
            Accounting::Continuous => IllegalDays::Run,
        }
    }
}

/// Whether a limit is over that the clock shows as overstepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// It is.
    Certainly,
    /// It is certain from this instant of the player's place on only.
    From(DateTime<FixedOffset>),
    /// A mail that may be his answer waits for the player.
    Held,
    /// His days may have stood still since an illegal move.
    Illegal,
    /// The mailbox was not read since it is over.
    Unread,
}

impl Over {
    /// How sure it is now; `from` as the ledger has it, `None` of the player's own clock.
    pub fn of(from: Option<DateTime<FixedOffset>>, awaited: Awaited, now: Moment) -> Over {
        let Some(from) = from else { return Over::Certainly };
        if now.at.map_or(now.day < from.date_naive(), |now| now < from) {
            Over::From(from)
        } else if awaited.is_held {
            Over::Held
        } else if awaited.is_illegal {
            Over::Illegal
        } else if awaited.read_until < from {
            Over::Unread
        } else {
            Over::Certainly
        }
    }

    /// What keeps it from being certain: `certain from Mon 11 May 2026 00:01`; nothing where it is.
    pub fn reserve(self) -> Option<String> {
        match self {
            Over::Certainly => None,
            Over::From(from) => Some(format!("certain from {}", from.format("%a %d %b %Y %H:%M"))),
            Over::Held => Some("a mail of his is held".to_owned()),
            Over::Illegal => Some("he sent an illegal move".to_owned()),
            Over::Unread => Some("your mailbox was not read since".to_owned()),
        }
    }

    /// The same behind the name of a limit: `, perhaps over: certain from ...`; empty where there is no reserve.
    pub fn aside(over: Option<Over>) -> String {
        over.and_then(Over::reserve).map(|reserve| format!(", perhaps over: {reserve}")).unwrap_or_default()
    }
}

/// Whether the side on the move has overstepped a limit at a moment, and how sure that is.
pub fn over(game: &Game, ledger: &Ledger, now: Moment, awaited: Awaited) -> Option<Over> {
    let side = Some(game.to_move()).filter(|_| game.result.is_none())?;
    ledger.clock(side, Some(side), now).days_left.filter(|left| *left < 0)?;
    Some(Over::of(ledger.certainly_over_from(), awaited, now))
}
