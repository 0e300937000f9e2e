//! What the words of a line were taken for, for whoever shows a mail: the tokens of the scanner, with their places.
//!
//! No second reading: these are the tokens that everything else is read from. Whether a move of them counts, the judge says.

use std::ops::Range;

use super::Line;
use super::document::Document;
use super::lex::Token;
use super::unused::NAMES_DATE;
use crate::domain::transmission::lexicon::{Key, Keys};

/// What a place in a text was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A move.
    Move,
    /// What stands where a move could and is none.
    NoMove,
    /// The number of a move.
    Number,
    /// A date, or a time of day.
    Date,
    /// A number that may be days.
    Days,
    /// A word that means something here: received, sent, days, perhaps.
    Word,
}

impl Sort {
    /// `move`, `no-move`, `number`, `date`, `days`, `word`
    pub fn word(self) -> &'static str {
        match self {
            Sort::Move => "move",
            Sort::NoMove => "no-move",
            Sort::Number => "number",
            Sort::Date => "date",
            Sort::Days => "days",
            Sort::Word => "word",
        }
    }
}

/// What a word may mean that is shown: days, dates and whose they are, what takes the certainty from a move, and what else is announced.
const SHOWN: Keys = NAMES_DATE.and(Keys::all(&Key::ANNOUNCING)).and(Keys::all(&[
    Key::Deny,
    Key::TakeBack,
    Key::Recall,
    Key::Weigh,
    Key::Undecided,
    Key::Later,
    Key::Ask,
    Key::Advice,
    Key::Condition,
    Key::Conditional,
    Key::Then,
    Key::Any,
    Key::Draw,
    Key::ResignWord,
    Key::Leave,
    Key::AsksRepeat,
    Key::TimeClaim,
    Key::Repetition,
    Key::Fifty,
    Key::LongThought,
]));

/// The sorted places of each line, in bytes of its text and in order; none of them overlap.
pub fn sorts(lines: &[Line<'_>]) -> Vec<Vec<(Range<usize>, Sort)>> {
    let document = Document::of(lines);
    let of_line = |line: &super::document::Scanned<'_>| {
        let mut end = 0;
        let placed = line.tokens.iter().filter_map(|placed| {
            let sort = match &placed.token {
                Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_) => Sort::Move,
                Token::BadMove(..) => Sort::NoMove,
                Token::Number(..) => Sort::Number,
                Token::Date(_) | Token::Time => Sort::Date,
                Token::Slash(..) | Token::Int(_) => Sort::Days,
                Token::Word(_) if placed.keys.meets(SHOWN) => Sort::Word,
                Token::Word(_) | Token::Filler(_) | Token::Bar => return None,
            };
            Some((placed.at..placed.end, sort))
        });
        placed.filter(|(at, _)| at.start >= std::mem::replace(&mut end, at.end.max(at.start))).collect()
    };
    document.lines.iter().map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_it_was_scanned() {
        let text = "7. 5171  received 12.10.2004, sent 14.10.2004, 2 days";
        let sorted = sorts(&[Line { number: 1, text }]);
        let word = |(at, sort): &(Range<usize>, Sort)| (text.get(at.clone()).unwrap(), sort.word());
        let shown: Vec<(&str, &str)> = sorted[0].iter().map(word).collect();
        assert_eq!(
            shown,
            [
                ("7.", "number"),
                ("5171", "move"),
                ("received", "word"),
                ("12.10.2004", "date"),
                ("sent", "word"),
                ("14.10.2004", "date"),
                ("2", "days"),
                ("days", "word"),
            ]
        );
    }
}
