//! The board as an SVG drawing that stands in a page: no scripts, no styles of its own, no picture to be fetched.
//!
//! The pieces are those of the letters (`letters/pieces`), defined once in a page and used by name. Only squares and pieces go in, so
//! that nothing here is to be escaped.

use std::fmt::Write;
use std::sync::LazyLock;

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use crate::domain::game::Side;

/// The sheet of drawings; a line for each piece.
const SHEET: &str = include_str!("../letters/pieces/pieces.svg");
/// A square's side, as the pieces are drawn.
const SQUARE: u32 = 45;
/// The margin of a board with letters and digits, on its left and below it.
const MARGIN: u32 = 18;

/// The drawings of the pieces by their names, white king to black pawn.
fn drawings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let line = |line: &'static str| {
        let drawing = line.strip_prefix("<g transform=\"translate(")?.split_once(")\">")?.1.strip_suffix("</g>")?;
        let name = drawing.strip_prefix("<g id=\"")?.split_once('"')?.0;
        Some((name, drawing))
    };
    SHEET.lines().filter_map(line)
}

/// A drawing without styles, which the policy of the pages lets nobody write into a page: attributes say the same.
fn unstyled(drawing: &str) -> String {
    drawing.replace(" style=\"fill:", " fill=\"").replace("; stroke:", "\" stroke=\"").replace(";\"", "\"")
}

static PIECES: LazyLock<String> = LazyLock::new(|| {
    let all: String = drawings().map(|(_, drawing)| unstyled(drawing)).collect();
    format!("<svg class=\"pieces\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{all}</defs></svg>")
});

/// The definitions of the pieces, for once in each page.
pub(super) fn pieces() -> &'static str {
    &PIECES
}

/// A piece as a picture: `white-king`.
pub(super) fn piece(name: &str) -> Option<String> {
    let (_, drawing) = drawings().find(|(known, _)| *known == name)?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SQUARE} {SQUARE}\">{}</svg>",
        unstyled(drawing)
    ))
}

fn name_of(piece: Piece) -> String {
    let color = if piece.color == Color::White { "white" } else { "black" };
    let role = match piece.role {
        Role::King => "king",
        Role::Queen => "queen",
        Role::Rook => "rook",
        Role::Bishop => "bishop",
        Role::Knight => "knight",
        Role::Pawn => "pawn",
    };
    format!("{color}-{role}")
}

/// The same with the letters and digits of its squares beside it: files as letters and as the digits of numeric notation.
pub(super) fn large(position: &Board, marked: &[Square], seen_from: Side, when: &str) -> String {
    drawn(position, marked, seen_from, when, true)
}

/// The board from one side with these squares marked; `when` tells whoever cannot see it, and may hold squares and moves alone.
pub(super) fn board(position: &Board, marked: &[Square], seen_from: Side, when: &str) -> String {
    drawn(position, marked, seen_from, when, false)
}

fn drawn(board: &Board, marked: &[Square], seen_from: Side, when: &str, edges: bool) -> String {
    let place = |square: Square| {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        match seen_from {
            Side::White => (file * SQUARE, (7 - rank) * SQUARE),
            Side::Black => ((7 - file) * SQUARE, rank * SQUARE),
        }
    };
    let side = 8 * SQUARE;
    let margin = if edges { MARGIN } else { 0 };
    let whole = side + margin;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"-{margin} 0 {whole} {whole}\" role=\"img\" aria-label=\"Board {when}. {}\">\
         <rect class=\"light\" width=\"{side}\" height=\"{side}\"/><path class=\"dark\" d=\"",
        in_words(board)
    );
    // a text takes whatever is written
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = place(square);
        let _ = write!(svg, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    svg.push_str("\"/>");
    for square in marked {
        let (x, y) = place(*square);
        let _ = write!(svg, "<rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>");
    }
    for (file, rank) in File::ALL.into_iter().zip(Rank::ALL).filter(|_| edges) {
        let (x, y) = place(Square::from_coords(file, rank));
        let (letter, digit, middle) = (file.char(), u32::from(file) + 1, SQUARE / 2);
        let _ = write!(
            svg,
            "<text class=\"edge\" x=\"{}\" y=\"{}\">{letter} {digit}</text><text class=\"edge\" x=\"-9\" y=\"{}\">{}</text>",
            x + middle,
            side + 13,
            y + middle + 4,
            rank.char()
        );
    }
    for (square, piece) in board.clone() {
        let (x, y) = place(square);
        let _ = write!(svg, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", name_of(piece));
    }
    svg.push_str("</svg>");
    svg
}

/// `White: Kg1 Rf1 a2. Black: Ke8 a7.`
fn in_words(board: &Board) -> String {
    let men = |color: Color| {
        let of_role = |role: Role| {
            let letter = if role == Role::Pawn { String::new() } else { role.upper_char().to_string() };
            board.by_piece(role.of(color)).into_iter().map(move |square| format!("{letter}{square}"))
        };
        Role::ALL.into_iter().rev().flat_map(of_role).collect::<Vec<_>>().join(" ")
    };
    format!("White: {}. Black: {}.", men(Color::White), men(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_its_drawing_and_each_board_uses_those() {
        for role in Role::ALL {
            for color in Color::ALL {
                let name = name_of(role.of(color));
                assert!(piece(&name).is_some_and(|svg| svg.contains("<path")), "{name}");
                assert!(pieces().contains(&format!("id=\"{name}\"")), "{name}");
            }
        }
        assert_eq!(drawings().count(), 12);
        assert!(piece("white-unicorn").is_none());
        assert!(!pieces().contains("style="), "the policy of the pages lets no inline style through");
    }

    #[test]
    fn a_board_is_seen_from_the_players_side() {
        let white = large(&Board::default(), &[Square::E4], Side::White, "at the start");
        assert!(white.contains("<use href=\"#white-king\" x=\"180\" y=\"315\"/>"), "{white}");
        assert!(white.contains("<text class=\"edge\" x=\"22\" y=\"373\">a 1</text>"), "{white}");
        assert!(white.contains("<rect class=\"last\" x=\"180\" y=\"180\""), "{white}");
        let black = board(&Board::default(), &[], Side::Black, "at the start");
        assert!(black.contains("<use href=\"#white-king\" x=\"135\" y=\"0\"/>"), "{black}");
        assert!(!black.contains("class=\"edge\""), "{black}");
        assert!(black.contains("White: Ke1 Qd1 Ra1 Rh1") && black.contains("Board at the start."), "{black}");
    }
}
