//! The board as a picture: PNG with a palette, seen from one side, twice as large as it is shown, the last move marked.
//!
//! Files as letters above and as the digits of numeric notation below, ranks on both sides. The same board gives the same bytes.
//! The drawings are one sheet, made beforehand (`pieces/README.md`), so that nothing of SVG or of fonts is needed here.
//! What will surprise you: a point of a drawing is one number, from nothing (0) over black (4) to white (8), since all outlines
//! are black; with five grounds that makes a palette of 45 colours and no mixing of colours when a board is drawn.

use std::io::Cursor;
use std::sync::LazyLock;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};
use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use crate::domain::game::Side;

/// Points of a square's side.
const SQUARE: usize = 72;
/// Points of the margin, and of the side of a drawn letter.
const MARGIN: usize = 27;
/// Points of a letter's place before and after the letter.
const BESIDE: (usize, usize) = (22, 23);
/// Points of the side of the whole picture.
const SIDE: usize = 8 * SQUARE + 2 * MARGIN;
/// How wide the picture is shown, in CSS pixels: half its points.
pub(super) const SHOWN: usize = SIDE / 2;

/// From nothing over black to white.
const LEVELS: u8 = 9;
const BLACK: u8 = 4;
/// The grounds in the order of the palette: light and dark squares, the same with the last move, the margin.
const GROUNDS: [[u8; 3]; 5] = [[240, 217, 181], [181, 136, 99], [205, 210, 106], [170, 162, 58], [246, 243, 236]];
const PAPER: usize = 4;

/// The sheet of drawings: white pieces, black pieces, `12345678abcdefgh`.
struct Sheet {
    width: usize,
    /// A level for each point, row by row.
    levels: Vec<u8>,
}

static SHEET: LazyLock<Option<Sheet>> = LazyLock::new(|| Sheet::read(include_bytes!("pieces/pieces.png")));

impl Sheet {
    fn read(file: &[u8]) -> Option<Sheet> {
        let mut reader = Decoder::new(Cursor::new(file)).read_info().ok()?;
        let mut points = vec![0; reader.output_buffer_size()?];
        let frame = reader.next_frame(&mut points).ok()?;
        let is_expected = (frame.color_type, frame.bit_depth) == (ColorType::Rgba, BitDepth::Eight);
        let (points, _) = points.as_chunks::<4>();
        let levels = points.iter().map(|[grey, _, _, opacity]| level(*grey, *opacity)).collect();
        is_expected.then_some(Sheet { width: usize::try_from(frame.width).ok()?, levels })
    }

    fn row(&self, x: usize, y: usize, length: usize) -> Option<&[u8]> {
        let start = y * self.width + x;
        self.levels.get(start..start + length)
    }

    fn of_piece(&self, piece: Piece, y: usize) -> Option<&[u8]> {
        let column = match piece.role {
            Role::King => 0,
            Role::Queen => 1,
            Role::Rook => 2,
            Role::Bishop => 3,
            Role::Knight => 4,
            Role::Pawn => 5,
        };
        let row = if piece.color == Color::White { 0 } else { 1 };
        self.row(column * SQUARE, row * SQUARE + y, SQUARE)
    }

    fn of_letter(&self, letter: usize, y: usize) -> Option<&[u8]> {
        self.row(letter * MARGIN, 2 * SQUARE + y, MARGIN)
    }
}

fn level(grey: u8, opacity: u8) -> u8 {
    let steps = |value: u8| (value / 2 + 16) / 32;
    if opacity == u8::MAX { BLACK + steps(grey) } else { steps(opacity) }
}

/// The board as a PNG file, with these squares marked. `None` only where the sheet built into the program cannot be read, which a
/// test rules out.
pub(super) fn picture(board: &Board, marked: &[Square], seen_from: Side) -> Option<Vec<u8>> {
    let sheet = SHEET.as_ref()?;
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match seen_from {
        Side::White => ranks.reverse(),
        Side::Black => files.reverse(),
    }
    let mut drawing = Drawing { sheet, points: Vec::with_capacity(SIDE * SIDE) };
    drawing.border(files.map(|file| 8 + usize::from(file)))?;
    for rank in ranks {
        for y in 0..SQUARE {
            drawing.edge(usize::from(rank), y)?;
            for file in files {
                let square = Square::from_coords(file, rank);
                let ground = usize::from(square.is_dark()) + 2 * usize::from(marked.contains(&square));
                match board.piece_at(square) {
                    Some(piece) => drawing.put(ground, sheet.of_piece(piece, y)?),
                    None => drawing.leave(ground, SQUARE),
                }
            }
            drawing.edge(usize::from(rank), y)?;
        }
    }
    drawing.border(files.map(usize::from))?;
    drawing.into_png()
}

struct Drawing<'a> {
    sheet: &'a Sheet,
    /// A place in the palette for each point, row by row.
    points: Vec<u8>,
}

/// Where the colours of a ground begin in the palette.
fn base(ground: usize) -> u8 {
    u8::try_from(ground).unwrap_or_default() * LEVELS
}

impl Drawing<'_> {
    fn leave(&mut self, ground: usize, length: usize) {
        self.points.resize(self.points.len() + length, base(ground));
    }

    fn put(&mut self, ground: usize, levels: &[u8]) {
        self.points.extend(levels.iter().map(|level| base(ground) + level));
    }

    /// A margin with a letter for each file.
    fn border(&mut self, letters: [usize; 8]) -> Option<()> {
        for y in 0..MARGIN {
            self.leave(PAPER, MARGIN);
            for letter in letters {
                self.leave(PAPER, BESIDE.0);
                self.put(PAPER, self.sheet.of_letter(letter, y)?);
                self.leave(PAPER, BESIDE.1);
            }
            self.leave(PAPER, MARGIN);
        }
        Some(())
    }

    /// Row `y` of the margin beside a rank.
    fn edge(&mut self, letter: usize, y: usize) -> Option<()> {
        match y.checked_sub(BESIDE.0).filter(|y| *y < MARGIN) {
            Some(y) => self.put(PAPER, self.sheet.of_letter(letter, y)?),
            None => self.leave(PAPER, MARGIN),
        }
        Some(())
    }

    fn into_png(self) -> Option<Vec<u8>> {
        let side = u32::try_from(SIDE).ok()?;
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, side, side);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette());
        encoder.set_compression(Compression::High);
        // rows of a palette do not resemble one another as numbers (PNG, 12.7)
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&self.points).ok()?;
        writer.finish().ok()?;
        Some(file)
    }
}

fn palette() -> Vec<u8> {
    let colour = |ground: u8, level: u8| match level.checked_sub(BLACK) {
        Some(white) => u16::from(white) * 255 / 4,
        None => u16::from(ground) * u16::from(BLACK - level) / 4,
    };
    let colours = GROUNDS.into_iter().flat_map(|ground| (0..LEVELS).map(move |level| ground.map(|g| colour(g, level))));
    colours.flatten().map(|value| u8::try_from(value).unwrap_or(u8::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours of all points, row by row.
    fn shown(file: &[u8]) -> Vec<[u8; 3]> {
        let mut decoder = Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut points = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut points).unwrap();
        assert_eq!((frame.width as usize, frame.height as usize), (SIDE, SIDE));
        points.as_chunks::<3>().0.to_vec()
    }

    /// The points of the square in this column and row of the picture.
    fn cut(points: &[[u8; 3]], column: usize, row: usize) -> Vec<[u8; 3]> {
        let line = |y: usize| (MARGIN + row * SQUARE + y) * SIDE + MARGIN + column * SQUARE;
        (0..SQUARE).flat_map(|y| points[line(y)..line(y) + SQUARE].to_vec()).collect()
    }

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn a_square_shows_its_piece_or_its_ground_alone() {
        let points = shown(&picture(&Board::default(), &[], Side::White).unwrap());
        let (light, dark) = (GROUNDS[0], GROUNDS[1]);
        let counted = |column, row, colour| cut(&points, column, row).iter().filter(|c| **c == colour).count();
        for row in 2..6 {
            for column in 0..8 {
                let ground = if (column + row) % 2 == 0 { light } else { dark };
                assert_eq!(counted(column, row, ground), SQUARE * SQUARE, "{column} {row}");
            }
        }
        for column in 0..8 {
            let (ours, theirs) = (cut(&points, column, 7), cut(&points, column, 0));
            let whites = |points: &[[u8; 3]]| points.iter().filter(|c| **c == [255; 3]).count();
            assert!(whites(&ours) > 500 && whites(&theirs) < 500, "{column}: {} {}", whites(&ours), whites(&theirs));
            assert!(counted(column, 7, if column % 2 == 0 { dark } else { light }) > SQUARE * SQUARE / 4, "{column}");
        }
    }

    #[test]
    fn each_piece_looks_like_itself_on_every_ground() {
        let points = shown(&picture(&board("KQRBNPkq/rbnp4/8/8/8/8/8/8"), &[], Side::White).unwrap());
        let mut pieces: Vec<Vec<[u8; 3]>> = (0..8).map(|c| cut(&points, c, 0)).collect();
        pieces.extend((0..4).map(|c| cut(&points, c, 1)));
        for (index, piece) in pieces.iter().enumerate() {
            let alike = pieces.iter().filter(|other| *other == piece).count();
            assert_eq!(alike, 1, "piece {index}");
        }
    }

    #[test]
    fn black_sees_the_board_from_the_other_corner() {
        let lone = board("8/8/8/8/8/8/8/R7");
        let empty = |points: &[[u8; 3]], column, row| cut(points, column, row).iter().all(|c| GROUNDS.contains(c));
        let (white, black) = ([(0, 7), (7, 0)], [(7, 0), (0, 7)]);
        for (side, [here, there]) in [(Side::White, white), (Side::Black, black)] {
            let points = shown(&picture(&lone, &[], side).unwrap());
            assert!(!empty(&points, here.0, here.1), "{side:?}");
            assert!(empty(&points, there.0, there.1), "{side:?}");
        }
        let (white, black) = (picture(&lone, &[], Side::White), picture(&lone, &[], Side::Black));
        let corner = |file: Option<Vec<u8>>| shown(&file.unwrap())[..SIDE * MARGIN].to_vec();
        assert_ne!(corner(white), corner(black), "the letters are the other way round too");
    }

    #[test]
    fn the_last_move_is_marked_on_both_its_squares() {
        let points = shown(&picture(&board("8/8/8/8/4P3/8/8/8"), &[Square::E2, Square::E4], Side::White).unwrap());
        assert!(cut(&points, 4, 6).iter().all(|c| *c == GROUNDS[2]));
        let arrived = cut(&points, 4, 4);
        assert!(arrived.contains(&GROUNDS[2]) && !arrived.contains(&GROUNDS[0]));
        assert!(cut(&points, 4, 5).iter().all(|c| *c == GROUNDS[1]));
    }

    #[test]
    fn every_board_is_small() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1",
            "r1n1k2q/1p1b1p1p/p1p1p1p1/1n1b1r1p/P1P1B1P1/1N1Q1P1P/1P1P1N1R/R1B1K3",
            "8/8/8/8/8/8/8/K6k",
        ] {
            for side in [Side::White, Side::Black] {
                let size = picture(&board(fen), &[Square::A1, Square::H8], side).unwrap().len();
                assert!(size < 20_000, "{fen}: {size} bytes");
            }
        }
    }

    #[test]
    fn the_same_board_gives_the_same_bytes() {
        use sha2::{Digest, Sha256};
        let board = board("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1");
        let file = picture(&board, &[Square::E1, Square::G1], Side::Black).unwrap();
        let hash = hex::encode(Sha256::digest(&file));
        insta::assert_snapshot!(format!("{} bytes, SHA-256 {hash}", file.len()), @"14181 bytes, SHA-256 727ba92f24a979b44187c1eed281da1d286ac89f9a754581f7490040219a9b66");
    }
}
