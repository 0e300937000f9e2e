//! A mail of several games, cut at the lines that name them: each game gets the lines below its own heading.
//!
//! A heading names a game by its id, by an event that no other game of his has, or by the two players in the order of their
//! colours ("Game 2 (Lindqvist - Ostrander)", `White: ...`, PGN tags), or by his colour ("the game in which I have White");
//! of two, "the other" names the one that is not above. What stands above the first heading belongs to none,
//! and its doubts are everybody's. What will surprise you: quoted headings sort quoted lines only; a line that names two
//! games, or "Game 3", ends a section; a sentence that mentions a game opens its section too, but settles nothing.

use std::collections::HashMap;

use super::which::{Thread, has_event, has_id, place_of_event, place_of_id, words};
use crate::domain::game::Side;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{self, Kind, split};

/// Some lines of a mail: a view (plain, HTML), a line number, and the byte at which the line's own words begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    lines: HashMap<(usize, usize), usize>,
}

impl Part {
    /// The words of a line that belong to this part.
    pub(super) fn words_of<'a>(&self, view: usize, line: &quote::Line<'a>) -> Option<&'a str> {
        line.text.get(*self.lines.get(&(view, line.number))?..)
    }

    /// Both together.
    pub(super) fn with(&self, other: &Part) -> Part {
        Part { lines: self.lines.iter().chain(&other.lines).map(|(place, from)| (*place, *from)).collect() }
    }
}

/// The lines of one game.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// Which.
    pub(super) thread: &'a Thread,
    /// Every heading is the game's id in a heading's place: the move need not tell the games apart as well.
    pub(super) is_settled: bool,
    /// A heading is a sentence that mentions the game.
    pub(super) is_mention: bool,
    /// Its lines.
    pub(super) part: Part,
}

/// A mail cut up.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    /// One for each game named by a heading, in the order of their headings.
    pub(super) sections: Vec<Section<'a>>,
    /// The lines of none.
    pub(super) rest: Part,
}

/// The mail's sections, if its own words have headings of two games or more.
pub(super) fn cut<'a>(message: &IncomingMessage, his: &[&'a Thread]) -> Option<Cut<'a>> {
    let mut cut = Cut { sections: Vec::new(), rest: Part::default() };
    if his.len() < 2 {
        return None;
    }
    for (view, text) in [&message.plain, &message.html].into_iter().enumerate() {
        let Some(text) = text else { continue };
        let (mut own, mut quoted): (Option<usize>, Option<usize>) = (None, None);
        for line in split(text.trim_end()).lines {
            let is_own = match line.kind {
                Kind::Own => true,
                Kind::Quoted { .. } => false,
                Kind::Attribution | Kind::Separator | Kind::Signature | Kind::Footer => {
                    quoted = own;
                    continue;
                }
            };
            let current = if is_own { &mut own } else { &mut quoted };
            let mut from = Some(0);
            let above = current.and_then(|place| cut.sections.get(place)).map(|section| section.thread);
            match heading(line.text, his, above) {
                Heading::Of { game, how, words } => {
                    let goes_on = current.is_some() && *current == cut.place_of(game);
                    if is_own && !goes_on {
                        *current = Some(cut.open(game, how));
                    } else if !is_own {
                        *current = cut.place_of(game);
                    }
                    from = words;
                }
                Heading::Unclear => *current = None,
                Heading::None => {}
            }
            let place = *current;
            if is_own {
                quoted = own;
            }
            if let Some(from) = from {
                let section = place.and_then(|place| cut.sections.get_mut(place));
                let part = section.map_or(&mut cut.rest, |section| &mut section.part);
                part.lines.insert((view, line.number), from);
            }
        }
    }
    (cut.sections.len() > 1).then_some(cut)
}

impl<'a> Cut<'a> {
    fn place_of(&self, game: &Thread) -> Option<usize> {
        self.sections.iter().position(|section| section.thread.game.id == game.game.id)
    }

    fn open(&mut self, game: &'a Thread, how: How) -> usize {
        let place = self.place_of(game).unwrap_or_else(|| {
            let section = Section { thread: game, is_settled: true, is_mention: false, part: Part::default() };
            self.sections.push(section);
            self.sections.len() - 1
        });
        if let Some(section) = self.sections.get_mut(place) {
            section.is_settled &= how == How::Id;
            section.is_mention |= how == How::Mention;
        }
        place
    }
}

/// How a line names a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Id,
    EventOrPlayers,
    Mention,
}

enum Heading<'a> {
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
fn heading<'a>(line: &str, his: &[&'a Thread], above: Option<&Thread>) -> Heading<'a> {
    let named: Vec<&'a Thread> = his.iter().copied().filter(|t| has_id(line, t)).collect();
    match named.as_slice() {
        [] => {}
        [game] => {
            let at = place_of_id(line, game).unwrap_or_default();
            return by_name(line, game, game.game.id.as_str(), at, How::Id);
        }
        _ => return Heading::Unclear,
    }
    let running: Vec<&'a Thread> = his.iter().copied().filter(|t| t.game.result.is_none()).collect();
    let own = Some(line.find(':').map_or(0, |at| at + 1));
    let told = |game| Heading::Of { game, how: How::EventOrPlayers, words: own };
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
    let how = How::EventOrPlayers;
    if let [game] = of_event.as_slice() {
        let at = place_of_event(line, game).unwrap_or_default();
        return by_name(line, game, &game.game.event, at, how);
    }
    let among = if of_event.is_empty() { &running } else { &of_event };
    let sides = among.iter().copied().filter(|t| is_bare(t) && side_of_opponent(line, t) == Some(t.game.me.other()));
    match sides.collect::<Vec<_>>().as_slice() {
        // the players of the game whose lines these are
        fitting if above.is_some_and(|game| fitting.iter().any(|t| t.game.id == game.game.id)) => Heading::None,
        [game] => Heading::Of { game, how, words: None },
        [_, _, ..] => Heading::Unclear,
        [] => match among.first().is_some_and(|t| is_bare(t)) && is_numbered(line) {
            true => Heading::Unclear,
            false => Heading::None,
        },
    }
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
    let colour = |word: &String| match () {
        () if has(WHITE, word) => Some(Side::White),
        () if has(BLACK, word) => Some(Side::Black),
        () => None,
    };
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
    let colour = |word: &String| match () {
        () if has(WHITE, word) => Some(Side::White),
        () if has(BLACK, word) => Some(Side::Black),
        () => None,
    };
    let first_mine = line_words.iter().position(is_mine);
    let first_his = line_words.iter().position(is_his);
    let mut colours = line_words.iter().filter_map(colour);
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
            let sides: Vec<Side> = line_words.iter().filter_map(colour).collect();
            match (sides.as_slice(), his < mine) {
                ([first, second], his_first) if first != second => Some(if his_first { *first } else { *second }),
                _ => None,
            }
        }
        _ => None,
    }
}
