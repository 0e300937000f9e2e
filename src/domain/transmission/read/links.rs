//! Which label of a line names which date: the one of its own clause first, and else by their order.
//!
//! What the label says of the date is told in `labels`.

use super::items::{Item, Said};
use super::vocabulary::Label;

/// A label and its place among the items.
pub(super) type Named = (usize, Label);
/// A date and its place among the items.
pub(super) type Dated = (usize, Said);

/// A label or a date.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mark {
    Label(Named),
    Date(Dated),
}

impl Mark {
    pub(super) fn label(&self) -> Option<Named> {
        if let Mark::Label(label) = self { Some(*label) } else { None }
    }

    pub(super) fn date(&self) -> Option<Dated> {
        if let Mark::Date(date) = self { Some(*date) } else { None }
    }

    pub(super) fn place(&self) -> usize {
        match self {
            Mark::Label((at, _)) | Mark::Date((at, _)) => *at,
        }
    }
}

/// What parts two clauses.
pub(super) fn is_border(item: &Item) -> bool {
    matches!(item, Item::Comma(_) | Item::And | Item::Stop)
}

/// The marks of a line, each with its clause, in the parts that are bound by themselves: a clause with one label and one date is a part.
/// Where labels and dates are left on both sides of such a clause, what belongs to what is not told by clauses.
pub(super) fn runs(marks: &[(usize, Mark)]) -> Vec<Vec<Mark>> {
    let plain = |run: Vec<&[(usize, Mark)]>| run.into_iter().flatten().map(|(_, mark)| *mark).collect::<Vec<Mark>>();
    let is_pair = |group: &[(usize, Mark)]| {
        matches!(group, [(_, Mark::Date(_)), (_, Mark::Label(_))] | [(_, Mark::Label(_)), (_, Mark::Date(_))])
    };
    let mut runs: Vec<Vec<Mark>> = Vec::new();
    let mut open: Vec<&[(usize, Mark)]> = Vec::new();
    for group in marks.chunk_by(|(a, _), (b, _)| a == b) {
        if is_pair(group) {
            runs.push(plain(std::mem::take(&mut open)));
            runs.push(plain(vec![group]));
        } else {
            open.push(group);
        }
    }
    runs.push(plain(open));
    runs.retain(|run| !run.is_empty());
    let only = |is: fn(&Mark) -> bool| runs.iter().any(|run| run.iter().all(is));
    let is_told = !(only(|mark| mark.label().is_some()) && only(|mark| mark.date().is_some()));
    if is_told { runs } else { vec![marks.iter().map(|(_, mark)| *mark).collect()] }
}

/// Which label of a line names which date.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) links: Vec<(Named, Dated)>,
    /// Dates without a label.
    pub(super) left: Vec<Dated>,
    /// Labels without a date, at the end of the line.
    pub(super) waiting: Vec<Named>,
}

impl Links {
    /// Binds the labels and dates of a part of a line.
    pub(super) fn run(&mut self, items: &[Item], marks: &[Mark]) {
        self.waiting.clear();
        let is_label = |m: &Mark| m.label().is_some();
        let alternate = marks.windows(2).all(|w| matches!(w, [a, b] if is_label(a) != is_label(b)));
        match marks {
            [Mark::Date(_), .., Mark::Label(_)] if alternate => self.each(marks.chunks(2)),
            // "start 1.3., sent 2.3.": the first date has no label
            [Mark::Date(date), rest @ ..] if alternate && !rest.is_empty() => {
                self.left.push(*date);
                self.forward(items, rest);
            }
            [Mark::Date(_), ..] => {
                let parted =
                    |a: &Mark, b: &Mark| items.get(a.place()..b.place()).unwrap_or_default().iter().any(is_border);
                self.each(marks.chunk_by(|a, b| !parted(a, b)));
            }
            marks => self.forward(items, marks),
        }
    }

    /// Each group with one label and one date binds them.
    fn each<'m>(&mut self, groups: impl Iterator<Item = &'m [Mark]>) {
        for group in groups {
            match group {
                [Mark::Date(date), Mark::Label(label)] | [Mark::Label(label), Mark::Date(date)] => {
                    self.links.push((*label, *date));
                }
                other => self.left.extend(other.iter().filter_map(Mark::date)),
            }
        }
    }

    /// Each label takes the date behind it: "received 24.10. sent 26.10.", "received/sent: 24.10./26.10."
    fn forward(&mut self, items: &[Item], marks: &[Mark]) {
        let between = |from: usize, to: usize| items.get(from + 1..to).unwrap_or_default();
        let runs: Vec<&[Mark]> = marks.chunk_by(|a, b| a.label().is_some() == b.label().is_some()).collect();
        let mut spare: Option<Dated> = None;
        let mut pairs = runs.chunks(2).peekable();
        while let Some(pair) = pairs.next() {
            let marks = || pair.iter().copied().flatten();
            let labels: Vec<Named> = marks().filter_map(Mark::label).collect();
            let dates: Vec<Dated> = marks().filter_map(Mark::date).collect();
            // "received and answered 24.10."
            let joined = labels.windows(2).all(|w| match w {
                [(first, _), (second, _)] => {
                    between(*first, *second).iter().all(|i| matches!(i, Item::And | Item::Slash | Item::Comma(_)))
                }
                _ => true,
            });
            match (labels.as_slice(), dates.as_slice()) {
                // "received 10.6. and today, 15.6., sent"
                ([label], []) if let Some(date) = spare.take() => self.links.push((*label, date)),
                (_, []) => self.waiting = labels,
                (several, found) if several.len() == found.len() => self.links.extend(labels.into_iter().zip(dates)),
                ([label], [date, more @ ..]) => {
                    self.links.push((*label, *date));
                    match more {
                        [one] if pairs.peek().is_some() && between(date.0, one.0).iter().any(is_border) => {
                            spare = Some(*one);
                        }
                        more => self.left.extend(more),
                    }
                }
                (several, [date]) if joined => self.links.extend(several.iter().map(|label| (*label, *date))),
                ([.., label], [date]) => self.links.push((*label, *date)),
                _ => self.left.extend(dates),
            }
        }
        self.left.extend(spare);
    }
}
