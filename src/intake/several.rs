//! The verdicts on a mail that may be about several games of one opponent: by its sections, or by the moves it gives.
//!
//! Pure. A move counts for a game only if no other reading of the mail gives it, or anything else, to another one.

use super::cut_at_moves::is_due;
use super::evidence::{Asked, Mail};
use super::sections::{Cut, Section};
use super::which::Thread;
use crate::domain::judge::{Asks, Evidence, Reason, Verdict, judge, judge_asked};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::{Claim, Event, HedgeKind, Reading};
use crate::mail::known::Known;

/// One verdict for each section of the mail.
pub(super) fn in_sections<'a>(mail: Mail<'_>, cut: &Cut<'a>, running: &[&'a Thread]) -> Vec<(&'a Thread, Verdict)> {
    let verdicts = cut.sections.iter().map(|section| (section.thread, in_section(mail, cut, section)));
    let verdicts: Vec<_> = verdicts.collect();
    let is_behind = cut.sections.last().is_some_and(|section| offers_behind(mail, section));
    let is_unclear = is_behind
        || cut.sections.iter().any(|section| {
            let fits = |other: &Thread| {
                let elsewhere = mail.judged(other, Asked::part(&section.part));
                other.game.id != section.thread.game.id && matches!(elsewhere, Verdict::Accepted(_))
            };
            let evidence = mail.evidence(section.thread, Asked::part(&section.part));
            let says_something = || says_something(&evidence);
            (section.is_mention && says_something() && !is_proven(section.thread, &evidence, running))
            // the subject may be an old one
            || (section.is_headed_by_subject && !says_something())
            || (!section.is_settled && running.iter().any(|other| fits(other)))
        });
    match is_unclear {
        true => verdicts.into_iter().map(|(thread, verdict)| (thread, which_game(verdict))).collect(),
        false => verdicts,
    }
}

/// The moves of the lines are due in this game by their numbers, and in no other.
fn is_proven(thread: &Thread, evidence: &Evidence, running: &[&Thread]) -> bool {
    let claims = || evidence.views.iter().flat_map(|view| &view.claims);
    let others = || running.iter().filter(|other| other.game.id != thread.game.id);
    let is_of_another = |claim: &Claim| claim.number.is_none() || others().any(|other| is_due(other, claim));
    claims().any(|claim| is_due(thread, claim)) && !claims().any(is_of_another)
}

/// An offer of a draw stands in a paragraph of its own behind the last move: it may be meant for every game.
fn offers_behind(mail: Mail<'_>, section: &Section<'_>) -> bool {
    mail.texts(&Known::default()).iter().any(|(view, text)| {
        let asked = Asked { view: Some(*view), part: Some(&section.part), ..Asked::default() };
        let evidence = mail.evidence(section.thread, asked);
        let claims = evidence.views.iter().flat_map(|view| &view.claims);
        let Some(last) = claims.map(|claim| claim.line).max() else { return false };
        let mut spoken = evidence.views.iter().flat_map(|view| &view.events);
        let is_parted = |offer: usize| {
            let between = text.lines.iter().filter(|line| (last..offer).contains(&line.number));
            between.into_iter().any(|line| line.text.trim().is_empty())
        };
        spoken.any(|spoken| spoken.event == Event::DrawOffer && is_parted(spoken.line))
    })
}

/// The verdict by a section's own lines, unless the lines of none speak against it.
fn in_section(mail: Mail<'_>, cut: &Cut<'_>, section: &Section<'_>) -> Verdict {
    let thread = section.thread;
    let lines = mail.evidence(thread, Asked::part(&section.part));
    let own = judge(&thread.game, &lines);
    let all = mail.judged(thread, Asked::part(&section.part.with(&cut.rest)));
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
            || view.asides.iter().any(|aside| aside.hedge.kind != HedgeKind::Weighed)
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
    Verdict::Held { reason: Reason::WhichGame, candidates: candidates(verdict) }
}

/// The moves that a verdict gives or offers to choose from.
pub(super) fn candidates(verdict: Verdict) -> Vec<NumericMove> {
    match verdict {
        Verdict::Accepted(accepted) => accepted.plies().into_iter().take(1).collect(),
        Verdict::Held { candidates, .. } => candidates,
        _ => Vec::new(),
    }
}

/// The verdict for the one game that the moves of the mail tell, as they recite it or by their numbers; else all that it
/// could be about are held. A lone move without a number tells none, however well it fits.
pub(super) fn by_moves<'a>(
    mail: Mail<'_>,
    threads: &[&'a Thread],
    running: &[&'a Thread],
) -> Vec<(&'a Thread, Verdict)> {
    let judged = |thread: &&'a Thread| {
        let evidence = mail.evidence(thread, Asked::default());
        Judged { thread, verdict: judge(&thread.game, &evidence), evidence }
    };
    let judged: Vec<Judged<'a>> = running.iter().map(judged).collect();
    let told = judged.iter().find(|one| {
        let others = || judged.iter().filter(|other| other.thread.game.id != one.thread.game.id);
        let recited = || one.recites() && others().all(Judged::is_contradicted);
        let numbered = || one.gives_due_number() && others().all(Judged::is_out_of_number);
        matches!(one.verdict, Verdict::Accepted(_)) && (recited() || numbered())
    });
    let is_named = |one: &&Judged<'a>| threads.iter().any(|named| named.game.id == one.thread.game.id);
    if let Some(told) = told.filter(is_named) {
        return vec![(told.thread, told.verdict.clone())];
    }
    let named: Vec<_> = judged.iter().filter(is_named).map(|one| (one.thread, one.verdict.clone())).collect();
    match named.iter().all(|(_, verdict)| gives_nothing(verdict)) {
        true => named,
        false => named.into_iter().map(|(thread, verdict)| (thread, which_game(verdict))).collect(),
    }
}

/// What a whole mail means for one of the games.
struct Judged<'a> {
    thread: &'a Thread,
    verdict: Verdict,
    evidence: Evidence,
}

impl Judged<'_> {
    /// The ply that is due, counted from 0.
    fn due(&self) -> usize {
        self.thread.game.with_plan_recorded().moves.len()
    }

    /// The plies of the numbered moves of a view.
    fn places(&self, view: &Reading) -> Vec<usize> {
        let numbers = view.claims.iter().filter_map(|claim| claim.number);
        numbers.filter_map(|number| self.thread.game.first_number().plies_to(number)).collect()
    }

    /// Each view gives the due move behind others of the game.
    fn recites(&self) -> bool {
        let due = self.due();
        self.evidence
            .views
            .iter()
            .map(|view| self.places(view))
            .all(|places| places.contains(&due) && places.into_iter().any(|index| index < due))
    }

    /// Each view gives numbered moves only, and the due one among them.
    fn gives_due_number(&self) -> bool {
        let due = self.due();
        self.evidence
            .views
            .iter()
            .all(|view| self.places(view).contains(&due) && view.claims.iter().all(|claim| claim.number.is_some()))
    }

    fn is_contradicted(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Held { reason: Reason::Contradiction { .. } | Reason::ReadsAnotherMove { .. }, .. }
        )
    }

    /// No number of the mail is due here, nor a slip away from it where the move could be played.
    fn is_out_of_number(&self) -> bool {
        let game = &self.thread.game;
        let is_ahead = matches!(self.verdict, Verdict::Held { reason: Reason::NumberAhead { .. }, .. })
            && game.conditionals.is_empty();
        let due = game.first_number().plus(self.due()).number;
        let mut claims = self.evidence.views.iter().flat_map(|view| &view.claims);
        let is_near = claims.any(|claim| claim.number.is_some_and(|given| given.number.abs_diff(due) <= 1));
        (is_ahead || self.is_contradicted()) && !(is_near && self.fits_without_number())
    }

    /// The mail would be a move of this game if it gave no numbers.
    fn fits_without_number(&self) -> bool {
        let asks = Asks { without_numbers: true, ..Asks::default() };
        matches!(judge_asked(&self.thread.game, &self.evidence, &asks), Verdict::Accepted(_))
    }
}
