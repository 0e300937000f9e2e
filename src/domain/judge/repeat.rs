//! A mail with nothing new: it repeats what is on record.

use super::assess::{Doubt, Finding};
use super::discrepancy::of_record;
use super::sorted::Sorted;
use super::{Evidence, Expected, Reason, Repeated, Verdict};
use crate::domain::game::Stated;
use crate::domain::transmission::read::{Claim, Hedge, HedgeKind, Reading, Written, fill};
use crate::languages::Value;
use crate::phrase;

/// Nothing new: a repeat only if the mail restates the opponent's last move and holds nothing else that could be one.
pub(super) fn repeat(expected: &Expected<'_>, view: &Reading, sorted: &Sorted<'_>) -> Result<Option<Finding>, Doubt> {
    let recorded = |last: usize| Some((last, expected.moves.get(last)?));
    let Some((last, numeric)) = expected.last_of_opponent().and_then(recorded) else { return Ok(None) };
    // he takes back or denies what is on record
    let takes_back = |hedge: &Hedge| matches!(hedge.kind, HedgeKind::TakenBack | HedgeKind::Denied);
    let number = expected.number(last);
    // "I sent 8. 3234, but wanted to play 8. 1214. May I take it back?"
    let is_it = |claim: &Claim| expected.means(last, &claim.written);
    let of_last = |claim: &&Claim| claim.number == Some(number);
    let corrects = |claim: &Claim| claim.hedge.clone().filter(|hedge| !is_it(claim) || takes_back(hedge));
    let said = || view.claims.iter().filter(of_last).find_map(corrects);
    let aside = || view.asides.iter().map(|aside| &aside.hedge).find(|hedge| takes_back(hedge)).cloned();
    let taken_back = || aside().or_else(said).map(|hedge| Doubt::from(Reason::Doubtful(hedge)));
    // "My dates were wrong: I sent it on 29.10."
    let corrects_dates = view.claims.is_empty() && view.loose.is_empty() && view.labelled != Stated::default();
    if let Some(doubt) = taken_back().filter(|_| corrects_dates) {
        return Err(doubt);
    }
    let is_restated = sorted.known.iter().any(|(index, _)| *index == last) || sorted.due.iter().any(|c| is_it(c));
    let goes_on = sorted.known.iter().any(|(index, _)| *index > last);
    if goes_on || !is_restated || view.loose.iter().any(|(_, written)| expected.could_be(written).is_some()) {
        return Ok(None);
    }
    // a line offered with a move that is known already is new all the same
    if let Some(offer) = view.offered.first() {
        return Err(Reason::ConditionUnclear { line: offer.line, words: offer.words.clone() }.into());
    }
    if let Some(doubt) = taken_back() {
        return Err(doubt);
    }
    // wherever he sets another day of sending, it is told: dates that stand apart are those of the move
    let mut view = view.clone();
    for claim in view.claims.iter_mut().filter(|claim| claim.number.is_none_or(|n| n == number) && is_it(claim)) {
        claim.number = Some(number);
        if view.labelled.sent.is_some() {
            fill(&mut claim.stated, view.labelled);
        }
    }
    let other = of_record(expected, std::slice::from_ref(&view));
    let waits = expected.opponent_is_due().then(|| phrase!("; he may not have your answer").into());
    let differ = other.iter().flat_map(|difference| ["; ".into(), difference.clone().into()]);
    let rest = Value::Parts(waits.into_iter().chain(differ).collect());
    let text = phrase!("repeats {number} {numeric}, which is on record{rest}", number, numeric, rest);
    Ok(Some(Finding::Repeat(Repeated { text, differs: !other.is_empty() })))
}

/// Anybody can write any Message-ID: such a mail is a repeat by what it says, never by its id alone.
pub(super) fn seen_before(expected: &Expected<'_>, evidence: &Evidence, heard: Result<Verdict, Doubt>) -> Verdict {
    let candidates = match heard {
        Ok(repeat @ Verdict::Repeat(_)) => return repeat,
        Err(Doubt {
            reason: Reason::NoMove | Reason::NotHisTurn(_) | Reason::NotLegal { .. } | Reason::ConditionUnclear { .. },
            ..
        }) if is_on_record(expected, evidence) => {
            let text = phrase!("this mail was taken in before, and all its moves are on record");
            return Verdict::Repeat(Repeated { text, differs: false });
        }
        // what he offered or announced with it, later moves have answered
        _ if evidence.is_older && is_on_record(expected, evidence) => {
            let text = phrase!("this mail was taken in before, and the game went on since");
            return Verdict::Repeat(Repeated { text, differs: false });
        }
        Ok(Verdict::Accepted(accepted)) => accepted.plies().into_iter().take(1).collect(),
        Ok(_) => Vec::new(),
        Err(doubt) => doubt.candidates,
    };
    Verdict::Held { reason: Reason::MessageIdReused, candidates }
}

/// The mail gives moves, all of them are on record, and none of its words could be a new one.
fn is_on_record(expected: &Expected<'_>, evidence: &Evidence) -> bool {
    let recorded = 0..expected.game.moves.len();
    let could_be = |written: &Written| expected.could_be(written).is_some();
    let is_recorded = |claim: &Claim| {
        let is_his = |index: &usize| expected.number(*index).side != expected.game.me;
        let again = |index: usize| expected.means(index, &claim.written);
        match claim.number {
            Some(_) => expected.repeated(claim).is_some_and(|index| recorded.contains(&index)),
            None => !could_be(&claim.written) && recorded.clone().filter(is_his).any(again),
        }
    };
    let mut claims = evidence.views.iter().flat_map(|view| &view.claims).peekable();
    let mut loose = evidence.views.iter().flat_map(|view| &view.loose);
    claims.peek().is_some() && claims.all(is_recorded) && !loose.any(|(_, written)| could_be(written))
}
