//! Reads what a message says of a game. Tolerant of layout, strict in meaning: what it does not understand it reports.
//!
//! Covered: score sheets in columns of any order, running scores, numbered, labelled, announced and lone moves in digits or
//! algebraic notation, PGN, conditional lines; dates and days in sixteen languages; what is announced besides ([`spoken`]).
//!
//! Only the sender's own lines are read, and nothing here knows the board. The order: head, announcements (`events`), wrapping
//! (`prepare`), offers (`conditional`), then line by line (`gather` over `lex`, `cut`, `table`, `voice`), and the dates last
//! (`resolve`). Not covered: descriptive notation.

use std::fmt;

use chrono::NaiveDate;
use shakmaty::Role;

use super::{Half, Transmission};
use crate::domain::game::{MoveNumber, Side, Stated};
use crate::domain::notation::NumericMove;

mod around;
mod below;
mod beside;
mod carry;
mod cells;
pub mod conditional;
mod cut;
mod cutter;
mod document;
mod events;
mod figures;
mod gather;
mod head;
mod hedge;
mod items;
mod labels;
mod lex;
mod links;
mod offer_line;
mod offer_text;
mod paragraph;
mod passage;
mod prepare;
mod resolve;
mod scan;
mod sense;
mod settle;
mod sorts;
mod stance;
mod table;
mod unread;
mod unused;
mod vocabulary;
mod voice;
mod wording;

use conditional::{Offered, Offers};
use document::Document;
pub use events::{Event, Meaning, Spoken, spoken};
pub use hedge::{Aside, Hedge, HedgeKind, Reach};
use lex::Token;
pub use passage::Passage;
pub use sorts::{Sort, sorts};
pub use unread::{DateFault, FaultKind, Unread};
pub use unused::unused;
pub use voice::{asides, takes_back};

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
    /// The reader's last move on record, with its number: what the writer answers.
    pub answers: Option<(MoveNumber, NumericMove)>,
    /// The event's start.
    pub start: Option<NaiveDate>,
    /// The day of the mail's Date header or else of its arrival: nothing can be sent later, but for a time zone.
    pub latest: Option<NaiveDate>,
    /// The day on which the writer's clock dated the mail, if it can be true: his "today".
    pub mailed: Option<NaiveDate>,
    /// The writer's side: whose days count where a mail gives those of both.
    pub writer: Option<Side>,
    /// The names of the two players: where nothing is said of a move, whom they address or sign for is known.
    pub names: [&'a str; 2],
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Frame {
            first: MoveNumber { number: 1, side: Side::White },
            known: &[],
            answers: None,
            start: None,
            latest: None,
            mailed: None,
            writer: None,
            names: [""; 2],
        }
    }
}

/// How a move stands in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// With a move number.
    Numbered,
    /// A sentence or a label says that it is the sender's move.
    Announced,
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
    /// A condition begins on the line that is not understood.
    pub conditional: bool,
    /// What takes the certainty from it, in its own clause.
    pub hedge: Option<Hedge>,
    /// It may as well be the move before it, given once more in letters.
    pub maybe: bool,
    /// What looks like the same move in algebraic notation, beside its digits.
    pub beside: Vec<String>,
}

/// The word for a piece beside a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The line it stands on.
    pub line: usize,
    /// The move.
    pub written: Written,
    /// The word, in lower case.
    pub word: String,
    /// The piece.
    pub role: Role,
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
    /// They stand for a move and nothing else.
    pub is_certain: bool,
    /// The line it stands on.
    pub line: usize,
}

/// Everything a message says, with the doubts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Moves with a place in the game.
    pub claims: Vec<Claim>,
    /// What could be a move but has no place in the game: line and move.
    pub loose: Vec<(usize, Written)>,
    /// Those of them that a sentence speaks of, and does not play.
    pub mentioned: Vec<(usize, Written)>,
    /// What the sender only talks about: moves that he denies, asks about, considers.
    pub weighed: Vec<(Written, Hedge)>,
    /// Digits that got no meaning at all, on lines without a label.
    pub unread: usize,
    /// What the message says is the reader's move: line and move.
    pub of_reader: Vec<(usize, Written)>,
    /// Words for a piece right beside a move.
    pub called: Vec<Called>,
    /// The boards it shows as FEN: line and placement of the pieces.
    pub boards: Vec<(usize, String)>,
    /// The players whom PGN tags name.
    pub players: Vec<(Side, String)>,
    /// Digit groups that stand where a move belongs and are none.
    pub bad: Vec<BadToken>,
    /// What takes the certainty from moves elsewhere in the mail: "ignore the move above", "just kidding".
    pub asides: Vec<Aside>,
    /// What he announces besides.
    pub events: Vec<Spoken>,
    /// Lines that the sender offers after his move. Their moves stand nowhere else in the reading.
    pub offered: Vec<Offered>,
    /// Conditions beside moves that are not understood: line and words.
    pub unclear: Vec<(usize, String)>,
    /// Dates and days given in words, outside a row.
    pub labelled: Stated,
    /// The day of sending that the new move is given and that no mail of this day can mean; it stands nowhere else.
    pub sent_out_of_place: Option<NaiveDate>,
    /// Whether a date stands somewhere that got no meaning.
    pub dates_left_open: bool,
    /// The day on which the reader sent his last move, as the message repeats it.
    pub reader_sent: Option<NaiveDate>,
    /// The reader's running total, as the message gives it.
    pub reader_total: Option<u32>,
    /// Dates that no calendar has, or that are another weekday than the message says.
    pub date_faults: Vec<DateFault>,
    /// Numbers beside the dates of the new move that got no meaning, where nothing else gives its days.
    pub unread_numbers: Option<String>,
    /// Its lines with nothing but what stands there: moves, dates and numbers.
    pub passages: Vec<Passage>,
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
        let numeric = |step: &conditional::Step| match step {
            conditional::Step::Move { written: Written::Numeric(numeric), .. } => Some(*numeric),
            conditional::Step::Move { written: Written::Algebraic(_), .. } | conditional::Step::Any => None,
        };
        let conditionals = self.offered.iter().filter_map(|offered| offered.steps.iter().map(numeric).collect());
        Transmission { halves, conditionals: conditionals.collect(), ..self.head.clone() }
    }
}

/// The move of a token.
fn written(placed: &lex::Placed) -> Option<Written> {
    match &placed.token {
        Token::Move(m) | Token::Spaced(m) => Some(Written::Numeric(*m)),
        Token::Algebraic(text) => Some(Written::Algebraic(text.clone())),
        _ => None,
    }
}

/// Takes from `more` what `stated` leaves open.
pub fn fill(stated: &mut Stated, more: Stated) {
    stated.received = stated.received.or(more.received);
    stated.sent = stated.sent.or(more.sent);
    stated.days = stated.days.or(more.days);
    stated.total = stated.total.or(more.total);
}

/// Reads the sender's own lines.
pub fn read(lines: &[Line<'_>], frame: &Frame<'_>) -> Reading {
    let lines = &*super::remarks::without(lines);
    let (players, boards) = (beside::players(lines), beside::boards(lines));
    let mut reading = Reading { players, boards, ..Reading::default() };
    let heads: Vec<bool> = lines.iter().map(|line| head::head_line(line.text, &mut reading.head)).collect();
    let own: Vec<Line<'_>> =
        lines.iter().zip(&heads).filter(|(_, head)| !**head).map(|(line, _)| line.clone()).collect();
    let (events, left) = events::hear(&own);
    reading.head.draw_offer = events.iter().any(|e| e.event == Event::DrawOffer && e.meaning == Meaning::Clear);
    reading.events = events;
    // a line of the head stands as an empty one: the row above it does not go on
    let left = lines.iter().map(|line| (line.number, left.get(&line.number).map_or("", String::as_str)));
    let left: Vec<Line<'_>> = left.map(|(number, text)| Line { number, text }).collect();
    let prepared = prepare::prepare(&left);
    let lines: Vec<Line<'_>> = prepared.iter().map(|(number, text)| Line { number: *number, text }).collect();
    let document = Document::of(&lines);
    let offers = Offers::of(&document, frame.answers);
    reading.weighed.extend(offers.talk);
    let mut reading = gather::gather(reading, &lines, &document.without(&offers.used), frame);
    drop_impossible(&mut reading, frame);
    for claim in &mut reading.claims {
        claim.conditional = offers.unclear.binary_search_by_key(&claim.line, |(line, _)| *line).is_ok();
    }
    Reading { offered: offers.lines, unclear: offers.unclear, ..reading }
}

/// Leaves out the days of the new move that cannot be meant: behind the mail that states them, or most of a year before it.
fn drop_impossible(reading: &mut Reading, frame: &Frame<'_>) {
    let Some(latest) = frame.latest else { return };
    let cannot_be = |day: NaiveDate| !(-300..=1).contains(&(day - latest).num_days());
    let mut faults: Vec<DateFault> = Vec::new();
    let mut out_of_place = None;
    let mut clear = |stated: &mut Stated, line: usize| {
        out_of_place = out_of_place.or(stated.sent.filter(|day| cannot_be(*day)));
        for day in [&mut stated.received, &mut stated.sent] {
            if let Some(impossible) = day.filter(|day| cannot_be(*day)) {
                faults.push(DateFault { line, kind: FaultKind::FarFromMail(impossible, latest) });
                *day = None;
            }
        }
    };
    for claim in &mut reading.claims {
        let is_new = claim.number.and_then(|n| frame.first.plies_to(n)).is_none_or(|ply| ply >= frame.known.len());
        if is_new {
            clear(&mut claim.stated, claim.line);
        }
    }
    clear(&mut reading.labelled, reading.claims.last().map_or(1, |claim| claim.line));
    reading.sent_out_of_place = out_of_place;
    reading.dates_left_open |= !faults.is_empty();
    reading.date_faults.extend(faults);
}
