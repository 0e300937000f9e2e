//! Sorts the claims of one view by what the record makes of them: known, due, or behind what is due.

use super::assess::Doubt;
use super::meaning::Meaning;
use super::{Expected, Reason};
use crate::domain::game::Side;
use crate::domain::transmission::read::{Aside, Claim, Hedge, Reach, Reading, Written};

/// The claims of one view, sorted by what the record makes of them.
#[derive(Default)]
pub(super) struct Sorted<'a> {
    /// Plies on record that the view repeats: index and claim.
    pub(super) known: Vec<(usize, &'a Claim)>,
    /// Claims for the ply that is due.
    pub(super) due: Vec<&'a Claim>,
    /// Claims for it that are only talked about, where others are not.
    pub(super) weighed: Vec<&'a Claim>,
    /// Claims behind it, where a line of the player's stands: index and claim.
    pub(super) ahead: Vec<(usize, &'a Claim)>,
}

/// Compares every numbered move with the record; moves without a number belong to the ply that is due, or repeat the last one.
pub(super) fn sort<'a>(expected: &Expected<'_>, view: &'a Reading) -> Result<Sorted<'a>, Doubt> {
    let due = expected.due();
    let mut sorted = Sorted::default();
    let mut behind = None;
    for claim in &view.claims {
        let (line, his) = (claim.line, &claim.written);
        let Some(number) = claim.number.filter(|_| !expected.asks.without_numbers) else {
            let last = expected.last_of_opponent().filter(|index| expected.means(*index, his));
            match last.filter(|_| expected.is_older || expected.could_be(his).is_none()) {
                Some(index) => sorted.known.push((index, claim)),
                None => sorted.due.push(claim),
            }
            continue;
        };
        // the opening of a thematic event may be told beside his move
        let Some(index) = expected.index_of(claim) else {
            behind.get_or_insert(Reason::NumberBehind { line, number });
            continue;
        };
        if claim.maybe && once_more(expected, index, claim, &sorted) {
            continue;
        }
        match expected.moves.get(index) {
            Some(_) if expected.means(index, his) => sorted.known.push((index, claim)),
            // "I had feared 9. 8284", "and after 13. 6263 I stand better, don't I?"
            Some(_) if claim.hedge.is_some() => {}
            None if claim.hedge.is_some() && index > due && expected.game.conditionals.is_empty() => {}
            None if claim.hedge.is_some() && index == due => sorted.weighed.push(claim),
            Some(_) if is_reply(expected, index, claim, &sorted) => sorted.due.push(claim),
            Some(planned) if expected.plan == Some(index) => {
                return Err(Reason::ReadsAnotherMove { line, number, his: his.clone(), planned: *planned }.into());
            }
            Some(recorded) => {
                return Err(Reason::Contradiction { line, number, his: his.clone(), recorded: *recorded }.into());
            }
            None if index == due => sorted.due.push(claim),
            None if sorted.due.last().is_some_and(|king| spells_castling(expected, king, claim)) => {}
            None if expected.game.conditionals.is_empty() => return Err(number_ahead(expected, claim)),
            None => sorted.ahead.push((index, claim)),
        }
    }
    sorted.recall(expected);
    if let Some(reason) = behind.filter(|_| sorted.due.is_empty()) {
        return Err(reason.into());
    }
    if sorted.due.is_empty() {
        sorted.due = std::mem::take(&mut sorted.weighed);
    }
    Ok(sorted)
}

impl<'a> Sorted<'a> {
    /// Of several moves for the ply that is due those without a number that cannot be played now, and were played before, are no new ones;
    /// nor is a square: "that bishop staring at f2".
    fn recall(&mut self, expected: &Expected<'_>) {
        let played = |claim: &Claim| expected.played(&claim.written);
        let is_square = |claim: &Claim| matches!(&claim.written, Written::Algebraic(text) if text.len() == 2);
        let is_old = |claim: &Claim| {
            let may_be = claim.number.is_none() && expected.could_be(&claim.written).is_none();
            may_be && (is_square(claim) || played(claim).is_some())
        };
        let (old, new): (Vec<&Claim>, Vec<&Claim>) = self.due.iter().partition(|claim| is_old(claim));
        if !new.is_empty() {
            self.known.extend(old.into_iter().filter_map(|claim| Some((played(claim)?, claim))));
            self.due = new;
        }
    }

    /// What takes the certainty from the move that is due: in its own clause, or from elsewhere in the mail. What is said of other moves,
    /// be they on record or only talked about, is no doubt about this one.
    pub(super) fn hedge(&self, view: &'a Reading) -> Option<&'a Hedge> {
        /// Lines below a hedge within which a move is the next one.
        const NEXT: usize = 4;
        /// Lines above a hedge within which a move is the one that it speaks of.
        const NEAR: usize = 3;
        let ahead = self.ahead.iter().map(|(_, claim)| claim);
        let lines: Vec<usize> = self.due.iter().chain(ahead).map(|claim| claim.line).collect();
        let claims = || view.claims.iter().map(|claim| claim.line);
        let reaches = |aside: &&Aside| {
            let at = aside.hedge.line;
            let next = claims().filter(|line| *line >= at && line - at <= NEXT).min();
            let is_next = next.is_some_and(|next| lines.contains(&next));
            let is_behind = lines.iter().any(|line| *line <= at);
            let mut talked_of = claims().chain(view.weighed.iter().map(|(_, hedge)| hedge.line));
            match aside.reach {
                Reach::All => !self.due.is_empty(),
                Reach::Forward => is_next,
                Reach::Back => is_behind || (is_next && !talked_of.any(|line| line <= at && at - line <= NEAR)),
                Reach::Either => is_behind || is_next,
            }
        };
        let of_due = self.due.iter().find_map(|claim| claim.hedge.as_ref());
        of_due.or_else(|| view.asides.iter().find(reaches).map(|aside| &aside.hedge))
    }
}

/// "6. 6152" and then "6. 5755", which White could not play: the reply, under the number of the move that it answers.
fn is_reply(expected: &Expected<'_>, index: usize, claim: &Claim, sorted: &Sorted<'_>) -> bool {
    index + 1 == expected.due()
        && expected.number(index).side == Side::White
        && sorted.known.iter().any(|(known, _)| *known == index)
        && expected.meant_in(&claim.written, expected.replay.before(index)).is_err()
        && expected.could_be(&claim.written).is_some()
}

pub(super) fn number_ahead(expected: &Expected<'_>, claim: &Claim) -> Doubt {
    let due = expected.number(expected.due());
    let (line, number, his) = (claim.line, claim.number.unwrap_or(due), claim.written.clone());
    Reason::NumberAhead { line, number, his, due }.into()
}

/// `12. 5131 0-0-0`, `31. 77781 (g8 = dam)`: the letters give White's move or its square once more, and are not Black's.
fn once_more(expected: &Expected<'_>, index: usize, claim: &Claim, sorted: &Sorted<'_>) -> bool {
    let Written::Algebraic(text) = &claim.written else { return false };
    let Some(white) = index.checked_sub(1) else { return false };
    let due = sorted.due.last().filter(|c| c.line == claim.line);
    match (expected.moves.get(white), due.map(|c| expected.meaning(&c.written))) {
        (Some(_), _) => expected.means(white, &claim.written),
        (None, Some(Meaning::Legal(legal))) => expected.repeats(text, expected.replay.position(), &legal.played),
        _ => false,
    }
}

/// `5171 8161`: castling as the moves of both pieces.
fn spells_castling(expected: &Expected<'_>, king: &Claim, rook: &Claim) -> bool {
    match (&king.written, &rook.written) {
        (Written::Numeric(king), Written::Numeric(rook)) => {
            king.castling_with(*rook, expected.replay.position()).is_some()
        }
        _ => false,
    }
}
