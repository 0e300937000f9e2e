//! Which game a mail is about, and whether its sender may touch it.
//!
//! In this order: one sender with one address, an opponent's registered address or no automatic mail, a finished game that
//! the mail names, its sections, then the running game by its id, its thread, its event, and the one game that is left.
//! Reply-To, Cc and To decide nothing. What will surprise you: only the id settles it; for a thread or an event the move
//! must fit no other; an opponent's own mail with a mark of programs on it goes on, as `decide` has to see what it says.

use chrono::Days;

use super::clues::{Clues, Rank};
use super::evidence::is_seen;
use super::sections::{Cut, cut};
use super::who::{is_namesake, is_opponent, wrong_sender};
use crate::config::{Me, Senders};
use crate::domain::judge::{Reason, Verdict};
use crate::io::store::Hints;
use crate::mail::message::IncomingMessage;
use crate::mail::sender::Sender;
pub(crate) use crate::mail::text::words;

/// A game with the constant id that heads its thread.
pub use crate::io::store::StoredGame as Thread;

/// What a mail is about.
#[derive(Debug)]
pub(super) enum About<'a> {
    /// One game, and its opponent wrote; with his other games that the mail may be about as well, unless it names this one.
    Game(&'a Thread, Vec<&'a Thread>),
    /// Several games, each with its own lines.
    Sections(Cut<'a>),
    /// Several games that it could be about, by its sender or by what they share.
    Open(Vec<&'a Thread>),
    /// Several games of this opponent that it names: none is touched.
    Several(Vec<&'a Thread>),
    /// No game may be touched; with the game that it names, if it names one.
    Nothing(Option<&'a Thread>, Verdict),
}

pub(super) fn which<'a>(
    message: &IncomingMessage,
    clues: &Clues<'_>,
    me: &Me,
    senders: &Senders,
    threads: &'a [Thread],
) -> About<'a> {
    let sender = match &message.from {
        Ok(sender) => sender,
        Err(trouble) => {
            let named = threads.iter().find(|t| is_named(clues, t));
            let reason = Reason::NoSender(trouble.to_string());
            let verdict = if named.is_some() { Verdict::WrongSender(reason) } else { Verdict::NotAMove(reason) };
            return About::Nothing(named, verdict);
        }
    };
    if me.is_mine(&sender.address) {
        return About::Nothing(None, Verdict::NotAMove(Reason::OwnCopy));
    }
    let his: Vec<&Thread> = threads.iter().filter(|t| is_opponent(t, &sender.address)).collect();
    if let Some(automatic) = message.automatic.filter(|_| his.is_empty()) {
        return About::Nothing(None, Verdict::NotAMove(Reason::Automatic(automatic.to_string())));
    }
    if his.is_empty() && senders.is_director(&sender.address) {
        return About::Nothing(None, Verdict::NotAMove(Reason::Director(sender.address.to_string())));
    }
    let running: Vec<&Thread> = his.iter().copied().filter(|t| t.game.result.is_none()).collect();
    let is_of_another = |t: &&Thread| t.game.result.is_none() && !is_opponent(t, &sender.address);
    if let Some(another) = threads.iter().filter(is_of_another).find(|t| clues.speaks_for(t, Rank::Id)) {
        return About::Nothing(Some(another), wrong_sender(another, sender));
    }
    // another copy of a mail that one of his games has goes there, whatever it names; what it may do there, the judge says
    let mut having = running.iter().copied().filter(|thread| is_seen(message, thread));
    if let (Some(only), None) = (having.next(), having.next()) {
        return About::Game(only, Vec::new());
    }
    let headed = clues.headed(&his);
    if let Some(cut) = sections(message, &his, &running, headed) {
        return About::Sections(cut);
    }
    if let Some(headed) = headed.filter(|headed| headed.game.result.is_none()) {
        let is_another = |t: &&Thread| t.game.id != headed.game.id && t.game.event != headed.game.event;
        let mut others = his.iter().copied().filter(|t| t.game.id != headed.game.id);
        let is_named =
            |t: &Thread| clues.speaks_for(t, Rank::Id) || (is_another(&t) && clues.speaks_for(t, Rank::Event));
        if !others.any(is_named) {
            return About::Game(headed, Vec::new());
        }
    }
    if let Some(finished) = finished(clues, &his) {
        return About::Game(finished, Vec::new());
    }
    // the event's code is shared by all games of a section: it only tells between games of one opponent
    for rank in [Rank::Id, Rank::Answer, Rank::Event] {
        let named: Vec<&Thread> = running.iter().copied().filter(|t| clues.speaks_for(t, rank)).collect();
        match named.as_slice() {
            [] => {}
            [only] => {
                let id = &only.game.id;
                let others = running.iter().copied().filter(|t| rank < Rank::Id && t.game.id != *id);
                return About::Game(only, others.collect());
            }
            _ if rank == Rank::Id => return About::Several(named),
            _ => return About::Open(named),
        }
    }
    match (running.as_slice(), his.first()) {
        ([only], _) => About::Game(only, Vec::new()),
        ([_, _, ..], _) => About::Open(running),
        ([], Some(finished)) => About::Game(finished, Vec::new()),
        ([], None) => match best_known(clues, threads, sender) {
            Some(named) if clues.is_circular(named) => {
                About::Nothing(None, Verdict::NotAMove(Reason::Circular(sender.address.to_string())))
            }
            Some(named) => About::Nothing(Some(named), wrong_sender(named, sender)),
            None => About::Nothing(None, Verdict::NotAMove(Reason::Stranger(sender.address.to_string()))),
        },
    }
}

/// Whether [`which`] can come to this game, or look at it on its way: every look at a game is one of these. At a mail of the player's own
/// it looks for nothing but who wrote it.
pub(super) fn may_concern(message: &IncomingMessage, clues: &Clues<'_>, me: &Me, thread: &Thread) -> bool {
    let of_sender = |sender: &Sender| is_opponent(thread, &sender.address) || is_namesake(thread, sender);
    if let Some(sender) = message.from.as_ref().ok().filter(|sender| me.is_mine(&sender.address)) {
        return is_opponent(thread, &sender.address);
    }
    message.from.as_ref().is_ok_and(of_sender) || clues.speaks_for_any(thread)
}

/// What leads to every game for which [`may_concern`] is true.
pub(super) fn hints(message: &IncomingMessage, clues: &Clues<'_>, me: &Me) -> Hints {
    let mut hints = Hints::default();
    let sender = message.from.as_ref().ok();
    if let Some(sender) = sender {
        hints.address(&sender.address);
        hints.name(sender.name.as_deref().unwrap_or_default());
    }
    if !sender.is_some_and(|sender| me.is_mine(&sender.address)) {
        clues.hint(&mut hints);
    }
    hints
}

/// The mail cut into its games, unless the subject names another one by its id, or all of them are over.
fn sections<'a>(
    message: &IncomingMessage,
    his: &[&'a Thread],
    running: &[&'a Thread],
    headed: Option<&'a Thread>,
) -> Option<Cut<'a>> {
    let cut = cut(message, his, headed)?;
    let has_section = |t: &Thread| cut.sections.iter().any(|section| section.thread.game.id == t.game.id);
    let subject_fits = his.iter().all(|t| has_section(t) || !has_id(&message.subject, t));
    (subject_fits && running.iter().any(|t| has_section(t))).then_some(cut)
}

/// A finished game of his that the mail names, unless it names a running one too. An event that both share names neither.
fn finished<'a>(clues: &Clues<'_>, his: &[&'a Thread]) -> Option<&'a Thread> {
    let (over, running): (Vec<&Thread>, Vec<&Thread>) = his.iter().partition(|t| t.game.result.is_some());
    let leads_to = |t: &Thread| clues.speaks_for(t, Rank::Id) || clues.speaks_for(t, Rank::Answer);
    let named = over.into_iter().find(|t| leads_to(t))?;
    let tells = |t: &Thread| t.game.event != named.game.event && clues.speaks_for(t, Rank::Event);
    let names_running = running.iter().any(|t| leads_to(t) || tells(t));
    (!names_running).then_some(named)
}

/// The running game of somebody else's that most speaks for, the first of equals: an answered message, the id, the event, then the name of
/// its opponent above another address, which counts beside any of them.
fn best_known<'a>(clues: &Clues<'_>, threads: &'a [Thread], sender: &Sender) -> Option<&'a Thread> {
    let strength = |thread: &Thread| {
        let speaks = [Rank::Answer, Rank::Id, Rank::Event].map(|rank| clues.speaks_for(thread, rank));
        (speaks, is_namesake(thread, sender))
    };
    let known = threads.iter().filter(|t| is_named(clues, t) || is_namesake(t, sender));
    known.rev().max_by_key(|thread| strength(thread))
}

/// The mail answers a message of this game, or names the game or its event.
fn is_named(clues: &Clues<'_>, thread: &Thread) -> bool {
    thread.game.result.is_none() && clues.speaks_for_any(thread)
}

/// Characters of the shortest name of a game that is looked for in a text.
const SHORTEST: usize = 4;

/// The game's id stands in the text.
pub(super) fn has_id(text: &str, thread: &Thread) -> bool {
    place_of_id(text, thread).is_some()
}

/// The event's code stands in the text.
pub(super) fn has_event(text: &str, thread: &Thread) -> bool {
    place_of_event(text, thread).is_some()
}

/// Where the game's id stands in the text, with nothing beside it that belongs to it.
pub(super) fn place_of_id(text: &str, thread: &Thread) -> Option<usize> {
    let id = thread.game.id.as_str();
    (id.len() >= SHORTEST).then(|| place(text, id, is_id))?
}

/// Where the event's code stands in the text as a word of its own.
pub(super) fn place_of_event(text: &str, thread: &Thread) -> Option<usize> {
    let event = &thread.game.event;
    (event.len() >= SHORTEST).then(|| place(text, event, is_word))?
}

fn place(text: &str, name: &str, is_alone: fn(&str, &str) -> bool) -> Option<usize> {
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        is_alone(before, after)
    })
}

/// Neither a letter nor a digit stands beside the name.
fn is_word(before: &str, after: &str) -> bool {
    !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
}

/// Nor does an id go on: `EM-17` is not named by `EM-17-PET`.
fn is_id(before: &str, after: &str) -> bool {
    let joins = ['-', '_', '.'];
    let goes_on = |rest: Option<&str>, is_part: fn(&str) -> bool| rest.is_some_and(is_part);
    is_word(before, after)
        && !goes_on(before.strip_suffix(joins), |rest| rest.ends_with(char::is_alphanumeric))
        && !goes_on(after.strip_prefix(joins), |rest| rest.starts_with(char::is_alphanumeric))
}

/// The local day of the Date header, unless the header cannot be true: it lies after our server took the mail, or long before.
pub fn header_day(message: &IncomingMessage, at: chrono::DateTime<chrono::Utc>) -> Option<chrono::NaiveDate> {
    let date = message.date?;
    let earliest = at.checked_sub_days(Days::new(30))?;
    let latest = at.checked_add_days(Days::new(1))?;
    (date >= earliest && date <= latest).then(|| date.date_naive())
}

#[cfg(test)]
mod tests {
    use super::{is_id, is_word, place};

    #[test]
    fn a_name_counts_as_a_word_of_its_own_only() {
        let named = |text| place(text, "EM/03/101", is_word).is_some();
        assert!(named("Re: EM/03/101, move 7"));
        assert!(!named("Re: EM/03/1012"));
        assert!(!named("XEM/03/101"));
        assert!(named("EM/03/101"));
    }

    #[test]
    fn an_id_inside_a_longer_id_names_no_game() {
        let named = |text| place(text, "EM-17", is_id).is_some();
        for longer in ["EM-17-PET", "EM-17_2", "EM-17.b", "W-EM-17", "x.EM-17 and EM-17-PET", "EM-170"] {
            assert!(!named(longer), "{longer}");
        }
        for alone in ["EM-17", "EM-17.", "EM-17 - move 7", "-EM-17-", "(EM-17)", "EM-17-PET, not EM-17."] {
            assert!(named(alone), "{alone}");
        }
    }
}
