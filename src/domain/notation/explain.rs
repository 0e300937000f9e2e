//! What to tell a player whose text is no legal move: the reason, and what he may have meant.
//!
//! PURE. Nearness of digits only: one digit wrong, two exchanged, the squares in the wrong order,
//! or the board read from Black's side. Never more than four moves, and in the order of the
//! digits: a list chosen by the merit of the moves would be advice, which events forbid.

use super::numeric::NumericMove;
use super::player::{PlayerMoveError, parse_player_move};
use shakmaty::{Chess, Color, Move, Position};
use std::fmt;

/// How many moves are suggested at most.
pub const MAX_NEIGHBOURS: usize = 4;

/// The reason a text is no legal move and the slips that would explain it; printed, it is the
/// text to show, one thought a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    headline: String,
    reason: PlayerMoveError,
    neighbours: Vec<Move>,
    mirrored: Option<(NumericMove, Option<Move>)>,
}

/// The legal moves a mistyped numeric token may have meant, the likelier slips first: its squares
/// in the wrong order, two adjacent digits exchanged, then one digit wrong. At most
/// [`MAX_NEIGHBOURS`].
pub fn neighbours(token: &str, position: &Chess) -> Vec<NumericMove> {
    near_moves(token, position).iter().map(NumericMove::of).collect()
}

/// The move of a numeric token read from Black's side of the board (1234 is 8765), if it is legal.
pub fn mirrored(token: &str, position: &Chess) -> Option<NumericMove> {
    let numeric = token.parse::<NumericMove>().ok()?.seen_from_black();
    numeric.find(position).map(|_| numeric)
}

/// Why `text` is no legal move in `position`; `None` if it is one. `game` is the name under which
/// the player knows the game, if it helps to say it.
pub fn explain(text: &str, position: &Chess, game: Option<&str>) -> Option<Explanation> {
    let reason = parse_player_move(text, position).err()?;
    let side = position.turn().fold_wb("White", "Black");
    let place = game.map(|game| format!(" in game {game}")).unwrap_or_default();
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    let number = position.fullmoves();
    let text = text.trim();
    Some(Explanation {
        headline: format!("{} is not legal for {side}{place} (move {number}{dots})", text.escape_debug(),),
        reason,
        neighbours: near_moves(text, position),
        mirrored: text.parse::<NumericMove>().ok().map(|numeric| {
            let seen = numeric.seen_from_black();
            (seen, seen.find(position).map(|legal| legal.played))
        }),
    })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline)?;
        match &self.reason {
            PlayerMoveError::Illegal { reason, .. } => write!(f, "  {reason}")?,
            other => write!(f, "  {other}")?,
        }
        if !self.neighbours.is_empty() {
            write!(f, "\n  did you mean")?;
            for m in &self.neighbours {
                write!(f, "  {} ({m})", NumericMove::of(m))?;
            }
        }
        match &self.mirrored {
            None => Ok(()),
            Some((seen, None)) => {
                write!(f, "\n  read from Black's side of the board ({seen}): not legal either")
            }
            Some((seen, Some(m))) => {
                write!(f, "\n  read from Black's side of the board it is {seen} ({m}), which is legal")
            }
        }
    }
}

/// How a token may have been mistyped, the likelier slips first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    SquaresExchanged,
    DigitsExchanged,
    OneDigit,
}

fn near_moves(token: &str, position: &Chess) -> Vec<Move> {
    let typed: Vec<char> = token.chars().collect();
    let mut near: Vec<(Slip, String, Move)> = position
        .legal_moves()
        .into_iter()
        .filter_map(|m| {
            let digits = NumericMove::of(&m).to_string();
            let slip = slip(&typed, &digits.chars().collect::<Vec<_>>())?;
            Some((slip, digits, m))
        })
        .collect();
    near.sort_by(|(slip, digits, _), (other_slip, other, _)| (slip, digits).cmp(&(other_slip, other)));
    near.into_iter().map(|(_, _, m)| m).take(MAX_NEIGHBOURS).collect()
}

/// The slip that makes `typed` out of `meant`, if one does.
fn slip(typed: &[char], meant: &[char]) -> Option<Slip> {
    if typed.len() != meant.len() {
        return None;
    }
    if let ([a, b, c, d, rest @ ..], [w, x, y, z, other @ ..]) = (typed, meant)
        && [c, d, a, b] == [w, x, y, z]
        && rest == other
    {
        return Some(Slip::SquaresExchanged);
    }
    let differing: Vec<usize> = typed
        .iter()
        .zip(meant)
        .enumerate()
        .filter_map(|(place, (typed, meant))| (typed != meant).then_some(place))
        .collect();
    match differing.as_slice() {
        [_] => Some(Slip::OneDigit),
        [first, second]
            if first + 1 == *second
                && typed.get(*first) == meant.get(*second)
                && typed.get(*second) == meant.get(*first) =>
        {
            Some(Slip::DigitsExchanged)
        }
        _ => None,
    }
}
