//! Draws and resignation in a sentence.
//!
//! An announcement is a phrase of the lexicon in a clause that holds nothing against it: no denial, no condition, no other person or game,
//! and no word that is not known. What stands behind it can take it back. What will surprise you: a draw that is only named is an offer
//! where the sentence asks and holds hardly anything else ("Draw?"), and mere talk where the sentence holds much else.

use super::said::{Left, Said, bears, is_unknown, keys_of};
use super::{Event, Meaning, Spoken};
use crate::domain::transmission::lexicon::{Key, names_stranger};
use crate::domain::transmission::read::document::{Kind, Piece};

/// What the phrases of the lexicon announce.
pub(super) const PHRASES: [(Key, Event); 4] = [
    (Key::DrawAccept, Event::DrawAccepted),
    (Key::DrawDecline, Event::DrawDeclined),
    (Key::DrawOffer, Event::DrawOffer),
    (Key::Resign, Event::Resignation),
];
/// What looks like an announcement and is none.
const NONE: [Key; 2] = [Key::NotDraw, Key::NotResign];
/// Words that leave open what their clause says.
const UNSURE: [Key; 5] = [Key::Weigh, Key::Undecided, Key::Later, Key::TakeBack, Key::Recall];
/// Words that only keep a clause together.
const CONTENT: [Key; 6] = [Key::Move, Key::Game, Key::Mail, Key::Position, Key::Days, Key::Excuse];
/// Words that speak of a move, or of the whole mail.
const OF_MOVE: [Key; 8] =
    [Key::Move, Key::Mail, Key::Above, Key::Below, Key::Recall, Key::Undecided, Key::Play, Key::Announce];
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
    let mut heard: Vec<Spoken> = Vec::new();
    let mut taken: Vec<Piece> = Vec::new();
    let mut answers = false;
    for (at, clause) in said.clauses.iter().enumerate() {
        let mut add = |event: Event, meaning: Meaning, piece: Option<&Piece>| {
            heard.push(Spoken::new(said.line_of(piece), event, meaning, &said.raw));
        };
        let mut meanings: Vec<Meaning> = Vec::new();
        for (key, event) in PHRASES {
            let Some(first) = clause.iter().find(|piece| piece.keys.has(key)) else { continue };
            // "your offer of a draw I accept"
            if event == Event::DrawOffer && keys_of(clause).has_any(&[Key::DrawAccept, Key::DrawDecline]) {
                continue;
            }
            let own = meaning(said, behind.next, at, key, &event);
            let answered = answer(said, behind, &event, own);
            answers |= own != answered || (answered == Meaning::Clear && event == Event::DrawDeclined);
            add(event, answered, Some(first));
            meanings.push(answered);
        }
        if meanings.is_empty()
            && let Some((event, meaning, piece)) = spoken_of(said, at)
        {
            let answered = answer(said, behind, &event, meaning);
            answers |= meaning != answered;
            add(event, answered, Some(&piece));
            meanings.push(answered);
        }
        let moves = clause.iter().any(|piece| piece.kind == Kind::Move);
        let goes_with_move =
            !meanings.is_empty() && meanings.iter().all(|m| *m == Meaning::Clear) && !keys_of(clause).has(Key::Resign);
        let speaks = !meanings.is_empty() || keys_of(clause).has_any(&NONE);
        if speaks
            && (!moves || goes_with_move)
            && !clause.iter().any(|piece| bears(piece, &[Key::TakeBack, Key::Recall, Key::Undecided]))
        {
            taken.extend(clause.iter().filter(|piece| piece.kind == Kind::Word));
        }
    }
    settle(&mut heard, said.quotes);
    // what is only talk of a result says nothing of a move in all its sentence
    let talks = heard.iter().all(|s| s.meaning == Meaning::Talk)
        && (!heard.is_empty() || keys_of(said.pieces()).has_any(&NONE));
    let resigns = heard.iter().any(|s| s.event == Event::Resignation);
    let of_move = said.pieces().any(|piece| piece.kind != Kind::Word || piece.keys.has_any(&OF_MOVE));
    if talks && (!of_move || (resigns && supposes_one_move(said))) {
        taken.extend(said.pieces());
    }
    said.take(&taken, left);
    if let Some(next) = behind.next.filter(|_| answers && heard.iter().all(|s| s.meaning != Meaning::Clear)) {
        next.take(next.pieces(), left);
    }
    found.append(&mut heard);
}

/// "Draw? No objections to a draw from me" is one offer, "Time to give up, I resign" one resignation.
fn settle(heard: &mut Vec<Spoken>, quotes: bool) {
    for event in [Event::DrawOffer, Event::Resignation, Event::DrawAccepted, Event::DrawDeclined] {
        let of_event = |s: &&Spoken| s.event == event;
        let Some(best) = heard.iter().filter(of_event).map(|s| s.meaning).min_by_key(|meaning| *meaning as u8) else {
            continue;
        };
        let mut first = true;
        heard.retain(|s| {
            s.event != event
                || (s.meaning == best && std::mem::take(&mut first))
                || (quotes && s.meaning == Meaning::Open)
        });
    }
}

/// What the sentence makes of a phrase in one of its clauses.
fn meaning(said: &Said<'_>, next: Option<&Said<'_>>, at: usize, key: Key, event: &Event) -> Meaning {
    /// Words between a phrase and its denial.
    const NEAR: usize = 3;
    let Some(clause) = said.clauses.get(at) else { return Meaning::Open };
    let ends = |piece: &Piece| piece.keys.has(key);
    let any = |keys: &[Key]| clause.iter().any(|piece| !ends(piece) && bears(piece, keys));
    let first = clause.iter().position(ends).unwrap_or_default();
    let last = clause.iter().rposition(ends).unwrap_or_default();
    let denies = |(at, piece): (usize, &Piece)| {
        !ends(piece) && bears(piece, &[Key::Deny]) && at + NEAR >= first && at <= last + NEAR
    };
    let is_firm = matches!(event, Event::Resignation | Event::DrawAccepted);
    let person = clause.iter().any(|piece| !ends(piece) && piece.keys.has(Key::He) && !piece.keys.has(Key::Common));
    let names_draw = said.names_draw() || next.is_some_and(Said::names_draw);
    let others = || said.clauses.iter().enumerate().filter(|(other, _)| *other != at);
    let strange = clause.iter().any(is_unknown);
    let is_this = |piece: &Piece| piece.keys.has(Key::This);
    let is_small = |piece: &&Piece| said.document.written(piece).starts_with(char::is_lowercase);
    let of_word = |piece: &Piece| match is_unknown(piece) {
        true if is_small(&piece) => 1,
        true => 2,
        // "the game with Mr Petrov I resigned", in letters without blanks
        false => usize::from(names_stranger(said.document.written(piece))) * 2,
    };
    let strange_words = clause.iter().map(of_word).sum::<usize>();
    // a move is on its way whether he declines or not
    if *event == Event::DrawDeclined {
        return if said.supposes() || said.has(&[Key::Other]) { Meaning::Talk } else { Meaning::Clear };
    }
    if clause.iter().enumerate().any(denies) {
        return Meaning::Talk;
    }
    // "Thanks for the draw offer, but I play on"
    if *event == Event::DrawOffer && any(&[Key::Thanks]) && said.has(&[Key::DrawDecline, Key::DrawAccept]) {
        return Meaning::Talk;
    }
    let announces = |piece: &Piece| PHRASES.iter().any(|(key, _)| piece.keys.has(*key));
    let elsewhere = said.pieces().any(|piece| !announces(piece) && bears(piece, &[Key::Other]));
    let sounds = clause.iter().any(|piece| !ends(piece) && piece.keys.has(Key::NotResign));
    if (*event == Event::Resignation && (elsewhere || person || sounds || supposed(said, at, event)))
        || (*event == Event::DrawAccepted && elsewhere)
    {
        return Meaning::Talk;
    }
    // "offered and accepted within the hour"
    if *event == Event::DrawAccepted
        && strange
        && !keys_of(clause).has_any(&[Key::Draw, Key::I, Key::You])
        && !names_draw
    {
        return Meaning::Talk;
    }
    let perhaps = |clause: &Vec<Piece>| {
        let unsure = |piece: &Piece| {
            bears(piece, &[Key::Undecided, Key::Recall]) || (clause.len() == 1 && bears(piece, &[Key::Weigh]))
        };
        clause.iter().any(unsure) && !clause.iter().any(is_unknown)
    };
    let open = [
        any(&UNSURE) || any(&[Key::Deny, Key::Old, Key::He]) || elsewhere || supposed(said, at, event),
        clause.iter().any(|piece| ends(piece) && bears(piece, &[Key::Deny, Key::Later])),
        // one small word more leaves an offer an offer
        strange_words > usize::from(*event == Event::DrawOffer) || any(&[Key::Thanks]) && *event == Event::DrawOffer,
        others().any(|(_, clause)| perhaps(clause)),
        is_firm && others().any(|(other, clause)| other > at && qualifies(clause, other == at + 1)),
        said.quotes || said.winks || (said.smiles && *event == Event::Resignation),
        said.asks && *event != Event::DrawOffer,
        *event == Event::DrawAccepted && !names_draw,
        // "I accept that my position is lost"
        *event == Event::DrawAccepted && clause.len() > last + 2 && clause.get(last + 1).is_some_and(is_this),
        clause.iter().any(|piece| piece.keys.has(key) && piece.keys.has_any(&NONE)),
    ];
    if open.contains(&true) { Meaning::Open } else { Meaning::Clear }
}

/// Whether a condition takes the certainty from an announcement. An offer hangs on the reader's answer anyway: "if you agree".
fn supposed(said: &Said<'_>, at: usize, event: &Event) -> bool {
    let phrase = [Key::DrawOffer, Key::Condition];
    let place = |key: &Key| {
        said.clauses
            .iter()
            .enumerate()
            .find_map(|(at, clause)| Some((at, clause.iter().position(|piece| piece.keys.has(*key))?)))
    };
    let behind = matches!((place(&phrase[0]), place(&phrase[1])), (Some(offer), Some(condition)) if condition > offer && condition.0 >= at);
    let polite = *event == Event::DrawOffer && behind && said.has(&[Key::You]) && said.unknown() == 0;
    said.supposes() && (!polite || said.pieces().any(|piece| piece.kind == Kind::Move))
}

/// Whether a clause behind a resignation may say what is given up, or on what condition: "smoking, that is", "subject to my captain's consent".
fn qualifies(clause: &[Piece], is_next: bool) -> bool {
    let polite =
        keys_of(clause).has_any(&[Key::Thanks, Key::Closing, Key::Greeting, Key::Resign, Key::ResignWord, Key::Game]);
    let unsure = clause
        .iter()
        .any(|piece| bears(piece, &UNSURE) || bears(piece, &[Key::Deny, Key::Except, Key::Any, Key::Number]));
    unsure || (is_next && !polite && clause.iter().any(is_unknown))
}

/// What the sentences behind it make of an announcement: "A draw? Never!", "I resign. PS: Of course not."
fn answer(said: &Said<'_>, behind: &Behind<'_>, event: &Event, meaning: Meaning) -> Meaning {
    if meaning == Meaning::Talk || *event == Event::DrawDeclined {
        return meaning;
    }
    if let Some(next) = behind.next {
        let beside = next.lines().0 == said.lines().1;
        let denied = is_no(next) && (beside || !next.asks) && next.pieces().all(|piece| piece.kind == Kind::Word);
        if is_recall(next) || (denied && said.asks) {
            return Meaning::Talk;
        }
        // "Draw? Tobin", but "Draw? Over my dead body!"
        let polite = next.has(&[Key::Greeting, Key::Closing, Key::Thanks, Key::DrawOffer]) || next.is_name();
        let bare = said.pieces().filter(|piece| piece.kind == Kind::Word).count() <= SHORT / 2;
        if said.asks
            && beside
            && !polite
            && (bare || next.unknown() > 1)
            && next.pieces().all(|piece| piece.kind == Kind::Word)
        {
            return Meaning::Open;
        }
    }
    if behind.recalled && !said.asks { Meaning::Open } else { meaning }
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

/// What a clause says that speaks of the result and holds no phrase of it.
fn spoken_of(said: &Said<'_>, at: usize) -> Option<(Event, Meaning, Piece)> {
    /// Words that may stand beside a draw in a question and add nothing.
    const FEW: usize = 2;
    /// Words between a draw and its denial.
    const NEAR: usize = 3;
    let clause = said.clauses.get(at)?;
    let keys = keys_of(clause);
    let has = |keys: &[Key]| clause.iter().any(|piece| bears(piece, keys));
    if keys.has_any(&NONE) && !keys.has_any(&[Key::Draw, Key::ResignWord]) {
        return None;
    }
    // "a fine draw-er"
    let is_word = |piece: &&Piece| !said.document.written(piece).contains('-');
    let beside_move = clause.iter().any(|piece| matches!(piece.kind, Kind::Move | Kind::Number));
    let counts = !beside_move && clause.iter().any(|piece| piece.kind == Kind::Other);
    let elsewhere = [Key::Other, Key::Old];
    if let Some(at) = clause.iter().position(|piece| is_word(&piece) && piece.keys.has(Key::Draw)) {
        let draw = clause.get(at)?;
        let is_other = draw.keys.has_any(&NONE);
        let words = clause.iter().filter(|piece| piece.kind == Kind::Word && !piece.keys.has(Key::Draw));
        let beside = [Key::Deny, Key::He, Key::Weigh, Key::This, Key::You, Key::Other, Key::Old, Key::Condition];
        let bare = words.clone().count() <= FEW
            && !words.clone().any(|piece| is_unknown(piece) || piece.keys.has_any(&beside));
        let perhaps = said
            .clauses
            .iter()
            .any(|clause| clause.len() <= FEW && clause.iter().any(|piece| bears(piece, &[Key::Weigh])));
        let denied =
            clause.iter().enumerate().any(|(other, piece)| other.abs_diff(at) <= NEAR && bears(piece, &[Key::Deny]));
        let strange = said.unknown();
        let mutual = said.asks || keys.has_any(&[Key::I, Key::You]);
        let proposes = said.asks && said.has(&[Key::I, Key::You]);
        let meaning = match () {
            () if said.asks && bare && !counts && !said.quotes && !said.winks && !perhaps && !is_other => {
                Meaning::Clear
            }
            () if said.quotes || (beside_move && bare) || (said.asks && bare) => Meaning::Open,
            // "my last three games were drawn"
            () if keys.has(Key::Number) && keys.has(Key::Game) => Meaning::Talk,
            () if keys.has_any(&NONE) || said.has(&elsewhere) || has(&[Key::He]) || counts || said.supposes() => {
                Meaning::Talk
            }
            () if !said.asks
                && (denied || said.has(&[Key::DrawDecline]) || (strange > 0 && said.has(&[Key::Deny]))) =>
            {
                Meaning::Talk
            }
            () if strange > usize::from(mutual) && !proposes => Meaning::Talk,
            () => Meaning::Open,
        };
        return Some((Event::DrawOffer, meaning, *draw));
    }
    let end =
        clause.iter().filter(is_word).find(|piece| piece.keys.has(Key::ResignWord) && !piece.keys.has_any(&NONE))?;
    let talk = keys.has_any(&NONE)
        || said.supposes()
        || said.has(&elsewhere)
        || has(&[Key::He, Key::Deny, Key::Excuse])
        || counts
        || clause.iter().any(is_unknown)
        || !(keys.has(Key::I) || said.quotes || (said.pieces().count() == 1 && !keys.has(Key::Thanks)));
    Some((Event::Resignation, if talk { Meaning::Talk } else { Meaning::Open }, *end))
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
