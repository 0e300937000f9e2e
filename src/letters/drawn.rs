//! The picture of a board in a letter: where the letter is composed and kept, its part of the mail names the board in some eighty bytes; it
//! is drawn where the letter goes out. The same letter gives the same bytes each time.

use shakmaty::{Board, Square};

use super::picture::picture;
use crate::domain::game::Side;
use crate::mail::draft::with_pictures;

/// How a board's name begins.
const BOARD: &str = "board";

/// A board by its name: `board rnbqkbnr/... white e2 e4`, the last two are marked.
pub(super) fn named(board: &Board, marked: &[Square], seen_from: Side) -> Vec<u8> {
    let marked: String = marked.iter().map(|square| format!(" {square}")).collect();
    format!("{BOARD} {} {}{marked}", board.board_fen(), seen_from.word()).into_bytes()
}

/// The letter as it goes out, with its boards drawn.
pub fn drawn(letter: &[u8]) -> Vec<u8> {
    with_pictures(letter, picture_of)
}

fn picture_of(name: &[u8]) -> Option<Vec<u8>> {
    let mut words = str::from_utf8(name).ok()?.split_whitespace();
    if words.next() != Some(BOARD) {
        return None;
    }
    let board = Board::from_ascii_board_fen(words.next()?.as_bytes()).ok()?;
    let side = words.next()?;
    let seen_from = [Side::White, Side::Black].into_iter().find(|of| of.word() == side)?;
    let marked: Vec<Square> = words.map(|square| square.parse().ok()).collect::<Option<_>>()?;
    picture(&board, &marked, seen_from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_by_its_name_and_by_nothing_else() {
        let (board, marked) = (Board::default(), [Square::E2, Square::E4]);
        let name = named(&board, &marked, Side::Black);
        assert_eq!(picture_of(&name), picture(&board, &marked, Side::Black));
        assert_eq!(picture_of(&named(&board, &[], Side::White)), picture(&board, &[], Side::White));
        for other in [
            &b"board x white"[..],
            b"board",
            b"",
            b"\x89PNG",
            b"board 8/8/8/8/8/8/8/8 red",
            b"board 8/8/8/8/8/8/8/8 white e9",
        ] {
            assert_eq!(picture_of(other), None, "{other:?}");
        }
    }
}
