//! The positions of a game that can be looked at: those of the record, then what is planned and the lines that are offered, each of which
//! begins where another position stands.

use std::ops::Range;

use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::board::large;
use crate::domain::game::{Game, MoveNumber, Side};
use crate::domain::notation::{NumericMove, san, words};
use crate::domain::replay::Replay;
use crate::sentence;

/// A position, and how it comes about.
struct Stop {
    position: Chess,
    /// The place of the position before, and the ply from there; nothing for the first.
    by: Option<(usize, Ply)>,
}

struct Ply {
    number: MoveNumber,
    numeric: NumericMove,
    san: String,
    words: String,
}

/// All positions of a game that can be looked at, each by its place; that of the record is the number of plies before it.
pub(super) struct Walk {
    stops: Vec<Stop>,
    /// Plies of the record.
    plies: usize,
    seen_from: Side,
    /// What was not played: what it is, and its places.
    branches: Vec<(&'static str, Range<usize>)>,
}

impl Walk {
    /// The positions of the record.
    pub(super) fn of(game: &Game, replay: &Replay) -> Walk {
        let mut walk = Walk {
            stops: vec![Stop { position: replay.before(0).clone(), by: None }],
            plies: game.moves.len(),
            seen_from: game.me,
            branches: Vec::new(),
        };
        for (index, (_, played)) in replay.plies().enumerate() {
            walk.go(index, game.number_of(index), played);
        }
        walk
    }

    /// Adds what was not played: the plan with its lines or, without one, the player's lines that stand; and the opponent's.
    pub(super) fn look_ahead(&mut self, game: &Game, offered: &[Vec<NumericMove>]) {
        let (mut from, mut number) = (self.plies, game.due());
        let lines = match &game.plan {
            Some(plan) => {
                let moves: Vec<_> = plan.records().iter().map(|record| record.numeric).collect();
                from = self.branch(sentence!("planned"), from, number, &moves);
                number = number.plus(moves.len());
                plan.conditionals.clone()
            }
            None => game.lines_standing(),
        };
        for line in lines {
            self.branch(sentence!("you offer"), from, number, &line);
        }
        for line in offered {
            self.branch(sentence!("offered to you"), self.plies, game.due(), line);
        }
    }

    /// A line from the position at this place, as far as it is legal there; gives the place that it ends at.
    fn branch(&mut self, what: &'static str, from: usize, number: MoveNumber, line: &[NumericMove]) -> usize {
        let begins = self.stops.len();
        let mut at = from;
        for (index, numeric) in line.iter().enumerate() {
            let legal = self.stops.get(at).and_then(|stop| numeric.to_move(&stop.position).ok());
            let Some(legal) = legal else { break };
            at = self.go(at, number.plus(index), &legal.played);
        }
        if at != from {
            self.branches.push((what, begins..self.stops.len()));
        }
        at
    }

    /// Plays a legal ply in the position at this place; gives the place of the position after it.
    fn go(&mut self, from: usize, number: MoveNumber, played: &Move) -> usize {
        let at = self.stops.len();
        if let Some(Stop { position, .. }) = self.stops.get(from) {
            let ply = Ply {
                number,
                numeric: NumericMove::of(played),
                san: san(position, played),
                words: words(position, played),
            };
            let mut position = position.clone();
            position.play_unchecked(*played);
            self.stops.push(Stop { position, by: Some((from, ply)) });
        }
        at
    }

    /// The place that is nearest to this one, that of the record without one.
    pub(super) fn place(&self, wanted: Option<usize>) -> usize {
        wanted.unwrap_or(self.plies).min(self.stops.len().saturating_sub(1))
    }

    /// The ply to this place in words.
    pub(super) fn words(&self, at: usize) -> Option<&str> {
        let (_, ply) = self.stops.get(at)?.by.as_ref()?;
        Some(&ply.words)
    }

    /// The board at this place.
    pub(super) fn drawn(&self, at: usize) -> String {
        let Some(stop) = self.stops.get(at) else { return String::new() };
        let ply = stop.by.as_ref().map(|(_, ply)| ply);
        let when = ply.map_or_else(|| "at the start".to_owned(), |ply| format!("after {} {}", ply.number, ply.numeric));
        let marked = ply.map(|ply| [ply.numeric.from_square(), ply.numeric.to_square()]);
        large(stop.position.board(), marked.as_ref().map_or(&[][..], |marked| marked), self.seen_from, &when)
    }

    /// All places for the script, each `FEN|squares of the last ply|that ply in words|place of the position before`.
    pub(super) fn placed(&self) -> Vec<String> {
        let placed = |(at, stop): (usize, &Stop)| {
            let fen = Fen::from_position(&stop.position, EnPassantMode::Legal);
            let Some((from, Ply { number, numeric, words, .. })) = &stop.by else {
                return format!("{fen}||at the start|");
            };
            let played = if at > self.plies { "not played: " } else { "" };
            let (left, reached) = (numeric.from_square(), numeric.to_square());
            format!("{fen}|{left}{reached}|{played}{number} {numeric}, {words}|{from}")
        };
        self.stops.iter().enumerate().map(placed).collect()
    }

    /// Where the links from this place lead: to the start, back, on, to the position that stands.
    pub(super) fn steps(&self, at: usize) -> Value {
        let back = self.stops.get(at).and_then(|stop| stop.by.as_ref()).map_or(0, |(from, _)| *from);
        let follows = |stop: &Stop| stop.by.as_ref().is_some_and(|(from, _)| *from == at);
        let on = self.stops.iter().position(follows).unwrap_or(at);
        json!({"first": 0, "back": back, "on": on, "last": self.plies})
    }

    /// What was not played, line by line.
    pub(super) fn lines(&self) -> Vec<Value> {
        let line = |(what, places): &(&str, Range<usize>)| {
            let plies = places.clone().filter_map(|at| {
                let (_, ply) = self.stops.get(at)?.by.as_ref()?;
                let Ply { number, numeric, san, words } = ply;
                Some(json!({"at": at, "number": number.to_string(), "numeric": numeric, "san": san, "words": words}))
            });
            json!({"what": what, "plies": plies.collect::<Vec<_>>()})
        };
        self.branches.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::plan::Plan;
    use crate::domain::record::MoveRecord;

    fn line(text: &str) -> Vec<NumericMove> {
        text.split(' ').map(|ply| ply.parse().unwrap()).collect()
    }

    fn walk(game: &Game, offered: &[&str]) -> Walk {
        let mut walk = Walk::of(game, &game.replay().unwrap());
        walk.look_ahead(game, &offered.iter().map(|text| line(text)).collect::<Vec<_>>());
        walk
    }

    /// 1. 5254, and Black, the player, is on the move.
    fn game() -> Game {
        let mut game = sample_game();
        (game.start_fen, game.me, game.plan) = (None, Side::Black, None);
        game.conditionals = Vec::new();
        game.moves = vec![MoveRecord::conditional("5254".parse().unwrap())];
        game
    }

    #[test]
    fn a_planned_move_is_played_out_with_its_lines_and_each_begins_where_it_ends() {
        let mut game = game();
        let lines = vec![line("7163 2836 6125"), line("6264 5564")];
        game.plan = Some(Plan { conditionals: lines, ..Plan::bare("5755".parse().unwrap()) });
        let walk = walk(&game, &[]);
        let said: Vec<_> = walk
            .lines()
            .iter()
            .map(|line| {
                let plies = line["plies"].as_array().unwrap().iter();
                let plies: Vec<_> = plies
                    .map(|ply| format!("{} {}", ply["number"].as_str().unwrap(), ply["san"].as_str().unwrap()))
                    .collect();
                format!("{}: {}", line["what"].as_str().unwrap(), plies.join(" "))
            })
            .collect();
        assert_eq!(said, ["planned: 1... e5", "you offer: 2. Nf3 2... Nc6 3. Bb5", "you offer: 2. f4 2... exf4"]);
        let before: Vec<_> = walk.placed().iter().map(|line| line.rsplit('|').next().unwrap().to_owned()).collect();
        assert_eq!(before, ["", "0", "1", "2", "3", "4", "2", "6"]);
        assert_eq!(walk.steps(2), json!({"first": 0, "back": 1, "on": 3, "last": 1}));
        assert_eq!(walk.steps(6), json!({"first": 0, "back": 2, "on": 7, "last": 1}));
        assert_eq!(walk.place(None), 1);
        assert_eq!(walk.place(Some(99)), 7);
        assert!(walk.placed()[6].contains("|f2f4|not played: 2. 6264, "), "{}", walk.placed()[6]);
        assert!(walk.placed()[1].contains("|e2e4|1. 5254, "), "{}", walk.placed()[1]);
    }

    #[test]
    fn lines_that_were_offered_begin_at_the_position_that_stands_and_end_before_what_is_not_legal() {
        let lines = walk(&game(), &["5755 7163", "5755 1118", "1118"]).lines();
        let plies: Vec<_> = lines.iter().map(|line| line["plies"].as_array().unwrap().len()).collect();
        assert_eq!(plies, [2, 1]);
        let mut waits = game();
        waits.me = Side::White;
        waits.conditionals = vec![line("5755 7163")];
        let lines = walk(&waits, &[]).lines();
        assert_eq!(lines[0]["plies"][1]["number"], "2.");
    }
}
