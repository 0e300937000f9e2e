//! The player's chosen move: apart from the record, since a move counts only when it was really sent.
//!
//! PURE. It may take a line that the opponent offered: then its plies come before the chosen move, each of the player's with the reply
//! promised to it, and take no time (BdF tournament rules 14).

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::game::{Game, MoveNumber};
use super::notation::NumericMove;
use super::record::{MoveRecord, Stated};

/// The player's chosen move, drafted but not seen to be sent. His clock runs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Where it takes a line of the opponent's: the plies before the chosen move, each of the player's with the reply promised to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<NumericMove>,
    /// The chosen move.
    pub numeric: NumericMove,
    /// The dates and days that the draft states.
    pub stated: Stated,
    /// Whether the draft offers a draw.
    pub draw_offer: bool,
    /// The Message-ID that the draft gives to the reply, with its angle brackets.
    pub message_id: String,
    /// The lines that the draft offers, each: opponent's ply, promised reply, opponent's ply, ...
    pub conditionals: Vec<Vec<NumericMove>>,
    /// The player's own words for the letter.
    pub comment: Option<String>,
    /// He wants to look at it again: nothing is drafted before this instant. `None`: it is drafted.
    pub held_until: Option<DateTime<Utc>>,
}

impl Plan {
    /// A move that is only thought of: nothing is dated, offered or drafted with it.
    pub fn bare(numeric: NumericMove) -> Plan {
        Plan {
            before: Vec::new(),
            numeric,
            stated: Stated::default(),
            draw_offer: false,
            message_id: String::new(),
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        }
    }

    /// Every ply that it gives: those of an accepted line take no time.
    pub fn records(&self) -> Vec<MoveRecord> {
        let before = self.before.iter().map(|numeric| MoveRecord::conditional(*numeric));
        before.chain([MoveRecord::claimed(self.numeric, self.stated)]).collect()
    }

    /// `7... 2836`, or `6. 3233 6... 5878 7. 6152` where it takes a line; `due` is the number of its first ply.
    pub fn in_words(&self, due: MoveNumber) -> String {
        due.row(self.before.iter().chain([&self.numeric]))
    }

    /// The same as the player would write it to choose it once more.
    pub fn as_written(&self, due: MoveNumber) -> String {
        if self.before.is_empty() { self.numeric.to_string() } else { self.in_words(due) }
    }

    /// Whether its draft is made; a held one is only chosen.
    pub fn is_drafted(&self) -> bool {
        self.held_until.is_none()
    }
}

impl Game {
    /// The game with its plan made part of the record, for what comes after it.
    pub fn with_plan_recorded(&self) -> Game {
        let mut game = self.clone();
        if let Some(plan) = game.plan.take() {
            game.moves.extend(plan.records());
            game.draw_offer = plan.draw_offer.then_some(game.me);
            game.conditionals = plan.conditionals;
        }
        game
    }

    /// The game with the opponent's line that its plan takes made part of the record: the chosen move is due.
    pub fn with_line_taken(&self) -> Cow<'_, Game> {
        let Some(plan) = self.plan.as_ref().filter(|plan| !plan.before.is_empty()) else { return Cow::Borrowed(self) };
        let mut game = self.clone();
        game.moves.extend(plan.before.iter().map(|numeric| MoveRecord::conditional(*numeric)));
        game.plan = Some(Plan { before: Vec::new(), ..plan.clone() });
        Cow::Owned(game)
    }
}
