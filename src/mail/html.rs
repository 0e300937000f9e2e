//! An HTML part to the text that its reader saw, over html5ever's tokenizer; linear, without recursion or a tree.
//!
//! Blocks, `br` and table rows make lines, cells are parted by a tab; inline tags add nothing, so that digits split by
//! `span`s join, but never across a block or a cell. Struck-out and hidden text, style and script are dropped; each
//! `blockquote` puts "> " before its lines. The text is normalised (see `text`).
//! What will surprise you: Gmail's `div.gmail_quote` is no quote by itself, because an answer typed below the quotation
//! stands inside it; its attribution line and `blockquote` mark what is quoted. An unclosed `<s>` strikes to the end: text
//! lost is asked about, text wrongly believed is not. Not covered: numbers of ordered lists, style sheets, CSS classes.

use std::cell::RefCell;
use std::collections::HashMap;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::elements::{Kind, hides, is_scope, kind};
use super::text;

/// Quote marks written before a line; deeper quotes look like this depth.
const MAX_MARKS: usize = 16;
/// Tabs written for empty cells.
const MAX_TABS: usize = 64;
/// Bytes given to the tokenizer at a time.
const CHUNK: usize = 4096;
/// Separators that may go by without a token: the tokenizer compares each attribute of a tag with all before it, so a
/// tag of a hundred thousand attributes would take minutes.
const MAX_SEPARATORS: usize = 8 * 1024;

/// The text; `None` for a page built to exhaust its reader.
pub fn to_text(html: &str) -> Option<String> {
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    let (mut rest, mut tokens, mut separators) = (html, 0, 0);
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at_checked(rest.floor_char_boundary(CHUNK))?;
        rest = after;
        input.push_back(StrTendril::from_slice(chunk));
        // The sink never pauses the tokenizer, so the chunk is used up.
        let _ = tokenizer.feed(&input);
        let tokens_now = tokenizer.sink.0.borrow().tokens;
        if tokens_now != tokens {
            (tokens, separators) = (tokens_now, 0);
        }
        separators += chunk.bytes().filter(|byte| byte.is_ascii_whitespace() || b"/='\"".contains(byte)).count();
        if separators > MAX_SEPARATORS {
            return None;
        }
    }
    tokenizer.end();
    Some(text::normalise(tokenizer.sink.0.into_inner().out.trim_end()))
}

#[derive(Default)]
struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        // A parse error may come for every attribute, so it is no sign that the tag has ended.
        page.tokens += usize::from(!matches!(token, Token::ParseError(_)));
        match token {
            Token::CharacterTokens(characters) => page.text(&characters),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return page.start(&tag),
            Token::TagToken(tag) => page.end(&tag.name),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

struct Element {
    name: String,
    kind: Kind,
    is_hidden: bool,
    is_quote: bool,
    is_pre: bool,
}

/// White space owed before the next character.
#[derive(Default)]
struct Gap {
    lines: usize,
    tabs: usize,
    blank: bool,
}

#[derive(Default)]
struct Page {
    out: String,
    tokens: usize,
    open: Vec<Element>,
    /// Places in `open`, by name, of the elements no inline end tag reaches beyond, and of those no block end tag does.
    by_name: HashMap<String, Vec<usize>>,
    blocks: Vec<usize>,
    scopes: Vec<usize>,
    struck: usize,
    hidden: usize,
    quotes: usize,
    pre: usize,
    gap: Gap,
    /// Cells begun in this row; text written in this row; the cell at hand has no text yet.
    cells: usize,
    row_has_text: bool,
    cell_is_fresh: bool,
}

impl Page {
    fn text(&mut self, characters: &str) {
        if self.hidden > 0 || self.struck > 0 {
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
        self.row_has_text = true;
        self.cell_is_fresh = false;
    }

    /// A new line; inside a cell only once it has text, so that `<td><p>5254</p></td>` stays in its row.
    fn break_line(&mut self) {
        if !self.cell_is_fresh {
            self.gap.lines = self.gap.lines.max(1);
        }
    }

    fn start(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let kind = kind(name);
        match kind {
            Kind::Void => {
                match name {
                    "br" if !self.cell_is_fresh => self.gap.lines += 1,
                    "hr" => self.break_line(),
                    _ => {}
                }
                return TokenSinkResult::Continue;
            }
            Kind::Struck => {
                self.struck += 1;
                return TokenSinkResult::Continue;
            }
            Kind::Cell => self.close_implied(&["td", "th"], "table"),
            Kind::Row if name == "tr" => self.close_implied(&["tr"], "table"),
            Kind::Row if name != "table" && name != "caption" => {
                self.close_implied(&["tbody", "thead", "tfoot", "tr"], "table")
            }
            Kind::Row | Kind::Block => self.close_paragraph(),
            Kind::Inline | Kind::Raised | Kind::Dropped => {}
        }
        self.lay_out(kind);
        if kind == Kind::Cell {
            self.begin_cell();
        }
        let attribute = |wanted: &str| {
            tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted).map(|attribute| &*attribute.value)
        };
        self.push(Element {
            kind,
            is_hidden: kind == Kind::Dropped || attribute("hidden").is_some() || attribute("style").is_some_and(hides),
            is_quote: name == "blockquote" || attribute("type").is_some_and(|value| value.eq_ignore_ascii_case("cite")),
            is_pre: matches!(name, "pre" | "listing" | "xmp" | "plaintext"),
            name: name.to_owned(),
        });
        match name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }

    fn end(&mut self, name: &str) {
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
                    Kind::Cell => self.place("table"),
                    Kind::Row | Kind::Void | Kind::Struck => {
                        if name == "table" {
                            None
                        } else {
                            self.place("table")
                        }
                    }
                };
                if let Some(&place) = self.place(name).filter(|&place| bound.is_none_or(|bound| place >= bound)) {
                    self.close_to(place);
                }
                self.lay_out(kind);
            }
        }
    }

    fn lay_out(&mut self, kind: Kind) {
        match kind {
            Kind::Block => self.break_line(),
            Kind::Row => {
                self.gap = Gap { lines: self.gap.lines.max(1), tabs: 0, blank: false };
                self.cells = 0;
                self.row_has_text = false;
                self.cell_is_fresh = false;
            }
            Kind::Raised => self.gap.blank = true,
            Kind::Inline | Kind::Cell | Kind::Void | Kind::Struck | Kind::Dropped => {}
        }
    }

    fn begin_cell(&mut self) {
        self.cells += 1;
        if self.cells > 1 {
            if self.row_has_text {
                self.gap.lines = 0;
            }
            self.gap.tabs = (self.gap.tabs + 1).min(MAX_TABS);
        }
        self.gap.blank = false;
        self.cell_is_fresh = true;
    }

    fn place(&self, name: &str) -> Option<&usize> {
        self.by_name.get(name).and_then(|places| places.last())
    }

    /// A start tag that ends an open element of these names within the nearest `limit` (HTML, 13.2.6.4.13 and following).
    fn close_implied(&mut self, names: &[&str], limit: &str) {
        let bound = self.place(limit);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        to_text(html).unwrap()
    }

    #[test]
    fn digits_split_by_inline_tags_join_and_never_across_blocks_or_cells() {
        for (html, expected) in [
            ("<div>10. <span>62</span><span>64</span></div>", "10. 6264"),
            ("52<b>5</b><font color=red>4</font>", "5254"),
            ("<td>52</td><td>54</td>", "52\t54"),
            ("<div>52</div><div>54</div>", "52\n54"),
            ("52<br>54", "52\n54"),
            ("52<p>54", "52\n54"),
            ("<table><tr><td>52<tr><td>54</table>56", "52\n54\n56"),
            ("52<blockquote>54</blockquote>56", "52\n> 54\n56"),
            ("<ul><li>52<li>54</ul>", "52\n54"),
            ("5254<sup>1</sup>", "5254 1"),
            ("52\n  54", "52 54"),
            ("52&nbsp;54 &lt;&#53;&gt;", "52 54 <5>"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn a_table_row_is_one_line_whatever_stands_in_its_cells() {
        let html = "<table><tr><td><p>1.<o:p></o:p></p></td>\n <td><p><br>5254</p></td><td></td> <td><div>2/2</div></td></tr>\n<tr><td></td><td>x</td></tr></table>";
        assert_eq!(text(html), "1.\t5254\t\t2/2\n\tx");
        assert_eq!(
            text("<table><tr><td>Dear<p>Nora</p>1. e4<td>x<table><tr><td>in</table></table>after"),
            "Dear\nNora\n1. e4\tx\nin\nafter"
        );
    }

    #[test]
    fn what_is_not_seen_is_not_read() {
        for html in [
            "<s>5254</s>ok",
            "<del><p>5254</p></del>ok",
            "<strike>5254</strike>ok",
            "<span style='display: none'>5254</span>ok",
            "<div style='color:red;VISIBILITY:hidden !important'>5254</div>ok",
            "<p hidden>5254<p>ok",
            "<span style='font-size:0px'>5254</span>ok",
            "<span style='text-decoration:underline line-through'>5254</span>ok",
            "<style>5254</style>ok",
            "<script>'5254<p>'</script>ok",
            "<head><title>5254</title></head>ok",
            "<!-- 5254 -->ok",
            "<template>5254</template>ok",
            "<table><tr><td style='display:none'>5254<td>ok</table>",
            "<div style='display:none'><div>x</div><span>5254</div>ok",
            "<span style='display:none'><div>x</span>5254</div></span>ok",
        ] {
            assert_eq!(text(html).trim(), "ok", "{html}");
        }
        assert_eq!(text("<span style='font-size:0.8em'>5254</span>"), "5254");
        assert_eq!(text("</div></s><p>ok</p></td></table>"), "ok");
    }

    #[test]
    fn quotes_are_marked_at_every_level_and_end_where_they_end() {
        assert_eq!(
            text("new<blockquote type=cite>a<br><br>b<blockquote>c</blockquote>d</blockquote>e"),
            "new\n> a\n\n> b\n> > c\n> d\ne"
        );
        assert_eq!(
            text("<div class=gmail_quote><div>On x, y wrote:<br></div><blockquote>... 3827</blockquote>10. 5254</div>"),
            "On x, y wrote:\n> ... 3827\n10. 5254"
        );
        assert_eq!(text("<div><blockquote>old</div>new"), "> old\nnew");
        assert_eq!(text("<div type=cite>old</div>new"), "> old\nnew");
    }

    #[test]
    fn preformatted_lines_stay_lines() {
        assert_eq!(text("<pre>1.  5254   5755\n2.  7163</pre>end"), "1.  5254   5755\n2.  7163\nend");
    }

    #[test]
    fn the_text_is_normalised() {
        assert_eq!(text("５２&ndash;５４"), "52-54");
        assert!(text::has_hidden_characters(&text("52&#8203;54")));
    }

    #[test]
    fn deep_nesting_is_read_without_recursion_and_in_linear_work() {
        let deep = format!("{}5254{}", "<div>".repeat(100_000), "</b></div>".repeat(100_000));
        assert_eq!(text(&deep), "5254");
        let quotes = format!("{}5254", "<blockquote>x".repeat(20_000));
        assert!(text(&quotes).len() < 20_000 * (MAX_MARKS * 2 + 4));
    }

    #[test]
    fn a_tag_of_a_hundred_thousand_attributes_is_refused() {
        let attributes: String = (0..100_000).map(|number| format!("a{number} ")).collect();
        assert_eq!(to_text(&format!("5254<div {attributes}>")), None);
        let attributes: String = (0..100_000).map(|number| format!("a{number}='>'")).collect();
        assert_eq!(to_text(&format!("5254<div {attributes}>")), None);
        let image = format!("<img src='data:image/png;base64,{}'>5254", "QUJDREVGR0hJSktMTU5P".repeat(20_000));
        assert_eq!(text(&image), "5254");
    }
}
