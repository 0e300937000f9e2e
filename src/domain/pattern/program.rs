//! From a pattern as it is written to the steps by which a text is tried.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::first::First;

/// What must stand at a place, or what is done there.
#[derive(Debug)]
pub(super) enum Step {
    /// These characters.
    Text(Box<str>),
    /// One of these characters, by its place among the classes.
    OneOf(usize),
    /// One of these goes on, the first that leads to a match.
    Either(Box<[(First, usize)]>),
    /// Nothing; the place is noted.
    Note(usize),
    /// The beginning of the text.
    Start,
    /// The end of the text.
    End,
    /// The border of a word.
    Border,
    /// Nothing more.
    Done,
}

/// A set of characters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Characters {
    /// A bit for each of ASCII.
    ascii: u128,
    /// The others, as first and last.
    ranges: Box<[(char, char)]>,
}

impl Characters {
    pub(super) fn has(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii >> u32::from(c) & 1 == 1;
        }
        let at = self.ranges.partition_point(|(_, last)| *last < c);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= c)
    }
}

/// The steps of a pattern, each with the one that follows.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) steps: Vec<(Step, usize)>,
    pub(super) classes: Vec<Characters>,
    /// The names of its groups, with their numbers, in the order of these.
    pub(super) names: Vec<(Box<str>, usize)>,
    /// What each step can begin with.
    first: Vec<First>,
    /// Where it begins, and what a match can begin with.
    pub(super) entry: usize,
    pub(super) begins: First,
    /// It fits at the beginning of the text alone.
    pub(super) only_start: bool,
    /// How many places it notes.
    pub(super) notes: usize,
}

impl Program {
    /// # Errors
    /// In words, where the pattern is none, or has what none of ours needs.
    pub(super) fn of(pattern: &str) -> Result<Program, String> {
        let hir = regex_syntax::parse(pattern).map_err(|error| error.to_string())?;
        let mut program = Program { notes: 2, ..Program::default() };
        let done = program.push(Step::Done, 0);
        program.entry = program.add(&hir, done)?;
        program.begins = program.first_of(program.entry);
        program.names.sort_unstable_by_key(|(_, number)| *number);
        program.only_start = hir.properties().look_set_prefix().contains(Look::Start);
        Ok(program)
    }

    fn first_of(&self, step: usize) -> First {
        self.first.get(step).copied().unwrap_or(First::ANYTHING)
    }

    fn push(&mut self, step: Step, next: usize) -> usize {
        let first = match &step {
            Step::Text(text) => text.chars().next().map_or(First::ANYTHING, First::of),
            Step::OneOf(class) => self.classes.get(*class).map_or(First::ANYTHING, |class| First {
                ascii: class.ascii,
                other: !class.ranges.is_empty(),
                end: false,
            }),
            Step::Either(ways) => ways.iter().fold(First::default(), |all, (first, _)| all.or(*first)),
            Step::Note(_) | Step::Start | Step::End | Step::Border => self.first_of(next),
            Step::Done => First::ANYTHING,
        };
        self.steps.push((step, next));
        self.first.push(first);
        self.steps.len() - 1
    }

    fn either(&mut self, ways: impl IntoIterator<Item = usize>) -> usize {
        let ways = ways.into_iter().map(|way| (self.first_of(way), way)).collect();
        self.push(Step::Either(ways), 0)
    }

    /// Adds the steps of a part of the pattern in front of `next`, and gives the first of them.
    fn add(&mut self, hir: &Hir, next: usize) -> Result<usize, String> {
        Ok(match hir.kind() {
            HirKind::Empty => next,
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|error| error.to_string())?;
                self.push(Step::Text(text.into()), next)
            }
            HirKind::Class(class) => {
                let class = self.class(class)?;
                self.push(Step::OneOf(class), next)
            }
            HirKind::Look(Look::Start) => self.push(Step::Start, next),
            HirKind::Look(Look::End) => self.push(Step::End, next),
            HirKind::Look(Look::WordUnicode) => self.push(Step::Border, next),
            HirKind::Look(other) => return Err(format!("{other:?} is not known here")),
            HirKind::Capture(group) => {
                let number = usize::try_from(group.index).map_err(|error| error.to_string())?;
                self.names.extend(group.name.iter().map(|name| (name.clone(), number)));
                self.notes = self.notes.max(2 * number + 2);
                let end = self.push(Step::Note(2 * number + 1), next);
                let inner = self.add(&group.sub, end)?;
                self.push(Step::Note(2 * number), inner)
            }
            HirKind::Concat(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.add(part, next)?;
                }
                next
            }
            HirKind::Alternation(parts) => {
                let ways = parts.iter().map(|part| self.add(part, next)).collect::<Result<Vec<_>, _>>()?;
                self.either(ways)
            }
            HirKind::Repetition(repeated) => self.repeat(repeated, next)?,
        })
    }

    fn repeat(&mut self, repeated: &Repetition, next: usize) -> Result<usize, String> {
        let Repetition { min, max, greedy, sub } = repeated;
        let order = |once: usize, out: usize| if *greedy { [once, out] } else { [out, once] };
        let mut first = match max {
            Some(max) => {
                let mut first = next;
                for _ in *min..*max {
                    let once = self.add(sub, first)?;
                    first = self.either(order(once, next));
                }
                first
            }
            None if sub.properties().minimum_len().is_none_or(|least| least == 0) => {
                return Err("what can be empty is repeated".to_owned());
            }
            None => {
                let turn = self.push(Step::Either(Box::default()), 0);
                if let Some(first) = self.first.get_mut(turn) {
                    *first = First::ANYTHING;
                }
                let once = self.add(sub, turn)?;
                let ways: Box<[_]> = order(once, next).iter().map(|way| (self.first_of(*way), *way)).collect();
                if let (Some(first), Some((step, _))) = (self.first.get_mut(turn), self.steps.get_mut(turn)) {
                    *first = ways.iter().fold(First::default(), |all, (first, _)| all.or(*first));
                    *step = Step::Either(ways);
                }
                turn
            }
        };
        for _ in 0..*min {
            first = self.add(sub, first)?;
        }
        Ok(first)
    }

    fn class(&mut self, class: &Class) -> Result<usize, String> {
        let Class::Unicode(class) = class else { return Err("bytes are no characters".to_owned()) };
        let mut made = Characters { ascii: 0, ranges: Box::default() };
        let mut ranges = Vec::new();
        for range in class.ranges() {
            for c in (range.start()..=range.end()).take_while(char::is_ascii) {
                made.ascii |= 1 << u32::from(c);
            }
            if !range.end().is_ascii() {
                ranges.push((range.start().max('\u{80}'), range.end()));
            }
        }
        made.ranges = ranges.into();
        Ok(self.classes.iter().position(|known| *known == made).unwrap_or_else(|| {
            self.classes.push(made);
            self.classes.len() - 1
        }))
    }
}
