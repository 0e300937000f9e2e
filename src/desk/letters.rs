//! The mails and letters of a game, by the move that they are about: the opponent's, the player's own, and those of the program to the player.
//! Each is shown by itself, on demand.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{Record, Refused};
use crate::config::Me;
use crate::domain::game::Game;
use crate::intake::again::Again;
use crate::intake::evidence::Letters;
use crate::intake::marked::{MarkedLine, MarkedText, marked};
use crate::io::store::{Store, StoredGame};
use crate::mail::message::parse;
use crate::mail::quote::Kind;
use crate::sentence;

/// All of them, a group for each ply, the newest first.
///
/// # Errors
/// [`Refused`]
pub(super) async fn by_ply(store: &mut Store, game: &Game, me: &Me) -> Result<Vec<Value>, Refused> {
    let origins = store.origins(&game.id).await?;
    // what gave no move is about the one that was due then
    let due_at = |at: DateTime<Utc>| origins.iter().take_while(|origin| origin.recorded_at <= at).count() + 1;
    let mut plies: HashMap<i64, usize> =
        store.sent_mails(&game.id).await?.iter().map(|mail| (mail.mail, mail.ply)).collect();
    plies.extend(origins.iter().enumerate().filter_map(|(index, origin)| Some((origin.mail?, index + 1))));
    let mut groups: BTreeMap<usize, Vec<(DateTime<Utc>, Value)>> = BTreeMap::new();
    for mail in store.mails_of(&game.id).await? {
        let ply = plies.get(&mail.mail).copied().unwrap_or_else(|| due_at(mail.decided_at));
        let is_own = mail.outcome == "own";
        let from = if is_own { Some(sentence!("you").to_owned()) } else { mail.from_address };
        let value = json!({
            "link": format!("mail/{}", mail.mail), "of": mail.mail, "what": format!("Mail {}", mail.mail), "from": from,
            "subject": mail.subject, "at": me.local_words(mail.at), "reason": mail.reason,
        });
        groups.entry(ply).or_default().push((mail.at, value));
    }
    for letter in store.letters_of(&game.id).await? {
        let ply = letter.ply.and_then(|ply| usize::try_from(ply).ok());
        let ply = ply.or_else(|| plies.get(&letter.mail?).copied()).unwrap_or_else(|| due_at(letter.created_at));
        let value = json!({
            "link": letter.is_kept.then(|| format!("letter/{}", letter.id)), "at": me.local_words(letter.created_at),
            "what": if letter.is_draft { sentence!("Draft of your move") } else { sentence!("Letter to you") },
        });
        groups.entry(ply).or_default().push((letter.created_at, value));
    }
    let group = |(ply, mut all): (usize, Vec<(DateTime<Utc>, Value)>)| {
        all.sort_by_key(|(at, _)| *at);
        let number = ply.checked_sub(1).map(|index| game.number_of(index).to_string());
        let numeric = ply.checked_sub(1).and_then(|index| game.moves.get(index)).map(|record| record.numeric);
        json!({"ply": ply, "number": number, "numeric": numeric, "all": all.into_iter().map(|(_, value)| value).collect::<Vec<_>>()})
    };
    Ok(groups.into_iter().rev().map(group).collect())
}

/// A letter of the program's as it went out, or waits to.
///
/// # Errors
/// [`Refused`] where there is none, or where its text is not kept.
pub(super) async fn letter(record: &Record, id: i64) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let mut store = record.store().await?;
    let row = store.outgoing(id).await?.ok_or_else(|| Refused::missing(format!("there is no letter {id}")))?;
    let message =
        parse(&row.outgoing.bytes).map_err(|_| Refused::missing(format!("the text of letter {id} is not kept")))?;
    let texts = texts(&mut store, &row.outgoing.bytes, row.created_at, None).await?;
    Ok(json!({
        "to": row.outgoing.recipient, "subject": message.subject, "message_id": row.outgoing.message_id,
        "arrived": me.local_words(row.created_at), "game_id": row.outgoing.game, "texts": texts,
    }))
}

/// The forms of a mail's text, marked.
pub(super) async fn texts(
    store: &mut Store,
    raw: &[u8],
    at: DateTime<Utc>,
    thread: Option<&StoredGame>,
) -> Result<Vec<Value>, Refused> {
    let Ok(message) = parse(raw) else { return Ok(Vec::new()) };
    let letters = Letters::beside(store, raw, thread.map(std::slice::from_ref).unwrap_or_default()).await?;
    let again = thread.and_then(|thread| Again::of(raw, thread, at, &letters));
    let verdict = again.as_ref().map(|again| &again.verdict);
    Ok(marked(&message, thread, at, &letters, verdict).iter().map(text).collect())
}

fn text(text: &MarkedText) -> Value {
    json!({"html": text.html, "lines": text.lines.iter().map(line).collect::<Vec<_>>()})
}

fn line(line: &MarkedLine) -> Value {
    let kind = match line.kind {
        Kind::Own => "own",
        Kind::Quoted { .. } => "quoted",
        Kind::Attribution | Kind::Separator => "between",
        Kind::Signature => "signature",
        Kind::Footer => "footer",
    };
    let parts: Vec<_> =
        line.parts.iter().map(|part| json!({"text": part.text, "sort": part.sort, "doubt": part.doubt})).collect();
    json!({"number": line.number, "kind": kind, "parts": parts, "cause": line.cause, "unread": line.unread})
}
