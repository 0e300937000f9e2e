//! Notation: golden vectors as sentences, and properties over the positions of random games.

use amici::domain::notation::*;
use shakmaty::{CastlingMode, Chess, Move, Position, Role, Square, fen::Fen};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn read(token: &str, fen: &str) -> Result<LegalMove, NumericTrouble> {
    read_numeric(token, &position(fen))
}

fn played(token: &str, fen: &str) -> Move {
    let legal = read(token, fen).unwrap();
    assert_eq!(legal.spelling, Spelling::Standard, "{token} in {fen}");
    legal.played
}

fn illegal(token: &str, fen: &str) -> IllegalMove {
    match read(token, fen) {
        Err(NumericTrouble::Illegal(illegal)) => illegal,
        other => panic!("{token} in {fen}: {other:?}"),
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White to move, both castlings possible on an otherwise empty back rank.
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
/// The same with Black to move.
const CASTLING_BLACK: &str = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
/// A white pawn on f7 that may go on to f8 or take a knight on g8.
const WHITE_PROMOTES: &str = "k5n1/5P2/8/8/8/8/8/4K3 w - - 0 1";
/// A black pawn on f2 that may go on to f1 or take a knight on g1.
const BLACK_PROMOTES: &str = "4k3/8/8/8/8/8/5p2/1K4N1 b - - 0 1";
/// Starts from which promotions, castlings and en passant come up within a few moves.
const RICH: [&str; 6] = [
    START,
    CASTLING,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

mod tokens {
    use super::*;

    #[test]
    fn a_numeric_move_is_four_or_five_digits_and_comes_back_as_it_was() {
        for token in ["5254", "5171", "37381", "37484", "8118"] {
            assert_eq!(token.parse::<NumericMove>().unwrap().to_string(), token);
        }
    }

    #[test]
    fn a_promotion_digit_names_queen_rook_bishop_knight_in_this_order() {
        let roles = ["37381", "37382", "37383", "37384"]
            .map(|token| token.parse::<NumericMove>().unwrap().promotion().unwrap());
        assert_eq!(roles, [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]);
    }

    #[test]
    fn what_is_no_move_in_any_position_says_what_is_wrong_with_it() {
        let message = |token: &str| token.parse::<NumericMove>().unwrap_err().to_string();
        insta::assert_snapshot!(
            ["", "525", "525411", "5204", "9254", "5Z54", "5454", "37385", "37380", "52 4", "５254"]
                .map(message)
                .join("\n"),
            @r#"
"" is not a numeric move: it has 0 characters, a move has four digits, or five for a promotion
"525" is not a numeric move: it has 3 characters, a move has four digits, or five for a promotion
"525411" is not a numeric move: it has 6 characters, a move has four digits, or five for a promotion
"5204" is not a numeric move: character 3 is '0', squares have digits from 1 to 8
"9254" is not a numeric move: character 1 is '9', squares have digits from 1 to 8
"5Z54" is not a numeric move: character 2 is 'Z', squares have digits from 1 to 8
"5454" is not a numeric move: it leaves and reaches the same square, 54 = e4
"37385" ends in '5': a promotion ends in 1 (queen), 2 (rook), 3 (bishop) or 4 (knight)
"37380" ends in '0': a promotion ends in 1 (queen), 2 (rook), 3 (bishop) or 4 (knight)
"52 4" is not a numeric move: character 3 is ' ', squares have digits from 1 to 8
"５254" is not a numeric move: character 1 is '５', squares have digits from 1 to 8
"#);
    }

    #[test]
    fn a_numeric_move_is_a_plain_string_in_json_and_checked_on_the_way_in() {
        let numeric: NumericMove = "37381".parse().unwrap();
        assert_eq!(serde_json::to_string(&numeric).unwrap(), "\"37381\"");
        assert_eq!(serde_json::from_str::<NumericMove>("\"37381\"").unwrap(), numeric);
        assert!(serde_json::from_str::<NumericMove>("\"5250\"").is_err());
    }
}

mod numeric {
    use super::*;

    #[test]
    fn ordinary_moves_are_the_two_squares() {
        let pawn = played("5254", START);
        assert_eq!((pawn.from(), pawn.to()), (Some(Square::E2), Square::E4));
        assert_eq!(played("7163", START).role(), Role::Knight);
    }

    #[test]
    fn a_promotion_names_its_piece_and_may_take() {
        let fen = "3r4/2P5/8/8/8/8/5p2/k1K5 w - - 0 1";
        assert_eq!(played("37381", fen).promotion(), Some(Role::Queen));
        let takes = played("37484", fen);
        assert_eq!((takes.promotion(), takes.capture()), (Some(Role::Knight), Some(Role::Rook)));
        let black = "3r4/2P5/8/8/8/8/5p2/k1K5 b - - 0 1";
        assert_eq!(played("62611", black).promotion(), Some(Role::Queen));
    }

    #[test]
    fn en_passant_is_the_pawns_own_two_squares() {
        let fen = "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1";
        assert_eq!(played("5463", fen), Move::EnPassant { from: Square::E4, to: Square::F3 });
    }

    #[test]
    fn castling_is_the_kings_two_squares_if_a_king_with_the_right_stands_there() {
        for (token, fen, king, rook) in [
            ("5171", CASTLING, Square::E1, Square::H1),
            ("5131", CASTLING, Square::E1, Square::A1),
            ("5878", CASTLING_BLACK, Square::E8, Square::H8),
            ("5838", CASTLING_BLACK, Square::E8, Square::A8),
        ] {
            let castles = Move::Castle { king, rook };
            assert_eq!(played(token, fen), castles);
            assert_eq!(NumericMove::of(&castles).to_string(), token);
        }
    }

    #[test]
    fn the_same_digits_are_a_rook_move_when_a_rook_stands_there() {
        let fen = "4r2k/8/8/8/8/8/8/4R2K w - - 0 1";
        for (token, to) in [("5171", Square::G1), ("5131", Square::C1)] {
            let rook = played(token, fen);
            assert_eq!((rook.role(), rook.to()), (Role::Rook, to));
        }
        let black = "4r2k/8/8/8/8/8/8/4R2K b - - 0 1";
        assert_eq!(played("5878", black).role(), Role::Rook);
        assert_eq!(played("5838", black).role(), Role::Rook);
    }

    #[test]
    fn king_takes_rook_is_castling_and_marked_as_not_standard() {
        for (token, fen) in [("5181", CASTLING), ("5111", CASTLING), ("5888", CASTLING_BLACK), ("5818", CASTLING_BLACK)]
        {
            let legal = read(token, fen).unwrap();
            assert!(legal.played.is_castle());
            assert_eq!(legal.spelling, Spelling::KingTakesRook, "{token}");
        }
    }

    #[test]
    fn king_takes_rook_digits_are_an_ordinary_move_for_any_other_piece() {
        let rook = played("5181", "7k/8/8/8/8/8/K7/4R3 w - - 0 1");
        assert_eq!((rook.role(), rook.to()), (Role::Rook, Square::H1));
    }

    #[test]
    fn castling_spelled_with_both_pieces_is_castling_and_marked() {
        let castle = |king: &str, rook: &str, fen| {
            let [king, rook] = [king, rook].map(|token| token.parse::<NumericMove>().unwrap());
            king.castling_with(rook, &position(fen))
        };
        let legal = castle("5171", "8161", CASTLING).unwrap();
        assert_eq!(legal.played, Move::Castle { king: Square::E1, rook: Square::H1 });
        assert_eq!(legal.spelling, Spelling::KingAndRook);
        assert!(castle("5838", "1848", CASTLING_BLACK).is_some());
        assert_eq!(castle("5171", "1141", CASTLING), None, "the other rook");
        assert_eq!(castle("5161", "8161", CASTLING), None, "no castling");
    }
}

mod promotions_with_too_few_digits {
    use super::*;

    fn short(token: &str, fen: &str) -> String {
        match illegal(token, fen) {
            IllegalMove::ShortPromotion { means } => means.to_string(),
            other => panic!("{token}: {other:?}"),
        }
    }

    #[test]
    fn a_white_pawns_short_form_is_named_but_not_played() {
        assert_eq!(short("6761", WHITE_PROMOTES), "67681");
        assert_eq!(short("6762", WHITE_PROMOTES), "67682");
        assert_eq!(short("6774", WHITE_PROMOTES), "67784");
    }

    #[test]
    fn the_short_form_is_seen_even_when_an_own_piece_stands_on_the_square_it_spells() {
        assert_eq!(short("6762", "k7/5P2/8/8/8/8/5P2/4K3 w - - 0 1"), "67682");
    }

    #[test]
    fn the_same_digits_are_the_rooks_move_when_a_rook_stands_there() {
        let rook = played("6762", "k7/5R2/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!((rook.role(), rook.to()), (Role::Rook, Square::F2));
    }

    #[test]
    fn a_black_pawns_short_forms_for_rook_bishop_and_knight_are_certain() {
        assert_eq!(short("6262", BLACK_PROMOTES), "62612");
        assert_eq!(short("6263", BLACK_PROMOTES), "62613");
        assert_eq!(short("6264", BLACK_PROMOTES), "62614");
        assert_eq!(short("6272", BLACK_PROMOTES), "62712");
    }

    #[test]
    fn a_black_pawn_with_last_digit_one_may_mean_the_rank_or_a_queen() {
        for (token, queen) in [("6261", "62611"), ("6271", "62711")] {
            let IllegalMove::AmbiguousPromotion { queen: read, .. } = illegal(token, BLACK_PROMOTES) else {
                panic!("{token}");
            };
            assert_eq!(read.to_string(), queen);
        }
    }

    #[test]
    fn a_missing_piece_is_never_assumed_to_be_a_queen() {
        for token in ["6768", "6778"] {
            let reason = illegal(token, WHITE_PROMOTES);
            assert!(matches!(reason, IllegalMove::MissingPromotion { .. }), "{reason:?}");
        }
    }

    #[test]
    fn the_same_square_twice_is_malformed_where_no_pawn_promotes() {
        for (token, fen) in [("6262", START), ("6767", WHITE_PROMOTES), ("62622", BLACK_PROMOTES)] {
            let trouble = read(token, fen).unwrap_err();
            assert!(matches!(trouble, NumericTrouble::Malformed(NumericError::SameSquare { .. })));
        }
    }
}

#[test]
fn every_reason_for_an_illegal_move_names_the_squares_in_digits_and_letters() {
    let cases = [
        ("3637", START),
        ("5755", START),
        ("1112", START),
        ("7154", START),
        ("1113", "4k3/8/8/8/8/8/p7/R3K3 w - - 0 1"),
        ("1118", "4k3/p7/8/8/8/p7/8/R3K3 w - - 0 1"),
        ("5354", "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1"),
        ("5254", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1"),
        ("5355", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
        ("5261", START),
        ("5243", START),
        ("5244", START),
        ("5463", "4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1"),
        ("5263", "4k3/8/8/8/1b6/8/4P3/4K3 w - - 0 1"),
        ("1112", "4k3/8/8/8/1b6/8/8/R3K3 w - - 0 1"),
        ("4244", "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1"),
        ("5443", "8/8/8/8/R2Pp2k/8/8/7K b - d3 0 1"),
        ("5344", "4k3/8/8/8/8/3pP3/8/4K3 w - - 0 1"),
        ("5162", "4k3/8/8/8/7b/8/8/4K3 w - - 0 1"),
        ("6171", "k5r1/8/8/8/8/8/8/5K1R w - - 0 1"),
        ("5171", START),
        ("5181", START),
        ("5171", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("5131", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1"),
        ("5131", "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1"),
        ("5171", "4k3/8/8/8/2b5/8/8/4K2R w K - 0 1"),
        ("5171", "4k3/8/8/2b5/8/8/8/4K2R w K - 0 1"),
        ("6768", WHITE_PROMOTES),
        ("6762", WHITE_PROMOTES),
        ("6261", BLACK_PROMOTES),
        ("57555", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"),
        ("57551", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"),
        ("52541", START),
        ("52551", START),
        ("51711", CASTLING),
    ];
    let lines = cases.map(|(token, fen)| format!("{token}: {}", read(token, fen).unwrap_err()));
    insta::assert_snapshot!(lines.join("\n"), @r#"
3637: from 36 = c6 is empty
5755: the black pawn on 57 = e7 is not White's to move
1112: the square reached is taken by the own white pawn on 12 = a2
7154: the white knight on 71 = g1 does not move to 54 = e4 that way
1113: the white rook on 11 = a1 cannot reach 13 = a3: the black pawn on 12 = a2 is in the way
1118: the white rook on 11 = a1 cannot reach 18 = a8: the black pawn on 13 = a3 is in the way
5354: the white pawn on 53 = e3 cannot reach 54 = e4: the black pawn on 54 = e4 is in the way
5254: the white pawn on 52 = e2 cannot reach 54 = e4: the black pawn on 53 = e3 is in the way
5355: the white pawn on 53 = e3 may go two squares only from where pawns start
5261: the square reached is taken by the own white bishop on 61 = f1
5243: the white pawn on 52 = e2 has nothing to take on 43 = d3
5244: the white pawn on 52 = e2 does not move to 44 = d4 that way
5463: the black pawn on 54 = e4 cannot take en passant on 63 = f3: the white pawn on 64 = f4 did not make its double step with the last move
5263: the white pawn on 52 = e2 has nothing to take on 63 = f3
1112: the king is in check from the black bishop on 24 = b4 and would stay in check
4244: the move would open the own king to the black bishop on 24 = b4
5443: the move would open the own king to the white rook on 14 = a4
5344: the white pawn on 53 = e3 has nothing to take on 44 = d4
5162: the king would go into check from the black bishop on 84 = h4
6171: the king would go into check from the black rook on 78 = g8
5171: castling kingside is not possible: the white bishop on 61 = f1 stands in between
5181: castling kingside is not possible: the white bishop on 61 = f1 stands in between
5171: castling kingside is not possible: the right to it is lost, king or rook has moved
5131: castling queenside is not possible: the white knight on 21 = b1 stands in between
5131: castling queenside is not possible: the king is in check from the black rook on 54 = e4
5171: castling kingside is not possible: the king would come to 61 = f1, attacked by the black bishop on 34 = c4
5171: castling kingside is not possible: the king would come to 71 = g1, attacked by the black bishop on 35 = c5
6768: the white pawn on 67 = f7 promotes on 68 = f8: the fifth digit is missing (1 queen, 2 rook, 3 bishop, 4 knight)
6762: this looks like the short form of the promotion 67682: please confirm it with all five digits
6261: the black pawn on 62 = f2 promotes, but the last digit is either the rank, and the piece is missing, or the queen of a short form (62611): all five digits are needed
57555: "57555" ends in '5': a promotion ends in 1 (queen), 2 (rook), 3 (bishop) or 4 (knight)
57551: the fifth digit means a promotion, and 5755 is none; without it the move is legal
52541: the fifth digit means a promotion, and 5254 is none; without it the move is legal
52551: the white pawn on 52 = e2 does not move to 55 = e5 that way
51711: the fifth digit means a promotion, and 5171 is none; without it the move is legal
"#);
}

mod algebraic {
    use super::*;

    #[test]
    fn a_move_is_written_in_san_with_check_and_mate() {
        let written = |token, fen| san(&position(fen), &played(token, fen));
        assert_eq!(written("5254", START), "e4");
        assert_eq!(written("5171", CASTLING), "O-O");
        assert_eq!(written("1118", CASTLING), "Rxa8+");
        assert_eq!(written("67784", WHITE_PROMOTES), "fxg8=N");
        assert_eq!(written("4131", "8/6k1/8/8/8/8/3N4/K2R3R w - - 0 1"), "Rc1");
        assert_eq!(written("1118", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), "Ra8#");
        assert_eq!(written("2142", "7k/8/8/8/8/8/8/KN3N2 w - - 0 1"), "Nbd2");
    }

    #[test]
    fn a_move_is_told_in_words() {
        let told = |token, fen| words(&position(fen), &played(token, fen));
        let lines = [
            told("5254", START),
            told("7163", START),
            told("5463", "4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1"),
            told("5171", CASTLING),
            told("5131", CASTLING),
            told("1118", CASTLING),
            told("67682", WHITE_PROMOTES),
            told("67784", WHITE_PROMOTES),
            told("1118", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
pawn e2-e4
knight g1-f3
pawn e4 takes f3 en passant
castles kingside
castles queenside
rook a1 takes a8, check
pawn f7-f8, promotes to rook, check
pawn f7 takes g8, promotes to knight
rook a1-a8, checkmate
"#);
    }

    fn agreement(token: &str, numeric: &str, fen: &str) -> Agreement {
        tokens_agree(token, &position(fen), &played(numeric, fen))
    }

    #[test]
    fn an_algebraic_token_beside_a_numeric_move_confirms_it_in_any_usual_form() {
        for token in ["e4", "E4", "e2e4", "e2-e4", "E2-E4", "e2–e4", "(e4)", "e4!?", "Pe2-e4"] {
            assert_eq!(agreement(token, "5254", START), Agreement::Same, "{token}");
        }
        for token in ["Nf3", "nf3", "NF3", "Ng1-f3", "g1f3", "♘f3", "Sf3", "Cf3", "Jf3", "Кf3"] {
            assert_eq!(agreement(token, "7163", START), Agreement::Same, "{token}");
        }
        for token in ["O-O", "0-0", "o-o", "00", "O–O", "e1g1", "e1-g1", "Ke1-g1", "e1h1"] {
            assert_eq!(agreement(token, "5171", CASTLING), Agreement::Same, "{token}");
        }
        for token in ["f8R", "f8=R", "f8(R)", "f7-f8R", "f7f8r", "f8=T+", "f8/R"] {
            assert_eq!(agreement(token, "67682", WHITE_PROMOTES), Agreement::Same, "{token}");
        }
        assert_eq!(agreement("Крf1", "5161", CASTLING), Agreement::Same);
    }

    #[test]
    fn a_token_that_names_another_move_or_none_contradicts() {
        for token in ["e3", "d4", "e5", "exd4", "e7-e5", "Nf3", "Qe4", "O-O", "e2xe4", "e4 e.p."] {
            assert_eq!(agreement(token, "5254", START), Agreement::Different, "{token}");
        }
        assert_eq!(agreement("O-O-O", "5171", CASTLING), Agreement::Different);
        assert_eq!(agreement("Bg1-f3", "7163", START), Agreement::Different);
        assert_eq!(agreement("e2e4q", "5254", START), Agreement::Different);
        assert_eq!(agreement("e1h1q", "5171", CASTLING), Agreement::Different);
        assert_eq!(agreement("f8=Q", "67682", WHITE_PROMOTES), Agreement::Different);
        assert_eq!(agreement("f8", "67682", WHITE_PROMOTES), Agreement::Different);
    }

    #[test]
    fn an_ambiguous_token_does_not_confirm() {
        let fen = "7k/8/8/8/8/8/8/KN3N2 w - - 0 1";
        assert_eq!(agreement("Nd2", "2142", fen), Agreement::Different);
        assert_eq!(agreement("Nbd2", "2142", fen), Agreement::Same);
    }

    #[test]
    fn a_letter_of_two_languages_confirms_only_if_one_reading_is_legal() {
        // S is the knight in German and the bishop in Czech.
        let both = "7k/8/8/8/8/8/8/KN2B3 w - - 0 1";
        assert_eq!(agreement("Sd2", "2142", both), Agreement::Different);
        let knight = "7k/8/8/8/8/8/8/KN6 w - - 0 1";
        assert_eq!(agreement("Sd2", "2142", knight), Agreement::Same);
    }

    #[test]
    fn what_is_not_written_like_a_move_neither_confirms_nor_contradicts() {
        for token in ["", "hello", "5755", "52-54", "2004", "-", "--", "e", "e9", "Xf3", "1-0", "="] {
            assert_eq!(agreement(token, "5254", START), Agreement::NotAMove, "{token}");
        }
    }
}

mod players_moves {
    use super::*;

    fn parsed(text: &str, fen: &str) -> String {
        match parse_player_move(text, &position(fen)) {
            Ok(legal) => NumericMove::of(&legal.played).to_string(),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn a_player_may_type_a_move_in_any_notation() {
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let takes = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        for (text, fen, numeric) in [
            ("5254", START, "5254"),
            (" 52-54 ", START, "5254"),
            ("52 54", START, "5254"),
            ("5254!", START, "5254"),
            ("e4", START, "5254"),
            ("E4", START, "5254"),
            ("e2e4", START, "5254"),
            ("e2-e4", START, "5254"),
            ("Nf3!?", START, "7163"),
            ("nf3", START, "7163"),
            ("Ng1-f3", START, "7163"),
            ("exd5", takes, "5445"),
            ("exd5+", takes, "5445"),
            ("ed5", takes, "5445"),
            ("e4:d5", takes, "5445"),
            ("e4d5", takes, "5445"),
            ("exd6 e.p.", en_passant, "5546"),
            ("exd6", en_passant, "5546"),
            ("exd6ep", en_passant, "5546"),
            ("e5xd6 e.p.", en_passant, "5546"),
            ("O-O", CASTLING, "5171"),
            ("0-0", CASTLING, "5171"),
            ("00", CASTLING, "5171"),
            ("o-o-o", CASTLING, "5131"),
            ("e1g1", CASTLING, "5171"),
            ("5171", CASTLING, "5171"),
            ("Rxa8", CASTLING, "1118"),
            ("Ra8", CASTLING, "1118"),
            ("f8Q", WHITE_PROMOTES, "67681"),
            ("f8=n", WHITE_PROMOTES, "67684"),
            ("f7f8b", WHITE_PROMOTES, "67683"),
            ("f7xg8r", WHITE_PROMOTES, "67782"),
            ("fxg8=Q+", WHITE_PROMOTES, "67781"),
            ("67682", WHITE_PROMOTES, "67682"),
            ("67-68-2", WHITE_PROMOTES, "67682"),
            ("6768=R", WHITE_PROMOTES, "67682"),
            ("6768Q", WHITE_PROMOTES, "67681"),
        ] {
            assert_eq!(parsed(text, fen), numeric, "{text}");
        }
    }

    #[test]
    fn unusual_castling_is_understood_and_marked() {
        let spelling = |text| parse_player_move(text, &position(CASTLING)).unwrap().spelling;
        assert_eq!(spelling("5181"), Spelling::KingTakesRook);
        assert_eq!(spelling("e1h1"), Spelling::KingTakesRook);
        assert_eq!(spelling("5171 8161"), Spelling::KingAndRook);
        assert_eq!(spelling("e1g1"), Spelling::Standard);
    }

    #[test]
    fn what_a_player_cannot_have_meant_is_refused_with_the_reason() {
        let knights = "7k/8/8/8/8/8/8/KN3N2 w - - 0 1";
        let pinned = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1";
        let takes = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        let bishop_and_pawn = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
        let lines = [
            ("hello", START),
            ("", START),
            ("13.e4", START),
            ("Sf3", START),
            ("e5", START),
            ("e2e5", START),
            ("e3e4", START),
            ("Nd2", START),
            ("Nd5", START),
            ("Nd2", knights),
            ("Nf3", pinned),
            ("Nxf3", START),
            ("e4 e.p.", START),
            ("exd5 e.p.", takes),
            ("d5", takes),
            ("d5", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            ("O-O", START),
            ("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            ("f8", WHITE_PROMOTES),
            ("6762", WHITE_PROMOTES),
            ("6262", BLACK_PROMOTES),
            ("Bxc3", bishop_and_pawn),
            ("5255", START),
            ("5259", START),
        ]
        .map(|(text, fen)| match parse_player_move(text, &position(fen)) {
            Err(error) => error.to_string(),
            Ok(legal) => panic!("{text}: {legal:?}"),
        });
        insta::assert_snapshot!(lines.join("\n"), @r#"
"hello" is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O
"" is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O
"13.e4" is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O
"Sf3" is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O
no piece of that kind can go where "e5" says
"e2e5" is not legal: the white pawn on 52 = e2 does not move to 55 = e5 that way
"e3e4" is not legal: from 53 = e3 is empty
"Nd2" is not legal: the square reached is taken by the own white pawn on 42 = d2
no piece of that kind can go where "Nd5" says
"Nd2" may be Nbd2 (2142) or Nfd2 (6142); write which
"Nf3" is not legal: the move would open the own king to the black bishop on 24 = b4
"Nxf3" is marked as a capture, and 7163 is none
"e4 e.p." is marked as en passant, and 5254 is none
"exd5 e.p." is marked as en passant, and 5445 is none
no piece of that kind can go where "d5" says
no piece of that kind can go where "d5" says
"O-O" is not legal: castling kingside is not possible: the white bishop on 61 = f1 stands in between
"O-O-O" is not legal: castling queenside is not possible: the right to it is lost, king or rook has moved
"f8" is not legal: the white pawn on 67 = f7 promotes on 68 = f8: the fifth digit is missing (1 queen, 2 rook, 3 bishop, 4 knight)
this looks like the short form of the promotion 67682: please confirm it with all five digits
this looks like the short form of the promotion 62612: please confirm it with all five digits
"Bxc3" is not legal: the white bishop on 11 = a1 cannot reach 33 = c3: the white pawn on 22 = b2 is in the way
the white pawn on 52 = e2 does not move to 55 = e5 that way
"5259" is not a numeric move: character 4 is '9', squares have digits from 1 to 8
"#);
    }
}

mod explanations {
    use super::*;

    const BREYER: &str = "r2qr1k1/1bpnbppp/p2p1n2/1p2p3/3PP3/2P2N1P/PPB2PP1/R1BQRNK1 b - - 6 13";

    fn explained(text: &str, fen: &str) -> String {
        explain(text, &position(fen), Some("17")).unwrap().to_string()
    }

    #[test]
    fn a_slip_is_explained_like_a_compiler_would() {
        insta::assert_snapshot!(explained("3637", BREYER), @r#"
3637 is not legal for Black in game 17 (move 13...)
  from 36 = c6 is empty
  did you mean  3736 (c7-c6)
  read from Black's side of the board (6362): not legal either
"#);
    }

    #[test]
    fn a_move_read_from_blacks_side_is_recognised() {
        insta::assert_snapshot!(explained("4745", START), @r#"
4745 is not legal for White in game 17 (move 1.)
  the black pawn on 47 = d7 is not White's to move
  read from Black's side of the board it is 5254 (e2-e4), which is legal
"#);
        assert_eq!(mirrored("4745", &position(START)).unwrap().to_string(), "5254");
        assert_eq!(mirrored("3637", &position(BREYER)), None);
        assert_eq!(mirrored("hello", &position(START)), None);
    }

    #[test]
    fn what_is_no_number_is_explained_too_and_its_control_characters_are_not_passed_on() {
        insta::assert_snapshot!(explained("e5\u{1b}[31m", START), @r#"
e5\u{1b}[31m is not legal for White in game 17 (move 1.)
  "e5\u{1b}[31m" is not a move; write it as 5254, e4, e2e4, Ng1-f3 or O-O
"#);
        insta::assert_snapshot!(explained("e2e5", START), @r#"
e2e5 is not legal for White in game 17 (move 1.)
  the white pawn on 52 = e2 does not move to 55 = e5 that way
"#);
        insta::assert_snapshot!(explain("e5", &position(START), None).unwrap(), @r#"
e5 is not legal for White (move 1.)
  no piece of that kind can go where "e5" says
"#);
    }

    #[test]
    fn a_legal_move_needs_no_explanation() {
        assert_eq!(explain("5254", &position(START), None), None);
        assert_eq!(explain("O-O", &position(CASTLING), None), None);
    }

    #[test]
    fn neighbours_are_one_slip_away_and_at_most_four() {
        let near = |token| {
            let moves = neighbours(token, &position(START));
            moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(near("5245"), "5254", "two digits exchanged");
        assert_eq!(near("5452"), "5254", "the squares exchanged");
        assert_eq!(near("7164"), "7163", "one digit");
        assert_eq!(near("5Z54"), "5254", "one character that is no digit");
        assert_eq!(near("5255"), "5253 5254");
        assert_eq!(near("6254"), "5254 6264");
        assert_eq!(near("3167"), "", "digits exchanged, but not adjacent ones");
        assert_eq!(near("525"), "");
        assert_eq!(near("8888"), "");
        let pawn = position("8/2P4k/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(neighbours("38374", &pawn), ["37384".parse().unwrap()]);
        let queen = position("8/7k/8/8/3Q4/8/8/K7 w - - 0 1");
        assert_eq!(neighbours("4455", &queen).len(), MAX_NEIGHBOURS);
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{Bitboard, attacks, uci::UciMove};
    use std::collections::HashSet;

    /// A game of up to 120 plies from one of the rich starts: the positions it passes through.
    fn game() -> impl Strategy<Value = Vec<Chess>> {
        let choices = prop::collection::vec(any::<prop::sample::Index>(), 60..=120);
        (prop::sample::select(&RICH[..]), choices).prop_map(|(start, choices)| {
            let mut positions = vec![position(start)];
            for choice in choices {
                let mut next = positions.last().unwrap().clone();
                let legal = next.legal_moves();
                if legal.is_empty() {
                    break;
                }
                next.play_unchecked(legal[choice.index(legal.len())]);
                positions.push(next);
            }
            positions
        })
    }

    /// What shakmaty's own UCI reader makes of the squares and the piece digit of a token.
    fn by_uci(token: &str, position: &Chess) -> Option<Move> {
        let mut uci = String::new();
        for (place, digit) in token.chars().enumerate() {
            uci.push(match (place, digit) {
                (0 | 2, file) => char::from(b'a' + file.to_digit(10).unwrap() as u8 - 1),
                (4, piece) => ['q', 'r', 'b', 'n'][piece.to_digit(10).unwrap() as usize - 1],
                (_, rank) => rank,
            });
        }
        let played = uci.parse::<UciMove>().unwrap().to_move(position).ok();
        // shakmaty passes over the piece of a promotion where a pawn takes in passing
        played.filter(|played| !(played.is_en_passant() && token.len() == 5))
    }

    fn codes() -> impl Iterator<Item = String> {
        let squares = || (1..=8).flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}")));
        squares().flat_map(move |from| squares().map(move |to| format!("{from}{to}")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_legal_move_of_every_position_survives_its_digits(positions in game()) {
            for position in positions {
                let mut seen = HashSet::new();
                for m in position.legal_moves() {
                    let numeric = NumericMove::of(&m);
                    prop_assert!(seen.insert(numeric), "{} twice", numeric);
                    let token = numeric.to_string();
                    let back = read_numeric(&token, &position).unwrap();
                    prop_assert_eq!(back, LegalMove { played: m, spelling: Spelling::Standard });
                }
            }
        }

        #[test]
        fn every_legal_move_is_understood_in_every_form_we_or_others_write(positions in game(), which: prop::sample::Index) {
            let position = &positions[which.index(positions.len())];
            for m in position.legal_moves() {
                let uci = UciMove::from_standard(m).to_string();
                for text in [san(position, &m), m.to_string(), uci, NumericMove::of(&m).to_string()] {
                    let read = parse_player_move(&text, position).map(|legal| legal.played);
                    prop_assert_eq!(read, Ok(m), "{}", text);
                    prop_assert!(explain(&text, position, None).is_none());
                }
            }
        }

        #[test]
        fn a_moves_own_san_agrees_with_it_and_with_no_other_move(positions in game(), which: prop::sample::Index) {
            let position = &positions[which.index(positions.len())];
            for m in position.legal_moves() {
                let token = san(position, &m);
                for other in position.legal_moves() {
                    let agreement = tokens_agree(&token, position, &other);
                    let same = agreement == Agreement::Same;
                    prop_assert!(agreement != Agreement::NotAMove && same == (m == other), "{}", token);
                }
            }
        }

        #[test]
        fn no_text_makes_a_reader_panic(
            positions in game(),
            any in ".{0,8}",
            digits in "[0-9]{3,9}",
            letters in "[a-hKQRBNSPxO0-9=:+#. -]{0,9}",
        ) {
            let position = positions.last().unwrap();
            for text in [any, digits, letters] {
                let read = parse_player_move(&text, position);
                let explained = explain(&text, position, None);
                prop_assert_eq!(read.is_ok(), explained.is_none());
                prop_assert!(explained.is_none_or(|text| !text.to_string().is_empty()));
                prop_assert!(neighbours(&text, position).len() <= MAX_NEIGHBOURS);
                let _ = (read_numeric(&text, position), mirrored(&text, position));
                for m in position.legal_moves() {
                    let _ = tokens_agree(&text, position, &m);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn a_code_is_legal_exactly_when_shakmaty_says_so(positions in game(), which: prop::sample::Index) {
            classify(&positions[which.index(positions.len())])?;
        }
    }

    #[test]
    fn a_code_is_legal_exactly_when_shakmaty_says_so_where_castling_and_promotion_abound() {
        for start in RICH.into_iter().chain([CASTLING_BLACK, WHITE_PROMOTES, BLACK_PROMOTES]) {
            classify(&position(start)).unwrap();
        }
    }

    fn classify(position: &Chess) -> Result<(), TestCaseError> {
        for code in codes() {
            for token in ["", "1", "2", "3", "4"].map(|piece| format!("{code}{piece}")) {
                let read = read_numeric(&token, position);
                let legal = read.as_ref().ok().map(|legal| legal.played);
                prop_assert_eq!(legal, by_uci(&token, position), "{}", token);
                if let Err(NumericTrouble::Illegal(reason)) = read {
                    reason_holds(&token, &reason, position)?;
                }
            }
        }
        Ok(())
    }

    /// What a reason claims is checked against the board, by another way than it was found.
    fn reason_holds(token: &str, reason: &IllegalMove, position: &Chess) -> Result<(), TestCaseError> {
        let board = position.board();
        let from = NumericMove::from_square;
        let left = token.parse().map(from).ok().and_then(|from| board.piece_at(from));
        prop_assert_eq!(left.is_none(), matches!(reason, IllegalMove::EmptySquare { .. }) || token[..2] == token[2..4]);
        match reason {
            IllegalMove::OpponentsPiece { piece } => {
                prop_assert_eq!(piece.piece.color, position.turn().other());
            }
            IllegalMove::CannotGo { piece: Standing { piece, square }, to } => {
                let free = attacks::attacks(*square, *piece, Bitboard::EMPTY);
                prop_assert!(piece.role == Role::Pawn || !free.contains(*to), "{token}: {reason}");
            }
            IllegalMove::Blocked { piece, to, by } => {
                prop_assert!(attacks::between(piece.square, *to).with(*to).contains(by.square));
            }
            IllegalMove::StaysInCheck { checker } => {
                prop_assert!(position.checkers().contains(checker.square));
            }
            IllegalMove::ShortPromotion { means } | IllegalMove::AmbiguousPromotion { queen: means, .. } => {
                prop_assert!(means.to_move(position).is_ok());
            }
            IllegalMove::NotAPromotion { plain } => prop_assert!(plain.to_move(position).is_ok()),
            _ => {}
        }
        Ok(())
    }
}
