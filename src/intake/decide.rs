//! Read and decide: what one mail means, for `amici read` and for the intake alike. Writes nothing.

use chrono::{DateTime, Utc};

use super::evidence::evidence;
use super::which::{About, Thread, which};
use crate::config::Me;
use crate::domain::judge::{Reason, Verdict, judge};
use crate::mail::message::{IncomingMessage, MessageError, parse};

/// A verdict, and the game it is about.
#[derive(Debug, Clone)]
pub struct Judgement<'a> {
    /// The game; `None` when the mail names none.
    pub thread: Option<&'a Thread>,
    /// What the mail means for it.
    pub verdict: Verdict,
}

/// What one mail means.
#[derive(Debug)]
pub struct Decision<'a> {
    /// The mail, if it could be read.
    pub message: Option<IncomingMessage>,
    /// One judgement for each game concerned, at least one.
    pub judgements: Vec<Judgement<'a>>,
}

/// What this mail means. `seen` tells that its content was taken in before; `at` is when our server took it.
///
/// # Errors
/// [`MessageError::NotAMail`] when the bytes are no mail at all; every other trouble is a verdict.
pub fn decide<'a>(
    raw: &[u8],
    me: &Me,
    threads: &'a [Thread],
    at: DateTime<Utc>,
    seen: bool,
) -> Result<Decision<'a>, MessageError> {
    let message = match parse(raw) {
        Ok(message) => message,
        Err(error @ MessageError::NotAMail) => return Err(error),
        Err(error) => {
            let verdict = Verdict::held(Reason::Unreadable(error.to_string()));
            return Ok(Decision {
                message: None,
                judgements: vec![Judgement {
                    thread: None,
                    verdict,
                }],
            });
        }
    };
    let judgements = match which(&message, me, threads) {
        About::Game(thread, others) => {
            let verdict = judge(&thread.game, &evidence(&message, thread, at, seen));
            let clear = matches!(verdict, Verdict::Accepted(_) | Verdict::Repeat(_));
            let doubtful = others.into_iter().filter(|_| !clear);
            let rest = doubtful.map(|thread| Judgement {
                thread: Some(thread),
                verdict: Verdict::held(Reason::WhichGame),
            });
            std::iter::once(Judgement {
                thread: Some(thread),
                verdict,
            })
            .chain(rest)
            .collect()
        }
        About::Several(threads, reason) => threads
            .into_iter()
            .map(|thread| Judgement {
                thread: Some(thread),
                verdict: Verdict::held(reason.clone()),
            })
            .collect(),
        About::Nothing(thread, verdict) => vec![Judgement { thread, verdict }],
    };
    Ok(Decision {
        message: Some(message),
        judgements,
    })
}
