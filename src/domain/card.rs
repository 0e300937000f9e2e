//! What a game is known by beside its moves and its clocks, which its player may correct.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::game::{Game, GameId, Player, Side};

/// The head of a game. Each field is that of [`Game`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields mean what those of `Game` mean")]
pub struct Card {
    pub id: GameId,
    pub event: String,
    pub site: String,
    pub white: Player,
    pub black: Player,
    pub start_date: Option<NaiveDate>,
    pub notations: Vec<String>,
}

impl Player {
    /// Puts an address of his before the others, by which he is written to; false where it is the first already, or none of his.
    pub fn prefer(&mut self, address: &str) -> bool {
        let index = self.emails.iter().position(|email| email.eq_ignore_ascii_case(address));
        let Some(index) = index.filter(|index| *index > 0) else { return false };
        let first = self.emails.remove(index);
        self.emails.insert(0, first);
        true
    }
}

impl Game {
    /// The opponent, to be changed.
    pub fn opponent_mut(&mut self) -> &mut Player {
        match self.me {
            Side::White => &mut self.black,
            Side::Black => &mut self.white,
        }
    }

    /// What it is known by.
    pub fn card(&self) -> Card {
        Card {
            id: self.id.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            start_date: self.start_date,
            notations: self.notations.clone(),
        }
    }
}
