//! The tokens of a PGN file, each in one look at its bytes (section 7).
//!
//! Bytes, since a file may hold games of several encodings: every text is UTF-8, or else ISO 8859-1 (section 4.1). The value of a tag
//! may hold quotes that nobody escaped, as many files do: it ends with the quote before the bracket.

use super::Trouble;

/// Bytes of a tag's value that are kept.
const LONGEST_VALUE: usize = 64 << 10;

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`
    Tag(String, String),
    /// `6.`, `6...`, or `6` alone.
    Number { number: &'a [u8], dots: usize },
    /// `..` or more that stand apart from their number.
    Dots,
    /// A move, a result, or nonsense.
    Symbol(&'a [u8]),
    /// `{...}`, or from `;` to the end of the line; without line ends.
    Comment(String),
    /// `$3`, `!?`
    Glyph,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// A place in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    rest: &'a [u8],
    line: usize,
    /// Where the last token began, from 1.
    pub(super) token_line: usize,
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(file: &'a [u8]) -> Lexer<'a> {
        Lexer { rest: file, line: 1, token_line: 1, at_line_start: true }
    }

    /// Bytes not read yet.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    fn first(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Takes bytes that hold no line end.
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
        self.rest = rest;
        self.at_line_start &= taken.is_empty();
        taken
    }

    fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> &'a [u8] {
        self.take(self.rest.iter().position(|byte| !fits(*byte)).unwrap_or(self.rest.len()))
    }

    /// What is left of this line.
    fn line(&mut self) -> &'a [u8] {
        self.take_while(|byte| !is_line_end(byte))
    }

    /// Leaves this line at its end: LF, CR LF, or the CR of old Macs.
    fn line_end(&mut self) {
        let returns = self.rest.iter().take_while(|byte| **byte == b'\r').count();
        let with_feed = self.rest.get(returns) == Some(&b'\n');
        self.take(if with_feed { returns + 1 } else { 1 });
        self.line += 1;
        self.at_line_start = true;
    }

    /// Skips blanks, line ends, and lines that begin with `%` (section 6).
    fn skip(&mut self) {
        loop {
            match self.first() {
                Some(b'\n' | b'\r') => self.line_end(),
                Some(b'%') if self.at_line_start => {
                    self.line();
                }
                // of each of several files that were put together
                Some(_) if self.at_line_start && self.rest.starts_with(BYTE_ORDER_MARK) => {
                    self.rest = self.rest.get(BYTE_ORDER_MARK.len()..).unwrap_or_default();
                }
                // some old programs end a file with ^Z
                Some(byte) if byte.is_ascii_whitespace() || byte == 0x1a => {
                    self.take(1);
                }
                _ => return,
            }
        }
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Trouble> {
        self.skip();
        self.token_line = self.line;
        let Some(first) = self.first() else {
            return Ok(None);
        };
        let one = |lexer: &mut Self, token| {
            lexer.take(1);
            Ok(Some(token))
        };
        match first {
            b'[' => self.tag().map(Some),
            b'{' => self.comment().map(Some),
            b';' => {
                let before_game = self.game_ahead();
                let text = match before_game {
                    Some(count) => self.take(count),
                    None => self.line(),
                };
                Ok(Some(Token::Comment(decoded(text.strip_prefix(b";").unwrap_or(text)).trim().to_owned())))
            }
            b'(' => one(self, Token::Open),
            b')' => one(self, Token::Close),
            b'*' => Ok(Some(Token::Symbol(self.take(1)))),
            b'$' => {
                self.take(1);
                let digits = self.take_while(|byte| byte.is_ascii_digit());
                if digits.is_empty() { Err(Trouble::Stray('$')) } else { Ok(Some(Token::Glyph)) }
            }
            b'!' | b'?' => {
                self.take_while(|byte| matches!(byte, b'!' | b'?'));
                Ok(Some(Token::Glyph))
            }
            b'.' => {
                self.take_while(|byte| byte == b'.');
                Ok(Some(Token::Dots))
            }
            b']' | b'}' | b'"' => Err(Trouble::Stray(char::from(first))),
            _ => Ok(Some(self.symbol())),
        }
    }

    fn symbol(&mut self) -> Token<'a> {
        let ends = |byte: u8| {
            let is_mark = matches!(
                byte,
                b'[' | b']' | b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'!' | b'?' | b'.' | b'*' | b'"'
            );
            is_mark || byte.is_ascii_whitespace()
        };
        let start = self.rest;
        let word = self.take_while(|byte| !ends(byte));
        let is_number = word.iter().all(u8::is_ascii_digit);
        if is_number && (word.len() < 4 || self.first() == Some(b'.')) {
            let dots = self.take_while(|byte| byte == b'.').len();
            return Token::Number { number: word, dots };
        }
        // `exd6e.p.`: the only word with dots in it
        if word.ends_with(b"e") && self.rest.starts_with(b".p") {
            self.take(2);
            if self.first() == Some(b'.') {
                self.take(1);
            }
        }
        self.promotion_behind(word);
        Token::Symbol(start.get(..start.len() - self.rest.len()).unwrap_or(word))
    }

    /// Takes the piece in brackets, `d8(Q)`, after a pawn's move to the last rank; nothing else in brackets is one letter.
    fn promotion_behind(&mut self, word: &[u8]) {
        let is_pawn = matches!(word.strip_suffix(b"=").unwrap_or(word), [b'a'..=b'h', .., b'1' | b'8']);
        let mut ahead = *self;
        ahead.take_while(|byte| byte == b' ');
        if is_pawn && matches!(ahead.rest, [b'(', piece, b')', ..] if b"QRBNqrbn".contains(piece)) {
            ahead.take(3);
            *self = ahead;
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, Trouble> {
        let mut ahead = *self;
        ahead.take(1);
        let blank = |byte: u8| byte == b' ' || byte == b'\t';
        ahead.take_while(blank);
        let name = ahead.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        ahead.take_while(blank);
        if name.is_empty() || ahead.take(1) != b"\"" {
            return Err(Trouble::Tag);
        }
        let mut value = Vec::new();
        loop {
            match ahead.take(1) {
                b"" | b"\n" | b"\r" => return Err(Trouble::Tag),
                b"\\" if matches!(ahead.first(), Some(b'"' | b'\\')) => value.extend(ahead.take(1)),
                b"\"" if ahead.closes() => break,
                other if value.len() < LONGEST_VALUE => value.extend(other),
                // nothing that has a place in a game is as long: what is left of it will not do
                _ => {}
            }
        }
        if value.windows(GAME.len()).any(|bytes| bytes == GAME) {
            return Err(Trouble::Tag);
        }
        ahead.take_while(blank);
        ahead.take(1);
        *self = ahead;
        Ok(Token::Tag(decoded(name), decoded(&value)))
    }

    /// Whether the bracket that closes a tag comes next.
    fn closes(mut self) -> bool {
        self.take_while(|byte| byte == b' ' || byte == b'\t');
        self.first() == Some(b']')
    }

    fn comment(&mut self) -> Result<Token<'a>, Trouble> {
        let mut ahead = *self;
        ahead.take(1);
        let start = ahead.rest;
        loop {
            let line = ahead;
            ahead.take_while(|byte| byte != b'}' && !is_line_end(byte));
            match ahead.first() {
                Some(b'}') => break,
                Some(_) if line.game_ahead().is_none() => ahead.line_end(),
                _ => return Err(Trouble::Comment),
            }
            if ahead.rest.starts_with(GAME) {
                return Err(Trouble::Comment);
            }
        }
        let text = decoded(start.get(..start.len() - ahead.rest.len()).unwrap_or_default());
        ahead.take(1);
        *self = ahead;
        Ok(Token::Comment(text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// Goes on to where the next game seems to begin: the tag Event, also in this line; any tag after an empty line, or what was one there.
    pub(super) fn skip_to_game(&mut self) {
        while !self.rest.is_empty() {
            if let Some(count) = self.game_ahead() {
                self.take(count);
                return;
            }
            let blank = self.line().iter().all(u8::is_ascii_whitespace);
            self.line_end();
            if self.rest.starts_with(b"[Event ") || (blank && (self.is_tag() || self.was_tag())) {
                return;
            }
        }
    }

    /// Whether a line begins here, and as a tag does.
    pub(super) fn is_tag(&self) -> bool {
        self.at_line_start && matches!(self.rest, [b'[', next, ..] if next.is_ascii_alphabetic())
    }

    /// Goes over a byte that nothing can begin with.
    pub(super) fn leave(&mut self) {
        self.take(1);
    }

    /// Whether this line ends as a tag does, and a tag is on the next.
    fn was_tag(mut self) -> bool {
        let ends = self.line().trim_ascii_end().ends_with(b"\"]");
        self.line_end();
        ends && self.is_tag()
    }

    /// Where in this line a game begins, in bytes from here: a tag Event that begins the line, or is the last of the line, or has another
    /// after it. A file that was cut off in the middle of a line and another put after it has such a place.
    fn game_ahead(mut self) -> Option<usize> {
        let at_line_start = self.at_line_start;
        let line = self.line();
        let begins = |at: usize| {
            let behind = line.get(at..).and_then(|rest| rest.strip_prefix(GAME))?;
            let closed = behind.windows(2).position(|bytes| bytes == b"\"]").and_then(|end| behind.get(end + 2..));
            let last = closed.is_none_or(|rest| matches!(rest.trim_ascii_start(), [] | [b'[', ..]));
            (last || at == 0 && at_line_start).then_some(at)
        };
        (0..line.len()).find_map(begins)
    }
}

/// How a game begins, mostly (8.1.1).
const GAME: &[u8] = b"[Event \"";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A text in UTF-8, or else in ISO 8859-1 (section 4.1), without control characters.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let mut text: String = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    text.retain(|c| !c.is_control() || c.is_whitespace());
    text
}
