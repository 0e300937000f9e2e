//! A mail of the player's that went to the wrong person: the game that it names, and the move that is due there. Nobody else can save it, so he
//! is told at once.

use std::collections::BTreeSet;

use super::decide::{Finding, OwnMail, What};
use crate::domain::judge::Verdict;
use crate::intake::clues::{Clues, Rank};
use crate::intake::is_opponent;
use crate::intake::which::{Thread, words};
use crate::io::store::{Hints, surname};
use crate::mail::address::Address;
use crate::mail::message::IncomingMessage;

/// Which games a mail names: by their ids, or by the opponents' names, as in the pairing above a score.
pub(super) struct Named<'m> {
    clues: Clues<'m>,
    words: BTreeSet<String>,
}

impl<'m> Named<'m> {
    pub(super) fn of(message: &'m IncomingMessage) -> Self {
        let texts = [Some(message.subject.as_str()), message.plain.as_deref(), message.html.as_deref()];
        Named { clues: Clues::of(message), words: texts.into_iter().flatten().flat_map(words).collect() }
    }

    /// Adds what leads to every game that it names.
    pub(super) fn hint(&self, hints: &mut Hints) {
        self.clues.hint(hints);
        hints.surnames(self.words.iter().map(String::as_str));
    }

    /// Whether it names this game.
    pub(super) fn has(&self, thread: &Thread) -> bool {
        self.clues.speaks_for(thread, Rank::Id) || self.has_opponent(thread)
    }

    fn has_opponent(&self, thread: &Thread) -> bool {
        let surname = surname(&thread.game.opponent().name);
        !surname.is_empty() && surname.iter().all(|word| self.words.contains(word))
    }
}

impl OwnMail<'_> {
    /// What the mail means where it went to one opponent, names the game of another alone, and gives the move that is due there.
    pub(super) fn to_another<'a>(
        &self,
        reached: &[&Thread],
        threads: &'a [Thread],
        to: &[&Address],
    ) -> Vec<Finding<'a>> {
        let named = Named::of(self.message);
        if reached.is_empty() || reached.iter().any(|thread| self.is_linked(thread) || named.has(thread)) {
            return Vec::new();
        }
        let went_to = |thread: &&Thread| to.iter().any(|address| is_opponent(thread, address));
        let others = threads.iter().filter(|thread| !went_to(thread) && named.has(thread));
        others.filter_map(|thread| self.misdirected(thread, to)).collect()
    }

    /// The mail of a game that went to somebody else.
    pub(super) fn misdirected<'a>(&self, thread: &'a Thread, strangers: &[&Address]) -> Option<Finding<'a>> {
        let to = strangers.first()?;
        let due = thread.game.moves.len();
        let given = match self.read(thread, &self.mirrored(thread), None).verdict {
            Verdict::Accepted(accepted) => Some(accepted.numeric),
            _ => None,
        };
        let numeric = given.filter(|_| thread.game.is_my_turn())?;
        let reason = format!(
            "your mail with {} {numeric} went to {to}, who is not {}; it does not count as sent",
            thread.game.due(),
            thread.game.opponent().name
        );
        Some(Finding { thread, ply: due + 1, what: What::Review { reason, numeric: Some(numeric) }, numbered: true })
    }
}
