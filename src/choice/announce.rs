//! The player needs longer: what he announces, and what his rules say to it. For the command line and for his mails alike.

use chrono::{Months, NaiveDate};

use super::{Refusal, screened};
use crate::domain::clock::days::in_words;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::{Ruleset, SilenceEffect};
use crate::domain::clock::settle::meant;
use crate::domain::clock::silence::{Silence, announced};
use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::languages::Language;
use crate::letters;

/// An announcement that can be drafted.
#[derive(Debug, Clone)]
pub struct Announcement {
    /// Since when he thinks.
    pub since: Option<NaiveDate>,
    /// The director has to be told, or the silence may cost the game.
    pub to_director: bool,
    /// What speaks against it, a thought each.
    pub doubts: Vec<String>,
    /// What he should know before he sends it.
    pub hints: Vec<String>,
}

/// The announcement that the player needs until a day.
///
/// # Errors
/// [`Refusal`]: it is not his turn, the day has come, or his words are more than words.
pub fn announcement(
    game: &Game,
    ledger: &Ledger,
    until: NaiveDate,
    today: NaiveDate,
    words: Option<&str>,
) -> Result<Announcement, Refusal> {
    if !game.is_my_turn() {
        return Err(Refusal::NotDue(format!(
            "in game {0} it is {1}'s turn: there is nothing for you to announce\nhelp: his own announcement is entered with `amici announce {0} --his --until DATE`",
            game.id,
            game.opponent().name
        )));
    }
    meant(until, today).map_err(|e| Refusal::NotDue(e.to_string()))?;
    if until <= today {
        return Err(Refusal::NotDue(format!(
            "{until} has come already; today is {today}\nhelp: name the day by which you will answer"
        )));
    }
    let mut doubts: Vec<String> = words.map_or(Ok(None), |words| screened(words, game, today))?.into_iter().collect();
    let clock = ledger.clock(game.me, Some(game.me), until);
    if clock.days_left.is_some_and(|left| left < 0) {
        doubts.push(format!(
            "your own time will be over by then: on {until} it is {}",
            letters::days_left(&clock, Language::English)
        ));
    }
    if let Some(note) = announced(game).filter(|note| note.until == Some(until)) {
        doubts.push(format!("you announced on {} already that you need until {until}", note.on));
    }
    doubts.extend(far_ahead(until, today));
    let rules = ledger.rules();
    let since = ledger.waiting_since().map(|d| d.day);
    let note = ClockNote { ply: game.due_ply(), kind: ClockNoteKind::Announced, on: today, until: Some(until) };
    let too_late = too_late(game, ledger, Some(note));
    Ok(Announcement {
        since,
        to_director: since.is_some_and(|since| director_is_told(rules, since, until)),
        doubts,
        hints: hints(game, rules, since, until).into_iter().chain(too_late).collect(),
    })
}

/// An announcement of more than a year ahead asks: its year may be a slip.
pub fn far_ahead(until: NaiveDate, on: NaiveDate) -> Option<String> {
    let is_far = on.checked_add_months(Months::new(12)).is_some_and(|year| until > year);
    is_far.then(|| format!("{until} is more than a year ahead: is the year right?"))
}

/// That the last announcement, or this one which is about to be made, came when the silence was too long already: what that means.
pub fn too_late(game: &Game, ledger: &Ledger, new: Option<ClockNote>) -> Option<String> {
    let mut game = game.clone();
    game.clock_notes.extend(new);
    let silence = Silence::of(&game, ledger)?;
    let note = silence.announced_too_late().filter(|note| new.is_none_or(|new| new == **note))?;
    Some(format!(
        "by the rules of this game the silence is too long from {} on, and what is announced on {} does not prolong it any more.",
        silence.too_long_from()?,
        note.on
    ))
}

/// A silence that is longer than the rules allow may cost the game unless the director was told.
fn director_is_told(rules: &Ruleset, since: NaiveDate, until: NaiveDate) -> bool {
    let has_effect = match rules.silence.effect {
        SilenceEffect::Warn => false,
        SilenceEffect::TdMayForfeit | SilenceEffect::AutoForfeit => true,
    };
    has_effect && rules.silence.days.is_some_and(|days| (until - since).num_days() > i64::from(days))
}

fn hints(game: &Game, rules: &Ruleset, since: Option<NaiveDate>, until: NaiveDate) -> Vec<String> {
    let mut hints = vec![format!(
        "for your clock it counts once your Sent folder shows it, or you say that you sent it:  amici announce {} --until {until} --sent",
        game.id
    )];
    let Some(days) = since.map(|since| (until - since).num_days()) else { return hints };
    if let Some(after) = rules.announce_after.filter(|after| days <= i64::from(*after)) {
        hints.push(format!(
            "by the rules of this game only a thought of more than {} has to be announced; this is {days}.",
            in_words(after)
        ));
    }
    if let Some(limit) = rules.silence.days.filter(|limit| days > i64::from(*limit) && !rules.silence.extend_by_notice)
    {
        hints.push(format!(
            "by the rules of this game an announcement does not prolong the {} of silence.",
            in_words(limit)
        ));
    }
    hints
}
