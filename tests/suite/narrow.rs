//! What the commands show on screens of 60 to 200 columns: of tables every game and every move stays, of prose every word.

use serde_json::json;

use super::cli::{Player, second};
use super::intake::mail;

const AT: &str = "2004-11-28T10:00:00Z";

/// Four games, of which two are urgent on that day.
fn busy() -> Player {
    let player = Player::with_sample();
    for (number, id) in ["EM-1037-PETROV", "ICCF-WCH-23-SF", "X"].iter().enumerate() {
        let game = second(id, |game| {
            game["white"]["name"] = json!("Featherstonehaugh-Cholmondeley, Maximilian");
            if number > 0 {
                game["moves"].as_array_mut().unwrap().pop();
            }
        });
        player.import(&game);
    }
    player
}

/// The table, from its titles to the empty line behind it.
fn table(text: &str) -> Vec<&str> {
    text.lines().skip_while(|line| !line.contains("GAME")).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn on_every_screen_each_game_keeps_its_line_its_mark_and_what_comes_next() {
    let player = busy();
    let wide = player.run(&["status", "--at", AT]).result();
    let urgent = table(&wide).iter().filter(|line| line.starts_with(" !!")).count();
    assert!(urgent > 0 && table(&wide).len() == 5, "{wide}");
    for columns in [60, 80, 100, 200] {
        let text = player.run_with(&["status", "--at", AT], &[("COLUMNS", &columns.to_string())]).result();
        let lines = table(&text);
        assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}:\n{text}");
        assert_eq!((lines.len(), lines.iter().filter(|line| line.starts_with(" !!")).count()), (5, urgent), "{text}");
        for title in ["GAME", "LAST MOVE", "LEFT", "NEXT EVENT"] {
            assert!(lines[0].contains(title), "{columns}, {title}:\n{text}");
        }
        for id in ["SAMPLE-1", "EM-1037-PETROV", "ICCF-WCH-23-SF", "X"] {
            assert!(lines.iter().any(|line| line.contains(id)), "{columns}, {id}:\n{text}");
        }
        assert_eq!(columns == 200, text == wide, "{columns}");
    }
}

#[test]
fn on_every_screen_the_agenda_keeps_its_dates_and_games() {
    let player = busy();
    let args = ["agenda", "--days", "30", "--at", AT];
    let wide = player.run(&args).result();
    let rows = table(&wide).len();
    let urgent = |lines: &[&str]| lines.iter().filter(|line| line.starts_with(" !!")).count();
    assert!(rows > 3 && urgent(&table(&wide)) > 0, "{wide}");
    for columns in [60, 80, 100, 200] {
        let text = player.run_with(&args, &[("COLUMNS", &columns.to_string())]).result();
        let lines = table(&text);
        assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}:\n{text}");
        assert_eq!((lines.len(), urgent(&lines)), (rows, urgent(&table(&wide))), "{text}");
        assert!(["DATE", "GAME", "WHAT"].iter().all(|title| lines[0].contains(title)), "{columns}:\n{text}");
    }
}

/// Two tables that differ, a mail that is held, leave, a private note: every part of these texts.
fn with_everything() -> Player {
    let player = Player::waiting();
    let table = "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n\
        \x20 5. 7163  27.09 30.09    3     7   | 5878  30.09 21.10   21    27\n  7. 5171  26.10 30.10    4    12   |\n";
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", table)), "move");
    let note = "look at the knight on f6 once more before any pawn of the king's side moves";
    player.run(&["note", "SAMPLE-1", note]).result();
    let leave = ["leave", "add", "2004-12-24..2004-12-31", "--of", "opponent"];
    player.run(&[&leave[..], &["--game", "SAMPLE-1", "--announced", "2004-11-01", "--yes"]].concat()).result();
    let two = "7... 2836\n8. 4445 or perhaps 8. 4455, I have not made up my mind about this one as yet\n";
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", two)), "needs_human");
    player
}

#[test]
fn no_line_is_wider_than_the_screen_and_no_word_is_lost() {
    let player = with_everything();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut folded = 0;
    for (command, is_same) in [
        (&["show", "SAMPLE-1"][..], false),
        (&["clock", "SAMPLE-1"], false),
        (&["show"], false),
        (&["explain", "SAMPLE-1", "7w"], true),
        (&["review"], true),
        (&["leave", "list"], true),
        (&["rules"], true),
        (&["rules", "show", "iccf-email-2000"], true),
        (&["rules", "show", "--game", "SAMPLE-1"], true),
        (&["status"], false),
        (&["agenda"], false),
    ] {
        let wide = player.run(command).result();
        for columns in [60, 80] {
            let text = player.run_with(command, &[("COLUMNS", &columns.to_string())]).result();
            let too_long = |line: &&str| {
                let is_copied = line.starts_with("FEN ") || line.trim_start().starts_with("amici ");
                line.chars().count() > columns && !is_copied
            };
            assert_eq!(text.lines().find(too_long), None, "{command:?}, {columns}:\n{text}");
            assert!(!is_same || words(&text) == words(&wide), "{command:?}, {columns}:\n{text}");
            for command in wide.lines().flat_map(|line| line.split("  ")).filter(|part| part.starts_with("amici ")) {
                assert!(text.lines().any(|line| line.contains(command)), "{command}, {columns}:\n{text}");
            }
            folded += usize::from(text != wide);
        }
    }
    assert!(folded > 15, "{folded}");
}

#[test]
fn tables_of_moves_are_stacked_where_two_do_not_fit_and_every_cell_stays() {
    let player = with_everything();
    let rows = |command: &str, columns: &str| -> Vec<Vec<String>> {
        let text = player.run_with(&[command, "SAMPLE-1"], &[("COLUMNS", columns)]).result();
        let cells = text.lines().skip_while(|line| !line.contains(" Total") && !line.contains(" total")).skip(1);
        cells.take_while(|line| !line.is_empty()).map(|l| l.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let sheet = rows("show", "60");
    assert_eq!(sheet.len(), 13);
    assert_eq!(sheet[9], ["5...", "5878", "30.09", "22.10", "22", "28"]);
    assert_eq!(rows("show", "80").len(), 7, "it fits");
    for columns in ["60", "80"] {
        let clock = rows("clock", columns);
        assert_eq!(clock.len(), 26);
        assert_eq!(clock[18], ["!", "5...", "5878", "he", "2004-09-30", "2004-10-21*", "21*", "27*"]);
        assert_eq!(clock[19], ["record", "2004-09-30", "2004-10-22*", "22*", "28*"]);
    }
    assert_eq!(rows("clock", "100").len(), 13, "it fits");
}
