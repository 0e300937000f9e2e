//! The acts by game and by mail: they are walked through once, not for each ply and each game that is checked.

use std::collections::HashMap;

use crate::domain::game::{Game, GameId};
use crate::io::store::{Act, Performed};

/// All acts, in order.
pub(super) struct Acts {
    all: Vec<Performed>,
    of_game: HashMap<GameId, Vec<Place>>,
    of_mail: HashMap<String, Reading>,
}

/// Where an act stands that says something of a game; of an import, which of its games it is.
#[derive(Clone, Copy)]
struct Place {
    act: usize,
    game: Option<usize>,
}

/// Where a mail was taken in, and where it was read last.
#[derive(Clone, Copy)]
struct Reading {
    taken: Option<usize>,
    last: usize,
}

/// What an act says of one game.
#[derive(Clone, Copy)]
pub(super) enum Said<'a> {
    /// It was put in like this.
    Import(&'a Game),
    /// Something else.
    Act(&'a Act),
}

impl Acts {
    pub(super) fn new(all: Vec<Performed>) -> Acts {
        let mut of_game: HashMap<GameId, Vec<Place>> = HashMap::new();
        let mut of_mail: HashMap<String, Reading> = HashMap::new();
        for (act, done) in all.iter().enumerate() {
            if let Act::Import { games, .. } = &done.act {
                for (index, (game, _)) in games.iter().enumerate() {
                    of_game.entry(game.id.clone()).or_default().push(Place { act, game: Some(index) });
                }
            }
            for game in games_of(&done.act) {
                let places = of_game.entry(game.clone()).or_default();
                if places.last().is_none_or(|last| last.act != act) {
                    places.push(Place { act, game: None });
                }
            }
            let (sha256, taken) = match &done.act {
                Act::Mail(of) | Act::SentMail(of) => (&of.sha256, Some(act)),
                Act::ReadAgain { about } => (&about.mail, None),
                _ => continue,
            };
            let reading = of_mail.entry(sha256.clone()).or_insert(Reading { taken, last: act });
            reading.taken = reading.taken.or(taken);
            reading.last = act;
        }
        Acts { all, of_game, of_mail }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Act> {
        self.all.iter().map(|done| &done.act)
    }

    /// What was said of a game, oldest first.
    pub(super) fn of(&self, game: &GameId) -> impl DoubleEndedIterator<Item = Said<'_>> {
        self.placed(game).map(|(_, said)| said)
    }

    /// The same, of what was said before a mail with this SHA-256 was taken in; all of it where that is not on record, or none is meant.
    pub(super) fn before(&self, game: &GameId, sha256: Option<&str>) -> impl DoubleEndedIterator<Item = Said<'_>> {
        let taken = sha256.and_then(|sha256| self.of_mail.get(sha256)?.taken);
        self.placed(game).filter(move |(act, _)| taken.is_none_or(|taken| *act < taken)).map(|(_, said)| said)
    }

    /// The same, of what was said after a mail was read last; nothing where that is not on record.
    pub(super) fn since(&self, game: &GameId, sha256: &str) -> impl DoubleEndedIterator<Item = Said<'_>> {
        let read = self.of_mail.get(sha256).map(|reading| reading.last);
        self.placed(game).filter(move |(act, _)| read.is_some_and(|read| *act > read)).map(|(_, said)| said)
    }

    fn placed(&self, game: &GameId) -> impl DoubleEndedIterator<Item = (usize, Said<'_>)> {
        let places = self.of_game.get(game).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| {
            let act = &self.all.get(place.act)?.act;
            let said = match (act, place.game) {
                (Act::Import { games, .. }, Some(index)) => Said::Import(&games.get(index)?.0),
                _ => Said::Act(act),
            };
            Some((place.act, said))
        })
    }
}

/// The games of which an act says what a check asks for, beside those that an import puts in.
fn games_of(act: &Act) -> Vec<&GameId> {
    match act {
        Act::Plan { game, .. }
        | Act::Undo { game, .. }
        | Act::Restate { game, .. }
        | Act::Release { game, .. }
        | Act::Close { game, .. }
        | Act::Reopen { game, .. }
        | Act::SettleClock { game, .. }
        | Act::SetRules { game, .. }
        | Act::RemoveClockNote { game, .. }
        | Act::Illegal { game, .. } => vec![game],
        Act::Sent { sent, .. } => vec![&sent.game],
        Act::Settle { read: Some(read), .. } => vec![&read.game],
        Act::Care { leaves, notes, .. } => {
            leaves.iter().map(|(game, _)| game).chain(notes.iter().map(|(game, _)| game)).collect()
        }
        Act::RemoveLeave { leaves, .. } => leaves.iter().map(|(game, _)| game).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::rules::RulesetChoice;
    use crate::domain::game::{GameResult, Player, Side};
    use crate::io::store::MailRef;

    fn acts() -> Acts {
        let player = |name: &str| Player { name: name.to_owned(), emails: Vec::new() };
        let rules = RulesetChoice::Name("friendly".to_owned());
        let game = |id: &str| {
            let id = id.parse().unwrap();
            (Game::between(id, String::new(), Side::White, player("A"), player("B"), rules.clone()), String::new())
        };
        let closed = |id: &str| Act::Close {
            game: id.parse().unwrap(),
            result: GameResult::Draw,
            report: None,
            draw_offer: None,
        };
        let mail = |sha256: &str| {
            Act::Mail(MailRef { sha256: sha256.to_owned(), server_date: None, arrival: None, verified: None })
        };
        let all = [
            Act::Import { games: vec![game("EM-1"), game("EM-2")], replace: false },
            closed("EM-1"),
            mail("aa"),
            closed("EM-2"),
            closed("EM-1"),
            mail("bb"),
        ];
        let at = "2026-03-01T12:00:00Z".parse().unwrap();
        Acts::new(all.into_iter().zip(1..).map(|(act, id)| Performed { id, at, act }).collect())
    }

    #[test]
    fn a_game_has_its_own_acts_alone_before_and_since_a_mail() {
        let acts = acts();
        let (one, two): (GameId, GameId) = ("EM-1".parse().unwrap(), "EM-2".parse().unwrap());
        assert_eq!((acts.of(&one).count(), acts.of(&two).count()), (3, 2));
        assert!(matches!(acts.of(&two).next(), Some(Said::Import(game)) if game.id == two));
        for (sha256, before, since) in [("aa", 2, 1), ("bb", 3, 0), ("cc", 3, 0)] {
            assert_eq!(acts.before(&one, Some(sha256)).count(), before, "{sha256}");
            assert_eq!(acts.since(&one, sha256).count(), since, "{sha256}");
        }
        assert_eq!(acts.before(&one, None).count(), 3);
    }
}
