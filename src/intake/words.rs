//! A mail's own words beside its verdict: the line that a reason stands on, and the lines that no program understood.
//!
//! The one place where a line's number becomes its text. What is shown is the text that the judge read, without control characters.

use super::evidence::too_long;
use crate::domain::game::Game;
use crate::domain::judge::{Cause, Verdict, stands_in};
use crate::domain::transmission::read::{Line, unused};
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{Kind, split};
use crate::mail::text::is_unseen;

/// The lines of his own that hold more than data, his signature's among them, in their order. Those of the HTML form come behind those of
/// the plain text, as far as these do not say the same.
pub fn unread(message: &IncomingMessage, game: Option<&Game>) -> Vec<(usize, String)> {
    if too_long(message).is_some() {
        return Vec::new();
    }
    let players = game.map(|game| [&game.white, &game.black]);
    let of_player = players.iter().flatten().flat_map(|player| std::iter::once(&player.name).chain(&player.emails));
    let names: Vec<&str> = of_player.chain(game.map(|game| &game.event)).map(String::as_str).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for text in [&message.plain, &message.html].into_iter().flatten() {
        let text = split(text.trim_end());
        let his = text.lines.iter().filter(|line| matches!(line.kind, Kind::Own | Kind::Signature));
        let his: Vec<Line<'_>> = his.map(|line| Line { number: line.number, text: line.text }).collect();
        let known = in_one_line(found.iter().map(|(_, text)| text.as_str()));
        let lines = unused(&his, &names).into_iter().map(|(number, text)| (number, visible(&text)));
        found.extend(lines.filter(|(_, text)| !known.contains(&in_one_line([text.as_str()]))));
    }
    found
}

/// What of the mail a verdict's reason stands on, where it speaks of a line.
pub fn cause(message: &IncomingMessage, verdict: &Verdict) -> Option<Cause> {
    verdict.doubt()?.cause(|line, word| line_of(message, line, word))
}

/// The text of a line: of the form of the mail that has this word there, else of the first that has such a line.
fn line_of(message: &IncomingMessage, number: usize, word: &str) -> Option<String> {
    let Some(place) = number.checked_sub(1) else {
        return Some(visible(&message.subject));
    };
    let forms = [&message.plain, &message.html].into_iter().flatten();
    let lines: Vec<&str> = forms.filter_map(|text| text.lines().nth(place)).map(str::trim).collect();
    let of_word = lines.iter().find(|line| stands_in(word, line));
    of_word.or_else(|| lines.iter().find(|line| !line.is_empty())).map(|line| visible(line))
}

/// A text with a blank for each control character: what is left of these in a mail is its tabulators.
pub(super) fn visible(text: &str) -> String {
    text.replace(is_unseen, " ")
}

fn in_one_line<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
