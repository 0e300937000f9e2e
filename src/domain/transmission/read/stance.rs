//! What the sentence around a move says of it: the sender's own move, the reader's, or one that is only talked about.
//!
//! Works on the sentences of a paragraph, which may run over lines. Words come in lower case and without accents. The nearest
//! cue before a move decides; "5254 is my move" decides from behind. A move that was weighed or denied becomes his only by a
//! turn of the sentence ("... but in the end I play 4143"), and a question makes none.

use super::Line;
use super::lex::{Placed, Token};
use super::{cues, doubt, vocabulary, words};

/// Characters from which on a line may have been broken by a mailer.
const WRAPPED: usize = 40;

/// What a sentence says of a move in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// Nothing.
    Bare,
    /// The sender plays it.
    Mine,
    /// The same, with words between: enough for a numbered move only ("I play in group 7776").
    Loosely,
    /// The sender plays it, after he named others that he does not play.
    Decided,
    /// The reader played it.
    Yours,
    /// It is denied, asked or only thought of.
    Weighed,
}

/// The stances of all moves of a text.
#[derive(Debug, Default)]
pub(super) struct Stances {
    /// Line number, place on it in bytes, stance; in the order of the text.
    moves: Vec<(usize, usize, Stance)>,
    /// Whether any sentence decides for a move.
    pub(super) any_decided: bool,
    /// Lines with a move behind which something is denied.
    pub(super) denied: Vec<usize>,
}

impl Stances {
    pub(super) fn of(lines: &[Line<'_>], tokens: &[Vec<Placed>]) -> Stances {
        let mut out = Stances::default();
        let mut sentence = Sentence::default();
        let mut last: Option<&Line<'_>> = None;
        for (line, placed) in lines.iter().zip(tokens) {
            if line.text.trim().is_empty() || last.is_some_and(|l| l.number + 1 != line.number) {
                sentence.end(&mut out);
            }
            let mut from = 0;
            for token in placed {
                let gap = line.text.get(from..token.at).unwrap_or_default();
                sentence.asks |= asks(gap);
                if ends_sentence(gap) {
                    sentence.end(&mut out);
                }
                sentence.take(line.number, token);
                from = token.end;
            }
            let rest = line.text.get(from..).unwrap_or_default();
            sentence.asks |= asks(rest);
            // only a long line is wrapped in the middle of a sentence
            if ends_sentence(&format!("{rest} ")) || line.text.trim_end().chars().count() < WRAPPED {
                sentence.end(&mut out);
            }
            last = Some(line);
        }
        sentence.end(&mut out);
        out.any_decided = out.moves.iter().any(|(_, _, s)| *s == Stance::Decided);
        out
    }

    /// The stance of the first move token at or behind a place on a line.
    pub(super) fn at(&self, line: usize, at: usize) -> Stance {
        let from = self.moves.partition_point(|(l, a, _)| (*l, *a) < (line, at));
        self.moves.get(from).filter(|(l, _, _)| *l == line).map_or(Stance::Bare, |(_, _, s)| *s)
    }

    /// Whether the sentence of a move on this line decides for one.
    pub(super) fn decides(&self, line: usize) -> bool {
        let from = self.moves.partition_point(|(l, _, _)| *l < line);
        let behind = self.moves.get(from..).unwrap_or_default().iter();
        behind.take_while(|(l, _, _)| *l == line).any(|(_, _, s)| *s == Stance::Decided)
    }
}

/// Whether a question mark stands there, other than the praise and blame of a move (`!?`, `?!`).
fn asks(gap: &str) -> bool {
    gap.replace("!?", "").replace("?!", "").contains('?')
}

/// Whether what stands between two tokens ends a sentence. The dots of dates and move numbers are parts of their tokens.
pub(super) fn ends_sentence(gap: &str) -> bool {
    asks(gap) || gap.contains([';', '。', '？']) || gap.contains(". ") || gap.contains("! ") || gap.contains("...")
}

/// A sentence as far as it was read.
#[derive(Debug, Default)]
struct Sentence {
    moves: Vec<(usize, usize, Stance)>,
    stance: Option<Stance>,
    /// The reader is its subject.
    of_reader: bool,
    /// It turned ("but", "finally") since a move was weighed.
    turned: bool,
    weighed: bool,
    /// How many words stand behind the last move, and whether one of them was "my".
    behind: usize,
    my_behind: bool,
    asks: bool,
    /// The word before was "no" or "en", which deny in Spanish, Italian and Finnish and mean other things elsewhere.
    no: bool,
    /// How many words stand since the cue, small ones not counted.
    since: usize,
    /// Something was denied behind a move.
    denied: bool,
}

impl Sentence {
    fn take(&mut self, line: usize, placed: &Placed) {
        match &placed.token {
            Token::Word(word) => self.word(word),
            Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_) => {
                let stance = match self.stance.unwrap_or(Stance::Bare) {
                    Stance::Mine | Stance::Decided if self.since > 1 && !self.weighed => Stance::Loosely,
                    stance => stance,
                };
                self.moves.push((line, placed.at, stance));
                self.behind = 0;
                self.my_behind = false;
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &str) {
        self.behind += 1;
        self.since += usize::from(!cues::is_small(word));
        self.denied |= !self.moves.is_empty() && cues::denies(word);
        let plays = cues::plays(word) || cues::i_play(word);
        let denied = (self.no && (plays || word == "pelaa")) || cues::denies_alone(word);
        self.no = matches!(word, "no" | "en");
        let said_mine = self.my_behind;
        self.my_behind = cues::is_first_person(word) && self.behind <= 3;
        if vocabulary::is_second_person(word) {
            self.of_reader = true;
            self.yours();
        } else if cues::is_first_person(word) {
            self.of_reader = false;
            if self.stance == Some(Stance::Yours) {
                self.stance = None;
            }
        } else if cues::is_turn(word) {
            self.turned = true;
            if self.stance == Some(Stance::Yours) {
                self.stance = None;
            }
        } else if denied || doubt::is_doubt(word) || words::is_condition(word) || cues::is_weighing(word) {
            self.weighed = true;
            self.turned = false;
            self.stance = Some(Stance::Weighed);
        } else if plays || cues::names_move(word) {
            if self.of_reader && !cues::i_play(word) {
                self.yours()
            } else {
                self.own()
            }
            // "5254 is my move"
            let bare = self.moves.last_mut().filter(|(_, _, stance)| *stance == Stance::Bare);
            if said_mine
                && cues::names_move(word)
                && !self.weighed
                && let Some((_, _, stance)) = bare
            {
                *stance = Stance::Mine;
            }
        }
    }

    fn own(&mut self) {
        self.since = 0;
        self.stance = match (self.weighed, self.turned) {
            (false, _) => Some(Stance::Mine),
            (true, true) => Some(Stance::Decided),
            (true, false) => Some(Stance::Weighed),
        };
    }

    fn yours(&mut self) {
        if self.stance != Some(Stance::Weighed) {
            self.stance = Some(Stance::Yours);
        }
    }

    fn end(&mut self, out: &mut Stances) {
        let (asks, denied) = (self.asks, self.denied);
        if denied {
            let open = self.moves.iter().filter(|(_, _, s)| matches!(s, Stance::Bare | Stance::Mine | Stance::Loosely));
            out.denied.extend(open.map(|(line, _, _)| *line));
        }
        let settle = |(line, at, stance)| {
            let doubtful = asks || (denied && stance != Stance::Decided && stance != Stance::Yours);
            (line, at, if doubtful { Stance::Weighed } else { stance })
        };
        out.moves.extend(self.moves.drain(..).map(settle));
        *self = Sentence::default();
    }
}

/// "5254 is my rating": the word behind the first move makes it the subject of a sentence.
pub(super) fn speaks_of_move(tokens: &[Placed]) -> bool {
    let behind = tokens.iter().skip_while(|p| !super::cut::is_move_like(p)).nth(1);
    behind.is_some_and(|p| matches!(&p.token, Token::Word(word) if cues::speaks_of(word)))
}
