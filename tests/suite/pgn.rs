//! PGN: what is written, what is read back, what is refused and with which words; import and export as the player meets them.

use std::fmt::Write as _;

use amici::domain::clock::ledger::{DateSource, Ledger};
use amici::domain::clock::rules::{PgnDate, RulesetChoice, named};
use amici::domain::document::Document;
use amici::domain::game::{Game, GameResult, MoveRecord, Stated};
use amici::domain::notation::NumericMove;
use amici::domain::pgn::{Options, PgnError, PgnGame, games, write};
use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

const SAMPLE: &str = include_str!("../corpus/games/sample.json");
const MOVES: &str = "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O";
const ALL: Options = Options { strict7: false, date: PgnDate::Start, dates: true, addresses: true, opening: true };

fn sample() -> Game {
    Document::read(SAMPLE).unwrap().remove(0)
}

fn plain(game: &Game, options: Options) -> String {
    write(game, &options).unwrap()
}

fn read(file: impl AsRef<[u8]>) -> Result<PgnGame, PgnError> {
    let all: Vec<_> = games(file.as_ref()).collect();
    let [only] = all.try_into().unwrap();
    only
}

fn tags(result: &str) -> String {
    format!("[Event \"EM/1\"]\n[White \"Ostrander, Mila\"]\n[Black \"Quillfeather, Tobin\"]\n[Result \"{result}\"]\n\n")
}

fn numerics(game: &PgnGame) -> Vec<NumericMove> {
    game.plies.iter().map(|ply| ply.numeric).collect()
}

fn of_sample() -> Vec<NumericMove> {
    sample().moves.iter().map(|record| record.numeric).collect()
}

// Writing ------------------------------------------------------------------------------------------------------------

#[test]
fn the_sample_game_is_written_with_the_tags_of_correspondence_chess() {
    insta::assert_snapshot!(plain(&sample(), ALL));
}

#[test]
fn strict_is_the_seven_tags_and_the_end_date_that_of_the_last_move() {
    let options = Options { strict7: true, date: PgnDate::End, ..Options::default() };
    let over = Game { result: Some(GameResult::Draw), ..sample() };
    assert_eq!(
        plain(&over, options),
        format!(
            "[Event \"EM/ZZ/042\"]\n[Site \"ICCF\"]\n[Date \"2004.10.30\"]\n[Round \"-\"]\n[White \"Ostrander, Mila\"]\n\
             [Black \"Quillfeather, Tobin\"]\n[Result \"1/2-1/2\"]\n\n{MOVES} 1/2-1/2\n"
        )
    );
}

#[test]
fn what_is_not_known_is_written_as_unknown() {
    let game = Game { event: " ".to_owned(), site: String::new(), start_date: None, moves: Vec::new(), ..sample() };
    let text = plain(&game, Options::default());
    assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"), "{text}");
    assert!(text.contains("[Termination \"unterminated\"]") && text.contains("[PlyCount \"0\"]"), "{text}");
    assert!(!["EventDate", "WhiteNA", "ECO", "FEN"].iter().any(|tag| text.contains(tag)), "{text}");
    assert!(text.ends_with("\n\n*\n"), "{text}");
}

#[test]
fn a_game_that_starts_with_black_has_its_numbers_and_its_position() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    let moves = ["5848", "5254", "4858"].map(|m| MoveRecord::claimed(m.parse().unwrap(), Stated::default()));
    let game = Game { start_fen: Some(fen.to_owned()), moves: moves.to_vec(), ..sample() };
    let text = plain(&game, Options { strict7: true, ..Options::default() });
    assert!(text.ends_with(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n30... Kd8 31. e4 Ke8 *\n")), "{text}");
    assert_eq!(read(&text).unwrap().start_fen.as_deref(), Some(fen));
    let usual = Game { start_fen: Some(STARTS[0].to_owned()), ..sample() };
    assert!(!plain(&usual, ALL).contains("FEN"), "it is the initial position");
}

#[test]
fn instants_of_both_players_are_utc_beside_their_own_dates_and_black_has_his_number_behind_a_comment() {
    let mut game = sample();
    game.moves[0].claimed = Stated::default();
    game.moves[0].observed.sent_at = Some("2004-09-14T18:02:00+02:00".parse().unwrap());
    game.moves[0].observed.sent = Some("2004-09-14".parse().unwrap());
    game.moves[2].observed.sent_at = Some("2004-09-17T23:59:00-05:00".parse().unwrap());
    let text = plain(&game, ALL);
    assert!(text.contains("1. d4 {[%ccsnt 2004.09.14,16:02] S 2004.09.14 0/0} 1... Nf6 {R 2004.09.14 S"), "{text}");
    let read = read(&text).unwrap();
    assert_eq!(read.plies[0].sent_at, Some("2004-09-14T16:02:00".parse().unwrap()));
    assert_eq!(read.plies[2].sent_at, Some("2004-09-18T04:59:00".parse().unwrap()));
    assert_eq!(read.plies[2].stated, game.moves[2].claimed);
    assert!(text.contains("6... e5 {R 2004.10.24 S 2004.10.26 2/30}"), "{text}");
    assert!(!plain(&game, Options::default()).contains('{'));
}

#[test]
fn the_dates_and_days_that_count_are_written_and_nothing_else_that_was_stated() {
    let mut game = sample();
    game.moves[8].observed.sent = Some("2004-10-01".parse().unwrap());
    game.moves[8].observed.sent_at = Some("2004-10-01T08:00:00+02:00".parse().unwrap());
    game.moves[8].agreed.penalty = Some(5);
    game.moves[10].claimed = Stated { days: Some(7), total: Some(9), ..Stated::default() };
    game.moves[10].observed.sent = Some("2004-10-23".parse().unwrap());
    game.moves[12] = MoveRecord::conditional(game.moves[12].numeric);
    let text = plain(&game, ALL).replace('\n', " ");
    assert!(text.contains("5. Nf3 {R 2004.09.27 S 2004.09.30 8/12} "), "the Date is of another day: {text}");
    assert!(text.contains("6. Be2 {R 2004.10.22 S 2004.10.23 1/13} "), "{text}");
    assert!(text.contains("7. O-O {0/?} *"), "{text}");
}

#[test]
fn the_day_of_the_end_is_not_known_before_it() {
    let end = Options { date: PgnDate::End, ..Options::default() };
    assert!(plain(&sample(), end).contains("[Date \"????.??.??\"]"));
    let over = Game { result: Some(GameResult::Draw), ..sample() };
    assert!(plain(&over, end).contains("[Date \"2004.10.30\"]"));
}

#[test]
fn a_mate_is_a_normal_end_and_what_the_board_does_not_show_is_not_claimed() {
    let moves = ["6263", "5755", "7274", "4884"].map(|m| MoveRecord::claimed(m.parse().unwrap(), Stated::default()));
    let mate = Game { moves: moves.to_vec(), result: Some(GameResult::BlackWins), ..sample() };
    let text = plain(&mate, Options::default());
    assert!(text.contains("[Termination \"normal\"]") && text.ends_with("2. g4 Qh4# 0-1\n"), "{text}");
    let resigned = Game { result: Some(GameResult::BlackWins), ..sample() };
    assert!(!plain(&resigned, Options::default()).contains("Termination"));
}

#[test]
fn directors_get_what_their_organisation_asks_for() {
    let of = |name: &str| Options::for_director(named(name).unwrap());
    assert_eq!(of("iccf-email-2000"), Options::default());
    assert_eq!(of("iecg"), Options { strict7: true, date: PgnDate::End, ..Options::default() });
    assert_eq!(of("desc"), Options { strict7: true, ..Options::default() });
    let own: RulesetChoice =
        serde_json::from_str(r#"{"base": "friendly", "name": "club", "pgn_strict7": true}"#).unwrap();
    assert!(Options::for_director(&own.resolve().unwrap()).strict7, "a value like any other");
}

// Reading ------------------------------------------------------------------------------------------------------------

#[test]
fn the_same_game_is_read_from_every_notation_and_layout() {
    let numeric: String = of_sample().iter().enumerate().fold(String::new(), |mut text, (index, m)| {
        let _ = write!(text, "{}{m} ", if index % 2 == 0 { format!("{}. ", index / 2 + 1) } else { String::new() });
        text
    });
    let texts = [
        MOVES.to_owned(),
        numeric,
        "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O".to_owned(),
        "1 d4 Nf6 2 c4 g6 3 Nc3 Bg7 4 e4 d6 5 Nf3 0-0 6 Be2 e5 7 0-0".to_owned(),
        "1.d2d4 g8f6 2.c2c4 g7g6 3.b1c3 f8g7 4.e2e4 d7d6 5.g1f3 e8g8 6.f1e2 e7e5 7.e1g1".to_owned(),
        "1. d2-d4 Ng8-f6 2. c2-c4 g7-g6 3. Nb1-c3 Bf8-g7 4. e2-e4 d7-d6 5. Ng1-f3 O-O 6. Bf1-e2 e7-e5 7. O-O".to_owned(),
        "1. d4 ... Nf6 2. c4 2... g6 3. Nc3! Bg7?! $14 4. e4!? ( 4. Nf3 (4. g3 {a (} 4... O-O) O-O ) d6\n% 5. hidden\n5. Nf3\nO-O ; to the end\n6. Be2 6. ... e5 7. O-O"
            .to_owned(),
    ];
    for text in texts {
        for file in [
            format!("{}{text} *\n", tags("*")),
            format!("\u{feff}{}{text} *", tags("*")).replace('\n', "\r\n"),
            format!("\u{feff}% made by hand\n\u{feff}; a list\n{}{text}\t*\n\x1a", tags("")),
        ] {
            assert_eq!(numerics(&read(&file).unwrap()), of_sample(), "{file}");
        }
    }
}

#[test]
fn promotions_en_passant_and_castling_are_read_in_each_notation() {
    let fen = |fen: &str| format!("[FEN \"{fen}\"]\n{}", tags("*"));
    let promotes = fen("8/4P3/8/8/8/4k3/8/4K3 w - - 0 1");
    for text in ["5758", "e8", "57583"] {
        assert!(read(format!("{promotes}1. {text} *")).is_err() == (text != "57583"), "{text}");
    }
    for text in ["57584", "e8=N", "e7e8n", "e8N"] {
        assert_eq!(numerics(&read(format!("{promotes}1. {text} *")).unwrap())[0].to_string(), "57584", "{text}");
    }
    for (text, numeric) in [("e8(N)", "57584"), ("e7e8(Q)", "57581"), ("e8 (R) {good}", "57582"), ("e8=(B)", "57583")] {
        assert_eq!(numerics(&read(format!("{promotes}1. {text} *")).unwrap())[0].to_string(), numeric, "{text}");
    }
    let down = fen("4k3/8/8/8/8/4K3/3p4/4R3 b - - 0 1");
    for (text, numeric) in [("d1(N)", "42414"), ("dxe1(Q)", "42511")] {
        assert_eq!(numerics(&read(format!("{down}1... {text} *")).unwrap())[0].to_string(), numeric, "{text}");
    }
    let passes = fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    for text in ["exd6", "exd6e.p.", "exd6 e.p.", "5546", "e5d6"] {
        assert_eq!(numerics(&read(format!("{passes}1. {text} *")).unwrap())[0].to_string(), "5546", "{text}");
    }
    let castles = fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for (text, numeric) in [("O-O-O", "5131"), ("0-0", "5171"), ("5131", "5131"), ("e1g1", "5171"), ("e1h1", "5171")] {
        assert_eq!(numerics(&read(format!("{castles}1. {text} *")).unwrap())[0].to_string(), numeric, "{text}");
    }
}

#[test]
fn texts_are_utf8_or_else_latin_1_each_for_itself() {
    let mut file = b"[White \"M\xfcller, J\xf6rg\"]\n[Black \"".to_vec();
    file.extend("Černý, Jiří".as_bytes());
    file.extend(b"\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {sch\xf6n} \xbd-\xbd\n");
    let game = read(&file).unwrap();
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller, Jörg"), Some("Černý, Jiří")));
    assert_eq!(game.comments, [(1, "schön".to_owned())]);
    assert_eq!(game.result, Some(GameResult::Draw));
}

#[test]
fn comments_are_kept_with_their_place_and_dates_are_none() {
    let text =
        "{before} 1. e4 {R 2004.10.24 S 2004.10.26 2/30} {good} (1. d4 {left out}) e5 ; strong\n2. Nf3 {two\nlines} *";
    let game = read(format!("{}{text}", tags("*"))).unwrap();
    let comments: Vec<_> = game.comments.iter().map(|(ply, text)| (*ply, text.as_str())).collect();
    assert_eq!(comments, [(0, "before"), (1, "good"), (2, "strong"), (3, "two lines")]);
    assert_eq!(game.plies[0].stated.total, Some(30));
    assert!(game.plies[1].stated.is_empty());
}

#[test]
fn a_comment_behind_the_result_is_of_that_game_and_one_below_it_of_the_next() {
    let one = |result: &str| format!("{}1. e4 {{good}} e5 {result}", tags("1-0"));
    let file = format!("{} {{Black resigns}} ; at once\n{{the next}}\n{}", one("1-0"), one("1-0"));
    let all: Vec<PgnGame> = games(file.as_bytes()).map(Result::unwrap).collect();
    let said = |game: &PgnGame| game.comments.iter().map(|(ply, text)| format!("{ply} {text}")).collect::<Vec<_>>();
    assert_eq!(said(&all[0]), ["1 good", "2 Black resigns", "2 at once"]);
    assert_eq!(said(&all[1]), ["0 the next", "1 good"]);
}

#[test]
fn numbers_of_a_set_up_position_may_be_counted_from_anywhere_but_have_no_gap() {
    let set_up = format!("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n{}", tags("*"));
    for text in ["30. e4 Kd7 31. e5 *", "1. e4 Kd7 2. e5 *", "e4 Kd7 e5 *"] {
        assert_eq!(read(format!("{set_up}{text}")).unwrap().plies.len(), 3, "{text}");
    }
    let error = read(format!("{set_up}1. e4 Kd7 31. e5 *")).unwrap_err().to_string();
    assert!(error.contains("ply 3 (31.): the file has number 31. where 31. is due"), "{error}");
}

#[test]
fn tags_may_hold_quotes_backslashes_and_brackets() {
    for (written, value) in [
        (r#"The \"Big\" one"#, r#"The "Big" one"#),
        (r#"The "Big" one"#, r#"The "Big" one"#),
        (r"C:\\chess\\", r"C:\chess\"),
        (r"C:\chess", r"C:\chess"),
        ("Sarajevo [BIH", "Sarajevo [BIH"),
        ("a ] b", "a ] b"),
        ("", ""),
    ] {
        let file = format!("[Site \"{written}\"] [Stage \"x\" ]\n{}1. e4 *", tags("*"));
        let game = read(&file).unwrap();
        assert_eq!(game.tags[0], ("Site".to_owned(), value.to_owned()));
        assert_eq!(game.tags[1].0, "Stage");
    }
}

#[test]
fn each_bad_file_is_refused_with_its_game_line_and_reason() {
    let head = "game 1 (Ostrander, Mila - Quillfeather, Tobin, EM/1), line ";
    let bad = [
        ("1. e4 e5 2. Nq3 *", "6, ply 3 (2.): \"Nq3\" is not a move"),
        ("1. e4 e5 2. Nf6 *", "6, ply 3 (2.): no piece of that kind can go where \"Nf6\" says"),
        ("1. e4 e5\n2. Ke3 *", "7, ply 3 (2.): no piece"),
        ("1. 5254 5755 2. 4244 5544 3. 4444 *", "6, ply 5 (3.): \"4444\" is not a numeric move"),
        ("1. 5254 5755 2. 5255 *", "6, ply 3 (2.): from 52 = e2 is empty"),
        ("1. 525 *", "6, ply 1 (1.): the file has number 525 where 1. is due"),
        ("1. Nd2 *", "6, ply 1 (1.): \"Nd2\" is not legal: the square reached is taken"),
        ("1. d4 d5 2. Nd2 Nf6 3. Nf3 *", "6, ply 5 (3.): \"Nf3\" may be Ngf3 (7163) or Ndf3 (4263); write which"),
        ("1. e4 -- 2. d4 *", "6, ply 2 (1...): \"--\" is not a move"),
        ("1. e4 e5 3. Nf3 *", "6, ply 3 (2.): the file has number 3. where 2. is due; is a move missing?"),
        ("1. e4 2. Nf3 *", "6, ply 2 (1...): the file has number 2. where 1... is due"),
        ("1... e5 *", "6, ply 1 (1.): the file has number 1... where 1. is due"),
        ("99999999999999999999. e4 *", "6, ply 1 (1.): the file has number 99999999999999999999. where"),
        ("... e4 *", "6: `.` has nothing to close or to mean here"),
        ("1. e4 ) e5 *", "6: `)` has nothing to close"),
        ("1. e4 } e5 *", "6: `}` has nothing to close"),
        ("1. e4 $x e5 *", "6: `$` has nothing to close"),
        ("1. e4 \"e5\" *", "6: `\"` has nothing to close"),
        ("1. e4 {open\nuntil the end *", "6: the comment that begins here is never closed"),
        ("1. e4 (1. d4 (1. c4) *", "6: the variation that begins here is never closed"),
        ("1. e4 e5", "6: the game ends without its result"),
        ("", "6: the game ends without its result"),
        ("1. e4 e5 1-0", "6: the moves end with 1-0, and the tag says [Result \"*\"]"),
        ("1. e4 {R 2004.02.30} *", "6, ply 1 (1.): \"R 2004.02.30\" in a comment has a day or an hour that is none"),
        ("{S 2004.02.03} 1. e4 *", "6: {S 2004.02.03} gives dates or days to no move"),
        ("1. e4 {2/30} {3/30} *", "6, ply 1 (1.): the move has two sets of dates or days"),
        ("1. f3 e5 2. g4 Qh4# *\n", ""),
    ];
    let mut wrong = Vec::new();
    for (movetext, message) in bad {
        let said = read(format!("{}{movetext}", tags("*"))).map_or_else(|e| e.to_string(), |_| String::new());
        let expected = if message.is_empty() { String::new() } else { format!("{head}{message}") };
        if !said.starts_with(&expected) || said.is_empty() != expected.is_empty() {
            wrong.push(format!("{movetext:?}: {said}"));
        }
    }
    let of_tags = [
        ("[Result \"won\"]\n\n1. e4 1-0", "line 3: [Result \"won\"] is no result"),
        (
            "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0",
            "line 3: the last position is checkmate, and the result is 1-0",
        ),
        ("[White \"A\"]\n[White \"B\"]\n\n*", "line 2: the tag White stands here twice"),
        ("[White \"A]\n\n*", "line 1: the tag is not closed on its line"),
        ("[White]\n\n*", "line 1: the tag is not closed on its line"),
        ("[FEN \"rnbq\"]\n\n*", "line 3: the start position `rnbq` is not usable"),
        ("[SetUp \"1\"]\n\n1. e4 *", "the tag FEN, which gives it, is missing"),
        ("[Variant \"Chess960\"]\n\n*", "line 3: [Variant \"Chess960\"]: only standard chess"),
        ("] *", "line 1: `]` has nothing"),
    ];
    for (file, message) in of_tags {
        let said = read(file).unwrap_err().to_string();
        if !said.contains(message) {
            wrong.push(format!("{file:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn after_a_bad_game_the_reading_goes_on_with_the_next() {
    let good = |name: &str| format!("[Event \"{name}\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
    let (a, z) = (good("A"), good("Z"));
    for (bad, errors) in [
        ("[Event \"B\"]\n[Result \"*\"]\n\n1. e5 e4 *\n\n", 1),
        ("[Event \"B\"]\n\n1. e4 {never closed *\n\n", 1),
        ("[Event \"B\"]\n\n1. e4 (1. d4 *\n\n", 1),
        ("[Event \"B\"]\n\n1. e4 e5\n\n", 1),
        ("[Event \"B\"]\n\n", 1),
        ("[Event \"B\n[Site \"\"]\n\n1. e4 *\n\n", 1),
        ("[Event \"B\"]\n\n1. e4 ] *\n\n[White \"C\"]\n\n1. d9 *\n", 2),
        ("nonsense\n\n", 1),
    ] {
        let file = format!("{a}{bad}{z}");
        let read: Vec<_> = games(file.as_bytes()).collect();
        let found: Vec<_> = read.iter().flatten().map(|game| game.tag("Event").unwrap()).collect();
        assert_eq!(found, ["A", "Z"], "{bad}");
        assert_eq!(read.len(), 2 + errors, "{bad}");
        let last = read.last().unwrap().as_ref().unwrap();
        assert_eq!(last.place.game, 2 + errors);
        assert_eq!(last.place.line, file.lines().position(|line| line == "[Event \"Z\"]").unwrap() + 1);
    }
}

#[test]
fn an_unharmed_game_behind_a_damaged_one_is_never_lost_unlisted() {
    let game = |name: &str| format!("[Event \"{name}\"]\n[White \"W\"]\n[Result \"*\"]\n\n1. e4 *\n");
    let (a, z) = (game("A"), game("Z"));
    for (bad, errors) in [
        // cut off somewhere, and the next file put right behind
        ("[Event \"B\"]\n\n1. e4 e5 2. Nf3 N", 1),
        ("[Event \"B\"]\n\n1. e4 e5 2. Nf3 ", 1),
        ("[Event \"B\"]\n\n1. e4 {R 2004.10", 1),
        ("[Event \"B\"]\n\n1. e4 {two\nlines of", 1),
        ("[Event \"B\"]\n\n1. e4 ; strong", 1),
        ("[Event \"B\"]\n\n1. e4 (1. d4 d", 1),
        ("[Event \"B\"]\n[White \"W", 1),
        ("[Event \"B\"]\n[Wh", 1),
        ("[Event \"B", 1),
        // the game behind is damaged too: both are told
        ("[Event \"B\"]\n\n1. e4 e5\n\n[Event \"C]\n[White \"W\"]\n\n1. e4 *\n\n", 2),
        ("[Event \"B\"]\n\n1. e4 (1. d4\n\n[Event \"C]\n[White \"W\"]\n\n1. e4 *\n\n", 2),
        ("[Event \"B\"]\n\n1. e9\n\nEvent \"C\"]\n[White \"W\"]\n\n1. e4 *\n\n", 2),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let file = format!("{a}{bad}{z}").replace('\n', end);
            let read: Vec<_> = games(file.as_bytes()).collect();
            let found: Vec<_> = read.iter().flatten().map(|game| game.tag("Event").unwrap()).collect();
            assert_eq!((found, read.len()), (vec!["A", "Z"], 2 + errors), "{bad:?} {end:?}");
        }
    }
}

#[test]
fn what_looks_like_a_game_in_a_comment_or_a_value_is_none() {
    for comment in ["{see [Event \"X\"]}", "{see [Event \"X\"] and\nmore}", "; see [Event \"X\"] there"] {
        let game = read(format!("{}1. e4 {comment}\n*", tags("*"))).unwrap();
        assert_eq!((game.plies.len(), game.comments.len()), (1, 1), "{comment}");
    }
}

#[test]
fn a_line_ends_with_lf_or_cr_lf_or_the_cr_of_old_macs() {
    let file = format!("% by hand\n{}1. e4 ; strong\n% 1... c5\ne5 2. Nf3 *\n\n{}1. e4 e9 *\n", tags("*"), tags("*"));
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let file = file.replace('\n', end);
        let read: Vec<_> = games(file.as_bytes()).collect();
        let [Ok(good), Err(bad)] = read.as_slice() else { panic!("{end:?}: {read:?}") };
        assert_eq!((good.plies.len(), &good.comments), (3, &vec![(1, "strong".to_owned())]), "{end:?}");
        assert_eq!((good.place.line, bad.line), (2, 16), "{end:?}");
    }
}

#[test]
fn a_file_of_twenty_thousand_open_comments_is_read_to_its_end() {
    let file = "[Event \"B\"]\n\n1. e4 {never closed *\n\n".repeat(20_000);
    assert_eq!(games(file.as_bytes()).filter(Result::is_err).count(), 20_000);
}

// There and back -----------------------------------------------------------------------------------------------------

/// A game of random legal moves.
fn played(start: &str, choices: &[u16]) -> Vec<NumericMove> {
    let fen: Fen = start.parse().unwrap();
    let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let mut moves = Vec::new();
    for choice in choices {
        let legal = position.legal_moves();
        let Some(chosen) = legal.get(usize::from(*choice) % legal.len().max(1)).copied() else { break };
        moves.push(NumericMove::of(&chosen));
        position.play_unchecked(chosen);
    }
    moves
}

/// An independent reader: the moves it finds.
#[derive(Default)]
struct Other(Chess);

impl pgn_reader::Visitor for Other {
    type Tags = Option<Fen>;
    type Movetext = Vec<NumericMove>;
    type Output = Vec<NumericMove>;

    fn begin_tags(&mut self) -> std::ops::ControlFlow<Self::Output, Self::Tags> {
        std::ops::ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> std::ops::ControlFlow<Self::Output> {
        if name == b"FEN" {
            *tags = Fen::from_ascii(value.as_bytes()).ok();
        }
        std::ops::ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> std::ops::ControlFlow<Self::Output, Self::Movetext> {
        self.0 = fen.map_or_else(Chess::default, |fen| fen.into_position(CastlingMode::Standard).unwrap());
        std::ops::ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Self::Movetext, san: pgn_reader::SanPlus) -> std::ops::ControlFlow<Self::Output> {
        let played = san.san.to_move(&self.0).unwrap();
        moves.push(NumericMove::of(&played));
        self.0.play_unchecked(played);
        std::ops::ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Self::Movetext) -> Self::Output {
        moves
    }
}

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 3 17",
    "8/PPP4k/8/8/8/8/4Kppp/8 b - - 0 60",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

prop_compose! {
    fn any_stated()(
        received in prop::option::of(0_u64..400),
        sent in prop::option::of(400_u64..800),
        days in prop::option::of(0_u32..1000),
        total in prop::option::of(0_u32..9000),
    ) -> Stated {
        let day = |days: Option<u64>| days.map(|d| NaiveDate::from_ymd_opt(2003, 12, 1).unwrap() + Days::new(d));
        Stated { received: day(received), sent: day(sent), days, total }
    }
}

prop_compose! {
    fn any_game()(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..150),
        stated in prop::collection::vec(any_stated(), 150),
        names in prop::array::uniform4(any::<String>()),
        result in prop::option::of(0_usize..3),
    ) -> Game {
        let mut game = sample();
        game.moves = played(STARTS[start], &choices).into_iter().zip(stated).map(|(m, s)| MoveRecord::claimed(m, s)).collect();
        game.start_fen = (start > 0).then(|| STARTS[start].to_owned());
        let [event, site, white, black] = names;
        (game.event, game.site, game.white.name, game.black.name) = (event, site, white, black);
        let forced = game.replay().unwrap().standing().result(game.to_move());
        let free = result.map(|r| [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw][r]);
        game.result = forced.or(free);
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_written_game_is_read_back_with_its_moves_dates_and_tags(game in any_game(), opening in any::<bool>()) {
        let text = plain(&game, Options { opening, ..ALL });
        let read = read(&text).unwrap();
        let recorded: Vec<_> = game.moves.iter().map(|record| record.numeric).collect();
        prop_assert_eq!(numerics(&read), &recorded[..]);
        for (ply, time) in read.plies.iter().zip(Ledger::of(&game).unwrap().plies()) {
            let received = time.received.filter(|received| received.source != DateSource::Start).map(|d| d.day);
            prop_assert_eq!((ply.stated.received, ply.stated.sent), (received, time.sent.map(|d| d.day)));
            prop_assert_eq!(ply.stated.days, time.days);
            prop_assert!(ply.stated.total.is_none_or(|total| total == time.total));
        }
        prop_assert_eq!(read.result, game.result);
        prop_assert_eq!(&read.start_fen, &game.start_fen);
        prop_assert!(read.comments.is_empty());
        for (tag, name) in [("Event", &game.event), ("Site", &game.site), ("White", &game.white.name), ("Black", &game.black.name)] {
            let clean: String = name.chars().filter(|c| !c.is_control()).collect();
            let expected = if name.trim().is_empty() { "?" } else { &clean };
            let found = read.tags.iter().find(|(other, _)| other == tag).map(|(_, value)| value.as_str());
            prop_assert_eq!(found, Some(expected));
        }
        let movetext = text.lines().skip_while(|line| !line.is_empty());
        for line in movetext {
            prop_assert!(line.chars().count() <= 78 && !line.ends_with(' '), "{}", line);
        }
        let other = pgn_reader::Reader::new(std::io::Cursor::new(&text)).read_game(&mut Other::default()).unwrap();
        prop_assert_eq!(other, Some(recorded));
    }

    #[test]
    fn no_bytes_make_the_reader_fail_or_stand_still(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "[\\[\\]{}();%$\"\\\\. \n*eE4d5N0-1/\\PC]{0,200}") {
        let all = |file: &[u8]| games(file).count();
        prop_assert!(all(&bytes) <= bytes.len() + 1);
        prop_assert!(all(text.as_bytes()) <= text.len() + 1);
    }
}
