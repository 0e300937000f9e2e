//! The board as text, seen from one side, with the digits of numeric notation at its edges.

use shakmaty::{Board, File, Rank, Square};

use super::game::Side;

/// Ten lines of plain ASCII: ranks with their digit, `.` for an empty square, capitals for White, files as letters and digits below.
pub fn board(board: &Board, seen_from: Side) -> String {
    let mut ranks: Vec<Rank> = Rank::ALL.to_vec();
    let mut files: Vec<File> = File::ALL.to_vec();
    match seen_from {
        Side::White => ranks.reverse(),
        Side::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&format!(" {}", rank.char()));
        for file in &files {
            let piece = board.piece_at(Square::from_coords(*file, rank)).map_or('.', |p| p.char());
            text.push(' ');
            text.push(piece);
        }
        text.push('\n');
    }
    let letters: Vec<String> = files.iter().map(|f| f.char().to_string()).collect();
    let digits: Vec<String> = files.iter().map(|f| (u32::from(*f) + 1).to_string()).collect();
    text.push_str(&format!("   {}\n   {}\n", letters.join(" "), digits.join(" ")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_stands_white_side_down_or_black_side_down() {
        let white = board(&Board::default(), Side::White);
        assert!(white.starts_with(" 8 r n b q k b n r\n"), "{white}");
        assert!(white.ends_with(" 1 R N B Q K B N R\n   a b c d e f g h\n   1 2 3 4 5 6 7 8\n"), "{white}");
        let black = board(&Board::default(), Side::Black);
        assert!(black.starts_with(" 1 R N B K Q B N R\n"), "{black}");
        assert!(black.ends_with("   h g f e d c b a\n   8 7 6 5 4 3 2 1\n"), "{black}");
    }
}
