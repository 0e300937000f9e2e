//! Read and decide: what one mail means, for `amici read` and for the intake alike. Writes nothing.

use chrono::{DateTime, Utc};

use super::clues::Clues;
use super::cut_at_moves::cut_at_moves;
use super::evidence::{Asked, Letters, Mail, too_long};
use super::sections::{Cut, Section};
use super::several::{by_moves, candidates, gives_nothing, in_sections, which_game};
use super::which::{About, Thread, hints, may_concern, which};
pub use super::who::Trust;
use super::who::{Origin, is_opponent, of_marked, remarks};
use crate::config::{Me, Senders};
use crate::domain::judge::{Reason, Verdict};
use crate::io::store::Hints;
use crate::mail::authentication::Finding;
use crate::mail::headers::header_of;
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
    /// What vouches for the sender, if he is an opponent.
    pub vouching: Option<Finding>,
}

/// A mail as far as it can be read.
#[derive(Debug)]
pub struct Opened {
    /// The mail, or its header where no more of it could be read.
    message: Option<IncomingMessage>,
    /// Why its text counts as unread, if so.
    unreadable: Option<Reason>,
    /// What is known of the player's own letters.
    letters: Letters,
}

impl Opened {
    /// The mail, or its header where no more of it could be read.
    pub fn message(&self) -> Option<&IncomingMessage> {
        self.message.as_ref()
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// [`MessageError::NotAMail`] when they are no mail at all; every other trouble becomes a verdict.
    pub fn of(raw: &[u8]) -> Result<Opened, MessageError> {
        Opened::after(parse(raw), raw)
    }

    /// The same of bytes that were parsed already.
    pub(super) fn after(parsed: Result<IncomingMessage, MessageError>, raw: &[u8]) -> Result<Opened, MessageError> {
        match parsed {
            Ok(message) => {
                Ok(Opened { unreadable: too_long(&message), message: Some(message), letters: Letters::default() })
            }
            Err(error @ MessageError::NotAMail) => Err(error),
            Err(error) => {
                let unreadable = Some(Reason::Unreadable(error.to_string()));
                Ok(Opened { message: parse(header_of(raw)).ok(), unreadable, letters: Letters::default() })
            }
        }
    }

    /// The same beside these letters of the player's.
    pub fn beside(self, letters: Letters) -> Opened {
        Opened { letters, ..self }
    }

    /// What leads to every game that [`Opened::concerns`].
    pub fn hints(&self, me: &Me) -> Hints {
        self.message.as_ref().map(|message| hints(message, &Clues::of(message), me)).unwrap_or_default()
    }

    /// Whether the mail can be about a game, or is from its opponent: without the games for which it is false
    /// [`decide_opened`] comes to the same. Asks for no move.
    pub fn concerns<'o>(&'o self, me: &'o Me) -> impl Fn(&Thread) -> bool + 'o {
        let read = self.message.as_ref().map(|message| (message, Clues::of(message)));
        move |thread| read.as_ref().is_some_and(|(message, clues)| may_concern(message, clues, me, thread))
    }
}

/// What this mail means; `at` is when our server took it.
///
/// # Errors
/// Those of [`Opened::of`].
pub fn decide<'a>(
    raw: &[u8],
    me: &Me,
    trust: &Trust<'_>,
    threads: &'a [Thread],
    at: DateTime<Utc>,
) -> Result<Decision<'a>, MessageError> {
    Opened::of(raw).map(|opened| decide_opened(opened, me, trust, threads, at))
}

/// The same of a mail that was read already.
pub fn decide_opened<'a>(
    opened: Opened,
    me: &Me,
    trust: &Trust<'_>,
    threads: &'a [Thread],
    at: DateTime<Utc>,
) -> Decision<'a> {
    let Opened { message, unreadable, letters } = opened;
    let Some(message) = message else {
        let verdict = Verdict::held(unreadable.unwrap_or(Reason::NoMove));
        return Decision { message: None, judgements: vec![Judgement { thread: None, verdict }], vouching: None };
    };
    let origin = Origin::of(&message, me, trust, threads);
    let letters = letters.unproven(origin.as_ref().is_some_and(Origin::is_unproven));
    let judgements = judgements(Mail::beside(&message, at, &letters), unreadable, me, trust.senders, threads);
    let judgements = judgements.into_iter().map(|judgement| weighed(judgement, &message, origin.as_ref())).collect();
    let vouching = origin.and_then(|origin| origin.vouching().cloned());
    Decision { message: Some(message), judgements, vouching }
}

/// What the words of a mail mean for each game that it is about, whoever wrote them; `unreadable` says why they are not read.
pub(crate) fn judgements<'a>(
    mail: Mail<'_>,
    unreadable: Option<Reason>,
    me: &Me,
    senders: &Senders,
    threads: &'a [Thread],
) -> Vec<Judgement<'a>> {
    let message = mail.message;
    let clues = Clues::of(message);
    let about = which(message, &clues, me, senders, threads);
    let running = threads.iter().filter(|thread| thread.game.result.is_none() && is_of_sender(message, thread));
    let running: Vec<&Thread> = running.collect();
    let held = |thread, reason: &Reason| (thread, Verdict::held(reason.clone()));
    let verdicts: Vec<(&'a Thread, Verdict)> = match (about, unreadable) {
        (About::Nothing(thread, verdict), _) => return vec![Judgement { thread, verdict }],
        (About::Game(thread, others), Some(reason)) => {
            let rest = others.into_iter().map(|other| held(other, &Reason::WhichGame));
            std::iter::once(held(thread, &reason)).chain(rest).collect()
        }
        (About::Game(thread, others), None) => {
            let named: Vec<&Thread> = std::iter::once(thread).chain(others.iter().copied()).collect();
            match parted(mail, &running, &named) {
                Some(cut) => in_sections(mail, &cut, &running),
                None => among(mail, thread, others),
            }
        }
        (About::Several(threads), None) => {
            threads.into_iter().map(|thread| held(thread, &Reason::SeveralGames)).collect()
        }
        (About::Several(threads) | About::Open(threads), Some(reason)) => {
            threads.into_iter().map(|thread| held(thread, &reason)).collect()
        }
        (About::Open(threads), None) => match parted(mail, &running, &threads) {
            Some(cut) => in_sections(mail, &cut, &running),
            None => by_moves(mail, &threads, &running),
        },
        (About::Sections(cut), Some(reason)) => {
            cut.sections.iter().map(|section| held(section.thread, &reason)).collect()
        }
        (About::Sections(cut), None) => in_sections(mail, &cut, &running),
    };
    let judgement = |(thread, verdict): (&'a Thread, Verdict)| {
        let verdict = match clues.against(thread, &running) {
            Some(named) => of_another(named, verdict),
            None => verdict,
        };
        Judgement { thread: Some(thread), verdict }
    };
    verdicts.into_iter().map(judgement).collect()
}

/// The judgement with what its sender makes of it: the marks on his mail, his policy, and what is mentioned.
fn weighed<'a>(judgement: Judgement<'a>, message: &IncomingMessage, origin: Option<&Origin<'_>>) -> Judgement<'a> {
    let Judgement { thread: Some(thread), mut verdict } = judgement else {
        return judgement;
    };
    if let Verdict::Accepted(accepted) = &mut verdict {
        accepted.discrepancies.extend(remarks(message, thread));
    }
    if let Some(mark) = message.automatic {
        verdict = of_marked(mark, verdict);
    }
    if let Some(origin) = origin {
        verdict = origin.allowed(thread, verdict);
    }
    Judgement { thread: Some(thread), verdict }
}

/// The verdict of a mail that names another game: nothing of it counts here, and the player is asked.
fn of_another(named: String, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Repeat(_) | Verdict::NotAMove(_) | Verdict::WrongSender(_) => verdict,
        _ if gives_nothing(&verdict) => verdict,
        _ => Verdict::Held { reason: Reason::AnotherGame { named }, candidates: candidates(verdict) },
    }
}

fn is_of_sender(message: &IncomingMessage, thread: &Thread) -> bool {
    message.from.as_ref().is_ok_and(|sender| is_opponent(thread, &sender.address))
}

/// The mail cut at the moves of several games, if it can be about all of these.
fn parted<'a>(mail: Mail<'_>, running: &[&'a Thread], named: &[&Thread]) -> Option<Cut<'a>> {
    let is_named = |section: &Section<'_>| named.iter().any(|named| named.game.id == section.thread.game.id);
    cut_at_moves(mail, running).filter(|cut| cut.sections.iter().all(is_named))
}

/// The verdict for the game that a weak clue points to, unless the mail gives a move for one of his other games as well.
fn among<'a>(mail: Mail<'_>, thread: &'a Thread, others: Vec<&'a Thread>) -> Vec<(&'a Thread, Verdict)> {
    let judged = |thread: &'a Thread| (thread, mail.judged(thread, Asked::default()));
    let which = |(thread, verdict): (&'a Thread, Verdict)| (thread, which_game(verdict));
    let pointed = judged(thread);
    let others: Vec<_> = others.into_iter().map(judged).collect();
    let fits_another = others.iter().any(|(_, verdict)| matches!(verdict, Verdict::Accepted(_)));
    let all = || std::iter::once(&pointed).chain(&others);
    match pointed.1 {
        Verdict::Accepted(_) | Verdict::Repeat(_) if !fits_another => vec![pointed],
        _ if all().all(|(_, verdict)| gives_nothing(verdict)) => vec![pointed],
        Verdict::Accepted(_) | Verdict::Repeat(_) | Verdict::Resignation(_) | Verdict::DrawAccepted(_)
            if !others.is_empty() =>
        {
            std::iter::once(pointed).chain(others).map(which).collect()
        }
        _ => std::iter::once(pointed).chain(others.into_iter().map(which)).collect(),
    }
}
