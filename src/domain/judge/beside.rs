//! What stands beside the moves and must not contradict them: the word for a piece, a diagram, the players' names.

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

use super::assess::{Doubt, Found};
use super::{Evidence, Expected, Reason};
use crate::domain::adopt::name_words;
use crate::domain::game::{Player, Side};
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

/// The players that a PGN names are those of the game, each on his side.
pub(super) fn players(expected: &Expected<'_>, evidence: &Evidence, found: &Found) -> Result<(), Doubt> {
    for view in evidence.views.iter().chain(&evidence.attached).filter(|view| !view.claims.is_empty()) {
        let named = |side: Side| view.players.iter().find(|(of, _)| *of == side).map(|(_, name)| name.as_str());
        let (Some(white), Some(black)) = (named(Side::White), named(Side::Black)) else { continue };
        let is = |name: &str, side: Side| is_named(expected.game.player(side), name);
        let fits = is(white, Side::White) || is(black, Side::Black);
        if !fits && !is_blank(white) && !is_blank(black) {
            let reason = Reason::OtherPlayers { white: white.to_owned(), black: black.to_owned() };
            let candidates = vec![NumericMove::of(&found.legal.played)];
            return Err(Doubt { reason, candidates, illegal: false });
        }
    }
    Ok(())
}

/// Whether a name shares a word with that of a player, or with the beginning of his address.
fn is_named(player: &Player, name: &str) -> bool {
    let locals = player.emails.iter().filter_map(|email| email.split('@').next());
    let own: Vec<String> = std::iter::once(player.name.as_str()).chain(locals).flat_map(name_words).collect();
    let local = name.split('@').next().unwrap_or_default();
    name_words(local).iter().any(|word| own.contains(word))
}

/// A name that names nobody: `?`, `NN`, "White", "Player One".
fn is_blank(name: &str) -> bool {
    let words = name_words(name);
    let is_nobody = |word: &String| {
        matches!(
            word.as_str(),
            "white" | "black" | "weiss" | "schwarz" | "nn" | "player" | "one" | "two" | "me" | "you"
        )
    };
    words.iter().all(is_nobody)
}
