//! The opponent waits, and has said so: what the player is told of it, and who gets a copy of his answer.

use chrono::NaiveDate;

use super::wrapped;
use crate::config::{Language, Me};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reminder::{answer_goes_to_director, reminder, reminders};
use crate::domain::clock::rules::DoubleFrom;
use crate::domain::game::Game;
use crate::domain::judge::{Reason, Verdict};
use crate::domain::transmission::compose::clip;
use crate::mail::address::Address;
use crate::say;

/// That he reminded the player, since when days count double where they do, and what settles it otherwise; empty where he did not.
pub fn reminded(game: &Game, me: &Me, language: Language) -> String {
    let days: Vec<String> = reminders(game).map(|on| language.day(on)).collect();
    let Ok(ledger) = me.ledger(game) else { return String::new() };
    if days.is_empty() {
        return String::new();
    }
    let opponent = clip(&game.opponent().name, 40);
    let days = days.join(&format!(" {} ", say!(language, "and on")));
    let mut text =
        wrapped(&say!(language, "{opponent} reminded you on {days} and waits for your answer.", opponent, days));
    if let Some((since, after)) = ledger.reminded().zip(ledger.rules().double_after) {
        text.push_str(&wrapped(&say!(
            language,
            "By the rules of this game your days beyond {after} count double from {day} on. It is assumed that this is the reminder they mean, and that you had not told him before that you need longer. If you had:",
            after, day = language.day(since)
        )));
        text.push_str(&format!("    amici announce {} --until DATE --sent --on DATE\n", game.id));
        text.push_str(&say!(language, "If you both do not take it for a reminder, once you have moved:"));
        text.push('\n');
        text.push_str(&format!("    amici clock set {} {} --days DAYS --why WHY\n", game.id, game.due()));
    }
    match (answer_goes_to_director(game, &ledger), copy_of_answer(game, me)) {
        (true, Some(director)) => {
            text.push_str(&wrapped(&say!(
                language,
                "Your answer goes to the director too: your draft has a copy to {director}.",
                director
            )));
        }
        (true, None) => text.push_str(&wrapped(&say!(
            language,
            "By the rules of this game your answer goes to the director too: {but}",
            but = no_director(game, language)
        ))),
        (false, _) => {}
    }
    text
}

/// Tells the player that a copy to the director is missing.
pub fn no_director(game: &Game, language: Language) -> String {
    let event = if game.event.is_empty() { say!(language, "this game") } else { game.event.clone() };
    say!(
        language,
        "no director of {event} is known here, so he is not among the recipients: name him in the configuration, [[event]] with name and director, or add him by hand.",
        event
    )
}

/// That a mail of his without a move may be a reminder, and the command that enters it as one of the day `on`; `None` where the rules know
/// none by then.
pub(super) fn may_remind(game: &Game, verdict: &Verdict, on: NaiveDate, me: &Me) -> Option<String> {
    let Verdict::Held { reason: Reason::NoMove | Reason::Announces(_), .. } = verdict else { return None };
    reminder(game, &me.ledger(game).ok()?, None, on)?;
    let text = say!(me.language, "It is your move. If he reminds you of that in it, enter it:");
    Some(format!("\n{text}\n    amici repeat {} --his --on {on}\n", game.id))
}

/// The command that enters a held mail of his of the day `on` as a reminder, with what it does, where the rules count double from one; it was
/// `written` on a day, as far as that is known.
pub fn to_remind(game: &Game, written: Option<NaiveDate>, on: NaiveDate) -> Option<(String, &'static str)> {
    let ledger = Ledger::of(game).ok().filter(|ledger| ledger.rules().double_from == DoubleFrom::Reminder)?;
    reminder(game, &ledger, written, on)?;
    Some((format!("amici repeat {} --his --on {on}", game.id), "if he reminds you of his move: your days count double"))
}

/// The director who gets a copy of the player's next move: of each in this event, or since it answers a repeat of which he has a copy.
pub fn copy_of_answer<'m>(game: &Game, me: &'m Me) -> Option<&'m Address> {
    let answers_repeat = || me.ledger(game).is_ok_and(|ledger| answer_goes_to_director(game, &ledger));
    me.styles.copy_to(&game.event).or_else(|| me.styles.director_of(&game.event).filter(|_| answers_repeat()))
}
