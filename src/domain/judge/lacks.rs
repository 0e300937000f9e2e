//! A mail whose sender is not believed, and what it lacks to be believed.

use chrono::NaiveDate;

use crate::languages::Language;
use crate::say;

/// What a mail lacks to be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A check says that the sender did not write it.
    Refused,
    /// The pass that the player asks of every mail of this sender.
    Always {
        /// The domain that has to vouch for him.
        domain: String,
    },
    /// That nobody can have changed it on its way, or sent an older mail of his again.
    Whole {
        /// What is open in it.
        open: String,
    },
    /// The pass with which his mails came before.
    AsBefore {
        /// The domain that vouched for him.
        domain: String,
        /// How many of his mails came with it.
        mails: u32,
        /// The day of the last of them.
        last: NaiveDate,
    },
}

/// A mail whose sender is not believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProven {
    /// Who it says it is from.
    pub from: String,
    /// What it lacks.
    pub missing: Missing,
    /// What was found in this one.
    pub found: String,
    /// The game.
    pub game: String,
}

impl NotProven {
    /// In words of this language.
    pub(super) fn in_words(&self, language: Language) -> String {
        let NotProven { from, missing, found, game } = self;
        let lacks = match missing {
            Missing::Refused => say!(language, "{found}: this may be a forgery and not from {from}", found, from),
            Missing::Always { domain } => say!(
                language,
                "{from} is believed only with a DKIM or DMARC pass for {domain}, but {found}",
                from,
                domain,
                found
            ),
            Missing::Whole { open } => say!(
                language,
                "{from} is believed only with a whole mail to you, but {open}: somebody else may have sent an older mail of his again",
                from,
                open
            ),
            Missing::AsBefore { domain, mails, last } => say!(
                language,
                "mails of {from} came with a pass for {domain} ({mails} so far, the last on {last}), but of this one {found}",
                from,
                domain,
                mails,
                last,
                found
            ),
        };
        let accept = say!(language, "if it is his, `amici accept {game} MOVE` records the move you read in it", game);
        format!("{lacks}; {accept}")
    }
}
