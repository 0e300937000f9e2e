//! What a mail says beside its moves and the moves must not contradict: the word for a piece, a position, the players' names.
//!
//! A word for a piece counts where nothing but small words stands between it and the digits: "1213, knight takes".

use std::sync::LazyLock;

use shakmaty::Role;

use super::cut::is_move;
use super::cutter::ends_sentence;
use super::lex::{Placed, Token};
use super::prepare::POSITION;
use super::{Called, Line, written};
use crate::domain::game::Side;
use crate::domain::pattern::Pattern;
use crate::domain::transmission::lexicon::{Key, Keys};

/// The piece that a word means, where it means nothing else: French "tour" may be a turn.
fn role(keys: Keys) -> Option<Role> {
    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let (key, role) = Key::PIECES.into_iter().zip(ROLES).find(|(key, _)| keys.has(*key))?;
    keys.without(&[key, Key::Distinct]).is_empty().then_some(role)
}

/// Words that may stand between a piece and its move.
fn is_small(keys: Keys) -> bool {
    keys.has_any(&[Key::Common, Key::Play, Key::I, Key::Move])
        && !keys.has_any(&[Key::You, Key::He, Key::Deny, Key::TakeBack, Key::Weigh, Key::And, Key::Turn])
}

/// The digits of a line with the words for a piece right beside them.
pub(super) fn called<'a>(line: &'a Line<'_>, tokens: &'a [Placed]) -> impl Iterator<Item = Called> + 'a {
    tokens.iter().enumerate().filter(|(_, p)| is_move(p)).flat_map(move |(at, placed)| {
        let (ahead, behind) = (tokens.iter().take(at).rev(), tokens.iter().skip(at + 1));
        let words = [nearest(line, placed, ahead, true), nearest(line, placed, behind, false)];
        words
            .into_iter()
            .flatten()
            .filter_map(move |(word, role)| Some(Called { line: line.number, written: written(placed)?, word, role }))
    })
}

/// The first word for a piece on one side of a move, in its sentence and behind small words only.
fn nearest<'a>(
    line: &Line<'_>,
    of: &Placed,
    side: impl Iterator<Item = &'a Placed>,
    ahead: bool,
) -> Option<(String, Role)> {
    let mut last = of;
    for placed in side {
        let gap = if ahead { line.text.get(placed.end..last.at) } else { line.text.get(last.end..placed.at) };
        if ends_sentence(gap.unwrap_or_default()) {
            return None;
        }
        last = placed;
        match &placed.token {
            Token::Word(word) => match role(placed.keys) {
                Some(role) => return Some((word.clone(), role)),
                None if is_small(placed.keys) => {}
                None => return None,
            },
            Token::Number(..) if ahead => {}
            _ => return None,
        }
    }
    None
}

/// `[White "Ostrander, Mila"]`
static PLAYER: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r#"^\s*\[(?<side>White|Black)\s+"(?<name>[^"]*)"\s*\]\s*$"#));

/// The players as PGN tags name them.
pub(super) fn players(lines: &[Line<'_>]) -> Vec<(Side, String)> {
    let named = |line: &Line<'_>| {
        let found = PLAYER.captures(line.text)?;
        let side = if found.name("side")?.as_str() == "White" { Side::White } else { Side::Black };
        Some((side, found.name("name")?.as_str().to_owned()))
    };
    lines.iter().filter_map(named).collect()
}

/// The boards that the mail shows as FEN, with their lines; that of a tag is where the game began.
pub(super) fn boards(lines: &[Line<'_>]) -> Vec<(usize, String)> {
    let shown = lines.iter().filter(|line| !line.text.trim_start().starts_with('['));
    let found = shown.flat_map(|line| POSITION.find_iter(line.text).map(|found| (line.number, found.as_str())));
    found.filter_map(|(line, position)| Some((line, position.split(' ').next()?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::transmission::read::document::Document;

    fn of(text: &str) -> Vec<String> {
        let line = Line { number: 1, text };
        let document = Document::of(std::slice::from_ref(&line));
        let tokens = document.lines.first().map(|line| line.tokens.clone()).unwrap_or_default();
        called(&line, &tokens).map(|c| format!("{} {}", c.written, c.word)).collect()
    }

    #[test]
    fn the_word_for_a_piece_belongs_to_the_digits_that_it_touches() {
        for (text, expected) in [
            ("11. 1213, knight takes", vec!["1213 knight"]),
            ("Mein Springer: 11. 1213", vec!["1213 springer"]),
            ("11. 1213 with the queen", vec!["1213 queen"]),
            ("11. 1213. Knights are strong", vec![]),
            ("11. 1213. Knight again", vec![]),
            ("11. 1213 attacks your knight", vec![]),
            ("My knight is lost. 11. 1213", vec![]),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn names_stand_in_tags_and_boards_outside_them() {
        let lines: Vec<Line<'_>> =
            ["[White \"Ostrander, Mila\"]", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "Now: 8/8/8/8/8/8/8/K7 b"]
                .into_iter()
                .zip(1..)
                .map(|(text, number)| Line { number, text })
                .collect();
        assert_eq!(players(&lines), [(Side::White, "Ostrander, Mila".to_owned())]);
        assert_eq!(boards(&lines), [(3, "8/8/8/8/8/8/8/K7".to_owned())]);
    }
}
