//! What a letter has that the player can answer with his move: both clocks, the ways to answer, and the reply ready but for the move. And the
//! notice that a move is his of which no mail came, since an event has begun.

use chrono::{DateTime, Utc};

use super::digest::relative;
use super::page::{Told, diagram};
use super::reply::trouble;
use super::{
    AnswerKey, Envelope, Letter, LetterError, answer_link, answer_mark, clock_lines, finish, message_id, reply_text,
    wrapped,
};
use crate::config::Me;
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::{Pace, marks, next};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::Awaited;
use crate::domain::game::{Game, Side};
use crate::domain::judge::{Row, Verdict};
use crate::domain::notation::{NumericMove, san, words};
use crate::domain::transmission::compose::clip;
use crate::mail::draft::AttachedReply;

/// The notice that the first move, or the next one, is the player's, though no mail told him.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn turn(game: &Game, root: &str, key: &AnswerKey, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    let plies = game.moves.len().to_string();
    let parts = [key.bytes(), b"turn".as_slice(), plies.as_bytes(), game.id.as_str().as_bytes()];
    let id = message_id(&parts, &format!("{}.notice", game.id), me);
    let id = id.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
    let (opponent, due) = (clip(&game.opponent().name, 40), game.due());
    let side = game.me.name();
    let mut told = Told::default();
    let headline = match replay.plies().last() {
        None if game.me == Side::White => {
            let since = game.start_date.map_or(String::new(), |start| format!(" on {}", start.format("%a %d %b %Y")));
            told.paragraph(format!(
                "Your game against {opponent} began{since}. You have White: the first move is yours."
            ));
            format!("{opponent}: you have White - your move")
        }
        None => {
            told.paragraph(format!("Your game against {opponent} begins with a move of Black, and that is yours."));
            format!("{opponent}: you have Black - your move")
        }
        Some((before, played)) => {
            let (number, numeric) = (game.number_of(game.moves.len() - 1), NumericMove::of(played));
            told.paragraph(format!(
                "{opponent} played {number} {numeric}   {}   {}. It stands on record without a mail of his, and the event has begun. \
                 You have {side}, and {due} is yours.",
                san(before, played),
                words(before, played)
            ));
            format!("{opponent}: {number} {numeric} ({}) - your move", san(before, played))
        }
    };
    told.gap();
    clocks(&mut told, game, &ledger, me.moment(now), Awaited::NOTHING);
    told.gap();
    told.board(diagram(game, &replay));
    told.gap();
    answerable(&mut told, game, key, &[], me)?;
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), told.plain(), id)?;
    if me.picture {
        mail.page = told.page(&headline, &mail.message_id);
    }
    mail.attached_reply = Some(attached(&envelope, &[plies.as_bytes(), b"turn"], &[])?);
    finish(mail, me)
}

/// The ways to answer, and the reply as it stands.
pub(super) fn answerable(
    told: &mut Told,
    game: &Game,
    key: &AnswerKey,
    table: &[Row],
    me: &Me,
) -> Result<(), LetterError> {
    let opponent = clip(&game.opponent().name, 40);
    let mark = answer_mark(key, game);
    told.line("Answer in one of three ways (numeric, SAN and c7c5 are all understood):");
    told.line("  1. reply to this mail with nothing but the move in the first line,");
    told.line("     or send it to yourself:");
    told.link(answer_link(me, &mark), "Send the move to yourself");
    told.line(format!("  2. at your computer:  amici play {} MOVE", game.id));
    told.line("  3. open the attached reply.eml, put in your move and send it");
    told.paragraph(format!("By 1 and 2 you get a finished draft. Nothing goes to {opponent} unless you send it."));
    told.line(format!("Code for this move: {mark}"));
    told.gap();
    if let Some(error) = trouble(game, me) {
        told.paragraph(format!(
            "Your template cannot be used, so the reply below is in the form iccf. It was: {error}. Correct it, then try it with \
             `amici check`."
        ));
        told.gap();
    }
    told.line("The reply, ready but for the move (also attached as reply.eml):");
    told.gap();
    told.fixed(reply_text(game, table, me)?);
    Ok(())
}

/// How a mail that waits is settled by a reply to its notice; empty where nothing waits.
pub(super) fn by_reply(game: &Game, verdict: &Verdict, key: &AnswerKey) -> String {
    let words = match verdict {
        Verdict::Held { candidates, .. } if !candidates.is_empty() => {
            "the number of a reading (it goes on record), `ask` (a question to him is drafted) or `ignore` (it is put away)"
        }
        Verdict::Held { .. } | Verdict::Illegal(_) => {
            "`ask` (a question to him is drafted) or `ignore` (it is put away)"
        }
        Verdict::WrongSender(_) => "`ignore` (it is put away)",
        _ => return String::new(),
    };
    let how = wrapped(&format!("By telephone, reply to this mail with one word in the first line: {words}."));
    format!("\n{how}Code for this mail: {}\n", answer_mark(key, game))
}

/// The reply as a file, for a mail client to open; its id is made of these parts.
pub(super) fn attached(envelope: &Envelope<'_>, parts: &[&[u8]], table: &[Row]) -> Result<AttachedReply, LetterError> {
    let id = &envelope.game.id;
    let blank = message_id(parts, &format!("{id}.blank"), envelope.me);
    let blank = blank.map_err(|text| LetterError::Header { game: id.clone(), text })?;
    Ok(AttachedReply { file_name: "reply.eml".to_owned(), bytes: envelope.reply(blank, table)?.to_bytes()? })
}

/// Both clocks, and the next mark on the calendar of a running game.
pub(super) fn clocks(told: &mut Told, game: &Game, ledger: &Ledger, now: Moment, awaited: Awaited) {
    told.lines(&clock_lines(game, ledger, Some(now), awaited));
    let today = now.day;
    let marks = marks(game, ledger, Pace::of(ledger, today).as_ref(), None);
    if let Some(mark) = next(&marks, game.me, now) {
        let when = mark.date.format("%a %d %b %Y");
        told.line(format!("Next: {}, {when} ({}).", mark.words(game.me), relative(mark.date, today)));
    }
}
