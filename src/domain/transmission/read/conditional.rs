//! Finds the conditional moves that a message offers: "6... 5755 if 7. 4445 then 3847".
//!
//! Covered: chains, branches below a stem, lists over several lines, "any move", labels ("Eventualzug:"), arrows, and
//! "on 7475 I reply 6647". Every word between the moves must be understood; a condition with a reply that is not understood is
//! reported, never dropped. A condition on a move without a reply ("if 12. 2356+ then Black stands well"), or on a move of the
//! sender's ("if I had played 7163"), is talk: its moves are not his. A condition without moves touches none. Moves before the
//! condition are the sender's own. Whether a line plays out is the judge's business.

use std::collections::BTreeSet;

use super::document::Document;
use super::hedge::{Hedge, HedgeKind};
use super::offer_line::{Before, Tree, written_number};
use super::offer_text::{Sign, Text, What};
use super::{Line, Written};
use crate::domain::game::MoveNumber;
use crate::domain::notation::NumericMove;
use crate::domain::transmission::lexicon::Key;

/// One ply of an offered line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// This move.
    Move {
        /// Its number, where one is written; a single point is White's, though many write it for Black too.
        number: Option<MoveNumber>,
        /// The move.
        written: Written,
    },
    /// Whatever the player plays.
    Any,
}

/// A line the sender offers after his move: the player's ply, the sender's reply, the player's ply, ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The line of the mail where the offer begins.
    pub line: usize,
    /// The plies in order.
    pub steps: Vec<Step>,
    /// The offer as he wrote it, with all its branches.
    pub words: String,
}

/// The conditional moves of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// The lines offered, in the order of the text.
    pub lines: Vec<Offered>,
    /// Conditions beside moves that are not understood: line number and words.
    pub unclear: Vec<(usize, String)>,
    /// Moves on which a condition stands that offers nothing.
    pub talk: Vec<(Written, Hedge)>,
    /// The pieces of offers and of such talk. No other reader takes a move from there.
    pub(super) used: BTreeSet<usize>,
}

impl Offers {
    /// The conditional moves of a scanned text; `answers` is the reader's last move with its number.
    pub(super) fn of(document: &Document<'_>, answers: Option<(MoveNumber, NumericMove)>) -> Offers {
        let text = Text::of(document);
        let mut offers = Offers::default();
        let (mut at, mut done) = (0, 0);
        while at < text.signs.len() {
            at = match text.begins(at) {
                Some(start) => {
                    done = Clause::at(&text, start.max(done), at, answers).read(&mut offers).max(at + 1);
                    done
                }
                None => at + 1,
            };
        }
        offers
    }
}

/// The conditional moves of the sender's lines.
pub fn offered(lines: &[Line<'_>]) -> Offers {
    Offers::of(&Document::of(lines), None)
}

/// A condition being read.
struct Clause<'t> {
    text: &'t Text<'t>,
    /// The reader's last move.
    answers: Option<(MoveNumber, NumericMove)>,
    start: usize,
    /// Where its sign stands.
    sign: usize,
    /// A label or a colon announces a list.
    header: bool,
    tree: Tree,
    /// What stands between the last move and the next.
    before: Before,
    /// The piece behind the last move.
    behind_move: usize,
    /// A word was not understood; and one before the first move, so that the condition is none on that move.
    unknown: bool,
    is_other: bool,
    /// Commas behind that word.
    pauses: usize,
    asks: bool,
    misfit: bool,
    brackets: isize,
    /// The last move is in letters, and whether a bracket opened behind it.
    letters: Option<bool>,
    /// The first move is numeric; castling is written with letters in both notations.
    numeric: Option<bool>,
}

/// How to go on behind a piece.
enum Flow {
    On,
    Stop,
    /// It is no condition on moves.
    Nothing,
}

impl<'t> Clause<'t> {
    /// A clause that begins at `start`, and whose sign stands at `sign`.
    fn at(text: &'t Text<'t>, start: usize, sign: usize, answers: Option<(MoveNumber, NumericMove)>) -> Clause<'t> {
        Clause {
            text,
            answers,
            start,
            sign,
            header: text.is(sign, &What::Label) || text.signs.get(sign).is_some_and(|sign| sign.announces),
            tree: Tree::default(),
            before: Before::default(),
            behind_move: start,
            unknown: false,
            is_other: false,
            pauses: 0,
            asks: false,
            misfit: false,
            brackets: 0,
            letters: None,
            numeric: None,
        }
    }

    /// Reads to the end of the offer and keeps what it found. Gives the piece to go on with.
    fn read(mut self, offers: &mut Offers) -> usize {
        let mut at = self.start;
        while let Some(sign) = self.text.signs.get(at) {
            if at > self.start && (!self.goes_on(at) || self.opens_remark(at)) {
                break;
            }
            match self.piece(at, sign) {
                Flow::On => {}
                Flow::Stop => break,
                Flow::Nothing => return at,
            }
            self.pauses += usize::from(self.tree.is_empty() && (sign.pauses || sign.announces));
            self.brackets += sign.brackets;
            at += 1;
            if self.misfit || self.brackets < 0 {
                break;
            }
        }
        if self.tree.is_empty() && !self.misfit { at } else { self.keep(at, offers) }
    }

    fn piece(&mut self, at: usize, sign: &Sign) -> Flow {
        let has_move = !self.tree.is_empty();
        match &sign.what {
            What::Number(number, black) => self.before.number = Some((*number, *black)),
            What::Dots => self.before.number = self.before.number.map(|(number, _)| (number, true)),
            What::If => (self.before.condition, self.before.number) = (true, None),
            What::Then => self.before.joins |= self.before.condition,
            What::And => self.before.joins = true,
            What::Or => self.before.or = true,
            // "if you don't mind"
            What::Glue if sign.keys.has(Key::Harmless) && !has_move && !self.header => return Flow::Nothing,
            What::Glue | What::Label | What::Postfix => {}
            What::Any => self.any(at),
            What::Stop if has_move => return Flow::Stop,
            // "if I am away on 22.10."
            What::Stop => return Flow::Nothing,
            What::Unknown if self.may_be_verb(at, sign) => {}
            What::Except | What::Doubt | What::Unknown => {
                self.unknown = true;
                self.misfit |= has_move;
            }
            // "if you come to Hamburg, do call, my move is 6... 5755"
            What::Move(_) if self.unknown && !has_move && self.pauses > 1 => return Flow::Nothing,
            What::Move(_) if !self.header && !has_move && self.is_announced(at) => return Flow::Nothing,
            // "On your 7. 4445 I reply 7... 3847", and he has played it
            What::Move(written) if !self.header && !has_move && self.is_answered(written) => return Flow::Nothing,
            What::Move(written) => {
                self.misfit |= self.unknown;
                self.is_other |= self.unknown && !has_move;
                self.asks |= sign.asks && !self.tree.is_even();
                self.take_move(sign, written);
                self.behind_move = at + 1;
            }
        }
        if !matches!(sign.what, What::Move(_) | What::Number(..) | What::Dots) {
            self.letters = None;
        }
        Flow::On
    }

    /// "Si vous jouez 7. 4445", "falls Du 5263 schlägst, ...": beside the move of a condition a verb needs not to be known.
    fn may_be_verb(&self, at: usize, sign: &Sign) -> bool {
        if self.tree.is_even() {
            let is_near = |at: usize| !matches!(self.text.what(at), Some(What::Unknown | What::Doubt | What::Except));
            return self.before.condition
                && !sign.pauses
                && !sign.announces
                && is_near(at.saturating_sub(1))
                && self.text.is_move(self.text.behind_number(at + 1));
        }
        at == self.behind_move && (sign.pauses || self.text.is(at + 1, &What::Then))
    }

    /// Whether a move is the reader's last one: what is played already is no condition.
    fn is_answered(&self, written: &Written) -> bool {
        self.answers.is_some_and(|(number, numeric)| {
            *written == Written::Numeric(numeric)
                && self.before.number.is_none_or(|(written, _)| written == number.number)
        })
    }

    /// "I am away when you get this: 6... 5755"
    fn is_announced(&self, at: usize) -> bool {
        let before = self.text.signs.get(self.sign + 1..at).unwrap_or_default();
        before.iter().any(|sign| sign.announces)
    }

    /// Any move, where one is due and a reply follows.
    fn any(&mut self, at: usize) {
        let pauses = at.checked_sub(1).and_then(|last| self.text.signs.get(last)).is_some_and(|last| last.pauses);
        let begins = self.before.condition || self.before.apart || self.tree.is_empty() || pauses;
        let is_due = self.tree.is_even() && (begins || self.before.number.is_some());
        if is_due && !self.text.is(at + 1, &What::Any) && self.text.move_follows(at + 1) {
            self.before.apart |= pauses && !self.before.condition;
            self.take(Step::Any);
            self.behind_move = at + 1;
        }
    }

    fn take_move(&mut self, sign: &Sign, written: &Written) {
        let is_numeric = matches!(written, Written::Numeric(_));
        let castles = matches!(written, Written::Algebraic(text) if text.starts_with('O'));
        let number = self.before.number.map(written_number);
        let step = Step::Move { number, written: written.clone() };
        // "8... Ch5 (6685)", "O-O, 9. 5171": the digits of the move in letters
        if let Some(is_bracketed) = self.letters.take()
            && is_numeric
            && (is_bracketed || self.tree.ends_castling_as(written))
        {
            self.numeric = Some(true);
            self.misfit |= self.tree.spell(step, std::mem::take(&mut self.before)).is_err();
            return;
        }
        // two notations in one sentence may be one move twice
        self.misfit |= !castles && *self.numeric.get_or_insert(is_numeric) != is_numeric;
        self.letters = (!is_numeric).then_some(sign.brackets > 0);
        if sign.brackets > 0 && !is_numeric {
            self.numeric = None;
        }
        self.take(step);
    }

    fn take(&mut self, step: Step) {
        self.misfit |= self.tree.push(step, std::mem::take(&mut self.before)).is_err();
    }

    /// Keeps what was read up to `until`: as an offer, as talk, or as a condition that is not understood.
    fn keep(mut self, until: usize, offers: &mut Offers) -> usize {
        let text = self.text;
        let line = text.signs.get(self.start).map_or(0, |sign| text.line(sign).0);
        let end = text.sentence_end(until.saturating_sub(1).max(self.start)).max(until);
        if self.is_talk(end) {
            self.tree.drop_last();
            if self.tree.is_empty() {
                self.keep_talk(end, line, offers);
                return end;
            }
            self.misfit = false;
        }
        let lead = text.signs.get(text.sentence_start(self.start)..self.start).unwrap_or_default();
        let thought = lead.iter().any(|sign| sign.keys.has(Key::Weigh));
        let last = until.checked_sub(1).and_then(|last| text.signs.get(last));
        if self.misfit || self.tree.is_broken() || thought || self.asks || last.is_some_and(|sign| sign.asks) {
            offers.unclear.push((line, text.words(self.start, end)));
            return end;
        }
        let words = text.words(self.start, until);
        let lines = self.tree.finish().into_iter();
        offers.lines.extend(lines.map(|steps| Offered { line, steps, words: words.clone() }));
        // "And if": words that only lead up to the offer belong to it
        let leads = |sign: &Sign| matches!(sign.what, What::Glue | What::And | What::Or | What::Label);
        let from = if lead.iter().all(leads) { self.start - lead.len() } else { self.start };
        // "Against anything else I shall think."
        let rest = text.signs.get(until..text.sentence_end(until)).unwrap_or_default();
        let speaks_of_any = rest.iter().any(|sign| sign.what == What::Any);
        let is_rest = speaks_of_any
            && !rest.iter().any(|sign| matches!(sign.what, What::Move(_) | What::Number(..) | What::Stop));
        let until = if is_rest { until + rest.len() } else { until };
        offers.used.extend(from..until);
        until
    }

    /// A condition on a move, and then words where the reply would stand; or one on a move of the sender's own.
    fn is_talk(&self, end: usize) -> bool {
        /// Words that a condition whose reply was lost may end with.
        const FEW: usize = 1;
        let signs = |from: usize, until: usize| self.text.signs.get(from..until).unwrap_or_default().iter();
        let rest = signs(self.behind_move, end.max(self.behind_move));
        let is_word = |sign: &&Sign| !matches!(sign.what, What::Then | What::Label | What::Stop | What::Number(..));
        let ahead = || signs(self.sign, self.behind_move);
        let is_mine = self.tree.is_short()
            && ahead().any(|sign| sign.keys.has(Key::I))
            && !ahead().any(|sign| sign.keys.has(Key::You));
        let no_more = rest.clone().all(|sign| !matches!(sign.what, What::Move(_)));
        let lacks_reply = !self.tree.is_even() && rest.filter(is_word).count() > FEW;
        !self.is_other && !self.header && no_more && (is_mine || lacks_reply)
    }

    /// Nobody plays the moves of talk.
    fn keep_talk(&self, end: usize, line: usize, offers: &mut Offers) {
        let word = self.text.words(self.sign, self.sign + 1);
        for sign in self.text.signs.get(self.sign..end).unwrap_or_default() {
            if let What::Move(written) = &sign.what {
                offers.talk.push((written.clone(), Hedge { line, word: word.clone(), kind: HedgeKind::Conditional }));
            }
        }
        offers.used.extend(self.start..end);
    }

    /// Whether the sentence, or the list, goes on with this piece; notes a separation before it.
    fn goes_on(&mut self, at: usize) -> bool {
        let text = self.text;
        let (Some(last), Some(sign)) = (at.checked_sub(1).and_then(|last| text.signs.get(last)), text.signs.get(at))
        else {
            return false;
        };
        let ((last_line, last_indent), (line, indent)) = (text.line(last), text.line(sign));
        let waits = self.tree.is_empty() && self.header && last.announces;
        if line > last_line + 1 && !waits {
            return false;
        }
        let complete = self.tree.is_even() && !self.tree.is_empty();
        self.before.apart |= last.ends || last.breaks;
        if last.bars {
            return false;
        }
        if last.ends {
            return complete && text.is_condition_next(at);
        }
        if sign.line == last.line {
            return true;
        }
        if self.unknown || !complete {
            let is_open = !self.tree.is_empty() || last.sentence == sign.sentence || waits;
            return !self.unknown
                && (is_open
                    || matches!(last.what, What::If | What::Label | What::Then | What::Dots | What::Number(..)));
        }
        let fits = match sign.what {
            What::Number(..) => self.is_numbered_ply(at),
            What::Move(_) => self.header,
            What::Or => self.is_numbered_ply(at + 1) || text.is_condition_next(at),
            _ => text.is_condition_next(at),
        };
        self.before.apart |= fits;
        self.before.deeper = fits && indent > last_indent;
        fits
    }

    /// Brackets behind a complete line, with nothing in them that it could depend on: "(to save us both some time)"
    fn opens_remark(&self, at: usize) -> bool {
        let signs = &self.text.signs;
        let opens = |last: usize| signs.get(last).is_some_and(|last| last.brackets > 0);
        if self.tree.is_empty() || !self.tree.is_even() || !at.checked_sub(1).is_some_and(opens) {
            return false;
        }
        let inner = signs.get(at..).unwrap_or_default().iter();
        let mut inside = inner.scan(1, |depth, sign| (*depth > 0).then(|| *depth += sign.brackets).map(|()| sign));
        inside.all(|sign| matches!(sign.what, What::Unknown | What::Glue | What::And | What::Stop | What::Then))
    }

    /// A numbered move stands here that goes on with the line or branches off it.
    fn is_numbered_ply(&self, at: usize) -> bool {
        let Some(What::Number(number, black)) = self.text.what(at) else { return false };
        let black = *black || self.text.is(at + 1, &What::Dots);
        self.tree.fits((*number, black)) && self.text.is_move(self.text.behind_number(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::game::Side;

    fn read(text: &str) -> Offers {
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
        offered(&lines)
    }

    /// The lines offered, `|` between them; `?` for what is not understood.
    fn shown(text: &str) -> String {
        let offers = read(text);
        let step = |step: &Step| match step {
            Step::Any => "*".to_owned(),
            Step::Move { number, written } => format!("{}{written}", number.map(|n| n.to_string()).unwrap_or_default()),
        };
        let line = |o: &Offered| o.steps.iter().map(step).collect::<Vec<_>>().join(" ");
        let lines = offers.lines.iter().map(line).chain(offers.unclear.iter().map(|_| "?".to_owned()));
        lines.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn brackets_behind_a_line_are_a_remark_unless_it_depends_on_them() {
        assert_eq!(shown("If 17. 3175 then 17... 8786 (to save us both some time)."), "17.3175 17...8786");
        for open in ["(if it is legal)", "(unless you castle)", "(or 17... 4746)", "(perhaps)"] {
            assert!(shown(&format!("If 17. 3175 then 17... 8786 {open}.")).contains('?'), "{open}");
        }
    }

    #[test]
    fn what_the_reader_has_played_already_is_no_condition() {
        let lines = [Line { number: 1, text: "If 7. 4445 then 7... 3847" }];
        let last = |number, numeric: &str| Some((MoveNumber { number, side: Side::White }, numeric.parse().unwrap()));
        let offers = |answers| Offers::of(&Document::of(&lines), answers);
        assert!(offers(last(7, "4445")).lines.is_empty() && offers(last(7, "4445")).used.is_empty());
        for other in [None, last(7, "4244"), last(6, "4445")] {
            assert_eq!(offers(other).lines.len(), 1);
        }
    }

    #[test]
    fn offers_are_read_in_many_forms_and_languages() {
        let mut wrong = Vec::new();
        for (text, expected) in [
            // English
            ("6... 5755 if 7. 4445 then 3847", "7.4445 3847"),
            ("6... 5755 if 7. 4445 3847", "7.4445 3847"),
            ("6... 5755, if 7. 4445 then 7... 3847.", "7.4445 7...3847"),
            ("6... 5755 (if 7. 4445 3847)  12.10 14.10 2/30", "7.4445 3847"),
            ("6... 5755 [if 7. 4445 then 3847] Bob", "7.4445 3847"),
            ("if 12. 7475 6647 13. 6465 4735", "12.7475 6647 13.6465 4735"),
            ("If 12. 7475 then 12... 6647 and if 13. 6465 then 13... 4735.", "12.7475 12...6647 13.6465 13...4735"),
            ("if 11. 7163 5878; if 11. 2133 7776", "11.7163 5878 | 11.2133 7776"),
            ("if 11. 7163 5878 or if 11. 2133 7776", "11.7163 5878 | 11.2133 7776"),
            ("if 7163 5878; if 2133 7776", "7163 5878 | 2133 7776"),
            (
                "If   11. 3344   3644\n         12. 6344   4844\nor   11. 2356   3556\n         12. 3344   3644",
                "11.3344 3644 12.6344 4844 | 11.2356 3556 12.3344 3644",
            ),
            ("if 12.7475 then 6647, if 12.6465 then 4735", "12.7475 6647 | 12.6465 4735"),
            ("Falls 12. 7475, dann 6647,\nfalls 12. 6465, dann 4735", "12.7475 6647 | 12.6465 4735"),
            (
                "a) if 12. 7475 then 6647\nb) if 12. 6465 then 4735\nc) if 12. 2133 then 7776",
                "12.7475 6647 | 12.6465 4735 | 12.2133 7776",
            ),
            ("a) falls 7475, dann 6647\nb) falls 6465, dann 4735", "7475 6647 | 6465 4735"),
            ("- Falls 12. 7475, dann 6647\n- Falls 12. 6465, dann 4735", "12.7475 6647 | 12.6465 4735"),
            ("Conditionals:\na) 12. 7475 6647\nb) 12. 6465 4735", "12.7475 6647 | 12.6465 4735"),
            ("Conditionals:\n- 12. 7475 6647\n- 12. 6465 4735", "12.7475 6647 | 12.6465 4735"),
            ("If:\na) 12. 7475 then 6647\nb) 12. 6465 then 4735", "12.7475 6647 | 12.6465 4735"),
            ("Conditional: 12. 7475? 6647!", "12.7475 6647"),
            ("conditional 12. 7475? 6647!", "12.7475 6647"),
            ("12. 7475 -> 6647\n12. 6465 -> 4735", "12.7475 6647 | 12.6465 4735"),
            ("if any then 12... 6647", "* 12...6647"),
            ("if any move then 6647", "* 6647"),
            ("if 12. any then 12... 6647", "* 12...6647"),
            ("if (any) 12... 6647", "* 12...6647"),
            ("If 7163 then 5878.\nIf 2133 then 7776.", "7163 5878 | 2133 7776"),
            ("- if 7163 then 5878\n- if 2133 then 7776", "7163 5878 | 2133 7776"),
            ("1) if 7163 then 5878\n2) if 2133 then 7776", "7163 5878 | 2133 7776"),
            (
                "if 11. 7163 5878\n   12. 5171 4746\n   12. 2133 7776",
                "11.7163 5878 12.5171 4746 | 11.7163 5878 12.2133 7776",
            ),
            (
                "if 11. 7163 5878\nif 12. 5171 4746\nif 12. 2133 7776",
                "11.7163 5878 12.5171 4746 | 11.7163 5878 12.2133 7776",
            ),
            (
                "if 11. 7163 5878 12. 5171 4746; 12. 2133 7776; 11. 5254 5755",
                "11.7163 5878 12.5171 4746 | 11.7163 5878 12.2133 7776 | 11.5254 5755",
            ),
            ("6... 5755 if any 7... 2836", "* 7...2836"),
            ("6... 5755 if 7. any then 2836", "* 2836"),
            ("6... 5755; any 7... 2836", "* 7...2836"),
            ("if any move, then I play 7... 2836", "* 7...2836"),
            ("6... 5755. On any move I reply 7... 2836", "* 7...2836"),
            ("6... 5755. Conditional: 7. 4445 3847", "7.4445 3847"),
            ("My conditional moves: if 7. 4445 then 3847", "7.4445 3847"),
            ("Conditionals:\n  12. 7475 6647\n  12. 2133 7776", "12.7475 6647 | 12.2133 7776"),
            ("Conditionals:\n\n  7475 6647\n  2133 7776", "7475 6647 | 2133 7776"),
            ("6... 5755\n7475 -> 6647", "7475 6647"),
            ("6... 5755\n7. 7475 => 7... 6647", "7.7475 7...6647"),
            ("6... 5755. On 7475 I reply 6647.", "7475 6647"),
            ("My move is 6... 5755. If you take 5263 I retake 7163.", "5263 7163"),
            ("If White plays 7. 4445, I will answer with 7... 3847.", "7.4445 7...3847"),
            ("8. 5254 if 8... 5755 9. 7163", "8...5755 9.7163"),
            ("8. 5254 if 8. ... 5755 then 9. 7163", "8...5755 9.7163"),
            ("8. 5254 if 8. 5755 then 9. 7163; if 8. 4746 then 9. 6353", "8.5755 9.7163 | 8.4746 9.6353"),
            ("if 7. Nf3 then 7... Nc6", "7.Nf3 7...Nc6"),
            ("if 7. exd5 Nxd5 8. O-O Be7", "7.exd5 Nxd5 8.O-O Be7"),
            ("if 7. Ng1-f3 then Nb8-c6", "7.Ng1-f3 Nb8-c6"),
            ("if g1f3 then b8c6", "g1f3 b8c6"),
            ("if 7. 5171 then O-O", "7.5171 O-O"),
            ("if 7. 74-75 then 66-47", "7.7475 6647"),
            ("6... 5755 if\n7. 4445 then\n3847\n\nReceived 12.10.", "7.4445 3847"),
            ("if 7. 4445 3847, received 12.10., sent 14.10.", "7.4445 3847"),
            ("And if 7. 4445 then 3847 of course. Regards", "7.4445 3847"),
            // German
            (
                "Falls 12. 7475, dann 12... 6647, und falls 13. 6465, dann 13... 4735.",
                "12.7475 12...6647 13.6465 13...4735",
            ),
            ("Eventualzug: 12. 7475 6647", "12.7475 6647"),
            ("Eventualzüge: 12. 7475 6647; 12. 2133 7776", "12.7475 6647 | 12.2133 7776"),
            ("Wenn Sie 7. 4445 spielen, antworte ich 7... 3847.", "7.4445 7...3847"),
            ("Wenn 7. beliebig, dann 7... 2836", "* 7...2836"),
            ("falls bel. 7... 2836", "* 7...2836"),
            ("6... 5755. Auf 7475 spiele ich 6647.", "7475 6647"),
            ("Falls 7. Sf3, dann 7... Sc6", "7.Sf3 7...Sc6"),
            ("Falls Du 5263 schlägst, nehme ich 7163", "5263 7163"),
            // French
            ("Si 7. 4445 alors 7... 3847", "7.4445 7...3847"),
            ("Coup conditionnel : 12. 7475 6647", "12.7475 6647"),
            ("Si vous jouez 7. 4445 je réponds 3847", "7.4445 3847"),
            ("si n'importe quel coup 7... 2836", "* 7...2836"),
            // Spanish, Italian, Portuguese
            ("Si 7. 4445 entonces 7... 3847", "7.4445 7...3847"),
            ("si cualquiera 7... 2836", "* 7...2836"),
            ("Si juega 7. 4445 respondo 3847", "7.4445 3847"),
            ("Se 7. 4445 allora 7... 3847", "7.4445 7...3847"),
            ("se qualunque 7... 2836", "* 7...2836"),
            ("Condizionale: 12. 7475 6647", "12.7475 6647"),
            ("Se 7. 4445 então 7... 3847", "7.4445 7...3847"),
            ("Caso você jogue 7. 4445, jogo 7... 3847", "7.4445 7...3847"),
            // Dutch, Scandinavian, Finnish
            ("Als 7. 4445 dan 7... 3847", "7.4445 7...3847"),
            ("Indien u 7. 4445 speelt, speel ik 7... 3847", "7.4445 7...3847"),
            ("Om 7. 4445 så 7... 3847", "7.4445 7...3847"),
            ("Hvis 7. 4445 så 7... 3847", "7.4445 7...3847"),
            ("Jos 7. 4445 niin 7... 3847", "7.4445 7...3847"),
            // Polish, Czech, Hungarian, Russian
            ("Jeśli 7. 4445 to 7... 3847", "7.4445 7...3847"),
            ("Pokud 7. 4445, pak 7... 3847", "7.4445 7...3847"),
            ("Kondicionál: 7. 4445 3847", "7.4445 3847"),
            ("Ha 7. 4445 akkor 7... 3847", "7.4445 7...3847"),
            ("Если 7. 4445, то 7... 3847", "7.4445 7...3847"),
            (
                "Если 12. ... 3847, то 13. 5233; если далее 13. ... 1716, то 14. 1121.",
                "12...3847 13.5233 13...1716 14.1121",
            ),
            ("если любой 7... 2836", "* 7...2836"),
            ("a.l. 7... 2836 if a.l. 8... 4746", "* 8...4746"),
            ("if a.l. 7... 2836", "* 7...2836"),
            // Japanese
            ("もし、7. O-O なら 7... Nc6 とします", "7.O-O 7...Nc6"),
            ("7. 5171 なら 7... 3847 とします。", "7.5171 7...3847"),
        ] {
            if shown(text) != expected {
                wrong.push(format!("{text}\n    reads {}\n    not   {expected}", shown(text)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_condition_without_moves_is_a_phrase() {
        let mut wrong = Vec::new();
        for text in [
            "6... 5755 if I may say",
            "If time allows I shall write more. 6... 5755",
            "If you like, 6... 5755",
            "If you don't mind, 6... 5755",
            "si vous voulez\n6... 5755",
            "Let me know if you get this. 6... 5755",
            "Let me know if you get this\n6... 5755",
            "6... 5755\nlet me know if you get this",
            "Si, 6... 5755",
            "Ha! 6... 5755",
            "Any news? 6... 5755",
            "6... 5755, then I go on holiday if any flight is left",
            "If I had played 7163 you would have won",
            "Wenn ich 7163 gespielt hätte",
            "On your 6152 I reply 5755",
            "On 6152 I reply 5755",
            "6. 6152\nAuf 6152 spiele ich 5755",
            "I accept your conditional: 9... 6877 10. 5171 and play 10... 4746",
            "No conditional moves this time\n6... 5755",
            "Conditional: ---\n6... 5755",
            "Als Antwort spiele ich 6... 5755",
            "I hope it is no trouble if I am away 22-24 May. 6... 5755",
            "I am away when you get this: 6... 5755",
            "  6.  6152  12.10 14.10   2  30  | 5755 15.10 16.10 1 20",
        ] {
            let offers = read(text);
            if !offers.lines.is_empty() || !offers.unclear.is_empty() {
                wrong.push(format!("{text}: {offers:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_condition_that_is_not_understood_is_reported() {
        let mut wrong = Vec::new();
        for text in [
            "I considered 7475 if 7. 4445 3847",
            "if 7. 4445 then 3847 or maybe 3736",
            "if 7. 4445 then perhaps 3847",
            "if 7. 4445 then 3847?",
            "if 7. 4445 I would play 3847",
            "if 7. 4445 not 3847",
            "if 7. 4445 then 3847 or 4746",
            "if 7163 5878 and if 2133 7776",
            "if 7163 5878, if 2133 7776",
            "if 7163 then 5878\n   if 5171 then 4746",
            "if you accept the draw 5755",
            "if the weather is fine, 6... 5755",
            "6... 5755 unless 6... 4746",
            "6... 5755 if legal, else 6... 4746",
            "6... 5755 or if you prefer 6... 5756",
            "Als je remise aanneemt, 6... 5755",
            "if 7. 4445 e5 3847 c6",
            "if 7. 4445 if 7. 5254 3847",
            "if 7. 4445 3847 9. 5254 5755",
            "if 7. 4445 then 20040 3847",
        ] {
            let offers = read(text);
            // a condition without a reply is held by the judge
            let is_whole = |offered: &Offered| offered.steps.len().is_multiple_of(2);
            if offers.lines.iter().any(is_whole) || (offers.unclear.is_empty() && offers.lines.is_empty()) {
                wrong.push(format!("{text}: {}", shown(text)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// What is left of a text when its offers are taken out.
    fn left(text: &str) -> String {
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
        let document = Document::of(&lines);
        let used = Offers::of(&document, None).used;
        let left = document.without(&used);
        left.pieces.iter().map(|piece| left.written(piece)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_senders_own_move_before_the_condition_stays_and_the_offer_is_taken_out() {
        for (text, expected) in [
            ("6... 5755 if 7. 4445 then 3847", "6... 5755"),
            ("6... 5755, and if 7. 4445 then 3847 received 12.10.", "6... 5755 and received 12.10."),
            ("If 7. 4445 then 3847. 6... 5755", "6... 5755"),
            (
                "6... 5755. Si vous répondez 7. 4445, alors je joue 3847. Contre tout autre coup, je réfléchirai.",
                "6... 5755",
            ),
            ("6... 5755\n\nIf 7. 4445 then Black stands well here.", "6... 5755"),
        ] {
            assert_eq!(left(text), expected, "{text}");
        }
    }

    #[test]
    fn a_condition_that_offers_no_reply_is_talk() {
        for (text, talk) in [
            ("És ha 12. 2356+, akkor sötét jól áll - de ez már mindegy.\n\n12. 8485", "2356"),
            ("If I had played 7163 you would have won. 12. 8485", "7163"),
            ("12. 8485. If 12... 4445 I shall have to think.", "4445"),
            ("Wenn ich 7163 gespielt hätte, stünde es schlecht. 12. 8485", "7163"),
            ("Si 12... 4445 je réfléchirai longtemps.", "4445"),
        ] {
            let offers = read(text);
            let found: Vec<String> = offers.talk.iter().map(|(written, _)| written.to_string()).collect();
            assert_eq!(
                (found.join(" "), offers.lines.len(), offers.unclear.len()),
                (talk.to_owned(), 0, 0),
                "{text}: {offers:?}"
            );
        }
    }

    #[test]
    fn offers_in_ordinary_words_are_understood() {
        for (text, expected) in [
            (
                "8. 4244, et pour gagner du temps : si vous répondez 8...Ch5 (6685), alors\nje fais le petit roque, 9. 5171. Contre tout autre coup, je réfléchirai.",
                "8...6685 9.5171",
            ),
            (
                "        White    Black\n45.     7677\nif               8878\n46.     3717     and if  7471\n47.     5545",
                "8878 46.3717 7471 47.5545",
            ),
            (
                "17... 5878\n\nHogy gyorsabban haladjunk: bármit lép is, arra 18... 3828 a feltételes lépésem.",
                "* 18...3828",
            ),
            (
                "7. 6134\n\nSi 7...6824, 8. 5171\nSi 7...2847, 8. 5171\nSi 7...cualquier otra, 8. 5171",
                "7...6824 8.5171 | 7...2847 8.5171 | * 8.5171",
            ),
            ("if 7. 4445 then 3847, if 7. 5254 I shall have to think", "7.4445 3847"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
