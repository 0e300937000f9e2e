//! The notice of a mail: what it said, what became of it, both clocks, the board, and the reply ready but for the move.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::{
    Envelope, Letter, LetterError, clock_lines, finish, message_id, overstep, remarks, reply_text, transit_help,
    wrapped,
};
use crate::config::Me;
use crate::domain::board::board;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameResult, Side};
use crate::domain::judge::Verdict;
use crate::domain::notation::{san, words};
use crate::domain::transmission::compose::{COLUMNS, clip};
use crate::mail::address::Address;
use crate::mail::draft::AttachedReply;

/// What is told about a mail.
#[derive(Debug, Clone, Copy)]
pub struct Incoming<'a> {
    /// SHA-256 of the mail: makes the notice's id.
    pub sha256: &'a [u8; 32],
    /// The sender's address as it stood there, checked.
    pub from: Option<&'a Address>,
    /// When our server took it.
    pub at: DateTime<Utc>,
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
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let id = message_id(&[incoming.sha256, game.id.as_str().as_bytes()], &format!("{}.notice", game.id), me);
    let id = id.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
    let (headline, body) = match verdict {
        Verdict::Accepted(accepted) => moved(game, accepted, incoming, me, now)?,
        Verdict::Resignation(_) => ends(game, "resigns", win(game), verdict, incoming, me),
        Verdict::DrawAccepted(_) => ends(game, "accepts the draw", GameResult::Draw, verdict, incoming, me),
        Verdict::Held { .. }
        | Verdict::Illegal(_)
        | Verdict::WrongSender(_)
        | Verdict::Repeat(_)
        | Verdict::NotAMove(_) => not_taken(game, verdict, incoming, me),
    };
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), body, id)?;
    if let Verdict::Accepted(accepted) = verdict
        && game.is_my_turn()
    {
        let blank = message_id(&[incoming.sha256, b"blank"], &format!("{}.blank", game.id), me);
        let blank = blank.map_err(|text| LetterError::Header { game: game.id.clone(), text })?;
        let reply = envelope.reply(blank, &accepted.table)?;
        mail.attached_reply = Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: reply.to_bytes()? });
    }
    finish(mail, me)
}

fn moved(
    game: &Game,
    accepted: &crate::domain::judge::Accepted,
    incoming: Incoming<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<(String, String), LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let opponent = clip(&game.opponent().name, 40);
    let (before, played) = replay.plies().last().ok_or_else(|| broken("no move is on record".to_owned()))?;
    let short = san(before, played);
    let headline = format!("{opponent}: {} {} ({short})", accepted.number, accepted.numeric);
    let mut body =
        format!("{opponent} played {} {}   {short}   {}.\n", accepted.number, accepted.numeric, words(before, played));
    if accepted.discrepancies.is_empty() {
        body.push_str("The move is legal; what he states agrees with the record.\n");
    } else {
        body.push_str("The move is legal and recorded. What he states differs from the record:\n");
        let options = textwrap::Options::new(COLUMNS).initial_indent("  - ").subsequent_indent("    ");
        for line in &accepted.discrepancies {
            body.push_str(&textwrap::fill(line, &options));
            body.push('\n');
        }
        if !remarks(game, &accepted.table).is_empty() {
            body.push_str(&format!("Both tables, and how to settle what differs:  amici clock {}\n", game.id));
        }
        body.push_str(&transit_help(game).unwrap_or_default());
    }
    if accepted.draw_offer {
        body.push_str("HE OFFERS A DRAW with this move.\n");
    }
    if !accepted.notes.is_empty() {
        body.push_str("He adds:\n");
        for line in &accepted.notes {
            body.push_str(&format!("  - {line}\n"));
        }
    }
    body.push_str(&super::conditional::told(game, accepted));
    body.push_str(&format!("Our server took his mail on {}.\n\n", local(incoming.at, me.timezone)));
    let today = now.with_timezone(&me.timezone).date_naive();
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    body.push_str(&clock_lines(game, &ledger, today));
    body.push_str(&overstepped(game, &ledger, today));
    body.push('\n');
    body.push_str(&board(shakmaty::Position::board(replay.position()), game.me));
    let standing = replay.standing();
    if let Some(result) = standing.result(game.to_move()) {
        body.push_str(&format!(
            "\nThe position is {} ({}). Report the result to the director.\n",
            standing.words(),
            result.word()
        ));
        return Ok((format!("{headline}, {}", standing.words()), body));
    }
    body.push_str(&format!(
        "\nTo answer:  amici play {} MOVE   (numeric, SAN or c7c5)\n\
         You get a finished draft. Nothing goes to {opponent} unless you send it.\n\n\
         The reply, ready but for the move (also attached as reply.eml):\n\n",
        game.id
    ));
    body.push_str(&reply_text(game, &accepted.table, me)?);
    Ok((format!("{headline} - your move"), body))
}

/// Both sides' overstepped time, before anything is answered.
fn overstepped(game: &Game, ledger: &Ledger, today: chrono::NaiveDate) -> String {
    let mut text = String::new();
    if let Some(over) = overstep(game, ledger, game.me.other(), today) {
        text.push_str(&format!(
            "\nHIS TIME IS {}.\nThe claim is lost by answering. To draft it:  amici claim {}\n",
            over.words(),
            game.id
        ));
    }
    if let Some(over) = overstep(game, ledger, game.me, today) {
        text.push_str(&format!("\nYOUR TIME IS {}.\n", over.words()));
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
) -> (String, String) {
    let headline = format!("{} {what}", clip(&game.opponent().name, 40));
    let body = format!(
        "{headline}. His mail of {}: {}.\n\n\
         The game stays open until you confirm it. Read the mail in your mail client, then close the game with\n    \
         amici result {} {}\nand report the result to the director.\n",
        local(incoming.at, me.timezone),
        verdict.reason(),
        game.id,
        result.word()
    );
    (headline, body)
}

/// The result in which the player wins.
fn win(game: &Game) -> GameResult {
    match game.me {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    }
}

fn not_taken(game: &Game, verdict: &Verdict, incoming: Incoming<'_>, me: &Me) -> (String, String) {
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
    let mut body = format!("A mail from {from} of {} was not taken as a move.\n\n", local(incoming.at, me.timezone));
    let why = format!("Why: {}.", verdict.reason());
    body.push_str(&match verdict {
        Verdict::Repeat(repeated) if repeated.differs => wrapped(&why),
        _ => why + "\n",
    });
    let planned = game.with_plan_recorded();
    let due = planned.due();
    if let Verdict::Held { candidates, .. } = verdict
        && let Ok(replay) = planned.replay()
    {
        for m in candidates {
            if let Ok(legal) = m.to_move(replay.position()) {
                body.push_str(&format!("It may mean {due} {m} ({}).\n", san(replay.position(), &legal.played)));
            }
        }
    }
    body.push_str(&match &game.plan {
        Some(plan) => format!(
            "\nNothing was recorded; game {} stands as before: with your draft {} {} sent, {due} is due.\n",
            game.id,
            game.due(),
            plan.numeric
        ),
        None => format!("\nNothing was recorded; game {} stands as before, {due} is due.\n", game.id),
    });
    let opponent = clip(&game.opponent().name, 40);
    body.push_str(&match verdict {
        Verdict::WrongSender(_) => format!("If {opponent} really wrote from there, ask him by another way before you believe it.\n"),
        Verdict::Illegal(_) => format!("Ask {opponent} for another move; his clock runs on.\n"),
        Verdict::Repeat(repeated) if repeated.differs => {
            format!("To compare his dates and days with yours, and to settle them:\n    amici clock {}\n", game.id)
        }
        Verdict::Repeat(_) => format!("Send your last move again if {opponent} may not have it.\n"),
        Verdict::Accepted(_)
        | Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Held { .. }
        | Verdict::NotAMove(_) => format!(
            "Read the mail in your mail client. If it is clear to you, record his move with\n    amici accept {} MOVE\nelse see the lines in question, and draft a question to {opponent}, with\n    amici review\n",
            game.id
        ),
    });
    (what.to_owned(), body)
}

fn local(at: DateTime<Utc>, zone: Tz) -> String {
    at.with_timezone(&zone).format("%a %d %b %Y %H:%M").to_string()
}
