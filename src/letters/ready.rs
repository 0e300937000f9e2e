//! A letter that the player is to send, in a mail to himself: how he sends it, and its text after a line, apart from all else.
//!
//! An answer to it comes back to him and to nobody else: it may be a command, and its subject names his move. The id of a move's
//! is made with the secret, so that a command can answer it as it answers a notice. What will surprise you: few mail programs open
//! an attached mail for sending, and most cut long links. So there are three ways, each with the text as it was proved: the
//! file, a link that holds all of it where that is short enough, and the text to be copied.

use chrono::{DateTime, Utc};

use super::code::{LONGEST_LINK, letter_link};
use super::page::{Told, diagram};
use super::{AnswerKey, Envelope, Letter, LetterError, finish, message_id};
use crate::config::{Language, Me};
use crate::domain::game::{Game, GameId};
use crate::domain::judge::Row;
use crate::domain::notation::{san, words_in};
use crate::domain::transmission::compose::{COLUMNS, clip};
use crate::mail::draft::{AttachedReply, DraftMessage};
use crate::mail::ids::MessageId;
use crate::say;

/// The finished draft: what the player's move is and how he sends it, the board after it, and the reply's exact text, which is
/// attached as a mail too. `game` carries the plan, `table` is what his last mail shows of dates and days.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn draft(
    game: &Game,
    root: &str,
    table: &[Row],
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    drafted(&Envelope { game, root, me, now }, table, key, false)
}

/// The finished draft of a move that the player wanted to look at again: it asks whether he still wants it.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn draft_after_hold(
    game: &Game,
    root: &str,
    table: &[Row],
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    drafted(&Envelope { game, root, me, now }, table, key, true)
}

/// The reply itself, for a player who sends it without the mail that brings it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnReply {
    /// To whom, as an address.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
    /// A link that opens it as a new mail (RFC 6068): with its text, where mail programs take so long a link.
    pub link: String,
    /// The whole mail, unsent.
    pub bytes: Vec<u8>,
}

/// The reply of a game with its plan, as the mail that brings its draft has it.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn own_reply(game: &Game, root: &str, table: &[Row], me: &Me, now: DateTime<Utc>) -> Result<OwnReply, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let plan = game.plan.as_ref();
    let plan = plan.ok_or_else(|| LetterError::Game { game: game.id.clone(), why: "no move is chosen".to_owned() })?;
    let letter = envelope.reply(envelope.id(&plan.message_id)?, table)?;
    let with_text = Some(letter_link(&letter, true)).filter(|link| link.len() <= LONGEST_LINK);
    Ok(OwnReply {
        to: letter.to.iter().map(|to| to.address.to_string()).collect::<Vec<_>>().join(", "),
        link: with_text.unwrap_or_else(|| letter_link(&letter, false)),
        bytes: letter.to_bytes()?,
        subject: letter.subject,
        text: letter.body,
    })
}

fn drafted(envelope: &Envelope<'_>, table: &[Row], key: &AnswerKey, asks: bool) -> Result<Letter, LetterError> {
    let Envelope { game, me, .. } = envelope;
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let plan = game.plan.as_ref().ok_or_else(|| broken("no move is chosen".to_owned()))?;
    let letter = envelope.reply(envelope.id(&plan.message_id)?, table)?;
    let planned = game.with_plan_recorded();
    let replay = planned.replay().map_err(|e| broken(e.to_string()))?;
    let (before, played) = replay.plies().last().ok_or_else(|| broken("no move is on record".to_owned()))?;
    let (short, opponent) = (san(before, played), clip(&game.opponent().name, 40));
    let (language, numeric) = (me.language, plan.numeric);
    let still = if asks { say!(language, "still {short}?", short) + " " } else { String::new() };
    let due = game.with_line_taken().due();
    let ready = say!(language, "ready to send to {opponent}: {due} {numeric} ({short})", opponent, due, numeric, short);
    let subject = still + &ready;
    let mut told = Told::default();
    told.line(format!("{due} {numeric}   {short}   {}", words_in(before, played, language)));
    if !plan.before.is_empty() {
        told.paragraph(say!(language, "It takes his line: {line}.", line = plan.in_words(game.due())));
    }
    if asks {
        told.line(say!(language, "You wanted to look at this move again. Do you still want it?"));
    }
    told.paragraph(say!(language, "Nothing has been sent to {opponent}. Your clock runs until you send it.", opponent));
    told.gap();
    how(&mut told, &letter, &opponent, me.styles.are_drafts_placed(), language);
    told.gap();
    told.paragraph(say!(
        language,
        "Not this move? Reply to this mail with  undo  in the first line, or with another move. A reply comes to you alone."
    ));
    told.line(say!(language, "At your computer:  amici undo {game}", game = game.id));
    told.gap();
    told.board(diagram(&planned, &replay, language));
    let id = ready_message_id(&game.id, &plan.message_id, key, me);
    let id = id.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
    bring(envelope, subject, told, id, &letter)
}

/// The ways in which a letter can be sent; `in_drafts` where it is put into the folder for drafts too.
pub(super) fn how(told: &mut Told, letter: &DraftMessage, to: &str, in_drafts: bool, language: Language) {
    told.line(say!(language, "You send it yourself, in one of these ways:"));
    told.point(say!(language, "In Thunderbird or Outlook: open the attached reply.eml and press Send."));
    if in_drafts {
        told.point(say!(language, "In any mail program: open it in your folder for drafts and press Send."));
    }
    told.point(say!(
        language,
        "Elsewhere, as on a telephone: open a new mail to {to} by this link. Where it comes up empty, copy the text below the line into it.",
        to
    ));
    let short = letter_link(letter, false);
    let long = Some(letter_link(letter, true)).filter(|link| link.len() <= LONGEST_LINK);
    told.link_or(short.clone(), long.unwrap_or(short), say!(language, "Open a mail with it"));
    told.paragraph(say!(language, "Do not forward this mail: what stands above the line is for you alone."));
}

/// The mail to the player, with the text of the letter after what he is told and the letter itself attached.
pub(super) fn bring(
    envelope: &Envelope<'_>,
    subject: String,
    mut told: Told,
    id: MessageId,
    letter: &DraftMessage,
) -> Result<Letter, LetterError> {
    told.gap();
    told.line(say!(envelope.me.language, "The text of your mail, from below this line to the end:"));
    told.line("=".repeat(COLUMNS));
    told.gap();
    told.fixed(letter.body.clone());
    let subject = format!("[amici {}] {subject}", envelope.game.id);
    let mut mail = envelope.to_player(subject.clone(), told.plain(), id)?;
    if envelope.me.picture {
        mail.page = told.page(&subject, &mail.message_id, envelope.me.language);
    }
    mail.attached_reply = Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: letter.to_bytes()? });
    finish(mail, envelope.me)
}

/// The Message-ID under which a move of the player's was drafted, where the mail that brought the draft proves it: its own id
/// is made from that of the reply.
pub fn sent_as(
    game: &Game,
    root: &str,
    index: usize,
    key: &AnswerKey,
    me: &Me,
    draft: &str,
    drafted_at: DateTime<Utc>,
) -> Option<String> {
    let mut before = game.clone();
    before.moves.truncate(index);
    let numeric = game.moves.get(index)?.numeric;
    let reply = super::reply_message_id(&before, root, numeric, me, drafted_at).ok()?;
    let ready = ready_message_id(&game.id, &reply, key, me);
    // how such mails were named before their ids held the secret
    let earlier = message_id(&[reply.as_bytes()], &format!("{}.draft", game.id), me);
    let is_draft = |id: Result<MessageId, String>| id.is_ok_and(|id| id.to_string() == draft);
    (is_draft(ready) || is_draft(earlier)).then_some(reply)
}

/// The id of the mail that brings the draft of this reply to the player.
fn ready_message_id(game: &GameId, reply: &str, key: &AnswerKey, me: &Me) -> Result<MessageId, String> {
    message_id(&[key.bytes(), reply.as_bytes()], &format!("{game}.ready"), me)
}
