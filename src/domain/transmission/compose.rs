//! Writes a transmission in one exact form: plain ASCII, at most 72 columns, no tabs, no line that ends in a blank.
//!
//! The form gives what rule 2 and guideline 2 of the ICCF e-mail rules ask for: the whole game with all dates and days,
//! the opponent's last message with its dates, the own move with days and totals. White stands left, Black right.
//!
//! Cells show day and month; a cell shows the full date where the nearest-year rule of [`super::dates`] would read another.

use std::fmt::Write;

use chrono::NaiveDate;

use super::dates::nearest;
use super::{Correspondent, Half, Transmission};
use crate::domain::game::Side;

/// The longest line, in columns.
pub const COLUMNS: usize = 72;

/// Where a reply to the last ply is still to be filled in.
pub const BLANK_MOVE: &str = "____";

/// The text of a message that ends with its sender's new move.
pub fn compose(said: &Transmission) -> String {
    let mut text = head(said);
    text.push_str(&table(said, None));
    if let [.., answered, own] = said.halves.as_slice() {
        text.push('\n');
        text.push_str(&answered_line(answered, own.stated.received));
        text.push_str(&own_lines(said, own));
    } else if let [own] = said.halves.as_slice() {
        text.push('\n');
        text.push_str(&own_lines(said, own));
    }
    text
}

/// The text of a reply in which only the move is missing: the day of receipt is filled in, the rest is left blank.
pub fn compose_blank(said: &Transmission, received: Option<NaiveDate>) -> String {
    let mut text = head(said);
    text.push_str(&table(said, Some(received)));
    text.push('\n');
    if let Some(answered) = said.halves.last() {
        text.push_str(&answered_line(answered, received));
        let next = answered.number.plus(1);
        let _ = writeln!(text, "My move: {next} {BLANK_MOVE}, sent __.__.____");
    } else {
        let _ = writeln!(text, "My move: 1. {BLANK_MOVE}, sent __.__.____");
    }
    text
}

/// The head and the table alone.
pub fn score(said: &Transmission) -> String {
    head(said) + &table(said, None)
}

fn head(said: &Transmission) -> String {
    let mut text = String::new();
    let event = said.event.as_deref().unwrap_or("-");
    let _ = writeln!(text, "Event: {}", clip(event, COLUMNS - 7));
    let facts: Vec<String> =
        [said.start_date.map(|d| format!("Start: {}", full(d))), said.control.as_ref().map(|c| format!("Time: {c}"))]
            .into_iter()
            .flatten()
            .collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "{}", facts.join("   "));
    }
    for (label, player) in [("White", &said.white), ("Black", &said.black)] {
        if let Some(Correspondent { name, address }) = player {
            let address = format!("<{address}>");
            let name = clip(name, COLUMNS.saturating_sub(8 + address.len()).max(12));
            let _ = writeln!(text, "{label}: {name} {address}");
        }
    }
    text.push('\n');
    text
}

/// The two-sided table; `blank` adds an empty row or half row for the reply.
fn table(said: &Transmission, blank: Option<Option<NaiveDate>>) -> String {
    let mut text = String::new();
    text.push_str("     White                            Black\n");
    text.push_str(" No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total\n");
    let mut near = said.start_date;
    let mut halves = said.halves.iter().peekable();
    while let Some(half) = halves.next() {
        let mut row = format!("{:>3}. ", half.number.number);
        if half.number.side == Side::Black {
            row.push_str(&filler());
            row.push_str(" | ");
            row.push_str(&cells(half, &mut near));
        } else {
            row.push_str(&cells(half, &mut near));
            if let Some(black) = halves.next_if(|next| next.number.number == half.number.number) {
                row.push_str(" | ");
                row.push_str(&cells(black, &mut near));
            } else if let (Some(received), None) = (blank, halves.peek()) {
                let _ = write!(row, " | {}", blank_cells(received));
            }
        }
        push_line(&mut text, &row);
    }
    let next = said.halves.last().map(|last| last.number.plus(1));
    if let (Some(received), Some(next)) = (blank, next)
        && next.side == Side::White
    {
        push_line(&mut text, &format!("{:>3}. {}", next.number, blank_cells(received)));
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

fn cells(half: &Half, near: &mut Option<NaiveDate>) -> String {
    let received = cell(half.stated.received, near);
    let sent = cell(half.stated.sent, near);
    let number = |n: Option<u32>| n.map_or("--".to_owned(), |n| n.to_string());
    let (days, total) = (number(half.stated.days), number(half.stated.total));
    format!("{:<5} {received} {sent} {days:>4} {total:>5}  ", half.numeric.to_string())
}

fn filler() -> String {
    format!("{:<5} ----- ----- {:>4} {:>5}  ", "...", "--", "--")
}

fn blank_cells(received: Option<NaiveDate>) -> String {
    let received = received.map_or("__.__".to_owned(), |d| d.format("%d.%m").to_string());
    format!("{BLANK_MOVE}  {received} __.__")
}

/// Day and month where that is enough for the reader, else the full date.
fn cell(date: Option<NaiveDate>, near: &mut Option<NaiveDate>) -> String {
    use chrono::Datelike;
    let Some(date) = date else {
        return "-----".to_owned();
    };
    let understood = near.is_some_and(|near| nearest(date.day(), date.month(), near) == Some(date));
    *near = Some(date);
    if understood { date.format("%d.%m").to_string() } else { full(date) }
}

fn full(date: NaiveDate) -> String {
    date.format("%d.%m.%Y").to_string()
}

fn answered_line(answered: &Half, received: Option<NaiveDate>) -> String {
    let mut line = format!("Your last message: {} {}", answered.number, answered.numeric);
    for (word, date) in [("sent", answered.stated.sent), ("received", received)] {
        if let Some(date) = date {
            let _ = write!(line, ", {word} {}", full(date));
        }
    }
    line.push('\n');
    line
}

fn own_lines(said: &Transmission, own: &Half) -> String {
    let mut text = String::new();
    let mut line = format!("My move: {} {}", own.number, own.numeric);
    if let Some(date) = own.stated.sent {
        let _ = write!(line, ", sent {}", full(date));
    }
    push_line(&mut text, &line);
    let total = |side: Side| said.halves.iter().rev().find(|h| h.number.side == side).and_then(|h| h.stated.total);
    if let (Some(days), Some(sum)) = (own.stated.days, own.stated.total) {
        let mut line = format!("Days: {days}, total {sum}");
        if let (Some(white), Some(black)) = (total(Side::White), total(Side::Black)) {
            let _ = write!(line, " (White {white}, Black {black})");
        }
        push_line(&mut text, &line);
    }
    if said.draw_offer {
        text.push_str("I offer a draw.\n");
    }
    text
}

/// A text in ASCII, without control characters, of at most `columns`.
pub fn clip(text: &str, columns: usize) -> String {
    let is_tidy = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic());
    // most names are so already, and lists have thousands of them
    if text.len() <= columns && text.split(' ').all(is_tidy) {
        return text.to_owned();
    }
    let plain = deunicode::deunicode(text);
    let tidy: Vec<&str> =
        plain.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    tidy.join(" ").chars().take(columns).collect::<String>().trim_end().to_owned()
}
