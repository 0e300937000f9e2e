//! What the sender announces apart from his move: draws, resignation, leave, claims.
//!
//! Sentence by sentence over the one scan of a [`Document`], without a board. What a sentence says of the result is learnt from examples;
//! leave, claims and addresses, and what forms say, are told by the words of the lexicon. An announcement that is denied, supposed, or of
//! another game is talk; what a careful reader would ask about is open. What surprises: `Draw?` is an offer by custom, and what was
//! understood is taken out of the lines, so that nobody asks about it again.

use std::collections::BTreeMap;
use std::fmt;

use self::outcome::Behind;
use self::said::{Left, Said};
use super::Line;
use super::document::Document;
use crate::domain::game::GameResult;
use crate::domain::transmission::dates::WrittenDate;
use crate::languages::Language;
use crate::say;

mod announce;
mod boxes;
mod form;
mod outcome;
mod said;

/// What a sentence of the sender announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// He offers a draw.
    DrawOffer,
    /// He accepts one.
    DrawAccepted,
    /// He declines one.
    DrawDeclined,
    /// He resigns.
    Resignation,
    /// He writes a result and no word with it.
    Score(GameResult),
    /// He is or will be away.
    Leave {
        /// The first day, if written.
        from: Option<WrittenDate>,
        /// The last day, if written.
        until: Option<WrittenDate>,
    },
    /// He says that the reader's time is over.
    TimeClaim,
    /// He claims a draw by threefold repetition.
    RepetitionClaim,
    /// He claims a result by a tablebase.
    TablebaseClaim,
    /// He claims a draw under the fifty-move rule.
    FiftyMoveClaim,
    /// He has another mail address; the address, where it is a plain one.
    AddressChange(Option<String>),
    /// He asks whether his move arrived.
    AsksRepeat,
    /// He needs longer for his answer than usual.
    LongThought,
}

impl Event {
    /// Whether it concerns a result or a move, so that nothing may be recorded while it is open.
    pub fn decides(&self) -> bool {
        match self {
            Event::DrawOffer | Event::DrawAccepted | Event::DrawDeclined | Event::Resignation | Event::Score(_) => true,
            Event::Leave { .. }
            | Event::TimeClaim
            | Event::RepetitionClaim
            | Event::TablebaseClaim
            | Event::FiftyMoveClaim
            | Event::AddressChange(_)
            | Event::AsksRepeat
            | Event::LongThought => false,
        }
    }
}

impl Event {
    /// Whether it would end the game in a draw without the reader's consent.
    pub fn claims_a_draw(&self) -> bool {
        matches!(self, Event::RepetitionClaim | Event::TablebaseClaim | Event::FiftyMoveClaim)
    }
}

impl Event {
    /// What a sentence that announces it speaks of.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Event::DrawOffer => say!(language, "a draw"),
            Event::DrawAccepted => say!(language, "accepting a draw"),
            Event::DrawDeclined => say!(language, "declining a draw"),
            Event::Resignation => say!(language, "resignation"),
            Event::Score(_) => say!(language, "a result"),
            Event::Leave { .. } => say!(language, "leave"),
            Event::TimeClaim => say!(language, "a time limit overstepped"),
            Event::RepetitionClaim => say!(language, "a repetition of position"),
            Event::TablebaseClaim => say!(language, "a tablebase claim"),
            Event::FiftyMoveClaim => say!(language, "the fifty-move rule"),
            Event::AddressChange(_) => say!(language, "a new address"),
            Event::AsksRepeat => say!(language, "a move that may not have arrived"),
            Event::LongThought => say!(language, "a long thought"),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

/// How an announcement is meant, the most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It is what its words say.
    Clear,
    /// A person must look.
    Open,
    /// Denied, conditional, about another game or another time: nothing is announced.
    Talk,
}

/// Something that the sender says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Where the word stands, counted from 1 in the text of the mail.
    pub line: usize,
    /// What it is.
    pub event: Event,
    /// How it is meant.
    pub meaning: Meaning,
    /// The words that say it, as written, at most 80 characters.
    pub words: String,
}

impl Spoken {
    fn new(line: usize, event: Event, meaning: Meaning, words: &str) -> Spoken {
        let words = words.trim();
        let mut short: String = words.chars().take(80).collect();
        if short.len() < words.len() {
            short = short.chars().take(77).chain("...".chars()).collect();
        }
        Spoken { line, event, meaning, words: short }
    }
}

/// What the sender announces in his own lines, in their order.
pub fn spoken(lines: &[Line<'_>]) -> Vec<Spoken> {
    hear(lines).0
}

/// What the sender announces, and his lines without the words that are understood and concern no move: an offer behind a
/// move, talk of a draw, an absence with its dates.
pub(super) fn hear(lines: &[Line<'_>]) -> (Vec<Spoken>, BTreeMap<usize, String>) {
    let whole = boxes::whole(lines);
    let lines: Vec<Line<'_>> =
        lines.iter().zip(&whole).map(|(line, text)| Line { number: line.number, text }).collect();
    let document = Document::of(&lines);
    let mut left = Left::of(&whole);
    let mut found = Vec::new();
    for at in 0..document.lines.len() {
        form::take(&document, at, &mut found, &mut left);
    }
    let sentences = Said::all(&document, &left);
    let last_recall = sentences.iter().rposition(outcome::takes_back);
    for (at, said) in sentences.iter().enumerate() {
        let behind = Behind { next: sentences.get(at + 1), recalled: last_recall.is_some_and(|last| last > at) };
        let (mut result, mut rest) = (Vec::new(), Vec::new());
        outcome::hear(said, &behind, &mut result, &mut left);
        announce::hear(said, &mut rest, &mut left);
        // "No, not at all! I play on:"
        if result.iter().any(|s| s.event == Event::DrawDeclined && s.meaning == Meaning::Clear)
            && let Some(above) = at.checked_sub(1).and_then(|above| sentences.get(above))
            && outcome::only_denies(above)
        {
            above.take(above.pieces(), &mut left);
        }
        if rest.iter().any(|s: &Spoken| s.event.claims_a_draw() && s.meaning == Meaning::Clear) {
            // the draw of a claim is no offer
            result.retain(|s| s.meaning == Meaning::Clear);
        }
        found.extend(result.into_iter().chain(rest));
    }
    // "You have won this one. I resign": what leads to an announcement is a part of it
    let clear = found.iter().filter(|s| s.meaning == Meaning::Clear).map(|s| (s.event.clone(), s.line));
    let clear: Vec<(Event, usize)> = clear.collect();
    let is_prelude = |s: &Spoken| clear.iter().any(|(event, line)| *event == s.event && s.line <= *line);
    found.retain(|s| s.meaning != Meaning::Open || !is_prelude(s));
    // "I agree. 1/2-1/2"
    if found.iter().any(|s| s.event == Event::DrawAccepted && s.meaning == Meaning::Clear) {
        found.retain(|s| s.event != Event::DrawOffer || s.meaning == Meaning::Clear);
    }
    found.sort_by_key(|spoken| spoken.line);
    // "no answer to my last move. I send it again": told once; "leave in this year: 3 days" says no more than its dates
    let mut told: Vec<(Event, Meaning)> = Vec::new();
    let no_dates = Event::Leave { from: None, until: None };
    let has_dates = found.iter().any(|s| matches!(s.event, Event::Leave { .. }) && s.event != no_dates);
    found.retain(|s| {
        let is_bare = has_dates && s.event == no_dates;
        let is_new = s.event.decides() || !(is_bare || told.contains(&(s.event.clone(), s.meaning)));
        told.push((s.event.clone(), s.meaning));
        is_new
    });
    (found, lines.iter().map(|line| line.number).zip(left.of_moves).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
        hear(&lines).1.into_values().collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_resignation_on_a_supposed_move_leaves_nothing_to_read() {
        let text = left("12... 5645\n\nWenn Sie jetzt 13. 4316 finden, gebe ich auf der Stelle auf :-)");
        assert!(text.contains("12... 5645") && !text.contains("4316") && !text.contains("Wenn"), "{text}");
        for two_moves in ["If 13. 4316, I play 13... 5645 and do not resign.", "If you find 13. 4316, I play 5645."] {
            assert_eq!(left(two_moves), two_moves);
        }
    }

    #[test]
    fn a_no_before_playing_on_denies_no_move() {
        assert_eq!(left("Nie, wcale! Gram dalej:\n\n10. 4354").trim_start_matches([' ', ',']), ":\n\n10. 4354");
        let denied = "Nie 10. 4354! Gram dalej:";
        assert!(left(denied).starts_with("Nie 10. 4354"), "{}", left(denied));
    }
}
