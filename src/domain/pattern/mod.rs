//! Regular expressions that cost next to nothing to make: a process that reads one mail makes dozens of them.
//!
//! They mean what they mean to the `regex` crate, whose parser reads them: the leftmost match, and of those at one place the first
//! in the order of the alternatives. They are tried character by character, going back where a way leads nowhere, and no way is taken twice
//! in a long search, so that the time stays in proportion to text and pattern. Not covered: flags for lines and bytes, and repeating
//! what can be empty; a pattern that needs them is refused when it is made.

mod first;
mod program;
mod search;

use std::borrow::Cow;
use std::ops::Range;

use program::Program;
use search::Search;

/// A pattern, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Pattern(Program);

/// A part of a text that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Found<'t> {
    pub(crate) fn as_str(&self) -> &'t str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    pub(crate) fn start(&self) -> usize {
        self.start
    }

    pub(crate) fn end(&self) -> usize {
        self.end
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// A match with its groups.
#[derive(Debug)]
pub(crate) struct Captures<'p, 't> {
    pattern: &'p Program,
    text: &'t str,
    notes: Vec<Option<usize>>,
}

impl<'p, 't> Captures<'p, 't> {
    /// The whole of it.
    pub(crate) fn whole(&self) -> Found<'t> {
        self.get(0).unwrap_or(Found { text: self.text, start: 0, end: 0 })
    }

    /// The group of this number, if it took part.
    pub(crate) fn get(&self, number: usize) -> Option<Found<'t>> {
        let note = |at: usize| self.notes.get(at).copied().flatten();
        Some(Found { text: self.text, start: note(2 * number)?, end: note(2 * number + 1)? })
    }

    /// The group of this name, if it took part.
    pub(crate) fn name(&self, name: &str) -> Option<Found<'t>> {
        let (_, number) = self.pattern.names.iter().find(|(known, _)| **known == *name)?;
        self.get(*number)
    }

    /// What stands in the first groups, in their order.
    pub(crate) fn groups<const COUNT: usize>(&self) -> [&'t str; COUNT] {
        std::array::from_fn(|at| self.get(at + 1).map_or("", |found| found.as_str()))
    }

    /// The name of the first group that took part: which of the alternatives it is.
    pub(crate) fn kind(&self) -> &'p str {
        let took_part = |(_, number): &&(Box<str>, usize)| self.get(*number).is_some();
        self.pattern.names.iter().find(took_part).map_or("", |(name, _)| name)
    }

    /// What stands in the group of this name.
    pub(crate) fn text(&self, name: &str) -> &'t str {
        self.name(name).map_or("", |found| found.as_str())
    }
}

impl Pattern {
    /// Makes it; a pattern of the program's own is a valid one.
    #[allow(clippy::expect_used, reason = "literals; failing loudly beats reading nothing")]
    pub(crate) fn new(pattern: &str) -> Pattern {
        Pattern(Program::of(pattern).expect("the program's own patterns are valid"))
    }

    /// Whether it stands somewhere.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// Where it stands first.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Found<'t>> {
        Some(self.captures(text)?.whole())
    }

    /// Where it stands first, with its groups.
    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'_, 't>> {
        self.captures_at(text, 0)
    }

    /// The same from a place on; what stands ahead of it counts for borders.
    pub(crate) fn captures_at<'t>(&self, text: &'t str, from: usize) -> Option<Captures<'_, 't>> {
        let mut search = Search::new(&self.0, text);
        search.run(from).then_some(Captures { pattern: &self.0, text, notes: search.notes })
    }

    /// Everywhere it stands, each behind the one before.
    pub(crate) fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Found<'t>> {
        self.captures_iter(text).map(|found| found.whole())
    }

    /// The same with their groups.
    pub(crate) fn captures_iter<'p, 't>(&'p self, text: &'t str) -> impl Iterator<Item = Captures<'p, 't>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.captures_at(text, from)?;
            let whole = found.whole();
            let step = text.get(whole.end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            from = if whole.is_empty() { whole.end + step } else { whole.end };
            Some(found)
        })
    }

    /// The text with something else wherever it stands.
    pub(crate) fn replace_all<'t>(&self, text: &'t str, other: impl Fn(&Captures<'_, 't>) -> String) -> Cow<'t, str> {
        let mut out = String::new();
        let mut done = 0;
        for found in self.captures_iter(text) {
            let whole = found.whole();
            out.push_str(text.get(done..whole.start).unwrap_or_default());
            out.push_str(&other(&found));
            done = whole.end;
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the parts of our patterns are made of, and texts of the characters that they care about.
    const PATTERNS: &[&str] = &[
        r"\b(?<a>\d{1,2})\. ?(?<b>\d{1,2})\. ?(?<c>(?:19|20)\d{2})\b|\b(?<d>\d{1,2})\.(?<e>\d{1,2})\b\.?",
        r"(?<label>\p{L}(?:[\p{L}'/-]| \p{L})*)[ .:=?]*(?:\[ *(?<a>[xX✓]?) *\]|\((?: +|(?<b>[xX✓]))\))",
        r"(?i)\b(?:stra(?:ß|ss)e|[åk]1)\b|(?<word>\p{L}[\p{L}\p{M}']*)",
        r"^\s*(?<sign>[x.]{1,3}?)(?<rest>.*)\]\s*$",
        r"(?:^|[^\d.])(?<score>1 ?[-:] ?0|0[.,]5)(?:[^\d]|$)|(?:[x.]+ )+\(",
        r"(?:1{1,2}|(?:x|1x){2,}?)(?:x{0,3}1)?\b",
    ];

    fn texts() -> impl Iterator<Item = String> {
        let signs: Vec<char> = "0112..  xXaKß'-:=([)]✓éé\u{301}к月\u{212a}\u{200d}½_²".chars().collect();
        let mut seed = 7_u64;
        let mut next = move |among: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % among
        };
        (0..4_000).map(move |length| (0..length % 40).map(|_| signs[next(signs.len())]).collect())
    }

    #[test]
    fn a_pattern_means_what_it_means_to_the_regex_crate() {
        for written in PATTERNS {
            let (ours, theirs) = (Pattern::new(written), regex::Regex::new(written).unwrap());
            let count = theirs.captures_len();
            for text in texts() {
                let found: Vec<Vec<_>> = ours
                    .captures_iter(&text)
                    .map(|found| (0..count).map(|at| found.get(at).map(|part| part.range())).collect())
                    .collect();
                let expected: Vec<Vec<_>> = theirs
                    .captures_iter(&text)
                    .map(|found| (0..count).map(|at| found.get(at).map(|part| part.range())).collect())
                    .collect();
                assert_eq!(found, expected, "{written} in {text:?}");
            }
        }
    }

    #[test]
    fn no_text_takes_long() {
        let pattern = Pattern::new(r"(?:x+ ?)+[.x ]*[x.]*(?:\(|\[)");
        let start = std::time::Instant::now();
        assert!(!pattern.is_match(&"x".repeat(20_000)));
        assert!(start.elapsed().as_secs() < 5);
    }

    #[test]
    fn what_is_not_covered_is_refused() {
        for written in ["(?:a*)*", r"(?m)^a", "(?-u)\\xff", "("] {
            assert!(Program::of(written).is_err(), "{written}");
        }
    }

    #[test]
    fn what_stands_there_is_replaced_and_told_by_its_name() {
        let pattern = Pattern::new(r"(?<number>\d+)(?<unit>[dt])\b|(?<sign>!)");
        assert_eq!(
            pattern.replace_all("2d 18t x", |found| format!("{} {}", found.text("number"), found.text("unit"))),
            "2 d 18 t x"
        );
        assert_eq!(pattern.replace_all("none", |_| String::new()), "none");
        let kinds: Vec<&str> = pattern.captures_iter("2d!").map(|found| found.kind()).collect();
        assert_eq!(kinds, ["number", "sign"]);
        assert_eq!(pattern.captures_at("2d!", 1).map(|found| found.whole().range()), Some(2..3));
    }
}
