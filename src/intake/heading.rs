//! Which game a line of a mail names, where its opponent plays several: by its id, its event, the players, or a colour.
//!
//! Pure. Says how it names it, because a name alone at its place settles more than a sentence that mentions a game.

use super::clues::names_code_only;
use super::which::{Thread, has_event, has_id, place_of_event, place_of_id, words};
use crate::domain::game::Side;

/// How a line names a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// By its id, or by its event.
    Name,
    Players,
    Mention,
}

/// What a line is between the games of a mail.
pub(super) enum Heading<'a> {
    /// `words`: the byte where the line's other words begin, if it has any.
    Of {
        game: &'a Thread,
        how: How,
        words: Option<usize>,
    },
    /// It begins another game, and does not say clearly which.
    Unclear,
    None,
}

/// What a line below the heading of `above` names.
pub(super) fn heading<'a>(line: &str, his: &[&'a Thread], above: Option<&Thread>) -> Heading<'a> {
    let named: Vec<&'a Thread> = his.iter().copied().filter(|t| has_id(line, t)).collect();
    match named.as_slice() {
        [] => {}
        [game] => {
            let at = place_of_id(line, game).unwrap_or_default();
            return by_name(line, game, game.game.id.as_str(), at, How::Name);
        }
        _ => return Heading::Unclear,
    }
    if let Some((game, at)) = by_letter(line, his) {
        return Heading::Of { game, how: How::Name, words: Some(at) };
    }
    let running: Vec<&'a Thread> = his.iter().copied().filter(|t| t.game.result.is_none()).collect();
    let own = Some(line.find(':').map_or(0, |at| at + 1));
    let told = |game| Heading::Of { game, how: How::Players, words: own };
    if let Some(side) = colour_in_sentence(line) {
        let fitting: Vec<&'a Thread> = running.iter().copied().filter(|t| t.game.me.other() == side).collect();
        return match fitting.as_slice() {
            [game] => told(game),
            _ => Heading::Unclear,
        };
    }
    if let (Some(above), [first, second], true) = (above, running.as_slice(), turns_to_other(line)) {
        return told(if first.game.id == above.game.id { second } else { first });
    }
    let of_event: Vec<&'a Thread> = running.iter().copied().filter(|t| has_event(line, t)).collect();
    let is_bare = |game: &Thread| line_is_bare(line, game);
    if let [game] = of_event.as_slice() {
        let at = place_of_event(line, game).unwrap_or_default();
        return by_name(line, game, &game.game.event, at, How::Name);
    }
    if of_event.is_empty() && names_code_only(line) {
        return Heading::Unclear;
    }
    let among = if of_event.is_empty() { &running } else { &of_event };
    let sides = among.iter().copied().filter(|t| is_bare(t) && side_of_opponent(line, t) == Some(t.game.me.other()));
    match sides.collect::<Vec<_>>().as_slice() {
        // the players of the game whose lines these are
        fitting if above.is_some_and(|game| fitting.iter().any(|t| t.game.id == game.game.id)) => Heading::None,
        [game] => Heading::Of { game, how: How::Players, words: None },
        [_, _, ..] => Heading::Unclear,
        [] => match among.first().is_some_and(|t| is_bare(t)) && is_numbered(line) {
            true => Heading::Unclear,
            false => Heading::None,
        },
    }
}

/// "Game A: ..." of `T-77-A` and `T-77-B`: the game by the letter in which the ids of all his games differ; and where the words behind
/// it begin.
fn by_letter<'a>(line: &str, his: &[&'a Thread]) -> Option<(&'a Thread, usize)> {
    let at = line.find([':', ')']).map_or(line.len(), |at| at + 1);
    let said = words(line.get(..at)?);
    let [game, letter] = said.as_slice() else { return None };
    let is_letter = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphabetic());
    let stem = |thread: &Thread| {
        let id = thread.game.id.as_str().to_lowercase();
        id.strip_suffix(letter.as_str()).map(str::to_owned).filter(|stem| stem.ends_with(['-', '_', '.', '/']))
    };
    let found = his.iter().copied().find(|thread| is_letter && has(GAME, game) && stem(thread).is_some())?;
    let stem = stem(found)?;
    let is_sibling = |thread: &&Thread| {
        let id = thread.game.id.as_str().to_lowercase();
        id.strip_prefix(stem.as_str()).is_some_and(|rest| rest.len() == 1)
    };
    his.iter().all(is_sibling).then_some((found, at))
}

/// A name alone, before a move on its line, or before a colon that ends it; anywhere else the line only mentions the game.
fn by_name<'a>(line: &str, game: &'a Thread, name: &str, at: usize, how: How) -> Heading<'a> {
    let (before, rest) = (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
    let has_move = rest.split(|character: char| !character.is_ascii_alphanumeric()).any(is_like_a_move);
    let has_move = has_move || rest.contains("O-O") || rest.contains("0-0");
    if line_is_bare(line, game) {
        Heading::Of { game, how, words: None }
    } else if line.trim_end().ends_with(':') && !has_move {
        Heading::Of { game, how, words: Some(0) }
    } else if line_is_bare(before, game) && has_move {
        let own = rest.trim_start_matches([':', ')', ']', ',', ';', '.', '-', ' ', '\t']);
        Heading::Of { game, how, words: Some(line.len() - own.len()) }
    } else {
        Heading::Of { game, how: How::Mention, words: Some(0) }
    }
}

/// Four or five digits of squares, or a word that ends with a square; no day, no year.
fn is_like_a_move(word: &str) -> bool {
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    match word.as_bytes() {
        digits @ ([_, _, _, _] | [_, _, _, _, _]) if digits.iter().all(is_rank) => true,
        [.., file, rank] => (b'a'..=b'h').contains(file) && is_rank(rank) && word.len() <= 5,
        _ => false,
    }
}

/// Words for a game.
#[rustfmt::skip]
const GAME: &[&str] = &[
    "game", "partie", "spiel", "partija", "partia", "partita", "partida", "parti", "partij", "jatszma", "peli", "igra",
    "match", "board", "brett",
];
/// Words that say no more than "here is a game", and what divides two players.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "round", "runde", "ronde", "event", "turnier", "tournament", "torneo", "id", "no", "nr", "re", "move", "zug", "coup",
    "my", "your", "our", "mein", "dein", "unsere", "in", "for", "the", "with", "as", "to", "first", "second", "erste",
    "zweite", "now", "next", "and",
];
const VERSUS: &[&str] = &["vs", "v", "gegen", "contre", "contra", "against", "mot", "tegen"];
#[rustfmt::skip]
const WHITE: &[&str] = &[
    "white", "weiss", "blancs", "blanc", "blancas", "bianco", "bianchi", "brancas", "wit", "vit", "hvid", "hvit",
    "valkea", "biale", "bily", "bile", "belye", "vilagos",
];
#[rustfmt::skip]
const BLACK: &[&str] = &[
    "black", "schwarz", "noirs", "noir", "negras", "nero", "neri", "pretas", "zwart", "svart", "sort", "musta",
    "czarne", "cerny", "cerne", "chernye", "sotet",
];

/// Persons, as a clause about the colours names them.
const I: &[&str] = &["i", "ich", "je", "j", "yo", "io", "eu", "ik", "jag", "jeg"];
const YOU: &[&str] = &["you", "du", "sie", "vous", "tu", "usted", "lei", "voce", "u", "jij", "ni"];

/// What a clause about the colours has besides: "in which I have", "die ich mit", "où j'ai les".
#[rustfmt::skip]
const CLAUSE: &[&str] = &[
    "in", "where", "which", "that", "the", "have", "am", "m", "play", "with", "as", "der", "die", "wo", "habe", "hast",
    "haben", "bin", "spiele", "mit", "ou", "dans", "laquelle", "ai", "les", "avec", "que", "en", "la", "tengo", "con",
    "las", "llevo", "cui", "ho", "il", "waarin", "met", "heb", "dar", "har", "med", "hvor",
];

/// How a sentence about the other game begins.
const IN: &[&str] = &["in", "i", "dans", "en", "nell", "nella", "na", "w", "v", "a"];

#[rustfmt::skip]
const OTHER: &[&str] = &[
    "other", "anderen", "andere", "autre", "otra", "altra", "outra", "andra", "anden", "andre", "drugiej", "druhe",
    "masikban", "drugoi",
];

/// What may follow "in the other" where the word for the game is left out.
const AUXILIARY: &[&str] =
    &["one", "muss", "habe", "bin", "brauche", "warte", "dois", "tengo", "devo", "moet", "maste"];

/// The side that a word for a colour names.
pub(super) fn colour(word: &str) -> Option<Side> {
    match () {
        () if has(WHITE, word) => Some(Side::White),
        () if has(BLACK, word) => Some(Side::Black),
        () => None,
    }
}

fn is_count(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// Nothing stands in the line but names and addresses of players, the game and its event, and words that go with them.
fn line_is_bare(line: &str, thread: &Thread) -> bool {
    let game = &thread.game;
    let own: Vec<String> = [&game.white.name, &game.black.name, &game.event, &game.id.to_string()]
        .into_iter()
        .flat_map(|t| words(t))
        .collect();
    let said: String =
        line.split_whitespace().filter(|word| !word.contains('@')).flat_map(|word| [word, " "]).collect();
    words(&said).iter().all(|word| {
        is_count(word)
            || own.contains(word)
            || [GAME, PLAIN, VERSUS, WHITE, BLACK].into_iter().any(|list| has(list, word))
    })
}

/// A word for a game and a number: "Game 2".
fn is_numbered(line: &str) -> bool {
    matches!(words(line).as_slice(), [game, .., count] if has(GAME, game) && is_count(count))
}

/// The writer's colour where a sentence tells the game by it: "in the game in which I have White".
fn colour_in_sentence(line: &str) -> Option<Side> {
    let line_words = words(line);
    let mut colours = line_words.iter().enumerate().filter_map(|(at, word)| Some((at, colour(word)?)));
    let (Some((at, side)), None) = (colours.next(), colours.next()) else { return None };
    let game = line_words.iter().take(4).position(|word| has(GAME, word))?;
    let persons = line_words.get(game + 1..at)?;
    let is_clause = |word: &String| [I, YOU, CLAUSE].into_iter().any(|list| has(list, word));
    let is_told = persons.iter().all(is_clause);
    match (is_told, persons.iter().any(|word| has(I, word)), persons.iter().any(|word| has(YOU, word))) {
        (true, true, false) => Some(side),
        (true, false, true) => Some(side.other()),
        _ => None,
    }
}

/// A sentence begins with "in the other", which no word but one for a game makes anything else.
fn turns_to_other(line: &str) -> bool {
    let line_words = words(line.split(':').next().unwrap_or_default());
    let begins = line_words.first().is_some_and(|word| has(IN, word));
    let other = line_words.iter().take(3).position(|word| has(OTHER, word));
    let Some(at) = other.filter(|_| begins) else { return false };
    let next = line_words.get(at + 1);
    next.is_none_or(|word| has(GAME, word) || has(I, word) || has(AUXILIARY, word))
}

/// The colour that a bare line gives to the opponent: both players with a dash between, a colour with a name, or, beside
/// the event, the colour alone, which is then the writer's.
fn side_of_opponent(line: &str, thread: &Thread) -> Option<Side> {
    let game = &thread.game;
    let (mine, his) = (words(&game.player(game.me).name), words(&game.opponent().name));
    let line_words = words(line);
    let is_mine = |word: &String| mine.contains(word) && !his.contains(word) && word.len() > 2;
    let is_his = |word: &String| his.contains(word) && !mine.contains(word) && word.len() > 2;
    let first_mine = line_words.iter().position(is_mine);
    let first_his = line_words.iter().position(is_his);
    let mut colours = line_words.iter().filter_map(|word| colour(word));
    match (colours.next(), first_mine, first_his) {
        (None, Some(mine), Some(his)) => {
            let divided = line.contains([':', '/', '-']) || line_words.iter().any(|word| has(VERSUS, word));
            divided.then_some(if his < mine { Side::White } else { Side::Black })
        }
        (Some(side), None, Some(_)) if colours.next().is_none() => Some(side),
        (Some(side), Some(_), None) if colours.next().is_none() => Some(side.other()),
        (Some(side), None, None) if colours.next().is_none() && has_event(line, thread) => Some(side),
        (Some(_), Some(mine), Some(his)) => {
            // "White: Ostrander, Black: Lindqvist"
            let sides: Vec<Side> = line_words.iter().filter_map(|word| colour(word)).collect();
            match (sides.as_slice(), his < mine) {
                ([first, second], his_first) if first != second => Some(if his_first { *first } else { *second }),
                _ => None,
            }
        }
        _ => None,
    }
}
