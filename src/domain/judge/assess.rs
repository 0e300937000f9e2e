//! Finds the one move that all readings of a mail give, or the first doubt.

use super::{Evidence, Expected, Reason, Repeated, arithmetic, beside};
use crate::domain::game::Stated;
use crate::domain::notation::{Agreement, LegalMove, NumericMove, tokens_agree};
use crate::domain::transmission::lexicon::words_of;
use crate::domain::transmission::read::{Claim, Hedge, HedgeKind, Reading, Written};

use super::conditional::{PlaysInto, lines_after, plays_into};
use super::elsewhere::{elsewhere, files_agree, source};
use super::hedged::hedged;
use super::legal::{bad_tokens, legal};
use super::repeat::repeat;
use super::sorted::{number_ahead, sort};

/// A move that every reading gives.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The ply that was due.
    pub(super) legal: LegalMove,
    pub(super) written: Written,
    /// What follows it where he plays into a line of the player's, up to his last move.
    pub(super) played: PlaysInto,
    /// The lines he offers after that.
    pub(super) offers: Vec<Vec<String>>,
    /// What he states of his last move.
    pub(super) stated: Stated,
    /// The mail gives two different days or numbers for it.
    pub(super) differs: bool,
    /// A part of it was left out because it cannot be of this move.
    pub(super) is_impossible: bool,
    /// Arithmetic leaves no other reading of his dates and days.
    pub(super) is_proven: bool,
}

impl Found {
    fn says_the_same(&self, other: &Found) -> bool {
        self.legal.played == other.legal.played
            && self.played.before == other.played.before
            && self.played.legal.played == other.played.legal.played
            && self.offers == other.offers
    }
}

/// What a mail holds when nothing speaks against it.
#[derive(Debug, Clone)]
pub(super) enum Finding {
    Move(Box<Found>),
    Repeat(Repeated),
}

/// The first thing that speaks against taking the mail.
#[derive(Debug, Clone)]
pub(super) struct Doubt {
    pub(super) reason: Reason,
    pub(super) candidates: Vec<NumericMove>,
    pub(super) illegal: bool,
}

impl From<Reason> for Doubt {
    fn from(reason: Reason) -> Doubt {
        Doubt { reason, candidates: Vec::new(), illegal: false }
    }
}

pub(super) fn assess(expected: &Expected<'_>, evidence: &Evidence) -> Result<Finding, Doubt> {
    if evidence.hidden_characters {
        return Err(Reason::HiddenCharacters.into());
    }
    if let Some(part) = evidence.unread_parts.first() {
        return Err(Reason::UnreadPart(part.clone()).into());
    }
    // "Correction", "forget my last mail": a subject may be older than the mail, but not so
    let of_subject = evidence.subject.asides.iter().find(|aside| aside.hedge.kind == HedgeKind::TakenBack);
    if let Some(aside) = of_subject.filter(|_| expected.opponent_is_due()) {
        return Err(Reason::Doubtful(aside.hedge.clone()).into());
    }
    let mut findings: Vec<Option<Finding>> = Vec::new();
    for view in &evidence.views {
        // what is illegal in one form of the mail only is no clear illegal move
        let same = |other: &Reading| other.claims == view.claims;
        let unanimous = evidence.views.iter().all(same);
        findings.push(one_view(expected, view).map_err(|d| Doubt { illegal: d.illegal && unanimous, ..d })?);
    }
    let given = findings.iter().flatten().next().cloned();
    for finding in &findings {
        match (finding, &given) {
            (Some(Finding::Move(a)), Some(Finding::Move(b))) if a.says_the_same(b) => {}
            (Some(Finding::Repeat(_)), Some(Finding::Repeat(_))) | (None, None) => {}
            _ => return Err(Reason::ViewsDiffer.into()),
        }
    }
    let own = given.is_some();
    let given = match given {
        Some(given) => {
            files_agree(expected, evidence, &given)?;
            Some(given)
        }
        None => source(expected, evidence)?,
    };
    elsewhere(expected, evidence, given.as_ref())?;
    match given {
        Some(Finding::Move(found)) => {
            beside::boards(expected, evidence, &found)?;
            plan_was_sent(expected, evidence, NumericMove::of(&found.legal.played))?;
            let mut found = *found;
            let mut statements = if own { Vec::new() } else { vec![found.stated] };
            for (view, finding) in evidence.views.iter().zip(&findings) {
                match finding {
                    Some(Finding::Move(of_view)) if !of_view.played.before.is_empty() => {
                        statements.push(of_view.stated);
                    }
                    _ => statements.extend(sort(expected, view)?.due.iter().map(|claim| claim.stated)),
                }
                statements.push(view.labelled);
            }
            for file in &evidence.attached {
                let same = sort(expected, file).unwrap_or_default().due.into_iter();
                let same = same.filter(|claim| expected.same(&claim.written, &found.written));
                statements.extend(same.map(|claim| claim.stated).chain([file.labelled]));
            }
            let (stated, differs) = agreed(&statements);
            (found.stated, found.differs) = (arithmetic::possible(expected, evidence, stated), differs);
            found.is_impossible = found.stated != stated;
            if !found.differs && found.played.before.is_empty() {
                let solved = |view| arithmetic::fill_blanks(expected, view, &found.legal, found.stated);
                let solutions: Vec<Stated> = evidence.views.iter().filter_map(solved).collect();
                if let Some(solution) = solutions.first().filter(|first| solutions.iter().all(|other| other == *first))
                {
                    (found.stated, found.is_proven) = (*solution, true);
                }
            }
            Ok(Finding::Move(Box::new(found)))
        }
        Some(repeat @ Finding::Repeat(_)) => Ok(repeat),
        None => Err(Reason::NoMove.into()),
    }
}

/// What all statements agree on; a part in which two of them differ stays blank, and `true` tells so.
fn agreed(statements: &[Stated]) -> (Stated, bool) {
    fn only<T: Copy + PartialEq>(
        statements: &[Stated],
        part: impl Fn(&Stated) -> Option<T>,
        differs: &mut bool,
    ) -> Option<T> {
        let mut parts = statements.iter().filter_map(part);
        let first = parts.next()?;
        let same = parts.all(|other| other == first);
        *differs |= !same;
        same.then_some(first)
    }
    let mut differs = false;
    let stated = Stated {
        received: only(statements, |s| s.received, &mut differs),
        sent: only(statements, |s| s.sent, &mut differs),
        days: only(statements, |s| s.days, &mut differs),
        total: only(statements, |s| s.total, &mut differs),
    };
    (stated, differs)
}

pub(super) fn one_view(expected: &Expected<'_>, view: &Reading) -> Result<Option<Finding>, Doubt> {
    let sorted = sort(expected, view);
    let due = sorted.iter().flat_map(|sorted| &sorted.due);
    let candidates: Vec<NumericMove> = due.filter_map(|c| expected.could_be(&c.written)).collect();
    // the moves of such a condition are claims as well, and would be called misnumbered
    if let Some((line, words)) = view.unclear.first() {
        let reason = Reason::ConditionUnclear { line: *line, words: words.clone() };
        return Err(Doubt { reason, candidates, illegal: false });
    }
    let sorted = sorted?;
    bad_tokens(expected, &view.bad, sorted.due.is_empty())?;
    if let Some(hedge) = hedged(view, &sorted) {
        return Err(Doubt { reason: Reason::Doubtful(hedge.clone()), candidates, illegal: false });
    }
    let Some(first) = sorted.due.first() else {
        if let Some((_, claim)) = sorted.ahead.first() {
            return Err(number_ahead(expected, claim));
        }
        return repeat(expected, view, &sorted);
    };
    if !expected.opponent_is_due() {
        let last = expected.last_of_opponent().is_some_and(|(index, _)| expected.means(index, &first.written));
        let due = expected.number(expected.due());
        return if last { repeat(expected, view, &sorted) } else { Err(Reason::NotHisTurn(due).into()) };
    }
    let number = expected.number(expected.due());
    // the only legal move with the due number, and its dates close: no word beside it is needed, nor one that was not understood a doubt
    let is_proven = first.number.is_some()
        && sorted.due.iter().all(|claim| expected.same(&claim.written, &first.written))
        && legal(expected, view, first).is_ok_and(|legal| arithmetic::closes(expected, view, first, &legal));
    // "I waver between 10. 7273 and 10. 6264; 10. 3113 is not bad either", "10. 7584 ... With 10. 7564 I hope for a quiet game"
    let doubts = |other: &&Hedge, claim: &Claim| {
        let is_near = sorted.due.iter().any(|due| due.line.abs_diff(claim.line) <= 1);
        other.kind == HedgeKind::Weighed || (is_near && !is_proven)
    };
    let is_another =
        |claim: &Claim| expected.could_be(&claim.written).is_some() && !expected.same(&claim.written, &first.written);
    let others = sorted.weighed.iter().filter(|claim| is_another(claim));
    if let Some(hedge) = others.filter_map(|claim| claim.hedge.as_ref().filter(|hedge| doubts(hedge, claim))).next() {
        return Err(Doubt { reason: Reason::Doubtful(hedge.clone()), candidates, illegal: false });
    }
    if let Some(second) = sorted.due.iter().find(|c| !expected.same(&c.written, &first.written)) {
        let reason = Reason::TwoMoves {
            number,
            first: first.written.clone(),
            first_line: first.line,
            second: second.written.clone(),
            second_line: second.line,
        };
        return Err(Doubt { reason, candidates, illegal: false });
    }
    for claim in &sorted.due {
        let (line, his) = (claim.line, claim.written.clone());
        if let Some(word) =
            claim.in_sentence.clone().filter(|word| !(is_proven && (word == "you" || is_beside(view, claim, word))))
        {
            return Err(Doubt { reason: Reason::InSentence { line, his, word }, candidates, illegal: false });
        }
    }
    if let Some(claim) = sorted.due.iter().find(|claim| expected.is_older && claim.number.is_none()) {
        let reason = Reason::OlderMail { line: claim.line, his: claim.written.clone() };
        return Err(Doubt { reason, candidates, illegal: false });
    }
    of_reader(expected, view)?;
    let legal = legal(expected, view, first)?;
    other_words(expected, view, &sorted.due, &legal, &candidates)?;
    beside::pieces(view, &sorted.due, &legal)?;
    let found = found(expected, first, legal, &sorted.ahead, view).map_err(|d| Doubt { candidates, ..d })?;
    Ok(Some(Finding::Move(Box::new(found))))
}

/// Whether a word stands on the line of a move: the words of a line above it may take it back.
fn is_beside(view: &Reading, claim: &Claim, word: &str) -> bool {
    let word = words_of(word);
    let of_line = view.passages.iter().filter(|passage| passage.line == claim.line);
    of_line.flat_map(|passage| &passage.words).any(|(_, other)| words_of(other) == word)
}

/// The due move with all that goes with it: the plies behind it, and the lines he offers.
pub(super) fn found(
    expected: &Expected<'_>,
    claim: &Claim,
    legal: LegalMove,
    ahead: &[(usize, &Claim)],
    view: &Reading,
) -> Result<Found, Doubt> {
    let played = plays_into(expected, (claim, legal), ahead)?;
    let next = expected.number(expected.due() + played.before.len() + 1);
    let offers = lines_after(expected, &played.after, next, &view.offered)?;
    let stated = played.stated;
    Ok(Found {
        legal,
        written: claim.written.clone(),
        played,
        offers,
        stated,
        differs: false,
        is_impossible: false,
        is_proven: false,
    })
}

/// What he calls the reader's move must be the reader's last one.
fn of_reader(expected: &Expected<'_>, view: &Reading) -> Result<(), Doubt> {
    let mine = expected.due().checked_sub(1);
    if let Some((index, recorded)) = mine.and_then(|i| Some((i, *expected.moves.get(i)?))) {
        for (line, other) in &view.of_reader {
            // "your knight on f5" names a square
            let is_square = matches!(other, Written::Algebraic(text) if text.len() == 2);
            if !is_square && !expected.means(index, other) {
                let (line, number) = (*line, expected.number(index));
                return Err(Reason::Contradiction { line, number, his: other.clone(), recorded }.into());
            }
        }
    }
    Ok(())
}

/// Other digits and other notations in the same view must not point to another legal move.
fn other_words(
    expected: &Expected<'_>,
    view: &Reading,
    due: &[&Claim],
    legal: &LegalMove,
    candidates: &[NumericMove],
) -> Result<(), Doubt> {
    let position = expected.replay.position();
    let doubt = |reason, other: Option<NumericMove>| Doubt {
        reason,
        candidates: candidates.iter().copied().chain(other).collect(),
        illegal: false,
    };
    for (talked_of, hedge) in &view.weighed {
        if could_mean(expected, talked_of, legal) {
            return Err(doubt(Reason::Doubtful(hedge.clone()), None));
        }
    }
    for claim in due {
        let his = || claim.written.clone();
        for text in &claim.beside {
            let agrees = expected.repeats(text, position, &legal.played);
            if !agrees && tokens_agree(text, position, &legal.played) == Agreement::Different {
                return Err(doubt(Reason::Notations { line: claim.line, algebraic: text.clone(), his: his() }, None));
            }
        }
        for (line, other) in &view.loose {
            if let Some(another) = means_another(expected, other, legal) {
                let reason = match other {
                    Written::Numeric(_) => Reason::AnotherNumber { line: *line, his: his(), other: other.clone() },
                    Written::Algebraic(text) => Reason::Notations { line: *line, algebraic: text.clone(), his: his() },
                };
                return Err(doubt(reason, Some(another)));
            }
        }
    }
    Ok(())
}

/// Whether something could be this very move.
fn could_mean(expected: &Expected<'_>, other: &Written, legal: &LegalMove) -> bool {
    match other {
        Written::Numeric(_) => expected.could_be(other) == Some(NumericMove::of(&legal.played)),
        Written::Algebraic(text) => expected.names(text, expected.replay.position(), &legal.played),
    }
}

/// The legal move other than this one that something without a place could be.
pub(super) fn means_another(expected: &Expected<'_>, other: &Written, legal: &LegalMove) -> Option<NumericMove> {
    if could_mean(expected, other, legal) { None } else { expected.could_be(other) }
}

/// A planned move counts only on evidence: he repeats it, quotes it, or answers the very message that was drafted.
fn plan_was_sent(expected: &Expected<'_>, evidence: &Evidence, his: NumericMove) -> Result<(), Doubt> {
    let Some((index, planned)) = expected.plan.and_then(|i| expected.moves.get(i).map(|m| (i, *m))) else {
        return Ok(());
    };
    let number = expected.number(index);
    let repeats = |r: &Reading| r.claims.iter().any(|c| c.number == Some(number) && expected.means(index, &c.written));
    if evidence.answers_plan || evidence.views.iter().any(repeats) || repeats(&evidence.quoted) {
        return Ok(());
    }
    let (game, on) = (expected.game.id.clone(), expected.game.plan.as_ref().and_then(|plan| plan.stated.sent));
    Err(Doubt { reason: Reason::PlanNotSeenSent { number, planned, game, on }, candidates: vec![his], illegal: false })
}
