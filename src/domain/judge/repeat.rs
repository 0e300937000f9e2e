//! A mail with nothing new: it repeats what is on record.

use super::assess::{Doubt, Finding};
use super::discrepancy::of_record;
use super::events::Heard;
use super::sorted::Sorted;
use super::{Evidence, Expected, Reason, Repeated, Verdict};
use crate::domain::game::{MoveNumber, Stated};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Aside, Claim, HedgeKind, Reading, fill};

/// Nothing new: a repeat only if the mail restates the opponent's last move and holds nothing else that could be one.
pub(super) fn repeat(expected: &Expected<'_>, view: &Reading, sorted: &Sorted<'_>) -> Result<Option<Finding>, Doubt> {
    let another = view.loose.iter().any(|(_, m)| expected.could_be(m).is_some());
    let Some((last, numeric)) = expected.last_of_opponent() else {
        return Ok(None);
    };
    // he takes back or denies what is on record
    let speaks = |aside: &&Aside| matches!(aside.hedge.kind, HedgeKind::TakenBack | HedgeKind::Denied);
    let taken_back = || view.asides.iter().find(speaks).map(|aside| Doubt::from(Reason::Doubtful(aside.hedge.clone())));
    // "My dates were wrong: I sent it on 29.10."
    let corrects_dates = view.claims.is_empty() && view.loose.is_empty() && view.labelled != Stated::default();
    if let Some(doubt) = taken_back().filter(|_| corrects_dates) {
        return Err(doubt);
    }
    let highest = sorted.known.iter().map(|(index, _)| *index).max();
    let unnumbered = sorted.due.iter().any(|c| expected.means(last, &c.written));
    let restated = sorted.known.iter().any(|(index, _)| *index == last) || unnumbered;
    if another || !restated || highest.is_some_and(|h| h > last) {
        return Ok(None);
    }
    // a line offered with a move that is known already is new all the same
    if let Some(offer) = view.offered.first() {
        return Err(Reason::ConditionUnclear { line: offer.line, words: offer.words.clone() }.into());
    }
    if let Some(doubt) = taken_back() {
        return Err(doubt);
    }
    let number = expected.number(last);
    let view = with_dates_of(view, number, |claim| expected.means(last, &claim.written));
    let other = of_record(expected, std::slice::from_ref(&view));
    let differs: String = other.iter().map(|difference| format!("; {difference}")).collect();
    let waits = if expected.opponent_is_due() { "; he may not have your answer" } else { "" };
    let text = format!("repeats {number} {numeric}, which is on record{waits}{differs}");
    Ok(Some(Finding::Repeat(Repeated { text, differs: !other.is_empty() })))
}

/// The view with the dates that stand apart from a repeated move, given to it: wherever he sets another day of sending, it is told.
fn with_dates_of(view: &Reading, number: MoveNumber, is_it: impl Fn(&Claim) -> bool) -> Reading {
    let mut view = view.clone();
    let apart = view.labelled;
    for claim in view.claims.iter_mut().filter(|claim| claim.number.is_none_or(|n| n == number) && is_it(claim)) {
        claim.number = Some(number);
        if apart.sent.is_some() {
            fill(&mut claim.stated, apart);
        }
    }
    view
}

/// Anybody can write any Message-ID: such a mail is a repeat by what it says, never by its id alone.
pub(super) fn seen_before(expected: &Expected<'_>, evidence: &Evidence, heard: Result<Heard, Doubt>) -> Verdict {
    let candidates = match heard {
        Ok(Heard::Repeat(text)) => return Verdict::Repeat(text),
        Err(Doubt {
            reason: Reason::NoMove | Reason::NotHisTurn(_) | Reason::NotLegal { .. } | Reason::ConditionUnclear { .. },
            ..
        }) if is_on_record(expected, evidence) => {
            let text = "this mail was taken in before, and all its moves are on record".to_owned();
            return Verdict::Repeat(Repeated { text, differs: false });
        }
        Ok(Heard::Move(found, _)) => vec![NumericMove::of(&found.legal.played)],
        Ok(Heard::Resigns(_) | Heard::AcceptsDraw(_)) => Vec::new(),
        Err(doubt) => doubt.candidates,
    };
    Verdict::Held { reason: Reason::MessageIdReused, candidates }
}

/// The mail gives moves, all of them are on record, and none of its words could be a new one.
fn is_on_record(expected: &Expected<'_>, evidence: &Evidence) -> bool {
    let recorded = 0..expected.game.moves.len();
    let is_recorded = |claim: &Claim| match claim.number {
        Some(number) => expected
            .number(0)
            .plies_to(number)
            .is_some_and(|index| recorded.contains(&index) && expected.means(index, &claim.written)),
        None => {
            let his = |index: &usize| expected.number(*index).side != expected.game.me;
            expected.could_be(&claim.written).is_none()
                && recorded.clone().filter(his).any(|index| expected.means(index, &claim.written))
        }
    };
    let nothing_else = |view: &Reading| view.loose.iter().all(|(_, m)| expected.could_be(m).is_none());
    let mut claims = evidence.views.iter().flat_map(|view| &view.claims).peekable();
    claims.peek().is_some() && claims.all(is_recorded) && evidence.views.iter().all(nothing_else)
}
