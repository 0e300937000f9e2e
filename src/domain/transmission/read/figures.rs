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

/// The numbers of days on a line; `dates` are the places of those `a/b` that are dates.
pub(super) fn figures(items: &[Item], dates: &[usize], line: usize) -> Vec<Figure> {
    let mut out: Vec<Figure> = Vec::new();
    let mut side: Option<Side> = None;
    let mut start = 0;
    let mut after_days = false;
    let edges = items.iter().enumerate().filter(|(_, i)| is_edge(i)).map(|(at, _)| at).chain([items.len()]);
    let dated = items.iter().any(|i| matches!(i, Item::Date(_))) || !dates.is_empty();
    // "I am 11 now (birthday was 3 June), I got a castle" labels no date
    let labels_date = |clause: &[Item]| {
        clause.iter().any(|i| matches!(i, Item::Label(label) if label.is_of_date()))
            && (clause.iter().any(|i| matches!(i, Item::Date(_) | Item::Pair(..) | Item::SameDay)) || !dates.is_empty())
    };
    let labelled = dated && items.split(is_edge).any(labels_date);
    for edge in edges {
        let clause: Vec<(usize, &Item)> = items.iter().enumerate().take(edge).skip(start).collect();
        let from = start;
        let opened = start.checked_sub(1).is_some_and(|at| items.get(at) == Some(&Item::Comma(true)));
        start = edge + 1;
        if clause.is_empty() {
            continue;
        }
        let strange = clause.iter().any(|(_, i)| matches!(i, Item::Word { figures: false, .. }));
        side = named_side(&clause).or(side);
        let whose = match side {
            Some(side) => Whose::Of(side),
            None if is_of_reader(&clause) || continues_reader(items, from, &clause) => Whose::Reader,
            None => Whose::Writer,
        };
        let figures = if strange { Vec::new() } else { counts(&clause, dates, side.is_some(), dated) };
        let lone = match clause.as_slice() {
            [(_, Item::Number(n))] if opened && after_days => Some(Count::PerhapsTotal(*n)),
            _ => None,
        };
        after_days = matches!(figures.as_slice(), [Count::Days(_) | Count::This(_)]);
        let is_bare = labelled && !strange && side.is_none() && figures.is_empty() && lone.is_none();
        let figures = if is_bare { unnamed(&clause, dates) } else { figures };
        out.extend(figures.into_iter().chain(lone).map(|count| Figure { whose, count, line }));
    }
    out
}

fn is_edge(item: &Item) -> bool {
    matches!(item, Item::Comma(_) | Item::Stop | Item::And | Item::Slash)
}

/// "White's time", "Player 2".
fn named_side(clause: &[(usize, &Item)]) -> Option<Side> {
    clause.iter().find_map(|(_, item)| if let Item::Side(side) = item { Some(*side) } else { None })
}

fn is_of_reader(clause: &[(usize, &Item)]) -> bool {
    let has = |person| clause.iter().any(|(_, item)| **item == Item::Person(person));
    (has(Person::You) || has(Person::Your) || has(Person::Partner)) && !has(Person::I)
}

/// Whether a clause without a person goes on with what the reader did.
fn continues_reader(items: &[Item], from: usize, clause: &[(usize, &Item)]) -> bool {
    let any = clause.iter().any(|(_, item)| matches!(item, Item::Person(_)));
    !any && speaks_to_reader(items.get(..from).unwrap_or_default())
}

/// The numbers of a clause that names none of them.
fn unnamed(clause: &[(usize, &Item)], dates: &[usize]) -> Vec<Count> {
    let is_named = |item: &Item| match item {
        Item::Label(label) => label.is_of_number(),
        Item::Move | Item::Message | Item::Of | Item::Person(Person::You | Person::Your | Person::Partner) => true,
        _ => false,
    };
    if clause.iter().any(|(_, item)| is_named(item)) {
        return Vec::new();
    }
    let count = |(at, item): &(usize, &Item)| match item {
        Item::Number(n) if *n < 1000 => Some(Count::Unnamed(*n)),
        Item::Pair(a, b) if !dates.contains(at) => Some(Count::UnnamedPair(*a, *b)),
        _ => None,
    };
    clause.iter().filter_map(count).collect()
}

/// The counts of one clause.
fn counts(clause: &[(usize, &Item)], dates: &[usize], sided: bool, dated: bool) -> Vec<Count> {
    let label = |item: &Item| match item {
        Item::Label(label) if label.is_of_number() => Some(*label),
        _ => None,
    };
    let any = clause.iter().any(|(_, item)| label(item).is_some());
    let pairs: Vec<(u32, u32)> = clause
        .iter()
        .filter_map(|(at, item)| match item {
            Item::Pair(a, b) if !dates.contains(at) => Some((*a, *b)),
            _ => None,
        })
        .collect();
    let numbered = clause.iter().any(|(_, item)| matches!(item, Item::Number(_)));
    match pairs.as_slice() {
        // "02/12 T 3 TT 9": the labels are those of the numbers
        [_] if numbered => return Vec::new(),
        [(days, total)] if days <= total && (any || sided) => return vec![Count::Both(*days, *total)],
        [(days, total)] if days <= total && dated => return vec![Count::PerhapsBoth(*days, *total)],
        [] => {}
        _ => return Vec::new(),
    }
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    for (index, (at, item)) in clause.iter().enumerate() {
        let Item::Number(n) = item else { continue };
        let ahead = index.checked_sub(1).and_then(|i| clause.get(i)).map(|(_, item)| *item);
        // "30 of 30 allowed", "move 10", "10.12.2004 10"
        let limit = matches!(ahead, Some(Item::Of)) && !numbers.is_empty();
        if !limit && !matches!(ahead, Some(Item::Message)) && *n < 1000 {
            numbers.push((*at, *n));
        }
    }
    let between = |from: Option<usize>, to: Option<usize>| -> Vec<Label> {
        let inside = |at: usize| from.is_none_or(|f| at > f) && to.is_none_or(|t| at < t);
        clause.iter().filter(|(at, _)| inside(*at)).filter_map(|(_, item)| label(item)).collect()
    };
    let count = |labels: &[Label], n| if labels.contains(&Label::Total) { Count::Total(n) } else { Count::Days(n) };
    let this = clause.iter().any(|(_, item)| **item == Item::This);
    match numbers.as_slice() {
        [(_, n)] if this && !between(None, None).contains(&Label::Total) => vec![Count::This(*n)],
        [(_, n)] if any => vec![count(&between(None, None), *n)],
        [(_, n)] if sided => vec![Count::Lone(*n)],
        [(first, a), (second, b)] => {
            let ahead = between(None, Some(*first));
            let middle = between(Some(*first), Some(*second));
            let behind = between(Some(*second), None);
            match (ahead.is_empty(), middle.as_slice(), behind.is_empty()) {
                (_, [left, right], _) => vec![count(&[*left], *a), count(&[*right], *b)],
                (true, [one], false) => vec![count(&[*one], *a), count(&behind, *b)],
                (false, [one], true) => vec![count(&ahead, *a), count(&[*one], *b)],
                (false, [Label::Days], false) => vec![Count::Days(*a), count(&behind, *b)],
                (false, [Label::Total], false) => vec![count(&ahead, *a), Count::Total(*b)],
                (true, [Label::Days], true) => vec![Count::Days(*a), Count::PerhapsTotal(*b)],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
