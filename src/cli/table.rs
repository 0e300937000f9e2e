//! Tables of plain text: columns as wide as their widest cell, two blanks apart, no colour.
//!
//! All cells of a table lie in one text, row by row, so that a list of thousands costs few allocations. What goes in is ASCII or one
//! column a character; names are clipped to that before.

/// Rows of `N` cells, written one after the other from the left to the right.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows<const N: usize> {
    text: String,
    /// Where each cell ends; the next begins there.
    ends: Vec<usize>,
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a, const N: usize> {
    text: &'a str,
    start: usize,
    ends: &'a [usize],
}

impl<const N: usize> Rows<N> {
    /// No row.
    pub(super) fn new() -> Rows<N> {
        Rows::default()
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
        self.text.push(u8::try_from(number % 10).map_or('0', |digit| char::from(b'0' + digit)));
    }

    /// More of the cell that is being written.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The cell that is being written, for what writes itself.
    pub(super) fn cell_text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Ends the cell that is being written and begins the next, behind the last one of a row that of a new row.
    pub(super) fn end_cell(&mut self) {
        self.ends.push(self.text.len());
    }

    /// The next cell.
    pub(super) fn cell(&mut self, text: &str) {
        self.push(text);
        self.end_cell();
    }

    /// The next row.
    pub(super) fn row(&mut self, cells: [&str; N]) {
        cells.into_iter().for_each(|cell| self.cell(cell));
    }

    /// The row of an index, if all its cells are written.
    pub(super) fn get(&self, index: usize) -> Option<Row<'_, N>> {
        let first = index * N;
        let start = first.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        Some(Row { text: &self.text, start, ends: self.ends.get(first..first + N)? })
    }

    /// The rows of which all cells are written.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_, N>> {
        (0..self.ends.len() / N).filter_map(|index| self.get(index))
    }
}

impl<'a, const N: usize> Row<'a, N> {
    /// Its cells.
    pub(super) fn cells(self) -> impl Iterator<Item = &'a str> {
        let mut start = self.start;
        self.ends.iter().map(move |end| self.text.get(std::mem::replace(&mut start, *end)..*end).unwrap_or_default())
    }

    /// How many columns each of them takes. Most rows are ASCII, and their letters need not be counted.
    fn columns(self) -> impl Iterator<Item = usize> {
        let (mut start, end) = (self.start, self.ends.last().map_or(self.start, |end| *end));
        let is_ascii = self.text.get(self.start..end).is_some_and(str::is_ascii);
        self.ends.iter().map(move |end| {
            let cell = std::mem::replace(&mut start, *end)..*end;
            if is_ascii { cell.len() } else { self.text.get(cell).unwrap_or_default().chars().count() }
        })
    }
}

/// Writes rows with their cells side by side, each line ended and without blanks at its end; the columns of `right` stand to the right.
pub(super) fn align<const N: usize>(text: &mut String, rows: &[Row<'_, N>], right: &[usize]) {
    let mut widths = [0; N];
    for row in rows {
        widths.iter_mut().zip(row.columns()).for_each(|(widest, columns)| *widest = columns.max(*widest));
    }
    let right: [bool; N] = std::array::from_fn(|column| right.contains(&column));
    text.reserve((widths.iter().sum::<usize>() + 2 * N) * rows.len());
    for row in rows {
        let start = text.len();
        // blanks wait for a cell that is not empty: most of a line's end is never written
        let mut blanks = 1;
        for (((width, right), cell), columns) in widths.into_iter().zip(right).zip(row.cells()).zip(row.columns()) {
            let pad = width - columns;
            blanks += if right { pad } else { 0 };
            if !cell.is_empty() {
                blank(text, blanks);
                text.push_str(cell);
                blanks = 0;
            }
            blanks += 2 + if right { 0 } else { pad };
        }
        let blanks = text.get(start..).map_or(0, |row| row.len() - row.trim_end().len());
        text.truncate(text.len() - blanks);
        text.push('\n');
    }
}

/// One row a line, the cells between tabs.
pub(super) fn plain<'a, const N: usize>(rows: impl Iterator<Item = Row<'a, N>>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Rows<3> {
        let mut rows = Rows::new();
        [["", "GAME", "LEFT"], [">", "EM/1", "9 d"], ["", "Ä", "110 d"]].into_iter().for_each(|row| rows.row(row));
        rows
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut text = "Games:\n".to_owned();
        align(&mut text, &sample().iter().collect::<Vec<_>>(), &[2]);
        assert_eq!(text, "Games:\n    GAME   LEFT\n >  EM/1    9 d\n    Ä     110 d\n");
    }

    #[test]
    fn thousands_of_rows_are_as_wide_as_the_widest_of_all_and_stay_in_their_order() {
        let mut rows = Rows::<2>::new();
        (0..5000).for_each(|row| rows.row([&row.to_string(), "-"]));
        let mut text = String::new();
        align(&mut text, &rows.iter().collect::<Vec<_>>(), &[0]);
        let expected = (0..5000).map(|row| format!(" {row:>4}  -\n")).collect::<String>();
        assert_eq!(text, expected);
    }

    #[test]
    fn a_number_is_written_as_everywhere() {
        for number in [0, 7, 10, 105, -1, -99, i64::MAX, i64::MIN] {
            let mut rows = Rows::<1>::new();
            rows.number(number);
            rows.end_cell();
            assert_eq!(plain(rows.iter()), format!("{number}\n"));
        }
    }

    #[test]
    fn plain_rows_have_tabs() {
        assert_eq!(plain(sample().iter()), "\tGAME\tLEFT\n>\tEM/1\t9 d\n\tÄ\t110 d\n");
    }

    #[test]
    fn a_row_that_is_not_complete_is_none() {
        let mut rows = sample();
        rows.cell("EM-1");
        assert_eq!(rows.iter().count(), 3);
    }
}
