//! What the player is told when a mail with his move came back, with the same move to another address, ready to be sent.

use chrono::{DateTime, Utc};

use super::sent::SentCopy;
use super::speech::Speech;
use super::{Envelope, Letter, LetterError, finish, forms, message_id, reply_text, transmission, wrapped};
use crate::config::{Language, Me};
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::game::{Game, GameId, MoveNumber};
use crate::domain::transmission::compose::clip;
use crate::mail::address::Address;
use crate::mail::draft::{AttachedReply, DraftMessage, Mailbox};
use crate::say;

/// A mail that came back.
#[derive(Debug, Clone, Copy)]
pub struct ReturnedMail<'a> {
    /// The place of its move.
    pub number: MoveNumber,
    /// What came back, and why.
    pub reason: &'a str,
    /// Another address of the opponent's.
    pub to: Option<&'a Address>,
    /// That the move went out again since, before the report was read.
    pub again: Option<Lost>,
}

/// That the last move went out again and his days or his silence are not counted from then, with the command that counts them so.
pub fn not_counted(game: &GameId, lost: Lost, language: Language) -> Option<String> {
    let (again, but) = (lost.again?, lost.in_words(language));
    let counts = match lost.sign {
        Sign::CameBack => say!(language, "His days count from the first mail, but {but}.", but),
        Sign::Missed => say!(language, "His silence counts from the first mail, but {but}.", but),
    };
    let command = say!(language, "To count from then:  amici repeat {game} --sent --on {again}", game, again);
    Some(format!("{counts} {command}\n"))
}

/// The notice of a mail that came back.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn bounce_notice(
    game: &Game,
    root: &str,
    returned: &ReturnedMail<'_>,
    report: SentCopy<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let id = |label: &str| {
        message_id(&[report.sha256.as_slice(), label.as_bytes()], &format!("{}.{label}", game.id), me)
            .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let opponent = clip(&game.opponent().name, 40);
    let language = me.language;
    let mut body = wrapped(&say!(language, "A mail server reports: {reason}.", reason = returned.reason));
    body.push_str(&wrapped(&say!(
        language,
        "So {opponent} may not have your move, and his silence is not counted against him. Anybody can write such a report: nothing on record was changed by it.",
        opponent
    )));
    let counted = returned.again.and_then(|lost| not_counted(&game.id, lost, language));
    let again = match returned.to {
        _ if let Some(counted) = &counted => {
            let first = say!(language, "That was the first mail. {counted}", counted);
            body.push_str(&wrapped(&format!("\n{first}")));
            None
        }
        Some(address) => {
            let attached = say!(
                language,
                "The same move to his other address, {address}, is attached as reply.eml. Nothing goes to him unless you send it:",
                address
            );
            body.push_str(&wrapped(&format!("\n{attached}")));
            let text = once_more(game, me)?;
            body.push_str(&format!("\n{text}"));
            let letter = envelope.to_opponent(id("again")?, true, text)?;
            let to = Mailbox { name: Some(game.opponent().name.clone()), address: address.clone() };
            Some(DraftMessage { to: vec![to], ..letter })
        }
        None => {
            let again = say!(
                language,
                "No other address of his is on record. Send it again later, or ask the director for another address."
            );
            body.push_str(&wrapped(&format!("\n{again}")));
            None
        }
    };
    let missed = say!(language, "your {number} did not reach {opponent}", number = returned.number, opponent);
    let headline = format!("!! {missed}");
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), body, id("bounced")?)?;
    if let Some(letter) = again {
        mail.attached_reply = Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: letter.to_bytes()? });
    }
    finish(mail, me)
}

/// The last move as it was sent, or the planned one where nobody has seen it sent.
fn once_more(game: &Game, me: &Me) -> Result<String, LetterError> {
    let style = me.styles.of(game.opponent());
    let move_text = match (&game.plan, game.is_my_turn()) {
        (Some(_), true) => reply_text(game, &[], me)?,
        _ => {
            let mut said = transmission(game)?;
            said.draw_offer = game.draw_offer == Some(game.me);
            forms::iccf(&said, style.language)?
        }
    };
    let speech = Speech::of(style.language);
    let mut text = speech.before(&style, &wrapped(&speech.say("came_back", &[])), &move_text);
    let farewell = speech.farewell(&style, me);
    // a signature of the player's own stands in the reply already
    if !text.ends_with(&farewell) {
        text.push_str(&farewell);
    }
    Ok(text)
}
