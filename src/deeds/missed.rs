//! What was read only after the opponent's answer and shows that he may have had the player's move later than its first mail.

use chrono::{DateTime, Utc};

use super::{Around, Refusal};
use crate::domain::clock::again::Lost;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::Game;
use crate::intake::held::OWN;
use crate::io::store::{MailOfGame, Store};

/// The outcome of a mail that repeats a move on record, as the store has it.
const REPEAT: &str = "duplicate";

/// Why the days of his move at `index`, counted from 0, are doubtful: the player's mail that he answers came back, or he repeated his own
/// move before it, or may have. Nothing where a day of receipt is stated or settled, or a resend counts already.
pub(super) async fn may_have_missed(
    store: &mut Store,
    around: Around<'_>,
    (game, ledger): (&Game, &Ledger),
    index: usize,
) -> Result<Vec<String>, Refusal> {
    let Some((record, time)) = game.moves.get(index).zip(ledger.plies().get(index)) else { return Ok(Vec::new()) };
    let is_known = record.agreed.received.or(record.claimed.received).is_some() || record.agreed.days.is_some();
    if is_known || Lost::of(game, index).is_some() {
        return Ok(Vec::new());
    }
    let Some(mine) = index.checked_sub(1) else { return Ok(Vec::new()) };
    let (number, answer) = (game.number_of(mine), time.number);
    let settle = format!(
        "his days count from the first mail; if he had it later:  amici clock set {} {answer} --received DATE --why TEXT",
        game.id
    );
    let zone = around.me().timezone;
    let mut found = Vec::new();
    let reports = store.returned(&game.id).await?;
    let of_move = |ply: u32| usize::try_from(ply).is_ok_and(|ply| ply == index);
    if let Some(report) = reports.iter().rev().find(|report| of_move(report.ply) && !report.delayed) {
        let again = resent(store, around, game, (index, &report.message_id)).await?;
        found.push(format!("a mail server reported that your {number} did not reach him{again}: {settle}"));
    }
    let sent = ledger.plies().get(mine).and_then(|mine| mine.sent);
    if let (Some(from), Some(to)) = (sent.map(|sent| sent.day), time.sent.map(|sent| sent.day)) {
        let sent_at = game.moves.get(mine).and_then(|mine| mine.observed.sent_at);
        let between = |at: DateTime<Utc>| {
            let day = at.with_timezone(&zone).date_naive();
            let is_before = record.observed.arrived_at.is_none_or(|answer| at < answer);
            (from..=to).contains(&day) && sent_at.is_none_or(|sent| at >= sent) && is_before
        };
        let mails = store.mails_of(&game.id).await?;
        let counts =
            |mail: &&MailOfGame| between(mail.at) && mail.outcome != OWN && (mail.outcome == REPEAT || mail.open);
        if let Some(mail) = mails.iter().find(counts) {
            let day = mail.at.with_timezone(&zone).format("%a %d %b %Y");
            let again = resent(store, around, game, (index, "")).await?;
            let what = match mail.open {
                true => {
                    format!("came between your {number} and his answer and is held: if it repeats his own move, he")
                }
                false => format!("repeats his own move before your {number}, so he"),
            };
            found.push(format!("mail {} of {day} {what} may not have had yours{again}: {settle}", mail.mail));
        }
    }
    Ok(found)
}

/// That the move of a ply, counted from 1, went out again by another mail than this one; empty where none was seen.
async fn resent(
    store: &mut Store,
    around: Around<'_>,
    game: &Game,
    (ply, message_id): (usize, &str),
) -> Result<String, Refusal> {
    let (again, _) = store.sent_once_more(&game.id, ply, message_id).await?;
    let day = again.map(|at| at.with_timezone(&around.me().timezone).format("%a %d %b %Y"));
    Ok(day.map(|day| format!(", and it went out again on {day}")).unwrap_or_default())
}
