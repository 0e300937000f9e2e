//! The one notice of a mail that may be about several games of its sender, instead of one for each of them.
//!
//! No board stands in it: which game is meant the player sees in the mail itself, and `amici review` shows what it would mean in each.

use chrono::{DateTime, Utc};

use super::digest::mail;
use super::wrap::fill;
use super::writes::he_also_writes;
use super::{Incoming, Letter, LetterError};
use crate::config::Me;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Verdict};

/// Whether a verdict says only that the mail does not tell which of several games it is about.
pub fn is_of_several(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Held { reason: Reason::WhichGame | Reason::SeveralGames, .. })
}

/// The notice of such a mail: each game that it may be about with what was decided there. `None` where there is but one.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn notice_of_several(
    of: &[(&Game, &Verdict)],
    incoming: Incoming<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Option<Letter>, LetterError> {
    let [(_, verdict), _, ..] = of else { return Ok(None) };
    let from = incoming.from.map_or("an unknown sender".to_owned(), ToString::to_string);
    let day = me.local(incoming.at);
    let mut body = he_also_writes(&incoming).plain();
    for text in [
        format!("A mail from {from} of {day} was not taken as a move."),
        format!("Why: {}.", verdict.reason()),
        format!("It may be about any of these {} games; nothing was recorded in any of them:", of.len()),
    ] {
        body.push_str(&format!("{}\n\n", fill(&text, "", "")));
    }
    for (game, verdict) in of {
        let means = match verdict {
            Verdict::Held { candidates, .. } if !candidates.is_empty() => {
                let candidates: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                format!("; it may mean {}", candidates.join(" or "))
            }
            _ => String::new(),
        };
        let line = format!("{}  {} is due{means}", game.id, game.with_plan_recorded().due());
        body.push_str(&format!("{}\n", fill(&line, "  ", "      ")));
    }
    body.push_str("\nTo see the lines in question, to settle them, or to ask him:\n    amici review\n");
    let sha256 = hex::encode(incoming.sha256);
    let subject = format!("[amici] a mail needs your look: one of {} games", of.len());
    mail(&subject, body, &format!("several/{sha256}"), me, now).map(Some)
}
