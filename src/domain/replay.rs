//! A game played out: positions, and what they say of themselves.
//!
//! Replaying costs microseconds, so it is done whenever a position is needed. Repetition compares whole positions, with the
//! rights to castle and to take en passant (FIDE Laws of Chess, 9.2). Nothing is ever claimed here.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::game::{Game, GameResult, MoveNumber, Side};
use super::notation::{IllegalMove, NumericMove};
use crate::languages::Language;
use crate::sentence;

/// A stored game that does not play out: which ply, which move, why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The start position cannot be set up.
    #[error("the start position `{fen}` is not usable: {why}")]
    BadStart {
        /// The FEN as given.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// A move is not legal where it stands.
    #[error("ply {ply} ({number} {numeric}): {why}")]
    Illegal {
        /// Counted from 1.
        ply: usize,
        /// Its place on the score sheet.
        number: MoveNumber,
        /// The move.
        numeric: NumericMove,
        /// Why it is not legal.
        why: Box<IllegalMove>,
    },
}

/// A game played out: the position before each ply, and after the last.
#[derive(Debug, Clone)]
pub struct Replay {
    positions: Vec<Chess>,
    now: Chess,
    played: Vec<Move>,
}

impl Replay {
    /// The position after the last ply.
    pub fn position(&self) -> &Chess {
        &self.now
    }

    /// The position before `index` (counted from 0), or the last one after the end.
    pub fn before(&self, index: usize) -> &Chess {
        self.positions.get(index).unwrap_or(&self.now)
    }

    /// The moves with the position each was played in.
    pub fn plies(&self) -> impl Iterator<Item = (&Chess, &Move)> {
        self.positions.iter().zip(&self.played)
    }

    /// How often the present position has stood on the board, itself included (FIDE article 9.2: same side to
    /// move, same castling rights, same en passant captures).
    pub fn repetitions(&self) -> usize {
        1 + self.stood_before().len()
    }

    /// After how many plies the present position stood before, oldest first; 0 is the start position.
    pub fn stood_before(&self) -> Vec<usize> {
        let same = |p: &Chess| {
            p.turn() == self.now.turn()
                && p.board() == self.now.board()
                && p.castles().castling_rights() == self.now.castles().castling_rights()
                && p.legal_ep_square() == self.now.legal_ep_square()
        };
        let positions = self.positions.iter().enumerate();
        positions.filter(|(_, position)| same(position)).map(|(plies, _)| plies).collect()
    }

    /// Full moves of both sides since the last capture or pawn move (FIDE article 9.3: 50 allow a claim).
    pub fn moves_without_progress(&self) -> u32 {
        self.now.halfmoves() / 2
    }

    /// The draw that the side to move may claim by the present position.
    pub fn draw_claim(&self) -> Option<DrawClaim> {
        match () {
            () if self.is_forced() => None,
            () if self.repetitions() >= 3 => Some(DrawClaim::Repetition),
            () if self.moves_without_progress() >= 50 => Some(DrawClaim::FiftyMoves),
            () => None,
        }
    }

    fn is_forced(&self) -> bool {
        self.now.is_checkmate() || self.now.is_stalemate() || self.now.is_insufficient_material()
    }

    /// What the position itself says: mate, stalemate, bare material, a claim that is possible.
    pub fn standing(&self) -> Standing {
        Standing::of(&self.now)
    }

    /// The Forsyth-Edwards notation of the present position.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.now, EnPassantMode::Legal).to_string()
    }
}

/// A draw that must be claimed; the position does not end the game by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawClaim {
    /// The position stands for the third time (FIDE Laws of Chess, 9.2).
    Repetition,
    /// Fifty moves of each side without a capture or a move of a pawn (FIDE Laws of Chess, 9.3).
    FiftyMoves,
}

/// What a position is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// The side to move is in check.
    Check,
    /// None of these.
    Open,
}

impl Standing {
    /// What this position says of itself.
    pub fn of(position: &Chess) -> Standing {
        if position.is_checkmate() {
            Standing::Checkmate
        } else if position.is_stalemate() {
            Standing::Stalemate
        } else if position.is_insufficient_material() {
            Standing::InsufficientMaterial
        } else if position.is_check() {
            Standing::Check
        } else {
            Standing::Open
        }
    }

    /// Whether a mate or stalemate on the board, with `to_move` on the move, says another result than this. Bare material does not: the
    /// game may have ended before it otherwise (FIDE articles 5.1 and 5.2).
    pub fn refutes(self, to_move: Side, result: GameResult) -> bool {
        matches!(self, Standing::Checkmate | Standing::Stalemate) && self.result(to_move) != Some(result)
    }

    /// The result that the position forces, with `to_move` on the move.
    pub fn result(self, to_move: Side) -> Option<GameResult> {
        match (self, to_move) {
            (Standing::Checkmate, Side::White) => Some(GameResult::BlackWins),
            (Standing::Checkmate, Side::Black) => Some(GameResult::WhiteWins),
            (Standing::Stalemate | Standing::InsufficientMaterial, _) => Some(GameResult::Draw),
            (Standing::Check | Standing::Open, _) => None,
        }
    }

    /// The words for it, empty when there is nothing to say.
    pub fn words(self) -> &'static str {
        match self {
            Standing::Checkmate => sentence!("checkmate"),
            Standing::Stalemate => sentence!("stalemate"),
            Standing::InsufficientMaterial => sentence!("neither side can mate"),
            Standing::Check => sentence!("check"),
            Standing::Open => "",
        }
    }

    /// The same in this language.
    pub fn words_in(self, language: Language) -> &'static str {
        language.sentence(self.words())
    }
}

impl Game {
    /// How the game ended: by the result on record, or else by a last position that leaves no other (FIDE articles 5.1.1, 5.2.1 and 5.2.2).
    /// From then on no clock runs and neither player owes anything, whether the result is on record yet or not. `None` while it goes on; a
    /// record that does not play out decides nothing.
    pub fn decided(&self) -> Option<GameResult> {
        self.result.or_else(|| self.replay().ok()?.standing().result(self.to_move()))
    }

    /// The start position.
    ///
    /// # Errors
    /// [`ReplayError::BadStart`] when the FEN does not parse or is no legal position.
    pub fn start(&self) -> Result<Chess, ReplayError> {
        self.start_fen.as_deref().map_or_else(|| Ok(Chess::default()), set_up)
    }

    /// Plays out the record.
    ///
    /// # Errors
    /// [`ReplayError`] names the first ply that does not fit.
    pub fn replay(&self) -> Result<Replay, ReplayError> {
        let mut now = self.start()?;
        let first = first_number(&now);
        let mut positions = Vec::with_capacity(self.moves.len());
        let mut played = Vec::with_capacity(self.moves.len());
        for (index, record) in self.moves.iter().enumerate() {
            let legal = record.numeric.to_move(&now).map_err(|why| ReplayError::Illegal {
                ply: index + 1,
                number: first.plus(index),
                numeric: record.numeric,
                why: Box::new(why),
            })?;
            positions.push(now.clone());
            now.play_unchecked(legal.played);
            played.push(legal.played);
        }
        Ok(Replay { positions, now, played })
    }
}

/// The position of a FEN.
pub(super) fn set_up(fen: &str) -> Result<Chess, ReplayError> {
    let bad = |why: String| ReplayError::BadStart { fen: fen.to_owned(), why };
    let parsed: Fen = fen.parse().map_err(|e: shakmaty::fen::ParseFenError| bad(e.to_string()))?;
    parsed.into_position(CastlingMode::Standard).map_err(|e: shakmaty::PositionError<Chess>| bad(e.to_string()))
}

/// The number of the first ply from this position.
pub(super) fn first_number(start: &Chess) -> MoveNumber {
    MoveNumber { number: start.fullmoves().get(), side: start.turn().into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{MoveRecord, Stated};

    fn game(fen: Option<&str>, moves: &str) -> Game {
        let mut game = sample_game();
        game.start_fen = fen.map(str::to_owned);
        game.moves =
            moves.split_whitespace().map(|m| MoveRecord::claimed(m.parse().unwrap(), Stated::default())).collect();
        game
    }

    fn standing(fen: Option<&str>, moves: &str) -> (Standing, Option<GameResult>) {
        let game = game(fen, moves);
        let standing = game.replay().unwrap().standing();
        (standing, standing.result(game.to_move()))
    }

    #[test]
    fn mate_stalemate_check_and_bare_kings_are_seen_with_their_result() {
        assert_eq!(standing(None, "6263 5755 7274 4884"), (Standing::Checkmate, Some(GameResult::BlackWins)));
        assert_eq!(standing(Some("7k/8/8/5QK1/8/8/8/8 w - - 0 1"), "6567").0, Standing::Stalemate);
        assert_eq!(standing(Some("7k/8/8/6K1/8/8/8/1q6 w - - 0 1"), "7566").0, Standing::Open);
        assert_eq!(standing(Some("8/8/8/8/8/6k1/6p1/6K1 w - - 0 1"), "").0, Standing::Stalemate);
        assert_eq!(standing(Some("8/8/8/8/5k2/6b1/7P/6K1 b - - 0 1"), "7382").0, Standing::InsufficientMaterial);
        assert_eq!(standing(None, "5254 6765 4185").0, Standing::Check);
    }

    #[test]
    fn a_position_that_comes_back_is_counted() {
        let shuffle = "7163 7866 6371 6678 ";
        assert_eq!(game(None, "").replay().unwrap().repetitions(), 1);
        assert_eq!(game(None, &shuffle.repeat(2)).replay().unwrap().repetitions(), 3);
        let rook_moved = game(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "8171 5848 7181 4858");
        assert_eq!(rook_moved.replay().unwrap().repetitions(), 1, "the right to castle is gone");
    }

    #[test]
    fn moves_without_capture_or_pawn_move_are_counted_in_full_moves() {
        let game = game(Some("4k3/8/8/8/8/8/8/4K2R w - - 98 80"), "8171 5848");
        assert_eq!(game.replay().unwrap().moves_without_progress(), 50);
    }

    #[test]
    fn numbers_follow_the_start_position() {
        let game = game(Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"), "5848 5254");
        assert_eq!(game.number_of(0).to_string(), "30...");
        assert_eq!(game.due().to_string(), "31...");
        let first = game.first_number();
        assert_eq!(first.plies_to(game.number_of(2)), Some(2));
        assert_eq!(first.plies_to(MoveNumber { number: 30, side: Side::White }), None);
    }

    #[test]
    fn a_record_that_does_not_play_out_names_ply_and_reason() {
        let error = game(None, "5254 5755 5254").replay().unwrap_err().to_string();
        assert!(error.starts_with("ply 3 (2. 5254): "), "{error}");
        assert!(game(Some("nonsense"), "").replay().unwrap_err().to_string().contains("`nonsense`"));
    }
}
