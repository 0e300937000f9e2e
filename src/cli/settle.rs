//! What the player decides about a held mail: its move goes on record, it is put away, or a question is drafted.
//!
//! Each is one transaction; what cannot be done changes nothing and says what would do. Nothing goes to an opponent.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::care::today;
use super::queue::{Entry, as_reminder, failed};
use super::{Exit, Failure, Setup};
use crate::choice::typed;
use crate::config::Language;
use crate::config::Me;
use crate::domain::clock::settle::impossible;
use crate::domain::game::{Agreed, Stated};
use crate::domain::notation::{NumericMove, san, words};
use crate::io::store::{Asking, Held, Store, StoredGame};
use crate::sent;

/// What is accepted, in the player's words.
#[derive(Debug, Default)]
pub(super) struct Acceptance {
    pub(super) text: String,
    pub(super) received: Option<NaiveDate>,
    pub(super) sent: Option<NaiveDate>,
    pub(super) draw: bool,
    /// He vouches for what the program will not believe by itself.
    pub(super) yes: bool,
}

/// Records the move that the player reads in the mail, and settles the entry.
pub(super) async fn accept(
    setup: &Setup,
    store: &mut Store,
    entry: &Entry,
    with: &Acceptance,
) -> Result<String, Failure> {
    let config = setup.config()?;
    let mail = entry.held.mail;
    if let Some(obstacle) = entry.obstacle() {
        return Err(failed(obstacle));
    }
    let Some(StoredGame { game, .. }) = &entry.thread else {
        return Err(failed(format!("mail {mail} belongs to no game")));
    };
    let expected = game.with_plan_recorded();
    let replay = expected.replay().map_err(|e| failed(e.to_string()))?;
    let position = replay.position();
    let legal = typed(&with.text, &expected, &replay)?;
    if let Some(objection) = entry.objection().filter(|_| !with.yes) {
        return Err(Failure::new(Exit::NeedsConfirmation, objection));
    }
    let candidate = entry.candidate(NumericMove::of(&legal.played));
    let mut record = candidate.as_ref().map(|c| c.record).ok_or_else(|| failed("the move cannot be recorded"))?;
    if with.received.is_some() || with.sent.is_some() {
        // days that he counted belong to his own dates
        record.claimed = Stated {
            received: with.received.or(record.claimed.received),
            sent: with.sent.or(record.claimed.sent),
            days: None,
            total: None,
        };
    }
    let given = Agreed { received: with.received, sent: with.sent, ..Agreed::default() };
    if !given.is_empty() {
        let mut after = expected.clone();
        after.moves.push(record);
        let index = expected.moves.len();
        let today = today(setup, &config, store).await?;
        if let Some(fault) = impossible(&after, index, &given, today).map_err(|e| failed(e.to_string()))? {
            return Err(failed(format!(
                "{} cannot be recorded like this: {fault}\nhelp: say the right days with --received and --sent",
                after.number_of(index)
            )));
        }
    }
    let draw = with.draw || candidate.is_some_and(|c| c.draw_offer);
    let due = expected.due();
    let with_help = |why: String| failed(format!("{why}\nhelp: say the right days with --received and --sent"));
    let (new, event) = entry.taken(record, draw).map_err(with_help)?;
    if !store.settle_verdict(entry.held.verdict, Some(&new), &[], &event, setup.now).await? {
        return Err(failed(format!("mail {mail} is not held any more")));
    }
    let sent = record.claimed.sent.or(record.observed.sent);
    let mut text = format!(
        "{due} {}   {}   {}\nrecorded on your word, {}{}{}.\n",
        record.numeric,
        san(position, &legal.played),
        words(position, &legal.played),
        record.claimed.received.map(|day| format!("received {day}, ")).unwrap_or_default(),
        sent.map_or("the day he sent it is unknown".to_owned(), |day| format!("sent {day}")),
        if draw { ", with his offer of a draw" } else { "" },
    );
    if let Some(plan) = &game.plan {
        text.push_str(&format!("Your draft {} is recorded before it, as sent.\n", plan.in_words(game.due())));
    }
    for other in store.held().await?.iter().filter(|h| h.mail == mail) {
        if let Some(game) = &other.game {
            text.push_str(&format!("It is still held for {game}:  amici ignore {mail} --game {game}\n"));
        }
    }
    let read =
        sent::read_again(store, &config.me, &config.senders, setup.now).await.map_err(|e| failed(e.to_string()))?;
    let results = read.iter().flat_map(|taking| &taking.results);
    let of_game: Vec<_> = results.filter(|result| result.game.as_ref() == Some(&game.id)).collect();
    for result in &of_game {
        text.push_str(&format!("Your mail that you had sent was read again: {}.\n", result.reason));
    }
    if of_game.is_empty() {
        text.push_str(&format!("Next: amici play {} MOVE\n", game.id));
    }
    Ok(text)
}

/// Puts what is held away without recording anything.
pub(super) async fn ignore(store: &mut Store, held: &[Held], zone: Tz, now: DateTime<Utc>) -> Result<String, Failure> {
    let mut games = Vec::new();
    let mut reminders = String::new();
    for one in held {
        if store.settle_verdict(one.verdict, None, &[], &one.put_away(), now).await? {
            games.extend(one.game.as_ref().map(ToString::to_string));
        }
        let Some(id) = &one.game else { continue };
        let thread = store.game(id).await?;
        if let Some((command, what)) = thread.and_then(|thread| as_reminder(&thread.game, one, zone)) {
            reminders.push_str(&format!("  {command}   {what}\n"));
        }
    }
    let mail = held.first().map_or(0, |h| h.mail);
    let of = if games.is_empty() { String::new() } else { format!(" ({})", games.join(", ")) };
    let back =
        games.first().map(|game| format!("If it was his move after all:  amici accept {game} MOVE --mail {mail}\n"));
    Ok(format!(
        "Mail {mail}{of} is put away; nothing was recorded. It stays in your mailbox.\n{}{reminders}",
        back.unwrap_or_default()
    ))
}

/// Drafts a question to the opponent and leaves the entry where it is.
pub(super) async fn ask(
    setup: &Setup,
    store: &mut Store,
    me: &Me,
    entry: &Entry,
    language: Language,
    again: bool,
) -> Result<(String, String), Failure> {
    let thread = entry.can_be_asked().map_err(failed)?;
    let game = &thread.game;
    let held = &entry.held;
    let (letter, event) = entry.question(thread, language, me, setup.now).map_err(|e| failed(e.to_string()))?;
    let recipient = letter.recipient.clone();
    let outgoing = letter.into_notice(Some(game.id.clone()));
    match store.ask(held.verdict, again, &outgoing, &event, setup.now).await? {
        Asking::Drafted => {}
        Asking::Settled => return Err(failed(format!("mail {} is not held any more", held.mail))),
        Asking::AskedBefore(at) => {
            return Err(Failure::new(
                Exit::NeedsConfirmation,
                format!(
                    "a question about mail {} was drafted on {}\nhelp: if it is to be asked once more, say --again",
                    held.mail,
                    at.with_timezone(&me.timezone).format("%a %d %b %Y")
                ),
            ));
        }
    }
    let text = format!(
        "The question to {} about mail {} is drafted.\n\
         Nothing has been sent to him: open the draft, read it, send it. Mail {} stays held until you settle it.\n",
        game.opponent().name,
        held.mail,
        held.mail
    );
    Ok((text, recipient))
}
