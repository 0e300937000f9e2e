//! Days and totals in words: "2 days (65 total)", "White 8 days, Black 2/30", "29 días usados (5 en esta)".
//!
//! A number counts only in a clause of which every word is known to speak of days used; "in 3 days", "10 days of leave" and
//! "30 days left" give none. Which of two meanings a lone number has is settled by arithmetic, not here.

use super::items::{Item, speaks_to_reader};
use super::vocabulary::{Label, Person};
use crate::domain::game::Side;

/// Whose days they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The writer's, as far as nothing else is said.
    Writer,
    /// The reader's.
    Reader,
    /// Those of the player of this side.
    Of(Side),
}

/// What a number is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// Days for this move, or else in all: "30 days".
    Days(u32),
    /// Days "for this move".
    This(u32),
    /// Days in all.
    Total(u32),
    /// Days in all, if it can be: "3 days (23)".
    PerhapsTotal(u32),
    /// Days for this move and in all: "2/30".
    Both(u32, u32),
    /// The same beside dates and without a name: only if it adds up.
    PerhapsBoth(u32, u32),
    /// A lone number of a side: "White 8".
    Lone(u32),
    /// A number beside labelled dates, without a name.
    Unnamed(u32),
    /// `a/b` beside them that is no date and cannot be days and total: "14/2".
    UnnamedPair(u32, u32),
}

/// A number of days, as said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) whose: Whose,
    pub(super) count: Count,
    pub(super) line: usize,
}

/// The numbers of days on a line.
pub(super) fn figures(items: &[Item], line: usize) -> Vec<Figure> {
    let mut out: Vec<Figure> = Vec::new();
    let mut side: Option<Side> = None;
    let mut from = 0;
    let mut after_days = false;
    let dated = items.iter().any(|i| matches!(i, Item::Date(_)));
    // "I am 11 now (birthday was 3 June), I got a castle" labels no date
    let labels_date = |clause: &[Item]| {
        clause.iter().any(|i| matches!(i, Item::Label(label) if label.is_of_date()))
            && clause.iter().any(|i| matches!(i, Item::Date(_) | Item::Pair(..) | Item::SameDay))
    };
    let labelled = dated && items.split(is_edge).any(labels_date);
    for clause in items.split(is_edge) {
        let ahead = items.get(..from).unwrap_or_default();
        from += clause.len() + 1;
        if clause.is_empty() {
            continue;
        }
        let strange = clause.iter().any(|i| matches!(i, Item::Word { figures: false, .. }));
        // "White's time", "Player 2"
        side = clause.iter().find_map(|i| if let Item::Side(side) = i { Some(*side) } else { None }).or(side);
        let whose = match side {
            Some(side) => Whose::Of(side),
            None if is_of_reader(clause, ahead) => Whose::Reader,
            None => Whose::Writer,
        };
        let mut figures = if strange { Vec::new() } else { counts(clause, side.is_some(), dated) };
        let is_lone = ahead.last() == Some(&Item::Comma(true)) && after_days;
        after_days = matches!(figures.as_slice(), [Count::Days(_) | Count::This(_)]);
        match clause {
            [Item::Number(n)] if is_lone => figures.push(Count::PerhapsTotal(*n)),
            _ if labelled && !strange && side.is_none() && figures.is_empty() => figures = unnamed(clause),
            _ => {}
        }
        out.extend(figures.into_iter().map(|count| Figure { whose, count, line }));
    }
    out
}

fn is_edge(item: &Item) -> bool {
    matches!(item, Item::Comma(_) | Item::Stop | Item::And | Item::Slash)
}

/// Whether a clause speaks of the reader, or names no person and goes on with what he did.
fn is_of_reader(clause: &[Item], ahead: &[Item]) -> bool {
    let mut persons = clause.iter().filter_map(|i| if let Item::Person(person) = i { Some(*person) } else { None });
    match persons.next() {
        Some(first) => first != Person::I && persons.all(|person| person != Person::I),
        None => speaks_to_reader(ahead),
    }
}

/// The numbers of a clause that names none of them.
fn unnamed(clause: &[Item]) -> Vec<Count> {
    let is_named = |item: &Item| match item {
        Item::Label(label) => label.is_of_number(),
        Item::Move | Item::Message | Item::Of | Item::Person(Person::You | Person::Your | Person::Partner) => true,
        _ => false,
    };
    let count = |item: &Item| match item {
        Item::Number(n) if *n < 1000 => Some(Count::Unnamed(*n)),
        Item::Pair(a, b) => Some(Count::UnnamedPair(*a, *b)),
        _ => None,
    };
    if clause.iter().any(is_named) { Vec::new() } else { clause.iter().filter_map(count).collect() }
}

/// The counts of one clause.
fn counts(clause: &[Item], sided: bool, dated: bool) -> Vec<Count> {
    let labels = |from: usize, to: usize| -> Vec<Label> {
        let label = |item: &Item| match item {
            Item::Label(label) if label.is_of_number() => Some(*label),
            _ => None,
        };
        clause.iter().take(to).skip(from).filter_map(label).collect()
    };
    let all = labels(0, clause.len());
    let pair = |item: &Item| if let Item::Pair(days, total) = item { Some((*days, *total)) } else { None };
    let pairs: Vec<(u32, u32)> = clause.iter().filter_map(pair).collect();
    // "02/12 T 3 TT 9": the labels are those of the numbers
    let numbered = clause.iter().any(|item| matches!(item, Item::Number(_)));
    match *pairs.as_slice() {
        [] => {}
        [(days, total)] if !numbered && days <= total && (!all.is_empty() || sided) => {
            return vec![Count::Both(days, total)];
        }
        [(days, total)] if !numbered && days <= total && dated => return vec![Count::PerhapsBoth(days, total)],
        _ => return Vec::new(),
    }
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    for (at, item) in clause.iter().enumerate() {
        let Item::Number(n) = item else { continue };
        let ahead = at.checked_sub(1).and_then(|at| clause.get(at));
        // "30 of 30 allowed", "move 10", "10.12.2004 10"
        let limit = matches!(ahead, Some(Item::Of)) && !numbers.is_empty();
        if !limit && !matches!(ahead, Some(Item::Message)) && *n < 1000 {
            numbers.push((at, *n));
        }
    }
    let count = |labels: &[Label], n| if labels.contains(&Label::Total) { Count::Total(n) } else { Count::Days(n) };
    match *numbers.as_slice() {
        [(_, n)] if clause.contains(&Item::This) && !all.contains(&Label::Total) => vec![Count::This(n)],
        [(_, n)] if !all.is_empty() => vec![count(&all, n)],
        [(_, n)] if sided => vec![Count::Lone(n)],
        [(first, a), (second, b)] => {
            let (ahead, middle, behind) = (labels(0, first), labels(first, second), labels(second, clause.len()));
            match (ahead.is_empty(), middle.as_slice(), behind.is_empty()) {
                (_, [left, right], _) => vec![count(&[*left], a), count(&[*right], b)],
                (true, [one], false) => vec![count(&[*one], a), count(&behind, b)],
                (false, [one], true) => vec![count(&ahead, a), count(&[*one], b)],
                (false, [Label::Days], false) => vec![Count::Days(a), count(&behind, b)],
                (false, [Label::Total], false) => vec![count(&ahead, a), Count::Total(b)],
                (true, [Label::Days], true) => vec![Count::Days(a), Count::PerhapsTotal(b)],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
