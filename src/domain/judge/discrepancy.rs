//! Differences between what the sender states and what the record makes of it. Shown, never settled here.

use chrono::NaiveDate;

use super::{Evidence, Expected};
use crate::domain::clock::ledger::PlyTime;
use crate::domain::game::{MoveNumber, Stated};
use crate::domain::transmission::read::Reading;

/// What does not fit in the dates and days of the new move.
pub(super) fn of_new_move(
    expected: &Expected<'_>,
    evidence: &Evidence,
    number: MoveNumber,
    stated: Stated,
) -> Vec<String> {
    let mut out = Vec::new();
    let Some(ledger) = &expected.ledger else {
        return out;
    };
    let sent = stated.sent.or(evidence.header_sent);
    let answered = || sent.and_then(|sent| ledger.received_before(sent)).map(|d| d.day);
    let received = stated.received.or_else(answered);
    if let (Some(stated), Some(header)) = (stated.sent, evidence.header_sent)
        && stated != header
    {
        out.push(format!("{number} is stated as sent {stated}, the mail is dated {header}"));
    }
    if let (Some(his), Some(mine)) = (stated.received, ledger.plies().last().and_then(|p| p.sent)) {
        let days = (his - mine.day).num_days();
        if days < 0 {
            out.push(format!("{number} is stated as received {his}, but your move was sent {}", mine.day));
        } else if days > 1 {
            out.push(format!(
                "he books your move of {} as received {his}; more than one day of transit can be disputed",
                mine.day
            ));
        }
    }
    let (Some(received), Some(sent)) = (received, sent) else {
        return out;
    };
    match ledger.charge(received.into(), sent.into()).map(|charge| charge.days()) {
        Err(wrong) => out.push(format!("{number}: {wrong}")),
        Ok(counted) => {
            let total = ledger.total(number.side).saturating_add(counted);
            if let Some(days) = stated.days.filter(|days| *days != counted) {
                out.push(format!("{number}: he counts {days} days, the record {counted} ({received} to {sent})"));
            }
            if let Some(his) = stated.total.filter(|his| *his != total) {
                out.push(format!("{number}: he counts {his} days in all, the record {total}"));
            }
        }
    }
    out
}

/// Rows of his table that differ from the record in dates or days.
pub(super) fn of_record(expected: &Expected<'_>, view: &Reading) -> Vec<String> {
    let mut out = Vec::new();
    let Some(ledger) = &expected.ledger else {
        return out;
    };
    for claim in &view.claims {
        let ply = claim.number.and_then(|n| expected.game.first_number().plies_to(n));
        let Some((row, number)) = ply.and_then(|p| ledger.plies().get(p)).zip(claim.number) else {
            continue;
        };
        out.extend(row_differences(number, claim.stated, row));
    }
    out.extend(of_reader(expected, view));
    out.extend(view.date_faults.iter().cloned());
    out
}

/// The player's own day of sending and total, as the mail repeats them.
fn of_reader(expected: &Expected<'_>, view: &Reading) -> Vec<String> {
    let Some(ledger) = &expected.ledger else {
        return Vec::new();
    };
    let sent = ledger.plies().last().and_then(|p| p.sent).map(|d| d.day);
    let total = ledger.total(expected.game.me);
    let day = match (view.reader_sent, sent) {
        (Some(his), Some(ours)) if his != ours => {
            Some(format!("he writes that your last move was sent {his}, the record has {ours}"))
        }
        _ => None,
    };
    let days = view.reader_total.filter(|his| *his != total);
    day.into_iter().chain(days.map(|his| format!("he counts {his} days for you in all, the record {total}"))).collect()
}

fn row_differences(number: MoveNumber, his: Stated, ours: &PlyTime) -> Vec<String> {
    let day = |what: &str, his: Option<NaiveDate>, ours: Option<NaiveDate>| match (his, ours) {
        (Some(his), Some(ours)) if his != ours => {
            Some(format!("{number}: his table has {what} {his}, the record {ours}"))
        }
        _ => None,
    };
    let count = |what: &str, his: Option<u32>, ours: Option<u32>| match (his, ours) {
        (Some(his), Some(ours)) if his != ours => {
            Some(format!("{number}: his table has {what} {his}, the record {ours}"))
        }
        _ => None,
    };
    [
        day("received", his.received, ours.received.map(|d| d.day)),
        day("sent", his.sent, ours.sent.map(|d| d.day)),
        count("days", his.days, ours.days),
        count("total", his.total, Some(ours.total)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
