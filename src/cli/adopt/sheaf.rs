//! The mails of one opponent, and the games of the whole scores in them.

use super::game::Desk;
use super::mails::{Mail, Place};
use crate::domain::adopt::{Score, Sheet, event_of, games, longest, side_by_names};
use crate::domain::game::Player;
use crate::domain::notation::Language;

/// The mails of one opponent, the newest first, with the games of the scores in them.
pub(super) struct Sheaf<'m> {
    pub(super) mails: &'m [Mail],
    pub(super) leads: Vec<Lead>,
    /// Why mails have no whole score.
    pub(super) reasons: Vec<String>,
    /// The places of mails whose score does not hold.
    pub(super) broken: Vec<usize>,
    /// The places of mails that show how a game ended.
    pub(super) over: Vec<usize>,
    /// A mail has numbered moves of a game that goes on.
    pub(super) has_moves: bool,
}

/// A game as its longest score has it.
pub(super) struct Lead {
    /// The place of its mail in the sheaf.
    pub(super) index: usize,
    pub(super) place: Place,
    pub(super) score: Score,
    pub(super) event: String,
    /// The places of all mails with a whole score of it.
    pub(super) members: Vec<usize>,
    /// Two of these scores at least are of different lengths: the game went on from mail to mail.
    pub(super) grew: bool,
    /// What its event says otherwise.
    pub(super) told: Vec<String>,
}

/// The mails of each opponent, the newest first.
pub(super) fn by_opponent(mails: Vec<Mail>) -> Vec<Vec<Mail>> {
    let mut groups: Vec<Vec<Mail>> = Vec::new();
    for mail in mails {
        match groups.iter_mut().find(|group| group.first().is_some_and(|other| other.opponent == mail.opponent)) {
            Some(group) => group.push(mail),
            None => groups.push(vec![mail]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|mail| std::cmp::Reverse(mail.written()));
    }
    groups
}

impl<'m> Sheaf<'m> {
    pub(super) fn of(mails: &'m [Mail], desk: &Desk<'_>) -> Sheaf<'m> {
        let (me, languages) = (desk.config.me.player(), Language::agreed(&desk.args.notations));
        let (mut scores, mut reasons, mut broken, mut over) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut has_moves = false;
        for (index, mail) in mails.iter().enumerate() {
            if desk.searched.is_some() && !mail.may_have_moves() {
                continue;
            }
            match mail.score(desk.args.start, &languages) {
                Ok((place, score)) => scores.push((index, place, score)),
                Err(none) => {
                    reasons.push(format!("{}: {}", mail.name, none.why));
                    broken.extend(none.is_broken.then_some(index));
                    over.extend(none.is_over.then_some(index));
                    has_moves |= none.has_moves && !none.is_over;
                }
            }
        }
        let opponent = |mail: &Mail| Player {
            name: mail.opponent_name.clone().unwrap_or_default(),
            emails: vec![mail.opponent.to_string()],
        };
        let subject = |index: usize| mails.get(index).map_or("", |mail| mail.message.subject.as_str());
        let events: Vec<_> = scores.iter().map(|(index, _, score)| event_of(score, subject(*index))).collect();
        let sheets: Vec<Sheet<'_>> = scores
            .iter()
            .zip(&events)
            .map(|((index, _, score), event)| {
                let side = mails.get(*index).and_then(|mail| side_by_names(score, &me, &opponent(mail)));
                Sheet { score, event: event.as_deref(), side }
            })
            .collect();
        let chosen: Vec<(usize, Vec<usize>)> = games(&sheets)
            .into_iter()
            .filter_map(|game| {
                let longest = longest(game.iter().filter_map(|at| Some((*at, scores.get(*at).map(|(_, _, s)| s)?))))?;
                Some((longest, game))
            })
            .collect();
        let mut leads = Vec::new();
        for (longest, game) in chosen {
            let place_of = |at: &usize| scores.get(*at).map(|(index, _, _)| *index);
            let members = game.iter().filter_map(place_of).collect();
            // whichever of them names the event
            let named = |at: usize| events.get(at).cloned().flatten();
            let event = named(longest).or_else(|| game.iter().find_map(|at| named(*at))).unwrap_or_default();
            let Some((index, place, score)) = scores.get(longest).cloned() else { continue };
            let length = |at: &usize| scores.get(*at).map(|(_, _, score)| score.plies.len());
            let grew = game.iter().any(|at| length(at) != Some(score.plies.len()));
            leads.push(Lead { index, place, score, event, members, grew, told: Vec::new() });
        }
        Sheaf { mails, leads, reasons, broken, over, has_moves }
    }

    /// The opponent's name as one of his mails shows it.
    pub(super) fn name(&self) -> Option<String> {
        self.mails.iter().find_map(|mail| mail.opponent_name.clone())
    }
}
