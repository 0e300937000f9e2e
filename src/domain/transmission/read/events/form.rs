//! Lines that are filled in and not written: ticked boxes, `Draw offer: no`, PGN tags and braces, results and signs such as `(=)`.

use std::ops::Range;
use std::sync::LazyLock;

use super::said::{Left, keys_of};
use super::{Event, Meaning, Spoken, boxes};
use crate::domain::game::GameResult;
use crate::domain::pattern::{Captures, Pattern};
use crate::domain::transmission::lexicon::{Key, means, words_of};
use crate::domain::transmission::read::cells::Columns;
use crate::domain::transmission::read::document::{Document, Kind, Piece};

/// What the phrases of the lexicon announce on a label.
const PHRASES: [(Key, Event); 4] = [
    (Key::DrawAccept, Event::DrawAccepted),
    (Key::DrawDecline, Event::DrawDeclined),
    (Key::DrawOffer, Event::DrawOffer),
    (Key::Resign, Event::Resignation),
];

/// A box and its label, up to the next box or sign.
static BOX: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?:\[ *(?<a>[xX✓✔]?) *\]|\((?: +|(?<b>[xX✓✔]))\)|(?<c>[☑☒✓✔])|☐) *(?<label>\p{L}(?:[\p{L}'’/-]| \p{L})*)",
    )
});
/// A label and its box behind it, on a line that ends with a box.
static LABEL_AND_BOX: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?<label>\p{L}(?:[\p{L}'’/-]| \p{L})*)[ .:=?]*(?:\[ *(?<a>[xX✓✔]?) *\]|\((?: +|(?<b>[xX✓✔]))\)|(?<c>[☑☒✓✔])|☐)",
    )
});
/// A label and its value, parted by a colon or a row of full stops, alone on the line or beside others.
static FIELD: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(concat!(
        r"(?:^|\s{2,}|[;,|\t])[\s*-]*(?<label>\p{L}[\p{L}'’/-]*(?: \p{L}[\p{L}'’/-]*){0,5})[ .]*(?:\(\p{L}{1,4} ?/ ?\p{L}{1,4}\) *)?",
        r"(?:[:=]|\.{3,}|…+|(?<asks>\?)(?: |$))[ .]*(?<value>[-_\p{L}\p{N}]*(?: ?/ ?\p{L}+)?)[.!]?(?<end> *$|\s{2,}|[;,|\t])"
    ))
});
static TAG: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r#"^\s*\[ *(?<name>\w+) +"(?<value>[^"]*)" *\]"#));
static BRACES: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\{ *(?<label>[^{}]*?) *\}"));
static ALONE: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^[\s(*]*(?<score>1 ?[-:] ?0|0 ?[-:] ?1)[\s).!*]*$"));
/// A result among words.
static SCORE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?:^|[^\d.,/:-])(?<score>(?<one>1 ?[-:] ?0|0 ?[-:] ?1)|(?:1/2|½|0[.,]5) ?[-:] ?(?:1/2|½|0[.,]5))(?:[^\d/:-]|$)",
    )
});
/// What offers a draw by custom: behind a move, `=` that is neither a promotion (`= Q`) nor an opinion (`=+`); `(=)`; `½`, alone or
/// behind a move, and `1/2` only with a question mark.
static SIGN: LazyLock<Pattern> = LazyLock::new(|| {
    let of_move = r"(?:\b[1-8]{4,5}|\b[KQRBNSLTDFC]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?|[Oo0]-[Oo0](?:-[Oo0])?)[+#]?";
    Pattern::new(&format!(
        r"(?<sign>\(=\))|{of_move}(?:(?<eq>=)(?:\s+[\d(]|\s*[.!?]*\s*$)|\s+(?<loose>=)\s*[.!?]*\s*$|\s+(?<half>½ ?\??|1/2 ?\?))|\)\s+(?<row>=)\s*[.!?]*\s*$|^\s*(?<alone>½ ?\??|1/2 ?\?)[ .!]*$"
    ))
});

/// Adds what forms, results and signs on a line say, and takes them out of what is left.
pub(super) fn take(document: &Document<'_>, at: usize, found: &mut Vec<Spoken>, left: &mut Left) {
    let Some(line) = document.lines.get(at) else { return };
    let whole = 0..line.text.len();
    let spoken = |event, meaning| Spoken::new(line.number, event, meaning, line.text);
    let mut add = |event, meaning| found.push(spoken(event, meaning));
    if let Some(tag) = TAG.captures(line.text) {
        if tag.name("name").is_some_and(|m| m.as_str().eq_ignore_ascii_case("result")) {
            match tag.name("value").map(|m| m.as_str().trim()) {
                Some("1/2-1/2") => add(Event::DrawOffer, Meaning::Open),
                Some("1-0" | "0-1") => add(Event::Resignation, Meaning::Open),
                _ => {}
            }
        }
        return left.skip(at, whole);
    }
    if let Some(score) = ALONE.captures(line.text).and_then(|c| c.name("score")) {
        add(Event::Score(result(score.as_str())), Meaning::Clear);
        return left.skip(at, whole);
    }
    let pieces = pieces(document, at, &whole);
    if Columns::of(&line.tokens).is_some() {
        return left.skip(at, whole);
    }
    let named = |range: &Range<usize>| event_of(&self::pieces(document, at, range));
    for field in fields(line.text) {
        let Some(event) = named(&field.label) else { continue };
        let meaning = match (answer(&field.value), field.asks && field.value.is_empty()) {
            (_, true) => continue,
            (Some(true), _) => Meaning::Clear,
            // "I offer draw:" above a move
            (Some(false), _) if field.value.is_empty() && says_i(line.text, &field.label) => continue,
            (Some(false), _) => Meaning::Talk,
            (None, _) if field.asks => continue,
            (None, _) => Meaning::Open,
        };
        add(event, meaning);
        left.take(at, field.whole);
    }
    let behind = boxes::come_last(left.of_line(at));
    let shape = if behind { &LABEL_AND_BOX } else { &BOX };
    let text = left.of_line(at).to_owned();
    // "Draw offer: [ ] yes [x] no"
    let head = shape.find(&text).map_or(0, |first| first.start());
    let asked = named(&(0..head));
    for option in shape.captures_iter(&text) {
        let (Some(whole), Some(label)) = (option.get(0), option.name("label")) else { continue };
        let ticked = is_ticked(&option);
        if let (Some(event), Some(yes)) = (&asked, answer(label.as_str())) {
            if ticked {
                add(event.clone(), if yes { Meaning::Clear } else { Meaning::Talk });
            }
            left.take(at, 0..head);
            left.take(at, whole.range());
        } else if let Some(event) = named(&label.range()) {
            add(event, if ticked { Meaning::Clear } else { Meaning::Talk });
            left.take(at, whole.range());
        } else if !ticked && !behind {
            // "[ ] move unclear [ ] move impossible", but "[ ] 11. 1213" is no box of a form
            let rest = text.get(whole.end()..).unwrap_or_default().trim_start();
            match rest.is_empty() || rest.starts_with(['[', '(', '☐', '☑', '☒', '✓', '✔']) {
                true => left.take(at, whole.range()),
                false => left.skip(at, whole.range()),
            }
        }
    }
    for comment in BRACES.captures_iter(&text) {
        if let (Some(whole), Some(label)) = (comment.get(0), comment.name("label"))
            && let Some(event) = named(&label.range())
        {
            add(event, Meaning::Clear);
            left.take(at, whole.range());
        }
    }
    scores(document, at, found, left);
    let text = left.of_line(at).to_owned();
    for sign in SIGN.captures_iter(&text) {
        let part = ["sign", "eq", "loose", "half", "row", "alone"].iter().find_map(|name| sign.name(name));
        let Some(part) = part else { continue };
        // `1213 (=) 24.10.` and `= ?`
        let in_row = sign.name("row").is_none() || pieces.iter().any(|piece| piece.kind == Kind::Move);
        if in_row {
            let meaning = if text.contains(['"', '“', '„']) { Meaning::Open } else { Meaning::Clear };
            found.push(spoken(Event::DrawOffer, meaning));
            let marks = text.get(part.end()..).map_or(0, |rest| rest.len() - rest.trim_start_matches([' ', '?']).len());
            left.take(at, part.start()..part.end() + marks);
        }
    }
}

/// What results among words say: nothing beside other words, a question beside a move.
fn scores(document: &Document<'_>, at: usize, found: &mut Vec<Spoken>, left: &mut Left) {
    let Some(line) = document.lines.get(at) else { return };
    let text = left.of_line(at).to_owned();
    for found_at in SCORE.captures_iter(&text) {
        let Some(score) = found_at.name("score") else { continue };
        let part = |c: char| matches!(c, ',' | '.' | ';' | '!' | '?' | '(' | ')');
        let ahead = text.get(..score.start()).unwrap_or_default();
        let ahead = ahead.rfind(part).map_or(0, |comma| comma + 1)..score.start();
        let behind = text.get(score.end()..).unwrap_or_default();
        let behind = score.end()..behind.find(part).map_or(text.len(), |comma| score.end() + comma);
        let beside: Vec<Piece> = [ahead, behind].iter().flat_map(|range| pieces(document, at, range)).collect();
        let words = beside.iter().filter(|piece| piece.kind == Kind::Word);
        let strange = words
            .clone()
            .any(|piece| !piece.keys.has_any(&[Key::Resign, Key::Thanks, Key::DrawAccept, Key::DrawOffer]));
        let moved = beside.iter().any(|piece| piece.kind == Kind::Move) || text.contains(['"', '“', '„', '?']);
        let (event, meaning) = match (found_at.name("one"), moved) {
            _ if strange => continue,
            (Some(_), true) => (Event::Resignation, Meaning::Open),
            (Some(_), false) => (Event::Score(result(score.as_str())), Meaning::Clear),
            (None, _) => (Event::DrawOffer, Meaning::Open),
        };
        found.push(Spoken::new(line.number, event, meaning, line.text));
        left.skip(at, score.range());
    }
    if text.trim().trim_end_matches(['.', '!']) == "1/2" {
        found.push(Spoken::new(line.number, Event::DrawOffer, Meaning::Open, line.text));
    }
}

fn result(score: &str) -> GameResult {
    if score.starts_with('1') { GameResult::WhiteWins } else { GameResult::BlackWins }
}

/// A label and its value on a line.
struct Field {
    label: Range<usize>,
    value: String,
    /// A question mark parts them.
    asks: bool,
    whole: Range<usize>,
}

fn fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(field) = FIELD.captures_at(text, from) {
        let (Some(whole), Some(end), Some(label)) = (field.get(0), field.name("end"), field.name("label")) else {
            break;
        };
        // what parts two fields begins the next one
        from = if end.start() > whole.start() { end.start() } else { whole.end() };
        let value = field.name("value").map_or("", |value| value.as_str()).to_owned();
        out.push(Field {
            label: label.range(),
            value,
            asks: field.name("asks").is_some(),
            whole: whole.start()..end.start(),
        });
    }
    out
}

fn is_ticked(option: &Captures<'_, '_>) -> bool {
    option.name("a").is_some_and(|m| !m.is_empty()) || ["b", "c"].iter().any(|n| option.name(n).is_some())
}

/// The pieces of a line within these bytes.
fn pieces(document: &Document<'_>, at: usize, bytes: &Range<usize>) -> Vec<Piece> {
    let first = document.pieces.partition_point(|piece| piece.line < at);
    let of_line = document.pieces.iter().skip(first).take_while(|piece| piece.line == at);
    let within = |piece: &&Piece| document.token(piece).is_some_and(|(_, placed)| bytes.contains(&placed.at));
    of_line.filter(within).copied().collect()
}

/// What the label of a box or a field announces: all its words speak of it.
fn event_of(label: &[Piece]) -> Option<Event> {
    let names = [Key::DrawAccept, Key::DrawDecline, Key::DrawOffer, Key::Draw, Key::Resign, Key::ResignWord];
    let fits = |piece: &Piece| piece.kind == Kind::Word && piece.keys.has_any(&names) || piece.keys.has(Key::Common);
    if label.is_empty() || !label.iter().all(fits) {
        return None;
    }
    let keys = keys_of(label);
    let phrase = PHRASES.into_iter().find(|(key, _)| keys.has(*key)).map(|(_, event)| event);
    let named = [(Key::Draw, Event::DrawOffer), (Key::ResignWord, Event::Resignation)];
    phrase.or_else(|| named.into_iter().find(|(key, _)| keys.has(*key)).map(|(_, event)| event))
}

fn says_i(text: &str, label: &Range<usize>) -> bool {
    words_of(text.get(label.clone()).unwrap_or_default()).iter().any(|word| means(word, Key::I))
}

/// Yes, no, or neither; nothing filled in, and nought, is no. Of `ja / NEIN` the great one counts.
fn answer(value: &str) -> Option<bool> {
    const YES: [&str; 14] =
        ["yes", "ja", "oui", "si", "sim", "x", "tak", "ano", "igen", "da", "kylla", "y", "j", "offered"];
    let is_great = |word: &&str| word.chars().all(char::is_uppercase);
    let both: Vec<&str> = value.split('/').map(str::trim).collect();
    let great: Vec<&str> = both.iter().copied().filter(is_great).collect();
    let word = match (both.as_slice(), great.as_slice()) {
        ([one], _) | (_, [one]) => *one,
        _ => "",
    };
    let plain = words_of(word).concat();
    match plain.as_str() {
        "" | "0" | "n" | "none" | "entfallt" => Some(false),
        yes if YES.contains(&yes) => Some(true),
        _ if plain.chars().all(|c| matches!(c, '_' | '-')) || means(&plain, Key::Deny) => Some(false),
        _ => None,
    }
}
