//! Dates and numbers that words give a meaning: "received 24.10., sent 26.10., 2 days, total 30".
//!
//! A label takes the date of its own clause, and else they are bound by their order in the line (`links`); a date that no label
//! claims, or that stands in a sentence about something else, stays open. Whose date it is follows from the persons beside it.

use super::Line;
use super::carry::{Kind, hand_on};
use super::cut::{is_move, reader_received};
use super::figures::{Figure, figures};
use super::items::{Item, Said, items, speaks_to_reader};
use super::lex::{Placed, Token};
use super::links::{Links, Mark, is_border, runs};
use super::vocabulary::{Label, Person};
use crate::domain::transmission::dates::WrittenDate;
use crate::domain::transmission::lexicon::{Key, anywhere};

/// What a date is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The writer received the reader's move.
    Received,
    /// Something was sent, by the writer unless the place in a form tells otherwise.
    Sent,
    /// The writer answered.
    Replied,
    /// The reader sent his move.
    Ours,
    /// The reader sent his move, or else the writer: "your move, sent 23.10."
    PerhapsOurs,
}

/// A date with its meaning, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) meaning: Meaning,
    pub(super) said: Said,
    pub(super) line: usize,
}

/// Dates and numbers that words give a meaning, as written and in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Labels {
    pub(super) mentions: Vec<Mention>,
    pub(super) figures: Vec<Figure>,
    /// Dates that got no meaning.
    pub(super) open: Vec<WrittenDate>,
    /// The lines that gave a date or a number.
    pub(super) lines: Vec<usize>,
    /// Labels at the end of the line before, that wait for their dates.
    waiting: Vec<Meaning>,
    /// The line below is nothing but values, and begins with one of this kind.
    pub(super) below: Option<Kind>,
    /// The labels that end the line before and belong to those values.
    pub(super) carried: Vec<Item>,
}

impl Labels {
    /// Collects the statements of a line; `row` tells that it is one of a table, whose own dates are no statements.
    pub(super) fn take(&mut self, tokens: &[Placed], text: &str, line: usize, row: bool) {
        let mut items: Vec<Item> = self.carried.drain(..).chain(items(tokens, text)).collect();
        if let Some(kind) = self.below.take() {
            self.carried = hand_on(&mut items, kind);
        }
        if items.is_empty() {
            return;
        }
        let labelled = items.iter().any(|i| matches!(i, Item::Label(l) if l.is_of_date()));
        let waiting = std::mem::take(&mut self.waiting);
        let mut bound = if labelled { bind(&items) } else { Bound::of_dates(&items, &waiting, row) };
        // `a/b` is no date beside dates of another form
        let is_slash = |said: &Said| matches!(said.date, WrittenDate::Open { dotted: false, year: None, .. });
        if bound.pairs.iter().any(|(_, said, _)| !is_slash(said) && !said.date.is_of_mail()) {
            bound.open.extend(bound.pairs.extract_if(.., |(_, _, pair)| pair.is_some()).map(|(_, said, _)| said));
        }
        // "You received my move 7.4. and sent 9.4.": what the reader did is the reader's to date
        if reader_received(tokens) {
            bound.open.extend(bound.pairs.drain(..).map(|(_, said, _)| said));
        }
        let before = (self.mentions.len(), self.figures.len());
        for (meaning, said, pair) in bound.pairs {
            self.mentions.push(Mention { meaning, said, line });
            if let Some(item) = pair.and_then(|at| items.get_mut(at)) {
                *item = Item::Date(said);
            }
        }
        self.open.extend(bound.open.iter().map(|said| said.date).filter(|date| !date.is_of_mail()));
        // "I have 40 left" counts what is not used
        if !tokens.iter().any(|p| matches!(&p.token, Token::Word(word) if anywhere(word).has(Key::Left))) {
            self.figures.extend(figures(&items, line));
        }
        self.waiting = bound.waiting;
        if before != (self.mentions.len(), self.figures.len()) {
            self.lines.push(line);
        }
    }
}

/// Collects the statements of a row of score for its last half move: those behind it, and those before the moves or in a
/// sentence that names a person.
pub(super) fn of_row(tokens: &[Placed], line: &Line<'_>, words: &mut Labels) {
    let last = tokens.iter().rposition(is_move).unwrap_or_default();
    let number = tokens.iter().take(last).rposition(|p| matches!(p.token, Token::Number(..)));
    let last = number.filter(|at| at + 1 == last).unwrap_or(last);
    let (ahead, behind) = tokens.split_at(last);
    words.take(behind, line.text, line.number, true);
    let mut sentence = Labels::default();
    sentence.take(ahead, line.text, line.number, true);
    let list = items(ahead, line.text);
    if !list.iter().any(|i| matches!(i, Item::Person(_))) && list.contains(&Item::Move) {
        return;
    }
    let known: Vec<Meaning> = words.mentions.iter().map(|m| m.meaning).collect();
    sentence.mentions.retain(|m| !known.contains(&m.meaning));
    sentence.mentions.append(&mut words.mentions);
    words.mentions = sentence.mentions;
    words.figures.append(&mut sentence.figures);
    words.open.append(&mut sentence.open);
}

/// The labels and dates of a line, put together.
#[derive(Debug, Default)]
struct Bound {
    /// With the place of the `a/b` that the date was.
    pairs: Vec<(Meaning, Said, Option<usize>)>,
    open: Vec<Said>,
    waiting: Vec<Meaning>,
}

impl Bound {
    /// A line without labels: its dates belong to those that wait from the line before, if there is one for each.
    fn of_dates(items: &[Item], waiting: &[Meaning], row: bool) -> Bound {
        let dates: Vec<(usize, Said)> = dates(items, !waiting.is_empty());
        let mut out = Bound::default();
        let words = items.iter().any(|i| matches!(i, Item::Word { filler: false, .. }));
        if dates.len() == waiting.len() && !words {
            for (meaning, (at, said)) in waiting.iter().zip(dates) {
                out.pairs.push((*meaning, said, pair_at(items, at)));
            }
        } else if !row {
            out.open =
                dates.into_iter().filter(|(at, _)| pair_at(items, *at).is_none()).map(|(_, said)| said).collect();
        }
        out
    }
}

/// The dates among the items, `a/b` included where it may be one.
fn dates(items: &[Item], pairs: bool) -> Vec<(usize, Said)> {
    let date = |(at, item): (usize, &Item)| match item {
        Item::Date(said) => Some((at, *said)),
        Item::Pair(a, b) if pairs && could_be_date((*a, *b)) && !is_figure(items, at) => {
            Some((at, Said::from(WrittenDate::slashed(*a, *b))))
        }
        _ => None,
    };
    items.iter().enumerate().filter_map(date).collect()
}

/// Whether `a/b` has a label that makes it days and total: "2/30 days", but not "sent 2/3, total 30".
fn is_figure(items: &[Item], at: usize) -> bool {
    let is_number = |i: Option<&Item>| matches!(i, Some(Item::Label(l)) if l.is_of_number());
    let ahead = at.checked_sub(1).and_then(|at| items.get(at));
    let of_next = matches!(items.get(at + 2), Some(Item::Number(_)));
    is_number(ahead) || (is_number(items.get(at + 1)) && !of_next)
}

fn pair_at(items: &[Item], at: usize) -> Option<usize> {
    matches!(items.get(at), Some(Item::Pair(..))).then_some(at)
}

pub(super) fn could_be_date((a, b): (u32, u32)) -> bool {
    let day = |n| (1..=31).contains(&n);
    let month = |n| (1..=12).contains(&n);
    (day(a) && month(b)) || (month(a) && day(b))
}

/// Binds the labels of a line to its dates.
fn bind(items: &[Item]) -> Bound {
    let mut out = Bound::default();
    let mut marks: Vec<Mark> = Vec::new();
    let dates = dates(items, true);
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Label(label) if label.is_of_date() => marks.push(Mark::Label((at, *label))),
            Item::SameDay => {
                let last = marks.iter().rev().find_map(Mark::date);
                marks.extend(last.map(|(_, said)| Mark::Date((at, said))));
            }
            _ => {
                let Some((_, said)) = dates.iter().find(|(place, _)| *place == at) else { continue };
                if is_of_yours(items, at) {
                    out.pairs.push((Meaning::Ours, *said, pair_at(items, at)));
                } else {
                    marks.push(Mark::Date((at, *said)));
                }
            }
        }
    }
    let is_label = |at: Option<usize>| matches!(at.and_then(|at| items.get(at)), Some(Item::Label(_)));
    let mut clause = 0;
    let clauses: Vec<usize> = items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            // "received and answered 24.10."
            let joins = is_label(at.checked_sub(1)) && is_label(Some(at + 1));
            clause += usize::from(is_border(item) && !joins);
            clause
        })
        .collect();
    let marks: Vec<(usize, Mark)> =
        marks.into_iter().map(|mark| (clauses.get(mark.place()).copied().unwrap_or_default(), mark)).collect();
    let mut links = Links::default();
    for run in runs(&marks) {
        links.run(items, &run);
    }
    for ((at, label), (place, said)) in links.links {
        match meaning(items, at, label, place) {
            Owner::Is(meaning) => out.pairs.push((meaning, said, pair_at(items, place))),
            Owner::Reader => {}
            Owner::Unknown => links.left.push((place, said)),
        }
    }
    let waiting = links.waiting.into_iter().map(|(at, label)| meaning(items, at, label, at));
    out.waiting = waiting.filter_map(|m| if let Owner::Is(m) = m { Some(m) } else { None }).collect();
    // of several `a/b` the last may be days and total
    out.open.extend(links.left.into_iter().filter(|(at, _)| pair_at(items, *at).is_none()).map(|(_, said)| said));
    out
}

/// "Your mail of 23.10.": the reader's own day.
fn is_of_yours(items: &[Item], at: usize) -> bool {
    let ahead = items.get(..at).unwrap_or_default();
    if !matches!(ahead.last(), Some(Item::Of)) {
        return false;
    }
    let since = ahead.iter().rev().take_while(|i| !matches!(i, Item::Date(_) | Item::Stop | Item::Pair(..)));
    since.into_iter().any(|i| matches!(i, Item::Person(Person::Your | Person::Partner)))
}

/// Whose date a label names.
enum Owner {
    Is(Meaning),
    /// The day the reader received something.
    Reader,
    /// The sentence is about something else.
    Unknown,
}

/// What a label at `at` says of the date at `place`.
fn meaning(items: &[Item], at: usize, label: Label, place: usize) -> Owner {
    let is_edge = |i: &Item| matches!(i, Item::Comma(_) | Item::And | Item::Stop | Item::Slash);
    let (low, high) = (at.min(place), at.max(place));
    let start = items.iter().take(low).rposition(is_edge).map_or(0, |edge| edge + 1);
    let end = items.iter().skip(high).position(is_edge).map_or(items.len(), |edge| high + edge);
    let clause = items.get(start..end).unwrap_or_default();
    let strange = clause.iter().any(|i| matches!(i, Item::Word { filler: false, .. }));
    if strange && !clause.iter().any(|i| matches!(i, Item::Message | Item::Move)) {
        return Owner::Unknown;
    }
    // "I got your move, today I play 5254": the day of a clause that says something itself is not that of another clause
    let own_start = items.iter().take(place).rposition(is_border).map_or(0, |border| border + 1);
    let own_end = items.iter().skip(place).position(is_border).map_or(items.len(), |border| place + border);
    let says = |i: &Item| matches!(i, Item::Person(_) | Item::Message | Item::Move | Item::Word { filler: false, .. });
    if !(own_start..own_end).contains(&at) && items.get(own_start..own_end).unwrap_or_default().iter().any(says) {
        return Owner::Unknown;
    }
    let ahead = items.get(start..at).unwrap_or_default();
    let has = |list: &[Item], person| list.contains(&Item::Person(person));
    let partner = has(clause, Person::Partner);
    let you = partner || (has(ahead, Person::You) && !has(ahead, Person::I));
    if !you && !has(ahead, Person::I) && speaks_to_reader(items.get(..start).unwrap_or_default()) {
        return Owner::Unknown;
    }
    match label {
        Label::Received if you => Owner::Reader,
        Label::Received => Owner::Is(Meaning::Received),
        _ if you => Owner::Is(Meaning::Ours),
        Label::Replied => Owner::Is(Meaning::Replied),
        _ if of_your_message(items.get(..at).unwrap_or_default()) => Owner::Is(Meaning::PerhapsOurs),
        _ => Owner::Is(Meaning::Sent),
    }
}

/// Whether the sentence so far speaks of something of the reader, and not yet of its arrival or of the writer.
fn of_your_message(ahead: &[Item]) -> bool {
    let sentence = ahead.iter().rev().take_while(|i| !matches!(i, Item::Stop));
    for item in sentence {
        match item {
            Item::Label(Label::Received) | Item::Person(Person::I) | Item::Date(_) | Item::Pair(..) => return false,
            Item::Person(Person::Your) => return true,
            _ => {}
        }
    }
    false
}
