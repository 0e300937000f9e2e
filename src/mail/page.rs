//! The page on which an HTML part is laid out, tag by tag: lines, cells, quotes, list numbers, and what nobody sees.
//!
//! A flat stack of open elements stands for the tree, with an index by name, so that each tag costs the same at any depth.
//! What will surprise you: white space is owed (`Gap`) until a character follows; a new line at the beginning of a cell is
//! not written, so that `<td><p>5254</p></td>` stays in its row; cells that each hold a column are turned into rows.

use std::collections::HashMap;

use html5ever::LocalName;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TokenSinkResult};

use super::elements::{Kind, is_scope, kind};
use super::style::{self, Paint, Style};

/// Quote marks written before a line; deeper quotes look like this depth.
const MAX_MARKS: usize = 16;
/// Tabs written for empty cells.
const MAX_TABS: usize = 64;
/// Elements open at once, about 100 bytes each; browsers stop at 512.
const MAX_OPEN: usize = 200_000;
/// Characters of the longest line in a cell that holds a column of a table.
const COLUMN: usize = 40;

struct Element {
    name: LocalName,
    /// What end tags inside it may close.
    kind: Kind,
    /// How it lies on the page, where its style says otherwise.
    layout: Kind,
    is_hidden: bool,
    is_quote: bool,
    is_pre: bool,
    paint: Paint,
    /// The number of the next item of an `ol`.
    number: Option<i64>,
}

/// White space owed before the next character.
#[derive(Default)]
struct Gap {
    lines: usize,
    tabs: usize,
    blank: bool,
}

/// The text so far, and where in the page it goes on.
#[derive(Default)]
pub(super) struct Page {
    out: String,
    /// Tokens taken so far.
    pub(super) tokens: usize,
    /// More elements are open than any page has.
    pub(super) is_exhausted: bool,
    open: Vec<Element>,
    /// Places in `open`, by name, of the elements no inline end tag reaches beyond, and of those no block end tag does.
    by_name: HashMap<LocalName, Vec<usize>>,
    blocks: Vec<usize>,
    scopes: Vec<usize>,
    struck: usize,
    hidden: usize,
    quotes: usize,
    pre: usize,
    gap: Gap,
    /// The number owed to a list item.
    item: Option<i64>,
    /// Where in `out` the cells of this row begin; text written in this row; the cell at hand has no text yet.
    cells: Vec<usize>,
    row_has_text: bool,
    cell_is_fresh: bool,
}

impl Page {
    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        self.end_row();
        self.out
    }

    pub(super) fn text(&mut self, characters: &str) {
        let is_invisible = self.open.last().is_some_and(|element| element.paint.is_invisible());
        if self.hidden > 0 || self.struck > 0 || is_invisible {
            return;
        }
        for character in characters.chars() {
            match character {
                '\n' if self.pre > 0 => self.gap.lines += 1,
                ' ' | '\t' if self.pre > 0 => {
                    self.fill_gap();
                    self.out.push(character);
                }
                ' ' | '\t' | '\n' | '\r' | '\u{C}' => self.gap.blank = true,
                _ => {
                    self.fill_gap();
                    self.out.push(character);
                }
            }
        }
    }

    fn fill_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if gap.lines > 0 || self.out.is_empty() {
            if !self.out.is_empty() {
                // More than one empty line says nothing.
                self.out.extend(std::iter::repeat_n('\n', gap.lines.min(2)));
            }
            self.out.extend(std::iter::repeat_n("> ", self.quotes.min(MAX_MARKS)));
            self.out.extend(std::iter::repeat_n('\t', gap.tabs));
        } else if gap.tabs > 0 {
            self.out.extend(std::iter::repeat_n('\t', gap.tabs));
        } else if gap.blank {
            self.out.push(' ');
        }
        if let Some(number) = self.item.take() {
            self.out.push_str(&format!("{number}. "));
        }
        self.row_has_text = true;
        self.cell_is_fresh = false;
    }

    /// A new line; inside a cell only once it has text, so that `<td><p>5254</p></td>` stays in its row.
    fn break_line(&mut self) {
        if !self.cell_is_fresh {
            self.gap.lines = self.gap.lines.max(1);
        }
    }

    pub(super) fn start(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let kind = kind(name);
        match kind {
            Kind::Void => {
                match name {
                    "br" if !self.cell_is_fresh => self.gap.lines += 1,
                    "hr" => self.break_line(),
                    // Something is seen between what stands before and after it.
                    "img" | "input" | "embed" => self.gap.blank = true,
                    _ => {}
                }
                return TokenSinkResult::Continue;
            }
            Kind::Struck => {
                self.struck += 1;
                return TokenSinkResult::Continue;
            }
            Kind::Cell => self.close_implied(&["td", "th"], &["table"]),
            Kind::Row if name == "tr" => self.close_implied(&["tr"], &["table"]),
            Kind::Row if name != "table" && name != "caption" => {
                self.close_implied(&["tbody", "thead", "tfoot", "tr"], &["table"]);
            }
            Kind::Block if name == "li" => self.close_implied(&["li"], &["ol", "ul"]),
            Kind::Row | Kind::Block => self.close_paragraph(),
            Kind::Inline | Kind::Raised | Kind::Dropped => {}
        }
        let element = self.element(tag, kind);
        self.lay_out(element.layout);
        if kind == Kind::Cell {
            self.begin_cell();
        }
        if name == "li" && !element.is_hidden {
            self.item = self.next_number();
        }
        self.push(element);
        match name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    fn element(&self, tag: &Tag, kind: Kind) -> Element {
        let name: &str = &tag.name;
        let attribute = |wanted: &str| {
            tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted).map(|attribute| &*attribute.value)
        };
        let mut paint = self.open.last().map_or_else(Paint::default, |element| element.paint);
        if let Some(value) = attribute("bgcolor") {
            paint.set_ground(value);
        }
        if attribute("background").is_some() {
            paint.set_ground("url()");
        }
        if let Some(value) = attribute("color").or_else(|| attribute("text")) {
            paint.set_text(value);
        }
        let style = attribute("style").map_or_else(Style::default, |style| style::read(style, &mut paint));
        let is_numbered = name == "ol"
            && !style.is_unnumbered
            && attribute("reversed").is_none()
            && attribute("type").is_none_or(|value| value == "1");
        Element {
            name: tag.name.clone(),
            kind,
            layout: match (kind, style.layout) {
                (Kind::Inline, _) if style.is_apart && style.layout != Some(Kind::Block) => Kind::Raised,
                (Kind::Inline | Kind::Block, Some(layout)) => layout,
                _ => kind,
            },
            is_hidden: kind == Kind::Dropped
                || style.is_hidden
                || attribute("hidden").is_some()
                || attribute("aria-hidden").is_some_and(|value| value.eq_ignore_ascii_case("true"))
                || name == "bdo" && attribute("dir").is_some_and(|value| value.eq_ignore_ascii_case("rtl")),
            is_quote: name == "blockquote" || attribute("type").is_some_and(|value| value.eq_ignore_ascii_case("cite")),
            is_pre: style.is_pre || matches!(name, "pre" | "listing" | "xmp" | "plaintext"),
            paint,
            number: is_numbered.then(|| attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1)),
        }
    }

    /// The number that stands before the next item of the innermost list.
    fn next_number(&mut self) -> Option<i64> {
        let ordered = *self.place("ol")?;
        if self.place("ul").is_some_and(|&unordered| unordered > ordered) {
            return None;
        }
        let list = self.open.get_mut(ordered)?;
        let number = list.number?;
        list.number = number.checked_add(1);
        Some(number)
    }

    pub(super) fn end(&mut self, name: &str) {
        let kind = kind(name);
        match (name, kind) {
            // Text after them is shown (HTML, 13.2.6.4.19).
            ("html" | "body" | "head", _) => {}
            (_, Kind::Struck) => self.struck = self.struck.saturating_sub(1),
            ("br", _) => self.gap.lines += 1,
            _ => {
                let bound = match kind {
                    Kind::Inline | Kind::Raised => self.blocks.last(),
                    Kind::Block | Kind::Dropped => self.scopes.last(),
                    Kind::Row if name == "table" => None,
                    Kind::Cell | Kind::Row | Kind::Void | Kind::Struck => self.place("table"),
                };
                let mut layout = kind;
                if let Some(&place) = self.place(name).filter(|&place| bound.is_none_or(|bound| place >= bound)) {
                    layout = self.open.get(place).map_or(kind, |element| element.layout);
                    self.close_to(place);
                }
                self.lay_out(layout);
            }
        }
    }

    fn lay_out(&mut self, layout: Kind) {
        match layout {
            Kind::Block => self.break_line(),
            Kind::Row => self.end_row(),
            Kind::Raised => self.gap.blank = true,
            Kind::Inline | Kind::Cell | Kind::Void | Kind::Struck | Kind::Dropped => {}
        }
    }

    fn begin_cell(&mut self) {
        self.cells.push(self.out.len());
        if self.cells.len() > 1 {
            if self.row_has_text {
                self.gap.lines = 0;
            }
            self.gap.tabs = (self.gap.tabs + 1).min(MAX_TABS);
        }
        self.gap.blank = false;
        self.cell_is_fresh = true;
    }

    fn end_row(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        if self.quotes == 0
            && let Some(rows) = rows_of_columns(&self.out, &cells)
            && let Some(&start) = cells.first()
        {
            let before = self.out.get(start..).map_or(0, |row| row.len() - row.trim_start_matches('\n').len());
            self.out.truncate(start + before);
            self.out.push_str(&rows);
        }
        self.gap = Gap { lines: self.gap.lines.max(1), tabs: 0, blank: false };
        self.row_has_text = false;
        self.cell_is_fresh = false;
    }

    fn place(&self, name: &str) -> Option<&usize> {
        self.by_name.get(&LocalName::from(name)).and_then(|places| places.last())
    }

    /// A start tag that ends an open element of these names within the nearest of `limits` (HTML, 13.2.6.4.7 and following).
    fn close_implied(&mut self, names: &[&str], limits: &[&str]) {
        let bound = limits.iter().filter_map(|name| self.place(name)).max();
        let open =
            names.iter().filter_map(|name| self.place(name)).filter(|&place| bound.is_none_or(|bound| place > bound));
        if let Some(&place) = open.min() {
            self.close_to(place);
        }
    }

    fn close_paragraph(&mut self) {
        if let Some(&place) = self.place("p").filter(|&place| self.scopes.last().is_none_or(|scope| place > scope)) {
            self.close_to(place);
        }
    }

    fn push(&mut self, element: Element) {
        let place = self.open.len();
        self.is_exhausted |= place >= MAX_OPEN;
        if element.is_quote {
            self.gap.lines = self.gap.lines.max(1);
            self.quotes += 1;
        }
        self.hidden += usize::from(element.is_hidden);
        self.pre += usize::from(element.is_pre);
        if !matches!(element.kind, Kind::Inline | Kind::Raised) {
            self.blocks.push(place);
        }
        if is_scope(&element.name) {
            self.scopes.push(place);
        }
        self.by_name.entry(element.name.clone()).or_default().push(place);
        self.open.push(element);
    }

    fn close_to(&mut self, place: usize) {
        while self.open.len() > place {
            let Some(element) = self.open.pop() else {
                break;
            };
            if element.is_quote {
                self.gap.lines = self.gap.lines.max(1);
                self.quotes -= 1;
            }
            if &*element.name == "li" {
                self.item = None;
            }
            self.hidden -= usize::from(element.is_hidden);
            self.pre -= usize::from(element.is_pre);
            for places in [Some(&mut self.blocks), Some(&mut self.scopes), self.by_name.get_mut(&element.name)]
                .into_iter()
                .flatten()
            {
                places.pop_if(|last| *last >= self.open.len());
            }
        }
    }
}

/// The lines of a table whose columns were each written into one cell; `None` where the row's cells are no columns.
fn rows_of_columns(out: &str, starts: &[usize]) -> Option<String> {
    if starts.len() > MAX_TABS {
        return None;
    }
    let ends = starts.iter().skip(1).copied().chain([out.len()]);
    let cells: Vec<Vec<&str>> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| Some(out.get(start..end)?.trim_matches(['\t', '\n']).split('\n').collect()))
        .collect::<Option<_>>()?;
    let longest = cells.iter().map(Vec::len).max()?;
    // One side may have moved once more than the other.
    let is_column = |cell: &Vec<&str>| cell.len() + 1 >= longest || cell.iter().all(|line| line.is_empty());
    let is_short = |line: &&str| line.chars().count() <= COLUMN;
    let columns = cells.iter().filter(|cell| cell.len() > 1).count();
    if columns < 2 || !cells.iter().all(is_column) || !cells.iter().flatten().all(is_short) {
        return None;
    }
    let row = |line: usize| {
        let texts: Vec<&str> = cells.iter().map(|cell| cell.get(line).copied().unwrap_or_default()).collect();
        texts.join("\t")
    };
    Some((0..longest).map(row).collect::<Vec<_>>().join("\n"))
}
