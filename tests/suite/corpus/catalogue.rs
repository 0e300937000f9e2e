//! The mails of `tests/corpus/catalogue`; its README says what is expected of them and how they are graded.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use amici::domain::document::Document;
use amici::domain::judge::{Accepted, Verdict};
use amici::intake::decide::Judgement;
use amici::intake::which::Thread;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;

use crate::which::decided;

use super::{player, thread};

/// Mails that must be understood to the last word: as many as are by now; it only rises.
const FULL: usize = 377;

#[derive(Deserialize)]
pub(super) struct Entry {
    pub(super) file: String,
    pub(super) at: DateTime<Utc>,
    games: Vec<serde_json::Value>,
    expected: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    game: Option<String>,
    outcome: String,
    accept: Vec<String>,
    #[serde(default)]
    plies: Vec<String>,
    #[serde(default)]
    draw_offer: bool,
    #[serde(default)]
    conditionals: Vec<Vec<String>>,
    received: Option<NaiveDate>,
    sent: Option<NaiveDate>,
    header_sent: Option<NaiveDate>,
    days: Option<u32>,
    total: Option<u32>,
    #[serde(default)]
    lenient: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Full,
    Flaw,
    Safe,
    Fail,
}

#[derive(Default)]
struct Dates {
    right: usize,
    blank: usize,
    wrong: Vec<String>,
}

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/catalogue")
}

pub(super) fn entries() -> Vec<Entry> {
    let text = fs::read_to_string(folder().join("expected.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

impl Entry {
    pub(super) fn threads(&self) -> Vec<Thread> {
        let document = serde_json::json!({ "schema": 1, "games": self.games });
        let games = Document::read(&document.to_string()).unwrap_or_else(|e| panic!("{}: {e}", self.file));
        games.into_iter().map(thread).collect()
    }
}

/// Outcomes that change a game.
fn changes_the_game(outcome: &str) -> bool {
    matches!(outcome, "move" | "resignation" | "draw_accept")
}

fn grade(expected: &Expected, judgement: Option<&Judgement<'_>>) -> (Grade, String) {
    let outcome = judgement.map_or("not_game_mail", |j| j.verdict.outcome());
    let reason = judgement.map(|j| j.verdict.reason()).unwrap_or_default();
    let game = judgement.and_then(|j| j.thread).map(|t| t.game.id.to_string());
    if let Some(Verdict::Accepted(accepted)) = judgement.map(|j| &j.verdict) {
        let found: Vec<String> = accepted.plies().iter().map(ToString::to_string).collect();
        return if expected.outcome != "move" || found != expected.plies || game != expected.game {
            (Grade::Fail, format!("{found:?} in {game:?}, not {} {:?}", expected.outcome, expected.plies))
        } else if accepted.draw_offer != expected.draw_offer {
            (Grade::Flaw, "the draw offer".to_owned())
        } else if sorted(accepted.conditionals.clone()) != sorted(expected.conditionals.clone()) {
            (Grade::Flaw, "the conditional lines".to_owned())
        } else {
            (Grade::Full, String::new())
        };
    }
    let said = format!("{outcome}, not {}: {reason}", expected.outcome);
    if changes_the_game(outcome) {
        let right = outcome == expected.outcome && game == expected.game;
        return (if right { Grade::Full } else { Grade::Fail }, said);
    }
    let grade = match outcome {
        _ if expected.accept.iter().any(|a| a == outcome) => Grade::Full,
        "needs_human" => Grade::Safe,
        _ if changes_the_game(&expected.outcome) => Grade::Fail,
        _ => Grade::Safe,
    };
    (grade, said)
}

fn sorted(mut lines: Vec<Vec<String>>) -> Vec<Vec<String>> {
    lines.sort();
    lines
}

impl Dates {
    fn compare(&mut self, file: &str, expected: &Expected, accepted: &Accepted) {
        let found = accepted.stated;
        let mut part = |name: &str, expected_is: Option<String>, found: Option<String>| match (expected_is, found) {
            (Some(a), Some(b)) if a == b => self.right += 1,
            (Some(_), None) if expected.lenient.iter().any(|l| l == name) => self.right += 1,
            (Some(_), None) => self.blank += 1,
            (None, None) => {}
            (expected, found) => self.wrong.push(format!("{file}: {name} {found:?}, not {expected:?}")),
        };
        part("received", expected.received.map(text), found.received.map(text));
        part("days", expected.days.map(text), found.days.map(text));
        part("total", expected.total.map(text), found.total.map(text));
        match expected.sent {
            Some(sent) => part("sent", Some(text(sent)), found.sent.map(text)),
            // where he states none, the header's day counts, or nothing does
            None => {
                let counts = found.sent.or(accepted.header_sent);
                part("sent", counts.and(expected.header_sent).map(text), counts.map(text));
            }
        }
    }
}

fn text(value: impl fmt::Display) -> String {
    value.to_string()
}

/// Name, bytes, games and time of a mail.
pub(super) type Given = (String, Vec<u8>, Vec<Thread>, DateTime<Utc>);

/// Every mail as it is given.
pub(super) fn mails() -> Vec<Given> {
    let mail = |entry: Entry| {
        let raw = fs::read(folder().join(&entry.file)).unwrap();
        let threads = entry.threads();
        (entry.file, raw, threads, entry.at)
    };
    entries().into_iter().map(mail).collect()
}

/// Name, number and bytes of each mail.
pub(super) fn seeds() -> Vec<(String, u8, Vec<u8>)> {
    let seed = |(which, entry): (u8, Entry)| (entry.file.clone(), which, fs::read(folder().join(&entry.file)).unwrap());
    (0..).zip(entries()).map(seed).collect()
}

#[test]
fn every_mail_of_the_catalogue_is_taken_for_what_it_is_or_the_player_is_asked() {
    let mut grades: BTreeMap<Grade, Vec<String>> = BTreeMap::new();
    let mut dates = Dates::default();
    for entry in entries() {
        let threads = entry.threads();
        let me = player(&threads[0].game);
        let raw = fs::read(folder().join(&entry.file)).unwrap();
        let decision = decided(&raw, &me, &threads, entry.at);
        let mut left: Vec<&Judgement<'_>> = decision.judgements.iter().collect();
        for expected in &entry.expected {
            let of_it = left.iter().position(|j| j.thread.map(|t| t.game.id.as_str()) == expected.game.as_deref());
            let only = (entry.expected.len() == 1 && !left.is_empty()).then_some(0);
            let judgement = of_it.or(only).map(|at| left.remove(at));
            let (grade, what) = grade(expected, judgement);
            grades.entry(grade).or_default().push(format!("{}: {what}", entry.file));
            if let (Grade::Full | Grade::Flaw, Some(Verdict::Accepted(accepted))) =
                (grade, judgement.map(|j| &j.verdict))
            {
                dates.compare(&entry.file, expected, accepted);
            }
        }
        for extra in left.iter().filter(|j| changes_the_game(j.verdict.outcome())) {
            let what = format!("{}: besides, {}", entry.file, extra.verdict.reason());
            grades.entry(Grade::Fail).or_default().push(what);
        }
    }
    for (grade, mails) in &grades {
        println!("{grade:?}: {}", mails.len());
        for mail in mails.iter().filter(|_| *grade != Grade::Full) {
            println!("    {mail}");
        }
    }
    println!("dates and days: {} right, {} blank, {} wrong", dates.right, dates.blank, dates.wrong.len());
    let of = |grade| grades.get(&grade).cloned().unwrap_or_default();
    assert!(of(Grade::Fail).is_empty(), "\n{}", of(Grade::Fail).join("\n"));
    assert!(dates.wrong.is_empty(), "\n{}", dates.wrong.join("\n"));
    let full = of(Grade::Full).len();
    assert!(full >= FULL, "{full} are understood to the last word, {FULL} were before; the list stands above");
}
