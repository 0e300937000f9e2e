//! The legal move that a claim means, or what is wrong with it.

use std::collections::BTreeSet;

use shakmaty::Role;

use super::assess::Doubt;
use super::meaning::Meaning;
use super::{Expected, Reason};
use crate::domain::notation::{IllegalMove, LegalMove};
use crate::domain::transmission::read::{BadToken, Claim, How, Reading};

/// The legal move that a claim for the ply that is due means, or what is wrong with it. The piece of a promotion may stand beside it in
/// words, or as the last of four digits that can be nothing else.
pub(super) fn legal(expected: &Expected<'_>, view: &Reading, claim: &Claim) -> Result<LegalMove, Doubt> {
    let (line, number, his) = (claim.line, expected.number(expected.due()), claim.written.clone());
    match expected.meaning(&claim.written) {
        Meaning::Legal(legal) => Ok(legal),
        Meaning::Illegal(why) => {
            let called = view.called.iter().filter(|called| called.line == line && called.written == his);
            let roles: BTreeSet<Role> = called.map(|called| called.role).filter(|role| *role != Role::Pawn).collect();
            let said = if roles.len() == 1 { roles.first().copied() } else { None };
            let whole = why.completed_by(said).and_then(|whole| whole.to_move(expected.replay.position()).ok());
            whole.ok_or_else(|| not_legal(expected, claim, why))
        }
        Meaning::NoSuchMove => {
            // `O-O-` at the end of a line may have lost its last letter
            let illegal = claim.how != How::Alone && !his.to_string().starts_with("O-O");
            Err(Doubt { reason: Reason::NoSuchMove { line, number, his }, candidates: Vec::new(), illegal })
        }
        Meaning::Ambiguous(candidates) => {
            Err(Doubt { reason: Reason::Ambiguous { line, number, his }, candidates, illegal: false })
        }
        Meaning::NotAgreed(candidates) => {
            Err(Doubt { reason: Reason::NotAgreed { line, number, his }, candidates, illegal: false })
        }
    }
}

/// Digits in the place of a move are his illegal move only where he gives no other.
pub(super) fn bad_tokens(expected: &Expected<'_>, bad: &[BadToken], alone: bool) -> Result<(), Doubt> {
    match bad.first() {
        Some(BadToken { number, text, why, is_certain, line }) => {
            let due = expected.number(expected.due());
            let illegal = alone && *is_certain && *number == due && expected.opponent_is_due();
            let reason = Reason::BadToken { line: *line, number: *number, text: text.clone(), why: why.clone() };
            Err(Doubt { reason, candidates: Vec::new(), illegal })
        }
        None => Ok(()),
    }
}

/// A clear but impossible move is illegal; one that lacks only its promotion piece is a question.
fn not_legal(expected: &Expected<'_>, claim: &Claim, why: IllegalMove) -> Doubt {
    let number = expected.number(expected.due());
    let candidates = match &why {
        IllegalMove::ShortPromotion { means } => vec![*means],
        _ => Vec::new(),
    };
    let unfinished = matches!(
        why,
        IllegalMove::MissingPromotion { .. }
            | IllegalMove::ShortPromotion { .. }
            | IllegalMove::AmbiguousPromotion { .. }
    );
    // a move that was played before may stand in a layout that was not understood
    let was_played = (0..expected.due()).any(|index| expected.means(index, &claim.written));
    let illegal = claim.how != How::Alone && !unfinished && !was_played;
    Doubt {
        reason: Reason::NotLegal { line: claim.line, number, his: claim.written.clone(), why: Box::new(why) },
        candidates,
        illegal,
    }
}
