//! What the player is told at once and once: a mark that can cost him a game, an overstepped limit, a clock that is doubted.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};

use super::digest::{mail, overstepped_by, paragraph, relative};
use super::{Letter, LetterError};
use crate::config::{Language, Me};
use crate::domain::clock::events::{Mark, MarkKind};
use crate::domain::clock::over::{Awaited, Over};
use crate::domain::clock::trust::Distrust;
use crate::domain::summary::Summary;
use crate::domain::transmission::compose::clip;
use crate::say;

/// The days that the side on the move has used before.
fn used(game: &Summary<'_>, language: Language) -> String {
    super::overstep::used(game.days_used(), game.is_mover_partial(), language)
}

/// The notice that the time of the side on the move is overstepped, told once; `mark` is the limit, `sum` how it comes about, `terms` what a
/// claim of it needs. `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn overstepped(
    game: &Summary<'_>,
    (mark, sum, terms): (&Mark, Option<&str>, Option<&str>),
    cause: &str,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let (language, moment, id) = (me.language, me.moment(now), &game.id);
    let mine = mark.side == game.me;
    let by = overstepped_by(game, moment, language).unwrap_or_default();
    let (words, opponent) = (mark.words_in(game.me, language), clip(&game.opponent, 40));
    // what is awaited of the opponent is no matter of the player's own clock
    let bookable = match game.over(moment, || Awaited::NOTHING) {
        Some(Over::Bookable(from)) => Some(language.instant(from.naive_local())),
        _ => None,
    };
    let headline = match (mine, bookable.is_some()) {
        (true, false) => say!(language, "YOUR TIME IS OVERSTEPPED{by}", by),
        (true, true) => say!(language, "YOUR TIME MAY BE OVERSTEPPED{by}", by),
        (false, false) => say!(language, "HIS TIME IS OVERSTEPPED{by}", by),
        (false, true) => say!(language, "HIS TIME MAY BE OVERSTEPPED{by}", by),
    };
    let mut body = String::new();
    let is_over = match bookable.is_some() {
        false => say!(language, "Game {id} against {opponent}: {headline}.", id, opponent, headline),
        true => say!(
            language,
            "Game {id} against {opponent}: {headline}, unless you book his mail on the next day.",
            id,
            opponent,
            headline = say!(language, "YOUR TIME IS OVERSTEPPED{by}", by)
        ),
    };
    paragraph(&mut body, &is_over);
    if let Some(from) = &bookable {
        let book = say!(
            language,
            "The rules let you book it so: state the next day as that of receipt in your answer, and your time is over from {from} on only.",
            from
        );
        paragraph(&mut body, &book);
    }
    let (key, value) = mark.why(&game.control, language);
    let last = say!(
        language,
        "The last day was {day} ({words}). By the rules of the event, {key}: {value}.",
        day = language.weekday(mark.date),
        words,
        key,
        value
    );
    paragraph(&mut body, &last);
    let (used, days) = (used(game, language), language.days(game.figures(moment).days_this_move));
    let sum = sum.map(|sum| format!(": {sum}")).unwrap_or_default();
    paragraph(&mut body, &say!(language, "{used}, and {days} for this move so far{sum}.", used, days, sum));
    if mine {
        paragraph(&mut body, &say!(language, "He may claim it. Send your move:  amici play {id} MOVE", id));
    } else {
        terms.into_iter().for_each(|terms| paragraph(&mut body, terms));
        let claim = say!(
            language,
            "You may claim it from the director, before you answer his late move. The draft of it, and what speaks against it:"
        );
        paragraph(&mut body, &claim);
        let _ = writeln!(body, "    amici claim {id}\n");
    }
    let _ = writeln!(body, "{}", say!(language, "To see it:  amici show {id}", id));
    let _ = writeln!(body, "{}", say!(language, "You are told of this once."));
    mail(&format!("[amici {id}] {headline}"), body, cause, me, now)
}

/// The notice that no deadline is judged, since the clock of the machine is doubted, told once; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn clock_doubted(why: Distrust, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let language = me.language;
    let mut body = String::new();
    paragraph(&mut body, &say!(language, "NO DEADLINE IS JUDGED: {why}.", why = why.in_words(language)));
    let until = say!(
        language,
        "As long as it is doubted you are told of no last day, and what would get a wrong day is not done. Mails are read as ever."
    );
    paragraph(&mut body, &until);
    paragraph(&mut body, &say!(language, "What to do: {help}", help = why.help_in(language)));
    let _ = writeln!(body, "{}", say!(language, "You are told of this once."));
    let subject = say!(language, "NO DEADLINE IS JUDGED: the clock of this machine is doubted");
    mail(&format!("[amici] {subject}"), body, cause, me, now)
}

/// The notice of one mark, told once; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn urgent(
    game: &Summary<'_>,
    mark: &Mark,
    today: NaiveDate,
    cause: &str,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let (language, id) = (me.language, &game.id);
    let words = mark.words_in(game.me, language);
    let when = relative(mark.date, today, language);
    let opponent = clip(&game.opponent, 40);
    let day = language.weekday(mark.date);
    let mut body = String::new();
    let is_near =
        say!(language, "Game {id} against {opponent}: {words}, {day} ({when}).", id, opponent, words, day, when);
    paragraph(&mut body, &is_near);
    let (key, value) = mark.why(&game.control, language);
    let by_rules = if mark.kind == MarkKind::Unsent {
        say!(
            language,
            "You chose a move, and the finished draft was delivered to you. Nobody has seen it sent, so your clock runs. Send it, or if you have, say on which day:  amici sent {id} --on DATE",
            id
        )
    } else {
        say!(language, "By the rules of the event, {key}: {value}.", key, value)
    };
    paragraph(&mut body, &by_rules);
    let (used, figures) = (used(game, language), game.figures(me.moment(now)));
    let days = figures.days_this_move;
    let so_far = match figures.days_left {
        Some(left) => {
            say!(language, "{used}, {days} for this move so far, {left} left to the control.", used, days, left)
        }
        None => say!(language, "{used}, {days} for this move so far.", used, days),
    };
    paragraph(&mut body, &so_far);
    let _ = writeln!(body, "{}", say!(language, "To see it:  amici show {id}", id));
    let _ = writeln!(body, "{}", say!(language, "You are told of this once."));
    mail(&format!("[amici {id}] {words}, {when}"), body, cause, me, now)
}
