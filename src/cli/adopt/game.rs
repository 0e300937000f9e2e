//! The games of all mails: each opponent's by itself, what one event has in common put into all of its games.

use chrono::{DateTime, Utc};

use super::super::confirm::Asked;
use super::draft::{Draft, Unmade, place};
use super::letters::StartLetter;
use super::mails::Mail;
use super::sheaf::{Lead, Sheaf};
use super::{Args, Exit, Failure, Ready};
use crate::config::Config;
use crate::domain::adopt::unify;
use crate::domain::clock::rules::Wanted;
use crate::domain::game::{Game, GameId};

/// What games are made beside the mails.
pub(super) struct Desk<'a> {
    pub(super) config: &'a Config,
    pub(super) args: &'a Args,
    pub(super) rules: Wanted,
    /// Names in use.
    pub(super) names: Vec<GameId>,
    /// Games that run.
    pub(super) running: Vec<Game>,
    /// Games that are over, without their moves.
    pub(super) over: Vec<Game>,
    pub(super) letters: &'a [StartLetter],
    /// Nobody named the mails: they were searched for, and the newest came then.
    pub(super) searched: Option<DateTime<Utc>>,
    pub(super) asked: Asked,
}

/// What came of the mails.
#[derive(Default)]
pub(super) struct Found {
    pub(super) ready: Vec<Ready>,
    /// Games that stand already.
    pub(super) known: Vec<GameId>,
    /// Whose mails make no game, and why not.
    pub(super) troubles: Vec<Trouble>,
}

/// Mails that make no game.
pub(super) struct Trouble {
    /// Of or to whom they are.
    pub(super) opponent: String,
    pub(super) why: Failure,
    pub(super) kind: Kind,
}

/// How much a trouble matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The mails may be of a game that runs.
    Open,
    /// The game exists already.
    Known,
    /// The game is over, or has slept for long.
    Over,
    /// A score in the mailbox that is nobody's game, as far as can be told.
    Stray,
}

/// The games of these mails.
///
/// # Errors
/// What is said for one game stands beside mails of several.
pub(super) fn all(groups: &[Vec<Mail>], desk: &Desk<'_>) -> Result<Found, Failure> {
    let args = desk.args;
    let one_only = args.id.is_some() || args.me.is_some() || args.opponent_name.is_some();
    let refused = |what: String| {
        let why = format!("the mails are of {what}; --id, --me and --opponent-name are for one game");
        Err(Failure::new(Exit::Failed, why))
    };
    if one_only && groups.len() > 1 {
        return refused(format!("{} opponents", groups.len()));
    }
    let mut sheaves: Vec<Sheaf<'_>> = groups.iter().map(|mails| Sheaf::of(mails, desk)).collect();
    let count: usize = sheaves.iter().map(|sheaf| sheaf.leads.len()).sum();
    if one_only && count > 1 {
        return refused(format!("{count} games"));
    }
    let facts: Vec<_> = desk.letters.iter().filter_map(StartLetter::facts).collect();
    let mut leads: Vec<&mut Lead> = sheaves.iter_mut().flat_map(|sheaf| &mut sheaf.leads).collect();
    let mut heads: Vec<_> = leads.iter_mut().map(|lead| (lead.event.clone(), &mut lead.score.head)).collect();
    let told = unify(&mut heads, &facts);
    for (place, words) in told {
        if let Some(lead) = leads.get_mut(place) {
            lead.told.push(words);
        }
    }
    let mut found = Found::default();
    for sheaf in &sheaves {
        sheaf.make(desk, &mut found);
    }
    Ok(found)
}

impl<'m> Sheaf<'m> {
    /// Makes the games, and adds what comes of them.
    fn make(&self, desk: &Desk<'_>, found: &mut Found) {
        let Some(newest) = self.mails.first() else { return };
        let opponent = newest.opponent.to_string();
        let trouble = |why, kind| Trouble { opponent: opponent.clone(), why, kind };
        if self.leads.is_empty() {
            // what was searched for and has no moves is nobody's business
            if desk.searched.is_none() || self.has_moves {
                found.troubles.push(trouble(Failure::new(Exit::Failed, self.reasons.join("\n")), Kind::Open));
            }
            return;
        }
        let mut drafts = Vec::new();
        let mut names: Vec<GameId> = desk.names.clone();
        names.extend(found.ready.iter().map(|ready| ready.game.id.clone()));
        for lead in &self.leads {
            match Draft::begin(self, lead, desk, &names) {
                Ok(draft) => {
                    names.push(draft.game.id.clone());
                    drafts.push(draft);
                }
                Err(why) => {
                    let is_stray = desk.searched.is_some() && !lead.grew;
                    found.troubles.push(trouble(why, if is_stray { Kind::Stray } else { Kind::Open }));
                }
            }
        }
        for (index, mail) in self.mails.iter().enumerate().rev() {
            if self.leads.iter().all(|lead| lead.index != index) {
                if self.over.contains(&index) {
                    drafts.iter_mut().for_each(|draft| draft.end(mail));
                    continue;
                }
                let must_agree = self.broken.contains(&index);
                place(index, (mail, must_agree), &mut drafts, desk);
            }
        }
        for draft in drafts {
            let running = desk.running.iter().chain(found.ready.iter().map(|ready| &ready.game));
            match draft.finish(desk, running) {
                Ok(ready) => found.ready.push(ready),
                Err(Unmade { why, kind, known }) => {
                    found.troubles.push(trouble(why, kind));
                    found.known.extend(known);
                }
            }
        }
    }
}
