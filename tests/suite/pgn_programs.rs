//! Our PGN in the programs that players, directors and archives use, and theirs in ours: python-chess, pgn-extract and Scid.
//!
//! `tests/run.sh` installs them. Where one is missing its tests print so and pass, but on CI (`CI=true`) they fail.

use std::path::PathBuf;
use std::process::Command;

use amici::domain::document::Document;
use amici::domain::game::{Game, GameResult, MoveRecord, Stated};
use amici::domain::notation::NumericMove;
use amici::domain::pgn::{Options, games, write};
use serde_json::Value;
use tempfile::TempDir;

const SAMPLE: &str = include_str!("../corpus/games/sample.json");

/// Games with everything that is special in a file: dates, quotes, promotions, Black first, a mate.
fn special() -> Vec<Game> {
    let sample = Document::read(SAMPLE).unwrap().remove(0);
    let other = |fen: Option<&str>, moves: &str, result: Option<GameResult>| Game {
        start_fen: fen.map(str::to_owned),
        moves: moves.split(' ').map(|m| MoveRecord::claimed(m.parse().unwrap(), Stated::default())).collect(),
        result,
        ..sample.clone()
    };
    let mut quoted = other(None, "5254 6766 5455 4745 5546", Some(GameResult::Draw));
    quoted.event = r#"The "Big" \ one"#.to_owned();
    let values = r#"{"base": "iecc", "double_after": 20, "control": {"per_move_cap": 12}}"#;
    quoted.rules = serde_json::from_str(values).unwrap();
    quoted.white.name = "Černý, Jiří".to_owned();
    vec![
        sample.clone(),
        quoted,
        other(None, "6263 5755 7274 4884", Some(GameResult::BlackWins)),
        other(Some("8/P6k/8/8/8/8/4K2p/8 b - - 3 41"), "82814 17183", None),
        other(Some("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20"), "5546 5838 5171", Some(GameResult::WhiteWins)),
    ]
}

fn file_of(games: &[Game]) -> String {
    let options = Options { dates: true, addresses: true, opening: true, ..Options::default() };
    games.iter().map(|game| write(game, &options).unwrap()).collect::<Vec<_>>().join("\n")
}

fn numerics(game: &Game) -> Vec<NumericMove> {
    game.moves.iter().map(|record| record.numeric).collect()
}

/// The moves of a file, game by game, as our reader finds them.
fn ours(file: &str) -> Vec<Vec<NumericMove>> {
    games(file.as_bytes()).map(|game| game.unwrap().plies.iter().map(|ply| ply.numeric).collect()).collect()
}

fn uci(numeric: NumericMove) -> String {
    let promotion = numeric.promotion().map(|role| role.char().to_string()).unwrap_or_default();
    format!("{}{}{promotion}", numeric.from_square(), numeric.to_square())
}

/// The program, unless it is missing and need not be there.
#[allow(clippy::print_stderr, reason = "a test that did nothing says so")]
fn found(name: &str, candidates: &[PathBuf], check: &[&str]) -> Option<PathBuf> {
    let works = |path: &&PathBuf| Command::new(path).args(check).output().is_ok_and(|ran| ran.status.success());
    let program = candidates.iter().find(works).cloned();
    if program.is_none() {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{name} is missing: run tests/run.sh");
        eprintln!("skipped: {name} is not installed");
    }
    program
}

fn python() -> Option<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/python-chess/bin/python");
    found("python-chess", &[own, "python3".into()], &["-c", "import chess.pgn"])
}

fn pgn_extract() -> Option<PathBuf> {
    found("pgn-extract", &["pgn-extract".into(), "/usr/games/pgn-extract".into()], &["--version"])
}

/// What a program prints, with its errors.
fn run(program: &PathBuf, arguments: &[&str]) -> (String, String) {
    let ran = Command::new(program).args(arguments).env("LC_ALL", "C.UTF-8").output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(ran.status.success(), "{out}{err}");
    (out, err)
}

const READ: &str = "
import sys, json, chess.pgn
file = open(sys.argv[1], encoding='utf-8')
games = []
while game := chess.pgn.read_game(file):
    games.append({
        'tags': dict(game.headers),
        'moves': [move.uci() for move in game.mainline_moves()],
        'comments': [node.comment for node in game.mainline() if node.comment],
        'errors': [str(error) for error in game.errors],
        'text': str(game),
    })
print(json.dumps(games))
";

fn in_python(python: &PathBuf, text: &str) -> Vec<Value> {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("games.pgn");
    std::fs::write(&file, text).unwrap();
    serde_json::from_str(&run(python, &["-c", READ, file.to_str().unwrap()]).0).unwrap()
}

#[test]
fn python_chess_reads_ours_and_we_read_its() {
    let Some(python) = python() else { return };
    let special = special();
    let read = in_python(&python, &file_of(&special));
    assert_eq!(read.len(), special.len());
    for (theirs, game) in read.iter().zip(&special) {
        let moves: Vec<String> = numerics(game).into_iter().map(uci).collect();
        assert_eq!(theirs["moves"], serde_json::json!(moves));
        assert_eq!(theirs["errors"], serde_json::json!([]));
        // python-chess leaves the escapes of the standard as they are
        assert_eq!(theirs["tags"]["Event"], game.event.replace('\\', r"\\").replace('"', r#"\""#));
        assert_eq!(theirs["tags"]["White"], game.white.name);
        assert_eq!(ours(theirs["text"].as_str().unwrap()), [numerics(game)]);
    }
    assert_eq!(read[0]["comments"][11], "R 2004.10.24 S 2004.10.26 2/30");
}

#[test]
fn python_chess_finds_no_move_in_numeric_notation_where_we_find_all() {
    let Some(python) = python() else { return };
    let sample = &special()[0];
    let moves = numerics(sample);
    let words = moves.chunks(2).zip(1..).map(|(pair, number)| {
        let pair: Vec<String> = pair.iter().map(ToString::to_string).collect();
        format!("{number}. {}", pair.join(" "))
    });
    let numeric =
        format!("[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n{} *\n", words.collect::<Vec<_>>().join(" "));
    assert_eq!(in_python(&python, &numeric)[0]["moves"], serde_json::json!([]));
    assert_eq!(ours(&numeric), [numerics(sample)]);
}

#[test]
fn pgn_extract_reads_ours_and_we_read_its() {
    let Some(program) = pgn_extract() else { return };
    let special = special();
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("games.pgn");
    std::fs::write(&file, file_of(&special)).unwrap();
    let file = file.to_str().unwrap();
    let moves: Vec<Vec<NumericMove>> = special.iter().map(numerics).collect();
    for form in ["san", "lalg", "elalg", "uci"] {
        let (text, said) = run(&program, &[&format!("-W{form}"), file]);
        assert!(said.contains(&format!("{0} games matched out of {0}.", special.len())), "{said}");
        assert_eq!(ours(&text), moves, "{form}: {text}");
    }
}

const IMPORT: &str = "
sc_base create [lindex $argv 0]
puts [sc_base import [sc_base current] [lindex $argv 1]]
for {set game 1} {$game <= [sc_base numGames [sc_base current]]} {incr game} {
    puts [sc_game pgn -gameNumber $game -comments 1 -variations 1]
}
exit
";

#[test]
fn scid_reads_ours_and_we_read_its() {
    let candidates = ["tkscid".into(), "/usr/games/tkscid".into()];
    let dir = TempDir::new().unwrap();
    let [script, file, version] = ["import.tcl", "games.pgn", "version.tcl"].map(|name| dir.path().join(name));
    std::fs::write(&script, IMPORT).unwrap();
    std::fs::write(&version, "exit").unwrap();
    let Some(program) = found("Scid", &candidates, &[version.to_str().unwrap()]) else { return };
    let special = special();
    std::fs::write(&file, file_of(&special)).unwrap();
    let base = dir.path().join("base");
    let (text, _) = run(&program, &[script.to_str().unwrap(), base.to_str().unwrap(), file.to_str().unwrap()]);
    let (first, text) = text.split_once('\n').unwrap();
    assert_eq!(first, format!("{} {{}}", special.len()), "imported, without a warning");
    assert_eq!(ours(text), special.iter().map(numerics).collect::<Vec<_>>(), "{text}");
}
