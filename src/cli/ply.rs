//! A ply on the command line: `12.`, `12b`, `last`.

use std::str::FromStr;

use crate::domain::game::{Game, MoveNumber, Side};

/// A ply as the player names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ply {
    Last,
    Number(MoveNumber),
}

impl FromStr for Ply {
    type Err = String;

    fn from_str(text: &str) -> Result<Ply, String> {
        if text == "last" {
            return Ok(Ply::Last);
        }
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let side = match text.get(digits.len()..) {
            Some("." | "w" | "W") => Some(Side::White),
            Some("..." | "b" | "B") => Some(Side::Black),
            _ => None,
        };
        match (digits.parse(), side) {
            (Ok(number), Some(side)) => Ok(Ply::Number(MoveNumber { number, side })),
            _ => Err("write it as 12. or 12w (White's), 12... or 12b (Black's), or last".to_owned()),
        }
    }
}

impl Ply {
    /// Its index in the record, counted from 0; it need not be on record.
    pub(super) fn index_in(self, game: &Game) -> Option<usize> {
        match self {
            Ply::Last => game.moves.len().checked_sub(1),
            Ply::Number(number) => game.first_number().plies_to(number),
        }
    }
}
