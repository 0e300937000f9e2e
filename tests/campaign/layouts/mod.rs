//! The layouts: each writes the plies it is given in one way, the last of them as the sender's new move.

use std::fmt::Write;

use amici::domain::game::Side;
use chrono::{Datelike, NaiveDate};

use crate::game::{Dice, Ply};
use crate::letter::Letter;
use crate::words::Words;

mod forms;
mod programs;
mod short;
mod tables;

/// How one mail is written: the same however often it is written.
#[derive(Clone)]
pub(crate) struct Style {
    pub(crate) words: &'static Words,
    pub(crate) dates: Dates,
    pub(crate) seed: u64,
}

impl Style {
    pub(crate) fn dice(&self) -> Dice {
        Dice(self.seed)
    }

    pub(crate) fn date(&self, date: Option<NaiveDate>) -> String {
        self.dates.write(date.unwrap())
    }
}

/// How dates are written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dates {
    DayMonth,
    Short,
    Slash,
    MonthSlash,
    Full,
    TwoDigit,
    MonthFull,
    Iso,
    Name,
    DayName,
}

impl Dates {
    pub(crate) const ALL: &[Dates] = &[
        Dates::DayMonth,
        Dates::DayMonth,
        Dates::DayMonth,
        Dates::Short,
        Dates::Slash,
        Dates::MonthSlash,
        Dates::Full,
        Dates::Full,
        Dates::TwoDigit,
        Dates::MonthFull,
        Dates::Iso,
        Dates::Iso,
        Dates::Name,
        Dates::DayName,
    ];

    pub(crate) fn write(self, date: NaiveDate) -> String {
        let format = match self {
            Dates::DayMonth => "%d.%m",
            Dates::Short => "%-d.%-m.",
            Dates::Slash => "%d/%m",
            Dates::MonthSlash => "%m/%d",
            Dates::Full => "%d.%m.%Y",
            Dates::TwoDigit => "%-d.%-m.%y",
            Dates::MonthFull => "%-m/%-d/%Y",
            Dates::Iso => "%Y-%m-%d",
            Dates::Name => "%b %d",
            Dates::DayName => "%d %b",
        };
        date.format(format).to_string()
    }
}

/// Writes plies; `None` where the move or the language cannot be written so.
pub(crate) type Writer = fn(&[Ply], &Style) -> Option<Letter>;

/// A layout.
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    pub(crate) write: Writer,
    /// It shows every ply of the game.
    pub(crate) whole: bool,
}

const fn whole(name: &'static str, write: Writer) -> Layout {
    Layout { name, write, whole: true }
}

const fn part(name: &'static str, write: Writer) -> Layout {
    Layout { name, write, whole: false }
}

pub(crate) const ALL: &[Layout] = &[
    whole("composed", tables::composed),
    whole("two-sided table", tables::two_sided),
    whole("dates first", tables::dates_first),
    whole("sent first", tables::sent_first),
    whole("total first", tables::total_first),
    whole("pipes", tables::pipes),
    whole("pipes with numbers", tables::pipes_with_numbers),
    whole("semicolons", tables::semicolons),
    whole("tabs", tables::tabs),
    whole("parentheses", tables::parentheses),
    whole("days without dates", tables::days_only),
    whole("html table", tables::html_table),
    whole("html and a notice", tables::html_and_notice),
    whole("html and text", tables::html_and_text),
    whole("half-moves", tables::half_moves),
    whole("half-moves with sides", tables::half_moves_with_sides),
    whole("newest first", tables::newest_first),
    part("last rows", tables::last_rows),
    whole("flowed halves", tables::wrapped_rows),
    whole("running score", tables::running_score),
    whole("running score glued", tables::glued_score),
    whole("hyphenated score", tables::hyphenated),
    whole("numbered pairs", tables::pairs),
    part("pair with dates", short::pair),
    part("sentence", short::sentence),
    part("sentence without number", short::sentence_without_number),
    part("sentence with dates", short::sentence_with_dates),
    part("bare number", short::bare),
    part("greeting and number", short::greeted),
    part("yours and mine", short::yours_and_mine),
    part("move keyword", short::keyword),
    part("label", short::label),
    part("subject only", short::subject_only),
    part("subject and text", short::subject_and_text),
    part("phone", short::phone),
    part("separators", short::separators),
    part("castling in words", short::castling_words),
    part("coordinates", short::coordinates),
    part("both notations", short::both_notations),
    part("san", short::san),
    part("long algebraic", short::long_algebraic),
    part("antwort", short::antwort),
    whole("san score", programs::san_score),
    whole("pgn", programs::pgn),
    whole("pgn with braces", programs::pgn_with_braces),
    whole("cmail", programs::cmail),
    whole("scid", programs::scid),
    whole("iecg", forms::iecg),
    whole("cxv", forms::cxv),
    whole("three dates", forms::three_dates),
    part("labelled form", forms::labelled),
    part("russian form", forms::russian),
    part("postcard", forms::postcard),
    part("quoted below", short::quoted_below),
    part("quoted above", short::quoted_above),
    part("interleaved", short::interleaved),
    part("outlook block", short::outlook),
    part("table over quote", tables::over_quote),
];

/// The last two plies on lines of the form `12. 5254 5755`, numbered.
fn numbered(ply: &Ply, text: &str) -> String {
    format!("{} {text}", ply.number)
}

/// Received, sent, days and total.
fn cells(ply: &Ply, style: &Style) -> (String, String, u32, u32) {
    let stated = ply.stated;
    (style.date(stated.received), style.date(stated.sent), stated.days.unwrap(), stated.total.unwrap())
}

/// One row for each number, both sides in it.
fn rows(plies: &[Ply], cell: impl Fn(&Ply) -> String, between: &str) -> String {
    let mut text = String::new();
    for (i, ply) in plies.iter().enumerate() {
        let number = ply.number.number;
        let _ = match ply.number.side {
            Side::White => write!(text, "{number:>3}. {}", cell(ply)),
            Side::Black if i == 0 => write!(text, "{number:>3}. ...{between}{}", cell(ply)),
            Side::Black => write!(text, "{between}{}", cell(ply)),
        };
        if ply.number.side == Side::Black || i + 1 == plies.len() {
            text.push('\n');
        }
    }
    text
}

/// The score in one paragraph, `wrapped` or on one line.
fn score(plies: &[Ply], written: impl Fn(&Ply) -> String) -> String {
    let words: Vec<String> = plies
        .iter()
        .enumerate()
        .map(|(i, ply)| match ply.number.side {
            Side::Black if i > 0 => written(ply),
            _ => numbered(ply, &written(ply)),
        })
        .collect();
    words.join(" ")
}

/// The reader's last ply, which the new one answers.
fn answered(plies: &[Ply]) -> Option<&Ply> {
    plies.len().checked_sub(2).map(|at| &plies[at])
}

/// SAN with the language's letters.
pub(crate) fn localized(san: &str, words: &Words) -> String {
    san.chars()
        .map(|c| match "KQRBN".find(c) {
            Some(at) => words.pieces[at].to_owned(),
            None => c.to_string(),
        })
        .collect()
}

/// The name of a language's notation in a game, where it is one that players agree on.
fn notation(words: &Words) -> String {
    if matches!(words.code, "en" | "ja") { "san".to_owned() } else { format!("san-{}", words.code) }
}

/// `e2e4`, `e7e8q`.
fn in_coordinates(ply: &Ply) -> [String; 2] {
    let digits: Vec<char> = ply.numeric.to_string().chars().collect();
    let file = |c: char| char::from(b'a' - 1 + u8::try_from(c.to_digit(10).unwrap()).unwrap());
    let promotion: String =
        digits.get(4).map(|d| ['q', 'r', 'b', 'n'][*d as usize - '1' as usize]).into_iter().collect();
    [format!("{}{}", file(digits[0]), digits[1]), format!("{}{}{promotion}", file(digits[2]), digits[3])]
}

/// A quotation with an attribution.
pub(crate) fn quoted(text: &str, style: &Style, day: NaiveDate) -> String {
    let head = crate::words::fill(style.words.wrote, &[&day.format("%d.%m.%Y").to_string(), "Tobin Quillfeather"]);
    text.lines().fold(head + "\n", |quoted, line| quoted + "> " + line + "\n")
}

/// `14 Mar 2004`.
fn spoken(date: Option<NaiveDate>) -> String {
    let date = date.unwrap();
    format!("{} {} {}", date.day(), date.format("%b"), date.year())
}
