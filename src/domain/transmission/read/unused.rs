//! The lines of a mail whose words are more than data: what the player reads himself, since no program knows all that it can mean.
//!
//! Data are rows of score, the move with the words that announce it, labelled dates and days, the head of a form, and a greeting or a
//! closing line alone. A word that no lexicon has, or that means anything else, makes its whole line one to be read. Nothing is judged
//! here, and no mail is held by it.

use super::Line;
use super::cells::Columns;
use super::cut::is_move_like;
use super::document::{Document, Scanned};
use super::head::head_line;
use super::lex::{Placed, Token};
use crate::domain::transmission::Transmission;
use crate::domain::transmission::lexicon::{Key, Keys, Languages, words_of};

/// They say what a date or a number is.
pub(super) const NAMES_DATE: Keys = Keys::all(&[
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
    Key::Date,
]);
/// They give a date or a number its meaning.
const LABELS: Keys = NAMES_DATE.and(Keys::all(&[Key::Of])).and(Keys::all(&Key::MONTHS)).and(Keys::all(&Key::WEEKDAYS));
/// They say nothing more where a move or a label stands beside them: "My move is 1213 check".
const BESIDE: Keys = Keys::all(&[
    Key::This,
    Key::And,
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
    Key::Closing,
])
.and(Keys::all(&Key::PIECES));
/// The most lines that are looked up in each language, and the most words of such a line.
const MOST: usize = 40;
const LONGEST: usize = 12;
/// The most names in a greeting or below one: "Dear Mr Dyk".
const NAMES: usize = 3;

/// The lines that say more than data, as they are written. `names` are words of the game: its event, its players, their addresses.
pub fn unused(lines: &[Line<'_>], names: &[&str]) -> Vec<(usize, String)> {
    let names: Vec<String> = names.iter().flat_map(|name| words_of(name)).collect();
    let document = Document::of(lines);
    let mut looked_up = 0;
    let unused = document.lines.iter().filter(|line| {
        let words: Vec<Word<'_>> = line.tokens.iter().filter_map(|placed| Word::of(line, placed, &names)).collect();
        if is_data(line, &words) {
            return false;
        }
        let may_be = looked_up < MOST && may_be_data(line, &words);
        looked_up += usize::from(may_be);
        // a label or a greeting has hardly a word by which a language is told
        !(may_be && Languages::each().any(|language| is_data(line, &Word::known_in(&words, language))))
    });
    unused.map(|line| (line.number, line.text.trim().to_owned())).collect()
}

/// Whether a short line, or one with figures, could be data in a language that the mail is not known to be in.
fn may_be_data(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    let has_unknown = words.iter().any(|word| word.keys.is_empty() && !word.is_name());
    let longest = if line.text.contains(|c: char| c.is_ascii_digit()) { LONGEST } else { NAMES + 1 };
    has_unknown && words.len() <= longest
}

fn is_data(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    let is_head = Columns::of(&line.tokens).is_some();
    is_head || greets(words) || states(line, words) || heads_table(line, words) || heads_form(line, words)
}

/// A word on a line.
#[derive(Clone)]
struct Word<'a> {
    text: &'a str,
    /// The same as it is compared.
    parts: Vec<String>,
    keys: Keys,
    /// It is a word of the game's.
    of_game: bool,
}

impl<'a> Word<'a> {
    fn of(line: &Scanned<'a>, placed: &Placed, names: &[String]) -> Option<Word<'a>> {
        let text = line.text.get(placed.at..placed.end)?;
        let is_word = matches!(placed.token, Token::Word(_)) && text.contains(char::is_alphabetic);
        let keys = placed.keys;
        // "Cal" is Calvin, and "V." is Vauquier; a word that is known is never a short form
        let may_be_short = (keys.is_empty() || is_letter(text)) && text.starts_with(char::is_uppercase);
        let is_short = |part: &String| may_be_short && names.iter().any(|name| name.starts_with(part));
        let parts = words_of(text);
        let of_game = parts.iter().all(|part| names.contains(part) || is_short(part));
        is_word.then_some(Word { text, parts, keys, of_game })
    }

    /// The same words, the unknown ones as this language has them.
    fn known_in(words: &[Word<'a>], language: Languages) -> Vec<Word<'a>> {
        let plain: Vec<&str> = words.iter().flat_map(|word| &word.parts).map(String::as_str).collect();
        let mut keys = language.keys(&plain).into_iter();
        let known = words.iter().map(|word| {
            let of_parts = keys.by_ref().take(word.parts.len()).fold(Keys::default(), |all, keys| all | keys);
            let keys = if word.keys.is_empty() { of_parts } else { word.keys };
            Word { keys, ..word.clone() }
        });
        known.collect()
    }

    /// Every meaning of it is a label or one of these.
    fn says_only(&self, keys: Keys) -> bool {
        let rest = self.keys.minus(LABELS).minus(keys);
        !self.keys.is_empty() && rest.is_empty()
    }

    /// A name that has no meaning besides.
    fn is_name(&self) -> bool {
        self.of_game && (self.keys.is_empty() || is_letter(self.text) || self.says_only(BESIDE))
    }

    fn may_be_name(&self) -> bool {
        self.is_name() || (self.keys.is_empty() && self.text.starts_with(char::is_uppercase))
    }
}

fn is_letter(text: &str) -> bool {
    text.chars().count() == 1
}

/// Nothing but a greeting or a farewell, and names. A line without words greets too.
fn greets(words: &[Word<'_>]) -> bool {
    let greets = |word: &Word<'_>| word.keys.has_any(&[Key::Greeting, Key::Closing]);
    let others = words.iter().filter(|word| !greets(word) && !word.is_name());
    let (others, names) = others.fold((0, 0), |(others, names), word| match word.may_be_name() {
        true => (others, names + 1),
        false => (others + 1, names),
    });
    others == 0 && (names == 0 || (names <= NAMES && words.iter().any(greets)))
}

/// A move, or labelled dates and days, with nothing beside them that means anything else.
fn states(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    let gives_move = || line.tokens.iter().any(is_move_like);
    let has_label = || words.iter().any(|word| word.keys.meets(LABELS));
    let announces = || {
        let below = [Key::Announce, Key::Move, Key::White, Key::Black, Key::Number];
        let ends = line.text.trim_end();
        ends.ends_with([':', '：']) && words.iter().any(|word| word.keys.has_any(&below))
    };
    words.iter().all(|word| word.is_name() || word.says_only(BESIDE)) && (gives_move() || has_label() || announces())
}

/// "No. Move Rec. Sent Days Total", and "White  Black" above it. The first word may be the mark of a number.
fn heads_table(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    /// Labels that make a line the head of a table.
    const LEAST: usize = 4;
    let ends_column = |rest: &str| [".", "  ", " |", "\t"].iter().any(|end| rest.starts_with(end));
    let is_mark = |word: &&Word<'_>| line.text.trim_start().strip_prefix(word.text).is_some_and(ends_column);
    let names_column = |word: &Word<'_>| word.keys.meets(LABELS) || word.says_only(BESIDE);
    let sides = [Key::White, Key::Black];
    words.iter().all(|word| word.keys.has_any(&sides))
        || (words.iter().filter(|word| word.keys.meets(LABELS)).count() >= LEAST
            && words.iter().skip(words.first().filter(is_mark).map_or(0, |_| 1)).all(names_column))
}

/// "White: Ostrander, Mila <mila@example.org>" in the head of a form, and a tag of PGN.
fn heads_form(line: &Scanned<'_>, words: &[Word<'_>]) -> bool {
    const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let rest = words.get(1..).unwrap_or_default();
    let tag = line.text.trim().strip_prefix('[').and_then(|tag| tag.strip_suffix(']'));
    match tag.and_then(|tag| tag.split_once(' ')) {
        Some((name, _)) => TAGS.contains(&name) && rest.iter().all(|word| word.of_game || word.may_be_name()),
        None => {
            head_line(line.text, &mut Transmission::default())
                && rest.iter().all(|word| word.of_game || word.says_only(BESIDE))
        }
    }
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
            "My move is 7. 5171 check",
            "received 26.10., sent 30.10., days 4, total 12",
            "Erhalten: 26.10.  Gesendet: heute  Tage: 4  Gesamt: 12",
            "     White                            Black\n No. Move  Rec.  Sent  Days Total   | Move  Rec.  Sent  Days Total",
            "  7. 5171  26.10 30.10    4    12   | ____  30.10 __.__",
            "Event: EM/ZZ/042\nStart: 15.09.2004   Time: 10 moves / 60 days\nWhite: Ostrander, Mila <mila.ostrander@example.org>",
            "Cara Nora,\n\n10. Nd2\nric. 10.10 sped. 12.10\nM.",
            "Hej\n\n10. 7163\nmodt. 01.12. sendt 03.12. tid 2 i alt 25",
            "Bonjour,\n\n11. 1234\nreçu 04/06 - envoyé 05/06 - 1 j. (cumul 23 j.)",
            "[Event \"EM/ZZ/042\"]\n[White \"Ostrander, Mila\"]\n[Result \"*\"]\n7. 5171 *",
            "No   White  Rec    Sent   Ref  Tot  Black  Rec    Sent   Ref  Tot",
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
            "Remis?",
            "Niet",
            "[Annotator \"I resign\"]",
            "[White \"I resign\"]",
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
