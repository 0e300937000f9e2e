//! Tables on a narrow screen: what matters least goes first, and no line is longer than the screen. Other lines are folded.
//!
//! A screen is the terminal, or what `COLUMNS` says; a pipe or a file has no width. No row is ever left out.

use terminal_size::terminal_size_of;

use super::table::{Row, align, plain};

mod fold;

pub(super) use fold::folded;

/// Less than this no column is cut to.
const LEAST: usize = 8;

/// What a table may lose.
pub(super) struct Narrow<'a> {
    /// The columns that stand to the right.
    pub(super) right: &'a [usize],
    /// The columns that may go, the first of them first.
    pub(super) may_go: &'a [usize],
    /// The column that is cut where the others alone are too wide.
    pub(super) cut: usize,
}

/// The columns of the screen, if there is one.
pub(super) fn screen() -> Option<usize> {
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let of_terminal = || terminal_size_of(std::io::stdout()).map(|(columns, _)| usize::from(columns.0));
    stated.filter(|columns| *columns > 0).or_else(of_terminal)
}

/// Whether a line of the text is wider than the screen.
pub(super) fn is_too_wide(text: &str) -> bool {
    screen().is_some_and(|width| text.lines().any(|line| line.chars().count() > width))
}

/// Writes the rows of a table after what stands in a text, fitted to the screen where that is too narrow for it.
pub(super) fn on_screen<const N: usize>(text: &mut String, rows: &[Row<'_, N>], narrow: &Narrow<'_>) {
    let begin = text.len();
    align(text, rows, narrow.right);
    let written = text.get(begin..).unwrap_or_default();
    if let Some(width) = screen().filter(|width| written.lines().any(|line| line.chars().count() > *width)) {
        text.truncate(begin);
        text.push_str(&fitted(&plain(rows.iter().copied()), width, narrow));
    }
}

/// The rows of a table, with tabs between their cells, side by side as [`align`] writes them, in so many columns.
fn fitted(rows: &str, width: usize, narrow: &Narrow<'_>) -> String {
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let mut shown: Vec<(usize, usize)> = (0..columns).map(|column| (column, widest(column))).collect();
    // a blank before the first, two before each of the others
    let taken = |shown: &[(usize, usize)]| shown.iter().map(|(_, width)| width + 2).sum::<usize>().saturating_sub(1);
    for column in narrow.may_go {
        if taken(&shown) <= width {
            break;
        }
        shown.retain(|(other, _)| other != column);
    }
    let over = taken(&shown).saturating_sub(width);
    if let Some((_, size)) = shown.iter_mut().find(|(column, _)| *column == narrow.cut) {
        *size = size.saturating_sub(over).max(LEAST.min(*size));
    }
    let mut text = String::new();
    for row in &rows {
        let cells = shown.iter().map(|(column, size)| {
            let cell = cut(row.get(*column).copied().unwrap_or_default(), *size);
            if narrow.right.contains(column) { format!("{cell:>size$}") } else { format!("{cell:<size$}") }
        });
        let line = format!(" {}", cells.collect::<Vec<_>>().join("  "));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The cell in so many columns; what is cut ends in two dots.
fn cut(cell: &str, size: usize) -> String {
    if cell.chars().count() <= size {
        return cell.to_owned();
    }
    let kept: String = cell.chars().take(size.saturating_sub(2)).collect();
    format!("{}..", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "  \tGAME\tOPPONENT\tLEFT\tNEXT EVENT\n!!\tEM-1\tOstrander, Mila\t2 d\tSat 02 Oct  time control 10\n\tEM-22\tPetrov\t-3 d\t-\n";
    const NARROW: Narrow<'_> = Narrow { right: &[3], may_go: &[2], cut: 4 };

    #[test]
    fn a_wide_screen_shows_everything_and_a_narrow_one_what_matters() {
        let wide = fitted(ROWS, 100, &NARROW);
        assert!(
            wide.starts_with("     GAME   OPPONENT         LEFT  NEXT EVENT\n !!  EM-1   Ostrander, Mila   2 d  Sat"),
            "{wide}"
        );
        let narrow = fitted(ROWS, 50, &NARROW);
        assert_eq!(
            narrow,
            "     GAME   LEFT  NEXT EVENT\n !!  EM-1    2 d  Sat 02 Oct  time control 10\n     EM-22  -3 d  -\n"
        );
        assert_eq!(fitted(ROWS, 30, &NARROW).lines().nth(1), Some(" !!  EM-1    2 d  Sat 02 Oct.."));
    }

    #[test]
    fn no_row_is_lost_and_none_is_too_long() {
        for width in 27..200 {
            let text = fitted(ROWS, width, &NARROW);
            assert_eq!(text.lines().count(), 3, "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        }
    }
}
