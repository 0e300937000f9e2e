//! The verdicts on a mail that may be about several games of one opponent: by its sections, or by the moves it recites.
//!
//! Pure. A move counts for a game only if no other reading of the mail gives it, or anything else, to another one.

use chrono::{DateTime, Utc};

use super::evidence::evidence;
use super::sections::{Cut, Section};
use super::which::Thread;
use crate::domain::judge::{Evidence, Reason, Verdict, judge};
use crate::domain::notation::NumericMove;
use crate::mail::message::IncomingMessage;

/// One verdict for each section of the mail.
pub(super) fn in_sections<'a>(
    message: &IncomingMessage,
    cut: &Cut<'a>,
    running: &[&'a Thread],
    at: DateTime<Utc>,
) -> Vec<(&'a Thread, Verdict)> {
    let verdicts = cut.sections.iter().map(|section| (section.thread, in_section(message, cut, section, at)));
    let verdicts: Vec<_> = verdicts.collect();
    let is_unclear = cut.sections.iter().any(|section| {
        let fits = |other: &Thread| {
            let elsewhere = judge(&other.game, &evidence(message, other, at, Some(&section.part)));
            other.game.id != section.thread.game.id && matches!(elsewhere, Verdict::Accepted(_))
        };
        let says_something = || says_something(&evidence(message, section.thread, at, Some(&section.part)));
        (section.is_mention && says_something()) || (!section.is_settled && running.iter().any(|other| fits(other)))
    });
    match is_unclear {
        true => verdicts.into_iter().map(|(thread, verdict)| (thread, which_game(verdict))).collect(),
        false => verdicts,
    }
}

/// The verdict by a section's own lines, unless the lines of none speak against it.
fn in_section(message: &IncomingMessage, cut: &Cut<'_>, section: &Section<'_>, at: DateTime<Utc>) -> Verdict {
    let thread = section.thread;
    let lines = evidence(message, thread, at, Some(&section.part));
    let own = judge(&thread.game, &lines);
    let all = judge(&thread.game, &evidence(message, thread, at, Some(&section.part.with(&cut.rest))));
    match (own, all) {
        (Verdict::Accepted(own), Verdict::Accepted(all))
            if (own.numeric, own.draw_offer) == (all.numeric, all.draw_offer) =>
        {
            Verdict::Accepted(own)
        }
        (Verdict::Accepted(own), Verdict::Held { reason, .. } | Verdict::Illegal(reason)) => {
            Verdict::Held { reason, candidates: vec![own.numeric] }
        }
        (own @ Verdict::Accepted(_), _) => which_game(own),
        (Verdict::Held { reason: Reason::NoMove | Reason::GameOver, .. }, all) if !says_something(&lines) => {
            match all {
                // a move above the first heading may be meant for any game
                Verdict::Accepted(_) | Verdict::Resignation(_) | Verdict::DrawAccepted(_) => which_game(all),
                Verdict::Held { reason: Reason::NoMove | Reason::GameOver, .. } | Verdict::Repeat(_) => {
                    Verdict::NotAMove(Reason::NoMoveHere(thread.game.id.to_string()))
                }
                doubt => doubt,
            }
        }
        (Verdict::Repeat(_), doubt @ Verdict::Held { .. }) => doubt,
        // so may a resignation or an accepted draw
        (own, Verdict::Resignation(_) | Verdict::DrawAccepted(_))
            if !matches!(own, Verdict::Resignation(_) | Verdict::DrawAccepted(_)) =>
        {
            which_game(own)
        }
        (own, _) => own,
    }
}

/// Whether the words say anything of a game.
fn says_something(evidence: &Evidence) -> bool {
    evidence.views.iter().any(|view| {
        let moves = !view.claims.is_empty() || !view.loose.is_empty() || !view.of_reader.is_empty();
        moves
            || !view.bad.is_empty()
            || !view.concerns.is_empty()
            || !view.events.is_empty()
            || !view.offered.is_empty()
    })
}

/// No move was found, so there is none that could be another game's.
pub(super) fn gives_nothing(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Held { reason: Reason::NoMove, .. } | Verdict::NotAMove(_))
}

/// Held, because the words may be meant for another game.
pub(super) fn which_game(verdict: Verdict) -> Verdict {
    let candidates: Vec<NumericMove> = match verdict {
        Verdict::Accepted(accepted) => accepted.plies().into_iter().take(1).collect(),
        Verdict::Held { candidates, .. } => candidates,
        _ => Vec::new(),
    };
    Verdict::Held { reason: Reason::WhichGame, candidates }
}

/// The verdict for the one game whose moves the mail recites with the next one, where it contradicts all others; else all
/// that it could be about are held. A lone move is no recital, however well it fits.
pub(super) fn by_recital<'a>(
    message: &IncomingMessage,
    threads: &[&'a Thread],
    running: &[&'a Thread],
    at: DateTime<Utc>,
) -> Vec<(&'a Thread, Verdict)> {
    let judged = |thread: &&'a Thread| {
        let evidence = evidence(message, thread, at, None);
        (*thread, judge(&thread.game, &evidence), evidence)
    };
    let judged: Vec<_> = running.iter().map(judged).collect();
    let recites = |thread: &Thread, evidence: &Evidence| {
        let expected = thread.game.with_plan_recorded();
        let recorded = |index: usize| index < expected.moves.len();
        let places = |view: &crate::domain::transmission::read::Reading| -> Vec<usize> {
            let numbers = view.claims.iter().filter_map(|claim| claim.number);
            numbers.filter_map(|number| thread.game.first_number().plies_to(number)).collect()
        };
        let due = expected.moves.len();
        evidence.views.iter().all(|view| {
            let places = places(view);
            places.contains(&due) && places.into_iter().any(recorded)
        })
    };
    let is_contradicted = |verdict: &Verdict| {
        matches!(verdict, Verdict::Held { reason: Reason::Contradiction { .. } | Reason::ReadsAnotherMove { .. }, .. })
    };
    let told = judged.iter().position(|(thread, verdict, evidence)| {
        let fits = matches!(verdict, Verdict::Accepted(_)) && recites(thread, evidence);
        let of_others = || judged.iter().filter(|(other, _, _)| other.game.id != thread.game.id);
        fits && of_others().all(|(_, verdict, _)| is_contradicted(verdict))
    });
    let is_named = |thread: &Thread| threads.iter().any(|named| named.game.id == thread.game.id);
    match told.and_then(|place| judged.get(place)).filter(|(thread, _, _)| is_named(thread)) {
        Some((thread, verdict, _)) => vec![(*thread, verdict.clone())],
        None => {
            let named = judged.into_iter().filter(|(thread, _, _)| is_named(thread));
            let named: Vec<_> = named.map(|(thread, verdict, _)| (thread, verdict)).collect();
            match named.iter().all(|(_, verdict)| gives_nothing(verdict)) {
                true => named,
                false => named.into_iter().map(|(thread, verdict)| (thread, which_game(verdict))).collect(),
            }
        }
    }
}
