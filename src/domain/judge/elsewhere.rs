//! The subject and the quoted lines: compared with the move of the text, never a source of one.

use super::assess::{Doubt, Finding, means_another};
use super::{Evidence, Expected, Reason};
use crate::domain::transmission::read::{Concern, Reading};

/// The subject and the quoted lines must not tell another story.
pub(super) fn elsewhere(expected: &Expected<'_>, evidence: &Evidence, given: Option<&Finding>) -> Result<(), Doubt> {
    let due = expected.number(expected.due());
    let text = match given {
        Some(Finding::Move(found)) => Some(found.due_written),
        Some(Finding::Repeat(_)) | None => None,
    };
    let at_due = |reading: &Reading| {
        let mut claims = reading.claims.iter().filter(|c| c.number == Some(due));
        claims.find(|c| Some(c.numeric()) != text).map(|c| (c.line, c.numeric()))
    };
    if expected.opponent_is_due() {
        match (at_due(&evidence.subject), text) {
            (Some((_, subject)), Some(text)) => {
                return Err(Doubt {
                    reason: Reason::SubjectDiffers { number: due, subject, text },
                    candidates: vec![subject, text],
                    illegal: false,
                });
            }
            (Some((_, his)), None) => {
                return Err(Doubt {
                    reason: Reason::OnlyInSubject { number: due, his },
                    candidates: vec![his],
                    illegal: false,
                });
            }
            _ => {}
        }
        if let Some((line, his)) = at_due(&evidence.quoted) {
            return Err(Doubt {
                reason: Reason::InQuote { line, number: due, his },
                candidates: vec![his],
                illegal: false,
            });
        }
    }
    for claim in evidence.quoted.claims.iter().filter(|c| !c.conditional) {
        let index = claim.number.and_then(|n| expected.number(0).plies_to(n));
        if let (Some(index), Some(number)) = (index, claim.number)
            && let Some(recorded) = expected.moves.get(index)
            && !expected.means(index, claim.numeric())
        {
            return Err(
                Reason::Contradiction { line: claim.line, number, his: claim.numeric(), recorded: *recorded }.into()
            );
        }
    }
    subject(expected, &evidence.subject, given)
}

/// A subject may be older than the mail; it must not give another move, nor speak of the result or of a correction.
fn subject(expected: &Expected<'_>, subject: &Reading, given: Option<&Finding>) -> Result<(), Doubt> {
    let touches = |concern: &Concern| matches!(concern, Concern::Draw | Concern::Resignation | Concern::Correction);
    let concern = subject.concerns.iter().find(|(_, concern)| touches(concern)).copied();
    if let Some((line, concern)) = concern.or(subject.draw_offer.map(|line| (line, Concern::Draw))) {
        return Err(Reason::Concern { line, concern }.into());
    }
    if !expected.opponent_is_due() {
        return Ok(());
    }
    let number = expected.number(expected.due());
    let found = match given {
        Some(Finding::Move(found)) => Some(found),
        Some(Finding::Repeat(_)) | None => None,
    };
    // the number of an event may look like a move
    let game = expected.game;
    let is_name = |text: &str| game.event.contains(text) || game.id.as_str().contains(text);
    let claims = subject.claims.iter().filter(|c| c.number.is_none()).map(|c| c.numeric());
    for his in claims.chain(subject.loose.iter().map(|(_, m)| *m)) {
        let Some(legal) = expected.try_move(his).filter(|_| !is_name(&his.to_string())) else {
            continue;
        };
        let reason = match found {
            Some(found) if found.due.played == legal.played => continue,
            Some(found) => Reason::SubjectDiffers { number, subject: his, text: found.due_written },
            None => Reason::OnlyInSubject { number, his },
        };
        let candidates = [Some(his), found.map(|f| f.due_written)].into_iter().flatten().collect();
        return Err(Doubt { reason, candidates, illegal: false });
    }
    if let Some(found) = found {
        for (line, text) in &subject.algebraic {
            if !is_name(text) && means_another(expected, text, &found.due) {
                return Err(Reason::Notations { line: *line, algebraic: text.clone(), his: found.due_written }.into());
            }
        }
    }
    Ok(())
}
