//! Japanese: its words stand without blanks, so they are looked for in the sentence as written.

use super::sentence::{Place, Sentence};
use super::{Event, Meaning, Spoken};

pub(super) fn hear(sentence: &Sentence, found: &mut Vec<Spoken>, understood: &mut Vec<Place>) {
    let raw = sentence.raw.as_str();
    let any = |list: &[&str]| list.iter().any(|part| raw.contains(part));
    let negated = any(&["ません", "ない", "なく", "早すぎ"]);
    let conditional = any(&["もし", "なら", "れば", "たら"]);
    let elsewhere = any(&["別の", "他の", "前の", "昨年", "昨日", "さんに", "との対局", "でした"]);
    let doubtful = sentence.quotes || any(&["「", "かもしれ", "と思"]);
    let draw = any(&["引き分け", "引分"]);
    let resigns = raw.contains("投了");
    if !draw && !resigns {
        return;
    }
    let event = match () {
        () if resigns => Event::Resignation,
        () if any(&["同意", "受諾", "受け入れ", "承諾", "応じ", "了承"]) => Event::DrawAccepted,
        () if any(&["断", "拒否", "辞退"]) => Event::DrawDeclined,
        () => Event::DrawOffer,
    };
    let says = match event {
        Event::DrawOffer => sentence.asks || any(&["提案", "申し込", "申し出", "オファー", "どう"]),
        Event::Resignation => !sentence.asks && !sentence.smiles && !sentence.winks,
        _ => !sentence.asks,
    };
    let meaning = match () {
        () if negated || conditional || elsewhere => Meaning::Talk,
        () if says && !doubtful => Meaning::Clear,
        () => Meaning::Open,
    };
    if meaning == Meaning::Clear && event.goes_with_a_move() {
        understood.extend(sentence.clauses.iter().flat_map(|c| &c.words).map(|w| w.place.clone()));
        understood.extend(sentence.stop.clone());
    }
    found.push(Spoken::new(sentence.line, event, meaning, raw));
}
