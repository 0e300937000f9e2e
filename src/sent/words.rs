//! The judge's reasons in words to the player about his own mail: they are written about a mail of his opponent's.

use crate::domain::judge::Reason;

/// Why a mail of the player's was not taken: "you" is the player, "he" his opponent.
pub(super) fn to_player(reason: &Reason) -> String {
    match reason {
        Reason::NoMove => "no move was found in your own words".to_owned(),
        Reason::Contradiction { line, number, his, recorded } => {
            format!("line {line}: you write {number} {his}, the record has {number} {recorded}")
        }
        Reason::NumberAhead { line, number, his, due } => {
            format!("line {line}: you write {number} {his}, but {due} is due; the record may lack a move of his")
        }
        Reason::InSentence { line, his, word } => {
            format!("line {line}: {his} stands in a sentence (\"{word}\"), so it may not be your move")
        }
        Reason::BeyondYourLines { line, number, his } => {
            format!("line {line}: you go on to {number} {his}, and no conditional line of his leads there")
        }
        Reason::OtherThanPromised { line, number, his, promised } => format!(
            "line {line}: you play into his conditional line, but write {number} {his} where he promised {promised}"
        ),
        Reason::PromiseUnanswered { number, promised } => format!(
            "you repeat his promised {number} {promised} and add no move of your own; his line is only taken with one"
        ),
        Reason::NotPlayable { line, number, his, why } => {
            format!("line {line}: {number} {his} cannot be played after his conditional line: {why}")
        }
        Reason::ResignsAndMoves { line, words } => format!("line {line}: you resign (\"{words}\") and give a move"),
        Reason::NotOffered { words, .. } => {
            format!("you accept a draw in it (\"{words}\"), and no offer of his is on record")
        }
        Reason::Announces(words) => format!("no move was found in your own words; you write: \"{words}\""),
        Reason::InQuote { line, number, his } => {
            format!("line {line}: {number} {his} stands inside quoted text, so it may be your move or an old remark")
        }
        Reason::NotHisTurn(due) => format!("it is not your turn: the record waits for his {due}"),
        other => other.to_string(),
    }
}
