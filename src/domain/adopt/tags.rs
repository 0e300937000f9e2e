//! What a mail says of its game beside the moves: event, start, players, start position, result.
//!
//! PGN tag pairs (Standard: PGN, 8.1; with the tags of Scid's correspondence chess) go before the head of a composed message,
//! and both before plain `White: Name` lines. Of two values of one tag neither is believed.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::NaiveDate;

use crate::domain::clock::rules::TimeControl;
use crate::domain::pattern::Pattern;
use crate::domain::pgn::{day, is_beside_the_record};
use crate::domain::start_letter::{control_in, start_in, unread_start};
use crate::domain::transmission::Transmission;
use crate::domain::transmission::read::Line;

static TAG: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r#"^\s*\[(\w+)\s+"(.*)"\]\s*$"#));
/// `White: Mila Ostrander    Black: Tobin Quillfeather`; a value with digits is a move or a clock.
static PLAYER: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)(?:^|\s{2}|[|,;])\s*(?:(white|weiß|weiss|blancs|blancas|bianco)|(black|schwarz|noirs|negras|nero))\s*[:=]\s*([^\d<>@|:=(]{3,60}?)(?:\s*$|\s{2}|[|(<,;])",
    )
});

/// A result after moves, or alone on its line.
static RESULT: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?:^|[1-8)#+!?=O\pL\s])\s*\b(1-0|0-1|1/2-1/2|½-½)\s*\.?\s*$"));

/// The result that ends movetext: after the last of several moves on a line, or on the line after it.
pub(super) fn result_behind(lines: &[Line<'_>], last_line: usize) -> Option<String> {
    let at = |number: usize| lines.iter().find(|line| line.number == number).map(|line| line.text);
    let ends = |text: &str| RESULT.captures(text).and_then(|found| Some(found.get(1)?.as_str().to_owned()));
    let is_alone = |text: &&str| text.trim().len() <= 8;
    ends(at(last_line)?).or_else(|| at(last_line + 1).filter(is_alone).and_then(ends))
}

/// A player as a mail names him.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// His name, if written.
    pub name: Option<String>,
    /// His address, if written.
    pub address: Option<String>,
}

/// What stands around the moves; every part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The event's code or name.
    pub event: Option<String>,
    /// The organiser.
    pub site: Option<String>,
    /// The event's start.
    pub start: Option<NaiveDate>,
    /// A start that stands there and is no day, or may be two, with its line.
    pub unread_start: Option<String>,
    /// The time control.
    pub control: Option<TimeControl>,
    /// Who has White.
    pub white: Named,
    /// Who has Black.
    pub black: Named,
    /// The start position.
    pub fen: Option<String>,
    /// A result, where the game is over.
    pub result: Option<String>,
    /// Tags that the record of a game that goes on does not give by itself: round, ratings, titles.
    pub others: BTreeMap<String, String>,
}

impl Head {
    /// The tags of these lines, and for what they lack the plain lines; `said` is the head of the message as its reader found it.
    pub(super) fn of(lines: &[Line<'_>], said: &Transmission) -> Head {
        let tags: Vec<(&str, &str)> = lines
            .iter()
            .filter_map(|line| {
                let tag = TAG.captures(line.text)?;
                Some((tag.get(1)?.as_str(), tag.get(2)?.as_str().trim()))
            })
            .collect();
        let tag = |name: &str| {
            let mut values = tags.iter().filter(|(tag, _)| *tag == name).map(|(_, value)| *value);
            let first = values.next()?;
            let known = !matches!(first, "" | "?" | "-") && values.all(|other| other == first);
            known.then(|| first.to_owned())
        };
        let plain = |group: usize| {
            let found = lines.iter().flat_map(|line| players(line.text));
            let mut names = found.filter(|(of, _)| *of == group).map(|(_, name)| name);
            let first = names.next()?;
            names.all(|other| other == first).then_some(first)
        };
        let player = |name: &str, address: &str, group: usize, said: &Option<super::Correspondent>| Named {
            name: tag(name).or(said.as_ref().map(|c| c.name.clone()).filter(|n| !n.is_empty())).or(plain(group)),
            address: tag(address).filter(|a| a.contains('@')).or(said.as_ref().map(|c| c.address.clone())),
        };
        let has_position = tag("SetUp").is_none_or(|set| set == "1");
        Head {
            event: tag("Event").or(said.event.as_deref().map(first_cell)),
            site: tag("Site"),
            start: tag("EventDate")
                .and_then(|d| day(&d))
                .or(tag("Date").and_then(|d| day(&d)))
                .or(said.start_date)
                .or(start_in(lines)),
            unread_start: unread_start(lines),
            control: lines.iter().find_map(|line| control_in(line.text)),
            white: player("White", "WhiteNA", 1, &said.white),
            black: player("Black", "BlackNA", 2, &said.black),
            fen: tag("FEN").filter(|_| has_position),
            result: tag("Result").filter(|result| matches!(result.as_str(), "1-0" | "0-1" | "1/2-1/2")),
            others: tags
                .iter()
                .filter_map(|(name, _)| Some((*name, tag(name)?)))
                .filter(|(name, text)| is_beside_the_record(name, text, false))
                .map(|(name, text)| (name.to_owned(), text))
                .collect(),
        }
    }
}

/// What stands before the next column of a line.
fn first_cell(text: &str) -> String {
    text.split("  ").next().unwrap_or_default().trim().to_owned()
}

/// The players that a line names, each with 1 for White and 2 for Black.
fn players(text: &str) -> Vec<(usize, String)> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(found) = PLAYER.captures_at(text, at) {
        let (Some(name), group) = (found.get(3), if found.get(1).is_some() { 1 } else { 2 }) else { break };
        out.push((group, name.as_str().trim().to_owned()));
        // what ends one name may begin the next
        at = name.end();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        Head::of(&lines, &Transmission::default())
    }

    #[test]
    fn tags_give_players_event_and_start() {
        let head = head(
            "[Event \"EM/04/1\"]\n[Site \"ICCF\"]\n[Date \"2004.9.5\"]\n[White \"A, B\"]\n[WhiteNA \"a@example.org\"]\n[Result \"*\"]",
        );
        assert_eq!((head.event.as_deref(), head.site.as_deref()), (Some("EM/04/1"), Some("ICCF")));
        assert_eq!(head.start, NaiveDate::from_ymd_opt(2004, 9, 5));
        assert_eq!(head.white, Named { name: Some("A, B".into()), address: Some("a@example.org".into()) });
        assert_eq!((head.black, head.result, head.fen), (Named::default(), None, None));
    }

    #[test]
    fn what_the_record_does_not_give_by_itself_is_kept() {
        let head = head(
            "[Round \"2\"]\n[WhiteElo \"2100\"]\n[Mode \"EM\"]\n[ECO \"C42\"]\n[Annotator \"?\"]\n[BlackElo \"1\"]\n[BlackElo \"2\"]",
        );
        let others: Vec<_> = head.others.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(others, [("Round", "2"), ("WhiteElo", "2100")]);
    }

    #[test]
    fn unknown_values_are_not_stated() {
        let head = head("[Date \"2004.??.??\"]\n[Event \"?\"]\n[Result \"???\"]\n[WhiteNA \"n/a\"]");
        assert_eq!(head, Head::default());
    }

    #[test]
    fn two_games_leave_their_differing_tags_open() {
        let head = head("[Event \"A\"]\n[White \"X\"]\n[Event \"A\"]\n[White \"Y\"]");
        assert_eq!((head.event.as_deref(), head.white.name), (Some("A"), None));
    }

    #[test]
    fn plain_lines_name_players_where_no_move_stands() {
        let found = head("Weiß: Mila Ostrander\nBlack = Tobin Quillfeather");
        assert_eq!(found.white.name.as_deref(), Some("Mila Ostrander"));
        assert_eq!(found.black.name.as_deref(), Some("Tobin Quillfeather"));
        let found = head("White: Harriet Pembury     Black: Nora Lindqvist (2133)");
        assert_eq!(found.white.name.as_deref(), Some("Harriet Pembury"));
        assert_eq!(found.black.name.as_deref(), Some("Nora Lindqvist"));
        assert_eq!(head("White: 12. 5254\nBlack: 3 days"), Head::default());
    }
}
