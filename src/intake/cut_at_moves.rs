//! A mail of several games without headings, cut before the moves whose numbers are due in one game each.

use super::evidence::{Asked, Mail};
use super::sections::{Cut, Part, Section};
use super::which::Thread;
use crate::domain::transmission::read::Claim;
use crate::mail::known::Known;
use crate::mail::quote::{Kind, Split};

/// The mail's sections, if each of two games or more has its due move in paragraphs of its own. What stands above the first belongs to
/// none of them.
pub(super) fn cut_at_moves<'a>(mail: Mail<'_>, running: &[&'a Thread]) -> Option<Cut<'a>> {
    let first = running.first().filter(|_| running.len() > 1)?;
    let mut cut = Cut { sections: Vec::new(), rest: Part::default() };
    let views = mail.evidence(first, Asked::default()).views;
    for (reading, (view, text)) in views.iter().zip(mail.texts(&Known::default())) {
        let starts = starts(&reading.claims, &text, running)?;
        for line in text.lines.iter().filter(|line| line.kind == Kind::Own) {
            let of_line = starts.iter().rev().find(|(from, _)| *from <= line.number);
            match of_line {
                Some((_, thread)) => add(&mut cut.sections, thread, (view, line.number)),
                None => cut.rest.add(view, line.number),
            }
        }
    }
    (cut.sections.len() > 1).then_some(cut)
}

/// The lines with which the games begin, in their order; nothing where they cannot be parted.
fn starts<'a>(claims: &[Claim], text: &Split<'_>, running: &[&'a Thread]) -> Option<Vec<(usize, &'a Thread)>> {
    let mut starts: Vec<(usize, &'a Thread)> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.hedge.is_none() && claim.in_sentence.is_none()) {
        let mut due = running.iter().copied().filter(|thread| is_due(thread, claim));
        let (Some(thread), None) = (due.next(), due.next()) else { continue };
        let is_of = |(_, other): &(usize, &Thread)| other.game.id == thread.game.id;
        if starts.last().is_some_and(is_of) {
            continue;
        }
        let from = paragraph_of(text, claim.line);
        if starts.iter().any(|(above, _)| *above >= from) || starts.iter().any(is_of) {
            return None;
        }
        starts.push((from, thread));
    }
    Some(starts)
}

/// Whether the move has the number of the ply that is due in this game.
pub(super) fn is_due(thread: &Thread, claim: &Claim) -> bool {
    let game = &thread.game;
    let ply = claim.number.and_then(|number| game.first_number().plies_to(number));
    ply == Some(game.with_plan_recorded().moves.len())
}

/// The first line of the paragraph that a line stands in.
fn paragraph_of(text: &Split<'_>, line: usize) -> usize {
    let above = text.lines.iter().filter(|other| other.number < line);
    let blank = above.filter(|other| other.text.trim().is_empty()).map(|other| other.number).max();
    blank.map_or(1, |blank| blank + 1)
}

/// Adds a line, by its view and its number, to the section of its game.
fn add<'a>(sections: &mut Vec<Section<'a>>, thread: &'a Thread, (view, number): (usize, usize)) {
    if let Some(section) = sections.iter_mut().find(|section| section.thread.game.id == thread.game.id) {
        return section.part.add(view, number);
    }
    let mut part = Part::default();
    part.add(view, number);
    sections.push(Section { thread, is_settled: false, is_headed_by_subject: false, is_mention: false, part });
}
