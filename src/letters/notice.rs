//! The notice of a mail: what it said, what became of it, both clocks, the board, and the reply ready but for the move.

use chrono::{DateTime, Utc};

use super::announced::to_enter_it;
use super::incoming::Incoming;
use super::not_taken::not_taken;
use super::page::{Told, diagram};
use super::turn::{answerable, attached, clocks};
use super::writes::{he_also_writes, vouched};
use super::{
    AnswerKey, Envelope, Letter, LetterError, board_decides, day_doubts, finish, illegal_help, late_move, message_id,
    overstep, remarks, to_enter, transit_help, wrapped,
};
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::{Awaited, Over};
use crate::domain::game::{Game, GameResult, Side, Stated};
use crate::domain::judge::{Accepted, Verdict};
use crate::domain::notation::{san, words_in};
use crate::domain::transmission::compose::clip;
use crate::say;

/// The notice of a mail's verdict. `game` is the record after it.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn notice(
    game: &Game,
    root: &str,
    verdict: &Verdict,
    incoming: Incoming<'_>,
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let parts = [key.bytes(), incoming.sha256, game.id.as_str().as_bytes()];
    let id = message_id(&parts, &format!("{}.notice", game.id), me);
    let id = id.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
    let opponent = clip(&game.opponent().name, 40);
    let (headline, told) = match verdict {
        Verdict::Accepted(accepted) => moved(game, accepted, incoming, key, me, now)?,
        Verdict::Resignation(_) => {
            ends(game, say!(me.language, "{opponent} resigns", opponent), win(game), verdict, incoming, me)
        }
        Verdict::DrawAccepted(_) => {
            let accepts = say!(me.language, "{opponent} accepts the draw", opponent);
            ends(game, accepts, GameResult::Draw, verdict, incoming, me)
        }
        Verdict::Held { .. }
        | Verdict::Illegal(_)
        | Verdict::WrongSender(_)
        | Verdict::Repeat(_)
        | Verdict::NotAMove(_) => not_taken(game, verdict, incoming, key, me, now),
    };
    let told = told.behind(he_also_writes(&incoming, me.language));
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), told.plain(), id)?;
    if me.picture {
        mail.page = told.page(&headline, &mail.message_id, me.language);
    }
    if let Verdict::Accepted(accepted) = verdict
        && game.is_my_turn()
        && board_decides(game, me.language).is_none()
    {
        mail.attached_reply = Some(attached(&envelope, &[incoming.sha256, b"blank"], &accepted.table)?);
    }
    finish(mail, me)
}

fn moved(
    game: &Game,
    accepted: &Accepted,
    incoming: Incoming<'_>,
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<(String, Told), LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let (language, opponent) = (me.language, clip(&game.opponent().name, 40));
    let (number, numeric) = (accepted.number, accepted.numeric);
    let (before, played) = replay.plies().last().ok_or_else(|| broken("no move is on record".to_owned()))?;
    let short = san(before, played);
    let headline = format!("{opponent}: {number} {numeric} ({short})");
    let mut told = Told::default();
    told.line(say!(
        language,
        "{opponent} played {number} {numeric}   {short}   {words}.",
        opponent,
        number,
        numeric,
        short,
        words = words_in(before, played, language)
    ));
    let doubted = day_doubts(game, language);
    let states = accepted.table.iter().any(|row| row.stated != Stated::default());
    if !accepted.discrepancies.is_empty() {
        told.line(say!(language, "The move is legal and recorded. What he states differs from the record:"));
        accepted.discrepancies.iter().for_each(|line| told.point(line.in_words(language)));
        if !remarks(game, &accepted.table, Language::English).is_empty() {
            let game = &game.id;
            told.line(say!(language, "Both tables, and how to settle what differs:  amici clock {game}", game));
        }
        told.lines(&transit_help(game, language).unwrap_or_default());
    } else if states && doubted.is_none() {
        told.line(say!(language, "The move is legal; what he states agrees with the record."));
    } else {
        told.line(say!(language, "The move is legal and recorded."));
    }
    told.lines(&doubted.unwrap_or_default());
    let last = game.moves.len().checked_sub(1);
    told.lines(&last.and_then(|last| illegal_help(game, last, language)).unwrap_or_default());
    if accepted.draw_offer {
        told.line(say!(language, "HE OFFERS A DRAW with this move."));
    }
    if !accepted.notes.is_empty() {
        told.line(say!(language, "He adds:"));
        accepted.notes.iter().for_each(|line| told.point(line));
        let on = incoming.at.with_timezone(&me.timezone).date_naive();
        for event in &accepted.announced {
            if let Some((command, _)) = to_enter(game, event, on) {
                told.lines(&format!("{}\n    {command}\n", to_enter_it(event, language)));
            }
        }
    }
    told.lines(&super::conditional::told(game, accepted, language));
    told.line(say!(
        language,
        "Our server took his mail on {day}; {vouched}.",
        day = me.local_words(incoming.at),
        vouched = vouched(incoming.vouching, language)
    ));
    told.gap();
    let moment = me.moment(now);
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    clocks(&mut told, game, &ledger, moment, Awaited::NOTHING, language);
    told.lines(&overstepped(game, &ledger, moment, language));
    told.gap();
    told.board(diagram(game, &replay, language));
    let standing = replay.standing();
    told.gap();
    if let Some([decides, close]) = board_decides(game, language) {
        told.paragraph(say!(language, "The game is over: {decides}. Its clocks stand, and no answer is due.", decides));
        told.line(say!(language, "To close it:  {command}", command = close));
        told.line(say!(language, "That drafts the report to the director too."));
        return Ok((format!("{headline}, {}", standing.words_in(language)), told));
    }
    told.paragraph(say!(
        language,
        "If this is not his move, or was misread, reply `wrong`: it is taken back, and his mail waits for you."
    ));
    told.gap();
    answerable(&mut told, game, key, &accepted.table, me)?;
    Ok((format!("{headline} - {}", say!(language, "your move")), told))
}

/// Both sides' overstepped time, before anything is answered.
fn overstepped(game: &Game, ledger: &Ledger, now: Moment, language: Language) -> String {
    let mut text = late_move(game, ledger, None, language);
    if let Some(over) = overstep(game, ledger, game.me, now).filter(|over| !over.was_sent) {
        let overstepped = over.words_in(language);
        let line = match Over::of(ledger.certainly_over_from(), None, now).reserve_in(language) {
            Some(reserve) => {
                say!(language, "YOUR TIME IS perhaps {overstepped}: {reserve}.", overstepped, reserve)
            }
            None => say!(language, "YOUR TIME IS {overstepped}.", overstepped),
        };
        text.push_str(&format!("\n{}", wrapped(&line)));
    }
    text
}

/// He resigns or accepts a draw: the game is closed by the player alone.
fn ends(
    game: &Game,
    headline: String,
    result: GameResult,
    verdict: &Verdict,
    incoming: Incoming<'_>,
    me: &Me,
) -> (String, Told) {
    let language = me.language;
    let (day, why) = (me.local_words(incoming.at), verdict.reason_in(language));
    let said = say!(language, "{headline}. His mail of {day}: {why}.", headline, day, why);
    let close = say!(
        language,
        "The game stays open until you confirm it. Read the mail in your mail client, then close the game with"
    );
    let mut told = Told::default();
    told.lines(&format!("{said}\n\n{close}\n    amici result {} {}\n", game.id, result.word()));
    told.line(say!(language, "and report the result to the director."));
    (headline, told)
}

/// The result in which the player wins.
fn win(game: &Game) -> GameResult {
    match game.me {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    }
}
