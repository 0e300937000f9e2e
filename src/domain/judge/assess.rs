//! Finds the one move that all readings of a mail give, or the first doubt.

use super::{Evidence, Expected, Reason, Repeated, arithmetic, beside};
use crate::domain::game::{Plan, Stated};
use crate::domain::notation::{Agreement, LegalMove, NumericMove, tokens_agree};
use crate::domain::transmission::lexicon::words_of;
use crate::domain::transmission::read::{BadToken, Claim, Hedge, HedgeKind, Reading, Written, fill};

use super::conditional::{PlaysInto, lines_after, plays_into};
use super::discrepancy::apart;
use super::elsewhere::{elsewhere, files_agree, source};
use super::legal::legal;
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
    /// What stands beside his last move, at each place that gives it.
    statements: Vec<Stated>,
    /// What he states of it.
    pub(super) stated: Stated,
    /// The mail gives two different days or numbers for it.
    pub(super) differs: bool,
    /// A date or a number of his was not understood, or cannot be of this move, and arithmetic does not settle it.
    pub(super) left_open: bool,
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
    // what is illegal in one form of the mail only is no clear illegal move
    let unanimous = evidence.views.windows(2).all(|pair| matches!(pair, [a, b] if a.claims == b.claims));
    let findings = evidence.views.iter().map(|view| one_view(expected, view)).collect::<Result<Vec<_>, _>>();
    let findings = findings.map_err(|d| Doubt { illegal: d.illegal && unanimous, ..d })?;
    let given = findings.iter().flatten().next().cloned();
    let agrees = |finding: &Option<Finding>| match (finding, &given) {
        (Some(Finding::Move(a)), Some(Finding::Move(b))) => a.says_the_same(b),
        (Some(Finding::Repeat(_)), Some(Finding::Repeat(_))) | (None, None) => true,
        _ => false,
    };
    if !findings.iter().all(agrees) {
        return Err(Reason::ViewsDiffer.into());
    }
    let given = match given {
        Some(given) => {
            files_agree(expected, evidence, &given)?;
            Some(given)
        }
        None => source(expected, evidence)?,
    };
    elsewhere(expected, evidence, given.as_ref())?;
    let mut found = match given {
        Some(Finding::Move(found)) => found,
        Some(repeat @ Finding::Repeat(_)) => return Ok(repeat),
        None => return Err(Reason::NoMove.into()),
    };
    beside::boards(expected, evidence, &found)?;
    plan_was_sent(expected, evidence, NumericMove::of(&found.legal.played))?;
    let mut statements = found.statements.clone();
    for finding in findings.into_iter().flatten() {
        if let Finding::Move(of_view) = finding {
            statements.extend(of_view.statements);
        }
    }
    for file in &evidence.attached {
        let due = sort(expected, file).unwrap_or_default().due.into_iter();
        statements.extend(due.filter(|claim| expected.same(&claim.written, &found.written)).map(|claim| claim.stated));
    }
    statements.extend(evidence.spoken().map(|reading| reading.labelled));
    let (stated, differs) = agreed(&statements);
    (found.stated, found.differs) = (arithmetic::possible(expected, evidence, stated), differs);
    found.left_open |= found.stated != stated || evidence.views.iter().any(|view| view.dates_left_open);
    if !differs && found.played.before.is_empty() {
        // a date that leaves no way to the days and the total that he writes is not his
        let without_dates = Stated { received: None, sent: None, ..found.stated };
        let Stated { received, sent, days, total } = found.stated;
        let is_half = received.xor(sent).and(days).and(total).is_some();
        let solved = |view| {
            let solve = |stated| arithmetic::fill_blanks(expected, view, &found.legal, stated);
            solve(found.stated).or_else(|| solve(without_dates).filter(|_| is_half))
        };
        let mut solutions = evidence.views.iter().filter_map(solved);
        if let Some(solution) = solutions.next()
            && solutions.all(|other| other == solution)
        {
            (found.stated, found.left_open) = (solution, false);
        }
    }
    Ok(Finding::Move(found))
}

/// What all statements agree on; a part in which two of them differ stays blank, and `true` tells so.
pub(super) fn agreed(statements: &[Stated]) -> (Stated, bool) {
    let (mut first, mut other) = (Stated::default(), Stated::default());
    for stated in statements {
        fill(&mut other, apart(*stated, &first));
        fill(&mut first, *stated);
    }
    let same = Stated {
        received: first.received.xor(other.received),
        sent: first.sent.xor(other.sent),
        days: first.days.xor(other.days),
        total: first.total.xor(other.total),
    };
    (same, !other.is_empty())
}

pub(super) fn one_view(expected: &Expected<'_>, view: &Reading) -> Result<Option<Finding>, Doubt> {
    let sorted = sort(expected, view);
    let due = sorted.iter().flat_map(|sorted| &sorted.due);
    let candidates: Vec<NumericMove> = due.filter_map(|c| expected.could_be(&c.written)).collect();
    let doubt = |reason| Doubt { reason, candidates: candidates.clone(), illegal: false };
    // the moves of such a condition are claims as well, and would be called misnumbered
    if let Some((line, words)) = view.unclear.first() {
        return Err(doubt(Reason::ConditionUnclear { line: *line, words: words.clone() }));
    }
    let mut sorted = sorted?;
    sorted.due = corrected(expected, view, sorted.due);
    let (number, is_his_turn) = (expected.number(expected.due()), expected.opponent_is_due());
    // digits in the place of a move are his illegal move only where he gives no other
    if let Some(BadToken { line, number: at, text, why, is_certain }) = view.bad.first().cloned() {
        let illegal = sorted.due.is_empty() && is_certain && at == number && is_his_turn;
        return Err(Doubt { illegal, ..Reason::BadToken { line, number: at, text, why }.into() });
    }
    if let Some(hedge) = sorted.hedge(view) {
        return Err(doubt(Reason::Doubtful(hedge.clone())));
    }
    let Some(first) = sorted.due.first() else {
        return match sorted.ahead.first() {
            Some((_, claim)) => Err(number_ahead(expected, claim)),
            None => repeat(expected, view, &sorted),
        };
    };
    if !is_his_turn {
        let is_last = expected.last_of_opponent().is_some_and(|last| expected.means(last, &first.written));
        return if is_last { repeat(expected, view, &sorted) } else { Err(Reason::NotHisTurn(number).into()) };
    }
    let legal = legal(expected, view, first);
    let is_another = |claim: &Claim| !expected.same(&claim.written, &first.written);
    let another = sorted.due.iter().find(|claim| is_another(claim));
    // the only legal move with the due number, and its dates close: no word beside it is needed, nor one that was not understood a doubt
    let is_proven = first.number.is_some() && another.is_none() && is_dated(expected, view, first, &legal);
    // "I waver between 10. 7273 and 10. 6264; 10. 3113 is not bad either", "10. 7584 ... With 10. 7564 I hope for a quiet game"
    let doubts = |hedge: &&Hedge, line: usize| {
        let is_near = sorted.due.iter().any(|due| due.line.abs_diff(line) <= 1);
        let may_stand = match hedge.kind {
            HedgeKind::Weighed | HedgeKind::TakenBack | HedgeKind::Old | HedgeKind::Asked => true,
            // what he talks of before his move he decides against
            HedgeKind::TalkedOf => sorted.due.iter().all(|due| due.line < line),
            _ => false,
        };
        may_stand || (is_near && !is_proven)
    };
    // he may be undecided, or correct himself, with a move that cannot be played as well
    let is_corrected = |claim: &Claim| {
        is_proven && view.claims.iter().position(|c| c == claim) < view.claims.iter().position(|c| c == *first)
    };
    let of_any = |claim: &Claim| match claim.hedge.as_ref().map(|hedge| hedge.kind) {
        _ if expected.could_be(&claim.written).is_some() => true,
        Some(HedgeKind::TakenBack) => !is_corrected(claim),
        Some(HedgeKind::Asked | HedgeKind::Old) => true,
        _ => false,
    };
    let mut others = sorted.weighed.iter().filter(|claim| of_any(claim) && is_another(claim));
    if let Some(hedge) = others.find_map(|claim| claim.hedge.as_ref().filter(|hedge| doubts(hedge, claim.line))) {
        return Err(doubt(Reason::Doubtful(hedge.clone())));
    }
    if let Some(second) = another {
        let (first, first_line) = (first.written.clone(), first.line);
        let (second, second_line) = (second.written.clone(), second.line);
        return Err(doubt(Reason::TwoMoves { number, first, first_line, second, second_line }));
    }
    let is_excused = |claim: &Claim, word: &str| is_proven && (word == "you" || is_beside(view, claim, word));
    for claim in &sorted.due {
        if let Some(word) = claim.in_sentence.clone().filter(|word| !is_excused(claim, word)) {
            return Err(doubt(Reason::InSentence { line: claim.line, his: claim.written.clone(), word }));
        }
    }
    if let Some(claim) = sorted.due.iter().find(|claim| expected.is_older && claim.number.is_none()) {
        return Err(doubt(Reason::OlderMail { line: claim.line, his: claim.written.clone() }));
    }
    of_reader(expected, view)?;
    let legal = legal?;
    other_words(expected, view, (&sorted.due, is_proven), &legal, &candidates)?;
    beside::pieces(view, &sorted.due, &legal)?;
    let found = found(expected, &sorted.due, legal, &sorted.ahead, view).map_err(|d| Doubt { candidates, ..d })?;
    Ok(Some(Finding::Move(Box::new(found))))
}

/// The claims for the due ply without those that he corrects: "10. 7173 was not possible, of course. Correct: 10. 7152". They cannot be
/// played, stand in a sentence, and come before the only one that can be, which its dates prove.
fn corrected<'c>(expected: &Expected<'_>, view: &Reading, due: Vec<&'c Claim>) -> Vec<&'c Claim> {
    let is_illegal = |claim: &&Claim| {
        claim.number.is_some() && claim.in_sentence.is_some() && expected.could_be(&claim.written).is_none()
    };
    let wrong = due.iter().take_while(|claim| is_illegal(claim)).count();
    let rest = due.get(wrong..).unwrap_or_default();
    let Some(first) = rest.first().filter(|first| wrong > 0 && first.number.is_some()) else { return due };
    let is_one = rest.iter().all(|claim| expected.same(&claim.written, &first.written));
    if is_one && is_dated(expected, view, first, &legal(expected, view, first)) { rest.to_vec() } else { due }
}

/// Whether a claim is a legal move, and its dates and days prove it.
fn is_dated(expected: &Expected<'_>, view: &Reading, claim: &Claim, legal: &Result<LegalMove, Doubt>) -> bool {
    legal.as_ref().is_ok_and(|legal| arithmetic::closes(expected, view, claim, legal))
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
    due: &[&Claim],
    legal: LegalMove,
    ahead: &[(usize, &Claim)],
    view: &Reading,
) -> Result<Found, Doubt> {
    let claim = due.first().ok_or(Reason::NoMove)?;
    let played = plays_into(expected, (claim, legal), ahead)?;
    let next = expected.number(expected.due() + played.before.len() + 1);
    let offers = lines_after(expected, &played.after, next, &view.offered)?;
    // dates under the number of another move were read as those of that move
    let is_of_due = |claim: &&&Claim| claim.number.is_none_or(|number| number == expected.number(expected.due()));
    let (of_due, of_other): (Vec<&Claim>, Vec<&Claim>) = due.iter().partition(|claim| is_of_due(claim));
    let left_open = of_other.iter().any(|claim| !claim.stated.is_empty());
    let statements = match played.before.is_empty() {
        true => of_due.iter().map(|claim| claim.stated).collect(),
        false => vec![played.stated],
    };
    let (written, stated) = (claim.written.clone(), Stated::default());
    Ok(Found { legal, written, played, offers, statements, stated, differs: false, left_open })
}

/// What he calls the reader's move must be the reader's last one.
fn of_reader(expected: &Expected<'_>, view: &Reading) -> Result<(), Doubt> {
    let Some((index, recorded)) = expected.moves.iter().copied().enumerate().next_back() else { return Ok(()) };
    // "your knight on f5" names a square
    let is_square = |other: &Written| matches!(other, Written::Algebraic(text) if text.len() == 2);
    match view.of_reader.iter().find(|(_, other)| !is_square(other) && !expected.means(index, other)) {
        Some((line, other)) => {
            let (line, number, his) = (*line, expected.number(index), other.clone());
            Err(Reason::Contradiction { line, number, his, recorded }.into())
        }
        None => Ok(()),
    }
}

/// Other digits and other notations in the same view must not point to another legal move.
fn other_words(
    expected: &Expected<'_>,
    view: &Reading,
    (due, is_proven): (&[&Claim], bool),
    legal: &LegalMove,
    candidates: &[NumericMove],
) -> Result<(), Doubt> {
    let position = expected.replay.position();
    let doubt = |reason, other: Option<NumericMove>| Doubt {
        reason,
        candidates: candidates.iter().copied().chain(other).collect(),
        illegal: false,
    };
    if let Some((_, hedge)) = view.weighed.iter().find(|(talked_of, _)| could_mean(expected, talked_of, legal)) {
        return Err(doubt(Reason::Doubtful(hedge.clone()), None));
    }
    for claim in due {
        let his = || claim.written.clone();
        for text in &claim.beside {
            let agrees = expected.repeats(text, position, &legal.played);
            if !agrees && tokens_agree(text, position, &legal.played) == Agreement::Different {
                return Err(doubt(Reason::Notations { line: claim.line, algebraic: text.clone(), his: his() }, None));
            }
        }
        // "I looked at 2142 for long, but the attack is too slow", above the move that dates and days prove
        let is_talk = |loose: &&(usize, Written)| is_proven && loose.0 <= claim.line && view.mentioned.contains(loose);
        for (line, other) in view.loose.iter().filter(|loose| !is_talk(loose)) {
            let another = means_another(expected, other, legal);
            if another.is_some() {
                let (line, his) = (*line, his());
                let reason = match other.clone() {
                    other @ Written::Numeric(_) => Reason::AnotherNumber { line, his, other },
                    Written::Algebraic(algebraic) => Reason::Notations { line, algebraic, his },
                };
                return Err(doubt(reason, another));
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

/// A planned move counts only on evidence: he repeats it, quotes it, or answers the very message that was drafted. Of a move that
/// was kept back, or that the program did not try to send yet, nothing went out: whoever repeats it may have guessed it. So may
/// anybody whose mail nothing vouches for.
fn plan_was_sent(expected: &Expected<'_>, evidence: &Evidence, his: NumericMove) -> Result<(), Doubt> {
    let Some((index, planned)) = expected.plan.and_then(|i| expected.moves.get(i).map(|m| (i, *m))) else {
        return Ok(());
    };
    let number = expected.number(index);
    let repeats = |r: &Reading| r.claims.iter().any(|claim| expected.repeated(claim) == Some(index));
    let is_repeated = evidence.views.iter().any(repeats) || repeats(&evidence.quoted);
    let plan = expected.game.plan.as_ref();
    let is_drafted = plan.is_some_and(Plan::is_drafted);
    let is_untried = evidence.plan_is_untried;
    if !is_untried && (evidence.answers_plan || (is_repeated && is_drafted && !evidence.is_unproven)) {
        return Ok(());
    }
    let (game, on) = (expected.game.id.clone(), plan.and_then(|plan| plan.stated.sent));
    let reason = match (is_untried, is_drafted) {
        (true, _) => Reason::PlanUntried { number, planned, game },
        (_, false) => Reason::PlanKeptBack { number, planned, game },
        (_, true) => Reason::PlanNotSeenSent { number, planned, game, on },
    };
    Err(Doubt { reason, candidates: vec![his], illegal: false })
}
