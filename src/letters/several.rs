//! The one notice of a mail that may be about several games of its sender, instead of one for each of them.
//!
//! No board stands in it: which game is meant the player sees in the mail itself, and `amici review` shows what it would mean in each.

use chrono::{DateTime, Utc};

use super::digest::mail;
use super::incoming::Incoming;
use super::wrap::fill;
use super::writes::he_also_writes;
use super::{Letter, LetterError};
use crate::config::Me;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Verdict};
use crate::say;

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
    let language = me.language;
    let from = incoming.from.map_or_else(|| say!(language, "an unknown sender"), ToString::to_string);
    let day = me.local_words(incoming.at);
    let mut body = he_also_writes(&incoming, language).plain();
    for text in [
        say!(language, "A mail from {from} of {day} was not taken as a move.", from, day),
        say!(language, "Why: {why}.", why = verdict.reason_in(language)),
        say!(
            language,
            "It may be about any of these {games} games; nothing was recorded in any of them:",
            games = of.len()
        ),
    ] {
        body.push_str(&format!("{}\n\n", fill(&text, "", "")));
    }
    for (game, verdict) in of {
        let means = match verdict {
            Verdict::Held { candidates, .. } if !candidates.is_empty() => {
                let candidates: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                let moves = candidates.join(&format!(" {} ", say!(language, "or")));
                format!("; {}", say!(language, "it may mean {moves}", moves))
            }
            _ => String::new(),
        };
        let due = say!(language, "{number} is due", number = game.with_plan_recorded().due());
        let line = format!("{}  {due}{means}", game.id);
        body.push_str(&format!("{}\n", fill(&line, "  ", "      ")));
    }
    let help = say!(language, "To see the lines in question, to settle them, or to ask him:");
    body.push_str(&format!("\n{help}\n    amici review\n"));
    let sha256 = hex::encode(incoming.sha256);
    let subject =
        format!("[amici] {}", say!(language, "a mail needs your look: one of {games} games", games = of.len()));
    mail(&subject, body, &format!("several/{sha256}"), me, now).map(Some)
}
