//! An HTML part to the text that its reader saw, over html5ever's tokenizer; linear, without recursion or a tree.
//!
//! Blocks, `br` and table rows make lines, cells are parted by a tab; inline tags add nothing, so that digits split by
//! `span`s join, but never across a block, a cell or a picture. Struck-out and hidden text, style and script are dropped;
//! each `blockquote` puts "> " before its lines (see `page`). The text is normalised (see `text`).
//! What will surprise you: Gmail's `div.gmail_quote` is no quote by itself, because an answer typed below the quotation
//! stands inside it; its attribution line and `blockquote` mark what is quoted. An unclosed `<s>` strikes to the end: text
//! lost is asked about, text wrongly believed is not. Not covered: style sheets and CSS classes, letters as list numbers.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::page::Page;
use super::text;

/// Bytes given to the tokenizer at a time.
const CHUNK: usize = 2048;
/// Attributes of one tag; real ones have about ten.
const MAX_ATTRIBUTES: usize = 500;

/// The text; `None` for a page built to exhaust its reader.
pub fn to_text(html: &str) -> Option<String> {
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    let (mut rest, mut tokens, mut open) = (html, 0, OpenTag::default());
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_checked(piece_length(rest))?;
        rest = after;
        input.push_back(StrTendril::from_slice(piece));
        // The sink never pauses the tokenizer, so the piece is used up.
        let _ = tokenizer.feed(&input);
        let page = tokenizer.sink.0.borrow();
        open.take(piece, page.tokens != tokens);
        tokens = page.tokens;
        if page.is_exhausted || open.attributes > MAX_ATTRIBUTES {
            return None;
        }
    }
    tokenizer.end();
    Some(text::normalise(tokenizer.sink.0.into_inner().finish().trim_end()))
}

/// Up to the next `<`, or with the next `>`, so that a tag begins and ends with a piece.
fn piece_length(html: &str) -> usize {
    let end = html.floor_char_boundary(CHUNK);
    let bracket = html.bytes().take(end).enumerate().skip(1).find(|(_, byte)| matches!(byte, b'<' | b'>'));
    bracket.map_or(end, |(at, byte)| if byte == b'>' { at + 1 } else { at })
}

/// Counts the attributes of the tag that the tokenizer is in: it compares each with all before it, so that a tag of a
/// hundred thousand attributes would take minutes.
#[derive(Default)]
struct OpenTag {
    inside: Inside,
    attributes: usize,
}

/// Where in a tag (HTML, 13.2.5.8 and 13.2.5.32 to 13.2.5.40).
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// No tag, or a comment.
    #[default]
    Nothing,
    TagName,
    Between,
    Name,
    AfterName,
    BeforeValue,
    Value,
    Quoted(u8),
}

impl OpenTag {
    fn take(&mut self, piece: &str, gave_token: bool) {
        let begins = piece.starts_with('<') && !piece.starts_with("<!") && !piece.starts_with("<?");
        if gave_token || begins && self.inside == Inside::Nothing {
            // The token may be text that was held back before this tag.
            self.inside = if begins { Inside::TagName } else { Inside::Nothing };
            self.attributes = 0;
        }
        for byte in piece.bytes() {
            let is_blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
            self.inside = match (self.inside, byte) {
                (Inside::Nothing, _) => return,
                (Inside::Quoted(quote), _) if byte == quote => Inside::Between,
                (Inside::Quoted(_), _) => self.inside,
                (_, b'>') => Inside::Nothing,
                (Inside::Between | Inside::AfterName | Inside::BeforeValue, _) if is_blank => self.inside,
                (Inside::Name, _) if is_blank => Inside::AfterName,
                (Inside::TagName | Inside::Value, _) if is_blank => Inside::Between,
                (Inside::TagName | Inside::Between | Inside::Name | Inside::AfterName, b'/') => Inside::Between,
                (Inside::Name | Inside::AfterName, b'=') => Inside::BeforeValue,
                (Inside::BeforeValue, b'"' | b'\'') => Inside::Quoted(byte),
                (Inside::BeforeValue | Inside::Value, _) => Inside::Value,
                (Inside::TagName | Inside::Name, _) => self.inside,
                (Inside::Between | Inside::AfterName, _) => {
                    self.attributes += 1;
                    Inside::Name
                }
            };
        }
    }
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
    fn list_numbers_are_text_because_they_are_seen() {
        for (html, expected) in [
            ("<ol><li>5254 5755<li><p>7163</p></ol>end", "1. 5254 5755\n2. 7163\nend"),
            ("<ol start=10><li>5254</li></ol>", "10. 5254"),
            ("<ol><li><ul><li>a</ul><li>b</ol>", "a\n2. b"),
            ("<ol style='list-style:none'><li>a</ol>", "a"),
            ("<ol><li style='display:none'>x<li>a<li></ol>b", "1. a\nb"),
            ("<ol type=a><li>b</ol>", "b"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn columns_written_into_one_cell_each_become_rows() {
        assert_eq!(
            text("x<table><tr><td>1.<br>2.</td><td>4244<br>3234</td><td>7866<br></td></tr></table>y"),
            "x\n1.\t4244\t7866\n2.\t3234\t\ny"
        );
        assert_eq!(
            text("<table><tr><td>4244<br>3234<td>7866<br>7776</tr><tr><td>a<td>b</table>"),
            "4244\t7866\n3234\t7776\na\tb"
        );
    }

    #[test]
    fn a_style_decides_whether_text_is_glued_apart_or_on_its_own_line() {
        for (html, expected) in [
            ("<span style='display:block'>52</span><span style='display:block'>54</span>", "52\n54"),
            ("<div style='display:inline'>52</div><div style='display:inline'>54</div>", "5254"),
            ("<span style='padding-left:9px'>52</span><span style='margin:0'>54</span>", "52 54"),
            ("52<img src=x>54<wbr>56", "52 5456"),
            ("<span style='white-space:pre-wrap'>52\n  54</span>", "52\n  54"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn text_in_the_colour_of_its_ground_is_not_read() {
        for html in [
            "<font color=white>5254</font>ok",
            "<table bgcolor='#ffffcc'><tr><td><span style='color:#FFC'>5254</span>ok</table>",
            "<span style='color:white'>5254</span>ok",
            "<p aria-hidden=TRUE>5254</p>ok",
            "<bdo dir=rtl>5254</bdo>ok",
        ] {
            assert_eq!(text(html).trim(), "ok", "{html}");
        }
        for html in [
            "<body bgcolor=black text=white>5254",
            "<td style='background:navy'><font color=white>5254",
            "<div style='color:white'><b style='color:black'>5254</b></div>",
        ] {
            assert_eq!(text(html), "5254", "{html}");
        }
    }

    #[test]
    fn deep_nesting_is_read_without_recursion_and_in_linear_work() {
        let deep = format!("{}5254{}", "<div>".repeat(100_000), "</b></div>".repeat(100_000));
        assert_eq!(text(&deep), "5254");
        let quotes = format!("{}5254", "<blockquote>x".repeat(20_000));
        assert!(text(&quotes).len() < 20_000 * 40);
        assert_eq!(to_text(&"<a>".repeat(250_000)), None);
    }

    #[test]
    fn a_tag_of_thousands_of_attributes_is_refused_and_large_pictures_comments_and_styles_are_not() {
        for form in ["a{} ", "a{}='>'", "a{}/", "a{} = \"<\"", "a{}=x "] {
            let attributes: String = (0..2_000).map(|number| form.replace("{}", &number.to_string())).collect();
            for before in ["5254<div ", "5254<div =\" ", "<div=' ", "5254&am<div ", "</div ", "<style></style "] {
                assert_eq!(to_text(&format!("{before}{attributes}>")), None, "{before}{form}");
            }
            let comment = format!("<!--[if mso]> {} -->", attributes.replace('<', ""));
            let style = format!("<style>{attributes}<b {attributes}</style>");
            let image = format!("<img alt='{}' src=x>", attributes.replace('\'', ""));
            assert_eq!(text(&format!("{comment}{style}{image}5254")), "5254", "{form}");
        }
        let image = format!("<img src='data:image/png;base64,{}'>5254", "QUJD/EVGR0h+S0xNTU9/".repeat(20_000));
        assert_eq!(text(&image), "5254");
    }
}
