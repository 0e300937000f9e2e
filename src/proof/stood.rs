//! The games as they stood before a mail, from the record and the acts.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::acts::{Acts, Said};
use super::entered::{Entered, NOTHING, Otherwise};
use crate::domain::game::{Game, GameId, GameResult, MoveRecord, Plan, Side};
use crate::domain::notation::NumericMove;
use crate::intake::settings::Settings;
use crate::io::store::{
    Act, MailOfGame, NewMove, Origin, SentMail, SentOutcome, Settled, Store, StoreError, StoredGame,
};

/// The checked games and the others with their opponents, where their plies come from, and all acts.
pub(super) struct Desk {
    /// The player's own, the configured one first.
    pub(super) zones: Vec<Tz>,
    games: Vec<StoredGame>,
    origins: BTreeMap<String, Vec<Origin>>,
    acts: Acts,
}

impl Desk {
    pub(super) async fn load(store: &mut Store, zone: Tz, checked: &[StoredGame]) -> Result<Desk, StoreError> {
        let with_them = |outline: &StoredGame| {
            let is_with =
                |one: &StoredGame| one.game.id == outline.game.id || has_same_opponent(&one.game, &outline.game);
            checked.iter().any(is_with)
        };
        let (games, acts) = (store.games_where(with_them).await?, Acts::new(store.acts().await?));
        let mut origins = BTreeMap::new();
        for game in &games {
            origins.insert(game.game.id.to_string(), store.origins(&game.game.id).await?);
        }
        let settings = acts.all().filter_map(|act| match act {
            Act::Settings(value) => Settings::read(value),
            _ => None,
        });
        let zones = std::iter::once(zone).chain(settings.map(|settings| settings.me.timezone)).collect();
        Ok(Desk { zones, games, origins, acts })
    }

    pub(super) fn origins(&self, game: &GameId) -> &[Origin] {
        self.origins.get(game.as_str()).map(Vec::as_slice).unwrap_or_default()
    }

    /// What the newest act says of a game that says something, of those before a mail or of all.
    fn newest<T>(&self, game: &GameId, before: Option<&MailOfGame>, says: impl Fn(Said<'_>) -> Option<T>) -> Option<T> {
        self.acts.before(game, before.map(|mail| mail.sha256.as_str())).rev().find_map(says)
    }

    /// What the player entered at this ply, or imported.
    pub(super) fn said(&self, game: &GameId, index: usize) -> Option<MoveRecord> {
        self.newest(game, None, |said| match said {
            Said::Import(game) => game.moves.get(index).copied(),
            Said::Act(Act::Sent { sent, .. }) => ply_of(sent, index),
            Said::Act(_) => None,
        })
    }

    /// What stands otherwise than the player entered it beside the moves.
    pub(super) fn otherwise(&self, game: &Game) -> Vec<Otherwise> {
        match Entered::of(self.acts.of(&game.id)) {
            Some(entered) => entered.otherwise(game),
            None => vec![(None, "game".to_owned(), game.id.to_string(), NOTHING.to_owned())],
        }
    }

    /// The move that the player entered from this mail.
    pub(super) fn settled(&self, game: &GameId, mail: &MailOfGame) -> Option<&NewMove> {
        self.acts.of(game).rev().find_map(|said| match said {
            Said::Act(Act::Settle { about, read: Some(read), .. }) if about.mail == mail.sha256 => Some(read),
            _ => None,
        })
    }

    /// The mails that gave a ply, by what was decided about them, of which none is on record; what a later import took away is left out.
    pub(super) fn lost<'a>(
        &self,
        game: &GameId,
        mails: impl Iterator<Item = &'a MailOfGame>,
        sent: &[SentMail],
    ) -> impl Iterator<Item = &'a MailOfGame> {
        let is_given = |outcome| matches!(outcome, SentOutcome::Recorded | SentOutcome::Differs);
        let gave = move |mail: &MailOfGame| match mail.outcome.as_str() {
            "move" => true,
            "own" => sent.iter().any(|sent| sent.mail == mail.mail && is_given(sent.outcome)),
            _ => false,
        };
        let is_there = |mail: &MailOfGame| self.origins(game).iter().any(|origin| origin.mail == Some(mail.mail));
        let was_replaced =
            |mail: &MailOfGame| self.acts.since(game, &mail.sha256).any(|said| matches!(said, Said::Import(_)));
        mails.filter(move |mail| gave(mail) && !is_there(mail) && !was_replaced(mail))
    }

    /// The planned move that a mail proves to have been sent, if its first ply is the player's own.
    pub(super) fn plan(&self, game: &Game, mail: &MailOfGame, first: usize) -> Option<Plan> {
        game.moves.get(first).filter(|_| game.number_of(first).side == game.me)?;
        // a held mail is read after plans that were made when it had come
        let before = self.settled(&game.id, mail).is_none().then_some(mail);
        self.newest(&game.id, before, |said| match said {
            Said::Act(Act::Plan { expected_plies, plan, .. } | Act::Release { expected_plies, plan, .. })
                if *expected_plies == first =>
            {
                Some(plan.clone())
            }
            Said::Act(Act::Restate { expected_plies, plan, .. }) if *expected_plies == first => {
                Some(plan.as_ref().clone())
            }
            _ => None,
        })
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
        for said in self.acts.since(&then.id.clone(), &mail.sha256).rev() {
            let Said::Act(act) = said else { continue };
            match act {
                Act::SettleClock { settled, .. } => {
                    for Settled { ply, before, .. } in settled {
                        let index = usize::try_from(*ply).ok().and_then(|ply| ply.checked_sub(1));
                        if let Some(row) = index.and_then(|index| then.moves.get_mut(index)) {
                            row.agreed = *before;
                        }
                    }
                }
                Act::SetRules { before, .. } => then.rules = before.clone(),
                Act::Illegal { ply, before, .. } => {
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
                Act::RemoveClockNote { note, .. } => then.clock_notes.push(*note),
                _ => {}
            }
        }
    }

    /// The result that a game had when a mail came; `now` is the one it has.
    fn closed(&self, now: Option<GameResult>, game: &GameId, mail: &MailOfGame) -> Option<GameResult> {
        let closing = |said: Said<'_>| match said {
            Said::Act(Act::Close { result, .. }) => Some(Some(*result)),
            Said::Act(Act::Reopen { .. }) => Some(None),
            _ => None,
        };
        match self.newest(game, None, closing) {
            Some(_) => self.newest(game, Some(mail), closing).flatten(),
            None => now,
        }
    }

    /// Whether the player ever entered leave for a game, a note on its clock, or settled dates, days or rules.
    pub(super) fn clock_was_set(&self, game: &GameId) -> bool {
        self.acts.of(game).any(|said| {
            matches!(
                said,
                Said::Act(
                    Act::Care { .. }
                        | Act::RemoveLeave { .. }
                        | Act::SettleClock { .. }
                        | Act::SetRules { .. }
                        | Act::RemoveClockNote { .. }
                        | Act::Illegal { .. }
                )
            )
        })
    }

    /// Whose offer of a draw stood when the game had just these plies.
    fn offered(&self, then: &Game, mail: &MailOfGame) -> Option<Side> {
        let plies = then.moves.len();
        self.newest(&then.id, Some(mail), |said| match said {
            Said::Act(Act::Sent { sent, .. }) if end_of(sent) == plies => Some(sent.draw_offer),
            Said::Import(game) if game.moves.len() == plies => Some(game.draw_offer),
            _ => None,
        })
        .flatten()
    }

    /// The lines that the player had offered when the game had just these plies.
    fn conditionals(&self, then: &Game, mail: &MailOfGame) -> Vec<Vec<NumericMove>> {
        let plies = then.moves.len();
        let offered = self.newest(&then.id, Some(mail), |said| match said {
            Said::Act(Act::Sent { sent, .. }) if end_of(sent) == plies => Some(sent.conditionals.clone()),
            Said::Import(game) if game.moves.len() == plies => Some(game.conditionals.clone()),
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
pub(super) fn end_of(new: &NewMove) -> usize {
    new.expected_plies + usize::from(new.confirm_plan.is_some()) + new.before.len() + 1
}

fn ply_of(new: &NewMove, index: usize) -> Option<MoveRecord> {
    let first = new.expected_plies + usize::from(new.confirm_plan.is_some());
    new.before.iter().chain([&new.record]).nth(index.checked_sub(first)?).copied()
}
