//! Draws and resignation in a sentence.

use super::language::{Language, languages};
use super::sentence::{Clause, Place, Sentence};
use super::{Event, Meaning, Spoken};
use crate::domain::game::GameResult;

/// Adds what the sentence says of the game's result.
pub(super) fn hear(sentence: &Sentence, found: &mut Vec<Spoken>, understood: &mut Vec<Place>) {
    let whole = sentence.text();
    if let Some(place) = &sentence.sign {
        let meaning = if sentence.quotes { Meaning::Open } else { Meaning::Clear };
        understood.push(place.clone());
        understood.extend(sentence.stop.clone().filter(|_| sentence.clauses.is_empty()));
        found.push(Spoken::new(place.0, Event::DrawOffer, meaning, &sentence.raw));
    }
    let mut heard: Vec<(usize, Event, Meaning)> = Vec::new();
    let joined = joined(sentence);
    let clauses = joined.as_ref().map_or(sentence.clauses.as_slice(), std::slice::from_ref);
    for (at, clause) in clauses.iter().enumerate() {
        let text = clause.text();
        if let Some(result) = score(&text) {
            let beside = clause.after_move || clause.before_move || sentence.quotes || sentence.asks;
            let (event, meaning) =
                if beside { (Event::Resignation, Meaning::Open) } else { (Event::Score(result), Meaning::Clear) };
            heard.push((clause.words.first().map_or(sentence.line, |w| w.place.0), event, meaning));
            continue;
        }
        let announced = languages().iter().find_map(|l| clear(l, sentence, clause, &text).map(|event| (l, event)));
        let (event, meaning) = match announced {
            Some((language, event)) => {
                let meaning = doubted(language, sentence, at, &whole, &event).unwrap_or(Meaning::Clear);
                (event, meaning)
            }
            None => match spoken_of(sentence, &text, &whole) {
                Some(talk) => talk,
                None => continue,
            },
        };
        if meaning == Meaning::Clear && event.goes_with_a_move() {
            understood.extend(clause.words.iter().map(|w| w.place.clone()));
            if at + 1 == clauses.len() {
                understood.extend(sentence.stop.clone());
            }
        }
        let line = clause.words.first().map_or(sentence.line, |w| w.place.0);
        heard.push((line, event, meaning));
    }
    let clear = heard.iter().any(|(_, _, meaning)| *meaning == Meaning::Clear);
    let resigns = heard.iter().any(|(_, event, meaning)| *event == Event::Resignation && *meaning == Meaning::Clear);
    for (line, event, meaning) in heard {
        // "Draw? No objections to a draw from me" is one offer, "Time to give up, I resign" one resignation
        let settled = meaning != Meaning::Clear
            && !sentence.quotes
            && match event {
                Event::DrawOffer => clear,
                Event::Resignation => resigns,
                _ => false,
            };
        if !settled {
            found.push(Spoken::new(line, event, meaning, &sentence.raw));
        }
    }
}

/// "Agreed, draw": two clauses that only together say something.
fn joined(sentence: &Sentence) -> Option<Clause> {
    let [first, second] = sentence.clauses.as_slice() else { return None };
    let words = first.words.iter().chain(&second.words).cloned().collect();
    let both = Clause { words, ..Clause::default() };
    let beside_move = |clause: &Clause| clause.before_move || clause.after_move;
    let accepts = |text: &str| languages().iter().any(|l| l.accept.is_match(text));
    let joins = !beside_move(first) && !beside_move(second) && accepts(&both.text());
    (joins && !accepts(&first.text()) && !accepts(&second.text())).then_some(both)
}

/// A result that stands for itself.
fn score(text: &str) -> Option<GameResult> {
    match text {
        "_10" => Some(GameResult::WhiteWins),
        "_01" => Some(GameResult::BlackWins),
        _ => None,
    }
}

/// What these words announce as the label of a box or a field.
pub(super) fn named(label: &str) -> Option<Event> {
    languages().iter().find_map(|language| {
        let is = |pattern: &regex::Regex| pattern.is_match(label);
        match () {
            () if is(&language.accept) => Some(Event::DrawAccepted),
            () if is(&language.decline) => Some(Event::DrawDeclined),
            () if is(&language.offer) || is(&language.asks) => Some(Event::DrawOffer),
            () if is(&language.resign) => Some(Event::Resignation),
            () => None,
        }
    })
}

/// What the clause announces, if it holds nothing that is not understood.
fn clear(language: &Language, sentence: &Sentence, clause: &Clause, text: &str) -> Option<Event> {
    let part_of_move = clause.after_move && clause.before_move;
    let is = |pattern: &regex::Regex| pattern.is_match(text);
    if is(&language.accept) {
        return Some(Event::DrawAccepted);
    }
    if is(&language.decline) {
        return Some(Event::DrawDeclined);
    }
    if is(&language.offer) || (sentence.asks && is(&language.asks)) {
        return Some(Event::DrawOffer);
    }
    (is(&language.resign) && !part_of_move).then_some(Event::Resignation)
}

/// What the rest of its sentence takes from a clear announcement; `None` when it stays clear.
fn doubted(language: &Language, sentence: &Sentence, at: usize, whole: &str, event: &Event) -> Option<Meaning> {
    let others = || sentence.clauses.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c.text());
    let conditional = others().any(|text| language.condition.is_match(&text) && !is_polite(&text));
    if language.elsewhere.is_match(whole)
        && matches!(event, Event::Resignation | Event::DrawAccepted | Event::DrawOffer)
    {
        return Some(if others().any(|text| language.elsewhere.is_match(&text)) {
            Meaning::Talk
        } else {
            Meaning::Open
        });
    }
    if conditional {
        return Some(if matches!(event, Event::Resignation | Event::DrawDeclined) {
            Meaning::Talk
        } else {
            Meaning::Open
        });
    }
    let hedges = others().any(|text| is_hedge(&text));
    let jokes = sentence.winks || (sentence.smiles && *event == Event::Resignation);
    let asks = sentence.asks && *event != Event::DrawOffer;
    (jokes || asks || hedges || sentence.quotes).then_some(Meaning::Open)
}

/// A clause that takes the certainty from the others.
fn is_hedge(text: &str) -> bool {
    let words =
        ["perhaps", "maybe", "possibly", "vielleicht", "eventuell", "peut", "quizas", "forse", "talvez", "misschien"];
    text.split(' ').any(|word| words.contains(&word))
}

/// "if you like", or the French, Spanish and Italian "yes": no condition.
fn is_polite(text: &str) -> bool {
    matches!(
        text,
        "si" | "if you like"
            | "if thats ok"
            | "if thats ok with you"
            | "if that is ok with you"
            | "if it is ok with you"
            | "if you agree"
            | "if you are"
            | "if you want"
            | "if you wish"
            | "wenn du willst"
            | "wenn sie wollen"
            | "si vous voulez"
            | "si tu veux"
            | "si quieres"
            | "se vuoi"
            | "se quiser"
    )
}

/// A clause that speaks of the result without announcing one.
fn spoken_of(sentence: &Sentence, text: &str, whole: &str) -> Option<(Event, Meaning)> {
    let speaks_of_draw: Vec<&Language> = languages().iter().filter(|l| l.draw_key.is_match(text)).collect();
    let speaks_of_end: Vec<&Language> = languages().iter().filter(|l| l.resign_key.is_match(text)).collect();
    let elsewhere = |list: &[&Language]| list.iter().any(|l| l.elsewhere.is_match(whole));
    let negated = |list: &[&Language]| list.iter().any(|l| l.negation.is_match(text));
    let conditional = |list: &[&Language]| list.iter().any(|l| l.condition.is_match(whole));
    if !speaks_of_draw.is_empty() {
        let list = speaks_of_draw.as_slice();
        let accepts = list.iter().any(|l| l.accept_key.is_match(text));
        let event = if accepts { Event::DrawAccepted } else { Event::DrawOffer };
        let denies = negated(list) && !invites(text, sentence);
        let talk = list.iter().any(|l| l.no_draw.is_match(text)) || denies || elsewhere(list);
        return Some((event, if talk { Meaning::Talk } else { Meaning::Open }));
    }
    if !speaks_of_end.is_empty() {
        let list = speaks_of_end.as_slice();
        let other = list.iter().any(|l| l.no_resignation.is_match(text));
        let talk = other || negated(list) || elsewhere(list) || conditional(list);
        return Some((Event::Resignation, if talk { Meaning::Talk } else { Meaning::Open }));
    }
    accepts_something(text).then_some((Event::DrawAccepted, Meaning::Open))
}

/// "I would not mind a draw": a negation that invites.
fn invites(text: &str, sentence: &Sentence) -> bool {
    let words = ["mind", "object", "refuse", "reject", "decline", "against", "abgeneigt", "ablehnen", "dagegen"];
    (sentence.asks && !text.contains("no draw")) || text.split(' ').any(|word| words.contains(&word))
}

/// "I accept your offer", whatever it was.
fn accepts_something(text: &str) -> bool {
    const SAYS: [&str; 16] = [
        "accept your offer",
        "accept the offer",
        "nehme ihr angebot an",
        "nehme dein angebot an",
        "accepte votre offre",
        "accepte ta proposition",
        "acepto su oferta",
        "acepto tu oferta",
        "accetto la sua offerta",
        "accetto la tua offerta",
        "neem je aanbod",
        "antar ditt anbud",
        "hyvaksyn tarjouksen",
        "hyvaksyn tarjouksesi",
        "przyjmuje propozycje",
        "elfogadom az ajanlat",
    ];
    SAYS.iter().any(|words| text.contains(words))
}
