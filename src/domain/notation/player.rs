//! Our own player's move, in whatever notation he types it.
//!
//! PURE. Numeric (also `57-55`, `6768=Q`), SAN, coordinates, long algebraic, castling in any form.
//! Letters are English. Not covered: mails of opponents, where numbers are not moves by default.
//! What will surprise you: a text that fits two legal moves is an error that names both; nothing
//! is ever chosen for the player, not even a queen.

use super::algebraic::{Written, both_squares, is_dash, san};
use super::illegal::{IllegalMove, castling_trouble};
use super::language::Language;
use super::numeric::{LegalMove, NumericMove, NumericTrouble, Spelling, piece_digit, read_numeric};
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, san::San};

/// Why a text of the player's is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerMoveError {
    /// It is numeric, and malformed or illegal.
    #[error(transparent)]
    Numeric(#[from] NumericTrouble),
    /// It is in no notation known here.
    #[error("{text:?} is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O")]
    Unreadable {
        /// The text as given.
        text: String,
    },
    /// It is algebraic and names one thing that cannot be done.
    #[error("{text:?} is not legal: {reason}")]
    Illegal {
        /// The text as given.
        text: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// It is algebraic and no piece can do it.
    #[error("no piece of that kind can go where {text:?} says")]
    NoSuchMove {
        /// The text as given.
        text: String,
    },
    /// It is marked as something the move is not.
    #[error("{text:?} is marked as {mark}, and {numeric} is none")]
    WrongMark {
        /// The text as given.
        text: String,
        /// The mark in words.
        mark: &'static str,
        /// The legal move it would be without the mark.
        numeric: NumericMove,
    },
    /// It fits more than one legal move.
    #[error("{text:?} may be {}; write which", candidates.join(" or "))]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves it fits, in SAN and numeric.
        candidates: Vec<String>,
    },
}

/// The one legal move that a text of our own player means in `position`.
///
/// # Errors
/// [`PlayerMoveError`], whenever the text is not exactly one legal move.
pub fn parse_player_move(text: &str, position: &Chess) -> Result<LegalMove, PlayerMoveError> {
    let Some(written) = Written::read(text, Language::ENGLISH) else {
        return numeric(text, position);
    };
    let moves = written.moves(position);
    match moves.as_slice() {
        [played] => Ok(LegalMove { played: *played, spelling: spelling(&written, played) }),
        [] => Err(refusal(text, &written, position)),
        _ => Err(PlayerMoveError::Ambiguous {
            text: text.to_owned(),
            candidates: moves.iter().map(|m| format!("{} ({})", san(position, m), NumericMove::of(m))).collect(),
        }),
    }
}

/// Digits with or without something between them; `6768Q` names its piece by letter.
fn numeric(text: &str, position: &Chess) -> Result<LegalMove, PlayerMoveError> {
    let bare = text.trim().trim_end_matches(['+', '#', '!', '?', '.', ',']);
    let mut digits: String =
        bare.chars().filter(|c| !is_dash(*c) && !matches!(c, ' ' | '/' | ':' | '.' | '=' | 'x')).collect();
    if let [_, _, _, _, letter] = digits.chars().collect::<Vec<_>>().as_slice()
        && let Some(piece) = Language::ENGLISH.english(*letter).chars().find_map(Role::from_char)
        && let Some(digit) = piece_digit(piece)
    {
        digits.pop();
        digits.push(digit);
    }
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        let text = text.to_owned();
        return Err(PlayerMoveError::Unreadable { text });
    }
    if let Some((king, rook)) = digits.split_at_checked(4)
        && let (Ok(king), Ok(rook)) = (king.parse::<NumericMove>(), rook.parse())
        && let Some(legal) = king.castling_with(rook, position)
    {
        return Ok(legal);
    }
    Ok(read_numeric(&digits, position)?)
}

/// Castling written as `e1h1` is as unusual as `5181`.
fn spelling(written: &Written, played: &Move) -> Spelling {
    let squares = written.readings.iter().copied().find_map(both_squares);
    match (played, squares) {
        (Move::Castle { rook, .. }, Some((_, to))) if to == *rook => Spelling::KingTakesRook,
        _ => Spelling::Standard,
    }
}

/// Why no legal move fits, as precisely as the text allows.
fn refusal(text: &str, written: &Written, position: &Chess) -> PlayerMoveError {
    let text = text.to_owned();
    let mut vague = None;
    for reading in &written.readings {
        if let San::Castle(side) = *reading
            && let Some(trouble) = castling_trouble(side, position)
        {
            let reason = IllegalMove::Castling { side, trouble };
            return PlayerMoveError::Illegal { text, reason };
        }
        for candidate in candidates(*reading, position) {
            match candidate.to_move(position) {
                Ok(legal) => {
                    if let Some(mark) = wrong_mark(*reading, written, &legal.played) {
                        let numeric = candidate;
                        return PlayerMoveError::WrongMark { text, mark, numeric };
                    }
                }
                Err(reason @ IllegalMove::CannotGo { .. }) => {
                    vague = both_squares(*reading).map(|_| reason);
                }
                Err(reason) => return PlayerMoveError::Illegal { text, reason },
            }
        }
    }
    match vague {
        Some(reason) => PlayerMoveError::Illegal { text, reason },
        None => PlayerMoveError::NoSuchMove { text },
    }
}

fn wrong_mark(reading: San, written: &Written, m: &Move) -> Option<&'static str> {
    let takes = matches!(reading, San::Normal { capture: true, .. });
    if takes && !m.is_capture() {
        Some("a capture")
    } else if written.en_passant && !m.is_en_passant() {
        Some("en passant")
    } else {
        None
    }
}

/// The moves a SAN could mean by its squares and piece, legal or not.
fn candidates(reading: San, position: &Chess) -> Vec<NumericMove> {
    let San::Normal { role, file, rank, to, promotion, .. } = reading else {
        return Vec::new();
    };
    let from = match both_squares(reading) {
        Some((from, _)) => Bitboard::from_square(from),
        None => position.our(role),
    };
    // A pawn without a file goes straight ahead.
    let file = file.or((role == Role::Pawn).then_some(to.file()));
    let stands_right =
        |from: &Square| file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank());
    from.into_iter().filter(stands_right).filter_map(|from| NumericMove::between(from, to, promotion)).collect()
}
