//! The legal move that a claim means, or what is wrong with it.

use shakmaty::Role;

use super::assess::Doubt;
use super::meaning::Meaning;
use super::{Expected, Reason};
use crate::domain::notation::{IllegalMove, LegalMove};
use crate::domain::transmission::read::{Claim, How, Reading};

/// The legal move that a claim for the ply that is due means, or what is wrong with it. The piece of a promotion may stand beside it in
/// words, or as the last of four digits that can be nothing else. A clear but impossible move is illegal; one that lacks only its
/// promotion piece is a question.
pub(super) fn legal(expected: &Expected<'_>, view: &Reading, claim: &Claim) -> Result<LegalMove, Doubt> {
    let (line, number, his) = (claim.line, expected.number(expected.due()), claim.written.clone());
    let is_clear = claim.how != How::Alone;
    let (reason, candidates, illegal) = match expected.meaning(&claim.written) {
        Meaning::Legal(legal) => return Ok(legal),
        Meaning::Illegal(why) => {
            let called = view.called.iter().filter(|called| called.line == line && called.written == his);
            let mut roles = called.map(|called| called.role).filter(|role| *role != Role::Pawn);
            let said = roles.next();
            let said = said.filter(|role| roles.all(|other| other == *role));
            if let Some(whole) = why.completed_by(said).and_then(|whole| whole.to_move(expected.replay.position()).ok())
            {
                return Ok(whole);
            }
            let (candidates, is_unfinished) = match &why {
                IllegalMove::ShortPromotion { means } => (vec![*means], true),
                IllegalMove::MissingPromotion { .. } | IllegalMove::AmbiguousPromotion { .. } => (Vec::new(), true),
                _ => (Vec::new(), false),
            };
            // a move that was played before may stand in a layout that was not understood
            let illegal = is_clear && !is_unfinished && expected.played(&his).is_none();
            (Reason::NotLegal { line, number, his, why: Box::new(why) }, candidates, illegal)
        }
        Meaning::NoSuchMove => {
            // `O-O-` at the end of a line may have lost its last letter
            let illegal = is_clear && !his.to_string().starts_with("O-O");
            (Reason::NoSuchMove { line, number, his }, Vec::new(), illegal)
        }
        Meaning::Ambiguous(candidates) => (Reason::Ambiguous { line, number, his }, candidates, false),
        Meaning::NotAgreed(candidates) => (Reason::NotAgreed { line, number, his }, candidates, false),
    };
    Err(Doubt { reason, candidates, illegal })
}
