//! Conditional moves: whether the lines he offers play out, and whether he plays into a line of the player's.
//!
//! Who takes an offer repeats his move and every accepted pair, then adds his own next move (BdF tournament rules 14, JCCA
//! 1995); whatever else stands behind the ply that is due, holds the mail. His offers are never played for the player.
//! What will surprise you: he who repeats the promised reply and adds no move is asked back, as the line is only taken with one.

use std::collections::{BTreeSet, HashMap};

use shakmaty::{Chess, Position};

use super::assess::Doubt;
use super::{Expected, Reason};
use crate::domain::game::{MoveNumber, Side, Stated};
use crate::domain::notation::{LegalMove, NumericMove};
use crate::domain::transmission::read::conditional::{Offered, Step};
use crate::domain::transmission::read::{Claim, Written};
use crate::languages::{Days, Phrase};
use crate::phrase;

/// A move that the player may make as he likes, in a line.
pub const ANY: &str = "*";

/// The lines he offers, `[the player's ply, his reply, ...]` in numeric notation, [`ANY`] for any move.
///
/// `after` is the position after his move, `first` the number of the player's next ply. Behind "any move" there is no position:
/// digits are taken as they stand there.
///
/// # Errors
/// [`Reason::OfferNotPlayable`] quotes the first offer that does not play out.
pub(super) fn lines_after(
    expected: &Expected<'_>,
    after: &Chess,
    first: MoveNumber,
    offered: &[Offered],
) -> Result<Vec<Vec<String>>, Reason> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut replies: HashMap<Vec<String>, String> = HashMap::new();
    for offer in offered {
        let not_playable = |why: String| Reason::OfferNotPlayable { line: offer.line, words: offer.words.clone(), why };
        let line = play_out(expected, after, first, &offer.steps).map_err(not_playable)?;
        for at in (1..line.len()).step_by(2) {
            let (Some(condition), Some(reply)) = (line.get(..at), line.get(at)) else { continue };
            let known = replies.entry(condition.to_vec()).or_insert_with(|| reply.clone());
            if known != reply {
                return Err(not_playable(format!("{} is answered in two ways", condition.join(" "))));
            }
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// One line in numeric notation.
fn play_out(expected: &Expected<'_>, after: &Chess, first: MoveNumber, steps: &[Step]) -> Result<Vec<String>, String> {
    if steps.is_empty() || !steps.len().is_multiple_of(2) {
        return Err("the last condition has no reply".to_owned());
    }
    let mut position = Some(after.clone());
    let mut before_any = None;
    let mut line = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let due = first.plus(index);
        let Step::Move { number, written } = step else {
            before_any = position.take();
            line.push(ANY.to_owned());
            continue;
        };
        if let Some(number) = number.filter(|number| !fits(*number, due)) {
            return Err(format!("{number} {written} stands where {due} is due"));
        }
        let numeric = match (&mut position, written) {
            (Some(position), written) => {
                let legal = expected.meant_in(written, position).map_err(|why| format!("{due} {written}: {why}"))?;
                position.play_unchecked(legal.played);
                NumericMove::of(&legal.played)
            }
            (None, Written::Numeric(numeric)) => *numeric,
            (None, Written::Algebraic(_)) => before_any
                .as_ref()
                .and_then(|before| behind_any(expected, written, before))
                .ok_or_else(|| format!("{due} {written} may be several moves behind any move"))?,
        };
        before_any = None;
        line.push(numeric.to_string());
    }
    Ok(line)
}

/// Dots say Black; a single point is written for either side.
fn fits(written: MoveNumber, due: MoveNumber) -> bool {
    written.number == due.number && (written.side == due.side || written.side == Side::White)
}

/// The one move that a text names behind every move that allows it.
fn behind_any(expected: &Expected<'_>, written: &Written, before: &Chess) -> Option<NumericMove> {
    let after = |m: shakmaty::Move| {
        let mut after = before.clone();
        after.play_unchecked(m);
        expected.meant_in(written, &after).ok().map(|legal| NumericMove::of(&legal.played))
    };
    let named: BTreeSet<NumericMove> = before.legal_moves().into_iter().filter_map(after).collect();
    if named.len() == 1 { named.into_iter().next() } else { None }
}

/// What a mail makes of the lines that the player offered.
#[derive(Debug, Clone)]
pub(super) struct PlaysInto {
    /// Accepted conditions and promised replies, in order; empty where he gives one move.
    pub(super) before: Vec<(MoveNumber, NumericMove)>,
    /// His last move, in the position behind them.
    pub(super) legal: LegalMove,
    /// As he wrote it.
    pub(super) written: Written,
    /// What he states of it.
    pub(super) stated: Stated,
    /// The position after it.
    pub(super) after: Chess,
    /// The reply that the player promised to his last move.
    pub(super) promised: Option<(MoveNumber, NumericMove)>,
    /// What he states of the plies before it and the rules do not give them.
    pub(super) discrepancies: Vec<Phrase>,
}

/// One ply of a mail that gives several.
struct Ply {
    number: MoveNumber,
    legal: LegalMove,
    written: Written,
    stated: Stated,
}

/// Takes the due move and what stands behind it; `ahead` are the claims behind the due ply with their index in the record.
///
/// # Errors
/// A [`Doubt`] unless every ply behind the due one agrees with a line that stands, up to a last move of his own.
pub(super) fn plays_into(
    expected: &Expected<'_>,
    due: (&Claim, LegalMove),
    ahead: &[(usize, &Claim)],
) -> Result<PlaysInto, Doubt> {
    let lines = standing(expected);
    let (claim, legal) = due;
    let number = expected.number(expected.due());
    let mut after = expected.replay.position().clone();
    after.play_unchecked(legal.played);
    let mut played = vec![NumericMove::of(&legal.played)];
    let mut before = Vec::new();
    let mut last = Ply { number, legal, written: claim.written.clone(), stated: claim.stated };
    let doubt = |reason| Doubt { reason, candidates: vec![NumericMove::of(&legal.played)], illegal: false };
    let end = ahead.iter().map(|(index, _)| *index).max().unwrap_or(expected.due());
    for index in expected.due() + 1..=end {
        let promised = promise(lines, &played);
        let ply = next_ply(expected, index, ahead, promised, &after).map_err(doubt)?;
        after.play_unchecked(ply.legal.played);
        played.push(NumericMove::of(&ply.legal.played));
        before.push(std::mem::replace(&mut last, ply));
    }
    let next = expected.number(end + 1);
    if next.side != expected.game.me {
        let promised = NumericMove::of(&last.legal.played);
        return Err(doubt(Reason::PromiseUnanswered { number: last.number, promised }));
    }
    let promised = promise(lines, &played).map(|promised| (next, promised));
    Ok(PlaysInto {
        stated: dates_of_mail(&last, &before, expected.game.me),
        discrepancies: before.iter().filter_map(costs_something).collect(),
        before: before.iter().map(|ply| (ply.number, NumericMove::of(&ply.legal.played))).collect(),
        legal: last.legal,
        written: last.written,
        after,
        promised,
    })
}

/// The ply of this index as the mail gives it: the promised reply where the player is on the move, else any legal move.
fn next_ply(
    expected: &Expected<'_>,
    index: usize,
    ahead: &[(usize, &Claim)],
    promised: Option<NumericMove>,
    position: &Chess,
) -> Result<Ply, Reason> {
    let number = expected.number(index);
    let mut claims = ahead.iter().filter(|(i, _)| *i == index).map(|(_, claim)| *claim);
    let given = claims.next();
    let claim = given.or(ahead.first().map(|(_, claim)| *claim)).ok_or(Reason::NoMove)?;
    let (line, his) = (claim.line, claim.written.clone());
    let is_mine = number.side == expected.game.me;
    if given.is_none() || (is_mine && promised.is_none()) {
        return Err(Reason::BeyondYourLines { line, number: claim.number.unwrap_or(number), his });
    }
    // "your 13. 5445 is accepted"
    if let Some(word) = claim.in_sentence.clone().filter(|word| !(is_mine && word == "you")) {
        return Err(Reason::InSentence { line, his, word });
    }
    if let Some(other) = claims.find(|other| other.written != claim.written) {
        let (first, first_line, second, second_line) = (his, line, other.written.clone(), other.line);
        return Err(Reason::TwoMoves { number, first, first_line, second, second_line });
    }
    let legal = expected.agreed_in(&claim.written, position);
    let is_it = |promised| legal.as_ref().is_ok_and(|legal| NumericMove::of(&legal.played) == promised);
    match promised.filter(|promised| is_mine && !is_it(*promised)) {
        Some(promised) => Err(Reason::OtherThanPromised { line, number, his, promised }),
        None => match legal {
            Ok(legal) => Ok(Ply { number, legal, written: his, stated: claim.stated }),
            Err(why) => Err(Reason::NotPlayable { line, number, his, why }),
        },
    }
}

/// The lines of the player that his due move may take: behind a plan only those offered with it.
fn standing<'a>(expected: &'a Expected<'_>) -> &'a [Vec<NumericMove>] {
    expected.game.plan.as_ref().map_or(&expected.game.conditionals, |plan| &plan.conditionals)
}

/// What the player promised behind these plies.
fn promise(lines: &[Vec<NumericMove>], played: &[NumericMove]) -> Option<NumericMove> {
    if played.len().is_multiple_of(2) {
        return None;
    }
    lines.iter().find(|line| line.starts_with(played)).and_then(|line| line.get(played.len())).copied()
}

/// The dates of a mail belong to its highest move, wherever they stand beside his moves.
fn dates_of_mail(last: &Ply, before: &[Ply], me: Side) -> Stated {
    let mut stated = last.stated;
    if stated.received.is_none() && stated.sent.is_none() {
        let dated = |ply: &&Ply| ply.number.side != me && ply.stated.sent.is_some();
        if let Some(ply) = before.iter().rev().find(dated) {
            (stated.received, stated.sent) = (ply.stated.received, ply.stated.sent);
        }
    }
    stated
}

/// Accepted conditional moves and promised replies take no time (BdF tournament rules 14).
fn costs_something(ply: &Ply) -> Option<Phrase> {
    let days = ply.stated.days.filter(|days| *days > 0)?;
    let number = ply.number;
    Some(phrase!("{number} is conditional and takes no time, he states {days}", number, days = Days(days)))
}
