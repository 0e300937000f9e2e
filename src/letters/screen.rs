//! Whether words that go to the opponent could be read as a move, an offer or a resignation: our own reader reads them first.

use chrono::NaiveDate;

use crate::domain::clock::ledger::Ledger;
use crate::domain::game::Game;
use crate::domain::judge::{Evidence, Reason, Verdict, frame, judge, known_dates};
use crate::domain::transmission::read::{Event, Line, Reading, read};

/// What a reader could take words for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadsAs {
    /// Nothing but words.
    Words,
    /// Something that a person would ask about.
    Doubtful(String),
    /// A move, or the end of the game.
    Binding(String),
}

/// What the opponent's side could read in a text of the player's.
pub fn reads_as(game: &Game, text: &str, today: NaiveDate) -> ReadsAs {
    let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
    let (reading, verdict) = read_by_opponent(game, &lines, today);
    let says_more = !reading.loose.is_empty() || !reading.weighed.is_empty() || !reading.unclear.is_empty();
    // that he needs longer may be told in passing
    let events = reading.events.iter().find(|spoken| spoken.event != Event::LongThought);
    let events = events.map(|spoken| spoken.words.clone());
    let quoted = || in_own_words(&verdict, &reading, &lines);
    match (&verdict, given(&reading)) {
        (Verdict::Resignation(words) | Verdict::DrawAccepted(words), _) => ReadsAs::Binding(words.clone()),
        (Verdict::Accepted(accepted), _) => ReadsAs::Binding(accepted.plies_in_words()),
        (_, Some(given)) => ReadsAs::Binding(given),
        (Verdict::Held { candidates, .. }, None) if !candidates.is_empty() => ReadsAs::Binding(quoted()),
        (Verdict::Held { reason: Reason::NoMove | Reason::Announces(_), .. }, None) if !says_more => {
            events.map_or(ReadsAs::Words, ReadsAs::Doubtful)
        }
        _ => ReadsAs::Doubtful(quoted()),
    }
}

/// The words of the player's because of which his text is not read as he means it: what the judge says of it is said to his opponent.
pub(super) fn in_own_words(verdict: &Verdict, reading: &Reading, lines: &[Line<'_>]) -> String {
    let of_reason = match verdict {
        Verdict::Held { reason, .. } | Verdict::Illegal(reason) => reason.lines().first().copied(),
        _ => None,
    };
    let talked = || {
        reading.loose.iter().map(|(line, _)| *line).chain(reading.weighed.iter().map(|(_, hedge)| hedge.line)).next()
    };
    let number = of_reason.or_else(talked).or_else(|| reading.unclear.first().map(|(line, _)| *line));
    match (lines.iter().find(|line| Some(line.number) == number), verdict) {
        (Some(line), _) => format!("line {}: \"{}\"", line.number, line.text.replace(char::is_control, " ").trim()),
        (None, Verdict::Resignation(words) | Verdict::DrawAccepted(words)) => format!("\"{words}\""),
        (None, Verdict::Held { reason: Reason::NoMove, .. }) => "no move is found in it".to_owned(),
        (None, verdict) => verdict.reason(),
    }
}

/// The first that a text gives as a move, without a doubt of his own, with its line: what the judge says of it is said to the opponent.
fn given(reading: &Reading) -> Option<String> {
    let claimed = reading.claims.iter().find(|claim| claim.hedge.is_none()).map(|claim| {
        let number = claim.number.map(|number| format!("{number} ")).unwrap_or_default();
        (claim.line, format!("{number}{}", claim.written))
    });
    let bad = || reading.bad.first().map(|bad| (bad.line, bad.text.clone()));
    let offered = || reading.offered.first().map(|offered| (offered.line, offered.words.clone()));
    claimed.or_else(bad).or_else(offered).map(|(line, words)| format!("line {line}: {words}"))
}

/// The reading of a text of the player's at the opponent's, whose record is the same, and what it means there.
pub(super) fn read_by_opponent(game: &Game, lines: &[Line<'_>], today: NaiveDate) -> (Reading, Verdict) {
    let mut theirs = game.clone();
    theirs.me = game.me.other();
    // of the lines that the opponent offered the one that is taken
    let taken = theirs.plan.take().map(|plan| plan.before).filter(|line| !line.is_empty());
    theirs.conditionals = taken.into_iter().collect();
    let known = Ledger::of(&theirs).map(|ledger| known_dates(&ledger)).unwrap_or_default();
    let reading = read(lines, &frame(&theirs, &known, Some(today), today));
    let verdict = judge(&theirs, &Evidence { views: vec![reading.clone()], ..Evidence::default() });
    (reading, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    fn reads(text: &str) -> ReadsAs {
        reads_as(&sample_game(), text, "2004-11-02".parse().unwrap())
    }

    #[test]
    fn friendly_words_are_words() {
        for text in [
            "Happy Easter!",
            "Thank you for your mail. The weather here is dreadful, 12 degrees and rain.",
            "I need more time to think about my move, and expect to answer by Sunday.",
            "I enjoy this game very much.\nMy phone number has changed, I shall write it to you later.",
        ] {
            assert_eq!(reads(text), ReadsAs::Words, "{text}");
        }
    }

    #[test]
    fn a_move_is_never_a_friendly_word() {
        for text in ["7... 2836", "I play Nc6.", "My move: 2836", "2836", "7...Nc6 if 8.4445 3635", "I resign."] {
            assert!(matches!(reads(text), ReadsAs::Binding(_)), "{text}: {:?}", reads(text));
        }
        // said to the player, not to the opponent who would read it
        assert_eq!(reads("I play 5171 next"), ReadsAs::Binding("line 1: 5171".to_owned()));
        let mut his_turn = sample_game();
        his_turn.moves.pop();
        let read = reads_as(&his_turn, "So long!\nI play 4746 next", "2004-11-02".parse().unwrap());
        assert_eq!(read, ReadsAs::Binding("line 2: 4746".to_owned()));
    }

    #[test]
    fn what_a_person_would_ask_about_is_doubtful_and_quoted_to_the_player() {
        for (text, line) in [
            ("I offer a draw.", "line 1: \"I offer a draw.\""),
            ("I accept the draw", "line 1: \"I accept the draw\""),
            ("Are you still there?\nWhat about 2836 some day?", "line 2: \"What about 2836 some day?\""),
            ("Maybe 2836", "line 1: \"Maybe 2836\""),
            ("I did not play 7866", "line 1: \"I did not play 7866\""),
            ("I have 2836 in my other game 5254 5735", "line 1: \"I have 2836 in my other game 5254 5735\""),
        ] {
            assert_eq!(reads(text), ReadsAs::Doubtful(line.to_owned()), "{text}");
        }
    }
}
