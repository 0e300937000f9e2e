//! `amici show` without a game: the one that needs the player most, why it comes first, and what to do there.

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::json;

use super::super::line::{Line, Lines, Need, RESEND};
use super::super::narrow::folded;
use super::super::{Exit, Failure, Report, Setup, watched};
use super::shown;
use crate::config::Config;
use crate::deeds::mailed::say_sent;
use crate::deeds::today::Day;
use crate::domain::clock::over::Over;
use crate::domain::game::Game;
use crate::io::store::Asked;
use crate::overview::{Answers, Overview};

pub(super) async fn show(
    setup: &Setup,
    config: &Config,
    in_json: bool,
    at: Option<DateTime<Utc>>,
) -> Result<Report, Failure> {
    let zone = config.me.timezone;
    let Some(mut store) = setup.store_if_any().await? else {
        if in_json {
            return Ok(as_json(None, 0, &Day { now: setup.now, zone, distrust: None }).into());
        }
        return Ok("There is no game yet.\nNext: amici new   or   amici import FILE\n".to_owned().into());
    };
    let day = Day::of(&mut store, zone, setup.now, at).await?;
    let overview = Overview::load(&mut store, &config.me, day.date(), Asked::Running).await?;
    let (answers, sending) = (Answers::at(setup.now, &mut store, config).await?, store.sending_flags().await?);
    let claimed = store.claims().await?;
    let lines = Lines::new(&answers, day.now(), config.notify.urgent_days).sending(&sending).claimed(&claimed, zone);
    let lines = lines.all(&overview)?;
    let first = lines.first().filter(|line| line.need < Need::None);
    let waiting = lines.iter().filter(|line| line.need == Need::None).count();
    if in_json {
        return Ok(as_json(first, waiting, &day).into());
    }
    let Some(line) = first else {
        let games = if waiting == 1 { "game waits for your opponent" } else { "games wait for your opponents" };
        return Ok(folded(format!("{}No game needs you; {waiting} {games}.\n", day.doubt())).into());
    };
    let id = line.summary.id.parse().map_err(|_| Failure::new(Exit::Failed, format!("no game {}", line.summary.id)))?;
    let watched = watched(&mut store, &id).await?;
    let shown = shown(&mut store, config, &watched, &day, false, setup.now).await?;
    Ok(folded(format!("{}\n\n{shown}{}", why(line), step(line, &watched.stored.game, day.date()))).into())
}

/// The game as `status` has it, with why it comes first; `null` where none needs the player.
fn as_json(line: Option<&Line<'_>>, waiting: usize, day: &Day) -> String {
    let document = json!({
        "schema": 1, "now": day.now, "clock_doubt": day.distrust.map(|why| why.to_string()), "waiting": waiting,
        "game": line.map(Line::as_json), "why": line.map(why),
    });
    format!("{document:#}\n")
}

/// Why it comes first.
fn why(line: &Line<'_>) -> String {
    let game = &line.summary;
    let why = match line.need {
        Need::Urgent => "it is urgent",
        Need::Look if game.forced().is_some() => "it is decided on the board, and is to be closed",
        Need::Look if is_held(line) => "a mail is held for it",
        Need::Look if is_missed(line) => "he may not have your last move",
        Need::Look if game.late && line.over.is_none() => "your last move overstepped your time",
        Need::Look if line.over.and_then(Over::reserve).is_some() => "his time may be overstepped",
        Need::Look if game.is_perhaps_late() => "his time is perhaps overstepped",
        Need::Look if game.is_my_turn() && line.over.is_some() => "your time is overstepped",
        Need::Look => "his time is overstepped",
        Need::Move => "it is your move",
        Need::None | Need::Over => "it waits",
    };
    let event = line.event.map(|mark| format!("; {}", mark.dated(game.me, line.over).replacen("  ", ": ", 1)));
    let draw = if game.draw_claim.is_some() { "; you may claim a draw" } else { "" };
    format!("{} needs you most: {why}{draw}{}", game.id, event.unwrap_or_default())
}

fn is_held(line: &Line<'_>) -> bool {
    line.flags.contains(&"held")
}

fn is_missed(line: &Line<'_>) -> bool {
    line.flags.contains(&RESEND)
}

/// What `show` does not say of its own.
fn step(line: &Line<'_>, game: &Game, today: NaiveDate) -> String {
    match (line.summary.drafted, line.need) {
        // the game itself says what to do
        (_, Need::Look) if line.summary.forced().is_some() => String::new(),
        (_, Need::Look) if !is_held(line) && line.summary.is_perhaps_late() => String::new(),
        (_, Need::Look) if line.summary.claimable => String::new(),
        (_, Need::Look)
            if !is_held(line)
                && (is_missed(line) || line.claimed.is_some() || line.summary.late && line.over.is_none()) =>
        {
            String::new()
        }
        (_, Need::Look) if !is_held(line) => {
            format!("Next: amici claim {}   drafts a claim; do it before you answer\n", line.summary.id)
        }
        (_, Need::Look) => "Next: amici review   shows what is held, why, and what to do\n".to_owned(),
        (true, _) => {
            format!("Next: send the draft of {}, then  {}   if his answer is slow\n", game.id, say_sent(game, today))
        }
        _ => String::new(),
    }
}
