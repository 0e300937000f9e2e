//! The notice of a mail that was not taken as a move: why, what it may mean, and what the player can do about it.

use chrono::{DateTime, Utc};

use super::incoming::Incoming;
use super::page::{Told, diagram};
use super::reminded::may_remind;
use super::turn::{by_reply, clocks};
use super::writes::why;
use super::{AnswerKey, reminded, wrapped};
use crate::config::{Language, Me};
use crate::domain::clock::over::Awaited;
use crate::domain::clock::reminder::reminders;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Repeated, Verdict};
use crate::domain::notation::san;
use crate::domain::transmission::compose::clip;
use crate::domain::transmission::read::Written;
use crate::say;

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
    let (language, opponent) = (me.language, clip(&game.opponent().name, 40));
    let mut told = Told::default();
    told.paragraph(say!(
        language,
        "Your move is on record as {number} {numeric} ({short}). In his mail of {day} {opponent} repeats it as {number} {his}, so he may have answered in another position.",
        number, numeric, short = san(before, played), day = me.local_words(incoming.at), opponent, his
    ));
    told.gap();
    told.paragraph(say!(
        language,
        "Nothing of his mail was recorded, and {due} is due: {why}.",
        due = game.due(),
        why = why(verdict, &incoming, language)
    ));
    told.gap();
    told.line(say!(language, "Look into your Sent folder which move you sent."));
    told.point(say!(
        language,
        "You sent {number} {numeric}: tell him so. `amici review` drafts a question to him, with the game as you have it.",
        number, numeric
    ));
    told.point(say!(
        language,
        "You sent what he repeats: the record is wrong. Write to him before you do anything else, and to the director if you do not agree."
    ));
    let headline = say!(
        language,
        "{opponent} repeats your move as {number} {his}, on record is {numeric}",
        opponent,
        number,
        his,
        numeric
    );
    Some((headline, told))
}

pub(super) fn not_taken(
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
    told.lines(&by_reply(game, verdict, key, me.language));
    let planned = game.with_plan_recorded();
    if let (Verdict::Held { .. } | Verdict::Illegal(_), Ok(replay)) = (verdict, planned.replay()) {
        told.gap();
        if let Ok(ledger) = me.ledger(game) {
            clocks(&mut told, game, &ledger, me.moment(now), Awaited::HELD, me.language);
            told.gap();
        }
        told.board(diagram(&planned, &replay, me.language));
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
    let (language, opponent) = (me.language, clip(&game.opponent().name, 40));
    let mut told = Told::default();
    told.lines(&reminded(game, me, language));
    told.paragraph(say!(
        language,
        "His mail of {day}: {text}.",
        day = me.local_words(incoming.at),
        text = repeated.text.in_words(language)
    ));
    if repeated.differs {
        told.line(say!(language, "To compare his dates and days with yours:  amici clock {game}", game = game.id));
    }
    told.gap();
    if let Ok(ledger) = me.ledger(game) {
        clocks(&mut told, game, &ledger, me.moment(now), Awaited::NOTHING, language);
        told.gap();
    }
    told.paragraph(match &game.plan {
        Some(plan) => say!(
            language,
            "Your draft with {plan} was not seen to be sent: send it, or if you have, say on which day:  amici sent {game} --on DATE",
            plan = plan.in_words(game.due()), game = game.id
        ),
        None => say!(language, "To answer:  amici play {game} MOVE", game = game.id),
    });
    (say!(language, "{opponent} reminds you: {due} is yours", opponent, due = game.due()), told)
}

/// The mail was not taken, why, and what can be done.
fn refused(game: &Game, verdict: &Verdict, incoming: Incoming<'_>, me: &Me) -> (String, Told) {
    let language = me.language;
    let what = match verdict {
        Verdict::Illegal(_) => say!(language, "an illegal move"),
        Verdict::WrongSender(_) => say!(language, "a mail from a wrong sender"),
        Verdict::Repeat(_) => say!(language, "a repeat"),
        Verdict::Accepted(_)
        | Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Held { .. }
        | Verdict::NotAMove(_) => say!(language, "a mail needs your look"),
    };
    let from = incoming.from.map_or_else(|| say!(language, "an unknown sender"), ToString::to_string);
    let day = me.local_words(incoming.at);
    let mut body = say!(language, "A mail from {from} of {day} was not taken as a move.", from, day) + "\n\n";
    let why = say!(language, "Why: {why}.", why = why(verdict, &incoming, language));
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
                let short = san(replay.position(), &legal.played);
                body.push_str(&say!(
                    language,
                    "It may mean {due} {m} ({short}). To record it, reply  {number}",
                    due,
                    m,
                    short,
                    number
                ));
                body.push('\n');
            }
        }
    }
    let stands = match &game.plan {
        Some(plan) => say!(
            language,
            "Nothing was recorded; game {game} stands as before: with your draft {plan} sent, {due} is due.",
            game = game.id,
            plan = plan.in_words(game.due()),
            due
        ),
        None => {
            say!(language, "Nothing was recorded; game {game} stands as before, {due} is due.", game = game.id, due)
        }
    };
    body.push_str(&format!("\n{stands}\n"));
    body.push_str(&next_step(game, verdict, language));
    let mut told = Told::default();
    told.lines(&body);
    (what, told)
}

/// What the player does about a mail that was not taken, with the commands for it.
fn next_step(game: &Game, verdict: &Verdict, language: Language) -> String {
    let (id, opponent) = (&game.id, clip(&game.opponent().name, 40));
    let ask = || {
        say!(language, "If {opponent} really wrote from there, ask him by another way before you believe it.", opponent)
    };
    match verdict {
        Verdict::WrongSender(Reason::NotTheOpponent { from, .. }) => {
            let add = say!(language, "Then add the address; it takes the mail:");
            format!("{} {add}\n    amici edit {id} --add-address {from}\n", ask())
        }
        Verdict::WrongSender(_) => ask() + "\n",
        Verdict::Illegal(_) => say!(language, "Ask {opponent} for another move; his clock runs on.", opponent) + "\n",
        Verdict::Repeat(repeated) if repeated.differs => {
            let compare = say!(language, "To compare his dates and days with yours, and to settle them:");
            format!("{compare}\n    amici clock {id}\n")
        }
        Verdict::Repeat(_) => {
            let again = say!(language, "Send your last move again if {opponent} may not have it:", opponent);
            format!("{again}\n    amici repeat {id}\n")
        }
        Verdict::Accepted(_)
        | Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Held { .. }
        | Verdict::NotAMove(_) => {
            let record =
                say!(language, "Read the mail in your mail client. If it is clear to you, record his move with");
            let review =
                say!(language, "else see the lines in question, and draft a question to {opponent}, with", opponent);
            format!("{record}\n    amici accept {id} MOVE\n{review}\n    amici review\n")
        }
    }
}
