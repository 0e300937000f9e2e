//! What a claim on time needs beside the overstep itself.

use serde::{Deserialize, Serialize};

use crate::languages::Language;
use crate::say;

/// What the rules ask of who claims an overstep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClaimTerms {
    /// It is valid only while the claimant is to move.
    pub on_move: bool,
    /// He has to state the time that the other side has used before he claims.
    pub time_stated: bool,
    /// A late player is saved who moves within so many hours of his opponent's move.
    pub saved_hours: Option<u32>,
    /// It has to come before the late move is answered, or with the answer.
    pub before_answer: bool,
}

impl ClaimTerms {
    /// Whether they ask for nothing but that it comes in time.
    pub fn is_empty(self) -> bool {
        ClaimTerms { before_answer: false, ..self } == ClaimTerms::default()
    }

    /// Whether it is lost by answering the late move: who has answered is not to move any more.
    pub fn is_lost_by_answer(self) -> bool {
        self.before_answer || self.on_move
    }

    /// `a claim on time is valid only while the claimant is to move; ...`
    pub fn words(self) -> String {
        self.words_in(Language::English)
    }

    /// The same in this language.
    pub fn words_in(self, language: Language) -> String {
        let saved = self.saved_hours.map(|hours| match hours {
            1 => say!(language, "a late player who moves within 1 hour of his opponent's move is saved"),
            hours => {
                say!(language, "a late player who moves within {hours} hours of his opponent's move is saved", hours)
            }
        });
        let terms: Vec<String> = [
            self.on_move.then(|| say!(language, "a claim on time is valid only while the claimant is to move")),
            self.time_stated.then(|| say!(language, "the time used has to be stated before the claim")),
            saved,
            self.before_answer.then(|| say!(language, "a claim on time is lost by answering the late move without it")),
        ]
        .into_iter()
        .flatten()
        .collect();
        match terms.is_empty() {
            true => say!(language, "a claim on time needs nothing but the overstep"),
            false => terms.join("; "),
        }
    }
}
