//! A text in pieces, and the questions an offer asks of it: where it may begin, what follows, where a sentence ends.
//!
//! Each question looks at a few pieces around a place, or at one sentence of one line.

use std::collections::HashMap;
use std::ops::Range;

use super::offer_pieces::{Piece, What, pieces};
use super::offer_words::Sense;
use super::{Line, Written};

/// How much of an offer is quoted, in characters.
const MOST_WORDS: usize = 160;

/// The pieces of a text, with what can be asked of them.
pub(super) struct Text<'a> {
    pub(super) lines: &'a [Line<'a>],
    pub(super) pieces: Vec<Piece>,
    /// Where the first move stands.
    first_move: Option<usize>,
    /// Where each move stands first.
    first_places: HashMap<String, usize>,
    /// The pieces before this one belong to sentences that were read.
    pub(super) done: usize,
}

impl<'a> Text<'a> {
    /// The text in pieces.
    pub(super) fn of(lines: &'a [Line<'a>]) -> Text<'a> {
        let pieces = pieces(lines);
        let mut first_places = HashMap::new();
        for (at, piece) in pieces.iter().enumerate() {
            if let What::Move(written) = &piece.what {
                first_places.entry(written.to_string()).or_insert(at);
            }
        }
        let first_move = pieces.iter().position(|p| matches!(p.what, What::Move(_)));
        Text { lines, pieces, first_move, first_places, done: 0 }
    }

    pub(super) fn what(&self, at: usize) -> Option<&What> {
        self.pieces.get(at).map(|p| &p.what)
    }

    pub(super) fn is(&self, at: usize, sense: Sense) -> bool {
        self.what(at) == Some(&What::Word(sense))
    }

    pub(super) fn is_move(&self, at: usize) -> bool {
        matches!(self.what(at), Some(What::Move(_)))
    }

    /// The first piece from `at` on that is no number and no dots.
    pub(super) fn behind_number(&self, at: usize) -> usize {
        let more = self.pieces.iter().skip(at).take(3);
        at + more.take_while(|p| matches!(p.what, What::Number(..) | What::Dots)).count()
    }

    pub(super) fn same_line(&self, a: usize, b: usize) -> bool {
        matches!((self.pieces.get(a), self.pieces.get(b)), (Some(a), Some(b)) if a.line == b.line)
    }

    /// Where an offer begins whose sign stands at this piece.
    pub(super) fn begins(&self, at: usize) -> Option<usize> {
        let piece = self.pieces.get(at)?;
        match &piece.what {
            What::Word(Sense::If | Sense::Except) => Some(at),
            What::Word(Sense::Any) => {
                let numbered = matches!(self.what(at + 1), Some(What::Number(..))) && self.move_follows(at + 1);
                numbered.then(|| self.number_before(at))
            }
            What::Word(Sense::Perhaps) => {
                let next = self.pieces.get(at + 1).filter(|next| !next.names_move)?;
                matches!(next.what, What::Move(_) | What::Number(..) | What::Word(Sense::Glue)).then_some(at)
            }
            What::Word(Sense::Label) => {
                let before = at.checked_sub(1).filter(|b| self.same_line(*b, at)).and_then(|b| self.pieces.get(b));
                let of_player = before.is_some_and(|p| p.of_player || p.what == What::Unknown);
                (!of_player).then_some(at)
            }
            What::Word(Sense::On) => self.replies(at).then_some(at),
            What::Word(Sense::Postfix) => {
                let from = self.number_before(at.checked_sub(1).filter(|m| self.is_move(*m))?);
                Some(from)
            }
            What::Move(Written::Numeric(_)) => {
                let target = self.behind_number(at + 1);
                (piece.arrow && self.is_move(target)).then(|| self.number_before(at))
            }
            What::Move(_)
            | What::Number(..)
            | What::Dots
            | What::Break
            | What::Stop
            | What::Unknown
            | What::Word(_) => None,
        }
    }

    /// The number in front of a move, or the move itself.
    pub(super) fn number_before(&self, at: usize) -> usize {
        let mut from = at;
        while let Some(before) = from.checked_sub(1)
            && matches!(self.what(before), Some(What::Number(..) | What::Dots))
            && self.same_line(before, at)
            && at - from < 2
        {
            from = before;
        }
        from
    }

    /// "on 7475 I reply 6647": the first move is new to the text, and another stands above as the sender's own.
    pub(super) fn replies(&self, at: usize) -> bool {
        if self.is(at + 1, Sense::Any) {
            return self.move_follows(at + 2);
        }
        let first = self.behind_number(at + 1);
        let Some(What::Move(condition)) = self.what(first) else {
            return false;
        };
        let has_own = self.first_move.is_some_and(|place| place < at);
        let new = self.first_places.get(&condition.to_string()).is_some_and(|place| *place == first);
        let mut reply = first + 1;
        while matches!(self.what(reply), Some(What::Word(Sense::Glue | Sense::And | Sense::Then))) && reply < first + 6
        {
            reply += 1;
        }
        has_own && new && self.is_move(self.behind_number(reply))
    }

    /// A condition begins here, perhaps behind "and" or "or".
    pub(super) fn is_condition_next(&self, at: usize) -> bool {
        let mut next = at;
        while matches!(self.what(next), Some(What::Word(Sense::And | Sense::Or | Sense::Glue))) && next < at + 3 {
            next += 1;
        }
        matches!(self.what(next), Some(What::Word(Sense::If | Sense::Perhaps)))
    }

    /// A move stands behind words that are only glue.
    pub(super) fn move_follows(&self, at: usize) -> bool {
        let glue = |p: &&Piece| matches!(p.what, What::Word(Sense::Glue | Sense::And | Sense::Then | Sense::Postfix));
        let skipped = self.pieces.iter().skip(at).take(8).take_while(glue).count();
        self.is_move(self.behind_number(at + skipped))
    }

    /// The first piece of the sentence on this line.
    pub(super) fn sentence_start(&self, at: usize) -> usize {
        let mut from = at;
        while let Some(before) = from.checked_sub(1).filter(|before| *before >= self.done)
            && self.same_line(before, at)
            && self.pieces.get(before).is_some_and(|p| !p.ends && p.what != What::Break)
        {
            from = before;
        }
        from
    }

    /// The piece behind the sentence on this line.
    pub(super) fn sentence_end(&self, at: usize) -> usize {
        let mut until = at;
        while let Some(piece) = self.pieces.get(until) {
            until += 1;
            if piece.ends || !self.same_line(at, until) {
                break;
            }
        }
        until
    }

    pub(super) fn words(&self, from: usize, until: usize) -> String {
        let ranges = self.ranges(from, until);
        let text = |(line, part): (usize, Range<usize>)| Some(self.lines.get(line)?.text.get(part)?.trim());
        let words: Vec<&str> = ranges.into_iter().filter_map(text).collect();
        let words = words.join(" ");
        let words = words.trim_end_matches([',', ';', ' ', '(']);
        words.chars().take(MOST_WORDS).collect()
    }

    /// What these pieces take up: for each line, counted from 0, its bytes.
    pub(super) fn ranges(&self, from: usize, until: usize) -> Vec<(usize, Range<usize>)> {
        let mut ranges: Vec<(usize, Range<usize>)> = Vec::new();
        for piece in self.pieces.get(from..until).unwrap_or_default() {
            match ranges.last_mut().filter(|(line, _)| *line == piece.line) {
                Some((_, range)) => range.end = piece.until,
                None => ranges.push((piece.line, piece.from..piece.until)),
            }
        }
        ranges
    }
}
