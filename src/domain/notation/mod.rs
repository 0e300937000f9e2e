//! Ways to write a move down, and what each of them means in a position.
//!
//! - [`numeric`]: ICCF numeric notation, `5254`, the form that counts between players.
//! - [`illegal`]: why a well-formed numeric move is not a legal one.
//! - [`algebraic`]: SAN, coordinates and words, also beside a numeric move, with the letters of a [`language`].
//! - [`player`]: our own player's move in any of these; [`mod@explain`]: what to say if it is none.
//!
//! PURE: text and positions in, values out. Not covered: finding a move in running text.
//! What will surprise you: a parsed [`NumericMove`] is not known to be legal.

pub mod algebraic;
pub mod explain;
pub mod illegal;
pub mod language;
pub mod numeric;
pub mod player;
mod why;
mod wording;

pub use algebraic::{Agreement, is_coordinates, named_moves, names, san, tokens_agree, words, words_in};
pub use explain::{Explanation, MAX_NEIGHBOURS, explain, mirrored, neighbours};
pub use illegal::{CastlingTrouble, IllegalMove, Standing};
pub use language::Language;
pub use numeric::{LegalMove, NumericError, NumericMove, NumericTrouble, Spelling, read_numeric};
pub use player::{PlayerMoveError, parse_player_move};
