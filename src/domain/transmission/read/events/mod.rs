//! What the sender announces apart from his move: draws, resignation, corrections, leave, claims.
//!
//! Sentence by sentence, in sixteen languages, without a board. An announcement is clear only where its clause holds nothing
//! that is not understood; a word of the kind that stands in any other clause is open, unless the sentence denies it or
//! speaks of another game. What surprises: `Draw?` is an offer by custom, `Would you accept a draw?` a question.

use std::collections::BTreeMap;
use std::fmt;

use self::sentence::Sentence;
use super::Line;
use crate::domain::game::GameResult;
use crate::domain::transmission::dates::WrittenDate;

mod announce;
mod boxes;
mod form;
mod japanese;
mod language;
mod outcome;
mod sentence;

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
    /// He wants to change a move already sent.
    TakesBack,
    /// He replaces or corrects something that he wrote.
    Corrects,
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
            Event::DrawOffer
            | Event::DrawAccepted
            | Event::DrawDeclined
            | Event::Resignation
            | Event::Score(_)
            | Event::TakesBack
            | Event::Corrects => true,
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
    fn goes_with_a_move(&self) -> bool {
        matches!(self, Event::DrawOffer | Event::DrawDeclined)
    }

    fn claims_a_draw(&self) -> bool {
        matches!(self, Event::RepetitionClaim | Event::TablebaseClaim | Event::FiftyMoveClaim)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Event::DrawOffer => "a draw",
            Event::DrawAccepted => "accepting a draw",
            Event::DrawDeclined => "declining a draw",
            Event::Resignation => "resignation",
            Event::Score(_) => "a result",
            Event::TakesBack => "taking a move back",
            Event::Corrects => "a correction",
            Event::Leave { .. } => "leave",
            Event::TimeClaim => "a time limit overstepped",
            Event::RepetitionClaim => "a repetition of position",
            Event::TablebaseClaim => "a tablebase claim",
            Event::FiftyMoveClaim => "the fifty-move rule",
            Event::AddressChange(_) => "a new address",
            Event::AsksRepeat => "a move that may not have arrived",
            Event::LongThought => "a long thought",
        })
    }
}

/// How an announcement is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It is what its words say.
    Clear,
    /// Denied, conditional, about another game or another time: nothing is announced.
    Talk,
    /// A person must look.
    Open,
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
/// move, an absence with its dates.
pub(super) fn hear(lines: &[Line<'_>]) -> (Vec<Spoken>, BTreeMap<usize, String>) {
    let whole = boxes::whole(lines);
    let lines: Vec<Line<'_>> =
        lines.iter().zip(&whole).map(|(line, text)| Line { number: line.number, text }).collect();
    let lines = lines.as_slice();
    let mut found = Vec::new();
    let mut understood = Vec::new();
    let rest: Vec<String> = lines.iter().map(|line| form::take(line, &mut found, &mut understood)).collect();
    let rest: Vec<Line<'_>> = lines.iter().zip(&rest).map(|(line, text)| Line { number: line.number, text }).collect();
    let mut above: Option<Sentence> = None;
    for sentence in sentence::sentences(&rest) {
        let (mut result, mut rest) = (Vec::new(), Vec::new());
        outcome::hear(&sentence, &mut result, &mut understood);
        japanese::hear(&sentence, &mut result, &mut understood);
        announce::hear(&sentence, &mut rest, &mut understood);
        if rest.iter().any(|s: &Spoken| s.event.claims_a_draw() && s.meaning == Meaning::Clear) {
            // the draw of a claim is no offer
            result.retain(|s| s.meaning == Meaning::Clear);
        }
        if result.iter().any(|s| s.event == Event::DrawDeclined && s.meaning == Meaning::Clear) {
            understood.extend(above.take().filter(Sentence::only_denies).into_iter().flat_map(Sentence::into_places));
        }
        let only_talks = |s: &Spoken| s.event == Event::Resignation && s.meaning == Meaning::Talk;
        if !result.is_empty() && result.iter().all(only_talks) && sentence.supposes_one_move() {
            understood.extend(sentence.spans());
        }
        found.extend(result.into_iter().chain(rest));
        above = Some(sentence);
    }
    let mut left: BTreeMap<usize, String> = lines.iter().map(|line| (line.number, line.text.to_owned())).collect();
    for (number, bytes) in understood {
        if let Some(text) = left.get_mut(&number) {
            blank(text, bytes);
        }
    }
    found.sort_by_key(|spoken| spoken.line);
    (found, left)
}

/// Blanks in the place of these bytes; all others stay where they are.
fn blank(text: &mut String, bytes: std::ops::Range<usize>) {
    let blanks = " ".repeat(bytes.len());
    if text.is_char_boundary(bytes.start) && text.is_char_boundary(bytes.end) && bytes.end <= text.len() {
        text.replace_range(bytes, &blanks);
    }
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
