//! What an illegal move before a legal one costs (T80), in words, and whether the player's days for it can be.
//!
//! The counting itself is in [`super::days`]. Nothing is charged for an illegal move that the player did not have counted.

use chrono::NaiveDate;

use super::days::in_words;
use super::ledger::{Basis, Ledger};
use super::rules::{Accounting, RulesetError};
use crate::domain::game::{Game, SentIllegal};

/// How the ply `index`, counted from 0, is counted because of the illegal move before it; `None` where none is counted.
pub fn counted(game: &Game, ledger: &Ledger, index: usize) -> Option<String> {
    let illegal = game.illegal_before(index)?;
    let SentIllegal { sent, noticed, .. } = illegal;
    let time = ledger.plies().get(index);
    let how = match ledger.rules().illegal.accounting {
        Accounting::Separate if sent < noticed => format!(", the days from {sent} to {noticed} are not counted"),
        Accounting::Separate => String::new(),
        Accounting::Continuous => ", all days until the legal move count".to_owned(),
    };
    let penalty = match time.map(|time| time.basis) {
        None => ledger.rules().illegal.penalty_days,
        Some(Basis::Counted(charge)) => charge.penalty,
        Some(Basis::Agreed { .. }) => return Some(format!("{}; its days are as you settled them", dated(illegal))),
        Some(Basis::Stated | Basis::Conditional | Basis::Reversed(_) | Basis::Unknown) => {
            return Some(format!(
                "{}; nothing is counted for it, since the dates of the move give no days",
                dated(illegal)
            ));
        }
    };
    let penalty = match penalty {
        0 => "no day of penalty".to_owned(),
        days => format!("{} of penalty", in_words(days)),
    };
    Some(format!("{}{how}; {penalty}", dated(illegal)))
}

fn dated(illegal: &SentIllegal) -> String {
    format!("an illegal move was sent {} and noticed {}", illegal.sent, illegal.noticed)
}

/// Why an illegal move cannot have been sent and noticed on these days.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ImpossibleIllegal {
    #[error("noticed {noticed} lies before {sent}, the day on which it was sent")]
    NoticedBeforeSent { sent: NaiveDate, noticed: NaiveDate },
    #[error("{day} has not come yet; today is {today}")]
    Future { day: NaiveDate, today: NaiveDate },
    #[error("sent {sent} lies before received {received}")]
    BeforeReceipt { sent: NaiveDate, received: NaiveDate },
    #[error("{day} lies after {legal}, the day on which the legal move was sent")]
    BehindTheLegalMove { day: NaiveDate, legal: NaiveDate },
}

/// What is wrong with the days of an illegal move, if anything. Its ply is on record, or due.
///
/// # Errors
/// [`RulesetError`] when the game's rules are not usable.
pub fn impossible(
    game: &Game,
    illegal: &SentIllegal,
    today: NaiveDate,
) -> Result<Option<ImpossibleIllegal>, RulesetError> {
    let SentIllegal { ply, sent, noticed } = *illegal;
    let mut counted = game.clone();
    counted.illegal.retain(|other| other.ply != ply);
    counted.illegal.push(*illegal);
    let ledger = Ledger::of(&counted)?;
    let index = usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1);
    let (received, legal) = match ledger.plies().get(index) {
        Some(time) => (time.received, time.sent.map(|date| date.day)),
        None => (ledger.waiting_since(), None),
    };
    if noticed < sent {
        return Ok(Some(ImpossibleIllegal::NoticedBeforeSent { sent, noticed }));
    }
    if let Some(day) = [sent, noticed].into_iter().find(|day| *day > today) {
        return Ok(Some(ImpossibleIllegal::Future { day, today }));
    }
    if let Some(received) = received.map(|date| date.day).filter(|received| sent < *received)
        && game.start_date.is_none_or(|start| received > start)
    {
        return Ok(Some(ImpossibleIllegal::BeforeReceipt { sent, received }));
    }
    let behind = legal.and_then(|legal| Some((legal, [sent, noticed].into_iter().find(|day| *day > legal)?)));
    Ok(behind.map(|(legal, day)| ImpossibleIllegal::BehindTheLegalMove { day, legal }))
}
