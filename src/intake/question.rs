//! The question to the opponent about a held mail.

use chrono::{DateTime, Utc};

use super::held::Entry;
use crate::config::{Language, Me};
use crate::domain::game::Game;
use crate::domain::notation::NumericMove;
use crate::io::store::{EventRow, StoredGame};
use crate::letters::{self, Letter, LetterError};

impl Entry {
    /// The text of a question about it, as the program words it.
    ///
    /// # Errors
    /// [`LetterError`]; then there is no letter.
    pub(crate) fn question_text(
        &self,
        game: &Game,
        language: Language,
        me: &Me,
        now: DateTime<Utc>,
    ) -> Result<String, LetterError> {
        let held = &self.held;
        let quote: Vec<(usize, String)> = self.passages().into_iter().map(|p| (p.number, p.text)).collect();
        let readings: Vec<NumericMove> = self.readings.iter().map(|reading| reading.numeric).collect();
        let question = letters::Question {
            message_id: held.message_id.as_deref(),
            day: self.observed.sent.or(self.observed.arrived).unwrap_or(now.date_naive()),
            quote: &quote,
            readings: &readings,
            illegal: held.outcome == "illegal",
            read_as: held.read_as.as_deref(),
            language,
        };
        letters::question_text(game, &question, me)
    }

    /// The finished draft of a question about it with this text, and the line of the journal.
    ///
    /// # Errors
    /// [`LetterError`]; then there is no letter.
    pub(crate) fn question(
        &self,
        thread: &StoredGame,
        text: String,
        me: &Me,
        now: DateTime<Utc>,
    ) -> Result<(Letter, EventRow), LetterError> {
        let (StoredGame { game, root_message_id }, held) = (thread, &self.held);
        let letter = letters::asked(game, root_message_id, (held.message_id.as_deref(), text), me, now)?;
        let event = EventRow {
            game: Some(game.id.clone()),
            kind: "asked".to_owned(),
            text: format!("a question about mail {} was drafted", held.mail),
        };
        Ok((letter, event))
    }
}
