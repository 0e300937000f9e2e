//! Two texts line by line: what stands in one and not in the other, as a unified diff without context.
//!
//! Made for dumps, in which nearly every line stands once: lines that do are matched first, the rest by its place. Linear but
//! for the sorting of the matches. What will surprise you: between lines that stand several times it may not be the shortest.

use std::collections::HashMap;

/// The diff from `before` to `after`; empty where they are the same.
pub fn unified(before: &str, after: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut text = String::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in matches(&a, &b).into_iter().chain([(a.len(), b.len())]) {
        // equal lines at both ends of the gap are no difference
        while i < next_i && j < next_j && a.get(i) == b.get(j) {
            (i, j) = (i + 1, j + 1);
        }
        let (mut end_i, mut end_j) = (next_i, next_j);
        while end_i > i && end_j > j && a.get(end_i - 1) == b.get(end_j - 1) {
            (end_i, end_j) = (end_i - 1, end_j - 1);
        }
        let (gone, new) = (a.get(i..end_i).unwrap_or_default(), b.get(j..end_j).unwrap_or_default());
        if !gone.is_empty() || !new.is_empty() {
            text.push_str(&format!("@@ -{} +{} @@\n", range(i, gone.len()), range(j, new.len())));
            text.extend(gone.iter().map(|line| format!("-{line}\n")));
            text.extend(new.iter().map(|line| format!("+{line}\n")));
        }
        (i, j) = (next_i, next_j);
    }
    text
}

/// A hunk's place; an empty one is named by the line before it.
fn range(start: usize, length: usize) -> String {
    match length {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        _ => format!("{},{length}", start + 1),
    }
}

/// The longest row of lines that stand once in each text, in the same order in both.
fn matches(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let once = |lines: &[&str]| {
        let mut places: HashMap<String, Option<usize>> = HashMap::with_capacity(lines.len());
        for (place, line) in lines.iter().enumerate() {
            places.entry((*line).to_owned()).and_modify(|known| *known = None).or_insert(Some(place));
        }
        places
    };
    let (in_a, in_b) = (once(a), once(b));
    let unique = |line: &&str| in_a.get(*line)?.zip(*in_b.get(*line)?);
    let pairs: Vec<(usize, usize)> = a.iter().filter_map(unique).collect();
    // patience: the smallest last place of a row of each length, with who stands before it
    let mut rows: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let place = |pair: usize| pairs.get(pair).map_or(0, |(_, j)| *j);
    for (pair, (_, j)) in pairs.iter().enumerate() {
        let length = rows.partition_point(|last| place(*last) < *j);
        before.push(length.checked_sub(1).and_then(|shorter| rows.get(shorter)).copied());
        rows.truncate(rows.len().max(length));
        match rows.get_mut(length) {
            Some(last) => *last = pair,
            None => rows.push(pair),
        }
    }
    let last = rows.last().copied();
    let mut row: Vec<(usize, usize)> = std::iter::successors(last, |pair| before.get(*pair).copied().flatten())
        .filter_map(|pair| pairs.get(pair).copied())
        .collect();
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What `patch` does.
    fn patched(before: &str, diff: &str) -> String {
        let lines: Vec<&str> = before.lines().collect();
        let (mut out, mut at): (Vec<&str>, usize) = (Vec::new(), 0);
        for line in diff.lines() {
            if let Some(place) = line.strip_prefix("@@ -") {
                let place = place.split(' ').next().unwrap();
                let (start, length) = place.split_once(',').unwrap_or((place, "1"));
                let start: usize = start.parse::<usize>().unwrap() - usize::from(length != "0");
                out.extend(&lines[at..start]);
                at = start;
            } else if let Some(new) = line.strip_prefix('+') {
                out.push(new);
            } else {
                assert_eq!(line.strip_prefix('-'), lines.get(at).copied());
                at += 1;
            }
        }
        out.extend(&lines[at..]);
        out.iter().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn one_changed_row_is_the_whole_difference() {
        assert_eq!(unified("a\nb\nc\n", "a\nB\nc\n"), "@@ -2 +2 @@\n-b\n+B\n");
        assert_eq!(unified("a\nb\nc\n", "a\nc\n"), "@@ -2 +1,0 @@\n-b\n");
        assert_eq!(unified("a\nc\n", "a\nb\nb\nc\n"), "@@ -1,0 +2,2 @@\n+b\n+b\n");
        assert_eq!(unified("a\na\nb\na\n", "a\na\nb\na\n"), "");
    }

    proptest! {
        #[test]
        fn the_diff_makes_the_second_text_of_the_first(before in "([a-e]\n){0,12}", after in "([a-e]\n){0,12}") {
            let diff = unified(&before, &after);
            prop_assert_eq!(patched(&before, &diff), after.clone());
            prop_assert_eq!(diff.is_empty(), before == after);
        }
    }
}
