//! Tables of plain text: columns as wide as their widest cell, two blanks apart, no colour.
//!
//! All cells lie in one text, so that a list of thousands costs no allocation for each of them. What goes in is ASCII or one column
//! a character; names are clipped to that before.

/// Rows of `N` cells.
pub(super) struct Table<const N: usize> {
    text: String,
    /// Where each cell ends.
    ends: Vec<usize>,
    right: [bool; N],
}

impl<const N: usize> Table<N> {
    /// An empty table; the columns of `right` stand to the right.
    pub(super) fn new(right: &[usize]) -> Table<N> {
        Table { text: String::new(), ends: Vec::new(), right: std::array::from_fn(|column| right.contains(&column)) }
    }

    /// Makes room for so many rows of cells of some ten characters.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.text.reserve(rows * N * 10);
        self.ends.reserve(rows * N);
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
        self.ends.push(self.text.len());
    }

    /// The next cell.
    pub(super) fn cell(&mut self, text: &str) {
        self.text.push_str(text);
        self.end_cell();
    }

    /// The cells in the order in which they were written.
    fn cells(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.text.get(start..*end).unwrap_or_default())
    }

    /// The rows with their cells side by side, each line ended and without blanks at its end.
    pub(super) fn aligned(&self) -> String {
        let mut text = String::new();
        self.align(&mut text);
        text
    }

    /// The same, written behind what stands in a text.
    pub(super) fn align(&self, text: &mut String) {
        let mut widths = [0; N];
        for (cell, column) in self.cells().zip((0..N).cycle()) {
            if let Some(width) = widths.get_mut(column) {
                *width = columns(cell).max(*width);
            }
        }
        text.reserve((widths.iter().sum::<usize>() + 2 * N) * (self.ends.len() / N));
        let mut cells = self.cells();
        for _ in self.ends.chunks(N) {
            let row = text.len();
            // blanks wait for a cell that is not empty: most of a line's end is never written
            let mut blanks = 1;
            for ((width, right), cell) in widths.into_iter().zip(self.right).zip(cells.by_ref()) {
                let pad = width - columns(cell);
                blanks += if right { pad } else { 0 };
                if !cell.is_empty() {
                    blank(text, blanks);
                    text.push_str(cell);
                    blanks = 0;
                }
                blanks += 2 + if right { 0 } else { pad };
            }
            let blanks = text.get(row..).map_or(0, |row| row.len() - row.trim_end().len());
            text.truncate(text.len() - blanks);
            text.push('\n');
        }
    }

    /// One row a line, the cells between tabs.
    pub(super) fn plain(&self) -> String {
        let mut text = String::with_capacity(self.text.len() + self.ends.len());
        for (cell, column) in self.cells().zip((0..N).cycle()) {
            text.push_str(cell);
            text.push(if column + 1 == N { '\n' } else { '\t' });
        }
        text
    }
}

impl<const N: usize> std::fmt::Write for Table<N> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
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

    fn sample() -> Table<3> {
        let mut table = Table::new(&[2]);
        for cell in ["", "GAME", "LEFT", ">", "EM/1", "9 d", "", "Ä", "110 d"] {
            table.cell(cell);
        }
        table
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        assert_eq!(sample().aligned(), "    GAME   LEFT\n >  EM/1    9 d\n    Ä     110 d\n");
    }

    #[test]
    fn a_number_is_written_as_everywhere() {
        for number in [0, 7, 10, 105, -1, -99, i64::MAX, i64::MIN] {
            let mut table = Table::<1>::new(&[]);
            table.number(number);
            table.end_cell();
            assert_eq!(table.plain(), format!("{number}\n"));
        }
    }

    #[test]
    fn plain_rows_have_tabs() {
        assert_eq!(sample().plain(), "\tGAME\tLEFT\n>\tEM/1\t9 d\n\tÄ\t110 d\n");
    }
}
