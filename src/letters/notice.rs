//! The notice of a mail: what it said, what became of it, both clocks, the board, and the reply ready but for the move.

use chrono::{DateTime, Utc};

use super::page::{Told, diagram};
use super::reminded::may_remind;
use super::turn::{answerable, attached, by_reply, clocks};
use super::writes::{he_also_writes, vouched, why};
use super::{
    AnswerKey, Envelope, Letter, LetterError, board_decides, day_doubts, finish, illegal_help, late_move, message_id,
    overstep, remarks, reminded, to_enter, transit_help, wrapped,
};
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::{Awaited, Over};
use crate::domain::clock::reminder::reminders;
use crate::domain::game::{Game, GameResult, Side, Stated};
use crate::domain::judge::{Accepted, Cause, Reason, Repeated, Verdict};
use crate::domain::notation::{san, words};
use crate::domain::transmission::compose::clip;
use crate::domain::transmission::read::Written;
use crate::mail::address::Address;
use crate::mail::authentication::Finding;

/// What is told about a mail.
#[derive(Debug, Clone, Copy)]
pub struct Incoming<'a> {
    /// SHA-256 of the mail: makes the notice's id.
    pub sha256: &'a [u8; 32],
    /// The sender's address as it stood there, checked.
    pub from: Option<&'a Address>,
    /// What vouches for this sender.
    pub vouching: Option<&'a Finding>,
    /// When our server took it.
    pub at: DateTime<Utc>,
    /// His own words that no program understood: line and text.
    pub unread: &'a [(usize, String)],
    /// What of it a reason stands on.
    pub cause: Option<&'a Cause>,
    /// Of more mails of its kind the digest tells on this day.
    pub is_last: bool,
}

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
    let (headline, told) = match verdict {
        Verdict::Accepted(accepted) => moved(game, accepted, incoming, key, me, now)?,
        Verdict::Resignation(_) => ends(game, "resigns", win(game), verdict, incoming, me),
        Verdict::DrawAccepted(_) => ends(game, "accepts the draw", GameResult::Draw, verdict, incoming, me),
        Verdict::Held { .. }
        | Verdict::Illegal(_)
        | Verdict::WrongSender(_)
        | Verdict::Repeat(_)
        | Verdict::NotAMove(_) => not_taken(game, verdict, incoming, key, me, now),
    };
    let told = told.behind(he_also_writes(&incoming));
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), told.plain(), id)?;
    if me.picture {
        mail.page = told.page(&headline, &mail.message_id);
    }
    if let Verdict::Accepted(accepted) = verdict
        && game.is_my_turn()
        && board_decides(game).is_none()
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
    let opponent = clip(&game.opponent().name, 40);
    let (before, played) = replay.plies().last().ok_or_else(|| broken("no move is on record".to_owned()))?;
    let short = san(before, played);
    let headline = format!("{opponent}: {} {} ({short})", accepted.number, accepted.numeric);
    let mut told = Told::default();
    told.line(format!(
        "{opponent} played {} {}   {short}   {}.",
        accepted.number,
        accepted.numeric,
        words(before, played)
    ));
    let doubted = day_doubts(game);
    if accepted.discrepancies.is_empty() && doubted.is_some() {
        told.line("The move is legal and recorded.");
    } else if accepted.discrepancies.is_empty() {
        let states = accepted.table.iter().any(|row| row.stated != Stated::default());
        let agrees = if states { "; what he states agrees with the record" } else { " and recorded" };
        told.line(format!("The move is legal{agrees}."));
    } else {
        told.line("The move is legal and recorded. What he states differs from the record:");
        accepted.discrepancies.iter().for_each(|line| told.point(line));
        if !remarks(game, &accepted.table, Language::English).is_empty() {
            told.line(format!("Both tables, and how to settle what differs:  amici clock {}", game.id));
        }
        told.lines(&transit_help(game).unwrap_or_default());
    }
    told.lines(&doubted.unwrap_or_default());
    let last = game.moves.len().checked_sub(1);
    told.lines(&last.and_then(|last| illegal_help(game, last)).unwrap_or_default());
    if accepted.draw_offer {
        told.line("HE OFFERS A DRAW with this move.");
    }
    if !accepted.notes.is_empty() {
        told.line("He adds:");
        accepted.notes.iter().for_each(|line| told.point(line));
        let on = incoming.at.with_timezone(&me.timezone).date_naive();
        for (command, what) in accepted.announced.iter().filter_map(|event| to_enter(game, event, on)) {
            told.lines(&format!("To {what}:\n    {command}\n"));
        }
    }
    told.lines(&super::conditional::told(game, accepted));
    let taken = me.local(incoming.at);
    told.line(format!("Our server took his mail on {taken}; {}.", vouched(incoming.vouching)));
    told.gap();
    let moment = me.moment(now);
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    clocks(&mut told, game, &ledger, moment, Awaited::NOTHING);
    told.lines(&overstepped(game, &ledger, moment));
    told.gap();
    told.board(diagram(game, &replay));
    let standing = replay.standing();
    told.gap();
    if let Some([decides, close]) = board_decides(game) {
        told.paragraph(format!("The game is over: {decides}. Its clocks stand, and no answer is due."));
        told.lines(&format!("To close it:  {close}\nThat drafts the report to the director too.\n"));
        return Ok((format!("{headline}, {}", standing.words()), told));
    }
    told.paragraph(
        "If this is not his move, or was misread, reply `wrong`: it is taken back, and his mail waits for you.",
    );
    told.gap();
    answerable(&mut told, game, key, &accepted.table, me)?;
    Ok((format!("{headline} - your move"), told))
}

/// Both sides' overstepped time, before anything is answered.
fn overstepped(game: &Game, ledger: &Ledger, now: Moment) -> String {
    let mut text = late_move(game, ledger, None);
    if let Some(over) = overstep(game, ledger, game.me, now).filter(|over| !over.was_sent) {
        let reserve = Over::of(ledger.certainly_over_from(), None, now).reserve();
        let (perhaps, reserve) = match reserve {
            Some(reserve) => ("perhaps ", format!(": {reserve}")),
            None => ("", String::new()),
        };
        text.push_str(&format!("\n{}", wrapped(&format!("YOUR TIME IS {perhaps}{}{reserve}.", over.words()))));
    }
    text
}

/// He resigns or accepts a draw: the game is closed by the player alone.
fn ends(
    game: &Game,
    what: &str,
    result: GameResult,
    verdict: &Verdict,
    incoming: Incoming<'_>,
    me: &Me,
) -> (String, Told) {
    let headline = format!("{} {what}", clip(&game.opponent().name, 40));
    let mut told = Told::default();
    told.lines(&format!(
        "{headline}. His mail of {}: {}.\n\n\
         The game stays open until you confirm it. Read the mail in your mail client, then close the game with\n    \
         amici result {} {}\nand report the result to the director.\n",
        me.local(incoming.at),
        verdict.reason(),
        game.id,
        result.word()
    ));
    (headline, told)
}

/// The result in which the player wins.
fn win(game: &Game) -> GameResult {
    match game.me {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    }
}

/// The player's last move as the mail repeats it, where another one is on record.
pub fn misread<'v>(game: &Game, verdict: &'v Verdict) -> Option<&'v Written> {
    let last = game.moves.len().checked_sub(1).map(|last| game.number_of(last));
    match verdict {
        Verdict::Held { reason: Reason::Contradiction { number, his, .. }, .. } => {
            (Some(*number) == last && number.side == game.me).then_some(his)
        }
        _ => None,
    }
}

/// He answers another move than the one that was sent.
fn answers_another(
    game: &Game,
    his: &Written,
    verdict: &Verdict,
    incoming: Incoming<'_>,
    me: &Me,
) -> Option<(String, Told)> {
    let last = game.moves.len().checked_sub(1)?;
    let (number, numeric) = (game.number_of(last), game.moves.get(last)?.numeric);
    let replay = game.replay().ok()?;
    let (before, played) = replay.plies().last()?;
    let opponent = clip(&game.opponent().name, 40);
    let mut told = Told::default();
    told.paragraph(format!(
        "Your move is on record as {number} {numeric} ({}). In his mail of {} {opponent} repeats it as {number} {his}, so he may have \
         answered in another position.",
        san(before, played),
        me.local(incoming.at)
    ));
    told.gap();
    told.paragraph(format!(
        "Nothing of his mail was recorded, and {} is due: {}.",
        game.due(),
        why(verdict, &incoming)
    ));
    told.gap();
    told.line("Look into your Sent folder which move you sent.");
    told.point(format!("You sent {number} {numeric}: tell him so. `amici review` drafts a question to him, with the game as you have it."));
    told.point("You sent what he repeats: the record is wrong. Write to him before you do anything else, and to the director if you do not agree.");
    Some((format!("{opponent} repeats your move as {number} {his}, on record is {numeric}"), told))
}

fn not_taken(
    game: &Game,
    verdict: &Verdict,
    incoming: Incoming<'_>,
    key: &AnswerKey,
    me: &Me,
    now: DateTime<Utc>,
) -> (String, Told) {
    let another = misread(game, verdict).and_then(|his| answers_another(game, his, verdict, incoming, me));
    let day = incoming.at.with_timezone(&me.timezone).date_naive();
    let reminds = reminders(game).any(|other| other == day);
    if let Verdict::Repeat(repeated) = verdict
        && reminds
    {
        return reminds_him(game, repeated, incoming, me, now);
    }
    let (what, mut told) = another.unwrap_or_else(|| refused(game, verdict, incoming, me));
    told.lines(&by_reply(game, verdict, key));
    let planned = game.with_plan_recorded();
    if let (Verdict::Held { .. } | Verdict::Illegal(_), Ok(replay)) = (verdict, planned.replay()) {
        told.gap();
        if let Ok(ledger) = me.ledger(game) {
            clocks(&mut told, game, &ledger, me.moment(now), Awaited::HELD);
            told.gap();
        }
        told.board(diagram(&planned, &replay));
    }
    told.lines(&may_remind(game, verdict, day, me).unwrap_or_default());
    (what, told)
}

/// He repeats the move that waits for the player, who thinks.
fn reminds_him(
    game: &Game,
    repeated: &Repeated,
    incoming: Incoming<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> (String, Told) {
    let opponent = clip(&game.opponent().name, 40);
    let mut told = Told::default();
    told.lines(&reminded(game, me));
    told.paragraph(format!("His mail of {}: {}.", me.local(incoming.at), repeated.text));
    if repeated.differs {
        told.line(format!("To compare his dates and days with yours:  amici clock {}", game.id));
    }
    told.gap();
    if let Ok(ledger) = me.ledger(game) {
        clocks(&mut told, game, &ledger, me.moment(now), Awaited::NOTHING);
        told.gap();
    }
    told.paragraph(match &game.plan {
        Some(plan) => format!(
            "Your draft with {} was not seen to be sent: send it, or if you have, say on which day:  amici sent {} --on DATE",
            plan.in_words(game.due()),
            game.id
        ),
        None => format!("To answer:  amici play {} MOVE", game.id),
    });
    (format!("{opponent} reminds you: {} is yours", game.due()), told)
}

/// The mail was not taken, why, and what can be done.
fn refused(game: &Game, verdict: &Verdict, incoming: Incoming<'_>, me: &Me) -> (String, Told) {
    let what = match verdict {
        Verdict::Illegal(_) => "an illegal move",
        Verdict::WrongSender(_) => "a mail from a wrong sender",
        Verdict::Repeat(_) => "a repeat",
        Verdict::Accepted(_)
        | Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Held { .. }
        | Verdict::NotAMove(_) => "a mail needs your look",
    };
    let from = incoming.from.map_or("an unknown sender".to_owned(), ToString::to_string);
    let mut body = format!("A mail from {from} of {} was not taken as a move.\n\n", me.local(incoming.at));
    let why = format!("Why: {}.", why(verdict, &incoming));
    body.push_str(&match verdict {
        Verdict::Repeat(repeated) if repeated.differs => wrapped(&why),
        _ => why + "\n",
    });
    let planned = game.with_plan_recorded();
    let due = planned.due();
    if let Verdict::Held { candidates, .. } = verdict
        && let Ok(replay) = planned.replay()
    {
        for (m, number) in candidates.iter().zip(1..) {
            if let Ok(legal) = m.to_move(replay.position()) {
                body.push_str(&format!(
                    "It may mean {due} {m} ({}). To record it, reply  {number}\n",
                    san(replay.position(), &legal.played)
                ));
            }
        }
    }
    body.push_str(&match &game.plan {
        Some(plan) => format!(
            "\nNothing was recorded; game {} stands as before: with your draft {} sent, {due} is due.\n",
            game.id,
            plan.in_words(game.due())
        ),
        None => format!("\nNothing was recorded; game {} stands as before, {due} is due.\n", game.id),
    });
    let opponent = clip(&game.opponent().name, 40);
    body.push_str(&match verdict {
        Verdict::WrongSender(Reason::NotTheOpponent { from, .. }) => format!(
            "If {opponent} really wrote from there, ask him by another way before you believe it. Then add the address; it takes the mail:\n    amici edit {} --add-address {from}\n",
            game.id
        ),
        Verdict::WrongSender(_) => format!("If {opponent} really wrote from there, ask him by another way before you believe it.\n"),
        Verdict::Illegal(_) => format!("Ask {opponent} for another move; his clock runs on.\n"),
        Verdict::Repeat(repeated) if repeated.differs => {
            format!("To compare his dates and days with yours, and to settle them:\n    amici clock {}\n", game.id)
        }
        Verdict::Repeat(_) => format!("Send your last move again if {opponent} may not have it:\n    amici repeat {}\n", game.id),
        Verdict::Accepted(_)
        | Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Held { .. }
        | Verdict::NotAMove(_) => format!(
            "Read the mail in your mail client. If it is clear to you, record his move with\n    amici accept {} MOVE\nelse see the lines in question, and draft a question to {opponent}, with\n    amici review\n",
            game.id
        ),
    });
    let mut told = Told::default();
    told.lines(&body);
    (what.to_owned(), told)
}
