//! Eight hundred mails by somebody who had not seen the program: of those that only seem to be the opponent's or the player's none changes a
//! game, a draft, a sent move or a release, and the genuine ones among them are recorded and obeyed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use amici::config::{Config, Me};
use amici::domain::document::Document;
use amici::domain::game::{Game, Plan, Stated};
use amici::intake::{RawMessage, take_in};
use amici::io::store::{EventRow, Outgoing, OutgoingKind, Release, Store};
use amici::letters::{self, AnswerKey, answer_mark};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor, Row};
use tempfile::TempDir;

const ME: &str = "[me]\nname = \"Paul Weber\"\nemails = [\"paul@example.net\"]\ntimezone = \"Europe/Berlin\"\n";

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// One mail with what must come of it.
#[derive(Debug)]
struct Case {
    name: String,
    head: BTreeMap<String, String>,
    mail: Vec<u8>,
}

impl Case {
    fn has(&self, key: &str, value: &str) -> bool {
        self.head.get(key).is_some_and(|found| found == value)
    }

    fn config(&self) -> Config {
        let own = if self.has("authserv", "yes") { "authserv_id = \"mx.example.net\"\n" } else { "" };
        let text = |policy: &str| Config::parse(&format!("{ME}[senders]\ndefault = \"{policy}\"\n{own}"));
        // without anything that could prove a sender the other policies are refused
        text(&self.head["policy"]).or_else(|_| text("from")).unwrap()
    }
}

fn cases(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/trust").join(file);
    let text = fs::read_to_string(path).unwrap();
    let one = |case: &str| {
        let (name, rest) = case.split_once('\n').unwrap();
        let (head, mail) = rest.split_once("\n----\n").unwrap();
        let head: BTreeMap<String, String> = head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(key, value)| (key.to_owned(), value.split(" (").next().unwrap().trim().to_owned()))
            .collect();
        let mail = mail.replace('\n', "\r\n").into_bytes();
        let mail = if head.contains_key("escapes") { unescaped(&mail) } else { mail };
        Case { name: name.to_owned(), head, mail }
    };
    text.split("==== ").skip(1).filter(|case| case.contains("\n----\n")).map(one).collect()
}

/// `\xNN` as the byte that it stands for.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(1..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| rest.starts_with(b"\\x")).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &rest[4..]).1,
            None => (bytes.push(*first), rest = tail).1,
        }
    }
    bytes
}

fn game(id: &str, event: &str, white: (&str, &str), black: (&str, &str), moves: &[(&str, &str)]) -> Game {
    let me = if white.1 == "paul@example.net" { "white" } else { "black" };
    let moves: Vec<Value> = moves.iter().map(|(numeric, sent)| json!({"numeric": numeric, "sent": sent})).collect();
    let text = json!({"schema": 1, "games": [{
        "id": id, "event": event, "white": {"name": white.0, "emails": [white.1]},
        "black": {"name": black.0, "emails": [black.1]}, "me": me, "start_date": "2026-02-20",
        "rules": "iccf-email-2005", "notations": ["iccf", "san"], "moves": moves
    }]});
    Document::read(&text.to_string()).unwrap().remove(0)
}

const PAUL: (&str, &str) = ("Paul Weber", "paul@example.net");

/// Three games: one waits for the opponent, in one a draft lies, in one a move waits to be sent. All opponents and the player were
/// proven once.
async fn world(folder: &Path) -> BTreeMap<&'static str, String> {
    let me: Me = Config::parse(ME).unwrap().me;
    let (anna, boris, carla) = (
        ("Anna Lind", "anna.lind@example.org"),
        ("Boris Petrov", "boris@example.com"),
        ("Carla Rossi", "carla@example.com"),
    );
    let day = |number: u32| format!("2026-03-{number:02}");
    let days: Vec<String> = (1..=8).map(day).collect();
    let played = |numerics: &[&'static str]| -> Vec<(&'static str, String)> {
        let first = days.len() - numerics.len();
        numerics.iter().zip(&days[first..]).map(|(numeric, day)| (*numeric, day.clone())).collect()
    };
    let with = |id: &str, event: &str, white, black, numerics: &[&'static str]| {
        let moves = played(numerics);
        let moves: Vec<(&str, &str)> = moves.iter().map(|(numeric, day)| (*numeric, day.as_str())).collect();
        game(id, event, white, black, &moves)
    };
    let games = [
        with("EM-17", "EM/2026/17", PAUL, anna, &["5254", "5755", "7163", "2836", "6125"]),
        with("WS-2", "WS/B/5", boris, PAUL, &["4244"]),
        with("FR-3", "", PAUL, carla, &["5254", "3735", "7163", "4746", "4244", "3544"]),
    ];
    let mut store = Store::open(folder).await.unwrap();
    let roots = ["<paul-3@example.net>", "<ws2.root@example.net>", "<fr3.root@example.net>"];
    let entries: Vec<_> = games.iter().cloned().zip(roots.map(str::to_owned)).collect();
    let then = at("2026-03-08T18:00:00Z");
    store.import(&entries, false, then).await.unwrap();
    let key = AnswerKey::new(store.answer_key().await.unwrap());
    let config = Config::parse(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n")).unwrap();
    for (number, (name, address)) in [anna, boris, carla].into_iter().enumerate() {
        let domain = address.rsplit_once('@').unwrap().1;
        let mail = format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d={domain}\r\n\
             Received: from x by mx.example.net; Sun, 8 Mar 2026 17:00:00 +0000\r\nFrom: {name} <{address}>\r\n\
             To: paul@example.net\r\nSubject: Hello\r\nDate: Sun, 8 Mar 2026 17:00:00 +0000\r\n\
             Message-ID: <greeting-{number}@{domain}>\r\n\r\nBest wishes!\r\n"
        );
        let raw = RawMessage { bytes: mail.as_bytes(), at: then, arrival: None, verified: None };
        take_in(&mut store, &config.me, &config.senders, &raw, then).await.unwrap();
    }
    for held in store.held().await.unwrap() {
        let event = EventRow { game: held.game, kind: "ignored".to_owned(), text: "put away".to_owned() };
        store.settle_verdict(held.verdict, None, &[], &event, then).await.unwrap();
    }
    let codes = games.iter().map(|game| (game.id.to_string(), answer_mark(&key, game)));
    let codes: BTreeMap<String, String> = codes.collect();
    for (index, numeric, is_released) in [(1, "4745", false), (2, "6344", true)] {
        let stated = Stated {
            received: Some("2026-03-08".parse().unwrap()),
            sent: Some("2026-03-08".parse().unwrap()),
            ..Stated::default()
        };
        let mut chosen = games[index].clone();
        let plan = Plan {
            numeric: numeric.parse().unwrap(),
            stated,
            draw_offer: false,
            message_id: format!("<{}.secret@example.net>", chosen.id),
            before: Vec::new(),
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        };
        chosen.plan = Some(plan.clone());
        let plies = chosen.moves.len();
        let letter = letters::draft(&chosen, roots[index], &[], &key, &me, then).unwrap();
        let outgoing = Outgoing {
            kind: OutgoingKind::Draft,
            game: Some(chosen.id.clone()),
            ply: Some(u32::try_from(plies + 1).unwrap()),
            message_id: letter.message_id,
            recipient: letter.recipient,
            bytes: letter.bytes,
        };
        store.plan(&chosen.id, plies, &plan, Some(&outgoing), then).await.unwrap();
        if is_released {
            let release = Release {
                message_id: plan.message_id.clone(),
                recipients: vec!["carla@example.com".to_owned()],
                bytes: b"From: <paul@example.net>\r\n\r\n4. 6344\r\n".to_vec(),
                not_before: at("2026-03-10T09:05:00Z"),
            };
            store.release(&chosen.id, plies, &plan.message_id, &plan, &release, then).await.unwrap();
        }
    }
    drop(store);
    ["EM-17", "WS-2", "FR-3"].into_iter().map(|id| (id, codes[id].clone())).collect()
}

/// Everything that no unproven mail may change.
async fn state(folder: &Path) -> Vec<String> {
    let mut db = SqliteConnectOptions::new().filename(folder.join("amici.db")).connect().await.unwrap();
    let mut all = Vec::new();
    for (table, columns) in [
        ("games", "name, event, result, draw_offer, start_date"),
        ("players", "*"),
        ("addresses", "*"),
        ("moves", "*"),
        ("conditionals", "*"),
        ("plans", "*"),
        ("leaves", "*"),
        ("clock_notes", "*"),
        ("sent", "*"),
        ("drafts", "*"),
        ("releases", "*"),
        ("outbox", "kind, game, ply, message_id, state"),
    ] {
        let only = if table == "outbox" { "WHERE kind = 'draft'" } else { "" };
        let sql = format!("SELECT {columns} FROM {table} {only} ORDER BY 1, 2");
        for row in db.fetch_all(sqlx::AssertSqlSafe(sql)).await.unwrap() {
            let values = (0..row.len()).map(|index| {
                let text = row.try_get_unchecked::<Option<String>, _>(index).map_err(|error| error.to_string());
                format!("{text:?}")
            });
            all.push(format!("{table}: {}", values.collect::<Vec<_>>().join(" ")));
        }
    }
    all
}

/// Plays every case in a fresh copy of the world; those that came out otherwise.
async fn wrong(file: &str) -> Vec<String> {
    let original = TempDir::new().unwrap();
    let codes = world(original.path()).await;
    let template = original.path().join("template.db");
    let mut db = SqliteConnectOptions::new().filename(original.path().join("amici.db")).connect().await.unwrap();
    db.execute(sqlx::AssertSqlSafe(format!("VACUUM INTO '{}'", template.display()))).await.unwrap();
    let mut found = Vec::new();
    let cases = cases(file);
    assert_eq!(cases.len(), 400, "{file}");
    for case in cases {
        let copy = TempDir::new().unwrap();
        fs::copy(&template, copy.path().join("amici.db")).unwrap();
        let subject = String::from_utf8_lossy(&case.mail).into_owned();
        let subject = subject.lines().find(|line| line.starts_with("Subject:")).unwrap_or_default().to_owned();
        let id = ["EM-17", "FR-3"].into_iter().find(|id| subject.contains(id)).unwrap_or("WS-2");
        let mail = replaced(&case.mail, b"{{CODE}}", codes[id].as_bytes());
        let config = case.config();
        let before = state(copy.path()).await;
        let mut store = Store::open(copy.path()).await.unwrap();
        let now = at("2026-03-10T09:00:00Z");
        let raw = RawMessage { bytes: &mail, at: now, arrival: None, verified: None };
        let taken = take_in(&mut store, &config.me, &config.senders, &raw, now + TimeDelta::seconds(5)).await;
        let is_changed = state(copy.path()).await != before;
        if is_changed != case.has("expect", "genuine") {
            let told = taken
                .map(|taken| taken.results.iter().map(|r| format!("{}: {}", r.outcome, r.reason)).collect::<Vec<_>>());
            found.push(format!("{} ({}): {told:?}", case.name, case.head["expect"]));
        }
    }
    found
}

fn replaced(text: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(place) = rest.windows(what.len()).position(|part| part == what) {
        out.extend_from_slice(&rest[..place]);
        out.extend_from_slice(with);
        rest = &rest[place + what.len()..];
    }
    out.extend_from_slice(rest);
    out
}

#[tokio::test]
async fn four_hundred_mails_that_seem_to_be_an_opponents_change_nothing() {
    let found = wrong("spoofs.txt").await;
    assert!(found.is_empty(), "{} of 400:\n{}", found.len(), found.join("\n"));
}

#[tokio::test]
async fn four_hundred_mails_that_seem_to_command_change_nothing() {
    let found = wrong("commands.txt").await;
    assert!(found.is_empty(), "{} of 400:\n{}", found.len(), found.join("\n"));
}
