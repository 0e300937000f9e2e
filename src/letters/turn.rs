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
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::{Pace, marks, next};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::Awaited;
use crate::domain::game::{Game, Side};
use crate::domain::judge::{Row, Verdict};
use crate::domain::notation::{NumericMove, san, words_in};
use crate::domain::transmission::compose::clip;
use crate::mail::draft::AttachedReply;
use crate::say;

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
    let (language, opponent, due) = (me.language, clip(&game.opponent().name, 40), game.due());
    let mut told = Told::default();
    let headline = match replay.plies().last() {
        None if game.me == Side::White => {
            told.paragraph(match game.start_date {
                Some(start) => say!(
                    language,
                    "Your game against {opponent} began on {day}. You have White: the first move is yours.",
                    opponent,
                    day = language.weekday(start)
                ),
                None => say!(
                    language,
                    "Your game against {opponent} began. You have White: the first move is yours.",
                    opponent
                ),
            });
            say!(language, "{opponent}: you have White - your move", opponent)
        }
        None => {
            told.paragraph(say!(
                language,
                "Your game against {opponent} begins with a move of Black, and that is yours.",
                opponent
            ));
            say!(language, "{opponent}: you have Black - your move", opponent)
        }
        Some((before, played)) => {
            let (number, numeric) = (game.number_of(game.moves.len() - 1), NumericMove::of(played));
            let short = san(before, played);
            told.paragraph(say!(
                language,
                "{opponent} played {number} {numeric}   {short}   {words}. It stands on record without a mail of his, and the event has begun. You have {side}, and {due} is yours.",
                opponent, number, numeric, short, words = words_in(before, played, language),
                side = game.me.name_in(language), due
            ));
            say!(language, "{opponent}: {number} {numeric} ({short}) - your move", opponent, number, numeric, short)
        }
    };
    told.gap();
    clocks(&mut told, game, &ledger, me.moment(now), Awaited::NOTHING, language);
    told.gap();
    told.board(diagram(game, &replay, language));
    told.gap();
    answerable(&mut told, game, key, &[], me)?;
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), told.plain(), id)?;
    if me.picture {
        mail.page = told.page(&headline, &mail.message_id, language);
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
    let (language, opponent) = (me.language, clip(&game.opponent().name, 40));
    let mark = answer_mark(key, game);
    told.line(say!(language, "Answer in one of three ways (numeric, SAN and c7c5 are all understood):"));
    told.line(format!("  1. {}", say!(language, "reply to this mail with nothing but the move in the first line,")));
    told.line(format!("     {}", say!(language, "or send it to yourself:")));
    told.link(answer_link(me, &mark), say!(language, "Send the move to yourself"));
    told.line(format!("  2. {}", say!(language, "at your computer:  amici play {game} MOVE", game = game.id)));
    told.line(format!("  3. {}", say!(language, "open the attached reply.eml, put in your move and send it")));
    told.paragraph(say!(
        language,
        "By 1 and 2 you get a finished draft. Nothing goes to {opponent} unless you send it.",
        opponent
    ));
    told.line(say!(language, "Code for this move: {mark}", mark));
    told.gap();
    if let Some(error) = trouble(game, me) {
        told.paragraph(say!(
            language,
            "Your template cannot be used, so the reply below is in the form iccf. It was: {error}. Correct it, then try it with `amici check`.",
            error
        ));
        told.gap();
    }
    told.line(say!(language, "The reply, ready but for the move (also attached as reply.eml):"));
    told.gap();
    told.fixed(reply_text(game, table, me)?);
    Ok(())
}

/// How a mail that waits is settled by a reply to its notice; empty where nothing waits.
pub(super) fn by_reply(game: &Game, verdict: &Verdict, key: &AnswerKey, language: Language) -> String {
    let words = match verdict {
        Verdict::Held { candidates, .. } if !candidates.is_empty() => say!(
            language,
            "the number of a reading (it goes on record), `ask` (a question to him is drafted) or `ignore` (it is put away)"
        ),
        Verdict::Held { .. } | Verdict::Illegal(_) => {
            say!(language, "`ask` (a question to him is drafted) or `ignore` (it is put away)")
        }
        Verdict::WrongSender(_) => say!(language, "`ignore` (it is put away)"),
        _ => return String::new(),
    };
    let how =
        wrapped(&say!(language, "By telephone, reply to this mail with one word in the first line: {words}.", words));
    format!("\n{how}{}\n", say!(language, "Code for this mail: {mark}", mark = answer_mark(key, game)))
}

/// The reply as a file, for a mail client to open; its id is made of these parts.
pub(super) fn attached(envelope: &Envelope<'_>, parts: &[&[u8]], table: &[Row]) -> Result<AttachedReply, LetterError> {
    let id = &envelope.game.id;
    let blank = message_id(parts, &format!("{id}.blank"), envelope.me);
    let blank = blank.map_err(|text| LetterError::Header { game: id.clone(), text })?;
    Ok(AttachedReply { file_name: "reply.eml".to_owned(), bytes: envelope.reply(blank, table)?.to_bytes()? })
}

/// Both clocks, and the next mark on the calendar of a running game.
pub(super) fn clocks(told: &mut Told, game: &Game, ledger: &Ledger, now: Moment, awaited: Awaited, language: Language) {
    told.lines(&clock_lines(game, ledger, Some(now), awaited, language));
    let today = now.day;
    let marks = marks(game, ledger, Pace::of(ledger, today).as_ref(), None);
    if let Some(mark) = next(&marks, game.me, now) {
        told.line(say!(
            language,
            "Next: {mark}, {day} ({when}).",
            mark = mark.words_in(game.me, language),
            day = language.weekday(mark.date),
            when = relative(mark.date, today, language)
        ));
    }
}
