//! What a form writes about: a transmission, the same moves in letters where the game agreed on them, and what is still blank.

use chrono::NaiveDate;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use crate::domain::game::Game;
use crate::domain::notation::NumericMove;
use crate::domain::transmission::Transmission;

/// What a form writes about.
#[derive(Debug, Clone)]
pub(crate) struct Matter<'a> {
    pub(super) said: &'a Transmission,
    /// The plies of the transmission as they are written, and those of the lines offered.
    pub(super) written: Vec<String>,
    pub(super) offered: Vec<Vec<String>>,
    /// The plies and offered ones in English algebraic notation; digits where they do not play out.
    pub(super) san: Vec<String>,
    pub(super) site: String,
    pub(super) start_fen: Option<String>,
    /// The reply is still to be chosen; with the day on which the last move was received.
    pub(super) blank: Option<Option<NaiveDate>>,
}

impl<'a> Matter<'a> {
    /// A transmission alone: its last ply is the new move, and all are written in digits.
    pub(super) fn of(said: &'a Transmission) -> Matter<'a> {
        let (written, offered) = digits(said);
        Matter { said, san: written.clone(), written, offered, site: String::new(), start_fen: None, blank: None }
    }

    /// The same with all moves written in digits.
    pub(super) fn in_digits(&self) -> Matter<'a> {
        let (written, offered) = digits(self.said);
        Matter { written, offered, ..self.clone() }
    }

    /// The same of a game.
    pub(crate) fn of_game(said: &'a Transmission, game: &Game) -> Matter<'a> {
        let mut matter = Matter { site: game.site.clone(), start_fen: game.start_fen.clone(), ..Matter::of(said) };
        let Ok(replay) = game.with_plan_recorded().replay() else { return matter };
        let played = replay.plies().map(|(before, played)| SanPlus::from_move(before.clone(), *played).to_string());
        let played: Vec<String> = played.collect();
        if played.len() == matter.san.len() {
            matter.san = played;
        }
        // `iccf` is always agreed, letters only where the game says so
        if game.notations.iter().any(|notation| notation == "san") {
            matter.written = matter.san.clone();
            matter.offered = said.conditionals.iter().map(|line| in_letters(line, replay.position())).collect();
        }
        matter
    }

    /// The same with the move still to be chosen.
    pub(crate) fn with_blank(self, received: Option<NaiveDate>) -> Matter<'a> {
        Matter { blank: Some(received), ..self }
    }
}

/// The plies of a transmission and the lines offered in it.
fn digits(said: &Transmission) -> (Vec<String>, Vec<Vec<String>>) {
    let plies = said.halves.iter().map(|half| half.numeric.to_string());
    let offered = said.conditionals.iter().map(|line| line.iter().map(NumericMove::to_string).collect());
    (plies.collect(), offered.collect())
}

/// A line in English letters; in digits from the ply on that cannot be played.
fn in_letters(line: &[NumericMove], position: &Chess) -> Vec<String> {
    let mut position = Some(position.clone());
    line.iter()
        .map(|numeric| {
            let before = position.take();
            let legal = before.as_ref().and_then(|before| numeric.to_move(before).ok());
            match (before, legal) {
                (Some(before), Some(legal)) => {
                    let text = SanPlus::from_move(before.clone(), legal.played).to_string();
                    let mut after = before;
                    after.play_unchecked(legal.played);
                    position = Some(after);
                    text
                }
                _ => numeric.to_string(),
            }
        })
        .collect()
}
