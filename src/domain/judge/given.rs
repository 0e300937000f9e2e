//! The move that the player says a mail gives: what the mail states of it, with all its doubts answered by him.

use super::{Evidence, Expected};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Reading, Written};

/// The places of the mail that give this move, and what is dated in them. Where it stands nowhere in so many digits, there is none.
pub(super) fn given(expected: &Expected<'_>, evidence: &Evidence, numeric: NumericMove) -> Evidence {
    let due = expected.number(expected.due());
    let position = expected.replay.position();
    let legal = numeric.to_move(position).ok();
    let is_same = |written: &Written| match written {
        Written::Numeric(other) => expected.same(&Written::Numeric(*other), &Written::Numeric(numeric)),
        Written::Algebraic(text) => legal.as_ref().is_some_and(|legal| expected.repeats(text, position, &legal.played)),
    };
    let means = |claim: &&Claim| claim.number.is_none_or(|number| number == due) && is_same(&claim.written);
    let plain = |claim: &Claim| Claim {
        written: Written::Numeric(numeric),
        beside: Vec::new(),
        in_sentence: None,
        conditional: false,
        ..claim.clone()
    };
    let views = evidence.views.iter().filter_map(|view| {
        let claims: Vec<Claim> = view.claims.iter().filter(means).map(plain).collect();
        let Reading { labelled, dates_left_open, date_faults, unread_numbers, head, .. } = view.clone();
        let dated = Reading { labelled, dates_left_open, date_faults, unread_numbers, head, ..Reading::default() };
        (!claims.is_empty()).then_some(Reading { claims, ..dated })
    });
    let (header_sent, place) = (evidence.header_sent, evidence.place);
    Evidence { views: views.collect(), header_sent, place, answers_plan: true, ..Evidence::default() }
}
