//! What the player decides about a held mail: its move goes on record, it is put away, or a question is drafted.
//!
//! Each is one transaction; what cannot be done changes nothing and says what would do. Nothing goes to an opponent.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::{Around, ReadsAs, Refusal};
use crate::choice::typed;
use crate::config::{Language, Me};
use crate::domain::clock::settle::impossible;
use crate::domain::game::{Agreed, GameId, Stated};
use crate::domain::notation::{NumericMove, san, words};
use crate::intake::held::{Entry, OWN, as_reminder, entry};
use crate::io::store::{Asking, EventRow, Held, Store, StoredGame};
use crate::letters;
use crate::sent;

/// All that is held, oldest first.
///
/// # Errors
/// [`Refusal::Store`].
pub(crate) async fn entries(store: &mut Store, me: &Me) -> Result<Vec<Entry>, Refusal> {
    let mut entries = Vec::new();
    for held in store.held().await? {
        entries.push(entry(store, me, held).await?);
    }
    Ok(entries)
}

/// What is held of this mail, in this game or in all. Never empty.
///
/// # Errors
/// No such mail is held.
pub async fn of_mail(store: &mut Store, mail: i64, game: Option<&GameId>) -> Result<Vec<Held>, Refusal> {
    let held: Vec<Held> = store.held().await?.into_iter().filter(|h| h.mail == mail).collect();
    if held.is_empty() {
        return Err(Refusal::NotDone(match store.mail(mail).await? {
            Some(_) => format!(
                "mail {mail} is not held (any more)\nhelp: `amici review` lists those that are; a move in one that was put away is recorded with `amici accept GAME MOVE --mail {mail}`"
            ),
            None => format!("there is no mail {mail}; it is not held\nhelp: `amici review` lists those that are"),
        }));
    }
    let Some(game) = game else { return Ok(held) };
    let of_game: Vec<Held> = held.into_iter().filter(|h| h.game.as_ref() == Some(game)).collect();
    if of_game.is_empty() {
        return Err(Refusal::NotDone(format!("mail {mail} is not held for game {game}")));
    }
    Ok(of_game)
}

/// The one entry that is meant; several want a choice.
///
/// # Errors
/// It is held for several games.
pub fn only(held: Vec<Held>) -> Result<Held, Refusal> {
    <[Held; 1]>::try_from(held).map(|[one]| one).map_err(|several| {
        let games: Vec<String> = several.iter().filter_map(|h| h.game.as_ref().map(ToString::to_string)).collect();
        Refusal::SecondWord(format!("it is held for several games; say which with --game: {}", games.join(", ")))
    })
}

/// The held mail of a game that gives its move: the one with this number, also where it was put away by mistake, or the only one.
///
/// # Errors
/// There is none, or more than one.
pub async fn giving(store: &mut Store, game: &GameId, mail: Option<i64>) -> Result<Held, Refusal> {
    let mut held = store.held().await?;
    if mail.is_some() {
        held.extend(store.passed_over().await?);
    }
    held.retain(|h| h.game.as_ref() == Some(game));
    // one of the player's own waits for another deed
    if mail.is_none() && held.iter().any(|h| h.outcome != OWN) {
        held.retain(|h| h.outcome != OWN);
    }
    if held.is_empty() {
        return Err(Refusal::NotDone(format!(
            "game {game} has no held mail\nhelp: `amici take FILE.eml` takes in a mail that reached you another way"
        )));
    }
    match mail {
        Some(mail) => held
            .into_iter()
            .find(|h| h.mail == mail)
            .ok_or_else(|| Refusal::NotDone(format!("mail {mail} is not held for game {game}"))),
        None => <[Held; 1]>::try_from(held).map(|[one]| one).map_err(|several| {
            let numbers: Vec<String> = several.iter().map(|h| h.mail.to_string()).collect();
            Refusal::SecondWord(format!("several mails are held; say which with --mail: {}", numbers.join(", ")))
        }),
    }
}

/// What is accepted, in the player's words.
#[derive(Debug, Default)]
pub struct Acceptance {
    /// The move.
    pub text: String,
    /// The day on which the opponent received the player's move, where the mail does not state it or states another.
    pub received: Option<NaiveDate>,
    /// The day on which the opponent sent his, likewise.
    pub sent: Option<NaiveDate>,
    /// The mail offers a draw, though it was not read so.
    pub draw: bool,
    /// The player vouches for what the program will not believe by itself.
    pub yes: bool,
}

/// Records the move that the player reads in the mail, and settles the entry; tells what was recorded.
///
/// # Errors
/// It cannot be recorded so, or wants a second word.
pub(crate) async fn accept(
    around: Around<'_>,
    store: &mut Store,
    entry: &Entry,
    with: &Acceptance,
) -> Result<String, Refusal> {
    let mail = entry.held.mail;
    if let Some(obstacle) = entry.obstacle() {
        return Err(Refusal::not_done(obstacle));
    }
    let Some(StoredGame { game, .. }) = &entry.thread else {
        return Err(Refusal::not_done(format!("mail {mail} belongs to no game")));
    };
    let expected = game.with_plan_recorded();
    let replay = expected.replay().map_err(Refusal::not_done)?;
    let position = replay.position();
    let legal = typed(&with.text, &expected, &replay)?;
    if let Some(objection) = entry.objection().filter(|_| !with.yes) {
        return Err(Refusal::SecondWord(objection));
    }
    let candidate = entry.candidate(NumericMove::of(&legal.played));
    let mut record =
        candidate.as_ref().map(|c| c.record).ok_or_else(|| Refusal::not_done("the move cannot be recorded"))?;
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
        let today = around.today(store).await?;
        if let Some(fault) = impossible(&after, index, &given, today).map_err(Refusal::not_done)? {
            return Err(Refusal::not_done(format!(
                "{} cannot be recorded like this: {fault}\nhelp: say the right days with --received and --sent",
                after.number_of(index)
            )));
        }
    }
    let draw = with.draw || candidate.is_some_and(|c| c.draw_offer);
    let due = expected.due();
    let with_help =
        |why: String| Refusal::not_done(format!("{why}\nhelp: say the right days with --received and --sent"));
    let (new, event) = entry.taken(record, draw).map_err(with_help)?;
    if !store.settle_verdict(entry.held.verdict, Some(&new), &[], &event, around.now).await? {
        return Err(Refusal::not_done(format!("mail {mail} is not held any more")));
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
        sent::read_again(store, around.me(), &around.config.senders, around.now).await.map_err(Refusal::not_done)?;
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

/// Holds a mail for the game to which it belongs by the player's word; tells so. What it says is for him to accept there.
///
/// # Errors
/// It is one of his own, or was read for that game already.
pub(crate) async fn assign(
    around: Around<'_>,
    store: &mut Store,
    held: &Held,
    to: &StoredGame,
) -> Result<String, Refusal> {
    let (mail, game) = (held.mail, &to.game);
    if held.outcome == OWN {
        return Err(Refusal::NotDone(format!(
            "mail {mail} is one of your own: it belongs to the game that it answers"
        )));
    }
    if store.mails_of(&game.id).await?.iter().any(|known| known.mail == mail) {
        return Err(Refusal::NotDone(format!(
            "mail {mail} was read for game {0} already\nhelp: record its move with  amici accept {0} MOVE --mail {mail}",
            game.id
        )));
    }
    let from = held.from_address.as_deref().unwrap_or("an unknown address");
    let is_his = game.opponent().emails.iter().any(|email| email.eq_ignore_ascii_case(from));
    // whoever is not vouched for in one game is not in another, and the end of a game stays one
    let (outcome, why) = match (is_his, held.outcome.as_str()) {
        (false, _) => {
            ("wrong_sender", format!("; it comes from {from}, not from an address of {}", game.opponent().name))
        }
        (true, "wrong_sender") => ("wrong_sender", format!("; {}", held.reason)),
        (true, kept @ ("resignation" | "draw_accept")) => (kept, format!("; {}", held.reason)),
        (true, _) => ("needs_human", String::new()),
    };
    let reason = format!("you said that it belongs to this game{why}");
    let event = |of: &GameId| EventRow {
        game: Some(of.clone()),
        kind: "assigned".to_owned(),
        text: format!("you said that mail {mail} belongs to game {}", game.id),
    };
    let events: Vec<EventRow> = held.game.iter().chain([&game.id]).map(event).collect();
    if !store.assign(held.verdict, &game.id, (outcome, &reason), &events, around.now).await? {
        return Err(Refusal::NotDone(format!("mail {mail} is not held any more")));
    }
    let now = store.held().await?.into_iter().find(|other| other.verdict == held.verdict);
    let mut text = format!("Mail {mail} is held for game {} now; nothing is recorded.\n", game.id);
    if let Some(now) = now {
        for (command, what) in entry(store, around.me(), now).await?.next() {
            text.push_str(&format!("  {command}   {what}\n"));
        }
    }
    Ok(text)
}

/// Puts what is held away without recording anything; tells what was put away.
///
/// # Errors
/// [`Refusal::Store`].
pub async fn ignore(store: &mut Store, held: &[Held], zone: Tz, now: DateTime<Utc>) -> Result<String, Refusal> {
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

/// How a question is worded.
#[derive(Debug, Clone, Copy)]
pub struct Wording<'a> {
    /// In which language, where the program words it.
    pub language: Language,
    /// The player's own text.
    pub text: Option<&'a str>,
}

/// The text of a question about it, as the opponent would see it.
///
/// # Errors
/// There is nobody to ask, or the player's own text could be read as a move.
pub(crate) async fn question(
    around: Around<'_>,
    store: &mut Store,
    entry: &Entry,
    wording: Wording<'_>,
) -> Result<String, Refusal> {
    let game = &entry.can_be_asked().map_err(Refusal::not_done)?.game;
    let ours = entry.question_text(game, wording.language, around.me(), around.now)?;
    let Some(own) = wording.text else { return Ok(ours) };
    let own = letters::message_body(&own.replace(|c: char| c.is_control() && c != '\n', ""));
    // lines of ours quote the mail and name its readings
    let added: Vec<&str> = own.lines().filter(|line| !ours.lines().any(|known| known.trim() == line.trim())).collect();
    match letters::reads_as(game, &added.join("\n"), around.today(store).await?) {
        ReadsAs::Binding(what) => Err(Refusal::NoMove(format!(
            "the text can be read as a move or as the end of the game: {what}\nhelp: ask without it"
        ))),
        ReadsAs::Words | ReadsAs::Doubtful(_) => Ok(own),
    }
}

/// Drafts a question to the opponent and leaves the entry where it is; tells so, with the address that the draft is delivered to.
///
/// # Errors
/// There is nobody to ask, he was asked before and `again` is not said, or the player's own text could be read as a move.
pub(crate) async fn ask(
    around: Around<'_>,
    store: &mut Store,
    entry: &Entry,
    wording: Wording<'_>,
    again: bool,
) -> Result<(String, String), Refusal> {
    let text = question(around, store, entry, wording).await?;
    let thread = entry.can_be_asked().map_err(Refusal::not_done)?;
    let (game, held) = (&thread.game, &entry.held);
    let (letter, event) = entry.question(thread, text, around.me(), around.now)?;
    let recipient = letter.recipient.clone();
    let outgoing = letter.into_notice(Some(game.id.clone()));
    match store.ask(held.verdict, again, &outgoing, &event, around.now).await? {
        Asking::Drafted => {}
        Asking::Settled => return Err(Refusal::not_done(format!("mail {} is not held any more", held.mail))),
        Asking::AskedBefore(at) => {
            return Err(Refusal::SecondWord(format!(
                "a question about mail {} was drafted on {}\nhelp: if it is to be asked once more, say --again",
                held.mail,
                at.with_timezone(&around.me().timezone).format("%a %d %b %Y")
            )));
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
