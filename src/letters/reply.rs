//! The text of a reply: the form, what the player adds to it, and the proof that it says what was chosen.
//!
//! The default form with nothing added is not read back at every move; a property test has done that.

use super::forms::proof::difference;
use super::forms::{self, FormError, Matter};
use super::{LetterError, own_reasons, paragraph, remarks, transmission};
use crate::config::{Form, Me, Style};
use crate::domain::game::{Game, Plan};
use crate::domain::judge::Row;

/// The text of the reply in the style of the opponent: finished where a move is planned, else ready but for the move; after it
/// what is to be said of the dates and days of the mail that it answers, whose score table is `table`.
///
/// What the player adds to a form, or a form of his own, is read back first: a finished letter says what was chosen.
///
/// # Errors
/// [`LetterError::Game`] when the record does not play out; for a finished one [`LetterError::Form`] and [`LetterError::Misread`].
pub fn reply_text(game: &Game, table: &[Row], me: &Me) -> Result<String, LetterError> {
    let said = transmission(game)?;
    let style = me.styles.of(game.opponent());
    let mut remarks = remarks(game, table, style.language);
    remarks.extend(own_reasons(game, me));
    let remarks = paragraph(&remarks, style.language);
    let matter = Matter::of_game(&said, game);
    let Some(plan) = &game.plan else {
        let since = me.ledger(game).ok().and_then(|l| l.waiting_since()).map(|d| d.day);
        let matter = matter.with_blank(since);
        // a mail is taken in whatever the player's template is worth
        let text = forms::letter(&style, &matter, None, &remarks);
        return Ok(text.or_else(|_| forms::letter(&Style::default(), &matter, None, &remarks))?);
    };
    let letter = |style: &Style, comment: Option<&str>| forms::letter(style, &matter, comment, &remarks);
    let text = letter(&style, plan.comment.as_deref())?;
    if plan.comment.is_none() && style == Style::default() {
        return Ok(text);
    }
    let Some(why) = difference(game, plan, &text) else { return Ok(text) };
    // a date without its year may be taken for another year's: that is the form's own, and no addition makes it so
    let bare = Style { greeting: None, signature: None, ..style.clone() };
    if !matches!(style.form, Form::Own(_)) && difference(game, plan, &letter(&bare, None)?).as_ref() == Some(&why) {
        return Ok(text);
    }
    Err(misread(game, plan, &style, letter, why))
}

/// Why the player's own template cannot write a reply that is ready but for the move; [`reply_text`] then takes the form of the ICCF.
pub(super) fn trouble(game: &Game, me: &Me) -> Option<FormError> {
    let style = me.styles.of(game.opponent());
    let said = transmission(game).ok().filter(|_| matches!(style.form, Form::Own(_)))?;
    forms::letter(&style, &Matter::of_game(&said, game).with_blank(None), None, "").err()
}

/// Which part of a letter is at fault.
fn misread(
    game: &Game,
    plan: &Plan,
    style: &Style,
    letter: impl Fn(&Style, Option<&str>) -> Result<String, FormError>,
    why: String,
) -> LetterError {
    let bare = Style { greeting: None, signature: None, ..style.clone() };
    let read = |style: &Style, comment: Option<&str>| {
        letter(style, comment).map_or_else(|error| Some(error.to_string()), |text| difference(game, plan, &text))
    };
    if let Some(why) = read(&bare, None) {
        let form = style.form.name().to_owned();
        return FormError { form, line: None, why: format!("what it writes would be misread: {why}") }.into();
    }
    if let Some(why) = read(&Style { greeting: style.greeting.clone(), ..bare.clone() }, None) {
        return LetterError::Misread { what: "the greeting".to_owned(), why };
    }
    let lines = plan.comment.iter().flat_map(|comment| comment.lines()).filter(|line| !line.trim().is_empty());
    for line in lines {
        if let Some(why) = read(&bare, Some(line)) {
            return LetterError::Misread { what: format!("\"{}\"", line.trim()), why };
        }
    }
    LetterError::Misread { what: "the letter with what you add to it".to_owned(), why }
}
