//! Writes the score sheet of a transmission in one exact form: at most 72 columns, no tabs, no line that ends in a blank, plain
//! ASCII but for the heads of other languages.
//!
//! It has what rule 2 and guideline 2 of the ICCF e-mail rules ask for of the game: all moves with all dates and days. White
//! stands left, Black right. The lines about the last two moves below it belong to the letter.
//!
//! Cells show day and month; a cell shows the full date where the nearest-year rule of [`super::dates`] would read another.

use std::borrow::Cow;
use std::fmt::Write;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::dates::nearest;
use super::{Correspondent, Half, Transmission};
use crate::domain::game::Side;

/// The longest line, in columns.
pub const COLUMNS: usize = 72;

/// Where a reply to the last ply is still to be filled in.
pub const BLANK_MOVE: &str = "____";

/// The words at the head of a score sheet, in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "their names say it")]
pub struct Labels {
    /// Between a label and its value.
    pub colon: Cow<'static, str>,
    pub event: Cow<'static, str>,
    pub start: Cow<'static, str>,
    pub time: Cow<'static, str>,
    pub white: Cow<'static, str>,
    pub black: Cow<'static, str>,
    /// Of the columns: at most three letters.
    pub number: Cow<'static, str>,
    /// At most five letters, as the others.
    pub played: Cow<'static, str>,
    pub received: Cow<'static, str>,
    pub sent: Cow<'static, str>,
    /// At most four letters.
    pub days: Cow<'static, str>,
    pub total: Cow<'static, str>,
}

/// The words of the ICCF e-mail rules.
pub const ENGLISH: Labels = Labels {
    colon: Cow::Borrowed(":"),
    event: Cow::Borrowed("Event"),
    start: Cow::Borrowed("Start"),
    time: Cow::Borrowed("Time"),
    white: Cow::Borrowed("White"),
    black: Cow::Borrowed("Black"),
    number: Cow::Borrowed("No."),
    played: Cow::Borrowed("Move"),
    received: Cow::Borrowed("Rec."),
    sent: Cow::Borrowed("Sent"),
    days: Cow::Borrowed("Days"),
    total: Cow::Borrowed("Total"),
};

/// The head and the table: the whole game with its dates and days.
pub fn score(said: &Transmission) -> String {
    sheet(said, &ENGLISH, None)
}

/// The same with a line for each ply, for screens on which two do not fit side by side.
pub fn score_by_ply(said: &Transmission) -> String {
    let Labels { number, played, received, sent, days, total, .. } = &ENGLISH;
    let mut text = head(said, &ENGLISH);
    push_line(&mut text, &format!("{number:>4}   {played:<5} {received:<5} {sent:<5} {days:>4} {total:>5}"));
    let mut near = said.start_date;
    for half in &said.halves {
        let number = format!("{:>3}{}", half.number.number, if half.number.side == Side::White { "." } else { "..." });
        push_line(&mut text, &format!("{number:<6} {}", cells(half, &mut near)));
    }
    text
}

/// The score in the words of a language; `blank` adds an empty row or half row for the reply, with the day on which the last
/// move was received.
pub fn sheet(said: &Transmission, labels: &Labels, blank: Option<Option<NaiveDate>>) -> String {
    head(said, labels) + &table(said, labels, blank)
}

fn head(said: &Transmission, labels: &Labels) -> String {
    let mut text = String::new();
    let Labels { colon, event, start, time, white, black, .. } = labels;
    let name = said.event.as_deref().unwrap_or("-");
    let _ = writeln!(text, "{event}{colon} {}", clip(name, COLUMNS - width(event) - width(colon) - 1));
    let start = said.start_date.map(|d| format!("{start}{colon} {}", full(d)));
    let time = said.control.as_ref().map(|c| format!("{time}{colon} {c}"));
    let facts: Vec<String> = start.into_iter().chain(time).collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "{}", facts.join("   "));
    }
    for (label, player) in [(white, &said.white), (black, &said.black)] {
        if let Some(Correspondent { name, address }) = player {
            let address = format!("<{address}>");
            let taken = width(label) + width(colon) + 2 + address.len();
            let name = clip(name, COLUMNS.saturating_sub(taken).max(12));
            let _ = writeln!(text, "{label}{colon} {name} {address}");
        }
    }
    text.push('\n');
    text
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The two-sided table; `blank` adds an empty row or half row for the reply.
fn table(said: &Transmission, labels: &Labels, blank: Option<Option<NaiveDate>>) -> String {
    let mut text = String::new();
    let Labels { white, black, number, played, received, sent, days, total, .. } = labels;
    push_line(&mut text, &format!("     {white:<32} {black}"));
    let columns = format!("{played:<5} {received:<5} {sent:<5} {days:>4} {total:>5}");
    push_line(&mut text, &format!("{number:>4} {columns}   | {columns}"));
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

/// A text in ASCII, without control characters, of at most `columns`.
pub fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    // most names are so already, and lists have thousands of them
    if text.len() <= columns && is_tidy(text) {
        return text.into();
    }
    let plain = deunicode::deunicode(text);
    let tidy: Vec<&str> =
        plain.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    tidy.join(" ").chars().take(columns).collect::<String>().trim_end().to_owned().into()
}

/// Whether it is words of visible ASCII, one blank between two.
fn is_tidy(text: &str) -> bool {
    let mut before = b' ';
    text.bytes().all(|byte| {
        let before = std::mem::replace(&mut before, byte);
        byte.is_ascii_graphic() || (byte == b' ' && before != b' ')
    }) && before != b' '
}
