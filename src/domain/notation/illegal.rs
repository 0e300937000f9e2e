//! Why a well-formed numeric move is not legal, said precisely enough to find the slip.
//!
//! PURE. shakmaty decides what is legal ([`NumericMove::to_move`]); this file only explains a no,
//! with the first reason a player at the board would give. Standard chess only.
//! What will surprise you: a promotion with too few digits (`6762`, `3738`) is its own error,
//! naming what it may mean. It is never played: the writer confirms it first.

use super::numeric::{NumericMove, piece_of_digit};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, File, Piece, Position, Rank, Role, Square, attacks};

/// A piece and the square it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The piece with its colour.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
}

/// Why a move is not legal in the position it was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// Nothing stands on the square left.
    EmptySquare {
        /// The square left.
        from: Square,
    },
    /// The piece belongs to the side that is not to move.
    OpponentsPiece {
        /// The piece named.
        piece: Standing,
    },
    /// A piece of the same side is in the way on the square reached.
    OwnPieceOnTarget {
        /// The piece that stands there.
        occupant: Standing,
    },
    /// No piece of this kind moves like that.
    CannotGo {
        /// The piece named.
        piece: Standing,
        /// The square it was to reach.
        to: Square,
    },
    /// The way is right but not free.
    Blocked {
        /// The piece named.
        piece: Standing,
        /// The square it was to reach.
        to: Square,
        /// The nearest piece on its way.
        by: Standing,
    },
    /// A pawn two squares forward, not from its first rank.
    DoubleStep {
        /// The pawn named.
        pawn: Standing,
    },
    /// A pawn sideways forward to an empty square.
    NothingToTake {
        /// The pawn named.
        pawn: Standing,
        /// The empty square it was to reach.
        to: Square,
    },
    /// Looks like en passant, but the pawn passed did not come there with the last move.
    NoEnPassant {
        /// The pawn named.
        pawn: Standing,
        /// The empty square it was to reach.
        to: Square,
        /// The pawn it was to take.
        passed: Standing,
    },
    /// The side is in check and the move does nothing about it.
    StaysInCheck {
        /// A piece that gives check now and still would.
        checker: Standing,
    },
    /// The piece is pinned, or an en passant capture opens a line to the king.
    ExposesKing {
        /// The piece that would give check.
        attacker: Standing,
    },
    /// The king goes to a square that is attacked.
    KingIntoCheck {
        /// The piece that attacks the square.
        attacker: Standing,
    },
    /// The king's two squares of a castling that is not possible now.
    Castling {
        /// Kingside or queenside.
        side: CastlingSide,
        /// What stands against it.
        trouble: CastlingTrouble,
    },
    /// A pawn reaches the last rank and no piece is named. Which one is for the writer to say.
    MissingPromotion {
        /// The pawn named.
        pawn: Standing,
        /// The square on the last rank.
        to: Square,
    },
    /// The non-standard form that leaves out the last rank: square left, file reached, piece.
    ShortPromotion {
        /// The move it stands for, which is legal.
        means: NumericMove,
    },
    /// A black pawn with last digit 1: rank 1 without a piece, or the short form "queen".
    AmbiguousPromotion {
        /// The pawn named.
        pawn: Standing,
        /// The move it is if the short form was meant, which is legal.
        queen: NumericMove,
    },
    /// A fifth digit where no pawn promotes.
    NotAPromotion {
        /// The legal move of the first four digits.
        plain: NumericMove,
    },
}

impl IllegalMove {
    /// The promotion that is meant where the piece is said beside the digits, or where the digits can mean nothing else.
    pub fn completed_by(&self, said: Option<Role>) -> Option<NumericMove> {
        match self {
            IllegalMove::MissingPromotion { pawn, to } => NumericMove::between(pawn.square, *to, Some(said?)),
            IllegalMove::ShortPromotion { means } => {
                Some(*means).filter(|means| said.is_none_or(|s| means.promotion() == Some(s)))
            }
            IllegalMove::AmbiguousPromotion { queen, .. } => Some(*queen).filter(|_| said == Some(Role::Queen)),
            _ => None,
        }
    }
}

/// What stands against a castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingTrouble {
    /// King or rook has moved, or the rook is gone.
    RightLost,
    /// A piece stands between king and rook.
    Occupied(Standing),
    /// The king is in check.
    InCheck(Standing),
    /// The king would pass or reach an attacked square.
    ThroughCheck {
        /// The attacked square.
        square: Square,
        /// A piece that attacks it.
        attacker: Standing,
    },
}

/// The reason why `numeric`, which is not legal in `position`, is not.
pub(super) fn diagnose(numeric: NumericMove, position: &Chess) -> IllegalMove {
    let (from, to) = (numeric.from_square(), numeric.to_square());
    let Some(piece) = standing(position, from) else {
        return IllegalMove::EmptySquare { from };
    };
    if piece.piece.color != position.turn() {
        return IllegalMove::OpponentsPiece { piece };
    }
    promotion_digits(numeric, piece, position)
        .or_else(|| castling(piece, to, position))
        .or_else(|| path(piece, to, position))
        .or_else(|| king_safety(piece, to, position))
        .unwrap_or(IllegalMove::CannotGo { piece, to })
}

/// The promotion that `from`, the file of `to` and the rank of `to` as a piece digit stand for in
/// the non-standard short form (`6762` is f7-f8 = rook), if that promotion is legal.
pub(super) fn short_promotion(from: Square, to: Square, position: &Chess) -> Option<NumericMove> {
    let piece = piece_of_digit(char::from_digit(to.rank().to_u32() + 1, 10)?)?;
    let last_rank = position.turn().other().backrank();
    let target = Square::from_coords(to.file(), last_rank);
    let means = NumericMove::between(from, target, Some(piece))?;
    means.find(position).map(|_| means)
}

/// Why the castling of the side to move on `side` is not possible now; `None` if it is.
pub(super) fn castling_trouble(side: CastlingSide, position: &Chess) -> Option<CastlingTrouble> {
    let (us, castles) = (position.turn(), position.castles());
    let Some(king) = position.board().king_of(us).filter(|_| castles.has(us, side)) else {
        return Some(CastlingTrouble::RightLost);
    };
    let occupied = position.board().occupied();
    let between = (castles.path(us, side) & occupied).first();
    if let Some(occupant) = between.and_then(|square| standing(position, square)) {
        return Some(CastlingTrouble::Occupied(occupant));
    }
    if let Some(checker) = attacker(position, king) {
        return Some(CastlingTrouble::InCheck(checker));
    }
    let goal = side.king_to(us);
    attacks::between(king, goal).with(goal).into_iter().find_map(|square| {
        let attacker = attacker(position, square)?;
        Some(CastlingTrouble::ThroughCheck { square, attacker })
    })
}

/// A fifth digit missing, cut short, or too many.
fn promotion_digits(numeric: NumericMove, piece: Standing, position: &Chess) -> Option<IllegalMove> {
    let (from, to) = (numeric.from_square(), numeric.to_square());
    if numeric.promotion().is_some() {
        let plain = NumericMove::between(from, to, None)?;
        return plain.find(position).map(|_| IllegalMove::NotAPromotion { plain });
    }
    let promotes =
        NumericMove::between(from, to, Some(Role::Queen)).is_some_and(|queen| queen.find(position).is_some());
    match (promotes, short_promotion(from, to, position)) {
        (true, Some(queen)) => Some(IllegalMove::AmbiguousPromotion { pawn: piece, queen }),
        (true, None) => Some(IllegalMove::MissingPromotion { pawn: piece, to }),
        (false, Some(means)) => Some(IllegalMove::ShortPromotion { means }),
        (false, None) => None,
    }
}

/// A king's move that was meant as castling, in either spelling, and cannot be.
fn castling(piece: Standing, to: Square, position: &Chess) -> Option<IllegalMove> {
    let Piece { color, role } = piece.piece;
    let home = Square::from_coords(File::E, color.backrank());
    if role != Role::King || piece.square != home {
        return None;
    }
    let own_rook = position.board().piece_at(to) == Some(color.rook());
    let side = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .find(|side| to == side.king_to(color) || (own_rook && to == corner(*side, color)))?;
    let trouble = castling_trouble(side, position)?;
    Some(IllegalMove::Castling { side, trouble })
}

fn corner(side: CastlingSide, color: Color) -> Square {
    let file = match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    };
    Square::from_coords(file, color.backrank())
}

/// The square reached is the side's own, out of the piece's reach, or the way is not free.
fn path(piece: Standing, to: Square, position: &Chess) -> Option<IllegalMove> {
    if let Some(occupant) = standing(position, to).filter(|at| at.piece.color == piece.piece.color) {
        return Some(IllegalMove::OwnPieceOnTarget { occupant });
    }
    if piece.piece.role == Role::Pawn {
        return pawn_path(piece, to, position);
    }
    if !attacks::attacks(piece.square, piece.piece, Bitboard::EMPTY).contains(to) {
        return Some(IllegalMove::CannotGo { piece, to });
    }
    blocker(piece, to, position).map(|by| IllegalMove::Blocked { piece, to, by })
}

fn pawn_path(pawn: Standing, to: Square, position: &Chess) -> Option<IllegalMove> {
    let (from, color) = (pawn.square, pawn.piece.color);
    // The ranks as this side counts them, from its own back rank.
    let rank_of = |square: Square| color.relative_rank(square.rank());
    let sideways = from.file().distance(to.file());
    let forward = i64::from(rank_of(to).to_u32()) - i64::from(rank_of(from).to_u32());
    match (sideways, forward) {
        (0, 2) if rank_of(from) != Rank::Second => Some(IllegalMove::DoubleStep { pawn }),
        (0, 1 | 2) => {
            let by = blocker(pawn, to, position).or_else(|| standing(position, to))?;
            Some(IllegalMove::Blocked { piece: pawn, to, by })
        }
        (1, 1) => {
            // En passant stays open for one move only (FIDE Laws 3.7.3.1).
            if standing(position, to).is_some() || position.maybe_ep_square() == Some(to) {
                return None;
            }
            let passed = standing(position, Square::from_coords(to.file(), from.rank()))
                .filter(|at| at.piece == color.other().pawn() && rank_of(from) == Rank::Fifth);
            Some(match passed {
                Some(passed) => IllegalMove::NoEnPassant { pawn, to, passed },
                None => IllegalMove::NothingToTake { pawn, to },
            })
        }
        _ => Some(IllegalMove::CannotGo { piece: pawn, to }),
    }
}

/// The nearest piece strictly between a piece and its goal.
fn blocker(piece: Standing, to: Square, position: &Chess) -> Option<Standing> {
    (attacks::between(piece.square, to) & position.board().occupied())
        .into_iter()
        .min_by_key(|square| piece.square.distance(*square))
        .and_then(|square| standing(position, square))
}

/// The move would leave or bring the own king in check.
fn king_safety(piece: Standing, to: Square, position: &Chess) -> Option<IllegalMove> {
    let mut board = position.board().clone();
    board.discard_piece_at(piece.square);
    let takes_en_passant = piece.piece.role == Role::Pawn && position.maybe_ep_square() == Some(to);
    if takes_en_passant && piece.square.file() != to.file() {
        board.discard_piece_at(Square::from_coords(to.file(), piece.square.rank()));
    }
    board.set_piece_at(to, piece.piece);
    let king = board.king_of(piece.piece.color)?;
    let attackers = board.attacks_to(king, piece.piece.color.other(), board.occupied());
    let first = |squares: Bitboard| squares.first().and_then(|square| standing(position, square));
    if piece.piece.role == Role::King {
        return first(attackers).map(|attacker| IllegalMove::KingIntoCheck { attacker });
    }
    match first(attackers & position.checkers()) {
        Some(checker) => Some(IllegalMove::StaysInCheck { checker }),
        None => first(attackers).map(|attacker| IllegalMove::ExposesKing { attacker }),
    }
}

/// A piece of the side not to move that attacks `square`.
fn attacker(position: &Chess, square: Square) -> Option<Standing> {
    let (board, them) = (position.board(), position.turn().other());
    let attackers = board.attacks_to(square, them, board.occupied());
    attackers.first().and_then(|square| standing(position, square))
}

fn standing(position: &Chess, square: Square) -> Option<Standing> {
    let piece = position.board().piece_at(square)?;
    Some(Standing { piece, square })
}
