//! Whole scores of one opponent's mails, told apart by game: the newest first, and with each the older ones of the same game.
//!
//! Event, side and start position tell games apart; where they are not stated, the moves do. An old score may have a slip in it, or lack
//! moves at its end, and is of the game all the same; two games that began alike are not.

use super::Score;
use crate::domain::game::{Side, is_same_event};
use crate::domain::start_letter::event_code;

/// A score differs from another of its game in no more than one of so many moves.
const SLIPS: usize = 4;
/// So many moves a newer score may lack that the older has: one that crossed it, or was sent once more.
const BEHIND: usize = 2;

/// A whole score with what tells its game from others.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'a> {
    /// The score.
    pub score: &'a Score,
    /// The event, as the score or the subject of its mail names it.
    pub event: Option<&'a str>,
    /// The player's side, where names or addresses tell it.
    pub side: Option<Side>,
}

/// The games of these scores, which are the newest first: each game is a list of their places, the newest first.
pub fn games(sheets: &[Sheet<'_>]) -> Vec<Vec<usize>> {
    let mut games: Vec<Vec<usize>> = Vec::new();
    for (place, sheet) in sheets.iter().enumerate() {
        let of_game = |game: &&mut Vec<usize>| {
            let all = game.iter().filter_map(|newer| sheets.get(*newer));
            all.clone().all(|newer| !are_apart(newer, sheet)) && game_of(all, sheet)
        };
        match games.iter_mut().find(of_game) {
            Some(game) => game.push(place),
            None => games.push(vec![place]),
        }
    }
    games
}

/// Whether what they state is of two games.
fn are_apart(one: &Sheet<'_>, other: &Sheet<'_>) -> bool {
    let sides = one.side.zip(other.side).is_some_and(|(one, other)| one != other);
    let events = one.event.zip(other.event).is_some_and(|(one, other)| !is_same_event(one, other));
    sides || events || one.score.head.fen != other.score.head.fen
}

/// Whether an older score is of the game of one of these.
fn game_of<'a>(mut newer: impl Iterator<Item = &'a Sheet<'a>>, older: &Sheet<'_>) -> bool {
    newer.any(|newer| {
        let same = |one: Option<&str>, other: Option<&str>| one.is_some() && other.is_some();
        let is_stated = same(newer.event, older.event) && newer.side.is_some() && older.side.is_some();
        let (new, old) = (&newer.score.plies, &older.score.plies);
        let both = new.iter().zip(old);
        let apart = both.clone().filter(|(new, old)| new.numeric != old.numeric).count();
        is_stated || (new.len() + BEHIND >= old.len() && apart * SLIPS <= both.count() && apart <= 1)
    })
}

/// The longest of these scores; of those as long as it the first.
pub fn longest<'a>(scores: impl Iterator<Item = (usize, &'a Score)>) -> Option<usize> {
    let longer = |best: Option<(usize, usize)>, (place, score): (usize, &Score)| match best {
        Some((_, length)) if length >= score.plies.len() => best,
        Some(_) | None => Some((place, score.plies.len())),
    };
    scores.fold(None, longer).map(|(place, _)| place)
}

/// The event of a score, as it or the subject of its mail names it.
pub fn event_of(score: &Score, subject: &str) -> Option<String> {
    score.head.event.clone().or_else(|| event_code(subject))
}

#[cfg(test)]
mod tests {
    use super::super::{Dates, score};
    use super::*;
    use crate::domain::transmission::read::Line;

    fn read(text: &str) -> Score {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        score(&lines, Dates::default(), &[]).unwrap()
    }

    fn told(texts: &[(&str, Option<&str>, Option<Side>)]) -> Vec<Vec<usize>> {
        let scores: Vec<Score> = texts.iter().map(|(text, _, _)| read(text)).collect();
        let both = scores.iter().zip(texts);
        let sheets: Vec<Sheet<'_>> =
            both.map(|(score, (_, event, side))| Sheet { score, event: *event, side: *side }).collect();
        games(&sheets)
    }

    const SPANISH: &str = "1. 5254 5755\n2. 7163 2836\n3. 6125 1716\n4. 2514 7866\n5. 5171";

    #[test]
    fn scores_that_continue_one_another_are_of_one_game() {
        let shorter = "1. 5254 5755\n2. 7163 2836";
        assert_eq!(told(&[(SPANISH, None, None), (shorter, None, None)]), [vec![0, 1]]);
        let crossed = "1. 5254 5755\n2. 7163 2836\n3. 6125 1716\n4. 2514";
        assert_eq!(told(&[(crossed, None, None), (SPANISH, None, None)]), [vec![0, 1]]);
    }

    #[test]
    fn games_that_began_alike_are_two() {
        let other = "1. 5254 5755\n2. 7163 7866";
        assert_eq!(told(&[(other, None, None), (SPANISH, None, None)]), [vec![0], vec![1]]);
        assert_eq!(told(&[("1. 5254 5755", None, None), (SPANISH, None, None)]), [vec![0], vec![1]]);
        let (white, black) = (Some(Side::White), Some(Side::Black));
        assert_eq!(told(&[(SPANISH, Some("E-1"), white), ("1. 5254", Some("E-1"), black)]), [vec![0], vec![1]]);
        assert_eq!(told(&[(SPANISH, Some("E-1"), None), ("1. 5254", Some("E-2"), None)]), [vec![0], vec![1]]);
    }

    #[test]
    fn a_slip_in_an_old_score_does_not_make_it_another_game() {
        let slipped = "1. 5254 5755\n2. 7163 2836\n3. 6125 1715";
        assert_eq!(told(&[(SPANISH, None, None), (slipped, None, None)]), [vec![0, 1]]);
        let (side, event) = (Some(Side::White), Some("E-1"));
        assert_eq!(told(&[(SPANISH, event, side), ("1. 4244 4745", Some(" e-1"), side)]), [vec![0, 1]]);
    }

    #[test]
    fn the_longest_score_is_the_newest_of_those_as_long() {
        let scores = [read("1. 5254 5755"), read(SPANISH), read(SPANISH)];
        assert_eq!(longest(scores.iter().enumerate()), Some(1));
        assert_eq!(longest([].iter().enumerate()), None);
    }
}
