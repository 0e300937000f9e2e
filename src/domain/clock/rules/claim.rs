//! What a claim on time needs beside the overstep itself.

use serde::{Deserialize, Serialize};

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
        let saved = self.saved_hours.map(|hours| {
            let hours = if hours == 1 { "1 hour".to_owned() } else { format!("{hours} hours") };
            format!("a late player who moves within {hours} of his opponent's move is saved")
        });
        let terms: Vec<String> = [
            self.on_move.then(|| "a claim on time is valid only while the claimant is to move".to_owned()),
            self.time_stated.then(|| "the time used has to be stated before the claim".to_owned()),
            saved,
            self.before_answer.then(|| "a claim on time is lost by answering the late move without it".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        if terms.is_empty() { "a claim on time needs nothing but the overstep".to_owned() } else { terms.join("; ") }
    }
}
