//! How many ordinary mails are read in a second, step by step: bytes to texts, texts to own words, words to claims,
//! claims to a verdict, and the whole of it. `cargo bench --bench reading`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::fmt;

use amici::config::Me;
use amici::domain::clock::ledger::{Booking, Ledger};
use amici::domain::document::Document;
use amici::domain::game::Game;
use amici::domain::judge::{Evidence, frame, judge, known_dates};
use amici::domain::transmission::read::{Line, read};
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use amici::mail::message::parse;
use amici::mail::quote::{Kind, Split, split};
use chrono::NaiveDate;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

const GAMES: &str = include_str!("../tests/corpus/games/situations.json");
/// The opponent of the first of these games, whose sixth move is due.
const HEADER: &str = "\
Received: from mx.example.net by mail.example.org with ESMTP id q1\r\n\tfor <mila.ostrander@example.org>; Tue, 26 Oct 2004 18:03:02 +0200\r\n\
From: \"Quillfeather, Tobin\" <tobin.q@example.net>\r\n\
To: Mila Ostrander <mila.ostrander@example.org>\r\n\
Subject: =?iso-8859-1?q?Re=3A_EM/ZZ/042?=\r\n\
Date: Tue, 26 Oct 2004 18:02:11 +0200\r\n\
Message-ID: <20041026.1802@mail.example.net>\r\n\
References: <em-zz-042.root@example.org> <em-zz-042.11@example.org>\r\n\
MIME-Version: 1.0\r\n";
const ROWS: &[&str] = &[
    " No. Move   Rec.   Sent  Days Total |  Move   Rec.   Sent  Days Total",
    "  1.  4244   -----  14.09    0      0    |  7866   14.09  16.09    1      1",
    "  2.  3234   16.09  17.09    1      1    |  7776   17.09  17.09    0      1",
    "  3.  2133   18.09  20.09    2      3    |  6877   20.09  25.09    5      6",
    "  4.  5254   25.09  26.09    1      4    |  4746   27.09  27.09    0      6",
    "  5.  7163   27.09  30.09    3      7    |  5878   30.09  22.10   22     28",
    "  6.  6152   22.10  23.10    1      8    |  5755   24.10  26.10    2     30",
];

/// An ordinary mail.
#[derive(Clone, Copy, Debug)]
enum Mail {
    /// The move, and nothing else.
    Short,
    /// The whole score as a table.
    Table,
    /// The same as text and as HTML.
    Alternative,
    /// The answer above the whole correspondence.
    Quoted,
}

const MAILS: &[Mail] = &[Mail::Short, Mail::Table, Mail::Alternative, Mail::Quoted];

impl fmt::Display for Mail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl Mail {
    fn bytes(self) -> Vec<u8> {
        let table = format!("Dear Mila,\r\n\r\n{}\r\n\r\nTobin\r\n", ROWS.join("\r\n"));
        let rest = match self {
            Mail::Short => "\r\n6... 5755\r\n\r\nTobin\r\n".to_owned(),
            Mail::Table => format!("Content-Type: text/plain; charset=iso-8859-1\r\n\r\n{table}"),
            Mail::Alternative => {
                let cells = |row: &&str| {
                    let cells = row.split([' ', '|']).filter(|cell| !cell.is_empty());
                    let cells: String = cells.map(|cell| format!("<td style=\"padding:2px\">{cell}</td>")).collect();
                    format!("<tr>{cells}</tr>\r\n")
                };
                let rows: String = ROWS.iter().skip(1).map(cells).collect();
                format!(
                    "Content-Type: multipart/alternative; boundary=\"=_b\"\r\n\r\n--=_b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{table}\r\n--=_b\r\n\
                     Content-Type: text/html; charset=utf-8\r\n\r\n<html><head><style>td {{ color: black }}</style></head><body><p>Dear Mila,</p>\r\n\
                     <table border=1>\r\n{rows}</table>\r\n<p>Tobin</p></body></html>\r\n--=_b--\r\n"
                )
            }
            Mail::Quoted => {
                let quoted: String = (1..=8)
                    .flat_map(|depth| ROWS.iter().take(6).map(move |row| format!("{} {row}\r\n", ">".repeat(depth))))
                    .collect();
                format!(
                    "\r\n6... 5755\r\n\r\nTobin\r\n\r\nOn Sat, Oct 23, 2004 at 8:02 PM Mila <mila.ostrander@example.org> wrote:\r\n{quoted}"
                )
            }
        };
        format!("{HEADER}{rest}").into_bytes()
    }

    /// The text of the first view.
    fn text(self) -> String {
        parse(&self.bytes()).unwrap().plain.unwrap()
    }
}

fn game() -> Game {
    Document::read(GAMES).unwrap().swap_remove(0)
}

fn own_lines<'a>(text: &Split<'a>) -> Vec<Line<'a>> {
    let own = text.lines.iter().filter(|line| line.kind == Kind::Own);
    own.map(|line| Line { number: line.number, text: line.text }).collect()
}

fn main() {
    divan::main();
}

#[divan::bench(args = MAILS)]
fn parse_mail(bencher: Bencher<'_, '_>, mail: Mail) {
    let raw = mail.bytes();
    bencher.counter(ItemsCount::new(1_u32)).counter(BytesCount::of_slice(&raw)).bench(|| parse(divan::black_box(&raw)));
}

#[divan::bench(args = MAILS)]
fn split_words(bencher: Bencher<'_, '_>, mail: Mail) {
    let text = mail.text();
    bencher.counter(ItemsCount::new(1_u32)).bench(|| split(divan::black_box(&text)).lines.len());
}

#[divan::bench(args = MAILS)]
fn read_words(bencher: Bencher<'_, '_>, mail: Mail) {
    let (text, game) = (mail.text(), game());
    let text = split(&text);
    let lines = own_lines(&text);
    let known = known_dates(&Ledger::of(&game).unwrap());
    let frame = frame(&game, &known, None, NaiveDate::from_ymd_opt(2004, 10, 26).unwrap());
    assert!(!read(&lines, &frame).claims.is_empty());
    bencher.counter(ItemsCount::new(1_u32)).bench(|| read(divan::black_box(&lines), &frame));
}

#[divan::bench(args = MAILS)]
fn judge_reading(bencher: Bencher<'_, '_>, mail: Mail) {
    let (text, game) = (mail.text(), game());
    let known = known_dates(&Ledger::of(&game).unwrap());
    let header_sent = NaiveDate::from_ymd_opt(2004, 10, 26);
    let reading = read(&own_lines(&split(&text)), &frame(&game, &known, header_sent, header_sent.unwrap()));
    let evidence = Evidence { views: vec![reading], header_sent, ..Evidence::default() };
    assert_eq!(judge(&game, &evidence).outcome(), "move");
    bencher.counter(ItemsCount::new(1_u32)).bench(|| judge(&game, divan::black_box(&evidence)));
}

#[divan::bench(args = MAILS)]
fn decide_mail(bencher: Bencher<'_, '_>, mail: Mail) {
    let (raw, game) = (mail.bytes(), game());
    let me = Me {
        name: game.myself().name.clone(),
        emails: game.myself().emails.iter().map(|email| email.parse().unwrap()).collect(),
        timezone: chrono_tz::Europe::Stockholm,
        received: Booking::SameDay,
        language: Default::default(),
        picture: true,
        styles: Default::default(),
    };
    let threads = [Thread { game, root_message_id: "<em-zz-042.root@example.org>".to_owned() }];
    let at = "2004-10-26T16:03:02Z".parse().unwrap();
    let decision = decide(&raw, &me, &Trust::default(), &threads, at).unwrap();
    let verdict = &decision.judgements[0].verdict;
    assert_eq!(verdict.outcome(), "move", "{}", verdict.reason());
    bencher
        .counter(ItemsCount::new(1_u32))
        .bench(|| decide(divan::black_box(&raw), &me, &Trust::default(), &threads, at));
}
