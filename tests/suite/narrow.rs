//! `status` and `agenda` on screens of 60 to 200 columns: every game stays, and what matters most of it.

use serde_json::json;

use super::cli::{Player, second};

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
