//! Opening names: the last position of a game that has one.
//!
//! The table `openings.tsv` is made from the chess-openings data of lichess (CC0), whose lines are moves; here they are positions, so
//! that transpositions are found. Its keys are Zobrist hashes as PolyGlot defines them, without an en passant square that nobody can
//! use. To make it anew: `AMICI_OPENINGS=FOLDER cargo test --lib openings -- --ignored` with the folder of `a.tsv` to `e.tsv`.
//! Not covered: names in other languages. Callers show a name only where the event allows assistance.

use std::collections::HashMap;
use std::sync::LazyLock;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use super::replay::Replay;

/// A row per named position: key, ECO code, name.
const TABLE: &str = include_str!("openings.tsv");

static NAMES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| rows(TABLE).collect());

/// An opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings: `E94`.
    pub eco: &'static str,
    /// `King's Indian Defense: Orthodox Variation`
    pub name: &'static str,
}

/// The opening of a game: from its last position backwards, the first that has a name.
pub fn opening(replay: &Replay) -> Option<Opening> {
    let mut named = None;
    for position in replay.plies().map(|(before, _)| before).chain([replay.position()]) {
        named = NAMES.get(&key(position)).copied().or(named);
    }
    named
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

fn rows(table: &'static str) -> impl Iterator<Item = (u64, Opening)> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('\t');
        let (key, eco, name) = (cells.next()?, cells.next()?, cells.next()?);
        Some((u64::from_str_radix(key, 16).ok()?, Opening { eco, name }))
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Game, MoveRecord, Stated};
    use crate::domain::notation::NumericMove;

    /// The positions after each move of a line like `1. e4 c5 2. Nf3`, with the moves.
    fn line(text: &str) -> (Chess, Vec<NumericMove>) {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        for san in text.split_whitespace().filter(|word| !word.ends_with('.')) {
            let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
            moves.push(NumericMove::of(&played));
            position.play_unchecked(played);
        }
        (position, moves)
    }

    fn game(text: &str) -> Game {
        let mut game = sample_game();
        game.moves = line(text).1.into_iter().map(|m| MoveRecord::claimed(m, Stated::default())).collect();
        game
    }

    fn name(text: &str) -> Option<(&'static str, &'static str)> {
        opening(&game(text).replay().unwrap()).map(|o| (o.eco, o.name))
    }

    #[test]
    fn the_last_named_position_names_the_game_whatever_the_order_of_moves() {
        assert_eq!(name("1. e4 c5"), Some(("B20", "Sicilian Defense")));
        let najdorf = Some(("B90", "Sicilian Defense: Najdorf Variation"));
        assert_eq!(name("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. a4 h5"), najdorf);
        assert_eq!(name("1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"), najdorf);
        assert_eq!(name(""), None);
        assert_eq!(opening(&sample_game().replay().unwrap()).unwrap().eco, "E94");
    }

    #[test]
    fn a_set_up_position_is_named_too() {
        let mut game = game("");
        game.start_fen = Some("rnbqkb1r/pppp1ppp/5n2/4p3/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3".to_owned());
        assert_eq!(opening(&game.replay().unwrap()).unwrap().name, "Indian Defense: Budapest Gambit");
    }

    #[test]
    fn the_table_is_whole_and_no_key_stands_in_it_twice() {
        let rows: Vec<_> = rows(TABLE).collect();
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert!(rows.len() > 3_700 && rows.len() == lines, "{} rows of {lines}", rows.len());
        assert_eq!(NAMES.len(), rows.len());
        let eco = |code: &str| code.len() == 3 && code.starts_with(|c| ('A'..='E').contains(&c));
        assert!(rows.iter().all(|(_, o)| eco(o.eco) && !o.name.is_empty()));
    }

    #[test]
    #[ignore = "makes the table anew from the folder that AMICI_OPENINGS names"]
    fn makes_the_table() {
        let folder = std::path::PathBuf::from(std::env::var_os("AMICI_OPENINGS").unwrap());
        let mut out = String::from(
            "# Opening names: key (PolyGlot's Zobrist hash of the position), ECO code, name.\n\
             # Made by the test `makes_the_table` in mod.rs from https://github.com/lichess-org/chess-openings\n\
             # Those data are in the public domain: CC0 1.0 Universal, https://creativecommons.org/publicdomain/zero/1.0/\n",
        );
        for volume in ["a", "b", "c", "d", "e"] {
            let source = std::fs::read_to_string(folder.join(format!("{volume}.tsv"))).unwrap();
            for row in source.lines().skip(1) {
                let [eco, name, moves] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
                let (position, _) = line(moves);
                out.push_str(&format!("{:016x}\t{eco}\t{name}\n", key(&position)));
            }
        }
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/domain/openings/openings.tsv"), out).unwrap();
    }
}
