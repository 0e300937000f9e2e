//! What a notice tells of conditional moves: which line of the player's he took, what binds the player, what he offers.
//!
//! Nothing of his mail stands here but moves that were played out on the board; no offer is ever played for the player.

use std::fmt::Write;

use super::wrap::fill;
use crate::domain::clock::days::in_words;
use crate::domain::game::{Game, MoveNumber};
use crate::domain::judge::{ANY, Accepted};

/// The lines of the notice about conditional moves; empty for a move without any.
pub(super) fn told(game: &Game, accepted: &Accepted) -> String {
    let mut text = String::new();
    if !accepted.before.is_empty() {
        let taken: Vec<String> = accepted.before.iter().map(|(number, m)| format!("{number} {m}")).collect();
        let (number, numeric) = (accepted.number, accepted.numeric);
        let _ = writeln!(text, "He took your conditional: {}, and plays {number} {numeric}.", taken.join(" "));
        text.push_str("The moves taken cost neither side a day.\n");
    }
    if accepted.promised.is_some() {
        text.push_str(&promised_help(game));
        text.push_str(&ignored_help(game).unwrap_or_default());
    }
    if accepted.conditionals.is_empty() {
        return text;
    }
    text.push_str(&offers_help(game, &accepted.conditionals));
    text
}

/// The lines that the opponent offers with the last move on record, and how one is taken; empty without any.
pub fn offers_help(game: &Game, lines: &[Vec<String>]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = "HE OFFERS CONDITIONAL MOVES (none is played for you):\n".to_owned();
    for line in lines {
        let _ = writeln!(text, "  {}", offer(game.due(), line));
    }
    text.push_str("To take a line, repeat its moves with their numbers and add your own move.\n");
    if lines.iter().flatten().any(|ply| ply == ANY) {
        text.push_str(
            "An offer against ANY move binds him whatever you play; some events forbid it. Look for the move that punishes it.\n",
        );
    }
    text
}

/// That a conditional of the player's binds him to a reply that is due, and the command that chooses it; empty where none does, or it is
/// chosen.
pub fn promised_help(game: &Game) -> String {
    let chosen = game.plan.as_ref().and_then(|plan| plan.records().first().map(|first| first.numeric));
    game.promised().filter(|reply| chosen != Some(*reply)).map_or_else(String::new, |reply| {
        format!(
            "YOU ARE BOUND: your conditional promised {} {reply} to this move.\nIt is not played by itself:  amici play {} {reply}\n",
            game.due(),
            game.id
        )
    })
}

/// What the rules give for an answer that meets a condition of the player's and leaves his promised reply out (T91, JCCA rules), and the
/// command that adds it; `None` where they give nothing, or it is settled.
pub fn ignored_help(game: &Game) -> Option<String> {
    let days = game.ruleset().ok()?.conditional.ignored_penalty_days;
    let index = game.moves.len().checked_sub(1).filter(|_| days > 0 && game.promised().is_some())?;
    let is_open = game.moves.get(index)?.agreed.penalty.is_none();
    let number = game.number_of(index);
    let text = format!(
        "He met your condition and answered as if you had not offered it: by the rules that may cost him {} of penalty. It is not \
         counted unless you say so:",
        in_words(days)
    );
    let command = format!("    amici clock set {} {number} --penalty {days} --why \"conditional ignored\"", game.id);
    is_open.then(|| format!("{}\n{command}\n", fill(&text, "", "")))
}

/// `if 12. 7475 then 12... 6647, if 13. 6465 then 13... 4735`
fn offer(first: MoveNumber, line: &[String]) -> String {
    let words = line.iter().enumerate().map(|(index, ply)| {
        let number = first.plus(index);
        let (word, comma) = match (index % 2, index) {
            (0, 0) => ("if", ""),
            (0, _) => ("if", ", "),
            _ => ("then", " "),
        };
        let ply = if ply == ANY { "any move" } else { ply.as_str() };
        format!("{comma}{word} {number} {ply}")
    });
    words.collect()
}
