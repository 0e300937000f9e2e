//! The lines of a mail whose words are more than data: what the player reads himself, since no program knows all that it can mean.
//!
//! Data are rows of score, the move with the words that announce it, labelled dates and days, the head of a form, and a greeting or a
//! closing line alone. A word that no lexicon has, or that means anything else, makes its whole line one to be read. Nothing is judged
//! here, and no mail is held by it.

use super::Line;
use super::document::{Document, Scanned};
use super::head::head_line;
use super::lex::{Placed, Token};
use crate::domain::transmission::Transmission;
use crate::domain::transmission::lexicon::{Key, Keys, words_of};

/// They give a date or a number its meaning.
const LABELS: [Key; 35] = [
    Key::Received,
    Key::ReceivedShort,
    Key::Sent,
    Key::SentShort,
    Key::Replied,
    Key::Days,
    Key::DaysShort,
    Key::Total,
    Key::TotalShort,
    Key::Left,
    Key::Today,
    Key::Yesterday,
    Key::DayBeforeYesterday,
    Key::SameDay,
    Key::Of,
    Key::Date,
    Key::January,
    Key::February,
    Key::March,
    Key::April,
    Key::May,
    Key::June,
    Key::July,
    Key::August,
    Key::September,
    Key::October,
    Key::November,
    Key::December,
    Key::Monday,
    Key::Tuesday,
    Key::Wednesday,
    Key::Thursday,
    Key::Friday,
    Key::Saturday,
    Key::Sunday,
];
/// They say nothing more where a move or a label stands beside them: "My move is 1213 check".
const BESIDE: [Key; 19] = [
    Key::Common,
    Key::Distinct,
    Key::I,
    Key::You,
    Key::Move,
    Key::Mail,
    Key::Play,
    Key::Announce,
    Key::Mark,
    Key::Number,
    Key::White,
    Key::Black,
    Key::King,
    Key::Queen,
    Key::Rook,
    Key::Bishop,
    Key::Knight,
    Key::Pawn,
    Key::Closing,
];
/// The most names in a greeting or below one: "Dear Mr Dyk".
const NAMES: usize = 3;

/// The lines that say more than data, as they are written. `names` are words of the game: its event, its players, their addresses.
pub fn unused(lines: &[Line<'_>], names: &[&str]) -> Vec<(usize, String)> {
    let names: Vec<String> = names.iter().flat_map(|name| words_of(name)).collect();
    let document = Document::of(lines);
    let unused = document.lines.iter().filter(|line| !is_data(line, &names));
    unused.map(|line| (line.number, line.text.trim().to_owned())).collect()
}

fn is_data(line: &Scanned<'_>, names: &[String]) -> bool {
    let words: Vec<Word<'_>> = line.tokens.iter().filter_map(|placed| Word::of(line, placed, names)).collect();
    let is_head = || line.text.contains(':') && head_line(line.text, &mut Transmission::default());
    greets(&words)
        || states(line, &words)
        || heads_table(line, &words)
        || (is_head() && words.iter().skip(1).all(|word| word.is_name || word.says_only(&BESIDE)))
}

/// A word on a line.
struct Word<'a> {
    text: &'a str,
    keys: Keys,
    is_name: bool,
}

impl<'a> Word<'a> {
    fn of(line: &Scanned<'a>, placed: &Placed, names: &[String]) -> Option<Word<'a>> {
        let text = line.text.get(placed.at..placed.end)?;
        let is_word = matches!(placed.token, Token::Word(_)) && text.contains(char::is_alphabetic);
        let is_name = words_of(text).iter().all(|word| names.contains(word));
        is_word.then_some(Word { text, keys: placed.keys, is_name })
    }

    /// Every meaning of it is a label or one of these.
    fn says_only(&self, keys: &[Key]) -> bool {
        let rest = self.keys.without(&LABELS).without(keys);
        !self.keys.is_empty() && rest.is_empty()
    }
}

/// Nothing but a greeting or a farewell, and names. A line without words greets too.
fn greets(words: &[Word<'_>]) -> bool {
    let greets = |word: &Word<'_>| word.keys.has_any(&[Key::Greeting, Key::Closing]);
    let may_be_name = |word: &Word<'_>| word.keys.is_empty() && word.text.starts_with(char::is_uppercase);
    let others = words.iter().filter(|word| !greets(word) && !word.is_name);
    let (others, names) = others.fold((0, 0), |(others, names), word| match may_be_name(word) {
        true => (others, names + 1),
        false => (others + 1, names),
    });
    others == 0 && (names == 0 || (names <= NAMES && words.iter().any(greets)))
}

/// A move, or labelled dates and days, with nothing beside them that means anything else.
fn states(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    let gives_move = || {
        let is_move = |p: &Placed| matches!(p.token, Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_));
        line.tokens.iter().any(is_move)
    };
    let has_label = || words.iter().any(|word| word.keys.has_any(&LABELS));
    let announces = || {
        let below = [Key::Announce, Key::Move, Key::White, Key::Black, Key::Number];
        let ends = line.text.trim_end();
        ends.ends_with([':', '：']) && words.iter().any(|word| word.keys.has_any(&below))
    };
    words.iter().all(|word| word.is_name || word.says_only(&BESIDE)) && (gives_move() || has_label() || announces())
}

/// "No. Move Rec. Sent Days Total", and "White  Black" above it. The first word may be the mark of a number.
fn heads_table(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    /// Labels that make a line the head of a table.
    const LEAST: usize = 4;
    let is_mark =
        |word: &&Word<'_>| line.text.trim_start().strip_prefix(word.text).is_some_and(|rest| rest.starts_with('.'));
    let names_column = |word: &Word<'_>| word.says_only(&BESIDE);
    let sides = [Key::White, Key::Black];
    words.iter().all(|word| word.keys.has_any(&sides))
        || (words.iter().filter(|word| word.keys.has_any(&LABELS)).count() >= LEAST
            && words.iter().skip(words.first().filter(is_mark).map_or(0, |_| 1)).all(names_column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<String> {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        let names = ["EM/ZZ/042", "Ostrander, Mila", "Quillfeather, Tobin", "mila.ostrander@example.org"];
        unused(&lines, &names).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn rows_labels_moves_greetings_and_closing_lines_are_data() {
        for text in [
            "Hi Tobin,\n\n7. 5171\n\nBest wishes,\nMila",
            "Lieber Herr Dyk,\n\nmein Zug: 7. 5171\n\nMit freundlichen Grüßen\nMila Ostrander",
            "My move is 7. 5171",
            "My move:\n5171",
            "7. 5171 check",
            "received 26.10., sent 30.10., days 4, total 12",
            "Erhalten: 26.10.  Gesendet: heute  Tage: 4  Gesamt: 12",
            "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total",
            "  7. 5171  26.10 30.10    4    12   | ____  30.10 __.__",
            "Event: EM/ZZ/042\nStart: 15.09.2004   Time: 10 moves / 60 days\nWhite: Ostrander, Mila <mila.ostrander@example.org>",
            "\n-- \n----\n:-)\n7. 5171 =",
        ] {
            assert_eq!(left(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn whatever_else_he_says_is_left_in_whole_lines_and_in_its_order() {
        for line in [
            "Hi Tobin, nice weather here",
            "Hi, yes please",
            "OK",
            "I offer a draw.",
            "If 7... 5755 then 8. 6344",
            "7. 5171 and strike that",
            "This is not 7. 5171",
            "Old: 7. 5171",
            "White: I resign",
            "Event: my brother plays for me now",
            "I shall be away from 3 May",
            "received 26.10., sorry for the delay",
            "See Nora on 3 May",
            "Unbekannt",
            "Grüße aus dem verregneten München",
            "PS: forget it",
            "Запутался совсем",
        ] {
            assert_eq!(left(&format!("Hi Tobin,\n7. 5171\n{line}\nMila")), [line]);
        }
        let two = "7. 5171\n\n  It rains here,\nand the cat is ill.\n\nMila\nPS: and you?";
        assert_eq!(left(two), ["It rains here,", "and the cat is ill.", "PS: and you?"]);
    }
}
