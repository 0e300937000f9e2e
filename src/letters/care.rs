//! The texts of the letters by which a player takes care of his games: a repeat, an announcement, leave, a note.
//!
//! None of them holds a move but the repeat, which gives his last one as it was first sent.

use std::fmt::Write;

use chrono::NaiveDate;

use super::remarks::day;
use super::{LetterError, transmission, wrapped};
use crate::config::{Me, Style};
use crate::domain::game::{Game, Leave, Side};
use crate::domain::transmission::compose::{COLUMNS, clip, score};

/// The last move of the record once more, with the dates and days that it was first sent with.
///
/// # Errors
/// [`LetterError::Game`] when the record does not play out.
pub fn repeat_text(game: &Game, message_id: Option<&str>, me: &Me) -> Result<String, LetterError> {
    let mut record = game.clone();
    record.plan = None;
    let mut said = transmission(&record)?;
    said.draw_offer = game.draw_offer == Some(game.me);
    let style = me.styles.of(game.opponent());
    let mut text = hello(&style) + "I have had no answer to my last move";
    if let (Some(half), Some(first)) = (said.halves.last_mut(), game.moves.last()) {
        let claimed = first.claimed;
        half.stated.received = claimed.received.or(half.stated.received);
        half.stated.sent = claimed.sent.or(half.stated.sent);
        half.stated.days = claimed.days.or(half.stated.days);
        half.stated.total = claimed.total.or(half.stated.total);
        if let Some(sent) = half.stated.sent {
            let _ = write!(text, ", first sent on {}", day(sent));
        }
    }
    text.push_str(".\n");
    if let Some(id) = message_id {
        let _ = writeln!(text, "Message-ID {id}");
    }
    text.push_str("Here it is once more; its dates and days stand as they were.\n\n");
    text.push_str(&super::compose(&said)?);
    text.push_str(&farewell(&style, me));
    Ok(text)
}

/// The player needs longer than the rules let pass in silence.
///
/// # Errors
/// [`LetterError::Game`] when the record does not play out.
pub fn announce_text(
    game: &Game,
    since: Option<NaiveDate>,
    until: NaiveDate,
    words: Option<&str>,
    me: &Me,
) -> Result<String, LetterError> {
    let received = since.map(|since| format!(", which I received on {}", day(since))).unwrap_or_default();
    let style = me.styles.of(game.opponent());
    let mut text = hello(&style);
    text.push_str(&wrapped(&format!(
        "your last mail{received}, needs a long thought: I expect to answer by {}. There is no need to repeat it.",
        day(until)
    )));
    if let Some(words) = words {
        text.push('\n');
        text.push_str(&message_body(words));
    }
    text.push_str(&farewell(&style, me));
    text.push_str("\nThe game as I have it:\n\n");
    let mut record = game.clone();
    record.plan = None;
    text.push_str(&score(&transmission(&record)?));
    Ok(text)
}

/// A note without a move.
pub fn message_text(words: &str, me: &Me) -> String {
    format!("{}{}", message_body(words), farewell(me.styles.for_others(), me))
}

/// The player goes on leave. `used` tells of the days of each year that it takes, for the director.
pub fn leave_text(games: &[&Game], leave: &Leave, used: &[String], me: &Me) -> String {
    let days = (leave.to - leave.from).num_days() + 1;
    let span = if days == 1 {
        format!("on {} (1 day)", day(leave.from))
    } else {
        format!("from {} to {} ({days} days)", day(leave.from), day(leave.to))
    };
    let style = me.styles.for_others();
    let mut text = hello(style);
    text.push_str(&wrapped(&format!(
        "I shall be on leave {span}, both days included. My clock stands still on these days. It concerns:"
    )));
    text.push('\n');
    for game in games {
        let surname = |side: Side| clip(&game.player(side).name, 40);
        let line = format!("  {}: {} - {}", clip(&game.event, 30), surname(Side::White), surname(Side::Black));
        let _ = writeln!(text, "{}", clip_right(&line));
    }
    if !used.is_empty() {
        text.push('\n');
        for line in used {
            text.push_str(&wrapped(line));
        }
    }
    text.push_str(&farewell(style, me));
    text
}

fn clip_right(line: &str) -> String {
    line.chars().take(COLUMNS).collect::<String>().trim_end().to_owned()
}

/// What a letter begins with, and an empty line.
pub(super) fn hello(style: &Style) -> String {
    format!("{}\n\n", style.greeting.as_deref().unwrap_or("Hello,"))
}

/// What a letter ends with, behind an empty line.
pub(super) fn farewell(style: &Style, me: &Me) -> String {
    match &style.signature {
        Some(signature) => format!("\n{signature}\n"),
        None => format!("\nKind regards\n{}\n", clip(&me.name, COLUMNS)),
    }
}

/// The player's own words as they go out: each of his lines wrapped by itself.
pub fn message_body(words: &str) -> String {
    words.trim().lines().map(|line| wrapped(line.trim_end())).collect()
}
