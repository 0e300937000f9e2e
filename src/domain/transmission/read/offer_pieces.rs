//! Cuts a text into what an offer of conditional moves is made of: words with a sense, numbers, moves, and the signs between.
//!
//! Japanese is written without blanks, so its runs of letters are cut out first and the rest is cut as any other line.

use super::lex::{self, Token};
use super::offer_words::{Sense, sense};
use super::{Line, Written, cues, vocabulary};

/// What a piece of the text is to an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A word with a sense.
    Word(Sense),
    /// A move number; `true` when its dots say Black.
    Number(u32, bool),
    /// A move.
    Move(Written),
    /// `...` behind a number: Black's half.
    Dots,
    /// A semicolon.
    Break,
    /// Dates and days.
    Stop,
    /// Not understood.
    Unknown,
}

/// A piece, where it stands, and the signs behind it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) what: What,
    /// Which of the lines, counted from 0.
    pub(super) line: usize,
    /// Where it begins, in bytes.
    pub(super) from: usize,
    /// Where the next piece of the line begins.
    pub(super) until: usize,
    /// A sentence ends behind it.
    pub(super) ends: bool,
    /// A question mark that is no comment on a move.
    pub(super) asks: bool,
    /// A comma.
    pub(super) pauses: bool,
    /// A colon.
    pub(super) announces: bool,
    /// An arrow.
    pub(super) arrow: bool,
    /// Brackets that open behind it less those that close.
    pub(super) brackets: isize,
    /// It speaks of the player: "your".
    pub(super) of_player: bool,
    /// It is a word for a move.
    pub(super) names_move: bool,
}

/// All pieces of a text, in order.
pub(super) fn pieces(lines: &[Line<'_>]) -> Vec<Piece> {
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        cut(index, line.text, &mut found);
    }
    found
}

/// A token, or a run of Japanese.
enum Part {
    Token(Token),
    Run(String),
}

fn cut(index: usize, text: &str, found: &mut Vec<Piece>) {
    let (rest, runs) = without_japanese(text);
    let tokens = lex::tokens(&rest).into_iter().map(|p| (p.at, Part::Token(p.token)));
    let mut parts: Vec<(usize, Part)> = runs.into_iter().map(|(at, run)| (at, Part::Run(run))).chain(tokens).collect();
    parts.sort_by_key(|(at, _)| *at);
    let ends: Vec<usize> = parts.iter().skip(1).map(|(at, _)| *at).chain([text.len()]).collect();
    let moves_next: Vec<bool> = parts.iter().skip(1).map(|(_, p)| is_move(p)).chain([false]).collect();
    let mut before_was_a = false;
    for (((from, part), until), move_next) in parts.into_iter().zip(ends).zip(moves_next) {
        let own = text.get(from..until).unwrap_or_default();
        let short = own.starts_with('l') && std::mem::take(&mut before_was_a);
        before_was_a = own.starts_with("a.") && own.len() == 2;
        let of_player = matches!(&part, Part::Token(Token::Word(word)) if vocabulary::is_second_person(word));
        let names_move = matches!(&part, Part::Token(Token::Word(word)) if cues::names_move(word));
        let lost = found.last().is_none_or(|last| last.line != index || last.what == What::Unknown);
        let what = match part {
            Part::Run(run) => sense(&run).map_or(What::Unknown, What::Word),
            Part::Token(Token::Word(word)) if word.len() == 1 && is_marker(own) => What::Word(Sense::Or),
            Part::Token(Token::Word(_)) if short => What::Word(Sense::Any),
            Part::Token(Token::Word(_)) if before_was_a => What::Word(Sense::Glue),
            // "away 22-24 May"
            Part::Token(Token::Spaced(_)) if lost => What::Unknown,
            Part::Token(token) => what(token, own, move_next),
        };
        found.push(Piece { of_player, names_move, ..piece(what, index, from..until, own) });
    }
}

fn is_move(part: &Part) -> bool {
    matches!(part, Part::Token(Token::Move(_) | Token::Algebraic(_) | Token::Spaced(_)))
}

fn what(token: Token, own: &str, move_next: bool) -> What {
    match token {
        // "Si, 6... 5755" says yes
        Token::Word(word) if matches!(word.as_str(), "si" | "ha") && own.contains([',', '!']) => What::Unknown,
        Token::Word(word) => sense(&word).map_or(What::Unknown, What::Word),
        // "1) if 7. 4445"
        Token::Number(_, false) if own.contains(')') && !move_next => What::Word(Sense::Or),
        Token::Number(number, black) => What::Number(number, black),
        Token::Int(number) if move_next => What::Number(number, false),
        Token::Move(numeric) | Token::Spaced(numeric) => What::Move(Written::Numeric(numeric)),
        Token::Algebraic(text) => What::Move(Written::Algebraic(text)),
        Token::Filler(true) => What::Dots,
        Token::Filler(false) if is_arrow(own) => What::Word(Sense::Glue),
        Token::Filler(false) => What::Stop,
        Token::Bar if own.starts_with(';') => What::Break,
        Token::Bar | Token::Date(_) | Token::Time | Token::Slash(..) | Token::Int(_) => What::Stop,
        Token::BadMove(..) => What::Unknown,
    }
}

fn piece(what: What, line: usize, range: std::ops::Range<usize>, own: &str) -> Piece {
    let numbered = matches!(what, What::Number(..) | What::Dots);
    let comment = matches!(what, What::Move(_));
    let open_end = numbered || matches!(what, What::Word(Sense::Any)) || own == "a.";
    let tail =
        own.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '=' | ':' | 'x') && comment);
    let count = |signs: [char; 2]| isize::try_from(tail.matches(signs).count()).unwrap_or(0);
    let opened = if numbered || is_marker(own) { 0 } else { count(['(', '[']) - count([')', ']']) };
    Piece {
        ends: !open_end && (tail.contains(['.', '。']) || (!comment && tail.contains('!'))),
        asks: tail.contains(['?', '？']) && !(comment && (tail.contains("!?") || tail.contains("?!"))),
        pauses: tail.contains([',', '、']),
        announces: !numbered && tail.contains(':'),
        arrow: is_arrow(own),
        brackets: opened,
        what,
        line,
        from: range.start,
        until: range.end,
        of_player: false,
        names_move: false,
    }
}

/// `a)` and `1)` count branches; their brackets close nothing.
fn is_marker(text: &str) -> bool {
    let mark = text.trim_end().strip_suffix(')').unwrap_or_default();
    mark.len() == 1 && mark.chars().all(char::is_alphanumeric)
}

fn is_arrow(text: &str) -> bool {
    ["->", "=>", "→"].iter().any(|arrow| text.contains(arrow))
}

/// The line with blanks for its Japanese letters, and their runs with the bytes where they begin.
fn without_japanese(text: &str) -> (String, Vec<(usize, String)>) {
    let mut rest = String::with_capacity(text.len());
    let mut runs: Vec<(usize, String)> = Vec::new();
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        if !matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '々') {
            rest.push(letter);
            continue;
        }
        rest.push_str(&" ".repeat(letter.len_utf8()));
        match runs.last_mut().filter(|_| end == at) {
            Some((_, run)) => run.push(letter),
            None => runs.push((at, letter.to_string())),
        }
        end = at + letter.len_utf8();
    }
    (rest, runs)
}
