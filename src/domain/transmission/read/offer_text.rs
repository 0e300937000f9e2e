//! A scanned text as an offer of conditional moves sees it: what each piece is to an offer, and where one may begin.
//!
//! Each question looks at a few pieces around a place. What a word means, the lexicon says.

use std::collections::HashMap;

use super::Written;
use super::document::Document;
use super::lex::Token;
use crate::domain::transmission::lexicon::{Key, Keys, is_run};

/// How much of an offer is quoted, in characters.
const MOST_WORDS: usize = 160;
/// Words that say nothing of whether a move is played: players, sides, moves, playing.
const GLUE: Keys = Keys::all(&[
    Key::I,
    Key::You,
    Key::He,
    Key::Move,
    Key::Play,
    Key::White,
    Key::Black,
    Key::Announce,
    Key::Mark,
    Key::This,
    Key::Below,
    Key::Game,
    Key::Position,
    Key::Later,
])
.and(Keys::all(&Key::PIECES));
/// Words by which a move is no offer.
const DOUBT: [Key; 6] = [Key::Deny, Key::TakeBack, Key::Recall, Key::Weigh, Key::Undecided, Key::Other];
/// Behind these nothing more is said of the moves.
const STOP: [Key; 7] = [Key::Closing, Key::Thanks, Key::Received, Key::Sent, Key::Days, Key::Total, Key::Replied];

/// What a piece of the text is to an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A condition follows: "if".
    If,
    /// The moves before it were the condition: Japanese "nara".
    Postfix,
    /// A condition of another kind: "unless".
    Except,
    /// Conditional moves follow: "conditional:".
    Label,
    /// The reply follows.
    Then,
    /// Joins two moves, or says nothing.
    And,
    Or,
    /// Any move.
    Any,
    /// Players, moves, playing.
    Glue,
    /// It takes the certainty from a move.
    Doubt,
    /// Dates, days, a farewell: the sentence goes on with something else.
    Stop,
    /// A move number; `true` when its dots say Black.
    Number(u32, bool),
    /// `...` behind a number: Black's half.
    Dots,
    Move(Written),
    Unknown,
}

/// A piece, and the signs behind it.
#[derive(Debug)]
pub(super) struct Sign {
    pub(super) what: What,
    /// Its line, counted from 0, and its sentence.
    pub(super) line: usize,
    pub(super) sentence: usize,
    pub(super) keys: Keys,
    /// A sentence ends behind it.
    pub(super) ends: bool,
    /// A question mark that is no comment on a move.
    pub(super) asks: bool,
    /// A comma.
    pub(super) pauses: bool,
    /// A semicolon; the border of a cell.
    pub(super) breaks: bool,
    pub(super) bars: bool,
    /// A colon.
    pub(super) announces: bool,
    arrow: bool,
    /// Brackets that open behind it less those that close.
    pub(super) brackets: isize,
}

/// The signs of a text, with what can be asked of them.
pub(super) struct Text<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) signs: Vec<Sign>,
    /// Where each move stands first.
    first_places: HashMap<String, usize>,
    first_move: Option<usize>,
}

impl<'d> Text<'d> {
    pub(super) fn of(document: &'d Document<'d>) -> Text<'d> {
        let mut signs: Vec<Sign> = Vec::with_capacity(document.pieces.len());
        for (sentence, at) in document.sentences.iter().enumerate().flat_map(|(number, sentence)| {
            sentence.clauses.iter().flat_map(|clause| clause.pieces.clone()).map(move |at| (number, at))
        }) {
            let sign = sign(document, at, sentence, signs.last());
            signs.push(sign);
        }
        let mut text = Text { document, signs, first_places: HashMap::new(), first_move: None };
        for (at, sign) in text.signs.iter().enumerate() {
            if let What::Move(written) = &sign.what {
                text.first_places.entry(written.to_string()).or_insert(at);
                text.first_move.get_or_insert(at);
            }
        }
        text
    }

    pub(super) fn what(&self, at: usize) -> Option<&What> {
        self.signs.get(at).map(|sign| &sign.what)
    }

    pub(super) fn is(&self, at: usize, what: &What) -> bool {
        self.what(at) == Some(what)
    }

    pub(super) fn is_move(&self, at: usize) -> bool {
        matches!(self.what(at), Some(What::Move(_)))
    }

    /// The number of a line, as the mail counts it, and how far it stands in.
    pub(super) fn line(&self, sign: &Sign) -> (usize, usize) {
        let line = self.document.lines.get(sign.line);
        line.map_or((0, 0), |line| (line.number, line.text.len() - line.text.trim_start().len()))
    }

    /// The first piece from `at` on that is no number and no dots.
    pub(super) fn behind_number(&self, at: usize) -> usize {
        let more = self.signs.iter().skip(at).take(3);
        at + more.take_while(|sign| matches!(sign.what, What::Number(..) | What::Dots)).count()
    }

    fn same_line(&self, a: usize, b: usize) -> bool {
        matches!((self.signs.get(a), self.signs.get(b)), (Some(a), Some(b)) if a.line == b.line)
    }

    /// Where an offer begins whose sign stands at this piece.
    pub(super) fn begins(&self, at: usize) -> Option<usize> {
        let sign = self.signs.get(at)?;
        match &sign.what {
            What::If | What::Except => Some(at),
            What::Any => {
                let is_beside_own = self.first_move.is_some_and(|place| place < at);
                (is_beside_own && self.move_follows(at + 1)).then(|| self.number_before(at))
            }
            // "your conditional", "no conditional moves"
            What::Label => {
                let lead = self.signs.get(self.sentence_start(at)..at).unwrap_or_default();
                let is_other = |sign: &&Sign| sign.keys.has_any(&[Key::You, Key::Deny, Key::He]);
                let unknown = lead.iter().filter(|sign| sign.what == What::Unknown).count();
                (unknown < 2 && !lead.iter().any(|sign| is_other(&sign))).then_some(at)
            }
            What::Postfix => Some(self.number_before(at.checked_sub(1).filter(|before| self.is_move(*before))?)),
            What::Move(Written::Numeric(_)) => {
                let target = self.behind_number(at + 1);
                (sign.arrow && self.is_move(target)).then(|| self.number_before(at))
            }
            What::And | What::Glue if !sign.keys.has_any(&[Key::I, Key::You]) => self.replies(at).then_some(at),
            _ => None,
        }
    }

    /// The number in front of a move, or the move itself.
    fn number_before(&self, at: usize) -> usize {
        let numbers = (at.saturating_sub(2)..at).rev();
        let is_number = |before: &usize| {
            matches!(self.what(*before), Some(What::Number(..) | What::Dots)) && self.same_line(*before, at)
        };
        numbers.take_while(is_number).last().unwrap_or(at)
    }

    /// "On 7475 I reply 6647": it begins a sentence, its first move is new to the text, and another stands above as the sender's own.
    fn replies(&self, at: usize) -> bool {
        let first = self.behind_number(at + 1);
        let Some(What::Move(condition)) = self.what(first) else { return false };
        let has_own = self.first_move.is_some_and(|place| place < at);
        let is_new = self.first_places.get(&condition.to_string()) == Some(&first);
        let between = self.signs.iter().skip(first + 1).take(5).take_while(|sign| is_glue(sign)).count();
        let words = self.signs.get(first + 1..=first + between).unwrap_or_default();
        let plays = words.iter().any(|sign| sign.what == What::Then || sign.keys.has_any(&[Key::Play, Key::I]));
        has_own
            && is_new
            && plays
            && self.sentence_start(at) == at
            && self.is_move(self.behind_number(first + 1 + between))
    }

    /// A condition begins here, perhaps behind "and" or "or".
    pub(super) fn is_condition_next(&self, at: usize) -> bool {
        let next =
            self.signs.iter().skip(at).take(4).find(|sign| !matches!(sign.what, What::And | What::Or | What::Glue));
        next.is_some_and(|sign| matches!(sign.what, What::If | What::Any))
    }

    /// A move stands behind words that are only glue.
    pub(super) fn move_follows(&self, at: usize) -> bool {
        let skipped = self.signs.iter().skip(at).take(8).take_while(|sign| is_glue(sign)).count();
        self.is_move(self.behind_number(at + skipped))
    }

    /// The first piece of the sentence, no further up than its line.
    pub(super) fn sentence_start(&self, at: usize) -> usize {
        let Some(here) = self.signs.get(at) else { return at };
        let same =
            |sign: &&Sign| sign.sentence == here.sentence && sign.line == here.line && !sign.ends && !sign.breaks;
        at - self.signs.get(..at).unwrap_or_default().iter().rev().take_while(same).count()
    }

    /// The piece behind the sentence.
    pub(super) fn sentence_end(&self, at: usize) -> usize {
        let Some(here) = self.signs.get(at) else { return at };
        at + self.signs.iter().skip(at).take_while(|sign| sign.sentence == here.sentence).count()
    }

    /// These pieces as they are written.
    pub(super) fn words(&self, from: usize, until: usize) -> String {
        let mut words = String::new();
        for line in self.document.pieces.get(from..until).unwrap_or_default().chunk_by(|a, b| a.line == b.line) {
            let (Some(first), Some(last)) = (line.first(), line.last()) else { continue };
            let (Some((line, start)), Some((_, end))) = (self.document.token(first), self.document.token(last)) else {
                continue;
            };
            let behind = line.text.get(end.end..).unwrap_or_default();
            let signs = behind.len() - behind.trim_start_matches(['.', '!', '?', ')', ']', '。']).len();
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(line.text.get(start.at..end.end + signs).unwrap_or_default());
            if words.len() > 4 * MOST_WORDS {
                break;
            }
        }
        words.chars().take(MOST_WORDS).collect()
    }
}

/// A word that says nothing of whether a move is played.
fn is_glue(sign: &Sign) -> bool {
    matches!(sign.what, What::Glue | What::And | What::Then | What::Postfix | What::Label)
}

fn sign(document: &Document<'_>, at: usize, sentence: usize, last: Option<&Sign>) -> Sign {
    let unknown = Sign {
        what: What::Unknown,
        line: 0,
        sentence,
        keys: Keys::default(),
        ends: false,
        asks: false,
        pauses: false,
        breaks: false,
        bars: false,
        announces: false,
        arrow: false,
        brackets: 0,
    };
    let Some(piece) = document.pieces.get(at) else { return unknown };
    let Some((line, placed)) = document.token(piece) else { return unknown };
    let next = document.pieces.get(at + 1).filter(|next| next.line == piece.line);
    let next = next.and_then(|next| Some(document.token(next)?.1));
    let gap = line.text.get(placed.end..next.map_or(line.text.len(), |next| next.at)).unwrap_or_default();
    let moves_next = next.is_some_and(|p| matches!(p.token, Token::Move(_) | Token::Algebraic(_) | Token::Spaced(_)));
    let written = document.written(piece);
    let last = last.filter(|last| last.line == piece.line);
    // "a)" and "1)" count branches; their brackets close nothing
    let is_marker = written.chars().filter(|c| c.is_alphanumeric()).count() == 1
        && format!("{written}{gap}").trim_end().ends_with(')');
    let what = match &placed.token {
        Token::Word(_) | Token::Number(_, false) if is_marker && !moves_next => What::Or,
        // "Si, 6... 5755" says yes
        Token::Word(_) if piece.keys.has(Key::Condition) && gap.starts_with([',', '!']) => What::Unknown,
        Token::Word(_) => word(piece.keys, written, document.pieces.get(at + 1).map(|next| next.keys), last),
        Token::Number(number, black) => What::Number(*number, *black),
        Token::Int(number) if moves_next => What::Number(*number, false),
        // "away 22-24 May"
        Token::Spaced(_)
            if last.is_none_or(|last| matches!(last.what, What::Unknown | What::Doubt | What::Stop | What::And)) =>
        {
            What::Unknown
        }
        Token::Move(numeric) | Token::Spaced(numeric) => What::Move(Written::Numeric(*numeric)),
        Token::Algebraic(text) => What::Move(Written::Algebraic(text.clone())),
        Token::Filler(true) => What::Dots,
        Token::Bar if written == ";" => What::Glue,
        Token::Filler(false) | Token::Bar | Token::Date(_) | Token::Time | Token::Slash(..) | Token::Int(_) => {
            What::Stop
        }
        Token::BadMove(..) => What::Unknown,
    };
    let is_move = matches!(what, What::Move(_));
    let is_open = matches!(what, What::Number(..) | What::Dots | What::Any) || is_marker;
    let count = |signs: [char; 2]| isize::try_from(gap.matches(signs).count()).unwrap_or(0);
    let behind = format!("{gap} ");
    Sign {
        ends: !is_open && (behind.contains(". ") || behind.contains('。') || (behind.contains("! ") && !is_move)),
        asks: gap.contains(['?', '？']) && !(is_move && (gap.contains("!?") || gap.contains("?!"))),
        pauses: gap.contains([',', '、']),
        breaks: gap.contains(';') || written == ";",
        bars: gap.contains(['|', '\t']),
        announces: !is_open && gap.contains([':', '：']),
        arrow: ["->", "=>", "→"].iter().any(|arrow| gap.contains(arrow)),
        brackets: if is_open { 0 } else { count(['(', '[']) - count([')', ']']) },
        what,
        line: piece.line,
        sentence,
        keys: piece.keys,
    }
}

/// What a word is to an offer; of its meanings those of conditions come first.
fn word(keys: Keys, written: &str, next: Option<Keys>, last: Option<&Sign>) -> What {
    // "or" asks by itself; in "is it" and "what if" two words do
    let is_or = keys.has(Key::Ask) && keys.has(Key::Common) && !next.is_some_and(|next| next.has(Key::Ask));
    match () {
        () if keys.is_empty() => What::Unknown,
        () if keys.has(Key::Harmless) => What::Glue,
        () if keys.has(Key::Conditional) => What::Label,
        () if keys.has(Key::Except) => What::Except,
        () if keys.has(Key::Any) => What::Any,
        () if keys.has(Key::Condition)
            && is_run(written)
            && last.is_some_and(|last| matches!(last.what, What::Move(_))) =>
        {
            What::Postfix
        }
        () if keys.has(Key::Condition) => What::If,
        () if keys.has_any(&STOP) && !keys.has(Key::Play) => What::Stop,
        () if keys.has(Key::Then) => What::Then,
        () if is_or => What::Or,
        () if keys.has_any(&DOUBT) => What::Doubt,
        () if keys.meets(GLUE) => What::Glue,
        () if keys.has_any(&[Key::Old, Key::Ask]) && !keys.has(Key::Common) => What::Doubt,
        () if keys.has_any(&[Key::Common, Key::Distinct]) => What::And,
        () => What::Doubt,
    }
}
