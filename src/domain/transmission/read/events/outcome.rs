//! Draws and resignation in a sentence.
//!
//! What a sentence announces is learnt from examples (see [`sense`](super::super::sense)), with the sentence after it, which may be the
//! answer to it. Where the examples do not decide, a person must look. What will surprise you: what ends the game is clear only where
//! nothing at all stands against it, neither a wink nor a quotation mark nor a later "forget that".

use std::cell::LazyCell;

use super::said::{Left, Said, bears};
use super::{Event, Meaning, Spoken};
use crate::domain::transmission::lexicon::Key;
use crate::domain::transmission::read::document::{Kind, Piece};
use crate::domain::transmission::read::sense::{Announced, Chances};

/// From here on a sentence announces something.
const CLEAR: f32 = 0.7;
/// The same for what ends the game.
const CLEAR_END: f32 = 0.88;
/// From here on it may.
const OPEN: f32 = 0.45;
/// From here on it speaks of a result.
const TALK: f32 = 0.5;
/// The same where a move without a number stands in it, which may be a score.
const TALK_BESIDE_MOVE: f32 = 0.3;
/// Words that keep a clause from being taken out as an announcement: they may speak of the move.
const OF_MOVE: [Key; 8] =
    [Key::Move, Key::Mail, Key::Above, Key::Below, Key::Recall, Key::Undecided, Key::Play, Key::Announce];
/// Words that only keep a clause together.
const CONTENT: [Key; 6] = [Key::Move, Key::Game, Key::Mail, Key::Position, Key::Days, Key::Excuse];
/// Words of a short answer: "Never!", "Over my dead body!".
const SHORT: usize = 6;

/// What stands behind a sentence and may be the answer to it.
pub(super) struct Behind<'s> {
    pub(super) next: Option<&'s Said<'s>>,
    /// A later sentence takes back what stands before it.
    pub(super) recalled: bool,
}

/// Adds what the sentence says of the game's result.
pub(super) fn hear(said: &Said<'_>, behind: &Behind<'_>, found: &mut Vec<Spoken>, left: &mut Left) {
    // "7. ?h4"
    if !said.pieces().any(|piece| piece.kind == Kind::Word) {
        return;
    }
    let chances = said.chances(behind.next);
    let is_event = |sense: Announced| event_of(sense).is_some();
    let all = chances.that(is_event);
    let of_clauses = LazyCell::new(|| {
        said.clauses.iter().map(|clause| said.chances_of(clause)).collect::<Vec<Chances<Announced>>>()
    });
    // "I play 5254 and offer a draw - the bishops are of opposite colours, and Christmas is near": the rest drowns it
    let may_drown =
        all < OPEN && chances.of(Announced::About) < TALK && said.clauses.len() > 1 && said.has(&Key::OF_RESULT);
    let is_certain =
        |clause: &Chances<Announced>| Some(clause.likeliest(is_event)).filter(|s| clause.of(*s) >= CLEAR_END);
    let drowned = if may_drown { of_clauses.iter().find_map(is_certain) } else { None };
    let announced = drowned.unwrap_or_else(|| chances.likeliest(is_event));
    let Some(event) = event_of(announced) else { return };
    let ends = matches!(event, Event::Resignation | Event::DrawAccepted);
    let beside_move = holds_bare_move(said);
    let meaning = match () {
        () if drowned.is_some() && event != Event::DrawDeclined => Meaning::Open,
        () if all < OPEN && chances.of(Announced::About) < if beside_move { TALK_BESIDE_MOVE } else { TALK } => return,
        // "My team won 5254 to 3827"
        () if all < OPEN && beside_move => Meaning::Open,
        () if all < OPEN => Meaning::Talk,
        // a move is on its way whether he declines or not
        () if event == Event::DrawDeclined && chances.of(announced) < CLEAR => Meaning::Talk,
        () if event == Event::DrawDeclined => Meaning::Clear,
        () if announced == Announced::Withdraw => Meaning::Open,
        () if chances.of(announced) < if ends { CLEAR_END } else { CLEAR } => Meaning::Open,
        () if is_uncertain(said, behind, &event) => Meaning::Open,
        // "I accept" may speak of an invitation, or of a conditional move
        () if event == Event::DrawAccepted && !names_draw(said, behind) => Meaning::Open,
        () => Meaning::Clear,
    };
    take(said, behind, (&event, meaning), &of_clauses, left);
    let loudness = |of: &Chances<Announced>| of.of(announced);
    let clauses = said.clauses.iter().zip(of_clauses.iter());
    let loudest = clauses.max_by(|(_, a), (_, b)| loudness(a).total_cmp(&loudness(b)));
    let piece = loudest.and_then(|(clause, _)| clause.first());
    found.push(Spoken::new(said.line_of(piece), event, meaning, &said.raw));
}

/// Whether a move without a number stands in it that no word speaks of and no condition supposes.
fn holds_bare_move(said: &Said<'_>) -> bool {
    let of_move =
        |piece: &Piece| piece.kind == Kind::Number || piece.keys.has_any(&OF_MOVE) || bears(piece, &[Key::Condition]);
    said.pieces().any(|piece| piece.kind == Kind::Move) && !said.pieces().any(of_move)
}

fn event_of(sense: Announced) -> Option<Event> {
    match sense {
        Announced::Aside | Announced::About => None,
        Announced::Offer => Some(Event::DrawOffer),
        Announced::Accept => Some(Event::DrawAccepted),
        Announced::Decline => Some(Event::DrawDeclined),
        Announced::Resign | Announced::Withdraw => Some(Event::Resignation),
    }
}

/// Whether signs or other sentences take the certainty from what a sentence announces.
fn is_uncertain(said: &Said<'_>, behind: &Behind<'_>, event: &Event) -> bool {
    said.quotes
        || said.winks
        || (said.smiles && *event == Event::Resignation)
        || (said.asks && *event != Event::DrawOffer)
        // "I give up! What is the answer to your riddle?"
        || (*event == Event::Resignation && behind.next.is_some_and(|next| next.asks))
        || (behind.recalled && !said.asks)
}

/// Whether the sentence or the next one names a draw.
fn names_draw(said: &Said<'_>, behind: &Behind<'_>) -> bool {
    said.names_draw() || behind.next.is_some_and(Said::names_draw)
}

/// Takes out of the lines what is understood and says nothing of a move.
fn take(
    said: &Said<'_>,
    behind: &Behind<'_>,
    (event, meaning): (&Event, Meaning),
    of_clauses: &[Chances<Announced>],
    left: &mut Left,
) {
    let has_move = |clause: &[Piece]| clause.iter().any(|piece| piece.kind == Kind::Move);
    let offers = meaning == Meaning::Clear && *event == Event::DrawOffer;
    // "Shall we leave it at that?"
    if offers && !said.clauses.iter().any(|clause| has_move(clause)) {
        return said.take(said.pieces(), left);
    }
    // a word that every reader knows must say so, before other words are passed over
    if !offers && !said.has(&Key::OF_RESULT) {
        return;
    }
    let goes_with_move = meaning == Meaning::Clear && *event != Event::Resignation;
    let mut taken: Vec<Piece> = Vec::new();
    for (clause, chances) in said.clauses.iter().zip(of_clauses) {
        let announces = chances.that(|sense| event_of(sense).is_some()) >= TALK;
        if announces
            && (!has_move(clause) || goes_with_move)
            && !clause.iter().any(|piece| bears(piece, &[Key::TakeBack, Key::Recall, Key::Undecided]))
        {
            taken.extend(clause.iter().filter(|piece| piece.kind == Kind::Word));
        }
    }
    let of_move = said.pieces().any(|piece| piece.kind != Kind::Word || piece.keys.has_any(&OF_MOVE));
    if meaning == Meaning::Talk && (!of_move || (*event == Event::Resignation && supposes_one_move(said))) {
        taken.extend(said.pieces());
    }
    said.take(&taken, left);
    let is_answered = meaning == Meaning::Talk || *event == Event::DrawDeclined;
    if let Some(next) = behind.next.filter(|next| is_answered && only_denies(next)) {
        next.take(next.pieces(), left);
    }
}

/// Whether a sentence takes back all that stands before it, and names no move.
fn is_recall(said: &Said<'_>) -> bool {
    said.has(&[Key::Recall]) && !said.pieces().any(|piece| piece.kind == Kind::Move)
}

/// "Never!", "Of course not.": hardly more than a denial.
fn is_no(said: &Said<'_>) -> bool {
    let denies = said.has(&[Key::Deny, Key::DrawDecline, Key::NotDraw, Key::NotResign, Key::TakeBack]);
    denies && said.pieces().count() <= SHORT && !said.has(&CONTENT)
}

/// Whether a sentence is a denial and nothing else.
pub(super) fn only_denies(said: &Said<'_>) -> bool {
    is_no(said) && said.pieces().all(|piece| piece.kind == Kind::Word) && !said.has(&OF_MOVE)
}

/// Whether a sentence takes back an announcement above it.
pub(super) fn takes_back(said: &Said<'_>) -> bool {
    is_recall(said) || (is_no(said) && said.unknown() == 0)
}

/// "If you find 5344 now, I give up": it begins with a condition on the only move in it.
fn supposes_one_move(said: &Said<'_>) -> bool {
    let moves = said.pieces().filter(|piece| piece.kind == Kind::Move).count();
    let is_move = |piece: &Piece| piece.kind == Kind::Move;
    moves == 1
        && said.clauses.first().is_some_and(|clause| {
            clause.iter().any(is_move) && clause.iter().any(|piece| bears(piece, &[Key::Condition]))
        })
}
