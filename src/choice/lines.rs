//! The lines that the player offers with his move, played out on the board: `2142 6846`, `c4 Nf6 d4 d5`; and those of the opponent that
//! he takes.
//!
//! What will surprise you: an offer against any move is refused, since it binds whatever comes. Two games that such an offer lost:
//! 1. d4 g6 (if any, 2... Bg7) 2. Bh6 Bg7 3. Bxg7, and 1. e4 b6 (if any, 2... Bb7) 2. Ba6 Bb7 3. Bxb7.

use shakmaty::{Chess, Position};

use crate::domain::game::{Game, MoveNumber};
use crate::domain::notation::{LegalMove, NumericMove, explain, parse_player_move};

/// The most lines that one move offers, and the most plies of one.
const MOST: usize = 20;

/// Why an offer against any move is not drafted.
const IF_ANY: &str = "an offer against any move binds you whatever he plays, and has lost games:\n  \
    1. d4 g6 \"if any, 2... Bg7\" was answered by 2. Bh6 Bg7 3. Bxg7\n  \
    1. e4 b6 \"if any, 2... Bb7\" was answered by 2. Ba6 Bb7 3. Bxb7\nhelp: name the move that you reply to, as in `2142 6846`";

/// The lines in numeric notation; `after` is the position after the player's move, `first` the number of the opponent's next ply.
///
/// # Errors
/// Which line does not play out, where and why.
pub(super) fn played_out(texts: &[String], after: &Chess, first: MoveNumber) -> Result<Vec<Vec<NumericMove>>, String> {
    if texts.len() > MOST {
        return Err(format!("{} lines are too many: at most {MOST}\nhelp: offer the most likely ones", texts.len()));
    }
    let mut lines: Vec<Vec<NumericMove>> = Vec::new();
    for text in texts {
        let line = one(text, after, first).map_err(|why| format!("in the line `{}`: {why}", text.trim()))?;
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Each condition has one reply.
///
/// # Errors
/// The condition that is answered in two ways.
pub(super) fn agree(lines: &[Vec<NumericMove>]) -> Result<(), String> {
    for (index, line) in lines.iter().enumerate() {
        for other in lines.iter().skip(index + 1) {
            let common = line.iter().zip(other).take_while(|(one, two)| one == two).count();
            if common % 2 == 1 && line.len() > common && other.len() > common {
                let condition = line.get(..common).unwrap_or_default();
                return Err(format!("your lines answer {} in two ways: leave one of them out", joined(condition)));
            }
        }
    }
    Ok(())
}

/// `if 8. 4445 then 8... 3635`
pub(super) fn in_words(line: &[NumericMove], first: MoveNumber) -> String {
    let ply = |(index, numeric): (usize, &NumericMove)| {
        let (word, comma) = match (index % 2, index) {
            (0, 0) => ("if", ""),
            (0, _) => ("if", ", "),
            _ => ("then", " "),
        };
        format!("{comma}{word} {} {numeric}", first.plus(index))
    };
    line.iter().enumerate().map(ply).collect()
}

/// `14. Nf6` and `14...Nf6`: the number, and what stands after it.
pub(super) fn numbered(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.trim().split_once(['.', '…'])?;
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let rest = rest.trim_start_matches(['.', '…', ' ']);
    is_number.then(|| Some((number.parse().ok()?, rest)))?
}

/// The line of the opponent's that a text takes, and the player's own move after it; `None` where it is no row of moves that can be
/// played here.
///
/// # Errors
/// Why the row takes none of his `offers`.
pub(super) fn taken(
    text: &str,
    position: &Chess,
    first: MoveNumber,
    offers: &[Vec<NumericMove>],
) -> Option<Result<(Vec<NumericMove>, LegalMove), String>> {
    let plies = plies(text, position, first).ok().filter(|plies| plies.len() > 1)?;
    let mut replies = (1..plies.len()).step_by(2).filter_map(|at| Some((at, plies.get(..at)?, *plies.get(at)?)));
    let other = replies.find(|(_, condition, reply)| reply_to(condition, offers) != Some(*reply));
    if let Some((at, condition, reply)) = other {
        let (his, row) = (first.plus(at), first.row(condition));
        return Some(Err(match reply_to(condition, offers) {
            Some(promised) => format!("he promised {his} {promised} to {row}, and not {reply}"),
            None => {
                format!("he promised no reply to {row}\nhelp: play {first} alone; his offers stand in `amici show`")
            }
        }));
    }
    if plies.len() % 2 == 0 {
        let row = first.row(&plies);
        return Some(Err(format!("{row} ends with his reply\nhelp: a line is taken with your own next move after it")));
    }
    let (own, before) = plies.split_last()?;
    let mut position = position.clone();
    for numeric in before {
        position.play_unchecked(numeric.to_move(&position).ok()?.played);
    }
    Some(Ok((before.to_vec(), own.to_move(&position).ok()?)))
}

/// What he promised to these plies, which begin with the player's and end with him on the move.
fn reply_to(condition: &[NumericMove], offers: &[Vec<NumericMove>]) -> Option<NumericMove> {
    offers.iter().find_map(|offer| offer.strip_prefix(condition)?.first().copied())
}

/// That the opponent has promised a reply to this move, and how his line is taken; empty where he has not.
pub(super) fn promised_to(numeric: NumericMove, game: &Game, offers: &[Vec<NumericMove>]) -> String {
    reply_to(&[numeric], offers).map_or_else(String::new, |reply| {
        let line = game.due().row(&[numeric, reply]);
        format!(
            "He promised {} {reply} to it. To take his line, add your next move:  amici play {} \"{line} {} MOVE\"\n",
            game.due().plus(1),
            game.id,
            game.due().plus(2)
        )
    })
}

fn one(text: &str, after: &Chess, first: MoveNumber) -> Result<Vec<NumericMove>, String> {
    let line = plies(text, after, first)?;
    match line.len() {
        0 => Err("it names no move: write it as `2142 6846`, his move and your reply".to_owned()),
        plies if plies % 2 == 1 => Err(format!(
            "{} has no reply of yours after it\nhelp: write it as `2142 6846`, his move and your reply",
            joined(&line)
        )),
        _ => Ok(line),
    }
}

/// The moves of a row, with or without their numbers, in numeric notation.
fn plies(text: &str, after: &Chess, first: MoveNumber) -> Result<Vec<NumericMove>, String> {
    let mut position = after.clone();
    let mut line = Vec::new();
    for word in text.split([' ', '\t', ',', ';', ':', '\n']).filter(|word| !word.is_empty()) {
        if matches!(word.to_lowercase().as_str(), "any" | "anything" | "*" | "any." | "anything.") {
            return Err(IF_ANY.to_owned());
        }
        if matches!(word.to_lowercase().as_str(), "if" | "then" | "and") {
            continue;
        }
        let due = first.plus(line.len());
        let ply = match numbered(word) {
            Some((number, _)) if number != due.number => {
                return Err(format!("{word} stands where {due} is due\nhelp: the line begins with his {first}"));
            }
            Some((_, "")) => continue,
            Some((_, rest)) => rest,
            None => word,
        };
        let legal = parse_player_move(ply, &position).map_err(|why| {
            explain(ply, &position, None).map_or_else(|| why.to_string(), |e| e.to_string().trim_end().to_owned())
        })?;
        line.push(NumericMove::of(&legal.played));
        position.play_unchecked(legal.played);
        if line.len() > MOST {
            return Err(format!(
                "it is too long: at most {MOST} moves of both sides\nhelp: end it with a reply of yours"
            ));
        }
    }
    Ok(line)
}

fn joined(line: &[NumericMove]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::game::Side;

    /// After 1. e4 by White.
    fn played(texts: &[&str]) -> Result<Vec<String>, String> {
        let mut after = Chess::default();
        let first = parse_player_move("e4", &after).unwrap();
        after.play_unchecked(first.played);
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let lines = played_out(&texts, &after, MoveNumber { number: 1, side: Side::Black })?;
        agree(&lines)?;
        Ok(lines.iter().map(|line| joined(line)).collect())
    }

    #[test]
    fn lines_are_played_out_in_any_notation_and_chains() {
        assert_eq!(played(&["5755 7163"]), Ok(vec!["5755 7163".to_owned()]));
        for text in ["e5 Nf3 Nc6 Bb5", "1...e5 2.Nf3 Nc6 3.Bb5", "if 1... 5755 then 2. 7163, if 2836 then 6125"] {
            assert_eq!(played(&[text]), Ok(vec!["5755 7163 2836 6125".to_owned()]), "{text}");
        }
        assert_eq!(played(&["e5 Nf3", "c5 Nf3", "5755 7163"]).unwrap().len(), 2, "the same line counts once");
        assert_eq!(played(&["e5 Nf3", "e5 Nf3 Nc6 Bb5"]).unwrap().len(), 2);
    }

    #[test]
    fn what_does_not_play_out_is_refused_with_its_place() {
        for (texts, part) in [
            (vec!["5755"], "5755 has no reply"),
            (vec!["5756 7163 2836"], "2836"),
            (vec!["5754 7163"], "5754 is not legal for Black"),
            (vec!["3. e5 Nf3"], "3. stands where 1... is due"),
            (vec![""], "names no move"),
            (vec!["e5 Nf3", "e5 Nc3"], "answer 5755 in two ways"),
        ] {
            let why = played(&texts).unwrap_err();
            assert!(why.contains(part), "{texts:?}: {why}");
        }
    }

    #[test]
    fn if_any_is_refused_with_two_games_that_it_lost() {
        for text in ["any 7163", "if any, Nf3", "* 7163", "ANY Nf3"] {
            let why = played(&[text]).unwrap_err();
            assert!(why.contains("2. Bh6 Bg7 3. Bxg7") && why.contains("2. Ba6 Bb7 3. Bxb7"), "{why}");
        }
        for game in ["d4 g6 Bh6 Bg7 Bxg7", "e4 b6 Ba6 Bb7 Bxb7"] {
            let mut position = Chess::default();
            for ply in game.split(' ') {
                let legal = parse_player_move(ply, &position).unwrap();
                position.play_unchecked(legal.played);
            }
        }
    }
}
