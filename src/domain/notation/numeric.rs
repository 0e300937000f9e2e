//! ICCF numeric notation: four digits, two for the square left and two for the square reached.
//!
//! PURE. Reads one token and turns it into a legal move of a given position, and back.
//! Not covered: tokens with separators (`52-54`), several moves, numbers that are no moves.
//! What will surprise you: castling is the king's move, so `5171` may be a rook's move as well;
//! only the position tells. A promotion never gets a piece that was not written.

use super::illegal::{self, IllegalMove};
use super::wording::{Both, Digits, from_digits};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A move as four or five digits, well formed but **not known to be legal** in any position.
///
/// Square digits are 1 to 8, file first, and the two squares differ; a fifth digit is the piece
/// promoted to: 1 queen, 2 rook, 3 bishop, 4 knight (ICCF numeric notation). The order has no
/// meaning on the board; it is there for sets and sorted lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NumericMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

/// A move that is legal in the position it was read for, and how it had been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// The move, ready to be played in that position.
    pub played: Move,
    /// Whether the writer kept to the standard form.
    pub spelling: Spelling,
}

/// How a legal move was written; everything but `Standard` deserves a word to the writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// The form the notation prescribes.
    Standard,
    /// Castling as king takes own rook, `5181`: usual in Chess960 programs, not in ICCF mail.
    KingTakesRook,
    /// Castling with the rook's move written after the king's, `5171 8161`.
    KingAndRook,
}

/// Why a token is not a numeric move at all, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumericError {
    /// Neither four nor five characters.
    #[error(
        "{input:?} is not a numeric move: it has {length} characters, a move has four digits, or five for a promotion"
    )]
    Length {
        /// The token as given.
        input: String,
        /// Its length in characters.
        length: usize,
    },
    /// One of the four square digits is 0, 9 or no digit.
    #[error("{input:?} is not a numeric move: character {place} is {found:?}, squares have digits from 1 to 8")]
    SquareDigit {
        /// The token as given.
        input: String,
        /// Which character, counted from 1.
        place: usize,
        /// What stands there.
        found: char,
    },
    /// The move would end where it began.
    #[error("{input:?} is not a numeric move: it leaves and reaches the same square, {}", Both(.square))]
    SameSquare {
        /// The token as given.
        input: String,
        /// The square named twice.
        square: Square,
    },
    /// The fifth digit stands for no piece.
    #[error("{input:?} ends in {found:?}: a promotion ends in 1 (queen), 2 (rook), 3 (bishop) or 4 (knight)")]
    PromotionDigit {
        /// The token as given.
        input: String,
        /// What stands in fifth place.
        found: char,
    },
}

/// Why a token is not a legal move here: badly formed, or well formed and illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumericTrouble {
    /// No position could make it a move.
    #[error(transparent)]
    Malformed(#[from] NumericError),
    /// This position does not allow it.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// The legal move that one numeric token means in this position.
///
/// Use this rather than [`NumericMove::from_str`] where a position is at hand: a few tokens of the
/// non-standard short promotion (`6262`, a black pawn on f2 to f1 = rook) name the same square
/// twice and can be told from nonsense by the board only.
///
/// # Errors
/// [`NumericTrouble::Malformed`] when no position could make it a move, else
/// [`NumericTrouble::Illegal`].
pub fn read_numeric(token: &str, position: &Chess) -> Result<LegalMove, NumericTrouble> {
    match token.parse::<NumericMove>() {
        Ok(numeric) => Ok(numeric.to_move(position)?),
        Err(NumericError::SameSquare { input, square }) if input.chars().count() == 4 => {
            match illegal::short_promotion(square, square, position) {
                Some(means) => Err(IllegalMove::ShortPromotion { means }.into()),
                None => Err(NumericError::SameSquare { input, square }.into()),
            }
        }
        Err(malformed) => Err(malformed.into()),
    }
}

impl NumericMove {
    /// The standard numeric form of a move; castling is the king's two squares.
    ///
    /// Standard chess only: a Chess960 castling or a drop has no numeric form of its own.
    pub fn of(m: &Move) -> NumericMove {
        let (from, to) = match *m {
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                (king, Square::from_coords(side.king_to_file(), king.rank()))
            }
            Move::Put { to, .. } => (to, to),
        };
        NumericMove { from, to, promotion: m.promotion() }
    }

    /// The move between two squares, or `None` if they are the same or no pawn can become `promotion`.
    pub fn between(from: Square, to: Square, promotion: Option<Role>) -> Option<NumericMove> {
        let possible = from != to && promotion.is_none_or(|role| piece_digit(role).is_some());
        possible.then_some(NumericMove { from, to, promotion })
    }

    /// The square the piece leaves.
    pub fn from_square(self) -> Square {
        self.from
    }

    /// The square the piece reaches.
    pub fn to_square(self) -> Square {
        self.to
    }

    /// The piece promoted to, if there is a fifth digit.
    pub fn promotion(self) -> Option<Role> {
        self.promotion
    }

    /// The legal move these digits mean in `position`.
    ///
    /// The standard forms of all legal moves differ, so this is never a choice. King takes own
    /// rook is tried only after them: it is never read where the digits are an ordinary move.
    ///
    /// # Errors
    /// [`IllegalMove`] says why not. A promotion without its piece digit is an error too: a queen
    /// is never assumed.
    pub fn to_move(self, position: &Chess) -> Result<LegalMove, IllegalMove> {
        self.find(position).ok_or_else(|| illegal::diagnose(self, position))
    }

    /// [`NumericMove::to_move`] without the reason.
    pub(super) fn find(self, position: &Chess) -> Option<LegalMove> {
        // only moves of this piece to this square: listing all would be most of the time that replaying a game takes
        let role = position.board().role_at(self.from)?;
        let mut legal = position.san_candidates(role, self.to);
        if role == Role::King {
            legal.extend(CastlingSide::ALL.into_iter().flat_map(|side| position.castling_moves(side)));
        }
        let standard = legal.iter().find(|m| NumericMove::of(m) == self);
        let castle = Move::Castle { king: self.from, rook: self.to };
        let king_takes_rook = legal.iter().find(|m| **m == castle && self.promotion.is_none());
        let spelled = |played: &Move, spelling| LegalMove { played: *played, spelling };
        standard
            .map(|m| spelled(m, Spelling::Standard))
            .or_else(|| king_takes_rook.map(|m| spelled(m, Spelling::KingTakesRook)))
    }

    /// The same digits counted from Black's side of the board, 1 for 8 and so on: a slip, not a
    /// notation.
    pub(super) fn seen_from_black(self) -> NumericMove {
        NumericMove { from: self.from.rotate_180(), to: self.to.rotate_180(), promotion: self.promotion }
    }

    /// The castling that this move and the rook's move after it spell together (`5171 8161`), if
    /// they do: this must be the castling king's move, `rook` the move of the rook beside it.
    pub fn castling_with(self, rook: NumericMove, position: &Chess) -> Option<LegalMove> {
        let played = self.find(position)?.played;
        let Move::Castle { king: _, rook: rook_from } = played else {
            return None;
        };
        let rook_to = played.castling_side()?.rook_to(position.turn());
        (NumericMove::between(rook_from, rook_to, None) == Some(rook))
            .then_some(LegalMove { played, spelling: Spelling::KingAndRook })
    }
}

/// The fifth digit and the piece it stands for (ICCF numeric notation).
const PROMOTIONS: [(char, Role); 4] = [('1', Role::Queen), ('2', Role::Rook), ('3', Role::Bishop), ('4', Role::Knight)];

/// The fifth digit for a promotion piece; `None` for a pawn or king.
pub(super) fn piece_digit(piece: Role) -> Option<char> {
    let mut promotions = PROMOTIONS.into_iter();
    promotions.find_map(|(digit, role)| (role == piece).then_some(digit))
}

/// The promotion piece of a fifth digit.
pub(super) fn piece_of_digit(written: char) -> Option<Role> {
    let mut promotions = PROMOTIONS.into_iter();
    promotions.find_map(|(digit, role)| (digit == written).then_some(role))
}

impl FromStr for NumericMove {
    type Err = NumericError;

    /// Reads exactly four or five ASCII digits, nothing around them.
    fn from_str(text: &str) -> Result<NumericMove, NumericError> {
        let input = || text.to_owned();
        let mut characters = text.chars();
        let mut next = || characters.next();
        let (Some(a), Some(b), Some(c), Some(d), fifth, None) = (next(), next(), next(), next(), next(), next()) else {
            return Err(NumericError::Length { input: input(), length: text.chars().count() });
        };
        let wrong = [a, b, c, d].into_iter().zip(1..).find(|(digit, _)| !matches!(digit, '1'..='8'));
        let (Some(from), Some(to), None) = (from_digits(a, b), from_digits(c, d), wrong) else {
            let (found, place) = wrong.unwrap_or((a, 1));
            return Err(NumericError::SquareDigit { input: input(), place, found });
        };
        let promotion = match fifth {
            None => None,
            Some(found) => match piece_of_digit(found) {
                Some(role) => Some(role),
                None => {
                    return Err(NumericError::PromotionDigit { input: input(), found });
                }
            },
        };
        if from == to {
            return Err(NumericError::SameSquare { input: input(), square: from });
        }
        Ok(NumericMove { from, to, promotion })
    }
}

impl fmt::Display for NumericMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Digits(self.from).fmt(f)?;
        Digits(self.to).fmt(f)?;
        match self.promotion.and_then(piece_digit) {
            Some(digit) => f.write_char(digit),
            None => Ok(()),
        }
    }
}

impl From<NumericMove> for String {
    fn from(numeric: NumericMove) -> String {
        numeric.to_string()
    }
}

impl TryFrom<String> for NumericMove {
    type Error = NumericError;

    fn try_from(text: String) -> Result<NumericMove, NumericError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::replay::set_up;

    #[test]
    fn the_move_found_is_the_one_among_all_legal_moves() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/4q3/8/8/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        ] {
            let position = set_up(fen).unwrap();
            let legal = position.legal_moves();
            let roles = [None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];
            let squares = || Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to)));
            for numeric in
                squares().flat_map(|(from, to)| roles.map(|role| NumericMove::between(from, to, role))).flatten()
            {
                let standard = legal.iter().find(|m| NumericMove::of(m) == numeric).copied();
                let castle = Move::Castle { king: numeric.from, rook: numeric.to };
                let expected = standard.or(Some(castle).filter(|m| numeric.promotion.is_none() && legal.contains(m)));
                assert_eq!(numeric.find(&position).map(|found| found.played), expected, "{numeric} in {fen}");
            }
        }
    }
}
