//! What a game is known by beside its moves and its clocks, which its player may correct.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::game::{Game, Player};

/// The head of a game. Each field is that of [`Game`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields mean what those of `Game` mean")]
pub struct Card {
    pub event: String,
    pub site: String,
    pub white: Player,
    pub black: Player,
    pub start_date: Option<NaiveDate>,
    pub notations: Vec<String>,
}

impl Game {
    /// What it is known by.
    pub fn card(&self) -> Card {
        Card {
            event: self.event.clone(),
            site: self.site.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            start_date: self.start_date,
            notations: self.notations.clone(),
        }
    }

    /// The same game, known by this.
    pub fn with_card(&self, card: &Card) -> Game {
        let Card { event, site, white, black, start_date, notations } = card.clone();
        Game { event, site, white, black, start_date, notations, ..self.clone() }
    }
}
