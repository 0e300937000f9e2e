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
    /// The mail, or its header where no more of it could be read.
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
    let (message, unreadable) = match parse(raw) {
        Ok(message) => (message, None),
        Err(error @ MessageError::NotAMail) => return Err(error),
        Err(error) => {
            let reason = Reason::Unreadable(error.to_string());
            match parse(header_of(raw)) {
                Ok(header) => (header, Some(reason)),
                Err(_) => {
                    let verdict = Verdict::held(reason);
                    return Ok(Decision { message: None, judgements: vec![Judgement { thread: None, verdict }] });
                }
            }
        }
    };
    let judgements = match which(&message, me, threads) {
        About::Game(thread, others) => {
            let verdict = match unreadable {
                Some(reason) => Verdict::held(reason),
                None => judge(&thread.game, &evidence(&message, thread, at, seen)),
            };
            let clear = matches!(verdict, Verdict::Accepted(_) | Verdict::Repeat(_));
            let doubtful = others.into_iter().filter(|_| !clear);
            let rest =
                doubtful.map(|thread| Judgement { thread: Some(thread), verdict: Verdict::held(Reason::WhichGame) });
            std::iter::once(Judgement { thread: Some(thread), verdict }).chain(rest).collect()
        }
        About::Several(threads, reason) => threads
            .into_iter()
            .map(|thread| Judgement {
                thread: Some(thread),
                verdict: Verdict::held(unreadable.clone().unwrap_or(reason.clone())),
            })
            .collect(),
        About::Nothing(thread, verdict) => vec![Judgement { thread, verdict }],
    };
    Ok(Decision { message: Some(message), judgements })
}

/// The header alone, for a mail whose text cannot be read: it still tells who wrote, and mostly about which game.
fn header_of(raw: &[u8]) -> &[u8] {
    let length: usize = raw
        .split_inclusive(|byte| *byte == b'\n')
        .take_while(|line| !matches!(*line, b"\n" | b"\r\n"))
        .map(<[u8]>::len)
        .sum();
    raw.get(..length).unwrap_or(raw)
}
