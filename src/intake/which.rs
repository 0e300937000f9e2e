//! Which game a mail is about, and whether its sender may touch it.
//!
//! In this order: one sender with one address, no automatic mail, an opponent's registered address, then the thread, the
//! names in subject and text, and the one game that is left. Reply-To, Cc and To decide nothing.

use chrono::Days;

use crate::config::Me;
use crate::domain::judge::{Reason, Verdict};
use crate::mail::address::Address;
use crate::mail::message::IncomingMessage;
use crate::mail::sender::Sender;

/// A game with the constant id that heads its thread.
pub use crate::io::store::StoredGame as Thread;

/// What a mail is about.
#[derive(Debug)]
pub(super) enum About<'a> {
    /// One game, and its opponent wrote; with his other games that the mail may be about as well, unless it names this one.
    Game(&'a Thread, Vec<&'a Thread>),
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
            let verdict = if named.is_some() { Verdict::WrongSender(reason) } else { Verdict::NotAMove(reason) };
            return About::Nothing(named, verdict);
        }
    };
    if me.emails.contains(&sender.address) {
        return About::Nothing(None, Verdict::NotAMove(Reason::OwnCopy));
    }
    if let Some(automatic) = &message.automatic {
        return About::Nothing(None, Verdict::NotAMove(Reason::Automatic(automatic.to_string())));
    }
    let his: Vec<&Thread> = threads.iter().filter(|t| is_opponent(t, &sender.address)).collect();
    let running: Vec<&Thread> = his.iter().copied().filter(|t| t.game.result.is_none()).collect();
    let of_another = threads.iter().find(|t| !is_opponent(t, &sender.address) && names_id(message, t));
    if let Some(another) = of_another.filter(|t| t.game.result.is_none()) {
        return About::Nothing(Some(another), wrong_sender(another, sender));
    }
    // the event's code is shared by all games of a section: it only tells between games of one opponent
    let clues: [fn(&IncomingMessage, &Thread) -> bool; 3] = [names_id, answers, names_event];
    for (strength, clue) in clues.into_iter().enumerate() {
        let named: Vec<&Thread> = running.iter().copied().filter(|t| clue(message, t)).collect();
        match named.as_slice() {
            [] => {}
            [only] => {
                let id = &only.game.id;
                let others = running.iter().copied().filter(|t| strength > 0 && t.game.id != *id);
                return About::Game(only, others.collect());
            }
            _ if strength == 0 => return About::Several(named, Reason::SeveralGames),
            _ => return About::Several(named, Reason::WhichGame),
        }
    }
    match (running.as_slice(), his.first()) {
        ([only], _) => About::Game(only, Vec::new()),
        ([_, _, ..], _) => About::Several(running, Reason::WhichGame),
        ([], Some(finished)) => About::Game(finished, Vec::new()),
        ([], None) => match threads.iter().find(|t| is_named(message, t) || is_namesake(t, sender)) {
            Some(named) => About::Nothing(Some(named), wrong_sender(named, sender)),
            None => About::Nothing(None, Verdict::NotAMove(Reason::Stranger(sender.address.to_string()))),
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
    thread.game.opponent().emails.iter().any(|e| e.parse::<Address>().is_ok_and(|e| e == *address))
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

/// The mail answers a message of this game, or names the game or its event.
fn is_named(message: &IncomingMessage, thread: &Thread) -> bool {
    thread.game.result.is_none()
        && (answers(message, thread) || names_id(message, thread) || names_event(message, thread))
}

/// The mail answers a message of this game.
fn answers(message: &IncomingMessage, thread: &Thread) -> bool {
    let game = &thread.game;
    let plan = game.plan.as_ref().map(|p| p.message_id.as_str());
    message.references.iter().chain(&message.in_reply_to).map(ToString::to_string).any(|id| {
        id == thread.root_message_id
            || Some(id.as_str()) == game.last_message_id.as_deref()
            || Some(id.as_str()) == plan
    })
}

fn names_id(message: &IncomingMessage, thread: &Thread) -> bool {
    names(message, thread.game.id.as_str())
}

fn names_event(message: &IncomingMessage, thread: &Thread) -> bool {
    names(message, &thread.game.event)
}

/// The name stands in the subject or the text, as a word of its own.
fn names(message: &IncomingMessage, name: &str) -> bool {
    let texts = [Some(message.subject.as_str()), message.plain.as_deref(), message.html.as_deref()];
    name.len() >= 4 && texts.into_iter().flatten().any(|text| contains_word(text, name))
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
pub(super) fn header_day(message: &IncomingMessage, at: chrono::DateTime<chrono::Utc>) -> Option<chrono::NaiveDate> {
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
