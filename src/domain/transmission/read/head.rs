//! The head of a composed message: event, start, time control, both players.

use chrono::NaiveDate;

use super::lex::{self, Placed, Token};
use super::vocabulary::side_named;
use crate::domain::game::Side;
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
    let tokens = lex::tokens(value);
    let has_move = tokens.iter().any(|p| matches!(p.token, Token::Move(_) | Token::Spaced(_) | Token::BadMove(..)));
    let has_number = tokens.iter().any(|p| matches!(p.token, Token::Number(..)));
    // digits of a name are no move where nothing but the address follows
    let is_player = !has_number && value.ends_with('>') && value.contains(" <");
    // "White: +2 days, now 27 of 60"
    let counts = tokens.iter().any(|p| matches!(p.token, Token::Int(_) | Token::Slash(..) | Token::Date(_)));
    let is_side = is_player || !(has_move || counts);
    let label = label.trim();
    let is_english = matches!(label, "White" | "Black") && is_side;
    if let Some(side) = side_named(label).filter(|_| is_english || (is_player && !label.contains(' '))) {
        *if side == Side::White { &mut head.white } else { &mut head.black } = player();
        return true;
    }
    match label {
        // in other languages people write these words themselves, and more behind them
        "Turnier" | "Tournoi" | "Torneo" | "Torneio" | "Toernooi" | "Турнир" if !has_number => {
            head.event = Some(value.to_owned());
        }
        "Beginn" | "Début" | "Inicio" | "Inizio" | "Início" | "Begin" | "Начало" if !has_move => {
            head.start_date = start_date(tokens);
        }
        "Zeitkontrolle" | "Cadence" | "Ritmo" | "Cadenza" | "Tijdcontrole" | "Контроль" if !has_move => {
            head.control = Some(value.to_owned());
        }
        "Event" => head.event = Some(value.to_owned()).filter(|v| !v.is_empty() && v != "-"),
        "Start" if !has_move => {
            head.start_date = start_date(tokens);
            head.control = value.split_once("Time:").map(|(_, c)| c.trim().to_owned());
        }
        "Time" if !has_move => head.control = Some(value.to_owned()),
        _ => return false,
    }
    true
}

fn start_date(tokens: Vec<Placed>) -> Option<NaiveDate> {
    tokens.into_iter().find_map(|p| match p.token {
        Token::Date(date) => whole_date(date),
        _ => None,
    })
}

/// A date with all its parts, the day first.
pub(super) fn whole_date(date: WrittenDate) -> Option<NaiveDate> {
    let year = match date {
        WrittenDate::Clear { year, .. } | WrittenDate::Open { year, .. } => year,
        WrittenDate::Ago(_) | WrittenDate::Last(_) | WrittenDate::Day(_) => None,
    };
    let near = NaiveDate::from_ymd_opt(year.filter(|y| *y >= 1000)?, 6, 1)?;
    date.resolve(DayMonth::DayFirst, near)
}
