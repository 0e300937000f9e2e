//! What stands around a piece of a line and makes something else of it than its own shape says.
//!
//! Asked while a line is cut (`lex`), from left to right. Nothing here knows the board; a promotion is known by its ranks.

use std::sync::LazyLock;

use super::lex::{Placed, Token};
use crate::domain::notation::NumericMove;
use crate::domain::pattern::{Captures, Pattern};
use crate::domain::transmission::calendar::{is_weekday_too, month_named, month_named_first};

/// `15. Oct 17 Oct 22 1314`: what follows the number up to the move are days of months.
static DAYS_AND_MOVE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^\.? \d{1,2}(?:,? (?:19|20)\d{2})?(?:[ \t|-]+\p{L}{3,}\.? \d{1,2}(?:,? (?:19|20)\d{2})?)*[ \t|]+[1-8]{4}[1-4]?(?:\s|$)",
    )
});

/// Whether what looks like a day and a month is the number of a row and the month of its first date.
pub(super) fn numbers_row(shape: &Captures<'_, '_>, line: &str) -> bool {
    let (Some(number), Some(month)) = (shape.name("dn"), shape.name("mn")) else { return false };
    let (ahead, behind) = (line.get(..number.start()), line.get(month.end()..));
    ahead.is_some_and(|ahead| ahead.trim_matches([' ', '\t', '|']).is_empty())
        && line.get(number.end()..month.start()) == Some(". ")
        && behind.is_some_and(|behind| DAYS_AND_MOVE.is_match(behind))
}

/// Whether digits are the end of a date to which a word is glued: `10/11Days: 7`.
pub(super) fn is_rest_of_date(line: &str, at: usize, end: usize, before: Option<&Placed>) -> bool {
    let glued = line.get(end..).is_some_and(|behind| behind.starts_with(char::is_alphabetic));
    let mut ahead = line.get(..at).unwrap_or_default().chars().rev();
    let sign = matches!(ahead.next(), Some('/' | '.' | '-')) && ahead.next().is_some_and(|c| c.is_ascii_digit());
    let month = before.is_some_and(|p| matches!(&p.token, Token::Word(word) if month_named_first(word).is_some()));
    glued && (sign || month)
}

/// Whether a sign that stands for a letter nobody could read touches what follows: `?g5` may have been any piece's move.
pub(super) fn is_cut_ahead(line: &str, at: usize) -> bool {
    let before = line.get(..at).and_then(|ahead| ahead.chars().next_back());
    before.is_some_and(|c| {
        c == '?' || !(c.is_ascii() || c.is_whitespace() || c.is_alphanumeric() || "“”„«»‘’–—…·•→".contains(c))
    })
}

/// Whether a castling goes on behind its second letter: `O-O-` may have lost the third.
pub(super) fn is_cut_behind(line: &str, text: &str, end: usize) -> bool {
    text == "O-O" && line.get(end..).is_some_and(|behind| behind.starts_with('-'))
}

/// Two moves in eight to ten digits, where only one place can be the border.
pub(super) fn pair(digits: &str) -> Option<(NumericMove, NumericMove)> {
    let whole = |text: &str| text.parse::<NumericMove>().ok().filter(|_| text.len() == 4 || is_promotion(text));
    let split = |at| {
        let (white, black) = digits.split_at_checked(at)?;
        Some((whole(white)?, whole(black)?))
    };
    match (digits.len(), split(4), split(5)) {
        (8, pair, _) | (10, _, pair) => pair,
        (9, Some(pair), None) | (9, None, Some(pair)) => Some(pair),
        _ => None,
    }
}

/// Whether five digits lead a pawn from its last but one rank to the last, at most one file aside.
fn is_promotion(digits: &str) -> bool {
    match digits.as_bytes() {
        [from, b'7', to, b'8', _] | [from, b'2', to, b'1', _] => from.abs_diff(*to) <= 1,
        _ => false,
    }
}

/// Counts the brackets of a line from left to right.
#[derive(Default)]
pub(super) struct Brackets {
    to: usize,
    open: usize,
}

impl Brackets {
    /// Whether the `)` behind a number closes a bracket that was opened on this line.
    pub(super) fn closes(&mut self, line: &str, at: usize, end: usize) -> bool {
        for c in line.get(self.to..at).unwrap_or_default().chars() {
            match c {
                '(' => self.open += 1,
                ')' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
        self.to = at;
        self.open > 0 && line.get(at..end).is_some_and(|number| number.ends_with(')'))
    }
}

/// "mar. 4 juin" is a Tuesday in June; "Mar 4 Mar 6" are two days in March.
pub(super) fn names_weekday(shape: &Captures<'_, '_>, line: &str) -> bool {
    let named = shape.name("mm").is_some_and(|name| is_weekday_too(name.as_str()));
    let Some(whole) = shape.get(0).filter(|_| named) else { return false };
    let behind = line.get(whole.end()..).unwrap_or_default();
    let words = behind.split([' ', '.', ',']).filter(|w| !w.is_empty()).take(3);
    let mut words = words.skip_while(|w| matches!(*w, "de" | "di"));
    let month = words.next().and_then(month_named);
    let day = words.next().and_then(|w| w.parse::<u32>().ok());
    month.is_some() && day.is_none_or(|n| n > 31)
}
