//! A letter as a list of lines with a board among them, and its two forms: the plain text, and a page with the board as a picture.
//!
//! Both forms say the same. The page is HTML that fetches nothing and names no colours of its own, so that a dark screen stays
//! dark; it fits a telephone. Every word passes [`escaped`], whoever wrote it: names and events are the opponent's and the
//! director's. Where no picture is shown, its alternative text lists the pieces and gives the position in FEN.

use shakmaty::{Chess, Color, Position, Role, Square};

use super::drawn::named;
use super::picture;
use super::wrap::fill;
use super::wrapped;
use crate::config::Language;
use crate::domain::board::board;
use crate::domain::game::{Game, Side};
use crate::domain::notation::{NumericMove, san};
use crate::domain::replay::Replay;
use crate::mail::draft::{ContentId, InlinePicture, Page};
use crate::mail::ids::MessageId;
use crate::say;

/// Columns of a line that is not wrapped (RFC 5322, 2.1.1).
const WIDEST: usize = 78;

/// A position to be looked at.
#[derive(Debug, Clone)]
pub(super) struct Diagram {
    /// The position.
    pub(super) position: Chess,
    /// The same in FEN.
    pub(super) fen: String,
    /// Its last move, which is marked.
    pub(super) last: Option<NumericMove>,
    /// Who looks at it.
    pub(super) seen_from: Side,
    /// `after 7. 5171 (O-O)`
    pub(super) when: String,
}

impl Diagram {
    fn as_picture(&self) -> Vec<u8> {
        let marked: Vec<Square> = self.last.iter().flat_map(|m| [m.from_square(), m.to_square()]).collect();
        named(self.position.board(), &marked, self.seen_from)
    }

    /// `Position after 7. 5171 (O-O). White: Kg1 Rf1 a2. Black: Ke8 a7. FEN: ...`
    fn in_words(&self, language: Language) -> String {
        let pieces = |color: Color| {
            let board = self.position.board();
            let men = Role::ALL.into_iter().rev().flat_map(|role| {
                let letter = if role == Role::Pawn { String::new() } else { role.upper_char().to_string() };
                board.by_piece(role.of(color)).into_iter().map(move |square| format!("{letter}{square}"))
            });
            men.collect::<Vec<_>>().join(" ")
        };
        let (white, black) = (pieces(Color::White), pieces(Color::Black));
        say!(
            language,
            "Position {when}. White: {white}. Black: {black}. FEN: {fen}",
            when = self.when,
            white,
            black,
            fen = self.fen
        )
    }
}

/// The position in which the next move is due.
pub(super) fn diagram(game: &Game, replay: &Replay, language: Language) -> Diagram {
    let last = game.moves.last().map(|record| record.numeric);
    let played = replay.plies().last().map(|(before, played)| san(before, played));
    let when = match (game.moves.len().checked_sub(1), last, played) {
        (Some(index), Some(numeric), Some(short)) => {
            say!(language, "after {number} {numeric} ({short})", number = game.number_of(index), numeric, short)
        }
        _ => say!(language, "at the start"),
    };
    Diagram { position: replay.position().clone(), fen: replay.fen(), last, seen_from: game.me, when }
}

enum Block {
    /// A line, however long.
    Line(String),
    /// Sentences; the plain text wraps them.
    Paragraph(String),
    /// A point of a list.
    Point(String),
    Gap,
    Board(Box<Diagram>),
    /// A link as the plain text shows it, as the page has it, and what it does.
    Link {
        plain: String,
        page: String,
        label: String,
    },
    /// Lines of a table, in a font in which all letters are of one width.
    Fixed(String),
}

/// What a letter tells, from its first line to its last.
#[derive(Default)]
pub(super) struct Told(Vec<Block>);

impl Told {
    /// The same after what another tells.
    pub(super) fn behind(mut self, mut first: Told) -> Told {
        first.0.append(&mut self.0);
        first
    }

    /// A line.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.0.push(Block::Line(text.into()));
    }

    /// Lines, gaps among them, each for itself.
    pub(super) fn lines(&mut self, text: &str) {
        let block = |line: &str| if line.is_empty() { Block::Gap } else { Block::Line(line.to_owned()) };
        self.0.extend(text.lines().map(block));
    }

    /// Sentences; the plain text wraps them.
    pub(super) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(Block::Paragraph(text.into()));
    }

    /// A point of a list; the plain text wraps it.
    pub(super) fn point(&mut self, text: impl Into<String>) {
        self.0.push(Block::Point(text.into()));
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.0.push(Block::Gap);
    }

    /// The board; a letter shows one.
    pub(super) fn board(&mut self, diagram: Diagram) {
        self.0.push(Block::Board(Box::new(diagram)));
    }

    /// A link that the page shows as `label`.
    pub(super) fn link(&mut self, url: String, label: String) {
        self.link_or(url.clone(), url, label);
    }

    /// A link that the page shows as `label`, and that is another one there, since nobody sees how long it is.
    pub(super) fn link_or(&mut self, plain: String, page: String, label: String) {
        self.0.push(Block::Link { plain, page, label });
    }

    /// A table.
    pub(super) fn fixed(&mut self, text: String) {
        self.0.push(Block::Fixed(text));
    }

    /// The letter as plain text, the board drawn with letters.
    pub(super) fn plain(&self) -> String {
        let mut text = String::new();
        for block in &self.0 {
            match block {
                // what some language says at more length is no wider on the screen; tables and commands are indented
                Block::Line(line) if line.chars().count() > WIDEST && !line.starts_with(' ') => {
                    text.push_str(&wrapped(line));
                }
                Block::Line(line) => text.push_str(&format!("{line}\n")),
                Block::Paragraph(sentences) => text.push_str(&wrapped(sentences)),
                Block::Point(point) => {
                    text.push_str(&fill(point, "  - ", "    "));
                    text.push('\n');
                }
                Block::Gap => text.push('\n'),
                Block::Board(diagram) => text.push_str(&board(diagram.position.board(), diagram.seen_from)),
                Block::Link { plain, .. } => text.push_str(&format!("     <{plain}>\n")),
                Block::Fixed(table) => text.push_str(table),
            }
        }
        text
    }

    /// The letter as a page of the mail with this id, in the language in which it is written. `None` where it has no board: then the text
    /// says it all.
    pub(super) fn page(&self, title: &str, mail: &MessageId, language: Language) -> Option<Page> {
        let diagram = self.0.iter().find_map(|block| match block {
            Block::Board(diagram) => Some(diagram),
            Block::Line(_)
            | Block::Paragraph(_)
            | Block::Point(_)
            | Block::Gap
            | Block::Link { .. }
            | Block::Fixed(_) => None,
        })?;
        let content_id = ContentId::of(mail, "board");
        let title = escaped(title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n</head>\n\
             <body style=\"margin:0 auto;padding:8px;max-width:660px;font:16px/1.4 sans-serif;color-scheme:light dark\">\n\
             <h1 style=\"margin:0 0 12px;font-size:19px\">{title}</h1>\n"
        );
        for block in &self.0 {
            match block {
                Block::Line(line) | Block::Paragraph(line) => html.push_str(&format!("{}<br>\n", indented(line))),
                Block::Point(point) => html.push_str(&format!("&bull; {}<br>\n", escaped(point))),
                Block::Gap => html.push_str("<br>\n"),
                Block::Board(diagram) => html.push_str(&format!(
                    "<img src=\"cid:{content_id}\" width=\"{0}\" height=\"{0}\" alt=\"{1}\" \
                     style=\"display:block;width:100%;max-width:{0}px;height:auto;border:0;font-size:14px;overflow-wrap:anywhere\">\n",
                    picture::SHOWN,
                    escaped(&diagram.in_words(language))
                )),
                Block::Link { page, label, .. } => html.push_str(&format!(
                    "<a href=\"{}\" style=\"display:inline-block;margin:6px 0;padding:9px 16px;border:1px solid;\
                     border-radius:6px\">{}</a><br>\n",
                    escaped(page),
                    escaped(label)
                )),
                Block::Fixed(table) => html.push_str(&format!(
                    "<pre style=\"margin:0;padding:8px 0;overflow-x:auto;font:12px/1.35 monospace\">{}</pre>\n",
                    escaped(table)
                )),
            }
        }
        html.push_str("</body>\n</html>\n");
        let board = InlinePicture { content_id, file_name: "board.png".to_owned(), png: diagram.as_picture() };
        Some(Page { html, pictures: vec![board] })
    }
}

/// The line with its indent kept.
fn indented(line: &str) -> String {
    let text = line.trim_start_matches(' ');
    "&nbsp;".repeat(line.len() - text.len()) + &escaped(text)
}

/// The text as it is shown by a page, in an element or in an attribute between quotes (HTML, 13.1.2): no character of it is markup,
/// and none that turns the direction of what stands after it is left.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' => safe.push('\n'),
            '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' => {}
            other if other.is_control() => {}
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::transmission::compose::COLUMNS;

    fn diagram() -> Diagram {
        Diagram {
            position: Chess::default(),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            last: None,
            seen_from: Side::Black,
            when: "at the \"start\"".to_owned(),
        }
    }

    fn page(told: &Told) -> Page {
        told.page("EM/1 <b>", &"<EM-1.notice.07af@example.org>".parse().unwrap(), Language::English).unwrap()
    }

    #[test]
    fn both_forms_say_the_same_in_the_same_order() {
        let mut told = Told::default();
        told.line("first & last");
        told.gap();
        told.lines("a\n\n    b");
        told.paragraph("of sentences ".repeat(9));
        told.point("one ".repeat(30));
        told.board(diagram());
        told.link("mailto:a@example.org?subject=x%20y".to_owned(), "Answer".to_owned());
        told.fixed("1. 5254  <x>\n".to_owned());
        let plain = told.plain();
        assert!(plain.starts_with("first & last\n\na\n\n    b\nof sentences of"), "{plain}");
        assert!(plain.contains(" 1 R N B K Q B N R\n") && plain.contains("<mailto:a@example.org?subject=x%20y>\n"));
        assert!(plain.lines().all(|line| line.chars().count() <= COLUMNS), "{plain}");
        let html = page(&told).html;
        let places = [
            "first &amp; last<br>",
            "&nbsp;&nbsp;&nbsp;&nbsp;b<br>",
            "of sentences of",
            "&bull; one one",
            "<img ",
            "<a ",
            "<pre ",
        ]
        .map(|part| html.find(part).unwrap_or_else(|| panic!("{part} in {html}")));
        assert!(places.is_sorted(), "{places:?}");
        assert!(html.contains("1. 5254  &lt;x&gt;\n</pre>"), "{html}");
    }

    #[test]
    fn the_picture_is_named_as_the_page_names_it() {
        let mut told = Told::default();
        told.board(diagram());
        let page = page(&told);
        let [picture] = &page.pictures[..] else { panic!("{} pictures", page.pictures.len()) };
        assert_eq!(picture.content_id.to_string(), "board.EM-1.notice.07af@example.org");
        assert_eq!(page.html.matches(&format!("src=\"cid:{}\"", picture.content_id)).count(), 1);
        assert!(picture.png.starts_with(b"board "));
    }

    #[test]
    fn who_sees_no_picture_reads_the_position() {
        let mut told = Told::default();
        told.board(diagram());
        let html = page(&told).html;
        let alternative = html.split("alt=\"").nth(1).unwrap().split('"').next().unwrap();
        let white = "White: Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2.";
        let black = "Black: Ke8 Qd8 Ra8 Rh8 Bc8 Bf8 Nb8 Ng8 a7 b7 c7 d7 e7 f7 g7 h7.";
        let fen = "FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(alternative, format!("Position at the &quot;start&quot;. {white} {black} {fen}"));
    }

    #[test]
    fn a_letter_without_a_board_needs_no_page() {
        let mut told = Told::default();
        told.line("He resigns.");
        assert_eq!(told.page("He resigns", &"<a@b>".parse().unwrap(), Language::English), None);
    }

    #[test]
    fn no_word_of_anybody_becomes_markup() {
        let hostile = "<script>alert(1)</script>\" onload='x' &lt;\r\u{202E}\u{0}=?utf-8?q?x?=";
        let safe = "&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; &amp;lt;=?utf-8?q?x?=";
        assert_eq!(escaped(hostile), safe);
        let mut told = Told::default();
        told.line(hostile);
        told.point(hostile);
        told.fixed(hostile.to_owned());
        told.link(hostile.to_owned(), "Answer".to_owned());
        told.board(Diagram { when: hostile.to_owned(), ..diagram() });
        let html = told.page(hostile, &"<a@b>".parse().unwrap(), Language::English).unwrap().html;
        assert_eq!(html.matches(safe).count(), 7, "{html}");
        assert!(!html.contains("<script") && !html.contains("onload='"), "{html}");
    }

    #[test]
    fn a_page_fetches_nothing() {
        let mut told = Told::default();
        told.board(diagram());
        told.link("mailto:a@example.org".to_owned(), "Answer".to_owned());
        let html = page(&told).html;
        for remote in ["http:", "https:", "//", "url(", "<link", "<style", "<script", "@import"] {
            assert!(!html.contains(remote), "{remote} in {html}");
        }
    }
}
