//! What he announces, weighed with the move that was found: a draw, resignation, corrections, leave, claims.
//!
//! Announcements never make a move, and only clear ones change what the mail is: an offer goes with the move, resignation and
//! the acceptance of a draw stand without a new one. Everything open about the result or a move holds the mail.

use super::assess::{Doubt, Finding};
use super::{Evidence, Expected, Reason, Verdict, accept};
use crate::domain::game::{GameResult, Side};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::lexicon::{Key, means, words_of as words_of_text};
use crate::domain::transmission::read::{Claim, Event, HedgeKind, Meaning, Reach, Reading, Spoken};

/// The finding with what he announces, or the first thing that speaks against taking it so.
pub(super) fn weigh(
    expected: &Expected<'_>,
    evidence: &Evidence,
    finding: Result<Finding, Doubt>,
) -> Result<Verdict, Doubt> {
    let candidates = match &finding {
        Ok(Finding::Move(found)) => vec![NumericMove::of(&found.legal.played)],
        Ok(Finding::Repeat(_)) => Vec::new(),
        Err(doubt) => doubt.candidates.clone(),
    };
    let held = |reason| Err(Doubt { reason, candidates: candidates.clone(), illegal: false });
    let said = |s: &Spoken| Reason::Said { line: s.line, event: s.event.clone(), words: s.words.clone() };
    let heard: Vec<&Spoken> = evidence.spoken().flat_map(|view| announced(expected, view)).collect();
    let found = match finding {
        Ok(finding) => Some(finding),
        Err(Doubt { reason: Reason::NoMove, .. }) => None,
        Err(ref doubt) if is_outweighed(expected, evidence, &doubt.reason) => None,
        Err(doubt) => match heard.iter().find(|s| doubt.illegal && s.event.decides()) {
            Some(first) => return held(said(first)),
            None => return Err(doubt),
        },
    };
    if let Some(open) = heard.iter().find(|s| is_open(s)) {
        return held(said(open));
    }
    // "EM/09/180 0:1" above "I resign", "Re: Draw?" above "I accept"
    let says = |event: Event| heard.iter().any(|s| s.event == event);
    let confirms = |s: &Spoken| match s.event {
        Event::DrawOffer => says(Event::DrawAccepted) || says(Event::DrawDeclined),
        _ => says(Event::Resignation) && wins(expected, &s.event),
    };
    if let Some(about) = announced(expected, &evidence.subject)
        .find(|s| s.event.decides() && !confirms(s) && !heard.iter().any(|h| h.event == s.event))
    {
        return held(Reason::SaidInSubject { event: about.event.clone(), words: about.words.clone() });
    }
    let deciding = |view| each_once(announced(expected, view).map(|s| &s.event).filter(|event| event.decides()));
    let mut views = evidence.views.iter().map(deciding);
    let mut decided = views.next().unwrap_or_default();
    if views.any(|other| other != decided) {
        return held(Reason::ViewsDiffer);
    }
    decided = each_once(decided.into_iter().chain(evidence.attached.iter().flat_map(deciding)));
    match decided.as_slice() {
        [Event::DrawDeclined, Event::DrawOffer] => decided.retain(|event| **event == Event::DrawOffer),
        [Event::Resignation, score] | [score, Event::Resignation] if wins(expected, score) => {
            decided.retain(|event| **event == Event::Resignation);
        }
        _ => {}
    }
    let notes: Vec<&Spoken> = heard.iter().filter(|s| !s.event.decides()).copied().collect();
    let Some(first) = heard.iter().find(|s| decided.first() == Some(&&s.event)) else {
        return match found {
            Some(Finding::Move(found)) => Ok(accept(expected, evidence, *found, &notes)),
            Some(Finding::Repeat(text)) if evidence.seen || notes.iter().all(|s| s.event == Event::AsksRepeat) => {
                Ok(Verdict::Repeat(text))
            }
            None if notes.is_empty() || evidence.seen => held(Reason::NoMove),
            _ => held(Reason::Announces(words_of(&notes).join(" "))),
        };
    };
    let (line, words) = (first.line, first.words.clone());
    // "I resign ... just kidding!"
    let is_recalled = evidence.spoken().flat_map(|view| &view.asides).any(|aside| aside.reach == Reach::All);
    match (decided.as_slice(), found) {
        ([Event::DrawOffer | Event::DrawDeclined], Some(Finding::Move(found))) => {
            let said: Vec<&Spoken> = notes.into_iter().chain([*first]).collect();
            Ok(accept(expected, evidence, *found, &said))
        }
        ([Event::DrawOffer], Some(Finding::Repeat(text))) if offer_is_known(expected) => Ok(Verdict::Repeat(text)),
        ([Event::Resignation], Some(Finding::Move(_))) => held(Reason::ResignsAndMoves { line, words }),
        ([Event::Resignation], _) if !is_recalled && !names_player(expected, &words) => Ok(Verdict::Resignation(words)),
        ([Event::Score(_)], None) if wins(expected, &first.event) => Ok(Verdict::Resignation(words)),
        ([Event::DrawAccepted], None | Some(Finding::Repeat(_))) if !is_recalled => match offer_is_pending(expected) {
            true => Ok(Verdict::DrawAccepted(words)),
            false => held(Reason::NotOffered { line, words }),
        },
        _ => held(said(first)),
    }
}

/// Each of these once, in their order.
pub(super) fn each_once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = Vec::new();
    for one in all {
        if !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

/// The end counts for more than the thoughts above it: "19... 8563 20. 5157 is mate. I resign", "I thought of 20. 6264, but I accept the draw".
fn is_outweighed(expected: &Expected<'_>, evidence: &Evidence, doubt: &Reason) -> bool {
    let says = |event: Event| {
        let clearly = |s: &Spoken| s.event == event && s.meaning == Meaning::Clear;
        evidence.views.iter().all(|view| announced(expected, view).any(clearly))
    };
    let mut heard = evidence.spoken().flat_map(|view| announced(expected, view));
    let tells_moves = |s: &Spoken| s.event == Event::Resignation && s.words.contains(|c: char| c.is_ascii_digit());
    match doubt {
        Reason::Doubtful(hedge) if hedge.kind == HedgeKind::Weighed && offer_is_pending(expected) => {
            says(Event::DrawAccepted) || (says(Event::Resignation) && thinks_aloud(expected, evidence))
        }
        Reason::NumberAhead { .. } | Reason::TwoMoves { .. } | Reason::InSentence { .. } if !heard.any(tells_moves) => {
            says(Event::Resignation)
        }
        _ => says(Event::Resignation) && thinks_aloud(expected, evidence),
    }
}

/// What is not mere talk. "I accept, with the greatest of pleasure! Dinner it is": where no draw was offered, nothing says that it is one.
fn announced<'v>(expected: &Expected<'_>, view: &'v Reading) -> impl Iterator<Item = &'v Spoken> {
    let pending = offer_is_pending(expected);
    let of_draw =
        |s: &Spoken| words_of_text(&s.words).iter().any(|word| means(word, Key::Draw) || means(word, Key::DrawOffer));
    let is_talk =
        move |s: &Spoken| s.event == Event::DrawAccepted && s.meaning == Meaning::Open && !pending && !of_draw(s);
    view.events.iter().filter(move |s| s.meaning != Meaning::Talk && !is_talk(s))
}

/// Whether a person must look: open about the result, or a claim that would end the game.
fn is_open(spoken: &Spoken) -> bool {
    (spoken.event.decides() && spoken.meaning == Meaning::Open) || spoken.event.claims_a_draw()
}

/// "I looked at 5755, 2836 and 8786, and all lose": two moves or more, each inside a sentence or the reader's last one.
fn thinks_aloud(expected: &Expected<'_>, evidence: &Evidence) -> bool {
    let in_thought = |claim: &Claim| {
        let his = claim.number.is_none_or(|number| number.side != expected.game.me);
        his && (claim.in_sentence.is_some() || claim.conditional || claim.hedge.is_some())
    };
    let answered = |claim: &Claim| expected.repeated(claim).is_some_and(|index| index + 1 == expected.due());
    evidence.views.iter().all(|view| {
        let first = view.claims.first().map(|c| &c.written);
        let several = view.claims.iter().any(|c| Some(&c.written) != first);
        several && view.bad.is_empty() && view.claims.iter().all(|c| in_thought(c) || answered(c))
    })
}

/// The sentences of the notes, each once; the first few, as a mail with more of them is read as a whole.
pub(super) fn words_of(notes: &[&Spoken]) -> Vec<String> {
    const MOST: usize = 8;
    each_once(notes.iter().take(MOST).map(|note| note.words.clone()))
}

/// Whether the player's last move, or the one he has drafted, offers a draw.
fn offer_is_pending(expected: &Expected<'_>) -> bool {
    expected.game.with_plan_recorded().draw_offer == Some(expected.game.me)
}

/// Whether the opponent's offer is on record.
fn offer_is_known(expected: &Expected<'_>) -> bool {
    expected.game.draw_offer == Some(expected.game.me.other())
}

/// "Black resigns", written by White: whoever resigns, it is not plain that it is he.
fn names_player(expected: &Expected<'_>, words: &str) -> bool {
    let words = words.to_lowercase();
    let names: &[&str] = match expected.game.me {
        Side::White => {
            &["white", "weiß", "weiss", "blancs", "blancas", "bianco", "brancas", "wit ", "białe", "bílý", "белые"]
        }
        Side::Black => {
            &["black", "schwarz", "noirs", "negras", "nero", "pretas", "zwart", "czarne", "černý", "чёрные", "черные"]
        }
    };
    names.iter().any(|name| words.contains(name))
}

/// Whether he writes the result of a win for the player.
fn wins(expected: &Expected<'_>, event: &Event) -> bool {
    let won = match expected.game.me {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    };
    *event == Event::Score(won)
}
