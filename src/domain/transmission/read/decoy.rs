//! Digits that are the number of something else: a telephone, a house, a rating, a version.

use super::lex::{Placed, Token};
use crate::domain::transmission::lexicon::Key;

/// The digits of a line that are moves of nothing.
///
/// Only digits without a place in the game are asked about: a numbered or announced move is never a decoy.
pub(super) struct Decoys<'a> {
    tokens: &'a [Placed],
    is_prose: bool,
    counted: bool,
}

impl<'a> Decoys<'a> {
    pub(super) fn of(tokens: &'a [Placed]) -> Decoys<'a> {
        let is_row = tokens.iter().any(|p| matches!(p.token, Token::Number(..) | Token::Date(_) | Token::Slash(..)));
        let is_prose = !is_row && tokens.iter().any(|p| matches!(p.token, Token::Word(_)));
        let counted = tokens.iter().any(|p| p.keys.has(Key::Counts));
        Decoys { tokens, is_prose, counted }
    }

    /// Whether the digits at a place belong to a longer number, or stand on a line whose words say what they count.
    pub(super) fn has(&self, at: usize) -> bool {
        let index = self.tokens.partition_point(|p| p.at < at);
        let get = |index: Option<usize>| index.and_then(|i| self.tokens.get(i));
        let (before, this, after) = (get(index.checked_sub(1)), get(Some(index)), get(Some(index + 1)));
        self.counted || self.joined(before, this) || self.joined(this, after)
    }

    fn joined(&self, left: Option<&Placed>, right: Option<&Placed>) -> bool {
        let digits = |p: &&Placed| matches!(p.token, Token::Int(_) | Token::BadMove(..) | Token::Move(_));
        let (Some(left), Some(right)) = (left.filter(digits), right.filter(digits)) else { return false };
        self.is_prose && right.at.saturating_sub(left.end) <= 3
    }
}
