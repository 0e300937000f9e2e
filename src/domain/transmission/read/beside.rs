//! What a mail says beside its moves and the moves must not contradict: the word for a piece, a position, the players' names.
//!
//! A word for a piece counts where nothing but small words stands between it and the digits: "1213, knight takes". Words come
//! in lower case and without accents; those that mean other things as well (French "tour", Spanish "vez") are left out.

use std::sync::LazyLock;

use regex::Regex;
use shakmaty::Role;

use super::document::ends_sentence;
use super::lex::{Placed, Token};
use super::prepare::pattern;
use super::vocabulary::among;
use super::{Called, Line, written};
use crate::domain::game::Side;

/// The pieces in the order of the words.
const PIECES: [(Role, &str); 6] = [
    (Role::King, "king konig koenig roi rey koning kung kungen kongen kuningas krol krolem kral kralem kiraly korol'"),
    (
        Role::Queen,
        "queen dame reina donna dama drottning dronning dronningen kuningatar hetman hetmanem damou vezer ferz'",
    ),
    (Role::Rook, "rook turm torre toren torn tarn tornet tarnet torni wieza wieze vezi bastya lad'ia"),
    (
        Role::Bishop,
        "bishop laufer laeufer fou alfil alfiere bispo loper lopare loparen lober loberen laper lahetti goniec gonca strelec strelcem futo slon",
    ),
    (
        Role::Knight,
        "knight springer cavalier caballo cavallo cavalo paard springare springaren springeren ratsu skoczek skoczkiem jezdec jezdcem huszar kon'",
    ),
    (Role::Pawn, "pawn bauer pion peon pedone peao bonde bonden sotilas pionek pesec pescem gyalog peshka"),
];

/// Words that may stand between a piece and its move.
const SMALL: &str = "\
    with the my a an takes captures to x by is move moving play i mit dem der den die das mein meinem meinen schlagt schlaegt \
    nimmt zieht auf nach avec le la mon ma prend con el mi toma captura come il mio prende cattura com o meu met het mijn slaat \
    med min mit slar tar";

fn role(word: &str) -> Option<Role> {
    PIECES.into_iter().find(|(_, words)| among(word, words)).map(|(role, _)| role)
}

/// The digits of a line with the words for a piece right beside them.
pub(super) fn called<'a>(line: &'a Line<'_>, tokens: &'a [Placed]) -> impl Iterator<Item = Called> + 'a {
    let numeric = |p: &&Placed| matches!(p.token, Token::Move(_) | Token::Spaced(_));
    tokens.iter().enumerate().filter(move |(_, p)| numeric(p)).flat_map(move |(at, placed)| {
        let ahead = tokens.get(..at).unwrap_or_default().iter().rev();
        let behind = tokens.get(at + 1..).unwrap_or_default().iter();
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
            Token::Word(word) => match role(word) {
                Some(role) => return Some((word.clone(), role)),
                None if among(word, SMALL) => {}
                None => return None,
            },
            Token::Number(..) if ahead => {}
            _ => return None,
        }
    }
    None
}

/// `[White "Ostrander, Mila"]`
static PLAYER: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^\s*\[(?<side>White|Black)\s+"(?<name>[^"]*)"\s*\]\s*$"#));
/// The board of a FEN (Standard: PGN, 16.1.3.1).
static BOARD: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){7}[1-8pnbrqkPNBRQK]{1,8}"));

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
    shown.flat_map(|line| BOARD.find_iter(line.text).map(|found| (line.number, found.as_str().to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::transmission::read::lex;

    fn of(text: &str) -> Vec<String> {
        let line = Line { number: 1, text };
        called(&line, &lex::tokens(text)).map(|c| format!("{} {}", c.written, c.word)).collect()
    }

    #[test]
    fn the_word_for_a_piece_belongs_to_the_digits_that_it_touches() {
        for (text, expected) in [
            ("11. 1213, knight takes", vec!["1213 knight"]),
            ("Springer schlägt: 11. 1213", vec!["1213 springer"]),
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
