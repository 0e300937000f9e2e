//! A game on record beside the sum of its changes, value by value: settled dates and days, leave, notes on the clocks, illegal moves, rules, the
//! start, the names, the result, the chosen move and what stands offered.

use serde_json::json;

use crate::domain::game::{Agreed, Game, GameResult, MoveRecord, Plan, Player, Side};
use crate::domain::notation::NumericMove;
use crate::io::store::NewMove;

/// What was offered when a game had so many plies, by the mail or the act that gave the last of them.
pub(super) struct Stands {
    pub(super) plies: usize,
    pub(super) conditionals: Vec<Vec<NumericMove>>,
    pub(super) draw_offer: Option<Side>,
}

/// One value that stands otherwise: of which ply, counted from 0, what it is, what stands, and what was entered.
pub(super) type Otherwise = (Option<usize>, String, String, String);

/// A value that is not there.
pub(super) const NOTHING: &str = "nothing";

impl Stands {
    pub(super) fn behind(new: &NewMove) -> Stands {
        let NewMove { conditionals, draw_offer, .. } = new;
        let plies = new.expected_plies + usize::from(new.confirm_plan.is_some()) + new.before.len() + 1;
        Stands { plies, conditionals: conditionals.clone(), draw_offer: *draw_offer }
    }

    /// What stands otherwise on record, which has just these plies.
    pub(super) fn otherwise(&self, record: &Game) -> Vec<(&'static str, String, String)> {
        let draw = |side: Option<Side>| side.map_or(NOTHING.to_owned(), |side| format!("of {}", side.name()));
        // a result ends it, and an import that gave one says what stood
        let draw_offer = self.draw_offer.filter(|_| record.result.is_none());
        let lines = |game: &[Vec<NumericMove>]| match game {
            [] => NOTHING.to_owned(),
            lines => lines.iter().map(|line| in_a_row(line)).collect::<Vec<_>>().join("; "),
        };
        let pairs = [
            ("draw offer", draw(record.draw_offer.filter(|_| record.result.is_none())), draw(draw_offer)),
            ("conditionals", lines(&record.conditionals), lines(&self.conditionals)),
        ];
        pairs.into_iter().filter(|(_, stands, proof)| stands != proof).collect()
    }
}

/// What stands otherwise than the changes give it, but for the moves themselves. What stands offered is left out where `offers_told` says that
/// the mail of the last move was asked.
pub(super) fn otherwise(record: &Game, sum: &Game, offers_told: bool) -> Vec<Otherwise> {
    let mut found = Vec::new();
    for (index, row) in record.moves.iter().enumerate() {
        let entered = sum.moves.get(index).map(|row| row.agreed).unwrap_or_default();
        for ((what, stands), (_, entered)) in settled(row.agreed).into_iter().zip(settled(entered)) {
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
        let words =
            game.illegal.iter().map(|one| (index_of(one.ply), format!("sent {}, noticed {}", one.sent, one.noticed)));
        words.collect()
    };
    let values = |game: &Game| {
        let start = game.start_date.map_or(NOTHING.to_owned(), |day| day.to_string());
        let player = |player: &Player| format!("{} {}", player.name, player.emails.join(" "));
        [
            ("rules", json!(game.rules).to_string()),
            ("start", start),
            ("start position", game.start_fen.clone().unwrap_or_else(|| NOTHING.to_owned())),
            ("event", game.event.clone()),
            ("site", game.site.clone()),
            ("tags", json!(game.tags).to_string()),
            ("your side", game.me.name().to_owned()),
            ("White", player(&game.white)),
            ("Black", player(&game.black)),
            ("notations", game.notations.join(" ")),
            ("result", game.result.map_or(NOTHING, GameResult::word).to_owned()),
        ]
    };
    for (what, stand, entered) in [
        ("leave", leaves(record), leaves(sum)),
        ("note on the clock", notes(record), notes(sum)),
        ("illegal move", illegal(record), illegal(sum)),
    ] {
        let (more, fewer) = (apart(&stand, &entered), apart(&entered, &stand));
        found.extend(more.into_iter().map(|(at, words)| (at, what.to_owned(), words, NOTHING.to_owned())));
        found.extend(fewer.into_iter().map(|(at, words)| (at, what.to_owned(), NOTHING.to_owned(), words)));
    }
    let pairs = values(record).into_iter().zip(values(sum)).filter(|(stands, entered)| stands != entered);
    found.extend(pairs.map(|((what, stands), (_, entered))| (None, what.to_owned(), stands, entered)));
    let plies = record.moves.len();
    // what lapses with a ply is not judged without it
    if plies >= sum.moves.len() {
        if record.plan != sum.plan {
            found.push((
                Some(plies),
                "chosen move".to_owned(),
                planned(record.plan.as_ref()),
                planned(sum.plan.as_ref()),
            ));
        }
        let stands = Stands { plies, conditionals: sum.conditionals.clone(), draw_offer: sum.draw_offer };
        if plies == sum.moves.len() && !offers_told {
            let others = stands.otherwise(record).into_iter();
            found.extend(others.map(|(what, stands, entered)| (None, what.to_owned(), stands, entered)));
        }
    }
    found
}

fn index_of(ply: u32) -> Option<usize> {
    usize::try_from(ply).ok()?.checked_sub(1)
}

fn in_a_row(plies: &[NumericMove]) -> String {
    plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn word<T: ToString>(value: Option<T>) -> String {
    value.map_or(NOTHING.to_owned(), |value| value.to_string())
}

/// A chosen move with all that its letter says.
fn planned(plan: Option<&Plan>) -> String {
    let Some(plan) = plan else { return NOTHING.to_owned() };
    let Plan { before, numeric, stated, draw_offer, message_id, conditionals, comment, held_until } = plan;
    let mut words =
        vec![in_a_row(&before.iter().chain([numeric]).copied().collect::<Vec<_>>()), format!("in {message_id}")];
    for (what, value) in [("received", word(stated.received)), ("sent", word(stated.sent)), ("days", word(stated.days))]
    {
        words.push(format!("{what} {value}"));
    }
    words.push(format!("total {}", word(stated.total)));
    words.extend(draw_offer.then(|| "with a draw offer".to_owned()));
    words.extend(conditionals.iter().map(|line| format!("if {}", in_a_row(line))));
    words.extend(comment.iter().map(|comment| format!("\"{comment}\"")));
    words.extend(held_until.map(|until| format!("held until {until}")));
    words.join(", ")
}

/// Every value of a row that a proof speaks of, in words.
pub(super) fn shown(record: &MoveRecord) -> [(&'static str, String); 10] {
    let MoveRecord { numeric, claimed, observed, .. } = record;
    [
        ("move", numeric.to_string()),
        ("received", word(claimed.received)),
        ("sent", word(claimed.sent)),
        ("days", word(claimed.days)),
        ("total", word(claimed.total)),
        ("observed sent", word(observed.sent)),
        ("observed arrived", word(observed.arrived)),
        ("Date header", word(observed.sent_at)),
        ("relayed", word(observed.relayed_at)),
        ("taken by our server", word(observed.arrived_at.map(|at| at.to_utc()))),
    ]
}

fn settled(agreed: Agreed) -> [(&'static str, String); 5] {
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
