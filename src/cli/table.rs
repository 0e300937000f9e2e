//! Tables of plain text: columns as wide as their widest cell, two blanks apart, no colour.
//!
//! The cells of a row lie in one text, so that a list of thousands costs one allocation a line. What goes in is ASCII or one column a
//! character; names are clipped to that before.

/// A row of `N` cells, written from the left to the right.
#[derive(Debug, Clone)]
pub(super) struct Row<const N: usize> {
    text: String,
    /// Where each cell ends.
    ends: [usize; N],
    /// How many are ended.
    cells: usize,
}

impl<const N: usize> Row<N> {
    /// A row without a cell.
    pub(super) fn new() -> Row<N> {
        Row { text: String::with_capacity(12 * N), ends: [0; N], cells: 0 }
    }

    /// A row of these.
    pub(super) fn of(cells: [&str; N]) -> Row<N> {
        let mut row = Row::new();
        cells.into_iter().for_each(|cell| row.cell(cell));
        row
    }

    /// More of the cell that is being written: a number.
    pub(super) fn number(&mut self, number: i64) {
        if number < 0 {
            self.push("-");
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, number: u64) {
        if number > 9 {
            self.digits(number / 10);
        }
        self.text.extend(u32::try_from(number % 10).ok().and_then(|digit| char::from_digit(digit, 10)));
    }

    /// More of the cell that is being written.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Ends the cell that is being written and begins the next.
    pub(super) fn end_cell(&mut self) {
        self.ends.iter_mut().skip(self.cells).for_each(|end| *end = self.text.len());
        self.cells += 1;
    }

    /// The next cell.
    pub(super) fn cell(&mut self, text: &str) {
        self.push(text);
        self.end_cell();
    }

    /// The cells in the order in which they were written; what was not written is empty.
    pub(super) fn cells(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends);
        starts.zip(self.ends).map(|(start, end)| self.text.get(start..end).unwrap_or_default())
    }
}

/// Writes rows with their cells side by side, each line ended and without blanks at its end; the columns of `right` stand to the right.
pub(super) fn align<'a, const N: usize>(
    text: &mut String,
    rows: impl Iterator<Item = &'a Row<N>> + Clone,
    right: &[usize],
) {
    let mut widths = [0; N];
    let mut lines = 0;
    for row in rows.clone() {
        lines += 1;
        for (width, cell) in widths.iter_mut().zip(row.cells()) {
            *width = columns(cell).max(*width);
        }
    }
    let right: [bool; N] = std::array::from_fn(|column| right.contains(&column));
    text.reserve((widths.iter().sum::<usize>() + 2 * N) * lines);
    for row in rows {
        let begin = text.len();
        // blanks wait for a cell that is not empty: most of a line's end is never written
        let mut blanks = 1;
        for ((width, right), cell) in widths.into_iter().zip(right).zip(row.cells()) {
            let pad = width - columns(cell);
            blanks += if right { pad } else { 0 };
            if !cell.is_empty() {
                blank(text, blanks);
                text.push_str(cell);
                blanks = 0;
            }
            blanks += 2 + if right { 0 } else { pad };
        }
        let blanks = text.get(begin..).map_or(0, |row| row.len() - row.trim_end().len());
        text.truncate(text.len() - blanks);
        text.push('\n');
    }
}

/// One row a line, the cells between tabs.
pub(super) fn plain<'a, const N: usize>(rows: impl Iterator<Item = &'a Row<N>>) -> String {
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.cells().enumerate() {
            text.push_str(cell);
            text.push(if column + 1 == N { '\n' } else { '\t' });
        }
    }
    text
}

/// Blanks by the dozen: one by one they would be most of the time of a long table.
fn blank(text: &mut String, count: usize) {
    const BLANKS: &str = "                                ";
    let mut left = count;
    while left > 0 {
        let some = BLANKS.get(..left).unwrap_or(BLANKS);
        text.push_str(some);
        left -= some.len();
    }
}

/// The columns that a cell takes.
fn columns(cell: &str) -> usize {
    if cell.is_ascii() { cell.len() } else { cell.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> [Row<3>; 3] {
        [["", "GAME", "LEFT"], [">", "EM/1", "9 d"], ["", "Ä", "110 d"]].map(Row::of)
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut text = "Games:\n".to_owned();
        align(&mut text, sample().iter(), &[2]);
        assert_eq!(text, "Games:\n    GAME   LEFT\n >  EM/1    9 d\n    Ä     110 d\n");
    }

    #[test]
    fn a_number_is_written_as_everywhere() {
        for number in [0, 7, 10, 105, -1, -99, i64::MAX, i64::MIN] {
            let mut row = Row::<1>::new();
            row.number(number);
            row.end_cell();
            assert_eq!(row.cells().collect::<Vec<_>>(), [number.to_string()]);
        }
    }

    #[test]
    fn plain_rows_have_tabs() {
        assert_eq!(plain(sample().iter()), "\tGAME\tLEFT\n>\tEM/1\t9 d\n\tÄ\t110 d\n");
    }

    #[test]
    fn what_was_not_written_of_a_row_is_empty() {
        let mut row = Row::<3>::new();
        row.cell("EM-1");
        assert_eq!(row.cells().collect::<Vec<_>>(), ["EM-1", "", ""]);
    }
}
