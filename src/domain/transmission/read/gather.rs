//! Walks over the lines of a message and gathers its moves, numbers, dates and doubts, line by line.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::carry::Kind;
use super::cells::{Cells, Columns};
use super::cut::{LineWords, Pieces, Style, has_label, is_move, is_move_like, is_table_only, pieces};
use super::document::Document;
use super::hedge::HedgeKind;
use super::labels::{self, Labels};
use super::lex::{Placed, Token};
use super::passage::{number_of, passages};
use super::stance::Stance;
use super::table::{HalfMove, Row, Segment};
use super::voice::Voices;
use super::{BadToken, Claim, Frame, How, Line, Reading, beside, paragraph, resolve, written};
use crate::domain::game::{MoveNumber, Side, Stated};
use crate::domain::transmission::lexicon::Key;

/// A claim whose dates are still as written.
pub(super) struct Draft {
    pub(super) claim: Claim,
    pub(super) cells: Cells,
    /// What the words on its line say of it.
    pub(super) words: Labels,
    /// The line speaks of the reader's own message: its dates are not the sender's.
    pub(super) of_reader: bool,
}

/// What was gathered so far.
#[derive(Default)]
pub(super) struct Gatherer {
    reading: Reading,
    drafts: Vec<Draft>,
    labels: Labels,
    columns: Columns,
    voices: Voices,
    style: Style,
    /// What the line below is.
    below: Option<Kind>,
    /// A piece of score that may go on in the next line, and what its line says.
    open: Option<Open>,
}

struct Open {
    segment: Segment,
    context: LineWords,
    /// Where the next one begins on its line.
    until: usize,
}

/// Goes on with a reading that has its head and its announcements.
pub(super) fn gather(reading: Reading, lines: &[Line<'_>], document: &Document<'_>, frame: &Frame<'_>) -> Reading {
    let style = Style::of(document.lines.iter().map(|line| line.tokens.as_slice()));
    let mut out = Gatherer { reading, style, voices: Voices::of(document, &frame.names), ..Gatherer::default() };
    let mut last_line = 0;
    for (at, (line, scanned)) in lines.iter().zip(&document.lines).enumerate() {
        let tokens = &scanned.tokens;
        let follows = line.number == last_line + 1;
        if !tokens.is_empty() {
            last_line = line.number;
        }
        out.reading.called.extend(beside::called(line, tokens));
        if let Some(columns) = Columns::of(tokens) {
            out.columns = columns;
        }
        let below = document.lines.get(at + 1).filter(|next| next.number == line.number + 1);
        out.below = below.and_then(|next| Kind::of_values(&next.tokens, next.text));
        out.line(line, tokens, follows, paragraph::is_alone(document, at), frame);
    }
    out.close();
    out.reading.asides = out.voices.asides;
    resolve::dates(out.drafts, &out.labels, &out.columns, frame, &mut out.reading);
    out.reading
}

impl Gatherer {
    fn line(&mut self, line: &Line<'_>, tokens: &[Placed], follows: bool, apart: bool, frame: &Frame<'_>) {
        if !has_label(tokens) {
            let decoys = decoys(tokens);
            self.reading.unread += tokens.iter().filter(|p| is_number(&p.token) && !decoys.contains(&p.at)).count();
        }
        let tokens = &*self.without_remark(line, tokens);
        let Pieces { before, mut segments, after } = pieces(tokens, line, &self.style, &self.columns);
        // letters that were lost give no number a meaning
        let is_garbled = line.text.contains("???");
        match segments.last_mut() {
            _ if is_garbled => {}
            Some(segment) => {
                segment.words.below = self.below;
                labels::of_row(tokens, line, &mut segment.words);
                self.labels.carried = std::mem::take(&mut segment.words.carried);
            }
            None => {
                self.labels.below = self.below;
                self.labels.take(tokens, line.text, line.number, is_table_only(tokens));
            }
        }
        let continues = follows && !is_garbled && is_table_only(&before) && !before.is_empty();
        match &mut self.open {
            Some(open) if continues => {
                open.segment.tokens.extend(before.into_iter().map(|p| p.token));
                let goes_on = Some(number_of(&open.segment));
                self.reading.passages.extend(passages(tokens, line, &segments, goes_on, frame));
            }
            _ => {
                self.reading.passages.extend(passages(tokens, line, &segments, None, frame));
                self.close();
                if segments.is_empty() {
                    self.unnumbered(line, &before, apart);
                } else {
                    let others = self.not_of_reader(line, &before);
                    self.loose(line.number, tokens, others);
                }
            }
        }
        let behind = after.first().map(|p| p.at);
        if !after.is_empty() {
            self.unnumbered(line, &after, false);
        }
        let context = LineWords::of(tokens);
        // moves in later sentences are no part of a row
        let last = behind.unwrap_or(usize::MAX);
        let ends: Vec<usize> = segments.iter().skip(1).map(|next| next.at).chain([last]).collect();
        for (segment, until) in segments.into_iter().zip(ends) {
            self.close();
            self.open = Some(Open { segment, context: context.clone(), until });
        }
        if context.is_prose || context.of_reader {
            self.close();
        }
    }

    /// The tokens without a move that a remark behind another one denies, weighs or gives to the reader: "9. 4131 <- not your 6355",
    /// "9. 4131 (6355 loses)", "9. 4131 (yours was 6355)".
    fn without_remark<'t>(&mut self, line: &Line<'_>, tokens: &'t [Placed]) -> Cow<'t, [Placed]> {
        let voice = |p: &Placed| self.voices.at(line.number, p.at);
        let hedge = |p: &Placed| voice(p).and_then(|voice| voice.hedge.clone());
        let [.., first, last] = &*tokens.iter().filter(|p| is_move_like(p)).collect::<Vec<_>>() else {
            return tokens.into();
        };
        let is_remark = |p: &Placed| voice(p).is_some_and(|voice| voice.is_remark);
        let Some(written) = written(last).filter(|_| is_remark(last) && !is_remark(first)) else {
            return tokens.into();
        };
        match hedge(last).filter(|_| hedge(first).is_none()) {
            Some(denied) => self.reading.weighed.push((written, denied)),
            None if voice(last).is_some_and(|voice| voice.stance == Stance::Yours) => {
                self.reading.of_reader.push((line.number, written));
            }
            None => return tokens.into(),
        }
        tokens.iter().filter(|p| p.at != last.at).cloned().collect()
    }

    /// Turns the open segment into claims.
    fn close(&mut self) {
        let Some(Open { segment, context, until }) = self.open.take() else { return };
        // "9... 4746 (not your 6877)": a remark is about its own move
        let all = || self.voices.between(segment.line, segment.at..until);
        let voices = || all().take(1).chain(all().skip(1).filter(|voice| !voice.is_remark));
        let hedge = voices().find_map(|voice| voice.hedge.clone());
        let row = segment.row();
        if let Some(hedge) = &hedge
            && let Row::Halves { white, black } = &row
        {
            let moves = [white, black].into_iter().flatten().map(|half| (half.written.clone(), hedge.clone()));
            self.reading.weighed.extend(moves);
            // what he asks is still open, and what he corrects is no talk, whatever else he decides for
            let is_talk = !matches!(hedge.kind, HedgeKind::Asked | HedgeKind::TakenBack | HedgeKind::Old);
            if self.voices.any_decided && is_talk {
                return;
            }
        }
        let strange = voices().filter(|voice| voice.stance == Stance::Bare).find_map(|voice| voice.strange.clone());
        // "you can play 46. 1725 now"
        let of_reader = voices().next().is_some_and(|voice| voice.stance == Stance::Yours);
        let strange = strange.or_else(|| of_reader.then(|| "you".to_owned()));
        // "9... SB7B (0-0)": what stands in the place of the move was not understood
        let is_remark = voices().next().is_some_and(|voice| voice.is_remark);
        let strange = strange.or_else(|| is_remark.then(|| "(".to_owned()));
        let numbered = |side| MoveNumber { number: segment.number, side };
        let bad = |text, why, is_certain| {
            let side = if segment.black { Side::Black } else { Side::White };
            BadToken { number: numbered(side), text, why, is_certain, line: segment.line }
        };
        let mut push = |side, half: HalfMove, said: Labels| {
            let claim = Claim {
                number: Some(numbered(side)),
                written: half.written,
                stated: Stated::default(),
                how: How::Numbered,
                line: segment.line,
                in_sentence: strange.clone(),
                conditional: false,
                hedge: hedge.clone(),
                maybe: half.maybe,
                beside: half.beside,
            };
            let mut cells = half.cells;
            if context.of_rest {
                (cells.days, cells.total, cells.lone_number, cells.open_pair) = (None, None, None, None);
            }
            self.drafts.push(Draft { claim, cells, words: said, of_reader: context.of_reader });
        };
        match row {
            Row::Halves { white, black } => {
                let of_white = if black.is_none() { segment.words.clone() } else { Labels::default() };
                if let Some(half) = white {
                    push(Side::White, half, of_white);
                }
                if let Some(half) = black {
                    push(Side::Black, half, segment.words);
                }
            }
            Row::Bad { text, why } => {
                let is_certain = text.chars().all(|c| c.is_ascii_digit());
                self.reading.bad.push(bad(text, why, is_certain));
            }
            Row::Muddled(moves) => self.reading.loose.extend(moves.into_iter().map(|m| (segment.line, m))),
            Row::Empty => {
                // the digits of a move that was not understood must not be passed over
                let digits = |n: u32| n > 10 && n.to_string().chars().all(|c| ('1'..='8').contains(&c));
                let lost = segment.tokens.iter().find_map(|token| match token {
                    Token::Int(n) if digits(*n) => Some(n.to_string()),
                    Token::Slash(a, b) if digits(*a) && digits(*b) => Some(format!("{a}/{b}")),
                    _ => None,
                });
                let why = "no move of four digits stands behind its number".to_owned();
                self.reading.bad.extend(lost.map(|text| bad(text, why, false)));
            }
        }
    }

    /// A line without a move number: "My move: 5755", a move alone in its paragraph, or digits in prose.
    fn unnumbered(&mut self, line: &Line<'_>, tokens: &[Placed], apart: bool) {
        let others = self.not_of_reader(line, tokens);
        let voice = |p: &Placed| self.voices.at(line.number, p.at);
        let stance = |p: &Placed| self.voices.stance(line.number, p.at);
        // castling in words needs no cue right before it
        let is_castling = |p: &Placed| matches!(&p.token, Token::Algebraic(text) if text.starts_with("O-O"));
        // "my rating is now 5847"
        let counts_something = tokens.iter().any(|p| p.keys.counts());
        let is_mine = |p: &Placed| match stance(p) {
            _ if counts_something => false,
            Stance::Mine => true,
            Stance::Loosely => is_castling(p),
            Stance::Bare | Stance::Yours => false,
        };
        let mine: Vec<&Placed> = others.iter().copied().filter(|p| is_mine(p)).collect();
        // "1213 rec 9/4 sent 11/4 days 2 total 20"
        let dated = has_label(tokens);
        let alone = tokens.iter().all(|p| match &p.token {
            Token::Move(_) | Token::Filler(_) | Token::Algebraic(_) => true,
            Token::Word(_) => paragraph::leaves_alone(p),
            Token::Date(_) | Token::Slash(..) | Token::Int(_) => dated,
            _ => false,
        });
        let (how, given) = match (mine.as_slice(), others.as_slice()) {
            ([_, ..], _) => (How::Announced, mine.clone()),
            ([], [_, ..]) if alone && apart => (How::Alone, others.clone()),
            _ => (How::Alone, Vec::new()),
        };
        let (digits, letters): (Vec<&Placed>, Vec<&Placed>) = given.iter().copied().partition(|p| is_move(p));
        let (one, beside) = match (digits.as_slice(), letters.as_slice()) {
            ([one], beside) => (Some(*one), beside.to_vec()),
            ([], [one]) => (Some(*one), Vec::new()),
            _ => (None, Vec::new()),
        };
        let taken = |p: &Placed| one.is_some() && given.binary_search_by_key(&p.at, |g| g.at).is_ok();
        let hedged = |p: &Placed| voice(p).and_then(|voice| voice.hedge.clone());
        let weighed = others.iter().filter_map(|p| Some((written(p)?, hedged(p)?)));
        self.reading.weighed.extend(weighed);
        let passed_over = |p: &Placed| hedged(p).is_some() && self.voices.any_decided;
        let loose: Vec<&Placed> = others.iter().copied().filter(|p| !taken(p) && !passed_over(p)).collect();
        // "I play 1213 games a year"
        let behind = one.and_then(|one| tokens.iter().find(|p| p.at > one.at));
        let counts = behind.is_some_and(|p| match &p.token {
            Token::Word(_) => p.keys.is_empty() || p.keys.has(Key::Game),
            Token::Date(_) => matches!(one.map(|one| &one.token), Some(Token::Spaced(_))),
            _ => false,
        });
        if let Some((one, written)) = one.and_then(|one| Some((one, written(one)?))) {
            let strange = voice(one).and_then(|voice| voice.strange.clone());
            let claim = Claim {
                number: None,
                written,
                stated: Stated::default(),
                how,
                line: line.number,
                in_sentence: strange.filter(|_| how == How::Alone || counts),
                conditional: false,
                hedge: hedged(one),
                maybe: false,
                beside: beside.into_iter().filter_map(super::written).map(|move_| move_.to_string()).collect(),
            };
            self.drafts.push(Draft { claim, cells: Cells::default(), words: Labels::default(), of_reader: false });
        }
        let is_mentioned = |p: &&&Placed| voice(p).is_some_and(|voice| voice.strange.is_some());
        let mentioned = loose.iter().filter(is_mentioned).filter_map(|p| Some((line.number, written(p)?)));
        self.reading.mentioned.extend(mentioned);
        self.loose(line.number, tokens, loose);
    }

    /// The moves among the tokens but those of the reader, which are set aside.
    fn not_of_reader<'t>(&mut self, line: &Line<'_>, tokens: &'t [Placed]) -> Vec<&'t Placed> {
        let is_yours = |p: &&Placed| self.voices.stance(line.number, p.at) == Stance::Yours;
        let (yours, others): (Vec<&Placed>, Vec<&Placed>) =
            tokens.iter().filter(|p| is_move_like(p)).partition(is_yours);
        self.reading.of_reader.extend(yours.into_iter().filter_map(written).map(|w| (line.number, w)));
        others
    }

    /// Moves without a place among the tokens of a line. Two digits, a sign and two digits are mostly something else, and so is
    /// the number of a telephone or a house.
    fn loose(&mut self, line: usize, tokens: &[Placed], moves: Vec<&Placed>) {
        let decoys = decoys(tokens);
        let strict = moves.into_iter().filter(|p| !matches!(p.token, Token::Spaced(_)) && !decoys.contains(&p.at));
        self.reading.loose.extend(strict.filter_map(written).map(|w| (line, w)));
    }
}

/// The places of digits that belong to a longer number, or stand on a line whose words say what they count: a telephone, a house, a
/// rating. Only digits without a place in the game are asked about: a numbered or announced move is never a decoy.
fn decoys(tokens: &[Placed]) -> BTreeSet<usize> {
    let is_row = tokens.iter().any(|p| matches!(p.token, Token::Number(..) | Token::Date(_) | Token::Slash(..)));
    let is_prose = !is_row && tokens.iter().any(|p| matches!(p.token, Token::Word(_)));
    let is_digits = |p: &Placed| matches!(p.token, Token::Int(_) | Token::BadMove(..) | Token::Move(_));
    if tokens.iter().any(|p| p.keys.counts()) {
        return tokens.iter().map(|p| p.at).collect();
    }
    let joined = |pair: &&[Placed]| match pair {
        [left, right] => is_digits(left) && is_digits(right) && right.at.saturating_sub(left.end) <= 3,
        _ => false,
    };
    tokens.windows(2).filter(|pair| is_prose && joined(pair)).flatten().map(|p| p.at).collect()
}

/// Digits or squares, whatever they mean; dates and clock times are known for what they are.
fn is_number(token: &Token) -> bool {
    !matches!(token, Token::Word(_) | Token::Date(_) | Token::Time | Token::Filler(_) | Token::Bar)
}
