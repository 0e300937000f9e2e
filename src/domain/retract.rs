//! A game put back to how it stood before something was recorded by mistake.

use super::game::Game;

impl Game {
    /// This game with its moves, its result, and what stands offered and chosen as they stood in `before`, an earlier state of it. What was
    /// settled since stays, unless nothing but settlements lies between: then they are what is taken back. All else stays: leave, notes on
    /// moves that stand, names, rules.
    pub fn back_to(&self, before: &Game) -> Game {
        let mut back = self.clone();
        let settled_alone = self.moves.len() == before.moves.len() && self.result == before.result;
        back.moves.truncate(before.moves.len());
        if settled_alone {
            for (row, before) in back.moves.iter_mut().zip(&before.moves) {
                row.agreed = before.agreed;
            }
            return back;
        }
        let last = back.due_ply();
        back.clock_notes.retain(|note| note.ply <= last);
        back.illegal.retain(|illegal| illegal.ply <= last);
        Game {
            plan: before.plan.clone(),
            draw_offer: before.draw_offer,
            conditionals: before.conditionals.clone(),
            result: before.result,
            last_message_id: before.last_message_id.clone(),
            ..back
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Agreed, ClockNote, GameResult};

    #[test]
    fn moves_and_result_go_back_and_what_was_entered_beside_them_stays() {
        let before = sample_game();
        let mut now = before.clone();
        now.moves.push(*before.moves.first().unwrap());
        now.clock_notes.push(ClockNote::reminder(before.due_ply(), "2026-03-01".parse().unwrap()));
        now.clock_notes.push(ClockNote::reminder(now.due_ply(), "2026-03-02".parse().unwrap()));
        now.result = Some(GameResult::Draw);
        now.event = "another name".to_owned();
        let back = now.back_to(&before);
        assert_eq!((back.moves.len(), back.result), (before.moves.len(), before.result));
        assert_eq!((back.event.as_str(), back.clock_notes.len()), ("another name", before.clock_notes.len() + 1));
    }

    #[test]
    fn settlements_go_back_where_nothing_else_was_done() {
        let before = sample_game();
        let mut now = before.clone();
        now.moves.first_mut().unwrap().agreed = Agreed { days: Some(9), ..Agreed::default() };
        assert_eq!(now.back_to(&before), before);
        let mut later = now.clone();
        later.moves.push(*before.moves.first().unwrap());
        assert_eq!(later.back_to(&now), now, "a move goes back, a settlement before it stays");
    }
}
