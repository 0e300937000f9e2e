//! Of a choice: the plan that is kept, and the finished draft that the player gets of it.
//!
//! What the plan states is of the day on which it is drafted. A held one is stated anew when its time has come ([`wakened`]).

use chrono::{DateTime, Utc};

use super::Choice;
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::{Awaited, Over, at_least, over};
use crate::domain::game::{Game, Plan, Stated};
use crate::domain::judge::Row;
use crate::io::store::{Outgoing, OutgoingKind, StoredGame};
use crate::letters::{self, AnswerKey, Letter, LetterError};

/// A plan with its letter, ready to be kept.
#[derive(Debug, Clone)]
pub struct Drafted {
    /// What is kept.
    pub plan: Plan,
    /// How many plies the record has.
    pub expected_plies: usize,
    /// The letter that brings the draft; `None` while the choice is held.
    pub letter: Option<Outgoing>,
}

/// The plan of a choice made at `now`, with its draft unless it is held; `table` is what his last mail shows of dates and days.
///
/// # Errors
/// [`LetterError`]; then there is no plan either.
pub fn drafted(
    thread: &StoredGame,
    choice: &Choice,
    held_until: Option<DateTime<Utc>>,
    table: &[Row],
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Drafted, LetterError> {
    let plan = Plan {
        before: choice.before.clone(),
        numeric: choice.numeric,
        stated: stated(thread, me, now)?,
        draw_offer: choice.draw,
        message_id: letters::reply_message_id(&thread.game, &thread.root_message_id, choice.numeric, me, now)?,
        conditionals: choice.conditionals.clone(),
        comment: choice.comment.clone(),
        held_until,
    };
    let letter = match held_until {
        None => Some(outgoing(
            thread,
            letters::draft(&planned(thread, &plan), &thread.root_message_id, table, key, me, now)?,
        )),
        Some(_) => None,
    };
    Ok(Drafted { plan, expected_plies: thread.game.moves.len(), letter })
}

/// A held plan whose time has come: stated as of `now`, with a draft that asks whether he still wants it.
///
/// # Errors
/// [`LetterError`].
pub fn wakened(
    thread: &StoredGame,
    held: &Plan,
    table: &[Row],
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Drafted, LetterError> {
    let plan = Plan {
        stated: stated(thread, me, now)?,
        message_id: letters::reply_message_id(&thread.game, &thread.root_message_id, held.numeric, me, now)?,
        held_until: None,
        ..held.clone()
    };
    let letter = letters::draft_after_hold(&planned(thread, &plan), &thread.root_message_id, table, key, me, now)?;
    Ok(Drafted { plan, expected_plies: thread.game.moves.len(), letter: Some(outgoing(thread, letter)) })
}

/// The days that the plan states, in a line, and the clock as it stands.
pub fn days_line(game: &Game, ledger: &Ledger, plan: &Plan, now: Moment) -> String {
    let since = match plan.stated.received {
        Some(received) => Some(format!("received {received}")),
        // before the first move there is nothing to receive
        None => game.start_date.filter(|_| game.moves.is_empty()).map(|start| format!("the event began {start}")),
    };
    match (since, plan.stated.days) {
        (Some(since), Some(days)) => {
            let clock = ledger.clock(game.me, Some(game.me), now);
            let reserve = over(game, ledger, now, Awaited::NOTHING).and_then(Over::reserve);
            let left = letters::left_with(&clock, reserve.as_deref(), at_least(game, ledger, now), Language::English);
            let how = letters::below_clocks(game, ledger, Some(now));
            let total = plan.stated.total.map_or("unknown".to_owned(), |total| total.to_string());
            let why = letters::running_reason(game, ledger, now, |day| day.to_string(), Language::English);
            let why = why.map(|why| format!("  {why}\n")).unwrap_or_default();
            format!("Days for this move: {days} ({since}, sent {}), total {total}. {left}.\n{why}{how}", now.day)
        }
        _ => "Days for this move: unknown, since the day you received his last move is not on record.\n".to_owned(),
    }
}

fn stated(thread: &StoredGame, me: &Me, now: DateTime<Utc>) -> Result<Stated, LetterError> {
    let game = &thread.game;
    let ledger = me.ledger(game).map_err(|e| LetterError::Game { game: game.id.clone(), why: e.to_string() })?;
    Ok(ledger.answer_on(me.moment(now)).stated())
}

fn planned(thread: &StoredGame, plan: &Plan) -> Game {
    Game { plan: Some(plan.clone()), ..thread.game.clone() }
}

fn outgoing(thread: &StoredGame, letter: Letter) -> Outgoing {
    Outgoing {
        kind: OutgoingKind::Draft,
        game: Some(thread.game.id.clone()),
        ply: Some(thread.game.due_ply()),
        message_id: letter.message_id,
        recipient: letter.recipient,
        bytes: letter.bytes,
    }
}
