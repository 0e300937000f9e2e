//! One of the player's own mails, read for one game: by its whole text, else by what is left where a doubt is no real one.
//!
//! Pure. The truth is what he sent: prose around a table, a quoted draft, and words in place of digits are no reason to ask him, unless the
//! prose speaks of the very move of the table.
//! Which of several games he means, his thread and the names tell ([`OwnMail::meant`]).

use super::decide::OwnMail;
use crate::domain::judge::{Reason, Verdict};
use crate::domain::notation::{NumericMove, language};
use crate::intake::clues::{Clues, Rank};
use crate::intake::own::{judged, judged_by, judged_in, own_words, speaks_of, table_only, unquoted};
use crate::intake::which::Thread;

/// Words that tell of another game than the one whose thread the mail is of, in lower case and without accents.
const OF_ANOTHER: [&str; 15] = [
    "altra", "andere", "anderen", "anderer", "another", "autre", "beide", "beiden", "both", "other", "otra", "outra",
    "second", "zweite", "zweiten",
];

/// What the mail means for a game.
pub(super) struct Read {
    pub(super) verdict: Verdict,
    /// By a notation that the game has not agreed on.
    pub(super) unagreed: bool,
}

impl OwnMail<'_> {
    /// The verdict by the whole text; where only the prose around the table speaks against it, by the table; where the mail
    /// answers the program's own draft and adds nothing, by the lines of it that are quoted; and where it names one legal move in
    /// words that were not agreed on, by these.
    pub(super) fn read(&self, thread: &Thread, seen: &Thread, verdict: Option<Verdict>) -> Read {
        let whole = verdict.unwrap_or_else(|| judged(self.message, seen, self.at));
        let other = match &whole {
            Verdict::Held { reason: Reason::NotAgreed { .. }, candidates } => {
                let verdict = match candidates.as_slice() {
                    [only] => self.in_words(seen, *only),
                    _ => None,
                };
                let unagreed = verdict.is_some();
                return Read { verdict: verdict.unwrap_or(whole), unagreed };
            }
            Verdict::Held { reason, .. } if is_of_prose(reason) => table_only(self.message, seen, self.at),
            Verdict::Held { reason: Reason::NoMove | Reason::InQuote { .. }, .. }
                if self.is_draft_of(thread, seen.game.moves.len() + 1) =>
            {
                unquoted(self.message, thread)
            }
            _ => None,
        };
        let verdict = match other.map(|lines| (judged_by(self.message, seen, self.at, &lines), lines)) {
            // prose that speaks of the very move of the table may take it back: `not 1716 but 7866`
            Some((Verdict::Accepted(accepted), table)) if !speaks_of(self.message, &table, accepted.numeric) => {
                Verdict::Accepted(accepted)
            }
            _ => whole,
        };
        Read { verdict, unagreed: false }
    }

    /// The mail read as if the game had agreed on the notation in which it names this move.
    fn in_words(&self, seen: &Thread, only: NumericMove) -> Option<Verdict> {
        language::ALL.iter().find_map(|language| {
            let verdict = judged_in(self.message, seen, self.at, *language);
            matches!(&verdict, Verdict::Accepted(accepted) if accepted.numeric == only).then_some(verdict)
        })
    }

    /// Which of several games the mail is meant for: the one of its thread, else the one that it names, if the mail can be for it
    /// and does not speak of another.
    pub(super) fn meant<'a>(&self, reached: &[&'a Thread]) -> Option<&'a Thread> {
        let running: Vec<&Thread> = reached.iter().copied().filter(|thread| thread.game.result.is_none()).collect();
        if running.len() < 2 || own_words(self.message).iter().any(|word| OF_ANOTHER.contains(&word.as_str())) {
            return None;
        }
        let among = |clue: &dyn Fn(&Thread) -> bool| -> Vec<&'a Thread> {
            running.iter().copied().filter(|thread| clue(thread)).collect()
        };
        let clues = Clues::of(self.message);
        let threaded = among(&|thread| self.is_linked(thread) || clues.speaks_for(thread, Rank::Answer));
        let by_id = among(&|thread| clues.speaks_for(thread, Rank::Id));
        let named = if by_id.is_empty() { among(&|thread| clues.speaks_for(thread, Rank::Event)) } else { by_id };
        let is_named = |thread: &Thread| named.iter().any(|named| named.game.id == thread.game.id);
        let meant = match (threaded.as_slice(), named.as_slice()) {
            ([one], []) => one,
            ([one], _) if is_named(one) => one,
            ([], [one]) => one,
            ([_, _, ..], [one]) if threaded.iter().any(|thread| thread.game.id == one.game.id) => one,
            _ => return None,
        };
        let read = self.read(meant, &self.mirrored(meant), None).verdict;
        let is_given = matches!(read, Verdict::Accepted(_) | Verdict::Resignation(_) | Verdict::DrawAccepted(_));
        is_given.then_some(*meant)
    }
}

/// A doubt that comes of prose beside the moves: what is considered, quoted from a book, asked about, or said of an earlier mail. Another
/// move that he states in it is none.
fn is_of_prose(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::AnotherNumber { .. }
            | Reason::Doubtful(_)
            | Reason::InSentence { .. }
            | Reason::ConditionUnclear { .. }
            | Reason::OfferNotPlayable { .. }
    )
}

/// A doubt about words that give no move.
pub(super) fn is_small_talk(reason: &Reason) -> bool {
    matches!(reason, Reason::NoMove | Reason::Announces(_) | Reason::Doubtful(_) | Reason::Said { .. })
}
