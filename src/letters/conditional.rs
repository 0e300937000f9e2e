//! What a notice tells of conditional moves: which line of the player's he took, what binds the player, what he offers.
//!
//! Nothing of his mail stands here but moves that were played out on the board; no offer is ever played for the player.

use std::fmt::Write;

use super::wrap::fill;
use crate::config::Language;
use crate::domain::game::{Game, MoveNumber};
use crate::domain::judge::{ANY, Accepted};
use crate::say;

/// The lines of the notice about conditional moves; empty for a move without any.
pub(super) fn told(game: &Game, accepted: &Accepted, language: Language) -> String {
    let mut text = String::new();
    if !accepted.before.is_empty() {
        let taken: Vec<String> = accepted.before.iter().map(|(number, m)| format!("{number} {m}")).collect();
        let (number, numeric) = (accepted.number, accepted.numeric);
        let (taken, cost) = (taken.join(" "), say!(language, "The moves taken cost neither side a day."));
        let took =
            say!(language, "He took your conditional: {taken}, and plays {number} {numeric}.", taken, number, numeric);
        let _ = write!(text, "{took}\n{cost}\n");
    }
    if accepted.promised.is_some() {
        text.push_str(&promised_help(game, language));
        text.push_str(&ignored_help(game, language).unwrap_or_default());
    }
    if accepted.conditionals.is_empty() {
        return text;
    }
    text.push_str(&offers_help(game, &accepted.conditionals, language));
    text
}

/// The lines that the opponent offers with the last move on record, and how one is taken; empty without any.
pub fn offers_help(game: &Game, lines: &[Vec<String>], language: Language) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = say!(language, "HE OFFERS CONDITIONAL MOVES (none is played for you):") + "\n";
    for line in lines {
        let _ = writeln!(text, "  {}", offer(game.due(), line, language));
    }
    text.push_str(&say!(language, "To take a line, repeat its moves with their numbers and add your own move."));
    text.push('\n');
    if lines.iter().flatten().any(|ply| ply == ANY) {
        text.push_str(&say!(
            language,
            "An offer against ANY move binds him whatever you play; some events forbid it. Look for the move that punishes it."
        ));
        text.push('\n');
    }
    text
}

/// That a conditional of the player's binds him to a reply that is due, and the command that chooses it; empty where none does, or it is
/// chosen.
pub fn promised_help(game: &Game, language: Language) -> String {
    let chosen = game.plan.as_ref().and_then(|plan| plan.records().first().map(|first| first.numeric));
    game.promised().filter(|reply| chosen != Some(*reply)).map_or_else(String::new, |reply| {
        let bound = say!(
            language,
            "YOU ARE BOUND: your conditional promised {number} {reply} to this move.",
            number = game.due(),
            reply
        );
        let play = say!(language, "It is not played by itself:  amici play {game} {reply}", game = game.id, reply);
        format!("{bound}\n{play}\n")
    })
}

/// What the rules give for an answer that meets a condition of the player's and leaves his promised reply out (T91, JCCA rules), and the
/// command that adds it; `None` where they give nothing, or it is settled.
pub fn ignored_help(game: &Game, language: Language) -> Option<String> {
    let days = game.ruleset().ok()?.conditional.ignored_penalty_days;
    let index = game.moves.len().checked_sub(1).filter(|_| days > 0 && game.promised().is_some())?;
    let is_open = game.moves.get(index)?.agreed.penalty.is_none();
    let number = game.number_of(index);
    let text = say!(
        language,
        "He met your condition and answered as if you had not offered it: by the rules that may cost him {days} of penalty. It is not counted unless you say so:",
        days = language.days(days)
    );
    let command = format!("    amici clock set {} {number} --penalty {days} --why \"conditional ignored\"", game.id);
    is_open.then(|| format!("{}\n{command}\n", fill(&text, "", "")))
}

/// `if 12. 7475 then 12... 6647, if 13. 6465 then 13... 4735`
fn offer(first: MoveNumber, line: &[String], language: Language) -> String {
    let words = line.iter().enumerate().map(|(index, ply)| {
        let number = first.plus(index);
        let ply = if ply == ANY { say!(language, "any move") } else { ply.clone() };
        match (index % 2, index) {
            (0, 0) => say!(language, "if {number} {ply}", number, ply),
            (0, _) => format!(", {}", say!(language, "if {number} {ply}", number, ply)),
            _ => format!(" {}", say!(language, "then {number} {ply}", number, ply)),
        }
    });
    words.collect()
}
