//! What a sentence of the sender announces: `tests/corpus/events.txt`, as a careful reader hears it.

use amici::domain::transmission::dates::{DayMonth, WrittenDate};
use amici::domain::transmission::read::{Event, Line, Meaning, Spoken, spoken};
use chrono::NaiveDate;

fn word(event: &Event) -> &'static str {
    match event {
        Event::DrawOffer => "draw",
        Event::DrawAccepted => "accept",
        Event::DrawDeclined => "decline",
        Event::Resignation => "resign",
        Event::Score(_) => "score",
        Event::Leave { .. } => "leave",
        Event::TimeClaim => "time",
        Event::RepetitionClaim => "repetition",
        Event::TablebaseClaim => "tablebase",
        Event::FiftyMoveClaim => "fifty",
        Event::AddressChange(_) => "address",
        Event::AsksRepeat => "repeat",
        Event::LongThought => "thought",
    }
}

fn hear(text: &str) -> Vec<Spoken> {
    let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
    spoken(&lines)
}

/// What was announced, without repetitions; `?` behind what is open.
fn said(text: &str) -> Vec<String> {
    let mut heard: Vec<String> = hear(text)
        .iter()
        .filter(|spoken| spoken.meaning != Meaning::Talk)
        .map(|s| format!("{}{}", word(&s.event), if s.meaning == Meaning::Open { "?" } else { "" }))
        .collect();
    heard.sort();
    heard.dedup();
    heard
}

/// Of a thousand texts so many are heard to the letter; it may only rise.
const SAME: usize = 963;

#[test]
fn sentences_are_heard_as_a_careful_reader_hears_them() {
    let table = include_str!("../corpus/events.txt");
    let (mut all, mut other, mut wrong) = (0, Vec::new(), Vec::new());
    for row in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (expected, text) = row.split_once(": ").unwrap_or_else(|| panic!("{row}"));
        let text = text.replace(" / ", "\n");
        let mut expected: Vec<&str> = expected.split(',').filter(|e| *e != "-").collect();
        expected.sort_unstable();
        all += 1;
        let heard = said(&text);
        if heard != expected {
            let row = format!("{row}\n    heard {heard:?}");
            // what ends a game is taken only where it is said, and nothing that is said is passed over
            let ends = heard.iter().find(|event| matches!(event.as_str(), "resign" | "accept" | "score"));
            let invents = ends.is_some_and(|event| !expected.contains(&event.as_str()));
            let silent = heard.is_empty() && expected.iter().any(|event| !event.ends_with('?') && *event != "decline");
            if invents || silent { wrong.push(row) } else { other.push(row) }
        }
    }
    assert!(all >= 300);
    println!("{} of {all} otherwise:\n{}", other.len(), other.join("\n"));
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!((all - other.len()) * 1000 / all >= SAME, "{} of {all} are heard otherwise", other.len());
}

#[test]
fn an_absence_is_told_with_its_days_as_far_as_they_are_written() {
    let near = NaiveDate::from_ymd_opt(2004, 5, 1).unwrap();
    let day = |date: Option<WrittenDate>| {
        date.and_then(|d| d.resolve(DayMonth::DayFirst, near)).map_or("-".to_owned(), |d| d.to_string())
    };
    for (text, expected) in [
        ("I am on leave 22-24 May.", "2004-05-22 2004-05-24"),
        ("I will be on leave from 1 July until 15 July.", "2004-07-01 2004-07-15"),
        ("Urlaub vom 12.7. bis 26.7.", "2004-07-12 2004-07-26"),
        ("I am out of the office until 24 May.", "- 2004-05-24"),
        ("I am on holiday from 24 May.", "2004-05-24 -"),
        ("I'll be on holiday next week.", "- -"),
    ] {
        let heard = hear(text);
        let Event::Leave { from, until } = &heard[0].event else { panic!("{text}: {heard:?}") };
        assert_eq!(format!("{} {}", day(*from), day(*until)), expected, "{text}");
    }
}

#[test]
fn a_new_address_is_given_only_where_one_plain_address_stands() {
    let address = |text: &str| match hear(text).remove(0).event {
        Event::AddressChange(address) => address,
        other => panic!("{text}: {other:?}"),
    };
    let plain = Some("tobin.q@example.com".to_owned());
    assert_eq!(address("My new address is tobin.q@example.com."), plain);
    assert_eq!(address("Ab sofort bin ich unter <tobin.q@example.com> zu erreichen."), plain);
    assert_eq!(address("I have a new email address."), None);
    assert_eq!(address("My new addresses: my new address is a@example.com or b@example.com."), None);
}

#[test]
fn the_words_are_given_as_written_with_the_line_of_the_deciding_one() {
    let heard = hear(
        "Hello Mila,\n\n6... 5755\n\nI have looked at this position for a very long time and\nfind it equal, so I offer a draw.",
    );
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert_eq!((heard[0].line, &heard[0].event), (6, &Event::DrawOffer));
    assert!(heard[0].words.starts_with("I have looked at this position"), "{}", heard[0].words);
    assert!(heard[0].words.chars().count() <= 80, "{}", heard[0].words);
}

#[test]
fn a_list_without_an_end_is_no_clear_sentence() {
    let long = "if he, ".repeat(60) + "I resign.";
    assert!(hear(&long).iter().all(|spoken| spoken.meaning != Meaning::Clear));
    let heard = hear(&"draw, ".repeat(2000));
    assert!(heard.iter().all(|spoken| spoken.meaning == Meaning::Open));
}
