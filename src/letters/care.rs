//! The texts of the letters by which a player takes care of his games: a repeat, an announcement, leave, a note.
//!
//! None of them holds a move but the repeat, which gives his last one as it was first sent.

use std::fmt::Write;

use chrono::NaiveDate;

use super::speech::Speech;
use super::{LetterError, again, transmission, wrapped};
use crate::config::{Language, Me, Style};
use crate::domain::clock::again::Lost;
use crate::domain::game::{Game, Leave, Side};
use crate::domain::transmission::compose::{COLUMNS, clip, score};

/// The last move of the record once more, with the dates and days that it was first sent with, and what shows that he may not have it.
///
/// # Errors
/// [`LetterError::Game`] when the record does not play out.
pub fn repeat_text(game: &Game, message_id: Option<&str>, lost: Option<Lost>, me: &Me) -> Result<String, LetterError> {
    let mut record = game.clone();
    record.plan = None;
    let mut said = transmission(&record)?;
    said.draw_offer = game.draw_offer == Some(game.me);
    let style = me.styles.of(game.opponent());
    let speech = Speech::of(style.language);
    let mut first_sent = None;
    if let (Some(half), Some(first)) = (said.halves.last_mut(), game.moves.last()) {
        let claimed = first.claimed;
        half.stated.received = claimed.received.or(half.stated.received);
        half.stated.sent = claimed.sent.or(half.stated.sent);
        half.stated.days = claimed.days.or(half.stated.days);
        half.stated.total = claimed.total.or(half.stated.total);
        first_sent = half.stated.sent;
    }
    let mut text = speech.hello(&style);
    let unanswered = match first_sent {
        Some(sent) => speech.say("unanswered", &[("day", &speech.day(sent))]),
        None => speech.say("unanswered_undated", &[]),
    };
    let lost = lost.map(|lost| again::to_opponent(speech, lost));
    text.push_str(&wrapped(&[Some(unanswered), lost].into_iter().flatten().collect::<Vec<_>>().join(" ")));
    if let Some(id) = message_id {
        let _ = writeln!(text, "Message-ID {id}");
    }
    text.push_str(&wrapped(&speech.say("once_more", &[])));
    text.push('\n');
    text.push_str(&super::forms::iccf(&said, style.language)?);
    text.push_str(&speech.farewell(&style, me));
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
    let style = me.styles.of(game.opponent());
    let speech = Speech::of(style.language);
    let mut text = speech.hello(&style);
    let until = speech.day(until);
    text.push_str(&wrapped(&match since {
        Some(since) => speech.say("announce_since", &[("since", &speech.day(since)), ("until", &until)]),
        None => speech.say("announce", &[("until", &until)]),
    }));
    if let Some(words) = words {
        text.push('\n');
        text.push_str(&message_body(words));
    }
    text.push_str(&speech.farewell(&style, me));
    let _ = write!(text, "\n{}\n\n", speech.say("game", &[]));
    let mut record = game.clone();
    record.plan = None;
    text.push_str(&score(&transmission(&record)?));
    Ok(text)
}

/// A note without a move.
pub fn message_text(game: &Game, words: &str, me: &Me) -> String {
    let style = me.styles.of(game.opponent());
    format!("{}{}", message_body(words), Speech::of(style.language).farewell(&style, me))
}

/// The player goes on leave, written in this style; by the rules of all these games it stops the clocks of `both` sides, or his alone.
/// `used` tells of the days of each year that it takes, for the director.
pub fn leave_text(games: &[&Game], (leave, both): (&Leave, bool), used: &[String], style: &Style, me: &Me) -> String {
    let speech = Speech::of(style.language);
    let days = u32::try_from((leave.to - leave.from).num_days() + 1).unwrap_or_default();
    let (from, to) = (speech.day(leave.from), speech.day(leave.to));
    let name = match (days, both) {
        (1, false) => "leave_day",
        (1, true) => "leave_day_both",
        (_, false) => "leave",
        (_, true) => "leave_both",
    };
    let mut text = speech.hello(style);
    text.push_str(&wrapped(&speech.say(name, &[("from", &from), ("to", &to), ("days", &speech.days(days))])));
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
    text.push_str(&speech.farewell(style, me));
    text
}

/// `EM/ZZ/042: leave taken in 2026, with this: 14 days of 30.`: how much leave of a year is taken.
pub fn leave_used(event: &str, days: u32, limit: Option<u32>, year: i32, language: Language) -> String {
    let speech = Speech::of(language);
    let limit_in_words = limit.map(|limit| limit.to_string()).unwrap_or_default();
    let name = if limit.is_some() { "leave_used_of" } else { "leave_used" };
    let with =
        [("event", event), ("days", &speech.days(days)), ("limit", &limit_in_words), ("year", &year.to_string())];
    speech.say(name, &with)
}

fn clip_right(line: &str) -> String {
    line.chars().take(COLUMNS).collect::<String>().trim_end().to_owned()
}

/// What a letter in English ends with, after an empty line.
pub(super) fn farewell(style: &Style, me: &Me) -> String {
    Speech::of(Language::English).farewell(style, me)
}

/// The player's own words as they go out: each of his lines wrapped by itself.
pub fn message_body(words: &str) -> String {
    words.trim().lines().map(|line| wrapped(line.trim_end())).collect()
}
