//! The answer to a mail by which the player commands something: what was understood, what came of it, and the board.
//!
//! Goes to him alone. Its id is made with the secret, so that his next word can answer it as it answers a notice.

use chrono::{DateTime, Utc};

use super::wrap::fill;
use super::{AnswerKey, Envelope, Letter, LetterError, finish, message_id};
use crate::config::{Language, Me};
use crate::domain::board::board;
use crate::domain::game::Game;
use crate::domain::notation::NumericMove;
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::say;

/// How a command is written.
fn how(language: Language) -> String {
    let commands = [
        ("3735", say!(language, "your move; c5, Nf6 and c7c5 are understood too")),
        ("3735 if 2142 6846", say!(language, "and your reply 6846 if he plays 2142")),
        ("3735 draw", say!(language, "with an offer of a draw")),
        ("3735 hold 1d", say!(language, "and the draft only after a day")),
        ("announce 20", say!(language, "a letter that you answer in 20 days")),
    ];
    let waiting = [
        ("1, 2, ...", say!(language, "the reading with this number goes on record")),
        ("ask   ignore", say!(language, "a question to him is drafted; the mail is put away")),
    ];
    let row = |(command, what): &(&str, String)| format!("  {command:<17}  {what}\n");
    format!(
        "{}\n{}  undo   resend   wrong   accept   resign\n{}\n{}",
        say!(language, "The command stands in the first line of your reply to a notice:"),
        commands.iter().map(row).collect::<String>(),
        say!(language, "To a notice of a mail that waits for you:"),
        waiting.iter().map(row).collect::<String>()
    )
}

/// What is said to a command.
#[derive(Debug, Clone)]
pub struct Reply<'a> {
    /// The command mail: makes the id.
    pub sha256: &'a [u8; 32],
    /// The end of the subject.
    pub headline: &'a str,
    /// What was understood and what came of it, with line ends.
    pub said: &'a str,
    /// It was not done: say how commands are written.
    pub explain: bool,
}

/// The answer about a game. The board stands after it, after `played` where that is a legal move.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn answer(
    game: &Game,
    root: &str,
    reply: &Reply<'_>,
    played: Option<NumericMove>,
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let mut position = replay.position().clone();
    if let Some(legal) = played.and_then(|numeric| numeric.to_move(&position).ok()) {
        shakmaty::Position::play_unchecked(&mut position, legal.played);
    }
    let mut body = reply.said.to_owned();
    body.push('\n');
    body.push_str(&board(shakmaty::Position::board(&position), game.me));
    if reply.explain {
        body.push('\n');
        body.push_str(&how(me.language));
    }
    let id = message_id(&[key.bytes(), reply.sha256, b"answer"], &format!("{}.answer", game.id), me);
    let id = id.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
    finish(envelope.to_player(format!("[amici {}] {}", game.id, reply.headline), body, id)?, me)
}

/// The answer to a command that belongs to no game.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn answer_to_none(reply: &Reply<'_>, key: &AnswerKey, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let unusable = || LetterError::Sender { name: me.name.clone() };
    let myself = Mailbox { name: Some(me.name.clone()), address: me.address().cloned().ok_or_else(unusable)? };
    let mail = DraftMessage {
        from: myself.clone(),
        to: vec![myself],
        cc: Vec::new(),
        subject: format!("[amici] {}", reply.headline),
        date: now.with_timezone(&me.timezone).fixed_offset(),
        message_id: message_id(&[key.bytes(), reply.sha256, b"answer"], "answer", me).map_err(|_| unusable())?,
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: true,
        unsent: false,
        body: format!("{}\n{}", reply.said, how(me.language)),
        page: None,
        attached_reply: None,
    };
    finish(mail, me)
}

/// The lines of an answer, the long ones wrapped.
pub fn paragraph_of(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", fill(line, "", "    "))).collect()
}
