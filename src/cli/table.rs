//! Tables of plain text: columns as wide as their widest cell, two blanks apart, no colour.
//!
//! All cells of a table lie in one text, row by row, so that a list of thousands costs few allocations. What goes in is ASCII or one
//! column a character; names are clipped to that before.

/// Rows of `N` cells, written one after the other from the left to the right.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows<const N: usize> {
    text: String,
    cells: Vec<Cell>,
}

/// Where a cell ends, the next beginning there, and how many columns it takes.
#[derive(Debug, Clone, Copy)]
struct Cell {
    end: u32,
    columns: u32,
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a, const N: usize> {
    text: &'a str,
    start: usize,
    cells: &'a [Cell],
}

impl<const N: usize> Rows<N> {
    /// No row.
    pub(super) fn new() -> Rows<N> {
        Rows::default()
    }

    /// More of the cell that is being written: a number.
    pub(super) fn number(&mut self, number: i64) {
        self.push(itoa::Buffer::new().format(number));
    }

    /// More of the cell that is being written.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The cell that is being written, for what writes itself.
    pub(super) fn cell_text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Ends the cell that is being written and begins the next, after the last one of a row that of a new row.
    pub(super) fn end_cell(&mut self) {
        let start = self.cells.last().map_or(0, |before| before.end);
        let end = short(self.text.len());
        self.cells.push(Cell { end, columns: end - start });
        if self.cells.len().is_multiple_of(N) {
            self.end_row();
        }
    }

    /// Most rows are ASCII, a column for each byte, and their letters need not be counted.
    fn end_row(&mut self) {
        let first = self.cells.len() - N;
        let (before, cells) = self.cells.split_at_mut(first);
        let mut start = before.last().map_or(0, |cell| cell.end());
        if self.text.get(start..).is_some_and(str::is_ascii) {
            return;
        }
        for cell in cells {
            let text = self.text.get(std::mem::replace(&mut start, cell.end())..cell.end()).unwrap_or_default();
            cell.columns = short(text.chars().count());
        }
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
        let start = first.checked_sub(1).map_or(Some(0), |before| self.cells.get(before).map(|cell| cell.end()))?;
        Some(Row { text: &self.text, start, cells: self.cells.get(first..first + N)? })
    }

    /// The rows of which all cells are written.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_, N>> {
        (0..self.cells.len() / N).filter_map(|index| self.get(index))
    }
}

impl<'a, const N: usize> Row<'a, N> {
    /// Its cells.
    pub(super) fn cells(self) -> impl Iterator<Item = &'a str> {
        let mut start = self.start;
        self.cells
            .iter()
            .map(move |cell| self.text.get(std::mem::replace(&mut start, cell.end())..cell.end()).unwrap_or_default())
    }

    /// How many columns each of them takes.
    fn columns(self) -> impl Iterator<Item = usize> {
        self.cells.iter().map(|cell| long(cell.columns))
    }
}

impl Cell {
    fn end(self) -> usize {
        long(self.end)
    }
}

// half a word each, since a list has a hundred thousand cells; no text is that long
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn long(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
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
