//! A line of prose about dates and days, cut into labels, values, persons and stops.
//!
//! What joins a weekday, a "today" and a date that mean one day is done here; what belongs to which label is not.

use chrono::Weekday;

use super::lex::{Placed, Token};
use super::vocabulary::{self, Label, Person};
use crate::domain::game::Side;
use crate::domain::transmission::calendar::{days_ago_in, month_in, weekday_in};
use crate::domain::transmission::dates::WrittenDate;
use crate::domain::transmission::lexicon::{Key, Keys, anywhere, together};

/// A date with the other names that the writer gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) date: WrittenDate,
    /// The weekday beside it.
    pub(super) weekday: Option<Weekday>,
    /// "Today" or "yesterday" beside it.
    pub(super) ago: Option<u32>,
}

impl From<WrittenDate> for Said {
    fn from(date: WrittenDate) -> Said {
        Said { date, weekday: None, ago: None }
    }
}

/// One thing in a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Label(Label),
    Date(Said),
    /// The day named before.
    SameDay,
    /// `a/b`: a day and month, or days and total.
    Pair(u32, u32),
    Number(u32),
    Person(Person),
    Side(Side),
    /// "This", of the move.
    This,
    /// "Of", before a date or a number.
    Of,
    And,
    /// `/` or `&` between two things.
    Slash,
    /// A comma or bracket; `true` for the opening one.
    Comma(bool),
    /// The end of a sentence.
    Stop,
    /// A mail or a move.
    Message,
    /// A move.
    Move,
    /// Any other word, with whether it may stand among dates, and among days.
    Word {
        filler: bool,
        figures: bool,
    },
}

/// The items of a line.
pub(super) fn items(tokens: &[Placed], text: &str) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    let mut skip = 0;
    for (at, placed) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| tokens.get(i));
        let gap = before.and_then(|b| text.get(b.end..placed.at)).unwrap_or_default();
        let ends = before.is_some_and(|b| {
            matches!(b.token, Token::Date(_)) && text.get(b.at..b.end).is_some_and(|t| t.ends_with('.'))
        });
        if ends && text.get(placed.at..).is_some_and(|t| t.starts_with(char::is_uppercase)) {
            out.push(Item::Stop);
        }
        out.extend(punctuation(gap, before));
        if skip > 0 {
            skip -= 1;
            continue;
        }
        match &placed.token {
            Token::Word(word) => skip = out_of_word(word, tokens, at, &mut out),
            Token::Date(date) => push_date(Said::from(*date), &mut out),
            Token::BadMove(digits, _) => match without_separators(digits) {
                Some(date) if matches!(out.last(), Some(Item::Label(l)) if l.is_of_date()) => {
                    push_date(Said::from(date), &mut out);
                }
                _ => out.push(Item::Word { filler: false, figures: false }),
            },
            Token::Slash(first, second)
                if matches!(out.last(), Some(Item::Date(Said { date: WrittenDate::Last(_), .. }))) =>
            {
                push_date(Said::from(WrittenDate::slashed(*first, *second)), &mut out);
            }
            Token::Slash(a, b) => out.push(Item::Pair(*a, *b)),
            Token::Int(n) | Token::Number(n, false) => match day_of_month(*n, tokens.get(at + 1..).unwrap_or_default())
            {
                Some((date, words)) => {
                    push_date(Said::from(date), &mut out);
                    skip = words;
                }
                None => out.push(Item::Number(*n)),
            },
            Token::Number(_, true) | Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_) => out.push(Item::Move),
            Token::Time => out.push(Item::Word { filler: true, figures: false }),
            Token::Bar => out.push(Item::Comma(false)),
            Token::Filler(_) => {}
        }
    }
    out
}

/// "16 Αυγούστου", "28 de maig", "12-an de aprilo 2026": the day whose month stands behind its number, and how many tokens that takes.
fn day_of_month(day: u32, behind: &[Placed]) -> Option<(WrittenDate, usize)> {
    /// Words that may part a day and its month: the ending of the number, and "of".
    const MOST: usize = 2;
    let is_word = |placed: &&Placed| matches!(placed.token, Token::Word(_));
    let words = behind.iter().take_while(is_word).take(MOST + 1);
    let at = words.clone().position(|placed| month_in(placed.keys).is_some())?;
    let is_small = |placed: &Placed| placed.keys.has(Key::Of) || placed.end - placed.at <= MOST;
    if !(1..=31).contains(&day) || !words.take(at).all(is_small) {
        return None;
    }
    let month = month_in(behind.get(at)?.keys)?;
    let year = behind.get(at + 1).and_then(|placed| match placed.token {
        Token::Int(year @ 1900..=2199) => i32::try_from(year).ok(),
        _ => None,
    });
    Some((WrittenDate::Clear { day, month, year }, at + 1 + usize::from(year.is_some())))
}

/// What stands between two tokens. A dot behind an abbreviation ends nothing.
fn punctuation(gap: &str, before: Option<&Placed>) -> Vec<Item> {
    let abbreviated = |p: &Placed| matches!(&p.token, Token::Word(w) if w.len() <= 5 || vocabulary::label(w).is_some());
    let mut out: Vec<Item> = Vec::new();
    for sign in gap.chars() {
        let item = match sign {
            '.' if before.is_none_or(abbreviated) => continue,
            '.' | ';' | '!' | '?' | '。' => Item::Stop,
            '(' | '[' => Item::Comma(true),
            ',' | ')' | ']' | '、' => Item::Comma(false),
            '/' | '&' | '+' if sign != '+' => Item::Slash,
            _ => continue,
        };
        out.push(item);
    }
    out
}

/// Puts the word at a place among the items; tells how many of the tokens behind it were used up.
fn out_of_word(word: &str, tokens: &[Placed], at: usize, out: &mut Vec<Item>) -> usize {
    let (ahead, behind) = tokens.split_at_checked(at).unwrap_or_default();
    let (before, behind) = (ahead.last(), behind.get(1..).unwrap_or_default());
    let next = behind.first();
    let text = |placed: Option<&Placed>| match placed.map(|p| &p.token) {
        Some(Token::Word(word)) => word.clone(),
        _ => String::new(),
    };
    let is_number = |placed: &Placed| matches!(placed.token, Token::Int(_) | Token::Number(..));
    let is_date = |placed: &Placed| matches!(placed.token, Token::Date(_) | Token::Slash(..));
    let (dated, numbered) = (next.is_some_and(is_date), next.is_some_and(is_number));
    let keys = tokens.get(at).map(|p| p.keys).unwrap_or_default();
    let (own, both) = (anywhere(word), together(word, &text(next)));
    // "two days", but "the first of them" counts nothing
    if let Some(n) = keys.number().filter(|_| next.is_some_and(|p| p.keys.has(Key::Days))) {
        out.push(Item::Number(n));
        return 0;
    }
    if let Some(ago) = [both, own, keys].into_iter().find_map(days_ago_in) {
        push_date(Said::from(WrittenDate::Ago(ago)), out);
        // "gestern abend"
        let mut end = tokens.get(at).map_or(0, |p| p.end);
        let is_same = |p: &&Placed| {
            let is_next = p.at <= end + 1;
            end = p.end;
            is_next && days_ago_in(p.keys) == Some(ago)
        };
        let goes_on = behind.iter().take_while(is_same).count();
        return goes_on.max(usize::from(days_ago_in(both).is_some()));
    }
    if let (true, Some(Token::Int(n @ (1 | 2)))) = (own.has(Key::Player), next.map(|p| &p.token)) {
        out.push(Item::Side(if *n == 1 { Side::White } else { Side::Black }));
        return 1;
    }
    if both.has_any(&[Key::SameDay, Key::Total]) {
        out.push(if both.has(Key::Total) { Item::Label(Label::Total) } else { Item::SameDay });
        return 1;
    }
    let beside = weekday_in(own);
    let named =
        beside.filter(|_| !own.has(Key::Abbreviated)).or_else(|| weekday_in(keys).filter(|_| !keys.has(Key::Common)));
    let bracket = matches!(out.last(), Some(Item::Comma(true)));
    let of_next = beside.filter(|_| dated);
    if let (None, Some(weekday), Some(Item::Date(said))) =
        (of_next, named.or(beside.filter(|_| bracket)), trimmed_last(out))
        && said.weekday.is_none()
        && !matches!(said.date, WrittenDate::Ago(_))
    {
        said.weekday = Some(weekday);
        return 0;
    }
    // in Portuguese the weekdays are ordinals
    let is_ordinal = matches!(word, "segunda" | "terca" | "quarta" | "quinta" | "sexta") && text(next) != "feira";
    if let Some(weekday) = of_next.or(named.filter(|_| !is_ordinal)) {
        push_date(Said { date: WrittenDate::Last(weekday), weekday: Some(weekday), ago: None }, out);
        return 0;
    }
    let short = vocabulary::short_label(word, Keys::default()).filter(|label| match (word.len(), label) {
        (1, label) if label.is_of_date() => dated,
        (1, _) => before.is_some_and(is_number) || (word == "t" && numbered),
        _ if word == "tt" => numbered,
        (3.., Label::Days) => matches!(next.map(|p| &p.token), Some(Token::Slash(..))),
        _ => false,
    });
    let value = behind.iter().find(|p| !matches!(p.token, Token::Word(_) | Token::Filler(_)));
    let label = short.or_else(|| vocabulary::label_of(word, keys)).map(|label| match label {
        Label::SentOrTotal if value.is_some_and(is_date) => Label::Sent,
        Label::SentOrTotal => Label::Total,
        other => other,
    });
    let filler = Item::Word { filler: true, figures: false };
    let item = match (label, vocabulary::person_of(word, keys), vocabulary::side_named(word)) {
        // "your answer of 24.10."
        (Some(Label::Replied), ..) if matches!(out.last(), Some(Item::Person(Person::Your))) => Item::Message,
        // "me llegó": one label of two words
        (Some(label), ..) if out.last() == Some(&Item::Label(label)) => return 0,
        (Some(label), ..) => Item::Label(label),
        (None, _, Some(side)) => Item::Side(side),
        _ if own.has(Key::This) => Item::This,
        _ if own.has(Key::Within) && numbered => filler,
        _ if own.has(Key::Of) && dated => Item::Of,
        // "thank you", "from you"
        (None, Some(Person::You), _) if anywhere(&text(before)).has(Key::BesideYou) => filler,
        (None, Some(person), _) => Item::Person(person),
        _ if own.has(Key::Of) => Item::Of,
        _ if (own | keys).has(Key::And) => Item::And,
        _ if (own | keys).has_any(&[Key::Mail, Key::Move]) => Item::Message,
        _ => Item::Word {
            filler: vocabulary::is_filler(word) || keys.has_any(&[Key::Common, Key::Play]),
            figures: vocabulary::is_of_figures(word),
        },
    };
    out.push(item);
    0
}

/// Adds a date, joined with the weekday or the "today" right before it.
fn push_date(said: Said, out: &mut Vec<Item>) {
    let pauses = matches!(out.last(), Some(Item::Comma(_)));
    if let Some(Item::Date(earlier)) = trimmed_last(out) {
        let mut said = said;
        let joined = match (earlier.date, said.date) {
            // "it came on Sunday, today I answer"
            (WrittenDate::Last(_), WrittenDate::Ago(_)) if pauses => false,
            (WrittenDate::Last(weekday), date) if !matches!(date, WrittenDate::Last(_)) => {
                said.weekday = Some(weekday);
                said.ago = earlier.ago;
                true
            }
            (WrittenDate::Ago(ago), date) if !matches!(date, WrittenDate::Ago(_)) => {
                said.ago = Some(ago);
                true
            }
            _ => false,
        };
        if joined {
            *earlier = said;
            return;
        }
    }
    out.push(Item::Date(said));
}

/// The last item but for a comma behind it.
fn trimmed_last(out: &mut [Item]) -> Option<&mut Item> {
    out.iter_mut().rev().find(|item| !matches!(item, Item::Comma(_)))
}

/// `20041024`.
fn without_separators(digits: &str) -> Option<WrittenDate> {
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|p| p.parse::<u32>().ok());
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let fits = digits.len() == 8 && (1900..2100).contains(&year);
    let date = WrittenDate::Clear { day, month, year: i32::try_from(year).ok() };
    (fits && date.is_possible()).then_some(date)
}

/// Whether the reader is the subject of the sentence so far: "you received 22.10. and sent 23.10."
pub(super) fn speaks_to_reader(ahead: &[Item]) -> bool {
    let mut sentence = ahead.iter().rev().take_while(|i| !matches!(i, Item::Stop));
    let subject = sentence.find(|i| matches!(i, Item::Person(Person::You | Person::I)));
    subject == Some(&Item::Person(Person::You))
}
