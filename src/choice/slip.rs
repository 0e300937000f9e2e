//! What a player may have meant whose text is no legal move here: played already, his opponent's move, another game.
//!
//! Beside it stand the neighbours and the mirrored board of [`crate::domain::notation::explain()`].

use shakmaty::{CastlingSide, Chess, Move, Position, Role};

use super::{Refusal, lines};
use crate::domain::game::Game;
use crate::domain::notation::{LegalMove, NumericMove, PlayerMoveError, explain, parse_player_move, san};
use crate::domain::replay::Replay;
use crate::io::store::StoredGame;

/// Why a text is no move that is due.
pub(super) enum Trouble {
    /// It is none in this position.
    NotAMove(PlayerMoveError),
    /// It is one, and its number is another than that of the move due.
    OtherNumber(u32),
}

/// The refusal, like a compiler's.
pub(super) fn explained(trouble: Trouble, text: &str, game: &Game, replay: &Replay) -> Refusal {
    let position = replay.position();
    let why = match trouble {
        Trouble::NotAMove(why) => why,
        Trouble::OtherNumber(number) => {
            return Refusal::Illegal(format!(
                "you wrote move {number}, and in game {0} {1} is due: is it another game?\nhelp: if you do mean this one, write the move \
                 without its number, or as `{1} MOVE`",
                game.id,
                game.due()
            ));
        }
    };
    let bare = lines::numbered(text).map_or(text, |(_, rest)| rest);
    let mut message = explain(bare, position, Some(game.id.as_str()))
        .map_or_else(|| why.to_string(), |e| e.to_string().trim_end().to_owned());
    for said in [played_before(bare, game, replay), is_his(bare, game, replay)].into_iter().flatten() {
        message.push_str(&format!("\n  {said}"));
    }
    Refusal::NoMove(message)
}

/// That the text is a legal move in others of these games; empty where it is in none.
pub(super) fn elsewhere(text: &str, game: &Game, others: &[StoredGame]) -> String {
    let bare = lines::numbered(text).map_or(text, |(_, rest)| rest);
    let is_legal = |other: &&StoredGame| {
        let there = &other.game;
        there.id != game.id
            && there.is_my_turn()
            && there.replay().is_ok_and(|r| parse_player_move(bare, r.position()).is_ok())
    };
    let legal: Vec<&str> = others.iter().filter(is_legal).map(|other| other.game.id.as_str()).collect();
    if legal.is_empty() { String::new() } else { format!("\n  legal in {}: wrong game?", legal.join(", ")) }
}

/// The player has made this move before; the newest place where the text names it.
pub(super) fn played_before(text: &str, game: &Game, replay: &Replay) -> Option<String> {
    let bare = lines::numbered(text).map_or(text, |(_, rest)| rest);
    let own = replay.plies().enumerate().filter(|(index, _)| game.number_of(*index).side == game.me);
    let named = own.filter(|(_, (before, played))| is_named(bare, before, played)).last();
    let (index, (before, played)) = named?;
    let (number, numeric) = (game.number_of(index), NumericMove::of(played));
    Some(format!("you played this already: {number} {numeric} ({})", san(before, played)))
}

/// The text names the opponent's last move.
fn is_his(text: &str, game: &Game, replay: &Replay) -> Option<String> {
    let (before, played) = replay.plies().last().filter(|_| game.is_my_turn())?;
    let number = game.number_of(game.moves.len().checked_sub(1)?);
    is_named(text, before, played)
        .then(|| format!("this is his move: {number} {} ({})", NumericMove::of(played), san(before, played)))
}

/// A legal move in words that name his last move as well: `Nc6`, where the own knight could take his on c6.
pub(super) fn his_move(text: &str, game: &Game, replay: &Replay, legal: &LegalMove) -> Option<String> {
    // a recapture may well have the words of the capture: `dxe6 dxe6`
    let is_unmarked = legal.played.is_capture() && !text.contains(['x', 'X', ':']);
    let said = is_his(text, game, replay).filter(|_| is_unmarked)?;
    let (meant, written) = (NumericMove::of(&legal.played), san(replay.position(), &legal.played));
    Some(format!("{said}; yours would be {} {meant} ({written})", game.due()))
}

/// The castling that a move of the rook next to the king is half of, where it is legal.
pub(super) fn castling_of_rook(position: &Chess, played: &Move) -> Option<NumericMove> {
    let (from, to) = (played.from()?, played.to());
    if played.role() != Role::Rook {
        return None;
    }
    let castling = position.legal_moves().into_iter().find(|m| match *m {
        Move::Castle { king, rook } => {
            rook == from && CastlingSide::from_king_side(king < rook).rook_to(position.turn()) == to
        }
        Move::Normal { .. } | Move::EnPassant { .. } | Move::Put { .. } => false,
    })?;
    Some(NumericMove::of(&castling))
}

fn is_named(text: &str, before: &Chess, played: &Move) -> bool {
    parse_player_move(text, before).is_ok_and(|legal| legal.played == *played)
}
