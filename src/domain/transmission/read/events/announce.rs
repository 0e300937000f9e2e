//! Leave, claims, addresses and reminders in a sentence.

use std::sync::LazyLock;

use super::said::{Left, Said, bears, keys_of};
use super::{Event, Meaning, Spoken};
use crate::domain::pattern::Pattern;
use crate::domain::transmission::calendar::month_named;
use crate::domain::transmission::dates::WrittenDate;
use crate::domain::transmission::lexicon::Key;
use crate::domain::transmission::read::document::{Kind, Piece};
use crate::domain::transmission::read::lex::{self, Token};

/// What needs nothing but its words.
const PLAIN: [(Key, Event); 6] = [
    (Key::TimeClaim, Event::TimeClaim),
    (Key::Repetition, Event::RepetitionClaim),
    (Key::Fifty, Event::FiftyMoveClaim),
    (Key::Tablebase, Event::TablebaseClaim),
    (Key::AsksRepeat, Event::AsksRepeat),
    (Key::LongThought, Event::LongThought),
];

static MAIL: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"\b[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"));
/// "22-24 May": the month stands once.
static RANGE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"\b(?<a>\d{1,2})\.? ?(?:-|to|bis|au|al|a|til|till) ?(?<b>\d{1,2})\.? (?:de )?(?<m>\p{L}{3,})")
});

/// Adds what the sentence says besides the result.
pub(super) fn hear(said: &Said<'_>, found: &mut Vec<Spoken>, left: &mut Left) {
    let mut add = |key: Key, event: Event, meaning| {
        let piece = said.pieces().find(|piece| piece.keys.has(key));
        found.push(Spoken::new(said.line_of(piece), event, meaning, &said.raw));
    };
    let of_position = said.has(&[Key::Tablebase, Key::Repetition, Key::Fifty]);
    for (key, event) in PLAIN {
        // "I claim a win by tablebase"
        if let Some(meaning) = meaning(said, key).filter(|_| key != Key::TimeClaim || !of_position) {
            let asks_back = said.asks && !matches!(event, Event::AsksRepeat);
            add(key, event, if asks_back { Meaning::Talk } else { meaning });
        }
    }
    // "the 50 move rule"
    let fifty = |pair: &[Piece]| matches!(pair, [number, moves] if said.document.written(number) == "50" && moves.keys.has(Key::Move));
    if let Some([number, _]) = said.clauses.iter().flat_map(|clause| clause.windows(2)).find(|pair| fifty(pair)) {
        found.push(Spoken::new(said.line_of(Some(number)), Event::FiftyMoveClaim, Meaning::Clear, &said.raw));
    }
    let mut add = |key: Key, event: Event, meaning| {
        let piece = said.pieces().find(|piece| piece.keys.has(key));
        found.push(Spoken::new(said.line_of(piece), event, meaning, &said.raw));
    };
    if let Some(meaning) = meaning(said, Key::Leave) {
        // "received 24.10., sent 26.10., from 1.11. on leave"
        let dates_a_move = |clause: &&Vec<Piece>| {
            let dates = keys_of(*clause).has_any(&[Key::Received, Key::Sent]);
            dates || clause.iter().any(|piece| matches!(piece.kind, Kind::Move | Kind::Number))
        };
        said.take(said.clauses.iter().filter(|clause| !dates_a_move(clause)).flatten(), left);
        let (from, until) = days(said);
        add(Key::Leave, Event::Leave { from, until }, if said.asks { Meaning::Talk } else { meaning });
    }
    let speaks_of_address = meaning(said, Key::Address);
    if let Some(meaning) = speaks_of_address {
        let mut addresses = MAIL.find_iter(&said.raw).map(|m| m.as_str().to_owned());
        let only = addresses.next().filter(|_| addresses.next().is_none());
        add(Key::Address, Event::AddressChange(only), if said.asks { Meaning::Talk } else { meaning });
    }
}

/// How the sentence means an announcement, if it speaks of it at all.
fn meaning(said: &Said<'_>, key: Key) -> Option<Meaning> {
    let clauses = said.clauses.iter().filter(|clause| clause.iter().any(|piece| piece.keys.has(key)));
    clauses.map(|clause| of_clause(said, clause, key)).min_by_key(|meaning| *meaning as u8)
}

fn of_clause(said: &Said<'_>, clause: &[Piece], key: Key) -> Meaning {
    // "no answer to my move" denies nothing
    let denied = clause.iter().any(|piece| !piece.keys.has(key) && bears(piece, &[Key::Deny])) || said.supposes();
    let of_reader = |piece: &Piece| piece.keys.has(Key::You);
    let of_writer = |piece: &Piece| piece.keys.has(Key::I);
    let yours = clause.iter().any(of_reader)
        && !clause.iter().any(of_writer)
        // "your last move needs a long thought"
        && !clause.iter().any(|piece| piece.keys.has_any(&[Key::Move, Key::Mail]))
        && matches!(key, Key::Leave | Key::LongThought | Key::Address);
    match () {
        () if denied || yours || clause.iter().any(|piece| piece.keys.has(Key::Old)) => Meaning::Talk,
        // "1st repetition : --"
        () if said.raw.ends_with("--") || said.raw.ends_with("__") => Meaning::Talk,
        () if said.quotes => Meaning::Open,
        () => Meaning::Clear,
    }
}

/// The first and the last day of an absence, as far as they are written.
fn days(said: &Said<'_>) -> (Option<WrittenDate>, Option<WrittenDate>) {
    if let Some(range) = RANGE.captures(&said.raw) {
        let number = |name: &str| range.name(name).and_then(|m| m.as_str().parse::<u32>().ok());
        if let (Some(a), Some(b), Some(month)) =
            (number("a"), number("b"), range.name("m").and_then(|m| month_named(m.as_str())))
        {
            let of = |day| Some(WrittenDate::Clear { day, month, year: None });
            return (of(a), of(b));
        }
    }
    let date = |token: &Token| match *token {
        Token::Date(date) => Some(date),
        Token::Slash(first, second) if (1..=31).contains(&first) && (1..=31).contains(&second) => {
            Some(WrittenDate::Open { first, second, year: None, dotted: false })
        }
        _ => None,
    };
    let dates: Vec<WrittenDate> = lex::tokens(&said.raw).iter().filter_map(|placed| date(&placed.token)).collect();
    let ends = ["until", "till", "til", "bis", "jusqu'au", "hasta", "fino", "ate", "tot", "asti", "do"];
    let is_end =
        |piece: &Piece| ends.contains(&deunicode::deunicode(said.document.written(piece)).to_lowercase().as_str());
    match dates.as_slice() {
        [from, until, ..] => (Some(*from), Some(*until)),
        [until] if said.pieces().any(is_end) => (None, Some(*until)),
        [from] => (Some(*from), None),
        [] => (None, None),
    }
}
