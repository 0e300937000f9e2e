//! A mail of several games without headings, cut before the moves whose numbers are due in one game each.

use super::evidence::{Asked, Mail};
use super::heading::How;
use super::sections::{Cut, Part};
use super::which::Thread;
use crate::domain::game::MoveNumber;
use crate::domain::transmission::read::Claim;
use crate::mail::known::Known;
use crate::mail::quote::{Kind, Split};

/// The mail's sections, if each of two games or more has its due move in paragraphs of its own. What stands above the first belongs to
/// none of them.
pub(super) fn cut_at_moves<'a>(mail: Mail<'_>, running: &[&'a Thread]) -> Option<Cut<'a>> {
    let first = running.first().filter(|_| running.len() > 1)?;
    let due: Vec<(MoveNumber, &Thread)> =
        running.iter().map(|thread| (thread.game.with_plan_recorded().due(), *thread)).collect();
    let mut cut = Cut { sections: Vec::new(), rest: Part::default() };
    let views = mail.evidence(first, Asked::default()).views;
    for (reading, (view, text)) in views.iter().zip(mail.texts(&Known::default())) {
        let starts = starts(&reading.claims, &text, &due)?;
        for line in text.lines.iter().filter(|line| line.kind == Kind::Own) {
            let of_line = starts.iter().rev().find(|(from, _)| *from <= line.number);
            let place = of_line.map(|(_, thread)| cut.open(thread, How::Players));
            let section = place.and_then(|place| cut.sections.get_mut(place));
            section.map_or(&mut cut.rest, |section| &mut section.part).add(view, line.number);
        }
    }
    (cut.sections.len() > 1).then_some(cut)
}

/// The lines with which the games begin, in their order; nothing where they cannot be parted.
fn starts<'a>(
    claims: &[Claim],
    text: &Split<'_>,
    due: &[(MoveNumber, &'a Thread)],
) -> Option<Vec<(usize, &'a Thread)>> {
    let mut starts: Vec<(usize, &'a Thread)> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.hedge.is_none() && claim.in_sentence.is_none()) {
        let mut fitting = due.iter().filter(|(number, _)| claim.number == Some(*number));
        let (Some((_, thread)), None) = (fitting.next(), fitting.next()) else { continue };
        let is_of = |(_, other): &(usize, &Thread)| other.game.id == thread.game.id;
        if starts.last().is_some_and(is_of) {
            continue;
        }
        let from = paragraph_of(text, claim.line);
        if starts.iter().any(|(above, _)| *above >= from) || starts.iter().any(is_of) {
            return None;
        }
        starts.push((from, *thread));
    }
    Some(starts)
}

/// The first line of the paragraph that a line stands in.
fn paragraph_of(text: &Split<'_>, line: usize) -> usize {
    let above = text.lines.iter().filter(|other| other.number < line);
    let blank = above.filter(|other| other.text.trim().is_empty()).map(|other| other.number).max();
    blank.map_or(1, |blank| blank + 1)
}
