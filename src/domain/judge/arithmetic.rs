//! The dates and days of the new move by arithmetic, where words leave them open.
//!
//! A day of receipt, a day of sending, the days between them as the rules of the game count them, and the total that they make: where
//! the mail writes four such values, and no other four, they are his, whatever words stand beside them and in whatever language.
//! Each value must be written; three of the four would often fit by chance.

use chrono::NaiveDate;

use super::meaning::Meaning;
use super::{Evidence, Expected};
use crate::domain::game::Stated;
use crate::domain::notation::LegalMove;
use crate::domain::transmission::read::{Claim, Passage, Reading, Written, fill};

/// Fills what `stated` leaves blank of the new move, where what the mail writes has exactly one solution.
pub(super) fn fill_blanks(
    expected: &Expected<'_>,
    view: &Reading,
    legal: &LegalMove,
    stated: Stated,
) -> Option<Stated> {
    let ledger = expected.ledger.as_ref()?;
    let side = expected.number(expected.due()).side;
    let is_complete = stated.received.and(stated.sent).is_some() && stated.days.and(stated.total).is_some();
    if ledger.is_partial(side) || is_complete {
        return None;
    }
    let (mut days, mut numbers): (Vec<[Option<NaiveDate>; 2]>, Vec<u32>) = (Vec::new(), Vec::new());
    for passage in &view.passages {
        let of_record = of_record(expected, passage, legal);
        // "3334 08 Jun 10 Jun 2 96 | 8685": what stands between the two is of the first
        let before = |moves: usize| moves.checked_sub(1).and_then(|at| passage.moves.get(at));
        let is_old = |his: &Written| !is_new(expected, his, legal) && expected.played(his).is_some();
        let is_of_record = |moves: usize| before(moves).is_some_and(is_old);
        let is_row = passage.number.is_some() && of_record.is_none();
        // the day beside the reader's own last move may be that of its receipt
        if of_record.is_none_or(|ply| ply + 1 == expected.due()) {
            days.extend(passage.days.iter().filter(|(moves, _)| !is_row || !is_of_record(*moves)).map(|(_, day)| day));
        }
        if of_record.is_none() {
            numbers.extend(passage.numbers.iter().filter(|(moves, _)| !is_of_record(*moves)).map(|(_, n)| n));
        }
    }
    let count = |received: NaiveDate, sent: NaiveDate| Some(ledger.charge(received.into(), sent.into()).ok()?.days());
    solve(&days, &numbers, stated, ledger.total(side), count)
}

/// Whether the mail dates a new move from end to end: received after the player's move was sent, sent by the day of the mail, and the days
/// between them, or the total that they make, as the rules count them.
pub(super) fn closes(expected: &Expected<'_>, view: &Reading, claim: &Claim, legal: &LegalMove) -> bool {
    let mut stated = claim.stated;
    fill(&mut stated, view.labelled);
    let stated = fill_blanks(expected, view, legal, stated).unwrap_or(stated);
    let (Some(ledger), Some(received), Some(sent)) = (&expected.ledger, stated.received, stated.sent) else {
        return false;
    };
    let Ok(used) = ledger.charge(received.into(), sent.into()) else { return false };
    let total = ledger.total(expected.number(expected.due()).side).saturating_add(used.days());
    expected.answered().is_some_and(|answered| answered <= received)
        && received <= sent
        && (stated.days.is_some() || stated.total.is_some())
        && stated.days.is_none_or(|days| days == used.days())
        && stated.total.is_none_or(|his| his == total)
}

/// Days by which he may err where his dates and his total prove what he used.
const PROVEN_SLIP: i64 = 3;

/// What he states without what cannot be of this move: dates of a letter that he sent before the player's move was, days that did not
/// pass, a move longer than all of them. What is off by a few days is an error of his, and stays to be shown.
pub(super) fn possible(expected: &Expected<'_>, evidence: &Evidence, stated: Stated) -> Stated {
    let mut out = stated;
    if stated.sent.is_some_and(|sent| expected.is_earlier(sent)) {
        (out.sent, out.received) = (None, out.received.filter(|day| !expected.is_earlier(*day)));
    }
    let (from, to) = (out.received.or(expected.answered()), out.sent.or(evidence.header_sent));
    let apart = from.zip(to).map(|(from, to)| (to - from).num_days().max(0));
    // the rules may count days twice
    let did_not_pass = |days: u32| apart.is_some_and(|apart| i64::from(days) > 2 * apart + SLIP);
    if stated.days.zip(stated.total).is_some_and(|(days, total)| days > total) {
        (out.days, out.total) = (None, None);
    }
    out.days = out.days.filter(|days| !did_not_pass(*days));
    // "Your letter came on the 10th, and today, the 13th, after 3 days": they did not pass by the 10th, but by the day of the mail
    let passed_by = |day: NaiveDate, days: u32| {
        expected.answered().is_none_or(|answered| i64::from(days) <= (day - answered).num_days() + 1)
    };
    if let (None, Some(sent), Some(days), Some(mailed)) = (out.received, out.sent, out.days, evidence.header_sent)
        && !passed_by(sent, days)
        && passed_by(mailed, days)
    {
        out.sent = None;
    }
    // "My time in all: 23, your time in all: 15": dates and total prove other days than these
    let proven = || {
        let (ledger, total) = (expected.ledger.as_ref()?, out.total?);
        let used = ledger.charge(out.received?.into(), out.sent?.into()).ok()?.days();
        (ledger.total(expected.number(expected.due()).side).saturating_add(used) == total).then_some(used)
    };
    if let Some(used) = proven() {
        out.days = out.days.filter(|days| i64::from(*days) <= 2 * i64::from(used) + PROVEN_SLIP);
    }
    out
}

/// Days by which somebody may count wrongly.
const SLIP: i64 = 10;

/// The ply on record whose row a passage is.
fn of_record(expected: &Expected<'_>, passage: &Passage, legal: &LegalMove) -> Option<usize> {
    if let Some(number) = passage.number {
        let ply = expected.number(0).plies_to(number)?;
        return (ply < expected.due()).then_some(ply);
    }
    let last = passage.moves.last().filter(|_| !passage.moves.iter().any(|his| is_new(expected, his, legal)))?;
    expected.played(last)
}

/// Whether he writes the new move.
fn is_new(expected: &Expected<'_>, his: &Written, legal: &LegalMove) -> bool {
    matches!(expected.meaning(his), Meaning::Legal(l) if l.played == legal.played)
}

/// The one way in which written days and numbers are the dates and days of a move, with what is known of them already.
fn solve(
    days: &[[Option<NaiveDate>; 2]],
    numbers: &[u32],
    known: Stated,
    total_before: u32,
    count: impl Fn(NaiveDate, NaiveDate) -> Option<u32>,
) -> Option<Stated> {
    let mut found: Option<Stated> = None;
    for order in [0, 1] {
        let written: Vec<NaiveDate> = days.iter().filter_map(|orders| orders.get(order).copied().flatten()).collect();
        let all = |day: Option<NaiveDate>| day.map_or_else(|| written.clone(), |day| vec![day]);
        for received in all(known.received) {
            for sent in all(known.sent) {
                let twice = written.iter().filter(|day| **day == sent).count() > 1;
                let both_known = known.received.is_some() && known.sent.is_some();
                if sent < received || (sent == received && !twice && !both_known) {
                    continue;
                }
                let Some(used) = count(received, sent) else { continue };
                let total = total_before.saturating_add(used);
                let times = |n| numbers.iter().filter(|other| **other == n).count();
                let is_days = known.days.map_or(times(used) > 0, |days| days == used);
                let is_total = known.total.map_or(times(total) > 0, |his| his == total);
                let one_for_both = used == total && times(used) < 2 && !(known.days.is_some() && known.total.is_some());
                // no day more, and the total that he had: every table of the game has these, whatever he did now
                let is_old = used == 0 && known.days.is_none() && known.total.is_none();
                if !is_days || !is_total || one_for_both || is_old {
                    continue;
                }
                let solution =
                    Stated { received: Some(received), sent: Some(sent), days: Some(used), total: Some(total) };
                if found.is_some_and(|other| other != solution) {
                    return None;
                }
                found = Some(solution);
            }
        }
    }
    found
}
