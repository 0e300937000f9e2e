//! Why a move is not legal, in words. PURE.

use std::error::Error;
use std::fmt;

use shakmaty::{CastlingSide, Color, Role};

use super::illegal::{CastlingTrouble, IllegalMove, Standing};
use super::wording::Both;
use crate::languages::Phrase;
use crate::phrase;

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.phrase().in_english())
    }
}

impl Error for IllegalMove {}

impl IllegalMove {
    /// The reason, to be said in a language.
    pub fn phrase(&self) -> Phrase {
        match self {
            IllegalMove::EmptySquare { from } => phrase!("from {square} is empty", square = Both(from)),
            IllegalMove::OpponentsPiece { piece } => match piece.piece.color {
                Color::White => phrase!("the {piece} is not Black's to move", piece = piece.phrase()),
                Color::Black => phrase!("the {piece} is not White's to move", piece = piece.phrase()),
            },
            IllegalMove::OwnPieceOnTarget { occupant } => {
                phrase!("the square reached is taken by the own {piece}", piece = occupant.phrase())
            }
            IllegalMove::CannotGo { piece, to } => {
                phrase!("the {piece} does not move to {square} that way", piece = piece.phrase(), square = Both(to))
            }
            IllegalMove::Blocked { piece, to, by } => phrase!(
                "the {piece} cannot reach {square}: the {other} is in the way",
                piece = piece.phrase(),
                square = Both(to),
                other = by.phrase()
            ),
            IllegalMove::DoubleStep { pawn } => {
                phrase!("the {piece} may go two squares only from where pawns start", piece = pawn.phrase())
            }
            IllegalMove::NothingToTake { pawn, to } => {
                phrase!("the {piece} has nothing to take on {square}", piece = pawn.phrase(), square = Both(to))
            }
            IllegalMove::NoEnPassant { pawn, to, passed } => phrase!(
                "the {piece} cannot take en passant on {square}: the {other} did not make its double step with the last move",
                piece = pawn.phrase(),
                square = Both(to),
                other = passed.phrase()
            ),
            IllegalMove::StaysInCheck { checker } => {
                phrase!("the king is in check from the {piece} and would stay in check", piece = checker.phrase())
            }
            IllegalMove::ExposesKing { attacker } => {
                phrase!("the move would open the own king to the {piece}", piece = attacker.phrase())
            }
            IllegalMove::KingIntoCheck { attacker } => {
                phrase!("the king would go into check from the {piece}", piece = attacker.phrase())
            }
            IllegalMove::Castling { side, trouble } => match side {
                CastlingSide::KingSide => phrase!("castling kingside is not possible: {why}", why = trouble.phrase()),
                CastlingSide::QueenSide => phrase!("castling queenside is not possible: {why}", why = trouble.phrase()),
            },
            IllegalMove::MissingPromotion { pawn, to } => phrase!(
                "the {piece} promotes on {square}: the fifth digit is missing (1 queen, 2 rook, 3 bishop, 4 knight)",
                piece = pawn.phrase(),
                square = Both(to)
            ),
            IllegalMove::ShortPromotion { means } => phrase!(
                "this looks like the short form of the promotion {means}: please confirm it with all five digits",
                means
            ),
            IllegalMove::AmbiguousPromotion { pawn, queen } => phrase!(
                "the {piece} promotes, but the last digit is either the rank, and the piece is missing, or the queen of a short form ({queen}): \
                 all five digits are needed",
                piece = pawn.phrase(),
                queen
            ),
            IllegalMove::NotAPromotion { plain } => {
                phrase!("the fifth digit means a promotion, and {plain} is none; without it the move is legal", plain)
            }
        }
    }
}

impl CastlingTrouble {
    fn phrase(self) -> Phrase {
        match self {
            CastlingTrouble::RightLost => phrase!("the right to it is lost, king or rook has moved"),
            CastlingTrouble::Occupied(piece) => phrase!("the {piece} stands in between", piece = piece.phrase()),
            CastlingTrouble::InCheck(piece) => phrase!("the king is in check from the {piece}", piece = piece.phrase()),
            CastlingTrouble::ThroughCheck { square, attacker } => phrase!(
                "the king would come to {square}, attacked by the {piece}",
                square = Both(&square),
                piece = attacker.phrase()
            ),
        }
    }
}

impl Standing {
    fn phrase(self) -> Phrase {
        let square = Both(&self.square);
        match (self.piece.color, self.piece.role) {
            (Color::White, Role::Pawn) => phrase!("white pawn on {square}", square),
            (Color::White, Role::Knight) => phrase!("white knight on {square}", square),
            (Color::White, Role::Bishop) => phrase!("white bishop on {square}", square),
            (Color::White, Role::Rook) => phrase!("white rook on {square}", square),
            (Color::White, Role::Queen) => phrase!("white queen on {square}", square),
            (Color::White, Role::King) => phrase!("white king on {square}", square),
            (Color::Black, Role::Pawn) => phrase!("black pawn on {square}", square),
            (Color::Black, Role::Knight) => phrase!("black knight on {square}", square),
            (Color::Black, Role::Bishop) => phrase!("black bishop on {square}", square),
            (Color::Black, Role::Rook) => phrase!("black rook on {square}", square),
            (Color::Black, Role::Queen) => phrase!("black queen on {square}", square),
            (Color::Black, Role::King) => phrase!("black king on {square}", square),
        }
    }
}
