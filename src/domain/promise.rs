//! Lines that the player has offered: which still bind him, and to what.
//!
//! PURE. A line is his ply, our reply, his ply, ...; one that he does not play into lapses with his move. What will surprise you:
//! a promise is never played by itself, also where he only met its condition; the player sends it (BdF tournament rules 14).

use super::game::Game;
use super::notation::NumericMove;

impl Game {
    /// The lines that stand after these further plies, the last of which is the opponent's: each begins with that ply.
    pub fn lines_after(&self, played: &[NumericMove]) -> Vec<Vec<NumericMove>> {
        let taken = self.conditionals.iter().filter(|line| line.len() > played.len() && line.starts_with(played));
        taken.filter_map(|line| line.get(played.len().checked_sub(1)?..)).map(<[NumericMove]>::to_vec).collect()
    }

    /// The lines that stand, each from the ply on that is due.
    pub fn lines_standing(&self) -> Vec<Vec<NumericMove>> {
        if !self.is_my_turn() {
            return self.conditionals.clone();
        }
        let last = self.moves.last().map(|record| record.numeric);
        let met = self.conditionals.iter().filter(|line| line.first().copied() == last);
        met.filter_map(|line| line.get(1..)).filter(|line| !line.is_empty()).map(<[NumericMove]>::to_vec).collect()
    }

    /// The reply that the player promised to the opponent's last move, while it is due.
    pub fn promised(&self) -> Option<NumericMove> {
        let last = self.moves.last().filter(|_| self.is_my_turn())?.numeric;
        let line = self.conditionals.iter().find(|line| line.first() == Some(&last))?;
        line.get(1).copied()
    }

    /// What is left of the lines that stand, once the player has made this move: his next ply, our reply, ...
    pub fn lines_behind(&self, reply: NumericMove) -> Vec<Vec<NumericMove>> {
        let last = self.moves.last().map(|record| record.numeric);
        let kept = self.conditionals.iter().filter_map(|line| match line.as_slice() {
            [his, ours, rest @ ..] if Some(*his) == last && *ours == reply && rest.len() > 1 => Some(rest.to_vec()),
            _ => None,
        });
        kept.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{MoveRecord, Stated};

    fn line(text: &str) -> Vec<NumericMove> {
        text.split(' ').map(|ply| ply.parse().unwrap()).collect()
    }

    fn lines(texts: &[&str]) -> Vec<Vec<NumericMove>> {
        texts.iter().map(|text| line(text)).collect()
    }

    #[test]
    fn a_line_stands_as_long_as_he_plays_into_it() {
        let mut game = sample_game();
        game.moves.truncate(12);
        game.conditionals = lines(&["5171 2836 4445 3635", "5172 2847"]);
        assert_eq!(game.lines_after(&line("5171")), lines(&["5171 2836 4445 3635"]));
        assert_eq!(game.lines_after(&line("5171 2836 4445")), lines(&["4445 3635"]));
        assert!(game.lines_after(&line("4445")).is_empty());
        assert!(game.lines_after(&line("5172 2847")).is_empty(), "no reply is promised behind it");
    }

    #[test]
    fn a_promise_is_due_to_the_move_it_was_made_for_and_its_rest_stands_behind_it() {
        let mut game = sample_game();
        game.moves.truncate(13);
        let last = game.moves.last().unwrap().numeric;
        game.conditionals = lines(&[&format!("{last} 2836 4445 3635")]);
        assert_eq!(game.promised(), Some("2836".parse().unwrap()));
        assert_eq!(game.lines_behind("2836".parse().unwrap()), lines(&["4445 3635"]));
        assert!(game.lines_behind("2847".parse().unwrap()).is_empty());
        game.moves.push(MoveRecord::claimed("2836".parse().unwrap(), Stated::default()));
        assert_eq!(game.promised(), None, "it is his turn");
    }
}
