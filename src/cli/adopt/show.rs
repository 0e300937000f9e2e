//! What `amici adopt` shows for confirmation: the head of each game, its moves as a table, its position, and what is open.

use super::Ready;
use crate::domain::adopt::{misfits, not_stated};
use crate::domain::board::board;
use crate::domain::game::{Game, Side};
use crate::domain::transmission::compose::score;
use crate::letters::transmission;

/// The proposal as text.
///
/// # Errors
/// Why the game cannot be shown, in words; it was checked before.
pub(super) fn text(ready: &Ready, zone: chrono_tz::Tz) -> Result<String, String> {
    let game = &ready.game;
    let mut text = format!(
        "{}\n  from      {}, {}; {}\n",
        game.id,
        ready.from,
        ready.at.with_timezone(&zone).format("%a %d %b %Y"),
        ready.place.words()
    );
    for mail in &ready.others {
        text.push_str(&format!("  also      {mail}\n"));
    }
    text.push_str(&head(game, ready.why)?);
    text.push('\n');
    text.push_str(&score(&as_stated(game)?));
    text.push('\n');
    let replay = game.replay().map_err(|e| e.to_string())?;
    text.push_str(&board(shakmaty::Position::board(replay.position()), game.me));
    text.push_str(&format!("FEN {}\n", replay.fen()));
    let standing = replay.standing().words();
    if !standing.is_empty() {
        text.push_str(&format!("Position: {standing}\n"));
    }
    let who = if game.is_my_turn() { "you" } else { "your opponent" };
    text.push_str(&format!("To move: {}, {who}\n", game.to_move().name()));
    if game.draw_offer.is_some() {
        text.push_str("He offers a draw.\n");
    }
    let mut not_stated = not_stated(game);
    not_stated.extend(
        ready
            .doubts
            .iter()
            .map(|doubt| format!("the rules: {doubt}; name them with --rules NAME (`amici rules` lists them)")),
    );
    let mut misfits = misfits(game).map_err(|e| e.to_string())?;
    misfits.extend(ready.misfits.iter().cloned());
    for (title, lines) in [
        ("Not stated", not_stated),
        ("Does not fit", misfits),
        ("Not taken", [ready.unused.as_slice(), &ready.left].concat()),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("{title}:\n"));
            lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        }
    }
    Ok(text)
}

/// The game's head, one fact a line.
///
/// # Errors
/// The rules are not usable.
pub(in crate::cli) fn head(game: &Game, why: &str) -> Result<String, String> {
    let player = |side: Side| {
        let player = game.player(side);
        let you = if side == game.me { format!("   (you, {why})") } else { String::new() };
        format!("{} <{}>{you}", player.name, player.emails.join(">, <"))
    };
    let rules = game.ruleset().map_err(|e| e.to_string())?;
    let start = game.start_date.map_or("not stated".to_owned(), |day| day.to_string());
    let event = if game.event.is_empty() { "not stated" } else { &game.event };
    Ok(format!(
        "  event     {event}\n  White     {}\n  Black     {}\n  start     {start}\n  rules     {}\n  notation  {}\n",
        player(Side::White),
        player(Side::Black),
        rules.in_brief(),
        game.notations.join(", ")
    ))
}

/// The score with nothing in it but what the mail states.
fn as_stated(game: &Game) -> Result<crate::domain::transmission::Transmission, String> {
    let mut said = transmission(game).map_err(|e| e.to_string())?;
    for (half, record) in said.halves.iter_mut().zip(&game.moves) {
        half.stated = record.claimed;
        half.stated.sent = record.claimed.sent.or(record.observed.sent);
    }
    Ok(said)
}
