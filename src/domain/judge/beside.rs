//! What stands beside the moves and must not contradict them: the word for a piece, a diagram.

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

use super::assess::{Doubt, Found};
use super::{Evidence, Expected, Reason};
use crate::domain::notation::{LegalMove, NumericMove};
use crate::domain::transmission::read::{Claim, Reading};

/// The word for a piece beside a move names the piece that moves, the one it takes, or the one the pawn becomes.
pub(super) fn pieces(view: &Reading, due: &[&Claim], legal: &LegalMove) -> Result<(), Doubt> {
    let played = legal.played;
    let mut words = view.called.iter().filter(|c| due.iter().any(|d| d.line == c.line && d.written == c.written));
    let differs = |role| role != played.role() && Some(role) != played.capture() && Some(role) != played.promotion();
    match words.find(|called| !played.is_castle() && differs(called.role)) {
        Some(called) => {
            let (line, his, word) = (called.line, called.written.clone(), called.word.clone());
            let candidates = vec![NumericMove::of(&played)];
            Err(Doubt { reason: Reason::AnotherPiece { line, his, word }, candidates, illegal: false })
        }
        None => Ok(()),
    }
}

/// The board that he shows is the one after his move, or the one that he answers.
pub(super) fn boards(expected: &Expected<'_>, evidence: &Evidence, found: &Found) -> Result<(), Doubt> {
    let board = |position: &Chess| {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        fen.split(' ').next().unwrap_or_default().to_owned()
    };
    let known = [board(expected.replay.position()), board(&found.played.after)];
    let shown = evidence.views.iter().chain(&evidence.attached).flat_map(|view| &view.boards);
    match shown.into_iter().find(|(_, shown)| !known.contains(shown)) {
        Some((line, _)) => {
            let candidates = vec![NumericMove::of(&found.legal.played)];
            let reason = Reason::AnotherBoard { line: *line, his: found.written.clone() };
            Err(Doubt { reason, candidates, illegal: false })
        }
        None => Ok(()),
    }
}
