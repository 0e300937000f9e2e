//! Two dumps line by line: what stands in one and not in the other, as a unified diff without context.

use std::time::Duration;

use similar::{Algorithm, TextDiff};

/// How long the shortest difference is looked for; after it a longer one is told.
const PATIENCE: Duration = Duration::from_secs(30);

/// The diff from `before` to `after`; empty where they are the same. Nearly every line of a dump stands once: such lines are matched first.
pub fn unified(before: &str, after: &str) -> String {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(PATIENCE).diff_lines(before, after);
    diff.unified_diff().context_radius(0).to_string()
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
