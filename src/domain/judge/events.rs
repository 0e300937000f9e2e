//! What he announces, weighed with the move that was found: a draw, resignation, corrections, leave, claims.
//!
//! Announcements never make a move, and only clear ones change what the mail is: an offer goes with the move, resignation and
//! the acceptance of a draw stand without a new one. Everything open about the result or a move holds the mail.

use super::assess::{Doubt, Finding, Found};
use super::{Evidence, Expected, Reason, Repeated};
use crate::domain::game::{GameResult, Side};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::lexicon::{Key, means, words_of as words_of_text};
use crate::domain::transmission::read::{Claim, Event, HedgeKind, Meaning, Reach, Reading, Spoken};

/// What a mail holds, its announcements included.
#[derive(Debug, Clone)]
pub(super) enum Heard {
    Move(Box<Found>, Said),
    Repeat(Repeated),
    /// In these words.
    Resigns(String),
    /// In these words.
    AcceptsDraw(String),
}

/// What he says with a move.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) draw_offer: bool,
    /// For the player, in the sender's words.
    pub(super) notes: Vec<String>,
    /// The same as it was understood.
    pub(super) announced: Vec<Event>,
}

impl Said {
    fn with(draw_offer: bool, notes: &[&Spoken]) -> Said {
        let mut announced: Vec<Event> = Vec::new();
        for note in notes {
            if note.meaning != Meaning::Talk && !announced.contains(&note.event) {
                announced.push(note.event.clone());
            }
        }
        Said { draw_offer, notes: words_of(notes), announced }
    }
}

/// The finding with what he announces, or the first thing that speaks against taking it so.
pub(super) fn weigh(
    expected: &Expected<'_>,
    evidence: &Evidence,
    finding: Result<Finding, Doubt>,
) -> Result<Heard, Doubt> {
    let candidates = match &finding {
        Ok(Finding::Move(found)) => vec![NumericMove::of(&found.legal.played)],
        Ok(Finding::Repeat(_)) => Vec::new(),
        Err(doubt) => doubt.candidates.clone(),
    };
    let held = |reason| Err(Doubt { reason, candidates: candidates.clone(), illegal: false });
    let said = |s: &Spoken| Reason::Said { line: s.line, event: s.event.clone(), words: s.words.clone() };
    let heard: Vec<&Spoken> = evidence.spoken().flat_map(|view| announced(expected, view)).collect();
    let says = |event: Event| {
        let clearly = |s: &&Spoken| s.event == event && s.meaning == Meaning::Clear;
        evidence.views.iter().all(|view| announced(expected, view).any(|s| clearly(&s)))
    };
    // "19... 8563 20. 5157 is mate. I resign", "I thought of 20. 6264, but I accept the draw"
    let ends_in_thought = |reason: &Reason| {
        let tells_moves = |s: &&Spoken| s.event == Event::Resignation && s.words.contains(|c: char| c.is_ascii_digit());
        match reason {
            Reason::NumberAhead { .. } | Reason::TwoMoves { .. } | Reason::InSentence { .. } => {
                says(Event::Resignation) && !heard.iter().any(tells_moves)
            }
            Reason::Doubtful(hedge) => {
                hedge.kind == HedgeKind::Weighed && says(Event::DrawAccepted) && offer_is_pending(expected)
            }
            _ => false,
        }
    };
    let found = match finding {
        Ok(finding) => Some(finding),
        Err(Doubt { reason: Reason::NoMove, .. }) => None,
        Err(_) if says(Event::Resignation) && thinks_aloud(expected, evidence) => None,
        Err(ref doubt) if ends_in_thought(&doubt.reason) => None,
        Err(doubt) if doubt.illegal => match heard.iter().find(|s| s.event.decides()) {
            Some(first) => return held(said(first)),
            None => return Err(doubt),
        },
        Err(doubt) => return Err(doubt),
    };
    if let Some(open) = heard.iter().find(|s| is_open(s)) {
        return held(said(open));
    }
    // "EM/09/180 0:1" above "I resign"
    let confirms = |s: &Spoken| {
        matches!(s.event, Event::Score(result) if wins(expected, result))
            && heard.iter().any(|h| h.event == Event::Resignation)
    };
    if let Some(about) = announced(expected, &evidence.subject)
        .find(|s| s.event.decides() && !confirms(s) && !heard.iter().any(|h| h.event == s.event))
    {
        return held(Reason::SaidInSubject { event: about.event.clone(), words: about.words.clone() });
    }
    let deciding = |view: &Reading| -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        for spoken in announced(expected, view).filter(|s| s.event.decides()) {
            if !events.contains(&spoken.event) {
                events.push(spoken.event.clone());
            }
        }
        events
    };
    let mut views = evidence.views.iter().map(deciding);
    let mut decided = views.next().unwrap_or_default();
    if views.any(|other| other != decided) {
        return held(Reason::ViewsDiffer);
    }
    for event in evidence.attached.iter().flat_map(deciding) {
        if !decided.contains(&event) {
            decided.push(event);
        }
    }
    // "I resign ... just kidding!"
    let is_recalled = evidence.spoken().flat_map(|view| &view.asides).any(|aside| aside.reach == Reach::All);
    let first = |event: &Event| heard.iter().find(|s| s.event == *event).copied();
    let notes: Vec<&Spoken> = heard.iter().filter(|s| !s.event.decides()).copied().collect();
    match (decided.as_slice(), found) {
        ([], Some(Finding::Move(found))) => Ok(Heard::Move(found, Said::with(false, &notes))),
        ([], Some(Finding::Repeat(text))) => {
            let asks_only = notes.iter().all(|s| s.event == Event::AsksRepeat);
            if asks_only || evidence.seen {
                Ok(Heard::Repeat(text))
            } else {
                held(Reason::Announces(words_of(&notes).join(" ")))
            }
        }
        ([], None) if notes.is_empty() || evidence.seen => held(Reason::NoMove),
        ([], None) => held(Reason::Announces(words_of(&notes).join(" "))),
        (
            [event @ (Event::DrawOffer | Event::DrawDeclined)] | [Event::DrawDeclined, event @ Event::DrawOffer],
            found,
        ) => match found {
            Some(Finding::Move(found)) => {
                let draw_offer = *event == Event::DrawOffer;
                Ok(Heard::Move(found, Said::with(draw_offer, &notes)))
            }
            Some(Finding::Repeat(text)) if *event == Event::DrawOffer && offer_is_known(expected) => {
                Ok(Heard::Repeat(text))
            }
            Some(Finding::Repeat(_)) | None => held(first(event).map_or(Reason::NoMove, said)),
        },
        ([Event::Resignation], Some(Finding::Move(_))) => match first(&Event::Resignation) {
            Some(s) => held(Reason::ResignsAndMoves { line: s.line, words: s.words.clone() }),
            None => held(Reason::NoMove),
        },
        ([Event::Resignation], _) => match first(&Event::Resignation) {
            Some(s) if names_player(expected, &s.words) || is_recalled => held(said(s)),
            spoken => Ok(Heard::Resigns(said_in(&spoken))),
        },
        ([Event::Resignation, Event::Score(result)] | [Event::Score(result), Event::Resignation], None)
            if wins(expected, *result) =>
        {
            Ok(Heard::Resigns(said_in(&first(&Event::Resignation))))
        }
        ([Event::Score(result)], None) if wins(expected, *result) => {
            Ok(Heard::Resigns(said_in(&first(&Event::Score(*result)))))
        }
        ([Event::DrawAccepted], None | Some(Finding::Repeat(_))) => match first(&Event::DrawAccepted) {
            Some(s) if is_recalled => held(said(s)),
            Some(s) if offer_is_pending(expected) => Ok(Heard::AcceptsDraw(s.words.clone())),
            Some(s) => held(Reason::NotOffered { line: s.line, words: s.words.clone() }),
            None => held(Reason::NoMove),
        },
        ([event, ..], _) => held(first(event).map_or(Reason::NoMove, said)),
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
    let last = expected.due().checked_sub(1);
    let answered = |claim: &Claim| {
        last.is_some_and(|i| claim.number == Some(expected.number(i)) && expected.means(i, &claim.written))
    };
    evidence.views.iter().all(|view| {
        let first = view.claims.first().map(|c| &c.written);
        let several = view.claims.iter().any(|c| Some(&c.written) != first);
        several && view.bad.is_empty() && view.claims.iter().all(|c| in_thought(c) || answered(c))
    })
}

/// The sentences of the notes, each once; the first few, as a mail with more of them is read as a whole.
fn words_of(notes: &[&Spoken]) -> Vec<String> {
    const MOST: usize = 8;
    let mut words: Vec<String> = Vec::new();
    for note in notes.iter().take(MOST) {
        if !words.contains(&note.words) {
            words.push(note.words.clone());
        }
    }
    words
}

fn said_in(spoken: &Option<&Spoken>) -> String {
    spoken.map(|s| s.words.clone()).unwrap_or_default()
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

/// Whether the result is a win for the player.
fn wins(expected: &Expected<'_>, result: GameResult) -> bool {
    match result {
        GameResult::WhiteWins => expected.game.me == Side::White,
        GameResult::BlackWins => expected.game.me == Side::Black,
        GameResult::Draw => false,
    }
}
