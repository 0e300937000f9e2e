//! What stands outside the sender's own words: attached games, quoted lines, the subject.
//!
//! Where his own words give no move, an attached game may give it, or the row that he typed below our last one in the quoted
//! table, or a numbered move in the subject; otherwise all three are only compared and must not tell another story.

use super::assess::{Doubt, Finding, Found, found, means_another, one_view};
use super::legal::legal;
use super::sorted::{Sorted, sort};
use super::{Evidence, Expected, Reason};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Reading};

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
    if !evidence.views.iter().all(silent) {
        return Ok(None);
    }
    let plain = |reading: &Reading| reading.offered.is_empty() && reading.unclear.is_empty();
    if !plain(&evidence.subject) || !plain(&evidence.quoted) {
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
    let found = found(expected, claim, legal, &[], &Reading::default())?;
    Ok(Some(Finding::Move(Box::new(found))))
}

/// The row below our last one in the quoted table: our mail cannot have held it.
fn typed_into_quote<'a>(expected: &Expected<'_>, quoted: &'a Reading) -> Option<&'a Claim> {
    let mine = expected.due().checked_sub(1)?;
    let number = expected.number(mine);
    let ours = quoted.claims.iter().position(|c| c.number == Some(number) && expected.means(mine, &c.written))?;
    let mut below = quoted.claims.iter().skip(ours + 1);
    let claim = below.next()?;
    let plain = claim.number == Some(expected.number(expected.due())) && claim.in_sentence.is_none();
    let certain =
        plain && !claim.conditional && below.next().is_none() && quoted.asides.is_empty() && claim.hedge.is_none();
    (certain && expected.game.conditionals.is_empty()).then_some(claim)
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
    let due = expected.number(expected.due());
    let found = match given {
        Some(Finding::Move(found)) => Some(found.as_ref()),
        Some(Finding::Repeat(_)) | None => None,
    };
    let candidates = |claim: &Claim| -> Vec<NumericMove> {
        let his = expected.could_be(&claim.written);
        his.into_iter().chain(found.map(|f| NumericMove::of(&f.legal.played))).collect()
    };
    if expected.opponent_is_due() {
        let differs = |claim: &&Claim| found.is_none_or(|f| !expected.same(&claim.written, &f.written));
        if let Some(claim) = at_due(expected, &evidence.subject).find(differs) {
            let his = claim.written.clone();
            let reason = match found {
                Some(found) => Reason::SubjectDiffers { number: due, subject: his, text: found.written.clone() },
                None => Reason::OnlyInSubject { number: due, his },
            };
            return Err(Doubt { reason, candidates: candidates(claim), illegal: false });
        }
        // "I suppose you will answer 14... 6645", quoted, is no move of his
        let is_stated = |claim: &&Claim| claim.in_sentence.is_none() && claim.hedge.is_none();
        if let Some(claim) = at_due(expected, &evidence.quoted).filter(is_stated).find(differs) {
            let reason = Reason::InQuote { line: claim.line, number: due, his: claim.written.clone() };
            return Err(Doubt { reason, candidates: candidates(claim), illegal: false });
        }
    }
    for claim in evidence.quoted.claims.iter().filter(|c| !c.conditional) {
        let index = claim.number.and_then(|n| expected.number(0).plies_to(n));
        if let (Some(index), Some(number)) = (index, claim.number)
            && let Some(recorded) = expected.moves.get(index)
            && !expected.means(index, &claim.written)
        {
            let his = claim.written.clone();
            return Err(Reason::Contradiction { line: claim.line, number, his, recorded: *recorded }.into());
        }
    }
    subject(expected, &evidence.subject, found)
}

/// A subject may be older than the mail; it must not give another move.
fn subject(expected: &Expected<'_>, subject: &Reading, found: Option<&Found>) -> Result<(), Doubt> {
    if !expected.opponent_is_due() {
        return Ok(());
    }
    let number = expected.number(expected.due());
    // the number of an event may look like a move
    let game = expected.game;
    let is_name = |text: &str| game.event.contains(text) || game.id.as_str().contains(text);
    let claims = subject.claims.iter().filter(|c| c.number.is_none()).map(|c| &c.written);
    for his in claims.chain(subject.loose.iter().map(|(_, m)| m)) {
        if is_name(&his.to_string()) {
            continue;
        }
        let another = match found {
            Some(found) => means_another(expected, his, &found.legal),
            None => expected.could_be(his),
        };
        let Some(another) = another else { continue };
        let subject = his.clone();
        let reason = match found {
            Some(found) => Reason::SubjectDiffers { number, subject, text: found.written.clone() },
            None => Reason::OnlyInSubject { number, his: subject },
        };
        let found = found.map(|f| NumericMove::of(&f.legal.played));
        let candidates = [Some(another), found].into_iter().flatten().collect();
        return Err(Doubt { reason, candidates, illegal: false });
    }
    Ok(())
}
