//! Games out of a PGN file, one by one (import format, section 3.2).
//!
//! A game is played through as it is read. After one that is refused, reading goes on with the next, so that a file tells all its
//! troubles at once. What will surprise you: move numbers are compared, counted from the first one the file gives, since a
//! number that does not fit is mostly a lost move. Moves inside variations are not looked at.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};

use super::lex::{Lexer, Token, decoded};
use super::note::Note;
use super::{PgnError, PgnGame, PgnPly, Place, Trouble};
use crate::domain::document::GameError;
use crate::domain::game::{GameResult, MoveNumber, Side};
use crate::domain::notation::{NumericMove, parse_player_move};
use crate::domain::replay::{Standing, first_number, set_up};

/// The games of a file, in their order; each good, or refused with the reason.
pub fn games(file: &[u8]) -> Games<'_> {
    Games { lexer: Lexer::new(file), size: file.len(), count: 0 }
}

/// What [`games`] gives.
#[derive(Debug, Clone)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    size: usize,
    count: usize,
}

impl Games<'_> {
    /// How many bytes of the file are read.
    pub fn position(&self) -> usize {
        self.size.saturating_sub(self.lexer.left())
    }
}

impl Iterator for Games<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reading = Reading::new(&mut self.lexer, self.count + 1);
        let read = reading.whole();
        let Reading { game, line, ply, at_next_game, is_begun, .. } = reading;
        if read == Ok(false) {
            return None;
        }
        self.count += 1;
        let Err(trouble) = read else {
            return Some(Ok(game));
        };
        if !is_begun {
            self.lexer.leave();
        }
        if !at_next_game {
            self.lexer.skip_to_game();
        }
        Some(Err(PgnError { line, ..game.error(ply, trouble) }))
    }
}

/// A game being read.
struct Reading<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    game: PgnGame,
    position: Chess,
    /// What the file's move numbers are too high by: some count a set-up position from 1.
    offset: Option<i64>,
    /// Where the present token stands.
    line: usize,
    /// The ply, counted from 0, that it is about.
    ply: Option<usize>,
    /// A first token was read.
    is_begun: bool,
    /// The reading broke off where the next game begins.
    at_next_game: bool,
}

impl<'l, 'a> Reading<'l, 'a> {
    fn new(lexer: &'l mut Lexer<'a>, number: usize) -> Self {
        let game = PgnGame {
            place: Place { game: number, line: 0, title: String::new() },
            tags: Vec::new(),
            start_fen: None,
            first: MoveNumber { number: 1, side: Side::White },
            plies: Vec::new(),
            comments: Vec::new(),
            variations: 0,
            glyphs: 0,
            result: None,
        };
        let position = Chess::default();
        Reading { lexer, game, position, offset: None, line: 0, ply: None, is_begun: false, at_next_game: false }
    }

    /// Reads one game; false where there is none any more.
    fn whole(&mut self) -> Result<bool, Trouble> {
        let mut before = *self.lexer;
        let mut token = loop {
            match self.token()? {
                None if self.game.tags.is_empty() => return Ok(false),
                None => return Err(Trouble::NoResult),
                Some(Token::Tag(name, value)) => self.tag(before, name, value)?,
                Some(Token::Comment(text)) => self.comment(&text)?,
                Some(other) => break other,
            }
            before = *self.lexer;
        };
        self.start()?;
        while !self.movetext(token)? {
            before = *self.lexer;
            token = match self.token().map_err(|trouble| self.at_tag(trouble, Trouble::NoResult))? {
                Some(Token::Tag(..)) => return Err(self.broken_off(before, Trouble::NoResult)),
                Some(token) => token,
                None => return Err(Trouble::NoResult),
            };
        }
        self.behind_the_result()?;
        Ok(true)
    }

    /// Takes the comments in the line of the result: they are of this game, and those of the lines below of the next.
    fn behind_the_result(&mut self) -> Result<(), Trouble> {
        loop {
            let mut ahead = *self.lexer;
            match ahead.next() {
                Ok(Some(Token::Comment(text))) if ahead.token_line == self.line => self.comment(&text)?,
                _ => return Ok(()),
            }
            *self.lexer = ahead;
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, Trouble> {
        self.ply = None;
        let token = self.lexer.next();
        self.line = self.lexer.token_line;
        if self.game.place.line == 0 {
            self.game.place.line = self.line;
        }
        self.is_begun |= token.is_ok();
        token
    }

    /// A trouble of the next game's, where it is a tag after the moves of this one; this one then has trouble of its own.
    fn at_tag(&mut self, trouble: Trouble, of_this: Trouble) -> Trouble {
        self.at_next_game = trouble == Trouble::Tag && self.lexer.is_tag();
        if self.at_next_game { of_this } else { trouble }
    }

    /// The trouble that the next game begins at a place where this one is not over.
    fn broken_off(&mut self, next_game: Lexer<'a>, trouble: Trouble) -> Trouble {
        *self.lexer = next_game;
        self.at_next_game = true;
        trouble
    }

    fn tag(&mut self, before: Lexer<'a>, name: String, value: String) -> Result<(), Trouble> {
        if self.game.tags.iter().any(|(other, _)| *other == name) {
            let trouble = Trouble::TagTwice(name.clone());
            return Err(if name == "Event" { self.broken_off(before, trouble) } else { trouble });
        }
        self.game.tags.push((name, value));
        let [white, black, event] = ["White", "Black", "Event"].map(|name| self.game.tag(name).unwrap_or_default());
        let players = if white.is_empty() && black.is_empty() { String::new() } else { format!("{white} - {black}") };
        let title =
            [players.as_str(), event].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        self.game.place.title = title;
        Ok(())
    }

    fn start(&mut self) -> Result<(), Trouble> {
        let variant = self.game.tag("Variant").filter(|v| !["standard", "from position"].contains(&&*v.to_lowercase()));
        if let Some(variant) = variant {
            return Err(Trouble::Variant(variant.to_owned()));
        }
        // 9.7: SetUp "0" is a game from the initial position
        let fen = self.game.tag("FEN").filter(|_| self.game.tag("SetUp") != Some("0")).map(str::to_owned);
        if let Some(fen) = fen {
            self.position = set_up(&fen).map_err(Trouble::Start)?;
            self.game.first = first_number(&self.position);
            self.game.start_fen = Some(fen).filter(|_| self.position != Chess::default());
        } else if self.game.tag("SetUp") == Some("1") {
            return Err(Trouble::NoStart);
        }
        Ok(())
    }

    /// Takes a token of the movetext; true for the result, which ends the game.
    fn movetext(&mut self, token: Token<'a>) -> Result<bool, Trouble> {
        let due = self.game.first.plus(self.game.plies.len());
        match token {
            Token::Number { number, dots } => self.number(number, dots, due)?,
            Token::Dots if due.side == Side::Black => {}
            Token::Dots => return Err(Trouble::Stray('.')),
            Token::Comment(text) => self.comment(&text)?,
            Token::Glyph => self.game.glyphs += 1,
            Token::Open => self.variation()?,
            Token::Close => return Err(Trouble::Stray(')')),
            Token::Tag(..) => return Err(Trouble::NoResult),
            Token::Symbol(symbol) => {
                self.ply = Some(self.game.plies.len());
                match usual_move(symbol, &self.position) {
                    Some(played) => self.play(played),
                    None => return self.word(&decoded(symbol)),
                }
            }
        }
        Ok(false)
    }

    fn play(&mut self, played: Move) {
        let numeric = NumericMove::of(&played);
        self.game.plies.push(PgnPly { numeric, stated: Default::default(), line: self.line, sent_at: None });
        self.position.play_unchecked(played);
    }

    /// Takes a word that is no move in SAN: the result, which ends the game (true), or whatever else names one legal move.
    fn word(&mut self, text: &str) -> Result<bool, Trouble> {
        if let Some(result) = result_of(text) {
            self.ply = None;
            self.end(text, result)?;
            return Ok(true);
        }
        if !matches!(text, "e.p." | "e.p" | "ep") {
            let legal = parse_player_move(text, &self.position).map_err(Trouble::Move)?;
            self.play(legal.played);
        }
        Ok(false)
    }

    fn number(&mut self, digits: &[u8], dots: usize, due: MoveNumber) -> Result<(), Trouble> {
        self.ply = Some(self.game.plies.len());
        let text = decoded(digits);
        let wrong = || Trouble::Number { found: format!("{text}{}", ".".repeat(dots.min(3))), due };
        let number: i64 = text.parse().map_err(|_| wrong())?;
        let offset = number - i64::from(due.number);
        let expected = *self.offset.get_or_insert(if self.game.start_fen.is_some() { offset } else { 0 });
        if offset != expected || (dots > 1 && due.side == Side::White) { Err(wrong()) } else { Ok(()) }
    }

    fn comment(&mut self, text: &str) -> Result<(), Trouble> {
        self.ply = self.game.plies.len().checked_sub(1);
        let note = Note::read(text)?;
        if !note.stated.is_empty() || note.sent_at.is_some() {
            let ply = self.game.plies.last_mut().ok_or_else(|| Trouble::DatesBeforeMoves(text.to_owned()))?;
            if !note.stated.is_empty() && !ply.stated.is_empty() || note.sent_at.is_some() && ply.sent_at.is_some() {
                return Err(Trouble::DatesTwice);
            }
            if !note.stated.is_empty() {
                ply.stated = note.stated;
            }
            ply.sent_at = ply.sent_at.or(note.sent_at);
        }
        if !note.words.is_empty() {
            self.game.comments.push((self.game.plies.len(), note.words));
        }
        Ok(())
    }

    fn variation(&mut self) -> Result<(), Trouble> {
        self.game.variations += 1;
        let mut depth = 1_usize;
        while depth > 0 {
            let before = *self.lexer;
            let token = self.lexer.next().inspect_err(|_| self.line = self.lexer.token_line);
            match token.map_err(|trouble| self.at_tag(trouble, Trouble::Variation))? {
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth -= 1,
                Some(Token::Tag(..)) => return Err(self.broken_off(before, Trouble::Variation)),
                Some(_) => {}
                None => return Err(Trouble::Variation),
            }
        }
        Ok(())
    }

    /// The game is over: the result after its moves must be that of its tag, and of a mate or stalemate on the board.
    fn end(&mut self, token: &str, result: Option<GameResult>) -> Result<(), Trouble> {
        if let Some(tag) = self.game.tag("Result") {
            match result_of(tag) {
                None => return Err(Trouble::ResultTag(tag.to_owned())),
                Some(other) if other != result => {
                    return Err(Trouble::Results { tag: tag.to_owned(), token: token.to_owned() });
                }
                Some(_) => {}
            }
        }
        let standing = Standing::of(&self.position);
        if let Some(said) = result
            && standing.refutes(self.position.turn().into(), said)
        {
            return Err(GameError::Board { what: standing.words(), result: said.word() }.into());
        }
        self.game.result = result;
        Ok(())
    }
}

/// The result that a word is (8.2.6), and what is written for a draw besides; `None` inside for a game that goes on.
fn result_of(word: &str) -> Option<Option<GameResult>> {
    match word {
        "1-0" => Some(Some(GameResult::WhiteWins)),
        "0-1" => Some(Some(GameResult::BlackWins)),
        "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Some(GameResult::Draw)),
        "*" => Some(None),
        _ => None,
    }
}

/// The legal move that is written in SAN as it should be, the common case.
fn usual_move(symbol: &[u8], position: &Chess) -> Option<Move> {
    SanPlus::from_ascii(symbol).ok()?.san.to_move(position).ok()
}
