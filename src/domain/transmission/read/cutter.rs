//! Where the sentences and clauses of a text end, by what stands between its tokens.

use super::document::{Clause, End, Kind, Piece, Scanned, Sentence};

/// Clauses of a sentence; a longer one is a list, and is cut.
pub(super) const MOST_CLAUSES: usize = 40;

/// The sentences so far, and the one that is being cut.
#[derive(Default)]
pub(super) struct Cutter {
    pub(super) pieces: Vec<Piece>,
    pub(super) sentences: Vec<Sentence>,
    clauses: Vec<Clause>,
    /// Where the clause begins.
    start: usize,
    brackets: usize,
    /// An arrow before the clause points back to what it is said of.
    points_back: bool,
}

impl Cutter {
    /// Whether the last piece is a word of two letters: it may be abbreviated.
    pub(super) fn ends_in_short_word(&self, line: &Scanned<'_>) -> bool {
        const SHORT: usize = 2;
        let last = self.pieces.last().filter(|piece| piece.kind == Kind::Word);
        let placed = last.and_then(|piece| line.tokens.get(piece.token));
        placed.is_some_and(|placed| placed.end - placed.at <= SHORT)
    }

    /// What stands between two tokens; `ends_line`: nothing follows on the line.
    pub(super) fn gap(&mut self, gap: &str, ends_line: bool) {
        // the praise and blame of a move, such as `!?`, ask nothing
        let behind_move = self.pieces.last().is_some_and(|piece| piece.kind == Kind::Move);
        let asks = gap.contains(['?', '？']) && !(behind_move && is_comment(gap));
        let stops = |sign: &str| gap.contains(&format!("{sign} ")) || (ends_line && gap.trim_end().ends_with(sign));
        if asks {
            return self.end(End::Question);
        }
        if stops(".") || stops("!") || gap.contains(['。', '！', ';']) || gap.contains("...") && !ends_line {
            self.end(End::Statement);
        } else if (gap.contains([':', '：']) && !gap.contains([')', '(']) && !gap.contains(":-"))
            || gap.contains("->")
            || gap.contains("=>")
        {
            self.border(true);
        } else if gap
            .contains([',', '(', ')', '[', ']', '、', '/', '|', '"', '«', '»', '“', '”', '„', '–', '—', '*', '\t'])
            || gap.contains(" - ")
            || gap.contains("--")
        {
            self.border(false);
        } else if gap.contains("<-") || gap.contains("<=") || gap.contains('←') {
            self.border(false);
            self.points_back = true;
        }
        for sign in gap.chars() {
            match sign {
                '(' | '[' => self.brackets += 1,
                ')' | ']' => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Whether the clause that ends here is a remark, in brackets or behind an arrow.
    fn is_aside(&mut self) -> bool {
        std::mem::take(&mut self.points_back) || self.brackets > 0
    }

    pub(super) fn border(&mut self, announces: bool) {
        let end = self.pieces.len();
        if end > self.start {
            let aside = self.is_aside();
            self.clauses.push(Clause { pieces: self.start..end, announces, aside });
            self.start = end;
        } else if let Some(last) = self.clauses.last_mut() {
            last.announces |= announces;
        }
        if self.clauses.len() >= MOST_CLAUSES {
            self.end(End::Statement);
        }
    }

    pub(super) fn end(&mut self, end: End) {
        let here = self.pieces.len();
        if here > self.start {
            let aside = self.is_aside();
            self.clauses.push(Clause { pieces: self.start..here, announces: false, aside });
            self.start = here;
        }
        (self.brackets, self.points_back) = (0, false);
        match (self.clauses.is_empty(), self.sentences.last_mut()) {
            (false, _) => self.sentences.push(Sentence { clauses: std::mem::take(&mut self.clauses), end }),
            // `5254 !?` and a question mark by itself below it
            (true, Some(last)) if end == End::Question => last.end = End::Question,
            _ => {}
        }
    }
}

/// Whether signs behind a move praise or blame it: `!?`, `?!`, `??` right behind it.
fn is_comment(gap: &str) -> bool {
    let signs: String = gap.trim().chars().take_while(|c| matches!(c, '!' | '?' | '+' | '#')).collect();
    matches!(signs.trim_start_matches(['+', '#']), "!?" | "?!")
}

/// Whether what stands between two tokens of a line ends a sentence. The dots of dates and move numbers are parts of their tokens.
pub(super) fn ends_sentence(gap: &str) -> bool {
    (gap.contains('?') && !is_comment(gap))
        || gap.contains([';', '。', '？'])
        || gap.contains(". ")
        || gap.contains("! ")
        || gap.contains("...")
}
