//! Finds the one move that all readings of a mail give, or the first doubt.

use super::{Evidence, Expected, Reason};
use crate::domain::game::Stated;
use crate::domain::notation::{Agreement, IllegalMove, LegalMove, NumericMove, tokens_agree};
use crate::domain::transmission::read::{BadToken, Claim, Concern, How, Reading};

use super::conditional::{PlaysInto, lines_after, plays_into};
use super::elsewhere::elsewhere;

/// A move that every reading gives.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The ply that was due.
    pub(super) due: LegalMove,
    pub(super) due_written: NumericMove,
    /// His last move, with the plies before it where he plays into a line of the player's.
    pub(super) played: PlaysInto,
    /// The lines he offers after it.
    pub(super) offers: Vec<Vec<String>>,
    pub(super) stated: Stated,
    /// The mail gives two different days or numbers for it.
    pub(super) differs: bool,
}

/// What a mail holds when nothing speaks against it.
#[derive(Debug, Clone)]
pub(super) enum Finding {
    Move(Box<Found>),
    Repeat(String),
}

impl Found {
    fn says_the_same(&self, other: &Found) -> bool {
        self.due.played == other.due.played
            && self.played.before == other.played.before
            && self.played.legal.played == other.played.legal.played
            && self.offers == other.offers
    }
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

/// The claims of one view, sorted by what the record makes of them.
#[derive(Default)]
struct Sorted<'a> {
    /// Plies on record that the view repeats: index and claim.
    known: Vec<(usize, &'a Claim)>,
    /// Claims for the ply that is due.
    due: Vec<&'a Claim>,
    /// Claims behind it, where a line of the player's stands: index and claim.
    ahead: Vec<(usize, &'a Claim)>,
}

pub(super) fn assess(expected: &Expected<'_>, evidence: &Evidence) -> Result<Finding, Doubt> {
    if evidence.hidden_characters {
        return Err(Reason::HiddenCharacters.into());
    }
    if let Some(part) = evidence.unread_parts.first() {
        return Err(Reason::UnreadPart(part.clone()).into());
    }
    let mut findings: Vec<Option<Finding>> = Vec::new();
    for view in &evidence.views {
        findings.push(one_view(expected, view)?);
    }
    let given = findings.iter().flatten().next().cloned();
    for finding in &findings {
        match (finding, &given) {
            (Some(Finding::Move(a)), Some(Finding::Move(b))) if a.says_the_same(b) => {}
            (Some(Finding::Repeat(_)), Some(Finding::Repeat(_))) | (None, None) => {}
            _ => return Err(Reason::ViewsDiffer.into()),
        }
    }
    elsewhere(expected, evidence, given.as_ref())?;
    match given {
        Some(Finding::Move(found)) => {
            plan_was_sent(expected, evidence, found.due_written)?;
            let mut found = *found;
            let mut statements = Vec::new();
            for (view, finding) in evidence.views.iter().zip(&findings) {
                match finding {
                    Some(Finding::Move(of_view)) if !of_view.played.before.is_empty() => {
                        statements.push(of_view.played.stated);
                    }
                    _ => statements.extend(sort(expected, view)?.due.iter().map(|claim| claim.stated)),
                }
                statements.push(view.labelled);
            }
            (found.stated, found.differs) = agreed(&statements);
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

fn one_view(expected: &Expected<'_>, view: &Reading) -> Result<Option<Finding>, Doubt> {
    let sorted = sort(expected, view);
    let due = sorted.iter().flat_map(|sorted| &sorted.due).map(|claim| claim.numeric());
    let candidates: Vec<NumericMove> = due.filter(|m| expected.try_move(*m).is_some()).collect();
    // the moves of such a condition are claims as well, and would be called misnumbered
    if let Some((line, words)) = view.unclear.first() {
        let reason = Reason::ConditionUnclear { line: *line, words: words.clone() };
        return Err(Doubt { reason, candidates, illegal: false });
    }
    let sorted = sorted?;
    bad_tokens(expected, &view.bad, sorted.due.is_empty())?;
    if let Some((line, concern)) = view.concerns.first() {
        return Err(Doubt { reason: Reason::Concern { line: *line, concern: *concern }, candidates, illegal: false });
    }
    let Some(first) = sorted.due.first() else {
        if let Some((_, claim)) = sorted.ahead.first() {
            return Err(number_ahead(expected, claim));
        }
        return repeat(expected, view, &sorted);
    };
    if !expected.opponent_is_due() {
        let last = expected.last_of_opponent().is_some_and(|(_, m)| m == first.numeric());
        let due = expected.number(expected.due());
        return if last { repeat(expected, view, &sorted) } else { Err(Reason::NotHisTurn(due).into()) };
    }
    let number = expected.number(expected.due());
    if let Some(second) = sorted.due.iter().find(|c| c.numeric() != first.numeric()) {
        let reason = Reason::TwoMoves {
            number,
            first: first.numeric(),
            first_line: first.line,
            second: second.numeric(),
            second_line: second.line,
        };
        return Err(Doubt { reason, candidates, illegal: false });
    }
    for claim in &sorted.due {
        let (line, his) = (claim.line, claim.numeric());
        if let Some(word) = claim.in_sentence.clone() {
            return Err(Doubt { reason: Reason::InSentence { line, his, word }, candidates, illegal: false });
        }
    }
    let legal = first.numeric().to_move(expected.replay.position()).map_err(|why| not_legal(expected, first, why))?;
    other_words(expected, view, first, &legal, &candidates)?;
    let played = plays_into(expected, (first, legal), &sorted.ahead)?;
    let next = expected.number(expected.due() + played.before.len() + 1);
    let offers = lines_after(&played.after, next, &view.offered).map_err(|reason| Doubt {
        reason,
        candidates,
        illegal: false,
    })?;
    let due_written = first.numeric();
    let stated = played.stated;
    Ok(Some(Finding::Move(Box::new(Found { due: legal, due_written, played, offers, stated, differs: false }))))
}

/// Compares every numbered move with the record; moves without a number belong to the ply that is due, or repeat the last one.
fn sort<'a>(expected: &Expected<'_>, view: &'a Reading) -> Result<Sorted<'a>, Doubt> {
    let first = expected.number(0);
    let mut sorted = Sorted::default();
    for claim in &view.claims {
        let (line, his) = (claim.line, claim.numeric());
        let Some(number) = claim.number else {
            match expected.last_of_opponent() {
                Some((index, last)) if last == his && expected.try_move(his).is_none() => {
                    sorted.known.push((index, claim))
                }
                _ => sorted.due.push(claim),
            }
            continue;
        };
        let index = first.plies_to(number).ok_or(Reason::NumberBehind { line, number })?;
        match expected.moves.get(index) {
            Some(_) if expected.means(index, his) => sorted.known.push((index, claim)),
            Some(planned) if expected.plan == Some(index) => {
                return Err(Reason::ReadsAnotherMove { line, number, his, planned: *planned }.into());
            }
            Some(recorded) => {
                return Err(Reason::Contradiction { line, number, his, recorded: *recorded }.into());
            }
            None if index == expected.due() => sorted.due.push(claim),
            None if expected.game.conditionals.is_empty() => return Err(number_ahead(expected, claim)),
            None => sorted.ahead.push((index, claim)),
        }
    }
    Ok(sorted)
}

fn number_ahead(expected: &Expected<'_>, claim: &Claim) -> Doubt {
    let due = expected.number(expected.due());
    let (line, number, his) = (claim.line, claim.number.unwrap_or(due), claim.numeric());
    Reason::NumberAhead { line, number, his, due }.into()
}

/// Digits in the place of a move are his illegal move only where he gives no other.
fn bad_tokens(expected: &Expected<'_>, bad: &[BadToken], alone: bool) -> Result<(), Doubt> {
    match bad.first() {
        Some(BadToken { number, text, why, line }) => {
            let due = expected.number(expected.due());
            let illegal = alone && *number == due && expected.opponent_is_due();
            let reason = Reason::BadToken { line: *line, number: *number, text: text.clone(), why: why.clone() };
            Err(Doubt { reason, candidates: Vec::new(), illegal })
        }
        None => Ok(()),
    }
}

/// A clear but impossible move is illegal; one that lacks only its promotion piece is a question.
fn not_legal(expected: &Expected<'_>, claim: &Claim, why: IllegalMove) -> Doubt {
    let number = expected.number(expected.due());
    let candidates = match &why {
        IllegalMove::ShortPromotion { means } => vec![*means],
        _ => Vec::new(),
    };
    let unfinished = matches!(
        why,
        IllegalMove::MissingPromotion { .. }
            | IllegalMove::ShortPromotion { .. }
            | IllegalMove::AmbiguousPromotion { .. }
    );
    let illegal = claim.how == How::Numbered && !unfinished;
    Doubt {
        reason: Reason::NotLegal { line: claim.line, number, his: claim.numeric(), why: Box::new(why) },
        candidates,
        illegal,
    }
}

/// Other digits and other notations in the same view must not point to another legal move.
fn other_words(
    expected: &Expected<'_>,
    view: &Reading,
    claim: &Claim,
    legal: &LegalMove,
    candidates: &[NumericMove],
) -> Result<(), Doubt> {
    let position = expected.replay.position();
    let his = claim.numeric();
    let doubt = |reason, other: Option<NumericMove>| Doubt {
        reason,
        candidates: candidates.iter().copied().chain(other).collect(),
        illegal: false,
    };
    for (line, other) in &view.loose {
        if expected.try_move(*other).is_some_and(|l| l.played != legal.played) {
            return Err(doubt(Reason::AnotherNumber { line: *line, his, other: *other }, Some(*other)));
        }
    }
    let mine = expected.due().checked_sub(1);
    if let Some((index, recorded)) = mine.and_then(|i| Some((i, *expected.moves.get(i)?))) {
        for (line, other) in &view.of_reader {
            if !expected.means(index, *other) {
                let (line, number) = (*line, expected.number(index));
                return Err(Reason::Contradiction { line, number, his: *other, recorded }.into());
            }
        }
    }
    for text in &claim.algebraic {
        if tokens_agree(text, position, &legal.played) == Agreement::Different {
            return Err(doubt(Reason::Notations { line: claim.line, algebraic: text.clone(), his }, None));
        }
    }
    for (line, text) in &view.algebraic {
        if means_another(expected, text, legal) {
            return Err(doubt(Reason::Notations { line: *line, algebraic: text.clone(), his }, None));
        }
    }
    Ok(())
}

/// Whether an algebraic token names a legal move other than this one.
pub(super) fn means_another(expected: &Expected<'_>, text: &str, legal: &LegalMove) -> bool {
    use shakmaty::Position;
    let position = expected.replay.position();
    let names = |m: &shakmaty::Move| tokens_agree(text, position, m) == Agreement::Same;
    position.legal_moves().iter().any(|m| *m != legal.played && names(m))
}

/// Nothing new: a repeat only if the mail restates the opponent's last move and holds nothing else that could be one.
fn repeat(expected: &Expected<'_>, view: &Reading, sorted: &Sorted<'_>) -> Result<Option<Finding>, Doubt> {
    use shakmaty::Position;
    let unread = |text: &str| {
        let position = expected.replay.position();
        position.legal_moves().iter().any(|m| tokens_agree(text, position, m) == Agreement::Same)
    };
    if let Some(line) = view.draw_offer
        && expected.game.draw_offer != Some(expected.game.me.other())
    {
        return Err(Reason::Concern { line, concern: Concern::Draw }.into());
    }
    let another = view.loose.iter().any(|(_, m)| expected.try_move(*m).is_some())
        || view.algebraic.iter().any(|(_, t)| unread(t));
    let Some((last, numeric)) = expected.last_of_opponent() else {
        return Ok(None);
    };
    let highest = sorted.known.iter().map(|(index, _)| *index).max();
    let unnumbered = sorted.due.iter().any(|c| c.numeric() == numeric);
    let restated = sorted.known.iter().any(|(index, _)| *index == last) || unnumbered;
    if another || !restated || highest.is_some_and(|h| h > last) {
        return Ok(None);
    }
    let number = expected.number(last);
    let waits = if expected.opponent_is_due() { "; he may not have your answer" } else { "" };
    Ok(Some(Finding::Repeat(format!("repeats {number} {numeric}, which is on record{waits}"))))
}

/// A planned move counts only on evidence: he repeats it, quotes it, or answers the very message that was drafted.
fn plan_was_sent(expected: &Expected<'_>, evidence: &Evidence, his: NumericMove) -> Result<(), Doubt> {
    let Some((index, planned)) = expected.plan.and_then(|i| expected.moves.get(i).map(|m| (i, *m))) else {
        return Ok(());
    };
    let number = expected.number(index);
    let repeats = |r: &Reading| r.claims.iter().any(|c| c.number == Some(number) && expected.means(index, c.numeric()));
    if evidence.answers_plan || evidence.views.iter().any(repeats) || repeats(&evidence.quoted) {
        return Ok(());
    }
    Err(Doubt { reason: Reason::PlanNotSeenSent { number, planned }, candidates: vec![his], illegal: false })
}
