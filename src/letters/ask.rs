//! The question to an opponent about a mail that was held: his own lines, how they can be read, and what is asked of him.
//!
//! A finished draft like that of a move: it goes to the player, who sends it himself. What will surprise you: the answer will
//! mostly quote the question. So the readings have no move number, and his quoted lines bear a mark by which the intake
//! knows them again ([`is_quotation`]): old words of his, told back to him, cast no doubt on the new ones. Not covered: a
//! language for each opponent; the caller names it.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};
use shakmaty::{Chess, Move};

use super::page::Told;
use super::ready::{bring, how};
use super::speech::Speech;
use super::{Envelope, Letter, LetterError, label_of, message_id, transmission, wrapped};
use crate::config::{Language, Me};
use crate::domain::game::Game;
use crate::domain::notation::{NumericMove, san};
use crate::domain::transmission::compose::{COLUMNS, clip, score};
use crate::say;

/// Lines of his that are quoted at most.
const MOST_LINES: usize = 10;
/// Stands between the number of a quoted line and its text.
const MARK: &str = "| ";
/// Begins the name of a question's Message-ID, after that of the game.
const LABEL: &str = "question";

/// Whether an id is that of a question about a game, or of the mail that brought it to the player.
pub fn is_question(id: &str) -> bool {
    label_of(id).is_some_and(|label| label.starts_with(LABEL))
}

/// Whether a line of a question quotes the mail it asks about.
pub fn is_quotation(line: &str) -> bool {
    let number = line.split_once(MARK.trim_end()).map(|(number, _)| number.trim());
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// What is asked about.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The Message-ID of his mail, as it was checked when it came.
    pub message_id: Option<&'a str>,
    /// The day of his mail.
    pub day: NaiveDate,
    /// Lines of his text with their numbers, cleaned.
    pub quote: &'a [(usize, String)],
    /// The legal readings.
    pub readings: &'a [NumericMove],
    /// His move was read, and it is not legal.
    pub illegal: bool,
    /// The player's last move as the mail repeats it, where another one is on record.
    pub read_as: Option<&'a str>,
    /// In which language.
    pub language: Language,
}

/// The finished draft of a question: its exact text in a mail to the player, with the mail to the opponent attached.
///
/// It answers the mail it asks about.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn ask(
    game: &Game,
    root: &str,
    question: &Question<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    asked(game, root, (question.message_id, question_text(game, question, me)?), me, now)
}

/// The same with a text of the player's, about the mail with this Message-ID.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn asked(
    game: &Game,
    root: &str,
    (about, text): (Option<&str>, String),
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let mut answered = game.clone();
    if let Some(id) = about {
        answered.last_message_id = Some(id.to_owned());
    }
    let envelope = Envelope { game: &answered, root, me, now };
    let about = about.unwrap_or_default().as_bytes();
    let instant = now.to_rfc3339();
    let id = |label: &str| {
        message_id(&[root.as_bytes(), about, instant.as_bytes(), label.as_bytes()], &format!("{}.{label}", game.id), me)
            .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let reply = envelope.to_opponent(id(LABEL)?, true, text)?;
    let opponent = clip(&game.opponent().name, 40);
    let mut told = Told::default();
    how(&mut told, &reply, &opponent, false, me.language);
    let subject = say!(me.language, "ready to send to {opponent}: a question", opponent);
    bring(&envelope, subject, told, id(&format!("{LABEL}-draft"))?, &reply)
}

/// The text of a question as the program words it.
///
/// # Errors
/// [`LetterError::Game`].
pub fn question_text(game: &Game, question: &Question<'_>, me: &Me) -> Result<String, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let speech = Speech::of(question.language);
    let said = |key: &str| speech.say(key, &[]);
    let expected = game.with_plan_recorded();
    let replay = expected.replay().map_err(|e| broken(e.to_string()))?;
    let mut text = format!("{}\n\n", said("hello"));
    if !question.quote.is_empty() {
        text.push_str(&wrapped(&speech.say("ask_wrote", &[("date", &question.day.to_string())])));
        text.push('\n');
        for (number, line) in question.quote.iter().filter(|(_, line)| !line.is_empty()).take(MOST_LINES) {
            let line: String = format!("{number:>3}{MARK}{line}").chars().take(COLUMNS).collect();
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text.push('\n');
    }
    let asked = match (expected.is_my_turn(), question.illegal, question.readings) {
        (true, ..) => said("ask_mine"),
        (_, _, [_]) => said("ask_one"),
        (_, _, [_, _, ..]) => said("ask_several"),
        (_, true, []) => said("ask_illegal"),
        (_, false, []) => said("ask_none"),
    };
    match question.read_as.zip(expected.moves.last()) {
        Some((his, mine)) => {
            let asked = speech.say("ask_misread", &[("his", his), ("mine", &mine.numeric.to_string())]);
            text.push_str(&wrapped(&asked));
        }
        None => text.push_str(&wrapped(&asked)),
    }
    text.push('\n');
    if !expected.is_my_turn() && question.read_as.is_none() {
        let position = replay.position();
        let legal = question.readings.iter().filter_map(|m| m.to_move(position).ok().map(|legal| (m, legal.played)));
        let mut any = false;
        for (numeric, played) in legal {
            let _ = writeln!(text, "   {numeric} = {}", in_letters(position, &played));
            any = true;
        }
        if any {
            text.push('\n');
        }
    }
    text.push_str(&wrapped(&said("ask_please")));
    let _ = write!(text, "\n{}\n{}\n\n{}\n\n", said("regards"), clip(&me.name, COLUMNS), said("ask_game"));
    let mut record = game.clone();
    record.plan = None;
    text.push_str(&score(&transmission(&record)?));
    Ok(text)
}

/// The move in a form that every language knows, with the English one after it: `g1-f3 (Nf3)`, `O-O`.
fn in_letters(position: &Chess, played: &Move) -> String {
    let short = san(position, played);
    match played.from().filter(|_| !played.is_castle()) {
        Some(from) => format!("{from}-{} ({short})", played.to()),
        None => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_what_it_quotes_are_known_again_and_nothing_else_is() {
        assert!(is_question("<EM-17.question.0a1b@example.org>"));
        assert!(is_question("<EM.17.question-draft.0a1b@example.org>"));
        for id in
            ["<EM-17.draft.0a@example.org>", "<EM.question.draft.0a@example.org>", "<question.0a@example.org>", ""]
        {
            assert!(!is_question(id), "{id}");
        }
        assert!(is_quotation("  3| 7. 5171") && is_quotation("12|"));
        for line in ["7. 5171", "| 3 | 5171", "5171 = e1-g1", "White| Black", ""] {
            assert!(!is_quotation(line), "{line}");
        }
    }
}
