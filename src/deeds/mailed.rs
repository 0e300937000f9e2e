//! The mail with which a move of the player's went out.

use chrono::{DateTime, NaiveDate, Utc};

use super::Refusal;
use crate::config::Me;
use crate::domain::game::{Game, Plan};
use crate::io::store::{OutboxState, SentMail, Store, StoredGame};
use crate::letters::{self, AnswerKey};

/// The Message-ID of the mail with which a move of the player's went out, where a copy of it was seen, or the program sent it.
/// `sent` are the mails that the player sent in the game.
pub(super) async fn mail_on_record(
    store: &mut Store,
    game: &Game,
    sent: &[SentMail],
    index: usize,
) -> Result<Option<String>, Refusal> {
    let recorded = game.moves.get(index).map(|record| record.numeric);
    let of_this = |sent: &SentMail| sent.ply == index + 1 && sent.numeric == recorded;
    if let Some(sent) = sent.iter().find(|sent| of_this(sent))
        && let Some(id) = store.mail(sent.mail).await?.and_then(|mail| mail.message_id)
    {
        return Ok(Some(id));
    }
    let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
    for id in store.ids_of_own(&game.id, ply).await? {
        let release = store.release_by_message_id(&id).await?;
        if release.is_some_and(|release| release.state == OutboxState::Sent) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The same, or else the Message-ID under which the move was drafted, if that is on record.
pub(super) async fn sent_as(
    store: &mut Store,
    thread: &StoredGame,
    index: usize,
    me: &Me,
) -> Result<Option<String>, Refusal> {
    let sent = store.sent_mails(&thread.game.id).await?;
    if let Some(id) = mail_on_record(store, &thread.game, &sent, index).await? {
        return Ok(Some(id));
    }
    let key = AnswerKey::new(store.answer_key().await?);
    let draft = store.provenance(&thread.game.id, index + 1).await?.and_then(|proof| proof.draft);
    Ok(draft.and_then(|draft| {
        let at: DateTime<Utc> = draft.created_at;
        letters::sent_as(&thread.game, &thread.root_message_id, index, &key, me, &draft.message_id, at)
    }))
}

/// The command by which he says that the chosen move went out: with the day of its draft, where that is another one.
pub fn say_sent(game: &Game, today: NaiveDate) -> String {
    let day = game.plan.as_ref().and_then(|plan| other_day(plan, today));
    format!("amici sent {}{}", game.id, day.map(|day| format!(" --on {day}")).unwrap_or_default())
}

/// The day that the finished draft states, where it is another than today.
pub fn other_day(plan: &Plan, today: NaiveDate) -> Option<NaiveDate> {
    plan.stated.sent.filter(|day| plan.is_drafted() && *day != today)
}
