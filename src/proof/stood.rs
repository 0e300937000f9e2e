//! The games as they stood before a mail, from the record and the acts.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::entered::{Entered, Otherwise};
use crate::domain::game::{Game, GameId, GameResult, MoveRecord, Plan, Side};
use crate::domain::notation::NumericMove;
use crate::intake::settings::Settings;
use crate::io::store::{Act, MailOfGame, NewMove, Origin, Performed, Settled, Store, StoreError, StoredGame};

/// The checked games and the others with their opponents, where their plies come from, and all acts.
pub(super) struct Desk {
    /// The player's own, the configured one first.
    pub(super) zones: Vec<Tz>,
    games: Vec<StoredGame>,
    origins: BTreeMap<String, Vec<Origin>>,
    acts: Vec<Performed>,
}

impl Desk {
    pub(super) async fn load(store: &mut Store, zone: Tz, checked: &[StoredGame]) -> Result<Desk, StoreError> {
        let with_them = |outline: &StoredGame| {
            let is_with =
                |one: &StoredGame| one.game.id == outline.game.id || has_same_opponent(&one.game, &outline.game);
            checked.iter().any(is_with)
        };
        let (games, acts) = (store.games_where(with_them).await?, store.acts().await?);
        let mut origins = BTreeMap::new();
        for game in &games {
            origins.insert(game.game.id.to_string(), store.origins(&game.game.id).await?);
        }
        let settings = acts.iter().filter_map(|done| match &done.act {
            Act::Settings(value) => Settings::read(value),
            _ => None,
        });
        let zones = std::iter::once(zone).chain(settings.map(|settings| settings.me.timezone)).collect();
        Ok(Desk { zones, games, origins, acts })
    }

    pub(super) fn origins(&self, game: &GameId) -> &[Origin] {
        self.origins.get(game.as_str()).map(Vec::as_slice).unwrap_or_default()
    }

    /// The newest act that says something, of those before a mail or of all.
    fn newest<T>(&self, before: Option<&MailOfGame>, says: impl Fn(&Act) -> Option<T>) -> Option<T> {
        let is_mail = |done: &&Performed| match (&done.act, before) {
            (Act::Mail(mail) | Act::SentMail(mail), Some(before)) => mail.sha256 != before.sha256,
            _ => true,
        };
        self.acts.iter().take_while(is_mail).filter_map(|done| says(&done.act)).last()
    }

    /// What the player entered at this ply, or imported.
    pub(super) fn said(&self, game: &GameId, index: usize) -> Option<MoveRecord> {
        self.newest(None, |act| match act {
            Act::Import { games, .. } => {
                games.iter().find(|(imported, _)| imported.id == *game)?.0.moves.get(index).copied()
            }
            Act::Sent { sent, .. } if sent.game == *game => ply_of(sent, index),
            _ => None,
        })
    }

    /// What stands otherwise than the player entered it beside the moves.
    pub(super) fn otherwise(&self, game: &Game) -> Vec<Otherwise> {
        Entered::of(&self.acts, &game.id).map(|entered| entered.otherwise(game)).unwrap_or_default()
    }

    /// The move that the player entered from this mail.
    pub(super) fn settled(&self, game: &GameId, mail: &MailOfGame) -> Option<&NewMove> {
        self.acts.iter().rev().find_map(|done| match &done.act {
            Act::Settle { about, read: Some(read), .. } if about.mail == mail.sha256 && read.game == *game => {
                Some(read)
            }
            _ => None,
        })
    }

    /// The planned move that a mail proves to have been sent, if its first ply is the player's own.
    pub(super) fn plan(&self, game: &Game, mail: &MailOfGame, first: usize) -> Option<Plan> {
        let row = game.moves.get(first).filter(|_| game.number_of(first).side == game.me)?;
        // a held mail is read after plans that were made when it had come
        let before = self.settled(&game.id, mail).is_none().then_some(mail);
        let planned = self.newest(before, |act| match act {
            Act::Plan { game: of, expected_plies, plan, .. } | Act::Release { game: of, expected_plies, plan, .. }
                if *of == game.id && *expected_plies == first =>
            {
                Some(plan.clone())
            }
            Act::Restate { game: of, expected_plies, plan, .. } if *of == game.id && *expected_plies == first => {
                Some(plan.as_ref().clone())
            }
            _ => None,
        });
        // without an act: what the record has of it
        let message_id = game.seen_message_ids.first().cloned().unwrap_or_default();
        let recorded = Plan {
            numeric: row.numeric,
            stated: row.claimed,
            draw_offer: false,
            message_id,
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        };
        Some(planned.unwrap_or(recorded))
    }

    /// The games with this opponent as they stood before the mail that gave the ply `first` of this one; `proven` are its plies.
    pub(super) fn stood(
        &self,
        game: &Game,
        proven: &[MoveRecord],
        mail: &MailOfGame,
        first: usize,
        plan: Option<Plan>,
    ) -> Vec<StoredGame> {
        // games with others cannot be meant: the mail was taken for one of this opponent
        let with_him = self.games.iter().filter(|thread| has_same_opponent(game, &thread.game));
        let mut games: Vec<StoredGame> = with_him.cloned().collect();
        for thread in &mut games {
            let is_this = thread.game.id == game.id;
            let was_there = |origin: &&Origin| {
                origin.recorded_at <= mail.decided_at && origin.mail.is_none_or(|giver| giver < mail.mail)
            };
            let there = self.origins(&thread.game.id).iter().take_while(was_there).count();
            let then = &mut thread.game;
            let thread_result = then.result;
            if is_this {
                then.moves = proven.to_vec();
            }
            self.rewind(then, mail);
            then.moves.truncate(if is_this { first } else { there });
            then.draw_offer = self.offered(then, mail);
            then.conditionals = self.conditionals(then, mail);
            then.plan = if is_this { plan.clone() } else { None };
            then.result = if is_this { None } else { self.closed(thread_result, &then.id, mail) };
            if let Some(own) =
                mail.message_id.as_ref().and_then(|id| then.seen_message_ids.iter().position(|i| i == id))
            {
                then.seen_message_ids.truncate(own);
            }
            then.last_message_id = then.seen_message_ids.last().cloned().or(then.last_message_id.take());
        }
        games
    }

    /// Takes back what was entered about the clocks after a mail was read: leave, notes, values of the rules, and what was settled.
    fn rewind(&self, then: &mut Game, mail: &MailOfGame) {
        let is_reading = |done: &Performed| match &done.act {
            Act::Mail(of) | Act::SentMail(of) => of.sha256 == mail.sha256,
            Act::ReadAgain { about } => about.mail == mail.sha256,
            _ => false,
        };
        let Some(read) = self.acts.iter().rposition(is_reading) else { return };
        for done in self.acts.iter().skip(read + 1).rev() {
            match &done.act {
                Act::SettleClock { game, settled, .. } if *game == then.id => {
                    for Settled { ply, before, .. } in settled {
                        let index = usize::try_from(*ply).ok().and_then(|ply| ply.checked_sub(1));
                        if let Some(row) = index.and_then(|index| then.moves.get_mut(index)) {
                            row.agreed = *before;
                        }
                    }
                }
                Act::SetRules { game, before, .. } if *game == then.id => then.rules = before.clone(),
                Act::Illegal { game, ply, before, .. } if *game == then.id => {
                    then.illegal.retain(|illegal| illegal.ply != *ply);
                    then.illegal.extend(*before);
                }
                Act::Care { leaves, notes, .. } => {
                    then.leaves.retain(|leave| !leaves.iter().any(|(of, entered)| *of == then.id && entered == leave));
                    then.clock_notes
                        .retain(|note| !notes.iter().any(|(of, entered)| *of == then.id && entered == note));
                }
                Act::RemoveLeave { leaves, .. } => {
                    then.leaves.extend(leaves.iter().filter(|(of, _)| *of == then.id).map(|(_, leave)| *leave));
                }
                Act::RemoveClockNote { game, note, .. } if *game == then.id => then.clock_notes.push(*note),
                _ => {}
            }
        }
    }

    /// The result that a game had when a mail came; `now` is the one it has.
    fn closed(&self, now: Option<GameResult>, game: &GameId, mail: &MailOfGame) -> Option<GameResult> {
        let closing = |act: &Act| match act {
            Act::Close { game: closed, result, .. } if closed == game => Some(Some(*result)),
            Act::Reopen { game: reopened, .. } if reopened == game => Some(None),
            _ => None,
        };
        match self.newest(None, closing) {
            Some(_) => self.newest(Some(mail), closing).flatten(),
            None => now,
        }
    }

    /// Whether it is on record when the mail was taken in among the other acts.
    pub(super) fn has_act(&self, mail: &MailOfGame) -> bool {
        self.acts.iter().any(|done| matches!(&done.act, Act::Mail(of) | Act::SentMail(of) if of.sha256 == mail.sha256))
    }

    /// Whether the player ever entered leave for a game, a note on its clock, or settled dates, days or rules.
    pub(super) fn clock_was_set(&self, game: &GameId) -> bool {
        self.acts.iter().any(|done| match &done.act {
            Act::Care { leaves, notes, .. } => {
                leaves.iter().any(|(of, _)| of == game) || notes.iter().any(|(of, _)| of == game)
            }
            Act::RemoveLeave { leaves, .. } => leaves.iter().any(|(of, _)| of == game),
            Act::SettleClock { game: of, .. }
            | Act::SetRules { game: of, .. }
            | Act::RemoveClockNote { game: of, .. }
            | Act::Illegal { game: of, .. } => of == game,
            _ => false,
        })
    }

    /// Whose offer of a draw stood when the game had just these plies.
    fn offered(&self, then: &Game, mail: &MailOfGame) -> Option<Side> {
        let plies = then.moves.len();
        self.newest(Some(mail), |act| match act {
            Act::Sent { sent, .. } if sent.game == then.id && end_of(sent) == plies => Some(sent.draw_offer),
            Act::Import { games, .. } => {
                let game = &games.iter().find(|(game, _)| game.id == then.id && game.moves.len() == plies)?.0;
                Some(game.draw_offer)
            }
            _ => None,
        })
        .flatten()
    }

    /// The lines that the player had offered when the game had just these plies.
    fn conditionals(&self, then: &Game, mail: &MailOfGame) -> Vec<Vec<NumericMove>> {
        let plies = then.moves.len();
        let offered = self.newest(Some(mail), |act| match act {
            Act::Sent { sent, .. } if sent.game == then.id && end_of(sent) == plies => Some(sent.conditionals.clone()),
            Act::Import { games, .. } => {
                let game = &games.iter().find(|(game, _)| game.id == then.id && game.moves.len() == plies)?.0;
                Some(game.conditionals.clone())
            }
            _ => None,
        });
        offered.unwrap_or_default()
    }
}

/// An address of the one's opponent is one of the other's.
fn has_same_opponent(game: &Game, other: &Game) -> bool {
    let is_his = |email: &String| game.opponent().emails.iter().any(|his| his.eq_ignore_ascii_case(email));
    other.opponent().emails.iter().any(is_his)
}

/// How many plies there were behind it.
fn end_of(new: &NewMove) -> usize {
    new.expected_plies + usize::from(new.confirm_plan.is_some()) + new.before.len() + 1
}

fn ply_of(new: &NewMove, index: usize) -> Option<MoveRecord> {
    let first = new.expected_plies + usize::from(new.confirm_plan.is_some());
    new.before.iter().chain([&new.record]).nth(index.checked_sub(first)?).copied()
}
