//! What stands outside the sender's own words: attached games, quoted lines, the subject.
//!
//! Where his own words give no move, an attached game may give it, or the row that he typed below our last one in the quoted
//! table, or a numbered move in the subject; otherwise all three are only compared and must not tell another story.

use super::assess::{Doubt, Finding, found, means_another, one_view};
use super::legal::legal;
use super::sorted::{Sorted, sort};
use super::{Evidence, Expected, Reason};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Reading, Written};

/// The move that something else than his own words gives, where these give none.
pub(super) fn source(expected: &Expected<'_>, evidence: &Evidence) -> Result<Option<Finding>, Doubt> {
    let mut given = None;
    for file in &evidence.attached {
        match (one_view(expected, file)?, &given) {
            (Some(Finding::Move(a)), Some(Finding::Move(b))) if a.legal.played != b.legal.played => {
                return Err(Reason::ViewsDiffer.into());
            }
            (finding @ Some(Finding::Move(_)), _) | (finding, None) => given = finding,
            _ => {}
        }
    }
    if given.is_some() || !expected.opponent_is_due() {
        return Ok(given);
    }
    let silent = |view: &Reading| view.claims.is_empty() && view.bad.is_empty();
    let plain = |reading: &Reading| reading.offered.is_empty() && reading.unclear.is_empty();
    if !evidence.views.iter().all(silent) || !plain(&evidence.subject) || !plain(&evidence.quoted) {
        return Ok(None);
    }
    let typed = typed_into_quote(expected, &evidence.quoted).filter(|_| evidence.may_be_typed);
    let claim = match typed {
        Some(claim) => claim,
        // nothing in the text may be another move that was not understood
        None if evidence.views.iter().any(|view| view.unread > 0) => return Ok(None),
        None => {
            let mut claims = at_due(expected, &evidence.subject);
            let Some(claim) = claims.next() else { return Ok(None) };
            if !claims.all(|other| expected.same(&other.written, &claim.written)) {
                return Ok(None);
            }
            claim
        }
    };
    // "forget the move in the subject"
    if let Some(aside) = evidence.views.iter().flat_map(|view| &view.asides).next() {
        return Err(Reason::Doubtful(aside.hedge.clone()).into());
    }
    let legal = legal(expected, &Reading::default(), claim)?;
    let found = found(expected, &[claim], legal, &[], &Reading::default())?;
    Ok(Some(Finding::Move(Box::new(found))))
}

/// The row below our last one in the quoted table: our mail cannot have held it.
fn typed_into_quote<'a>(expected: &Expected<'_>, quoted: &'a Reading) -> Option<&'a Claim> {
    let mine = expected.due().checked_sub(1)?;
    let ours = quoted.claims.iter().position(|claim| expected.repeated(claim) == Some(mine))?;
    let mut below = quoted.claims.iter().skip(ours + 1);
    let claim = below.next()?;
    let is_plain = claim.in_sentence.is_none() && claim.hedge.is_none() && !claim.conditional;
    let is_last = expected.index_of(claim) == Some(mine + 1) && below.next().is_none();
    let is_certain = is_plain && is_last && quoted.asides.is_empty() && expected.game.conditionals.is_empty();
    is_certain.then_some(claim)
}

fn at_due<'a>(expected: &Expected<'_>, reading: &'a Reading) -> impl Iterator<Item = &'a Claim> {
    let due = expected.number(expected.due());
    reading.claims.iter().filter(move |c| c.number == Some(due) && !c.conditional)
}

/// Attached games must not give another move than his own words. That they are in another notation is no doubt where they agree.
pub(super) fn files_agree(expected: &Expected<'_>, evidence: &Evidence, own: &Finding) -> Result<(), Doubt> {
    let gives_the_same = |file: &Reading| match (own, sort(expected, file)) {
        (Finding::Move(found), Ok(Sorted { due, ahead, .. })) => {
            let is_same = |claim: &&Claim| expected.same(&claim.written, &found.written);
            ahead.is_empty() && file.bad.is_empty() && !due.is_empty() && due.iter().all(is_same)
        }
        _ => false,
    };
    for file in evidence.attached.iter().filter(|file| !gives_the_same(file)) {
        if let (Some(Finding::Move(attached)), Finding::Move(found)) = (one_view(expected, file)?, own)
            && attached.legal.played != found.legal.played
        {
            let number = expected.number(expected.due());
            let (attached, text) = (attached.written, found.written.clone());
            return Err(Reason::FileDiffers { number, attached, text }.into());
        }
    }
    Ok(())
}

/// Quoted lines and the subject must not tell another story.
pub(super) fn elsewhere(expected: &Expected<'_>, evidence: &Evidence, given: Option<&Finding>) -> Result<(), Doubt> {
    let (number, is_his_turn) = (expected.number(expected.due()), expected.opponent_is_due());
    let found = match given {
        Some(Finding::Move(found)) => Some(found.as_ref()),
        Some(Finding::Repeat(_)) | None => None,
    };
    let doubt = |reason, his: &Written| {
        let own = found.map(|found| NumericMove::of(&found.legal.played));
        Doubt { reason, candidates: expected.could_be(his).into_iter().chain(own).collect(), illegal: false }
    };
    let of_subject = |subject: Written| match found {
        Some(found) => Reason::SubjectDiffers { number, subject, text: found.written.clone() },
        None => Reason::OnlyInSubject { number, his: subject },
    };
    let differs = |claim: &&Claim| is_his_turn && found.is_none_or(|f| !expected.same(&claim.written, &f.written));
    if let Some(Claim { written, .. }) = at_due(expected, &evidence.subject).find(differs) {
        return Err(doubt(of_subject(written.clone()), written));
    }
    // "I suppose you will answer 14... 6645", quoted, is no move of his
    let is_stated = |claim: &&Claim| claim.in_sentence.is_none() && claim.hedge.is_none();
    if let Some(claim) = at_due(expected, &evidence.quoted).filter(is_stated).find(differs) {
        let reason = Reason::InQuote { line: claim.line, number, his: claim.written.clone() };
        return Err(doubt(reason, &claim.written));
    }
    for claim in evidence.quoted.claims.iter().filter(|claim| !claim.conditional) {
        if let (Some(index), Some(number)) = (expected.index_of(claim), claim.number)
            && let Some(recorded) = expected.moves.get(index)
            && !expected.means(index, &claim.written)
        {
            let his = claim.written.clone();
            return Err(Reason::Contradiction { line: claim.line, number, his, recorded: *recorded }.into());
        }
    }
    // a subject may be older than the mail, and the number of an event may look like a move
    let game = expected.game;
    let is_name = |text: &str| game.event.contains(text) || game.id.as_str().contains(text);
    let is_another = |his: &&Written| {
        let another = found.map_or_else(|| expected.could_be(his), |found| means_another(expected, his, &found.legal));
        is_his_turn && another.is_some() && !is_name(&his.to_string())
    };
    let claims = evidence.subject.claims.iter().filter(|claim| claim.number.is_none()).map(|claim| &claim.written);
    match claims.chain(evidence.subject.loose.iter().map(|(_, written)| written)).find(is_another) {
        Some(his) => Err(doubt(of_subject(his.clone()), his)),
        None => Ok(()),
    }
}
