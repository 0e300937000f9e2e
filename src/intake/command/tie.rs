//! To which move of which game a command belongs: by the id of the notice that it answers, or by the code.

use crate::domain::game::GameId;
use crate::io::store::{Store, StoreError, StoredGame};
use crate::letters::{AnswerKey, label_of};
use crate::mail::message::IncomingMessage;

/// What a mail proves to belong to.
#[derive(Debug)]
pub(super) enum Tied {
    /// The ply of this game, counted from 1, that was due when its notice was made; with the mail that the notice tells of, where it is known.
    To(Box<StoredGame>, usize, Option<i64>),
    /// Two games.
    Torn(GameId, GameId),
    /// Nothing.
    Loose,
}

impl Tied {
    /// The game, where it is one.
    pub(super) fn game(&self) -> Option<&StoredGame> {
        match self {
            Tied::To(thread, ..) => Some(thread),
            Tied::Torn(..) | Tied::Loose => None,
        }
    }
}

/// What the mail belongs to. Notices, drafts of moves and answers to commands are proof by their ids, which hold the secret; all else
/// by its code.
///
/// # Errors
/// Those of reading the database.
pub(super) async fn tied(store: &mut Store, message: &IncomingMessage, key: &AnswerKey) -> Result<Tied, StoreError> {
    let mut by_id = None;
    for id in message.in_reply_to.iter().chain(message.references.iter().rev()) {
        let Some(row) = store.outgoing_by_message_id(&id.to_string()).await? else { continue };
        let letter = row.outgoing;
        let Some(game) = letter.game.filter(|_| is_secret(&letter.message_id)) else { continue };
        let ply = store.due_at(&game, row.created_at).await?;
        by_id = Some((game, ply, row.mail));
        break;
    }
    let texts = [Some(message.subject.as_str()), message.plain.as_deref(), message.html.as_deref()];
    let by_code = match texts.into_iter().flatten().find_map(|text| coded(text, key)) {
        // the code is made of the id that the game had then
        Some((game, ply)) => store.id_now(&game).await?.map(|game| (game, ply)),
        None => None,
    };
    let (game, ply, mail) = match (by_id, by_code) {
        (Some((one, ..)), Some((other, _))) if one != other => return Ok(Tied::Torn(one, other)),
        (Some(tied), _) => tied,
        (None, Some((game, ply))) => (game, ply, None),
        (None, None) => return Ok(Tied::Loose),
    };
    Ok(store.game(&game).await?.map_or(Tied::Loose, |thread| Tied::To(Box::new(thread), ply, mail)))
}

/// A mail that answers something of ours, by its subject: it wants an answer even where it proves nothing.
pub(super) fn looks_like_an_answer(message: &IncomingMessage) -> bool {
    message.subject.contains("[amici")
}

/// The id's left side says what it is of; these are made with the secret.
fn is_secret(id: &str) -> bool {
    label_of(id).is_some_and(|label| ["notice", "answer", "ready"].contains(&label))
}

/// `EM-1037-PET/24 k7q2wxyz`, with the right code, wherever it stands.
fn coded(text: &str, key: &AnswerKey) -> Option<(GameId, usize)> {
    let mut words = text.split_whitespace().peekable();
    while let Some(mark) = words.next() {
        let Some((game, ply)) = mark.rsplit_once('/') else { continue };
        let game = game.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let (Ok(ply), Some(code)) = (ply.parse::<usize>(), words.peek()) else { continue };
        let code = code.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if let Some(game) = game.parse().ok().filter(|game| key.is_code(game, ply, code)) {
            return Some((game, ply));
        }
    }
    None
}
