//! Ways to write a move down, and what each of them means in a position.
//!
//! - [`numeric`]: ICCF numeric notation, `5254`, the form that counts between players.
//! - [`illegal`]: why a well-formed numeric move is not a legal one.
//!
//! PURE: text and positions in, values out. Not covered: finding a move in running text.
//! What will surprise you: a parsed [`numeric::NumericMove`] is not known to be legal.

pub mod illegal;
pub mod numeric;
mod wording;

pub use illegal::{CastlingTrouble, IllegalMove, Standing};
pub use numeric::{LegalMove, NumericError, NumericMove, NumericTrouble, Spelling, read_numeric};
