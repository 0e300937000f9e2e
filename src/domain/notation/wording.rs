//! How squares and pieces are written in every text this program shows.
//!
//! PURE. Digits are always counted from White's side, for Black's moves too (ICCF numeric notation).

use crate::languages::Language;
use crate::sentence;
use shakmaty::{File, Rank, Role, Square};
use std::fmt::{self, Write};

/// The square of two ICCF digits, file then rank (`5`, `4` is e4), or `None` outside 1 to 8.
pub(super) fn from_digits(file: char, rank: char) -> Option<Square> {
    let index = |digit: char| digit.to_digit(10).and_then(|value| value.checked_sub(1));
    Some(Square::from_coords(File::try_from(index(file)?).ok()?, Rank::try_from(index(rank)?).ok()?))
}

/// A square as its two ICCF digits: e4 is `54`.
pub(super) struct Digits(pub(super) Square);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = self.0.coords();
        [file.to_u32(), rank.to_u32()]
            .into_iter()
            .filter_map(|index| char::from_digit(index + 1, 10))
            .try_for_each(|digit| f.write_char(digit))
    }
}

/// A square in both notations, `36 = c6`, so that a message can be checked on any board.
pub(super) struct Both<'a>(pub(super) &'a Square);

impl fmt::Display for Both<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", Digits(*self.0), self.0)
    }
}

/// The English name of a piece, in lower case.
pub(super) fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => sentence!("pawn"),
        Role::Knight => sentence!("knight"),
        Role::Bishop => sentence!("bishop"),
        Role::Rook => sentence!("rook"),
        Role::Queen => sentence!("queen"),
        Role::King => sentence!("king"),
    }
}

/// The same in this language.
pub(super) fn name_in(language: Language, role: Role) -> &'static str {
    language.sentence(name(role))
}
