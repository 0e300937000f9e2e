//! Tables and scores.

use std::fmt::Write;

use amici::domain::game::Side;
use amici::domain::transmission::{Half, Transmission};
use amici::letters::compose;

use super::{Style, cells, numbered, quoted, rows, score};
use crate::game::Ply;
use crate::letter::Letter;

pub(super) fn composed(plies: &[Ply], _: &Style) -> Option<Letter> {
    let half = |p: &Ply| Half { number: p.number, numeric: p.numeric, stated: p.stated };
    let said = Transmission {
        event: Some("EM/ZZ/042".to_owned()),
        start_date: plies[0].stated.received,
        halves: plies.iter().map(half).collect(),
        ..Transmission::default()
    };
    Some(Letter::text(compose(&said).unwrap()))
}

fn table(plies: &[Ply], style: &Style) -> String {
    let [m, r, s, d, t] = style.words.head;
    let head = format!(" No.  {m}   {r}   {s}  {d} {t} |  {m}   {r}   {s}  {d} {t}\n");
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("{:<5}  {r}  {s}  {d:>3}  {t:>4}", p.numeric.to_string())
    };
    head + &rows(plies, cell, " | ")
}

pub(super) fn two_sided(plies: &[Ply], style: &Style) -> Option<Letter> {
    let words = style.words;
    let table = table(plies, style);
    let framed = format!("{}\n\n{table}\n{}\n", words.greeting, words.regards);
    Some(Letter::text(if style.dice().one_in(2) { table } else { framed }))
}

pub(super) fn dates_first(plies: &[Ply], style: &Style) -> Option<Letter> {
    let head = "     Rcvd   Sent   Move   Time      Rcvd   Sent   Move   Time\n";
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("{r} {s} {}  {d}/{t}", p.numeric)
    };
    Some(Letter::text(head.to_owned() + &rows(plies, cell, "    ")))
}

pub(super) fn sent_first(plies: &[Ply], style: &Style) -> Option<Letter> {
    let [m, r, s, d, t] = style.words.head;
    let head = format!(" No.  {m}  {s}   {r}   {d} {t}  {m}   {s}   {r}   {d} {t}\n");
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("{:<5}  {s}  {r}  {d:>3}  {t:>4}", p.numeric.to_string())
    };
    Some(Letter::text(head + &rows(plies, cell, "   ")))
}

pub(super) fn total_first(plies: &[Ply], style: &Style) -> Option<Letter> {
    let [m, r, s, d, t] = style.words.head;
    let head = format!("Nr | {m} | {r} | {s} | {t} | {d} | {m} | {r} | {s} | {t} | {d}\n");
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("| {} | {r} | {s} | {t} | {d} ", p.numeric)
    };
    Some(Letter::text(head + &rows(plies, cell, "")))
}

pub(super) fn pipes(plies: &[Ply], style: &Style) -> Option<Letter> {
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("|{}|{r}|{s}|{d}|{t}", p.numeric)
    };
    Some(Letter::text(rows(plies, cell, "")))
}

/// `|12|5254|..|` with the head of the sender's language.
pub(super) fn pipes_with_numbers(plies: &[Ply], style: &Style) -> Option<Letter> {
    let [m, r, s, d, t] = style.words.head;
    let side = format!("{m} | {r} | {s} | {d} | {t} |");
    let mut text = format!("| Nr | {side} {side}\n");
    for row in by_number(plies) {
        let _ = write!(text, "| {} |", row[0].number.number);
        if row[0].number.side == Side::Black {
            text.push_str(" - | - | - | - | - |");
        }
        for ply in row {
            let (r, s, d, t) = cells(ply, style);
            let _ = write!(text, " {} | {r} | {s} | {d} | {t} |", ply.numeric);
        }
        text.push('\n');
    }
    Some(Letter::text(text))
}

fn by_number(plies: &[Ply]) -> impl Iterator<Item = &[Ply]> {
    plies.chunk_by(|a, b| a.number.number == b.number.number)
}

pub(super) fn semicolons(plies: &[Ply], style: &Style) -> Option<Letter> {
    let [m, r, s, d, t] = style.words.head;
    let head = format!("Nr;{m};{r};{s};{d};{t};{m};{r};{s};{d};{t}\n");
    let mut text = head;
    for row in by_number(plies) {
        let _ = write!(text, "{}", row[0].number.number);
        if row[0].number.side == Side::Black {
            text.push_str(";-;-;-;-;-");
        }
        for ply in row {
            let (r, s, d, t) = cells(ply, style);
            let _ = write!(text, ";{};{r};{s};{d};{t}", ply.numeric);
        }
        text.push('\n');
    }
    Some(Letter::text(text))
}

pub(super) fn tabs(plies: &[Ply], style: &Style) -> Option<Letter> {
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("\t{}\t{r}\t{s}\t{d}/{t}", p.numeric)
    };
    Some(Letter::text(rows(plies, cell, "")))
}

pub(super) fn parentheses(plies: &[Ply], style: &Style) -> Option<Letter> {
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("{} ({r}-{s} {d}/{t})", p.numeric)
    };
    Some(Letter::text(rows(plies, cell, " ")))
}

pub(super) fn days_only(plies: &[Ply], _: &Style) -> Option<Letter> {
    let cell = |p: &Ply| format!("{}  {}/{}", p.numeric, p.stated.days.unwrap(), p.stated.total.unwrap());
    Some(Letter::text(rows(plies, cell, "    ")))
}

fn html(plies: &[Ply], style: &Style) -> String {
    let [m, r, s, d, t] = style.words.head;
    let side = [m, r, s, d, t].map(|h| format!("<th>{h}</th>")).concat();
    let mut out = format!(
        "<html><body><p>{}</p>\n<table border=\"1\" width=\"5254\"><tr><th>Nr</th>{side}{side}</tr>\n",
        style.words.greeting
    );
    for row in by_number(plies) {
        let _ = write!(out, "<tr><td>{}.</td>", row[0].number.number);
        if row[0].number.side == Side::Black {
            out.push_str(&"<td>&nbsp;</td>".repeat(5));
        }
        for ply in row {
            let (r, s, d, t) = cells(ply, style);
            let _ = write!(out, "<td><b>{}</b></td><td>{r}</td><td>{s}</td><td>{d}</td><td>{t}</td>", ply.numeric);
        }
        out.push_str("</tr>\n");
    }
    out + "</table></body></html>\n"
}

pub(super) fn html_table(plies: &[Ply], style: &Style) -> Option<Letter> {
    Some(Letter { text: None, html: Some(html(plies, style)), ..Letter::text("") })
}

pub(super) fn html_and_notice(plies: &[Ply], style: &Style) -> Option<Letter> {
    let notice = "This message is in HTML. Your mail program cannot show it.\n";
    Some(Letter { html: Some(html(plies, style)), ..Letter::text(notice) })
}

pub(super) fn html_and_text(plies: &[Ply], style: &Style) -> Option<Letter> {
    Some(Letter { html: Some(html(plies, style)), ..Letter::text(table(plies, style)) })
}

pub(super) fn half_moves(plies: &[Ply], style: &Style) -> Option<Letter> {
    let line = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!(" {} R {r} S {s} T {d} TT {t}\n", numbered(p, &p.numeric.to_string()))
    };
    Some(Letter::text(plies.iter().map(line).collect::<String>()))
}

/// `w12  5254  14.09  16.09  2 (14)`.
pub(super) fn half_moves_with_sides(plies: &[Ply], style: &Style) -> Option<Letter> {
    let line = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        let side = if p.number.side == Side::White { "w" } else { "b" };
        format!("{side}{:<3} {}  {r}  {s}  {d} ({t})\n", p.number.number, p.numeric)
    };
    Some(Letter::text(plies.iter().map(line).collect::<String>()))
}

pub(super) fn newest_first(plies: &[Ply], style: &Style) -> Option<Letter> {
    let text = table(plies, style);
    let (head, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().rev().collect();
    Some(Letter::text(format!("{head}\n{}\n", rows.join("\n"))))
}

pub(super) fn last_rows(plies: &[Ply], style: &Style) -> Option<Letter> {
    Some(Letter::text(table(&plies[plies.len().saturating_sub(5)..], style)))
}

/// Each half on a line of its own, the first line of a row ending in a blank, as format=flowed leaves it.
pub(super) fn wrapped_rows(plies: &[Ply], style: &Style) -> Option<Letter> {
    let cell = |p: &Ply| {
        let (r, s, d, t) = cells(p, style);
        format!("{}  {r}  {s}  {d}  {t}", p.numeric)
    };
    Some(Letter::text(rows(plies, cell, "   \n      ")))
}

pub(super) fn running_score(plies: &[Ply], _: &Style) -> Option<Letter> {
    Some(Letter::text(textwrap::fill(&score(plies, |p| p.numeric.to_string()), 70) + "\n"))
}

/// `1.52545755 2.71632836`.
pub(super) fn glued_score(plies: &[Ply], _: &Style) -> Option<Letter> {
    let rows: Vec<String> = by_number(plies)
        .map(|row| {
            let moves: String = row.iter().map(|p| p.numeric.to_string()).collect();
            format!("{}{moves}", row[0].number)
        })
        .collect();
    Some(Letter::text(textwrap::fill(&rows.join(" "), 70) + "\n"))
}

pub(super) fn hyphenated(plies: &[Ply], _: &Style) -> Option<Letter> {
    let written = |p: &Ply| {
        let text = p.numeric.to_string();
        format!("{}-{}", &text[..2], &text[2..])
    };
    Some(Letter::text(rows(plies, written, "  ")))
}

pub(super) fn pairs(plies: &[Ply], style: &Style) -> Option<Letter> {
    let text = rows(plies, |p| p.numeric.to_string(), "  ");
    Some(Letter::text(format!("{}\n\n{text}\n{}\n", style.words.greeting, style.words.regards)))
}

/// The table, and below it the same without the new ply, quoted.
pub(super) fn over_quote(plies: &[Ply], style: &Style) -> Option<Letter> {
    let old = &plies[..plies.len() - 1];
    let day = old.last()?.stated.sent?;
    let text = format!("{}\n{}", table(plies, style), quoted(&table(old, style), style, day));
    Some(Letter::text(text))
}
