//! Reads what a message says of a game. Tolerant of layout, strict in meaning: what it does not understand it reports.
//!
//! Covered: score sheets in columns of any order and separator, running scores, numbered pairs and single moves, a labelled or a
//! lone move; dates in both orders. Not covered: moves inside sentences, algebraic notation as the only form, attachments.
//!
//! Only the sender's own lines are read; nothing here knows the board. A move in a sentence is reported as such, not taken.

use std::fmt;

use chrono::NaiveDate;

use super::{Half, Transmission};
use crate::domain::game::{MoveNumber, Side, Stated};
use crate::domain::notation::NumericMove;

mod cells;
mod cut;
mod doubt;
mod figures;
mod head;
mod items;
mod labels;
mod lex;
mod paragraph;
mod resolve;
mod settle;
mod table;
mod vocabulary;
mod words;

use cells::{Cells, Columns};
use cut::{LineWords, is_move, is_table_only, moves_in, segments};
use doubt::Doubts;
use head::head_line;
use labels::Labels;
use lex::{Placed, Token};
use table::{Row, Segment};
pub use words::Concern;

/// One line of the sender's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// Counted from 1 in the text of the mail.
    pub number: usize,
    /// Without its line end, normalised.
    pub text: &'a str,
}

/// What is known of a ply before the message is read; it dates what the message leaves open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    /// The day it was received, as it counts.
    pub received: Option<NaiveDate>,
    /// The day it was sent, as it counts.
    pub sent: Option<NaiveDate>,
    /// The running total of its side.
    pub total: Option<u32>,
}

/// The frame in which a message is read.
#[derive(Debug, Clone)]
pub struct Frame<'a> {
    /// The number of the first ply.
    pub first: MoveNumber,
    /// The plies on record.
    pub known: &'a [Known],
    /// The event's start.
    pub start: Option<NaiveDate>,
    /// The day of the mail's Date header or else of its arrival: nothing can be sent later, but for a time zone.
    pub latest: Option<NaiveDate>,
    /// The day on which the writer's clock dated the mail, if it can be true: his "today".
    pub mailed: Option<NaiveDate>,
    /// The writer's side: whose days count where a mail gives those of both.
    pub writer: Option<Side>,
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Frame {
            first: MoveNumber { number: 1, side: Side::White },
            known: &[],
            start: None,
            latest: None,
            mailed: None,
            writer: None,
        }
    }
}

/// How a move stands in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// With a move number.
    Numbered,
    /// Behind words such as "my move".
    Labelled,
    /// Alone in its paragraph.
    Alone,
}

/// A move as it stands in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// In ICCF numeric notation.
    Numeric(NumericMove),
    /// In algebraic notation, coordinates or words; castling always as `O-O` or `O-O-O`. The position tells what it means.
    Algebraic(String),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Numeric(numeric) => numeric.fmt(f),
            Written::Algebraic(text) => f.write_str(text),
        }
    }
}

/// A move that the message gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its number, if written.
    pub number: Option<MoveNumber>,
    /// The move.
    pub written: Written,
    /// Dates and days beside it.
    pub stated: Stated,
    /// How it stands there.
    pub how: How,
    /// The line it stands on.
    pub line: usize,
    /// A word on that line which makes it a sentence, so that its meaning is open.
    pub in_sentence: Option<String>,
    /// Whether a word such as "if" stands on the line.
    pub conditional: bool,
    /// What looks like algebraic notation on the same line.
    pub algebraic: Vec<String>,
}

impl Claim {
    /// The move, where it is numeric; else one that is never legal.
    pub fn numeric(&self) -> NumericMove {
        match &self.written {
            Written::Numeric(numeric) => *numeric,
            Written::Algebraic(_) => {
                NumericMove::of(&shakmaty::Move::Castle { king: shakmaty::Square::A8, rook: shakmaty::Square::H1 })
            }
        }
    }
}

/// A digit group where a move belongs, that is no move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadToken {
    /// The number it stands behind.
    pub number: MoveNumber,
    /// The digits.
    pub text: String,
    /// Why they are no move.
    pub why: String,
    /// The line it stands on.
    pub line: usize,
}

/// Everything a message says, with the doubts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Moves with a place in the game.
    pub claims: Vec<Claim>,
    /// Digit groups that could be moves but have no place: line and move.
    pub loose: Vec<(usize, NumericMove)>,
    /// What the message says is the reader's move: line and move.
    pub of_reader: Vec<(usize, NumericMove)>,
    /// What looks like algebraic notation, anywhere: line and text.
    pub algebraic: Vec<(usize, String)>,
    /// Digit groups that stand where a move belongs and are none.
    pub bad: Vec<BadToken>,
    /// Words after which a person must look: line and concern.
    pub concerns: Vec<(usize, Concern)>,
    /// The line of the formal draw offer.
    pub draw_offer: Option<usize>,
    /// Dates and days given in words, outside a row.
    pub labelled: Stated,
    /// Whether a date stands somewhere that got no meaning.
    pub dates_left_open: bool,
    /// The day on which the reader sent his last move, as the message repeats it.
    pub reader_sent: Option<NaiveDate>,
    /// The reader's running total, as the message gives it.
    pub reader_total: Option<u32>,
    /// Dates that no calendar has, or that are another weekday than the message says: in words.
    pub date_faults: Vec<String>,
    /// The head of the message, as far as it has one.
    pub head: Transmission,
}

impl Reading {
    /// The message as its writer composed it: the head and the numbered moves in order.
    pub fn transmission(&self) -> Transmission {
        let mut halves: Vec<Half> = Vec::new();
        for claim in &self.claims {
            let (Some(number), Written::Numeric(numeric)) = (claim.number, &claim.written) else { continue };
            match halves.iter_mut().find(|h| h.number == number && h.numeric == *numeric) {
                Some(half) => fill(&mut half.stated, claim.stated),
                None => halves.push(Half { number, numeric: *numeric, stated: claim.stated }),
            }
        }
        let start = MoveNumber { number: 0, side: Side::White };
        halves.sort_by_key(|h| start.plies_to(h.number));
        Transmission { halves, ..self.head.clone() }
    }
}

/// Takes from `more` what `stated` leaves open.
pub fn fill(stated: &mut Stated, more: Stated) {
    stated.received = stated.received.or(more.received);
    stated.sent = stated.sent.or(more.sent);
    stated.days = stated.days.or(more.days);
    stated.total = stated.total.or(more.total);
}

/// A claim whose dates are still as written.
struct Draft {
    claim: Claim,
    cells: Cells,
    /// What the words on its line say of it.
    words: Labels,
    /// The line speaks of the reader's own message: its dates are not the sender's.
    of_reader: bool,
}

/// Reads the sender's own lines.
pub fn read(lines: &[Line<'_>], frame: &Frame<'_>) -> Reading {
    let mut reading = Reading::default();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut labels = Labels::default();
    let mut columns = Columns::default();
    let mut doubts = Doubts::default();
    let mut open: Option<Segment> = None;
    let mut last_line = 0;
    for (at, line) in lines.iter().enumerate() {
        if head_line(line.text, &mut reading.head) {
            finish(open.take(), &[], &mut drafts, &mut reading);
            continue;
        }
        let tokens = lex::tokens(line.text);
        let follows = line.number == last_line + 1;
        if !tokens.is_empty() {
            last_line = line.number;
        }
        note_words(line, &tokens, &mut reading);
        reading.concerns.extend(doubts.take(line, &tokens));
        columns = Columns::of(&tokens).unwrap_or(columns);
        let (before, mut segments) = segments(&tokens, line.number, &columns);
        match segments.last_mut() {
            Some(segment) => labels::of_row(&tokens, line, &mut segment.words),
            None => labels.take(&tokens, line.text, line.number, is_table_only(&tokens)),
        }
        if follows && is_table_only(&before) && !before.is_empty() && open.is_some() {
            if let Some(segment) = &mut open {
                segment.tokens.extend(before.into_iter().map(|p| p.token));
            }
        } else {
            finish(open.take(), &[], &mut drafts, &mut reading);
            if segments.is_empty() {
                unnumbered(line, &before, paragraph::is_alone(lines, at), &mut drafts, &mut reading);
            } else {
                reading.loose.extend(moves_in(&before).map(|m| (line.number, m)));
            }
        }
        let context = LineWords::of(&tokens);
        let count = segments.len();
        for (index, segment) in segments.into_iter().enumerate() {
            finish(open.take(), &[], &mut drafts, &mut reading);
            if index + 1 == count && context.plain() {
                open = Some(segment);
            } else {
                finish(Some(segment), std::slice::from_ref(&context), &mut drafts, &mut reading);
            }
        }
    }
    finish(open.take(), &[], &mut drafts, &mut reading);
    resolve::dates(drafts, &labels, &columns, frame, &mut reading);
    reading
}

/// Turns a finished segment into claims.
fn finish(segment: Option<Segment>, context: &[LineWords], drafts: &mut Vec<Draft>, reading: &mut Reading) {
    let Some(segment) = segment else { return };
    let words = context.first().cloned().unwrap_or_default();
    let numbered = |side| MoveNumber { number: segment.number, side };
    let mut push = |side, written, cells, said: Labels| {
        let claim = Claim {
            number: Some(numbered(side)),
            written,
            stated: Stated::default(),
            how: How::Numbered,
            line: segment.line,
            in_sentence: words.in_sentence.clone(),
            conditional: words.conditional,
            algebraic: words.algebraic.clone(),
        };
        drafts.push(Draft { claim, cells, words: said, of_reader: words.of_reader });
    };
    match segment.row() {
        Row::Halves { white, black } => {
            let of_white = if black.is_none() { segment.words.clone() } else { Labels::default() };
            if let Some((written, cells)) = white {
                push(Side::White, written, cells, of_white);
            }
            if let Some((written, cells)) = black {
                push(Side::Black, written, cells, segment.words);
            }
        }
        Row::Bad { text, why } => {
            let side = if segment.black { Side::Black } else { Side::White };
            reading.bad.push(BadToken { number: numbered(side), text, why, line: segment.line });
        }
        Row::Muddled(moves) => reading.loose.extend(moves.into_iter().map(|m| (segment.line, m))),
        Row::Empty => {}
    }
}

/// A line without a move number: "My move: 5755", a move alone in its paragraph, or digits in prose.
fn unnumbered(line: &Line<'_>, tokens: &[Placed], apart: bool, drafts: &mut Vec<Draft>, reading: &mut Reading) {
    let moves: Vec<NumericMove> = moves_in(tokens).collect();
    let strict: Vec<NumericMove> =
        tokens.iter().filter_map(|p| if let Token::Move(m) = p.token { Some(m) } else { None }).collect();
    let words = LineWords::of(tokens);
    let labelled = tokens.iter().any(|p| matches!(&p.token, Token::Word(w) if words::is_move_label(w)));
    let alone = tokens.iter().all(|p| matches!(p.token, Token::Move(_) | Token::Filler(_) | Token::Algebraic(_)));
    let how = match (moves.as_slice(), strict.len(), labelled, alone) {
        ([_], _, true, _) if !words.of_reader => How::Labelled,
        ([of_reader], _, true, _) => {
            reading.of_reader.push((line.number, *of_reader));
            return;
        }
        ([_], 1, _, true) if apart => How::Alone,
        _ => {
            reading.loose.extend(strict.into_iter().map(|m| (line.number, m)));
            return;
        }
    };
    let Some(numeric) = moves.first().copied() else {
        return;
    };
    let claim = Claim {
        number: None,
        written: Written::Numeric(numeric),
        stated: Stated::default(),
        how,
        line: line.number,
        in_sentence: words.in_sentence,
        conditional: words.conditional,
        algebraic: words.algebraic,
    };
    drafts.push(Draft { claim, cells: Cells::default(), words: Labels::default(), of_reader: false });
}

fn note_words(line: &Line<'_>, tokens: &[Placed], reading: &mut Reading) {
    if line.text.trim() == "I offer a draw." {
        reading.head.draw_offer = true;
        reading.draw_offer = Some(line.number);
        return;
    }
    for placed in tokens {
        match &placed.token {
            Token::Word(word) => reading.concerns.extend(words::concern(word).map(|c| (line.number, c))),
            Token::Algebraic(text) => reading.algebraic.push((line.number, text.clone())),
            _ => {}
        }
    }
    for pair in tokens.windows(2) {
        if let [first, second] = pair
            && let (Token::Word(first), Token::Word(second)) = (&first.token, &second.token)
            && words::resigns(first, second)
        {
            reading.concerns.push((line.number, Concern::Resignation));
        }
    }
    let moves = tokens.iter().filter(|p| is_move(p)).count();
    if moves > 0 && LineWords::of(tokens).conditional {
        reading.concerns.push((line.number, Concern::Condition));
    }
    let text = line.text.trim_end_matches([' ', '.', '!', '?', ')']);
    let has_sign =
        |word: &str| word.strip_suffix('=').and_then(|w| w.chars().next_back()).is_some_and(|c| c.is_ascii_digit());
    let is_sign = moves > 0 && (text.ends_with('=') || text.split_whitespace().any(has_sign));
    let is_half = text.trim() == "1/2" || line.text.contains("1/2?");
    let signs = ["(=)", "½", "1/2-1/2", "引き分け", "引分"];
    if is_sign || is_half || signs.iter().any(|sign| line.text.contains(sign)) {
        reading.concerns.push((line.number, Concern::Draw));
    }
    if line.text.contains("投了") {
        reading.concerns.push((line.number, Concern::Resignation));
    }
    let is_result = |word: &str| matches!(word.trim_end_matches(['.', ',', '!']), "1-0" | "0-1");
    if line.text.split([' ', '(', ')', '"']).any(is_result) {
        reading.concerns.push((line.number, Concern::Resignation));
    }
}
