//! Cuts a line into numbered pieces of score, and says what its words do to the moves on it.

use super::Line;
use super::cells::Columns;
use super::labels::Labels;
use super::lex::{Placed, Token};
use super::table::{Segment, cut_move};
use super::vocabulary;
use crate::domain::transmission::lexicon::Key;

/// What the words of a line say of all that stands on it.
#[derive(Debug, Clone, Default)]
pub(super) struct LineWords {
    /// It begins with the reader.
    pub(super) of_reader: bool,
    /// It speaks of the days that are left.
    pub(super) of_rest: bool,
    /// It has words besides those of a score.
    pub(super) is_prose: bool,
}

impl LineWords {
    pub(super) fn of(tokens: &[Placed]) -> LineWords {
        let words = || tokens.iter().filter(|p| matches!(p.token, Token::Word(_)));
        let is_of_score = |p: &Placed| {
            vocabulary::is_label(p) || p.keys.has_any(&[Key::Mark, Key::Move, Key::I, Key::White, Key::Black])
        };
        LineWords {
            of_reader: tokens.iter().take(3).any(|p| p.keys.has(Key::You)),
            of_rest: words().any(|p| p.keys.has(Key::Left)),
            is_prose: words().any(|p| !is_of_score(p)),
        }
    }
}

/// How the rows of a message are numbered.
#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    /// Some rows have dotted numbers, so that a bare number begins none.
    dotted: bool,
    /// The letters before the numbers, where each half move has a row of its own: White's and Black's.
    letters: Option<(String, String)>,
}

impl Style {
    pub(super) fn of<'t>(lines: impl Iterator<Item = &'t [Placed]>) -> Style {
        /// White's letter and Black's, in the languages of our mails.
        const PAIRS: &str = "w/b w/s w/z b/n b/c b/p v/s v/m h/s a/n b/t b/ch r/c";
        let lines: Vec<&[Placed]> = lines.collect();
        let dotted = lines.iter().any(|line| matches!(line.first().map(|p| &p.token), Some(Token::Number(..))));
        let mut letters: Vec<&str> = lines.iter().filter_map(|line| side_letter(line)).collect();
        letters.sort_unstable();
        letters.dedup();
        let mut pairs = PAIRS.split(' ').filter_map(|pair| pair.split_once('/'));
        let pair = pairs.find(|(w, b)| letters.contains(w) && letters.contains(b) && letters.len() == 2);
        Style { dotted: dotted || pair.is_some(), letters: pair.map(|(w, b)| (w.to_owned(), b.to_owned())) }
    }

    /// Whether a row is Black's by its letter; `None` where it has none.
    fn is_black(&self, line: &[Placed]) -> Option<bool> {
        let (white, black) = self.letters.as_ref()?;
        let letter = side_letter(line)?;
        (letter == black).then_some(true).or((letter == white).then_some(false))
    }
}

/// `W 6. 6152`: the one letter before the number.
fn side_letter(line: &[Placed]) -> Option<&str> {
    match line {
        [Placed { token: Token::Word(word), .. }, Placed { token: Token::Number(..), .. }, ..] if word.len() <= 2 => {
            Some(word)
        }
        _ => None,
    }
}

/// A line in pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// What stands before the first move number.
    pub(super) before: Vec<Placed>,
    /// What stands behind each move number.
    pub(super) segments: Vec<Segment>,
    /// Moves in later sentences, which belong to no number.
    pub(super) after: Vec<Placed>,
}

/// Cuts a line at its move numbers.
pub(super) fn pieces(tokens: &[Placed], line: &Line<'_>, style: &Style, columns: &Columns) -> Pieces {
    let mut out = Pieces::default();
    let letter = style.is_black(tokens);
    let tokens = if letter.is_some() { tokens.get(1..).unwrap_or_default() } else { tokens };
    let starts_row = |rest: &[Placed]| {
        let until = rest.iter().position(|p| matches!(p.token, Token::Number(..))).unwrap_or(rest.len());
        rest.iter().take(until).any(|p| is_move_like(p) || matches!(p.token, Token::BadMove(..)))
    };
    let (mut end, mut has_move, mut apart, mut skip) = (0, false, false, 0);
    for (index, placed) in tokens.iter().enumerate() {
        if skip > 0 {
            skip -= 1;
            end = placed.end;
            continue;
        }
        let rest = tokens.get(index + 1..).unwrap_or_default();
        let number = match placed.token {
            // `... 5. 7473 4745 6.`: the row of the last number goes on in the next line
            Token::Number(n, black)
                if starts_row(rest)
                    || (index == 0 && rest.first().is_some_and(|p| cut_move(&p.token).is_some()))
                    || apart_move(line.text, rest).is_some()
                    || (rest.is_empty() && !out.segments.is_empty()) =>
            {
                Some((n, letter.unwrap_or(black || is_left_out(line.text, placed.end, rest))))
            }
            Token::Int(n)
                if !style.dotted && out.segments.is_empty() && out.before.iter().all(|p| p.token == Token::Bar) =>
            {
                let next = rest.iter().find(|p| p.token != Token::Bar);
                let cell = next.is_some_and(|p| {
                    matches!(
                        p.token,
                        Token::Move(_) | Token::Algebraic(_) | Token::Date(_) | Token::Slash(..) | Token::Filler(_)
                    )
                });
                (cell && n <= 400 && starts_row(rest)).then_some((n, false))
            }
            _ => None,
        };
        apart |= has_move && super::cutter::ends_sentence(line.text.get(end..placed.at).unwrap_or_default());
        end = placed.end;
        match (number, out.segments.last_mut()) {
            (Some((number, black)), _) => {
                (has_move, apart) = (false, false);
                let joined = if starts_row(rest) { None } else { apart_move(line.text, rest) };
                if let Some((length, _)) = joined {
                    (skip, has_move) = (length, true);
                }
                let tokens = joined.into_iter().map(|(_, token)| token).collect();
                let (words, columns) = (Labels::default(), columns.clone());
                let (line, at) = (line.number, placed.at);
                out.segments.push(Segment { number, black, line, at, tokens, words, columns })
            }
            (None, Some(_)) if apart && is_move_like(placed) => out.after.push(placed.clone()),
            (None, Some(segment)) => {
                has_move |= is_move_like(placed);
                segment.tokens.push(match placed.token {
                    Token::Number(n, _) => Token::Int(n),
                    ref other => other.clone(),
                });
            }
            (None, None) => out.before.push(placed.clone()),
        }
    }
    out
}

/// A move whose squares or digits stand apart right behind its number, with how many tokens it takes: `6. 61 52`, `61/52`, `6 1 5 2`.
fn apart_move(text: &str, rest: &[Placed]) -> Option<(usize, Token)> {
    let tokens: Vec<&Token> = rest.iter().take(4).map(|p| &p.token).collect();
    let (length, digits) = match tokens.as_slice() {
        [Token::Int(a @ 1..=8), Token::Int(b @ 1..=8), Token::Int(c @ 1..=8), Token::Int(d @ 1..=8)] => {
            (4, format!("{a}{b}{c}{d}"))
        }
        [Token::Int(a @ 11..=88) | Token::Number(a @ 11..=88, false), Token::Int(b @ 11..=884), ..] => {
            (2, format!("{a}{b}"))
        }
        [Token::Slash(a @ 11..=88, b @ 11..=884), ..] if (*a).min(*b) > 12 || (*a).max(*b) > 31 => {
            (1, format!("{a}{b}"))
        }
        _ => return None,
    };
    let numeric = digits.parse().ok()?;
    let (first, last) = (rest.first()?, rest.get(length - 1)?);
    let between = text.get(first.at..last.end)?;
    let blank = between.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '.' | '/'));
    blank.then_some((length, Token::Spaced(numeric)))
}

/// `6. - 5755`: a dash in White's place.
fn is_left_out(text: &str, from: usize, rest: &[Placed]) -> bool {
    let next = rest.first().filter(|p| is_move_like(p));
    let gap = next.and_then(|p| text.get(from..p.at)).unwrap_or_default();
    matches!(gap.trim(), "-" | ",")
}

/// Whether a word on the line gives a date or a number its meaning.
pub(super) fn has_label(tokens: &[Placed]) -> bool {
    tokens.iter().any(vocabulary::is_label)
}

/// "You received": the reader is the one who received.
pub(super) fn reader_received(tokens: &[Placed]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [Placed { token: Token::Word(first), .. }, Placed { token: Token::Word(second), .. }] => {
            matches!(first.as_str(), "you" | "du" | "sie" | "vous" | "tu" | "usted" | "lei" | "voce")
                && vocabulary::label(second) == Some(vocabulary::Label::Received)
        }
        _ => false,
    })
}

pub(super) fn is_move_like(placed: &Placed) -> bool {
    is_move(placed) || matches!(placed.token, Token::Algebraic(_))
}

pub(super) fn is_move(placed: &Placed) -> bool {
    matches!(placed.token, Token::Move(_) | Token::Spaced(_))
}

pub(super) fn is_table_only(tokens: &[Placed]) -> bool {
    let is_cell = |p: &Placed| {
        !matches!(p.token, Token::Word(_) | Token::Number(..) | Token::Spaced(_) | Token::BadMove(..) | Token::Time)
    };
    tokens.iter().all(is_cell)
}
