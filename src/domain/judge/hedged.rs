//! What takes the certainty from the move that is due, of all that the mail denies, weighs or takes back.

use super::sorted::Sorted;
use crate::domain::transmission::read::{Aside, Hedge, Reach, Reading};

/// What takes the certainty from the move that is due: in its own clause, or from elsewhere in the mail. What is said of other moves, be
/// they on record or only talked about, is no doubt about this one.
pub(super) fn hedged<'r>(view: &'r Reading, sorted: &Sorted<'r>) -> Option<&'r Hedge> {
    /// Lines below a hedge within which a move is the next one.
    const NEXT: usize = 4;
    let of_due = sorted.due.iter().find_map(|claim| claim.hedge.as_ref());
    /// Lines above a hedge within which a move is the one that it speaks of.
    const NEAR: usize = 3;
    let ahead = || sorted.ahead.iter().map(|(_, claim)| claim.line);
    let lines = || sorted.due.iter().map(|claim| claim.line).chain(ahead());
    let talked_of = |at: usize| {
        let all = view.claims.iter().map(|claim| claim.line).chain(view.weighed.iter().map(|(_, hedge)| hedge.line));
        all.into_iter().any(|line| line <= at && at - line <= NEAR)
    };
    let reaches = |aside: &&Aside| {
        let at = aside.hedge.line;
        let is_next = || {
            let next = view.claims.iter().map(|claim| claim.line).filter(|line| *line >= at).min();
            lines().any(|line| Some(line) == next && line - at <= NEXT)
        };
        match aside.reach {
            Reach::All => !sorted.due.is_empty(),
            Reach::Forward => is_next(),
            Reach::Back => lines().any(|line| line <= at) || (!talked_of(at) && is_next()),
            Reach::Either => lines().any(|line| line <= at) || is_next(),
        }
    };
    of_due.or_else(|| view.asides.iter().find(reaches).map(|aside| &aside.hedge))
}
