//! What of a mail a reason stands on: the lines, and the word on them.

use std::fmt;

use super::reason::{Reason, place};
use crate::languages::Language;

impl Reason {
    /// The lines it speaks of, counted from 1 in the mail's text; 0 is the subject. Those who show a reason show them too.
    pub fn lines(&self) -> Vec<usize> {
        self.parts().1
    }

    /// What of the mail it stands on, where it speaks of a line. `text_of` gives the text of a line, in the view that has this word there.
    pub fn cause(&self, text_of: impl FnOnce(usize, &str) -> Option<String>) -> Option<Cause> {
        let (code, lines, word) = self.parts();
        let line = *lines.first()?;
        let text = text_of(line, &word)?;
        let word = Some(word).filter(|word| stands_in(word, &text));
        Some(Cause { line, text, word, code })
    }

    /// Its word in data, the lines it speaks of, and his words there; nothing where it speaks of no line.
    fn parts(&self) -> (&'static str, Vec<usize>, String) {
        let at = |code, line: &usize, word: &dyn fmt::Display| (code, vec![*line], word.to_string());
        let subject = |code, word: &dyn fmt::Display| (code, vec![0], word.to_string());
        match self {
            Reason::Contradiction { line, his, .. } => at("contradiction", line, his),
            Reason::ReadsAnotherMove { line, his, .. } => at("reads-another-move", line, his),
            Reason::NumberAhead { line, his, .. } => at("number-ahead", line, his),
            Reason::NumberBehind { line, number } => at("number-behind", line, number),
            Reason::TwoMoves { first, first_line, second_line, .. } => {
                ("two-moves", vec![*first_line, *second_line], first.to_string())
            }
            Reason::InSentence { line, word, .. } => at("in-sentence", line, word),
            Reason::ConditionUnclear { line, words } => at("condition-unclear", line, words),
            Reason::OfferNotPlayable { line, words, .. } => at("offer-not-playable", line, words),
            Reason::BeyondYourLines { line, his, .. } => at("beyond-your-lines", line, his),
            Reason::OtherThanPromised { line, his, .. } => at("other-than-promised", line, his),
            Reason::NotPlayable { line, his, .. } => at("not-playable", line, his),
            Reason::Doubtful(hedge) => at(hedge.kind.code(), &hedge.line, &hedge.word),
            Reason::Said { line, words, .. } => at("said", line, words),
            Reason::SaidInSubject { words, .. } => subject("said-in-subject", words),
            Reason::ResignsAndMoves { line, words } => at("resigns-and-moves", line, words),
            Reason::NotOffered { line, words } => at("not-offered", line, words),
            Reason::AnotherNumber { line, other, .. } => at("another-number", line, other),
            Reason::Notations { line, algebraic, .. } => at("notations", line, algebraic),
            Reason::AnotherPiece { line, word, .. } => at("another-piece", line, word),
            Reason::AnotherBoard { line, .. } => at("another-board", line, &""),
            Reason::OlderMail { line, his, .. } => at("older-mail", line, his),
            Reason::BadToken { line, text, .. } => at("bad-token", line, text),
            Reason::NotLegal { line, his, .. } => at("not-legal", line, his),
            Reason::NoSuchMove { line, his, .. } => at("no-such-move", line, his),
            Reason::Ambiguous { line, his, .. } => at("ambiguous", line, his),
            Reason::NotAgreed { line, his, .. } => at("not-agreed", line, his),
            Reason::SubjectDiffers { subject: his, .. } => subject("subject-differs", his),
            Reason::OnlyInSubject { his, .. } => subject("only-in-subject", his),
            Reason::InQuote { line, his, .. } => at("in-quote", line, his),
            _ => Default::default(),
        }
    }
}

/// What of a mail a reason stands on, in his own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Counted from 1 in the mail's text; 0 is the subject.
    pub line: usize,
    /// The whole line.
    pub text: String,
    /// The word on it that the reason names, if it names one that stands there.
    pub word: Option<String>,
    /// The kind of the reason: a word that stays the same.
    pub code: &'static str,
}

impl Cause {
    /// The reason in words with the line quoted: "line 3, `perhaps 5171`: ...".
    pub fn quoted_in(&self, reason: &str, language: Language) -> String {
        let place = place(language, self.line);
        match reason.strip_prefix(&place).filter(|rest| rest.starts_with(": ")) {
            Some(rest) => format!("{place}, `{}`{rest}", self.text),
            None => reason.to_owned(),
        }
    }
}

/// Whether a line has these words, or the first of them where they go on in the next line.
pub fn stands_in(words: &str, text: &str) -> bool {
    let first = words.split_whitespace().next();
    first.is_some_and(|first| text.to_lowercase().contains(&first.to_lowercase()))
}
