//! The head of a composed message: event, start, time control, both players.

use chrono::NaiveDate;

use super::lex::{self, Token};
use crate::domain::transmission::dates::{DayMonth, WrittenDate};
use crate::domain::transmission::{Correspondent, Transmission};

/// The lines of a message's head; true when the line is one of them and says nothing else.
pub(super) fn head_line(text: &str, head: &mut Transmission) -> bool {
    let Some((label, value)) = text.split_once(':') else {
        return false;
    };
    let value = value.trim();
    let player = || {
        let (name, rest) = value.split_once('<')?;
        let address = rest.split_once('>')?.0.trim();
        Some(Correspondent { name: name.trim().to_owned(), address: address.to_owned() })
    };
    let has_move =
        lex::tokens(value).iter().any(|p| matches!(p.token, Token::Move(_) | Token::Spaced(_) | Token::BadMove(..)));
    match label.trim() {
        "Event" => head.event = Some(value.to_owned()).filter(|v| !v.is_empty() && v != "-"),
        "White" if !has_move => head.white = player(),
        "Black" if !has_move => head.black = player(),
        "Start" if !has_move => {
            head.start_date = lex::tokens(value).into_iter().find_map(|p| match p.token {
                Token::Date(date) => whole_date(date),
                _ => None,
            });
            head.control = value.split_once("Time:").map(|(_, c)| c.trim().to_owned());
        }
        "Time" if !has_move => head.control = Some(value.to_owned()),
        _ => return false,
    }
    true
}

/// A date with all its parts, the day first.
pub(super) fn whole_date(date: WrittenDate) -> Option<NaiveDate> {
    let year = match date {
        WrittenDate::Clear { year, .. } | WrittenDate::Open { year, .. } => year,
        WrittenDate::Ago(_) | WrittenDate::Last(_) => None,
    };
    let near = NaiveDate::from_ymd_opt(year.filter(|y| *y >= 1000)?, 6, 1)?;
    date.resolve(DayMonth::DayFirst, near)
}
