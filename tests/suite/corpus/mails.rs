//! The collected mails of `tests/corpus/mails`; its README says how they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use amici::domain::document::Document;
use amici::domain::game::{Game, Plan, Stated};
use amici::domain::judge::{Accepted, Verdict};
use amici::intake::decide::Judgement;
use amici::intake::which::Thread;
use chrono::{DateTime, Utc};

use crate::which::decided;

use super::{day, player, right_or_blank, soon_after, thread};

const ROWS: &str = "\
 No. Move   Rec.   Sent  Days Total |  Move   Rec.   Sent  Days Total
  1.  4244   -----  14.09    0      0    |  7866   14.09  16.09    1      1
  2.  3234   16.09  17.09    1      1    |  7776   17.09  17.09    0      1
  3.  2133   18.09  20.09    2      3    |  6877   20.09  25.09    5      6
  4.  5254   25.09  26.09    1      4    |  4746   27.09  27.09    0      6
  5.  7163   27.09  30.09    3      7    |  5878   30.09  22.10   22     28";

/// One mail with what is right.
struct Case {
    name: String,
    facts: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Case {
    fn read(text: &str) -> Case {
        let (name, rest) = text.split_once('\n').unwrap();
        let (head, body) = rest.split_once("\n\n").unwrap();
        let (mut facts, mut headers) = (BTreeMap::new(), BTreeMap::new());
        for line in head.lines() {
            let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("{name}: {line}"));
            let upper = key.starts_with(char::is_uppercase);
            let place = if upper { &mut headers } else { &mut facts };
            place.insert(key.to_owned(), value.trim().to_owned());
        }
        for key in facts.keys() {
            let known = ["game", "expect", "of", "stated", "told", "plan", "header", "at", "must", "adds", "notations"];
            assert!(known.contains(&key.as_str()), "{name}: {key}");
        }
        Case { name: name.to_owned(), facts, headers, body: body.replace("@rows", ROWS).trim_end().to_owned() + "\n" }
    }

    fn fact(&self, key: &str) -> Option<&str> {
        self.facts.get(key).map(String::as_str)
    }

    /// The mail's bytes: what the case does not say is what an ordinary mailer writes.
    fn mail(&self, game: &Game) -> String {
        let mut headers = self.headers.clone();
        let opponent = game.opponent();
        for (key, value) in [
            ("Date", "Tue, 26 Oct 2004 18:02:11 +0200".to_owned()),
            ("From", format!("\"{}\" <{}>", opponent.name, opponent.emails[0])),
            ("To", game.myself().emails[0].clone()),
            ("Subject", game.event.clone()),
            ("Message-ID", "<case@mail.example.net>".to_owned()),
            ("MIME-Version", "1.0".to_owned()),
            ("Content-Type", "text/plain; charset=utf-8".to_owned()),
            ("Content-Transfer-Encoding", "8bit".to_owned()),
        ] {
            headers.entry(key.to_owned()).or_insert(value);
        }
        let head: String = headers
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| format!("{key}: {value}\n"))
            .collect();
        format!("{head}\n{}", self.body).replace('\n', "\r\n")
    }

    fn at(&self, mail: &str) -> DateTime<Utc> {
        match self.fact("at") {
            Some(at) => at.parse().unwrap(),
            None => soon_after(
                mail.lines()
                    .find_map(|l| l.strip_prefix("Date: "))
                    .unwrap_or_else(|| panic!("{}: no date, no at", self.name)),
            ),
        }
    }

    fn expected(&self) -> Vec<&str> {
        let expect = self.fact("expect").unwrap_or_else(|| panic!("{}: nothing expected", self.name));
        expect.split(',').map(str::trim).collect()
    }

    fn grade(&self, judgement: &Judgement<'_>) -> Grade {
        let Verdict::Accepted(accepted) = &judgement.verdict else {
            let outcome = judgement.verdict.outcome();
            return match outcome {
                _ if self.expected().contains(&outcome) => Grade::Right,
                "needs_human" if self.fact("must").is_none() => Grade::Held(judgement.verdict.reason()),
                _ => Grade::Wrong(format!("{outcome}: {}", judgement.verdict.reason())),
            };
        };
        let word = if accepted.draw_offer { "move+draw" } else { "move" };
        let plies: Vec<String> = accepted.plies().iter().map(ToString::to_string).collect();
        let found = format!("{word} {}", plies.join(" "));
        if !self.expected().contains(&found.as_str()) {
            return Grade::Wrong(found);
        }
        let game = judgement.thread.map(|t| t.game.id.as_str());
        let first = self.fact("game").and_then(|g| g.split(' ').next());
        if game != self.fact("of").or(first) {
            return Grade::Wrong(format!("{found} in {game:?}"));
        }
        self.wrong_dates(accepted).map_or(Grade::Right, Grade::Wrong)
    }

    fn wrong_dates(&self, accepted: &Accepted) -> Option<String> {
        let found = accepted.stated;
        if let Some(stated) = self.fact("stated") {
            let words: Vec<&str> = stated.split(' ').collect();
            let expected = stated_of(&words);
            let right = right_or_blank(expected.received, found.received)
                && right_or_blank(expected.sent, found.sent)
                && right_or_blank(expected.days, found.days)
                && right_or_blank(expected.total, found.total);
            if !right {
                return Some(format!("{found:?}"));
            }
        }
        if self.fact("told").is_some() && accepted.discrepancies.is_empty() {
            return Some("no discrepancy is told".to_owned());
        }
        if self.fact("adds").is_some() && accepted.notes.is_empty() {
            return Some("what he adds is not told".to_owned());
        }
        let header = self.fact("header")?;
        let found = accepted.header_sent;
        (found != day(header)).then(|| format!("header {found:?}"))
    }
}

fn stated_of(words: &[&str]) -> Stated {
    let number = |text: &str| (text != "-").then(|| text.parse().unwrap());
    Stated { received: day(words[0]), sent: day(words[1]), days: number(words[2]), total: number(words[3]) }
}

enum Grade {
    Right,
    Held(String),
    Wrong(String),
}

fn situation(case: &Case, games: &[Game]) -> Vec<Thread> {
    let ids = case.fact("game").unwrap_or_default();
    ids.split(' ')
        .map(|id| {
            let game = games.iter().find(|g| g.id.as_str() == id);
            let mut game = game.unwrap_or_else(|| panic!("{}: no game {id}", case.name)).clone();
            if let Some(plan) = case.fact("plan") {
                let words: Vec<&str> = plan.split(' ').collect();
                game.plan = Some(Plan {
                    before: Vec::new(),
                    numeric: words[0].parse().unwrap(),
                    stated: stated_of(&words[1..]),
                    draw_offer: false,
                    message_id: "<plan@mail.example.org>".to_owned(),
                    conditionals: Vec::new(),
                    comment: None,
                    held_until: None,
                });
            }
            if let Some(notations) = case.fact("notations") {
                game.notations = notations.split(' ').map(str::to_owned).collect();
            }
            thread(game)
        })
        .collect()
}

fn games() -> Vec<Game> {
    let games = fs::read_to_string(folder().join("games/situations.json")).unwrap();
    Document::read(&games).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The cases of each file, by its name.
fn files() -> Vec<(String, Vec<Case>)> {
    let mut paths: Vec<_> = fs::read_dir(folder().join("mails")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_stem().is_some_and(|stem| stem != "README"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let cases = text.strip_prefix("## ").unwrap().split("\n## ").map(Case::read).collect();
            (path.file_stem().unwrap().to_string_lossy().into_owned(), cases)
        })
        .collect()
}

/// Name, number of the game among the situations, and bytes of each mail.
pub(super) fn seeds() -> Vec<(String, u8, Vec<u8>)> {
    let games = games();
    let mut seeds = Vec::new();
    for (file, cases) in files() {
        for (number, case) in cases.iter().enumerate() {
            let game = situation(case, &games).remove(0).game;
            let which = games.iter().position(|g| g.id == game.id).unwrap();
            let mail = case.mail(&game).into_bytes();
            seeds.push((format!("{file}-{number}.eml"), u8::try_from(which).unwrap(), mail));
        }
    }
    seeds
}

#[test]
fn no_collected_mail_is_taken_for_what_it_is_not() {
    let games = games();
    let mut wrong = Vec::new();
    println!("{:<10} mails right held wrong", "");
    for (file, cases) in files() {
        let (mut right, mut held, before) = (0, Vec::new(), wrong.len());
        for case in cases {
            let threads = situation(&case, &games);
            let mail = case.mail(&threads[0].game);
            let me = player(&threads[0].game);
            let decision = decided(mail.as_bytes(), &me, &threads, case.at(&mail));
            for judgement in &decision.judgements {
                match case.grade(judgement) {
                    Grade::Right => right += 1,
                    Grade::Held(why) => held.push(format!("{}: {why}", case.name)),
                    Grade::Wrong(what) => wrong.push(format!("{file}: {}: {what}", case.name)),
                }
            }
        }
        let failed = wrong.len() - before;
        let all = right + held.len() + failed;
        println!("{file:<10} {all:>5} {right:>5} {:>4} {failed:>5}", held.len());
        for why in held {
            println!("    held: {why}");
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
