//! Builds lines from conditional moves as they come: what goes on with a line, what branches off it, what fits neither.
//!
//! Move numbers decide; without them only a clear separation begins another line. No board is known here.

use super::Written;
use super::conditional::Step;
use crate::domain::game::{MoveNumber, Side};

/// What stood between a move and the one before it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    /// "if", again.
    pub(super) condition: bool,
    /// "or".
    pub(super) or: bool,
    /// "and", or "then" behind an "if".
    pub(super) joins: bool,
    /// A semicolon, a sentence or a line.
    pub(super) apart: bool,
    /// A line that stands further in than the one before.
    pub(super) deeper: bool,
    /// The written number; `true` when its dots say Black.
    pub(super) number: Option<(u32, bool)>,
}

/// Neither goes on nor branches off: the text is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Misfit;

/// No person offers longer lines, or more of them.
const MOST: usize = 40;

/// Lines in the making.
#[derive(Debug, Default)]
pub(super) struct Tree {
    done: Vec<Vec<Step>>,
    steps: Vec<Step>,
    /// The half-moves at which the line may begin, as far as numbers were written: twice the number, one more for Black.
    begins: Option<Vec<i64>>,
    /// "and if" without a number: it goes on with the line only where the next number says so.
    is_open: bool,
}

impl Tree {
    /// No move was taken yet.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The last condition has its reply.
    pub(super) fn is_even(&self) -> bool {
        self.steps.len().is_multiple_of(2)
    }

    /// At most a condition was taken.
    pub(super) fn is_short(&self) -> bool {
        self.done.is_empty() && self.steps.len() < 2
    }

    /// One of several lines lacks its reply.
    pub(super) fn is_broken(&self) -> bool {
        let odd = |line: &Vec<Step>| !line.len().is_multiple_of(2);
        self.is_open || (!self.done.is_empty() && (odd(&self.steps) || self.done.iter().any(odd)))
    }

    /// Whether the last move castles, and these digits may be the king's move.
    pub(super) fn ends_castling_as(&self, written: &Written) -> bool {
        let Some(Step::Move { written: Written::Algebraic(text), .. }) = self.steps.last() else { return false };
        let digits = written.to_string();
        match text.as_str() {
            "O-O" => matches!(digits.as_str(), "5171" | "5878"),
            "O-O-O" => matches!(digits.as_str(), "5131" | "5838"),
            _ => false,
        }
    }

    /// Gives the last move in digits.
    pub(super) fn spell(&mut self, step: Step, before: Before) -> Result<(), Misfit> {
        let at = self.steps.len().saturating_sub(1);
        if let Some(number) = before.number {
            let begins = if at == 0 { Some(halves(number).to_vec()) } else { self.begins_with(number, at) };
            self.begins = Some(begins.ok_or(Misfit)?);
        }
        if let (Some(Step::Move { number, written }), Step::Move { number: more, written: digits }) =
            (self.steps.last_mut(), step)
        {
            *number = number.or(more);
            *written = digits;
        }
        Ok(())
    }

    /// Leaves out the last move, which has no reply, and the stem that another line has.
    pub(super) fn drop_last(&mut self) {
        if !self.is_even() {
            self.steps.pop();
        } else {
            self.steps.clear();
        }
        if self.done.iter().any(|line| line.starts_with(&self.steps)) {
            self.steps = self.done.pop().unwrap_or_default();
        }
    }

    /// Whether a numbered move would go on with the line, or branch off where the player is on the move.
    pub(super) fn fits(&self, number: (u32, bool)) -> bool {
        self.goes_on(number).is_some() || self.branches(number).is_some()
    }

    /// Takes the next move.
    pub(super) fn push(&mut self, step: Step, before: Before) -> Result<(), Misfit> {
        let reply = !self.is_even();
        if self.steps.len() >= MOST || self.done.len() >= MOST {
            return Err(Misfit);
        }
        if reply && (before.condition || before.or || before.apart) {
            return Err(Misfit);
        }
        match before.number {
            _ if self.is_empty() => self.begins = before.number.map(|n| halves(n).to_vec()),
            Some(number) => {
                if let Some(begins) = self.goes_on(number) {
                    self.begins = Some(begins);
                    self.is_open = false;
                } else if let Some((at, begins)) = self.branches(number).filter(|_| !reply) {
                    let stem = self.steps.iter().take(at).cloned().collect();
                    self.done.push(std::mem::replace(&mut self.steps, stem));
                    self.begins = Some(begins);
                } else {
                    return Err(Misfit);
                }
            }
            None if reply => {}
            None if !(before.condition || before.or || before.apart || before.joins) => {}
            None if before.joins && !(before.or || before.apart) && self.done.is_empty() => self.is_open = true,
            None => {
                let clear = (before.apart || before.or) && !before.joins && !before.deeper;
                if !clear || self.steps.len() > 2 {
                    return Err(Misfit);
                }
                self.done.push(std::mem::take(&mut self.steps));
            }
        }
        self.steps.push(step);
        Ok(())
    }

    /// All lines, in the order in which they were given.
    pub(super) fn finish(mut self) -> Vec<Vec<Step>> {
        self.done.push(self.steps);
        self.done
    }

    /// Where the line may begin if this number is its next.
    fn goes_on(&self, number: (u32, bool)) -> Option<Vec<i64>> {
        self.begins_with(number, self.steps.len())
    }

    /// The step of the player's that this number replaces, and where the line may begin then.
    fn branches(&self, number: (u32, bool)) -> Option<(usize, Vec<i64>)> {
        let places = (0..self.steps.len()).step_by(2);
        places.filter_map(|at| self.begins_with(number, at).map(|begins| (at, begins))).next()
    }

    fn begins_with(&self, number: (u32, bool), at: usize) -> Option<Vec<i64>> {
        let at = i64::try_from(at).ok()?;
        let possible = halves(number).into_iter().map(|half| half - at);
        let found: Vec<i64> = match &self.begins {
            Some(begins) => possible.filter(|b| begins.contains(b)).collect(),
            None => possible.collect(),
        };
        (!found.is_empty()).then_some(found)
    }
}

/// Dots say Black; one point may stand for either side.
fn halves((number, black): (u32, bool)) -> Vec<i64> {
    let white = i64::from(number) * 2;
    if black { vec![white + 1] } else { vec![white, white + 1] }
}

/// The number as it was written.
pub(super) fn written_number((number, black): (u32, bool)) -> MoveNumber {
    MoveNumber { number, side: if black { Side::Black } else { Side::White } }
}
