//! How sure it is that the side on the move has overstepped with the move that it thinks about.
//!
//! The one place for it: a claim asks where these lists say "perhaps". It is certain from an instant on ([`Ledger::certainly_over_from`]),
//! of the opponent as long as nothing may lie between: an [`Obstacle`], or a mailbox that was not read since.
//! Not covered: the last move on record, see [`super::late`].

use chrono::{DateTime, FixedOffset, Utc};

use super::days::Moment;
use super::ledger::Ledger;
use super::rules::{Accounting, Ruleset};
use crate::domain::game::Game;
use crate::languages::Language;
use crate::say;

/// What may have kept the player's move from the opponent, or his answer from the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The mail with the move came back, and his days are not counted from another one.
    CameBack,
    /// A mail that may be his answer waits for the player.
    Held,
    /// His days may stand still since an illegal move (T80).
    Illegal,
    /// He repeated his own last move, and the player's did not go out again since.
    Repeated,
    /// The player put a mail away that came since his move.
    PutAway,
    /// A mail that came since the move was not read, and nobody knows whose it is.
    NotRead,
}

/// What is known of an answer of the opponent's that is not on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// What speaks first against saying that there is none.
    pub obstacle: Option<Obstacle>,
    /// Up to when the mailbox was read.
    pub read_until: DateTime<Utc>,
}

impl Awaited {
    /// Nothing of his can have come unseen.
    pub const NOTHING: Awaited = Awaited { obstacle: None, read_until: DateTime::<Utc>::MAX_UTC };
    /// A mail that waits for the player may be it.
    pub const HELD: Awaited = Awaited { obstacle: Some(Obstacle::Held), ..Awaited::NOTHING };
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
    /// The player's own is not over before this instant, if he books the opponent's mail as late as the rules leave it to him.
    Bookable(DateTime<FixedOffset>),
    /// Something may have come between.
    Perhaps(Obstacle),
    /// The mailbox was not read since it is over.
    Unread,
}

impl Over {
    /// How sure it is now; `from` as the ledger has it. What is `awaited` of the opponent, `None` of the player's own clock.
    pub fn of(from: Option<DateTime<FixedOffset>>, awaited: Option<Awaited>, now: Moment) -> Over {
        let Some(from) = from else { return Over::Certainly };
        let is_early = now.at.map_or(now.day < from.date_naive(), |now| now < from);
        let Some(awaited) = awaited else { return if is_early { Over::Bookable(from) } else { Over::Certainly } };
        if is_early {
            Over::From(from)
        } else if let Some(obstacle) = awaited.obstacle {
            Over::Perhaps(obstacle)
        } else if awaited.read_until < from {
            Over::Unread
        } else {
            Over::Certainly
        }
    }

    /// What keeps it from being certain: `certain from Mon 11 May 2026 00:01`; nothing where it is.
    pub fn reserve(self) -> Option<String> {
        self.reserve_in(Language::English)
    }

    /// The same in this language.
    pub fn reserve_in(self, language: Language) -> Option<String> {
        Some(match self {
            Over::Certainly => return None,
            Over::From(from) => say!(language, "certain from {from}", from = language.instant(from.naive_local())),
            Over::Bookable(from) => {
                let from = language.instant(from.naive_local());
                say!(language, "not if you book his mail on the next day; certain from {from}", from)
            }
            Over::Perhaps(Obstacle::CameBack) => say!(language, "your mail to him came back"),
            Over::Perhaps(Obstacle::Held) => say!(language, "a mail of his is held"),
            Over::Perhaps(Obstacle::Illegal) => say!(language, "he sent an illegal move"),
            Over::Perhaps(Obstacle::Repeated) => say!(language, "he may not have your move"),
            Over::Perhaps(Obstacle::PutAway) => say!(language, "a mail of his was put away"),
            Over::Perhaps(Obstacle::NotRead) => say!(language, "a mail was not read"),
            Over::Unread => say!(language, "your mailbox was not read since"),
        })
    }

    /// The same after the name of a limit: `, perhaps over: certain from ...`; empty where there is no reserve.
    pub fn aside(over: Option<Over>, language: Language) -> String {
        let reserve = over.and_then(|over| over.reserve_in(language));
        reserve.map(|reserve| format!(", {}", say!(language, "perhaps over: {reserve}", reserve))).unwrap_or_default()
    }
}

/// Whether the side on the move has overstepped a limit at a moment, and how sure that is.
pub fn over(game: &Game, ledger: &Ledger, now: Moment, awaited: Awaited) -> Option<Over> {
    let side = Some(game.to_move()).filter(|_| ledger.goes_on())?;
    ledger.clock(side, Some(side), now).days_left.filter(|left| *left < 0)?;
    Some(Over::of(ledger.certainly_over_from(), Some(awaited).filter(|_| !game.is_my_turn()), now))
}

/// By how many days the limit is certainly exceeded, where that is fewer than the clock shows: the mail before may be booked later, or it is
/// earlier at the opponent's place. 0 where it is not certain that it is exceeded at all; `None` where the figure is sure, or no instant is
/// known.
pub fn at_least(game: &Game, ledger: &Ledger, now: Moment) -> Option<u32> {
    let side = Some(game.to_move()).filter(|_| ledger.goes_on())?;
    let by = ledger.clock(side, Some(side), now).days_left.filter(|left| *left < 0)?.unsigned_abs();
    let least = ledger.certainly_over_by(now.at?.to_utc()).unwrap_or(0);
    (u64::from(least) < by).then_some(least)
}
