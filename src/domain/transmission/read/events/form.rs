//! Lines that are filled in and not written: ticked boxes, `Draw offer: no`, PGN tags and braces, a result alone on its line.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::sentence::{Place, phrase, plain};
use super::{Event, Line, Meaning, Spoken};
use super::{blank, boxes, outcome};
use crate::domain::game::GameResult;

#[allow(clippy::expect_used, reason = "a literal; failing loudly beats reading nothing")]
fn shape(text: &str) -> Regex {
    Regex::new(text).expect("a form's line is a valid pattern")
}

/// A box and its label, up to the next box or sign.
static BOX: LazyLock<Regex> = LazyLock::new(|| {
    shape(r"(?:\[ *(?<a>[xX✓✔]?) *\]|\((?: +|(?<b>[xX✓✔]))\)|(?<c>[☑☒✓✔])|☐) *(?<label>\p{L}(?:[\p{L}'’/-]| \p{L})*)")
});
/// A label and its value, parted by a colon or a row of full stops, alone on the line or beside others.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    shape(concat!(
        r"(?:^|\s{2,}|[;,|\t])[\s*-]*(?<label>\p{L}[\p{L}'’/-]*(?: \p{L}[\p{L}'’/-]*){0,5}) *",
        r"(?:[:=]|\.{3,}|…+|(?<asks>\?)(?: |$)) *(?<value>[-\p{L}]*)[.!]?(?<end> *$|\s{2,}|[;,|\t])"
    ))
});
/// A label and its box behind it, on a line that ends with a box.
static LABEL_AND_BOX: LazyLock<Regex> = LazyLock::new(|| {
    shape(concat!(
        r"(?<label>\p{L}(?:[\p{L}'’/-]| \p{L})*)[ .:=?]*",
        r"(?:\[ *(?<a>[xX✓✔]?) *\]|\((?: +|(?<b>[xX✓✔]))\)|(?<c>[☑☒✓✔])|☐)"
    ))
});
static TAG: LazyLock<Regex> = LazyLock::new(|| shape(r#"^\s*\[ *(?<name>\w+) +"(?<value>[^"]*)" *\]"#));
static BRACES: LazyLock<Regex> = LazyLock::new(|| shape(r"\{ *(?<text>[^{}]*?) *\}"));
static ALONE: LazyLock<Regex> = LazyLock::new(|| shape(r"^[\s(*]*(?<score>1 ?[-:] ?0|0 ?[-:] ?1)[\s).!*]*$"));

/// Adds what a form on this line says; the rest of the line, to be read as sentences.
pub(super) fn take(line: &Line<'_>, found: &mut Vec<Spoken>, understood: &mut Vec<Place>) -> String {
    let mut add = |event, meaning| found.push(Spoken::new(line.number, event, meaning, line.text));
    if let Some(tag) = TAG.captures(line.text) {
        if tag.name("name").is_some_and(|m| m.as_str().eq_ignore_ascii_case("result")) {
            match tag.name("value").map(|m| m.as_str().trim()) {
                Some("1/2-1/2") => add(Event::DrawOffer, Meaning::Open),
                Some("1-0" | "0-1") => add(Event::Resignation, Meaning::Open),
                _ => {}
            }
        }
        return String::new();
    }
    if let Some(score) = ALONE.captures(line.text).and_then(|c| c.name("score")) {
        let result = if score.as_str().starts_with('1') { GameResult::WhiteWins } else { GameResult::BlackWins };
        add(Event::Score(result), Meaning::Clear);
        return String::new();
    }
    if is_head_row(line.text) {
        return String::new();
    }
    let mut rest = line.text.to_owned();
    let mut settle = |rest: &mut String, place: std::ops::Range<usize>| {
        blank(rest, place.clone());
        understood.push((line.number, place));
    };
    let mut from = 0;
    while let Some(field) = FIELD.captures_at(line.text, from) {
        let (Some(whole), Some(end)) = (field.get(0), field.name("end")) else { break };
        // what parts two fields begins the next one
        from = if end.start() > whole.start() { end.start() } else { whole.end() };
        let part = |name: &str| field.name(name).map(|m| phrase(m.as_str())).unwrap_or_default();
        let (label, value) = (part("label"), part("value"));
        let event = if field.name("asks").is_some() && answer(&value).is_none_or(|_| value.is_empty()) {
            None
        } else if value.is_empty() {
            label_of(&label)
        } else {
            event_of(&label)
        };
        if let Some(event) = event {
            match answer(&value) {
                Some(true) => add(event, Meaning::Clear),
                Some(false) => add(event, Meaning::Talk),
                None => add(event, Meaning::Open),
            }
            settle(&mut rest, whole.start()..end.start());
        }
    }
    let boxes = rest.clone();
    let behind = boxes::come_last(&boxes);
    let shape = if behind { &LABEL_AND_BOX } else { &BOX };
    // "Draw offer: [ ] yes [x] no"
    let head = shape.find(&boxes).map_or(0, |first| first.start());
    let asked = phrase(boxes.get(..head).unwrap_or_default().trim_end_matches([' ', ':', '?', '.', '=']));
    let asked = event_of(&asked);
    for option in shape.captures_iter(&boxes) {
        let (Some(whole), Some(label)) = (option.get(0), option.name("label")) else { continue };
        let label = phrase(label.as_str());
        let ticked = is_ticked(&option);
        if let (Some(event), Some(yes)) = (&asked, answer(&label)) {
            if ticked {
                add(event.clone(), if yes { Meaning::Clear } else { Meaning::Talk });
            }
            settle(&mut rest, 0..head);
            settle(&mut rest, whole.range());
        } else if let Some(event) = event_of(&label) {
            add(event, if ticked { Meaning::Clear } else { Meaning::Talk });
            settle(&mut rest, whole.range());
        } else if !ticked && !behind {
            blank(&mut rest, whole.range());
        }
    }
    for comment in BRACES.captures_iter(&rest.clone()) {
        let text = comment.name("text").map(|m| phrase(m.as_str())).unwrap_or_default();
        match text.trim_end_matches('.') {
            "draw offer" | "draw offered" | "offers draw" | "offers a draw" | "i offer a draw" | "draw" => {
                add(Event::DrawOffer, Meaning::Clear);
            }
            "resigns" | "i resign" | "resign" => add(Event::Resignation, Meaning::Clear),
            "draw agreed" | "draw accepted" | "accepts draw" | "accepts the draw" => {
                add(Event::DrawAccepted, Meaning::Clear);
            }
            _ => continue,
        }
        if let Some(whole) = comment.get(0) {
            settle(&mut rest, whole.range());
        }
    }
    rest
}

fn is_ticked(option: &Captures<'_>) -> bool {
    option.name("a").is_some_and(|m| !m.is_empty()) || ["b", "c"].iter().any(|n| option.name(n).is_some())
}

/// What the label of a box or a field announces.
pub(super) fn event_of(label: &str) -> Option<Event> {
    label_of(label).or_else(|| outcome::named(label.trim()))
}

/// The labels of forms.
fn label_of(label: &str) -> Option<Event> {
    match label.trim() {
        "draw"
        | "draw offer"
        | "draw offered"
        | "offer draw"
        | "remis"
        | "remisangebot"
        | "remise"
        | "remi"
        | "nulle"
        | "proposition de nulle"
        | "tablas"
        | "oferta de tablas"
        | "patta"
        | "empate"
        | "proposta di patta"
        | "remis offer"
        | "propozycja remisu"
        | "nabidka remizy"
        | "dontetlen"
        | "nichia" => Some(Event::DrawOffer),
        "resign" | "resigns" | "resignation" | "aufgabe" | "aufgegeben" | "abandon" | "abandono" | "abbandono"
        | "opgave" => Some(Event::Resignation),
        "draw accepted" | "accept draw" | "remis angenommen" | "accept the draw" => Some(Event::DrawAccepted),
        "draw declined" | "decline draw" | "remis abgelehnt" | "decline the draw" => Some(Event::DrawDeclined),
        _ => None,
    }
}

/// Yes, no, or neither; nothing filled in is no.
fn answer(value: &str) -> Option<bool> {
    match value {
        "yes" | "ja" | "oui" | "si" | "sim" | "x" | "tak" | "ano" | "igen" | "da" | "kylla" | "y" | "offered" => {
            Some(true)
        }
        "no" | "nein" | "non" | "nao" | "nee" | "nej" | "nei" | "nie" | "ne" | "nem" | "net" | "ei" | "n" | "none"
        | "keine" | "kein" | "entfallt" => Some(false),
        empty if empty.chars().all(|c| c == '-') => Some(false),
        _ => None,
    }
}

/// Whether the line names the columns of a table.
fn is_head_row(text: &str) -> bool {
    let known = |word: &&str| {
        let word = plain(word.trim_end_matches(['.', ':']));
        super::super::vocabulary::label(&word).is_some()
            || matches!(word.as_str(), "nr" | "no" | "zug" | "move" | "white" | "black" | "weiss" | "schwarz" | "ref")
    };
    !text.contains(|c: char| c.is_ascii_digit())
        && text.split([' ', '\t', '|']).filter(known).count() >= 3
        && text.split([' ', '\t', '|']).filter(|w| !w.is_empty()).count() <= 16
        && !text.contains([',', '!', '?'])
}
