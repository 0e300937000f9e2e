//! The calendar of marks: read back by a reader of its own, and held against RFC 5545.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use icalendar::{Calendar, Component, Event};
use serde_json::json;

use super::cli::{Player, document};

const AT: &str = "2004-11-02T10:00:00Z";

fn calendar(player: &Player) -> (String, Vec<Event>) {
    let text = player.run(&["ical", "--at", AT]).result();
    let events = text.parse::<Calendar>().unwrap().events().cloned().collect();
    (text, events)
}

/// UID and day of each event.
fn days(events: &[Event]) -> Vec<(String, String)> {
    let day = |event: &Event| event.property_value("DTSTART").unwrap().to_owned();
    events.iter().map(|event| (event.get_uid().unwrap().to_owned(), day(event))).collect()
}

#[test]
fn each_mark_is_one_all_day_event_with_an_alarm_the_day_before() {
    let (text, events) = calendar(&Player::with_sample());
    assert_eq!(
        days(&events),
        [
            ("SAMPLE-1.14.black-announce@amici", "20041113"),
            ("SAMPLE-1.14.white-repeat-14@amici", "20041113"),
            ("SAMPLE-1.14.black-time-control@amici", "20041129"),
            ("SAMPLE-1.14.black-silence@amici", "20041209"),
            ("SAMPLE-1.14.white-claim@amici", "20041210"),
        ]
        .map(|(uid, day)| (uid.to_owned(), day.to_owned()))
    );
    for event in &events {
        assert_eq!(event.property_value("DTSTAMP"), Some("20041102T100000Z"), "{text}");
        assert_eq!(event.property_value("DTEND"), None, "an event of one day has none (RFC 5545, 3.6.1)");
    }
    assert_eq!(text.matches("BEGIN:VALARM").count(), events.len());
    assert_eq!(text.matches("TRIGGER:-P1D\r\n").count(), events.len(), "{text}");
    assert_eq!(text.matches("DTSTART;VALUE=DATE:").count(), events.len());
    assert!(text.contains("SUMMARY:SAMPLE-1 Ostrander\\, Mila: time control 10\r\n"), "{text}");
}

#[test]
fn the_events_as_json_are_those_of_the_calendar() {
    let player = Player::with_sample();
    let document = player.run(&["ical", "--at", AT, "--json"]).json();
    let data = document["events"].as_array().unwrap();
    let text = |event: &serde_json::Value, key: &str| event[key].as_str().unwrap().to_owned();
    let of_data: Vec<(String, String)> =
        data.iter().map(|event| (text(event, "uid"), text(event, "date").replace('-', ""))).collect();
    assert_eq!(of_data, days(&calendar(&player).1));
    assert_eq!(
        (&document["schema"], &data[2]["summary"]),
        (&json!(1), &json!("SAMPLE-1 Ostrander, Mila: time control 10"))
    );
}

#[test]
fn lines_end_and_are_folded_as_the_standard_wants_and_no_move_is_told() {
    let player = Player::new();
    player.import(&document(|game| game["white"]["name"] = json!("Müller, Änne ".repeat(20))));
    let (text, events) = calendar(&player);
    assert_eq!(events.len(), 5);
    assert!(text.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:") && text.ends_with("END:VCALENDAR\r\n"));
    assert!(text.split("\r\n").all(|line| line.len() <= 75 && !line.contains(['\n', '\r'])), "{text}");
    assert!(text.contains("\r\n "), "a long line is folded");
    assert!(!text.contains("5171") && !text.contains("O-O"), "{text}");
    assert_eq!(calendar(&player).0, text, "the same state and instant give the same bytes");
}

#[test]
fn a_mark_that_moves_updates_its_event_and_a_finished_game_has_none() {
    let player = Player::with_sample();
    let before = calendar(&player).1;
    let control = |events: &[Event]| {
        let event = events.iter().find(|event| event.get_uid().unwrap().contains("time-control")).unwrap().clone();
        (
            event.get_uid().unwrap().to_owned(),
            event.property_value("DTSTART").unwrap().to_owned(),
            event.get_sequence().unwrap(),
        )
    };
    let file = player.file(
        "more.json",
        document(|game| {
            game["rules"] =
                json!({"base": "iccf-email-2000", "control": {"kind": "cumulative", "moves": 10, "days": 50}});
        }),
    );
    player.run(&["import", "--replace", &file]).result();
    let after = calendar(&player).1;
    let ((uid, day, sequence), (same, moved, later)) = (control(&before), control(&after));
    assert_eq!((uid, day.as_str(), moved.as_str()), (same, "20041129", "20041119"));
    assert!(later > sequence, "SEQUENCE grows (RFC 5545, 3.8.7.4): {sequence} {later}");
    player.run(&["result", "SAMPLE-1", "1/2-1/2"]).result();
    assert_eq!(calendar(&player).1, []);
}

#[test]
fn of_leaves_that_begin_on_one_day_each_has_an_event_of_its_own_which_no_move_renames() {
    let player = Player::with_sample();
    let leave = |from: &str, to: &str| json!({"side": "black", "from": from, "to": to});
    let file = |moves: usize| {
        let list =
            [leave("2004-11-20", "2004-11-24"), leave("2004-11-20", "2004-11-29"), leave("2004-12-01", "2004-12-02")];
        document(|game| {
            game["leaves"] = json!(list);
            game["moves"].as_array_mut().unwrap().truncate(moves);
        })
    };
    let leaves = |moves: usize| {
        player.run(&["import", "--replace", &player.file("leaves.json", file(moves))]).result();
        let mut uids: Vec<String> = days(&calendar(&player).1).into_iter().map(|(uid, _)| uid).collect();
        let all = uids.len();
        uids.sort();
        uids.dedup();
        assert_eq!(uids.len(), all, "each UID stands once (RFC 5545, 3.8.4.7)");
        uids.retain(|uid| uid.contains("leave"));
        uids
    };
    let before = leaves(12);
    assert!(before.contains(&"SAMPLE-1.black-leave-begins-2004-11-20@amici".to_owned()), "{before:?}");
    assert_eq!(leaves(13), before);
}

#[test]
fn a_file_is_written_whole_and_private_and_replaced_only_by_consent() {
    let player = Player::with_sample();
    for (command, says) in [
        (&["ical", "--at", AT][..], " has 5 events\n"),
        (&["export"], "1 game written to "),
        (&["evidence", "SAMPLE-1"], "the evidence of game SAMPLE-1"),
    ] {
        let file = player.file("theirs", "old");
        let link = player.path("link").to_str().unwrap().to_owned();
        symlink(&file, &link).unwrap();
        let to = |file: &str, more: &[&str]| player.run(&[command, &["-o", file], more].concat());
        let message = to(&file, &[]).failure(1);
        assert!(message.contains("theirs exists already\nhelp: name another file, or say --force"), "{message}");
        for more in [&[][..], &["--force"]] {
            let message = to(&link, more).failure(1);
            assert!(message.contains("link is a symbolic link, which is not written through\nhelp: "), "{message}");
            let message = to("/dev/null", more).failure(1);
            assert!(message.contains("/dev/null exists already and is no regular file\nhelp: "), "{message}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "old", "{command:?}");
        let said = to(&file, &["--force"]).result();
        assert!(said.contains(says), "{said}");
        assert_ne!(fs::read(&file).unwrap(), b"old", "{command:?}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&link).unwrap();
    }
    let names = fs::read_dir(player.dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_str().unwrap().contains(".part")), "nothing is left behind");
    let file = player.path("chess.ics").to_str().unwrap().to_owned();
    player.run(&["ical", "--at", AT, "-o", &file]).result();
    assert_eq!(fs::read_to_string(&file).unwrap(), calendar(&player).0);
    for command in [&["ical"][..], &["export"], &["evidence", "SAMPLE-1"]] {
        let message = player.run(&[command, &["-o", "/nowhere/file"]].concat()).failure(1);
        assert!(message.contains("/nowhere/file cannot be written: No such file"), "{message}");
        assert!(message.contains("help: name a file in a folder that exists"), "{message}");
    }
}
