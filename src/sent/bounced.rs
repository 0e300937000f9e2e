//! ONE report that a mail of the player's did not arrive: which move it was, and what he can do.
//!
//! Changes no game: anybody can write such a report. It only warns, and stops the waiting from being held against the opponent.
//! What will surprise you: servers repeat themselves; each failure and each delay of a mail is told once.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::own_row;
use crate::config::{Me, Senders};
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::game::{Game, GameId};
use crate::intake::clues::is_about;
use crate::intake::is_opponent;
use crate::intake::settings::Settings;
use crate::intake::which::Thread;
use crate::intake::{IntakeError, RawMessage};
use crate::io::store::{BounceRow, EventRow, Hints, OwnId, Returned, Store, Taken, VerdictRow};
use crate::letters::{ReturnedMail, SentCopy, bounce_notice};
use crate::mail::address::Address;
use crate::mail::bounce::{self, Bounce};
use crate::mail::message::IncomingMessage;
use crate::mail::text::one_line;
use crate::overview::Again;

/// Adds the effects of a report about a mail with a move of the player's; none where these bytes are no such report.
///
/// # Errors
/// [`IntakeError`].
pub(crate) async fn fill(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    message: &IncomingMessage,
    mail: &RawMessage<'_>,
    now: DateTime<Utc>,
    taken: &mut Taken<'_>,
) -> Result<(), IntakeError> {
    let Some(report) = bounce::read(mail.bytes) else { return Ok(()) };
    if report.recipient.as_ref().is_some_and(|to| me.is_mine(to)) {
        // a notice of ours
        return Ok(());
    }
    let ids: Vec<String> = report.message_ids.iter().map(ToString::to_string).collect();
    let ours = store.own_ids(&ids).await?;
    let is_from = |thread: &Thread| message.from.as_ref().is_ok_and(|from| is_opponent(thread, &from.address));
    let may_concern = |outline: &Thread| is_from(outline) || is_named(&report, &ours, outline);
    let mut hints = Hints::default();
    message.from.iter().map(|from| &from.address).chain(&report.recipient).for_each(|address| hints.address(address));
    hints.message_ids(&report.thread.iter().map(ToString::to_string).collect::<Vec<_>>());
    hints.games(ours.iter().map(|own| &own.game));
    let threads = store.games_hinted(&hints, may_concern).await?;
    if threads.iter().any(is_from) {
        // no mail server writes under his address
        return Ok(());
    }
    let Some((thread, ply, id)) = named(&report, &threads, &ours) else { return Ok(()) };
    let game = &thread.game;
    let is_copy = |to: &Address| {
        let director = me.styles.copy_to(&game.event);
        senders.is_director(to) || director.is_some_and(|director| director.is_same_mailbox(to))
    };
    if report.recipient.as_ref().is_some_and(is_copy) {
        // of the director's copy: it says nothing of the opponent's
        return Ok(());
    }
    let number = game.number_of(ply.saturating_sub(1));
    let to = report.recipient.as_ref().map_or_else(|| game.opponent().name.clone(), ToString::to_string);
    let reason = if report.is_delayed {
        format!("your mail with {number} to {to} is delayed: {}; the server goes on trying", report.reason())
    } else {
        format!("your mail with {number} to {to} came back: {}", report.reason())
    };
    taken.settings = Settings::of(me, senders).as_value();
    taken.verified.clone_from(&mail.verified);
    taken.from_address = message.from.as_ref().ok().map(|sender| sender.address.to_string());
    taken.subject = one_line(&message.subject, 200);
    taken.message_id = message.message_id.as_ref().map(ToString::to_string);
    let recipient = report.recipient.as_ref().map(ToString::to_string);
    let is_known = |known: &Returned| {
        let same_recipient = known.recipient == recipient || known.recipient.is_none() || recipient.is_none();
        (known.message_id.as_str(), known.ply, known.delayed) == (id.as_str(), ply_of(ply), report.is_delayed)
            && same_recipient
    };
    if store.returned(&game.id).await?.iter().any(is_known) {
        let reason = format!("{reason}; it was reported before");
        taken.verdicts.push(VerdictRow { outcome: "not_game_mail", ..own_row(Some(game.id.clone()), reason) });
        return Ok(());
    }
    let kind = if report.is_delayed { "delayed" } else { "bounced" };
    taken.events.push(EventRow { game: Some(game.id.clone()), kind: kind.to_owned(), text: reason.clone() });
    taken.verdicts.push(VerdictRow { outcome: "not_game_mail", ..own_row(Some(game.id.clone()), reason.clone()) });
    let id_of_mail = id.clone();
    taken.bounces.push(BounceRow {
        game: game.id.clone(),
        ply,
        message_id: id,
        recipient,
        status: report.status.clone(),
        delayed: report.is_delayed,
    });
    if !report.is_delayed && game.moves.len() <= ply && game.result.is_none() {
        let sha256: [u8; 32] = Sha256::digest(mail.bytes).into();
        let copy = SentCopy { sha256: &sha256, at: mail.at };
        let other = other_address(game, report.recipient.as_ref());
        let (resent, reminded) = store.sent_once_more(&game.id, ply, &id_of_mail).await?;
        let again = resent.map(Again::Mail).or_else(|| Again::since(mail.at, &[], reminded));
        let again = again.map(|again| Lost {
            sign: Sign::CameBack,
            shown: me.moment(mail.at).day,
            again: Some(again.day(me.timezone)),
        });
        let returned = ReturnedMail { number, reason: &reason, to: other.as_ref(), again };
        let letter = bounce_notice(game, &thread.root_message_id, &returned, copy, me, now)?;
        taken.outgoing.push(letter.into_notice(Some(game.id.clone())));
    }
    Ok(())
}

fn ply_of(ply: usize) -> u32 {
    u32::try_from(ply).unwrap_or(u32::MAX)
}

/// The game, the ply and the id of ours that a report names: by the mail's own id, else by the thread whose root it bears, else by the opponent
/// whom the mail was for, where one game
/// alone comes into question by its subject.
fn named<'a>(report: &Bounce, threads: &'a [Thread], ours: &[OwnId]) -> Option<(&'a Thread, usize, String)> {
    let of = |game: &GameId| threads.iter().find(|thread| thread.game.id == *game);
    if let Some(own) = ours.first() {
        return Some((of(&own.game)?, usize::try_from(own.ply).ok()?, own.message_id.clone()));
    }
    let names = |thread: &&Thread| report.subject.is_empty() || is_about(&report.subject, thread);
    let mut to_him = threads.iter().filter(|thread| is_to(report, thread)).filter(names);
    let to_him = to_him.next().filter(|_| to_him.next().is_none());
    let thread = threads.iter().find(|thread| is_of_thread(report, thread)).or(to_him)?;
    let game = &thread.game;
    // what he has drafted, else the last ply of his own
    let ply = match (game.is_my_turn(), &game.plan) {
        (true, Some(_)) => game.moves.len() + 1,
        (true, None) => game.moves.len().checked_sub(1)?,
        (false, _) => game.moves.len(),
    };
    let id = report.message_ids.first().map(ToString::to_string).unwrap_or_default();
    (ply > 0).then_some((thread, ply, id))
}

/// Whether [`named`] can come to this game.
fn is_named(report: &Bounce, ours: &[OwnId], thread: &Thread) -> bool {
    ours.iter().any(|own| own.game == thread.game.id) || is_of_thread(report, thread) || is_to(report, thread)
}

/// Whether the returned mail was for the opponent of a running game.
fn is_to(report: &Bounce, thread: &Thread) -> bool {
    thread.game.result.is_none() && report.recipient.as_ref().is_some_and(|to| is_opponent(thread, to))
}

fn is_of_thread(report: &Bounce, thread: &Thread) -> bool {
    report.thread.iter().any(|id| id.to_string() == thread.root_message_id)
}

/// An address of the opponent's to which the mail did not go.
fn other_address(game: &Game, failed: Option<&Address>) -> Option<Address> {
    let known: Vec<Address> = game.opponent().emails.iter().filter_map(|email| email.parse().ok()).collect();
    // where he has his mails sent on, the report names an address that says nothing about those on record
    let failed = known.iter().find(|address| failed.is_some_and(|failed| address.is_same_mailbox(failed)))?;
    known.iter().find(|address| !address.is_same_mailbox(failed)).cloned()
}
