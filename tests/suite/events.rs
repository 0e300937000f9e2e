//! What a sentence of the sender announces: `tests/corpus/events.txt`, as a careful reader hears it.

use amici::domain::transmission::read::{Event, Line, Meaning, Spoken, spoken};

fn word(event: &Event) -> &'static str {
    match event {
        Event::DrawOffer => "draw",
        Event::DrawAccepted => "accept",
        Event::DrawDeclined => "decline",
        Event::Resignation => "resign",
        Event::Score(_) => "score",
        Event::TakesBack => "takeback",
        Event::Corrects => "correct",
        Event::Leave { .. } => "leave",
        Event::TimeClaim => "time",
        Event::RepetitionClaim => "repetition",
        Event::TablebaseClaim => "tablebase",
        Event::FiftyMoveClaim => "fifty",
        Event::AddressChange(_) => "address",
        Event::AsksRepeat => "repeat",
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

#[test]
fn sentences_are_heard_as_a_careful_reader_hears_them() {
    let table = include_str!("../corpus/events.txt");
    let (mut all, mut wrong) = (0, Vec::new());
    for row in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (expected, text) = row.split_once(": ").unwrap_or_else(|| panic!("{row}"));
        let text = text.replace(" / ", "\n");
        let mut expected: Vec<&str> = expected.split(',').filter(|e| *e != "-").collect();
        expected.sort_unstable();
        all += 1;
        let heard = said(&text);
        if heard != expected {
            wrong.push(format!("{row}\n    heard {heard:?}"));
        }
    }
    assert!(all >= 300);
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}
