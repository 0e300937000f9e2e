//! A score by the order of its moves, however it is laid out: the last four plies on record in order, then one legal move; or fewer of
//! them, where its dates and days prove the move.
//!
//! Asked only where no frame gives a move for the ply that is due. What comes out is a claim like any other, so that all that can
//! speak against a move still does.

use std::borrow::Cow;

use super::{Evidence, Expected, arithmetic};
use crate::domain::game::Stated;
use crate::domain::transmission::read::{Claim, How, Passage, Reading, Written};

/// So many plies in order are no accident.
const PLIES: usize = 4;
/// The same where the dates and days of the new move close.
const PLIES_OF_PROVEN: usize = 1;

/// A line or two may part his move from the score above it.
const APART: usize = 2;

/// The evidence with the move that the order of the moves gives, in each form of the mail that has one.
pub(super) fn aligned<'a>(expected: &Expected<'_>, evidence: &'a Evidence) -> Cow<'a, Evidence> {
    let found: Vec<Option<Reading>> = evidence.views.iter().map(|view| with_move(expected, view)).collect();
    if found.iter().all(Option::is_none) {
        return Cow::Borrowed(evidence);
    }
    let views = evidence.views.iter().zip(found);
    let views = views.map(|(view, found)| found.unwrap_or_else(|| view.clone())).collect();
    Cow::Owned(Evidence { views, ..evidence.clone() })
}

/// A number and where it stands: the passage, and how many moves before it there.
#[derive(Clone, Copy)]
struct Placed<'a> {
    line: usize,
    at: (usize, usize),
    written: &'a Written,
}

impl<'a> Placed<'a> {
    fn all((index, passage): (usize, &'a Passage)) -> impl Iterator<Item = Placed<'a>> {
        let moves = passage.moves.iter().enumerate();
        let numbers = moves.filter(|(_, written)| matches!(written, Written::Numeric(_)));
        numbers.map(move |(at, written)| Placed { line: passage.line, at: (index, at), written })
    }
}

/// Whether the words between the score and his move, and those right behind it, stand in the score too: he says nothing of it there
/// that he does not say of the moves on record.
fn is_worded_alike(passages: &[Passage], oldest: &Placed<'_>, last: &Placed<'_>, his: &Placed<'_>) -> bool {
    let (mut of_score, mut of_his): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (index, passage) in passages.iter().enumerate() {
        for (before, word) in &passage.words {
            match (index, *before) {
                at if at > last.at && at <= (his.at.0, his.at.1 + 1) => of_his.push(word),
                at if passage.line >= oldest.line && at <= last.at => of_score.push(word),
                _ => {}
            }
        }
    }
    of_his.iter().all(|word| of_score.contains(word))
}

fn with_move(expected: &Expected<'_>, view: &Reading) -> Option<Reading> {
    let due = expected.due();
    let is_on_record = |claim: &Claim| expected.index_of(claim).is_some_and(|ply| ply < due);
    let is_due = |claim: &Claim| expected.index_of(claim) == Some(due);
    if !view.bad.is_empty() || view.claims.iter().any(is_due) || !expected.opponent_is_due() {
        return None;
    }
    let numbers: Vec<Placed<'_>> = view.passages.iter().enumerate().flat_map(Placed::all).collect();
    // how many plies of the record end at a place, counted back from its last one
    let run = |end: usize| {
        let back = numbers.iter().take(end).rev().zip((0..due).rev());
        back.take_while(|(placed, ply)| expected.means(*ply, placed.written)).count()
    };
    let ends = |least: usize| (least..numbers.len()).rev().find(|end| run(*end) >= least);
    let end = ends(PLIES).or_else(|| ends(PLIES_OF_PROVEN))?;
    let length = run(end);
    let (score, behind) = (numbers.get(end - length..end)?, numbers.get(end..)?);
    let (his, (oldest, last)) = (*behind.first()?, score.first().zip(score.last())?);
    let new = expected.could_be(his.written)?;
    let is_other = |other: &Placed<'_>| expected.could_be(other.written).is_some_and(|other| other != new);
    let lines = score.windows(2).filter_map(|pair| if let [a, b] = pair { Some(b.line - a.line) } else { None });
    let is_apart = his.line - last.line > lines.max().unwrap_or_default() + APART;
    if behind.iter().any(is_other) || is_apart || !is_worded_alike(&view.passages, oldest, last, &his) {
        return None;
    }
    let of_score = |claim: &Claim| {
        let is_it = |placed: &Placed<'_>| placed.line == claim.line && *placed.written == claim.written;
        claim.number.is_none() && (score.iter().any(is_it) || is_it(&his))
    };
    if !view.claims.iter().all(|claim| is_on_record(claim) || of_score(claim)) {
        return None;
    }
    let claim = Claim {
        number: Some(expected.number(due)),
        written: his.written.clone(),
        stated: Stated::default(),
        how: How::Numbered,
        line: his.line,
        in_sentence: None,
        conditional: false,
        hedge: None,
        maybe: false,
        beside: Vec::new(),
    };
    let legal = new.to_move(expected.replay.position()).ok()?;
    // a head above the score labels the cells of its first row
    let labelled = view.labelled;
    let mut view = Reading { labelled: Stated::default(), ..view.clone() };
    if !arithmetic::closes(expected, &view, &claim, &legal) {
        if length < PLIES {
            return None;
        }
        view.labelled = labelled;
    }
    let is_used = |loose: &(usize, Written)| score.iter().any(|used| used.line == loose.0 && *used.written == loose.1);
    view.loose.retain(|loose| !is_used(loose));
    // the rows of the score have no other numbers
    view.claims.retain(|claim| !of_score(claim));
    view.claims.push(claim);
    Some(view)
}
