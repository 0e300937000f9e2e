//! Cuts a line into numbered pieces of score, and says what its words do to the moves on it.

use super::cells::Columns;
use super::labels::Labels;
use super::lex::{Placed, Token};
use super::table::{self, Segment};
use super::{vocabulary, words};
use crate::domain::notation::NumericMove;

/// What the words of a line do to the moves on it.
#[derive(Debug, Clone, Default)]
pub(super) struct LineWords {
    pub(super) in_sentence: Option<String>,
    pub(super) conditional: bool,
    pub(super) of_reader: bool,
    pub(super) algebraic: Vec<String>,
}

impl LineWords {
    pub(super) fn of(tokens: &[Placed]) -> LineWords {
        let mut out = LineWords::default();
        for (index, placed) in tokens.iter().enumerate() {
            match &placed.token {
                Token::Word(word) => {
                    out.conditional |= words::is_condition(word);
                    out.of_reader |= vocabulary::is_second_person(word) && index < 3;
                    if !words::is_harmless(word) && out.in_sentence.is_none() {
                        out.in_sentence = Some(word.clone());
                    }
                }
                Token::Algebraic(text) => out.algebraic.push(text.clone()),
                _ => {}
            }
        }
        out
    }

    pub(super) fn plain(&self) -> bool {
        self.in_sentence.is_none() && !self.conditional && !self.of_reader && self.algebraic.is_empty()
    }
}

/// Cuts a line at its move numbers: what stands before the first, and the numbered pieces.
pub(super) fn segments(tokens: &[Placed], line: usize, columns: &Columns) -> (Vec<Placed>, Vec<Segment>) {
    let mut before: Vec<Placed> = Vec::new();
    let mut found: Vec<Segment> = Vec::new();
    let starts_row = |rest: &[Placed]| {
        let until = rest.iter().position(|p| matches!(p.token, Token::Number(..))).unwrap_or(rest.len());
        let is_move_like = |p: &Placed| is_move(p) || matches!(p.token, Token::BadMove(..) | Token::Algebraic(_));
        rest.iter().take(until).any(is_move_like)
    };
    for (index, placed) in tokens.iter().enumerate() {
        let rest = tokens.get(index + 1..).unwrap_or_default();
        let number = match placed.token {
            Token::Number(n, black) if starts_row(rest) || (index == 0 && is_cut_move(rest)) => Some((n, black)),
            Token::Int(n) if found.is_empty() && before.iter().all(|p| p.token == Token::Bar) => {
                let next = rest.iter().find(|p| p.token != Token::Bar);
                let cell = next.is_some_and(|p| {
                    matches!(p.token, Token::Move(_) | Token::Date(_) | Token::Slash(..) | Token::Filler(_))
                });
                (cell && n <= 400 && starts_row(rest)).then_some((n, false))
            }
            _ => None,
        };
        match (number, found.last_mut()) {
            (Some((number, black)), _) => found.push(Segment {
                number,
                black,
                line,
                tokens: Vec::new(),
                words: Labels::default(),
                columns: columns.clone(),
            }),
            (None, Some(segment)) => segment.tokens.push(match placed.token {
                Token::Number(n, _) => Token::Int(n),
                ref other => other.clone(),
            }),
            (None, None) => before.push(placed.clone()),
        }
    }
    (before, found)
}

/// Whether three digits of squares stand right behind a number: a move that lost one.
pub(super) fn is_cut_move(rest: &[Placed]) -> bool {
    rest.first().is_some_and(|p| table::cut_move(&p.token).is_some())
}

pub(super) fn is_move(placed: &Placed) -> bool {
    matches!(placed.token, Token::Move(_) | Token::Spaced(_))
}

pub(super) fn is_table_only(tokens: &[Placed]) -> bool {
    tokens.iter().all(|p| {
        matches!(
            p.token,
            Token::Move(_) | Token::Date(_) | Token::Slash(..) | Token::Int(_) | Token::Filler(_) | Token::Bar
        )
    })
}

pub(super) fn moves_in(tokens: &[Placed]) -> impl Iterator<Item = NumericMove> + '_ {
    tokens.iter().filter_map(|p| match p.token {
        Token::Move(m) | Token::Spaced(m) => Some(m),
        _ => None,
    })
}
