//! A game by its changes: how it and the others with the same opponent stood before each act, and which act gave each ply.

use std::collections::HashMap;

use chrono_tz::Tz;

use crate::domain::game::{Game, GameId};
use crate::intake::settings::Settings;
use crate::io::store::{Act, History, MailOfGame, Origin, Performed, Store, StoreError, StoredGame};

/// All acts, and the game that is checked.
pub(super) struct Record {
    /// The player's own, the configured one first.
    pub(super) zones: Vec<Tz>,
    /// In the order of their keys.
    acts: Vec<Performed>,
    histories: HashMap<GameId, History>,
    checked: Option<GameId>,
    /// The checked game and the others with its opponent.
    games: Vec<StoredGame>,
    origins: Vec<Origin>,
    givers: Vec<i64>,
    sum: Option<Game>,
}

impl Record {
    pub(super) async fn load(store: &mut Store, zone: Tz) -> Result<Record, StoreError> {
        let acts = store.acts().await?;
        let settings = acts.iter().filter_map(|done| match &done.act {
            Act::Settings(value) => Settings::read(value),
            _ => None,
        });
        let zones = std::iter::once(zone).chain(settings.map(|settings| settings.me.timezone)).collect();
        Ok(Record {
            zones,
            acts,
            histories: HashMap::new(),
            checked: None,
            games: Vec::new(),
            origins: Vec::new(),
            givers: Vec::new(),
            sum: None,
        })
    }

    /// Turns to a game.
    pub(super) async fn read(&mut self, store: &mut Store, game: &StoredGame) -> Result<(), StoreError> {
        let is_with =
            |outline: &StoredGame| outline.game.id == game.game.id || has_same_opponent(&outline.game, &game.game);
        self.games = store.games_where(is_with).await?;
        for one in &self.games {
            if !self.histories.contains_key(&one.game.id) {
                self.histories.insert(one.game.id.clone(), store.history(&one.game.id).await?);
            }
        }
        self.origins = store.origins(&game.game.id).await?;
        let history = self.histories.get(&game.game.id);
        self.givers = history.map(History::acts_of_plies).transpose()?.unwrap_or_default();
        self.sum = history.map(History::now).transpose()?.flatten();
        self.checked = Some(game.game.id.clone());
        Ok(())
    }

    /// Where each ply that stands on record comes from.
    pub(super) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The game as its changes give it; `None` where it has none.
    pub(super) fn now(&self) -> Option<&Game> {
        self.sum.as_ref()
    }

    /// The act by which a ply, counted from 0, went on record.
    pub(super) fn giver(&self, index: usize) -> Option<i64> {
        self.givers.get(index).copied()
    }

    pub(super) fn act(&self, key: i64) -> Option<&Act> {
        let index = self.acts.binary_search_by_key(&key, |done| done.id).ok()?;
        self.acts.get(index).map(|done| &done.act)
    }

    /// The mail that an act took in or settled.
    pub(super) fn mail_of<'a>(&self, act: i64, mut mails: impl Iterator<Item = &'a MailOfGame>) -> Option<i64> {
        let sha256 = match self.act(act)? {
            Act::Mail(mail) | Act::SentMail(mail) => &mail.sha256,
            Act::ReadAgain { about } | Act::Settle { about, .. } => &about.mail,
            _ => return None,
        };
        mails.find(|mail| mail.sha256 == *sha256).map(|mail| mail.mail)
    }

    /// The checked game and the others with its opponent as they stood when an act read a mail.
    pub(super) fn before(&self, act: i64, mail: &MailOfGame) -> Result<Vec<StoredGame>, StoreError> {
        let mut games = Vec::with_capacity(self.games.len());
        for now in &self.games {
            let history = self.histories.get(&now.game.id);
            let Some(mut then) = history.map(|history| history.before(act)).transpose()?.flatten() else { continue };
            then.illegal_mails =
                now.game.illegal_mails.iter().filter(|illegal| illegal.mail < mail.mail).copied().collect();
            // a mail that is read once more was known already
            if let Some(own) = then.seen_message_ids.iter().position(|id| Some(id) == mail.message_id.as_ref()) {
                then.seen_message_ids.truncate(own);
                then.last_message_id = then.seen_message_ids.last().cloned().or(then.last_message_id.take());
            }
            games.push(StoredGame { game: then, root_message_id: now.root_message_id.clone() });
        }
        Ok(games)
    }

    /// What another program wrote into the checked game, as RFC 6902 patches.
    pub(super) fn outside(&self) -> impl Iterator<Item = &str> {
        let history = self.checked.as_ref().and_then(|id| self.histories.get(id));
        history.into_iter().flat_map(History::outside)
    }

    /// Whether the player set dates, days or rules of the checked game by hand.
    pub(super) fn clock_was_set(&self) -> bool {
        let history = self.checked.as_ref().and_then(|id| self.histories.get(id));
        history.into_iter().flat_map(History::acts).filter_map(|act| self.act(act)).any(|act| {
            matches!(
                act,
                Act::Care { .. }
                    | Act::RemoveLeave { .. }
                    | Act::SettleClock { .. }
                    | Act::SetRules { .. }
                    | Act::RemoveClockNote { .. }
                    | Act::Illegal { .. }
            )
        })
    }
}

fn has_same_opponent(game: &Game, other: &Game) -> bool {
    let is_his = |email: &String| game.opponent().emails.iter().any(|his| his.eq_ignore_ascii_case(email));
    other.opponent().emails.iter().any(is_his)
}
