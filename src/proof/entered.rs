//! What the player entered of a game beside its moves, made again from his acts: settled dates and days, leave, notes on the clocks, illegal
//! moves, rules and the start.

use std::collections::BTreeMap;

use serde_json::json;

use super::acts::Said;
use crate::domain::game::{Agreed, Game};
use crate::io::store::{Act, Settled};

/// A game as it was put in, with all that was entered of it since.
pub(super) struct Entered {
    game: Game,
    agreed: BTreeMap<usize, Agreed>,
}

/// One value that stands otherwise: of which ply, counted from 0, what it is, what stands, and what was entered.
pub(super) type Otherwise = (Option<usize>, String, String, String);

const NOTHING: &str = "nothing";

impl Entered {
    /// What the acts say of one game; `None` where no act put it in: the database is older.
    pub(super) fn of<'a>(acts: impl Iterator<Item = Said<'a>>) -> Option<Entered> {
        let mut found: Option<Entered> = None;
        for said in acts {
            match (said, &mut found) {
                (Said::Import(game), _) => {
                    let agreed = game.moves.iter().map(|record| record.agreed).enumerate().collect();
                    found = Some(Entered { game: game.clone(), agreed });
                }
                (Said::Act(act), Some(entered)) => entered.add(act),
                (Said::Act(_), None) => {}
            }
        }
        found
    }

    fn add(&mut self, act: &Act) {
        let game = &mut self.game;
        match act {
            Act::SettleClock { game: of, settled, .. } if *of == game.id => {
                for Settled { ply, agreed, .. } in settled {
                    self.agreed.extend(index_of(*ply).map(|index| (index, *agreed)));
                }
            }
            Act::SetRules { game: of, rules, .. } if *of == game.id => game.rules = rules.clone(),
            Act::Illegal { game: of, ply, counted, .. } if *of == game.id => {
                game.illegal.retain(|illegal| illegal.ply != *ply);
                game.illegal.extend(*counted);
            }
            Act::Care { leaves, notes, .. } => {
                game.leaves.extend(leaves.iter().filter(|(of, _)| *of == game.id).map(|(_, leave)| *leave));
                game.clock_notes.extend(notes.iter().filter(|(of, _)| *of == game.id).map(|(_, note)| *note));
            }
            Act::RemoveLeave { leaves, .. } => {
                for (_, gone) in leaves.iter().filter(|(of, _)| *of == game.id) {
                    game.leaves.retain(|leave| (leave.side, leave.from, leave.to) != (gone.side, gone.from, gone.to));
                }
            }
            Act::RemoveClockNote { game: of, note, .. } if *of == game.id => {
                game.clock_notes.retain(|entered| entered != note);
            }
            _ => {}
        }
    }

    /// What stands otherwise on record.
    pub(super) fn otherwise(&self, record: &Game) -> Vec<Otherwise> {
        let mut found = Vec::new();
        for (index, row) in record.moves.iter().enumerate() {
            let entered = self.agreed.get(&index).copied().unwrap_or_default();
            for ((what, stands), (_, entered)) in shown(row.agreed).into_iter().zip(shown(entered)) {
                if stands != entered {
                    found.push((Some(index), format!("settled {what}"), stands, entered));
                }
            }
        }
        let leaves = |game: &Game| -> Vec<_> {
            let words = game.leaves.iter().map(|leave| {
                let announced = leave.announced.map_or("not announced".to_owned(), |day| format!("announced {day}"));
                format!("{} from {} to {}, {announced}", leave.side.name(), leave.from, leave.to)
            });
            words.map(|words| (None, words)).collect()
        };
        let notes = |game: &Game| -> Vec<_> {
            let words = game.clock_notes.iter().map(|note| {
                let until = note.until.map(|until| format!(" ({until})")).unwrap_or_default();
                (index_of(note.ply), format!("{} on {}{until}", note.kind.word(), note.on))
            });
            words.collect()
        };
        let illegal = |game: &Game| -> Vec<_> {
            let words = game
                .illegal
                .iter()
                .map(|one| (index_of(one.ply), format!("sent {}, noticed {}", one.sent, one.noticed)));
            words.collect()
        };
        let values = |game: &Game| {
            let start = game.start_date.map_or(NOTHING.to_owned(), |day| day.to_string());
            [("rules", json!(game.rules).to_string()), ("start", start)]
        };
        for (what, stand, entered) in [
            ("leave", leaves(record), leaves(&self.game)),
            ("note on the clock", notes(record), notes(&self.game)),
            ("illegal move", illegal(record), illegal(&self.game)),
        ] {
            let (more, fewer) = (apart(&stand, &entered), apart(&entered, &stand));
            found.extend(more.into_iter().map(|(at, words)| (at, what.to_owned(), words, NOTHING.to_owned())));
            found.extend(fewer.into_iter().map(|(at, words)| (at, what.to_owned(), NOTHING.to_owned(), words)));
        }
        let pairs = values(record).into_iter().zip(values(&self.game)).filter(|(stands, entered)| stands != entered);
        found.extend(pairs.map(|((what, stands), (_, entered))| (None, what.to_owned(), stands, entered)));
        found
    }
}

fn index_of(ply: u32) -> Option<usize> {
    usize::try_from(ply).ok()?.checked_sub(1)
}

fn shown(agreed: Agreed) -> [(&'static str, String); 5] {
    fn word<T: ToString>(value: Option<T>) -> String {
        value.map_or(NOTHING.to_owned(), |value| value.to_string())
    }
    [
        ("received", word(agreed.received)),
        ("sent", word(agreed.sent)),
        ("days", word(agreed.days)),
        ("total", word(agreed.total)),
        ("penalty", word(agreed.penalty)),
    ]
}

/// Those of the first that the second has not, each as often as it has it less.
fn apart<T: PartialEq + Clone>(first: &[T], second: &[T]) -> Vec<T> {
    let mut rest = second.to_vec();
    let is_apart = |one: &&T| match rest.iter().position(|other| other == *one) {
        Some(place) => {
            rest.swap_remove(place);
            false
        }
        None => true,
    };
    first.iter().filter(is_apart).cloned().collect()
}
