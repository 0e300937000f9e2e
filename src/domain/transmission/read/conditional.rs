//! Finds the conditional moves that a message offers: "6... 5755 if 7. 4445 then 3847".
//!
//! Covered: chains, branches below a stem, lists over several lines, "any move", labels ("Eventualzug:"), arrows, and
//! "on 7475 I reply 6647", in the languages of `offer_words`. Every word between the moves must be understood;
//! a condition beside moves that is not understood is reported, never dropped. What might have been ("if I had played
//! 7163") is neither: its moves stay for the other readers. A condition without moves is a phrase and stays as well.
//! Moves before the condition are the sender's own. Whether a line plays out is the judge's business.

use std::ops::Range;

use super::offer_line::{Before, Tree, written_number};
use super::offer_pieces::{Piece, What};
use super::offer_text::Text;
use super::offer_words::Sense;
use super::{Line, Written};
use crate::domain::game::MoveNumber;

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
    /// What they take up: line number and bytes, from first to last. No other reader takes a move from there.
    pub parts: Vec<(usize, Range<usize>)>,
    /// Conditions beside moves that are not understood: line number and words.
    pub unclear: Vec<(usize, String)>,
}

impl Offers {
    /// The text of a line with blanks for what offers take up; it keeps its length.
    pub fn without(&self, line: &Line<'_>) -> String {
        let first = self.parts.partition_point(|(number, _)| *number < line.number);
        let here = self.parts.iter().skip(first).take_while(|(number, _)| *number == line.number);
        let mut text = String::with_capacity(line.text.len());
        for (_, part) in here {
            text.push_str(line.text.get(text.len()..part.start).unwrap_or_default());
            text.push_str(&" ".repeat(part.end.saturating_sub(text.len())));
        }
        text.push_str(line.text.get(text.len()..).unwrap_or_default());
        text
    }
}

/// The conditional moves of a text.
pub fn offered(lines: &[Line<'_>]) -> Offers {
    let mut text = Text::of(lines);
    let mut offers = Offers::default();
    let mut at = 0;
    while at < text.pieces.len() {
        at = match text.begins(at) {
            Some(start) => {
                text.done = Clause::at(&text, start.max(text.done), at).read(&mut offers).max(at + 1);
                text.done
            }
            None => at + 1,
        };
    }
    offers
}

/// A condition being read.
struct Clause<'t> {
    text: &'t Text<'t>,
    start: usize,
    /// A label or a colon announces a list.
    header: bool,
    tree: Tree,
    /// What stands between the last move and the next.
    before: Before,
    /// A word was not understood.
    unknown: bool,
    /// A politeness, and then a comma: the condition may be one of courtesy.
    idle: bool,
    paused: bool,
    asks: bool,
    misfit: bool,
    brackets: isize,
    /// The first move is numeric; castling is written with letters in both notations.
    numeric: Option<bool>,
}

/// How to go on behind a piece.
enum Flow {
    On,
    Stop,
    /// It is no condition after all.
    Nothing,
}

impl<'t> Clause<'t> {
    /// A clause that begins at `start`, and whose sign stands at `sign`.
    fn at(text: &'t Text<'t>, start: usize, sign: usize) -> Clause<'t> {
        Clause {
            text,
            start,
            header: text.is(sign, Sense::Label) || text.pieces.get(sign).is_some_and(|p| p.announces),
            tree: Tree::default(),
            before: Before::default(),
            unknown: false,
            idle: false,
            paused: false,
            asks: false,
            misfit: false,
            brackets: 0,
            numeric: None,
        }
    }

    /// Reads to the end of the offer and keeps what it found. Gives the piece to go on with.
    fn read(mut self, offers: &mut Offers) -> usize {
        let mut at = self.start;
        while let Some(piece) = self.text.pieces.get(at) {
            if at > self.start && !self.goes_on(at) {
                break;
            }
            match self.piece(at, piece) {
                Flow::On => {}
                Flow::Stop => break,
                Flow::Nothing if self.tree.is_empty() && self.idle => return at,
                Flow::Nothing => return self.text.sentence_end(at),
            }
            self.paused |= self.unknown && (piece.pauses || piece.announces);
            self.brackets += piece.brackets;
            at += 1;
            if self.misfit || self.brackets < 0 {
                break;
            }
        }
        if !self.tree.is_empty() {
            at = self.keep(at, offers);
        }
        at
    }

    fn piece(&mut self, at: usize, piece: &Piece) -> Flow {
        match &piece.what {
            What::Word(sense) => return self.word(at, *sense),
            What::Number(number, black) => self.before.number = Some((*number, *black)),
            What::Dots => self.before.number = self.before.number.map(|(number, _)| (number, true)),
            What::Break => self.before.apart = true,
            What::Stop if !self.tree.is_empty() => return Flow::Stop,
            What::Stop | What::Unknown => self.not_understood(),
            What::Move(_) if self.unknown && self.tree.is_empty() && self.idle && self.paused => return Flow::Nothing,
            What::Move(written) => {
                self.misfit |= self.unknown || self.mixes(written);
                // "if 12. 7475? 6647!": the mark on the player's move is a comment
                self.asks |= piece.asks && !self.tree.is_even();
                let number = self.before.number.map(written_number);
                self.take(Step::Move { number, written: written.clone() });
            }
        }
        Flow::On
    }

    fn word(&mut self, at: usize, sense: Sense) -> Flow {
        match sense {
            Sense::If | Sense::Perhaps => (self.before.condition, self.before.number) = (true, None),
            Sense::Then => self.before.joins |= self.before.condition,
            Sense::And => self.before.joins = true,
            Sense::Or => self.before.or = true,
            Sense::Glue | Sense::Label | Sense::On | Sense::Postfix => {}
            Sense::Any => {
                let begins = self.before.condition || self.before.apart || self.tree.is_empty();
                let due = self.tree.is_even() && (begins || self.before.number.is_some());
                if due && !self.text.is(at + 1, Sense::Any) && self.text.move_follows(at + 1) {
                    self.take(Step::Any);
                }
            }
            Sense::Past if self.tree.is_short() => {
                self.idle = false;
                return Flow::Nothing;
            }
            Sense::Idle => {
                self.idle = true;
                self.not_understood();
            }
            Sense::Past | Sense::Thought | Sense::Except => self.not_understood(),
            Sense::Stop if !self.tree.is_empty() => return Flow::Stop,
            Sense::Stop => self.not_understood(),
        }
        Flow::On
    }

    fn not_understood(&mut self) {
        self.unknown = true;
        self.misfit |= !self.tree.is_empty();
    }

    fn take(&mut self, step: Step) {
        self.misfit |= self.tree.push(step, std::mem::take(&mut self.before)).is_err();
    }

    /// Two notations in one sentence may be one move twice.
    fn mixes(&mut self, written: &Written) -> bool {
        let numeric = match written {
            Written::Numeric(_) => true,
            Written::Algebraic(text) if text.starts_with(['O', 'o', '0']) => return false,
            Written::Algebraic(_) => false,
        };
        *self.numeric.get_or_insert(numeric) != numeric
    }

    /// Keeps what was read up to `until`, as an offer or as a condition that is not understood.
    fn keep(self, until: usize, offers: &mut Offers) -> usize {
        let text = self.text;
        let lead = text.sentence_start(self.start)..self.start;
        let lead = text.pieces.get(lead).unwrap_or_default();
        let number = |line: usize| text.lines.get(line).map_or(0, |line| line.number);
        let line = text.pieces.get(self.start).map_or(0, |piece| number(piece.line));
        let asks = self.asks || until.checked_sub(1).and_then(|last| text.pieces.get(last)).is_some_and(|p| p.asks);
        let thought = lead.iter().any(|p| p.what == What::Word(Sense::Thought));
        if self.misfit || self.tree.is_broken() || thought || asks {
            let until = text.sentence_end(until.saturating_sub(1).max(self.start));
            offers.unclear.push((line, text.words(self.start, until)));
            return until;
        }
        let words = text.words(self.start, until);
        let lines = self.tree.finish().into_iter();
        offers.lines.extend(lines.map(|steps| Offered { line, steps, words: words.clone() }));
        // "And if": words that only lead up to the offer belong to it
        let leads = |p: &Piece| matches!(p.what, What::Word(Sense::Glue | Sense::And | Sense::Or | Sense::Label));
        let from = if lead.iter().all(leads) { self.start - lead.len() } else { self.start };
        offers.parts.extend(text.ranges(from, until).into_iter().map(|(line, part)| (number(line), part)));
        until
    }

    /// Whether the sentence, or the list, goes on with this piece; notes a separation before it.
    fn goes_on(&mut self, at: usize) -> bool {
        let text = self.text;
        let (Some(last), Some(piece)) = (at.checked_sub(1).and_then(|b| text.pieces.get(b)), text.pieces.get(at))
        else {
            return false;
        };
        let line = |p: &Piece| text.lines.get(p.line);
        let number = |p: &Piece| line(p).map_or(0, |l| l.number);
        let waits = self.tree.is_empty() && self.header && last.announces;
        if number(piece) > number(last) + 1 && !waits {
            return false;
        }
        let complete = self.tree.is_even() && !self.tree.is_empty();
        if last.ends {
            self.before.apart = true;
            return complete && text.is_condition_next(at);
        }
        if piece.line == last.line {
            return true;
        }
        if self.unknown || !complete {
            return !self.unknown;
        }
        let fits = match piece.what {
            What::Number(..) => self.is_numbered_ply(at),
            What::Move(_) => self.header,
            What::Word(Sense::Or) => self.is_numbered_ply(at + 1) || text.is_condition_next(at),
            What::Word(_) | What::Dots | What::Break | What::Stop | What::Unknown => text.is_condition_next(at),
        };
        let indent = |p: &Piece| line(p).map_or(0, |l| l.text.len() - l.text.trim_start().len());
        self.before.apart |= fits;
        self.before.deeper = fits && indent(piece) > indent(last);
        fits
    }

    /// A numbered move stands here that goes on with the line or branches off it.
    fn is_numbered_ply(&self, at: usize) -> bool {
        let Some(What::Number(number, black)) = self.text.what(at) else { return false };
        let black = *black || self.text.what(at + 1) == Some(&What::Dots);
        self.tree.fits((*number, black)) && self.text.is_move(self.text.behind_number(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("On any move I reply 7... 2836", "* 7...2836"),
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
            ("si n'importe quel coup 7... 2836", "?"),
            // Spanish, Italian, Portuguese
            ("Si 7. 4445 entonces 7... 3847", "7.4445 7...3847"),
            ("si cualquiera 7... 2836", "* 7...2836"),
            ("Si juega 7. 4445 respondo 3847", "7.4445 3847"),
            ("Se 7. 4445 allora 7... 3847", "7.4445 7...3847"),
            ("se qualunque 7... 2836", "* 7...2836"),
            ("Condizionale: 12. 7475 6647", "12.7475 6647"),
            ("Se 7. 4445 então 7... 3847", "7.4445 7...3847"),
            ("Caso 7. 4445, jogo 7... 3847", "7.4445 7...3847"),
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
            ("a.l. 7... 2836 if a.l. 8... 4746", "?"),
            ("if a.l. 7... 2836", "* 7...2836"),
            // Japanese
            ("もし、7. O-O なら 7... Nc6 とします", "7.O-O 7...Nc6"),
            ("7. 5171 なら 7... 3847とします。", "7.5171 7...3847"),
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
            if read(text) != Offers::default() {
                wrong.push(format!("{text}: {:?}", read(text)));
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
            "My move is 6... 5755 if 6. 6152 was your move",
            "Als je akkoord gaat, 6... 5755",
            "if 7. 4445 e5 3847 c6",
            "if 7. 4445 if 7. 5254 3847",
            "if 7. 4445 3847 9. 5254 5755",
            "if 7. 4445 then 20040 3847",
        ] {
            let offers = read(text);
            if !offers.lines.is_empty() || offers.unclear.is_empty() {
                wrong.push(format!("{text}: {}", shown(text)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_senders_own_move_before_the_condition_stays_and_the_offer_is_taken_out() {
        for (text, left) in [
            ("6... 5755 if 7. 4445 then 3847", "6... 5755"),
            (
                "6... 5755, and if 7. 4445 then 3847 received 12.10.",
                "6... 5755, and                      received 12.10.",
            ),
            ("If 7. 4445 then 3847. 6... 5755", "6... 5755"),
        ] {
            let line = Line { number: 1, text };
            let offers = offered(std::slice::from_ref(&line));
            assert_eq!(offers.without(&line).trim(), left, "{text}");
            assert_eq!(offers.without(&line).len(), text.len());
        }
    }
}
