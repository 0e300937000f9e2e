//! Walks over the lines of a message and gathers its moves, numbers, dates and doubts, line by line.

use super::cells::{Cells, Columns};
use super::cut::{LineWords, Pieces, Style, has_label, is_move, is_move_like, is_table_only, pieces};
use super::decoy::Decoys;
use super::doubt::Doubts;
use super::labels::{self, Labels};
use super::lex::{self, Placed, Token};
use super::stance::{self, Stance, Stances};
use super::table::{HalfMove, Row, Segment};
use super::{BadToken, Claim, Frame, How, Line, Reading, beside, cues, paragraph, resolve, vocabulary, words, written};
use crate::domain::game::{MoveNumber, Side, Stated};

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
    stances: Stances,
    style: Style,
    /// A piece of score that may go on in the next line, and what its line says.
    open: Option<Open>,
}

struct Open {
    segment: Segment,
    context: LineWords,
}

impl Gatherer {
    /// Goes on with a reading that has its head and its announcements.
    pub(super) fn of(reading: Reading) -> Gatherer {
        Gatherer { reading, ..Gatherer::default() }
    }

    pub(super) fn gather(&mut self, lines: &[Line<'_>]) {
        let tokens: Vec<Vec<Placed>> = lines.iter().map(|line| lex::tokens(line.text)).collect();
        self.stances = Stances::of(lines, &tokens);
        self.style = Style::of(&tokens);
        let mut doubts = Doubts::default();
        let mut last_line = 0;
        for (at, (line, tokens)) in lines.iter().zip(&tokens).enumerate() {
            let follows = line.number == last_line + 1;
            if !tokens.is_empty() {
                last_line = line.number;
            }
            let denied = self.stances.denied.binary_search(&line.number).is_ok();
            let doubtful = doubts.take(line, tokens);
            if (doubtful || denied) && !self.stances.decides(line.number) {
                self.reading.doubts.push(line.number);
            }
            self.reading.called.extend(beside::called(line, tokens));
            if let Some(columns) = Columns::of(tokens) {
                self.columns = columns;
            }
            self.line(line, tokens, follows, paragraph::is_alone(lines, at));
        }
        self.reading.is_recalled = doubts.recalled;
        self.close();
    }

    pub(super) fn finish(mut self, frame: &Frame<'_>) -> Reading {
        resolve::dates(self.drafts, &self.labels, &self.columns, frame, &mut self.reading);
        self.reading
    }

    fn line(&mut self, line: &Line<'_>, tokens: &[Placed], follows: bool, apart: bool) {
        if !has_label(tokens) {
            let decoys = Decoys::of(tokens);
            self.reading.unread += tokens.iter().filter(|p| is_number(&p.token) && !decoys.has(p.at)).count();
        }
        let Pieces { before, mut segments, after } = pieces(tokens, line, &self.style, &self.columns);
        // letters that were lost give no number a meaning
        let is_garbled = line.text.contains("???");
        match segments.last_mut() {
            _ if is_garbled => {}
            Some(segment) => labels::of_row(tokens, line, &mut segment.words),
            None => self.labels.take(tokens, line.text, line.number, is_table_only(tokens)),
        }
        let first = segments.first().map_or(0, |segment| segment.at);
        let gap = before.last().and_then(|p| line.text.get(p.end..first)).unwrap_or_default();
        let leads = (paragraph::leads_in(&before) || stance::ends_sentence(gap)) && !stance::speaks_of_move(tokens);
        let continues = follows && !is_garbled && is_table_only(&before) && !before.is_empty();
        match &mut self.open {
            Some(open) if continues => open.segment.tokens.extend(before.into_iter().map(|p| p.token)),
            _ => {
                self.close();
                if segments.is_empty() {
                    self.unnumbered(line, &before, apart);
                } else {
                    let stance = |p: &Placed| self.stances.at(line.number, p.at);
                    let (yours, others): (Vec<Placed>, Vec<Placed>) =
                        before.into_iter().partition(|p| is_move_like(p) && stance(p) == Stance::Yours);
                    self.reading.of_reader.extend(yours.iter().filter_map(written).map(|w| (line.number, w)));
                    self.loose(line.number, tokens, &others);
                }
            }
        }
        if !after.is_empty() {
            self.unnumbered(line, &after, false);
        }
        let context = LineWords::of(tokens);
        for (index, segment) in segments.into_iter().enumerate() {
            self.close();
            let mut context = context.clone();
            context.leads = leads && index == 0;
            self.open = Some(Open { segment, context });
        }
        if !context.plain() {
            self.close();
        }
    }

    /// Turns the open segment into claims.
    fn close(&mut self) {
        let Some(Open { segment, context }) = self.open.take() else { return };
        let stance = self.stances.at(segment.line, segment.at);
        let row = segment.row();
        if stance == Stance::Weighed
            && let Row::Halves { white, black } = &row
        {
            let moves = [white, black].into_iter().flatten().map(|half| (segment.line, half.written.clone()));
            self.reading.weighed.extend(moves);
            if self.stances.any_decided {
                return;
            }
        }
        let announced = matches!(stance, Stance::Mine | Stance::Loosely | Stance::Decided)
            || (context.leads && stance == Stance::Bare);
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
                in_sentence: context.in_sentence.clone().filter(|_| !announced),
                conditional: false,
                weighed: stance == Stance::Weighed,
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
        let context = LineWords::of(tokens);
        let stance = |p: &Placed| self.stances.at(line.number, p.at);
        let (yours, others): (Vec<&Placed>, Vec<&Placed>) =
            tokens.iter().filter(|p| is_move_like(p)).partition(|p| stance(p) == Stance::Yours);
        let mut of_reader: Vec<_> = yours.into_iter().filter_map(written).map(|w| (line.number, w)).collect();
        // castling in words needs no cue right before it
        let is_castling = |p: &Placed| matches!(&p.token, Token::Algebraic(text) if text.starts_with("O-O"));
        let is_mine = |p: &Placed| match stance(p) {
            Stance::Mine | Stance::Decided => true,
            Stance::Loosely => is_castling(p),
            Stance::Bare | Stance::Yours | Stance::Weighed => false,
        };
        let mine: Vec<&Placed> = others.iter().copied().filter(|p| is_mine(p)).collect();
        // "1213 rec 9/4 sent 11/4 days 2 total 20"
        let dated = has_label(tokens);
        let ahead_of_moves = tokens.iter().take_while(|p| !is_move_like(p)).count();
        let alone = tokens.iter().enumerate().all(|(at, p)| match &p.token {
            Token::Move(_) | Token::Filler(_) | Token::Algebraic(_) => true,
            Token::Word(word) => vocabulary::label(word).is_some() || (at < ahead_of_moves && cues::opens(word)),
            Token::Date(_) | Token::Slash(..) | Token::Int(_) => dated,
            _ => false,
        });
        let (how, given) = match (mine.as_slice(), others.as_slice()) {
            ([_, ..], _) => (How::Announced, mine.clone()),
            ([], [_, ..]) if alone && apart => (How::Alone, others.clone()),
            _ => (How::Alone, Vec::new()),
        };
        let digits: Vec<&Placed> = given.iter().copied().filter(|p| is_move(p)).collect();
        let letters: Vec<&Placed> = given.iter().copied().filter(|p| !is_move(p)).collect();
        let (one, beside) = match (digits.as_slice(), letters.as_slice()) {
            ([one], beside) => (Some(*one), beside.to_vec()),
            ([], [one]) => (Some(*one), Vec::new()),
            _ => (None, Vec::new()),
        };
        let taken = |p: &Placed| one.is_some() && given.binary_search_by_key(&p.at, |g| g.at).is_ok();
        self.reading.weighed.extend(
            others.iter().filter(|p| stance(p) == Stance::Weighed).filter_map(|p| Some((line.number, written(p)?))),
        );
        let weighed = |p: &Placed| stance(p) == Stance::Weighed && self.stances.any_decided;
        let loose: Vec<Placed> = others.iter().copied().filter(|p| !taken(p) && !weighed(p)).cloned().collect();
        self.reading.of_reader.append(&mut of_reader);
        // "I play 1213 games a year"
        let behind = one.and_then(|one| tokens.iter().find(|p| p.at > one.at));
        let counts = behind.is_some_and(|p| match &p.token {
            Token::Word(word) => !words::is_harmless(word) && !cues::is_small(word),
            Token::Date(_) => matches!(one.map(|one| &one.token), Some(Token::Spaced(_))),
            _ => false,
        });
        if let Some(written) = one.and_then(written) {
            let claim = Claim {
                number: None,
                written,
                stated: Stated::default(),
                how,
                line: line.number,
                in_sentence: context.in_sentence.filter(|_| how == How::Announced && counts),
                conditional: false,
                weighed: false,
                maybe: false,
                beside: beside.into_iter().filter_map(text).collect(),
            };
            self.drafts.push(Draft { claim, cells: Cells::default(), words: Labels::default(), of_reader: false });
        }
        self.loose(line.number, tokens, &loose);
    }

    /// Moves without a place among the tokens of a line. Two digits, a sign and two digits are mostly something else, and so is
    /// the number of a telephone or a house.
    fn loose(&mut self, line: usize, tokens: &[Placed], moves: &[Placed]) {
        let decoys = Decoys::of(tokens);
        let strict = moves.iter().filter(|p| !matches!(p.token, Token::Spaced(_)) && !decoys.has(p.at));
        self.reading.loose.extend(strict.filter_map(written).map(|w| (line, w)));
    }
}

/// Digits or squares, whatever they mean; dates and clock times are known for what they are.
fn is_number(token: &Token) -> bool {
    !matches!(token, Token::Word(_) | Token::Date(_) | Token::Time | Token::Filler(_) | Token::Bar)
}

fn text(placed: &Placed) -> Option<String> {
    match &placed.token {
        Token::Algebraic(text) => Some(text.clone()),
        _ => None,
    }
}
