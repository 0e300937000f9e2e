//! Which game a mail is about, and whether its sender may touch it.
//!
//! In this order: one sender with one address, no automatic mail, an opponent's registered address, then the thread, the
//! names in subject and text, and the one game that is left. Reply-To, Cc and To decide nothing.

use chrono::Days;

use crate::config::Me;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Verdict};
use crate::mail::address::Address;
use crate::mail::message::IncomingMessage;
use crate::mail::sender::Sender;

/// A game with the constant id that heads its thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// The game.
    pub game: Game,
    /// The root of its `References`, with angle brackets.
    pub root_message_id: String,
}

/// What a mail is about.
#[derive(Debug)]
pub(super) enum About<'a> {
    /// One game, and its opponent wrote.
    Game(&'a Thread),
    /// Several games of this opponent: none is touched.
    Several(Vec<&'a Thread>, Reason),
    /// No game may be touched; with the game that it names, if it names one.
    Nothing(Option<&'a Thread>, Verdict),
}

pub(super) fn which<'a>(message: &IncomingMessage, me: &Me, threads: &'a [Thread]) -> About<'a> {
    let sender = match &message.from {
        Ok(sender) => sender,
        Err(trouble) => {
            let named = threads.iter().find(|t| is_named(message, t));
            let reason = Reason::NoSender(trouble.to_string());
            let verdict = if named.is_some() {
                Verdict::WrongSender(reason)
            } else {
                Verdict::NotAMove(reason)
            };
            return About::Nothing(named, verdict);
        }
    };
    if me.emails.contains(&sender.address) {
        return About::Nothing(None, Verdict::NotAMove(Reason::OwnCopy));
    }
    if let Some(automatic) = &message.automatic {
        return About::Nothing(
            None,
            Verdict::NotAMove(Reason::Automatic(automatic.to_string())),
        );
    }
    let his: Vec<&Thread> = threads
        .iter()
        .filter(|t| is_opponent(t, &sender.address))
        .collect();
    let named: Vec<&Thread> = his
        .iter()
        .copied()
        .filter(|t| is_named(message, t))
        .collect();
    let running: Vec<&Thread> = his
        .iter()
        .copied()
        .filter(|t| t.game.result.is_none())
        .collect();
    let foreign = threads
        .iter()
        .find(|t| !is_opponent(t, &sender.address) && names_by_id(message, t));
    match (named.as_slice(), running.as_slice(), foreign) {
        ([_, _, ..], ..) => About::Several(named, Reason::SeveralGames),
        (_, _, Some(foreign)) => About::Nothing(Some(foreign), wrong_sender(foreign, sender)),
        ([only], ..) | ([], [only], None) => About::Game(only),
        ([], [_, _, ..], None) => About::Several(running, Reason::WhichGame),
        ([], [], None) => match (
            his.first(),
            threads
                .iter()
                .find(|t| is_named(message, t) || is_namesake(t, sender)),
        ) {
            (Some(finished), _) => About::Game(finished),
            (None, Some(named)) => About::Nothing(Some(named), wrong_sender(named, sender)),
            (None, None) => About::Nothing(
                None,
                Verdict::NotAMove(Reason::Stranger(sender.address.to_string())),
            ),
        },
    }
}

fn wrong_sender(thread: &Thread, sender: &Sender) -> Verdict {
    Verdict::WrongSender(Reason::NotTheOpponent {
        from: sender.address.to_string(),
        opponent: thread.game.opponent().name.clone(),
        game: thread.game.id.to_string(),
    })
}

fn is_opponent(thread: &Thread, address: &Address) -> bool {
    thread
        .game
        .opponent()
        .emails
        .iter()
        .any(|e| e.parse::<Address>().is_ok_and(|e| e == *address))
}

/// A mail that shows an opponent's name above another address.
fn is_namesake(thread: &Thread, sender: &Sender) -> bool {
    let name = |text: &str| {
        let mut words: Vec<String> = deunicode::deunicode(text)
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned)
            .collect();
        words.retain(|w| !w.is_empty());
        words.sort();
        words
    };
    let shown = sender.name.as_deref().map(name).unwrap_or_default();
    thread.game.result.is_none() && !shown.is_empty() && shown == name(&thread.game.opponent().name)
}

/// The mail answers a message of this game, or names it in its subject or text.
fn is_named(message: &IncomingMessage, thread: &Thread) -> bool {
    let ids = || message.references.iter().chain(&message.in_reply_to);
    let ours = |id: &str| {
        id == thread.root_message_id
            || Some(id) == thread.game.last_message_id.as_deref()
            || is_plan(thread, id)
    };
    ids().any(|id| ours(&id.to_string())) || names_by_id(message, thread)
}

fn is_plan(thread: &Thread, id: &str) -> bool {
    thread
        .game
        .plan
        .as_ref()
        .is_some_and(|p| p.message_id == id)
}

/// The id or the event of the game stands in the subject or the text, as a word of its own.
fn names_by_id(message: &IncomingMessage, thread: &Thread) -> bool {
    let texts = [
        Some(message.subject.as_str()),
        message.plain.as_deref(),
        message.html.as_deref(),
    ];
    let names = [thread.game.id.as_str(), thread.game.event.as_str()];
    let named = |name: &str| {
        name.len() >= 4 && texts.iter().flatten().any(|text| contains_word(text, name))
    };
    thread.game.result.is_none() && names.into_iter().any(named)
}

fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|t| t.chars().next());
        !is_part(before) && !is_part(after)
    })
}

/// The local day of the Date header, unless the header cannot be true: it lies after our server took the mail, or long before.
pub(super) fn header_day(
    message: &IncomingMessage,
    at: chrono::DateTime<chrono::Utc>,
) -> Option<chrono::NaiveDate> {
    let date = message.date?;
    let earliest = at.checked_sub_days(Days::new(30))?;
    let latest = at.checked_add_days(Days::new(1))?;
    (date >= earliest && date <= latest).then(|| date.date_naive())
}

#[cfg(test)]
mod tests {
    use super::contains_word;

    #[test]
    fn a_name_counts_as_a_word_of_its_own_only() {
        assert!(contains_word("Re: EM/03/101, move 7", "EM/03/101"));
        assert!(!contains_word("Re: EM/03/1012", "EM/03/101"));
        assert!(!contains_word("XEM/03/101", "EM/03/101"));
        assert!(contains_word("EM/03/101", "EM/03/101"));
    }
}
