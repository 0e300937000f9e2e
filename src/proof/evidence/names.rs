//! The program's words for the player, as a director reads them: names in place of "you" and "he".
//!
//! What somebody wrote himself stays as it is: what stands in quotes, and the reason that the player gave.

use std::sync::LazyLock;

use crate::domain::game::{Game, Player};
use crate::domain::pattern::{Captures, Pattern};

static PERSONS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?x) "[^"]*" | \bwhy:\ .*$ | \b(?: (?P<you>[Yy]ou)(?:\ (?P<verb>are|were|have|do|go|add|repeat|play|write|read|ask|think|keep)\b)? | (?P<your>[Yy]ours?) | (?P<he>[Hh]e|[Hh]im) | (?P<his>[Hh]is) | (?P<our>[Oo]ur) )\b"#,
    )
});

/// A sentence of the program's with the players' names.
pub(super) fn named(text: &str, game: &Game) -> String {
    let (me, other) = (name(game.myself()), name(game.opponent()));
    let said = |found: &Captures<'_, '_>| {
        let verb = found.name("verb").map(|verb| format!(" {}", third_person(verb.as_str()))).unwrap_or_default();
        let is = |group: &str| found.name(group).is_some();
        match (is("you"), is("your") || is("our"), is("he"), is("his")) {
            (true, ..) => format!("{me}{verb}"),
            (_, true, ..) => format!("{me}'s"),
            (_, _, true, _) => other.clone(),
            (_, _, _, true) => format!("{other}'s"),
            _ => found.get(0).map_or(String::new(), |kept| kept.as_str().to_owned()),
        }
    };
    PERSONS.replace_all(text, said).into_owned()
}

/// `Tobin Quillfeather`, of `Quillfeather, Tobin`.
pub(super) fn name(player: &Player) -> String {
    match player.name.split_once(',') {
        Some((last, first)) if !first.trim().is_empty() => format!("{} {}", first.trim(), last.trim()),
        _ => player.name.clone(),
    }
}

fn third_person(verb: &str) -> String {
    match verb {
        "are" => "is".to_owned(),
        "were" => "was".to_owned(),
        "have" => "has".to_owned(),
        // in the journal it is what was read
        "read" => "read".to_owned(),
        "do" | "go" => format!("{verb}es"),
        other => format!("{other}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    #[test]
    fn a_director_reads_names_and_what_was_quoted_stays() {
        let game = sample_game();
        for (text, expected) in [
            ("you sent 7... 2836 on 2004-11-01", "Tobin Quillfeather sent 7... 2836 on 2004-11-01"),
            ("7.: he counts 4 days, the record 3", "7.: Mila Ostrander counts 4 days, the record 3"),
            (
                "he books your move of 2004-10-26 as received 2004-10-28",
                "Mila Ostrander books Tobin Quillfeather's move of 2004-10-26 as received 2004-10-28",
            ),
            (
                "you are bound to it; his mail is held",
                "Tobin Quillfeather is bound to it; Mila Ostrander's mail is held",
            ),
            (
                "\"you said\" makes him doubt; why: you agreed",
                "\"you said\" makes Mila Ostrander doubt; why: you agreed",
            ),
            ("when our server took the mail", "when Tobin Quillfeather's server took the mail"),
            ("the history of this", "the history of this"),
        ] {
            assert_eq!(named(text, &game), expected);
        }
    }
}
